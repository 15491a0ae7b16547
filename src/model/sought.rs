//! Trails of which it is only asked whether there is one: what every such trail needs is asked before any is looked for.

use crate::model::reach::Walk;
use crate::model::resolver::Resolver;
use crate::model::{Block, Step};
use crate::program::{Cells, Compare, Count, Num, Picture, Square, Truth, VarId, cells_vars};
use crate::syntax::ast::{Trail, TrailLength};

/// A trail's steps, and what is known of where it goes.
pub struct Told {
    /// Its steps.
    pub block: Block,
    /// Where it may start.
    pub start: Cells,
    /// Where each kind of step leads, when that is the same all along the way.
    pub ends: Vec<Option<Cells>>,
    /// Where it must end.
    pub finish: Option<Cells>,
    /// How it goes.
    pub walk: Walk,
}

/// The class of the square that a name stands for, when it is one cell and reads no name.
pub fn end_of(picture: &Picture, next: VarId) -> Option<Cells> {
    let of_next = |square: &Square| match square {
        Square::Cells {
            class,
            count: Count::One,
            bind,
            ..
        } if *bind == Some(next) && !cells_vars(class).may_read(|_| true) => Some(class.clone()),
        Square::Cells { .. } | Square::Edge => None,
    };
    picture.squares.iter().find_map(of_next)
}

impl Resolver<'_> {
    /// Whether there is a trail: told by what can be reached where that is enough, or found by trying, where what every such
    /// trail needs is asked first. The names of its ends are bound in the scope.
    pub fn trail_sought(&mut self, trail: &Trail) -> Option<Truth> {
        let told = self.trail_told(trail)?;
        if let Some(truth) = self.reached(trail, &told) {
            return Some(truth);
        }
        let steps = self.trail_tried(trail, told)?;
        Some(Truth::Possible(None, self.new_block(steps)))
    }

    fn trail_tried(&mut self, trail: &Trail, told: Told) -> Option<Block> {
        let Told {
            block,
            start,
            ends,
            finish,
            ..
        } = told;
        let ends: Option<Vec<Cells>> = ends.into_iter().collect();
        let (Some(ends), true) = (ends, trail.steps.iter().all(|s| s.body.is_none())) else {
            return Some(block);
        };
        let led_to = ends.into_iter().reduce(Cells::or)?;
        let all = Cells::or(start, led_to.clone());
        let steps = match &trail.length {
            Some(TrailLength::Full) => Some(1),
            Some(TrailLength::Range { least, cells, .. }) => match self.number(least)? {
                Num::Const(least) => Some(least - i64::from(*cells)),
                _ => None,
            },
            None => None,
        };
        let Some(steps) = steps.filter(|s| *s >= 0) else {
            return Some(block);
        };
        let mut needs: Block = Vec::new();
        if trail.never.iter().any(|n| n.text == "twice") && steps > 0 {
            let many = Truth::Compare(
                Compare::AtLeast,
                Box::new(Num::Count(Box::new(all.clone()))),
                Box::new(Num::Const(steps + 1)),
            );
            let reason = self.new_reason("there are too few cells for a trail", trail.span);
            needs.push((trail.span, Step::Require(many, reason)));
        }
        if let Some(finish) = finish.filter(|f| !cells_vars(f).may_read(|_| true)) {
            let last = if steps > 0 { led_to } else { all };
            let here = Cells::and(last, finish);
            let reason = self.new_reason("a trail can end nowhere", trail.span);
            let some = Truth::Some(Box::new(here));
            needs.push((trail.span, Step::Require(some, reason)));
        }
        needs.extend(block);
        Some(needs)
    }
}
