//! Groups of directions by where they point: ordinary, orthogonal, diagonal, sideways, forward; sets of directions come out.

use crate::board::frame::Place;
use crate::board::{Board, BoardKind, Direction, Directions, Facing};

impl Board {
    /// The directions of ordinary steps: all but the diagonals of hexagons and leaps.
    #[must_use]
    pub const fn all(&self) -> Directions {
        self.base
    }

    /// Directions along columns and rows; the six of ordinary steps on boards of hexagons and triangles; on a graph
    /// those that are straight and upright or level.
    #[must_use]
    pub fn orthogonal(&self) -> Directions {
        match self.kind() {
            BoardKind::Square | BoardKind::Graph => {
                self.pointing(|(x, y)| (x == 0) != (y == 0)) & self.base
            }
            BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Rhombus => self.base,
        }
    }

    /// Directions between the orthogonal ones: to the cells that touch at a corner, or on boards of hexagons and
    /// triangles to the six second-nearest cells (which are not in [`Board::all`]).
    #[must_use]
    pub fn diagonal(&self) -> Directions {
        match self.kind() {
            BoardKind::Square | BoardKind::Graph => {
                self.pointing(|(x, y)| x != 0 && x.abs() == 2 * y.abs()) & self.base
            }
            BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Rhombus => {
                self.pointing(|v| matches!((v.0.abs(), v.1.abs()), (0, 2) | (3, 1)))
            }
        }
    }

    /// The base directions along a row: east and west.
    #[must_use]
    pub fn sideways(&self) -> Directions {
        self.pointing(|(x, y)| x != 0 && y == 0) & self.base
    }

    /// The base directions that gain a row (north), lose one (south), gain a column (east) or lose one (west).
    ///
    /// On squares three, on hexagons facing north or south two. On a hexagon board, east means to the right (three
    /// directions). A graph's direction belongs here if it is straight or has a compass name.
    #[must_use]
    pub fn forward(&self, facing: Facing) -> Directions {
        let slanted = self.kind() == BoardKind::Rhombus;
        let columns = |(x, y): Place| if slanted { x - y } else { x };
        let gains = |v: Place| match facing {
            Facing::North => v.1 > 0,
            Facing::South => v.1 < 0,
            Facing::East => columns(v) > 0,
            Facing::West => columns(v) < 0,
        };
        self.pointing(gains) & self.base
    }

    /// The base directions that lose a row or column for that facing.
    #[must_use]
    pub fn backward(&self, facing: Facing) -> Directions {
        self.forward(match facing {
            Facing::North => Facing::South,
            Facing::South => Facing::North,
            Facing::East => Facing::West,
            Facing::West => Facing::East,
        })
    }

    /// The directions whose step in the plane is of a kind.
    fn pointing(&self, wanted: impl Fn(Place) -> bool) -> Directions {
        let is = |d: &Direction| self.way(*d).and_then(|w| w.vector).is_some_and(&wanted);
        let all = Directions::range(self.directions());
        all.iter().filter(is).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Directions, Facing, Wrap};

    fn names(board: &Board, directions: Directions) -> Vec<&str> {
        let name = |d| board.direction_name(d);
        directions.iter().map(name).collect()
    }

    #[test]
    fn groups_of_directions() -> Result<(), BoardError> {
        let square = Board::square(4, 4, Wrap::None)?;
        assert_eq!(names(&square, square.orthogonal()), ["n", "e", "s", "w"]);
        assert_eq!(names(&square, square.diagonal()), ["ne", "se", "sw", "nw"]);
        assert_eq!(names(&square, square.sideways()), ["e", "w"]);
        let east = square.forward(Facing::East);
        assert_eq!(names(&square, east), ["ne", "e", "se"]);
        assert_eq!(square.backward(Facing::West), east);
        let hexagon = Board::hexagons(3, 3)?;
        let north = hexagon.forward(Facing::North);
        assert_eq!(names(&hexagon, north), ["ne", "nw"]);
        let diagonal = names(&hexagon, hexagon.diagonal());
        assert_eq!(diagonal, ["n", "ene", "ese", "s", "wsw", "wnw"]);
        assert_eq!(hexagon.orthogonal(), hexagon.all());
        let rhombus = Board::rhombus(3, 3)?;
        let east = rhombus.forward(Facing::East);
        assert_eq!(names(&rhombus, east), ["e", "se"]);
        Ok(())
    }
}
