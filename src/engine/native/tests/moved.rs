//! What is done with sets in several ways: neighbours at many distances, shifts of a small board, cells by their number.

use crate::board::{Cell, Cells};
use crate::engine::executor::{Executor, Frame};
use crate::engine::native::tests::expressions::{begin, flooded, given, inputs};
use crate::engine::native::tests::{
    FREE, FuncId, OUT, ShiftId, W, WIDTHS, cells, empty, executor, one, place, random, random_set,
    run,
};
use crate::program::kernel::{S, Set, Stmt, Word};

#[test]
fn neighbours_at_many_distances() {
    for width in WIDTHS {
        let mut kernel = empty(width);
        let count = cells(width);
        kernel.neighbours = (0..count)
            .map(|c| {
                let near = [(c * c + 1) % count, (c * 7) % count];
                near.into_iter().map(|n| Cell(n as u16)).collect()
            })
            .collect();
        let neighbours = kernel.neighbours.clone();
        let at = |i: usize| place(OUT + (i * width) as u32);
        let mut body = given(width);
        body.extend([
            Stmt::LetSet(S(2), Set::Around(S(1))),
            Stmt::StoreSet(at(0), S(2)),
            Stmt::LetSet(S(2), Set::Part(S(0), W(0))),
            Stmt::StoreSet(at(1), S(2)),
        ]);
        kernel.functions = one(body);
        let executor = executor(kernel.clone());
        for seed in 2..9 {
            let (a, b, member, _) = inputs(width, seed);
            let mut frame = Frame::new(&kernel);
            begin(width, seed)(&mut frame.mem);
            executor.call(FuncId(0), &mut frame);
            let out = |i: usize| {
                let at = OUT as usize + i * width;
                Cells::from_words(&frame.mem[at..at + width])
            };
            let around = b
                .iter()
                .fold(Cells::EMPTY, |sum, c| sum | neighbours[c.index()]);
            assert_eq!(out(0), around, "{width} words, {seed}");
            let part = flooded(&neighbours, a, member);
            assert_eq!(out(1), part, "{width} words, {seed}");
        }
    }
}

/// Sets that differ little, one after the other in the same memory: a part that was found before may still be one, or have grown,
/// or have lost cells.
#[test]
fn parts_are_found_anew_where_sets_have_changed() {
    for width in WIDTHS {
        let (regular, mut ragged) = (empty(width), empty(width));
        for c in (3..cells(width)).step_by(5) {
            ragged.neighbours[c].insert(Cell((c * 11 % cells(width)) as u16));
        }
        for mut kernel in [regular, ragged] {
            let neighbours = kernel.neighbours.clone();
            let mut body = given(width);
            body.push(Stmt::LetSet(S(2), Set::Part(S(0), W(0))));
            body.push(Stmt::StoreSet(place(OUT), S(2)));
            kernel.functions = one(body);
            let executor = executor(kernel.clone());
            let mut frame = Frame::new(&kernel);
            let mut set = random_set(width, 1) | random_set(width, 4);
            for step in 0..300u64 {
                let cell = |n: u64| Cell((random(n) % cells(width) as u64) as u16);
                for changed in 0..step % 3 {
                    let changed = cell(step << 8 | changed);
                    if set.contains(changed) {
                        set.remove(changed);
                    } else {
                        set.insert(changed);
                    }
                }
                // Few cells to begin at, so that each comes again.
                let begin = cell(1_000_000 + step % 7);
                let at = |i: usize| FREE as usize + i * width;
                frame.mem[at(0)..at(1)].copy_from_slice(&set.words()[..width]);
                frame.mem[at(2)] = u64::from(begin.0);
                executor.call(FuncId(0), &mut frame);
                let found = Cells::from_words(&frame.mem[OUT as usize..OUT as usize + width]);
                let part = flooded(&neighbours, set, u64::from(begin.0));
                assert_eq!(found, part, "{width} words, step {step}");
            }
        }
    }
}

#[test]
fn a_scattered_shift_of_a_small_board() {
    let mut kernel = empty(1);
    let small: Cells = (0..24).map(Cell).collect();
    for shift in &mut kernel.shifts {
        shift.steps.truncate(24);
        for (cells, _) in &mut shift.parts {
            *cells &= small;
        }
        shift.parts.retain(|(cells, _)| !cells.is_empty());
    }
    let shifts = kernel.shifts.clone();
    assert!(
        shifts.iter().any(|s| s.parts.len() > 8),
        "some are scattered"
    );
    let mut body = given(1);
    for at in 0..shifts.len() as u32 {
        body.push(Stmt::LetSet(S(2), Set::Shift(S(0), ShiftId(at))));
        body.push(Stmt::StoreSet(place(OUT + at), S(2)));
    }
    kernel.functions = one(body);
    let executor = executor(kernel.clone());
    for seed in 0..9 {
        let (a, ..) = inputs(1, seed);
        let mut frame = Frame::new(&kernel);
        begin(1, seed)(&mut frame.mem);
        executor.call(FuncId(0), &mut frame);
        for (at, shift) in shifts.iter().enumerate() {
            let moved: Cells = ((a & small).iter())
                .map(|c| shift.steps[c.index()])
                .filter(|&to| to != u16::MAX)
                .map(Cell)
                .collect();
            let out = Cells::from_words(&frame.mem[OUT as usize + at..][..1]);
            assert_eq!(out, moved, "shift {at}, {seed}");
        }
    }
}

#[test]
fn cells_by_their_number() {
    for width in WIDTHS {
        for seed in 0..9 {
            let set = random_set(width, seed);
            let cells: Vec<Cell> = set.iter().collect();
            for n in [0, cells.len() / 2, cells.len() - 1] {
                let body = vec![
                    Stmt::LetSet(S(0), Set::Load(place(FREE))),
                    Stmt::Let(W(0), Word::Const(n as u64)),
                    Stmt::Let(W(1), Word::Nth(S(0), W(0))),
                    Stmt::Store(place(OUT), W(1)),
                ];
                let (_, mem) = run(width, one(body), |mem| {
                    mem[FREE as usize..][..width].copy_from_slice(&set.words()[..width]);
                });
                assert_eq!(mem[OUT as usize], u64::from(cells[n].0), "{n} of {set:?}");
            }
        }
    }
}

#[test]
fn cells_up_to_and_down_to() {
    let cut = |all: Cells, stops: Cells, up: bool| -> Cells {
        let (first, last) = (stops.first(), stops.last());
        let near = |c: &Cell| match up {
            true => first.is_none_or(|stop| *c <= stop),
            false => last.is_none_or(|stop| *c >= stop),
        };
        all.iter().filter(near).collect()
    };
    for width in WIDTHS {
        for seed in 0..9 {
            let (a, b, member, other) = inputs(width, seed);
            let (few, none) = (Cells::single(Cell(member as u16)), Cells::EMPTY);
            let two = few | Cells::single(Cell(other as u16));
            let mut body = given(width);
            body.push(Stmt::LetSet(S(2), Set::Single(W(0))));
            body.push(Stmt::LetSet(S(3), Set::With(S(2), W(1))));
            body.push(Stmt::LetSet(S(4), Set::Xor(S(0), S(0))));
            let pairs = [
                (S(0), a, S(1), b),
                (S(1), b, S(0), a),
                (S(0), a, S(2), few),
                (S(1), b, S(3), two),
                (S(0), a, S(4), none),
            ];
            let mut wanted = Vec::new();
            for (from, cells, at, stops) in pairs {
                for (up, set) in [(true, Set::UpTo(from, at)), (false, Set::DownTo(from, at))] {
                    let to = place(OUT + (wanted.len() * width) as u32);
                    body.extend([Stmt::LetSet(S(5), set), Stmt::StoreSet(to, S(5))]);
                    wanted.push(cut(cells, stops, up));
                }
            }
            let (_, mem) = run(width, one(body), begin(width, seed));
            for (i, wanted) in wanted.iter().enumerate() {
                let out = &mem[OUT as usize + i * width..][..width];
                assert_eq!(
                    Cells::from_words(out),
                    *wanted,
                    "{i}, {width} words, {seed}"
                );
            }
        }
    }
}
