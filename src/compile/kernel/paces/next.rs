//! What the next player can do counted once for all ways to end a turn along a trail. In: trails behind which a turn changes nothing but
//! what all ways change alike. Out: a function that is given how many actions are left, and finds out whether that is so for those
//! actions of a list that have one step less left, and how many actions there are behind them all.
//!
//! Before: each way to go such a trail is gone to its end, and the next player's actions are counted there.
//! After: one is, and his actions are counted with the cells not known that any of them may have changed (`regardless`); where these
//! do not matter, that number holds for all.
//! Conditions: nothing can happen behind the trail for one way and not for another; the trail changes no other player's cells; what
//! falls is the mover's; and no position behind it is the one that the game began with.

use crate::compile::kernel::env::Slot;
use crate::compile::kernel::fun::{Fun, NO, V, YES};
use crate::compile::kernel::lower::{Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::paces::Pace;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::regardless::Later;
use crate::program::kernel::{Bin, FUEL, Fault, FuncId, Function, Place, Set, Stmt, Value, W};
use crate::program::{WORD_FREE, WORD_HASH, WORD_MOVER};
use std::collections::BTreeSet;

/// The words where it stands what is known of the next player's actions.
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

/// What the function is given.
pub struct Given {
    /// How many actions are left.
    pub left: W,
    /// Which entry the actions of the list have.
    pub which: W,
    /// Where the list begins.
    pub used: W,
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
    pub fn ended_alike(&self, me: u8) -> Vec<Pace<'p>> {
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
                self.count_actions(parts, other, NO);
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
    pub fn bring_back(&mut self, words: &[u32], end: V) {
        for (at, word) in (self.room.moves..).zip(words) {
            let value = self.f.load(at, end);
            self.f.store(*word, NO, value);
        }
    }
}

/// The 1 above the highest piece of a pile.
fn top(pile: u64) -> u64 {
    1 << pile.ilog2()
}
