//! Verdicts told for people or machines, and what is done about them: snapshots proposed, accepted, or asked about.

use crate::cli::failure::{self, Failure};
use crate::cli::out::Terminal;
use crate::cli::verdict::{self, Found, Verdict};
use crate::cli::{json, store};
use crate::tools::snapshot::file_text;
use serde_json::{Value, json};
use std::io::stdin;
use std::path::{Path, PathBuf};

/// What is done with new and different snapshots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They are put beside, to be looked at.
    Propose,
    /// Nothing.
    Check,
    /// They are kept.
    Accept,
    /// Somebody is asked.
    Review,
}

/// Tells verdicts and writes files.
pub struct Teller<'t> {
    mode: Mode,
    as_json: bool,
    terminal: &'t mut Terminal,
    /// The diagnostics that were told last.
    told: String,
}

/// What was done with a snapshot.
pub enum Deed {
    Nothing,
    Proposed(PathBuf),
    Accepted,
    Quit,
}

impl Teller<'_> {
    /// One that has told nothing yet.
    pub fn new(mode: Mode, as_json: bool, terminal: &mut Terminal) -> Teller<'_> {
        Teller {
            mode,
            as_json,
            terminal,
            told: String::new(),
        }
    }

    /// Tells verdicts in their order and does what the mode says; the worst one decides the exit code.
    ///
    /// # Errors
    ///
    /// If the result cannot be written. Snapshots that cannot be written are told.
    pub fn tell_all(&mut self, verdicts: &[Verdict]) -> Result<u8, Failure> {
        let mut worst = 0;
        for verdict in verdicts {
            if self.mode == Mode::Review {
                self.tell(verdict, &Deed::Nothing)?;
            }
            let (deed, code) = match self.act(verdict) {
                Ok((Deed::Quit, _)) => return Ok(worst.max(failure::FINDINGS)),
                Ok(done) => done,
                Err(failure @ Failure::NotWritten { .. }) => {
                    self.terminal.flush()?;
                    failure.report(self.terminal);
                    (Deed::Nothing, failure.code())
                }
                Err(failure) => return Err(failure),
            };
            worst = worst.max(code);
            if self.as_json {
                self.terminal.line(&to_json(verdict, &deed).to_string())?;
            } else if self.mode != Mode::Review {
                self.tell(verdict, &deed)?;
            }
        }
        Ok(worst)
    }

    fn act(&mut self, verdict: &Verdict) -> Result<(Deed, u8), Failure> {
        let pending = pending(&verdict.snapshot);
        let (Found::New(now) | Found::Different { now, .. }) = &verdict.found else {
            if matches!(verdict.found, Found::Same) && self.mode != Mode::Check {
                store::delete(&pending)?;
            }
            return Ok((Deed::Nothing, code(&verdict.found)));
        };
        let text = file_text(now, &source_of(verdict));
        match self.mode {
            Mode::Check => Ok((Deed::Nothing, code(&verdict.found))),
            Mode::Propose => {
                store::make_folder(&verdict::folder(&verdict.game))?;
                store::write_whole(&pending, &text)?;
                Ok((Deed::Proposed(pending), failure::FINDINGS))
            }
            Mode::Accept => {
                accept(verdict, &text)?;
                Ok((Deed::Accepted, 0))
            }
            Mode::Review => self.ask(verdict, &text),
        }
    }

    fn ask(&mut self, verdict: &Verdict, text: &str) -> Result<(Deed, u8), Failure> {
        loop {
            self.terminal.complain("[a]ccept, [s]kip or [q]uit? ");
            let mut line = String::new();
            let read = stdin().read_line(&mut line);
            match answer(&line) {
                _ if !matches!(read, Ok(n) if n > 0) => return Ok((Deed::Quit, failure::FINDINGS)),
                Some('a') => {
                    accept(verdict, text)?;
                    return Ok((Deed::Accepted, 0));
                }
                Some('s') => return Ok((Deed::Nothing, failure::FINDINGS)),
                Some('q') => return Ok((Deed::Quit, failure::FINDINGS)),
                _ => {}
            }
        }
    }

    fn tell(&mut self, verdict: &Verdict, deed: &Deed) -> Result<(), Failure> {
        let of = told_of(verdict);
        let ending = match deed {
            Deed::Nothing | Deed::Quit => String::new(),
            Deed::Accepted => ", accepted".to_owned(),
            Deed::Proposed(path) => format!(", see {}", path.display()),
        };
        match &verdict.found {
            Found::Invalid(text) => {
                // One mistake of a file is met under each of its settings.
                if self.told != *text {
                    self.told.clone_from(text);
                    self.terminal.complain(text);
                }
                self.terminal.line(&format!("{of}: no game"))
            }
            Found::Unreadable(reason) => {
                let failure = Failure::Unreadable {
                    file: of,
                    reason: reason.clone(),
                };
                failure.report(self.terminal);
                Ok(())
            }
            Found::Broken(finding) => {
                let drawn = finding.render(self.terminal.color_err);
                self.terminal.complain(&drawn);
                self.terminal
                    .line(&format!("{of}: its snapshot cannot be read"))
            }
            Found::Different { differences, .. } => {
                self.terminal.line(&format!("{of}: different{ending}"))?;
                let mut lines = differences.iter();
                lines.try_for_each(|d| self.terminal.line(&format!("  {}", d.text)))
            }
            found @ (Found::Same
            | Found::New(_)
            | Found::Unused(_)
            | Found::Refused(_)
            | Found::Unplayable(_)) => {
                let message = message(found).map_or(String::new(), |m| format!(": {m}"));
                let line = format!("{of}: {}{message}{ending}", word(found));
                self.terminal.line(&line)
            }
        }
    }
}

fn accept(verdict: &Verdict, text: &str) -> Result<(), Failure> {
    store::make_folder(&verdict::folder(&verdict.game))?;
    store::write_whole(&verdict.snapshot, text)?;
    store::delete(&pending(&verdict.snapshot))
}

/// The letter of an answer.
fn answer(line: &str) -> Option<char> {
    let word = line.trim().to_lowercase();
    let known = ["a", "accept", "s", "skip", "q", "quit"];
    word.chars()
        .next()
        .filter(|_| known.contains(&word.as_str()))
}

/// Where what is proposed lies.
fn pending(snapshot: &Path) -> PathBuf {
    let mut name = snapshot.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// The game file as seen from its snapshots.
fn source_of(verdict: &Verdict) -> String {
    let name = verdict.game.file_name().unwrap_or_default();
    format!("../{}", name.to_string_lossy())
}

/// Of what a verdict is: the game with its settings, or a snapshot that is of none.
fn told_of(verdict: &Verdict) -> String {
    if matches!(verdict.found, Found::Unused(_) | Found::Unreadable(_)) {
        return verdict.snapshot.display().to_string();
    }
    let set: Vec<String> = verdict
        .settings
        .iter()
        .map(|(n, v)| format!("{n}={v}"))
        .collect();
    let with = if set.is_empty() { "" } else { " with " };
    format!("{}{with}{}", verdict.game.display(), set.join(" "))
}

fn word(found: &Found) -> &'static str {
    match found {
        Found::Same => "same",
        Found::New(_) => "new",
        Found::Different { .. } => "different",
        Found::Unused(_) => "unused",
        Found::Refused(_) => "refused",
        Found::Invalid(_) => "invalid",
        Found::Unplayable(_) => "unplayable",
        Found::Broken(_) => "broken",
        Found::Unreadable(_) => "unreadable",
    }
}

/// The exit code of what nothing is done about.
fn code(found: &Found) -> u8 {
    match found {
        Found::Same | Found::Refused(_) => 0,
        Found::Unreadable(_) => failure::IO,
        Found::New(_)
        | Found::Different { .. }
        | Found::Unused(_)
        | Found::Invalid(_)
        | Found::Unplayable(_)
        | Found::Broken(_) => failure::FINDINGS,
    }
}

fn message(found: &Found) -> Option<String> {
    match found {
        Found::Same | Found::New(_) | Found::Different { .. } => None,
        Found::Unused(text)
        | Found::Refused(text)
        | Found::Invalid(text)
        | Found::Unplayable(text)
        | Found::Unreadable(text) => Some(text.clone()),
        Found::Broken(finding) => Some(format!("{}: {}", finding.message, finding.here)),
    }
}

/// A verdict as JSON.
pub fn to_json(verdict: &Verdict, deed: &Deed) -> Value {
    let empty = Vec::new();
    let list = if let Found::Different { differences, .. } = &verdict.found {
        differences
    } else {
        &empty
    };
    let differences = list
        .iter()
        .map(|d| json!({"subject": d.subject.name(), "text": d.text}));
    let settings = verdict.settings.iter();
    let written = match deed {
        Deed::Proposed(path) => Some(path.display().to_string()),
        Deed::Accepted => Some(verdict.snapshot.display().to_string()),
        Deed::Nothing | Deed::Quit => None,
    };
    json!({
        "schema": json::SCHEMA,
        "file": verdict.game.display().to_string(),
        "set": json::object(settings.map(|(name, value)| (name.clone(), json!(value)))),
        "snapshot": verdict.snapshot.display().to_string(),
        "verdict": word(&verdict.found),
        "message": message(&verdict.found),
        "differences": differences.collect::<Vec<_>>(),
        "written": written,
    })
}

#[cfg(test)]
mod tests {
    use crate::cli::teller::answer;

    #[test]
    fn answers_are_a_letter_or_a_word() {
        assert_eq!(
            [answer("a\n"), answer(" Skip \n"), answer("QUIT")],
            [Some('a'), Some('s'), Some('q')]
        );
        assert_eq!(
            [answer("\n"), answer("always"), answer("x")],
            [None, None, None]
        );
    }
}
