//! Reversi on 8 by 8. Cells come from sets, by shifting runs along; the discs that turn over from one addition a ray.

use super::Played;
use super::common_a::{ONES, Rng, bytes, count, select};

/// The cells that no run going sideways may wrap round over.
const INNER: u64 = 0x7e * ONES;

/// The discs of the mover and of the other.
#[derive(Clone, Copy)]
struct Board {
    own: u64,
    enemy: u64,
}

/// The cells of the four rays from a cell that go up the cell numbers, then of the four that go down.
static RAYS: [[u64; 8]; 64] = {
    let steps = [(1, 0), (1, 1), (0, 1), (-1, 1)];
    let mut rays = [[0; 8]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut ray = 0;
        while ray < 8 {
            let sign = if ray < 4 { 1 } else { -1 };
            let (dx, dy) = (steps[ray % 4].0 * sign, steps[ray % 4].1 * sign);
            let (mut x, mut y) = (cell as i32 % 8 + dx, cell as i32 / 8 + dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[cell][ray] |= 1 << (y * 8 + x);
                (x, y) = (x + dx, y + dy);
            }
            ray += 1;
        }
        cell += 1;
    }
    rays
};

/// The cells at the far end of runs of `over` that begin next to `own`, going up by `step`.
#[inline(always)]
fn ends_up(own: u64, over: u64, step: u32) -> u64 {
    let mut run = over & (own << step);
    run |= over & (run << step);
    let pairs = over & (over << step);
    run |= pairs & (run << (2 * step));
    run |= pairs & (run << (2 * step));
    run << step
}

/// The same going down.
#[inline(always)]
fn ends_down(own: u64, over: u64, step: u32) -> u64 {
    let mut run = over & (own >> step);
    run |= over & (run >> step);
    let pairs = over & (over >> step);
    run |= pairs & (run >> (2 * step));
    run |= pairs & (run >> (2 * step));
    run >> step
}

impl Board {
    const START: Board = Board {
        own: 1 << 28 | 1 << 35,
        enemy: 1 << 27 | 1 << 36,
    };

    #[inline(always)]
    fn turned_round(self) -> Board {
        Board {
            own: self.enemy,
            enemy: self.own,
        }
    }

    /// The cells where a disc can be put.
    #[inline(always)]
    fn cells(self) -> u64 {
        let Board { own, enemy } = self;
        let inner = enemy & INNER;
        // Rightwards a carry runs through the run.
        let east = inner + (inner & (own << 1));
        let ends = east
            | ends_down(own, inner, 1)
            | ends_up(own, inner, 7)
            | ends_down(own, inner, 7)
            | ends_up(own, enemy, 8)
            | ends_down(own, enemy, 8)
            | ends_up(own, inner, 9)
            | ends_down(own, inner, 9);
        ends & !(own | enemy)
    }

    /// The position after a disc is put, seen by the next mover.
    #[inline(always)]
    fn after(self, cell: u32) -> Board {
        let Board { own, enemy } = self;
        let rays = &RAYS[cell as usize & 63];
        let mut turned = 0;
        for ray in &rays[..4] {
            // The carry stops at the first cell of the ray that is not an enemy's.
            let stop = (enemy | !ray).wrapping_add(1) & ray;
            let closed = stop & own;
            turned |= closed.wrapping_sub(u64::from(closed != 0)) & ray;
        }
        for ray in &rays[4..] {
            // The highest cell of the ray that is not an enemy's; bit 0 is no enemy's when it is the mover's.
            let open = ray & !enemy;
            let stop = (1 << 63) >> (open | 1).leading_zeros();
            let closed = stop & own & ray;
            turned |= (closed << 1).wrapping_neg() & ray;
        }
        Board {
            own: enemy & !turned,
            enemy: own | turned | 1 << cell,
        }
    }

    fn perft(self, depth: u32) -> u64 {
        let cells = self.cells();
        if cells == 0 {
            let other = self.turned_round();
            return match (other.cells() != 0, depth) {
                (false, _) => 0,
                (true, 1) => 1,
                (true, _) => other.perft(depth - 1),
            };
        }
        if depth == 1 {
            return u64::from(count(cells));
        }
        let (mut rest, mut sum) = (cells, 0);
        while rest != 0 {
            sum += self.after(rest.trailing_zeros()).perft(depth - 1);
            rest &= rest - 1;
        }
        sum
    }
}

/// The number of action sequences of exactly that length from the start.
pub fn perft(depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => Board::START.perft(depth),
    }
}

/// Random games: every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    for _ in 0..games {
        let mut board = Board::START;
        let mut ply = 0;
        loop {
            let cells = board.cells();
            if cells == 0 && board.turned_round().cells() == 0 {
                let (own, enemy) = (count(board.own), count(board.enemy));
                match own.cmp(&enemy) {
                    std::cmp::Ordering::Greater => played.wins[ply as usize % 2] += 1,
                    std::cmp::Ordering::Less => played.wins[1 - ply as usize % 2] += 1,
                    std::cmp::Ordering::Equal => played.draws += 1,
                }
                break;
            }
            if ply == max_plies {
                played.cut += 1;
                break;
            }
            ply += 1;
            board = if cells == 0 {
                board.turned_round()
            } else {
                let sums = bytes(cells).wrapping_mul(ONES);
                board.after(select(cells, sums, rng.below((sums >> 56) as u32)))
            };
        }
        played.plies += u64::from(ply);
    }
    played
}
