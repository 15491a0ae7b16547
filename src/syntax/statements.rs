//! Pairs of statements into tree. A statement that cannot be read is reported and left out.

use crate::base::Span;
use crate::syntax::advice::{begins_statement, second_on_line};
use crate::syntax::ast::{
    Alternative, Attempt, Block, Choices, Expr, Extreme, Name, Rounds, Statement, StatementKind,
};
use crate::syntax::grammar::{Pair, Rule, child, has, kids, same_line};
use crate::syntax::problems::token_at;
use crate::syntax::tree::Builder;

impl Builder<'_> {
    /// `{ … }`
    pub fn block(&mut self, pair: Pair<'_>) -> Block {
        let mut block = Block::default();
        // Where the statement before began and ended, in bytes of the chunk.
        let mut before: Option<(usize, usize)> = None;
        let mut told = false;
        for statement in kids(pair) {
            let s = statement.as_span();
            let text = s.as_str().trim_end();
            let place = (s.start(), s.start() + text.len());
            // What cannot be read behind a statement, on its line, spoils that statement.
            let spoilt = before
                .filter(|(_, end)| has(&statement, Rule::bad) && same_line(&statement, *end))
                .map(|(start, _)| start);
            if spoilt.is_some() {
                block.statements.pop();
            }
            let second = before.is_some_and(|(_, end)| same_line(&statement, end));
            let first = token_at(text, 0);
            if second && !told && !has(&statement, Rule::bad) && begins_statement(first) {
                let begin = self.base + s.start();
                let span = Span::new(begin, begin + first.len());
                self.diagnostics.push(second_on_line(first, span));
                told = true;
            }
            told &= second;
            before = (!text.ends_with(';')).then_some(place);
            if let Some(s) = self.statement(statement, spoilt) {
                block.statements.push(s);
            }
        }
        block
    }

    fn statement(&mut self, pair: Pair<'_>, from: Option<usize>) -> Option<Statement> {
        let inner = kids(pair).next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::choose => self.choose(inner)?,
            Rule::let_ => {
                let mut parts = kids(inner);
                let name = self.name(&parts.next()?);
                StatementKind::Let {
                    name,
                    value: self.expr(parts.next()?),
                }
            }
            Rule::require => {
                let test = self.expr(child(&inner, Rule::logic)?);
                let reason = child(&inner, Rule::text).map(|t| self.name(&t));
                StatementKind::Require { test, reason }
            }
            Rule::set => {
                let mut parts = kids(inner);
                let target = self.expr(parts.next()?);
                StatementKind::Set {
                    target,
                    value: self.expr(parts.next()?),
                }
            }
            Rule::if_ => self.if_(inner),
            Rule::for_each | Rule::for_any_order => self.for_each(inner)?,
            Rule::repeat => self.repeat(inner)?,
            Rule::play => StatementKind::Play(self.play(inner)),
            Rule::effect => self.effect(inner)?,
            _ => {
                self.report_bad(&inner, from, Rule::statement_only);
                return None;
            }
        };
        Some(Statement { span, kind })
    }

    fn choose(&mut self, pair: Pair<'_>) -> Option<StatementKind> {
        let mut parts = kids(pair);
        let name = self.name(&parts.next()?);
        let source = parts.next()?;
        let from = match source.as_rule() {
            Rule::number_range => {
                let mut ends = kids(source);
                let low = self.expr(ends.next()?);
                Choices::Range(low, self.expr(ends.next()?))
            }
            Rule::choice_list => Choices::List(kids(source).map(|n| self.name(&n)).collect()),
            _ => Choices::Set(self.expr(source)),
        };
        let filter = parts.next().map(|p| self.expr(p));
        Some(StatementKind::Choose { name, from, filter })
    }

    fn if_(&mut self, pair: Pair<'_>) -> StatementKind {
        let mut cases = Vec::new();
        let mut test: Option<Expr> = None;
        let mut otherwise = None;
        for part in kids(pair) {
            if part.as_rule() == Rule::block {
                let block = self.block(part);
                match test.take() {
                    Some(t) => cases.push((t, block)),
                    None => otherwise = Some(block),
                }
            } else {
                test = Some(self.expr(part));
            }
        }
        StatementKind::If { cases, otherwise }
    }

    fn for_each(&mut self, pair: Pair<'_>) -> Option<StatementKind> {
        let any_order = pair.as_rule() == Rule::for_any_order;
        let until = child(&pair, Rule::or_until).and_then(|u| self.until(u));
        let body = self.block(child(&pair, Rule::block)?);
        let mut parts = kids(pair);
        let name = self.name(&parts.next()?);
        let from = self.expr(parts.next()?);
        let filter = parts
            .next()
            .filter(|p| p.as_rule() == Rule::logic)
            .map(|p| self.expr(p));
        Some(if any_order {
            StatementKind::AnyOrder {
                name,
                from,
                filter,
                until,
                body,
            }
        } else {
            StatementKind::ForEach {
                name,
                from,
                filter,
                body,
            }
        })
    }

    fn until(&mut self, pair: Pair<'_>) -> Option<Name> {
        child(&pair, Rule::text).map(|t| self.name(&t))
    }

    fn repeat(&mut self, pair: Pair<'_>) -> Option<StatementKind> {
        let until = child(&pair, Rule::or_until).and_then(|u| self.until(u));
        let body_pair = kids(child(&pair, Rule::body)?).next()?;
        let body = if body_pair.as_rule() == Rule::block {
            self.block(body_pair)
        } else {
            let span = self.span(&body_pair);
            let alternatives = self.alternative(body_pair).into_iter().collect();
            let attempt = Attempt {
                span,
                alternatives,
                if_possible: false,
                preferring: None,
            };
            Block {
                statements: vec![Statement {
                    span,
                    kind: StatementKind::Play(vec![attempt]),
                }],
            }
        };
        let rounds = if let Some(test) = child(&pair, Rule::logic) {
            Rounds::While(self.expr(test))
        } else if let Some(times) = child(&pair, Rule::repeat_times) {
            let at_most = has(&times, Rule::at_most);
            let mut values = kids(times)
                .filter(|p| p.as_rule() == Rule::logic)
                .collect::<Vec<_>>()
                .into_iter();
            let first = self.expr(values.next()?);
            match values.next() {
                Some(most) => Rounds::Times {
                    least: Some(first),
                    most: self.expr(most),
                },
                None if at_most => Rounds::Times {
                    least: None,
                    most: first,
                },
                None => Rounds::Times {
                    least: Some(first.clone()),
                    most: first,
                },
            }
        } else {
            Rounds::Possible
        };
        Some(StatementKind::Repeat {
            rounds,
            body,
            until,
        })
    }

    /// `A or B preferring most e otherwise C`
    pub fn play(&mut self, pair: Pair<'_>) -> Vec<Attempt> {
        let own = self.attempt(pair.clone());
        let others = kids(pair)
            .filter(|p| p.as_rule() == Rule::otherwise)
            .map(|p| self.attempt(p));
        std::iter::once(own).chain(others).collect()
    }

    fn attempt(&mut self, pair: Pair<'_>) -> Attempt {
        let mut span = self.span(&pair);
        let mut alternatives = Vec::new();
        if let Some(list) = child(&pair, Rule::alternatives) {
            span = self.span(&list);
            alternatives.extend(kids(list).filter_map(|a| self.alternative(a)));
        }
        let preferring = child(&pair, Rule::preferring).and_then(|p| {
            let extreme = if has(&p, Rule::k_most) {
                Extreme::Most
            } else {
                Extreme::Least
            };
            Some((extreme, self.expr(child(&p, Rule::logic)?)))
        });
        Attempt {
            span,
            alternatives,
            if_possible: has(&pair, Rule::if_possible),
            preferring,
        }
    }

    fn alternative(&mut self, pair: Pair<'_>) -> Option<Alternative> {
        let inner = kids(pair).next()?;
        Some(match inner.as_rule() {
            Rule::block => Alternative::Block(self.block(inner)),
            Rule::line => Alternative::Line(self.line(inner)),
            Rule::trail => Alternative::Trail(Box::new(self.trail(inner))),
            Rule::pass => Alternative::Pass(self.span(&inner)),
            _ => {
                let name = self.name(&child(&inner, Rule::proper)?);
                let args = child(&inner, Rule::args)
                    .map(|a| self.args(a))
                    .unwrap_or_default();
                Alternative::Rule { name, args }
            }
        })
    }

    fn effect(&mut self, pair: Pair<'_>) -> Option<StatementKind> {
        let mut parts = kids(pair).peekable();
        let verb = self.name(&parts.next()?);
        let mut object = None;
        if parts.peek().is_some_and(|p| p.as_rule() == Rule::filtered) {
            object = parts.next().map(|p| self.expr(p));
        }
        let mut phrases = Vec::new();
        while let (Some(preposition), Some(value)) = (parts.next(), parts.next()) {
            phrases.push((self.name(&preposition), self.expr(value)));
        }
        Some(StatementKind::Effect {
            verb,
            object,
            phrases,
        })
    }
}
