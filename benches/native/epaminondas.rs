//! Epaminondas on 14 by 12. The board is kept as 76 lines; each knows what stands on it as a number to the base of three,
//! and a table says how many actions go along such a line. An action changes few lines, so the sums are kept up to date.

use super::Played;
use super::common_a::Rng;
use std::sync::OnceLock;

const MAX_LINES: usize = 80;
const MAX_CELLS: usize = 168;
const LONGEST: usize = 14;
/// What stands on a line: its place in the table, then the cells of White and of Black, as one bit each.
const INDEX: u64 = 0xff_ffff;
const BITS: [u32; 2] = [24, 40];

/// A row, a column or a diagonal.
#[derive(Clone, Copy, Default)]
struct Line {
    start: usize,
    stride: usize,
    length: u32,
    axis: usize,
}

/// What an action does to a cell, as a row of [`Tables::deltas`].
#[derive(Clone, Copy)]
enum Change {
    Leave,
    Enter,
    Lose,
    Storm,
}

/// What does not change during a game.
struct Tables {
    columns: u32,
    rows: u32,
    filled: u32,
    /// How many actions White (low byte) and Black have along a line.
    counts: Vec<u16>,
    lines: [Line; MAX_LINES],
    /// Where the lines' numbers start: the empty line of their length.
    empty: [u64; MAX_LINES],
    /// The lines of a cell, one of each axis, and its places on them.
    places: [[(u8, u8); 4]; MAX_CELLS],
    /// By mover, kind of change, and place.
    deltas: [[[u64; 16]; 4]; 2],
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

impl Tables {
    fn new(columns: u32, rows: u32, filled: u32) -> Tables {
        let (width, height) = (columns as usize, rows as usize);
        let mut lines = Vec::new();
        let mut add = |start, stride, length: usize, axis| {
            let length = length as u32;
            lines.push(Line {
                start,
                stride,
                length,
                axis,
            });
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
        let longest = width.max(height);
        let (mut offsets, mut size) = (vec![None; longest + 1], 0);
        for line in &lines {
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
            lines: [Line::default(); MAX_LINES],
            empty: [0; MAX_LINES],
            places: [[(0, 0); 4]; MAX_CELLS],
            deltas: [[[0; 16]; 4]; 2],
        };
        tables.pair_up(&table, &offsets);
        for (i, line) in lines.into_iter().enumerate() {
            tables.lines[i] = line;
            tables.empty[i] = offsets[line.length as usize].unwrap_or(0) as u64;
            for place in 0..line.length as usize {
                let cell = line.start + place * line.stride;
                tables.places[cell][line.axis] = (i as u8, place as u8);
            }
        }
        for (mover, place) in (0..2).flat_map(|mover| (0..LONGEST).map(move |p| (mover, p))) {
            let one = |side: usize| {
                (side as u64 + 1) * 3u64.pow(place as u32) | 1 << (BITS[side] + place as u32)
            };
            let (own, enemy) = (one(mover), one(1 - mover));
            let all = [
                own.wrapping_neg(),
                own,
                enemy.wrapping_neg(),
                own.wrapping_sub(enemy),
            ];
            for (kind, delta) in all.into_iter().enumerate() {
                tables.deltas[mover][kind][place] = delta;
            }
        }
        tables
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
    fn goal(&self, mover: usize) -> usize {
        if mover == 0 {
            self.rows as usize - 1
        } else {
            0
        }
    }
}

/// The tables of the default board.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(14, 12, 2))
}

/// The front of a run of own stones, in one direction.
#[derive(Clone, Copy)]
struct Front {
    at: u32,
    run: u32,
    /// The empty cells ahead.
    gap: u32,
    /// The length of the enemies behind these, if there are any.
    foe: u32,
}

impl Front {
    fn marches(self) -> u32 {
        let short = self.run.min(self.gap);
        short * (short + 1) / 2 + (self.run - short) * self.gap
    }

    fn assaults(self) -> u32 {
        u32::from(self.foe > 0) * self.run.saturating_sub(self.gap.max(self.foe))
    }

    /// One of the actions: how many stones go how many steps, and how many are taken.
    fn action(self, mut k: u32) -> (u32, u32, u32) {
        let marches = self.marches();
        if k >= marches {
            let stones = self.gap.max(self.foe) + 1 + k - marches;
            return (stones, self.gap + 1, self.foe);
        }
        let mut stones = 1;
        while k >= self.gap.min(stones) {
            k -= self.gap.min(stones);
            stones += 1;
        }
        (stones, k + 1, 0)
    }
}

/// The fronts of a line towards the higher bits.
#[inline(always)]
fn fronts(own: u32, enemy: u32, length: u32) -> impl Iterator<Item = Front> {
    let mut rest = own & !(own >> 1) & !(1 << (length - 1));
    let all = own | enemy | 1 << length;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let at = rest.trailing_zeros();
        rest &= rest - 1;
        let gap = (all >> (at + 1)).trailing_zeros();
        Some(Front {
            at,
            run: (own << (31 - at)).leading_ones(),
            gap,
            foe: (enemy >> (at + 1 + gap)).trailing_ones(),
        })
    })
}

/// An action: the front stone's place on its line, seen from the end where the way begins.
#[derive(Clone, Copy)]
struct Move {
    line: usize,
    down: bool,
    front: u32,
    stones: u32,
    steps: u32,
    taken: u32,
}

impl Move {
    /// The changed places on the line.
    #[inline(always)]
    fn changes(self, length: u32, mut change: impl FnMut(Change, usize)) {
        let place = |p: u32| (if self.down { length - 1 - p } else { p }) as usize;
        let (rear, target) = (self.front + 1 - self.stones, self.front + self.steps);
        for step in 0..self.steps {
            change(Change::Leave, place(rear + step));
        }
        for p in self.front + 1..target {
            change(Change::Enter, place(p));
        }
        let last = if self.taken > 0 {
            Change::Storm
        } else {
            Change::Enter
        };
        change(last, place(target));
        for p in target + 1..target + self.taken {
            change(Change::Lose, place(p));
        }
    }
}

#[derive(Clone)]
struct Board {
    lines: [u64; MAX_LINES],
    /// The actions of both players along each line, and in all, without the ban on mirror images.
    counts: [[u8; MAX_LINES]; 2],
    totals: [u32; 2],
}

impl Board {
    fn start(tables: &Tables) -> Board {
        let mut board = Board {
            lines: tables.empty,
            counts: [[0; MAX_LINES]; 2],
            totals: [0; 2],
        };
        let area = (tables.columns * tables.rows) as usize;
        let army = (tables.columns * tables.filled) as usize;
        for (side, cells) in [0..army, area - army..area].into_iter().enumerate() {
            for (line, place) in cells.flat_map(|cell| tables.places[cell]) {
                let delta = tables.deltas[side][Change::Enter as usize][usize::from(place)];
                board.set(tables, usize::from(line), delta);
            }
        }
        board
    }

    /// Changes a line and counts its actions anew.
    #[inline(always)]
    fn set(&mut self, tables: &Tables, line: usize, delta: u64) {
        let stands = self.lines[line].wrapping_add(delta);
        self.lines[line] = stands;
        for (side, count) in tables.counts[(stands & INDEX) as usize]
            .to_le_bytes()
            .into_iter()
            .enumerate()
        {
            self.totals[side] =
                self.totals[side] + u32::from(count) - u32::from(self.counts[side][line]);
            self.counts[side][line] = count;
        }
    }

    #[inline(always)]
    fn stones(&self, side: usize, line: usize) -> u32 {
        (self.lines[line] >> BITS[side]) as u32 & 0xffff
    }

    /// A line's own and enemy stones, from its beginning or from its end.
    #[inline(always)]
    fn seen(&self, mover: usize, line: usize, length: u32, down: bool) -> (u32, u32) {
        let (own, enemy) = (self.stones(mover, line), self.stones(1 - mover, line));
        let turn = |bits: u32| bits.reverse_bits() >> (32 - length);
        if down {
            (turn(own), turn(enemy))
        } else {
            (own, enemy)
        }
    }

    /// All actions along a line, also those that the ban forbids.
    #[inline(always)]
    fn along(&self, tables: &Tables, mover: usize, line: usize, mut visit: impl FnMut(Move)) {
        let length = tables.lines[line].length;
        for down in [false, true] {
            let (own, enemy) = self.seen(mover, line, length, down);
            for front in fronts(own, enemy, length) {
                for k in 0..front.marches() + front.assaults() {
                    let (stones, steps, taken) = front.action(k);
                    visit(Move {
                        line,
                        down,
                        front: front.at,
                        stones,
                        steps,
                        taken,
                    });
                }
            }
        }
    }

    fn each(&self, tables: &Tables, mover: usize, mut visit: impl FnMut(Move)) {
        for line in 0..MAX_LINES {
            if self.counts[mover][line] > 0 {
                self.along(tables, mover, line, &mut visit);
            }
        }
    }

    /// The `k`-th action of [`Board::each`].
    #[inline(always)]
    fn action(&self, tables: &Tables, mover: usize, mut k: u32) -> Move {
        const ODD: u64 = 0x00ff_00ff_00ff_00ff;
        let mut line = 0;
        for eight in self.counts[mover].as_chunks::<8>().0 {
            let word = u64::from_le_bytes(*eight);
            let sums = (word & ODD) + (word >> 8 & ODD);
            let sum = (sums.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32;
            if k < sum {
                break;
            }
            k -= sum;
            line += 8;
        }
        while k >= u32::from(self.counts[mover][line]) {
            k -= u32::from(self.counts[mover][line]);
            line += 1;
        }
        let length = tables.lines[line].length;
        for down in [false, true] {
            let (own, enemy) = self.seen(mover, line, length, down);
            for front in fronts(own, enemy, length) {
                let here = front.marches() + front.assaults();
                if k < here {
                    let (stones, steps, taken) = front.action(k);
                    return Move {
                        line,
                        down,
                        front: front.at,
                        stones,
                        steps,
                        taken,
                    };
                }
                k -= here;
            }
        }
        unreachable!("a line has as many actions as its count says")
    }

    #[inline(always)]
    fn make(&mut self, tables: &Tables, mover: usize, action: Move) {
        let line = tables.lines[action.line];
        let mut delta = 0u64;
        action.changes(line.length, |change, place| {
            let deltas = &tables.deltas[mover][change as usize];
            delta = delta.wrapping_add(deltas[place & 15]);
            let places = tables.places[line.start + place * line.stride];
            for (axis, (line_there, place_there)) in places.into_iter().enumerate() {
                if axis != line.axis {
                    self.set(
                        tables,
                        usize::from(line_there),
                        deltas[usize::from(place_there & 15)],
                    );
                }
            }
        });
        self.set(tables, action.line, delta);
    }

    /// How many actions the other would have after one, for a position where neither end nor ban can come about.
    #[inline(always)]
    fn count_after(&self, tables: &Tables, mover: usize, action: Move) -> u32 {
        let other = 1 - mover;
        let mut count = self.totals[other];
        let mut set = |line: usize, delta: u64| {
            let stands = self.lines[line].wrapping_add(delta) & INDEX;
            let new = u32::from(tables.counts[stands as usize].to_le_bytes()[other]);
            count = count
                .wrapping_add(new)
                .wrapping_sub(u32::from(self.counts[other][line]));
        };
        let line = tables.lines[action.line];
        let mut delta = 0u64;
        action.changes(line.length, |change, place| {
            let deltas = &tables.deltas[mover][change as usize];
            delta = delta.wrapping_add(deltas[place & 15]);
            let places = tables.places[line.start + place * line.stride];
            for (axis, (line_there, place_there)) in places.into_iter().enumerate() {
                if axis != line.axis {
                    set(
                        usize::from(line_there),
                        deltas[usize::from(place_there & 15)],
                    );
                }
            }
        });
        set(action.line, delta);
        count
    }

    /// Whether the mover has won as his turn begins.
    #[inline(always)]
    fn crossed(&self, tables: &Tables, mover: usize) -> bool {
        let mine = self.stones(mover, tables.goal(mover));
        mine != 0 && mine.count_ones() > self.stones(1 - mover, tables.goal(1 - mover)).count_ones()
    }

    /// The pairs of mirrored cells of a row that differ, each as two bits.
    #[inline(always)]
    fn odd_pairs(&self, tables: &Tables, row: usize) -> u32 {
        let (own, enemy) = self.seen(0, row, tables.columns, false);
        let (own_back, enemy_back) = self.seen(0, row, tables.columns, true);
        (own ^ own_back) | (enemy ^ enemy_back)
    }

    /// Whether an action could come onto the last row and leave a mirror image. Such an action changes one cell of a row
    /// at most, and needs as many rows of stones one behind the other as it goes steps.
    #[inline(always)]
    fn ban_is_near(&self, tables: &Tables, mover: usize) -> bool {
        let half = (1 << (tables.columns / 2)) - 1;
        let rows = tables.rows as usize;
        let near = |row| {
            let pairs = self.odd_pairs(tables, row) & half;
            pairs & pairs.wrapping_sub(1) == 0
        };
        let full = |distance: usize| {
            let row = if mover == 0 {
                rows - 1 - distance
            } else {
                distance
            };
            self.stones(mover, row) != 0
        };
        (0..rows).all(near) && (1..=rows / 2).any(|k| (k..2 * k).all(full))
    }

    /// Whether the ban lets an action be.
    fn fair(&self, tables: &Tables, mover: usize, action: Move) -> bool {
        let line = tables.lines[action.line];
        let target = action.front + action.steps;
        let place = if action.down {
            line.length - 1 - target
        } else {
            target
        };
        let row = (line.start + place as usize * line.stride) / tables.columns as usize;
        if line.axis == 0 || row != tables.goal(mover) {
            return true;
        }
        let mut board = self.clone();
        board.make(tables, mover, action);
        (0..tables.rows as usize).any(|row| board.odd_pairs(tables, row) != 0)
    }

    /// The number of legal actions.
    #[inline(always)]
    fn legal(&self, tables: &Tables, mover: usize) -> u32 {
        if self.ban_is_near(tables, mover) {
            let mut count = 0;
            self.each(tables, mover, |a| {
                count += u32::from(self.fair(tables, mover, a))
            });
            return count;
        }
        self.totals[mover]
    }

    /// Whether the other, after any action of the mover, may win or fall under the ban: only with a stone in the half
    /// of the board that he comes to.
    fn other_is_near(&self, tables: &Tables, mover: usize) -> bool {
        let rows = tables.rows as usize;
        let row = |distance: usize| {
            if mover == 0 {
                distance
            } else {
                rows - 1 - distance
            }
        };
        (0..=rows / 2).any(|distance| self.stones(1 - mover, row(distance)) != 0)
    }

    fn perft(&self, tables: &Tables, mover: usize, depth: u32) -> u64 {
        if self.crossed(tables, mover) {
            return 0;
        }
        if depth == 1 {
            return u64::from(self.legal(tables, mover));
        }
        let ban = self.ban_is_near(tables, mover);
        let calm = depth == 2 && !self.other_is_near(tables, mover);
        let mut sum = 0;
        self.each(tables, mover, |action| {
            if ban && !self.fair(tables, mover, action) {
                return;
            }
            if calm {
                sum += u64::from(self.count_after(tables, mover, action));
                return;
            }
            let mut board = self.clone();
            board.make(tables, mover, action);
            sum += board.perft(tables, 1 - mover, depth - 1);
        });
        sum
    }
}

/// The number of action sequences of exactly that length from the start.
pub fn perft(depth: u32) -> u64 {
    perft_on((14, 12, 2), depth)
}

/// The same on a board of so many columns and rows, with so many rows of stones on each side.
pub fn perft_on(size: (u32, u32, u32), depth: u32) -> u64 {
    let own;
    let tables = match size {
        (14, 12, 2) => tables(),
        (columns, rows, filled) => {
            own = Tables::new(columns, rows, filled);
            &own
        }
    };
    match depth {
        0 => 1,
        _ => Board::start(tables).perft(tables, 0, depth),
    }
}

/// Plays a game: the winner, or 2 if it is broken off.
fn play(tables: &Tables, start: &Board, rng: &mut Rng, max_plies: u32, plies: &mut u64) -> usize {
    let mut board = start.clone();
    for ply in 0..=max_plies {
        let mover = ply as usize % 2;
        if board.crossed(tables, mover) {
            return mover;
        }
        let legal = board.legal(tables, mover);
        if legal == 0 {
            return 1 - mover;
        }
        if ply == max_plies {
            break;
        }
        *plies += 1;
        // With the ban near, all actions are drawn from until a legal one comes.
        let action = loop {
            let action = board.action(tables, mover, rng.below(board.totals[mover]));
            if legal == board.totals[mover] || board.fair(tables, mover, action) {
                break action;
            }
        };
        board.make(tables, mover, action);
    }
    2
}

/// Random games: every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    let (tables, start) = (tables(), Board::start(tables()));
    for _ in 0..games {
        match play(tables, &start, &mut rng, max_plies, &mut played.plies) {
            2 => played.cut += 1,
            winner => played.wins[winner & 1] += 1,
        }
    }
    played
}
