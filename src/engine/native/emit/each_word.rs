//! Short loops over sets of a few words, written out for each word: which word a cell is in is known then, and nothing is done with the
//! other ones.

use crate::engine::native::emit::stack::Home;
use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::Value;
use crate::program::kernel::{Body, S, Stmt, W, each_statement};

/// The most statements that are written out, for all words together.
const MOST: usize = 120;

impl Emit<'_> {
    /// Whether a loop over the cells of a narrow set is short enough, and calls nothing.
    pub(super) fn is_written_out(&self, body: &Body) -> bool {
        !self.soon && !self.wide() && length(body).is_some_and(|length| length * self.width <= MOST)
    }

    /// Once for every cell of a narrow set, word by word.
    pub(super) fn for_cells_of_each(&mut self, cell: W, set: S, body: &Body) {
        let words: Words = self.set_words(set);
        for (i, word) in words.into_iter().enumerate() {
            let first = (i > 0).then(|| self.number(i as i64 * 64));
            self.word_of_cell.push((cell, i));
            self.for_bits(cell, word, first, body);
            self.word_of_cell.pop();
        }
    }

    /// The number of the word that a cell is in, where that is known.
    pub(super) fn known_word(&self, cell: Value) -> Option<usize> {
        let of_loop = |(w, _): &&(W, usize)| match self.words.get(w.0 as usize) {
            Some(Home::Value(value)) => *value == Some(cell),
            _ => false,
        };
        self.word_of_cell
            .iter()
            .rev()
            .find(of_loop)
            .map(|(_, i)| *i)
    }
}

/// How many statements there are, when none is a call or a loop.
fn length(body: &Body) -> Option<usize> {
    let (mut many, mut quick) = (0, true);
    each_statement(body, &mut |stmt| {
        many += 1;
        quick &= !matches!(
            stmt,
            Stmt::Call(..)
                | Stmt::ForCells(..)
                | Stmt::ForBits(..)
                | Stmt::ForNumbers(..)
                | Stmt::Loop(..)
                | Stmt::Block(..)
                | Stmt::Note(..)
                | Stmt::Undo(_)
        );
    });
    quick.then_some(many)
}
