//! What a function is given: which values are handed over, as operands, fixed, or with what is known of them.

use crate::board::Cells as BoardCells;
use crate::compile::kernel::env::{Bind, Env, RunBind, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NONE, SV, V};
use crate::compile::kernel::lower::{Begin, Cx, Lowerer, Mode};
use crate::compile::kernel::orders::{Given, Key};
use crate::program::kernel::Value;
use crate::program::{Life, Op, Pc, num_vars};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The operands of a value.
pub type Operands = SmallVec<[Value; 3]>;

impl Lowerer<'_> {
    pub fn is_passed(&self, slot: Slot, changed: bool, begin: Begin, cx: Cx, looks: bool) -> bool {
        let s = &self.slots;
        if slot == s.occupied || slot == s.empty || slot == s.stuck {
            return false;
        }
        let lists = cx.mode.lists();
        let applies = cx.applies();
        let tells = cx.tells();
        if slot == s.path {
            return lists || applies || tells;
        }
        if slot == s.text || slot == s.taken {
            return tells;
        }
        let info = s.infos[slot.0 as usize];
        if let Some(var) = info.var {
            let asked = match cx.mode {
                Mode::Best(pc, _) => match self.op(Pc(pc)) {
                    Op::Best { key, .. } => num_vars(key).may_read(|v| v == var),
                    _ => false,
                },
                Mode::Gather(what, _) => what == var,
                _ => false,
            };
            let needed = match begin {
                Begin::Code(pc) => asked || self.is_live(var, pc),
                _ => changed,
            };
            return needed && (changed || info.place.is_none())
                || (applies && changed && info.place.is_some());
        }
        changed && (applies || looks)
    }

    /// Whether a value that is still as in memory is fixed, and a function may want to know that.
    pub fn is_known_to(&self, slot: Slot, bind: &Bind, begin: Begin) -> bool {
        if !bind.is_fixed() {
            return false;
        }
        match (begin, self.slots.infos[slot.0 as usize].var) {
            (Begin::Code(pc), Some(var)) => self.is_live(var, pc),
            _ => self.at_entry,
        }
    }

    /// How a value is given that can be no other where a function begins.
    pub fn surely_given(&mut self, slot: Slot, begin: Begin) -> Option<Given> {
        let Begin::Code(pc) = begin else { return None };
        let var = self.slots.infos[slot.0 as usize].var?;
        let (_, words) = self.certain.at(pc).iter().find(|(of, _)| *of == var)?;
        let words = words.clone();
        Some(match self.fixed_bind(slot, &words) {
            Bind::Set(SV::K(id)) => Given::FixedSet(id.0),
            _ => Given::FixedWord(words[0]),
        })
    }

    /// A fixed value by its words.
    pub fn fixed_bind(&mut self, slot: Slot, words: &[u64]) -> Bind {
        if self.slots.infos[slot.0 as usize].set {
            let set = BoardCells::from_words(words);
            Bind::Set(if set.is_empty() { NONE } else { self.fix(&set) })
        } else {
            Bind::Word(V::K(words.first().copied().unwrap_or(0)))
        }
    }

    /// What can be no other than it is where a function begins, and is not given to it, is as in memory; but what is only carried and not
    /// read any more may still be there, and is nothing all the same.
    pub fn note_certain(&mut self, begin: Begin, env: &mut Env) {
        let Begin::Code(pc) = begin else { return };
        for at in 0..self.certain.at(pc).len() {
            let var = self.certain.at(pc)[at].0;
            let Some(slot) = self.slot_of(var, 0) else {
                continue;
            };
            if env.binds.get(slot.0 as usize).is_none_or(Option::is_none) {
                let words = self.certain.at(pc)[at].1.clone();
                let bind = self.fixed_bind(slot, &words);
                let left = self.program.var(var).life == Life::Local && !self.is_live(var, pc);
                self.bind(slot, bind, left, env);
            }
        }
    }

    /// When a turn goes on from a point, what can be no other than it is is as in memory.
    pub fn note_rest(&mut self, point: usize, env: &mut Env) {
        let known = self.certain.rests(point).unwrap_or(&[]).to_vec();
        for (var, words) in known {
            if let Some(slot) = self.slot_of(var, 0) {
                let bind = self.fixed_bind(slot, &words);
                self.bind(slot, bind, false, env);
            }
        }
    }

    /// The operands of a value that is given in a general way.
    pub fn hand_over_as(&mut self, how: &Given, bind: &Bind) -> Operands {
        match (how, bind) {
            (Given::Set, Bind::Set(s)) => smallvec![Value::Set(self.f.sreg(*s))],
            (Given::Set, _) => smallvec![Value::Set(self.f.sreg(NONE))],
            (Given::Cell(..), Bind::Cell(c)) => smallvec![Value::Word(self.f.reg(*c))],
            (Given::Run(..), Bind::Run(run)) => [run.start, run.way, run.length]
                .map(|v| Value::Word(self.f.reg(v)))
                .into(),
            _ => {
                let v = self.encode(bind);
                smallvec![Value::Word(self.f.reg(v))]
            }
        }
    }

    pub fn hand_over(&mut self, slot: Slot, bind: &Bind, env: &Env) -> (Given, Operands) {
        let word = |l: &mut Self, v: V| Value::Word(l.f.reg(v));
        let counted = slot == self.slots.path || slot == self.slots.text;
        match bind {
            // Larger numbers count something, and would make a function for each count.
            Bind::Word(V::K(k)) if !counted && (*k <= 1 || self.at_entry) => {
                (Given::FixedWord(*k), smallvec![])
            }
            Bind::Word(v) => (Given::Word, smallvec![word(self, *v)]),
            Bind::Cell(v) => {
                let fact = env.fact(*v);
                match v {
                    V::K(k) => (Given::FixedCell(*k, fact.owners, fact.kinds), smallvec![]),
                    _ => (
                        Given::Cell(fact.owners, fact.kinds),
                        smallvec![word(self, *v)],
                    ),
                }
            }
            Bind::Set(SV::K(id)) => (Given::FixedSet(id.0), smallvec![]),
            Bind::Set(s) => (Given::Set, smallvec![Value::Set(self.f.sreg(*s))]),
            Bind::Run(run) => {
                let words = [run.start, run.way, run.length];
                let words = words.map(|v| word(self, v)).into();
                (
                    Given::Run(run.fact.owners, run.fact.kinds, run.next, run.some),
                    words,
                )
            }
        }
    }

    pub fn receive(&mut self, key: &Key) -> (Env, Vec<Value>) {
        let (mut env, mut params) = (Env::default(), Vec::new());
        for (slot, changed, how) in &key.given {
            let mut word = |l: &mut Self| {
                let w = l.f.word();
                params.push(Value::Word(w));
                V::R(w)
            };
            let bind = match how {
                Given::Word => Bind::Word(word(self)),
                Given::FixedWord(k) => Bind::Word(V::K(*k)),
                Given::Cell(owners, kinds) | Given::FixedCell(_, owners, kinds) => {
                    let v = match how {
                        Given::FixedCell(k, ..) => V::K(*k),
                        _ => word(self),
                    };
                    let (owners, kinds) = (*owners, *kinds);
                    env.know(v, Fact { owners, kinds });
                    Bind::Cell(v)
                }
                Given::Set => {
                    let s = self.f.set_taken();
                    params.push(Value::Set(s));
                    Bind::Set(SV::R(s))
                }
                Given::FixedSet(id) => Bind::Set(SV::K(crate::program::kernel::SetId(*id))),
                Given::Run(owners, kinds, next, some) => Bind::Run(Rc::new(RunBind {
                    some: *some,
                    start: word(self),
                    way: word(self),
                    length: word(self),
                    fact: Fact {
                        owners: *owners,
                        kinds: *kinds,
                    },
                    next: *next,
                })),
            };
            self.bind(*slot, bind, *changed, &mut env);
        }
        (env, params)
    }
}
