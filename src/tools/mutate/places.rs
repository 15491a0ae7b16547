//! Where a text can be changed: its tree in, all small changes out, in the order of their places. Whether a changed text
//! still is a game is not known here.

use crate::base::Span;
use crate::syntax::ast::{
    Attempt, EndClause, Expr, ExprKind, File, Item, Statement, StatementKind,
};
use crate::syntax::visit::{Node, visit};
use crate::tools::mutate::{Mutant, words};

/// All small changes of the rules in a text, in the order of their places.
#[must_use]
pub fn mutants(text: &str, file: &File) -> Vec<Mutant> {
    let mut places = Places {
        text,
        found: Vec::new(),
    };
    for item in &file.items {
        visit(item, &mut |node| match node {
            Node::Statement(statement) => places.statement(statement),
            Node::Play(attempts) => places.play(attempts),
            Node::Square(square) if square.whole => {
                places.word(square.span.start, square.span.end, "whole", "");
            }
            Node::Square(_) => {}
            Node::Expr(expr) => places.expr(expr),
            Node::End(clauses) => places.end(item, clauses),
        });
    }
    let mut found = places.found;
    found.sort();
    found.dedup();
    found
}

struct Places<'t> {
    text: &'t str,
    found: Vec<Mutant>,
}

impl Places<'_> {
    fn change(&mut self, span: Span, new: &str) {
        let old = self.text.get(span.range()).unwrap_or_default();
        if !old.is_empty() && old != new {
            self.found.push(Mutant {
                span,
                old: old.to_owned(),
                new: new.to_owned(),
            });
        }
    }

    /// Writes something else for the first place of a word between two bytes.
    fn word(&mut self, from: u32, to: u32, old: &str, new: &str) {
        if let Some(span) = words::first_place(self.text, from, to, old) {
            self.change(span, new);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let gone = matches!(
            statement.kind,
            StatementKind::Require { .. }
                | StatementKind::Effect { .. }
                | StatementKind::Set { .. }
        );
        if gone {
            self.leave_out(statement.span);
        }
    }

    /// Leaves a statement or clause out, with the `;` behind it.
    fn leave_out(&mut self, span: Span) {
        let rest = self.text.get(span.end as usize..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let sign = rest.trim_start().starts_with(';');
        let end = span.end as usize + if sign { blank + 1 } else { 0 };
        self.change(Span::new(span.start as usize, end), "");
    }

    fn play(&mut self, attempts: &[Attempt]) {
        let rest = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        for (at, attempt) in attempts.iter().enumerate() {
            // What goes for all alternatives stands behind them.
            let start = attempt.span.end;
            let next = attempts.get(at + 1).map(|other| other.span.start);
            if let Some(next) = next {
                self.word(start, next, "otherwise", "or");
            }
            if let Some((extreme, key)) = &attempt.preferring {
                let (old, new) = words::extreme(*extreme);
                self.word(start, key.span.start, old, new);
                let word = words::first_place(self.text, start, key.span.start, "preferring");
                if let Some(word) = word {
                    self.change(word.to(key.span), "");
                }
            }
            if attempt.if_possible {
                let place = |word| words::first_place(self.text, start, next.unwrap_or(rest), word);
                if let (Some(first), Some(last)) = (place("if"), place("possible")) {
                    self.change(first.to(last), "");
                }
            }
        }
    }

    fn end(&mut self, item: &Item, clauses: &[EndClause]) {
        for clause in clauses {
            // An end without clauses is none.
            let span = if clauses.len() == 1 {
                item.span
            } else {
                clause.span
            };
            self.leave_out(span);
            if let Some((old, new)) = words::result(&clause.result) {
                let start = clause.span.start;
                self.word(start, start + 4, old, new);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(n) => {
                for other in [n - 1, n + 1] {
                    if other >= 0 {
                        self.word(span.start, span.end, &n.to_string(), &other.to_string());
                    }
                }
            }
            ExprKind::Name(name) => {
                for other in words::siblings(name) {
                    self.word(span.start, span.end, name, other);
                }
            }
            ExprKind::Call { name, .. } => {
                for other in words::siblings(&name.text) {
                    // `directions` takes no player.
                    if *other != "directions" {
                        self.word(name.span.start, name.span.end, &name.text, other);
                    }
                }
            }
            ExprKind::Infix { op, left, right } => {
                // `not in` is two words; the first is left out.
                let (old, cut) = match op.text().split_once(' ') {
                    Some((first, _)) => (first, true),
                    None => (op.text(), false),
                };
                for other in words::infix(*op) {
                    let new = if cut { "" } else { other };
                    self.word(left.span.end, right.span.start, old, new);
                }
            }
            ExprKind::Prefix { op, value } => {
                for other in words::prefix(*op) {
                    self.word(span.start, value.span.start, op.text(), other);
                }
            }
            ExprKind::With { set, extreme, key } => {
                let (old, new) = words::extreme(*extreme);
                self.word(set.span.end, key.span.start, old, new);
            }
            ExprKind::Text(_)
            | ExprKind::Together(_)
            | ExprKind::Where { .. }
            | ExprKind::If { .. }
            | ExprKind::Seen { .. }
            | ExprKind::Line(_)
            | ExprKind::Trail(_)
            | ExprKind::From { .. }
            | ExprKind::Can { .. } => {}
        }
    }
}
