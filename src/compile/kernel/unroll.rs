//! Loops over a few fixed numbers that do something else for each, as over directions, are written out: functions in, the same
//! functions out. Before: any functions. After: where a loop over the bits of a fixed word goes its way by the bit, its statements
//! stand once for each bit, with the way of that bit alone; where it is asked for, also those of other loops over few bits.
//! Conditions: the word is given once, nothing in the loop is a block or a loop that could be left, and not much more is written than
//! stood there.

use crate::compile::kernel::fresh::{Fresh, given};
use crate::program::kernel::{Body, Function, Stmt, Value, W, Word, each_statement, fixed_words};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most that is written in place of a loop, in its statements.
const TIMES: usize = 3;

/// Writes out what can be.
pub fn unroll(functions: &mut [Function]) {
    functions
        .iter_mut()
        .for_each(|function| write_out(function, 0));
}

/// As [`unroll`], and of a loop that does the same for each bit as well if it has no more bits than so many.
pub fn write_out(function: &mut Function, few: u32) {
    let mut any = false;
    each_statement(&function.body, &mut |stmt| {
        let written = |bit: &W, body: &Body| few > 0 || way(*bit, body).is_some();
        any |= matches!(stmt, Stmt::ForBits(bit, _, body) if written(bit, body));
    });
    if any {
        let mut unroller = Unroller {
            few,
            fixed: fixed_words(function),
            all: Mentions::of(&function.params, &function.body),
            words: function.words,
            sets: function.sets,
        };
        let body = std::mem::take(&mut function.body);
        function.body = unroller.body(body);
        (function.words, function.sets) = (unroller.words, unroller.sets);
    }
}

/// Where in a loop the way goes by its number.
fn way(bit: W, body: &Body) -> Option<usize> {
    let by_bit = |stmt: &Stmt| matches!(stmt, Stmt::Switch(w, _) if *w == bit);
    body.iter().position(by_bit)
}

fn length(body: &Body) -> usize {
    let mut many = 0;
    each_statement(body, &mut |_| many += 1);
    many
}

struct Unroller {
    /// Loops over so many bits are written out whatever they do.
    few: u32,
    /// The words that are fixed.
    fixed: Vec<Option<u64>>,
    /// How often words and sets stand in the whole function.
    all: Mentions,
    words: u32,
    sets: u32,
}

impl Unroller {
    fn body(&mut self, body: Body) -> Body {
        let mut out = Body::with_capacity(body.len());
        for mut stmt in body {
            for inner in stmt.bodies_mut() {
                *inner = self.body(std::mem::take(inner));
            }
            match stmt {
                Stmt::ForBits(bit, of, inner) => match self.written_out(bit, of, &inner) {
                    Some(written) => out.extend(written),
                    None => out.push(Stmt::ForBits(bit, of, inner)),
                },
                other => out.push(other),
            }
        }
        out
    }

    /// A loop's statements once for each bit.
    fn written_out(&mut self, bit: W, of: W, inner: &Body) -> Option<Body> {
        let bits = self.fixed.get(of.0 as usize).copied().flatten()?;
        let at = way(bit, inner);
        let most = at.map(|_| TIMES * length(inner));
        if at.is_none() && bits.count_ones() > self.few {
            return None;
        }
        let mut left = false;
        each_statement(inner, &mut |stmt| {
            left |= matches!(stmt, Stmt::Loop(..) | Stmt::Block(..));
            left |= stmt.gives() == Some(Value::Word(bit));
        });
        let one = |number: usize| -> Body {
            let mut copy = vec![Stmt::Let(bit, Word::Const(number as u64))];
            for (place, stmt) in inner.iter().enumerate() {
                match stmt {
                    Stmt::Switch(_, ways) if Some(place) == at => {
                        copy.extend(ways.get(number).cloned().unwrap_or_default());
                    }
                    other => copy.push(other.clone()),
                }
            }
            without_unread(copy)
        };
        let numbers = (0..u64::BITS as usize).filter(|number| bits >> number & 1 == 1);
        let copies: Vec<Body> = numbers.map(one).collect();
        let all = copies.iter().map(length).sum::<usize>();
        if left || most.is_some_and(|most| all > most) {
            return None;
        }
        // What is only inside, and given there before it is read, is of each copy alone.
        let inside = Mentions::of(&[Value::Word(bit)], inner);
        let mut own: BTreeSet<Value> = copies.iter().flat_map(|copy| given(copy)).collect();
        let of_copies: Vec<(&Body, Mentions)> = (copies.iter())
            .map(|copy| (copy, Mentions::of(&[], copy)))
            .collect();
        own.retain(|what| {
            let surely = |(copy, of): &(&Body, Mentions)| {
                !of.0.contains_key(what) || is_given_first(copy, *what)
            };
            // What was made later stands nowhere else.
            let all = self.all.0.get(what);
            all.is_none_or(|all| inside.0.get(what) == Some(all)) && of_copies.iter().all(surely)
        });
        let mut written = Body::new();
        for (copy, of) in &of_copies {
            let mut fresh = Fresh::default();
            for what in own.iter().filter(|what| of.0.contains_key(*what)) {
                fresh.own(*what, (&mut self.words, &mut self.sets));
            }
            written.extend(fresh.body(copy));
        }
        Some(written)
    }
}

/// Statements without values that are given anew before they are read.
fn without_unread(body: Body) -> Body {
    let mut kept = Body::with_capacity(body.len());
    for (at, stmt) in body.iter().enumerate() {
        let found = (stmt.gives()).filter(|_| matches!(stmt, Stmt::Let(..) | Stmt::LetSet(..)));
        let anew = found.is_some_and(|what| {
            let mut rest = body[at + 1..].iter();
            let again = rest.find(|stmt| mentions(std::slice::from_ref(stmt), what));
            again.is_some_and(|stmt| {
                stmt.gives() == Some(what) && stmt.bodies().is_empty() && !stmt.reads(what)
            })
        });
        if !anew {
            kept.push(stmt.clone());
        }
    }
    kept
}

/// Whether what is given is read only where that has been done for certain: behind it in the same body, or inside what stands there.
fn is_given_first(body: &[Stmt], what: Value) -> bool {
    let mentioned = |stmt: &Stmt| mentions(std::slice::from_ref(stmt), what);
    let Some(at) = body.iter().position(mentioned) else {
        return false;
    };
    let (first, rest) = (&body[at], &body[at + 1..]);
    if first.reads(what) {
        return false;
    }
    let gives = first.gives() == Some(what);
    if first.bodies().is_empty() {
        return gives;
    }
    let surely = |body: &Body| !mentions(body, what) || is_given_first(body, what);
    !mentions(rest, what) && (gives || first.bodies().all(surely))
}

fn mentions(body: &[Stmt], what: Value) -> bool {
    let mut found = false;
    each_statement(body, &mut |stmt| {
        found = found || stmt.gives() == Some(what) || stmt.reads(what);
    });
    found
}

/// How often words and sets stand somewhere.
#[derive(Default)]
struct Mentions(FxHashMap<Value, u32>);

impl Mentions {
    fn of(params: &[Value], body: &[Stmt]) -> Mentions {
        let mut all = Mentions::default();
        params.iter().for_each(|param| all.note(*param));
        each_statement(body, &mut |stmt| {
            stmt.each_read(&mut |what| all.note(what));
            stmt.gives().into_iter().for_each(|what| all.note(what));
        });
        all
    }

    fn note(&mut self, what: Value) {
        *self.0.entry(what).or_default() += 1;
    }
}
