//! Cells of which each is asked whether it is found by a picture, and cells chosen from those that are: those that the picture finds.

use crate::compile::kernel::phrased::bounds::square_mentions;
use crate::compile::kernel::phrased::pictures::mentions;
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Effect, Num, Op, Picture, Square, SubId, Truth,
    Value, VarId, dirs_vars,
};

impl Phrasing<'_> {
    /// Puts what pictures find in place of questions asked of each cell of a set.
    pub fn gather_at_once(&mut self, at: usize) {
        let op = match &self.code[at] {
            Op::Choose(var, Domain::Cells(set)) => {
                let (var, set) = (*var, set.clone());
                self.cells_at_once(&set)
                    .map(|set| Op::Choose(var, Domain::Cells(set)))
            }
            Op::Let(var, Value::Cells(set)) => {
                let (var, set) = (*var, set.clone());
                self.cells_at_once(&set)
                    .map(|set| Op::Let(var, Value::Cells(set)))
            }
            Op::Require(test, reason) => {
                let (test, reason) = (test.clone(), *reason);
                self.truth_at_once(&test)
                    .map(|test| Op::Require(test, reason))
            }
            Op::Effect(Effect::Capture(set)) => {
                let set = set.clone();
                self.cells_at_once(&set)
                    .map(|set| Op::Effect(Effect::Capture(set)))
            }
            Op::Effect(Effect::Remove(set)) => {
                let set = set.clone();
                self.cells_at_once(&set)
                    .map(|set| Op::Effect(Effect::Remove(set)))
            }
            Op::Effect(Effect::Flip(set)) => {
                let set = set.clone();
                self.cells_at_once(&set)
                    .map(|set| Op::Effect(Effect::Flip(set)))
            }
            _ => None,
        };
        if let Some(op) = op {
            self.code[at] = op;
        }
    }

    /// A cell that is chosen, and required to lie on a line with another that is known: chosen from those on such lines.
    pub fn choose_on_line(&mut self, at: usize) {
        let (Op::Choose(cell, Domain::Cells(set)), Op::Require(test, reason)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (cell, set, reason) = (*cell, set.clone(), *reason);
        let mut left: Vec<Truth> = atoms(test).into_iter().cloned().collect();
        let joins = |atom: &Truth| match atom {
            Truth::Possible(None, sub) => self.joins(*sub, cell).then_some(*sub),
            _ => None,
        };
        let Some((nth, sub)) = (0..).zip(&left).find_map(|(nth, a)| Some((nth, joins(a)?))) else {
            return;
        };
        let Some(found) = self.found_by(cell, sub, set) else {
            return;
        };
        left.remove(nth);
        self.code[at - 1] = Op::Choose(cell, Domain::Cells(found));
        self.require_rest(at, left, reason);
    }

    /// A direction that is chosen, and a cell from those that a picture finds along it: the picture.
    pub fn look_for_chosen(&mut self, at: usize) {
        let (Op::Choose(way, Domain::Dirs(_)), Op::Choose(cell, Domain::Cells(found))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (Cells::Gather(what, sub), way, cell) = (found, *way, *cell) else {
            return;
        };
        let Some(mut picture) = self.looked_for(*sub).cloned() else {
            return;
        };
        if picture.ways != Dirs::Single(DirExpr::Var(way)) || picture.way.is_some() {
            return;
        }
        let (bound, mut comes) = (binds(&picture), false);
        for square in &mut picture.squares {
            let Square::Cells {
                class, count, bind, ..
            } = square
            else {
                continue;
            };
            if mentions(class, &bound) || matches!(count, Count::New(_)) {
                return;
            }
            let asked = *bind == Some(*what);
            comes |= asked && *count == Count::One;
            *bind = asked.then_some(cell);
        }
        if comes {
            self.code[at] = Op::Line(self.picture(picture));
        }
    }

    /// Whether a subprogram is a picture that begins on one cell and ends on another, one of them the given one.
    fn joins(&self, sub: SubId, cell: VarId) -> bool {
        let Some(Picture { squares, .. }) = self.looked_for(sub) else {
            return false;
        };
        let known = |square: Option<&Square>| match square {
            Some(Square::Cells {
                class: Cells::Single(c),
                count: Count::One,
                ..
            }) => match c.as_ref() {
                CellExpr::Var(var) => Some(*var),
                _ => None,
            },
            _ => None,
        };
        match (known(squares.first()), known(squares.last())) {
            (Some(a), Some(b)) => squares.len() > 1 && a != b && (a == cell || b == cell),
            _ => false,
        }
    }

    fn truth_at_once(&mut self, test: &Truth) -> Option<Truth> {
        Some(match test {
            Truth::Not(a) => Truth::not(self.truth_at_once(a)?),
            Truth::And(a, b) | Truth::Or(a, b) => {
                let (x, y) = (self.truth_at_once(a), self.truth_at_once(b));
                if x.is_none() && y.is_none() {
                    return None;
                }
                let of = |new: Option<Truth>, old: &Truth| new.unwrap_or_else(|| old.clone());
                let (x, y) = (of(x, a), of(y, b));
                match test {
                    Truth::And(..) => Truth::and(x, y),
                    _ => Truth::or(x, y),
                }
            }
            Truth::Some(set) => match self.cells_at_once(set)? {
                Cells::Gather(_, sub) => Truth::Possible(None, sub),
                set => Truth::Some(Box::new(set)),
            },
            Truth::Compare(how, a, b) => match (a.as_ref(), b.as_ref()) {
                (Num::Count(set), b) => {
                    let count = Num::Count(Box::new(self.cells_at_once(set)?));
                    Truth::Compare(*how, Box::new(count), Box::new(b.clone()))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn cells_at_once(&mut self, set: &Cells) -> Option<Cells> {
        match set {
            Cells::And(a, b) | Cells::Or(a, b) | Cells::Without(a, b) => {
                let (x, y) = (self.cells_at_once(a), self.cells_at_once(b));
                if x.is_none() && y.is_none() {
                    return None;
                }
                let of = |new: Option<Cells>, old: &Cells| new.unwrap_or_else(|| old.clone());
                let (x, y) = (of(x, a), of(y, b));
                Some(match set {
                    Cells::And(..) => Cells::and(x, y),
                    Cells::Or(..) => Cells::or(x, y),
                    _ => Cells::without(x, y),
                })
            }
            Cells::Where(of, it, test) => {
                let of = self
                    .cells_at_once(of)
                    .unwrap_or_else(|| of.as_ref().clone());
                self.found_where(*it, test, &of)
            }
            _ => None,
        }
    }

    /// The cells of a set for which a test holds that asks for pictures.
    fn found_where(&mut self, it: VarId, test: &Truth, of: &Cells) -> Option<Cells> {
        let asked = |of: &Cells, test: &Truth| {
            Cells::Where(Box::new(of.clone()), it, Box::new(test.clone()))
        };
        Some(match test {
            Truth::Possible(None, sub) => self.found_by(it, *sub, of.clone())?,
            Truth::Not(a) => Cells::without(of.clone(), self.found_where(it, a, of)?),
            Truth::And(a, b) => match (self.found_where(it, a, of), self.found_where(it, b, of)) {
                (Some(x), Some(y)) => Cells::and(x, y),
                (Some(x), None) => asked(&x, b),
                (None, Some(y)) => asked(&y, a),
                (None, None) => return None,
            },
            Truth::Or(a, b) => match (self.found_where(it, a, of), self.found_where(it, b, of)) {
                (Some(x), Some(y)) => Cells::or(x, y),
                (Some(x), None) => Cells::or(x, asked(of, b)),
                (None, Some(y)) => Cells::or(asked(of, a), y),
                (None, None) => return None,
            },
            _ => return None,
        })
    }

    /// The cells of a set that a picture finds where one of its squares is a cell that is given.
    fn found_by(&mut self, it: VarId, sub: SubId, of: Cells) -> Option<Cells> {
        let mut picture = self.looked_for(sub)?.clone();
        let given = Cells::Single(Box::new(CellExpr::Var(it)));
        // What it has to be besides, where it stands.
        let besides = |square: &Square| match square {
            Square::Cells {
                class,
                count: Count::One,
                bind: None,
                ..
            } => match class {
                class if *class == given => Some(None),
                Cells::And(a, b) if **a == given => Some(Some(b.as_ref().clone())),
                Cells::And(a, b) if **b == given => Some(Some(a.as_ref().clone())),
                _ => None,
            },
            _ => None,
        };
        let mut squares = (0..).zip(&picture.squares);
        let (square, besides) = squares.find_map(|(at, s)| Some((at, besides(s)?)))?;
        let inner =
            (besides.iter()).any(|set| mentions(set, &binds(&picture)) || mentions(set, &[it]));
        if inner {
            return None;
        }
        let others = (0..).zip(&picture.squares).filter(|(at, _)| *at != square);
        let mentioned = others.into_iter().any(|(_, s)| square_mentions(s, it));
        if mentioned || dirs_vars(&picture.ways).may_read(|v| v == it) || asks_more(&picture) {
            return None;
        }
        let inside = !mentions(&of, &binds(&picture));
        if let Square::Cells { class, bind, .. } = &mut picture.squares[square] {
            *bind = Some(it);
            let cut = match inside {
                true => of.clone(),
                false => self.everywhere(),
            };
            *class = besides.into_iter().fold(cut, Cells::and);
        }
        let found = Cells::Gather(it, self.looking_for(picture));
        Some(match inside {
            true => found,
            false => Cells::and(of, found),
        })
    }
}

/// Whether a picture runs subprograms, or gives directions a name.
fn asks_more(picture: &Picture) -> bool {
    let none: &[VarId] = &[];
    let asks = |square: &Square| match square {
        Square::Cells { class, .. } => mentions(class, none),
        Square::Edge => false,
    };
    picture.way.is_some() || picture.squares.iter().any(asks)
}
