//! Ways of a branch that all begin with pictures that are found along lanes: followed abreast where it does not matter in which
//! order they are come to.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::V;
use crate::compile::kernel::lanes::Thread;
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::program::{Op, Pc, PictureId};

impl<'p> Lowerer<'p> {
    /// Follows all ways of a branch; `envs` is what is known on each, and differs in doubts
    /// alone. False when that cannot be done; then nothing is written.
    pub fn abreast(&mut self, ways: &[Pc], envs: &[Env], cx: Cx) -> bool {
        let unordered = matches!(
            cx.mode,
            Mode::Candidates | Mode::Count | Mode::Any | Mode::Ahead
        );
        if !unordered || self.logs() || !self.hooks.is_empty() || ways.len() < 2 {
            return false;
        }
        let lines: Option<Vec<(PictureId, Pc)>> =
            ways.iter().map(|w| self.first_line(*w)).collect();
        let Some(lines) = lines else { return false };
        let Some(mut env) = envs.first().cloned() else {
            return false;
        };
        self.f.open();
        let (mut threads, mut along) = (Vec::new(), None);
        for (i, (id, pc)) in lines.into_iter().enumerate() {
            // What is read once is the same for all.
            let (m, ways) = self.matching(id, pc, &mut env, cx);
            env.doubt = envs[i].doubt;
            let alike = *along.get_or_insert(ways) == ways;
            if !alike || !self.is_laned(&m, cx) {
                self.f.close();
                return false;
            }
            threads.push(Thread::new(m, env.clone(), vec![V::K(i as u64)]));
        }
        let done = along.is_some_and(|ways| self.lanes(&threads, ways, cx));
        let body = self.f.close();
        if done {
            self.f.when(V::K(1), body);
        }
        done
    }

    /// The picture that a way begins with, when nothing else comes before.
    fn first_line(&self, mut at: Pc) -> Option<(PictureId, Pc)> {
        loop {
            if self.joins[at.0 as usize] && !self.is_short(at) {
                return None;
            }
            match self.op(at) {
                Op::Jump(to) if to.0 > at.0 => at = *to,
                // Texts are begun only where they are told.
                Op::Open(_) => at = Pc(at.0 + 1),
                Op::Line(id) => return Some((*id, at)),
                _ => return None,
            }
        }
    }
}
