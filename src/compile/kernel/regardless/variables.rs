//! Places in memory as words and sets of a function: function in, the same function out, which stores nothing there. Before: any
//! function. After: what it would have stored at some places is in words and sets. Conditions: none of these places is computed, and
//! none lies within another.

use crate::program::kernel::{Body, Function, Place, Room, S, Set, Stmt, W, Word, each_statement};
use std::collections::BTreeMap;
use std::ops::Range;

/// Which word and which set of a function stands for which place.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    /// By the place of a word.
    pub words: BTreeMap<u32, W>,
    /// By the first place of a set.
    pub sets: BTreeMap<u32, S>,
}

/// What statements store at places of a range; nothing where it is not known at which, or where one place lies within another.
fn stored(body: &Body, range: &Range<u32>, room: &Room) -> Option<Variables> {
    let mut stored = Variables::default();
    let mut known = true;
    each_statement(body, &mut |stmt| match stmt {
        Stmt::Store(place, w) | Stmt::StoreLogged(place, w) if range.contains(&place.base) => {
            known &= place.index.is_none();
            stored.words.insert(place.base, *w);
        }
        Stmt::StoreSet(place, s) if range.contains(&place.base) => {
            known &= place.index.is_none();
            stored.sets.insert(place.base, *s);
        }
        _ => {}
    });
    (known && stored.is_apart(room)).then_some(stored)
}

impl Variables {
    /// Whether no place lies within another.
    fn is_apart(&self, room: &Room) -> bool {
        let firsts: Vec<u32> = self.sets.keys().copied().collect();
        let apart = firsts.windows(2).all(|two| two[0] + room.words <= two[1]);
        apart && !self.words.keys().any(|at| self.touches_set(*at, 1, room))
    }

    /// Whether so many places from one on are some of a set's.
    fn touches_set(&self, at: u32, many: u32, room: &Room) -> bool {
        let near = self.sets.range(..at + many).next_back();
        near.is_some_and(|(first, _)| first + room.words > at)
    }

    /// Whether so many places from one on are among these.
    pub fn touches(&self, at: u32, many: u32, room: &Room) -> bool {
        self.touches_set(at, many, room) || self.words.range(at..at + many).next().is_some()
    }

    /// Whether a place in memory may be among these, which are of a range; `many` is how many words are there. What is computed from a
    /// place is behind it, and not behind the range.
    fn may_be(&self, place: &Place, many: u32, (range, room): (&Range<u32>, &Room)) -> bool {
        match place.index {
            None => self.touches(place.base, many, room),
            Some(_) => place.base < range.end,
        }
    }

    /// Takes what is loaded from these places from the words and sets instead.
    pub fn instead_of_loads(&self, body: &mut Body) {
        for stmt in body {
            match stmt {
                Stmt::Let(_, word) => {
                    if let Word::Load(Place { base, index: None }) = word
                        && let Some(from) = self.words.get(base)
                    {
                        *word = Word::Copy(*from);
                    }
                }
                Stmt::LetSet(_, set) => {
                    if let Set::Load(Place { base, index: None }) = set
                        && let Some(from) = self.sets.get(base)
                    {
                        *set = Set::Copy(*from);
                    }
                }
                _ => {}
            }
            for inner in stmt.bodies_mut() {
                self.instead_of_loads(inner);
            }
        }
    }
}

/// Gives a function words and sets for all places of a range that it stores to, and reads and writes those instead. They are to be
/// given values before it begins. Nothing where it reads such a place in another way; then the function is not to be used.
pub fn instead_of_memory(
    function: &mut Function,
    range: &Range<u32>,
    room: &Room,
) -> Option<Variables> {
    let mut variables = stored(&function.body, range, room)?;
    for word in variables.words.values_mut() {
        *word = W(function.words);
        function.words += 1;
    }
    for set in variables.sets.values_mut() {
        *set = S(function.sets);
        function.sets += 1;
    }
    exchange(&mut function.body, &variables, (range, room)).then_some(variables)
}

/// Exchanges places for words and sets; false where a place is read as something else.
fn exchange(body: &mut Body, variables: &Variables, within: (&Range<u32>, &Room)) -> bool {
    let mut plain = true;
    for stmt in body {
        let new = match stmt {
            Stmt::Let(to, Word::Load(place)) if variables.may_be(place, 1, within) => {
                let from = variables.words.get(&place.base);
                let from = from.filter(|_| place.index.is_none());
                plain &= from.is_some();
                from.map(|from| Stmt::Let(*to, Word::Copy(*from)))
            }
            Stmt::LetSet(to, Set::Load(place))
                if variables.may_be(place, within.1.words, within) =>
            {
                let from = variables.sets.get(&place.base);
                let from = from.filter(|_| place.index.is_none());
                plain &= from.is_some();
                from.map(|from| Stmt::LetSet(*to, Set::Copy(*from)))
            }
            Stmt::Store(place, w) | Stmt::StoreLogged(place, w) => {
                let to = variables.words.get(&place.base);
                let to = to.filter(|_| place.index.is_none());
                to.map(|to| Stmt::Let(*to, Word::Copy(*w)))
            }
            Stmt::StoreSet(place, s) => {
                let to = variables.sets.get(&place.base);
                let to = to.filter(|_| place.index.is_none());
                to.map(|to| Stmt::LetSet(*to, Set::Copy(*s)))
            }
            _ => None,
        };
        if let Some(new) = new {
            *stmt = new;
        }
        for inner in stmt.bodies_mut() {
            plain &= exchange(inner, variables, within);
        }
    }
    plain
}
