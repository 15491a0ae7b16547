//! Pictures that begin with a run: all matches of the same lengths are found at once, as the set of their last cells, which is
//! moved on square by square. The last cells tell the matches, see `told_by_end`. Pictures that begin alike are followed abreast as
//! long as they do.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{ALL, NO, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::program::kernel::{Bin, Label, S, Set, ShiftId, Stmt, W, Word};
use crate::program::{Count, Square};

/// A picture that is followed.
#[derive(Clone)]
pub struct Thread<'p> {
    pub m: Match<'p>,
    pub env: Env,
    /// Words of the way that are noted when a match is found, since others are noted before.
    pub heads: Vec<V>,
    /// The lengths of the squares so far, and which of them are runs.
    pub lengths: Vec<(V, bool)>,
    /// Whether it can still match.
    live: V,
}

impl<'p> Thread<'p> {
    pub fn new(m: Match<'p>, env: Env, heads: Vec<V>) -> Thread<'p> {
        Thread {
            m,
            env,
            heads,
            lengths: Vec::new(),
            live: YES,
        }
    }

    /// The next square: how many cells, whether all of a run, and their class.
    fn square(&self) -> Option<(&'p Count, bool, SV)> {
        let index = self.lengths.len();
        match &self.m.picture.squares[index] {
            Square::Cells { count, whole, .. } => Some((count, *whole, self.m.classes[index]?)),
            Square::Edge => None,
        }
    }

    fn is_last(&self) -> bool {
        self.lengths.len() + 1 == self.m.picture.squares.len()
    }

    /// Behind one more square.
    fn with(mut self, length: V, run: bool) -> Thread<'p> {
        self.lengths.push((length, run));
        self
    }
}

/// A direction that all matches are followed along.
struct Lane {
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
    /// Where the next cell of each match would be.
    next: S,
    /// How many cells it has before that.
    length: W,
    /// How many it had at first.
    begun: u64,
    /// The loop along it.
    label: Label,
}

/// A picture that is at a run, and the least and the most cells of that.
struct Runner<'p> {
    thread: Thread<'p>,
    low: V,
    high: Option<V>,
}

impl<'p> Lowerer<'p> {
    /// Takes down every match of some pictures that can be matched so, all of the same lengths at once. False when that cannot be done; then nothing is
    /// written.
    pub fn lanes(&mut self, all: &[Thread<'p>], ways: V, cx: Cx) -> bool {
        let V::K(ways) = ways else { return false };
        self.span_asked = false;
        let logged = self.f.logged;
        let fronts = self.fronts_of(all, cx);
        self.f.open();
        for d in Directions(ways).iter() {
            let shifts = (self.shift_id(d.0, false), self.shift_id(d.0, true));
            let (Some(on), Some(back)) = shifts else {
                self.span_asked = true;
                continue;
            };
            // Where only fronts are listed, one direction is written all the same, and thrown away: what it leaves unasked and in doubt holds
            // for the fronts as well.
            if fronts.is_some() && Directions(ways).iter().next() != Some(d) {
                continue;
            }
            let mut threads = all.to_vec();
            let alone = threads.len() == 1;
            for t in &mut threads {
                let word = V::K(u64::from(d.0) + 1);
                if alone {
                    self.note_path(word, &mut t.env, cx);
                } else {
                    t.heads.push(word);
                }
                t.m.way = V::K(u64::from(d.0));
                if !ways.is_power_of_two() {
                    // A word, since there are others: texts must tell it.
                    let way = self.f.word();
                    self.let_word(way, t.m.way);
                    t.m.way = V::R(way);
                }
                if let Some(slot) = t.m.picture.way.and_then(|v| self.slot_of(v, 0)) {
                    let word = self.f.bin(Bin::Add, t.m.way, YES);
                    // A text may tell the direction by the name that the picture gives it.
                    t.m.word = Some(word);
                    self.put(slot, Bind::Word(word), &mut t.env);
                }
                t.env.begin_ray();
                t.env.match_cells.clear();
            }
            let way = d.0;
            self.follow(&Lane { way, on, back }, ALL, threads, cx);
        }
        let body = self.f.close();
        let written = !self.span_asked && self.f.logged == logged;
        self.counts_lanes |= written && cx.mode == Mode::Count;
        match fronts {
            Some(fronts) if written => self.list_fronts(&fronts, all, Directions(ways)),
            None if written => self.f.when(YES, body),
            _ => {}
        }
        written
    }

    /// The next squares of some pictures; `cursor` is where they begin. Those that are alike are followed abreast.
    fn follow(&mut self, lane: &Lane, cursor: SV, threads: Vec<Thread<'p>>, cx: Cx) {
        let mut left = threads;
        while let Some(first) = left.first() {
            let Some((count, whole, class)) = first.square() else {
                return;
            };
            let is_alike = |t: &Thread<'p>| {
                let one = |count: &Count| *count == Count::One;
                (t.square()).is_some_and(|(other, w, c)| {
                    (w, c) == (whole, class) && !one(other) && !one(count)
                })
            };
            let (mut alike, mut others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_alike);
            if alike.is_empty() {
                alike.push(others.remove(0));
            }
            left = others;
            let cursor = if whole {
                let before = self.f.shift(class, lane.on);
                self.f.without(&mut self.fixed, cursor, before)
            } else {
                cursor
            };
            if *count == Count::One {
                alike
                    .into_iter()
                    .for_each(|t| self.one_cell(lane, cursor, t, cx));
            } else {
                self.runs(lane, cursor, (whole, class), alike, cx);
            }
        }
    }

    /// A square of one cell.
    fn one_cell(&mut self, lane: &Lane, cursor: SV, mut thread: Thread<'p>, cx: Cx) {
        let Some((_, _, class)) = thread.square() else {
            return;
        };
        let live = std::mem::replace(&mut thread.live, YES);
        self.f.open();
        let here = self.f.and(&mut self.fixed, cursor, class);
        let last = thread.is_last();
        let thread = thread.with(YES, false);
        if last {
            self.take_ends(lane.way, here, thread, cx);
        } else {
            let next = self.f.shift(here, lane.on);
            self.go_on(lane, next, vec![thread], cx);
        }
        let body = self.f.close();
        self.f.when(live, body);
    }

    /// The rest of some pictures, where there is any place for it.
    fn go_on(&mut self, lane: &Lane, next: SV, threads: Vec<Thread<'p>>, cx: Cx) {
        let some = self.f.some(&self.fixed, next);
        self.f.open();
        self.follow(lane, next, threads, cx);
        let body = self.f.close();
        self.f.when(some, body);
    }

    /// Runs of the same cells.
    fn runs(
        &mut self,
        lane: &Lane,
        cursor: SV,
        (whole, class): (bool, SV),
        threads: Vec<Thread<'p>>,
        cx: Cx,
    ) {
        let (mut all, mut enters) = (Vec::new(), NO);
        for mut thread in threads {
            let Some((count, ..)) = thread.square() else {
                return;
            };
            let (low, high) = self.bounds(count, &mut thread.env, cx);
            let room = high.map_or(YES, |high| self.f.bin(Bin::AtMost, low, high));
            thread.live = self.f.both(thread.live, room);
            enters = self.f.either(enters, thread.live);
            all.push(Runner { thread, low, high });
        }
        self.f.open();
        if let [only] = all.as_mut_slice() {
            only.thread.live = YES;
        } else {
            all.iter_mut().for_each(|r| self.bound(r));
        }
        // The first cell of runs that must have one is not asked whether the run ends before it.
        let sure = |r: &Runner<'p>| {
            let square = r.thread.square();
            square.is_some_and(|(count, ..)| Self::has_one(count)) && !r.thread.is_last()
        };
        let begun = u64::from(all.iter().all(sure));
        let run = Stretch {
            class,
            next: self.f.set(),
            length: self.f.word(),
            begun,
            label: self.f.label(),
        };
        let begin = if begun == 1 {
            let here = self.f.and(&mut self.fixed, cursor, class);
            self.f.shift(here, lane.on)
        } else {
            cursor
        };
        let begin = self.f.sreg(begin);
        self.f.push(Stmt::LetSet(run.next, Set::Copy(begin)));
        self.f.push(Stmt::Let(run.length, Word::Const(begun)));
        let stops = all.iter().any(|r| r.thread.is_last()) && whole;
        let stops = stops.then(|| self.f.shift(class, lane.back));
        let most = self.most_before(&all);
        self.f.open();
        self.one_more(lane, (&run, most), stops, &all, cx);
        let body = self.f.close();
        self.f.push(Stmt::Loop(run.label, body));
        let body = self.f.close();
        self.f.when(enters, body);
    }

    /// A run that cannot be one has fewer cells than none.
    fn bound(&mut self, r: &mut Runner<'p>) {
        let live = std::mem::replace(&mut r.thread.live, YES);
        if let Some(high) = r.high {
            r.high = Some(self.f.select(live, high, V::K(u64::MAX)));
        } else {
            r.thread.live = live;
        }
    }

    /// With so many cells and more, no run goes on; of those that end a picture one cell more is looked at.
    fn most_before(&mut self, all: &[Runner<'p>]) -> Option<V> {
        let only_last = all.iter().all(|r| r.thread.is_last());
        let mut most: Option<V> = None;
        for r in all {
            let mut high = r.high?;
            if r.thread.is_last() && !only_last {
                high = self.f.bin(Bin::Sub, high, YES);
            }
            most = Some(match most {
                Some(most) => self.f.bin(Bin::Larger, most, high),
                None => high,
            });
        }
        most
    }

    /// One more cell of a run. Where it has ended, the rest of the pictures that go on behind it; of those that end with it every
    /// length that fits is a match, or with `stops` (cells behind which the run goes on) only the last one.
    fn one_more(
        &mut self,
        lane: &Lane,
        (run, most): (&Stretch, Option<V>),
        stops: Option<SV>,
        all: &[Runner<'p>],
        cx: Cx,
    ) {
        let here = self.f.make_set(Set::Copy(run.next));
        let length = self.f.make(Word::Copy(run.length));
        let several = all.len() > 1;
        let mut behind = Vec::new();
        let mut any = NO;
        for r in all.iter().filter(|r| !r.thread.is_last()) {
            let mut thread = r.thread.clone();
            let fits = self.may_end(run, r, (length, several), &mut thread, cx);
            any = self.f.either(any, fits);
            thread.live = if several { fits } else { YES };
            behind.push(thread.with(length, true));
        }
        if !behind.is_empty() {
            self.f.open();
            let ended = self.f.without(&mut self.fixed, here, run.class);
            self.go_on(lane, ended, behind, cx);
            let body = self.f.close();
            self.f.when(any, body);
        }
        let inside = self.f.and(&mut self.fixed, here, run.class);
        let some = self.f.some(&self.fixed, inside);
        self.leave_unless(some, run.label);
        let longer = self.f.bin(Bin::Add, length, YES);
        for r in all.iter().filter(|r| r.thread.is_last()) {
            let ended = match stops {
                Some(stops) => self.f.without(&mut self.fixed, inside, stops),
                None => inside,
            };
            let mut fits = match r.low {
                V::K(0 | 1) => r.thread.live,
                low => {
                    let enough = self.f.bin(Bin::AtMost, low, longer);
                    self.f.both(r.thread.live, enough)
                }
            };
            if let (true, Some(high)) = (several, r.high) {
                let under = self.f.bin(Bin::AtMost, longer, high);
                fits = self.f.both(fits, under);
            }
            self.f.open();
            let mut thread = r.thread.clone();
            if let Some((count, ..)) = thread.square() {
                self.give_letter(count, longer, &mut thread.env);
            }
            self.take_ends(lane.way, ended, thread.with(longer, true), cx);
            let body = self.f.close();
            self.f.when(fits, body);
        }
        if let Some(most) = most {
            // How many cells there are of those that end with the run is already one more.
            let only_last = all.iter().all(|r| r.thread.is_last());
            let so_far = if only_last { longer } else { length };
            let further = self.f.bin(Bin::Less, so_far, most);
            self.leave_unless(further, run.label);
        }
        self.let_word(run.length, longer);
        let next = self.f.shift(inside, lane.on);
        let next = self.f.sreg(next);
        self.f.push(Stmt::LetSet(run.next, Set::Copy(next)));
    }

    /// Whether a run of so many cells may be followed by the next square.
    fn may_end(
        &mut self,
        run: &Stretch,
        r: &Runner<'p>,
        (length, several): (V, bool),
        thread: &mut Thread<'p>,
        cx: Cx,
    ) -> V {
        let mut fits = match r.low {
            V::K(0) => YES,
            low => self.f.bin(Bin::AtMost, low, length),
        };
        if let Some((count @ Count::New(_), ..)) = thread.square() {
            self.give_letter(count, length, &mut thread.env);
            let index = thread.lengths.len();
            let later = self.later_bounds(&thread.m, index, &mut thread.env, cx);
            // It is begun with one cell, as a rule.
            fits = if run.begun == 1 {
                later
            } else {
                self.f.both(fits, later)
            };
        }
        if several {
            if let Some(high) = r.high {
                let under = self.f.bin(Bin::AtMost, length, high);
                fits = self.f.both(fits, under);
            }
            fits = self.f.both(thread.live, fits);
        }
        fits
    }
}
