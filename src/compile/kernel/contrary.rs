//! Tests of which never both hold of one position and one cell: what one way of a branch requires, chooses from first, or has in the class of
//! a cell, and the other denies. In: two tests, or what two heads begin with. Out: whether they exclude one another. Conditions: both ask the position
//! before anything is changed, and nothing that was given a value on the way but the cell.

use crate::compile::kernel::heads::{Head, Told, looked_for, reads};
use crate::compile::kernel::phrased::{atoms, said_of};
use crate::program::{CellExpr, Cells, Compare, Num, Program, Square, Truth, VarId, truth_vars};

/// The cell of which tests are said, whatever its name was.
const IT: VarId = VarId(u16::MAX);

/// Whether two heads never begin in one position.
pub fn never_both_begin(program: &Program, a: &Head<'_>, b: &Head<'_>) -> bool {
    let (of_a, of_b) = (said_before(program, a), said_before(program, b));
    let empty = |a: &Truth, b: &Truth| leaves_none(program, a, b) || leaves_none(program, b, a);
    exclude(&of_a, &of_b) || of_a.iter().any(|a| of_b.iter().any(|b| empty(a, b)))
}

/// All that a head says of the position: what it requires, and that there is some of what is chosen first.
fn said_before(program: &Program, head: &Head<'_>) -> Vec<Truth> {
    let tests = head.required.iter().flat_map(|test| atoms(test)).cloned();
    let chosen = head.first().map(|set| Truth::Some(Box::new(set.clone())));
    let free = |test: &Truth| !reads(program, test, |v| head.given.contains(&v));
    tests.chain(chosen).filter(free).collect()
}

/// Whether a test says that there is nothing of which another says that there is some.
fn leaves_none(program: &Program, none: &Truth, some: &Truth) -> bool {
    let Truth::Some(some) = some else {
        return false;
    };
    match none {
        Truth::Not(test) => matches!(&**test, Truth::Some(none) if is_cut(program, some, none)),
        Truth::Subset(of, within) => match some.as_ref() {
            Cells::Without(left, out) => {
                is_cut(program, left, of) && are_same(program, out, within)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a set is another one, or part of it as it is said.
fn is_cut(program: &Program, part: &Cells, of: &Cells) -> bool {
    are_same(program, part, of)
        || match part {
            Cells::And(a, b) => is_cut(program, a, of) || is_cut(program, b, of),
            Cells::Without(a, _) | Cells::Where(a, ..) => is_cut(program, a, of),
            _ => false,
        }
}

/// Whether two sets are said alike, whatever pictures call what they find.
fn are_same(program: &Program, a: &Cells, b: &Cells) -> bool {
    match (a, b) {
        (Cells::Gather(v, x), Cells::Gather(w, y)) => {
            let (Some(x), Some(y)) = (looked_for(program, *x), looked_for(program, *y)) else {
                return a == b;
            };
            let mut renamed = y.clone();
            for square in &mut renamed.squares {
                if let Square::Cells { bind, .. } = square
                    && *bind == Some(*w)
                {
                    *bind = Some(*v);
                }
            }
            *x == renamed
        }
        (a, b) => a == b,
    }
}

/// Whether two heads never begin with the same cell at places that texts tell.
pub fn never_the_same(a: (&Head<'_>, &Told), b: (&Head<'_>, &Told)) -> bool {
    exclude(&all_said(a.0, a.1), &all_said(b.0, b.1))
}

/// All that a head says of a cell that is told.
fn all_said(head: &Head<'_>, told: &Told) -> Vec<Truth> {
    let mut said = Vec::new();
    if let Some(class) = head.class(told) {
        said_by(&class, &mut said);
    }
    if let Some(cell) = head.cell(told) {
        let tests = head.required.iter().flat_map(|test| atoms(test));
        said.extend(tests.filter_map(|test| said_of(test, cell, IT)));
    }
    said.retain(|test| !truth_vars(test).may_read(|v| v != IT && head.given.contains(&v)));
    said
}

/// What a class says of its cells.
fn said_by(class: &Cells, said: &mut Vec<Truth>) {
    let is_in = |set: &Cells| Truth::Contains(Box::new(CellExpr::Var(IT)), Box::new(set.clone()));
    match class {
        Cells::And(a, b) => {
            said_by(a, said);
            said_by(b, said);
        }
        Cells::Without(a, b) => {
            said_by(a, said);
            said.push(Truth::not(is_in(b)));
        }
        Cells::Where(a, it, test) => {
            said_by(a, said);
            said.extend(
                atoms(test)
                    .into_iter()
                    .filter_map(|test| said_of(test, *it, IT)),
            );
        }
        set => said.push(is_in(set)),
    }
}

/// Whether of some tests and some others two never both hold.
fn exclude(some: &[Truth], others: &[Truth]) -> bool {
    some.iter().any(|a| others.iter().any(|b| never_both(a, b)))
}

/// Whether two tests never both hold.
fn never_both(a: &Truth, b: &Truth) -> bool {
    let denied = |a: &Truth, b: &Truth| matches!(a, Truth::Not(inner) if **inner == *b);
    if denied(a, b) || denied(b, a) {
        return true;
    }
    match (a, b) {
        (Truth::Compare(how, x, y), Truth::Compare(other, z, w)) if x == z => match (&**y, &**w) {
            (Num::Const(m), Num::Const(n)) => never_both_compare((*how, *m), (*other, *n)),
            (y, w) => y == w && never_both_compare((*how, 0), (*other, 0)),
        },
        _ => false,
    }
}

/// Whether no number compares so with one number, and otherwise with another.
fn never_both_compare(a: (Compare, i64), b: (Compare, i64)) -> bool {
    let least = |(how, n): (Compare, i64)| match how {
        Compare::Equal | Compare::AtLeast => n,
        Compare::More => n.saturating_add(1),
        _ => i64::MIN,
    };
    let most = |(how, n): (Compare, i64)| match how {
        Compare::Equal | Compare::AtMost => n,
        Compare::Less => n.saturating_sub(1),
        _ => i64::MAX,
    };
    let unequal = |a: (Compare, i64), b: (Compare, i64)| {
        a.0 == Compare::Equal && b.0 == Compare::NotEqual && a.1 == b.1
    };
    least(a).max(least(b)) > most(a).min(most(b)) || unequal(a, b) || unequal(b, a)
}
