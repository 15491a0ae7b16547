//! `gambol test`: the examples in game files, run. A failure shows the boards side by side, and its place in the file.

use crate::base::{Diagnostic, Source, Span};
use crate::cli::args::Common;
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::why::{line_of, side_by_side};
use crate::cli::{json, load, render, watch};
use crate::engine::Engine;
use crate::syntax::ast::File;
use crate::tools::examples::{self, Report};
use crate::tools::phrase;
use clap::Args;
use serde_json::{Value, json};

/// The arguments of `test`.
#[derive(Args, Clone, Debug)]
pub struct TestArgs {
    /// Game files, or folders of them; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Only examples whose title holds this text.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Run again whenever a file is saved.
    #[arg(long)]
    pub watch: bool,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// Runs the examples of files; the worst file decides the exit code.
///
/// # Errors
///
/// If the result cannot be written.
pub fn test(args: &TestArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.watch {
        let again = &mut |files: &[String], terminal: &mut Terminal| all(files, args, terminal);
        return watch::watch(&args.files, terminal, again);
    }
    all(&files::expand_all(&args.files)?, args, terminal)
}

fn all(files: &[String], args: &TestArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (mut worst, mut run) = (0, 0);
    for file in files {
        let code = match files::read(file) {
            Ok(text) => {
                let (code, many) = one(file, &text, args, terminal)?;
                run += many;
                code
            }
            Err(failure) => {
                failure.report(terminal);
                failure.code()
            }
        };
        worst = worst.max(code);
    }
    if let Some(only) = args.only.as_ref().filter(|_| run == 0 && worst == 0) {
        let message = format!("no example has `{only}` in its title");
        terminal.complain(&render::message(None, &message, None, terminal.color_err));
        return Ok(FINDINGS);
    }
    Ok(worst)
}

/// The examples of a text, run.
pub fn run(text: &Text, file: &File, settings: &[(String, String)]) -> Vec<Report> {
    examples::run(file, settings, &|settings| made(text, settings))
}

/// An engine for the settings of an example.
pub fn made(text: &Text, settings: &[(String, String)]) -> examples::Made {
    let compiled = files::compile_text(text, settings);
    let program = compiled.program.ok_or(compiled.diagnostics)?;
    Engine::new(program).map_err(|error| {
        let finding = Diagnostic::new(error.code(), Span::default(), error.to_string());
        vec![finding.help(error.help())]
    })
}

/// The exit code of a file, and how many examples of it were run.
fn one(
    file: &str,
    text: &Text,
    args: &TestArgs,
    terminal: &mut Terminal,
) -> Result<(u8, usize), Failure> {
    let compiled = files::compile_text(text, &args.common.set);
    if load::has_errors(&compiled) {
        if args.common.json {
            let found = compiled.diagnostics.iter();
            let found = found.map(|d| json::diagnostic(&text.source, d));
            let found: Vec<Value> = found.collect();
            let line = json!({
                "schema": json::SCHEMA, "file": file, "ok": false, "examples": [],
                "diagnostics": found,
            });
            terminal.line(&line.to_string())?;
        } else {
            load::tell(&text.source, &compiled.diagnostics, terminal);
        }
        return Ok((FINDINGS, 0));
    }
    let mut reports = run(text, &compiled.file, &args.common.set);
    if let Some(only) = &args.only {
        reports.retain(|r| r.title.contains(only));
    }
    let failed = reports.iter().filter(|r| !r.failures.is_empty()).count();
    if args.common.json {
        terminal.line(&to_json(file, &text.source, &reports).to_string())?;
    } else {
        for report in &reports {
            tell(&text.source, report, terminal)?;
        }
        let verdict = match &args.only {
            Some(_) if reports.is_empty() => "no example of that title".to_owned(),
            _ => verdict(reports.len(), failed),
        };
        terminal.line(&format!("{file}: {verdict}"))?;
    }
    let code = if failed == 0 { 0 } else { FINDINGS };
    Ok((code, reports.len()))
}

/// The examples of a file in a few words.
pub fn verdict(all: usize, failed: usize) -> String {
    match (all, failed) {
        (0, _) => "no examples".to_owned(),
        (all, 0) => format!("{}, all hold", phrase::number(all, "example")),
        (all, failed) => format!("{}, {failed} failed", phrase::number(all, "example")),
    }
}

/// Tells what does not hold of an example.
///
/// # Errors
///
/// If it cannot be written.
pub fn tell(source: &Source, report: &Report, terminal: &mut Terminal) -> Result<(), Failure> {
    for failure in &report.failures {
        let at = line_of(source, report.place);
        terminal.line(&format!("example \"{}\" ({at})", report.title))?;
        let color = terminal.color_out;
        terminal.line(&render::diagnostic(source, &failure.finding, color))?;
        if failure.expected.is_empty() {
            for line in &failure.found {
                terminal.line(line)?;
            }
        } else {
            let lines = side_by_side(("expected", &failure.expected), ("found", &failure.found));
            for line in lines {
                terminal.line(&line)?;
            }
        }
        if !failure.position.is_empty() {
            terminal.line(&format!("in {}\n", failure.position))?;
        }
    }
    Ok(())
}

fn to_json(file: &str, source: &Source, reports: &[Report]) -> Value {
    let reports: Vec<Value> = reports
        .iter()
        .map(|r| {
            let failures: Vec<Value> = r
                .failures
                .iter()
                .map(|f| {
                    json!({
                        "finding": json::diagnostic(source, &f.finding), "expected": f.expected,
                        "found": f.found, "position": f.position,
                    })
                })
                .collect();
            let more = [
                ("title", json!(r.title)),
                ("ok", json!(r.failures.is_empty())),
                ("failures", json!(failures)),
            ];
            json::located(source, r.place, &more)
        })
        .collect();
    let ok = reports.iter().all(|r| r["ok"] == json!(true));
    json!({"schema": json::SCHEMA, "file": file, "ok": ok, "examples": reports})
}
