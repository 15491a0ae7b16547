//! Choices that are one, what is found out behind a choice without it, and what is done for each of some.

use crate::compile::kernel::phrased::Phrasing;
use crate::compile::liveness::live;
use crate::compile::points::successors;
use crate::program::{CellExpr, Cells, Domain, Effect, NO_PC, Op, Pc, Value, VarId};

impl Phrasing<'_> {
    /// A cell that is chosen, and another that is the same.
    pub fn begin_on_any(&mut self, at: usize) {
        let (Op::Choose(first, Domain::Cells(set)), Op::Choose(second, Domain::Cells(same))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        if first == second || *same != Cells::Single(Box::new(CellExpr::Var(*first))) {
            return;
        }
        let value = Value::Cell(CellExpr::Var(*second));
        let named = Op::Let(*first, value);
        self.code[at - 1] = Op::Choose(*second, Domain::Cells(set.clone()));
        self.code[at] = named;
        // What a trail clears when it begins comes first.
        if let Some(Op::Clear(cleared)) = self.code.get(at + 1)
            && !self.entered[at + 1]
            && ![self.code_var(at - 1), self.code_var(at)].contains(&Some(*cleared))
        {
            self.code.swap(at, at + 1);
        }
    }

    /// The variable that an instruction gives a value.
    fn code_var(&self, at: usize) -> Option<VarId> {
        match &self.code[at] {
            Op::Choose(var, _) | Op::Let(var, _) => Some(*var),
            _ => None,
        }
    }

    /// All that is gone through is captured, or removed: at once.
    pub fn take_all(&mut self, at: usize) {
        let Some(
            [
                Op::Each {
                    var, rest, exit, ..
                },
                Op::Effect(effect),
                Op::Jump(back),
            ],
        ) = self.code.get(at - 1..=at + 1)
        else {
            return;
        };
        let (var, rest, exit) = (*var, *rest, *exit);
        let of = |set: &Cells| match set {
            Cells::Var(v) => *v == var,
            Cells::Single(c) => **c == CellExpr::Var(var),
            _ => false,
        };
        let Some(Op::Let(given, value)) = at.checked_sub(2).map(|before| &self.code[before]) else {
            return;
        };
        let (given, all) = match value {
            Value::Cells(set) => (*given == rest, set.clone()),
            _ => (*given == rest, Cells::Var(rest)),
        };
        let taken = match effect {
            Effect::Capture(set) if of(set) => Effect::Capture(all),
            Effect::Remove(set) if of(set) => Effect::Remove(all),
            _ => return,
        };
        let come = |from: usize| successors(&self.code[from], from).contains(&(at - 1));
        let twice = (0..self.code.len()).filter(|from| come(*from)).count() == 2;
        let carried = !self.is_only_named(rest);
        if back.0 as usize != at - 1 || !given || !twice || carried || self.entered[at + 1] {
            return;
        }
        self.code[at - 1] = Op::Effect(taken);
        self.code[at] = Op::Jump(exit);
        // Nobody comes back.
        self.code[at + 1] = Op::Jump(exit);
    }

    /// What is found out behind a choice, which it does not depend on, by running a subprogram.
    pub fn ask_before_choosing(&mut self) {
        let mut alive = None;
        let mut at = 1;
        while at < self.code.len() {
            let alive = |var: VarId, pc: Pc| {
                let alive = alive.get_or_insert_with(|| live(self.program));
                alive[pc.0 as usize][usize::from(var.0) / 64] >> (var.0 % 64) & 1 == 1
            };
            if self.entered[at] || !self.depends_not(at, alive) {
                at += 1;
                continue;
            }
            self.code.swap(at - 1, at);
            at = (at - 1).max(1);
        }
    }

    /// Whether an instruction is a value that asks a subprogram, and the one before it a choice that does not matter to it.
    fn depends_not(&self, at: usize, mut alive: impl FnMut(VarId, Pc) -> bool) -> bool {
        let (Op::Choose(chosen, _), Op::Let(named, _)) = (&self.code[at - 1], &self.code[at])
        else {
            return false;
        };
        let (asked, from) = (self.vars_of(at), self.vars_of(at - 1));
        let mut begins = asked.subs.iter().map(|s| self.program.subs[s.0 as usize]);
        chosen != named
            && !asked.subs.is_empty()
            && !asked.stuck
            && from.subs.is_empty()
            && !asked.reads.contains(chosen)
            && !from.reads.contains(named)
            && begins.all(|pc| pc != NO_PC && !alive(*chosen, pc))
    }
}
