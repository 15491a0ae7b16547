//! Where a function's sets are kept: narrow ones in variables, wide ones on the stack, where sets that are never needed at the
//! same time share a place.

use crate::engine::native::emit::{Emit, NARROW};
use crate::program::kernel::{Body, Function, S, Set, Stmt, Value, Word};
use cranelift_codegen::ir::StackSlot;
use cranelift_codegen::ir::types::I64;
use cranelift_frontend::Variable;

/// The most bytes of the stack that one function may take for sets.
pub(super) const MOST: usize = 1 << 16;

/// Where sets are.
#[derive(Default)]
pub(super) struct Homes {
    /// Narrow: the variables of all sets, word by word.
    variables: Vec<Variable>,
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
            variables: Vec::new(),
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

impl Emit<'_, '_> {
    /// Declares the variables of a function's narrow sets.
    pub(super) fn declare_sets(&mut self, sets: u32) {
        if !self.wide() {
            let count = sets as usize * self.width;
            self.homes.variables = (0..count).map(|_| self.b.declare_var(I64)).collect();
        }
    }

    /// The variable of a word of a narrow set.
    pub(super) fn set_variable(&mut self, set: S, word: usize) -> Option<Variable> {
        let at = set.0 as usize * self.width + word;
        let found = self.homes.variables.get(at).copied();
        if found.is_none() {
            self.wrong("a set that the function does not have");
        }
        found
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
