//! Notations: what actions are written as, with the names that can be seen where they stand. What could not be read back from a
//! record is refused.

use crate::base::{Code, Diagnostic, Span};
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::program::{Cells, Life, Part, Template, TemplateId, Value, VarType};
use crate::syntax::ast::{Expr, Name, Notation, NotationPart};

/// The most bytes of what stands between two holes of a notation.
const MOST_BYTES: usize = 200;

impl Resolver<'_> {
    /// The parts of a notation, with the names that can be seen now.
    pub fn notation_parts(&mut self, notation: &Notation) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        self.readable(notation);
        for part in &notation.parts {
            parts.push(match part {
                NotationPart::Text(t) => Part::Text(t.clone()),
                NotationPart::Capture(quiet, taking) => {
                    Part::Capture(quiet.clone(), taking.clone())
                }
                NotationPart::Hole(e) => self.hole(e)?,
            });
        }
        Some(parts)
    }

    fn hole(&mut self, e: &Expr) -> Option<Part> {
        let term = self.term(e)?;
        Some(match term {
            Term::Value(Value::Run(v)) => Part::Hole(Value::Cells(Cells::Run(v))),
            Term::Value(Value::Truth(_) | Value::Dirs(_) | Value::Groups(_))
            | Term::Top(_)
            | Term::Players => {
                return self.fail(
                    Diagnostic::new(
                        Code::BadNotation,
                        e.span,
                        format!("{} cannot be written in a notation", term.type_name()),
                    )
                    .here("not a cell, number, kind, player or direction"),
                );
            }
            Term::Choice(c) => Part::Text(c.text()),
            Term::Value(value) => Part::Hole(value),
        })
    }

    /// Complains about texts of a notation that records could not tell from what stands around actions.
    fn readable(&mut self, notation: &Notation) {
        for (at, part) in notation.parts.iter().enumerate() {
            let texts: &[&String] = match part {
                NotationPart::Text(text) => &[text],
                NotationPart::Capture(quiet, taking) => &[quiet, taking],
                NotationPart::Hole(_) => &[],
            };
            for text in texts {
                self.readable_text(text, at == 0, notation.span);
            }
        }
    }

    fn readable_text(&mut self, text: &str, first: bool, span: Span) {
        if text.len() > MOST_BYTES {
            let message = format!("a notation has {} bytes in a row", text.len());
            let d = Diagnostic::new(Code::TooLong, span, message).here("nobody could read it");
            return self.report(d.help(format!(
                "write what an action is in {MOST_BYTES} bytes or less"
            )));
        }
        let wrong = |(at, c): (usize, char)| match c {
            ';' => Some(("`;`", "in a record a comment begins with it")),
            '[' if first && at == 0 => {
                Some(("`[` at the beginning", "in a record it begins a tag"))
            }
            '}' => Some(("`}`", "in a record it ends a comment")),
            c if c.is_whitespace() => Some(("a space", "it separates one action from the next")),
            _ => None,
        };
        let Some((what, why)) = text.char_indices().find_map(wrong) else {
            return;
        };
        let text = format!("{what} cannot stand in a notation");
        let d = Diagnostic::new(Code::BadNotation, span, text).here(why);
        self.report(d.help("write another sign, such as `-` or `,`"));
    }

    /// A notation that is only a text.
    pub fn plain_template(&mut self, text: &Name) -> TemplateId {
        if text.text.is_empty() {
            let d = Diagnostic::new(Code::BadNotation, text.span, "an action without a name");
            self.report(
                d.here("it would be written as nothing")
                    .help("write what players say, such as `\"stop\"`"),
            );
        }
        self.readable_text(&text.text, true, text.span);
        let mark = self.new_var("text", VarType::Number, Life::Local);
        self.new_template(Template {
            name: text.text.clone(),
            parts: vec![Part::Text(text.text.clone())],
            mark,
            span: text.span,
        })
    }
}
