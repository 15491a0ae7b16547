//! Two games side by side: two engines and a plan in, the smallest difference found out, as data. First breadth first over
//! the positions that both share, then along random games. Where no difference is found, none is proved, unless the walk
//! has seen every position.

mod breadth;
mod counts;
mod games;
mod pair;
mod shorten;

pub use counts::{BoardFacts, facts};
pub use pair::Both;

use crate::base::Span;
use crate::engine::{Engine, Outcome, PlayError, Position};
use crate::tools::compare::breadth::Reach;
use crate::tools::compare::pair::{Found, Pair};
use crate::tools::rng::DEFAULT_SEED;

/// Of the actions that only one side has, so many are told.
pub const TOLD: usize = 20;

/// One of the two games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The most positions of the walk.
    pub positions: usize,
    /// Random games, when the walk has found nothing.
    pub games: u64,
    /// The most actions of one game.
    pub plies: usize,
    /// The seed of the first game; the others have the numbers that follow it.
    pub seed: u64,
    /// How many threads to use; the result is the same.
    pub threads: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            positions: 10_000,
            games: 20,
            plies: 300,
            seed: DEFAULT_SEED,
            threads: 1,
        }
    }
}

/// A clause of the rules that is to blame for something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Its place in the file of that side.
    pub place: Span,
    /// What is to be said of it.
    pub text: String,
}

/// Tells why an action is not legal: asked of the side that lacks it, with that side's position and the action's text.
pub type Explain<'e> = &'e dyn Fn(Side, &Position, &str) -> Option<Clause>;

/// Explains nothing.
#[must_use]
pub fn unexplained(_: Side, _: &Position, _: &str) -> Option<Clause> {
    None
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Positions looked at, those of random games included.
    pub positions: usize,
    /// Positions looked at in random games.
    pub in_games: usize,
    /// Random games played.
    pub games: u64,
    /// The walk has seen every position that there is: where it found no difference, there is none.
    pub complete: bool,
    /// The smallest difference found.
    pub difference: Option<Difference>,
}

/// A difference, and the way there.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The actions that lead there from the start, legal and alike on both sides.
    pub path: Vec<String>,
    /// The position on each side.
    pub position: Both,
    /// What differs there.
    pub kind: Kind,
}

/// What differs.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// The boards have other cells: no position is shared.
    Boards {
        /// What there is on each side at the start.
        facts: Box<[BoardFacts; 2]>,
    },
    /// The games begin with other positions.
    Start,
    /// Other actions are legal.
    Actions {
        /// What A has and B has not.
        only_a: Extras,
        /// What B has and A has not.
        only_b: Extras,
        /// How many both have.
        shared: usize,
    },
    /// The game is over on one side, or ends otherwise.
    Outcomes {
        /// How it has ended on each side.
        outcomes: [Option<Outcome>; 2],
    },
    /// The same action leads to different positions.
    Successors {
        /// The action.
        action: String,
        /// The positions behind it.
        next: Both,
    },
    /// The rules of one side fail, or both do in different ways.
    Failures {
        /// How each side fails.
        failures: [Option<PlayError>; 2],
    },
}

/// Actions that only one side has.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Extras {
    /// The first of them, sorted.
    pub told: Vec<Extra>,
    /// How many there are besides.
    pub more: usize,
}

impl Extras {
    /// How many there are in all.
    #[must_use]
    pub fn count(&self) -> usize {
        self.told.len() + self.more
    }
}

/// An action that only one side has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extra {
    /// Its text.
    pub action: String,
    /// Why the other side has it not.
    pub clause: Option<Clause>,
}

/// Looks for the smallest difference of two games.
#[must_use]
pub fn compare(a: &Engine, b: &Engine, plan: &Plan, explain: Explain<'_>) -> Comparison {
    let mut result = Comparison {
        positions: 1,
        in_games: 0,
        games: 0,
        complete: false,
        difference: None,
    };
    let start = Both {
        a: a.initial(),
        b: b.initial(),
    };
    let here = |kind| {
        Some(Difference {
            path: Vec::new(),
            position: start.clone(),
            kind,
        })
    };
    if !counts::same_cells(a, b) {
        let facts = Box::new([facts(a), facts(b)]);
        result.difference = here(Kind::Boards { facts });
        return result;
    }
    let pair = Pair::new(a, b);
    if pair.key(&start).is_none() {
        result.difference = here(Kind::Start);
        return result;
    }
    let reach = Reach {
        positions: plan.positions,
        depth: usize::MAX,
        threads: plan.threads,
    };
    let walk = breadth::walk(&pair, start, reach);
    result.positions = walk.seen;
    // What has gone before counts where rules look back, and the walk takes each position once.
    let looks_back = a.program().looks_back || b.program().looks_back;
    result.complete = walk.complete && !looks_back;
    let mut found = walk.found;
    if found.is_none() && !result.complete {
        let played = games::play(&pair, plan);
        result.games = plan.games;
        result.in_games = played.seen;
        result.positions += played.seen;
        found = played
            .found
            .map(|found| shorten::shorten(&pair, found, reach));
    }
    result.difference = found.map(|found| told(found, explain));
    result
}

/// Adds the clauses that are to blame.
fn told(found: Found, explain: Explain<'_>) -> Difference {
    let Found {
        path,
        position,
        mut kind,
    } = found;
    if let Kind::Actions { only_a, only_b, .. } = &mut kind {
        for extra in &mut only_a.told {
            extra.clause = explain(Side::B, &position.b, &extra.action);
        }
        for extra in &mut only_b.told {
            extra.clause = explain(Side::A, &position.a, &extra.action);
        }
    }
    Difference {
        path,
        position,
        kind,
    }
}

#[cfg(test)]
mod tests;
