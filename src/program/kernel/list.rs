//! How lists of actions are written: for each action, or for all cells of a set, a heading, words of the path, and perhaps the set.
//!
//! Lists for random games may have lanes of fronts besides, see [`Kernel::fronts`](super::Kernel::fronts): behind the heading, whose
//! family tells that it is one, and the words of the path stand [`LANE_HEAD`] words, and then fronts of one kind after the other.

/// What a lane has before its fronts: how many actions there may be, and how many words the fronts have.
pub const LANE_HEAD: u64 = 2;

/// What fronts of one kind have before a set of cells that tell them: how many actions there may be, and a word that
/// [`front_of_word`] reads.
pub const LANE_ENTRY: u64 = 2;

/// The word of fronts, for runs of no cells, and how much it grows for each cell: in a direction, where fronts are told by cells that
/// are so far apart for each cell of the run, as the numbers of cells go.
#[inline]
#[must_use]
pub const fn front_words(way: u8, stride: u64) -> [u64; 2] {
    [(way as u64 + 1) << 16, 1 | stride << 32]
}

/// Of a word of fronts and a cell that tells one: the direction counted from 1, the length of the run, and the front.
#[inline]
#[must_use]
pub const fn front_of_word(word: u64, cell: u64) -> (u64, u64, u64) {
    let front = cell.wrapping_add(word >> 32) & 0xFFFF_FFFF;
    (word >> 16 & 0xFFFF, word & 0xFFFF, front)
}

/// The heading of an action, or of one for each cell of a set, told as a family says: so many words of the path follow.
#[inline]
#[must_use]
pub const fn heading(length: u64, family: Option<u32>) -> u64 {
    match family {
        None => length,
        Some(family) => length | (family as u64 + 1) << 32,
    }
}

/// How many words of the path follow a heading, and the family when a set follows them.
#[inline]
#[must_use]
pub const fn parts_of_heading(heading: u64) -> (usize, Option<u32>) {
    let length = (heading & 0xFFFF_FFFF) as usize;
    match heading >> 32 {
        0 => (length, None),
        more => (length, Some(more as u32 - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::{front_of_word, front_words, heading, parts_of_heading};

    #[test]
    fn headings_tell_what_they_were_made_of() {
        for (length, family) in [(0, None), (3, Some(0)), (4095, Some(u32::MAX - 1))] {
            let parts = parts_of_heading(heading(length, family));
            assert_eq!(parts, (length as usize, family));
        }
    }

    #[test]
    fn words_of_fronts_tell_direction_length_and_cell() {
        for (stride, cell, front) in [(0, 20, 20), (1, 20, 27), (14_u64.wrapping_neg(), 120, 22)] {
            let [none, each] = front_words(5, stride);
            let word = none.wrapping_add(each.wrapping_mul(7));
            assert_eq!(front_of_word(word, cell), (6, 7, front));
        }
    }
}
