//! Emergo on 9x9, twelve men each, free entry, no shadow piece. The 41 dark cells lie in one word with gaps between the rows, so
//! that a diagonal step is a shift; what stands in a stack is a number for each cell.

use super::Played;
use super::common_b::{Rng, count, each, nth, sums};

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

#[inline]
fn step(cell: u8, way: usize) -> u8 {
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
struct Position {
    stacks: [u64; 2],
    hands: [u8; 2],
    content: [u16; PLACES],
    mark: u64,
}

/// The directions of one chain, and where it starts.
#[derive(Clone, Copy)]
struct Chain {
    start: u8,
    length: u8,
    ways: [u8; LONGEST],
}

const NO_CHAIN: Chain = Chain {
    start: 0,
    length: 0,
    ways: [0; LONGEST],
};

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
    fn start() -> Position {
        Position {
            stacks: [0; 2],
            hands: [MEN; 2],
            content: [0; PLACES],
            mark: 0,
        }
    }

    #[inline]
    fn can_capture(&self, me: usize) -> bool {
        can_jump(self.stacks[me], self.stacks[1 - me])
    }

    /// Calls with every chain that is as long as any that was found before it; the last call's length is the greatest.
    #[inline]
    fn chains(&mut self, me: usize, found: impl FnMut(&Chain)) {
        let (own, enemy) = (self.stacks[me], self.stacks[1 - me]);
        Walk {
            content: &mut self.content,
            chain: NO_CHAIN,
            longest: 0,
            found,
        }
        .start(own, enemy);
    }

    /// Where a man may be entered.
    #[inline]
    fn entries(&self, me: usize) -> u64 {
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
    fn steps(&self, me: usize) -> [u64; 4] {
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

    #[inline]
    fn enter(&mut self, me: usize, cell: u8) {
        self.stacks[me] |= bit(cell);
        self.hands[me] -= 1;
        self.put(cell, MAN | BLACK * me as u16);
    }

    #[inline]
    fn step(&mut self, me: usize, way: usize, to: u8) {
        let from = step(to, 3 - way);
        self.stacks[me] ^= bit(from) | bit(to);
        self.put(to, self.content[from as usize & 63]);
        self.put(from, 0);
    }

    fn capture(&mut self, me: usize, chain: &Chain) {
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
                    after = freed * MAN | BLACK * me as u16;
                }
            }
            self.put(over, after);
            at = step(over, *way as usize);
        }
        self.stacks[me] ^= bit(at);
        self.put(at, jumper);
    }

    fn lost(&self, player: usize) -> bool {
        self.stacks[player] == 0 && self.hands[player] == 0
    }
}

/// The marks of the positions since the last entry or loss of a stack, each with the same player to move two further on.
struct Past(Vec<u64>);

impl Past {
    /// Whether the position, which is now the last, stands for the third time.
    #[inline]
    fn thrice(&mut self, mark: u64) -> bool {
        self.0.push(mark);
        // The first time is at least eight back.
        if self.0.len() < 9 {
            return false;
        }
        self.0
            .iter()
            .rev()
            .step_by(2)
            .filter(|m| **m == mark)
            .count()
            > 2
    }
}

/// The number of action sequences of that length from the start.
pub fn perft(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    sequences(&mut Position::start(), 0, depth, &mut vec![0])
}

fn quiet(entries: u64, steps: [u64; 4]) -> u64 {
    // Five words are added bit by bit before their bits are counted.
    let [a, b, c, d] = steps;
    let (odd, first) = (a ^ b ^ c, a & b | (a ^ b) & c);
    let (one, second) = (odd ^ d ^ entries, odd & d | (odd ^ d) & entries);
    u64::from(count(one) + 2 * (count(first) + count(second)))
}

/// `marks` are those of [`Past`], from the last position that cannot come again.
fn sequences(position: &mut Position, me: usize, depth: u32, marks: &mut Vec<u64>) -> u64 {
    let them = 1 - me;
    if position.can_capture(me) {
        let (mut longest, mut number) = (0, 0);
        position.chains(me, |chain| {
            number = if chain.length > longest {
                1
            } else {
                number + 1
            };
            longest = chain.length;
        });
        if depth == 1 {
            return number;
        }
        let mut chains = Vec::new();
        position.chains(me, |chain| {
            if chain.length == longest {
                chains.push(*chain);
            }
        });
        return chains
            .iter()
            .map(|chain| {
                let mut next = position.clone();
                next.capture(me, chain);
                if next.lost(them) {
                    0
                } else {
                    after(&mut next, position, them, depth, marks)
                }
            })
            .sum();
    }
    let (entries, steps) = (position.entries(me), position.steps(me));
    if depth == 1 {
        return quiet(entries, steps);
    }
    let mut total = 0;
    each(entries, |cell| {
        let mark = position.mark;
        position.enter(me, cell as u8);
        total += sequences(position, them, depth - 1, &mut vec![position.mark]);
        position.put(cell as u8, 0);
        position.stacks[me] ^= 1 << cell;
        position.hands[me] += 1;
        debug_assert_eq!(mark, position.mark);
    });
    for (way, targets) in steps.into_iter().enumerate() {
        each(targets, |cell| {
            let mut next = position.clone();
            next.step(me, way, cell as u8);
            total += after(&mut next, position, them, depth, marks);
        });
    }
    total
}

/// The sequences after a step or a capture that has not ended the game by itself.
fn after(
    next: &mut Position,
    before: &Position,
    me: usize,
    depth: u32,
    marks: &mut Vec<u64>,
) -> u64 {
    if stacks(next) < stacks(before) {
        return sequences(next, me, depth - 1, &mut vec![next.mark]);
    }
    marks.push(next.mark);
    let times = marks
        .iter()
        .rev()
        .step_by(2)
        .filter(|m| **m == next.mark)
        .count();
    let total = if times < 3 {
        sequences(next, me, depth - 1, marks)
    } else {
        0
    };
    marks.pop();
    total
}

fn stacks(position: &Position) -> u32 {
    count(position.stacks[0] | position.stacks[1])
}

/// Random games, every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    let mut past = Past(Vec::with_capacity(256));
    for _ in 0..games {
        game(&mut rng, max_plies, &mut past, &mut played);
    }
    played
}

fn game(rng: &mut Rng, max_plies: u32, past: &mut Past, played: &mut Played) {
    let mut position = Position::start();
    past.0.clear();
    for ply in 0..max_plies {
        let me = (ply & 1) as usize;
        if position.can_capture(me) {
            let before = stacks(&position);
            let chain = longest(&mut position, me, rng);
            position.capture(me, &chain);
            if position.lost(1 - me) {
                played.plies += u64::from(ply) + 1;
                played.wins[me] += 1;
                return;
            }
            if stacks(&position) < before {
                past.0.clear();
            }
        } else if let Some(entered) = quiet_action(&mut position, me, rng) {
            if entered {
                past.0.clear();
            }
        } else {
            played.plies += u64::from(ply);
            played.draws += 1;
            return;
        }
        if past.thrice(position.mark) {
            played.plies += u64::from(ply) + 1;
            played.draws += 1;
            return;
        }
    }
    played.plies += u64::from(max_plies);
    played.cut += 1;
}

/// One of the longest chains, each equally likely.
#[inline]
fn longest(position: &mut Position, me: usize, rng: &mut Rng) -> Chain {
    let (mut chosen, mut number) = (NO_CHAIN, 0);
    position.chains(me, |chain| {
        number = if chain.length > chosen.length {
            1
        } else {
            number + 1
        };
        if number == 1 || rng.below(number) == 0 {
            chosen = *chain;
        }
    });
    chosen
}

/// Enters a man or steps, and says whether it was an entry; nothing if neither can be done.
#[inline]
fn quiet_action(position: &mut Position, me: usize, rng: &mut Rng) -> Option<bool> {
    let entries = position.entries(me);
    let steps = position.steps(me);
    let entry_sums = sums(entries);
    let step_sums = steps.map(sums);
    let entry_number = (entry_sums >> 56) as u32;
    let number = entry_number + step_sums.iter().map(|s| (s >> 56) as u32).sum::<u32>();
    if number == 0 {
        return None;
    }
    let mut chosen = rng.below(number);
    if chosen < entry_number {
        position.enter(me, nth(entries, entry_sums, chosen) as u8);
        return Some(true);
    }
    chosen -= entry_number;
    for way in 0..4 {
        let here = (step_sums[way] >> 56) as u32;
        if chosen < here {
            position.step(me, way, nth(steps[way], step_sums[way], chosen) as u8);
            break;
        }
        chosen -= here;
    }
    Some(false)
}
