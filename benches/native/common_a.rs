//! What these generators share: random numbers, and counting and finding the ones of a word with plain instructions.

/// A fast generator (a counter, and the two halves of a wide product folded together).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// The next 64 bits.
    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number from 0 to `n - 1`; no number is favoured by more than `n` in 2^64.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u32
    }
}

/// 1 in each byte.
pub const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const PAIRS: u64 = 0x3333_3333_3333_3333;
const FOURS: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// How many ones each nibble has.
#[inline(always)]
fn nibbles(word: u64) -> u64 {
    let twos = word - ((word >> 1) & 0x5555_5555_5555_5555);
    (twos & PAIRS) + ((twos >> 2) & PAIRS)
}

/// How many ones each byte has.
#[inline(always)]
pub fn bytes(word: u64) -> u64 {
    let fours = nibbles(word);
    (fours + (fours >> 4)) & FOURS
}

/// How many ones each byte of three words has in all.
#[inline(always)]
pub fn bytes3(a: u64, b: u64, c: u64) -> u64 {
    let fours = nibbles(a) + nibbles(b) + nibbles(c);
    (fours & FOURS) + ((fours >> 4) & FOURS)
}

/// How many ones a word has.
#[inline(always)]
pub fn count(word: u64) -> u32 {
    if cfg!(target_feature = "popcnt") {
        return word.count_ones();
    }
    (bytes(word).wrapping_mul(ONES) >> 56) as u32
}

/// How many ones three words have in all.
#[inline(always)]
pub fn count3(a: u64, b: u64, c: u64) -> u32 {
    if cfg!(target_feature = "popcnt") {
        return a.count_ones() + b.count_ones() + c.count_ones();
    }
    (bytes3(a, b, c).wrapping_mul(ONES) >> 56) as u32
}

/// The byte in which the `k`-th one (from 0) lies, and how many ones the bytes below have; `sums` are the running sums of
/// the bytes, all below 128.
#[inline(always)]
pub fn find_byte(sums: u64, k: u32) -> (u32, u32) {
    let reached = ((sums | HIGHS) - u64::from(k + 1) * ONES) & HIGHS;
    let shift = reached.trailing_zeros() & 56;
    (shift, ((sums << 8) >> shift) as u32 & 255)
}

/// `SELECT[byte * 8 + k]` is the place of the `k`-th one of a byte.
static SELECT: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte * 8 + k] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The place of the `k`-th one (from 0) of a byte.
#[inline(always)]
pub fn select8(byte: u32, k: u32) -> u32 {
    u32::from(SELECT[((byte & 255) * 8 + (k & 7)) as usize])
}

/// The place of the `k`-th one (from 0) of a word, given its running sums of bytes.
#[inline(always)]
pub fn select(word: u64, sums: u64, k: u32) -> u32 {
    let (shift, before) = find_byte(sums, k);
    shift + select8((word >> shift) as u32, k - before)
}
