//! Entries of tables at places that are known: functions in, functions out in which they are the numbers that they are. Before: any
//! functions, loops over a few numbers written out. After: an entry is computed only where its place is. Conditions: none.

use crate::program::kernel::{Body, Kernel, Stmt, Word, fixed_words};

/// Puts numbers in place of what is looked up.
pub fn look_up(kernel: &mut Kernel) {
    let tables = &kernel.tables;
    for function in &mut kernel.functions {
        let numbers = fixed_words(function);
        let entry = |word: &Word| match word {
            Word::Table(table, at) => {
                let at = usize::try_from(numbers[at.0 as usize]?).ok()?;
                tables.get(table.0 as usize)?.get(at).copied()
            }
            _ => None,
        };
        exchange(&mut function.body, &entry);
    }
}

fn exchange(body: &mut Body, entry: &impl Fn(&Word) -> Option<u64>) {
    for stmt in body {
        if let Stmt::Let(_, word) = stmt
            && let Some(number) = entry(word)
        {
            *word = Word::Const(number);
        }
        for inner in stmt.bodies_mut() {
            exchange(inner, entry);
        }
    }
}
