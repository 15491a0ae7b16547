//! Expressions: names, words, definitions put in place, filters, conditionals, tests of pictures, trails and rules.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::{Term, cells, number, truth};
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::model::{Step, words};
use crate::program::{
    CellExpr, Cells, Dirs, KindExpr, Life, Num, Per, Truth, Value, VarId, VarType,
};
use crate::syntax::ast::{Argument, Expr, ExprKind, Extreme, Line, Name};

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

    /// Names side by side: all of these at once.
    fn together(&mut self, parts: &[Expr], span: Span) -> Option<Term> {
        let mut terms = Vec::new();
        for part in parts {
            terms.push((self.term(part)?, part.span));
        }
        if terms.iter().all(|(t, _)| t.as_dirs().is_some()) {
            let all = terms
                .iter()
                .filter_map(|(t, _)| t.as_dirs())
                .reduce(Dirs::and)?;
            return Some(Term::Value(Value::Dirs(all)));
        }
        let mut result: Option<Cells> = None;
        for (term, part) in &terms {
            let Some(set) = term.as_cells() else {
                return self.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        *part,
                        format!(
                            "names side by side are cells that are all of these; this is {}",
                            term.type_name()
                        ),
                    )
                    .here(format!("this is {}", term.type_name()))
                    .and(span, "all of these names belong together")
                    .help("put an operator or a new line between them"),
                );
            };
            result = Some(match result {
                Some(r) => Cells::and(r, set),
                None => set,
            });
        }
        result.map(cells)
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
        let mut known: Vec<&str> = self.defines.iter().map(|d| d.name.text.as_str()).collect();
        known.extend(
            words::FUNCTIONS
                .iter()
                .flat_map(|list| list.iter())
                .map(|w| w.name),
        );
        known.extend(self.kinds.iter().map(|k| k.name.as_str()));
        let d = Diagnostic::new(
            Code::UnknownName,
            name.span,
            format!("no word or definition is called `{text}`"),
        )
        .here("not declared");
        let d = match nearest(text, known) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None => d.help(format!("define it: `define {text} of x = …`")),
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
        let (per, ty) = (var.per, var.ty);
        if var.life == Life::Turn && self.moment.is_some() {
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
                    .here("none of these"),
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

    /// `S where e`
    fn filter(&mut self, set: &Expr, test: &Expr) -> Option<Term> {
        let term = self.term(set)?;
        if term.as_dirs().is_some() {
            return self.wrong_type("a set of cells or groups", &term, set.span);
        }
        let groups = matches!(term, Term::Value(Value::Groups(_)));
        let base = self.need_cells(&term, set.span)?;
        let (it, test) = self.with_it(groups, test.span, |r| r.truth(test))?;
        Some(Term::Value(if groups {
            Value::Groups(Cells::PartsWhere(Box::new(base), it, Box::new(test)))
        } else {
            Value::Cells(Cells::Where(Box::new(base), it, Box::new(test)))
        }))
    }

    /// `S with most e`
    fn extreme(&mut self, set: &Expr, extreme: Extreme, key: &Expr) -> Option<Term> {
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
    fn with_it<T>(
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
    fn seen(&mut self, set: &Expr, player: &Expr) -> Option<Term> {
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
    fn gather(&mut self, name: &Name, line: &Line, span: Span) -> Option<Term> {
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
    fn can(&mut self, player: Option<&Expr>, rule: &Name, span: Span) -> Option<Term> {
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
            ExprKind::Trail(trail) => self.scoped(|r| r.trail(trail))?,
            _ => return None,
        };
        let body = self.new_block(steps);
        Some(Truth::Possible(None, body))
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
fn turned(set: &crate::board::Cells, view: &[crate::board::Cell]) -> crate::board::Cells {
    if view.is_empty() {
        return *set;
    }
    set.iter()
        .filter_map(|c| view.get(c.0 as usize).copied())
        .collect()
}
