//! A trail as its instructions say it. In: where something is chosen from which it may begin. Out: how many steps it goes and which, when
//! that is all it does.

use crate::compile::kernel::heads::begins_on;
use crate::compile::kernel::phrased::taken::{is_local, on};
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::program::{
    CellExpr, Cells, Compare, Count, Domain, Effect, Num, Op, Pc, Picture, Square, Truth, Value,
    VarId, cells_vars, dirs_vars,
};

/// So many jumps are followed to the next instruction that is none.
const JUMPS: usize = 8;

/// A trail as the instructions say it.
pub struct Trail {
    /// The cell that it has come to.
    pub here: VarId,
    /// Where it may begin.
    pub from: Cells,
    /// What was chosen, by the names that it has behind the choice.
    pub names: Vec<VarId>,
    /// The cells that it came to, when it may not come to one twice.
    pub used: Option<VarId>,
    /// How many steps it has to go yet, and may go yet, when that is counted.
    pub counted: Vec<VarId>,
    /// The fewest steps, and the most.
    pub least: i64,
    pub most: Option<i64>,
    /// Where its loop begins, and where it goes on when it has ended.
    pub head: usize,
    pub exit: usize,
    pub steps: Vec<Step>,
}

/// A step of a trail.
pub struct Step {
    pub picture: Picture,
    /// The name of the cell that it comes to.
    pub next: VarId,
    /// Whether the piece goes along.
    pub moves: bool,
}

impl Phrasing<'_> {
    /// The trail that begins with a choice.
    pub fn trail_at(&self, at: usize) -> Option<Trail> {
        let Op::Choose(here, Domain::Cells(from)) = &self.code[at] else {
            return None;
        };
        let (here, cell) = (*here, CellExpr::Var(*here));
        let (mut names, mut used, mut numbers, mut head) = (Vec::new(), None, Vec::new(), at + 1);
        while !*self.entered.get(head)? {
            match &self.code[head] {
                Op::Let(name, Value::Cells(Cells::Single(c))) if **c == cell && used.is_none() => {
                    used = Some(*name);
                }
                Op::Let(name, Value::Cell(c)) if *c == cell => names.push(*name),
                Op::Let(name, Value::Num(Num::Const(n))) => numbers.push((*name, *n)),
                Op::Jump(to) if to.0 as usize == head + 1 => {}
                _ => return None,
            }
            head += 1;
        }
        let (most, behind) = match self.goes_on_while(head, &numbers) {
            Some((most, exit)) => (Some((most, exit)), head + 1),
            None => (None, head),
        };
        let (least, to, exit) = match (self.ends_at_will(behind, &numbers), most) {
            (Some(found), _) => found,
            (None, Some((most, exit))) => (most, self.behind(Pc(behind as u32))?, exit),
            (None, None) => return None,
        };
        let elsewhere = most.is_some_and(|(_, other)| other != exit);
        if elsewhere || exit <= behind {
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
            counted: numbers.iter().map(|(name, _)| *name).collect(),
            least,
            most: most.map(|(most, _)| most),
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
        let Op::Line(id) = &self.code[line] else {
            return None;
        };
        let picture = &self.pictures[id.0 as usize];
        if begins_on(picture) != Some(trail.here) {
            return None;
        }
        let next = self.come_to(line, trail)?;
        let (here, come) = (CellExpr::Var(trail.here), CellExpr::Var(next));
        let single = Cells::Single(Box::new(come.clone()));
        let both = (trail.used).map(|used| (used, Cells::or(Cells::Var(used), single)));
        let (mut moves, mut gone, mut noted) = (false, false, both.is_none());
        let mut at = line + 1 + usize::from(both.is_some());
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
                Op::Let(name, Value::Cells(set))
                    if both
                        .as_ref()
                        .is_some_and(|(used, both)| name == used && set == both) =>
                {
                    noted = true;
                }
                Op::Let(name, Value::Num(_)) if trail.counted.contains(name) => {}
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// The cell that a step comes to, where the trail has not been before if it may not come there twice.
    fn come_to(&self, line: usize, trail: &Trail) -> Option<VarId> {
        match (trail.used, self.code.get(line + 1)?) {
            (Some(used), Op::Require(Truth::Not(test), _)) => match test.as_ref() {
                Truth::Contains(next, set) if **set == Cells::Var(used) => match **next {
                    CellExpr::Var(next) => Some(next),
                    _ => None,
                },
                _ => None,
            },
            (None, _) => self.code[line + 1..]
                .iter()
                .take(JUMPS)
                .find_map(|op| match op {
                    Op::Let(name, Value::Cell(CellExpr::Var(next))) if *name == trail.here => {
                        Some(*next)
                    }
                    _ => None,
                }),
            (Some(_), _) => None,
        }
    }

    /// How many steps a trail may go, when that is asked before each, and where it goes on when there are none left.
    fn goes_on_while(&self, at: usize, numbers: &[(VarId, i64)]) -> Option<(i64, usize)> {
        let Op::JumpUnless(Truth::Compare(Compare::More, left, none), exit) = self.code.get(at)?
        else {
            return None;
        };
        let (Num::Var(left), Num::Const(0)) = (left.as_ref(), none.as_ref()) else {
            return None;
        };
        let (_, most) = numbers.iter().find(|(name, _)| name == left)?;
        Some((*most, self.behind(*exit)?))
    }

    /// How many steps a trail has to go before it may end, where it goes on with a step, and where when it ends.
    fn ends_at_will(&self, at: usize, numbers: &[(VarId, i64)]) -> Option<(i64, usize, usize)> {
        let (Op::JumpUnless(Truth::Compare(Compare::AtMost, due, none), to), Op::Branch(ways)) =
            (self.code.get(at)?, self.code.get(at + 1)?)
        else {
            return None;
        };
        let ([first, second], Num::Var(due), Num::Const(0)) =
            (&ways[..], due.as_ref(), none.as_ref())
        else {
            return None;
        };
        let (_, least) = numbers.iter().find(|(name, _)| name == due)?;
        let (to, first, second) = (
            self.behind(*to)?,
            self.behind(*first)?,
            self.behind(*second)?,
        );
        match (first == to, second == to) {
            (true, false) => Some((*least, to, second)),
            (false, true) => Some((*least, to, first)),
            _ => None,
        }
    }
}

impl Step {
    /// The picture of the step, from any cell that a trail comes to, asked of the board before the trail; none when that does not tell it.
    pub fn told_by(
        &self,
        trail: &Trail,
        (start, all): (&Cells, &Cells),
        moves: bool,
    ) -> Option<(Picture, VarId)> {
        let mut picture = self.picture.clone();
        picture.way = None;
        let bound = binds(&self.picture);
        let changes = |v: VarId| {
            let counted = trail.counted.contains(&v);
            bound.contains(&v) || v == trail.here || trail.used == Some(v) || counted
        };
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
