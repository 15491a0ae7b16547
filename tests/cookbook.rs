//! Holds the cookbook and the steps of the tutorial true: each entry is one whole game without findings, its random games come to
//! an end, and the examples of `tests/cookbook.txt` hold in it.

use gambol::base::{Severity, Source};
use gambol::engine::{Engine, OutcomeResult, Position};
use gambol::tools::phrase;
use gambol::tools::playout::walk;
use gambol::tools::smoke::{Trial, smoke};
use std::collections::BTreeMap;
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

/// An example: where it stands with its title, the options it sets, and its lines.
struct Example<'a> {
    place: String,
    options: Vec<(String, String)>,
    lines: Vec<(&'a str, &'a str)>,
}

/// The examples of each entry.
fn examples(text: &str) -> BTreeMap<&str, Vec<Example<'_>>> {
    let mut found: BTreeMap<&str, Vec<Example<'_>>> = BTreeMap::new();
    let mut entry = "";
    for (at, line) in text.lines().enumerate() {
        let place = format!("tests/cookbook.txt:{}", at + 1);
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "" | "//" => {}
            "#" => {
                entry = rest;
                found.entry(entry).or_default();
            }
            "example" => found.entry(entry).or_default().push(Example {
                place: format!("{place}: {entry}: {rest}"),
                options: settings(rest),
                lines: Vec::new(),
            }),
            _ => {
                let example = found.get_mut(entry).and_then(|list| list.last_mut());
                let example = example.unwrap_or_else(|| panic!("{place}: no example above"));
                example.lines.push((word, rest));
            }
        }
    }
    found
}

/// The options behind a title: `"title" with size = 4, rows = 1`.
fn settings(rest: &str) -> Vec<(String, String)> {
    let (_, list) = rest.split_once("\" with ").unwrap_or_default();
    list.split(", ")
        .filter_map(|part| part.split_once(" = "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn every_example_holds() {
    let table = read("tests/cookbook.txt");
    let mut examples = examples(&table);
    let mut wrong: Vec<String> = Vec::new();
    for (title, text) in entries() {
        let list = examples.remove(title.as_str()).unwrap_or_default();
        assert!(!list.is_empty(), "{title}: no example");
        for example in list {
            let engine = engine(&title, &text, &example.options);
            wrong.extend(
                hold(&engine, &example)
                    .err()
                    .map(|e| format!("{}: {e}", example.place)),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let left: Vec<&str> = examples.into_keys().collect();
    assert!(left.is_empty(), "docs/cookbook.md has no entry {left:?}");
}

/// Plays an example and asks what it says.
fn hold(engine: &Engine, example: &Example<'_>) -> Result<(), String> {
    let mut position = engine.initial();
    let mut asked = 0;
    for (word, rest) in &example.lines {
        asked += usize::from(!["position", "play"].contains(word));
        match *word {
            "position" => {
                let line = rest.trim_matches('"');
                position = engine.parse(line).map_err(|e| e.to_string())?;
            }
            "play" => {
                for action in rest.split(' ') {
                    let next = engine.play_text(&position, action);
                    position = next.map_err(|e| format!("{action}: {e:?}"))?;
                }
            }
            "becomes" => same(&engine.print(&position), rest.trim_matches('"'))?,
            "outcome" => same(&outcome(engine, &position), rest)?,
            "legal" | "illegal" => listed(engine, &position, word, rest)?,
            _ => return Err(format!("what is `{word}`?")),
        }
    }
    if asked == 0 {
        return Err("nothing is asked".to_owned());
    }
    Ok(())
}

fn same(found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("expected {expected}, found {found}"))
}

/// Compares the legal actions with those of an example.
fn listed(engine: &Engine, position: &Position, word: &str, rest: &str) -> Result<(), String> {
    let actions = engine.legal_actions(position).map_err(|e| e.to_string())?;
    let legal: Vec<&str> = actions.iter().map(|a| a.text.as_str()).collect();
    if let Some(only) = rest.strip_prefix("only ") {
        let mut only: Vec<&str> = only.split(' ').collect();
        only.sort_unstable();
        return same(&legal.join(" "), &only.join(" "));
    }
    match rest
        .split(' ')
        .find(|action| legal.contains(action) != (word == "legal"))
    {
        Some(action) => Err(format!("`{action}` is not {word}: {legal:?}")),
        None => Ok(()),
    }
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
