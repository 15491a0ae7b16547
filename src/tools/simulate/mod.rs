//! What many games say of a game's balance: rules and a plan in, games played and added up, numbers, tables and pictures as text out.
//!
//! A [`Plan`] decides every game. [`run()`] plays them, in pieces, on several threads, and gives a [`Tally`] for each piece: whole
//! numbers, which add up to the same whatever the order. [`shard`] writes and reads them as lines, [`merge()`] puts files of them
//! together, and a [`Summary`] works out of a sum what is told: as a table, JSON, CSV, or a page with plots.

mod csv;
mod game;
mod histogram;
mod json;
mod leads;
mod merge;
mod page;
mod plan;
mod plot;
mod run;
pub mod shard;
mod statistics;
mod summary;
mod sweep;
mod table;
mod tally;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use csv::csv;
pub use game::Arena;
pub use histogram::{Fraction, Histogram};
pub use json::{lines, object};
pub use merge::{NoWhole, merge, nothing};
pub use page::page;
pub use plan::{Configuration, Plan, Range64, Shard, Task};
pub use run::{Ear, Halt, run};
pub use statistics::{Estimate, Worth, mean_worth, share};
pub use summary::{Advantage, EndShare, Repetition, Share, Spread, Summary};
pub use sweep::{Settings, Sweep, combinations};
pub use table::table;
pub use tally::{Ended, Played, Tally};
