//! What only one way looks at is found out on that way: a function in, the same function out. Before: something is computed or loaded,
//! and then one of several ways is gone of which not all want it. After: it stands at the beginning of each that does. Conditions: it is
//! given once, from what is given once, nothing else looks at it, and what is loaded has not changed by then.

use crate::compile::kernel::changes::{changed, span};
use crate::compile::kernel::fresh::{Fresh, times_given};
use crate::compile::kernel::tidy::any;
use crate::program::kernel::{
    Body, Function, Renumber, Room, Set, Stmt, Value, Word, each_statement,
};
use rustc_hash::FxHashMap;

/// Sinks all that can be sunk.
pub fn sink(function: &mut Function, room: &Room) {
    let mut reads = Reads::default();
    each_statement(&function.body, &mut |stmt| reads.add(stmt));
    let mut sunk = Sunk {
        room: *room,
        given: times_given(function),
        reads,
        words: function.words,
        sets: function.sets,
    };
    sunk.body(&mut function.body);
    (function.words, function.sets) = (sunk.words, sunk.sets);
}

/// How often words and sets are read.
#[derive(Clone, Default)]
struct Reads(FxHashMap<Value, u32>);

impl Reads {
    /// Of a statement and all that stand in it.
    fn of(stmt: &Stmt) -> Reads {
        let mut reads = Reads::default();
        each_statement(std::slice::from_ref(stmt), &mut |stmt| reads.add(stmt));
        reads
    }

    /// Also what a statement itself reads.
    fn add(&mut self, stmt: &Stmt) {
        stmt.each_read(&mut |what| *self.0.entry(what).or_default() += 1);
    }

    fn times(&self, what: Value) -> u32 {
        self.0.get(&what).copied().unwrap_or_default()
    }
}

struct Sunk {
    room: Room,
    given: FxHashMap<Value, u32>,
    /// In all of the function.
    reads: Reads,
    words: u32,
    sets: u32,
}

impl Sunk {
    fn body(&mut self, body: &mut Body) {
        let mut reads: Vec<Reads> = body.iter().map(Reads::of).collect();
        for at in (0..body.len()).rev() {
            let Some(what) = self.movable(&body[at]) else {
                continue;
            };
            let Some(user) = (at + 1..body.len()).find(|user| reads[*user].times(what) > 0) else {
                continue;
            };
            let alone = reads[user].times(what) == self.reads.times(what);
            let stands = body[at + 1..user]
                .iter()
                .all(|stmt| self.leaves(&body[at], stmt));
            if alone && stands && !body[user].reads(what) && parts(&body[user]) {
                let stmt = body.remove(at);
                reads.remove(at);
                self.put(stmt, what, &mut body[user - 1], &mut reads[user - 1]);
            }
        }
        for inner in body.iter_mut().flat_map(Stmt::bodies_mut) {
            self.body(inner);
        }
    }

    /// What a statement gives, if it need not be given there.
    fn movable(&self, stmt: &Stmt) -> Option<Value> {
        match stmt {
            Stmt::Let(_, Word::Repeated(_) | Word::Seen(_)) => return None,
            Stmt::Let(..) | Stmt::LetSet(..) => {}
            _ => return None,
        }
        let once = |what: Value| self.given.get(&what) == Some(&1);
        let what = stmt.gives().filter(|what| once(*what))?;
        let mut all = true;
        stmt.each_read(&mut |read| all &= once(read));
        all.then_some(what)
    }

    /// Whether a statement and all that stand in it leave what another loads.
    fn leaves(&self, loads: &Stmt, stmt: &Stmt) -> bool {
        let (place, words) = match loads {
            Stmt::Let(_, Word::Load(place)) => (place, 1),
            Stmt::LetSet(_, Set::Load(place)) => (place, self.room.words),
            _ => return true,
        };
        let (from, to) = span(place, words, &self.room);
        let meets =
            |stmt: &Stmt| changed(stmt, &self.room).is_some_and(|(a, b)| a < to && from < b);
        !any(std::slice::from_ref(stmt), &meets)
    }

    /// Puts a statement to the beginning of each way that looks at what it gives.
    fn put(&mut self, stmt: Stmt, what: Value, into: &mut Stmt, reads: &mut Reads) {
        let mut copies = 0;
        for body in into.bodies_mut() {
            let looks = |stmt: &Stmt| stmt.reads(what);
            if !any(body, &looks) {
                continue;
            }
            body.insert(0, stmt.clone());
            if copies > 0 {
                let mut fresh = Fresh::default();
                fresh.own(what, (&mut self.words, &mut self.sets));
                *body = fresh.body(body);
                let to = fresh.value(what);
                self.given.insert(to, 1);
                let times = body.iter().map(|stmt| Reads::of(stmt).times(to)).sum();
                for all in [&mut self.reads, &mut *reads] {
                    all.0.insert(to, times);
                    all.0.entry(what).and_modify(|all| *all -= times);
                }
                self.reads.add(&stmt);
            }
            reads.add(&stmt);
            copies += 1;
        }
    }
}

/// Whether a statement goes one of several ways once, or some of one way.
fn parts(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(..) | Stmt::Switch(..) | Stmt::Block(..))
}
