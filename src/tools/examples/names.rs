//! The names in examples that a game must have: of its options, players and ends. Nothing is run for them.

use crate::base::{Code, Diagnostic, nearest};
use crate::program::Program;
use crate::syntax::ast::{Example, ExampleKind, ExampleOutcome, ExampleResult, File, Name};
use crate::tools::examples::examples;

/// What is wrong with the names in the examples of a file.
#[must_use]
pub fn unknown(program: &Program, file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for example in examples(file) {
        found.extend(of_settings(program, example));
        for line in &example.lines {
            if let ExampleKind::Outcome(wanted) = &line.kind {
                found.extend(of_outcome(program, wanted));
            }
        }
    }
    found
}

fn of_settings(program: &Program, example: &Example) -> Vec<Diagnostic> {
    let options: Vec<&str> = program.options.iter().map(|o| o.name.as_str()).collect();
    let mut found = Vec::new();
    for (at, (name, _)) in example.settings.iter().enumerate() {
        let mut before = example.settings[..at].iter();
        if let Some((first, _)) = before.find(|(other, _)| other.text == name.text) {
            let text = format!("`{}` is set twice", name.text);
            let d = Diagnostic::new(Code::BadExample, name.span, text).here("again here");
            found.push(d.and(first.span, "first here"));
        } else if !options.contains(&name.text.as_str()) {
            found.push(missing(name, "the game has no option", "options", &options));
        }
    }
    found
}

/// What is wrong with the names in an expected outcome.
pub(super) fn of_outcome(program: &Program, wanted: &ExampleOutcome) -> Option<Diagnostic> {
    if let ExampleResult::Wins(name) | ExampleResult::Loses(name) = &wanted.result {
        let players: Vec<&str> = program.players.iter().map(|p| p.name.as_str()).collect();
        if !players.contains(&name.text.as_str()) {
            return Some(missing(name, "no player is called", "players", &players));
        }
    }
    let by = wanted.by.as_ref()?;
    let ends: Vec<&str> = program.ends.iter().map(|e| &*e.name).collect();
    let known = ends.contains(&by.text.as_str());
    (!known).then(|| missing(by, "no end is called", "ends", &ends))
}

fn missing(name: &Name, what: &str, all: &str, known: &[&str]) -> Diagnostic {
    let text = format!("{what} `{}`", name.text);
    let d = Diagnostic::new(Code::BadExample, name.span, text).here("not in this game");
    match nearest(&name.text, known.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => d.help(format!("it has no {all}")),
        None => d.help(format!("the {all} are {}", known.join(", "))),
    }
}
