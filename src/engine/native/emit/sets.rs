//! Sets: what they are made of, and how they are read and written by pieces: a word each when they are narrow, two words at
//! once when they are wide.

use crate::engine::native::call::Aid;
use crate::engine::native::emit::memory::Entry;
use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::{I64, I64X2, Memory, Type, Value};
use crate::engine::native::tables::Packed;
use crate::program::kernel::{S, Set, W};

impl Emit<'_> {
    /// How many pieces a set has.
    pub(super) fn pieces(&self) -> usize {
        if self.wide() {
            self.width.div_ceil(2)
        } else {
            self.width
        }
    }

    /// A piece's type, and where in the set it begins, in bytes.
    pub(super) fn piece(&self, i: usize) -> (Type, i32) {
        match (self.wide(), i * 2 + 1 < self.width) {
            (false, _) => (I64, i as i32 * 8),
            (true, true) => (I64X2, i as i32 * 16),
            (true, false) => (I64, i as i32 * 16),
        }
    }

    /// Reads a piece.
    pub(super) fn set_piece(&mut self, set: S, i: usize) -> Value {
        if self.wide() {
            let (kind, at) = self.piece(i);
            self.read_wide(set, kind, at)
        } else {
            self.set_word(set, i)
        }
    }

    /// Writes a piece.
    pub(super) fn put_piece(&mut self, set: S, i: usize, value: Value) {
        if self.wide() {
            let at = self.piece(i).1;
            self.write_wide(set, value, at);
        } else {
            self.put_narrow(set, i, value);
        }
    }

    /// Reads a word.
    pub(super) fn set_word(&mut self, set: S, i: usize) -> Value {
        if self.wide() {
            return self.read_wide(set, I64, i as i32 * 8);
        }
        self.get_narrow(set, i)
    }

    /// Reads of a wide set what begins so many bytes behind its beginning.
    fn read_wide(&mut self, set: S, kind: Type, at: i32) -> Value {
        let slot = self.home(set);
        let start = self.start(slot);
        self.b.load(kind, Memory::Other, start, at)
    }

    fn write_wide(&mut self, set: S, value: Value, at: i32) {
        let slot = self.home(set);
        let start = self.start(slot);
        self.b.store(Memory::Other, value, start, at);
    }

    /// All words of a set.
    pub(super) fn set_words(&mut self, set: S) -> Words {
        (0..self.width).map(|i| self.set_word(set, i)).collect()
    }

    /// Writes all words of a narrow set.
    pub(super) fn put_set(&mut self, set: S, words: &[Value]) {
        for (i, &word) in words.iter().enumerate() {
            self.put_piece(set, i, word);
        }
    }

    /// A set gets a value.
    pub(super) fn let_set(&mut self, to: S, value: &Set) {
        self.forget_found(to);
        match *value {
            Set::Const(id) => self.fixed_set(to, id.0 as usize),
            Set::Copy(a) => self.join(to, a, a, |_, a, _| a),
            Set::Load(place) => {
                let (at, offset) = self.place(place, self.width);
                self.load_set(to, at, offset, Memory::Words);
            }
            Set::And(a, b) => self.join(to, a, b, |e, a, b| e.b.band(a, b)),
            Set::Or(a, b) => self.join(to, a, b, |e, a, b| e.b.bor(a, b)),
            Set::Without(a, b) if self.beside_found(to, a, b) => {}
            Set::Without(a, b) => self.join(to, a, b, |e, a, b| e.b.band_not(a, b)),
            Set::Xor(a, b) => self.join(to, a, b, |e, a, b| e.b.bxor(a, b)),
            Set::UpTo(a, b) => self.cut(to, (a, b), true),
            Set::DownTo(a, b) => self.cut(to, (a, b), false),
            Set::Single(cell) => self.single(to, cell),
            Set::With(a, cell) => self.with(to, a, cell, true),
            Set::Less(a, cell) => self.with(to, a, cell, false),
            Set::Row(rows, index) => {
                let Some(&rows) = self.shared.rows.get(rows.0 as usize) else {
                    return self.wrong("a table of sets that the kernel does not have");
                };
                let index = self.get(index);
                let index = self.guarded_index(index);
                let at = self.entry(rows, index, Entry::Set);
                self.load_set(to, at, 0, Memory::Tables);
            }
            Set::Shift(a, shift) => self.shift(to, a, shift),
            Set::Around(a) if self.around_found(to, a) => {}
            Set::Around(a) => self.around(to, a),
            Set::Part(a, cell) => self.part(to, a, cell),
            Set::Mapped(a, table) => {
                let table = self.number(i64::from(table.0));
                self.aid_into(to, Aid::Mapped, Some(table), a);
            }
            Set::Select(word, a, b) => {
                let truth = self.read(word);
                self.join(to, a, b, |e, a, b| e.either(truth, a, b));
            }
        }
    }

    /// One of two pieces. Where the other is nothing, one is masked, which takes fewer instructions where a set has several words.
    fn either(&mut self, truth: Value, a: Value, b: Value) -> Value {
        if self.width == 1 || self.wide() || !self.is_nothing(b) {
            return self.b.select(truth, a, b);
        }
        let mask = self.b.bmask(I64, truth);
        self.b.band(a, mask)
    }

    /// Whether a word is known to be 0.
    fn is_nothing(&self, value: Value) -> bool {
        self.b.func().number(value) == Some(0)
    }

    /// Joins two sets piece by piece.
    fn join(&mut self, to: S, a: S, b: S, how: impl Fn(&mut Self, Value, Value) -> Value) {
        for i in 0..self.pieces() {
            let a_piece = self.set_piece(a, i);
            let b_piece = if a == b {
                a_piece
            } else {
                self.set_piece(b, i)
            };
            let joined = how(self, a_piece, b_piece);
            self.put_piece(to, i, joined);
        }
    }

    /// The cells of a set up to the lowest cell of another, or down to the highest.
    fn cut(&mut self, to: S, (from, at): (S, S), up: bool) {
        let zero = self.number(0);
        let mut met: Option<Value> = None;
        let mut cut: Words = (0..self.width).map(|_| zero).collect();
        for k in 0..self.width {
            let i = if up { k } else { self.width - 1 - k };
            let (all, stops) = (self.set_word(from, i), self.set_word(at, i));
            // All bits when there is none.
            let near = if up {
                let lower = self.b.iadd_imm_s(stops, -1);
                self.b.bxor(stops, lower)
            } else {
                let some = self.b.bor_imm_s(stops, 1);
                let above = self.b.clz(some);
                let highest = self.b.bxor_imm_s(above, 63);
                let every = self.number(-1);
                self.b.ishl(every, highest)
            };
            let near = self.b.band(all, near);
            let word = met.map_or(near, |met| self.b.select(met, zero, near));
            cut[i] = word;
            met = Some(met.map_or(stops, |met| self.b.bor(met, stops)));
        }
        for (i, word) in cut.into_iter().enumerate() {
            if self.wide() {
                self.write_wide(to, word, i as i32 * 8);
            } else {
                self.put_piece(to, i, word);
            }
        }
    }

    /// Reads a set from memory or from a table.
    pub(super) fn load_set(&mut self, to: S, at: Value, offset: i32, memory: Memory) {
        for i in 0..self.pieces() {
            let (kind, begin) = self.piece(i);
            let piece = self.b.load(kind, memory, at, offset + begin);
            self.put_piece(to, i, piece);
        }
    }

    /// Stores a set.
    pub(super) fn store_set(&mut self, from: S, at: Value, offset: i32) {
        for i in 0..self.pieces() {
            let begin = self.piece(i).1;
            let piece = self.set_piece(from, i);
            self.b.store(Memory::Words, piece, at, offset + begin);
        }
    }

    fn fixed_set(&mut self, to: S, id: usize) {
        let Some(cells) = self.shared.kernel.sets.get(id) else {
            return self.wrong("a fixed set that the kernel does not have");
        };
        if self.wide() {
            let Packed { at, .. } = self.shared.sets;
            let address = self.shared.address(at + id * self.width);
            let address = self.number(address);
            return self.load_set(to, address, 0, Memory::Tables);
        }
        for (i, word) in cells.words().iter().take(self.width).enumerate() {
            let word = self.number(word.cast_signed());
            self.put_piece(to, i, word);
        }
    }

    /// The bit of a cell in its word.
    fn bit(&mut self, cell: Value) -> Value {
        let one = self.number(1);
        self.b.ishl(one, cell)
    }

    /// Where on the stack the word of a cell stands in a wide set.
    pub(super) fn word_of(&mut self, set: S, cell: Value) -> Value {
        let slot = self.home(set);
        let start = self.start(slot);
        let at = self.word_number(cell);
        let bytes = self.b.ishl_imm_u(at, 3);
        self.b.iadd(start, bytes)
    }

    fn single(&mut self, to: S, cell: W) {
        let cell = self.cell(cell);
        if !self.wide() {
            let words = self.cell_words(cell);
            return self.put_set(to, &words);
        }
        let zero = self.number(0);
        let both = self.b.splat(I64X2, zero);
        for i in 0..self.pieces() {
            let nothing = if self.piece(i).0 == I64 { zero } else { both };
            self.put_piece(to, i, nothing);
        }
        let bit = self.bit(cell);
        let at = self.word_of(to, cell);
        self.b.store(Memory::Other, bit, at, 0);
    }

    fn with(&mut self, to: S, from: S, cell: W, member: bool) {
        let cell = self.cell(cell);
        if !self.wide() {
            let words = self.cell_words(cell);
            for (i, bit) in words.into_iter().enumerate() {
                let word = self.set_word(from, i);
                let word = if member {
                    self.b.bor(word, bit)
                } else {
                    self.b.band_not(word, bit)
                };
                self.put_piece(to, i, word);
            }
            return;
        }
        if to != from {
            self.join(to, from, from, |_, a, _| a);
        }
        let bit = self.bit(cell);
        let at = self.word_of(to, cell);
        let word = self.b.load(I64, Memory::Other, at, 0);
        let word = if member {
            self.b.bor(word, bit)
        } else {
            self.b.band_not(word, bit)
        };
        self.b.store(Memory::Other, word, at, 0);
    }
}
