//! What is given or asked several times where once would do, so that more is known of it: a word that is given anew before anybody
//! reads it, one that either branch of a test gives, and two tests that follow each other of which one is the opposite of the other.

use crate::compile::kernel::fresh::times_given;
use crate::compile::kernel::tidy::any;
use crate::program::kernel::{Bin, Body, Function, Stmt, Value, W, Word, fixed_words};
use rustc_hash::FxHashMap;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Tidies a function.
pub(super) fn tidy(function: &mut Function) {
    let times = times_given(function);
    drop_in_vain(&mut function.body, &|w| times[&Value::Word(w)] > 1);
    let mut singly = Singly {
        times: times_given(function),
        fixed: fixed_words(function),
        words: function.words,
        passed: function.params.clone(),
    };
    let mut body = std::mem::take(&mut function.body);
    singly.body(&mut body);
    function.body = body;
    function.words = singly.words;
}

/// Drops what is given anew before anybody reads it, of the words that are given several times.
fn drop_in_vain(body: &mut Body, several: &impl Fn(W) -> bool) {
    for inner in body.iter_mut().flat_map(Stmt::bodies_mut) {
        drop_in_vain(inner, several);
    }
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            Stmt::Let(w, _) if several(w) && is_in_vain(w, &body[at + 1..]) => {
                body.remove(at);
            }
            _ => at += 1,
        }
    }
}

/// Whether a word is surely given anew by statements before they read it.
fn is_in_vain(w: W, rest: &[Stmt]) -> bool {
    let what = Value::Word(w);
    let stops = |stmt: &Stmt| stmt.reads(what) || matches!(stmt, Stmt::Leave(_) | Stmt::Return(_));
    for stmt in rest {
        if any(std::slice::from_ref(stmt), &stops) {
            return false;
        }
        if matches!(stmt, Stmt::Let(to, _) if *to == w) {
            return true;
        }
    }
    false
}

struct Singly {
    times: FxHashMap<Value, u32>,
    fixed: Vec<Option<u64>>,
    words: u32,
    /// What was surely given on the way to here.
    passed: Vec<Value>,
}

impl Singly {
    fn body(&mut self, body: &mut Body) {
        let outside = self.passed.len();
        let room = Body::with_capacity(body.len());
        let mut rest = std::mem::replace(body, room).into_iter().peekable();
        while let Some(mut stmt) = rest.next() {
            let before = self.passed.len();
            self.passed.extend(stmt.gives());
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            if !stmt.bodies().is_empty() {
                // A loop may have had no round.
                self.passed.truncate(before);
            }
            match stmt {
                Stmt::If(test, yes, no) if no.is_empty() => {
                    self.with_opposite(test, yes, &mut rest, body);
                }
                Stmt::If(test, yes, no) => self.chosen(test, yes, no, body),
                other => body.push(other),
            }
        }
        self.passed.truncate(outside);
    }

    /// A test with what is done when it does not hold, if that is asked next.
    fn with_opposite(
        &mut self,
        test: W,
        yes: Body,
        rest: &mut Peekable<IntoIter<Stmt>>,
        body: &mut Body,
    ) {
        let opposite = match rest.peek() {
            Some(Stmt::Let(to, word)) if self.once(test) && self.once(*to) => {
                self.denies(word, test).then_some(*to)
            }
            _ => None,
        };
        if opposite.is_some() {
            body.extend(rest.next());
        }
        let is_opposite = |next: &Stmt| matches!(next, Stmt::If(w, _, empty) if Some(*w) == opposite && empty.is_empty());
        let no = match rest.next_if(is_opposite) {
            Some(Stmt::If(_, mut otherwise, _)) => {
                self.body(&mut otherwise);
                otherwise
            }
            _ => Body::new(),
        };
        body.push(Stmt::If(test, yes, no));
    }

    /// Whether a word is whether another is 0.
    fn denies(&self, word: &Word, of: W) -> bool {
        let zero = |w: W| self.fixed.get(w.0 as usize) == Some(&Some(0));
        match *word {
            Word::Bin(Bin::Equal, a, b) => a == of && zero(b) || b == of && zero(a),
            _ => false,
        }
    }

    /// A test, or the word that its branches give as one that is chosen, if nothing need be computed for it: that may be possible only in
    /// the branch, as the entry of a table is.
    fn chosen(&mut self, test: W, yes: Body, no: Body, body: &mut Body) {
        let ([Stmt::Let(w, a)], [Stmt::Let(other, b)]) = (yes.as_slice(), no.as_slice()) else {
            return body.push(Stmt::If(test, yes, no));
        };
        let twice = self.times.get(&Value::Word(*w)) == Some(&2);
        if w != other || !twice || !self.is_there(a) || !self.is_there(b) {
            return body.push(Stmt::If(test, yes, no));
        }
        let [x, y] = [0, 1].map(|i| W(self.words + i));
        self.words += 2;
        for given in [x, y, *w] {
            self.times.insert(Value::Word(given), 1);
        }
        body.push(Stmt::Let(x, a.clone()));
        body.push(Stmt::Let(y, b.clone()));
        body.push(Stmt::Let(*w, Word::Select(test, x, y)));
    }

    /// Whether a value is fixed, or was given on the way to here.
    fn is_there(&self, value: &Word) -> bool {
        match value {
            Word::Const(_) => true,
            Word::Copy(of) => self.once(*of) && self.passed.contains(&Value::Word(*of)),
            _ => false,
        }
    }

    fn once(&self, w: W) -> bool {
        self.times.get(&Value::Word(w)) == Some(&1)
    }
}
