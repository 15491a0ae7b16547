//! Effects carried out where cells hold piles: a pile is a word in memory, stored with a log, and the sets follow its top.

use crate::compile::kernel::env::{At, Bind, Debt, Env, KindOf, Pending, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, Fault, Set, Stmt, TableId, Word};

/// A piece: its code, and its owner (0 nobody) and kind when they are certain.
#[derive(Clone, Copy)]
pub struct Piece {
    pub code: V,
    known: Option<(usize, usize)>,
}

impl Lowerer<'_> {
    /// Bits of a piece.
    pub fn piece_bits(&self) -> u64 {
        u64::from(usize::BITS - (self.codes.len().max(2) - 1).leading_zeros())
    }

    pub fn pile(&mut self, c: V) -> V {
        self.f.load(self.room.piles, c)
    }

    pub fn up(&self) -> V {
        V::K(self.program.board.len() as u64)
    }

    /// The pile of a cell of which something is known: 1 where nothing stands.
    fn pile_where(&mut self, c: V, fact: Fact) -> V {
        if fact.vacant() { YES } else { self.pile(c) }
    }

    /// The place of the 1 above the highest piece.
    pub fn end(&mut self, pile: V) -> V {
        if let V::K(pile) = pile {
            return V::K(63 - u64::from(pile.leading_zeros()).min(63));
        }
        let w = self.f.reg(pile);
        let zeros = self.f.make(Word::Leading(w));
        self.f.bin(Bin::Sub, V::K(63), zeros)
    }

    /// What is up: 0 when nothing is.
    pub fn height_up(&mut self) -> V {
        let pile = self.pile(self.up());
        self.f.bin(Bin::Xor, pile, YES)
    }

    /// How many pieces stand on a cell.
    pub fn height(&mut self, c: V, env: &mut Env) -> V {
        if !self.program.stacking {
            let cx = Cx {
                mode: crate::compile::kernel::lower::Mode::Exists,
                acted: false,
                me: 0,
                exit: crate::compile::kernel::lower::Exit::Return,
            };
            let occupied = self.occupied(env, cx);
            return self.f.has(&self.fixed, occupied, c);
        }
        let pile = self.pile(c);
        self.height_of(pile)
    }

    pub fn height_of(&mut self, pile: V) -> V {
        let end = self.end(pile);
        match self.piece_bits() {
            1 => end,
            2 => self.f.bin(Bin::Shr, end, YES),
            4 => self.f.bin(Bin::Shr, end, V::K(2)),
            bits => self.f.bin(Bin::Quotient, end, V::K(bits)),
        }
    }

    pub fn set_pile(&mut self, c: V, old: V, new: V, env: &mut Env) {
        self.change_pile(c, (old, new), false, env);
    }

    /// A pile becomes another, which may be known to be no lower.
    fn change_pile(&mut self, c: V, (old, new): (V, V), grows: bool, env: &mut Env) {
        self.f.store_logged(self.room.piles, c, new);
        self.keep_tall(c, new, grows, env);
        if self.program.looks_back {
            env.debts.push(Debt::Pile(c, old, new));
        }
    }

    /// Whether arrangement and image are the same, pile by pile.
    pub fn piles_mirrored(&mut self, table: TableId) -> V {
        let (result, c) = (self.f.word(), self.f.word());
        self.f.push(Stmt::Let(result, Word::Const(1)));
        self.f.open();
        let image = self.f.table(&self.tables, table, V::R(c));
        let (a, b) = (self.pile(V::R(c)), self.pile(image));
        let same = self.f.bin(Bin::Equal, a, b);
        let still = self.f.both(V::R(result), same);
        let still = self.f.reg(still);
        self.f.push(Stmt::Let(result, Word::Copy(still)));
        let body = self.f.close();
        let all = self.f.sreg(crate::compile::kernel::fun::ALL);
        self.f.push(Stmt::ForCells(c, all, body));
        V::R(result)
    }

    /// Makes the sets say what is on top of a cell: nothing, or a piece; `there` tells which.
    pub fn show(&mut self, c: V, there: V, top: Piece, env: &mut Env) {
        let single = self.f.single(&mut self.fixed, c);
        self.note(self.program.system.touched, single, env);
        self.top_with((c, single), there, top, env);
    }

    /// As [`Lowerer::show`], and notes nothing.
    pub fn top_with(&mut self, (c, single): (V, SV), there: V, top: Piece, env: &mut Env) {
        let codes = self.codes.clone();
        for p in 0..self.program.players.len() {
            let slot = self.slots.owned[p];
            let is = self.top_is(&codes, there, top, |code| usize::from(code >> 8) == p + 1);
            self.turn_bit(slot, c, single, is, env);
        }
        for k in 0..self.program.kinds.len() {
            if let Some(slot) = self.slots.kinds[k] {
                let is = self.top_is(&codes, there, top, |code| usize::from(code & 0xFF) == k);
                self.turn_bit(slot, c, single, is, env);
            }
        }
    }

    pub fn top_is(&mut self, codes: &[u16], there: V, top: Piece, of: impl Fn(u16) -> bool) -> V {
        if let Some((owner, kind)) = top.known {
            let code = kind as u16 | (owner as u16) << 8;
            return if of(code) { there } else { NO };
        }
        let mut is = NO;
        for (i, code) in codes.iter().enumerate() {
            if of(*code) {
                let same = self.f.bin(Bin::Equal, top.code, V::K(i as u64));
                is = self.f.either(is, same);
            }
        }
        self.f.both(is, there)
    }

    pub fn turn_bit(&mut self, slot: Slot, c: V, single: SV, is: V, env: &mut Env) {
        let old = self.set(slot, env);
        let new = match is {
            V::K(0) => self.f.less(old, c),
            V::K(_) => self.f.with(old, c),
            V::R(_) => {
                let off = self.f.less(old, c);
                let on = self.f.select_set(is, single, NONE);
                self.f.or(&mut self.fixed, off, on)
            }
        };
        self.put(slot, Bind::Set(new), env);
    }

    /// A new piece, perhaps of a kind or an owner that is chosen.
    pub fn piece(&mut self, kind: &KindOf, owner: V) -> Piece {
        if let (Ok(k), V::K(o)) = (kind, owner) {
            let code = self.code(usize::from(k.0), o as usize);
            return Piece {
                code: V::K(u64::from(code)),
                known: Some((o as usize, usize::from(k.0))),
            };
        }
        let owners = self.program.players.len() + 1;
        let codes = self.codes.clone();
        let table = self.table("pieces", |program| {
            let all = 0..program.kinds.len() * owners;
            let piece = |at: usize| (at / owners) as u16 | ((at % owners) as u16) << 8;
            all.map(|at| codes.iter().position(|c| *c == piece(at)))
                .map(|code| code.unwrap_or(0) as u64)
                .collect()
        });
        let before = match kind {
            Ok(kind) => V::K(u64::from(kind.0)),
            Err(w) => self.f.bin(Bin::Sub, *w, YES),
        };
        let before = self.f.bin(Bin::Mul, before, V::K(owners as u64));
        let at = self.f.bin(Bin::Add, before, owner);
        Self::some_piece(self.f.table(&self.tables, table, at))
    }

    /// The piece of a code that is not certain.
    pub fn some_piece(code: V) -> Piece {
        Piece { code, known: None }
    }

    /// The piece on top of a pile that has some; when what is true of the cell tells, certain.
    pub fn top_piece(&mut self, pile: V, fact: Fact) -> Piece {
        let bits = self.piece_bits();
        let end = self.end(pile);
        let at = self.f.bin(Bin::Sub, end, V::K(bits));
        let code = self.f.bin(Bin::Shr, pile, at);
        let code = self.f.bin(Bin::And, code, V::K((1 << bits) - 1));
        let kinds = fact.kinds & ((1 << self.program.kinds.len()) - 1);
        match fact.owner(self.program.players.len()) {
            Some(owner) if kinds.is_power_of_two() => Piece {
                code,
                known: Some((
                    owner.map_or(0, |p| usize::from(p) + 1),
                    kinds.trailing_zeros() as usize,
                )),
            },
            _ => Self::some_piece(code),
        }
    }

    /// A pile with a piece more on top.
    pub fn pushed(&mut self, pile: V, code: V) -> V {
        let bits = self.piece_bits();
        let end = self.end(pile);
        self.check_room(end, V::K(bits));
        let one = self.f.bin(Bin::Shl, YES, end);
        let rest = self.f.bin(Bin::Xor, pile, one);
        // The new piece and the 1 above it.
        let above = self.f.bin(Bin::Or, code, V::K(1 << bits));
        let above = self.f.bin(Bin::Shl, above, end);
        self.f.bin(Bin::Or, rest, above)
    }

    pub fn check_room(&mut self, end: V, more: V) {
        let sum = self.f.bin(Bin::Add, end, more);
        let over = self.f.bin(Bin::Less, V::K(63), sum);
        self.f.open();
        self.f.fault(Fault::Pile);
        let body = self.f.close();
        self.f.when(over, body);
    }

    /// Does something for every cell of a set, one after the other.
    pub fn each_cell(&mut self, set: SV, env: &mut Env, body: impl FnOnce(&mut Self, V, &mut Env)) {
        let mut slots: Vec<Slot> = self.slots.owned.clone();
        slots.extend(self.slots.kinds.iter().flatten());
        slots.extend(self.tall_slots());
        slots.extend(self.marks());
        let system = self.program.system;
        for var in [system.touched, system.captures, system.captured] {
            slots.extend(var.and_then(|v| self.slot_of(v, 0)));
        }
        slots.push(self.slots.taken);
        if self.program.looks_back {
            self.pay(env);
            slots.push(self.slots.hash);
        }
        for slot in &slots {
            let bind = self.get(*slot, env);
            let own = self.own(&bind);
            self.put(*slot, own, env);
        }
        let c = self.f.word();
        self.f.open();
        let mut inner = env.clone();
        body(self, V::R(c), &mut inner);
        if self.program.looks_back {
            self.pay(&mut inner);
        }
        for slot in &slots {
            let (to, from) = (self.get(*slot, env), self.get(*slot, &mut inner));
            self.assign(&to, &from);
        }
        let body = self.f.close();
        let s = self.f.sreg(set);
        self.f.push(Stmt::ForCells(c, s, body));
        for slot in [self.slots.occupied, self.slots.empty] {
            if let Some(entry) = env.binds.get_mut(slot.0 as usize) {
                *entry = None;
            }
        }
    }

    /// A register of its own with a value.
    pub fn own(&mut self, bind: &Bind) -> Bind {
        match bind {
            Bind::Set(s) => {
                let (to, from) = (self.f.set(), self.f.sreg(*s));
                self.f.push(Stmt::LetSet(to, Set::Copy(from)));
                Bind::Set(SV::R(to))
            }
            other => {
                let from = self.encode(other);
                let (to, from) = (self.f.word(), self.f.reg(from));
                self.f.push(Stmt::Let(to, Word::Copy(from)));
                Bind::Word(V::R(to))
            }
        }
    }

    /// Gives a register another value.
    pub fn assign(&mut self, to: &Bind, from: &Bind) {
        match (to, from) {
            (Bind::Set(SV::R(to)), Bind::Set(from)) => {
                let from = self.f.sreg(*from);
                if from != *to {
                    self.f.push(Stmt::LetSet(*to, Set::Copy(from)));
                }
            }
            (Bind::Word(V::R(to)) | Bind::Cell(V::R(to)), from) => {
                let from = self.encode(from);
                let from = self.f.reg(from);
                if from != *to {
                    self.f.push(Stmt::Let(*to, Word::Copy(from)));
                }
            }
            _ => {}
        }
    }

    /// Carries out an effect.
    pub fn pile_effect(&mut self, effect: Pending, env: &mut Env) {
        match effect {
            Pending::Put(at, kind, owner, times, was) => {
                let piece = self.piece(&kind, owner);
                match at {
                    At::Cell(c) => self.put_on(c, piece, times, was, env),
                    At::Set(_) | At::Run(_) => {
                        let set = self.set_of(&at);
                        self.each_cell(set, env, |l, c, e| l.put_on(c, piece, times, was, e));
                    }
                }
            }
            Pending::Carry(from, to, a, b) => self.carry_pile((from, a), (to, b), env),
            Pending::Clear(at, counted, _) => match at {
                At::Cell(c) => self.clear_pile(c, counted, env),
                At::Set(_) | At::Run(_) => {
                    let set = self.set_of(&at);
                    self.each_cell(set, env, |l, c, e| l.clear_pile(c, counted, e));
                }
            },
            Pending::Top(c, below) => self.take_top(c, below, env),
            Pending::Flip(at) => {
                let set = self.set_of(&at);
                self.each_cell(set, env, |l, c, e| l.flip_top(c, e));
            }
            Pending::Promote(c, kind) => self.promote_top(c, &kind, env),
            Pending::Advance(..) => self.refuse("stacks advance in line"),
            Pending::Lift(c) => self.lift_pile(c, env),
            Pending::Drop(c) => self.drop_piece(c, env),
        }
    }

    pub fn put_on(&mut self, c: V, piece: Piece, times: V, was: Fact, env: &mut Env) {
        let old = self.pile_where(c, was);
        let new = match times {
            V::K(n) if n.cast_signed() <= 0 => return,
            V::K(1) => self.pushed(old, piece.code),
            _ => {
                let (pile, i) = (self.f.word(), self.f.word());
                let from = self.f.reg(old);
                self.f.push(Stmt::Let(pile, Word::Copy(from)));
                self.f.open();
                let more = self.pushed(V::R(pile), piece.code);
                let more = self.f.reg(more);
                self.f.push(Stmt::Let(pile, Word::Copy(more)));
                let body = self.f.close();
                let (one, times) = (self.f.reg(YES), self.f.reg(times));
                self.f.push(Stmt::ForNumbers(i, one, times, body));
                V::R(pile)
            }
        };
        self.change_pile(c, (old, new), true, env);
        if let V::K(_) = times {
            self.show(c, YES, piece, env);
        } else {
            let there = self.f.bin(Bin::Differ, new, YES);
            let top = self.top_after(new, there);
            self.show(c, there, top, env);
        }
    }

    /// The piece on top of a pile that may be empty.
    pub fn top_after(&mut self, pile: V, there: V) -> Piece {
        let bits = self.piece_bits();
        let safe = self.f.select(there, pile, V::K(1 << bits));
        self.top_piece(safe, Fact::ANY)
    }

    /// Carries a pile to another cell; with what was there on both.
    pub fn carry_pile(&mut self, (from, a): (V, Fact), (to, b): (V, Fact), env: &mut Env) {
        let (pf, pt) = (self.pile(from), self.pile_where(to, b));
        let (ef, et) = (self.end(pf), self.end(pt));
        self.check_room(et, ef);
        let one = self.f.bin(Bin::Shl, YES, et);
        let rest = self.f.bin(Bin::Xor, pt, one);
        let moved = self.f.bin(Bin::Shl, pf, et);
        let new = self.f.bin(Bin::Or, rest, moved);
        let top = self.top_piece(pf, a);
        self.set_pile(from, pf, YES, env);
        self.change_pile(to, (pt, new), true, env);
        self.carry_marks(from, to, env);
        self.show(from, NO, top, env);
        self.show(to, YES, top, env);
    }

    pub fn clear_pile(&mut self, c: V, counted: bool, env: &mut Env) {
        let old = self.pile(c);
        let height = self.height_of(old);
        let some = self.f.bin(Bin::Differ, old, YES);
        let single = self.f.single(&mut self.fixed, c);
        let its = self.f.select_set(some, single, NONE);
        if counted {
            self.count_captured(its, height, env);
        }
        self.set_pile(c, old, YES, env);
        self.note(self.program.system.touched, its, env);
        self.unmark(its, env);
        let slots: Vec<Slot> = self
            .slots
            .owned
            .iter()
            .copied()
            .chain(self.slots.kinds.iter().copied().flatten())
            .collect();
        for slot in slots {
            let old = self.set(slot, env);
            let new = self.f.less(old, c);
            self.put(slot, Bind::Set(new), env);
        }
    }

    pub fn take_top(&mut self, c: V, below: Option<(V, bool)>, env: &mut Env) {
        let bits = self.piece_bits();
        let old = self.pile(c);
        let end = self.end(old);
        let at = self.f.bin(Bin::Sub, end, V::K(bits));
        let shifted = self.f.bin(Bin::Shr, old, at);
        let code = self.f.bin(Bin::And, shifted, V::K((1 << bits) - 1));
        // Everything below, with the 1 above it.
        let one = self.f.bin(Bin::Shl, YES, at);
        let mask = self.f.bin(Bin::Sub, one, YES);
        let rest = self.f.bin(Bin::And, old, mask);
        let new = self.f.bin(Bin::Or, rest, one);
        self.set_pile(c, old, new, env);
        let single = self.f.single(&mut self.fixed, c);
        self.count_captured(single, YES, env);
        let there = self.f.bin(Bin::Differ, new, YES);
        let top = self.top_after(new, there);
        self.show(c, there, top, env);
        let gone = self.f.select_set(there, NONE, single);
        self.unmark(gone, env);
        if let Some((under, some)) = below {
            let old = self.pile(under);
            let end = self.end(old);
            self.check_room(end, V::K(bits));
            let up = self.f.bin(Bin::Shl, old, V::K(bits));
            let new = self.f.bin(Bin::Or, up, code);
            self.change_pile(under, (old, new), true, env);
            if !some {
                // Below others nothing is touched.
                let first = self.f.bin(Bin::Equal, old, YES);
                let single = self.f.single(&mut self.fixed, under);
                let touched = self.f.select_set(first, single, NONE);
                self.note(self.program.system.touched, touched, env);
                let top = self.top_piece(new, Fact::ANY);
                self.top_with((under, single), YES, top, env);
            }
        }
    }

    pub fn lift_pile(&mut self, c: V, env: &mut Env) {
        let up = self.up();
        let single = self.f.single(&mut self.fixed, c);
        self.unmark(single, env);
        if self.lifts_once {
            let pile = self.pile(c);
            self.set_pile(c, pile, YES, env);
            self.set_pile(up, YES, pile, env);
            return self.show(c, NO, Self::some_piece(NO), env);
        }
        let (pf, pt) = (self.pile(c), self.pile(up));
        let (ef, et) = (self.end(pf), self.end(pt));
        self.check_room(et, ef);
        let one = self.f.bin(Bin::Shl, YES, et);
        let rest = self.f.bin(Bin::Xor, pt, one);
        let moved = self.f.bin(Bin::Shl, pf, et);
        let new = self.f.bin(Bin::Or, rest, moved);
        self.set_pile(c, pf, YES, env);
        self.set_pile(up, pt, new, env);
        self.show(c, NO, Self::some_piece(NO), env);
    }

    pub fn drop_piece(&mut self, c: V, env: &mut Env) {
        let up = self.up();
        let bits = self.piece_bits();
        let pile = self.pile(up);
        let code = self.f.bin(Bin::And, pile, V::K((1 << bits) - 1));
        let rest = self.f.bin(Bin::Shr, pile, V::K(bits));
        self.set_pile(up, pile, rest, env);
        let old = self.pile(c);
        let new = self.pushed(old, code);
        self.change_pile(c, (old, new), true, env);
        self.show(c, YES, Self::some_piece(code), env);
    }
}
