//! Random games where lists are a few sets (`few`): each place where a turn begins or goes on draws for itself, from the sets as they are
//! found out there and not from a list in memory, and the next action of a turn follows at once.

use crate::compile::kernel::drawing::{Part, Source};
use crate::compile::kernel::few::Few;
use crate::compile::kernel::fresh::{Fresh, given};
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::program::WORD_MOVER;
use crate::program::kernel::{
    Bin, Body, FuncId, Halt, Label, PATIENCE, Renumber, Stmt, Value, W, Word, each_statement,
};

impl Lowerer<'_> {
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
        if few.lists {
            self.f.store(self.room.moves_used, NO, NO);
            self.f.store(self.room.moves_count, NO, NO);
        }
        let (from, total) = self.find_out(few);
        if few.lists {
            let list = parts.entries.iter().flatten().nth(which);
            self.undo_after(list.map(|entry| entry.list));
        }
        self.told_by_list(parts, V::K(which as u64), total);
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
        // The next round begins with a list again.
        self.doubt_refused(true);
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
        let listed = match few.lists {
            true => self.f.load(self.room.moves_count, NO),
            false => NO,
        };
        let (mut ends, mut total) = (Vec::new(), listed);
        for part in &sets {
            let count = self.f.make(Word::Count(part.set));
            total = self.f.bin(Bin::Add, total, count);
            ends.push(total);
        }
        (Source::Sets(sets, ends, listed), total)
    }

    /// The way to one of so many sets, by a number among all of their cells, before which so many are listed elsewhere.
    pub fn choose_of_sets(
        &mut self,
        (sets, ends, listed): (&[Part], &[V], V),
        nth: V,
        parts: &Parts<'_>,
    ) {
        let Some((first, others)) = sets.split_first() else {
            return;
        };
        let (mut set, mut before, mut number) = (SV::R(first.set), listed, NO);
        for (end, other) in ends.iter().zip(others) {
            let behind = self.f.bin(Bin::AtMost, *end, nth);
            set = self.f.select_set(behind, SV::R(other.set), set);
            before = self.f.select(behind, *end, before);
            number = self.f.bin(Bin::Add, number, behind);
        }
        let nth = self.f.bin(Bin::Sub, nth, before);
        let (set, nth) = (self.f.sreg(set), self.f.reg(nth));
        let cell = self.f.make(Word::Nth(set, nth));
        let longest = sets.iter().map(|part| part.path.len()).max().unwrap_or(0);
        for at in 0..longest {
            // Behind the way to a set comes what its cell tells.
            let word = |part: &Part| part.path.get(at).copied().unwrap_or(0);
            let word = self.of_part(number, sets.iter().map(word).collect());
            self.f.store(self.room.path + at as u32, NO, word);
        }
        let tells = |part: &Part| (part.family, part.path.len());
        let mut kinds: Vec<&Part> = Vec::new();
        for part in sets {
            if kinds.iter().all(|kind| tells(kind) != tells(part)) {
                kinds.push(part);
            }
        }
        let kind = |part: &Part| kinds.iter().position(|kind| tells(kind) == tells(part));
        let kind = sets.iter().map(|part| kind(part).unwrap_or(0) as u64);
        let which = self.of_part(number, kind.collect());
        let ways = kinds.iter().map(|part| self.way_of(part, cell, parts));
        let mut ways: Vec<Body> = ways.collect();
        match which {
            V::K(_) => self.f.when(YES, ways.pop().unwrap_or_default()),
            V::R(which) => self.f.push(Stmt::Switch(which, ways)),
        }
    }

    /// What belongs to a part, by its number; no word of its own where it is the same for all.
    fn of_part(&mut self, number: V, words: Vec<u64>) -> V {
        if words.iter().all(|word| *word == words[0]) {
            return V::K(words[0]);
        }
        if words.iter().zip(0..).all(|(word, at)| *word == at) {
            return number;
        }
        let table = self.table(&format!("words of parts {words:?}"), |_| words.clone());
        self.f.table(&self.tables, table, number)
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
