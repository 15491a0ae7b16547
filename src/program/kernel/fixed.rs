//! The words of a function that are given one fixed value and no other, also by way of other words.

use crate::program::kernel::{Body, Function, Stmt, Value, W, Word, each_statement};

/// Over so many words a value is followed.
const FOLLOWED: usize = 8;

/// For each word of a function its value, where it is given that and no other.
#[must_use]
pub fn fixed_words(function: &Function) -> Vec<Option<u64>> {
    let words = function.words as usize;
    let mut given = Given {
        values: vec![None; words],
        copies: vec![None; words],
        times: vec![0; words],
    };
    for param in &function.params {
        if let Value::Word(w) = param {
            given.note(*w);
        }
    }
    given.body(&function.body);
    (0..words).map(|word| given.known(word)).collect()
}

/// What words are given, and how often.
struct Given {
    values: Vec<Option<u64>>,
    /// The words that they were copied from.
    copies: Vec<Option<W>>,
    times: Vec<u32>,
}

impl Given {
    fn known(&self, mut word: usize) -> Option<u64> {
        for _ in 0..FOLLOWED {
            if self.times.get(word) != Some(&1) {
                return None;
            }
            match self.copies[word] {
                Some(from) => word = from.0 as usize,
                None => return self.values[word],
            }
        }
        None
    }

    fn note(&mut self, to: W) {
        if let Some(times) = self.times.get_mut(to.0 as usize) {
            *times += 1;
        }
    }

    fn body(&mut self, body: &Body) {
        each_statement(body, &mut |stmt| {
            let Some(Value::Word(to)) = stmt.gives() else {
                return;
            };
            self.note(to);
            let at = to.0 as usize;
            if let (Stmt::Let(_, Word::Const(value)), Some(known)) = (stmt, self.values.get_mut(at))
            {
                *known = Some(*value);
            }
            if let (Stmt::Let(_, Word::Copy(from)), Some(copied)) = (stmt, self.copies.get_mut(at))
            {
                *copied = Some(*from);
            }
        });
    }
}
