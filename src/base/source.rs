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

/// A text with the name it is reported under, perhaps followed by the texts that it builds on.
///
/// A variant file stands first, its base behind it, the base of that behind it, and so on. Places count through all of them.
#[derive(Clone, Debug)]
pub struct Source {
    text: String,
    /// Where each text begins, and its name; the first is the file itself.
    parts: Vec<(usize, String)>,
}

impl Source {
    /// A source called `name` (a file's path as the user wrote it, or `-`).
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            text: text.into(),
            parts: vec![(0, name.into())],
        }
    }

    /// The same source with a text behind it that it builds on.
    #[must_use]
    pub fn with_base(mut self, base: &Source) -> Source {
        self.text.push('\n');
        let start = self.text.len();
        self.text.push_str(&base.text);
        let parts = base.parts.iter();
        self.parts
            .extend(parts.map(|(at, name)| (start + at, name.clone())));
        self
    }

    /// The name it is reported under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parts[0].1
    }

    /// All texts, one behind the other.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many texts there are: one, and one for every base.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The name of a text, its first byte, and the text; the last one for a number that is too large.
    #[must_use]
    pub fn part(&self, number: usize) -> (&str, usize, &str) {
        let number = number.min(self.parts.len() - 1);
        let (start, name) = &self.parts[number];
        let end = match self.parts.get(number + 1) {
            Some((next, _)) => next - 1,
            None => self.text.len(),
        };
        (name, *start, &self.text[*start..end])
    }

    /// The number of the text that a byte is in.
    #[must_use]
    pub fn part_of(&self, byte: u32) -> usize {
        let behind = |(start, _): &&(usize, String)| *start <= byte as usize;
        self.parts.iter().take_while(behind).count().max(1) - 1
    }

    /// The text at a place; empty when the place is not in this text.
    #[must_use]
    pub fn at(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte in its text, both counted from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let (_, start, text) = self.part(self.part_of(byte));
        let mut end = (byte as usize - start).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
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

    #[test]
    fn a_base_has_lines_of_its_own() {
        let source = Source::new("x", "a\nb").with_base(&Source::new("y", "c\nd"));
        assert_eq!(source.parts(), 2);
        assert_eq!(source.part(0), ("x", 0, "a\nb"));
        assert_eq!(source.part(1), ("y", 4, "c\nd"));
        assert_eq!(source.line_column(6), (2, 1));
        assert_eq!((source.part_of(3), source.part_of(4)), (0, 1));
    }
}
