//! The vocabulary: one row a word, with its name, signature, meaning and an example. Rows make program data and nothing
//! else. A new word is a new row; `docs/language.md` is tested against these tables.

mod cells;
mod directions;
mod numbers;
pub mod verbs;

use crate::base::Span;
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::syntax::ast::Name;

/// A word that stands alone.
pub struct ValueWord {
    /// As it is written.
    pub name: &'static str,
    /// What type it has.
    pub signature: &'static str,
    /// What it means, in one sentence.
    pub text: &'static str,
    /// An example of its use.
    pub example: &'static str,
    /// Its meaning.
    pub meaning: fn(&mut Resolver<'_>, Span) -> Option<Term>,
}

/// A word that takes values.
pub struct FunctionWord {
    /// As it is written.
    pub name: &'static str,
    /// What it takes and gives.
    pub signature: &'static str,
    /// What it means, in one sentence.
    pub text: &'static str,
    /// An example of its use.
    pub example: &'static str,
    /// The fewest values it takes.
    pub least: usize,
    /// The most values it takes.
    pub most: usize,
    /// Its meaning.
    pub meaning: fn(&mut Resolver<'_>, &Given<'_>) -> Option<Term>,
}

/// A value, its place, and the end of its range.
type GivenValue = (Term, Span, Option<(Term, Span)>);

/// The values given to a word.
pub struct Given<'e> {
    /// The word as written.
    pub name: &'e Name,
    /// The whole expression.
    pub span: Span,
    values: Vec<GivenValue>,
}

impl<'e> Given<'e> {
    /// No values yet.
    pub fn new(name: &'e Name, span: Span) -> Given<'e> {
        Given {
            name,
            span,
            values: Vec::new(),
        }
    }

    /// One value more, with the end of its range.
    pub fn push(&mut self, term: Term, span: Span, to: Option<(Term, Span)>) {
        self.values.push((term, span, to));
    }

    /// A value; the one before when there are fewer.
    pub fn term(&self, at: usize) -> (&Term, Span) {
        match self.values.get(at) {
            Some((term, span, _)) => (term, *span),
            None => (&Term::Players, self.span),
        }
    }

    /// Whether there is such a value.
    pub fn has(&self, at: usize) -> bool {
        at < self.values.len()
    }

    /// The end of a value's range.
    pub fn to(&self, at: usize) -> Option<&(Term, Span)> {
        self.values.get(at).and_then(|v| v.2.as_ref())
    }
}

/// All words that stand alone, by area.
pub const VALUES: &[&[ValueWord]] = &[cells::VALUES, directions::VALUES, numbers::VALUES];

/// All words that take values, by area.
pub const FUNCTIONS: &[&[FunctionWord]] =
    &[cells::FUNCTIONS, directions::FUNCTIONS, numbers::FUNCTIONS];

/// The word of that name that stands alone.
pub fn value(name: &str) -> Option<&'static ValueWord> {
    VALUES
        .iter()
        .flat_map(|list| list.iter())
        .find(|w| w.name == name)
}

/// The word of that name that takes values.
pub fn function(name: &str) -> Option<&'static FunctionWord> {
    FUNCTIONS
        .iter()
        .flat_map(|list| list.iter())
        .find(|w| w.name == name)
}
