//! What is next to joined parts, asked for right behind them and later, on drawn boards: every executor finds the same.

use super::{agree, bare, draw, kept, loads};
use crate::common::slow;
use gambol::program::kernel::{Body, FuncId, Function, Kernel, S, Set, Stmt, W, Word};

/// Goes through the cells of a set; finds the part of each, now and then of another set in between, and what is next to it.
fn asks(seed: u64, kernel: &Kernel) -> Body {
    let mut dice = draw::Dice(seed);
    let mut body = loads(kernel, 2);
    body.push(Stmt::LetSet(S(10), Set::And(S(0), S(1))));
    body.push(Stmt::LetSet(S(11), Set::And(S(0), S(1))));
    let mut each = vec![Stmt::LetSet(S(2), Set::Part(S(0), W(0)))];
    let between = |dice: &mut draw::Dice| match dice.below(7) {
        0 => vec![Stmt::LetSet(S(5), Set::Part(S(1), W(0)))],
        1 => vec![Stmt::LetSet(S(2), Set::Without(S(2), S(1)))],
        2 => vec![
            Stmt::Let(W(1), Word::Has(S(1), W(0))),
            Stmt::If(
                W(1),
                vec![Stmt::LetSet(S(2), Set::Part(S(1), W(0)))],
                Body::new(),
            ),
        ],
        3 => vec![
            Stmt::Let(W(1), Word::Has(S(1), W(0))),
            Stmt::If(
                W(1),
                vec![Stmt::Let(W(2), Word::Count(S(2))), Stmt::Tally(W(2))],
                Body::new(),
            ),
        ],
        _ => vec![Stmt::LetSet(S(6), Set::Or(S(0), S(1)))],
    };
    each.extend(between(&mut dice));
    each.push(Stmt::LetSet(S(3), Set::Around(S(2))));
    each.extend(between(&mut dice));
    each.push(Stmt::LetSet(S(4), Set::Without(S(3), S(2))));
    each.push(Stmt::LetSet(S(10), Set::Xor(S(10), S(3))));
    each.push(Stmt::LetSet(S(11), Set::Xor(S(11), S(4))));
    each.push(Stmt::Let(W(3), Word::Count(S(4))));
    each.push(Stmt::Tally(W(3)));
    body.push(Stmt::ForCells(W(0), S(0), each));
    body.extend([0, 1].map(|s| Stmt::StoreSet(kept(kernel, s), S(10 + s))));
    body
}

#[test]
fn what_is_next_to_parts_is_found_by_all() {
    let mut agreed = 0;
    let drawn: usize = if slow() { 400 } else { 60 };
    for seed in 0..drawn as u64 {
        let (mut kernel, mut frame) = bare(seed);
        let words = kernel.room.words as usize;
        // Some boards with few stones, whose parts are single cells, and some with many.
        let mut dice = draw::Dice(seed);
        let cells = kernel.cells;
        for set in 0..2 {
            let at = kept(&kernel, set).base as usize;
            frame.mem[at..at + words].fill(0);
            for cell in 0..cells {
                if dice.chance([8, 30, 60][seed as usize % 3]) {
                    frame.mem[at + cell / 64] |= 1 << (cell % 64);
                }
            }
        }
        kernel.functions = vec![Function {
            name: "beside".to_owned(),
            params: Vec::new(),
            words: 4,
            sets: 12,
            body: asks(seed, &kernel),
        }];
        agreed += usize::from(agree(kernel, &frame, &[FuncId(0), FuncId(0)]).is_some());
    }
    assert!(agreed * 3 > drawn, "{agreed} kernels");
}
