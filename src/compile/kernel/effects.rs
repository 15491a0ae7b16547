//! Effects: what can fail is asked at once, what changes the board waits in the environment until somebody looks. In a list of
//! actions nobody may ever look, and then it is never done.

use crate::compile::kernel::env::{At, Bind, Env, KindOf, Pending};
use crate::compile::kernel::facts::{Fact, NEUTRAL, VACANT};
use crate::compile::kernel::flow::Asked;
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::tail::MOST_AT_ONCE;
use crate::compile::kernel::values::{CellV, PlayerV};
use crate::program::kernel::Bin;
use crate::program::{CellExpr, Cells, Effect, VarId};
use std::rc::Rc;

impl<'p> Lowerer<'p> {
    /// What is known of the cell of an expression.
    pub fn cell_fact(&self, cell: CellV, env: &Env) -> Fact {
        match cell {
            CellV::Known(c) => env.fact(c),
            CellV::Maybe(_) => Fact::ANY,
        }
    }

    /// A cell that must be one.
    pub fn sure(&mut self, cell: CellV, asked: &mut Asked) -> Option<V> {
        match cell {
            CellV::Known(c) => Some(c),
            CellV::Maybe(w) => {
                let there = self.f.bin(Bin::Differ, w, NO);
                self.only_if(there, asked)
                    .then(|| self.f.bin(Bin::Sub, w, YES))
            }
        }
    }

    /// Something must stand on a cell.
    pub fn must_hold(&mut self, c: V, env: &mut Env, cx: Cx, asked: &mut Asked) -> bool {
        if env.fact(c).taken() {
            return true;
        }
        let occupied = self.occupied(env, cx);
        let has = self.f.has(&self.fixed, occupied, c);
        self.only_if(has, asked)
    }

    /// Only a piece that somebody owns becomes another, which can be owned.
    fn keeps_owner(&mut self, c: V, kind: &KindOf, env: &mut Env, asked: &mut Asked) -> bool {
        let neutral = |k: usize| self.program.kinds[k].neutral;
        if !(0..self.program.kinds.len()).any(neutral) {
            return true;
        }
        let nobody = self.is_neutral(kind);
        let somebody = self.f.not(nobody);
        if !self.only_if(somebody, asked) {
            return false;
        }
        if env.fact(c).owners & NEUTRAL == 0 {
            return true;
        }
        let mut owned = NONE;
        for slot in self.slots.owned.clone() {
            let set = self.set(slot, env);
            owned = self.f.or(&mut self.fixed, owned, set);
        }
        let has = self.f.has(&self.fixed, owned, c);
        self.only_if(has, asked)
    }

    /// An effect. False when it can never be done; what it needs is asked in `asked`.
    pub fn effect(&mut self, effect: &'p Effect, env: &mut Env, cx: Cx, asked: &mut Asked) -> bool {
        let done = self.carried_out(effect, env, cx, asked);
        if !matches!(effect, Effect::Capture(_) | Effect::Remove(_)) {
            env.sets.clear();
        }
        env.stands.clear();
        let puts = matches!(
            effect,
            Effect::Place { .. } | Effect::Enter { .. } | Effect::Move(..) | Effect::Advance(..)
        );
        if puts {
            // Runs that were captured may have pieces again.
            env.captured.clear();
        }
        done
    }

    /// As [`Lowerer::effect`], which also forgets what is not true any more.
    #[allow(clippy::too_many_lines, reason = "one arm an effect")]
    fn carried_out(
        &mut self,
        effect: &'p Effect,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        match effect {
            Effect::Place {
                kind,
                owner,
                at,
                times,
            } => {
                let kind = self.kind(kind, env);
                let owner = match owner {
                    None => NO,
                    Some(p) => match self.player(p, env, cx) {
                        PlayerV::Is(p) => V::K(u64::from(p) + 1),
                        PlayerV::Word(w) => {
                            let there = self.f.bin(Bin::Differ, w, NO);
                            if !self.only_if(there, asked) {
                                return false;
                            }
                            w
                        }
                    },
                };
                let owner = self.whose(&kind, owner);
                let times = self.num(times, env, cx);
                self.put_pieces(kind, owner, at, times, env, cx, asked)
            }
            Effect::Enter { kind, at, times } => {
                let times = self.num(times, env, cx);
                let kind = self.kind(kind, env);
                let Some(held) = self.held(cx.me, &kind, env) else {
                    return false;
                };
                let enough = self.f.bin(Bin::AtMost, times, held);
                let sound = self.f.bin(Bin::AtMost, NO, times);
                let can = self.f.both(enough, sound);
                if !self.only_if(can, asked) {
                    return false;
                }
                let mine = (&PlayerV::Is(cx.me), &kind);
                self.change_hands(mine, (Bin::Sub, times), env);
                if !matches!(at, Cells::Single(_)) {
                    let set = self.cells(at, env, cx);
                    let some = self.f.some(&self.fixed, set);
                    if !self.only_if(some, asked) {
                        return false;
                    }
                }
                let owner = self.whose(&kind, V::K(u64::from(cx.me) + 1));
                if let Cells::Single(c) = at
                    && let cell = self.cell(c, env, cx)
                    && self.sure(cell, asked).is_none()
                {
                    return false;
                }
                self.put_pieces(kind, owner, at, times, env, cx, asked)
            }
            Effect::Deal { kind, to, times } => self.deal((kind, to, times), env, cx, asked),
            Effect::Move(from, to) => self.move_pieces(from, to, env, cx, asked),
            Effect::Advance(run, by) => self.advance(*run, by, env, cx, asked),
            Effect::Capture(set) => {
                if let Cells::Run(v) = set
                    && let Some(slot) = self.slot_of(*v, 0)
                    && let Some(Some((Bind::Run(run), _))) = env.binds.get(slot.0 as usize)
                    && run.some
                {
                    env.captured.push(*v);
                }
                let (at, fact) = self.where_at(set, env, cx);
                self.clear_at(at, true, fact, env);
                true
            }
            Effect::Remove(set) => {
                let (at, fact) = self.where_at(set, env, cx);
                self.clear_at(at, false, fact, env);
                true
            }
            Effect::CaptureTop(of, under) => self.capture_top(of, under.as_ref(), env, cx, asked),
            Effect::Flip(set) => {
                let (at, _) = self.where_at(set, env, cx);
                env.forget_all();
                env.pending.push(Pending::Flip(at));
                true
            }
            Effect::Promote(at, kind) => {
                let cell = self.cell(at, env, cx);
                let Some(c) = self.sure(cell, asked) else {
                    return false;
                };
                if !self.must_hold(c, env, cx, asked) {
                    return false;
                }
                let kind = self.kind(kind, env);
                if !self.keeps_owner(c, &kind, env, asked) {
                    return false;
                }
                let was = env.fact(c);
                env.forget_cell(c, was);
                let kinds = kind.as_ref().map_or(u32::MAX, |k| 1 << k.0);
                env.know(
                    c,
                    Fact {
                        owners: was.owners,
                        kinds,
                    },
                );
                env.pending.push(Pending::Promote(c, kind));
                true
            }
            Effect::Lift(at) => {
                let cell = self.cell(at, env, cx);
                if !self.program.stacking {
                    return false;
                }
                let Some(c) = self.sure(cell, asked) else {
                    return false;
                };
                if !self.must_hold(c, env, cx, asked) {
                    return false;
                }
                let was = env.fact(c);
                env.forget_cell(c, was);
                env.pending.push(Pending::Lift(c));
                true
            }
            Effect::Drop(at) => {
                let cell = self.cell(at, env, cx);
                if !self.program.stacking {
                    return false;
                }
                let Some(c) = self.sure(cell, asked) else {
                    return false;
                };
                // Something must be up: that is known only when all before is done.
                self.flush(env, cx);
                let up = self.height_up();
                let some = self.f.bin(Bin::Differ, up, NO);
                if !self.only_if(some, asked) {
                    return false;
                }
                env.forget_all();
                env.pending.push(Pending::Drop(c));
                true
            }
            Effect::Mark(var, set) => {
                let set = self.cells(set, env, cx);
                self.change_set(*var, env, |l, old| l.f.or(&mut l.fixed, old, set));
                true
            }
            Effect::Unmark(var, set) => {
                // What the effects before have touched is known when they are done.
                if self.program.system.touched.is_some() {
                    self.flush(env, cx);
                }
                let set = self.cells(set, env, cx);
                self.change_set(*var, env, |l, old| l.f.without(&mut l.fixed, old, set));
                true
            }
            Effect::Again => {
                self.put(self.slots.again, Bind::Word(YES), env);
                true
            }
            Effect::ExchangeSeats => {
                let old = self.word(self.slots.seats, env);
                let new = self.f.not(old);
                self.put(self.slots.seats, Bind::Word(new), env);
                true
            }
            Effect::Pass => {
                if let Some(passed) = self.program.system.passed
                    && let Some(slot) = self.slot_of(passed, 0)
                {
                    self.put(slot, Bind::Word(YES), env);
                }
                true
            }
        }
    }

    pub fn change_set(&mut self, var: VarId, env: &mut Env, new: impl FnOnce(&mut Self, SV) -> SV) {
        // Marks travel with pieces, so effects that wait come first.
        let Some(slot) = self.slot_of(var, 0) else {
            return self.refuse("a set is kept for each cell");
        };
        let old = self.set(slot, env);
        let set = new(self, old);
        self.put(slot, Bind::Set(set), env);
    }

    /// The cells of an operand, and what is true of them.
    pub fn where_at(&mut self, set: &'p Cells, env: &mut Env, cx: Cx) -> (At, Fact) {
        match set {
            Cells::Single(c) => match self.cell(c, env, cx) {
                CellV::Known(c) => (At::Cell(c), env.fact(c)),
                other => (At::Set(self.single(other)), Fact::ANY),
            },
            Cells::Run(v) => match self.run_of(*v, env) {
                Ok(run) => (At::Run(Rc::clone(&run)), run.fact),
                Err(_) => (At::Set(self.cells(set, env, cx)), Fact::ANY),
            },
            _ => {
                let known = |of: &VarId| env.sets.iter().find(|(v, _)| v == of);
                let fact = match set {
                    Cells::Var(v) if known(v).is_some() => known(v).map_or(Fact::ANY, |k| k.1),
                    set if env.pending.is_empty() => self.fact_here(set, env, cx),
                    _ => Fact::ANY,
                };
                (At::Set(self.cells(set, env, cx)), fact)
            }
        }
    }

    pub fn clear_at(&mut self, at: At, counted: bool, fact: Fact, env: &mut Env) {
        if at == At::Set(NONE) {
            return;
        }
        match at {
            At::Cell(c) => {
                env.forget_cell(c, fact);
                env.know(
                    c,
                    Fact {
                        owners: VACANT,
                        kinds: u32::MAX,
                    },
                );
            }
            At::Set(_) | At::Run(_) => env.forget_like(fact),
        }
        env.pending.push(Pending::Clear(at, counted, fact));
    }

    #[allow(clippy::too_many_arguments, reason = "two places ask")]
    pub fn put_pieces(
        &mut self,
        kind: KindOf,
        owner: V,
        at: &'p Cells,
        times: V,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        let (at, fact) = self.where_at(at, env, cx);
        if let V::K(n) = times
            && n.cast_signed() > MOST_AT_ONCE
        {
            return self.only_if(NO, asked);
        }
        if !self.program.stacking {
            // One piece on an empty cell; none is no change.
            if times != YES {
                self.refuse("several pieces on a cell that holds one");
                return false;
            }
            if !fact.vacant() {
                let empty = self.empty(env, cx);
                let free = match &at {
                    At::Cell(c) => self.f.has(&self.fixed, empty, *c),
                    At::Set(s) => self.f.within(*s, empty),
                    At::Run(run) => {
                        let set = self.run_cells(run);
                        self.f.within(set, empty)
                    }
                };
                if !self.only_if(free, asked) {
                    return false;
                }
            }
        }
        let was = if self.program.stacking {
            fact
        } else {
            Fact {
                owners: VACANT,
                kinds: u32::MAX,
            }
        };
        let now = Fact {
            owners: match owner {
                V::K(0) => NEUTRAL,
                V::K(p) => 1 << (p - 1),
                V::R(_) if kind.is_err() => !VACANT,
                V::R(_) => !(VACANT | NEUTRAL),
            },
            kinds: kind.as_ref().map_or(u32::MAX, |k| 1 << k.0),
        };
        // None may be put down.
        let some = matches!(times, V::K(n) if n.cast_signed() > 0);
        let now = if some { now } else { was.or(now) };
        match &at {
            At::Cell(c) => {
                env.forget_cell(*c, was);
                env.know(*c, now);
            }
            At::Set(_) | At::Run(_) => env.forget_like(was),
        }
        env.pending.push(Pending::Put(at, kind, owner, times, was));
        true
    }

    pub fn move_pieces(
        &mut self,
        from: &'p CellExpr,
        to: &'p CellExpr,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        let (from, to) = (self.cell(from, env, cx), self.cell(to, env, cx));
        let (Some(from), Some(to)) = (self.sure(from, asked), self.sure(to, asked)) else {
            return false;
        };
        if !self.must_hold(from, env, cx, asked) {
            return false;
        }
        let (a, b) = (env.fact(from), env.fact(to));
        if from == to {
            return true;
        }
        if !a.excludes(b) && !self.apart(from, to, env) {
            self.flush(env, cx);
            let same = self.f.bin(Bin::Equal, from, to);
            if same != NO {
                self.move_unless_there(from, to, (a, b), env, cx);
                return true;
            }
        }
        env.forget_cell(from, a);
        env.forget_cell(to, b);
        env.know(
            from,
            Fact {
                owners: VACANT,
                kinds: u32::MAX,
            },
        );
        env.know(to, a);
        env.pending.push(Pending::Carry(from, to, a, b));
        true
    }

    /// A piece is moved to a cell that may be its own, where it then stays.
    pub fn move_unless_there(&mut self, from: V, to: V, was: (Fact, Fact), env: &mut Env, cx: Cx) {
        if self.program.looks_back {
            self.pay(env);
        }
        env.forget_all();
        let differ = self.f.bin(Bin::Differ, from, to);
        let w = self.f.reg(differ);
        let (mut moved, stays) = (env.clone(), env.clone());
        self.f.open();
        moved.pending.push(Pending::Carry(from, to, was.0, was.1));
        self.flush(&mut moved, cx);
        if self.program.looks_back {
            self.pay(&mut moved);
        }
        let body = self.f.close();
        self.merge(w, (body, moved), (Vec::new(), stays), env);
    }

    /// Whether two cells are certainly not the same for another reason than what stands there.
    pub fn apart(&self, from: V, to: V, env: &Env) -> bool {
        matches!((from, to), (V::K(a), V::K(b)) if a != b)
            || env
                .apart
                .iter()
                .any(|(a, b)| (*a, *b) == (from, to) || (*b, *a) == (from, to))
    }

    pub fn capture_top(
        &mut self,
        of: &'p CellExpr,
        under: Option<&'p CellExpr>,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        let of = self.cell(of, env, cx);
        let Some(of) = self.sure(of, asked) else {
            return false;
        };
        let mut below = None;
        if let Some(c) = under {
            let cell = self.cell(c, env, cx);
            let Some(c) = self.sure(cell, asked) else {
                return false;
            };
            let fact = env.fact(c);
            let apart = c != of && (env.fact(of).excludes(fact) || self.apart(of, c, env));
            below = Some((c, fact.taken() && apart));
            if !fact.taken() {
                env.forget_cell(c, fact);
            }
        }
        if !self.must_hold(of, env, cx, asked) {
            return false;
        }
        let was = self.cell_fact(CellV::Known(of), env);
        env.forget_cell(of, was);
        if !self.program.stacking && below.is_some() {
            // Only an empty cell could take it.
            self.refuse("a piece is captured under another on a board without stacks");
            return false;
        }
        env.pending.push(Pending::Top(of, below));
        true
    }
}
