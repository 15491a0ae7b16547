//! A whole random game as one function: asks the ends, lists the actions, draws one, plays it, and begins again, without anybody
//! outside being asked. What it cannot do by itself it leaves to whom it runs for, see `Halt`.

use crate::compile::kernel::changes::loggers;
use crate::compile::kernel::drawing::Source;
use crate::compile::kernel::env::{Env, Slot};
use crate::compile::kernel::families::Listed;
use crate::compile::kernel::few::Few;
use crate::compile::kernel::fun::{Fun, NO, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::presumed::Presumption;
use crate::compile::kernel::sole::Sole;
use crate::program::kernel::{
    Bin, Entry, FUEL, FuncId, Game, Halt, Kernel, Label, Place, Set, Stmt, W, Word,
};
use crate::program::{WORD_FREE, WORD_HASH, WORD_LAST, WORD_MOVER};

/// How lists are drawn from.
enum Lists<'l> {
    /// All stand in memory.
    Memory,
    /// Some are one set in memory.
    Sole(&'l Sole),
    /// Some are a few sets, and drawn from each for itself.
    Apart(&'l [Option<Few>]),
}

/// The functions that a game is made of.
pub struct Parts<'a> {
    /// Which turn begins, for each player.
    pub turn: &'a [FuncId],
    /// How turns are played, for each player.
    pub entries: &'a [Vec<Entry>],
    /// What looks behind fronts, see `fronts`; these are the first families.
    pub fronts: &'a [FuncId],
    /// What finds out the ways of the other families, see `families`.
    pub makers: &'a [FuncId],
    /// The ends, for each player.
    pub ends: &'a [[Option<FuncId>; 3]],
    /// The ends at the start of a turn that can be completed, for each player.
    pub moving: &'a [Option<FuncId>],
    /// The first end that may hold only because it is taken for granted that a turn can be completed.
    pub first_in_doubt: Option<usize>,
    /// Whether two ways to an action may have one text.
    pub doubts: bool,
    /// Where turns are presumed to go on, for each player.
    pub presumed: &'a [Vec<Presumption>],
}

impl Lowerer<'_> {
    /// The function that plays random games.
    pub fn random_game(&mut self, parts: &Parts<'_>) -> FuncId {
        let sole = self.sole(parts.entries);
        let key = self.program.looks_back.then(|| self.key_function());
        let listed = match &sole {
            Some(sole) if sole.all() => Listed {
                entries: parts.entries.to_vec(),
                makers: Vec::new(),
            },
            _ => self.families(parts.entries, parts.fronts.len()),
        };
        if !listed.makers.is_empty() {
            let lists = |of: &Vec<Entry>| of.iter().map(|e| e.list).collect();
            self.lists = listed.entries.iter().map(lists).collect();
        }
        let parts = &Parts {
            entries: &listed.entries,
            makers: &listed.makers,
            ..*parts
        };
        self.loggers = loggers(&self.functions);
        // One set that is not always all there is is drawn from as soon in memory.
        let several = |list: &Option<Few>| list.as_ref().is_some_and(|few| few.sets.len() > 1);
        let apart = match &sole {
            Some(sole) if !sole.all() => self.few_sets(parts),
            Some(_) => None,
            None => self.few_sets(parts).filter(|all| all.iter().all(several)),
        };
        self.f = Fun::new();
        if apart.is_some() {
            self.begin_apart();
        }
        let again = self.f.label();
        self.f.open();
        self.open_round();
        let lists = match (&apart, &sole) {
            (Some(apart), _) => Lists::Apart(apart),
            (None, Some(sole)) => Lists::Sole(sole),
            (None, None) => Lists::Memory,
        };
        self.random_ply(parts, &lists, key);
        self.close_round();
        let body = self.f.close();
        self.f.push(Stmt::Loop(again, body));
        self.function("random game", Vec::new())
    }

    /// A function that gives the key that repetition compares.
    fn key_function(&mut self) -> FuncId {
        self.f = Fun::new();
        let key = self.repetition_key(&mut Env::default(), Cx::ANY);
        self.f.ret(key);
        self.function("key", Vec::new())
    }

    /// One action.
    fn random_ply(&mut self, parts: &Parts<'_>, lists: &Lists<'_>, key: Option<FuncId>) {
        let room = self.room;
        self.begin_round();
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let point = self.point();
        let which = self.f.word();
        self.let_word(which, NO);
        let mut bodies = Vec::new();
        for me in 0..parts.entries.len() {
            self.f.open();
            self.ends_before(parts, me, point);
            self.halt_when_done();
            match lists {
                Lists::Apart(lists) => self.play_apart((parts, lists, key), me, point),
                Lists::Sole(sole) => self.list(parts, Some(sole), me, (point, which)),
                Lists::Memory => self.list(parts, None, me, (point, which)),
            }
            bodies.push(self.f.close());
        }
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, bodies));
        let from = match lists {
            Lists::Apart(_) => return,
            Lists::Sole(sole) => Source::Sole(sole),
            Lists::Memory => Source::List,
        };
        let lists = parts.entries.iter().flatten().map(|e| e.list);
        self.undo_after(lists.chain(parts.turn.iter().copied()));
        let total = self.f.load(room.moves_count, NO);
        self.play((parts, key, point), &from, V::R(which), total);
    }

    /// Before an action: nothing is called or noted yet.
    pub fn begin_round(&mut self) {
        self.f.store(self.room.fuel, NO, V::K(FUEL));
        self.f.store(self.room.log_used, NO, NO);
    }

    /// Draws one of so many actions and plays it.
    pub fn play(
        &mut self,
        (parts, key, point): (&Parts<'_>, Option<FuncId>, V),
        from: &Source<'_>,
        which: V,
        total: V,
    ) {
        self.told_by_list(parts, which, total);
        let none = self.f.not(total);
        self.halt_when(none, Halt::Nothing);
        if parts.doubts {
            let rare = self.doubtful(total);
            self.f.open();
            self.settle_if_in_doubt();
            self.halt(Halt::Rare);
            let body = self.f.close();
            self.f.when(rare, body);
        }
        let keys = self.keys(key);
        self.draw(parts, from, which, total);
        self.played(keys, point);
    }

    /// What repetition compares, and the pieces, before an action.
    pub fn keys(&mut self, key: Option<FuncId>) -> Option<(V, V)> {
        key.map(|f| {
            let all = self.f.call(f, Vec::new());
            (all, self.f.load(WORD_HASH as u32, NO))
        })
    }

    /// An action was played.
    pub fn played(&mut self, keys: Option<(V, V)>, point: V) {
        if let Some((all, pieces)) = keys {
            let (all, pieces) = (self.f.reg(all), self.f.reg(pieces));
            let begins = self.f.not(point);
            self.f.when(begins, vec![Stmt::Note(all, pieces)]);
        }
        let left = self.game_word(Game::Left);
        let left = self.f.bin(Bin::Sub, left, YES);
        self.set_game_word(Game::Left, left);
    }

    /// Whether some of so many actions that were just listed or counted may have the same text.
    pub fn doubtful(&mut self, total: V) -> V {
        let doubt = self.f.load(self.room.doubt, NO);
        let less = self.f.bin(Bin::Sub, doubt, YES);
        let several = self.f.bin(Bin::And, doubt, less);
        let sure = self.f.bin(Bin::Shr, doubt, V::K(63));
        let doubtful = self.f.bin(Bin::Or, several, sure);
        let many = self.f.bin(Bin::Less, YES, total);
        let doubtful = self.f.bin(Bin::Differ, doubtful, NO);
        self.f.both(many, doubtful)
    }

    pub fn game_word(&mut self, word: Game) -> V {
        self.f.load(self.room.game + word as u32, NO)
    }

    pub fn set_game_word(&mut self, word: Game, value: V) {
        self.f.store(self.room.game + word as u32, NO, value);
    }

    fn halt(&mut self, why: Halt) {
        self.f.ret(V::K(why as u64));
    }

    pub fn halt_when(&mut self, v: V, why: Halt) {
        self.end_when(v, V::K(why as u64));
    }

    pub fn halt_when_done(&mut self) {
        let left = self.game_word(Game::Left);
        let done = self.f.not(left);
        self.f.open();
        self.settle_first();
        self.halt(Halt::Limit);
        let body = self.f.close();
        self.f.when(done, body);
    }

    /// Takes back what functions may have logged.
    pub fn undo_after(&mut self, asked: impl IntoIterator<Item = FuncId>) {
        let log = |id: FuncId| self.loggers.get(id.0 as usize) != Some(&false);
        if !asked.into_iter().any(log) {
            return;
        }
        let from = self.log_from.unwrap_or_else(|| self.f.reg(NO));
        self.f.push(Stmt::Undo(from));
    }

    /// Stops the game when an end holds for a player, asked for by a function.
    fn ask(&mut self, f: FuncId, me: usize) {
        let end = self.f.call(f, Vec::new());
        self.undo_after([f]);
        self.halt_when_ended(end, me);
    }

    /// The ends at the start of a turn that can be completed; where an earlier one may hold as well when it cannot, all of them.
    fn ask_at_start(&mut self, parts: &Parts<'_>, me: usize) {
        let Some(f) = parts.moving[me] else { return };
        let end = self.f.word();
        let held = self.f.call(f, Vec::new());
        self.undo_after([f]);
        self.let_word(end, held);
        if let (Some(first), Some(all)) = (parts.first_in_doubt, parts.ends[me][0]) {
            let later = self.f.bin(Bin::Less, V::K(first as u64), held);
            self.f.open();
            let held = self.f.call(all, Vec::new());
            self.undo_after([all]);
            self.let_word(end, held);
            let body = self.f.close();
            self.f.when(later, body);
        }
        self.halt_when_ended(V::R(end), me);
    }

    fn halt_when_ended(&mut self, end: V, me: usize) {
        if let Some(ended) = self.on_end {
            return self.f.when(end, vec![Stmt::Leave(ended)]);
        }
        self.f.open();
        self.set_game_word(Game::End, end);
        self.set_game_word(Game::Me, V::K(me as u64));
        self.halt(Halt::Ended);
        let body = self.f.close();
        self.f.when(end, body);
    }

    /// All ends that are asked for before a player's action.
    pub fn ends_before(&mut self, parts: &Parts<'_>, me: usize, point: V) {
        self.f.open();
        if let Some(f) = parts.ends[me][2] {
            self.ask(f, me);
        }
        let within = self.f.close();
        self.f.open();
        self.ends_of_last(parts, me);
        self.ask_at_start(parts, me);
        let begins = self.f.close();
        match point {
            V::K(_) => self.f.when(YES, begins),
            V::R(point) => self.f.push(Stmt::If(point, within, begins)),
        }
    }

    /// All ends that are asked for before a player's turn, behind one of another's that did not lead to how games begin.
    pub fn ends_behind_turn(&mut self, parts: &Parts<'_>, me: usize) {
        self.f.open();
        self.ask_last(parts, me);
        self.ask_at_start(parts, me);
        let body = self.f.close();
        self.f.when(YES, body);
    }

    /// The ends after what the last player did, unless nobody has done anything yet.
    fn ends_of_last(&mut self, parts: &Parts<'_>, me: usize) {
        let none = |ends: &[Option<FuncId>; 3]| ends[2].or(ends[1]).is_none();
        if parts.ends.iter().all(none) {
            return;
        }
        let fresh = self.game_word(Game::Fresh);
        self.f.open();
        self.set_game_word(Game::Fresh, NO);
        let first = self.f.close();
        let asked = self.f.label();
        self.f.open();
        // Where rules look back, what came before tells the start of a game from a game that has come back to it.
        if !self.program.looks_back {
            self.leave_at_start(asked);
        }
        self.ask_last(parts, me);
        let later = vec![Stmt::Block(asked, self.f.close())];
        let fresh = self.f.reg(fresh);
        self.f.push(Stmt::If(fresh, first, later));
    }

    /// The ends after what the last player did.
    fn ask_last(&mut self, parts: &Parts<'_>, me: usize) {
        let players = parts.ends.len();
        let of = |p: usize| [parts.ends[p][2], parts.ends[p][1]].into_iter().flatten();
        let mut bodies = Vec::new();
        for p in 0..players {
            self.f.open();
            for f in of(p) {
                self.ask(f, p);
            }
            bodies.push(self.f.close());
        }
        let last = self.f.load(WORD_LAST as u32, NO);
        let known = self.f.bin(Bin::Sub, last, YES);
        let before = V::K((if me == 0 { players } else { me } - 1) as u64);
        let last = self.f.select(last, known, before);
        let last = self.f.reg(last);
        self.f.push(Stmt::Switch(last, bodies));
    }

    /// Leaves a block when the game has come back to how games begin.
    fn leave_at_start(&mut self, asked: Label) {
        let room = self.room;
        let follow = self.slots.following(self.program);
        let counts = self.table("words of a start", |_| {
            let all = 0..room.kept as usize;
            all.map(|at| u64::from(Kernel::tells(&follow, at)) * u64::MAX)
                .collect()
        });
        let (block, i) = (self.f.label(), self.f.word());
        self.f.open();
        if self.on_end.is_some() {
            self.leave_when_others_stand(block);
        }
        self.f.open();
        let (now, then) = (self.f.load(0, V::R(i)), self.f.load(room.start, V::R(i)));
        let other = self.f.bin(Bin::Xor, now, then);
        let counts = self.f.make(Word::Table(counts, i));
        let other = self.f.bin(Bin::And, other, counts);
        self.f.when(other, vec![Stmt::Leave(block)]);
        let body = self.f.close();
        // The pieces first: they differ as a rule.
        let spans = [(WORD_FREE as u32, room.kept), (0, WORD_FREE as u32)];
        for (from, to) in spans {
            let first = self.f.reg(V::K(u64::from(from)));
            let last = self.f.reg(V::K(u64::from(to) - 1));
            let span = Stmt::ForNumbers(i, first, last, body.clone());
            self.f.push(span);
        }
        self.f.push(Stmt::Leave(asked));
        let body = self.f.close();
        self.f.push(Stmt::Block(block, body));
    }

    /// Leaves a block when players have their pieces elsewhere than at the start. That is asked of whole sets, for what is counted
    /// together is known as sets.
    fn leave_when_others_stand(&mut self, block: Label) {
        let place = |slot: &Slot| self.slots.infos[slot.0 as usize].place;
        let places: Vec<u32> = self.slots.owned.iter().filter_map(place).collect();
        let mut other = NO;
        for at in places {
            let set = |base| Set::Load(Place { base, index: None });
            let now = self.f.make_set(set(at));
            let then = self.f.make_set(set(self.room.start + at));
            let (now, then) = (self.f.sreg(now), self.f.sreg(then));
            let same = self.f.make(Word::Same(now, then));
            let differs = self.f.not(same);
            other = self.f.either(other, differs);
        }
        self.f.when(other, vec![Stmt::Leave(block)]);
    }

    /// Lists what a player can do, and leaves which entry does it.
    fn list(&mut self, parts: &Parts<'_>, sole: Option<&Sole>, me: usize, (point, which): (V, W)) {
        let room = self.room;
        if sole.is_none_or(|sole| !sole.all()) {
            self.f.store(room.moves_used, NO, NO);
            self.f.store(room.moves_count, NO, NO);
        }
        if parts.doubts {
            self.f.store(room.doubt, NO, NO);
        }
        let entries = &parts.entries[me];
        let at = self.entry_number(parts, me, point);
        let first = V::K((me * entries.len()) as u64);
        let number = self.f.bin(Bin::Add, V::R(at), first);
        self.let_word(which, number);
        let functions: Vec<FuncId> = match sole {
            None => entries.iter().map(|e| e.list).collect(),
            Some(sole) => {
                let lists = entries.iter().map(|e| e.list);
                let sets = sole.functions[me].iter().zip(lists);
                sets.map(|(set, list)| set.unwrap_or(list)).collect()
            }
        };
        let call = |f: &FuncId| Stmt::Call(*f, Vec::new(), None);
        match functions.as_slice() {
            [only] => self.f.push(call(only)),
            several => {
                let bodies = several.iter().map(|f| vec![call(f)]).collect();
                self.f.push(Stmt::Switch(at, bodies));
            }
        }
    }

    /// The number of the entry by which a player plays, among those of that player.
    pub fn entry_number(&mut self, parts: &Parts<'_>, me: usize, point: V) -> W {
        let turns = self.program.turns.len();
        let at = self.f.word();
        self.f.open();
        let turn = if turns == 1 && self.program.turns[0].test.is_none() {
            NO
        } else {
            self.f.call(parts.turn[me], Vec::new())
        };
        self.let_word(at, turn);
        let begins = self.f.close();
        match point {
            V::K(_) => self.f.when(YES, begins),
            V::R(point) => {
                self.f.open();
                let before = V::K(turns as u64 - 1);
                let of_point = self.f.bin(Bin::Add, V::R(point), before);
                self.let_word(at, of_point);
                let within = self.f.close();
                self.f.push(Stmt::If(point, within, begins));
            }
        }
        at
    }

    pub fn let_word(&mut self, to: W, value: V) {
        let value = self.f.reg(value);
        self.f.push(Stmt::Let(to, Word::Copy(value)));
    }
}
