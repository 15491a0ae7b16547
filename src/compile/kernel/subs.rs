//! Subprograms: whether they can be run, what they gather, the most that they come to; their changes are taken back.

use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{NO, NONE, SV, V};
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::surpassed::WORDS;
use crate::compile::points::successors;
use crate::program::kernel::{FuncId, Place, Set, Stmt, Value as Arg, Word};
use crate::program::{Pc, Per, SubId, VarId};

/// The name of the scratch for the best of an instruction.
fn best_name(pc: Pc) -> String {
    format!("best {}", pc.0)
}

/// A subprogram of so few instructions is written where it is asked for.
const SMALL: usize = 16;

impl<'p> Lowerer<'p> {
    /// Whether a subprogram is small and straight enough to be written where it is asked for.
    pub fn is_small(&self, begin: Pc) -> bool {
        let mut seen = vec![begin.0 as usize];
        let mut at = 0;
        while at < seen.len() {
            for next in successors(&self.program.code[seen[at]], seen[at]) {
                if self.joins[next] && !self.is_short(Pc(next as u32)) {
                    return false;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
            if seen.len() > SMALL {
                return false;
            }
        }
        true
    }

    /// Whether anything is stored with a log.
    pub fn logs(&self) -> bool {
        self.program.stacking || self.program.vars.iter().any(|v| v.per == Per::Cell)
    }

    /// Writes something whose changes are taken back.
    pub fn aside<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        if !self.logs() {
            return write(self);
        }
        let mark = self.f.word();
        self.f.push(Stmt::Mark(mark));
        let result = write(self);
        self.f.push(Stmt::Undo(mark));
        result
    }

    /// A call whose changes are taken back.
    pub fn called_aside(&mut self, id: FuncId, args: Vec<Arg>) -> V {
        self.aside(|l| l.f.call(id, args))
    }

    /// Writes something that goes on from an instruction, with what has changed in the state stored meanwhile, so that it need not
    /// be handed over: functions are then the same for all who ask.
    fn as_stored<T>(
        &mut self,
        begin: Pc,
        env: &mut Env,
        cx: Cx,
        write: impl FnOnce(&mut Self, &mut Env) -> T,
    ) -> T {
        if self.program.stacking {
            return write(self, env);
        }
        let looks = self.looks[begin.0 as usize];
        if looks {
            self.flush(env, cx);
        }
        let mut inner = env.clone();
        inner.proven.clear();
        let mut before = Vec::new();
        for (at, entry) in inner.binds.iter_mut().enumerate() {
            let slot = Slot(at as u16);
            let Some((bind, true)) = entry.clone() else {
                continue;
            };
            let info = self.slots.infos[at];
            let sub = Cx {
                mode: Mode::Exists,
                ..cx
            };
            let needed = self.is_passed(slot, true, Begin::Code(begin), sub, looks);
            let (Some(place), true) = (info.place, needed) else {
                continue;
            };
            let to = Place {
                base: place,
                index: None,
            };
            let old = if info.set {
                let Bind::Set(new) = bind else { continue };
                let (old, new) = (self.f.load_first_set(place), self.f.sreg(new));
                self.f.push(Stmt::StoreSet(to, new));
                Arg::Set(self.f.sreg(old))
            } else {
                let new = self.encode(&bind);
                let (old, new) = (self.f.load_first(place), self.f.reg(new));
                self.f.push(Stmt::Store(to, new));
                Arg::Word(self.f.reg(old))
            };
            *entry = None;
            before.push((to, old));
        }
        let result = write(self, &mut inner);
        for (to, old) in before {
            self.f.push(match old {
                Arg::Set(old) => Stmt::StoreSet(to, old),
                Arg::Word(old) => Stmt::Store(to, old),
            });
        }
        result
    }

    /// Whether a subprogram can be run to its end.
    pub fn exists(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> V {
        if let Some(v) = self.picture_exists(begin, env, cx) {
            return v;
        }
        if let Some(v) = self.trail_exists(begin, env, cx) {
            return v;
        }
        let sub = Cx {
            mode: Mode::Exists,
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        if !self.is_small(begin) {
            return self.as_stored(begin, env, cx, |l, env| {
                let (id, args) = l.demand(Begin::Code(begin), env, sub);
                l.called_aside(id, args)
            });
        }
        self.settle_piles(env, cx);
        let (label, w) = (self.f.label(), self.f.word());
        self.f.push(Stmt::Let(w, Word::Const(0)));
        let inner = env.clone();
        self.aside(|l| {
            l.f.open();
            let exit = Exit::Leave(label, w);
            l.go(begin, true, inner, Cx { exit, ..sub });
            let body = l.f.close();
            l.f.push(Stmt::Block(label, body));
        });
        V::R(w)
    }

    /// The cells of a variable over all runs of a subprogram.
    pub fn gather(&mut self, var: VarId, begin: Pc, env: &mut Env, cx: Cx) -> SV {
        if let Some(cells) = self.picture_gather(var, begin, env, cx) {
            return cells;
        }
        let sub = Cx {
            mode: Mode::Gather(var, 0),
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        self.settle_piles(env, cx);
        if self.is_small(begin) {
            let set = self.f.set();
            let none = self.f.sreg(NONE);
            self.f.push(Stmt::LetSet(set, Set::Copy(none)));
            let exit = Exit::Gather(set);
            let inner = env.clone();
            self.aside(|l| l.go(begin, true, inner, Cx { exit, ..sub }));
            return SV::R(set);
        }
        let words = self.room.words;
        let at = self.scratch_of(format!("gathered {} {}", var.0, begin.0), words);
        let place = Place {
            base: at,
            index: None,
        };
        let none = self.f.sreg(NONE);
        self.f.push(Stmt::StoreSet(place, none));
        let mode = Mode::Gather(var, at);
        let (id, args) = self.demand(Begin::Code(begin), env, Cx { mode, ..sub });
        self.called_aside(id, args);
        self.f.make_set(Set::Load(place))
    }

    /// Whether nothing is asked of an action that is played, so that the best is not compared with.
    pub fn needs_no_best(&self, pc: Pc, cx: Cx) -> bool {
        let unasked = matches!(cx.mode, Mode::Apply { checked: false, .. });
        unasked && self.up_to_comparison(pc).is_some()
    }

    /// Whether the turn can be completed when there is any run: one of them is the best, and all are actions.
    pub fn needs_any_run(&self, pc: Pc, cx: Cx) -> bool {
        let asked = cx.mode == Mode::Probe && !cx.acted;
        asked && self.up_to_comparison(pc).is_some() && self.acts_before_comparison(pc)
    }

    /// The most or least of a number over all runs of a subprogram: whether there is one, and it.
    pub fn best(&mut self, pc: Pc, sub: SubId, env: &mut Env, cx: Cx) -> (V, V) {
        if let Some(any) = self.left_aside(pc, 0, env, cx)
            && let Some(best) = self.left_aside(pc, 1, env, cx)
        {
            return (any, best);
        }
        let (any, best) = self.best_of(pc, sub, env, cx);
        self.leave_aside(pc, &[any, best], env, cx);
        (any, best)
    }

    /// Where the best of an instruction is kept, when some function asks for it.
    pub fn best_at(&self, pc: Pc) -> Option<u32> {
        self.scratch_named(&best_name(pc))
    }

    fn best_of(&mut self, pc: Pc, sub: SubId, env: &mut Env, cx: Cx) -> (V, V) {
        let begin = self.sub(sub);
        if self.is_small(begin) {
            self.settle_piles(env, cx);
            let (any, best) = (self.f.word(), self.f.word());
            self.f.push(Stmt::Let(any, Word::Const(0)));
            self.f.push(Stmt::Let(best, Word::Const(0)));
            let sub = Cx {
                mode: Mode::Best(pc.0, 0),
                acted: false,
                me: cx.me,
                exit: Exit::Best(any, best),
            };
            let inner = env.clone();
            self.aside(|l| l.go(begin, true, inner, sub));
            return (V::R(any), V::R(best));
        }
        let at = self.scratch_of(best_name(pc), WORDS);
        self.f.store(at, NO, NO);
        let cx = Cx {
            mode: Mode::Best(pc.0, at),
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        let (id, args) = self.demand(Begin::Code(begin), env, cx);
        self.called_aside(id, args);
        (self.f.load(at, NO), self.f.load(at + 1, NO))
    }
}
