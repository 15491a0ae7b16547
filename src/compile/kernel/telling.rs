//! What notations tell of the way to an action. In: a notation, and what its values stand for. Out: the cells, numbers, directions and kinds
//! that are known from the text.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::unique::Told;
use crate::program::{
    CellExpr, Cells, DirExpr, KindExpr, Num, Op, Part, Picture, Square, TemplateId, Value, VarId,
    op_vars,
};

impl Lowerer<'_> {
    /// What a notation tells, but for variables that are given other values before it is written.
    pub fn tell_apart(&mut self, id: TemplateId, given: &[VarId], env: &mut Env, cx: Cx) {
        if !Self::tells_apart(cx) || env.choices.is_empty() {
            return;
        }
        for part in &self.program.templates[id.0 as usize].parts {
            let Part::Hole(value) = part else { continue };
            if told_var(value).is_some_and(|v| given.contains(&v)) {
                continue;
            }
            let told = match value {
                Value::Cell(CellExpr::Var(v))
                | Value::Num(Num::Var(v))
                | Value::Dir(DirExpr::Var(v))
                | Value::Kind(KindExpr::Var(v)) => {
                    let bind = self.slot_of(*v, 0).map(|s| self.get(s, env));
                    match bind {
                        Some(Bind::Word(V::K(k))) => {
                            self.slot_of(*v, 0).map(|slot| Told::Fixed(slot, k))
                        }
                        Some(Bind::Cell(w) | Bind::Word(w)) => {
                            let ends = env.run_ends.iter().filter(|(end, ..)| *end == w);
                            let ends = ends.map(|(_, start, length)| Told::End(*start, *length));
                            env.told.extend(ends);
                            Some(Told::Word(w))
                        }
                        _ => None,
                    }
                }
                Value::Cell(CellExpr::First(set)) => match set.as_ref() {
                    Cells::Var(v) => match self.slot_of(*v, 0).map(|s| self.get(s, env)) {
                        Some(Bind::Set(s)) => Some(Told::First(s)),
                        _ => None,
                    },
                    _ => None,
                },
                Value::Cell(CellExpr::RunFirst(v)) => {
                    let run = self.run_of(*v, env).ok().filter(|r| r.some);
                    run.map(|r| Told::Word(r.start))
                }
                Value::Cells(Cells::Run(v)) if self.cells_tell_run(*v) => {
                    let run = self.run_of(*v, env).ok().filter(|r| r.some);
                    let end = run.as_ref().map(|r| Told::End(r.start, r.length));
                    env.told.extend(end);
                    run.map(|r| Told::Word(r.start))
                }
                Value::Cells(set) => {
                    let cells = singles(set).filter(|cells| self.cells_tell_match(cells));
                    for cell in cells.unwrap_or_default() {
                        let bind = self.slot_of(cell, 0).map(|s| self.get(s, env));
                        if let Some(Bind::Cell(w) | Bind::Word(w)) = bind {
                            env.told.push(Told::Word(w));
                        }
                    }
                    None
                }
                Value::Num(Num::RunLength(v)) => {
                    let run = self.run_of(*v, env).ok().filter(|r| r.some);
                    run.map(|r| Told::Word(r.length))
                }
                Value::Cell(CellExpr::RunLast(v)) => {
                    let run = self.run_of(*v, env).ok().filter(|r| r.some);
                    run.map(|r| Told::End(r.start, r.length))
                }
                _ => None,
            };
            env.told.extend(told);
        }
        self.settle(env);
    }

    /// Whether the cells of a run tell where it begins and which way it goes: no picture looks for it both ways along a line.
    fn cells_tell_run(&self, run: VarId) -> bool {
        let board = &self.program.board;
        let bound = |s: &Square| matches!(s, Square::Cells { bind: Some(v), .. } if *v == run);
        let finds = |picture: &&Picture| picture.squares.iter().any(bound);
        let looked_for = self.program.code.iter().filter_map(|op| match op {
            Op::Line(id) => self.program.pictures.get(id.0 as usize),
            _ => None,
        });
        let finders = looked_for.filter(finds);
        let ways = Directions(finders.fold(0, |all, p| all | self.all_ways(p).0));
        let one_way = |d| board.opposite(d).is_some_and(|back| !ways.contains(back));
        ways.iter().all(one_way) && !self.returns && self.part_along(ways)
    }

    /// Whether some cells tell which of them is which: they are squares of the only picture that gives them, along directions none of which
    /// leads back along another.
    fn cells_tell_match(&self, cells: &[VarId]) -> bool {
        let board = &self.program.board;
        let gives = |cell: &VarId| {
            let writes = |op: &&Op| {
                let access = op_vars(op, &self.program.pictures, &self.program.templates);
                access.writes.contains(cell)
            };
            self.program.code.iter().filter(writes).collect::<Vec<_>>()
        };
        let mut givers = cells.iter().map(gives);
        let Some(first) = givers.next() else {
            return false;
        };
        let ([Op::Line(id)], true) = (&first[..], givers.all(|other| other == first)) else {
            return false;
        };
        let ways = self.all_ways(&self.program.pictures[id.0 as usize]);
        let back = |d| board.opposite(d).filter(|back| !ways.contains(*back));
        let backs = (ways.iter()).try_fold(0, |all, d| back(d).map(|back| all | 1 << back.0));
        let Some(backs) = backs else {
            return false;
        };
        !self.returns && self.part_along(Directions(ways.0 | backs))
    }

    /// Whether a notation has a place for a direction.
    pub fn names_way(&self, way: VarId) -> bool {
        let named = Part::Hole(Value::Dir(DirExpr::Var(way)));
        let mut templates = self.program.templates.iter();
        templates.any(|template| template.parts.contains(&named))
    }
}

/// The cells that a set is said to be, one by one.
pub fn singles(set: &Cells) -> Option<Vec<VarId>> {
    match set {
        Cells::Single(cell) => match **cell {
            CellExpr::Var(v) => Some(vec![v]),
            _ => None,
        },
        Cells::Or(a, b) => Some([singles(a)?, singles(b)?].concat()),
        _ => None,
    }
}

/// The variable of which a hole tells the value, or a cell of it.
fn told_var(value: &Value) -> Option<VarId> {
    match value {
        Value::Cell(CellExpr::Var(v) | CellExpr::RunFirst(v) | CellExpr::RunLast(v))
        | Value::Num(Num::Var(v) | Num::RunLength(v))
        | Value::Dir(DirExpr::Var(v))
        | Value::Kind(KindExpr::Var(v))
        | Value::Cells(Cells::Run(v)) => Some(*v),
        Value::Cell(CellExpr::First(set)) => match set.as_ref() {
            Cells::Var(v) => Some(*v),
            _ => None,
        },
        _ => None,
    }
}
