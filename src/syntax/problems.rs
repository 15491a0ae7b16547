//! Parse failures in words that a designer knows. Grammar rule names never get out of here.

use crate::base::{Code, Diagnostic, Span};
use crate::syntax::advice::{advice, braceless, slip, wanting};
use crate::syntax::grammar::Rule;
use crate::syntax::nouns::{CAPITAL, END, NAME, STATEMENT, VALUE, nouns};
use crate::syntax::signs::no_sign;
use pest::error::{Error, ErrorVariant, InputLocation};

/// So much of what may stand somewhere is named.
const NAMED: usize = 6;

/// A failure of the parser in the chunk that begins at byte `base`.
pub fn diagnostic(error: &Error<Rule>, text: &str, base: usize) -> Diagnostic {
    before(error, text, base, "")
}

/// As [`diagnostic`], of a text behind which something else stands.
fn before(error: &Error<Rule>, text: &str, base: usize, behind: &str) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let first = text.split('\n').next().unwrap_or("");
        return Diagnostic::new(
            Code::TooLong,
            Span::new(base, base + first.len()),
            "this is too long or too deeply nested to be read",
        )
        .here("the parser gave up on it")
        .help("give parts of it names with `define`, or cut it into several rules");
    };
    let after = text.get(at..).unwrap_or("");
    // The parser looks at `draw` twice; the brace is missing behind it.
    let drawing = text.starts_with("setup") && token_at(after, 0) == "draw";
    let at = if drawing { at + "draw".len() } else { at };
    let after = text.get(at..).unwrap_or("");
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let found = token_at(text, at + blank);
    if let Some(sign) = text[at + blank..].chars().next()
        && !sign.is_ascii()
        && sign.is_whitespace()
    {
        let start = base + at + blank;
        return Diagnostic::new(
            Code::Syntax,
            Span::new(start, start + sign.len_utf8()),
            format!(
                "this space is none of the language's: U+{:04X}",
                u32::from(sign)
            ),
        )
        .here("it looks like a space")
        .help("put an ordinary space in its place; texts copied from pages often have others");
    }
    let at = if found.is_empty() { at } else { at + blank };
    let span = Span::new(base + at, base + at + found.len());
    if let Some(d) = no_sign(text, at, base) {
        return d;
    }
    if found.starts_with('"') && (found.len() == 1 || !found.ends_with('"')) {
        return Diagnostic::new(Code::Syntax, span, "the text is never closed")
            .here("expected another `\"` on this line")
            .help("a text ends on the line on which it begins");
    }
    if let Some(d) = wanting(&text[..at], base) {
        return d;
    }
    if let Some(d) = slip(&text[..at], found, base) {
        return d;
    }
    let expected = expectations(positives, text, at);
    if expected.contains(&"`{`")
        && let Some(d) = braceless(text, at, found, base)
    {
        return d;
    }
    // What a variant can take out is nowhere else in one list.
    let named = if text.starts_with("remove") {
        expected.len()
    } else {
        NAMED
    };
    let next = behind.trim_start_matches([' ', '\t']);
    let closed = found.is_empty() && text[at..].trim().is_empty() && next.starts_with('}');
    let (found_text, span) = if closed {
        let brace = base + text.len() + behind.len() - next.len();
        ("`}`".to_owned(), Span::new(brace, brace + 1))
    } else if found.is_empty() {
        (END.to_owned(), span)
    } else {
        (format!("`{}`", found.trim_matches('`')), span)
    };
    let d = Diagnostic::new(
        Code::Syntax,
        span,
        format!(
            "expected {}, found {found_text}",
            join(&expected[..expected.len().min(named)])
        ),
    )
    .here(match expected.as_slice() {
        [one] if one.starts_with("the end") => "this does not belong here".to_owned(),
        [one] => format!("{one} should stand here"),
        _ => "this does not fit".to_owned(),
    });
    advice(d, &expected, text, at, found)
}

/// The word, text or sign at a place, never more than one line.
pub fn token_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let word = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    if word > 0 {
        return &rest[..word];
    }
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find(['"', '\n', '\r']).unwrap_or(quoted.len());
        let closed = usize::from(quoted[end..].starts_with('"'));
        return rest[..1 + end + closed].trim_end();
    }
    match rest.chars().next() {
        Some(c) if !c.is_whitespace() => &rest[..c.len_utf8()],
        _ => "",
    }
}

/// What can always go on behind a value; said only when there is nothing better to say.
const JOINTS: &[&str] = &[
    "a joining word",
    "`where`",
    "`with`",
    "`seen`",
    "`can`",
    "`from`",
    "`=`",
    "`of`",
];

fn expectations(rules: &[Rule], text: &str, at: usize) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for rule in rules {
        for word in nouns(*rule) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    let item = text.starts_with("board");
    // What may stand behind a verb.
    if words.contains(&"a preposition") && words.contains(&CAPITAL) {
        words.retain(|w| ![CAPITAL, NAME, "a number", "`no`"].contains(w));
        words.push(VALUE);
    }
    if words.contains(&VALUE) {
        words.retain(|w| !w.starts_with('`') || *w == "`{`");
    }
    if item && words == [VALUE] && text[..at].trim() == "board" {
        return vec!["a board"];
    }
    // An end of a name stands only behind `replace`.
    if words.contains(&"`after turn`") && !text.starts_with("replace") {
        words.retain(|w| *w != "a text in quotes");
    }
    if words.contains(&STATEMENT) {
        words.retain(|w| [STATEMENT, "`}`", "`{`"].contains(w));
    }
    // `=` is a joint between values, but not behind the name of something that is declared.
    let joined = words.contains(&"a joining word");
    let better: Vec<&'static str> = words
        .iter()
        .copied()
        .filter(|w| !(JOINTS.contains(w) && (joined || *w != "`=`")))
        .collect();
    if !better.is_empty() {
        words = better;
    }
    if words.is_empty() {
        words.push("something else");
    }
    words
}

fn join(words: &[&str]) -> String {
    match words {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Says that one bad statement or clause could not be read, behind which something stands.
pub fn bad(text: &str, base: usize, error: Option<&Error<Rule>>, behind: &str) -> Diagnostic {
    match error {
        Some(e) => before(e, text, base, behind),
        None => Diagnostic::new(
            Code::Syntax,
            Span::new(base, base + text.trim_end().len()),
            "this cannot be read",
        )
        .here("this does not fit"),
    }
}
