//! `gambol snapshot`: rule files held against their snapshots; what has changed told in words; snapshots written as asked.

use crate::base::{Code, Severity};
use crate::cli::args::{Common, whole};
use crate::cli::failure::Failure;
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::teller::{Mode, Teller};
use crate::cli::verdict::{self, Found, Maker, Obstacle, Settings, Verdict, Wishes};
use crate::cli::{render, store, watch};
use crate::engine::Engine;
use crate::tools::perft::shared_out;
use clap::Args;
use indicatif::ProgressBar;
use std::io::{IsTerminal as _, stdin};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, available_parallelism};

/// The arguments of `snapshot`.
#[derive(Args, Clone, Debug)]
pub struct SnapshotArgs {
    /// Game files, or folders of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<String>,
    /// Write nothing; also under CI=true.
    #[arg(long, conflicts_with_all = ["accept", "review"])]
    pub check: bool,
    /// Keep all that is new or different.
    #[arg(long, conflicts_with = "review")]
    pub accept: bool,
    /// Ask for each that is new or different whether to keep it.
    #[arg(long, conflicts_with = "json")]
    pub review: bool,
    /// The longest sequences of actions to count [default: as in the snapshot, or 4].
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u16))]
    pub depth: Option<u16>,
    /// The most sequences of a length to count; bounds the games as well [default: as in the snapshot, or 20000].
    #[arg(long, value_name = "NODES", value_parser = whole(0..=u64::MAX))]
    pub budget: Option<u64>,
    /// The most random games [default: as in the snapshot, or 20].
    #[arg(long, value_name = "N", value_parser = whole(0..=1_000_000_u32))]
    pub games: Option<u32>,
    /// The seed of the first game [default: as in the snapshot, or 1].
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// The plies of a game to keep with their positions [default: as in the snapshot, or 40].
    #[arg(long, value_name = "N", value_parser = whole(0..=u16::MAX))]
    pub plies: Option<u16>,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Hold against the snapshots again whenever a file is saved; write nothing.
    #[arg(long)]
    pub watch: bool,
    /// Common ones; a value `low..high` sets one number after the other.
    #[command(flatten)]
    pub common: Common,
}

/// The most settings of one sweep.
const SWEEP: usize = 10_000;

/// Holds files against their snapshots; the worst verdict decides the exit code.
///
/// # Errors
///
/// If the arguments contradict each other, a file or folder cannot be read, or the result cannot be written.
pub fn snapshot(args: &SnapshotArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.watch {
        if args.accept || args.review {
            return Err(Failure::Usage(
                "--watch looks and does not write; leave out --accept and --review".to_owned(),
            ));
        }
        let again = &mut |files: &[String], terminal: &mut Terminal| {
            hold(args, Mode::Check, find(files)?, terminal)
        };
        return watch::watch(&args.files, terminal, again);
    }
    let mode = mode(args)?;
    hold(args, mode, find(&args.files)?, terminal)
}

fn hold(
    args: &SnapshotArgs,
    mode: Mode,
    found: Files,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let sweep = sweep(&args.common.set)?;
    let mut games = Vec::new();
    for path in &found.games {
        games.push((path, read(path, terminal.color_err && !args.common.json)?));
    }
    let wishes = Wishes {
        depth: args.depth.map(usize::from),
        budget: args.budget,
        games: args.games.map(u64::from),
        plies: args.plies.map(usize::from),
        seed: args.seed,
    };
    let mut tasks = Vec::new();
    for (path, maker) in &games {
        if args.common.set.is_empty() {
            let stored = verdict::beside(path).into_iter();
            tasks
                .extend(stored.map(|(settings, snapshot)| (path, maker, settings, Some(snapshot))));
        } else {
            tasks.extend(
                sweep
                    .iter()
                    .map(|settings| (path, maker, settings.clone(), None)),
            );
        }
    }
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(processors, usize::from);
    let progress = Progress::new(tasks.len());
    let mut verdicts = shared_out(threads, &tasks, |(path, maker, settings, stored)| {
        let verdict = verdict::check_one(maker, path, settings.clone(), stored.clone(), wishes);
        progress.done();
        verdict
    });
    progress.bar.finish_and_clear();
    let all_refused = !verdicts.is_empty() && verdicts.iter().all(is_refused);
    verdicts.extend(found.unused);
    let alone = sweep.len() == 1;
    let code = Teller::new(mode, args.common.json, terminal).tell_all(&verdicts)?;
    Ok(code.max(u8::from(
        all_refused || alone && verdicts.iter().any(is_refused),
    )))
}

fn is_refused(verdict: &Verdict) -> bool {
    matches!(verdict.found, Found::Refused(_))
}

fn mode(args: &SnapshotArgs) -> Result<Mode, Failure> {
    let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
    let ci = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    if args.files.iter().any(|file| file == "-") {
        return usage(
            "a snapshot lies beside its file, and the standard input has no place: name a file",
        );
    }
    if ci && (args.accept || args.review) {
        return usage("nothing is written under CI=true; leave out --accept and --review");
    }
    if args.review && !stdin().is_terminal() {
        return usage(
            "--review asks at a terminal, and there is none; use --accept, or read the files *.snap.new",
        );
    }
    Ok(match (args.accept, args.review) {
        (true, _) => Mode::Accept,
        (_, true) => Mode::Review,
        _ if args.check || ci => Mode::Check,
        _ => Mode::Propose,
    })
}

/// All settings that `name=low..high` and `name=value` together ask for, the last name changing fastest.
fn sweep(set: &[(String, String)]) -> Result<Vec<Settings>, Failure> {
    let mut all = vec![Settings::new()];
    for (name, value) in set {
        let values: Vec<String> = match value.split_once("..") {
            None => vec![value.clone()],
            Some((low, high)) => match (low.parse::<i64>(), high.parse::<i64>()) {
                (Ok(low), Ok(high)) if low <= high && high.abs_diff(low) < SWEEP as u64 => {
                    (low..=high).map(|n| n.to_string()).collect()
                }
                _ => {
                    return Err(Failure::Usage(format!(
                        "`{name}={value}` is no sweep: expected two numbers, the lower one first, such as {name}=6..12"
                    )));
                }
            },
        };
        if all.len().saturating_mul(values.len()) > SWEEP {
            return Err(Failure::Usage(format!(
                "these are more than {SWEEP} settings; sweep over fewer values"
            )));
        }
        let with = |settings: &Settings| {
            let mut settings = settings.clone();
            settings.retain(|(other, _)| other != name);
            values.iter().map(move |value| {
                let mut settings = settings.clone();
                settings.push((name.clone(), value.clone()));
                settings
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

/// Game files, and snapshots that are of none.
struct Files {
    games: Vec<PathBuf>,
    unused: Vec<Verdict>,
}

fn find(named: &[String]) -> Result<Files, Failure> {
    let mut files = Files {
        games: Vec::new(),
        unused: Vec::new(),
    };
    for name in named {
        let path = PathBuf::from(name);
        let before = files.games.len();
        if !path.is_dir() {
            files.games.push(path);
        } else {
            search(&path, &mut files)?;
            if files.games.len() == before {
                return Err(Failure::Unreadable {
                    file: name.clone(),
                    reason: "there is no .game file in this folder".to_owned(),
                });
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    files.games.retain(|path| seen.insert(path.clone()));
    Ok(files)
}

fn search(folder: &Path, files: &mut Files) -> Result<(), Failure> {
    let (found, folders) = store::list(folder)?;
    let games = found
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "game"));
    files.games.extend(games);
    files.unused.extend(verdict::unused(folder)?);
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with('.') && name != "snapshots" {
            search(&folder, files)?;
        }
    }
    Ok(())
}

/// A way to get engines of a file, which is read once.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(path: &Path, color: bool) -> Result<Box<Maker<'static>>, Failure> {
    let text = files::read(&path.to_string_lossy())?;
    Ok(maker(text, color))
}

/// A way to get engines of a text that was read.
pub fn maker(text: Text, color: bool) -> Box<Maker<'static>> {
    match &text.problem {
        None => Box::new(move |settings| engine(&text, settings, color)),
        Some(problem) => {
            let told = render::diagnostic(&text.source, problem, color);
            Box::new(move |_| Err(Obstacle::Invalid(told.clone())))
        }
    }
}

fn engine(text: &Text, settings: &Settings, color: bool) -> Result<Engine, Obstacle> {
    let source = &text.source;
    let compiled = files::compile_text(text, settings);
    if let Some(program) = compiled.program {
        return Engine::new(program).map_err(|error| {
            let code = Some(error.code().name());
            Obstacle::Invalid(render::message(
                code,
                &error.to_string(),
                Some(error.help()),
                color,
            ))
        });
    }
    let errors = || {
        compiled
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
    };
    let of = |codes: &[Code]| errors().find(|d| codes.contains(&d.code));
    if let Some(unknown) = of(&[Code::UnknownOption]) {
        return Err(Obstacle::NoOption(unknown.message.clone()));
    }
    if let Some(refused) = of(&[Code::BadOption, Code::OptionRefused, Code::IdleOption]) {
        return Err(Obstacle::Refused(refused.message.clone()));
    }
    let drawn = errors().map(|d| render::diagnostic(source, d, color));
    Err(Obstacle::Invalid(drawn.collect::<Vec<_>>().join("\n")))
}

/// How far the work is, on a terminal's standard error.
struct Progress {
    bar: ProgressBar,
    count: AtomicU64,
    home: thread::ThreadId,
}

impl Progress {
    fn new(tasks: usize) -> Progress {
        let bar = match u64::try_from(tasks) {
            Ok(tasks) if tasks > 1 => ProgressBar::new(tasks),
            _ => ProgressBar::hidden(),
        };
        Progress {
            bar,
            count: AtomicU64::new(0),
            home: thread::current().id(),
        }
    }

    fn done(&self) {
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        // The thread that began holds the streams; from any other one, drawing would wait for it.
        if thread::current().id() == self.home {
            self.bar.set_position(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::snapshot::sweep;

    #[test]
    fn sweeps_set_one_number_after_the_other() {
        let set = |list: &[(&str, &str)]| {
            let list: Vec<_> = list
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect();
            sweep(&list).map(|all| {
                let one = |s: &Vec<(String, String)>| {
                    s.iter().map(|(n, v)| format!("{n}{v}")).collect::<String>()
                };
                all.iter().map(one).collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(set(&[]).unwrap(), "");
        assert_eq!(
            set(&[("r", "-1..1"), ("c", "2"), ("d", "0..1")]).unwrap(),
            "r-1c2d0 r-1c2d1 r0c2d0 r0c2d1 r1c2d0 r1c2d1"
        );
        assert_eq!(set(&[("r", "1"), ("r", "2")]).unwrap(), "r2");
        for wrong in [
            "3..2",
            "a..b",
            "..",
            "1..",
            "0..10000",
            "-9223372036854775808..9223372036854775807",
        ] {
            assert!(set(&[("r", wrong)]).is_err(), "{wrong}");
        }
        assert!(set(&[("r", "1..200"), ("c", "1..200")]).is_err());
    }
}
