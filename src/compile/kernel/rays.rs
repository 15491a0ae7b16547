//! Runs that go on as far as they can, ended by one look at all cells of the ray instead of one step after the other.

use crate::board::{Board, Cell, Cells, Direction};
use crate::compile::kernel::fun::{NO, SV, V};
use crate::compile::kernel::lower::Lowerer;
use crate::program::kernel::{Bin, Word};

/// The most words of a set for which a ray is looked at whole; wider ones cost more than a few steps.
const NARROW: usize = 4;

/// Whether along every direction the numbers of the cells only grow, or only fall.
pub fn rays_ordered(board: &Board) -> bool {
    (0..board.directions()).all(|d| {
        let d = Direction(d as u8);
        let grows = |c: Cell| board.step(c, d).map(|n| n > c);
        let mut all = board.cells().iter().filter_map(grows);
        all.next().is_none_or(|first| all.all(|next| next == first))
    })
}

/// For each direction, and for no cell and each cell, the cells of the ray from it on.
fn rays(board: &Board) -> Vec<Cells> {
    let mut rays = Vec::new();
    for d in 0..board.directions() {
        rays.push(Cells::EMPTY);
        for c in 0..board.len() {
            let mut ray = Cells::EMPTY;
            let mut at = Some(Cell(c as u16));
            while let Some(cell) = at {
                ray.insert(cell);
                at = board.step(cell, Direction(d as u8));
            }
            rays.push(ray);
        }
    }
    rays
}

impl Lowerer<'_> {
    /// Whether the end of a run is found by [`Lowerer::run_end`].
    pub fn sees_rays(&self) -> bool {
        self.rays_ordered && !self.returns && self.program.layout.words <= NARROW
    }

    /// The run of a set along a direction, from a cell counted from 1: its length, and the cell behind it counted from 1; 0 for
    /// none.
    pub fn run_end(&mut self, first: V, set: SV, way: V) -> (V, V) {
        let stride = self.program.board.len() as u64 + 1;
        let cells = self.rows("rays", |p| rays(&p.board));
        let lengths = self.table("rays", |p| {
            let counts = rays(&p.board).into_iter().map(|r| r.len() as u64);
            counts.collect()
        });
        let up = self.table("up", |p| {
            let ways = (0..p.board.directions()).map(|d| Direction(d as u8));
            let grows = |d| p.board.cells().iter().any(|c| p.board.step(c, d) > Some(c));
            ways.map(|d| u64::from(grows(d))).collect()
        });
        let base = self.f.bin(Bin::Mul, way, V::K(stride));
        let at = self.f.bin(Bin::Add, base, first);
        let ray = self.f.row(cells, at);
        let stops = self.f.without(&mut self.fixed, ray, set);
        let some = self.f.some(&self.fixed, stops);
        let any = self.fix(&Cells::single(Cell(0)));
        let sure = self.f.select_set(some, stops, any);
        let sure = self.f.sreg(sure);
        let up = self.f.table(&self.tables, up, way);
        let stop = match up {
            V::K(0) => self.f.make(Word::Last(sure)),
            V::K(_) => self.f.make(Word::First(sure)),
            V::R(_) => {
                let (low, high) = (
                    self.f.make(Word::First(sure)),
                    self.f.make(Word::Last(sure)),
                );
                self.f.select(up, low, high)
            }
        };
        let next = self.f.bin(Bin::Add, stop, V::K(1));
        let next = self.f.select(some, next, NO);
        let all = self.f.table(&self.tables, lengths, at);
        let behind = self.f.bin(Bin::Add, base, next);
        let behind = self.f.table(&self.tables, lengths, behind);
        (self.f.bin(Bin::Sub, all, behind), next)
    }
}
