//! Ways and texts that may be longer than their rooms. In: a kernel's functions. Out: the same; where it is not certain that all that
//! they write of ways and texts has room, functions that give up before they would write further. Conditions: none.

use crate::program::kernel::{
    Bin, Body, Fault, FuncId, Function, Kernel, MAX_DEPTH, Stmt, W, Word, called, each_statement,
};

/// So many words of a room may come before the first.
const HEAD: u64 = 4;

/// Makes functions give up where they may write beyond a room.
pub fn guard(kernel: &mut Kernel) {
    let room = kernel.room;
    let mut calls: Vec<Vec<FuncId>> = kernel.functions.iter().map(calls).collect();
    if let Some(deeper) = kernel.deep.map(|deep| deep.deeper) {
        // Each time it begins with ways anew.
        calls[deeper.0 as usize].retain(|id| *id != deeper);
    }
    for (from, to) in [(room.path, room.text), (room.text, room.log)] {
        let words = |f: &Function| longest(&f.body, (from, to), kernel.cells as u64);
        let writes: Vec<Writes> = (kernel.functions.iter().zip(&calls))
            .map(|(f, calls)| Writes {
                words: words(f),
                calls,
            })
            .collect();
        if most(&writes).saturating_add(HEAD) > u64::from(to - from) {
            for function in &mut kernel.functions {
                let body = std::mem::take(&mut function.body);
                function.body = guarded(body, (from, to), &mut function.words);
            }
        }
    }
}

/// How much a function writes of a room, and whom it calls.
struct Writes<'c> {
    /// Words that are written one behind the other.
    words: u64,
    calls: &'c [FuncId],
}

/// Whom a function calls.
fn calls(function: &Function) -> Vec<FuncId> {
    let mut calls = called(&function.body);
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// The most words that some way through statements writes.
fn longest(body: &Body, room: (u32, u32), cells: u64) -> u64 {
    let repeated = |inner: &Body, often: u64| match longest(inner, room, cells) {
        once if once > 0 && goes_on(inner, room) => once.saturating_mul(often),
        once => once,
    };
    let all = body.iter().map(|stmt| match stmt {
        Stmt::Store(place, _) if (room.0..room.1).contains(&place.base) => 1,
        Stmt::If(..) | Stmt::Switch(..) => {
            let ways = stmt.bodies().map(|b| longest(b, room, cells));
            ways.max().unwrap_or(0)
        }
        Stmt::ForCells(_, _, inner) => repeated(inner, cells),
        Stmt::ForBits(_, _, inner) => repeated(inner, 64),
        Stmt::ForNumbers(_, _, _, inner) | Stmt::Loop(_, inner) => repeated(inner, u64::MAX),
        other => {
            let inner = other.bodies().map(|b| longest(b, room, cells));
            inner.fold(0, u64::saturating_add)
        }
    });
    all.fold(0, u64::saturating_add)
}

/// Whether a place that is written in a loop may be another each time for what the loop itself counts.
fn goes_on(body: &Body, room: (u32, u32)) -> bool {
    let (mut places, mut given) = (Vec::new(), Vec::new());
    each_statement(body, &mut |stmt| {
        match stmt {
            Stmt::Store(place, _) if (room.0..room.1).contains(&place.base) => {
                places.extend(place.index.map(|(w, _)| w));
            }
            // Given what it was before, or more.
            Stmt::Let(to, Word::Copy(_)) => given.push(*to),
            _ => {}
        }
    });
    places.iter().any(|w| given.contains(w))
}

/// The most that is written by functions that call each other; those that come back to themselves do so as often as calls may be open.
fn most(writes: &[Writes<'_>]) -> u64 {
    let mut met = vec![None; writes.len()];
    let all = (0..writes.len()).map(|at| without_rings(at, writes, &mut met));
    if let Some(all) = all.collect::<Option<Vec<u64>>>() {
        return all.into_iter().max().unwrap_or(0);
    }
    let mut known: Vec<Option<u64>> = vec![None; writes.len()];
    let mut open = vec![false; writes.len()];
    (0..writes.len())
        .map(|at| below(at, writes, &mut known, &mut open))
        .max()
        .unwrap_or(0)
}

/// What a function and those that it calls write, where none comes back to itself. Of those that were met, what that is; nothing yet
/// of those that are open.
fn without_rings(at: usize, writes: &[Writes<'_>], met: &mut [Option<Option<u64>>]) -> Option<u64> {
    if let Some(known) = met[at] {
        return known;
    }
    met[at] = Some(None);
    let mut most = 0;
    for id in writes[at].calls {
        most = most.max(without_rings(id.0 as usize, writes, met)?);
    }
    let all = writes[at].words.saturating_add(most);
    met[at] = Some(Some(all));
    Some(all)
}

/// The same where some do.
fn below(at: usize, writes: &[Writes<'_>], known: &mut [Option<u64>], open: &mut [bool]) -> u64 {
    if let Some(known) = known[at] {
        return known;
    }
    let reached = reached(at, writes);
    if reached[at] {
        // Whoever is on the ring, or called from it.
        let words = writes.iter().zip(reached);
        let words = words.filter_map(|(of, is)| is.then_some(of.words)).max();
        let all = words.unwrap_or(0).saturating_mul(MAX_DEPTH);
        known[at] = Some(all);
        return all;
    }
    if std::mem::replace(&mut open[at], true) {
        return 0;
    }
    let calls = writes[at].calls.iter();
    let calls = calls.map(|id| below(id.0 as usize, writes, known, open));
    let all = writes[at].words.saturating_add(calls.max().unwrap_or(0));
    open[at] = false;
    known[at] = Some(all);
    all
}

/// Which functions one may come to call.
fn reached(at: usize, writes: &[Writes<'_>]) -> Vec<bool> {
    let mut reached = vec![false; writes.len()];
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        for id in writes[at].calls {
            let id = id.0 as usize;
            if !std::mem::replace(&mut reached[id], true) {
                open.push(id);
            }
        }
    }
    reached
}

/// Statements that give up before they write beyond a room.
fn guarded(body: Body, room: (u32, u32), words: &mut u32) -> Body {
    let mut out = Body::with_capacity(body.len());
    for mut stmt in body {
        for inner in stmt.bodies_mut() {
            *inner = guarded(std::mem::take(inner), room, words);
        }
        if let Stmt::Store(place, _) = &stmt
            && let Some((index, 1)) = place.index
            && (room.0..room.1).contains(&place.base)
        {
            let [limit, over] = [W(*words), W(*words + 1)];
            *words += 2;
            let most = u64::from(room.1 - place.base);
            out.push(Stmt::Let(limit, Word::Const(most)));
            out.push(Stmt::Let(over, Word::Bin(Bin::AtMost, limit, index)));
            let fault = vec![Stmt::Fault(Fault::Room)];
            out.push(Stmt::If(over, fault, Body::new()));
        }
        out.push(stmt);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Writes, most};
    use crate::program::kernel::{FuncId, MAX_DEPTH};

    fn writes(words: u64, calls: &[FuncId]) -> Writes<'_> {
        Writes { words, calls }
    }

    #[test]
    fn what_is_called_writes_behind_who_calls() {
        let all = [
            writes(2, &[FuncId(1), FuncId(2)]),
            writes(5, &[FuncId(2)]),
            writes(3, &[]),
        ];
        assert_eq!(most(&all), 10);
    }

    #[test]
    fn who_comes_back_writes_as_often_as_calls_may_be_open() {
        let all = [
            writes(2, &[FuncId(1)]),
            writes(3, &[FuncId(2)]),
            writes(1, &[FuncId(1)]),
        ];
        assert_eq!(most(&all), 2 + 3 * MAX_DEPTH);
    }
}
