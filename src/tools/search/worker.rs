//! One thread of a Monte-Carlo search: takes tasks from the shared tree, plays, and brings rewards back.

use crate::engine::{Game, PlayError, Position, Runner};
use crate::program::PlayerId;
use crate::tools::rng::Rng;
use crate::tools::search::estimate::Learning;
use crate::tools::search::tree::{Node, NodeId, Task, Tree};
use crate::tools::worth::{self, Shares};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A random game is broken off after so many actions; then nobody has won it.
const LONGEST_GAME: usize = 3000;

/// One in so many random games is played to its end, when positions can be guessed.
const WHOLE_GAMES: u64 = 8;

/// Before a position is guessed fewer actions than this are played at random.
const A_FEW: u64 = 4;

/// One thread.
pub struct Worker<'e, 't> {
    runner: Runner<'e>,
    tree: &'t Mutex<Tree>,
    rng: Rng,
    most_nodes: usize,
    learning: &'t Learning,
    /// How many random games it has played.
    rolled: u64,
    /// About how long they are.
    longest: u64,
    numbers: Vec<f64>,
    path: Vec<(NodeId, usize)>,
    /// The longest path so far.
    pub depth: usize,
}

impl<'e, 't> Worker<'e, 't> {
    /// One for a tree.
    pub fn new(
        runner: Runner<'e>,
        (tree, learning): (&'t Mutex<Tree>, &'t Learning),
        rng: Rng,
        most_nodes: usize,
    ) -> Self {
        Worker {
            runner,
            tree,
            learning,
            rng,
            most_nodes,
            rolled: 0,
            longest: 100,
            numbers: Vec::new(),
            path: Vec::new(),
            depth: 0,
        }
    }

    /// What it draws with, for the next time.
    pub fn into_rng(self) -> Rng {
        self.rng
    }

    /// Goes down the tree once and brings a reward back. False when the root is known: there is nothing more to find out.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn round(&mut self) -> Result<bool, PlayError> {
        loop {
            let mut tree = self.lock();
            let mut path = std::mem::take(&mut self.path);
            let (end, task) = tree.descend(&mut path, self.most_nodes);
            self.depth = self.depth.max(path.len());
            let going_on = match task {
                Task::Known => {
                    let worth = tree.node(end).least.clone();
                    tree.reward(&path, end, &worth);
                    tree.bound(&path);
                    Some(!path.is_empty())
                }
                Task::Open { position } => {
                    drop(tree);
                    let count = self.runner.options(&position)?;
                    let mut tree = self.lock();
                    tree.forget(&path);
                    let node = tree.node_mut(end);
                    node.options = u32::try_from(count).ok();
                    if count == 0 {
                        node.know(&worth::even(self.runner.engine()));
                    }
                    None
                }
                Task::Roll { position } => {
                    drop(tree);
                    let reward = self.roll(&position)?;
                    self.lock().reward(&path, end, &reward);
                    Some(true)
                }
                Task::Try { option, from } => {
                    drop(tree);
                    self.try_out(&path, &from, option)?;
                    Some(true)
                }
            };
            self.path = path;
            if let Some(going_on) = going_on {
                return Ok(going_on);
            }
        }
    }

    /// Goes where nobody was and plays on from there.
    fn try_out(
        &mut self,
        path: &[(NodeId, usize)],
        from: &Position,
        option: u32,
    ) -> Result<(), PlayError> {
        let engine = self.runner.engine();
        let next = self.runner.option(from, option as usize)?;
        let outcome = engine.outcome(&next)?;
        let people = engine.program().players.len();
        let key = engine.key(&next);
        let drawn = self.rng.next_u64();
        let mut node = Node::new(next.clone(), worth::mover(engine, &next), people, drawn);
        let reward = if outcome.is_some() {
            let worth = worth::shares(engine, &next, outcome.as_ref());
            node.know(&worth);
            worth
        } else {
            self.roll(&next)?
        };
        let mut tree = self.lock();
        let id = tree.insert(key, node);
        if let Some((last, way)) = path.last()
            && let Some(way) = tree.node_mut(*last).ways.get_mut(*way)
        {
            way.to = Some(id);
        }
        tree.reward(path, id, &reward);
        if tree.node(id).is_known() {
            tree.bound(path);
        }
        Ok(())
    }

    /// A random game; what it is worth. Once positions can be guessed it is broken off after a few actions, but for some games
    /// that go on to their end, from which more is learnt.
    fn roll(&mut self, position: &Position) -> Result<Shares, PlayError> {
        let engine = self.runner.engine();
        let mut last = position.clone();
        self.rolled += 1;
        let guesser = self.learning.guesser();
        let Some(guesser) = guesser.filter(|_| !self.rolled.is_multiple_of(WHOLE_GAMES)) else {
            return self.roll_on(last);
        };
        let few = self.rng.below(A_FEW) as usize;
        let game = self.play_at_random(&mut last, few)?;
        if game.outcome.is_some() || game.plies < few {
            return Ok(worth::shares(engine, &last, game.outcome.as_ref()));
        }
        let lie = &self.learning.lie;
        let guess = guesser.guess(engine, lie, &last, &mut self.numbers);
        Ok(worth::of_first_player(engine, &last, guess as f32))
    }

    /// A random game to its end; a position on its way is learnt from.
    fn roll_on(&mut self, mut last: Position) -> Result<Shares, PlayError> {
        let engine = self.runner.engine();
        let mut on_the_way = None;
        if self.learning.learns() {
            let some = self.rng.below(self.longest.max(1)) as usize;
            let begun = self.play_at_random(&mut last, some)?;
            if begun.outcome.is_some() || begun.plies < some {
                // It was over before; positions are taken from the shorter games as well.
                self.longest = begun.plies as u64;
                return Ok(worth::shares(engine, &last, begun.outcome.as_ref()));
            }
            on_the_way = Some(last.clone());
        }
        let game = self.play_at_random(&mut last, LONGEST_GAME)?;
        let shares = worth::shares(engine, &last, game.outcome.as_ref());
        if let Some(position) = on_the_way {
            self.longest = (self.longest * 3 + game.plies as u64) / 4 + 1;
            let first = engine.person(&position, PlayerId(0));
            let share = f64::from(shares[usize::from(first.0)]);
            self.learning
                .learn(engine, (&position, share), &mut self.numbers);
        }
        Ok(shares)
    }

    fn play_at_random(&mut self, position: &mut Position, plies: usize) -> Result<Game, PlayError> {
        let rng = &mut self.rng;
        self.runner.game_on(position, plies, |n| rng.below(n))
    }

    fn lock(&self) -> MutexGuard<'t, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
