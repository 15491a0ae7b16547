//! `gambol check`: every diagnostic of every file, seeded games included. Here the diagnostics are the result.

use crate::base::{Code, Diagnostic, Severity, Source};
use crate::cli::args::CheckArgs;
use crate::cli::failure::{self, Failure};
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::{json, render, test};
use crate::engine::Engine;
use crate::syntax::ast::{Domain, File, ItemKind};
use crate::tools::smoke::{Trial, smoke};
use crate::tools::{examples, phrase};
use serde_json::{Value, json};

/// What was found out about a file.
pub struct Report {
    /// Its text, and those of its bases.
    pub source: Source,
    /// What is wrong with the game, or worth knowing.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with this program rather than the game.
    pub internal: Option<String>,
}

/// Checks every file and tells what was found; the worst file decides the exit code.
///
/// # Errors
///
/// If the result cannot be written, two files are `-`, or a folder has no game file in it.
pub fn check(args: &CheckArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Failure::Usage(
            "the standard input, `-`, can be read only once".to_owned(),
        ));
    }
    let trial = Trial {
        seed: args.seed,
        ..Trial::default()
    };
    let mut worst = 0;
    let mut first = None;
    for file in &files::expand_all(&args.files)? {
        let code = match files::read(file) {
            Ok(text) => {
                let mut report = examine(text.clone(), &trial, &args.common.set);
                report.hold_examples(&text, &args.common.set);
                first = first.or_else(|| first_error(&report));
                tell(&report, args.common.json, terminal)?
            }
            Err(failure) => {
                failure.report(terminal);
                failure.code()
            }
        };
        worst = worst.max(code);
    }
    if let Some(code) = first.filter(|_| !args.common.json) {
        let name = code.name();
        terminal.complain(&format!("for more about a code: gambol explain {name}\n"));
    }
    Ok(worst)
}

impl Report {
    /// Adds what is wrong with examples that cannot be run. What does not hold of those that can is for `test` to say.
    fn hold_examples(&mut self, text: &Text, settings: &[(String, String)]) {
        let broken = |d: &Diagnostic| d.severity == Severity::Error && d.code != Code::BadExample;
        if self.internal.is_some() || self.diagnostics.iter().any(broken) {
            return;
        }
        let compiled = files::compile_text(text, settings);
        let reports = test::run(text, &compiled.file, settings);
        let failures = reports.into_iter().flat_map(|report| report.failures);
        let findings = failures.map(|failure| failure.finding);
        for bad in findings.filter(|d| d.code == Code::BadExample) {
            // What is told already need not be told of more text around it.
            let at = bad.label.span;
            let known = |d: &Diagnostic| {
                let told = d.label.span;
                d.code == bad.code && told.start < at.end.max(at.start + 1) && at.start <= told.end
            };
            if !self.diagnostics.iter().any(known) {
                self.diagnostics.push(bad);
            }
        }
    }
}

fn first_error(report: &Report) -> Option<Code> {
    let mut errors = report.diagnostics.iter();
    errors
        .find(|d| d.severity == Severity::Error)
        .map(|d| d.code)
}

/// Compiles a text and plays seeded games.
pub fn examine(text: Text, trial: &Trial, settings: &[(String, String)]) -> Report {
    let compiled = files::compile_text(&text, settings);
    let mut diagnostics = compiled.diagnostics;
    if compiled.program.is_some() {
        diagnostics.extend(wrong_with_other_words(&text, &compiled.file, settings));
    }
    let mut report = Report {
        source: text.source,
        diagnostics,
        internal: None,
    };
    if let Some(program) = &compiled.program {
        let names = examples::unknown(program, &compiled.file);
        report.diagnostics.extend(names);
    }
    match compiled.program.map(Engine::new) {
        None => {}
        Some(Err(error)) => report.diagnostics.push(error.diagnostic()),
        Some(Ok(engine)) => {
            let findings = smoke(&engine, trial);
            report.diagnostics.extend(findings.diagnostics);
            report
                .diagnostics
                .extend(crate::only_plain(engine.program()));
            report.internal = findings.internal;
        }
    }
    report
}

/// What keeps a game that can be played from being one when an option has another of its words: rules stand under conditions that are
/// known before play, and what does not hold is not looked at.
fn wrong_with_other_words(
    text: &Text,
    file: &File,
    settings: &[(String, String)],
) -> Vec<Diagnostic> {
    let set = |name: &str| settings.iter().any(|(set, _)| set == name);
    let options = file.items.iter().filter_map(|item| {
        let ItemKind::Option(option) = &item.kind else {
            return None;
        };
        (!set(&option.name.text)).then_some(option)
    });
    let mut found: Vec<Diagnostic> = Vec::new();
    for option in options {
        let words = option.domain.iter().filter_map(|domain| match domain {
            Domain::Word(word) if *word != option.value.text => Some(word),
            Domain::Word(_) | Domain::Range(..) => None,
        });
        for word in words {
            let name = &option.name.text;
            let mut settings = settings.to_vec();
            settings.push((name.clone(), word.clone()));
            let compiled = files::compile_text(text, &settings);
            let mut errors = compiled.diagnostics;
            errors.retain(|d| d.severity == Severity::Error);
            let refused = |d: &Diagnostic| OF_OPTIONS.contains(&d.code);
            if errors.iter().any(refused) {
                continue;
            }
            for mut error in errors {
                let known =
                    |d: &Diagnostic| (d.code, d.label.span) == (error.code, error.label.span);
                if !found.iter().any(known) {
                    error.message = format!("{}, with `{name} = {word}`", error.message);
                    found.push(error);
                }
            }
        }
    }
    found
}

/// What says that a value cannot be set beside the others.
const OF_OPTIONS: &[Code] = &[Code::BadOption, Code::OptionRefused, Code::IdleOption];

fn tell(report: &Report, as_json: bool, terminal: &mut Terminal) -> Result<u8, Failure> {
    let count = |severity| {
        report
            .diagnostics
            .iter()
            .filter(|d| d.severity == severity)
            .count()
    };
    let errors = count(Severity::Error) + usize::from(report.internal.is_some());
    if as_json {
        terminal.line(&to_json(report, errors == 0).to_string())?;
    } else {
        let color = terminal.color_out;
        for diagnostic in &report.diagnostics {
            terminal.line(&render::diagnostic(&report.source, diagnostic, color))?;
        }
        if let Some(message) = &report.internal {
            terminal.line(&render::message(
                Some(INTERNAL),
                &internal_message(message),
                None,
                color,
            ))?;
        }
        let verdict = verdict(errors, count(Severity::Warning), count(Severity::Note));
        terminal.line(&format!("{}: {verdict}", report.source.name()))?;
    }
    Ok(if errors == 0 { 0 } else { failure::FINDINGS })
}

/// The file in a few words: `fine`, `2 errors, 1 warning`, `fine, 3 notes`.
fn verdict(errors: usize, warnings: usize, notes: usize) -> String {
    let fine = (errors + warnings == 0).then(|| "fine".to_owned());
    let counted = [(errors, "error"), (warnings, "warning"), (notes, "note")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| phrase::number(n, word));
    fine.into_iter()
        .chain(counted)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The code of findings about this program.
pub const INTERNAL: &str = "internal";

/// What is said of such a finding.
pub fn internal_message(message: &str) -> String {
    format!("this is a mistake of gambol, not of the game: {message}")
}

fn to_json(report: &Report, ok: bool) -> Value {
    let mut diagnostics: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|d| json::diagnostic(&report.source, d))
        .collect();
    diagnostics.extend(report.internal.as_ref().map(|message| {
        let nowhere = Value::Null;
        json!({
            "severity": "error", "code": INTERNAL, "message": internal_message(message), "file": report.source.name(), "line": nowhere, "column": nowhere,
            "end_line": nowhere, "end_column": nowhere, "label": "", "others": [], "help": nowhere, "repair": nowhere,
        })
    }));
    json!({"schema": json::SCHEMA, "file": report.source.name(), "ok": ok, "diagnostics": diagnostics})
}
