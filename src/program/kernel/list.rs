//! How lists of actions are written: for each action, or for all cells of a set, a heading, words of the path, and perhaps the set.

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
    use super::{heading, parts_of_heading};

    #[test]
    fn headings_tell_what_they_were_made_of() {
        for (length, family) in [(0, None), (3, Some(0)), (4095, Some(u32::MAX - 1))] {
            let parts = parts_of_heading(heading(length, family));
            assert_eq!(parts, (length as usize, family));
        }
    }
}
