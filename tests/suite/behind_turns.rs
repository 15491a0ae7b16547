//! What comes behind a turn along a trail, counted once for all ways to end it: from positions that are made up every kernel finds as
//! many sequences of each number of actions as the plain engine does, whatever a turn may do behind its trail; and where it is meant to be
//! counted so it is, as numbers are wrong when those are.

use crate::common::slow;
use crate::deep::{changed, counts};
use gambol::base::Source;
use gambol::engine::{Engine, Position, Runner};
use gambol::program::Program;
use gambol::program::kernel::{Bin, Body, Kernel, Stmt, W, Word, each_statement};
use gambol::tools::rng::Rng;

/// So many actions one after the other.
const DEEP: usize = 5;

/// After so many times in vain it is not tried for a while, in the function that counts sequences.
const VAIN: u64 = 8;

/// Columns and rows.
const BOARD: (usize, usize) = (7, 8);

/// Of each game: whether it is meant to be counted so where there are two players, the directions of steps, freely if they may lead
/// straight back, what a step does besides, what is done behind the trail, and when games end.
const ENDINGS: &str = "
    yes | diagonal | | |
    yes | diagonal | | capture (enemy in beside(last)) where all beside(it) in own |
    yes | diagonal | | if height of last = 2 { capture (enemy in beside(last)) where all beside(it) in own } |
    yes | diagonal | | if height of last = 2 { capture enemy in beside(last) } |
    yes | diagonal | | if height of last = 1 and some enemy in beside(last) { set taken = yes } | win \"taken\" when taken
    yes | diagonal | | if not (last in column(1)) { if height of last = 3 { capture enemy in beside(last) } } |
    yes | diagonal | | let high = height of last; if high = 2 and last in row(2) { capture enemy } |
    yes | diagonal | | let spot = last; if height of spot = 2 { capture (enemy in beside(spot)) where all beside(it) in (own or corners) } |
    yes | diagonal | | if no (enemy except beside(last)) { set taken = yes } | win \"taken\" when taken
    no  | diagonal | | if some enemy in beside(last) { capture enemy in beside(last) } else { set n = 0 } |
    yes | diagonal | | if captures > 0 { set n = 0 } else { set n = n + 1 } | draw \"long\" when n = 3
    yes | diagonal | | if last in column(3) { set n = n + 1 } | win \"three\" when n = 2
    yes | diagonal | | capture enemy in beside(last); if captures > 1 { set taken = yes } | lose \"taken\" when taken
    no  | diagonal | | set n = count(enemy) | draw \"two\" when n = 2
    no  | diagonal | | | draw \"few\" when count(own) < 3
    yes | diagonal | | | win \"corner\" when some own in corners
    yes | (if early then forward diagonal else diagonal) | if early and next in empty { set met = yes } | require met or not early |
    yes | (if early then forward diagonal else diagonal) | if early and next in empty { set met = yes } | require met or not early; if height of last = 2 { capture enemy in beside(last) } |
    may | forward diagonal | | if height of last = 1 { capture enemy in beside(last) } |
    yes | orthogonal | | if height of last = 2 { capture enemy in beside(last) } |
    yes | diagonal | if next in corners { set met = yes } | if met { capture enemy in beside(last) } |
    no  | diagonal | if next in empty { set met = yes } | require met or count(own) > 2; if met { set n = 1 } else { set taken = yes } | win \"taken\" when taken
    yes | diagonal | | if last in column(1) { capture enemy in beside(last) } else { capture enemy in (beside(last) and corners) } |
    yes | free diagonal | | if height of last = 2 { capture enemy in beside(last) } |
    yes | free orthogonal | | if height of last = 3 { capture (enemy in beside(last)) where all beside(it) in own } |
    no  | diagonal | | if height of last = 2 { flip enemy in beside(last) } else { flip enemy in corners } | draw \"long\" when turns = 20
    no  | diagonal | | flip enemy in corners |
    no  | diagonal | if next in corners { set met = yes }; set n = n + 1 | | draw \"far\" when n > 40
    may | diagonal | | | win \"high\" when some (own where height of it > 4)
    no  | diagonal | | set far = last | win \"far\" when far in corners
";

/// A game with a trail.
fn game(ending: &str, players: usize) -> String {
    let parts: Vec<String> = (ending.split(" |"))
        .map(|part| part.trim().replace("; ", "\n  "))
        .collect();
    let [_, ways, doing, behind, end] = parts.as_slice() else {
        panic!("an ending has five parts: {ending}");
    };
    let (ways, never) = match ways.strip_prefix("free ") {
        Some(ways) => (ways, ""),
        None => (ways.as_str(), "never  back"),
    };
    let (third, its) = match players {
        3 => (
            ", Red facing north",
            "\n  place man of Red at row(4) times 2",
        ),
        _ => ("", ""),
    };
    let (columns, rows) = BOARD;
    format!(
        "game \"Behind\"\n\nplayers White facing north, Black facing south{third}\nboard   square({columns}, {rows}) stacking\n\
         piece   man\n\ndefine early     = turns < 3\ndefine beside(c) = adjacent(c, orthogonal)\n\n\
         keep met   = no each turn\nkeep taken = no\nkeep n     = 0\nkeep far   = nowhere\n\n\
         setup {{\n  place man of White at row(1) times 2\n  place man of Black at row({rows}) times 2{its}\n}}\n\n\
         turn {{\n  choose who in own where height of it > 1\n  let men = height of who\n  lift who\n  trail {{\n    start  who\n    \
         step   {ways} [ here | any as next ] \"{{here}}-{{next}}\" {{\n      {doing}\n      drop at next\n    }}\n    \
         {never}\n    length men steps\n    finish any as last\n  }}\n  {behind}\n}}\n\n\
         end after turn {{\n  draw \"late\" when turns = 60\n  {end}\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// A position: mostly players stand on cells of one colour each.
fn made_up(plain: &Engine, players: usize, rng: &mut Rng) -> Option<Position> {
    let (columns, rows) = BOARD;
    let letters = ["M", "m", "M'"];
    let names = ["w", "b", "r"];
    let of = |n: usize, rng: &mut Rng| rng.index(n).unwrap_or(0);
    let (many, mixed) = (2 + of(14, rng), of(6, rng) == 0);
    let mut cells = vec![String::from("."); columns * rows];
    for _ in 0..many {
        let at = of(cells.len(), rng);
        let colour = (at % columns + at / columns) % 2;
        let of_colour = colour
            + if players == 3 && colour == 1 {
                of(2, rng)
            } else {
                0
            };
        let who = if mixed { of(players, rng) } else { of_colour };
        let high = [1, 1, 1, 2, 2, 3, 4][of(7, rng)];
        cells[at] = match high {
            1 => letters[who].to_owned(),
            high => {
                let one = |_| match of(12, rng) == 0 {
                    true => letters[1 - who.min(1)],
                    false => letters[who],
                };
                format!("({})", (0..high).map(one).collect::<String>())
            }
        };
    }
    let row = |row: &[String]| {
        let runs = row.chunk_by(|a, b| a == "." && b == ".");
        let run = |run: &[String]| match run[0].as_str() {
            "." => run.len().to_string(),
            stack => stack.to_owned(),
        };
        runs.map(run).collect::<String>()
    };
    let lines: Vec<String> = cells.chunks(columns).map(row).collect();
    let board = lines.join("/");
    let turns = of(6, rng);
    let mover = names[of(players, rng)];
    let line = format!("{board} {mover} turns={turns}");
    plain.parse(&line).ok()
}

/// Lets it be tried however often it was in vain.
fn never_tire(kernel: &mut Kernel) {
    fn replace(body: &mut Body, vain: &[W]) {
        for stmt in body {
            if let Stmt::Let(_, word) = stmt
                && matches!(word, Word::Bin(Bin::Less, _, most) if vain.contains(most))
            {
                *word = Word::Const(1);
            }
            let inner = stmt.bodies_mut();
            inner.for_each(|body| replace(body, vain));
        }
    }
    if let Some(function) = kernel.functions.iter_mut().find(|f| f.name == "deeper") {
        let mut vain = Vec::new();
        each_statement(&function.body, &mut |stmt| {
            if let Stmt::Let(w, Word::Const(VAIN)) = stmt {
                vain.push(*w);
            }
        });
        replace(&mut function.body, &vain);
    }
}

/// Makes what is counted behind turns wrong.
fn spoil(kernel: &mut Kernel) {
    fn twice(body: &mut Body, to: W) {
        for stmt in std::mem::take(body) {
            match stmt {
                Stmt::Return(w) => {
                    body.push(Stmt::Let(to, Word::Bin(Bin::Add, w, w)));
                    body.push(Stmt::Return(to));
                }
                mut other => {
                    other.bodies_mut().for_each(|body| twice(body, to));
                    body.push(other);
                }
            }
        }
    }
    let of_next = |name: &str| name == "next regardless";
    for function in kernel.functions.iter_mut().filter(|f| of_next(&f.name)) {
        let to = W(function.words);
        function.words += 1;
        twice(&mut function.body, to);
    }
}

/// Compares; how many positions were, and in how many a number is wrong where it is counted wrongly behind turns.
fn hold(program: &Program, players: usize, positions: u64) -> Result<(usize, usize), String> {
    let plain = Engine::new(program.clone()).unwrap();
    let right = changed(program, never_tire);
    let wrong = changed(program, |kernel| {
        never_tire(kernel);
        spoil(kernel);
    });
    let (mut runner, mut spoilt) = (Runner::new(&right), Runner::new(&wrong));
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let Some(position) = made_up(&plain, players, &mut rng) else {
            continue;
        };
        let mut expected = vec![0; DEEP];
        if counts(&plain, &position, &mut expected).is_none() {
            continue;
        }
        for deep in 2..=DEEP {
            let (mut found, mut other) = (vec![0; deep], vec![0; deep]);
            runner.counts(&position, &mut found).unwrap();
            spoilt.counts(&position, &mut other).unwrap();
            if found != expected[..deep] {
                let line = plain.print(&position);
                return Err(format!("{found:?} instead of {expected:?}, in {line}"));
            }
            differ += usize::from(other != found);
        }
        compared += 1;
    }
    Ok((compared, differ))
}

#[test]
fn what_comes_behind_turns_is_counted_once() {
    let mut wrong = Vec::new();
    for ending in ENDINGS.trim().lines().map(str::trim) {
        for players in [2, 3] {
            // Of three players nobody knows to whom.
            if players == 3 && ending.contains("flip") {
                continue;
            }
            let source = Source::new(ending, game(ending, players));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("{:?}\n{}", compiled.diagnostics, source.text()));
                continue;
            };
            let meant = match (players, &ending[..3]) {
                (2, "yes") => 1..=usize::MAX,
                (_, "no ") => 0..=0,
                _ => 0..=usize::MAX,
            };
            match hold(&program, players, if slow() { 1000 } else { 60 }) {
                Ok((compared, differ)) if compared > 40 && meant.contains(&differ) => {}
                Ok((compared, differ)) => {
                    wrong.push(format!("{ending}, {players}: {differ} of {compared}"));
                }
                Err(what) => wrong.push(format!("{ending}, {players}: {what}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
