//! From file names to games: reads files, compiles them, sets engines up. What is wrong with a game is kept or told, as asked.

use crate::Compiled;
use crate::base::{Diagnostic, Severity, Source, Span};
use crate::cli::args::Common;
use crate::cli::failure::Failure;
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::render;
use crate::engine::{Engine, Position, PositionError};
use crate::program::Program;
use crate::syntax::ast::File;

/// Reads a file that must be text.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8; the latter is told.
pub fn read_text(file: &str, terminal: &mut Terminal) -> Result<Source, Failure> {
    let (source, problem) = files::read_alone(file)?;
    match problem {
        None => Ok(source),
        Some(problem) => {
            terminal.complain(&render::diagnostic(&source, &problem, terminal.color_err));
            Err(Failure::Told)
        }
    }
}

/// Reads and compiles a game file with its bases; if it is no game, tells why.
///
/// # Errors
///
/// If it cannot be read or is no game.
pub fn engine(file: &str, common: &Common, terminal: &mut Terminal) -> Result<Engine, Failure> {
    engine_of(&files::read(file)?, &common.set, terminal)
}

/// A game with the text that it was compiled from.
pub struct Loaded {
    /// The text, and those of its bases.
    pub source: Source,
    /// The engine.
    pub engine: Engine,
}

/// Reads and compiles a game file with its bases and keeps the text; if it is no game, tells why.
///
/// # Errors
///
/// If it cannot be read or is no game.
pub fn game(
    file: &str,
    settings: &[(String, String)],
    terminal: &mut Terminal,
) -> Result<Loaded, Failure> {
    let text = files::read(file)?;
    let engine = engine_of(&text, settings, terminal)?;
    Ok(Loaded {
        source: text.source,
        engine,
    })
}

/// Reads and compiles a game file with its bases and keeps text and tree; if it is no game, tells why.
///
/// # Errors
///
/// If it cannot be read or is no game.
pub fn with_tree(
    file: &str,
    settings: &[(String, String)],
    terminal: &mut Terminal,
) -> Result<(Text, File, Engine), Failure> {
    let text = files::read(file)?;
    let compiled = files::compile_text(&text, settings);
    terminal.plays(&text.source);
    match compiled.program {
        Some(program) => Ok((text, compiled.file, Engine::new(program)?)),
        None => {
            tell(&text.source, &compiled.diagnostics, terminal);
            Err(Failure::Told)
        }
    }
}

/// Compiles a text; if it is no game, tells why.
///
/// # Errors
///
/// If it is no game.
pub fn engine_of(
    text: &Text,
    settings: &[(String, String)],
    terminal: &mut Terminal,
) -> Result<Engine, Failure> {
    Ok(Engine::new(program_of(text, settings, terminal)?)?)
}

/// Compiles a text to a program; if it is no game, tells why.
///
/// # Errors
///
/// If it is no game.
pub fn program_of(
    text: &Text,
    settings: &[(String, String)],
    terminal: &mut Terminal,
) -> Result<Program, Failure> {
    let compiled = files::compile_text(text, settings);
    terminal.plays(&text.source);
    compiled.program.ok_or_else(|| {
        tell(&text.source, &compiled.diagnostics, terminal);
        Failure::Told
    })
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
