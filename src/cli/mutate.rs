//! `gambol mutate`: small changes of a rule file, and which of them no test notices.

use crate::base::Source;
use crate::cli::args::{Common, whole};
use crate::cli::diff::{extent, kind};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::files::Text;
use crate::cli::out::Terminal;
use crate::cli::verdict::{self, Found, Maker};
use crate::cli::{files, json, load, snapshot, test};
use crate::engine::Engine;
use crate::syntax;
use crate::tools::compare::{Comparison, Difference, Kind, Plan};
use crate::tools::examples::Report;
use crate::tools::mutate::{
    Fate, Mutant, Notice, Sums, Verdict, mutants, mutate as try_all, some_of, sums,
};
use crate::tools::phrase;
use clap::Args;
use serde_json::{Value, json};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// The arguments of `mutate`.
#[derive(Args, Clone, Debug)]
pub struct MutateArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// The most changes to try, spread over the file [default: all].
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub limit: Option<u32>,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// How far a change is compared with the original.
const NEAR: Plan = Plan {
    positions: 1000,
    games: 6,
    plies: 150,
    seed: crate::tools::rng::DEFAULT_SEED,
    threads: 1,
};

/// Longer words are cut in lines for people, at so many letters.
const WIDE: usize = 60;

/// Tries the changes, and tells those that nobody notices.
///
/// # Errors
///
/// If the file is wrong, or the result cannot be written.
pub fn mutate(args: &MutateArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let read = files::read(&args.file)?;
    let original = load::engine_of(&read, &args.common.set, terminal)?;
    let source = read.source.clone();
    let (file, _) = syntax::parse(&source);
    // What a variant takes over is its base's own matter.
    let (_, _, own) = source.part(0);
    let mut all = mutants(source.text(), &file);
    all.retain(|m| source.part_of(m.span.start) == 0 && m.span.range().end <= own.len());
    let found = all.len();
    let limit = args.limit.and_then(|n| usize::try_from(n).ok());
    let chosen = some_of(all, limit.unwrap_or(usize::MAX));
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let plan = Plan {
        threads: args.threads.map_or_else(processors, usize::from),
        ..NEAR
    };
    let build = |text: &str| {
        let changed = files::with_own_text(&read, text);
        let program = files::compile_text(&changed, &args.common.set).program?;
        Engine::new(program).ok()
    };
    let tests = Tests::of(&read, &args.file, &args.common.set);
    for broken in &tests.broken {
        let said = format!("{broken} does not hold as it is, and notices nothing\n");
        terminal.complain(&said);
    }
    let examples =
        |text: &str, _: &Engine| tests.examples_notice(&files::with_own_text(&read, text));
    let snapshots =
        |text: &str, _: &Engine| tests.snapshots_notice(files::with_own_text(&read, text));
    // Tests that may notice a change are listed here, in the order in which they are asked.
    let notices: &[Notice<'_>] = &[("examples", &examples), ("snapshots", &snapshots)];
    let verdicts = try_all(own, chosen, &original, &build, notices, &plan);
    let sums = sums(&verdicts, notices.len());
    if args.common.json {
        let value = to_json(&source, &verdicts, notices, &sums, found);
        terminal.line(&value.to_string())?;
    } else {
        for verdict in &verdicts {
            if let Some(line) = survivor(&source, verdict) {
                terminal.line(&line)?;
            }
        }
        terminal.line(&summary(&verdicts, notices, &sums, found))?;
    }
    Ok(if sums.unnoticed > 0 { FINDINGS } else { 0 })
}

/// The examples and snapshots of a file that hold before anything is changed.
struct Tests<'a> {
    file: &'a Path,
    settings: &'a [(String, String)],
    /// Titles of examples.
    examples: Vec<String>,
    /// Snapshots with their settings.
    snapshots: Vec<(verdict::Settings, PathBuf)>,
    /// What does not hold, in words.
    broken: Vec<String>,
}

impl<'a> Tests<'a> {
    fn of(text: &Text, file: &'a str, settings: &'a [(String, String)]) -> Tests<'a> {
        let mut tests = Tests {
            file: Path::new(file),
            settings,
            examples: Vec::new(),
            snapshots: Vec::new(),
            broken: Vec::new(),
        };
        for report in tests.run(text) {
            if report.failures.is_empty() {
                tests.examples.push(report.title);
            } else {
                tests
                    .broken
                    .push(format!("the example \"{}\"", report.title));
            }
        }
        let stored = if settings.is_empty() && file != "-" {
            verdict::beside(tests.file)
        } else {
            Vec::new()
        };
        let maker = snapshot::maker(text.clone(), false);
        for (settings, path) in stored.into_iter().filter(|(_, path)| path.exists()) {
            if tests.same(&maker, &settings, &path) {
                tests.snapshots.push((settings, path));
            } else {
                tests
                    .broken
                    .push(format!("the snapshot {}", path.display()));
            }
        }
        tests
    }

    fn run(&self, text: &Text) -> Vec<Report> {
        let (file, _) = syntax::parse(&text.source);
        test::run(text, &file, self.settings)
    }

    fn same(&self, maker: &Maker<'_>, settings: &verdict::Settings, path: &Path) -> bool {
        let (settings, path) = (settings.clone(), Some(path.to_owned()));
        let wishes = verdict::Wishes::default();
        let verdict = verdict::check_one(maker, self.file, settings, path, wishes);
        matches!(verdict.found, Found::Same)
    }

    fn examples_notice(&self, changed: &Text) -> bool {
        self.run(changed)
            .iter()
            .any(|r| !r.failures.is_empty() && self.examples.contains(&r.title))
    }

    fn snapshots_notice(&self, changed: Text) -> bool {
        let maker = snapshot::maker(changed, false);
        let mut stored = self.snapshots.iter();
        stored.any(|(settings, path)| !self.same(&maker, settings, path))
    }
}

/// The line of a change that no test notices.
fn survivor(source: &Source, verdict: &Verdict) -> Option<String> {
    let told = match &verdict.fate {
        Fate::Refused | Fate::Noticed(_) => return None,
        Fate::Same => "the same program".to_owned(),
        Fate::Alike(comparison) if comparison.complete => {
            format!("{}: the same game", extent(comparison))
        }
        Fate::Alike(comparison) => format!("{}: perhaps the same game", extent(comparison)),
        Fate::Unnoticed(comparison) => difference(comparison.difference.as_ref()?),
    };
    let mutant = &verdict.mutant;
    let (line, column) = source.line_column(mutant.span.start);
    let words = changed(mutant);
    Some(format!(
        "{}:{line}:{column}: {words}: {told}",
        source.name()
    ))
}

/// `own` → `enemy`; what is left out is shortened.
fn changed(mutant: &Mutant) -> String {
    let words: Vec<&str> = mutant.old.split_whitespace().collect();
    let mut old: String = words.join(" ");
    if let Some((cut, _)) = old.char_indices().nth(WIDE) {
        old.truncate(cut);
        old.push('…');
    }
    match mutant.new.as_str() {
        "" => format!("`{old}` left out"),
        new => format!("`{old}` → `{new}`"),
    }
}

fn difference(difference: &Difference) -> String {
    let what = match &difference.kind {
        Kind::Boards { .. } => "another board",
        Kind::Start => "another start",
        Kind::Actions { .. } => "other actions",
        Kind::Outcomes { .. } => "another outcome",
        Kind::Successors { action, .. } => {
            let mut path = difference.path.clone();
            path.push(action.clone());
            return format!("another position after {}", path.join(" "));
        }
        Kind::Failures { .. } => "the rules fail",
    };
    match difference.path.as_slice() {
        [] => format!("{what} at the start"),
        path => format!("{what} after {}", path.join(" ")),
    }
}

/// `48 mutants: 6 refused, 35 noticed by examples, 2 unnoticed, 1 perhaps the same game`
fn summary(verdicts: &[Verdict], notices: &[Notice<'_>], sums: &Sums, found: usize) -> String {
    let mut parts = vec![format!("{} refused", sums.refused)];
    let noticed = notices.iter().zip(&sums.noticed);
    parts.extend(noticed.map(|((name, _), count)| format!("{count} noticed by {name}")));
    parts.push(format!("{} unnoticed", sums.unnoticed));
    if sums.alike > 0 {
        parts.push(format!("{} perhaps the same game", sums.alike));
    }
    let of_all = if found == verdicts.len() {
        String::new()
    } else {
        format!(" of {found}")
    };
    let mutants = phrase::number(verdicts.len(), "mutant");
    format!("{mutants}{of_all}: {}", parts.join(", "))
}

fn to_json(
    source: &Source,
    verdicts: &[Verdict],
    notices: &[Notice<'_>],
    sums: &Sums,
    found: usize,
) -> Value {
    let names = notices.iter().map(|(name, _)| (*name).to_owned());
    let noticed = names.zip(sums.noticed.iter().map(|n| json!(n)));
    let survivors: Vec<Value> = verdicts
        .iter()
        .filter_map(|verdict| survivor_json(source, verdict))
        .collect();
    json!({
        "schema": json::SCHEMA,
        "file": source.name(),
        "found": found,
        "mutants": verdicts.len(),
        "refused": sums.refused,
        "noticed": json::object(noticed),
        "unnoticed": sums.unnoticed,
        "alike": sums.alike,
        "survivors": survivors,
    })
}

fn survivor_json(source: &Source, verdict: &Verdict) -> Option<Value> {
    let comparison: Option<&Comparison> = match &verdict.fate {
        Fate::Refused | Fate::Noticed(_) => return None,
        Fate::Same => None,
        Fate::Unnoticed(comparison) | Fate::Alike(comparison) => Some(comparison),
    };
    let (line, column) = source.line_column(verdict.mutant.span.start);
    let difference = comparison.and_then(|c| c.difference.as_ref());
    let difference = difference.map(|d| {
        let mut path = d.path.clone();
        if let Kind::Successors { action, .. } = &d.kind {
            path.push(action.clone());
        }
        json!({"kind": kind(&d.kind), "path": path})
    });
    Some(json!({
        "line": line,
        "column": column,
        "old": verdict.mutant.old,
        "new": verdict.mutant.new,
        "difference": difference,
        "positions": comparison.map_or(0, |c| c.positions),
        "same": comparison.is_none_or(|c| c.complete),
    }))
}
