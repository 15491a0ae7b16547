//! Brackets that lack their partner: what is said of them, and where the partner should stand. In: a text and what is open in it.

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::syntax::prescan::first_word;

/// Closes a bracket among those that are open, and complains of what does not fit.
pub fn close(
    open: &mut Vec<(usize, char)>,
    at: usize,
    c: char,
    text: &str,
    diagnostics: &mut Diagnostics,
) {
    let wanted = opening(c);
    match open.iter().rposition(|(_, o)| *o == wanted) {
        Some(place) => {
            if let Some(&(at, c)) = open.get(place + 1) {
                diagnostics.push(unclosed(at, c));
            }
            open.truncate(place);
        }
        None => {
            let line = text[at + 1..].lines().next().unwrap_or("");
            // Behind a brace that is open more than this line would follow.
            let brace = |(before, opened): &mut (usize, char)| {
                *opened == '{' && (text[*before..at].contains('\n') || !line.trim().is_empty())
            };
            diagnostics.push(match open.pop_if(|last| !brace(last)) {
                // A bracket of the wrong kind.
                Some((before, opened)) => {
                    let right = closing(opened);
                    nothing_open(at, c)
                        .and(Span::new(before, before + 1), format!("`{opened}` is open"))
                        .help(format!("write `{right}`, which closes `{opened}`"))
                        .repair(right)
                }
                None => closes_nothing(at, c),
            });
        }
    }
}

/// Says that a bracket has no partner, and should go.
pub fn closes_nothing(at: usize, c: char) -> Diagnostic {
    nothing_open(at, c).help("take it out").repair("")
}

fn nothing_open(at: usize, c: char) -> Diagnostic {
    let wanted = opening(c);
    Diagnostic::new(
        Code::UnclosedBracket,
        Span::new(at, at + 1),
        format!("`{c}` closes nothing"),
    )
    .here(format!("no `{wanted}` is open here"))
}

/// Words that begin lines at whose end a brace is opened.
const OPENERS: &[&str] = &[
    "rule", "setup", "turn", "end", "example", "for", "if", "repeat", "trail", "step", "graph",
];

/// The line at whose end a brace should have been opened, in the text of an item up to a `}` that closes nothing: what follows it is
/// indented further, as what stands in braces is.
pub fn unopened(item: &str, base: usize, closes: usize) -> Option<Diagnostic> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut at = base;
    for line in item.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or(line).trim_end();
        if !code.trim().is_empty() {
            lines.push((at, code));
        }
        at += line.len();
    }
    let (at, line) = lines.windows(2).rev().find_map(|pair| {
        let ((at, line), (_, next)) = (pair[0], pair[1]);
        let opens = OPENERS.contains(&first_word(line.trim_start())) || line.ends_with("trail");
        let open = line.matches('{').count() > line.matches('}').count();
        let quoted = line.matches('"').count() % 2 == 1;
        (opens && (!open || quoted) && indent(next) > indent(line)).then_some((at, line))
    })?;
    if line.matches('"').count() % 2 == 1 {
        let quote = at + line.find('"')?;
        let d = Diagnostic::new(
            Code::Syntax,
            Span::new(quote, at + line.len()),
            "the text is never closed",
        );
        return Some(
            d.here("expected another `\"` before the `{`")
                .help("a text ends on the line on which it begins"),
        );
    }
    let last = line.rfind([' ', '\t']).map_or(0, |blank| blank + 1);
    let shown = line.trim_start();
    let d = Diagnostic::new(
        Code::UnclosedBracket,
        Span::new(at + last, at + line.len()),
        format!("expected `{{` behind `{shown}`"),
    );
    Some(
        d.here("a brace should be opened here")
            .and(Span::new(closes, closes + 1), "it would be closed here")
            .repair(format!("{} {{", &line[last..])),
    )
}

fn opening(c: char) -> char {
    match c {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}

fn closing(c: char) -> char {
    match c {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Says that a bracket has no end.
pub fn unclosed(at: usize, c: char) -> Diagnostic {
    let wanted = closing(c);
    Diagnostic::new(
        Code::UnclosedBracket,
        Span::new(at, at + 1),
        format!("`{c}` is never closed"),
    )
    .here("opened here")
    .help(format!("write `{wanted}` where it should end"))
}
