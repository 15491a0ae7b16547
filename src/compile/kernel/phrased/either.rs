//! Pictures that are one or another, as several pictures: what is required of either of two cells, and classes and numbers that a test
//! decides. And pictures that begin on a cell which is known and has to be one of some.

use crate::compile::kernel::phrased::pictures::mentions;
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::program::{
    CellExpr, Cells, Count, Dirs, Num, Op, Pc, Picture, ReasonId, Square, Truth, truth_vars,
};

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
        self.require_rest(at, left, reason);
        self.look_for_any(at, parts);
    }

    /// A picture that has one class or another, or so many cells, as a test decides: one where it holds, and one where it does not.
    pub fn part_by_test(&mut self, at: usize) {
        let Op::Line(id) = &self.code[at - 1] else {
            return;
        };
        let picture = self.pictures[id.0 as usize].clone();
        let decided = |square: &Square| match square {
            Square::Cells { class, count, .. } => decided_by(class).or_else(|| counted_by(count)),
            Square::Edge => None,
        };
        // Where only the directions are decided by it, cells that go one way or another are found at once.
        let Some(test) = picture.squares.iter().find_map(decided) else {
            return;
        };
        // What was known before is required before, and of what it finds it is part of the picture.
        let bound = binds(&picture);
        let known = !truth_vars(&test).may_read(|v| bound.contains(&v));
        let mut parts = Vec::new();
        for holds in [true, false] {
            let mut part = as_decided(&picture, &test, holds);
            let required = match holds {
                true => test.clone(),
                false => Truth::not(test.clone()),
            };
            if !known && !self.narrows(&mut part, &required) {
                return;
            }
            parts.push((part, required));
        }
        let ways = parts.into_iter().map(|(part, required)| {
            let line = self.line_to(part, at);
            match known {
                true => self.required_before(required, line),
                false => line,
            }
        });
        let ways = ways.collect();
        self.branch_before(at, ways);
    }

    /// A requirement, behind which it is gone on elsewhere.
    fn required_before(&mut self, test: Truth, then: Pc) -> Pc {
        let at = Pc(self.code.len() as u32);
        self.code
            .extend([Op::Require(test, ReasonId(0)), Op::Jump(then)]);
        self.entered.extend([true, false]);
        at
    }

    /// A picture that begins on a cell which is known and has to be one of some: that is required before.
    pub fn ask_before_looking(&mut self, at: usize) {
        // Subprograms that look for one picture are known as such.
        let (Op::Line(id), false) = (&self.code[at], self.code.get(at + 1) == Some(&Op::Succeed))
        else {
            return;
        };
        let mut picture = self.pictures[id.0 as usize].clone();
        let bound = binds(&picture);
        let Some(Square::Cells {
            class,
            count: Count::One,
            ..
        }) = picture.squares.first_mut()
        else {
            return;
        };
        let Cells::And(a, b) = class else {
            return;
        };
        let (known, set) = match (a.as_ref(), b.as_ref()) {
            (Cells::Single(c), set) | (set, Cells::Single(c)) => (c.as_ref().clone(), set.clone()),
            _ => return,
        };
        // What the picture finds itself is not known before.
        let inside = mentions(&set, &bound);
        if inside || !matches!(known, CellExpr::Var(_)) {
            return;
        }
        *class = Cells::Single(Box::new(known.clone()));
        let test = Truth::Contains(Box::new(known), Box::new(set));
        let line = self.line_to(picture, at + 1);
        self.code[at] = Op::Jump(self.required_before(test, line));
        self.entered[at + 1] = true;
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
            if nth + 1 < each.len() && !self.narrows(&mut rest, &Truth::not(test.clone())) {
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
        let ways = ways.collect();
        self.branch_before(behind, ways);
    }

    /// Goes one of some ways, all of which lead to an instruction, in place of the one before it.
    fn branch_before(&mut self, behind: usize, ways: Vec<Pc>) {
        self.code[behind - 1] = Op::Branch(ways);
        self.entered[behind] = true;
    }
}

/// The tests of which one holds when a test does.
fn either(test: &Truth) -> Vec<Truth> {
    match test {
        Truth::Or(a, b) => [either(a), either(b)].concat(),
        Truth::Not(both) => match both.as_ref() {
            Truth::And(a, b) => {
                let denied = |test: &Truth| either(&Truth::not(test.clone()));
                [denied(a), denied(b)].concat()
            }
            _ => vec![test.clone()],
        },
        test => vec![test.clone()],
    }
}

/// A picture as it is where a test holds that decides something of it, or does not.
fn as_decided(picture: &Picture, test: &Truth, holds: bool) -> Picture {
    let mut part = picture.clone();
    if let Dirs::If(by, a, b) = &picture.ways
        && by.as_ref() == test
    {
        part.ways = match holds {
            true => a.as_ref().clone(),
            false => b.as_ref().clone(),
        };
    }
    let bound = binds(picture);
    for square in &mut part.squares {
        if let Square::Cells {
            class,
            fixed,
            count,
            ..
        } = square
        {
            *class = decided_as(class, test, holds);
            *fixed |= !mentions(class, &bound);
            *count = counted_as(count, test, holds);
        }
    }
    part
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

/// The test by which a square has so many cells or so many.
fn counted_by(count: &Count) -> Option<Truth> {
    let decided = |number: &Num| match number {
        Num::If(test, ..) => Some(test.as_ref().clone()),
        _ => None,
    };
    match count {
        Count::Between(low, high) => decided(low).or_else(|| decided(high.as_ref()?)),
        Count::One | Count::New(_) => None,
    }
}

/// How many cells a square has where a test by which it has so many holds, or does not.
fn counted_as(count: &Count, test: &Truth, holds: bool) -> Count {
    let decided = |number: &Num| match number {
        Num::If(by, a, b) if by.as_ref() == test => match holds {
            true => a.as_ref().clone(),
            false => b.as_ref().clone(),
        },
        number => number.clone(),
    };
    match count {
        Count::Between(low, high) => Count::Between(decided(low), high.as_ref().map(decided)),
        count => count.clone(),
    }
}
