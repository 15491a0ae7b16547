//! Rules that ask how many turns there were: every engine answers as the plain one does before, when and after that is beyond all that
//! they compare it with, and where it is meant to, random games do not ask any more then.

use crate::engines::{dumps, hold};
use gambol::base::Source;

/// Sets of one word and of two.
const BOARDS: &[&str] = &["square(6, 6)", "hexagons(7, 7)"];

/// Turns, and whether much of them is not needed later.
const TURNS: &[(&str, bool)] = &[
    ("if turns < 3 { Step } else { Take otherwise Step }", true),
    ("if 3 <= turns { Take otherwise Step } else { Step }", true),
    (
        "if turns = 2 { Take otherwise Jump otherwise Step } else { Step }",
        true,
    ),
    (
        "if turns != 4 { Step } else { Take otherwise Jump otherwise Step }",
        true,
    ),
    (
        "if turns > 5 or turns = 1 { Step } else { Jump otherwise Step }",
        true,
    ),
    (
        "if turns < 2 { Step } else if turns < 4 { Jump otherwise Step } else { Take otherwise Step }",
        true,
    ),
    (
        "if not (turns <= 0) { Step } else { Take otherwise Jump otherwise Step }",
        true,
    ),
    (
        "let early = turns < 3; Step; if early { set near = near + 1 }; require early or near > 2",
        true,
    ),
    // What grows is compared with something that grows as well.
    (
        "if turns < near + 3 { Step } else { Take otherwise Step }",
        false,
    ),
    (
        "if turns mod 3 = 1 { Take otherwise Step } else { Step }",
        false,
    ),
    ("Take otherwise Step", false),
];

fn game(board: &str, turn: &str) -> String {
    let turn = turn.replace("; ", "\n  ");
    format!(
        "game \"Outgrown\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         keep near = 0\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p }}\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  line [ own as mover | empty as target ]\n  move mover to target\n}}\n\n\
         rule Jump \"{{mover}}^{{target}}\" {{\n  line [ own as mover | any as over | empty as target ]\n  move mover to target\n  set near = near + 1\n}}\n\n\
         rule Take \"{{mover}}x{{target}}\" {{\n  line [ own as mover | enemy as target ]\n  capture target\n  move mover to target\n}}\n\n\
         turn {{\n  {turn}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 60\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// What the function that plays random games does.
pub fn random_game(kernels: &str) -> &str {
    let game = kernels.split_once("function random game()");
    game.map_or("", |(_, game)| game.split_once("\n}").map_or(game, |g| g.0))
}

/// How many loops a random game consists of.
fn loops(kernels: &str) -> usize {
    (random_game(kernels).lines())
        .filter(|line| line.starts_with("  loop "))
        .count()
}

#[test]
fn engines_agree_when_openings_are_over() {
    let mut wrong = Vec::new();
    for board in BOARDS {
        for (turn, later) in TURNS {
            let name = format!("{turn} on {board}");
            let source = Source::new(name.clone(), game(board, turn));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                panic!("{name} is no game: {:?}", compiled.diagnostics);
            };
            match hold(&name, &source, "", 120) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
            let loops = loops(&dumps(&program));
            if loops != if *later { 2 } else { 1 } {
                wrong.push(format!("{name}: {loops} loops"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
