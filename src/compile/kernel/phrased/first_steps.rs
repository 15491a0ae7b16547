//! The first step of a trail along a direction chosen before, as a picture that begins wherever the trail may begin; and trails of one
//! step, as that step.

use crate::compile::kernel::heads::begins_on;
use crate::compile::kernel::phrased::bounds::square_mentions;
use crate::compile::kernel::phrased::pictures::mentions;
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::compile::points::leads;
use crate::program::{
    CellExpr, Cells, Compare, Count, DirExpr, Dirs, Domain, Num, Op, Pc, Picture, Square, Truth,
    Value, VarId, dirs_vars,
};

impl Phrasing<'_> {
    /// A cell that is chosen, and a picture that begins on it, ends there or goes over it: the picture is looked for wherever it may be
    /// chosen.
    pub fn begin_where_chosen(&mut self, line: usize) {
        let Op::Line(id) = &self.code[line] else {
            return;
        };
        let mut picture = self.pictures[id.0 as usize].clone();
        let mut at = line;
        let (here, from, square) = loop {
            if at == 0 || self.entered[at] {
                return;
            }
            at -= 1;
            match &self.code[at] {
                Op::Jump(to) if to.0 as usize == at + 1 => {}
                Op::Choose(here, Domain::Cells(from)) => match goes_over(&picture, *here) {
                    Some(square) => break (*here, from.clone(), square),
                    None => return,
                },
                _ => return,
            }
        };
        let ways = dirs_vars(&picture.ways).may_read(|v| v == here);
        let mut others = (picture.squares.iter().enumerate()).filter(|(nth, _)| *nth != square);
        let depends = others.any(|(_, other)| square_mentions(other, here));
        if ways || depends || mentions(&from, &binds(&picture)) {
            return;
        }
        match picture.squares.get_mut(square) {
            Some(Square::Cells { class, bind, .. }) if bind.is_none() => {
                (*class, *bind) = (from, Some(here));
            }
            _ => return,
        }
        self.code[at] = Op::Jump(Pc(at as u32 + 1));
        self.code[line] = Op::Line(self.picture(picture));
    }

    /// A direction that is chosen, the cell where a trail begins, and its first step, which has to be made, that way.
    pub fn step_along_all(&mut self, at: usize) {
        let (Op::Choose(way, Domain::Dirs(ways)), Op::Choose(here, Domain::Cells(from))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (way, here) = (*way, *here);
        let Some((behind, step)) = self.first_step(at + 1) else {
            return;
        };
        let Op::Line(id) = &self.code[step] else {
            return;
        };
        let picture = &self.pictures[id.0 as usize];
        let along = Dirs::Single(DirExpr::Var(way));
        if begins_on(picture) != Some(here) || picture.way.is_some() || picture.ways != along {
            return;
        }
        // What the picture gives and what is given before it do not matter to each other.
        let given = (at + 1..behind).flat_map(|at| self.vars_of(at).writes);
        let mut before: Vec<VarId> = given.collect();
        let bound = binds(picture);
        let reads_bound = |at: usize| self.vars_of(at).may_read(|v| bound.contains(&v));
        if before.iter().any(|v| bound.contains(v)) || (at + 1..behind).any(reads_bound) {
            return;
        }
        before.extend([way, here]);
        let rest = &picture.squares[1..];
        let depends = |square: &Square| before.iter().any(|v| square_mentions(square, *v));
        if rest.iter().any(depends) || mentions(from, &[&bound[..], &[way]].concat()) {
            return;
        }
        let mut squares = vec![Square::Cells {
            class: from.clone(),
            fixed: true,
            count: Count::One,
            whole: false,
            bind: Some(here),
        }];
        squares.extend(rest.iter().cloned());
        let all = Picture {
            ways: ways.clone(),
            way: Some(way),
            squares,
        };
        // The loop of the trail goes on behind the step; what comes before the first moves up by one.
        self.code[at - 1] = Op::Line(self.picture(all));
        self.code[at..behind].rotate_left(1);
        self.code[behind - 1] = Op::Jump(Pc(step as u32 + 1));
        self.entered[step + 1] = true;
    }

    /// A loop whose number of rounds is one: what is in it is done, and then what comes behind it.
    pub fn step_once(&mut self, at: usize) {
        let (Op::Let(rounds, Value::Num(Num::Const(1))), Op::JumpUnless(test, exit)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (rounds, exit) = (*rounds, *exit);
        let any = |how, a: &Num, b: &Num| {
            how == Compare::More && *a == Num::Var(rounds) && *b == Num::Const(0)
        };
        if !matches!(test, Truth::Compare(how, a, b) if any(*how, a, b)) {
            return;
        }
        let one_less = Value::Num(Num::arithmetic('-', Num::Var(rounds), Num::Const(1)));
        let counted = Op::Let(rounds, one_less);
        let mut back = Vec::new();
        for from in 0..self.code.len() {
            if from + 1 == at || !leads(&self.code[from], from, at) {
                continue;
            }
            let is_jump = matches!(&self.code[from], Op::Jump(_));
            if !is_jump || from == 0 || self.code[from - 1] != counted || self.entered[from] {
                return;
            }
            back.push(from);
        }
        let begun = self.entries().any(|pc| pc.0 as usize == at);
        let given = |other: usize| self.vars_of(other).writes.contains(&rounds);
        let inside = (at + 1..exit.0 as usize).filter(|other| given(*other));
        if begun || inside.count() != back.len() || !self.is_only_named(rounds) {
            return;
        }
        self.code[at] = Op::Jump(Pc(at as u32 + 1));
        for from in back {
            self.code[from] = Op::Jump(exit);
        }
    }

    /// Behind which values a trail goes on to its first step, which it has to make, and where that stands.
    fn first_step(&self, from: usize) -> Option<(usize, usize)> {
        let mut known: Vec<(VarId, i64)> = Vec::new();
        let mut behind = from;
        loop {
            match self.code.get(behind)? {
                Op::Let(var, value) if !self.entered[behind] => {
                    known.retain(|(other, _)| other != var);
                    if let Value::Num(Num::Const(number)) = value {
                        known.push((*var, *number));
                    }
                }
                Op::Clear(var) if !self.entered[behind] => {
                    known.retain(|(other, _)| other != var);
                }
                _ => break,
            }
            behind += 1;
        }
        let holds = |test: &Truth| {
            let Truth::Compare(how, a, b) = test else {
                return None;
            };
            let (Num::Var(var), Num::Const(b)) = (a.as_ref(), b.as_ref()) else {
                return None;
            };
            let (_, a) = known.iter().find(|(other, _)| other == var)?;
            Some(how.holds(*a, *b))
        };
        let mut at = behind;
        // No step stands before the questions that lead to it.
        loop {
            let next = match self.code.get(at)? {
                Op::Line(_) => return Some((behind, at)),
                Op::Jump(to) => to.0 as usize,
                Op::JumpUnless(test, to) if !holds(test)? => to.0 as usize,
                Op::JumpUnless(..) => at + 1,
                _ => return None,
            };
            if next <= at {
                return None;
            }
            at = next;
        }
    }
}

/// The square of a picture that is a cell that was chosen before.
fn goes_over(picture: &Picture, cell: VarId) -> Option<usize> {
    let here = Cells::Single(Box::new(CellExpr::Var(cell)));
    let is_here = |square: &Square| match square {
        Square::Cells { class, count, .. } => *count == Count::One && *class == here,
        Square::Edge => false,
    };
    picture.squares.iter().position(is_here)
}
