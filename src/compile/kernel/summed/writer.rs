//! Statements about a set of cells: written once each, with what is known where they stand. What was computed or found out in a
//! body is forgotten behind it.

use crate::board::{Cell, Cells};
use crate::compile::kernel::fun::{ALL, Fixed, Fun, NO, NONE, SV, V, YES};
use crate::program::kernel::{Bin, Body, RowsId, S, Set, Stmt, TableId, W, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// So far it is followed what sets were made of.
const DEPTH: u32 = 8;

/// Numbers that are added or taken away are smaller.
const SMALL: u64 = 1 << 32;

/// What is computed of two sets cell by cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pointwise {
    /// Cells in both.
    And,
    /// Cells in either.
    Or,
    /// Cells in the first only.
    Without,
    /// Cells in one only.
    Xor,
}

/// What a word is known to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fact {
    Is(u64),
    Some,
}

/// What is forgotten at the end of a body.
enum Undo {
    Word(Word),
    Two(Bin, V, V),
    Set(Set),
    Point(Pointwise, SV, SV),
    Side(SV, Option<bool>),
    Fact(W, Option<Fact>),
}

/// Writes statements.
pub struct Writer<'k> {
    /// The function.
    pub f: Fun,
    /// The fixed sets.
    pub fixed: &'k mut Fixed,
    /// The cells that are played, each in a position of its own: never none where statements are written.
    pub cells: SV,
    /// How many cells the board has.
    board: usize,
    tables: &'k [Vec<u64>],
    rows: &'k [Vec<Cells>],
    words: FxHashMap<Word, V>,
    twos: FxHashMap<(Bin, V, V), V>,
    sets: FxHashMap<Set, SV>,
    points: FxHashMap<(Pointwise, SV, SV), SV>,
    sides: FxHashMap<SV, bool>,
    facts: FxHashMap<W, Fact>,
    undo: Vec<Undo>,
    marks: Vec<usize>,
    /// What sets were made of.
    parts: FxHashMap<S, (Pointwise, SV, SV)>,
    /// Words that are another and so much more.
    more: FxHashMap<W, (V, u64)>,
    /// Words that are 0 or 1.
    truths: FxHashSet<W>,
    /// Words that say that another is 0.
    nots: FxHashMap<W, W>,
    /// Words that are one or another fixed number when a third is not 0.
    chosen: FxHashMap<W, (W, u64, u64)>,
}

impl<'k> Writer<'k> {
    /// Goes on with a function.
    pub fn new(
        f: Fun,
        fixed: &'k mut Fixed,
        (tables, rows): (&'k [Vec<u64>], &'k [Vec<Cells>]),
        board: usize,
    ) -> Writer<'k> {
        Writer {
            f,
            fixed,
            cells: NONE,
            board,
            tables,
            rows,
            words: FxHashMap::default(),
            twos: FxHashMap::default(),
            sets: FxHashMap::default(),
            points: FxHashMap::default(),
            sides: FxHashMap::default(),
            facts: FxHashMap::default(),
            undo: Vec::new(),
            marks: Vec::new(),
            parts: FxHashMap::default(),
            more: FxHashMap::default(),
            truths: FxHashSet::default(),
            nots: FxHashMap::default(),
            chosen: FxHashMap::default(),
        }
    }

    /// Begins a body.
    pub fn open(&mut self) {
        self.f.open();
        self.marks.push(self.undo.len());
    }

    /// Ends a body.
    pub fn close(&mut self) -> Body {
        let mark = self.marks.pop().unwrap_or_default();
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Word(word) => {
                    self.words.remove(&word);
                }
                Undo::Two(op, a, b) => {
                    self.twos.remove(&(op, a, b));
                }
                Undo::Set(set) => {
                    self.sets.remove(&set);
                }
                Undo::Point(how, a, b) => {
                    self.points.remove(&(how, a, b));
                }
                Undo::Side(set, before) => {
                    match before {
                        Some(before) => self.sides.insert(set, before),
                        None => self.sides.remove(&set),
                    };
                }
                Undo::Fact(w, before) => {
                    match before {
                        Some(before) => self.facts.insert(w, before),
                        None => self.facts.remove(&w),
                    };
                }
            }
        }
        self.f.close()
    }

    /// All of the cells are in the set from here on, or none of them is.
    pub fn know_side(&mut self, set: SV, all: bool) {
        if matches!(set, NONE | ALL) {
            return;
        }
        let before = self.sides.insert(set, all);
        self.undo.push(Undo::Side(set, before));
        let SV::R(s) = set else { return };
        match (self.parts.get(&s).copied(), all) {
            (Some((Pointwise::And, a, b)), true) | (Some((Pointwise::Or, a, b)), false) => {
                self.know_side(a, all);
                self.know_side(b, all);
            }
            (Some((Pointwise::Without, a, b)), true) => {
                self.know_side(a, true);
                self.know_side(b, false);
            }
            _ => {}
        }
    }

    /// Whether all of the cells are in a set, or none of them is, where that is known.
    pub fn side(&self, set: SV) -> Option<bool> {
        self.side_within(set, DEPTH)
    }

    fn side_within(&self, set: SV, depth: u32) -> Option<bool> {
        match set {
            NONE => return Some(false),
            ALL => return Some(true),
            _ if set == self.cells => return Some(true),
            _ => {}
        }
        if let Some(side) = self.sides.get(&set) {
            return Some(*side);
        }
        let SV::R(s) = set else { return None };
        let (how, a, b) = *self.parts.get(&s)?;
        let depth = depth.checked_sub(1)?;
        let (a, b) = (self.side_within(a, depth), self.side_within(b, depth));
        match (how, a, b) {
            (Pointwise::And, Some(false), _) | (Pointwise::And, _, Some(false)) => Some(false),
            (Pointwise::And, Some(true), b) => b,
            (Pointwise::And, a, Some(true)) => a,
            (Pointwise::Or, Some(true), _) | (Pointwise::Or, _, Some(true)) => Some(true),
            (Pointwise::Or, Some(false), b) => b,
            (Pointwise::Or, a, Some(false)) => a,
            (Pointwise::Without, Some(false), _) | (Pointwise::Without, _, Some(true)) => {
                Some(false)
            }
            (Pointwise::Without, a, Some(false)) => a,
            (Pointwise::Without, Some(true), b) => b.map(|b| !b),
            (Pointwise::Xor, Some(a), Some(b)) => Some(a != b),
            _ => None,
        }
    }

    /// The word, fixed where that is known.
    pub fn get(&self, v: V) -> V {
        match v {
            V::R(w) => match self.facts.get(&w) {
                Some(Fact::Is(k)) => V::K(*k),
                Some(Fact::Some) => v,
                None => match self.chosen(w) {
                    Some((test, a, b)) => match self.truth(V::R(test)) {
                        Some(holds) => V::K(if holds { a } else { b }),
                        None => v,
                    },
                    None => v,
                },
            },
            V::K(_) => v,
        }
    }

    /// The word that chooses between two fixed numbers, when a word is what is chosen.
    pub fn chosen(&self, w: W) -> Option<(W, u64, u64)> {
        self.chosen.get(&w).copied()
    }

    /// Whether a word is not 0, where that is known.
    pub fn truth(&self, v: V) -> Option<bool> {
        match self.get(v) {
            V::K(k) => Some(k != 0),
            V::R(w) => self.facts.contains_key(&w).then_some(true),
        }
    }

    /// Whether a word is 0 or 1.
    pub fn is_truth(&self, v: V) -> bool {
        match v {
            V::K(k) => k <= 1,
            V::R(w) => self.truths.contains(&w),
        }
    }

    /// A word has a value from here on.
    pub fn know(&mut self, w: W, value: u64) {
        self.know_fact(w, Fact::Is(value));
    }

    /// A word is 0 from here on, or is not.
    pub fn know_truth(&mut self, w: W, holds: bool) {
        let fact = match (holds, self.is_truth(V::R(w))) {
            (false, _) => Fact::Is(0),
            (true, true) => Fact::Is(1),
            (true, false) => Fact::Some,
        };
        self.know_fact(w, fact);
        if let Some(of) = self.nots.get(&w).copied() {
            self.know_truth(of, !holds);
        }
    }

    fn know_fact(&mut self, w: W, fact: Fact) {
        let before = self.facts.insert(w, fact);
        self.undo.push(Undo::Fact(w, before));
    }

    /// A word.
    pub fn make(&mut self, word: Word) -> V {
        if let Some(v) = self.words.get(&word) {
            return self.get(*v);
        }
        let v = self.f.make(word.clone());
        if let (V::R(w), true) = (v, matches!(word, Word::Some(_) | Word::Has(..))) {
            self.truths.insert(w);
        }
        self.words.insert(word.clone(), v);
        self.undo.push(Undo::Word(word));
        v
    }

    /// A set.
    pub fn make_set(&mut self, set: Set) -> SV {
        if let Some(s) = self.sets.get(&set) {
            return *s;
        }
        let s = self.f.make_set(set.clone());
        self.sets.insert(set.clone(), s);
        self.undo.push(Undo::Set(set));
        s
    }

    /// Of two words that are the same in all positions.
    pub fn of_two(&mut self, op: Bin, a: V, b: V) -> V {
        let (a, b) = (self.get(a), self.get(b));
        if let (Bin::Equal | Bin::Differ, NO, v) | (Bin::Equal | Bin::Differ, v, NO) = (op, a, b)
            && let Some(some) = self.truth(v)
        {
            return V::K(u64::from(some == (op == Bin::Differ)));
        }
        let (op, a, b) = match (op, a, b) {
            (Bin::Add, V::K(k), v @ V::R(_)) | (Bin::Add, v @ V::R(_), V::K(k)) if k < SMALL => {
                self.so_much_more(v, k)
            }
            (Bin::Sub, v @ V::R(_), V::K(k)) if k < SMALL => self.so_much_more(v, k.wrapping_neg()),
            _ => (op, a, b),
        };
        if b == NO && matches!(op, Bin::Add | Bin::Sub) {
            return a;
        }
        if let Some(v) = self.twos.get(&(op, a, b)) {
            return self.get(*v);
        }
        let v = self.f.bin(op, a, b);
        if let V::R(w) = v {
            self.note(w, op, a, b);
        }
        self.twos.insert((op, a, b), v);
        self.undo.push(Undo::Two(op, a, b));
        v
    }

    /// A word and a small number more or less, of what that word was made.
    fn so_much_more(&self, v: V, by: u64) -> (Bin, V, V) {
        let (of, by) = match v {
            V::R(w) => match self.more.get(&w) {
                Some((of, before)) => (*of, before.wrapping_add(by)),
                None => (v, by),
            },
            V::K(_) => (v, by),
        };
        if by.cast_signed() < 0 {
            (Bin::Sub, of, V::K(by.wrapping_neg()))
        } else {
            (Bin::Add, of, V::K(by))
        }
    }

    /// What is known of a word by how it was made.
    fn note(&mut self, w: W, op: Bin, a: V, b: V) {
        let truth = match op {
            Bin::Equal | Bin::Differ | Bin::Less | Bin::AtMost => true,
            Bin::And => self.is_truth(a) || self.is_truth(b),
            Bin::Or | Bin::Xor => self.is_truth(a) && self.is_truth(b),
            _ => false,
        };
        if truth {
            self.truths.insert(w);
        }
        match (op, a, b) {
            (Bin::Add, of, V::K(k)) => {
                self.more.insert(w, (of, k));
            }
            (Bin::Sub, of, V::K(k)) => {
                self.more.insert(w, (of, k.wrapping_neg()));
            }
            (Bin::Equal, V::R(of), NO) | (Bin::Equal, NO, V::R(of)) => {
                self.nots.insert(w, of);
            }
            _ => {}
        }
    }

    /// The second word or the third, which are the same in all positions.
    pub fn select_word(&mut self, test: V, a: V, b: V) -> V {
        match self.truth(test) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => {
                let (test, x, y) = (self.f.reg(test), self.f.reg(a), self.f.reg(b));
                let chosen = self.make(Word::Select(test, x, y));
                if let (V::R(w), V::K(a), V::K(b)) = (chosen, a, b) {
                    self.chosen.insert(w, (test, a, b));
                }
                chosen
            }
        }
    }

    /// The second set or the third.
    pub fn select_set(&mut self, test: V, a: SV, b: SV) -> SV {
        match self.truth(test) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => {
                let (test, a, b) = (self.f.reg(test), self.f.sreg(a), self.f.sreg(b));
                self.make_set(Set::Select(test, a, b))
            }
        }
    }

    /// Two sets cell by cell.
    pub fn point(&mut self, a: SV, b: SV, how: Pointwise) -> SV {
        if let Some(s) = self.points.get(&(how, a, b)) {
            return *s;
        }
        let s = match how {
            Pointwise::And => self.f.and(self.fixed, a, b),
            Pointwise::Or => self.f.or(self.fixed, a, b),
            Pointwise::Without => self.f.without(self.fixed, a, b),
            Pointwise::Xor if a == NONE => b,
            Pointwise::Xor if b == NONE => a,
            Pointwise::Xor if a == b => NONE,
            Pointwise::Xor => {
                let (a, b) = (self.f.sreg(a), self.f.sreg(b));
                self.f.make_set(Set::Xor(a, b))
            }
        };
        if let SV::R(made) = s
            && s != a
            && s != b
        {
            self.parts.insert(made, (how, a, b));
        }
        self.points.insert((how, a, b), s);
        self.undo.push(Undo::Point(how, a, b));
        s
    }

    /// One cell, if the board has it.
    pub fn single(&mut self, cell: V) -> Option<SV> {
        match self.get(cell) {
            V::K(k) => {
                let on_board = k < self.board as u64;
                on_board.then(|| SV::K(self.fixed.put(Cells::single(Cell(k as u16)))))
            }
            V::R(w) => Some(self.make_set(Set::Single(w))),
        }
    }

    /// An entry of a table, if it has so many.
    pub fn table(&mut self, id: TableId, at: V) -> Option<V> {
        match self.get(at) {
            V::K(k) => {
                let entries = self.tables.get(id.0 as usize)?;
                let at = usize::try_from(k).ok()?;
                entries.get(at).map(|entry| V::K(*entry))
            }
            V::R(w) => Some(self.make(Word::Table(id, w))),
        }
    }

    /// Whether a table of sets has so many entries.
    pub fn has_row(&self, id: RowsId, at: u64) -> bool {
        let rows = self.rows.get(id.0 as usize);
        rows.is_some_and(|rows| at < rows.len() as u64)
    }

    /// How many cells a set has that is the same in all positions.
    pub fn count_same(&mut self, set: SV) -> V {
        match set {
            SV::K(_) => self.f.count(self.fixed, set),
            SV::R(s) => self.make(Word::Count(s)),
        }
    }

    /// Whether a set has cells that is the same in all positions.
    pub fn some_same(&mut self, set: SV) -> V {
        match set {
            SV::K(_) => self.f.some(self.fixed, set),
            SV::R(s) => self.make(Word::Some(s)),
        }
    }

    /// Whether a set that is the same in all positions has a cell of the board that is, too.
    pub fn has_same(&mut self, set: SV, cell: V) -> V {
        match (set, self.get(cell)) {
            (NONE, _) => NO,
            (ALL, _) => YES,
            (SV::K(_), cell @ V::K(_)) => self.f.has(self.fixed, set, cell),
            (set, cell) => {
                let (s, w) = (self.f.sreg(set), self.f.reg(cell));
                self.make(Word::Has(s, w))
            }
        }
    }

    /// A statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.f.push(stmt);
    }
}
