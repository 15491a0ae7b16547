//! `gambol simulate` and `gambol merge`: many games played or put together, and what they say of a game's balance.

mod file;
mod merge;
mod tell;
mod whole;

pub use merge::{MergeArgs, merge};
pub use whole::{SimulateArgs, simulate};
