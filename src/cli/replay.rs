//! `gambol replay`: a record played again, one line a state; every disagreement is told.

use crate::base::{Diagnostic, Severity, Source, Span};
use crate::cli::args::{Common, ReplayArgs};
use crate::cli::failure::Failure;
use crate::cli::files::Text;
use crate::cli::moves::refused;
use crate::cli::out::Terminal;
use crate::cli::render::Finding;
use crate::cli::{files, json, load};
use crate::engine::Engine;
use crate::program::Program;
use crate::tools::phrase;
use crate::tools::record::{Record, RecordError};
use crate::tools::record_text;
use crate::tools::replay::{ReplayError, Step, replay as play};
use serde_json::{Value, json};

/// Legal actions that a line for people lists.
const LISTED: usize = 40;

/// Plays a record.
///
/// # Errors
///
/// If file or record are wrong or do not belong together, or the result cannot be written.
pub fn replay(args: &ReplayArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let recorded = read(&args.file, &args.record, &args.common, terminal)?;
    let engine = &recorded.engine;
    let replay = play(engine, &recorded.record);
    for step in &replay.steps {
        let line = if args.common.json {
            to_json(engine, step).to_string()
        } else {
            to_text(engine, step)
        };
        terminal.line(&line)?;
    }
    match replay.failure {
        None => Ok(0),
        Some(error) => Err(recorded.explain(error)),
    }
}

/// A record, and the game that it is played with.
pub struct Recorded {
    /// The game, under the record's settings.
    pub engine: Engine,
    /// The record.
    pub record: Record,
    source: Source,
}

impl Recorded {
    /// What went wrong, with its place in the record.
    #[must_use]
    pub fn explain(&self, error: ReplayError) -> Failure {
        explain(self.engine.program(), &self.source, &self.record, error)
    }
}

/// Reads a record and the game file that it belongs to.
///
/// # Errors
///
/// If one of them cannot be read, is no record or no game.
pub fn read(
    file: &str,
    record: &str,
    common: &Common,
    terminal: &mut Terminal,
) -> Result<Recorded, Failure> {
    if file == "-" && record == "-" {
        return Err(Failure::Usage(
            "the standard input, `-`, can be read only once".to_owned(),
        ));
    }
    let game = files::read(file)?;
    let source = load::read_text(record, terminal)?;
    let wrong = |error: RecordError| wrong_record(&source, error);
    let record = record_text::parse(source.text()).map_err(wrong)?;
    let settings = settings(&record.settings(&source).map_err(wrong)?, &common.set);
    if let Some(tag) = record.tag("Options")
        && let Some(reason) =
            unfit(&game, &settings).filter(|_| unfit(&game, &common.set).is_none())
    {
        let message = "the game cannot be played with the record's options";
        let at = reason.label.span;
        let mut refused = finding(&source, tag.span, message, reason.message, reason.help);
        if at != Span::default() {
            let byte = at.range().start as u32;
            let (line, _) = game.source.line_column(byte);
            let (name, _, _) = game.source.part(game.source.part_of(byte));
            refused.note = Some(format!("line {line} of {name} says so"));
        }
        return Err(refused.into());
    }
    let engine = load::engine_of(&game, &settings, terminal)?;
    Ok(Recorded {
        engine,
        record,
        source,
    })
}

/// Why a text is no game under these settings.
fn unfit(game: &Text, settings: &[(String, String)]) -> Option<Diagnostic> {
    let found = files::compile_text(game, settings).diagnostics;
    found.into_iter().find(|d| d.severity == Severity::Error)
}

/// The record's settings, and those of the command line, which come first.
pub fn settings(recorded: &[(String, String)], set: &[(String, String)]) -> Vec<(String, String)> {
    let kept = recorded
        .iter()
        .filter(|(name, _)| set.iter().all(|(other, _)| other != name));
    kept.chain(set).cloned().collect()
}

fn to_text(engine: &Engine, step: &Step) -> String {
    let program = engine.program();
    let mover = phrase::player(program, step.to_move);
    let listed = step
        .actions
        .iter()
        .take(LISTED)
        .cloned()
        .collect::<Vec<_>>()
        .join(" ");
    let more = step.actions.len().saturating_sub(LISTED);
    let more = if more > 0 {
        format!(" … and {more} more")
    } else {
        String::new()
    };
    let actions = format!(
        "{} [{listed}{more}]",
        phrase::number(step.actions.len(), "action")
    );
    let end = match (&step.played, &step.outcome) {
        (Some(played), _) => format!("{mover} plays {played}"),
        (None, Some(outcome)) => phrase::outcome(program, outcome),
        (None, None) => format!("{mover} to move"),
    };
    format!("{}. {} | {actions} | {end}", step.ply, step.position)
}

fn to_json(engine: &Engine, step: &Step) -> Value {
    let program = engine.program();
    json!({
        "ply": step.ply,
        "to_move": phrase::player(program, step.to_move),
        "position": step.position,
        "actions": step.actions,
        "played": step.played,
        "outcome": json::outcome(program, step.outcome.as_ref()),
    })
}

/// A text that is no record, and where.
pub fn wrong_record(source: &Source, error: RecordError) -> Failure {
    finding(
        source,
        error.span,
        "this is no record of a game",
        error.message,
        error.help,
    )
    .into()
}

fn finding(
    source: &Source,
    span: Span,
    message: &str,
    here: String,
    help: Option<String>,
) -> Finding {
    Finding {
        source: source.clone(),
        span,
        message: message.to_owned(),
        here,
        note: None,
        help,
    }
}

/// What went wrong, with its place in the record.
pub fn explain(program: &Program, source: &Source, record: &Record, error: ReplayError) -> Failure {
    match error {
        ReplayError::Failed(error) => Failure::Play(error),
        ReplayError::Refused { ply, span, refusal } => {
            refused(program, source.clone(), span, ply, refusal)
        }
        ReplayError::Position { line, error } => {
            let written = record.tag("Position").map(|tag| tag.span);
            let mut finding = load::bad_position("the tag Position", &line, &error);
            // Without escapes the value stands in the file as it is, and can be shown there.
            if let Some(span) = written.filter(|span| source.at(*span) == line) {
                let from = span.range().start;
                let place = finding.span.range();
                finding.span = Span::new(from + place.start, from + place.end);
                finding.source = source.clone();
            }
            finding.into()
        }
        ReplayError::OtherRules { said, found, span } => {
            let here = format!("the record says {said}, the rules here have {found}");
            let help =
                "take the game file, and the options, that the game was played with".to_owned();
            finding(
                source,
                span,
                "the record was made with other rules",
                here,
                Some(help),
            )
            .into()
        }
        ReplayError::OtherGame { said, found, span } => {
            let here = format!("the record says {said}, the file is {found}");
            finding(source, span, "the record is of another game", here, None).into()
        }
        ReplayError::Result { said, found, span } => {
            let here = format!("the record says {said}, the last position says {found}");
            finding(source, span, "the result is another", here, None).into()
        }
    }
}
