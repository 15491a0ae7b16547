//! What a game is worth when everybody plays as well as can be: an engine, a position, memory and time in, the value and a line of
//! best play out, or how far it came. First all positions are listed, if they are few enough; else alpha-beta searches look
//! deeper and deeper.

pub mod alphabeta;
mod complete;
mod table;
mod value;

pub use value::{Bounds, Value};

use crate::engine::{Engine, PlayError, Position};
use crate::tools::solve::alphabeta::{AlphaBeta, Broken, Limit, WITHOUT_END};
use crate::tools::solve::complete::Complete;
use crate::tools::worth;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How to look for the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// All positions, if they fit the memory, else by search.
    #[default]
    Auto,
    /// All positions, backwards from the ends.
    Complete,
    /// Alpha-beta search.
    Search,
}

/// How much may be used.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// How to look.
    pub method: Method,
    /// Bytes.
    pub memory: usize,
    /// Time.
    pub time: Duration,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// What the position can be worth to the first person.
    pub bounds: Bounds,
    /// Which way of looking came to it.
    pub method: Method,
    /// Actions to the end, when somebody wins by force and all positions were listed; a search does not tell the shortest way.
    pub distance: Option<u32>,
    /// A line of best play, as far as it is known.
    pub line: Vec<String>,
    /// Whether the line goes on for ever rather than to an end.
    pub circle: bool,
    /// Whether the line comes to where nothing can be played, and no end says what then.
    pub dead_end: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Different positions, when all were listed.
    pub positions: Option<usize>,
    /// The depth in actions to which everything was looked at.
    pub depth: u8,
}

/// Depths that are looked at one after the other before a search without end is tried may take so many positions.
const SHALLOW: u64 = 200_000;

/// The longest line that is told.
const LONGEST_LINE: usize = 500;

/// Looks for the value of a position. There must be one or two people.
///
/// # Errors
/// When the rules fail.
pub fn solve(
    engine: &Engine,
    position: &Position,
    means: Means,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Solution),
) -> Result<Solution, PlayError> {
    let begun = Instant::now();
    let until = begun + means.time;
    let limit = |share: u32| Limit {
        nodes: u64::MAX,
        until: Some(begun + means.time / share),
        stop,
    };
    let mut solver = Solver {
        engine,
        position,
        found: Solution {
            bounds: Bounds::UNKNOWN,
            method: Method::Search,
            distance: None,
            line: Vec::new(),
            circle: false,
            dead_end: false,
            nodes: 0,
            positions: None,
            depth: 0,
        },
    };
    let complete = match means.method {
        Method::Auto => Some(limit(4)),
        Method::Complete => Some(limit(1)),
        Method::Search => None,
    };
    if let Some(limit) = complete {
        match Complete::new(engine, position, means.memory, limit) {
            Ok(all) => return solver.by_all(&all),
            Err(Broken::Failed(error)) => return Err(error),
            Err(Broken::Limit) => {}
        }
    }
    if means.method != Method::Complete {
        let limit = Limit {
            nodes: u64::MAX,
            until: Some(until),
            stop,
        };
        solver.by_search(means.memory, limit, tell)?;
    }
    Ok(solver.found)
}

struct Solver<'a> {
    engine: &'a Engine,
    position: &'a Position,
    found: Solution,
}

impl Solver<'_> {
    /// From the list of all positions.
    fn by_all(mut self, all: &Complete) -> Result<Solution, PlayError> {
        let engine = self.engine;
        let worth_of = |p: &Position| all.worth(engine.key(p)).unwrap_or((Value::Draw, 0));
        let (value, distance) = worth_of(self.position);
        self.found.bounds = Bounds::exactly(value);
        self.found.method = Method::Complete;
        self.found.distance = (value != Value::Draw).then_some(distance);
        self.found.positions = Some(all.len());
        self.found.nodes = all.len() as u64;
        let mut position = self.position.clone();
        let mut seen = BTreeSet::new();
        while seen.insert(engine.key(&position)) && self.found.line.len() < LONGEST_LINE {
            let actions = engine.legal_actions(&position)?;
            let first = worth::mover(engine, &position) == 0;
            let next = actions.iter().map(|a| (a, engine.play(&position, a)));
            let best = next.min_by_key(|(a, p)| {
                let (worth, distance) = worth_of(p);
                let good = if first { worth } else { opposite(worth) };
                // The best value; of wins the shortest, of losses the longest.
                let far = if good == Value::Loss {
                    u32::MAX - distance
                } else {
                    distance
                };
                (std::cmp::Reverse(good), far, a.text.clone())
            });
            let Some((action, next)) = best else {
                self.found.dead_end = engine.outcome(&position)?.is_none();
                break;
            };
            self.found.line.push(action.text.clone());
            position = next;
        }
        self.found.circle = !self.found.dead_end && engine.outcome(&position)?.is_none();
        Ok(self.found)
    }

    /// By searches, deeper and deeper, and one without end between.
    fn by_search(
        &mut self,
        memory: usize,
        limit: Limit<'_>,
        tell: &mut dyn FnMut(&Solution),
    ) -> Result<(), PlayError> {
        let mut search = AlphaBeta::new(self.engine, memory);
        let mut endless = false;
        let mut found_at = WITHOUT_END;
        for depth in 1..WITHOUT_END {
            if !endless && search.nodes > SHALLOW {
                endless = true;
                let half = limit.until.map(|t| {
                    let now = Instant::now();
                    now + t.saturating_duration_since(now) / 2
                });
                let limit = Limit {
                    until: half,
                    ..limit
                };
                if !self.step(&mut search, WITHOUT_END, limit)? && search.circles == 0 {
                    break;
                }
                tell(&self.found);
                if self.found.bounds.known().is_some() {
                    break;
                }
            }
            if !self.step(&mut search, depth, limit)? {
                break;
            }
            self.found.depth = depth;
            tell(&self.found);
            if self.found.bounds.known().is_some() {
                found_at = depth;
                break;
            }
        }
        self.found.nodes = search.nodes;
        if let Some(value) = self.found.bounds.known() {
            self.line_of(&mut search, value, found_at, limit)?;
        }
        Ok(())
    }

    /// Looks so deep; false when the limit was come to.
    fn step(
        &mut self,
        search: &mut AlphaBeta<'_>,
        depth: u8,
        limit: Limit<'_>,
    ) -> Result<bool, PlayError> {
        let looked = search.look(self.position, depth, limit);
        self.found.nodes = search.nodes;
        match looked {
            Ok(bounds) => {
                self.found.bounds = self.found.bounds.and(bounds);
                Ok(true)
            }
            Err(Broken::Limit) => Ok(false),
            Err(Broken::Failed(error)) => Err(error),
        }
    }

    /// A line that keeps the value, while that can be shown.
    fn line_of(
        &mut self,
        search: &mut AlphaBeta<'_>,
        value: Value,
        mut depth: u8,
        limit: Limit<'_>,
    ) -> Result<(), PlayError> {
        let engine = self.engine;
        let mut position = self.position.clone();
        while self.found.line.len() < LONGEST_LINE {
            depth = depth.saturating_sub(1);
            let mut kept = None;
            for action in engine.legal_actions(&position)? {
                let next = engine.play(&position, &action);
                match search.look(&next, depth, limit) {
                    Ok(bounds) if bounds.known() == Some(value) => {
                        kept = Some((action.text, next));
                        break;
                    }
                    Ok(_) => {}
                    Err(Broken::Limit) => return Ok(()),
                    Err(Broken::Failed(error)) => return Err(error),
                }
            }
            let Some((text, next)) = kept else { break };
            self.found.line.push(text);
            position = next;
        }
        Ok(())
    }
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Loss => Value::Win,
        Value::Draw => Value::Draw,
        Value::Win => Value::Loss,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::tools::solve::{Means, Method, Solution, Value, solve};
    use crate::tools::testing::{for_ever, three_in_a_row, two_a_turn};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn solved(engine: &Engine, method: Method) -> Solution {
        let means = Means {
            method,
            memory: 64 << 20,
            time: Duration::from_secs(60),
        };
        let stop = AtomicBool::new(false);
        solve(engine, &engine.initial(), means, &stop, &mut |_| ()).unwrap()
    }

    #[test]
    fn three_in_a_row_is_a_draw() {
        let engine = three_in_a_row();
        for method in [Method::Complete, Method::Search] {
            let found = solved(&engine, method);
            assert_eq!(found.bounds.known(), Some(Value::Draw), "{method:?}");
            assert_eq!((found.line.len(), found.distance), (9, None), "{method:?}");
        }
        assert_eq!(solved(&engine, Method::Auto).positions, Some(5478));
    }

    #[test]
    fn turns_of_two_actions_are_won() {
        let engine = two_a_turn();
        let by_all = solved(&engine, Method::Complete);
        assert_eq!(by_all.bounds.known(), Some(Value::Win));
        let by_search = solved(&engine, Method::Search);
        assert_eq!(by_search.bounds, by_all.bounds);
        assert_eq!(Some(by_all.line.len() as u32), by_all.distance);
        assert_eq!(by_search.distance, None);
        assert!(!by_search.line.is_empty());
    }

    #[test]
    fn what_goes_on_for_ever_is_a_draw() {
        let found = solved(&for_ever(), Method::Complete);
        assert_eq!(found.bounds.known(), Some(Value::Draw));
        assert!(found.circle);
    }
}
