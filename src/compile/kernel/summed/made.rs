//! Words and sets that are the same in all positions: each is computed once where it is known, with what follows from how it was made.

use crate::board::{Cell, Cells};
use crate::compile::kernel::fun::{ALL, NO, NONE, SV, V, YES};
use crate::compile::kernel::summed::writer::{Pointwise, Undo, Writer};
use crate::program::kernel::{Bin, RowsId, Set, Stmt, TableId, W, Word};

/// Numbers that are added or taken away are smaller.
const SMALL: u64 = 1 << 32;

impl Writer<'_> {
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
