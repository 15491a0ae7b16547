//! Lists of random games in which a set stands for the actions that its cells tell: every engine answers as the plain one does, and
//! where it is meant to, such sets are listed.

use crate::common::slow;
use crate::engines::{dumps, hold};
use crate::putting::game_of_several;
use gambol::base::Source;

/// Boards with shifts and without, and sets of one word, of three and of five.
const BOARDS: &[&str] = &[
    "square(5, 5)",
    "square(6, 4) joined orthogonal",
    "hexagons(5, 4)",
    "square(4, 6) wrapping columns",
    "square(13, 12)",
    "square(18, 17)",
];

/// Rules, and whether on the first board their actions are listed by families.
const RULES: &[(&str, &str, bool)] = &[
    (
        "{a}-{t}",
        "line [ own as a | empty as t ]; move a to t",
        true,
    ),
    (
        "{a}-{t}",
        "line forward [ own as a | empty as t ]; move a to t",
        true,
    ),
    (
        "{a}x{t}",
        "line diagonal [ own as a | enemy as t ]; capture t; move a to t",
        true,
    ),
    (
        "{a}x{t}",
        "line [ own as a | enemy as v | empty as t ]; capture v; move a to t",
        true,
    ),
    (
        "{t}<{a}",
        "line orthogonal [ own as a | empty | empty as t ]; move a to t",
        true,
    ),
    (
        "{a}{v}{t}",
        "choose a in own; line [ a | empty as v | own as t ]; move a to v; capture t",
        true,
    ),
    (
        "{a}/{t}",
        "choose a in own in row(2); line forward [ a | empty as t ]; move a to t",
        true,
    ),
    (
        "{a}:{t}",
        "line [ own as a | 1.. empty | enemy as t ]; capture t",
        false,
    ),
    (
        "{a}={b}",
        "choose a in own; choose b in empty in adjacent of a; move a to b",
        false,
    ),
    (
        "{a}~{b}",
        "choose a in own where some (enemy in adjacent of it); choose b in empty in adjacent(a, orthogonal); move a to b",
        true,
    ),
    (
        "{a}!{b}",
        "choose a in own; choose b in enemy in adjacent(a, diagonal); require a in row(2) or count(enemy) > 1; capture b; move a to b",
        true,
    ),
];

#[test]
fn engines_agree_on_lists_by_families() {
    let mut wrong = Vec::new();
    for (b, board) in BOARDS.iter().enumerate() {
        for first in 0..RULES.len() {
            // Alone, and with one or two others, other ones on each board.
            for with in 0..3 {
                if !slow() && b > 0 && with != (first + b) % 3 {
                    continue;
                }
                let others = [1 + b, 3 + b].map(|on| RULES[(first + on) % RULES.len()]);
                let rules = [&[RULES[first]], &others[..with]].concat();
                let rules: Vec<(&str, &str)> = rules.iter().map(|r| (r.0, r.1)).collect();
                let name = format!("{rules:?} on {board}");
                let source = Source::new(name.clone(), game_of_several(board, &rules));
                let compiled = gambol::compile(&source, &[]);
                let Some(program) = compiled.program else {
                    panic!("{name} is no game: {:?}", compiled.diagnostics);
                };
                match hold(&name, &source, "", 20) {
                    Ok(line) if line.contains("gave up 0 times") => {}
                    Ok(line) | Err(line) => wrong.push(line),
                }
                let by_families = dumps(&program).contains(" by families()");
                if b == 0 && with == 0 && by_families != RULES[first].2 {
                    wrong.push(format!("{name}: by families is {by_families}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
