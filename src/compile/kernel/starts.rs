//! The cells at which matches of a picture can begin, found for the whole board before one after the other is tried.

use crate::board::{Direction, Directions};
use crate::compile::kernel::along::asks_way;
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::sight::SMALL;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Set, Stmt};
use crate::program::{Cells, Count, Num, Op, Square};

/// So many cells of a run are looked for at most.
const MOST_OF_RUN: usize = 6;

impl<'p> Lowerer<'p> {
    /// The cells at which a match can begin.
    pub fn starts(&mut self, m: &mut Match<'p>, ways: Directions) -> SV {
        let at_least_one = |count: &Count| match count {
            Count::One | Count::New(_) => true,
            Count::Between(low, _) => matches!(low, Num::Const(n) if *n > 0),
        };
        let first = match m.picture.squares.first() {
            Some(Square::Cells {
                fixed: true, count, ..
            }) if at_least_one(count) => m.classes[0],
            _ => None,
        };
        let Some(first) = first else {
            return ALL;
        };
        // The classes of the first cells, as far as each square is one cell; behind them the first cells of a run.
        let (mut sets, mut ones) = (Vec::new(), 0);
        for (at, (square, class)) in m.picture.squares.iter().zip(&m.classes).enumerate() {
            let (Square::Cells { count, .. }, Some(class)) = (square, class) else {
                break;
            };
            if !at_least_one(count) {
                break;
            }
            sets.push(*class);
            if let Count::Between(Num::Const(low), _) = count {
                let more = usize::try_from(*low).unwrap_or(1).min(MOST_OF_RUN) - 1;
                sets.extend(std::iter::repeat_n(*class, more));
            }
            if *count != Count::One {
                sets.extend(self.second_of_run(m, at, *class));
                break;
            }
            ones += 1;
        }
        let ragged = ways.iter().any(|d| self.is_ragged(d.0, true));
        if sets.len() < 2 || ragged {
            m.proven = ones.min(1);
            return first;
        }
        m.proven = ones;
        if let V::K(d) = m.way {
            return self.shifted_starts(&sets, d as u8);
        }
        let found = self.f.set();
        let none = self.f.sreg(NONE);
        self.f.push(Stmt::LetSet(found, Set::Copy(none)));
        let mut bodies = Vec::new();
        let most = ways.iter().map(|d| d.index() + 1).max().unwrap_or(0);
        for d in 0..most {
            self.f.open();
            if ways.contains(Direction(d as u8)) {
                let set = self.shifted_starts(&sets, d as u8);
                let set = self.f.sreg(set);
                self.f.push(Stmt::LetSet(found, Set::Copy(set)));
            }
            bodies.push(self.f.close());
        }
        let w = self.f.reg(m.way);
        self.f.push(Stmt::Switch(w, bodies));
        SV::R(found)
    }

    /// Every match of a picture, direction by direction, where what is required behind it asks for the direction, which is known then.
    /// False where that is not so; then nothing is written.
    pub fn way_by_way(&mut self, m: &Match<'p>, ways: Directions, env: &Env, cx: Cx) -> bool {
        let asks = |way| match &self.program.code[m.then.0 as usize] {
            Op::Require(test, _) => asks_way(test, way),
            _ => false,
        };
        if !m.picture.way.is_some_and(asks) {
            return false;
        }
        for way in ways.iter() {
            let mut m = m.clone();
            m.way = V::K(u64::from(way.0));
            m.of_several = ways.len() > 1;
            self.along_way(&mut m, Directions::single(way), env.clone(), cx);
        }
        true
    }

    /// Every match of a picture that may begin on the same cells along all directions: the cells are gone through once, and the
    /// directions for each. False where that is not so, or where the order counts; then nothing is written.
    pub fn cells_first(
        &mut self,
        m: &mut Match<'p>,
        (ways, all): (V, Directions),
        env: &Env,
        cx: Cx,
    ) -> bool {
        let ragged = all.iter().any(|d| self.is_ragged(d.0, true));
        let one_cell = match (m.picture.squares.first(), m.classes.first()) {
            (
                Some(Square::Cells {
                    class: Cells::Single(_),
                    ..
                }),
                _,
            ) => true,
            (_, Some(Some(class))) => self.f.only_cell(*class).is_some(),
            _ => false,
        };
        if !ragged || one_cell || matches!(cx.mode, Mode::List | Mode::Any | Mode::Ahead) {
            return false;
        }
        if self.pairs_first(m, (ways, all), env, cx) {
            return true;
        }
        let starts = self.starts(m, all);
        let starts = self.f.sreg(starts);
        let cell = self.f.word();
        let mut env = env.clone();
        self.f.open();
        let seconds = self.seconds(m, ways).map(|class| {
            let near = self.beside_cell(V::R(cell), all);
            let near = self.f.and(&mut self.fixed, near, class);
            (self.f.word(), self.f.sreg(near))
        });
        self.f.open();
        if let Some((second, _)) = seconds {
            m.way = self.way_to(V::R(cell), V::R(second));
            m.two = Some((V::R(cell), V::R(second)));
            m.proven = 2;
        } else {
            m.way = V::R(self.f.word());
        }
        self.give_way(m, &mut env, cx);
        env.begin_ray();
        env.match_cells.clear();
        self.scope(|l| l.squares(m, 0, CellV::Known(V::R(cell)), env, cx));
        let body = self.f.close();
        match (seconds, m.way) {
            (Some((second, near)), _) => self.f.push(Stmt::ForCells(second, near, body)),
            (None, V::R(way)) => {
                let ways = self.f.reg(ways);
                self.f.push(Stmt::ForBits(way, ways, body));
            }
            (None, V::K(_)) => {}
        }
        let body = self.f.close();
        self.f.push(Stmt::ForCells(cell, starts, body));
        true
    }

    /// Every match of a picture whose first two cells are of one set: neighbours in it are found for each two opposite directions at
    /// once, and each two of them begin a match both ways. False where that is not so; then nothing is written.
    fn pairs_first(
        &mut self,
        m: &Match<'p>,
        (ways, all): (V, Directions),
        env: &Env,
        cx: Cx,
    ) -> bool {
        let class = self
            .seconds(m, ways)
            .filter(|class| m.classes[0] == Some(*class));
        let (Some(class), Some(axes)) = (class, self.axes(all)) else {
            return false;
        };
        for (way, back) in axes {
            let starts = self.shifted_starts(&[class, class], way.0);
            let starts = self.f.sreg(starts);
            let cell = self.f.word();
            self.f.open();
            let next = self.step(V::R(cell), V::K(u64::from(way.0)));
            let next = self.f.bin(Bin::Sub, next, YES);
            for (first, second, way) in [(V::R(cell), next, way), (next, V::R(cell), back)] {
                let (mut m, mut env) = (m.clone(), env.clone());
                m.way = V::K(u64::from(way.0));
                m.of_several = true;
                m.two = Some((first, second));
                m.proven = 2;
                self.give_way(&m, &mut env, cx);
                env.begin_ray();
                env.match_cells.clear();
                self.scope(|l| l.squares(&m, 0, CellV::Known(first), env, cx));
            }
            let body = self.f.close();
            self.f.push(Stmt::ForCells(cell, starts, body));
        }
        true
    }

    /// Directions by twos, each with the one that leads back.
    fn axes(&self, all: Directions) -> Option<Vec<(Direction, Direction)>> {
        let board = &self.program.board;
        let back = |d: Direction| {
            let there = |o: &Direction| {
                all.contains(*o)
                    && board.cells().iter().all(|c| {
                        let next = board.step(c, d);
                        next.is_none_or(|next| board.step(next, *o) == Some(c))
                    })
            };
            board.opposite(d).filter(there)
        };
        let backs: Option<Vec<_>> = all.iter().map(|d| Some((d, back(d)?))).collect();
        let axes = backs?.into_iter().filter(|(d, back)| d.0 < back.0);
        Some(axes.collect())
    }

    /// What the second cell of a picture must be, when it may be looked for among the cells beside the first: along directions that are
    /// fixed, each of which comes to another cell.
    fn seconds(&self, m: &Match<'p>, ways: V) -> Option<SV> {
        let one = |at: usize| match m.picture.squares.get(at) {
            Some(Square::Cells {
                count: Count::One, ..
            }) => m.classes[at],
            _ => None,
        };
        let told = match ways {
            V::K(ways) => !self.returns && self.part_along(Directions(ways)),
            V::R(_) => false,
        };
        let small = self.program.board.len() <= SMALL;
        one(0)?;
        one(1).filter(|_| told && small)
    }

    pub fn shifted_starts(&mut self, sets: &[SV], way: u8) -> SV {
        let mut rest: Option<SV> = None;
        for set in sets.iter().rev() {
            rest = Some(match rest {
                None => *set,
                Some(rest) => {
                    let back = match self.shift_id(way, true) {
                        Some(id) => self.f.shift(rest, id),
                        None => ALL,
                    };
                    self.f.and(&mut self.fixed, *set, back)
                }
            });
        }
        rest.unwrap_or(ALL)
    }

    /// What the second cell of a run must be: in it as well, or in what may follow.
    pub fn second_of_run(&mut self, m: &Match<'p>, index: usize, class: SV) -> Option<SV> {
        let Square::Cells {
            count: Count::New(letter),
            ..
        } = &m.picture.squares[index]
        else {
            return None;
        };
        // A run of one leaves no room for a later one.
        let alone = m.picture.squares[index + 1..].iter().any(|s| match s {
            Square::Cells {
                count: Count::Between(Num::Const(low), Some(high)),
                ..
            } => *high == Num::arithmetic('-', Num::Var(*letter), Num::Const(1)) && *low > 0,
            Square::Cells { .. } | Square::Edge => false,
        });
        if alone {
            return Some(class);
        }
        let mut all = class;
        for (at, square) in m.picture.squares.iter().enumerate().skip(index + 1) {
            let (Square::Cells { count, .. }, Some(Some(class))) = (square, m.classes.get(at))
            else {
                return None;
            };
            all = self.f.or(&mut self.fixed, all, *class);
            if Self::has_one(count) {
                return Some(all);
            }
        }
        None
    }
}
