//! What stands around the place where the parser stopped.

use crate::syntax::advice::words_of;
use crate::syntax::grammar::{EFFECTS, RESERVED};

/// Where the parser stopped: what could have stood there, the text, the byte in it, and what was found.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub expected: &'p [&'p str],
    pub text: &'p str,
    pub at: usize,
    pub found: &'p str,
}

impl Place<'_> {
    /// Whether something could have stood there.
    pub fn expects(&self, what: &str) -> bool {
        self.expected.contains(&what)
    }

    /// The first word of the text.
    pub fn word(&self) -> &str {
        let is_sign = |c: char| !c.is_ascii_alphanumeric();
        self.text.split(is_sign).next().unwrap_or("")
    }

    /// Whether something stands right before.
    pub fn behind(&self, what: &str) -> bool {
        self.text[..self.at].trim_end().ends_with(what)
    }

    /// Whether something stands before it in its line.
    pub fn in_line(&self, what: &str) -> bool {
        let line = self.text[..self.at].rsplit('\n').next();
        line.is_some_and(|line| line.contains(what))
    }
}

/// Two sizes that are joined by a letter or sign, with a comma between them.
pub fn by_sign(found: &str) -> Option<String> {
    let (columns, rows) = found.split_once('x')?;
    let is_size = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (is_size(columns) && is_size(rows)).then(|| format!("{columns}, {rows}"))
}

/// A number and a name that stand together, with the sign of a product between them.
pub fn times(found: &str) -> Option<String> {
    let name = found.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &found[..found.len() - name.len()];
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase());
    (is_name && !number.is_empty()).then(|| format!("{number} * {name}"))
}

/// The word before a place with a capital, if it is a name without.
pub fn in_small(text: &str, at: usize) -> Option<String> {
    let (_, word) = words_of(text[..at].trim_end()).pop()?;
    let first = word.chars().next().filter(char::is_ascii_lowercase)?;
    let free = !RESERVED.contains(&word) && !EFFECTS.contains(&word);
    free.then(|| format!("{}{}", first.to_ascii_uppercase(), &word[1..]))
}

/// Whether a line with a picture begins there.
pub fn is_picture(text: &str, at: usize) -> bool {
    let line = text[at..].split('\n').next().unwrap_or("");
    line.starts_with("line") && line.contains('[')
}

/// Whether a picture stands there behind `or`, and before its bracket directions that are joined without any.
pub fn joins_ways(text: &str, at: usize) -> bool {
    let line = text[at..].split('\n').next().unwrap_or("");
    let ways = line
        .strip_prefix("or line ")
        .and_then(|rest| Some(rest.split_once('[')?.0));
    let joins = |ways: &str| ways.split_whitespace().any(|w| ["or", "and"].contains(&w));
    ways.is_some_and(|ways| joins(ways) && !ways.contains('('))
}

/// Whether a dot stands between two names.
pub fn in_name(text: &str, at: usize) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    text[..at].ends_with(is_letter) && text[at + 1..].starts_with(is_letter)
}

/// Whether only one word stands before a place in its line, and that is no effect.
pub fn alone_in_line(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit(['\n', ';', '{']).next().unwrap_or("");
    let word = line.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !word.is_empty() && word.chars().all(is_name) && !EFFECTS.contains(&word)
}

/// Whether a place is where the directions of a picture stand.
pub fn in_ways(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or("").trim_start();
    ["line ", "step "].iter().any(|word| line.starts_with(word)) && !line.contains('[')
}

/// Whether a place is inside a picture.
pub fn pictures(text: &str, at: usize) -> bool {
    let before = &text[..at];
    before.rfind('[') > before.rfind(']')
}
