//! What random games draw from where a list is a set, or a few sets one after the other: each place where a turn begins or goes on draws
//! for itself, with no list in memory, and the next action of a turn follows at once. In: functions that list. Out: for each of them
//! what it finds out, to be written in place, and the sets that it takes down. The same actions come in the same order. Conditions: it
//! takes down nothing else, whatever the position is, nothing that it does is to be taken back, and the words of the path are fixed for
//! each of the sets, and as many.

use crate::compile::kernel::drawing::{Part, Source};
use crate::compile::kernel::fresh::{Fresh, given};
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::sole::logs;
use crate::compile::kernel::tidy;
use crate::program::WORD_MOVER;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Halt, Label, PATIENCE, Renumber, Room, Stmt, Value, W, Word,
    each_statement, fixed_words,
};
use std::collections::BTreeMap;

/// More sets than this are found sooner in a list.
const FEW: usize = 8;

/// A list that is a few sets.
pub struct Few {
    /// What finds them out, without what takes them down.
    list: Function,
    sets: Vec<Part>,
}

impl Lowerer<'_> {
    /// The lists of all entries that are a few sets; nothing when there are none.
    pub fn few_sets(&self, parts: &Parts<'_>) -> Option<Vec<Option<Few>>> {
        if parts.doubts {
            return None;
        }
        let lists = parts.entries.iter().flatten().map(|entry| entry.list);
        let all: Vec<Option<Few>> = lists.map(|list| self.few(list, parts)).collect();
        all.iter().any(Option::is_some).then_some(all)
    }

    fn few(&self, list: FuncId, parts: &Parts<'_>) -> Option<Few> {
        let mut list = self.functions[list.0 as usize].clone();
        tidy::one(&mut list, &self.room);
        let sets = sets(&list, &self.room)?;
        let front = |part: &Part| (1..=parts.fronts.len()).contains(&(part.family as usize));
        let mut times = vec![0; list.sets as usize];
        each_statement(&list.body, &mut |stmt| {
            if let Some(Value::Set(s)) = stmt.gives() {
                times[s.0 as usize] += 1;
            }
        });
        let once = |part: &Part| times[part.set.0 as usize] == 1;
        let few = (1..=FEW).contains(&sets.len());
        let fits = few && sets.iter().all(|part| once(part) && !front(part));
        list.body.retain(|stmt| !matches!(stmt, Stmt::Leaves(..)));
        (fits && list.params.is_empty() && !logs(&list.body)).then_some(Few { list, sets })
    }

    /// Before the first action.
    pub fn begin_apart(&mut self) {
        self.draws_apart = true;
        let tried = self.tried();
        self.f.store(tried, NO, NO);
    }

    /// Where it is counted how many actions were drawn and refused since the last that was played.
    fn tried(&mut self) -> u32 {
        self.scratch_of("tried".to_owned(), 1)
    }

    /// One action, drawn apart for each entry of a player.
    pub fn play_apart(
        &mut self,
        (parts, lists, key): (&Parts<'_>, &[Option<Few>], Option<FuncId>),
        me: usize,
        point: V,
    ) {
        let at = self.entry_number(parts, me, point);
        self.undo_after([parts.turn[me]]);
        let entries = &parts.entries[me];
        let first = me * entries.len();
        let turns = self.program.turns.len();
        // Within a turn the next action follows at once.
        let follows = entries.len() > turns && parts.ends[me][2].is_none();
        let on = follows.then(|| (self.f.label(), at));
        let mut bodies = Vec::new();
        for (nth, entry) in entries.iter().enumerate() {
            let which = first + nth;
            let point = match follows {
                true if nth < turns => NO,
                true => YES,
                false => point,
            };
            self.f.open();
            match &lists[which] {
                Some(few) => self.play_of_few((parts, key, point), few, (which, me, on)),
                None => {
                    self.f.store(self.room.moves_used, NO, NO);
                    self.f.store(self.room.moves_count, NO, NO);
                    self.f.push(Stmt::Call(entry.list, Vec::new(), None));
                    self.undo_after([entry.list]);
                    let total = self.f.load(self.room.moves_count, NO);
                    let which = V::K(which as u64);
                    self.play((parts, key, point), &Source::List, which, total);
                    self.go_on_within(me, on);
                }
            }
            bodies.push(self.f.close());
        }
        let played = Stmt::Switch(at, bodies);
        let Some((over, _)) = on else {
            return self.f.push(played);
        };
        self.f.open();
        self.f.push(played);
        self.begin_round();
        self.halt_when_done();
        let body = self.f.close();
        self.f.push(Stmt::Loop(over, body));
    }

    /// Goes on within a player's turn with the entry that is next, or leaves the turn when it is over.
    fn go_on_within(&mut self, me: usize, on: Option<(Label, W)>) {
        let Some((over, at)) = on else { return };
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let other = self.f.bin(Bin::Differ, mover, V::K(me as u64));
        self.f.when(other, vec![Stmt::Leave(over)]);
        let point = self.point();
        let begins = self.f.not(point);
        self.f.when(begins, vec![Stmt::Leave(over)]);
        let before = V::K(self.program.turns.len() as u64 - 1);
        let of_point = self.f.bin(Bin::Add, point, before);
        self.let_word(at, of_point);
    }

    /// Draws one action of a few sets and plays it. One that is refused is drawn anew in the next round: that happens so rarely, or is
    /// listed so soon, that another loop would not pay.
    fn play_of_few(
        &mut self,
        (parts, key, point): (&Parts<'_>, Option<FuncId>, V),
        few: &Few,
        (which, me, on): (usize, usize, Option<(Label, W)>),
    ) {
        let (from, total) = self.find_out(few);
        let none = self.f.not(total);
        self.halt_when(none, Halt::Nothing);
        let keys = self.keys(key);
        let played = self.draw_once(parts, &from, V::K(which as u64), total);
        let at = self.tried();
        self.f.open();
        self.played(keys, point);
        self.f.store(at, NO, NO);
        self.go_on_within(me, on);
        let goes_on = self.f.close();
        self.f.open();
        self.undo_after(parts.entries.iter().flatten().map(|e| e.play));
        self.count_refused();
        let tried = self.f.load(at, NO);
        let tried = self.f.bin(Bin::Add, tried, YES);
        self.f.store(at, NO, tried);
        let enough = self.f.bin(Bin::AtMost, V::K(PATIENCE), tried);
        self.halt_when(enough, Halt::Rare);
        let again = self.f.close();
        self.f.push(Stmt::If(played, goes_on, again));
    }

    /// Finds the sets out, here; leaves what to draw from and of how many.
    fn find_out(&mut self, few: &Few) -> (Source<'static>, V) {
        let mut fresh = Fresh::default();
        let (words, sets) = self.f.numbers();
        for what in given(&few.list.body) {
            fresh.own(what, (words, sets));
        }
        each_statement(&few.list.body, &mut |stmt| {
            if let Stmt::Loop(label, _) | Stmt::Block(label, _) = stmt {
                fresh.label(*label, self.f.label());
            }
        });
        for stmt in fresh.body(&few.list.body) {
            self.f.push(stmt);
        }
        let part = |part: &Part| Part {
            set: fresh.set(part.set),
            ..part.clone()
        };
        let sets: Vec<Part> = few.sets.iter().map(part).collect();
        let (mut ends, mut total) = (Vec::new(), NO);
        for part in &sets {
            let count = self.f.make(Word::Count(part.set));
            total = self.f.bin(Bin::Add, total, count);
            ends.push(total);
        }
        (Source::Sets(sets, ends), total)
    }

    /// The way to one of so many sets, by a number among all of their cells.
    pub fn choose_of_sets(&mut self, (sets, ends): (&[Part], &[V]), nth: V, parts: &Parts<'_>) {
        let Some((first, others)) = sets.split_first() else {
            return;
        };
        let (mut set, mut before, mut number) = (SV::R(first.set), NO, NO);
        for (end, other) in ends.iter().zip(others) {
            let behind = self.f.bin(Bin::AtMost, *end, nth);
            set = self.f.select_set(behind, SV::R(other.set), set);
            before = self.f.select(behind, *end, before);
            number = self.f.bin(Bin::Add, number, behind);
        }
        let nth = self.f.bin(Bin::Sub, nth, before);
        let (set, nth) = (self.f.sreg(set), self.f.reg(nth));
        let cell = self.f.make(Word::Nth(set, nth));
        for at in 0..first.path.len() {
            let words: Vec<u64> = sets.iter().map(|part| part.path[at]).collect();
            let word = match words.iter().all(|word| *word == words[0]) {
                true => V::K(words[0]),
                false => {
                    let table = self.table(&format!("words of parts {words:?}"), |_| words.clone());
                    self.f.table(&self.tables, table, number)
                }
            };
            self.f.store(self.room.path + at as u32, NO, word);
        }
        let alike = sets.iter().all(|part| part.family == first.family);
        let told = if alike { &sets[..1] } else { sets };
        let ways = told.iter().map(|part| self.way_of(part, cell, parts));
        let mut ways: Vec<Body> = ways.collect();
        match (ways.pop(), alike) {
            (Some(only), true) => self.f.when(YES, only),
            (last, _) => {
                ways.extend(last);
                let number = self.f.reg(number);
                self.f.push(Stmt::Switch(number, ways));
            }
        }
    }

    /// What a cell tells of the way.
    fn way_of(&mut self, part: &Part, cell: V, parts: &Parts<'_>) -> Body {
        let maker = (part.family as usize).checked_sub(parts.fronts.len() + 1);
        if let Some(maker) = maker.and_then(|at| parts.makers.get(at)) {
            return vec![Stmt::Call(
                *maker,
                vec![Value::Word(self.f.reg(cell))],
                None,
            )];
        }
        self.f.open();
        let one = self.f.bin(Bin::Add, cell, YES);
        self.f
            .store(self.room.path + part.path.len() as u32, NO, one);
        self.f.close()
    }
}

/// The sets that a list takes down, when it is them and nothing else, and as long a way leads to each.
fn sets(list: &Function, room: &Room) -> Option<Vec<Part>> {
    let fixed = fixed_words(list);
    let known = |w: W| fixed[w.0 as usize];
    let mut path: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    let mut parts: Vec<Part> = Vec::new();
    for stmt in &list.body {
        match stmt {
            Stmt::Leaves(length, set, family) => {
                let length = u32::try_from(known(*length)?).ok()?;
                let words = (0..length).map(|at| path.get(&(room.path + at)).copied().flatten());
                let part = Part {
                    set: *set,
                    family: *family,
                    path: words.collect::<Option<Vec<u64>>>()?,
                };
                let as_long = parts
                    .iter()
                    .all(|other| other.path.len() == part.path.len());
                parts.push(as_long.then_some(part)?);
            }
            Stmt::Store(place, w) if place.index.is_none() => {
                path.insert(place.base, known(*w));
            }
            other if takes_down(std::slice::from_ref(other)) => return None,
            other => {
                let mut stores = false;
                each_statement(std::slice::from_ref(other), &mut |stmt| {
                    stores |= matches!(stmt, Stmt::Store(..) | Stmt::StoreSet(..) | Stmt::Call(..));
                });
                if stores {
                    path.clear();
                }
            }
        }
    }
    Some(parts)
}

/// Whether statements may take down an action, or end the function.
fn takes_down(body: &[Stmt]) -> bool {
    let mut takes = false;
    each_statement(body, &mut |stmt| {
        takes |= matches!(
            stmt,
            Stmt::Leaf(_)
                | Stmt::Leaves(..)
                | Stmt::Return(_)
                | Stmt::Fault(_)
                | Stmt::Call(_, _, None)
        );
    });
    takes
}
