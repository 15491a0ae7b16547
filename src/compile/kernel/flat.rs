//! Effects carried out where a cell holds one piece: new sets from old ones.

use crate::compile::kernel::env::{At, Bind, Debt, Env, KindOf, Pending, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, LowPiles, Stmt, Word, low_piles, pile_key};
use crate::program::{VarId, piece_key};
use std::rc::Rc;

impl Lowerer<'_> {
    /// Carries out all that waits.
    pub fn flush(&mut self, env: &mut Env, cx: Cx) {
        if env.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut env.pending);
        for effect in pending {
            if self.program.stacking {
                self.pile_effect(effect, env);
            } else {
                self.flat_effect(effect, env, cx);
            }
        }
    }

    pub fn flat_effect(&mut self, effect: Pending, env: &mut Env, cx: Cx) {
        match effect {
            Pending::Put(at, kind, owner, _, _) => self.flat_put(&at, &kind, owner, env),
            Pending::Carry(from, to, a, b) => self.flat_carry(from, to, a, b, env, cx),
            Pending::Advance(run, by, sure) => self.flat_advance(&run, (by, sure), env),
            Pending::Clear(at, counted, fact) => self.flat_clear(&at, counted, fact, env, cx),
            Pending::Top(c, _) => self.flat_clear(&At::Cell(c), true, Fact::ANY, env, cx),
            Pending::Flip(at) => self.flat_flip(&at, env, cx),
            Pending::Promote(c, kind) => self.flat_promote(c, &kind, env),
            Pending::Lift(_) | Pending::Drop(_) => {}
        }
    }

    /// The cells of an operand.
    pub fn set_of(&mut self, at: &At) -> SV {
        match at {
            At::Cell(c) => self.f.single(&mut self.fixed, *c),
            At::Set(s) => *s,
            At::Run(run) => self.run_cells(run),
        }
    }

    pub fn add(&mut self, slot: Slot, at: &At, set: SV, env: &mut Env) {
        let old = self.set(slot, env);
        let new = match at {
            At::Cell(c) => self.f.with(old, *c),
            At::Set(_) | At::Run(_) => self.f.or(&mut self.fixed, old, set),
        };
        self.put(slot, Bind::Set(new), env);
    }

    pub fn take(&mut self, slot: Slot, at: &At, set: SV, env: &mut Env) {
        let old = self.set(slot, env);
        let new = match at {
            At::Cell(c) => self.f.less(old, *c),
            At::Set(_) | At::Run(_) => self.f.without(&mut self.fixed, old, set),
        };
        self.put(slot, Bind::Set(new), env);
    }

    /// Adds cells to a set that the engine keeps.
    pub fn note(&mut self, var: Option<VarId>, set: SV, env: &mut Env) {
        if let Some(slot) = var.and_then(|v| self.slot_of(v, 0)) {
            let old = self.set(slot, env);
            let new = self.f.or(&mut self.fixed, old, set);
            self.put(slot, Bind::Set(new), env);
        }
    }

    /// Adds to a number that the engine keeps.
    pub fn count_up(&mut self, var: Option<VarId>, by: V, env: &mut Env) {
        if let Some(slot) = var.and_then(|v| self.slot_of(v, 0)) {
            let old = self.word(slot, env);
            let new = self.f.bin(Bin::Add, old, by);
            self.put(slot, Bind::Word(new), env);
        }
    }

    /// The travelling marks.
    pub fn marks(&self) -> Vec<Slot> {
        let vars = 0..self.program.vars.len();
        vars.filter(|v| self.program.vars[*v].travels)
            .filter_map(|v| self.slot_of(VarId(v as u16), 0))
            .collect()
    }

    /// The marks of a cell travel to another.
    pub fn carry_marks(&mut self, from: V, to: V, env: &mut Env) {
        for slot in self.marks() {
            let old = self.set(slot, env);
            let has = self.f.has(&self.fixed, old, from);
            let off = self.f.less(old, from);
            let on = self.f.with(off, to);
            let new = self.f.select_set(has, on, off);
            self.put(slot, Bind::Set(new), env);
        }
    }

    /// Takes cells out of all travelling marks.
    pub fn unmark(&mut self, set: SV, env: &mut Env) {
        for slot in self.marks() {
            let old = self.set(slot, env);
            let new = self.f.without(&mut self.fixed, old, set);
            self.put(slot, Bind::Set(new), env);
        }
    }

    /// The code of a piece: its place among the codes.
    pub fn code(&self, kind: usize, owner: usize) -> u32 {
        let piece = kind as u16 | (owner as u16) << 8;
        let at = self.codes.iter().position(|c| *c == piece);
        at.unwrap_or(self.codes.len()) as u32
    }

    /// For each piece that may stand somewhere: its sets and its code.
    pub fn pieces(&mut self, fact: Fact, env: &mut Env) -> Vec<(SV, SV, u32)> {
        let mut found = Vec::new();
        for code in 0..self.codes.len() {
            let piece = self.codes[code];
            let (kind, owner) = (usize::from(piece & 0xFF), usize::from(piece >> 8));
            let owner_bit = match owner {
                0 => crate::compile::kernel::facts::NEUTRAL,
                p => 1 << (p - 1),
            };
            if fact.owners & owner_bit == 0 || fact.kinds & 1 << kind == 0 {
                continue;
            }
            let of_kind = match self.slots.kinds[kind] {
                Some(slot) => self.set(slot, env),
                None => crate::compile::kernel::fun::ALL,
            };
            let owned = match owner {
                0 => of_kind,
                p => self.set(self.slots.owned[p - 1], env),
            };
            found.push((owned, of_kind, code as u32));
        }
        found
    }

    pub fn owe(&mut self, debt: Debt, env: &mut Env) {
        if self.program.looks_back {
            env.debts.push(debt);
        }
    }

    pub fn flat_put(&mut self, at: &At, kind: &KindOf, owner: V, env: &mut Env) {
        let set = self.set_of(at);
        self.note(self.program.system.touched, set, env);
        for p in 0..self.program.players.len() {
            let slot = self.slots.owned[p];
            match owner {
                V::K(o) if o == p as u64 + 1 => self.add(slot, at, set, env),
                V::K(_) => {}
                V::R(_) => {
                    let is = self.f.bin(Bin::Equal, owner, V::K(p as u64 + 1));
                    let its = self.f.select_set(is, set, NONE);
                    self.add(slot, &At::Set(its), its, env);
                }
            }
        }
        for k in 0..self.program.kinds.len() {
            let Some(slot) = self.slots.kinds[k] else {
                continue;
            };
            match kind {
                Ok(kind) if usize::from(kind.0) == k => self.add(slot, at, set, env),
                Ok(_) => {}
                Err(w) => {
                    let is = self.f.bin(Bin::Equal, *w, V::K(k as u64 + 1));
                    let its = self.f.select_set(is, set, NONE);
                    self.add(slot, &At::Set(its), its, env);
                }
            }
        }
        if !self.program.looks_back {
            return;
        }
        for code in 0..self.codes.len() {
            let piece = self.codes[code];
            let such = self.is_kind(kind, usize::from(piece & 0xFF));
            let whose = self.f.bin(Bin::Equal, owner, V::K(u64::from(piece >> 8)));
            let its = match self.f.both(such, whose) {
                V::K(0) => continue,
                is => self.f.select_set(is, set, NONE),
            };
            self.owe(Debt::Set(its, code as u32), env);
        }
    }

    /// Counts captured pieces of a set, all of which hold one, and remembers where.
    pub fn count_captured(&mut self, set: SV, count: V, env: &mut Env) {
        self.note(self.program.system.captured, set, env);
        self.count_up(self.program.system.captures, count, env);
        let before = self.word(self.slots.taken, env);
        let taken = self.f.bin(Bin::Add, before, count);
        self.put(self.slots.taken, Bind::Word(taken), env);
    }

    pub fn flat_clear(&mut self, at: &At, counted: bool, fact: Fact, env: &mut Env, cx: Cx) {
        if fact.vacant() {
            return;
        }
        let mut set = self.set_of(at);
        if !fact.taken() {
            let occupied = self.occupied(env, cx);
            set = self.f.and(&mut self.fixed, set, occupied);
        }
        let at = if fact.taken() {
            at.clone()
        } else {
            At::Set(set)
        };
        if counted {
            let count = match (&at, fact.taken()) {
                (At::Cell(_), true) => YES,
                (At::Run(run), true) => run.length,
                _ => self.f.count(&self.fixed, set),
            };
            self.count_captured(set, count, env);
        }
        self.take_off(&at, set, fact, env);
    }

    /// Takes the pieces off cells that hold one.
    pub fn take_off(&mut self, at: &At, set: SV, fact: Fact, env: &mut Env) {
        self.note(self.program.system.touched, set, env);
        if self.program.looks_back {
            let pieces = self.pieces(fact, env);
            match at {
                At::Cell(c) => {
                    self.owe(Debt::Piece(*c, Rc::new(pieces), vec![*c]), env);
                }
                At::Set(_) | At::Run(_) => {
                    for (owned, kind, code) in pieces {
                        let both = self.f.and(&mut self.fixed, owned, kind);
                        let its = self.f.and(&mut self.fixed, both, set);
                        self.owe(Debt::Set(its, code), env);
                    }
                }
            }
        }
        for p in 0..self.program.players.len() {
            if fact.owners & 1 << p != 0 {
                self.take(self.slots.owned[p], at, set, env);
            }
        }
        for k in 0..self.program.kinds.len() {
            if let (Some(slot), true) = (self.slots.kinds[k], fact.kinds & 1 << k != 0) {
                self.take(slot, at, set, env);
            }
        }
        self.unmark(set, env);
    }

    pub fn flat_carry(&mut self, from: V, to: V, a: Fact, b: Fact, env: &mut Env, cx: Cx) {
        self.flat_clear(&At::Cell(to), true, b, env, cx);
        if self.program.looks_back {
            let pieces = Rc::new(self.pieces(a, env));
            self.owe(Debt::Piece(from, pieces, vec![from, to]), env);
        }
        self.carry_marks(from, to, env);
        if let Some(touched) = self.program.system.touched {
            let two = self.f.single(&mut self.fixed, from);
            let two = self.f.with(two, to);
            self.note(Some(touched), two, env);
        }
        let sole = a.owner(self.program.players.len());
        for p in 0..self.program.players.len() {
            if a.owners & 1 << p != 0 {
                self.carry_in(self.slots.owned[p], from, to, sole.is_some(), env);
            }
        }
        let sole = (a.kinds & ((1 << self.program.kinds.len()) - 1)).is_power_of_two();
        for k in 0..self.program.kinds.len() {
            if let (Some(slot), true) = (self.slots.kinds[k], a.kinds & 1 << k != 0) {
                self.carry_in(slot, from, to, sole, env);
            }
        }
    }

    pub fn carry_in(&mut self, slot: Slot, from: V, to: V, sure: bool, env: &mut Env) {
        let old = self.set(slot, env);
        let off = self.f.less(old, from);
        let on = self.f.with(off, to);
        let new = if sure {
            on
        } else {
            let has = self.f.has(&self.fixed, old, from);
            self.f.select_set(has, on, off)
        };
        self.put(slot, Bind::Set(new), env);
    }

    pub fn flat_flip(&mut self, at: &At, env: &mut Env, cx: Cx) {
        let all = self.set_of(at);
        if self.program.looks_back {
            self.owe_flipped(all, env);
        }
        let players = self.program.players.len();
        let sets: Vec<SV> = (0..players)
            .map(|p| {
                let owned = self.owned(p as u8, env, cx);
                self.f.and(&mut self.fixed, owned, all)
            })
            .collect();
        let mut rest = NONE;
        for s in sets.iter().skip(1) {
            rest = self.f.or(&mut self.fixed, rest, *s);
        }
        let both = self.f.or(&mut self.fixed, rest, sets[0]);
        self.note(self.program.system.touched, both, env);
        for p in 0..players {
            let slot = self.slots.owned[p];
            self.take(slot, &At::Set(all), all, env);
            let gained = match p {
                0 => rest,
                1 => sets[0],
                _ => NONE,
            };
            self.add(slot, &At::Set(gained), gained, env);
        }
    }

    /// What the hash owes when the pieces on cells change sides: each with its old owner, and with its new one.
    fn owe_flipped(&mut self, all: SV, env: &mut Env) {
        for (owned, of_kind, code) in self.pieces(Fact::ANY, env) {
            let piece = self.codes[code as usize];
            let (kind, owner) = (usize::from(piece & 0xFF), usize::from(piece >> 8));
            let other = match owner {
                0 => continue,
                1 => 2,
                _ => 1,
            };
            let flipped = self.code(kind, other);
            if flipped as usize == self.codes.len() {
                return self.refuse("pieces are flipped that nobody else has");
            }
            let both = self.f.and(&mut self.fixed, owned, of_kind);
            let its = self.f.and(&mut self.fixed, both, all);
            self.owe(Debt::Set(its, code), env);
            self.owe(Debt::Set(its, flipped), env);
        }
    }

    pub fn flat_promote(&mut self, c: V, kind: &KindOf, env: &mut Env) {
        let single = self.f.single(&mut self.fixed, c);
        self.note(self.program.system.touched, single, env);
        if self.program.looks_back {
            let pieces = Rc::new(self.pieces(Fact::ANY, env));
            self.owe(Debt::Piece(c, pieces, vec![c]), env);
        }
        for k in 0..self.program.kinds.len() {
            let Some(slot) = self.slots.kinds[k] else {
                continue;
            };
            self.take(slot, &At::Cell(c), single, env);
            match kind {
                Ok(kind) if usize::from(kind.0) == k => self.add(slot, &At::Cell(c), single, env),
                Ok(_) => {}
                Err(w) => {
                    let is = self.f.bin(Bin::Equal, *w, V::K(k as u64 + 1));
                    let its = self.f.select_set(is, single, NONE);
                    self.add(slot, &At::Set(its), its, env);
                }
            }
        }
        if self.program.looks_back {
            let pieces = Rc::new(self.pieces(Fact::ANY, env));
            self.owe(Debt::Piece(c, pieces, vec![c]), env);
        }
    }

    /// Brings the hash of the pieces up to date.
    pub fn pay(&mut self, env: &mut Env) {
        if env.debts.is_empty() {
            return;
        }
        let debts = std::mem::take(&mut env.debts);
        let keys = self.key_table();
        let cells = self.program.board.len() as u64;
        let mut hash = self.word(self.slots.hash, env);
        for debt in debts {
            match debt {
                Debt::Set(set, code) => {
                    let sum = self.f.word();
                    let from = self.f.reg(hash);
                    self.f.push(Stmt::Let(sum, Word::Copy(from)));
                    let c = self.f.word();
                    self.f.open();
                    let at = self.f.bin(Bin::Add, V::R(c), V::K(u64::from(code) * cells));
                    let key = self.f.table(&self.tables, keys, at);
                    let new = self.f.bin(Bin::Xor, V::R(sum), key);
                    let new = self.f.reg(new);
                    self.f.push(Stmt::Let(sum, Word::Copy(new)));
                    let body = self.f.close();
                    let s = self.f.sreg(set);
                    self.f.push(Stmt::ForCells(c, s, body));
                    hash = V::R(sum);
                }
                Debt::Piece(at, pieces, on) => {
                    let mut base = V::K(self.codes.len() as u64 * cells);
                    for (owned, kind, code) in pieces.iter() {
                        let a = self.f.has(&self.fixed, *owned, at);
                        let b = self.f.has(&self.fixed, *kind, at);
                        let is = self.f.both(a, b);
                        base = self.f.select(is, V::K(u64::from(*code) * cells), base);
                    }
                    for c in on {
                        let index = self.f.bin(Bin::Add, base, c);
                        let key = self.f.table(&self.tables, keys, index);
                        hash = self.f.bin(Bin::Xor, hash, key);
                    }
                }
                Debt::Pile(c, old, new) => {
                    self.know_low_piles();
                    // An empty pile has no key.
                    for pile in [old, new].into_iter().filter(|pile| *pile != YES) {
                        let (c, pile) = (self.f.reg(c), self.f.reg(pile));
                        let key = self.f.make(Word::PileKey(c, pile));
                        hash = self.f.bin(Bin::Xor, hash, key);
                    }
                }
            }
        }
        self.put(self.slots.hash, Bind::Word(hash), env);
    }

    /// Has a table made of the hashes of low piles.
    fn know_low_piles(&mut self) {
        if self.low_piles.is_some() {
            return;
        }
        let cells = self.program.board.len() + 1;
        let (bits, below) = (self.piece_bits() as u32, low_piles(cells));
        let codes = self.codes.clone();
        let table = self.table("hashes of low piles", |_| {
            let piles = (0..cells as u64).flat_map(|c| (0..below).map(move |pile| (c, pile)));
            piles
                .map(|(c, pile)| pile_key(&codes, bits, c, pile).unwrap_or_default())
                .collect()
        });
        self.low_piles = Some(LowPiles { table, below });
    }

    /// The keys of pieces by code and cell; behind them nothing for no piece.
    pub fn key_table(&mut self) -> crate::program::kernel::TableId {
        let codes = self.codes.clone();
        self.table("keys", |p| {
            let cells = p.board.len();
            let keys = codes
                .iter()
                .flat_map(|code| (0..cells).map(move |c| piece_key(c, 0, *code)));
            keys.chain(std::iter::repeat_n(0, cells)).collect()
        })
    }
}
