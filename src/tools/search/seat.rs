//! Who sits at the board where no person does: a text such as `random` or `search:time=1s` in, somebody who chooses actions out.

use crate::engine::{Engine, PlayError, Position};
use crate::tools::rng::Rng;
use crate::tools::search::{Budget, Report, Search, Settings};
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Who chooses actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Every legal action is equally likely.
    Random,
    /// The search, with a budget for every action.
    Search(Budget),
}

/// Why a text is no seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSeat(pub String);

impl fmt::Display for BadSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSeat {}

impl FromStr for Seat {
    type Err = BadSeat;

    /// Reads `random`, `search`, or `search:` and a budget.
    fn from_str(text: &str) -> Result<Seat, BadSeat> {
        match text.split_once(':') {
            None if text == "random" => Ok(Seat::Random),
            None if text == "search" => Ok(Seat::Search(Budget::default())),
            Some(("search", budget)) => match budget.parse() {
                Ok(budget) => Ok(Seat::Search(budget)),
                Err(error) => Err(BadSeat(error.to_string())),
            },
            _ => Err(BadSeat(format!(
                "nobody is called `{text}`: write `random`, `search`, or `search:playouts=1000`"
            ))),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Random => f.write_str("random"),
            Seat::Search(budget) => write!(f, "search:{budget}"),
        }
    }
}

/// Somebody who sits at a board and chooses actions, one game long.
#[derive(Debug)]
pub enum Sitting<'e> {
    /// Draws.
    Random {
        /// Whose rules.
        engine: &'e Engine,
        /// What is drawn with.
        rng: Rng,
    },
    /// Searches.
    Search(Box<Search<'e>>),
}

impl Seat {
    /// Sits down. The budget in the settings does not count: the seat has its own.
    #[must_use]
    pub fn sit(self, engine: &Engine, settings: Settings) -> Sitting<'_> {
        match self {
            Seat::Random => Sitting::Random {
                engine,
                rng: Rng::new(settings.seed),
            },
            Seat::Search(budget) => {
                let settings = Settings { budget, ..settings };
                Sitting::Search(Box::new(Search::new(engine, settings)))
            }
        }
    }
}

impl Sitting<'_> {
    /// Chooses an action; nothing when there is none. A search hears `stop`, and then chooses by what it has found so far.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn choose(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Report),
    ) -> Result<Option<String>, PlayError> {
        match self {
            Sitting::Random { engine, rng } => {
                let actions = engine.legal_actions(position)?;
                Ok(rng.pick(&actions).map(|action| action.text.clone()))
            }
            Sitting::Search(search) => {
                let report = search.think(position, stop, tell)?;
                Ok(report.lines.into_iter().next().map(|line| line.action))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::search::{Seat, Settings};
    use crate::tools::testing::three_in_a_row;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn seats_are_read_as_they_are_written() {
        for text in ["random", "search:playouts=20", "search:time=3s"] {
            assert_eq!(text.parse::<Seat>().unwrap().to_string(), text);
        }
        for wrong in ["", "me", "search:", "search:fast", "random:1", "Random"] {
            assert!(wrong.parse::<Seat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_same_seed_sits_the_same() {
        let engine = three_in_a_row();
        let stop = AtomicBool::new(false);
        for seat in ["random", "search:playouts=50"] {
            let seat: Seat = seat.parse().unwrap();
            let choose = || {
                seat.sit(&engine, Settings::default())
                    .choose(&engine.initial(), &stop, &mut |_| ())
            };
            assert!(choose().unwrap().is_some());
            assert_eq!(choose(), choose());
        }
    }
}
