//! What variables of a turn surely hold wherever an instruction is come to, whatever the players do. In: a program. Out: for each
//! instruction, and for each point at which a turn rests between two actions, the variables that have one value there and no other.
//!
//! Before: who goes on with a turn loads all that is kept of it. After: what can only be one value is that value, in functions that
//! begin there and in what they are given; a point at which no turn ever rests is no place to go on from.
//! Conditions: positions that a game comes to; one that somebody writes down is compared with what is taken for known when it is loaded.
//!
//! A forward data-flow analysis to its fixed point, with the tests that are passed (Wegman and Zadeck 1991 do so for constants).

pub mod stands;
mod worth;

use crate::compile::kernel::certain::worth::{Held, Values};
use crate::compile::kernel::env::follows_effects;
use crate::compile::points::successors;
use crate::program::{
    Access, Cells, Effect, EndResult, Life, Members, NO_PC, Op, Pc, Per, Program, SubId, Truth,
    Value, VarId, num_vars, op_vars, truth_vars,
};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A variable with the words that it surely has.
pub type Certainty = (VarId, SmallVec<[u64; 4]>);

/// What was found out.
pub struct Certain {
    /// For each instruction; nothing where it is not known that it is come to.
    at: Vec<Vec<Certainty>>,
    /// For each point, the first for the beginning of a turn; nothing where no turn rests.
    rests: Vec<Option<Vec<Certainty>>>,
}

impl Certain {
    /// What variables have wherever an instruction is come to.
    pub fn at(&self, pc: Pc) -> &[Certainty] {
        self.at.get(pc.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// For each point the words of the state that are what they are when a turn goes on from there, with their places.
    pub fn words_at_points(&self, program: &Program) -> Vec<Option<Vec<(u32, u64)>>> {
        let words = |(var, words): &Certainty| {
            let offset = program.var(*var).offset as u32;
            (offset..).zip(words.clone()).collect::<Vec<_>>()
        };
        let points = self.rests.iter();
        points
            .map(|known| Some(known.as_ref()?.iter().flat_map(words).collect()))
            .collect()
    }

    /// What variables have when a turn goes on from a point, the first for its beginning; nothing when none ever does.
    pub fn rests(&self, point: usize) -> Option<&[Certainty]> {
        self.rests.get(point)?.as_deref()
    }
}

/// What all variables that are looked at may have.
type State = Box<[Held]>;

/// The analysis on its way.
struct Walk<'p> {
    program: &'p Program,
    accesses: Vec<Access>,
    /// For each instruction the variables that are read from there on, as bits.
    live: &'p [Vec<u64>],
    /// Which variables are looked at, in order; and for each variable which of those it is.
    vars: Vec<VarId>,
    place: Vec<Option<usize>>,
    /// For each of those that it is nothing.
    none: Vec<Held>,
    values: Values,
    /// For each instruction, before and after an action of the turn or since it was gone on with.
    at: [Vec<Option<State>>; 2],
    /// What is still to be gone on from, the first of it first: most ways lead on from there.
    open: BTreeSet<(usize, bool)>,
}

/// Finds out what variables surely have, told which are read from each instruction on. A value that is carried from action to action and
/// not read any more is as good as none, which it is wherever a turn rests.
pub fn certain(program: &Program, live: &[Vec<u64>]) -> Certain {
    let looked_at = |id: &VarId| {
        let var = program.var(*id);
        let local = var.life == Life::Local && var.carried;
        var.per == Per::Game && (var.life == Life::Turn || local)
    };
    let all = (0..program.vars.len()).map(|v| VarId(v as u16));
    let vars: Vec<VarId> = all.filter(looked_at).collect();
    let mut place = vec![None; program.vars.len()];
    for (at, var) in vars.iter().enumerate() {
        place[var.0 as usize] = Some(at);
    }
    let access = |op: &Op| op_vars(op, &program.pictures, &program.templates);
    let nowhere = || vec![None; program.code.len()];
    let mut values = Values::new(program.layout.words);
    let nothing = |v: &VarId| Held::one(values.number_of(&vec![0; program.var(*v).stride]));
    let none = vars.iter().map(nothing).collect();
    let mut walk = Walk {
        program,
        none,
        accesses: program.code.iter().map(access).collect(),
        live,
        vars,
        place,
        values,
        at: [nowhere(), nowhere()],
        open: BTreeSet::new(),
    };
    let fresh = walk.begin();
    while let Some((at, acted)) = walk.open.pop_first() {
        walk.step(at, acted);
    }
    walk.told(&fresh)
}

/// Where the subprograms begin that are asked by which turn it is, by ends and by scores, wherever the turn is.
fn asked_anywhere(program: &Program) -> Vec<usize> {
    let tests = program.turns.iter().filter_map(|turn| turn.test.as_ref());
    let tests = tests.chain(program.ends.iter().map(|end| &end.test));
    let mut asked: Vec<SubId> = tests.flat_map(|test| truth_vars(test).subs).collect();
    for end in &program.ends {
        if let EndResult::Score(nums) = &end.result {
            asked.extend(nums.iter().flat_map(|num| num_vars(num).subs));
        }
    }
    let begins = asked.iter().map(|sub| program.subs[sub.0 as usize]);
    begins.map(|pc| pc.0 as usize).collect()
}

/// What is known at a place is also what another way there brings. Whether it has become another.
fn joined<T: Copy + PartialEq>(
    here: &mut Option<Box<[T]>>,
    state: &[T],
    or: impl Fn(T, T) -> T,
) -> bool {
    let Some(known) = here else {
        *here = Some(state.into());
        return true;
    };
    let mut changed = false;
    for (known, more) in known.iter_mut().zip(state) {
        let both = or(*known, *more);
        changed |= both != *known;
        *known = both;
    }
    changed
}

impl Walk<'_> {
    /// Where turns begin, and what may be asked from anywhere; what a turn begins with.
    fn begin(&mut self) -> State {
        let program = self.program;
        let first = |v: &VarId| {
            let var = program.var(*v);
            let none = vec![0; var.stride];
            let initial = var.initial.get(..var.stride).map(<[u64]>::to_vec);
            initial.filter(|_| var.life == Life::Turn).unwrap_or(none)
        };
        let first: Vec<Vec<u64>> = self.vars.iter().map(first).collect();
        let fresh: State = first.iter().map(|w| self.one(w)).collect();
        for turn in &program.turns {
            self.come(turn.pc.0 as usize, false, &fresh);
        }
        let any: State = vec![Held::ANY; self.vars.len()].into();
        for at in asked_anywhere(program) {
            self.come(at, false, &any);
        }
        self.come(program.setup.0 as usize, false, &any);
        fresh
    }

    /// Exactly those words.
    fn one(&mut self, words: &[u64]) -> Held {
        Held::one(self.values.number_of(words))
    }

    /// An instruction is come to.
    fn come(&mut self, at: usize, acted: bool, state: &State) {
        let state = &self.without_dead(at, state.clone());
        let Some(here) = self.at[usize::from(acted)].get_mut(at) else {
            return;
        };
        if joined(here, state, |a, b| a.or(&b)) {
            self.open.insert((at, acted));
        }
    }

    /// What is not read any more, and only carried, is nothing.
    fn without_dead(&mut self, at: usize, mut state: State) -> State {
        let Some(live) = self.live.get(at) else {
            return state;
        };
        for place in 0..self.vars.len() {
            let (id, var) = (self.vars[place], self.program.var(self.vars[place]));
            let read = live[usize::from(id.0) / 64] >> (id.0 % 64) & 1 == 1;
            if var.life == Life::Local && !read {
                state[place] = self.none[place];
            }
        }
        state
    }

    /// From an instruction to those that follow.
    fn step(&mut self, at: usize, acted: bool) {
        let Some(mut state) = self.at[usize::from(acted)][at].clone() else {
            return;
        };
        for sub in 0..self.accesses[at].subs.len() {
            let begin = self.program.subs[self.accesses[at].subs[sub].0 as usize];
            if begin != NO_PC {
                let mut inner = state.clone();
                for var in &self.accesses[at].given {
                    self.give(*var, Held::ANY, &mut inner);
                }
                self.come(begin.0 as usize, acted, &inner);
            }
        }
        let op = &self.program.code[at];
        match op {
            Op::Require(test, _) => {
                if self.passes(at, test, true, &mut state) {
                    self.come(at + 1, acted, &state);
                }
            }
            Op::JumpUnless(test, to) => {
                let mut other = state.clone();
                if self.passes(at, test, true, &mut state) {
                    self.come(at + 1, acted, &state);
                }
                if self.passes(at, test, false, &mut other) {
                    self.come(to.0 as usize, acted, &other);
                }
            }
            Op::Each {
                rest,
                members,
                exit,
                ..
            } => {
                let none = vec![0; self.program.var(*rest).stride];
                let mut other = state.clone();
                if *members != Members::Players {
                    let none = self.one(&none);
                    self.give(*rest, none, &mut other);
                }
                self.come(exit.0 as usize, acted, &other);
                self.written(at, &mut state);
                self.give(*rest, Held::ANY, &mut state);
                self.come(at + 1, acted, &state);
            }
            Op::ActionDone => {
                if let Some(actions) = self.program.system.actions {
                    self.give(actions, Held::ANY, &mut state);
                }
                self.come(at + 1, true, &state);
            }
            // The turn goes on from there, or was not interrupted.
            Op::Point(_) => self.come(at + 1, false, &state),
            Op::Let(var, value) => {
                let held = self.value(at, value, &state);
                self.give(*var, held, &mut state);
                self.come(at + 1, acted, &state);
            }
            Op::Effect(effect) => {
                self.effect(at, effect, &mut state);
                self.come(at + 1, acted, &state);
            }
            op => {
                self.written(at, &mut state);
                for next in successors(op, at) {
                    self.come(next, acted, &state);
                }
            }
        }
    }

    fn give(&self, var: VarId, held: Held, state: &mut State) {
        if let Some(place) = self.place[var.0 as usize] {
            state[place] = held;
        }
    }

    /// What an instruction gives values.
    fn written(&mut self, at: usize, state: &mut State) {
        if let Op::Clear(var) = self.program.code[at] {
            let none = vec![0; self.program.var(var).stride];
            let none = self.one(&none);
            return self.give(var, none, state);
        }
        for var in &self.accesses[at].writes {
            self.give(*var, Held::ANY, state);
        }
    }

    fn effect(&mut self, at: usize, effect: &Effect, state: &mut State) {
        let more = match effect {
            Effect::Mark(var, set) => Some((*var, set, true)),
            Effect::Unmark(var, set) => Some((*var, set, false)),
            Effect::Pass => {
                let yes = self.one(&[1]);
                if let Some(passed) = self.program.system.passed {
                    self.give(passed, yes, state);
                }
                return;
            }
            Effect::Again | Effect::ExchangeSeats => return,
            _ => None,
        };
        let Some((var, set, marks)) = more else {
            return self.follow(state);
        };
        let (old, set) = (Box::new(Cells::Var(var)), Box::new(set.clone()));
        let both = match marks {
            true => Cells::Or(old, set),
            false => Cells::Without(old, set),
        };
        let held = self.value(at, &Value::Cells(both), state);
        self.give(var, held, state);
    }

    /// What is known of the variables that an instruction reads: their places.
    fn read(&self, at: usize) -> Vec<(VarId, usize)> {
        let reads = self.accesses[at].reads.iter();
        let mut reads: Vec<_> = reads
            .filter_map(|v| Some((*v, self.place[v.0 as usize]?)))
            .collect();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Whether a test of an instruction may come out so; then it is known of what it reads.
    fn passes(&self, at: usize, test: &Truth, wanted: bool, state: &mut State) -> bool {
        self.values.refine(test, wanted, &self.read(at), state)
    }

    /// What a value of an instruction may be.
    fn value(&mut self, at: usize, value: &Value, state: &State) -> Held {
        let reads = self.read(at);
        self.values.worth(value, &reads, state)
    }

    /// Pieces come and go: what travels with them and is nowhere stays so; what counts them may be anything.
    fn follow(&self, state: &mut State) {
        for (var, held) in self.vars.iter().zip(state.iter_mut()) {
            if !follows_effects(self.program, *var) {
                continue;
            }
            let travels = self.program.var(*var).travels;
            let nowhere = |v: &u16| self.values.words(*v).iter().all(|w| *w == 0);
            let stays = travels && held.values().is_some_and(|all| all.iter().all(nowhere));
            if !stays {
                *held = Held::ANY;
            }
        }
    }

    /// What is certain in the end.
    fn told(self, fresh: &State) -> Certain {
        let certainties = |state: &State| {
            let all = self.vars.iter().zip(state.iter());
            let one = all.filter_map(|(var, held)| match held.values()? {
                [value] => Some((*var, SmallVec::from_slice(self.values.words(*value)))),
                _ => None,
            });
            one.collect::<Vec<_>>()
        };
        let both = |at: usize| match (&self.at[0][at], &self.at[1][at]) {
            (Some(a), Some(b)) => {
                let both: State = a.iter().zip(b).map(|(a, b)| a.or(b)).collect();
                certainties(&both)
            }
            (Some(one), None) | (None, Some(one)) => certainties(one),
            (None, None) => Vec::new(),
        };
        let at = (0..self.program.code.len()).map(both).collect();
        let points = self.program.points.iter().skip(1);
        let rests = points.map(|p| self.at[1][p.pc.0 as usize].as_ref().map(certainties));
        let begins = Some(certainties(fresh));
        Certain {
            at,
            rests: [begins].into_iter().chain(rests).collect(),
        }
    }
}
