//! The house: layers, names, sizes and first lines of the source files.

use crate::common::{games, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which folder may use which others. `compile` and `engine` meet only in `program`.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("board", &[]),
    ("syntax", &["base"]),
    ("program", &["base", "board"]),
    ("model", &["base", "board", "syntax", "program"]),
    ("compile", &["base", "board", "model", "program"]),
    ("engine", &["base", "board", "program"]),
    ("tools", &["base", "board", "syntax", "engine", "program"]),
    (
        "cli",
        &[
            "base", "board", "syntax", "model", "compile", "program", "engine", "tools",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn all() -> Vec<(String, String)> {
    let src = root().join("src");
    let mut found = Vec::new();
    sources(&src, &mut found);
    found.sort();
    let name = |p: &PathBuf| p.strip_prefix(&src).unwrap().display().to_string();
    found
        .iter()
        .map(|p| (name(p), std::fs::read_to_string(p).unwrap()))
        .collect()
}

/// As [`all`], without unit tests in files of their own, and help for them: they are no part of the program.
fn program() -> Vec<(String, String)> {
    let mut program = all();
    program.retain(|(name, _)| !name.ends_with("testing.rs") && !name.ends_with("tests.rs"));
    program
}

/// The part of a file in front of its unit tests, without comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn layers_are_kept() {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    for (name, text) in program() {
        let Some((folder, _)) = name.split_once('/') else {
            continue;
        };
        let may = allowed
            .get(folder)
            .unwrap_or_else(|| panic!("{folder} is no layer"));
        for used in code(&text).split("crate::").skip(1) {
            let used: String = used
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let own = used == folder || !allowed.contains_key(used.as_str());
            let facade = ["cli", "tools"].contains(&folder) && !allowed.contains_key(used.as_str());
            assert!(
                own || facade || may.contains(&used.as_str()),
                "{name} uses {used}, which {folder} must not know"
            );
        }
        assert!(
            !code(&text).contains("super::super"),
            "{name} says super::super"
        );
        assert!(
            !code(&text)
                .lines()
                .any(|l| l.trim_start().starts_with("use ") && l.contains("::*")),
            "{name} imports everything"
        );
    }
}

#[test]
fn no_source_names_a_game() {
    let names: Vec<String> = games()
        .iter()
        .flat_map(|p| {
            let stem = p.file_stem().unwrap().to_str().unwrap().to_lowercase();
            [
                stem.replace('-', " "),
                stem.replace('-', ""),
                stem.replace('-', "_"),
            ]
        })
        .filter(|n| n.len() > 2)
        .collect();
    for (file, text) in all() {
        let words: Vec<String> = text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect();
        for name in &names {
            let said = if name.contains([' ', '_']) {
                text.to_lowercase().contains(name)
            } else {
                words.contains(name)
            };
            assert!(!said, "src/{file} names the game {name}");
        }
    }
}

#[test]
fn files_are_small_and_say_their_contract() {
    let mut lengths = Vec::new();
    for (name, text) in program() {
        assert!(
            text.starts_with("//! "),
            "{name} does not begin with its contract"
        );
        let lines = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap()
            .lines()
            .count();
        assert!(lines <= 700, "{name} has {lines} lines");
        lengths.push(lines);
    }
    lengths.sort_unstable();
    let nine_in_ten = lengths[lengths.len() * 9 / 10];
    assert!(
        nine_in_ten <= 400,
        "nine in ten files should have 400 lines or less, but {nine_in_ten}"
    );
}
