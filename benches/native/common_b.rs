//! What the generators share: random numbers, and sets of up to 64 and up to 256 cells as words.

/// A fast random generator: one multiplication a number.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1656_67b1_9e37_79f9)
    }

    /// The next 64 bits.
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number below `n`; no number is likelier than another by more than one part in a million.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(n)) >> 32) as u32
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The places of the bits of a byte, lowest first: eight numbers of one byte in a word.
const PLACES: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= bit << (8 * found);
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// In each byte the number of bits in it.
#[inline]
const fn bytes(x: u64) -> u64 {
    let x = x - ((x >> 1) & 0x5555_5555_5555_5555);
    let x = (x & 0x3333_3333_3333_3333) + ((x >> 2) & 0x3333_3333_3333_3333);
    (x + (x >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// In each byte the number of bits in it and below it; the top byte has them all.
#[inline]
pub const fn sums(x: u64) -> u64 {
    bytes(x).wrapping_mul(LOW)
}

/// How many bits are set.
#[inline]
pub const fn count(x: u64) -> u32 {
    (sums(x) >> 56) as u32
}

/// The place of the `n`-th bit that is set, counted from 0, by the sums of the word; `n` is less than their number.
#[inline]
pub fn nth(x: u64, sums: u64, n: u32) -> u32 {
    let n = u64::from(n);
    let reached = ((sums | HIGH) - LOW * (n + 1)) & HIGH;
    let shift = reached.trailing_zeros() & 0x38;
    let before = ((sums << 8) >> shift) & 0xff;
    shift + ((PLACES[(x >> shift) as usize & 0xff] >> (8 * ((n - before) & 7))) as u32 & 0xff)
}

/// Calls with the place of every bit that is set, lowest first.
#[inline]
pub fn each(mut x: u64, mut f: impl FnMut(u32)) {
    while x != 0 {
        f(x.trailing_zeros());
        x &= x - 1;
    }
}

/// A set of up to 256 cells.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Set(pub [u64; 4]);

impl Set {
    /// The empty set.
    pub const NONE: Set = Set([0; 4]);

    /// Whether a cell is in it.
    #[inline]
    pub const fn has(&self, cell: u8) -> bool {
        self.0[(cell >> 6) as usize] >> (cell & 63) & 1 == 1
    }

    /// Puts a cell in.
    #[inline]
    pub const fn add(&mut self, cell: u8) {
        self.0[(cell >> 6) as usize] |= 1 << (cell & 63);
    }

    /// Takes a cell out.
    #[inline]
    pub const fn drop(&mut self, cell: u8) {
        self.0[(cell >> 6) as usize] &= !(1 << (cell & 63));
    }

    /// Whether nothing is in it.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The cells of both.
    #[inline]
    pub const fn and(&self, o: &Set) -> Set {
        let (a, b) = (&self.0, &o.0);
        Set([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// The cells of either.
    #[inline]
    pub const fn or(&self, o: &Set) -> Set {
        let (a, b) = (&self.0, &o.0);
        Set([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// The cells that the other has not.
    #[inline]
    pub const fn except(&self, o: &Set) -> Set {
        let (a, b) = (&self.0, &o.0);
        Set([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    /// Every cell moved up by `n` places, 0 < n < 64.
    #[inline]
    pub const fn up(&self, n: u32) -> Set {
        let a = &self.0;
        let m = 64 - n;
        Set([
            a[0] << n,
            a[1] << n | a[0] >> m,
            a[2] << n | a[1] >> m,
            a[3] << n | a[2] >> m,
        ])
    }

    /// Every cell moved down by `n` places, 0 < n < 64.
    #[inline]
    pub const fn down(&self, n: u32) -> Set {
        let a = &self.0;
        let m = 64 - n;
        Set([
            a[0] >> n | a[1] << m,
            a[1] >> n | a[2] << m,
            a[2] >> n | a[3] << m,
            a[3] >> n,
        ])
    }

    /// How many cells are in it, fewer than 256.
    #[inline]
    pub const fn count(&self) -> u32 {
        let [a, b, c, d] = self.0;
        let all = bytes(a) + bytes(b) + bytes(c) + bytes(d);
        (all.wrapping_mul(LOW) >> 56) as u32
    }

    /// The `n`-th cell, counted from 0; `n` is less than their number.
    #[inline]
    pub fn nth(&self, mut n: u32) -> u8 {
        for (word, base) in self.0.iter().zip([0, 64, 128, 192]) {
            let sums = sums(*word);
            let here = (sums >> 56) as u32;
            if n < here {
                return (base + nth(*word, sums, n)) as u8;
            }
            n -= here;
        }
        0
    }

    /// Calls with every cell, lowest first.
    #[inline]
    pub fn each(&self, mut f: impl FnMut(u8)) {
        for (word, base) in self.0.iter().zip([0, 64, 128, 192]) {
            each(*word, |bit| f((base + bit) as u8));
        }
    }
}
