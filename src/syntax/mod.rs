//! Text into syntax tree. In: a source. Out: the tree of all items that could be read, and what is wrong with the others.
//! Nothing is resolved here, and nothing outside this folder knows the parser's own types.

pub mod ast;
mod dump;
mod expressions;
mod grammar;
mod items;
mod prescan;
mod problems;
mod statements;
mod tree;

pub use dump::dump;

use crate::base::{Code, Diagnostic, Diagnostics, Source, Span};
use crate::syntax::ast::File;

/// A file longer than this, in bytes, is refused.
pub const MAX_BYTES: usize = 1 << 20;

/// Reads a source text.
///
/// Always gives a tree, of those items that could be read; the diagnostics tell about the rest.
#[must_use]
pub fn parse(source: &Source) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let text = source.text();
    if text.len() > MAX_BYTES {
        let span = Span::new(0, 0);
        diagnostics.push(
            Diagnostic::new(Code::TooLong, span, format!("the file is {} bytes long", text.len()))
                .help(format!("a rule file may have {MAX_BYTES} bytes")),
        );
        return (File::default(), diagnostics);
    }
    if !prescan::brackets(text, &mut diagnostics) {
        return (File::default(), diagnostics);
    }
    let mut file = File::default();
    for chunk in prescan::chunks(text, &mut diagnostics) {
        if let Some(item) = items::read(&chunk, &mut diagnostics) {
            file.items.push(item);
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
