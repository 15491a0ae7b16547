//! Snapshots of what rules come to: an engine and a plan in, its options, board, first actions, counts and seeded games out, as
//! data, as text that reads back, and compared with an earlier one in words. Nothing here reads or writes files.

mod compare;
mod form;
mod make;
mod parse;
mod statistics;

pub use compare::{Difference, Subject, compare};
pub use form::{FORM, file_text};
pub use make::make;
pub use parse::FormError;
pub use statistics::{Statistics, statistics};

use crate::tools::rng::DEFAULT_SEED;

/// What a snapshot is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The longest sequences of actions that are counted.
    pub depth: usize,
    /// The most sequences of one length that are counted. No game is begun when the games so far have listed as many actions,
    /// or played one for 25 of it; a game of more than that is broken off.
    pub budget: u64,
    /// The most games.
    pub games: u64,
    /// The plies of a transcript that are kept with their positions.
    pub plies: usize,
    /// The seed of the first game; the others have the numbers that follow it.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            depth: 4,
            budget: 20_000,
            games: 20,
            plies: 40,
            seed: DEFAULT_SEED,
        }
    }
}

/// What the rules come to under some options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// What it was made with.
    pub plan: Plan,
    /// The game's name.
    pub title: String,
    /// The options in force, in order of declaration.
    pub options: Vec<Setting>,
    /// The players, in order of play.
    pub players: Vec<String>,
    /// The board.
    pub board: Geometry,
    /// The first position, as a line.
    pub start: String,
    /// The same, drawn.
    pub drawing: Vec<String>,
    /// The first actions, sorted by text, each with the number of sequences of the last length that begin with it.
    pub actions: Vec<Share>,
    /// The number of sequences of exactly 1, 2, … actions, as far as depth and budget reach.
    pub perft: Vec<u64>,
    /// The first games, ply by ply.
    pub transcripts: Vec<Transcript>,
    /// All games.
    pub games: Vec<Game>,
}

/// An option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// The value in force.
    pub value: String,
    /// What it may be; may be empty.
    pub domain: String,
}

/// The board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// How many cells.
    pub cells: usize,
    /// The names of the directions.
    pub directions: Vec<String>,
    /// A hash of all names and steps.
    pub hash: u64,
}

/// A first action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// Its text.
    pub action: String,
    /// The sequences that begin with it.
    pub count: u64,
}

/// A seeded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The seed.
    pub seed: u64,
    /// The actions played.
    pub steps: Vec<Step>,
}

/// An action of a seeded game, and where it led.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action.
    pub action: String,
    /// How many actions were legal after it.
    pub legal: usize,
    /// A hash of the position after it and its legal actions.
    pub hash: u32,
    /// The position after it; only for the first plies.
    pub position: Option<String>,
}

/// How a seeded game went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The seed.
    pub seed: u64,
    /// How many actions were played.
    pub plies: usize,
    /// How it ended.
    pub ending: Ending,
    /// A hash of all its positions and legal actions.
    pub hash: u32,
}

/// How a seeded game ended; the texts behind are the name of the end, which may be empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// `White wins "crossed"`
    Wins(String, String),
    /// `White loses "blocked"`
    Loses(String, String),
    /// `draw "full"`
    Draw(String),
    /// `unfinished`: broken off.
    Unfinished,
    /// `stuck`: no action, and no end.
    Stuck,
}
