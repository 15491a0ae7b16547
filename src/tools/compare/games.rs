//! Random games of two engines in step, among the actions that both have. Each goes on until it meets a difference.

use crate::tools::compare::Plan;
use crate::tools::compare::pair::{Found, Pair, Seen};
use crate::tools::perft::shared_out;
use crate::tools::rng::Rng;

/// What the games came to.
pub(super) struct Played {
    /// Positions looked at.
    pub seen: usize,
    /// The difference with the shortest way; of equally long ones that of the first game.
    pub found: Option<Found>,
}

/// Plays the games of a plan; each one until it meets a difference.
pub(super) fn play(pair: &Pair<'_>, plan: &Plan) -> Played {
    let seeds: Vec<u64> = (0..plan.games)
        .map(|game| plan.seed.wrapping_add(game))
        .collect();
    let all = shared_out(plan.threads, &seeds, |seed| game(pair, *seed, plan.plies));
    let seen = all.iter().map(|played| played.seen).sum();
    let found = all.into_iter().filter_map(|played| played.found);
    Played {
        seen,
        found: found.min_by_key(|found| found.path.len()),
    }
}

fn game(pair: &Pair<'_>, seed: u64, plies: usize) -> Played {
    let mut rng = Rng::new(seed);
    let mut position = pair.start();
    let mut path = Vec::new();
    for seen in 1.. {
        let mut follow = match pair.examine(&position) {
            Seen::Differs(kind) => {
                let kind = *kind;
                let found = Some(Found {
                    path,
                    position,
                    kind,
                });
                return Played { seen, found };
            }
            Seen::Same(follow) => follow,
        };
        match rng.index(follow.len()).filter(|_| seen <= plies) {
            Some(index) => {
                let chosen = follow.swap_remove(index);
                path.push(chosen.action);
                position = chosen.next;
            }
            None => return Played { seen, found: None },
        }
    }
    Played {
        seen: plies,
        found: None,
    }
}
