//! Choices: a loop over the members, or the set itself where nothing behind the choice needs to be looked at member by member.

use crate::compile::kernel::env::{Bind, Env, Fact, Slot, follows_effects};
use crate::compile::kernel::fun::{ALL, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::trails::holds;
use crate::compile::kernel::unique::{Choice, Told};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Stmt, W};
use crate::program::{
    CellExpr, Cells, Domain, Effect, KindExpr, Num, Op, Part, Pc, TemplateId, Value, VarId,
};

/// What was found out about what follows a choice of a cell.
pub struct Tail {
    /// The members that pass what could be asked of all at once.
    filter: SV,
    /// The requirements that were asked so.
    proven: Vec<u32>,
    /// Whether nothing is left to ask.
    pub complete: bool,
    /// The notations written on the way.
    closed: Vec<TemplateId>,
}

impl<'p> Lowerer<'p> {
    /// Whether ways to actions are noted.
    pub fn notes_path(cx: Cx) -> bool {
        matches!(cx.mode, Mode::List | Mode::Candidates)
    }

    /// Notes a word of the way to an action.
    pub fn note_path(&mut self, v: V, env: &mut Env, cx: Cx) {
        if !Self::notes_path(cx) {
            return;
        }
        let at = self.word(self.slots.path, env);
        self.f.store(self.room.path, at, v);
        let more = self.f.bin(Bin::Add, at, YES);
        self.put(self.slots.path, Bind::Word(more), env);
    }

    /// The next word of the way that is gone.
    pub fn read_path(&mut self, env: &mut Env) -> V {
        let at = self.word(self.slots.path, env);
        let v = self.f.load(self.room.path, at);
        let more = self.f.bin(Bin::Add, at, YES);
        self.put(self.slots.path, Bind::Word(more), env);
        v
    }

    /// One way after the other, each with its changes taken back.
    pub fn scope(&mut self, write: impl FnOnce(&mut Self)) {
        if self.logs() {
            self.aside(write);
        } else {
            write(self);
        }
    }

    /// Every member of a domain.
    pub fn choose(&mut self, var: VarId, domain: &'p Domain, pc: Pc, mut env: Env, cx: Cx) {
        let Some(slot) = self.slot_of(var, 0) else {
            return self.refuse("a choice is kept for each cell");
        };
        let next = Pc(pc.0 + 1);
        match domain {
            Domain::Cells(set) => {
                let fact = self.known_of(set, &env, cx);
                let set = self.cells(set, &mut env, cx);
                if let Some(c) = self.f.only_cell(set) {
                    env.know(c, fact);
                    self.put(slot, Bind::Cell(c), &mut env);
                    if Self::notes_path(cx) {
                        let word = self.f.bin(Bin::Add, c, YES);
                        self.note_path(word, &mut env, cx);
                    }
                    return self.go(next, false, env, cx);
                }
                let from = match domain {
                    Domain::Cells(set) => self.drawn_from(set, &mut env),
                    _ => Vec::new(),
                };
                let c = self.f.word();
                let choice = Choice::Word(vec![V::R(c)], from);
                self.choose_cell((var, None, slot), c, (set, fact), choice, next, env, cx);
            }
            Domain::Parts(set) => {
                let set = self.cells(set, &mut env, cx);
                let s = self.f.sreg(set);
                self.each_part(SV::R(s), None, |l, part, _| {
                    l.scope(|l| {
                        let mut inner = env.clone();
                        l.put(slot, Bind::Set(part), &mut inner);
                        l.remember(Choice::Part(part), &mut inner, cx);
                        if Self::notes_path(cx) {
                            let first = l.end_of(part, true);
                            let word = match first {
                                CellV::Known(c) => l.f.bin(Bin::Add, c, YES),
                                CellV::Maybe(w) => w,
                            };
                            l.note_path(word, &mut inner, cx);
                        }
                        l.go(next, false, inner, cx);
                    });
                });
            }
            Domain::Numbers(low, high) => {
                let low = self.num(low, &mut env, cx);
                let high = self.num(high, &mut env, cx);
                let n = self.f.word();
                self.f.open();
                self.scope(|l| l.with_word(slot, V::R(n), next, &env, cx, false));
                let body = self.f.close();
                let (low, high) = (self.f.reg(low), self.f.reg(high));
                self.f.push(Stmt::ForNumbers(n, low, high, body));
            }
            Domain::Kinds(kinds) => {
                // A fixed kind is not seen to be told: the notation behind the choice must have a hole for it.
                let kinds_told = self.tells_kind(var, next);
                for k in kinds {
                    let word = V::K(u64::from(k.0) + 1);
                    self.scope(|l| l.with_word(slot, word, next, &env, cx, kinds_told));
                }
            }
            Domain::Dirs(dirs) => {
                let dirs = self.dirs(dirs, &mut env, cx);
                let d = self.f.word();
                self.f.open();
                self.scope(|l| {
                    let word = l.f.bin(Bin::Add, V::R(d), YES);
                    l.with_word(slot, word, next, &env, cx, false);
                });
                let body = self.f.close();
                let w = self.f.reg(dirs);
                self.f.push(Stmt::ForBits(d, w, body));
            }
        }
    }

    /// Every cell of a set, in a word; `choice` is what a text has to tell of it. What is told with the cell and not yet known must
    /// not be asked for one cell after the other.
    #[allow(clippy::too_many_arguments, reason = "a choice and where it is")]
    pub fn choose_cell(
        &mut self,
        (var, unknown, slot): (VarId, Option<VarId>, Slot),
        c: W,
        (set, fact): (SV, Fact),
        choice: Choice,
        next: Pc,
        mut env: Env,
        cx: Cx,
    ) {
        let tail = self.tail((var, unknown), set, fact, next, &mut env, cx);
        let cell = V::R(c);
        if tail.complete {
            // The chosen cell, as the notations behind it tell.
            self.put(slot, Bind::Cell(cell), &mut env);
            self.remember(choice, &mut env, cx);
            for id in &tail.closed {
                self.tell_apart(*id, &mut env, cx);
            }
            if !self.overlap_doubts(cell, tail.filter, next, &mut env, cx) {
                self.close_choices(&mut env, cx);
            }
            return self.whole(tail.filter, &mut env, cx);
        }
        env.proven.extend(tail.proven);
        self.f.open();
        self.scope(|l| {
            let mut inner = env.clone();
            inner.know(cell, fact);
            l.put(slot, Bind::Cell(cell), &mut inner);
            l.remember(choice, &mut inner, cx);
            if Self::notes_path(cx) {
                let word = l.f.bin(Bin::Add, cell, YES);
                l.note_path(word, &mut inner, cx);
            }
            l.go(next, false, inner, cx);
        });
        let body = self.f.close();
        let s = self.f.sreg(tail.filter);
        self.f.push(Stmt::ForCells(c, s, body));
    }

    /// Whether the next notation that is written has a hole for a kind.
    pub fn tells_kind(&self, var: VarId, mut at: Pc) -> bool {
        for _ in 0..8 {
            match self.op(at) {
                Op::Close(id) => {
                    let hole = Part::Hole(Value::Kind(KindExpr::Var(var)));
                    return self.program.templates[id.0 as usize].parts.contains(&hole);
                }
                Op::Jump(to) => at = *to,
                Op::Let(..) | Op::Effect(_) | Op::Require(..) | Op::Open(_) => at = Pc(at.0 + 1),
                _ => return false,
            }
        }
        false
    }

    pub fn with_word(&mut self, slot: Slot, word: V, next: Pc, env: &Env, cx: Cx, counted: bool) {
        let mut inner = env.clone();
        self.put(slot, Bind::Word(word), &mut inner);
        match word {
            _ if counted => {}
            V::R(_) => self.remember(Choice::Word(vec![word], Vec::new()), &mut inner, cx),
            V::K(k) => {
                // What was told of an earlier one is not told of this.
                inner
                    .told
                    .retain(|t| !matches!(t, Told::Fixed(of, _) if *of == slot));
                self.remember(Choice::Fixed(slot, k), &mut inner, cx);
            }
        }
        self.note_path(word, &mut inner, cx);
        self.go(next, false, inner, cx);
    }

    /// What is true of the members of a set, when nothing waits that could change it.
    pub fn known_of(&self, set: &Cells, env: &Env, cx: Cx) -> Fact {
        let reads = self.asker(cx).cells(set);
        if self.waits(env, reads.owned, reads.others || reads.deep) {
            Fact::ANY
        } else {
            self.fact_of(set, cx)
        }
    }

    /// The member that the way says.
    pub fn chosen(&mut self, var: VarId, domain: &'p Domain, env: &mut Env, cx: Cx) {
        let Some(slot) = self.slot_of(var, 0) else {
            return self.refuse("a choice is kept for each cell");
        };
        let bind = match domain {
            Domain::Cells(set) => {
                let fact = self.known_of(set, env, cx);
                let w = self.read_path(env);
                let c = self.f.bin(Bin::Sub, w, YES);
                env.know(c, fact);
                Bind::Cell(c)
            }
            Domain::Parts(set) => {
                let set = self.cells(set, env, cx);
                let w = self.read_path(env);
                let c = self.f.bin(Bin::Sub, w, YES);
                Bind::Set(self.f.part(set, c))
            }
            Domain::Numbers(..) | Domain::Kinds(_) | Domain::Dirs(_) => {
                Bind::Word(self.read_path(env))
            }
        };
        self.put(slot, bind, env);
    }

    /// Each of several ways.
    pub fn branch(&mut self, ways: &[Pc], mut env: Env, cx: Cx) {
        if matches!(cx.mode, Mode::Apply { .. }) {
            let at = self.read_path(&mut env);
            let mut bodies = Vec::new();
            for way in ways {
                self.f.open();
                self.go(*way, false, env.clone(), cx);
                bodies.push(self.f.close());
            }
            let w = self.f.reg(at);
            return self.f.push(Stmt::Switch(w, bodies));
        }
        let alike = if Self::tells_apart(cx) {
            self.alike(ways, cx)
        } else {
            vec![false; ways.len()]
        };
        for (i, way) in ways.iter().enumerate() {
            self.scope(|l| {
                let mut inner = env.clone();
                if alike[i] {
                    inner.doubt |= 1 << ((way.0 + 7 * i as u32) % 63);
                }
                l.note_path(V::K(i as u64), &mut inner, cx);
                l.go(*way, false, inner, cx);
            });
        }
    }

    /// All members of a set end something.
    pub fn whole(&mut self, set: SV, env: &mut Env, cx: Cx) {
        if set == NONE {
            return;
        }
        self.leave_hook(env);
        if matches!(cx.mode, Mode::List | Mode::Count | Mode::Candidates) {
            self.note_doubt(env);
        }
        match cx.mode {
            Mode::List | Mode::Candidates => {
                let at = self.word(self.slots.path, env);
                let (w, s) = (self.f.reg(at), self.f.sreg(set));
                self.f.push(Stmt::Leaves(w, s));
            }
            Mode::Count => {
                let n = self.f.count(&self.fixed, set);
                let w = self.f.reg(n);
                self.f.push(Stmt::Tally(w));
            }
            _ => {
                let some = self.f.some(&self.fixed, set);
                self.f.open();
                self.found(cx);
                let body = self.f.close();
                self.f.when(some, body);
            }
        }
    }

    /// Looks along what follows a choice of a cell, as far as it can be asked of all cells at once; a second variable may be told
    /// by the cell.
    #[allow(clippy::too_many_lines, reason = "one arm a form")]
    pub fn tail(
        &mut self,
        (var, unknown): (VarId, Option<VarId>),
        set: SV,
        fact: Fact,
        next: Pc,
        env: &mut Env,
        cx: Cx,
    ) -> Tail {
        let mut t = Tail {
            filter: set,
            proven: Vec::new(),
            complete: false,
            closed: Vec::new(),
        };
        if matches!(cx.mode, Mode::Best(..) | Mode::Gather(..)) {
            t.filter = self.first_step(var, set, next, env, cx).unwrap_or(set);
            return t;
        }
        // What effects on the way may have changed: players' sets, everything.
        let (mut owned, mut others, mut acted) = (0u32, false, cx.acted);
        let mut means: Vec<(VarId, Option<&'p Value>)> =
            unknown.map(|v| (v, None)).into_iter().collect();
        let (mut moved, mut landed) = (false, false);
        let mut at = next;
        for _ in 0..60 {
            let after = Pc(at.0 + 1);
            if acted && self.is_known_to_complete(at, Cx { acted, ..cx }) {
                t.complete = true;
                return t;
            }
            let later = cx.mode == Mode::Candidates && acted;
            if later && self.joins[at.0 as usize] && !self.is_short(at) && self.is_chosen(at) {
                // What is left is asked of the one that is drawn.
                self.deferred = true;
                t.complete = true;
                return t;
            }
            match self.op(at) {
                Op::Open(_) => at = after,
                Op::Close(id) => {
                    t.closed.push(*id);
                    at = after;
                }
                Op::Jump(to) => at = *to,
                Op::Let(v, value) => {
                    means.push((*v, Some(value)));
                    at = after;
                }
                Op::Clear(v) => {
                    means.push((*v, None));
                    at = after;
                }
                Op::Require(test, _) => {
                    let heavy = cx.mode == Mode::Candidates && self.is_heavy(test, cx);
                    if !env.proven.contains(&at.0) {
                        match self.test_set(test, var, &means, owned, others, env, cx) {
                            Some(good) => {
                                t.filter = self.f.and(&mut self.fixed, t.filter, good);
                                t.proven.push(at.0);
                            }
                            None if heavy => self.deferred = true,
                            None => return t,
                        }
                    }
                    at = after;
                }
                Op::Line(_) if owned == 0 && !others => {
                    t.filter = self
                        .first_step(var, t.filter, next, env, cx)
                        .unwrap_or(t.filter);
                    return t;
                }
                Op::JumpUnless(test, to) if holds(test, &means).is_some() => {
                    at = if holds(test, &means) == Some(true) {
                        after
                    } else {
                        *to
                    };
                }
                Op::JumpUnless(test, to) => {
                    // A requirement that is asked only under a condition.
                    if let Op::Require(inner, _) = self.op(after)
                        && self.leads_to(Pc(after.0 + 1), *to)
                    {
                        let when = self.test_set(test, var, &means, owned, others, env, cx);
                        let good = self.test_set(inner, var, &means, owned, others, env, cx);
                        let (Some(when), Some(good)) = (when, good) else {
                            return t;
                        };
                        let free = self.f.without(&mut self.fixed, ALL, when);
                        let good = self.f.or(&mut self.fixed, free, good);
                        t.filter = self.f.and(&mut self.fixed, t.filter, good);
                        t.proven.push(after.0);
                        at = *to;
                        continue;
                    }
                    if landed && self.only_promotes(after, *to, var) {
                        (owned, others) = (u32::MAX, true);
                        at = *to;
                        continue;
                    }
                    let Some(meet) = self.diamond(after, *to) else {
                        return t;
                    };
                    for arm in [after, *to] {
                        self.poison(arm, meet, &mut means);
                    }
                    at = meet;
                }
                Op::Effect(Effect::Drop(_)) if cx.mode == Mode::Candidates => {
                    self.deferred = true;
                    (owned, others) = (u32::MAX, true);
                    at = after;
                }
                Op::Effect(effect) => {
                    let Some(changed) = self.harmless(effect, var, fact, moved, env, cx) else {
                        return t;
                    };
                    if let Effect::Enter { kind, times, .. } = effect {
                        let Some(can) = self.can_enter(kind, times, env, cx) else {
                            return t;
                        };
                        let can = self.f.select_set(can, ALL, NONE);
                        t.filter = self.f.and(&mut self.fixed, t.filter, can);
                    }
                    self.poison_effect(effect, &mut means);
                    moved |= matches!(
                        effect,
                        Effect::Move(..) | Effect::Place { .. } | Effect::Enter { .. }
                    );
                    let here = |c: &CellExpr| *c == CellExpr::Var(var);
                    landed |= match effect {
                        Effect::Move(_, to) => here(to),
                        Effect::Place { at, .. } | Effect::Enter { at, .. } => {
                            matches!(at, Cells::Single(c) if here(c))
                        }
                        _ => false,
                    };
                    owned |= changed;
                    others |= changed != 0;
                    at = after;
                }
                Op::ActionDone => {
                    means.extend(self.program.system.actions.map(|v| (v, None)));
                    acted = true;
                    at = after;
                }
                Op::Point(_) => {
                    if acted && cx.mode == Mode::Candidates {
                        // Whether the turn can be completed is asked of the one that is drawn.
                        self.deferred = true;
                        t.complete = true;
                    }
                    if acted && cx.mode != Mode::Probe && cx.mode != Mode::Exists {
                        return t;
                    }
                    at = after;
                }
                Op::EndTurn => {
                    t.complete = acted && cx.mode != Mode::Exists && !self.lifts();
                    return t;
                }
                Op::Succeed => {
                    t.complete = cx.mode == Mode::Exists;
                    return t;
                }
                _ => return t,
            }
        }
        t
    }

    /// Whether pieces are ever up.
    pub fn lifts(&self) -> bool {
        let lifts = |op: &Op| matches!(op, Op::Effect(Effect::Lift(_)));
        self.program.code.iter().any(lifts)
    }

    pub fn leads_to(&self, mut at: Pc, to: Pc) -> bool {
        for _ in 0..3 {
            if at == to {
                return true;
            }
            match self.op(at) {
                Op::Jump(next) => at = *next,
                _ => return false,
            }
        }
        false
    }

    /// Whether between two instructions nothing happens but that the piece on a cell becomes another; one is there.
    fn only_promotes(&self, mut at: Pc, to: Pc, var: VarId) -> bool {
        while at != to {
            match self.op(at) {
                Op::Effect(Effect::Promote(CellExpr::Var(v), _)) if *v == var => at = Pc(at.0 + 1),
                Op::Jump(next) if next.0 > at.0 => at = *next,
                _ => return false,
            }
        }
        true
    }

    /// Values that an effect changes are no longer known.
    pub fn poison_effect(&self, effect: &Effect, means: &mut Vec<(VarId, Option<&'p Value>)>) {
        let vars = (0..self.program.vars.len()).map(|v| VarId(v as u16));
        let own = match effect {
            Effect::Mark(v, _) | Effect::Unmark(v, _) => Some(*v),
            Effect::Pass => self.program.system.passed,
            _ => None,
        };
        let changed = vars.filter(|v| follows_effects(self.program, *v));
        means.extend(changed.chain(own).map(|v| (v, None)));
    }

    /// Values that are given in one of two arms are no longer known.
    pub fn poison(&self, from: Pc, to: Pc, means: &mut Vec<(VarId, Option<&'p Value>)>) {
        let mut at = from;
        while at != to {
            match self.op(at) {
                Op::Jump(next) => at = *next,
                Op::Let(v, _) | Op::Clear(v) => {
                    means.push((*v, None));
                    at = Pc(at.0 + 1);
                }
                Op::Effect(effect) => {
                    self.poison_effect(effect, means);
                    at = Pc(at.0 + 1);
                }
                _ => at = Pc(at.0 + 1),
            }
        }
    }

    /// The players whose sets an effect changes, when it cannot fail; everything when it is hard to say.
    pub fn harmless(
        &mut self,
        effect: &'p Effect,
        var: VarId,
        fact: Fact,
        moved: bool,
        env: &mut Env,
        cx: Cx,
    ) -> Option<u32> {
        let is_var = |c: &CellExpr| *c == CellExpr::Var(var);
        match effect {
            Effect::Place {
                at, owner, times, ..
            } => {
                let here = matches!(at, Cells::Single(c) if is_var(c));
                let free = self.program.stacking || (here && fact.vacant() && !moved);
                let p = owner
                    .as_ref()
                    .map_or(Some(30), |p| self.asker(cx).player(p));
                (free && *times == Num::Const(1)).then(|| p.map_or(u32::MAX, |p| 1 << p))
            }
            Effect::Enter { at, .. } => {
                let here = matches!(at, Cells::Single(c) if is_var(c));
                let free = self.program.stacking || (here && fact.vacant() && !moved);
                (free && here).then_some(1 << cx.me)
            }
            Effect::Move(from, to) => {
                let mut known = |c: &'p CellExpr| {
                    if is_var(c) {
                        return Some(fact);
                    }
                    let CellExpr::Var(_) = c else { return None };
                    match self.cell(c, env, cx) {
                        CellV::Known(v) => Some(env.fact(v)),
                        CellV::Maybe(_) => None,
                    }
                };
                let (a, b) = (known(from)?, known(to)?);
                (!moved && a.taken() && a.excludes(b)).then_some((a.owners | b.owners) | 1 << 30)
            }
            Effect::Capture(_)
            | Effect::Remove(_)
            | Effect::Flip(_)
            | Effect::Again
            | Effect::Pass
            | Effect::ExchangeSeats => Some(u32::MAX),
            Effect::Mark(..) | Effect::Unmark(..) => Some(u32::MAX),
            Effect::Deal { .. }
            | Effect::Advance(..)
            | Effect::CaptureTop(..)
            | Effect::Promote(..)
            | Effect::Lift(_)
            | Effect::Drop(_) => None,
        }
    }

    /// Whether the hand has enough.
    pub fn can_enter(
        &mut self,
        kind: &crate::program::KindExpr,
        times: &'p Num,
        env: &mut Env,
        cx: Cx,
    ) -> Option<V> {
        let Num::Const(times) = times else {
            return None;
        };
        let k = self.kind(kind, env).ok()?;
        let slot = self.hand_slot(usize::from(cx.me), usize::from(k.0))?;
        let held = self.word(slot, env);
        Some(self.f.bin(Bin::AtMost, V::K(times.cast_unsigned()), held))
    }
}
