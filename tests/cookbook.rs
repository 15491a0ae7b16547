//! Holds the cookbook and the steps of the tutorial true: each entry is one whole game without findings, its random games come to
//! an end, and its examples hold.

use gambol::base::{Severity, Source};
use gambol::engine::{Engine, OutcomeResult, Position};
use gambol::tools::examples;
use gambol::tools::phrase;
use gambol::tools::playout::walk;
use gambol::tools::smoke::{Trial, smoke};
use std::fs;
use std::path::Path;

/// The most actions of a random game.
const LONGEST: usize = 2000;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The entries of the cookbook in their order: title and game.
fn entries() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in read("docs/cookbook.md").lines() {
        if let Some(title) = line.strip_prefix("### ") {
            found.push((title.to_owned(), String::new()));
        } else if line.starts_with("```") {
            inside = line == "```game";
        } else if let (true, Some((_, text))) = (inside, found.last_mut()) {
            text.push_str(line);
            text.push('\n');
        }
    }
    found
}

/// The engine of an entry, which has no errors and no warnings.
fn engine(title: &str, text: &str, options: &[(String, String)]) -> Engine {
    let compiled = gambol::compile(&Source::new(title, text), options);
    let mut found = compiled.diagnostics;
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("{title}: {found:#?}"));
    let engine = Engine::new(program).unwrap_or_else(|e| panic!("{title}: {e}"));
    found.extend(smoke(&engine, &Trial::default()).diagnostics);
    found.retain(|d| d.severity != Severity::Note);
    assert!(found.is_empty(), "{title}: {found:#?}");
    engine
}

#[test]
fn every_entry_is_a_game_that_ends() {
    let entries = entries();
    assert!(entries.len() >= 30, "only {} entries", entries.len());
    for (title, text) in entries {
        assert_eq!(text.matches("game \"").count(), 1, "{title}: one game each");
        let engine = engine(&title, &text, &[]);
        for seed in 1..=10 {
            let mut plies = 0;
            let mut over = false;
            walk(&engine, engine.initial(), seed, LONGEST, |visit| {
                plies = visit.ply;
                over = engine.outcome(visit.position)?.is_some();
                Ok::<(), gambol::engine::PlayError>(())
            })
            .unwrap_or_else(|e| panic!("{title}: {e}"));
            assert!(
                over,
                "{title}: game {seed} is not over after {plies} actions"
            );
        }
    }
}

#[test]
fn the_table_of_contents_lists_every_entry() {
    let page = read("docs/cookbook.md");
    let expected: Vec<String> = page
        .lines()
        .filter_map(|l| l.strip_prefix("### "))
        .map(|title| format!("[{title}](#{})", anchor(title)))
        .collect();
    let contents = page.split("\n## ").nth(1).unwrap_or("");
    let listed: Vec<String> = contents
        .lines()
        .filter(|l| l.starts_with("- "))
        .map(|l| l.trim_start_matches("- ").to_owned())
        .collect();
    assert_eq!(listed, expected);
}

/// The name under which a heading is found.
fn anchor(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-')
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn every_example_holds() {
    let mut wrong: Vec<String> = Vec::new();
    for (title, text) in entries() {
        let file = gambol::compile(&Source::new(&*title, &*text), &[]).file;
        let make = |settings: &[(String, String)]| Ok(engine(&title, &text, settings));
        let reports = examples::run(&file, &[], &make);
        assert!(!reports.is_empty(), "{title}: no example");
        for report in reports {
            let failures = report.failures.iter();
            wrong.extend(failures.map(|f| format!("{title}: {}: {:?}", report.title, f.finding)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The outcome of a position as an example writes it.
fn outcome(engine: &Engine, position: &Position) -> String {
    let Some(outcome) = engine.outcome(position).expect("an outcome") else {
        return "none".to_owned();
    };
    let program = engine.program();
    let winner = match outcome.result {
        OutcomeResult::Win(p) => Some(p),
        OutcomeResult::Scores { winner, .. } => winner,
        OutcomeResult::Lose(_) | OutcomeResult::Draw => None,
    };
    match winner {
        Some(p) => format!("{} wins \"{}\"", phrase::player(program, p), outcome.by),
        None => format!("draw \"{}\"", outcome.by),
    }
}

#[test]
fn every_step_of_the_tutorial_is_a_game_that_both_may_win() {
    for step in 1..=7 {
        let name = format!("docs/tutorial/step{step}.game");
        let engine = engine(&name, &read(&name), &[]);
        let mut winners: Vec<String> = Vec::new();
        for seed in 1..=40 {
            let mut last = None;
            walk(&engine, engine.initial(), seed, LONGEST, |visit| {
                last = Some(visit.position.clone());
                Ok::<(), gambol::engine::PlayError>(())
            })
            .unwrap_or_else(|e| panic!("{name}: {e}"));
            winners.extend(last.map(|position| outcome(&engine, &position)));
        }
        for player in ["White wins", "Black wins"] {
            let wins = winners.iter().filter(|w| w.starts_with(player)).count();
            assert!(wins >= 10, "{name}: {player} {wins} times: {winners:?}");
        }
        assert!(!winners.contains(&"none".to_owned()), "{name}: not over");
    }
}
