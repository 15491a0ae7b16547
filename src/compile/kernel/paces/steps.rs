//! What a step of a trail is, read off the instructions of a loop. In: a program and the head of a loop. Out: from which cell to which
//! it goes, what is kept of it, and what it may note; nothing when it does more.

use crate::program::{
    CellExpr, Cells, Compare, Count, DirExpr, Effect, Num, Op, Pc, Picture, Program, Square, Truth,
    Value, VarId,
};

/// A step of a trail of a given number of steps.
pub struct Step<'p> {
    /// What is looked for.
    pub picture: &'p Picture,
    /// The cell that was come to.
    pub here: VarId,
    /// The next one.
    pub next: VarId,
    /// The cells that it may go to.
    pub class: &'p Cells,
    /// How many steps are left.
    pub left: VarId,
    /// Where the direction of a step is kept.
    pub heading: Option<VarId>,
    /// How many pieces it lets fall.
    pub drops: usize,
    /// What is noted, and when, before anything falls.
    pub notes: Vec<(VarId, &'p Truth)>,
}

/// The loops that go on while steps are left: their heads, the numbers, and where they leave to.
pub fn loops(program: &Program) -> impl Iterator<Item = (Pc, VarId, Pc)> {
    let many = program.code.iter().enumerate();
    many.filter_map(|(at, op)| match op {
        Op::JumpUnless(Truth::Compare(Compare::More, left, none), exit) => {
            let point = matches!(program.code.get(at + 1), Some(Op::Point(_)));
            match (left.as_ref(), none.as_ref()) {
                (Num::Var(left), Num::Const(0)) if point => Some((Pc(at as u32), *left, *exit)),
                _ => None,
            }
        }
        _ => None,
    })
}

/// What a step is, from the head of the loop back to it.
pub fn step(program: &Program, head: Pc, left: VarId) -> Option<Step<'_>> {
    let mut at = Pc(head.0 + 2);
    let mut step: Option<Step<'_>> = None;
    let (mut done, mut moved, mut fewer) = (false, false, false);
    // What stands before it may be left out, when a test fails.
    let (mut perhaps, mut test) = (at, &Truth::Const(true));
    loop {
        let op = program.code.get(at.0 as usize)?;
        let surely = at >= perhaps;
        let mut next = Pc(at.0 + 1);
        let allowed = match (op, &mut step) {
            (Op::Jump(to), Some(_)) if *to == head && surely => break,
            // What else might stand there would not be looked at.
            (Op::Jump(to), _) if *to > at => {
                next = *to;
                surely || *to == perhaps
            }
            (Op::JumpUnless(when, to), _) if *to > at => {
                (perhaps, test) = (*to, when);
                surely
            }
            (Op::Open(_) | Op::Close(_) | Op::Effect(Effect::Mark(..) | Effect::Unmark(..)), _) => {
                true
            }
            (Op::ActionDone, Some(_)) => {
                done = true;
                surely
            }
            (Op::Line(id), None) => {
                step = Some(of_picture(&program.pictures[id.0 as usize], left)?);
                surely
            }
            (Op::Effect(Effect::Drop(CellExpr::Var(cell))), Some(s)) => {
                s.drops += 1;
                surely && !moved && *cell == s.next
            }
            (Op::Let(v, Value::Truth(Truth::Const(true))), Some(s)) if !surely && s.drops == 0 => {
                s.notes.push((*v, test));
                s.may_write(*v)
            }
            (Op::Let(v, Value::Cell(CellExpr::Var(cell))), Some(s)) if *v == s.here => {
                let once = !std::mem::replace(&mut moved, true);
                surely && once && *cell == s.next
            }
            (Op::Let(v, Value::Num(less)), Some(_)) if *v == left => {
                let once = !std::mem::replace(&mut fewer, true);
                surely && once && *less == Num::arithmetic('-', Num::Var(left), Num::Const(1))
            }
            (Op::Let(v, Value::Dir(DirExpr::Var(way))), Some(s)) if s.picture.way == Some(*way) => {
                let allowed = surely && s.heading.is_none() && s.may_write(*v);
                s.heading = Some(*v);
                allowed
            }
            (Op::Let(v, _) | Op::Clear(v), Some(s)) => s.may_write(*v),
            _ => false,
        };
        if !allowed {
            return None;
        }
        at = next;
    }
    step.filter(|_| done && moved && fewer)
}

impl Step<'_> {
    /// Whether a variable is none of those that tell how the trail goes on.
    fn may_write(&self, var: VarId) -> bool {
        let own = [Some(self.here), Some(self.next), Some(self.left)];
        !own.contains(&Some(var)) && self.heading != Some(var) && self.picture.way != Some(var)
    }
}

/// What a picture tells of a step: from a cell that was come to, to the next one.
fn of_picture(picture: &Picture, left: VarId) -> Option<Step<'_>> {
    let [
        Square::Cells {
            class: Cells::Single(here),
            count: Count::One,
            ..
        },
        Square::Cells {
            class,
            count: Count::One,
            bind: Some(next),
            ..
        },
    ] = picture.squares.as_slice()
    else {
        return None;
    };
    let CellExpr::Var(here) = here.as_ref() else {
        return None;
    };
    Some(Step {
        picture,
        here: *here,
        next: *next,
        class,
        left,
        heading: None,
        drops: 0,
        notes: Vec::new(),
    })
}
