//! Loops that go on while their body is possible: the body is gone through once, both to find out and to do it.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::program::kernel::{Stmt, W, Word};
use crate::program::{Op, Pc, PictureId, Program, SubId};

/// So many loops may stand in one another.
const MOST: usize = 64;

/// A place in the code, and what becomes 1 where it is come to.
pub struct Hook {
    at: Pc,
    word: W,
    hit: bool,
    failed: bool,
}

impl<'p> Lowerer<'p> {
    /// What follows where a loop goes on while its body is possible: the body, or when nothing of it can be done, what is behind
    /// the loop. False when it cannot be said so; then nothing is written.
    pub fn while_possible(&mut self, pc: Pc, sub: SubId, exit: Pc, env: &Env, cx: Cx) -> bool {
        let goes = cx.mode.is_for_all() || matches!(cx.mode, Mode::Probe | Mode::Exists);
        if !goes {
            return false;
        }
        let begin = self.sub(sub);
        let next = Pc(pc.0 + 1);
        let Some(at) = same_until(self.program, next, begin) else {
            return false;
        };
        if self.hooks.len() >= MOST {
            return false;
        }
        let (word, openings) = (self.f.word(), self.openings.clone());
        self.f.open();
        self.f.push(Stmt::Let(word, Word::Const(0)));
        self.hooks.push(Hook {
            at,
            word,
            hit: false,
            failed: false,
        });
        let mut inner = env.clone();
        inner.passed &= !(1 << (self.hooks.len() - 1));
        self.scope(|l| l.go(next, true, inner, cx));
        let sound = self.hooks.pop().is_some_and(|h| h.hit && !h.failed);
        if sound {
            self.leave_aside(pc, &[V::R(word)], env, cx);
            self.f.open();
            self.scope(|l| l.go(exit, false, env.clone(), cx));
            let body = self.f.close();
            let none = self.f.not(V::R(word));
            self.f.when(none, body);
        }
        let body = self.f.close();
        if sound {
            self.f.when(YES, body);
        } else {
            // What is not written leaves nothing aside.
            self.openings = openings;
        }
        sound
    }

    /// Notes that a place was come to, for every loop whose body ends there.
    pub fn pass_hook(&mut self, pc: Pc, env: &mut Env) {
        for (at, hook) in self.hooks.iter_mut().enumerate() {
            if hook.at == pc && env.passed >> at & 1 == 0 {
                hook.hit = true;
                env.passed |= 1 << at;
                let word = hook.word;
                self.f.push(Stmt::Let(word, Word::Const(1)));
            }
        }
    }

    /// The places that loops wait for to be come to.
    pub fn open_hooks(&self, env: &Env) -> Vec<Pc> {
        let open = |at: &usize| env.passed >> at & 1 == 0;
        let all = self.hooks.iter().enumerate();
        all.filter(|(at, _)| open(at)).map(|(_, h)| h.at).collect()
    }

    /// Notes that the code goes on where no place can be noted.
    pub fn leave_hook(&mut self, env: &Env) {
        for (at, hook) in self.hooks.iter_mut().enumerate() {
            hook.failed |= env.passed >> at & 1 == 0;
        }
    }
}

/// The next instruction that is more than text, a place to go on, or a jump on.
pub fn plain_from(program: &Program, mut at: Pc) -> Pc {
    loop {
        match &program.code[at.0 as usize] {
            Op::Open(_) | Op::Close(_) | Op::Point(_) => at = Pc(at.0 + 1),
            Op::Jump(to) if to.0 > at.0 => at = *to,
            _ => return at,
        }
    }
}

/// Where a body has done all that a subprogram does, when it does the same.
pub fn same_until(program: &Program, body: Pc, sub: Pc) -> Option<Pc> {
    let plain = |at| plain_from(program, at);
    let op = |at: Pc| &program.code[at.0 as usize];
    let picture = |id: PictureId| &program.pictures[id.0 as usize];
    let (mut a, mut b) = (plain(body), plain(sub));
    let mut meets: Vec<(Pc, Pc)> = Vec::new();
    for _ in 0..60 {
        if meets.iter().any(|(x, y)| (*x == a) != (*y == b)) {
            return None;
        }
        let same = match (op(a), op(b)) {
            (_, Op::Succeed) => return Some(a),
            (Op::JumpUnless(s, to), Op::JumpUnless(t, until)) => {
                meets.push((plain(*to), plain(*until)));
                s == t && to.0 > a.0 && until.0 > b.0
            }
            (Op::Require(s, _), Op::Require(t, _)) => s == t,
            (Op::Line(s), Op::Line(t)) => picture(*s) == picture(*t),
            (x @ (Op::Choose(..) | Op::Effect(_) | Op::Let(..) | Op::Clear(_)), y) => x == y,
            _ => false,
        };
        if !same {
            return None;
        }
        (a, b) = (plain(Pc(a.0 + 1)), plain(Pc(b.0 + 1)));
    }
    None
}
