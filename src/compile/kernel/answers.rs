//! What was answered with no is not looked for again while it must still be so: functions in, the same functions out. After: a
//! function that looks long for an answer leaves the sets of the state for which the answer was 0 in scratch, and answers 0 at once
//! when every set is the same, or has changed only in a way that cannot help. Conditions: the answer is found from few fixed
//! places of the state and nothing else; the function is asked at several places, or it would hardly be asked twice.
//!
//! So it is known after an action what its requirements found out; and a line that the enemy did not have is not looked for after
//! more pieces stand in its way.

use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::monotone::{Read, monotone};
use crate::compile::kernel::sizes::{Size, callers};
use crate::program::kernel::{Bin, Body, FuncId, Function, Place, Room, S, Set, Stmt, W, Word};
use std::ops::Range;

/// Functions of fewer statements, with those that they call, are asked again.
const LONG: usize = 40;

/// The most places of the state that are compared.
const MOST: usize = 4;

impl Lowerer<'_> {
    /// Has functions keep what they answered.
    pub fn keep_answers(&mut self) {
        let sizes: Vec<Size> = self.functions.iter().map(|f| Size::of(&f.body)).collect();
        for (at, many) in callers(&sizes).into_iter().enumerate() {
            let id = FuncId(at as u32);
            if many >= 2 && is_long(&sizes, id) {
                let free = self.scratch_next..self.room.path;
                self.scratch_next += keep(&mut self.functions, id, free, &self.room);
            }
        }
    }
}

/// Whether a function and those that it calls have many statements, with a loop.
fn is_long(sizes: &[Size], id: FuncId) -> bool {
    let mut all = vec![id];
    let (mut at, mut many, mut loops) = (0, 0, false);
    while at < all.len() {
        let size = &sizes[all[at].0 as usize];
        many += size.statements;
        loops |= size.loops;
        if loops && many >= LONG {
            return true;
        }
        for call in &size.calls {
            if !all.contains(call) {
                all.push(*call);
            }
        }
        at += 1;
    }
    false
}

/// A function that is being given more statements.
struct More<'f> {
    function: &'f mut Function,
    before: Body,
}

impl More<'_> {
    fn word(&mut self, value: Word) -> W {
        self.function.words += 1;
        let w = W(self.function.words - 1);
        self.before.push(Stmt::Let(w, value));
        w
    }

    fn set(&mut self, value: Set) -> S {
        self.function.sets += 1;
        let s = S(self.function.sets - 1);
        self.before.push(Stmt::LetSet(s, value));
        s
    }
}

fn at(base: u32) -> Place {
    Place { base, index: None }
}

/// Has a function keep what it answered, in words of scratch that are free; how many of them that takes, none where it cannot be
/// done.
pub fn keep(functions: &mut [Function], id: FuncId, free: Range<u32>, room: &Room) -> u32 {
    if !functions[id.0 as usize].params.is_empty() {
        return 0;
    }
    let Some((reads, ways)) = monotone(functions, id) else {
        return 0;
    };
    if reads.is_empty() || reads.len() > MOST || reads.iter().any(|r| r.place >= room.kept) {
        return 0;
    }
    let known = free.start;
    let mut next = known + 1;
    let mut kept = Vec::new();
    for (at, read) in reads.into_iter().enumerate() {
        kept.push((read, ways.of(at), next));
        next += if read.set { room.words } else { 1 };
    }
    if next > free.end {
        return 0;
    }
    put(&mut functions[id.0 as usize], known, &kept);
    next - known
}

/// Answers 0 where that is known from places of the state: what each of them has to do with the answer, and where it is kept. At
/// `known` stands whether something is.
fn put(function: &mut Function, known: u32, kept: &[(Read, (bool, bool), u32)]) {
    let mut more = More {
        function,
        before: Body::new(),
    };
    let mut same = more.word(Word::Load(at(known)));
    let mut after = Body::new();
    for (read, (helps, hinders), place) in kept {
        let fits = if read.set {
            let now = more.set(Set::Load(at(read.place)));
            let then = more.set(Set::Load(at(*place)));
            after.push(Stmt::StoreSet(at(*place), now));
            match (helps, hinders) {
                (false, false) => continue,
                (true, false) => more.word(Word::Within(now, then)),
                (false, true) => more.word(Word::Within(then, now)),
                (true, true) => more.word(Word::Same(now, then)),
            }
        } else {
            let now = more.word(Word::Load(at(read.place)));
            let then = more.word(Word::Load(at(*place)));
            after.push(Stmt::Store(at(*place), now));
            more.word(Word::Bin(Bin::Equal, now, then))
        };
        same = more.word(Word::Bin(Bin::And, same, fits));
    }
    let (no, yes) = (more.word(Word::Const(0)), more.word(Word::Const(1)));
    after.push(Stmt::Store(at(known), yes));
    let mut before = more.before;
    before.push(Stmt::If(same, vec![Stmt::Return(no)], Body::new()));
    put_around_work(&mut function.body, before, after);
}

/// Puts statements where the work of a function begins, behind all that is quickly asked, and behind it.
fn put_around_work(body: &mut Body, before: Body, after: Body) {
    let all: Vec<usize> = (0..body.len()).filter(|at| is_work(&body[*at])).collect();
    let at = all.first().copied().unwrap_or(0);
    let is_last = at + 1 == body.len();
    if let ([_], Some(Stmt::If(_, yes, no)), true) = (all.as_slice(), body.get_mut(at), is_last)
        && !no.iter().any(is_work)
    {
        return put_around_work(yes, before, after);
    }
    body.splice(at..at, before);
    body.extend(after);
}

fn is_work(stmt: &Stmt) -> bool {
    let own = matches!(stmt, Stmt::Call(..) | Stmt::Loop(..) | Stmt::ForCells(..));
    own || stmt
        .bodies()
        .into_iter()
        .any(|body| body.iter().any(is_work))
}
