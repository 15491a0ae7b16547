//! A long way to a difference made shorter: actions are left out while there is still a difference behind the others, then
//! the way is looked for anew from its later positions. In: a difference. Out: one that is not farther away.

use crate::tools::compare::breadth::{self, Reach};
use crate::tools::compare::pair::{Both, Follow, Found, Pair, Seen};

/// Runs of up to so many actions are left out in every size; of longer ones each size is half of the one before.
const SMALL: usize = 8;

/// Ways are looked for anew from so many positions at most.
const ANEW: usize = 8;

/// Makes the way to a difference shorter; leaving out and looking anew are each held to the reach, about.
pub(super) fn shorten(pair: &Pair<'_>, found: Found, reach: Reach) -> Found {
    let mut budget = reach.positions;
    let mut best = found;
    loop {
        let before = best.path.len();
        let mut size = before / 2;
        while size > 0 {
            best = without_runs(pair, best, size, &mut budget);
            size = if size <= SMALL {
                size - 1
            } else {
                (size / 2).max(SMALL)
            };
        }
        if best.path.len() == before || budget == 0 {
            return anew(pair, best, reach);
        }
    }
}

/// Looks for a shorter end of the way from each of its last positions, the latest first.
fn anew(pair: &Pair<'_>, found: Found, reach: Reach) -> Found {
    let mut best = found;
    let mut along = vec![pair.start()];
    for action in &best.path {
        let next = along.last().and_then(|here| step(pair, here, action));
        along.extend(next);
    }
    for back in 2..2 + ANEW {
        let Some(at) = best.path.len().checked_sub(back) else {
            break;
        };
        let Some(from) = along.get(at) else { break };
        let near = Reach {
            positions: reach.positions / ANEW,
            depth: back - 1,
            threads: reach.threads,
        };
        if let Some(mut end) = breadth::walk(pair, from.clone(), near).found {
            let mut path: Vec<String> = best.path.drain(..at).collect();
            path.append(&mut end.path);
            best = Found { path, ..end };
            along.truncate(at + 1);
        }
    }
    best
}

/// Leaves out every run of `size` actions that can be spared, from the first to the last.
fn without_runs(pair: &Pair<'_>, found: Found, size: usize, budget: &mut usize) -> Found {
    let mut best = found;
    let mut at = 0;
    let mut here = pair.start();
    while at + size <= best.path.len() && *budget > 0 {
        let rest = best.path.get(at + size..).unwrap_or_default();
        if let Some(shorter) = replay(pair, &here, rest, budget) {
            let mut path: Vec<String> = best.path.drain(..at).collect();
            path.extend(shorter.path);
            best = Found { path, ..shorter };
            continue;
        }
        let Some(next) = best
            .path
            .get(at)
            .and_then(|action| step(pair, &here, action))
        else {
            break;
        };
        here = next;
        at += 1;
    }
    best
}

/// Plays actions from a position; the first difference met, if they lead to one.
fn replay(pair: &Pair<'_>, from: &Both, actions: &[String], budget: &mut usize) -> Option<Found> {
    let mut position = from.clone();
    for played in 0..=actions.len() {
        *budget = budget.checked_sub(1)?;
        match pair.examine(&position) {
            Seen::Differs(kind) => {
                return Some(Found {
                    path: actions.get(..played)?.to_vec(),
                    position,
                    kind: *kind,
                });
            }
            Seen::Same(follow) => {
                position = behind(follow, actions.get(played)?)?;
            }
        }
    }
    None
}

/// The position behind an action that is legal and alike on both sides.
fn step(pair: &Pair<'_>, from: &Both, action: &str) -> Option<Both> {
    match pair.examine(from) {
        Seen::Same(follow) => behind(follow, action),
        Seen::Differs(_) => None,
    }
}

fn behind(follow: Vec<Follow>, action: &str) -> Option<Both> {
    let mut follow = follow.into_iter();
    follow.find(|f| f.action == action).map(|f| f.next)
}
