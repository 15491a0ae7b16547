//! Pairs of pictures and trails into tree.

use crate::base::{Code, Diagnostic};
use crate::syntax::ast::{
    Bound, Count, Expr, ExprKind, Infix, Line, Square, Trail, TrailLength, TrailStep,
};
use crate::syntax::grammar::{Pair, Rule, child, has, kids, same_line};
use crate::syntax::tree::Builder;

impl Builder<'_> {
    /// `line D as d [ … ]`
    pub fn line(&mut self, pair: Pair<'_>) -> Line {
        let span = self.span(&pair);
        let ways = child(&pair, Rule::phrase).map(|p| self.expr(p));
        let way = child(&pair, Rule::name).map(|n| self.name(&n));
        let squares = child(&pair, Rule::picture)
            .map(|p| self.picture(p))
            .unwrap_or_default();
        Line {
            span,
            ways,
            way,
            squares,
        }
    }

    /// `[ … | … ]`
    pub fn picture(&mut self, pair: Pair<'_>) -> Vec<Square> {
        kids(pair).map(|square| self.square(square)).collect()
    }

    /// One square of a picture.
    pub fn square(&mut self, pair: Pair<'_>) -> Square {
        let span = self.span(&pair);
        let edge = has(&pair, Rule::edge);
        let whole = has(&pair, Rule::k_whole);
        let count = child(&pair, Rule::count).map(|c| self.count(c));
        let class = child(&pair, Rule::logic).map(|c| self.expr(c));
        let name = child(&pair, Rule::name).map(|n| self.name(&n));
        Square {
            span,
            edge,
            whole,
            count,
            class,
            name,
        }
    }

    /// How many cells a square stands for.
    pub fn count(&mut self, pair: Pair<'_>) -> Count {
        let span = self.span(&pair);
        let Some(inner) = kids(pair).next() else {
            return Count::Exactly(self.missing(span, "expected a count"));
        };
        if inner.as_rule() == Rule::count_range {
            let mut bounds = kids(inner)
                .map(|b| self.bound(b))
                .collect::<Vec<_>>()
                .into_iter();
            let least = bounds.next().unwrap_or(Expr {
                span,
                kind: ExprKind::Number(0),
            });
            Count::Range(least, bounds.next())
        } else {
            Count::Exactly(self.bound(inner))
        }
    }

    /// One end of a count: `n`, `3`, `n-1`, `(e)`.
    pub fn bound(&mut self, pair: Pair<'_>) -> Expr {
        let mut parts = kids(pair);
        let Some(first) = parts.next() else {
            return Expr {
                span: crate::base::Span::default(),
                kind: ExprKind::Number(0),
            };
        };
        let mut result = self.bound_atom(first);
        while let (Some(sign), Some(next)) = (parts.next(), parts.next()) {
            let op = if sign.as_str() == "-" {
                Infix::Subtract
            } else {
                Infix::Add
            };
            let right = self.bound_atom(next);
            let span = result.span.to(right.span);
            result = Expr {
                span,
                kind: ExprKind::Infix {
                    op,
                    left: Box::new(result),
                    right: Box::new(right),
                },
            };
        }
        result
    }

    /// A number, a letter or a value in brackets.
    pub fn bound_atom(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        match kids(pair).next() {
            Some(inner) => self.expr(inner),
            None => self.missing(span, "expected a count"),
        }
    }

    /// `trail { … }`
    pub fn trail(&mut self, pair: Pair<'_>) -> Trail {
        let span = self.span(&pair);
        let mut trail = Trail {
            span,
            start: None,
            steps: Vec::new(),
            between: None,
            finish: None,
            never: Vec::new(),
            length: None,
        };
        let mut before: Option<(usize, usize)> = None;
        for clause in kids(pair) {
            let Some(inner) = kids(clause).next() else {
                continue;
            };
            let clause_span = self.span(&inner);
            let s = inner.as_span();
            let place = Some((s.start(), s.start() + s.as_str().trim_end().len()));
            let before = std::mem::replace(&mut before, place);
            let twice = match inner.as_rule() {
                Rule::trail_start => trail.start.is_some(),
                Rule::trail_between => trail.between.is_some(),
                Rule::trail_finish => trail.finish.is_some(),
                Rule::trail_length => trail.length.is_some(),
                _ => false,
            };
            if twice {
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::RepeatedItem,
                        clause_span,
                        "this clause stands twice in the trail",
                    )
                    .here("again here"),
                );
            }
            let value = child(&inner, Rule::logic);
            let name = child(&inner, Rule::name).map(|n| self.name(&n));
            match inner.as_rule() {
                Rule::trail_start => trail.start = value.map(|v| (self.expr(v), name)),
                Rule::trail_between => trail.between = value.map(|v| self.expr(v)),
                Rule::trail_finish => trail.finish = value.map(|v| (self.expr(v), name)),
                Rule::trail_never => trail.never.extend(kids(inner).map(|w| self.name(&w))),
                Rule::trail_length => trail.length = Some(self.trail_length(inner)),
                Rule::trail_step => trail.steps.push(self.trail_step(inner)),
                _ => self.report_bad(
                    &inner,
                    before
                        .filter(|(_, end)| same_line(&inner, *end))
                        .map(|(start, _)| start),
                    Rule::trail_only,
                ),
            }
        }
        trail
    }

    /// `step D [ … ] "…" { … }`
    pub fn trail_step(&mut self, pair: Pair<'_>) -> TrailStep {
        let line = self.line(pair.clone());
        let notation = child(&pair, Rule::text).map(|t| self.notation(&t));
        let body = child(&pair, Rule::block).map(|b| self.block(b));
        TrailStep {
            line,
            notation,
            body,
        }
    }

    /// `length …`
    pub fn trail_length(&mut self, pair: Pair<'_>) -> TrailLength {
        let cells = has(&pair, Rule::k_cells);
        let Some(range) = child(&pair, Rule::length_range) else {
            return TrailLength::Full;
        };
        let open = has(&range, Rule::range_dots);
        let mut values = kids(range)
            .filter(|p| p.as_rule() == Rule::logic)
            .collect::<Vec<_>>()
            .into_iter();
        let least = match values.next() {
            Some(v) => self.expr(v),
            None => return TrailLength::Full,
        };
        let most = match (open, values.next()) {
            (false, _) => Bound::Same,
            (true, None) => Bound::Open,
            (true, Some(v)) => Bound::At(self.expr(v)),
        };
        TrailLength::Range { least, most, cells }
    }
}
