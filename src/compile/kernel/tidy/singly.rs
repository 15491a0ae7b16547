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
}

impl Singly {
    fn body(&mut self, body: &mut Body) {
        let room = Body::with_capacity(body.len());
        let mut rest = std::mem::replace(body, room).into_iter().peekable();
        while let Some(mut stmt) = rest.next() {
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            match stmt {
                Stmt::If(test, yes, no) if no.is_empty() => {
                    self.with_opposite(test, yes, &mut rest, body);
                }
                Stmt::If(test, yes, no) => self.chosen(test, yes, no, body),
                other => body.push(other),
            }
        }
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

    /// A test, or the word that its branches give as one that is chosen.
    fn chosen(&mut self, test: W, yes: Body, no: Body, body: &mut Body) {
        let ([Stmt::Let(w, a)], [Stmt::Let(other, b)]) = (yes.as_slice(), no.as_slice()) else {
            return body.push(Stmt::If(test, yes, no));
        };
        let times = self.times.get_mut(&Value::Word(*w));
        match times {
            Some(times) if w == other && *times == 2 && a.is_of_words() && b.is_of_words() => {
                *times = 1;
                let [x, y] = [0, 1].map(|i| W(self.words + i));
                self.words += 2;
                for (to, value) in [(x, a), (y, b)] {
                    self.times.insert(Value::Word(to), 1);
                    body.push(Stmt::Let(to, value.clone()));
                }
                body.push(Stmt::Let(*w, Word::Select(test, x, y)));
            }
            _ => body.push(Stmt::If(test, yes, no)),
        }
    }

    fn once(&self, w: W) -> bool {
        self.times.get(&Value::Word(w)) == Some(&1)
    }
}
