//! What games came to, as whole numbers: games in one by one, sums out. Sums of parts are the sum of all, in any order.

use crate::engine::{Outcome, OutcomeResult};
use crate::program::PlayerId;
use crate::tools::simulate::histogram::Histogram;
use crate::tools::simulate::plan::Configuration;
use serde::{Deserialize, Serialize};

/// The games of one configuration, or some of them.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// How many.
    pub games: u64,
    /// For each player, by the colour at the end, the games won.
    pub wins: Vec<u64>,
    /// The games lost alone, with three players or more.
    pub losses: Vec<u64>,
    /// The games won, by who the player was at the beginning, before seats were exchanged.
    pub person_wins: Vec<u64>,
    /// The games lost alone, by who the player was at the beginning.
    pub person_losses: Vec<u64>,
    /// The games at whose end seats were exchanged.
    pub exchanged: u64,
    /// The games that ended and nobody won.
    pub draws: u64,
    /// The games that were broken off.
    pub broken: u64,
    /// The games that came to a position without actions, and no end said what then.
    pub stuck: u64,
    /// By end, in the order of the configuration's ends.
    pub ends: Vec<Ended>,
    /// The numbers of turns of games.
    pub turns: Histogram,
    /// The numbers of actions of games.
    pub plies: Histogram,
    /// The numbers of legal actions at decisions.
    pub branching: Histogram,
    /// The positions at the start of a turn.
    pub starts: u64,
    /// Those of them that had been there before in the same game.
    pub repeats: u64,
    /// The games with at least one of those.
    pub repeating: u64,
    /// The numbers of changes of the lead, of the games that were looked at for them.
    pub leads: Histogram,
}

/// The games that one end has ended.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// How many.
    pub games: u64,
    /// For each player, by the colour at the end, the games won.
    pub wins: Vec<u64>,
    /// The games that nobody won.
    pub draws: u64,
    /// All their turns.
    pub turns: u64,
    /// All their actions.
    pub plies: u64,
}

/// One game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// How it ended, when it did.
    pub outcome: Option<Outcome>,
    /// Whether it was broken off.
    pub broken: bool,
    /// Whether seats were exchanged at the end.
    pub exchanged: bool,
    /// The turns, when they were counted.
    pub turns: Option<u64>,
    /// The actions.
    pub plies: u64,
    /// The numbers of legal actions at its decisions, when they were counted.
    pub branching: Histogram,
    /// The positions at the start of a turn, when they were looked at.
    pub starts: u64,
    /// Those of them that had been there before.
    pub repeats: u64,
    /// How often the lead changed, when that was looked at.
    pub leads: Option<u64>,
}

fn add(sum: &mut u64, n: u64) {
    *sum = sum.saturating_add(n);
}

fn add_all(sums: &mut [u64], numbers: &[u64]) {
    for (sum, n) in sums.iter_mut().zip(numbers) {
        add(sum, *n);
    }
}

fn note(counts: &mut [u64], player: PlayerId) {
    if let Some(count) = counts.get_mut(usize::from(player.0)) {
        add(count, 1);
    }
}

impl Tally {
    /// No games yet.
    #[must_use]
    pub fn of(configuration: &Configuration) -> Tally {
        let none = || vec![0; configuration.players.len()];
        let end = || Ended {
            wins: none(),
            ..Ended::default()
        };
        Tally {
            wins: none(),
            losses: none(),
            person_wins: none(),
            person_losses: none(),
            ends: configuration.ends.iter().map(|_| end()).collect(),
            ..Tally::default()
        }
    }

    /// Whether it can be one of a configuration: a list from a file may have any length.
    #[must_use]
    pub fn fits(&self, configuration: &Configuration) -> bool {
        let players = configuration.players.len();
        let lists = [
            &self.wins,
            &self.losses,
            &self.person_wins,
            &self.person_losses,
        ];
        lists.iter().all(|list| list.len() == players)
            && self.ends.len() == configuration.ends.len()
            && self.ends.iter().all(|end| end.wins.len() == players)
    }

    /// Counts a game. `person` tells who a player was at the beginning.
    pub fn note(
        &mut self,
        configuration: &Configuration,
        game: &Played,
        person: impl Fn(PlayerId) -> PlayerId,
    ) {
        add(&mut self.games, 1);
        add(&mut self.exchanged, u64::from(game.exchanged));
        self.plies.note(game.plies);
        if let Some(turns) = game.turns {
            self.turns.note(turns);
        }
        self.branching.add(&game.branching);
        add(&mut self.starts, game.starts);
        add(&mut self.repeats, game.repeats);
        add(&mut self.repeating, u64::from(game.repeats > 0));
        if let Some(leads) = game.leads {
            self.leads.note(leads);
        }
        let Some(outcome) = &game.outcome else {
            add(
                if game.broken {
                    &mut self.broken
                } else {
                    &mut self.stuck
                },
                1,
            );
            return;
        };
        let mut ended = Ended::default();
        let end = configuration.ends.iter().position(|e| **e == *outcome.by);
        let end = end
            .and_then(|at| self.ends.get_mut(at))
            .unwrap_or(&mut ended);
        add(&mut end.games, 1);
        add(&mut end.plies, game.plies);
        add(&mut end.turns, game.turns.unwrap_or(0));
        match &outcome.result {
            OutcomeResult::Win(winner)
            | OutcomeResult::Scores {
                winner: Some(winner),
                ..
            } => {
                note(&mut self.wins, *winner);
                note(&mut end.wins, *winner);
                note(&mut self.person_wins, person(*winner));
            }
            OutcomeResult::Lose(loser) => {
                note(&mut self.losses, *loser);
                note(&mut self.person_losses, person(*loser));
            }
            OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. } => {
                add(&mut self.draws, 1);
                add(&mut end.draws, 1);
            }
        }
    }

    /// Adds other games.
    pub fn add(&mut self, other: &Tally) {
        for (sum, n) in [
            (&mut self.games, other.games),
            (&mut self.exchanged, other.exchanged),
            (&mut self.draws, other.draws),
            (&mut self.broken, other.broken),
            (&mut self.stuck, other.stuck),
            (&mut self.starts, other.starts),
            (&mut self.repeats, other.repeats),
            (&mut self.repeating, other.repeating),
        ] {
            add(sum, n);
        }
        for (sums, numbers) in [
            (&mut self.wins, &other.wins),
            (&mut self.losses, &other.losses),
            (&mut self.person_wins, &other.person_wins),
            (&mut self.person_losses, &other.person_losses),
        ] {
            add_all(sums, numbers);
        }
        for (end, more) in self.ends.iter_mut().zip(&other.ends) {
            add(&mut end.games, more.games);
            add(&mut end.draws, more.draws);
            add(&mut end.turns, more.turns);
            add(&mut end.plies, more.plies);
            add_all(&mut end.wins, &more.wins);
        }
        self.turns.add(&other.turns);
        self.plies.add(&other.plies);
        self.branching.add(&other.branching);
        self.leads.add(&other.leads);
    }
}
