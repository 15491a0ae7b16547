//! Places from which a turn, or a subprogram, can be completed whatever the position is: what a program does there can neither be
//! refused nor go on for ever. In: a program. Out: for each instruction whether it is such a place, and what it relies on of a position.
//!
//! Before: every action asks whether the rest of its turn can be completed, and a subprogram whether it can be run, by trying.
//! After: it is not asked where the answer is known.
//! Conditions: what is required there is known; what is chosen from is not empty; effects cannot fail; every loop uses something up.

use crate::compile::kernel::assumed::Assumed;
use crate::compile::kernel::loops::{plain_from, same_until};
use crate::compile::kernel::within::{adds, is_within, writes};
use crate::compile::points::leads;
use crate::program::{
    CellExpr, Cells, Compare, Domain, Effect, NO_PC, Num, Op, Pc, PlayerExpr, Program, SubId,
    Truth, Value, VarId, cells_vars,
};
use rustc_hash::FxHashMap;

/// So many instructions are looked at for an answer.
const FUEL: usize = 4000;

/// What was found out.
#[derive(Default)]
pub struct Sure {
    /// For each instruction: whether its turn or subprogram can be completed from there, before and after an action of it.
    from: [Vec<bool>; 2],
    /// For each place where a player chooses: whether the turn can be completed whenever it is come to.
    points: Vec<bool>,
    /// Sets that lie within others in every position of a turn.
    pub within: Vec<(VarId, VarId)>,
    /// Whether it relies on the number of actions not being negative.
    pub counted: bool,
}

impl Sure {
    /// Whether a turn, or a subprogram, can be completed from an instruction on; with `acted` after an action that does not end there.
    pub fn completes(&self, pc: Pc, acted: bool) -> bool {
        let known = self.from[usize::from(acted)].get(pc.0 as usize);
        known.is_some_and(|known| *known)
    }

    /// The places in the state of sets that lie within others.
    pub fn places_within(&self, program: &Program) -> Vec<(u32, u32)> {
        let place = |v: &VarId| program.var(*v).offset as u32;
        let pairs = self.within.iter();
        pairs.map(|(a, b)| (place(a), place(b))).collect()
    }

    /// Whether a turn can be completed whenever the place before an instruction is come to by an action: it was asked there whether
    /// what follows can be gone through.
    pub fn completes_at_point(&self, then: Pc) -> bool {
        let known = (then.0.checked_sub(1)).and_then(|at| self.points.get(at as usize));
        self.completes(then, false) || known.is_some_and(|known| *known)
    }
}

/// Finds the places.
pub fn sure(program: &Program) -> Sure {
    let assumed = Assumed::default();
    let mut walk = Walk::new(program, &assumed);
    let mut sure = Sure::default();
    if program.lifts() {
        return sure;
    }
    // Ways lead forward mostly: what comes late is found out first.
    for (i, acted) in [false, true].into_iter().enumerate().rev() {
        for at in (0..program.code.len()).rev() {
            walk.proven[i][at] = walk.is_sure(Pc(at as u32), acted);
        }
    }
    for at in 0..program.code.len() {
        let known = walk.is_sure_when_come_to(Pc(at as u32));
        sure.points.push(known);
    }
    walk.relied.sort_unstable_by_key(|(a, b)| (a.0, b.0));
    walk.relied.dedup();
    (sure.from, sure.within, sure.counted) = (walk.proven, walk.relied, walk.counted);
    sure
}

/// Whether a turn that has had an action can be completed from an instruction on when some truths are known, and nothing is up any
/// more.
pub fn completes_when(program: &Program, pc: Pc, assumed: &Assumed<'_>) -> bool {
    let mut walk = Walk::new(program, assumed);
    walk.is_sure(pc, true) && walk.relied.is_empty() && !walk.counted
}

/// Whether what is required from an instruction on is surely not so when some truths are known.
pub fn refuses_when(program: &Program, mut pc: Pc, assumed: &Assumed<'_>) -> bool {
    let asks_no_more = |var: VarId| assumed.noted.is_some_and(|n| n.0 == var);
    while let Some(op) = program.code.get(pc.0 as usize) {
        let next = Pc(pc.0 + 1);
        pc = match op {
            Op::Require(test, _) if assumed.answer(program, test) == Some(false) => return true,
            Op::Let(var, _) | Op::Clear(var) if asks_no_more(*var) => return false,
            Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Close(_) | Op::Require(..) => next,
            Op::Jump(to) if *to > pc => *to,
            _ => return false,
        };
    }
    false
}

/// What is known at an instruction from the ones before it.
#[derive(Clone, Copy, Default, PartialEq)]
struct Known<'p> {
    /// Cells that are there.
    some: Option<&'p Cells>,
    /// A set whose cells were just made empty.
    emptied: Option<VarId>,
}

/// An instruction on the way to another.
#[derive(Clone, Copy)]
struct Step {
    at: Pc,
    /// Whether an action was complete.
    acted: bool,
    /// Whether it is no place to come back to: it is known that it can be gone through, so that nothing is to be shown of it, or
    /// more was known there than is when a way comes back.
    through: bool,
}

/// A walk along the ways that a turn may take.
struct Walk<'p> {
    program: &'p Program,
    assumed: &'p Assumed<'p>,
    /// For each instruction: what has been found out before, without and with an action.
    proven: [Vec<bool>; 2],
    /// Sets that were asked for, and whether the first lies within the second.
    within: FxHashMap<(VarId, VarId), bool>,
    relied: Vec<(VarId, VarId)>,
    counted: bool,
    way: Vec<Step>,
    /// The first and last instructions of the loops that were come back to.
    loops: Vec<(Pc, Pc)>,
    fuel: usize,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, assumed: &'p Assumed<'p>) -> Walk<'p> {
        Walk {
            program,
            assumed,
            proven: [(); 2].map(|()| vec![false; program.code.len()]),
            within: FxHashMap::default(),
            relied: Vec::new(),
            counted: false,
            way: Vec::new(),
            loops: Vec::new(),
            fuel: 0,
        }
    }

    fn is_sure(&mut self, pc: Pc, acted: bool) -> bool {
        self.asked(|walk| walk.completes(pc, acted, Known::default()))
    }

    /// One question; what a wrong guess relied on is forgotten.
    fn asked(&mut self, question: impl FnOnce(&mut Self) -> bool) -> bool {
        self.fuel = FUEL;
        self.loops.clear();
        self.way.clear();
        let (relied, counted) = (self.relied.len(), self.counted);
        let sure = question(self) && self.are_nested();
        if !sure {
            self.relied.truncate(relied);
            self.counted = counted;
        }
        sure
    }

    /// Whether it is a place that is only come to when a subprogram can be run, which then can be gone through.
    fn is_sure_when_come_to(&mut self, pc: Pc) -> bool {
        if !matches!(self.op(pc), Op::Point(_)) {
            return false;
        }
        let code = &self.program.code;
        let to_it = |from: &usize| leads(&code[*from], *from, pc.0 as usize);
        let mut before = (0..code.len()).filter(to_it);
        let (Some(from), None) = (before.next(), before.next()) else {
            return false;
        };
        match &code[from] {
            Op::JumpUnless(Truth::Possible(None, sub), _) if from + 1 == pc.0 as usize => {
                self.asked(|walk| walk.goes_through(pc, *sub, false))
            }
            _ => false,
        }
    }

    /// Whether loops lie apart or in one another, so that each can count on its own.
    fn are_nested(&self) -> bool {
        let ends = |(a, b): &(Pc, Pc)| (a.0, b.0);
        let all = || self.loops.iter().map(ends);
        all().all(|(a, b)| {
            all().all(|(c, d)| {
                (a, b) == (c, d) || b < c || d < a || (a < c && d <= b) || (c < a && b <= d)
            })
        })
    }

    fn op(&self, pc: Pc) -> &'p Op {
        &self.program.code[pc.0 as usize]
    }

    fn completes(&mut self, pc: Pc, acted: bool, known: Known<'p>) -> bool {
        // Whatever comes back from there has been looked at.
        if self.proven[usize::from(acted)].get(pc.0 as usize) == Some(&true) {
            return true;
        }
        if self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        let here = |s: &Step| s.at == pc && s.acted == acted && !s.through;
        if let Some(at) = self.way.iter().position(here) {
            return self.comes_to_an_end(at);
        }
        let before = self.way.len();
        self.way.push(Step {
            at: pc,
            acted,
            through: known != Known::default(),
        });
        let result = self.goes_on(pc, acted, known);
        self.way.truncate(before);
        result
    }

    fn goes_on(&mut self, pc: Pc, acted: bool, known: Known<'p>) -> bool {
        let next = Pc(pc.0 + 1);
        match self.op(pc) {
            Op::EndTurn => acted,
            Op::Succeed => true,
            Op::Jump(to) => self.completes(*to, acted, known),
            Op::Open(_) | Op::Close(_) => self.completes(next, acted, known),
            // The player chooses again, and does something.
            Op::Point(_) => self.completes(next, false, known),
            Op::Let(..) | Op::Clear(_) => self.completes(next, acted, Known::default()),
            Op::ActionDone => {
                let actions = self.program.system.actions;
                let asks = |set: &&Cells| cells_vars(set).may_read(|v| Some(v) == actions);
                let some = known.some.filter(|set| !asks(set));
                self.completes(next, true, Known { some, ..known })
            }
            Op::Require(test, _) => {
                let counted = acted && self.counts_actions(test);
                self.counted |= counted;
                let holds = self.assumed.answer(self.program, test) == Some(true);
                (counted || holds) && self.completes(next, acted, known)
            }
            Op::Effect(effect) => match self.after(effect, known) {
                Some(known) => self.completes(next, acted, known),
                None => false,
            },
            Op::Choose(_, Domain::Cells(set) | Domain::Parts(set)) => {
                known.some == Some(all_of(set)) && self.completes(next, acted, Known::default())
            }
            Op::Each { exit, .. } => {
                self.completes(next, acted, Known::default())
                    && self.completes(*exit, acted, Known::default())
            }
            Op::Branch(ways) => ways.iter().any(|way| self.completes(*way, acted, known)),
            Op::JumpUnless(Truth::Possible(None, sub), to) => {
                (self.goes_through(next, *sub, acted) || self.completes(next, acted, known))
                    && self.completes(*to, acted, known)
            }
            Op::JumpUnless(test, to) => {
                let some = there_are(test).or(known.some);
                self.completes(next, acted, Known { some, ..known })
                    && self.completes(*to, acted, known)
            }
            _ => false,
        }
    }

    /// Whether it completes behind a body that can be gone through, since its subprogram can.
    fn goes_through(&mut self, body: Pc, sub: SubId, acted: bool) -> bool {
        let begin = self.program.subs[sub.0 as usize];
        if begin == NO_PC {
            return false;
        }
        let Some(end) = same_until(self.program, body, begin) else {
            return false;
        };
        let before = self.way.len();
        let mut at = plain_from(self.program, body);
        while at.0 < end.0 {
            self.way.push(Step {
                at,
                acted,
                through: true,
            });
            let after = match self.op(at) {
                Op::JumpUnless(_, to) => *to,
                _ => Pc(at.0 + 1),
            };
            at = plain_from(self.program, after);
        }
        let result = at == end && self.completes(end, acted, Known::default());
        self.way.truncate(before);
        result
    }

    /// What is known after an effect that cannot fail.
    fn after(&mut self, effect: &'p Effect, known: Known<'p>) -> Option<Known<'p>> {
        let nothing = Some(Known::default());
        match effect {
            Effect::Capture(set) | Effect::Remove(set) if !self.program.stacking => {
                let emptied = match set {
                    Cells::Var(v) => Some(*v),
                    _ => None,
                };
                Some(Known {
                    some: None,
                    emptied,
                })
            }
            Effect::Capture(_) | Effect::Remove(_) | Effect::Flip(_) => nothing,
            Effect::Mark(..) | Effect::Unmark(..) | Effect::Pass | Effect::Again => nothing,
            Effect::Place {
                owner: None | Some(PlayerExpr::Me),
                at: Cells::Var(at),
                times: Num::Const(1),
                ..
            } if !self.program.stacking => {
                let emptied = known.emptied?;
                if *at != emptied {
                    let (program, pair) = (self.program, (*at, emptied));
                    let within = self.within.entry(pair);
                    if !*within.or_insert_with(|| is_within(program, *at, emptied)) {
                        return None;
                    }
                    self.relied.push((*at, emptied));
                }
                nothing
            }
            _ => None,
        }
    }

    /// Whether a test says that the turn has had an action.
    fn counts_actions(&self, test: &Truth) -> bool {
        let Truth::Compare(how, a, b) = test else {
            return false;
        };
        let actions = self.program.system.actions;
        let (Num::Var(v), Num::Const(n)) = (a.as_ref(), b.as_ref()) else {
            return false;
        };
        actions == Some(*v) && (*how, *n) == (Compare::More, 0)
            || actions == Some(*v) && (*how, *n) == (Compare::AtLeast, 1)
    }

    /// Whether a way that comes back to one of its instructions can do so only so many times: each time it uses something up.
    fn comes_to_an_end(&mut self, at: usize) -> bool {
        let steps: Vec<Pc> = self.way[at..].iter().map(|s| s.at).collect();
        let first = steps[0];
        let last = steps.iter().copied().max().unwrap_or(first);
        if steps.iter().any(|pc| *pc < first) {
            return false;
        }
        let ops: Vec<&Op> = steps.iter().map(|pc| self.op(*pc)).collect();
        let body = &self.program.code[first.0 as usize..=last.0 as usize];
        let ends = self.takes_parts(&ops, body)
            || self.marks_chosen(&ops, body)
            || self.takes_members(&ops, body);
        if ends {
            self.loops.push((first, last));
        }
        ends
    }

    /// Whether each time a part of a set is chosen and taken out of it, and nothing is put in.
    fn takes_parts(&self, ops: &[&'p Op], body: &'p [Op]) -> bool {
        let taken = |op: &Op, from: VarId| match op {
            Op::Let(
                v,
                Value::Cells(Cells::Without(a, b)) | Value::Groups(Cells::Without(a, b)),
            ) => match (a.as_ref(), b.as_ref()) {
                (Cells::Var(a), Cells::Var(b)) if *v == from && *a == from => Some(*b),
                _ => None,
            },
            _ => None,
        };
        ops.iter().enumerate().any(|(i, op)| {
            let Op::Choose(part, Domain::Parts(Cells::Var(from))) = op else {
                return false;
            };
            let once = body
                .iter()
                .filter(|op| writes(self.program, op, *part))
                .count()
                == 1;
            let takes = |op: &&Op| taken(op, *from) == Some(*part);
            let sinks = |op: &Op| !writes(self.program, op, *from) || taken(op, *from).is_some();
            !self.program.var(*from).travels
                && once
                && ops[i..].iter().any(takes)
                && body.iter().all(sinks)
        })
    }

    /// Whether each time a member is taken out of a set, and nothing is put in.
    fn takes_members(&self, ops: &[&'p Op], body: &'p [Op]) -> bool {
        let Some(Op::Each { rest, .. }) = ops.first() else {
            return false;
        };
        !self.program.var(*rest).travels
            && (body[1..].iter()).all(|op| !writes(self.program, op, *rest))
    }

    /// Whether each time a cell that is not marked is chosen and marked, and no mark is taken away.
    fn marks_chosen(&self, ops: &[&'p Op], body: &'p [Op]) -> bool {
        ops.iter().enumerate().any(|(i, op)| {
            let Op::Choose(cell, Domain::Cells(Cells::Without(_, unmarked))) = op else {
                return false;
            };
            let Cells::Var(mark) = unmarked.as_ref() else {
                return false;
            };
            let single = Cells::Single(Box::new(CellExpr::Var(*cell)));
            let marks = |op: &&Op| adds(op) == Some((*mark, &single));
            let once = body
                .iter()
                .filter(|op| writes(self.program, op, *cell))
                .count()
                == 1;
            let keeps = |op: &Op| match op {
                op if adds(op).is_some() => true,
                Op::Effect(Effect::Mark(..) | Effect::Pass | Effect::Again) => true,
                Op::Effect(Effect::Place { .. }) => true,
                Op::Effect(Effect::Unmark(v, _)) => v != mark,
                Op::Effect(_) => !self.program.var(*mark).travels,
                op => !writes(self.program, op, *mark),
            };
            once && ops[i..].iter().any(marks) && body.iter().all(keeps)
        })
    }
}

/// A set that has cells when a test holds.
fn there_are(test: &Truth) -> Option<&Cells> {
    match test {
        Truth::Some(set) => Some(all_of(set)),
        Truth::Compare(how, a, b) => {
            let (Num::Count(set) | Num::CountParts(set), Num::Const(n)) = (a.as_ref(), b.as_ref())
            else {
                return None;
            };
            let least = match how {
                Compare::More => n.saturating_add(1),
                Compare::AtLeast => *n,
                _ => 0,
            };
            (least >= 1).then(|| all_of(set))
        }
        _ => None,
    }
}

/// What the cells or parts with the most or least of a number are taken from: there are some when there are any.
fn all_of(mut set: &Cells) -> &Cells {
    while let Cells::With { set: all, .. } | Cells::PartsWith { set: all, .. } = set {
        set = all;
    }
    set
}
