//! What the next player can do counted once for all ways to end a turn along a trail. In: trails behind which a turn changes nothing but
//! what all ways change alike. Out: a function that is given how many actions are left, and finds out whether that is so for those
//! actions of a list that have one step less left, and how many actions there are behind them all.
//!
//! Before: each way to go such a trail is gone to its end, and the next player's actions are counted there.
//! After: one is, and his actions are counted with the cells not known that any of them may have changed (`regardless`); where these
//! do not matter, that number holds for all.
//! Conditions: nothing can happen behind the trail for one way and not for another; the trail changes no other player's cells; what
//! falls is the mover's; and no position behind it is the one that the game began with.

use crate::compile::kernel::env::{Env, Slot};
use crate::compile::kernel::fun::{Fun, NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::paces::Pace;
use crate::compile::kernel::paces::chances::{Ends, Look};
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::regardless::Later;
use crate::program::kernel::{
    Bin, Body, FUEL, Fault, FuncId, Function, Label, Place, Set, Stmt, Value, W, Word,
};
use crate::program::{WORD_FREE, WORD_HASH, WORD_MOVER, WORD_POINT};
use std::collections::BTreeSet;

/// Where it stands what is known of the next player's actions, from the first word on.
#[derive(Clone, Copy)]
pub struct Known {
    /// How many there are and 2 more; 1 where that depends on the way, and 0 where it was not asked.
    pub many: u32,
    /// How many sequences were counted that end with them.
    pub counted: u32,
    /// How often it was asked in vain.
    pub in_vain: u32,
    /// The cells that the actions have come to behind which it is to be known, and then those behind which it is.
    pub cells: u32,
    /// The cells that the turn may change.
    pub doubt: u32,
}

/// What the function is given: how many actions are left, which entry the actions of the list have, and where the list begins.
struct Given {
    left: W,
    which: W,
    used: W,
}

impl<'p> Lowerer<'p> {
    /// Where that stands.
    pub fn known_next(&mut self) -> Known {
        let words = self.room.words;
        let at = self.scratch_of("next".to_owned(), 3 + 2 * words);
        Known {
            many: at,
            counted: at + 1,
            in_vain: at + 2,
            cells: at + 3,
            doubt: at + 3 + words,
        }
    }

    /// The trails of a player behind which that can be found out.
    fn ended_alike(&self, me: u8) -> Vec<Pace<'p>> {
        let all = self.paces.iter();
        let of = all.filter(|p| p.me == me && p.behind.is_some());
        of.cloned().collect()
    }

    /// Notes that it is to be known behind an action that has come to a cell, unless it has been asked already; the result is whether
    /// it is known there.
    pub fn next_is_known(&mut self, cell: V) -> V {
        let known = self.known_next();
        let many = self.f.load(known.many, NO);
        let unasked = self.f.not(many);
        self.f.open();
        let place = Place::plain(known.cells);
        let cells = self.f.make_set(Set::Load(place));
        let cell = self.f.bin(Bin::Sub, cell, YES);
        let more = self.f.with(cells, cell);
        let more = self.f.sreg(more);
        self.f.push(Stmt::StoreSet(place, more));
        let body = self.f.close();
        self.f.when(unasked, body);
        let is_known = self.f.bin(Bin::Less, YES, many);
        let cells = self.f.make_set(Set::Load(place));
        let here = self.f.has(&self.fixed, cells, cell);
        self.f.both(is_known, here)
    }

    /// Counts what comes next behind so many ways to end a turn.
    pub fn count_next(&mut self, ways: V) {
        let known = self.known_next();
        let many = self.f.load(known.many, NO);
        let many = self.f.bin(Bin::Sub, many, V::K(2));
        let many = self.f.bin(Bin::Mul, ways, many);
        let before = self.f.load(known.counted, NO);
        let counted = self.f.bin(Bin::Add, before, many);
        self.f.store(known.counted, NO, counted);
    }

    /// Whether all that is up is of a player's only kind of pieces.
    pub fn all_up_are_own(&mut self, me: u8) -> V {
        let kinds = self.program.kinds.iter();
        let Some(kind) = kinds.clone().position(|kind| !kind.neutral) else {
            return NO;
        };
        let (code, bits) = (
            u64::from(self.code(kind, usize::from(me) + 1)),
            self.piece_bits(),
        );
        let table = self.table(&format!("piles of {me}"), |_| {
            let one = |pile: &u64| pile & !top(*pile) | (code | 1 << bits) << top(*pile).ilog2();
            let more = |pile: &u64| (pile.ilog2() + bits as u32) < 64;
            std::iter::successors(Some(1), |pile| more(pile).then(|| one(pile))).collect()
        });
        let pile = self.pile(self.up());
        let height = self.height_of(pile);
        let own = self.f.table(&self.tables, table, height);
        self.f.bin(Bin::Equal, pile, own)
    }

    /// The functions that find it out, for each player, and what is put in place of what they call.
    pub fn nexts(&mut self, parts: &Parts<'_>, words: &[u32]) -> Option<Vec<FuncId>> {
        let players = 0..parts.entries.len();
        self.ahead.filter(|ahead| ahead.ends_alike)?;
        let all = players.map(|me| {
            let counts = self.counts_next(parts, me);
            self.f = Fun::new();
            let [left, which, used] = [(); 3].map(|()| self.f.word());
            self.next((parts, words), me, counts, &Given { left, which, used });
            let params = [left, which, used].map(Value::Word).to_vec();
            self.function(&format!("next {me}"), params)
        });
        Some(all.collect())
    }

    /// The function that counts what the next player can do, whatever stands on the cells in doubt; until it is made of another, which
    /// counts what he can do as it is, its result is 0 for not known.
    fn counts_next(&mut self, parts: &Parts<'_>, me: usize) -> FuncId {
        self.f = Fun::new();
        let ended = self.f.label();
        self.on_end = Some(ended);
        self.f.open();
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let mut bodies = Vec::new();
        for other in 0..parts.entries.len() {
            self.f.open();
            if other == me {
                self.f.fault(Fault::Calls);
            } else {
                self.ends_behind_turn(parts, other);
                let at = self.entry_number(parts, other, NO);
                let counts = parts.entries[other].iter();
                let counts = counts.map(|e| e.counting.map_or(e.list, |c| c.count));
                let call = |f: FuncId| vec![Stmt::Call(f, Vec::new(), None)];
                let bodies = counts.map(call).collect();
                self.f.push(Stmt::Switch(at, bodies));
            }
            bodies.push(self.f.close());
        }
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, bodies));
        let body = self.f.close();
        self.f.push(Stmt::Block(ended, body));
        self.on_end = None;
        let (words, sets, body) = std::mem::take(&mut self.f).finish();
        let model = Function {
            name: "what is next".to_owned(),
            params: Vec::new(),
            words,
            sets,
            body,
        };
        self.f.ret(NO);
        let id = self.function("next regardless", Vec::new());
        let doubt = self.known_next().doubt;
        let (sets, differ) = self.changed_by_turn(me);
        let later = self.later.get_or_insert_with(|| Later::new(doubt));
        later.add(id, model, (sets, differ));
        id
    }

    /// The first words of the sets of the state that a turn may change on the cells in doubt, and the words that may differ.
    fn changed_by_turn(&self, me: usize) -> (Vec<u32>, Vec<u32>) {
        let (layout, program) = (&self.program.layout, self.program);
        let place = |slot: &Slot| self.slots.infos[slot.0 as usize].place;
        let own = self.slots.owned.get(me);
        let of_pieces = own.into_iter().chain(self.slots.kinds.iter().flatten());
        let of_pieces = of_pieces.chain(self.slots.tall.iter().map(|(_, slot)| slot));
        let mut sets: Vec<u32> = of_pieces.filter_map(place).collect();
        sets.push(layout.occupied as u32);
        let mut words: Vec<u32> = (WORD_HASH as u32..WORD_FREE as u32).collect();
        let paces = self.ended_alike(me as u8);
        let behind = paces.iter().filter_map(|p| p.behind.as_ref());
        let differ: BTreeSet<_> = behind.flat_map(|b| b.differ.iter().copied()).collect();
        for var in differ {
            let var = program.var(var);
            words.extend((0..var.count * var.stride).map(|at| (var.offset + at) as u32));
        }
        (sets, words)
    }

    /// What finds it out.
    fn next(
        &mut self,
        (parts, words): (&Parts<'_>, &[u32]),
        me: usize,
        counts: FuncId,
        given: &Given,
    ) {
        let room = self.room;
        let cx = Cx {
            mode: Mode::Exists,
            acted: false,
            me: me as u8,
            exit: Exit::Return,
        };
        let (not, mark) = (self.f.label(), self.f.word());
        let result = self.f.word();
        self.let_word(result, YES);
        self.f.push(Stmt::Mark(mark));
        self.f.open();
        self.leave_unless_alike(not, given.left, cx);
        let end = self.f.load(room.moves_used, NO);
        let many = self.f.load(room.moves_count, NO);
        let full = self.f.bin(Bin::Add, end, V::K(words.len() as u64));
        let fits = V::K(u64::from(room.memory - room.moves));
        let beyond = self.f.bin(Bin::Less, fits, full);
        self.f.when(beyond, vec![Stmt::Leave(not)]);
        for (at, word) in (room.moves..).zip(words) {
            let value = self.f.load(*word, NO);
            self.f.store(at, end, value);
        }
        self.f.store(room.moves_used, NO, full);
        // From here on everything is taken back.
        let back = self.f.label();
        self.f.open();
        self.begin_one((parts, words), me, (back, mark), (given, end));
        self.end_it(parts, me, (back, full));
        self.leave_at_start_or_same(me, back);
        self.f.store(room.fuel, NO, V::K(FUEL));
        let counted = self.f.call(counts, Vec::new());
        let counted = self.f.bin(Bin::Add, counted, YES);
        self.let_word(result, counted);
        let body = self.f.close();
        self.f.push(Stmt::Block(back, body));
        self.f.push(Stmt::Undo(mark));
        self.bring_back(words, end);
        self.f.store(room.moves_used, NO, end);
        self.f.store(room.moves_count, NO, many);
        let body = self.f.close();
        self.f.push(Stmt::Block(not, body));
        self.f.ret(V::R(result));
    }

    /// Brings back the words that are not noted when they change, from where they were put aside.
    fn bring_back(&mut self, words: &[u32], end: V) {
        for (at, word) in (self.room.moves..).zip(words) {
            let value = self.f.load(at, end);
            self.f.store(*word, NO, value);
        }
    }

    /// Keeps those of the cells that were noted from where all turns along trails change the same, but on some cells, which are noted
    /// as well; leaves a block when there are none.
    fn leave_unless_alike(&mut self, not: Label, left: W, cx: Cx) {
        let known = self.known_next();
        let mut env = Env::default();
        let from = self.f.make_set(Set::Load(Place::plain(known.cells)));
        let paces: Vec<(Pace<'p>, V)> = (self.ended_alike(cx.me).into_iter())
            .map(|pace| {
                let holds = self.answered(&pace, &mut env, cx);
                (pace, holds)
            })
            .collect();
        let own = self.owned(cx.me, &mut env, cx);
        let mut others = NONE;
        for p in (0..self.program.players.len() as u8).filter(|p| *p != cx.me) {
            let its = self.owned(p, &mut env, cx);
            others = self.f.or(&mut self.fixed, others, its);
        }
        let (good, doubt) = (self.f.set(), self.f.set());
        for set in [good, doubt] {
            let none = self.f.sreg(NONE);
            self.f.push(Stmt::LetSet(set, Set::Copy(none)));
        }
        let (c, may) = (self.f.word(), self.f.word());
        self.f.open();
        let [reach, starts] = self.changed_from(&paces, V::R(c), (left, own));
        let changed = self.f.or(&mut self.fixed, reach, starts);
        let met = self.f.and(&mut self.fixed, changed, others);
        let met = self.f.some(&self.fixed, met);
        self.let_word(may, met);
        let low = self.f.without(&mut self.fixed, own, changed);
        let high = self.f.or(&mut self.fixed, own, reach);
        for (pace, holds) in &paces {
            let Some(behind) = &pace.behind else { continue };
            let steps = self.most_steps();
            self.f.open();
            let look = Look {
                cx,
                last: &behind.last,
                at: NO,
                reach,
                starts,
                falls: self.f.bin(Bin::Sub, V::R(left), YES),
                falls_on_one: self.most_on_one(pace.goes.shortest_back(steps), left),
                back: self.rows(&format!("back {}", pace.number), |_| pace.goes.back(steps)),
                along: self.rows(&format!("along {}", pace.number), |_| {
                    pace.goes.along(steps)
                }),
                now: own,
                own: Ends { low, high },
                env: env.clone(),
                its: Vec::new(),
            };
            let happens = self.may_happen(behind, &look);
            let either = self.f.either(V::R(may), happens);
            self.let_word(may, either);
            let body = self.f.close();
            self.f.when(*holds, body);
        }
        self.f.open();
        let all = self.f.with(SV::R(good), V::R(c));
        let more = self.f.or(&mut self.fixed, SV::R(doubt), changed);
        for (set, all) in [(good, all), (doubt, more)] {
            let all = self.f.sreg(all);
            self.f.push(Stmt::LetSet(set, Set::Copy(all)));
        }
        let body = self.f.close();
        let alike = self.f.not(V::R(may));
        self.f.when(alike, body);
        let body = self.f.close();
        let from = self.f.sreg(from);
        self.f.push(Stmt::ForCells(c, from, body));
        let some = self.f.some(&self.fixed, SV::R(good));
        self.leave_unless(some, not);
        for (at, set) in [(known.cells, good), (known.doubt, doubt)] {
            self.f.push(Stmt::StoreSet(Place::plain(at), set));
        }
    }

    /// The most steps behind the first: no more pieces fall than there are numbers.
    fn most_steps(&self) -> usize {
        let numbers = self.ahead.map_or(0, |ahead| ahead.packed.numbers);
        numbers.saturating_sub(1) as usize
    }

    /// The cells that a trail may come to whose first step has come to one, with two steps less than actions are left, that one among
    /// them; and those of the player's that it may begin at.
    fn changed_from(&mut self, paces: &[(Pace<'p>, V)], cell: V, (left, own): (W, SV)) -> [SV; 2] {
        let steps = self.most_steps();
        let cells = V::K(self.program.board.len() as u64);
        let block = self.f.bin(Bin::Sub, V::R(left), V::K(3));
        let block = self.f.bin(Bin::Mul, block, cells);
        let at = self.f.bin(Bin::Add, block, cell);
        let mut reach = self.f.single(&mut self.fixed, cell);
        let mut starts = NONE;
        for (pace, holds) in paces {
            let near = self.rows(&format!("near {}", pace.number), |_| {
                (1..=steps)
                    .flat_map(|steps| pace.goes.near(steps))
                    .collect()
            });
            let before = self.rows(&format!("before {}", pace.number), |_| pace.goes.back(1));
            let near = self.f.row(near, at);
            let near = self.f.select_set(*holds, near, NONE);
            reach = self.f.or(&mut self.fixed, reach, near);
            let before = self.f.row(before, cell);
            let before = self.f.select_set(*holds, before, NONE);
            starts = self.f.or(&mut self.fixed, starts, before);
        }
        [reach, self.f.and(&mut self.fixed, starts, own)]
    }

    /// How many pieces may fall on one cell, of one for each of one step less than actions are left, when a trail can come back to a
    /// cell in so many steps.
    fn most_on_one(&mut self, back: Option<usize>, left: W) -> V {
        let Some(back) = back else { return YES };
        let more = self.f.bin(Bin::Sub, V::R(left), V::K(2));
        let again = self.f.bin(Bin::Quotient, more, V::K(back as u64));
        self.f.bin(Bin::Add, YES, again)
    }

    /// Plays the first action of the list that has come to one of the cells that were noted, with so many steps left; leaves a block where
    /// there is none.
    fn begin_one(
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
    fn end_it(&mut self, parts: &Parts<'_>, me: usize, (back, full): (Label, V)) {
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
        let list = |e: &crate::program::kernel::Entry| {
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
    fn leave_at_start_or_same(&mut self, me: usize, back: Label) {
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

/// The 1 above the highest piece of a pile.
fn top(pile: u64) -> u64 {
    1 << pile.ilog2()
}
