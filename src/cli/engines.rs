//! Which engine does the work: a word on the command line in, an engine out, or why there can be none.

use crate::cli::failure::Failure;
use crate::cli::files::Text;
use crate::cli::out::Terminal;
use crate::cli::{files, load};
use crate::engine::Engine;
use crate::program::Program;
use crate::program::kernel::Work;
use crate::{EngineError, EngineKind, Made};
use clap::{Args, ValueEnum};

/// An engine, as it is asked for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Does what the rules say, one step after the other; the judge of the others.
    Plain,
    /// Runs whole boards at once; on every machine.
    Portable,
    /// The same as machine code.
    Native,
    /// The fastest that there is for the rules and the machine.
    Auto,
}

impl Choice {
    /// The kind of engine.
    #[must_use]
    pub fn kind(self) -> EngineKind {
        match self {
            Choice::Plain => EngineKind::Plain,
            Choice::Portable => EngineKind::Portable,
            Choice::Native => EngineKind::Native,
            Choice::Auto => EngineKind::Auto,
        }
    }
}

/// The argument of commands that can choose.
#[derive(Args, Clone, Copy, Debug)]
pub struct EngineArg {
    /// What does the work; what is told of the rules is the same. Which random games are played depends on it in `bench` and in
    /// `simulate`: on whether it is the plain one.
    #[arg(long, value_enum, value_name = "ENGINE", default_value = "auto")]
    pub engine: Choice,
}

/// An engine of a kind for a program; what it needs for the work that comes first is made at once.
///
/// # Errors
///
/// If there can be none.
pub fn make(program: Program, choice: Choice, first: Work) -> Result<Made, Failure> {
    let game = program.about.title.clone();
    crate::make(program, choice.kind(), first).map_err(|error| match error {
        EngineError::Setup(error) => Failure::Play(error),
        EngineError::NoKernel(why) => Failure::NoEngine {
            engine: choice.kind().name(),
            game,
            why,
        },
    })
}

/// Compiles a text for an engine that lists and counts; if it is no game, tells why.
///
/// # Errors
///
/// If it is no game, or there can be no such engine.
pub fn engine_of(
    text: &Text,
    settings: &[(String, String)],
    choice: Choice,
    terminal: &mut Terminal,
) -> Result<Engine, Failure> {
    let program = load::program_of(text, settings, terminal)?;
    make(program, choice, Work::Counting).map(|made| made.engine)
}

/// Reads and compiles a game file with its bases for an engine that lists and counts; if it is no game, tells why.
///
/// # Errors
///
/// If it cannot be read, is no game, or there can be no such engine.
pub fn engine(
    file: &str,
    settings: &[(String, String)],
    choice: Choice,
    terminal: &mut Terminal,
) -> Result<Engine, Failure> {
    engine_of(&files::read(file)?, settings, choice, terminal)
}
