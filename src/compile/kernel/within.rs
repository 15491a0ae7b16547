//! Sets of a turn that always lie within others: what is marked as one was just marked as the other, which loses no cell before
//! the turn's pieces are taken from all of its cells. In: a program and two variables. Out: whether it is so.

use crate::compile::points::successors;
use crate::program::{Cells, Effect, Life, Op, Per, Program, Value, VarId, op_vars};

/// Whether an instruction gives a variable a value, or changes the one that it has.
pub fn writes(program: &Program, op: &Op, var: VarId) -> bool {
    match op {
        Op::LetOfPlayer(v, ..) | Op::LetOfCell(v, ..) => *v == var,
        Op::Effect(Effect::Mark(v, _) | Effect::Unmark(v, _)) => *v == var,
        Op::Each { var: v, rest, .. } => *v == var || *rest == var,
        Op::ActionDone => program.system.actions == Some(var),
        op => op_vars(op, &program.pictures, &program.templates)
            .writes
            .contains(&var),
    }
}

/// The variable to whose cells an instruction adds others, and those: by a mark, or by giving it a value with all that it has.
pub fn adds(op: &Op) -> Option<(VarId, &Cells)> {
    match op {
        Op::Effect(Effect::Mark(v, more)) => Some((*v, more)),
        Op::Let(v, Value::Cells(Cells::Or(a, b))) => match (a.as_ref(), b.as_ref()) {
            (Cells::Var(old), more) | (more, Cells::Var(old)) if old == v => Some((*v, more)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether in every position within a turn all cells of a set are in another, until the pieces on that are taken.
pub fn is_within(program: &Program, inner: VarId, outer: VarId) -> bool {
    let of_turn = |v: VarId| {
        let var = program.var(v);
        let begins_empty = var.initial.iter().all(|w| *w == 0);
        var.life == Life::Turn && var.per == Per::Game && begins_empty
    };
    if !of_turn(inner) || !of_turn(outer) {
        return false;
    }
    (0..program.code.len()).all(|at| {
        let op = &program.code[at];
        let set = match op {
            op if adds(op).is_some_and(|(v, _)| v == inner) => adds(op).map(|(_, set)| set),
            op if adds(op).is_some_and(|(v, _)| v == outer) => None,
            Op::Effect(Effect::Capture(set) | Effect::Remove(set)) if *set == Cells::Var(outer) => {
                return is_left_alone(program, at, &[inner, outer]);
            }
            op => return !writes(program, op, inner) && !writes(program, op, outer),
        };
        let marked = set.is_none_or(|set| is_marked_before(program, at, outer, set));
        marked && keeps(program, at, outer)
    })
}

/// Whether on the only way to an instruction the same cells were marked.
fn is_marked_before(program: &Program, mut at: usize, outer: VarId, set: &Cells) -> bool {
    let access = crate::program::cells_vars(set);
    if !access.subs.is_empty() {
        return false;
    }
    let read = access.reads;
    loop {
        let ways = |from: usize| successors(&program.code[from], from);
        let mut before = (0..program.code.len()).filter(|from| ways(*from).contains(&at));
        let (Some(from), None) = (before.next(), before.next()) else {
            return false;
        };
        if from >= at {
            return false;
        }
        at = from;
        let op = &program.code[at];
        match (adds(op), op) {
            (Some((v, marked)), _) if v == outer && marked == set => {
                return !read.contains(&outer);
            }
            (Some((v, _)), _) if !read.contains(&v) => {}
            (_, Op::Effect(_)) => return false,
            (_, op) if read.iter().any(|v| writes(program, op, *v)) => return false,
            _ => {}
        }
    }
}

/// The instructions that come after one in a turn.
fn after(program: &Program, at: usize, until: impl Fn(&Op) -> bool) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    let mut next = successors(&program.code[at], at).into_vec();
    while let Some(at) = next.pop() {
        if !seen.contains(&at) && at < program.code.len() {
            seen.push(at);
            if !until(&program.code[at]) {
                next.extend(successors(&program.code[at], at));
            }
        }
    }
    seen
}

/// Whether after a mark nothing happens to pieces that could take cells out of a set, before the pieces on it are taken.
fn keeps(program: &Program, at: usize, outer: VarId) -> bool {
    let taken = |op: &Op| match op {
        Op::Effect(Effect::Capture(set) | Effect::Remove(set)) => *set == Cells::Var(outer),
        _ => false,
    };
    after(program, at, taken)
        .into_iter()
        .all(|at| match &program.code[at] {
            op if taken(op) => true,
            Op::Effect(effect) => matches!(
                effect,
                Effect::Mark(..) | Effect::Place { .. } | Effect::Pass | Effect::Again
            ),
            _ => true,
        })
}

/// Whether nobody chooses and nothing is marked any more.
fn is_left_alone(program: &Program, at: usize, sets: &[VarId]) -> bool {
    after(program, at, |_| false).into_iter().all(|at| {
        let op = &program.code[at];
        !matches!(op, Op::Point(_)) && !sets.iter().any(|v| writes(program, op, *v))
    })
}
