//! Whether two pictures that have a cell in common and go the same way may both be found there. In: two pictures, and which cell. Out: whether
//! some row of cells behind it is one of each, as far as the shorter goes; cell by cell, as two automata run side by side. And whether one
//! picture can be found in two ways on one row.

use crate::board::Directions;
use crate::compile::kernel::heads::{Head, Told, ways_told_alike};
use crate::compile::kernel::lengths::{has_cells, lengths};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::{Count, Picture, Square, TemplateId};

/// Longer runs count as without an end, so that there are few places to be at.
const LONG: usize = 32;

/// How far a picture has come: the square, and how many of its cells there were.
type Place = (usize, usize);

impl Lowerer<'_> {
    /// Whether two heads' pictures have a cell in common where their texts are the same, and go the same way then, along which they are never
    /// both found.
    pub fn never_abreast(
        &self,
        (a, x): (&Head<'_>, &Picture),
        (b, y): (&Head<'_>, &Picture),
        (both, before): (&[(&Told, &Told)], &[TemplateId]),
        cx: Cx,
    ) -> bool {
        let some = |p: &Picture, at: usize| p.squares.get(at).is_some_and(has_cells);
        let common = |(p, q): &&(&Told, &Told)| some(x, p.square) && some(y, q.square);
        let common: Vec<&(&Told, &Told)> = both.iter().filter(common).collect();
        let along = |of: Option<u64>| of.filter(|ways| ways.is_power_of_two());
        let ways = [x, y].map(|picture| along(self.fixed_ways(picture, cx)));
        let either = Directions(self.all_ways(x).0 | self.all_ways(y).0);
        let further = |(p, q): &(&Told, &Told)| {
            let before = |(r, s): &&(&Told, &Told)| p.square < r.square && q.square < s.square;
            common.iter().any(before)
        };
        let same_way = (ways[0].is_some() && ways[0] == ways[1])
            || ways_told_alike(self.program, (a, b), before)
            || common.iter().any(|c| further(c)) && self.part_along(either);
        same_way && (common.iter()).any(|(p, q)| self.never_in_step((x, p), (y, q), cx))
    }

    /// Whether no two matches of two pictures that go the same way have a cell in common: a square's first one, or its last.
    fn never_in_step(&self, (x, p): (&Picture, &Told), (y, q): (&Picture, &Told), cx: Cx) -> bool {
        let mut seen: Vec<(Place, Place)> = Vec::new();
        let mut open = vec![(behind(p), behind(q))];
        while let Some((p, q)) = open.pop() {
            if seen.contains(&(p, q)) {
                continue;
            }
            seen.push((p, q));
            let ((of_x, false), (of_y, false)) = (next(x, p), next(y, q)) else {
                // One of them is complete, and so may the other be.
                return false;
            };
            for &(p, a) in &of_x {
                for &(q, b) in &of_y {
                    match (a, b) {
                        (Square::Edge, Square::Edge) => return false,
                        (Square::Cells { class: a, .. }, Square::Cells { class: b, .. }) => {
                            if !self.excludes(a, b, cx) {
                                open.push((p, q));
                            }
                        }
                        (Square::Edge, Square::Cells { .. })
                        | (Square::Cells { .. }, Square::Edge) => {}
                    }
                }
            }
        }
        true
    }
}

impl Lowerer<'_> {
    /// Whether the first cell of a picture's match and the last tell how long its runs are, where there are several.
    pub fn ends_tell(&self, picture: &Picture, cx: Cx) -> bool {
        let runs = |square: &&Square| matches!(square, Square::Cells { count, .. } if *count != Count::One);
        let cells = |square: &Square| matches!(square, Square::Cells { .. });
        // On a ring a cell may be come to again.
        if self.returns
            || picture.squares.iter().filter(runs).count() < 2
            || !picture.squares.iter().all(cells)
        {
            return false;
        }
        // Two ways of going along one row, and whether they have parted.
        let mut seen: Vec<(Place, Place, bool)> = Vec::new();
        let mut open = vec![((0, 0), (0, 0), false)];
        while let Some((p, q, parted)) = open.pop() {
            if seen.contains(&(p, q, parted)) {
                continue;
            }
            seen.push((p, q, parted));
            let ((one, ends), (other, also)) = (next(picture, p), next(picture, q));
            if ends && also && parted {
                return false;
            }
            for &(p, a) in &one {
                for &(q, b) in &other {
                    let same = p.0 == q.0;
                    let (Square::Cells { class: a, .. }, Square::Cells { class: b, .. }) = (a, b)
                    else {
                        return false;
                    };
                    if same || !self.excludes(a, b, cx) {
                        open.push((p, q, parted || !same));
                    }
                }
            }
        }
        true
    }
}

/// Where a picture is behind one of its cells.
fn behind(told: &Told) -> Place {
    match told.last {
        true => (told.square + 1, 0),
        false => (told.square, 1),
    }
}

/// Where a picture may be one cell further on, and what that is a cell of; and whether it may be complete.
fn next(picture: &Picture, (mut square, mut many): Place) -> (Vec<(Place, &Square)>, bool) {
    let mut found = Vec::new();
    loop {
        let Some(here) = picture.squares.get(square) else {
            return (found, true);
        };
        let Some((least, most)) = lengths(here) else {
            found.push(((square + 1, 0), here));
            return (found, false);
        };
        let most = most.filter(|most| *most <= LONG);
        let end = most.unwrap_or(least.max(1));
        if most.is_none_or(|most| many < most) {
            found.push(((square, (many + 1).min(end)), here));
        }
        if many < least {
            return (found, false);
        }
        (square, many) = (square + 1, 0);
    }
}
