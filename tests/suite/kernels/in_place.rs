//! What is put in place of calls, and lists that answer their own questions, on drawn kernels: results and memory stay what they were.

use super::{answer, bare, derive, draw, expected, hold_to, loads};
use crate::common::slow;
use gambol::compile::kernel::inline::How;
use gambol::compile::kernel::{at_once, inline, tallied, weighed};
use gambol::engine::executor::Frame;
use gambol::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, Label, Place, Renumber, S, Set, Stmt, Value, W, Word, dump,
};

/// Gives most words of calls fixed values.
fn fix(body: &mut Body, words: &mut u32, dice: &mut draw::Dice) {
    let mut out = Body::new();
    for mut stmt in std::mem::take(body) {
        for inner in stmt.bodies_mut() {
            fix(inner, words, dice);
        }
        if let Stmt::Call(_, arguments, _) = &mut stmt {
            for argument in arguments {
                if let Value::Word(w) = argument
                    && dice.chance(70)
                {
                    *w = W(*words);
                    *words += 1;
                    out.push(Stmt::Let(*w, Word::Const(dice.below(3) as u64)));
                }
            }
        }
        out.push(stmt);
    }
    *body = out;
}

#[test]
fn functions_that_are_put_in_place_do_the_same() {
    let (mut same, mut placed) = (0, 0);
    let drawn: usize = if slow() { 3000 } else { 250 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame, calls) = draw::kernel(seed);
        let mut dice = draw::Dice(!seed);
        for function in &mut kernel.functions {
            fix(&mut function.body, &mut function.words, &mut dice);
        }
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let fault = kernel.room.fault as usize;
        if account.iter().any(|(_, mem)| mem[fault] != 0) {
            continue;
        }
        let mut out = kernel.clone();
        let open = [FuncId(0)];
        let open = if seed % 2 == 0 { &open[..] } else { &[] };
        let how = [How::Counted, How::Played][seed as usize / 2 % 2];
        inline::inline(&mut out.functions, open, Some(FuncId(1)), how);
        // Calls are counted, and there are fewer.
        let fuel = kernel.room.fuel as usize;
        hold_to(account, (&kernel, &out), (&frame, &calls), fuel..fuel + 1);
        same += 1;
        placed += usize::from(dump(&out) != dump(&kernel));
    }
    assert!(
        same * 4 > drawn && placed * 20 > drawn,
        "{same} kernels, {placed} were changed"
    );
}

/// Whether drawn kernels that are changed to count in loops do the same when what is counted is written otherwise; those that give up are
/// left out when told so. Some of them must be written otherwise.
fn hold_counted(
    gives_up: bool,
    change: impl Fn(&mut Kernel, &mut draw::Dice),
    written: impl Fn(&mut Kernel),
) {
    let (mut same, mut otherwise) = (0, 0);
    let drawn: usize = if slow() { 3000 } else { 400 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame, calls) = draw::kernel(seed);
        change(&mut kernel, &mut draw::Dice(!seed));
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let fault = kernel.room.fault as usize;
        if !gives_up && account.iter().any(|(_, mem)| mem[fault] != 0) {
            continue;
        }
        let mut out = kernel.clone();
        written(&mut out);
        assert!(
            expected(&out, &frame, &calls).as_ref() == Some(&account),
            "seed {seed}\n{}\nand written otherwise\n{}",
            dump(&kernel),
            dump(&out)
        );
        same += 1;
        otherwise += usize::from(dump(&out) != dump(&kernel));
    }
    assert!(
        same * 4 > drawn && otherwise * 10 > drawn,
        "{same} kernels, {otherwise} were changed"
    );
}

#[test]
fn what_loops_count_is_the_same_behind_them() {
    let count = |kernel: &mut Kernel, dice: &mut draw::Dice| {
        for function in &mut kernel.functions {
            count_in_loops(&mut function.body, kernel.room.tally, dice);
        }
    };
    hold_counted(false, count, |out| {
        tallied::tally_behind(&mut out.functions, &out.room);
    });
}

#[test]
fn what_loops_count_by_a_question_is_the_same_counted_apart() {
    let ask = |kernel: &mut Kernel, dice: &mut draw::Dice| {
        for function in &mut kernel.functions {
            let fixed = [1, 6, 3].map(|number| {
                function.words += 1;
                (W(function.words - 1), number)
            });
            let (words, first) = (fixed.map(|(w, _)| w), function.words);
            ask_in_loops(&mut function.body, (words, &mut function.words), dice);
            let more = (first..function.words).map(|w| (W(w), 0));
            let lets = fixed.into_iter().chain(more);
            let lets = lets.map(|(w, number)| Stmt::Let(w, Word::Const(number)));
            function.body.splice(..0, lets);
        }
    };
    hold_counted(true, ask, |out| {
        weighed::count_apart(&mut out.functions, &out.room);
    });
}

/// Lets loops over cells count by a question: mostly what is the same for all cells, and here and there what follows from the cell, or
/// what is read behind.
fn ask_in_loops(body: &mut Body, (fixed, words): ([W; 3], &mut u32), dice: &mut draw::Dice) {
    let [one, other, many] = fixed;
    let mut behind = Body::new();
    for stmt in body.iter_mut() {
        if let Stmt::ForCells(cell, _, inner) = stmt
            && dice.chance(60)
        {
            let computes = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::LetSet(..));
            let first = inner.iter().take_while(|s| computes(s)).count();
            inner.truncate(first);
            let [question, sum] = [0, 1].map(|i| W(*words + i));
            *words += 2;
            let bits = if dice.chance(50) { one } else { other };
            inner.push(Stmt::Let(question, Word::Bin(Bin::And, *cell, bits)));
            let counted = if dice.chance(15) { *cell } else { many };
            let yes = vec![
                Stmt::Let(sum, Word::Bin(Bin::Add, counted, other)),
                Stmt::Tally(sum),
            ];
            let no = vec![Stmt::If(question, Body::new(), vec![Stmt::Tally(other)])];
            let no = if dice.chance(50) {
                no
            } else {
                vec![Stmt::Tally(one)]
            };
            inner.push(Stmt::If(question, yes, no));
            if dice.chance(30) {
                let all = std::mem::take(inner);
                inner.push(Stmt::If(one, all, Body::new()));
            }
            if dice.chance(10) {
                behind.push(Stmt::If(sum, vec![Stmt::Tally(sum)], Body::new()));
            }
            continue;
        }
        for inner in stmt.bodies_mut() {
            ask_in_loops(inner, (fixed, words), dice);
        }
    }
    let ends = matches!(
        body.last(),
        Some(Stmt::Return(_) | Stmt::Leave(_) | Stmt::Fault(_))
    );
    if !ends {
        body.append(&mut behind);
    }
}

/// Lets loops count, and here and there read what was counted.
fn count_in_loops(body: &mut Body, tally: u32, dice: &mut draw::Dice) {
    for stmt in body {
        if let Stmt::ForCells(w, _, inner) | Stmt::ForNumbers(w, _, _, inner) = stmt {
            inner.insert(0, Stmt::Tally(*w));
            if dice.chance(20) {
                let place = Place {
                    base: tally,
                    index: None,
                };
                inner.push(Stmt::Let(*w, Word::Load(place)));
                inner.push(Stmt::Tally(*w));
            }
        }
        for inner in stmt.bodies_mut() {
            count_in_loops(inner, tally, dice);
        }
    }
}

/// Other numbers for all that a question makes.
struct Listed;

impl Renumber for Listed {
    fn word(&mut self, w: W) -> W {
        W(if w.0 < 3 { w.0 } else { w.0 + 20 })
    }

    fn set(&mut self, s: S) -> S {
        S(if s.0 < 3 { s.0 } else { s.0 + 20 })
    }
}

fn listed(body: &Body) -> Body {
    let of = |stmt: &Stmt| {
        let mut stmt = stmt.clone();
        stmt.renumber_reads(&mut Listed);
        stmt.renumber_gives(&mut Listed);
        for inner in stmt.bodies_mut() {
            *inner = listed(inner);
        }
        stmt
    };
    body.iter().map(of).collect()
}

/// A kernel that asks whether some cell of a set will do, and then counts all that will, or something else when there is none; with
/// mistakes now and then, by which the list does not do what was asked.
fn asks_first(seed: u64) -> (Kernel, Frame) {
    let (mut kernel, frame) = bare(seed);
    let mut dice = draw::Dice(!seed);
    let mut body = loads(&kernel, 3);
    body.extend((0..3).map(|k| Stmt::Let(W(k), Word::Const(u64::from(k)))));
    let (flag, label) = (W(50), Label(0));
    let mut asked = Body::new();
    derive(&mut asked, &mut dice, 3..6);
    let mut inner = vec![Stmt::LetSet(S(6), Set::With(S(3), W(3)))];
    for s in 7..9 {
        let (a, b) = (S(dice.below(s) as u32), S(dice.below(s) as u32));
        let set = match dice.below(3) {
            0 => Set::And(a, b),
            1 => Set::Without(a, b),
            _ => Set::Around(a),
        };
        inner.push(Stmt::LetSet(S(s as u32), set));
    }
    let test = if dice.chance(30) {
        Word::Count(S(8))
    } else {
        Word::Some(S(8))
    };
    inner.push(Stmt::Let(W(4), test));
    let mut round = inner.clone();
    round.push(Stmt::If(
        W(4),
        vec![Stmt::Let(flag, Word::Const(1)), Stmt::Leave(label)],
        Body::new(),
    ));
    // The set that was asked of becomes another one behind the answer, and before it is counted.
    let changes = dice.chance(10);
    let change = Stmt::LetSet(S(8), Set::Copy(S(1)));
    round.extend(changes.then(|| change.clone()));
    let set = S(dice.below(6) as u32);
    let mut list = listed(&asked);
    asked.push(Stmt::ForCells(W(3), set, round));
    // The list counts what it finds, with the question or without it.
    let mut all = listed(&inner);
    all.extend(changes.then(|| listed(&vec![change])).into_iter().flatten());
    let tally = [Stmt::Let(W(40), Word::Count(S(28))), Stmt::Tally(W(40))];
    match dice.below(4) {
        0 => all.extend([Stmt::If(W(24), tally.to_vec(), Body::new())]),
        1 => {
            all.pop();
            all.extend(tally);
        }
        _ => all.extend(tally),
    }
    let place = dice.below(all.len());
    match dice.below(8) {
        0 => all.insert(place, Stmt::Tally(W(1))),
        1 => all.insert(
            place,
            Stmt::LetSet(S(23 + dice.below(6) as u32), Set::Copy(S(0))),
        ),
        2 => {
            if let Stmt::LetSet(_, set) = &mut all[place] {
                *set = Set::Copy(S(1));
            }
        }
        3 => all.insert(
            place,
            Stmt::LetSet(S(dice.below(3) as u32), Set::Copy(S(23))),
        ),
        4 => all.insert(place, Stmt::Let(W(41), Word::Bin(Bin::Add, W(0), W(1)))),
        _ => {}
    }
    list.push(Stmt::ForCells(W(23), Listed.set(set), all));
    body.push(Stmt::Let(flag, Word::Const(0)));
    body.push(Stmt::Block(label, asked));
    body.push(Stmt::If(flag, list, vec![Stmt::Tally(W(2))]));
    body.push(Stmt::Return(flag));
    kernel.functions = vec![Function {
        name: "asks".to_owned(),
        params: Vec::new(),
        words: 60,
        sets: 40,
        body,
    }];
    (kernel, frame)
}

#[test]
fn lists_that_answer_their_own_questions_do_the_same() {
    let (mut same, mut joined, mut none) = (0, 0, 0);
    let drawn: usize = if slow() { 4000 } else { 250 };
    for seed in 0..drawn as u64 {
        let (kernel, frame) = asks_first(seed);
        let mut out = kernel.clone();
        at_once::list(&mut out.functions, &kernel.room);
        // Such as it is, and with nothing on the board.
        let mut empty = frame.clone();
        let piles = kernel.room.piles as usize;
        empty.mem[piles..piles + 3 * kernel.room.words as usize].fill(0);
        for frame in [frame, empty] {
            let Some(before) = answer(&kernel, &frame) else {
                continue;
            };
            // The list may be a little longer, and too long.
            if expected(&out, &frame, &[FuncId(0)]).is_none() {
                continue;
            }
            let after = answer(&out, &frame).unwrap();
            assert!(
                before == after,
                "seed {seed}: {} for {}\n{}\nand at once\n{}",
                after.0,
                before.0,
                dump(&kernel),
                dump(&out)
            );
            same += 1;
            none += usize::from(before.0 == 0);
        }
        joined += usize::from(dump(&out) != dump(&kernel));
    }
    assert!(
        same > drawn && none * 3 > drawn && joined * 4 > drawn && joined * 5 < drawn * 4,
        "{same} answers, {none} of them no, {joined} kernels joined"
    );
}
