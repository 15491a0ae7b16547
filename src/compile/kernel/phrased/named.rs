//! What is named only to be asked for once behind it, asked where it is asked for.

use crate::compile::kernel::phrased::Phrasing;
use crate::program::{
    CellExpr, Cells, Num, Op, Pc, Truth, Value, VarId, cells_vars, num_vars, truth_vars,
};

/// So many tests may stand between a name and where it is asked for.
const FAR: usize = 4;

impl Phrasing<'_> {
    /// A set or number that has a name, which is asked for by one requirement soon behind it and nowhere else.
    pub fn ask_in_place(&mut self, at: usize) {
        let Op::Let(var, value) = &self.code[at - 1] else {
            return;
        };
        if !matches!(value, Value::Cells(_) | Value::Num(_)) || !self.is_only_named(*var) {
            return;
        }
        let (var, value) = (*var, value.clone());
        let reads = self.vars_of(at - 1);
        let plain = |at: usize, op: &Op| match op {
            Op::Require(..) | Op::Let(..) | Op::Open(_) => true,
            Op::Jump(to) => to.0 as usize == at + 1,
            _ => false,
        };
        let mut found = None;
        for later in at..(at + FAR).min(self.code.len()) {
            let (op, access) = (&self.code[later], self.vars_of(later));
            // Nobody else comes there, and what it was made of is as it was.
            let same = !access
                .writes
                .iter()
                .any(|v| *v == var || reads.reads.contains(v));
            if self.entered[later] || !plain(later, op) {
                return;
            }
            if access.may_read(|v| v == var) {
                found = Some(later);
                break;
            }
            if !same || (matches!(op, Op::Let(..)) && !reads.subs.is_empty()) {
                return;
            }
        }
        let Some(later) = found else {
            return;
        };
        // A rule may stand in several places, each time with the name before what asks for it.
        let (named, asks) = (&self.code[at - 1], &self.code[later]);
        let copied = |other: usize| {
            let before = other.checked_sub(later + 1 - at);
            self.code[other] == *asks && before.is_some_and(|before| self.code[before] == *named)
        };
        let elsewhere = (0..self.code.len())
            .any(|other| self.vars_of(other).reads.contains(&var) && !copied(other));
        let Op::Require(test, reason) = &self.code[later] else {
            return;
        };
        let mut put = Put {
            var,
            value: &value,
            times: 0,
        };
        let Some(test) = put.truth(test).filter(|_| put.times == 1 && !elsewhere) else {
            return;
        };
        self.code[later] = Op::Require(test, *reason);
        self.code[at - 1] = Op::Jump(Pc(at as u32));
    }
}

/// A value that is put where its name stands. Nothing comes of it where the name stands in what is not looked into.
pub struct Put<'v> {
    /// The name.
    pub var: VarId,
    /// What it stands for.
    pub value: &'v Value,
    /// How often it was put.
    pub times: usize,
}

impl Put<'_> {
    /// A test with the value in place of its name.
    pub fn truth(&mut self, truth: &Truth) -> Option<Truth> {
        if !truth_vars(truth).may_read(|v| v == self.var) {
            return Some(truth.clone());
        }
        Some(match truth {
            Truth::Not(a) => Truth::not(self.truth(a)?),
            Truth::And(a, b) => Truth::and(self.truth(a)?, self.truth(b)?),
            Truth::Or(a, b) => Truth::or(self.truth(a)?, self.truth(b)?),
            Truth::Compare(how, a, b) => Truth::compare(*how, self.num(a)?, self.num(b)?),
            Truth::Some(set) => Truth::some(self.cells(set)?),
            Truth::Subset(a, b) => {
                Truth::Subset(Box::new(self.cells(a)?), Box::new(self.cells(b)?))
            }
            Truth::Contains(c, set) => {
                Truth::Contains(Box::new(self.cell(c)?), Box::new(self.cells(set)?))
            }
            Truth::SameCell(a, b) => {
                Truth::SameCell(Box::new(self.cell(a)?), Box::new(self.cell(b)?))
            }
            _ => return None,
        })
    }

    /// A number.
    pub fn num(&mut self, num: &Num) -> Option<Num> {
        if !num_vars(num).may_read(|v| v == self.var) {
            return Some(num.clone());
        }
        Some(match (num, self.value) {
            (Num::Var(v), Value::Num(value)) if *v == self.var => {
                self.times += 1;
                value.clone()
            }
            (Num::Add(a, b), _) => Num::arithmetic('+', self.num(a)?, self.num(b)?),
            (Num::Sub(a, b), _) => Num::arithmetic('-', self.num(a)?, self.num(b)?),
            (Num::Count(set), _) => Num::Count(Box::new(self.cells(set)?)),
            (Num::CountParts(set), _) => Num::CountParts(Box::new(self.cells(set)?)),
            _ => return None,
        })
    }

    /// A cell.
    pub fn cell(&mut self, cell: &CellExpr) -> Option<CellExpr> {
        if !cells_vars(&Cells::Single(Box::new(cell.clone()))).may_read(|v| v == self.var) {
            return Some(cell.clone());
        }
        match (cell, self.value) {
            (CellExpr::Var(v), Value::Cell(value)) if *v == self.var => {
                self.times += 1;
                Some(value.clone())
            }
            _ => None,
        }
    }

    /// A set.
    pub fn cells(&mut self, set: &Cells) -> Option<Cells> {
        if !cells_vars(set).may_read(|v| v == self.var) {
            return Some(set.clone());
        }
        Some(match (set, self.value) {
            (Cells::Var(v), Value::Cells(value)) if *v == self.var => {
                self.times += 1;
                value.clone()
            }
            (Cells::Single(c), _) => Cells::Single(Box::new(self.cell(c)?)),
            (Cells::And(a, b), _) => Cells::and(self.cells(a)?, self.cells(b)?),
            (Cells::Or(a, b), _) => Cells::or(self.cells(a)?, self.cells(b)?),
            (Cells::Without(a, b), _) => Cells::without(self.cells(a)?, self.cells(b)?),
            (Cells::Adjacent(a), _) => Cells::Adjacent(Box::new(self.cells(a)?)),
            (Cells::AdjacentAlong(a, dirs), _) => {
                Cells::AdjacentAlong(Box::new(self.cells(a)?), dirs.clone())
            }
            _ => return None,
        })
    }
}

/// A test of one cell said of another; none when it cannot be said so, or does not ask for the cell.
pub fn said_of(test: &Truth, cell: VarId, other: VarId) -> Option<Truth> {
    let value = Value::Cell(CellExpr::Var(other));
    let mut put = Put {
        var: cell,
        value: &value,
        times: 0,
    };
    put.truth(test).filter(|_| put.times > 0)
}
