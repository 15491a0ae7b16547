//! Loops: over members, in any order, and repetitions.

use crate::base::{Code, Diagnostic, Span};
use crate::model::convert::Term;
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::model::{Repeat, Step};
use crate::program::{Cells, Domain, Life, Members, Num, SubId, Value, VarId, VarType};
use crate::syntax::ast::{Block as AstBlock, Expr, Name, Rounds};

impl Resolver<'_> {
    /// The members of a loop: their type, the variable's type, and the set.
    pub fn members(
        &mut self,
        from: &Expr,
        filter: Option<&Expr>,
    ) -> Option<(Members, VarType, Value)> {
        let term = self.term(from)?;
        if term == Term::Players {
            if let Some(f) = filter {
                return self.fail(
                    Diagnostic::new(Code::Misplaced, f.span, "players are not filtered")
                        .here("use `if` inside"),
                );
            }
            return Some((Members::Players, VarType::Player, Value::Num(Num::Const(0))));
        }
        if term.as_dirs().is_some() {
            return self.fail(
                Diagnostic::new(
                    Code::WrongType,
                    from.span,
                    format!("`for each` goes through cells, groups or players, found {}", term.type_name()),
                )
                .here("no cells")
                .help("gather the cells of all directions at once, `foe from line [ spot | enemy as foe | own ]`, or write a statement for each direction"),
            );
        }
        let groups = matches!(term, Term::Value(Value::Groups(_)));
        let set = self.need_cells(&term, from.span)?;
        Some(if groups {
            (Members::Parts, VarType::Cells, Value::Groups(set))
        } else {
            (Members::Cells, VarType::Cell, Value::Cells(set))
        })
    }

    /// Applies the `where` of a loop to its set, with the loop's name and `it` for the member.
    pub fn loop_filter(
        &mut self,
        name: &Name,
        members: Members,
        set: Value,
        filter: Option<&Expr>,
    ) -> Option<Value> {
        let Some(test) = filter else { return Some(set) };
        let groups = members == Members::Parts;
        let it = self.new_var(
            "it",
            if groups {
                VarType::Cells
            } else {
                VarType::Cell
            },
            Life::Local,
        );
        let truth = self.scoped(|r| {
            for name in [name.text.as_str(), "it"] {
                r.scope.push(Local {
                    name: name.to_owned(),
                    span: test.span,
                    binding: Binding::Var(it),
                });
            }
            match groups {
                true => r.truth(test),
                false => r.truth_of_it(test),
            }
        })?;
        Some(match set {
            Value::Groups(c) => Value::Groups(Cells::PartsWhere(Box::new(c), it, Box::new(truth))),
            Value::Cells(c) => Value::Cells(self.cells_where(c, it, truth)),
            other => other,
        })
    }

    /// The variable that holds the members still to come.
    pub fn rest_var(&mut self, name: &Name, members: Members) -> VarId {
        let ty = if members == Members::Players {
            VarType::Number
        } else {
            VarType::Cells
        };
        self.new_var(&format!("{}_left", name.text), ty, Life::Local)
    }

    /// `for each x in S { … }`
    pub fn for_each(
        &mut self,
        name: &Name,
        from: &Expr,
        filter: Option<&Expr>,
        body: &AstBlock,
    ) -> Option<Step> {
        let (members, ty, set) = self.members(from, filter)?;
        let set = self.loop_filter(name, members, set, filter)?;
        let rest = self.rest_var(name, members);
        let (var, body) = self.scoped(|r| {
            let var = r.bind(name, ty);
            let block = r.block(body);
            (var, r.new_block(block))
        });
        Some(Step::ForEach {
            var,
            rest,
            members,
            set,
            body,
        })
    }

    /// `for each x in S, in any order or until "done" { … }`
    pub fn any_order(
        &mut self,
        name: &Name,
        from: &Expr,
        filter: Option<&Expr>,
        until: Option<&Name>,
        body: &AstBlock,
        span: Span,
    ) -> Option<Step> {
        let (members, ty, set) = self.members(from, filter)?;
        if members == Members::Players {
            return self.fail(
                Diagnostic::new(
                    Code::Misplaced,
                    from.span,
                    "players come in their own order",
                )
                .here("not in any order"),
            );
        }
        let set = self.loop_filter(name, members, set, filter)?;
        let rest = self.rest_var(name, members);
        let (var, round) = self.scoped(|r| {
            let var = r.bind(name, ty);
            let left = Cells::Var(rest);
            let domain = if members == Members::Parts {
                Domain::Parts(left.clone())
            } else {
                Domain::Cells(left.clone())
            };
            let taken = if ty == VarType::Cells {
                Cells::Var(var)
            } else {
                Cells::Single(Box::new(crate::program::CellExpr::Var(var)))
            };
            let less = Cells::Without(Box::new(left), Box::new(taken));
            let mut block = vec![
                (span, Step::Choose(var, domain)),
                (span, Step::Let(rest, Value::Cells(less))),
            ];
            block.extend(r.block(body));
            (var, r.new_block(block))
        });
        let until = until.map(|u| self.plain_template(u));
        Some(Step::AnyOrder {
            var,
            rest,
            members,
            set,
            round,
            until,
        })
    }

    /// `repeat 1 to n times { … } or until "stop"`
    pub fn repeat(
        &mut self,
        rounds: &Rounds,
        body: &AstBlock,
        until: Option<&Name>,
        span: Span,
    ) -> Option<Step> {
        let mut repeat = Repeat {
            test: None,
            left: None,
            due: None,
            while_possible: true,
            may_stop: false,
            until: until.map(|u| self.plain_template(u)),
            body: SubId(0),
        };
        match rounds {
            Rounds::Possible => {}
            Rounds::While(test) => {
                repeat.test = Some(self.truth(test)?);
                repeat.while_possible = false;
            }
            Rounds::Times { least, most } => {
                let most = self.number(most)?;
                let least = match least {
                    Some(e) => self.number(e)?,
                    None => Num::Const(0),
                };
                self.not_empty((&least, &most), span, "the number of rounds is empty");
                repeat.while_possible = least != most;
                let left = self.new_var("rounds", VarType::Number, Life::Local);
                repeat.left = Some((left, most));
                if repeat.while_possible && least != Num::Const(0) {
                    let due = self.new_var("due", VarType::Number, Life::Local);
                    repeat.due = Some((due, least));
                }
            }
        }
        repeat.body = self.inner(body);
        // What could not be read may have changed something.
        let ends = repeat.left.is_some() || until.is_some() || self.diagnostics.has_errors();
        if !ends && !self.changes_something(repeat.body) {
            return self.fail(
                Diagnostic::new(Code::EndlessRepeat, span, "the repetition never ends")
                    .here("what is repeated changes nothing, so it can always be done again")
                    .help("say how often: `repeat 3 times`, or repeat something with an effect"),
            );
        }
        Some(Step::Repeat(Box::new(repeat)))
    }

    /// Whether a block has an effect or sets a value, anywhere.
    pub fn changes_something(&self, body: SubId) -> bool {
        self.blocks[body.0 as usize]
            .iter()
            .any(|(_, step)| match step {
                Step::Effect(_) | Step::LetOfPlayer(..) | Step::LetOfCell(..) => true,
                Step::Let(v, _) => self.vars[v.0 as usize].life != Life::Local,
                Step::If(cases, last) => {
                    cases.iter().any(|(_, b)| self.changes_something(*b))
                        || self.changes_something(*last)
                }
                Step::Either(list) | Step::Otherwise(list) => {
                    list.iter().any(|b| self.changes_something(*b))
                }
                Step::IfPossible(b)
                | Step::Preferring { body: b, .. }
                | Step::Written(_, b)
                | Step::Unwritten(_, b)
                | Step::Run(b) => self.changes_something(*b),
                Step::ForEach { body, .. } | Step::AnyOrder { round: body, .. } => {
                    self.changes_something(*body)
                }
                Step::Repeat(r) => self.changes_something(r.body),
                Step::Clear(_) | Step::Choose(..) | Step::Line(_) | Step::Require(..) => false,
            })
    }
}
