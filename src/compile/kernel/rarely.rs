//! What is rarely done in a loop that counts is done in a second one behind it: functions in, the same functions out. Before: a loop over
//! cells in which most is looked up and counted, and the rest is tried by calls, for which all that the loop goes on with must wait
//! in memory. After: a loop that calls nothing, adds up in a word what it counts, and notes for which cells there is something to try,
//! and one that tries it for those.
//! Conditions: what is tried stands where otherwise something is counted, takes back what it notes and stores nothing else; the loop
//! gives nothing that changes; neither the function nor one that it calls looks at what was counted.

use crate::compile::kernel::deferred::notes;
use crate::compile::kernel::fresh::{Fresh, given, times_given};
use crate::compile::kernel::fun::EMPTY;
use crate::compile::kernel::tallied::that_ask;
use crate::compile::kernel::tidy::any;
use crate::program::kernel::{Bin, Body, FuncId, Function, Room, S, Set, Stmt, Value, W, Word};
use rustc_hash::FxHashMap;

/// Parts the loops of some functions.
pub fn part(functions: &mut [Function], ids: &[FuncId], room: &Room) {
    let asking = that_ask(functions, room);
    for id in ids.iter().filter(|id| !asking[id.0 as usize]) {
        let function = &mut functions[id.0 as usize];
        let mut parted = Parted {
            times: times_given(function),
            words: function.words,
            sets: function.sets,
        };
        parted.body(&mut function.body);
        (function.words, function.sets) = (parted.words, parted.sets);
    }
}

struct Parted {
    /// How often everything is given.
    times: FxHashMap<Value, u32>,
    words: u32,
    sets: u32,
}

/// What a loop does for a cell: first what is mostly done, then what is rarely done.
struct Parts {
    mostly: Body,
    rarely: Body,
    /// Whether something is counted in the first, and whether anything is left to the second.
    counts: bool,
    leaves: bool,
}

impl Parted {
    fn body(&mut self, body: &mut Body) {
        for stmt in std::mem::take(body) {
            match stmt {
                Stmt::ForCells(cell, set, inner) => self.one(cell, set, inner, body),
                mut other => {
                    for inner in other.bodies_mut() {
                        self.body(inner);
                    }
                    body.push(other);
                }
            }
        }
    }

    /// A loop, in two if it can be.
    fn one(&mut self, cell: W, set: S, mut inner: Body, out: &mut Body) {
        let (rest, total) = (S(self.sets), W(self.words));
        let once = |value: &Value| self.times.get(value) == Some(&1);
        let later = [Stmt::LetSet(rest, Set::With(rest, cell))];
        let parts = parts(&inner, (total, &later));
        let parts = parts.filter(|parts| parts.counts && parts.leaves);
        let (Some(parts), true) = (parts, given(&inner).iter().all(once)) else {
            self.body(&mut inner);
            out.push(Stmt::ForCells(cell, set, inner));
            return;
        };
        self.sets += 1;
        self.words += 1;
        out.push(Stmt::LetSet(rest, Set::Const(EMPTY)));
        out.push(Stmt::Let(total, Word::Const(0)));
        out.push(Stmt::ForCells(cell, set, parts.mostly));
        out.push(Stmt::Tally(total));
        let mut fresh = Fresh::default();
        let again = given(&parts.rarely).into_iter();
        for value in again.chain([Value::Word(cell)]) {
            fresh.own(value, (&mut self.words, &mut self.sets));
        }
        let second = vec![Stmt::ForCells(cell, rest, parts.rarely)];
        out.extend(fresh.body(&second));
    }
}

/// What statements do mostly, with what they count added to a total, and rarely, where `later` notes that something is left; nothing when
/// they do not only look and count.
fn parts(body: &Body, (total, later): (W, &[Stmt])) -> Option<Parts> {
    let mut all = Parts {
        mostly: Body::new(),
        rarely: Body::new(),
        counts: false,
        leaves: false,
    };
    for stmt in body {
        match stmt {
            Stmt::Let(_, Word::Repeated(_) | Word::Seen(_)) => return None,
            Stmt::Let(..) | Stmt::LetSet(..) => {
                all.mostly.push(stmt.clone());
                all.rarely.push(stmt.clone());
            }
            Stmt::Tally(more) => {
                let sum = Word::Bin(Bin::Add, total, *more);
                all.mostly.push(Stmt::Let(total, sum));
                all.counts = true;
            }
            Stmt::If(when, yes, no) => {
                let of = |body| parts(body, (total, later));
                let (yes, no) = match (of(yes), of(no)) {
                    (Some(yes), Some(no)) => (yes, no),
                    (Some(yes), None) if yes.counts => (yes, tried(no, later)?),
                    (None, Some(no)) if no.counts => (tried(yes, later)?, no),
                    _ => return None,
                };
                all.mostly.push(Stmt::If(*when, yes.mostly, no.mostly));
                all.rarely.push(Stmt::If(*when, yes.rarely, no.rarely));
                all.counts |= yes.counts || no.counts;
                all.leaves |= yes.leaves || no.leaves;
            }
            _ => return None,
        }
    }
    Some(all)
}

/// What is tried by calls, if it leaves everything as it was.
fn tried(body: &Body, later: &[Stmt]) -> Option<Parts> {
    let tells = |stmt: &Stmt| {
        matches!(
            stmt,
            Stmt::Store(..)
                | Stmt::StoreSet(..)
                | Stmt::Note(..)
                | Stmt::Leaf(_)
                | Stmt::Leaves(..)
                | Stmt::Return(_)
                | Stmt::Leave(_)
        )
    };
    let calls = any(body, &|stmt| matches!(stmt, Stmt::Call(..)));
    (calls && !notes(body) && !any(body, &tells)).then(|| Parts {
        mostly: later.to_vec(),
        rarely: body.clone(),
        counts: false,
        leaves: true,
    })
}
