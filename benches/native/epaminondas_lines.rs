//! The lines of the Epaminondas board, and a table that says for everything that can stand on a line how many actions go
//! along it.

/// Rows, columns and both diagonals begin at these lines; between them are lines without cells.
pub const AXES: [usize; 5] = [0, 16, 32, 64, 96];
/// The number of lines.
pub const MAX_LINES: usize = 128;
const MAX_CELLS: usize = 168;
const LONGEST: usize = 14;
/// A row's number is made of two, of its left cells and of the others: a table for whole rows would be too large for caches.
const HALF: usize = 7;
const HALF_SIZE: usize = 3usize.pow(HALF as u32);
const HALF_BITS: u32 = 12;
/// More than the ways in which a half can look from the other half.
const LOOKS: usize = 256;
/// What stands on a line is one number: its place in the table, then the cells of White and of Black, one bit each.
pub const INDEX: u64 = 0xff_ffff;
/// Where the stones of both begin.
pub const BITS: [u32; 2] = [24, 40];

/// A row, a column or a diagonal.
#[derive(Clone, Copy, Default)]
pub struct Line {
    pub start: usize,
    pub stride: usize,
    pub length: u32,
    pub axis: usize,
}

/// What an action does to a cell, as a row of [`Tables::deltas`].
#[derive(Clone, Copy)]
pub enum Change {
    Leave,
    Enter,
    Lose,
    Storm,
}

/// What does not change during a game.
pub struct Tables {
    pub columns: u32,
    pub rows: u32,
    pub filled: u32,
    /// How many actions White (low byte) and Black have along a line.
    pub counts: Vec<u16>,
    pub lines: [Line; MAX_LINES],
    /// Where the lines' numbers start: the empty line of their length.
    pub empty: [u64; MAX_LINES],
    /// The lines of a cell, one of each axis, and its places on them.
    pub places: [[(u8, u8); 4]; MAX_CELLS],
    /// By mover, kind of change, and place; the places of rows begin at 16.
    pub deltas: [[[u64; 32]; 4]; 2],
    /// A row's left and right half: what goes along it alone, and how it looks from the other half.
    halves: [[(u16, u16); HALF_SIZE]; 2],
    /// What comes to it with both halves together, by how these look.
    joints: Vec<u16>,
}

/// The last runs of a line that is built cell by cell.
#[derive(Clone, Copy, Default)]
struct Runs {
    /// Whose the last run is (0: none, 1: own, 2: enemy), how long, and how many empty cells follow.
    kind: u32,
    run: u32,
    gap: u32,
    /// The same of the run before; the gap is the one between.
    before: (u32, u32, u32),
    /// The actions of the owner so far.
    total: u32,
}

impl Runs {
    fn with(mut self, kind: u32) -> Runs {
        if kind == 0 {
            self.total += u32::from(self.kind == 1) * self.run.saturating_sub(self.gap);
            self.gap += 1;
            return self;
        }
        if kind != self.kind || self.gap > 0 {
            self.before = (self.kind, self.run, self.gap);
            (self.kind, self.run, self.gap) = (kind, 0, 0);
        }
        self.run += 1;
        let (other, length, gap) = self.before;
        if kind == 1 {
            // Backwards, with all of the run: marches, and an assault.
            self.total += gap.min(self.run);
            self.total += u32::from(other == 2 && self.run > gap.max(length));
        } else if other == 1 {
            let assaults = |foe: u32| length.saturating_sub(gap.max(foe));
            self.total += assaults(self.run);
            self.total -= u32::from(self.run > 1) * assaults(self.run - 1);
        }
        self
    }
}

/// Writes the numbers of actions of the owner of ones for all lines of the lengths that have an offset.
fn fill(table: &mut [u8], offsets: &[Option<usize>], index: usize, length: usize, runs: Runs) {
    if let Some(offset) = offsets[length] {
        table[offset + index] = runs.total as u8;
    }
    if length + 1 < offsets.len() {
        for kind in 0..3 {
            let next = index + kind as usize * 3usize.pow(length as u32);
            fill(table, offsets, next, length + 1, runs.with(kind));
        }
    }
}

/// All of a half that matters for the actions that have to do with the other half, from where they meet: the gap, the first
/// run, and when this could go on in the other half, the gap behind it and the enemy run behind that.
fn look(inwards: &[u32]) -> [usize; 6] {
    let mut rest = inwards;
    let mut run = |kind: u32| {
        let length = rest.iter().take_while(|k| **k == kind).count();
        rest = &rest[length..];
        (length, rest.first().copied().unwrap_or(0))
    };
    let (gap, kind) = run(0);
    let (first, _) = run(kind);
    if gap > 0 || kind == 0 {
        return [gap, kind as usize, first, 0, 0, 0];
    }
    let (behind, other) = run(0);
    if other == 0 || other == kind {
        return [gap, kind as usize, first, behind, 0, 0];
    }
    [gap, kind as usize, first, behind, 1, run(other).0]
}

/// The actions of both along some cells, White's in the low byte.
fn both(cells: &[u32]) -> u16 {
    let count = |kinds: [u32; 3]| {
        let kinds = cells.iter().map(|kind| kinds[*kind as usize]);
        kinds.fold(Runs::default(), Runs::with).total as u16
    };
    count([0, 1, 2]) | count([0, 2, 1]) << 8
}

impl Tables {
    /// The tables of a board.
    pub fn new(columns: u32, rows: u32, filled: u32) -> Tables {
        let (width, height) = (columns as usize, rows as usize);
        let mut lines = [Line::default(); MAX_LINES];
        let mut next = AXES;
        let mut add = |start, stride, length: usize, axis: usize| {
            let length = length as u32;
            lines[next[axis]] = Line {
                start,
                stride,
                length,
                axis,
            };
            next[axis] += 1;
        };
        (0..height).for_each(|y| add(y * width, 1, width, 0));
        (0..width).for_each(|x| add(x, width, height, 1));
        for start in (0..height).rev().map(|y| y * width).chain(1..width) {
            let (x, y) = (start % width, start / width);
            add(start, width + 1, (width - x).min(height - y), 2);
        }
        let right = (1..height).map(|y| y * width + width - 1);
        for start in (0..width).chain(right) {
            let (x, y) = (start % width, start / width);
            add(start, width - 1, (x + 1).min(height - y), 3);
        }
        let longest = height;
        let (mut offsets, mut size) = (vec![None; longest + 1], 0);
        for line in lines.iter().filter(|line| line.length > 0 && line.axis > 0) {
            if offsets[line.length as usize].is_none() {
                offsets[line.length as usize] = Some(size);
                size += 3usize.pow(line.length);
            }
        }
        let mut table = vec![0; size];
        fill(&mut table, &offsets, 0, 0, Runs::default());
        let mut tables = Tables {
            columns,
            rows,
            filled,
            counts: vec![0; size],
            lines,
            empty: [0; MAX_LINES],
            places: [[(0, 0); 4]; MAX_CELLS],
            deltas: [[[0; 32]; 4]; 2],
            halves: [[(0, 0); HALF_SIZE]; 2],
            joints: vec![0; LOOKS * LOOKS],
        };
        tables.pair_up(&table, &offsets);
        tables.join_halves();
        for (i, line) in lines.into_iter().enumerate() {
            if line.axis > 0 {
                tables.empty[i] = offsets[line.length as usize].unwrap_or(0) as u64;
            }
            for place in 0..line.length as usize {
                let cell = line.start + place * line.stride;
                let offset = if line.axis == 0 { 16 } else { 0 };
                tables.places[cell][line.axis] = (i as u8, (place + offset) as u8);
            }
        }
        for mover in 0..2 {
            for place in (0..LONGEST).chain(16..16 + LONGEST) {
                tables.set_deltas(mover, place);
            }
        }
        tables
    }

    fn set_deltas(&mut self, mover: usize, place: usize) {
        let weight = match place {
            0..16 => 3u64.pow(place as u32),
            16..23 => 3u64.pow(place as u32 - 16),
            _ => 3u64.pow(place as u32 - 23) << HALF_BITS,
        };
        let bit = |side: usize| 1 << (BITS[side] + place as u32 % 16);
        let one = |side: usize| ((side as u64 + 1) * weight) | bit(side);
        let (own, enemy) = (one(mover), one(1 - mover));
        self.deltas[mover][Change::Leave as usize][place] = own.wrapping_neg();
        self.deltas[mover][Change::Enter as usize][place] = own;
        self.deltas[mover][Change::Lose as usize][place] = enemy.wrapping_neg();
        self.deltas[mover][Change::Storm as usize][place] = own.wrapping_sub(enemy);
    }

    /// The actions along what stands on a line; `row` says of which kind of line.
    #[inline(always)]
    pub fn count(&self, stands: u64, row: bool) -> u16 {
        if !row {
            return self.counts[(stands & INDEX) as usize];
        }
        let (left, right) = (stands % (1 << HALF_BITS), (stands & INDEX) >> HALF_BITS);
        let (left, look) = self.halves[0][left as usize];
        let (right, other_look) = self.halves[1][right as usize];
        let joint = self.joints[usize::from(look) * LOOKS + usize::from(other_look)];
        left.wrapping_add(right).wrapping_add(joint)
    }

    /// Fills `halves` and `joints`.
    fn join_halves(&mut self) {
        let left = HALF.min(self.columns as usize);
        let lengths = [left, self.columns as usize - left];
        let cells = |index: usize, length: usize| {
            (0..length).map(move |i| (index / 3usize.pow(i as u32) % 3) as u32)
        };
        // For every look the cells of one half that looks so.
        let mut looks: [Vec<([usize; 6], Vec<u32>)>; 2] = [Vec::new(), Vec::new()];
        for (side, length) in lengths.into_iter().enumerate() {
            for index in 0..3usize.pow(length as u32) {
                let cells: Vec<u32> = cells(index, length).collect();
                let mut inwards = cells.clone();
                if side == 0 {
                    inwards.reverse();
                }
                let look = look(&inwards);
                let known = looks[side].iter().position(|(l, _)| *l == look);
                let known = known.unwrap_or_else(|| {
                    looks[side].push((look, cells.clone()));
                    looks[side].len() - 1
                });
                self.halves[side][index] = (both(&cells), known as u16);
            }
        }
        for (i, (_, left)) in looks[0].iter().enumerate() {
            for (k, (_, right)) in looks[1].iter().enumerate() {
                let alone = both(left).wrapping_add(both(right));
                let together = both(&[left.as_slice(), right].concat());
                self.joints[i * LOOKS + k] = together.wrapping_sub(alone);
            }
        }
    }

    /// Puts the counts of both players together: Black's are those of the line with the colours changed.
    fn pair_up(&mut self, table: &[u8], offsets: &[Option<usize>]) {
        let swapped: Vec<usize> = (0..3usize.pow(7))
            .map(|n| {
                (0..7)
                    .map(|i| 3usize.pow(i))
                    .map(|p| [0, 2, 1][n / p % 3] * p)
                    .sum()
            })
            .collect();
        for (length, offset) in offsets.iter().enumerate() {
            let Some(offset) = *offset else { continue };
            for index in 0..3usize.pow(length as u32) {
                let high = swapped[index / swapped.len()] * swapped.len();
                let other = table[offset + high + swapped[index % swapped.len()]];
                self.counts[offset + index] =
                    u16::from(table[offset + index]) | u16::from(other) << 8;
            }
        }
    }

    /// The last row of a player's way, as a line.
    pub fn goal(&self, mover: usize) -> usize {
        if mover == 0 {
            self.rows as usize - 1
        } else {
            0
        }
    }
}
