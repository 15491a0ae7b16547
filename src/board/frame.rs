//! The full lattice of a board, before any cell is removed: sizes in, coordinates, places, edges and centre out; no cells here.

use crate::board::labels;
use crate::board::{BoardError, MAX_CELLS};

/// The family of shapes a board belongs to; it tells how to draw it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardKind {
    /// Square cells in columns and rows.
    Square,
    /// The points of a hexagon of triangles.
    Triangles,
    /// Hexagonal cells in a hexagon; the same geometry as [`BoardKind::Triangles`].
    Hexagons,
    /// Hexagonal cells in a rhombus.
    Rhombus,
    /// Points joined by hand.
    Graph,
}

/// Which edges of a square board are joined to the edges across from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Wrap {
    /// None.
    #[default]
    None,
    /// Leaving the right edge enters at the left.
    Columns,
    /// Leaving the top edge enters at the bottom.
    Rows,
    /// Both.
    Both,
}

impl Wrap {
    /// Whether left and right are joined.
    #[must_use]
    pub const fn columns(self) -> bool {
        matches!(self, Self::Columns | Self::Both)
    }

    /// Whether top and bottom are joined.
    #[must_use]
    pub const fn rows(self) -> bool {
        matches!(self, Self::Rows | Self::Both)
    }
}

/// A point in the plane of the board, or a way through it: half cell widths to the right, rows up.
pub(super) type Place = (i64, i64);

/// The lattice that a board's cells are cut from. Columns and rows are counted from 1, at the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub(super) kind: BoardKind,
    /// Cells in the longest row.
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) wrap: Wrap,
    /// Whether columns and rows mean anything; a graph of free names just counts its cells in one row.
    pub(super) plotted: bool,
}

impl Frame {
    /// A frame of equally long rows.
    pub(super) fn oblong(kind: BoardKind, columns: u32, rows: u32) -> Result<Self, BoardError> {
        check_count(u128::from(columns) * u128::from(rows))?;
        Ok(Self {
            kind,
            columns,
            rows,
            wrap: Wrap::None,
            plotted: true,
        })
    }

    /// A hexagon with rows of `width … width + side - 1 … width` cells.
    pub(super) fn hexagon(kind: BoardKind, width: u32, side: u32) -> Result<Self, BoardError> {
        let (w, s) = (u128::from(width), u128::from(side));
        if w == 0 || s == 0 {
            return Err(BoardError::Empty);
        }
        check_count(w * (2 * s - 1) + (s - 1) * (s - 1))?;
        Ok(Self {
            kind,
            columns: width + side - 1,
            rows: 2 * side - 1,
            wrap: Wrap::None,
            plotted: true,
        })
    }

    pub(super) const fn is_hexagon(&self) -> bool {
        matches!(self.kind, BoardKind::Triangles | BoardKind::Hexagons)
    }

    /// How many cells shorter than the longest a row is.
    const fn shortage(&self, row: u32) -> u32 {
        if self.is_hexagon() {
            row.abs_diff(self.rows.div_ceil(2))
        } else {
            0
        }
    }

    /// The number of cells in a row; none beyond the board.
    pub(super) const fn row_length(&self, row: u32) -> u32 {
        if row == 0 || row > self.rows {
            return 0;
        }
        self.columns - self.shortage(row)
    }

    /// Where a cell lies: `x` from 0 at the left, `y` is the row; nothing beyond the board.
    pub(super) fn place(&self, column: u32, row: u32) -> Option<Place> {
        if column == 0 || column > self.row_length(row) {
            return None;
        }
        let indent = match self.kind {
            BoardKind::Rhombus => row - 1,
            BoardKind::Square | BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Graph => {
                self.shortage(row)
            }
        };
        Some((
            i64::from(column - 1) * 2 + i64::from(indent),
            i64::from(row),
        ))
    }

    /// The step in the plane that gains so many columns and rows.
    pub(super) const fn vector(&self, columns: i64, rows: i64) -> Place {
        match self.kind {
            BoardKind::Rhombus => (2 * columns + rows, rows),
            BoardKind::Square | BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Graph => {
                (2 * columns, rows)
            }
        }
    }

    /// The place that a step arrives at, round the joined edges; it need not be on the board.
    pub(super) fn arrive(&self, from: Place, vector: Place) -> Place {
        let (mut x, mut y) = (from.0 + vector.0, from.1 + vector.1);
        if self.wrap.columns() {
            x = x.rem_euclid(2 * i64::from(self.columns));
        }
        if self.wrap.rows() {
            y = (y - 1).rem_euclid(i64::from(self.rows)) + 1;
        }
        (x, y)
    }

    /// Twice the place of the centre.
    pub(super) fn twice_centre(&self) -> Place {
        let slant = match self.kind {
            BoardKind::Rhombus => i64::from(self.rows) - 1,
            BoardKind::Square | BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Graph => 0,
        };
        (
            2 * (i64::from(self.columns) - 1) + slant,
            i64::from(self.rows) + 1,
        )
    }

    /// How many lines of cells lie between a cell and the nearest edge; nothing if there is no edge.
    pub(super) fn depth(&self, column: u32, row: u32) -> Option<u32> {
        let upright = [row.checked_sub(1)?, self.rows.checked_sub(row)?];
        // On a hexagon the slanted edges of the other half are never nearer than those at the ends of the row.
        let across = [
            column.checked_sub(1)?,
            self.row_length(row).checked_sub(column)?,
        ];
        let rows = upright.into_iter().filter(|_| !self.wrap.rows());
        let columns = across.into_iter().filter(|_| !self.wrap.columns());
        rows.chain(columns).min()
    }

    /// The name of a lattice cell.
    pub(super) fn name(&self, column: u32, row: u32) -> String {
        if self.is_hexagon() {
            format!("{}{column}", labels::letters(row))
        } else {
            format!("{}{row}", labels::letters(column))
        }
    }
}

/// Refuses boards without cells and boards of too many.
pub(super) fn check_count(cells: u128) -> Result<(), BoardError> {
    if cells == 0 {
        return Err(BoardError::Empty);
    }
    if cells > MAX_CELLS as u128 {
        let cells = u64::try_from(cells).unwrap_or(u64::MAX);
        return Err(BoardError::TooLarge { cells });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::board::frame::Frame;
    use crate::board::{BoardError, BoardKind, Wrap};

    #[test]
    fn huge_sizes_are_refused_before_anything_is_built() {
        let kind = BoardKind::Hexagons;
        let most = u32::MAX;
        assert!(matches!(
            Frame::hexagon(kind, most, most),
            Err(BoardError::TooLarge { cells: u64::MAX })
        ));
        assert_eq!(Frame::hexagon(kind, most, 0), Err(BoardError::Empty));
        assert_eq!(Frame::oblong(kind, 0, most), Err(BoardError::Empty));
        assert!(Frame::oblong(kind, 1281, 1).is_err());
        assert!(Frame::oblong(kind, 1280, 1).is_ok());
    }

    #[test]
    fn hexagon_rows_and_places() -> Result<(), BoardError> {
        let frame = Frame::hexagon(BoardKind::Triangles, 12, 7)?;
        let lengths: Vec<_> = (0..=14).map(|row| frame.row_length(row)).collect();
        let expected = [0, 12, 13, 14, 15, 16, 17, 18, 17, 16, 15, 14, 13, 12, 0];
        assert_eq!(lengths, expected);
        assert_eq!(frame.place(1, 1), Some((6, 1)));
        assert_eq!(frame.place(18, 7), Some((34, 7)));
        assert_eq!(frame.place(13, 1), None);
        assert_eq!(frame.twice_centre(), (34, 14));
        assert_eq!(frame.depth(9, 7), Some(6));
        Ok(())
    }

    #[test]
    fn joined_edges_are_no_edges() -> Result<(), BoardError> {
        let mut frame = Frame::oblong(BoardKind::Square, 5, 4)?;
        frame.wrap = Wrap::Columns;
        assert_eq!(frame.arrive((0, 1), (-2, 0)), (8, 1));
        assert_eq!(frame.depth(1, 2), Some(1));
        frame.wrap = Wrap::Both;
        assert_eq!(frame.arrive((8, 4), (2, 1)), (0, 1));
        assert_eq!(frame.depth(1, 2), None);
        Ok(())
    }
}
