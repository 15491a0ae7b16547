//! Pictures whose cells are to be one or other, depending on each other, as several pictures, each with classes of its own: what is required
//! of either of two cells, and classes that another cell decides.

use crate::compile::kernel::phrased::pictures::mentions;
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::program::{Cells, Count, Op, Pc, Picture, Square, Truth};

/// Into so many pictures one is parted at most.
const MOST: usize = 3;

impl Phrasing<'_> {
    /// A picture of single cells, and a requirement that one or other holds of them: a picture for each that holds when those before it do
    /// not.
    pub fn part_by_either(&mut self, at: usize) {
        let (Op::Line(id), Op::Require(test, reason)) = (&self.code[at - 1], &self.code[at]) else {
            return;
        };
        let (picture, reason) = (self.pictures[id.0 as usize].clone(), *reason);
        let single = |square: &Square| match square {
            Square::Cells { count, .. } => *count == Count::One,
            Square::Edge => false,
        };
        if !picture.squares.iter().all(single) {
            return;
        }
        let mut left: Vec<Truth> = atoms(test).into_iter().cloned().collect();
        let found = (0..left.len()).find_map(|nth| Some((nth, self.parts(&picture, &left[nth])?)));
        let Some((nth, parts)) = found else {
            return;
        };
        left.remove(nth);
        self.code[at] = match left.into_iter().reduce(Truth::and) {
            Some(left) => Op::Require(left, reason),
            None => Op::Jump(Pc(at as u32 + 1)),
        };
        self.look_for_any(at, parts);
    }

    /// A picture that has a class which another cell decides: one where it is so, and one where it is not.
    pub fn part_by_class(&mut self, at: usize) {
        let Op::Line(id) = &self.code[at - 1] else {
            return;
        };
        let picture = self.pictures[id.0 as usize].clone();
        let decided = |square: &Square| match square {
            Square::Cells { class, .. } => decided_by(class),
            Square::Edge => None,
        };
        let Some((nth, test)) = (0..)
            .zip(&picture.squares)
            .find_map(|(nth, s)| Some((nth, decided(s)?)))
        else {
            return;
        };
        let bound = binds(&picture);
        let mut parts = Vec::new();
        for holds in [true, false] {
            let mut part = picture.clone();
            if let Square::Cells { class, fixed, .. } = &mut part.squares[nth] {
                *class = decided_as(class, &test, holds);
                *fixed = !mentions(class, &bound);
            }
            let required = match holds {
                true => test.clone(),
                false => Truth::not(test.clone()),
            };
            if !self.narrows(&mut part, &required) {
                return;
            }
            parts.push(part);
        }
        self.look_for_any(at, parts);
    }

    /// The pictures of which a picture with a requirement that either holds is made up; none when it cannot be said so.
    fn parts(&mut self, picture: &Picture, test: &Truth) -> Option<Vec<Picture>> {
        let each = either(test);
        if !(2..=MOST).contains(&each.len()) {
            return None;
        }
        let mut rest = picture.clone();
        let mut parts = Vec::new();
        for (nth, test) in each.iter().enumerate() {
            let mut part = rest.clone();
            if !self.narrows(&mut part, test) {
                return None;
            }
            parts.push(part);
            if nth + 1 < each.len() && !self.narrows(&mut rest, &Truth::not((*test).clone())) {
                return None;
            }
        }
        Some(parts)
    }

    /// Looks for any of some pictures in place of one, and goes on with an instruction.
    fn look_for_any(&mut self, behind: usize, pictures: Vec<Picture>) {
        let ways = pictures
            .into_iter()
            .map(|picture| self.line_to(picture, behind));
        self.code[behind - 1] = Op::Branch(ways.collect());
        self.entered[behind] = true;
    }
}

/// The tests of which one holds when a test does.
fn either(test: &Truth) -> Vec<&Truth> {
    match test {
        Truth::Or(a, b) => [either(a), either(b)].concat(),
        test => vec![test],
    }
}

/// The test by which a set is one or another.
fn decided_by(set: &Cells) -> Option<Truth> {
    match set {
        Cells::If(test, ..) => Some(test.as_ref().clone()),
        Cells::And(a, b) | Cells::Or(a, b) | Cells::Without(a, b) => {
            decided_by(a).or_else(|| decided_by(b))
        }
        _ => None,
    }
}

/// A set where a test by which it is one or another holds, or does not.
fn decided_as(set: &Cells, test: &Truth, holds: bool) -> Cells {
    let decided = |set: &Cells| decided_as(set, test, holds);
    match set {
        Cells::If(by, a, b) if by.as_ref() == test => match holds {
            true => a.as_ref().clone(),
            false => b.as_ref().clone(),
        },
        Cells::And(a, b) => Cells::and(decided(a), decided(b)),
        Cells::Or(a, b) => Cells::or(decided(a), decided(b)),
        Cells::Without(a, b) => Cells::without(decided(a), decided(b)),
        set => set.clone(),
    }
}
