//! How what is surpassed is struck off: the best so far is compared with, and what is better sets the list, or the count, back to where it
//! stood before the first.

use crate::compile::kernel::surpassed::Best;
use crate::compile::kernel::surpassed::found::{Found, begins};
use crate::program::kernel::{Bin, Body, Place, Stmt, W, Word};

/// Writes into a function how what is surpassed is struck off.
pub(super) struct Striking<'k> {
    pub(super) best: Best,
    /// The word that was the best.
    pub(super) word: W,
    /// Where the list, or the count, stands.
    pub(super) kept: &'k [u32],
    /// How many words the function has.
    pub(super) words: u32,
}

impl Striking<'_> {
    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn make(&mut self, out: &mut Body, word: Word) -> W {
        let w = self.word();
        out.push(Stmt::Let(w, word));
        w
    }

    fn load(&mut self, out: &mut Body, at: u32) -> W {
        self.make(out, Word::Load(Place::plain(at)))
    }

    /// Compares with the best so far instead.
    pub(super) fn body(&mut self, body: &mut Body) {
        for mut stmt in std::mem::take(body) {
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            match stmt {
                Stmt::Let(answer, Word::Bin(Bin::Equal, a, b))
                    if a == self.word || b == self.word =>
                {
                    let value = if a == self.word { b } else { a };
                    self.compare(answer, value, body);
                }
                other => body.push(other),
            }
        }
    }

    fn compare(&mut self, answer: W, value: W, out: &mut Body) {
        let at = self.best.at;
        let (any, best) = (self.load(out, at), self.load(out, at + 1));
        let zero = self.make(out, Word::Const(0));
        let first = self.make(out, Word::Bin(Bin::Equal, any, zero));
        let (low, high) = if self.best.most {
            (best, value)
        } else {
            (value, best)
        };
        let better = self.make(out, Word::Bin(Bin::Less, low, high));
        let better = self.make(out, Word::Bin(Bin::Or, first, better));
        let mut strike = Body::new();
        let one = self.make(&mut strike, Word::Const(1));
        strike.push(Stmt::Store(Place::plain(at), one));
        strike.push(Stmt::Store(Place::plain(at + 1), value));
        for (behind, kept) in (at + 2..).zip(self.kept) {
            let before = self.load(&mut strike, behind);
            strike.push(Stmt::Store(Place::plain(*kept), before));
        }
        out.push(Stmt::If(better, strike, Body::new()));
        let now = self.load(out, at + 1);
        out.push(Stmt::Let(answer, Word::Bin(Bin::Equal, value, now)));
    }

    /// Instead of finding the best first, keeps where the list stands; leaves the best aside when all is listed.
    pub(super) fn begin(&mut self, body: &mut Body, found: &Found) {
        let at = self.best.at;
        let mut out = Body::new();
        for (i, stmt) in std::mem::take(body).into_iter().enumerate() {
            let finds = (found.from + 1..=found.to).contains(&i);
            match stmt {
                Stmt::Mark(_) | Stmt::Undo(_) | Stmt::Call(..) if finds => {}
                Stmt::Let(w, _) if w == found.any => out.push(Stmt::Let(w, Word::Const(1))),
                Stmt::Let(w, _) if w == found.best => out.push(Stmt::Let(w, Word::Const(0))),
                Stmt::Store(place, w) if i > found.to && found.aside.contains(&(place, w)) => {}
                other => out.push(other),
            }
            if i == found.from {
                for (behind, kept) in (at + 2..).zip(self.kept) {
                    let now = self.load(&mut out, *kept);
                    out.push(Stmt::Store(Place::plain(behind), now));
                }
            }
            if i == found.then {
                for (place, w) in &found.aside {
                    let from = if *w == found.any { at } else { at + 1 };
                    let value = self.load(&mut out, from);
                    out.push(Stmt::Store(*place, value));
                }
            }
        }
        *body = out;
    }
}

/// The list of statements in which a best is found.
pub(super) fn within_mut(body: &mut Body, best: Best) -> Option<&mut Body> {
    if body.iter().any(|stmt| begins(stmt, best)) {
        return Some(body);
    }
    let inner = body.iter_mut().flat_map(Stmt::bodies_mut);
    inner.into_iter().find_map(|body| within_mut(body, best))
}
