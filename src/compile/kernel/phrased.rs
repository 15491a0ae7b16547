//! What can be said in several ways, said in the one that the other passes know. In: a program. Out: one of the same meaning, whose turns
//! go on at the same places; or nothing, where there is nothing to say otherwise.
//!
//! Before: a direction is chosen, and then looked along; what is required of how many cells a picture has stands behind it; what a choice
//! does not matter to is found out for every cell chosen; a piece is chosen, and then a trail begins on the only cell there is.
//! After: the picture is looked for along all those directions; its squares have bounds; what does not depend on a choice comes before it;
//! the trail begins on any of the pieces.
//! Conditions: nobody comes to the later of two instructions by another way; ways keep their order, which is that of directions first,
//! then cells, then how many they are.

use crate::compile::liveness::live;
use crate::compile::points::successors;
use crate::program::{
    Access, CellExpr, Cells, Compare, Count, DirExpr, Dirs, Domain, Life, NO_PC, Num, Op, Pc,
    Picture, PictureId, Program, Square, Truth, Value, Var, VarId, VarType, cells_vars, num_vars,
    op_vars,
};

/// The program said otherwise, if it can be.
pub fn phrased(program: &Program) -> Option<Program> {
    let mut phrasing = Phrasing {
        program,
        code: program.code.clone(),
        pictures: program.pictures.clone(),
        entered: entered(program),
        vars: program.vars.clone(),
        letters: Vec::new(),
    };
    for at in 1..phrasing.code.len() {
        if !phrasing.entered[at] {
            phrasing.look_along_all(at);
            phrasing.begin_on_any(at);
            phrasing.bound(at);
        }
    }
    phrasing.ask_before_choosing();
    let Phrasing {
        code,
        pictures,
        vars,
        ..
    } = phrasing;
    (code != program.code).then(|| Program {
        code,
        pictures,
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
            if to != at + 1 || matches!(op, Op::Jump(_) | Op::Branch(_)) {
                enter(Pc(to as u32));
            }
        }
    }
    program.points.iter().for_each(|point| enter(point.pc));
    program.turns.iter().for_each(|turn| enter(turn.pc));
    let subs = program.subs.iter().filter(|pc| **pc != NO_PC);
    subs.for_each(|pc| enter(*pc));
    enter(program.setup);
    entered
}

/// A program on the way to its other phrasing.
struct Phrasing<'p> {
    program: &'p Program,
    code: Vec<Op>,
    pictures: Vec<Picture>,
    entered: Vec<bool>,
    vars: Vec<Var>,
    /// For runs the numbers that say how many cells they have.
    letters: Vec<(VarId, VarId)>,
}

impl Phrasing<'_> {
    /// What an instruction does with variables.
    fn vars_of(&self, at: usize) -> Access {
        op_vars(&self.code[at], &self.pictures, &self.program.templates)
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

    /// A direction that is chosen, and the one that a picture is looked for along.
    fn look_along_all(&mut self, at: usize) {
        let (Op::Choose(way, Domain::Dirs(ways)), Op::Line(id)) =
            (&self.code[at - 1], &self.code[at])
        else {
            return;
        };
        let picture = &self.pictures[id.0 as usize];
        let along = Dirs::Single(DirExpr::Var(*way));
        let mentions = |square: &Square| square_mentions(square, *way);
        if picture.ways != along || picture.way.is_some() || picture.squares.iter().any(mentions) {
            return;
        }
        let all = Picture {
            ways: ways.clone(),
            way: Some(*way),
            squares: picture.squares.clone(),
        };
        let all = self.picture(all);
        self.code[at - 1] = Op::Jump(Pc(at as u32));
        self.code[at] = Op::Line(all);
    }

    /// A cell that is chosen, and another that is the same.
    fn begin_on_any(&mut self, at: usize) {
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

    /// What is required behind a picture of how many cells its squares have.
    fn bound(&mut self, at: usize) {
        let (Op::Line(id), Op::Require(test, reason)) = (&self.code[at - 1], &self.code[at]) else {
            return;
        };
        let (id, test) = (*id, test.clone());
        let (mut picture, reason) = (self.pictures[id.0 as usize].clone(), *reason);
        let mut left = Vec::new();
        for atom in atoms(&test) {
            if !self.has_bound(&mut picture, atom, at) {
                left.push(atom.clone());
            }
        }
        let line = Op::Line(self.picture(picture));
        match left.into_iter().reduce(Truth::and) {
            Some(left) => {
                self.code[at - 1] = line;
                self.code[at] = Op::Require(left, reason);
            }
            None => {
                self.code[at - 1] = Op::Jump(Pc(at as u32));
                self.code[at] = line;
            }
        }
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
        let letter = VarId(self.vars.len() as u16);
        let of = &self.vars[usize::from(run.0)];
        self.vars.push(Var {
            name: format!("count of {}", of.name),
            ty: VarType::Number,
            life: Life::Local,
            carried: false,
            stride: 1,
            ..of.clone()
        });
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

    /// What is found out behind a choice, which it does not depend on, by running a subprogram.
    fn ask_before_choosing(&mut self) {
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

/// The tests that all hold when a test does.
fn atoms(test: &Truth) -> Vec<&Truth> {
    match test {
        Truth::And(a, b) => [atoms(a), atoms(b)].concat(),
        test => vec![test],
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
fn square_mentions(square: &Square, var: VarId) -> bool {
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
