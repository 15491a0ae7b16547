//! Runs that advance: pieces of one sort as a set, others cell by cell. In: a run, and how far. Out: whether it can, and the sets behind it.

use crate::compile::kernel::env::{At, Bind, Debt, Env, Pending, RunBind, Slot};
use crate::compile::kernel::facts::{Fact, VACANT};
use crate::compile::kernel::flow::Asked;
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, Fault, S, Set, SetId, Stmt, W, Word};
use crate::program::{Cells, Num, VarId};

/// Pieces that advance further are left to the plain engine.
const FAR: u64 = 1 << 12;

/// Whether a number is surely not far.
fn is_short(n: &Num) -> bool {
    match n {
        Num::Const(n) => *n < 1 << 10,
        Num::RunLength(_) | Num::Count(_) | Num::CountParts(_) => true,
        Num::Add(a, b) => is_short(a) && matches!(**b, Num::Const(n) if n < 1 << 10),
        Num::Sub(a, b) => is_short(a) && matches!(**b, Num::Const(n) if n >= 0),
        _ => false,
    }
}

impl<'p> Lowerer<'p> {
    /// A run advances so far, if it can. False when it surely cannot.
    pub fn advance(
        &mut self,
        run: VarId,
        by: &'p Num,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        let amount = self.num(by, env, cx);
        let run = match self.run_of(run, env) {
            Ok(run) => run,
            Err(V::K(0)) => return false,
            Err(_) => {
                self.refuse("a run that is kept advances");
                return false;
            }
        };
        if self.program.stacking {
            self.refuse("stacks advance in line");
            return false;
        }
        if !self.is_free_ahead(&run, by, env) {
            if !is_short(by) {
                // Step by step that would never end.
                let far = self.f.bin(Bin::Less, V::K(FAR), amount);
                self.f.open();
                self.f.fault(Fault::Calls);
                let body = self.f.close();
                self.f.when(far, body);
            }
            self.flush(env, cx);
            let can = self.can_advance(&run, amount, env, cx);
            if !self.only_if(can, asked) {
                return false;
            }
        }
        env.forget_like(run.fact);
        env.forget_like(Fact {
            owners: VACANT,
            kinds: u32::MAX,
        });
        let sure = self.least(by, env).is_some_and(|least| least > 0);
        env.pending.push(Pending::Advance(run, amount, sure));
        true
    }

    /// A number that another one is not below.
    fn least(&self, n: &Num, env: &Env) -> Option<i64> {
        let has_some = |v: &VarId| {
            let bind = self
                .slot_of(*v, 0)
                .and_then(|slot| env.binds.get(slot.0 as usize)?.as_ref());
            matches!(bind, Some((Bind::Run(run), _)) if run.some)
        };
        match n {
            Num::Const(n) => Some(*n),
            Num::RunLength(v) => Some(i64::from(has_some(v))),
            Num::Count(set) => match set.as_ref() {
                Cells::Run(v) => Some(i64::from(has_some(v))),
                _ => Some(0),
            },
            Num::Add(a, b) => Some(self.least(a, env)?.saturating_add(self.least(b, env)?)),
            _ => None,
        }
    }

    /// Whether the picture says that the cells ahead are empty, as far as the run goes.
    pub fn is_free_ahead(&self, run: &RunBind, by: &Num, env: &Env) -> bool {
        let [path, after] = run.next;
        let is_path = |n: &Num| matches!(n, Num::RunLength(v) if Some(*v) == path);
        if run.fact.vacant() || !run.fact.taken() {
            return false;
        }
        let slot = path.and_then(|v| self.slot_of(v, 0));
        let (vacant, one) = match slot.and_then(|s| env.binds.get(s.0 as usize)?.as_ref()) {
            Some((Bind::Run(r), _)) => (r.fact.vacant(), false),
            Some((Bind::Cell(c), _)) => (env.fact(*c).vacant(), true),
            _ => (false, false),
        };
        if !vacant {
            return false;
        }
        match by {
            Num::Const(1) if one => true,
            n if is_path(n) => true,
            Num::Add(a, b) => {
                is_path(a)
                    && **b == Num::Const(1)
                    && after.is_some_and(|v| env.captured.contains(&v))
            }
            _ => false,
        }
    }

    /// Whether a run can advance: each cell ahead of a piece is there, and empty or left by the run itself.
    pub fn can_advance(&mut self, run: &RunBind, by: V, env: &mut Env, cx: Cx) -> V {
        let here = self.run_cells(run);
        let (occupied, here, (there, all)) = if run.fact.taken() {
            let ahead = self.advanced(run, by);
            (self.occupied(env, cx), here, ahead)
        } else {
            let occupied = self.occupied(env, cx);
            let here = self.f.and(&mut self.fixed, here, occupied);
            let (there, all) = self.images(run, by, &[occupied]);
            let there = there.first().copied().unwrap_or(NONE);
            (occupied, here, (there, all))
        };
        let ahead = self.f.without(&mut self.fixed, there, here);
        let blocked = self.f.and(&mut self.fixed, ahead, occupied);
        let blocked = self.f.some(&self.fixed, blocked);
        let free = self.f.not(blocked);
        let sound = self.f.bin(Bin::AtMost, NO, by);
        let can = self.f.both(free, sound);
        self.f.both(can, all)
    }

    /// Where the cells of a run come to, and whether all come to a cell.
    fn advanced(&mut self, run: &RunBind, by: V) -> (SV, V) {
        let (found, all) = (self.f.set(), self.f.word());
        self.f.push(Stmt::LetSet(found, Set::Const(SetId(0))));
        self.f.push(Stmt::Let(all, Word::Const(1)));
        let (at, rounds) = self.ahead(run, by);
        self.f.open();
        let there = self.come_to(at, YES, found);
        let still = self.f.both(V::R(all), there);
        let still = self.f.reg(still);
        self.f.push(Stmt::Let(all, Word::Copy(still)));
        self.next_or_none(at, run.way);
        self.for_length(run, rounds);
        (SV::R(found), V::R(all))
    }

    /// Where those cells of a run come to that are in each of some sets, and whether all those in the first come to a cell.
    fn images(&mut self, run: &RunBind, by: V, of: &[SV]) -> (Vec<SV>, V) {
        let found: Vec<_> = of.iter().map(|_| self.f.set()).collect();
        for image in &found {
            self.f.push(Stmt::LetSet(*image, Set::Const(SetId(0))));
        }
        let all = self.f.word();
        self.f.push(Stmt::Let(all, Word::Const(1)));
        let (at, rounds) = self.ahead(run, by);
        let from = self.f.word();
        let first = self.f.reg(run.start);
        self.f.push(Stmt::Let(from, Word::Copy(first)));
        self.f.open();
        for (nth, (set, image)) in of.iter().zip(&found).enumerate() {
            let has = self.f.has(&self.fixed, *set, V::R(from));
            let there = self.come_to(at, has, *image);
            if nth == 0 {
                let lost = self.f.bin(Bin::Less, there, has);
                let kept = self.f.not(lost);
                let still = self.f.both(V::R(all), kept);
                let still = self.f.reg(still);
                self.f.push(Stmt::Let(all, Word::Copy(still)));
            }
        }
        self.next_or_none(at, run.way);
        let next = self.step(V::R(from), run.way);
        let (next, _) = self.safe(next);
        let next = self.f.reg(next);
        self.f.push(Stmt::Let(from, Word::Copy(next)));
        self.for_length(run, rounds);
        (found.into_iter().map(SV::R).collect(), V::R(all))
    }

    /// The cell so far ahead of where a run begins: counted from 1, 0 for none; and what counts the steps there, from one.
    fn ahead(&mut self, run: &RunBind, by: V) -> (W, [W; 2]) {
        let (at, i) = (self.f.word(), self.f.word());
        let first = self.f.bin(Bin::Add, run.start, YES);
        let first = self.f.reg(first);
        self.f.push(Stmt::Let(at, Word::Copy(first)));
        self.f.open();
        self.next_or_none(at, run.way);
        let body = self.f.close();
        let (one, far) = (self.f.reg(YES), self.f.reg(by));
        self.f.push(Stmt::ForNumbers(i, one, far, body));
        (at, [i, one])
    }

    /// Adds a cell, if there is one and it is wanted, to a set; whether there is one.
    fn come_to(&mut self, at: W, wanted: V, found: S) -> V {
        let (safe, there) = self.safe(V::R(at));
        let comes = match wanted {
            YES => there,
            wanted => {
                let there = self.f.bin(Bin::Differ, there, NO);
                self.f.both(wanted, there)
            }
        };
        let more = self.f.with(SV::R(found), safe);
        let more = self.f.select_set(comes, more, SV::R(found));
        let more = self.f.sreg(more);
        self.f.push(Stmt::LetSet(found, Set::Copy(more)));
        self.f.bin(Bin::Differ, there, NO)
    }

    /// What was just opened is done for each cell of a run.
    fn for_length(&mut self, run: &RunBind, [i, one]: [W; 2]) {
        let body = self.f.close();
        let length = self.f.reg(run.length);
        self.f.push(Stmt::ForNumbers(i, one, length, body));
    }

    /// Goes one cell on in a direction, by a word that is counted from 1, and 0 where there is none.
    pub fn next_or_none(&mut self, at: W, way: V) {
        let (safe, there) = self.safe(V::R(at));
        let next = self.step(safe, way);
        let next = self.f.select(there, next, NO);
        let next = self.f.reg(next);
        self.f.push(Stmt::Let(at, Word::Copy(next)));
    }

    /// The pieces of a run advance, as they surely can.
    pub fn flat_advance(&mut self, run: &RunBind, (by, sure): (V, bool), env: &mut Env) {
        let players = self.program.players.len();
        let kinds = run.fact.kinds & ((1 << self.program.kinds.len()) - 1);
        let one_kind = self.program.kinds.len() == 1 || kinds.is_power_of_two();
        let (here, there) = match run.fact.owner(players) {
            Some(Some(p)) if one_kind && self.marks().is_empty() => {
                self.advance_alike(run, by, (kinds, p), env)
            }
            _ => self.advance_mixed(run, by, env),
        };
        // What goes no further is not touched.
        let mut both = self.f.or(&mut self.fixed, here, there);
        if !sure && self.program.system.touched.is_some() {
            both = self.f.select_set(by, both, NONE);
        }
        self.note(self.program.system.touched, both, env);
    }

    /// Pieces of one sort: where they were, and where they come to.
    fn advance_alike(
        &mut self,
        run: &RunBind,
        by: V,
        (kinds, p): (u32, u8),
        env: &mut Env,
    ) -> (SV, SV) {
        let here = self.run_cells(run);
        let (there, _) = self.advanced(run, by);
        let kind = match self.program.kinds.len() {
            1 => 0,
            _ => kinds.trailing_zeros() as usize,
        };
        let code = self.code(kind, usize::from(p) + 1);
        self.owe(Debt::Set(here, code), env);
        self.owe(Debt::Set(there, code), env);
        let slots = [
            Some(self.slots.owned[usize::from(p)]),
            self.slots.kinds[kind],
        ];
        for slot in slots.into_iter().flatten() {
            self.take(slot, &At::Set(here), here, env);
            self.add(slot, &At::Set(there), there, env);
        }
        (here, there)
    }

    /// Pieces of several sorts, or with marks: where they were, and where they come to.
    fn advance_mixed(&mut self, run: &RunBind, by: V, env: &mut Env) -> (SV, SV) {
        let players = 0..self.program.players.len();
        let owned = players.filter(|p| run.fact.owners & 1 << p != 0);
        let owned: Vec<Slot> = owned.map(|p| self.slots.owned[p]).collect();
        let kinds = self.slots.kinds.iter().copied().flatten();
        let mut slots: Vec<Slot> = owned.iter().copied().chain(kinds).collect();
        let pieces = slots.len();
        slots.extend(self.marks());
        let before: Vec<SV> = slots.iter().map(|slot| self.set(*slot, env)).collect();
        let run_here = self.run_cells(run);
        let (images, _) = self.images(run, by, &before);
        let (mut here, mut there) = (NONE, NONE);
        for (set, image) in before.iter().zip(&images).take(pieces) {
            here = self.f.or(&mut self.fixed, here, *set);
            there = self.f.or(&mut self.fixed, there, *image);
        }
        let here = self.f.and(&mut self.fixed, here, run_here);
        self.owe_at(here, run.fact, env);
        for (slot, image) in slots.into_iter().zip(images) {
            self.take(slot, &At::Set(here), here, env);
            self.add(slot, &At::Set(image), image, env);
        }
        self.owe_at(there, run.fact, env);
        (here, there)
    }

    /// What the hash owes for the pieces on some cells.
    fn owe_at(&mut self, cells: SV, fact: Fact, env: &mut Env) {
        if !self.program.looks_back {
            return;
        }
        for (owned, of_kind, code) in self.pieces(fact, env) {
            let both = self.f.and(&mut self.fixed, owned, of_kind);
            let its = self.f.and(&mut self.fixed, both, cells);
            self.owe(Debt::Set(its, code), env);
        }
    }
}
