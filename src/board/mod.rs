//! Pure geometry: shapes and sizes come in, a `Board` of cells, directions and regions goes out; nothing here knows games or text.
//!
//! A board is a list of cells in *board order* (the bottom row first, each row from the left), a list of directions,
//! and for every direction a table of the next cell. A ray is a repeated step. Everything else (regions, adjacency,
//! mirror images) is computed from these and from the coordinates of the full lattice that the cells were cut from.

mod bearings;
mod board_type;
mod cell_ops;
mod cell_set;
mod changes;
mod compass;
mod direction;
mod draft;
mod error;
mod frame;
mod graph;
mod labels;
mod lattice;
mod regions;
mod symmetry;

pub use crate::board::board_type::{Board, NO_STEP};
pub use crate::board::cell_set::{Cell, CellIter, CellSet, Cells};
pub use crate::board::direction::{Direction, DirectionIter, Directions, Facing};
pub use crate::board::error::BoardError;
pub use crate::board::frame::{BoardKind, Wrap};
pub use crate::board::graph::{GraphLine, GraphSpec};

/// Words of 64 bits in the largest cell set, [`Cells`].
pub const MAX_WORDS: usize = 20;

/// The most cells a board may have.
pub const MAX_CELLS: usize = 1280;
