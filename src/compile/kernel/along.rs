//! Which direction a test asks for, where it is worth knowing: then each direction is gone through by itself. In: a test, or what comes next,
//! and a direction that has a name. Out: whether it asks.

use crate::compile::kernel::lower::Lowerer;
use crate::program::{Cells, DirExpr, Dirs, Num, Op, Pc, Truth, VarId};

/// So many instructions are looked at behind a choice.
const NEAR: usize = 8;

/// Whether a test asks if a direction is one of some that are fixed, or what lies along it from the cells of a set.
pub fn asks_way(test: &Truth, way: VarId) -> bool {
    match test {
        Truth::And(a, b) | Truth::Or(a, b) => asks_way(a, way) || asks_way(b, way),
        Truth::Not(test) => asks_way(test, way),
        Truth::ContainsDir(asked, among) => {
            let fixed = matches!(**among, Dirs::Const(_) | Dirs::ByPlayer(..));
            fixed && **asked == DirExpr::Var(way)
        }
        _ => steps_along(test, way),
    }
}

/// Whether a test asks for what lies along a direction from the cells of a set.
fn steps_along(test: &Truth, way: VarId) -> bool {
    match test {
        Truth::And(a, b) | Truth::Or(a, b) => steps_along(a, way) || steps_along(b, way),
        Truth::Not(test) => steps_along(test, way),
        Truth::Some(set) => set_along(set, way),
        Truth::Subset(a, b) | Truth::SameCells(a, b) => set_along(a, way) || set_along(b, way),
        Truth::Contains(_, set) => set_along(set, way),
        Truth::Compare(_, a, b) => [a, b]
            .iter()
            .any(|n| matches!(&***n, Num::Count(set) if set_along(set, way))),
        _ => false,
    }
}

fn set_along(set: &Cells, way: VarId) -> bool {
    match set {
        Cells::Or(a, b) | Cells::And(a, b) | Cells::Without(a, b) => {
            set_along(a, way) || set_along(b, way)
        }
        Cells::AdjacentAlong(of, ways) => {
            **ways == Dirs::Single(DirExpr::Var(way)) && !matches!(**of, Cells::Single(_))
        }
        _ => false,
    }
}

impl Lowerer<'_> {
    /// Whether what comes next requires something of what lies along a direction that is chosen, from the cells of a set.
    pub fn steps_along_chosen(&self, way: VarId, mut at: Pc) -> bool {
        for _ in 0..NEAR {
            match self.op(at) {
                Op::Require(test, _) if steps_along(test, way) => return true,
                Op::Jump(to) => at = *to,
                Op::Let(..) | Op::Require(..) | Op::Open(_) => at = Pc(at.0 + 1),
                _ => return false,
            }
        }
        false
    }
}
