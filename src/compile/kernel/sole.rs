//! Lists of actions that are one set of cells, as where pieces are only placed: a random game draws from the set itself.

use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::Lowerer;
use crate::program::kernel::{Bin, Body, Entry, FuncId, Function, Place, S, Set, Stmt, W, Word};

/// A list that is one set.
pub struct Sole {
    /// For each entry of each player the function that leaves the set where lists begin, and how many cells it has.
    pub functions: Vec<Vec<FuncId>>,
    /// How many words of the way come before the cell.
    pub length: u64,
}

impl Lowerer<'_> {
    /// The functions that leave one set, when every list is one.
    pub fn sole(&mut self, entries: &[Vec<Entry>]) -> Option<Sole> {
        let lists = entries.iter().flatten().map(|e| e.list);
        let mut lengths = lists.map(|id| Some(only(&self.functions[id.0 as usize])?.0));
        let length = lengths.next()??;
        if !lengths.all(|other| other == Some(length)) {
            return None;
        }
        drop(lengths);
        let functions = entries.iter().map(|of_player| {
            let made = of_player.iter().map(|e| self.leaving_set(e.list));
            made.collect::<Option<Vec<FuncId>>>()
        });
        let functions = functions.collect::<Option<Vec<Vec<FuncId>>>>()?;
        Some(Sole { functions, length })
    }

    /// A list of one set without the list.
    fn leaving_set(&mut self, id: FuncId) -> Option<FuncId> {
        let list = &self.functions[id.0 as usize];
        let (_, set) = only(list)?;
        let mut body = list.body.clone();
        body.pop();
        let count = W(list.words);
        let place = |base| Place { base, index: None };
        body.extend([
            Stmt::StoreSet(place(self.room.moves), set),
            Stmt::Let(count, Word::Count(set)),
            Stmt::Store(place(self.room.moves_count), count),
        ]);
        let function = Function {
            name: format!("{} as a set", list.name),
            params: Vec::new(),
            words: list.words + 1,
            sets: list.sets,
            body,
        };
        self.functions.push(function);
        Some(FuncId(self.functions.len() as u32 - 1))
    }

    /// The cell of the set by its number, to where its action is played from.
    pub fn choose_of_set(&mut self, sole: &Sole, nth: V) {
        let place = Place {
            base: self.room.moves,
            index: None,
        };
        let set = self.f.make_set(Set::Load(place));
        let (set, nth) = (self.f.sreg(set), self.f.reg(nth));
        let cell = self.f.make(Word::Nth(set, nth));
        let cell = self.f.bin(Bin::Add, cell, V::K(1));
        self.f.store(self.room.path, V::K(sole.length), cell);
    }
}

/// The one set that a function takes down at its end, and how many words of the way come before.
fn only(list: &Function) -> Option<(u64, S)> {
    let (last, rest) = list.body.split_last()?;
    let Stmt::Leaves(length, set, 0) = last else {
        return None;
    };
    let plain = list.params.is_empty() && !leaves(rest);
    let mut given = rest.iter().filter_map(|stmt| match stmt {
        Stmt::Let(to, value) if to == length => Some(value),
        _ => None,
    });
    match (given.next(), given.next()) {
        (Some(Word::Const(n)), None) if plain => Some((*n, *set)),
        _ => None,
    }
}

/// Whether statements may take down an action, or end the function.
fn leaves(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Leaf(_) | Stmt::Leaves(..) | Stmt::Return(_) | Stmt::Call(_, _, None) => true,
        other => other.bodies().any(|b: &Body| leaves(b)),
    })
}

/// Whether statements note what they change, so that it can be taken back.
pub fn logs(body: &Body) -> bool {
    body.iter()
        .any(|stmt| matches!(stmt, Stmt::StoreLogged(..)) || stmt.bodies().any(logs))
}
