//! What the options must fulfil together, and which of them count only under a condition. In: the conditions of a file. Out:
//! diagnostics that name the nearest values that would do.

use crate::base::{Code, Diagnostic};
use crate::model::options::Choice;
use crate::model::resolver::Resolver;
use crate::program::Truth;
use crate::syntax::ast::{Expr, File, ItemKind, Name};

/// So many values of each option are tried to find one that would do.
const TRIED: usize = 64;

impl Resolver<'_> {
    /// The conditions that the options together must fulfil.
    pub fn conditions(&mut self, file: &File) {
        let conditions: Vec<(&Expr, &Name)> = file
            .items
            .iter()
            .filter_map(|i| match &i.kind {
                ItemKind::Require { test, reason } => Some((test, reason)),
                _ => None,
            })
            .collect();
        let tests: Vec<&Expr> = conditions.iter().map(|c| c.0).collect();
        for (test, reason) in &conditions {
            match self.truth(test) {
                Some(Truth::Const(true)) | None => {}
                Some(Truth::Const(false)) => {
                    let now: Vec<String> = self
                        .options
                        .values()
                        .iter()
                        .map(|o| format!("{}={}", o.name, o.value))
                        .collect();
                    let near = self.near(&tests);
                    let help = if near.is_empty() {
                        "choose other values with --set".to_owned()
                    } else {
                        format!("the nearest that would do: {}", near.join(" or "))
                    };
                    self.report(
                        Diagnostic::new(Code::OptionRefused, test.span, reason.text.clone())
                            .here(format!("does not hold for {}", now.join(" ")))
                            .help(help),
                    );
                }
                Some(_) => {
                    self.not_fixed::<()>("the condition", test.span);
                }
            }
        }
        self.idle_options();
    }

    /// Options that were set although their conditions do not hold.
    fn idle_options(&mut self) {
        for (number, option, set) in self.options.conditional() {
            let Some(when) = &option.when else { continue };
            match self.truth(when) {
                Some(Truth::Const(true)) | None => continue,
                Some(Truth::Const(false)) => self.options.set_idle(number),
                Some(_) => {
                    self.not_fixed::<()>("the condition", when.span);
                    continue;
                }
            }
            if set {
                let near = self.near(&[when]);
                let name = &option.name.text;
                let d = Diagnostic::new(
                    Code::IdleOption,
                    when.span,
                    format!("`{name}` is set, and changes nothing here"),
                )
                .here("it counts only under this condition");
                let help = if near.is_empty() {
                    format!("leave `{name}` out")
                } else {
                    format!("leave `{name}` out, or set also {}", near.join(" or "))
                };
                self.report(d.help(help));
            }
        }
    }

    /// The settings nearest to those in force under which all tests hold, one option changed: of each option the nearest
    /// value below and above, or word.
    fn near(&mut self, tests: &[&Expr]) -> Vec<String> {
        let (mark, work) = (self.diagnostics.as_slice().len(), self.work);
        let mut found = Vec::new();
        for number in 0..self.options.len() {
            let (mut below, mut above) = (false, false);
            for value in self.options.others(number, TRIED) {
                let now = self.options.exchange(number, value.clone());
                let less = value.number < now.number;
                let wanted = if less { !below } else { !above };
                let holds = wanted && self.all_hold(tests);
                self.options.exchange(number, now);
                if holds {
                    found.push(setting(&value));
                    if less {
                        below = true;
                    } else {
                        above = true;
                    }
                }
            }
        }
        self.diagnostics.retain_after(mark, |_| false);
        self.work = work;
        found
    }

    fn all_hold(&mut self, tests: &[&Expr]) -> bool {
        tests
            .iter()
            .all(|test| self.truth(test) == Some(Truth::Const(true)))
    }
}

fn setting(value: &Choice) -> String {
    format!("{}={}", value.option, value.text())
}
