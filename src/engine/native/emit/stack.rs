//! Where a function's words and sets are kept: words and narrow sets as values and in variables, wide sets on the stack, where sets
//! that are never needed at the same time share a place.

use crate::engine::native::emit::Emit;
use crate::engine::native::emit::once::Once;
use crate::engine::native::ir::{self, StackSlot, Variable};
use crate::program::kernel::{Body, Function, NARROW, S, Set, Stmt, Value, W, Word};

/// The most bytes of the stack that one function may take for sets.
pub(super) const MOST: usize = 1 << 16;

/// Where a word is.
#[derive(Clone, Copy)]
pub(super) enum Home {
    /// It is given once: that is its value from there on.
    Value(Option<ir::Value>),
    /// It changes.
    Variable(Variable),
}

/// Where sets are.
#[derive(Default)]
pub(super) struct Homes {
    /// Narrow: all sets, word by word.
    words: Vec<Home>,
    /// Wide: the number of each set's place.
    places: Vec<usize>,
    slots: Vec<Option<StackSlot>>,
}

impl Homes {
    /// Finds places for a function's sets.
    pub(super) fn new(function: &Function, width: usize) -> Homes {
        if width <= NARROW {
            return Homes::default();
        }
        let mut lives = Lives {
            at: 0,
            lives: vec![None; function.sets as usize],
        };
        for param in &function.params {
            if let Value::Set(set) = param {
                lives.touch(*set);
            }
        }
        lives.body(&function.body);
        let mut order: Vec<(usize, usize, usize)> = (lives.lives.iter().enumerate())
            .filter_map(|(set, life)| life.map(|(first, last)| (first, last, set)))
            .collect();
        order.sort_unstable();
        let mut places = vec![usize::MAX; lives.lives.len()];
        let mut free_after: Vec<usize> = Vec::new();
        for (first, last, set) in order {
            let free = free_after.iter().position(|&until| until < first);
            let place = free.unwrap_or_else(|| {
                free_after.push(0);
                free_after.len() - 1
            });
            free_after[place] = last;
            places[set] = place;
        }
        Homes {
            words: Vec::new(),
            places,
            slots: vec![None; free_after.len()],
        }
    }
}

/// From where to where each set is needed, in statements. What is given a value first inside a loop is not carried from one
/// round to the next; what comes from in front of a loop is needed to its end.
struct Lives {
    at: usize,
    lives: Vec<Option<(usize, usize)>>,
}

impl Lives {
    fn touch(&mut self, set: S) {
        let at = self.at;
        if let Some(life) = self.lives.get_mut(set.0 as usize) {
            life.get_or_insert((at, at)).1 = at;
        }
    }

    fn around(&mut self, body: &Body) {
        let begin = self.at;
        self.body(body);
        self.at += 1;
        for life in self.lives.iter_mut().flatten() {
            if life.0 <= begin && life.1 > begin {
                life.1 = self.at;
            }
        }
    }

    fn body(&mut self, body: &Body) {
        for stmt in body {
            self.at += 1;
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(_, word) => self.word(word),
            Stmt::LetSet(to, set) => {
                self.set(set);
                self.touch(*to);
            }
            Stmt::StoreSet(_, set) | Stmt::Leaves(_, set, _) => self.touch(*set),
            Stmt::If(_, yes, no) => {
                self.body(yes);
                self.body(no);
            }
            Stmt::Switch(_, bodies) => bodies.iter().for_each(|b| self.body(b)),
            Stmt::ForCells(_, set, body) => {
                self.touch(*set);
                self.around(body);
            }
            Stmt::ForBits(_, _, body) | Stmt::ForNumbers(_, _, _, body) | Stmt::Loop(_, body) => {
                self.around(body);
            }
            Stmt::Block(_, body) => self.body(body),
            Stmt::Call(_, arguments, _) => {
                for argument in arguments {
                    if let Value::Set(set) = argument {
                        self.touch(*set);
                    }
                }
            }
            Stmt::Store(..)
            | Stmt::StoreLogged(..)
            | Stmt::Mark(_)
            | Stmt::Undo(_)
            | Stmt::Leave(_)
            | Stmt::Return(_)
            | Stmt::Leaf(_)
            | Stmt::Tally(_)
            | Stmt::Note(..)
            | Stmt::Fault(_) => {}
        }
    }

    fn word(&mut self, word: &Word) {
        match word {
            Word::Count(a)
            | Word::First(a)
            | Word::Last(a)
            | Word::Nth(a, _)
            | Word::Some(a)
            | Word::Has(a, _) => {
                self.touch(*a);
            }
            Word::Within(a, b) | Word::Meet(a, b) | Word::Same(a, b) => {
                self.touch(*a);
                self.touch(*b);
            }
            Word::Const(_)
            | Word::Copy(_)
            | Word::Bin(..)
            | Word::Select(..)
            | Word::Load(_)
            | Word::Table(..)
            | Word::Byte(..)
            | Word::Leading(_)
            | Word::Mix(_)
            | Word::PileKey(..)
            | Word::Repeated(_)
            | Word::Seen(_) => {}
        }
    }

    fn set(&mut self, set: &Set) {
        match set {
            Set::Copy(a)
            | Set::With(a, _)
            | Set::Less(a, _)
            | Set::Shift(a, _)
            | Set::Around(a)
            | Set::Part(a, _)
            | Set::Mapped(a, _) => self.touch(*a),
            Set::And(a, b)
            | Set::Or(a, b)
            | Set::Without(a, b)
            | Set::Xor(a, b)
            | Set::UpTo(a, b)
            | Set::DownTo(a, b)
            | Set::Select(_, a, b) => {
                self.touch(*a);
                self.touch(*b);
            }
            Set::Const(_) | Set::Load(_) | Set::Single(_) | Set::Row(..) => {}
        }
    }
}

impl Emit<'_> {
    /// Declares a function's words and narrow sets.
    pub(super) fn declare(&mut self, function: &Function) {
        let once = Once::new(function);
        let words = 0..function.words as usize;
        self.words = words
            .map(|word| self.new_home(once.is_value(word)))
            .collect();
        if !self.wide() {
            let words = 0..function.sets as usize * self.width;
            let homes = words.map(|word| self.new_home(once.are_values(word / self.width)));
            self.homes.words = homes.collect();
        }
    }

    fn new_home(&mut self, once: bool) -> Home {
        match once {
            true => Home::Value(None),
            false => Home::Variable(self.b.declare_var()),
        }
    }

    /// Reads a word.
    pub(super) fn get(&mut self, word: W) -> ir::Value {
        let value = self.read(word);
        self.widened(value)
    }

    /// Reads a word, or a truth as wide as a comparison made it.
    pub(super) fn read(&mut self, word: W) -> ir::Value {
        let home = self.words.get(word.0 as usize).copied();
        self.read_home(home)
    }

    /// Writes a word, or a truth.
    pub(super) fn put(&mut self, word: W, value: ir::Value) {
        match self.words.get_mut(word.0 as usize) {
            Some(Home::Value(known)) => *known = Some(value),
            Some(&mut Home::Variable(variable)) => {
                let value = self.widened(value);
                self.b.def_var(variable, value);
            }
            None => self.wrong("a word that the function does not have"),
        }
    }

    /// Whether a word is given once.
    pub(super) fn is_word_given_once(&self, word: W) -> bool {
        matches!(self.words.get(word.0 as usize), Some(Home::Value(_)))
    }

    /// Whether a narrow set is given once.
    pub(super) fn is_given_once(&self, set: S) -> bool {
        let home = self.homes.words.get(set.0 as usize * self.width);
        matches!(home, Some(Home::Value(_)))
    }

    /// Reads a word of a narrow set.
    pub(super) fn get_narrow(&mut self, set: S, word: usize) -> ir::Value {
        let at = set.0 as usize * self.width + word;
        let home = self.homes.words.get(at).copied();
        self.read_home(home)
    }

    /// Writes a word of a narrow set.
    pub(super) fn put_narrow(&mut self, set: S, word: usize, value: ir::Value) {
        let at = set.0 as usize * self.width + word;
        match self.homes.words.get_mut(at) {
            Some(Home::Value(known)) => *known = Some(value),
            Some(Home::Variable(variable)) => self.b.def_var(*variable, value),
            None => self.wrong("a set that the function does not have"),
        }
    }

    fn read_home(&mut self, home: Option<Home>) -> ir::Value {
        match home {
            Some(Home::Value(Some(value))) => value,
            Some(Home::Variable(variable)) => self.b.use_var(variable),
            // What is never given is 0.
            Some(Home::Value(None)) => self.number(0),
            None => {
                self.wrong("a word or a set that the function does not have");
                self.number(0)
            }
        }
    }

    /// The place of a wide set.
    pub(super) fn home(&mut self, set: S) -> StackSlot {
        let Some(&place) = self.homes.places.get(set.0 as usize) else {
            self.wrong("a set that the function does not have");
            return self.passing(0);
        };
        if let Some(Some(slot)) = self.homes.slots.get(place) {
            return *slot;
        }
        let slot = self.slot(self.width * 8);
        if let Some(free) = self.homes.slots.get_mut(place) {
            *free = Some(slot);
        }
        slot
    }
}
