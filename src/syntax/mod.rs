//! Text into syntax tree. In: a source. Out: the tree of all items that could be read, and what is wrong with the others.
//! Nothing is resolved here, and nothing outside this folder knows the parser's own types.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar has a hundred rules; each builder knows a few"
)]

pub mod ast;
mod dump;
mod expressions;
mod format;
mod grammar;
mod items;
mod pictures;
mod prescan;
mod problems;
mod statements;
mod tree;

pub use dump::dump;
pub use format::{format, same_tree};

use crate::base::{Code, Diagnostic, Diagnostics, Source, Span};
use crate::syntax::ast::File;
use std::num::NonZeroUsize;

/// A file longer than this, in bytes, is refused.
pub const MAX_BYTES: usize = 1 << 20;

/// The parser gives up on an item after so many steps.
const MAX_CALLS: usize = 40_000_000;

/// Reads a source text.
///
/// Always gives a tree, of those items that could be read; the diagnostics tell about the rest.
#[must_use]
pub fn parse(source: &Source) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let text = source.text();
    pest::set_call_limit(NonZeroUsize::new(MAX_CALLS));
    if text.len() > MAX_BYTES {
        let span = Span::new(0, 0);
        diagnostics.push(
            Diagnostic::new(
                Code::TooLong,
                span,
                format!("the file is {} bytes long", text.len()),
            )
            .help(format!("a rule file may have {MAX_BYTES} bytes")),
        );
        return (File::default(), diagnostics);
    }
    if !prescan::brackets(text, &mut diagnostics) {
        return (File::default(), diagnostics);
    }
    if text.starts_with('\u{feff}') {
        diagnostics.push(
            Diagnostic::new(
                Code::NotText,
                Span::new(0, 3),
                "the file begins with a byte order mark",
            )
            .here("three bytes that are no text")
            .help("save it as UTF-8 without a byte order mark")
            .repair(""),
        );
    }
    let mut file = File::default();
    for chunk in prescan::chunks(text, &mut diagnostics) {
        let end = chunk.base + chunk.text.len();
        let brackets = |d: &Diagnostic| {
            d.code == Code::UnclosedBracket
                && (chunk.base..=end).contains(&(d.label.span.start as usize))
        };
        // What else is wrong with an item whose brackets do not match is only an echo of that.
        let mut echoes = Diagnostics::default();
        let echo = diagnostics.as_slice().iter().any(brackets);
        if let Some(item) = items::read(&chunk, if echo { &mut echoes } else { &mut diagnostics }) {
            file.items.push(item);
        }
        if diagnostics.as_slice().len() >= prescan::MAX_FINDINGS {
            break;
        }
    }
    if file.items.is_empty() && diagnostics.as_slice().is_empty() {
        diagnostics.push(
            Diagnostic::new(Code::EmptyFile, Span::new(0, 0), "the file holds no game")
                .help("a game begins with a line such as: game \"Name of the game\""),
        );
    }
    (file, diagnostics)
}
