//! What comes behind a choice of a cell, as far as it can be asked of all cells at once: the cells that pass, and whether an action is
//! complete with them.

use crate::compile::kernel::env::{Env, follows_effects};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{ALL, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::trails::holds;
use crate::compile::kernel::values::CellV;
use crate::compile::kernel::within::writes;
use crate::program::kernel::Bin;
use crate::program::{CellExpr, Cells, Effect, KindExpr, Num, Op, Pc, TemplateId, Value, VarId};

/// No more pieces than that are put down at once.
pub const MOST_AT_ONCE: i64 = 0xFFFF;

/// What was found out about what follows a choice of a cell.
pub struct Tail {
    /// The members that pass what could be asked of all at once.
    pub filter: SV,
    /// The requirements that were asked so.
    pub proven: Vec<u32>,
    /// Whether nothing is left to ask.
    pub complete: bool,
    /// Under what condition; without it one member is asked after the other.
    pub when: V,
    /// The notations written on the way, and what was given other values before each.
    pub closed: Vec<(TemplateId, Vec<VarId>)>,
}

/// What was met on the way.
pub struct Walked<'w, 'p> {
    /// Whose sets effects have changed, a bit for each player.
    pub owned: u32,
    /// What variables were given; nothing where that is not known any more.
    pub means: &'w [(VarId, Option<&'p Value>)],
}

/// What effects have done before another.
#[derive(Clone, Copy)]
pub struct Before<'w, 'p> {
    /// Whether something was moved or put down.
    moved: bool,
    /// What is true of all that was taken off.
    gone: &'w [Fact],
    /// What variables were given.
    means: &'w [(VarId, Option<&'p Value>)],
}

impl Tail {
    /// Whether nothing is left to ask in any case.
    pub fn is_complete(&self) -> bool {
        self.complete && self.when == YES
    }
}

impl<'p> Lowerer<'p> {
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
            when: YES,
            closed: Vec::new(),
        };
        if matches!(cx.mode, Mode::Best(..) | Mode::Gather(..)) {
            t.filter = self.first_step(var, set, next, env, cx).unwrap_or(set);
            return t;
        }
        let (hooks, mut behind) = (self.open_hooks(env), false);
        // What effects on the way may have changed: players' sets, everything.
        let (mut owned, mut others, mut acted) = (0u32, false, cx.acted);
        let mut means: Vec<(VarId, Option<&'p Value>)> =
            unknown.map(|v| (v, None)).into_iter().collect();
        let (mut moved, mut landed, mut entered) = (false, false, false);
        // What is true of all that was taken off.
        let mut gone: Vec<Fact> = Vec::new();
        // Whether an own piece was put on the chosen cell and nothing else done.
        let (mut put, mut effects) = (false, 0);
        let mut at = next;
        for _ in 0..60 {
            let after = Pc(at.0 + 1);
            // What is asked behind such a place does not tell whether it is come to.
            behind |= hooks.contains(&at);
            let narrows = matches!(
                self.op(at),
                Op::Require(..) | Op::Line(_) | Op::Effect(Effect::Enter { .. })
            );
            if behind && narrows {
                return t;
            }
            if acted && self.is_known_to_complete(at, None, Cx { acted, ..cx }) {
                t.complete = true;
                return t;
            }
            let later = cx.mode == Mode::Candidates && acted;
            if later && self.joins[at.0 as usize] && !self.is_short(at) && self.is_chosen(at) {
                // What is left is asked of the one that is drawn.
                self.leave_rest_unasked(at);
                t.complete = true;
                return t;
            }
            if matches!(self.op(at), Op::JumpUnless(..) | Op::Each { .. })
                && let Some(passed) = self.passed_over(at, Cx { acted, ..cx })
            {
                behind |= passed.over.iter().any(|at| hooks.contains(at));
                let vars = (0..self.program.vars.len()).map(|v| VarId(v as u16));
                let given = |v: &VarId| {
                    let by = |at: &Pc| writes(self.program, self.op(*at), *v);
                    follows_effects(self.program, *v) || passed.over.iter().any(by)
                };
                means.extend(vars.filter(given).map(|v| (v, None)));
                (owned, others, moved, landed) = (u32::MAX, true, true, false);
                (put, effects) = (false, effects + 1);
                at = passed.to;
                continue;
            }
            let mut under = None;
            match self.op(at) {
                Op::Open(_) => at = after,
                Op::Close(id) => {
                    t.closed
                        .push((*id, means.iter().map(|(v, _)| *v).collect()));
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
                        let good = self.test_set(test, var, &means, owned, others, env, cx);
                        let known = good.map(|good| (good, YES)).or_else(|| {
                            let means = &means;
                            let walked = Walked { owned, means };
                            put.then(|| self.put_there(test, var, &walked, env, cx))?
                        });
                        match known {
                            Some((good, sure)) if sure == YES || heavy || cx.mode.is_exact() => {
                                let good = self.f.select_set(sure, good, ALL);
                                t.filter = self.f.and(&mut self.fixed, t.filter, good);
                                if sure == YES {
                                    t.proven.push(at.0);
                                } else if heavy {
                                    self.leave_unasked(at);
                                } else {
                                    t.when = self.f.both(t.when, sure);
                                }
                            }
                            None if heavy => self.leave_unasked(at),
                            _ => return t,
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
                        if behind {
                            return t;
                        }
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
                    if let Some(meet) = self.diamond(after, *to) {
                        for arm in [after, *to] {
                            self.poison(arm, meet, &mut means);
                        }
                        at = meet;
                        continue;
                    }
                    under = self.done_under(at);
                    if under.is_none() {
                        return t;
                    }
                }
                Op::Each { .. } => {
                    under = self.done_under(at);
                    if under.is_none() {
                        return t;
                    }
                }
                Op::Effect(Effect::Drop(_)) if cx.mode == Mode::Candidates => {
                    self.leave_rest_unasked(at);
                    (owned, others) = (u32::MAX, true);
                    (put, effects) = (false, effects + 1);
                    at = after;
                }
                Op::Effect(effect) => {
                    let before = Before {
                        moved,
                        gone: &gone,
                        means: &means,
                    };
                    let Some(changed) = self.harmless(effect, (var, fact), before, env, cx) else {
                        return t;
                    };
                    if let Effect::Capture(set) | Effect::Remove(set) | Effect::Flip(set) = effect {
                        let facts = self.facts_given((var, fact), &means, cx);
                        let these = self.known_off(set, &facts, env, cx);
                        landed &= matches!(effect, Effect::Flip(_));
                        gone.push(these);
                    }
                    if let Effect::Enter { kind, times, .. } = effect {
                        if std::mem::replace(&mut entered, true) {
                            return t;
                        }
                        let told = !matches!(kind, KindExpr::Var(v) if is_given(*v, &means));
                        let times = number(times, &means).filter(|_| told);
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
                    effects += 1;
                    put = effects == 1
                        && landed
                        && fact.vacant()
                        && self.puts_own(effect, &means, cx);
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
                        self.leave_unasked(at);
                        t.complete = true;
                    }
                    if acted && cx.mode != Mode::Probe && cx.mode != Mode::Exists {
                        return t;
                    }
                    acted &= cx.mode != Mode::Probe;
                    at = after;
                }
                Op::EndTurn => {
                    t.complete = acted && cx.mode != Mode::Exists && !self.program.lifts();
                    return t;
                }
                Op::Succeed => {
                    t.complete = cx.mode == Mode::Exists;
                    return t;
                }
                _ => return t,
            }
            if let Some(under) = under {
                behind |= under.over.iter().any(|at| hooks.contains(at));
                let Some(done) = self.done(&under, ((var, fact), landed), &mut means, env, cx)
                else {
                    return t;
                };
                gone.extend(done.gone);
                landed &= done.stays;
                entered |= done.dealt;
                if done.changed {
                    (owned, others) = (u32::MAX, true);
                }
                (put, effects) = (false, effects + 1);
                at = under.to;
            }
        }
        t
    }

    /// Whether an effect puts down one piece of the player's own.
    fn puts_own(&self, effect: &Effect, means: &[(VarId, Option<&'p Value>)], cx: Cx) -> bool {
        let once = |times: &Num| number(times, means) == Some(1);
        match effect {
            Effect::Enter { kind, times, .. } => once(times) && self.is_owned(kind),
            Effect::Place {
                kind, owner, times, ..
            } if self.is_owned(kind) => {
                let owner = owner.as_ref().and_then(|p| self.asker(cx).player(p));
                owner == Some(cx.me) && once(times)
            }
            _ => false,
        }
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
        if self.program.kinds.iter().any(|k| k.neutral) {
            return false;
        }
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
        (var, fact): (VarId, Fact),
        before: Before<'_, 'p>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<u32> {
        let (moved, gone) = (before.moved, before.gone);
        let is_var = |c: &CellExpr| *c == CellExpr::Var(var);
        // A piece on a stack covers somebody else's.
        let put = |at: &Cells, p: u8| {
            let here = matches!(at, Cells::Single(c) if is_var(c)) && fact.vacant() && !moved;
            match (here, self.program.stacking) {
                (true, _) => Some(1 << p),
                (false, stacking) => stacking.then_some(u32::MAX),
            }
        };
        match effect {
            // What is put down may be nobody's.
            Effect::Place {
                kind: kind @ KindExpr::Var(_),
                ..
            }
            | Effect::Enter {
                kind: kind @ KindExpr::Var(_),
                ..
            } if !self.is_owned(kind) => None,
            Effect::Place {
                at, owner, times, ..
            } => {
                // Nobody may own the cell that is asked for its owner.
                let owner = owner.as_ref();
                let p = owner.map_or(Some(30), |p| self.asker(cx).player(p))?;
                put(at, p).filter(|_| *times == Num::Const(1))
            }
            Effect::Enter { at, .. } => {
                let here = matches!(at, Cells::Single(c) if is_var(c));
                put(at, cx.me).filter(|_| here)
            }
            Effect::Move(from, to) => {
                let mut known = |c: &'p CellExpr| {
                    if is_var(c) {
                        return Some(fact);
                    }
                    let CellExpr::Var(v) = c else { return None };
                    if is_given(*v, before.means) {
                        return None;
                    }
                    match self.cell(c, env, cx) {
                        CellV::Known(v) => Some(env.fact(v)),
                        CellV::Maybe(_) => None,
                    }
                };
                let (a, b) = (known(from)?, known(to)?);
                let stays = gone.iter().all(|these| a.excludes(*these));
                (!moved && stays && a.taken() && a.excludes(b))
                    .then_some((a.owners | b.owners) | 1 << 30)
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

    /// Whether new pieces of a kind belong to somebody, whatever kind is chosen.
    fn is_owned(&self, kind: &KindExpr) -> bool {
        match kind {
            KindExpr::Const(kind) => !self.program.kinds[usize::from(kind.0)].neutral,
            KindExpr::Var(_) => !self.program.kinds.iter().any(|k| k.neutral),
        }
    }

    /// Whether the hand has enough.
    pub fn can_enter(
        &mut self,
        kind: &KindExpr,
        times: Option<i64>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<V> {
        let times = times.filter(|n| (0..=MOST_AT_ONCE).contains(n))?;
        let kind = self.kind(kind, env);
        let held = self.held(cx.me, &kind, env)?;
        Some(self.f.bin(Bin::AtMost, V::K(times.cast_unsigned()), held))
    }
}

/// Whether a variable was given another value since the choice.
fn is_given(var: VarId, means: &[(VarId, Option<&Value>)]) -> bool {
    means.iter().any(|(v, _)| *v == var)
}

/// A number that is fixed, or was just given to a variable.
fn number(n: &Num, means: &[(VarId, Option<&Value>)]) -> Option<i64> {
    match n {
        Num::Const(n) => Some(*n),
        Num::Var(v) => match means.iter().rev().find(|(m, _)| m == v)?.1? {
            Value::Num(Num::Const(n)) => Some(*n),
            _ => None,
        },
        _ => None,
    }
}
