//! The examples that stand in a file: engines and the tree in, what does not hold out, each finding with its place in the
//! rules and, where boards differ, with both. Engines for the settings of examples are made by whoever asks.

mod drawn;
mod names;
mod run;

pub use names::unknown;

use crate::base::{Code, Diagnostic, Span};
use crate::engine::{Engine, Position};
use crate::syntax::ast::{Example, File, ItemKind};

/// What became of an example.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it shows.
    pub title: String,
    /// The place of its title.
    pub place: Span,
    /// What does not hold; empty when all does.
    pub failures: Vec<Failure>,
    /// How many lines of it were held against the rules.
    pub checked: usize,
}

/// Something that does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What, and where in the rules.
    pub finding: Diagnostic,
    /// What was expected, as lines: a board, or a list of actions.
    pub expected: Vec<String>,
    /// What was found, likewise.
    pub found: Vec<String>,
    /// The position line that it was found in.
    pub position: String,
}

/// A position that an example comes through: what tools look at besides random games.
#[derive(Clone, Debug)]
pub struct Visited {
    /// The settings of the example.
    pub settings: Vec<(String, String)>,
    /// The position line.
    pub position: String,
}

/// The examples of a file.
#[must_use]
pub fn examples(file: &File) -> Vec<&Example> {
    let items = file.items.iter();
    items
        .filter_map(|i| {
            if let ItemKind::Example(example) = &i.kind {
                Some(example)
            } else {
                None
            }
        })
        .collect()
}

/// The settings of an example upon those that were asked for.
#[must_use]
pub fn settings(example: &Example, given: &[(String, String)]) -> Vec<(String, String)> {
    let own = example.settings.iter();
    let own: Vec<(String, String)> = own
        .map(|(name, value)| (name.text.clone(), value.text.clone()))
        .collect();
    let kept = given
        .iter()
        .filter(|(name, _)| own.iter().all(|(other, _)| other != name));
    kept.cloned().chain(own.iter().cloned()).collect()
}

/// An engine for the settings of an example, or why there is none.
pub type Made = Result<Engine, Vec<Diagnostic>>;

/// Gives the engine for some settings.
pub type Make<'m> = dyn Fn(&[(String, String)]) -> Made + 'm;

/// Runs the examples of a file; `make` gives the engine for some settings.
pub fn run(file: &File, given: &[(String, String)], make: &Make<'_>) -> Vec<Report> {
    let mut engines: Vec<(Vec<(String, String)>, Made)> = Vec::new();
    let mut reports = Vec::new();
    for example in examples(file) {
        let wanted = settings(example, given);
        let at = match engines.iter().position(|(have, _)| *have == wanted) {
            Some(at) => at,
            None => {
                engines.push((wanted.clone(), make(&wanted)));
                engines.len() - 1
            }
        };
        reports.push(match &engines[at].1 {
            Ok(engine) => run::example(engine, example, &mut |_| {}),
            Err(diagnostics) => refused(example, diagnostics),
        });
    }
    reports
}

/// Runs one example and shows every position that it comes through.
pub fn visit(engine: &Engine, example: &Example, seen: &mut dyn FnMut(&Position)) -> Report {
    run::example(engine, example, seen)
}

/// An example whose settings the game refuses.
fn refused(example: &Example, diagnostics: &[Diagnostic]) -> Report {
    let place = example
        .settings
        .first()
        .map_or(example.title.span, |first| {
            let last = example.settings.last().unwrap_or(first);
            first.0.span.to(last.1.span)
        });
    let reason = diagnostics.first();
    let message = reason.map_or("the game cannot be compiled", |d| d.message.as_str());
    let mut finding =
        Diagnostic::new(Code::BadExample, place, message).here("the example cannot be set up so");
    if let Some(help) = reason.and_then(|d| d.help.clone()) {
        finding = finding.help(help);
    }
    Report {
        title: example.title.text.clone(),
        place: example.title.span,
        failures: vec![Failure {
            finding,
            expected: Vec::new(),
            found: Vec::new(),
            position: String::new(),
        }],
        checked: 0,
    }
}
