//! What machines do for the engine, whatever the width of their sets: setup, actions, verdicts, hashes.

use crate::engine::errors::PlayError;
use crate::engine::history::Past;
use crate::engine::machine::{Buffers, Fault, Machine, Tables};
use crate::engine::run::{Found, MAX_STEPS, Mode};
use crate::engine::state::{Position, State};
use crate::engine::watch::Watch;
use crate::program::{EndResult, Moment, Pc, PlayerId, Program, WORD_POINT};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A search for what refuses an action is given up after so many steps.
const SEARCH_STEPS: u64 = 12_000_000;

/// What an end clause said.
pub struct Verdict {
    /// The number of the clause.
    pub end: usize,
    /// Whom it calls `me`.
    pub me: PlayerId,
    /// The scores, when it counts them.
    pub scores: Vec<i64>,
}

/// What machines do, whatever the width of their sets.
pub trait Interpreter: Send + Sync {
    /// Carries out the setup.
    fn setup(&self, program: &Program) -> Result<State, PlayError>;
    /// The actions found, or only counted.
    fn actions(
        &self,
        program: &Program,
        position: &Position,
        counting: bool,
    ) -> Result<Vec<Found>, Fault>;
    /// Finds the actions and notes what a watch wants to know.
    fn watch(&self, program: &Program, position: &Position, watch: Watch) -> Result<Watch, Fault>;
    /// The end clause that holds, when one does.
    fn verdict(
        &self,
        program: &Program,
        position: &Position,
        last: Option<PlayerId>,
    ) -> Result<Option<Verdict>, Fault>;
    /// The hashes of a state, computed from nothing.
    fn hashes(&self, program: &Program, state: &State) -> [u64; 3];
    /// How many instructions it has carried out to find actions so far, and how many squares of pictures it has looked at.
    fn worked(&self) -> u64;
}

/// The plain machine, with memory to hand on.
pub struct Plain<const N: usize> {
    tables: Tables<N>,
    spare: Mutex<Vec<Buffers>>,
    worked: AtomicU64,
}

impl<const N: usize> Plain<N> {
    /// One for a program.
    pub fn boxed(program: &Program) -> Box<dyn Interpreter> {
        Box::new(Plain::<N> {
            tables: Tables::new(program),
            spare: Mutex::new(Vec::new()),
            worked: AtomicU64::new(0),
        })
    }

    fn with<'p, T>(
        &'p self,
        program: &'p Program,
        run: impl FnOnce(&mut Machine<'p, N>) -> T,
    ) -> T {
        let buffers = self
            .spare
            .lock()
            .ok()
            .and_then(|mut s| s.pop())
            .unwrap_or_default();
        let mut machine = Machine::new(program, &self.tables, buffers);
        let result = run(&mut machine);
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(machine.into_buffers());
        }
        result
    }
}

impl<const N: usize> Interpreter for Plain<N> {
    fn setup(&self, program: &Program) -> Result<State, PlayError> {
        self.with(program, |m| {
            for var in program.vars.iter().filter(|v| v.in_state()) {
                for (i, word) in var.initial.iter().enumerate() {
                    m.poke(var.offset + i, *word);
                }
            }
            let piles = if program.stacking { m.mem.len() } else { 0 };
            m.mem[m.next_piece] = piles as u64;
            m.mode = Mode::Exists;
            match m.run_setup(program.setup) {
                Ok(()) => Ok(m.store()),
                Err((pc, message, help)) => {
                    let span = program.span_of(pc);
                    Err(PlayError::Setup {
                        message,
                        span,
                        help,
                    })
                }
            }
        })
    }

    fn actions(
        &self,
        program: &Program,
        position: &Position,
        counting: bool,
    ) -> Result<Vec<Found>, Fault> {
        self.with(program, |m| {
            m.load(&position.state, &position.past);
            m.counting = counting;
            m.list();
            self.worked.fetch_add(m.steps + m.looks, Relaxed);
            match m.fault {
                Some(fault) => Err(fault),
                None => Ok(std::mem::take(&mut m.found)),
            }
        })
    }

    fn watch(
        &self,
        program: &Program,
        position: &Position,
        mut watch: Watch,
    ) -> Result<Watch, Fault> {
        self.with(program, |m| {
            m.load(&position.state, &position.past);
            watch.fit(program.code.len());
            m.counting = true;
            if watch.searches() {
                m.steps = MAX_STEPS - SEARCH_STEPS;
            }
            let entry = watch.entry;
            m.watch = Some(Box::new(watch));
            match entry {
                Some(pc) => m.list_from(pc),
                None => m.list(),
            }
            let watch = m.watch.take().map(|w| *w).unwrap_or_default();
            m.found.clear();
            match m.fault {
                // A search that takes too long tells what it has found.
                Some(Fault::Runaway(_)) if watch.searches() => Ok(watch),
                Some(fault) => Err(fault),
                None => Ok(watch),
            }
        })
    }

    fn verdict(
        &self,
        program: &Program,
        position: &Position,
        last: Option<PlayerId>,
    ) -> Result<Option<Verdict>, Fault> {
        self.with(program, |m| {
            m.load(&position.state, &position.past);
            let between = position.state.point() == 0;
            let mover = position.state.mover();
            for moment in [Moment::AfterAction, Moment::AfterTurn, Moment::StartOfTurn] {
                let me = match moment {
                    Moment::StartOfTurn if between => mover,
                    Moment::AfterAction if !between => mover,
                    Moment::AfterTurn | Moment::AfterAction => match last.filter(|_| between) {
                        Some(last) => last,
                        None => continue,
                    },
                    Moment::StartOfTurn => continue,
                };
                for (end, clause) in program
                    .ends
                    .iter()
                    .enumerate()
                    .filter(|(_, e)| e.moment == moment)
                {
                    m.me = me;
                    let holds = m.truth(&clause.test);
                    if let Some(fault) = m.fault {
                        return Err(fault);
                    }
                    if holds {
                        let scores = match &clause.result {
                            EndResult::Score(nums) => nums.iter().map(|n| m.num(n)).collect(),
                            EndResult::Win | EndResult::Lose | EndResult::Draw => Vec::new(),
                        };
                        return Ok(Some(Verdict { end, me, scores }));
                    }
                }
            }
            Ok(None)
        })
    }

    fn hashes(&self, program: &Program, state: &State) -> [u64; 3] {
        self.with(program, |m| {
            m.load(state, &Past::default());
            m.hash_from_scratch()
        })
    }

    fn worked(&self) -> u64 {
        self.worked.load(Relaxed)
    }
}

impl<const N: usize> Machine<'_, N> {
    /// Lists the actions of the state that is loaded.
    fn list(&mut self) {
        let point = self.mem[WORD_POINT] as usize;
        let pc = if point == 0 {
            self.turn_start()
        } else {
            Some(self.program.points[point].pc)
        };
        if let Some(pc) = pc {
            self.list_from(pc);
        }
    }

    fn list_from(&mut self, pc: Pc) {
        self.mode = Mode::List;
        self.run(pc);
    }
}
