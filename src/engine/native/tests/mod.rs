//! Hand-built kernels against what Rust says of the same words and sets, at several widths, with every index checked.

mod drawn;
mod expressions;
mod moved;
mod statements;

use crate::board::{Cell, Cells};
use crate::engine::executor::{Executor, Frame};
use crate::engine::native::Native;
use crate::engine::native::module::Options;
use crate::program::kernel::{
    Body, FuncId, Function, Kernel, LowPiles, Place, Room, RowsId, Shift, ShiftId, Stmt, TableId,
    Value, W, pile_key,
};
use std::sync::Arc;

/// The widths that everything is tried with.
const WIDTHS: [usize; 7] = [1, 2, 3, 4, 7, 11, 20];

/// Words that tests read and write.
const FREE: u32 = 16;

/// The first word of the results.
const OUT: u32 = 400;

/// Cells of the board of a width; the last word is not full.
fn cells(width: usize) -> usize {
    width * 64 - 5
}

/// A shift to wherever a function says, with a part for each distance.
fn shift(width: usize, to: impl Fn(usize) -> Option<usize>) -> Shift {
    let steps: Vec<u16> = (0..cells(width))
        .map(|cell| {
            to(cell)
                .filter(|&t| t < cells(width))
                .map_or(u16::MAX, |t| t as u16)
        })
        .collect();
    let mut parts: Vec<(Cells, i32)> = Vec::new();
    for (cell, &step) in steps.iter().enumerate().filter(|(_, s)| **s != u16::MAX) {
        let distance = i32::from(step) - cell as i32;
        let at = parts.iter().position(|(_, d)| *d == distance);
        let at = at.unwrap_or_else(|| {
            parts.push((Cells::EMPTY, distance));
            parts.len() - 1
        });
        parts[at].0.insert(Cell(cell as u16));
    }
    Shift { parts, steps }
}

/// A kernel with tables of all kinds, on a board in rows of seven cells, and with no functions.
fn empty(width: usize) -> Kernel {
    let shifts = vec![
        shift(width, |c| (c % 7 < 6).then_some(c + 1)),
        shift(width, |c| c.checked_sub(7)),
        shift(width, |c| Some(c + 6 + c / 30 % 2)),
        shift(width, |c| Some(c + 1 + c % 9)),
        shift(width, |c| Some(c + 70)),
        shift(width, |c| c.checked_sub(64)),
        shift(width, |c| Some((c * 5 + 3) % cells(width))),
    ];
    let neighbours = (0..cells(width))
        .map(|c| {
            let near = [
                (c % 7 < 6).then_some(c + 1),
                (c % 7 > 0).then(|| c - 1),
                Some(c + 7),
                c.checked_sub(7),
            ];
            (near.into_iter().flatten())
                .filter(|&n| n < cells(width))
                .map(|n| Cell(n as u16))
                .collect()
        })
        .collect();
    Kernel {
        room: Room {
            words: width as u32,
            piles: 0,
            tall: 0,
            kept: 0,
            tally: 0,
            fuel: 1,
            depth: 2,
            fault: 3,
            log_used: 4,
            moves_used: 5,
            moves_count: 6,
            doubt: 7,
            game: 8,
            start: 8,
            before: 8,
            scratch: 10,
            path: 1400,
            text: 10,
            log: 1410,
            moves: 1430,
            memory: 1500,
        },
        cells: cells(width),
        functions: Vec::new(),
        sets: (0..3).map(|i| random_set(width, 77 + i)).collect(),
        tables: vec![
            (0..cells(width)).map(|c| (c as u64 * 3 + 1) % 50).collect(),
            vec![9, 8, 7],
            keys_of_low_piles(cells(width)),
        ],
        rows: vec![
            (0..5).map(|i| random_set(width, 99 + i)).collect(),
            (0..SMALL).map(|i| small_set(width, i)).collect(),
        ],
        shifts,
        neighbours,
        pieces: PIECES.to_vec(),
        piece_bits: 4,
        low_piles: Some(LowPiles {
            table: TableId(2),
            below: LOW,
        }),
        ..Kernel::default()
    }
}

/// What the codes of pieces mean.
const PIECES: [u16; 16] = [
    5, 42, 79, 116, 153, 190, 227, 264, 301, 338, 375, 412, 449, 486, 523, 560,
];

/// Piles below this are low.
const LOW: u64 = 32;

/// The hashes of low piles of each cell.
fn keys_of_low_piles(cells: usize) -> Vec<u64> {
    let of = |cell: usize, pile| pile_key(&PIECES, 4, cell as u64, pile).expect("all are pieces");
    let all = (0..cells).flat_map(|cell| (0..LOW).map(move |pile| of(cell, pile)));
    all.collect()
}

/// Words that look random and are always the same.
fn random(seed: u64) -> u64 {
    crate::engine::hash::mix(seed)
}

fn random_set(width: usize, seed: u64) -> Cells {
    let thin = seed % 3;
    (0..cells(width))
        .filter(|&c| {
            let word = random(seed << 12 | c as u64);
            word.is_multiple_of(2 + thin)
        })
        .map(|c| Cell(c as u16))
        .collect()
}

/// How many small sets there are.
const SMALL: usize = 27;

/// A set of up to eight cells in any words.
fn small_set(width: usize, number: usize) -> Cells {
    let cell = |i| random((number * 9 + i) as u64) as usize % cells(width);
    (0..number % 9).map(|i| Cell(cell(i) as u16)).collect()
}

fn place(base: u32) -> Place {
    Place { base, index: None }
}

/// A function of so many words and sets.
fn function(params: Vec<Value>, words: u32, sets: u32, body: Body) -> Function {
    Function {
        name: "tried".to_owned(),
        params,
        words,
        sets,
        body,
    }
}

fn executor(kernel: Kernel) -> Native {
    let options = Options::suited(&kernel, true);
    Native::new(Arc::new(kernel), options, None).unwrap()
}

/// Runs the first of some functions and gives back its result and the memory, which are the same however code is made.
fn run(width: usize, functions: Vec<Function>, begin: impl Fn(&mut [u64])) -> (u64, Vec<u64>) {
    let mut kernel = empty(width);
    kernel.functions = functions;
    let mut frame = Frame::new(&kernel);
    frame.mem[1] = 1000;
    frame.past.extend([(5, 6), (5, 7), (8, 7)]);
    begin(&mut frame.mem);
    let kernel = Arc::new(kernel);
    let careful = Options::suited(&kernel, true);
    let results = [(false, false), (true, false), (true, true)].map(|(one_pass, soon)| {
        let options = Options {
            one_pass,
            soon,
            improved: !one_pass && careful.improved,
            ..careful
        };
        let native = Native::new(Arc::clone(&kernel), options, None).unwrap();
        let mut frame = frame.clone();
        let result = native.call(FuncId(0), &mut frame);
        (result, frame.mem)
    });
    let [first, others @ ..] = results;
    for other in others {
        assert_eq!(first, other);
    }
    first
}

fn one(body: Body) -> Vec<Function> {
    vec![function(Vec::new(), 30, 30, body)]
}

/// Stores a word behind the others.
fn store(at: u32, word: u32) -> Stmt {
    Stmt::Store(place(OUT + at), W(word))
}
