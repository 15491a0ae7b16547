//! Filters and questions: `where`, `with most`, `seen by`, cells gathered from pictures, `can`, tests of pictures and trails.

use crate::base::{Code, Diagnostic, Span};
use crate::model::Step;
use crate::model::convert::{Term, cells, truth};
use crate::model::expressions::turned;
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::program::{Cells, Life, Truth, Value, VarId, VarType};
use crate::syntax::ast::{Expr, ExprKind, Extreme, Line, Name};

impl Resolver<'_> {
    /// `S where e`
    pub fn filter(&mut self, set: &Expr, test: &Expr) -> Option<Term> {
        let term = self.term(set)?;
        if term.as_dirs().is_some() {
            return self.wrong_type("a set of cells or groups", &term, set.span);
        }
        let groups = matches!(term, Term::Value(Value::Groups(_)));
        let base = self.need_cells(&term, set.span)?;
        let (it, test) = self.with_it(groups, test.span, |r| match groups {
            true => r.truth(test),
            false => r.truth_of_it(test),
        })?;
        Some(Term::Value(if groups {
            Value::Groups(Cells::PartsWhere(Box::new(base), it, Box::new(test)))
        } else {
            Value::Cells(self.cells_where(base, it, test))
        }))
    }

    /// `S with most e`
    pub fn extreme(&mut self, set: &Expr, extreme: Extreme, key: &Expr) -> Option<Term> {
        let term = self.term(set)?;
        let groups = matches!(term, Term::Value(Value::Groups(_)));
        let base = Box::new(self.need_cells(&term, set.span)?);
        let (it, key) = self.with_it(groups, key.span, |r| r.number(key))?;
        let (most, key) = (extreme == Extreme::Most, Box::new(key));
        Some(Term::Value(if groups {
            Value::Groups(Cells::PartsWith {
                set: base,
                it,
                most,
                key,
            })
        } else {
            Value::Cells(Cells::With {
                set: base,
                it,
                most,
                key,
            })
        }))
    }

    /// Runs something that may say `it` for the member that is looked at.
    pub fn with_it<T>(
        &mut self,
        groups: bool,
        span: Span,
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(VarId, T)> {
        let it = self.new_var(
            "it",
            if groups {
                VarType::Cells
            } else {
                VarType::Cell
            },
            Life::Local,
        );
        self.scope.push(Local {
            name: "it".to_owned(),
            span,
            binding: Binding::Var(it),
        });
        let result = run(self);
        self.scope.pop();
        result.map(|r| (it, r))
    }

    /// `S seen by p`
    pub fn seen(&mut self, set: &Expr, player: &Expr) -> Option<Term> {
        let base = self.cells(set)?;
        let by = self.player(player)?;
        if !self.players_known {
            return None;
        }
        if let Some(blind) = self.players.iter().find(|p| p.facing.is_none()) {
            let name = blind.name.clone();
            return self.fail(
                Diagnostic::new(
                    Code::NoSymmetry,
                    player.span,
                    format!("{name} faces nowhere"),
                )
                .here("seen by one who faces nowhere")
                .help(
                    "say where the players sit: `players White facing north, Black facing south`",
                ),
            );
        }
        for (at, view) in self.views.clone().iter().enumerate() {
            let north = matches!(self.players[at].facing, Some(crate::board::Facing::North));
            if view.is_empty() && !north {
                return self.fail(
                    Diagnostic::new(
                        Code::NoSymmetry,
                        set.span,
                        "the board looks different from that side",
                    )
                    .here("cannot be seen from every side")
                    .help("name the cells of each player: `define home of White = …`"),
                );
            }
        }
        if let Some(fixed) = self.fold_cells(&base) {
            let sets = self.views.iter().map(|view| turned(&fixed, view)).collect();
            return Some(cells(Cells::by_player(sets, by)));
        }
        Some(cells(Cells::Seen(Box::new(base), Box::new(by))))
    }

    /// `x from line […]`
    pub fn gather(&mut self, name: &Name, line: &Line, span: Span) -> Option<Term> {
        self.scoped(|r| {
            let picture = r.picture(line)?;
            let Some(local) = r.scope.iter().rev().find(|l| l.name == name.text).cloned() else {
                return r.unknown(&name.text, name.span);
            };
            let Binding::Var(var) = local.binding else {
                return r.unknown(&name.text, name.span);
            };
            if !matches!(r.vars[var.0 as usize].ty, VarType::Cell | VarType::Run) {
                return r.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        name.span,
                        "only cells can be gathered from a picture",
                    )
                    .here("this is no cell of the picture"),
                );
            }
            r.uses[var.0 as usize] += 1;
            let body = r.new_block(vec![(span, Step::Line(Box::new(picture)))]);
            Some(cells(Cells::Gather(var, body)))
        })
    }

    /// `p can R`
    pub fn can(&mut self, player: Option<&Expr>, rule: &Name, span: Span) -> Option<Term> {
        let by = match player {
            Some(p) => Some(Box::new(self.player(p)?)),
            None => None,
        };
        let body = match self.can.get(&rule.text) {
            Some(&body) => body,
            None => {
                let body = self.rule_apart(rule, span)?;
                self.can.insert(rule.text.clone(), body);
                body
            }
        };
        Some(truth(Truth::Possible(by, body)))
    }

    /// `some line […]`, `some trail {…}`
    pub fn picture_test(&mut self, value: &Expr) -> Option<Truth> {
        let steps = match &value.kind {
            ExprKind::Line(line) => self.scoped(|r| {
                r.picture(line)
                    .map(|p| vec![(line.span, Step::Line(Box::new(p)))])
            })?,
            ExprKind::Trail(trail) => return self.scoped(|r| r.trail_sought(trail)),
            _ => return None,
        };
        let body = self.new_block(steps);
        Some(Truth::Possible(None, body))
    }
}
