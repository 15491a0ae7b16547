//! What is next to joined parts, asked for right behind them and later, on drawn boards: every executor finds the same.

use super::{agree, bare, draw, kept, loads};
use crate::common::slow;
use gambol::board::{Cell, Cells};
use gambol::program::kernel::{Body, FuncId, Function, Kernel, S, Set, Stmt, W, Word};

/// Goes through some cells of a set; finds the part of each, now and then of another set in between, and what is next to it.
fn asks(seed: u64, kernel: &Kernel) -> Body {
    // Not what the board was drawn with: the statements must not go with its size.
    let mut dice = draw::Dice(!seed);
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
    body.push(Stmt::LetSet(S(9), Set::Load(kept(kernel, 2))));
    body.push(Stmt::ForCells(W(0), S(9), each));
    body.extend([0, 1].map(|s| Stmt::StoreSet(kept(kernel, s), S(10 + s))));
    body
}

/// What is next to each cell of so many in rows of so many.
fn grid(cells: usize, columns: usize) -> Vec<Cells> {
    let near = |cell: usize| {
        let (at, all) = (cell % columns, 0..cells);
        let beside = [
            (at > 0).then(|| cell - 1),
            (at + 1 < columns).then_some(cell + 1),
        ];
        let rows = [cell.checked_sub(columns), Some(cell + columns)];
        let found = beside.into_iter().chain(rows).flatten();
        let found = found.filter(|near| all.contains(near));
        found.map(|near| Cell(near as u16)).collect()
    };
    (0..cells).map(near).collect()
}

#[test]
fn what_is_next_to_parts_is_found_by_all() {
    let mut agreed = 0;
    let drawn: usize = if slow() { 400 } else { 60 };
    for seed in 0..drawn as u64 {
        let (mut kernel, mut frame) = bare(seed);
        let words = kernel.room.words as usize;
        // Every other board is a plain one, on which sets of any width are moved by few distances.
        if seed % 2 == 1 {
            kernel.neighbours = grid(kernel.cells, 2 + seed as usize % 17);
        }
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
        // On large boards all cells would be too many for who walks through the statements one by one.
        let some = [0, 2].map(|set| kept(&kernel, set).base as usize);
        for word in 0..words {
            let few = if words < 4 {
                16
            } else {
                u32::from(word % 4 == 0)
            };
            let mut left = frame.mem[some[0] + word];
            while left.count_ones() > few {
                left &= !(1 << dice.below(64));
            }
            frame.mem[some[1] + word] = left;
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
    assert!(agreed * 10 > drawn * 9, "{agreed} kernels");
}
