//! Lists that are a few sets, also where something else is listed instead: every engine answers as the plain one does, all of them play
//! the same random games, and where it is meant to, sets are drawn from as they are found out.

use crate::common::slow;
use crate::engines::{dumps, hold};
use crate::outgrown::random_game;
use gambol::base::Source;

/// Sets of one word, of two, of three and of five.
const BOARDS: &[&str] = &[
    "square(6, 6)",
    "hexagons(6, 6)",
    "square(13, 12)",
    "square(18, 17)",
];

/// Rules, a turn of them, and how often random games draw a cell of a set: once from the lists in memory of both players, or for each
/// player once from sets of each kind and, where there is one, once from the list.
const GAMES: &[(&str, &str, usize)] = &[
    (
        "Step \"{a}-{b}\" { line forward [ own as a | empty as b ]; move a to b }
         Take \"{a}x{b}\" { line backward [ own as a | enemy as b ]; capture b; move a to b }",
        "Step or Take",
        4,
    ),
    (
        "Step \"{a}-{b}\" { line forward [ own as a | empty as b ]; move a to b }
         Put \"*{b}\" { choose b in empty in row(3); place man at b }",
        "Step or Put",
        4,
    ),
    // A path of one length and of another, and one that is there sometimes.
    (
        "Step \"{a}-{b}\" { line forward [ own as a | empty as b ]; move a to b }
         Put \"*{b}\" { require count of own < 9; choose b in empty; place man at b }",
        "Put or Step",
        4,
    ),
    // Fronts of runs stand in the list itself.
    (
        "Run \"{first of a}-{last of b}\" { line [ n own as a | 1..n empty as b ]; advance a by count of b }
         Put \"*{b}\" { choose b in empty in row(3); place man at b }
         Fall \"x{b}\" { choose b in enemy in adjacent of own; capture b }",
        "Run or Put or Fall",
        2,
    ),
    // One or the other.
    (
        "Take \"{a}\" { trail { start own as a step orthogonal [ here | enemy as v | empty as next ] \"x{next}\" { move here to next; capture v } length full } }
         Step \"{a}-{b}\" { line forward [ own as a | empty as b ]; move a to b }
         Put \"*{b}\" { require count of own < 9; choose b in empty; place man at b }",
        "Take otherwise Step or Put",
        6,
    ),
    (
        "Take \"{a}\" { trail { start own as a step orthogonal [ here | enemy as v | empty as next ] \"x{next}\" { move here to next; capture v } length full } }
         Put \"*{b}\" { choose b in empty; require no enemy in adjacent of b; place man at b }
         Pass \"pass\" { pass }",
        "Take preferring most captures otherwise Put or Pass",
        1,
    ),
    // Beside each other: what is listed in memory stands between the sets.
    (
        "Put \"*{b}\" { choose b in empty in row(2); place man at b }
         Hop \"{a}>{b}\" { choose a in own; choose b in empty in adjacent of a; move a to b }
         Fall \"x{b}\" { choose b in enemy in adjacent of own; capture b }",
        "Put or Hop or Fall",
        1,
    ),
    (
        "Put \"*{b}\" { choose b in empty in row(2); place man at b }
         Take \"{a}\" { trail { start own as a step orthogonal [ here | enemy as v | empty as next ] \"x{next}\" { move here to next; capture v } length full } }
         Step \"{a}-{b}\" { line forward [ own as a | empty as b ]; move a to b }",
        "{ Take otherwise Step } or Put",
        1,
    ),
];

fn game(board: &str, rules: &str, turn: &str) -> String {
    let mut texts = String::new();
    for rule in rules.lines() {
        texts += &format!("rule {}\n\n", rule.trim().replace("; ", "\n"));
    }
    format!(
        "game \"Few\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p }}\n}}\n\n\
         {texts}turn {{ {turn} }}\n\n\
         end after turn {{\n  draw \"long\" when turns = 90\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

#[test]
fn engines_agree_where_lists_are_a_few_sets() {
    let mut wrong = Vec::new();
    for (b, board) in BOARDS.iter().enumerate() {
        for (g, (rules, turn, draws)) in GAMES.iter().enumerate() {
            if !slow() && b > 0 && (b + g) % 2 != 0 {
                continue;
            }
            let name = format!("{turn} {g} on {board}");
            let source = Source::new(name.clone(), game(board, rules, turn));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("{name} is no game: {:?}", compiled.diagnostics));
                continue;
            };
            match hold(&name, &source, "", if slow() { 1000 } else { 120 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
            let drawn = random_game(&dumps(&program)).matches("= nth s").count();
            if b == 0 && drawn != *draws {
                wrong.push(format!("{name}: {drawn} draws"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
