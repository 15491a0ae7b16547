//! In what a set may differ from the one that it was made of: function in, the same function out, with a set more for each that was
//! made step by step of a set that stands for a place. Before: a function whose places are variables. After: each of these more
//! sets has the cells that were put in or taken out on the way, whether they changed anything or not. Where nothing else looks at the
//! first ones they are gone. Conditions: none; where a set is made of others in another way there is no such set.

use crate::compile::kernel::regardless::variables::Variables;
use crate::program::kernel::{Body, Function, S, Set, Stmt, Value, each_statement};
use std::collections::BTreeMap;

/// Of what a set was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    /// It is not known yet.
    Open,
    /// Of what stood at a place.
    Place(u32),
    /// Of anything.
    Other,
}

/// Writes the sets in which others differ; by the place, that of what stands for it. What stands for a place is then not among
/// the variables any more where nobody looks at it.
pub fn differing(function: &mut Function, variables: &mut Variables) -> BTreeMap<u32, S> {
    let mut from = vec![From::Open; function.sets as usize];
    for (at, s) in &variables.sets {
        from[s.0 as usize] = From::Place(*at);
    }
    while find(&function.body, &mut from) {}
    let mut differing = Differing {
        of: vec![None; from.len()],
        sets: function.sets,
    };
    for (of, from) in differing.of.iter_mut().zip(&from) {
        if let From::Place(_) = from {
            *of = Some(S(differing.sets));
            differing.sets += 1;
        }
    }
    let body = std::mem::take(&mut function.body);
    function.body = differing.body(body);
    function.sets = differing.sets;
    let differs = |s: &S| differing.of.get(s.0 as usize).copied().flatten();
    let of = |(at, s): (&u32, &S)| Some((*at, differs(s)?));
    let found = variables.sets.iter().filter_map(of).collect();
    let is_step = |stmt: &Stmt| matches!(stmt, Stmt::LetSet(to, _) if differs(to).is_some());
    let mut looks = false;
    each_statement(&function.body, &mut |stmt| {
        if !is_step(stmt) {
            stmt.each_read(&mut |read| {
                looks |= matches!(read, Value::Set(s) if differs(&s).is_some())
            });
        }
    });
    if !looks {
        drop_all(&mut function.body, &is_step);
        variables.sets.retain(|_, s| differs(s).is_none());
    }
    found
}

/// Leaves statements out.
fn drop_all(body: &mut Body, is_out: &impl Fn(&Stmt) -> bool) {
    body.retain(|stmt| !is_out(stmt));
    for stmt in body {
        for inner in stmt.bodies_mut() {
            drop_all(inner, is_out);
        }
    }
}

/// Finds of what sets are made; whether something new was found.
fn find(body: &[Stmt], from: &mut [From]) -> bool {
    let mut new = false;
    for stmt in body {
        if let Stmt::LetSet(to, set) = stmt {
            let here = made_of(set, from);
            let to = &mut from[to.0 as usize];
            let both = match (*to, here) {
                (From::Open, one) | (one, From::Open) => one,
                (a, b) if a == b => a,
                _ => From::Other,
            };
            new |= *to != both;
            *to = both;
        }
        for inner in stmt.bodies() {
            new |= find(inner, from);
        }
    }
    new
}

fn made_of(set: &Set, from: &[From]) -> From {
    let of = |s: &S| from[s.0 as usize];
    match set {
        Set::Copy(a) | Set::With(a, _) | Set::Less(a, _) => of(a),
        Set::Without(a, _) => of(a),
        Set::Or(a, b) | Set::Xor(a, b) => match (of(a), of(b)) {
            (From::Open, _) | (_, From::Open) => From::Open,
            (From::Place(at), From::Place(other)) if at == other => match set {
                Set::Or(..) => From::Place(at),
                _ => From::Other,
            },
            (From::Place(_), From::Place(_)) | (From::Other, From::Other) => From::Other,
            (From::Place(at), From::Other) | (From::Other, From::Place(at)) => From::Place(at),
        },
        Set::And(a, b) | Set::Select(_, a, b) => match (of(a), of(b)) {
            (From::Open, _) | (_, From::Open) => From::Open,
            (a, b) if a == b => a,
            _ => From::Other,
        },
        _ => From::Other,
    }
}

struct Differing {
    /// For each set the one in which it differs.
    of: Vec<Option<S>>,
    sets: u32,
}

impl Differing {
    fn body(&mut self, body: Body) -> Body {
        let mut out = Body::with_capacity(2 * body.len());
        for mut stmt in body {
            for inner in stmt.bodies_mut() {
                *inner = self.body(std::mem::take(inner));
            }
            if let Stmt::LetSet(to, set) = &stmt
                && let Some(to) = self.of[to.0 as usize]
                && let Some(set) = self.differs(set)
            {
                out.push(Stmt::LetSet(to, set));
            }
            out.push(stmt);
        }
        out
    }

    fn differs(&self, set: &Set) -> Option<Set> {
        let of = |s: &S| self.of[s.0 as usize];
        Some(match set {
            Set::Copy(a) => Set::Copy(of(a)?),
            Set::With(a, w) | Set::Less(a, w) => Set::With(of(a)?, *w),
            Set::Without(a, b) => Set::Or(of(a)?, *b),
            Set::Or(a, b) | Set::Xor(a, b) | Set::And(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Set::Or(a, b),
                (Some(a), None) => Set::Or(a, *b),
                (None, Some(b)) => Set::Or(*a, b),
                (None, None) => return None,
            },
            Set::Select(w, a, b) => Set::Select(*w, of(a)?, of(b)?),
            _ => return None,
        })
    }
}
