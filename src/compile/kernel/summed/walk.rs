//! A way through the statements that play an action, ask the ends and count, for all cells of a set at once. Where cells tell what
//! comes next they part; those that cannot be followed are left over. What is written counts all others.

use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::summed::meeting::{Meeting, Reads};
use crate::compile::kernel::summed::state::{Around, Env, State};
use crate::compile::kernel::summed::values::{Many, Num, Read, Test};
use crate::compile::kernel::summed::writer::{Pointwise, Writer};
use crate::program::kernel::{Bin, Function, Label, Place, Room, S, Set, Stmt, Value, W, Word};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// So many statements are looked at.
const MOST_STEPS: usize = 3000;

/// So many are written.
const MOST_WRITTEN: usize = 1200;

/// So deep the bodies that are written stand in each other.
const DEEPEST: usize = 64;

/// So many calls are followed into each other.
const MOST_CALLS: u32 = 8;

/// So often a loop is gone through.
const ROUNDS: u32 = 2;

/// Walks through statements and writes what comes of them.
pub struct Walk<'k> {
    /// Where it is written.
    pub writer: Writer<'k>,
    /// The functions that are called.
    pub functions: &'k [Function],
    /// Where things are in memory.
    pub room: &'k Room,
    /// How many cells the board has.
    pub board: u32,
    /// What stands there is only kept so as not to be found again.
    pub answers: Range<u32>,
    /// The cells that are left over.
    pub rest: S,
    /// Where ways meet.
    pub meetings: Vec<Meeting<'k>>,
    /// What functions read.
    pub reads: FxHashMap<usize, Reads>,
    /// What is read behind statements.
    pub read_behind: FxHashMap<*const Stmt, Rc<[Value]>>,
    /// Whether some way comes to the end.
    pub useful: bool,
    /// How many statements were looked at.
    pub steps: usize,
    /// How many had been written at first.
    pub written: usize,
}

/// What a statement comes to.
enum Next<'k> {
    /// The way goes on.
    On(State<'k>),
    /// It is written to its end.
    Done,
}

impl<'k> Walk<'k> {
    /// Whether it would be too much to follow more.
    fn is_too_much(&self) -> bool {
        let f = &self.writer.f;
        self.steps > MOST_STEPS || f.written() - self.written > MOST_WRITTEN || f.depth() > DEEPEST
    }

    /// Goes on to the end.
    pub fn walk(&mut self, mut state: State<'k>) {
        loop {
            self.writer.cells = state.cells;
            if self.is_too_much() {
                self.left_over(&state);
                return;
            }
            let next = match state.code.split_first() {
                Some((stmt, rest)) => {
                    self.steps += 1;
                    let here = state.code;
                    state.code = rest;
                    self.statement(stmt, here, state)
                }
                None => self.end_of_body(state),
            };
            match next {
                Next::On(next) => state = next,
                Next::Done => return,
            }
        }
    }

    /// Goes on for some of the cells, which have something in common.
    pub fn with(&mut self, mut state: State<'k>, cells: SV, know: impl FnOnce(&mut Writer<'k>)) {
        let before = self.writer.cells;
        let some = self.writer.some_same(cells);
        if self.writer.truth(some) != Some(false) {
            self.writer.open();
            if let V::R(w) = some {
                self.writer.know_truth(w, true);
            }
            self.writer.know_side(cells, true);
            know(&mut self.writer);
            state.cells = cells;
            self.walk(state);
            let body = self.writer.close();
            // Of no cells nothing is collected.
            let collects =
                |stmt: &Stmt| matches!(stmt, Stmt::LetSet(to, Set::Or(of, _)) if to == of);
            let some = if body.iter().all(collects) { YES } else { some };
            self.writer.f.when(some, body);
        }
        self.writer.cells = before;
    }

    /// More cells in a set that is collected.
    pub fn collect(&mut self, to: S, cells: SV) {
        let cells = self.writer.f.sreg(cells);
        self.writer.push(Stmt::LetSet(to, Set::Or(to, cells)));
    }

    /// The cells are left over.
    fn left_over(&mut self, state: &State<'k>) -> Next<'k> {
        self.collect(self.rest, state.cells);
        Next::Done
    }

    /// Some cells are left over; for the others it goes on at some statements.
    fn without(&mut self, mut state: State<'k>, set: SV, here: &'k [Stmt]) -> Next<'k> {
        if self.writer.side(set) == Some(true) {
            return self.left_over(&state);
        }
        let left = self.writer.point(state.cells, set, Pointwise::Without);
        let out = self.writer.point(state.cells, set, Pointwise::And);
        self.collect(self.rest, out);
        state.code = here;
        self.with(state, left, |writer| writer.know_side(set, false));
        Next::Done
    }

    /// The way is at its end: what it counted is added.
    fn finish(&mut self, state: &State<'k>) -> Next<'k> {
        let Some(regions) = self.writer.regions(&state.tally) else {
            return self.left_over(state);
        };
        let mut all = NO;
        for (cells, v) in regions {
            let many = self.writer.count_same(cells);
            let part = self.writer.of_two(Bin::Mul, many, v);
            all = self.writer.of_two(Bin::Add, all, part);
        }
        if self.writer.truth(all) != Some(false) {
            let all = self.writer.f.reg(all);
            self.writer.push(Stmt::Tally(all));
        }
        self.useful = true;
        Next::Done
    }

    fn end_of_body(&mut self, mut state: State<'k>) -> Next<'k> {
        let Some(frame) = state.leave() else {
            return self.finish(&state);
        };
        match &frame.around {
            Around::Branch | Around::Block(_) => {}
            Around::Loop(_, _, ROUNDS) => return self.left_over(&state),
            Around::Loop(label, body, rounds) => {
                state.enter(body, Around::Loop(*label, body, rounds + 1), frame.meeting);
                return Next::On(state);
            }
            Around::Call(_, _, result) => {
                if let Some(result) = result {
                    state.give(*result, Num::Same(NO));
                }
            }
        }
        self.go_on(state, frame.meeting)
    }

    /// Goes on behind what was around, unless ways meet there.
    fn go_on(&mut self, state: State<'k>, meeting: Option<usize>) -> Next<'k> {
        self.meet(state, meeting).map_or(Next::Done, Next::On)
    }

    fn statement(&mut self, stmt: &'k Stmt, here: &'k [Stmt], mut state: State<'k>) -> Next<'k> {
        match stmt {
            Stmt::Let(to, Word::Load(place)) => {
                let num = self.load(&state, place);
                state.give(*to, num);
            }
            Stmt::LetSet(to, Set::Load(place)) => {
                let many = self.load_set(&state, place);
                state.give_set(*to, many);
            }
            Stmt::Let(to, word) => match self.writer.word(word, &*state.env) {
                Ok(num) => state.give(*to, num),
                Err(out) => return self.without(state, out, here),
            },
            Stmt::LetSet(to, set) => match self.writer.set(set, &*state.env) {
                Ok(many) => state.give_set(*to, many),
                Err(out) => return self.without(state, out, here),
            },
            Stmt::Store(..) | Stmt::StoreSet(..) | Stmt::StoreLogged(..) => {
                if self.store(&mut state, stmt).is_none() {
                    return self.left_over(&state);
                }
            }
            Stmt::Mark(to) => {
                let mark = Num::Mark(state.memory.logged());
                state.give(*to, mark);
            }
            Stmt::Undo(since) => match state.env.num(*since) {
                Num::Mark(since) => state.memory.undo(since),
                Num::Same(v) if self.writer.truth(v) == Some(false) => state.memory.undo(0),
                _ => return self.left_over(&state),
            },
            Stmt::Tally(w) => {
                let more = state.env.num(*w);
                state.tally = self.writer.bin(Bin::Add, &state.tally, &more);
                if state.tally == Num::Unknown {
                    return self.left_over(&state);
                }
            }
            Stmt::If(w, yes, no) => return self.branch(*w, (yes, no), stmt, state),
            Stmt::Switch(w, bodies) => return self.switch(*w, bodies, (stmt, here), state),
            Stmt::Block(label, body) => {
                let open = |state: &mut State<'k>, meeting| {
                    state.enter(body, Around::Block(*label), meeting);
                };
                return self.entered(stmt, state, leaves(body, *label) > 0, open);
            }
            Stmt::Loop(label, body) => {
                let open = |state: &mut State<'k>, meeting| {
                    state.enter(body, Around::Loop(*label, body, 0), meeting);
                };
                return self.entered(stmt, state, true, open);
            }
            Stmt::Leave(label) => {
                while let Some(frame) = state.leave() {
                    match &frame.around {
                        Around::Block(of) | Around::Loop(of, ..) if of == label => {
                            return self.go_on(state, frame.meeting);
                        }
                        _ => {}
                    }
                }
                return self.left_over(&state);
            }
            Stmt::Call(id, arguments, result) => {
                return self.call(id.0 as usize, arguments, *result, state);
            }
            Stmt::Return(w) => {
                let num = state.env.num(*w);
                while let Some(frame) = state.leave() {
                    if let Around::Call(_, _, result) = &frame.around {
                        if let Some(result) = result {
                            state.give(*result, num);
                        }
                        return self.go_on(state, frame.meeting);
                    }
                }
                return match self.writer.test(&num) {
                    Test::Known(false) => self.finish(&state),
                    _ => self.left_over(&state),
                };
            }
            Stmt::ForCells(_, s, _) => {
                let some = Word::Some(*s);
                return self.unless(&some, here, state);
            }
            Stmt::ForBits(_, of, _) => {
                let some = Word::Copy(*of);
                return self.unless(&some, here, state);
            }
            Stmt::ForNumbers(..)
            | Stmt::Leaf(_)
            | Stmt::Leaves(..)
            | Stmt::Note(..)
            | Stmt::Fault(_) => return self.left_over(&state),
        }
        Next::On(state)
    }

    /// Passes over a statement, but for the cells for which a word is not 0: they are left over.
    fn unless(&mut self, word: &Word, here: &'k [Stmt], state: State<'k>) -> Next<'k> {
        let num = match self.writer.word(word, &*state.env) {
            Ok(num) => num,
            Err(out) => return self.without(state, out, here),
        };
        match self.writer.test(&num) {
            Test::Known(false) => Next::On(state),
            Test::Known(true) | Test::Unknown => self.left_over(&state),
            Test::Cells(some) => self.without(state, some, here),
            Test::Same(w) => {
                self.writer.open();
                self.left_over(&state);
                let yes = self.writer.close();
                self.writer.open();
                self.writer.know_truth(w, false);
                self.walk(state);
                let no = self.writer.close();
                self.writer.push(Stmt::If(w, yes, no));
                Next::Done
            }
        }
    }

    /// Goes into a statement; where it is left in several ways those meet.
    fn entered(
        &mut self,
        stmt: &'k Stmt,
        mut state: State<'k>,
        several: bool,
        open: impl FnOnce(&mut State<'k>, Option<usize>),
    ) -> Next<'k> {
        if !several || state.code.is_empty() {
            open(&mut state, None);
            return Next::On(state);
        }
        let read = self.read_behind(stmt, state.function);
        let meeting = self.open_meeting(read, state.clone());
        open(&mut state, Some(meeting));
        self.walk(state);
        self.close_meeting();
        Next::Done
    }

    fn call(
        &mut self,
        id: usize,
        arguments: &'k [Value],
        result: Option<W>,
        mut state: State<'k>,
    ) -> Next<'k> {
        let function = &self.functions[id];
        if state.calls == MOST_CALLS {
            return self.left_over(&state);
        }
        let mut env = Env::new(function);
        for (param, argument) in function.params.iter().zip(arguments) {
            env.take(*param, *argument, &state.env);
        }
        let meeting = (returns(&function.body) > 1).then(|| {
            let read = result.map(Value::Word).into_iter().collect();
            self.open_meeting(read, state.clone())
        });
        let caller = Around::Call(
            std::mem::replace(&mut state.env, Rc::new(env)),
            state.function,
            result,
        );
        state.enter(&function.body, caller, meeting);
        state.function = id;
        state.calls += 1;
        if meeting.is_none() {
            return Next::On(state);
        }
        self.walk(state);
        self.close_meeting();
        Next::Done
    }

    fn branch(
        &mut self,
        w: W,
        (yes, no): (&'k [Stmt], &'k [Stmt]),
        stmt: &'k Stmt,
        mut state: State<'k>,
    ) -> Next<'k> {
        let num = state.env.num(w);
        let test = self.writer.test(&num);
        if let Test::Known(holds) = test {
            state.enter(if holds { yes } else { no }, Around::Branch, None);
            return Next::On(state);
        }
        if matches!(test, Test::Unknown) {
            return self.left_over(&state);
        }
        // Where nothing follows they meet further out.
        let meets = falls(yes) && falls(no) && !state.code.is_empty();
        let meeting = meets.then(|| {
            let read = self.read_behind(stmt, state.function);
            self.open_meeting(read, state.clone())
        });
        let mut otherwise = state.clone();
        state.enter(yes, Around::Branch, meeting);
        otherwise.enter(no, Around::Branch, meeting);
        match test {
            Test::Same(w) => {
                self.writer.open();
                self.writer.know_truth(w, true);
                self.walk(state);
                let yes = self.writer.close();
                self.writer.open();
                self.writer.know_truth(w, false);
                self.walk(otherwise);
                let no = self.writer.close();
                self.writer.push(Stmt::If(w, yes, no));
            }
            Test::Cells(holds) => {
                let cells = state.cells;
                let yes = self.writer.point(cells, holds, Pointwise::And);
                let no = self.writer.point(cells, holds, Pointwise::Without);
                self.with(state, yes, |writer| writer.know_side(holds, true));
                self.with(otherwise, no, |writer| writer.know_side(holds, false));
            }
            Test::Known(_) | Test::Unknown => {}
        }
        if meeting.is_some() {
            self.close_meeting();
        }
        Next::Done
    }

    fn switch(
        &mut self,
        w: W,
        bodies: &'k [Vec<Stmt>],
        (stmt, here): (&'k Stmt, &'k [Stmt]),
        mut state: State<'k>,
    ) -> Next<'k> {
        let num = state.env.num(w);
        let Num::Same(v) = num else {
            let Some(regions) = self.writer.regions(&num) else {
                return self.left_over(&state);
            };
            for (cells, v) in regions {
                let mut part = state.clone();
                part.code = here;
                part.give(w, Num::Same(v));
                self.with(part, cells, |_| {});
            }
            return Next::Done;
        };
        let of = match self.writer.get(v) {
            V::K(k) => {
                let body = usize::try_from(k).ok().and_then(|k| bodies.get(k));
                if let Some(body) = body {
                    state.enter(body, Around::Branch, None);
                }
                return Next::On(state);
            }
            V::R(of) => of,
        };
        if let Some((test, a, b)) = self.writer.chosen(of) {
            self.writer.open();
            self.writer.know_truth(test, true);
            let mut way = state.clone();
            (way.code, self.writer.cells) = (here, state.cells);
            way.give(w, Num::Same(V::K(a)));
            self.walk(way);
            let yes = self.writer.close();
            self.writer.open();
            self.writer.know_truth(test, false);
            state.code = here;
            state.give(w, Num::Same(V::K(b)));
            self.walk(state);
            let no = self.writer.close();
            self.writer.push(Stmt::If(test, yes, no));
            return Next::Done;
        }
        let several = bodies.iter().filter(|body| falls(body)).count() > 1;
        let meeting = (several && !state.code.is_empty()).then(|| {
            let read = self.read_behind(stmt, state.function);
            self.open_meeting(read, state.clone())
        });
        let sure = self.writer.is_truth(v) && bodies.len() > 1;
        let not_below = self.writer.of_two(Bin::AtMost, NO, v);
        let below = self.writer.of_two(Bin::Less, v, V::K(bodies.len() as u64));
        let both = self.writer.of_two(Bin::And, not_below, below);
        let mut ways = Vec::new();
        for (k, body) in bodies.iter().enumerate() {
            let mut way = state.clone();
            way.enter(body, Around::Branch, meeting);
            self.writer.open();
            self.writer.know(of, k as u64);
            self.walk(way);
            ways.push(self.writer.close());
        }
        let switch = Stmt::Switch(of, ways);
        if sure {
            self.writer.push(switch);
        } else {
            self.writer.open();
            self.left_over(&state);
            let other = self.writer.close();
            let both = self.writer.f.reg(both);
            self.writer.push(Stmt::If(both, vec![switch], other));
        }
        if meeting.is_some() {
            self.close_meeting();
        }
        Next::Done
    }

    /// Where a place begins in memory, when that is the same in all positions.
    fn at(&self, state: &State<'k>, place: &Place) -> Option<u32> {
        let Some((w, stride)) = place.index else {
            return Some(place.base);
        };
        let Num::Same(v) = state.env.num(w) else {
            return None;
        };
        match self.writer.get(v) {
            V::K(k) => {
                let by = u32::try_from(k).ok()?.checked_mul(stride)?;
                place.base.checked_add(by)
            }
            V::R(_) => None,
        }
    }

    /// A place of memory as it is, where nothing would have been stored.
    fn untouched(&self, state: &State<'k>, place: &Place) -> Option<Place> {
        let (w, stride) = place.index?;
        let Num::Same(V::R(w)) = state.env.num(w) else {
            return None;
        };
        let end = self.region_end(place.base);
        let untouched = state.memory.is_untouched(place.base, end);
        untouched.then_some(Place {
            base: place.base,
            index: Some((w, stride)),
        })
    }

    /// Where the region ends that holds a place: what is computed from a place stays within it.
    fn region_end(&self, at: u32) -> u32 {
        let room = self.room;
        let bounds = [
            room.kept,
            room.game,
            room.start,
            room.before,
            room.scratch,
            room.path,
            room.text,
            room.log,
            room.moves,
        ];
        let above = bounds.into_iter().filter(|bound| *bound > at);
        above.min().unwrap_or(u32::MAX)
    }

    fn load(&mut self, state: &State<'k>, place: &Place) -> Num {
        let room = self.room;
        match self.at(state, place) {
            Some(at) if (room.tally..=room.log_used).contains(&at) => Num::Unknown,
            Some(at) => match state.memory.word(at) {
                Some(num) => num,
                None => Num::Same(self.writer.make(Word::Load(fixed(at)))),
            },
            None => match self.untouched(state, place) {
                Some(place) => Num::Same(self.writer.make(Word::Load(place))),
                None => Num::Unknown,
            },
        }
    }

    fn load_set(&mut self, state: &State<'k>, place: &Place) -> Many {
        match self.at(state, place) {
            Some(at) => match state.memory.set(at) {
                Some(many) => many,
                None => Many::Same(self.writer.make_set(Set::Load(fixed(at)))),
            },
            None => match self.untouched(state, place) {
                Some(place) => Many::Same(self.writer.make_set(Set::Load(place))),
                None => Many::Unknown,
            },
        }
    }

    /// Stores what a statement does; nothing when it cannot be told where, or what it is for.
    fn store(&mut self, state: &mut State<'k>, stmt: &Stmt) -> Option<()> {
        let (Stmt::Store(place, _) | Stmt::StoreSet(place, _) | Stmt::StoreLogged(place, _)) = stmt
        else {
            return None;
        };
        let room = self.room;
        let Some(at) = self.at(state, place) else {
            let (w, stride) = place.index?;
            let (Num::Cell(more), false) =
                (state.env.num(w), matches!(stmt, Stmt::StoreLogged(..)))
            else {
                return None;
            };
            let many = if matches!(stmt, Stmt::StoreSet(..)) {
                room.words
            } else {
                1
            };
            let more = i64::from(stride).checked_mul(more.cast_signed())?;
            let from = u32::try_from(i64::from(place.base).checked_add(more)?).ok()?;
            let to = from + (self.board - 1) * stride + many;
            (to <= self.region_end(from)).then_some(())?;
            state.memory.lose(from, to);
            return Some(());
        };
        match stmt {
            _ if self.answers.contains(&at) => {}
            Stmt::Store(_, w) => {
                let num = state.env.num(*w);
                if at == room.log_used {
                    let Num::Same(v) = num else { return None };
                    (self.writer.truth(v) == Some(false)).then_some(())?;
                    state.memory.forget_log();
                } else if at == room.tally || at == room.fault || at == room.depth {
                    return None;
                } else {
                    state.memory.store(at, num);
                }
            }
            Stmt::StoreSet(_, s) => {
                let many = state.env.many(*s);
                state.memory.store_set(at, many);
            }
            Stmt::StoreLogged(_, w) => {
                let num = state.env.num(*w);
                state.memory.store_logged(at, num).then_some(())?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// A place that is not computed.
fn fixed(base: u32) -> Place {
    Place { base, index: None }
}

/// Whether what follows statements may be come to.
fn falls(body: &[Stmt]) -> bool {
    match body.last() {
        Some(Stmt::Return(_) | Stmt::Leave(_) | Stmt::Fault(_)) => false,
        Some(Stmt::If(_, yes, no)) => falls(yes) || falls(no),
        _ => true,
    }
}

/// How often a block is left from within.
fn leaves(body: &[Stmt], label: Label) -> usize {
    let of = |stmt: &Stmt| {
        let inner: usize = stmt.bodies().map(|body| leaves(body, label)).sum();
        inner + usize::from(matches!(stmt, Stmt::Leave(of) if *of == label))
    };
    body.iter().map(of).sum()
}

/// In how many ways a function is left.
fn returns(body: &[Stmt]) -> usize {
    fn within(body: &[Stmt]) -> usize {
        let of = |stmt: &Stmt| {
            let inner: usize = stmt.bodies().map(|body| within(body)).sum();
            inner + usize::from(matches!(stmt, Stmt::Return(_)))
        };
        body.iter().map(of).sum()
    }
    within(body) + usize::from(falls(body))
}
