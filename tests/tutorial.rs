//! Holds the tutorial true: its files are written into an empty folder as the page says, each shown command runs there, and
//! prints what the page shows. `TUTORIAL=overwrite` writes what was printed into the page.
//!
//! Notes that a reader does not see tell what the file is from there on: `<!-- moles.game: step 3 -->` is docs/tutorial/step3.game;
//! ` || with A for B` puts A in the place of B (`~` is the end of a line); ` || without A` takes out the item that begins with A;
//! `the next block` is the block below. In what is printed a line `…` stands for any lines, and `…` at the end of a line for its rest.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "docs/tutorial.md";

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(root(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn step(number: &str) -> String {
    read(&format!("docs/tutorial/step{number}.game"))
}

/// A part of the page.
#[derive(Debug)]
enum Part {
    /// A title of a section.
    Title(String),
    /// A note that a reader does not see: a file, and what becomes of it.
    Note { file: String, change: String },
    /// A fenced block: the number of its first line, its mark, its lines.
    Block(usize, String, Vec<String>),
}

/// The parts of the page that say what happens, in their order.
fn parts(page: &str) -> Vec<Part> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String, Vec<String>)> = None;
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(mark), None) => open = Some((at + 1, mark.to_owned(), Vec::new())),
            (Some(_), Some(_)) => {
                found.extend(
                    open.take()
                        .map(|(at, mark, lines)| Part::Block(at, mark, lines)),
                );
            }
            (None, Some((_, _, lines))) => lines.push(line.to_owned()),
            (None, None) => {
                if let Some(title) = line.strip_prefix("## ") {
                    found.push(Part::Title(title.to_owned()));
                } else if let Some(note) = line.strip_prefix("<!-- ") {
                    let note = note.strip_suffix(" -->").expect("a note of one line");
                    let (file, change) = note.split_once(": ").expect("a file and a change");
                    found.push(Part::Note {
                        file: file.to_owned(),
                        change: change.to_owned(),
                    });
                }
            }
        }
    }
    assert!(open.is_none(), "a block is never closed");
    found
}

/// What stands between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The text of a file after the changes of a note.
fn changed(mut text: String, change: &str) -> String {
    for change in change.split(" || ") {
        let words = quoted(change);
        if let Some(number) = change.strip_prefix("step ") {
            text = step(number);
        } else if change.starts_with("with ") {
            let [new, old] = [0, 1].map(|at| words[at].replace("~", "\n"));
            assert_eq!(
                (words.len(), text.matches(&old).count()),
                (2, 1),
                "{change}"
            );
            text = text.replace(&old, &new);
        } else if change.starts_with("without ") {
            let begin = text.find(&format!("\n{}", words[0]));
            let begin = begin.unwrap_or_else(|| panic!("{change}: not there"));
            let length = text[begin..].find("\n}\n").expect("the end of an item") + 3;
            text.replace_range(begin..begin + length, "");
        } else {
            panic!("what is `{change}`?");
        }
    }
    text
}

/// The words of a command, as a shell splits them.
fn words(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, piece) in command.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(piece.to_owned());
        } else {
            found.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    found
}

/// What a command prints in a folder, as a terminal would show it.
fn run(folder: &Path, command: &str) -> Vec<String> {
    let mut args = words(command);
    assert_eq!(args.remove(0), "gambol", "{command}");
    let screen = tempfile::NamedTempFile::new().expect("a file");
    let open = || {
        File::options()
            .append(true)
            .open(screen.path())
            .expect("a file")
    };
    let status = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .current_dir(folder)
        .env("CI", "")
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .args(args)
        .stdin(std::process::Stdio::null())
        .stdout(open())
        .stderr(open())
        .status()
        .expect("the program runs");
    assert!(matches!(status.code(), Some(0 | 1)), "{command}: {status}");
    let text = fs::read_to_string(screen.path()).expect("text");
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    trim(&mut lines);
    lines
}

/// Takes the empty lines at both ends away.
fn trim(lines: &mut Vec<String>) {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    while lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
}

/// Whether lines are as shown, where `…` stands for what is left out.
fn fits(shown: &[String], lines: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines.split_first().is_some_and(|(line, lines)| {
            let alike = match first.strip_suffix('…') {
                Some(begin) => line.starts_with(begin),
                None => first == line,
            };
            alike && fits(rest, lines)
        }),
    }
}

/// The commands of a console block, each with what is shown below it.
fn commands(block: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, Some((_, shown))) => shown.push(line.clone()),
            (None, None) => panic!("`{line}` stands before a command"),
        }
    }
    for (_, shown) in &mut found {
        trim(shown);
    }
    found
}

#[test]
fn every_command_prints_what_is_shown() {
    let page = read(PAGE);
    let sandbox = tempfile::tempdir().expect("a folder");
    let folder = sandbox.path();
    let mut next: Option<String> = None;
    let mut wrong = Vec::new();
    // What is printed instead of a block: by its first line, the number of lines and the new ones.
    let mut printed: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut count = 0;
    for part in parts(&page) {
        match part {
            Part::Title(_) => {}
            Part::Note { file, change } if change == "the next block" => next = Some(file),
            Part::Note { file, change } => {
                let path = folder.join(&file);
                let old = fs::read_to_string(&path).unwrap_or_default();
                fs::write(&path, changed(old, &change)).expect("written");
            }
            Part::Block(_, mark, lines) if mark != "console" => {
                if let Some(file) = next.take() {
                    fs::write(folder.join(file), lines.join("\n") + "\n").expect("written");
                }
            }
            Part::Block(at, _, lines) => {
                let mut texts = Vec::new();
                for (command, shown) in commands(&lines) {
                    let real = run(folder, &command);
                    count += 1;
                    if fits(&shown, &real) {
                        texts.push(format!("$ {command}\n{}\n", shown.join("\n")));
                    } else {
                        let place = format!("{PAGE}:{at}: $ {command}");
                        wrong.push(format!("{place}\nprints\n{}", real.join("\n")));
                        texts.push(format!("$ {command}\n{}\n", real.join("\n")));
                    }
                }
                printed.insert(at, (lines.len(), texts.join("\n")));
            }
        }
    }
    assert!(count >= 30, "only {count} commands");
    if std::env::var("TUTORIAL").is_ok_and(|v| v == "overwrite") {
        let mut new = String::new();
        let mut skipped = 0;
        for (at, line) in page.lines().enumerate() {
            if skipped > 0 {
                skipped -= 1;
                continue;
            }
            new.push_str(line);
            new.push('\n');
            if let Some((length, text)) = printed.get(&(at + 1)) {
                new.push_str(text);
                skipped = *length;
            }
        }
        fs::write(root(PAGE), new).expect("written");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_line_that_a_step_adds_is_shown() {
    let mut before: Vec<String> = Vec::new();
    let mut shown: Vec<String> = Vec::new();
    let mut number = String::new();
    let mut steps = 0;
    let mut parts = parts(&read(PAGE));
    parts.push(Part::Title("The end".to_owned()));
    for part in parts {
        match part {
            Part::Title(title) => {
                if !number.is_empty() {
                    let text = step(&number);
                    let lines: Vec<String> = text.lines().map(|l| l.trim().to_owned()).collect();
                    for line in &lines {
                        let known = before.contains(line) || shown.contains(line);
                        assert!(
                            known,
                            "before “{title}”: `{line}` of step {number} is not shown"
                        );
                    }
                    before = lines;
                    steps += 1;
                }
                number.clear();
                shown.clear();
            }
            Part::Note { change, .. } => {
                let of = change
                    .split(" || ")
                    .next()
                    .and_then(|c| c.strip_prefix("step "));
                if let Some(of) = of {
                    number = of.to_owned();
                }
            }
            Part::Block(at, mark, lines) => {
                shown.extend(lines.iter().map(|line| line.trim().to_owned()));
                if mark == "game-part" && !number.is_empty() {
                    let text = step(&number);
                    let part = lines.join("\n");
                    assert!(text.contains(&part), "{PAGE}:{at}: not in step {number}");
                }
            }
        }
    }
    assert_eq!(steps, 7);
}

#[test]
fn what_is_left_out_may_be_anything() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(fits(&lines("a\n…"), &lines("a")));
    assert!(!fits(&lines("a\n…\nd"), &lines("a\nb\nc")));
    assert!(!fits(&lines("a"), &lines("a\nb")));
    assert!(fits(&lines("ab…\nd"), &lines("abc\nd")));
    assert!(!fits(&lines("ab…\nd"), &lines("acb\nd")));
}
