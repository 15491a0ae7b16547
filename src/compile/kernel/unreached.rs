//! Whether a picture, or a step, ever leads to where steps of a trail come to, whatever stands on the board: jumps over one cell stay on cells of one
//! colour, say, and steps to the next do not.

use crate::board::{Cell, Cells as BoardCells, Directions};
use crate::compile::kernel::heads::Beside;
use crate::compile::kernel::lengths::{Range, distances};
use crate::compile::kernel::lower::Lowerer;
use crate::program::{Cells, Op, Picture, Square};

impl Lowerer<'_> {
    /// Whether a cell of a picture, the first or the last of a square, is never one that steps come to from its first cell.
    pub fn is_unreached(
        &self,
        steps: &Cells,
        picture: &Picture,
        (square, last): (usize, bool),
    ) -> bool {
        let (Some(mut roots), Some(far)) = (self.roots(steps), distances(picture, square, last))
        else {
            return false;
        };
        let mut apart = true;
        self.each_end(picture, far, |from, to| {
            apart &= root(&mut roots, from) != root(&mut roots, to);
        });
        apart
    }

    /// Whether a cell of a picture, the first or the last of a square, is never beside its first cell.
    pub fn is_no_step(
        &self,
        step: Beside,
        picture: &Picture,
        (square, last): (usize, bool),
    ) -> bool {
        let Some(far) = distances(picture, square, last) else {
            return false;
        };
        let mut apart = true;
        self.each_end(picture, far, |from, to| {
            apart &= !self.next_to(step, from).contains(Cell(to as u16));
        });
        apart
    }

    /// Whether steps never come to a cell beside the one they begin on.
    pub fn are_no_steps(&self, step: Beside, steps: &Cells) -> bool {
        let Some(mut roots) = self.roots(steps) else {
            return false;
        };
        (0..self.program.board.len()).all(|from| {
            let near = self.next_to(step, from);
            let mut near = near.iter();
            near.all(|to| root(&mut roots, from) != root(&mut roots, to.index()))
        })
    }

    /// The cells beside a cell.
    fn next_to(&self, step: Beside, cell: usize) -> BoardCells {
        let (board, cell) = (&self.program.board, Cell(cell as u16));
        let all = Directions::range(board.directions());
        match step {
            Beside::Neighbour => *board.neighbours(cell),
            Beside::Step => {
                let next = all.iter().filter_map(|d| board.step(cell, d));
                next.collect::<BoardCells>() | *board.neighbours(cell)
            }
        }
    }

    /// For each cell one of those that steps lead to and from in any number, in either direction: the same for all of them.
    fn roots(&self, steps: &Cells) -> Option<Vec<usize>> {
        let mut roots: Vec<usize> = (0..self.program.board.len()).collect();
        for (step, far) in self.steps_of(steps)? {
            self.each_end(step, far, |from, to| {
                let (from, to) = (root(&mut roots, from), root(&mut roots, to));
                roots[from] = to;
            });
        }
        Some(roots)
    }

    /// The pictures whose squares a set gathers, and how far from their first cells these are.
    fn steps_of(&self, set: &Cells) -> Option<Vec<(&Picture, Range)>> {
        match set {
            Cells::Or(a, b) => Some([self.steps_of(a)?, self.steps_of(b)?].concat()),
            Cells::Gather(next, sub) => {
                let at = self.program.subs.get(sub.0 as usize)?.0 as usize;
                let [Op::Line(id), Op::Succeed] = self.program.code.get(at..at + 2)? else {
                    return None;
                };
                let picture = &self.program.pictures[id.0 as usize];
                let bound =
                    |s: &Square| matches!(s, Square::Cells { bind: Some(v), .. } if v == next);
                let square = picture.squares.iter().position(bound)?;
                Some(vec![(picture, distances(picture, square, false)?)])
            }
            _ => None,
        }
    }

    /// Goes through the first cells of a picture, each with every cell that may lie so far from it.
    fn each_end(
        &self,
        picture: &Picture,
        (least, most): Range,
        mut found: impl FnMut(usize, usize),
    ) {
        let board = &self.program.board;
        let most = most.unwrap_or(board.len()).min(board.len());
        for way in self.all_ways(picture).iter() {
            for from in board.cells().iter() {
                let mut at = Some(from);
                for far in 0..=most {
                    let Some(cell) = at else { break };
                    if far >= least {
                        found(from.index(), cell.index());
                    }
                    at = board.step(cell, way);
                }
            }
        }
    }
}

/// The root of a cell.
fn root(roots: &mut [usize], mut cell: usize) -> usize {
    while roots[cell] != cell {
        roots[cell] = roots[roots[cell]];
        cell = roots[cell];
    }
    cell
}
