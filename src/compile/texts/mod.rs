//! Pass: which actions may have the same text though its pieces differ. Before: code with its notations. After: the program's
//! [`Collisions`]; where there are none, actions are told apart by their pieces.
//!
//! All that a turn may write is read as an automaton over bytes (`runs`, of `words`), and two runs of it that read the same text
//! are followed side by side; there is a collision when two that differ may end at the same place. Tests are not looked at, so
//! that more collisions may be found than there are, never less.

mod runs;
mod words;

use crate::compile::points::successors;
use crate::compile::texts::runs::{At, Piece, Runs, Step, Steps};
use crate::program::{Collisions, NO_PC, Op, Pc, Program, TemplateId};
use std::collections::BTreeSet;

/// So many pairs of places are looked at before texts are said to run together.
const MOST_PAIRS: usize = 1 << 16;

/// Finds the collisions of a program's texts.
pub fn compare(program: &mut Program) {
    program.collisions = collisions(program);
}

fn collisions(program: &Program) -> Collisions {
    let mut starts: Vec<Pc> = program.turns.iter().map(|t| t.pc).collect();
    starts.extend(program.points.iter().map(|p| p.pc));
    starts.retain(|pc| *pc != NO_PC);
    let mut runs = Runs::new(program);
    let mut pairs = Pairs::default();
    if runs.full() {
        pairs.found.within = true;
        return pairs.found;
    }
    for start in starts {
        let steps = runs.first_steps(&runs.behind(start.0 as usize));
        pairs.meet(&steps, &steps, Differ::Not);
    }
    while let Some((a, b, differ)) = pairs.open.pop() {
        let (from, to) = (runs.steps(a), runs.steps(b));
        pairs.meet(&from, &to, differ);
        if pairs.met.len() > MOST_PAIRS {
            pairs.found.within = true;
        }
        if pairs.found.within {
            break;
        }
    }
    let mut found = pairs.found;
    found.within |= !found.between.is_empty() && tested(program, &runs, &found);
    found
}

/// Whether notations that may collide are chosen between by a test behind a choice, where two actions may stand in different
/// states.
fn tested(program: &Program, runs: &Runs<'_>, found: &Collisions) -> bool {
    let code = &program.code;
    let choices = (0..code.len()).filter(|at| {
        matches!(
            code[*at],
            Op::Choose(..) | Op::Line(_) | Op::Branch(_) | Op::Best { .. }
        )
    });
    let mut open: Vec<usize> = choices.flat_map(|at| successors(&code[at], at)).collect();
    let mut seen = vec![false; code.len()];
    while let Some(at) = open.pop() {
        if at >= code.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if let Op::JumpUnless(..) | Op::Each { .. } = code[at] {
            let ways = successors(&code[at], at);
            let firsts = ways.iter().map(|way| runs.firsts(&runs.behind(*way)));
            let firsts: Vec<Vec<Option<TemplateId>>> = firsts.collect();
            let mut of_two = firsts[0]
                .iter()
                .flat_map(|a| firsts[1].iter().map(move |b| (*a, *b)));
            if of_two.any(|(a, b)| found.between(a, b).is_some()) {
                return true;
            }
        }
        if code[at] != Op::ActionDone {
            open.extend(successors(&code[at], at));
        }
    }
    false
}

/// How two runs differ that have read the same text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Differ {
    /// They do not.
    Not,
    /// At one place they began different notations, or one of them ended; since then values stood at the same places in both.
    InStep(TemplateId, Option<TemplateId>),
    /// As that, but values did not stand at the same places.
    OutOfStep(TemplateId, Option<TemplateId>),
    /// Within notations that they have in common.
    Within,
}

impl Differ {
    /// As it is behind the pieces that were begun.
    fn begun(self, a: &[Piece], b: &[Piece]) -> Differ {
        let Differ::Not = self else {
            return self;
        };
        let at = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        match (a.get(at), b.get(at)) {
            (None, None) => Differ::Not,
            (Some(Piece::Whole(x)), Some(Piece::Whole(y))) => {
                Differ::InStep(*x.min(y), Some(*x.max(y)))
            }
            (Some(Piece::Whole(x)), None) | (None, Some(Piece::Whole(x))) => {
                Differ::InStep(*x, None)
            }
            _ => Differ::Within,
        }
    }

    /// As it is behind one more byte of both.
    fn step(self, a: &Step, b: &Step) -> Differ {
        let begins = |s: &Step| s.to.hole && !s.begun.is_empty();
        let silent = |s: &Step| s.begun.contains(&Piece::Nothing);
        let same_value = !a.to.hole || (a.to.node == b.to.node && begins(a) == begins(b));
        let differ = self.begun(&a.begun, &b.begun);
        if differ == Differ::Not && a.to.node != b.to.node {
            return Differ::Within;
        }
        let in_step = a.to.hole == b.to.hole && same_value && !silent(a) && !silent(b);
        match differ {
            Differ::InStep(x, y) if !in_step => Differ::OutOfStep(x, y),
            Differ::Not | Differ::InStep(..) | Differ::OutOfStep(..) | Differ::Within => differ,
        }
    }
}

/// Pairs of places that two runs come to by the same text, and how they differ.
#[derive(Default)]
struct Pairs {
    met: BTreeSet<(At, At, Differ)>,
    open: Vec<(At, At, Differ)>,
    found: Collisions,
}

impl Pairs {
    /// Goes on from what may come in two runs.
    fn meet(&mut self, a: &Steps, b: &Steps, differ: Differ) {
        self.found.within |= a.endless() || b.endless();
        for (x, y) in a
            .ends
            .iter()
            .flat_map(|x| b.ends.iter().map(move |y| (x, y)))
        {
            let silent = x.contains(&Piece::Nothing) || y.contains(&Piece::Nothing);
            match differ.begun(x, y) {
                Differ::Not => {}
                Differ::InStep(x, y) => self.found.add(x, y, !silent),
                Differ::OutOfStep(x, y) => self.found.add(x, y, false),
                Differ::Within => self.found.within = true,
            }
        }
        for x in &a.steps {
            for y in &b.steps {
                if x.bytes.iter().zip(&y.bytes).all(|(x, y)| x & y == 0) {
                    continue;
                }
                let (low, high) = (x.to.min(y.to), x.to.max(y.to));
                let pair = (low, high, differ.step(x, y));
                if self.met.insert(pair) {
                    self.open.push(pair);
                }
            }
        }
    }
}
