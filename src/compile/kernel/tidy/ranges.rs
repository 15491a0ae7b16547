//! Between which numbers a word lies, as a signed number, and what follows from a test.

use crate::board::MAX_CELLS;
use crate::program::kernel::{Bin, W, Word};

/// From and to.
pub(super) type Range = (i64, i64);

/// Any number.
pub(super) const ALL: Range = (i64::MIN, i64::MAX);

/// No or yes.
pub(super) const TRUTH: Range = (0, 1);

/// Further away sums are not told.
const FAR: i64 = 1 << 40;

/// Cells and counts of them.
pub(super) const CELLS: Range = (0, MAX_CELLS as i64);

/// The range of a value whose operands' ranges are known.
pub(super) fn range(value: &Word, of: &impl Fn(W) -> Range) -> Range {
    match *value {
        Word::Const(k) => (k.cast_signed(), k.cast_signed()),
        Word::Copy(a) => of(a),
        Word::Select(_, a, b) => {
            let (a, b) = (of(a), of(b));
            (a.0.min(b.0), a.1.max(b.1))
        }
        Word::Count(_) | Word::First(_) | Word::Last(_) | Word::Nth(..) => CELLS,
        Word::Some(_) | Word::Has(..) | Word::Within(..) | Word::Meet(..) | Word::Same(..) => TRUTH,
        Word::Leading(_) => (0, 64),
        Word::Byte(..) => (0, 255),
        Word::Bin(bin, a, b) => two(bin, of(a), of(b)),
        _ => ALL,
    }
}

/// Whether a sum with such a number is told.
pub(super) fn near(r: Range) -> bool {
    r.0 > -FAR && r.1 < FAR
}

fn two(bin: Bin, a: Range, b: Range) -> Range {
    let both_near = near(a) && near(b);
    match bin {
        Bin::Less | Bin::AtMost | Bin::Equal | Bin::Differ => {
            answer(bin, a, b).map_or(TRUTH, |k| (k, k))
        }
        Bin::Add | Bin::SumWithin if both_near => (a.0 + b.0, a.1 + b.1),
        Bin::Sub | Bin::DifferenceWithin if both_near => (a.0 - b.1, a.1 - b.0),
        Bin::And if a.0 >= 0 || b.0 >= 0 => {
            let most = |r: Range| if r.0 >= 0 { r.1 } else { i64::MAX };
            (0, most(a).min(most(b)))
        }
        Bin::Or | Bin::Xor if a.0 >= 0 && b.0 >= 0 && a.1 <= 1 && b.1 <= 1 => TRUTH,
        Bin::Smaller => (a.0.min(b.0), a.1.min(b.1)),
        Bin::Larger => (a.0.max(b.0), a.1.max(b.1)),
        _ => ALL,
    }
}

/// What a comparison comes to, if that is known.
fn answer(bin: Bin, a: Range, b: Range) -> Option<i64> {
    let (surely, never) = match bin {
        Bin::Less => (a.1 < b.0, a.0 >= b.1),
        Bin::AtMost => (a.1 <= b.0, a.0 > b.1),
        Bin::Equal => (a.0 == a.1 && a == b, a.1 < b.0 || b.1 < a.0),
        Bin::Differ => (a.1 < b.0 || b.1 < a.0, a.0 == a.1 && a == b),
        _ => (false, false),
    };
    match (surely, never) {
        (true, _) => Some(1),
        (_, true) => Some(0),
        _ => None,
    }
}

/// The ranges of both sides of a comparison that is known to hold, or not to.
pub(super) fn compared(bin: Bin, holds: bool, a: Range, b: Range) -> (Range, Range) {
    match (bin, holds) {
        (Bin::Less, true) => (
            (a.0, a.1.min(b.1.saturating_sub(1))),
            (b.0.max(a.0.saturating_add(1)), b.1),
        ),
        (Bin::Less, false) => ((a.0.max(b.0), a.1), (b.0, b.1.min(a.1))),
        (Bin::AtMost, true) => ((a.0, a.1.min(b.1)), (b.0.max(a.0), b.1)),
        (Bin::AtMost, false) => (
            (a.0.max(b.0.saturating_add(1)), a.1),
            (b.0, b.1.min(a.1.saturating_sub(1))),
        ),
        (Bin::Equal, true) | (Bin::Differ, false) => {
            let same = (a.0.max(b.0), a.1.min(b.1));
            (same, same)
        }
        (Bin::Equal, false) | (Bin::Differ, true) => (but(a, b), but(b, a)),
        _ => (a, b),
    }
}

/// A range without a number that is known, where that stands at one of its ends.
fn but(a: Range, b: Range) -> Range {
    if b.0 != b.1 || a.0 == a.1 {
        return a;
    }
    (a.0 + i64::from(a.0 == b.0), a.1 - i64::from(a.1 == b.0))
}
