//! One thread of a Monte-Carlo search: takes tasks from the shared tree, plays, and brings rewards back.

use crate::engine::{PlayError, Position, Runner};
use crate::tools::rng::Rng;
use crate::tools::search::tree::{Node, NodeId, Task, Tree};
use crate::tools::worth::{self, Shares};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A random game is broken off after so many actions; then nobody has won it.
const LONGEST_GAME: usize = 3000;

/// One thread.
pub struct Worker<'e, 't> {
    runner: Runner<'e>,
    tree: &'t Mutex<Tree>,
    rng: Rng,
    most_nodes: usize,
    path: Vec<(NodeId, usize)>,
    /// The longest path so far.
    pub depth: usize,
}

impl<'e, 't> Worker<'e, 't> {
    /// One for a tree.
    pub fn new(runner: Runner<'e>, tree: &'t Mutex<Tree>, rng: Rng, most_nodes: usize) -> Self {
        Worker {
            runner,
            tree,
            rng,
            most_nodes,
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

    /// A random game; what it is worth.
    fn roll(&mut self, position: &Position) -> Result<Shares, PlayError> {
        let rng = &mut self.rng;
        let mut last = position.clone();
        let game = self
            .runner
            .game_on(&mut last, LONGEST_GAME, |n| rng.below(n))?;
        Ok(worth::shares(
            self.runner.engine(),
            &last,
            game.outcome.as_ref(),
        ))
    }

    fn lock(&self) -> MutexGuard<'t, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
