//! Zobrist hashing without tables: the key of a feature is a fixed mixing function of what it is, so that any height of
//! stack and any value has one. The mixer is the finaliser of splitmix64 (Steele, Lea and Flood 2014).

/// Mixes the bits of a word.
#[inline]
#[must_use]
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The key of a piece on a cell, so many pieces above the bottom.
#[inline]
#[must_use]
pub fn piece_key(cell: usize, level: usize, piece: u16) -> u64 {
    mix((cell as u64) << 40 ^ (level as u64) << 16 ^ u64::from(piece))
}

/// The key of a word of the state; nothing for a word that is 0.
#[inline]
#[must_use]
pub fn word_key(index: usize, value: u64) -> u64 {
    if value == 0 {
        0
    } else {
        mix(mix(value) ^ (index as u64) << 1 ^ 1 << 63)
    }
}
