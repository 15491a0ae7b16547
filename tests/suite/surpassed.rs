//! The best of what can be done, found while it is listed: every engine answers as the plain one does, and it is found so where it is
//! meant to be, and only there.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::kernel::{Kernel, Stmt, Work, each_statement};

/// A chain of jumps, and what else the rules beside it and turns are made of.
const CHAIN: &str = "trail {
    start  own as jumper
    step   orthogonal [ here | enemy as victim | empty as next ] \"x{next}\" {
      move here to next
      BODY
    }
    never  back
    length full
  }";

/// A rule that goes through cells behind where ways meet again: comparisons stand in loops.
const SPREAD: &str = "choose x in own
  if column(x) mod 2 = 1 { set score = 1 } else { set score = 2 }
  choose y in empty
  set score = score * row(y) + column(y) mod 2
  if score > 3 { place man at y } else { move x to y }";

/// What a step of the chain does besides, what a turn is, and whether the best is found while chains are listed.
const GAMES: &[(&str, &str, bool)] = &[
    (
        "capture victim; set score = score + row(next)",
        "Chain preferring most captures otherwise Walk",
        true,
    ),
    (
        "capture victim; set score = score + column(next)",
        "Chain preferring least score otherwise Walk",
        true,
    ),
    // Numbers below nought, and as many on several ways.
    (
        "capture victim; set score = score - column(next) mod 2",
        "Chain preferring most score otherwise Walk or Enter",
        true,
    ),
    (
        "capture victim; set score = 0 - row(next)",
        "{ Chain preferring most score } or Enter otherwise Walk",
        true,
    ),
    // Not captured at once: the chain turns back at the edge.
    (
        "flip victim; set score = score + 1",
        "Chain preferring least captures otherwise Walk",
        true,
    ),
    // What comes behind may hinder: that the best is among what is hindered is not seen in a list.
    (
        "capture victim; set score = score + row(next)",
        "{ Chain preferring most captures; require score mod 2 = 0 } otherwise Walk",
        false,
    ),
    ("capture victim", "Spread preferring most score", true),
    (
        "capture victim",
        "Spread preferring least score otherwise Chain",
        true,
    ),
    // A number that is another one when the action is complete.
    (
        "capture victim",
        "Chain preferring most (if can Late then 1 else 0) otherwise Walk",
        false,
    ),
    // A second action behind the first.
    (
        "capture victim; set score = score + row(next)",
        "{ Chain; Walk } preferring most score otherwise Walk",
        false,
    ),
    (
        "capture victim; set score = score + row(next)",
        "{ Chain preferring most captures; Walk } otherwise Walk",
        false,
    ),
];

fn game(board: &str, step: &str, turn: &str) -> String {
    let chain = CHAIN.replace("BODY", &step.replace("; ", "\n      "));
    let turn = format!("turn {{\n  {turn} otherwise pass\n}}");
    format!(
        "game \"Surpassed\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         keep score = 0 each turn\n\n\
         setup {{\n  for each p in players {{\n    place man of p at (rows(1..2) and dark) seen by p\n    \
         deal man to p times 4\n  }}\n}}\n\n\
         rule Chain \"{{jumper}}\" {{\n  {chain}\n}}\n\n\
         rule Walk \"{{mover}}-{{target}}\" {{\n  line [ own as mover | empty as target ]\n  move mover to target\n}}\n\n\
         rule Spread \"{{x}}:{{y}}\" {{\n  {SPREAD}\n}}\n\n\
         rule Late \"late{{x}}\" {{\n  require actions > 0\n  choose x in own\n}}\n\n\
         rule Enter \"+{{spot}}\" {{\n  require hand of me > 0\n  choose spot in empty\n  enter man at spot\n}}\n\n\
         {turn}\n\nend after turn {{\n  draw \"long\" when turns = 60\n}}\n"
    )
}

/// Whether what lists finds a best by calling something for it.
fn finds_first(kernel: &Kernel) -> bool {
    let lists = kernel.entries.iter().flatten().map(|entry| entry.list);
    let mut open: Vec<_> = lists.collect();
    let mut seen = Vec::new();
    while let Some(id) = open.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        each_statement(&kernel.functions[id.0 as usize].body, &mut |stmt| {
            if let Stmt::Call(callee, ..) = stmt {
                open.push(*callee);
            }
        });
    }
    let is_best = |name: &str| name.contains("Best(");
    (seen.iter()).any(|id| is_best(&kernel.functions[id.0 as usize].name))
}

#[test]
fn the_best_is_found_while_it_is_listed() {
    let mut wrong = Vec::new();
    let boards = ["square(5, 5)", "square(8, 7)"];
    for board in &boards[..if slow() { 2 } else { 1 }] {
        for (step, turn, at_once) in GAMES {
            let name = format!("{turn}, {step} on {board}");
            let source = Source::new(name.clone(), game(board, step, turn));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("{:?}\n{}", compiled.diagnostics, source.text()));
                continue;
            };
            for work in [Work::Games, Work::Counting] {
                match kernel(&program, work, true) {
                    Ok(kernel) if finds_first(&kernel) != *at_once => {}
                    Ok(_) => wrong.push(format!("{name}: at once is not {at_once} in {work:?}")),
                    Err(why) => wrong.push(format!("{name}: {why}")),
                }
            }
            match hold(&name, &source, "", if slow() { 1000 } else { 200 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
