//! Runs of cells: step by step, or ended by one look at all cells of the ray.

use crate::board::{Board, Cell, Cells, Direction, Directions};
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::pictures::Match;
use crate::program::kernel::{Bin, Label, NARROW, Stmt, W, Word};
use crate::program::{Count, Square};

/// Whether along every direction the numbers of the cells only grow, or only fall.
pub fn rays_ordered(board: &Board) -> bool {
    (0..board.directions()).all(|d| {
        let d = Direction(d as u8);
        let grows = |c: Cell| board.step(c, d).map(|n| n > c);
        let mut all = board.cells().iter().filter_map(grows);
        all.next().is_none_or(|first| all.all(|next| next == first))
    })
}

/// For each direction, and for no cell and each cell, the cells of the ray from it on.
fn rays(board: &Board) -> Vec<Cells> {
    let ways = (0..board.directions()).map(|d| Direction(d as u8));
    ways.flat_map(|d| {
        let cells = (0..board.len()).map(|c| Some(Cell(c as u16)));
        let firsts = std::iter::once(None).chain(cells);
        firsts.map(move |first| ray(board, first, d))
    })
    .collect()
}

/// The cells of a ray from its first one on; it must not come back to where it began.
pub fn ray(board: &Board, first: Option<Cell>, way: Direction) -> Cells {
    std::iter::successors(first, |c| board.step(*c, way)).collect()
}

/// A run that is being matched.
pub struct Ray {
    /// How many cells it has.
    pub length: W,
    /// The next cell, counted from 1, or 0.
    pub current: W,
    /// The loop along it.
    pub label: Label,
}

/// Whether some ray comes back to where it began.
pub fn rays_return(board: &Board) -> bool {
    (0..board.directions()).any(|d| {
        let d = Direction(d as u8);
        board.cells().iter().any(|c| {
            let mut next = board.step(c, d);
            for _ in 0..board.len() {
                match next {
                    Some(n) if n == c => return true,
                    Some(n) => next = board.step(n, d),
                    None => return false,
                }
            }
            next.is_some()
        })
    })
}

impl Lowerer<'_> {
    /// Whether the end of a run is found by [`Lowerer::run_end`]: wider sets cost more than a few steps.
    pub fn sees_rays(&self) -> bool {
        self.rays_ordered && !self.returns && self.program.layout.words <= NARROW
    }

    /// The run of a set along a direction, from a cell counted from 1: its length, and the cell behind it counted from 1; 0 for
    /// none.
    pub fn run_end(&mut self, first: V, set: SV, way: V) -> (V, V) {
        let stride = self.program.board.len() as u64 + 1;
        let cells = self.rows("rays", |p| rays(&p.board));
        let lengths = self.table("rays", |p| {
            let counts = rays(&p.board).into_iter().map(|r| r.len() as u64);
            counts.collect()
        });
        let up = self.table("up", |p| {
            let ways = (0..p.board.directions()).map(|d| Direction(d as u8));
            let grows = |d| p.board.cells().iter().any(|c| p.board.step(c, d) > Some(c));
            ways.map(|d| u64::from(grows(d))).collect()
        });
        let base = self.f.bin(Bin::Mul, way, V::K(stride));
        let at = self.f.bin(Bin::Add, base, first);
        let ray = self.f.row(cells, at);
        let stops = self.f.without(&mut self.fixed, ray, set);
        let some = self.f.some(&self.fixed, stops);
        let any = self.fix(&Cells::single(Cell(0)));
        let sure = self.f.select_set(some, stops, any);
        let sure = self.f.sreg(sure);
        let up = self.f.table(&self.tables, up, way);
        let stop = match up {
            V::K(0) => self.f.make(Word::Last(sure)),
            V::K(_) => self.f.make(Word::First(sure)),
            V::R(up) if self.program.layout.words == 1 => {
                let (low, high) = (
                    self.f.make(Word::First(sure)),
                    self.f.make(Word::Last(sure)),
                );
                self.f.select(V::R(up), low, high)
            }
            V::R(up) => {
                // Which of the two is the same for many runs, one after the other.
                let stop = self.f.word();
                let low = vec![Stmt::Let(stop, Word::First(sure))];
                let high = vec![Stmt::Let(stop, Word::Last(sure))];
                self.f.push(Stmt::If(up, low, high));
                V::R(stop)
            }
        };
        let next = self.f.bin(Bin::Add, stop, V::K(1));
        let next = self.f.select(some, next, NO);
        let all = self.f.table(&self.tables, lengths, at);
        let behind = self.f.bin(Bin::Add, base, next);
        let behind = self.f.table(&self.tables, lengths, behind);
        (self.f.bin(Bin::Sub, all, behind), next)
    }

    /// Whether nothing of a run's class can stand before the run, since a cell of the square before it does, which excludes it.
    pub fn surely_begins(&self, m: &Match<'_>, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let one = matches!(
            m.picture.squares[before],
            Square::Cells {
                count: Count::One,
                ..
            }
        );
        let all = Directions::range(self.program.board.directions());
        one && m.facts[before].excludes(m.facts[index]) && self.leads_back(all)
    }

    /// Whether nothing of the set stands before the run.
    pub fn begins(&mut self, first: V, set: SV, way: V) -> V {
        let back = self.opposites();
        let dir = self.f.bin(Bin::Add, way, YES);
        let back = self.f.table(&self.tables, back, dir);
        let (safe_way, has_back) = self.safe(back);
        let (safe, there) = self.safe(first);
        let before = self.step(safe, safe_way);
        let before = self.f.select(there, before, NO);
        let before = self.f.select(has_back, before, NO);
        let (cell, some) = self.safe(before);
        let has = self.f.has(&self.fixed, set, cell);
        let longer = self.f.select(some, has, NO);
        self.f.not(longer)
    }

    pub fn goes_on(&mut self, ray: &Ray, set: SV) -> V {
        let (safe, there) = self.safe(V::R(ray.current));
        let has = self.f.has(&self.fixed, set, safe);
        let there = self.f.bin(Bin::Differ, there, NO);
        self.f.both(has, there)
    }

    pub fn leave_unless(&mut self, v: V, label: Label) {
        let over = self.f.not(v);
        self.f.open();
        self.f.push(Stmt::Leave(label));
        let body = self.f.close();
        self.f.when(over, body);
    }

    pub fn advance_ray(&mut self, ray: &Ray, first: V, way: V) {
        let longer = self.f.bin(Bin::Add, V::R(ray.length), YES);
        let longer = self.f.reg(longer);
        self.f.push(Stmt::Let(ray.length, Word::Copy(longer)));
        let c = self.f.bin(Bin::Sub, V::R(ray.current), YES);
        let mut next = self.step(c, way);
        if self.returns {
            // On a board that wraps, a ray comes back to where it began.
            let round = self.f.bin(Bin::Equal, next, first);
            next = self.f.select(round, NO, next);
        }
        let next = self.f.reg(next);
        self.f.push(Stmt::Let(ray.current, Word::Copy(next)));
    }
}
