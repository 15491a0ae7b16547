//! What a turn may change behind a trail that lets pieces fall, besides those: most turns change nothing else but what all of them change
//! alike. In: a program and a trail. Out: what must not be for that to be so, and which values may still differ.
//!
//! Conditions: before the trail only cells are chosen, one pile is lifted, and the trail begins there; behind it every way leads
//! forward to the end of the turn, and nothing but captures and values are on it.

use crate::compile::kernel::assumed::Assumed;
use crate::compile::kernel::env::follows_effects;
use crate::compile::kernel::paces::steps::Step;
use crate::compile::kernel::reads::{Asker, Reads};
use crate::compile::kernel::within::writes;
use crate::compile::points::successors;
use crate::program::{CellExpr, Cells, Domain, Effect, Op, Pc, Program, Truth, Value, VarId};
use std::collections::BTreeSet;

/// What may happen behind a trail in one turn and not in another: when all these truths say so.
#[derive(Clone, Debug)]
pub struct Chance<'p> {
    /// The truths and what they say.
    pub when: Vec<(&'p Truth, bool)>,
    /// Of these cells some are taken; where there are none anything may be.
    pub taken: Option<&'p Cells>,
}

/// What a turn may do behind a trail.
#[derive(Clone, Default, Debug)]
pub struct Behind<'p> {
    /// What may happen, for one place that the trail comes to and not for another.
    pub chances: Vec<Chance<'p>>,
    /// The variables that have the cell where the trail ended.
    pub last: BTreeSet<VarId>,
    /// Those of the state that may have different values, though none of that happened.
    pub differ: BTreeSet<VarId>,
}

/// What may happen behind a trail between two instructions; nothing where that is not known.
pub fn behind<'p>(
    program: &'p Program,
    (head, exit): (Pc, Pc),
    step: &Step<'p>,
    assumed: &Assumed<'p>,
) -> Option<Behind<'p>> {
    if !begins_so(program, head, step.here) || step.drops == 0 {
        return None;
    }
    let changed = |v: &VarId| {
        let var = program.var(*v);
        // All have had as many actions, and where none were taken it is the same how many were.
        let counted = [program.system.captures, program.system.actions].contains(&Some(*v));
        let before = &program.code[..exit.0 as usize];
        let follows = var.carried || follows_effects(program, *v);
        !counted && (follows || before.iter().any(|op| writes(program, op, *v)))
    };
    let all = (0..program.vars.len()).map(|at| VarId(at as u16));
    let differ = all.filter(|v| program.var(*v).in_state()).filter(changed);
    let mut walk = Walk {
        program,
        assumed,
        alike: BTreeSet::new(),
        behind: Behind {
            chances: Vec::new(),
            last: BTreeSet::from([step.here]),
            differ: differ.collect(),
        },
    };
    let end = walk.to_the_end(exit.0 as usize)?;
    walk.between((exit.0 as usize, end), &[])?;
    Some(walk.behind)
}

/// Whether all that comes before a trail is a choice of cells, of which one is lifted that the trail begins at.
fn begins_so(program: &Program, head: Pc, here: VarId) -> bool {
    let head = head.0 as usize;
    let mut leads = vec![false; head + 1];
    leads[head] = true;
    let (mut lifted, mut begins) = (Vec::new(), Vec::new());
    // From the last to the first: a way back would lead from what is not known yet.
    for at in (0..head).rev() {
        let op = &program.code[at];
        let next = successors(op, at);
        leads[at] = next
            .iter()
            .any(|next| *next > at && leads.get(*next) == Some(&true));
    }
    let mut come_to = vec![false; head + 1];
    let mut open: Vec<usize> = program.turns.iter().map(|t| t.pc.0 as usize).collect();
    while let Some(at) = open.pop() {
        if at >= head || !leads[at] || std::mem::replace(&mut come_to[at], true) {
            continue;
        }
        let op = &program.code[at];
        if successors(op, at).iter().any(|next| *next <= at) {
            return false;
        }
        open.extend(successors(op, at));
        match op {
            Op::Choose(v, Domain::Cells(Cells::Single(c))) if *v == here => begins.push(c.as_ref()),
            Op::Effect(Effect::Lift(c)) => lifted.push(c),
            Op::Choose(_, Domain::Cells(_))
            | Op::Require(..)
            | Op::Let(..)
            | Op::Clear(_)
            | Op::Open(_)
            | Op::Close(_)
            | Op::Branch(_)
            | Op::JumpUnless(..)
            | Op::Jump(_) => {}
            _ => return false,
        }
    }
    let ([lifted], [begins]) = (lifted.as_slice(), begins.as_slice()) else {
        return false;
    };
    let CellExpr::Var(stack) = lifted else {
        return false;
    };
    let once = |var: VarId| {
        let given = |at: &usize| come_to[*at] && writes(program, &program.code[*at], var);
        (0..head).filter(given).count() == 1
    };
    *lifted == *begins && once(*stack) && once(here)
}

struct Walk<'a, 'p> {
    program: &'p Program,
    assumed: &'a Assumed<'p>,
    /// Locals that have the same value wherever the trail went.
    alike: BTreeSet<VarId>,
    behind: Behind<'p>,
}

impl<'p> Walk<'_, 'p> {
    /// Where the turn ends, behind an instruction from which no way leads back or elsewhere.
    fn to_the_end(&self, from: usize) -> Option<usize> {
        let code = &self.program.code;
        let is_end = |op: &Op| matches!(op, Op::EndTurn);
        let end = from + code.get(from..)?.iter().position(is_end)?;
        let stays = |at: usize| {
            let next = successors(&code[at], at);
            next.iter().all(|next| (at + 1..=end).contains(next))
        };
        (from..end).all(stays).then_some(end)
    }

    /// What may happen between two instructions when some truths say so.
    fn between(&mut self, (from, end): (usize, usize), when: &[(&'p Truth, bool)]) -> Option<()> {
        let mut at = from;
        while at < end {
            let op: &'p Op = &self.program.code[at];
            let next = at + 1;
            at = match op {
                // Nothing is refused behind such a trail.
                Op::Require(..) | Op::Open(_) | Op::Close(_) => next,
                Op::Jump(to) => (to.0 as usize <= end).then_some(next)?,
                Op::JumpUnless(test, to) => self.branch((test, next, to.0 as usize), end, when)?,
                Op::Effect(Effect::Capture(cells)) => {
                    self.chance(when, Some(cells));
                    next
                }
                Op::Let(var, value) => {
                    self.given(*var, Some(value), when);
                    next
                }
                Op::Clear(var) => {
                    self.given(*var, None, when);
                    next
                }
                // What is always done is the same for all only if it is known what it is done to.
                _ if !when.is_empty() => {
                    self.chance(when, None);
                    next
                }
                _ => return None,
            };
        }
        Some(())
    }

    /// What may happen on the ways that part where something is asked, up to where they meet.
    fn branch(
        &mut self,
        (test, yes, no): (&'p Truth, usize, usize),
        end: usize,
        when: &[(&'p Truth, bool)],
    ) -> Option<usize> {
        if no > end || no < yes {
            return None;
        }
        match self.assumed.answer(self.program, test) {
            Some(true) => return Some(yes),
            Some(false) => return Some(no),
            None if when.is_empty() && self.is_alike(&self.asker().truth(test)) => {
                // All go the same way: what is on both is looked at, and no value of either is known behind them.
                return Some(yes);
            }
            None => {}
        }
        let of = |says| [when, &[(test, says)]].concat();
        // What leads past the other way is no part of the first.
        let (first, meet) = match self.program.code[yes..no].last() {
            Some(Op::Jump(to)) if to.0 as usize > no => (no - 1, to.0 as usize),
            _ => (no, no),
        };
        let stays = |at: usize| {
            let next = successors(&self.program.code[at], at);
            next.iter().all(|next| *next <= meet)
        };
        if meet > end || !(yes..meet).all(stays) {
            return None;
        }
        self.between((yes, first), &of(true))?;
        self.between((no, meet), &of(false))?;
        Some(meet)
    }

    fn chance(&mut self, when: &[(&'p Truth, bool)], taken: Option<&'p Cells>) {
        self.behind.chances.push(Chance {
            when: when.to_vec(),
            taken,
        });
    }

    /// A variable is given a value.
    fn given(&mut self, var: VarId, value: Option<&'p Value>, when: &[(&'p Truth, bool)]) {
        let state = self.program.var(var).in_state();
        if !when.is_empty() {
            if state {
                self.chance(when, None);
            }
            self.alike.remove(&var);
            self.behind.last.remove(&var);
            return;
        }
        let is_last = match value {
            Some(Value::Cell(CellExpr::Var(of))) => self.behind.last.contains(of),
            _ => false,
        };
        let alike = match value {
            None => true,
            Some(value) => self.is_alike_value(value),
        };
        // On a way that may not be gone it keeps what it was.
        let was = if state {
            !self.behind.differ.contains(&var)
        } else {
            self.alike.contains(&var)
        };
        let many = (self.program.code.iter()).filter(|op| writes(self.program, op, var));
        let once = many.count() == 1;
        self.alike.remove(&var);
        self.behind.last.remove(&var);
        match (state, alike) {
            (true, true) if was => {}
            (true, _) => _ = self.behind.differ.insert(var),
            (false, true) if once => _ = self.alike.insert(var),
            (false, _) if is_last && once => _ = self.behind.last.insert(var),
            (false, _) => {}
        }
    }

    fn asker(&self) -> Asker<'p> {
        Asker {
            program: self.program,
            me: 0,
        }
    }

    /// Whether what is read has the same value wherever the trail went.
    fn is_alike(&self, reads: &Reads) -> bool {
        let alike = |var: &VarId| match self.program.var(*var).in_state() {
            true => !self.behind.differ.contains(var),
            false => self.alike.contains(var),
        };
        !reads.pieces() && !reads.unseen && reads.vars.iter().all(alike)
    }

    fn is_alike_value(&self, value: &'p Value) -> bool {
        match value {
            Value::Num(n) => self.is_alike(&self.asker().num(n)),
            Value::Truth(t) => self.is_alike(&self.asker().truth(t)),
            _ => false,
        }
    }
}
