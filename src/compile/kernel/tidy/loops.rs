//! Loops over cells that need not be gone through: where cells are only counted, the set is counted; where the first cell is the last,
//! it is asked for.

use crate::compile::kernel::tidy::any;
use crate::program::kernel::{
    Bin, Body, Function, S, Stmt, Value, W, Word, each_statement, falls, fixed_words,
};

/// Tidies a function.
pub(super) fn tidy(function: &mut Function) {
    let counts = any(&function.body, &|stmt| matches!(stmt, Stmt::Tally(_)));
    let fixed = if counts {
        fixed_words(function)
    } else {
        Vec::new()
    };
    let mut loops = Loops {
        fixed,
        words: function.words,
    };
    loops.body(&mut function.body);
    function.words = loops.words;
}

struct Loops {
    /// The words that are fixed, where anything is counted.
    fixed: Vec<Option<u64>>,
    words: u32,
}

impl Loops {
    fn body(&mut self, body: &mut Body) {
        let room = Body::with_capacity(body.len());
        for mut stmt in std::mem::replace(body, room) {
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            match stmt {
                Stmt::ForCells(cell, set, inner) if only_counts(cell, &inner) => {
                    self.count(set, &inner, body);
                }
                Stmt::ForCells(cell, set, mut inner) if !falls(&inner) => {
                    let some = self.word();
                    body.push(Stmt::Let(some, Word::Some(set)));
                    if reads(&inner, cell) {
                        inner.insert(0, Stmt::Let(cell, Word::First(set)));
                    }
                    body.push(Stmt::If(some, inner, Body::new()));
                }
                other => body.push(other),
            }
        }
    }

    /// Counts for all cells of a set what is counted for each.
    fn count(&mut self, set: S, each: &Body, body: &mut Body) {
        let many = self.word();
        body.push(Stmt::Let(many, Word::Count(set)));
        for stmt in each {
            let Stmt::Tally(by) = stmt else { continue };
            let one = self.fixed.get(by.0 as usize) == Some(&Some(1));
            let all = if one { many } else { self.word() };
            if !one {
                body.push(Stmt::Let(all, Word::Bin(Bin::Mul, many, *by)));
            }
            body.push(Stmt::Tally(all));
        }
    }

    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }
}

/// Whether statements only count, and the same for each cell.
fn only_counts(cell: W, body: &Body) -> bool {
    let counts = |stmt: &Stmt| matches!(stmt, Stmt::Tally(by) if *by != cell);
    !body.is_empty() && body.iter().all(counts)
}

/// Whether statements read a word.
fn reads(body: &Body, word: W) -> bool {
    let mut read = false;
    each_statement(body, &mut |stmt| {
        read = read || stmt.reads(Value::Word(word))
    });
    read
}
