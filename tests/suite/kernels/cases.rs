//! Kernels made by hand: every expression and every statement, at several widths, with what must come out.

use crate::kernels::agree;
use crate::kernels::draw::{bare, grid, shift};
use crate::kernels::walk::mix;
use gambol::board::{Cell, Cells};
use gambol::engine::executor::Frame;
use gambol::program::kernel::{
    Bin, Body, Fault, FuncId, Function, Kernel, Label, MAX_DEPTH, Place, RowsId, S, Set, SetId,
    ShiftId, Stmt, TableId, Value, W, Word,
};

const WIDTHS: &[u32] = &[1, 2, 3, 4, 5, 7, 9, 11, 13, 20];

/// Boards of eight columns and as many cells as there are bits; the rows of a set stand in words alone.
fn kernel(width: u32) -> Kernel {
    let cells = width as usize * 64;
    let mut kernel = bare(cells, width, 8, 40);
    for (dx, dy) in [(1, 0), (-1, -1)] {
        kernel.shifts.push(shift(grid(cells, 8, dx, dy)));
    }
    // Two words and some bits further, one word back, and what leaves the board lost.
    kernel.shifts.push(shift(grid(cells, 8, 0, 17)));
    kernel.shifts.push(shift(grid(cells, 8, 0, -8)));
    // Each cell its own distance: only cell by cell.
    kernel.shifts.push(shift((0..cells as u16).rev().collect()));
    kernel.shifts.push(shift(grid(cells, 8, 0, -17)));
    for c in 0..cells {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let to = grid(cells, 8, dx, dy)[c];
            if to != u16::MAX {
                kernel.neighbours[c].insert(Cell(to));
            }
        }
    }
    kernel.tables = vec![(0..cells as u64).rev().collect(), vec![7, 0, u64::MAX]];
    kernel.rows = vec![(0..cells).map(|c| of(&[c, 0])).collect()];
    let over = of(&[60, 196 % cells]);
    kernel.sets = vec![of(&first(cells)), of(&[2, cells - 1]), of(&[]), over];
    kernel
}

fn of(cells: &[usize]) -> Cells {
    cells.iter().map(|c| Cell(*c as u16)).collect()
}

/// The cells of the first fixed set.
fn first(cells: usize) -> [usize; 4] {
    [1, 2, 9, cells - 1]
}

/// Where the cells of the fourth fixed set come to, cells of the board and others.
fn over_by(cells: usize, by: isize) -> [usize; 2] {
    [60, 196 % cells].map(|c| c.wrapping_add_signed(by))
}

fn function(params: Vec<Value>, body: Body) -> Function {
    Function {
        name: "made".into(),
        params,
        words: 8,
        sets: 8,
        body,
    }
}

const fn at(base: u32) -> Place {
    Place { base, index: None }
}

const fn word(w: u32, n: u64) -> Stmt {
    Stmt::Let(W(w), Word::Const(n))
}

const fn set(s: u32, id: u32) -> Stmt {
    Stmt::LetSet(S(s), Set::Const(SetId(id)))
}

/// What functions come to: the first one's result, the memory, after calling it once.
fn run(
    mut kernel: Kernel,
    functions: Vec<Function>,
    ready: impl Fn(&mut Frame),
) -> (u64, Vec<u64>) {
    kernel.functions = functions;
    let mut frame = Frame::new(&kernel);
    frame.past = [(5, 6), (5, 7), (6, 5)].into_iter().collect();
    frame.mem[kernel.room.fuel as usize] = 1000;
    ready(&mut frame);
    agree(kernel, &frame, &[FuncId(0)]).unwrap().remove(0)
}

fn one(kernel: Kernel, body: Body) -> (u64, Vec<u64>) {
    run(kernel, vec![function(vec![], body)], |_| {})
}

/// The fixed sets in the sets of their numbers, and some words.
fn start(words: &[u64]) -> Body {
    let words = (0..).zip(words).map(|(w, n)| word(w, *n));
    (0..4).map(|s| set(s, s)).chain(words).collect()
}

fn value_of(width: u32, words: &[u64], value: Word) -> u64 {
    let mut body = start(words);
    body.push(Stmt::Let(W(7), value));
    body.push(Stmt::Return(W(7)));
    one(kernel(width), body).0
}

fn set_of(width: u32, words: &[u64], value: Set) -> Vec<usize> {
    let mut body = start(words);
    body.push(Stmt::LetSet(S(7), value));
    body.push(Stmt::StoreSet(at(0), S(7)));
    let mem = one(kernel(width), body).1;
    (0..width as usize * 64)
        .filter(|c| mem[c / 64] >> (c % 64) & 1 != 0)
        .collect()
}

#[test]
fn every_operation_of_two_words() {
    let (min, max, minus) = (1 << 63, i64::MAX as u64, u64::MAX);
    for (bin, a, b, result) in [
        (Bin::Add, max, 1, min),
        (Bin::Sub, 3, 5, minus - 1),
        (Bin::Mul, min, 2, 0),
        (Bin::And, 12, 10, 8),
        (Bin::Or, 12, 10, 14),
        (Bin::Xor, 12, 10, 6),
        (Bin::Shl, 3, 63, min),
        (Bin::Shr, min, 63, 1),
        (Bin::Equal, 7, 7, 1),
        (Bin::Equal, 7, 8, 0),
        (Bin::Differ, 7, 7, 0),
        (Bin::Differ, 7, 8, 1),
        (Bin::Less, minus, 0, 1),
        (Bin::Less, 0, 0, 0),
        (Bin::Less, 1, minus, 0),
        (Bin::AtMost, minus, 0, 1),
        (Bin::AtMost, 0, 0, 1),
        (Bin::AtMost, 1, minus, 0),
        (Bin::SumWithin, max, 1, max),
        (Bin::SumWithin, min, minus, min),
        (Bin::DifferenceWithin, min, 1, min),
        (Bin::DifferenceWithin, 1, 2, minus),
        (Bin::ProductWithin, max, max, max),
        (Bin::ProductWithin, max, min, min),
        (Bin::Quotient, minus - 6, 2, minus - 2),
        (Bin::Quotient, 7, 0, 0),
        (Bin::Quotient, min, minus, 0),
        (Bin::Remainder, minus - 6, 4, 1),
        (Bin::Remainder, 7, minus - 3, 3),
        (Bin::Remainder, 7, 0, 0),
        (Bin::Remainder, min, minus, 0),
        (Bin::Smaller, minus, 1, minus),
        (Bin::Larger, minus, 1, 1),
        (Bin::High, minus, minus, minus - 1),
    ] {
        let found = value_of(1, &[a, b], Word::Bin(bin, W(0), W(1)));
        assert_eq!(found, result, "{bin:?} {a} {b}");
        // Once more as what a jump asks for.
        let mut body = start(&[a, b]);
        body.push(Stmt::Let(W(2), Word::Bin(bin, W(0), W(1))));
        body.push(Stmt::If(W(2), vec![Stmt::Tally(W(0))], vec![]));
        let kernel = kernel(1);
        let tally = kernel.room.tally as usize;
        let yes = one(kernel, body).1[tally];
        assert_eq!(yes, if result == 0 { 0 } else { a }, "{bin:?} {a} {b}");
    }
}

#[test]
fn every_word() {
    let (a, b, none) = (S(0), S(1), S(2));
    for &width in WIDTHS {
        let last = u64::from(width) * 64 - 1;
        let pile = 0b1_010_001;
        let key = mix(9 << 40 ^ 1) ^ mix(9 << 40 ^ 1 << 16 ^ 2);
        for (words, value, result) in [
            (&[4][..], Word::Const(9), 9),
            (&[4], Word::Copy(W(0)), 4),
            (&[1, 5, 6], Word::Select(W(0), W(1), W(2)), 5),
            (&[0, 5, 6], Word::Select(W(0), W(1), W(2)), 6),
            (&[2], Word::Table(TableId(1), W(0)), u64::MAX),
            (&[23], Word::Byte(TableId(1), W(0)), 255),
            (&[0], Word::Byte(TableId(1), W(0)), 7),
            (&[1], Word::Byte(TableId(1), W(0)), 0),
            (&[1], Word::Table(TableId(0), W(0)), last - 1),
            (&[], Word::Count(a), 4),
            (&[], Word::Count(none), 0),
            (&[], Word::First(a), 1),
            (&[], Word::Last(a), last),
            (&[0], Word::Nth(a, W(0)), 1),
            (&[3], Word::Nth(a, W(0)), last),
            (&[], Word::Some(a), 1),
            (&[], Word::Some(none), 0),
            (&[last], Word::Has(a, W(0)), 1),
            (&[last - 1], Word::Has(a, W(0)), 0),
            (&[], Word::Within(b, a), 1),
            (&[], Word::Within(a, b), 0),
            (&[], Word::Within(none, b), 1),
            (&[], Word::Meet(a, b), 1),
            (&[], Word::Meet(a, none), 0),
            (&[], Word::Same(a, a), 1),
            (&[], Word::Same(a, b), 0),
            (&[0], Word::Leading(W(0)), 64),
            (&[5], Word::Leading(W(0)), 61),
            (&[0], Word::Mix(W(0)), 16_294_208_416_658_607_535),
            (&[9, 1], Word::PileKey(W(0), W(1)), 0),
            (&[9, pile], Word::PileKey(W(0), W(1)), key),
            (&[5], Word::Repeated(W(0)), 2),
            (&[7], Word::Repeated(W(0)), 0),
            (&[7], Word::Seen(W(0)), 1),
            (&[8], Word::Seen(W(0)), 0),
        ] {
            let found = value_of(width, words, value.clone());
            assert_eq!(found, result, "{value:?} of {words:?} at {width}");
        }
    }
}

#[test]
fn every_set() {
    let (a, b, none, over) = (S(0), S(1), S(2), S(3));
    for &width in WIDTHS {
        let cells = width as usize * 64;
        let last = cells - 1;
        let far = last as u64;
        let around = [0, 1, 2, 3, 8, 9, 10, 17, last - 8, last - 1];
        let turned: Vec<usize> = first(cells).iter().rev().map(|c| last - c).collect();
        let some = |all: &[usize]| {
            let mut all: Vec<usize> = all.iter().copied().filter(|c| *c < cells).collect();
            all.sort_unstable();
            all
        };
        for (words, value, result) in [
            (&[][..], Set::Const(SetId(0)), some(&first(cells))),
            (&[], Set::Copy(b), some(&[2, last])),
            (&[], Set::And(a, b), some(&[2, last])),
            (&[], Set::Or(b, none), some(&[2, last])),
            (&[], Set::Without(a, b), some(&[1, 9])),
            (&[], Set::Xor(a, b), some(&[1, 9])),
            (&[far], Set::Single(W(0)), some(&[last])),
            (&[far - 1], Set::With(b, W(0)), some(&[2, last - 1, last])),
            (&[far], Set::Less(b, W(0)), some(&[2])),
            (&[far], Set::Less(none, W(0)), vec![]),
            (&[far], Set::Row(RowsId(0), W(0)), some(&[0, last])),
            (&[], Set::Shift(a, ShiftId(0)), some(&[2, 3, 10])),
            (&[], Set::Shift(a, ShiftId(1)), some(&[0, last - 9])),
            (&[], Set::Shift(a, ShiftId(2)), some(&[137, 138, 145])),
            (
                &[],
                Set::Shift(b, ShiftId(3)),
                some(&[last.wrapping_sub(64)]),
            ),
            (&[], Set::Shift(a, ShiftId(4)), turned.clone()),
            // From the end of a word over the beginning of another, and back.
            (
                &[],
                Set::Shift(over, ShiftId(2)),
                some(&over_by(cells, 136)),
            ),
            (
                &[],
                Set::Shift(over, ShiftId(5)),
                some(&over_by(cells, -136)),
            ),
            (&[], Set::Mapped(a, TableId(0)), turned.clone()),
            (&[], Set::Around(a), some(&around)),
            (&[], Set::Around(none), vec![]),
            (&[9], Set::Part(a, W(0)), some(&[1, 2, 9])),
            (&[far], Set::Part(a, W(0)), some(&[last])),
            (&[3], Set::Part(a, W(0)), vec![]),
            (&[1], Set::Select(W(0), b, a), some(&[2, last])),
            (&[0], Set::Select(W(0), b, none), vec![]),
        ] {
            let found = set_of(width, words, value.clone());
            assert_eq!(found, result, "{value:?} of {words:?} at {width}");
        }
    }
}

#[test]
fn places_are_read_and_written() {
    let by = |base, n| Place {
        base,
        index: Some((W(0), n)),
    };
    for &width in WIDTHS {
        let mut body = start(&[2, 11]);
        body.extend([
            Stmt::Store(at(3), W(1)),
            Stmt::Store(by(3, 1), W(1)),
            Stmt::Store(by(3, 2), W(0)),
            Stmt::Let(W(2), Word::Load(at(3))),
            Stmt::Let(W(3), Word::Load(by(1, 1))),
            Stmt::Let(W(4), Word::Load(by(1, 3))),
            Stmt::StoreSet(by(40, width), S(0)),
            Stmt::LetSet(S(3), Set::Load(by(40, width))),
            Stmt::LetSet(S(4), Set::Load(at(40))),
            Stmt::StoreSet(at(40), S(3)),
            Stmt::Let(W(5), Word::Count(S(4))),
            Stmt::Store(at(20), W(2)),
            Stmt::Store(at(21), W(3)),
            Stmt::Store(at(22), W(4)),
            Stmt::Store(at(23), W(5)),
        ]);
        let mem = one(kernel(width), body).1;
        assert_eq!(mem[3..8], [11, 0, 11, 0, 2]);
        assert_eq!(mem[20..24], [11, 11, 2, 0]);
        let (words, room) = (width as usize, &mem[40..40 + 3 * width as usize]);
        assert_eq!(room[..words], room[2 * words..]);
        assert_eq!(room[0] & 0xffff, 0b10_0000_0110);
        assert!(width == 1 || room[words..2 * words].iter().all(|w| *w == 0));
    }
}

/// The numbers that a body stores one behind the other from 1 on, the counter at 0.
fn trace(kernel: Kernel, body: Body) -> Vec<u64> {
    let mem = one(kernel, body).1;
    mem[1..=mem[0] as usize].to_vec()
}

fn note(w: u32) -> Vec<Stmt> {
    let next = Place {
        base: 1,
        index: Some((W(6), 1)),
    };
    vec![
        Stmt::Let(W(6), Word::Load(at(0))),
        Stmt::Store(next, W(w)),
        word(5, 1),
        Stmt::Let(W(6), Word::Bin(Bin::Add, W(6), W(5))),
        Stmt::Store(at(0), W(6)),
    ]
}

#[test]
fn loops_go_through_what_was_there_at_the_beginning() {
    for &width in WIDTHS {
        let last = u64::from(width) * 64 - 1;
        let mut body = start(&[0, 3, 5, 1 << 63 | 6]);
        let mut inner = note(0);
        inner.push(Stmt::LetSet(S(0), Set::Copy(S(2))));
        body.push(Stmt::ForCells(W(0), S(0), inner));
        let mut inner = note(0);
        inner.push(Stmt::Let(W(3), Word::Copy(W(1))));
        body.push(Stmt::ForBits(W(0), W(3), inner));
        let mut inner = note(0);
        inner.push(Stmt::Let(W(2), Word::Copy(W(0))));
        inner.push(Stmt::Let(W(0), Word::Copy(W(1))));
        body.push(Stmt::ForNumbers(W(0), W(1), W(2), inner));
        body.push(Stmt::ForNumbers(W(0), W(2), W(1), note(0)));
        body.push(Stmt::ForCells(W(0), S(2), note(0)));
        let found = trace(kernel(width), body);
        let expected = [1, 2, 9, last, 1, 2, 63, 3, 4, 5];
        // Backwards there is nothing, but the second word was last given 5.
        assert_eq!(found, expected);
    }
}

#[test]
fn numbers_are_signed_and_end_at_the_highest() {
    let mut body = start(&[0, i64::MAX as u64 - 1, i64::MAX as u64, u64::MAX, 0]);
    body.push(Stmt::ForNumbers(W(0), W(1), W(2), note(0)));
    body.push(Stmt::ForNumbers(W(0), W(3), W(4), note(0)));
    let max = i64::MAX as u64;
    assert_eq!(trace(kernel(1), body), [max - 1, max, u64::MAX, 0]);
}

#[test]
fn blocks_are_left_from_within() {
    let (outer, inner) = (Label(0), Label(1));
    let mut body = start(&[0, 1, 3]);
    let mut round = vec![
        Stmt::Let(W(0), Word::Bin(Bin::Add, W(0), W(1))),
        Stmt::Let(W(3), Word::Bin(Bin::Equal, W(0), W(2))),
        Stmt::If(W(3), vec![Stmt::Leave(outer)], vec![]),
        Stmt::Block(
            inner,
            vec![
                Stmt::Let(W(4), Word::Bin(Bin::Equal, W(0), W(1))),
                Stmt::If(W(4), note(0), vec![Stmt::Leave(inner)]),
                Stmt::Let(W(7), Word::Const(77)),
                Stmt::Store(at(30), W(7)),
            ],
        ),
    ];
    round.extend(note(0));
    body.push(Stmt::Loop(outer, round));
    body.extend(note(2));
    assert_eq!(trace(kernel(1), body), [1, 1, 2, 3]);
}

#[test]
fn a_switch_takes_the_statements_of_that_number() {
    for (n, result) in [(0, 10), (1, 11), (2, 0), (3, 0), (u64::MAX, 0)] {
        let give = |n| vec![word(1, n), Stmt::Return(W(1))];
        let mut body = start(&[n]);
        body.push(Stmt::Switch(W(0), vec![give(10), give(11), vec![]]));
        assert_eq!(one(kernel(1), body).0, result);
    }
}

#[test]
fn the_log_takes_back() {
    let kernel = kernel(2);
    let room = kernel.room;
    let by = Place {
        base: 3,
        index: Some((W(1), 2)),
    };
    let mut body = start(&[5, 2, 9]);
    body.extend([
        Stmt::StoreLogged(at(3), W(0)),
        Stmt::StoreLogged(at(3), W(0)),
        Stmt::Mark(W(3)),
        Stmt::StoreLogged(by, W(2)),
        Stmt::StoreLogged(at(3), W(2)),
        Stmt::Mark(W(4)),
        Stmt::Store(at(20), W(3)),
        Stmt::Store(at(21), W(4)),
        Stmt::Let(W(5), Word::Load(at(7))),
        Stmt::Store(at(22), W(5)),
        Stmt::Undo(W(3)),
    ]);
    let (_, mem) = one(kernel, body);
    assert_eq!(mem[20..23], [2, 6, 9]);
    assert_eq!((mem[3], mem[7]), (5, 0));
    let log = room.log as usize;
    assert_eq!(mem[log..log + 6], [3, 0, 7, 0, 3, 5]);
    assert_eq!(mem[room.log_used as usize], 2);
}

#[test]
fn a_full_log_gives_up() {
    let mut kernel = kernel(1);
    let stores = |n| -> Body {
        let words =
            (0..n).flat_map(|i| [word(0, u64::from(i) + 1), Stmt::StoreLogged(at(i), W(0))]);
        words.collect()
    };
    let fault = kernel.room.fault as usize;
    assert_eq!(one(kernel.clone(), stores(4)).1[fault], 0);
    let (result, mem) = one(kernel.clone(), stores(5));
    assert_eq!((result, mem[fault]), (1, Fault::Room as u64));
    // The list of actions has no room either.
    kernel.room.memory = kernel.room.moves + 2;
    let leaf = vec![word(0, 1), Stmt::Leaf(W(0))];
    assert_eq!(one(kernel.clone(), leaf).1[fault], 0);
    let leaf = vec![word(0, 2), Stmt::Leaf(W(0))];
    let (result, mem) = one(kernel.clone(), leaf);
    assert_eq!((result, mem[fault]), (1, Fault::Room as u64));
    // Nor for one whose length is not known before.
    for (length, why) in [(1, 0), (2, Fault::Room as u64)] {
        let more = word(0, length);
        let leaf = vec![word(0, 0), more, Stmt::Leaf(W(0))];
        assert_eq!(one(kernel.clone(), leaf).1[fault], why);
    }
}

#[test]
fn actions_are_taken_down() {
    for &width in WIDTHS {
        let kernel = kernel(width);
        let room = kernel.room;
        let mut body = start(&[2, 0, 41, 42]);
        body.extend([
            Stmt::Store(at(room.path), W(2)),
            Stmt::Store(at(room.path + 1), W(3)),
            Stmt::Leaf(W(0)),
            Stmt::Leaves(W(0), S(2), 0),
            Stmt::Leaf(W(1)),
            Stmt::Leaves(W(0), S(0), 5),
            Stmt::Tally(W(2)),
            Stmt::Tally(W(2)),
        ]);
        let (_, mem) = one(kernel, body);
        let words = width as usize;
        let moves = &mem[room.moves as usize..];
        assert_eq!(moves[..7], [2, 41, 42, 0, 2 | 6 << 32, 41, 42]);
        assert_eq!(moves[7] & 0xffff, 0b10_0000_0110);
        assert_eq!(moves[6 + words] >> 63, 1);
        assert_eq!(mem[room.moves_used as usize], 7 + u64::from(width));
        assert_eq!(mem[room.moves_count as usize], 6);
        assert_eq!(mem[room.tally as usize], 82);
    }
}

#[test]
fn calls_hand_over_words_and_sets() {
    for &width in WIDTHS {
        let (n, s) = (Value::Word(W(1)), Value::Set(S(0)));
        // A set and two words into places of other numbers; the function calls itself until the count is 0.
        let called = function(
            vec![Value::Set(S(3)), Value::Word(W(2)), Value::Word(W(0))],
            vec![
                word(5, 1),
                Stmt::If(W(2), vec![], vec![Stmt::Return(W(0))]),
                Stmt::Let(W(3), Word::Count(S(3))),
                Stmt::Let(W(0), Word::Bin(Bin::Add, W(0), W(3))),
                Stmt::Let(W(2), Word::Bin(Bin::Sub, W(2), W(5))),
                Stmt::Call(
                    FuncId(1),
                    vec![Value::Set(S(3)), Value::Word(W(2)), Value::Word(W(0))],
                    Some(W(4)),
                ),
                Stmt::Let(W(4), Word::Bin(Bin::Add, W(4), W(2))),
                Stmt::Return(W(4)),
            ],
        );
        let mut body = start(&[100, 3]);
        body.push(Stmt::Call(
            FuncId(1),
            vec![s, n, Value::Word(W(0))],
            Some(W(2)),
        ));
        body.push(Stmt::Call(FuncId(2), vec![], None));
        body.push(Stmt::Return(W(2)));
        let nothing = function(vec![], vec![]);
        let kernel = kernel(width);
        let room = kernel.room;
        let (result, mem) = run(
            kernel,
            vec![function(vec![], body), called, nothing],
            |_| {},
        );
        assert_eq!(result, 100 + 3 * 4 + 2 + 1);
        assert_eq!(mem[room.fuel as usize], 1000 - 5);
        assert_eq!(mem[room.depth as usize], 0);
    }
}

#[test]
fn too_many_calls_give_up() {
    let functions = || {
        let call = |f| Stmt::Call(FuncId(f), vec![], Some(W(0)));
        // Those that may call themselves are counted while they are open.
        let itself = |f| Stmt::If(W(2), vec![call(f)], vec![]);
        let leave = [word(1, 5), Stmt::Store(at(0), W(1)), Stmt::Return(W(1))];
        let mut outer = vec![call(1)];
        outer.extend(leave);
        let first = vec![word(2, 0), itself(1), call(2), word(1, 3)];
        let second = vec![word(2, 0), itself(2), word(1, 4)];
        let ends = |mut body: Body| {
            body.push(Stmt::Return(W(1)));
            body
        };
        vec![
            function(vec![], outer),
            function(vec![], ends(first)),
            function(vec![], ends(second)),
        ]
    };
    let room = kernel(1).room;
    for (fuel, depth, gives_up) in [
        (2, 0, false),
        (1, 0, true),
        (0, 0, true),
        (9, MAX_DEPTH - 2, false),
        (9, MAX_DEPTH - 1, true),
        (9, MAX_DEPTH, true),
    ] {
        let (result, mem) = run(kernel(1), functions(), |frame| {
            frame.mem[room.fuel as usize] = fuel;
            frame.mem[room.depth as usize] = depth;
        });
        let fault = if gives_up { Fault::Calls as u64 } else { 0 };
        assert_eq!(mem[room.fault as usize], fault, "{fuel} {depth}");
        assert_eq!(result, if gives_up { 1 } else { 5 });
        assert_eq!(mem[0], if gives_up { 0 } else { 5 });
    }
}

#[test]
fn a_fault_ends_all_that_is_open() {
    for fault in [Fault::Calls, Fault::Pile, Fault::NoTurn, Fault::Room] {
        let mut body = start(&[5]);
        body.push(Stmt::Call(FuncId(1), vec![], None));
        body.push(Stmt::Return(W(0)));
        let kernel = kernel(1);
        let place = kernel.room.fault as usize;
        let gives_up = function(vec![], vec![Stmt::Fault(fault)]);
        let (result, mem) = run(kernel, vec![function(vec![], body), gives_up], |_| {});
        assert_eq!((result, mem[place]), (1, fault as u64));
    }
}
