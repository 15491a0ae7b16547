//! What is stored with a log and taken back before anybody looks is not stored.

use crate::compile::kernel::tidy::any;
use crate::program::kernel::{Body, Place, Room, Set, Stmt, W, Word};

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
        {
            let after = body.split_off(at + 1 + length);
            let mut inside = body.split_off(at + 1);
            within(&mut inside, &mut false, room);
            let logs = |stmt: &Stmt| matches!(stmt, Stmt::StoreLogged(..) | Stmt::Call(..));
            let none = !any(&inside, &logs);
            body.append(&mut inside);
            body.extend(after.into_iter().skip(usize::from(none)));
        }
        at += 1;
    }
}

/// How many statements there are until all since a mark is taken back, when that is surely come to.
fn taken_back(rest: &[Stmt], mark: W) -> Option<usize> {
    let length = rest.iter().position(|s| *s == Stmt::Undo(mark))?;
    let leaves = |stmt: &Stmt| matches!(stmt, Stmt::Return(_) | Stmt::Leave(_) | Stmt::Undo(_));
    (!any(&rest[..length], &leaves)).then_some(length)
}

/// A statement that is to be taken out.
fn is_gone(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(_, yes, no) if yes.is_empty() && no.is_empty())
}

/// Takes out what is stored and not looked at before it is taken back; `looked` tells whether something behind looks.
fn one(stmt: &mut Stmt, looked: &mut bool, room: &Room) {
    match stmt {
        Stmt::StoreLogged(place, w) if !*looked && place.base < room.kept => {
            *stmt = Stmt::If(*w, Body::new(), Body::new());
        }
        Stmt::If(_, yes, no) => {
            let (mut in_yes, mut in_no) = (*looked, *looked);
            within(yes, &mut in_yes, room);
            within(no, &mut in_no, room);
            *looked = in_yes || in_no;
        }
        other => {
            // What is stored in a round may be looked at in the next.
            *looked |= looks(other, room)
                || other
                    .bodies()
                    .into_iter()
                    .any(|b| any(b, &|s| looks(s, room)));
            for inner in other.bodies_mut() {
                within(inner, &mut looked.clone(), room);
            }
        }
    }
}

fn within(body: &mut Body, looked: &mut bool, room: &Room) {
    for stmt in body.iter_mut().rev() {
        one(stmt, looked, room);
    }
    body.retain(|stmt| !is_gone(stmt));
}

/// Whether a statement looks at the state.
fn looks(stmt: &Stmt, room: &Room) -> bool {
    let of_state = |place: &Place| place.base < room.kept;
    match stmt {
        Stmt::Let(_, Word::Load(place)) | Stmt::LetSet(_, Set::Load(place)) => of_state(place),
        Stmt::Call(..) | Stmt::Fault(_) => true,
        _ => false,
    }
}
