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
    let mut found = found;
    if !readable {
        let unread = syntax::unread(source, diagnostics.as_slice());
        found.retain_after(0, |d| {
            d.severity == base::Severity::Error
                && !is_echo(d, source, &unread)
                && !goes_on_unread(d, source, diagnostics.as_slice())
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

/// Whether something that was found may be wrong only because items could not be read: they may have declared what is missed. Names
/// that do not stand in them were not declared there, unless it was a board, which gives names to its cells.
fn is_echo(found: &Diagnostic, source: &Source, unread: &[&str]) -> bool {
    let names = [
        base::Code::UnknownName,
        base::Code::UnknownRule,
        base::Code::UnknownOption,
        base::Code::UnknownPlayer,
    ];
    let declares = |text: &&str, name: &str| text.split_whitespace().nth(1) == Some(name);
    if found.code == base::Code::WrongCount {
        // Without the item the name is that of a word that takes a value.
        let span = found.label.span;
        let word = source.text().get(span.start as usize..span.end as usize);
        return word.is_some_and(|word| unread.iter().any(|text| declares(text, word)));
    }
    if !names.contains(&found.code) {
        return found.code == base::Code::MissingItem;
    }
    let span = found.label.span;
    let word = source.text().get(span.start as usize..span.end as usize);
    let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let Some(word) = word.filter(|word| !word.contains(is_sign)) else {
        return true;
    };
    // A name in the wrong case may be why the item could not be read.
    let has = |text: &&str| text.split(is_sign).any(|w| w.eq_ignore_ascii_case(word));
    let gives_all = |text: &&str| ["board", "variant"].iter().any(|w| text.starts_with(w));
    unread.iter().any(|text| gives_all(text) || has(text))
}

/// Whether the line on which something was found could not be read behind it: it may be one half of what was meant.
fn goes_on_unread(found: &Diagnostic, source: &Source, unread: &[Diagnostic]) -> bool {
    let end = found.label.span.end as usize;
    unread.iter().any(|d| {
        let between = source.text().get(end..d.label.span.start as usize);
        between.is_some_and(|text| !text.contains('\n'))
    })
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
        EngineKind::Auto => Some(Drafted::new(&program, first, true)),
        EngineKind::Portable | EngineKind::Native => {
            let drafted = Drafted::new(&program, first, kind == EngineKind::Native);
            Some(Ok(drafted.map_err(EngineError::NoKernel)?))
        }
    };
    let mut made = Made {
        kernel: begun.elapsed(),
        engine: engine::Engine::new(program).map_err(EngineError::Setup)?,
        kind: EngineKind::Plain,
        instead: None,
    };
    let drafted = match kernel {
        None => return Ok(made),
        Some(Err(why)) => {
            made.instead = Some(why);
            return Ok(made);
        }
        Some(Ok(drafted)) => drafted,
    };
    let ready = if kind == EngineKind::Portable {
        made.kind = EngineKind::Portable;
        drafted.portable()
    } else {
        match drafted.native() {
            Ok(ready) => {
                made.kind = EngineKind::Native;
                ready
            }
            Err((why, _)) if kind == EngineKind::Native => return Err(EngineError::NoKernel(why)),
            Err((why, kernel)) => {
                made.kind = EngineKind::Portable;
                made.instead = Some(why);
                let executor = engine::portable::portable(Arc::clone(&kernel));
                (kernel, executor)
            }
        }
    };
    let (kind, ready) = (made.kind, Mutex::new(Some(ready)));
    let maker = move |program: &program::Program, work| {
        if work == first {
            return ready.lock().ok()?.take();
        }
        let drafted = Drafted::new(program, work, kind == EngineKind::Native).ok()?;
        if kind == EngineKind::Portable {
            return Some(drafted.portable());
        }
        drafted.native().ok()
    };
    made.engine = made.engine.with_kernels(Box::new(maker));
    Ok(made)
}

/// What is to be said of rules that no fast engine can play: a note that tells why, or nothing where one can.
///
/// ```
/// let text = "
///   game \"Push\"
///   players White, Black
///   board square(4, 1) stacking
///   piece man
///   rule Push { line east [ own as mover | 1.. occupied as row | empty ]
///     advance row by 1
///   }
///   turn Push
/// ";
/// let source = gambol::base::Source::new("push.game", text);
/// let program = gambol::compile(&source, &[]).program.unwrap();
/// let note = gambol::only_plain(&program).unwrap();
/// assert!(note.message.ends_with("stacks advance in line"));
/// ```
#[must_use]
pub fn only_plain(program: &program::Program) -> Option<base::Diagnostic> {
    let why = compile::kernel::draft(program, Work::Counting, true).err()?;
    let message = format!("only the plain engine can play these rules: {why}");
    let note = base::Diagnostic::new(base::Code::OnlyPlain, base::Span::default(), message);
    Some(note.help(
        "all commands work; many random games, counts and searches take some hundred times longer",
    ))
}

/// A kernel and what runs it.
type Fast = (Arc<Kernel>, Box<dyn Executor>);

/// A kernel that was made, and a better one that can be.
struct Drafted {
    kernel: Arc<Kernel>,
    #[cfg(feature = "native")]
    better: Option<compile::kernel::Draft>,
}

impl Drafted {
    /// `whole` for machine code, which may be wanted soon.
    fn new(program: &program::Program, work: Work, whole: bool) -> Result<Drafted, String> {
        let draft = compile::kernel::draft(program, work, whole)?;
        #[cfg(feature = "native")]
        if whole && engine::native::comes_twice(draft.statements()) {
            return Ok(Drafted {
                kernel: Arc::new(draft.soon()),
                better: Some(draft),
            });
        }
        Ok(Drafted {
            kernel: Arc::new(draft.better()),
            #[cfg(feature = "native")]
            better: None,
        })
    }

    fn portable(self) -> Fast {
        let executor = engine::portable::portable(Arc::clone(&self.kernel));
        (self.kernel, executor)
    }

    /// Machine code; or why there is none, and the kernel.
    #[cfg(feature = "native")]
    fn native(self) -> Result<Fast, (String, Arc<Kernel>)> {
        let Drafted { kernel, better } = self;
        let better = better.map(|draft| -> engine::native::Better { Box::new(|| draft.better()) });
        match engine::native::native(Arc::clone(&kernel), better) {
            Ok(executor) => Ok((kernel, executor)),
            Err(why) => Err((why, kernel)),
        }
    }

    #[cfg(not(feature = "native"))]
    fn native(self) -> Result<Fast, (String, Arc<Kernel>)> {
        let why = "this program was built without machine code".to_owned();
        Err((why, self.kernel))
    }
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
