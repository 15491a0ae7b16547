//! Running a command again whenever the files that it looks at have changed. What is looked at, and what is done, is told by
//! the command; here is only the waiting.

use crate::cli::failure::Failure;
use crate::cli::files;
use crate::cli::out::Terminal;
use notify::{Event, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

/// So long nothing more must change before a command is run: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(15);
/// After so long it is looked whether files have changed, even if nobody has told.
const LOOK: Duration = Duration::from_secs(2);

/// What a file looked like: when it was written, and how long it is; nothing when it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// What is run for the files that have changed.
pub type Run<'r> = dyn FnMut(&[String], &mut Terminal) -> Result<u8, Failure> + 'r;

/// Runs `run` for all files of a list, then, for ever, for those that have changed, or whose bases or snapshots have.
///
/// # Errors
///
/// If a result cannot be written or a folder cannot be watched; what is wrong with a file is told by `run`.
pub fn watch(names: &[String], terminal: &mut Terminal, run: &mut Run<'_>) -> Result<u8, Failure> {
    if names.iter().any(|n| n == "-") {
        return Err(Failure::Usage(
            "the standard input, `-`, cannot be watched".to_owned(),
        ));
    }
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // That a file was looked at, here or elsewhere, is no change.
        if event.is_ok_and(|e| !e.kind.is_access()) {
            // Nobody listens any more only when the program ends.
            let _ = sender.send(());
        }
    })
    .map_err(|e| unwatchable(&e))?;
    let mut watched: BTreeSet<PathBuf> = BTreeSet::new();
    let mut seen: BTreeMap<String, Vec<(PathBuf, Stamp)>> = BTreeMap::new();
    loop {
        let now = look(names)?;
        for folder in folders(names, &now) {
            if watched.insert(folder.clone()) {
                watcher
                    .watch(&folder, RecursiveMode::NonRecursive)
                    .map_err(|e| unwatchable(&e))?;
            }
        }
        let changed: Vec<String> = now
            .iter()
            .filter(|(file, stamps)| seen.get(*file) != Some(*stamps))
            .map(|(file, _)| file.clone())
            .collect();
        // What was written itself comes first: somebody waits for that.
        let written = |file: &String| now[file].first() != seen.get(file).and_then(|s| s.first());
        let (first, then): (Vec<String>, Vec<String>) = changed.into_iter().partition(written);
        seen = now;
        let again = !first.is_empty() || !then.is_empty();
        for files in [first, then].iter().filter(|files| !files.is_empty()) {
            match run(files, terminal) {
                Ok(_) => {}
                Err(failure @ (Failure::Closed | Failure::Unwritable(_))) => return Err(failure),
                Err(failure) => failure.report(terminal),
            }
            terminal.flush()?;
        }
        if again {
            terminal.complain("waiting for changes; Ctrl-C ends\n");
        }
        wait(&changes);
    }
}

fn unwatchable(error: &notify::Error) -> Failure {
    Failure::Unreadable {
        file: "the folders to be watched".to_owned(),
        reason: error.to_string(),
    }
}

/// Waits until something has changed and then nothing for a moment.
fn wait(changes: &Receiver<()>) {
    if changes.recv_timeout(LOOK).is_ok() {
        while changes.recv_timeout(QUIET).is_ok() {}
    }
}

/// The files of a list, each with all that it depends on, as it is now.
fn look(names: &[String]) -> Result<BTreeMap<String, Vec<(PathBuf, Stamp)>>, Failure> {
    let mut found = BTreeMap::new();
    for file in files::expand(names)? {
        let stamps = inputs(&file).into_iter().map(|path| {
            let stamp = stamp(&path);
            (path, stamp)
        });
        let stamps = stamps.collect();
        found.insert(file, stamps);
    }
    Ok(found)
}

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What the findings about a file depend on: itself, its bases, its snapshots.
fn inputs(file: &str) -> Vec<PathBuf> {
    let mut inputs = vec![PathBuf::from(file)];
    if let Ok(text) = files::read(file) {
        let parts = 1..text.source.parts();
        inputs.extend(parts.map(|part| PathBuf::from(text.source.part(part).0)));
    }
    let path = Path::new(file);
    let folder = path.parent().unwrap_or(Path::new("")).join("snapshots");
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut snapshots: Vec<PathBuf> = entries
        .map(|e| e.path())
        .filter(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            let own = name.strip_prefix(stem.as_ref());
            own.is_some_and(|rest| rest.ends_with(".snap") && rest.starts_with(['.', '@']))
        })
        .collect();
    snapshots.sort();
    inputs.extend(snapshots);
    inputs
}

/// The folders in which something of interest may change.
fn folders(names: &[String], found: &BTreeMap<String, Vec<(PathBuf, Stamp)>>) -> BTreeSet<PathBuf> {
    let named = names.iter().map(PathBuf::from).filter(|p| p.is_dir());
    let inputs = found.values().flatten().map(|(path, _)| path);
    let parents = inputs.map(|path| match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    });
    named.chain(parents).filter(|p| p.is_dir()).collect()
}
