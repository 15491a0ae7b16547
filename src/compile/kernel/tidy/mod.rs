//! Tidying: functions in, functions out that do the same with fewer statements. Before: any functions. After: what is computed
//! twice is computed once (`values`), tests whose answers are known are gone (`values`, `ranges`), what is stored and taken back
//! before anybody looks is not stored (`logs`), nothing is computed that is not read (`dead`), and loops that need not be gone through
//! are not (`loops`); where memory is followed most exactly, words are given once that were given several times (`singly`). Conditions:
//! none.

mod dead;
mod logs;
mod loops;
mod memory;
mod ranges;
mod singly;
mod values;

pub use memory::Exact;

use crate::program::kernel::{Body, FuncId, Function, Kernel, Room, Stmt, W, called};

/// Tidies the functions that the kernel's work asks for, and those that they call. All others tell texts, which is not
/// done so often that it would pay.
pub fn tidy(kernel: &mut Kernel) {
    let asked = reached(&kernel.functions, kernel.asked());
    let room = kernel.room;
    let all = kernel.functions.iter_mut().zip(asked);
    all.filter(|(_, asked)| *asked)
        .for_each(|(function, _)| one(function, &room));
}

/// Whether functions are asked for, or called by those that are.
pub fn reached(functions: &[Function], asked: Vec<FuncId>) -> Vec<bool> {
    let mut reached = vec![false; functions.len()];
    let mut open = asked;
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut reached[id.0 as usize], true) {
            open.extend(called(&functions[id.0 as usize].body));
        }
    }
    reached
}

/// Leaves out of a function what it computes and does not read, and questions behind which it does the same either way.
pub fn drop_unread(function: &mut Function) {
    dead::tidy(function);
    if dead::merge(&mut function.body) {
        dead::tidy(function);
    }
}

/// Tidies a function, in memory that is laid out so.
pub fn one(function: &mut Function, room: &Room) {
    with(function, room, Exact::No);
}

/// As [`one`], while memory is followed more exactly: what is stored at a place is not loaded from it again. More values are held at
/// once.
pub fn with(function: &mut Function, room: &Room, exact: Exact) {
    if exact == Exact::Noted {
        singly::tidy(function);
    }
    // What is not taken back any more does not change memory; what is known not to be asked does not look at it.
    logs::tidy(&mut function.body, room);
    values::tidy(function, room, exact);
    logs::tidy(&mut function.body, room);
    dead::tidy(function);
    loops::tidy(function);
}

/// How many statements there are until what was noted since a mark is taken back, when that is surely come to and nothing that was
/// noted before the mark is taken back on the way.
pub(super) fn taken_back(rest: &[Stmt], mark: W) -> Option<usize> {
    let length = rest.iter().position(|stmt| *stmt == Stmt::Undo(mark))?;
    let inside = &rest[..length];
    let leaves = |stmt: &Stmt| match stmt {
        Stmt::Return(_) | Stmt::Leave(_) => true,
        Stmt::Undo(to) => !any(inside, &|s| *s == Stmt::Mark(*to)),
        _ => false,
    };
    (!any(inside, &leaves)).then_some(length)
}

/// Whether some statement is one of these, wherever it stands.
pub(super) fn any(body: &[Stmt], is: &impl Fn(&Stmt) -> bool) -> bool {
    let one = |stmt: &Stmt| is(stmt) || stmt.bodies().any(|body: &Body| any(body, is));
    body.iter().any(one)
}
