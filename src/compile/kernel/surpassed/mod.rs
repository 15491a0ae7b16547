//! The best of a subprogram is found while its runs are listed. Before: it is found first, and then the same runs are gone through once
//! more, and those that come to it are listed. After: they are gone through once; what is better than all before strikes off what was
//! listed so far. Conditions: a list, or a count, goes through all runs of the subprogram and asks all that it asks; behind the comparison
//! with the best nothing hinders the action any more; the best is read for nothing but that comparison, and by who plays what is listed.

mod found;
mod striking;

use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::surpassed::found::{Done, Found, Uses, within};
use crate::compile::kernel::surpassed::striking::{Striking, within_mut};
use crate::compile::points::successors;
use crate::program::kernel::{Body, FuncId, Stmt, Value, W, Work, each_statement};
use crate::program::{Compare, Effect, Num, Op, Pc, Truth, num_vars, op_vars};
use rustc_hash::FxHashSet;

/// Words of scratch for a best: whether there is one, it, and how long the list was, or how much was counted, before the first.
pub const WORDS: u32 = 4;

/// A best that is to be found while its runs are listed.
#[derive(Clone, Copy)]
struct Best {
    /// Where it is kept, see [`WORDS`].
    at: u32,
    /// Most, or least.
    most: bool,
}

/// A word of a function that is the best.
type Known = (FuncId, W);

impl Lowerer<'_> {
    /// Changes all functions that list or count so.
    pub fn strike_surpassed(&mut self, work: Work) {
        if self.doubts {
            return;
        }
        for (pc, op) in self.program.code.iter().enumerate() {
            let Op::Best { most, .. } = op else { continue };
            let pc = Pc(pc as u32);
            let Some(at) = self.best_at(pc) else { continue };
            let Some(asked) = self.up_to_comparison(pc) else {
                continue;
            };
            if work == Work::Games && !asked.iter().all(|pc| self.unasked.asks(*pc)) {
                continue;
            }
            let best = Best { at, most: *most };
            for id in 0..self.functions.len() as u32 {
                self.strike_in(FuncId(id), best);
            }
        }
    }

    /// The instructions from one that finds a best to the comparison with it, if every run of its subprogram comes there with the number
    /// that it has at its end, nothing else reads the best, and behind that the turn only ends: it can then be completed when there is a
    /// run.
    pub fn up_to_comparison(&self, pc: Pc) -> Option<Vec<Pc>> {
        let Op::Best { key, into, .. } = self.op(pc) else {
            return None;
        };
        // When the action is complete there is one more than at the end of the subprogram.
        let actions = self.program.system.actions;
        let counts = num_vars(key).may_read(|v| Some(v) == actions);
        if self.program.lifts() || actions.is_some() && counts {
            return None;
        }
        let compares = |op: &Op| match op {
            Op::Require(Truth::Compare(Compare::Equal, a, b), _) => {
                **a == *key && **b == Num::Var(*into)
            }
            _ => false,
        };
        let mut seen = vec![false; self.program.code.len() + 1];
        let (mut open, mut all) = (vec![pc.0 as usize + 1], Vec::new());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let op = self.program.code.get(at)?;
            all.push(Pc(at as u32));
            let access = op_vars(op, &self.program.pictures, &self.program.templates);
            match op {
                op if compares(op) => {
                    if !self.only_ends(Pc(at as u32 + 1)) {
                        return None;
                    }
                }
                Op::Point(_) | Op::Best { .. } | Op::EndTurn | Op::Succeed => return None,
                _ if access.reads.contains(into) => return None,
                op => open.extend(successors(op, at)),
            }
        }
        Some(all)
    }

    /// Whether every way from there to the comparison is an action: a turn in which nothing is done is none.
    pub fn acts_before_comparison(&self, pc: Pc) -> bool {
        let Op::Best { into, .. } = self.op(pc) else {
            return false;
        };
        let mut seen = vec![false; self.program.code.len() + 1];
        let mut open = vec![pc.0 as usize + 1];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let Some(op) = self.program.code.get(at) else {
                return false;
            };
            let access = op_vars(op, &self.program.pictures, &self.program.templates);
            if access.reads.contains(into) {
                return false;
            }
            if !matches!(op, Op::ActionDone) {
                open.extend(successors(op, at));
            }
        }
        true
    }

    /// Whether from an instruction on the turn only ends, whatever is asked on the way.
    fn only_ends(&self, at: Pc) -> bool {
        let mut seen = vec![false; self.program.code.len()];
        let mut open = vec![at.0 as usize];
        while let Some(at) = open.pop() {
            let (Some(op), Some(seen)) = (self.program.code.get(at), seen.get_mut(at)) else {
                return false;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            match op {
                Op::EndTurn => {}
                Op::Jump(to) | Op::JumpUnless(_, to) if to.0 as usize <= at => return false,
                Op::Jump(_) | Op::JumpUnless(..) => open.extend(successors(op, at)),
                Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Close(_) | Op::ActionDone => {
                    open.push(at + 1);
                }
                Op::Effect(Effect::Mark(..) | Effect::Unmark(..)) => open.push(at + 1),
                _ => return false,
            }
        }
        true
    }

    /// Changes a function that finds a best and lists its runs, and those that it calls for that.
    fn strike_in(&mut self, id: FuncId, best: Best) {
        let body = within(&self.functions[id.0 as usize].body, best);
        let Some(found) = body.and_then(|body| Found::in_body(body, best)) else {
            return;
        };
        let known = (id, found.best);
        let Some((all, done)) = self.followed(known, &found) else {
            return;
        };
        let kept = self.kept(done);
        for (of, word) in all {
            let function = &mut self.functions[of.0 as usize];
            let mut body = std::mem::take(&mut function.body);
            let mut striking = Striking {
                best,
                word,
                kept: &kept,
                words: function.words,
            };
            striking.body(&mut body);
            if of == id
                && let Some(body) = within_mut(&mut body, best)
            {
                striking.begin(body, &found);
            }
            function.words = striking.words;
            function.body = body;
        }
    }

    /// Where a list, or a count, stands that is struck off.
    fn kept(&self, done: Done) -> Vec<u32> {
        match done {
            Done::Listed => vec![self.room.moves_used, self.room.moves_count],
            Done::Counted => vec![self.room.tally],
        }
    }

    /// All words that are the best, and what is done with what comes to it; if it is only compared with and handed on to functions that
    /// nobody else calls.
    fn followed(&self, first: Known, found: &Found) -> Option<(Vec<Known>, Done)> {
        let (mut all, mut done) = (vec![first], None);
        let mut at = 0;
        while let Some((id, word)) = all.get(at).copied() {
            let function = &self.functions[id.0 as usize];
            let mut uses = Uses {
                word,
                aside: if at == 0 { found.aside.len() } else { 0 },
                done: &mut done,
                calls: Vec::new(),
            };
            let given = (at == 0) != function.params.contains(&Value::Word(word));
            if !given || gives(&function.body, word) != usize::from(at == 0) {
                return None;
            }
            if !uses.body(&function.body) {
                return None;
            }
            for (callee, nth) in uses.calls {
                let Value::Word(param) = *self.functions[callee.0 as usize].params.get(nth)? else {
                    return None;
                };
                if !all.contains(&(callee, param)) {
                    all.push((callee, param));
                }
            }
            at += 1;
        }
        let alone = (0..).zip(&self.functions).all(|(id, function)| {
            let mut alone = true;
            each_statement(&function.body, &mut |stmt| {
                let Stmt::Call(callee, args, _) = stmt else {
                    return;
                };
                for (_, param) in all.iter().filter(|(of, _)| of == callee) {
                    let params = &self.functions[callee.0 as usize].params;
                    let mut handed = params.iter().zip(args);
                    alone &= handed.all(|(p, arg)| match arg {
                        Value::Word(w) if *p == Value::Word(*param) => {
                            all.contains(&(FuncId(id), *w))
                        }
                        Value::Set(_) if *p == Value::Word(*param) => false,
                        _ => true,
                    });
                }
            });
            alone
        });
        let distinct: FxHashSet<FuncId> = all.iter().map(|(id, _)| *id).collect();
        let once = distinct.len() == all.len();
        (alone && once).then_some(all).zip(done)
    }
}

/// How often a word is given in a body.
fn gives(body: &Body, word: W) -> usize {
    let mut many = 0;
    each_statement(body, &mut |stmt| {
        many += usize::from(stmt.gives() == Some(Value::Word(word)));
    });
    many
}
