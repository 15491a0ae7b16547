//! Alpha-beta search for what is certain: a position and a depth in, bounds of its value out. There is no guess of what a
//! position is worth: beyond the depth, and where a line comes back to a position of its own, everything is possible, so what it
//! says is true whatever lies there. With three values every window is one question: whether the first person wins, or has a
//! draw at least. Positions are kept in a table, actions are ordered by what they did elsewhere.

use crate::engine::{Engine, PlayError, Position, Runner};
use crate::tools::solve::table::Table;
use crate::tools::solve::value::{Bounds, Question, Value};
use crate::tools::worth;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A depth that no line comes to.
pub const WITHOUT_END: u8 = 250;

/// How many keys of actions are told apart when they are ordered.
const HABITS: usize = 1 << 14;

/// How long it may go on.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    /// The most positions to look at.
    pub nodes: u64,
    /// When to stop.
    pub until: Option<Instant>,
    /// Set from elsewhere to stop.
    pub stop: &'a AtomicBool,
}

/// Why a search was broken off.
#[derive(Clone, PartialEq, Debug)]
pub enum Broken {
    /// The limit was come to.
    Limit,
    /// The rules failed.
    Failed(PlayError),
}

impl From<PlayError> for Broken {
    fn from(error: PlayError) -> Broken {
        Broken::Failed(error)
    }
}

/// The search, with all that it remembers.
pub struct AlphaBeta<'e> {
    runner: Runner<'e>,
    table: Table,
    habits: Vec<u32>,
    path: Vec<u64>,
    /// Positions looked at.
    pub nodes: u64,
    /// Lines that came back to a position of their own.
    pub circles: u64,
}

/// A next position.
struct Child {
    position: Position,
    key: u64,
    /// What the action changes, as a key.
    change: u32,
    bounds: Bounds,
}

impl<'e> AlphaBeta<'e> {
    /// One for an engine, with a table of so many bytes.
    #[must_use]
    pub fn new(engine: &'e Engine, bytes: usize) -> AlphaBeta<'e> {
        AlphaBeta {
            runner: Runner::new(engine),
            table: Table::new(bytes),
            habits: vec![0; HABITS],
            path: Vec::new(),
            nodes: 0,
            circles: 0,
        }
    }

    /// How many positions the table holds.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.table.used()
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &'e Engine {
        self.runner.engine()
    }

    /// What a position is worth, as far as can be seen in so many actions; both questions are asked.
    ///
    /// # Errors
    /// When the limit is come to or the rules fail.
    pub fn look(
        &mut self,
        position: &Position,
        depth: u8,
        limit: Limit<'_>,
    ) -> Result<Bounds, Broken> {
        self.path.clear();
        let mut bounds = Bounds::UNKNOWN;
        for question in Question::BOTH {
            bounds = bounds.and(self.ask(position, question, depth, limit)?);
        }
        Ok(bounds)
    }

    /// One question about a position.
    ///
    /// # Errors
    /// When the limit is come to or the rules fail.
    pub fn ask(
        &mut self,
        position: &Position,
        question: Question,
        depth: u8,
        limit: Limit<'_>,
    ) -> Result<Bounds, Broken> {
        let key = self.engine().key(position);
        self.path.clear();
        match self.at_once(position, key)? {
            bounds if question.answer(bounds).is_some() => Ok(bounds),
            bounds => Ok(self
                .visit(position, key, question, depth, limit)?
                .and(bounds)),
        }
    }

    /// What is known of a position without looking further.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn known(&mut self, position: &Position) -> Result<Bounds, PlayError> {
        let key = self.engine().key(position);
        self.at_once(position, key)
    }

    /// What is known without looking further: the end of the game, or what the table says.
    fn at_once(&mut self, position: &Position, key: u64) -> Result<Bounds, PlayError> {
        if let Some(known) = self.table.find(key) {
            return Ok(known.bounds);
        }
        let engine = self.engine();
        let outcome = engine.outcome(position)?;
        Ok(match outcome {
            None => Bounds::UNKNOWN,
            Some(_) => {
                let share = worth::shares(engine, position, outcome.as_ref())[0];
                Bounds::exactly(Value::of_share(share))
            }
        })
    }

    /// Looks at a position whose answer is not known and where the game is not over.
    fn visit(
        &mut self,
        position: &Position,
        key: u64,
        question: Question,
        depth: u8,
        limit: Limit<'_>,
    ) -> Result<Bounds, Broken> {
        let begun = self.nodes;
        self.nodes += 1;
        if self.nodes >= limit.nodes
            || (self.nodes.is_multiple_of(256)
                && (limit.stop.load(Ordering::Relaxed)
                    || limit.until.is_some_and(|t| Instant::now() >= t)))
        {
            return Err(Broken::Limit);
        }
        let known = self.table.find(key);
        if depth == 0 || known.is_some_and(|k| k.depths[question.index()] >= depth) {
            return Ok(known.map_or(Bounds::UNKNOWN, |k| k.bounds));
        }
        let maximal = worth::mover(self.engine(), position) == 0;
        let mut children = self.children(position, key)?;
        // Somewhere it may be decided already.
        let decided = |c: &&Child| question.answer(c.bounds) == Some(maximal);
        if let Some(child) = children.iter().find(decided) {
            let bounds = question.bounds(Some(maximal));
            let best = child.change;
            self.table.note(key, bounds, (question, depth), 1, best);
            return Ok(bounds);
        }
        let first = known.map_or(0, |k| k.best);
        let habit = |c: &Child| self.habits[c.change as usize % HABITS];
        children.sort_by_cached_key(|c| (c.change != first, u32::MAX - habit(c)));
        self.path.push(key);
        let found = self.try_all(&children, question, depth - 1, limit, maximal);
        self.path.pop();
        let (answer, best) = found?;
        let bounds = question.bounds(answer);
        let work = self.nodes - begun;
        let kept = (question, depth);
        self.table.note(key, bounds, kept, work, best);
        if best != 0 && answer == Some(maximal) {
            let habit = &mut self.habits[best as usize % HABITS];
            *habit = habit.saturating_add(u32::from(depth.min(16)));
        }
        Ok(bounds)
    }

    /// The answer behind one of the children, and the key of the action that gave it: what the mover wants when one has it, the
    /// other when all have that.
    fn try_all(
        &mut self,
        children: &[Child],
        question: Question,
        depth: u8,
        limit: Limit<'_>,
        maximal: bool,
    ) -> Result<(Option<bool>, u32), Broken> {
        if children.is_empty() {
            return Ok((question.answer(Bounds::exactly(Value::Draw)), 0));
        }
        let mut all = true;
        for child in children {
            let mut answer = question.answer(child.bounds);
            if answer.is_none() {
                if self.path.contains(&child.key) {
                    self.circles += 1;
                } else {
                    let found = self.visit(&child.position, child.key, question, depth, limit)?;
                    answer = question.answer(found);
                }
            }
            match answer {
                Some(answer) if answer == maximal => return Ok((Some(maximal), child.change)),
                Some(_) => {}
                None => all = false,
            }
        }
        Ok((all.then_some(!maximal), 0))
    }

    /// The next positions, with what is known of them at once.
    fn children(&mut self, position: &Position, key: u64) -> Result<Vec<Child>, PlayError> {
        let next = self.runner.next_positions(position)?;
        let mut children = Vec::with_capacity(next.len());
        for position in next {
            let child = self.engine().key(&position);
            let bounds = self.at_once(&position, child)?;
            let change = key ^ child;
            children.push(Child {
                position,
                key: child,
                change: (change ^ change >> 32) as u32 | 1,
                bounds,
            });
        }
        Ok(children)
    }
}
