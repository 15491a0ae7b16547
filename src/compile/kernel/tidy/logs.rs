//! What is stored with a log and taken back before anybody looks is not stored.

use crate::compile::kernel::tidy::{any, taken_back};
use crate::program::kernel::{Body, Place, Room, Set, Stmt, Word, each_statement};

/// Tidies statements.
pub(super) fn tidy(body: &mut Body, room: &Room) {
    for stmt in body.iter_mut() {
        for inner in stmt.bodies_mut() {
            tidy(inner, room);
        }
    }
    let mut at = 0;
    while at < body.len() {
        if let Stmt::Mark(mark) = body[at]
            && let Some(length) = taken_back(&body[at + 1..], mark)
            && !any(&body[at + 1..at + 1 + length], &|s| {
                matches!(s, Stmt::Undo(_))
            })
        {
            let after = body.split_off(at + 1 + length);
            let mut inside = body.split_off(at + 1);
            within(&mut inside, &mut Looked::default(), room);
            let logs = |stmt: &Stmt| matches!(stmt, Stmt::StoreLogged(..) | Stmt::Call(..));
            let none = !any(&inside, &logs);
            body.append(&mut inside);
            body.extend(after.into_iter().skip(usize::from(none)));
        }
        at += 1;
    }
}

/// A statement that is to be taken out.
fn is_gone(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(_, yes, no) if yes.is_empty() && no.is_empty())
}

/// What is looked at.
#[derive(Clone, Default)]
struct Looked {
    /// Everything.
    all: bool,
    /// Words: from, to.
    words: Vec<(u32, u32)>,
    /// Words from there on, some of them.
    from: Option<u32>,
}

impl Looked {
    /// Notes what a statement looks at of the state; not what stands inside it.
    fn look(&mut self, stmt: &Stmt, room: &Room) {
        let (place, words) = match stmt {
            Stmt::Let(_, Word::Load(place)) => (place, 1),
            Stmt::LetSet(_, Set::Load(place)) => (place, room.words),
            Stmt::Call(..) | Stmt::Fault(_) => {
                self.all = true;
                return;
            }
            _ => return,
        };
        match place.index {
            _ if place.base >= room.kept => {}
            None => self.add((place.base, place.base + words)),
            Some(_) => self.from = Some(self.from.map_or(place.base, |at| at.min(place.base))),
        }
    }

    /// Each span is kept once, however many ways look at it.
    fn add(&mut self, span: (u32, u32)) {
        if !self.words.contains(&span) {
            self.words.push(span);
        }
    }

    /// Also what is looked at elsewhere.
    fn join(&mut self, other: Looked) {
        self.all |= other.all;
        other.words.into_iter().for_each(|span| self.add(span));
        self.from = match (self.from, other.from) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// Whether a word may be among it.
    fn holds(&self, place: &Place) -> bool {
        let here = |(from, to): &(u32, u32)| match place.index {
            None => (*from..*to).contains(&place.base),
            Some(_) => *to > place.base,
        };
        let further = self
            .from
            .is_some_and(|from| place.index.is_some() || from <= place.base);
        self.all || further || self.words.iter().any(here)
    }
}

/// Takes out what is stored and not looked at before it is taken back; `looked` is what is looked at behind.
fn one(stmt: &mut Stmt, looked: &mut Looked, room: &Room) {
    match stmt {
        Stmt::StoreLogged(place, w) if place.base < room.kept && !looked.holds(place) => {
            *stmt = Stmt::If(*w, Body::new(), Body::new());
        }
        Stmt::If(_, yes, no) => {
            let mut in_no = looked.clone();
            within(yes, looked, room);
            within(no, &mut in_no, room);
            looked.join(in_no);
        }
        other => {
            looked.look(other, room);
            // What is stored in a round may be looked at in the next.
            for inner in other.bodies() {
                each_statement(inner, &mut |s| looked.look(s, room));
            }
            for inner in other.bodies_mut() {
                within(inner, &mut looked.clone(), room);
            }
        }
    }
}

fn within(body: &mut Body, looked: &mut Looked, room: &Room) {
    for stmt in body.iter_mut().rev() {
        one(stmt, looked, room);
    }
    body.retain(|stmt| !is_gone(stmt));
}
