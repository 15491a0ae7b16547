//! Sequences of any number of actions as one function that calls itself: asks the ends, lists the actions behind those that others are
//! still busy with, plays each, counts what follows and takes it back, without anybody outside being asked. What it cannot do by itself
//! it leaves to whom it counts for: its result is 1 then. Conditions: no two ways to an action have one text, nobody looks at earlier
//! positions, and it is known which words of the state change without a note, or they are few.

use crate::compile::kernel::changes::loggers;
use crate::compile::kernel::fun::{Fun, NO, NONE, V, YES};
use crate::compile::kernel::in_vain::unless_in_vain;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::paces::Ahead;
use crate::compile::kernel::pairs::UNROLLED;
use crate::compile::kernel::random::Parts;
use crate::program::WORD_MOVER;
use crate::program::kernel::{
    Bin, Body, Counting, Deep, FUEL, FuncId, Game, LEVELS, Place, Set, Stmt, Value, W, Word,
};

/// What comes behind a turn is found out for so many sequences at least, of which each step leads on to two: it takes as long as to go
/// through about as many.
const WORTH: u64 = 8;

/// What it takes to find out what comes behind a turn.
struct Next {
    /// The function that does.
    id: FuncId,
    /// How many actions are left, and the entry of those that are listed.
    given: [W; 2],
    /// How long the list was before, in words and actions.
    listed: (V, V),
    /// Where the turn stands.
    point: V,
    /// Where the log stood.
    mark: W,
}

impl Lowerer<'_> {
    /// Whether sequences may be counted by one function, as far as the rules and the texts of actions go.
    pub fn counts_deep(&self) -> bool {
        !self.doubts && !self.program.looks_back
    }

    /// The function that counts sequences of as many actions as it finds in memory, and leaves how many there are of each number; nothing
    /// where the conditions do not hold.
    pub fn deep(&mut self, parts: &Parts<'_>) -> Option<Deep> {
        if !self.counts_deep() {
            return None;
        }
        self.loggers = loggers(&self.functions);
        let all = || (self.room.kept <= UNROLLED).then(|| (0..self.room.kept).collect());
        let words: Vec<u32> = self.unnoted(parts).or_else(all)?;
        // Before them stand those behind the last actions, which nobody asks for.
        let fewer = self.ahead.map_or(0, |ahead| ahead.packed.numbers);
        let nexts = self.nexts(parts, &words);
        let levels = self.scratch(fewer + LEVELS as u32) + fewer;
        let deeper = FuncId(self.functions.len() as u32);
        self.f = Fun::new();
        let left = self.f.word();
        self.level((deeper, left), (parts, &words), (levels, nexts.as_deref()));
        let written = self.function("deeper", vec![Value::Word(left)]);
        debug_assert_eq!(written, deeper, "it calls itself");
        self.f = Fun::new();
        let left = self.game_word(Game::Left);
        self.set_game_word(Game::Fresh, NO);
        let left = self.f.reg(left);
        let rare = self.f.call(deeper, vec![Value::Word(left)]);
        self.f.ret(rare);
        let all = self.function("deep", Vec::new());
        Some(Deep {
            all,
            deeper,
            levels,
        })
    }

    /// What is done with so many actions left, in the function that does it.
    fn level(
        &mut self,
        (deeper, left): (FuncId, W),
        (parts, words): (&Parts<'_>, &[u32]),
        (levels, nexts): (u32, Option<&[FuncId]>),
    ) {
        let room = self.room;
        let mark = self.f.word();
        self.f.push(Stmt::Mark(mark));
        self.log_from = Some(mark);
        self.f.store(room.fuel, NO, V::K(FUEL));
        let used = self.f.load(room.moves_used, NO);
        let many = self.f.load(room.moves_count, NO);
        let is_last = self.f.bin(Bin::Equal, V::R(left), YES);
        let which = self.f.word();
        self.let_word(which, NO);
        let ended = self.f.label();
        self.on_end = Some(ended);
        self.f.open();
        let point = self.point();
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let mut bodies = Vec::new();
        for me in 0..parts.entries.len() {
            self.f.open();
            self.ends_before(parts, me, point);
            let at = self.entry_number(parts, me, point);
            let first = V::K((me * parts.entries[me].len()) as u64);
            let number = self.f.bin(Bin::Add, V::R(at), first);
            self.let_word(which, number);
            let of_entries = parts.entries[me].iter();
            let asked = of_entries.map(|e| {
                let ahead = |c: &Counting| [c.count, c.any, c.ahead.unwrap_or(c.any)];
                e.counting.as_ref().map_or([e.list; 3], ahead)
            });
            let asked: Vec<[FuncId; 3]> = asked.collect();
            let [counts, lists, ahead] = [0, 1, 2].map(|i| {
                let call = |f: FuncId| vec![Stmt::Call(f, Vec::new(), None)];
                let one = |l: &mut Self, (entry, of): (usize, &[FuncId; 3])| {
                    let too_long = (i == 2).then(|| l.goes_beyond(me, entry, left)).flatten();
                    let Some((mut before, too_long)) = too_long else {
                        return call(of[i]);
                    };
                    before.push(Stmt::If(too_long, call(of[1]), call(of[2])));
                    before
                };
                let mut calls: Vec<Body> =
                    asked.iter().enumerate().map(|of| one(self, of)).collect();
                match calls.len() {
                    1 => calls.remove(0),
                    _ => vec![Stmt::Switch(at, calls)],
                }
            });
            let next = nexts.map(|nexts| Next {
                id: nexts[me],
                given: [left, which],
                listed: (used, many),
                point,
                mark,
            });
            let lists = self.lists_ahead((left, levels), (lists, ahead), next);
            let is_last = self.f.reg(is_last);
            self.f.push(Stmt::If(is_last, counts, lists));
            bodies.push(self.f.close());
        }
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, bodies));
        self.f.push(Stmt::Undo(mark));
        self.f.open();
        self.behind_each(
            (deeper, left, which, mark),
            (parts, words),
            (used, many, levels),
        );
        let behind = self.f.close();
        let is_last = self.f.reg(is_last);
        self.f.push(Stmt::If(is_last, Vec::new(), behind));
        let body = self.f.close();
        self.f.push(Stmt::Block(ended, body));
        self.on_end = None;
        self.log_from = None;
        self.f.push(Stmt::Undo(mark));
        self.f.store(room.moves_used, NO, used);
        self.f.store(room.moves_count, NO, many);
        self.f.ret(NO);
    }

    /// Whether more actions are left than the trail has steps that goes on at an entry, if one does: what finds it out, and where.
    fn goes_beyond(&mut self, me: usize, entry: usize, left: W) -> Option<(Body, W)> {
        let point = (entry + 1).checked_sub(self.program.turns.len())?;
        let pc = self.program.points.get(point).filter(|_| point > 0)?.pc;
        let steps = self.steps_left(pc, me as u8)?;
        let steps = self.program.var(steps).offset as u32;
        self.f.open();
        let steps = self.f.load(steps, NO);
        let beyond = self.f.bin(Bin::Less, steps, V::R(left));
        let beyond = self.f.reg(beyond);
        Some((self.f.close(), beyond))
    }

    /// What lists, or where few actions are left what also counts, if there is such; then with what it has counted by how many are left.
    fn lists_ahead(
        &mut self,
        (left, levels): (W, u32),
        (lists, ahead): (Body, Body),
        next: Option<Next>,
    ) -> Body {
        let Some(Ahead { packed, .. }) = self.ahead.filter(|_| lists != ahead) else {
            return lists;
        };
        let tally = self.room.tally;
        let most = packed.numbers + u32::from(next.is_some());
        self.f.open();
        let few = self.f.bin(Bin::AtMost, V::R(left), V::K(u64::from(most)));
        self.f.open();
        self.set_game_word(Game::Left, V::R(left));
        let before = self.f.load(tally, NO);
        self.f.store(tally, NO, NO);
        match next {
            None => self.f.when(YES, ahead),
            Some(next) => self.lists_with_next((left, levels), ahead, &next),
        }
        let all = self.f.load(tally, NO);
        for behind in 0..packed.numbers {
            let many = self
                .f
                .bin(Bin::Shr, all, V::K(u64::from(behind * packed.bits)));
            let many = self.f.bin(Bin::And, many, V::K(packed.first()));
            let so_far = self.f.load(levels - behind, V::R(left));
            let more = self.f.bin(Bin::Add, so_far, many);
            self.f.store(levels - behind, V::R(left), more);
        }
        self.f.store(tally, NO, before);
        let ahead = self.f.close();
        let few = self.f.reg(few);
        self.f.push(Stmt::If(few, ahead, lists));
        self.f.close()
    }

    /// Lists and counts; where one action more is left than trails have steps, it is found out what comes behind their turn, and done
    /// again with that.
    fn lists_with_next(&mut self, (left, levels): (W, u32), ahead: Body, next: &Next) {
        let (known, room) = (self.known_next(), self.room);
        let cells = Place::plain(known.cells);
        // Within a turn it is not known what was lifted.
        let short = self.f.bin(Bin::Less, V::R(left), V::K(3));
        let cannot = self.f.either(short, next.point);
        let cannot = self.f.bin(Bin::Differ, cannot, NO);
        self.f.store(known.many, NO, cannot);
        self.f.store(known.counted, NO, NO);
        let none = self.f.sreg(NONE);
        self.f.push(Stmt::StoreSet(cells, none));
        self.f.when(YES, ahead.clone());
        let wanted = self.f.make_set(Set::Load(cells));
        let many = self.f.count(&self.fixed, wanted);
        let steps = self.f.bin(Bin::Sub, V::R(left), V::K(2));
        let sequences = self.f.bin(Bin::Shl, many, steps);
        let wanted = self.f.bin(Bin::AtMost, V::K(WORTH), sequences);
        let long = self.f.not(short);
        let wanted = self.f.both(long, wanted);
        self.f.open();
        self.f.push(Stmt::Undo(next.mark));
        let many = self.f.word();
        self.f.push(Stmt::Let(many, Word::Const(1)));
        let ([left, which], (used, count)) = (next.given, next.listed);
        let used = self.f.reg(used);
        unless_in_vain(&mut self.f, known.in_vain, |f| {
            let given = [left, which, used].map(Value::Word).to_vec();
            let found = f.call(next.id, given);
            let found = f.reg(found);
            f.push(Stmt::Let(many, Word::Copy(found)));
            f.bin(Bin::AtMost, V::R(many), YES)
        });
        self.f.open();
        self.f.store(known.many, NO, V::R(many));
        self.f.store(room.tally, NO, NO);
        self.f.store(room.moves_used, NO, V::R(used));
        self.f.store(room.moves_count, NO, count);
        self.f.when(YES, ahead);
        let last = self.f.load(levels + 1, NO);
        let counted = self.f.load(known.counted, NO);
        let all = self.f.bin(Bin::Add, last, counted);
        self.f.store(levels + 1, NO, all);
        let again = self.f.close();
        let is_known = self.f.bin(Bin::Less, YES, V::R(many));
        self.f.when(is_known, again);
        let body = self.f.close();
        self.f.when(wanted, body);
    }

    /// Plays each action that was listed behind so many words, and counts what follows.
    fn behind_each(
        &mut self,
        (deeper, left, which, mark): (FuncId, W, W, W),
        (parts, words): (&Parts<'_>, &[u32]),
        (used, many, levels): (V, V, u32),
    ) {
        let room = self.room;
        let now = self.f.load(room.moves_count, NO);
        let listed = self.f.bin(Bin::Sub, now, many);
        let so_far = self.f.load(levels, V::R(left));
        let more = self.f.bin(Bin::Add, so_far, listed);
        self.f.store(levels, V::R(left), more);
        // Behind the list stands what is brought back.
        let end = self.f.load(room.moves_used, NO);
        let full = self.f.bin(Bin::Add, end, V::K(words.len() as u64));
        let fits = V::K(u64::from(room.memory - room.moves));
        let beyond = self.f.bin(Bin::Less, fits, full);
        self.end_when(beyond, YES);
        for (at, word) in (room.moves..).zip(words) {
            let value = self.f.load(*word, NO);
            self.f.store(at, end, value);
        }
        self.f.store(room.moves_used, NO, full);
        let fewer = self.f.bin(Bin::Sub, V::R(left), YES);
        let fewer = self.f.reg(fewer);
        let plays: Vec<FuncId> = parts.entries.iter().flatten().map(|e| e.play).collect();
        self.each_listed((used, end), &|l: &mut Self| {
            l.f.store(room.fuel, NO, V::K(FUEL));
            let played = l.f.word();
            l.let_word(played, NO);
            let play = |f: &FuncId| vec![Stmt::Call(*f, Vec::new(), Some(played))];
            let bodies = plays.iter().map(play).collect();
            l.f.push(Stmt::Switch(which, bodies));
            let failed = l.f.not(V::R(played));
            l.end_when(failed, YES);
            let rare = l.f.call(deeper, vec![Value::Word(fewer)]);
            l.end_when(rare, YES);
            l.f.push(Stmt::Undo(mark));
            for (at, word) in (room.moves..).zip(words) {
                let value = l.f.load(at, end);
                l.f.store(*word, NO, value);
            }
        });
    }
}
