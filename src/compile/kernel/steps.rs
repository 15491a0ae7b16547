//! Cells beside others, and one step on: of one cell by a table, of a set by shifts. In: cells, and fixed directions or any neighbours. Out:
//! a set.

use crate::board::{Board, Cell, Cells as BoardCells, Direction, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, RowsId, Set, Stmt};
use crate::program::{Cells, Dirs};

impl<'p> Lowerer<'p> {
    /// The table of neighbours.
    pub fn neighbour_rows(&mut self) -> RowsId {
        self.rows("neighbours", |p| {
            let cells = (0..p.board.len()).map(|c| Cell(c as u16));
            cells.map(|c| *p.board.neighbours(c)).collect()
        })
    }

    /// The cells next to a cell.
    pub fn neighbours_of(&mut self, cell: CellV) -> SV {
        let rows = self.neighbour_rows();
        match cell {
            CellV::Known(V::K(k)) => {
                let set = self.rows[rows.0 as usize][k as usize];
                self.fix(&set)
            }
            CellV::Known(c) => self.f.row(rows, c),
            CellV::Maybe(w) => {
                let (safe, there) = self.safe(w);
                let set = self.f.row(rows, safe);
                self.f.select_set(there, set, NONE)
            }
        }
    }

    /// The cells next to any of a set.
    pub fn around(&mut self, set: SV) -> SV {
        if let SV::K(id) = set {
            let cells = self.fixed.sets[id.0 as usize];
            let board = &self.program.board;
            let found = cells
                .iter()
                .fold(BoardCells::EMPTY, |f, c| f | *board.neighbours(c));
            return self.fix(&found);
        }
        let s = self.f.sreg(set);
        self.f.make_set(Set::Around(s))
    }

    /// The cells one step along fixed directions from any of a set; `back`, whose next cell is in the set.
    pub fn stepped(&mut self, set: SV, ways: Directions, back: bool) -> Option<SV> {
        let mut found = NONE;
        for d in ways.iter() {
            let shift = self.shift_id(d.0, back)?;
            let moved = self.f.shift(set, shift);
            found = self.f.or(&mut self.fixed, found, moved);
        }
        Some(found)
    }

    /// The cells one step along fixed directions from a cell, but for that itself.
    pub fn next_of(&mut self, cell: CellV, ways: Directions) -> SV {
        let rows = self.rows(&format!("along {}", ways.0), |p| {
            let cells = (0..p.board.len()).map(|c| Cell(c as u16));
            cells.map(|c| next_of(&p.board, c, ways)).collect()
        });
        match cell {
            CellV::Known(c) => self.f.row(rows, c),
            CellV::Maybe(w) => {
                let (safe, there) = self.safe(w);
                let set = self.f.row(rows, safe);
                self.f.select_set(there, set, NONE)
            }
        }
    }

    /// Whether fixed directions lead from each cell to its neighbours, and to no other cell.
    pub fn are_all_steps(&self, ways: Directions) -> bool {
        let board = &self.program.board;
        let mut cells = (0..board.len()).map(|c| Cell(c as u16));
        cells.all(|c| next_of(board, c, ways) == *board.neighbours(c))
    }

    /// Whether fixed directions lead from some cell to itself.
    pub fn leads_nowhere(&self, ways: Directions) -> bool {
        let board = &self.program.board;
        let mut cells = (0..board.len()).map(|c| Cell(c as u16));
        cells.any(|c| ways.iter().any(|d| board.step(c, d) == Some(c)))
    }

    /// What a set has beside it along directions, but for itself.
    pub fn adjacent_along(&mut self, set: &'p Cells, dirs: &'p Dirs, env: &mut Env, cx: Cx) -> SV {
        let ways = self.dirs(dirs, env, cx);
        if let (Cells::Single(c), V::K(d)) = (set, ways) {
            let cell = self.cell(c, env, cx);
            return self.next_of(cell, Directions(d));
        }
        let set = self.cells(set, env, cx);
        let found = match ways {
            V::K(d) => self.stepped(set, Directions(d), false),
            V::R(_) => {
                let mut found = Some(NONE);
                for d in 0..self.program.board.directions() {
                    let bit = self.f.bin(Bin::Shr, ways, V::K(d as u64));
                    let bit = self.f.bin(Bin::And, bit, V::K(1));
                    let moved = self.stepped(set, Directions::single(Direction(d as u8)), false);
                    found = found.zip(moved).map(|(f, m)| {
                        let m = self.f.select_set(bit, m, NONE);
                        self.f.or(&mut self.fixed, f, m)
                    });
                }
                found
            }
        };
        match found {
            Some(found) => self.f.without(&mut self.fixed, found, set),
            None => self.each_step(set, ways),
        }
    }

    /// Cells one step along, where two cells may have the same next cell.
    pub fn each_step(&mut self, set: SV, ways: V) -> SV {
        let found = self.f.set();
        self.f.push(Stmt::LetSet(
            found,
            Set::Const(crate::program::kernel::SetId(0)),
        ));
        let (c, d) = (self.f.word(), self.f.word());
        self.f.open();
        self.f.open();
        let next = self.step(V::R(c), V::R(d));
        let (safe, there) = self.safe(next);
        let more = self.f.with(SV::R(found), safe);
        let more = self.f.select_set(there, more, SV::R(found));
        let more = self.f.sreg(more);
        self.f.push(Stmt::LetSet(found, Set::Copy(more)));
        let inner = self.f.close();
        let w = self.f.reg(ways);
        self.f.push(Stmt::ForBits(d, w, inner));
        let outer = self.f.close();
        let s = self.f.sreg(set);
        self.f.push(Stmt::ForCells(c, s, outer));
        self.f.without(&mut self.fixed, SV::R(found), set)
    }
}

/// The cells one step along some directions from a cell, but for that itself.
fn next_of(board: &Board, cell: Cell, ways: Directions) -> BoardCells {
    let next = ways.iter().filter_map(|d| board.step(cell, d));
    let mut found: BoardCells = next.collect();
    found.remove(cell);
    found
}
