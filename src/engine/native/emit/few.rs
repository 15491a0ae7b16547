//! Loops over sets of several words that have few cells: the lowest cell of all words is taken each time, so that it need not be
//! guessed which words have any. Which sets have few is only guessed: both kinds of loops do the same.

use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::{Block, I64, Value};
use crate::program::kernel::{Body, Function, Kernel, S, Set, Stmt, W, each_statement};

/// So many cells are few: the neighbours of one, or fewer.
const FEW: usize = 8;

/// For each set of a function whether it has few cells, as far as can be seen: entries of tables of small sets, and what is taken
/// from those.
pub(super) fn few_cells(function: &Function, kernel: &Kernel) -> Vec<bool> {
    let mut few: Vec<Option<bool>> = vec![None; function.sets as usize];
    each_statement(&function.body, &mut |stmt| {
        let Stmt::LetSet(to, set) = stmt else { return };
        let has_few = |s: &S| few.get(s.0 as usize).copied().flatten() == Some(true);
        let now = match set {
            Set::Single(_) => true,
            Set::Const(id) => (kernel.sets.get(id.0 as usize)).is_some_and(|set| set.len() <= FEW),
            Set::Row(id, _) => (kernel.rows.get(id.0 as usize))
                .is_some_and(|rows| rows.iter().all(|row| row.len() <= FEW)),
            Set::And(a, b) => has_few(a) || has_few(b),
            Set::Select(_, a, b) => has_few(a) && has_few(b),
            Set::Copy(a)
            | Set::Without(a, _)
            | Set::Less(a, _)
            | Set::UpTo(a, _)
            | Set::DownTo(a, _)
            | Set::Part(a, _)
            | Set::Shift(a, _) => has_few(a),
            Set::Load(_)
            | Set::Or(..)
            | Set::Xor(..)
            | Set::With(..)
            | Set::Around(_)
            | Set::Mapped(..) => false,
        };
        if let Some(known) = few.get_mut(to.0 as usize) {
            *known = Some(known.unwrap_or(true) && now);
        }
    });
    few.into_iter().map(|known| known == Some(true)).collect()
}

impl Emit<'_> {
    /// Whether a narrow set of several words has few cells; not asked where code is wanted soon.
    pub(super) fn has_few(&self, set: S) -> bool {
        !self.wide() && self.few.get(set.0 as usize) == Some(&true)
    }

    /// Once for every cell of a narrow set.
    pub(super) fn for_few_cells(&mut self, cell: W, set: S, body: &Body) {
        let words = self.set_words(set);
        let (round, behind) = (self.b.create_block(), self.b.create_block());
        let left: Words = (words.iter())
            .map(|_| self.b.append_block_param(round, I64))
            .collect();
        self.on_while_any(&words, round, behind);
        self.b.switch_to_block(round);
        let (found, rest) = self.lowest(&left);
        self.put(cell, found);
        self.body(body);
        if !self.dead {
            self.on_while_any(&rest, round, behind);
        }
        self.b.seal_block(round);
        self.enter(behind);
    }

    /// Goes to a block with words, or where they are all empty to another.
    fn on_while_any(&mut self, words: &Words, round: Block, behind: Block) {
        let mut any = words[0];
        for &word in &words[1..] {
            any = self.b.bor(any, word);
        }
        self.b.brif(any, round, words, behind, &[]);
    }

    /// The lowest cell of words of which some have any, and the words without it.
    pub(super) fn lowest(&mut self, words: &[Value]) -> (Value, Words) {
        let last = words.len() - 1;
        let (mut lowest, mut base) = (words[last], self.number(last as i64 * 64));
        for (i, &word) in words.iter().enumerate().rev().skip(1) {
            let first = self.number(i as i64 * 64);
            lowest = self.b.select(word, word, lowest);
            base = self.b.select(word, first, base);
        }
        let bit = self.b.ctz(lowest);
        let found = self.b.iadd(base, bit);
        let mut rest = Words::new();
        let mut before: Option<Value> = None;
        for &word in words {
            let less = self.b.iadd_imm_s(word, -1);
            let less = self.b.band(word, less);
            let (left, all) = match before {
                None => (less, word),
                Some(before) => (self.b.select(before, word, less), self.b.bor(before, word)),
            };
            rest.push(left);
            before = Some(all);
        }
        (found, rest)
    }
}
