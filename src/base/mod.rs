//! What every stage shares: places in a source text, diagnostics as data, and the table of their codes. Knows no games.

mod codes;
mod diagnostic;
mod source;

pub use codes::{CODES, Code, CodeInfo};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity, nearest};
pub use source::{Source, Span};
