//! Diagnostics as data: what is wrong, where, and what to write instead. Drawing them is the command line's work.

use crate::base::{Code, Span};
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file is no game.
    Error,
    /// The file is a game, perhaps not the one that was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place, and what is wrong there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is wrong *here*; may be empty.
    pub text: String,
}

/// One finding about a source text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of this kind of finding.
    pub code: Code,
    /// One sentence, lower-case, without a full stop.
    pub message: String,
    /// The place it is about.
    pub label: Label,
    /// Other places that explain it.
    pub others: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Text that, put in the place of the label, repairs it.
    pub repair: Option<String>,
}

impl Diagnostic {
    /// A finding with the severity of its code, labelled at one place.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: code.severity(),
            code,
            message: message.into(),
            label: Label {
                span,
                text: String::new(),
            },
            others: Vec::new(),
            help: None,
            repair: None,
        }
    }

    /// Says what is wrong at the place itself.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.label.text = text.into();
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.others.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Adds text that repairs the labelled place.
    #[must_use]
    pub fn repair(mut self, text: impl Into<String>) -> Diagnostic {
        self.repair = Some(text.into());
        self
    }
}

/// A growing list of findings.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding, unless the same one is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let twin =
            |d: &Diagnostic| d.code == diagnostic.code && d.label.span == diagnostic.label.span;
        if !self.list.iter().any(twin) {
            self.list.push(diagnostic);
        }
    }

    /// Adds findings, each unless it is there already.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|d| self.push(d));
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// All findings, in the order of their places.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.label.span, d.code));
        self.list
    }

    /// Takes over another list's findings.
    pub fn append(&mut self, other: Diagnostics) {
        other.list.into_iter().for_each(|d| self.push(d));
    }

    /// Of the findings made after the first `mark`, keeps those that pass.
    pub fn retain_after(&mut self, mark: usize, keep: impl Fn(&Diagnostic) -> bool) {
        let mut at = 0;
        self.list.retain(|d| {
            at += 1;
            at <= mark || keep(d)
        });
    }

    /// The findings so far, in the order they were made.
    #[must_use]
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }
}

/// The candidate nearest in spelling to what was written, when one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match written.chars().count() {
        0..=4 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .map(|c| {
            let distance = strsim::damerau_levenshtein(written, c);
            let of_case = written.eq_ignore_ascii_case(c);
            (if of_case { distance.min(1) } else { distance }, c)
        })
        .filter(|(distance, c)| *distance <= limit && *distance < c.chars().count())
        .min()
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_finds_a_slip_and_nothing_far() {
        assert_eq!(nearest("gaol", ["goal", "home"]), Some("goal"));
        assert_eq!(nearest("phalanx", ["goal", "home"]), None);
        assert_eq!(nearest("HOME", ["goal", "home"]), Some("home"));
    }
}
