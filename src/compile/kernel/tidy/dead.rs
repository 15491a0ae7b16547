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
