//! What a search tells: a tree in, actions in order with what they are worth out.

use crate::engine::{Action, Engine, PlayError, Position};
use crate::tools::search::tree::{Node, NodeId, Tree};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::time::Duration;

/// The longest line of play that is told, in actions.
const LONGEST_LINE: usize = 24;

/// What is certain of an action, for the person who plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It wins, whatever the others do.
    Win,
    /// It does neither win nor lose.
    Draw,
    /// It loses, when the others do as they should.
    Loss,
}

/// An action, and what has been found of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The action.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// What its player can expect from it: 1 is a win, 0 a loss.
    pub value: f64,
    /// What is certain of it.
    pub proven: Option<Proof>,
    /// Actions to the certain end, this one among them.
    pub distance: Option<u16>,
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The actions, the best first; none when the game is over.
    pub lines: Vec<Line>,
    /// What it expects to be played, beginning with the best action.
    pub best_line: Vec<String>,
    /// How many random games it has played.
    pub playouts: u64,
    /// How many positions it keeps.
    pub nodes: usize,
    /// The longest line that it looked at, in actions.
    pub depth: usize,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// The best action; nothing when the game is over.
    #[must_use]
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}

/// What is certain of a node for a person.
fn proof(node: &Node, me: usize) -> Option<Proof> {
    if node.least[me] >= 1.0 {
        Some(Proof::Win)
    } else if node.most[me] <= 0.0 {
        Some(Proof::Loss)
    } else if node.is_known() {
        Some(Proof::Draw)
    } else {
        None
    }
}

/// The actions of a node, the best first.
pub fn lines(engine: &Engine, tree: &Tree, at: NodeId, actions: &[Action]) -> Vec<Line> {
    let node = tree.node(at);
    let me = usize::from(node.mover);
    let tried: FxHashMap<NodeId, u32> = node
        .ways
        .iter()
        .filter_map(|way| Some((way.to?, way.visits)))
        .collect();
    let mut lines: Vec<Line> = Vec::with_capacity(actions.len());
    for action in actions {
        let next = engine.play(&node.position, action);
        let line = match tree.find(engine.key(&next), &next) {
            Some(id) => {
                let next = tree.node(id);
                let proven = proof(next, me);
                let mut value = next.value(me);
                if next.visits == 0 && proven.is_none() {
                    value = node.value(me).clamp(next.least[me], next.most[me]);
                }
                Line {
                    action: action.text.clone(),
                    visits: tried.get(&id).copied().map_or(0, u64::from),
                    value: f64::from(value),
                    proven,
                    distance: proven
                        .filter(|_| next.is_known())
                        .map(|_| next.distance.saturating_add(1)),
                }
            }
            None => Line {
                action: action.text.clone(),
                visits: 0,
                value: f64::from(node.value(me)),
                proven: None,
                distance: None,
            },
        };
        lines.push(line);
    }
    let sure = lines
        .iter()
        .filter(|l| l.proven == Some(Proof::Draw))
        .map(|l| l.value)
        .fold(0.0, f64::max);
    lines.sort_by(|a, b| compare(a, b, sure));
    lines
}

/// Which of two actions is better: won before all, lost behind all, else what was tried more often; but what is surely worth
/// `sure` stands before what seems to be worth less.
fn compare(a: &Line, b: &Line, sure: f64) -> Ordering {
    let rank = |l: &Line| match l.proven {
        Some(Proof::Win) => 0,
        Some(Proof::Draw) => 2,
        None if l.visits > 0 && l.value > sure => 1,
        None => 3,
        Some(Proof::Loss) => 4,
    };
    let by_distance = match (a.proven, b.proven) {
        (Some(Proof::Win), Some(Proof::Win)) => a.distance.cmp(&b.distance),
        (Some(Proof::Loss), Some(Proof::Loss)) => b.distance.cmp(&a.distance),
        (Some(Proof::Draw), Some(Proof::Draw)) => b.value.total_cmp(&a.value),
        _ => Ordering::Equal,
    };
    rank(a)
        .cmp(&rank(b))
        .then(by_distance)
        .then(b.visits.cmp(&a.visits))
        .then(b.value.total_cmp(&a.value))
        .then_with(|| a.action.cmp(&b.action))
}

/// The line of play that is expected behind the root's best action.
///
/// # Errors
/// When the rules fail.
pub fn best_line(
    engine: &Engine,
    tree: &Tree,
    start: &Position,
    first: Option<&Line>,
) -> Result<Vec<String>, PlayError> {
    let mut line: Vec<String> = Vec::new();
    let mut position = start.clone();
    let mut next = first.map(|l| l.action.clone());
    while let Some(action) = next {
        position = match engine
            .legal_actions(&position)?
            .iter()
            .find(|a| a.text == action)
        {
            Some(found) => engine.play(&position, found),
            None => break,
        };
        line.push(action);
        if line.len() >= LONGEST_LINE {
            break;
        }
        let Some(id) = tree.find(engine.key(&position), &position) else {
            break;
        };
        if tree.node(id).ways.is_empty() {
            break;
        }
        let actions = engine.legal_actions(&position)?;
        next = lines(engine, tree, id, &actions)
            .into_iter()
            .next()
            .filter(|l| l.visits > 0)
            .map(|l| l.action);
    }
    Ok(line)
}
