//! What expressions give that depend on no position: cells told by where they lie, and numbers of them. In: a board and an expression.
//! Out: what it gives in every position, if that is known before play begins. Meaning is the engine's own.

use crate::board::{Board, Cell, Cells as BoardCells, Direction, Directions};
use crate::program::{CellExpr, Cells, DirExpr, Dirs, Num, Truth, VarId};

/// So many expressions are looked at; what takes longer is left to be found out in play.
const FUEL: u32 = 1 << 20;

/// A set of cells, if it is the same in every position.
#[must_use]
pub fn still_cells(board: &Board, set: &Cells) -> Option<BoardCells> {
    Still::new(board).cells(set)
}

/// The cells for which a test holds that depends on nothing else, if that is the same in every position.
#[must_use]
pub fn still_where(board: &Board, cell: VarId, test: &Truth) -> Option<BoardCells> {
    let mut still = Still::new(board);
    let mut found = BoardCells::EMPTY;
    for c in (0..board.len()).map(|c| Cell(c as u16)) {
        still.bound.push((cell, c));
        let holds = still.truth(test);
        still.bound.pop();
        if holds? {
            found.insert(c);
        }
    }
    Some(found)
}

/// For each of several bindings of cells whether a test holds of them, if it depends on nothing else and is the same in every position.
#[must_use]
pub fn still_truths(
    board: &Board,
    bindings: impl Iterator<Item = Vec<(VarId, Cell)>>,
    test: &Truth,
) -> Option<Vec<bool>> {
    let mut still = Still::new(board);
    let holds = bindings.map(|bound| {
        still.bound = bound;
        still.truth(test)
    });
    holds.collect()
}

/// An expression that is looked at.
struct Still<'b> {
    board: &'b Board,
    /// Cells that are gone through, by the variables that stand for them.
    bound: Vec<(VarId, Cell)>,
    fuel: u32,
}

impl<'b> Still<'b> {
    fn new(board: &'b Board) -> Still<'b> {
        Still {
            board,
            bound: Vec::new(),
            fuel: FUEL,
        }
    }

    fn cells(&mut self, set: &Cells) -> Option<BoardCells> {
        self.fuel = self.fuel.checked_sub(1)?;
        match set {
            Cells::Const(set) => Some(**set),
            Cells::Single(c) => {
                let cell = self.cell(c)?;
                Some(cell.map_or(BoardCells::EMPTY, BoardCells::single))
            }
            Cells::Or(a, b) => Some(self.cells(a)? | self.cells(b)?),
            Cells::And(a, b) => Some(self.cells(a)? & self.cells(b)?),
            Cells::Without(a, b) => Some(self.cells(a)?.without(self.cells(b)?)),
            Cells::Adjacent(set) => {
                let set = self.cells(set)?;
                let board = self.board;
                let beside = set.iter().map(|c| *board.neighbours(c));
                Some(beside.fold(BoardCells::EMPTY, |a, b| a | b).without(set))
            }
            Cells::AdjacentAlong(set, dirs) => {
                let (set, dirs) = (self.cells(set)?, self.dirs(dirs)?);
                let mut found = BoardCells::EMPTY;
                for d in dirs.iter() {
                    let next = set.iter().filter_map(|c| self.board.step(c, d));
                    next.for_each(|c| found.insert(c));
                }
                Some(found.without(set))
            }
            Cells::Where(set, it, test) => {
                let mut found = BoardCells::EMPTY;
                for c in self.cells(set)?.iter() {
                    self.bound.push((*it, c));
                    let holds = self.truth(test);
                    self.bound.pop();
                    if holds? {
                        found.insert(c);
                    }
                }
                Some(found)
            }
            Cells::If(test, a, b) => {
                if self.truth(test)? {
                    self.cells(a)
                } else {
                    self.cells(b)
                }
            }
            Cells::Var(_)
            | Cells::OfPlayer(..)
            | Cells::Run(_)
            | Cells::Owned(_)
            | Cells::Kind(_)
            | Cells::Occupied
            | Cells::Empty
            | Cells::Axis(..)
            | Cells::GroupOf(_)
            | Cells::PartAt(..)
            | Cells::ByPlayer(..)
            | Cells::Seen(..)
            | Cells::With { .. }
            | Cells::PartsWhere(..)
            | Cells::PartsWith { .. }
            | Cells::Gather(..)
            | Cells::Closure { .. } => None,
        }
    }

    /// A cell, or nowhere; nothing where that depends on the position.
    fn cell(&mut self, cell: &CellExpr) -> Option<Option<Cell>> {
        self.fuel = self.fuel.checked_sub(1)?;
        match cell {
            CellExpr::Const(c) => Some(Some(*c)),
            CellExpr::Nowhere => Some(None),
            CellExpr::Var(var) => {
                let known = self.bound.iter().rev().find(|(of, _)| of == var);
                known.map(|(_, cell)| Some(*cell))
            }
            CellExpr::First(set) => Some(self.cells(set)?.iter().next()),
            CellExpr::Last(set) => Some(self.cells(set)?.iter().last()),
            CellExpr::Step(c, d) => {
                let (c, d) = (self.cell(c)?, self.dir(d)?);
                Some(c.zip(d).and_then(|(c, d)| self.board.step(c, d)))
            }
            CellExpr::If(test, a, b) => {
                if self.truth(test)? {
                    self.cell(a)
                } else {
                    self.cell(b)
                }
            }
            CellExpr::RunFirst(_) | CellExpr::RunLast(_) => None,
        }
    }

    fn truth(&mut self, truth: &Truth) -> Option<bool> {
        self.fuel = self.fuel.checked_sub(1)?;
        match truth {
            Truth::Const(b) => Some(*b),
            Truth::Not(a) => Some(!self.truth(a)?),
            Truth::And(a, b) => Some(self.truth(a)? && self.truth(b)?),
            Truth::Or(a, b) => Some(self.truth(a)? || self.truth(b)?),
            Truth::Compare(how, a, b) => Some(how.holds(self.num(a)?, self.num(b)?)),
            Truth::SameCell(a, b) => Some(self.cell(a)? == self.cell(b)?),
            Truth::SameDir(a, b) => Some(self.dir(a)? == self.dir(b)?),
            Truth::SameCells(a, b) => Some(self.cells(a)? == self.cells(b)?),
            Truth::Contains(c, set) => {
                let (c, set) = (self.cell(c)?, self.cells(set)?);
                Some(c.is_some_and(|c| set.contains(c)))
            }
            Truth::ContainsDir(d, dirs) => {
                let (d, dirs) = (self.dir(d)?, self.dirs(dirs)?);
                Some(d.is_some_and(|d| dirs.contains(d)))
            }
            Truth::Some(set) => Some(!self.cells(set)?.is_empty()),
            Truth::Subset(a, b) => Some(self.cells(a)?.is_subset(self.cells(b)?)),
            Truth::If(test, a, b) => {
                if self.truth(test)? {
                    self.truth(a)
                } else {
                    self.truth(b)
                }
            }
            Truth::Var(_)
            | Truth::OfPlayer(..)
            | Truth::SamePlayer(..)
            | Truth::SameKind(..)
            | Truth::Possible(..)
            | Truth::Stuck
            | Truth::Mirrored(_)
            | Truth::Unseen => None,
        }
    }

    fn num(&mut self, num: &Num) -> Option<i64> {
        self.fuel = self.fuel.checked_sub(1)?;
        let row = |c: Cell| i64::from(self.board.row_of(c));
        let column = |c: Cell| i64::from(self.board.column_of(c));
        match num {
            Num::Const(n) => Some(*n),
            Num::Add(a, b) => Some(Num::calculate('+', self.num(a)?, self.num(b)?)),
            Num::Sub(a, b) => Some(Num::calculate('-', self.num(a)?, self.num(b)?)),
            Num::Mul(a, b) => Some(Num::calculate('*', self.num(a)?, self.num(b)?)),
            Num::Div(a, b) => Some(Num::calculate('/', self.num(a)?, self.num(b)?)),
            Num::Mod(a, b) => Some(Num::calculate('%', self.num(a)?, self.num(b)?)),
            Num::Count(set) => Some(self.cells(set)?.len() as i64),
            Num::RowOf(c) => Some(self.cell(c)?.map_or(0, row)),
            Num::ColumnOf(c) => Some(self.cell(c)?.map_or(0, column)),
            Num::If(test, a, b) => {
                if self.truth(test)? {
                    self.num(a)
                } else {
                    self.num(b)
                }
            }
            Num::Var(_)
            | Num::OfPlayer(..)
            | Num::OfCell(..)
            | Num::CountParts(_)
            | Num::RunLength(_)
            | Num::Height(_)
            | Num::Hand(..)
            | Num::Occurrences => None,
        }
    }

    /// A direction, or none; nothing where that depends on the position.
    fn dir(&self, dir: &DirExpr) -> Option<Option<Direction>> {
        match dir {
            DirExpr::Const(d) => Some(Some(*d)),
            DirExpr::Opposite(d) => Some(self.dir(d)?.and_then(|d| self.board.opposite(d))),
            DirExpr::Var(_) => None,
        }
    }

    fn dirs(&mut self, dirs: &Dirs) -> Option<Directions> {
        self.fuel = self.fuel.checked_sub(1)?;
        match dirs {
            Dirs::Const(d) => Some(*d),
            Dirs::Single(d) => Some(self.dir(d)?.map_or(Directions::EMPTY, Directions::single)),
            Dirs::Or(a, b) => Some(self.dirs(a)? | self.dirs(b)?),
            Dirs::And(a, b) => Some(self.dirs(a)? & self.dirs(b)?),
            Dirs::Without(a, b) => Some(self.dirs(a)?.without(self.dirs(b)?)),
            Dirs::If(test, a, b) => {
                if self.truth(test)? {
                    self.dirs(a)
                } else {
                    self.dirs(b)
                }
            }
            Dirs::Var(_) | Dirs::ByPlayer(..) => None,
        }
    }
}
