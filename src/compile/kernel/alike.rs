//! Functions that do the same are one: functions in, each kind of them once out, and where each has gone. Before: any functions.
//! After: no two have the same parameters and statements, where calls of functions that are one are the same. Conditions: none;
//! functions that call each other in a ring are one when the rings are alike (partition refinement, by hashes that are then
//! compared).

use crate::program::kernel::{Body, FuncId, Function, Stmt, called};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Leaves each kind of function once, and says for each function which one it is now.
pub fn merge(functions: &mut Vec<Function>) -> Vec<FuncId> {
    let mut kinds: Vec<u64> = functions.iter().map(shape).collect();
    let calls: Vec<Vec<FuncId>> = functions.iter().map(|f| called(&f.body)).collect();
    let mut many = distinct(&kinds);
    loop {
        let next = |at: usize| {
            let mut hasher = FxHasher::default();
            kinds[at].hash(&mut hasher);
            let of = calls[at].iter().map(|id| kinds[id.0 as usize]);
            of.for_each(|kind| kind.hash(&mut hasher));
            hasher.finish()
        };
        kinds = (0..functions.len()).map(next).collect();
        let now = distinct(&kinds);
        if now == many {
            break;
        }
        many = now;
    }
    let mut firsts: FxHashMap<u64, usize> = FxHashMap::default();
    let first: Vec<usize> = (kinds.iter().enumerate())
        .map(|(at, kind)| *firsts.entry(*kind).or_insert(at))
        .collect();
    let same = |a: FuncId, b: FuncId| first[a.0 as usize] == first[b.0 as usize];
    let all = (0..functions.len()).all(|at| {
        let (a, b) = (&functions[at], &functions[first[at]]);
        at == first[at] || (a.params == b.params && alike(&a.body, &b.body, &same))
    });
    if !all {
        // Two hashes were the same by chance.
        return (0..functions.len() as u32).map(FuncId).collect();
    }
    let mut place = vec![FuncId(0); functions.len()];
    let mut kept = Vec::new();
    for (at, function) in std::mem::take(functions).into_iter().enumerate() {
        if first[at] == at {
            place[at] = FuncId(kept.len() as u32);
            kept.push(function);
        } else {
            place[at] = place[first[at]];
        }
    }
    for function in &mut kept {
        redirect(&mut function.body, &|id| place[id.0 as usize]);
    }
    *functions = kept;
    place
}

fn distinct(kinds: &[u64]) -> usize {
    let mut sorted = kinds.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// A hash of all but who is called.
fn shape(function: &Function) -> u64 {
    let mut hasher = FxHasher::default();
    function.params.hash(&mut hasher);
    hash(&function.body, &mut hasher);
    hasher.finish()
}

fn hash(body: &Body, hasher: &mut FxHasher) {
    body.len().hash(hasher);
    for stmt in body {
        std::mem::discriminant(stmt).hash(hasher);
        match stmt {
            Stmt::Call(_, args, result) => (args, result).hash(hasher),
            Stmt::If(w, ..) | Stmt::Switch(w, _) => w.hash(hasher),
            Stmt::ForCells(w, s, _) => (w, s).hash(hasher),
            Stmt::ForBits(w, from, _) => (w, from).hash(hasher),
            Stmt::ForNumbers(w, from, to, _) => (w, from, to).hash(hasher),
            Stmt::Loop(label, _) | Stmt::Block(label, _) => label.hash(hasher),
            other => other.hash(hasher),
        }
        for inner in stmt.bodies() {
            hash(inner, hasher);
        }
    }
}

/// Whether statements are the same, when some functions are.
fn alike(a: &Body, b: &Body, same: &impl Fn(FuncId, FuncId) -> bool) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let (x, y) = (a.bodies(), b.bodies());
            let heads = match (a, b) {
                (Stmt::Call(f, x, r), Stmt::Call(g, y, s)) => same(*f, *g) && (x, r) == (y, s),
                _ => same_heads(a, b),
            };
            let as_many = x.clone().count() == y.clone().count();
            heads && as_many && x.zip(y).all(|(x, y)| alike(x, y, same))
        })
}

/// Whether two statements are the same but for what stands inside them.
pub fn same_heads(a: &Stmt, b: &Stmt) -> bool {
    match (a, b) {
        (Stmt::If(v, ..), Stmt::If(w, ..)) | (Stmt::Switch(v, _), Stmt::Switch(w, _)) => v == w,
        (Stmt::ForCells(v, s, _), Stmt::ForCells(w, t, _)) => (v, s) == (w, t),
        (Stmt::ForBits(v, s, _), Stmt::ForBits(w, t, _)) => (v, s) == (w, t),
        (Stmt::ForNumbers(v, s, e, _), Stmt::ForNumbers(w, t, f, _)) => (v, s, e) == (w, t, f),
        (Stmt::Loop(l, _), Stmt::Loop(m, _)) | (Stmt::Block(l, _), Stmt::Block(m, _)) => l == m,
        (a, b) => a.bodies().is_empty() && a == b,
    }
}

/// Functions that each call one other, with their numbers, where those are now. Left out are those that are the same as what is called by
/// some, since they would go round in a ring; and those that are the same as others which do not call the same.
pub fn moved(
    functions: Vec<(FuncId, FuncId, Function)>,
    place: &[FuncId],
) -> Vec<(FuncId, Function)> {
    let now = |id: FuncId| place[id.0 as usize];
    let called: Vec<FuncId> = functions.iter().map(|(_, to, _)| now(*to)).collect();
    let mut joined: FxHashMap<FuncId, usize> = FxHashMap::default();
    place
        .iter()
        .for_each(|id| *joined.entry(*id).or_default() += 1);
    let mut kept: Vec<(FuncId, Function, usize)> = Vec::new();
    let mut differ = Vec::new();
    for (id, _, mut function) in functions {
        let id = now(id);
        redirect(&mut function.body, &now);
        match kept.iter_mut().find(|(other, ..)| *other == id) {
            None => kept.push((id, function, 1)),
            Some((_, other, many)) => {
                *many += 1;
                if (&other.params, &other.body) != (&function.params, &function.body) {
                    differ.push(id);
                }
            }
        }
    }
    let all = |id: &FuncId, many: usize| joined.get(id) == Some(&many);
    kept.retain(|(id, _, many)| all(id, *many) && !differ.contains(id) && !called.contains(id));
    kept.into_iter().map(|(id, f, _)| (id, f)).collect()
}

/// Calls go to other functions.
pub fn redirect(body: &mut Body, to: &impl Fn(FuncId) -> FuncId) {
    for stmt in body {
        if let Stmt::Call(id, ..) = stmt {
            *id = to(*id);
        }
        for inner in stmt.bodies_mut() {
            redirect(inner, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::kernel::alike::merge;
    use crate::program::kernel::{FuncId, Function, Stmt, W, Word};

    /// Gives a number, calls another function and ends with what that gives.
    fn function(name: &str, number: u64, calls: u32) -> Function {
        let (w, v) = (W(0), W(1));
        Function {
            name: name.to_owned(),
            params: Vec::new(),
            words: 2,
            sets: 0,
            body: vec![
                Stmt::Let(w, Word::Const(number)),
                Stmt::If(
                    w,
                    vec![Stmt::Call(FuncId(calls), Vec::new(), Some(v))],
                    Vec::new(),
                ),
                Stmt::Return(w),
            ],
        }
    }

    #[test]
    fn rings_that_are_alike_become_one() {
        let mut functions = vec![
            function("a", 1, 1),
            function("b", 2, 0),
            function("c", 1, 3),
            function("d", 2, 2),
            function("e", 2, 2),
        ];
        let place = merge(&mut functions);
        assert_eq!(place, [0, 1, 0, 1, 1].map(FuncId));
        assert_eq!(functions, [function("a", 1, 1), function("b", 2, 0)]);
    }

    #[test]
    fn functions_that_differ_in_whom_they_call_stay_apart() {
        let all = [
            function("a", 1, 2),
            function("b", 1, 3),
            function("c", 5, 2),
            function("d", 6, 3),
        ];
        let mut functions = all.to_vec();
        assert_eq!(merge(&mut functions), [0, 1, 2, 3].map(FuncId));
        assert_eq!(functions, all);
    }
}
