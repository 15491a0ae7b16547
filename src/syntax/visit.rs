//! A walk over the parts of an item that say how a game is played: statements, plays, pictures, ends and expressions, in the
//! order of the text. Boards, options, players, pieces and notations are passed over. Nothing is changed.

use crate::syntax::ast::{
    Alternative, Argument, Attempt, Block, Bound, Choices, Count, EndClause, Expr, ExprKind, Item,
    ItemKind, Line, Rounds, Square, Statement, StatementKind, Trail, TrailLength,
};

/// A part that is met.
#[derive(Clone, Copy, Debug)]
pub enum Node<'t> {
    /// `move mover to target`
    Statement(&'t Statement),
    /// `A or B otherwise C`
    Play(&'t [Attempt]),
    /// `whole 1..n-1 enemy as foe`
    Square(&'t Square),
    /// `count of path + 1`
    Expr(&'t Expr),
    /// `end after turn { … }`, before its clauses
    End(&'t [EndClause]),
}

/// Shows every part of an item, each before what is in it.
pub fn visit<'t>(item: &'t Item, see: &mut dyn FnMut(Node<'t>)) {
    let mut walk = Walk { see };
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "the other items say nothing of how a game is played"
    )]
    match &item.kind {
        ItemKind::Keep(keep) => walk.expr(&keep.initial),
        ItemKind::Define { body, .. } => walk.expr(body),
        ItemKind::Setup(block) => walk.block(block),
        ItemKind::Rule(rule) => walk.block(&rule.body),
        ItemKind::Turn { test, body, .. } => {
            walk.maybe(test.as_ref());
            walk.block(body);
        }
        ItemKind::End { clauses, .. } | ItemKind::EndChange { clauses, .. } => {
            (walk.see)(Node::End(clauses));
            for clause in clauses {
                walk.expr(&clause.test);
            }
        }
        _ => {}
    }
}

struct Walk<'s, 't> {
    see: &'s mut dyn FnMut(Node<'t>),
}

impl<'t> Walk<'_, 't> {
    fn block(&mut self, block: &'t Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn maybe(&mut self, expr: Option<&'t Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        (self.see)(Node::Statement(statement));
        match &statement.kind {
            StatementKind::Choose { from, filter, .. } => {
                match from {
                    Choices::Set(set) => self.expr(set),
                    Choices::Range(least, most) => {
                        self.expr(least);
                        self.expr(most);
                    }
                    Choices::List(_) => {}
                }
                self.maybe(filter.as_ref());
            }
            StatementKind::Let { value: test, .. } | StatementKind::Require { test, .. } => {
                self.expr(test);
            }
            StatementKind::Set { target, value } => {
                self.expr(target);
                self.expr(value);
            }
            StatementKind::If { cases, otherwise } => {
                for (test, block) in cases {
                    self.expr(test);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::ForEach {
                from, filter, body, ..
            }
            | StatementKind::AnyOrder {
                from, filter, body, ..
            } => {
                self.expr(from);
                self.maybe(filter.as_ref());
                self.block(body);
            }
            StatementKind::Repeat { rounds, body, .. } => {
                match rounds {
                    Rounds::Possible => {}
                    Rounds::While(test) => self.expr(test),
                    Rounds::Times { least, most } => {
                        self.maybe(least.as_ref());
                        self.expr(most);
                    }
                }
                self.block(body);
            }
            StatementKind::Play(attempts) => self.play(attempts),
            StatementKind::Effect {
                object, phrases, ..
            } => {
                self.maybe(object.as_ref());
                phrases.iter().for_each(|(_, value)| self.expr(value));
            }
        }
    }

    fn play(&mut self, attempts: &'t [Attempt]) {
        (self.see)(Node::Play(attempts));
        for attempt in attempts {
            for alternative in &attempt.alternatives {
                match alternative {
                    Alternative::Block(block) => self.block(block),
                    Alternative::Line(line) => self.line(line),
                    Alternative::Trail(trail) => self.trail(trail),
                    Alternative::Pass(_) => {}
                    Alternative::Rule { args, .. } => self.arguments(args),
                }
            }
            self.maybe(attempt.preferring.as_ref().map(|(_, key)| key));
        }
    }

    fn line(&mut self, line: &'t Line) {
        self.maybe(line.ways.as_ref());
        for square in &line.squares {
            (self.see)(Node::Square(square));
            match &square.count {
                Some(Count::Exactly(count)) => self.expr(count),
                Some(Count::Range(least, most)) => {
                    self.expr(least);
                    self.maybe(most.as_ref());
                }
                None => {}
            }
            self.maybe(square.class.as_ref());
        }
    }

    fn trail(&mut self, trail: &'t Trail) {
        self.maybe(trail.start.as_ref().map(|(set, _)| set));
        for step in &trail.steps {
            self.line(&step.line);
            step.body.iter().for_each(|body| self.block(body));
        }
        self.maybe(trail.between.as_ref());
        self.maybe(trail.finish.as_ref().map(|(set, _)| set));
        if let Some(TrailLength::Range { least, most, .. }) = &trail.length {
            self.expr(least);
            match most {
                Bound::At(most) => self.expr(most),
                Bound::Same | Bound::Open => {}
            }
        }
    }

    fn arguments(&mut self, args: &'t [Argument]) {
        for argument in args {
            self.expr(&argument.value);
            self.maybe(argument.to.as_ref());
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        (self.see)(Node::Expr(expr));
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Name(_) => {}
            ExprKind::Call { args, .. } => self.arguments(args),
            ExprKind::Together(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Infix { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Prefix { value, .. } => self.expr(value),
            ExprKind::Where { set, test: with }
            | ExprKind::With { set, key: with, .. }
            | ExprKind::Seen { set, player: with } => {
                self.expr(set);
                self.expr(with);
            }
            ExprKind::If { test, yes, no } => {
                self.expr(test);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Line(line) | ExprKind::From { line, .. } => self.line(line),
            ExprKind::Trail(trail) => self.trail(trail),
            ExprKind::Can { player, .. } => self.maybe(player.as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::syntax::parse;
    use crate::syntax::visit::{Node, visit};

    #[test]
    fn parts_come_in_the_order_of_the_text() {
        let text = "rule Go {\n  if a < 1 { move b to c }\n  line d [ whole 2..e f ]\n  R(g) preferring most h\n}\n\
                    end after turn {\n  win when i or not j\n}\n";
        let (file, diagnostics) = parse(&Source::new("x", text));
        assert!(diagnostics.as_slice().is_empty());
        let (mut names, mut others) = (String::new(), Vec::new());
        for item in &file.items {
            visit(item, &mut |node| match node {
                Node::Expr(e) => names += &text[e.span.range()],
                Node::Statement(_) => others.push("statement"),
                Node::Play(_) => others.push("play"),
                Node::Square(_) => others.push("square"),
                Node::End(_) => others.push("end"),
            });
        }
        assert_eq!(names, "a < 1a1bcd2efghi or not jinot jj");
        assert_eq!(
            others,
            [
                "statement",
                "statement",
                "statement",
                "play",
                "square",
                "statement",
                "play",
                "end"
            ]
        );
    }
}
