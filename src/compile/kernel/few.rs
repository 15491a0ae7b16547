//! Lists that are a few sets, which random games draw from as they are found out (`apart`). In: functions that list. Out: for each of
//! them what it finds out, to be written in place, and the sets that it would take down; one that is not come to is empty. The same
//! actions come in the same order. Conditions: the words of the path are fixed for each of the sets; nothing else is taken down, but on
//! one of two ways that the function can go, of which only the other takes down sets.

use crate::board::Cells;
use crate::compile::kernel::drawing::Part;
use crate::compile::kernel::fresh::times_given;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::sole::logs;
use crate::compile::kernel::{tidy, unroll};
use crate::program::kernel::{
    Body, FuncId, Function, Place, Room, S, Set, SetId, Stmt, Value, each_statement, fixed_words,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// More sets than this are found sooner in a list.
const FEW: usize = 8;

/// A list that is a few sets.
pub struct Few {
    /// What finds them out, without what takes them down.
    pub list: Function,
    pub sets: Vec<Part>,
    /// Whether it may list actions in memory as well.
    pub lists: bool,
}

impl Lowerer<'_> {
    /// The lists of all entries that are a few sets; nothing when there are none.
    pub fn few_sets(&mut self, parts: &Parts<'_>) -> Option<Vec<Option<Few>>> {
        if parts.doubts {
            return None;
        }
        let none = self.fixed.put(Cells::EMPTY);
        let lists = parts.entries.iter().flatten().map(|entry| entry.list);
        let all: Vec<Option<Few>> = lists.map(|list| self.few(list, none, parts)).collect();
        all.iter().any(Option::is_some).then_some(all)
    }

    fn few(&self, list: FuncId, none: SetId, parts: &Parts<'_>) -> Option<Few> {
        let mut list = self.functions[list.0 as usize].clone();
        unroll::write_out(&mut list, 0);
        tidy::one(&mut list, &self.room);
        if !list.params.is_empty() {
            return None;
        }
        let front = |part: &Part| (1..=parts.fronts.len()).contains(&(part.family as usize));
        let mut taker = Taker {
            room: &self.room,
            fixed: fixed_words(&list),
            given: times_given(&list),
            sets: list.sets,
            parts: Vec::new(),
            lists: false,
        };
        let body = std::mem::take(&mut list.body);
        let body = taker.body(body, &mut BTreeMap::new(), false)?;
        let Taker {
            sets: after,
            parts: sets,
            lists,
            ..
        } = taker;
        let fits = (1..=FEW).contains(&sets.len()) && !sets.iter().any(front);
        if !fits || (lists && !parts.fronts.is_empty()) || (!lists && logs(&body)) {
            return None;
        }
        // What a way that is not gone would take down is nothing.
        let own = (list.sets..after).map(|s| Stmt::LetSet(S(s), Set::Const(none)));
        list.body = own.chain(body).collect();
        list.sets = after;
        Some(Few { list, sets, lists })
    }
}

/// Goes through a list for the sets that it takes down.
struct Taker<'t> {
    room: &'t Room,
    /// The words that always are one number.
    fixed: Vec<Option<u64>>,
    /// How often each value is given.
    given: FxHashMap<Value, u32>,
    /// How many sets the function has.
    sets: u32,
    parts: Vec<Part>,
    lists: bool,
}

impl Taker<'_> {
    /// Statements that keep the sets that they would take down, each in a set of its own; nothing when they take down something else. `path` has
    /// the words of the path that are known.
    fn body(
        &mut self,
        body: Body,
        path: &mut BTreeMap<u32, Option<u64>>,
        within: bool,
    ) -> Option<Body> {
        let mut out = Body::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::Leaves(..) if self.lists => return None,
                Stmt::Leaves(length, set, family) => {
                    let length = u32::try_from(self.fixed[length.0 as usize]?).ok()?;
                    let word = |at| path.get(&(self.room.path + at)).copied().flatten();
                    let path = (0..length).map(word).collect::<Option<Vec<u64>>>()?;
                    let stays = !within && self.given.get(&Value::Set(set)) == Some(&1);
                    let kept = if stays { set } else { S(self.sets) };
                    if !stays {
                        self.sets += 1;
                        out.push(Stmt::LetSet(kept, Set::Copy(set)));
                    }
                    self.parts.push(Part {
                        set: kept,
                        family,
                        path,
                    });
                }
                Stmt::Store(place, w)
                    if place.index.is_none() && !self.takes_down(std::slice::from_ref(&stmt)) =>
                {
                    path.insert(place.base, self.fixed[w.0 as usize]);
                    out.push(stmt);
                }
                Stmt::If(w, yes, no) if self.takes_down(&yes) || self.takes_down(&no) => {
                    let before = (self.parts.len(), self.lists);
                    let (yes, lists) = self.way(yes, path)?;
                    let (no, lists_too) = self.way(no, path)?;
                    // What is listed in memory and the sets must not both be there: they would come in another order.
                    if lists || lists_too {
                        if lists == lists_too || within || before != (0, false) {
                            return None;
                        }
                        self.lists = true;
                    }
                    path.clear();
                    out.push(Stmt::If(w, yes, no));
                }
                other if self.takes_down(std::slice::from_ref(&other)) => return None,
                other => {
                    let mut stores = false;
                    each_statement(std::slice::from_ref(&other), &mut |stmt| {
                        stores |=
                            matches!(stmt, Stmt::Store(..) | Stmt::StoreSet(..) | Stmt::Call(..));
                    });
                    if stores {
                        path.clear();
                    }
                    out.push(other);
                }
            }
        }
        Some(out)
    }

    /// One of two ways, and whether it lists in memory.
    fn way(&mut self, body: Body, path: &BTreeMap<u32, Option<u64>>) -> Option<(Body, bool)> {
        let (before, sets) = (self.parts.len(), self.sets);
        if let Some(kept) = self.body(body.clone(), &mut path.clone(), true) {
            return Some((kept, false));
        }
        self.parts.truncate(before);
        self.sets = sets;
        let mut ends = false;
        each_statement(&body, &mut |stmt| {
            ends |= matches!(stmt, Stmt::Return(_) | Stmt::Fault(_));
        });
        (!ends).then_some((body, true))
    }

    /// Whether statements may take down an action, or end the function. Fronts are written into the list itself.
    fn takes_down(&self, body: &[Stmt]) -> bool {
        let room = self.room;
        let of_list = |place: &Place| {
            place.base >= room.moves || [room.moves_used, room.moves_count].contains(&place.base)
        };
        let mut takes = false;
        each_statement(body, &mut |stmt| {
            takes |= match stmt {
                Stmt::Leaf(_)
                | Stmt::Leaves(..)
                | Stmt::Return(_)
                | Stmt::Fault(_)
                | Stmt::Call(_, _, None) => true,
                Stmt::Store(place, _) | Stmt::StoreSet(place, _) => of_list(place),
                _ => false,
            };
        });
        takes
    }
}
