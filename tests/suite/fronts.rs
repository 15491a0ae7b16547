//! Pictures whose matches random games find by the fronts of their first runs: every engine answers as the plain one does, what is
//! drawn from is every legal action once, and where it is meant to, fronts are listed.

use crate::common::slow;
use crate::engines::{dumps, hold};
use crate::putting::game_of_several;
use gambol::base::Source;

/// Boards with sets of one word, of three and of five; with lines one cell long; and one on which lines come back.
const BOARDS: &[&str] = &[
    "square(6, 6)",
    "square(7, 5) joined orthogonal",
    "hexagons(5, 5)",
    "square(2, 9)",
    "square(13, 12)",
    "square(18, 17)",
    "square(5, 5) wrapping columns",
];

/// Rules that are played beside each other, and whether on the first board they are listed by fronts.
const GAMES: &[(&[(&str, &str)], bool)] = &[
    (
        &[(
            "{first of a}-{last of b}",
            "line [ n own as a | 1..n empty as b ]; advance a by count of b",
        )],
        true,
    ),
    (
        &[
            (
                "{first of a}-{last of b}",
                "line as way [ n own as a | 1..n empty as b ]; advance a by count of b",
            ),
            (
                "{first of a}x{first of f}",
                "line as way [ n own as a | 0..n-1 empty as b | whole 1..n-1 enemy as f ]; capture f; advance a by count of b + 1",
            ),
        ],
        true,
    ),
    // A set of cells stands beside the fronts.
    (
        &[
            (
                "{first of a}-{last of b}",
                "line [ n own as a | 1..n empty as b ]; advance a by count of b",
            ),
            (
                "*{spot}",
                "choose spot in empty in row(2); place man at spot",
            ),
        ],
        true,
    ),
    // What goes on comes first, and takes other lengths than what ends.
    (
        &[
            (
                "{first of a}x{first of f}",
                "line [ n own as a | 1..3 empty as b | whole 1..2 enemy as f ]; capture f; advance a by count of b",
            ),
            (
                "{first of a}-{last of b}",
                "line [ n own as a | 2..n+1 empty as b ]; advance a by 1",
            ),
        ],
        true,
    ),
    (
        &[(
            "{first of a}x{v}>{t}",
            "line [ n own as a | 0..2 empty as b | enemy as v | empty as t ]; capture v; advance a by count of b",
        )],
        true,
    ),
    (
        &[(
            "{first of a}x{last of f}>{last of c}",
            "line forward [ n own as a | 0..n empty as b | whole 1..n+1 enemy as f | whole 1..4 empty as c ]; capture f",
        )],
        true,
    ),
    (
        &[(
            "{first of a}:{last of f}",
            "line diagonal [ n own as a | 1..n enemy as f ]; capture f",
        )],
        true,
    ),
    // Fewer of the second run than none where the first is short.
    (
        &[(
            "{first of a}-{last of b}",
            "line [ n own as a | 1..n-2 empty as b ]; advance a by count of b",
        )],
        true,
    ),
    // Some of what is listed is refused by another requirement.
    (
        &[(
            "{first of a}-{last of b}",
            "line [ n own as a | 1..n empty as b ]; advance a by count of b; require not mirrored(sideways)",
        )],
        true,
    ),
    // Only some of the own are meant, and what comes behind them is neither.
    (
        &[(
            "{first of a}-{last of b}",
            "line [ n own in rows(2..5) as a | 1..n empty in rows(1..4) as b ]; advance a by count of b",
        )],
        true,
    ),
    // As far as it goes; a run that is not counted.
    (
        &[(
            "{first of a}-{last of b}",
            "line [ n own as a | 1.. empty as b ]; advance a by count of b",
        )],
        false,
    ),
    (
        &[(
            "{first of a}-{last of b}",
            "line [ 2..3 own as a | 1..2 empty as b ]; advance a by count of b",
        )],
        false,
    ),
    // Two that end alike are listed one after the other.
    (
        &[
            (
                "{first of a}-{last of b}",
                "line [ n own as a | 1..n empty as b ]; advance a by count of b",
            ),
            (
                "{first of a}+{last of b}",
                "line [ n own as a | 1..n empty as b ]; advance a by 1",
            ),
        ],
        true,
    ),
    // Nothing stands behind the run.
    (&[("{first of a}", "line [ n own as a ]; capture a")], false),
    (
        &[
            (
                "{first of a}",
                "line as way [ n own as a ]; advance a by 1; require first of a not in row(1)",
            ),
            (
                "{first of a}-{last of b}",
                "line [ n own as a | 1..n empty as b ]; advance a by count of b",
            ),
        ],
        false,
    ),
    // The second run and what follows it are one class, and two ways to divide them have one text.
    (
        &[(
            "{first of a}/{t}",
            "line [ n own as a | 1..2 empty as b | 0..1 empty | enemy as t ]; capture t",
        )],
        false,
    ),
];

#[test]
fn engines_agree_on_fronts() {
    let mut wrong = Vec::new();
    for (b, board) in BOARDS.iter().enumerate() {
        for (g, (rules, by_fronts)) in GAMES.iter().enumerate() {
            if !slow() && b > 2 && (b + g) % 3 != 0 {
                continue;
            }
            let rules: Vec<(&str, &str)> =
                rules.iter().map(|(text, rule)| (*text, *rule)).collect();
            let name = format!("{rules:?} on {board}");
            let source = Source::new(name.clone(), game_of_several(board, &rules));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("{name} is no game: {:?}", compiled.diagnostics));
                continue;
            };
            match hold(&name, &source, "", if slow() { 400 } else { 60 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
            let listed = dumps(&program).contains("function behind a front");
            if b == 0 && listed != *by_fronts {
                wrong.push(format!("{name}: by fronts is {listed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
