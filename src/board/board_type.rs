//! The board itself: names, directions, steps and adjacency, asked by id; how a board is built is in `lattice` and `graph`.

use crate::board::compass;
use crate::board::frame::{Frame, Place};
use crate::board::{BoardError, BoardKind, Cell, Cells, Direction, Directions};

/// In a table of steps: there is no next cell.
pub const NO_STEP: u16 = u16::MAX;

/// For cells that are not on the board.
static NO_CELLS: Cells = Cells::EMPTY;

/// Cells, directions, and which cell follows which.
///
/// Cells are numbered in board order: the bottom row first, each row from the left. Ids that do not belong to the board
/// are answered like cells without name and neighbours; nothing here panics.
///
/// ```text
/// square(3, 2)      triangles(2, 2)      rhombus(3, 2)
/// a2 b2 c2             c1  c2              a2  b2  c2
/// a1 b1 c1           b1  b2  b3          a1  b1  c1
///                      a1  a2
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) frame: Frame,
    /// By cell.
    pub(super) spots: Vec<Spot>,
    /// By direction.
    pub(super) ways: Vec<Way>,
    /// The directions of `all`: those without diagonals of hexagons and without leaps.
    pub(super) base: Directions,
    pub(super) joined: Directions,
    /// By cell, along `joined`.
    neighbours: Vec<Cells>,
    /// All cells in the order of their names.
    by_name: Vec<Cell>,
}

/// One cell: where it is and what it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) name: String,
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) place: Place,
}

/// One direction: where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) name: String,
    pub(super) opposite: Option<Direction>,
    /// The step it makes in the plane, if it makes the same everywhere.
    pub(super) vector: Option<Place>,
    /// By cell.
    pub(super) steps: Vec<u16>,
}

impl Board {
    /// A board of its parts; the spots are in board order. All base directions join.
    pub(super) fn assemble(
        frame: Frame,
        spots: Vec<Spot>,
        ways: Vec<Way>,
        base: Directions,
    ) -> Self {
        let mut by_name: Vec<Cell> = Cells::range(spots.len()).iter().collect();
        by_name.sort_by_key(|cell| spots.get(cell.index()).map(|spot| &spot.name));
        let mut board = Self {
            frame,
            spots,
            ways,
            base,
            joined: base,
            neighbours: Vec::new(),
            by_name,
        };
        board.set_joined(base);
        board
    }

    /// The family of shapes it belongs to.
    #[must_use]
    pub const fn kind(&self) -> BoardKind {
        self.frame.kind
    }

    /// How many cells there are, at least one.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.spots.len()
    }

    /// Whether there are no cells, which never happens.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// All cells.
    #[must_use]
    pub fn cells(&self) -> Cells {
        Cells::range(self.len())
    }

    /// The name of a cell; empty for a cell that is not on the board.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        self.spot(cell).map_or("", |spot| &spot.name)
    }

    /// The cell of a name, which must be spelt exactly so.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let named = |cell: &Cell| self.name(*cell).cmp(name);
        let at = self.by_name.binary_search_by(named).ok()?;
        self.by_name.get(at).copied()
    }

    /// The cell of a name, for callers that report a wrong one.
    ///
    /// # Errors
    ///
    /// [`BoardError::UnknownCell`] if no cell has this name.
    pub fn find_cell(&self, name: &str) -> Result<Cell, BoardError> {
        let unknown = || BoardError::UnknownCell(name.to_owned());
        self.cell_named(name).ok_or_else(unknown)
    }

    /// How many directions there are, at most 64; diagonals of hexagons and leaps are counted too.
    #[must_use]
    pub const fn directions(&self) -> usize {
        self.ways.len()
    }

    /// The name of a direction; empty for a direction that the board does not have.
    ///
    /// Compass names are short (`n`, `sw`, `ene`); a leap says how many rows and columns it gains (`2n1e`); unnamed lines
    /// of a graph are called by the compass if they are straight and the name is free, otherwise `line1`, `line1-back`.
    #[must_use]
    pub fn direction_name(&self, direction: Direction) -> &str {
        self.way(direction).map_or("", |way| &way.name)
    }

    /// The direction of a name; `north` and `n`, `southwest` and `sw` and so on are the same.
    #[must_use]
    pub fn direction_named(&self, name: &str) -> Option<Direction> {
        let name = compass::short(name);
        let mut all = Directions::range(self.directions()).iter();
        all.find(|d| compass::short(self.direction_name(*d)) == name)
    }

    /// The direction that leads back; nothing for one-way lines of a graph.
    #[must_use]
    pub fn opposite(&self, direction: Direction) -> Option<Direction> {
        self.way(direction)?.opposite
    }

    /// The next cell, if there is one.
    #[inline]
    #[must_use]
    pub fn step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let next = *self.steps(direction).get(cell.index())?;
        (next != NO_STEP).then_some(Cell(next))
    }

    /// The next cell of every cell, [`NO_STEP`] where there is none: a table with one entry a cell.
    ///
    /// Empty for a direction that the board does not have.
    #[inline]
    #[must_use]
    pub fn steps(&self, direction: Direction) -> &[u16] {
        self.way(direction).map_or(&[], |way| &way.steps)
    }

    /// The directions that make cells adjacent.
    #[must_use]
    pub const fn joined(&self) -> Directions {
        self.joined
    }

    /// Says which directions make cells adjacent (at first [`Board::all`]), and finds the neighbours anew.
    ///
    /// Directions that the board does not have are left out.
    pub fn set_joined(&mut self, joined: Directions) {
        self.joined = joined & Directions::range(self.directions());
        self.neighbours = self.adjacency(self.joined);
    }

    /// The cells one step away along the joined directions; empty for a cell that is not on the board.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> &Cells {
        self.neighbours.get(cell.index()).unwrap_or(&NO_CELLS)
    }

    /// By cell, the cells one step away along the directions.
    pub(super) fn adjacency(&self, along: Directions) -> Vec<Cells> {
        let around = |cell| along.iter().filter_map(|d| self.step(cell, d)).collect();
        self.cells().iter().map(around).collect()
    }

    pub(super) fn spot(&self, cell: Cell) -> Option<&Spot> {
        self.spots.get(cell.index())
    }

    pub(super) fn way(&self, direction: Direction) -> Option<&Way> {
        self.ways.get(direction.index())
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Cell, Direction, Directions, Wrap};

    #[test]
    fn names_of_directions() -> Result<(), BoardError> {
        let board = Board::square(4, 4, Wrap::None)?;
        for (long, short) in [("north", "n"), ("southwest", "sw")] {
            assert_eq!(board.direction_named(long), board.direction_named(short));
            assert!(board.direction_named(short).is_some());
        }
        assert_eq!(board.direction_named("up"), None);
        Ok(())
    }

    #[test]
    fn joining_directions() -> Result<(), BoardError> {
        let mut board = Board::square(3, 3, Wrap::None)?;
        let middle = board.find_cell("b2")?;
        assert_eq!(board.neighbours(middle).len(), 8);
        board.set_joined(board.orthogonal());
        assert_eq!(board.neighbours(middle).len(), 4);
        board.set_joined(Directions(u64::MAX));
        assert_eq!(board.joined(), board.all());
        Ok(())
    }

    #[test]
    fn strangers_are_answered() -> Result<(), BoardError> {
        let board = Board::square(3, 3, Wrap::None)?;
        let (cell, direction) = (Cell(9), Direction(8));
        assert_eq!(board.name(cell), "");
        assert_eq!(board.step(cell, Direction(0)), None);
        assert_eq!(board.step(Cell(0), direction), None);
        assert_eq!(board.direction_name(direction), "");
        assert!(board.neighbours(cell).is_empty() && board.steps(direction).is_empty());
        assert_eq!(
            board.find_cell("d1"),
            Err(BoardError::UnknownCell("d1".into()))
        );
        Ok(())
    }
}
