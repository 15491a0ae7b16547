//! In which direction answers go with the sets of the state that they are found from: a function and all that it calls in, for
//! every set that is read whether a larger one can only help, only hinder, or both. Nothing is changed.
//!
//! Every word and every set has a direction for each place that it comes from. A word goes up as a number; a set as a set. What
//! is not understood goes both ways.

use crate::program::kernel::{Bin, Body, FuncId, Function, Place, S, Set, Stmt, Value, W, Word};
use std::ops::BitOr;

/// The most places that are told apart.
const MOST: usize = 16;

/// The ways in which something goes with places: a bit for each place where it grows when that grows, and one where it shrinks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Ways {
    up: u16,
    down: u16,
}

impl BitOr for Ways {
    type Output = Ways;

    fn bitor(self, other: Ways) -> Ways {
        Ways {
            up: self.up | other.up,
            down: self.down | other.down,
        }
    }
}

impl Ways {
    /// Whether it may grow when a place grows, and whether it may shrink.
    pub fn of(self, place: usize) -> (bool, bool) {
        (self.up >> place & 1 == 1, self.down >> place & 1 == 1)
    }

    fn turned(self) -> Ways {
        Ways {
            up: self.down,
            down: self.up,
        }
    }

    fn both(self) -> Ways {
        self | self.turned()
    }
}

/// What is read of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// The first word.
    pub place: u32,
    /// Whether it is a set.
    pub set: bool,
}

/// What a function reads, itself and by those it calls, and how its answer goes with that: more of what goes up may make it other
/// than 0. Nothing when it does more than find an answer from fixed places of the state.
pub fn monotone(functions: &[Function], id: FuncId) -> Option<(Vec<Read>, Ways)> {
    let mut all = vec![id];
    let mut reads = Vec::new();
    let mut at = 0;
    while at < all.len() {
        gather(&functions[all[at].0 as usize].body, &mut all, &mut reads)?;
        at += 1;
    }
    if reads.len() > MOST {
        return None;
    }
    let of = |id: FuncId| all.iter().position(|f| *f == id).unwrap_or(0);
    let mut known: Vec<Known> = (all.iter())
        .map(|f| Known::new(&functions[f.0 as usize]))
        .collect();
    loop {
        let mut changed = false;
        for at in 0..all.len() {
            let mut look = Look {
                reads: &reads,
                of: &of,
                at,
                known: &mut known,
                changed: false,
                functions,
                all: &all,
            };
            look.body(&functions[all[at].0 as usize].body, &mut vec![]);
            changed |= look.changed;
        }
        if !changed {
            let answer = known[0].answer;
            return Some((reads, answer));
        }
    }
}

/// The functions that are called and the places that are read; nothing when something else is done than find an answer.
fn gather(body: &Body, all: &mut Vec<FuncId>, reads: &mut Vec<Read>) -> Option<()> {
    let mut read = |place: &Place, set| {
        let read = Read {
            place: place.base,
            set,
        };
        if !reads.contains(&read) {
            reads.push(read);
        }
        place.index.is_none().then_some(())
    };
    for stmt in body {
        match stmt {
            Stmt::Let(_, Word::Load(place)) => read(place, false)?,
            Stmt::LetSet(_, Set::Load(place)) => read(place, true)?,
            Stmt::Let(_, Word::PileKey(..) | Word::Repeated(_) | Word::Seen(_)) => return None,
            Stmt::Call(id, ..) if !all.contains(id) => all.push(*id),
            stmt if stmt.acts() => return None,
            _ => {}
        }
    }
    for stmt in body {
        for inner in stmt.bodies() {
            gather(inner, all, reads)?;
        }
    }
    Some(())
}

/// What a word is for sure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Zero,
    One,
    Truth,
    Any,
}

/// What is known of a function so far.
struct Known {
    words: Vec<Ways>,
    sets: Vec<Ways>,
    sorts: Vec<Sort>,
    /// For each word, and for each set, the bodies around all its places, and whether it is given a value more than once.
    around_words: Vec<Option<(Vec<u32>, bool)>>,
    around_sets: Vec<Option<(Vec<u32>, bool)>>,
    /// What all that follows depends on, since it could have been passed over.
    after: Ways,
    answer: Ways,
}

impl Known {
    fn new(function: &Function) -> Known {
        let (words, sets) = (function.words as usize, function.sets as usize);
        let mut known = Known {
            words: vec![Ways::default(); words],
            sets: vec![Ways::default(); sets],
            sorts: vec![Sort::Any; words],
            around_words: vec![None; words],
            around_sets: vec![None; sets],
            after: Ways::default(),
            answer: Ways::default(),
        };
        for param in &function.params {
            match param {
                Value::Word(w) => known.around_words[w.0 as usize] = Some((Vec::new(), false)),
                Value::Set(s) => known.around_sets[s.0 as usize] = Some((Vec::new(), false)),
            }
        }
        let mut next = 0;
        known.places(&function.body, &mut Vec::new(), &mut next);
        known
    }

    /// Where words and sets are given values. A value that is read has been given one on every way, so that those given once are
    /// read only within the body where that is done.
    fn places(&mut self, body: &Body, path: &mut Vec<u32>, next: &mut u32) {
        for stmt in body {
            let (word, set) = given(stmt);
            if let Some(w) = word {
                place(&mut self.around_words[w.0 as usize], path);
                self.sorts[w.0 as usize] = match stmt {
                    Stmt::Let(_, value) => sort(value),
                    // Where a function answers otherwise its answer goes both ways.
                    _ => Sort::Truth,
                };
            }
            if let Some(s) = set {
                place(&mut self.around_sets[s.0 as usize], path);
            }
            for inner in stmt.bodies() {
                *next += 1;
                path.push(*next);
                self.places(inner, path, next);
                path.pop();
            }
        }
    }
}

/// What a statement gives a value.
fn given(stmt: &Stmt) -> (Option<W>, Option<S>) {
    match stmt {
        Stmt::Let(w, _) | Stmt::Call(_, _, Some(w)) => (Some(*w), None),
        Stmt::LetSet(s, _) => (None, Some(*s)),
        _ => (None, None),
    }
}

fn place(around: &mut Option<(Vec<u32>, bool)>, path: &[u32]) {
    match around {
        None => *around = Some((path.to_vec(), false)),
        Some((known, again)) => {
            let same = known.iter().zip(path).take_while(|(a, b)| a == b).count();
            known.truncate(same);
            *again = true;
        }
    }
}

fn sort(value: &Word) -> Sort {
    match value {
        Word::Const(0) => Sort::Zero,
        Word::Const(1) => Sort::One,
        Word::Some(_)
        | Word::Has(..)
        | Word::Within(..)
        | Word::Meet(..)
        | Word::Same(..)
        | Word::Bin(Bin::Equal | Bin::Differ | Bin::Less | Bin::AtMost, ..) => Sort::Truth,
        _ => Sort::Any,
    }
}

struct Look<'a> {
    reads: &'a [Read],
    of: &'a dyn Fn(FuncId) -> usize,
    at: usize,
    known: &'a mut [Known],
    changed: bool,
    functions: &'a [Function],
    all: &'a [FuncId],
}

impl Look<'_> {
    fn w(&self, w: W) -> Ways {
        self.known[self.at].words[w.0 as usize]
    }

    fn s(&self, s: S) -> Ways {
        self.known[self.at].sets[s.0 as usize]
    }

    fn is(&self, w: W, sort: Sort) -> bool {
        let known = &self.known[self.at];
        let once = matches!(&known.around_words[w.0 as usize], Some((_, false)));
        once && (known.sorts[w.0 as usize] == sort)
    }

    fn is_truth(&self, w: W) -> bool {
        [Sort::Truth, Sort::Zero, Sort::One]
            .into_iter()
            .any(|sort| self.is(w, sort))
    }

    /// How it goes whether a word is other than 0.
    fn not_zero(&self, w: W) -> Ways {
        if self.is_truth(w) {
            self.w(w)
        } else {
            self.w(w).both()
        }
    }

    /// What a value that is given more than once depends on besides, because it might not have been given here.
    fn by_chance(&self, around: Option<&(Vec<u32>, bool)>, inside: &[Ways]) -> Ways {
        match around {
            Some((path, true)) => {
                let rest = inside.iter().skip(path.len());
                let after = self.known[self.at].after;
                rest.fold(after, |all, ways| all | ways.both())
            }
            _ => Ways::default(),
        }
    }

    fn give_word(&mut self, w: W, ways: Ways, inside: &[Ways]) {
        let known = &self.known[self.at];
        let chance = self.by_chance(known.around_words[w.0 as usize].as_ref(), inside);
        self.join(|k| &mut k.words[w.0 as usize], ways | chance);
    }

    fn give_set(&mut self, s: S, ways: Ways, inside: &[Ways]) {
        let known = &self.known[self.at];
        let chance = self.by_chance(known.around_sets[s.0 as usize].as_ref(), inside);
        self.join(|k| &mut k.sets[s.0 as usize], ways | chance);
    }

    fn join(&mut self, of: impl Fn(&mut Known) -> &mut Ways, ways: Ways) {
        let known = of(&mut self.known[self.at]);
        let all = *known | ways;
        self.changed |= all != *known;
        *known = all;
    }

    /// All that decides whether a place is come to.
    fn asked(&self, inside: &[Ways]) -> Ways {
        let within = inside.iter().fold(Ways::default(), |all, ways| all | *ways);
        within | self.known[self.at].after
    }

    fn within(&mut self, body: &Body, ways: Ways, inside: &mut Vec<Ways>) {
        inside.push(ways);
        self.body(body, inside);
        inside.pop();
    }

    fn body(&mut self, body: &Body, inside: &mut Vec<Ways>) {
        for stmt in body {
            match stmt {
                Stmt::Let(w, value) => {
                    let ways = self.word(value);
                    self.give_word(*w, ways, inside);
                }
                Stmt::LetSet(s, value) => {
                    let ways = self.set(value);
                    self.give_set(*s, ways, inside);
                }
                Stmt::If(w, yes, no) => {
                    let ways = self.not_zero(*w);
                    self.within(yes, ways, inside);
                    self.within(no, ways.turned(), inside);
                }
                Stmt::Switch(w, bodies) => {
                    let ways = self.w(*w).both();
                    (bodies.iter()).for_each(|body| self.within(body, ways, inside));
                }
                Stmt::ForCells(_, s, body) => self.within(body, self.s(*s), inside),
                Stmt::ForBits(_, from, body) => self.within(body, self.w(*from).both(), inside),
                Stmt::ForNumbers(_, from, to, body) => {
                    let ways = (self.w(*from) | self.w(*to)).both();
                    self.within(body, ways, inside);
                }
                Stmt::Loop(_, body) | Stmt::Block(_, body) => {
                    self.within(body, Ways::default(), inside);
                }
                Stmt::Leave(_) => {
                    let asked = self.asked(inside).both();
                    self.join(|k| &mut k.after, asked);
                }
                Stmt::Call(id, args, result) => self.call(*id, args, *result, inside),
                Stmt::Return(w) => {
                    let (asked, answer) = (self.asked(inside), self.not_zero(*w));
                    if self.is(*w, Sort::One) {
                        self.join(|k| &mut k.answer, asked | answer);
                    } else {
                        // What comes behind may be passed over with a 0.
                        self.join(|k| &mut k.answer, asked.both() | answer);
                        self.join(|k| &mut k.after, asked.both());
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, id: FuncId, args: &[Value], result: Option<W>, inside: &[Ways]) {
        let to = (self.of)(id);
        let params = &self.functions[self.all[to].0 as usize].params;
        for (param, arg) in params.iter().zip(args) {
            let ways = match arg {
                Value::Word(w) => self.w(*w),
                Value::Set(s) => self.s(*s),
            };
            let known = &mut self.known[to];
            let known = match param {
                Value::Word(w) => &mut known.words[w.0 as usize],
                Value::Set(s) => &mut known.sets[s.0 as usize],
            };
            let all = *known | ways;
            self.changed |= all != *known;
            *known = all;
        }
        if let Some(w) = result {
            self.give_word(w, self.known[to].answer, inside);
        }
    }

    fn read(&self, place: &Place, set: bool) -> Ways {
        let read = Read {
            place: place.base,
            set,
        };
        let at = self.reads.iter().position(|r| *r == read).unwrap_or(0);
        Ways {
            up: 1 << at,
            down: if set { 0 } else { 1 << at },
        }
    }

    fn word(&self, value: &Word) -> Ways {
        match value {
            Word::Const(_) => Ways::default(),
            Word::Copy(w) => self.w(*w),
            Word::Load(place) => self.read(place, false),
            Word::Count(s) | Word::Some(s) => self.s(*s),
            Word::Has(s, w) => self.s(*s) | self.w(*w).both(),
            Word::Within(a, b) => self.s(*a).turned() | self.s(*b),
            Word::Meet(a, b) => self.s(*a) | self.s(*b),
            Word::Same(a, b) => (self.s(*a) | self.s(*b)).both(),
            Word::First(s) | Word::Last(s) => self.s(*s).both(),
            Word::Nth(s, w) => (self.s(*s) | self.w(*w)).both(),
            Word::Table(_, w)
            | Word::Byte(_, w)
            | Word::Leading(w)
            | Word::Mix(w)
            | Word::Repeated(w)
            | Word::Seen(w) => self.w(*w).both(),
            Word::PileKey(a, b) => (self.w(*a) | self.w(*b)).both(),
            Word::Select(w, a, b) => self.w(*w).both() | self.w(*a) | self.w(*b),
            Word::Bin(bin, a, b) => self.two(*bin, *a, *b),
        }
    }

    fn two(&self, bin: Bin, a: W, b: W) -> Ways {
        let (x, y) = (self.w(a), self.w(b));
        match bin {
            Bin::SumWithin | Bin::Smaller | Bin::Larger => x | y,
            Bin::DifferenceWithin => x | y.turned(),
            Bin::And | Bin::Or if self.is_truth(a) && self.is_truth(b) => x | y,
            Bin::Less | Bin::AtMost => x.turned() | y,
            Bin::Equal if self.is_truth(a) && self.is(b, Sort::Zero) => x.turned(),
            Bin::Differ if self.is_truth(a) && self.is(b, Sort::Zero) => x,
            _ => (x | y).both(),
        }
    }

    fn set(&self, value: &Set) -> Ways {
        match value {
            Set::Const(_) => Ways::default(),
            Set::Copy(s) | Set::Shift(s, _) | Set::Around(s) | Set::Mapped(s, _) => self.s(*s),
            Set::Load(place) => self.read(place, true),
            Set::And(a, b) | Set::Or(a, b) => self.s(*a) | self.s(*b),
            // More to stop at is less to go through.
            Set::Without(a, b) | Set::UpTo(a, b) | Set::DownTo(a, b) => {
                self.s(*a) | self.s(*b).turned()
            }
            Set::Xor(a, b) => (self.s(*a) | self.s(*b)).both(),
            Set::Single(w) | Set::Row(_, w) => self.w(*w).both(),
            Set::With(s, w) | Set::Less(s, w) | Set::Part(s, w) => self.s(*s) | self.w(*w).both(),
            Set::Select(w, a, b) => self.w(*w).both() | self.s(*a) | self.s(*b),
        }
    }
}
