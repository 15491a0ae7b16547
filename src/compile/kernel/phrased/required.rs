//! What is required of cells that a picture finds, as the classes of its squares, or as the directions in which it is looked for.

use crate::board::{Cell, Direction, Directions};
use crate::compile::kernel::phrased::named::said_of;
use crate::compile::kernel::phrased::pictures::{Told, mentions, told_of};
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::program::{
    CellExpr, Cells, Count, Dirs, Life, Picture, Square, Truth, VarId, VarType, still_truths,
    still_where, truth_vars,
};

/// With more distances between neighbours than this it is dear to ask what is beside many cells.
const FEW_DISTANCES: usize = 8;

impl Phrasing<'_> {
    /// Whether a test of cells that a picture finds has become part of it.
    pub fn narrows(&mut self, picture: &mut Picture, test: &Truth) -> bool {
        let bound = binds(picture);
        for at in 0..picture.squares.len() {
            let Square::Cells {
                class,
                count: Count::One,
                bind: Some(cell),
                ..
            } = &mut picture.squares[at]
            else {
                continue;
            };
            match told_of(test, *cell) {
                // Where a trail has been already is asked behind its steps by those who know trails.
                Some(Told::Not(set)) if self.is_trace(&set) => return false,
                Some(Told::In(set)) if !mentions(&set, &bound) => {
                    *class = Cells::and(class.clone(), set.into_owned());
                }
                Some(Told::Not(set)) if !mentions(&set, &bound) => {
                    *class = Cells::without(class.clone(), set.into_owned());
                }
                Some(Told::There) => {}
                _ if self.is_of_one(test, *cell) => {
                    let it = self.another(*cell, VarType::Cell);
                    let Some(test) = said_of(test, *cell, it) else {
                        continue;
                    };
                    *class = Cells::Where(Box::new(class.clone()), it, Box::new(test));
                }
                _ => continue,
            }
            return true;
        }
        self.goes_fewer_ways(picture, test)
    }

    /// Whether a set is what a trail keeps of where it was.
    fn is_trace(&self, set: &Cells) -> bool {
        match set {
            Cells::Var(var) => self.vars[usize::from(var.0)].life == Life::Local,
            _ => false,
        }
    }

    /// Whether a test says of one cell, and of nothing else that was chosen, what can be found out for all cells at once.
    fn is_of_one(&self, test: &Truth, cell: VarId) -> bool {
        let access = truth_vars(test);
        let chosen = |v: VarId| v != cell && self.vars[usize::from(v.0)].life == Life::Local;
        let runs = !access.subs.is_empty() || access.stuck;
        !runs
            && !access.may_read(chosen)
            && access.reads.contains(&cell)
            && self.at_once(test, cell)
    }

    /// Whether a test can be found out for all cells at once.
    fn at_once(&self, test: &Truth, cell: VarId) -> bool {
        if !truth_vars(test).may_read(|v| v == cell) {
            return true;
        }
        match test {
            Truth::Not(a) => self.at_once(a, cell),
            Truth::And(a, b) | Truth::Or(a, b) => self.at_once(a, cell) && self.at_once(b, cell),
            Truth::Contains(c, set) => **c == CellExpr::Var(cell) && !mentions(set, &[cell]),
            Truth::Some(set) => self.beside_all(set, cell),
            Truth::Subset(a, b) => self.beside_all(a, cell) && !mentions(b, &[cell]),
            Truth::Compare(..) | Truth::SameCell(..) => {
                still_where(&self.program.board, cell, test).is_some()
            }
            _ => false,
        }
    }

    /// Whether a set is cut to a cell or to those beside it, for which neighbours can be found for many cells at once.
    fn beside_all(&self, set: &Cells, cell: VarId) -> bool {
        let here = |c: &Cells| *c == Cells::Single(Box::new(CellExpr::Var(cell)));
        match set {
            set if here(set) || !mentions(set, &[cell]) => true,
            Cells::Adjacent(c) => here(c) && self.has_few_distances(),
            Cells::And(a, b) => self.beside_all(a, cell) && self.beside_all(b, cell),
            Cells::Without(a, b) => self.beside_all(a, cell) && !mentions(b, &[cell]),
            _ => false,
        }
    }

    /// Whether neighbours lie at few distances, by the numbers of cells.
    fn has_few_distances(&self) -> bool {
        let board = &self.program.board;
        let mut distances = Vec::new();
        for cell in (0..board.len()).map(|c| Cell(c as u16)) {
            for next in board.neighbours(cell).iter() {
                let distance = i32::from(next.0) - i32::from(cell.0);
                if !distances.contains(&distance) {
                    distances.push(distance);
                }
                if distances.len() > FEW_DISTANCES {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a test of how cells lie to each other has become the directions of a picture: it holds of all that are found along those,
    /// and of none that are found along others.
    fn goes_fewer_ways(&self, picture: &mut Picture, test: &Truth) -> bool {
        let Dirs::Const(ways) = &picture.ways else {
            return false;
        };
        let mut kept = Directions::EMPTY;
        for way in ways.iter() {
            let cells = (0..self.program.board.len()).map(|c| Cell(c as u16));
            let bindings = cells.filter_map(|c| self.bound_from(picture, c, way));
            let Some(holds) = still_truths(&self.program.board, bindings, test) else {
                return false;
            };
            match (holds.contains(&true), holds.contains(&false)) {
                (true, true) => return false,
                (true, false) => kept = kept | Directions::single(way),
                (false, _) => {}
            }
        }
        if kept == Directions::EMPTY {
            return false;
        }
        picture.ways = Dirs::Const(kept);
        true
    }

    /// The cells that a picture of single squares finds from one on, by their names; none when it leads off the board.
    fn bound_from(
        &self,
        picture: &Picture,
        begin: Cell,
        way: Direction,
    ) -> Option<Vec<(VarId, Cell)>> {
        let (mut here, mut bound) = (Some(begin), Vec::new());
        for square in &picture.squares {
            let Square::Cells {
                count: Count::One,
                bind,
                ..
            } = square
            else {
                break;
            };
            let cell = here?;
            bound.extend(bind.map(|var| (var, cell)));
            here = self.program.board.step(cell, way);
        }
        Some(bound)
    }
}
