//! The same value is computed once, and a test whose answer is known is not made: value numbering over structured statements, in
//! one walk (Briggs, Cooper and Simpson 1997). Only words and sets that are given once stand for each other; what was computed in a
//! body is forgotten behind it. What is in memory is the same until it may be written to (`memory`).

mod facts;
mod simpler;

use crate::compile::kernel::tidy::memory::{Exact, Memory};
use crate::compile::kernel::tidy::ranges::{ALL, CELLS, Range, range};
use crate::program::kernel::{
    Body, Function, Place, Renumber, Room, S, Set, Stmt, Value, W, Word, falls,
};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Tidies a function.
pub(super) fn tidy(function: &mut Function, room: &Room, exact: Exact) {
    let (words, sets) = (function.words as usize, function.sets as usize);
    let mut given = Given {
        words: vec![0; words],
        sets: vec![0; sets],
        left: Vec::new(),
    };
    for param in &function.params {
        match param {
            Value::Word(w) => given.words[w.0 as usize] += 1,
            Value::Set(s) => given.sets[s.0 as usize] += 1,
        }
    }
    given.count(&function.body);
    let mut numbering = Numbering {
        given,
        word_of: (0..words as u32).map(W).collect(),
        set_of: (0..sets as u32).map(S).collect(),
        made: vec![None; words],
        sets_made: FxHashMap::default(),
        ranges: vec![ALL; words],
        words: FxHashMap::default(),
        sets: FxHashMap::default(),
        forget: Vec::new(),
        memory: Memory::new(room, exact, &function.body),
        noted: exact == Exact::Noted,
    };
    let body = std::mem::take(&mut function.body);
    function.body = numbering.body(body);
    function.words = numbering.word_of.len() as u32;
}

/// How often words and sets are given values.
struct Given {
    words: Vec<u32>,
    sets: Vec<u32>,
    /// The blocks that are left somewhere, by label.
    left: Vec<bool>,
}

impl Given {
    fn count(&mut self, body: &Body) {
        for stmt in body {
            match stmt.gives() {
                Some(Value::Word(w)) => self.words[w.0 as usize] += 1,
                Some(Value::Set(s)) => self.sets[s.0 as usize] += 1,
                None => {}
            }
            if let Stmt::Leave(label) = stmt {
                let at = label.0 as usize;
                self.left.resize(self.left.len().max(at + 1), false);
                self.left[at] = true;
            }
            stmt.bodies().for_each(|body| self.count(body));
        }
    }

    fn once(&self, w: W) -> bool {
        self.words[w.0 as usize] == 1
    }

    fn once_set(&self, s: S) -> bool {
        self.sets[s.0 as usize] == 1
    }
}

/// Whether all that is read is given once.
struct Fixed<'g>(&'g Given, bool);

impl Renumber for Fixed<'_> {
    fn word(&mut self, w: W) -> W {
        self.1 &= self.0.once(w);
        w
    }

    fn set(&mut self, s: S) -> S {
        self.1 &= self.0.once_set(s);
        s
    }
}

/// What is forgotten behind a body.
enum Forget {
    Word((Word, u32)),
    Set((Set, u32)),
    Range(W, Range),
}

struct Numbering {
    given: Given,
    /// For each word, and each set, the one that stands for it.
    word_of: Vec<W>,
    set_of: Vec<S>,
    /// How words were made that are given once.
    made: Vec<Option<Word>>,
    /// The same of fixed sets and of those that lack another's cells, where that is made use of.
    sets_made: FxHashMap<S, Set>,
    ranges: Vec<Range>,
    /// What has been computed, from which version of memory.
    words: FxHashMap<(Word, u32), W>,
    sets: FxHashMap<(Set, u32), S>,
    forget: Vec<Forget>,
    memory: Memory,
    /// Whether memory is followed most exactly.
    noted: bool,
}

impl Renumber for Numbering {
    fn word(&mut self, w: W) -> W {
        self.word_of[w.0 as usize]
    }

    fn set(&mut self, s: S) -> S {
        self.set_of[s.0 as usize]
    }
}

impl Numbering {
    fn body(&mut self, body: Body) -> Body {
        let mut out = Body::with_capacity(body.len());
        for stmt in body {
            self.stmt(stmt, &mut out);
            if !falls(&out) {
                break;
            }
        }
        out
    }

    /// A body that may not be come to.
    fn within(&mut self, body: Body, know: impl FnOnce(&mut Self)) -> Body {
        let mark = self.forget.len();
        know(self);
        let body = self.body(body);
        for forget in self.forget.drain(mark..).rev() {
            match forget {
                Forget::Word(key) => {
                    self.words.remove(&key);
                }
                Forget::Set(key) => {
                    self.sets.remove(&key);
                }
                Forget::Range(w, range) => self.ranges[w.0 as usize] = range,
            }
        }
        body
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Body) {
        stmt.renumber_reads(self);
        self.find_places(&mut stmt);
        match stmt {
            Stmt::Let(w, value) => self.give_word(w, value, out),
            Stmt::LetSet(s, value) => self.give_set(s, value, out),
            Stmt::If(w, yes, no) => self.branch(w, yes, no, out),
            Stmt::Switch(w, bodies) => self.switch(w, bodies, out),
            Stmt::ForCells(..)
            | Stmt::ForBits(..)
            | Stmt::ForNumbers(..)
            | Stmt::Loop(..)
            | Stmt::Block(..) => self.round(stmt, out),
            other => {
                let ranges = &self.ranges;
                self.memory.change(&other, |w| ranges[w.0 as usize]);
                self.know_stored(&other);
                out.push(other);
            }
        }
    }

    /// Places that are known in spite of an index are told without.
    fn find_places(&self, stmt: &mut Stmt) {
        let place = match stmt {
            _ if !self.memory.is_exact() => return,
            Stmt::Let(_, Word::Load(place))
            | Stmt::LetSet(_, Set::Load(place))
            | Stmt::Store(place, _)
            | Stmt::StoreSet(place, _)
            | Stmt::StoreLogged(place, _) => place,
            _ => return,
        };
        let Some((index, each)) = place.index else {
            return;
        };
        let at = self.constant(index).and_then(|at| u32::try_from(at).ok());
        let base = at.and_then(|at| at.checked_mul(each)?.checked_add(place.base));
        if let Some(base) = base {
            *place = Place { base, index: None };
        }
    }

    /// What was just stored at a known place need not be loaded.
    fn know_stored(&mut self, stmt: &Stmt) {
        match stmt {
            _ if !self.memory.is_exact() => {}
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w)
                if place.index.is_none() && self.once(*w) =>
            {
                let value = Word::Load(*place);
                let key = (value.clone(), self.memory.of_word(&value));
                self.forget.push(Forget::Word(key.clone()));
                self.words.insert(key, *w);
            }
            Stmt::StoreSet(place, s) if place.index.is_none() && self.given.once_set(*s) => {
                let value = Set::Load(*place);
                let key = (value.clone(), self.memory.of_set(&value));
                self.forget.push(Forget::Set(key.clone()));
                self.sets.insert(key, *s);
            }
            _ => {}
        }
    }

    fn once(&self, w: W) -> bool {
        self.given.once(w)
    }

    /// A word of its own for a value, or the one that is known to have it.
    fn given(&mut self, value: Word, out: &mut Body) -> W {
        let w = W(self.word_of.len() as u32);
        self.given.words.push(1);
        self.word_of.push(w);
        self.made.push(None);
        self.ranges.push(ALL);
        self.give_word(w, value, out);
        self.word_of[w.0 as usize]
    }

    fn give_word(&mut self, w: W, value: Word, out: &mut Body) {
        let value = self.met(value, out);
        let value = self.simpler(value);
        if !self.once(w) {
            return out.push(Stmt::Let(w, value));
        }
        if let Word::Copy(of) = value
            && self.once(of)
        {
            self.word_of[w.0 as usize] = of;
            return;
        }
        let mut fixed = Fixed(&self.given, true);
        let _ = value.renumbered(&mut fixed);
        let is_fixed = fixed.1 && !matches!(value, Word::Repeated(_) | Word::Seen(_));
        if is_fixed {
            let key = (value.clone(), self.memory.of_word(&value));
            match self.words.entry(key) {
                Entry::Occupied(known) => {
                    self.word_of[w.0 as usize] = *known.get();
                    return;
                }
                Entry::Vacant(free) => {
                    self.forget.push(Forget::Word(free.key().clone()));
                    free.insert(w);
                }
            }
            self.made[w.0 as usize] = Some(value.clone());
        }
        let range = range(&value, &|w| self.range_of(w));
        self.ranges[w.0 as usize] = range;
        out.push(Stmt::Let(w, value));
    }

    fn give_set(&mut self, s: S, value: Set, out: &mut Body) {
        let value = self.simpler_set(value);
        if !self.given.once_set(s) {
            return out.push(Stmt::LetSet(s, value));
        }
        if let Set::Copy(of) = value
            && self.given.once_set(of)
        {
            self.set_of[s.0 as usize] = of;
            return;
        }
        let mut fixed = Fixed(&self.given, true);
        let _ = value.renumbered(&mut fixed);
        if fixed.1 {
            if self.noted && matches!(value, Set::Const(_) | Set::Without(..)) {
                self.sets_made.insert(s, value.clone());
            }
            let key = (value.clone(), self.memory.of_set(&value));
            match self.sets.entry(key) {
                Entry::Occupied(known) => {
                    self.set_of[s.0 as usize] = *known.get();
                    return;
                }
                Entry::Vacant(free) => {
                    self.forget.push(Forget::Set(free.key().clone()));
                    free.insert(s);
                }
            }
        }
        out.push(Stmt::LetSet(s, value));
    }

    /// What something writes to, when it need not be come to.
    fn perhaps<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.memory.changed);
        let result = run(self);
        self.memory.change_all(self.memory.changed);
        self.memory.changed |= before;
        result
    }

    fn branch(&mut self, w: W, yes: Body, no: Body, out: &mut Body) {
        if let Some(known) = self.constant(w) {
            let body = if known == 0 { no } else { yes };
            return self.straight(body, out);
        }
        let before = self.memory.stands();
        let (yes, no) = self.perhaps(|n| {
            let yes = n.within(yes, |n| n.know(w, true));
            n.memory.go_back(&before);
            (yes, n.within(no, |n| n.know(w, false)))
        });
        let (up, down) = (!falls(&yes), !falls(&no));
        if !yes.is_empty() || !no.is_empty() {
            out.push(Stmt::If(w, yes, no));
        }
        if up {
            self.know(w, false);
        } else if down {
            self.know(w, true);
        }
    }

    /// Statements that are come to here for sure.
    fn straight(&mut self, body: Body, out: &mut Body) {
        for stmt in body {
            self.stmt(stmt, out);
            if !falls(out) {
                return;
            }
        }
    }

    fn switch(&mut self, w: W, bodies: Vec<Body>, out: &mut Body) {
        if let Some(known) = self.constant(w) {
            let at = usize::try_from(known).unwrap_or(usize::MAX);
            let body = bodies.into_iter().nth(at).unwrap_or_default();
            return self.straight(body, out);
        }
        let before = self.memory.stands();
        let tidied = self.perhaps(|n| {
            let one = |(at, body): (usize, Body)| {
                n.memory.go_back(&before);
                n.within(body, |n| n.narrow(w, (at as i64, at as i64)))
            };
            bodies.into_iter().enumerate().map(one).collect()
        });
        out.push(Stmt::Switch(w, tidied));
    }

    /// Loops and blocks.
    fn round(&mut self, mut stmt: Stmt, out: &mut Body) {
        if let Stmt::Block(label, body) = &mut stmt
            && !self
                .given
                .left
                .get(label.0 as usize)
                .is_some_and(|left| *left)
        {
            let body = std::mem::take(body);
            return self.straight(body, out);
        }
        let of_loop = match &stmt {
            Stmt::ForCells(w, ..) => {
                Some((*w, (0, self.memory.most_cells().unwrap_or(CELLS.1) - 1)))
            }
            Stmt::ForBits(w, ..) => Some((*w, (0, 63))),
            Stmt::ForNumbers(w, a, b, _) => Some((*w, (self.range_of(*a).0, self.range_of(*b).1))),
            _ => None,
        };
        if !matches!(stmt, Stmt::Block(..)) {
            // Written to in rounds before.
            let changed = self.memory.changed_by(std::slice::from_ref(&stmt));
            self.memory.change_all(changed);
        }
        for inner in stmt.bodies_mut() {
            let body = std::mem::take(inner);
            *inner = self.perhaps(|n| {
                n.within(body, |n| {
                    if let Some((w, range)) = of_loop {
                        n.narrow(w, range);
                    }
                })
            });
        }
        out.push(stmt);
    }
}
