//! Trails of which only the two ends matter: where one ends is chosen among all the cells that it can come to, instead of by going
//! all the ways that there are.

use crate::compile::kernel::heads::begins_on;
use crate::compile::kernel::phrased::taken::{is_local, on};
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::compile::kernel::rays::rays_return;
use crate::compile::points::successors;
use crate::program::{
    CellExpr, Cells, Compare, Count, Domain, Effect, Life, Num, Op, Pc, Picture, Square, SubId,
    Truth, Value, Var, VarId, cells_vars, dirs_vars,
};

/// So many jumps are followed to the next instruction that is none.
const JUMPS: usize = 8;

/// A trail as the instructions say it.
struct Trail {
    /// The cell that it has come to.
    here: VarId,
    /// Where it may begin.
    from: Cells,
    /// What was chosen, by the names that it has behind the choice.
    names: Vec<VarId>,
    /// The cells that it came to.
    used: VarId,
    /// Whether it still has to go on.
    due: VarId,
    /// Where its loop begins, and where it goes on when it has ended.
    head: usize,
    exit: usize,
    steps: Vec<Step>,
}

/// A step of a trail.
struct Step {
    picture: Picture,
    /// The name of the cell that it comes to.
    next: VarId,
    /// Whether the piece goes along.
    moves: bool,
}

impl Phrasing<'_> {
    /// A trail of any length that comes to no cell twice, and changes nothing but where its piece stands: its end is chosen.
    pub fn choose_the_end(&mut self, at: usize) {
        let Some(trail) = self.trail_at(at) else {
            return;
        };
        if !self.is_alone(at, &trail) || !self.forgets(at, &trail) {
            return;
        }
        let moves = trail.steps.iter().all(|step| step.moves);
        if !moves && trail.steps.iter().any(|step| step.moves) || !self.can_wander(moves) {
            return;
        }
        let start = (trail.names.first().copied()).unwrap_or_else(|| self.like(trail.here));
        let own = Cells::Single(Box::new(CellExpr::Var(start)));
        let all = self.everywhere();
        let told = |step: &Step| step.told_by(&trail, (&own, &all), moves);
        let Some(pictures) = trail.steps.iter().map(told).collect::<Option<Vec<_>>>() else {
            return;
        };
        let reached = self.closure(trail.used, own.clone(), pictures);
        let end = self.end_of(at, &trail);
        let others = trail.names.get(1..).unwrap_or_default();
        for before in at + 1..trail.head {
            let named = match &self.code[before] {
                Op::Let(name, _) if others.contains(name) => Some(*name),
                _ => None,
            };
            self.code[before] = match named {
                Some(name) => Op::Let(name, Value::Cell(CellExpr::Var(start))),
                None => Op::Jump(Pc(before as u32 + 1)),
            };
        }
        let come = CellExpr::Var(end);
        let chosen = Domain::Cells(Cells::without(reached, own));
        let moved = moves.then(|| Op::Effect(Effect::Move(CellExpr::Var(start), come.clone())));
        let named = (end != trail.here).then_some(Op::Let(trail.here, Value::Cell(come)));
        let ways = [Some(Op::Choose(end, chosen)), moved, named];
        self.code[at] = Op::Choose(start, Domain::Cells(trail.from));
        let mut ways = ways.into_iter().flatten();
        for at in trail.head..trail.exit {
            self.code[at] = ways.next().unwrap_or(Op::Jump(Pc(trail.exit as u32)));
        }
        self.entered[trail.head] = false;
    }

    /// The trail that begins with a choice.
    fn trail_at(&self, at: usize) -> Option<Trail> {
        let Op::Choose(here, Domain::Cells(from)) = &self.code[at] else {
            return None;
        };
        let (here, cell) = (*here, CellExpr::Var(*here));
        let (mut names, mut used, mut due, mut head) = (Vec::new(), None, None, at + 1);
        while !*self.entered.get(head)? {
            match &self.code[head] {
                Op::Let(name, Value::Cells(Cells::Single(c))) if **c == cell && used.is_none() => {
                    used = Some(*name);
                }
                Op::Let(name, Value::Cell(c)) if *c == cell => names.push(*name),
                Op::Let(name, Value::Num(Num::Const(1))) if due.is_none() => due = Some(*name),
                Op::Jump(to) if to.0 as usize == head + 1 => {}
                _ => return None,
            }
            head += 1;
        }
        let (used, due) = (used?, due?);
        let on = Truth::compare(Compare::AtMost, Num::Var(due), Num::Const(0));
        let (Op::JumpUnless(test, to), Op::Branch(ways)) =
            (self.code.get(head)?, self.code.get(head + 1)?)
        else {
            return None;
        };
        let [first, second] = ways[..] else {
            return None;
        };
        let (to, first, second) = (self.behind(*to)?, self.behind(first)?, self.behind(second)?);
        let exit = match (first == to, second == to) {
            (true, false) => second,
            (false, true) => first,
            _ => return None,
        };
        if *test != on || exit <= head + 2 {
            return None;
        }
        let lines = match &self.code[to] {
            Op::Line(_) => vec![to],
            Op::Branch(ways) => {
                (ways.iter().map(|way| self.behind(*way))).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let mut trail = Trail {
            here,
            from: from.clone(),
            names,
            used,
            due,
            head,
            exit,
            steps: Vec::new(),
        };
        for line in lines {
            trail.steps.push(self.step_at(line, &trail)?);
        }
        Some(trail)
    }

    /// The instruction that is come to behind jumps.
    pub fn behind(&self, pc: Pc) -> Option<usize> {
        let mut at = pc.0 as usize;
        for _ in 0..JUMPS {
            match self.code.get(at)? {
                Op::Jump(to) => at = to.0 as usize,
                _ => return Some(at),
            }
        }
        None
    }

    /// The step that an instruction looks for, when nothing is done behind it but to go on.
    fn step_at(&self, line: usize, trail: &Trail) -> Option<Step> {
        let (Op::Line(id), Op::Require(Truth::Not(test), _)) =
            (&self.code[line], self.code.get(line + 1)?)
        else {
            return None;
        };
        let picture = &self.pictures[id.0 as usize];
        let Truth::Contains(next, set) = test.as_ref() else {
            return None;
        };
        let CellExpr::Var(next) = **next else {
            return None;
        };
        if **set != Cells::Var(trail.used) || begins_on(picture) != Some(trail.here) {
            return None;
        }
        let (mut moves, mut gone, mut noted, mut at) = (false, false, false, line + 2);
        let (here, come) = (CellExpr::Var(trail.here), CellExpr::Var(next));
        let single = Cells::Single(Box::new(come.clone()));
        let both = Cells::or(Cells::Var(trail.used), single);
        for _ in 0..2 * JUMPS {
            match self.code.get(at)? {
                Op::Jump(to) if to.0 as usize == trail.head => {
                    return (gone && noted).then(|| Step {
                        picture: picture.clone(),
                        next,
                        moves,
                    });
                }
                Op::Jump(to) => {
                    at = to.0 as usize;
                    continue;
                }
                Op::Effect(Effect::Move(from, to))
                    if *from == here && *to == come && !gone && !moves =>
                {
                    moves = true;
                }
                Op::Let(name, Value::Cell(c)) if *name == trail.here && *c == come => gone = true,
                Op::Let(name, Value::Cells(set)) if *name == trail.used && *set == both => {
                    noted = true;
                }
                Op::Let(name, Value::Num(_)) if *name == trail.due => {}
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// Whether nobody comes into a trail but by its choice, nor behind it but out of it.
    fn is_alone(&self, at: usize, trail: &Trail) -> bool {
        let inside = at + 1..=trail.exit;
        let program = self.program;
        let mut entries = (program.points.iter().map(|point| point.pc))
            .chain(program.turns.iter().map(|turn| turn.pc))
            .chain(self.subs.iter().copied());
        let mut ways = (0..self.code.len())
            .filter(|from| !(at..trail.exit).contains(from))
            .flat_map(|from| successors(&self.code[from], from));
        !entries.any(|pc| inside.contains(&(pc.0 as usize))) && !ways.any(|to| inside.contains(&to))
    }

    /// Whether nobody asks behind a trail which way it came, but for where it stands.
    fn forgets(&self, at: usize, trail: &Trail) -> bool {
        let bound = (trail.steps.iter()).flat_map(|step| binds(&step.picture));
        let inner: Vec<VarId> = bound.chain([trail.used, trail.due]).collect();
        // What subprograms ask for stands among the instructions as well.
        let mut outside = (0..self.code.len()).filter(|other| !(at..trail.exit).contains(other));
        inner.iter().all(|var| self.is_only_named(*var))
            && self.is_only_named(trail.here)
            && !outside.any(|other| self.vars_of(other).reads.iter().any(|v| inner.contains(v)))
    }

    /// Whether a piece that goes from cell to cell leaves all but itself as it was, and never stands in its own way.
    fn can_wander(&self, moves: bool) -> bool {
        let travels = |var: &Var| var.travels;
        !rays_return(&self.program.board)
            && (!moves || !self.program.stacking && !self.program.vars.iter().any(travels))
    }

    /// The cell in which a trail ends: by the name that it gets behind the trail, if nobody asks for the other.
    fn end_of(&mut self, from: usize, trail: &Trail) -> VarId {
        let here = CellExpr::Var(trail.here);
        let asked = match self.code.get(trail.exit) {
            Some(Op::Require(Truth::Contains(c, set), _)) if **c == here => Some(set.clone()),
            _ => None,
        };
        let at = trail.exit + usize::from(asked.is_some());
        let name = match self.code.get(at) {
            Some(Op::Let(name, Value::Cell(c))) if *c == here && !self.entered[at] => *name,
            _ => return trail.here,
        };
        let elsewhere = (0..self.code.len())
            .filter(|other| !(from..trail.exit).contains(other) && *other != at)
            .filter(|other| *other != trail.exit || asked.is_none())
            .any(|other| self.vars_of(other).reads.contains(&trail.here));
        let inside = (asked.iter()).any(|set| cells_vars(set).may_read(|v| v == trail.here));
        if elsewhere || inside || !self.is_only_named(name) {
            return trail.here;
        }
        if let (Some(set), Op::Require(_, reason)) = (asked, &self.code[trail.exit]) {
            let reason = *reason;
            self.code[trail.exit] = match *set == self.everywhere() {
                true => Op::Jump(Pc(at as u32)),
                false => Op::Require(Truth::Contains(Box::new(CellExpr::Var(name)), set), reason),
            };
        }
        self.code[at] = Op::Jump(Pc(at as u32 + 1));
        name
    }

    /// All that can be reached from some cells by some steps.
    fn closure(&mut self, like: VarId, seed: Cells, steps: Vec<(Picture, VarId)>) -> Cells {
        let set = self.like(like);
        let more = steps.into_iter().map(|(mut picture, next)| {
            if let Some(Square::Cells { class, fixed, .. }) = picture.squares.first_mut() {
                (*class, *fixed) = (Cells::Var(set), true);
            }
            let line = Op::Line(self.picture(picture));
            let sub = SubId(self.subs.len() as u32);
            self.subs.push(Pc(self.code.len() as u32));
            self.code.extend([line, Op::Succeed]);
            self.entered.extend([true, false]);
            Cells::Gather(next, sub)
        });
        let more = more.reduce(Cells::or);
        Cells::Closure {
            seed: Box::new(seed.clone()),
            set,
            more: Box::new(more.unwrap_or(seed)),
        }
    }

    /// A variable of the same type as another, which nobody knows.
    fn like(&mut self, other: VarId) -> VarId {
        let var = VarId(self.vars.len() as u16);
        let of = &self.vars[usize::from(other.0)];
        self.vars.push(Var {
            name: format!("{} {}", of.name, var.0),
            life: Life::Local,
            carried: false,
            ..of.clone()
        });
        var
    }
}

impl Step {
    /// The picture of the step, from any cell that a trail comes to, asked of the board before the trail; none when that does not tell it.
    fn told_by(
        &self,
        trail: &Trail,
        (start, all): (&Cells, &Cells),
        moves: bool,
    ) -> Option<(Picture, VarId)> {
        let mut picture = self.picture.clone();
        picture.way = None;
        let bound = binds(&self.picture);
        let changes =
            |v: VarId| bound.contains(&v) || [trail.here, trail.used, trail.due].contains(&v);
        if dirs_vars(&picture.ways).may_read(changes) {
            return None;
        }
        let mut comes = false;
        for square in picture.squares.iter_mut().skip(1) {
            let Square::Cells {
                class,
                count,
                whole,
                bind,
                ..
            } = square
            else {
                continue;
            };
            let number = |n: &Num| matches!(n, Num::Const(_));
            let counted = match count {
                Count::One => true,
                Count::Between(low, high) => number(low) && high.iter().all(number),
                Count::New(_) => false,
            };
            if !counted || *whole || cells_vars(class).may_read(changes) {
                return None;
            }
            let is_next = *bind == Some(self.next);
            *bind = bind.filter(|_| is_next);
            comes |= is_next && *count == Count::One;
            if !moves {
                continue;
            }
            if !is_local(class) {
                return None;
            }
            if is_next {
                // It takes nobody's place, so that it does not come back to where the piece stands now.
                if on(class, true, all) != Some(false) {
                    return None;
                }
                continue;
            }
            // Where the piece stood no cell is taken any more.
            *class = match on(class, false, all)? {
                true => Cells::or(class.clone(), start.clone()),
                false => Cells::without(class.clone(), start.clone()),
            };
        }
        comes.then_some((picture, self.next))
    }
}
