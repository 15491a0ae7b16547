//! Definitions: put in place where they are used, by value or by player; recursion is an error with a chain.

use crate::base::{Code, Diagnostic, Span};
use crate::model::convert::{Term, cells};
use crate::model::expressions::values;
use crate::model::names::Local;
use crate::model::resolver::{DefinedTest, Resolver};
use crate::program::{Cells, PlayerExpr, PlayerId, Truth, Value};
use crate::syntax::ast::{Argument, Name, Params};

/// Definitions and rules are put in place at most so deep.
const MAX_DEPTH: usize = 40;

impl Resolver<'_> {
    /// A definition used with values: `f of x`, `f(x, y)`.
    pub fn call_define(
        &mut self,
        at: usize,
        name: &Name,
        args: &[Argument],
        span: Span,
    ) -> Option<Term> {
        let is_cases = matches!(self.defines[at].params, Params::Case(_));
        let mut given = Vec::new();
        for arg in args {
            if let Some(to) = &arg.to {
                return self.fail(
                    Diagnostic::new(Code::WrongType, to.span, "a definition takes no range")
                        .here("here"),
                );
            }
            let before = self.work;
            let term = self.term(&arg.value)?;
            given.push((term, self.work - before, arg.value.span));
        }
        if is_cases {
            let [(term, _, at_span)] = given.as_slice() else {
                return self.wrong_count(
                    name,
                    "it is defined for each player: give one",
                    args.len(),
                );
            };
            let player = self.need_player(term, *at_span)?;
            return self.use_cases(&name.text, &player, span);
        }
        self.use_define(at, &name.text, given, span)
    }

    /// Puts a definition in place.
    pub fn use_define(
        &mut self,
        at: usize,
        text: &str,
        given: Vec<(Term, u64, Span)>,
        span: Span,
    ) -> Option<Term> {
        self.defines[at].used = true;
        let body = self.defines[at].body;
        let names: &[Name] = match self.defines[at].params {
            Params::None => &[],
            Params::Names(names) => names,
            Params::Case(_) => {
                return self.fail(
                    Diagnostic::new(
                        Code::WrongCount,
                        span,
                        format!("`{text}` is defined for each player"),
                    )
                    .here("of which player?")
                    .help(format!("write, for example, `{text} of me`")),
                );
            }
        };
        if names.len() != given.len() {
            let list: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
            let usage = if list.is_empty() {
                format!("write `{text}` alone")
            } else {
                format!("write `{text}({})`", list.join(", "))
            };
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    span,
                    format!(
                        "`{text}` takes {}, given {}",
                        values(names.len()),
                        given.len()
                    ),
                )
                .here("not that many")
                .help(usage),
            );
        }
        let terms: Vec<Term> = given.iter().map(|(t, ..)| t.clone()).collect();
        let known = |d: &&DefinedTest| d.define == at && d.given == terms;
        if let Some(known) = self.tests.iter().find(known) {
            return Some(known.term.clone());
        }
        let bindings: Vec<Local> = names
            .iter()
            .zip(given)
            .map(|(n, (t, w, _))| Resolver::local(n, t, w))
            .collect();
        let (asked, wrong) = (self.moment_asked, self.diagnostics.as_slice().len());
        let term = self.enter(text, span, |r| r.apart(bindings, |r| r.term(body)))?;
        let is_test = matches!(term, Term::Value(Value::Truth(Truth::Possible(..))));
        let is_same_anywhere = asked == self.moment_asked;
        if is_test && is_same_anywhere && wrong == self.diagnostics.as_slice().len() {
            self.tests.push(DefinedTest {
                define: at,
                given: terms,
                term: term.clone(),
            });
        }
        Some(term)
    }

    /// Runs something inside a definition or rule of that name, unless it is inside of it already.
    pub fn enter<T>(
        &mut self,
        text: &str,
        span: Span,
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let endless = self.active.iter().any(|a| a == text);
        if !endless && self.active.len() >= MAX_DEPTH {
            let message = format!("`{text}` stands within too many definitions and rules");
            let first = self.active.first().cloned().unwrap_or_default();
            return self.fail(
                Diagnostic::new(Code::TooDeep, span, message)
                    .here(format!("used from `{first}` on, {MAX_DEPTH} deep"))
                    .help("say some of them in one"),
            );
        }
        if endless {
            let chain: Vec<&str> = self
                .active
                .iter()
                .map(String::as_str)
                .chain([text])
                .collect();
            return self.fail(
                Diagnostic::new(Code::EndlessRule, span, format!("`{text}` refers to itself without end"))
                    .here(format!("by way of {}", chain.join(" → ")))
                    .help("say what it means without it; for steps that follow one another use `repeat` or a `trail`"),
            );
        }
        self.active.push(text.to_owned());
        self.used_at.push(span);
        let result = run(self);
        self.used_at.pop();
        self.active.pop();
        result
    }

    /// A definition by players.
    pub fn use_cases(&mut self, text: &str, player: &PlayerExpr, span: Span) -> Option<Term> {
        let mut terms: Vec<Option<Term>> = vec![None; self.players.len()];
        for at in 0..self.defines.len() {
            let Params::Case(case) = self.defines[at].params else {
                continue;
            };
            if self.defines[at].name.text != text {
                continue;
            }
            self.defines[at].used = true;
            let body = self.defines[at].body;
            let id = self.player_named(&case.text, case.span)?;
            let term = self.enter(text, span, |r| r.apart(Vec::new(), |r| r.term(body)))?;
            terms[id.0 as usize] = Some(term);
        }
        let mut all = Vec::new();
        for (at, term) in terms.into_iter().enumerate() {
            match term {
                Some(t) => all.push(t),
                None => {
                    let who = self.players[at].name.clone();
                    return self.fail(
                        Diagnostic::new(
                            Code::UnknownName,
                            span,
                            format!("`{text}` is not defined for {who}"),
                        )
                        .here("used here")
                        .help(format!("add `define {text} of {who} = …`")),
                    );
                }
            }
        }
        if let PlayerExpr::Const(p) = player {
            return all.into_iter().nth(p.0 as usize);
        }
        self.by_player(all, player, span)
    }

    /// One value of many, by player.
    pub fn by_player(&mut self, all: Vec<Term>, player: &PlayerExpr, span: Span) -> Option<Term> {
        let fixed: Option<Vec<_>> = all
            .iter()
            .map(|t| t.as_cells().and_then(|c| self.fold_cells(&c)))
            .collect();
        if let Some(sets) = fixed {
            return Some(cells(Cells::by_player(sets, player.clone())));
        }
        let mut terms = all.into_iter().enumerate().rev();
        let (_, mut result) = terms.next()?;
        for (at, term) in terms {
            let test = Truth::SamePlayer(
                Box::new(player.clone()),
                Box::new(PlayerExpr::Const(PlayerId(u8::try_from(at).unwrap_or(0)))),
            );
            result = self.choose_between(test, term, result, span)?;
        }
        Some(result)
    }
}
