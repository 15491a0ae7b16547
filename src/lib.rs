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
