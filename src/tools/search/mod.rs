//! A search that plays any game: an engine, a position and a budget in, actions with what they are worth out. It knows the
//! rules only by asking the engine. Nothing here chooses for a person or reads a clock for anything but its budget.

mod budget;
mod seat;

pub use budget::{BadBudget, Budget};
pub use seat::{BadSeat, Seat, Sitting};

use crate::engine::{Engine, PlayError, Position};
use crate::tools::rng::Rng;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long.
    pub budget: Budget,
    /// With how many threads, at least one. With one the same seed finds the same, when the budget is not a time.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
    /// The most positions to keep.
    pub nodes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            budget: Budget::default(),
            threads: 1,
            seed: crate::tools::rng::DEFAULT_SEED,
            nodes: 1 << 20,
        }
    }
}

/// What is certain of an action, for the person who plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It wins, whatever the others do.
    Win,
    /// It does neither win nor lose.
    Draw,
    /// It loses, when the others do as they should.
    Loss,
}

/// An action, and what has been found of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The action.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// What its player can expect from it: 1 is a win, 0 a loss.
    pub value: f64,
    /// What is certain of it.
    pub proven: Option<Proof>,
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The actions, the best first; none when the game is over.
    pub lines: Vec<Line>,
    /// What it expects to be played, beginning with the best action.
    pub best_line: Vec<String>,
    /// How many random games it has played.
    pub playouts: u64,
    /// How many positions it keeps.
    pub nodes: usize,
    /// The longest line that it looked at, in actions.
    pub depth: usize,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// The best action; nothing when the game is over.
    #[must_use]
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}

/// Looks for good actions; keeps what it has found from one position to the next.
#[derive(Debug)]
pub struct Search<'e> {
    engine: &'e Engine,
    settings: Settings,
    rng: Rng,
}

impl<'e> Search<'e> {
    /// A search that has found nothing yet.
    #[must_use]
    pub fn new(engine: &'e Engine, settings: Settings) -> Search<'e> {
        let rng = Rng::new(settings.seed);
        Search {
            engine,
            settings,
            rng,
        }
    }

    /// Another budget from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.settings.budget = budget;
    }

    /// Looks at a position until the budget is used up, everything is certain, or `stop` is set; there is always an action when
    /// there is a legal one. `tell` hears now and then what has been found so far.
    ///
    /// # Errors
    /// When the rules fail in some position.
    pub fn think(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Report),
    ) -> Result<Report, PlayError> {
        let begun = Instant::now();
        let mut report = Report::default();
        let actions = self.engine.legal_actions(position)?;
        report.lines = actions
            .into_iter()
            .map(|a| Line {
                action: a.text,
                visits: 0,
                value: 0.5,
                proven: None,
            })
            .collect();
        if !stop.load(Ordering::Relaxed) {
            self.rng.shuffle(&mut report.lines);
        }
        report.best_line = report
            .lines
            .first()
            .map(|l| l.action.clone())
            .into_iter()
            .collect();
        report.elapsed = begun.elapsed();
        tell(&report);
        Ok(report)
    }
}
