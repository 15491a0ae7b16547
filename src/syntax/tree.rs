//! What the tree builders share: a builder that knows where its chunk stands in the file. Only pairs come in, only tree goes out.

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::syntax::ast::{Expr, ExprKind, Name, Notation, NotationPart, UNREADABLE};
use crate::syntax::grammar::{Grammar, Pair, Rule, span};
use crate::syntax::prescan::MAX_FINDINGS;
use crate::syntax::problems;
use pest::Parser;

/// Builds tree from the pairs of one chunk.
pub struct Builder<'d> {
    /// First byte of the chunk in the file.
    pub base: usize,
    /// Where findings go.
    pub diagnostics: &'d mut Diagnostics,
}

impl Builder<'_> {
    /// The place of a pair in the file.
    pub fn span(&self, pair: &Pair<'_>) -> Span {
        span(pair, self.base)
    }

    /// A pair's text as a name; quotes are taken off.
    pub fn name(&self, pair: &Pair<'_>) -> Name {
        let text = pair.as_str().trim_end();
        let bare = text
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'))
            .unwrap_or(text);
        Name {
            text: bare.to_owned(),
            span: self.span(pair),
        }
    }

    /// A number that may be too large.
    pub fn number(&mut self, pair: &Pair<'_>) -> i64 {
        let digits = pair.as_str().trim_end();
        match digits.parse::<i64>() {
            Ok(n) if n <= 1_000_000_000 => n,
            Ok(_) | Err(_) => {
                let d = Diagnostic::new(Code::TooLong, self.span(pair), "the number is too large")
                    .here("more than 1000000000")
                    .help("write a smaller number");
                self.diagnostics.push(d);
                0
            }
        }
    }

    /// An expression that stands for one that could not be read.
    pub fn missing(&mut self, span: Span, message: &str) -> Expr {
        self.diagnostics
            .push(Diagnostic::new(Code::Syntax, span, message));
        Expr {
            span,
            kind: ExprKind::Name(UNREADABLE.to_owned()),
        }
    }

    /// Reports a bad statement or clause: reads its text again with the rule that it should have followed. What stands
    /// before it on its line, from the byte `from` of the chunk, is read as a part of it.
    pub fn report_bad(&mut self, pair: &Pair<'_>, from: Option<usize>, rule: Rule) {
        if self.diagnostics.as_slice().len() >= MAX_FINDINGS {
            return;
        }
        let span = pair.as_span();
        let start = from.unwrap_or(span.start());
        let text = span
            .get_input()
            .get(start..span.end())
            .unwrap_or(span.as_str());
        let base = self.base + start;
        let error = Grammar::parse(rule, text).err();
        let behind = span.get_input().get(span.end()..).unwrap_or("");
        self.diagnostics
            .push(problems::bad(text, base, error.as_ref(), behind));
    }

    /// Splits the text of a notation into texts and holes.
    pub fn notation(&mut self, pair: &Pair<'_>) -> Notation {
        let name = self.name(pair);
        let start = name.span.start as usize + 1;
        let mut parts = Vec::new();
        let mut rest = name.text.as_str();
        let mut at = start;
        while let Some(open) = rest.find('{') {
            if open > 0 {
                parts.push(NotationPart::Text(rest[..open].to_owned()));
            }
            let Some(len) = rest[open..].find('}') else {
                let d = Diagnostic::new(
                    Code::BadNotation,
                    Span::new(at + open, at + rest.len()),
                    "a hole of the notation is never closed",
                )
                .here("`{` opens a hole")
                .help("write `}` behind the value");
                self.diagnostics.push(d);
                return Notation {
                    span: name.span,
                    parts,
                };
            };
            let inner = &rest[open + 1..open + len];
            parts.push(self.hole(inner, at + open + 1));
            at += open + len + 1;
            rest = &rest[open + len + 1..];
        }
        if !rest.is_empty() {
            parts.push(NotationPart::Text(rest.to_owned()));
        }
        Notation {
            span: name.span,
            parts,
        }
    }

    fn hole(&mut self, inner: &str, at: usize) -> NotationPart {
        let mut signs = inner.chars();
        if let (Some(quiet), Some(taking), None) = (signs.next(), signs.next(), signs.next())
            && !quiet.is_alphanumeric()
            && quiet != '('
        {
            return NotationPart::Capture(quiet.to_string(), taking.to_string());
        }
        let base = std::mem::replace(&mut self.base, at);
        let part = match Grammar::parse(Rule::hole, inner) {
            Ok(mut pairs) => {
                let expr = pairs.next().and_then(|p| p.into_inner().next());
                match expr {
                    Some(pair) => self.expr(pair),
                    None => self.missing(
                        Span::new(at, at + inner.len()),
                        "expected a value in the hole",
                    ),
                }
            }
            Err(e) => {
                let d = if inner.trim().is_empty() {
                    Diagnostic::new(
                        Code::BadNotation,
                        Span::new(at - 1, at + inner.len() + 1),
                        "a hole of the notation is empty",
                    )
                    .here("of what?")
                    .help("write a value between the braces, such as `{target}`")
                } else {
                    problems::diagnostic(&e, inner, at)
                };
                self.diagnostics.push(d);
                Expr {
                    span: Span::new(at, at + inner.len()),
                    kind: ExprKind::Name(UNREADABLE.to_owned()),
                }
            }
        };
        self.base = base;
        NotationPart::Hole(part)
    }
}
