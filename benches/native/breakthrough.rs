//! Breakthrough on 8 by 8. The board is always seen by the mover, who goes up; after an action it is turned upside down.

use super::Played;
use super::common_a::{ONES, Rng, bytes, count3, find_byte, select8};

const WEST: u64 = ONES;
const EAST: u64 = ONES << 7;
const TOP: u64 = 0xff << 56;

/// The pawns of the mover and of the other.
#[derive(Clone, Copy)]
struct Board {
    own: u64,
    enemy: u64,
}

/// The cells that pawns can go to: straight ahead, ahead and left, ahead and right.
struct Targets {
    ahead: u64,
    left: u64,
    right: u64,
}

impl Board {
    const START: Board = Board {
        own: 0xffff,
        enemy: 0xffff << 48,
    };

    #[inline(always)]
    fn targets(self) -> Targets {
        let Board { own, enemy } = self;
        Targets {
            ahead: (own << 8) & !(own | enemy),
            left: ((own & !WEST) << 7) & !own,
            right: ((own & !EAST) << 9) & !own,
        }
    }

    /// The position after an action, seen by the next mover.
    #[inline(always)]
    fn after(self, from: u64, to: u64) -> Board {
        Board {
            own: (self.enemy & !to).swap_bytes(),
            enemy: (self.own ^ from ^ to).swap_bytes(),
        }
    }

    fn perft(self, depth: u32) -> u64 {
        let Targets { ahead, left, right } = self.targets();
        if depth == 1 {
            return u64::from(count3(ahead, left, right));
        }
        // An action that comes to the last row ends the game; an army of none has no actions.
        let mut sum = 0;
        for (targets, back) in [(ahead, 8), (left, 7), (right, 9)] {
            let mut rest = targets & !TOP;
            while rest != 0 {
                let to = rest & rest.wrapping_neg();
                rest ^= to;
                sum += self.after(to >> back, to).perft(depth - 1);
            }
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

/// How a game ended: who was to move last, and whether he has won.
enum End {
    Won(u32),
    Lost(u32),
    Cut,
}

fn play(rng: &mut Rng, max_plies: u32, plies: &mut u64) -> End {
    let mut board = Board::START;
    for ply in 0..=max_plies {
        let Targets { ahead, left, right } = board.targets();
        let each = [left, ahead, right].map(bytes);
        let sums = (each[0] + each[1] + each[2]).wrapping_mul(ONES);
        let total = (sums >> 56) as u32;
        if total == 0 {
            // No pawn is left, or none can go.
            return End::Lost(ply);
        }
        if ply == max_plies {
            break;
        }
        *plies += 1;
        // The row first, then which of its three bytes, then the place; not a branch, as it would be guessed wrong.
        let k = rng.below(total);
        let (row, before) = find_byte(sums, k);
        let k = k - before;
        let n = |i: usize| (each[i] >> row) as u32 & 255;
        let (one, two) = (n(0), n(0) + n(1));
        let (cells, skipped) = if k >= one { (ahead, one) } else { (left, 0) };
        let (cells, skipped) = if k >= two {
            (right, two)
        } else {
            (cells, skipped)
        };
        let place = select8((cells >> row) as u32, k - skipped);
        let way = 7 + u32::from(k >= one) + u32::from(k >= two);
        let to = 1 << (row + place);
        if to >= 1 << 56 {
            return End::Won(ply);
        }
        board = board.after(to >> way, to);
    }
    End::Cut
}

/// Random games: every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    for _ in 0..games {
        match play(&mut rng, max_plies, &mut played.plies) {
            End::Won(ply) => played.wins[ply as usize % 2] += 1,
            End::Lost(ply) => played.wins[1 - ply as usize % 2] += 1,
            End::Cut => played.cut += 1,
        }
    }
    played
}
