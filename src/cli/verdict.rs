//! A game file held against its snapshots: a way to get engines and the file's path in, a verdict for each snapshot out, as
//! data. Reads the snapshots that lie beside the file, in `snapshots/`, and writes nothing.

use crate::base::{Source, Span};
use crate::cli::failure::Failure;
use crate::cli::render::Finding;
use crate::cli::store;
use crate::engine::Engine;
use crate::tools::snapshot::{Difference, Plan, Snapshot, compare, make};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Options that are set: names and values.
pub type Settings = Vec<(String, String)>;

/// Why there is no engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The game refuses the values of its options; a sentence.
    Refused(String),
    /// The game has no such option; a sentence.
    NoOption(String),
    /// The file is no game; drawn diagnostics, each line ended.
    Invalid(String),
}

/// Gives the engine of a game under some options.
pub type Maker<'m> = dyn Fn(&Settings) -> Result<Engine, Obstacle> + Sync + 'm;

/// What became of one snapshot.
#[derive(Debug)]
pub struct Verdict {
    /// The game file.
    pub game: PathBuf,
    /// The options that are set.
    pub settings: Settings,
    /// The snapshot's file.
    pub snapshot: PathBuf,
    /// What was found.
    pub found: Found,
}

/// What was found.
#[derive(Debug)]
pub enum Found {
    /// The snapshot still holds.
    Same,
    /// There is no snapshot yet; this is what it would be.
    New(Box<Snapshot>),
    /// The rules come to something else.
    Different {
        /// What they come to now.
        now: Box<Snapshot>,
        /// What has changed; never empty.
        differences: Vec<Difference>,
    },
    /// Nothing can be held against this snapshot any more; a clause.
    Unused(String),
    /// The game refuses these options, or does not have them; a sentence.
    Refused(String),
    /// The file is no game; drawn diagnostics, each line ended.
    Invalid(String),
    /// The game cannot be played; a sentence.
    Unplayable(String),
    /// The snapshot's file is no snapshot.
    Broken(Box<Finding>),
    /// The snapshot's file cannot be read; why.
    Unreadable(String),
}

/// Numbers asked for; what is not asked for is as in the snapshot, or else at its default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wishes {
    /// As in [`Plan`].
    pub depth: Option<usize>,
    /// As in [`Plan`].
    pub budget: Option<u64>,
    /// As in [`Plan`].
    pub games: Option<u64>,
    /// As in [`Plan`].
    pub plies: Option<usize>,
    /// As in [`Plan`].
    pub seed: Option<u64>,
}

impl Wishes {
    fn over(self, plan: Plan) -> Plan {
        Plan {
            depth: self.depth.unwrap_or(plan.depth),
            budget: self.budget.unwrap_or(plan.budget),
            games: self.games.unwrap_or(plan.games),
            plies: self.plies.unwrap_or(plan.plies),
            seed: self.seed.unwrap_or(plan.seed),
        }
    }
}

/// The folder of a game file's snapshots.
#[must_use]
pub fn folder(game: &Path) -> PathBuf {
    game.with_file_name("snapshots")
}

/// Holds a game against its snapshots: the default one, whether it is there or not, then all others that lie beside the file,
/// sorted by name. `maker` may give engines of other rules than those in the file.
#[must_use]
pub fn check_file(maker: &Maker<'_>, game: &Path) -> Vec<Verdict> {
    let tasks = beside(game);
    tasks
        .into_iter()
        .map(|(settings, path)| check_one(maker, game, settings, Some(path), Wishes::default()))
        .collect()
}

/// The default snapshot of a game file and all others that lie beside it, with their settings.
#[must_use]
pub fn beside(game: &Path) -> Vec<(Settings, PathBuf)> {
    let stem = stem(game);
    let mut tasks = vec![(Settings::new(), folder(game).join(format!("{stem}.snap")))];
    let (files, _) = store::list(&folder(game)).unwrap_or_default();
    for path in files {
        if let Some((owner, settings)) = name_of(&path)
            && owner == stem
            && !settings.is_empty()
        {
            tasks.push((settings, path));
        }
    }
    tasks
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The game's stem and the settings that the name of a snapshot's file tells; nothing for other files. What stands behind the last `@`
/// and is no settings belongs to the stem.
#[must_use]
pub fn name_of(path: &Path) -> Option<(String, Settings)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".snap")?;
    let setting = |text: &str| {
        let (name, value) = text.split_once('=')?;
        let whole = !name.is_empty() && !value.is_empty();
        whole.then(|| (name.to_owned(), value.to_owned()))
    };
    let told = name.rsplit_once('@').and_then(|(stem, list)| {
        let settings: Option<Settings> = list.split(',').map(setting).collect();
        Some((stem.to_owned(), settings?))
    });
    Some(told.unwrap_or_else(|| (name.to_owned(), Settings::new())))
}

/// The file of a game's snapshot under some options, which are named in the order of their declaration.
#[must_use]
pub fn path_of(game: &Path, settings: &Settings, engine: &Engine) -> PathBuf {
    let options = engine.program().options.iter();
    let named = options.filter(|o| settings.iter().any(|(name, _)| *name == o.name));
    let named: Settings = named.map(|o| (o.name.clone(), o.value.clone())).collect();
    folder(game).join(file_name(game, &named))
}

fn file_name(game: &Path, settings: &Settings) -> String {
    let named: Vec<String> = settings.iter().map(|(n, v)| format!("{n}={v}")).collect();
    let at = if named.is_empty() { "" } else { "@" };
    format!("{}{at}{}.snap", stem(game), named.join(","))
}

/// Holds a game under some options against one snapshot: that at `stored`, or else the one of that name.
#[must_use]
pub fn check_one(
    maker: &Maker<'_>,
    game: &Path,
    settings: Settings,
    stored: Option<PathBuf>,
    wishes: Wishes,
) -> Verdict {
    let asked = stored.is_none();
    let engine = maker(&settings);
    let path = match (&engine, stored) {
        (_, Some(path)) => path,
        (Ok(engine), None) => path_of(game, &settings, engine),
        (Err(_), None) => folder(game).join(file_name(game, &settings)),
    };
    let found = match engine {
        Ok(engine) => hold(&engine, &path, wishes),
        Err(Obstacle::Invalid(text)) => Found::Invalid(text),
        Err(Obstacle::Refused(reason) | Obstacle::NoOption(reason)) if !asked => {
            Found::Unused(reason)
        }
        Err(Obstacle::Refused(reason) | Obstacle::NoOption(reason)) => Found::Refused(reason),
    };
    Verdict {
        game: game.to_owned(),
        settings,
        snapshot: path,
        found,
    }
}

fn hold(engine: &Engine, path: &Path, wishes: Wishes) -> Found {
    let old = match read(path) {
        Ok(old) => old,
        Err(found) => return found,
    };
    let plan = old.as_ref().map(|old| old.plan).unwrap_or_default();
    let now = match make(engine, &wishes.over(plan)) {
        Ok(now) => Box::new(now),
        Err(error) => return Found::Unplayable(error.to_string()),
    };
    let Some(old) = old else {
        return Found::New(now);
    };
    let differences = compare(&old, &now, engine);
    if differences.is_empty() {
        return Found::Same;
    }
    Found::Different { now, differences }
}

/// Reads a snapshot, if there is one.
fn read(path: &Path) -> Result<Option<Snapshot>, Found> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Found::Unreadable(error.to_string())),
    };
    let name = path.display().to_string();
    let broken = |text: String, span, here: String, help: &str| {
        Found::Broken(Box::new(Finding {
            source: Source::new(&name, text),
            span,
            message: "this is no snapshot that can be read".to_owned(),
            here,
            note: None,
            help: Some(help.to_owned()),
        }))
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
            let help = "restore it, or delete it and make it anew with --accept";
            let here = "what follows is not UTF-8 text".to_owned();
            return Err(broken(text, Span::new(at, at), here, help));
        }
    };
    match Snapshot::parse(&text) {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(error) => Err(broken(text, error.span, error.here, error.help)),
    }
}

/// The snapshots below a folder's `snapshots/` that are of no game in the folder.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn unused(parent: &Path) -> Result<Vec<Verdict>, Failure> {
    let below = parent.join("snapshots");
    if !below.is_dir() {
        return Ok(Vec::new());
    }
    let (files, _) = store::list(&below)?;
    let mut verdicts = Vec::new();
    for path in files {
        let Some((owner, _)) = name_of(&path) else {
            continue;
        };
        let of = |stem: &str| parent.join(format!("{stem}.game"));
        if of(&owner).is_file() {
            continue;
        }
        let shorter = owner.rsplit_once('@').map(|(stem, _)| stem);
        let (game, reason) = match shorter.filter(|stem| of(stem).is_file()) {
            Some(stem) => (
                of(stem),
                "its name should end with settings, such as @size=5,men=3".to_owned(),
            ),
            None => (
                of(&owner),
                format!("there is no {owner}.game in the folder above"),
            ),
        };
        // Snapshots of other tools may lie in such a folder.
        let ours = std::fs::read_to_string(&path).is_ok_and(|text| is_ours(&text));
        verdicts.extend(ours.then(|| Verdict {
            game,
            settings: Settings::new(),
            snapshot: path.clone(),
            found: Found::Unused(reason),
        }));
    }
    Ok(verdicts)
}

/// Whether a file's header says that this program made it.
fn is_ours(text: &str) -> bool {
    let mut header = text.lines().skip(1).take_while(|line| *line != "---");
    header.any(|line| line.starts_with("expression:") && line.contains("gambol snapshot"))
}

#[cfg(test)]
mod tests {
    use crate::cli::verdict::{is_ours, name_of};
    use std::path::Path;

    #[test]
    fn names_tell_settings() {
        let told = |name: &str| name_of(Path::new(name));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(told("a/x.snap"), Some(("x".to_owned(), vec![])));
        assert_eq!(
            told("x@rows=6,free=no.snap"),
            Some(("x".to_owned(), vec![pair("rows", "6"), pair("free", "no")]))
        );
        let twice = "x@home@rows=6.snap";
        assert_eq!(
            told(twice),
            Some(("x@home".to_owned(), vec![pair("rows", "6")]))
        );
        for whole in ["x@", "x@rows", "x@rows="] {
            let file = format!("{whole}.snap");
            assert_eq!(told(&file), Some((whole.to_owned(), vec![])));
        }
        for wrong in ["x.snap.new", "x.game"] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn headers_tell_who_made_a_snapshot() {
        assert!(is_ours(
            "---\nsource: x\nexpression: gambol snapshot\n---\n"
        ));
        assert!(is_ours("---\nexpression: \"gambol snapshot\"\n---\n"));
        assert!(!is_ours(
            "---\nexpression: text\n---\nexpression: gambol snapshot\n"
        ));
        assert!(!is_ours(""));
    }
}
