//! Builds the tree of what variants say of their base, and of examples. Positions and actions stay texts.

use crate::syntax::ast::{
    Example, ExampleKind, ExampleLine, ExampleOutcome, ExampleResult, ItemKind, Name, Place,
    Target, TargetKind,
};
use crate::syntax::grammar::{Pair, Rule, child, has, kids, same_line};
use crate::syntax::tree::Builder;

impl Builder<'_> {
    /// `remove …`
    pub fn removal(&mut self, pair: &Pair<'_>) -> Option<ItemKind> {
        let name = |b: &Self, rule| child(pair, rule).map(|n| b.name(&n));
        let kind = if has(pair, Rule::k_option) {
            TargetKind::Option(name(self, Rule::name)?)
        } else if has(pair, Rule::k_require) {
            TargetKind::Require(name(self, Rule::text)?)
        } else if has(pair, Rule::k_piece) {
            TargetKind::Piece(name(self, Rule::name)?)
        } else if has(pair, Rule::k_keep) {
            TargetKind::Keep(name(self, Rule::name)?)
        } else if has(pair, Rule::k_mark) {
            TargetKind::Mark(name(self, Rule::name)?)
        } else if has(pair, Rule::k_define) {
            TargetKind::Define {
                name: name(self, Rule::name)?,
                of: name(self, Rule::proper),
            }
        } else if has(pair, Rule::k_setup) {
            TargetKind::Setup
        } else if has(pair, Rule::k_rule) {
            TargetKind::Rule(name(self, Rule::proper)?)
        } else if has(pair, Rule::k_turn) {
            TargetKind::Turn(name(self, Rule::name))
        } else {
            TargetKind::End(name(self, Rule::text)?)
        };
        Some(ItemKind::Remove(Target {
            span: self.span(pair),
            kind,
        }))
    }

    /// `example …`
    pub fn example(&mut self, pair: &Pair<'_>) -> Option<Example> {
        let title = self.name(&child(pair, Rule::text)?);
        let mut settings = Vec::new();
        let mut lines = Vec::new();
        let mut before = None;
        for part in kids(pair.clone()) {
            match part.as_rule() {
                Rule::setting => settings.push((
                    self.name(&child(&part, Rule::name)?),
                    self.name(&child(&part, Rule::option_value)?),
                )),
                Rule::example_line => {
                    let s = part.as_span();
                    before = Some((s.start() + s.as_str().trim_end().len(), s.start()));
                    lines.extend(self.example_line(&part));
                }
                Rule::bad => self.report_bad(
                    &part,
                    before
                        .filter(|(end, _)| same_line(&part, *end))
                        .map(|(_, start)| start),
                    Rule::example_only,
                ),
                _ => {}
            }
        }
        Some(Example {
            title,
            settings,
            lines,
        })
    }

    fn example_line(&mut self, pair: &Pair<'_>) -> Option<ExampleLine> {
        let span = self.span(pair);
        let inner = kids(pair.clone()).next()?;
        let kind = match inner.as_rule() {
            Rule::at_position => ExampleKind::Position(self.place(&inner)?),
            Rule::plays => ExampleKind::Play(self.actions(&inner)),
            Rule::legal => ExampleKind::Legal {
                only: has(&inner, Rule::k_only) || has(&inner, Rule::k_none),
                actions: self.actions(&inner),
            },
            Rule::illegal => ExampleKind::Illegal {
                actions: self.actions(&inner),
                because: child(&inner, Rule::text).map(|t| self.name(&t)),
            },
            Rule::becomes => ExampleKind::Becomes(self.place(&inner)?),
            _ => ExampleKind::Outcome(self.outcome(&inner)),
        };
        Some(ExampleLine { span, kind })
    }

    fn actions(&self, pair: &Pair<'_>) -> Vec<Name> {
        kids(pair.clone())
            .filter(|p| p.as_rule() == Rule::action)
            .map(|a| self.name(&a))
            .collect()
    }

    fn place(&self, pair: &Pair<'_>) -> Option<Place> {
        let place = child(pair, Rule::place)?;
        let text = child(&place, Rule::text).map(|t| self.name(&t));
        match child(&place, Rule::drawn_rows) {
            Some(rows) => Some(Place::Drawn {
                rows: self.name(&rows),
                rest: text,
            }),
            None => text.map(Place::Line),
        }
    }

    fn outcome(&mut self, pair: &Pair<'_>) -> ExampleOutcome {
        let who = child(pair, Rule::proper).map(|p| self.name(&p));
        let result = match who {
            Some(who) if has(pair, Rule::k_wins) => ExampleResult::Wins(who),
            Some(who) => ExampleResult::Loses(who),
            None if has(pair, Rule::k_draw) => ExampleResult::Draw,
            None => ExampleResult::None,
        };
        let numbers: Vec<_> = kids(pair.clone())
            .filter(|p| p.as_rule() == Rule::points)
            .collect();
        ExampleOutcome {
            result,
            by: child(pair, Rule::text).map(|t| self.name(&t)),
            scores: numbers.iter().map(|n| self.number(n)).collect(),
        }
    }
}
