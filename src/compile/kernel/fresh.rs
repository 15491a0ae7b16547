//! Statements written once more: other numbers for what is of one copy alone, so that each is given once and known to be.

use crate::program::kernel::{Body, Function, Label, Renumber, S, Stmt, Value, W, each_statement};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What statements give, also inside others; in an order in which new numbers can be given out.
pub fn given(body: &[Stmt]) -> BTreeSet<Value> {
    let mut all = BTreeSet::new();
    each_statement(body, &mut |stmt| all.extend(stmt.gives()));
    all
}

/// How often a function gives each word and set that it gives; parameters are given once by whoever calls it.
pub fn times_given(function: &Function) -> FxHashMap<Value, u32> {
    let mut times = FxHashMap::default();
    let mut give = |what| *times.entry(what).or_insert(0) += 1;
    function.params.iter().copied().for_each(&mut give);
    each_statement(&function.body, &mut |stmt| {
        stmt.gives().into_iter().for_each(&mut give);
    });
    times
}

/// The numbers of a copy; all others stay.
#[derive(Default)]
pub struct Fresh {
    words: FxHashMap<W, W>,
    sets: FxHashMap<S, S>,
    labels: FxHashMap<Label, Label>,
}

impl Fresh {
    /// Gives a value the next free number of its function, which has so many words and sets.
    pub fn own(&mut self, what: Value, (words, sets): (&mut u32, &mut u32)) {
        match what {
            Value::Word(w) => {
                self.words.insert(w, W(*words));
                *words += 1;
            }
            Value::Set(s) => {
                self.sets.insert(s, S(*sets));
                *sets += 1;
            }
        }
    }

    /// Gives a value the number of another.
    pub fn as_other(&mut self, what: Value, other: Value) {
        match (what, other) {
            (Value::Word(w), Value::Word(to)) => _ = self.words.insert(w, to),
            (Value::Set(s), Value::Set(to)) => _ = self.sets.insert(s, to),
            _ => {}
        }
    }

    /// Gives a label another number.
    pub fn label(&mut self, label: Label, to: Label) {
        self.labels.insert(label, to);
    }

    /// The copy.
    pub fn body(&mut self, body: &Body) -> Body {
        let mut out = body.clone();
        for stmt in &mut out {
            self.stmt(stmt);
        }
        out
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.renumber_reads(self);
        stmt.renumber_gives(self);
        if let Stmt::Loop(label, _) | Stmt::Block(label, _) | Stmt::Leave(label) = stmt {
            *label = self.labels.get(label).copied().unwrap_or(*label);
        }
        for inner in stmt.bodies_mut() {
            inner.iter_mut().for_each(|stmt| self.stmt(stmt));
        }
    }
}

impl Renumber for Fresh {
    fn word(&mut self, w: W) -> W {
        self.words.get(&w).copied().unwrap_or(w)
    }

    fn set(&mut self, s: S) -> S {
        self.sets.get(&s).copied().unwrap_or(s)
    }
}
