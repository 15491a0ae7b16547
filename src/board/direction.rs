//! Directions by number, sets of them, and the four facings: numbers in, set algebra out; what a direction does is in the board.

use std::ops::{BitAnd, BitOr};

/// A direction of a board: its index in the board's list of directions, below 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction(pub u8);

impl Direction {
    /// The number as an index into tables with one entry a direction.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of directions: direction `d` is bit `d`. A number of 64 or more is never a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Directions(pub u64);

impl Directions {
    /// No directions.
    pub const EMPTY: Self = Self(0);

    /// The set of one direction.
    #[inline]
    #[must_use]
    pub const fn single(direction: Direction) -> Self {
        match 1u64.checked_shl(direction.0 as u32) {
            Some(bits) => Self(bits),
            None => Self::EMPTY,
        }
    }

    /// The directions numbered `0 .. count`, at most 64.
    #[inline]
    #[must_use]
    pub const fn range(count: usize) -> Self {
        if count >= 64 {
            Self(u64::MAX)
        } else {
            Self((1 << count) - 1)
        }
    }

    /// Whether the direction is a member.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & Self::single(direction).0 != 0
    }

    /// Adds a direction.
    #[inline]
    pub const fn insert(&mut self, direction: Direction) {
        self.0 |= Self::single(direction).0;
    }

    /// How many directions there are.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are no directions.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The directions in ascending order.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> DirectionIter {
        DirectionIter(self.0)
    }

    /// The directions that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitAnd for Directions {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Directions {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let mut set = Self::EMPTY;
        for direction in directions {
            set.insert(direction);
        }
        set
    }
}

impl IntoIterator for Directions {
    type Item = Direction;
    type IntoIter = DirectionIter;
    #[inline]
    fn into_iter(self) -> DirectionIter {
        self.iter()
    }
}

/// The directions of a set in ascending order; see [`Directions::iter`].
#[derive(Clone, Debug)]
pub struct DirectionIter(u64);

impl Iterator for DirectionIter {
    type Item = Direction;
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // a bit number is below 64
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(Direction(bit as u8))
    }
}

/// The side of the board that a player looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Facing {
    /// Towards higher rows, as boards are drawn.
    North,
    /// Towards lower rows.
    South,
    /// Towards higher columns.
    East,
    /// Towards lower columns.
    West,
}

#[cfg(test)]
mod tests {
    use crate::board::{Direction, Directions};

    #[test]
    fn sets_of_directions() {
        let mut set = Directions::default();
        for d in [5, 63, 0, 5, 64, 255] {
            set.insert(Direction(d));
        }
        assert_eq!(set.len(), 3);
        assert!(set.contains(Direction(63)) && !set.contains(Direction(64)));
        let listed: Vec<_> = set.iter().map(|d| d.0).collect();
        assert_eq!(listed, [0, 5, 63]);
        assert_eq!(set.iter().collect::<Directions>(), set);
        let five = Directions::single(Direction(5));
        assert_eq!(set & five, five);
        assert_eq!(set.without(five) | five, set);
        assert!(Directions::EMPTY.is_empty());
        assert_eq!(Directions::range(3).0, 7);
        assert_eq!(Directions::range(99).len(), 64);
    }
}
