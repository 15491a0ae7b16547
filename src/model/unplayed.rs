//! Rules that nothing plays and definitions that nothing uses are looked at all the same: their names must be right. What
//! they are given is not known, so that values of every type are tried, and the trial that goes best tells.

use crate::base::{Code, Diagnostic};
use crate::model::names::{Binding, Local};
use crate::model::resolver::Resolver;
use crate::program::{Life, VarType};
use crate::syntax::ast::{Name, Params};

/// What may be handed to a rule or definition; what is most common comes first.
const TYPES: [VarType; 9] = [
    VarType::Cell,
    VarType::Player,
    VarType::Number,
    VarType::Cells,
    VarType::Kind,
    VarType::Direction,
    VarType::Groups,
    VarType::Run,
    VarType::Truth,
];

/// When trials have taken so much work, no more is tried.
const ENOUGH: u64 = 20_000;

/// With more values than this all of them are tried with one type at a time.
const MIXED: usize = 3;

impl Resolver<'_> {
    /// Looks for wrong names in what nothing plays or uses; it is put nowhere.
    pub fn look_at_unplayed(&mut self) {
        let rules: Vec<usize> = (0..self.rules.len())
            .filter(|&at| !self.rules[at].used)
            .collect();
        let defines: Vec<usize> = (0..self.defines.len())
            .filter(|&at| !self.defines[at].used)
            .collect();
        for &at in &rules {
            let rule = self.rules[at].rule;
            self.tried(&rule.params, |r, given| {
                r.enter(&rule.name.text, rule.name.span, |r| r.rule_body(at, given));
            });
        }
        for &at in &defines {
            let (name, body) = (self.defines[at].name, self.defines[at].body);
            let params: &[Name] = match self.defines[at].params {
                Params::Names(names) => names,
                Params::None | Params::Case(_) => &[],
            };
            self.tried(params, |r, given| {
                r.enter(&name.text, name.span, |r| r.apart(given, |r| r.term(body)));
            });
        }
        for at in rules {
            self.rules[at].used = false;
        }
        for at in defines {
            self.defines[at].used = false;
        }
    }

    /// Tries something with values of all types, and reports the names that are wrong in the trial with the fewest complaints
    /// of any other kind.
    fn tried(&mut self, params: &[Name], run: impl Fn(&mut Self, Vec<Local>)) {
        let places = u32::try_from(params.len().min(MIXED)).unwrap_or(0);
        let trials = match params.len() {
            0..=MIXED => TYPES.len().pow(places),
            _ => TYPES.len(),
        };
        let mut best: Option<(usize, Vec<Diagnostic>)> = None;
        let mut spent = 0;
        for trial in 0..trials {
            let type_of = |at: usize| match u32::try_from(at) {
                Ok(at) if params.len() <= MIXED => TYPES[trial / TYPES.len().pow(at) % TYPES.len()],
                _ => TYPES[trial],
            };
            let (found, work) = self.unheard(|r| {
                let given = params.iter().enumerate().map(|(at, name)| Local {
                    name: name.text.clone(),
                    span: name.span,
                    binding: Binding::Var(r.new_var(&name.text, type_of(at), Life::Local)),
                });
                let given = given.collect();
                run(r, given);
            });
            let others = found.iter().filter(|d| !is_of_names(d)).count();
            if best.as_ref().is_none_or(|(fewest, _)| others < *fewest) {
                best = Some((others, found));
            }
            spent += work;
            if best.as_ref().is_some_and(|(fewest, _)| *fewest == 0) || spent > ENOUGH {
                break;
            }
        }
        let Some((_, found)) = best else { return };
        for d in found.into_iter().filter(is_of_names) {
            self.report(d);
        }
    }

    /// What is found in something that leaves nothing behind, and the work that it took.
    fn unheard(&mut self, run: impl FnOnce(&mut Self)) -> (Vec<Diagnostic>, u64) {
        let mark = self.diagnostics.as_slice().len();
        let (work, uses, named) = (self.work, self.uses.clone(), self.options.named());
        let marks = [
            self.blocks.len(),
            self.templates.len(),
            self.reasons.len(),
            self.mirrors.len(),
        ];
        let mut found = Vec::new();
        self.dead(|r| {
            run(r);
            found = r.diagnostics.as_slice()[mark..].to_vec();
        });
        self.diagnostics.retain_after(mark, |_| false);
        let spent = self.work.saturating_sub(work);
        (self.work, self.uses) = (work, uses);
        self.options.forget_since(&named);
        self.blocks.truncate(marks[0]);
        self.templates.truncate(marks[1]);
        self.reasons.truncate(marks[2]);
        self.mirrors.truncate(marks[3]);
        (found, spent)
    }
}

/// Whether it is wrong whatever is handed over.
fn is_of_names(d: &Diagnostic) -> bool {
    matches!(
        d.code,
        Code::UnknownName
            | Code::UnknownRule
            | Code::UnknownVerb
            | Code::UnknownPlayer
            | Code::BadOption
            | Code::EndlessRule
    )
}
