//! What need not be gone through where actions are only looked for: between the last choice and where an action is written there may be
//! effects under conditions and in loops that nobody looks at any more. Before: each cell that can be chosen tries them. After: they are
//! passed over, so that the cells are taken down at once. Conditions: they can neither fail nor go on for ever, the turn can surely be
//! completed behind them, and the notation tells nothing of them.

use crate::compile::kernel::env::follows_effects;
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::within::writes;
use crate::compile::points::successors;
use crate::program::{Op, Pc, VarId, op_vars};

/// What is passed over: the instructions, and the one behind them.
pub struct Passed {
    /// What would be gone through.
    pub over: Vec<Pc>,
    /// Where a notation is written.
    pub to: Pc,
}

impl Lowerer<'_> {
    /// What can be passed over from an instruction on.
    pub fn passed_over(&self, pc: Pc, cx: Cx) -> Option<Passed> {
        let looks = cx.mode.is_for_all() || matches!(cx.mode, Mode::Probe | Mode::Exists);
        if cx.acted || !looks || !self.sure.completes(pc, false) {
            return None;
        }
        let passed = self.up_to_notation(pc)?;
        let program = self.program;
        let Op::Close(id) = self.op(passed.to) else {
            return None;
        };
        let read = op_vars(self.op(passed.to), &program.pictures, &program.templates);
        let given = |v: VarId| {
            let by = |at: &Pc| writes(program, self.op(*at), v);
            follows_effects(program, v) || passed.over.iter().any(by)
        };
        let told = self.asker(cx).tells(*id) || read.may_read(given);
        (!told && self.is_complete_behind(Pc(passed.to.0 + 1), cx)).then_some(passed)
    }

    /// The instructions from one on up to where a notation is written, when all ways lead there and none chooses or asks.
    fn up_to_notation(&self, pc: Pc) -> Option<Passed> {
        let (mut over, mut to) = (vec![pc], None);
        let mut at = 0;
        while let Some(&here) = over.get(at) {
            match self.op(here) {
                Op::Effect(_)
                | Op::Let(..)
                | Op::Clear(_)
                | Op::Jump(_)
                | Op::JumpUnless(..)
                | Op::Each { .. } => {}
                _ => return None,
            }
            for next in successors(self.op(here), here.0 as usize) {
                let next = Pc(next as u32);
                match self.op(next) {
                    Op::Close(_) if to.is_none_or(|to| to == next) => to = Some(next),
                    Op::Close(_) => return None,
                    _ if !over.contains(&next) => over.push(next),
                    _ => {}
                }
            }
            at += 1;
        }
        to.map(|to| Passed { over, to })
    }

    /// Whether an action, or a subprogram, is complete from an instruction on, and what follows is not asked.
    fn is_complete_behind(&self, mut at: Pc, cx: Cx) -> bool {
        for _ in 0..4 {
            let next = Pc(at.0 + 1);
            match self.op(at) {
                Op::Jump(to) => at = *to,
                Op::Succeed => return cx.mode == Mode::Exists,
                Op::ActionDone => return self.sure.completes(next, true) && self.is_chosen(next),
                _ => return false,
            }
        }
        false
    }
}
