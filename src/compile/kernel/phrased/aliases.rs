//! Second names: a number that says how many cells a run has, or a cell that has a name already, asked for by the first.

use crate::compile::kernel::phrased::Phrasing;
use crate::compile::kernel::phrased::named::Put;
use crate::program::{CellExpr, Effect, Num, Op, Pc, Value, VarId};

/// What is done with a second name from where it is given on: which instructions, and what they are without it.
struct Alias {
    at: usize,
    instead: Vec<(usize, Op)>,
}

impl Phrasing<'_> {
    /// Asks for all that has a second name by what it is, where everybody who asks stands behind it in the same line of instructions.
    pub fn call_by_what_it_is(&mut self) {
        let mut names: Vec<VarId> = Vec::new();
        for op in &self.code {
            if let Op::Let(var, value) = op
                && is_alias(value)
                && !names.contains(var)
            {
                names.push(*var);
            }
        }
        for name in names {
            let Some(aliases) = self.aliases(name) else {
                continue;
            };
            for alias in aliases {
                self.code[alias.at] = Op::Jump(Pc(alias.at as u32 + 1));
                for (at, op) in alias.instead {
                    self.code[at] = op;
                }
            }
        }
    }

    /// All places where a name is given, when it can do without.
    fn aliases(&self, name: VarId) -> Option<Vec<Alias>> {
        if !self.is_only_named(name) {
            return None;
        }
        let mut found: Vec<Alias> = Vec::new();
        for at in 0..self.code.len() {
            if !self.vars_of(at).writes.contains(&name) {
                continue;
            }
            match &self.code[at] {
                Op::Let(_, value) if is_alias(value) => found.push(self.alias(at, name, value)?),
                _ => return None,
            }
        }
        let replaced = |at: usize| found.iter().any(|a| a.instead.iter().any(|i| i.0 == at));
        let all = (0..self.code.len()).all(|at| {
            let access = self.vars_of(at);
            replaced(at) || !access.reads.contains(&name) && !access.given.contains(&name)
        });
        all.then_some(found)
    }

    /// The instructions behind a name that ask for it.
    fn alias(&self, given: usize, name: VarId, value: &Value) -> Option<Alias> {
        let of = self.vars_of(given).reads;
        let mut instead = Vec::new();
        for at in given + 1..self.code.len() {
            let op = &self.code[at];
            if self.entered[at] {
                break;
            }
            let access = self.vars_of(at);
            if access.reads.contains(&name) {
                let mut put = Put {
                    var: name,
                    value,
                    times: 0,
                };
                instead.push((at, called(op, &mut put)?));
            }
            let straight = match op {
                Op::Jump(to) => to.0 as usize == at + 1,
                Op::Branch(_) | Op::JumpUnless(..) | Op::Each { .. } | Op::Point(_) => false,
                Op::Succeed | Op::EndTurn => false,
                _ => true,
            };
            if !straight || access.writes.iter().any(|v| of.contains(v)) {
                break;
            }
        }
        Some(Alias { at: given, instead })
    }
}

/// Whether a value is a number of cells of runs, or a cell that has a name.
fn is_alias(value: &Value) -> bool {
    fn counts(number: &Num) -> bool {
        match number {
            Num::RunLength(_) => true,
            Num::Add(a, b) | Num::Sub(a, b) => counts(a) && matches!(**b, Num::Const(_)),
            _ => false,
        }
    }
    match value {
        Value::Cell(CellExpr::Var(_)) => true,
        Value::Num(number) => counts(number),
        _ => false,
    }
}

/// An instruction with what a name stands for in its place.
fn called(op: &Op, put: &mut Put<'_>) -> Option<Op> {
    Some(match op {
        Op::Require(test, reason) => Op::Require(put.truth(test)?, *reason),
        Op::Let(var, Value::Num(number)) => Op::Let(*var, Value::Num(put.num(number)?)),
        Op::Let(var, Value::Cell(cell)) => Op::Let(*var, Value::Cell(put.cell(cell)?)),
        Op::Let(var, Value::Cells(set)) => Op::Let(*var, Value::Cells(put.cells(set)?)),
        Op::Let(var, Value::Truth(test)) => Op::Let(*var, Value::Truth(put.truth(test)?)),
        Op::Effect(effect) => Op::Effect(match effect {
            Effect::Advance(run, by) => Effect::Advance(*run, put.num(by)?),
            Effect::Move(from, to) => Effect::Move(put.cell(from)?, put.cell(to)?),
            Effect::Capture(set) => Effect::Capture(put.cells(set)?),
            Effect::Remove(set) => Effect::Remove(put.cells(set)?),
            Effect::Flip(set) => Effect::Flip(put.cells(set)?),
            Effect::Mark(mark, set) => Effect::Mark(*mark, put.cells(set)?),
            Effect::CaptureTop(of, under) => {
                let under = match under {
                    Some(cell) => Some(put.cell(cell)?),
                    None => None,
                };
                Effect::CaptureTop(put.cell(of)?, under)
            }
            Effect::Promote(cell, kind) => Effect::Promote(put.cell(cell)?, kind.clone()),
            Effect::Lift(cell) => Effect::Lift(put.cell(cell)?),
            Effect::Drop(cell) => Effect::Drop(put.cell(cell)?),
            _ => return None,
        }),
        _ => return None,
    })
}
