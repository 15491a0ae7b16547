//! What rules ask of positions that have been before: how often this one was there, and whether its pieces stood so. Their keys are
//! kept by who plays; here the keys are computed and looked up.

use crate::compile::kernel::env::{Env, Slot};
use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, Word};
use crate::program::{Life, VarId, WORD_HASH, WORD_MOVER, word_key};

/// Of numbers below this the keys stand in tables; a power of two.
const SMALL: u64 = 64;

impl Lowerer<'_> {
    /// How often the position has been there, with this time. What its pieces make of the key is known; where they never stood so
    /// the rest need not be computed.
    pub fn occurrences(&mut self, env: &mut Env, cx: Cx) -> V {
        let pieces = self.arrangement(env, cx);
        let pieces = self.f.reg(pieces);
        let seen = self.f.make(Word::Seen(pieces));
        let again = |l: &mut Self, env: &mut Env| {
            let key = l.repetition_key(env, cx);
            let key = l.f.reg(key);
            l.f.make(Word::Repeated(key))
        };
        let before = self.either_value(seen, env, cx, again, |_, _| NO);
        self.f.bin(Bin::Add, before, V::K(1))
    }

    /// Whether the pieces stand as they never stood at the start of a turn, and not as they did before this one.
    pub fn unseen(&mut self, env: &mut Env, cx: Cx) -> V {
        let now = self.arrangement(env, cx);
        let before = self.f.load_first(WORD_HASH as u32);
        let w = self.f.reg(now);
        let seen = self.f.make(Word::Seen(w));
        let differs = self.f.bin(Bin::Differ, now, before);
        let new = self.f.not(seen);
        self.f.both(differs, new)
    }

    /// The key of the pieces as they stand now.
    fn arrangement(&mut self, env: &mut Env, cx: Cx) -> V {
        self.flush(env, cx);
        self.pay(env);
        self.word(self.slots.hash, env)
    }

    /// The key of all that repetition compares.
    pub fn repetition_key(&mut self, env: &mut Env, cx: Cx) -> V {
        let mut key = self.arrangement(env, cx);
        let program = self.program;
        let hands = program.layout.hands..program.layout.vars;
        let mut words: Vec<(usize, V)> = Vec::new();
        let mut numbers = Vec::new();
        let mover = self.f.load_first(WORD_MOVER as u32);
        if program.players.len() == 2 {
            let second = self.f.select(mover, V::K(word_key(WORD_MOVER, 1)), NO);
            key = self.f.bin(Bin::Xor, key, second);
        } else {
            words.push((WORD_MOVER, mover));
        }
        for (i, at) in hands.enumerate() {
            if let Some(first) = self.slots.hands {
                let slot = Slot(first.0 + i as u16);
                numbers.push((at, self.word(slot, env)));
            }
        }
        for (i, var) in program.vars.iter().enumerate() {
            if !(var.in_state() && var.compared && var.life == Life::Game) {
                continue;
            }
            if var.stride * var.count > 128 {
                self.refuse("repetition compares a great many values");
                continue;
            }
            for k in 0..var.count {
                let at = var.offset + k * var.stride;
                match self.slot_of(VarId(i as u16), k) {
                    Some(slot) if self.slots.infos[slot.0 as usize].set => {
                        let set = self.set(slot, env);
                        let each = self.words_of(set);
                        words.extend(each.into_iter().enumerate().map(|(i, v)| (at + i, v)));
                    }
                    Some(slot) => numbers.push((at, self.word(slot, env))),
                    None => words.push((at, self.f.load(at as u32, NO))),
                }
            }
        }
        for (at, value) in words {
            let part = self.mixed(at, value);
            key = self.f.bin(Bin::Xor, key, part);
        }
        for (at, value) in numbers {
            let high = self.f.bin(Bin::Shr, value, V::K(u64::from(SMALL.ilog2())));
            let mixed = |l: &mut Self, _: &mut Env| l.mixed(at, value);
            let part = self.either_value(high, env, cx, mixed, |l, _| {
                let small = l.table(&format!("key of word {at}"), |_| {
                    (0..SMALL).map(|value| word_key(at, value)).collect()
                });
                l.f.table(&l.tables, small, value)
            });
            key = self.f.bin(Bin::Xor, key, part);
        }
        key
    }

    /// The key of a word of the state.
    fn mixed(&mut self, at: usize, value: V) -> V {
        let once = self.mix(value);
        let mixed = self.f.bin(Bin::Xor, once, V::K((at as u64) << 1 ^ 1 << 63));
        let twice = self.mix(mixed);
        self.f.select(value, twice, NO)
    }
}
