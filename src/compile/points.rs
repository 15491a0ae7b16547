//! Pass: decision points are settled. Before: one in front of every choice of a turn. After: only those at which a turn can
//! stand between two actions, each with a name of its own; the others are gone.

use crate::base::{Code, Diagnostic, Diagnostics};
use crate::program::{Op, Pc, Point, PointId, Program};
use smallvec::SmallVec;
use std::slice::from_ref;

/// Settles the points of a program.
pub fn settle(program: &mut Program) {
    let mut needed: Vec<Pc> = Vec::new();
    for at in 0..program.code.len() {
        if program.code[at] == Op::ActionDone {
            reach(program, at + 1, &mut needed);
        }
    }
    needed.sort();
    needed.dedup();
    let mut points: Vec<Point> = program.points.drain(..1).collect();
    let mut names: Vec<String> = Vec::new();
    let old = std::mem::take(&mut program.points);
    for at in 0..program.code.len() {
        let Op::Point(id) = program.code[at] else {
            continue;
        };
        let pc = Pc(u32::try_from(at).unwrap_or(u32::MAX));
        if needed.binary_search(&pc).is_err() {
            program.code[at] = Op::Jump(Pc(pc.0 + 1));
            continue;
        }
        let plain = old[id.0 as usize - 1].name.clone();
        let same = names.iter().filter(|n| **n == plain).count();
        names.push(plain.clone());
        let name = if same == 0 {
            plain
        } else {
            format!("{plain}.{}", same + 1)
        };
        program.code[at] = Op::Point(PointId(u32::try_from(points.len()).unwrap_or(u32::MAX)));
        points.push(Point {
            name,
            pc,
            carried: Vec::new(),
        });
    }
    program.points = points;
}

/// Warns where behind an action one of the ways that are offered is none: nobody can choose it.
pub fn silent_ways(program: &Program, diagnostics: &mut Diagnostics) {
    for point in &program.points[1..] {
        let at = point.pc.0 as usize;
        let Op::Branch(ways) = &program.code[at + 1] else {
            continue;
        };
        if !ways.iter().any(|way| ends_silently(program, *way)) {
            continue;
        }
        let span = program.places.get(at).copied().unwrap_or_default();
        let d = Diagnostic::new(
            Code::SilentWay,
            span,
            "behind an action, a way leads to the end of the turn without another",
        )
        .here("the player chooses here, and nothing tells that way from the others")
        .help("where nothing more need be done, offer `pass`; what is done only where it can be stands before `if possible`");
        diagnostics.push(d);
    }
}

/// Whether the way from an instruction leads to the end of the turn, whatever the position is, and has no action.
fn ends_silently(program: &Program, mut at: Pc) -> bool {
    for _ in 0..program.code.len() {
        at = match &program.code[at.0 as usize] {
            Op::EndTurn => return true,
            Op::Jump(to) => *to,
            Op::Let(..) | Op::Clear(_) | Op::Effect(_) | Op::Require(..) => Pc(at.0 + 1),
            Op::LetOfPlayer(..)
            | Op::LetOfCell(..)
            | Op::Choose(..)
            | Op::Line(_)
            | Op::Branch(_)
            | Op::JumpUnless(..)
            | Op::Each { .. }
            | Op::Best { .. }
            | Op::Open(_)
            | Op::Close(_)
            | Op::ActionDone
            | Op::Point(_)
            | Op::Succeed => return false,
        };
    }
    false
}

/// The points that come first behind an instruction.
fn reach(program: &Program, from: usize, found: &mut Vec<Pc>) {
    let mut seen = vec![false; program.code.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at >= seen.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if matches!(program.code[at], Op::Point(_)) {
            found.push(Pc(u32::try_from(at).unwrap_or(u32::MAX)));
            continue;
        }
        open.extend(successors(&program.code[at], at));
    }
}

/// The instructions that may come after one.
pub fn successors(op: &Op, at: usize) -> SmallVec<[usize; 4]> {
    let (next, others) = ways(op);
    let next = next.then_some(at + 1).into_iter();
    next.chain(others.iter().map(|pc| pc.0 as usize)).collect()
}

/// Whether an instruction leads to one.
pub fn leads(op: &Op, at: usize, to: usize) -> bool {
    let (next, others) = ways(op);
    (next && at + 1 == to) || others.iter().any(|pc| pc.0 as usize == to)
}

/// Whether the next instruction may come after one, and which others.
fn ways(op: &Op) -> (bool, &[Pc]) {
    match op {
        Op::Jump(pc) => (false, from_ref(pc)),
        Op::JumpUnless(_, pc) | Op::Each { exit: pc, .. } => (true, from_ref(pc)),
        Op::Branch(list) => (false, list),
        Op::Succeed | Op::EndTurn => (false, &[]),
        Op::Require(..)
        | Op::Let(..)
        | Op::Clear(_)
        | Op::LetOfPlayer(..)
        | Op::LetOfCell(..)
        | Op::Choose(..)
        | Op::Line(_)
        | Op::Effect(_)
        | Op::Best { .. }
        | Op::Open(_)
        | Op::Close(_)
        | Op::ActionDone
        | Op::Point(_) => (true, &[]),
    }
}
