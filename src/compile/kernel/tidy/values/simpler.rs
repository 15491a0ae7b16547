//! Simpler ways to say the same: of a word or a set, by what is known of what it is made of.

use crate::compile::kernel::fun::{BOARD, fold};
use crate::compile::kernel::tidy::ranges::{ALL, near, range};
use crate::compile::kernel::tidy::values::Numbering;
use crate::program::kernel::{Bin, Body, S, Set, W, Word};

impl Numbering {
    /// A simpler way to say the same.
    pub(super) fn simpler(&self, value: Word) -> Word {
        let range = range(&value, &|w| self.range_of(w));
        if range.0 == range.1 && !matches!(value, Word::Const(_)) {
            return Word::Const(range.0.cast_unsigned());
        }
        match value {
            Word::Select(c, a, b) => match self.constant(c) {
                Some(0) => Word::Copy(b),
                Some(_) => Word::Copy(a),
                None if a == b => Word::Copy(a),
                None if self.memory.is_exact()
                    && self.is_truth(c)
                    && (self.constant(a), self.constant(b)) == (Some(1), Some(0)) =>
                {
                    Word::Copy(c)
                }
                None => value,
            },
            Word::Bin(bin, a, b) => self.simpler_of_two(bin, a, b),
            other => other,
        }
    }

    fn simpler_of_two(&self, bin: Bin, a: W, b: W) -> Word {
        let (x, y) = (self.constant(a), self.constant(b));
        if self.memory.is_exact() {
            match (bin, x, y) {
                (_, Some(x), Some(y)) => {
                    return Word::Const(fold(bin, x.cast_unsigned(), y.cast_unsigned()));
                }
                (Bin::And, Some(-1), _) => return Word::Copy(b),
                (Bin::And, _, Some(-1)) => return Word::Copy(a),
                (Bin::Equal | Bin::AtMost, ..) if a == b => return Word::Const(1),
                (Bin::Differ | Bin::Less, ..) if a == b => return Word::Const(0),
                (Bin::Less, Some(x), _) if let Some(less) = self.less_than(x, b) => return less,
                (Bin::Equal | Bin::Differ, ..) if let Some(known) = self.told_apart(bin, a, b) => {
                    return known;
                }
                (Bin::Equal, Some(1), _) if self.is_truth(b) => return Word::Copy(b),
                (Bin::Equal, _, Some(1)) if self.is_truth(a) => return Word::Copy(a),
                _ => {}
            }
        }
        let bin = match bin {
            _ if !self.memory.is_exact() => bin,
            Bin::SumWithin if near(self.range_of(a)) && near(self.range_of(b)) => Bin::Add,
            Bin::DifferenceWithin if near(self.range_of(a)) && near(self.range_of(b)) => Bin::Sub,
            _ => bin,
        };
        match (bin, x, y) {
            (Bin::Add | Bin::Or | Bin::Xor, Some(0), _) => Word::Copy(b),
            (Bin::Add | Bin::Sub | Bin::Or | Bin::Xor | Bin::Shl | Bin::Shr, _, Some(0)) => {
                Word::Copy(a)
            }
            (Bin::And, Some(1), _) if self.is_truth(b) => Word::Copy(b),
            (Bin::And, _, Some(1)) if self.is_truth(a) => Word::Copy(a),
            (Bin::Differ, _, Some(0)) if self.is_truth(a) => Word::Copy(a),
            (Bin::Differ, Some(0), _) if self.is_truth(b) => Word::Copy(b),
            (Bin::Equal, _, Some(0)) => self.denied(a).map_or(Word::Bin(bin, a, b), Word::Copy),
            (Bin::Equal, Some(0), _) => self.denied(b).map_or(Word::Bin(bin, b, a), Word::Copy),
            (Bin::Or, ..) if self.are_opposite(a, b) => Word::Const(1),
            (Bin::And, ..) if self.are_opposite(a, b) => Word::Const(0),
            (Bin::Add, _, Some(k)) if let Some(more) = self.less_by(a, k) => Word::Copy(more),
            (Bin::Add, Some(k), _) if let Some(more) = self.less_by(b, k) => Word::Copy(more),
            (Bin::Add | Bin::And | Bin::Or | Bin::Xor | Bin::Equal | Bin::Differ, ..) if b < a => {
                Word::Bin(bin, b, a)
            }
            _ => Word::Bin(bin, a, b),
        }
    }

    /// Whether a number is less than a word that is so much more, or less, than another, said of that.
    fn less_than(&self, x: i64, w: W) -> Option<Word> {
        let Some(Word::Bin(bin, a, b)) = self.made[w.0 as usize] else {
            return None;
        };
        let (fixed, other) = match (bin, self.constant(a), self.constant(b)) {
            (Bin::Add | Bin::Sub, Some(fixed), _) => (fixed, b),
            (Bin::Add, _, Some(fixed)) => (fixed, a),
            _ => return None,
        };
        let far = |x: i64| !near((x, x));
        if far(x) || far(fixed) || !near(self.range_of(other)) {
            return None;
        }
        match bin {
            Bin::Add => self.less_than(x - fixed, other),
            _ => {
                let least = Word::Const((fixed - x).cast_unsigned());
                let least = self.words.get(&(least, 0))?;
                Some(Word::Bin(Bin::Less, other, *least))
            }
        }
    }

    /// Whether two words are the same, or not, said of what makes them: of bits in which two words differ whether there are any, and of
    /// a number that has not as many leading zeros. Only where memory is followed most exactly.
    fn told_apart(&self, bin: Bin, a: W, b: W) -> Option<Word> {
        let (word, number) = match (self.constant(a), self.constant(b)) {
            _ if !self.noted => return None,
            (Some(number), _) => (b, number),
            (_, Some(number)) => (a, number),
            _ => return None,
        };
        if let (Some(Word::Bin(Bin::Xor, a, b)), 0) = (&self.made[word.0 as usize], number) {
            return Some(self.simpler_of_two(bin, *a, *b));
        }
        let leading = self.words.get(&(Word::Leading(word), 0));
        let (least, most) = leading.map_or(ALL, |leading| self.range_of(*leading));
        let never = !(least..=most).contains(&i64::from(number.leading_zeros()));
        never.then(|| Word::Const(u64::from(bin == Bin::Differ)))
    }

    /// The truth that a word is the opposite of.
    fn denied(&self, w: W) -> Option<W> {
        let Some(Word::Bin(Bin::Equal, a, b)) = self.made[w.0 as usize] else {
            return None;
        };
        let of = match (self.constant(a), self.constant(b)) {
            (_, Some(0)) => a,
            (Some(0), _) => b,
            _ => return None,
        };
        self.is_truth(of).then_some(of)
    }

    fn are_opposite(&self, a: W, b: W) -> bool {
        self.denied(a) == Some(b) || self.denied(b) == Some(a)
    }

    /// The word that a word is so much less than.
    fn less_by(&self, w: W, k: i64) -> Option<W> {
        match self.made[w.0 as usize] {
            Some(Word::Bin(Bin::Sub, of, less)) if self.constant(less) == Some(k) => Some(of),
            _ => None,
        }
    }

    /// Whether a set meets all but another one is whether it is not within that. Only where memory is followed most exactly.
    pub(super) fn met(&mut self, value: Word, out: &mut Body) -> Word {
        let Word::Meet(a, b) = value else {
            return value;
        };
        let (inside, of) = match (self.but_for(a), self.but_for(b)) {
            (_, Some(all_but)) => (a, all_but),
            (Some(all_but), _) => (b, all_but),
            _ => return value,
        };
        let within = self.given(Word::Within(inside, of), out);
        let none = self.given(Word::Const(0), out);
        Word::Bin(Bin::Equal, within, none)
    }

    /// The set without whose cells a set is the whole board.
    fn but_for(&self, s: S) -> Option<S> {
        match self.sets_made.get(&s)? {
            Set::Without(all, but) if self.sets_made.get(all) == Some(&Set::Const(BOARD)) => {
                Some(*but)
            }
            _ => None,
        }
    }

    /// A simpler way to say the same of a set.
    pub(super) fn simpler_set(&self, value: Set) -> Set {
        match value {
            Set::Select(c, a, b) => match self.constant(c) {
                Some(0) => Set::Copy(b),
                Some(_) => Set::Copy(a),
                None if a == b => Set::Copy(a),
                None => Set::Select(c, a, b),
            },
            Set::And(a, b) | Set::Or(a, b) if a == b => Set::Copy(a),
            Set::And(a, b) if let Some(but) = self.but_for(b) => Set::Without(a, but),
            Set::And(a, b) if let Some(but) = self.but_for(a) => Set::Without(b, but),
            Set::And(a, b) if b < a => Set::And(b, a),
            Set::Or(a, b) if b < a => Set::Or(b, a),
            other => other,
        }
    }
}
