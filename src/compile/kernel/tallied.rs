//! What loops count is added up in a word and told once behind them: a place in memory to which every round adds makes each wait for
//! the one before. Before: any functions. After: the same sums; loops over cells, bits and numbers tell nothing themselves. Conditions:
//! a short loop that is not left in the middle, by the end of the function or of a block around it, and in which nothing of what was
//! counted is read or set back. Where the kernel gives up in a loop nobody reads what was counted.

use crate::compile::kernel::changes::with_callers;
use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Room, Set, Stmt, W, Word, each_statement,
};

/// Loops of at most so many statements: in longer ones nobody waits for what was counted, and the word is one more to keep.
const SHORT: usize = 40;

/// Adds up in words what loops count.
pub fn tally_behind(functions: &mut [Function], room: &Room) {
    let asking = that_ask(functions, room);
    for function in functions {
        let mut counts = false;
        each_statement(&function.body, &mut |stmt| {
            counts |= matches!(stmt, Stmt::Tally(_));
        });
        if counts {
            let all = std::mem::take(&mut function.body);
            function.body = body(all, (room.tally, &asking), &mut function.words);
        }
    }
}

/// For each function whether it, or one that it calls, looks at what was counted, or sets it back. What stands in a row of places is
/// looked for in that row.
pub fn that_ask(functions: &[Function], room: &Room) -> Vec<bool> {
    let of = |function: &Function| {
        let mut asks = false;
        each_statement(&function.body, &mut |stmt| {
            asks |= match stmt {
                Stmt::Let(_, Word::Load(place)) | Stmt::Store(place, _) => place.base == room.tally,
                Stmt::LetSet(_, Set::Load(place)) | Stmt::StoreSet(place, _) => {
                    (place.base..place.base + room.words).contains(&room.tally)
                }
                _ => false,
            };
        });
        asks
    };
    with_callers(functions, functions.iter().map(of).collect())
}

fn body(all: Body, (tally, asking): (u32, &[bool]), words: &mut u32) -> Body {
    let mut out = Body::with_capacity(all.len());
    for mut stmt in all {
        for inner in stmt.bodies_mut() {
            *inner = body(std::mem::take(inner), (tally, asking), words);
        }
        let rounds = match &stmt {
            Stmt::ForCells(_, _, inner)
            | Stmt::ForBits(_, _, inner)
            | Stmt::ForNumbers(_, _, _, inner) => {
                is_short(inner)
                    && counts(inner)
                    && !asks(inner, (tally, asking))
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

/// Whether statements may look at what was counted, or set it back; or functions that they call, as is told for each.
pub fn asks(body: &Body, (tally, asking): (u32, &[bool])) -> bool {
    let reads = |place: &Place| place.base == tally || place.index.is_some() && place.base < tally;
    body.iter().any(|stmt| {
        let here = match stmt {
            Stmt::Let(_, Word::Load(place)) => reads(place),
            Stmt::Store(place, _) => place.base == tally,
            Stmt::Call(id, ..) => asking.get(id.0 as usize) == Some(&true),
            Stmt::LetSet(_, Set::Load(place)) => place.base <= tally,
            _ => false,
        };
        here || (stmt.bodies()).any(|inner| asks(inner, (tally, asking)))
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
