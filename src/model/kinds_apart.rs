//! Trails whose every step is for pieces of one kind: the kinds are told apart once, where a trail starts, instead of at every step.
//!
//! Before: one trail of pieces of several kinds. After: a trail for each kind, with the steps that are for it. Conditions: a trail has a
//! step at least, every step begins on `here` with one kind, and takes that piece along: it takes single other pieces away, moves this one,
//! and then neither takes away nor puts down. On stacks another piece could come to the top, so they are left alone.

use crate::model::resolver::Resolver;
use crate::model::{Block, Repeat, Step};
use crate::program::{CellExpr, Cells, Effect, KindExpr, KindId, Num, Picture, Square, VarId};

impl Resolver<'_> {
    /// For each kind of piece that goes its steps, when they can be told apart and are of several kinds.
    pub fn by_kind(
        &mut self,
        here: VarId,
        repeat: &Repeat,
        pictures: &[(Picture, VarId)],
        steps: &[Block],
    ) -> Option<Vec<(KindId, Vec<Block>)>> {
        if self.stacking || !goes_at_all(repeat) {
            return None;
        }
        let mut kinds: Vec<(KindId, Vec<Block>)> = Vec::new();
        for ((picture, next), step) in pictures.iter().zip(steps) {
            let kind = kind_of(picture, here)?;
            let mut moved = false;
            if !self.takes_along(step, (here, *next), &mut moved) || !moved {
                return None;
            }
            match kinds.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, steps)) => steps.push(step.clone()),
                None => kinds.push((kind, vec![step.clone()])),
            }
        }
        if kinds.len() < 2 {
            return None;
        }
        for step in kinds.iter_mut().flat_map(|(_, steps)| steps) {
            self.ask_no_kind(step, here);
        }
        Some(kinds)
    }

    /// Makes a step's picture begin on `here` whatever the kind is, which is known.
    fn ask_no_kind(&mut self, step: &mut Block, here: VarId) {
        for (_, step) in step {
            match step {
                Step::Line(picture) if kind_of(picture, here).is_some() => {
                    if let Some(Square::Cells { class, .. }) = picture.squares.first_mut() {
                        *class = Cells::Single(Box::new(CellExpr::Var(here)));
                    }
                }
                Step::Written(_, sub) => {
                    let inner = self.blocks.get(sub.0 as usize).cloned();
                    let mut inner = inner.unwrap_or_default();
                    self.ask_no_kind(&mut inner, here);
                    *sub = self.new_block(inner);
                }
                _ => {}
            }
        }
    }

    /// Whether behind a step, once it has moved, the piece that goes is the one that went.
    fn takes_along(&self, step: &Block, (here, next): (VarId, VarId), moved: &mut bool) -> bool {
        let other = |set: &Cells| match set {
            Cells::Single(c) => {
                matches!(**c, CellExpr::Var(v) if v != here && v != next)
            }
            _ => false,
        };
        step.iter().all(|(_, step)| match step {
            Step::Let(..) | Step::Clear(_) | Step::Require(..) | Step::Line(_) => true,
            Step::Written(_, sub) => {
                let inner = self.blocks.get(sub.0 as usize);
                inner.is_some_and(|inner| self.takes_along(inner, (here, next), moved))
            }
            Step::Effect(Effect::Move(CellExpr::Var(from), CellExpr::Var(to))) => {
                !std::mem::replace(moved, true) && (*from, *to) == (here, next)
            }
            Step::Effect(Effect::Capture(set) | Effect::Remove(set)) => !*moved && other(set),
            Step::Effect(effect) => matches!(
                effect,
                Effect::Mark(..) | Effect::Unmark(..) | Effect::Deal { .. }
            ),
            _ => false,
        })
    }
}

/// Whether a trail has one step at least.
fn goes_at_all(repeat: &Repeat) -> bool {
    let some = |n: &Num| matches!(n, Num::Const(n) if *n > 0);
    match (&repeat.due, &repeat.left) {
        (Some((_, due)), _) => some(due),
        (None, Some((_, left))) => some(left),
        (None, None) => false,
    }
}

/// The kind that a step's picture asks of the cell where it begins.
fn kind_of(picture: &Picture, here: VarId) -> Option<KindId> {
    let Some(Square::Cells { class, .. }) = picture.squares.first() else {
        return None;
    };
    let Cells::And(a, b) = class else { return None };
    match (a.as_ref(), b.as_ref()) {
        (Cells::Single(c), Cells::Kind(KindExpr::Const(kind))) if **c == CellExpr::Var(here) => {
            Some(*kind)
        }
        _ => None,
    }
}
