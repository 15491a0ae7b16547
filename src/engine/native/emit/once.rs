//! Which words and sets are given once and read only where that has been done for certain, in the same body behind it or inside what
//! stands there: they are values, and need no variables, for which ways through the function would have to be looked through.

use crate::program::kernel::{Body, Function, Place, S, Set, Stmt, Value, W, Word};

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
    pub(super) fn word(&self, word: usize) -> bool {
        self.words[word] != State::No
    }

    /// Whether a set is.
    pub(super) fn set(&self, set: usize) -> bool {
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

    fn w(&mut self, w: W) {
        self.read(Value::Word(w));
    }

    fn s(&mut self, s: S) {
        self.read(Value::Set(s));
    }

    fn place(&mut self, place: &Place) {
        if let Some((index, _)) = place.index {
            self.w(index);
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
            Stmt::Let(_, word) => self.of_word(word),
            Stmt::LetSet(_, set) => self.of_set(set),
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                self.place(place);
                self.w(*w);
            }
            Stmt::StoreSet(place, s) => {
                self.place(place);
                self.s(*s);
            }
            Stmt::Undo(w)
            | Stmt::If(w, ..)
            | Stmt::Switch(w, _)
            | Stmt::ForBits(_, w, _)
            | Stmt::Return(w)
            | Stmt::Leaf(w)
            | Stmt::Tally(w) => self.w(*w),
            Stmt::ForCells(_, s, _) => self.s(*s),
            Stmt::ForNumbers(_, a, b, _) | Stmt::Note(a, b) => {
                self.w(*a);
                self.w(*b);
            }
            Stmt::Leaves(w, s, _) => {
                self.w(*w);
                self.s(*s);
            }
            Stmt::Call(_, arguments, _) => arguments.iter().for_each(|a| self.read(*a)),
            Stmt::Mark(_) | Stmt::Loop(..) | Stmt::Block(..) | Stmt::Leave(_) | Stmt::Fault(_) => {}
        }
    }

    fn of_word(&mut self, word: &Word) {
        match word {
            Word::Const(_) => {}
            Word::Copy(a)
            | Word::Table(_, a)
            | Word::Leading(a)
            | Word::Mix(a)
            | Word::Repeated(a)
            | Word::Seen(a) => self.w(*a),
            Word::Bin(_, a, b) | Word::PileKey(a, b) => {
                self.w(*a);
                self.w(*b);
            }
            Word::Select(a, b, c) => {
                self.w(*a);
                self.w(*b);
                self.w(*c);
            }
            Word::Load(place) => self.place(place),
            Word::Count(s) | Word::First(s) | Word::Last(s) | Word::Some(s) => self.s(*s),
            Word::Nth(s, w) | Word::Has(s, w) => {
                self.s(*s);
                self.w(*w);
            }
            Word::Within(a, b) | Word::Meet(a, b) | Word::Same(a, b) => {
                self.s(*a);
                self.s(*b);
            }
        }
    }

    fn of_set(&mut self, set: &Set) {
        match set {
            Set::Const(_) => {}
            Set::Copy(a) | Set::Shift(a, _) | Set::Around(a) | Set::Mapped(a, _) => self.s(*a),
            Set::Load(place) => self.place(place),
            Set::And(a, b)
            | Set::Or(a, b)
            | Set::Without(a, b)
            | Set::Xor(a, b)
            | Set::UpTo(a, b)
            | Set::DownTo(a, b) => {
                self.s(*a);
                self.s(*b);
            }
            Set::Single(w) | Set::Row(_, w) => self.w(*w),
            Set::With(s, w) | Set::Less(s, w) | Set::Part(s, w) => {
                self.s(*s);
                self.w(*w);
            }
            Set::Select(w, a, b) => {
                self.w(*w);
                self.s(*a);
                self.s(*b);
            }
        }
    }
}
