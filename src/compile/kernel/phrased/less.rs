//! Sets without others, said as shortly as what is known of pieces allows: a rook is no king, and nothing stands on an empty cell.

use crate::program::{Cells, KindExpr};

/// What of a set is not in another; none when that is nothing. It is the set as it is when they have no cell in common.
pub fn less(set: &Cells, other: &Cells, stacking: bool) -> Option<Cells> {
    if covers(other, set) {
        return None;
    }
    if apart(set, other, stacking) {
        return Some(set.clone());
    }
    match (set, other) {
        (Cells::Or(a, b), _) => {
            let both = [a, b].map(|part| less(part, other, stacking));
            both.into_iter().flatten().reduce(Cells::or)
        }
        // What all of it is in need not be asked.
        (_, Cells::And(a, b)) if covers(a, set) => less(set, b, stacking),
        (_, Cells::And(a, b)) if covers(b, set) => less(set, a, stacking),
        (Cells::And(a, b), _) => {
            let rest = less(b, other, stacking)?;
            Some(Cells::and(a.as_ref().clone(), rest))
        }
        _ => Some(Cells::without(set.clone(), other.clone())),
    }
}

/// Whether a set surely has all of another.
fn covers(set: &Cells, other: &Cells) -> bool {
    if set == other {
        return true;
    }
    if let (Cells::Const(a), Cells::Const(b)) = (set, other) {
        return b.without(**a).is_empty();
    }
    match other {
        Cells::Or(a, b) => return covers(set, a) && covers(set, b),
        Cells::And(a, b) if covers(set, a) || covers(set, b) => return true,
        Cells::Without(a, _) if covers(set, a) => return true,
        Cells::Owned(_) | Cells::Kind(_) if *set == Cells::Occupied => return true,
        _ => {}
    }
    match set {
        Cells::Or(a, b) => covers(a, other) || covers(b, other),
        Cells::And(a, b) => covers(a, other) && covers(b, other),
        Cells::Without(a, b) => covers(a, other) && apart(b, other, true),
        _ => false,
    }
}

/// Whether two sets surely have no cell in common.
fn apart(a: &Cells, b: &Cells, stacking: bool) -> bool {
    let taken = |set: &Cells| matches!(set, Cells::Occupied | Cells::Owned(_) | Cells::Kind(_));
    let of = |set: &Cells, other: &Cells| match set {
        Cells::Or(a, b) => apart(a, other, stacking) && apart(b, other, stacking),
        Cells::And(a, b) => apart(a, other, stacking) || apart(b, other, stacking),
        Cells::Without(a, b) => apart(a, other, stacking) || covers(b, other),
        Cells::Empty => taken(other),
        _ => false,
    };
    match (a, b) {
        (Cells::Kind(KindExpr::Const(a)), Cells::Kind(KindExpr::Const(b))) => a != b && !stacking,
        (Cells::Const(a), Cells::Const(b)) => (**a & **b).is_empty(),
        _ => of(a, b) || of(b, a),
    }
}
