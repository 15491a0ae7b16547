//! Zobrist hashing without tables: the key of a feature is a fixed mixing function of what it is, so that any height of
//! stack and any value has one. The mixer is the finaliser of splitmix64 (Steele, Lea and Flood 2014).

/// Mixes the bits of a word.
#[must_use]
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The key of a piece on a cell, so many pieces above the bottom.
#[must_use]
pub fn piece_key(cell: usize, level: usize, piece: u16) -> u64 {
    mix((cell as u64) << 40 ^ (level as u64) << 16 ^ u64::from(piece))
}

/// The key of a word of the state; nothing for a word that is 0.
#[must_use]
pub fn word_key(index: usize, value: u64) -> u64 {
    if value == 0 {
        0
    } else {
        mix(mix(value) ^ (index as u64) << 1 ^ 1 << 63)
    }
}

/// A hash of a text that never changes between versions (FNV-1a).
#[must_use]
pub fn text_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{mix, piece_key, text_hash, word_key};

    #[test]
    fn keys_differ_and_stay() {
        assert_ne!(piece_key(1, 0, 1), piece_key(0, 1, 1));
        assert_ne!(word_key(3, 1), word_key(4, 1));
        assert_eq!(word_key(3, 0), 0);
        assert_eq!(mix(0), 16_294_208_416_658_607_535);
        assert_eq!(text_hash(""), 0xcbf2_9ce4_8422_2325);
    }
}
