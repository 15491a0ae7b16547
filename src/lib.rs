//! Gambol, the GAMe BOard Language: a rules language for board games, and its interpreter.
//!
//! A rule file goes through four stages, each with a folder of its own:
//!
//! ```text
//! text ──syntax──▶ tree ──model──▶ game ──compile──▶ program ──engine──▶ state ⇄ action
//! ```
//!
//! [`fn@compile`] composes the first three; [`engine::Engine`] runs the result.
//!
//! ```
//! use gambol::{base::Source, engine::Engine};
//!
//! let text = std::fs::read_to_string("docs/examples/hands.game")?;
//! let compiled = gambol::compile(&Source::new("hands.game", text), &[("pie".into(), "3".into())]);
//! let engine = Engine::new(compiled.program.ok_or("not a game")?)?;
//! let start = engine.initial();
//! let actions = engine.legal_actions(&start)?;
//! let next = engine.play(&start, &actions[0]);
//! assert_eq!(engine.outcome(&next)?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod base;
pub mod board;
pub mod cli;
pub mod compile;
pub mod engine;
pub mod model;
pub mod program;
pub mod syntax;
pub mod tools;

use base::{Diagnostic, Source};
use engine::executor::Executor;
use program::kernel::{Kernel, Work};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What became of a source text, stage by stage.
#[derive(Debug)]
pub struct Compiled {
    /// The syntax tree of all items that could be read.
    pub file: syntax::ast::File,
    /// The resolved game, when nothing was wrong up to there.
    pub model: Option<model::Game>,
    /// The program, when there is no error.
    pub program: Option<program::Program>,
    /// All findings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a source text under option settings, given as names and texts.
///
/// Never fails: what is wrong is in the diagnostics, all of it at once.
#[must_use]
pub fn compile(source: &Source, settings: &[(String, String)]) -> Compiled {
    let (file, mut diagnostics) = syntax::parse(source);
    let readable = !diagnostics.has_errors();
    let (model, found) = model::resolve(&file, settings);
    // Items that could not be read leave names undeclared; complaints about those would only distract.
    let mut found = found;
    if !readable {
        let echoes = [
            base::Code::UnknownName,
            base::Code::UnknownRule,
            base::Code::UnknownPlayer,
            base::Code::MissingItem,
        ];
        found.retain_after(0, |d| {
            d.severity == base::Severity::Error && !echoes.contains(&d.code)
        });
    }
    diagnostics.append(found);
    let mut program = None;
    if let Some(game) = model.as_ref().filter(|_| !diagnostics.has_errors()) {
        let (compiled, notes) = compile::compile(game.clone());
        diagnostics.append(notes);
        program = Some(compiled).filter(|_| !diagnostics.has_errors());
    }
    Compiled {
        file,
        model,
        program,
        diagnostics: diagnostics.into_sorted(),
    }
}

/// Which engine answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineKind {
    /// The plain one: does what the program says, one step after the other. The judge of the others.
    Plain,
    /// Kernels on every machine.
    Portable,
    /// Kernels as machine code.
    Native,
    /// The fastest there is: native where it can be, else portable, else plain.
    #[default]
    Auto,
}

impl EngineKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Plain => "plain",
            EngineKind::Portable => "portable",
            EngineKind::Native => "native",
            EngineKind::Auto => "auto",
        }
    }
}

/// An engine of a kind for a program, and the kind that it became: never [`EngineKind::Auto`].
///
/// ```
/// use gambol::{EngineKind, base::Source};
///
/// let text = std::fs::read_to_string("docs/examples/hands.game")?;
/// let program = gambol::compile(&Source::new("hands.game", text), &[]).program.ok_or("not a game")?;
/// let (plain, _) = gambol::engine(program.clone(), EngineKind::Plain)?;
/// let (fast, _) = gambol::engine(program, EngineKind::Auto)?;
/// assert_eq!(fast.legal_actions(&fast.initial())?, plain.legal_actions(&plain.initial())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the setup cannot be carried out, or when a kernel is asked for and there can be none.
pub fn engine(
    program: program::Program,
    kind: EngineKind,
) -> Result<(engine::Engine, EngineKind), EngineError> {
    make(program, kind, Work::Games).map(|made| (made.engine, made.kind))
}

/// An engine, and how it came about.
#[derive(Debug)]
pub struct Made {
    /// The engine.
    pub engine: engine::Engine,
    /// What it became: never [`EngineKind::Auto`].
    pub kind: EngineKind,
    /// Why it is not a faster one, when it might have been.
    pub instead: Option<String>,
    /// How long it took to make the first kernel.
    pub kernel: Duration,
}

/// As [`fn@engine`], with how it came about. The kernel for the work that comes first is made here; what else there is, and machine
/// code, are made when they are first needed, or by [`engine::Engine::prepare`].
///
/// # Errors
/// As of [`fn@engine`].
pub fn make(program: program::Program, kind: EngineKind, first: Work) -> Result<Made, EngineError> {
    let begun = Instant::now();
    let kernel = match kind {
        EngineKind::Plain => None,
        EngineKind::Auto => Some(compile::kernel::kernel(&program, first, true)),
        EngineKind::Portable | EngineKind::Native => {
            let whole = kind == EngineKind::Native;
            let kernel = compile::kernel::kernel(&program, first, whole);
            Some(Ok(kernel.map_err(EngineError::NoKernel)?))
        }
    };
    let mut made = Made {
        kernel: begun.elapsed(),
        engine: engine::Engine::new(program).map_err(EngineError::Setup)?,
        kind: EngineKind::Plain,
        instead: None,
    };
    let kernel = match kernel {
        None => return Ok(made),
        Some(Err(why)) => {
            made.instead = Some(why);
            return Ok(made);
        }
        Some(Ok(kernel)) => Arc::new(kernel),
    };
    let portable = || engine::portable::portable(Arc::clone(&kernel));
    let executor = if kind == EngineKind::Portable {
        made.kind = EngineKind::Portable;
        portable()
    } else {
        match native(&kernel) {
            Ok(executor) => {
                made.kind = EngineKind::Native;
                executor
            }
            Err(why) if kind == EngineKind::Native => return Err(EngineError::NoKernel(why)),
            Err(why) => {
                made.kind = EngineKind::Portable;
                made.instead = Some(why);
                portable()
            }
        }
    };
    let (kind, ready) = (made.kind, Mutex::new(Some((kernel, executor))));
    let maker = move |program: &program::Program, work| {
        if work == first {
            return ready.lock().ok()?.take();
        }
        let whole = kind == EngineKind::Native;
        let kernel = Arc::new(compile::kernel::kernel(program, work, whole).ok()?);
        let executor = if kind == EngineKind::Portable {
            engine::portable::portable(Arc::clone(&kernel))
        } else {
            native(&kernel).ok()?
        };
        Some((kernel, executor))
    };
    made.engine = made.engine.with_kernels(Box::new(maker));
    Ok(made)
}

#[cfg(feature = "native")]
fn native(kernel: &Arc<Kernel>) -> Result<Box<dyn Executor>, String> {
    engine::native::native(Arc::clone(kernel))
}

#[cfg(not(feature = "native"))]
fn native(_: &Arc<Kernel>) -> Result<Box<dyn Executor>, String> {
    Err("this program was built without machine code".to_owned())
}

/// Why there is no engine.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineError {
    /// The setup cannot be carried out.
    Setup(engine::PlayError),
    /// There can be no kernel, for a reason.
    NoKernel(String),
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineError::Setup(error) => error.fmt(f),
            EngineError::NoKernel(why) => write!(f, "no fast engine for these rules: {why}"),
        }
    }
}

impl std::error::Error for EngineError {}
