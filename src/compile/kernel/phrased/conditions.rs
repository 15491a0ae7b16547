//! What is asked or done under a condition, as far as it is the same without: a requirement of either, two conditions as one, a direction
//! chosen only from those that are required, what is taken if there is any, and what is found before a piece is put down.

use crate::compile::kernel::phrased::pictures::mentions;
use crate::compile::kernel::phrased::taken::is_local;
use crate::compile::kernel::phrased::{Phrasing, atoms, binds};
use crate::compile::kernel::rays::rays_return;
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Effect, Members, Op, Pc, Square, SubId, Truth,
    Value, VarType, truth_vars,
};

impl Phrasing<'_> {
    /// A requirement that none of several tests holds: of each that it does not.
    pub fn require_each(&mut self, at: usize) {
        if let Op::Require(test, _) = &mut self.code[at]
            && truth_vars(test).subs.is_empty()
        {
            *test = spread(test);
        }
    }

    /// Requirements that are asked only under a condition: that it does not hold, or they do. Right behind the choice of a cell they
    /// are asked as they stand.
    pub fn require_either(&mut self, at: usize) {
        let Op::JumpUnless(when, exit) = &self.code[at - 1] else {
            return;
        };
        let named = |op: &&Op| matches!(op, Op::Let(..) | Op::Clear(_));
        let mut before = self.code[..at - 1].iter().rev().skip_while(named);
        if matches!(before.next(), Some(Op::Choose(_, Domain::Cells(_)))) {
            return;
        }
        let mut behind = at;
        let mut all: Option<(Truth, _)> = None;
        while let Some(Op::Require(test, reason)) = self.code.get(behind) {
            if self.entered[behind] && behind > at {
                return;
            }
            all = Some(match all {
                Some((before, first)) => (Truth::and(before, test.clone()), first),
                None => (test.clone(), *reason),
            });
            behind += 1;
        }
        let Some((test, reason)) = all.filter(|_| self.leads_to(behind, *exit)) else {
            return;
        };
        self.code[at - 1] = Op::Require(Truth::or(Truth::not(when.clone()), test), reason);
        self.pass_by(at..behind);
    }

    /// A condition under another, and nothing else there.
    pub fn ask_both(&mut self, at: usize) {
        let (Op::JumpUnless(first, far), Op::JumpUnless(second, near)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        if self.leads_to(near.0 as usize, *far) {
            let both = Truth::and(first.clone(), second.clone());
            self.code[at] = Op::JumpUnless(both, *near);
            self.pass_by(at - 1..at);
        }
    }

    /// A direction that is chosen, and required to be one of some.
    pub fn choose_required(&mut self, at: usize) {
        let (Op::Choose(way, Domain::Dirs(ways)), Op::Require(test, reason)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (way, reason) = (*way, *reason);
        let is_way = |dir: &DirExpr| *dir == DirExpr::Var(way);
        let (mut ways, mut left) = (ways.clone(), Vec::new());
        for atom in atoms(test) {
            match atom {
                Truth::ContainsDir(dir, some) if is_way(dir) && !names(some) => {
                    ways = Dirs::and(ways, some.as_ref().clone());
                }
                Truth::Not(inner) => match inner.as_ref() {
                    Truth::ContainsDir(dir, some) if is_way(dir) && !names(some) => {
                        ways = Dirs::without(ways, some.as_ref().clone());
                    }
                    _ => left.push(atom.clone()),
                },
                _ => left.push(atom.clone()),
            }
        }
        if left.len() == atoms(test).len() {
            return;
        }
        self.code[at - 1] = Op::Choose(way, Domain::Dirs(ways));
        self.require_rest(at, left, reason);
    }

    /// What is taken, if there is any.
    pub fn take_if_any(&mut self, at: usize) {
        let (Op::JumpUnless(asked, exit), Op::Effect(effect)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (Effect::Capture(taken) | Effect::Remove(taken) | Effect::Flip(taken)) = effect else {
            return;
        };
        let same = match (asked, taken) {
            (Truth::Some(asked), taken) => asked.as_ref() == taken,
            (Truth::Possible(None, asked), Cells::Gather(_, sub)) => self.find_alike(*asked, *sub),
            _ => false,
        };
        if same && self.leads_to(at + 1, *exit) {
            self.pass_by(at - 1..at);
        }
    }

    /// Whether two subprograms look for the same picture, but for the names of what it finds.
    fn find_alike(&self, one: SubId, other: SubId) -> bool {
        let nameless = |sub| {
            let mut picture = self.looked_for(sub)?.clone();
            let bound = binds(&picture);
            picture.way = None;
            for square in &mut picture.squares {
                if let Square::Cells { class, bind, .. } = square {
                    *bind = None;
                    if mentions(class, &bound) {
                        return None;
                    }
                }
            }
            Some(picture)
        };
        matches!((nameless(one), nameless(other)), (Some(a), Some(b)) if a == b)
    }

    /// Each of some groups is taken if it has no cell of a set beside it: those are gone through that have none. Groups of one sort are
    /// not beside each other, so that what was taken is beside none of the others.
    pub fn take_where(&mut self, at: usize) {
        let (Some(before), Some(after)) = (at.checked_sub(2), self.code.get(at + 1)) else {
            return;
        };
        let (
            Op::Let(named, Value::Groups(groups)),
            Op::Each {
                var,
                rest,
                members: Members::Parts,
                ..
            },
            Op::JumpUnless(test, exit),
            Op::Effect(effect),
        ) = (
            &self.code[before],
            &self.code[at - 1],
            &self.code[at],
            after,
        )
        else {
            return;
        };
        let (Effect::Capture(taken) | Effect::Remove(taken)) = effect else {
            return;
        };
        let whole = *taken == Cells::Var(*var) && named == rest && self.is_only_named(*rest);
        let plain = matches!(groups, Cells::Owned(_));
        let (var, rest) = (*var, *rest);
        if !whole || !plain || !is_breathless(test, &Cells::Var(var)) || self.entered[at] {
            return;
        }
        let back = Pc(at as u32 - 1);
        let idle = at + 2..exit.0 as usize + 1;
        let jumps = idle
            .clone()
            .all(|at| matches!(self.code.get(at), Some(Op::Jump(_))));
        if !jumps || !self.leads_to(at + 2, back) || !self.leads_to(idle.end - 1, back) {
            return;
        }
        let effect = self.code[at + 1].clone();
        let where_it_is = Cells::PartsWhere(Box::new(groups.clone()), var, Box::new(test.clone()));
        self.code[before] = Op::Let(rest, Value::Groups(where_it_is));
        self.code[at] = effect;
        self.code[at + 1] = Op::Jump(back);
        // Nobody comes there any more.
        self.pass_by(idle);
    }

    /// The group of each of some pieces of a player is taken if it has no empty cell beside it: all such groups that have one of the
    /// pieces are.
    pub fn take_groups(&mut self, at: usize) {
        let (Some(before), Some(Op::Effect(effect))) = (at.checked_sub(2), self.code.get(at + 1))
        else {
            return;
        };
        let (
            Op::Let(named, Value::Cells(Cells::And(owned, some))),
            Op::Each {
                var,
                rest,
                members: Members::Cells,
                exit: behind,
            },
            Op::JumpUnless(test, exit),
        ) = (&self.code[before], &self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let group = Cells::GroupOf(Box::new(CellExpr::Var(*var)));
        let (Effect::Capture(taken) | Effect::Remove(taken)) = effect else {
            return;
        };
        let same = *taken == group && named == rest && matches!(owned.as_ref(), Cells::Owned(_));
        let named = [*var, *rest].iter().all(|v| self.is_only_named(*v));
        if !same || !named || !is_breathless(test, &group) || self.entered[at + 1] {
            return;
        }
        let (back, behind) = (Pc(at as u32 - 1), *behind);
        if !self.leads_to(at + 2, back) || !self.leads_to(exit.0 as usize, back) {
            return;
        }
        let (owned, some, rest) = (owned.clone(), some.clone(), *rest);
        let captures = matches!(effect, Effect::Capture(_));
        let it = self.another(rest, VarType::Cells);
        let near = Cells::Adjacent(Box::new(Cells::Var(it)));
        let free = Truth::Some(Box::new(Cells::And(Box::new(Cells::Empty), Box::new(near))));
        let one = Truth::Some(Box::new(Cells::And(Box::new(Cells::Var(it)), some)));
        let which = Truth::and(Truth::not(free), one);
        let groups = Cells::PartsWhere(owned, it, Box::new(which));
        let taken = match captures {
            true => Effect::Capture(groups),
            false => Effect::Remove(groups),
        };
        self.code[at - 1] = Op::Effect(taken);
        self.code[at] = Op::Jump(behind);
    }

    /// What lines find from a cell behind a piece that is put down there: before it, as no line comes back to the cell. And that there is
    /// some of it is required before anything is done.
    pub fn find_before_placing(&mut self, at: usize) {
        let Op::Effect(effect) = &self.code[at - 1] else {
            return;
        };
        let free = match (&self.code[at], effect) {
            (
                Op::Let(_, Value::Cells(Cells::Gather(_, sub))),
                Effect::Place {
                    at: Cells::Single(spot),
                    ..
                },
            ) => self.looks_from(*sub, spot),
            (Op::Require(Truth::Some(set), _), _) => match set.as_ref() {
                Cells::Var(found) => self.is_only_named(*found),
                _ => false,
            },
            _ => false,
        };
        if free {
            self.code.swap(at - 1, at);
        }
    }

    /// Whether a subprogram is a picture that begins on a cell, and finds the same whatever stands there.
    fn looks_from(&self, sub: SubId, spot: &CellExpr) -> bool {
        let Some(picture) = self.looked_for(sub) else {
            return false;
        };
        let mut squares = picture.squares.iter();
        let here = |square: Option<&Square>| match square {
            Some(Square::Cells {
                class,
                count: Count::One,
                ..
            }) => *class == Cells::Single(Box::new(spot.clone())),
            _ => false,
        };
        let local = |square: &Square| match square {
            Square::Cells { class, whole, .. } => is_local(class) && !whole,
            Square::Edge => true,
        };
        let begins = here(squares.next());
        begins && squares.all(local) && !rays_return(&self.program.board)
    }

    /// Whether from an instruction on nothing is done before another.
    fn leads_to(&self, mut at: usize, to: Pc) -> bool {
        for _ in 0..4 {
            if at == to.0 as usize {
                return true;
            }
            match self.code.get(at) {
                Some(Op::Jump(next)) => at = next.0 as usize,
                _ => return false,
            }
        }
        false
    }

    /// Puts nothing in place of some instructions.
    fn pass_by(&mut self, some: std::ops::Range<usize>) {
        for at in some {
            self.code[at] = Op::Jump(Pc(at as u32 + 1));
        }
    }
}

/// A test in which it is not denied that either of several tests holds.
fn spread(test: &Truth) -> Truth {
    let denied = |test: &Truth| spread(&Truth::not(test.clone()));
    match test {
        Truth::And(a, b) => Truth::and(spread(a), spread(b)),
        Truth::Not(inner) => match inner.as_ref() {
            Truth::Or(a, b) => Truth::and(denied(a), denied(b)),
            _ => test.clone(),
        },
        _ => test.clone(),
    }
}

/// Whether directions depend on one that has a name.
fn names(dirs: &Dirs) -> bool {
    match dirs {
        Dirs::Const(_) | Dirs::ByPlayer(..) => false,
        Dirs::Or(a, b) | Dirs::And(a, b) | Dirs::Without(a, b) => names(a) || names(b),
        Dirs::Var(_) | Dirs::Single(_) | Dirs::If(..) => true,
    }
}

/// Whether a test says of a group that no empty cell is beside it, and no more.
fn is_breathless(test: &Truth, group: &Cells) -> bool {
    let Truth::Not(some) = test else {
        return false;
    };
    let Truth::Some(set) = some.as_ref() else {
        return false;
    };
    let Cells::And(a, b) = set.as_ref() else {
        return false;
    };
    let beside = Cells::Adjacent(Box::new(group.clone()));
    [(a, b), (b, a)]
        .into_iter()
        .any(|(empty, other)| **empty == Cells::Empty && **other == beside)
}
