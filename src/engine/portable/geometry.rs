//! A kernel's fixed sets, tables of sets, shifts and neighbours at one width of sets, made for speed: what moves many cells
//! at once and what goes cell by cell.

use crate::board::{CellSet, MAX_CELLS};
use crate::engine::portable::code::{R, Sets, ix};
use crate::engine::portable::operations::{add, count, cut, each, has};
use crate::program::kernel::{Kernel, Shift};
use std::collections::BTreeMap;

/// Up to so many parts a whole set is moved part by part, however few cells it has.
const FEW_PARTS: usize = 2;

/// Up to this width neighbours are taken as sets, beyond it as lists.
const NARROW: usize = 2;

/// No more distances than this between neighbours, or they are taken cell by cell.
const MOST_PARTS: usize = 12;

/// Cells that move by the same distance.
#[derive(Clone, Copy, Debug)]
struct Part<const N: usize> {
    cells: CellSet<N>,
    words: usize,
    bits: u32,
    down: bool,
}

/// A shift, as parts and cell by cell.
#[derive(Debug)]
struct Moves<const N: usize> {
    parts: Vec<Part<N>>,
    steps: Vec<u16>,
}

/// What a kernel knows of its board.
#[derive(Debug)]
pub struct Geometry<const N: usize> {
    /// Fixed sets.
    pub sets: Vec<CellSet<N>>,
    /// Tables of sets.
    pub rows: Vec<Vec<CellSet<N>>>,
    shifts: Vec<Moves<N>>,
    near: Vec<CellSet<N>>,
    lists: Vec<Vec<u16>>,
    spread: Vec<Part<N>>,
}

impl<const N: usize> Part<N> {
    fn new(cells: CellSet<N>, distance: i32) -> Part<N> {
        let far = distance.unsigned_abs();
        Part {
            cells,
            words: (far / 64) as usize,
            bits: far % 64,
            down: distance < 0,
        }
    }

    /// The cells of a set that belong to the part, moved.
    #[inline(always)]
    fn of(&self, set: [u64; N]) -> [u64; N] {
        let from: [u64; N] = each(&set, self.cells.words(), |a, b| a & b);
        if self.words > 0 {
            return self.far(from);
        }
        // What goes over to the next word is moved in two steps, as a word cannot be moved by all its bits.
        let (bits, rest) = (self.bits, 63 - self.bits);
        let (mut to, mut over) = (from, 0);
        if self.down {
            for to in to.iter_mut().rev() {
                (*to, over) = (*to >> bits | over << 1 << rest, *to);
            }
        } else {
            for to in &mut to {
                (*to, over) = (*to << bits | over >> 1 >> rest, *to);
            }
        }
        to
    }

    /// The same for a distance of a word and more.
    #[inline(never)]
    fn far(&self, from: [u64; N]) -> [u64; N] {
        let (words, bits, rest) = (self.words, self.bits, 63 - self.bits);
        let at = |i: usize| from.get(i).copied().unwrap_or(0);
        let mut to = [0; N];
        for (i, to) in to.iter_mut().enumerate() {
            *to = if self.down {
                at(i + words) >> bits | at(i + words + 1) << 1 << rest
            } else {
                // Places below 0 are beyond all others.
                at(i.wrapping_sub(words)) << bits | at(i.wrapping_sub(words + 1)) >> 1 >> rest
            };
        }
        to
    }
}

impl<const N: usize> Moves<N> {
    fn new(shift: &Shift) -> Moves<N> {
        let narrow = shift.parts.iter().map(|(cells, by)| (cells.resize(), *by));
        Moves {
            parts: narrow
                .filter(|(cells, by)| !cells.is_empty() && (by.unsigned_abs() as usize) < 64 * N)
                .map(|(cells, by)| Part::new(cells, by))
                .collect(),
            steps: shift.steps.clone(),
        }
    }

    /// A set moved.
    #[inline(always)]
    fn of(&self, set: [u64; N]) -> [u64; N] {
        if let [part] = self.parts.as_slice() {
            return part.of(set);
        }
        if self.parts.len() > FEW_PARTS && few(&set, self.parts.len()) {
            return self.step(set);
        }
        join(&self.parts, set)
    }

    #[inline(never)]
    fn step(&self, set: [u64; N]) -> [u64; N] {
        let mut to = [0; N];
        for cell in CellSet::<N>::from_words(&set) {
            if let Some(next) = self.steps.get(cell.index()) {
                add(&mut to, u64::from(*next));
            }
        }
        to
    }
}

/// A set moved by all parts.
#[inline(always)]
fn join<const N: usize>(parts: &[Part<N>], set: [u64; N]) -> [u64; N] {
    let mut to = [0; N];
    for part in parts {
        to = each(&to, &part.of(set), |a, b| a | b);
    }
    to
}

/// Whether to go cell by cell is less work than so many moves of all words.
#[inline(always)]
fn few<const N: usize>(set: &[u64; N], parts: usize) -> bool {
    if N == 1 {
        return set[0] & set[0].wrapping_sub(1) == 0;
    }
    count(set) <= parts as u64
}

impl<const N: usize> Geometry<N> {
    /// What a kernel knows of its board.
    #[must_use]
    pub fn new(kernel: &Kernel) -> Geometry<N> {
        let near: Vec<CellSet<N>> = kernel.neighbours.iter().map(|c| c.resize()).collect();
        let list = |set: &CellSet<N>| set.iter().map(|c| c.0).collect();
        Geometry {
            sets: kernel.sets.iter().map(|c| c.resize()).collect(),
            rows: kernel
                .rows
                .iter()
                .map(|rows| rows.iter().map(|c| c.resize()).collect())
                .collect(),
            shifts: kernel.shifts.iter().map(Moves::new).collect(),
            spread: spread(&near),
            lists: near.iter().map(list).collect(),
            near,
        }
    }

    /// A set moved by a shift; nothing when there is no such shift.
    #[inline(always)]
    #[must_use]
    pub fn shift(&self, set: [u64; N], shift: usize) -> [u64; N] {
        match self.shifts.get(shift) {
            Some(moves) => moves.of(set),
            None => [0; N],
        }
    }

    /// A set of a window moved by a shift, and joined with another.
    #[inline(always)]
    pub fn moved(
        &self,
        s: &mut Sets<N>,
        shift: usize,
        (to, from, with): (R, R, R),
        of: impl Fn(u64, u64) -> u64,
    ) {
        let moved = self.shift(s[ix(from)], shift);
        s[ix(to)] = each(&moved, &s[ix(with)], of);
    }

    /// The cells next to any.
    #[inline(never)]
    #[must_use]
    pub fn around(&self, set: [u64; N]) -> [u64; N] {
        if !self.spread.is_empty() && count(&set) > self.spread.len() as u64 {
            return join(&self.spread, set);
        }
        let mut to = CellSet::<N>::EMPTY;
        for cell in CellSet::<N>::from_words(&set) {
            to |= self.near.get(cell.index()).copied().unwrap_or_default();
        }
        *to.words()
    }

    /// The joined part of a set that holds a cell.
    #[inline(never)]
    #[must_use]
    pub fn part(&self, set: [u64; N], cell: u64) -> [u64; N] {
        let all = CellSet::from_words(&set);
        if !has(&set, cell) {
            [0; N]
        } else if N <= NARROW {
            *self.part_by_sets(all, cell).words()
        } else {
            *self.part_by_lists(all, cell).words()
        }
    }

    fn part_by_sets(&self, set: CellSet<N>, cell: u64) -> CellSet<N> {
        let mut start = [0; N];
        add(&mut start, cell);
        let mut todo = CellSet::from_words(&start);
        let mut left = set.without(todo);
        while let Some(cell) = todo.first() {
            todo.remove(cell);
            let new = left & self.near.get(cell.index()).copied().unwrap_or_default();
            left = left.without(new);
            todo |= new;
        }
        set.without(left)
    }

    fn part_by_lists(&self, set: CellSet<N>, cell: u64) -> CellSet<N> {
        let mut left = *set.words();
        cut(&mut left, cell);
        let mut todo = [0_u16; MAX_CELLS];
        todo[0] = u16::try_from(cell).unwrap_or(0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            for next in self
                .lists
                .get(usize::from(todo[count]))
                .into_iter()
                .flatten()
            {
                if has(&left, u64::from(*next)) {
                    cut(&mut left, u64::from(*next));
                    todo[count] = *next;
                    count += 1;
                }
            }
        }
        set.without(CellSet::from_words(&left))
    }
}

/// Neighbours as parts of few distances; none when there are too many.
fn spread<const N: usize>(near: &[CellSet<N>]) -> Vec<Part<N>> {
    let mut by: BTreeMap<i32, [u64; N]> = BTreeMap::new();
    for (cell, next) in (0_u16..).zip(near) {
        for next in next {
            let distance = i32::from(next.0) - i32::from(cell);
            add(by.entry(distance).or_insert([0; N]), u64::from(cell));
        }
        if by.len() > MOST_PARTS {
            return Vec::new();
        }
    }
    by.into_iter()
        .map(|(distance, cells)| Part::new(CellSet::from_words(&cells), distance))
        .collect()
}
