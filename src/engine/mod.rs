//! Program and state into legal actions, next states and outcomes. This is the plain engine: it does what the program says,
//! one step after the other, and is the judge of every faster one. It knows no names, no text and no files.

mod alike;
mod choices;
mod effects;
mod errors;
mod eval;
pub mod executor;
mod fast;
mod fingerprint;
mod games;
mod hash;
mod history;
mod interpreter;
mod machine;
#[cfg(feature = "native")]
pub mod native;
mod nearly;
mod notation;
mod observed;
mod options;
mod parse;
mod parse_values;
mod pictures;
mod pieces;
mod plain;
pub mod portable;
mod print;
mod rehash;
mod run;
mod runner;
mod setup;
mod state;
mod turns;
mod walk;
mod watch;
mod whole;

pub use errors::{PlayError, PositionError, Refusal};
pub use games::Game;
pub use hash::text_hash;
pub use observed::Moment;
pub use plain::{Action, Engine, Outcome, OutcomeResult};
pub use runner::Runner;
pub use state::{PieceAt, Position, State};
pub use watch::{Account, Miss, MissKind, Watch};
