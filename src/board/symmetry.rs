//! How a board maps onto itself: turns to a facing, and mirror images along a direction; a permutation of cells comes out.

use crate::board::frame::Place;
use crate::board::{Board, BoardKind, Cell, Directions, Facing};

impl Board {
    /// For every cell as seen by a player who faces north, the same cell as seen facing `to`.
    ///
    /// South is the mirror image from top to bottom (also on hexagons), east and west are quarter turns. So the first row
    /// goes to the last row for south, to the first column for east, to the last column for west. The image of a region
    /// is the set of `turned[cell.index()]` of its cells.
    ///
    /// Nothing if the board (cells and steps, about the centre of the full lattice) does not map onto itself.
    #[must_use]
    pub fn symmetry(&self, to: Facing) -> Option<Vec<Cell>> {
        // Places are counted from the centre, x in half cells: a quarter turn also doubles or halves.
        let turnable = matches!(self.kind(), BoardKind::Square | BoardKind::Graph);
        match to {
            Facing::North => Some(self.cells().iter().collect()),
            Facing::South => self.image(|(x, y)| Some((x, -y))),
            Facing::East if turnable => self.image(|(x, y)| Some((2 * y, half(-x)?))),
            Facing::West if turnable => self.image(|(x, y)| Some((-2 * y, half(x)?))),
            Facing::East | Facing::West => None,
        }
    }

    /// For every cell its mirror image along the directions: `sideways` swaps left and right, north and south swap top
    /// and bottom, northeast and southwest swap those two corners of a square.
    ///
    /// The directions are one direction, with or without its opposite. Nothing if they are not, if the direction is not
    /// straight (on a graph), or if the board (cells and steps, about the centre of the full lattice) does not map onto
    /// itself.
    #[must_use]
    pub fn mirror(&self, along: Directions) -> Option<Vec<Cell>> {
        let first = along.iter().next()?;
        let mut axis = Directions::single(first);
        if along != axis {
            axis.insert(self.opposite(first)?);
        }
        if along != axis {
            return None;
        }
        let vector = self.way(first)?.vector?;
        // How long a row's height is, squared and in half cell widths.
        let height = match self.kind() {
            BoardKind::Square | BoardKind::Graph => 4,
            BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Rhombus => 3,
        };
        self.image(|place| reflect(place, vector, height))
    }

    /// Maps every cell by a map of the plane about the centre (in doubled places), if that respects the board.
    fn image(&self, map: impl Fn(Place) -> Option<Place>) -> Option<Vec<Cell>> {
        if !self.frame.plotted {
            return None;
        }
        let centre = self.frame.twice_centre();
        let mapped = self.spots.iter().map(|spot| {
            let from = (2 * spot.place.0 - centre.0, 2 * spot.place.1 - centre.1);
            let to = map(from)?;
            self.cell_placed((half(to.0 + centre.0)?, half(to.1 + centre.1)?))
        });
        let mapped: Vec<Cell> = mapped.collect::<Option<_>>()?;
        self.keeps_steps(&mapped).then_some(mapped)
    }

    /// Whether the images of a cell's neighbours are the neighbours of its image, for every cell.
    fn keeps_steps(&self, image: &[Cell]) -> bool {
        let around = self.adjacency(self.base);
        let of = |cell: Cell| image.get(cell.index()).copied();
        around.iter().zip(image).all(|(near, to)| {
            let moved = near.iter().filter_map(of).collect();
            around.get(to.index()) == Some(&moved)
        })
    }
}

/// Half of an even number.
const fn half(n: i64) -> Option<i64> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

/// The mirror image of a place along a vector: `p - 2 (p·v) / (v·v) v`, if that is whole.
///
/// In 128 bits, as leaps may be as long as 32 bits can tell.
fn reflect(place: Place, vector: Place, height: i128) -> Option<Place> {
    let wide = |p: Place| (i128::from(p.0), i128::from(p.1));
    let (p, v) = (wide(place), wide(vector));
    let dot = |a: (i128, i128), b: (i128, i128)| a.0 * b.0 + height * a.1 * b.1;
    let (amount, length) = (2 * dot(p, v), dot(v, v));
    let shifted = |from: i128, by: i128| {
        let whole = length != 0 && (amount * by) % length == 0;
        let to = from - if whole { amount * by / length } else { 0 };
        whole.then(|| i64::try_from(to).ok()).flatten()
    };
    Some((shifted(p.0, v.0)?, shifted(p.1, v.1)?))
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Cell, Directions, Facing, Wrap};

    fn image<'a>(board: &'a Board, map: Option<&Vec<Cell>>, name: &str) -> &'a str {
        let cell = board.cell_named(name).map_or(usize::MAX, Cell::index);
        let to = map.and_then(|map| map.get(cell));
        to.map_or("none", |cell| board.name(*cell))
    }

    fn axis(board: &Board, names: &[&str]) -> Directions {
        let found = names.iter().map(|n| board.direction_named(n));
        found.flatten().collect()
    }

    #[test]
    fn facings_on_squares() -> Result<(), BoardError> {
        let board = Board::square(8, 8, Wrap::None)?;
        let seen = |to, name| image(&board, board.symmetry(to).as_ref(), name);
        assert_eq!(seen(Facing::North, "b1"), "b1");
        assert_eq!(seen(Facing::South, "b1"), "b8");
        assert_eq!(seen(Facing::East, "b1"), "a7");
        assert_eq!(seen(Facing::West, "b1"), "h2");
        let oblong = Board::square(8, 6, Wrap::None)?;
        assert!(oblong.symmetry(Facing::East).is_none());
        assert!(oblong.symmetry(Facing::South).is_some());
        let tube = Board::square(6, 6, Wrap::Columns)?;
        assert!(tube.symmetry(Facing::East).is_none());
        let lopsided = oblong.restrict(&Board::square(8, 5, Wrap::None)?.cells())?;
        assert!(lopsided.symmetry(Facing::South).is_none());
        Ok(())
    }

    #[test]
    fn facings_turn_the_forward_directions() -> Result<(), BoardError> {
        let board = Board::square(7, 7, Wrap::None)?;
        let d4 = board.find_cell("d4")?;
        let ahead = |facing| -> Vec<Cell> {
            let steps = board.forward(facing);
            let mut cells: Vec<_> = steps.iter().filter_map(|d| board.step(d4, d)).collect();
            cells.sort();
            cells
        };
        for to in [Facing::South, Facing::East, Facing::West] {
            let map = board.symmetry(to).unwrap_or_default();
            let turned = ahead(Facing::North).into_iter();
            let mut turned: Vec<_> = turned.filter_map(|c| map.get(c.index()).copied()).collect();
            turned.sort();
            assert_eq!(turned, ahead(to));
        }
        Ok(())
    }

    #[test]
    fn mirrors_on_squares() -> Result<(), BoardError> {
        let board = Board::square(9, 9, Wrap::None)?;
        let seen = |names: &[&str], cell| {
            let map = board.mirror(axis(&board, names));
            image(&board, map.as_ref(), cell)
        };
        assert_eq!(
            board.mirror(board.sideways()),
            board.mirror(axis(&board, &["e"]))
        );
        assert_eq!(seen(&["e", "w"], "b3"), "h3");
        assert_eq!(seen(&["n", "s"], "b3"), "b7");
        assert_eq!(seen(&["ne", "sw"], "b3"), "g8");
        assert_eq!(seen(&["nw", "se"], "b3"), "c2");
        assert_eq!(seen(&["n", "e"], "b3"), "none");
        assert_eq!(seen(&[], "b3"), "none");
        assert!(board.mirror(board.all()).is_none());
        let oblong = Board::square(9, 8, Wrap::None)?;
        assert!(oblong.mirror(axis(&oblong, &["ne", "sw"])).is_none());
        let mut huge = board;
        let leaps = huge.add_leaps(u32::MAX, u32::MAX - 1)?;
        assert!(
            leaps
                .iter()
                .all(|d| huge.mirror(Directions::single(d)).is_none())
        );
        Ok(())
    }

    #[test]
    fn mirrors_on_hexagons() -> Result<(), BoardError> {
        let board = Board::triangles(12, 7)?;
        let sideways = board.mirror(board.sideways());
        assert_eq!(image(&board, sideways.as_ref(), "b2"), "b12");
        let south = board.symmetry(Facing::South);
        assert_eq!(image(&board, south.as_ref(), "a3"), "m3");
        assert_eq!(board.mirror(axis(&board, &["n", "s"])), south);
        assert!(board.symmetry(Facing::West).is_none());
        assert!(board.mirror(axis(&board, &["ne", "sw"])).is_none());
        let regular = Board::hexagons(4, 4)?;
        for d in regular.all() | regular.diagonal() {
            let map = regular.mirror(Directions::single(d)).unwrap_or_default();
            assert_eq!(map.len(), regular.len());
            let twice = |c: Cell| map.get(c.index()).and_then(|c| map.get(c.index()));
            assert!(regular.cells().iter().all(|c| twice(c) == Some(&c)));
        }
        let rhombus = Board::rhombus(5, 5)?;
        let long = rhombus.mirror(axis(&rhombus, &["ene", "wsw"]));
        assert_eq!(image(&rhombus, long.as_ref(), "a1"), "e5");
        assert!(rhombus.symmetry(Facing::South).is_none());
        Ok(())
    }
}
