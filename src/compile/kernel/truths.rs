//! Truths: an expression and what is known in, 1 or 0 out; what is much work is done only where it is needed.

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::values::PlayerV;
use crate::program::kernel::{Bin, Word};
use crate::program::{Compare, PlayerExpr, Truth};

impl<'p> Lowerer<'p> {
    /// Yes or no: 1 or 0.
    #[allow(clippy::too_many_lines, reason = "one arm a form")]
    pub fn truth(&mut self, truth: &'p Truth, env: &mut Env, cx: Cx) -> V {
        match truth {
            Truth::Const(b) => V::K(u64::from(*b)),
            Truth::Var(v) => self.var_word(*v, env),
            Truth::OfPlayer(v, p) => self.of_player(*v, p, env, cx),
            Truth::Not(a) => {
                let v = self.truth(a, env, cx);
                self.f.not(v)
            }
            Truth::And(a, b) => {
                let (a, b) = self.cheap_first(a, b, cx);
                let v = self.truth(a, env, cx);
                if self.is_light(b, env, cx) {
                    let w = self.truth(b, env, cx);
                    return self.f.both(v, w);
                }
                self.either_value(v, env, cx, |l, e| l.truth(b, e, cx), |_, _| NO)
            }
            Truth::Or(a, b) => {
                let (a, b) = self.cheap_first(a, b, cx);
                let v = self.truth(a, env, cx);
                if self.is_light(b, env, cx) {
                    let w = self.truth(b, env, cx);
                    return self.f.either(v, w);
                }
                self.either_value(v, env, cx, |_, _| YES, |l, e| l.truth(b, e, cx))
            }
            Truth::Compare(how, a, b) => {
                if let Some(v) = self.compare_count(*how, a, b, env, cx) {
                    return v;
                }
                let a = self.num(a, env, cx);
                let b = self.num(b, env, cx);
                self.compare(*how, a, b)
            }
            Truth::SameCell(a, b) => {
                let a = self.cell_word(a, env, cx);
                let b = self.cell_word(b, env, cx);
                self.f.bin(Bin::Equal, a, b)
            }
            Truth::SamePlayer(a, b) => {
                let a = self.player_word(a, env, cx);
                let b = self.player_word(b, env, cx);
                self.f.bin(Bin::Equal, a, b)
            }
            Truth::SameKind(a, b) => {
                let a = self.kind_word(a, env);
                let b = self.kind_word(b, env);
                self.f.bin(Bin::Equal, a, b)
            }
            Truth::SameDir(a, b) => {
                let a = self.dir(a, env);
                let b = self.dir(b, env);
                self.f.bin(Bin::Equal, a, b)
            }
            Truth::SameCells(a, b) => {
                let a = self.cells(a, env, cx);
                let b = self.cells(b, env, cx);
                let (a, b) = (self.f.sreg(a), self.f.sreg(b));
                self.f.make(Word::Same(a, b))
            }
            Truth::Contains(c, set) => {
                if let Some(v) = self.is_gathered(c, set, env, cx) {
                    return v;
                }
                let cell = self.cell(c, env, cx);
                let set = self.cells(set, env, cx);
                self.at_cell(cell, NO, |l, c| l.f.has(&l.fixed, set, c))
            }
            Truth::ContainsDir(d, set) => {
                let d = self.dir(d, env);
                let dirs = self.dirs(set, env, cx);
                self.contains_dir(d, dirs)
            }
            Truth::Some(set) => self.some_cells(set, env, cx),
            Truth::Subset(a, b) => {
                let a = self.cells(a, env, cx);
                let b = self.cells(b, env, cx);
                self.f.within(a, b)
            }
            Truth::Possible(p, sub) => {
                let begin = self.sub(*sub);
                match p {
                    None => self.exists(begin, env, cx),
                    Some(p) => self.possible_by(p, begin, env, cx),
                }
            }
            Truth::Stuck => self.stuck(env, cx),
            Truth::Mirrored(image) => self.mirrored(*image, env, cx),
            Truth::Unseen => self.unseen(env, cx),
            Truth::If(t, a, b) => {
                let v = self.truth(t, env, cx);
                self.either_value(
                    v,
                    env,
                    cx,
                    |l, e| l.truth(a, e, cx),
                    |l, e| l.truth(b, e, cx),
                )
            }
        }
    }

    /// Whether it is no work to compute it even where it is not needed.
    pub fn is_light(&self, truth: &Truth, env: &Env, cx: Cx) -> bool {
        let reads = self.asker(cx).truth(truth);
        reads.cost <= 6
            && !(reads.pieces() && self.waits(env, reads.owned, reads.others || reads.deep))
    }

    pub fn cheap_first(&self, a: &'p Truth, b: &'p Truth, cx: Cx) -> (&'p Truth, &'p Truth) {
        let (x, y) = (self.asker(cx).truth(a).cost, self.asker(cx).truth(b).cost);
        if x > 4 * y { (b, a) } else { (a, b) }
    }

    /// Compared numbers.
    pub fn compare(&mut self, how: Compare, a: V, b: V) -> V {
        match how {
            Compare::Equal => self.f.bin(Bin::Equal, a, b),
            Compare::NotEqual => self.f.bin(Bin::Differ, a, b),
            Compare::Less => self.f.bin(Bin::Less, a, b),
            Compare::AtMost => self.f.bin(Bin::AtMost, a, b),
            Compare::More => self.f.bin(Bin::Less, b, a),
            Compare::AtLeast => self.f.bin(Bin::AtMost, b, a),
        }
    }

    /// What is known when another player is `me`: whether that one can move is not.
    pub fn seen_by(&self, me: u8, env: &Env, cx: Cx) -> Env {
        let mut theirs = env.clone();
        if me != cx.me
            && let Some(entry) = theirs.binds.get_mut(self.slots.stuck.0 as usize)
        {
            *entry = None;
        }
        theirs
    }

    pub fn possible_by(
        &mut self,
        p: &'p PlayerExpr,
        begin: crate::program::Pc,
        env: &mut Env,
        cx: Cx,
    ) -> V {
        match self.player(p, env, cx) {
            PlayerV::Is(me) => {
                self.settle_piles(env, cx);
                let mut theirs = self.seen_by(me, env, cx);
                self.exists(begin, &mut theirs, Cx { me, ..cx })
            }
            PlayerV::Word(v) => {
                let mut result = NO;
                for me in 0..self.program.players.len() as u8 {
                    let is = self.f.bin(Bin::Equal, v, V::K(u64::from(me) + 1));
                    let so_far = result;
                    result = self.either_value(
                        is,
                        env,
                        cx,
                        |l, e| {
                            let mut theirs = l.seen_by(me, e, cx);
                            l.exists(begin, &mut theirs, Cx { me, ..cx })
                        },
                        |_, _| so_far,
                    );
                }
                result
            }
        }
    }

    /// Whether no turn can be completed from the start of the turn.
    pub fn stuck(&mut self, env: &mut Env, cx: Cx) -> V {
        if self.moving {
            return NO;
        }
        if let Some(Some((Bind::Word(v), _))) = env.binds.get(self.slots.stuck.0 as usize) {
            return *v;
        }
        let probe = Cx {
            mode: Mode::Probe,
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        let (id, args) = self.demand(Begin::Turn, env, probe);
        let can = self.called_aside(id, args);
        let stuck = self.f.not(can);
        self.cache(self.slots.stuck, Bind::Word(stuck), env);
        stuck
    }
}
