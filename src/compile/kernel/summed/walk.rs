//! A way through the statements that play an action, ask the ends and count, for all cells of a set at once. Where cells tell what
//! comes next they part; those that cannot be followed are left over. What is written counts all others.

use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::summed::meeting::{Meeting, Reads};
use crate::compile::kernel::summed::state::{Around, Env, State};
use crate::compile::kernel::summed::values::{Num, Read, Test};
use crate::compile::kernel::summed::writer::{Pointwise, Writer};
use crate::program::kernel::{Bin, Function, Label, Room, S, Set, Stmt, Value, W, Word, falls};
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
pub enum Next<'k> {
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
    pub fn left_over(&mut self, state: &State<'k>) -> Next<'k> {
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
