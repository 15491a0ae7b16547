//! Operators: what each means by the types of its sides, and what to say when they do not fit.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::{Term, cells, truth};
use crate::model::options::Choice;
use crate::model::resolver::Resolver;
use crate::program::{Cells, Compare, Dirs, Num, Truth, Value};
use crate::syntax::ast::{Expr, ExprKind, Infix, Prefix};

impl Resolver<'_> {
    /// `left op right`
    pub fn infix(&mut self, op: Infix, left: &Expr, right: &Expr, span: Span) -> Option<Term> {
        match op {
            Infix::Or | Infix::And => self.junction(op, left, right, span),
            Infix::Except => {
                let (a, b) = (self.term(left)?, self.term(right)?);
                if let (Some(a), Some(b)) = (a.as_dirs(), b.as_dirs()) {
                    return Some(Term::Value(Value::Dirs(Dirs::without(a, b))));
                }
                let a = self.need_cells(&a, left.span)?;
                Some(cells(Cells::without(a, self.need_cells(&b, right.span)?)))
            }
            Infix::In | Infix::NotIn => self.membership(op == Infix::NotIn, left, right),
            Infix::Equal | Infix::NotEqual => {
                let same = self.equality(left, right, span)?;
                Some(truth(if op == Infix::Equal {
                    same
                } else {
                    Truth::not(same)
                }))
            }
            Infix::Less | Infix::AtMost | Infix::More | Infix::AtLeast => {
                let how = match op {
                    Infix::Less => Compare::Less,
                    Infix::AtMost => Compare::AtMost,
                    Infix::More => Compare::More,
                    _ => Compare::AtLeast,
                };
                let a = self.counted(left)?;
                Some(truth(Truth::compare(how, a, self.counted(right)?)))
            }
            Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide | Infix::Remainder => {
                let sign = match op {
                    Infix::Add => '+',
                    Infix::Subtract => '-',
                    Infix::Multiply => '*',
                    Infix::Divide => '/',
                    _ => '%',
                };
                let a = self.number(left)?;
                Some(Term::Value(Value::Num(Num::arithmetic(
                    sign,
                    a,
                    self.number(right)?,
                ))))
            }
        }
    }

    /// A number to be compared; `count of own in home > 2` is told about its brackets.
    fn counted(&mut self, e: &Expr) -> Option<Num> {
        if let ExprKind::Infix {
            op: Infix::In,
            left,
            right,
        } = &e.kind
            && let ExprKind::Call { name, args } = &left.kind
            && name.text == "count"
            && args.len() == 1
        {
            let inner = args.first()?.value.clone();
            return self.brackets_for_count(&inner, right, e.span);
        }
        self.number(e)
    }

    fn brackets_for_count<T>(&mut self, inner: &Expr, region: &Expr, span: Span) -> Option<T> {
        let text = |e: &Expr| crate::model::written::source_of(e);
        let repair = format!("count({} in {})", text(inner), text(region));
        self.fail(
            Diagnostic::new(
                Code::SetOrTruth,
                span,
                "`of` takes only what stands next to it",
            )
            .here("a number in a set of cells?")
            .help("put what is counted in brackets")
            .repair(repair),
        )
    }

    /// `a or b`, `a and b`: of truths, of sets of cells, of sets of directions.
    fn junction(&mut self, op: Infix, left: &Expr, right: &Expr, span: Span) -> Option<Term> {
        let or = op == Infix::Or;
        let a = self.term(left);
        // What options rule out need not make sense under them.
        if let Some(Truth::Const(b)) = a.as_ref().and_then(Term::as_truth)
            && b == or
        {
            self.dead(|r| r.truth(right));
            return Some(truth(Truth::Const(b)));
        }
        let b = self.term(right);
        let (a, b) = (a?, b?);
        if let (Some(x), Some(y)) = (a.as_truth(), b.as_truth()) {
            return Some(truth(if or {
                Truth::or(x, y)
            } else {
                Truth::and(x, y)
            }));
        }
        if let (Some(x), Some(y)) = (a.as_dirs(), b.as_dirs()) {
            return Some(Term::Value(Value::Dirs(if or {
                Dirs::or(x, y)
            } else {
                Dirs::and(x, y)
            })));
        }
        if let (Some(x), Some(y)) = (a.as_cells(), b.as_cells()) {
            if or {
                self.lint_in_before_or(left, right, span);
                self.lint_or_begins_anew(left, right, span);
            }
            return Some(cells(if or {
                Cells::or(x, y)
            } else {
                Cells::and(x, y)
            }));
        }
        self.mixed(op, (left, &a), (right, &b), span)
    }

    /// Warns where the set behind `in` seems to go on behind `or`, without brackets.
    fn lint_in_before_or(&mut self, left: &Expr, right: &Expr, span: Span) {
        let ExprKind::Infix {
            op: inner @ (Infix::In | Infix::NotIn),
            left: first,
            right: second,
        } = &left.kind
        else {
            return;
        };
        // Brackets belong to the place.
        if left.span.start < first.span.start {
            return;
        }
        let text = crate::model::written::source_of;
        let (read, word) = (text(left), inner.text());
        let meant = format!(
            "{} {word} ({} or {})",
            text(first),
            text(second),
            text(right)
        );
        let d = Diagnostic::new(
            Code::InBeforeOr,
            span,
            format!(
                "`{word}` is read before `or`: these are `({read}) or {}`",
                text(right)
            ),
        );
        let d = d.here("all of what stands behind `or` belongs to it");
        self.report(
            d.help("put what belongs together in brackets")
                .repair(meant),
        );
    }

    fn mixed(
        &mut self,
        op: Infix,
        left: (&Expr, &Term),
        right: (&Expr, &Term),
        span: Span,
    ) -> Option<Term> {
        let word = op.text();
        let text = |e: &Expr| crate::model::written::source_of(e);
        let d = Diagnostic::new(
            Code::SetOrTruth,
            span,
            format!(
                "`{word}` joins two truths or two sets, here {} and {}",
                left.1.type_name(),
                right.1.type_name()
            ),
        );
        let d = d.here(format!(
            "{} {word} {}",
            left.1.type_name(),
            right.1.type_name()
        ));
        if let ExprKind::Infix {
            op: inner @ (Infix::In | Infix::NotIn),
            left: member,
            right: first,
        } = &left.0.kind
            && right.1.as_cells().is_some()
        {
            // Brackets that were there are not in the tree.
            let part = |e: &Expr| match e.kind {
                ExprKind::Infix { .. } => format!("({})", text(e)),
                _ => text(e),
            };
            let repair = format!(
                "{} {} ({} {word} {})",
                text(member),
                inner.text(),
                part(first),
                part(right.0)
            );
            return self.fail(d.help("put the set in brackets").repair(repair));
        }
        if let ExprKind::Infix {
            op: Infix::Equal,
            left: member,
            right: first,
        } = &left.0.kind
            && let Some(term) = self.term(first)
            && term.type_name() == right.1.type_name()
        {
            let repair = format!(
                "{0} = {1} {word} {0} = {2}",
                text(member),
                text(first),
                text(right.0)
            );
            return self.fail(d.help("compare with each value").repair(repair));
        }
        let is_set = |term: &Term| term.as_cells().is_some();
        if let ExprKind::Prefix { op: asked, value } = &left.0.kind
            && let asks @ ("some" | "no" | "all") = asked.text()
            && is_set(right.1)
        {
            let repair = match &value.kind {
                ExprKind::Infix {
                    op: inner @ (Infix::In | Infix::NotIn),
                    left: part,
                    right: of,
                } => {
                    let all = format!("({} {word} {})", text(of), text(right.0));
                    format!("{asks} {} {} {all}", text(part), inner.text())
                }
                _ => format!("{asks} ({} {word} {})", text(value), text(right.0)),
            };
            let why = format!(
                "`{asks}` is read before `{word}`: put the set that it asks about in brackets"
            );
            return self.fail(d.help(why).repair(repair));
        }
        self.fail(if is_set(left.1) || is_set(right.1) {
            d.help("to ask whether a set has members, write `some …` before it")
        } else {
            d.help("compare what is no truth: `… = …`")
        })
    }

    /// `x in S`, `A in S`
    fn membership(&mut self, negated: bool, left: &Expr, right: &Expr) -> Option<Term> {
        let (a, b) = (self.term(left)?, self.term(right)?);
        if let (Term::Value(Value::Dir(d)), Some(set)) = (&a, b.as_dirs()) {
            let t = Truth::ContainsDir(Box::new(d.clone()), Box::new(set));
            return Some(truth(if negated { Truth::not(t) } else { t }));
        }
        if let (Some(x), Some(y)) = (a.as_dirs(), b.as_dirs()) {
            return Some(Term::Value(Value::Dirs(if negated {
                Dirs::without(x, y)
            } else {
                Dirs::and(x, y)
            })));
        }
        if matches!(a, Term::Value(Value::Num(_)))
            && let ExprKind::Call { name, args } = &left.kind
            && let ([arg], "count") = (args.as_slice(), name.text.as_str())
        {
            return self.brackets_for_count(&arg.value, right, left.span.to(right.span));
        }
        let set = self.need_cells(&b, right.span)?;
        if let Term::Value(Value::Cell(c)) = &a {
            let t = Truth::Contains(Box::new(c.clone()), Box::new(set));
            return Some(truth(if negated { Truth::not(t) } else { t }));
        }
        let part = self.need_cells(&a, left.span)?;
        Some(cells(if negated {
            Cells::without(part, set)
        } else {
            Cells::and(part, set)
        }))
    }

    /// `a = b`
    fn equality(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<Truth> {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(choice) = self.option_named(one) {
                return self.same_choice(&choice, other);
            }
        }
        let (a, b) = (self.term(left)?, self.term(right)?);
        if let (Term::Value(x), Term::Value(y)) = (&a, &b) {
            let same = match (x, y) {
                (Value::Num(x), Value::Num(y)) => {
                    Some(Truth::compare(Compare::Equal, x.clone(), y.clone()))
                }
                (Value::Player(x), Value::Player(y)) => {
                    Some(Truth::SamePlayer(Box::new(x.clone()), Box::new(y.clone())))
                }
                (Value::Kind(x), Value::Kind(y)) => {
                    Some(Truth::SameKind(Box::new(x.clone()), Box::new(y.clone())))
                }
                (Value::Cell(x), Value::Cell(y)) => {
                    Some(Truth::SameCell(Box::new(x.clone()), Box::new(y.clone())))
                }
                (Value::Dir(x), Value::Dir(y)) => {
                    Some(Truth::SameDir(Box::new(x.clone()), Box::new(y.clone())))
                }
                (Value::Truth(x), Value::Truth(y)) => {
                    let both = Truth::and(x.clone(), y.clone());
                    let neither = Truth::and(Truth::not(x.clone()), Truth::not(y.clone()));
                    Some(Truth::or(both, neither))
                }
                _ => None,
            };
            if same.is_some() {
                return same;
            }
        }
        if let (Some(x), Some(y)) = (a.as_cells(), b.as_cells()) {
            for (one, other) in [(&a, &y), (&b, &x)] {
                self.one_is_never_many(one, other, span);
            }
            return Some(Truth::SameCells(Box::new(x), Box::new(y)));
        }
        let d = Diagnostic::new(
            Code::WrongType,
            span,
            format!("{} is never equal to {}", a.type_name(), b.type_name()),
        )
        .here("different types");
        let number = |t: &Term| matches!(t, Term::Value(Value::Num(_)));
        let d = if (b.as_cells().is_some() && number(&a)) || (a.as_cells().is_some() && number(&b))
        {
            d.help("`count of …` tells how many cells a set has")
        } else if matches!(
            (&a, &b),
            (Term::Value(Value::Truth(_)), _) | (_, Term::Value(Value::Truth(_)))
        ) {
            d.help("where two truths are compared, put each in brackets: `(a in b) = (c in d)`")
        } else {
            d
        };
        self.fail(d)
    }

    /// Warns where a cell is compared with fixed cells of which there are several, or none.
    fn one_is_never_many(&mut self, one: &Term, cells: &Cells, span: Span) {
        let (Term::Value(Value::Cell(_)), Cells::Const(cells)) = (one, cells) else {
            return;
        };
        if !self.board_known || cells.len() == 1 {
            return;
        }
        let many = match cells.len() {
            0 => "a cell is never the same as no cell".to_owned(),
            many => format!("a cell is never the same as {many} cells"),
        };
        self.report(
            Diagnostic::new(Code::NeverHolds, span, many)
                .here("false whatever happens")
                .help("whether it is one of them is asked by `in`: `target in row(3)`"),
        );
    }

    /// The option of that name, when it may be a word.
    fn option_named(&mut self, e: &Expr) -> Option<Choice> {
        let ExprKind::Name(text) = &e.kind else {
            return None;
        };
        if self.scope.iter().any(|l| l.name == *text)
            || !self.options.has(text)
            || self.options.words_of(text).is_empty()
        {
            return None;
        }
        self.options.term(text).and_then(|t| {
            if let Term::Choice(c) = t {
                Some(c)
            } else {
                None
            }
        })
    }

    fn same_choice(&mut self, choice: &Choice, other: &Expr) -> Option<Truth> {
        let words: Vec<String> = self
            .options
            .words_of(&choice.option)
            .into_iter()
            .map(str::to_owned)
            .collect();
        if let ExprKind::Name(text) = &other.kind {
            if words.contains(text) {
                return Some(Truth::Const(choice.word.as_deref() == Some(text)));
            }
            let known = self.scope.iter().any(|l| l.name == *text)
                || self.options.has(text)
                || self.kept.contains_key(text)
                || self.defines.iter().any(|d| d.name.text == *text)
                || crate::model::words::value(text).is_some();
            if !known {
                let d = Diagnostic::new(
                    Code::BadOption,
                    other.span,
                    format!("the option `{}` is never `{text}`", choice.option),
                )
                .here("not one of its values");
                let list = words.join(", ");
                return self.fail(match nearest(text, words.iter().map(String::as_str)) {
                    Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                    None => d.help(format!("it may be {list}")),
                });
            }
        }
        if choice.number.is_none() && self.option_named(other).is_none() {
            self.dead(|r| r.number(other));
            return Some(Truth::Const(false));
        }
        let term = self.term(other)?;
        if let Term::Choice(c) = &term {
            return Some(Truth::Const(
                c.word == choice.word && c.number == choice.number,
            ));
        }
        let n = self.need_number(&term, other.span)?;
        Some(match choice.number {
            Some(value) => Truth::compare(Compare::Equal, n, Num::Const(value)),
            None => Truth::Const(false),
        })
    }

    /// `op value`
    pub fn prefix(&mut self, op: Prefix, value: &Expr, span: Span) -> Option<Term> {
        match op {
            Prefix::Minus => {
                let n = self.number(value)?;
                Some(Term::Value(Value::Num(Num::arithmetic(
                    '-',
                    Num::Const(0),
                    n,
                ))))
            }
            Prefix::Not => {
                let term = self.term(value)?;
                if let Some(t) = term.as_truth() {
                    return Some(truth(Truth::not(t)));
                }
                let all = Cells::fixed(self.board.cells());
                match term.as_cells() {
                    Some(set) => Some(cells(Cells::without(all, set))),
                    None => self.wrong_type("a truth or a set of cells", &term, value.span),
                }
            }
            Prefix::Some | Prefix::No => {
                let t = self.some(op, value, span)?;
                Some(truth(if op == Prefix::No { Truth::not(t) } else { t }))
            }
            Prefix::All => {
                let ExprKind::Infix {
                    op: inner @ (Infix::In | Infix::NotIn),
                    left,
                    right,
                } = &value.kind
                else {
                    return self.fail(
                        Diagnostic::new(
                            Code::SetOrTruth,
                            span,
                            "`all` asks whether one set lies in another",
                        )
                        .here("in which set?")
                        .help("write `all … in …`"),
                    );
                };
                let a = self.cells(left)?;
                let b = self.cells(right)?;
                let b = if *inner == Infix::In {
                    b
                } else {
                    Cells::without(Cells::fixed(self.board.cells()), b)
                };
                Some(truth(Truth::Subset(Box::new(a), Box::new(b))))
            }
        }
    }

    fn some(&mut self, op: Prefix, value: &Expr, span: Span) -> Option<Truth> {
        if matches!(value.kind, ExprKind::Line(_) | ExprKind::Trail(_)) {
            return self.picture_test(value);
        }
        let term = self.term(value)?;
        match term.as_cells() {
            Some(set) if !matches!(term, Term::Value(Value::Cell(_))) => Some(Truth::some(set)),
            Some(set) => Some(Truth::some(set)),
            None => {
                if matches!(term, Term::Value(Value::Truth(_))) {
                    let word = op.text();
                    return self.fail(
                        Diagnostic::new(
                            Code::SetOrTruth,
                            span,
                            format!("`{word}` asks whether a set has members; this is a truth"),
                        )
                        .here("this is a truth already")
                        .help(if op == Prefix::No {
                            "write `not` instead"
                        } else {
                            "leave `some` out"
                        })
                        .repair(format!(
                            "{}{}",
                            if op == Prefix::No { "not " } else { "" },
                            crate::model::written::source_of(value)
                        )),
                    );
                }
                self.wrong_type("a set of cells", &term, value.span)
            }
        }
    }
}
