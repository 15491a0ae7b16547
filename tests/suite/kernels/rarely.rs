//! What loops that count try only for some cells, on drawn kernels: tried behind the loop it does the same, and is told by the same number
//! of calls.

use super::{draw, expected, hold_to};
use crate::common::slow;
use gambol::compile::kernel::rarely;
use gambol::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, Place, S, Set, SetId, Stmt, W, Word, each_statement,
};

/// A loop over a set that counts something for each cell, or tries something by calling a function that is not counted on to leave
/// anything. Some do more, so that they must stay as they are.
fn counting(function: &mut Function, dice: &mut draw::Dice, calls: FuncId) -> Body {
    let mut fresh = || {
        function.words += 1;
        W(function.words - 1)
    };
    let (cell, bits, low, mark) = (fresh(), fresh(), fresh(), fresh());
    let set = S(function.sets);
    function.sets += 1;
    let mut tried = vec![Stmt::Mark(mark), Stmt::Call(calls, Vec::new(), None)];
    if dice.chance(90) {
        tried.push(Stmt::Undo(mark));
    }
    let counted = vec![Stmt::Tally(bits)];
    let (yes, no) = if dice.chance(50) {
        (counted, tried)
    } else {
        (tried, counted)
    };
    let mut inner = vec![
        Stmt::Let(bits, Word::Const(1 + dice.below(3) as u64)),
        Stmt::Let(low, Word::Bin(Bin::And, cell, bits)),
        Stmt::If(low, yes, no),
    ];
    if dice.chance(10) {
        inner.push(Stmt::Leaf(bits));
    }
    vec![
        Stmt::LetSet(set, Set::Const(SetId(dice.below(6) as u32))),
        Stmt::ForCells(cell, set, inner),
    ]
}

fn loops(kernel: &Kernel) -> usize {
    let mut many = 0;
    for function in &kernel.functions {
        each_statement(&function.body, &mut |stmt| {
            many += usize::from(matches!(stmt, Stmt::ForCells(..)));
        });
    }
    many
}

#[test]
fn what_is_tried_behind_a_loop_does_the_same() {
    let (mut same, mut parted) = (0, 0);
    let drawn: usize = if slow() { 10_000 } else { 600 };
    for seed in 0..drawn as u64 {
        let (mut kernel, mut frame, calls) = draw::kernel(seed);
        let mut dice = draw::Dice(!seed);
        // What is called adds to a word that nobody takes back.
        let tried = FuncId(kernel.functions.len() as u32);
        let place = Place {
            base: kernel.room.scratch,
            index: None,
        };
        kernel.functions.push(Function {
            name: "tried".into(),
            params: Vec::new(),
            words: 3,
            sets: 0,
            body: vec![
                Stmt::Let(W(0), Word::Load(place)),
                Stmt::Let(W(1), Word::Const(3)),
                Stmt::Let(W(2), Word::Bin(Bin::Add, W(0), W(1))),
                Stmt::Store(place, W(2)),
                Stmt::Tally(W(1)),
            ],
        });
        for function in &mut kernel.functions[..tried.0 as usize] {
            let counting = counting(function, &mut dice, tried);
            function.body.splice(0..0, counting);
        }
        frame.mem[kernel.room.fuel as usize] = 50_000;
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let fault = kernel.room.fault as usize;
        if account.iter().any(|(_, mem)| mem[fault] != 0) {
            continue;
        }
        let mut out = kernel.clone();
        let all: Vec<FuncId> = (0..tried.0).map(FuncId).collect();
        rarely::part(&mut out.functions, &all, &kernel.room);
        if expected(&out, &frame, &calls).is_none() {
            continue;
        }
        let log = kernel.room.log as usize..kernel.room.moves as usize;
        hold_to(account, (&kernel, &out), (&frame, &calls), log);
        same += 1;
        parted += usize::from(loops(&out) > loops(&kernel));
    }
    assert!(
        same * 4 > drawn && parted * 2 > same && parted < same,
        "{same} kernels of {drawn}, {parted} were changed"
    );
}
