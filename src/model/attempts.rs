//! Plays: alternatives, `if possible`, `preferring`, `otherwise`. A rule that is played is put in place here.

use crate::base::{Code, Diagnostic, Span};
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::model::{Block, Step};
use crate::program::{Effect, Life, Part, SubId, Template, VarId, VarType, num_vars};
use crate::syntax::ast::{Alternative, Attempt, Extreme};
use std::collections::BTreeMap;

impl Resolver<'_> {
    /// `A or B preferring most e otherwise C`
    pub fn play(&mut self, attempts: &[Attempt], span: Span, out: &mut Block) -> Option<()> {
        if let [only] = attempts
            && !only.if_possible
            && only.preferring.is_none()
        {
            return self.alternatives(&only.alternatives, only.span, out);
        }
        // All are looked at before one that makes no sense spoils the play.
        let blocks: Vec<Option<Block>> = attempts
            .iter()
            .map(|attempt| self.scoped(|r| r.attempt(attempt)))
            .collect();
        let mut tries = Vec::new();
        for block in blocks {
            tries.push(self.new_block(block?));
        }
        if let ([only], [attempt]) = (tries.as_slice(), attempts) {
            let step = if attempt.if_possible {
                Step::IfPossible(*only)
            } else {
                Step::Run(*only)
            };
            out.push((span, step));
            return Some(());
        }
        if let Some(early) = attempts.iter().rev().skip(1).find(|a| a.if_possible) {
            return self.fail(
                Diagnostic::new(
                    Code::Misplaced,
                    early.span,
                    "`if possible` never leads to `otherwise`",
                )
                .here("this always succeeds")
                .help("leave out `if possible`: `otherwise` is for when it cannot be played"),
            );
        }
        if attempts.last().is_some_and(|a| a.if_possible)
            && let Some(last) = tries.pop()
        {
            let optional = self.new_block(vec![(span, Step::IfPossible(last))]);
            tries.push(optional);
        }
        out.push((span, Step::Otherwise(tries)));
        Some(())
    }

    fn attempt(&mut self, attempt: &Attempt) -> Option<Block> {
        let mut block = Vec::new();
        let sense = self.alternatives(&attempt.alternatives, attempt.span, &mut block);
        let Some((extreme, key)) = &attempt.preferring else {
            return sense.map(|()| block);
        };
        let key_span = key.span;
        let key = self.number(key)?;
        sense?;
        let actions = self.system.actions;
        if num_vars(&key).reads.iter().any(|v| Some(*v) == actions) {
            return self.fail(
                Diagnostic::new(
                    Code::Misplaced,
                    key_span,
                    "`actions` cannot tell which way has most or least",
                )
                .here("it counts what is complete, which a way that is compared is not yet")
                .help("count in the rule: `keep steps = 0 each turn`, and `set steps = steps + 1` where it acts"),
            );
        }
        let into = self.new_var("best", VarType::Number, Life::Local);
        let body = self.new_block(block);
        Some(vec![(
            key_span,
            Step::Preferring {
                body,
                key,
                most: *extreme == Extreme::Most,
                into,
            },
        )])
    }

    /// Alternatives joined by `or`. Names bound in each of them can be used afterwards.
    fn alternatives(&mut self, list: &[Alternative], span: Span, out: &mut Block) -> Option<()> {
        if let [only] = list {
            return self.alternative(only, span, out);
        }
        let outer_reuse = self.reuse.clone();
        let mut blocks = Vec::new();
        let mut common: Option<BTreeMap<String, (Span, VarId)>> = None;
        let depth = self.scope.len();
        for alternative in list {
            self.reuse = outer_reuse.clone();
            if let Some(names) = &common {
                self.reuse
                    .extend(names.iter().map(|(n, (_, id))| (n.clone(), *id)));
            }
            let mut block = Vec::new();
            if let Alternative::Block(statements) = alternative {
                // Its names are seen behind it, if all others give them too.
                let steps = self.block(statements);
                let body = self.new_block(steps);
                block.push((span, Step::Run(body)));
            } else if self.alternative(alternative, span, &mut block).is_none()
                && let Alternative::Line(line) = alternative
            {
                let names: Vec<String> = line.names().map(|n| n.text.clone()).collect();
                self.broken.extend(names);
            }
            let names = self.scope[depth..].iter().map(|l| l.name.clone());
            self.ended.extend(names);
            let bound: BTreeMap<String, (Span, VarId)> = self
                .scope
                .drain(depth..)
                .filter_map(|l| {
                    if let Binding::Var(id) = l.binding {
                        Some((l.name, (l.span, id)))
                    } else {
                        None
                    }
                })
                .collect();
            common = Some(match common {
                None => bound,
                Some(names) => names
                    .into_iter()
                    .filter(|(n, (_, id))| bound.get(n).is_some_and(|b| b.1 == *id))
                    .collect(),
            });
            blocks.push(self.new_block(block));
        }
        self.reuse = outer_reuse;
        for (name, (span, id)) in common.unwrap_or_default() {
            self.scope.push(Local {
                name,
                span,
                binding: Binding::Var(id),
            });
        }
        out.push((span, Step::Either(blocks)));
        Some(())
    }

    fn alternative(
        &mut self,
        alternative: &Alternative,
        span: Span,
        out: &mut Block,
    ) -> Option<()> {
        match alternative {
            Alternative::Block(block) => {
                let body = self.inner(block);
                out.push((span, Step::Run(body)));
            }
            Alternative::Line(line) => {
                self.lint_picture(line);
                let picture = self.picture(line)?;
                self.lint_tail(line, &picture);
                out.push((line.span, Step::Line(Box::new(picture))));
            }
            Alternative::Trail(trail) => {
                let block = self.trail(trail)?;
                out.extend(block);
            }
            Alternative::Pass(at) => {
                let step = self.pass(*at);
                out.push((*at, step));
            }
            Alternative::Rule { name, args } => {
                let step = self.rule_call(name, args)?;
                out.push((name.span, step));
            }
        }
        Some(())
    }

    fn pass(&mut self, span: Span) -> Step {
        let body: SubId = self.new_block(vec![(span, Step::Effect(Effect::Pass))]);
        let mark = self.new_var("text", VarType::Number, Life::Local);
        let template = self.new_template(Template {
            name: "pass".to_owned(),
            parts: vec![Part::Text("pass".to_owned())],
            mark,
            span,
        });
        Step::Written(template, body)
    }
}
