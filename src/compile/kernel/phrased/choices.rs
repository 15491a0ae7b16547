//! Choices that are one, what is found out behind a choice without it, and what is done for each of some.

use crate::compile::kernel::phrased::taken::on;
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::compile::kernel::rays::rays_return;
use crate::compile::liveness::live;
use crate::compile::points::leads;
use crate::program::{
    CellExpr, Cells, Count, Domain, Effect, NO_PC, Num, Op, Pc, Square, Value, VarId, truth_vars,
};

impl Phrasing<'_> {
    /// A cell that is chosen, and another that is the same.
    pub fn begin_on_any(&mut self, at: usize) {
        let (Op::Choose(first, Domain::Cells(set)), Op::Choose(second, Domain::Cells(same))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        if first == second || *same != Cells::Single(Box::new(CellExpr::Var(*first))) {
            return;
        }
        let value = Value::Cell(CellExpr::Var(*second));
        let named = Op::Let(*first, value);
        self.code[at - 1] = Op::Choose(*second, Domain::Cells(set.clone()));
        self.code[at] = named;
        // What a trail clears when it begins comes first.
        if let Some(Op::Clear(cleared)) = self.code.get(at + 1)
            && !self.entered[at + 1]
            && ![self.code_var(at - 1), self.code_var(at)].contains(&Some(*cleared))
        {
            self.code.swap(at, at + 1);
        }
    }

    /// The variable that an instruction gives a value.
    fn code_var(&self, at: usize) -> Option<VarId> {
        match &self.code[at] {
            Op::Choose(var, _) | Op::Let(var, _) => Some(*var),
            _ => None,
        }
    }

    /// All that is gone through is captured, removed, flipped or marked: at once.
    pub fn take_all(&mut self, at: usize) {
        let Some(
            [
                Op::Each {
                    var, rest, exit, ..
                },
                Op::Effect(effect),
                Op::Jump(back),
            ],
        ) = self.code.get(at - 1..=at + 1)
        else {
            return;
        };
        let (var, rest, exit) = (*var, *rest, *exit);
        let of = |set: &Cells| match set {
            Cells::Var(v) => *v == var,
            Cells::Single(c) => **c == CellExpr::Var(var),
            _ => false,
        };
        let Some(Op::Let(given, value)) = at.checked_sub(2).map(|before| &self.code[before]) else {
            return;
        };
        let (given, all) = match value {
            Value::Cells(set) => (*given == rest, set.clone()),
            _ => (*given == rest, Cells::Var(rest)),
        };
        let taken = match effect {
            Effect::Capture(set) if of(set) => Effect::Capture(all),
            Effect::Remove(set) if of(set) => Effect::Remove(all),
            Effect::Flip(set) if of(set) => Effect::Flip(all),
            Effect::Mark(mark, set) if of(set) => Effect::Mark(*mark, all),
            _ => return,
        };
        let come = |from: usize| leads(&self.code[from], from, at - 1);
        let twice = (0..self.code.len()).filter(|from| come(*from)).count() == 2;
        let carried = !self.is_only_named(rest);
        if back.0 as usize != at - 1 || !given || !twice || carried || self.entered[at + 1] {
            return;
        }
        self.code[at - 1] = Op::Effect(taken);
        self.code[at] = Op::Jump(exit);
        // Nobody comes back.
        self.code[at + 1] = Op::Jump(exit);
    }

    /// A requirement that a choice before it does not matter to: before the choice.
    pub fn require_first(&mut self, at: usize) {
        let mut at = at;
        while at > 0 && !self.entered[at] {
            let (before, Op::Require(test, _)) = (&self.code[at - 1], &self.code[at]) else {
                return;
            };
            let access = truth_vars(test);
            let chosen = match before {
                Op::Line(id) => binds(&self.pictures[id.0 as usize]),
                Op::Choose(var, _) => vec![*var],
                _ => return,
            };
            if access.stuck || access.may_read(|v| chosen.contains(&v)) {
                return;
            }
            self.code.swap(at - 1, at);
            at -= 1;
        }
    }

    /// A cell that is chosen from a run behind a picture: the last square of one that goes so far.
    pub fn end_in_run(&mut self, at: usize) {
        let (Op::Line(id), Op::Choose(cell, Domain::Cells(Cells::Run(run)))) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let (cell, run) = (*cell, *run);
        let mut picture = self.pictures[id.0 as usize].clone();
        let [
            ..,
            Square::Cells {
                class: before,
                count: before_is,
                ..
            },
            last,
        ] = &picture.squares[..]
        else {
            return;
        };
        let Square::Cells {
            class,
            fixed: true,
            count: Count::Between(Num::Const(1), None),
            whole,
            bind,
        } = last
        else {
            return;
        };
        // It begins where the one cell before it is, which is none of its own.
        let all = self.everywhere();
        let begins = *before_is == Count::One
            && on(before, false, &all) == Some(false)
            && on(class, true, &all) == Some(false);
        let asked = |other: usize| {
            other != at
                && self.code[other] != self.code[at]
                && self.vars_of(other).reads.contains(&run)
        };
        let returns = rays_return(&self.program.board);
        if *bind != Some(run) || (*whole && !begins) || returns || (0..self.code.len()).any(asked) {
            return;
        }
        let square = |count, bind| Square::Cells {
            class: class.clone(),
            fixed: true,
            count,
            whole: false,
            bind,
        };
        let ends = [
            square(Count::Between(Num::Const(0), None), None),
            square(Count::One, Some(cell)),
        ];
        picture.squares.pop();
        picture.squares.extend(ends);
        self.code[at - 1] = Op::Jump(Pc(at as u32));
        self.code[at] = Op::Line(self.picture(picture));
    }

    /// What is taken of those beside a cell for which a test holds: only those beside it are asked.
    pub fn ask_of_few(&mut self, at: usize) {
        if let Op::Effect(Effect::Capture(set) | Effect::Remove(set) | Effect::Flip(set)) =
            &mut self.code[at]
            && let Some(few) = asked_of_few(set)
        {
            *set = few;
        }
    }

    /// What is found out behind a choice, which it does not depend on, by running a subprogram.
    pub fn ask_before_choosing(&mut self) {
        let mut alive = None;
        let mut at = 1;
        while at < self.code.len() {
            let alive = |var: VarId, pc: Pc| {
                let alive = alive.get_or_insert_with(|| live(self.program));
                alive[pc.0 as usize][usize::from(var.0) / 64] >> (var.0 % 64) & 1 == 1
            };
            if self.entered[at] || !self.depends_not(at, alive) {
                at += 1;
                continue;
            }
            self.code.swap(at - 1, at);
            at = (at - 1).max(1);
        }
    }

    /// Whether an instruction is a value that asks a subprogram, and the one before it a choice that does not matter to it.
    fn depends_not(&self, at: usize, mut alive: impl FnMut(VarId, Pc) -> bool) -> bool {
        let (Op::Choose(chosen, _), Op::Let(named, _)) = (&self.code[at - 1], &self.code[at])
        else {
            return false;
        };
        let (asked, from) = (self.vars_of(at), self.vars_of(at - 1));
        let mut begins = asked.subs.iter().map(|s| self.program.subs[s.0 as usize]);
        chosen != named
            && !asked.subs.is_empty()
            && !asked.stuck
            && from.subs.is_empty()
            && !asked.reads.contains(chosen)
            && !from.reads.contains(named)
            && begins.all(|pc| pc != NO_PC && !alive(*chosen, pc))
    }
}

/// A set of those for which a test holds, cut to what is beside a cell: the test of what is beside the cell.
fn asked_of_few(set: &Cells) -> Option<Cells> {
    let Cells::And(a, b) = set else {
        return None;
    };
    let (of, it, test, few) = match (a.as_ref(), b.as_ref()) {
        (Cells::Where(of, it, test), few) | (few, Cells::Where(of, it, test)) => {
            (of, it, test, few)
        }
        _ => return None,
    };
    let of = Cells::and(of.as_ref().clone(), few.clone());
    is_beside_one(few).then(|| Cells::Where(Box::new(of), *it, test.clone()))
}

/// Whether a set is what is beside one cell, or less.
fn is_beside_one(set: &Cells) -> bool {
    match set {
        Cells::Adjacent(of) | Cells::AdjacentAlong(of, _) => {
            matches!(of.as_ref(), Cells::Single(_))
        }
        Cells::And(a, b) => is_beside_one(a) || is_beside_one(b),
        Cells::Without(a, _) => is_beside_one(a),
        _ => false,
    }
}
