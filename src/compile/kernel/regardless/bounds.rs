//! Counting where it is not known of some cells what stands there: statements in, statements out that count the same, or give up where
//! it depends on those cells. Before: any functions. After: every set that may depend on them is two, of the cells that are in it for
//! certain and of those that may be; a word is found only where both give the same. Conditions: none; what cannot be followed gives up.

use crate::compile::kernel::fun::{Fun, NO, V};
use crate::compile::kernel::regardless::variables::Variables;
use crate::program::kernel::{
    Bin, FuncId, Function, Game, Label, Place, Room, S, Set, Stmt, Value, W, Word, each_statement,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// So deep calls are followed.
const DEEPEST: u32 = 4;

/// Functions that count nothing are followed where they have so many statements at most.
const SHORT: usize = 160;

/// So many statements are written.
const MOST: usize = 12_000;

/// A set with the cells that may be in it besides: those that are in it for certain, and all that may be.
#[derive(Clone, Copy)]
enum Two {
    /// Nothing of it is unknown.
    One(S),
    /// Certain ones, and all.
    Both(S, S),
}

impl Two {
    fn low(self) -> S {
        match self {
            Two::One(s) | Two::Both(s, _) => s,
        }
    }

    fn high(self) -> S {
        match self {
            Two::One(s) | Two::Both(_, s) => s,
        }
    }
}

/// A function that is followed.
struct Followed {
    /// Its first word here.
    words: u32,
    /// Its sets here.
    sets: Vec<Two>,
    /// Its blocks that are open here.
    labels: FxHashMap<Label, Label>,
    /// The block that it stands in, and what its result goes to.
    end: Label,
    result: Option<W>,
}

/// Writes what counts.
pub struct Bounds<'k> {
    functions: &'k [Function],
    room: &'k Room,
    /// What may have changed.
    changed: &'k Variables,
    /// From where on it stands which cells may have changed, place by place as in the state.
    doubt: u32,
    f: Fun,
    count: W,
    depth: u32,
    /// The blocks that are left.
    left: BTreeSet<u32>,
    /// The words and sets of the state that are read and may have changed.
    pub read: BTreeSet<u32>,
    /// Whether it is asked how far lines go over cells that may have changed.
    sees_far: bool,
}

impl<'k> Bounds<'k> {
    /// Nothing yet.
    pub fn new(
        functions: &'k [Function],
        room: &'k Room,
        changed: &'k Variables,
        doubt: u32,
    ) -> Bounds<'k> {
        let mut f = Fun::new();
        let count = f.word();
        Bounds {
            functions,
            room,
            changed,
            doubt,
            f,
            count,
            depth: 0,
            left: BTreeSet::new(),
            read: BTreeSet::new(),
            sees_far: false,
        }
    }

    /// The function that counts as some other does, whose result is one more than what is counted, or 0; nothing when it would give
    /// up always, or mostly, since lines go far.
    pub fn function(&mut self, of: &Function, name: &str) -> Option<Function> {
        self.f.push(Stmt::Let(self.count, Word::Const(0)));
        let ends = self.follow(of, &[], None);
        if !ends || self.sees_far || self.f.written() > MOST {
            return None;
        }
        let more = self.f.bin(Bin::Add, V::R(self.count), V::K(1));
        self.f.ret(more);
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        Some(Function {
            name: name.to_owned(),
            params: Vec::new(),
            words,
            sets,
            body,
        })
    }

    /// A function in place; whether it comes to its end.
    fn follow(&mut self, of: &Function, arguments: &[(Value, Value)], result: Option<W>) -> bool {
        let mut doubtful = vec![false; of.sets as usize];
        let words = self.f.given().0;
        (0..of.words).for_each(|_| _ = self.f.word());
        // Of arguments sets are not handed on.
        while self.find_doubtful(&of.body, &mut doubtful) {}
        let sets = doubtful.iter().map(|both| {
            let low = self.f.set();
            match both {
                true => Two::Both(low, self.f.set()),
                false => Two::One(low),
            }
        });
        let sets = sets.collect();
        let end = self.f.label();
        let mut followed = Followed {
            words,
            sets,
            labels: FxHashMap::default(),
            end,
            result,
        };
        self.f.open();
        for (to, from) in arguments {
            match (to, from) {
                (Value::Word(to), Value::Word(from)) => {
                    let to = followed.word(*to);
                    self.f.push(Stmt::Let(to, Word::Copy(*from)));
                }
                _ => self.give_up(),
            }
        }
        let mut ends = self.body(&of.body, &mut followed);
        if ends && let Some(result) = result {
            self.f.push(Stmt::Let(result, Word::Const(0)));
        }
        let body = self.f.close();
        self.f.push(Stmt::Block(end, body));
        ends |= self.left.contains(&end.0);
        ends
    }

    /// Which sets may be in doubt: whether one more is.
    fn find_doubtful(&self, body: &[Stmt], doubtful: &mut [bool]) -> bool {
        let mut more = false;
        for stmt in body {
            if let Stmt::LetSet(to, set) = stmt {
                let of = |s: &S| doubtful[s.0 as usize];
                let now = match set {
                    Set::Load(place) => {
                        self.changed.touches(place.base, self.room.words, self.room)
                    }
                    Set::Copy(a)
                    | Set::With(a, _)
                    | Set::Less(a, _)
                    | Set::Shift(a, _)
                    | Set::Around(a)
                    | Set::Part(a, _)
                    | Set::Mapped(a, _) => of(a),
                    Set::And(a, b)
                    | Set::Or(a, b)
                    | Set::Without(a, b)
                    | Set::Xor(a, b)
                    | Set::Select(_, a, b) => of(a) || of(b),
                    Set::UpTo(..)
                    | Set::DownTo(..)
                    | Set::Const(_)
                    | Set::Single(_)
                    | Set::Row(..) => false,
                };
                more |= now && !std::mem::replace(&mut doubtful[to.0 as usize], now);
            }
            for inner in stmt.bodies() {
                more |= self.find_doubtful(inner, doubtful);
            }
        }
        more
    }

    fn give_up(&mut self) {
        self.f.ret(NO);
    }

    fn give_up_if(&mut self, v: V) {
        self.f.open();
        self.give_up();
        let body = self.f.close();
        self.f.when(v, body);
    }

    /// Gives up where something of a set is not known.
    fn known(&mut self, two: Two) -> S {
        if let Two::Both(low, high) = two {
            let same = self.f.make(Word::Same(low, high));
            let differ = self.f.not(same);
            self.give_up_if(differ);
        }
        two.low()
    }

    /// Statements; whether what follows them is come to.
    fn body(&mut self, body: &[Stmt], at: &mut Followed) -> bool {
        body.iter().all(|stmt| self.statement(stmt, at))
    }

    fn inner(&mut self, body: &[Stmt], at: &mut Followed) -> (Vec<Stmt>, bool) {
        self.f.open();
        let on = self.body(body, at);
        (self.f.close(), on)
    }

    fn statement(&mut self, stmt: &Stmt, at: &mut Followed) -> bool {
        if self.f.written() > MOST {
            self.give_up();
            return false;
        }
        match stmt {
            Stmt::Let(to, word) => {
                let Some(word) = self.word(word, at) else {
                    self.give_up();
                    return false;
                };
                self.f.push(Stmt::Let(at.word(*to), word));
                true
            }
            Stmt::LetSet(to, set) => self.let_set(*to, set, at),
            Stmt::If(w, yes, no) => {
                let (yes, on_yes) = self.inner(yes, at);
                let (no, on_no) = self.inner(no, at);
                self.f.push(Stmt::If(at.word(*w), yes, no));
                on_yes || on_no
            }
            Stmt::Switch(w, bodies) => {
                let bodies: Vec<_> = bodies.iter().map(|body| self.inner(body, at)).collect();
                // There may be a number without statements.
                let bodies = bodies.into_iter().map(|(body, _)| body).collect();
                self.f.push(Stmt::Switch(at.word(*w), bodies));
                true
            }
            Stmt::ForCells(c, s, body) => {
                let set = self.known(at.set(*s));
                let (body, _) = self.inner(body, at);
                self.f.push(Stmt::ForCells(at.word(*c), set, body));
                true
            }
            Stmt::ForBits(b, of, body) => {
                let (body, _) = self.inner(body, at);
                self.f.push(Stmt::ForBits(at.word(*b), at.word(*of), body));
                true
            }
            Stmt::ForNumbers(n, from, to, body) => {
                let (body, _) = self.inner(body, at);
                let (from, to) = (at.word(*from), at.word(*to));
                self.f.push(Stmt::ForNumbers(at.word(*n), from, to, body));
                true
            }
            Stmt::Block(label, body) => {
                let new = self.f.label();
                at.labels.insert(*label, new);
                let (body, on) = self.inner(body, at);
                self.f.push(Stmt::Block(new, body));
                on || self.left.contains(&new.0)
            }
            Stmt::Loop(label, body) => {
                let new = self.f.label();
                at.labels.insert(*label, new);
                let (body, _) = self.inner(body, at);
                self.f.push(Stmt::Loop(new, body));
                self.left.contains(&new.0)
            }
            Stmt::Leave(label) => {
                match at.labels.get(label) {
                    Some(label) => {
                        self.left.insert(label.0);
                        self.f.push(Stmt::Leave(*label));
                    }
                    None => self.give_up(),
                }
                false
            }
            Stmt::Return(w) => {
                if let Some(result) = at.result {
                    self.f.push(Stmt::Let(result, Word::Copy(at.word(*w))));
                }
                self.left.insert(at.end.0);
                self.f.push(Stmt::Leave(at.end));
                false
            }
            Stmt::Tally(w) => {
                let sum = Word::Bin(Bin::Add, self.count, at.word(*w));
                self.f.push(Stmt::Let(self.count, sum));
                true
            }
            Stmt::Call(id, arguments, result) => self.call(*id, arguments, *result, at),
            Stmt::Store(..)
            | Stmt::StoreSet(..)
            | Stmt::StoreLogged(..)
            | Stmt::Mark(_)
            | Stmt::Undo(_)
            | Stmt::Leaf(_)
            | Stmt::Leaves(..)
            | Stmt::Note(..)
            | Stmt::Fault(_) => {
                self.give_up();
                false
            }
        }
    }

    fn call(&mut self, id: FuncId, arguments: &[Value], result: Option<W>, at: &Followed) -> bool {
        let functions = self.functions;
        let function = &functions[id.0 as usize];
        if self.depth == DEEPEST || !is_followed(function) {
            self.give_up();
            return false;
        }
        let of = |argument: &Value| match argument {
            Value::Word(w) => Value::Word(at.word(*w)),
            Value::Set(s) => Value::Set(*s),
        };
        let arguments = arguments.iter().map(of);
        let arguments: Vec<_> = function.params.iter().copied().zip(arguments).collect();
        self.depth += 1;
        let on = self.follow(function, &arguments, result.map(|w| at.word(w)));
        self.depth -= 1;
        on
    }

    /// Whether a place that is read may have changed, `known` being whether such a place is among the changed; nothing where it is
    /// none of a state, or lies across those. How games begin does not change, and whether that is how the pieces stand was settled before.
    fn may_have_changed(&mut self, place: &Place, many: u32, known: bool) -> Option<bool> {
        let room = self.room;
        if place.index.is_some() || place.base + many > room.piles {
            let fixed = (room.start..room.start + room.kept).contains(&place.base)
                || place.base == room.game + Game::Fresh as u32;
            return fixed.then_some(false);
        }
        if !self.changed.touches(place.base, many, room) {
            return Some(false);
        }
        self.read.insert(place.base);
        known.then_some(true)
    }

    /// A word of what is known; nothing where that cannot be found. What is written before gives up where it is not known.
    fn word(&mut self, word: &Word, at: &Followed) -> Option<Word> {
        Some(match *word {
            Word::Load(ref place) => {
                let known = self.changed.words.contains_key(&place.base);
                self.may_have_changed(place, 1, known)?;
                Word::Load(at.place(place))
            }
            Word::Const(k) => Word::Const(k),
            Word::Copy(a) => Word::Copy(at.word(a)),
            Word::Bin(op, a, b) => Word::Bin(op, at.word(a), at.word(b)),
            Word::Select(c, a, b) => Word::Select(at.word(c), at.word(a), at.word(b)),
            Word::Table(id, a) => Word::Table(id, at.word(a)),
            Word::Byte(id, a) => Word::Byte(id, at.word(a)),
            Word::Leading(a) => Word::Leading(at.word(a)),
            Word::Mix(a) => Word::Mix(at.word(a)),
            Word::Count(s) => Word::Count(self.known(at.set(s))),
            Word::First(s) => Word::First(self.known(at.set(s))),
            Word::Last(s) => Word::Last(self.known(at.set(s))),
            Word::Nth(s, n) => Word::Nth(self.known(at.set(s)), at.word(n)),
            Word::Some(s) => {
                let some = self.some(at.set(s));
                Word::Copy(self.f.reg(some))
            }
            Word::Has(s, c) => {
                let c = at.word(c);
                let (low, high) = (at.set(s).low(), at.set(s).high());
                let has = self.f.make(Word::Has(low, c));
                if low != high {
                    let may = self.f.make(Word::Has(high, c));
                    let differ = self.f.bin(Bin::Xor, has, may);
                    self.give_up_if(differ);
                }
                Word::Copy(self.f.reg(has))
            }
            Word::Within(a, b) => self.none(&Set::Without(a, b), at)?,
            Word::Same(a, b) => self.none(&Set::Xor(a, b), at)?,
            Word::Meet(a, b) => {
                let two = self.set(&Set::And(a, b), at)?;
                let some = self.some(two);
                Word::Copy(self.f.reg(some))
            }
            Word::PileKey(..) | Word::Repeated(_) | Word::Seen(_) => return None,
        })
    }

    /// Whether a set has no cells.
    fn none(&mut self, set: &Set, at: &Followed) -> Option<Word> {
        let two = self.set(set, at)?;
        let some = self.some(two);
        let none = self.f.not(some);
        Some(Word::Copy(self.f.reg(none)))
    }

    /// Whether there are cells.
    fn some(&mut self, two: Two) -> V {
        let some = self.f.make(Word::Some(two.low()));
        if let Two::Both(_, high) = two {
            let may = self.f.make(Word::Some(high));
            let differ = self.f.bin(Bin::Xor, some, may);
            self.give_up_if(differ);
        }
        some
    }

    fn let_set(&mut self, to: S, set: &Set, at: &Followed) -> bool {
        let Some(from) = self.set(set, at) else {
            self.give_up();
            return false;
        };
        match (at.set(to), from) {
            (Two::One(to), from) => {
                let from = self.known(from);
                self.f.push(Stmt::LetSet(to, Set::Copy(from)));
            }
            (Two::Both(low, high), from) => {
                self.f.push(Stmt::LetSet(low, Set::Copy(from.low())));
                self.f.push(Stmt::LetSet(high, Set::Copy(from.high())));
            }
        }
        true
    }

    fn make(&mut self, set: Set) -> S {
        let made = self.f.make_set(set);
        self.f.sreg(made)
    }

    /// Of one set, where more cells never give fewer.
    fn rising(&mut self, a: Two, of: impl Fn(S) -> Set) -> Two {
        let low = self.make(of(a.low()));
        match a {
            Two::One(_) => Two::One(low),
            Two::Both(_, high) => Two::Both(low, self.make(of(high))),
        }
    }

    /// Of two sets.
    fn of_two(&mut self, low: Set, high: Set) -> Two {
        let one = low == high;
        let low = self.make(low);
        if one {
            Two::One(low)
        } else {
            Two::Both(low, self.make(high))
        }
    }

    /// A set; nothing where it cannot be found.
    fn set(&mut self, set: &Set, at: &Followed) -> Option<Two> {
        Some(match *set {
            Set::Const(id) => Two::One(self.make(Set::Const(id))),
            Set::Copy(a) => at.set(a),
            Set::Load(ref place) => {
                let known = self.changed.sets.contains_key(&place.base);
                let changed = self.may_have_changed(place, self.room.words, known)?;
                let now = self.make(Set::Load(at.place(place)));
                if !changed {
                    return Some(Two::One(now));
                }
                let doubt = Place::plain(self.doubt + place.base);
                let doubt = self.make(Set::Load(doubt));
                let low = self.make(Set::Without(now, doubt));
                Two::Both(low, self.make(Set::Or(now, doubt)))
            }
            Set::And(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                self.of_two(Set::And(a.low(), b.low()), Set::And(a.high(), b.high()))
            }
            Set::Or(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                self.of_two(Set::Or(a.low(), b.low()), Set::Or(a.high(), b.high()))
            }
            Set::Without(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                let low = Set::Without(a.low(), b.high());
                self.of_two(low, Set::Without(a.high(), b.low()))
            }
            Set::Xor(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                if let (Two::One(a), Two::One(b)) = (a, b) {
                    return Some(Two::One(self.make(Set::Xor(a, b))));
                }
                let first = self.make(Set::Without(a.low(), b.high()));
                let second = self.make(Set::Without(b.low(), a.high()));
                let either = self.make(Set::Or(a.high(), b.high()));
                let both = self.make(Set::And(a.low(), b.low()));
                self.of_two(Set::Or(first, second), Set::Without(either, both))
            }
            Set::Select(c, a, b) => {
                let (c, a, b) = (at.word(c), at.set(a), at.set(b));
                let low = Set::Select(c, a.low(), b.low());
                self.of_two(low, Set::Select(c, a.high(), b.high()))
            }
            Set::With(a, w) => self.rising(at.set(a), |s| Set::With(s, at.word(w))),
            Set::Less(a, w) => self.rising(at.set(a), |s| Set::Less(s, at.word(w))),
            Set::Shift(a, id) => self.rising(at.set(a), |s| Set::Shift(s, id)),
            Set::Around(a) => self.rising(at.set(a), Set::Around),
            Set::Part(a, w) => self.rising(at.set(a), |s| Set::Part(s, at.word(w))),
            Set::Mapped(a, id) => self.rising(at.set(a), |s| Set::Mapped(s, id)),
            Set::Single(w) => Two::One(self.make(Set::Single(at.word(w)))),
            Set::Row(id, w) => Two::One(self.make(Set::Row(id, at.word(w)))),
            Set::UpTo(a, b) | Set::DownTo(a, b) => match (at.set(a), at.set(b)) {
                (Two::One(a), Two::One(b)) => Two::One(self.make(match set {
                    Set::UpTo(..) => Set::UpTo(a, b),
                    _ => Set::DownTo(a, b),
                })),
                _ => {
                    self.sees_far = true;
                    return None;
                }
            },
        })
    }
}

impl Followed {
    fn word(&self, w: W) -> W {
        W(self.words + w.0)
    }

    fn place(&self, place: &Place) -> Place {
        let index = place.index.map(|(w, stride)| (self.word(w), stride));
        Place { index, ..*place }
    }

    fn set(&self, s: S) -> Two {
        self.sets[s.0 as usize]
    }
}

/// Whether a function is followed where it is called: it is given no sets, and counts or is short.
fn is_followed(function: &Function) -> bool {
    let (mut statements, mut counts) = (0, false);
    each_statement(&function.body, &mut |stmt| {
        statements += 1;
        counts |= matches!(stmt, Stmt::Tally(_));
    });
    let is_word = |param: &Value| matches!(param, Value::Word(_));
    (counts || statements <= SHORT) && function.params.iter().all(is_word)
}
