//! Positions of examples: a line in quotes or drawn rows in, a position line out that knows where each of its signs stands
//! in the rules.

use crate::base::Span;
use crate::engine::{Engine, Position, PositionError};
use crate::syntax::ast::{Name, Place};

/// A position line with the places of its signs.
pub struct Line {
    /// The line.
    pub text: String,
    /// For each of its characters, and its end, the byte in the rules.
    places: Vec<u32>,
    /// Whether only the board was said, and not who is to move.
    pub board_only: bool,
}

/// What is wrong with a position of an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPlace {
    /// Where.
    pub place: Span,
    /// What.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// The line of a position.
pub fn line(engine: &Engine, place: &Place) -> Line {
    match place {
        Place::Line(name) => Line {
            text: name.text.clone(),
            places: inside(name),
            board_only: false,
        },
        Place::Drawn { rows, rest } => drawn(engine, rows, rest.as_ref()),
    }
}

/// The position of a line.
pub fn position(engine: &Engine, line: &Line) -> Result<Position, BadPlace> {
    engine.parse(&line.text).map_err(|error| bad(line, &error))
}

fn bad(line: &Line, error: &PositionError) -> BadPlace {
    let at = error
        .column
        .saturating_sub(1)
        .min(line.places.len().saturating_sub(1));
    let start = line.places.get(at).copied().unwrap_or_default();
    let end = line
        .places
        .get(at + 1)
        .copied()
        .filter(|e| *e > start)
        .unwrap_or(start + 1);
    BadPlace {
        place: Span { start, end },
        message: error.message.clone(),
        help: error.help.clone(),
    }
}

/// The bytes of the characters of a text in quotes, and of the closing quote.
fn inside(name: &Name) -> Vec<u32> {
    let first = name.span.start + 1;
    let bytes = name.text.char_indices().map(|(at, _)| at);
    let places = bytes.chain([name.text.len()]);
    places
        .map(|at| first + u32::try_from(at).unwrap_or(0))
        .collect()
}

/// Builds a line sign by sign.
struct Builder {
    text: String,
    places: Vec<u32>,
}

impl Builder {
    fn push(&mut self, text: &str, at: u32) {
        for c in text.chars() {
            self.text.push(c);
            self.places.push(at);
        }
    }
}

fn drawn(engine: &Engine, rows: &Name, rest: Option<&Name>) -> Line {
    let mut built = Builder {
        text: String::new(),
        places: Vec::new(),
    };
    let lines = written_rows(rows);
    // Rows that are copied from a drawing have their numbers at the left, and the letters of the columns below.
    let labelled = lines.len() > 1
        && lines[..lines.len() - 1]
            .iter()
            .all(|(row, _)| label(row) > 0);
    for (number, (row, at)) in lines.iter().enumerate() {
        let skip = if labelled { label(row) } else { 0 };
        if labelled && skip == 0 {
            continue;
        }
        if number > 0 {
            built.push("/", *at);
        }
        self::row(
            &row[skip..],
            at + u32::try_from(skip).unwrap_or(0),
            &mut built,
        );
    }
    let end = rows.span.end.saturating_sub(1);
    match rest {
        Some(rest) => {
            built.push(" ", rest.span.start);
            for (c, at) in rest.text.chars().zip(inside(rest)) {
                built.push(c.encode_utf8(&mut [0; 4]), at);
            }
            let held = engine.program().hands && rest.text.split_whitespace().count() == 1;
            if held {
                built.push(" -", rest.span.end.saturating_sub(1));
            }
        }
        None => {
            let start = engine.print(&engine.initial());
            let mover = start.split_whitespace().nth(1).unwrap_or("");
            built.push(" ", end);
            built.push(mover, end);
            if engine.program().hands {
                built.push(" -", end);
            }
        }
    }
    built
        .places
        .push(rest.map_or(end, |r| r.span.end.saturating_sub(1)));
    Line {
        text: built.text,
        places: built.places,
        board_only: rest.is_none(),
    }
}

/// The rows between the braces that are not empty, without comments, each with its first byte in the rules.
fn written_rows(rows: &Name) -> Vec<(&str, u32)> {
    let inner = rows
        .text
        .strip_prefix('{')
        .and_then(|t| t.strip_suffix('}'))
        .unwrap_or(&rows.text);
    let mut at = rows.span.start + 1;
    let mut found = Vec::new();
    for line in inner.split('\n') {
        let bare = line.split("//").next().unwrap_or("");
        let indent = bare.len() - bare.trim_start().len();
        let text = bare.trim();
        if !text.is_empty() {
            found.push((text, at + u32::try_from(indent).unwrap_or(0)));
        }
        at += u32::try_from(line.len() + 1).unwrap_or(0);
    }
    found
}

/// The bytes of a row's number at its left, with the space behind it.
fn label(row: &str) -> usize {
    let digits = row.len() - row.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let spaced = row[digits..].starts_with(' ');
    if digits > 0 && spaced { digits } else { 0 }
}

/// One row: points become numbers, spaces are left out.
fn row(row: &str, at: u32, built: &mut Builder) {
    let mut empty = 0;
    let mut since = at;
    for (offset, c) in row.char_indices() {
        let place = at + u32::try_from(offset).unwrap_or(0);
        if c == '.' {
            if empty == 0 {
                since = place;
            }
            empty += 1;
            continue;
        }
        if c.is_whitespace() {
            continue;
        }
        if empty > 0 {
            built.push(&empty.to_string(), since);
            empty = 0;
        }
        built.push(c.encode_utf8(&mut [0; 4]), place);
    }
    if empty > 0 {
        built.push(&empty.to_string(), since);
    }
}
