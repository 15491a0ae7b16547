//! Keys of features, which stand in the program, and the hash of a text.

pub use crate::program::{mix, piece_key, word_key};

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
