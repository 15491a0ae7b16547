//! Cells by number and sets of them as bits: numbers in, set algebra out; no board is known here, so no cell is ever "off" it.

use std::fmt;

use crate::board::MAX_WORDS;

/// A cell of a board: its index in board order (row 1 or row `a` first, each row from the left).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u16);

impl Cell {
    /// The number as an index into tables with one entry a cell.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of cells, one bit each: cell `c` is bit `c % 64` of word `c / 64`.
///
/// It holds the cells `0 .. 64 * N`. A cell beyond that is never a member: inserting it does nothing.
/// Sets are ordered as their words are, which is a fixed order without further meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet<const N: usize>([u64; N]);

/// The widest set: it has room for every cell of every board.
pub type Cells = CellSet<MAX_WORDS>;

impl<const N: usize> CellSet<N> {
    /// No cells.
    pub const EMPTY: Self = Self([0; N]);

    /// The set of one cell.
    #[inline]
    #[must_use]
    pub fn single(cell: Cell) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// The cells numbered `0 .. count`, as far as there is room.
    #[inline]
    #[must_use]
    pub fn range(count: usize) -> Self {
        Self(std::array::from_fn(|word| {
            match count.saturating_sub(word * 64) {
                0 => 0,
                left if left >= 64 => u64::MAX,
                left => (1 << left) - 1,
            }
        }))
    }

    /// A set from its words; missing words are empty, words beyond `N` are left out.
    #[inline]
    #[must_use]
    pub fn from_words(words: &[u64]) -> Self {
        let mut set = Self::EMPTY;
        for (to, from) in set.0.iter_mut().zip(words) {
            *to = *from;
        }
        set
    }

    /// The words of the set, lowest cells first.
    #[inline]
    #[must_use]
    pub const fn words(&self) -> &[u64; N] {
        &self.0
    }

    /// The same cells in a set of another width; cells for which it has no room are left out.
    #[inline]
    #[must_use]
    pub fn resize<const M: usize>(&self) -> CellSet<M> {
        CellSet::from_words(&self.0)
    }

    /// Whether the cell is a member.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        match self.0.get(cell.index() / 64) {
            Some(word) => word >> (cell.0 % 64) & 1 != 0,
            None => false,
        }
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(cell.index() / 64) {
            *word |= 1 << (cell.0 % 64);
        }
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(cell.index() / 64) {
            *word &= !(1 << (cell.0 % 64));
        }
    }

    /// Whether there are no cells.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many cells there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lowest cell.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        let (at, word) = self.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(cell_of(at, word.trailing_zeros()))
    }

    /// The highest cell.
    #[inline]
    #[must_use]
    pub fn last(&self) -> Option<Cell> {
        let (at, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(cell_of(at, 63 - word.leading_zeros()))
    }

    /// The cells in ascending order.
    #[inline]
    #[must_use]
    pub const fn iter(&self) -> CellIter<N> {
        CellIter {
            words: self.0,
            at: 0,
        }
    }

    /// The cells that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Whether every cell is also in `of`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, of: Self) -> bool {
        self.without(of).is_empty()
    }

    /// Whether the two sets share a cell.
    #[inline]
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Joins the two sets word by word.
    #[inline]
    pub(super) fn zip(mut self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = join(*a, b);
        }
        self
    }
}

/// The cell of a word and bit; sets reach 65536 cells at most before numbers would repeat, far beyond any board.
#[inline]
#[allow(clippy::cast_possible_truncation)]
const fn cell_of(word: usize, bit: u32) -> Cell {
    Cell((word * 64 + bit as usize) as u16)
}

impl<const N: usize> Default for CellSet<N> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> fmt::Debug for CellSet<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|c| c.0)).finish()
    }
}

impl<const N: usize> FromIterator<Cell> for CellSet<N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl<const N: usize> IntoIterator for CellSet<N> {
    type Item = Cell;
    type IntoIter = CellIter<N>;
    #[inline]
    fn into_iter(self) -> CellIter<N> {
        self.iter()
    }
}

impl<const N: usize> IntoIterator for &CellSet<N> {
    type Item = Cell;
    type IntoIter = CellIter<N>;
    #[inline]
    fn into_iter(self) -> CellIter<N> {
        self.iter()
    }
}

/// The cells of a set in ascending order; see [`CellSet::iter`].
#[derive(Clone, Debug)]
pub struct CellIter<const N: usize> {
    words: [u64; N],
    at: usize,
}

impl<const N: usize> Iterator for CellIter<N> {
    type Item = Cell;
    #[inline]
    fn next(&mut self) -> Option<Cell> {
        loop {
            let word = self.words.get_mut(self.at)?;
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(cell_of(self.at, bit));
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::board::{Cell, CellSet, Cells};

    /// A fixed sequence of pseudo-random numbers (splitmix64).
    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn same(set: CellSet<3>, oracle: &BTreeSet<u16>) {
        assert!(set.iter().map(|c| c.0).eq(oracle.iter().copied()));
        assert_eq!(set.len(), oracle.len());
        assert_eq!(set.is_empty(), oracle.is_empty());
        assert_eq!(set.first().map(|c| c.0), oracle.first().copied());
        assert_eq!(set.last().map(|c| c.0), oracle.last().copied());
        assert_eq!(format!("{set:?}"), format!("{oracle:?}"));
        assert!((0..200).all(|i| set.contains(Cell(i)) == oracle.contains(&i)));
    }

    fn sample(seed: &mut u64) -> (CellSet<3>, BTreeSet<u16>) {
        let (mut set, mut oracle) = (CellSet::EMPTY, BTreeSet::new());
        for _ in 0..random(seed) % 60 {
            let i = u16::try_from(random(seed) % 192).unwrap_or(0);
            if random(seed).is_multiple_of(4) {
                set.remove(Cell(i));
                oracle.remove(&i);
            } else {
                set.insert(Cell(i));
                oracle.insert(i);
            }
        }
        (set, oracle)
    }

    #[test]
    fn sets_agree_with_a_tree_set() {
        let mut seed = 1;
        for _ in 0..300 {
            let (a, x) = sample(&mut seed);
            let (b, y) = sample(&mut seed);
            same(a, &x);
            same(a & b, &(&x & &y));
            same(a | b, &(&x | &y));
            same(a ^ b, &(&x ^ &y));
            same(a.without(b), &(&x - &y));
            assert_eq!(a.is_subset(b), x.is_subset(&y));
            assert_eq!(a.intersects(b), !x.is_disjoint(&y));
            assert_eq!(a.iter().collect::<CellSet<3>>(), a);
            assert_eq!(a.resize::<20>().resize::<3>(), a);
            assert_eq!(CellSet::from_words(a.words()), a);
        }
    }

    #[test]
    fn widths_and_cells_out_of_range() {
        for n in [0, 1, 63, 64, 65, 128, 1279, 1280] {
            assert_eq!(Cells::range(n).len(), n);
            assert_eq!(Cells::range(n).last().map_or(0, |c| c.index() + 1), n);
        }
        assert_eq!(Cells::range(5000).len(), 1280);
        let mut set = CellSet::<1>::single(Cell(64));
        set.remove(Cell(u16::MAX));
        assert!(set.is_empty() && !set.contains(Cell(999)));
        assert_eq!(Cells::range(100).resize::<1>(), CellSet::range(64));
    }
}
