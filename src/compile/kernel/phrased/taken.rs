//! What sets have of cells on which something stands, or nothing.

use crate::program::{Cells, KindExpr, PlayerExpr};

/// Whether it depends on what stands on a cell, and on nothing else that a move changes, whether a set has the cell.
pub fn is_local(set: &Cells) -> bool {
    let fixed = |mut who: &PlayerExpr| {
        while let PlayerExpr::Next(of) = who {
            who = of;
        }
        matches!(who, PlayerExpr::Me | PlayerExpr::Const(_))
    };
    match set {
        Cells::Const(_) | Cells::Var(_) | Cells::Occupied | Cells::Empty => true,
        Cells::Kind(kind) => matches!(kind, KindExpr::Const(_)),
        Cells::Owned(who) | Cells::ByPlayer(_, who) => fixed(who),
        Cells::Or(a, b) | Cells::And(a, b) | Cells::Without(a, b) => is_local(a) && is_local(b),
        _ => false,
    }
}

/// Whether a set has any cell that is taken, or that is not, where that is all that matters.
pub fn on(set: &Cells, taken: bool, all: &Cells) -> Option<bool> {
    let on = |set| on(set, taken, all);
    match set {
        set if set == all => Some(true),
        Cells::Occupied => Some(taken),
        Cells::Empty => Some(!taken),
        Cells::Owned(_) | Cells::Kind(_) => (!taken).then_some(false),
        Cells::Or(a, b) => match (on(a), on(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), other) | (other, Some(false)) => other,
            _ => None,
        },
        Cells::And(a, b) => match (on(a), on(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), other) | (other, Some(true)) => other,
            _ => None,
        },
        Cells::Without(a, b) => match (on(a), on(b)) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (a, Some(false)) => a,
            _ => None,
        },
        _ => None,
    }
}
