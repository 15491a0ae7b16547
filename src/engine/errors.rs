//! What can go wrong while a game is played, as data; every kind says where it happened.

use crate::base::{Code, Diagnostic, Span};
use crate::engine::Outcome;
use crate::engine::run::MOST_ACTIONS;
use std::fmt;

/// The rules themselves failed in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// Two different actions are written alike.
    Ambiguous {
        /// The text of both.
        text: String,
        /// The position line.
        position: String,
        /// Where the notation stands in the source text.
        span: Span,
    },
    /// A turn does not come to an end within any measure.
    Runaway {
        /// The position line.
        position: String,
        /// The statement at which it was given up.
        span: Span,
    },
    /// A position has more actions than are listed.
    TooMany {
        /// The position line.
        position: String,
    },
    /// No turn of the file is for this position.
    NoTurn {
        /// The position line.
        position: String,
    },
    /// The setup cannot be carried out.
    Setup {
        /// What could not be done.
        message: String,
        /// The statement that could not be carried out.
        span: Span,
        /// What to do about it.
        help: &'static str,
    },
}

impl PlayError {
    /// The code under which it is reported.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            PlayError::Ambiguous { .. } => Code::AmbiguousAction,
            PlayError::Runaway { .. } | PlayError::TooMany { .. } => Code::RunawayTurn,
            PlayError::NoTurn { .. } => Code::NoTurn,
            PlayError::Setup { .. } => Code::BadSetup,
        }
    }

    /// Its place in the source text, when it has one.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            PlayError::Ambiguous { span, .. }
            | PlayError::Runaway { span, .. }
            | PlayError::Setup { span, .. } => *span,
            PlayError::TooMany { .. } | PlayError::NoTurn { .. } => Span::default(),
        }
    }

    /// As a finding with its place in the rules, and what to do about it.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(self.code(), self.span(), self.to_string()).help(self.help())
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            PlayError::Ambiguous { .. } => "let the notation of the rule tell the two apart",
            PlayError::Runaway { .. } => {
                "bound what is repeated: `repeat at most 10 times`, a trail with a length, or `never twice`; a trail that is looked for may have too many ways when it is to be long"
            }
            PlayError::TooMany { .. } => {
                "bound what is chosen: fewer numbers or cells, one choice fewer in an action, or a length for a trail"
            }
            PlayError::NoTurn { .. } => "end with a turn that has no `while`",
            PlayError::Setup { help, .. } => help,
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Ambiguous { text, position, .. } => write!(
                f,
                "two different actions are written `{text}` in the position {position}"
            ),
            PlayError::Runaway { position, .. } => write!(
                f,
                "a turn does not come to an end in the position {position}"
            ),
            PlayError::TooMany { position } => write!(
                f,
                "there are more than {MOST_ACTIONS} actions, or ways to them, in the position {position}"
            ),
            PlayError::NoTurn { position } => {
                write!(f, "no turn of the rules is for the position {position}")
            }
            PlayError::Setup { message, .. } => {
                write!(f, "the setup cannot be carried out: {message}")
            }
        }
    }
}

impl std::error::Error for PlayError {}

/// Why an action was not played.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// It is not legal.
    Illegal {
        /// What was asked for.
        text: String,
        /// Legal actions with a similar text, the nearest first.
        nearest: Vec<String>,
    },
    /// The game is over.
    Over(Outcome),
    /// The rules themselves failed.
    Failed(PlayError),
}

impl Refusal {
    /// Not legal, with the legal actions that are most alike.
    #[must_use]
    pub fn illegal<'a>(text: &str, legal: impl Iterator<Item = &'a str>) -> Refusal {
        let mut ranked: Vec<(usize, &str)> = legal
            .map(|l| (strsim::damerau_levenshtein(text, l), l))
            .collect();
        ranked.sort();
        let close = ranked
            .iter()
            .take(5)
            .map(|(_, l)| (*l).to_owned())
            .collect();
        Refusal::Illegal {
            text: text.to_owned(),
            nearest: close,
        }
    }
}

/// So much of a text that is no action is repeated, in characters.
const SHOWN: usize = 80;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Illegal { text, nearest } => {
                let shown: String = text.chars().take(SHOWN).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                write!(f, "`{shown}{more}` is not legal here")?;
                match nearest.as_slice() {
                    [] => Ok(()),
                    near => write!(f, "; the nearest legal actions are {}", near.join(", ")),
                }
            }
            Refusal::Over(_) => write!(f, "the game is over"),
            Refusal::Failed(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

/// What is wrong with a position line, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for PositionError {}
