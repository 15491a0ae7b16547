//! What plays an action, with words and sets in place of the state, and a note of what it changes: functions in, one function out that
//! stores nothing in the state. Before: functions that play, which call nothing and store nothing but words and sets of the state, at
//! places that are known. After: what may differ behind the action that was played last, or any before it, stands where `Doubt` says.

use crate::compile::kernel::fun::{Fun, NO, NONE, V, YES};
use crate::compile::kernel::inline;
use crate::compile::kernel::regardless::differing::differing;
use crate::compile::kernel::regardless::variables::{Variables, instead_of_memory};
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Place, Room, S, Set, Stmt, Value, Word, each_statement,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where it stands what may have changed.
#[derive(Clone, Copy)]
pub struct Doubt {
    /// How many actions were looked at.
    pub many: u32,
    /// Not 0 where two actions leave a word differently.
    pub differ: u32,
    /// From here on, place by place as in the state: cells that may have changed, and words behind the first action.
    pub places: u32,
    end: u32,
}

impl Doubt {
    /// How many words that takes.
    pub fn words(room: &Room) -> u32 {
        2 + room.kept
    }

    /// From a place on.
    pub fn at(first: u32, room: &Room) -> Doubt {
        Doubt {
            many: first,
            differ: first + 1,
            places: first + 2,
            end: first + Doubt::words(room),
        }
    }

    /// All of it.
    pub fn range(self) -> Range<u32> {
        self.many..self.end
    }
}

/// What plays an action, with words and sets in place of the state.
pub struct Playing {
    /// The function.
    function: Function,
    /// The places that it may change.
    pub changed: Variables,
    /// What stands for them in it, as far as that is looked at.
    variables: Variables,
    /// In what the sets among them may differ from what they were, where that is told.
    differing: BTreeMap<u32, S>,
}

impl Playing {
    /// Puts those that play for the entries together; nothing where one does more than change what is at known places.
    pub fn of(functions: &mut Vec<Function>, plays: &[FuncId], room: &Room) -> Option<Playing> {
        let mut f = Fun::new();
        let (which, played) = (f.word(), f.word());
        let not = f.reg(NO);
        f.push(Stmt::Let(played, Word::Copy(not)));
        let play = |id: &FuncId| vec![Stmt::Call(*id, Vec::new(), Some(played))];
        f.push(Stmt::Switch(which, plays.iter().map(play).collect()));
        let failed = f.not(V::R(played));
        f.open();
        f.ret(YES);
        let body = f.close();
        f.when(failed, body);
        let (words, sets, body) = f.finish();
        let id = FuncId(functions.len() as u32);
        functions.push(Function {
            name: "playing".to_owned(),
            params: vec![Value::Word(which)],
            words,
            sets,
            body,
        });
        let each_once: BTreeSet<FuncId> = plays.iter().copied().collect();
        for play in each_once {
            inline::put(functions, play, id);
        }
        let mut function = functions.pop()?;
        if !only_changes_state(&function.body, room) {
            return None;
        }
        let changed = instead_of_memory(&mut function, &(0..room.piles), room)?;
        let mut variables = changed.clone();
        let differing = differing(&mut function, &mut variables);
        Some(Playing {
            function,
            changed,
            variables,
            differing,
        })
    }

    /// What plays an action and notes behind it what may differ from before it, of places that are `read`.
    pub fn noting(&self, read: &BTreeSet<u32>, doubt: Doubt) -> Function {
        let mut function = self.function.clone();
        let is_read = |at: &u32| read.contains(at);
        let mut begin = Fun::more(function.words, function.sets);
        for (at, w) in &self.changed.words {
            begin.push(Stmt::Let(*w, Word::Load(Place::plain(*at))));
        }
        for (at, s) in &self.variables.sets {
            begin.push(Stmt::LetSet(*s, Set::Load(Place::plain(*at))));
        }
        for s in self.differing.values() {
            let none = begin.sreg(NONE);
            begin.push(Stmt::LetSet(*s, Set::Copy(none)));
        }
        let (words, sets, begin) = begin.finish();
        let mut f = Fun::more(words, sets);
        let many = f.load(doubt.many, NO);
        for (at, w) in self.changed.words.iter().filter(|(at, _)| is_read(at)) {
            let first = f.load(doubt.places + at, NO);
            let first = f.select(many, first, V::R(*w));
            f.store(doubt.places + at, NO, first);
            let differs = f.bin(Bin::Xor, first, V::R(*w));
            let before = f.load(doubt.differ, NO);
            let differ = f.bin(Bin::Or, before, differs);
            f.store(doubt.differ, NO, differ);
        }
        for (at, s) in self.changed.sets.iter().filter(|(at, _)| is_read(at)) {
            let mut make = |set| {
                let made = f.make_set(set);
                f.sreg(made)
            };
            let differs = match self.differing.get(at) {
                Some(differs) => *differs,
                None => {
                    let before = make(Set::Load(Place::plain(*at)));
                    make(Set::Xor(before, *s))
                }
            };
            let to = Place::plain(doubt.places + at);
            let noted = make(Set::Load(to));
            let all = make(Set::Or(noted, differs));
            f.push(Stmt::StoreSet(to, all));
        }
        let more = f.bin(Bin::Add, many, YES);
        f.store(doubt.many, NO, more);
        let (words, sets, behind) = f.finish();
        (function.words, function.sets) = (words, sets);
        let body = std::mem::take(&mut function.body);
        function.body = begin.into_iter().chain(body).chain(behind).collect();
        function
    }
}

/// Whether statements do nothing but compute and store in the state.
fn only_changes_state(body: &Body, room: &Room) -> bool {
    let mut only = true;
    each_statement(body, &mut |stmt| {
        only &= match stmt {
            Stmt::Store(place, _) | Stmt::StoreLogged(place, _) | Stmt::StoreSet(place, _) => {
                place.base < room.piles
            }
            Stmt::Call(..) => false,
            other => !other.acts(),
        };
    });
    only
}
