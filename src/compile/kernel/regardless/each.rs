//! Counting behind a list at once: what goes through the list, looks what each action may change, and asks then for what is counted
//! whatever of that was changed. Where what may change follows from the list alone it is kept until the list is another: positions
//! next to each other mostly have the same.

use crate::compile::kernel::alike::redirect;
use crate::compile::kernel::fun::{Fun, NO, NONE, V, YES};
use crate::compile::kernel::inline;
use crate::compile::kernel::regardless::changed::{Doubt, Playing};
use crate::compile::kernel::regardless::variables::{Variables, instead_of_memory};
use crate::compile::kernel::tidy;
use crate::program::WORD_MOVER;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Game, Place, Room, S, Set, Stmt, W, Word, called, each_statement,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// So many words are compared in one round.
const EIGHT: u32 = 8;

/// At most so many words of the state are kept with a list.
const FEW: usize = 4;

/// Where a list is kept.
pub struct Kept {
    /// How many words it has; 0 for none.
    used: u32,
    /// The words of the state that it was looked at with, and then the list.
    range: Range<u32>,
}

impl Kept {
    /// How many words there must be.
    pub const LEAST: u32 = 1 + FEW as u32 + 64;

    /// In words of scratch.
    pub fn of(range: Range<u32>) -> Kept {
        Kept {
            used: range.start,
            range: range.start + 1..range.end,
        }
    }
}

/// What it takes to count behind each action of a list.
pub struct Parts<'p> {
    /// What goes through the list and calls `behind`, and is left open at its end.
    pub each: Function,
    /// What it calls.
    pub behind: FuncId,
    /// What is called instead.
    pub playing: Playing,
    /// The places that are read of those that may change.
    pub read: &'p BTreeSet<u32>,
    /// Where it stands what may have changed.
    pub doubt: Doubt,
    /// Where the list is kept.
    pub kept: Kept,
    /// For each player what counts whatever was changed.
    pub counts: &'p [FuncId],
}

/// The function that counts what is behind all actions of a list; its result is 0 where that cannot be.
pub fn each(functions: &mut Vec<Function>, parts: Parts<'_>, room: &Room) -> Option<FuncId> {
    let walk = walk(functions, &parts, room)?;
    let Parts {
        playing,
        read,
        doubt,
        kept,
        counts,
        ..
    } = parts;
    let state = state_read(&walk.body, room, &doubt.range());
    let mut f = Fun::more(walk.words, walk.sets);
    let used = f.load(room.game + Game::Left as u32, NO);
    let same = match &state {
        Some(state) => is_kept(&mut f, (&kept, state), used, room),
        None => NO,
    };
    let other = f.not(same);
    f.open();
    f.store(kept.used, NO, NO);
    walk.body.into_iter().for_each(|stmt| f.push(stmt));
    if let Some(state) = &state {
        keep(&mut f, (&kept, state), used, room);
    }
    let body = f.close();
    f.when(other, body);
    let many = f.load(doubt.many, NO);
    let differ = f.load(doubt.differ, NO);
    let none = f.not(many);
    let in_vain = f.either(none, differ);
    f.open();
    f.ret(NO);
    let body = f.close();
    f.when(in_vain, body);
    let words = playing.changed.words.keys().filter(|at| read.contains(at));
    let mut before = Vec::new();
    for at in words {
        before.push((*at, f.load(*at, NO)));
        let now = f.load(doubt.places + at, NO);
        f.store(*at, NO, now);
    }
    let result = f.word();
    let mover = f.load(WORD_MOVER as u32, NO);
    let mover = f.reg(mover);
    let call = |id: &FuncId| vec![Stmt::Call(*id, Vec::new(), Some(result))];
    f.push(Stmt::Switch(mover, counts.iter().map(call).collect()));
    for (at, before) in before {
        f.store(at, NO, before);
    }
    let found = f.bin(Bin::Differ, V::R(result), NO);
    f.open();
    let one = f.bin(Bin::Sub, V::R(result), YES);
    let all = f.bin(Bin::Mul, one, many);
    let all = f.reg(all);
    f.push(Stmt::Tally(all));
    f.ret(YES);
    let body = f.close();
    f.when(found, body);
    f.ret(NO);
    let (words, sets, body) = f.finish();
    let mut function = Function {
        name: "regardless".to_owned(),
        params: Vec::new(),
        words,
        sets,
        body,
    };
    tidy::one(&mut function, room);
    functions.push(function);
    Some(FuncId(functions.len() as u32 - 1))
}

/// What goes through the list and leaves what each action may change; it ends the function with 0 where an action cannot be played.
fn walk(functions: &mut Vec<Function>, parts: &Parts<'_>, room: &Room) -> Option<Function> {
    let Parts { playing, doubt, .. } = parts;
    let mut function = parts.each.clone();
    // Nothing is stored in the state meanwhile.
    let noting = FuncId(functions.len() as u32);
    functions.push(playing.noting(parts.read, *doubt));
    let to = |id| if id == parts.behind { noting } else { id };
    redirect(&mut function.body, &to);
    functions.push(function);
    inline::put(functions, noting, FuncId(noting.0 + 1));
    let function = functions.pop();
    functions.pop();
    let mut function = function.filter(|f| !called(&f.body).contains(&noting))?;
    let mut first = load_first(&mut function, &playing.changed);
    let noted = instead_of_memory(&mut function, &doubt.range(), room)?;
    let mut f = Fun::more(function.words, function.sets);
    for to in noted.words.values() {
        let none = f.reg(NO);
        f.push(Stmt::Let(*to, Word::Copy(none)));
    }
    for to in noted.sets.values() {
        let none = f.sreg(NONE);
        f.push(Stmt::LetSet(*to, Set::Copy(none)));
    }
    let body = std::mem::take(&mut function.body);
    body.into_iter().for_each(|stmt| f.push(stmt));
    for (at, w) in &noted.words {
        f.store(*at, NO, V::R(*w));
    }
    for (at, set) in &noted.sets {
        f.push(Stmt::StoreSet(Place::plain(*at), *set));
    }
    let (words, sets, body) = f.finish();
    (function.words, function.sets) = (words, sets);
    first.extend(body);
    function.body = first;
    tidy::one(&mut function, room);
    Some(function)
}

/// Whether the list that is kept is the one that there is, in a state that is the same for it.
fn is_kept(f: &mut Fun, (kept, state): (&Kept, &[u32]), used: V, room: &Room) -> V {
    let before = f.load(kept.used, NO);
    let mut same = f.bin(Bin::Equal, before, used);
    for (at, kept) in state.iter().zip(kept.range.start..) {
        let (now, then) = (f.load(*at, NO), f.load(kept, NO));
        let equal = f.bin(Bin::Equal, now, then);
        same = f.both(same, equal);
    }
    let differ = f.word();
    let other = f.not(same);
    let other = f.reg(other);
    f.push(Stmt::Let(differ, Word::Copy(other)));
    f.open();
    each_word(f, used, |f, i, by, stride| {
        let place = |base: u32| Place {
            base: base + by,
            index: Some((i, stride)),
        };
        let now = f.make(Word::Load(place(room.moves)));
        let then = f.make(Word::Load(place(kept.list())));
        let differs = f.bin(Bin::Xor, now, then);
        let all = f.bin(Bin::Or, V::R(differ), differs);
        let all = f.reg(all);
        f.push(Stmt::Let(differ, Word::Copy(all)));
    });
    let compare = f.close();
    f.when(same, compare);
    f.not(V::R(differ))
}

/// Keeps a list that there is room for.
fn keep(f: &mut Fun, (kept, state): (&Kept, &[u32]), used: V, room: &Room) {
    let most = V::K(u64::from(kept.range.end - kept.list()));
    let fits = f.bin(Bin::AtMost, used, most);
    f.open();
    for (at, kept) in state.iter().zip(kept.range.start..) {
        let now = f.load(*at, NO);
        f.store(kept, NO, now);
    }
    each_word(f, used, |f, i, by, stride| {
        let place = |base: u32| Place {
            base: base + by,
            index: Some((i, stride)),
        };
        let now = f.make(Word::Load(place(room.moves)));
        let now = f.reg(now);
        f.push(Stmt::Store(place(kept.list()), now));
    });
    f.store(kept.used, NO, used);
    let body = f.close();
    f.when(fits, body);
}

/// Does something with so many words from a place on, which is told as a number of rounds and words, and how many words a round has.
fn each_word(f: &mut Fun, many: V, work: impl Fn(&mut Fun, W, u32, u32)) {
    let rounds = f.bin(Bin::Shr, many, V::K(u64::from(EIGHT.trailing_zeros())));
    let past = f.bin(Bin::Mul, rounds, V::K(u64::from(EIGHT)));
    let mut go = |first: V, end: V, stride: u32| {
        let last = f.bin(Bin::Sub, end, YES);
        let i = f.word();
        f.open();
        (0..stride).for_each(|by| work(f, i, by, stride));
        let body = f.close();
        let (first, last) = (f.reg(first), f.reg(last));
        f.push(Stmt::ForNumbers(i, first, last, body));
    };
    go(NO, rounds, EIGHT);
    go(past, many, 1);
}

impl Kept {
    /// The first word of the list.
    fn list(&self) -> u32 {
        self.range.start + FEW as u32
    }
}

/// The words of the state that statements read; nothing where they read anything else but a list and the way to an action.
fn state_read(body: &Body, room: &Room, noted: &Range<u32>) -> Option<Vec<u32>> {
    let (mut words, mut only) = (BTreeSet::new(), true);
    let listed = room.game + Game::Left as u32;
    let is_listed = |base: u32| {
        base == listed
            || noted.contains(&base)
            || (room.path..room.text).contains(&base)
            || base >= room.moves
    };
    each_statement(body, &mut |stmt| match stmt {
        Stmt::Let(_, Word::Load(place)) if !is_listed(place.base) => {
            only &= place.base < room.piles && place.index.is_none();
            words.insert(place.base);
        }
        Stmt::Let(_, Word::PileKey(..) | Word::Repeated(_) | Word::Seen(_)) | Stmt::Call(..) => {
            only = false;
        }
        Stmt::LetSet(_, Set::Load(place)) => only &= is_listed(place.base),
        _ => {}
    });
    (only && words.len() <= FEW).then(|| words.into_iter().collect())
}

/// Gives a function what is loaded from places that it does not store to; what loads them first is left.
fn load_first(function: &mut Function, places: &Variables) -> Body {
    let mut first = Body::new();
    let mut loaded = Variables::default();
    for at in places.words.keys() {
        let to = W(function.words);
        function.words += 1;
        first.push(Stmt::Let(to, Word::Load(Place::plain(*at))));
        loaded.words.insert(*at, to);
    }
    for at in places.sets.keys() {
        let to = S(function.sets);
        function.sets += 1;
        first.push(Stmt::LetSet(to, Set::Load(Place::plain(*at))));
        loaded.sets.insert(*at, to);
    }
    loaded.instead_of_loads(&mut function.body);
    first
}
