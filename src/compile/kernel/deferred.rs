//! What is noted before anybody may look is noted where he looks: functions that count in, the same functions out. Before: a stack is
//! lifted, and then asked whether its turn can be completed, which is mostly looked up. After: it is lifted only where that has to be
//! tried. Conditions: it is taken back, whatever comes between, and what is asked does not look at it; what is noted is given once.

use crate::compile::kernel::changes::{unnoted, with_callers};
use crate::compile::kernel::fresh::times_given;
use crate::compile::kernel::inline;
use crate::compile::kernel::sizes::Size;
use crate::compile::kernel::tidy::{self, Exact, any, taken_back};
use crate::program::kernel::{
    Body, FuncId, Function, Kernel, Place, Room, Set, Stmt, Value, W, Word, called,
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Defers what functions note, with what only they call put in place; which of them note all that they change, so that it was done.
pub fn defer(kernel: &mut Kernel, ids: &[FuncId]) -> Vec<FuncId> {
    let room = kernel.room;
    let mut done = Vec::new();
    let blind = blind(&kernel.functions, &room);
    for id in ids {
        put_alone(kernel, *id);
        let calls = called(&kernel.functions[id.0 as usize].body);
        let notes = unnoted(&kernel.functions, calls, &room).is_some_and(|words| words.is_empty());
        let function = &mut kernel.functions[id.0 as usize];
        if !notes {
            continue;
        }
        tidy::with(function, &room, Exact::Noted);
        let of = Deferred {
            room,
            given: times_given(function),
            blind: &blind,
        };
        of.narrow(&mut function.body);
        of.body(&mut function.body);
        of.narrow(&mut function.body);
        tidy::with(function, &room, Exact::Noted);
        done.push(*id);
    }
    done
}

/// Puts into a function what is called there only, by all that the kernel's work asks for.
fn put_alone(kernel: &mut Kernel, into: FuncId) {
    let reached = tidy::reached(&kernel.functions, kernel.asked());
    let mut calls = vec![0; kernel.functions.len()];
    for (function, _) in kernel.functions.iter().zip(reached).filter(|(_, r)| *r) {
        let called = Size::of(&function.body).calls;
        called.iter().for_each(|id| calls[id.0 as usize] += 1);
    }
    for callee in called(&kernel.functions[into.0 as usize].body) {
        if calls[callee.0 as usize] == 1 {
            inline::put(&mut kernel.functions, callee, into);
        }
    }
}

/// The statements between a mark at a place and where all since is taken back, when that is surely come to from there.
fn bracket(body: &[Stmt], at: usize) -> Option<Range<usize>> {
    let Stmt::Mark(mark) = body.get(at)? else {
        return None;
    };
    let length = taken_back(&body[at + 1..], *mark)?;
    Some(at + 1..at + 1 + length)
}

/// Changes some of the statements of a body.
fn change(body: &mut Body, range: Range<usize>, change: impl FnOnce(&mut Body)) {
    let after = body.split_off(range.end);
    let mut within = body.split_off(range.start);
    change(&mut within);
    body.append(&mut within);
    body.extend(after);
}

/// For each function whether neither it nor one that it calls looks at the state or changes it.
fn blind(functions: &[Function], room: &Room) -> Vec<bool> {
    let looks = |function: &Function| {
        any(&function.body, &|stmt| match stmt {
            Stmt::Let(_, Word::Load(place))
            | Stmt::LetSet(_, Set::Load(place))
            | Stmt::Store(place, _)
            | Stmt::StoreSet(place, _) => place.base < room.kept,
            Stmt::StoreLogged(..) | Stmt::Mark(_) | Stmt::Undo(_) | Stmt::Fault(_) => true,
            _ => false,
        })
    };
    let found = with_callers(functions, functions.iter().map(looks).collect());
    found.into_iter().map(|looks| !looks).collect()
}

struct Deferred<'b> {
    room: Room,
    given: FxHashMap<Value, u32>,
    blind: &'b [bool],
}

impl Deferred<'_> {
    /// Defers what is noted in statements and taken back in them.
    fn body(&self, body: &mut Body) {
        for stmt in body.iter_mut() {
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
        }
        for at in 0..body.len() {
            if let Some(inside) = bracket(body, at) {
                change(body, inside, |within| self.within(within));
            }
        }
    }

    /// Defers what is noted in statements behind which all is taken back.
    fn within(&self, body: &mut Body) {
        for at in (0..body.len()).rev() {
            if let Stmt::StoreLogged(place, w) = body[at]
                && place.base < self.room.kept
                && self.once(w)
                && place.index.is_none_or(|(w, _)| self.once(w))
            {
                body.remove(at);
                self.put(body, at, (place, w));
            }
        }
    }

    fn once(&self, w: W) -> bool {
        self.given.get(&Value::Word(w)) == Some(&1)
    }

    /// Notes something as late as it can be in statements from one on.
    fn put(&self, body: &mut Body, from: usize, note: (Place, W)) {
        let looks = |body: &[Stmt]| any(body, &|stmt| self.looks(stmt, &note.0));
        // There it is taken back.
        let end = (from..body.len()).find(|at| match body[*at] {
            Stmt::Undo(mark) => !body[from..*at].contains(&Stmt::Mark(mark)),
            _ => false,
        });
        let end = end.unwrap_or(body.len());
        let found = (from..end).find(|at| looks(&body[*at..=*at]));
        let Some(at) = found else {
            return;
        };
        let only_here = !looks(&body[at + 1..end]);
        let put = match &mut body[at] {
            Stmt::If(_, yes, no) if only_here => {
                self.put(yes, 0, note);
                self.put(no, 0, note);
                true
            }
            Stmt::ForCells(_, _, inner) | Stmt::ForBits(_, _, inner) => {
                only_here && self.put_in_rounds(inner, note)
            }
            _ => false,
        };
        if !put {
            // It must not be taken back before.
            let open = (from..at).find(|mark| match body[*mark] {
                Stmt::Mark(w) => !body[*mark..at].contains(&Stmt::Undo(w)),
                _ => false,
            });
            body.insert(open.unwrap_or(at), Stmt::StoreLogged(note.0, note.1));
        }
    }

    /// Notes something in each round of a loop, if all who look at it there do so before what the round has noted is taken back.
    fn put_in_rounds(&self, body: &mut Body, note: (Place, W)) -> bool {
        let looking = |at: &usize| any(&body[*at..=*at], &|stmt| self.looks(stmt, &note.0));
        let looking: Vec<usize> = (0..body.len()).filter(looking).collect();
        let ([first, ..], [.., last]) = (looking.as_slice(), looking.as_slice()) else {
            return true;
        };
        let holds = |inside: &Range<usize>| inside.contains(first) && inside.contains(last);
        if let Some(inside) = (0..*first).find_map(|at| bracket(body, at).filter(holds)) {
            change(body, inside, |within| self.put(within, 0, note));
            return true;
        }
        let Stmt::If(_, yes, no) = &mut body[*first] else {
            return false;
        };
        let (mut in_yes, mut in_no) = (yes.clone(), no.clone());
        let put = first == last
            && self.put_in_rounds(&mut in_yes, note)
            && self.put_in_rounds(&mut in_no, note);
        if put {
            (*yes, *no) = (in_yes, in_no);
        }
        put
    }

    /// Whether a statement, not what stands inside it, may look at a place or change it.
    fn looks(&self, stmt: &Stmt, place: &Place) -> bool {
        let (other, words) = match stmt {
            Stmt::Let(_, Word::Load(other))
            | Stmt::Store(other, _)
            | Stmt::StoreLogged(other, _) => (other, 1),
            Stmt::LetSet(_, Set::Load(other)) | Stmt::StoreSet(other, _) => {
                (other, self.room.words)
            }
            Stmt::Call(id, ..) => return !self.blind[id.0 as usize],
            Stmt::Fault(_) | Stmt::Return(_) | Stmt::Leave(_) => return true,
            _ => return false,
        };
        if other.base >= self.room.kept {
            return false;
        }
        let beyond =
            |a: &Place, words: u32, b: &Place| a.index.is_none() && a.base + words <= b.base;
        !beyond(other, words, place) && !beyond(place, 1, other)
    }

    /// Moves marks, and where all since is taken back, to where something is noted that nobody looks at behind.
    fn narrow(&self, body: &mut Body) {
        let looks = |stmt: &Stmt| match stmt {
            Stmt::Let(_, Word::Load(place)) | Stmt::LetSet(_, Set::Load(place)) => {
                place.base < self.room.kept
            }
            Stmt::Call(id, ..) => !self.blind[id.0 as usize],
            Stmt::Fault(_) => true,
            _ => false,
        };
        let mut at = 0;
        while at < body.len() {
            let (Some(inside), Stmt::Mark(mark)) = (bracket(body, at), body[at].clone()) else {
                let inner = body[at].bodies_mut();
                inner.for_each(|inner| self.narrow(inner));
                at += 1;
                continue;
            };
            let end = inside.end;
            let gone = match noting(body, inside, self.blind).as_slice() {
                [] => true,
                [one] if !any(&body[one + 1..end], &looks) => match only_branch(&mut body[*one]) {
                    Some(branch) => {
                        branch.insert(0, Stmt::Mark(mark));
                        branch.push(Stmt::Undo(mark));
                        true
                    }
                    None => false,
                },
                _ => false,
            };
            if gone {
                body.remove(end);
                body.remove(at);
            } else {
                at += 1;
            }
        }
    }
}

/// Those of some statements that note something which is not taken back among them, told which functions do not.
fn noting(body: &[Stmt], range: Range<usize>, blind: &[bool]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if let Some(inside) = bracket(body, at) {
            at = inside.end + 1;
            continue;
        }
        let stmt = &body[at];
        let own = match stmt {
            Stmt::StoreLogged(..) | Stmt::Undo(_) => true,
            Stmt::Call(id, ..) => blind.get(id.0 as usize) != Some(&true),
            _ => false,
        };
        let notes = |inner: &Body| !noting(inner, 0..inner.len(), blind).is_empty();
        if own || stmt.bodies().any(notes) {
            found.push(at);
        }
        at += 1;
    }
    found
}

/// Whether statements note something which they do not take back; all that they call is taken to do so.
pub fn notes(body: &[Stmt]) -> bool {
    !noting(body, 0..body.len(), &[]).is_empty()
}

/// The branch of a statement that notes something, if the other does not.
fn only_branch(stmt: &mut Stmt) -> Option<&mut Body> {
    let Stmt::If(_, yes, no) = stmt else {
        return None;
    };
    match (notes(yes), notes(no)) {
        (true, false) => Some(yes),
        (false, true) => Some(no),
        _ => None,
    }
}
