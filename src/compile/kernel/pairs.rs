//! The sequences of two actions as one function: plays each action of a list, asks the ends and counts what can be done then,
//! without anybody outside being asked. What it cannot do by itself it leaves to whom it counts for.

use crate::compile::kernel::changes::{loggers, unnoted};
use crate::compile::kernel::fun::{Fun, NO, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::random::Parts;
use crate::program::kernel::{Bin, FUEL, FuncId, Function, Game, Place, Set, Stmt, Value, W, Word};
use crate::program::{WORD_MOVER, WORD_POINT};

/// Up to so many words a state is brought back word by word.
pub const UNROLLED: u32 = 80;

/// Else so many a round.
const EIGHT: u32 = 8;

/// The functions that count sequences of two actions.
pub struct Pairs {
    /// All behind a list.
    pub all: FuncId,
    /// Those behind one action.
    pub behind: FuncId,
    /// What goes through a list as the first does, and calls the second for each action; it ends with 0 as soon as that does not, and
    /// is left open behind the last action.
    pub each: Function,
    /// For each entry what plays, as in the second.
    pub plays: Vec<FuncId>,
    /// The second as it was written.
    pub written: Function,
}

impl Lowerer<'_> {
    /// The function that adds to the tally what can be done behind each action of the list; its result is 1 when somebody else is
    /// to do it. It is given how many words the list has, and does not change the position.
    pub fn pairs(&mut self, parts: &Parts<'_>) -> Pairs {
        self.loggers = loggers(&self.functions);
        let (behind, plays) = self.behind(parts);
        let written = self.functions[behind.0 as usize].clone();
        self.f = Fun::new();
        let used = self.game_word(Game::Left);
        let which = self.which(parts);
        let follow = |l: &mut Self| l.count_behind((behind, which), NO);
        self.each_listed((NO, used), &follow);
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        let each = Function {
            name: "each".to_owned(),
            params: Vec::new(),
            words,
            sets,
            body,
        };
        self.f = Fun::new();
        let room = self.room;
        let used = self.game_word(Game::Left);
        self.set_game_word(Game::Fresh, NO);
        let which = self.which(parts);
        self.copy_state(0, room.before);
        let follow = |l: &mut Self| l.count_behind((behind, which), YES);
        self.each_listed((NO, used), &follow);
        self.f.ret(NO);
        Pairs {
            all: self.function("pairs", Vec::new()),
            behind,
            each,
            plays,
            written,
        }
    }

    /// Writes the way of each action between two words of the list, and then what is done with it.
    pub fn each_listed(&mut self, (begin, used): (V, V), follow: &impl Fn(&mut Self)) {
        let room = self.room;
        let at = self.f.word();
        self.let_word(at, begin);
        let walked = self.f.label();
        self.f.open();
        let more = self.f.bin(Bin::Less, V::R(at), used);
        let over = self.f.not(more);
        self.f.when(over, vec![Stmt::Leave(walked)]);
        let header = self.f.load(room.moves, V::R(at));
        let length = self.f.word();
        let long = self.f.bin(Bin::And, header, V::K(0xFFFF_FFFF));
        self.let_word(length, long);
        let from = self.f.word();
        let first = self.f.bin(Bin::Add, V::R(at), YES);
        self.let_word(from, first);
        let next = self.f.bin(Bin::Add, first, long);
        let several = self.f.bin(Bin::Shr, header, V::K(32));
        // One for each cell of a set.
        self.f.open();
        let index = self.f.reg(next);
        let set = self.f.make_set(Set::Load(Place {
            base: room.moves,
            index: Some((index, 1)),
        }));
        let set = self.f.sreg(set);
        self.copy_way(from, length);
        let cell = self.f.word();
        self.f.open();
        let last = self.f.bin(Bin::Add, V::R(cell), YES);
        self.f.store(room.path, V::R(length), last);
        follow(self);
        let body = self.f.close();
        self.f.push(Stmt::ForCells(cell, set, body));
        let past = self.f.bin(Bin::Add, next, V::K(u64::from(room.words)));
        self.let_word(at, past);
        let of_set = self.f.close();
        // One.
        self.f.open();
        self.copy_way(from, length);
        follow(self);
        self.let_word(at, next);
        let alone = self.f.close();
        let several = self.f.reg(several);
        self.f.push(Stmt::If(several, of_set, alone));
        let body = self.f.close();
        self.f.push(Stmt::Loop(walked, body));
    }

    /// Calls a function behind an action whose way was written; where the result is not 0 the one that is being written ends with some
    /// other.
    fn count_behind(&mut self, (behind, which): (FuncId, W), rare: V) {
        let is_rare = self.f.call(behind, vec![Value::Word(which)]);
        self.end_when(is_rare, rare);
    }

    /// Ends the function that is being written with a result.
    pub fn end_when(&mut self, v: V, result: V) {
        self.f.open();
        self.f.ret(result);
        let body = self.f.close();
        self.f.when(v, body);
    }

    /// The function that plays the action of the path, by the entry that it is told, counts and takes the action back.
    fn behind(&mut self, parts: &Parts<'_>) -> (FuncId, Vec<FuncId>) {
        self.f = Fun::new();
        let room = self.room;
        let which = self.f.word();
        self.f.store(room.fuel, NO, V::K(FUEL));
        self.f.store(room.log_used, NO, NO);
        let played = self.f.word();
        self.let_word(played, NO);
        let of_entries = parts.entries.iter().flatten();
        let plays: Vec<FuncId> = of_entries
            .map(|e| e.counting.map_or(e.play, |c| c.behind))
            .collect();
        let play = |f: &FuncId| vec![Stmt::Call(*f, Vec::new(), Some(played))];
        let bodies = plays.iter().map(play).collect();
        self.f.push(Stmt::Switch(which, bodies));
        let failed = self.f.not(V::R(played));
        self.end_when(failed, YES);
        let unnoted = self.unnoted(parts);
        if unnoted.is_some() {
            let mark = self.f.word();
            self.f.push(Stmt::Mark(mark));
            self.log_from = Some(mark);
        } else {
            self.f.store(room.log_used, NO, NO);
        }
        if parts.doubts {
            self.f.store(room.doubt, NO, NO);
        }
        let before = self.f.load(room.tally, NO);
        let ended = self.f.label();
        self.on_end = Some(ended);
        self.f.open();
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let point = self.point();
        let mut bodies = Vec::new();
        for me in 0..parts.entries.len() {
            self.f.open();
            self.ends_before(parts, me, point);
            self.count_actions(parts, me, point);
            bodies.push(self.f.close());
        }
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, bodies));
        let body = self.f.close();
        self.f.push(Stmt::Block(ended, body));
        self.on_end = None;
        self.log_from = None;
        match unnoted {
            None => self.copy_state(room.before, 0),
            Some(words) => {
                let all = self.f.reg(NO);
                self.f.push(Stmt::Undo(all));
                words
                    .iter()
                    .for_each(|at| self.copy_word(room.before + at, *at));
            }
        }
        if parts.doubts {
            let now = self.f.load(room.tally, NO);
            let many = self.f.bin(Bin::Sub, now, before);
            let doubtful = self.doubtful(many);
            self.f.ret(doubtful);
        }
        self.f.ret(NO);
        (self.function("behind", vec![Value::Word(which)]), plays)
    }

    /// Counts what a player can do where the turn stands.
    pub fn count_actions(&mut self, parts: &Parts<'_>, me: usize, point: V) {
        let at = self.entry_number(parts, me, point);
        let counts = parts.entries[me].iter();
        let counts = counts.map(|e| e.counting.map_or(e.list, |c| c.count));
        let call = |f: FuncId| Stmt::Call(f, Vec::new(), None);
        match counts.collect::<Vec<_>>().as_slice() {
            [only] => self.f.push(call(*only)),
            several => {
                let bodies = several.iter().map(|f| vec![call(*f)]).collect();
                self.f.push(Stmt::Switch(at, bodies));
            }
        }
    }

    /// The number of the entry that plays from the position in memory, among those of all players.
    fn which(&mut self, parts: &Parts<'_>) -> W {
        let which = self.f.word();
        self.let_word(which, NO);
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let point = self.point();
        let mut bodies = Vec::new();
        for me in 0..parts.entries.len() {
            self.f.open();
            let at = self.entry_number(parts, me, point);
            let first = V::K((me * parts.entries[me].len()) as u64);
            let number = self.f.bin(Bin::Add, V::R(at), first);
            self.let_word(which, number);
            bodies.push(self.f.close());
        }
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, bodies));
        which
    }

    /// Where the turn stands; 0 at its beginning.
    pub fn point(&mut self) -> V {
        if self.program.points.len() > 1 {
            self.f.load(WORD_POINT as u32, NO)
        } else {
            NO
        }
    }

    /// Copies the words of a state.
    fn copy_state(&mut self, from: u32, to: u32) {
        let kept = self.room.kept;
        let rounds = if kept <= UNROLLED { 0 } else { kept / EIGHT };
        if rounds > 0 {
            let i = self.f.word();
            self.f.open();
            let place = |at: u32, by: u32| Place {
                base: at + by,
                index: Some((i, EIGHT)),
            };
            for by in 0..EIGHT {
                let word = self.f.make(Word::Load(place(from, by)));
                let word = self.f.reg(word);
                self.f.push(Stmt::Store(place(to, by), word));
            }
            let body = self.f.close();
            let last = V::K(u64::from(rounds) - 1);
            let (first, last) = (self.f.reg(NO), self.f.reg(last));
            self.f.push(Stmt::ForNumbers(i, first, last, body));
        }
        (rounds * EIGHT..kept).for_each(|at| self.copy_word(from + at, to + at));
    }

    fn copy_word(&mut self, from: u32, to: u32) {
        let word = self.f.load(from, NO);
        self.f.store(to, NO, word);
    }

    /// The words that are to be brought back behind an action, where all others are taken back by what was noted; nothing where
    /// every word is brought back.
    pub fn unnoted(&self, parts: &Parts<'_>) -> Option<Vec<u32>> {
        if !self.loggers.contains(&true) {
            return None;
        }
        let of_entries = parts.entries.iter().flatten();
        let plays =
            of_entries.flat_map(|e| e.counting.map_or([e.play, e.list], |c| [c.behind, c.count]));
        let ends = parts.ends.iter().flatten().chain(parts.moving).flatten();
        let asked = plays.chain(ends.copied()).chain(parts.turn.iter().copied());
        unnoted(&self.functions, asked.collect(), &self.room)
    }

    /// The function that is being written, under a name.
    pub fn function(&mut self, name: &str, params: Vec<Value>) -> FuncId {
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        self.functions.push(Function {
            name: name.to_owned(),
            params,
            words,
            sets,
            body,
        });
        FuncId(self.functions.len() as u32 - 1)
    }
}
