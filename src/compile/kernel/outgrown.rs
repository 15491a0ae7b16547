//! What an opening asks of the number of turns is not asked any more when that is beyond all that it is compared with there: a
//! random game in, the same game out. Before: a loop of which each round is an action, compared in each round. After: that loop, left
//! when the number is beyond, and one like it behind, in which those answers stand. Conditions: the number only grows, nothing but
//! memory is kept from one round to the next, and enough falls away. And where a function asks it one thing only, that is asked before
//! all else, and there is one way through the function for each answer. Conditions: the number stays, and enough falls away.

use crate::compile::kernel::fresh::{Fresh, given};
use crate::compile::kernel::sizes::Size;
use crate::compile::kernel::tidy::{self, Exact};
use crate::compile::kernel::unroll;
use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Room, Stmt, Value, W, Word, each_statement, fixed_words,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An opening has no more turns; what asks for more of them tells that a game is long, and may never be beyond it.
const OPENING: u64 = 16;

/// Loops over no more directions are written out where one thing is asked first.
const FEW: u32 = 4;

/// The part of a game's statements that must not be needed any more, so that it pays to have it twice.
const WORTH: usize = 16;

/// A comparison of the number with a fixed one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Asked {
    bin: Bin,
    with: u64,
    /// Whether the fixed one is the first.
    turned: bool,
}

impl Asked {
    /// What it comes to when the number is greater.
    fn beyond(self) -> u64 {
        u64::from(match self.bin {
            Bin::Less | Bin::AtMost => self.turned,
            bin => bin == Bin::Differ,
        })
    }
}

/// Plays a game in two loops, if much is asked of the number of turns, which stands in a word of memory.
pub fn outgrow(game: &mut Function, turns: u32, room: &Room) {
    let asked = asked(game, turns);
    let Some(most) = asked.values().map(|asked| asked.with).max() else {
        return;
    };
    let Some(mut later) = later(game, &asked) else {
        return;
    };
    tidy::one(&mut later, room);
    if !pays(&later, game) {
        return;
    }
    let beyond = Asked {
        bin: Bin::Less,
        with: most,
        turned: true,
    };
    let (asks, is_beyond) = asks(beyond, turns, later.words);
    if let Some(Stmt::Loop(round, early)) = game.body.last_mut() {
        let left = Stmt::If(is_beyond, vec![Stmt::Leave(*round)], Body::new());
        early.splice(0..0, asks.into_iter().chain([left]));
        (game.words, game.sets) = (later.words + 3, later.sets);
        game.body.append(&mut later.body);
    }
}

/// Lets a function that counts ask first what it asks of the number of turns, if that is one thing only. Loops over few directions,
/// which may be told by the answer, are written out. It notes all that it changes, as does what it calls, and not the number.
pub fn ask_first(function: &mut Function, turns: u32, room: &Room) {
    let asked = asked(function, turns);
    let mut all = asked.values();
    let Some(only) = all.next().filter(|one| all.all(|other| other == *one)) else {
        return;
    };
    let [mut yes, mut no] = [1, 0].map(|answer| {
        let mut known = function.clone();
        put_answers(&mut known.body, &|w| asked.get(&w).map(|_| answer));
        tidy::with(&mut known, room, Exact::Noted);
        known
    });
    if !pays(&yes, function) || !pays(&no, function) {
        return;
    }
    for known in [&mut yes, &mut no] {
        unroll::write_out(known, FEW);
        tidy::with(known, room, Exact::Noted);
    }
    function.words = yes.words.max(no.words);
    function.sets = yes.sets.max(no.sets);
    let no = renumbered(&no.body, function);
    let (asks, answer) = asks(*only, turns, function.words);
    let by_answer = Stmt::If(answer, yes.body, no);
    function.words = answer.0 + 1;
    function.body = asks.into_iter().chain([by_answer]).collect();
}

/// Whether so much falls away that it pays to have a function twice.
fn pays(short: &Function, long: &Function) -> bool {
    let [short, long] = [short, long].map(|function| Size::of(&function.body).statements);
    short + long / WORTH <= long
}

/// Statements that ask something of the number, and the last of the words that they give, from a free one on: the answer.
fn asks(what: Asked, turns: u32, free: u32) -> ([Stmt; 3], W) {
    let [number, fixed, answer] = [0, 1, 2].map(|i| W(free + i));
    let place = Place {
        base: turns,
        index: None,
    };
    let (a, b) = match what.turned {
        true => (fixed, number),
        false => (number, fixed),
    };
    let asks = [
        Stmt::Let(number, Word::Load(place)),
        Stmt::Let(fixed, Word::Const(what.with)),
        Stmt::Let(answer, Word::Bin(what.bin, a, b)),
    ];
    (asks, answer)
}

/// What is asked of the number, by the word that has the answer.
fn asked(game: &Function, turns: u32) -> FxHashMap<W, Asked> {
    let fixed = fixed_words(game);
    let (mut given, mut numbers) = (FxHashSet::default(), FxHashSet::default());
    let mut several = FxHashSet::default();
    each_statement(&game.body, &mut |stmt| {
        let Some(Value::Word(w)) = stmt.gives() else {
            return;
        };
        if !given.insert(w) {
            several.insert(w);
        }
        if matches!(stmt, Stmt::Let(_, Word::Load(Place { base, index: None })) if *base == turns) {
            numbers.insert(w);
        }
    });
    let is_number = |w: W| numbers.contains(&w) && !several.contains(&w);
    let known = |w: W| fixed[w.0 as usize].filter(|turns| *turns <= OPENING);
    let mut asked = FxHashMap::default();
    each_statement(&game.body, &mut |stmt| {
        let Stmt::Let(to, Word::Bin(bin, a, b)) = *stmt else {
            return;
        };
        let (with, turned) = match (is_number(a), is_number(b)) {
            (true, false) => (known(b), false),
            (false, true) => (known(a), true),
            _ => return,
        };
        if let Some(with) = with
            && matches!(bin, Bin::Less | Bin::AtMost | Bin::Equal | Bin::Differ)
            && !several.contains(&to)
        {
            asked.insert(to, Asked { bin, with, turned });
        }
    });
    asked
}

/// The game with the answers in it, and other numbers for all that it gives, so that it can stand behind itself; nothing where values
/// go from one round to the next.
fn later(game: &Function, asked: &FxHashMap<W, Asked>) -> Option<Function> {
    let [before @ .., Stmt::Loop(_, round)] = game.body.as_slice() else {
        return None;
    };
    let first = given(before);
    if given(round).iter().any(|what| first.contains(what)) {
        return None;
    }
    let mut later = game.clone();
    put_answers(&mut later.body, &|w| {
        asked.get(&w).map(|asked| asked.beyond())
    });
    let body = later.body.clone();
    later.body = renumbered(&body, &mut later);
    Some(later)
}

/// Statements with other numbers for all that they give, and other labels, for a function that has a way beside them.
fn renumbered(body: &Body, function: &mut Function) -> Body {
    let mut fresh = Fresh::default();
    for what in given(body) {
        fresh.own(what, (&mut function.words, &mut function.sets));
    }
    let labels = |body: &Body| {
        let mut found = Vec::new();
        each_statement(body, &mut |stmt| found.extend(label(stmt)));
        found
    };
    let mine = labels(body);
    let all = labels(&function.body).into_iter().chain(mine.clone());
    let free = all.map(|label| label.0 + 1).max().unwrap_or(0);
    for label in mine {
        fresh.label(label, Label(label.0 + free));
    }
    fresh.body(body)
}

fn label(stmt: &Stmt) -> Option<Label> {
    match stmt {
        Stmt::Loop(label, _) | Stmt::Block(label, _) => Some(*label),
        _ => None,
    }
}

/// Puts answers in place of what asks.
fn put_answers(body: &mut Body, answer: &impl Fn(W) -> Option<u64>) {
    for stmt in body {
        if let Stmt::Let(to, value) = stmt
            && let Some(answer) = answer(*to)
        {
            *value = Word::Const(answer);
        }
        for inner in stmt.bodies_mut() {
            put_answers(inner, answer);
        }
    }
}
