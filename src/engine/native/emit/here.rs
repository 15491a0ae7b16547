//! What was computed in the block that is being written, which holds to its end and is not computed again there; and truths, which
//! are as wide as a comparison makes them until they are needed as words.

use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::{Block, CondCode, I64, Inst, IntCC, Value};
use smallvec::SmallVec;

/// The most that is remembered of one kind; what is older is computed again.
const MOST: usize = 8;

/// What a block has computed so far.
#[derive(Default)]
pub(super) struct Here {
    block: Option<Block>,
    /// For cells the numbers of the words that they are in.
    at: Pairs<Value, Value>,
    /// For cells their bits word by word.
    cells: Pairs<Value, Words>,
    /// Truths as words.
    words: Pairs<Value, Value>,
}

/// The last few that were asked for, with what was found.
struct Pairs<K, V>(Vec<(K, V)>);

impl<K, V> Default for Pairs<K, V> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<K: PartialEq, V: Clone> Pairs<K, V> {
    fn get(&self, key: &K) -> Option<V> {
        let found = self.0.iter().rfind(|(known, _)| known == key);
        found.map(|(_, value)| value.clone())
    }

    fn keep(&mut self, key: K, value: V) {
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push((key, value));
    }
}

impl Emit<'_> {
    fn here(&mut self) -> &mut Here {
        let block = self.b.current_block();
        if self.here.block != block {
            let here = &mut self.here;
            here.block = block;
            here.at.0.clear();
            here.cells.0.clear();
            here.words.0.clear();
        }
        &mut self.here
    }

    /// The number of the word that a cell is in.
    pub(super) fn word_number(&mut self, cell: Value) -> Value {
        if let Some(at) = self.here().at.get(&cell) {
            return at;
        }
        if let Some(known) = self.known_word(cell) {
            return self.number(known as i64);
        }
        let at = self.b.ushr_imm_u(cell, 6);
        self.here().at.keep(cell, at);
        at
    }

    /// For each word of a narrow set: the cell's bit, or 0 when it is in another word.
    pub(super) fn cell_words(&mut self, cell: Value) -> Words {
        if let Some(words) = self.here().cells.get(&cell) {
            return words;
        }
        let one = self.number(1);
        let bit = self.b.ishl(one, cell);
        let mut words = Words::from_slice(&[bit]);
        if let Some(known) = self.known_word(cell) {
            let zero = self.number(0);
            words = SmallVec::from_elem(zero, self.width);
            words[known] = bit;
        } else if self.width > 1 {
            let zero = self.number(0);
            let at = self.word_number(cell);
            words[0] = self.b.select(at, zero, bit);
            if self.width == 2 {
                words.push(self.b.bxor(bit, words[0]));
            } else {
                for i in 1..self.width {
                    let here = self.b.icmp_imm_s(IntCC::Equal, at, i as i64);
                    words.push(self.b.select(here, bit, zero));
                }
            }
        }
        self.here().cells.keep(cell, words.clone());
        words
    }

    /// A value that may be a truth as a word: 1 or 0.
    pub(super) fn widened(&mut self, value: Value) -> Value {
        if !self.is_truth(value) {
            return value;
        }
        if let Some(word) = self.here().words.get(&value) {
            return word;
        }
        let word = self.b.uextend(I64, value);
        self.here().words.keep(value, word);
        word
    }

    /// Whether a value is as wide as a comparison makes it, and 1 or 0.
    pub(super) fn is_truth(&self, value: Value) -> bool {
        self.b.func().kind(value) != I64
    }

    /// The other truth; a comparison is turned round.
    pub(super) fn denied(&mut self, truth: Value) -> Value {
        match self.b.func().made_by(truth) {
            Some(Inst::Compare(cond, [a, b])) => self.b.icmp(cond.complement(), a, b),
            _ => self.b.icmp_imm_s(IntCC::Equal, truth, 0),
        }
    }
}
