//! What is seen along lines: pictures of a cell, then open cells as far as they go, then the cell that is seen. What is seen
//! from a cell in all directions is one set, and one of it is chosen like any other cell.

use crate::board::{Board, Cell, Cells as BoardCells, Direction, Directions};
use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::unique::{Choice, Ray};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, NARROW, Set, Stmt, TableId};
use crate::program::{Cells, Count, Num, Square, VarId};

/// The most cells of a board for which a table says in which direction one cell lies from another.
pub const SMALL: usize = 64 * NARROW;

/// A picture that looks along lines.
pub struct Sight {
    /// The open cells.
    open: SV,
    /// The cells that are looked for.
    seen: SV,
    /// How many open cells there are at least, and at most.
    bounds: (usize, Option<usize>),
    /// Who is told the cell that is looked from.
    from: Option<Slot>,
    /// Who is told the cell that is seen.
    to: Option<(VarId, Slot)>,
    /// Who is told the direction.
    way: Option<Slot>,
}

/// For each direction and each cell, the cells of the ray behind it.
fn beyond(board: &Board) -> Vec<BoardCells> {
    window(board, (0, None))
}

/// For each direction and each cell, those of the cells behind it that have at least `low` others between them, and at most `high`.
fn window(board: &Board, (low, high): (usize, Option<usize>)) -> Vec<BoardCells> {
    let ways = (0..board.directions()).map(|d| Direction(d as u8));
    let behind = |d: Direction, c: usize| {
        let first = board.step(Cell(c as u16), d);
        let all = std::iter::successors(first, |c| board.step(*c, d)).skip(low);
        match high {
            Some(high) => all.take((high + 1).saturating_sub(low)).collect(),
            None => all.collect(),
        }
    };
    ways.flat_map(|d| (0..board.len()).map(move |c| behind(d, c)))
        .collect()
}

/// The bounds of a run, where they are fixed.
fn fixed_bounds(count: &Count) -> Option<(usize, Option<usize>)> {
    let Count::Between(Num::Const(low), high) = count else {
        return None;
    };
    let low = usize::try_from((*low).max(0)).ok()?;
    match high {
        None => Some((low, None)),
        // One below none is left to who matches cell by cell.
        Some(Num::Const(high)) => Some((low, Some(usize::try_from(*high).ok()?))),
        Some(_) => None,
    }
}

/// For each cell and each other cell, which of some directions it lies in; 0 as well where there is none.
fn between(board: &Board, among: Directions) -> Vec<u64> {
    let mut ways = vec![0; board.len() * board.len()];
    for (at, ray) in beyond(board).into_iter().enumerate() {
        let way = (at / board.len()) as u64;
        for c in ray.iter().filter(|_| among.0 >> way & 1 == 1) {
            ways[at % board.len() * board.len() + c.index()] = way;
        }
    }
    ways
}

impl<'p> Lowerer<'p> {
    /// The picture as a look along lines, when it is one and the order of what is seen does not matter.
    pub fn sight(&self, m: &Match<'p>, ways: V, cx: Cx) -> Option<Sight> {
        // Whether a turn can be completed is told by the first that is seen, as a rule.
        if matches!(
            cx.mode,
            Mode::List | Mode::Any | Mode::Ahead | Mode::Apply { .. } | Mode::Probe
        ) || !self.sees_rays()
        {
            return None;
        }
        let [
            Square::Cells {
                count: Count::One,
                bind: first,
                ..
            },
            Square::Cells {
                count: between,
                whole: false,
                bind: None,
                ..
            },
            Square::Cells {
                count: Count::One,
                bind: last,
                ..
            },
        ] = m.picture.squares.as_slice()
        else {
            return None;
        };
        let [Some(_), Some(open), Some(seen)] = m.classes[..] else {
            return None;
        };
        let bounds = fixed_bounds(between)?;
        // Who is told a thing and whether he can be; none who is told nothing.
        let told = |v: Option<VarId>| match v {
            None => Some(None),
            Some(v) => self.slot_of(v, 0).map(|slot| Some((v, slot))),
        };
        let (from, to, way) = (told(*first)?, told(*last)?, told(m.picture.way)?);
        // Every match counts, unless only one is looked for.
        let one = cx.mode == Mode::Exists;
        let small = self.program.board.len() <= SMALL;
        let fits = self.part_along(match ways {
            V::K(ways) => Directions(ways),
            V::R(_) => self.all_ways(m.picture),
        }) && (to.is_some() || one)
            && (way.is_none() || (small && !Self::notes_path(cx)))
            && (matches!(ways, V::K(_)) || small);
        fits.then_some(Sight {
            open,
            seen,
            bounds,
            from: from.map(|(_, slot)| slot),
            to,
            way: way.map(|(_, slot)| slot),
        })
    }

    /// Every match of a look along lines.
    pub fn look(&mut self, m: &mut Match<'p>, sight: &Sight, ways: V, mut env: Env, cx: Cx) {
        env.begin_ray();
        env.match_cells.clear();
        let single = match m.picture.squares.first() {
            Some(Square::Cells {
                class: Cells::Single(c),
                ..
            }) => Some(self.cell(c, &mut env, cx)),
            _ => None,
        };
        let first = m.classes[0].unwrap_or(NONE);
        let only = match single {
            Some(CellV::Known(c)) => Some(c),
            _ => self.f.only_cell(first),
        };
        if let Some(c) = only {
            m.anchored = true;
            return self.scope(|l| l.look_from(m, sight, c, ways, env, cx));
        }
        let c = self.f.word();
        self.f.open();
        self.scope(|l| l.look_from(m, sight, V::R(c), ways, env, cx));
        let body = self.f.close();
        let s = self.f.sreg(first);
        self.f.push(Stmt::ForCells(c, s, body));
    }

    fn look_from(&mut self, m: &Match<'p>, sight: &Sight, c: V, ways: V, mut env: Env, cx: Cx) {
        env.on_ray(c);
        if let Some(slot) = sight.from {
            env.know(c, m.facts[0]);
            self.put(slot, Bind::Cell(c), &mut env);
            let word = self.f.bin(Bin::Add, c, YES);
            self.note_path(word, &mut env, cx);
        }
        let all = match ways {
            V::K(d) => Directions(d),
            V::R(_) => Directions::range(self.program.board.directions()),
        };
        let seen = self.seen_from(c, all, sight);
        let seen = self.f.and(&mut self.fixed, seen, sight.seen);
        let some_ways = matches!(ways, V::R(_));
        if sight.way.is_some() || some_ways {
            return self.each_seen(m, sight, (c, seen), ways, env, cx);
        }
        let Some(to) = sight.to else {
            let some = self.f.some(&self.fixed, seen);
            self.f.open();
            self.go(m.then, false, env, cx);
            let body = self.f.close();
            return self.f.when(some, body);
        };
        let cell = self.f.word();
        env.on_ray(V::R(cell));
        // The direction is not known by itself: a word that no text can tell.
        let way = V::R(self.f.word());
        let choice = Self::choice_of(m, c, V::R(cell), way);
        self.choose_cell(
            (to.0, None, to.1),
            cell,
            (seen, m.facts[2]),
            choice,
            m.then,
            env,
            cx,
        );
    }

    /// What a text has to tell of a cell that is seen.
    pub fn choice_of(m: &Match<'p>, from: V, to: V, way: V) -> Choice {
        Choice::Match(Ray {
            way,
            word: None,
            named: None,
            way_told: false,
            goes_back: false,
            cells: vec![(from, None, false), (to, None, false)],
            parts: true,
            long: 0,
            whole: 0,
            one_way: false,
            to_edge: false,
            ends_tell: false,
            from: m.from.clone(),
            anchored: m.anchored,
            along: false,
        })
    }

    /// A table that says in which of some directions a cell lies from another.
    pub fn between(&mut self, ways: Directions) -> TableId {
        // Where all of them part, one table tells for all.
        let among = match self.rays_part {
            true => Directions::range(self.program.board.directions()),
            false => ways,
        };
        self.table(&format!("between {}", among.0), |p| {
            between(&p.board, among)
        })
    }

    /// One after the other of the cells that are seen, with the direction.
    fn each_seen(
        &mut self,
        m: &Match<'p>,
        sight: &Sight,
        (from, seen): (V, SV),
        ways: V,
        mut env: Env,
        cx: Cx,
    ) {
        let cell = self.f.word();
        let to = V::R(cell);
        self.f.open();
        self.scope(|l| {
            let table = l.between(match ways {
                V::K(ways) => Directions(ways),
                V::R(_) => l.all_ways(m.picture),
            });
            let row = V::K(l.program.board.len() as u64);
            let at = l.f.bin(Bin::Mul, from, row);
            let at = l.f.bin(Bin::Add, at, to);
            let way = l.f.table(&l.tables, table, at);
            l.f.open();
            env.on_ray(to);
            let choice = Self::choice_of(m, from, to, way);
            l.remember(choice, &mut env, cx);
            if let Some(slot) = sight.way {
                let word = l.f.bin(Bin::Add, way, YES);
                l.put(slot, Bind::Word(word), &mut env);
            }
            if let Some((_, slot)) = sight.to {
                env.know(to, m.facts[2]);
                l.put(slot, Bind::Cell(to), &mut env);
                let word = l.f.bin(Bin::Add, to, YES);
                l.note_path(word, &mut env, cx);
            }
            l.go(m.then, false, env, cx);
            let body = l.f.close();
            let allowed = match ways {
                V::K(_) => YES,
                V::R(_) => {
                    let from_here = l.f.bin(Bin::Shr, ways, way);
                    l.f.bin(Bin::And, from_here, YES)
                }
            };
            l.f.when(allowed, body);
        });
        let body = self.f.close();
        let s = self.f.sreg(seen);
        self.f.push(Stmt::ForCells(cell, s, body));
    }

    /// The cells that are seen from a cell over open ones: the open ones and the first that is not; with bounds those of them
    /// that are so far away.
    fn seen_from(&mut self, from: V, ways: Directions, sight: &Sight) -> SV {
        let (low, high) = sight.bounds;
        if high.is_some_and(|high| high < low) {
            return NONE;
        }
        // Rays that are cut off where the furthest cell lies, and what is too near left out.
        let rays = match high {
            None => self.rows("beyond", |p| beyond(&p.board)),
            Some(high) => self.rows(&format!("within {high}"), |p| {
                window(&p.board, (0, Some(high)))
            }),
        };
        let far = (low > 0)
            .then(|| self.rows(&format!("behind {low}"), |p| window(&p.board, (low, None))));
        let board = &self.program.board;
        let mut all = NONE;
        for d in ways.iter() {
            let first = V::K((d.index() * board.len()) as u64);
            let at = self.f.bin(Bin::Add, from, first);
            let ray = self.f.row(rays, at);
            let stops = self.f.without(&mut self.fixed, ray, sight.open);
            let (ray, stops) = (self.f.sreg(ray), self.f.sreg(stops));
            let near = if board.cells().iter().any(|c| board.step(c, d) > Some(c)) {
                Set::UpTo(ray, stops)
            } else {
                Set::DownTo(ray, stops)
            };
            let mut near = self.f.make_set(near);
            if let Some(far) = far {
                let far = self.f.row(far, at);
                near = self.f.and(&mut self.fixed, near, far);
            }
            all = self.f.or(&mut self.fixed, all, near);
        }
        all
    }
}
