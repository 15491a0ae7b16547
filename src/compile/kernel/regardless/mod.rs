//! What can be done behind any action of a list counted once, where it does not depend on which was played: as long as two armies are
//! apart, say. Before: a kernel for counting whose `pairs` plays each action of a list, asks the ends, counts and takes it back. After:
//! it is found first what those actions may change, without playing them (`changed`); then it is counted with the cells among that not
//! known (`bounds`), which gives up where they matter. Only then each action is played. Conditions: actions are listed along lanes in any
//! order, for else it does not pay; what plays calls nothing and stores nothing but words and sets of the state at places that are
//! known (`variables`); no two ways to an action have one text.

mod bounds;
mod changed;
mod differing;
mod each;
mod turns;
mod variables;

pub use turns::Later;

use crate::compile::kernel::fun::{Fun, NO, V};
use crate::compile::kernel::in_vain::unless_in_vain;
use crate::compile::kernel::names::Names;
use crate::compile::kernel::pairs::Pairs;
use crate::compile::kernel::regardless::bounds::{Bounds, Doubts};
use crate::compile::kernel::regardless::changed::{Doubt, Playing};
use crate::compile::kernel::regardless::each::{Kept, Parts, each};
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, FUEL, FuncId, Function, Game, Kernel, Room, Set, Stmt, Value, Word, each_statement,
};
use std::collections::BTreeSet;

/// States of at most so many words are followed.
const MOST: u32 = 80;

/// Lists of fewer words are not worth it.
const FEW: u64 = 12;

/// How many words of scratch are needed at least for states that are laid out so.
pub fn scratch(room: &Room) -> u32 {
    1 + Doubt::words(room) + Kept::LEAST
}

/// Counts once what does not depend on the action; the result are functions of two players that do the same. The first of the words of
/// scratch is for how often it was tried in vain, one time after the other.
pub fn count(kernel: &mut Kernel, pairs: Pairs, scratch: u32) -> Vec<(FuncId, FuncId)> {
    let before = kernel.functions.len();
    let written = write(kernel, pairs, scratch);
    if written.is_none() {
        kernel.functions.truncate(before);
    }
    written.unwrap_or_default()
}

fn write(kernel: &mut Kernel, pairs: Pairs, scratch: u32) -> Option<Vec<(FuncId, FuncId)>> {
    let room = kernel.room;
    let all = pairs.all.0 as usize;
    let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::Loop(..));
    let place = kernel.functions[all].body.iter().position(is_loop)?;
    let mut of_entries = kernel.entries.iter().flatten();
    let along_lanes = of_entries.any(|e| e.counting.is_some_and(|c| c.any != e.list));
    if !along_lanes || room.kept > MOST || !kernel.unique {
        return None;
    }
    let playing = Playing::of(&mut kernel.functions, &pairs.plays, &room)?;
    let doubt = Doubt::at(scratch + 1, &room);
    let mut read = BTreeSet::new();
    let mut counts = Vec::new();
    for counted in of_players(&pairs.written, kernel.entries.len())? {
        let places = Doubts::Places(doubt.places);
        let mut bounds = Bounds::new(&kernel.functions, &room, &playing.changed, places);
        let mut function = bounds.function(&counted, "count regardless")?;
        read.append(&mut bounds.read);
        tidy::one(&mut function, &room);
        counts.push(function);
    }
    let first = kernel.functions.len();
    kernel.functions.append(&mut counts);
    let counts: Vec<FuncId> = (first..kernel.functions.len())
        .map(|id| FuncId(id as u32))
        .collect();
    let parts = Parts {
        each: pairs.each,
        behind: pairs.behind,
        playing,
        read: &read,
        doubt,
        kept: Kept::of(doubt.range().end..room.path),
        counts: &counts,
    };
    let each = each(&mut kernel.functions, parts, &room)?;
    let function = &mut kernel.functions[all];
    let mut f = Fun::more(function.words, function.sets);
    try_first(&mut f, (scratch, &room), each);
    let (words, sets, before) = f.finish();
    (function.words, function.sets) = (words, sets);
    function.body.splice(place..place, before);
    match counts.as_slice() {
        [first, second] => Some(vec![(*first, *second)]),
        _ => Some(Vec::new()),
    }
}

/// For each player what asks the ends and counts when it is his turn, out of what does so for all; nothing where it needs more.
fn of_players(behind: &Function, players: usize) -> Option<Vec<Function>> {
    let given = |stmt: &&Stmt| {
        matches!(
            stmt,
            Stmt::Let(_, Word::Const(_)) | Stmt::LetSet(_, Set::Const(_))
        )
    };
    let fixed: Body = behind.body.iter().filter(given).cloned().collect();
    let block = behind.body.iter().rev().find_map(|stmt| match stmt {
        Stmt::Block(label, body) => Some((*label, body)),
        _ => None,
    });
    let (label, body) = block?;
    let Some((Stmt::Switch(_, bodies), before)) = body.split_last() else {
        return None;
    };
    if bodies.len() != players {
        return None;
    }
    let of_player = |body: &Body| {
        let inner = before.iter().chain(body).cloned().collect();
        let block = Stmt::Block(label, inner);
        let mut function = Function {
            body: fixed.iter().cloned().chain([block]).collect(),
            ..Function::default()
        };
        let alone = stands_alone(&function);
        // What differs in the player only is shared in the end.
        let mut names = Names::default();
        names.body(&mut function.body);
        (function.words, function.sets) = names.met();
        alone.then_some(function)
    };
    bodies.iter().map(of_player).collect()
}

/// Whether a function gives values to all that it reads.
fn stands_alone(function: &Function) -> bool {
    let (mut given, mut read) = (BTreeSet::new(), BTreeSet::new());
    each_statement(&function.body, &mut |stmt| {
        given.extend(stmt.gives());
        stmt.each_read(&mut |value: Value| _ = read.insert(value));
    });
    read.is_subset(&given)
}

/// Ends the function where another counted everything, which is tried unless that is in vain.
fn try_first(f: &mut Fun, (in_vain, room): (u32, &Room), each: FuncId) {
    let used = f.load(room.game + Game::Left as u32, NO);
    let long = f.bin(Bin::AtMost, V::K(FEW), used);
    let done = f.word();
    let not = f.reg(NO);
    f.push(Stmt::Let(done, Word::Copy(not)));
    f.open();
    unless_in_vain(f, in_vain, |f| {
        f.store(room.fuel, NO, V::K(FUEL));
        let counted = f.call(each, Vec::new());
        let all = f.reg(counted);
        f.push(Stmt::Let(done, Word::Copy(all)));
        f.not(counted)
    });
    let body = f.close();
    f.when(long, body);
    f.open();
    f.ret(NO);
    let body = f.close();
    f.when(V::R(done), body);
}
