//! `docs/agreement.md`: how many random actions of each shipped game, and of odd sizes, every engine was compared over with the plain
//! one, and with which kernels. Making it takes hours: `GAMBOL_WRITE=1 GAMBOL_PLIES=1000000` plays what was not yet played so far
//! with the kernels of now, `GAMBOL_GAME=name,…` only these games. With `GAMBOL_SLOW=1` all kernels must be those that were played.

use crate::common::{game_named, games, root, settings, slow, source};
use crate::engines::{Not, ODD, compare, dumps, said};
use gambol::base::Source;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// Odd sizes are played for so much less, and once more so much where there are more cells than this.
const LESS: usize = 10;
const LARGE: usize = 250;

/// What of one game, or one size of it, was compared.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    game: String,
    options: String,
    actions: usize,
    /// How often a kernel gave up, so that the plain engine answered.
    gave_up: u64,
    /// A number that follows from the text of the kernels.
    kernels: String,
}

fn page() -> PathBuf {
    root().join("docs/agreement.md")
}

/// The games and sizes, with nothing compared.
fn rows() -> Vec<Row> {
    let row = |game: &str, options: &str| Row {
        game: game.to_owned(),
        options: options.to_owned(),
        actions: 0,
        gave_up: 0,
        kernels: String::new(),
    };
    let shipped = games().into_iter().map(|path| {
        let name = path.file_stem().unwrap().display().to_string();
        row(&name, "")
    });
    let odd = ODD.iter().map(|(game, options)| row(game, options));
    shipped.chain(odd).collect()
}

/// The rows of the page.
fn written() -> Vec<Row> {
    let text = std::fs::read_to_string(page()).unwrap_or_default();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, game, options, actions, gave_up, kernels, _] = cells[..] else {
            return None;
        };
        Some(Row {
            game: game.to_owned(),
            options: options.to_owned(),
            actions: actions.parse().ok()?,
            gave_up: gave_up.parse().ok()?,
            kernels: kernels.trim_matches('`').to_owned(),
        })
    });
    rows.collect()
}

fn source_of(row: &Row) -> Source {
    source(&game_named(&row.game))
}

/// A number for the kernels of a game, and how many cells its board has.
fn kernels(row: &Row) -> (String, usize) {
    let program = gambol::compile(&source_of(row), &settings(&row.options)).program;
    let program = program.unwrap();
    let text = dumps(&program);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (format!("{:010x}", hash >> 24), program.board.len())
}

fn write(rows: &[Row]) {
    let mut text = String::from(
        "# How far the engines were compared\n\n\
         Random games in which the portable and the native engine answer as the plain one does: actions and their order, texts, what they\n\
         lead to, hashes, counts and outcomes, and what random games draw from. In every hundredth position all is asked, in the others\n\
         the actions, what they lead to, and the outcome. Where a kernel gives up, as in searches that go on for too long, the plain\n\
         engine has answered. The last column stands for the kernels that were played: a number that follows from their text. Made by\n\
         `tests/suite/agreement.rs`, see [testing.md](testing.md).\n\n\
         | game | options | actions | gave up | kernels |\n|---|---|--:|--:|---|\n",
    );
    for row in rows {
        let Row {
            game,
            options,
            actions,
            gave_up,
            kernels,
        } = row;
        writeln!(
            text,
            "| {game} | {options} | {actions} | {gave_up} | `{kernels}` |"
        )
        .unwrap();
    }
    std::fs::write(page(), text).unwrap();
}

/// Plays what was not played so far, and keeps the page up to date meanwhile. Gives back what differs.
fn play(most: usize) -> Vec<String> {
    let only = std::env::var("GAMBOL_GAME").ok();
    let known = written();
    let mut all = rows();
    for row in &mut all {
        if let Some(known) = (known.iter()).find(|k| k.game == row.game && k.options == row.options)
        {
            row.clone_from(known);
        }
    }
    let wrong = Mutex::new(Vec::new());
    let asked: Vec<usize> = (0..all.len())
        .filter(|at| {
            (only.as_ref()).is_none_or(|names| names.split(',').any(|n| n == all[*at].game))
        })
        .collect();
    let table = Mutex::new(all);
    asked.into_par_iter().with_max_len(1).for_each(|at| {
        let mut row = table.lock().unwrap()[at].clone();
        let (now, cells) = kernels(&row);
        let plies = match (row.options.is_empty(), cells > LARGE) {
            (true, _) => most,
            (false, false) => most / LESS,
            (false, true) => most / LESS / LESS,
        };
        if row.kernels == now && row.actions >= plies {
            return;
        }
        let title = format!("{} {}", row.game, row.options);
        match compare(&title, &source_of(&row), &row.options, plies) {
            Ok(found) => {
                eprintln!("{title}: {found}");
                (row.actions, row.gave_up, row.kernels) = (found.actions, found.gave_up, now);
                let mut table = table.lock().unwrap();
                table[at] = row;
                write(&table);
            }
            Err(Not::Same(what) | Not::Possible(what)) => wrong.lock().unwrap().push(what),
        }
    });
    wrong.into_inner().unwrap()
}

#[test]
fn engines_were_compared_over_all_that_the_page_says() {
    if let (Some(most), Ok("1")) = (said(), std::env::var("GAMBOL_WRITE").as_deref()) {
        let wrong = play(most);
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        return;
    }
    let there = written();
    let names = |rows: &[Row]| -> Vec<(String, String)> {
        rows.iter()
            .map(|row| (row.game.clone(), row.options.clone()))
            .collect()
    };
    assert_eq!(
        names(&there),
        names(&rows()),
        "docs/agreement.md has other games: run this test with GAMBOL_WRITE=1 GAMBOL_PLIES=1000000"
    );
    let few: Vec<&Row> = there.iter().filter(|row| row.actions < 10_000).collect();
    assert!(few.is_empty(), "these were hardly compared: {few:?}");
    let left: Vec<&Row> = (there.iter())
        .filter(|row| row.options.is_empty() && row.gave_up > 0)
        .collect();
    assert!(left.is_empty(), "kernels gave up in these: {left:?}");
    if slow() {
        let old: Vec<String> = (there.par_iter())
            .filter(|row| kernels(row).0 != row.kernels)
            .map(|row| format!("{} {}", row.game, row.options))
            .collect();
        assert!(
            old.is_empty(),
            "these have other kernels since they were compared:\n{}",
            old.join("\n")
        );
    }
}
