//! Lists of actions that are one set of cells, as where pieces are only placed: a random game draws from the set itself.

use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, Entry, FuncId, Function, Place, Room, S, Set, Stmt, W, Word, each_statement,
};

/// Lists that are one set.
pub struct Sole {
    /// For each entry of each player the function that leaves the set where lists begin, and how many cells it has; where a list is
    /// more than one set, nothing.
    pub functions: Vec<Vec<Option<FuncId>>>,
    /// How many words of the way come before the cell.
    pub length: u64,
}

impl Sole {
    /// Whether every list is one set.
    pub fn all(&self) -> bool {
        self.functions.iter().flatten().all(Option::is_some)
    }

    /// For each entry a bit, whether its list is one set.
    pub fn bits(&self) -> u64 {
        let all = self.functions.iter().flatten();
        (0..64)
            .zip(all)
            .fold(0, |bits, (at, f)| bits | u64::from(f.is_some()) << at)
    }
}

impl Lowerer<'_> {
    /// The functions that leave one set, when some lists are one, and have as many words before the cell.
    pub fn sole(&mut self, entries: &[Vec<Entry>]) -> Option<Sole> {
        if entries.iter().flatten().count() > u64::BITS as usize {
            return None;
        }
        let mut common = None;
        let mut functions = Vec::new();
        for entry in entries.iter().flatten() {
            let list = &self.functions[entry.list.0 as usize];
            if !may_be_sole(&list.body, &self.room) {
                functions.push(None);
                continue;
            }
            let mut list = list.clone();
            tidy::one(&mut list, &self.room);
            let length = only(&list).map(|(length, _)| length);
            common = common.or(length);
            let fits = length.is_some() && length == common;
            functions.push(fits.then(|| self.leaving_set(list)).flatten());
        }
        let each = |of: &Vec<Entry>| functions.drain(..of.len()).collect();
        Some(Sole {
            functions: entries.iter().map(each).collect(),
            length: common?,
        })
    }

    /// A list of one set without the list.
    fn leaving_set(&mut self, mut list: Function) -> Option<FuncId> {
        let (_, set) = only(&list)?;
        list.body.pop();
        let count = W(list.words);
        list.body.extend([
            Stmt::StoreSet(Place::plain(self.room.moves), set),
            Stmt::Let(count, Word::Count(set)),
            Stmt::Store(Place::plain(self.room.moves_count), count),
        ]);
        let function = Function {
            name: format!("{} as a set", list.name),
            words: list.words + 1,
            ..list
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

/// Whether a list may be one set, once it is tidied. Fronts are written into the list itself.
fn may_be_sole(body: &Body, room: &Room) -> bool {
    let mut many = 0;
    each_statement(body, &mut |stmt| {
        many += match stmt {
            Stmt::Leaf(_) | Stmt::Leaves(..) | Stmt::Call(_, _, None) => 1,
            Stmt::Store(place, _) | Stmt::StoreSet(place, _) if place.base >= room.moves => 2,
            _ => 0,
        };
    });
    many == 1 && body.iter().any(|stmt| matches!(stmt, Stmt::Leaves(..)))
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
