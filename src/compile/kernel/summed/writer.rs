//! Statements about a set of cells: written once each, with what is known where they stand. What was computed or found out in a
//! body is forgotten behind it.

use crate::board::Cells;
use crate::compile::kernel::fun::{ALL, Fixed, Fun, NONE, SV, V};
use crate::program::kernel::{Bin, Body, S, Set, W, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// So far it is followed what sets were made of.
const DEPTH: u32 = 8;

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
pub(super) enum Fact {
    Is(u64),
    Some,
}

/// What is forgotten at the end of a body.
pub(super) enum Undo {
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
    pub(super) board: usize,
    pub(super) tables: &'k [Vec<u64>],
    pub(super) rows: &'k [Vec<Cells>],
    pub(super) words: FxHashMap<Word, V>,
    pub(super) twos: FxHashMap<(Bin, V, V), V>,
    pub(super) sets: FxHashMap<Set, SV>,
    pub(super) points: FxHashMap<(Pointwise, SV, SV), SV>,
    sides: FxHashMap<SV, bool>,
    facts: FxHashMap<W, Fact>,
    pub(super) undo: Vec<Undo>,
    marks: Vec<usize>,
    /// What sets were made of.
    pub(super) parts: FxHashMap<S, (Pointwise, SV, SV)>,
    /// Words that are another and so much more.
    pub(super) more: FxHashMap<W, (V, u64)>,
    /// Words that are 0 or 1.
    pub(super) truths: FxHashSet<W>,
    /// Words that say that another is 0.
    pub(super) nots: FxHashMap<W, W>,
    /// Words that are one or another fixed number when a third is not 0.
    pub(super) chosen: FxHashMap<W, (W, u64, u64)>,
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
}
