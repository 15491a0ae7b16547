//! What is found out before anything is chosen. In random games an action is listed, drawn and played in the same position, and where
//! the last two actions of sequences are counted all of a list are played; so the functions that play need not ask again what those that
//! list have asked. Before: both ask. After: who lists leaves the answers aside, and who plays reads them. Conditions: the same
//! instruction, come to on both ways from where the turn begins or goes on by instructions that choose nothing and change nothing of
//! the position; nothing else lists before the action is played or another from the same list: in counting that is so for the last two
//! actions only, and what plays further up is another function.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::lower::{Begin, Cx, Lowerer, Mode};
use crate::program::{Op, Pc, Truth};

impl<'p> Lowerer<'p> {
    /// Whether a function that is written for an entry begins with what both ask.
    pub fn is_opening(&self, begin: Begin, cx: Cx) -> bool {
        let Begin::Code(pc) = begin else { return false };
        let at = pc.0 as usize;
        let of_game = cx.mode.lists() || matches!(cx.mode, Mode::Apply { listed: true, .. });
        of_game && !cx.acted && !self.joins[at] && !self.heads[at]
    }

    /// Whether nothing is chosen or changed yet behind an instruction before which it was not.
    pub fn opens(&self, pc: Pc) -> bool {
        let still = matches!(
            self.op(pc),
            Op::Require(..)
                | Op::Jump(_)
                | Op::JumpUnless(..)
                | Op::Best { .. }
                | Op::Point(_)
                | Op::Let(..)
                | Op::Clear(_)
        );
        still && !self.heads[pc.0 as usize]
    }

    /// Leaves aside what an instruction has found out, when it is one that both ask.
    pub fn leave_aside(&mut self, pc: Pc, values: &[V], env: &Env, cx: Cx) {
        let known = values.iter().all(|v| matches!(v, V::K(_)));
        if !env.opening || !cx.mode.lists() || known {
            return;
        }
        let at = self.scratch_of(format!("opening {}", pc.0), values.len() as u32);
        for (word, value) in (at..).zip(values) {
            self.f.store(word, NO, *value);
        }
        self.openings.insert((cx.me, pc), at);
    }

    /// A truth that decides which way to go on.
    pub fn asked_once(&mut self, pc: Pc, test: &'p Truth, env: &mut Env, cx: Cx) -> V {
        if let Some(v) = self.left_aside(pc, 0, env, cx) {
            return v;
        }
        let v = self.truth(test, env, cx);
        if self.is_heavy(test, cx) {
            self.leave_aside(pc, &[v], env, cx);
        }
        v
    }

    /// The word that was left aside for an instruction, by its number among those of the instruction.
    pub fn left_aside(&mut self, pc: Pc, nth: u32, env: &Env, cx: Cx) -> Option<V> {
        if !env.opening || !matches!(cx.mode, Mode::Apply { .. }) {
            return None;
        }
        let at = *self.openings.get(&(cx.me, pc))?;
        Some(self.f.load(at + nth, NO))
    }
}
