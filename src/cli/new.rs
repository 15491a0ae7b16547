//! `gambol new`: a small game in a file of its own, to be changed into another. A file that is there is never touched.

use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::{json, render, store};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// The game that a new one begins as.
const TEXT: &str = include_str!("../../docs/examples/new.game");
/// What it is called there.
const TITLE: &str = "New game";
/// The longest name, in bytes.
const LONGEST: usize = 100;
/// Names that some systems give to devices.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// The arguments of `new`.
#[derive(Args, Clone, Debug)]
pub struct NewArgs {
    /// What the file is called, without `.game`.
    pub name: String,
    /// The folder that it is put into.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// Writes the file and tells what to do next.
///
/// # Errors
///
/// If the name is none, or the file cannot be written.
pub fn new(args: &NewArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let name = args.name.strip_suffix(".game").unwrap_or(&args.name);
    if let Some(reason) = wrong_with(name) {
        return Err(Failure::Usage(format!(
            "`{}` cannot be the name of a file: {reason}",
            args.name.escape_debug()
        )));
    }
    let file = format!("{name}.game");
    let path = args
        .dir
        .as_ref()
        .map_or_else(|| PathBuf::from(&file), |dir| dir.join(&file));
    let shown = path.display().to_string();
    if let Some(dir) = args.dir.as_ref().filter(|dir| !dir.is_dir()) {
        return Err(Failure::NotWritten {
            reason: format!("there is no folder {}", dir.display()),
            file: shown,
        });
    }
    let text = TEXT.replacen(TITLE, &title(name), 1);
    if !store::write_new(&path, &text)? {
        terminal.complain(&render::message(
            None,
            &format!("there is a file {shown} already"),
            Some("give the new game another name, or another folder with --dir"),
            terminal.color_err,
        ));
        return Ok(FINDINGS);
    }
    if args.json {
        terminal.line(&json!({"schema": json::SCHEMA, "file": shown}).to_string())?;
        return Ok(0);
    }
    let quoted = quoted(&shown);
    terminal.line(&format!("wrote {shown}: change the places marked in it\n"))?;
    for (command, what) in NEXT {
        let line = format!("  gambol {command} {quoted}");
        terminal.line(&format!("{line}  # {what}"))?;
    }
    Ok(0)
}

/// What to run next.
const NEXT: &[(&str, &str)] = &[
    ("check", "find what is wrong with it"),
    ("show", "draw the board"),
    ("moves", "list what can be played"),
    ("test", "run its examples"),
];

/// What is wrong with a name, when something is.
fn wrong_with(name: &str) -> Option<&'static str> {
    let allowed = |c: char| c.is_alphanumeric() || " -_.".contains(c);
    if name.is_empty() {
        Some("it is empty")
    } else if name.len() > LONGEST {
        Some("it is too long")
    } else if !name.chars().all(allowed) {
        Some("write letters, digits, `-` and `_`, and say with --dir where it is put")
    } else if name.starts_with(['.', ' ', '-']) || name.ends_with(['.', ' ']) {
        Some("it should begin and end with a letter or digit")
    } else if DEVICES.contains(&name.to_lowercase().as_str()) {
        Some("some systems keep it for themselves")
    } else {
        None
    }
}

/// The game's title: the name as words.
fn title(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => TITLE.to_owned(),
    }
}

/// A path for a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./\\:".contains(c);
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::cli::new::{TEXT, TITLE, quoted, title, wrong_with};
    use crate::compile;
    use crate::engine::Engine;
    use crate::syntax::format;
    use crate::tools::examples;
    use crate::tools::smoke::{Trial, smoke};

    #[test]
    fn names_are_file_names() {
        for good in ["hop", "three-in_a row", "Hop2", "sjöslag", "v1.2"] {
            assert_eq!(wrong_with(good), None, "{good}");
        }
        let long = "x".repeat(101);
        for bad in [
            "", "a/b", "..", ".hop", "a\\b", "a\"b", "a\nb", "hop.", "nul", &long,
        ] {
            assert!(wrong_with(bad).is_some(), "{bad}");
        }
        assert_eq!(title("three-in_a row"), "Three in a row");
        assert_eq!(title("_"), TITLE);
        assert_eq!(quoted("a b's.game"), "'a b'\\''s.game'");
    }

    #[test]
    fn the_new_game_is_a_good_one() {
        assert_eq!(TEXT.matches(TITLE).count(), 1);
        assert_eq!(TEXT.matches("// change me first: ").count(), 3);
        let source = Source::new("new.game", TEXT);
        assert_eq!(format(&source).ok().as_deref(), Some(TEXT));
        for size in ["3", "5", "12"] {
            let settings = [("size".to_owned(), size.to_owned())];
            let compiled = compile(&source, &settings);
            assert!(
                compiled.diagnostics.is_empty(),
                "{:?}",
                compiled.diagnostics
            );
            let engine = Engine::new(compiled.program.unwrap()).unwrap();
            let found = smoke(&engine, &Trial::default());
            assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
            assert_eq!(found.games, found.ended);
        }
        let file = compile(&source, &[]).file;
        let reports = examples::run(&file, &[], &|settings| {
            let program = compile(&source, settings).program.ok_or(Vec::new())?;
            Engine::new(program).map_err(|_| Vec::new())
        });
        assert_eq!(reports.len(), 3);
        for report in reports {
            assert!(report.failures.is_empty(), "{:?}", report.failures);
        }
    }
}
