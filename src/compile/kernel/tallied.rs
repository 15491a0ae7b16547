//! What loops count is added up in a word and told once behind them: a place in memory to which every round adds makes each wait for
//! the one before. Before: any functions. After: the same sums; loops over cells, bits and numbers tell nothing themselves. Conditions:
//! a short loop that is not left in the middle, by the end of the function or of a block around it, and in which nothing of what was
//! counted is read or set back. Where the kernel gives up in a loop nobody reads what was counted.

use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Room, Set, Stmt, W, Word, each_statement,
};

/// Loops of at most so many statements: in longer ones nobody waits for what was counted, and the word is one more to keep.
const SHORT: usize = 40;

/// Adds up in words what loops count.
pub fn tally_behind(functions: &mut [Function], room: &Room) {
    for function in functions {
        let mut counts = false;
        each_statement(&function.body, &mut |stmt| {
            counts |= matches!(stmt, Stmt::Tally(_));
        });
        if counts {
            let all = std::mem::take(&mut function.body);
            function.body = body(all, room.tally, &mut function.words);
        }
    }
}

fn body(all: Body, tally: u32, words: &mut u32) -> Body {
    let mut out = Body::with_capacity(all.len());
    for mut stmt in all {
        for inner in stmt.bodies_mut() {
            *inner = body(std::mem::take(inner), tally, words);
        }
        let rounds = match &stmt {
            Stmt::ForCells(_, _, inner)
            | Stmt::ForBits(_, _, inner)
            | Stmt::ForNumbers(_, _, _, inner) => {
                is_short(inner)
                    && counts(inner)
                    && !asks(inner, tally)
                    && !is_left(inner, &mut Vec::new())
            }
            _ => false,
        };
        if !rounds {
            out.push(stmt);
            continue;
        }
        let total = W(*words);
        *words += 1;
        for inner in stmt.bodies_mut() {
            add_up(inner, total);
        }
        out.extend([Stmt::Let(total, Word::Const(0)), stmt, Stmt::Tally(total)]);
    }
    out
}

fn is_short(body: &Body) -> bool {
    let mut many = 0;
    each_statement(body, &mut |_| many += 1);
    many <= SHORT
}

fn counts(body: &Body) -> bool {
    let of = |stmt: &Stmt| matches!(stmt, Stmt::Tally(_)) || stmt.bodies().any(counts);
    body.iter().any(of)
}

/// Whether statements may look at what was counted, or set it back.
pub fn asks(body: &Body, tally: u32) -> bool {
    let reads = |place: &Place| place.base == tally || place.index.is_some() && place.base < tally;
    body.iter().any(|stmt| {
        let here = match stmt {
            Stmt::Let(_, Word::Load(place)) => reads(place),
            Stmt::Store(place, _) => place.base == tally,
            Stmt::LetSet(_, Set::Load(place)) => place.base <= tally,
            _ => false,
        };
        here || stmt.bodies().any(|inner| asks(inner, tally))
    })
}

/// Whether statements may lead out of where they stand; `within` are the blocks that stand there too.
fn is_left(body: &Body, within: &mut Vec<Label>) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Return(_) => true,
        Stmt::Leave(label) => !within.contains(label),
        Stmt::Loop(label, inner) | Stmt::Block(label, inner) => {
            within.push(*label);
            let left = is_left(inner, within);
            within.pop();
            left
        }
        other => other.bodies().any(|inner| is_left(inner, within)),
    })
}

fn add_up(body: &mut Body, total: W) {
    for stmt in body {
        if let Stmt::Tally(w) = stmt {
            *stmt = Stmt::Let(total, Word::Bin(Bin::Add, total, *w));
        }
        for inner in stmt.bodies_mut() {
            add_up(inner, total);
        }
    }
}
