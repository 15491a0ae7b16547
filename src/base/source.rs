//! A source text with its name, and places in it as byte ranges. Reads no files.

use serde::Serialize;

/// A place in a source text: a range of bytes, end excluded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`, in bytes.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: clamp(start),
            end: clamp(end.max(start)),
        }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// As a range of `usize`, for slicing.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text with the name it is reported under.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// A source called `name` (a file's path as the user wrote it, or `-`).
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }

    /// The name it is reported under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text at a place; empty when the place is not in this text.
    #[must_use]
    pub fn at(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte, both counted from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let mut end = (byte as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, Span};

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let source = Source::new("x", "a\nöb\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(4), (2, 2));
        assert_eq!(source.line_column(99), (3, 1));
        assert_eq!(source.at(Span::new(2, 4)), "ö");
    }
}
