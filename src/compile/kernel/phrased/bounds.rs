//! What is required of a picture's cells, and of how many its squares have, as their classes and bounds.

use crate::compile::kernel::phrased::{Phrasing, atoms};
use crate::program::{
    Access, Compare, Count, Domain, Num, Op, Pc, Picture, Square, Truth, VarId, VarType,
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
            if !self.has_bound(&mut picture, atom, at) && !self.narrows(&mut picture, atom) {
                left.push(atom.clone());
            }
        }
        if left.len() < atoms(&test).len() {
            self.look_for(at, picture, left, reason);
        }
    }

    /// A number that is chosen, and the picture of which one square has so many cells: any number of them that can be chosen. A direction
    /// may be chosen between.
    pub fn go_any_so_far(&mut self, at: usize) {
        let Op::Choose(far, Domain::Numbers(low, high)) = &self.code[at - 1] else {
            return;
        };
        let line = at + usize::from(matches!(self.code[at], Op::Choose(_, Domain::Dirs(_))));
        let Some(Op::Line(id)) = self.code.get(line).filter(|_| !self.entered[line]) else {
            return;
        };
        let (far, low, high) = (*far, low.clone(), high.clone());
        let mut picture = self.pictures[id.0 as usize].clone();
        let so_far = Count::Between(Num::Var(far), Some(Num::Var(far)));
        let counts = picture
            .squares
            .iter_mut()
            .filter_map(|square| match square {
                Square::Cells { count, .. } if *count == so_far => Some(count),
                Square::Cells { .. } | Square::Edge => None,
            });
        let [count] = &mut counts.collect::<Vec<_>>()[..] else {
            return;
        };
        **count = Count::Between(low, Some(high));
        let inside = picture.squares.iter().any(|s| square_mentions(s, far));
        let elsewhere =
            self.code.iter().enumerate().any(|(other, op)| {
                *op != self.code[line] && self.vars_of(other).reads.contains(&far)
            });
        if inside || elsewhere || !self.is_only_named(far) {
            return;
        }
        self.code[at - 1] = Op::Jump(Pc(at as u32));
        self.code[line] = Op::Line(self.picture(picture));
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
        let letter = self.another(run, VarType::Number);
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
