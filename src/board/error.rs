//! What can be wrong with a board, as data and in words; where in a text it went wrong is for the caller to add.

use std::fmt;

use crate::board::MAX_CELLS;

/// Why a board cannot be built or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardError {
    /// More than [`MAX_CELLS`] cells.
    TooLarge {
        /// How many cells there would be (at most `u64::MAX` is told).
        cells: u64,
    },
    /// No cells at all.
    Empty,
    /// More than 64 directions.
    TooManyDirections,
    /// No cell has this name.
    UnknownCell(String),
    /// The cell is listed twice, or follows itself on a line.
    RepeatedCell(String),
    /// A line of fewer than two cells.
    ShortLine,
    /// The cell would have two different next cells in one direction.
    TwoLinks {
        /// Name of the cell.
        cell: String,
        /// Name of the direction.
        direction: String,
    },
    /// The direction would have two different opposites.
    TwoOpposites {
        /// Name of the direction.
        direction: String,
    },
    /// Following the direction from outside, one comes to a ring and never back to where one began: a run would have no end.
    IntoRing {
        /// Name of the cell of the ring that is come to.
        cell: String,
        /// Name of the direction.
        direction: String,
    },
    /// Leaps on a board that has no columns and rows to count them by.
    NoLeaps,
    /// A leap of nothing by nothing.
    ZeroLeap,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { cells } => {
                write!(f, "the board has {cells} cells, more than {MAX_CELLS}")
            }
            Self::Empty => write!(f, "the board has no cells"),
            Self::TooManyDirections => write!(f, "the board has more than 64 directions"),
            Self::UnknownCell(name) => write!(f, "no cell is called `{name}`"),
            Self::RepeatedCell(name) => write!(f, "the cell `{name}` is repeated"),
            Self::ShortLine => write!(f, "a line needs at least two cells"),
            Self::TwoLinks { cell, direction } if direction.is_empty() => {
                write!(
                    f,
                    "lines of one name lead from the cell `{cell}` to two different next cells"
                )
            }
            Self::TwoLinks { cell, direction } => write!(
                f,
                "the cell `{cell}` has two different next cells in the direction `{direction}`"
            ),
            Self::TwoOpposites { direction } => {
                write!(f, "the direction `{direction}` has two different opposites")
            }
            Self::IntoRing { cell, direction } => write!(
                f,
                "in the direction `{direction}` a line comes to `{cell}` and goes round from there for ever"
            ),
            Self::NoLeaps => write!(f, "only boards of columns and rows have leaps"),
            Self::ZeroLeap => write!(f, "a leap of 0 by 0 goes nowhere"),
        }
    }
}

impl std::error::Error for BoardError {}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Wrap};

    #[test]
    fn messages_are_lower_case_without_full_stop() {
        let large = Board::square(u32::MAX, u32::MAX, Wrap::None);
        let text = large.map_or_else(|e| e.to_string(), |_| String::new());
        assert_eq!(
            text,
            "the board has 18446744065119617025 cells, more than 1280"
        );
        assert_eq!(
            BoardError::UnknownCell("z9".into()).to_string(),
            "no cell is called `z9`"
        );
    }
}
