//! Trails of a given number of steps: whether they can be gone on with to their end is looked up where only the board can hinder
//! them, and tried elsewhere. Every engine answers as the plain one does; and what is meant to be looked up has a table.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::kernel::Work;

/// A trail: the directions of its steps, what they may step on, what they do, what is never done, how many there are, what is asked
/// behind them, and whether something of it is looked up.
struct Trail {
    ways: &'static str,
    on: &'static str,
    doing: &'static str,
    never: &'static str,
    many: &'static str,
    behind: &'static str,
    looked_up: bool,
}

const fn trail(
    (ways, on, doing): (&'static str, &'static str, &'static str),
    (never, many, behind): (&'static str, &'static str, &'static str),
    looked_up: bool,
) -> Trail {
    Trail {
        ways,
        on,
        doing,
        never,
        many,
        behind,
        looked_up,
    }
}

/// Stacks that are sown: boards on which they are, and trails.
const SOWN: &[Trail] = &[
    trail(("orthogonal", "any", ""), ("back", "men", ""), true),
    trail(("diagonal", "any", ""), ("back", "men", ""), true),
    trail(("orthogonal", "any", ""), ("straight", "men", ""), true),
    trail(("orthogonal", "any", ""), ("twice", "men", ""), false),
    trail(
        ("orthogonal", "own or empty", ""),
        ("back", "men", ""),
        false,
    ),
    trail(
        ("orthogonal", "any except corners", ""),
        ("back", "men", ""),
        true,
    ),
    trail(
        ("orthogonal", "any", ""),
        ("back", "men", "capture enemy in adjacent of last"),
        true,
    ),
    trail(
        ("orthogonal", "any", ""),
        ("back", "men", "require count(own) > 2 \"too few\""),
        false,
    ),
    trail(
        ("(if early then forward else orthogonal)", "any", ""),
        ("back", "men", ""),
        true,
    ),
    trail(
        (
            "(if early then forward else orthogonal)",
            "any",
            "if early and next in empty { set landed = yes }",
        ),
        (
            "back",
            "men",
            "require landed or not early \"nothing was met\"",
        ),
        true,
    ),
    trail(
        ("orthogonal", "any", "if next in empty { set landed = yes }"),
        ("back", "men", "require landed \"nothing was met\""),
        true,
    ),
    trail(
        ("orthogonal", "any", "if next in enemy { set landed = yes }"),
        ("back", "men", "require landed \"nothing was met\""),
        false,
    ),
    trail(
        (
            "(if early then forward else if late then diagonal else orthogonal)",
            "any",
            "if next in empty { set landed = yes }",
        ),
        ("back", "men", "require landed or late \"nothing was met\""),
        true,
    ),
    trail(
        (
            "(if count(own) > 7 then orthogonal else diagonal)",
            "any",
            "",
        ),
        ("back", "men", ""),
        false,
    ),
];

/// Walks on which nothing is taken along; what stands around their end changes sides.
const WALKED: &[Trail] = &[
    trail(("orthogonal", "any", ""), ("back", "3", ""), true),
    trail(
        ("orthogonal", "any", "mark next as trod"),
        ("back", "3", ""),
        true,
    ),
    trail(("orthogonal", "any", ""), ("back", "count(own)", ""), true),
    trail(
        ("orthogonal", "any", "if next in enemy { set landed = yes }"),
        ("back", "3", "require landed \"nothing was met\""),
        true,
    ),
    trail(
        (
            "orthogonal",
            "any",
            "if next in trod { set landed = yes }\n      mark next as trod",
        ),
        ("back", "5", "require landed \"nothing was met\""),
        false,
    ),
    trail(
        ("orthogonal", "any except trod", "mark next as trod"),
        ("back", "3", ""),
        false,
    ),
    trail(
        (
            "(if early then forward else orthogonal)",
            "any",
            "if next in enemy { set landed = yes }",
        ),
        ("back", "2", "require landed or early \"nothing was met\""),
        true,
    ),
];

fn game(board: &str, trail: &Trail, sown: bool) -> String {
    let Trail {
        ways,
        on,
        doing,
        never,
        many,
        behind,
        ..
    } = trail;
    let (kind, place, choice, before, drop, after) = if sown {
        (
            " stacking",
            " times 2 + count(own) mod 2",
            "own where height of it > 1",
            "let men = height of who\n  lift who",
            "drop at next",
            "",
        )
    } else {
        ("", "", "own", "", "", "flip occupied in adjacent of last")
    };
    format!(
        "game \"Paces\"\n\nplayers White facing north, Black facing south\nboard   {board}{kind}\npiece   man\n\n\
         define early = turns < 5\ndefine late  = turns > 9\n\n\
         keep landed = no each turn\nkeep trod = none each turn\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p{place} }}\n}}\n\n\
         turn {{\n  choose who in {choice}\n  {before}\n  trail {{\n    start  who\n    \
         step   {ways} [ here | {on} as next ] \"{{here}}-{{next}}\" {{\n      {doing}\n      {drop}\n    }}\n    \
         never  {never}\n    length {many} steps\n    finish any as last\n  }}\n  {behind}\n  {after}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 60\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// Whether a kernel has a table that says from which cells, or none, trails go on.
fn looks_up(source: &Source) -> Result<bool, String> {
    let compiled = gambol::compile(source, &[]);
    let Some(program) = compiled.program else {
        return Err(format!("{:?}\n{}", compiled.diagnostics, source.text()));
    };
    let kernel = kernel(&program, Work::Games, true)?;
    let row = program.board.len() + 1;
    let told = kernel.tables.iter().any(|t| t.len() == row && t[0] == 0);
    let met = kernel.rows.iter().any(|rows| rows.len() % row == 0);
    Ok(told || met)
}

fn hold_all(boards: &[&str], trails: &[Trail], sown: bool) {
    let mut wrong = Vec::new();
    for board in boards {
        for (at, trail) in trails.iter().enumerate() {
            let name = format!("trail {at} on {board}");
            let source = Source::new(name.clone(), game(board, trail, sown));
            match looks_up(&source) {
                Ok(found) if found == trail.looked_up => {}
                Ok(found) => wrong.push(format!("{name}: looked up is {found}")),
                Err(why) => {
                    wrong.push(format!("{name}: {why}"));
                    continue;
                }
            }
            match hold(&name, &source, "", if slow() { 400 } else { 60 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn sown_trails_are_looked_up() {
    let boards = ["square(5, 5)", "square(6, 12)", "square(3, 5)"];
    hold_all(&boards[..if slow() { 3 } else { 2 }], SOWN, true);
}

#[test]
fn walked_trails_are_looked_up() {
    let boards = ["square(5, 5)", "square(13, 12)", "square(2, 6)"];
    hold_all(&boards[..if slow() { 3 } else { 1 }], WALKED, false);
}
