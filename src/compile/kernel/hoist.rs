//! What is the same each time a loop is gone through, and much work, is computed before it: functions in, the same functions out.
//! Before: any functions. After: neighbours of sets that a loop does not change stand before the loop, with what they are made
//! of. Conditions: a set is given once in its function, and only sets are read, so that nothing can fail or have changed.

use crate::program::kernel::{Body, Function, S, Set, Stmt, Value};

/// Moves what can be moved.
pub fn hoist(functions: &mut [Function]) {
    for function in functions {
        let mut times = vec![0; function.sets as usize];
        for param in &function.params {
            if let Value::Set(s) = param {
                times[s.0 as usize] += 1;
            }
        }
        count(&function.body, &mut times);
        if times.contains(&1) {
            walk(&mut function.body, &times);
        }
    }
}

/// How often each set is given.
fn count(body: &Body, times: &mut [u32]) {
    for stmt in body {
        if let Stmt::LetSet(s, _) = stmt {
            times[s.0 as usize] += 1;
        }
        for inner in stmt.bodies() {
            count(inner, times);
        }
    }
}

fn walk(body: &mut Body, times: &[u32]) {
    for mut stmt in std::mem::take(body) {
        let before = match &mut stmt {
            Stmt::If(_, yes, no) => {
                walk(yes, times);
                walk(no, times);
                Body::new()
            }
            Stmt::Switch(_, bodies) => {
                bodies.iter_mut().for_each(|inner| walk(inner, times));
                Body::new()
            }
            Stmt::Block(_, inner) => {
                walk(inner, times);
                Body::new()
            }
            Stmt::ForCells(_, _, inner)
            | Stmt::ForBits(_, _, inner)
            | Stmt::ForNumbers(_, _, _, inner)
            | Stmt::Loop(_, inner) => {
                walk(inner, times);
                same_each_time(inner, times)
            }
            _ => Body::new(),
        };
        body.extend(before);
        body.push(stmt);
    }
}

/// Takes out of a loop's body what is the same each time and worth it.
fn same_each_time(body: &mut Body, times: &[u32]) -> Body {
    let mut changed = vec![0; times.len()];
    count(body, &mut changed);
    // For each statement the set that it gives, when that is the same each time.
    let mut fixed: Vec<Option<S>> = Vec::with_capacity(body.len());
    for stmt in body.iter() {
        let gives = match stmt {
            Stmt::LetSet(s, set) if times[s.0 as usize] == 1 => read(set)
                .filter(|read| read.iter().all(|r| changed[r.0 as usize] == 0))
                .map(|_| *s),
            _ => None,
        };
        if let Some(s) = gives {
            changed[s.0 as usize] = 0;
        }
        fixed.push(gives);
    }
    // What is worth it, and what that is made of.
    let mut wanted: Vec<S> = Vec::new();
    let mut moved = vec![false; body.len()];
    for (at, stmt) in body.iter().enumerate().rev() {
        let (Some(s), Stmt::LetSet(_, set)) = (fixed[at], stmt) else {
            continue;
        };
        if matches!(set, Set::Around(_)) || wanted.contains(&s) {
            moved[at] = true;
            wanted.extend(read(set).unwrap_or_default());
        }
    }
    let mut out = Body::new();
    let mut at = 0;
    body.retain(|stmt| {
        at += 1;
        if moved[at - 1] {
            out.push(stmt.clone());
        }
        !moved[at - 1]
    });
    out
}

/// The sets that a set is made of, when it is made of sets only.
fn read(set: &Set) -> Option<Vec<S>> {
    match set {
        Set::Const(_) => Some(Vec::new()),
        Set::Copy(a) | Set::Around(a) | Set::Shift(a, _) => Some(vec![*a]),
        Set::And(a, b) | Set::Or(a, b) | Set::Without(a, b) | Set::Xor(a, b) => Some(vec![*a, *b]),
        _ => None,
    }
}
