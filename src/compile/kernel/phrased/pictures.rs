//! Directions and cells that are chosen one after the other, and runs of which the last cell is asked for, as pictures.

use crate::board::Cell;
use crate::compile::kernel::phrased::bounds::square_mentions;
use crate::compile::kernel::phrased::{Phrasing, atoms};
use crate::compile::kernel::rays::rays_return;
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Num, Op, Pc, Picture, Square, Truth, Value,
    VarId, cells_vars,
};

impl Phrasing<'_> {
    /// A direction that is chosen, and the one that a picture is looked for along.
    pub fn look_along_all(&mut self, at: usize) {
        let (Op::Choose(way, Domain::Dirs(ways)), Op::Line(id)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let picture = &self.pictures[id.0 as usize];
        let along = Dirs::Single(DirExpr::Var(*way));
        let mentions = |square: &Square| square_mentions(square, *way);
        if picture.ways != along || picture.way.is_some() || picture.squares.iter().any(mentions) {
            return;
        }
        let all = Picture {
            ways: ways.clone(),
            way: Some(*way),
            squares: picture.squares.clone(),
        };
        let all = self.picture(all);
        self.code[at - 1] = Op::Jump(Pc(at as u32));
        self.code[at] = Op::Line(all);
    }

    /// A direction that is chosen, the cell next to another that way, and what is required of that: a picture of two squares.
    pub fn look_beside(&mut self, at: usize) {
        let (Some(before), Some(Op::Require(test, reason))) =
            (at.checked_sub(2), self.code.get(at))
        else {
            return;
        };
        let (Op::Choose(way, Domain::Dirs(ways)), Op::Let(next, Value::Cell(step))) =
            (&self.code[before], &self.code[at - 1])
        else {
            return;
        };
        let CellExpr::Step(from, along) = step else {
            return;
        };
        let (CellExpr::Var(here), DirExpr::Var(along)) = (from.as_ref(), along.as_ref()) else {
            return;
        };
        if along != way || here == next || self.entered[at - 1] || !self.is_only_named(*next) {
            return;
        }
        let (mut within, mut without, mut there) = (None, None, false);
        let mut left: Vec<Truth> = Vec::new();
        let everywhere = self.everywhere();
        for atom in atoms(test) {
            match told_of(atom, *next) {
                Some(Told::There) => there = true,
                Some(Told::In(set)) if !mentions(set, &[*way, *next]) => {
                    there = true;
                    within = joined(within, set, Cells::and);
                }
                Some(Told::Not(set)) if !mentions(set, &[*way, *next]) => {
                    without = joined(without, set, Cells::or);
                }
                _ => {
                    if let Some(set) = found_in(atom, (*next, *way), &everywhere) {
                        there = true;
                        within = joined(within, &set, Cells::and);
                    }
                    left.push(atom.clone());
                }
            }
        }
        // Otherwise it goes on where no cell is.
        if !there {
            return;
        }
        let mut class = within.unwrap_or(everywhere);
        if let Some(without) = without {
            class = Cells::without(class, without);
        }
        let square = |class, bind| Square::Cells {
            class,
            fixed: true,
            count: Count::One,
            whole: false,
            bind,
        };
        let begin = Cells::Single(Box::new(CellExpr::Var(*here)));
        let picture = Picture {
            ways: ways.clone(),
            way: Some(*way),
            squares: vec![square(begin, None), square(class, Some(*next))],
        };
        let reason = *reason;
        self.code[before] = Op::Jump(Pc(at as u32 - 1));
        self.look_for(at, picture, left, reason);
    }

    /// All cells of the board.
    pub fn everywhere(&self) -> Cells {
        let cells = (0..self.program.board.len()).map(|c| Cell(c as u16));
        Cells::fixed(cells.collect())
    }

    /// A run of which only the last cell is asked for: the one before the last square.
    pub fn end_on_a_square(&mut self, at: usize) {
        let (Op::Line(id), Op::Let(last, Value::Cell(CellExpr::RunLast(run)))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (last, run) = (*last, *run);
        let mut picture = self.pictures[id.0 as usize].clone();
        let Some(Square::Cells {
            class,
            count: Count::Between(Num::Const(least), most),
            fixed: true,
            whole: false,
            bind,
        }) = picture.squares.pop()
        else {
            return;
        };
        let asked = self.code.iter().enumerate().any(|(other, op)| {
            let reads = self.vars_of(other).reads.contains(&run);
            reads && *op != self.code[at]
        });
        // On a ring a run ends before it comes back to where it began, and a square does not.
        let unfit = bind != Some(run) || least < 1 || asked || !self.is_only_named(last);
        if unfit || rays_return(&self.program.board) {
            return;
        }
        let one_less = |n: Num| Num::arithmetic('-', n, Num::Const(1));
        picture.squares.push(Square::Cells {
            class: class.clone(),
            count: Count::Between(Num::Const(least - 1), most.map(one_less)),
            fixed: true,
            whole: false,
            bind: None,
        });
        picture.squares.push(Square::Cells {
            class,
            count: Count::One,
            fixed: true,
            whole: false,
            bind: Some(last),
        });
        let line = Op::Line(self.picture(picture));
        self.code[at - 1] = Op::Jump(Pc(at as u32));
        self.code[at] = line;
    }
}

/// What a test says of a cell that may be nowhere.
pub enum Told<'t> {
    /// That it is somewhere.
    There,
    /// That it is in a set.
    In(&'t Cells),
    /// That it is not.
    Not(&'t Cells),
}

/// A set together with another, if there is one yet.
fn joined(set: Option<Cells>, more: &Cells, how: fn(Cells, Cells) -> Cells) -> Option<Cells> {
    let more = more.clone();
    Some(match set {
        Some(set) => how(set, more),
        None => more,
    })
}

/// A set that has a cell wherever a test of it holds, in any direction; none where it may hold of no cell.
fn found_in(test: &Truth, (cell, way): (VarId, VarId), all: &Cells) -> Option<Cells> {
    let found = |part| found_in(part, (cell, way), all);
    match test {
        Truth::And(a, b) => {
            let both = [found(a), found(b)];
            both.into_iter().flatten().reduce(Cells::and)
        }
        Truth::Or(a, b) => Some(Cells::or(found(a)?, found(b)?)),
        _ => match told_of(test, cell)? {
            Told::There => Some(all.clone()),
            Told::In(set) if !mentions(set, &[way, cell]) => Some(set.clone()),
            Told::In(_) => Some(all.clone()),
            Told::Not(_) => None,
        },
    }
}

/// What a test says of a cell.
pub fn told_of(test: &Truth, cell: VarId) -> Option<Told<'_>> {
    let is_it = |c: &CellExpr| *c == CellExpr::Var(cell);
    match test {
        Truth::Contains(c, set) if is_it(c) => Some(Told::In(set)),
        Truth::Not(inner) => match inner.as_ref() {
            Truth::Contains(c, set) if is_it(c) => Some(Told::Not(set)),
            Truth::SameCell(a, b) => {
                let nowhere = [a, b].into_iter().any(|c| **c == CellExpr::Nowhere);
                (nowhere && (is_it(a) || is_it(b))).then_some(Told::There)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a set may depend on some variables.
pub fn mentions(set: &Cells, vars: &[VarId]) -> bool {
    cells_vars(set).may_read(|v| vars.contains(&v))
}
