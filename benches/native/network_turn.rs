//! A position of Network and what can be done in it. A word for each player's stones; where a stone would make a cluster of
//! three is kept up to date while stones are dropped, and found by sums when they step.

use super::common_b::{count, each};

/// Steps of the eight directions: those that go up in the word first.
const UP: usize = 4;
const MOVES: [(i8, i8); 8] = [
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];
/// The cells seen from a cell over an empty board, by direction.
const RAYS: [[u64; 8]; 64] = rays();
/// The cells beside a cell.
const BESIDE: [u64; 64] = beside();

const CORNERS: u64 = 0x8100_0000_0000_0081;
const COLUMNS: [u64; 2] = [0x0101_0101_0101_0101, 0x8080_8080_8080_8080];
const ROWS: [u64; 2] = [0xff, 0xff << 56];
const NOT_A: u64 = !COLUMNS[0];
const NOT_H: u64 = !COLUMNS[1];

/// Where a player's network begins and ends.
const ENTRY: [u64; 2] = [COLUMNS[0] & !CORNERS, ROWS[0] & !CORNERS];
const EXIT: [u64; 2] = [COLUMNS[1] & !CORNERS, ROWS[1] & !CORNERS];
/// Where a player may have stones.
const FIELD: [u64; 2] = [!(ROWS[0] | ROWS[1]), !(COLUMNS[0] | COLUMNS[1])];
/// Stones in each hand.
pub const STONES: u32 = 10;
/// Stones in a network.
pub const NEED: u32 = 6;

const fn rays() -> [[u64; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut way = 0;
        while way < 8 {
            let (mut x, mut y) = (cell as i8 % 8, cell as i8 / 8);
            loop {
                x += MOVES[way].0;
                y += MOVES[way].1;
                if x < 0 || x > 7 || y < 0 || y > 7 {
                    break;
                }
                table[cell][way] |= 1 << (8 * y + x);
            }
            way += 1;
        }
        cell += 1;
    }
    table
}

const fn beside() -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        table[cell] = around(1 << cell) & !(1 << cell);
        cell += 1;
    }
    table
}

/// The cells of a set and those beside them.
const fn around(x: u64) -> u64 {
    let row = x | (x << 1 & NOT_A) | (x >> 1 & NOT_H);
    row | row << 8 | row >> 8
}

/// The nearest occupied cell in a direction.
#[inline]
fn nearest(cell: u32, way: usize, occupied: u64) -> Option<u32> {
    let seen = RAYS[cell as usize & 63][way & 7] & occupied;
    if seen == 0 {
        return None;
    }
    Some(if way < UP {
        seen.trailing_zeros()
    } else {
        63 - seen.leading_zeros()
    })
}

/// What a search for a network looks at.
struct Search {
    own: u64,
    occupied: u64,
    entry: u64,
    exit: u64,
}

impl Search {
    /// For each direction the bit of the nearest stone, where it is one of these.
    #[inline]
    fn links(&self, cell: u32, wanted: u64) -> [u64; 8] {
        let rays = &RAYS[cell as usize & 63];
        let mut bits = [0; 8];
        for (bit, ray) in bits.iter_mut().zip(rays).take(UP) {
            let seen = ray & self.occupied;
            *bit = seen & seen.wrapping_neg() & wanted;
        }
        for (bit, ray) in bits.iter_mut().zip(rays).skip(UP) {
            // The lowest bit is a corner, where nothing stands.
            let seen = ray & self.occupied | 1;
            *bit = 1 << 63 >> seen.leading_zeros() & wanted;
        }
        bits
    }

    /// Whether the way so far, which has come to a cell in a direction, can be drawn out to a network. Its stones are no
    /// longer in `left`, which has the inner stones and those of the exit.
    fn reaches(&self, cell: u32, heading: usize, left: u64, length: u32) -> bool {
        let mut links = self.links(cell, left);
        links[heading & 7] = 0;
        let ends = links.iter().fold(0, |a, b| a | b) & self.exit;
        if ends != 0 && length + 1 >= NEED {
            return true;
        }
        for (way, bit) in links.iter().enumerate() {
            if bit & !self.exit != 0
                && self.reaches(bit.trailing_zeros(), way, left ^ bit, length + 1)
            {
                return true;
            }
        }
        false
    }

    fn finds(&self) -> bool {
        let (starts, ends) = (self.own & self.entry, self.own & self.exit);
        let inner = self.own & !(self.entry | self.exit);
        if starts == 0 || ends == 0 || count(inner) < NEED - 2 {
            return false;
        }
        // Some stone of the exit must see an inner one.
        let mut last = 0;
        each(ends, |cell| {
            last |= self.links(cell, inner).iter().fold(0, |a, b| a | b);
        });
        if last == 0 {
            return false;
        }
        let left = inner | ends;
        let mut starts = starts;
        while starts != 0 {
            for (way, bit) in self
                .links(starts.trailing_zeros(), inner)
                .iter()
                .enumerate()
            {
                if *bit != 0 && self.reaches(bit.trailing_zeros(), way, left ^ bit, 2) {
                    return true;
                }
            }
            starts &= starts - 1;
        }
        false
    }
}

/// Whether a player has a network.
pub fn network(stones: &[u64; 2], player: usize) -> bool {
    Search {
        own: stones[player],
        occupied: stones[0] | stones[1],
        entry: ENTRY[player],
        exit: EXIT[player],
    }
    .finds()
}

/// A position. The number of stones dropped tells who is to move while there are stones in hand.
#[derive(Clone, Copy)]
pub struct Position {
    /// The stones of each player.
    pub stones: [u64; 2],
    /// Cells beside a stone of the player.
    near: [u64; 2],
    /// Cells where a stone would make a cluster of three.
    shut: [u64; 2],
}

/// The steps of a turn that make no cluster: for each stone its cells.
pub struct Steps {
    /// The stones that can step.
    pub movers: [u32; STONES as usize],
    /// Where each may go.
    pub targets: [u64; STONES as usize],
    /// To how many cells.
    pub counts: [u32; STONES as usize],
    /// How many stones can step.
    pub number: usize,
    /// How many steps there are.
    pub total: u32,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position {
        stones: [0; 2],
        near: [0; 2],
        shut: [0; 2],
    };

    /// Where a stone may be dropped.
    #[inline]
    pub fn drops(&self, me: usize) -> u64 {
        FIELD[me] & !(self.stones[0] | self.stones[1] | self.shut[me])
    }

    /// Drops a stone.
    #[inline]
    pub fn drop(&mut self, me: usize, cell: u32) {
        let beside = BESIDE[cell as usize & 63];
        let partner = self.stones[me] & beside;
        self.shut[me] |= self.near[me] & beside;
        self.near[me] |= beside;
        if partner != 0 {
            self.shut[me] |= beside | BESIDE[partner.trailing_zeros() as usize & 63];
        }
        self.stones[me] |= 1 << cell;
    }

    /// All steps that make no cluster; those after which both players have a network are among them.
    #[inline]
    pub fn steps(&self, me: usize) -> Steps {
        let own = self.stones[me];
        let (west, east) = (own >> 1 & NOT_H, own << 1 & NOT_A);
        let (mid0, mid1) = (west ^ east, west & east);
        // Sums of the three cells of a row in two bits; those of the rows above and below and of the two beside make eight.
        let (row0, row1) = (mid0 ^ own, mid1 | own & mid0);
        let (up0, up1, down0, down1) = (row0 << 8, row1 << 8, row0 >> 8, row1 >> 8);
        let odd = up0 ^ down0;
        let carry = up0 & down0 | odd & mid0;
        let ones = odd ^ mid0;
        let some_twos = up1 | down1 | mid1 | carry;
        let more_twos = up1 & (down1 | mid1 | carry) | down1 & (mid1 | carry) | mid1 & carry;
        let three = more_twos | some_twos & ones;
        let pairs = own & (ones | some_twos);
        let shut = around(pairs);
        let open = FIELD[me] & !(self.stones[0] | self.stones[1] | three);
        let mut steps = Steps {
            movers: [0; STONES as usize],
            targets: [0; STONES as usize],
            counts: [0; STONES as usize],
            number: 0,
            total: 0,
        };
        each(own, |cell| {
            let beside = BESIDE[cell as usize & 63];
            // All targets are beside the mover, which is one of the stones that were counted: two others are three.
            let mut shut = shut;
            if pairs >> cell & 1 == 1 {
                shut = around(pairs & !(beside | 1 << cell));
            }
            let targets = beside & open & !shut;
            let number = steps.number;
            if targets != 0 && number < STONES as usize {
                steps.movers[number] = cell;
                steps.targets[number] = targets;
                steps.counts[number] = count(targets);
                steps.total += steps.counts[number];
                steps.number = number + 1;
            }
        });
        steps
    }

    /// The position after a step.
    #[inline]
    pub fn moved(&self, me: usize, from: u32, to: u32) -> Position {
        let mut next = *self;
        next.stones[me] ^= 1 << from | 1 << to;
        next
    }

    /// Whether the enemy would see through the cell if the stone on it were lifted.
    pub fn opens(&self, me: usize, cell: u32) -> bool {
        let all = self.stones[0] | self.stones[1];
        let enemy = self.stones[1 - me];
        let sees = |way| nearest(cell, way, all).is_some_and(|c| enemy >> c & 1 == 1);
        (0..UP).any(|way| sees(way) && sees(way + UP))
    }

    /// Of a mover's targets those that do not leave both players a network.
    pub fn legal(&self, me: usize, from: u32, targets: u64) -> u64 {
        if !self.opens(me, from) {
            return targets;
        }
        let mut legal = targets;
        each(targets, |to| {
            let next = self.moved(me, from, to);
            if network(&next.stones, 1 - me) && network(&next.stones, me) {
                legal ^= 1 << to;
            }
        });
        legal
    }
}
