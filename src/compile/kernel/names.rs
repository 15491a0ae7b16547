//! Words and sets numbered in the order in which they are met, so that what does the same has the same numbers.

use crate::program::kernel::{Body, Renumber, S, W};
use rustc_hash::FxHashMap;

/// The numbers so far.
#[derive(Default)]
pub struct Names {
    words: FxHashMap<W, W>,
    sets: FxHashMap<S, S>,
}

impl Names {
    /// How many words and sets were met.
    pub fn met(&self) -> (u32, u32) {
        (self.words.len() as u32, self.sets.len() as u32)
    }

    /// Numbers all that statements read and give.
    pub fn body(&mut self, body: &mut Body) {
        for stmt in body {
            stmt.renumber_reads(self);
            stmt.renumber_gives(self);
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
        }
    }
}

impl Renumber for Names {
    fn word(&mut self, w: W) -> W {
        let next = W(self.words.len() as u32);
        *self.words.entry(w).or_insert(next)
    }

    fn set(&mut self, s: S) -> S {
        let next = S(self.sets.len() as u32);
        *self.sets.entry(s).or_insert(next)
    }
}
