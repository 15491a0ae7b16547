//! What an opening asks of the number of turns is not asked any more when that is beyond all that it is compared with there: a
//! random game in, the same game out. Before: a loop of which each round is an action, compared in each round. After: that loop, left
//! when the number is beyond, and one like it behind, in which those answers stand. Conditions: the number only grows, nothing but
//! memory is kept from one round to the next, and enough falls away.

use crate::compile::kernel::fresh::{Fresh, given};
use crate::compile::kernel::sizes::Size;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Room, Stmt, Value, W, Word, each_statement, fixed_words,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An opening has no more turns; what asks for more of them tells that a game is long, and may never be beyond it.
const OPENING: u64 = 16;

/// The part of a game's statements that must not be needed any more, so that it pays to have it twice.
const WORTH: usize = 16;

/// A comparison of the number with a fixed one.
#[derive(Clone, Copy)]
struct Asked {
    with: u64,
    /// What it comes to when the number is greater.
    answer: u64,
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
    let [long, short] = [&game.body, &later.body].map(|body| Size::of(body).statements);
    if short + long / WORTH > long {
        return;
    }
    let [number, limit, beyond] = [0, 1, 2].map(|i| W(later.words + i));
    let place = Place {
        base: turns,
        index: None,
    };
    if let Some(Stmt::Loop(round, early)) = game.body.last_mut() {
        let left = [
            Stmt::Let(number, Word::Load(place)),
            Stmt::Let(limit, Word::Const(most)),
            Stmt::Let(beyond, Word::Bin(Bin::Less, limit, number)),
            Stmt::If(beyond, vec![Stmt::Leave(*round)], Body::new()),
        ];
        early.splice(0..0, left);
        (game.words, game.sets) = (later.words + 3, later.sets);
        game.body.append(&mut later.body);
    }
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
        let answer = match bin {
            Bin::Less | Bin::AtMost => u64::from(turned),
            Bin::Equal => 0,
            Bin::Differ => 1,
            _ => return,
        };
        if let Some(with) = with
            && !several.contains(&to)
        {
            asked.insert(to, Asked { with, answer });
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
    let mut fresh = Fresh::default();
    for what in given(&game.body) {
        fresh.own(what, (&mut later.words, &mut later.sets));
    }
    let mut labels = Vec::new();
    each_statement(&game.body, &mut |stmt| labels.extend(label(stmt)));
    let free = labels.iter().map(|label| label.0 + 1).max().unwrap_or(0);
    for label in labels {
        fresh.label(label, Label(label.0 + free));
    }
    answer(&mut later.body, asked);
    later.body = fresh.body(&later.body);
    Some(later)
}

fn label(stmt: &Stmt) -> Option<Label> {
    match stmt {
        Stmt::Loop(label, _) | Stmt::Block(label, _) => Some(*label),
        _ => None,
    }
}

/// Puts the answers in place of what asks.
fn answer(body: &mut Body, asked: &FxHashMap<W, Asked>) {
    for stmt in body {
        if let Stmt::Let(to, value) = stmt
            && let Some(asked) = asked.get(to)
        {
            *value = Word::Const(asked.answer);
        }
        for inner in stmt.bodies_mut() {
            answer(inner, asked);
        }
    }
}
