//! How a random game draws: one of the listed actions, and when it is refused another, see `random`.

use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::sole::Sole;
use crate::program::kernel::{
    Bin, Entry, FuncId, Game, Halt, PATIENCE, Place, STEP, Set, Stmt, Value, W, Word,
};

impl Lowerer<'_> {
    /// Draws actions from the list until one can be played.
    pub fn draw(&mut self, parts: &Parts<'_>, sole: Option<&Sole>, which: V, total: V) {
        let room = self.room;
        let kept = [room.moves_used, room.moves_count].map(|at| (at, self.f.load(at, NO)));
        let tried = self.f.word();
        self.let_word(tried, NO);
        let again = self.f.label();
        self.f.open();
        let seed = self.game_word(Game::Seed);
        let seed = self.f.bin(Bin::Add, seed, V::K(STEP));
        self.set_game_word(Game::Seed, seed);
        let drawn = self.mix(seed);
        let nth = self.f.bin(Bin::High, drawn, total);
        match sole {
            Some(sole) if sole.all() => self.choose_of_set(sole, nth),
            Some(sole) => {
                let one = self.f.bin(Bin::Shr, V::K(sole.bits()), which);
                let one = self.f.bin(Bin::And, one, YES);
                self.f.open();
                self.choose_of_set(sole, nth);
                let of_set = self.f.close();
                self.f.open();
                self.choose_nth(nth, parts.makers);
                let of_list = self.f.close();
                let one = self.f.reg(one);
                self.f.push(Stmt::If(one, of_set, of_list));
            }
            None => self.choose_nth(nth, parts.makers),
        }
        let played = self.f.word();
        let call = |e: &Entry| vec![Stmt::Call(e.play, Vec::new(), Some(played))];
        self.let_word(played, NO);
        let bodies = parts.entries.iter().flatten().map(call).collect();
        let which = self.f.reg(which);
        self.f.push(Stmt::Switch(which, bodies));
        self.f.when(V::R(played), vec![Stmt::Leave(again)]);
        self.undo_after(parts.entries.iter().flatten().map(|e| e.play));
        for (at, value) in kept {
            self.f.store(at, NO, value);
        }
        let refused = self.game_word(Game::Refused);
        let refused = self.f.bin(Bin::Add, refused, YES);
        self.set_game_word(Game::Refused, refused);
        let more = self.f.bin(Bin::Add, V::R(tried), YES);
        self.let_word(tried, more);
        let enough = self.f.bin(Bin::AtMost, V::K(PATIENCE), V::R(tried));
        self.halt_when(enough, Halt::Rare);
        let body = self.f.close();
        self.f.push(Stmt::Loop(again, body));
    }

    /// Writes the way to an action of the list, by its number, to where it is played from.
    fn choose_nth(&mut self, nth: V, makers: &[FuncId]) {
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
        if makers.is_empty() {
            return self.f.when(V::R(family), plainly);
        }
        let make = |f: &FuncId| vec![Stmt::Call(*f, vec![Value::Word(cell)], None)];
        let made = makers.iter().map(make);
        let bodies = [Vec::new(), plainly].into_iter().chain(made).collect();
        self.f.push(Stmt::Switch(family, bodies));
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
