//! Counting where it is not known of some cells what stands there: statements in, statements out that count the same, or give up where
//! it depends on those cells. Before: any functions. After: every set that may depend on them is two, of the cells that are in it for
//! certain and of those that may be; a word is found only where both give the same. Conditions: none; what cannot be followed gives up.

mod values;

use crate::compile::kernel::fun::{Fun, NO, V};
use crate::compile::kernel::regardless::variables::Variables;
use crate::program::kernel::{
    Bin, FuncId, Function, Label, Place, Room, S, Set, Stmt, Value, W, Word, each_statement,
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

/// Where it stands which cells may have changed.
#[derive(Clone, Copy)]
pub enum Doubts {
    /// For each set of the state, from here on, place by place as there. Piles may be anything.
    Places(u32),
    /// One set for all of them, and for piles.
    Cells(u32),
}

/// Writes what counts.
pub struct Bounds<'k> {
    functions: &'k [Function],
    room: &'k Room,
    /// What may have changed.
    changed: &'k Variables,
    /// On which cells.
    doubts: Doubts,
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
        doubts: Doubts,
    ) -> Bounds<'k> {
        let mut f = Fun::new();
        let count = f.word();
        Bounds {
            functions,
            room,
            changed,
            doubts,
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
                let now = match set {
                    Set::Load(place) => {
                        self.changed.touches(place.base, self.room.words, self.room)
                    }
                    // These are found of known sets only.
                    Set::UpTo(..) | Set::DownTo(..) => false,
                    _ => {
                        let mut of_doubtful = false;
                        stmt.each_read(&mut |read| {
                            of_doubtful |= matches!(read, Value::Set(s) if doubtful[s.0 as usize]);
                        });
                        of_doubtful
                    }
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
            // What does more than find values and count is not followed.
            _ => {
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
