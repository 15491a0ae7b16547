//! `gambol verify`: everything that holds a folder of games, in one command: check, examples, snapshots. A line a file, then
//! what is wrong, then a summary. Nothing is written.

use crate::base::Severity;
use crate::cli::args::{Common, whole};
use crate::cli::check::{self, Report as Checked};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::files::Text;
use crate::cli::out::Terminal;
use crate::cli::teller::{Deed, Mode, Teller, to_json};
use crate::cli::verdict::{self, Found, Verdict};
use crate::cli::{files, json, render, snapshot, test, watch};
use crate::syntax::ast::File;
use crate::tools::examples::Report as Example;
use crate::tools::perft::shared_out;
use crate::tools::phrase;
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::smoke::Trial;
use clap::Args;
use serde_json::{Value, json};
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

/// What is played while somebody waits for the answer to a change.
const QUICK: Trial = Trial {
    seed: DEFAULT_SEED,
    games: 20,
    plies: 200,
    budget: 1_500,
    listed: 2_000,
    work: 20_000_000,
};

/// The arguments of `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Folders of game files, or game files.
    #[arg(required = true, value_name = "DIR")]
    pub files: Vec<String>,
    /// Seed of the random games of the check.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Verify again whenever a file is saved; the check plays fewer games then.
    #[arg(long)]
    pub watch: bool,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// What was found out about a file.
struct Report {
    file: String,
    checked: Checked,
    examples: Vec<Example>,
    snapshots: Vec<Verdict>,
}

/// Verifies files; exit code 1 when something is found.
///
/// # Errors
///
/// If a folder or file cannot be read, or the result cannot be written.
pub fn verify(args: &VerifyArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.watch {
        let again = &mut |files: &[String], terminal: &mut Terminal| all(files, args, terminal);
        return watch::watch(&args.files, terminal, again);
    }
    all(&files::expand_all(&args.files)?, args, terminal)
}

fn all(files: &[String], args: &VerifyArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let color = terminal.color_out && !args.common.json;
    let mut worst = 0;
    let mut games = Vec::new();
    for file in files {
        match read(file, &args.common.set) {
            Ok(game) => games.push(game),
            Err(failure) => {
                failure.report(terminal);
                worst = worst.max(failure.code());
            }
        }
    }
    let mut read = reports(games, args, color);
    if read.iter().any(|r| !r.is_fine()) {
        worst = worst.max(FINDINGS);
    }
    if args.common.json {
        for report in &read {
            terminal.line(&report.to_json().to_string())?;
        }
        return Ok(worst);
    }
    let widest = read.iter().map(|r| r.file.chars().count()).max();
    for report in &read {
        let width = widest.unwrap_or(0);
        terminal.line(&format!("{:<width$}  {}", report.file, report.verdict()))?;
    }
    let summary = summary(&read);
    for report in read.iter_mut().filter(|r| !r.is_fine()) {
        terminal.line("")?;
        report.tell(terminal)?;
    }
    if !read.is_empty() {
        terminal.line(&format!("\n{summary}"))?;
    }
    Ok(worst)
}

/// A file that was read and compiled.
struct Game {
    file: String,
    text: Text,
    tree: File,
    playable: bool,
}

fn read(file: &str, settings: &[(String, String)]) -> Result<Game, Failure> {
    let text = files::read(file)?;
    let compiled = files::compile_text(&text, settings);
    Ok(Game {
        file: file.to_owned(),
        text,
        tree: compiled.file,
        playable: compiled.program.is_some(),
    })
}

/// The three things that are done for a file, which have nothing to do with one another.
#[derive(Clone, Copy)]
enum Part {
    Check,
    Examples,
    Snapshots,
}

/// What came of one of them.
enum Done {
    Checked(Box<Checked>),
    Examples(Vec<Example>),
    Snapshots(Vec<Verdict>),
}

fn part(game: &Game, part: Part, args: &VerifyArgs, color: bool) -> Done {
    let settings = &args.common.set;
    match part {
        Part::Check => {
            let trial = Trial {
                seed: args.seed,
                ..if args.watch { QUICK } else { Trial::default() }
            };
            Done::Checked(Box::new(check::examine(
                game.text.clone(),
                &trial,
                settings,
            )))
        }
        Part::Examples if game.playable => {
            Done::Examples(test::run(&game.text, &game.tree, settings))
        }
        Part::Snapshots if game.playable && settings.is_empty() && game.file != "-" => {
            // Somebody who waits for one file waits for its longest part.
            let threads = if args.watch { 2 } else { 1 };
            Done::Snapshots(held(&game.text, &game.file, color, threads))
        }
        Part::Examples => Done::Examples(Vec::new()),
        Part::Snapshots => Done::Snapshots(Vec::new()),
    }
}

/// Does everything for all files, and puts it together again.
fn reports(games: Vec<Game>, args: &VerifyArgs, color: bool) -> Vec<Report> {
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(processors, usize::from);
    // The report begins with the check; the longest parts are begun first.
    let parts = [Part::Check, Part::Snapshots, Part::Examples];
    let tasks: Vec<(&Game, Part)> = games
        .iter()
        .flat_map(|game| parts.map(|part| (game, part)))
        .collect();
    let done = shared_out(threads, &tasks, |(game, task)| {
        part(game, *task, args, color)
    });
    let mut reports: Vec<Report> = Vec::new();
    let files = games.iter().flat_map(|game| parts.map(|_| game));
    for (game, done) in files.zip(done) {
        match done {
            Done::Checked(checked) => reports.push(Report {
                file: game.file.clone(),
                checked: *checked,
                examples: Vec::new(),
                snapshots: Vec::new(),
            }),
            Done::Examples(examples) => {
                if let Some(report) = reports.last_mut() {
                    report.examples = examples;
                }
            }
            Done::Snapshots(snapshots) => {
                if let Some(report) = reports.last_mut() {
                    report.snapshots = snapshots;
                }
            }
        }
    }
    reports
}

/// A file held against the snapshots that there are.
fn held(text: &Text, file: &str, color: bool, threads: usize) -> Vec<Verdict> {
    let (maker, game) = (snapshot::maker(text.clone(), color), Path::new(file));
    let mut stored = verdict::beside(game);
    stored.retain(|(_, path)| path.exists());
    let wishes = verdict::Wishes::default();
    shared_out(threads, &stored, |(settings, path)| {
        verdict::check_one(&maker, game, settings.clone(), Some(path.clone()), wishes)
    })
}

fn is_same(verdict: &Verdict) -> bool {
    matches!(verdict.found, Found::Same)
}

impl Report {
    fn errors(&self) -> usize {
        self.count(Severity::Error) + usize::from(self.checked.internal.is_some())
    }

    fn count(&self, severity: Severity) -> usize {
        let diagnostics = self.checked.diagnostics.iter();
        diagnostics.filter(|d| d.severity == severity).count()
    }

    fn failed(&self) -> usize {
        let failed = |r: &&Example| !r.failures.is_empty();
        self.examples.iter().filter(failed).count()
    }

    fn changed(&self) -> usize {
        self.snapshots.iter().filter(|v| !is_same(v)).count()
    }

    fn is_fine(&self) -> bool {
        self.errors() + self.count(Severity::Warning) + self.failed() + self.changed() == 0
    }

    /// The file in a few words.
    fn verdict(&self) -> String {
        let mut said = Vec::new();
        for (n, word) in [
            (self.errors(), "error"),
            (self.count(Severity::Warning), "warning"),
        ] {
            if n > 0 {
                said.push(phrase::number(n, word));
            }
        }
        if self.is_fine() {
            said.push("fine".to_owned());
        }
        if self.errors() > 0 && self.examples.is_empty() {
            return said.join(", ");
        }
        said.push(match (self.examples.len(), self.failed()) {
            (0, _) => "no examples".to_owned(),
            (all, 0) => phrase::number(all, "example"),
            (all, failed) => format!("{failed} of {} failed", phrase::number(all, "example")),
        });
        let held = self.snapshots.len();
        said.push(match (held, self.changed()) {
            (0, _) => "no snapshot".to_owned(),
            (all, 0) => phrase::number(all, "snapshot"),
            (all, changed) => format!("{changed} of {} changed", phrase::number(all, "snapshot")),
        });
        said.join(", ")
    }

    /// What is wrong, in full.
    fn tell(&mut self, terminal: &mut Terminal) -> Result<(), Failure> {
        let color = terminal.color_out;
        for diagnostic in &self.checked.diagnostics {
            if diagnostic.severity != Severity::Note {
                terminal.line(&render::diagnostic(&self.checked.source, diagnostic, color))?;
            }
        }
        if let Some(message) = &self.checked.internal {
            let text = check::internal_message(message);
            terminal.line(&render::message(Some(check::INTERNAL), &text, None, color))?;
        }
        for example in &self.examples {
            test::tell(&self.checked.source, example, terminal)?;
        }
        let changed: Vec<Verdict> = std::mem::take(&mut self.snapshots)
            .into_iter()
            .filter(|v| !is_same(v))
            .collect();
        if !changed.is_empty() {
            Teller::new(Mode::Check, false, terminal).tell_all(&changed)?;
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let diagnostics: Vec<Value> = self
            .checked
            .diagnostics
            .iter()
            .map(|d| json::diagnostic(&self.checked.source, d))
            .collect();
        let changed = self.snapshots.iter().filter(|v| !is_same(v));
        let snapshots: Vec<Value> = changed.map(|v| to_json(v, &Deed::Nothing)).collect();
        json!({
            "schema": json::SCHEMA,
            "file": self.file,
            "ok": self.is_fine(),
            "errors": self.errors(),
            "warnings": self.count(Severity::Warning),
            "examples": {"all": self.examples.len(), "failed": self.failed()},
            "snapshots": {
                "all": self.snapshots.len(),
                "changed": self.changed(),
                "findings": snapshots,
            },
            "internal": self.checked.internal,
            "diagnostics": diagnostics,
        })
    }
}

fn summary(reports: &[Report]) -> String {
    let files = phrase::number(reports.len(), "file");
    let wrong = reports.iter().filter(|r| !r.is_fine()).count();
    let examples: usize = reports.iter().map(|r| r.examples.len()).sum();
    if wrong > 0 {
        let fine = reports.len() - wrong;
        return format!("{files}: {fine} fine, {wrong} with findings");
    }
    let snapshots: usize = reports
        .iter()
        .flat_map(|r| &r.snapshots)
        .filter(|v| is_same(v))
        .count();
    format!(
        "{files}: all fine, with {} and {}",
        phrase::number(examples, "example"),
        phrase::number(snapshots, "snapshot")
    )
}
