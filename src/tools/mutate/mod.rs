//! Small changes of the rules, and who notices them: a text with its tree and the game that it makes in, a verdict on each
//! change out. What nobody notices is a hole in the tests, unless the changed game is the same.

mod places;
mod words;

pub use places::mutants;

use crate::base::Span;
use crate::engine::Engine;
use crate::tools::compare::{Comparison, Plan, compare, unexplained};
use crate::tools::perft::shared_out;

/// A small change of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mutant {
    /// The place that is changed.
    pub span: Span,
    /// What stands there.
    pub old: String,
    /// What is written instead; nothing where something is left out.
    pub new: String,
}

impl Mutant {
    /// The text after the change.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        [before, &self.new, after].concat()
    }
}

/// A test that may notice a change: what it is called in the summary, and whether it fails for a text and the game of it.
pub type Notice<'n> = (&'n str, &'n (dyn Fn(&str, &Engine) -> bool + Sync));

/// What became of a change.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// The changed text is no game.
    Refused,
    /// The test of that number notices it first.
    Noticed(usize),
    /// No test notices it, and the comparison with the unchanged game tells a difference.
    Unnoticed(Box<Comparison>),
    /// No test notices it, and no difference was found.
    Alike(Box<Comparison>),
    /// It makes the very same program.
    Same,
}

/// A change with what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The change.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
}

/// So many of the changes, spread evenly over all of them.
#[must_use]
pub fn some_of(mutants: Vec<Mutant>, limit: usize) -> Vec<Mutant> {
    let all = mutants.len();
    if all <= limit {
        return mutants;
    }
    let chosen = |at: usize| at * limit / all != (at + 1) * limit / all;
    let mutants = mutants.into_iter().enumerate();
    mutants
        .filter(|(at, _)| chosen(*at))
        .map(|(_, mutant)| mutant)
        .collect()
}

/// Tries each change: `compile` makes a game of a text, the tests are asked in their order, and what they let pass is
/// compared with the original. The threads of the plan are shared by the changes; the order stays.
#[must_use]
pub fn mutate(
    text: &str,
    mutants: Vec<Mutant>,
    original: &Engine,
    compile: &(dyn Fn(&str) -> Option<Engine> + Sync),
    notices: &[Notice<'_>],
    plan: &Plan,
) -> Vec<Verdict> {
    let alone = Plan {
        threads: 1,
        ..*plan
    };
    let fates = shared_out(plan.threads, &mutants, |mutant| {
        let changed = mutant.apply(text);
        let Some(engine) = compile(&changed) else {
            return Fate::Refused;
        };
        let noticed = |(_, notices): &Notice<'_>| notices(&changed, &engine);
        if let Some(by) = notices.iter().position(noticed) {
            return Fate::Noticed(by);
        }
        // Under other options it may be another one.
        if engine.rules_hash() == original.rules_hash() {
            return Fate::Same;
        }
        let comparison = Box::new(compare(original, &engine, &alone, &unexplained));
        if comparison.difference.is_some() {
            Fate::Unnoticed(comparison)
        } else {
            Fate::Alike(comparison)
        }
    });
    let all = mutants.into_iter().zip(fates);
    all.map(|(mutant, fate)| Verdict { mutant, fate }).collect()
}

/// The numbers of the verdicts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sums {
    /// No games.
    pub refused: usize,
    /// Noticed by each of the tests.
    pub noticed: Vec<usize>,
    /// Other games that nobody notices.
    pub unnoticed: usize,
    /// Perhaps the same game.
    pub alike: usize,
}

/// Counts the verdicts, under so many tests.
#[must_use]
pub fn sums(verdicts: &[Verdict], tests: usize) -> Sums {
    let mut sums = Sums {
        noticed: vec![0; tests],
        ..Sums::default()
    };
    for verdict in verdicts {
        match verdict.fate {
            Fate::Refused => sums.refused += 1,
            Fate::Noticed(by) => {
                if let Some(count) = sums.noticed.get_mut(by) {
                    *count += 1;
                }
            }
            Fate::Unnoticed(_) => sums.unnoticed += 1,
            Fate::Alike(_) | Fate::Same => sums.alike += 1,
        }
    }
    sums
}

#[cfg(test)]
mod tests;
