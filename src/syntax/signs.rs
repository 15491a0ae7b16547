//! Signs that are no signs of the language, where others or words are meant: from other languages, and from what typesetting makes of them.

use crate::base::{Code, Diagnostic, Span};

/// A sign, what is meant by it, and why.
const SIGNS: &[(&str, &str, &str)] = &[
    ("==", "=", "equality is written with one sign"),
    ("=>", ">=", "the sign for equal comes last"),
    ("=<", "<=", "the sign for equal comes last"),
    ("<>", "!=", "this is written with `!`"),
    ("->", "to", "where something goes is told by a word"),
    ("&&", "and", "conditions are joined by a word"),
    ("||", "or", "conditions are joined by a word"),
    ("&", "and", "conditions are joined by a word"),
    ("!", "not ", "a condition is denied by a word"),
    ("≠", "!=", "this is written with two signs"),
    ("≤", "<=", "this is written with two signs"),
    ("≥", ">=", "this is written with two signs"),
    ("%", "mod", "the remainder is a word"),
    ("#", "//", COMMENT),
    ("/*", "//", COMMENT),
    ("…", "..", "from where to where is written with two points"),
    ("–", "..", RANGE),
    ("—", "..", RANGE),
    ("−", "-", "it looks like `-`"),
    ("×", "*", "this is how numbers are multiplied"),
    ("·", "*", "this is how numbers are multiplied"),
    ("÷", "/", "this is how numbers are divided"),
    ("¦", "|", "it looks like `|`"),
    ("→", "to", "where something goes is told by a word"),
];
const RANGE: &str = "from where to where is written with two points, a difference with `-`";
const COMMENT: &str = "a comment begins with `//`";

/// Signs between which texts stand elsewhere.
const QUOTES: &[char] = &['“', '”', '„', '‟', '«', '»', '‘', '’', '\''];

/// Complains about a sign at a place of a text that begins at byte `base`, or about one of two signs of which the first could be read.
pub fn no_sign(text: &str, at: usize, base: usize) -> Option<Diagnostic> {
    let rest = text.get(at..)?;
    let before = text[..at].chars().next_back().map_or(0, char::len_utf8);
    let found = SIGNS.iter().find_map(|sign| {
        let whole = rest.starts_with(sign.0).then_some(at);
        let begun = || {
            let from = at - before;
            let two = before == 1 && sign.0.len() == 2 && sign.0.is_ascii();
            (two && text[from..].starts_with(sign.0)).then_some(from)
        };
        Some((whole.or_else(begun)?, sign))
    });
    if let Some((from, (sign, instead, why))) = found {
        let span = Span::new(base + from, base + from + sign.len());
        let d = Diagnostic::new(
            Code::Syntax,
            span,
            format!("`{sign}` is no sign of the language"),
        );
        let d = d.here(format!("expected `{}`", instead.trim_end()));
        return Some(d.help(*why).repair(*instead));
    }
    let sign = rest.chars().next().filter(|sign| QUOTES.contains(sign))?;
    let line = rest.lines().next().unwrap_or("");
    let inside = &line[sign.len_utf8()..];
    let end = inside.find(|c: char| c == '"' || QUOTES.contains(&c));
    let (shown, instead) = match end {
        Some(end) => {
            let last = inside[end..].chars().next().map_or(0, char::len_utf8);
            let shown = sign.len_utf8() + end + last;
            (shown, format!("\"{}\"", &inside[..end]))
        }
        None => (sign.len_utf8(), "\"".to_owned()),
    };
    let d = Diagnostic::new(
        Code::Syntax,
        Span::new(base + at, base + at + shown),
        format!("`{sign}` is no sign of the language"),
    );
    let d = d.here("texts stand between two `\"`");
    let why = match sign {
        '\'' => "single signs are not used",
        _ => "programs that set type make other signs of them",
    };
    Some(d.help(why).repair(instead))
}
