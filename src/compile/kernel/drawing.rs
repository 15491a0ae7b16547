//! How a random game draws: one of the listed actions, and when it is refused another, see `random`.

use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::sole::Sole;
use crate::program::kernel::{
    Bin, Body, Entry, FuncId, Game, Halt, LANE_ENTRY, LANE_HEAD, PATIENCE, Place, S, STEP, Set,
    Stmt, Value, W, Word,
};

/// What is drawn from.
pub enum Source<'s> {
    /// The list in memory.
    List,
    /// That, or where some entries list only one set, that set in memory.
    Sole(&'s Sole),
    /// Sets, and how many actions there are to the end of each; the first so many are in the list in memory.
    Sets(Vec<Part>, Vec<V>, V),
}

/// Some of the actions of a list: one for each cell of a set.
#[derive(Clone)]
pub struct Part {
    /// The cells.
    pub set: S,
    /// As in [`Stmt::Leaves`].
    pub family: u32,
    /// The words of the path before what cells tell.
    pub path: Vec<u64>,
}

impl Lowerer<'_> {
    /// Draws actions from lists in memory until one can be played, by the entry that is given by its number.
    pub fn draw(&mut self, parts: &Parts<'_>, from: &Source<'_>, which: V, total: V) {
        let room = self.room;
        let kept = [room.moves_used, room.moves_count].map(|at| (at, self.f.load(at, NO)));
        let tried = self.f.word();
        self.let_word(tried, NO);
        let again = self.f.label();
        self.f.open();
        let played = self.draw_once(parts, from, which, total);
        self.f.when(V::R(played), vec![Stmt::Leave(again)]);
        self.undo_after(parts.entries.iter().flatten().map(|e| e.play));
        self.doubt_refused(false);
        for (at, value) in kept {
            self.f.store(at, NO, value);
        }
        self.count_refused();
        let more = self.f.bin(Bin::Add, V::R(tried), YES);
        self.let_word(tried, more);
        let enough = self.f.bin(Bin::AtMost, V::K(PATIENCE), V::R(tried));
        self.halt_when(enough, Halt::Rare);
        let body = self.f.close();
        self.f.push(Stmt::Loop(again, body));
    }

    /// Draws one of so many actions and tries to play it, by the entry that is given by its number; whether it was played.
    pub fn draw_once(&mut self, parts: &Parts<'_>, from: &Source<'_>, which: V, total: V) -> W {
        let seed = self.game_word(Game::Seed);
        let seed = self.f.bin(Bin::Add, seed, V::K(STEP));
        self.set_game_word(Game::Seed, seed);
        let drawn = self.mix(seed);
        let nth = self.f.bin(Bin::High, drawn, total);
        // Whether there is an action where one was drawn.
        let made = self.f.word();
        self.let_word(made, YES);
        match from {
            Source::Sets(sets, ends, NO) => self.choose_of_sets((sets, ends, NO), nth, parts),
            Source::Sets(sets, ends, listed) => {
                self.f.open();
                self.choose_nth(nth, parts, made);
                let of_list = self.f.close();
                self.f.open();
                self.choose_of_sets((sets, ends, *listed), nth, parts);
                let of_sets = self.f.close();
                let one = self.f.bin(Bin::Less, nth, *listed);
                let one = self.f.reg(one);
                self.f.push(Stmt::If(one, of_list, of_sets));
            }
            Source::Sole(sole) if sole.all() => self.choose_of_set(sole, nth),
            Source::Sole(sole) => {
                let one = self.f.bin(Bin::Shr, V::K(sole.bits()), which);
                let one = self.f.bin(Bin::And, one, YES);
                self.f.open();
                self.choose_of_set(sole, nth);
                let of_set = self.f.close();
                self.f.open();
                self.choose_nth(nth, parts, made);
                let of_list = self.f.close();
                let one = self.f.reg(one);
                self.f.push(Stmt::If(one, of_set, of_list));
            }
            Source::List => self.choose_nth(nth, parts, made),
        }
        self.doubt_drawn(parts, which);
        let played = self.f.word();
        let call = |e: &Entry| vec![Stmt::Call(e.play, Vec::new(), Some(played))];
        self.let_word(played, NO);
        let mut bodies: Vec<Body> = parts.entries.iter().flatten().map(call).collect();
        let play = match which {
            V::K(which) => bodies.swap_remove(which as usize),
            V::R(which) => vec![Stmt::Switch(which, bodies)],
        };
        if parts.fronts.is_empty() {
            self.f.when(YES, play);
        } else {
            self.f.when(V::R(made), play);
        }
        played
    }

    /// Counts an action that was drawn and refused.
    pub fn count_refused(&mut self) {
        let refused = self.game_word(Game::Refused);
        let refused = self.f.bin(Bin::Add, refused, YES);
        self.set_game_word(Game::Refused, refused);
    }

    /// Writes the way to an action of the list, by its number, to where it is played from. The last word is set to 0 where a front was
    /// drawn behind which there is none.
    fn choose_nth(&mut self, nth: V, parts: &Parts<'_>, made: W) {
        let room = self.room;
        let (at, left) = (self.f.word(), self.f.word());
        let (from, length) = (self.f.word(), self.f.word());
        self.let_word(at, NO);
        self.let_word(left, nth);
        let found = self.f.label();
        let (cell, family) = (self.f.word(), self.f.word());
        self.let_word(cell, NO);
        self.let_word(family, NO);
        self.f.open();
        let header = self.f.load(room.moves, V::R(at));
        let long = self.f.bin(Bin::And, header, V::K(0xFFFF_FFFF));
        self.let_word(length, long);
        let first = self.f.bin(Bin::Add, V::R(at), YES);
        self.let_word(from, first);
        let behind = self.f.bin(Bin::Add, first, long);
        let several = self.f.bin(Bin::Shr, header, V::K(32));
        let leave = vec![Stmt::Leave(found)];
        let fronts = parts.fronts.len() as u64;
        let over_plain = self.f.bin(Bin::Less, YES, several);
        let under_makers = self.f.bin(Bin::AtMost, several, V::K(fronts + 1));
        let front = match fronts {
            0 => NO,
            _ => self.f.both(over_plain, under_makers),
        };
        // A lane of fronts.
        self.f.open();
        let total = self.f.load(room.moves, behind);
        let here = self.f.bin(Bin::Less, V::R(left), total);
        self.f.open();
        self.let_word(family, several);
        self.f.push(Stmt::Leave(found));
        let body = self.f.close();
        self.f.when(here, body);
        let rest = self.f.bin(Bin::Sub, V::R(left), total);
        self.let_word(left, rest);
        let words = self.f.load(room.moves + 1, behind);
        let next = self.f.bin(Bin::Add, behind, words);
        let next = self.f.bin(Bin::Add, next, V::K(LANE_HEAD));
        self.let_word(at, next);
        let of_lane = self.f.close();
        // One for each cell of a set.
        self.f.open();
        let index = self.f.reg(behind);
        let set = self.f.make_set(Set::Load(Place {
            base: room.moves,
            index: Some((index, 1)),
        }));
        let count = self.f.count(&self.fixed, set);
        let here = self.f.bin(Bin::Less, V::R(left), count);
        self.f.open();
        let set = self.f.sreg(set);
        let one = self.f.make(Word::Nth(set, left));
        self.let_word(cell, one);
        self.let_word(family, several);
        self.f.push(Stmt::Leave(found));
        let body = self.f.close();
        self.f.when(here, body);
        let rest = self.f.bin(Bin::Sub, V::R(left), count);
        self.let_word(left, rest);
        let next = self.f.bin(Bin::Add, behind, V::K(u64::from(room.words)));
        self.let_word(at, next);
        let of_set = self.f.close();
        let of_set = match front {
            V::R(front) => vec![Stmt::If(front, of_lane, of_set)],
            V::K(_) => of_set,
        };
        // One.
        self.f.open();
        let here = self.f.not(V::R(left));
        self.f.when(here, leave);
        let rest = self.f.bin(Bin::Sub, V::R(left), YES);
        self.let_word(left, rest);
        self.let_word(at, behind);
        let alone = self.f.close();
        let several = self.f.reg(several);
        self.f.push(Stmt::If(several, of_set, alone));
        let body = self.f.close();
        self.f.push(Stmt::Loop(found, body));
        self.copy_way(from, length);
        self.f.open();
        let one = self.f.bin(Bin::Add, V::R(cell), YES);
        self.f.store(room.path, V::R(length), one);
        let plainly = self.f.close();
        let mut bodies = vec![Vec::new(), plainly];
        for front in parts.fronts {
            self.f.open();
            self.look_behind(*front, (from, length, left), made);
            bodies.push(self.f.close());
        }
        let make = |f: &FuncId| vec![Stmt::Call(*f, vec![Value::Word(cell)], None)];
        bodies.extend(parts.makers.iter().map(make));
        if let [_, _] = bodies.as_slice() {
            return self.f.when(V::R(family), bodies.pop().unwrap_or_default());
        }
        self.f.push(Stmt::Switch(family, bodies));
    }

    /// Looks behind a front of the lane that was drawn, by the number of its action among those of the lane, whose words of the path
    /// stand somewhere in the list.
    fn look_behind(&mut self, front: FuncId, (from, length, left): (W, W, W), made: W) {
        let room = self.room;
        let head = self.f.bin(Bin::Add, V::R(from), V::R(length));
        let first = self.f.bin(Bin::Add, head, V::K(LANE_HEAD));
        let (at, found) = (self.f.word(), self.f.label());
        self.let_word(at, first);
        self.f.open();
        let many = self.f.load(room.moves, V::R(at));
        let here = self.f.bin(Bin::Less, V::R(left), many);
        self.f.when(here, vec![Stmt::Leave(found)]);
        let rest = self.f.bin(Bin::Sub, V::R(left), many);
        self.let_word(left, rest);
        let size = V::K(LANE_ENTRY + u64::from(room.words));
        let next = self.f.bin(Bin::Add, V::R(at), size);
        self.let_word(at, next);
        let body = self.f.close();
        self.f.push(Stmt::Loop(found, body));
        let told = self.f.load(room.moves + 1, V::R(at));
        let set = self.f.make_set(Set::Load(Place {
            base: room.moves + LANE_ENTRY as u32,
            index: Some((at, 1)),
        }));
        let count = self.f.count(&self.fixed, set);
        let gone = self.f.bin(Bin::Quotient, V::R(left), count);
        let others = self.f.bin(Bin::Mul, gone, count);
        let which = self.f.bin(Bin::Sub, V::R(left), others);
        let (set, which) = (self.f.sreg(set), self.f.reg(which));
        let cell = self.f.make(Word::Nth(set, which));
        // As `front_of_word` reads it.
        let cells = self.f.bin(Bin::And, told, V::K(0xFFFF));
        let direction = self.f.bin(Bin::Shr, told, V::K(16));
        let direction = self.f.bin(Bin::And, direction, V::K(0xFFFF));
        let far = self.f.bin(Bin::Shr, told, V::K(32));
        let cell = self.f.bin(Bin::Add, cell, far);
        let cell = self.f.bin(Bin::And, cell, V::K(0xFFFF_FFFF));
        let cell = self.f.bin(Bin::Add, cell, YES);
        for (nth, word) in (0..).zip([direction, cells, cell, gone]) {
            self.f.store(room.path + nth, V::R(length), word);
        }
        let there = self.f.call(front, Vec::new());
        self.let_word(made, there);
    }

    /// Copies so many words of the list to the path.
    pub fn copy_way(&mut self, from: W, length: W) {
        let i = self.f.word();
        self.f.open();
        let at = self.f.bin(Bin::Add, V::R(from), V::R(i));
        let word = self.f.load(self.room.moves, at);
        self.f.store(self.room.path, V::R(i), word);
        let body = self.f.close();
        let last = self.f.bin(Bin::Sub, V::R(length), YES);
        let (first, last) = (self.f.reg(NO), self.f.reg(last));
        self.f.push(Stmt::ForNumbers(i, first, last, body));
    }
}
