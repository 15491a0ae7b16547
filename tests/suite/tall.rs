//! High piles that choices ask for, kept as sets: every engine answers as the plain one does whatever is done to piles, and the sets are
//! kept where they are meant to be.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::kernel::Work;

/// Rules that are played beside each other, and the heights that are kept.
const GAMES: &[(&[&str], &[u64])] = &[
    (
        &["choose s in own where height of it > 1; capture top of s"],
        &[2],
    ),
    (
        &[
            "choose s in own where height of it >= 3; capture s",
            "choose s in own; require 2 < height of s; flip s",
        ],
        &[3],
    ),
    (
        &[
            "choose s in own; require not height of s < 2; choose t in adjacent of s; move s to t",
            "choose s in enemy where height of it > 2 or it in corners; capture top of s",
        ],
        &[2, 3],
    ),
    // A third height is looked for in the piles.
    (
        &[
            "choose s in own where height of it > 1; place man at s times 2",
            "choose s in own where height of it > 4; remove s",
            "choose s in own where height of it > 3; capture top of s",
        ],
        &[2, 4],
    ),
    // Tops under others, and pieces onto several cells.
    (
        &[
            "choose s in occupied where height of it > 1; choose t in adjacent of s; capture top of s under t",
            "choose s in own where height of it <= 1; place man at adjacent of s",
        ],
        &[2],
    ),
    // Higher than any pile can be.
    (
        &[
            "choose s in own where height of it < 1000000000; flip s",
            "choose s in own where height of it > 63; remove s",
        ],
        &[],
    ),
    // Lifted once, and what is found behind it.
    (
        &[
            "choose s in own where height of it > 1 and height of it < 3; choose t in adjacent of s; lift s; drop at t; drop at s",
            "choose s in own where height of it >= 3; capture top of s",
        ],
        &[2, 3],
    ),
    (
        &[
            "choose s in own; flip s",
            "choose s in own where 1 > height of it; remove s",
        ],
        &[],
    ),
];

/// Lifts that come one after the other: what is up there is not known.
const LIFTS: &str = "choose s in own where height of it = 2; lift s; choose t in own where height of it = 1; lift t; drop at s; drop at t; drop at t";

fn game(board: &str, rules: &[&str]) -> String {
    let (mut texts, mut names) = (String::new(), Vec::new());
    for (i, rule) in rules.iter().enumerate() {
        let tells = if rule.contains("choose t") {
            "{s}-{t}"
        } else {
            "{s}"
        };
        let rule = rule.replace("; ", "\n  ");
        texts += &format!("rule Do{i} \"{i}:{tells}\" {{\n  {rule}\n}}\n\n");
        names.push(format!("Do{i}"));
    }
    format!(
        "game \"Tall\"\n\nplayers White facing north, Black facing south\nboard   {board} stacking\npiece   man\n\n\
         setup {{\n  for each p in players {{\n    place man of p at row(1) seen by p times 2\n    \
         place man of p at row(2) seen by p times 1\n    place man of p at corners and rows(1..2) seen by p times 2\n  }}\n}}\n\n\
         {texts}turn {} otherwise pass\n\n\
         end after turn {{\n  draw \"long\" when turns = 40\n}}\n",
        names.join(" or ")
    )
}

#[test]
fn high_piles_are_kept_as_sets() {
    let mut wrong = Vec::new();
    let boards = ["square(4, 5)", "square(9, 8)"];
    for board in &boards[..if slow() { 2 } else { 1 }] {
        for (rules, heights) in GAMES.iter().copied().chain([(&[LIFTS][..], &[][..])]) {
            let name = format!("{} on {board}", rules.join(" / "));
            let source = Source::new(name.clone(), game(board, rules));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("{:?}\n{}", compiled.diagnostics, source.text()));
                continue;
            };
            match kernel(&program, Work::Games, true) {
                Ok(kernel) if kernel.tall == heights => {}
                Ok(kernel) => wrong.push(format!("{name}: kept are {:?}", kernel.tall)),
                Err(why) => wrong.push(format!("{name}: {why}")),
            }
            match hold(&name, &source, "", if slow() { 600 } else { 120 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
