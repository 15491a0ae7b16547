//! Before parsing: brackets are counted, so that hostile nesting never reaches the parser, and the text is cut into items
//! at the lines that begin one, so that a broken item hides no other.

use crate::base::{Code, Diagnostic, Diagnostics, Span, nearest};
use crate::syntax::brackets::{close, closes_nothing, unclosed, unopened};
use crate::syntax::signs::no_sign;

/// Brackets nested deeper than this are refused.
const MAX_DEPTH: usize = 50;

/// When so much is wrong, no more is told.
pub const MAX_FINDINGS: usize = 100;

/// The words that begin an item.
pub const ITEM_WORDS: &[&str] = &[
    "game", "option", "require", "players", "board", "piece", "keep", "mark", "define", "setup",
    "rule", "turn", "end", "example", "variant", "replace", "remove",
];

/// Item words that can begin no statement: inside a block they tell that a brace was left open.
const SURE_ITEM_WORDS: &[&str] = &[
    "game", "option", "players", "board", "piece", "keep", "define", "setup", "rule", "turn",
    "end", "example", "variant", "replace",
];

/// Words and signs with which an unindented line still belongs to the item above.
const JOINTS: &[&str] = &[
    "or",
    "and",
    "except",
    "where",
    "with",
    "otherwise",
    "preferring",
    "then",
    "else",
    "in",
    "not",
    "only",
    "without",
    "joined",
    "wrapping",
    "stacking",
    "each",
    "aside",
    "compared",
];

/// What may stand before the first word of a line; the byte order mark has been reported by then.
const BLANK: [char; 3] = [' ', '\t', '\u{feff}'];

/// A part of the text that should be one item.
pub struct Chunk<'a> {
    /// The text.
    pub text: &'a str,
    /// Its first byte in the file.
    pub base: usize,
    /// The first byte of the comments above.
    pub lead: usize,
    /// The `///` lines above.
    pub doc: String,
}

/// The most bytes of a text in quotes: the position of a large board with high stacks has several thousand.
const MAX_TEXT: usize = 20_000;

/// A bracket or a line's start outside texts and comments, or a text in quotes that is too long.
enum Mark {
    Open(usize, char),
    Close(usize, char),
    Line(usize),
    Long(usize, usize),
}

/// Walks over the text from a byte on, outside of texts in quotes and comments.
fn marks(text: &str, from: usize) -> Vec<Mark> {
    let mut found = vec![Mark::Line(from)];
    let bytes = text.as_bytes();
    let mut i = from;
    while i < bytes.len() {
        match bytes[i] {
            b'\n' => found.push(Mark::Line(i + 1)),
            b'"' => {
                let stop = text[i + 1..]
                    .find(['"', '\n'])
                    .map_or(text.len(), |n| i + 1 + n);
                if stop - i > MAX_TEXT {
                    found.push(Mark::Long(i, stop));
                }
                i = if bytes.get(stop) == Some(&b'"') {
                    stop
                } else {
                    stop.saturating_sub(1).max(i)
                };
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                i = text[i..].find('\n').map_or(text.len(), |n| i + n) - 1;
            }
            open @ (b'(' | b'[' | b'{') => found.push(Mark::Open(i, char::from(open))),
            close @ (b')' | b']' | b'}') => found.push(Mark::Close(i, char::from(close))),
            _ => {}
        }
        i += 1;
    }
    found
}

/// Checks nesting from a byte on. False when the text must not be parsed at all.
pub fn brackets(text: &str, from: usize, diagnostics: &mut Diagnostics) -> bool {
    let mut depth = 0usize;
    for mark in marks(text, from) {
        match mark {
            Mark::Open(at, _) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    diagnostics.push(
                        Diagnostic::new(
                            Code::TooDeep,
                            Span::new(at, at + 1),
                            "brackets are nested too deeply",
                        )
                        .here(format!("more than {MAX_DEPTH} brackets are open here"))
                        .help("give the inner parts names with `define`"),
                    );
                    return false;
                }
            }
            Mark::Close(..) => depth = depth.saturating_sub(1),
            Mark::Long(at, stop) => {
                let start = text[at..]
                    .chars()
                    .take(20)
                    .map(char::len_utf8)
                    .sum::<usize>();
                diagnostics.push(
                    Diagnostic::new(
                        Code::TooLong,
                        Span::new(at, at + start),
                        format!("a text in quotes is {} bytes long", stop - at),
                    )
                    .here("it begins here")
                    .help(format!("a text may have {MAX_TEXT} bytes")),
                );
                return false;
            }
            Mark::Line(at) => {
                if SURE_ITEM_WORDS.contains(&first_word(&text[at..])) {
                    depth = 0;
                }
            }
        }
    }
    true
}

/// The word a line begins with, when it is not indented.
pub fn first_word(line: &str) -> &str {
    let end = line
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(line.len());
    &line[..end]
}

/// Cuts the text from a byte on into items.
pub fn chunks<'a>(text: &'a str, from: usize, diagnostics: &mut Diagnostics) -> Vec<Chunk<'a>> {
    let mut starts: Vec<usize> = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    for mark in marks(text, from) {
        if diagnostics.as_slice().len() >= MAX_FINDINGS {
            break;
        }
        match mark {
            Mark::Open(at, c) => open.push((at, c)),
            Mark::Close(at, '}') if open.is_empty() => {
                // What is indented belongs to a block that was not opened.
                let at_left = |start: &&usize| text[..**start].ends_with('\n');
                let item = starts.iter().rev().find(at_left).copied().unwrap_or(from);
                let missing = unopened(&text[item..at], item, at);
                diagnostics.push(missing.unwrap_or_else(|| closes_nothing(at, '}')));
            }
            Mark::Close(at, c) => close(&mut open, at, c, text, diagnostics),
            Mark::Long(..) => {}
            Mark::Line(at) => {
                let line = &text[at..];
                if begins_item(line, open.is_empty(), starts.is_empty()) {
                    if let Some(&(at, c)) = open.first() {
                        diagnostics.push(unclosed(at, c));
                    }
                    open.clear();
                    starts.push(at + (line.len() - line.trim_start_matches(BLANK).len()));
                }
            }
        }
    }
    if let Some(&(at, c)) = open.first() {
        diagnostics.push(unclosed(at, c));
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut pieces = Vec::new();
    let mut lead = from;
    for (&start, end) in starts.iter().zip(ends) {
        if diagnostics.as_slice().len() >= MAX_FINDINGS {
            break;
        }
        let doc = doc_above(&text[from..start]);
        let body = without_trailing_comments(&text[start..end]);
        let above = std::mem::replace(&mut lead, start + body.len());
        let word = first_word(body);
        if ITEM_WORDS.contains(&word) {
            pieces.push(Chunk {
                text: body,
                base: start,
                lead: above,
                doc,
            });
        } else {
            diagnostics.push(unknown_item(body, word, start));
        }
    }
    pieces
}

fn begins_item(line: &str, outside: bool, first: bool) -> bool {
    let trimmed = line.trim_start_matches(BLANK);
    let indented = trimmed.len() < line.len();
    let word = first_word(trimmed);
    if !outside {
        return !indented && SURE_ITEM_WORDS.contains(&word);
    }
    if trimmed.is_empty() || trimmed.starts_with("//") || trimmed.starts_with(['\n', '\r']) {
        return false;
    }
    if ITEM_WORDS.contains(&word) {
        return true;
    }
    let joins = JOINTS.contains(&word)
        || trimmed.starts_with([
            '+', '-', '*', '/', '=', '<', '>', '!', ')', ']', '}', '{', '"', ',',
        ]);
    first || (!indented && !joins)
}

fn unknown_item(body: &str, word: &str, start: usize) -> Diagnostic {
    if let Some(d) = no_sign(body, 0, start) {
        return d;
    }
    let shown = if word.is_empty() {
        body.chars().next().map(String::from).unwrap_or_default()
    } else {
        word.to_owned()
    };
    let d = Diagnostic::new(
        Code::UnknownItem,
        Span::new(start, start + shown.len()),
        format!("no item of a rule file begins with `{shown}`"),
    )
    .here("expected an item");
    if word == "set" {
        return d.help("in a variant an option is given its value by `option size = 7`; what is kept is set in rules and in the setup");
    }
    match nearest(word, ITEM_WORDS.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
        None => d.help(format!(
            "items begin with one of: {}",
            ITEM_WORDS.join(", ")
        )),
    }
}

/// The `///` lines that end right above.
fn doc_above(before: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in before.trim_end_matches([' ', '\t']).lines().rev() {
        match line.trim().strip_prefix("///") {
            Some(text) => lines.push(text.trim()),
            None => break,
        }
    }
    lines.reverse();
    lines.join("\n")
}

/// Leaves off empty lines and comments at the end: they belong to the next item.
fn without_trailing_comments(body: &str) -> &str {
    let mut kept = body.trim_end();
    while let Some(start) = kept.rfind('\n') {
        if !kept[start..].trim_start().starts_with("//") {
            break;
        }
        kept = kept[..start].trim_end();
    }
    kept
}
