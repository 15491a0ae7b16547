//! Intermedium on 10 by 7. Each player sees the board from his side and knows only the 35 cells of his colour, numbered
//! from his left to his right and upwards: a step is then +4, +3, -3 or -4, and a set of cells is one word.

use super::Played;
use super::common_a::{ONES, Rng, bytes, count, count3, find_byte, select8};
use super::intermedium_cells::{BESIDE, CITY, CONES, FIRST, ON, STEPS, WAYS};

const QUIET: u32 = 100;
/// The turns of the opening.
const OPENING: u32 = 4;
/// No heading: before the first step.
const NONE: usize = 4;

/// What one player has on the board.
#[derive(Clone, Copy)]
struct Side {
    /// The cells with stones.
    stones: u64,
    /// Those with more than one.
    tall: u64,
    heights: [u8; 64],
}

/// A position between two turns, or with a stack in hand.
#[derive(Clone, Copy)]
struct Board {
    sides: [Side; 2],
    turns: u32,
    quiet: u32,
}

/// A stack in hand: where the last stone fell, or will fall, and the rest.
#[derive(Clone, Copy)]
struct Hand {
    cell: usize,
    heading: usize,
    stones: u32,
    /// In the opening: a stone has fallen on an empty cell.
    landed: bool,
}

impl Hand {
    #[inline(always)]
    fn step(self, way: usize) -> Hand {
        Hand {
            cell: (self.cell as i32 + STEPS[way & 3]) as usize & 63,
            heading: way,
            stones: self.stones - 1,
            landed: self.landed,
        }
    }
}

/// How many ways there are, and which.
#[inline(always)]
fn ways(packed: u8) -> impl Iterator<Item = usize> {
    (0..packed & 3).map(move |i| usize::from(packed >> (2 + 2 * i) & 3))
}

impl Side {
    #[inline(always)]
    fn drop_at(&mut self, cell: usize) {
        self.tall |= self.stones & 1 << cell;
        self.stones |= 1 << cell;
        self.heights[cell & 63] += 1;
    }

    /// Takes a stack off the board.
    #[inline(always)]
    fn lift(&mut self, cell: usize) {
        self.stones &= !(1 << cell);
        self.tall &= !(1 << cell);
        self.heights[cell & 63] = 0;
    }

    /// Sows a stack at random after the opening, from a cell on: where the last stone falls.
    #[inline(always)]
    fn sow_at_random(&mut self, hand: Hand, rng: &mut Rng) -> usize {
        let mut at = (hand.heading << 6 | hand.cell) as u8;
        let mut left = hand.stones;
        let mut bits = rng.next();
        loop {
            self.drop_at(usize::from(at & 63));
            if left == 0 {
                return usize::from(at & 63);
            }
            if left.is_multiple_of(8) {
                bits = rng.next();
            }
            // The next digit of a number below 1: 21 bits do for eight steps.
            let wide = u128::from(bits) * 6;
            bits = wide as u64;
            at = ON[usize::from(left == 1)][(wide >> 64) as usize % 6][usize::from(at)];
            left -= 1;
        }
    }
}

impl Board {
    fn start() -> Board {
        // Rows 2 to 4.
        let stones = 0b111_1111_1111 << 3;
        let side = Side {
            stones,
            tall: stones,
            heights: std::array::from_fn(|cell| if stones >> cell & 1 == 1 { 4 } else { 0 }),
        };
        Board {
            sides: [side; 2],
            turns: 0,
            quiet: 0,
        }
    }

    #[inline(always)]
    fn own(&self) -> &Side {
        &self.sides[self.turns as usize & 1]
    }

    #[inline(always)]
    fn own_mut(&mut self) -> &mut Side {
        &mut self.sides[self.turns as usize & 1]
    }

    fn early(&self) -> bool {
        self.turns < OPENING
    }

    /// In the opening: the ways that go on.
    #[inline(always)]
    fn early_ways(&self, hand: Hand) -> u8 {
        let Some([right, left]) = CONES.get(hand.stones as usize - 1) else {
            return 0;
        };
        // After a stone on an empty cell, all cells are as good as empty.
        let empty = u64::from(hand.landed).wrapping_neg() | !self.own().stones;
        let left = u8::from(left[hand.cell & 63] & empty != 0);
        let right = u8::from(right[hand.cell & 63] & empty != 0);
        // Way 0 stands first, if it is one.
        (left + right) | (left & !right) << 2 | (left & right) << 4
    }

    /// The ways that go on with a stack in hand.
    #[inline(always)]
    fn ways(&self, hand: Hand) -> u8 {
        if self.early() {
            return self.early_ways(hand);
        }
        WAYS[usize::from(hand.stones == 1)][hand.heading & 3][hand.cell & 63]
    }

    /// The stacks that may begin, by way.
    #[inline(always)]
    fn first(&self) -> [u64; 4] {
        if !self.early() {
            return FIRST.map(|cells| cells & self.own().tall);
        }
        let mut first = [0; 4];
        let mut rest = self.own().tall;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            for way in ways(self.early_ways(self.in_hand(cell))) {
                first[way] |= 1 << cell;
            }
        }
        first
    }

    /// The number of first actions of a turn.
    #[inline(always)]
    fn count_first(&self) -> u32 {
        let mut rest = self.own().tall;
        if !self.early() {
            let [a, b, c, d] = FIRST.map(|cells| cells & rest);
            return count3(a, b, c) + count(d);
        }
        let mut sum = 0;
        while rest != 0 {
            let stack = self.in_hand(rest.trailing_zeros() as usize);
            sum += u32::from(self.early_ways(stack) & 3);
            rest &= rest - 1;
        }
        sum
    }

    /// A stack as it is lifted.
    #[inline(always)]
    fn in_hand(&self, cell: usize) -> Hand {
        Hand {
            cell,
            heading: NONE,
            stones: u32::from(self.own().heights[cell & 63]),
            landed: false,
        }
    }

    /// In the opening: lets the stone fall that the hand stands over.
    #[inline(always)]
    fn fall(&mut self, hand: &mut Hand) {
        hand.landed |= self.own().stones >> hand.cell & 1 == 0;
        self.own_mut().drop_at(hand.cell);
    }

    /// The same in the opening as [`Side::sow_at_random`].
    fn sow_early(&mut self, mut hand: Hand, rng: &mut Rng) -> usize {
        loop {
            self.fall(&mut hand);
            if hand.stones == 0 {
                return hand.cell;
            }
            let packed = self.early_ways(hand);
            let k = rng.below(u32::from(packed & 3));
            hand = hand.step(usize::from(packed >> (2 + 2 * k) & 3));
        }
    }

    /// Ends a turn whose last stone fell on a cell: whether a city has fallen.
    #[inline(always)]
    fn end_turn(&mut self, last: usize) -> bool {
        self.quiet += 1;
        let mover = self.turns as usize & 1;
        self.turns += 1;
        let own = &self.sides[mover];
        if own.heights[last & 63] != 2 {
            return false;
        }
        let own = own.stones;
        let enemy = &mut self.sides[1 - mover];
        let mut near = (enemy.stones | 1 << CITY) & BESIDE[last & 63];
        while near != 0 {
            let cell = near.trailing_zeros() as usize;
            near &= near - 1;
            if BESIDE[cell & 63] & !own == 0 {
                if cell == CITY {
                    return true;
                }
                enemy.lift(cell);
                self.quiet = 0;
            }
        }
        false
    }

    /// The sequences from the beginning of a turn; the board is left as it was.
    fn perft(&mut self, depth: u32) -> u64 {
        if self.quiet == QUIET {
            return u64::from(depth == 0);
        }
        match depth {
            0 => return 1,
            1 => return u64::from(self.count_first()),
            _ => {}
        }
        let first = self.first();
        let mut sum = 0;
        for (way, cells) in first.into_iter().enumerate() {
            let mut rest = cells;
            while rest != 0 {
                let cell = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let stack = self.in_hand(cell);
                let Side { stones, tall, .. } = *self.own();
                self.own_mut().lift(cell);
                sum += self.sow(stack.step(way), depth - 1);
                let own = self.own_mut();
                (own.stones, own.tall) = (stones, tall);
                own.heights[cell & 63] = stack.stones as u8;
            }
        }
        sum
    }

    /// The sequences after a step whose stone has not fallen yet; the board is left as it was.
    fn sow(&mut self, mut hand: Hand, depth: u32) -> u64 {
        if hand.stones > 0 && depth == 1 {
            hand.landed |= self.own().stones >> hand.cell & 1 == 0;
            return u64::from(self.ways(hand) & 3);
        }
        if depth == 0 {
            return 1;
        }
        if hand.stones == 0 && self.own().heights[hand.cell & 63] == 1 {
            let mut board = *self;
            board.own_mut().drop_at(hand.cell);
            return match board.end_turn(hand.cell) {
                true => 0,
                false => board.perft(depth),
            };
        }
        let (cell, Side { stones, tall, .. }) = (hand.cell, *self.own());
        self.fall(&mut hand);
        let sum = if hand.stones == 0 {
            // Nothing is captured.
            self.turns += 1;
            self.quiet += 1;
            let sum = self.perft(depth);
            self.turns -= 1;
            self.quiet -= 1;
            sum
        } else {
            let on = ways(self.ways(hand)).map(|way| self.sow(hand.step(way), depth - 1));
            on.sum()
        };
        let own = self.own_mut();
        (own.stones, own.tall) = (stones, tall);
        own.heights[cell & 63] -= 1;
        sum
    }

    /// The first action of a turn at random: the stack and the way.
    #[inline(always)]
    fn pick_first(&self, rng: &mut Rng) -> Option<(usize, usize)> {
        let first = self.first();
        let each = first.map(bytes);
        let sums = (each[0] + each[1] + each[2] + each[3]).wrapping_mul(ONES);
        let total = (sums >> 56) as u32;
        if total == 0 {
            return None;
        }
        // The byte first, then the way, then the place; without branches, as they would be guessed wrong.
        let k = rng.below(total);
        let (shift, before) = find_byte(sums, k);
        let k = k - before;
        let (mut way, mut cells, mut skipped, mut sum) = (0, first[0], 0, 0);
        for i in 0..3 {
            sum += (each[i] >> shift) as u32 & 255;
            (way, cells, skipped) = if k >= sum {
                (i + 1, first[i + 1], sum)
            } else {
                (way, cells, skipped)
            };
        }
        let place = select8((cells >> shift) as u32, k - skipped);
        Some(((shift + place) as usize, way))
    }
}

/// The number of action sequences of exactly that length from the start.
pub fn perft(depth: u32) -> u64 {
    Board::start().perft(depth)
}

/// Plays a game: the winner; a draw is 2, a game that is broken off 3.
fn play(rng: &mut Rng, max_plies: u32, plies: &mut u64) -> usize {
    let mut board = Board::start();
    let mut left = max_plies;
    loop {
        let mover = board.turns as usize % 2;
        if board.quiet == QUIET {
            return 2;
        }
        let Some((cell, way)) = board.pick_first(rng) else {
            return 1 - mover;
        };
        let mut hand = board.in_hand(cell);
        let stones = hand.stones.min(left);
        *plies += u64::from(stones);
        left -= stones;
        if hand.stones > stones {
            return 3;
        }
        hand = hand.step(way);
        board.own_mut().lift(cell);
        let last = if board.early() {
            board.sow_early(hand, rng)
        } else {
            board.own_mut().sow_at_random(hand, rng)
        };
        if board.end_turn(last) {
            return mover;
        }
    }
}

/// Random games: every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    for _ in 0..games {
        match play(&mut rng, max_plies, &mut played.plies) {
            2 => played.draws += 1,
            3 => played.cut += 1,
            winner => played.wins[winner & 1] += 1,
        }
    }
    played
}
