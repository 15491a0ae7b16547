//! What the tests share: finding games, compiling them, and whether slow proofs run.

use gambol::base::Source;
use gambol::engine::Engine;
use std::path::{Path, PathBuf};

/// The root of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All rule files that are shipped, by path.
pub fn games() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join("games"), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "game") {
            found.push(path);
        }
    }
}

/// The rule file of that name.
pub fn game_named(name: &str) -> PathBuf {
    games()
        .into_iter()
        .find(|p| p.file_stem().is_some_and(|s| s == name))
        .unwrap_or_else(|| panic!("no game is called {name}"))
}

/// A rule file with its bases as a source, under a name that is the same on every machine.
pub fn source(path: &Path) -> Source {
    let name = path
        .strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string();
    gambol::cli::read_source(&name).unwrap()
}

/// The games of the manuals: all blocks that are whole games, the steps of the tutorial, and the examples.
pub fn documented() -> Vec<Source> {
    let mut found: Vec<(String, String)> = Vec::new();
    for page in ["docs/cookbook.md", "docs/language.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let mut inside = None;
        for (number, line) in text.lines().enumerate() {
            match (&mut inside, line) {
                (None, "```game") => {
                    inside = Some((format!("{page}:{}", number + 1), String::new()));
                }
                (Some(_), "```") => found.extend(inside.take()),
                (Some((_, game)), _) => {
                    game.push_str(line);
                    game.push('\n');
                }
                (None, _) => {}
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join("docs/examples"), &mut files);
    collect(&root().join("docs/tutorial"), &mut files);
    files.sort();
    let blocks = found
        .into_iter()
        .map(|(title, text)| Source::new(title, text));
    blocks.chain(files.iter().map(|p| source(p))).collect()
}

/// `a=1 b=2` as settings.
pub fn settings(text: &str) -> Vec<(String, String)> {
    text.split_whitespace()
        .map(|s| {
            s.split_once('=')
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .unwrap()
        })
        .collect()
}

/// An engine for a rule file under settings.
pub fn engine(path: &Path, options: &str) -> Engine {
    let compiled = gambol::compile(&source(path), &settings(options));
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("{}: {:#?}", path.display(), compiled.diagnostics));
    Engine::new(program).unwrap()
}

/// The fastest engine for a shipped game under settings.
pub fn fast(name: &str, options: &str) -> Engine {
    let program = gambol::compile(&source(&game_named(name)), &settings(options)).program;
    let program = program.unwrap_or_else(|| panic!("{name} {options} is no game"));
    gambol::engine(program, gambol::EngineKind::Auto).unwrap().0
}

/// Whether slow proofs run: `GAMBOL_SLOW=1`.
pub fn slow() -> bool {
    std::env::var("GAMBOL_SLOW").is_ok_and(|v| v == "1")
}
