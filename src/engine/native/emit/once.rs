//! Which words and sets are given once and read only where that has been done for certain, in the same body behind it or inside what
//! stands there: they are values, and need no variables, for which ways through the function would have to be looked through.

use crate::program::kernel::{Body, Function, Renumber, S, Stmt, Value, W};

/// Those that are.
pub(super) struct Once {
    words: Vec<State>,
    sets: Vec<State>,
}

/// How far a word or set has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not given yet.
    New,
    /// Given here.
    Here,
    /// Given where one does not come any more.
    Past,
    /// Not one of them.
    No,
}

impl Once {
    /// Looks through a function.
    pub(super) fn new(function: &Function) -> Once {
        let mut once = Once {
            words: vec![State::New; function.words as usize],
            sets: vec![State::New; function.sets as usize],
        };
        let mut here = Vec::new();
        for param in &function.params {
            once.give(*param, &mut here);
        }
        once.body(&function.body);
        once
    }

    /// Whether a word is a value.
    pub(super) fn is_value(&self, word: usize) -> bool {
        self.words[word] != State::No
    }

    /// Whether the words of a set are.
    pub(super) fn are_values(&self, set: usize) -> bool {
        self.sets[set] != State::No
    }

    fn state(&mut self, of: Value) -> Option<&mut State> {
        match of {
            Value::Word(w) => self.words.get_mut(w.0 as usize),
            Value::Set(s) => self.sets.get_mut(s.0 as usize),
        }
    }

    fn give(&mut self, what: Value, here: &mut Vec<Value>) {
        if let Some(state) = self.state(what) {
            if *state == State::New {
                *state = State::Here;
                here.push(what);
            } else {
                *state = State::No;
            }
        }
    }

    fn read(&mut self, what: Value) {
        if let Some(state) = self.state(what)
            && *state != State::Here
        {
            *state = State::No;
        }
    }

    fn body(&mut self, body: &Body) {
        let mut here = Vec::new();
        for stmt in body {
            self.reads(stmt);
            let (word, set) = stmt.gives();
            let given = word.map(Value::Word).or(set.map(Value::Set));
            let inner = stmt.bodies();
            if inner.is_empty() {
                given
                    .into_iter()
                    .for_each(|what| self.give(what, &mut here));
                continue;
            }
            // What a loop goes through is known inside it.
            let mut inside = Vec::new();
            given
                .into_iter()
                .for_each(|what| self.give(what, &mut inside));
            inner.into_iter().for_each(|body| self.body(body));
            self.leave(inside);
        }
        self.leave(here);
    }

    /// What was given here is behind.
    fn leave(&mut self, here: Vec<Value>) {
        for what in here {
            if let Some(state) = self.state(what)
                && *state == State::Here
            {
                *state = State::Past;
            }
        }
    }

    /// What a statement itself reads.
    fn reads(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(_, word) => {
                let _ = word.renumbered(self);
            }
            Stmt::LetSet(_, set) => {
                let _ = set.renumbered(self);
            }
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                self.place(*place);
                self.word(*w);
            }
            Stmt::StoreSet(place, s) => {
                self.place(*place);
                self.set(*s);
            }
            Stmt::Undo(w)
            | Stmt::If(w, ..)
            | Stmt::Switch(w, _)
            | Stmt::ForBits(_, w, _)
            | Stmt::Return(w)
            | Stmt::Leaf(w)
            | Stmt::Tally(w) => {
                self.word(*w);
            }
            Stmt::ForCells(_, s, _) => {
                self.set(*s);
            }
            Stmt::ForNumbers(_, a, b, _) | Stmt::Note(a, b) => {
                self.word(*a);
                self.word(*b);
            }
            Stmt::Leaves(w, s, _) => {
                self.word(*w);
                self.set(*s);
            }
            Stmt::Call(_, arguments, _) => arguments.iter().for_each(|a| self.read(*a)),
            Stmt::Mark(_) | Stmt::Loop(..) | Stmt::Block(..) | Stmt::Leave(_) | Stmt::Fault(_) => {}
        }
    }
}

/// Looks at what is read.
impl Renumber for Once {
    fn word(&mut self, w: W) -> W {
        self.read(Value::Word(w));
        w
    }

    fn set(&mut self, s: S) -> S {
        self.read(Value::Set(s));
        s
    }
}
