//! The cell of a set with so many below it. Where a word has few, the lowest ones are taken out; else it is found by the counts of all eights
//! of a word at once, and a table for the eight that they are in (Vigna 2008, "Broadword implementation of rank/select queries").

use crate::engine::native::call::Aid;
use crate::engine::native::emit::Emit;
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::program::kernel::S;

/// Of a word with no more, the lowest ones are taken out until the cell is the lowest.
const FEW: i64 = 7;

/// One in each eight of a word.
const ONES: i64 = 0x0101_0101_0101_0101;

/// For each number of bits below and each eight: the bit of it with so many below.
static IN_EIGHT: [[u8; 256]; 8] = in_eight();

const fn in_eight() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut eight = 0;
    while eight < 256 {
        let (mut below, mut bit) = (0, 0);
        while bit < 8 {
            if eight >> bit & 1 == 1 {
                table[below][eight] = bit as u8;
                below += 1;
            }
            bit += 1;
        }
        eight += 1;
    }
    table
}

impl Emit<'_> {
    /// The cell with so many below it.
    pub(super) fn nth(&mut self, set: S, n: Value) -> Value {
        if self.wide() {
            let at = self.address(set);
            return self.aid(Aid::Nth, &[at, n]);
        }
        let words = self.set_words(set);
        let (mut word, mut below) = (words[0], self.number(0));
        let (mut base, mut before) = (self.number(0), self.number(0));
        for (i, pair) in words.windows(2).enumerate() {
            let count = self.b.popcnt(pair[0]);
            before = self.b.iadd(before, count);
            let behind = self.b.icmp(IntCC::UnsignedGreaterThanOrEqual, n, before);
            word = self.b.select(behind, pair[1], word);
            below = self.b.select(behind, before, below);
            let first = self.number((i as i64 + 1) * 64);
            base = self.b.select(behind, first, base);
        }
        let left = self.b.isub(n, below);
        let bit = self.nth_bit(word, left);
        self.b.iadd(base, bit)
    }

    /// The bit of a word with so many below it.
    fn nth_bit(&mut self, word: Value, below: Value) -> Value {
        if self.soon {
            return self.nth_by_steps(word, below);
        }
        let [near, far, done] = [(); 3].map(|()| self.b.create_block());
        let found = self.b.append_block_param(done, I64);
        // Games have sets of many cells or of few, so that this is guessed well; which cell is drawn cannot be.
        let cells = self.b.popcnt(word);
        let few = self
            .b
            .icmp_imm_s(IntCC::UnsignedLessThanOrEqual, cells, FEW);
        self.b.brif(few, near, &[], far, &[]);
        self.enter(near);
        let bit = self.nth_of_few(word, below);
        self.b.jump(done, &[bit]);
        self.enter(far);
        let bit = self.nth_by_eights(word, below);
        self.b.jump(done, &[bit]);
        self.enter(done);
        found
    }

    /// The lowest ones go, as many as there are below; every step is taken.
    fn nth_of_few(&mut self, word: Value, below: Value) -> Value {
        let mut rest = word;
        for step in 1..FEW {
            let lower = self.b.iadd_imm_s(rest, -1);
            let lower = self.b.band(rest, lower);
            let more = self
                .b
                .icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, below, step);
            rest = self.b.select(more, lower, rest);
        }
        self.b.ctz(rest)
    }

    /// The lowest ones go, one after the other.
    fn nth_by_steps(&mut self, word: Value, below: Value) -> Value {
        let [round, less, done] = [(); 3].map(|()| self.b.create_block());
        let rest = self.b.append_block_param(round, I64);
        let many = self.b.append_block_param(round, I64);
        self.b.jump(round, &[word, below]);
        self.b.switch_to_block(round);
        self.b.brif(many, less, &[], done, &[]);
        self.enter(less);
        let lower = self.b.iadd_imm_s(rest, -1);
        let lower = self.b.band(rest, lower);
        let fewer = self.b.iadd_imm_s(many, -1);
        self.b.jump(round, &[lower, fewer]);
        self.b.seal_block(round);
        self.enter(done);
        self.b.ctz(rest)
    }

    /// The eight in which it is, by how many there are up to each, and then its place in that.
    fn nth_by_eights(&mut self, word: Value, below: Value) -> Value {
        let masked = |e: &mut Self, value, mask: i64| {
            let mask = e.number(mask);
            e.b.band(value, mask)
        };
        let (twos, fours) = (ONES * 0x55, ONES * 0x33);
        let half = self.b.ushr_imm_u(word, 1);
        let half = masked(self, half, twos);
        let sums = self.b.isub(word, half);
        let high = self.b.ushr_imm_u(sums, 2);
        let (low, high) = (masked(self, sums, fours), masked(self, high, fours));
        let sums = self.b.iadd(low, high);
        let high = self.b.ushr_imm_u(sums, 4);
        let sums = self.b.iadd(sums, high);
        let sums = masked(self, sums, ONES * 0x0F);
        let ones = self.number(ONES);
        let up_to = self.b.imul(sums, ones);
        // The highest bit of each eight that has no more than those below, up to itself.
        let high = self.number((ONES as u64 * 0x80).cast_signed());
        let many = self.b.imul(below, ones);
        let many = self.b.bor(many, high);
        let passed = self.b.isub(many, up_to);
        let passed = self.b.band(passed, high);
        let passed = self.b.popcnt(passed);
        let place = self.b.ishl_imm_u(passed, 3);
        let before = self.b.ishl_imm_u(up_to, 8);
        let before = self.b.ushr(before, place);
        let left = self.b.isub(below, before);
        let left = self.b.band_imm_s(left, 7);
        let eight = self.b.ushr(word, place);
        let eight = self.b.band_imm_s(eight, 255);
        let line = self.b.ishl_imm_u(left, 8);
        let index = self.b.bor(line, eight);
        let start = self.number((&raw const IN_EIGHT as usize).cast_signed() as i64);
        let at = self.b.iadd(start, index);
        let bit = self.b.uload8(Memory::Tables, at, 0);
        self.b.iadd(place, bit)
    }
}
