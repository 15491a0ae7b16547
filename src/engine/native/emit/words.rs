//! Words: arithmetic, what is read from memory and tables, and what sets tell of themselves.

use crate::engine::executor::BUCKETS;
use crate::engine::native::call::{Aid, BUCKETS_AT};
use crate::engine::native::emit::memory::Entry;
use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::program::kernel::{Bin, LowPiles, S, TableId, W, Word};

/// The most words whose cells are counted one by one where it is asked for.
const COUNTED: usize = 8;

impl Emit<'_> {
    /// The value of a word, or a truth.
    pub(super) fn word(&mut self, word: &Word) -> Value {
        match *word {
            Word::Const(value) => self.number(value.cast_signed()),
            Word::Copy(a) => self.read(a),
            Word::Bin(bin, a, b) => {
                let known = self.known.get(b.0 as usize).copied().flatten();
                let known = known.map(u64::cast_signed).filter(|known| *known > 0);
                match (bin, known) {
                    (Bin::SumWithin, Some(more)) => self.held_sum(a, more),
                    (Bin::DifferenceWithin, Some(less)) => self.held_sum(a, -less),
                    _ => self.of_truths(bin, a, b).unwrap_or_else(|| {
                        let (a, b) = (self.get(a), self.get(b));
                        self.bin(bin, a, b)
                    }),
                }
            }
            Word::Select(c, a, b) => {
                let c = self.read(c);
                let (mut a, mut b) = (self.read(a), self.read(b));
                if self.is_truth(a) != self.is_truth(b) {
                    (a, b) = (self.widened(a), self.widened(b));
                }
                self.b.select(c, a, b)
            }
            Word::Load(place) => {
                let (at, offset) = self.place(place, 1);
                self.b.load(I64, Memory::Words, at, offset)
            }
            Word::Table(table, index) => {
                let index = self.get(index);
                let index = self.guarded_index(index);
                match self.entry_of(table, index, Entry::Word) {
                    Some(at) => self.b.load(I64, Memory::Tables, at, 0),
                    None => self.number(0),
                }
            }
            Word::Byte(table, index) => {
                let index = self.get(index);
                let mut index = self.guarded_index(index);
                if cfg!(target_endian = "big") {
                    index = self.b.bxor_imm_s(index, 7);
                }
                match self.entry_of(table, index, Entry::Byte) {
                    Some(at) => self.b.uload8(Memory::Tables, at, 0),
                    None => self.number(0),
                }
            }
            Word::Count(set) => self.count(set),
            Word::First(set) => self.first(set),
            Word::Last(set) => self.last(set),
            Word::Nth(set, n) => {
                let n = self.get(n);
                self.nth(set, n)
            }
            Word::Some(set) => self.some(set),
            Word::Has(set, cell) => {
                let cell = self.cell(cell);
                self.has(set, cell)
            }
            Word::Within(a, b) => self.differs(IntCC::Equal, a, b, |e, a, b| e.b.band_not(a, b)),
            Word::Meet(a, b) => self.differs(IntCC::NotEqual, a, b, |e, a, b| e.b.band(a, b)),
            Word::Same(a, b) => self.differs(IntCC::Equal, a, b, |e, a, b| e.b.bxor(a, b)),
            Word::Leading(a) => {
                let a = self.get(a);
                self.b.clz(a)
            }
            Word::Mix(a) => {
                let a = self.get(a);
                self.mix(a)
            }
            Word::PileKey(cell, pile) => {
                let (cell, pile) = (self.get(cell), self.get(pile));
                self.pile_key(cell, pile)
            }
            Word::Repeated(key) => {
                let key = self.get(key);
                self.of_past(key, Aid::Repeated, BUCKETS_AT)
            }
            Word::Seen(key) => {
                let key = self.get(key);
                self.of_past(key, Aid::Seen, BUCKETS_AT + 8)
            }
        }
    }

    /// What is asked of the past about a key: 0 when its bucket is empty, which is seen here where code is not wanted soon.
    fn of_past(&mut self, key: Value, aid: Aid, buckets: i32) -> Value {
        if self.soon {
            return self.aid(aid, &[key]);
        }
        let all = self.b.load(I64, Memory::Tables, self.ctx, buckets);
        let index = self.b.band_imm_s(key, BUCKETS as i64 - 1);
        let at = self.b.iadd(all, index);
        let many = self.b.uload8(Memory::Words, at, 0);
        let [some, behind] = [(); 2].map(|()| self.b.create_block());
        let answer = self.b.append_block_param(behind, I64);
        self.b.brif(many, some, &[], behind, &[many]);
        self.enter(some);
        let found = self.aid(aid, &[key]);
        self.b.jump(behind, &[found]);
        self.enter(behind);
        answer
    }

    /// Where an entry of a table stands.
    fn entry_of(&mut self, table: TableId, index: Value, entry: Entry) -> Option<Value> {
        let Some(&table) = self.shared.tables.get(table.0 as usize) else {
            self.wrong("a table that the kernel does not have");
            return None;
        };
        Some(self.entry(table, index, entry))
    }

    /// The hash of a pile on a cell: that of a low one is looked up, here where code is not wanted soon.
    fn pile_key(&mut self, cell: Value, pile: Value) -> Value {
        let kernel = &self.shared.kernel;
        let place = |low: LowPiles| Some((low, *self.shared.tables.get(low.table.0 as usize)?));
        let known = kernel.low_piles.filter(|_| !self.soon);
        let Some((low, table)) = known.and_then(place) else {
            return self.aid(Aid::PileKey, &[cell, pile]);
        };
        let [is_low, is_high, behind] = [(); 3].map(|()| self.b.create_block());
        let key = self.b.append_block_param(behind, I64);
        let below = low.below.cast_signed();
        let fits = self.b.icmp_imm_s(IntCC::UnsignedLessThan, pile, below);
        self.b.brif(fits, is_low, &[], is_high, &[]);
        self.enter(is_low);
        let of_cell = self.scaled(cell, low.below);
        let index = self.b.iadd(of_cell, pile);
        let at = self.entry(table, index, Entry::Word);
        let known = self.b.load(I64, Memory::Tables, at, 0);
        self.b.jump(behind, &[known]);
        self.enter(is_high);
        let found = self.aid(Aid::PileKey, &[cell, pile]);
        self.b.jump(behind, &[found]);
        self.enter(behind);
        key
    }

    fn bin(&mut self, bin: Bin, a: Value, b: Value) -> Value {
        match bin {
            Bin::Add => self.b.iadd(a, b),
            Bin::Sub => self.b.isub(a, b),
            Bin::Mul => self.b.imul(a, b),
            Bin::And => self.b.band(a, b),
            Bin::Or => self.b.bor(a, b),
            Bin::Xor => self.b.bxor(a, b),
            Bin::Shl => self.b.ishl(a, b),
            Bin::Shr => self.b.ushr(a, b),
            Bin::Equal => self.b.icmp(IntCC::Equal, a, b),
            Bin::Differ => self.b.icmp(IntCC::NotEqual, a, b),
            Bin::Less => self.b.icmp(IntCC::SignedLessThan, a, b),
            Bin::AtMost => self.b.icmp(IntCC::SignedLessThanOrEqual, a, b),
            Bin::SumWithin => {
                let sum = self.b.iadd(a, b);
                let (from_a, from_b) = (self.b.bxor(a, sum), self.b.bxor(b, sum));
                let over = self.b.band(from_a, from_b);
                self.held(over, a, sum)
            }
            Bin::DifferenceWithin => {
                let rest = self.b.isub(a, b);
                let (apart, turned) = (self.b.bxor(a, b), self.b.bxor(a, rest));
                let over = self.b.band(apart, turned);
                self.held(over, a, rest)
            }
            Bin::ProductWithin => {
                let (low, high) = (self.b.imul(a, b), self.b.smulhi(a, b));
                let sign = self.b.sshr_imm_u(low, 63);
                let fits = self.b.icmp(IntCC::Equal, high, sign);
                let apart = self.b.bxor(a, b);
                let most = self.most(apart);
                self.b.select(fits, low, most)
            }
            Bin::Quotient => {
                let (by, none) = self.divisor(a, b);
                let quotient = self.b.sdiv(a, by);
                let zero = self.number(0);
                self.b.select(none, zero, quotient)
            }
            Bin::Remainder => {
                // Divided by 1 where there is none, which leaves nothing.
                let (by, _) = self.divisor(a, b);
                let rest = self.b.srem(a, by);
                let size = self.b.iabs(by);
                let more = self.b.iadd(rest, size);
                let negative = self.b.icmp_imm_s(IntCC::SignedLessThan, rest, 0);
                self.b.select(negative, more, rest)
            }
            Bin::Smaller => self.b.smin(a, b),
            Bin::Larger => self.b.smax(a, b),
            Bin::High => self.b.umulhi(a, b),
        }
    }

    /// What is a truth where truths are joined, or one is compared with nothing.
    fn of_truths(&mut self, bin: Bin, a: W, b: W) -> Option<Value> {
        let nothing = |w: W| self.known.get(w.0 as usize) == Some(&Some(0));
        let (no_a, no_b) = (nothing(a), nothing(b));
        let (a, b) = (self.read(a), self.read(b));
        let (is_a, is_b) = (self.is_truth(a), self.is_truth(b));
        if matches!(bin, Bin::Equal | Bin::Differ) {
            let truth = match ((is_a, no_b), (is_b, no_a)) {
                ((true, true), _) => a,
                (_, (true, true)) => b,
                _ => return None,
            };
            return Some(if bin == Bin::Equal {
                self.denied(truth)
            } else {
                truth
            });
        }
        let joins = is_a && is_b && matches!(bin, Bin::And | Bin::Or | Bin::Xor);
        joins.then(|| self.bin(bin, a, b))
    }

    /// The number furthest from 0 with the sign of another.
    fn most(&mut self, sign: Value) -> Value {
        let sign = self.b.sshr_imm_u(sign, 63);
        self.b.bxor_imm_s(sign, i64::MAX)
    }

    /// The result, or the number furthest from 0 on the side of `a` when the highest bit of `over` is set.
    fn held(&mut self, over: Value, a: Value, result: Value) -> Value {
        let most = self.most(a);
        let over = self.b.icmp_imm_s(IntCC::SignedLessThan, over, 0);
        self.b.select(over, most, result)
    }

    /// A word and a fixed number other than 0, or the furthest number on that side.
    fn held_sum(&mut self, a: W, more: i64) -> Value {
        let a = self.get(a);
        let sum = self.b.iadd_imm_s(a, more);
        let (most, beyond) = if more > 0 {
            (i64::MAX, IntCC::SignedGreaterThan)
        } else {
            (i64::MIN, IntCC::SignedLessThan)
        };
        let over = self.b.icmp_imm_s(beyond, a, most.wrapping_sub(more));
        let most = self.number(most);
        self.b.select(over, most, sum)
    }

    /// What to divide by, and whether there is no quotient; then it is 1.
    fn divisor(&mut self, a: Value, b: Value) -> (Value, Value) {
        let nothing = self.is_zero(b);
        let least = self.b.icmp_imm_s(IntCC::Equal, a, i64::MIN);
        let turned = self.b.icmp_imm_s(IntCC::Equal, b, -1);
        let over = self.b.band(least, turned);
        let none = self.b.bor(nothing, over);
        let one = self.number(1);
        (self.b.select(none, one, b), none)
    }

    /// As `engine::hash::mix`.
    fn mix(&mut self, x: Value) -> Value {
        let golden = self.number(0x9E37_79B9_7F4A_7C15_u64.cast_signed());
        let mut x = self.b.iadd(x, golden);
        for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9_u64), (27, 0x94D0_49BB_1331_11EB)] {
            let high = self.b.ushr_imm_u(x, shift);
            x = self.b.bxor(x, high);
            let factor = self.number(factor.cast_signed());
            x = self.b.imul(x, factor);
        }
        let high = self.b.ushr_imm_u(x, 31);
        self.b.bxor(x, high)
    }

    fn count(&mut self, set: S) -> Value {
        if self.width > COUNTED {
            let at = self.address(set);
            return self.aid(Aid::Count, &[at]);
        }
        let words = self.set_words(set);
        self.count_of_words(&words)
    }

    /// How many cells some words have.
    pub(super) fn count_of_words(&mut self, words: &[Value]) -> Value {
        let counts: Words = words.iter().map(|w| self.b.popcnt(*w)).collect();
        let mut sum = counts[0];
        for &count in &counts[1..] {
            sum = self.b.iadd(sum, count);
        }
        sum
    }

    fn first(&mut self, set: S) -> Value {
        if self.wide() {
            let at = self.address(set);
            return self.aid(Aid::First, &[at]);
        }
        let words = self.set_words(set);
        let mut found = None;
        for (i, &word) in words.iter().enumerate().rev() {
            let mut cell = self.b.ctz(word);
            if i > 0 {
                cell = self.b.iadd_imm_s(cell, i as i64 * 64);
            }
            found = Some(match found {
                None => cell,
                Some(behind) => self.b.select(word, cell, behind),
            });
        }
        found.unwrap_or_else(|| self.number(0))
    }

    fn last(&mut self, set: S) -> Value {
        if self.wide() {
            let at = self.address(set);
            return self.aid(Aid::Last, &[at]);
        }
        let words = self.set_words(set);
        let mut found = None;
        for (i, &word) in words.iter().enumerate() {
            let above = self.b.clz(word);
            let highest = self.number(i as i64 * 64 + 63);
            let cell = self.b.isub(highest, above);
            found = Some(match found {
                None => cell,
                Some(before) => self.b.select(word, cell, before),
            });
        }
        found.unwrap_or_else(|| self.number(0))
    }

    fn has(&mut self, set: S, cell: Value) -> Value {
        let word = if self.wide() {
            let at = self.word_of(set, cell);
            self.b.load(I64, Memory::Other, at, 0)
        } else {
            let words = self.set_words(set);
            let known = self.known_word(cell);
            let mut behind = words[known.unwrap_or(words.len() - 1)];
            if words.len() > 1 && known.is_none() {
                let at = self.word_number(cell);
                for (i, &word) in words.iter().enumerate().rev().skip(1) {
                    behind = if i == 0 {
                        self.b.select(at, behind, word)
                    } else {
                        let here = self.b.icmp_imm_s(IntCC::Equal, at, i as i64);
                        self.b.select(here, word, behind)
                    };
                }
            }
            behind
        };
        let low = self.b.ushr(word, cell);
        self.b.band_imm_s(low, 1)
    }

    /// Whether a set has any cell.
    pub(super) fn some(&mut self, set: S) -> Value {
        self.differs(IntCC::NotEqual, set, set, |_, a, _| a)
    }

    /// Whether anything, or nothing, is left of two sets that are joined.
    fn differs(
        &mut self,
        how: IntCC,
        a: S,
        b: S,
        join: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (mut words, mut twos) = (None, None);
        for i in 0..self.pieces() {
            let (a, b) = (self.set_piece(a, i), self.set_piece(b, i));
            let piece = join(self, a, b);
            let all = if self.piece(i).0 == I64 {
                &mut words
            } else {
                &mut twos
            };
            *all = Some(match *all {
                None => piece,
                Some(all) => self.b.bor(all, piece),
            });
        }
        if let Some(twos) = twos {
            let low = self.b.extractlane(twos, 0);
            let high = self.b.extractlane(twos, 1);
            let both = self.b.bor(low, high);
            words = Some(match words {
                None => both,
                Some(word) => self.b.bor(word, both),
            });
        }
        let rest = words.unwrap_or_else(|| self.number(0));
        self.b.icmp_imm_s(how, rest, 0)
    }
}
