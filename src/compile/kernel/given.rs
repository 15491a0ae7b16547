//! What a function is given: which values are handed over, as operands, fixed, or with what is known of them.

use crate::compile::kernel::env::{Bind, Env, RunBind, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NONE, SV, V};
use crate::compile::kernel::lower::{Begin, Cx, Lowerer, Mode};
use crate::compile::kernel::orders::{Given, Key};
use crate::program::kernel::Value;
use crate::program::{Op, Pc, num_vars};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The operands of a value.
type Operands = SmallVec<[Value; 3]>;

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
