//! Pairs of expressions, pictures and trails into tree. Checks only what bounds the size of the tree.

use crate::base::{Code, Diagnostic};
use crate::syntax::ast::{Argument, Expr, ExprKind, Extreme, Infix, Prefix, UNREADABLE};
use crate::syntax::grammar::{Pair, Rule, child, has, kids};
use crate::syntax::tree::Builder;
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

/// More operators than this in one expression are refused.
const MAX_OPERATORS: usize = 60;

/// More filters than this behind one set are refused.
const MAX_FILTERS: usize = 8;

/// Loosest first.
static PRATT: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    PrattParser::new()
        .op(left(Rule::op_or))
        .op(left(Rule::op_and))
        .op(Op::prefix(Rule::op_not))
        .op(Op::prefix(Rule::op_some) | Op::prefix(Rule::op_no) | Op::prefix(Rule::op_all))
        .op(left(Rule::op_eq)
            | left(Rule::op_ne)
            | left(Rule::op_lt)
            | left(Rule::op_le)
            | left(Rule::op_gt)
            | left(Rule::op_ge)
            | left(Rule::op_in)
            | left(Rule::op_notin))
        .op(left(Rule::op_except))
        .op(left(Rule::op_add) | left(Rule::op_sub))
        .op(left(Rule::op_mul) | left(Rule::op_div) | left(Rule::op_mod))
        .op(Op::prefix(Rule::op_minus))
});

fn infix(rule: Rule) -> Infix {
    match rule {
        Rule::op_or => Infix::Or,
        Rule::op_and => Infix::And,
        Rule::op_except => Infix::Except,
        Rule::op_in => Infix::In,
        Rule::op_notin => Infix::NotIn,
        Rule::op_ne => Infix::NotEqual,
        Rule::op_lt => Infix::Less,
        Rule::op_le => Infix::AtMost,
        Rule::op_gt => Infix::More,
        Rule::op_ge => Infix::AtLeast,
        Rule::op_add => Infix::Add,
        Rule::op_sub => Infix::Subtract,
        Rule::op_mul => Infix::Multiply,
        Rule::op_div => Infix::Divide,
        Rule::op_mod => Infix::Remainder,
        _ => Infix::Equal,
    }
}

fn prefix(rule: Rule) -> Prefix {
    match rule {
        Rule::op_some => Prefix::Some,
        Rule::op_no => Prefix::No,
        Rule::op_all => Prefix::All,
        Rule::op_minus => Prefix::Minus,
        _ => Prefix::Not,
    }
}

impl Builder<'_> {
    /// Any expression: of the grammar's `expr`, or of one of the rules below it.
    #[allow(clippy::too_many_lines, reason = "one arm a rule of the grammar")]
    pub fn expr(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::expr | Rule::operand | Rule::argument => match kids(pair).next() {
                Some(inner) => self.expr(inner),
                None => self.missing(span, "expected a value"),
            },
            Rule::conditional => self.conditional(pair),
            Rule::filtered => self.filtered(pair),
            Rule::logic => self.logic(pair),
            Rule::seen => {
                let mut parts = kids(pair);
                let set = match parts.next() {
                    Some(p) => self.expr(p),
                    None => return self.missing(span, "expected a value"),
                };
                match parts.next() {
                    Some(rule) if rule.as_rule() == Rule::rule_ref => Expr {
                        span,
                        kind: ExprKind::Can {
                            player: Some(Box::new(set)),
                            rule: self.name(&rule),
                        },
                    },
                    Some(by) => {
                        let player = Box::new(self.expr(by));
                        Expr {
                            span,
                            kind: ExprKind::Seen {
                                set: Box::new(set),
                                player,
                            },
                        }
                    }
                    None => set,
                }
            }
            Rule::phrase => {
                let mut parts: Vec<Expr> = kids(pair).map(|p| self.expr(p)).collect();
                if parts.len() > MAX_OPERATORS {
                    return self.too_long(span);
                }
                match parts.len() {
                    1 => parts.remove(0),
                    _ => Expr {
                        span,
                        kind: ExprKind::Together(parts),
                    },
                }
            }
            Rule::chain => self.chain(pair),
            Rule::atom => match kids(pair).next() {
                // The brackets belong to the place, so that what is written instead takes theirs.
                Some(inner) if inner.as_rule() == Rule::expr => Expr {
                    span,
                    ..self.expr(inner)
                },
                Some(inner) => self.expr(inner),
                None => self.missing(span, "expected a value"),
            },
            Rule::number => {
                let n = self.number(&pair);
                Expr {
                    span,
                    kind: ExprKind::Number(n),
                }
            }
            Rule::text => Expr {
                span,
                kind: ExprKind::Text(self.name(&pair).text),
            },
            Rule::call => {
                let name = match child(&pair, Rule::name) {
                    Some(n) => self.name(&n),
                    None => self.name(&pair),
                };
                let args = child(&pair, Rule::args)
                    .map(|a| self.args(a))
                    .unwrap_or_default();
                Expr {
                    span,
                    kind: ExprKind::Call { name, args },
                }
            }
            Rule::can => {
                let rule = match child(&pair, Rule::rule_ref) {
                    Some(r) => self.name(&r),
                    None => self.name(&pair),
                };
                Expr {
                    span,
                    kind: ExprKind::Can { player: None, rule },
                }
            }
            Rule::picture_set => {
                let name = child(&pair, Rule::name).map(|n| self.name(&n));
                let line = child(&pair, Rule::line).map(|l| self.line(l));
                match (name, line) {
                    (Some(name), Some(line)) => Expr {
                        span,
                        kind: ExprKind::From {
                            name,
                            line: Box::new(line),
                        },
                    },
                    _ => self.missing(span, "expected a picture"),
                }
            }
            Rule::line_test => match kids(pair).next() {
                Some(l) => Expr {
                    span,
                    kind: ExprKind::Line(Box::new(self.line(l))),
                },
                None => self.missing(span, "expected a picture"),
            },
            Rule::trail_test => match kids(pair).next() {
                Some(t) => Expr {
                    span,
                    kind: ExprKind::Trail(Box::new(self.trail(t))),
                },
                None => self.missing(span, "expected a trail"),
            },
            Rule::truth_no => Expr {
                span,
                kind: ExprKind::Name("no".to_owned()),
            },
            _ => Expr {
                span,
                kind: ExprKind::Name(pair.as_str().trim_end().to_owned()),
            },
        }
    }

    fn too_long(&mut self, span: crate::base::Span) -> Expr {
        self.diagnostics.push(
            Diagnostic::new(Code::TooLong, span, "the expression is too long")
                .here(format!("it joins more than {MAX_OPERATORS} values"))
                .help("give parts of it names with `define`"),
        );
        Expr {
            span,
            kind: ExprKind::Name(UNREADABLE.to_owned()),
        }
    }

    fn conditional(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let mut parts: Vec<Expr> = kids(pair).map(|p| self.expr(p)).collect();
        if parts.len() > MAX_OPERATORS {
            return self.too_long(span);
        }
        let Some(mut result) = parts.pop() else {
            return self.missing(span, "expected a value");
        };
        while let (Some(yes), Some(test)) = (parts.pop(), parts.pop()) {
            let kind = ExprKind::If {
                test: Box::new(test),
                yes: Box::new(yes),
                no: Box::new(result),
            };
            result = Expr { span, kind };
        }
        result
    }

    fn filtered(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let mut parts = kids(pair);
        let Some(first) = parts.next() else {
            return self.missing(span, "expected a value");
        };
        let mut result = self.expr(first);
        let filters: Vec<Pair<'_>> = parts.collect();
        if filters.len() > MAX_FILTERS {
            self.diagnostics.push(
                Diagnostic::new(Code::TooLong, span, "the expression is too long")
                    .here(format!("it has more than {MAX_FILTERS} filters"))
                    .help("join conditions by `and`, or give parts of it names with `define`"),
            );
            return Expr {
                span,
                kind: ExprKind::Name(UNREADABLE.to_owned()),
            };
        }
        for filter in filters {
            let extreme = if has(&filter, Rule::k_most) {
                Extreme::Most
            } else {
                Extreme::Least
            };
            let most = filter.as_rule() == Rule::filter_most;
            let Some(inner) = kids(filter).next() else {
                continue;
            };
            let value = Box::new(self.expr(inner));
            let set = Box::new(result);
            let kind = if most {
                ExprKind::With {
                    set,
                    extreme,
                    key: value,
                }
            } else {
                ExprKind::Where { set, test: value }
            };
            result = Expr { span, kind };
        }
        result
    }

    fn logic(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let parts: Vec<Pair<'_>> = kids(pair).collect();
        if parts
            .iter()
            .filter(|p| p.as_rule() != Rule::operand)
            .count()
            > MAX_OPERATORS
        {
            return self.too_long(span);
        }
        let base = self.base;
        let builder = std::cell::RefCell::new(self);
        PRATT
            .map_primary(|p| builder.borrow_mut().expr(p))
            .map_prefix(|op, value| {
                let span = crate::syntax::grammar::span(&op, base).to(value.span);
                Expr {
                    span,
                    kind: ExprKind::Prefix {
                        op: prefix(op.as_rule()),
                        value: Box::new(value),
                    },
                }
            })
            .map_infix(|left, op, right| {
                let span = left.span.to(right.span);
                Expr {
                    span,
                    kind: ExprKind::Infix {
                        op: infix(op.as_rule()),
                        left: Box::new(left),
                        right: Box::new(right),
                    },
                }
            })
            .parse(parts.into_iter())
    }

    fn chain(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let mut parts: Vec<Expr> = kids(pair).map(|p| self.expr(p)).collect();
        if parts.len() > MAX_OPERATORS {
            return self.too_long(span);
        }
        let Some(mut result) = parts.pop() else {
            return self.missing(span, "expected a value");
        };
        while let Some(function) = parts.pop() {
            let span = function.span.to(result.span);
            let argument = Argument {
                value: result,
                to: None,
            };
            let kind = match function.kind {
                ExprKind::Name(text) => ExprKind::Call {
                    name: crate::syntax::ast::Name {
                        text,
                        span: function.span,
                    },
                    args: vec![argument],
                },
                ExprKind::Call { name, mut args } => {
                    args.push(argument);
                    ExprKind::Call { name, args }
                }
                _ => {
                    self.diagnostics.push(
                        Diagnostic::new(Code::Syntax, function.span, "expected a word before `of`")
                            .here("this takes no `of`"),
                    );
                    argument.value.kind
                }
            };
            result = Expr { span, kind };
        }
        result
    }

    /// The values between the brackets of a word or rule.
    pub fn args(&mut self, pair: Pair<'_>) -> Vec<Argument> {
        kids(pair)
            .map(|a| {
                let span = self.span(&a);
                let mut parts = kids(a);
                let value = match parts.next() {
                    Some(p) => self.expr(p),
                    None => self.missing(span, "expected a value"),
                };
                Argument {
                    value,
                    to: parts.next().map(|p| self.expr(p)),
                }
            })
            .collect()
    }
}
