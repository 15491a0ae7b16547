//! Game files from the disk: a file, and behind it the files that it is a variant of. What cannot be found or read becomes
//! a finding at the line that asks for it.

use crate::base::{Code, Diagnostic, Source, Span};
use crate::cli::failure::Failure;
use crate::{Compiled, compile, syntax};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The most bytes of a text that is read, whatever it should be: rules have a bound of their own, and a record of so many is none.
const MOST_BYTES: usize = 64 << 20;

/// A game file as it was read.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, and those of its bases.
    pub source: Source,
    /// Why it cannot be compiled as it is: not UTF-8, or a base that is not there.
    pub problem: Option<Diagnostic>,
}

/// Reads a game file and its bases; the standard input for `-`.
///
/// # Errors
///
/// If the file itself cannot be read.
pub fn read(file: &str) -> Result<Text, Failure> {
    let (source, problem) = read_alone(file)?;
    if problem.is_some() {
        return Ok(Text { source, problem });
    }
    Ok(with_bases(source, file))
}

/// Reads a file that is no game; one that is not UTF-8 has a problem.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_alone(file: &str) -> Result<(Source, Option<Diagnostic>), Failure> {
    let unreadable = |reason: String| Failure::Unreadable {
        file: named(file).to_owned(),
        reason,
    };
    let bytes = if file == "-" {
        up_to_most(std::io::stdin().lock())
    } else {
        std::fs::File::open(file).and_then(up_to_most)
    };
    let bytes = bytes.map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() > MOST_BYTES {
        return Err(unreadable(format!(
            "it is longer than {} MB",
            MOST_BYTES >> 20
        )));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (Source::new(file, text), None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(at);
            let source = Source::new(file, String::from_utf8(bytes).unwrap_or_default());
            let message = format!("the file is not UTF-8 text: the byte at offset {at} is wrong");
            let problem = Diagnostic::new(Code::NotText, Span::new(at, at), message)
                .help("save it with the encoding UTF-8");
            (source, Some(problem))
        }
    })
}

/// All bytes, or one more than are read at all: what never ends is not waited for.
fn up_to_most(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a file is called in messages.
pub fn named(file: &str) -> &str {
    if file == "-" {
        "the standard input"
    } else {
        file
    }
}

/// The files of a list in which folders stand for all game files in and below them, sorted.
///
/// # Errors
///
/// If a folder cannot be read, or the standard input stands twice.
pub fn expand(names: &[String]) -> Result<Vec<String>, Failure> {
    if names.iter().filter(|name| *name == "-").count() > 1 {
        return Err(Failure::Usage(
            "the standard input, `-`, can be read only once".to_owned(),
        ));
    }
    let mut found = Vec::new();
    for name in names {
        if name != "-" && Path::new(name).is_dir() {
            let before = found.len();
            walk(Path::new(name), &mut found)?;
            // The folder that is worked in goes without saying.
            for file in &mut found[before..] {
                if let Some(bare) = file.strip_prefix("./") {
                    *file = bare.to_owned();
                }
            }
        } else {
            found.push(name.clone());
        }
    }
    Ok(found)
}

/// As [`expand`], where each folder must hold a game.
///
/// # Errors
///
/// As of [`expand`], and if there is no game file in or below a folder.
pub fn expand_all(names: &[String]) -> Result<Vec<String>, Failure> {
    for name in names.iter().filter(|name| *name != "-") {
        if Path::new(name).is_dir() && expand(std::slice::from_ref(name))?.is_empty() {
            return Err(Failure::Unreadable {
                file: name.clone(),
                reason: "there is no .game file in it".to_owned(),
            });
        }
    }
    expand(names)
}

fn walk(folder: &Path, found: &mut Vec<String>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| Failure::Unreadable {
        file: folder.to_string_lossy().into_owned(),
        reason: error.to_string(),
    };
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for path in entries {
        let hidden = path
            .file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !path.is_symlink() && !hidden {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "game") && !path.is_dir() {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// The same files with another text in the place of the first.
#[must_use]
pub fn with_own_text(text: &Text, own: &str) -> Text {
    let source = &text.source;
    let mut bases: Vec<Source> = (1..source.parts())
        .map(|part| {
            let (name, _, text) = source.part(part);
            Source::new(name, text)
        })
        .collect();
    let mut changed = Source::new(source.name(), own);
    for base in bases.drain(..) {
        changed = changed.with_base(&base);
    }
    Text {
        source: changed,
        problem: text.problem.clone(),
    }
}

/// Compiles what was read.
#[must_use]
pub fn compile_text(text: &Text, settings: &[(String, String)]) -> Compiled {
    let mut compiled = compile(&text.source, settings);
    if let Some(problem) = &text.problem {
        // The compiler only knows that the base is not there; here the reason is known.
        let same = |d: &Diagnostic| d.code == Code::UnknownBase;
        if problem.code == Code::NotText {
            compiled.diagnostics.clear();
        } else {
            compiled.diagnostics.retain(|d| !same(d));
        }
        compiled.diagnostics.insert(0, problem.clone());
        compiled.program = None;
    }
    compiled
}

/// Puts the bases of a variant behind it, each base's base behind that.
fn with_bases(mut source: Source, file: &str) -> Text {
    let root = root_of(file);
    let mut seen: Vec<PathBuf> = Path::new(file).canonicalize().into_iter().collect();
    while let Some(name) = syntax::base_of(&source) {
        let from = source.part(source.parts() - 1).0.to_owned();
        match base(&from, &name.text, &root, &seen) {
            Ok((base, path)) => {
                source = source.with_base(&base);
                seen.push(path);
            }
            Err((code, reason, help)) => {
                let problem = Diagnostic::new(code, name.span, reason)
                    .here("this is the file that it builds on")
                    .help(help);
                return Text {
                    source,
                    problem: Some(problem),
                };
            }
        }
    }
    Text {
        source,
        problem: None,
    }
}

/// The folder that bases are looked for in: the one that is worked in, or, for files elsewhere, the one above their own.
fn root_of(file: &str) -> PathBuf {
    let here = std::env::current_dir()
        .and_then(|d| d.canonicalize())
        .unwrap_or_default();
    match Path::new(file).canonicalize() {
        Ok(path) if !path.starts_with(&here) => path
            .parent()
            .map(|own| own.parent().unwrap_or(own).to_owned())
            .unwrap_or(here),
        Ok(_) | Err(_) => here,
    }
}

type Trouble = (Code, String, String);

/// The file that `from` calls its base.
fn base(
    from: &str,
    name: &str,
    root: &Path,
    seen: &[PathBuf],
) -> Result<(Source, PathBuf), Trouble> {
    const HELP: &str = "the name is a path from the folder of this file, such as `../base.game`";
    let trouble = |reason: String, help: &str| (Code::UnknownBase, reason, help.to_owned());
    if Path::new(name).is_absolute() || name.contains('\\') {
        return Err(trouble(
            format!("`{name}` is no path from the folder of this file"),
            HELP,
        ));
    }
    let folder = match from {
        "-" => Path::new(""),
        file => Path::new(file).parent().unwrap_or(Path::new("")),
    };
    let path = tidy(&folder.join(name));
    if path.is_dir() || path.file_name().is_none() {
        return Err(trouble(format!("`{name}` names no file"), HELP));
    }
    let shown = path.to_string_lossy().replace('\\', "/");
    let outside = || {
        trouble(
            format!("the file {shown} lies outside of the folder that is worked in"),
            "run the command in a folder that holds both files",
        )
    };
    // Whether such a file exists is told only inside.
    let here = std::env::current_dir()
        .and_then(|d| d.canonicalize())
        .unwrap_or_default();
    let within = |folder: &Path| tidy(&folder.join(&path)).starts_with(root);
    if !within(&here) {
        return Err(outside());
    }
    let real = path.canonicalize().map_err(|_| {
        let meant = path.with_added_extension("game").is_file();
        let help = if meant {
            format!("did you mean `{name}.game`?")
        } else {
            HELP.to_owned()
        };
        trouble(format!("the file {shown} was not found"), &help)
    })?;
    if !real.starts_with(root) {
        return Err(outside());
    }
    if seen.contains(&real) {
        return Err((
            Code::EndlessVariant,
            format!("{shown} builds on itself, by way of this line"),
            "a variant builds on a file that does not build on it".to_owned(),
        ));
    }
    let (source, problem) = read_alone(&shown)
        .map_err(|_| trouble(format!("the file {shown} cannot be read"), "is it a file?"))?;
    if let Some(problem) = problem {
        return Err(trouble(
            format!("{shown}: {}", problem.message),
            "save it with the encoding UTF-8",
        ));
    }
    Ok((source, real))
}

/// A path without `.` and without `..` behind a folder's name.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if tidy.file_name().is_some() => {
                tidy.pop();
            }
            Component::ParentDir
            | Component::Prefix(_)
            | Component::RootDir
            | Component::Normal(_) => tidy.push(part),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use crate::cli::files::tidy;
    use std::path::Path;

    #[test]
    fn paths_are_shown_short() {
        assert_eq!(
            tidy(Path::new("games/variants/../x.game")),
            Path::new("games/x.game")
        );
        assert_eq!(tidy(Path::new("./../x.game")), Path::new("../x.game"));
    }
}
