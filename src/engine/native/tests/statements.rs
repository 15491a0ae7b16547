//! Every statement: what branches, loops, calls and gives up.

use crate::board::Cells;
use crate::engine::executor::{Executor, Frame};
use crate::engine::native::tests::{
    FREE, OUT, SMALL, WIDTHS, empty, executor, function, one, place, random_set, run, small_set,
    store,
};
use crate::engine::native::{Native, Options};
use crate::program::kernel::{
    Bin, Body, Fault, FuncId, Label, MAX_DEPTH, Place, RowsId, S, Set, SetId, Stmt, TableId, Value,
    W, Word,
};
use std::sync::Arc;

fn let_const(word: u32, value: u64) -> Stmt {
    Stmt::Let(W(word), Word::Const(value))
}

fn add(to: u32, more: u32) -> Stmt {
    Stmt::Let(W(to), Word::Bin(Bin::Add, W(to), W(more)))
}

/// Writes a word at the end of a list that `w29` counts.
fn note(word: u32) -> [Stmt; 3] {
    let at = Place {
        base: OUT,
        index: Some((W(29), 1)),
    };
    [Stmt::Store(at, W(word)), let_const(28, 1), add(29, 28)]
}

fn noted(mem: &[u64], count: usize) -> &[u64] {
    &mem[OUT as usize..OUT as usize + count]
}

#[test]
fn branches() {
    for x in [0, 1, 2, 3, 4, u64::MAX, 1 << 32] {
        let body = vec![
            Stmt::Let(W(0), Word::Load(place(FREE))),
            let_const(1, 5),
            Stmt::If(W(0), vec![let_const(1, 6)], vec![]),
            store(0, 1),
            Stmt::If(W(0), vec![], vec![let_const(1, 7)]),
            store(1, 1),
            Stmt::If(W(0), vec![], vec![]),
            let_const(2, 50),
            Stmt::Switch(
                W(0),
                vec![
                    vec![let_const(2, 10)],
                    vec![let_const(2, 11), Stmt::Return(W(2))],
                    vec![],
                    vec![let_const(2, 13)],
                ],
            ),
            store(2, 2),
            Stmt::If(
                W(0),
                vec![let_const(3, 1), Stmt::Return(W(3))],
                vec![let_const(3, 2), Stmt::Return(W(3))],
            ),
            // Never reached.
            store(3, 3),
        ];
        let (result, mem) = run(1, one(body), |mem| mem[FREE as usize] = x);
        let first = if x == 0 { [5, 7] } else { [6, 6] };
        assert_eq!(noted(&mem, 2), first);
        let chosen = [10, 11, 50, 13].get(x as usize).copied().unwrap_or(50);
        let (after, returned) = match x {
            0 => (10, 2),
            1 => (0, 11),
            _ => (chosen, 1),
        };
        assert_eq!((mem[OUT as usize + 2], result), (after, returned), "{x}");
        assert_eq!(mem[OUT as usize + 3], 0);
    }
}

#[test]
fn walks() {
    for width in WIDTHS {
        let body: Body = [
            let_const(29, 0),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::ForCells(
                W(0),
                S(0),
                note(0)
                    .into_iter()
                    .chain([
                        // The set is walked as it was.
                        Stmt::LetSet(S(0), Set::Without(S(0), S(0))),
                        Stmt::LetSet(S(1), Set::Single(W(0))),
                        Stmt::ForCells(W(1), S(1), note(1).to_vec()),
                    ])
                    .collect(),
            ),
            Stmt::Return(W(29)),
        ]
        .to_vec();
        let (result, mem) = run(width, one(body), |_| {});
        let set = random_set(width, 77);
        let told: Vec<u64> = set.iter().flat_map(|c| [u64::from(c.0); 2]).collect();
        assert_eq!(result as usize, told.len());
        assert_eq!(noted(&mem, told.len()), told);
    }
}

#[test]
fn sets_outlive_a_round() {
    // What comes from in front of a loop is still there when the loop has made other sets behind its last use.
    for width in WIDTHS {
        let count = |set: u32| [Stmt::Let(W(3), Word::Count(S(set))), add(0, 3)];
        let round: Body = (count(0).into_iter())
            .chain([Stmt::LetSet(S(1), Set::Const(SetId(1)))])
            .chain(count(1))
            .chain([Stmt::LetSet(S(2), Set::Const(SetId(2)))])
            .chain(count(2))
            .collect();
        let body = vec![
            let_const(0, 0),
            let_const(1, 1),
            let_const(2, 4),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::ForNumbers(W(4), W(1), W(2), round),
            Stmt::Return(W(0)),
        ];
        let (result, _) = run(width, one(body), |_| {});
        let all: usize = (77..80).map(|seed| random_set(width, seed).len()).sum();
        assert_eq!(result as usize, 4 * all, "{width} words");
    }
}

#[test]
fn walks_of_words_and_numbers() {
    for (word, from, to) in [
        (0u64, 3i64, 2i64),
        (0b1011, -2, 1),
        (1 << 63, i64::MAX - 1, i64::MAX),
        (u64::MAX, i64::MIN, i64::MIN),
    ] {
        let body: Body = [
            let_const(29, 0),
            Stmt::Let(W(0), Word::Load(place(FREE))),
            Stmt::Let(W(1), Word::Load(place(FREE + 1))),
            Stmt::Let(W(2), Word::Load(place(FREE + 2))),
            Stmt::ForBits(
                W(3),
                W(0),
                note(3).into_iter().chain([let_const(0, 0)]).collect(),
            ),
            Stmt::ForNumbers(
                W(4),
                W(1),
                W(2),
                note(4)
                    .into_iter()
                    .chain([let_const(2, 0), let_const(4, 0)])
                    .collect(),
            ),
            Stmt::Return(W(29)),
        ]
        .to_vec();
        let (result, mem) = run(1, one(body), |mem| {
            mem[FREE as usize] = word;
            mem[FREE as usize + 1] = from.cast_unsigned();
            mem[FREE as usize + 2] = to.cast_unsigned();
        });
        let bits = (0..64).filter(|i| word >> i & 1 != 0);
        let told: Vec<u64> = bits.chain((from..=to).map(i64::cast_unsigned)).collect();
        assert_eq!(result as usize, told.len());
        assert_eq!(noted(&mem, told.len()), told);
    }
}

#[test]
fn small_sets_are_walked() {
    for (width, number) in WIDTHS.iter().flat_map(|w| (0..SMALL).map(move |n| (*w, n))) {
        let mut walk = note(0).to_vec();
        // The set is walked as it was.
        walk.push(Stmt::LetSet(S(0), Set::Without(S(0), S(0))));
        walk.push(Stmt::ForCells(W(1), S(1), note(1).to_vec()));
        let body = vec![
            let_const(29, 0),
            let_const(2, number as u64),
            Stmt::LetSet(S(0), Set::Row(RowsId(1), W(2))),
            let_const(3, (number as u64 + 1) % SMALL as u64),
            Stmt::LetSet(S(1), Set::Row(RowsId(1), W(3))),
            Stmt::ForCells(W(0), S(0), walk),
            Stmt::Return(W(29)),
        ];
        let (result, mem) = run(width, one(body), |_| {});
        let (outer, inner) = (
            small_set(width, number),
            small_set(width, (number + 1) % SMALL),
        );
        let mut told = Vec::new();
        for cell in outer.iter() {
            told.push(u64::from(cell.0));
            told.extend(inner.iter().map(|c| u64::from(c.0)));
        }
        assert_eq!(result as usize, told.len(), "set {number} at {width}");
        assert_eq!(noted(&mem, told.len()), told, "set {number} at {width}");
    }
}

#[test]
fn blocks_are_left() {
    // Leaves a loop inside a walk inside a block, and goes on where each says.
    for width in WIDTHS {
        let body: Body = vec![
            let_const(29, 0),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::Block(
                Label(0),
                vec![
                    Stmt::ForCells(
                        W(0),
                        S(0),
                        vec![
                            let_const(1, 0),
                            Stmt::Loop(
                                Label(1),
                                vec![
                                    let_const(2, 1),
                                    add(1, 2),
                                    let_const(3, 3),
                                    Stmt::Let(W(4), Word::Bin(Bin::Equal, W(1), W(3))),
                                    Stmt::If(W(4), vec![Stmt::Leave(Label(1))], vec![]),
                                    let_const(5, 40),
                                    Stmt::Let(W(6), Word::Bin(Bin::Less, W(5), W(0))),
                                    Stmt::If(W(6), vec![Stmt::Leave(Label(0))], vec![]),
                                ],
                            ),
                            Stmt::Store(
                                Place {
                                    base: OUT,
                                    index: Some((W(29), 1)),
                                },
                                W(0),
                            ),
                            add(29, 1),
                        ],
                    ),
                    let_const(29, 1000),
                ],
            ),
            Stmt::Return(W(29)),
        ];
        let (result, _) = run(width, one(body), |_| {});
        let few = random_set(width, 77).iter().filter(|c| c.0 <= 40).count();
        assert_eq!(result as usize, few * 3, "{width}");
    }
}

#[test]
fn calls_hand_over() {
    for width in WIDTHS {
        let inner = function(
            vec![Value::Set(S(3)), Value::Word(W(1)), Value::Set(S(0))],
            8,
            4,
            vec![
                Stmt::LetSet(S(3), Set::Without(S(3), S(0))),
                Stmt::Let(W(2), Word::Count(S(3))),
                Stmt::Let(W(2), Word::Bin(Bin::Mul, W(2), W(1))),
                Stmt::Let(W(3), Word::Load(place(2))),
                store(0, 3),
                Stmt::Return(W(2)),
            ],
        );
        let outer = function(
            Vec::new(),
            8,
            4,
            vec![
                Stmt::LetSet(S(0), Set::Const(SetId(0))),
                Stmt::LetSet(S(1), Set::Const(SetId(1))),
                let_const(0, 3),
                Stmt::Call(
                    FuncId(1),
                    vec![Value::Set(S(0)), Value::Word(W(0)), Value::Set(S(1))],
                    Some(W(1)),
                ),
                Stmt::Call(FuncId(2), vec![], None),
                // What was handed over is as it was.
                Stmt::Let(W(2), Word::Count(S(0))),
                Stmt::Let(W(1), Word::Bin(Bin::Add, W(1), W(2))),
                Stmt::Return(W(1)),
            ],
        );
        let last = function(Vec::new(), 1, 0, Vec::new());
        let (result, mem) = run(width, vec![outer, inner, last], |_| {});
        let (a, b) = (random_set(width, 77), random_set(width, 78));
        assert_eq!(result as usize, a.without(b).len() * 3 + a.len());
        // None can come to stand on itself, so that none is counted while it is open.
        assert_eq!((mem[1], mem[2], mem[OUT as usize]), (998, 0, 0));
    }
}

/// A function that calls itself until it is stopped.
fn endless() -> Body {
    vec![
        let_const(0, 1),
        Stmt::Tally(W(0)),
        Stmt::Call(FuncId(0), vec![], None),
        Stmt::Tally(W(0)),
    ]
}

#[test]
fn calls_are_bounded() {
    let (result, mem) = run(1, one(endless()), |mem| mem[1] = 50);
    assert_eq!((result, mem[3], mem[0]), (1, Fault::Calls as u64, 51));
    let (result, mem) = run(1, one(endless()), |_| {});
    assert_eq!((result, mem[3]), (1, Fault::Calls as u64));
    assert_eq!(mem[0], MAX_DEPTH + 1);
}

#[test]
fn a_deep_stack_is_given_up() {
    // Many wide sets that are needed to the end.
    let mut body: Body = (0..200)
        .map(|i| Stmt::LetSet(S(i), Set::Const(SetId(i % 3))))
        .collect();
    body.extend(endless());
    for i in 0..200 {
        body.push(Stmt::LetSet(S(0), Set::Or(S(0), S(i))));
    }
    let (result, mem) = run(20, vec![function(vec![], 2, 200, body)], |_| {});
    assert_eq!((result, mem[3]), (1, Fault::Calls as u64));
    assert!(mem[0] > 20 && mem[0] < MAX_DEPTH);
}

#[test]
fn faults_end_the_callers() {
    let outer = function(
        vec![],
        2,
        0,
        vec![
            let_const(0, 1),
            Stmt::Call(FuncId(1), vec![], None),
            store(0, 0),
        ],
    );
    let inner = function(
        vec![],
        2,
        0,
        vec![Stmt::Fault(Fault::NoTurn), let_const(0, 1), store(0, 0)],
    );
    let (result, mem) = run(1, vec![outer, inner], |_| {});
    assert_eq!((result, mem[3]), (1, Fault::NoTurn as u64));
    assert_eq!(mem[OUT as usize], 0);
}

#[test]
fn actions_are_taken_down() {
    for width in WIDTHS {
        let body = vec![
            let_const(0, 2),
            Stmt::Leaf(W(0)),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::LetSet(S(1), Set::Without(S(0), S(0))),
            Stmt::Leaves(W(0), S(1), 0),
            Stmt::Leaves(W(0), S(0), 0),
            Stmt::Leaves(W(0), S(0), 3),
            let_const(0, 0),
            Stmt::Leaf(W(0)),
            let_const(0, 7),
            Stmt::Tally(W(0)),
            Stmt::Tally(W(0)),
        ];
        let (result, mem) = run(width, one(body), |mem| {
            mem[1400] = 11;
            mem[1401] = 12;
        });
        let set = random_set(width, 77);
        let mut told = vec![2, 11, 12, 2 | 1 << 32, 11, 12];
        told.extend(&set.words()[..width]);
        told.extend([2 | 4 << 32, 11, 12]);
        told.extend(&set.words()[..width]);
        told.push(0);
        assert_eq!(&mem[1430..1430 + told.len()], told);
        let count = 2 + 2 * set.len() as u64;
        let ends = (result, mem[0], mem[3], mem[5], mem[6]);
        assert_eq!(ends, (0, 14, 0, told.len() as u64, count));
    }
}

#[test]
fn actions_are_taken_down_under_conditions() {
    // What is looked up under a condition that does not hold may be beyond the table, and the way keeps what it was given last.
    for width in WIDTHS {
        let word_of_way = |i: u32| place(1400 + i);
        let inner = vec![
            Stmt::Store(word_of_way(1), W(5)),
            Stmt::LetSet(S(1), Set::Row(RowsId(1), W(5))),
            Stmt::Let(W(7), Word::Some(S(1))),
            Stmt::Let(W(8), Word::Bin(Bin::Equal, W(5), W(4))),
            Stmt::Let(W(9), Word::Bin(Bin::And, W(7), W(8))),
            Stmt::If(W(9), vec![Stmt::Leaf(W(0))], vec![]),
        ];
        let body = vec![
            let_const(0, 2),
            let_const(3, SMALL as u64),
            let_const(4, 4),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::ForCells(
                W(1),
                S(0),
                vec![
                    Stmt::Store(word_of_way(0), W(1)),
                    Stmt::Let(W(5), Word::Table(TableId(0), W(1))),
                    Stmt::Let(W(6), Word::Bin(Bin::Less, W(5), W(3))),
                    Stmt::If(W(6), inner, vec![]),
                ],
            ),
            Stmt::Leaf(W(0)),
        ];
        let (_, mem) = run(width, one(body), |_| {});
        let (mut told, mut way) = (Vec::new(), [0, 0]);
        for cell in random_set(width, 77).iter().map(|c| u64::from(c.0)) {
            way[0] = cell;
            let entry = (cell * 3 + 1) % 50;
            if entry < SMALL as u64 {
                way[1] = entry;
                if entry == 4 {
                    told.extend([2, way[0], way[1]]);
                }
            }
        }
        told.extend([2, way[0], way[1]]);
        assert_eq!(&mem[1430..1430 + told.len()], told);
        assert_eq!((mem[5], mem[6]), (told.len() as u64, told.len() as u64 / 3));
    }
}

#[test]
fn lists_are_bounded() {
    let full = |stmt: Stmt| {
        let body = vec![
            let_const(0, 2),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::Loop(Label(0), vec![stmt]),
        ];
        let (result, mem) = run(1, one(body), |_| {});
        assert_eq!((result, mem[3]), (1, Fault::Room as u64));
        mem[5]
    };
    assert_eq!(full(Stmt::Leaf(W(0))), 69);
    assert_eq!(full(Stmt::Leaves(W(0), S(0), 0)), 68);
}

#[test]
fn stores_are_logged_and_taken_back() {
    let at = Place {
        base: FREE,
        index: Some((W(1), 3)),
    };
    let body = vec![
        let_const(0, 5),
        let_const(1, 2),
        Stmt::StoreLogged(at, W(0)),
        Stmt::StoreLogged(at, W(0)),
        Stmt::Mark(W(2)),
        Stmt::StoreLogged(place(FREE), W(0)),
        Stmt::StoreLogged(at, W(1)),
        Stmt::Mark(W(3)),
        Stmt::Let(W(4), Word::Load(at)),
        store(0, 4),
        Stmt::Undo(W(2)),
        Stmt::Undo(W(2)),
        store(1, 2),
        store(2, 3),
    ];
    let (_, mem) = run(1, one(body), |mem| mem[FREE as usize + 6] = 9);
    assert_eq!(noted(&mem, 3), [2, 2, 6]);
    assert_eq!((mem[FREE as usize], mem[FREE as usize + 6]), (0, 5));
    assert_eq!(mem[4], 2);
    assert_eq!(mem[1410..1416], [22, 9, 16, 0, 22, 5]);
    let body = vec![
        let_const(0, 0),
        let_const(1, 1),
        Stmt::Loop(
            Label(0),
            vec![add(0, 1), Stmt::StoreLogged(place(FREE), W(0))],
        ),
    ];
    let (result, mem) = run(1, one(body), |_| {});
    assert_eq!((result, mem[3], mem[4]), (1, Fault::Room as u64, 20));
    assert_eq!(mem[FREE as usize], 10);
}

/// What a kernel that is wrong is told.
fn complaint(body: Body, begin: impl Fn(&mut [u64])) -> String {
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(1, one(body), begin);
    }));
    let told = told.expect_err("it was not noticed");
    told.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn indices_are_checked() {
    let load = |base, stride| {
        Stmt::Let(
            W(1),
            Word::Load(Place {
                base,
                index: Some((W(0), stride)),
            }),
        )
    };
    let wrong: [(u64, Stmt); 9] = [
        (1484, load(16, 1)),
        (495, load(16, 3)),
        (u64::MAX, load(16, 1)),
        (
            3,
            Stmt::Let(W(1), Word::Table(crate::program::kernel::TableId(1), W(0))),
        ),
        (
            24,
            Stmt::Let(W(1), Word::Byte(crate::program::kernel::TableId(1), W(0))),
        ),
        (
            5,
            Stmt::LetSet(S(0), Set::Row(crate::program::kernel::RowsId(0), W(0))),
        ),
        (64, Stmt::LetSet(S(0), Set::Single(W(0)))),
        (11, Stmt::Leaf(W(0))),
        (
            1484,
            Stmt::StoreLogged(
                Place {
                    base: 16,
                    index: Some((W(0), 1)),
                },
                W(0),
            ),
        ),
    ];
    for (index, stmt) in wrong {
        let told = complaint(
            vec![
                Stmt::Let(W(0), Word::Load(place(FREE))),
                stmt.clone(),
                store(0, 0),
            ],
            |mem| mem[FREE as usize] = index,
        );
        assert!(told.contains("out of range in `tried`"), "{stmt:?}: {told}");
        let fine = vec![Stmt::Let(W(0), Word::Load(place(FREE))), stmt];
        let (_, mem) = run(1, one(fine), |mem| {
            mem[FREE as usize] = index.min(1485).saturating_sub(1).min(494)
        });
        assert_ne!(mem[3], 7);
    }
}

#[test]
fn what_cannot_be_translated_is_said() {
    for stmt in [
        Stmt::Let(W(0), Word::Load(place(1500))),
        Stmt::LetSet(S(0), Set::Const(SetId(9))),
        Stmt::Let(W(99), Word::Const(1)),
        Stmt::Leave(Label(4)),
        Stmt::Call(FuncId(4), vec![], None),
    ] {
        let told = complaint(vec![stmt.clone()], |_| {});
        assert!(told.contains("cannot be translated"), "{stmt:?}: {told}");
    }
}

#[test]
fn without_checks_it_gives_up_instead() {
    let mut kernel = empty(1);
    kernel.functions = vec![
        function(vec![], 1, 0, vec![Stmt::Call(FuncId(1), vec![], None)]),
        function(vec![], 1, 0, vec![Stmt::Let(W(0), Word::Load(place(1500)))]),
        function(vec![], 1, 0, vec![let_const(0, 4), Stmt::Return(W(0))]),
        function(vec![Value::Word(W(0))], 1, 0, vec![Stmt::Return(W(0))]),
    ];
    let options = Options {
        checked: false,
        one_pass: true,
        improved: false,
        soon: false,
        alone: false,
    };
    let executor = Native::new(Arc::new(kernel.clone()), options, None).unwrap();
    for (id, told) in [
        (0, (1, 4)),
        (1, (1, 4)),
        (2, (4, 0)),
        (3, (1, 4)),
        (9, (1, 4)),
    ] {
        let mut frame = Frame::new(&kernel);
        frame.mem[1] = 10;
        let result = executor.call(FuncId(id), &mut frame);
        assert_eq!((result, frame.mem[3]), told, "{id}");
    }
    kernel.room.fault = 1500;
    assert!(Native::new(Arc::new(kernel.clone()), options, None).is_err());
    kernel.room.fault = 3;
    kernel.room.words = 21;
    assert!(Native::new(Arc::new(kernel), options, None).is_err());
}

#[test]
fn threads_share_what_is_made() {
    let mut kernel = empty(2);
    kernel.functions = (0..20)
        .map(|i| {
            let body = vec![
                Stmt::LetSet(S(0), Set::Const(SetId(i % 3))),
                Stmt::Let(W(0), Word::Count(S(0))),
                Stmt::Return(W(0)),
            ];
            function(vec![], 1, 1, body)
        })
        .collect();
    let counts: Vec<u64> = kernel.sets.iter().map(|s: &Cells| s.len() as u64).collect();
    let frame = Frame::new(&kernel);
    let executor = executor(kernel);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (executor, frame, counts) = (&executor, &frame, &counts);
            scope.spawn(move || {
                let mut frame = frame.clone();
                for round in 0..40 {
                    let id = (round * 7 + thread * 5) % 20;
                    let result = executor.call(FuncId(id), &mut frame);
                    assert_eq!(result, counts[id as usize % 3]);
                }
            });
        }
    });
}

/// What is looked up is looked up only where it is wanted, also behind a question that is the same in every round of a loop: one before
/// the first entry there may stand anything, and what is looked up by that may stand nowhere.
#[test]
fn nothing_is_looked_up_before_it_is_wanted() {
    for wanted in [0, 2] {
        let table = |to, table, index| Stmt::Let(W(to), Word::Table(TableId(table), W(index)));
        let found = vec![table(4, 4, 2), table(5, 5, 4), add(6, 5)];
        let body = vec![
            Stmt::Let(W(0), Word::Load(place(FREE))),
            let_const(1, 1),
            Stmt::Let(W(2), Word::Bin(Bin::Sub, W(0), W(1))),
            let_const(6, 0),
            Stmt::LetSet(S(0), Set::Const(SetId(0))),
            Stmt::ForCells(W(3), S(0), vec![Stmt::If(W(0), found, vec![])]),
            Stmt::Return(W(6)),
        ];
        let mut kernel = empty(1);
        kernel.tables.push(vec![u64::MAX >> 8]);
        kernel.tables.push(vec![0, 1]);
        kernel.tables.push(vec![10, 20]);
        kernel.functions = one(body);
        let cells = kernel.sets[0].len() as u64;
        let mut frame = Frame::new(&kernel);
        frame.mem[1] = 1000;
        frame.mem[FREE as usize] = wanted;
        let options = Options::suited(&kernel, false);
        let native = Native::new(Arc::new(kernel), options, None).unwrap();
        let result = native.call(FuncId(0), &mut frame);
        assert_eq!(result, cells * 10 * wanted);
    }
}
