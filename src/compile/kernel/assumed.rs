//! Truths that stay the same all through a turn, and what follows when they are taken for known. In: a truth. Out: its answer, when
//! it has one.

use crate::compile::kernel::env::follows_effects;
use crate::compile::kernel::reads::Asker;
use crate::compile::kernel::within::writes;
use crate::program::{CellExpr, Cells, Program, Truth, VarId};

/// What is taken for known.
#[derive(Clone, Default)]
pub struct Assumed<'p> {
    /// Truths with their answers.
    pub truths: Vec<(&'p Truth, bool)>,
    /// A variable that has a cell.
    pub cell: Option<VarId>,
    /// A variable, and whether it says yes.
    pub noted: Option<(VarId, bool)>,
}

impl Assumed<'_> {
    /// The answer of a truth, when it follows.
    pub fn answer(&self, program: &Program, truth: &Truth) -> Option<bool> {
        if let Some((_, holds)) = self.truths.iter().find(|(known, _)| *known == truth) {
            return Some(*holds);
        }
        let of = |truth: &Truth| self.answer(program, truth);
        match truth {
            Truth::Const(holds) => Some(*holds),
            Truth::Var(v) => self.noted.filter(|n| n.0 == *v).map(|n| n.1),
            Truth::Not(a) => of(a).map(|holds| !holds),
            Truth::And(a, b) => match (of(a), of(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), b) => b,
                (a, Some(true)) => a,
                _ => None,
            },
            Truth::Or(a, b) => match (of(a), of(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), b) => b,
                (a, Some(false)) => a,
                _ => None,
            },
            Truth::Contains(cell, set) => match cell.as_ref() {
                CellExpr::Var(v) if self.cell == Some(*v) => is_board(program, set).then_some(true),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a set is the whole board.
fn is_board(program: &Program, set: &Cells) -> bool {
    matches!(set, Cells::Const(cells) if **cells == program.board.cells())
}

/// Whether a truth stays the same from the start of a turn to its end: it looks at no pieces, and nothing that it reads is given a
/// value by an instruction.
pub fn lasts(program: &Program, truth: &Truth) -> bool {
    let reads = Asker { program, me: 0 }.truth(truth);
    let counted = |var| program.system.actions == Some(var) || program.system.passed == Some(var);
    !reads.pieces()
        && !reads.unseen
        && reads.vars.iter().all(|var| {
            let given = program.code.iter().any(|op| writes(program, op, *var));
            !given && !follows_effects(program, *var) && !counted(*var)
        })
}
