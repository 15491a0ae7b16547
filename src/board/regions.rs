//! Regions of a board by its coordinates: rows, columns, colours, edges, corners, centre; all go by the full lattice, holes left out.

use crate::board::board_type::Spot;
use crate::board::frame::Place;
use crate::board::{Board, BoardKind, Cell, Cells, Wrap};

impl Board {
    /// The row of a cell, counted from 1 at the bottom; 0 for a cell that is not on the board.
    #[must_use]
    pub fn row_of(&self, cell: Cell) -> u32 {
        self.spot(cell).map_or(0, |spot| spot.row)
    }

    /// The column of a cell, counted from 1 at the left; 0 for a cell that is not on the board.
    ///
    /// On hexagon shapes this is the number of the cell within its row.
    #[must_use]
    pub fn column_of(&self, cell: Cell) -> u32 {
        self.spot(cell).map_or(0, |spot| spot.column)
    }

    /// How many rows the full lattice has.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.frame.rows
    }

    /// How many columns the full lattice has: the length of its longest row.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.frame.columns
    }

    /// Which edges are joined; none but those of squares.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.frame.wrap
    }

    /// Whether columns and rows mean anything; on a graph of free names they do not.
    #[must_use]
    pub const fn is_plotted(&self) -> bool {
        self.frame.plotted
    }

    /// The cells of a row; empty when it is off the board.
    #[must_use]
    pub fn row(&self, row: u32) -> Cells {
        self.spots_where(|spot| spot.row == row)
    }

    /// The cells of a column; empty when it is off the board.
    #[must_use]
    pub fn column(&self, column: u32) -> Cells {
        self.spots_where(|spot| spot.column == column)
    }

    /// The cell of a column and row; nothing off the board and in holes.
    #[must_use]
    pub fn cell_at(&self, column: u32, row: u32) -> Option<Cell> {
        self.cell_placed(self.frame.place(column, row)?)
    }

    /// The squares of the colour of `a1`: column and row add up to an even number. Empty on other shapes.
    #[must_use]
    pub fn dark(&self) -> Cells {
        let squares = self.kind() == BoardKind::Square;
        self.spots_where(|spot| squares && (spot.column + spot.row).is_multiple_of(2))
    }

    /// The cells that are not dark: half of the squares, and all cells of other shapes.
    #[must_use]
    pub fn light(&self) -> Cells {
        self.cells().without(self.dark())
    }

    /// The cells at two edges of the full lattice: four of squares and rhombuses, six of hexagons, none of graphs.
    ///
    /// Joined edges are no edges.
    #[must_use]
    pub fn corners(&self) -> Cells {
        let (frame, wrap) = (&self.frame, self.frame.wrap);
        let middle = frame.rows.div_ceil(2);
        self.spots_where(|spot| {
            let at_end = spot.column == 1 || spot.column == frame.row_length(spot.row);
            let at_edge = spot.row == 1 || spot.row == frame.rows;
            match frame.kind {
                BoardKind::Square => at_end && at_edge && !wrap.columns() && !wrap.rows(),
                BoardKind::Rhombus => at_end && at_edge,
                BoardKind::Triangles | BoardKind::Hexagons => {
                    at_end && (at_edge || spot.row == middle)
                }
                BoardKind::Graph => false,
            }
        })
    }

    /// The one, two or four cells at the centre of the full lattice; none on a graph without columns and rows.
    #[must_use]
    pub fn middle(&self) -> Cells {
        let frame = &self.frame;
        self.spots_where(|spot| {
            let upright = is_central(spot.row, frame.rows);
            let across = is_central(spot.column, frame.row_length(spot.row));
            frame.plotted && upright && across
        })
    }

    /// The cells on the `lines` outermost lines: `outer(1)` is the edge, `outer(0)` nothing.
    ///
    /// Counted from the nearest edge of the full lattice: four edges of squares, rhombuses and graphs with columns and
    /// rows, six of hexagons. Joined edges are no edges; a graph without columns and rows has none.
    #[must_use]
    pub fn outer(&self, lines: u32) -> Cells {
        let frame = &self.frame;
        self.spots_where(|spot| {
            let depth = frame.depth(spot.column, spot.row);
            frame.plotted && depth.is_some_and(|depth| depth < lines)
        })
    }

    /// The cells row by row, the top row first, each from the left; rows without any cell are left out.
    #[must_use]
    pub fn rows_top_down(&self) -> Vec<Vec<Cell>> {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let mut current = 0;
        for cell in self.cells() {
            let row = self.row_of(cell);
            match rows.last_mut() {
                Some(cells) if row == current => cells.push(cell),
                _ => rows.push(vec![cell]),
            }
            current = row;
        }
        rows.reverse();
        rows
    }

    /// Where to draw a cell: `x` in half cell widths from 0 at the left, `y` is the row, counted from 1 at the bottom.
    ///
    /// Rows of hexagons are indented by half a cell width each. (0, 0) for a cell that is not on the board.
    #[must_use]
    pub fn place(&self, cell: Cell) -> (i32, i32) {
        let (x, y) = self.spot(cell).map_or((0, 0), |spot| spot.place);
        let small = |n: Place| (i32::try_from(n.0), i32::try_from(n.1));
        match small((x, y)) {
            (Ok(x), Ok(y)) => (x, y),
            _ => (0, 0),
        }
    }

    /// The cell that lies at a place; board order is the order of rows, then of places in a row.
    pub(super) fn cell_placed(&self, place: Place) -> Option<Cell> {
        let key = |spot: &Spot| (spot.place.1, spot.place.0);
        let found = self
            .spots
            .binary_search_by_key(&(place.1, place.0), key)
            .ok()?;
        u16::try_from(found).map(Cell).ok()
    }

    fn spots_where(&self, wanted: impl Fn(&Spot) -> bool) -> Cells {
        let cells = self.cells().iter().zip(&self.spots);
        let chosen = cells.filter(|(_, spot)| wanted(spot));
        chosen.map(|(cell, _)| cell).collect()
    }
}

/// Whether one of `1 ..= count` is the middle one, or one of the two in the middle.
const fn is_central(n: u32, count: u32) -> bool {
    n == count.div_ceil(2) || n == count / 2 + 1
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Cells, Wrap};

    fn names(board: &Board, cells: Cells) -> Vec<&str> {
        cells.iter().map(|c| board.name(c)).collect()
    }

    #[test]
    fn colours() -> Result<(), BoardError> {
        let board = Board::square(9, 9, Wrap::None)?;
        assert_eq!((board.dark().len(), board.light().len()), (41, 40));
        assert!(board.corners().is_subset(board.dark()));
        let dark = board.restrict(&board.dark())?;
        assert_eq!((dark.len(), dark.dark()), (41, dark.cells()));
        assert_eq!(names(&dark, dark.corners()), ["a1", "i1", "a9", "i9"]);
        assert!(Board::triangles(3, 3)?.dark().is_empty());
        Ok(())
    }

    #[test]
    fn outermost_lines() -> Result<(), BoardError> {
        let board = Board::triangles(12, 7)?;
        assert_eq!(board.outer(4).len(), 148);
        assert_eq!(board.outer(1).len(), 46);
        assert_eq!(board.outer(99), board.cells());
        let square = Board::square(8, 8, Wrap::None)?;
        assert_eq!(square.outer(0).len(), 0);
        assert_eq!(square.outer(1).len(), 28);
        assert_eq!(Board::square(8, 8, Wrap::Rows)?.outer(1).len(), 16);
        assert_eq!(Board::square(8, 8, Wrap::Both)?.outer(1).len(), 0);
        Ok(())
    }

    #[test]
    fn corners_and_middles() -> Result<(), BoardError> {
        let board = Board::triangles(3, 3)?;
        let corners = names(&board, board.corners());
        assert_eq!(corners, ["a1", "a3", "c1", "c5", "e1", "e3"]);
        assert_eq!(names(&board, board.middle()), ["c3"]);
        let even = Board::hexagons(2, 3)?;
        assert_eq!(names(&even, even.middle()), ["c2", "c3"]);
        let square = Board::square(4, 5, Wrap::None)?;
        assert_eq!(names(&square, square.middle()), ["b3", "c3"]);
        assert_eq!(Board::square(4, 4, Wrap::None)?.middle().len(), 4);
        assert_eq!(Board::square(4, 4, Wrap::Columns)?.corners().len(), 0);
        Ok(())
    }

    #[test]
    fn rows_columns_and_places() -> Result<(), BoardError> {
        let board = Board::square(3, 2, Wrap::None)?;
        assert_eq!(names(&board, board.row(2)), ["a2", "b2", "c2"]);
        assert_eq!(names(&board, board.column(3)), ["c1", "c2"]);
        assert!(board.row(0).is_empty() && board.column(u32::MAX).is_empty());
        assert_eq!(board.cell_at(0, 1), None);
        assert_eq!(board.cell_at(u32::MAX, u32::MAX), None);
        let top_down: Vec<_> = board.rows_top_down();
        let spelt: Vec<_> = top_down.iter().flatten().map(|c| board.name(*c)).collect();
        assert_eq!(spelt, ["a2", "b2", "c2", "a1", "b1", "c1"]);
        let hexagon = Board::hexagons(2, 2)?;
        let places: Vec<_> = hexagon.cells().iter().map(|c| hexagon.place(c)).collect();
        let expected = [(1, 1), (3, 1), (0, 2), (2, 2), (4, 2), (1, 3), (3, 3)];
        assert_eq!(places, expected);
        let rhombus = Board::rhombus(2, 2)?;
        let places: Vec<_> = rhombus.cells().iter().map(|c| rhombus.place(c)).collect();
        assert_eq!(places, [(0, 1), (2, 1), (1, 2), (3, 2)]);
        Ok(())
    }
}
