//! Which cells a square of a picture may have, found by shifts: where the picture begins, and so many cells on; or, for its last
//! square, by following it from all its first cells at once.

use crate::board::{Direction, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::wholes::FEW_STEPS;
use crate::program::{Cells, Count, Num, Pc, Picture, Square, VarId, cells_vars};

impl<'p> Lowerer<'p> {
    /// The cells of a variable over all matches of a picture.
    pub fn picture_gather(&mut self, what: VarId, begin: Pc, env: &mut Env, cx: Cx) -> Option<SV> {
        let picture = self.plain_picture(begin, env, cx)?;
        if let Some(found) = self.second_squares(picture, what, env, cx) {
            return Some(found);
        }
        match self.last_squares(picture, what, env, cx) {
            None => self.squares_behind(picture, what, env, cx),
            found => found,
        }
    }

    /// The cells of a class one step on from those of another.
    fn second_squares(
        &mut self,
        picture: &'p Picture,
        what: VarId,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let [first, second] = &picture.squares[..] else {
            return None;
        };
        let (class, bind) = one(first)?;
        let (behind, asked) = one(second)?;
        let named = |v: VarId| bind == Some(v) || picture.way == Some(v);
        if asked != Some(what) || bind == asked || cells_vars(behind).may_read(named) {
            return None;
        }
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        if self.leads_nowhere(Directions(ways)) {
            return None;
        }
        let near = match class {
            Cells::Single(c) => {
                let cell = self.cell(c, env, cx);
                self.next_of(cell, Directions(ways))
            }
            _ => {
                let from = self.cells(class, env, cx);
                match self.are_all_steps(Directions(ways)) {
                    true => self.around(from),
                    false => self.stepped(from, Directions(ways), false)?,
                }
            }
        };
        let behind = self.cells(behind, env, cx);
        Some(self.f.and(&mut self.fixed, near, behind))
    }

    /// The cells of a square that has always as many and lies always as far on, from where the picture is found to begin.
    fn squares_behind(
        &mut self,
        picture: &'p Picture,
        what: VarId,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let (mut skipped, mut many) = (0, None);
        for square in &picture.squares {
            let Square::Cells { count, bind, .. } = square else {
                return None;
            };
            let exact = match count {
                Count::One => 1,
                Count::Between(Num::Const(low), Some(Num::Const(high))) if low == high => *low,
                _ => return None,
            };
            if *bind == Some(what) {
                many = Some(exact);
                break;
            }
            skipped += exact;
        }
        let many = many.filter(|n| (1..=8).contains(n) && skipped <= 8)?;
        if !self.is_shiftable(picture, None) {
            return None;
        }
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        let ways = match picture.squares.len() {
            1 => self.one_of_each(picture, Directions(ways)),
            _ => Directions(ways),
        };
        let ragged = |l: &mut Self, d: Direction| l.is_ragged(d.0, true) || l.is_ragged(d.0, false);
        if ways.iter().any(|d| ragged(self, d)) {
            return None;
        }
        let classes = self.classes(picture, 0, env, cx);
        let mut found = NONE;
        for d in ways.iter() {
            let on = self.shift_id(d.0, false)?;
            let mut cells = self.match_along(picture, 0, &classes, d)?.cells;
            for _ in 0..skipped {
                cells = self.f.shift(cells, on);
            }
            found = self.f.or(&mut self.fixed, found, cells);
            for _ in 1..many {
                cells = self.f.shift(cells, on);
                found = self.f.or(&mut self.fixed, found, cells);
            }
        }
        Some(found)
    }

    /// The last cells of all matches of a picture, when they are asked for, and it begins with one cell of a set.
    fn last_squares(
        &mut self,
        picture: &'p Picture,
        what: VarId,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let ([first, ..], [.., last]) = (&picture.squares[..], &picture.squares[..]) else {
            return None;
        };
        let asked = matches!(last, Square::Cells { bind, .. } if *bind == Some(what));
        // From one cell it is sooner looked along rays.
        let from_set = matches!(
            first,
            Square::Cells { class, .. } if !matches!(class, Cells::Single(_))
        );
        let whole = asked && from_set && one(first).is_some() && one(last).is_some();
        if !whole || !self.is_shiftable(picture, None) {
            return None;
        }
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        let ways = Directions(ways);
        if ways.iter().any(|d| self.is_ragged(d.0, false)) || !picture.squares.iter().all(goes_on) {
            return None;
        }
        let classes = self.classes(picture, 0, env, cx);
        let mut found = NONE;
        for way in ways.iter() {
            let ends = self.ends_along(picture, &classes, way)?;
            found = self.f.or(&mut self.fixed, found, ends);
        }
        Some(found)
    }

    /// Where a picture ends that is looked for along a direction.
    fn ends_along(&mut self, picture: &Picture, classes: &[SV], way: Direction) -> Option<SV> {
        let on = self.shift_id(way.0, false)?;
        let (mut cells, rest) = (
            classes.first().copied()?,
            classes.iter().zip(&picture.squares),
        );
        for (&class, square) in rest.skip(1) {
            let Square::Cells { count, .. } = square else {
                return None;
            };
            let (least, more) = match count {
                Count::Between(Num::Const(low), Some(Num::Const(high))) => {
                    (*low, Some(usize::try_from(high - low).ok()?))
                }
                Count::Between(Num::Const(low), None) => (*low, None),
                _ => (1, Some(0)),
            };
            for _ in 0..least {
                let next = self.f.shift(cells, on);
                cells = self.f.and(&mut self.fixed, next, class);
            }
            let longest = self.longest_ray(way);
            let most = longest.saturating_sub(1 + usize::try_from(least).ok()?);
            let steps = more.unwrap_or(most).min(most);
            if more.is_none() && steps > FEW_STEPS {
                cells = self.until_stable(class, cells, on);
                continue;
            }
            let mut last = cells;
            for _ in 0..steps {
                let next = self.f.shift(last, on);
                last = self.f.and(&mut self.fixed, next, class);
                cells = self.f.or(&mut self.fixed, cells, last);
            }
        }
        Some(cells)
    }
}

/// The class and the name of a square that is one cell.
fn one(square: &Square) -> Option<(&Cells, Option<VarId>)> {
    match square {
        Square::Cells {
            class,
            count: Count::One,
            bind,
            ..
        } => Some((class, *bind)),
        Square::Cells { .. } | Square::Edge => None,
    }
}

/// Whether a square's cells follow those before it, however long its run is.
fn goes_on(square: &Square) -> bool {
    matches!(square, Square::Cells { whole: false, .. })
}
