//! What can be said in several ways, said in the one that the other passes know. In: a program. Out: one of the same meaning, whose turns
//! go on at the same places; or nothing, where there is nothing to say otherwise.
//!
//! Before: directions are chosen, and then looked along, or the cell next to a piece that way is named and required to be one or other;
//! what is required of a picture's cells, and of how many they are, stands behind it; of a run only the last cell is asked for; what a
//! choice does not matter to is found out for every cell chosen; a piece is chosen, and then a trail begins on the only cell there is, or
//! a direction is chosen, and then a trail begins anywhere and goes that way; all ways of a trail are gone, though only its ends matter;
//! two pictures of a rule may find the same, or one is to be one or another; a number is chosen before a picture, or a cell from what it
//! found; what is gone through is taken one by one; a set is named, and then asked for once; something is required or taken under a
//! condition.
//! After: pictures are looked for along all those directions; their squares have classes and bounds, and the last is a cell; what does not
//! depend on a choice comes before it; the trail begins on any of the pieces, or with a picture; it is chosen where a trail ends; each
//! match is found by one picture, which counts and ends by itself; all is taken at once; the set is asked for where it is; either is
//! required. Conditions: nobody comes to the later of two instructions by another way. Lists may come in another order: actions are told in
//! that of their texts.

mod aliases;
mod bounds;
mod choices;
mod conditions;
mod either;
mod ends;
mod first_steps;
mod gathered;
mod less;
mod named;
mod overlap;
mod pictures;
mod required;
mod taken;
mod trail;
mod turned;

pub use named::said_of;
pub use pictures::{Told, told_of};

use crate::compile::points::successors;
use crate::program::{
    Access, Count, Life, Op, Pc, Picture, PictureId, Program, ReasonId, Square, SubId, Truth, Var,
    VarId, VarType, op_vars,
};

/// The program said otherwise, if it can be.
pub fn phrased(program: &Program) -> Option<Program> {
    let first = rewritten(program, |program| program.conditions());
    let second = rewritten(first.as_ref().unwrap_or(program), |program| {
        program.patterns()
    });
    second.or(first)
}

/// The program behind some rewriting, if that changes it.
fn rewritten(program: &Program, rewrite: impl Fn(&mut Phrasing<'_>)) -> Option<Program> {
    let mut phrasing = Phrasing {
        program,
        code: program.code.clone(),
        pictures: program.pictures.clone(),
        subs: program.subs.clone(),
        entered: entered(program),
        vars: program.vars.clone(),
        letters: Vec::new(),
    };
    rewrite(&mut phrasing);
    let Phrasing {
        code,
        pictures,
        subs,
        vars,
        ..
    } = phrasing;
    (code != program.code).then(|| Program {
        code,
        pictures,
        subs,
        vars,
        ..program.clone()
    })
}

/// For each instruction whether it is come to otherwise than from the one before it.
fn entered(program: &Program) -> Vec<bool> {
    let mut entered = vec![false; program.code.len() + 1];
    let mut enter = |pc: Pc| {
        if let Some(entry) = entered.get_mut(pc.0 as usize) {
            *entry = true;
        }
    };
    for (at, op) in program.code.iter().enumerate() {
        for to in successors(op, at) {
            if to != at + 1 || matches!(op, Op::Branch(_)) {
                enter(Pc(to as u32));
            }
        }
    }
    program.entries().for_each(enter);
    entered
}

/// A program on the way to its other phrasing.
struct Phrasing<'p> {
    program: &'p Program,
    code: Vec<Op>,
    pictures: Vec<Picture>,
    subs: Vec<Pc>,
    entered: Vec<bool>,
    vars: Vec<Var>,
    /// For runs the numbers that say how many cells they have.
    letters: Vec<(VarId, VarId)>,
}

impl Phrasing<'_> {
    /// What stands under conditions, as far as it can do without.
    fn conditions(&mut self) {
        for at in 1..self.code.len() {
            self.require_each(at);
            self.ask_of_few(at);
            self.gather_at_once(at);
            if !self.entered[at] {
                self.ask_both(at);
                self.require_either(at);
                self.choose_required(at);
                self.choose_on_line(at);
                self.take_if_any(at);
                self.find_before_placing(at);
                self.take_where(at);
                self.take_groups(at);
            }
        }
    }

    /// What is chosen, looked for, named and taken, in the order in which the instructions stand.
    fn patterns(&mut self) {
        for at in 1..self.code.len() {
            if !self.entered[at] {
                self.require_first(at);
                self.end_in_run(at);
                self.go_any_so_far(at);
                self.look_for_chosen(at);
                self.look_along_all(at);
                self.look_beside(at);
                self.begin_where_chosen(at - 1);
                self.begin_on_any(at);
                self.step_along_all(at);
                self.bound(at);
                self.part_by_either(at);
                self.part_by_test(at);
                self.take_all(at);
            }
            self.end_on_a_square(at);
            self.choose_the_end(at - 1);
            self.part_pictures(at);
            self.ask_before_looking(at);
            self.step_once(at);
            self.look_from_the_end(at);
        }
        for at in 0..self.code.len() {
            self.forget_way(at);
            self.look_one_way(at);
        }
        self.call_by_what_it_is();
        // What is named by other names is asked for last.
        for at in (1..self.code.len()).rev() {
            if !self.entered[at] {
                self.ask_in_place(at);
            }
        }
        self.ask_before_choosing();
    }

    /// What an instruction does with variables.
    fn vars_of(&self, at: usize) -> Access {
        op_vars(&self.code[at], &self.pictures, &self.program.templates)
    }

    /// Whether some way from these instructions on asks for a variable before it has another value, in subprograms as well.
    fn asks_from(&self, begins: &[Pc], var: VarId) -> bool {
        let mut met = vec![false; self.code.len()];
        let mut ways: Vec<usize> = begins.iter().map(|pc| pc.0 as usize).collect();
        while let Some(at) = ways.pop() {
            // Behind the last instruction, or in what is never run.
            if met.get(at).is_none_or(|met| *met) {
                continue;
            }
            met[at] = true;
            let access = self.vars_of(at);
            if access.reads.contains(&var) {
                return true;
            }
            let subs = access.subs.iter().map(|sub| self.subs[sub.0 as usize]);
            ways.extend(subs.map(|pc| pc.0 as usize));
            if !access.writes.contains(&var) {
                ways.extend(successors(&self.code[at], at));
            }
        }
        false
    }

    /// Where the program is begun, with the subprograms that were added.
    fn entries(&self) -> impl Iterator<Item = Pc> {
        self.program.entries().chain(self.subs.iter().copied())
    }

    /// Requires what is left, if anything is.
    fn require_rest(&mut self, at: usize, left: Vec<Truth>, reason: ReasonId) {
        self.code[at] = match left.into_iter().reduce(Truth::and) {
            Some(left) => Op::Require(left, reason),
            None => Op::Jump(Pc(at as u32 + 1)),
        };
    }

    /// Looks for a picture and requires what is left, in place of an instruction and the one before it.
    fn look_for(&mut self, at: usize, picture: Picture, left: Vec<Truth>, reason: ReasonId) {
        let line = Op::Line(self.picture(picture));
        if left.is_empty() {
            (self.code[at - 1], self.code[at]) = (Op::Jump(Pc(at as u32)), line);
        } else {
            self.code[at - 1] = line;
            self.require_rest(at, left, reason);
        }
    }

    /// The subprogram that looks for a picture, and does nothing else.
    fn looking_for(&mut self, picture: Picture) -> SubId {
        let line = Op::Line(self.picture(picture));
        let known = self.subs.iter().position(|pc| {
            let at = pc.0 as usize;
            self.code.get(at) == Some(&line) && self.code.get(at + 1) == Some(&Op::Succeed)
        });
        let sub = known.unwrap_or_else(|| {
            self.subs.push(Pc(self.code.len() as u32));
            self.code.extend([line, Op::Succeed]);
            // It is known as such, and stays so.
            self.entered.extend([true, true]);
            self.subs.len() - 1
        });
        SubId(sub as u32)
    }

    /// Whether a variable is no part of a position: nobody asks for it but the instructions.
    fn is_only_named(&self, var: VarId) -> bool {
        !self.vars[usize::from(var.0)].in_state()
    }

    /// The picture that a subprogram looks for, when it does nothing else.
    fn looked_for(&self, sub: SubId) -> Option<&Picture> {
        let begin = self.subs[sub.0 as usize].0 as usize;
        match self.code.get(begin..begin + 2)? {
            [Op::Line(id), Op::Succeed] => Some(&self.pictures[id.0 as usize]),
            _ => None,
        }
    }

    /// A new variable, which stands beside one that is there.
    fn another(&mut self, beside: VarId, ty: VarType) -> VarId {
        let another = VarId(self.vars.len() as u16);
        let beside = &self.vars[usize::from(beside.0)];
        self.vars.push(Var {
            name: format!("{} of {}", ty.name(), beside.name),
            ty,
            life: Life::Local,
            carried: false,
            stride: 1,
            ..beside.clone()
        });
        another
    }

    /// The number of a picture, which may be there already.
    fn picture(&mut self, picture: Picture) -> PictureId {
        let known = self.pictures.iter().position(|known| *known == picture);
        let at = known.unwrap_or_else(|| {
            self.pictures.push(picture);
            self.pictures.len() - 1
        });
        PictureId(at as u32)
    }
}

/// The variables that a picture gives values.
pub fn binds(picture: &Picture) -> Vec<VarId> {
    let mut bound: Vec<VarId> = picture.way.into_iter().collect();
    for square in &picture.squares {
        if let Square::Cells { count, bind, .. } = square {
            bound.extend(bind);
            if let Count::New(letter) = count {
                bound.push(*letter);
            }
        }
    }
    bound
}

/// The tests that all hold when a test does.
pub fn atoms(test: &Truth) -> Vec<&Truth> {
    match test {
        Truth::And(a, b) => [atoms(a), atoms(b)].concat(),
        test => vec![test],
    }
}
