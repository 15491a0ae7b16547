//! Emergo on 9x9, twelve men each, free entry, no shadow piece: counts and random games.

use super::Played;
use super::common_b::{Rng, count, each, nth, sums};
use super::emergo_turn::{Chain, Position, step};

/// The marks of all positions so far; every second has the same player to move.
struct Past(Vec<u64>);

impl Past {
    /// Adds a position, and says whether it now stands for the third time since there were so many.
    #[inline]
    fn thrice(&mut self, since: usize, mark: u64) -> bool {
        self.0.push(mark);
        let same = self.0.get(since..).unwrap_or(&[]);
        // The first time is at least eight back.
        same.len() > 8 && same.iter().rev().step_by(2).filter(|m| **m == mark).count() > 2
    }
}

/// The number of action sequences of that length from the start.
pub fn perft(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut past = Past(Vec::with_capacity(64));
    sequences(&mut Position::start(), 0, depth, &mut past, 0)
}

/// `since` is the number of positions before the last that cannot come again.
fn sequences(position: &mut Position, me: usize, depth: u32, past: &mut Past, since: usize) -> u64 {
    if position.can_capture(me) {
        return captures(position, me, depth, past, since);
    }
    let (entries, steps) = (position.entries(me), position.steps(me));
    if depth == 1 {
        return quiet(entries, steps);
    }
    let mut total = 0;
    each(entries, |cell| {
        position.enter(me, cell as u8);
        total += follow(position, me, depth, past, past.0.len());
        position.leave(me, cell as u8);
    });
    for (way, targets) in steps.into_iter().enumerate() {
        each(targets, |to| {
            position.step(me, way, to as u8);
            total += follow(position, me, depth, past, since);
            position.step(me, 3 - way, step(to as u8, 3 - way));
        });
    }
    total
}

fn captures(position: &Position, me: usize, depth: u32, past: &mut Past, since: usize) -> u64 {
    let (mut longest, mut number) = (0, 0);
    let mut walked = position.clone();
    walked.chains(me, |chain| {
        let better = chain.length > longest;
        number = if better { 1 } else { number + 1 };
        longest = chain.length;
    });
    if depth == 1 {
        return number;
    }
    let mut total = 0;
    walked.chains(me, |chain| {
        if chain.length == longest {
            let mut next = position.clone();
            next.capture(me, chain);
            if !next.lost(1 - me) {
                let fewer = next.number() < position.number();
                let since = if fewer { past.0.len() } else { since };
                total += follow(&mut next, me, depth, past, since);
            }
        }
    });
    total
}

/// The sequences after an action.
fn follow(next: &mut Position, me: usize, depth: u32, past: &mut Past, since: usize) -> u64 {
    let over = past.thrice(since, next.mark);
    let total = if over {
        0
    } else {
        sequences(next, 1 - me, depth - 1, past, since)
    };
    past.0.pop();
    total
}

fn quiet(entries: u64, steps: [u64; 4]) -> u64 {
    // Five words are added bit by bit before their bits are counted.
    let [a, b, c, d] = steps;
    let (odd, first) = (a ^ b ^ c, a & b | (a ^ b) & c);
    let (one, second) = (odd ^ d ^ entries, odd & d | (odd ^ d) & entries);
    u64::from(count(one) + 2 * (count(first) + count(second)))
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
            let before = position.number();
            let chain = longest(&mut position, me, rng);
            position.capture(me, &chain);
            if position.lost(1 - me) {
                played.plies += u64::from(ply) + 1;
                played.wins[me] += 1;
                return;
            }
            if position.number() < before {
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
        if past.thrice(0, position.mark) {
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
    let (mut chosen, mut number) = (Chain::NONE, 0);
    position.chains(me, |chain| {
        let better = chain.length > chosen.length;
        number = if better { 1 } else { number + 1 };
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
