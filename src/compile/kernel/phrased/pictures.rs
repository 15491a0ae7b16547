//! Directions and cells that are chosen one after the other, and runs of which the last cell is asked for, as pictures.

use crate::board::Cell;
use crate::compile::kernel::phrased::bounds::square_mentions;
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::compile::kernel::rays::rays_return;
use crate::compile::points::leads;
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Num, Op, Pc, Picture, Square, Truth, Value,
    VarId, cells_vars, truth_vars,
};
use std::borrow::Cow;

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

    /// A direction that is chosen, the cell next to another that way, and what is required of that: a picture of two squares. Or a picture,
    /// and the cell that follows its last one: a picture of one square more.
    pub fn look_beside(&mut self, at: usize) {
        let (Some(Op::Require(test, reason)), Op::Let(next, Value::Cell(step))) =
            (self.code.get(at), &self.code[at - 1])
        else {
            return;
        };
        let CellExpr::Step(from, along) = step else {
            return;
        };
        let (Some((before, asked)), DirExpr::Var(way)) =
            (self.found_before(at - 1), along.as_ref())
        else {
            return;
        };
        let (next, way, reason) = (*next, *way, *reason);
        let Some(mut picture) = self.begun_along(before, way, from) else {
            return;
        };
        let mut bound = binds(&picture);
        bound.push(next);
        let same = asked.is_some_and(|asked| truth_vars(asked).may_read(|v| v == next));
        let begin = Cells::Single(from.clone());
        let depends = picture.squares.is_empty() && mentions(&begin, &bound);
        if same || depends || !self.is_only_named(next) {
            return;
        }
        if picture.squares.is_empty() {
            picture.squares.push(one(begin, None));
        }
        let (mut within, mut without, mut there) = (None, None, false);
        let mut left: Vec<Truth> = asked.into_iter().flat_map(atoms).cloned().collect();
        let everywhere = self.everywhere();
        for atom in atoms(test) {
            match told_of(atom, next) {
                Some(Told::There) => there = true,
                Some(Told::In(set)) if !mentions(&set, &bound) => {
                    there = true;
                    within = joined(within, &set, Cells::and);
                }
                Some(Told::Not(set)) if !mentions(&set, &bound) => {
                    without = joined(without, &set, Cells::or);
                }
                _ => {
                    if let Some(set) = found_in(atom, next, &bound, &everywhere) {
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
        picture.squares.push(one(class, Some(next)));
        for at in before..at - 1 {
            self.code[at] = Op::Jump(Pc(at as u32 + 1));
        }
        self.look_for(at, picture, left, reason);
    }

    /// The instruction before one, and what is required between them if anything is.
    fn found_before(&self, at: usize) -> Option<(usize, Option<&Truth>)> {
        let mut at = at;
        let mut asked = None;
        loop {
            if self.entered[at] {
                return None;
            }
            at = at.checked_sub(1)?;
            match &self.code[at] {
                Op::Jump(to) if to.0 as usize == at + 1 => {}
                Op::Require(test, _) if asked.is_none() => asked = Some(test),
                _ => return Some((at, asked)),
            }
        }
    }

    /// What is looked for along a direction when it goes on behind a cell: a picture that ends there, or one without squares, where the
    /// direction is chosen.
    fn begun_along(&self, at: usize, way: VarId, from: &CellExpr) -> Option<Picture> {
        match &self.code[at] {
            Op::Choose(chosen, Domain::Dirs(ways)) if *chosen == way => Some(Picture {
                ways: ways.clone(),
                way: Some(way),
                squares: Vec::new(),
            }),
            Op::Line(id) => {
                let picture = &self.pictures[id.0 as usize];
                let ends = match picture.squares.last()? {
                    Square::Cells {
                        count: Count::One,
                        bind: Some(last),
                        ..
                    } => *from == CellExpr::Var(*last),
                    _ => false,
                };
                (ends && picture.way == Some(way)).then(|| picture.clone())
            }
            _ => None,
        }
    }

    /// All cells of the board.
    pub fn everywhere(&self) -> Cells {
        let cells = (0..self.program.board.len()).map(|c| Cell(c as u16));
        Cells::fixed(cells.collect())
    }

    /// A run of which only the last cell is asked for, behind one picture or behind each of several: a run that is one shorter, and a
    /// square.
    pub fn end_on_a_square(&mut self, at: usize) {
        let Op::Let(last, Value::Cell(CellExpr::RunLast(run))) = &self.code[at] else {
            return;
        };
        let (last, run) = (*last, *run);
        let asked = self.code.iter().enumerate().any(|(other, op)| {
            let reads = self.vars_of(other).reads.contains(&run);
            reads && *op != self.code[at]
        });
        // On a ring a run ends before it comes back to where it began, and a square does not.
        if asked || !self.is_only_named(last) || rays_return(&self.program.board) {
            return;
        }
        let Some(lines) = self.lines_before(at) else {
            return;
        };
        let ended = |line: &usize| match &self.code[*line] {
            Op::Line(id) => ended(&self.pictures[id.0 as usize], run, last),
            _ => None,
        };
        let Some(pictures) = lines.iter().map(ended).collect::<Option<Vec<Picture>>>() else {
            return;
        };
        for (line, picture) in lines.iter().zip(pictures) {
            self.code[*line] = Op::Line(self.picture(picture));
        }
        // What comes next stands behind the picture.
        let left = match lines[..] {
            [line] if line + 1 == at => {
                self.code.swap(line, at);
                line
            }
            _ => at,
        };
        self.code[left] = Op::Jump(Pc(left as u32 + 1));
    }

    /// The pictures behind which an instruction is come to, when it is so in no other way.
    fn lines_before(&self, at: usize) -> Option<Vec<usize>> {
        let is_line = |line: usize| matches!(self.code[line], Op::Line(_));
        if !self.entered[at] {
            return is_line(at - 1).then(|| vec![at - 1]);
        }
        if self.entries().any(|pc| pc.0 as usize == at) {
            return None;
        }
        let from = (0..self.code.len()).filter(|from| leads(&self.code[*from], *from, at));
        let line = |from: usize| match &self.code[from] {
            Op::Line(_) => Some(from),
            Op::Jump(_) if from > 0 && !self.entered[from] && is_line(from - 1) => Some(from - 1),
            _ => None,
        };
        from.map(line).collect()
    }
}

/// A picture with a square of its own for the last cell of a run.
fn ended(picture: &Picture, run: VarId, last: VarId) -> Option<Picture> {
    let is_run = |s: &Square| matches!(s, Square::Cells { bind, .. } if *bind == Some(run));
    let at = picture.squares.iter().position(is_run)?;
    let Square::Cells {
        class,
        count: Count::Between(Num::Const(least @ 1..), most),
        fixed: true,
        whole: false,
        ..
    } = &picture.squares[at]
    else {
        return None;
    };
    let one_less = |n: &Num| Num::arithmetic('-', n.clone(), Num::Const(1));
    let square = |count, bind| Square::Cells {
        class: class.clone(),
        count,
        fixed: true,
        whole: false,
        bind,
    };
    let fewer = Count::Between(Num::Const(least - 1), most.as_ref().map(one_less));
    let ended = [square(fewer, None), square(Count::One, Some(last))];
    let mut picture = picture.clone();
    picture.squares.splice(at..=at, ended);
    Some(picture)
}

/// What a test says of a cell that may be nowhere.
pub enum Told<'t> {
    /// That it is somewhere.
    There,
    /// That it is in a set.
    In(Cow<'t, Cells>),
    /// That it is not.
    Not(Cow<'t, Cells>),
}

/// A set together with another, if there is one yet.
fn joined(set: Option<Cells>, more: &Cells, how: fn(Cells, Cells) -> Cells) -> Option<Cells> {
    let more = more.clone();
    Some(match set {
        Some(set) => how(set, more),
        None => more,
    })
}

/// A set that has a cell wherever a test of it holds, whatever some variables are; none where it may hold of no cell.
fn found_in(test: &Truth, cell: VarId, bound: &[VarId], all: &Cells) -> Option<Cells> {
    let found = |part| found_in(part, cell, bound, all);
    match test {
        Truth::And(a, b) => {
            let both = [found(a), found(b)];
            both.into_iter().flatten().reduce(Cells::and)
        }
        Truth::Or(a, b) => Some(Cells::or(found(a)?, found(b)?)),
        _ => match told_of(test, cell)? {
            Told::There => Some(all.clone()),
            Told::In(set) if !mentions(&set, bound) => Some(set.into_owned()),
            Told::In(_) => Some(all.clone()),
            Told::Not(_) => None,
        },
    }
}

/// A square of one cell.
fn one(class: Cells, bind: Option<VarId>) -> Square {
    Square::Cells {
        class,
        fixed: true,
        count: Count::One,
        whole: false,
        bind,
    }
}

/// What a test says of a cell.
pub fn told_of(test: &Truth, cell: VarId) -> Option<Told<'_>> {
    let is_it = |c: &CellExpr| *c == CellExpr::Var(cell);
    match test {
        Truth::Contains(c, set) if is_it(c) => Some(Told::In(Cow::Borrowed(set))),
        Truth::SameCell(a, b) => match other_of(a, b, cell)? {
            // Two cells that are nowhere are the same.
            Cells::Single(c) if matches!(*c, CellExpr::Const(_)) => {
                Some(Told::In(Cow::Owned(Cells::Single(c))))
            }
            _ => None,
        },
        Truth::Not(inner) => match inner.as_ref() {
            Truth::Contains(c, set) if is_it(c) => Some(Told::Not(Cow::Borrowed(set))),
            Truth::SameCell(a, b) => {
                let nowhere = [a, b].into_iter().any(|c| **c == CellExpr::Nowhere);
                match nowhere && (is_it(a) || is_it(b)) {
                    true => Some(Told::There),
                    false => Some(Told::Not(Cow::Owned(other_of(a, b, cell)?))),
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// The set of the other of two cells, one of which is the given one.
fn other_of(a: &CellExpr, b: &CellExpr, cell: VarId) -> Option<Cells> {
    let it = CellExpr::Var(cell);
    let other = match (*a == it, *b == it) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    Some(Cells::Single(Box::new(other.clone())))
}

/// Whether a set may depend on some variables.
pub fn mentions(set: &Cells, vars: &[VarId]) -> bool {
    cells_vars(set).may_read(|v| vars.contains(&v))
}
