//! Boards made from boards: leaps over a lattice are added, cells are taken away; the lattice and its coordinates stay.

use crate::board::board_type::{NO_STEP, Spot, Way};
use crate::board::frame::Place;
use crate::board::{Board, BoardError, BoardKind, Cells, Directions};

impl Board {
    /// Adds the leaps of `a` by `b` cells in all their turns and mirrors, and returns them.
    ///
    /// Up to eight; every one has its opposite. A leap that the board already has as a direction is that direction.
    /// Leaps take part in neither [`Board::all`] nor [`Board::joined`] unless they were there before.
    ///
    /// # Errors
    ///
    /// If the board has no columns and rows to count by (only squares and rhombuses have), if both numbers are 0, or if
    /// there would be more than 64 directions; the board is then unchanged.
    pub fn add_leaps(&mut self, a: u32, b: u32) -> Result<Directions, BoardError> {
        if !matches!(self.kind(), BoardKind::Square | BoardKind::Rhombus) {
            return Err(BoardError::NoLeaps);
        }
        if a == 0 && b == 0 {
            return Err(BoardError::ZeroLeap);
        }
        let mut fresh = turns(i64::from(a), i64::from(b));
        fresh.retain(|(x, y)| self.way_along(self.frame.vector(*x, *y)).is_none());
        if self.ways.len() + fresh.len() > 64 {
            return Err(BoardError::TooManyDirections);
        }
        for (x, y) in fresh {
            self.add_way(leap_name(x, y), self.frame.vector(x, y));
        }
        let found = |(x, y)| self.way_along(self.frame.vector(x, y));
        let leaps = turns(i64::from(a), i64::from(b));
        Ok(leaps.into_iter().filter_map(found).collect())
    }

    /// The board without the cells that are not in `keep`.
    ///
    /// Cells are numbered anew in the same order and keep their names, rows and columns; a ray stops at a hole. Regions
    /// and mirror images go by the full lattice.
    ///
    /// # Errors
    ///
    /// If no cell is left.
    pub fn restrict(&self, keep: &Cells) -> Result<Self, BoardError> {
        let kept = *keep & self.cells();
        let mut renumbered = vec![NO_STEP; self.len()];
        for (new, old) in (0u16..).zip(kept) {
            if let Some(number) = renumbered.get_mut(old.index()) {
                *number = new;
            }
        }
        let moved = |old: &u16| renumbered.get(usize::from(*old)).copied();
        let way = |way: &Way| {
            let old = kept.iter().filter_map(|c| way.steps.get(c.index()));
            let steps = old.map(|next| moved(next).unwrap_or(NO_STEP)).collect();
            Way {
                steps,
                ..way.clone()
            }
        };
        let spots: Vec<Spot> = kept.iter().filter_map(|c| self.spot(c).cloned()).collect();
        if spots.is_empty() {
            return Err(BoardError::Empty);
        }
        let ways = self.ways.iter().map(way).collect();
        let mut board = Self::assemble(self.frame, spots, ways, self.base);
        board.set_joined(self.joined);
        Ok(board)
    }
}

/// All different turns and mirrors of a step, anticlockwise.
fn turns(a: i64, b: i64) -> Vec<Place> {
    let (long, short) = (a.max(b), a.min(b));
    let (mut first, mut second) = ((long, short), (short, long));
    let mut turns = Vec::new();
    for _ in 0..4 {
        for step in [first, second] {
            if !turns.contains(&step) {
                turns.push(step);
            }
        }
        (first, second) = ((-first.1, first.0), (-second.1, second.0));
    }
    turns
}

/// Rows gained, then columns gained, such as `2n1e`.
fn leap_name(columns: i64, rows: i64) -> String {
    let part = |n: i64, more: char, less: char| match n {
        0 => String::new(),
        n => format!("{}{}", n.abs(), if n > 0 { more } else { less }),
    };
    format!("{}{}", part(rows, 'n', 's'), part(columns, 'e', 'w'))
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Cells, Direction, Wrap};

    #[test]
    fn leaps_are_added_once() -> Result<(), BoardError> {
        let mut board = Board::square(8, 8, Wrap::None)?;
        let knight = board.add_leaps(1, 2)?;
        assert_eq!((knight.len(), board.directions()), (8, 16));
        assert_eq!(board.add_leaps(2, 1), Ok(knight));
        assert_eq!(board.add_leaps(1, 1), Ok(board.diagonal()));
        assert_eq!(board.add_leaps(0, 1), Ok(board.orthogonal()));
        assert_eq!(board.add_leaps(u32::MAX, 0)?.len(), 4);
        assert_eq!(board.add_leaps(0, 0), Err(BoardError::ZeroLeap));
        let a1 = board.find_cell("a1")?;
        let reached: Cells = knight.iter().filter_map(|d| board.step(a1, d)).collect();
        let names: Vec<_> = reached.iter().map(|c| board.name(c)).collect();
        assert_eq!(names, ["c2", "b3"]);
        assert!(board.direction_named("2n1e").is_some());
        let before = (2..9).map(|n| board.add_leaps(n, n + 1).is_ok()).last();
        assert_eq!(before, Some(false));
        assert!(board.directions() <= 64);
        assert_eq!(
            Board::triangles(3, 3)?.add_leaps(1, 2),
            Err(BoardError::NoLeaps)
        );
        Ok(())
    }

    #[test]
    fn holes_stop_rays() -> Result<(), BoardError> {
        let full = Board::square(5, 5, Wrap::None)?;
        let mut keep = full.cells();
        keep.remove(full.find_cell("c1")?);
        let board = full.restrict(&keep)?;
        assert_eq!((board.len(), board.columns()), (24, 5));
        let e = board.direction_named("east").unwrap_or(Direction(255));
        assert_eq!(board.step(board.find_cell("b1")?, e), None);
        let d1 = board.find_cell("d1")?;
        assert_eq!((d1.0, board.column_of(d1)), (2, 4));
        assert_eq!(board.cell_at(3, 1), None);
        assert_eq!(board.restrict(&Cells::EMPTY), Err(BoardError::Empty));
        assert_eq!(board.restrict(&Cells::range(9999))?, board);
        Ok(())
    }
}
