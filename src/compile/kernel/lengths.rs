//! How many cells the squares of pictures have, and how far they lie from where the picture begins.

use crate::program::{Count, Num, Picture, Square};

/// So many cells at least, and at most where that is known.
pub type Range = (usize, Option<usize>);

/// How far a square's first cell is from the first cell of a picture, when it is always as far.
pub fn distance(picture: &Picture, square: usize) -> Option<usize> {
    let before = picture.squares.get(..square)?;
    before.iter().map(length).sum()
}

/// How far a cell of a square, its first or its last, is from the first cell of a picture: at least, and at most where that is known.
pub fn distances(picture: &Picture, square: usize, last: bool) -> Option<Range> {
    let before = picture.squares.get(..square)?.iter().map(lengths);
    let up_to = before.reduce(|a, b| Some(both(a?, b?)));
    let (least, most) = up_to.unwrap_or(Some((0, Some(0))))?;
    if !last {
        return Some((least, most));
    }
    let (short, long) = lengths(picture.squares.get(square)?)?;
    let more = (short.max(1) - 1, long.map(|n| n.max(1) - 1));
    Some(both((least, most), more))
}

/// Two lengths together.
fn both(a: Range, b: Range) -> Range {
    (a.0 + b.0, a.1.zip(b.1).map(|(a, b)| a + b))
}

/// How many cells a square has: at least, and at most where that is known.
pub fn lengths(square: &Square) -> Option<Range> {
    let known = |n: &Num| match n {
        Num::Const(n) => usize::try_from(*n).ok(),
        _ => None,
    };
    match square {
        Square::Cells { count, .. } => Some(match count {
            Count::One => (1, Some(1)),
            Count::New(_) => (1, None),
            Count::Between(least, most) => {
                (known(least).unwrap_or(0), most.as_ref().and_then(known))
            }
        }),
        Square::Edge => None,
    }
}

/// How many cells a square has, when it always has as many.
fn length(square: &Square) -> Option<usize> {
    match square {
        Square::Cells { count, .. } => match count {
            Count::One => Some(1),
            Count::Between(Num::Const(least), Some(Num::Const(most))) if least == most => {
                usize::try_from(*least).ok()
            }
            _ => None,
        },
        Square::Edge => None,
    }
}

/// Whether a square has a cell.
pub fn has_cells(square: &Square) -> bool {
    match square {
        Square::Cells { count, .. } => match count {
            Count::One | Count::New(_) => true,
            Count::Between(least, _) => matches!(least, Num::Const(n) if *n > 0),
        },
        Square::Edge => false,
    }
}

/// The squares of a picture that are runs of two cells at least, counted without edges, as bits.
pub fn long_runs(picture: &Picture) -> u64 {
    squares_that(picture, |square| {
        let known = matches!(lengths(square), Some((2.., _)));
        let counted = matches!(
            square,
            Square::Cells {
                count: Count::Between(Num::Const(_), _),
                ..
            }
        );
        known && counted
    })
}

/// The squares of a picture that are whole runs, which tell by either end how long they are, counted without edges, as bits.
pub fn whole_runs(picture: &Picture) -> u64 {
    squares_that(picture, |square| {
        matches!(square, Square::Cells { whole: true, .. })
    })
}

/// The squares of a picture that are of some kind, counted without edges, as bits.
fn squares_that(picture: &Picture, are: impl Fn(&Square) -> bool) -> u64 {
    let cells = |square: &&Square| matches!(square, Square::Cells { .. });
    let squares = picture.squares.iter().filter(cells).enumerate();
    let found = squares.filter(|(at, square)| *at < 64 && are(square));
    found.fold(0, |all, (at, _)| all | 1 << at)
}
