//! What is to be simulated: everything that decides which games are played and how they are told. The same plan gives the same
//! games, in any number of parts, on any number of threads; only what plays by the clock does not.

use crate::engine::{Engine, Position};
use crate::tools::search::Seat;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// What is to be simulated.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the program that plays.
    pub version: String,
    /// The game files, as they were named.
    pub files: Vec<String>,
    /// The settings of options that hold everywhere.
    pub set: Vec<(String, String)>,
    /// The sweeps, as they were written.
    pub sweep: Vec<String>,
    /// Whether combinations that the game refuses were left out.
    pub skip_refused: bool,
    /// Who plays: one for all, or one a player in the order of play.
    pub seats: Vec<String>,
    /// The position that games begin at, when it is not the beginning.
    pub position: Option<String>,
    /// The seed.
    pub seed: u64,
    /// How many games of each configuration.
    pub games: u64,
    /// The most actions of one game.
    pub max_plies: u64,
    /// Whether only outcomes and numbers of actions are looked at.
    pub quick: bool,
    /// What draws the actions of random players, on which it depends which games are played.
    pub way: String,
    /// How many games of each configuration are looked at for changes of the lead.
    pub leads: u64,
    /// What is played.
    pub configurations: Vec<Configuration>,
}

/// A game under its options.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The file.
    pub file: String,
    /// The game's name.
    pub game: String,
    /// The hash of the rules under these options.
    pub rules: String,
    /// All options in force.
    pub options: Vec<(String, String)>,
    /// Those of them that are swept over.
    pub swept: Vec<(String, String)>,
    /// The players' names, in the order of play.
    pub players: Vec<String>,
    /// The player who begins.
    pub first: usize,
    /// Who that player was at the beginning of the game, before seats were exchanged.
    pub first_person: usize,
    /// The names of the ends in order, each once.
    pub ends: Vec<String>,
}

impl Configuration {
    /// The game of an engine, begun at a position.
    #[must_use]
    pub fn of(
        file: &str,
        engine: &Engine,
        start: &Position,
        swept: &[(String, String)],
    ) -> Configuration {
        let program = engine.program();
        let options = program.options.iter();
        let mut ends: Vec<String> = Vec::new();
        for end in &program.ends {
            if !ends.iter().any(|e: &String| **e == *end.name) {
                ends.push(end.name.to_string());
            }
        }
        let first = engine.to_move(start);
        Configuration {
            file: file.to_owned(),
            game: program.about.title.clone(),
            rules: format!("{:016x}", engine.rules_hash()),
            options: options
                .map(|option| (option.name.clone(), option.value.clone()))
                .collect(),
            swept: swept.to_vec(),
            players: program.players.iter().map(|p| p.name.clone()).collect(),
            first: usize::from(first.0),
            first_person: usize::from(engine.person(start, first).0),
            ends,
        }
    }
}

/// One part of a run in several parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its number, from 1.
    pub index: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The most parts.
const PARTS: u64 = 100_000;

impl FromStr for Shard {
    type Err = String;

    /// Reads `2/3`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let numbers = numbers.and_then(|(index, of)| Some((number(index)?, number(of)?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) && of <= PARTS => {
                Ok(Shard { index, of })
            }
            Some((_, of)) if of > PARTS => Err(format!("{PARTS} parts are the most")),
            Some((_, of)) if of > 0 => Err(format!(
                "the parts are counted from 1: write 1/{of} up to {of}/{of}"
            )),
            _ => {
                Err("expected a number, `/`, and how many parts there are, such as 1/4".to_owned())
            }
        }
    }
}

/// Some games of one configuration, one after the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Task {
    /// The number of the configuration.
    pub configuration: usize,
    /// The numbers of the games, from 0.
    pub games: Range64,
}

/// Numbers from one on, up to another that is not among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Range64 {
    /// The first.
    pub from: u64,
    /// Behind the last.
    pub to: u64,
}

impl Range64 {
    /// How many.
    #[must_use]
    pub fn len(self) -> u64 {
        self.to.saturating_sub(self.from)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The numbers.
    #[must_use]
    pub fn numbers(self) -> Range<u64> {
        self.from..self.to
    }
}

/// The most games that are kept back before they are written down,
const BATCH: u64 = 100;
/// unless that would make more pieces of work than this of a configuration.
const TASKS: u64 = 10_000;

impl Plan {
    /// The games of each configuration that belong to a part.
    #[must_use]
    pub fn part(&self, shard: Shard) -> Range64 {
        let cut = |index: u64| {
            let games = u128::from(self.games) * u128::from(index) / u128::from(shard.of.max(1));
            u64::try_from(games).unwrap_or(u64::MAX)
        };
        Range64 {
            from: cut(shard.index.saturating_sub(1)),
            to: cut(shard.index),
        }
    }

    /// The pieces of work of a part, in order; how they are cut depends on nothing but plan and part.
    #[must_use]
    pub fn tasks(&self, shard: Shard) -> Vec<Task> {
        let part = self.part(shard);
        let batch = (self.games / 100).clamp(1, BATCH).max(self.games / TASKS);
        let batch = usize::try_from(batch).unwrap_or(1);
        let of = |configuration: usize| {
            part.numbers().step_by(batch).map(move |from| Task {
                configuration,
                games: Range64 {
                    from,
                    to: from.saturating_add(batch as u64).min(part.to),
                },
            })
        };
        (0..self.configurations.len()).flat_map(of).collect()
    }

    /// Whether the same plan gives the same games again: not when somebody thinks by the clock.
    #[must_use]
    pub fn repeatable(&self) -> bool {
        !self.seats.iter().any(|seat| by_the_clock(seat))
    }

    /// Who sits on a player's seat.
    #[must_use]
    pub fn seat(&self, player: usize) -> &str {
        let one = self.seats.get(player).or(self.seats.first());
        one.map_or("", String::as_str)
    }

    /// Whether not all players are of one kind.
    #[must_use]
    pub fn mixed(&self) -> bool {
        self.seats.windows(2).any(|w| w[0] != w[1])
    }

    /// The command that asks for it, in its shortest form.
    #[must_use]
    pub fn command(&self) -> String {
        let mut words = vec!["gambol".to_owned(), "simulate".to_owned()];
        words.extend(self.files.iter().map(|file| quoted(file)));
        let mut say = |flag: &str, value: &str| {
            words.push(format!("--{flag}"));
            words.push(quoted(value));
        };
        say("games", &self.games.to_string());
        if self.seats != ["random"] {
            say("players", &self.seats.join("/"));
        }
        for (name, value) in &self.set {
            say("set", &format!("{name}={value}"));
        }
        for sweep in &self.sweep {
            say("sweep", sweep);
        }
        if let Some(position) = &self.position {
            say("position", position);
        }
        say("seed", &self.seed.to_string());
        say("max-plies", &self.max_plies.to_string());
        if self.leads > 0 {
            say("leads", &self.leads.to_string());
        }
        if self.skip_refused {
            words.push("--skip-refused".to_owned());
        }
        if self.quick {
            words.push("--quick".to_owned());
        }
        words.join(" ")
    }

    /// In what two plans differ, in words; nothing when they are the same.
    #[must_use]
    pub fn difference(&self, other: &Plan) -> Option<String> {
        let hashes = |plan: &Plan| {
            let all = plan.configurations.iter();
            all.map(|c| c.rules.clone()).collect::<Vec<_>>().join(" ")
        };
        let pairs = |list: &[(String, String)]| {
            let list = list.iter().map(|(name, value)| format!("{name}={value}"));
            list.collect::<Vec<_>>().join(" ")
        };
        let of = |plan: &Plan| {
            [
                ("seed", plan.seed.to_string()),
                ("number of games", plan.games.to_string()),
                ("players", plan.seats.join("/")),
                ("files", plan.files.join(" ")),
                ("settings", pairs(&plan.set)),
                ("sweeps", plan.sweep.join(" ")),
                ("position", plan.position.clone().unwrap_or_default()),
                ("most actions of a game", plan.max_plies.to_string()),
                ("way of looking", way_of_looking(plan.quick).to_owned()),
                ("engine", plan.way.clone()),
                (
                    "number of games looked at for leads",
                    plan.leads.to_string(),
                ),
                ("hash of the rules", hashes(plan)),
                ("version of the program", plan.version.clone()),
            ]
        };
        let said = |text: String| {
            if text.is_empty() {
                "none".to_owned()
            } else {
                format!("`{text}`")
            }
        };
        let (mine, theirs) = (of(self), of(other));
        let mut differs = mine.into_iter().zip(theirs).filter(|(a, b)| a != b);
        match differs.next() {
            Some(((what, mine), (_, theirs))) => Some(format!(
                "the {what} is {} there and {} here",
                said(theirs),
                said(mine)
            )),
            None if self == other => None,
            None => Some("the games are other ones there than here".to_owned()),
        }
    }
}

/// How closely games are looked at, in a word.
fn way_of_looking(quick: bool) -> &'static str {
    if quick { "quick" } else { "whole" }
}

/// Whether a seat's budget is a time, so that what it plays depends on the machine.
fn by_the_clock(seat: &str) -> bool {
    match seat.parse::<Seat>() {
        Ok(Seat::Search(budget)) => budget.time.is_some(),
        Ok(Seat::Random) | Err(_) => false,
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::plan::{Shard, quoted};
    use crate::tools::simulate::testing::plan;

    #[test]
    fn parts_are_numbered_from_one() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for wrong in [
            "",
            "0/3",
            "4/3",
            "1",
            "1/0",
            "a/b",
            "1/3/5",
            "-1/3",
            "1/9999999",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_make_a_whole() {
        for games in [1, 2, 99, 100, 101, 12_345] {
            let plan = plan(games);
            for of in [1, 2, 3, 7, 200] {
                let shards = (1..=of).map(|index| Shard { index, of });
                let mut tasks: Vec<_> = shards.flat_map(|shard| plan.tasks(shard)).collect();
                tasks.sort();
                for configuration in 0..plan.configurations.len() {
                    let mut next = 0;
                    for task in tasks.iter().filter(|t| t.configuration == configuration) {
                        assert_eq!(task.games.from, next);
                        assert!(!task.games.is_empty());
                        next = task.games.to;
                    }
                    assert_eq!(next, games);
                }
            }
        }
    }

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let mut plan = plan(10);
        plan.position = Some("3/3/3 c".to_owned());
        plan.seats = vec!["random".to_owned(), "search:playouts=5,time=1s".to_owned()];
        let command = plan.command();
        assert!(command.contains("--position '3/3/3 c'"), "{command}");
        assert!(
            command.contains("--players random/search:playouts=5,time=1s"),
            "{command}"
        );
        assert!(!plan.repeatable());
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn differences_are_named() {
        let one = plan(10);
        let mut other = one.clone();
        assert_eq!(one.difference(&other), None);
        other.seed = 7;
        let told = one.difference(&other).unwrap();
        assert_eq!(told, "the seed is `7` there and `1` here");
        let mut other = one.clone();
        other.configurations[0].ends.clear();
        assert!(one.difference(&other).is_some());
    }
}
