//! Holds the manual true: its blocks compile and play, its tables are those of the vocabulary, its index is that of the codes.

use gambol::base::{CODES, Severity, Source};
use gambol::engine::Engine;
use gambol::model::words::{FUNCTIONS, VALUES, verbs::VERBS};
use gambol::tools::playout::walk;
use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block: the file and line where it begins, its mark, its text.
struct Block {
    place: String,
    mark: String,
    text: String,
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of a folder with that ending, sorted.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root(folder)) else {
        return Vec::new();
    };
    let mut list: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == ending));
    list.sort();
    list
}

/// The fenced blocks of the manual and the README.
fn blocks() -> Vec<Block> {
    let mut pages = files("docs", "md");
    pages.extend(Some(root("README.md")).filter(|p| p.exists()));
    let mut found: Vec<Block> = Vec::new();
    for page in pages {
        let mut open: Option<Block> = None;
        for (at, line) in read(&page).lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(mark), None) => {
                    open = Some(Block {
                        place: format!("{}:{}", page.display(), at + 1),
                        mark: mark.split_whitespace().next().unwrap_or("").to_owned(),
                        text: String::new(),
                    });
                }
                (Some(_), Some(_)) => found.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(
            open.is_none(),
            "{}: a block is never closed",
            page.display()
        );
    }
    found
}

/// All whole games of the manual, with their places.
fn whole() -> Vec<(String, String)> {
    let marked = blocks()
        .into_iter()
        .filter(|b| b.mark == "game")
        .map(|b| (b.place, b.text));
    let examples = files("docs/examples", "game")
        .into_iter()
        .map(|p| (p.display().to_string(), read(&p)));
    marked.chain(examples).collect()
}

/// All whole games of the manual and of the project, without white space.
fn corpus() -> Vec<String> {
    let games = files("games", "game")
        .into_iter()
        .chain(files("docs/tutorial", "game"))
        .map(|p| read(&p));
    whole()
        .into_iter()
        .map(|(_, text)| text)
        .chain(games)
        .map(|t| squeeze(&t))
        .collect()
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The findings of a text that are worse than a note, as text.
fn findings(text: &str) -> (Vec<String>, Option<gambol::program::Program>) {
    let mut source = Source::new("docs", text);
    // A variant stands beside its base in docs/examples.
    if let Some(base) = gambol::syntax::base_of(&source) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
        let base = fs::read_to_string(folder.join(&base.text)).expect("the base");
        source = source.with_base(&Source::new("base", base));
    }
    let compiled = gambol::compile(&source, &[]);
    let bad = compiled
        .diagnostics
        .iter()
        .filter(|d| d.severity != Severity::Note);
    (
        bad.map(|d| format!("{}: {}", d.code.name(), d.message))
            .collect(),
        compiled.program,
    )
}

#[test]
fn every_whole_game_compiles_and_plays() {
    let games = whole();
    assert!(
        games.len() > 20,
        "the manual has only {} whole games",
        games.len()
    );
    for (place, text) in games {
        let (bad, program) = findings(&text);
        assert!(bad.is_empty(), "{place}: {bad:#?}");
        let engine = Engine::new(program.unwrap_or_else(|| panic!("{place}: no program")))
            .unwrap_or_else(|e| panic!("{place}: {e}"));
        for seed in 1..=3 {
            let mut plies = 0;
            let played = walk(&engine, engine.initial(), seed, 200, |visit| {
                plies = visit.ply;
                let line = engine.print(visit.position);
                match engine.parse(&line) {
                    Ok(again) => assert_eq!(engine.print(&again), line, "{place}"),
                    Err(e) => panic!("{place}: `{line}` is not read back: {e}"),
                }
                let over = engine.outcome(visit.position)?.is_some();
                assert!(
                    over || !visit.actions.is_empty(),
                    "{place}: no action, and no end says what then: {line}"
                );
                Ok::<(), gambol::engine::PlayError>(())
            });
            assert!(played.is_ok(), "{place}: {:?}", played.err());
            assert!(plies > 0, "{place}: nothing can be played");
        }
    }
}

#[test]
fn every_fragment_stands_in_a_whole_game() {
    let corpus = corpus();
    for block in blocks() {
        let known = [
            "",
            "game",
            "game-part",
            "right",
            "wrong",
            "console",
            "text",
            "json",
            "sh",
            "rust",
            "toml",
        ];
        assert!(
            known.contains(&block.mark.as_str()),
            "{}: a block is marked `{}`",
            block.place,
            block.mark
        );
        if block.mark == "game-part" {
            let part = squeeze(&block.text);
            assert!(
                corpus.iter().any(|t| t.contains(&part)),
                "{}: no whole game holds this fragment",
                block.place
            );
        }
    }
}

/// The rows of the vocabulary: word, signature, text, example.
fn rows() -> Vec<[&'static str; 4]> {
    let mut rows: Vec<[&str; 4]> = Vec::new();
    rows.extend(
        VALUES
            .iter()
            .flat_map(|l| l.iter())
            .map(|w| [w.name, w.signature, w.text, w.example]),
    );
    rows.extend(
        FUNCTIONS
            .iter()
            .flat_map(|l| l.iter())
            .map(|w| [w.name, w.signature, w.text, w.example]),
    );
    rows.extend(VERBS.iter().map(|w| [w.name, w.frame, w.text, w.example]));
    rows
}

#[test]
fn the_manual_has_a_line_for_every_word() {
    let manual = read(&root("docs/language.md"));
    let mut at = 0;
    for row in rows() {
        let [name, signature, text, example] = row.map(|part| part.replace('|', "\\|"));
        let line = format!("| `{name}` | {signature} | {text} | `{example}` |");
        let found = manual.lines().position(|l| l == line);
        let found = found.unwrap_or_else(|| panic!("docs/language.md has no line\n{line}"));
        assert!(found > at, "docs/language.md: `{name}` stands out of order");
        at = found;
    }
}

#[test]
fn every_example_of_a_word_is_played() {
    let corpus = corpus();
    let mut missing: Vec<String> = Vec::new();
    for [name, _, _, example] in rows() {
        let parts: Vec<String> = example
            .split('…')
            .map(squeeze)
            .filter(|p| p.len() > 1)
            .collect();
        let used = corpus
            .iter()
            .any(|text| parts.iter().all(|part| text.contains(part.as_str())));
        if !used {
            missing.push(format!("`{name}` as in `{example}`"));
        }
    }
    assert!(
        missing.is_empty(),
        "no whole game of the manual uses {missing:#?}"
    );
}

#[test]
fn the_index_lists_every_code_and_nothing_else() {
    let page = read(&root("docs/errors.md"));
    let listed: Vec<&str> = page.lines().filter(|l| l.starts_with("| `")).collect();
    let severity = |s: Severity| match s {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let expected: Vec<String> = CODES
        .iter()
        .map(|c| format!("| `{}` | {} | {} |", c.name, severity(c.severity), c.text))
        .collect();
    assert_eq!(listed, expected);
}
