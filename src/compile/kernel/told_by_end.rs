//! Matches that are told by their direction, the lengths of their runs and their last cell: pictures that begin with a run, on
//! boards where a step along a direction is the same distance everywhere.

use crate::board::{Board, Direction};
use crate::compile::kernel::env::{Bind, Env, RunBind};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::Bin;
use crate::program::{Count, Picture, Square, VarId};
use std::rc::Rc;

/// For each direction how far apart the numbers of neighbours are, modulo 2^64, when that is the same all over the board.
pub fn strides(board: &Board) -> Option<Vec<u64>> {
    let of = |d: usize| {
        let d = Direction(d as u8);
        let far = |c| {
            let next = board.step(c, d)?;
            Some((next.index() as u64).wrapping_sub(c.index() as u64))
        };
        let mut all = board.cells().iter().filter_map(far);
        let first = all.next().unwrap_or(0);
        all.all(|next| next == first).then_some(first)
    };
    (0..board.directions()).map(of).collect()
}

impl<'p> Lowerer<'p> {
    /// Whether the way to a match of a picture is told by its direction, the lengths of its runs and its last cell.
    pub fn tells_end(&self, picture: &Picture) -> bool {
        let runs = |s: &Square| matches!(s, Square::Cells { count, .. } if *count != Count::One);
        let cells = |s: &Square| matches!(s, Square::Cells { .. });
        let some = |s: &Square| matches!(s, Square::Cells { count, .. } if Self::has_one(count));
        self.strides.is_some()
            && !self.returns
            && Self::notes_way(picture)
            && picture.squares.first().is_some_and(runs)
            && picture.squares.last().is_some_and(some)
            && picture.squares.iter().all(cells)
    }

    /// Notes what tells a match besides its direction, when all its squares are placed.
    pub fn note_end(&mut self, way: V, env: &mut Env, cx: Cx) {
        if !Self::notes_path(cx) {
            return;
        }
        let cells = env.match_cells.clone();
        for length in cells.iter().filter_map(|(_, length, _)| *length) {
            self.note_path(length, env, cx);
        }
        let Some((start, length, _)) = cells.last() else {
            return;
        };
        let stride = self.stride(way);
        let further = self.f.bin(Bin::Mul, length.unwrap_or(YES), stride);
        let behind = self.f.bin(Bin::Add, *start, further);
        let end = self.f.bin(Bin::Sub, behind, stride);
        let word = self.f.bin(Bin::Add, end, YES);
        self.note_path(word, env, cx);
    }

    /// How far apart the numbers of neighbours along a direction are, where that is the same all over the board.
    pub fn stride(&mut self, way: V) -> V {
        let table = self.table("strides", |p| strides(&p.board).unwrap_or_default());
        self.f.table(&self.tables, table, way)
    }

    /// The match that the way says, when it is told by its end.
    pub fn match_of_end(&mut self, picture: &'p Picture, facts: &[Fact], way: V, env: &mut Env) {
        let mut lengths = Vec::new();
        for square in &picture.squares {
            lengths.push(match square {
                Square::Cells { count, .. } if *count != Count::One => Some(self.read_path(env)),
                Square::Cells { .. } | Square::Edge => None,
            });
        }
        let end = self.read_path(env);
        let end = self.f.bin(Bin::Sub, end, YES);
        let all: Vec<(V, bool)> = lengths.iter().map(|l| (l.unwrap_or(YES), true)).collect();
        let starts = self.starts_of_end(way, end, &all);
        self.place_squares((picture, facts), way, &starts, &lengths, env);
    }

    /// Where the squares of a match begin, by its last cell and how many cells each has.
    pub fn starts_of_end(&mut self, way: V, end: V, lengths: &[(V, bool)]) -> Vec<V> {
        let stride = self.stride(way);
        let mut behind = self.f.bin(Bin::Add, end, stride);
        let mut starts = Vec::new();
        for (length, _) in lengths.iter().rev() {
            let cells = self.f.bin(Bin::Mul, *length, stride);
            behind = self.f.bin(Bin::Sub, behind, cells);
            starts.push(behind);
        }
        starts.reverse();
        starts
    }

    /// Gives what a picture binds: each square by its first cell and, if it is a run, how many it has.
    pub fn place_squares(
        &mut self,
        (picture, facts): (&'p Picture, &[Fact]),
        way: V,
        starts: &[V],
        lengths: &[Option<V>],
        env: &mut Env,
    ) {
        for (index, square) in picture.squares.iter().enumerate() {
            let Square::Cells { count, bind, .. } = square else {
                continue;
            };
            let (start, fact) = (starts[index], facts[index]);
            let slot = bind.and_then(|v| self.slot_of(v, 0));
            let Some(length) = lengths[index] else {
                env.on_ray(start);
                if let Some(slot) = slot {
                    env.know(start, fact);
                    self.put(slot, Bind::Cell(start), env);
                }
                continue;
            };
            if let Some(slot) = slot {
                let run = RunBind {
                    some: Self::has_one(count),
                    start,
                    way,
                    length,
                    fact,
                    next: [index + 1, index + 2].map(|at| Self::bound_at(picture, at)),
                };
                if !self.returns {
                    env.run_on_ray(start);
                }
                self.put(slot, Bind::Run(Rc::new(run)), env);
            }
            self.give_letter(count, length, env);
        }
    }

    /// Gives a letter its number.
    pub fn give_letter(&mut self, count: &Count, length: V, env: &mut Env) {
        if let Count::New(letter) = count
            && let Some(slot) = self.slot_of(*letter, 0)
        {
            self.put(slot, Bind::Word(length), env);
        }
    }

    /// The variable that a square binds.
    pub fn bound_at(picture: &Picture, index: usize) -> Option<VarId> {
        match picture.squares.get(index) {
            Some(Square::Cells { bind, .. }) => *bind,
            Some(Square::Edge) | None => None,
        }
    }
}
