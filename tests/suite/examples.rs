//! The examples that stand in the games: all hold, none is missing, and each rule of the five games is guarded by one: when the
//! rule is taken out or changed, an example fails.

use crate::common::{engine, game_named, games, root, source};
use gambol::base::Source;
use gambol::engine::{Engine, OutcomeResult};
use gambol::tools::examples::{self, Report};
use gambol::tools::playout::playout;
use std::path::{Path, PathBuf};

/// The games that stand alone in `games/`.
const FIVE: &[&str] = &[
    "intermedium",
    "network",
    "epaminondas",
    "guerilla",
    "emergo",
];

/// Runs the examples of a source.
fn run(source: &Source) -> Vec<Report> {
    let (file, _) = gambol::syntax::parse(source);
    examples::run(&file, &[], &|settings| {
        let compiled = gambol::compile(source, settings);
        let program = compiled.program.ok_or(compiled.diagnostics)?;
        Ok(Engine::new(program).unwrap())
    })
}

fn failed(report: &Report) -> bool {
    !report.failures.is_empty()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "game"))
        .collect();
    found.sort();
    found
}

#[test]
fn every_example_holds() {
    let (mut bad, mut all) = (Vec::new(), 0);
    for path in games().into_iter().chain(files("docs/examples")) {
        let reports = run(&source(&path));
        all += reports.len();
        for report in reports.iter().filter(|r| failed(r)) {
            bad.push(format!("{}: {report:#?}", path.display()));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(all > 100, "only {all} examples were run");
}

#[test]
fn every_game_has_examples() {
    let count = |path: &Path| run(&source(path)).len();
    for name in FIVE {
        let here = count(&game_named(name));
        assert!(here >= 8, "{name} has only {here} examples");
    }
    for path in files("games/classics") {
        assert!(count(&path) >= 1, "{} has none", path.display());
    }
    for path in files("games/variants") {
        assert!(count(&path) >= 2, "{} has too few", path.display());
    }
}

#[test]
fn games_of_the_variants_end_and_both_sides_win() {
    for path in files("games/variants") {
        let engine = engine(&path, "");
        let mut won = [0, 0];
        for seed in 0..12 {
            let game = playout(&engine, engine.initial(), seed, 4000).unwrap();
            match game.outcome.map(|o| o.result) {
                None => panic!("{}: game {seed} does not end", path.display()),
                Some(OutcomeResult::Win(p)) => won[usize::from(p.0)] += 1,
                Some(OutcomeResult::Lose(p)) => won[1 - usize::from(p.0)] += 1,
                Some(OutcomeResult::Scores {
                    winner: Some(p), ..
                }) => won[usize::from(p.0)] += 1,
                Some(OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. }) => {}
            }
        }
        assert!(won[0] > 0 && won[1] > 0, "{}: {won:?}", path.display());
    }
}

/// Whether the text is a game, and an example of it fails, where those of the unchanged game hold.
fn noticed(name: &str, text: String) -> bool {
    let changed = Source::new(format!("{name}.game"), text);
    let compiled = gambol::compile(&changed, &[]);
    if compiled.program.is_none() {
        eprintln!("{name}: no game {:#?}", compiled.diagnostics);
        return false;
    }
    run(&changed).iter().any(failed)
}

#[test]
fn every_requirement_is_shown() {
    let mut missing = Vec::new();
    for name in FIVE {
        let source = source(&game_named(name));
        let text = source.text();
        for (at, _) in text
            .match_indices("  require ")
            .chain(text.match_indices("{ require "))
        {
            // The test ends where its text begins, or with its line.
            let end = at + text[at..].find(['"', '\n']).unwrap();
            let changed = format!("{} or yes {}", &text[..end], &text[end..]);
            if !noticed(name, changed) {
                let line = text[at..].lines().next().unwrap();
                missing.push(format!("{name}: {line}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_end_is_shown() {
    let mut missing = Vec::new();
    for name in FIVE {
        let source = source(&game_named(name));
        let text = source.text();
        for (at, clause) in text.match_indices("\" when ") {
            let from = at + clause.len();
            let to = from + text[from..].find(['\n', '/']).unwrap();
            let changed = format!(
                "{}({}) and turns < 0 {}",
                &text[..from],
                &text[from..to],
                &text[to..]
            );
            if !noticed(name, changed) {
                missing.push(format!("{name}: {}", &text[from..to]));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A game, a part of its text, and what stands there instead: each must break an example.
const CHANGES: &[(&str, &str, &str)] = &[
    ("epaminondas", "1..n empty as path", "1.. empty as path"),
    ("epaminondas", "1..n empty as path", "n empty as path"),
    ("epaminondas", "0..n-1 empty as path", "0.. empty as path"),
    ("epaminondas", "0..n-1 empty as path", "0..0 empty as path"),
    ("epaminondas", "whole 1..n-1 enemy", "1..n-1 enemy"),
    ("epaminondas", "whole 1..n-1 enemy", "whole 1..n enemy"),
    ("epaminondas", "whole 1..n-1 enemy", "whole 1..1 enemy"),
    ("epaminondas", "capture foe", "capture first of foe"),
    ("epaminondas", "symmetry = free or front", "front"),
    ("epaminondas", "front not in back of them or ", ""),
    (
        "epaminondas",
        "front not in back of them",
        "front not in (back of them or back of me)",
    ),
    ("epaminondas", "or way in sideways", ""),
    ("epaminondas", ") > count(enemy", ") >= count(enemy"),
    ("epaminondas", " > count(enemy in back of me)", " > 0"),
    ("emergo", "    never  back\n", ""),
    (
        "emergo",
        "capture top of victim under next",
        "capture victim",
    ),
    ("emergo", "preferring most captures ", ""),
    (
        "emergo",
        "Capture preferring most captures otherwise Enter",
        "Capture or Enter",
    ),
    ("emergo", "require entry = free or hand", "require hand"),
    ("emergo", "entry = free or hand of me = 0 ", "entry = free "),
    ("emergo", "released or ", ""),
    (
        "emergo",
        "if no occupied { require spot",
        "if yes { require spot",
    ),
    (
        "emergo",
        "if shadow = on and hand of them",
        "if hand of them",
    ),
    ("emergo", "shadow = on and hand of them = 0", "shadow = on"),
    ("emergo", "no enemy and hand of them = 0", "no enemy"),
    ("emergo", "repetition = draw and ", ""),
    ("emergo", "occurrences = 3", "occurrences = 2"),
    ("emergo", "occurrences = 3", "occurrences = 4"),
    ("emergo", "draw \"blocked\" when", "lose \"blocked\" when"),
    ("network", "never   straight, twice", "never   twice"),
    ("network", "never   straight, twice", "never   straight"),
    ("network", "between not goals of p", "between any"),
    ("network", "finish  exit of p", "finish  any"),
    ("network", "need.. cells", "2.. cells"),
    ("network", "here | 0.. empty", "here | 0.. any"),
    ("network", "here | 0.. empty", "here | 0..1 empty"),
    ("network", "<= 2 \"three", "<= 3 \"three"),
    ("network", "<= 2 \"three", "<= 1 \"three"),
    (
        "network",
        "count(group of spot)",
        "count(own in adjacent of spot) + 1",
    ),
    ("network", "steps = adjacent then", "yes then"),
    ("network", "steps = adjacent then", "no then"),
    ("network", "both = opponent_wins or ", ""),
    ("network", "  again\n", ""),
    ("network", "turns = pie", "turns > 0"),
    ("network", "lose \"network\" when", "win \"network\" when"),
    ("network", "lose \"blocked\" when", "win \"blocked\" when"),
    ("network", "Drop or Swap", "Drop or Swap or Step"),
    ("intermedium", "    never  back\n", ""),
    ("intermedium", " where height of stack > 1", ""),
    ("intermedium", "if early then forward diagonal else ", ""),
    ("intermedium", "turns < 4", "turns < 3"),
    ("intermedium", "turns < 4", "turns < 5"),
    ("intermedium", "opening = advance and turns", "turns"),
    ("intermedium", "height of last = 2", "height of last >= 2"),
    ("intermedium", "height of last = 2", "height of last <= 2"),
    ("intermedium", "height of last = 2", "height of last > 2"),
    ("intermedium", " where all beside(it) in own", ""),
    (
        "intermedium",
        "some (city of them in beside(last)) and ",
        "",
    ),
    ("intermedium", " and all beside(city of them) in own", ""),
    ("intermedium", "if captures > 0 {", "if captures < 0 {"),
    (
        "intermedium",
        "lose \"no stack left\"",
        "draw \"no stack left\"",
    ),
    ("guerilla", " where count of family < max_group", ""),
    (
        "guerilla",
        "Found if possible",
        "repeat at most 1 times Found or until \"none\"",
    ),
    (
        "guerilla",
        "no (own or enemy) in adjacent",
        "no enemy in adjacent",
    ),
    (
        "guerilla",
        "no (own or enemy) in adjacent",
        "no own in adjacent",
    ),
    ("guerilla", "spot in outer(4)", "spot in outer(5)"),
    ("guerilla", "spot in outer(4)", "spot in outer(3)"),
    ("guerilla", "some occupied or spot", "spot"),
    (
        "guerilla",
        "band as piece | band |",
        "band as piece | own or enemy |",
    ),
    (
        "guerilla",
        "band as piece | band |",
        "band as piece | 1.. band |",
    ),
    ("guerilla", "no (own except band) in", "no own in"),
    (
        "guerilla",
        "count of family times Leap",
        "(count of family + 1) times Leap",
    ),
    (
        "guerilla",
        "count of family times Leap",
        "(count of family - 1) times Leap",
    ),
    (
        "guerilla",
        "with most count of it",
        "with least count of it",
    ),
    ("guerilla", "count of largest > 1", "count of largest > 2"),
    ("guerilla", "own except killers", "own"),
    ("guerilla", " except slain", ""),
    (
        "guerilla",
        "strength of killer > strength",
        "strength of killer >= strength",
    ),
    ("guerilla", "gap >= 2", "gap >= 1"),
    ("guerilla", "gap >= 2", "gap >= 3"),
    ("guerilla", "massacre = differs and ", ""),
    ("guerilla", "gap <= -2", "gap <= -3"),
    (
        "guerilla",
        "  repeat Kill",
        "  repeat Kill or until \"stay\"",
    ),
    ("guerilla", " except adjacent of stone of opponent of p", ""),
    (
        "guerilla",
        "empty in adjacent of stone of p",
        "adjacent of stone of p except stone",
    ),
    ("guerilla", "passes = 2", "passes = 1"),
];

#[test]
fn every_change_of_a_rule_is_noticed() {
    let mut missing = Vec::new();
    for (name, old, new) in CHANGES {
        let source = source(&game_named(name));
        let text = source.text();
        let there = text.matches(old).count();
        if there != 1 {
            missing.push(format!("{name}: {old} stands there {there} times"));
        } else if !noticed(name, text.replace(old, new)) {
            missing.push(format!("{name}: {old} -> {new}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
