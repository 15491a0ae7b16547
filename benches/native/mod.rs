//! Move generators written by hand for one game each: the yardstick for the interpreter. Default options of the rule files
//! only; positions come from the start alone; no text is read or written.

pub mod breakthrough;
pub mod common_a;
pub mod common_b;
pub mod emergo;
pub mod emergo_turn;
pub mod epaminondas;
pub mod epaminondas_actions;
pub mod epaminondas_lines;
pub mod guerilla;
pub mod guerilla_points;
pub mod guerilla_turn;
pub mod intermedium;
pub mod intermedium_cells;
pub mod network;
pub mod network_turn;
pub mod reversi;

/// What random games came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// All actions of all games.
    pub plies: u64,
    /// The games that the first and the second player won.
    pub wins: [u64; 2],
    /// The games without a winner.
    pub draws: u64,
    /// The games that were broken off.
    pub cut: u64,
}
