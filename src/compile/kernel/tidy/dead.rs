//! What nobody reads is not computed: from the end to the beginning, so that what only that was made of goes with it.

use crate::program::kernel::{Body, Function, Renumber, S, Stmt, W};

/// How often words and sets are read.
struct Reads {
    words: Vec<u32>,
    sets: Vec<u32>,
    /// Whether it is one more or one less.
    more: bool,
}

impl Renumber for Reads {
    fn word(&mut self, w: W) -> W {
        let known = &mut self.words[w.0 as usize];
        *known = if self.more { *known + 1 } else { *known - 1 };
        w
    }

    fn set(&mut self, s: S) -> S {
        let known = &mut self.sets[s.0 as usize];
        *known = if self.more { *known + 1 } else { *known - 1 };
        s
    }
}

/// Tidies a function.
pub(super) fn tidy(function: &mut Function) {
    let mut reads = Reads {
        words: vec![0; function.words as usize],
        sets: vec![0; function.sets as usize],
        more: true,
    };
    reads.count(&mut function.body);
    reads.more = false;
    reads.clear(&mut function.body);
}

/// Puts what both ways of a question do in its place, when they do the same. True when there was one.
pub(super) fn merge(body: &mut Body) -> bool {
    let mut merged = false;
    let mut at = 0;
    while at < body.len() {
        for inner in body[at].bodies_mut() {
            merged |= merge(inner);
        }
        if let Stmt::If(_, yes, no) = &mut body[at]
            && yes == no
        {
            let same = std::mem::take(yes);
            at += same.len();
            body.splice(at - same.len()..=at - same.len(), same);
            merged = true;
        } else {
            at += 1;
        }
    }
    merged
}

impl Reads {
    fn count(&mut self, body: &mut Body) {
        for stmt in body {
            stmt.renumber_reads(self);
            for inner in stmt.bodies_mut() {
                self.count(inner);
            }
        }
    }

    fn clear(&mut self, body: &mut Body) {
        // What stays gathers at the end.
        let mut first = body.len();
        for at in (0..body.len()).rev() {
            let stmt = &mut body[at];
            for inner in stmt.bodies_mut() {
                self.clear(inner);
            }
            let unread = match stmt {
                Stmt::Let(w, _) | Stmt::Mark(w) => self.words[w.0 as usize] == 0,
                Stmt::LetSet(s, _) => self.sets[s.0 as usize] == 0,
                Stmt::If(..) | Stmt::ForCells(..) | Stmt::ForBits(..) | Stmt::ForNumbers(..) => {
                    stmt.bodies().all(Vec::is_empty)
                }
                Stmt::Switch(_, bodies) => bodies.iter().all(Vec::is_empty),
                Stmt::Block(_, inner) => inner.is_empty(),
                _ => false,
            };
            if unread {
                stmt.renumber_reads(self);
            } else {
                first -= 1;
                body.swap(at, first);
            }
        }
        body.drain(..first);
    }
}
