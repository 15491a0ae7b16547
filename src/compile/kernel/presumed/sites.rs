//! Where a turn may be presumed to go on: a point behind a question whose answer the list of that point has, see the conditions in
//! `presumed`. In: a program, and what is sure of it. Out: the place, or that it is none.

use crate::compile::kernel::env::follows_effects;
use crate::compile::kernel::known::Known;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::within::writes;
use crate::compile::points::leads;
use crate::program::{Domain, Life, NO_PC, Op, Pc, PictureId, PointId, Truth, VarId};

/// So many instructions, or pairs of them, are looked at for an answer.
const MOST: usize = 200;

/// A place where a turn may be presumed to go on.
#[derive(Clone, Debug)]
pub struct Site {
    /// The question, and where the turn goes on when the answer is no.
    pub asks: Pc,
    pub otherwise: Pc,
    /// Where what it asks for begins.
    pub asked: Pc,
    pub point: PointId,
    /// The instructions up to the first action that may ask something.
    pub first: Vec<Pc>,
    pub list: Listed,
}

/// What is listed at such a place.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// How many of the actions are not of what was asked for.
    pub besides: u64,
    /// The first word of the way to those that are, where there are others.
    pub way: u64,
    /// Whether all of them can be done, as far as that was asked.
    pub exact: bool,
}

impl Lowerer<'_> {
    /// What may be presumed of a point.
    pub fn site(&self, id: PointId) -> Option<Site> {
        let program = self.program;
        let point = program.points[id.0 as usize].pc;
        let asks = Pc(point.0.checked_sub(1)?);
        let Op::JumpUnless(Truth::Possible(None, sub), otherwise) = self.op(asks) else {
            return None;
        };
        let asked = program.subs[sub.0 as usize];
        let code = &program.code;
        let mut before = (0..code.len()).filter(|at| leads(&code[*at], *at, point.0 as usize));
        let only = (before.next(), before.next()) == (Some(asks.0 as usize), None);
        let then = Pc(point.0 + 1);
        let sure = self.sure.completes_at_point(then) && self.sure.completes(*otherwise, true);
        let known = self.certain.rests(id.0 as usize).is_some();
        if !only || !sure || !known || asked == NO_PC || !self.is_kept(*otherwise, id) {
            return None;
        }
        let (body, besides, way) = match self.op(then) {
            Op::Branch(ways) => {
                let of_sub = |way: &Pc| self.first_of(*way, asked).is_some();
                let at = ways.iter().position(of_sub)?;
                let mut others = ways.iter().enumerate().filter(|(other, _)| *other != at);
                if !others.all(|(_, way)| self.is_one_action(*way)) {
                    return None;
                }
                (ways[at], ways.len() as u64 - 1, at as u64)
            }
            _ => (then, 0, 0),
        };
        Some(Site {
            asks,
            otherwise: *otherwise,
            asked,
            point: id,
            first: self.first_of(body, asked)?,
            list: Listed {
                besides,
                way,
                exact: false,
            },
        })
    }

    /// Whether all that is read from an instruction on is kept where a turn rests at a point.
    fn is_kept(&self, pc: Pc, point: PointId) -> bool {
        let carried = &self.program.points[point.0 as usize].carried;
        let all = (0..self.program.vars.len()).map(|v| VarId(v as u16));
        all.filter(|v| self.is_live(*v, pc)).all(|v| {
            let var = self.program.var(v);
            var.life != Life::Local || carried.contains(&v)
        })
    }

    /// Whether a way is one action that can always be done, and nothing else.
    fn is_one_action(&self, pc: Pc) -> bool {
        let done = self.plain(pc).filter(|at| *self.op(*at) == Op::ActionDone);
        done.is_some_and(|at| self.lists_whatever_follows(Pc(at.0 + 1)))
    }

    /// Whether lists take an action down when it is complete, whatever follows it.
    pub fn lists_whatever_follows(&self, mut pc: Pc) -> bool {
        for _ in 0..MOST {
            let left_to_play = self.joins[pc.0 as usize] && !self.is_short(pc);
            if (left_to_play || self.sure.completes(pc, true)) && self.is_chosen(pc) {
                return true;
            }
            pc = match self.op(pc) {
                Op::Let(..) | Op::Clear(_) => Pc(pc.0 + 1),
                Op::Jump(to) => *to,
                _ => return false,
            };
        }
        false
    }

    /// The instructions of a body up to its first action that may ask something, when it has an action and a subprogram does the same up to
    /// there, and can surely be gone through from there on.
    fn first_of(&self, body: Pc, sub: Pc) -> Option<Vec<Pc>> {
        let mut seen: Vec<(Pc, Pc, Known)> = Vec::new();
        let mut open = vec![(body, sub, Known::default())];
        while let Some((a, b, mut known)) = open.pop() {
            let (a, b) = (self.plain(a)?, self.plain(b)?);
            if seen
                .iter()
                .any(|(x, y, k)| (*x, *y) == (a, b) && *k == known)
            {
                continue;
            }
            if seen.len() == MOST {
                return None;
            }
            seen.push((a, b, known.clone()));
            let next = |at: Pc| Pc(at.0 + 1);
            let mut ways = vec![(next(a), next(b))];
            match (self.op(a), self.op(b)) {
                (Op::ActionDone, _) => {
                    if !self.lists_whatever_follows(next(a)) || !self.goes_through(b, &known) {
                        return None;
                    }
                    ways.clear();
                }
                (Op::JumpUnless(s, to), Op::JumpUnless(t, other)) if s == t => {
                    match known.holds(s) {
                        Some(true) => {}
                        Some(false) => ways = vec![(*to, *other)],
                        None => ways.push((*to, *other)),
                    }
                }
                (Op::Branch(these), Op::Branch(others)) if these.len() == others.len() => {
                    ways = these.iter().copied().zip(others.iter().copied()).collect();
                }
                (Op::Require(s, _), Op::Require(t, _)) if s == t => {}
                (Op::Line(s), Op::Line(t)) if self.is_same_picture(*s, *t) => {
                    known.keep(|var| !writes(self.program, self.op(a), var));
                }
                (Op::Choose(var, domain), other) if self.op(a) == other => match domain {
                    Domain::Parts(_) => known.part(*var),
                    _ => known.forget(*var),
                },
                (Op::Let(var, value), other) if self.op(a) == other => known.given(*var, value),
                (Op::Clear(var), other) if self.op(a) == other => known.forget(*var),
                (Op::Effect(_) | Op::LetOfPlayer(..) | Op::LetOfCell(..), other)
                    if self.op(a) == other =>
                {
                    let follows = |var| follows_effects(self.program, var);
                    known.keep(|var| !writes(self.program, self.op(a), var) && !follows(var));
                }
                _ => return None,
            }
            open.extend(ways.into_iter().map(|(a, b)| (a, b, known.clone())));
        }
        let asks = |a: &Pc| !matches!(self.op(*a), Op::JumpUnless(..) | Op::ActionDone);
        Some(seen.into_iter().map(|(a, ..)| a).filter(asks).collect())
    }

    /// The next instruction that is more than text, a place to go on, or a jump.
    fn plain(&self, mut at: Pc) -> Option<Pc> {
        for _ in 0..MOST {
            at = match self.op(at) {
                Op::Open(_) | Op::Close(_) | Op::Point(_) => Pc(at.0 + 1),
                Op::Jump(to) => *to,
                _ => return Some(at),
            };
        }
        None
    }

    fn is_same_picture(&self, a: PictureId, b: PictureId) -> bool {
        let picture = |id: PictureId| &self.program.pictures[id.0 as usize];
        picture(a) == picture(b)
    }

    /// Whether a subprogram can surely be gone through from an instruction on, with what is known there.
    fn goes_through(&self, pc: Pc, known: &Known) -> bool {
        let mut open = vec![(pc, known.clone())];
        for _ in 0..MOST {
            let Some((pc, mut known)) = open.pop() else {
                return true;
            };
            let Some(pc) = self.plain(pc) else {
                return false;
            };
            if self.sure.completes(pc, false) {
                continue;
            }
            let next = Pc(pc.0 + 1);
            match self.op(pc) {
                Op::Let(var, value) => known.given(*var, value),
                Op::Clear(var) => known.forget(*var),
                Op::JumpUnless(test, to) => match known.holds(test) {
                    Some(true) => {}
                    Some(false) => {
                        open.push((*to, known));
                        continue;
                    }
                    None => open.push((*to, known.clone())),
                },
                _ => return false,
            }
            open.push((next, known));
        }
        false
    }
}
