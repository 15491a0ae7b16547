//! Trails that go on as long as they can, when it is only asked whether there is one: the first step decides, and is found on
//! the whole board.

use crate::board::{Direction, Directions};
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NO, NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::{
    CellExpr, Cells, Compare, Count, Dirs, Domain, Effect, Num, Op, Pc, Picture, Square, Truth,
    Value, VarId, cells_vars, dirs_vars,
};

/// A trail of one step or more, which ends where no step can follow.
struct Full<'p> {
    /// The cell that it has come to.
    here: VarId,
    /// Where it may start.
    start: &'p Cells,
    /// What was cleared before it starts.
    cleared: Vec<VarId>,
    /// A step.
    picture: &'p Picture,
    /// What a step does.
    effects: Vec<&'p Effect>,
}

/// A picture that is looked for.
pub struct Shape<'p> {
    pub picture: &'p Picture,
    /// The class of its first square.
    pub start: &'p Cells,
    /// Along which directions, and the cells from where along each.
    pub ways: Vec<(Direction, SV)>,
}

/// Whether a comparison with a fixed number holds, of a variable that was just given one.
pub fn holds(test: &Truth, means: &[(VarId, Option<&Value>)]) -> Option<bool> {
    let Truth::Compare(Compare::AtMost, a, b) = test else {
        return None;
    };
    let (Num::Var(v), Num::Const(most)) = (a.as_ref(), b.as_ref()) else {
        return None;
    };
    match means.iter().rev().find(|(m, _)| m == v)?.1? {
        Value::Num(Num::Const(n)) => Some(n <= most),
        _ => None,
    }
}

impl<'p> Lowerer<'p> {
    /// Whether there is a trail that goes on as long as it can, when the subprogram is one.
    ///
    /// Every step captures, so every trail comes to an end somewhere; and a step is all that a trail needs.
    pub fn trail_exists(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> Option<V> {
        let shape = self.trail_shape(begin, env, cx)?;
        let found = self.starts_along(shape.picture, shape.ways, env, cx)?;
        Some(self.f.some(&self.fixed, found))
    }

    /// What must match for a subprogram to be run, when that is a picture, or the first step of a trail that goes on while it can.
    pub fn shape(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> Option<Shape<'p>> {
        let Some(picture) = self.plain_picture(begin, env, cx) else {
            return self.trail_shape(begin, env, cx);
        };
        let Some(Square::Cells { class: start, .. }) = picture.squares.first() else {
            return None;
        };
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        if !self.is_shiftable(picture, None) {
            return None;
        }
        let from = self.cells(start, env, cx);
        let ways = Directions(ways).iter().map(|way| (way, from)).collect();
        Some(Shape {
            picture,
            start,
            ways,
        })
    }

    fn trail_shape(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> Option<Shape<'p>> {
        let full = self.full_trail(begin)?;
        let picture = full.picture;
        if !self.is_shiftable(picture, None) {
            return None;
        }
        let mut facts: Vec<(VarId, Fact)> = vec![(full.here, self.known_of(full.start, env, cx))];
        for square in picture.squares.iter().skip(1) {
            let Square::Cells { class, bind, .. } = square else {
                continue;
            };
            if cells_vars(class).may_read(|_| true) {
                return None;
            }
            if let Some(v) = bind {
                facts.push((*v, self.known_of(class, env, cx)));
            }
        }
        if !self.uses_up(&full, &facts) {
            return None;
        }
        let went = self.known_of(full.start, env, cx);
        for effect in full.effects {
            if let Effect::Capture(set) | Effect::Remove(set) = effect
                && !self.known_off(set, &facts, env, cx).excludes(went)
            {
                // What goes on may be gone when the trail ends.
                return None;
            }
            if !self.cannot_fail(effect, &mut facts, env, cx) {
                return None;
            }
        }
        let mut at_first = self.cleared(&full.cleared, env, cx);
        let start = self.cells(full.start, env, cx);
        let ways = self.ways_from(&picture.ways, full.here, start, &mut at_first, cx)?;
        let start = full.start;
        Some(Shape {
            picture,
            start,
            ways,
        })
    }

    /// The cells from which a picture matches, looked for along each direction from cells of its own.
    fn starts_along(
        &mut self,
        picture: &'p Picture,
        ways: Vec<(Direction, SV)>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        if ways.iter().any(|(d, _)| self.is_ragged(d.0, true)) {
            return None;
        }
        let mut classes = vec![NONE];
        classes.extend(self.classes(picture, 1, env, cx));
        let mut found = NONE;
        for (way, from) in ways {
            classes[0] = from;
            let rest = self.match_along(picture, 0, &classes, way)?;
            found = self.f.or(&mut self.fixed, found, rest.cells);
        }
        Some(found)
    }

    /// Of a set of cells those from which the first picture that begins on the chosen one matches, when nothing is asked or done
    /// before.
    pub fn first_step(
        &mut self,
        var: VarId,
        set: SV,
        mut at: Pc,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let mut means: Vec<(VarId, Option<&'p Value>)> = Vec::new();
        let picture = loop {
            let after = Pc(at.0 + 1);
            match self.op(at) {
                Op::Line(id) => break self.picture(*id),
                Op::Let(v, value) => means.push((*v, Some(value))),
                Op::Clear(v) => means.push((*v, None)),
                Op::Open(_) | Op::Close(_) => {}
                Op::Jump(to) if to.0 > at.0 => {
                    at = *to;
                    continue;
                }
                Op::JumpUnless(test, to) if to.0 > at.0 => {
                    at = if holds(test, &means)? { after } else { *to };
                    continue;
                }
                _ => return None,
            }
            at = after;
        };
        let given = |v: &VarId| *v == var || means.iter().any(|(m, _)| m == v);
        let fixed = |s: &Square| match s {
            Square::Edge => true,
            Square::Cells { class, .. } => !cells_vars(class).may_read(|v| given(&v)),
        };
        let (first, rest) = picture.squares.split_first()?;
        let begins = matches!(first, Square::Cells { class, count: Count::One, .. } if Self::is_cell_of(class, var));
        let ways = dirs_vars(&picture.ways).reads;
        let last = |v: &VarId| means.iter().rev().find(|(m, _)| m == v);
        let told = |v: &VarId| *v != var && last(v).is_some_and(|(_, value)| value.is_some());
        if !begins
            || !rest.iter().all(fixed)
            || ways.iter().any(told)
            || !self.is_shiftable(picture, None)
        {
            return None;
        }
        let cleared = ways.iter().filter(|v| **v != var && given(v));
        let mut at_first = self.cleared(cleared, env, cx);
        let ways = self.ways_from(&picture.ways, var, set, &mut at_first, cx)?;
        self.starts_along(picture, ways, env, cx)
    }

    /// What is known when some variables are cleared.
    fn cleared<'v>(
        &mut self,
        vars: impl IntoIterator<Item = &'v VarId>,
        env: &mut Env,
        cx: Cx,
    ) -> Env {
        self.settle_piles(env, cx);
        let mut cleared = env.clone();
        for var in vars {
            if let Some(slot) = self.slot_of(*var, 0) {
                self.put(slot, Bind::Word(NO), &mut cleared);
            }
        }
        cleared
    }

    /// For each direction of a first step the cells from which it may be taken.
    fn ways_from(
        &mut self,
        ways: &'p Dirs,
        here: VarId,
        start: SV,
        env: &mut Env,
        cx: Cx,
    ) -> Option<Vec<(Direction, SV)>> {
        if let Dirs::If(test, yes, no) = ways
            && let Truth::Contains(cell, set) = test.as_ref()
            && **cell == CellExpr::Var(here)
            && !cells_vars(set).may_read(|v| v == here)
        {
            let set = self.cells(set, env, cx);
            let inside = self.f.and(&mut self.fixed, start, set);
            let outside = self.f.without(&mut self.fixed, start, set);
            let mut all = self.ways_from(yes, here, inside, env, cx)?;
            for (way, from) in self.ways_from(no, here, outside, env, cx)? {
                match all.iter_mut().find(|(w, _)| *w == way) {
                    Some((_, cells)) => *cells = self.f.or(&mut self.fixed, *cells, from),
                    None => all.push((way, from)),
                }
            }
            return Some(all);
        }
        if dirs_vars(ways).may_read(|v| v == here) {
            return None;
        }
        match self.dirs(ways, env, cx) {
            V::K(ways) => Some(Directions(ways).iter().map(|d| (d, start)).collect()),
            V::R(_) => None,
        }
    }

    /// Whether each step takes a piece away, or puts one more under the piece that goes on.
    fn uses_up(&self, full: &Full<'p>, facts: &[(VarId, Fact)]) -> bool {
        let taken = |c: &CellExpr| match c {
            CellExpr::Var(v) => facts.iter().any(|(w, f)| w == v && f.taken()),
            _ => false,
        };
        let moved_to = full.effects.iter().find_map(|e| match e {
            Effect::Move(from, to) if *from == CellExpr::Var(full.here) => Some(to),
            _ => None,
        });
        full.effects.iter().any(|e| match e {
            Effect::Capture(Cells::Single(c)) => taken(c),
            Effect::CaptureTop(c, under) => {
                taken(c) && (under.is_none() || under.as_ref() == moved_to)
            }
            _ => false,
        })
    }

    /// The trail that a subprogram is, when it is one that goes on as long as it can.
    fn full_trail(&mut self, begin: Pc) -> Option<Full<'p>> {
        let mut at = self.behind_texts(begin);
        let Op::Choose(here, Domain::Cells(start)) = self.op(at) else {
            return None;
        };
        let (mut cleared, mut ones) = (Vec::new(), Vec::new());
        let head = loop {
            at = Pc(at.0 + 1);
            match self.op(at) {
                Op::Clear(v) => cleared.push(*v),
                Op::Let(v, Value::Num(Num::Const(1))) => ones.push(*v),
                Op::Let(..) => {}
                Op::JumpUnless(..) => break at,
                _ => return None,
            }
        };
        let step = Pc(head.0 + 2);
        let (Op::JumpUnless(test, first), Op::JumpUnless(Truth::Possible(None, sub), exit)) =
            (self.op(head), self.op(Pc(head.0 + 1)))
        else {
            return None;
        };
        let Truth::Compare(Compare::AtMost, due, none) = test else {
            return None;
        };
        let (Num::Var(due), Num::Const(0)) = (due.as_ref(), none.as_ref()) else {
            return None;
        };
        if *first != step || !ones.contains(due) || !self.ends_freely(*exit, vec![*here]) {
            return None;
        }
        let (behind, (picture, effects)) = self.one_step(step, Some(*due))?;
        let begin = self.sub(*sub);
        let (end, again) = self.one_step(begin, None)?;
        let same = *again.0 == *picture && again.1 == effects;
        let goes_on = matches!(self.op(behind), Op::Jump(to) if *to == head);
        let starts_there = matches!(
            picture.squares.first(),
            Some(Square::Cells { class, count: Count::One, .. }) if Self::is_cell_of(class, *here)
        );
        (same && goes_on && starts_there && *self.op(end) == Op::Succeed).then_some(Full {
            here: *here,
            start,
            cleared,
            picture,
            effects,
        })
    }

    /// A step: its picture, what it does, and where the code goes on. What is due becomes one less.
    #[allow(clippy::type_complexity, reason = "two things and a place")]
    fn one_step(
        &self,
        begin: Pc,
        due: Option<VarId>,
    ) -> Option<(Pc, (&'p Picture, Vec<&'p Effect>))> {
        let mut at = self.behind_texts(begin);
        let Op::Line(picture) = self.op(at) else {
            return None;
        };
        let (mut effects, mut less) = (Vec::new(), due.is_none());
        loop {
            at = Pc(at.0 + 1);
            match self.op(at) {
                Op::Effect(effect) => effects.push(effect),
                Op::Let(v, value) if Some(*v) == due => {
                    let Value::Num(Num::If(_, fewer, _)) = value else {
                        return None;
                    };
                    let one = Num::arithmetic('-', Num::Var(*v), Num::Const(1));
                    less |= **fewer == one;
                }
                Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Close(_) => {}
                _ if less => return Some((at, (self.picture(*picture), effects))),
                _ => return None,
            }
        }
    }

    /// The first instruction that is more than the beginning of a text.
    fn behind_texts(&self, mut at: Pc) -> Pc {
        loop {
            match self.op(at) {
                Op::Open(_) => at = Pc(at.0 + 1),
                Op::Jump(to) if to.0 > at.0 => at = *to,
                _ => return at,
            }
        }
    }

    /// Whether nothing that can fail comes from an instruction to the end of its subprogram; some variables hold the cell of the
    /// piece that went.
    fn ends_freely(&self, mut at: Pc, mut gone: Vec<VarId>) -> bool {
        let is_gone = |c: &CellExpr, gone: &[VarId]| match c {
            CellExpr::Var(v) => gone.contains(v),
            _ => false,
        };
        loop {
            match self.op(at) {
                Op::Succeed => return true,
                Op::Open(_) | Op::Close(_) => {}
                Op::Clear(v) => gone.retain(|g| g != v),
                Op::Let(v, Value::Cell(c)) if is_gone(c, &gone) => gone.push(*v),
                Op::Let(v, _) => gone.retain(|g| g != v),
                Op::Require(Truth::Contains(c, set), _) if is_gone(c, &gone) => {
                    let all = self.program.board.cells();
                    if !matches!(set.as_ref(), Cells::Const(cells) if **cells == all) {
                        return false;
                    }
                }
                Op::Effect(Effect::Promote(c, _)) if is_gone(c, &gone) => {}
                Op::JumpUnless(_, to) if to.0 > at.0 => {
                    if !self.ends_freely(*to, gone.clone()) {
                        return false;
                    }
                }
                Op::Jump(to) if to.0 > at.0 => {
                    at = *to;
                    continue;
                }
                _ => return false,
            }
            at = Pc(at.0 + 1);
        }
    }
}
