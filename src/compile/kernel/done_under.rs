//! What is done under a condition, or for each of some, where it neither chooses nor asks nor can fail: the instructions, and the one that
//! all of them lead to. Behind a choice that is asked of all cells at once it is passed by, with what it may have changed.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::points::successors;
use crate::program::{CellExpr, Effect, KindExpr, Op, Pc, PlayerExpr, Value, VarId};
use std::collections::BTreeSet;

/// So many instructions are looked at.
const MOST: usize = 32;

/// Instructions that are gone through or not, and what comes behind them.
pub struct Under {
    /// The instructions.
    pub over: Vec<Pc>,
    /// Where all of them lead.
    pub to: Pc,
}

/// What such instructions may have done.
#[derive(Default)]
pub struct Done {
    /// What is true of all that was taken off.
    pub gone: Vec<Fact>,
    /// Whether everything stays on the board.
    pub stays: bool,
    /// Whether pieces were changed.
    pub changed: bool,
    /// Whether something was dealt.
    pub dealt: bool,
}

impl<'p> Lowerer<'p> {
    /// What is done from a condition or a loop on until everything meets again.
    pub fn done_under(&self, at: Pc) -> Option<Under> {
        let mut over = vec![at];
        let next = |at: Pc| successors(self.op(at), at.0 as usize).into_iter();
        let mut open: BTreeSet<usize> = next(at).collect();
        while let Some(first) = open.pop_first() {
            let pc = Pc(first as u32);
            if open.is_empty() && over.iter().all(|done| *done < pc) {
                return Some(Under { over, to: pc });
            }
            let plain = match self.op(pc) {
                Op::Effect(effect) => self.is_done_always(effect),
                Op::Jump(_) | Op::JumpUnless(..) | Op::Each { .. } | Op::Let(..) => true,
                Op::Clear(_) | Op::LetOfPlayer(..) | Op::LetOfCell(..) => true,
                _ => false,
            };
            // What goes back goes on with a loop over members, which comes to an end.
            let ends = |to: usize| to > first || matches!(self.program.code[to], Op::Each { .. });
            if !plain || over.len() > MOST || !next(pc).all(ends) {
                return None;
            }
            over.push(pc);
            open.extend(next(pc).filter(|to| !over.contains(&Pc(*to as u32))));
        }
        None
    }

    /// Whether nothing is done but that pieces are taken off, or become others.
    pub fn takes(&self, under: &Under) -> bool {
        let takes = |pc: &Pc| match self.op(*pc) {
            Op::Effect(effect) => matches!(
                effect,
                Effect::Capture(_) | Effect::Remove(_) | Effect::Promote(..)
            ),
            Op::Jump(_) | Op::JumpUnless(..) => true,
            _ => false,
        };
        under.over.iter().all(takes)
    }

    /// Whether an effect can be done in every position, as far as its form tells.
    fn is_done_always(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Capture(_) | Effect::Remove(_) | Effect::Flip(_) => true,
            Effect::Mark(..) | Effect::Unmark(..) | Effect::Pass => true,
            Effect::Again | Effect::ExchangeSeats => true,
            Effect::Promote(CellExpr::Var(_), _) => true,
            Effect::Deal { kind, to, .. } => {
                let mut who = to;
                while let PlayerExpr::Next(of) = who {
                    who = of;
                }
                let somebody = matches!(who, PlayerExpr::Me | PlayerExpr::Const(_));
                let owned = |kind: &KindExpr| match kind {
                    KindExpr::Const(kind) => !self.program.kinds[usize::from(kind.0)].neutral,
                    KindExpr::Var(_) => false,
                };
                somebody && owned(kind)
            }
            _ => false,
        }
    }

    /// What instructions that are passed by behind the choice of a cell may have done; nothing when one of them may fail. The cell is
    /// where a piece `landed`, if one did.
    pub fn done(
        &mut self,
        under: &Under,
        ((var, fact), landed): ((VarId, Fact), bool),
        means: &mut Vec<(VarId, Option<&'p Value>)>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<Done> {
        let mut done = Done {
            stays: true,
            ..Done::default()
        };
        for pc in &under.over {
            match self.op(*pc) {
                Op::Let(v, _) | Op::Clear(v) | Op::LetOfPlayer(v, ..) | Op::LetOfCell(v, ..) => {
                    means.push((*v, None));
                }
                Op::Each { var, rest, .. } => means.extend([(*var, None), (*rest, None)]),
                _ => {}
            }
        }
        for pc in &under.over {
            let Op::Effect(effect) = self.op(*pc) else {
                continue;
            };
            self.poison_effect(effect, means);
            done.changed = true;
            match effect {
                Effect::Capture(set) | Effect::Remove(set) | Effect::Flip(set) => {
                    done.stays &= matches!(effect, Effect::Flip(_));
                    let mut facts = self.facts_given((var, fact), means, cx);
                    facts.extend(self.members(&under.over, cx));
                    let these = self.known_off(set, &facts, env, cx);
                    done.gone.push(these);
                }
                Effect::Promote(CellExpr::Var(v), _) => {
                    let neutral = self.program.kinds.iter().any(|kind| kind.neutral);
                    if !landed || *v != var || neutral || !done.stays {
                        return None;
                    }
                }
                Effect::Deal { .. } => done.dealt = true,
                _ => {}
            }
        }
        Some(done)
    }

    /// What is true of a cell that is chosen, and of the cells that variables were given since.
    pub fn facts_given(
        &self,
        chosen: (VarId, Fact),
        means: &[(VarId, Option<&'p Value>)],
        cx: Cx,
    ) -> Vec<(VarId, Fact)> {
        let given = |(v, value): &(VarId, Option<&'p Value>)| match value {
            Some(Value::Cells(set) | Value::Groups(set)) => (*v, self.fact_of(set, cx)),
            Some(_) | None => (*v, Fact::ANY),
        };
        [chosen]
            .into_iter()
            .chain(means.iter().map(given))
            .collect()
    }

    /// What is true of the members that loops go through.
    fn members(&self, over: &[Pc], cx: Cx) -> Vec<(VarId, Fact)> {
        let mut found = Vec::new();
        for pc in over {
            let Op::Each { var, rest, .. } = self.op(*pc) else {
                continue;
            };
            let given = self.program.code.iter().filter_map(|op| match op {
                Op::Let(to, value) if to == rest => Some(value),
                _ => None,
            });
            let fact = |value: &Value| match value {
                Value::Cells(set) | Value::Groups(set) => self.fact_of(set, cx),
                _ => Fact::ANY,
            };
            let fact = given.map(fact).reduce(Fact::or).unwrap_or(Fact::ANY);
            found.push((*var, fact));
        }
        found
    }
}
