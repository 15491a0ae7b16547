//! The texts of actions: which notations write the same, and which may collide.

use crate::base::Span;
use crate::program::{Part, Program, Template, TemplateId};

/// How actions may have the same text though its pieces differ. Notations are told by the first one that writes the same, see
/// [`Program::notations_alike`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collisions {
    /// Whether the same notations may write one text with other values, or any notations may.
    pub within: bool,
    /// Two notations of which either may be begun at one place, and which may lead to one text.
    pub between: Vec<Collision>,
}

/// Two notations that may collide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Collision {
    /// One, the lower number of two.
    pub a: TemplateId,
    /// The other, or the end of the action.
    pub b: Option<TemplateId>,
    /// Whether in texts that are the same the values stand at the same places from there on.
    pub in_step: bool,
}

impl Collisions {
    /// Whether there are any.
    #[must_use]
    pub fn any(&self) -> bool {
        self.within || !self.between.is_empty()
    }

    /// The collision of two notations, in either order; nothing stands for the end of the action.
    #[must_use]
    pub fn between(&self, x: Option<TemplateId>, y: Option<TemplateId>) -> Option<&Collision> {
        let (a, b) = match (x, y) {
            (Some(x), Some(y)) => (x.min(y), Some(x.max(y))),
            (Some(only), None) | (None, Some(only)) => (only, None),
            (None, None) => return None,
        };
        self.between.iter().find(|c| c.a == a && c.b == b)
    }

    /// Adds a collision that was found once more.
    pub fn add(&mut self, a: TemplateId, b: Option<TemplateId>, in_step: bool) {
        match self.between.iter_mut().find(|c| c.a == a && c.b == b) {
            Some(known) => known.in_step &= in_step,
            None => self.between.push(Collision { a, b, in_step }),
        }
    }
}

impl Program {
    /// For each notation the first one that writes the same: the same texts, and holes of the same types in the same places.
    #[must_use]
    pub fn notations_alike(&self) -> Vec<TemplateId> {
        let same = |a: &Part, b: &Part| match (a, b) {
            (Part::Hole(x), Part::Hole(y)) => {
                std::mem::discriminant(x) == std::mem::discriminant(y)
            }
            (a, b) => a == b,
        };
        let alike = |a: &Template, b: &Template| {
            a.parts.len() == b.parts.len() && a.parts.iter().zip(&b.parts).all(|(x, y)| same(x, y))
        };
        let first = |t: &Template| self.templates.iter().position(|u| alike(u, t)).unwrap_or(0);
        let firsts = self.templates.iter().map(first);
        firsts
            .map(|at| TemplateId(u32::try_from(at).unwrap_or(0)))
            .collect()
    }

    /// The places of all notations that are written like one, which is the first of them, in the order of the text.
    #[must_use]
    pub fn places_alike(&self, first: TemplateId) -> Vec<Span> {
        let all = self.templates.iter().zip(self.notations_alike());
        let places = all.filter_map(|(t, of)| (of == first).then_some(t.span));
        let mut places: Vec<Span> = places.collect();
        places.sort_by_key(|span| span.start);
        places.dedup();
        places
    }
}
