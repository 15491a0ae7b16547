//! What the games of a configuration say: sums in, shares, means and intervals out. Everything that is told anywhere is worked out
//! here, once.

use crate::tools::simulate::histogram::{Fraction, Histogram};
use crate::tools::simulate::plan::{Configuration, Plan};
use crate::tools::simulate::statistics::{Estimate, Worth, mean_worth, share};
use crate::tools::simulate::tally::Tally;

/// The games of a configuration, told.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary<'p> {
    /// What was asked.
    pub plan: &'p Plan,
    /// What was played.
    pub configuration: &'p Configuration,
    /// The sums.
    pub tally: &'p Tally,
    /// For each player, by the colour at the end, the games won.
    pub winners: Vec<Share>,
    /// For each player the games lost alone; empty when there are none.
    pub losers: Vec<Share>,
    /// For each person the games won; empty when nobody ever exchanged seats.
    pub persons: Vec<Share>,
    /// For each person the games lost alone; empty when there are none or nobody ever exchanged seats.
    pub losing_persons: Vec<Share>,
    /// The games that nobody won.
    pub draws: Share,
    /// The games without an end: broken off, or stuck.
    pub unfinished: Share,
    /// How much better it is to begin, by the colour at the end.
    pub advantage: Advantage,
    /// The same by person, when seats were exchanged.
    pub person_advantage: Option<Advantage>,
    /// By end.
    pub ends: Vec<EndShare>,
    /// Turns of a game; nothing when they were not counted.
    pub turns: Option<Spread>,
    /// Actions of a game.
    pub plies: Option<Spread>,
    /// Legal actions at a decision; nothing when they were not counted.
    pub branching: Option<Spread>,
    /// Games in which a position came again; nothing when that was not looked at.
    pub repetition: Option<Repetition>,
    /// Changes of the lead; nothing when that was not looked at.
    pub leads: Option<Spread>,
}

/// Some of the games.
#[derive(Clone, PartialEq, Debug)]
pub struct Share {
    /// Which.
    pub name: String,
    /// How many.
    pub games: u64,
    /// Their share of all.
    pub share: Estimate,
}

/// How much better it is to begin.
#[derive(Clone, PartialEq, Debug)]
pub struct Advantage {
    /// Who begins.
    pub player: String,
    /// The difference of shares.
    pub difference: Estimate,
}

/// The games that an end has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct EndShare {
    /// Which and how many.
    pub share: Share,
    /// For each player the games won.
    pub wins: Vec<u64>,
    /// The games that nobody won.
    pub draws: u64,
    /// The mean number of turns, when they were counted and there are any games.
    pub turns: Option<f64>,
    /// The mean number of actions.
    pub plies: Option<f64>,
}

/// Where numbers lie.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// How many there are.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The 5 % quantile.
    pub low: u64,
    /// The 95 % quantile.
    pub high: u64,
    /// The least.
    pub min: u64,
    /// The greatest.
    pub max: u64,
    /// All of them.
    pub histogram: Histogram,
}

impl Spread {
    /// Mean, median, quantiles, least and greatest, as they are shown.
    #[must_use]
    pub fn figures(&self) -> [String; 6] {
        [
            format!("{:.2}", self.mean),
            format!("{:.1}", self.median),
            self.low.to_string(),
            self.high.to_string(),
            self.min.to_string(),
            self.max.to_string(),
        ]
    }
}

/// Positions that came again.
#[derive(Clone, PartialEq, Debug)]
pub struct Repetition {
    /// The games with at least one.
    pub games: Share,
    /// The positions at the start of a turn that had been there before.
    pub positions: u64,
    /// Their share of all positions at the start of a turn.
    pub share: f64,
}

impl Spread {
    /// Where the numbers of a histogram lie; nothing when there are none.
    #[must_use]
    pub fn of(histogram: &Histogram) -> Option<Spread> {
        let percent = |of| histogram.quantile(Fraction { of, among: 100 });
        Some(Spread {
            count: histogram.count(),
            mean: histogram.mean()?,
            median: histogram.twice_median()? as f64 / 2.0,
            low: percent(5)?,
            high: percent(95)?,
            min: histogram.least()?,
            max: histogram.greatest()?,
            histogram: histogram.clone(),
        })
    }
}

impl<'p> Summary<'p> {
    /// What the games of a configuration say.
    #[must_use]
    pub fn of(plan: &'p Plan, configuration: &'p Configuration, tally: &'p Tally) -> Summary<'p> {
        let games = tally.games;
        let of = |name: &str, count: u64| Share {
            name: name.to_owned(),
            games: count,
            share: share(count, games),
        };
        let shares = |counts: &[u64]| -> Vec<Share> {
            let players = configuration.players.iter().zip(counts);
            players.map(|(name, n)| of(name, *n)).collect()
        };
        let some = |counts: &[u64]| -> Vec<Share> {
            if counts.iter().all(|n| *n == 0) {
                return Vec::new();
            }
            shares(counts)
        };
        let exchanged = tally.exchanged > 0;
        let advantage = |wins: &[u64], losses: &[u64], first: usize| Advantage {
            player: configuration
                .players
                .get(first)
                .cloned()
                .unwrap_or_default(),
            difference: begins(wins, losses, first, games),
        };
        let counted = !plan.quick;
        Summary {
            plan,
            configuration,
            tally,
            winners: shares(&tally.wins),
            losers: some(&tally.losses),
            persons: if exchanged {
                shares(&tally.person_wins)
            } else {
                Vec::new()
            },
            losing_persons: if exchanged {
                some(&tally.person_losses)
            } else {
                Vec::new()
            },
            draws: of("draw", tally.draws),
            unfinished: of("unfinished", tally.broken.saturating_add(tally.stuck)),
            advantage: advantage(&tally.wins, &tally.losses, configuration.first),
            person_advantage: exchanged.then(|| {
                let (wins, losses) = (&tally.person_wins, &tally.person_losses);
                advantage(wins, losses, configuration.first_person)
            }),
            ends: configuration
                .ends
                .iter()
                .zip(&tally.ends)
                .map(|(name, end)| {
                    let mean = |sum: u64| (end.games > 0).then(|| sum as f64 / end.games as f64);
                    EndShare {
                        share: of(name, end.games),
                        wins: end.wins.clone(),
                        draws: end.draws,
                        turns: mean(end.turns).filter(|_| counted),
                        plies: mean(end.plies),
                    }
                })
                .collect(),
            turns: Spread::of(&tally.turns),
            plies: Spread::of(&tally.plies),
            branching: Spread::of(&tally.branching),
            repetition: counted.then(|| Repetition {
                games: of("repeating", tally.repeating),
                positions: tally.repeats,
                share: tally.repeats as f64 / tally.starts.max(1) as f64,
            }),
            leads: Spread::of(&tally.leads),
        }
    }

    /// Options that were swept over, as `rows=6 columns=4`; empty when none were.
    #[must_use]
    pub fn swept(&self) -> String {
        joined(&self.configuration.swept)
    }

    /// What the person of a number is called: the colour at the beginning, and who it is where that differs.
    #[must_use]
    pub fn person(&self, number: usize) -> String {
        let name = self.configuration.players.get(number);
        let name = name.map_or("", String::as_str);
        if self.plan.mixed() {
            format!("{name} ({})", self.plan.seat(number))
        } else {
            name.to_owned()
        }
    }
}

/// Names and values, as `rows=6 columns=4`.
#[must_use]
pub fn joined(settings: &[(String, String)]) -> String {
    let settings = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    settings.collect::<Vec<_>>().join(" ")
}

/// The share of the one who begins, less the mean share of the others. Who loses alone leaves the game to the others in equal parts.
fn begins(wins: &[u64], losses: &[u64], first: usize, games: u64) -> Estimate {
    let players = wins.len().max(2) as f64;
    let others = players - 1.0;
    // Who gains p of a game leaves 1 - p to the others.
    let worth = |gained: f64| gained - (1.0 - gained) / others;
    let mine = |counts: &[u64]| counts.get(first).copied().unwrap_or(0);
    let theirs = |counts: &[u64]| {
        let all = counts.iter().fold(0u64, |sum, n| sum.saturating_add(*n));
        all.saturating_sub(mine(counts))
    };
    let unlike = [worth(1.0), worth(0.0)];
    let list = [
        (mine(wins), worth(1.0)),
        (theirs(wins), worth(0.0)),
        (mine(losses), worth(0.0)),
        (theirs(losses), worth(1.0 / others)),
    ];
    let list = list.map(|(games, worth)| Worth { games, worth });
    mean_worth(&list, unlike, games)
}
