//! `gambol fmt`: rule files laid out anew, in place; or, with `--check`, what would be. A file that cannot be read as a game
//! is told about and left alone.

use crate::base::{Diagnostic, Source};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::{files, json, load, render, store};
use crate::syntax;
use clap::Args;
use serde_json::{Value, json};
use similar::TextDiff;
use std::path::Path;

/// The arguments of `fmt`.
#[derive(Args, Clone, Debug)]
pub struct FmtArgs {
    /// Game files, or folders with all *.game files below them; `-` is the standard input, laid out to the standard output.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<String>,
    /// Write nothing; tell which files are not in the layout.
    #[arg(long)]
    pub check: bool,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// What became of a file.
enum Laid {
    /// The text in the layout.
    Good(Source, String),
    /// The file is no game.
    Bad(Source, Vec<Diagnostic>),
    /// The new text would be another game, which is a mistake of this program.
    Broken(Source),
}

/// Lays every file out; the worst file decides the exit code.
///
/// # Errors
///
/// If the result cannot be written, or two files are `-`.
pub fn fmt(args: &FmtArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Failure::Usage(
            "the standard input, `-`, can be read only once".to_owned(),
        ));
    }
    let mut worst = 0;
    for name in &args.files {
        let files = match games_below(name) {
            Ok(files) => files,
            Err(failure) => {
                failure.report(terminal);
                worst = worst.max(failure.code());
                continue;
            }
        };
        for file in files {
            let code = match one(&file, args, terminal) {
                Ok(code) => code,
                Err(Failure::Closed) => return Err(Failure::Closed),
                Err(failure) => {
                    failure.report(terminal);
                    failure.code()
                }
            };
            worst = worst.max(code);
        }
    }
    Ok(worst)
}

/// The file itself, or the rule files below a folder, sorted.
fn games_below(name: &str) -> Result<Vec<String>, Failure> {
    if name == "-" || !Path::new(name).is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let found = files::expand(&[name.to_owned()])?;
    if found.is_empty() {
        return Err(Failure::Unreadable {
            file: name.to_owned(),
            reason: "no file below it ends with .game".to_owned(),
        });
    }
    Ok(found)
}

fn one(file: &str, args: &FmtArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match lay_out(files::read_alone(file)?) {
        Laid::Good(source, text) => good(&source, &text, args, terminal),
        Laid::Bad(source, diagnostics) => {
            if args.json {
                let found: Vec<Value> = diagnostics
                    .iter()
                    .map(|d| json::diagnostic(&source, d))
                    .collect();
                terminal.line(&to_json(&source, [false, false], None, found).to_string())?;
            } else {
                load::tell(&source, &diagnostics, terminal);
            }
            Ok(FINDINGS)
        }
        Laid::Broken(source) => {
            let message = format!(
                "this is a mistake of gambol, not of the game: the layout of {} would change its meaning, so it is left alone",
                source.name()
            );
            let text = render::message(Some("internal"), &message, None, terminal.color_err);
            terminal.complain(&text);
            Ok(FINDINGS)
        }
    }
}

/// The text in the layout, if it says the same.
fn lay_out((source, problem): (Source, Option<Diagnostic>)) -> Laid {
    if let Some(problem) = problem {
        return Laid::Bad(source, vec![problem]);
    }
    match syntax::format(&source) {
        Err(diagnostics) => Laid::Bad(source, diagnostics.into_sorted()),
        Ok(text) => {
            let (before, _) = syntax::parse_alone(&source);
            let (after, wrong) = syntax::parse_alone(&Source::new(source.name(), text.as_str()));
            if wrong.has_errors() || !syntax::same_tree(&before, &after) {
                Laid::Broken(source)
            } else {
                Laid::Good(source, text)
            }
        }
    }
}

fn good(
    source: &Source,
    text: &str,
    args: &FmtArgs,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let stdin = source.name() == "-";
    let changed = source.text() != text;
    let ok = !(changed && args.check);
    if changed && !args.check && !stdin {
        store::write_whole(Path::new(source.name()), text)?;
    }
    if args.json {
        let extra = if args.check {
            Some(("diff", json!(diff(source, text))))
        } else {
            stdin.then(|| ("text", json!(text)))
        };
        terminal.line(&to_json(source, [ok, changed], extra, Vec::new()).to_string())?;
    } else if stdin && !args.check {
        terminal.print(text)?;
    } else if changed && args.check {
        terminal.print(&diff(source, text))?;
    } else if changed {
        terminal.line(&format!("{}: laid out anew", source.name()))?;
    }
    Ok(if ok { 0 } else { FINDINGS })
}

/// What differs, as a patch; nothing when nothing does.
fn diff(source: &Source, text: &str) -> String {
    let name = source.name();
    TextDiff::from_lines(source.text(), text)
        .unified_diff()
        .context_radius(1)
        .header(name, name)
        .to_string()
}

fn to_json(
    source: &Source,
    [ok, changed]: [bool; 2],
    extra: Option<(&str, Value)>,
    diagnostics: Vec<Value>,
) -> Value {
    let entries = [
        ("schema", json!(json::SCHEMA)),
        ("file", json!(source.name())),
        ("ok", json!(ok)),
        ("changed", json!(changed)),
    ];
    let last = [("diagnostics", json!(diagnostics))];
    let all = entries.into_iter().chain(extra).chain(last);
    json::object(all.map(|(name, value)| (name.to_owned(), value)))
}
