//! Expressions: names, words, definitions put in place, filters, conditionals, tests of pictures, trails and rules.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::{Term, cells, number, truth};
use crate::model::resolver::Resolver;
use crate::model::words;
use crate::model::written::source_of;
use crate::program::{
    CellExpr, Cells, Dirs, KindExpr, Life, Num, Per, Truth, Value, VarId, VarType,
};
use crate::syntax::ast::{Argument, Expr, ExprKind, Name};

impl Resolver<'_> {
    /// What an expression means.
    pub fn term(&mut self, e: &Expr) -> Option<Term> {
        if !self.spend(1, e.span) {
            return None;
        }
        match &e.kind {
            ExprKind::Number(n) => Some(number(*n)),
            ExprKind::Text(_) => self.fail(
                Diagnostic::new(Code::WrongType, e.span, "a text is no value").here("a text"),
            ),
            ExprKind::Name(text) => self.name(text, e.span),
            ExprKind::Call { name, args } => self.call(name, args, e.span),
            ExprKind::Together(parts) => self.together(parts, e.span),
            ExprKind::Infix { op, left, right } => self.infix(*op, left, right, e.span),
            ExprKind::Prefix { op, value } => self.prefix(*op, value, e.span),
            ExprKind::Where { set, test } => self.filter(set, test),
            ExprKind::With { set, extreme, key } => self.extreme(set, *extreme, key),
            ExprKind::If { test, yes, no } => self.conditional(test, yes, no, e.span),
            ExprKind::Seen { set, player } => self.seen(set, player),
            ExprKind::Line(_) | ExprKind::Trail(_) => self.fail(
                Diagnostic::new(Code::SetOrTruth, e.span, "a picture is no value")
                    .here("asked whether it is there?")
                    .help("write `some` or `no` before it; for its cells write `x from line […]`"),
            ),
            ExprKind::From { name, line } => self.gather(name, line, e.span),
            ExprKind::Can { player, rule } => self.can(player.as_deref(), rule, e.span),
        }
    }

    fn call(&mut self, name: &Name, args: &[Argument], span: Span) -> Option<Term> {
        let text = name.text.as_str();
        if let Some(at) = self.defines.iter().position(|d| d.name.text == text) {
            return self.call_define(at, name, args, span);
        }
        if let Some(kind) = self.kind_named(text) {
            let [arg] = args else {
                return self.wrong_count(
                    name,
                    "a piece kind takes one player: `stone of me`",
                    args.len(),
                );
            };
            let player = self.player(&arg.value)?;
            let set = Cells::and(
                Cells::Kind(KindExpr::Const(kind)),
                Cells::Owned(Box::new(player)),
            );
            return Some(cells(set));
        }
        if let Some(&id) = self.kept.get(text)
            && self.vars[id.0 as usize].per != Per::Game
        {
            return self.kept_of(id, name, args);
        }
        if let Some(word) = words::function(text) {
            if args.len() < word.least || args.len() > word.most {
                if let Some(d) = cells_in_a_list(name, args, span) {
                    return self.fail(d);
                }
                return self.wrong_count(
                    name,
                    &format!("{}: {}", word.name, word.signature),
                    args.len(),
                );
            }
            let mut given = words::Given::new(name, span);
            for arg in args {
                let value = self.term(&arg.value)?;
                let to = match &arg.to {
                    Some(e) => Some((self.term(e)?, e.span)),
                    None => None,
                };
                given.push(value, arg.value.span, to);
            }
            return (word.meaning)(self, &given);
        }
        self.not_a_function(name, args)
    }

    fn not_a_function(&mut self, name: &Name, args: &[Argument]) -> Option<Term> {
        let text = name.text.as_str();
        let known_value = self.scope.iter().any(|l| l.name == text)
            || self.options.has(text)
            || self.kept.contains_key(text)
            || words::value(text).is_some();
        if known_value {
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    name.span,
                    format!("`{text}` is a value and takes none"),
                )
                .here("takes no value")
                .help(format!("write `{text}` alone")),
            );
        }
        let _ = args;
        if self.is_broken(text) {
            return None;
        }
        if let Some(d) = self.taken_out(Code::UnknownName, text, name.span) {
            return self.fail(d);
        }
        let mut known: Vec<&str> = self.defines.iter().map(|d| d.name.text.as_str()).collect();
        known.extend(
            words::FUNCTIONS
                .iter()
                .flat_map(|list| list.iter())
                .map(|w| w.name),
        );
        known.extend(self.kinds.iter().map(|k| k.name.as_str()));
        let each = |id: &VarId| self.vars[id.0 as usize].per != Per::Game;
        known.extend(
            self.kept
                .iter()
                .filter(|(_, id)| each(id))
                .map(|(name, _)| name.as_str()),
        );
        let d = Diagnostic::new(
            Code::UnknownName,
            name.span,
            format!("no word or definition is called `{text}`"),
        )
        .here("not declared");
        let of_two = match text {
            "max" => Some(">"),
            "min" => Some("<"),
            _ => None,
        };
        let d = match (of_two, nearest(text, known)) {
            (Some(sign), _) => d.help(format!(
                "one of two numbers is chosen by a condition: `if a {sign} b then a else b`"
            )),
            (None, Some(near)) => d.help(format!("did you mean `{near}`?")).repair(near),
            (None, None) => d.help(format!("define it: `define {text} of x = …`")),
        };
        self.fail(d)
    }

    pub fn wrong_count<T>(&mut self, name: &Name, usage: &str, given: usize) -> Option<T> {
        let values = if given == 1 {
            "1 value".to_owned()
        } else {
            format!("{given} values")
        };
        self.fail(
            Diagnostic::new(
                Code::WrongCount,
                name.span,
                format!("`{}` is given {values}", name.text),
            )
            .here("not that many")
            .help(usage.to_owned()),
        )
    }

    fn kept_of(&mut self, id: VarId, name: &Name, args: &[Argument]) -> Option<Term> {
        let [arg] = args else {
            return self.wrong_count(name, "kept for each player or cell: give one", args.len());
        };
        self.uses[id.0 as usize] += 1;
        let var = &self.vars[id.0 as usize];
        let (per, ty, life) = (var.per, var.ty, var.life);
        if life == Life::Turn && self.asked_moment().is_some() {
            return self.gone(&name.text.clone(), name.span);
        }
        if per == Per::Cell {
            let cell = Box::new(self.cell(&arg.value)?);
            return Some(Term::Value(Value::Num(Num::OfCell(id, cell))));
        }
        let player = Box::new(self.player(&arg.value)?);
        Some(match ty {
            VarType::Number => Term::Value(Value::Num(Num::OfPlayer(id, player))),
            VarType::Truth => truth(Truth::OfPlayer(id, player)),
            VarType::Cells => cells(Cells::OfPlayer(id, player)),
            VarType::Cell
            | VarType::Groups
            | VarType::Run
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind => {
                return self.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        name.span,
                        "for each player, numbers, truths and sets of cells are kept",
                    )
                    .here("none of these")
                    .help("for one cell, keep a set that holds it, and begin with `= none`"),
                );
            }
        })
    }

    fn conditional(&mut self, test: &Expr, yes: &Expr, no: &Expr, span: Span) -> Option<Term> {
        let test = self.truth(test)?;
        // A branch that options rule out need not make sense under them.
        if let Truth::Const(b) = test {
            let (live, dead) = if b { (yes, no) } else { (no, yes) };
            self.dead(|r| r.term(dead));
            return self.term(live);
        }
        let (yes, no) = (self.term(yes)?, self.term(no)?);
        self.choose_between(test, yes, no, span)
    }

    pub fn choose_between(&mut self, test: Truth, yes: Term, no: Term, span: Span) -> Option<Term> {
        let t = Box::new(test);
        if let (Term::Value(Value::Num(a)), Term::Value(Value::Num(b))) = (&yes, &no) {
            return Some(Term::Value(Value::Num(Num::If(
                t,
                Box::new(a.clone()),
                Box::new(b.clone()),
            ))));
        }
        if let (Term::Value(Value::Cell(a)), Term::Value(Value::Cell(b))) = (&yes, &no) {
            return Some(Term::Value(Value::Cell(CellExpr::If(
                t,
                Box::new(a.clone()),
                Box::new(b.clone()),
            ))));
        }
        if let (Some(a), Some(b)) = (yes.as_truth(), no.as_truth()) {
            return Some(truth(Truth::If(t, Box::new(a), Box::new(b))));
        }
        if let (Some(a), Some(b)) = (yes.as_dirs(), no.as_dirs()) {
            return Some(Term::Value(Value::Dirs(Dirs::If(
                t,
                Box::new(a),
                Box::new(b),
            ))));
        }
        if let (Some(a), Some(b)) = (yes.as_cells(), no.as_cells()) {
            return Some(cells(Cells::If(t, Box::new(a), Box::new(b))));
        }
        self.fail(
            Diagnostic::new(Code::WrongType, span, "both values must be of one type")
                .here(format!("{} and {}", yes.type_name(), no.type_name())),
        )
    }
}

/// `1 value`, `2 values`
pub fn values(n: usize) -> String {
    if n == 1 {
        "1 value".to_owned()
    } else {
        format!("{n} values")
    }
}

/// A set turned to a player's side.
pub fn turned(set: &crate::board::Cells, view: &[crate::board::Cell]) -> crate::board::Cells {
    if view.is_empty() {
        return *set;
    }
    set.iter()
        .filter_map(|c| view.get(c.0 as usize).copied())
        .collect()
}

/// Says how several cells are written, where they stand in brackets behind the word `cells`.
fn cells_in_a_list(name: &Name, args: &[Argument], span: Span) -> Option<Diagnostic> {
    let listed = name.text == "cells" && args.len() > 1 && args.iter().all(|a| a.to.is_none());
    let cells: Vec<String> = args.iter().map(|a| source_of(&a.value)).collect();
    let meant = format!("({})", cells.join(" or "));
    let message = "`cells` gives the cells of groups; single cells are joined by `or`";
    let d = Diagnostic::new(Code::WrongCount, span, message).here("several cells");
    listed.then(|| d.help(format!("write `{meant}`")).repair(meant))
}
