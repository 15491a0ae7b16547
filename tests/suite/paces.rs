//! Trails of a given number of steps: whether they can be gone on with to their end is looked up where only the board can hinder
//! them, and tried elsewhere. Every engine answers as the plain one does; what is meant to be looked up has a table, and is counted
//! before anything is noted.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::kernel::{Body, Stmt, Work, each_statement};

/// Stacks that are sown. Of each trail: whether something of it is looked up, the directions of its steps, what they may step on, what
/// they do, what is never done, how many there are, and what is asked behind them.
pub const SOWN: &str = "
    yes | orthogonal | any | | back | men |
    yes | diagonal | any | | back | men |
    yes | orthogonal | any | | straight | men |
    no  | orthogonal | any | | twice | men |
    no  | orthogonal | own or empty | | back | men |
    yes | orthogonal | any except corners | | back | men |
    yes | orthogonal | any | | back | men | capture enemy in adjacent of last
    no  | orthogonal | any | | back | men | require count(own) > 2
    no  | (if count(own) > 7 then orthogonal else diagonal) | any | | back | men |
    yes | (if early then forward else orthogonal) | any | | back | men |
    yes | (if early then forward else orthogonal) | any | if early and next in empty { set met = yes } | back | men | require met or not early
    yes | (if early then forward else if late then diagonal else orthogonal) | any | if next in empty { set met = yes } | back | men | require met or late
    yes | orthogonal | any | if next in empty { set met = yes } | back | men | require met
    yes | orthogonal | any | if next in empty { set met = yes } | back | men - 4 | require met
    no  | orthogonal | any | if next in enemy { set met = yes } | back | men | require met
    no  | orthogonal | any | if next in empty { set met = yes }; if next in enemy { set met = no } | back | men | require met
    no  | orthogonal | any | if next in empty { set met = yes } else { capture enemy in adjacent of next } | back | men | require met
    no  | orthogonal | any | if next in empty { set met = yes } | back | men | if count(own) > 6 { set met = no }; require met
";

/// Walks on which nothing is taken along; what stands around their end changes sides.
pub const WALKED: &str = "
    yes | orthogonal | any | | back | 3 |
    yes | orthogonal | any | mark next as trod | back | 3 |
    yes | orthogonal | any | | back | count(own) |
    yes | orthogonal | any | | back | count(own) - 6 |
    yes | orthogonal | any | | back | count(own) - 10 |
    no  | orthogonal | any except trod | mark next as trod | back | 3 |
    yes | orthogonal | any | if next in enemy { set met = yes } | back | 3 | require met
    no  | orthogonal | any | if next in trod { set met = yes }; mark next as trod | back | 5 | require met
    yes | (if early then forward else orthogonal) | any | if next in enemy { set met = yes } | back | 2 | require met or early
";

/// A game with a trail.
pub fn game(board: &str, trail: &str, sown: bool) -> String {
    let parts: Vec<String> = (trail.split(" |"))
        .map(|part| part.trim().replace("; ", "\n  "))
        .collect();
    let [_, ways, on, doing, never, many, behind] = parts.as_slice() else {
        panic!("a trail has seven parts: {trail}");
    };
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
         keep met = no each turn\nkeep trod = none each turn\n\n\
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

/// Whether those who count what a turn may begin with count something before they note anything.
fn counts_first(source: &Source) -> Result<bool, String> {
    let program = gambol::compile(source, &[]).program;
    let kernel = kernel(&program.ok_or("no game")?, Work::Counting, true)?;
    let begins = |entries: &[_]| -> Option<bool> {
        let first: &gambol::program::kernel::Entry = entries.first()?;
        let count = kernel.functions.get(first.counting?.count.0 as usize)?;
        // Where it is asked first how many turns there were, one of the answers may leave nothing to look up.
        let arms: Vec<&Body> = match count.body.last()? {
            Stmt::If(_, yes, no) if !yes.is_empty() && !no.is_empty() => vec![yes, no],
            _ => vec![&count.body],
        };
        let mut firsts = arms.into_iter().filter_map(|arm| {
            let mut order = Vec::new();
            each_statement(arm, &mut |stmt| match stmt {
                Stmt::Tally(_) => order.push(true),
                Stmt::StoreLogged(..) | Stmt::Mark(_) => order.push(false),
                _ => {}
            });
            order.first().copied()
        });
        Some(firsts.any(|first| first))
    };
    Ok(kernel.entries.iter().all(|all| begins(all) == Some(true)))
}

fn hold_all(boards: &[&str], trails: &str, sown: bool) {
    let mut wrong = Vec::new();
    for board in boards {
        for trail in trails.trim().lines() {
            let name = format!("{} on {board}", trail.trim());
            let source = Source::new(name.clone(), game(board, trail, sown));
            let meant = trail.trim().starts_with("yes");
            match looks_up(&source) {
                Ok(true) if sown && counts_first(&source) != Ok(true) => {
                    wrong.push(format!("{name}: something is noted first"));
                }
                Ok(found) if found == meant => {}
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
