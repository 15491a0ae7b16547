//! Statements: choices, names, requirements, conditions, loops.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::convert::Term;
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::model::{Block, Step};
use crate::program::{Cells, Domain, KindExpr, Num, Per, SubId, Truth, Value, VarId, VarType};
use crate::syntax::ast::{
    Alternative, Block as AstBlock, Choices, Expr, ExprKind, Name, Statement, StatementKind,
};

impl Resolver<'_> {
    /// A block; statements that make no sense are reported and left out.
    pub fn block(&mut self, block: &AstBlock) -> Block {
        let mut steps = Vec::new();
        let mut statements = block.statements.iter();
        while let Some(statement) = statements.next() {
            if !self.spend(1, statement.span) {
                break;
            }
            if self.is_piece_alone(statement, statements.as_slice().first()) {
                statements.next();
                continue;
            }
            if self.statement(statement, &mut steps).is_none() {
                self.forgive(statement);
            }
        }
        steps
    }

    /// Remembers the names that a statement would have bound, had it made sense.
    fn forgive(&mut self, statement: &Statement) {
        let mut names: Vec<&Name> = Vec::new();
        match &statement.kind {
            StatementKind::Choose { name, .. } | StatementKind::Let { name, .. } => {
                names.push(name)
            }
            StatementKind::Play(attempts) => {
                for alternative in attempts.iter().flat_map(|a| &a.alternatives) {
                    match alternative {
                        Alternative::Line(line) => names.extend(line.names()),
                        Alternative::Trail(trail) => {
                            names.extend(
                                trail
                                    .start
                                    .iter()
                                    .chain(&trail.finish)
                                    .filter_map(|(_, name)| name.as_ref()),
                            );
                        }
                        Alternative::Block(_) | Alternative::Pass(_) | Alternative::Rule { .. } => {
                        }
                    }
                }
            }
            StatementKind::Require { .. }
            | StatementKind::Set { .. }
            | StatementKind::If { .. }
            | StatementKind::ForEach { .. }
            | StatementKind::AnyOrder { .. }
            | StatementKind::Repeat { .. }
            | StatementKind::Effect { .. } => {}
        }
        let unseen = names
            .into_iter()
            .filter(|n| !self.scope.iter().any(|l| l.name == n.text))
            .map(|n| n.text.clone());
        let unseen: Vec<String> = unseen.collect();
        self.broken.extend(unseen);
    }

    /// A block with names of its own.
    pub fn inner(&mut self, block: &AstBlock) -> SubId {
        let steps = self.scoped(|r| r.block(block));
        self.new_block(steps)
    }

    fn statement(&mut self, statement: &Statement, out: &mut Block) -> Option<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Choose { name, from, filter } => {
                self.choose(name, from, filter.as_ref(), span, out)?
            }
            StatementKind::Let { name, value } => self.let_(name, value, span, out)?,
            StatementKind::Require { test, reason } => {
                let truth = self.truth(test)?;
                self.lints.required(&truth);
                let text = reason.as_ref().map_or("", |n| n.text.as_str());
                let reason = self.new_reason(text, span);
                out.push((span, Step::Require(truth, reason)));
            }
            StatementKind::Set { target, value } => {
                let step = self.set(target, value)?;
                out.push((span, step));
            }
            StatementKind::If { cases, otherwise } => {
                let mut resolved = Vec::new();
                let whole = self.lints.branch();
                for (test, block) in cases {
                    let test = self.truth(test)?;
                    let case = self.lints.branch();
                    if test == Truth::Const(false) {
                        self.dead(|r| r.inner(block));
                        self.lints.behind(case);
                        continue;
                    }
                    self.lints.required(&test);
                    let inner = self.inner(block);
                    self.lints.behind(case);
                    // Where the next case is asked for, this one does not hold.
                    self.lints.refused(&test);
                    resolved.push((test, inner));
                }
                let last = match otherwise {
                    Some(block) => self.inner(block),
                    None => self.new_block(Vec::new()),
                };
                self.lints.behind(whole);
                out.push((span, Step::If(resolved, last)));
            }
            StatementKind::ForEach {
                name,
                from,
                filter,
                body,
            } => {
                let step = self.for_each(name, from, filter.as_ref(), body)?;
                out.push((span, step));
            }
            StatementKind::AnyOrder {
                name,
                from,
                filter,
                until,
                body,
            } => {
                let step =
                    self.any_order(name, from, filter.as_ref(), until.as_ref(), body, span)?;
                out.push((span, step));
            }
            StatementKind::Repeat {
                rounds,
                body,
                until,
            } => {
                let step = self.repeat(rounds, body, until.as_ref(), span)?;
                out.push((span, step));
            }
            StatementKind::Play(attempts) => self.play(attempts, span, out)?,
            StatementKind::Effect {
                verb,
                object,
                phrases,
            } => {
                let effect = self.effect(verb, object.as_ref(), phrases)?;
                out.push((span, Step::Effect(effect)));
            }
        }
        Some(())
    }

    /// Warns of a range that has nothing in it under any circumstances.
    pub fn not_empty(&mut self, range: (&Num, &Num), span: Span, what: &str) {
        if let (Num::Const(a), Num::Const(b)) = range
            && a > b
        {
            let d = Diagnostic::new(Code::NeverHolds, span, what);
            self.report(d.here(format!("from {a} to {b}")));
        }
    }

    fn choose(
        &mut self,
        name: &Name,
        from: &Choices,
        filter: Option<&Expr>,
        span: Span,
        out: &mut Block,
    ) -> Option<()> {
        let (ty, domain) = match from {
            Choices::Set(e) => self.choices(e)?,
            Choices::Range(a, b) => {
                let (low, high) = (self.number(a)?, self.number(b)?);
                self.not_empty((&low, &high), a.span.to(b.span), "there is no such number");
                (VarType::Number, Domain::Numbers(low, high))
            }
            Choices::List(names) => {
                let mut kinds = Vec::new();
                for n in names {
                    let Some(kind) = self.kind_named(&n.text) else {
                        if self.is_broken(&n.text) {
                            return None;
                        }
                        let list: Vec<String> = self.kinds.iter().map(|k| k.name.clone()).collect();
                        let d = Diagnostic::new(
                            Code::UnknownName,
                            n.span,
                            format!("no piece kind is called `{}`", n.text),
                        )
                        .here("not declared");
                        return self.fail(match nearest(&n.text, list.iter().map(String::as_str)) {
                            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                            None => d.help("a list to choose from names piece kinds; join sets of cells by `or`"),
                        });
                    };
                    kinds.push(kind);
                }
                (VarType::Kind, Domain::Kinds(kinds))
            }
        };
        let id = self.bind(name, ty);
        if let Domain::Cells(set) = &domain {
            let set = set.clone();
            self.lints.class_of(id, &set);
        }
        out.push((span, Step::Choose(id, domain)));
        if let Some(test) = filter {
            self.scope.push(Local {
                name: "it".to_owned(),
                span: test.span,
                binding: Binding::Var(id),
            });
            let truth = match ty {
                VarType::Cell => self.truth_of_it(test),
                _ => self.truth(test),
            };
            self.scope.pop();
            let (truth, reason) = (truth?, self.new_reason("", test.span));
            self.lints.required(&truth);
            out.push((test.span, Step::Require(truth, reason)));
        }
        Some(())
    }

    /// What a set offers to choose from.
    fn choices(&mut self, e: &Expr) -> Option<(VarType, Domain)> {
        let term = self.term(e)?;
        Some(match &term {
            Term::Value(Value::Groups(c)) => (VarType::Cells, Domain::Parts(c.clone())),
            Term::Value(Value::Kind(KindExpr::Const(k))) => {
                // One kind: its cells are meant.
                (
                    VarType::Cell,
                    Domain::Cells(Cells::Kind(KindExpr::Const(*k))),
                )
            }
            _ => match (term.as_cells(), term.as_dirs()) {
                (Some(set), _) => (VarType::Cell, Domain::Cells(set)),
                (None, Some(dirs)) => (VarType::Direction, Domain::Dirs(dirs)),
                (None, None) => return self.wrong_type("a set to choose from", &term, e.span),
            },
        })
    }

    fn let_(&mut self, name: &Name, value: &Expr, span: Span, out: &mut Block) -> Option<()> {
        let term = self.term(value)?;
        let (ty, value) = match self.storable(&term, value.span) {
            Some(v) => v,
            None => {
                // The name is bound all the same, so that its uses raise no further complaints.
                self.bind(name, VarType::Number);
                return None;
            }
        };
        let id = self.bind(name, ty);
        self.lints.named(id, name.span, &name.text);
        out.push((span, Step::Let(id, value)));
        Some(())
    }

    /// The type of variable that can hold a term.
    pub fn storable(&mut self, term: &Term, span: Span) -> Option<(VarType, Value)> {
        if let Some(truth) = term.as_truth() {
            return Some((VarType::Truth, Value::Truth(truth)));
        }
        match term {
            Term::Value(value) => {
                let ty = match value {
                    Value::Num(_) => VarType::Number,
                    Value::Truth(_) => VarType::Truth,
                    Value::Cell(_) => VarType::Cell,
                    Value::Cells(_) => VarType::Cells,
                    Value::Groups(_) => VarType::Groups,
                    Value::Run(_) => VarType::Run,
                    Value::Dir(_) => VarType::Direction,
                    Value::Dirs(_) => VarType::Directions,
                    Value::Player(_) => VarType::Player,
                    Value::Kind(_) => VarType::Kind,
                };
                Some((ty, value.clone()))
            }
            Term::Choice(c) if c.number.is_some() => {
                Some((VarType::Number, Value::Num(Num::Const(c.number?))))
            }
            Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a value that can be named", term, span)
            }
        }
    }

    /// `set v = e`, `set v of p = e`
    fn set(&mut self, target: &Expr, value: &Expr) -> Option<Step> {
        match &target.kind {
            ExprKind::Name(text) => {
                let id = self.settable(text, target.span)?;
                if self.vars[id.0 as usize].per != Per::Game {
                    return self.fail(
                        Diagnostic::new(
                            Code::WrongCount,
                            target.span,
                            format!("`{text}` is kept for each player or cell"),
                        )
                        .here("for which?")
                        .help(format!("write, for example, `set {text} of me = …`")),
                    );
                }
                let value = self.value_for(id, value)?;
                Some(Step::Let(id, value))
            }
            ExprKind::Call { name, args } => {
                let id = self.settable(&name.text, name.span)?;
                let [arg] = args.as_slice() else {
                    return self.fail(
                        Diagnostic::new(Code::WrongCount, target.span, "give one player or cell")
                            .here("not one"),
                    );
                };
                let per = self.vars[id.0 as usize].per;
                let term = self.term(&arg.value)?;
                match per {
                    Per::Player => {
                        let player = self.need_player(&term, arg.value.span)?;
                        Some(Step::LetOfPlayer(id, player, self.value_for(id, value)?))
                    }
                    Per::Cell => {
                        let cell = self.need_cell(&term, arg.value.span)?;
                        Some(Step::LetOfCell(id, cell, self.value_for(id, value)?))
                    }
                    Per::Game => self.fail(
                        Diagnostic::new(
                            Code::WrongCount,
                            target.span,
                            format!("`{}` is one value for the whole game", name.text),
                        )
                        .here("takes no `of`"),
                    ),
                }
            }
            _ => self.fail(
                Diagnostic::new(Code::Misplaced, target.span, "`set` changes a kept value")
                    .here("not the name of one"),
            ),
        }
    }

    /// The variable that may be set under a name.
    pub fn settable(&mut self, text: &str, span: Span) -> Option<VarId> {
        if let Some(&id) = self.kept.get(text) {
            self.lints.written(id);
            return Some(id);
        }
        let local = self.scope.iter().rev().find(|l| l.name == text);
        if let Some(Local {
            binding: Binding::Var(id),
            ..
        }) = local
        {
            let id = *id;
            return Some(id);
        }
        if self.is_broken(text) {
            return None;
        }
        if let Some(what) = self.meaning_of(text) {
            let text = format!("`{text}` is {what}, and cannot be set");
            let d = Diagnostic::new(Code::WrongType, span, text).here("not a kept value");
            return self.fail(d.help("only what is declared with `keep` or `mark` can be set"));
        }
        if let Some(d) = self.taken_out(Code::UnknownName, text, span) {
            return self.fail(d);
        }
        let known: Vec<&str> = self.kept.keys().map(String::as_str).collect();
        let d = Diagnostic::new(
            Code::UnknownName,
            span,
            format!("no kept value is called `{text}`"),
        )
        .here("not declared with `keep`");
        let d = match nearest(text, known) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None => d.help(format!("declare it: `keep {text} = 0`, `keep {text} = no` or `keep {text} = none`; to name a value use `let`")),
        };
        self.fail(d)
    }

    /// An expression as a value of a variable's type.
    fn value_for(&mut self, id: VarId, e: &Expr) -> Option<Value> {
        Some(match self.vars[id.0 as usize].ty {
            VarType::Number => Value::Num(self.number(e)?),
            VarType::Truth => Value::Truth(self.truth(e)?),
            VarType::Cell => Value::Cell(self.cell(e)?),
            VarType::Cells => Value::Cells(self.cells(e)?),
            VarType::Groups => Value::Groups(self.cells(e)?),
            VarType::Direction => {
                let term = self.term(e)?;
                Value::Dir(self.need_dir(&term, e.span)?)
            }
            VarType::Directions => Value::Dirs(self.dirs(e)?),
            VarType::Player => Value::Player(self.player(e)?),
            VarType::Kind => Value::Kind(self.kind(e)?),
            VarType::Run => {
                let term = self.term(e)?;
                Value::Run(self.need_run(&term, e.span)?)
            }
        })
    }
}
