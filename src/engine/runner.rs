//! Long runs from one position after the other, without a list of positions between: counts here, random games in `games`. Uses
//! the fast engine where it can and the plain one where that gives up; nothing is allocated for an action once warm.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::plain::Engine;
use crate::engine::state::Position;
use crate::engine::walk::Walk;
use crate::program::WORD_POINT;
use crate::program::kernel::Work;

/// What one level of counting remembers.
#[derive(Default)]
struct Level {
    list: Vec<u64>,
    state: Vec<u64>,
}

/// A kernel and what it needs to run: memory, and the words of a state at the start of a game there.
pub(super) struct Desk<'e> {
    pub fast: &'e Fast,
    pub frame: Box<Frame>,
    pub start: Vec<u64>,
}

/// Runs an engine.
pub struct Runner<'e> {
    pub(super) engine: &'e Engine,
    /// For each work one, made when it is first needed.
    desks: [Option<Desk<'e>>; Work::ALL.len()],
    /// For which work none can be made.
    without: [bool; Work::ALL.len()],
    levels: Vec<Level>,
    pub(super) tried: Vec<usize>,
    /// A state that may be brought back.
    pub(super) kept: Vec<u64>,
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        for desk in self.desks.iter_mut().filter_map(Option::take) {
            desk.fast.give_back(*desk.frame);
        }
    }
}

impl<'e> Runner<'e> {
    /// One for an engine.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Runner<'e> {
        Runner {
            engine,
            desks: [const { None }; Work::ALL.len()],
            without: [false; Work::ALL.len()],
            levels: Vec::new(),
            tried: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// The kernel for some work and its desk, which is to be put back; nothing when there is none.
    pub(super) fn open(&mut self, work: Work) -> Option<(&'e Fast, Desk<'e>)> {
        let at = work as usize;
        let desk = match self.desks[at].take() {
            Some(desk) => desk,
            None if self.without[at] => return None,
            None => {
                let desk = self.engine.fast(work).and_then(|fast| self.desk(fast));
                self.without[at] = desk.is_none();
                desk?
            }
        };
        Some((desk.fast, desk))
    }

    fn desk(&self, fast: &'e Fast) -> Option<Desk<'e>> {
        let mut frame = Box::new(fast.frame());
        if !fast.load(self.engine.program(), &self.engine.initial(), &mut frame) {
            fast.give_back(*frame);
            return None;
        }
        let start = frame.mem[..fast.kernel.room.kept as usize].to_vec();
        fast.know_start(&mut frame, &start);
        Some(Desk { fast, frame, start })
    }

    pub(super) fn put_back(&mut self, work: Work, desk: Desk<'e>) {
        self.desks[work as usize] = Some(desk);
    }

    /// The engine that is run.
    #[must_use]
    pub fn engine(&self) -> &'e Engine {
        self.engine
    }

    /// Does something with a position in a kernel's memory; nothing when there is no kernel or it gave up.
    pub(super) fn in_frame<T>(
        &mut self,
        work: Work,
        position: &Position,
        ask: impl FnOnce(&Engine, &Fast, &mut Frame) -> Result<T, GaveUp>,
    ) -> Option<T> {
        let (fast, mut desk) = self.open(work)?;
        let loaded = fast.load(self.engine.program(), position, &mut desk.frame);
        let done = if loaded {
            ask(self.engine, fast, &mut desk.frame).ok()
        } else {
            None
        };
        self.put_back(work, desk);
        done
    }

    /// The number of sequences of exactly so many actions.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn count(&mut self, position: &Position, depth: usize) -> Result<u64, PlayError> {
        let mut counts = vec![0; depth];
        self.counts(position, &mut counts)?;
        Ok(counts.last().copied().unwrap_or(1))
    }

    /// Adds to the numbers of sequences of 1, 2 … actions.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn counts(&mut self, position: &Position, counts: &mut [u64]) -> Result<(), PlayError> {
        if counts.is_empty() {
            return Ok(());
        }
        if let Some((fast, mut desk)) = self.open(Work::Counting) {
            let mut tried = counts.to_vec();
            let load = |frame: &mut Frame| fast.load(self.engine.program(), position, frame);
            let deep = fast.deep(counts.len());
            let done = deep.is_some_and(|deep| {
                load(&mut desk.frame) && fast.count_deep(deep, &mut desk.frame, &mut tried)
            });
            let done = done
                || load(&mut desk.frame) && self.count_in(fast, &mut desk, &mut tried, 0).is_ok();
            self.put_back(Work::Counting, desk);
            if done {
                counts.copy_from_slice(&tried);
                return Ok(());
            }
        }
        self.count_plainly(position, counts)
    }

    /// One level by positions, the next ones as fast as can be.
    fn count_plainly(&mut self, position: &Position, counts: &mut [u64]) -> Result<(), PlayError> {
        let Some((here, deeper)) = counts.split_first_mut() else {
            return Ok(());
        };
        if deeper.is_empty() {
            *here = here.saturating_add(self.engine.count_plainly(position)?);
            return Ok(());
        }
        for action in self.engine.list_plainly(position)? {
            *here = here.saturating_add(1);
            self.counts(&self.engine.play(position, &action), deeper)?;
        }
        Ok(())
    }

    fn count_in(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        counts: &mut [u64],
        depth: usize,
    ) -> Result<(), GaveUp> {
        let program = self.engine.program();
        let frame = &mut *desk.frame;
        if fast.end(program, frame, &desk.start, true)? != Held::NONE {
            return Ok(());
        }
        let entry = fast.entry(program, frame)?;
        let Some((here, deeper)) = counts.split_first_mut() else {
            return Ok(());
        };
        if deeper.is_empty() {
            *here = here.saturating_add(fast.legal(program, entry, frame)?);
            if frame.mem[fast.kernel.room.log_used as usize] != 0 {
                fast.take_back(frame);
            }
            return Ok(());
        }
        let any = entry.counting.ok_or(GaveUp)?.any;
        let mut total = fast.list(any, frame)?;
        let mut numbers: Option<Vec<usize>> = None;
        if total > 1 && fast.doubtful(frame) {
            numbers = fast.distinct(program, entry, frame)?;
            total = numbers.as_ref().map_or(total, Vec::len);
        }
        *here = here.saturating_add(total as u64);
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Level::default);
        }
        let mut level = std::mem::take(&mut self.levels[depth]);
        let kept = fast.kernel.room.kept as usize;
        level.state.clear();
        level.state.extend_from_slice(&frame.mem[..kept]);
        level.list.clear();
        level.list.extend_from_slice(fast.listed(frame));
        let notes = program.looks_back && frame.mem[WORD_POINT] == 0;
        if notes {
            let keys = fast.keys(frame);
            frame.past.push(keys);
        }
        let pairs = fast.pairs().filter(|_| numbers.is_none());
        if let (Some(pairs), [behind]) = (pairs, &mut *deeper) {
            let many = fast.behind_each(pairs, &mut desk.frame, &level.list);
            desk.frame.mem[..kept].copy_from_slice(&level.state);
            if let Some(many) = many {
                *behind = behind.saturating_add(many);
                if notes {
                    desk.frame.past.truncate(desk.frame.past.len() - 1);
                }
                self.levels[depth] = level;
                return Ok(());
            }
        }
        let mut result = Ok(());
        let mut walk = Walk::new(fast.kernel.room.words as usize);
        let mut nth = 0;
        while walk.next(&level.list, &mut desk.frame, fast.kernel.room.path as usize) {
            nth += 1;
            if numbers
                .as_ref()
                .is_some_and(|n| n.binary_search(&(nth - 1)).is_err())
            {
                continue;
            }
            result = fast.play(entry.play, &mut desk.frame).and_then(|played| {
                if !played {
                    return Err(GaveUp);
                }
                self.count_in(fast, desk, deeper, depth + 1)
            });
            if result.is_err() {
                break;
            }
            desk.frame.mem[..kept].copy_from_slice(&level.state);
        }
        if notes {
            let frame = &mut desk.frame;
            frame.past.truncate(frame.past.len() - 1);
        }
        self.levels[depth] = level;
        result
    }
}
