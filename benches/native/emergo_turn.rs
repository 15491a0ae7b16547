//! A position of Emergo and what can be done in it. The 41 dark cells lie in one word with gaps between the rows, so that a
//! diagonal step is a shift; what stands in a stack is a number for each cell.

use super::common_b::{count, each};

/// Two rows of 5 and 4 cells take 11 bits: a step goes up 6 or 5 bits, or down.
const CELLS: u64 = {
    let mut cells = 0;
    let mut row = 0;
    while row < 5 {
        cells |= 0x1f << (11 * row);
        if row < 4 {
            cells |= 0xf << (11 * row + 6);
        }
        row += 1;
    }
    cells
};
const PLACES: usize = 64;
const CENTRE: u64 = 1 << 24;
const MEN: u8 = 12;
/// No chain is longer: every jump takes a man.
const LONGEST: usize = MEN as usize + 2;

/// The four directions; the opposite of `way` is `3 - way`.
const WAYS: [i32; 4] = [6, 5, -5, -6];

/// What a stack is: men on top in steps of 16, prisoners below, and whose it is. 0 is an empty cell.
const MAN: u16 = 16;
const CAPS: u16 = 0xf0;
const PRISONERS: u16 = 0xf;
const BLACK: u16 = 0x100;

/// Odd multipliers of what stands on a cell; the sum is the position's mark.
const MARKS: [u64; PLACES] = {
    let mut marks = [0; PLACES];
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    let mut cell = 0;
    while cell < PLACES {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        marks[cell] = x | 1;
        cell += 1;
    }
    marks
};

#[inline]
fn shift(x: u64, way: usize) -> u64 {
    let by = WAYS[way & 3];
    if by > 0 { x << by } else { x >> -by }
}

/// The cell one step further.
#[inline]
pub fn step(cell: u8, way: usize) -> u8 {
    (i32::from(cell) + WAYS[way & 3]) as u8
}

#[inline]
fn bit(cell: u8) -> u64 {
    1 << (cell & 63)
}

/// Whether a player with these stacks can jump.
#[inline]
fn can_jump(own: u64, enemy: u64) -> bool {
    let empty = CELLS & !(own | enemy);
    let a = own << 6 & enemy & empty >> 6;
    let b = own << 5 & enemy & empty >> 5;
    let c = own >> 5 & enemy & empty << 5;
    let d = own >> 6 & enemy & empty << 6;
    a | b | c | d != 0
}

/// A position.
#[derive(Clone)]
pub struct Position {
    stacks: [u64; 2],
    hands: [u8; 2],
    content: [u16; PLACES],
    /// The sum of what stands on the cells, each with a multiplier of its own.
    pub mark: u64,
}

/// The directions of one chain, and where it starts.
#[derive(Clone, Copy)]
pub struct Chain {
    start: u8,
    /// How many jumps it has.
    pub length: u8,
    ways: [u8; LONGEST],
}

impl Chain {
    /// No chain.
    pub const NONE: Chain = Chain {
        start: 0,
        length: 0,
        ways: [0; LONGEST],
    };
}

/// Walks through all chains of a player that cannot go on, and calls for those that are longest so far.
struct Walk<'a, F: FnMut(&Chain)> {
    content: &'a mut [u16; PLACES],
    chain: Chain,
    longest: u8,
    found: F,
}

impl<F: FnMut(&Chain)> Walk<'_, F> {
    fn start(&mut self, own: u64, enemy: u64) {
        let empty = CELLS & !(own | enemy);
        let from = |way: usize| shift(shift(empty, 3 - way) & enemy, 3 - way) & own;
        let starts = from(0) | from(1) | from(2) | from(3);
        each(starts, |cell| {
            self.chain.start = cell as u8;
            self.chain.length = 0;
            self.go_on(cell as u8, 4, own ^ 1 << cell, enemy);
        });
    }

    fn go_on(&mut self, at: u8, heading: usize, own: u64, enemy: u64) {
        let empty = CELLS & !(own | enemy);
        let mut last = true;
        let length = self.chain.length;
        for way in 0..4 {
            let over = step(at, way);
            // A chain does not turn straight back.
            if enemy & bit(over) == 0 || way + heading == 3 {
                continue;
            }
            let next = step(over, way);
            if empty & bit(next) == 0 {
                continue;
            }
            last = false;
            let (mut ours, mut theirs) = (own, enemy);
            let place = over as usize & 63;
            let before = self.content[place];
            let after = before - MAN;
            if after & CAPS == 0 {
                theirs ^= bit(over);
                if after & PRISONERS != 0 {
                    ours ^= bit(over);
                }
            }
            self.content[place] = after;
            self.chain.ways[length as usize % LONGEST] = way as u8;
            self.chain.length = length + 1;
            self.go_on(next, way, ours, theirs);
            self.content[place] = before;
        }
        self.chain.length = length;
        if last && length >= self.longest {
            self.longest = length;
            (self.found)(&self.chain);
        }
    }
}

impl Position {
    /// The empty board.
    pub fn start() -> Position {
        Position {
            stacks: [0; 2],
            hands: [MEN; 2],
            content: [0; PLACES],
            mark: 0,
        }
    }

    /// Whether a player can jump.
    #[inline]
    pub fn can_capture(&self, me: usize) -> bool {
        can_jump(self.stacks[me], self.stacks[1 - me])
    }

    /// Calls with every chain that is as long as any that was found before it; the last call's length is the greatest.
    #[inline]
    pub fn chains(&mut self, me: usize, found: impl FnMut(&Chain)) {
        let (own, enemy) = (self.stacks[me], self.stacks[1 - me]);
        Walk {
            content: &mut self.content,
            chain: Chain::NONE,
            longest: 0,
            found,
        }
        .start(own, enemy);
    }

    /// Where a man may be entered.
    #[inline]
    pub fn entries(&self, me: usize) -> u64 {
        let enemy = self.stacks[1 - me];
        let occupied = self.stacks[me] | enemy;
        let empty = CELLS & !occupied;
        if self.hands[me] == 0 {
            0
        } else if occupied == 0 {
            empty & !CENTRE
        } else if self.can_capture(1 - me) {
            empty
        } else {
            let a = enemy << 6 & empty >> 6;
            let b = enemy << 5 & empty >> 5;
            let c = enemy >> 5 & empty << 5;
            let d = enemy >> 6 & empty << 6;
            empty & !(a | b | c | d)
        }
    }

    /// Where stacks may step to, by direction.
    #[inline]
    pub fn steps(&self, me: usize) -> [u64; 4] {
        let own = self.stacks[me];
        let empty = CELLS & !(own | self.stacks[1 - me]);
        [own << 6, own << 5, own >> 5, own >> 6].map(|to| to & empty)
    }

    #[inline]
    fn put(&mut self, cell: u8, content: u16) {
        let place = cell as usize & 63;
        let change = u64::from(content).wrapping_sub(u64::from(self.content[place]));
        self.mark = self.mark.wrapping_add(MARKS[place].wrapping_mul(change));
        self.content[place] = content;
    }

    /// Enters a man.
    #[inline]
    pub fn enter(&mut self, me: usize, cell: u8) {
        self.stacks[me] |= bit(cell);
        self.hands[me] -= 1;
        self.put(cell, MAN | (BLACK * me as u16));
    }

    /// Steps in a direction to a cell.
    #[inline]
    pub fn step(&mut self, me: usize, way: usize, to: u8) {
        let from = step(to, 3 - way);
        self.stacks[me] ^= bit(from) | bit(to);
        self.put(to, self.content[from as usize & 63]);
        self.put(from, 0);
    }

    /// Jumps along a chain.
    pub fn capture(&mut self, me: usize, chain: &Chain) {
        let mut at = chain.start;
        let jumper = self.content[at as usize & 63] + u16::from(chain.length);
        self.put(at, 0);
        self.stacks[me] ^= bit(at);
        for way in chain.ways.iter().take(chain.length as usize) {
            let over = step(at, *way as usize);
            let mut after = self.content[over as usize & 63] - MAN;
            if after & CAPS == 0 {
                self.stacks[1 - me] ^= bit(over);
                let freed = after & PRISONERS;
                after = 0;
                if freed > 0 {
                    self.stacks[me] ^= bit(over);
                    after = (freed * MAN) | (BLACK * me as u16);
                }
            }
            self.put(over, after);
            at = step(over, *way as usize);
        }
        self.stacks[me] ^= bit(at);
        self.put(at, jumper);
    }

    /// Takes back an entry.
    #[inline]
    pub fn leave(&mut self, me: usize, cell: u8) {
        self.stacks[me] ^= bit(cell);
        self.hands[me] += 1;
        self.put(cell, 0);
    }

    /// How many stacks there are.
    #[inline]
    pub fn number(&self) -> u32 {
        count(self.stacks[0] | self.stacks[1])
    }

    /// Whether the player has no stack and no man in hand.
    pub fn lost(&self, player: usize) -> bool {
        self.stacks[player] == 0 && self.hands[player] == 0
    }
}
