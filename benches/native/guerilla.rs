//! Guerilla on 192 points, 12 and 7 to a side, groups of five, 400 turns: counts and random games.

use super::Played;
use super::common_b::Rng;
use super::guerilla_turn::{Phase, Position};

/// The number of action sequences of that length from the start.
pub fn perft(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    sequences(&Position::start(), depth)
}

fn sequences(position: &Position, depth: u32) -> u64 {
    let number = position.number();
    if depth == 1 {
        return u64::from(number);
    }
    let mut total = 0;
    let mut follow = |mut next: Position| {
        if next.phase == Phase::Kill && next.number() == 0 {
            next.end();
        }
        total += sequences(&next, depth - 1);
    };
    if position.phase == Phase::Kill {
        position.kills(|killer, victim| {
            let mut next = position.clone();
            next.kill(killer, victim);
            follow(next);
        });
    } else {
        for chosen in 0..number {
            let mut next = position.clone();
            next.act(chosen);
            follow(next);
        }
    }
    total
}

/// Random games, every legal action equally likely.
pub fn playouts(seed: u64, games: u64, max_plies: u32) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played::default();
    let mut pairs = Vec::with_capacity(256);
    for _ in 0..games {
        game(&mut rng, max_plies, &mut pairs, &mut played);
    }
    played
}

fn game(rng: &mut Rng, max_plies: u32, pairs: &mut Vec<[u8; 2]>, played: &mut Played) {
    let mut position = Position::start();
    let mut plies = 0;
    while position.phase != Phase::Over {
        if position.phase == Phase::Kill {
            pairs.clear();
            position.kills(|killer, victim| pairs.push([killer, victim]));
            while !pairs.is_empty() && plies < max_plies {
                let [killer, victim] = pairs[rng.below(pairs.len() as u32) as usize];
                position.kill(killer, victim);
                pairs.retain(|p| p[0] != killer && p[1] != victim);
                plies += 1;
            }
            if pairs.is_empty() {
                position.end();
                continue;
            }
        }
        if plies >= max_plies {
            played.plies += u64::from(plies);
            played.cut += 1;
            return;
        }
        position.act(rng.below(position.number()));
        plies += 1;
    }
    played.plies += u64::from(plies);
    let (white, black) = (position.score(0), position.score(1));
    if white == black {
        played.draws += 1;
    } else {
        played.wins[usize::from(black > white)] += 1;
    }
}
