//! Of loops that count one thing for some cells and another for the others it is counted for how many each is counted: nobody has to guess
//! which of them comes next, and what is counted is found once. Before: any functions. After: the same sums. Conditions: the loop
//! computes a question for each cell, and then counts what does not depend on the cell; nothing in it is stored, and what it computes is
//! read nowhere else.

use crate::compile::kernel::tallied::asks;
use crate::program::kernel::{Bin, Body, Function, Room, S, Stmt, Value, W, Word, each_statement};
use rustc_hash::{FxHashMap, FxHashSet};

/// Counts apart in all functions.
pub fn count_apart(functions: &mut [Function], room: &Room) {
    for function in functions {
        let mut counts = false;
        each_statement(&function.body, &mut |stmt| {
            counts |= matches!(stmt, Stmt::ForCells(..)) && tallies(stmt);
        });
        if counts {
            let mut apart = Apart {
                read: reads(&function.body),
                tally: room.tally,
                words: function.words,
            };
            function.body = apart.body(std::mem::take(&mut function.body));
            function.words = apart.words;
        }
    }
}

fn tallies(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Tally(_)) || stmt.bodies().any(|body| body.iter().any(tallies))
}

/// How often each value is read.
fn reads<'s>(body: impl IntoIterator<Item = &'s Stmt>) -> FxHashMap<Value, u32> {
    let mut all = FxHashMap::default();
    let mut look = |stmt: &Stmt| stmt.each_read(&mut |value| *all.entry(value).or_insert(0) += 1);
    for stmt in body {
        look(stmt);
        stmt.bodies()
            .for_each(|body| each_statement(body, &mut look));
    }
    all
}

/// The values that statements give.
fn given<'s>(body: impl IntoIterator<Item = &'s Stmt>) -> FxHashSet<Value> {
    let mut all = FxHashSet::default();
    let mut look = |stmt: &Stmt| all.extend(stmt.gives());
    for stmt in body {
        look(stmt);
        stmt.bodies()
            .for_each(|body| each_statement(body, &mut look));
    }
    all
}

struct Apart {
    /// How often each value of the function is read.
    read: FxHashMap<Value, u32>,
    /// Where it is counted.
    tally: u32,
    words: u32,
}

impl Apart {
    fn body(&mut self, all: Body) -> Body {
        let mut out = Body::with_capacity(all.len());
        for mut stmt in all {
            for inner in stmt.bodies_mut() {
                *inner = self.body(std::mem::take(inner));
            }
            let Stmt::ForCells(cell, set, mut inner) = stmt else {
                out.push(stmt);
                continue;
            };
            let once = asked_once(cell, &mut inner);
            let mut whole = Body::new();
            if self.is_weighed(cell, set, &inner) {
                self.weigh(cell, set, inner, &mut whole);
            } else {
                whole.push(Stmt::ForCells(cell, set, inner));
            }
            match once {
                Some(asked) => out.push(Stmt::If(asked, whole, Body::new())),
                None => out.append(&mut whole),
            }
        }
        out
    }

    /// Whether a loop only asks a question of each cell, and counts by the answer what is the same for all.
    fn is_weighed(&self, cell: W, set: S, inner: &Body) -> bool {
        let Some((Stmt::If(_, yes, no), asked)) = inner.split_last() else {
            return false;
        };
        let computes = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::LetSet(..));
        let counted = || yes.iter().chain(no);
        if !asked.iter().all(computes) || !counted().any(tallies) || !counted().all(only_counts) {
            return false;
        }
        if asks(inner, (self.tally, &[])) {
            return false;
        }
        let mut of_cell = given(asked);
        of_cell.insert(Value::Word(cell));
        let (of_yes, of_no) = (given(yes), given(no));
        let (all, within) = (given(inner), reads(inner));
        let inside = |value: &Value| within.get(value) == self.read.get(value);
        let own = |body: &Body, others: &FxHashSet<Value>| {
            let read = reads(body);
            !read
                .keys()
                .any(|v| of_cell.contains(v) || others.contains(v))
        };
        all.iter().all(inside)
            && !all.contains(&Value::Set(set))
            && of_yes.is_disjoint(&of_no)
            && of_cell
                .iter()
                .all(|v| !of_yes.contains(v) && !of_no.contains(v))
            && own(yes, &of_no)
            && own(no, &of_yes)
    }

    fn word(&mut self, word: Word, out: &mut Body) -> W {
        let w = W(self.words);
        self.words += 1;
        out.push(Stmt::Let(w, word));
        w
    }

    fn weigh(&mut self, cell: W, set: S, mut inner: Body, out: &mut Body) {
        let Some(Stmt::If(asked, yes, no)) = inner.pop() else {
            return;
        };
        let none = self.word(Word::Const(0), out);
        let those = self.word(Word::Const(0), out);
        let one = self.word(Word::Bin(Bin::Differ, asked, none), &mut inner);
        inner.push(Stmt::Let(those, Word::Bin(Bin::Add, those, one)));
        out.push(Stmt::ForCells(cell, set, inner));
        let all = self.word(Word::Count(set), out);
        let others = self.word(Word::Bin(Bin::Sub, all, those), out);
        for (many, mut body) in [(those, yes), (others, no)] {
            if body.iter().any(tallies) {
                self.times(&mut body, many);
                out.push(Stmt::If(many, body, Body::new()));
            }
        }
    }

    /// What is counted is counted so often.
    fn times(&mut self, body: &mut Body, many: W) {
        for mut stmt in std::mem::take(body) {
            for inner in stmt.bodies_mut() {
                self.times(inner, many);
            }
            if let Stmt::Tally(w) = stmt {
                let product = self.word(Word::Bin(Bin::Mul, w, many), body);
                stmt = Stmt::Tally(product);
            }
            body.push(stmt);
        }
    }
}

/// The question that a loop asks of all its cells alike, before it does anything; it is asked no more then.
fn asked_once(cell: W, inner: &mut Body) -> Option<W> {
    let [Stmt::If(asked, yes, no)] = inner.as_mut_slice() else {
        return None;
    };
    let same = *asked != cell && no.is_empty() && !given(&*yes).contains(&Value::Word(*asked));
    let asked = same.then_some(*asked)?;
    *inner = std::mem::take(yes);
    Some(asked)
}

/// Whether a statement only computes and counts.
fn only_counts(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let(..) | Stmt::LetSet(..) | Stmt::Tally(_) => true,
        Stmt::If(_, yes, no) => yes.iter().chain(no).all(only_counts),
        _ => false,
    }
}
