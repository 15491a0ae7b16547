//! Which words and sets are given once and read only where that has been done for certain, in the same body behind it or inside what
//! stands there: they are values, and need no variables, for which ways through the function would have to be looked through.

use crate::program::kernel::{Body, Function, Value};

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
            stmt.each_read(&mut |what| self.read(what));
            let given = stmt.gives();
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
}
