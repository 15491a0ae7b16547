//! The words and sets that expressions and statements read, to be looked at or exchanged for others; and what statements give and do.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most statements give nothing and have nothing inside"
)]

use crate::program::kernel::{Bin, Body, FuncId, Place, S, Set, Stmt, Value, W, Word};
use std::slice::from_mut;

/// Gives words and sets other numbers, or only looks at them.
pub trait Renumber {
    /// For a word.
    fn word(&mut self, w: W) -> W;

    /// For a set.
    fn set(&mut self, s: S) -> S;

    /// For a place.
    fn place(&mut self, place: Place) -> Place {
        Place {
            index: place.index.map(|(w, stride)| (self.word(w), stride)),
            ..place
        }
    }

    /// For an argument.
    fn value(&mut self, value: Value) -> Value {
        match value {
            Value::Word(w) => Value::Word(self.word(w)),
            Value::Set(s) => Value::Set(self.set(s)),
        }
    }
}

/// Looks at words and sets, and leaves them as they are.
struct Look<'t, T>(&'t mut T);

impl<T: FnMut(Value)> Renumber for Look<'_, T> {
    fn word(&mut self, w: W) -> W {
        (self.0)(Value::Word(w));
        w
    }

    fn set(&mut self, s: S) -> S {
        (self.0)(Value::Set(s));
        s
    }
}

impl Word {
    /// Whether it is 0 or 1, whatever it is made of.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        matches!(
            self,
            Word::Bin(Bin::Equal | Bin::Differ | Bin::Less | Bin::AtMost, ..)
                | Word::Some(_)
                | Word::Has(..)
                | Word::Within(..)
                | Word::Meet(..)
                | Word::Same(..)
        )
    }

    /// Whether it follows from other words alone, whenever it is asked for.
    #[must_use]
    pub fn is_of_words(&self) -> bool {
        matches!(
            self,
            Word::Const(_)
                | Word::Copy(_)
                | Word::Bin(..)
                | Word::Select(..)
                | Word::Table(..)
                | Word::Byte(..)
                | Word::Leading(_)
                | Word::Mix(_)
        )
    }

    /// The same of other words and sets.
    #[must_use]
    pub fn renumbered(&self, to: &mut impl Renumber) -> Word {
        match *self {
            Word::Const(k) => Word::Const(k),
            Word::Copy(a) => Word::Copy(to.word(a)),
            Word::Bin(op, a, b) => Word::Bin(op, to.word(a), to.word(b)),
            Word::Select(c, a, b) => Word::Select(to.word(c), to.word(a), to.word(b)),
            Word::Load(place) => Word::Load(to.place(place)),
            Word::Table(id, a) => Word::Table(id, to.word(a)),
            Word::Byte(id, a) => Word::Byte(id, to.word(a)),
            Word::Count(s) => Word::Count(to.set(s)),
            Word::First(s) => Word::First(to.set(s)),
            Word::Last(s) => Word::Last(to.set(s)),
            Word::Nth(s, n) => Word::Nth(to.set(s), to.word(n)),
            Word::Some(s) => Word::Some(to.set(s)),
            Word::Has(s, c) => Word::Has(to.set(s), to.word(c)),
            Word::Within(a, b) => Word::Within(to.set(a), to.set(b)),
            Word::Meet(a, b) => Word::Meet(to.set(a), to.set(b)),
            Word::Same(a, b) => Word::Same(to.set(a), to.set(b)),
            Word::Leading(a) => Word::Leading(to.word(a)),
            Word::Mix(a) => Word::Mix(to.word(a)),
            Word::PileKey(c, p) => Word::PileKey(to.word(c), to.word(p)),
            Word::Repeated(k) => Word::Repeated(to.word(k)),
            Word::Seen(k) => Word::Seen(to.word(k)),
        }
    }
}

impl Set {
    /// The same of other words and sets.
    #[must_use]
    pub fn renumbered(&self, to: &mut impl Renumber) -> Set {
        match *self {
            Set::Const(id) => Set::Const(id),
            Set::Copy(a) => Set::Copy(to.set(a)),
            Set::Load(place) => Set::Load(to.place(place)),
            Set::And(a, b) => Set::And(to.set(a), to.set(b)),
            Set::Or(a, b) => Set::Or(to.set(a), to.set(b)),
            Set::Without(a, b) => Set::Without(to.set(a), to.set(b)),
            Set::Xor(a, b) => Set::Xor(to.set(a), to.set(b)),
            Set::UpTo(a, b) => Set::UpTo(to.set(a), to.set(b)),
            Set::DownTo(a, b) => Set::DownTo(to.set(a), to.set(b)),
            Set::Single(w) => Set::Single(to.word(w)),
            Set::With(s, w) => Set::With(to.set(s), to.word(w)),
            Set::Less(s, w) => Set::Less(to.set(s), to.word(w)),
            Set::Row(id, w) => Set::Row(id, to.word(w)),
            Set::Shift(s, id) => Set::Shift(to.set(s), id),
            Set::Around(s) => Set::Around(to.set(s)),
            Set::Part(s, w) => Set::Part(to.set(s), to.word(w)),
            Set::Mapped(s, id) => Set::Mapped(to.set(s), id),
            Set::Select(w, a, b) => Set::Select(to.word(w), to.set(a), to.set(b)),
        }
    }
}

impl Stmt {
    /// Gives other numbers to what the statement itself reads: neither to what it gives values nor to what stands inside it.
    pub fn renumber_reads(&mut self, to: &mut impl Renumber) {
        match self {
            Stmt::Let(_, word) => *word = word.renumbered(to),
            Stmt::LetSet(_, set) => *set = set.renumbered(to),
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                (*place, *w) = (to.place(*place), to.word(*w));
            }
            Stmt::StoreSet(place, s) => (*place, *s) = (to.place(*place), to.set(*s)),
            Stmt::Undo(w)
            | Stmt::If(w, ..)
            | Stmt::Switch(w, _)
            | Stmt::ForBits(_, w, _)
            | Stmt::Return(w)
            | Stmt::Leaf(w)
            | Stmt::Tally(w) => *w = to.word(*w),
            Stmt::ForCells(_, s, _) => *s = to.set(*s),
            Stmt::ForNumbers(_, a, b, _) | Stmt::Note(a, b) => {
                (*a, *b) = (to.word(*a), to.word(*b));
            }
            Stmt::Leaves(w, s, _) => (*w, *s) = (to.word(*w), to.set(*s)),
            Stmt::Call(_, args, _) => args.iter_mut().for_each(|arg| *arg = to.value(*arg)),
            Stmt::Mark(_) | Stmt::Loop(..) | Stmt::Block(..) | Stmt::Leave(_) | Stmt::Fault(_) => {}
        }
    }

    /// Tells what the statement itself reads, as often as it does: not what is read inside it.
    pub fn each_read(&self, tell: &mut impl FnMut(Value)) {
        let mut look = Look(tell);
        match self {
            Stmt::Let(_, word) => _ = word.renumbered(&mut look),
            Stmt::LetSet(_, set) => _ = set.renumbered(&mut look),
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                look.place(*place);
                look.word(*w);
            }
            Stmt::StoreSet(place, s) => {
                look.place(*place);
                look.set(*s);
            }
            Stmt::Undo(w)
            | Stmt::If(w, ..)
            | Stmt::Switch(w, _)
            | Stmt::ForBits(_, w, _)
            | Stmt::Return(w)
            | Stmt::Leaf(w)
            | Stmt::Tally(w) => _ = look.word(*w),
            Stmt::ForCells(_, s, _) => _ = look.set(*s),
            Stmt::ForNumbers(_, a, b, _) | Stmt::Note(a, b) => {
                look.word(*a);
                look.word(*b);
            }
            Stmt::Leaves(w, s, _) => {
                look.word(*w);
                look.set(*s);
            }
            Stmt::Call(_, args, _) => args.iter().for_each(|arg| _ = look.value(*arg)),
            Stmt::Mark(_) | Stmt::Loop(..) | Stmt::Block(..) | Stmt::Leave(_) | Stmt::Fault(_) => {}
        }
    }

    /// Whether the statement itself reads a word or a set: not whether that is read inside it.
    #[must_use]
    pub fn reads(&self, what: Value) -> bool {
        let mut found = false;
        self.each_read(&mut |read| found |= read == what);
        found
    }

    /// Gives other numbers to what the statement itself gives values.
    pub fn renumber_gives(&mut self, to: &mut impl Renumber) {
        match self {
            Stmt::Let(w, _)
            | Stmt::Mark(w)
            | Stmt::ForCells(w, ..)
            | Stmt::ForBits(w, ..)
            | Stmt::ForNumbers(w, ..)
            | Stmt::Call(_, _, Some(w)) => *w = to.word(*w),
            Stmt::LetSet(s, _) => *s = to.set(*s),
            _ => {}
        }
    }

    /// The word or set that the statement itself gives values.
    #[must_use]
    pub fn gives(&self) -> Option<Value> {
        match self {
            Stmt::Let(w, _)
            | Stmt::Mark(w)
            | Stmt::ForCells(w, ..)
            | Stmt::ForBits(w, ..)
            | Stmt::ForNumbers(w, ..)
            | Stmt::Call(_, _, Some(w)) => Some(Value::Word(*w)),
            Stmt::LetSet(s, _) => Some(Value::Set(*s)),
            _ => None,
        }
    }

    /// The statements that stand inside it, to be changed.
    #[inline]
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        let (first, rest) = match self {
            Stmt::If(_, yes, no) => (Some(yes), from_mut(no)),
            Stmt::Switch(_, bodies) => (None, bodies.as_mut_slice()),
            Stmt::ForCells(_, _, body)
            | Stmt::ForBits(_, _, body)
            | Stmt::ForNumbers(_, _, _, body)
            | Stmt::Loop(_, body)
            | Stmt::Block(_, body) => (None, from_mut(body)),
            _ => (None, &mut [][..]),
        };
        first.into_iter().chain(rest)
    }

    /// The same statement with nothing inside it, but as many bodies.
    #[must_use]
    pub fn head(&self) -> Stmt {
        match self {
            Stmt::If(w, ..) => Stmt::If(*w, Body::new(), Body::new()),
            Stmt::Switch(w, bodies) => Stmt::Switch(*w, vec![Body::new(); bodies.len()]),
            Stmt::ForCells(w, s, _) => Stmt::ForCells(*w, *s, Body::new()),
            Stmt::ForBits(w, of, _) => Stmt::ForBits(*w, *of, Body::new()),
            Stmt::ForNumbers(w, from, to, _) => Stmt::ForNumbers(*w, *from, *to, Body::new()),
            Stmt::Loop(label, _) => Stmt::Loop(*label, Body::new()),
            Stmt::Block(label, _) => Stmt::Block(*label, Body::new()),
            other => other.clone(),
        }
    }

    /// Whether the statement itself does more than find values: stores, takes back, lists, counts, notes, or gives up.
    #[must_use]
    pub fn acts(&self) -> bool {
        matches!(
            self,
            Stmt::Store(..)
                | Stmt::StoreSet(..)
                | Stmt::StoreLogged(..)
                | Stmt::Mark(_)
                | Stmt::Undo(_)
                | Stmt::Leaf(_)
                | Stmt::Leaves(..)
                | Stmt::Tally(_)
                | Stmt::Note(..)
                | Stmt::Fault(_)
        )
    }
}

/// Does something with every statement, each before those that stand inside it.
pub fn each_statement(body: &[Stmt], work: &mut impl FnMut(&Stmt)) {
    for stmt in body {
        work(stmt);
        for inner in stmt.bodies() {
            each_statement(inner, work);
        }
    }
}

/// The functions that are called, one after the other.
#[must_use]
pub fn called(body: &Body) -> Vec<FuncId> {
    let mut calls = Vec::new();
    each_statement(body, &mut |stmt| {
        if let Stmt::Call(id, ..) = stmt {
            calls.push(*id);
        }
    });
    calls
}
