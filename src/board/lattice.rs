//! Boards that are lattices: sizes in, boards out; leaps and holes come later, in `changes`.

use crate::board::board_type::{NO_STEP, Spot, Way};
use crate::board::compass;
use crate::board::frame::{Frame, Place};
use crate::board::{Board, BoardError, BoardKind, Cell, Direction, Directions, Wrap};

/// A named step in columns and rows or, on hexagons, in the plane.
type Named = (&'static str, Place);

/// The steps on squares, in columns and rows.
const SQUARE: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/// The steps on hexagons in the plane: the six nearest cells, then the six second-nearest.
const HEXAGON: [Named; 12] = [
    ("e", (2, 0)),
    ("ne", (1, 1)),
    ("nw", (-1, 1)),
    ("w", (-2, 0)),
    ("sw", (-1, -1)),
    ("se", (1, -1)),
    ("n", (0, 2)),
    ("ene", (3, 1)),
    ("ese", (3, -1)),
    ("s", (0, -2)),
    ("wsw", (-3, -1)),
    ("wnw", (-3, 1)),
];

impl Board {
    /// A board of squares, named `a1` … `z26`, `aa1` …, with eight directions `n ne e se s sw w nw`.
    ///
    /// Along joined edges rays go round and do not end. A step that would lead round to the same cell does not exist.
    ///
    /// # Errors
    ///
    /// If there are no cells or more than [`MAX_CELLS`](crate::board::MAX_CELLS).
    pub fn square(columns: u32, rows: u32, wrap: Wrap) -> Result<Self, BoardError> {
        let mut frame = Frame::oblong(BoardKind::Square, columns, rows)?;
        frame.wrap = wrap;
        let named = |name| {
            let (columns, rows) = compass::vector(name)?;
            Some((name, frame.vector(columns, rows)))
        };
        let steps: Vec<Named> = SQUARE.into_iter().filter_map(named).collect();
        Ok(Self::lattice(frame, &steps, steps.len()))
    }

    /// The points of a hexagon of triangles: rows of `width, width + 1 … width + side - 1 … width` points.
    ///
    /// There are `2 * side - 1` rows, the bottom one is row `a`; points are numbered from the left of their row (`a1`,
    /// `g18`). Directions `e ne nw w sw se`; the second-nearest points are reached by [`Board::diagonal`] directions.
    ///
    /// # Errors
    ///
    /// If there are no points or more than [`MAX_CELLS`](crate::board::MAX_CELLS).
    pub fn triangles(width: u32, side: u32) -> Result<Self, BoardError> {
        let frame = Frame::hexagon(BoardKind::Triangles, width, side)?;
        Ok(Self::lattice(frame, &HEXAGON, 6))
    }

    /// Hexagonal cells in a hexagon; the same as [`Board::triangles`] but for the [`Board::kind`].
    ///
    /// # Errors
    ///
    /// If there are no cells or more than [`MAX_CELLS`](crate::board::MAX_CELLS).
    pub fn hexagons(width: u32, side: u32) -> Result<Self, BoardError> {
        let frame = Frame::hexagon(BoardKind::Hexagons, width, side)?;
        Ok(Self::lattice(frame, &HEXAGON, 6))
    }

    /// Hexagonal cells in a rhombus, every row shifted right by half a cell against the row below; named like squares.
    ///
    /// Six neighbours: the next cells in the row, in the column, and along the short diagonal (`b1` – `a2`).
    ///
    /// # Errors
    ///
    /// If there are no cells or more than [`MAX_CELLS`](crate::board::MAX_CELLS).
    pub fn rhombus(columns: u32, rows: u32) -> Result<Self, BoardError> {
        let frame = Frame::oblong(BoardKind::Rhombus, columns, rows)?;
        Ok(Self::lattice(frame, &HEXAGON, 6))
    }

    /// All cells of a frame with the named steps, the first `base` of which are ordinary ones.
    fn lattice(frame: Frame, steps: &[Named], base: usize) -> Self {
        let spots = lattice_spots(&frame);
        let mut board = Self::assemble(frame, spots, Vec::new(), Directions::EMPTY);
        for (name, vector) in steps {
            board.add_way((*name).to_owned(), *vector);
        }
        board.base = Directions::range(base);
        board.set_joined(board.base);
        board
    }

    /// Adds a direction that makes the same step everywhere; it must not be there yet, nor be the 65th.
    pub(super) fn add_way(&mut self, name: String, vector: Place) {
        let back = (-vector.0, -vector.1);
        let opposite = self.way_along(back);
        let added = u8::try_from(self.ways.len()).map(Direction).ok();
        if let Some(way) = opposite.and_then(|d| self.ways.get_mut(d.index())) {
            way.opposite = added;
        }
        let turned = opposite.and_then(|d| self.ways.get(d.index()));
        let steps = match turned {
            Some(way) => turned_round(&way.steps),
            None => {
                let arrive = |cell: Cell| self.arrive(cell, vector).map_or(NO_STEP, |to| to.0);
                self.cells().iter().map(arrive).collect()
            }
        };
        self.ways.push(Way {
            name,
            opposite,
            vector: Some(vector),
            steps,
        });
    }

    fn arrive(&self, from: Cell, vector: Place) -> Option<Cell> {
        let place = self.frame.arrive(self.spot(from)?.place, vector);
        self.cell_placed(place).filter(|to| *to != from)
    }

    /// The direction that makes this step in the plane.
    pub(super) fn way_along(&self, vector: Place) -> Option<Direction> {
        let at = self.ways.iter().position(|w| w.vector == Some(vector))?;
        u8::try_from(at).map(Direction).ok()
    }
}

/// The steps back.
fn turned_round(steps: &[u16]) -> Vec<u16> {
    let mut back = vec![NO_STEP; steps.len()];
    for (from, &to) in (0..).zip(steps) {
        if let Some(back) = back.get_mut(usize::from(to)) {
            *back = from;
        }
    }
    back
}

fn lattice_spots(frame: &Frame) -> Vec<Spot> {
    let mut spots = Vec::new();
    for row in 1..=frame.rows {
        for column in 1..=frame.row_length(row) {
            if let Some(place) = frame.place(column, row) {
                let name = frame.name(column, row);
                spots.push(Spot {
                    name,
                    column,
                    row,
                    place,
                });
            }
        }
    }
    spots
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, BoardKind, Direction, Directions, Wrap};

    fn boards() -> Result<Vec<Board>, BoardError> {
        let mut knights = Board::square(6, 5, Wrap::Columns)?;
        knights.add_leaps(1, 2)?;
        let holed = Board::triangles(4, 3)?;
        let holed = holed.restrict(&holed.cells().without(holed.middle()))?;
        Ok(vec![
            Board::square(26, 26, Wrap::None)?,
            Board::square(2, 2, Wrap::Both)?,
            Board::square(1, 5, Wrap::Rows)?,
            Board::triangles(12, 7)?,
            Board::hexagons(20, 20)?,
            Board::triangles(1, 1)?,
            Board::rhombus(11, 11)?,
            knights,
            holed,
        ])
    }

    #[test]
    fn steps_lead_back_and_names_are_found() -> Result<(), BoardError> {
        for board in boards()? {
            for cell in board.cells() {
                assert_eq!(board.cell_named(board.name(cell)), Some(cell));
                let (column, row) = (board.column_of(cell), board.row_of(cell));
                assert_eq!(board.cell_at(column, row), Some(cell));
                for d in Directions::range(board.directions()) {
                    let Some(back) = board.opposite(d) else {
                        return Err(BoardError::NoLeaps);
                    };
                    if let Some(next) = board.step(cell, d) {
                        assert_eq!(board.step(next, back), Some(cell));
                    }
                }
                for other in *board.neighbours(cell) {
                    assert!(board.neighbours(other).contains(cell) && other != cell);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn triangles_of_the_wide_hexagon() -> Result<(), BoardError> {
        let board = Board::triangles(12, 7)?;
        assert_eq!((board.len(), board.rows(), board.columns()), (192, 13, 18));
        assert_eq!(board.kind(), BoardKind::Triangles);
        let last = board.find_cell("g18")?;
        assert_eq!(board.neighbours(last).len(), 3);
        assert!(board.cell_named("g19").is_none() && board.cell_named("n1").is_none());
        let most = board.cells().iter().map(|c| board.neighbours(c).len());
        assert_eq!(most.max(), Some(6));
        assert_eq!(Board::triangles(3, 3)?.len(), 19);
        assert_eq!(Board::triangles(20, 20)?.len(), 1141);
        let wide = Board::hexagons(2, 20)?;
        assert!(wide.cell_named("aa1").is_some() && wide.cell_named("am2").is_some());
        Ok(())
    }

    #[test]
    fn rhombus_as_in_hex() -> Result<(), BoardError> {
        let board = Board::rhombus(11, 11)?;
        let around = |name| board.cell_named(name).map(|c| board.neighbours(c).len());
        assert_eq!(around("a1"), Some(2));
        assert_eq!(around("a11"), Some(3));
        assert_eq!(around("f6"), Some(6));
        let b1 = board.find_cell("b1")?;
        assert!(board.neighbours(b1).contains(board.find_cell("a2")?));
        assert!(!board.neighbours(b1).contains(board.find_cell("c2")?));
        Ok(())
    }

    #[test]
    fn wrapped_squares() -> Result<(), BoardError> {
        let board = Board::square(5, 3, Wrap::Columns)?;
        let e = board.direction_named("e").unwrap_or(Direction(255));
        let n = board.direction_named("n").unwrap_or(Direction(255));
        let (a2, e2) = (board.find_cell("a2")?, board.find_cell("e2")?);
        assert_eq!(board.step(e2, e), Some(a2));
        assert_eq!(board.step(board.find_cell("a3")?, n), None);
        assert_eq!(board.neighbours(a2).len(), 8);
        let ring = Board::square(1, 4, Wrap::Both)?;
        assert!(ring.step(ring.find_cell("a1")?, e).is_none());
        Ok(())
    }
}
