//! Executors: each does what the reference does, on kernels made by hand and on drawn ones.

mod acting;
mod beside;
mod cases;
mod draw;
mod in_place;
mod noted;
mod plies;
mod rarely;
mod walk;

use crate::common::slow;
use crate::kernels::walk::Walk;
use gambol::compile::kernel::{answers, monotone, sides, tidy, unroll};
use gambol::engine::executor::{Executor, Frame};
#[cfg(feature = "native")]
use gambol::engine::native;
use gambol::engine::portable::portable;
use gambol::program::kernel::{
    Bin, Body, Fault, FuncId, Function, Kernel, Place, Renumber, RowsId, S, Set, ShiftId, Stmt,
    Value, W, Word, dump,
};
use std::sync::Arc;

/// All executors, by name.
fn executors(kernel: &Arc<Kernel>) -> Vec<(&'static str, Box<dyn Executor>)> {
    vec![
        ("portable", portable(Arc::clone(kernel))),
        #[cfg(feature = "native")]
        ("native", twice(kernel)),
        #[cfg(feature = "native")]
        ("checked", native::checked(Arc::clone(kernel)).unwrap()),
    ]
}

/// Machine code that comes soon, and then better.
#[cfg(feature = "native")]
fn twice(kernel: &Arc<Kernel>) -> Box<dyn Executor> {
    let same = Kernel::clone(kernel);
    native::native(Arc::clone(kernel), Some(Box::new(|| same))).unwrap()
}

/// What functions called one after the other come to: each result, and the memory behind it.
type Account = Vec<(u64, Vec<u64>)>;

/// What the reference does; nothing when it takes too long.
fn expected(kernel: &Kernel, frame: &Frame, calls: &[FuncId]) -> Option<Account> {
    let mut walk = Walk::new(kernel, frame.clone());
    let mut account = Vec::new();
    for function in calls {
        let result = walk.call(*function);
        if walk.tired() {
            return None;
        }
        account.push((result, walk.frame.mem.clone()));
        if walk.frame.mem[kernel.room.fault as usize] != 0 {
            break;
        }
    }
    Some(account)
}

/// What memory says: all but what stands behind the actions that are listed.
fn said<'m>(kernel: &Kernel, mem: &'m [u64]) -> &'m [u64] {
    let room = &kernel.room;
    &mem[..room.moves as usize + mem[room.moves_used as usize] as usize]
}

/// The longest entry of a list that may be written before it is known whether it counts, without the words of its set.
const LONGEST: u64 = 13;

/// Whether an executor gave up for want of room, and the reference did not, or not yet, where such an entry has no room any more.
fn is_nearly_full(kernel: &Kernel, mem: &[u64], reference: &[u64]) -> bool {
    let room = &kernel.room;
    let left = u64::from(room.memory - room.moves) - mem[room.moves_used as usize];
    let longest = LONGEST + u64::from(room.words);
    let gave_up = |mem: &[u64]| mem[room.fault as usize] == Fault::Room as u64;
    gave_up(mem) && !gave_up(reference) && left < longest
}

/// Whether two accounts are the same, but for where memory stood when both gave up for one reason.
fn same_until(fault: usize, one: &Account, other: &Account) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len()
        && pairs.all(|(a, b)| match a.1[fault] {
            0 => a == b,
            code => b.1[fault] == code,
        })
}

/// Whether every executor does what the reference does.
fn agree(kernel: Kernel, frame: &Frame, calls: &[FuncId]) -> Option<Account> {
    let account = expected(&kernel, frame, calls)?;
    let kernel = Arc::new(kernel);
    let fault = kernel.room.fault as usize;
    // Machine code comes soon and then better: both are asked.
    let executors = executors(&kernel);
    executors
        .iter()
        .for_each(|(_, executor)| executor.prepare(calls));
    for (name, executor) in executors.iter().chain(&executors) {
        executor.settle();
        let mut frame = frame.clone();
        for (function, (result, mem)) in calls.iter().zip(&account) {
            let found = executor.call(*function, &mut frame);
            if is_nearly_full(&kernel, &frame.mem, mem) {
                break;
            }
            let same = match mem[fault] {
                0 => said(&kernel, &frame.mem) == said(&kernel, mem),
                fault_code => frame.mem[fault] == fault_code,
            };
            assert!(
                found == *result && same,
                "{name} gives {found} for {result}, function {}, at {:?}\n{}",
                function.0,
                (0..said(&kernel, mem).len()).find(|i| mem[*i] != frame.mem[*i]),
                dump(&kernel)
            );
        }
    }
    Some(account)
}

#[test]
fn executors_agree_on_drawn_kernels() {
    let (mut run, mut gave_up, mut listed) = (0, 0, 0);
    let drawn: usize = if slow() { 3000 } else { 500 };
    for seed in 0..drawn as u64 {
        let (kernel, frame, calls) = draw::kernel(seed);
        let room = kernel.room;
        if let Some(account) = agree(kernel, &frame, &calls) {
            run += 1;
            let last = &account[account.len() - 1].1;
            gave_up += usize::from(last[room.fault as usize] != 0);
            listed += usize::from(last[room.moves_count as usize] != 0);
        }
    }
    assert!(run * 5 > drawn * 4, "only {run} kernels came to their ends");
    assert!(
        (run - gave_up) * 5 > drawn,
        "{gave_up} of {run} kernels gave up"
    );
    assert!(listed * 15 > drawn, "only {listed} kernels listed actions");
}

/// Holds a changed kernel to what the kernel did; some of the memory may differ.
fn hold_to(
    account: Account,
    (kernel, changed): (&Kernel, &Kernel),
    (frame, calls): (&Frame, &[FuncId]),
    aside: std::ops::Range<usize>,
) {
    let found = expected(changed, frame, calls).unwrap();
    for (at, ((result, mut mem), (wanted, mut other))) in found.into_iter().zip(account).enumerate()
    {
        mem[aside.clone()].fill(0);
        other[aside.clone()].fill(0);
        assert!(
            result == wanted && mem == other,
            "call {at}: {result} for {wanted}, at {:?}\n{}\nand changed\n{}",
            (0..mem.len()).find(|i| mem[*i] != other[*i]),
            dump(kernel),
            dump(changed)
        );
    }
}

#[test]
fn tidied_kernels_do_the_same() {
    let (mut same, mut shorter) = (0, 0);
    for seed in 0..1500 {
        let (kernel, frame, calls) = draw::kernel(seed);
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let room = kernel.room;
        if account.iter().any(|(_, mem)| mem[room.fault as usize] != 0) {
            continue;
        }
        let mut tidied = kernel.clone();
        for function in &mut tidied.functions {
            tidy::one(function, &room);
        }
        // What was stored and taken back has left its traces in the log.
        let log = room.log as usize..room.moves as usize;
        hold_to(account, (&kernel, &tidied), (&frame, &calls), log);
        same += 1;
        shorter += usize::from(dump(&tidied).lines().count() < dump(&kernel).lines().count());
    }
    assert!(
        same > 300 && shorter > 250,
        "{same} kernels, {shorter} became shorter"
    );
}

/// Goes each way of a switch for a few fixed numbers in turn, and counts them.
fn by_bits(body: &mut Body, bits: W, words: &mut u32) {
    for stmt in body {
        for inner in stmt.bodies_mut() {
            by_bits(inner, bits, words);
        }
        if let Stmt::Switch(_, ways) = stmt {
            let bit = W(*words);
            *words += 1;
            let ways = Stmt::Switch(bit, std::mem::take(ways));
            *stmt = Stmt::ForBits(bit, bits, vec![Stmt::Tally(bit), ways, Stmt::Tally(bit)]);
        }
    }
}

#[test]
fn loops_that_are_written_out_do_the_same() {
    let (mut same, mut written) = (0, 0);
    let drawn: usize = if slow() { 3000 } else { 400 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame, calls) = draw::kernel(seed);
        for function in &mut kernel.functions {
            let bits = W(function.words);
            function.words += 1;
            by_bits(&mut function.body, bits, &mut function.words);
            function
                .body
                .insert(0, Stmt::Let(bits, Word::Const(0b1011)));
        }
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let mut out = kernel.clone();
        unroll::unroll(&mut out.functions);
        let found = expected(&out, &frame, &calls);
        let fault = kernel.room.fault as usize;
        assert!(
            found.is_some_and(|found| same_until(fault, &account, &found)),
            "seed {seed}\n{}\nand written out\n{}",
            dump(&kernel),
            dump(&out)
        );
        same += 1;
        written += usize::from(dump(&out) != dump(&kernel));
    }
    assert!(
        same * 3 > drawn * 2 && written * 5 > drawn,
        "{same} kernels, {written} were changed"
    );
}

/// The same functions once more, for another player: other places and constants, here and there another statement.
struct Other {
    dice: draw::Dice,
    swapped: [u32; 2],
}

impl Renumber for Other {
    fn word(&mut self, w: W) -> W {
        w
    }

    fn set(&mut self, s: S) -> S {
        s
    }

    fn place(&mut self, place: Place) -> Place {
        let [a, b] = self.swapped;
        let base = match place.base {
            base if base == a => b,
            base if base == b => a,
            base => base,
        };
        Place { base, ..place }
    }
}

impl Other {
    /// Constants in loops stay as they are, so that these end.
    fn body(&mut self, body: &mut Body, functions: u32, in_loop: bool) {
        for stmt in body {
            stmt.renumber_reads(self);
            let changes = !in_loop && self.dice.chance(20);
            match stmt {
                Stmt::Let(_, Word::Const(k)) if changes => *k = k.saturating_sub(1),
                Stmt::LetSet(_, Set::Const(id)) => id.0 ^= 1,
                Stmt::LetSet(_, Set::Row(id, _)) if changes => id.0 ^= 1,
                Stmt::Let(w, Word::Bin(..)) if !in_loop && self.dice.chance(4) => {
                    *stmt = Stmt::Let(*w, Word::Const(0));
                }
                Stmt::Call(id, ..) => id.0 += functions,
                _ => {}
            }
            let in_loop = in_loop || matches!(stmt, Stmt::Loop(..));
            for inner in stmt.bodies_mut() {
                self.body(inner, functions, in_loop);
            }
        }
    }
}

#[test]
fn functions_that_two_players_share_do_the_same() {
    let (mut same, mut joined) = (0, 0);
    let drawn: usize = if slow() { 1000 } else { 40 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame, _) = draw::kernel(seed);
        let many = kernel.functions.len() as u32;
        let mut dice = draw::Dice(!seed);
        let place = |dice: &mut draw::Dice| dice.below(8) as u32;
        let mut other = Other {
            swapped: [place(&mut dice), place(&mut dice)],
            dice,
        };
        for at in 0..many as usize {
            let mut function = kernel.functions[at].clone();
            other.body(&mut function.body, many, false);
            kernel.functions.push(function);
        }
        kernel.turn = vec![FuncId(0), FuncId(many)];
        kernel.entries = vec![Vec::new(); 2];
        kernel.ends = vec![[None; 3]; 2];
        kernel.moving = vec![None; 2];
        kernel.scores = vec![Vec::new(); 2];
        let mut shared = kernel.clone();
        sides::share(&mut shared, &[], sides::For::Soon);
        joined += usize::from(shared.functions.len() > kernel.functions.len());
        let fuel = kernel.room.fuel as usize;
        for f in &kernel.turn {
            let answers = [&kernel, &shared]
                .map(|kernel| expected(kernel, &frame, &[*f]).and_then(|mut a| a.pop()));
            let [Some((result, mut mem)), Some((found, mut other))] = answers else {
                continue;
            };
            let fault = kernel.room.fault as usize;
            if mem[fault] != 0 || other[fault] != 0 {
                continue;
            }
            // Who is asked for a player asks what both have: one call more.
            (mem[fuel], other[fuel]) = (0, 0);
            assert!(
                found == result && mem == other,
                "seed {seed}: {found} for {result}, at {:?}\n{}\nand shared\n{}",
                (0..mem.len()).find(|i| mem[*i] != other[*i]),
                dump(&kernel),
                dump(&shared)
            );
            same += 1;
        }
    }
    assert!(
        same * 10 > drawn * 3 && joined * 20 > drawn * 3,
        "{same} answers, {joined} kernels joined"
    );
}

/// A drawn kernel whose functions are to be others, and memory for calls of them.
fn bare(seed: u64) -> (Kernel, Frame) {
    let (mut kernel, mut frame, _) = draw::kernel(seed);
    kernel.functions.clear();
    frame.mem[kernel.room.fuel as usize] = 10_000;
    frame.mem[kernel.room.depth as usize] = 0;
    (kernel, frame)
}

/// Where a set of its memory is.
fn kept(kernel: &Kernel, set: u32) -> Place {
    Place {
        base: kernel.room.piles + set * kernel.room.words,
        index: None,
    }
}

/// The first sets of its memory, by their numbers.
fn loads(kernel: &Kernel, sets: u32) -> Body {
    let load = |s| Stmt::LetSet(S(s), Set::Load(kept(kernel, s)));
    (0..sets).map(load).collect()
}

/// A kernel with a question about three sets of its memory: what is made of them is asked for, in a loop or by another function.
fn question(seed: u64) -> (Kernel, Frame) {
    let (mut kernel, frame) = bare(seed);
    let mut dice = draw::Dice(!seed);
    let mut body = loads(&kernel, 3);
    body.extend([0, 1, 9].map(|k| Stmt::Let(W(k as u32), Word::Const(k))));
    derive(&mut body, &mut dice, 3..9);
    let no = Body::new;
    let (found, set, other) = (S(8), S(dice.below(9) as u32), S(dice.below(9) as u32));
    let inner = match dice.below(3) {
        0 => vec![
            Stmt::Let(W(4), Word::Has(found, W(3))),
            Stmt::If(W(4), vec![Stmt::Return(W(1))], no()),
        ],
        1 => vec![
            Stmt::Let(W(4), Word::Has(other, W(3))),
            Stmt::Let(W(5), Word::Bin(Bin::Equal, W(4), W(0))),
            Stmt::If(W(5), vec![Stmt::Return(W(1))], no()),
        ],
        _ => vec![
            Stmt::Call(
                FuncId(1),
                vec![Value::Set(found), Value::Word(W(3))],
                Some(W(4)),
            ),
            Stmt::If(W(4), vec![Stmt::Return(W(1))], no()),
        ],
    };
    let round = Stmt::ForCells(W(3), set, inner);
    let test = match dice.below(4) {
        0 => Word::Some(found),
        1 => Word::Within(other, found),
        2 => Word::Meet(other, found),
        _ => Word::Const(1),
    };
    body.push(Stmt::Let(W(6), test));
    match dice.below(3) {
        0 => body.push(Stmt::If(W(6), vec![round], no())),
        1 => body.extend([Stmt::If(W(6), vec![Stmt::Return(W(0))], no()), round]),
        _ => body.push(round),
    }
    // The other function is given a set and a cell.
    let mut asked = vec![Stmt::LetSet(S(1), Set::Row(RowsId(0), W(0)))];
    asked.push(Stmt::LetSet(S(2), Set::With(S(0), W(0))));
    derive(&mut asked, &mut dice, 3..6);
    asked.push(Stmt::Let(W(1), Word::Count(S(5))));
    asked.push(Stmt::Let(
        W(2),
        Word::Const(dice.below(kernel.cells / 2) as u64),
    ));
    asked.push(Stmt::Let(
        W(3),
        Word::Bin(dice.of(&[Bin::Less, Bin::AtMost]), W(2), W(1)),
    ));
    asked.push(Stmt::Return(W(3)));
    let function = |params, body| Function {
        name: "asked".to_owned(),
        params,
        words: 10,
        sets: 9,
        body,
    };
    let params = vec![Value::Set(S(0)), Value::Word(W(0))];
    kernel.functions = vec![function(Vec::new(), body), function(params, asked)];
    (kernel, frame)
}

/// Makes sets of those before.
fn derive(body: &mut Body, dice: &mut draw::Dice, sets: std::ops::Range<u32>) {
    for s in sets {
        let (a, b) = (
            S(dice.below(s as usize) as u32),
            S(dice.below(s as usize) as u32),
        );
        let set = match dice.below(10) {
            0 | 1 => Set::And(a, b),
            2 | 3 => Set::Or(a, b),
            4 | 5 => Set::Without(a, b),
            6 => Set::UpTo(a, b),
            7 => Set::Around(a),
            8 => Set::Shift(a, ShiftId(0)),
            _ => Set::DownTo(a, b),
        };
        body.push(Stmt::LetSet(S(s), set));
    }
}

/// The answer of a kernel's first function, and the memory behind it; nothing when it gives up or takes too long.
fn answer(kernel: &Kernel, frame: &Frame) -> Option<(u64, Vec<u64>)> {
    let account = expected(kernel, frame, &[FuncId(0)])?;
    let (result, mem) = account.into_iter().next()?;
    (mem[kernel.room.fault as usize] == 0).then_some((result, mem))
}

/// Answers go only the ways that are told, and kept answers are the ones that are found.
#[test]
fn answers_go_the_ways_that_are_told() {
    let (mut one_way, mut kept_some) = (0, 0);
    let drawn = if slow() { 3000 } else { 600 };
    for seed in 0..drawn {
        let (kernel, mut frame) = question(seed);
        let (reads, ways) = monotone::monotone(&kernel.functions, FuncId(0)).unwrap();
        let sets: Vec<(usize, u32)> = (reads.iter().enumerate())
            .filter(|(_, r)| r.set)
            .map(|(at, r)| (at, r.place))
            .collect();
        let mut dice = draw::Dice(!seed);
        let mut keeping = kernel.clone();
        let room = kernel.room;
        let keeps = answers::keep(
            &mut keeping.functions,
            FuncId(0),
            room.scratch..room.log,
            &room,
        ) > 0;
        for _ in 0..12 {
            let Some((before, _)) = answer(&kernel, &frame) else {
                break;
            };
            if keeps {
                let (kept, mem) = answer(&keeping, &frame).unwrap();
                assert_eq!(
                    kept,
                    before,
                    "seed {seed}\n{}\nand\n{}",
                    dump(&kernel),
                    dump(&keeping)
                );
                let scratch = room.scratch as usize..room.log as usize;
                frame.mem[scratch.clone()].copy_from_slice(&mem[scratch]);
                kept_some += u64::from(kept == 0);
            }
            if sets.is_empty() {
                break;
            }
            let (at, place) = dice.of(&sets);
            // The same few cells again and again, so that sets come back to what they were.
            let cell = dice.below(kernel.cells.min(5));
            let word = &mut frame.mem[place as usize + cell / 64];
            let grows = *word >> (cell % 64) & 1 == 0;
            *word ^= 1 << (cell % 64);
            let Some((after, _)) = answer(&kernel, &frame) else {
                break;
            };
            let (up, down) = ways.of(at);
            one_way += u64::from(up != down);
            let (to_yes, to_no) = (before == 0 && after != 0, before != 0 && after == 0);
            let allowed = match grows {
                true => (!to_yes || up) && (!to_no || down),
                false => (!to_yes || down) && (!to_no || up),
            };
            assert!(
                allowed,
                "seed {seed}: set at {place}, up {up}, down {down}\n{}",
                dump(&kernel)
            );
        }
    }
    assert!(
        3 * one_way > 4 * drawn,
        "{one_way} changes of sets that go one way"
    );
    assert!(3 * kept_some > 4 * drawn, "{kept_some} answers were kept");
}
