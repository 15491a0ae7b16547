//! What a call comes to when some words that it gives are fixed: the statements that are left of the function, once its tests of such
//! words are answered. Reads functions, changes nothing.

use crate::compile::kernel::fun::fold;
use crate::compile::kernel::sizes::Size;
use crate::program::kernel::{Body, Function, Stmt, Value, W, Word, each_statement};
use rustc_hash::FxHashMap;

/// A function of more statements is not looked into.
const LONG: usize = 96;

/// The words that are given once, and are fixed.
pub type Fixed = FxHashMap<W, u64>;

/// The fixed words of a function; of its parameters those that are said to be.
pub fn fixed(function: &Function, params: impl Iterator<Item = (W, u64)>) -> Fixed {
    let mut given: FxHashMap<W, u32> = FxHashMap::default();
    for param in &function.params {
        if let Value::Word(w) = param {
            *given.entry(*w).or_default() += 1;
        }
    }
    let mut fixed: Fixed = params.collect();
    each_statement(&function.body, &mut |stmt| {
        if let Some(Value::Word(w)) = stmt.gives() {
            *given.entry(w).or_default() += 1;
        }
    });
    fixed.retain(|w, _| given[w] == 1);
    each_statement(&function.body, &mut |stmt| {
        if let Stmt::Let(w, word) = stmt
            && given[w] == 1
            && let Some(value) = value(word, &fixed)
        {
            fixed.insert(*w, value);
        }
    });
    fixed
}

/// A word's value, when all that it is of is fixed.
fn value(word: &Word, fixed: &Fixed) -> Option<u64> {
    match word {
        Word::Const(k) => Some(*k),
        Word::Copy(a) => fixed.get(a).copied(),
        Word::Bin(op, a, b) => Some(fold(*op, *fixed.get(a)?, *fixed.get(b)?)),
        Word::Select(test, a, b) => match fixed.get(test)? {
            0 => fixed.get(b).copied(),
            _ => fixed.get(a).copied(),
        },
        _ => None,
    }
}

/// What is left of a function that is called with these arguments, of which some are fixed in its caller; nothing when that is more
/// than so many statements, or calls others.
pub fn settled(
    callee: &Function,
    arguments: &[Value],
    caller: &Fixed,
    most: usize,
) -> Option<Body> {
    let params = callee.params.iter().zip(arguments);
    let known = params.filter_map(|(to, from)| match (to, from) {
        (Value::Word(to), Value::Word(from)) => Some((*to, *caller.get(from)?)),
        _ => None,
    });
    let known: Vec<(W, u64)> = known.collect();
    if known.is_empty() {
        return None;
    }
    let left = pruned(&callee.body, &fixed(callee, known.into_iter()));
    let size = Size::of(&left);
    (size.calls.is_empty() && size.statements <= most).then_some(left)
}

/// Whether it is worth looking into a function of that size.
pub fn may_settle(size: &Size) -> bool {
    size.statements <= LONG && !size.calls.is_empty()
}

/// A body without the ways that are never gone.
fn pruned(body: &Body, fixed: &Fixed) -> Body {
    let mut out = Vec::with_capacity(body.len());
    for stmt in body {
        match stmt {
            Stmt::If(w, yes, no) if fixed.contains_key(w) => {
                let gone = if fixed[w] == 0 { no } else { yes };
                out.append(&mut pruned(gone, fixed));
            }
            Stmt::Switch(w, bodies) if fixed.contains_key(w) => {
                if let Some(gone) = usize::try_from(fixed[w]).ok().and_then(|at| bodies.get(at)) {
                    out.append(&mut pruned(gone, fixed));
                }
            }
            other => {
                let mut stmt = other.head();
                for (inner, body) in stmt.bodies_mut().zip(other.bodies()) {
                    *inner = pruned(body, fixed);
                }
                out.push(stmt);
            }
        }
        if matches!(
            out.last(),
            Some(Stmt::Return(_) | Stmt::Leave(_) | Stmt::Fault(_))
        ) {
            break;
        }
    }
    out
}
