//! Clauses as lines: a place of the rules in, where it is and how it begins out.

use crate::base::{Source, Span};
use crate::cli::why::{first_line, line_of};

/// Where a clause begins: its line, with the file's name if there are several.
pub fn place(source: &Source, span: Span) -> String {
    if source.parts() > 1 {
        line_of(source, span)
    } else {
        source.line_column(span.start).0.to_string()
    }
}

/// How a clause begins, with the one word before it when there is no more on its line: `start own as mover`; behind it what it
/// says, when that does not stand in it.
pub fn text(source: &Source, span: Span, says: &str) -> String {
    let before = source.text().get(..span.start as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("").trim();
    let own = without_comment(source.at(span));
    let text = first_line(own);
    let text = if !line.is_empty() && line.chars().all(|c| c.is_ascii_lowercase()) {
        format!("{line} {text}")
    } else {
        text
    };
    if own.contains(says) {
        text
    } else {
        format!("{text} ({says})")
    }
}

/// A text without the comment at its end, which belongs to the next line as much as to this one.
fn without_comment(text: &str) -> &str {
    let mut quoted = false;
    let mut comment = None;
    for (at, c) in text.char_indices() {
        match c {
            '"' if comment.is_none() => quoted = !quoted,
            '\n' => comment = None,
            '/' if !quoted && comment.is_none() && text[at..].starts_with("//") => {
                comment = Some(at)
            }
            _ => {}
        }
    }
    comment.map_or(text, |at| &text[..at])
}

#[cfg(test)]
mod tests {
    use crate::base::{Source, Span};
    use crate::cli::clause::{place, text};

    #[test]
    fn a_clause_is_told_with_the_word_before_it() {
        let source = Source::new(
            "a.game",
            "trail {\n  start own as mover\n}\nif x { place a }\n",
        );
        assert_eq!(text(&source, Span::new(16, 28), ""), "start own as mover");
        assert_eq!(text(&source, Span::new(38, 45), ""), "place a");
        assert_eq!(
            text(&source, Span::new(0, 30), "no way"),
            "trail { … (no way)"
        );
        assert_eq!(place(&source, Span::new(16, 28)), "2");
        let commented = Source::new("c.game", "win \"a//b\" when x // so\n  or y   // \"and so");
        assert_eq!(
            text(&commented, Span::new(0, 22), ""),
            "win \"a//b\" when x"
        );
        assert_eq!(text(&commented, Span::new(26, 42), ""), "or y");
        let variant = Source::new("b.game", "\n\n").with_base(&source);
        assert_eq!(place(&variant, Span::new(19, 31)), "a.game:2");
    }
}
