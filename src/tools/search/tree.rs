//! The tree of a Monte-Carlo search: positions with how often they were come to and what that was worth, and bounds of what they
//! can be worth. Rewards in, the next way to try out. It plays nothing; positions that are the same are one node.
//!
//! Selection is UCT (Kocsis and Szepesvári 2006) over shared nodes, with untried actions taken to be worth what their position
//! is; bounds are those of score-bounded search (Cazenave and Saffidine 2010), for any number of persons.

use crate::engine::Position;
use crate::tools::worth::Shares;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// How much untried and seldom tried ways are preferred.
const CURIOSITY: f32 = 0.6;

/// What a way that was not tried yet is taken to be worth less than its position.
const CAUTION: f32 = 0.0;

/// A way from a position to the next.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Where it leads; nothing while somebody is on the way there for the first time.
    pub to: Option<NodeId>,
    /// How often it was gone, on the way or done.
    pub visits: u32,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// Whose turn it is.
    pub mover: u8,
    /// How many actions there are; nothing before that was asked.
    pub options: Option<u32>,
    /// Those that were tried, in the order of the first time.
    pub ways: Vec<Way>,
    /// Numbers that draw the order of trying.
    start: u32,
    stride: u32,
    /// How many rewards.
    pub visits: u32,
    /// The sum of them.
    pub sum: SmallVec<[f32; 2]>,
    /// The least and the most that it can be worth to each.
    pub least: Shares,
    /// See `least`.
    pub most: Shares,
    /// Actions to the end that is certain.
    pub distance: u16,
}

impl Node {
    /// A position that is not known; `drawn` decides in which order its actions are tried.
    #[must_use]
    pub fn new(position: Position, mover: usize, people: usize, drawn: u64) -> Node {
        Node {
            position,
            mover: mover.to_le_bytes()[0],
            options: None,
            ways: Vec::new(),
            start: (drawn >> 32) as u32,
            stride: drawn as u32,
            visits: 0,
            sum: SmallVec::from_elem(0.0, people),
            least: SmallVec::from_elem(0.0, people),
            most: SmallVec::from_elem(1.0, people),
            distance: 0,
        }
    }

    /// Whether it is known what it is worth.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }

    /// Makes it known.
    pub fn know(&mut self, worth: &Shares) {
        self.least.clone_from(worth);
        self.most.clone_from(worth);
        self.options = Some(0);
    }

    /// Forgets what it is surely worth, so that the actions behind it are looked at; what is known of these stays.
    pub fn reopen(&mut self) {
        self.least.fill(0.0);
        self.most.fill(1.0);
        self.distance = 0;
    }

    /// Notes bounds from elsewhere, and the number of actions to the end when they make it known.
    pub fn bound(&mut self, least: &Shares, most: &Shares, distance: u16) {
        for (mine, other) in self.least.iter_mut().zip(least) {
            *mine = mine.max(*other);
        }
        for (mine, other) in self.most.iter_mut().zip(most) {
            *mine = mine.min(*other);
        }
        if self.is_known() {
            self.distance = distance;
        }
    }

    /// What it is worth to a person, as far as is known.
    #[must_use]
    pub fn value(&self, person: usize) -> f32 {
        let mean = if self.visits == 0 {
            0.5
        } else {
            self.sum[person] / self.visits as f32
        };
        mean.clamp(self.least[person], self.most[person])
    }

    /// The next action to be tried for the first time: all are, each once, in an order drawn for this position.
    fn untried(&self) -> Option<u32> {
        let count = self.options?;
        let tried = u32::try_from(self.ways.len()).ok()?;
        if tried >= count {
            return None;
        }
        let stride = coprime(self.stride % count, count);
        let at = u64::from(self.start % count) + u64::from(stride) * u64::from(tried);
        u32::try_from(at % u64::from(count)).ok()
    }
}

/// A number near the drawn one that has no divisor in common with `count`.
fn coprime(drawn: u32, count: u32) -> u32 {
    let divisor = |mut a: u32, mut b: u32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (drawn.max(1)..)
        .find(|n| divisor(*n, count) == 1)
        .unwrap_or(1)
}

/// What is to be done at the end of a way through the tree.
#[derive(Clone, Debug)]
pub enum Task {
    /// Go from the last node by an action that was never tried; the way is claimed.
    Try {
        /// The action's number.
        option: u32,
        /// The position of the last node.
        from: Position,
    },
    /// Find out how many actions the last node has.
    Open {
        /// Its position.
        position: Position,
    },
    /// Play a random game from the last node, where the tree does not grow.
    Roll {
        /// Its position.
        position: Position,
    },
    /// Nothing: the last node is known.
    Known,
}

/// All nodes.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    by_key: FxHashMap<u64, NodeId>,
}

impl Tree {
    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// A node, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The node of a position, when there is one.
    #[must_use]
    pub fn find(&self, key: u64, position: &Position) -> Option<NodeId> {
        let id = *self.by_key.get(&key)?;
        (self.node(id).position == *position).then_some(id)
    }

    /// Takes a node in; one of the same position is kept instead.
    pub fn insert(&mut self, key: u64, node: Node) -> NodeId {
        if let Some(id) = self.find(key, &node.position) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        self.by_key.insert(key, id);
        id
    }

    /// Keeps what can be come to from a node, which gets the number 0.
    #[must_use]
    pub fn cut(mut self, root: NodeId, key: impl Fn(&Position) -> u64) -> Tree {
        let mut order = vec![root];
        let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        new.insert(root, NodeId(0));
        let mut at = 0;
        while let Some(id) = order.get(at).copied() {
            at += 1;
            for way in &self.node(id).ways {
                let Some(to) = way.to else { continue };
                let next = NodeId(u32::try_from(order.len()).unwrap_or(u32::MAX));
                new.entry(to).or_insert_with(|| {
                    order.push(to);
                    next
                });
            }
        }
        let mut tree = Tree::default();
        let mut old: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        for id in order {
            let Some(mut node) = old[id.0 as usize].take() else {
                continue;
            };
            for way in &mut node.ways {
                way.to = way.to.and_then(|to| new.get(&to).copied());
            }
            let key = key(&node.position);
            tree.insert(key, node);
        }
        tree
    }

    /// Goes down from the root to where something is to be found out; the ways that are gone are counted as visited at once, so
    /// that others, at the same time, take others.
    pub fn descend(
        &mut self,
        path: &mut Vec<(NodeId, usize)>,
        most_nodes: usize,
    ) -> (NodeId, Task) {
        path.clear();
        let mut at = NodeId(0);
        loop {
            let node = self.node(at);
            if node.is_known() {
                return (at, Task::Known);
            }
            if node.options.is_none() {
                let position = node.position.clone();
                return (at, Task::Open { position });
            }
            let full = self.nodes.len() >= most_nodes;
            let Some(chosen) = self.choose(at, full) else {
                let position = self.node(at).position.clone();
                return (at, Task::Roll { position });
            };
            let node = self.node_mut(at);
            let Some(way) = node.ways.get_mut(chosen) else {
                let Some(option) = node.untried() else {
                    let position = node.position.clone();
                    return (at, Task::Roll { position });
                };
                node.ways.push(Way {
                    to: None,
                    visits: 1,
                });
                let from = node.position.clone();
                path.push((at, chosen));
                return (at, Task::Try { option, from });
            };
            way.visits += 1;
            let to = way.to;
            path.push((at, chosen));
            // On a way in a circle, or one that somebody is on for the first time, the tree does not help.
            let circle = to.is_some_and(|to| path.iter().any(|(id, _)| *id == to));
            match to.filter(|_| !circle) {
                Some(to) => at = to,
                None => {
                    let position = self.node(at).position.clone();
                    return (at, Task::Roll { position });
                }
            }
        }
    }

    /// The way to go from a node: a number below that of its ways, or theirs for one more; nothing where the tree is full and
    /// nothing was tried.
    fn choose(&self, at: NodeId, full: bool) -> Option<usize> {
        let node = self.node(at);
        let me = usize::from(node.mover);
        let log = ((node.visits + 1) as f32).ln();
        let score = |way: &Way| {
            let worth = match way.to {
                Some(to) => {
                    let next = self.node(to);
                    if next.most[me] <= node.least[me] {
                        // It cannot be better than what is certain.
                        return f32::NEG_INFINITY;
                    }
                    next.value(me)
                }
                None => 0.0,
            };
            worth + CURIOSITY * (log / (way.visits.max(1) as f32)).sqrt()
        };
        let best = node
            .ways
            .iter()
            .enumerate()
            .map(|(n, way)| (n, score(way)))
            .fold(None, |best: Option<(usize, f32)>, one| match best {
                Some(b) if b.1 >= one.1 => Some(b),
                _ => Some(one),
            });
        let new = node.untried().filter(|_| !full);
        let unknown = node.value(me) - CAUTION + CURIOSITY * log.sqrt();
        match (best, new) {
            (Some((_, score)), Some(_)) if unknown > score => Some(node.ways.len()),
            (None, Some(_)) => Some(node.ways.len()),
            (Some((n, _)), _) => Some(n),
            (None, None) => None,
        }
    }

    /// Adds a reward to all nodes of a path and to its end.
    pub fn reward(&mut self, path: &[(NodeId, usize)], end: NodeId, reward: &Shares) {
        self.add(end, reward);
        for (id, _) in path.iter().rev() {
            // Where a path ends on the node that it left last, that is counted once.
            if *id != end {
                self.add(*id, reward);
            }
        }
    }

    fn add(&mut self, id: NodeId, reward: &Shares) {
        let node = self.node_mut(id);
        node.visits += 1;
        for (sum, one) in node.sum.iter_mut().zip(reward) {
            *sum += one;
        }
    }

    /// Takes back that the ways of a path were gone.
    pub fn forget(&mut self, path: &[(NodeId, usize)]) {
        for (id, way) in path {
            if let Some(way) = self.node_mut(*id).ways.get_mut(*way) {
                way.visits = way.visits.saturating_sub(1);
            }
        }
    }

    /// Finds the bounds of the nodes of a path anew, from the last.
    pub fn bound(&mut self, path: &[(NodeId, usize)]) {
        for (id, _) in path.iter().rev() {
            self.bound_one(*id);
        }
    }

    /// The bounds of a node from those behind it.
    fn bound_one(&mut self, id: NodeId) {
        let node = self.node(id);
        if node.is_known() {
            return;
        }
        let me = usize::from(node.mover);
        let people = node.least.len();
        let all = node.options == u32::try_from(node.ways.len()).ok();
        let open = !all || node.ways.iter().any(|w| w.to.is_none());
        let nexts = || {
            node.ways
                .iter()
                .filter_map(|w| w.to)
                .map(|to| self.node(to))
        };
        let highest = |from: &dyn Fn(&Node) -> f32| nexts().map(from).fold(0.0, f32::max);
        let lowest = |from: &dyn Fn(&Node) -> f32| nexts().map(from).fold(1.0, f32::min);
        let (mut least, mut most) = (node.least.clone(), node.most.clone());
        least[me] = least[me].max(highest(&|n| n.least[me]));
        if !open {
            most[me] = most[me].min(highest(&|n| n.most[me]));
        }
        for other in (0..people).filter(|p| *p != me) {
            if people == 2 {
                least[other] = 1.0 - most[me];
                most[other] = 1.0 - least[me];
            } else if least[me] >= 1.0 {
                most[other] = 0.0;
            } else if !open {
                least[other] = least[other].max(lowest(&|n| n.least[other]));
                most[other] = most[other].min(highest(&|n| n.most[other]));
            }
        }
        if (&least, &most) == (&node.least, &node.most) {
            return;
        }
        let mut distance = node.distance;
        if least == most {
            let sure = nexts().filter(|n| n.is_known() && n.least[me] >= least[me]);
            let all = sure.map(|n| n.distance.saturating_add(1));
            // A win is taken at once, a loss is put off.
            distance = if least[me] >= 1.0 {
                all.min()
            } else {
                all.max()
            }
            .unwrap_or(0);
        }
        let node = self.node_mut(id);
        (node.least, node.most, node.distance) = (least, most, distance);
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::search::tree::{Node, Way, coprime};
    use crate::tools::testing::three_in_a_row;

    #[test]
    fn every_action_is_tried_once() {
        let engine = three_in_a_row();
        for count in 1..50u32 {
            for drawn in [0, 1, 7, u64::MAX, 0x1234_5678_9abc_def0] {
                let mut node = Node::new(engine.initial(), 0, 2, drawn);
                node.options = Some(count);
                let mut seen: Vec<u32> = Vec::new();
                while let Some(option) = node.untried() {
                    seen.push(option);
                    node.ways.push(Way {
                        to: None,
                        visits: 0,
                    });
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..count).collect::<Vec<_>>(), "{count} {drawn}");
            }
        }
        assert_eq!(coprime(6, 9), 7);
    }
}
