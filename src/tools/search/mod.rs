//! A search that plays any game: an engine, a position and a budget in, actions with what they are worth out. It knows the
//! rules only by asking the engine. Nothing here chooses for a person or reads a clock for anything but its budget.

mod ahead;
mod budget;
mod estimate;
mod report;
mod seat;
mod tree;
mod worker;

pub use budget::{BadBudget, Budget, duration};
pub use report::{Line, Proof, Report};
pub use seat::{BadSeat, Seat, Sitting};

use crate::engine::{Action, Engine, PlayError, Position, Runner};
use crate::tools::rng::Rng;
use crate::tools::search::estimate::Learning;
use crate::tools::search::tree::{Node, NodeId, Tree};
use crate::tools::search::worker::Worker;
use crate::tools::solve::alphabeta::Limit;
use crate::tools::worth;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long.
    pub budget: Budget,
    /// With how many threads, at least one. With one the same seed finds the same, when the budget is not a time.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
    /// The most positions to keep.
    pub nodes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            budget: Budget::default(),
            threads: 1,
            seed: crate::tools::rng::DEFAULT_SEED,
            nodes: 1 << 20,
        }
    }
}

/// Looks for good actions; keeps what it has found from one position to the next.
#[derive(Debug)]
pub struct Search<'e> {
    engine: &'e Engine,
    settings: Settings,
    rngs: Vec<Rng>,
    tree: Tree,
    learning: Learning,
}

/// So many positions at most are looked at for what is certain.
const MOST_AHEAD: u64 = 30_000;

/// And at most so long, however much time there is.
const LONGEST_AHEAD: Duration = Duration::from_millis(250);

/// How often a search tells what it has found so far.
const TELLING: Duration = Duration::from_millis(200);

impl<'e> Search<'e> {
    /// A search that has found nothing yet.
    #[must_use]
    pub fn new(engine: &'e Engine, settings: Settings) -> Search<'e> {
        let mut seeds = Rng::new(settings.seed);
        let rngs = (0..settings.threads.max(1)).map(|_| Rng::new(seeds.next_u64()));
        Search {
            engine,
            rngs: rngs.collect(),
            settings,
            tree: Tree::default(),
            learning: Learning::new(engine),
        }
    }

    /// Another budget from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.settings.budget = budget;
    }

    /// Looks at a position until the budget is used up, everything is certain, or `stop` is set; there is always an action when
    /// there is a legal one. `tell` hears now and then what has been found so far.
    ///
    /// # Errors
    /// When the rules fail in some position.
    pub fn think(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Report),
    ) -> Result<Report, PlayError> {
        let begun = Instant::now();
        let actions = self.engine.legal_actions(position)?;
        self.stand_on(position);
        if actions.is_empty() {
            return Ok(Report::default());
        }
        let won = self.look_ahead(position, &actions, begun, stop)?;
        let thought = Thought {
            engine: self.engine,
            budget: self.settings.budget,
            begun,
            actions: &actions,
            stop,
            done: AtomicBool::new(won || actions.len() == 1),
            rounds: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
            tree: Mutex::new(std::mem::take(&mut self.tree)),
            learning: &self.learning,
            most_nodes: self.settings.nodes.max(2),
        };
        let told = thought.think(&mut self.rngs, tell);
        let report = told.and_then(|()| thought.report(position));
        self.tree = thought.tree.into_inner().unwrap_or_default();
        report
    }

    /// Looks for what is certain a few actions ahead, and notes it; whether there is a win.
    fn look_ahead(
        &mut self,
        position: &Position,
        actions: &[Action],
        begun: Instant,
        stop: &AtomicBool,
    ) -> Result<bool, PlayError> {
        if actions.len() == 1 || self.engine.program().players.len() != 2 {
            return Ok(false);
        }
        let budget = self.settings.budget;
        let nodes = budget
            .playouts
            .map_or(MOST_AHEAD, |n| (n / 2).min(MOST_AHEAD));
        let limit = Limit {
            nodes,
            until: budget
                .time
                .map(|time| begun + (time / 8).min(LONGEST_AHEAD)),
            stop,
        };
        let me = worth::mover(self.engine, position);
        let mut won = false;
        for certain in ahead::look(self.engine, position, actions, limit)? {
            let next = &certain.position;
            let key = self.engine.key(next);
            let drawn = self.rngs.first_mut().map_or(0, Rng::next_u64);
            let mover = worth::mover(self.engine, next);
            let node = Node::new(next.clone(), mover, 2, drawn);
            let id = self.tree.insert(key, node);
            let node = self.tree.node_mut(id);
            if !node.is_known() {
                node.bound(&certain.least, &certain.most, certain.distance);
            }
            won |= node.least[me] >= 1.0;
        }
        Ok(won)
    }

    /// Makes a position the root, with what is known of it.
    fn stand_on(&mut self, position: &Position) {
        let engine = self.engine;
        let tree = std::mem::take(&mut self.tree);
        let key = engine.key(position);
        if let Some(root) = tree.find(key, position) {
            self.tree = tree.cut(root, |p| engine.key(p));
            // That it is won does not tell by which action.
            self.tree.node_mut(NodeId(0)).reopen();
            return;
        }
        let people = engine.program().players.len();
        let drawn = self.rngs.first_mut().map_or(0, Rng::next_u64);
        let root = Node::new(
            position.clone(),
            worth::mover(engine, position),
            people,
            drawn,
        );
        self.tree.insert(key, root);
    }
}

/// One act of thinking, shared by its threads.
struct Thought<'a> {
    engine: &'a Engine,
    budget: Budget,
    begun: Instant,
    actions: &'a [Action],
    stop: &'a AtomicBool,
    done: AtomicBool,
    rounds: AtomicU64,
    depth: AtomicUsize,
    tree: Mutex<Tree>,
    learning: &'a Learning,
    most_nodes: usize,
}

impl Thought<'_> {
    fn think(&self, rngs: &mut [Rng], tell: &mut dyn FnMut(&Report)) -> Result<(), PlayError> {
        let Some((first, others)) = rngs.split_first_mut() else {
            return Ok(());
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = others
                .iter_mut()
                .map(|rng| scope.spawn(|| self.work(rng, &mut || Ok(()))))
                .collect();
            let mut told = Instant::now();
            let root = self.lock().node(NodeId(0)).position.clone();
            let mut result = self.work(first, &mut || {
                if told.elapsed() >= TELLING {
                    tell(&self.report(&root)?);
                    told = Instant::now();
                }
                Ok(())
            });
            for thread in threads {
                if let Ok(other) = thread.join() {
                    result = result.and(other);
                }
            }
            result
        })
    }

    /// What one thread does.
    fn work(
        &self,
        rng: &mut Rng,
        now_and_then: &mut dyn FnMut() -> Result<(), PlayError>,
    ) -> Result<(), PlayError> {
        let runner = Runner::new(self.engine);
        let mut worker = Worker::new(
            runner,
            (&self.tree, self.learning),
            rng.clone(),
            self.most_nodes,
        );
        let mut result = Ok(());
        while result.is_ok() && self.goes_on() {
            result = worker.round().and_then(|more| {
                self.depth.fetch_max(worker.depth, Ordering::Relaxed);
                if !more {
                    self.done.store(true, Ordering::Relaxed);
                }
                now_and_then()
            });
        }
        if result.is_err() {
            self.done.store(true, Ordering::Relaxed);
        }
        *rng = worker.into_rng();
        result
    }

    /// Whether there is a round more; counts it.
    fn goes_on(&self) -> bool {
        if self.done.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
            return false;
        }
        if self.budget.time.is_some_and(|t| self.begun.elapsed() >= t) {
            return false;
        }
        let before = self.rounds.fetch_add(1, Ordering::Relaxed);
        let goes_on = self.budget.playouts.is_none_or(|most| before < most);
        if !goes_on {
            self.rounds.fetch_sub(1, Ordering::Relaxed);
        }
        goes_on
    }

    fn report(&self, position: &Position) -> Result<Report, PlayError> {
        let tree = self.lock();
        let lines = report::lines(self.engine, &tree, NodeId(0), self.actions);
        let best_line = report::best_line(self.engine, &tree, position, lines.first())?;
        Ok(Report {
            lines,
            best_line,
            playouts: self.rounds.load(Ordering::Relaxed),
            nodes: tree.len(),
            depth: self.depth.load(Ordering::Relaxed),
            elapsed: self.begun.elapsed(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::OutcomeResult;
    use crate::program::PlayerId;
    use crate::tools::rng::Rng;
    use crate::tools::search::{Budget, Proof, Search, Settings};
    use crate::tools::testing::two_a_turn;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn what_is_won_is_won_to_the_end() {
        let engine = two_a_turn();
        let stop = AtomicBool::new(false);
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let settings = Settings {
                seed,
                ..Settings::default()
            };
            let mut search = Search::new(&engine, settings);
            let mut position = engine.initial();
            let mut think = |position: &_, playouts| {
                search.set_budget(Budget::of_playouts(playouts));
                search.think(position, &stop, &mut |_| ()).unwrap()
            };
            // After much thought about the start there is little about the rest.
            let first = think(&position, 5000);
            assert_eq!(first.best().unwrap().proven, Some(Proof::Win));
            let mut text = first.best().unwrap().action.clone();
            loop {
                position = engine.play_text(&position, &text).unwrap();
                let actions = engine.legal_actions(&position).unwrap();
                if actions.is_empty() {
                    break;
                }
                text = if engine.to_move(&position) == PlayerId(0) {
                    think(&position, 60).best().unwrap().action.clone()
                } else {
                    rng.pick(&actions).unwrap().text.clone()
                };
            }
            let outcome = engine.outcome(&position).unwrap().unwrap();
            assert_eq!(outcome.result, OutcomeResult::Win(PlayerId(0)), "{seed}");
        }
    }
}
