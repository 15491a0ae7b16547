//! Two ways: written one beside the other, or merged where they meet again at once; and loops over members.

use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::flow::Asked;
use crate::compile::kernel::fun::{SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, Set, Stmt, Word};
use crate::program::{Effect, Members, Op, Pc, Truth, VarId};

impl<'p> Lowerer<'p> {
    /// Two ways: where to go on when they meet again at once, nothing when both are written.
    pub fn unless(&mut self, pc: Pc, test: &'p Truth, to: Pc, env: &mut Env, cx: Cx) -> Option<Pc> {
        let next = Pc(pc.0 + 1);
        let v = self.asked_once(pc, test, env, cx);
        let w = match v {
            V::K(0) => return Some(to),
            V::K(_) => return Some(next),
            V::R(w) => w,
        };
        if let Some(meet) = self.diamond(next, to) {
            self.flush(env, cx);
            if self.program.looks_back {
                self.pay(env);
            }
            env.opening = false;
            let (mut a, mut b) = (env.clone(), env.clone());
            self.f.open();
            self.arm(next, meet, &mut a, cx);
            let yes = self.f.close();
            self.f.open();
            self.arm(to, meet, &mut b, cx);
            let no = self.f.close();
            self.merge(w, (yes, a), (no, b), env);
            return Some(meet);
        }
        self.f.open();
        self.go(next, false, env.clone(), cx);
        let yes = self.f.close();
        self.f.open();
        self.go(to, false, env.clone(), cx);
        let no = self.f.close();
        self.f.push(Stmt::If(w, yes, no));
        None
    }

    /// Where two ways meet that only give values and have effects that cannot fail.
    pub fn diamond(&self, a: Pc, b: Pc) -> Option<Pc> {
        let end = |mut at: Pc| {
            let mut seen = Vec::new();
            loop {
                seen.push(at);
                match self.op(at) {
                    Op::Jump(to) if to.0 > at.0 => at = *to,
                    Op::Let(..) | Op::Clear(_) => at = Pc(at.0 + 1),
                    Op::Effect(
                        Effect::Mark(..)
                        | Effect::Unmark(..)
                        | Effect::Again
                        | Effect::Pass
                        | Effect::ExchangeSeats,
                    ) => at = Pc(at.0 + 1),
                    _ => return seen,
                }
                if seen.len() > 12 {
                    return seen;
                }
            }
        };
        let (x, y) = (end(a), end(b));
        x.into_iter().find(|pc| y.contains(pc))
    }

    pub fn arm(&mut self, from: Pc, to: Pc, env: &mut Env, cx: Cx) {
        let mut at = from;
        while at != to {
            match self.op(at) {
                Op::Jump(next) => at = *next,
                Op::Effect(effect) => {
                    let mut asked = Asked::default();
                    self.effect(effect, env, cx, &mut asked);
                    at = Pc(at.0 + 1);
                }
                _ => {
                    self.simple(at, env, cx);
                    at = Pc(at.0 + 1);
                }
            }
        }
        self.flush(env, cx);
    }

    /// One environment of two: what differs gets a register that both arms fill.
    pub fn merge(
        &mut self,
        w: crate::program::kernel::W,
        yes: (crate::program::kernel::Body, Env),
        no: (crate::program::kernel::Body, Env),
        env: &mut Env,
    ) {
        let ((yes, mut a), (no, mut b)) = (yes, no);
        let many = a.binds.len().max(b.binds.len());
        let (mut fill_a, mut fill_b) = (Vec::new(), Vec::new());
        for at in 0..many {
            let (x, y) = (
                a.binds.get(at).cloned().flatten(),
                b.binds.get(at).cloned().flatten(),
            );
            if x == y {
                continue;
            }
            let slot = Slot(at as u16);
            let changed = x.as_ref().is_some_and(|x| x.1) || y.as_ref().is_some_and(|y| y.1);
            if !changed {
                // Remembered in one arm only.
                if let Some(entry) = env.binds.get_mut(at)
                    && entry.as_ref().is_none_or(|e| !e.1)
                {
                    *entry = None;
                }
                continue;
            }
            let (x, y) = (self.get(slot, &mut a), self.get(slot, &mut b));
            if self.slots.infos[at].set {
                let to = self.f.set();
                for (bind, list) in [(x, &mut fill_a), (y, &mut fill_b)] {
                    let Bind::Set(s) = bind else { continue };
                    let s = self.f.sreg(s);
                    list.push(Stmt::LetSet(to, Set::Copy(s)));
                }
                self.put(slot, Bind::Set(SV::R(to)), env);
            } else {
                let to = self.f.word();
                for (bind, list) in [(x, &mut fill_a), (y, &mut fill_b)] {
                    self.f.open();
                    let v = self.encode(&bind);
                    let from = self.f.reg(v);
                    list.extend(self.f.close());
                    list.push(Stmt::Let(to, Word::Copy(from)));
                }
                self.put(slot, Bind::Word(V::R(to)), env);
            }
        }
        env.facts
            .retain(|f| a.facts.contains(f) && b.facts.contains(f));
        env.captured.clear();
        let (mut yes, mut no) = (yes, no);
        yes.extend(fill_a);
        no.extend(fill_b);
        self.f.push(Stmt::If(w, yes, no));
    }

    /// A loop's next member: where to go on, when only one way is left.
    #[allow(clippy::too_many_arguments, reason = "the fields of one instruction")]
    pub fn each(
        &mut self,
        var: VarId,
        rest: VarId,
        members: Members,
        next: Pc,
        exit: Pc,
        env: &mut Env,
        cx: Cx,
    ) -> Option<Pc> {
        let (Some(var), Some(rest)) = (self.slot_of(var, 0), self.slot_of(rest, 0)) else {
            self.refuse("a loop over what is kept for each cell");
            return None;
        };
        if members == Members::Players {
            let n = self.word(rest, env);
            let more = self
                .f
                .bin(Bin::Less, n, V::K(self.program.players.len() as u64));
            let after = self.f.bin(Bin::Add, n, YES);
            let go_on = |l: &mut Self, env: &mut Env| {
                l.put(rest, Bind::Word(after), env);
                l.put(var, Bind::Word(after), env);
            };
            return match more {
                V::K(0) => Some(exit),
                V::K(_) => {
                    go_on(self, env);
                    Some(next)
                }
                V::R(w) => {
                    self.two_ways(w, env, next, exit, cx, go_on);
                    None
                }
            };
        }
        let left = self.set(rest, env);
        let some = self.f.some(&self.fixed, left);
        let s = self.f.sreg(left);
        let go_on = |l: &mut Self, env: &mut Env| {
            let first = l.f.make(Word::First(s));
            if members == Members::Parts {
                let part = l.f.part(left, first);
                let rest_now = l.f.without(&mut l.fixed, left, part);
                l.put(rest, Bind::Set(rest_now), env);
                l.put(var, Bind::Set(part), env);
            } else {
                let rest_now = l.f.less(left, first);
                l.put(rest, Bind::Set(rest_now), env);
                l.put(var, Bind::Cell(first), env);
            }
        };
        match some {
            V::K(0) => Some(exit),
            V::K(_) => {
                go_on(self, env);
                Some(next)
            }
            V::R(w) => {
                self.two_ways(w, env, next, exit, cx, go_on);
                None
            }
        }
    }

    pub fn two_ways(
        &mut self,
        w: crate::program::kernel::W,
        env: &mut Env,
        next: Pc,
        exit: Pc,
        cx: Cx,
        go_on: impl FnOnce(&mut Self, &mut Env),
    ) {
        self.flush(env, cx);
        self.f.open();
        let mut inner = env.clone();
        go_on(self, &mut inner);
        self.go(next, false, inner, cx);
        let yes = self.f.close();
        self.f.open();
        self.go(exit, false, env.clone(), cx);
        let no = self.f.close();
        self.f.push(Stmt::If(w, yes, no));
    }
}
