//! Pictures of a known cell and one beside it: the cells that fit are one set, and one of it is chosen like any other cell.

use crate::board::{Cell, Cells as BoardCells, Directions};
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::Bin;
use crate::program::{Cells, Count, Dirs, Square};

impl<'p> Lowerer<'p> {
    /// Every match of a picture of two cells, the first of which is known. False when it is another picture; then nothing is
    /// written.
    pub fn beside(&mut self, m: &mut Match<'p>, env: &Env, cx: Cx) -> bool {
        let [
            Square::Cells {
                class: Cells::Single(first),
                fixed: true,
                count: Count::One,
                bind: from,
                ..
            },
            Square::Cells {
                count: Count::One,
                bind: Some(to),
                ..
            },
        ] = m.picture.squares.as_slice()
        else {
            return false;
        };
        let [_, Some(class)] = m.classes[..] else {
            return false;
        };
        let counts = matches!(cx.mode, Mode::Candidates | Mode::Count);
        let sure = m.picture.way.is_none() && self.rays_part && !self.returns;
        let (true, true, Some(to_slot)) = (counts, sure, self.slot_of(*to, 0)) else {
            return false;
        };
        let mut env = env.clone();
        self.f.open();
        let near = match self.cell(first, &mut env, cx) {
            CellV::Known(c) => (self.near_along(&m.picture.ways, c, &mut env, cx)).map(|s| (c, s)),
            CellV::Maybe(_) => None,
        };
        let body = self.f.close();
        let Some((c, near)) = near else {
            return false;
        };
        self.f.when(YES, body);
        self.looked |= cx.mode == Mode::Candidates;
        env.ray.clear();
        env.match_cells.clear();
        m.anchored = true;
        let fits = self.f.and(&mut self.fixed, near, class);
        self.scope(|l| {
            env.on_ray(c);
            if let Some(slot) = from.and_then(|v| l.slot_of(v, 0)) {
                env.know(c, m.facts[0]);
                l.put(slot, Bind::Cell(c), &mut env);
                let word = l.f.bin(Bin::Add, c, YES);
                l.note_path(word, &mut env, cx);
            }
            let cell = l.f.word();
            env.on_ray(V::R(cell));
            // The direction is not known by itself: a word that no text can tell.
            let way = V::R(l.f.word());
            let choice = Self::choice_of(m, c, V::R(cell), way);
            let (var, set) = ((*to, to_slot), (fits, m.facts[1]));
            l.choose_cell(var, cell, set, choice, m.then, env, cx);
        });
        true
    }

    /// The cells beside one along directions that are fixed, or one of several fixed ones.
    fn near_along(&mut self, ways: &'p Dirs, c: V, env: &mut Env, cx: Cx) -> Option<SV> {
        if let Dirs::If(test, yes, no) = ways {
            let yes = self.near_along(yes, c, env, cx)?;
            let no = self.near_along(no, c, env, cx)?;
            let test = self.truth(test, env, cx);
            return Some(self.f.select_set(test, yes, no));
        }
        let V::K(ways) = self.dirs(ways, env, cx) else {
            return None;
        };
        let rows = self.rows(&format!("beside {ways}"), |p| {
            let cells = (0..p.board.len()).map(|c| Cell(c as u16));
            let near = |c: Cell| -> BoardCells {
                let next = Directions(ways).iter().filter_map(|d| p.board.step(c, d));
                next.collect()
            };
            cells.map(near).collect()
        });
        Some(self.f.row(rows, c))
    }
}
