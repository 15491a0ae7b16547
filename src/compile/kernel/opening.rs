//! What is found out before anything is chosen. In random games an action is listed, drawn and played in the same position, and where
//! the last two actions of sequences are counted all of a list are played; so the functions that play need not ask again what those that
//! list have asked. Before: both ask. After: who lists leaves the answers aside, and who plays reads them. Conditions: the same
//! instruction, come to on both ways from where the turn begins or goes on by instructions that choose nothing but one of several
//! ways, all of which are listed, and change nothing of the position, and by one such way only; nothing else lists before the action
//! is played or another from the same list: in counting that is so for the last two actions only, and what plays further up is another
//! function.

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::flow::HEAVY;
use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::lower::{Begin, Cx, Lowerer, Mode};
use crate::compile::points::successors;
use crate::program::kernel::{Place, Set, Stmt};
use crate::program::{Op, Pc, Program, Truth, Value};

/// Whether an instruction chooses nothing, unless one of several ways, and changes nothing of the position.
fn is_still(op: &Op) -> bool {
    matches!(
        op,
        Op::Require(..)
            | Op::Jump(_)
            | Op::JumpUnless(..)
            | Op::Best { .. }
            | Op::Point(_)
            | Op::Let(..)
            | Op::Clear(_)
            | Op::Branch(_)
    )
}

/// For each instruction whether one may come to it more than once without having chosen or changed anything: on several of the ways of
/// a branch, all of which are listed, or back from itself.
pub fn met_again(program: &Program) -> Vec<bool> {
    let code = &program.code;
    let behind = |at: usize| {
        let mut met = vec![false; code.len() + 1];
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if let Some(op) = code.get(at).filter(|op| is_still(op)) {
                let mut next = successors(op, at);
                next.retain(|n| !std::mem::replace(&mut met[*n], true));
                open.extend(next);
            }
        }
        met
    };
    let mut again = vec![false; code.len() + 1];
    for (at, op) in code.iter().enumerate().filter(|(_, op)| is_still(op)) {
        let leads_back = successors(op, at).iter().any(|next| *next <= at);
        if leads_back {
            for next in successors(op, at) {
                again[next] |= behind(next)[next];
            }
        }
        if let Op::Branch(ways) = op {
            let mut met = vec![false; code.len() + 1];
            for way in ways {
                let way = way.0 as usize;
                let mut of_way = behind(way);
                of_way[way] = true;
                for (at, new) in of_way.into_iter().enumerate() {
                    again[at] |= new && met[at];
                    met[at] |= new;
                }
            }
        }
    }
    again
}

impl<'p> Lowerer<'p> {
    /// Whether a function that is written for an entry begins with what both ask.
    pub fn is_opening(&self, begin: Begin, cx: Cx) -> bool {
        let Begin::Code(pc) = begin else { return false };
        let at = pc.0 as usize;
        Self::is_of_opening(cx) && !cx.acted && !self.joins[at] && !self.heads[at]
    }

    /// Whether what is found out is left aside, or read.
    fn is_of_opening(cx: Cx) -> bool {
        cx.mode.lists() || matches!(cx.mode, Mode::Apply { listed: true, .. })
    }

    /// Whether a function that is called begins with what both ask.
    pub fn opens_on(env: &Env, cx: Cx) -> bool {
        env.opening && !cx.acted && Self::is_of_opening(cx)
    }

    /// Whether nothing is chosen or changed yet behind an instruction before which it was not.
    pub fn opens(&self, pc: Pc) -> bool {
        is_still(self.op(pc)) && !self.met_again[pc.0 as usize]
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

    /// A value that is given, when it takes long to find out a set.
    pub fn value_once(&mut self, pc: Pc, value: &'p Value, env: &mut Env, cx: Cx) -> Bind {
        let heavy = match value {
            Value::Cells(set) | Value::Groups(set) => self.asker(cx).cells(set).cost >= HEAVY,
            _ => false,
        };
        if !heavy || !env.opening {
            return self.value(value, env, cx);
        }
        let applies = matches!(cx.mode, Mode::Apply { .. });
        let known = self.openings.get(&(cx.me, pc)).copied();
        if let Some(base) = known.filter(|_| applies) {
            return Bind::Set(self.f.make_set(Set::Load(Place { base, index: None })));
        }
        let bind = self.value(value, env, cx);
        if let (Bind::Set(set), true) = (&bind, cx.mode.lists()) {
            let words = self.program.layout.words as u32;
            let base = self.scratch_of(format!("opening {}", pc.0), words);
            let set = self.f.sreg(*set);
            self.f
                .push(Stmt::StoreSet(Place { base, index: None }, set));
            self.openings.insert((cx.me, pc), base);
        }
        bind
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
