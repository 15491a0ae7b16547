//! Why a command was not carried out: each way with its exit code, and its words for standard error.

use crate::base::Span;
use crate::cli::out::Terminal;
use crate::cli::render;
use crate::engine::PlayError;

/// Exit code: something is wrong with the game, position, action or record.
pub const FINDINGS: u8 = 1;
/// Exit code: the arguments are wrong.
pub const USAGE: u8 = 2;
/// Exit code: something cannot be read or written.
pub const IO: u8 = 3;
/// Exit code: broken off by who began it.
pub const BROKEN_OFF: u8 = 130;

/// Why a command was not carried out.
#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other.
    Usage(String),
    /// A file cannot be read.
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        reason: String,
    },
    /// The result cannot be written.
    Unwritable(String),
    /// A file cannot be written; what it held before is still there.
    NotWritten {
        /// Its name.
        file: String,
        /// Why.
        reason: String,
    },
    /// Nobody reads the result any more.
    Closed,
    /// The findings have been told already.
    Told,
    /// A finding, with a place in a text.
    Found(Box<render::Finding>),
    /// The engine failed.
    Play(PlayError),
    /// There can be no kernel for the rules; why.
    NoKernel(String),
    /// There can be no engine of a kind for the rules.
    NoEngine {
        /// The word for the kind.
        engine: &'static str,
        /// The game's title.
        game: String,
        /// Why.
        why: String,
    },
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        Failure::Play(error)
    }
}

impl From<render::Finding> for Failure {
    fn from(finding: render::Finding) -> Failure {
        Failure::Found(Box::new(finding))
    }
}

impl Failure {
    /// The exit code.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => USAGE,
            Failure::Unreadable { .. } | Failure::Unwritable(_) | Failure::NotWritten { .. } => IO,
            Failure::Told
            | Failure::Found(_)
            | Failure::Play(_)
            | Failure::NoKernel(_)
            | Failure::NoEngine { .. } => FINDINGS,
            Failure::Closed => 0,
        }
    }

    /// Tells it on standard error.
    pub fn report(&self, terminal: &mut Terminal) {
        let color = terminal.color_err;
        let text = match self {
            Failure::Closed | Failure::Told => return,
            Failure::Usage(message) => render::message(None, message, None, color),
            Failure::Unreadable { file, reason } => {
                render::message(None, &format!("cannot read {file}: {reason}"), None, color)
            }
            Failure::NotWritten { file, reason } => {
                render::message(None, &format!("cannot write {file}: {reason}"), None, color)
            }
            Failure::Unwritable(reason) => render::message(
                None,
                &format!("cannot write the result: {reason}"),
                None,
                color,
            ),
            Failure::NoKernel(why) => {
                let message = format!("there is no kernel for these rules: {why}");
                let help = "the plain engine plays them; `--stage program` shows what it runs";
                render::message(None, &message, Some(help), color)
            }
            Failure::NoEngine { engine, game, why } => {
                let message = format!("there is no {engine} engine for the rules of {game}: {why}");
                let help = "ask for `--engine auto`, which takes what there is";
                render::message(None, &message, Some(help), color)
            }
            Failure::Found(finding) => finding.render(color),
            Failure::Play(error) => match terminal.game() {
                Some(source) if error.span() != Span::default() => {
                    render::diagnostic(source, &error.diagnostic(), color)
                }
                _ => {
                    let code = Some(error.code().name());
                    render::message(code, &error.to_string(), Some(error.help()), color)
                }
            },
        };
        terminal.complain(&text);
    }
}
