//! Every engine answers as the plain one does, in every position of random games: shipped games, odd sizes and options, and
//! the games of the manuals. `GAMBOL_PLIES=1000000` plays that many actions a game.

use crate::agree::{Depth, Match, rivals};
use crate::common::{documented, game_named, games, settings, source};
use gambol::base::Source;
use gambol::engine::Engine;

/// Odd sizes and options.
const ODD: &[(&str, &str)] = &[
    ("epaminondas", "columns=2 rows=4 filled=1"),
    ("epaminondas", "columns=26 rows=3 filled=1"),
    ("epaminondas", "columns=3 rows=5 filled=1 symmetry=free"),
    ("epaminondas", "columns=4 rows=4 filled=1"),
    ("epaminondas", "columns=8 rows=8"),
    ("epaminondas", "columns=26 rows=26"),
    ("guerilla", "width=2 side=2"),
    ("guerilla", "width=3 side=5 massacre=differs"),
    ("guerilla", "width=5 side=3 max_group=3"),
    ("guerilla", "width=20 side=20"),
    ("network", "size=4 stones=3 need=3"),
    ("network", "size=5 stones=4 need=3 both=opponent_wins"),
    (
        "network",
        "size=6 stones=6 need=4 steps=anywhere both=opponent_wins pie=3",
    ),
    ("network", "size=11"),
    ("network", "size=26 stones=40"),
    ("emergo", "size=3 men=1"),
    ("emergo", "size=3 men=2 shadow=on entry=first"),
    ("emergo", "size=5 men=3"),
    ("emergo", "size=5 men=3 shadow=on entry=first"),
    ("emergo", "size=5 men=1 repetition=ignored"),
    ("emergo", "size=7 men=7 shadow=on"),
    ("emergo", "size=25 men=150"),
    ("intermedium", "rows=8 columns=3"),
    ("intermedium", "rows=12 columns=11 height=6 opening=free"),
    ("intermedium", "rows=26 columns=23 height=20"),
    ("amazons", "size=4"),
    ("amazons", "size=5 split=on"),
    ("breakthrough", "columns=2 rows=4 filled=1"),
    ("breakthrough", "columns=26 rows=26"),
    ("chess", "repetition=2 quiet_limit=8"),
    ("connect-four", "columns=20 rows=4"),
    ("connect-four", "columns=4 rows=26 need=3"),
    ("english-draughts", "size=4 filled=1"),
    ("english-draughts", "size=12 filled=4"),
    ("go", "size=2"),
    ("go", "size=4"),
    ("go", "size=13"),
    ("gomoku", "size=5 overline=wins"),
    ("gomoku", "size=19"),
    ("hex", "size=2"),
    ("hex", "size=3"),
    ("hex", "size=26"),
    ("lines-of-action", "size=5"),
    ("nine-mens-morris", "men=3"),
    ("nine-mens-morris", "men=12 flying=no"),
    ("reversi", "size=4"),
    ("reversi", "size=14"),
];

/// Boards on which a step is the same distance everywhere, and others.
const BOARDS: &[&str] = &[
    "square(6, 6)",
    "square(9, 5)",
    "square(7, 10)",
    "hexagons(5, 4)",
    "square(5, 5) joined orthogonal",
    "square(6, 6) without (c3 or d4)",
];

/// What rules with runs in their pictures do, and how they write it.
const RUNS: &[(&str, &str)] = &[
    (
        "{first of a}-{last of b}",
        "line as way [ n own as a | 1..n empty as b ]; advance a by count of b; require count(own in adjacent of last of b) < 5",
    ),
    (
        "{first of a}-{last of b}",
        "line [ n own as a | n empty as b ]; advance a by n",
    ),
    (
        "{first of a}-{t}",
        "line [ 2..3 own as a | empty as t ]; advance a by 1",
    ),
    (
        "{m}-{t}",
        "line [ whole 1.. enemy as foes | own as m | empty as t ]; move m to t; capture foes",
    ),
    (
        "{first of a}x{last of foes}",
        "line [ whole 1..3 own as a | 0..2 empty | whole 1..2 enemy as foes ]; capture foes",
    ),
    (
        "{first of a}x{last of b}",
        "line [ 1..2 own as a | enemy as f | 1..2 empty as b ]; capture f; advance a by 1",
    ),
    (
        "{first of a}x{t}",
        "line [ n own as a | 1..n-1 enemy as f | empty as t ]; advance f by 1; advance a by 1",
    ),
];

/// A small game with such a rule.
fn game_of_runs(board: &str, (text, rule): (&str, &str)) -> String {
    let rule = rule.replace("; ", "\n  ");
    format!(
        "game \"Runs\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p }}\n}}\n\n\
         rule Run \"{text}\" {{\n  {rule}\n}}\n\n\
         rule Step \"{{mover}}*{{target}}\" {{\n  line [ own as mover | empty as target ]\n  move mover to target\n}}\n\n\
         turn Run or Step\n\n\
         end after turn {{\n  draw \"long\" when turns = 90\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// How many actions are played, when it is said.
fn said() -> Option<usize> {
    std::env::var("GAMBOL_PLIES").ok()?.parse().ok()
}

/// Holds the engines of a game against the plain one. Gives back a line about it.
fn hold(title: &str, source: &Source, options: &str, plies: usize) -> Result<String, String> {
    let began = std::time::Instant::now();
    let program = gambol::compile(source, &settings(options)).program;
    let program = program.unwrap_or_else(|| panic!("{title} {options} is no game"));
    let plain = Engine::new(program.clone()).unwrap();
    let all = match rivals(&program, false) {
        Ok(all) => all,
        Err(why) => return Ok(format!("{title} {options}: {why}")),
    };
    let ready = began.elapsed();
    let depth = Depth {
        pairs: if said().is_some() { 200 } else { 24 },
    };
    let played = Match::new(&plain, &all, depth)
        .play(1, said().unwrap_or(plies))
        .map_err(|what| format!("{title} {options}: {what}"))?;
    let gave_up: u64 = all.iter().map(|r| r.engine.gave_up()).sum();
    Ok(format!(
        "{title} {options}: {played} actions, gave up {gave_up} times, ready after {} ms, {} ms in all",
        ready.as_millis(),
        began.elapsed().as_millis()
    ))
}

/// Holds games, and tells all differences at once.
fn hold_all<'a>(games: impl Iterator<Item = (String, Source, &'a str)>, plies: usize) {
    let mut wrong = Vec::new();
    for (title, source, options) in games {
        match hold(&title, &source, options, plies) {
            Ok(line) => eprintln!("{line}"),
            Err(what) => wrong.push(what),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn engines_agree_on_shipped_games() {
    let named =
        |p: std::path::PathBuf| (p.file_stem().unwrap().display().to_string(), source(&p), "");
    hold_all(games().into_iter().map(named), 60);
}

#[test]
fn engines_agree_on_odd_sizes() {
    let games = ODD.iter();
    let of = |(name, options): &(&str, &'static str)| {
        ((*name).to_owned(), source(&game_named(name)), *options)
    };
    hold_all(games.map(of), 30);
}

#[test]
fn engines_agree_on_the_games_of_the_manuals() {
    let games = documented();
    assert!(games.len() > 50, "only {} games", games.len());
    let of = |source: Source| (source.name().to_owned(), source, "");
    hold_all(games.into_iter().map(of), 30);
}

#[test]
fn engines_agree_on_pictures_of_runs() {
    let all = BOARDS
        .iter()
        .flat_map(|board| RUNS.iter().map(move |rule| (board, rule)));
    let of = |(board, rule): (&&str, &(&str, &str))| {
        let name = format!("{} on {board}", rule.1);
        let text = game_of_runs(board, *rule);
        (name.clone(), Source::new(name, text), "")
    };
    hold_all(all.map(of), 40);
}
