//! Effect statements: the verb is looked up in its table, its object and phrases are handed to the row.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::model::resolver::Resolver;
use crate::model::words::verbs::{self, Frame};
use crate::program::{Effect, KindExpr, KindInfo, Num, PlayerExpr, VarId, VarType};
use crate::syntax::ast::{Expr, ExprKind, Name};
use crate::syntax::{EFFECTS, second_statement};

impl Resolver<'_> {
    /// `verb object preposition value …`
    pub fn effect(
        &mut self,
        verb: &Name,
        object: Option<&Expr>,
        phrases: &[(Name, Expr)],
    ) -> Option<Effect> {
        let Some(row) = verbs::verb(&verb.text) else {
            let d = self.no_verb(verb, object);
            return self.fail(d);
        };
        for (at, (preposition, value)) in phrases.iter().enumerate() {
            let known = row.prepositions.contains(&preposition.text.as_str());
            if !known
                || phrases[..at]
                    .iter()
                    .any(|(p, _)| p.text == preposition.text)
            {
                if let Some((second, span)) = second_verb(object, &phrases[..at]) {
                    return self.fail(second_statement(second, span));
                }
                let what = if known { "twice" } else { "here" };
                return self.fail(
                    Diagnostic::new(
                        Code::WrongCount,
                        preposition.span.to(value.span),
                        format!("`{}` takes no `{}` {what}", row.name, preposition.text),
                    )
                    .here("does not belong to it")
                    .help(format!("write `{}`", row.frame)),
                );
            }
        }
        let frame = Frame {
            verb,
            row,
            object,
            phrases,
        };
        (row.meaning)(self, &frame)
    }

    /// The object of an effect.
    pub fn object<'e>(&mut self, frame: &Frame<'e>) -> Option<&'e Expr> {
        match frame.object {
            Some(e) => Some(e),
            None => self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    frame.verb.span,
                    format!("`{}` what?", frame.row.name),
                )
                .here("something is missing behind it")
                .help(format!("write `{}`", frame.row.frame)),
            ),
        }
    }

    /// What stands behind a preposition.
    pub fn phrase<'e>(&mut self, frame: &Frame<'e>, preposition: &str) -> Option<&'e Expr> {
        match frame.find(preposition) {
            Some(e) => Some(e),
            None => self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    frame.verb.span,
                    format!("`{}` needs `{preposition}`", frame.row.name),
                )
                .here(format!("`{preposition} …` is missing"))
                .help(format!("write `{}`", frame.row.frame)),
            ),
        }
    }

    /// How many times; once when nothing is said.
    pub fn times(&mut self, frame: &Frame<'_>) -> Option<Num> {
        match frame.find("times") {
            Some(e) => self.number(e),
            None => Some(Num::Const(1)),
        }
    }

    /// A new piece: `stone`, `stone of p`, `token`; whose it is unless it is neutral.
    pub fn new_piece(&mut self, e: &Expr) -> Option<(KindExpr, Option<PlayerExpr>)> {
        let (name, owner) = match &e.kind {
            ExprKind::Name(text) => (
                Name {
                    text: text.clone(),
                    span: e.span,
                },
                None,
            ),
            ExprKind::Call { name, args } if args.len() == 1 => {
                let owner = self.player(&args.first()?.value)?;
                (name.clone(), Some(owner))
            }
            ExprKind::Together(parts) => {
                let d = self.misspelt_between(parts);
                return match d.or_else(|| self.new_piece_of(parts, e.span)) {
                    Some(d) => self.fail(d),
                    None => self.no_kind(e.span, ""),
                };
            }
            _ => return self.no_kind(e.span, ""),
        };
        if let Some(id) = self.kind_named(&name.text) {
            let neutral = self.kinds[id.0 as usize].neutral;
            if neutral && owner.is_some() {
                return self.fail(
                    Diagnostic::new(
                        Code::WrongType,
                        e.span,
                        format!("`{}` belongs to nobody", name.text),
                    )
                    .here("neutral")
                    .repair(name.text.clone()),
                );
            }
            let owner = if neutral {
                None
            } else {
                Some(owner.unwrap_or(PlayerExpr::Me))
            };
            return Some((KindExpr::Const(id), owner));
        }
        let is_var = self.scope.iter().any(|l| l.name == name.text);
        if !is_var {
            return self.no_kind(name.span, &name.text);
        }
        let term = self.name(&name.text, name.span)?;
        let kind = self.need_kind(&term, name.span)?;
        Some((kind, Some(owner.unwrap_or(PlayerExpr::Me))))
    }

    /// A kind of which pieces are held in hands: none that is nobody's.
    pub fn kind_in_hand(&mut self, e: &Expr) -> Option<KindExpr> {
        let kind = self.kind(e)?;
        let KindExpr::Const(id) = kind else {
            return Some(kind);
        };
        let info = &self.kinds[usize::from(id.0)];
        if !info.neutral {
            return Some(kind);
        }
        let name = info.name.clone();
        self.fail(
            Diagnostic::new(
                Code::WrongType,
                e.span,
                format!("`{name}` belongs to nobody, and is in no hand"),
            )
            .here("neutral")
            .help(format!(
                "place it, `place {name} at spot`, and keep how many each may place: `keep left of each player = 5`"
            )),
        )
    }

    fn no_kind<T>(&mut self, span: Span, text: &str) -> Option<T> {
        if self.is_broken(text) || self.kinds.is_empty() && self.diagnostics.has_errors() {
            return None;
        }
        if let Some(d) = self.taken_out(Code::UnknownName, text, span) {
            return self.fail(d);
        }
        let names: Vec<&KindInfo> = self.kinds.iter().collect();
        let list: Vec<String> = names.iter().map(|k| k.name.clone()).collect();
        let d = Diagnostic::new(
            Code::UnknownName,
            span,
            if text.is_empty() {
                "expected a piece kind".to_owned()
            } else {
                format!("no piece kind is called `{text}`")
            },
        )
        .here("not a piece kind");
        self.fail(match nearest(text, list.iter().map(String::as_str)) {
            Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
            None => d.help(format!("the piece kinds are {}", list.join(", "))),
        })
    }

    /// The kept set of cells behind `as`.
    pub fn kept_set(&mut self, frame: &Frame<'_>) -> Option<VarId> {
        let e = self.phrase(frame, "as")?;
        let ExprKind::Name(text) = &e.kind else {
            return self.fail(
                Diagnostic::new(Code::Misplaced, e.span, "expected the name of a mark")
                    .here("not a name"),
            );
        };
        let id = self.settable(text, e.span)?;
        if self.vars[id.0 as usize].ty != VarType::Cells {
            let found = self.vars[id.0 as usize].ty.name();
            return self.fail(
                Diagnostic::new(
                    Code::WrongType,
                    e.span,
                    format!("expected a mark or a kept set of cells, found a {found}"),
                )
                .here("not a set of cells"),
            );
        }
        Some(id)
    }

    /// Needs a board that holds stacks.
    pub fn needs_stacks(&mut self, frame: &Frame<'_>) -> Option<()> {
        if self.stacking {
            return Some(());
        }
        self.fail(
            Diagnostic::new(
                Code::Misplaced,
                frame.verb.span,
                format!("`{}` needs a board that holds stacks", frame.row.name),
            )
            .here("one piece a cell")
            .help("add `stacking` to the board's line"),
        )
    }
}

/// The verb of another effect among what stands behind one, where it is taken for one of the names before it.
fn second_verb<'e>(
    object: Option<&'e Expr>,
    phrases: &'e [(Name, Expr)],
) -> Option<(&'e str, Span)> {
    let values = object.into_iter().chain(phrases.iter().map(|(_, e)| e));
    let together = values.filter_map(|e| match &e.kind {
        ExprKind::Together(parts) => parts.get(1..),
        _ => None,
    });
    together.flatten().find_map(|part| match &part.kind {
        ExprKind::Name(name) if EFFECTS.contains(&name.as_str()) => Some((&**name, part.span)),
        _ => None,
    })
}
