//! Pictures that begin with a run: all matches of the same lengths are found at once, as the set of their last cells, which is
//! moved on square by square. The last cells tell the matches, see `told_by_end`.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{ALL, NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Label, S, Set, ShiftId, Stmt, W, Word};
use crate::program::{Count, Num, Square, num_vars};

/// A direction that all matches are followed along.
struct Lane<'m, 'p> {
    m: &'m Match<'p>,
    /// The direction.
    way: u8,
    /// Moves every cell to the next one.
    on: ShiftId,
    /// Moves every cell to the one before.
    back: ShiftId,
}

/// A run along a lane.
struct Stretch {
    /// Its cells.
    class: SV,
    /// The least cells that it may have, and the most.
    bounds: (V, Option<V>),
    /// Where the next cell of each match would be.
    next: S,
    /// How many cells it has before that.
    length: W,
    /// The loop along it.
    label: Label,
}

impl<'p> Lowerer<'p> {
    /// Takes down every match of a picture, all of the same lengths at once. False when that cannot be done; then nothing is
    /// written.
    pub fn lanes(&mut self, m: &mut Match<'p>, ways: V, env: &Env, cx: Cx) -> bool {
        let V::K(ways) = ways else { return false };
        if !self.is_laned(m, cx) {
            return false;
        }
        self.span_asked = false;
        let logged = self.f.logged;
        self.f.open();
        for d in Directions(ways).iter() {
            let shifts = (self.shift_id(d.0, false), self.shift_id(d.0, true));
            let (Some(on), Some(back)) = shifts else {
                self.span_asked = true;
                continue;
            };
            let mut env = env.clone();
            self.note_path(V::K(u64::from(d.0) + 1), &mut env, cx);
            m.way = V::K(u64::from(d.0));
            if !ways.is_power_of_two() {
                // A word, since there are others: texts must tell it.
                let way = self.f.word();
                self.let_word(way, m.way);
                m.way = V::R(way);
            }
            if let Some(slot) = m.picture.way.and_then(|v| self.slot_of(v, 0)) {
                let word = self.f.bin(Bin::Add, m.way, YES);
                self.put(slot, Bind::Word(word), &mut env);
            }
            env.ray.clear();
            env.match_cells.clear();
            let way = d.0;
            let lane = Lane { m, way, on, back };
            self.follow(&lane, ALL, &[], env, cx);
        }
        let body = self.f.close();
        let written = !self.span_asked && self.f.logged == logged;
        if written {
            self.f.when(YES, body);
        }
        written
    }

    /// Whether a picture can be matched so: nothing is asked of single matches, and no run could end sooner than it must.
    fn is_laned(&self, m: &Match<'p>, cx: Cx) -> bool {
        let free = |n: &Num| {
            let reads = num_vars(n).reads;
            !reads.iter().any(|v| {
                (0..m.picture.squares.len()).any(|at| Self::bound_at(m.picture, at) == Some(*v))
            })
        };
        let fits = |(index, square): (usize, &Square)| {
            let Square::Cells { count, .. } = square else {
                return false;
            };
            let bounds = match count {
                Count::Between(low, high) => free(low) && high.as_ref().is_none_or(free),
                Count::One | Count::New(_) => true,
            };
            let last = index + 1 == m.picture.squares.len();
            bounds && (last || *count == Count::One || Self::is_greedy(m, index))
        };
        let follows = match cx.mode {
            Mode::Candidates => self.is_free(m.then, cx),
            Mode::Count => self.requirements(m.then, cx).is_some(),
            _ => false,
        };
        follows
            && !cx.acted
            && !self.program.stacking
            && self.tells_end(m.picture)
            && m.classes.iter().all(Option::is_some)
            && m.picture.squares.iter().enumerate().all(fits)
    }

    /// The squares behind those that have lengths; `cursor` is where the next one begins.
    fn follow(
        &mut self,
        lane: &Lane<'_, 'p>,
        cursor: SV,
        lengths: &[(V, bool)],
        mut env: Env,
        cx: Cx,
    ) {
        let index = lengths.len();
        let (Square::Cells { count, whole, .. }, Some(class)) =
            (&lane.m.picture.squares[index], lane.m.classes[index])
        else {
            return;
        };
        let last = index + 1 == lane.m.picture.squares.len();
        let cursor = if *whole {
            let before = self.f.shift(class, lane.on);
            self.f.without(&mut self.fixed, cursor, before)
        } else {
            cursor
        };
        if *count == Count::One {
            let here = self.f.and(&mut self.fixed, cursor, class);
            let lengths = [lengths, &[(YES, false)]].concat();
            if last {
                return self.take_ends(lane, here, &lengths, env, cx);
            }
            let next = self.f.shift(here, lane.on);
            return self.go_on(lane, next, &lengths, env, cx);
        }
        let (low, high) = self.bounds(count, &mut env, cx);
        let room = high.map_or(YES, |high| self.f.bin(Bin::AtMost, low, high));
        self.f.open();
        let stretch = Stretch {
            class,
            bounds: (low, high),
            next: self.f.set(),
            length: self.f.word(),
            label: self.f.label(),
        };
        // The first cell of a run that must have one is not asked whether the run ends before it.
        let (begin, length) = if Self::has_one(count) && !last {
            let here = self.f.and(&mut self.fixed, cursor, class);
            (self.f.shift(here, lane.on), 1)
        } else {
            (cursor, 0)
        };
        let begin = self.f.sreg(begin);
        self.f.push(Stmt::LetSet(stretch.next, Set::Copy(begin)));
        self.f.push(Stmt::Let(stretch.length, Word::Const(length)));
        let ends_before = last && *whole;
        let stops = ends_before.then(|| self.f.shift(class, lane.back));
        self.f.open();
        if last {
            self.last_stretch(lane, &stretch, stops, lengths, env, cx);
        } else {
            self.stretch(lane, &stretch, lengths, env, cx);
        }
        let body = self.f.close();
        self.f.push(Stmt::Loop(stretch.label, body));
        let body = self.f.close();
        self.f.when(room, body);
    }

    /// The rest of a picture, where there is any place for it.
    fn go_on(&mut self, lane: &Lane<'_, 'p>, next: SV, lengths: &[(V, bool)], env: Env, cx: Cx) {
        let some = self.f.some(&self.fixed, next);
        self.f.open();
        self.follow(lane, next, lengths, env, cx);
        let body = self.f.close();
        self.f.when(some, body);
    }

    /// One more cell of a run that something follows: where it has ended, the rest of the picture.
    fn stretch(
        &mut self,
        lane: &Lane<'_, 'p>,
        run: &Stretch,
        lengths: &[(V, bool)],
        env: Env,
        cx: Cx,
    ) {
        let index = lengths.len();
        let here = self.f.make_set(Set::Copy(run.next));
        let length = self.f.make(Word::Copy(run.length));
        let (low, _) = run.bounds;
        let mut inner = env;
        let mut fits = match low {
            V::K(0) => YES,
            _ => self.f.bin(Bin::AtMost, low, length),
        };
        if let Square::Cells { count, .. } = &lane.m.picture.squares[index]
            && matches!(count, Count::New(_))
        {
            self.give_letter(count, length, &mut inner);
            // It is begun with one cell.
            fits = self.later_bounds(lane.m, index, &mut inner, cx);
        }
        self.f.open();
        let ended = self.f.without(&mut self.fixed, here, run.class);
        let lengths = [lengths, &[(length, true)]].concat();
        self.go_on(lane, ended, &lengths, inner, cx);
        let body = self.f.close();
        self.f.when(fits, body);
        let inside = self.f.and(&mut self.fixed, here, run.class);
        let some = self.f.some(&self.fixed, inside);
        self.leave_unless(some, run.label);
        let longer = self.f.bin(Bin::Add, length, YES);
        self.lengthen(lane, run, (inside, length, longer));
    }

    /// Goes on to the next cell of a run, as long as it may become longer.
    fn lengthen(
        &mut self,
        lane: &Lane<'_, 'p>,
        run: &Stretch,
        (inside, length, longer): (SV, V, V),
    ) {
        if let (_, Some(high)) = run.bounds {
            let under = self.f.bin(Bin::Less, length, high);
            self.leave_unless(under, run.label);
        }
        self.let_word(run.length, longer);
        let next = self.f.shift(inside, lane.on);
        let next = self.f.sreg(next);
        self.f.push(Stmt::LetSet(run.next, Set::Copy(next)));
    }

    /// One more cell of the run at the end of a picture; every length that fits is a match, or with `stops` (cells behind which
    /// the run goes on) only the last one.
    fn last_stretch(
        &mut self,
        lane: &Lane<'_, 'p>,
        run: &Stretch,
        stops: Option<SV>,
        lengths: &[(V, bool)],
        mut env: Env,
        cx: Cx,
    ) {
        let here = self.f.make_set(Set::Copy(run.next));
        let before = self.f.make(Word::Copy(run.length));
        let (low, _) = run.bounds;
        let inside = self.f.and(&mut self.fixed, here, run.class);
        let some = self.f.some(&self.fixed, inside);
        self.leave_unless(some, run.label);
        let length = self.f.bin(Bin::Add, before, YES);
        let ended = match stops {
            Some(stops) => self.f.without(&mut self.fixed, inside, stops),
            None => inside,
        };
        let fits = match low {
            V::K(0 | 1) => YES,
            _ => self.f.bin(Bin::AtMost, low, length),
        };
        self.f.open();
        if let Square::Cells { count, .. } = &lane.m.picture.squares[lengths.len()] {
            self.give_letter(count, length, &mut env);
        }
        let lengths = [lengths, &[(length, true)]].concat();
        self.take_ends(lane, ended, &lengths, env, cx);
        let body = self.f.close();
        self.f.when(fits, body);
        self.lengthen(lane, run, (inside, length, length));
    }

    /// All matches of the same lengths, by their last cells.
    fn take_ends(
        &mut self,
        lane: &Lane<'_, 'p>,
        ends: SV,
        lengths: &[(V, bool)],
        mut env: Env,
        cx: Cx,
    ) {
        let mut ends = ends;
        if cx.mode == Mode::Count {
            let tests = self.requirements(lane.m.then, cx).unwrap_or_default();
            let surely = self.surely(lane.m, lane.way, &tests, &mut env, cx);
            let others = self.f.without(&mut self.fixed, ends, surely);
            self.one_by_one(lane, others, lengths, env.clone(), cx);
            ends = self.f.and(&mut self.fixed, ends, surely);
            env.proven.extend(tests.into_iter().map(|(pc, _)| pc.0));
        }
        if ends == NONE {
            return;
        }
        // The cells stand for those of each match; nothing may be asked of them.
        let starts: Vec<V> = lengths.iter().map(|_| V::R(self.f.word())).collect();
        for start in &starts {
            if let V::R(w) = start {
                self.let_word(*w, NO);
            }
        }
        let m = lane.m;
        let runs = self.place_match(m, &starts, lengths, &mut env);
        for length in runs.into_iter().flatten() {
            self.note_path(length, &mut env, cx);
        }
        env.ends = Some((ends, self.f.depth()));
        self.squares(m, lengths.len(), CellV::Maybe(NO), env, cx);
    }

    /// Gives what a match binds; the lengths of its runs.
    fn place_match(
        &mut self,
        m: &Match<'p>,
        starts: &[V],
        lengths: &[(V, bool)],
        env: &mut Env,
    ) -> Vec<Option<V>> {
        let runs: Vec<Option<V>> = lengths.iter().map(|(l, run)| run.then_some(*l)).collect();
        for (index, (start, length)) in starts.iter().zip(&runs).enumerate() {
            let open = length.is_some() && !Self::has_one_length(m, index);
            env.match_cells.push((*start, *length, open));
        }
        self.place_squares((m.picture, &m.facts), m.way, starts, &runs, env);
        runs
    }

    /// Each match of the same lengths by itself, by its last cell.
    fn one_by_one(
        &mut self,
        lane: &Lane<'_, 'p>,
        ends: SV,
        lengths: &[(V, bool)],
        mut env: Env,
        cx: Cx,
    ) {
        if ends == NONE {
            return;
        }
        let m = lane.m;
        let end = self.f.word();
        self.f.open();
        let starts = self.starts_of_end(m.way, V::R(end), lengths);
        self.place_match(m, &starts, lengths, &mut env);
        self.squares(m, lengths.len(), CellV::Maybe(NO), env, cx);
        let body = self.f.close();
        let ends = self.f.sreg(ends);
        self.f.push(Stmt::ForCells(end, ends, body));
    }
}
