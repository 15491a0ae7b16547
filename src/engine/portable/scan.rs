//! What the code of a function must know before it is made: how often each word and set is given a value and read, and
//! which of them are fixed. Reads a function, decides nothing.

use crate::program::kernel::{Function, Place, Set, SetId, Stmt, Value, W, Word};
use rustc_hash::FxHashMap;

/// How often something is given a value and read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Use {
    /// Statements that give it a value, and parameters.
    pub given: u32,
    /// Times it is read.
    pub read: u32,
    /// The number of the fixed word or set that it is given last.
    pub fixed: Option<usize>,
}

impl Use {
    /// The number of the fixed word or set that it always is.
    #[must_use]
    pub fn always(&self) -> Option<usize> {
        self.fixed.filter(|_| self.given == 1)
    }

    /// Whether it is read at one place only: a value that is read there is needed nowhere else.
    #[must_use]
    pub const fn passes(&self) -> bool {
        self.read == 1
    }
}

/// What is known of a function.
#[derive(Default, Debug)]
pub struct Scan {
    /// For each word.
    pub words: Vec<Use>,
    /// For each set.
    pub sets: Vec<Use>,
    /// Each fixed word once, in the order of their first use.
    pub constants: Vec<u64>,
    /// Each fixed set once, in the order of their first use.
    pub fixed: Vec<SetId>,
    numbers: FxHashMap<u64, usize>,
    known: FxHashMap<SetId, usize>,
}

impl Scan {
    /// Reads a function.
    #[must_use]
    pub fn of(function: &Function) -> Scan {
        let mut scan = Scan {
            words: vec![Use::default(); function.words as usize],
            sets: vec![Use::default(); function.sets as usize],
            ..Scan::default()
        };
        // What a function that ends by itself returns.
        scan.constant(0);
        for param in &function.params {
            scan.use_of(*param).given += 1;
        }
        scan.body(&function.body);
        scan
    }

    /// The number of a fixed word.
    #[must_use]
    pub fn number(&self, value: u64) -> Option<usize> {
        self.numbers.get(&value).copied()
    }

    /// The number of a fixed set.
    #[must_use]
    pub fn fixed_number(&self, set: SetId) -> Option<usize> {
        self.known.get(&set).copied()
    }

    fn constant(&mut self, value: u64) -> usize {
        let next = self.constants.len();
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.constants.push(value);
        }
        number
    }

    fn fix(&mut self, set: SetId) -> usize {
        let next = self.fixed.len();
        let number = *self.known.entry(set).or_insert(next);
        if number == next {
            self.fixed.push(set);
        }
        number
    }

    fn use_of(&mut self, value: Value) -> &mut Use {
        let (list, at) = match value {
            Value::Word(w) => (&mut self.words, w.0 as usize),
            Value::Set(s) => (&mut self.sets, s.0 as usize),
        };
        if list.len() <= at {
            list.resize(at + 1, Use::default());
        }
        &mut list[at]
    }

    fn read(&mut self, values: &[Value]) {
        for value in values {
            self.use_of(*value).read += 1;
        }
    }

    fn give(&mut self, w: W) {
        self.use_of(Value::Word(w)).given += 1;
    }

    fn place(&mut self, place: &Place) {
        if let Some((w, _)) = place.index {
            self.read(&[Value::Word(w)]);
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(w, Word::Const(n)) => {
                let number = self.constant(*n);
                self.give(*w);
                self.use_of(Value::Word(*w)).fixed = Some(number);
            }
            Stmt::Let(w, value) => {
                self.give(*w);
                self.word(value);
            }
            Stmt::LetSet(s, Set::Const(id)) => {
                let number = self.fix(*id);
                let used = self.use_of(Value::Set(*s));
                used.given += 1;
                used.fixed = Some(number);
            }
            Stmt::LetSet(s, value) => {
                self.use_of(Value::Set(*s)).given += 1;
                self.set(value);
            }
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                self.place(place);
                self.read(&[Value::Word(*w)]);
            }
            Stmt::StoreSet(place, s) => {
                self.place(place);
                self.read(&[Value::Set(*s)]);
            }
            Stmt::Mark(w) => self.give(*w),
            Stmt::Undo(w) | Stmt::Return(w) | Stmt::Leaf(w) | Stmt::Tally(w) => {
                self.read(&[Value::Word(*w)]);
            }
            Stmt::If(w, then, other) => {
                self.read(&[Value::Word(*w)]);
                self.body(then);
                self.body(other);
            }
            Stmt::Switch(w, bodies) => {
                self.read(&[Value::Word(*w)]);
                for body in bodies {
                    self.body(body);
                }
            }
            Stmt::ForCells(w, s, body) => {
                self.give(*w);
                self.read(&[Value::Set(*s)]);
                self.body(body);
            }
            Stmt::ForBits(w, of, body) => {
                self.give(*w);
                self.read(&[Value::Word(*of)]);
                self.body(body);
            }
            Stmt::ForNumbers(w, from, to, body) => {
                self.give(*w);
                self.read(&[Value::Word(*from), Value::Word(*to)]);
                self.body(body);
            }
            Stmt::Loop(_, body) | Stmt::Block(_, body) => self.body(body),
            Stmt::Leave(_) | Stmt::Fault(_) => {}
            Stmt::Call(_, arguments, result) => {
                self.read(arguments);
                if let Some(w) = result {
                    self.give(*w);
                }
            }
            Stmt::Note(a, b) => self.read(&[Value::Word(*a), Value::Word(*b)]),
            Stmt::Leaves(w, s, _) => self.read(&[Value::Word(*w), Value::Set(*s)]),
        }
    }

    fn word(&mut self, value: &Word) {
        match *value {
            Word::Const(_) => {}
            Word::Copy(w)
            | Word::Leading(w)
            | Word::Mix(w)
            | Word::Repeated(w)
            | Word::Seen(w)
            | Word::Byte(_, w)
            | Word::Table(_, w) => self.read(&[Value::Word(w)]),
            Word::Bin(_, a, b) | Word::PileKey(a, b) => {
                self.read(&[Value::Word(a), Value::Word(b)]);
            }
            Word::Select(w, a, b) => {
                self.read(&[Value::Word(w), Value::Word(a), Value::Word(b)]);
            }
            Word::Load(ref place) => self.place(place),
            Word::Count(s) | Word::First(s) | Word::Last(s) | Word::Some(s) => {
                self.read(&[Value::Set(s)]);
            }
            Word::Has(s, w) | Word::Nth(s, w) => self.read(&[Value::Set(s), Value::Word(w)]),
            Word::Within(a, b) | Word::Meet(a, b) | Word::Same(a, b) => {
                self.read(&[Value::Set(a), Value::Set(b)]);
            }
        }
    }

    fn set(&mut self, value: &Set) {
        match *value {
            Set::Const(_) => {}
            Set::Copy(s) | Set::Shift(s, _) | Set::Around(s) | Set::Mapped(s, _) => {
                self.read(&[Value::Set(s)]);
            }
            Set::Load(ref place) => self.place(place),
            Set::And(a, b)
            | Set::Or(a, b)
            | Set::Without(a, b)
            | Set::Xor(a, b)
            | Set::UpTo(a, b)
            | Set::DownTo(a, b) => {
                self.read(&[Value::Set(a), Value::Set(b)]);
            }
            Set::Single(w) | Set::Row(_, w) => self.read(&[Value::Word(w)]),
            Set::With(s, w) | Set::Less(s, w) | Set::Part(s, w) => {
                self.read(&[Value::Set(s), Value::Word(w)]);
            }
            Set::Select(w, a, b) => {
                self.read(&[Value::Word(w), Value::Set(a), Value::Set(b)]);
            }
        }
    }
}
