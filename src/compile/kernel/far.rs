//! Where squares of pictures lie whose distance from the first cell is fixed: whether two of them can be the same cell, on any board.

use crate::board::{Board, Cell, Cells, Direction, Directions};
use crate::compile::kernel::lengths::distance;
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::unique::rays_part;
use crate::program::{Dirs, Picture};

/// Directions, as bits, and how far something lies along them.
pub type Far = (u64, usize);

impl Lowerer<'_> {
    /// The directions of a picture, where they are fixed.
    pub fn fixed_ways(&self, picture: &Picture, cx: Cx) -> Option<u64> {
        match &picture.ways {
            Dirs::Const(d) => Some(d.0),
            Dirs::ByPlayer(sets, who) => {
                let who = self.asker(cx).player(who);
                who.map(|p| sets[usize::from(p)].0)
            }
            _ => None,
        }
    }

    /// The directions that a picture may be looked for along, whoever asks.
    pub fn all_ways(&self, picture: &Picture) -> Directions {
        match &picture.ways {
            Dirs::Const(d) => *d,
            Dirs::ByPlayer(sets, _) => Directions(sets.iter().fold(0, |all, d| all | d.0)),
            _ => Directions::range(self.program.board.directions()),
        }
    }

    /// Whether from no cell two of some directions come to the same cell, however far.
    pub fn part_along(&self, ways: Directions) -> bool {
        self.rays_part || rays_part(&self.program.board, ways)
    }

    /// Whether along each direction every cell is next to one cell at most.
    pub fn goes_back(&self) -> bool {
        *self.steps_back.get_or_init(|| {
            let board = &self.program.board;
            let mut all = Directions::range(board.directions()).iter();
            all.all(|d| {
                let mut met = Cells::EMPTY;
                let mut next = board.cells().iter().filter_map(|c| board.step(c, d));
                next.all(|n| {
                    let fresh = !met.contains(n);
                    met.insert(n);
                    fresh
                })
            })
        })
    }

    /// Whether the first cell of a match and any other cell of it tell its direction.
    pub fn parts(&self, picture: &Picture, cx: Cx) -> bool {
        if self.part_along(self.all_ways(picture)) {
            return true;
        }
        let Some(ways) = self.fixed_ways(picture, cx) else {
            return false;
        };
        // A text may tell where a run begins, or where it ends.
        let Some(cells) = distance(picture, picture.squares.len()) else {
            return false;
        };
        let board = &self.program.board;
        (1..cells).all(|far| never_meet(board, (ways, far), (ways, far), true))
    }
}

/// Whether from no cell two squares are the same; with `one` not along one direction.
pub fn never_meet(board: &Board, a: Far, b: Far, one: bool) -> bool {
    let ends = |from: Cell, (ways, far): Far| {
        let all = (0..board.directions()).filter(move |d| ways >> d & 1 == 1);
        all.filter_map(move |d| Some((d, reach(board, from, Direction(d as u8), far)?)))
    };
    let apart = |from: &Cell| {
        ends(*from, a)
            .all(|(d, end)| ends(*from, b).all(|(e, other)| end != other || one && d == e))
    };
    board.cells().iter().all(|cell| apart(&cell))
}

/// The cell so many steps on.
fn reach(board: &Board, from: Cell, way: Direction, far: usize) -> Option<Cell> {
    (0..far).try_fold(from, |cell, _| board.step(cell, way))
}
