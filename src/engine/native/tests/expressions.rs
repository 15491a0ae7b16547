//! Every expression, over words and sets that look random.

use crate::board::{Cell, Cells};
use crate::engine::hash::{mix, piece_key};
use crate::engine::native::tests::{
    FREE, OUT, RowsId, ShiftId, TableId, W, WIDTHS, cells, empty, one, place, random, random_set,
    run,
};
use crate::program::kernel::{Bin, Place, S, Set, SetId, Stmt, Word};

fn bin(bin: Bin, a: u64, b: u64) -> u64 {
    let (x, y) = (a.cast_signed(), b.cast_signed());
    let signed = match bin {
        Bin::Add => x.wrapping_add(y),
        Bin::Sub => x.wrapping_sub(y),
        Bin::Mul => x.wrapping_mul(y),
        Bin::And => x & y,
        Bin::Or => x | y,
        Bin::Xor => x ^ y,
        Bin::Shl => return a << (b % 64),
        Bin::Shr => return a >> (b % 64),
        Bin::Equal => i64::from(x == y),
        Bin::Differ => i64::from(x != y),
        Bin::Less => i64::from(x < y),
        Bin::AtMost => i64::from(x <= y),
        Bin::SumWithin => x.saturating_add(y),
        Bin::DifferenceWithin => x.saturating_sub(y),
        Bin::ProductWithin => x.saturating_mul(y),
        Bin::Quotient => x.checked_div(y).unwrap_or(0),
        Bin::Remainder => x.checked_rem_euclid(y).unwrap_or(0),
        Bin::Smaller => x.min(y),
        Bin::Larger => x.max(y),
        Bin::High => return ((u128::from(a) * u128::from(b)) >> 64) as u64,
    };
    signed.cast_unsigned()
}

/// All; the first two want a distance.
pub(super) const BINS: [Bin; 20] = [
    Bin::Shl,
    Bin::Shr,
    Bin::Add,
    Bin::Sub,
    Bin::Mul,
    Bin::And,
    Bin::Or,
    Bin::Xor,
    Bin::Equal,
    Bin::Differ,
    Bin::Less,
    Bin::AtMost,
    Bin::SumWithin,
    Bin::DifferenceWithin,
    Bin::ProductWithin,
    Bin::Quotient,
    Bin::Remainder,
    Bin::Smaller,
    Bin::Larger,
    Bin::High,
];

#[test]
fn arithmetic() {
    let edges = [
        0,
        1,
        2,
        7,
        u64::MAX,
        u64::MAX - 4,
        1 << 63,
        (1 << 63) - 1,
        63,
        1 << 40,
    ];
    // Once with words from memory, once with words that are fixed.
    for fixed in [false, true] {
        for &x in &edges {
            for y in edges.into_iter().chain([random(x), random(x) >> 33]) {
                let mut body = vec![
                    Stmt::Let(W(0), Word::Load(place(FREE))),
                    Stmt::Let(W(1), Word::Load(place(FREE + 1))),
                    Stmt::Let(W(2), Word::Const(y % 64)),
                ];
                if fixed {
                    body[1] = Stmt::Let(W(1), Word::Const(y));
                }
                for (i, kind) in BINS.into_iter().enumerate() {
                    let second = if matches!(kind, Bin::Shl | Bin::Shr) {
                        2
                    } else {
                        1
                    };
                    body.push(Stmt::Let(W(3), Word::Bin(kind, W(0), W(second))));
                    body.push(Stmt::Store(place(OUT + i as u32), W(3)));
                }
                let (_, mem) = run(1, one(body), |mem| {
                    mem[FREE as usize] = x;
                    mem[FREE as usize + 1] = y;
                });
                for (i, kind) in BINS.into_iter().enumerate() {
                    let told = mem[OUT as usize + i];
                    assert_eq!(told, bin(kind, x, y), "{kind:?} of {x} and {y}");
                }
            }
        }
    }
}

#[test]
fn words_of_words() {
    for x in [0, 1, 5, 6, 7, 8, u64::MAX, 1 << 50] {
        let words = [
            (Word::Copy(W(0)), x),
            (Word::Const(x ^ 3), x ^ 3),
            (Word::Select(W(0), W(1), W(2)), if x == 0 { 2 } else { 1 }),
            (Word::Leading(W(0)), u64::from(x.leading_zeros())),
            (Word::Mix(W(0)), mix(x)),
            (
                Word::Repeated(W(0)),
                if x == 5 { 2 } else { u64::from(x == 8) },
            ),
            (Word::Seen(W(0)), u64::from(x == 6 || x == 7)),
            (Word::Table(TableId(1), W(2)), 7),
            (Word::Byte(TableId(1), W(2)), 0),
            (
                Word::Load(Place {
                    base: FREE - 4,
                    index: Some((W(2), 2)),
                }),
                x,
            ),
            (
                Word::Load(Place {
                    base: FREE - 6,
                    index: Some((W(2), 3)),
                }),
                x,
            ),
            (
                Word::PileKey(W(2), W(3)),
                piece_key(2, 0, 5 + 37 * 3) ^ piece_key(2, 1, 5) ^ piece_key(2, 2, 5 + 37 * 11),
            ),
            (Word::PileKey(W(2), W(1)), 0),
            (Word::PileKey(W(2), W(5)), piece_key(2, 0, 5 + 37 * 9)),
            (
                Word::PileKey(W(2), W(6)),
                piece_key(2, 0, 5) ^ piece_key(2, 1, 5),
            ),
        ];
        let mut body = vec![
            Stmt::Let(W(0), Word::Load(place(FREE))),
            Stmt::Let(W(1), Word::Const(1)),
            Stmt::Let(W(2), Word::Const(2)),
            Stmt::Let(W(3), Word::Const(3 | 11 << 8 | 1 << 12)),
            Stmt::Let(W(5), Word::Const(9 | 1 << 4)),
            Stmt::Let(W(6), Word::Const(1 << 8)),
        ];
        for (i, (word, _)) in words.iter().enumerate() {
            body.push(Stmt::Let(W(4), word.clone()));
            body.push(Stmt::Store(place(OUT + i as u32), W(4)));
        }
        let (_, mem) = run(1, one(body), |mem| mem[FREE as usize] = x);
        for (i, (word, value)) in words.iter().enumerate() {
            assert_eq!(mem[OUT as usize + i], *value, "{word:?} with {x}");
        }
    }
}

/// Sets `a` and `b` from memory, the cell `w0` in `a` and another, `w1`.
pub(super) fn given(width: usize) -> Vec<Stmt> {
    let at = |i: u32| place(FREE + i * width as u32);
    vec![
        Stmt::LetSet(S(0), Set::Load(at(0))),
        Stmt::LetSet(S(1), Set::Load(at(1))),
        Stmt::Let(W(0), Word::Load(at(2))),
        Stmt::Let(W(1), Word::Load(at(3))),
        Stmt::Let(W(2), Word::Const(3)),
    ]
}

pub(super) fn inputs(width: usize, seed: u64) -> (Cells, Cells, u64, u64) {
    let a = match seed {
        0 => Cells::single(Cell(0)),
        1 => Cells::single(Cell(cells(width) as u16 - 1)),
        2 => Cells::range(cells(width)),
        3 => random_set(width, 5) | random_set(width, 6) | random_set(width, 7),
        _ => random_set(width, seed),
    };
    let mut b = random_set(width, seed * 31);
    if seed % 4 == 1 {
        b = a;
    } else if seed % 4 == 2 {
        b |= a;
    }
    let member = a.iter().nth(seed as usize * 7 % a.len()).unwrap();
    let other = (seed * 13 + 1) % cells(width) as u64;
    (a, b, u64::from(member.0), other)
}

pub(super) fn begin(width: usize, seed: u64) -> impl Fn(&mut [u64]) {
    let (a, b, member, other) = inputs(width, seed);
    move |mem: &mut [u64]| {
        let at = |i: usize| FREE as usize + i * width;
        mem[at(0)..at(1)].copy_from_slice(&a.words()[..width]);
        mem[at(1)..at(2)].copy_from_slice(&b.words()[..width]);
        mem[at(2)] = member;
        mem[at(3)] = other;
    }
}

#[test]
fn words_of_sets() {
    for width in WIDTHS {
        for seed in 0..9 {
            let (a, b, _, other) = inputs(width, seed);
            let words = [
                (Word::Count(S(0)), a.len() as u64),
                (Word::First(S(0)), u64::from(a.first().unwrap().0)),
                (Word::Last(S(0)), u64::from(a.last().unwrap().0)),
                (Word::Some(S(0)), 1),
                (Word::Some(S(2)), 0),
                (Word::Has(S(0), W(0)), 1),
                (
                    Word::Has(S(0), W(1)),
                    u64::from(a.contains(Cell(other as u16))),
                ),
                (Word::Within(S(0), S(1)), u64::from(a.is_subset(b))),
                (Word::Meet(S(0), S(1)), u64::from(a.intersects(b))),
                (Word::Same(S(0), S(1)), u64::from(a == b)),
                (Word::Same(S(0), S(0)), 1),
            ];
            let mut body = given(width);
            body.push(Stmt::LetSet(S(2), Set::Without(S(0), S(0))));
            for (i, (word, _)) in words.iter().enumerate() {
                body.push(Stmt::Let(W(3), word.clone()));
                body.push(Stmt::Store(place(OUT + i as u32), W(3)));
            }
            let (_, mem) = run(width, one(body), begin(width, seed));
            for (i, (word, value)) in words.iter().enumerate() {
                assert_eq!(
                    mem[OUT as usize + i],
                    *value,
                    "{word:?}, {width} words, {seed}"
                );
            }
        }
    }
}

pub(super) fn flooded(neighbours: &[Cells], all: Cells, cell: u64) -> Cells {
    let mut reached = Cells::single(Cell(cell as u16)) & all;
    loop {
        let next = reached
            .iter()
            .fold(reached, |sum, c| sum | neighbours[c.index()])
            & all;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

#[test]
fn sets_of_sets() {
    for width in WIDTHS {
        let kernel = empty(width);
        for seed in 0..9 {
            let (a, b, member, other) = inputs(width, seed);
            let cell = |c: u64| Cells::single(Cell(c as u16));
            let mut sets = vec![
                (Set::Const(SetId(1)), kernel.sets[1]),
                (Set::Copy(S(0)), a),
                (Set::Load(place(FREE + width as u32)), b),
                (
                    Set::Load(Place {
                        base: FREE - 3,
                        index: Some((W(2), 1)),
                    }),
                    a,
                ),
                (Set::And(S(0), S(1)), a & b),
                (Set::Or(S(0), S(1)), a | b),
                (Set::Without(S(0), S(1)), a.without(b)),
                (Set::Xor(S(0), S(1)), (a | b).without(a & b)),
                (Set::Single(W(0)), cell(member)),
                (Set::With(S(0), W(1)), a | cell(other)),
                (Set::Less(S(0), W(0)), a.without(cell(member))),
                (Set::Less(S(1), W(1)), b.without(cell(other))),
                (Set::Row(RowsId(0), W(2)), kernel.rows[0][3]),
                (
                    Set::Around(S(0)),
                    a.iter()
                        .fold(Cells::EMPTY, |sum, c| sum | kernel.neighbours[c.index()]),
                ),
                (
                    Set::Part(S(0), W(0)),
                    flooded(&kernel.neighbours, a, member),
                ),
                (Set::Part(S(0), W(1)), flooded(&kernel.neighbours, a, other)),
                (
                    Set::Part(S(1), W(0)),
                    flooded(&kernel.neighbours, b, member),
                ),
                (
                    Set::Mapped(S(0), TableId(0)),
                    a.iter()
                        .map(|c| Cell(kernel.tables[0][c.index()] as u16))
                        .collect(),
                ),
                (Set::Select(W(2), S(0), S(1)), a),
                (Set::Select(W(4), S(0), S(1)), b),
            ];
            for (i, shift) in kernel.shifts.iter().enumerate() {
                let moved = (a.iter())
                    .map(|c| shift.steps[c.index()])
                    .filter(|&to| to != u16::MAX)
                    .map(Cell)
                    .collect();
                sets.push((Set::Shift(S(0), ShiftId(i as u32)), moved));
            }
            let mut body = given(width);
            body.push(Stmt::Let(W(4), Word::Const(0)));
            for (i, (set, _)) in sets.iter().enumerate() {
                let to = place(OUT + (i * width) as u32);
                body.push(Stmt::LetSet(S(2), set.clone()));
                body.push(Stmt::StoreSet(to, S(2)));
            }
            // Into a set that it is made from.
            let itself = place(OUT + (sets.len() * width) as u32);
            body.push(Stmt::LetSet(S(0), Set::Shift(S(0), ShiftId(3))));
            body.push(Stmt::LetSet(S(0), Set::With(S(0), W(1))));
            body.push(Stmt::LetSet(S(0), Set::Around(S(0))));
            body.push(Stmt::StoreSet(itself, S(0)));
            let (_, mem) = run(width, one(body), begin(width, seed));
            let out = |i: usize| {
                let at = OUT as usize + i * width;
                Cells::from_words(&mem[at..at + width])
            };
            for (i, (set, value)) in sets.iter().enumerate() {
                assert_eq!(out(i), *value, "{set:?}, {width} words, {seed}");
            }
            let shifted: Cells = (a.iter())
                .map(|c| kernel.shifts[3].steps[c.index()])
                .filter(|&to| to != u16::MAX)
                .map(Cell)
                .collect();
            let last = (shifted | cell(other))
                .iter()
                .fold(Cells::EMPTY, |sum, c| sum | kernel.neighbours[c.index()]);
            assert_eq!(out(sets.len()), last, "{width} words, {seed}");
        }
    }
}

#[test]
fn what_is_noted_is_in_the_past() {
    let body = vec![
        Stmt::Let(W(0), Word::Const(5)),
        Stmt::Note(W(0), W(0)),
        Stmt::Let(W(1), Word::Repeated(W(0))),
        Stmt::Store(place(OUT), W(1)),
    ];
    let (_, mem) = run(1, one(body), |_| {});
    assert_eq!(mem[OUT as usize], 3);
}

#[test]
fn each_cell_is_found_by_how_many_are_below() {
    for width in WIDTHS {
        let sets = empty(width).sets;
        for (id, set) in sets.iter().enumerate() {
            let many = set.len();
            let mut body = vec![Stmt::LetSet(S(0), Set::Const(SetId(id as u32)))];
            for n in 0..many {
                body.push(Stmt::Let(W(0), Word::Const(n as u64)));
                body.push(Stmt::Let(W(1), Word::Nth(S(0), W(0))));
                body.push(Stmt::Let(W(2), Word::Has(S(0), W(1))));
                // A sum that tells orders apart.
                body.push(Stmt::Let(W(4), Word::Mix(W(3))));
                body.push(Stmt::Let(W(3), Word::Bin(Bin::Add, W(4), W(1))));
                body.push(Stmt::Let(W(3), Word::Bin(Bin::Add, W(3), W(2))));
            }
            body.push(Stmt::Return(W(3)));
            let sum = (set.iter()).fold(0_u64, |sum, cell| {
                mix(sum).wrapping_add(u64::from(cell.0)).wrapping_add(1)
            });
            assert_eq!(run(width, one(body), |_| ()).0, sum, "set {id} at {width}");
        }
    }
}
