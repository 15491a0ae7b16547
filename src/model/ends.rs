//! Ends: clauses with a moment, a result and a condition.

use crate::base::{Code, Diagnostic};
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::program::{End, EndResult, Moment, Num, PlayerExpr, PlayerId, Truth, Value};
use crate::syntax::ast::{
    EndClause, EndResult as AstResult, File, ItemKind, Moment as AstMoment, Name,
};

impl Resolver<'_> {
    /// All ends in the order of the text.
    pub fn ends(&mut self, file: &File) -> Vec<End> {
        let mut ends = Vec::new();
        for item in &file.items {
            let ItemKind::End { moment, clauses } = &item.kind else {
                continue;
            };
            let moment = match moment {
                AstMoment::StartOfTurn => Moment::StartOfTurn,
                AstMoment::AfterTurn => Moment::AfterTurn,
                AstMoment::AfterAction => Moment::AfterAction,
            };
            for clause in clauses {
                self.moment = Some(moment);
                let end = self.end(moment, clause);
                self.moment = None;
                ends.extend(end);
            }
        }
        ends
    }

    fn end(&mut self, moment: Moment, clause: &EndClause) -> Option<End> {
        let test = self.truth(&clause.test)?;
        if test == Truth::Const(false) && self.options.names().next().is_none() {
            self.report(
                Diagnostic::new(Code::NeverHolds, clause.test.span, "this end never comes")
                    .here("false whatever happens"),
            );
        }
        let (result, what) = match &clause.result {
            AstResult::Win => (EndResult::Win, "win"),
            AstResult::Lose => (EndResult::Lose, "lose"),
            AstResult::Draw => (EndResult::Draw, "draw"),
            AstResult::Score(name) => (EndResult::Score(self.scores(name)?), "score"),
        };
        let name = clause
            .name
            .as_ref()
            .map_or_else(|| what.to_owned(), |n| n.text.clone());
        Some(End {
            moment,
            name: name.into(),
            result,
            test,
            span: clause.span,
        })
    }

    /// The number that counts for each player: a definition or a value kept for each player.
    fn scores(&mut self, name: &Name) -> Option<Vec<Num>> {
        let mut scores = Vec::new();
        for at in 0..self.players.len() {
            let player = PlayerId(u8::try_from(at).unwrap_or(0));
            let given = Term::Value(Value::Player(PlayerExpr::Const(player)));
            let term = self.function_of(name, given)?;
            scores.push(self.need_number(&term, name.span)?);
        }
        Some(scores)
    }

    /// `name of value`, the value being known already.
    fn function_of(&mut self, name: &Name, given: Term) -> Option<Term> {
        use crate::model::names::{Binding, Local};
        use crate::syntax::ast::{Argument, Expr, ExprKind};
        let hidden = " score";
        let local = Local {
            name: hidden.to_owned(),
            span: name.span,
            binding: Binding::Term(given, 1),
        };
        self.scope.push(local);
        let value = Expr {
            span: name.span,
            kind: ExprKind::Name(hidden.to_owned()),
        };
        let call = Expr {
            span: name.span,
            kind: ExprKind::Call {
                name: name.clone(),
                args: vec![Argument { value, to: None }],
            },
        };
        let term = self.term(&call);
        self.scope.pop();
        term
    }
}
