//! All positions of a game, and what each is worth, backwards from the ends (retrograde analysis, Ströhlein 1970): an engine and a
//! position in, the value and how long it takes out. Games that can go round in circles are no harder; where nobody can force an
//! end it is a draw. Positions are told apart by their keys.

use crate::engine::{Engine, PlayError, Position, Runner};
use crate::tools::solve::alphabeta::{Broken, Limit};
use crate::tools::solve::value::Value;
use crate::tools::worth;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// All that can come of a position.
pub struct Complete {
    /// The number of each position, by its key.
    numbers: FxHashMap<u64, u32>,
    /// Whose turn it is; whether it is the first person's.
    first: Vec<bool>,
    /// Where the game is over: its value.
    ends: Vec<Option<Value>>,
    /// Where the next positions of each begin, and one more.
    starts: Vec<u32>,
    /// The next positions.
    nexts: Vec<u32>,
    /// For each position: its value and the number of actions to a forced end.
    worth: Vec<(Value, u32)>,
}

/// What the memory's keeper takes for a piece of memory, about.
const KEPT: usize = 16;

/// What is known of a position as one that came before others, where rules look back.
const BEFORE: usize = 40 + KEPT;

impl Complete {
    /// Finds all positions that can come of one.
    ///
    /// # Errors
    /// When there are more than the memory or the limit allows, or the rules fail.
    pub fn new(
        engine: &Engine,
        position: &Position,
        memory: usize,
        limit: Limit<'_>,
    ) -> Result<Complete, Broken> {
        let mut all = Complete {
            numbers: FxHashMap::default(),
            first: Vec::new(),
            ends: Vec::new(),
            starts: vec![0],
            nexts: Vec::new(),
            worth: Vec::new(),
        };
        let mut runner = Runner::new(engine);
        let mut layer = vec![position.clone()];
        all.number(engine.key(position));
        let looks_back = engine.program().looks_back;
        // Positions, and places for them.
        let mut waiting = (0, 0);
        while !layer.is_empty() {
            let mut next_layer = Vec::new();
            for position in &layer {
                let of_each = position.bytes() + KEPT;
                let past = if looks_back {
                    all.first.len() * BEFORE
                } else {
                    0
                };
                let states = waiting.1 * size_of::<Position>() + waiting.0 * of_each + past;
                if all.bytes() + states > memory || all.numbers.len() as u64 > limit.nodes {
                    return Err(Broken::Limit);
                }
                if all.first.len().is_multiple_of(256)
                    && (limit.stop.load(Ordering::Relaxed)
                        || limit.until.is_some_and(|t| Instant::now() >= t))
                {
                    return Err(Broken::Limit);
                }
                all.add(engine, &mut runner, position, &mut next_layer)?;
                waiting = (
                    layer.len() + next_layer.len(),
                    layer.capacity() + next_layer.capacity(),
                );
            }
            layer = next_layer;
        }
        all.look_back();
        Ok(all)
    }

    /// The bytes that it takes, with those that going backwards will take, and those into which a list will be moved that is full.
    fn bytes(&self) -> usize {
        let places = self.first.capacity() + 1;
        let buckets = (self.numbers.capacity() * 8)
            .div_ceil(7)
            .next_power_of_two();
        let full = if self.numbers.len() == self.numbers.capacity() {
            3
        } else {
            1
        };
        let numbers = full * buckets * (size_of::<(u64, u32)>() + 1);
        let listed = size_of::<bool>() + size_of::<Option<Value>>() + size_of::<u32>();
        // Two beginnings, what is left, whether it is sure, the ring and the next one.
        let backwards = size_of::<(Value, u32)>() + 5 * size_of::<u32>() + size_of::<bool>();
        let nexts = self.nexts.capacity() + self.nexts.len();
        let moved = if self.nexts.len() == self.nexts.capacity() {
            2
        } else {
            0
        } * self.nexts.len();
        numbers + places * (listed + backwards) + (nexts + moved) * size_of::<u32>()
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    fn number(&mut self, key: u64) -> (u32, bool) {
        let count = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let mut new = false;
        let number = *self.numbers.entry(key).or_insert_with(|| {
            new = true;
            count
        });
        (number, new)
    }

    /// Takes a position in; positions not seen before go on the next layer.
    fn add(
        &mut self,
        engine: &Engine,
        runner: &mut Runner<'_>,
        position: &Position,
        layer: &mut Vec<Position>,
    ) -> Result<(), PlayError> {
        self.first.push(worth::mover(engine, position) == 0);
        let outcome = engine.outcome(position)?;
        let mut end = outcome
            .as_ref()
            .map(|outcome| Value::of_share(worth::shares(engine, position, Some(outcome))[0]));
        if end.is_none() {
            let next = runner.next_positions(position)?;
            if next.is_empty() {
                end = Some(Value::Draw);
            }
            for position in next {
                let (number, new) = self.number(engine.key(&position));
                self.nexts.push(number);
                if new {
                    layer.push(position);
                }
            }
        }
        self.ends.push(end);
        self.starts
            .push(u32::try_from(self.nexts.len()).unwrap_or(u32::MAX));
        Ok(())
    }

    fn after(&self, number: u32) -> &[u32] {
        let at = number as usize;
        &self.nexts[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Goes backwards from the ends, once for each winner.
    fn look_back(&mut self) {
        let count = self.len();
        let mut before_starts = vec![0u32; count + 1];
        for next in &self.nexts {
            before_starts[*next as usize + 1] += 1;
        }
        for n in 0..count {
            before_starts[n + 1] += before_starts[n];
        }
        let mut fill = before_starts.clone();
        let mut before = vec![0u32; self.nexts.len()];
        for from in 0..count {
            for to in self.after(from as u32) {
                let at = &mut fill[*to as usize];
                before[*at as usize] = from as u32;
                *at += 1;
            }
        }
        self.worth = vec![(Value::Draw, 0); count];
        for winner in [Value::Win, Value::Loss] {
            let mut left: Vec<u32> = (0..count as u32)
                .map(|n| self.after(n).len() as u32)
                .collect();
            let mut sure = vec![false; count];
            let mut ring: Vec<u32> = (0..count as u32)
                .filter(|n| self.ends[*n as usize] == Some(winner))
                .collect();
            let mut distance = 0;
            while !ring.is_empty() {
                for n in &ring {
                    sure[*n as usize] = true;
                    self.worth[*n as usize] = (winner, distance);
                }
                let mut wider = Vec::new();
                for n in ring {
                    let at = n as usize;
                    let span = before_starts[at] as usize..before_starts[at + 1] as usize;
                    for from in &before[span] {
                        let f = *from as usize;
                        if sure[f] || left[f] == 0 {
                            continue;
                        }
                        left[f] -= 1;
                        let mine = self.first[f] == (winner == Value::Win);
                        if mine || left[f] == 0 {
                            // Nothing is left to be counted: it is in the next ring once.
                            left[f] = 0;
                            wider.push(*from);
                        }
                    }
                }
                ring = wider;
                distance += 1;
            }
        }
    }

    /// The value of a position, and how many actions a forced win takes; nothing for a position that cannot come up.
    #[must_use]
    pub fn worth(&self, key: u64) -> Option<(Value, u32)> {
        let number = *self.numbers.get(&key)?;
        self.worth.get(number as usize).copied()
    }
}
