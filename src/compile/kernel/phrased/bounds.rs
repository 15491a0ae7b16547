//! What is required of a picture's cells, and of how many its squares have, as their classes and bounds.

use crate::compile::kernel::phrased::pictures::{Told, mentions, told_of};
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::program::{
    Access, Cells, Compare, Count, Life, Num, Op, Picture, Square, Truth, Var, VarId, VarType,
    cells_vars, num_vars,
};

impl Phrasing<'_> {
    /// What is required behind a picture of its cells, and of how many there are of a square.
    pub fn bound(&mut self, at: usize) {
        let (Op::Line(id), Op::Require(test, reason)) = (&self.code[at - 1], &self.code[at]) else {
            return;
        };
        let (id, test) = (*id, test.clone());
        let (mut picture, reason) = (self.pictures[id.0 as usize].clone(), *reason);
        let mut left = Vec::new();
        for atom in atoms(&test) {
            if !self.has_bound(&mut picture, atom, at) && !narrows(&mut picture, atom) {
                left.push(atom.clone());
            }
        }
        if left.len() < atoms(&test).len() {
            self.look_for(at, picture, left, reason);
        }
    }

    /// Whether a test, required at an instruction, has become the bound of a square of the picture before it.
    fn has_bound(&mut self, picture: &mut Picture, test: &Truth, at: usize) -> bool {
        let Truth::Compare(how, a, b) = test else {
            return false;
        };
        for (how, counted, number) in [(*how, a, b), (how.turned(), b, a)] {
            let most = match how {
                Compare::AtMost => number.as_ref().clone(),
                Compare::Less => Num::arithmetic('-', number.as_ref().clone(), Num::Const(1)),
                _ => continue,
            };
            let Some(k) = square_of(picture, counted) else {
                continue;
            };
            let bound_later = |square: &Square| match square {
                Square::Cells { bind, count, .. } => {
                    let letter = match count {
                        Count::New(var) => Some(*var),
                        Count::One | Count::Between(..) => None,
                    };
                    let reads = num_vars(number);
                    reads.may_read(|v| Some(v) == *bind || Some(v) == letter)
                }
                Square::Edge => false,
            };
            if picture.squares[k..].iter().any(bound_later) {
                continue;
            }
            let letter = match &picture.squares[k] {
                Square::Cells {
                    count: Count::New(var),
                    ..
                } => Some(*var),
                _ => None,
            };
            if letter.is_some_and(|letter| self.is_told(letter, picture, at)) {
                continue;
            }
            let most = self.with_letters(picture, k, most);
            if let Square::Cells { count, .. } = &mut picture.squares[k] {
                match count {
                    Count::New(_) => *count = Count::Between(Num::Const(1), Some(most)),
                    Count::Between(_, high @ None) => *high = Some(most),
                    Count::Between(_, Some(_)) | Count::One => continue,
                }
                return true;
            }
        }
        false
    }

    /// A number that says how many cells a run before a square of a picture has by a letter, which the run has then.
    fn with_letters(&mut self, picture: &mut Picture, before: usize, number: Num) -> Num {
        match number {
            Num::RunLength(run) => {
                let any = Count::Between(Num::Const(1), None);
                let squares = picture.squares[..before].iter_mut();
                let mut counts = squares.filter_map(|square| match square {
                    Square::Cells { count, bind, .. } if *bind == Some(run) => Some(count),
                    Square::Cells { .. } | Square::Edge => None,
                });
                match counts.next() {
                    Some(Count::New(letter)) => Num::Var(*letter),
                    Some(count) if *count == any => {
                        let letter = self.letter(run);
                        *count = Count::New(letter);
                        Num::Var(letter)
                    }
                    _ => number,
                }
            }
            Num::Add(a, b) => Num::Add(Box::new(self.with_letters(picture, before, *a)), b),
            Num::Sub(a, b) => Num::Sub(Box::new(self.with_letters(picture, before, *a)), b),
            number => number,
        }
    }

    /// The number that says how many cells a run has.
    fn letter(&mut self, run: VarId) -> VarId {
        if let Some((_, letter)) = self.letters.iter().find(|(of, _)| *of == run) {
            return *letter;
        }
        let letter = VarId(self.vars.len() as u16);
        let of = &self.vars[usize::from(run.0)];
        self.vars.push(Var {
            name: format!("count of {}", of.name),
            ty: VarType::Number,
            life: Life::Local,
            carried: false,
            stride: 1,
            ..of.clone()
        });
        self.letters.push((run, letter));
        letter
    }

    /// Whether a number that a picture gives is asked for elsewhere than by the requirements behind that and pictures like it.
    fn is_told(&self, letter: VarId, picture: &Picture, at: usize) -> bool {
        let here = self.vars_of(at);
        let times = here.reads.iter().filter(|v| **v == letter).count();
        let inside = (picture.squares.iter()).any(|square| square_mentions(square, letter));
        let elsewhere = self.code.iter().enumerate().any(|(other, op)| {
            let behind_line = other > 0 && matches!(self.code[other - 1], Op::Line(_));
            let same = behind_line && *op == self.code[at];
            !same && self.vars_of(other).reads.contains(&letter)
        });
        times > 1 || inside || elsewhere
    }
}

/// Whether a test of a cell that a picture finds has become one of its square's class.
fn narrows(picture: &mut Picture, test: &Truth) -> bool {
    let bound = binds(picture);
    for square in &mut picture.squares {
        let Square::Cells {
            class,
            count: Count::One,
            bind: Some(cell),
            ..
        } = square
        else {
            continue;
        };
        match told_of(test, *cell) {
            // Where a trail has been already is asked behind its steps by those who know trails.
            Some(Told::Not(Cells::Var(_))) => return false,
            Some(Told::In(set)) if !mentions(set, &bound) => {
                *class = Cells::and(class.clone(), set.clone());
            }
            Some(Told::Not(set)) if !mentions(set, &bound) => {
                *class = Cells::without(class.clone(), set.clone());
            }
            Some(Told::There) => {}
            _ => continue,
        }
        return true;
    }
    false
}

/// The square of a picture whose number of cells a number is.
fn square_of(picture: &Picture, number: &Num) -> Option<usize> {
    picture.squares.iter().position(|square| match square {
        Square::Cells { count, bind, .. } => match (number, count) {
            (Num::RunLength(run), Count::New(_) | Count::Between(..)) => *bind == Some(*run),
            (Num::Var(var), Count::New(letter)) => var == letter,
            _ => false,
        },
        Square::Edge => false,
    })
}

/// Whether the cells of a square, or how many they are, may depend on a variable.
pub fn square_mentions(square: &Square, var: VarId) -> bool {
    let Square::Cells { class, count, .. } = square else {
        return false;
    };
    let reads = |access: Access| access.may_read(|v| v == var);
    let number = |n: &Num| reads(num_vars(n));
    let counted = match count {
        Count::Between(low, high) => number(low) || high.as_ref().is_some_and(number),
        Count::One | Count::New(_) => false,
    };
    counted || reads(cells_vars(class))
}
