//! The walk over the positions that two games share, breadth first: the first difference that it meets has the shortest way.
//! Each position is taken once, whatever came before it.

use crate::tools::compare::pair::{Both, Follow, Found, Key, Pair, Seen};
use crate::tools::perft::shared_out;
use rustc_hash::FxHashSet;

/// So many positions are shared out among the threads at once.
const SHARE: usize = 128;

/// What a walk came to.
pub(super) struct Walk {
    /// Positions looked at.
    pub seen: usize,
    /// None were left out.
    pub complete: bool,
    /// The first difference.
    pub found: Option<Found>,
}

/// A position met, as a step from an earlier one; the start has no action.
struct Step {
    from: usize,
    action: String,
}

/// How far to walk.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The most positions.
    pub positions: usize,
    /// The most actions of a way.
    pub depth: usize,
    /// How many threads to use.
    pub threads: usize,
}

/// Walks from a position until a difference is met, the positions are all seen, or the reach is spent.
pub(super) fn walk(pair: &Pair<'_>, start: Both, reach: Reach) -> Walk {
    let mut walk = Walk {
        seen: 0,
        complete: true,
        found: None,
    };
    let mut known: FxHashSet<Key> = pair.key(&start).into_iter().collect();
    let mut steps = vec![Step {
        from: 0,
        action: String::new(),
    }];
    let mut level = vec![(0, start)];
    for depth in 0.. {
        if level.is_empty() {
            break;
        }
        let mut later = Vec::new();
        for share in level.chunks(SHARE) {
            let full = steps.len() >= reach.positions || depth >= reach.depth;
            let looked = shared_out(reach.threads, share, |(_, both)| match pair.examine(both) {
                Seen::Same(_) if full => Seen::Same(Vec::new()),
                seen @ (Seen::Same(_) | Seen::Differs(_)) => seen,
            });
            for ((id, position), seen) in share.iter().zip(looked) {
                walk.seen += 1;
                let follow = match seen {
                    Seen::Differs(kind) => {
                        walk.complete = false;
                        walk.found = Some(Found {
                            path: path(&steps, *id),
                            position: position.clone(),
                            kind: *kind,
                        });
                        return walk;
                    }
                    Seen::Same(follow) => follow,
                };
                for Follow { action, key, next } in follow {
                    if known.contains(&key) {
                        continue;
                    }
                    if steps.len() >= reach.positions {
                        walk.complete = false;
                        break;
                    }
                    known.insert(key);
                    later.push((steps.len(), next));
                    steps.push(Step { from: *id, action });
                }
                walk.complete &= !full;
            }
        }
        level = later;
    }
    walk
}

/// The actions that lead to a step.
fn path(steps: &[Step], mut id: usize) -> Vec<String> {
    let mut path = Vec::new();
    while let Some(step) = steps.get(id).filter(|_| id > 0) {
        path.push(step.action.clone());
        id = step.from;
    }
    path.reverse();
    path
}
