//! Rules: put in place where they are played, each time with names of their own, and given a notation.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::Term;
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::model::{Block, Step};
use crate::program::{
    CellExpr, Cells, Domain, KindExpr, Life, Num, Part, Picture, Square, SubId, Template, Value,
    VarId, VarType,
};
use crate::syntax::ast::{Argument, Expr, Name};

impl Resolver<'_> {
    fn rule_at(&mut self, name: &Name) -> Option<usize> {
        if let Some(at) = self
            .rules
            .iter()
            .position(|r| r.rule.name.text == name.text)
        {
            self.rules[at].used = true;
            return Some(at);
        }
        if let Some(d) = self.taken_out(Code::UnknownRule, &name.text, name.span) {
            return self.fail(d);
        }
        let known: Vec<&str> = self
            .rules
            .iter()
            .map(|r| r.rule.name.text.as_str())
            .collect();
        let d = Diagnostic::new(
            Code::UnknownRule,
            name.span,
            format!("no rule is called `{}`", name.text),
        )
        .here("not declared");
        if self.players.iter().any(|player| player.name == name.text) {
            let help = format!(
                "it is a player: a piece is put down with `place KIND of {} at …`",
                name.text
            );
            return self.fail(d.help(help));
        }
        let d = match nearest(&name.text, known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None if known.is_empty() => d.help(format!("add `rule {} {{ … }}`", name.text)),
            None => d.help(format!("the rules are {}", known.join(", "))),
        };
        self.fail(d)
    }

    /// `Settle(spot)`
    pub fn rule_call(&mut self, name: &Name, args: &[Argument]) -> Option<Step> {
        let at = self.rule_at(name)?;
        let rule = self.rules[at].rule;
        if rule.params.len() != args.len() {
            let list: Vec<&str> = rule.params.iter().map(|n| n.text.as_str()).collect();
            let usage = if list.is_empty() {
                name.text.clone()
            } else {
                format!("{}({})", name.text, list.join(", "))
            };
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    name.span,
                    format!(
                        "`{}` takes {}, given {}",
                        name.text,
                        crate::model::expressions::values(list.len()),
                        args.len()
                    ),
                )
                .here("not that many")
                .help(format!("write `{usage}`")),
            );
        }
        // Values are named once, before the rule runs: what it changes does not change them.
        let mut before: Block = Vec::new();
        let mut bindings: Vec<Local> = Vec::new();
        for (param, arg) in rule.params.iter().zip(args) {
            let local = self.handed(param, &arg.value, &mut before)?;
            bindings.push(local);
        }
        let step = self.enter(&name.text, name.span, |r| r.rule_body(at, bindings))?;
        if before.is_empty() {
            return Some(step);
        }
        before.push((name.span, step));
        Some(Step::Run(self.new_block(before)))
    }

    /// A value handed to a rule, under the name it has there.
    fn handed(&mut self, param: &Name, value: &Expr, before: &mut Block) -> Option<Local> {
        let term = self.term(value)?;
        let same = match &term {
            Term::Value(Value::Run(_)) | Term::Choice(_) => {
                return Some(Resolver::local(param, term, 1));
            }
            Term::Value(
                Value::Cell(CellExpr::Var(id))
                | Value::Cells(Cells::Var(id))
                | Value::Num(Num::Var(id)),
            ) => Some(*id),
            Term::Value(_) | Term::Top(_) | Term::Players => None,
        };
        let id = match same.filter(|id| self.vars[id.0 as usize].life == Life::Local) {
            Some(id) => id,
            None => {
                let (ty, value_of) = self.storable(&term, value.span)?;
                let id = self.new_var(&param.text, ty, Life::Local);
                before.push((value.span, Step::Let(id, value_of)));
                id
            }
        };
        Some(Local {
            name: param.text.clone(),
            span: param.span,
            binding: Binding::Var(id),
        })
    }

    /// A rule played with nothing given, as a block of its own.
    pub fn rule_apart(&mut self, name: &Name, span: Span) -> Option<SubId> {
        let at = self.rule_at(name)?;
        if !self.rules[at].rule.params.is_empty() {
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    name.span,
                    format!("`{}` takes values, and `can` gives none", name.text),
                )
                .here("needs values")
                .help("ask for a rule that takes none; that one may play this"),
            );
        }
        let step = self.enter(&name.text, span, |r| r.rule_body(at, Vec::new()))?;
        Some(self.new_block(vec![(span, step)]))
    }

    /// A rule's body with what it is given, under its notation.
    pub fn rule_body(&mut self, at: usize, bindings: Vec<Local>) -> Option<Step> {
        let rule = self.rules[at].rule;
        let watch = self.lints.letters_mark();
        let (block, parts) = self.apart(bindings, |r| {
            let block = r.block(&rule.body);
            let parts = match &rule.notation {
                Some(notation) => r.notation_parts(notation),
                None => Some(r.derived(&block)),
            };
            (block, parts)
        });
        self.lonely_letters(watch);
        let body = self.new_block(block);
        let parts = parts?;
        let mark = self.new_var("text", VarType::Number, Life::Local);
        let declared = rule.notation.is_some();
        let span = rule.notation.as_ref().map_or(rule.name.span, |n| n.span);
        let template = self.new_template(Template {
            name: rule.name.text.clone(),
            parts,
            mark,
            span,
        });
        Some(if declared {
            Step::Written(template, body)
        } else {
            Step::Unwritten(template, body)
        })
    }

    /// The notation of a rule that declares none: what was chosen, in order.
    fn derived(&mut self, block: &Block) -> Vec<Part> {
        let mut holes: Vec<Value> = Vec::new();
        for (_, step) in block {
            match step {
                Step::Choose(var, domain) => holes.push(self.chosen(*var, domain)),
                Step::Line(picture) => holes.extend(ends_of(picture)),
                Step::Either(blocks) => {
                    let first = blocks
                        .first()
                        .map(|b| self.blocks[b.0 as usize].clone())
                        .unwrap_or_default();
                    if let [(_, Step::Line(picture))] = first.as_slice() {
                        holes.extend(ends_of(picture));
                    }
                }
                // What is chosen in rounds has no one value at the end.
                Step::Repeat(_) | Step::AnyOrder { .. } => return Vec::new(),
                _ => {}
            }
        }
        let mut parts = Vec::new();
        for (at, hole) in holes.into_iter().enumerate() {
            if at > 0 {
                parts.push(Part::Capture("-".to_owned(), "x".to_owned()));
            }
            parts.push(Part::Hole(hole));
        }
        parts
    }

    fn chosen(&self, var: VarId, domain: &Domain) -> Value {
        let _ = self;
        match domain {
            Domain::Cells(_) => Value::Cell(CellExpr::Var(var)),
            Domain::Parts(_) => Value::Cell(CellExpr::First(Box::new(Cells::Var(var)))),
            Domain::Numbers(..) => Value::Num(Num::Var(var)),
            Domain::Kinds(_) => Value::Kind(KindExpr::Var(var)),
            Domain::Dirs(_) => Value::Dir(crate::program::DirExpr::Var(var)),
        }
    }
}

/// The first and last cell of a picture, as far as they have names.
fn ends_of(picture: &Picture) -> Vec<Value> {
    let named = |square: &Square| match square {
        Square::Cells {
            bind: Some(id),
            count,
            ..
        } => Some((*id, *count != crate::program::Count::One)),
        Square::Cells { .. } | Square::Edge => None,
    };
    let all: Vec<(VarId, bool)> = picture.squares.iter().filter_map(named).collect();
    let first = all.first().map(|&(id, run)| {
        Value::Cell(if run {
            CellExpr::RunFirst(id)
        } else {
            CellExpr::Var(id)
        })
    });
    let last = all.last().filter(|_| all.len() > 1);
    let last = last.map(|&(id, run)| {
        Value::Cell(if run {
            CellExpr::RunLast(id)
        } else {
            CellExpr::Var(id)
        })
    });
    first.into_iter().chain(last).collect()
}
