//! `docs/games.md` is made here from the games themselves; the test fails when it is out of date. `GAMBOL_WRITE=1` writes it.

use crate::common::{engine, games, root, source};
use gambol::model::words;
use gambol::tools::playout::playout;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Words that tell which forms a file uses.
const FORMS: &[&str] = &[
    "line",
    "trail",
    "choose",
    "let",
    "require",
    "set",
    "if",
    "for",
    "repeat",
    "otherwise",
    "preferring",
    "possible",
    "can",
    "where",
    "with",
    "from",
    "mark",
    "keep",
    "define",
    "until",
];

/// The text without examples, comments and quoted texts.
fn bare(text: &str) -> String {
    let mut inside = false;
    let rules = text.lines().filter(|line| {
        inside |= line.starts_with("example ");
        let shown = !inside;
        inside &= *line != "}";
        shown
    });
    let lines = rules.map(|l| l.split("//").next().unwrap());
    let mut out = String::new();
    for line in lines.filter(|l| !l.trim().is_empty()) {
        let parts: Vec<&str> = line.split('"').collect();
        out.extend(parts.iter().step_by(2).copied().chain(["\n"]));
    }
    out
}

fn row(path: &std::path::Path) -> String {
    let source = source(path);
    let engine = engine(path, "");
    let program = engine.program();
    let text = bare(source.text());
    let tokens: BTreeSet<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .collect();
    let forms: Vec<&str> = FORMS
        .iter()
        .filter(|f| tokens.contains(*f))
        .copied()
        .collect();
    let values = words::VALUES.iter().flat_map(|l| l.iter()).map(|w| w.name);
    let functions = words::FUNCTIONS
        .iter()
        .flat_map(|l| l.iter())
        .map(|w| w.name);
    let verbs = words::verbs::VERBS.iter().map(|v| v.name);
    let used: BTreeSet<&str> = values
        .chain(functions)
        .chain(verbs)
        .filter(|w| tokens.contains(w))
        .collect();
    let source_of = [
        program.about.author.clone(),
        program.about.source.clone(),
        program.about.year.map(|y| y.to_string()),
    ];
    let source_of: Vec<String> = source_of.into_iter().flatten().collect();
    let options: Vec<String> = program
        .options
        .iter()
        .map(|o| format!("{} = {} in {}", o.name, o.value, o.domain))
        .collect();
    let played: Vec<usize> = (0..10)
        .map(|seed| {
            playout(&engine, engine.initial(), seed, 2000)
                .unwrap()
                .plies
        })
        .collect();
    let mean = played.iter().sum::<usize>() / played.len();
    let file = path
        .strip_prefix(root().join("games"))
        .unwrap()
        .display()
        .to_string();
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", program.about.title);
    let name = path.file_stem().unwrap().to_str().unwrap();
    if root().join(format!("docs/pictures/{name}.svg")).exists() {
        let title = &program.about.title;
        let _ = writeln!(
            out,
            "<img src=\"pictures/{name}.svg\" width=\"360\" alt=\"A position of {title}\">\n"
        );
    }
    let _ = writeln!(out, "{}\n", program.about.text.replace('\n', " "));
    let _ = writeln!(
        out,
        "- file: `games/{file}`{}",
        if source_of.is_empty() {
            String::new()
        } else {
            format!("; {}", source_of.join(", "))
        }
    );
    let _ = writeln!(
        out,
        "- board: {} cells; options: {}",
        program.board.len(),
        if options.is_empty() {
            "none".to_owned()
        } else {
            options.join("; ")
        }
    );
    let (lines, count) = (text.lines().count(), text.split_whitespace().count());
    let _ = writeln!(
        out,
        "- size without comments: {lines} lines, {count} words, {} bytes",
        text.len()
    );
    let _ = writeln!(out, "- forms: {}", forms.join(", "));
    let _ = writeln!(
        out,
        "- words: {}",
        used.into_iter().collect::<Vec<_>>().join(", ")
    );
    let _ = writeln!(out, "- counts held: {}", counts(path));
    let _ = writeln!(out, "- ten random games: {mean} actions on average\n");
    out
}

/// The deepest counts that `tests/perft` holds for the default options.
fn counts(path: &std::path::Path) -> String {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let Ok(text) = std::fs::read_to_string(root().join(format!("tests/perft/{name}.perft"))) else {
        return "none".to_owned();
    };
    let lines = text
        .lines()
        .filter_map(|l| l.strip_prefix(':'))
        .map(str::trim);
    lines
        .max_by_key(|l| l.len())
        .map_or("none".to_owned(), |l| l.replace(' ', ", "))
}

#[test]
fn the_page_of_games_is_up_to_date() {
    let mut page = String::from(
        "# The games\n\nThis page is made from the games themselves by a test (`tests/suite/games_page.rs`).\n\n\
         Sizes beside other languages, as far as known: breakthrough takes 772 bytes in the language of Regular Boardgames, and\n\
         connect four about ten lines in Ludax.\n\n",
    );
    games().iter().for_each(|path| page.push_str(&row(path)));
    let page = format!("{}\n", page.trim_end());
    let file = root().join("docs/games.md");
    if std::env::var("GAMBOL_WRITE").is_ok_and(|v| v == "1") {
        std::fs::write(&file, &page).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == page,
        "docs/games.md is out of date: run this test with GAMBOL_WRITE=1 and read what has changed"
    );
}
