//! One turn along a trail, to be looked at and taken back: the first action of a list that has come to one of some cells, and then the first
//! of each list again and again. In: a list. Out: code that plays them, and leaves a block where that cannot be or tells nothing.

use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::paces::Pace;
use crate::compile::kernel::paces::next::Given;
use crate::compile::kernel::random::Parts;
use crate::program::kernel::{Bin, Body, Entry, FUEL, Label, Place, Set, Stmt, W, Word};
use crate::program::{WORD_MOVER, WORD_POINT};

impl<'p> Lowerer<'p> {
    /// Plays the first action of the list that has come to one of the cells that were noted, with so many steps left; leaves a block where
    /// there is none.
    pub fn begin_one(
        &mut self,
        (parts, words): (&Parts<'_>, &[u32]),
        me: usize,
        (back, mark): (Label, W),
        (given, end): (&Given, V),
    ) {
        let known = self.known_next();
        let paces = self.ended_alike(me as u8);
        let begun = self.f.label();
        self.f.open();
        let used = V::R(given.used);
        self.each_listed((used, end), &|l: &mut Self| {
            l.play_listed(parts, given.which, back);
            let at = l.f.load(WORD_POINT as u32, NO);
            let mut is = NO;
            for pace in &paces {
                let Some(point) = l.point_of(pace) else {
                    continue;
                };
                let word = |l: &mut Self, var| {
                    let var = l.program.var(var);
                    l.f.load(var.offset as u32, NO)
                };
                let (left, here) = (word(l, pace.left), word(l, pace.here));
                let more = l.f.bin(Bin::Add, left, V::K(2));
                let so_many = l.f.bin(Bin::Equal, more, V::R(given.left));
                let there = l.f.bin(Bin::Equal, at, V::K(point));
                let both = l.f.both(so_many, there);
                let cell = l.f.bin(Bin::Sub, here, YES);
                let cell = l.f.select(here, cell, NO);
                let cells = l.f.make_set(Set::Load(Place::plain(known.cells)));
                let noted = l.f.has(&l.fixed, cells, cell);
                let this = l.f.both(both, noted);
                is = l.f.either(is, this);
            }
            l.f.when(is, vec![Stmt::Leave(begun)]);
            l.f.push(Stmt::Undo(mark));
            l.bring_back(words, end);
        });
        self.f.push(Stmt::Leave(back));
        let body = self.f.close();
        self.f.push(Stmt::Block(begun, body));
    }

    /// Plays the action of the path; leaves a block when that is refused.
    fn play_listed(&mut self, parts: &Parts<'_>, which: W, back: Label) {
        self.f.store(self.room.fuel, NO, V::K(FUEL));
        let played = self.f.word();
        self.let_word(played, NO);
        let plays = parts.entries.iter().flatten();
        let plays = plays.map(|e| vec![Stmt::Call(e.play, Vec::new(), Some(played))]);
        self.f.push(Stmt::Switch(which, plays.collect()));
        let failed = self.f.not(V::R(played));
        self.f.when(failed, vec![Stmt::Leave(back)]);
    }

    /// The number of the place where a trail is gone on with.
    fn point_of(&self, pace: &Pace<'p>) -> Option<u64> {
        let mut points = self.program.points.iter().skip(1);
        let at = points.position(|p| p.pc.0 == pace.head.0 + 1)?;
        Some(at as u64 + 1)
    }

    /// Ends the turn that goes on, by the first action again and again; leaves a block when there is none.
    pub fn end_it(&mut self, parts: &Parts<'_>, me: usize, (back, full): (Label, V)) {
        let room = self.room;
        let turns = self.program.turns.len();
        let over = self.f.label();
        self.f.open();
        let point = self.f.load(WORD_POINT as u32, NO);
        let ends = self.f.not(point);
        self.f.when(ends, vec![Stmt::Leave(over)]);
        let of_point = self.f.bin(Bin::Sub, point, YES);
        let of_point = self.f.reg(of_point);
        let begun = self.f.word();
        self.f.push(Stmt::Mark(begun));
        self.f.store(room.fuel, NO, V::K(FUEL));
        self.f.store(room.moves_used, NO, full);
        let entries = &parts.entries[me][turns..];
        let list = |e: &Entry| {
            let list = e.counting.map_or(e.list, |c| c.any);
            vec![Stmt::Call(list, Vec::new(), None)]
        };
        let lists: Vec<Body> = entries.iter().map(list).collect();
        self.f.push(Stmt::Switch(of_point, lists));
        self.f.push(Stmt::Undo(begun));
        let first = V::K((me * parts.entries[me].len() + turns) as u64);
        let which = self.f.bin(Bin::Add, V::R(of_point), first);
        let which = self.f.reg(which);
        let used = self.f.load(room.moves_used, NO);
        let gone = self.f.label();
        self.f.open();
        self.each_listed((full, used), &|l: &mut Self| {
            l.play_listed(parts, which, back);
            l.f.push(Stmt::Leave(gone));
        });
        self.f.push(Stmt::Leave(back));
        let body = self.f.close();
        self.f.push(Stmt::Block(gone, body));
        let body = self.f.close();
        self.f.push(Stmt::Loop(over, body));
    }

    /// Leaves a block where the same player goes on, or where the position may be one that a game begins with: when everything is there as
    /// it was then that no turn of a player changes.
    pub fn leave_at_start_or_same(&mut self, me: usize, back: Label) {
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let same = self.f.bin(Bin::Equal, mover, V::K(me as u64));
        self.f.when(same, vec![Stmt::Leave(back)]);
        let start = self.room.start;
        let first = self.f.load(start + WORD_MOVER as u32, NO);
        let mut other = self.f.bin(Bin::Differ, mover, first);
        if let Some(turns) = self.program.system.turns {
            let at = self.program.var(turns).offset as u32;
            let (now, then) = (self.f.load(at, NO), self.f.load(start + at, NO));
            let differs = self.f.bin(Bin::Differ, now, then);
            other = self.f.either(other, differs);
        }
        for p in (0..self.program.players.len()).filter(|p| *p != me) {
            let at = (self.program.layout.owned + p * self.program.layout.words) as u32;
            let [now, then] = [at, start + at].map(|at| {
                let set = self.f.make_set(Set::Load(Place::plain(at)));
                self.f.sreg(set)
            });
            let same = self.f.make(Word::Same(now, then));
            let differs = self.f.not(same);
            other = self.f.either(other, differs);
        }
        let same = self.f.not(other);
        self.f.when(same, vec![Stmt::Leave(back)]);
    }
}
