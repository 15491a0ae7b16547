//! From file names to games: reads files, compiles them, sets engines up. What is wrong with a game is kept or told, as asked.

use crate::base::{Code, Diagnostic, Severity, Source, Span};
use crate::cli::args::Common;
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::render;
use crate::engine::{Engine, Position, PositionError};
use crate::{Compiled, compile};
use std::io::Read;

/// A file as it was read: text, or where it stops to be text.
pub enum Text {
    /// UTF-8.
    Good(Source),
    /// Not UTF-8: what comes before the first wrong byte, and what is to be said of it.
    Bad(Source, Box<Diagnostic>),
}

/// Reads a file, or the standard input for `-`.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(file: &str) -> Result<Text, Failure> {
    let unreadable = |error: std::io::Error| Failure::Unreadable {
        file: named(file).to_owned(),
        reason: error.to_string(),
    };
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    match String::from_utf8(bytes.map_err(unreadable)?) {
        Ok(text) => Ok(Text::Good(Source::new(file, text))),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(at);
            let source = Source::new(file, String::from_utf8(bytes).unwrap_or_default());
            let message = format!("the file is not UTF-8 text: the byte at offset {at} is wrong");
            let place = Diagnostic::new(Code::NotText, Span::new(at, at), message)
                .help("save it with the encoding UTF-8");
            Ok(Text::Bad(source, Box::new(place)))
        }
    }
}

fn named(file: &str) -> &str {
    if file == "-" {
        "the standard input"
    } else {
        file
    }
}

/// Reads a file that must be text.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8; the latter is told.
pub fn read_text(file: &str, terminal: &mut Terminal) -> Result<Source, Failure> {
    match read(file)? {
        Text::Good(source) => Ok(source),
        Text::Bad(source, diagnostic) => {
            terminal.complain(&render::diagnostic(
                &source,
                &diagnostic,
                terminal.color_err,
            ));
            Err(Failure::Told)
        }
    }
}

/// Reads and compiles a file; if it is no game, tells why.
///
/// # Errors
///
/// If it cannot be read or is no game.
pub fn engine(file: &str, common: &Common, terminal: &mut Terminal) -> Result<Engine, Failure> {
    let source = read_text(file, terminal)?;
    engine_of(&source, &common.set, terminal)
}

/// Compiles a text; if it is no game, tells why.
///
/// # Errors
///
/// If it is no game.
pub fn engine_of(
    source: &Source,
    settings: &[(String, String)],
    terminal: &mut Terminal,
) -> Result<Engine, Failure> {
    let compiled = compile(source, settings);
    match compiled.program {
        Some(program) => Ok(Engine::new(program)?),
        None => {
            tell(source, &compiled.diagnostics, terminal);
            Err(Failure::Told)
        }
    }
}

/// Tells all diagnostics on standard error, with an empty line between them.
pub fn tell(source: &Source, diagnostics: &[Diagnostic], terminal: &mut Terminal) {
    for (i, diagnostic) in diagnostics.iter().enumerate() {
        if i > 0 {
            terminal.complain("\n");
        }
        terminal.complain(&render::diagnostic(source, diagnostic, terminal.color_err));
    }
}

/// Whether a compiled text is no game.
#[must_use]
pub fn has_errors(compiled: &Compiled) -> bool {
    compiled
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error)
}

/// The position of a line, or the beginning.
///
/// # Errors
///
/// If the line is no position of the game.
pub fn position(engine: &Engine, line: Option<&str>) -> Result<Position, Failure> {
    match line {
        None => Ok(engine.initial()),
        Some(line) => engine
            .parse(line)
            .map_err(|error| bad_position("--position", line, &error).into()),
    }
}

/// What is to be said of a wrong position line.
#[must_use]
pub fn bad_position(name: &str, line: &str, error: &PositionError) -> render::Finding {
    let starts: Vec<usize> = line
        .char_indices()
        .map(|(at, _)| at)
        .chain([line.len()])
        .collect();
    let byte = |column: usize| starts.get(column).copied().unwrap_or(line.len());
    let column = error.column.saturating_sub(1);
    render::Finding {
        source: Source::new(name, line),
        span: Span::new(byte(column), byte(column + 1)),
        message: "this is no position of the game".to_owned(),
        here: error.message.clone(),
        note: None,
        help: error.help.clone(),
    }
}
