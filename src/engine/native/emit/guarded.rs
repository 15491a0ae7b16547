//! Short ways to an action taken down, with conditions on the way: everything is done in any case, and the action counts only where all
//! conditions held. Whether one holds differs from cell to cell and can hardly be guessed, and a wrong guess costs more than a few
//! instructions.

use crate::engine::native::emit::Emit;
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::program::kernel::{Body, Place, Set, Stmt, W, Word};

/// So many statements are done in any case.
const MOST: usize = 16;

impl Emit<'_> {
    /// Does what stands under a condition in any case, when it is a short way to an action; else false, and nothing is written.
    pub(super) fn leaf_when(&mut self, word: W, body: &Body) -> bool {
        if self.soon || self.wide() || !self.leads_to_leaf(body, MOST) {
            return false;
        }
        self.guarded(word, body);
        true
    }

    /// Whether a body only computes and ends with one action, perhaps under more conditions.
    fn leads_to_leaf(&self, body: &Body, most: usize) -> bool {
        let Some((last, before)) = body.split_last() else {
            return false;
        };
        let computes = |stmt: &Stmt| {
            if let Stmt::Let(to, word) = stmt {
                self.is_word_given_once(*to) && self.is_light_word(word)
            } else if let Stmt::LetSet(to, set) = stmt {
                self.is_given_once(*to) && self.is_light_set(set)
            } else {
                matches!(stmt, Stmt::Store(place, _) if self.is_fixed(*place))
            }
        };
        let leads_on = |left: usize| {
            if let Stmt::If(_, yes, no) = last {
                no.is_empty() && self.leads_to_leaf(yes, left)
            } else {
                matches!(last, Stmt::Leaf(length) if self.is_short(*length))
            }
        };
        before.iter().all(computes) && most.checked_sub(body.len()).is_some_and(leads_on)
    }

    /// Does what stands under a condition, besides those that are around.
    fn guarded(&mut self, word: W, body: &Body) {
        let value = self.read(word);
        let truth = if self.is_truth(value) {
            value
        } else {
            self.b.icmp_imm_s(IntCC::NotEqual, value, 0)
        };
        let mut guard = self.widened(truth);
        let outer = self.guard;
        if let Some(outer) = outer {
            guard = self.b.band(outer, guard);
        }
        self.guard = Some(guard);
        for stmt in body {
            if let Stmt::If(word, yes, _) = stmt {
                self.guarded(*word, yes);
            } else if let Stmt::Store(place, word) = stmt {
                self.store_guarded(*place, *word, guard);
            } else {
                self.stmt(stmt);
            }
        }
        self.guard = outer;
    }

    /// Stores a word, or what stands there once more where the conditions do not hold.
    fn store_guarded(&mut self, place: Place, word: W, guard: Value) {
        let (at, offset) = self.place(place, 1);
        let old = self.b.load(I64, Memory::Words, at, offset);
        let new = self.get(word);
        let value = self.b.select(guard, new, old);
        self.b.store(Memory::Words, value, at, offset);
    }

    /// An index, or under a condition that does not hold one that every table has.
    pub(super) fn guarded_index(&mut self, index: Value) -> Value {
        let Some(guard) = self.guard else {
            return index;
        };
        let zero = self.number(0);
        self.b.select(guard, index, zero)
    }

    /// Whether it is known which words of memory a place is.
    fn is_fixed(&self, place: Place) -> bool {
        let known = |index: W| {
            self.known
                .get(index.0 as usize)
                .is_some_and(|known| known.is_some())
        };
        place.index.is_none_or(|(index, _)| known(index))
    }

    /// Whether a word takes few instructions and does no harm where it is not wanted.
    fn is_light_word(&self, word: &Word) -> bool {
        if let Word::Load(place) = word {
            return self.is_fixed(*place);
        }
        let reads = matches!(word, Word::Table(..) | Word::Byte(..) | Word::Has(..));
        let compares = matches!(
            word,
            Word::Some(_) | Word::Within(..) | Word::Meet(..) | Word::Same(..)
        );
        reads
            || compares
            || matches!(
                word,
                Word::Const(_) | Word::Copy(_) | Word::Bin(..) | Word::Select(..)
            )
    }

    /// The same of a set.
    fn is_light_set(&self, set: &Set) -> bool {
        if let Set::Load(place) = set {
            return self.is_fixed(*place);
        }
        let joins = matches!(
            set,
            Set::And(..) | Set::Or(..) | Set::Without(..) | Set::Xor(..)
        );
        joins
            || matches!(
                set,
                Set::Const(_) | Set::Copy(_) | Set::Row(..) | Set::Select(..)
            )
    }
}
