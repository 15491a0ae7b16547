//! Epaminondas on 14 by 12. The board is kept as its 76 lines, and what stands on a line as a number to the base of three,
//! for which a table knows the number of actions. An action changes few lines, so the sums are kept up to date.

use super::Played;
use super::common_a::Rng;
use super::epaminondas_actions::{Move, fronts};
use super::epaminondas_lines::{AXES, BITS, Change, MAX_LINES, Tables};
use std::sync::OnceLock;

/// The tables of the default board.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(14, 12, 2))
}

/// Two small numbers, White's in the low half and Black's in the high one; here from the two bytes of a count.
#[inline(always)]
fn pair(count: u16) -> u32 {
    u32::from(count & 255) | u32::from(count >> 8) << 16
}

#[derive(Clone)]
struct Board {
    lines: [u64; MAX_LINES],
    /// The actions along each line, White's in the low byte, without the ban on mirror images.
    counts: [u16; MAX_LINES],
    /// Their sums for each axis, as pairs.
    totals: [u32; 4],
}

impl Board {
    fn start(tables: &Tables) -> Board {
        let mut board = Board {
            lines: tables.empty,
            counts: [0; MAX_LINES],
            totals: [0; 4],
        };
        let area = (tables.columns * tables.rows) as usize;
        let army = (tables.columns * tables.filled) as usize;
        for (side, cells) in [0..army, area - army..area].into_iter().enumerate() {
            for cell in cells {
                board.set(tables, cell, &tables.deltas[side][Change::Enter as usize]);
            }
        }
        board
    }

    /// Changes a cell, and counts the actions of its four lines anew.
    #[inline(always)]
    fn set(&mut self, tables: &Tables, cell: usize, deltas: &[u64; 32]) {
        for (axis, (line, place)) in tables.places[cell].into_iter().enumerate() {
            let line = usize::from(line) % 128;
            let stands = self.lines[line].wrapping_add(deltas[usize::from(place) % 32]);
            self.lines[line] = stands;
            let count = tables.count(stands, axis == 0);
            let old = std::mem::replace(&mut self.counts[line], count);
            self.totals[axis] = self.totals[axis] + pair(count) - pair(old);
        }
    }

    /// The actions of a player, without the ban.
    #[inline(always)]
    fn total(&self, side: usize) -> u32 {
        self.totals.iter().sum::<u32>() >> (16 * side) & 0xffff
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
                    visit(Move::new(line, down, front, k));
                }
            }
        }
    }

    fn each(&self, tables: &Tables, mover: usize, mut visit: impl FnMut(Move)) {
        for line in 0..MAX_LINES {
            if self.counts[line].to_le_bytes()[mover] > 0 {
                self.along(tables, mover, line, &mut visit);
            }
        }
    }

    /// The `k`-th action of [`Board::each`].
    #[inline(always)]
    fn action(&self, tables: &Tables, mover: usize, mut k: u32) -> Move {
        const EACH: u64 = 0x0001_0001_0001_0001;
        let mut axis = 0;
        let mut before = 0;
        let mut sum = 0;
        for (i, totals) in self.totals[..3].iter().enumerate() {
            sum += totals >> (16 * mover) & 0xffff;
            (axis, before) = if sum <= k {
                (i + 1, sum)
            } else {
                (axis, before)
            };
        }
        k -= before;
        let counts = &self.counts[AXES[axis]..AXES[axis + 1]];
        let (mut chunk, mut before, mut sum) = (0, 0, 0);
        let sums = |four: &[u16; 4]| {
            let word = four
                .iter()
                .rev()
                .fold(0, |word, n| word << 16 | u64::from(*n));
            (word >> (8 * mover) & (255 * EACH)).wrapping_mul(EACH)
        };
        let chunks = counts.as_chunks::<4>().0;
        for (i, four) in chunks.iter().enumerate() {
            sum += (sums(four) >> 48) as u32;
            (chunk, before) = if sum <= k {
                (i + 1, sum)
            } else {
                (chunk, before)
            };
        }
        k -= before;
        let sums = sums(&chunks[chunk]);
        let place =
            (((sums | EACH << 15) - u64::from(k + 1) * EACH) & EACH << 15).trailing_zeros() & 48;
        k -= ((sums << 16) >> place) as u32 & 0xffff;
        let line = AXES[axis] + 4 * chunk + place as usize / 16;
        let length = tables.lines[line].length;
        for down in [false, true] {
            let (own, enemy) = self.seen(mover, line, length, down);
            for front in fronts(own, enemy, length) {
                let here = front.marches() + front.assaults();
                if k < here {
                    return Move::new(line, down, front, k);
                }
                k -= here;
            }
        }
        unreachable!("a line has as many actions as its count says")
    }

    #[inline(always)]
    fn make(&mut self, tables: &Tables, mover: usize, action: Move) {
        let line = tables.lines[action.line];
        action.changes(line.length, |change, place| {
            let cell = line.start + place * line.stride;
            self.set(tables, cell, &tables.deltas[mover][change as usize]);
        });
    }

    /// How many actions the other would have after one, for a position where neither end nor ban can come about.
    #[inline(always)]
    fn count_after(&self, tables: &Tables, mover: usize, action: Move) -> u32 {
        let mut count = self.totals.iter().sum::<u32>();
        let mut set = |line: usize, delta: u64, row: bool| {
            let stands = self.lines[line % 128].wrapping_add(delta);
            let new = pair(tables.count(stands, row));
            count = count
                .wrapping_add(new)
                .wrapping_sub(pair(self.counts[line % 128]));
        };
        let line = tables.lines[action.line];
        let first = if line.axis == 0 { 16 } else { 0 };
        let mut delta = 0u64;
        action.changes(line.length, |change, place| {
            let deltas = &tables.deltas[mover][change as usize];
            delta = delta.wrapping_add(deltas[(place + first) % 32]);
            let places = tables.places[line.start + place * line.stride];
            for (axis, (line_there, place_there)) in places.into_iter().enumerate() {
                if axis != line.axis {
                    let delta = deltas[usize::from(place_there) % 32];
                    set(usize::from(line_there), delta, axis == 0);
                }
            }
        });
        set(action.line, delta, line.axis == 0);
        count >> (16 * (1 - mover)) & 0xffff
    }

    /// Whether the mover has won as his turn begins.
    #[inline(always)]
    fn crossed(&self, tables: &Tables, mover: usize) -> bool {
        let mine = self.stones(mover, tables.goal(mover));
        mine != 0 && mine.count_ones() > self.stones(1 - mover, tables.goal(1 - mover)).count_ones()
    }

    /// The cells of a row that differ from their mirror image.
    #[inline(always)]
    fn odd_cells(&self, tables: &Tables, row: usize) -> u32 {
        // Both halves turned round at once, White's and Black's.
        let both = (self.lines[row] >> BITS[0]) as u32;
        let turned = both.reverse_bits().rotate_left(16) >> (16 - tables.columns);
        let odd = both ^ turned;
        (odd | odd >> 16) & 0xffff
    }

    /// Whether an action could come onto the last row and leave a mirror image. Such an action changes one cell of a row
    /// at most, and needs as many rows of stones one behind the other as it goes steps.
    #[inline(always)]
    fn ban_is_near(&self, tables: &Tables, mover: usize) -> bool {
        let half = (1 << (tables.columns / 2)) - 1;
        let rows = tables.rows as usize;
        let near = |row| {
            let pairs = self.odd_cells(tables, row) & half;
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
        (0..tables.rows as usize).any(|row| board.odd_cells(tables, row) != 0)
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
        self.total(mover)
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
            let action = board.action(tables, mover, rng.below(board.total(mover)));
            if legal == board.total(mover) || board.fair(tables, mover, action) {
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
