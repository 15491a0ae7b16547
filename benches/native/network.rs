//! Network on 8x8, ten stones each, six in a network: counts and random games.

use super::Played;
use super::common_b::{Rng, count, each, nth, sums};
use super::network_turn::{NEED, Position, STONES, network};

/// The number of action sequences of that length from the start.
pub fn perft(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    dropping(&Position::START, 0, depth)
}

fn dropping(position: &Position, ply: u32, depth: u32) -> u64 {
    if ply >= 2 * STONES {
        return stepping(position, 0, depth);
    }
    let me = (ply & 1) as usize;
    let drops = position.drops(me);
    if depth == 1 {
        return u64::from(count(drops));
    }
    let mut total = 0;
    each(drops, |cell| {
        let mut next = *position;
        next.drop(me, cell);
        if ply < 2 * (NEED - 1) || !network(&next.stones, me) {
            total += dropping(&next, ply + 1, depth - 1);
        }
    });
    total
}

fn stepping(position: &Position, me: usize, depth: u32) -> u64 {
    let steps = position.steps(me);
    let mut total = 0;
    for (from, targets) in steps.movers.iter().zip(steps.targets).take(steps.number) {
        let legal = position.legal(me, *from, targets);
        if depth == 1 {
            total += u64::from(count(legal));
            continue;
        }
        each(legal, |to| {
            let next = position.moved(me, *from, to);
            if !network(&next.stones, 1 - me) && !network(&next.stones, me) {
                total += stepping(&next, 1 - me, depth - 1);
            }
        });
    }
    total
}

/// Random games, every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    for _ in 0..games {
        let (plies, winner) = game(&mut rng, max_plies);
        played.plies += u64::from(plies);
        match winner {
            Some(player) => played.wins[player] += 1,
            None => played.cut += 1,
        }
    }
    played
}

fn game(rng: &mut Rng, max_plies: u32) -> (u32, Option<usize>) {
    let mut position = Position::START;
    for ply in 0..max_plies {
        let me = (ply & 1) as usize;
        if ply < 2 * STONES {
            let drops = position.drops(me);
            let sums = sums(drops);
            let number = (sums >> 56) as u32;
            if number == 0 {
                return (ply, Some(1 - me));
            }
            position.drop(me, nth(drops, sums, rng.below(number)));
            if ply >= 2 * (NEED - 1) && network(&position.stones, me) {
                return (ply + 1, Some(me));
            }
        } else {
            match step(&mut position, me, rng) {
                None => return (ply, Some(1 - me)),
                Some([true, _]) => return (ply + 1, Some(me)),
                Some([_, true]) => return (ply + 1, Some(1 - me)),
                Some(_) => {}
            }
        }
    }
    (max_plies, None)
}

/// Plays a random step, and says whether the player and the enemy then have a network; nothing if there is no step.
#[inline]
fn step(position: &mut Position, me: usize, rng: &mut Rng) -> Option<[bool; 2]> {
    let mut steps = position.steps(me);
    while steps.total > 0 {
        let mut chosen = rng.below(steps.total);
        let mut mover = 0;
        while mover + 1 < steps.number && chosen >= steps.counts[mover] {
            chosen -= steps.counts[mover];
            mover += 1;
        }
        let (from, targets) = (steps.movers[mover], steps.targets[mover]);
        let to = nth(targets, sums(targets), chosen);
        let next = position.moved(me, from, to);
        let theirs = position.opens(me, from) && network(&next.stones, 1 - me);
        let mine = network(&next.stones, me);
        if !(mine && theirs) {
            *position = next;
            return Some([mine, theirs]);
        }
        // Drawn again from the others.
        steps.targets[mover] ^= 1 << to;
        steps.counts[mover] -= 1;
        steps.total -= 1;
    }
    None
}
