//! Every engine answers as the plain one does, in every position of random games: shipped games, odd sizes and options, and
//! the games of the manuals. `GAMBOL_PLIES=1000000` plays that many actions a game.

use crate::agree::{Depth, Match, of_few_statements, rivals};
use crate::common::{documented, game_named, games, settings, slow, source};
use gambol::base::Source;
use gambol::engine::Engine;
use gambol::program::Program;
use gambol::program::kernel::Work;
use std::time::{Duration, Instant};

/// Odd sizes and options.
pub const ODD: &[(&str, &str)] = &[
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
pub const RUNS: &[(&str, &str)] = &[
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

/// With more actions a game, all is asked in every hundredth position only, and lists of actions and outcomes in the others.
const MANY: usize = 5000;

/// How many actions are played, when it is said.
pub fn said() -> Option<usize> {
    std::env::var("GAMBOL_PLIES").ok()?.parse().ok()
}

/// Why engines were not found to answer the same.
pub enum Not {
    /// There are none but the plain one.
    Possible(String),
    /// They differ: where.
    Same(String),
}

/// What came of a comparison.
pub struct Compared {
    /// How many actions were played.
    pub actions: usize,
    /// How often an engine gave up.
    pub gave_up: u64,
    ready: Duration,
    whole: Duration,
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (actions, gave_up) = (self.actions, self.gave_up);
        let (ready, whole) = (self.ready.as_millis(), self.whole.as_millis());
        write!(
            f,
            "{actions} actions, gave up {gave_up} times, ready after {ready} ms, {whole} ms in all"
        )
    }
}

/// Holds the engines of a game against the plain one. Gives back a line about it.
pub fn hold(title: &str, source: &Source, options: &str, plies: usize) -> Result<String, String> {
    match compare(title, source, options, said().unwrap_or(plies)) {
        Ok(compared) => Ok(format!("{title} {options}: {compared}")),
        Err(Not::Possible(why)) => Ok(why),
        Err(Not::Same(what)) => Err(what),
    }
}

/// Plays so many actions of a game with all engines.
pub fn compare(title: &str, source: &Source, options: &str, plies: usize) -> Result<Compared, Not> {
    let began = Instant::now();
    let program = gambol::compile(source, &settings(options)).program;
    let program = program.unwrap_or_else(|| panic!("{title} {options} is no game"));
    let plain = Engine::new(program.clone()).unwrap();
    let all = rivals(&program, false)
        .map_err(|why| Not::Possible(format!("{title} {options}: {why}")))?;
    let ready = began.elapsed();
    let depth = Depth {
        pairs: if said().is_some() { 200 } else { 24 },
        every: if said().is_some_and(|n| n > MANY) {
            100
        } else {
            1
        },
    };
    let actions = Match::new(&plain, &all, depth)
        .play(1, plies)
        .map_err(|what| Not::Same(format!("{title} {options}: {what}")))?;
    Ok(Compared {
        actions,
        gave_up: all.iter().map(|r| r.engine.gave_up()).sum(),
        ready,
        whole: began.elapsed(),
    })
}

/// Holds games, and tells all differences at once.
fn hold_all<'a>(games: impl Iterator<Item = (String, Source, &'a str)>, plies: usize) {
    let mut wrong = Vec::new();
    let only = std::env::var("GAMBOL_GAME").ok();
    let asked = |title: &str| only.as_ref().is_none_or(|name| name == title);
    for (title, source, options) in games.filter(|g| asked(&g.0)) {
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
fn kernels_of_few_statements_do_the_same() {
    let shipped = games().into_iter().map(|path| (source(&path), ""));
    let odd = ODD.iter().filter(|_| slow());
    let odd = odd.map(|(name, options)| (source(&game_named(name)), *options));
    let depth = Depth {
        pairs: 24,
        every: 1,
    };
    for (source, options) in shipped.chain(odd) {
        let program = gambol::compile(&source, &settings(options)).program;
        let program = program.unwrap();
        let rivals = of_few_statements(&program).unwrap();
        let plain = Engine::new(program).unwrap();
        let plies = if slow() { 400 } else { 25 };
        let played = Match::new(&plain, &rivals, depth).play(3, plies);
        let played = played.unwrap_or_else(|what| panic!("{} {options}: {what}", source.name()));
        assert!(played > 0, "{} {options}", source.name());
        let gave_up: u64 = rivals.iter().map(|r| r.engine.gave_up()).sum();
        assert_eq!(gave_up, 0, "{} {options}", source.name());
    }
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

/// The kernels of a program as text.
pub fn dumps(program: &Program) -> String {
    let of = |work| gambol::compile::kernel::kernel(program, work, true).unwrap();
    (Work::ALL.map(|work| gambol::program::kernel::dump(&of(work)))).concat()
}

#[test]
fn engines_agree_while_answers_are_kept() {
    let source = Source::new("chains", include_str!("rules/chains.game"));
    let program = gambol::compile(&source, &[]).program.unwrap();
    let told = dumps(&program);
    assert!(told.contains(" within "), "no set is compared in one way");
    let line = hold("chains", &source, "", 1500).unwrap_or_else(|what| panic!("{what}"));
    assert!(line.contains("gave up 0 times"), "{line}");
}

#[test]
fn engines_agree_where_what_is_possible_stands_in_what_is_possible() {
    let source = Source::new("nested", include_str!("rules/nested.game"));
    let line = hold("nested", &source, "", 200).unwrap_or_else(|what| panic!("{what}"));
    assert!(line.contains("gave up 0 times"), "{line}");
}
