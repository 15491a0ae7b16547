//! Pictures of a known cell and one beside it: the cells that fit are one set, and one of it is chosen like any other cell.

use crate::board::{Board, Cell, Cells as BoardCells, Direction, Directions, NO_STEP};
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::sight::SMALL;
use crate::compile::kernel::unique::Told;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, TableId};
use crate::program::{
    Cells, Count, DirExpr, Dirs, Part, Picture, Square, TemplateId, Value, VarId,
};

impl<'p> Lowerer<'p> {
    /// Whether the direction of a match is told by its two cells, the first of which is known without it.
    pub fn tells_beside(&self, picture: &Picture) -> bool {
        let two = matches!(
            picture.squares.as_slice(),
            [
                Square::Cells {
                    class: Cells::Single(_),
                    fixed: true,
                    count: Count::One,
                    ..
                },
                Square::Cells {
                    count: Count::One,
                    bind: Some(_),
                    ..
                },
            ]
        );
        let small = self.program.board.len() <= SMALL;
        let told = two && picture.way.is_some() && small && !self.returns;
        told && self.part_along(self.all_ways(picture))
    }

    /// Gives the direction of a match that was chosen, by its two cells.
    pub fn way_of_beside(&mut self, picture: &'p Picture, env: &mut Env, cx: Cx) {
        let [
            Square::Cells {
                class: Cells::Single(first),
                ..
            },
            Square::Cells { bind: Some(to), .. },
        ] = picture.squares.as_slice()
        else {
            return;
        };
        let from = match self.cell(first, env, cx) {
            CellV::Known(c) => c,
            CellV::Maybe(w) => self.f.bin(Bin::Sub, w, YES),
        };
        let to = self.slot_of(*to, 0).map(|slot| self.get(slot, env));
        let slot = picture.way.and_then(|v| self.slot_of(v, 0));
        if let (Some(Bind::Cell(to)), Some(slot)) = (to, slot) {
            let table = self.between(self.all_ways(picture));
            let row = V::K(self.program.board.len() as u64);
            let at = self.f.bin(Bin::Mul, from, row);
            let at = self.f.bin(Bin::Add, at, to);
            let way = self.f.table(&self.tables, table, at);
            let word = self.f.bin(Bin::Add, way, YES);
            self.put(slot, Bind::Word(word), env);
        }
    }

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
        // Where a direction is told, nothing behind the choice may be looked at cell by cell.
        let told = m.picture.way;
        let plain = told.is_none() || cx.mode == Mode::Candidates && self.tells_beside(m.picture);
        let sure = plain && !self.returns && self.part_along(self.all_ways(m.picture));
        let (true, true, Some(to_slot)) = (counts, sure, self.slot_of(*to, 0)) else {
            return false;
        };
        let mut env = env.clone();
        self.f.open();
        let near = match self.cell(first, &mut env, cx) {
            CellV::Known(c) => (self.near_along(&m.picture.ways, c, &mut env, cx)).map(|s| (c, s)),
            CellV::Maybe(w) => self.near_if_there(&m.picture.ways, w, &mut env, cx),
        };
        let fits = near.map(|(c, near)| (c, self.f.and(&mut self.fixed, near, class)));
        let mut is_named = false;
        if let (Some((_, fits)), Some(way)) = (fits, told) {
            self.settle_piles(&mut env, cx);
            let mut looks = env.clone();
            let unknown = Some(way);
            let tail = self.tail((*to, unknown), fits, m.facts[1], m.then, &mut looks, cx);
            if !tail.is_complete() {
                self.f.close();
                return false;
            }
            let named = |(id, given): &(TemplateId, Vec<VarId>)| {
                let hole = Part::Hole(Value::Dir(DirExpr::Var(way)));
                let once = given.iter().filter(|v| **v == way).count() == 1;
                once && self.program.templates[id.0 as usize].parts.contains(&hole)
            };
            is_named = tail.closed.iter().any(named);
        }
        let body = self.f.close();
        let Some((c, fits)) = fits else {
            return false;
        };
        self.f.when(YES, body);
        env.begin_ray();
        env.match_cells.clear();
        m.anchored = true;
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
            // The direction is not known by itself: a word that only a text can tell that names it.
            let way = V::R(l.f.word());
            env.told.extend(is_named.then_some(Told::Word(way)));
            let choice = Self::choice_of(m, c, V::R(cell), way);
            let (var, set) = ((*to, told, to_slot), (fits, m.facts[1]));
            l.choose_cell(var, cell, set, choice, m.then, env, cx);
        });
        true
    }

    /// As [`Lowerer::near_along`], of a cell counted from 1, or of none.
    fn near_if_there(&mut self, ways: &'p Dirs, cell: V, env: &mut Env, cx: Cx) -> Option<(V, SV)> {
        let below = self.f.bin(Bin::Sub, cell, YES);
        let c = self.f.select(cell, below, NO);
        let near = self.near_along(ways, c, env, cx)?;
        Some((c, self.f.select_set(cell, near, NONE)))
    }

    /// The cells beside one along directions that are fixed, or one of several fixed ones, without those along one that is not.
    fn near_along(&mut self, ways: &'p Dirs, c: V, env: &mut Env, cx: Cx) -> Option<SV> {
        if let Dirs::If(test, yes, no) = ways {
            let yes = self.near_along(yes, c, env, cx)?;
            let no = self.near_along(no, c, env, cx)?;
            let test = self.truth(test, env, cx);
            return Some(self.f.select_set(test, yes, no));
        }
        if let Dirs::Without(most, but) = ways {
            if self.dirs(but, env, cx) == NO {
                return self.near_along(most, c, env, cx);
            }
            if let Dirs::Single(way) = but.as_ref() {
                let near = self.near_along(most, c, env, cx)?;
                let way = self.dir(way, env);
                let next = self.next_along(way, c);
                return Some(self.f.without(&mut self.fixed, near, next));
            }
        }
        let V::K(ways) = self.dirs(ways, env, cx) else {
            return None;
        };
        Some(self.beside_cell(c, Directions(ways)))
    }

    /// The cells beside one along some directions.
    pub fn beside_cell(&mut self, c: V, ways: Directions) -> SV {
        let rows = self.rows(&format!("beside {}", ways.0), |p| {
            let cells = (0..p.board.len()).map(|c| Cell(c as u16));
            let near = |c: Cell| -> BoardCells {
                let next = ways.iter().filter_map(|d| p.board.step(c, d));
                next.collect()
            };
            cells.map(near).collect()
        });
        self.f.row(rows, c)
    }

    /// The direction in which one cell lies beside another.
    pub fn way_to(&mut self, from: V, to: V) -> V {
        let table = self.table("ways to", |p| of_two(&p.board, |d, _| d.0));
        self.entry_of_two(table, from, to)
    }

    /// The next cell of `cell` in the direction `way` in which it lies beside `from`: counted from 1, 0 for none. Looked up by the two
    /// cells, and by the direction where the numbers of cells are no bytes.
    pub fn step_behind(&mut self, from: V, cell: V, way: V) -> V {
        if self.program.board.len() >= usize::from(u8::MAX) {
            return self.step(cell, way);
        }
        let table = self.table("steps behind", |p| {
            of_two(&p.board, |d, c| {
                p.board.step(c, d).map_or(0, |next| next.0 as u8 + 1)
            })
        });
        self.entry_of_two(table, from, cell)
    }

    /// The entry for a cell and one beside it.
    fn entry_of_two(&mut self, table: TableId, from: V, to: V) -> V {
        let row = V::K(self.program.board.len() as u64);
        let at = self.f.bin(Bin::Mul, from, row);
        let at = self.f.bin(Bin::Add, at, to);
        self.f.byte(&self.tables, table, at)
    }

    /// The next cell along a direction counted from 1, or none, as a set.
    fn next_along(&mut self, way: V, c: V) -> SV {
        let table = self.table("next along", |p| {
            let none = vec![0; p.board.len()];
            let ways = (0..p.board.directions()).map(|d| Direction(d as u8));
            let steps = ways.flat_map(|d| p.board.steps(d).iter());
            let counted = |step: &u16| {
                if *step == NO_STEP {
                    0
                } else {
                    u64::from(*step) + 1
                }
            };
            none.into_iter().chain(steps.map(counted)).collect()
        });
        let row = self
            .f
            .bin(Bin::Mul, way, V::K(self.program.board.len() as u64));
        let at = self.f.bin(Bin::Add, row, c);
        let next = self.f.table(&self.tables, table, at);
        let below = self.f.bin(Bin::Sub, next, YES);
        let cell = self.f.select(next, below, NO);
        let single = self.f.single(&mut self.fixed, cell);
        self.f.select_set(next, single, NONE)
    }
}

/// For each cell and each one beside it what is said of the direction and of the second cell; eight a word, so that the table stays
/// small.
fn of_two(board: &Board, say: impl Fn(Direction, Cell) -> u8) -> Vec<u64> {
    let cells = board.len();
    let mut all = vec![0; (cells * cells).div_ceil(8)];
    for d in (0..board.directions()).map(|d| Direction(d as u8)) {
        for (c, next) in board.steps(d).iter().enumerate() {
            if *next != NO_STEP {
                let at = c * cells + usize::from(*next);
                all[at / 8] |= u64::from(say(d, Cell(*next))) << (at % 8 * 8);
            }
        }
    }
    all
}
