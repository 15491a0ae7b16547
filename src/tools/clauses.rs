//! Clauses by their place in the text: a program and what was counted while it ran in, for each clause how often it was tried
//! and how much it let through out. Instructions of the same place are one clause, in whatever program they stand.

use crate::base::Span;
use crate::engine::Watch;
use crate::program::{Cells, Life, NO_PC, Op, Pc, Program, Truth, VarId};
use crate::tools::sections::Sections;
use std::collections::BTreeMap;

/// A clause of the rules.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Clause {
    /// Its place.
    pub place: Span,
    /// What it is.
    pub kind: ClauseKind,
    /// The text of a requirement; else empty.
    pub text: String,
}

/// The kinds of clauses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClauseKind {
    /// `A otherwise B`, `if possible`, `repeat`: lets through what can be played.
    Order,
    /// `if e { … }`
    Condition,
    /// `choose`
    Choice,
    /// `line [ … ]`
    Picture,
    /// `require`, and what a trail or a preference demands.
    Requirement,
    /// An effect, or `set`.
    Effect,
}

impl ClauseKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Order => "order",
            ClauseKind::Condition => "condition",
            ClauseKind::Choice => "choice",
            ClauseKind::Picture => "picture",
            ClauseKind::Requirement => "requirement",
            ClauseKind::Effect => "effect",
        }
    }

    /// Whether a run ends at a clause that lets nothing through.
    #[must_use]
    pub fn refuses(self) -> bool {
        match self {
            ClauseKind::Order | ClauseKind::Condition => false,
            ClauseKind::Choice
            | ClauseKind::Picture
            | ClauseKind::Requirement
            | ClauseKind::Effect => true,
        }
    }
}

/// How often something was come to, and how much it let through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// How often it was tried.
    pub tried: u64,
    /// How many ways went on behind it.
    pub passed: u64,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: Counts) {
        self.tried += other.tried;
        self.passed += other.passed;
    }
}

/// The counts of every clause, in the order of places.
pub type Clauses = BTreeMap<Clause, Counts>;

/// Adds what was counted in a program, clauses that were never reached with zeros. What stands in definitions and ends is no
/// clause of a rule; of a watch that counts only what is listed, what is only asked about is left out.
pub fn gather(clauses: &mut Clauses, program: &Program, sections: &Sections, watch: &Watch) {
    let last = if watch.listing_only {
        first_sub(program)
    } else {
        program.code.len()
    };
    for at in setup_end(program)..last {
        let place = program.places[at];
        let kind = kind_of(program, sections, pc_of(at));
        if let Some(kind) = kind.filter(|_| sections.at(place).is_some()) {
            let op = &program.code[at];
            let tried = count(&watch.reached, at);
            let set = matches!(op, Op::Let(..) | Op::LetOfPlayer(..) | Op::LetOfCell(..));
            let passed = if set { tried } else { count(&watch.passed, at) };
            let text = if let Op::Require(_, reason) = op {
                program.reasons[reason.0 as usize].text.clone()
            } else {
                String::new()
            };
            let clause = Clause { place, kind, text };
            let sum = clauses.entry(clause).or_default();
            sum.add(Counts { tried, passed });
        }
    }
}

/// For each section how many actions its rules have completed; nothing for a rule that no turn plays by itself.
pub fn actions(program: &Program, sections: &Sections, watch: &Watch, sums: &mut Vec<Option<u64>>) {
    sums.resize(sections.list.len(), None);
    for (at, op) in program.code.iter().enumerate() {
        let Some(Op::Close(template)) = at.checked_sub(1).map(|before| &program.code[before])
        else {
            continue;
        };
        if *op == Op::ActionDone {
            let name = &program.templates[template.0 as usize].name;
            let section = sections.rule(name);
            if let Some(section) = section.or_else(|| sections.at(program.places[at])) {
                *sums[section].get_or_insert(0) += count(&watch.reached, at);
            }
        }
    }
}

fn is_everywhere(program: &Program, set: &Cells) -> bool {
    matches!(set, Cells::Const(cells) if cells.len() == program.board.len())
}

/// What an instruction is to a reader of the rules; nothing for one that only serves others.
fn kind_of(program: &Program, sections: &Sections, pc: Pc) -> Option<ClauseKind> {
    let kept = |var: VarId| program.var(var).life != Life::Local;
    match &program.code[pc.0 as usize] {
        // A trail that may end anywhere asks for nothing.
        Op::Require(Truth::Contains(_, set), _) if is_everywhere(program, set) => None,
        Op::Require(..) => Some(ClauseKind::Requirement),
        Op::Choose(..) => Some(ClauseKind::Choice),
        Op::Line(_) => Some(ClauseKind::Picture),
        Op::Effect(_) | Op::LetOfPlayer(..) | Op::LetOfCell(..) => Some(ClauseKind::Effect),
        Op::Let(var, _) if kept(*var) => Some(ClauseKind::Effect),
        Op::JumpUnless(..) if program.forced.contains(&pc) => Some(ClauseKind::Order),
        Op::JumpUnless(..) if sections.conditions.contains(&program.places[pc.0 as usize]) => {
            Some(ClauseKind::Condition)
        }
        Op::Let(..)
        | Op::JumpUnless(..)
        | Op::Clear(_)
        | Op::Branch(_)
        | Op::Jump(_)
        | Op::Each { .. }
        | Op::Best { .. }
        | Op::Open(_)
        | Op::Close(_)
        | Op::ActionDone
        | Op::Point(_)
        | Op::Succeed
        | Op::EndTurn => None,
    }
}

/// The first instruction behind the setup, which is never watched.
pub fn setup_end(program: &Program) -> usize {
    let first = program.turns.iter().map(|t| t.pc.0 as usize).min();
    first.unwrap_or(0)
}

/// The first instruction behind the turns, of what is only asked about.
fn first_sub(program: &Program) -> usize {
    let subs = program.subs.iter().filter(|pc| **pc != NO_PC);
    let first = subs.map(|pc| pc.0 as usize).min();
    first.unwrap_or(program.code.len())
}

/// A count; zero for an instruction that nothing was noted of.
pub fn count(counts: &[u64], at: usize) -> u64 {
    counts.get(at).copied().unwrap_or(0)
}

fn pc_of(at: usize) -> Pc {
    Pc(u32::try_from(at).unwrap_or(u32::MAX))
}
