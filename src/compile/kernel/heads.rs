//! What the ways of a branch can begin with: the notation that is opened first, the picture that is matched first, and which of
//! the picture's cells a text tells. In: a program and an instruction. Out: all that may come first.

use crate::compile::kernel::known::Known;
use crate::compile::kernel::phrased::{Told as Said, atoms, binds, told_of};
use crate::compile::points::successors;
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Domain, Op, Part, Pc, Picture, Program, Square, SubId,
    TemplateId, Truth, Value, VarId, op_vars, picture_vars, truth_vars,
};

/// So many instructions are looked at.
const MOST: usize = 400;

/// So many stand between a picture and a name for what it found.
const NEAR: usize = 16;

/// What a way begins with.
pub struct Head<'p> {
    /// The notation that is opened first, or none before the action ends.
    pub opened: Option<TemplateId>,
    /// The picture that is matched before anything else is chosen, and where.
    pub picture: Option<(usize, &'p Picture)>,
    /// The cells that are chosen before anything else but a picture.
    pub cells: Vec<Chosen<'p>>,
    /// What is required before anything else is chosen, or done.
    pub required: Vec<&'p Truth>,
    /// The variables that were given values on the way.
    pub given: Vec<VarId>,
    /// Whether it could not be found out.
    pub unclear: bool,
}

/// A cell that is chosen from a set, and where.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chosen<'p> {
    at: usize,
    var: VarId,
    set: &'p Cells,
    /// Whether it is beside the cell that was chosen before it, and how.
    beside: Option<Beside>,
    /// Where steps lead, when it is one that steps come to from the cell that was chosen before it.
    steps: Option<&'p Cells>,
}

/// How a cell lies beside another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// It is a neighbour.
    Neighbour,
    /// A step leads there, which may be a leap.
    Step,
}

impl<'p> Head<'p> {
    /// How the second cell that is chosen is beside the first, when it is.
    pub fn step(&self) -> Option<Beside> {
        self.cells.get(1)?.beside
    }

    /// Where steps lead by which the second cell that is chosen is come to from the first.
    pub fn steps(&self) -> Option<&'p Cells> {
        self.cells.get(1)?.steps
    }

    /// The set from which a cell is chosen first, when one is.
    pub fn first(&self) -> Option<&Cells> {
        self.cells.first().map(|cell| cell.set)
    }

    /// The set that a cell is from which a text tells, and what is required of it.
    pub fn class(&self, told: &Told) -> Option<Cells> {
        let chosen = |var| self.cells.iter().find(|cell| cell.var == var);
        let class = match self.picture {
            Some((_, picture)) => match picture.squares.get(told.square)? {
                Square::Cells { class, .. } => {
                    let begun = begins_within(picture).filter(|_| told.square == 0);
                    match begun.and_then(chosen) {
                        Some(cell) => Cells::and(cell.set.clone(), class.clone()),
                        None => class.clone(),
                    }
                }
                Square::Edge => return None,
            },
            None => self.cells.get(told.square)?.set.clone(),
        };
        let Some(cell) = self.cell(told) else {
            return Some(class);
        };
        let tests = self.required.iter().flat_map(|test| atoms(test));
        Some(tests.fold(class, |class, test| match told_of(test, cell) {
            Some(Said::In(set)) => Cells::and(class, set.into_owned()),
            Some(Said::Not(set)) => Cells::without(class, set.into_owned()),
            Some(Said::There) | None => class,
        }))
    }

    /// The cell that was chosen, which a text tells.
    pub fn cell(&self, told: &Told) -> Option<VarId> {
        match self.picture {
            Some((_, picture)) => begins_within(picture).filter(|_| told.square == 0),
            None => self.cells.get(told.square).map(|cell| cell.var),
        }
    }
}

/// A place in a text: the notation, if it was open before, and which of its values.
type Place = (Option<TemplateId>, usize);

/// A cell of a picture that a text tells, or one of those that are chosen, and where in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Where.
    pub place: Place,
    /// The square, or which of those that are chosen.
    pub square: usize,
    /// Whether it is the last cell of the square's run, not the first.
    pub last: bool,
}

/// What was seen on the way to an instruction.
#[derive(Clone, PartialEq)]
struct Seen<'p> {
    at: Pc,
    opened: Option<TemplateId>,
    /// Whether something was chosen, and the picture that it was.
    chosen: bool,
    picture: Option<usize>,
    /// The cell that was chosen, where it is all that was: the picture may begin there.
    begun: Option<VarId>,
    cells: Vec<Chosen<'p>>,
    required: Vec<&'p Truth>,
    given: Vec<VarId>,
    known: Known,
}

impl Seen<'_> {
    /// Variables get values before all is chosen that matters; how often does not matter, so that loops come to an end.
    fn gives(&mut self, vars: &[VarId]) {
        for var in vars {
            if !self.chosen && !self.given.contains(var) {
                self.given.push(*var);
            }
        }
    }
}

/// All that a way may begin with.
#[allow(clippy::too_many_lines, reason = "one arm a form")]
pub fn heads(program: &Program, from: Pc) -> Vec<Head<'_>> {
    let mut found = Vec::new();
    let mut met: Vec<Seen<'_>> = Vec::new();
    let mut open = vec![Seen {
        at: from,
        opened: None,
        chosen: false,
        picture: None,
        begun: None,
        cells: Vec::new(),
        required: Vec::new(),
        given: Vec::new(),
        known: Known::default(),
    }];
    while let Some(seen) = open.pop() {
        if met.contains(&seen) {
            continue;
        }
        met.push(seen.clone());
        let picture = |at: usize| match program.code[at] {
            Op::Line(id) => Some((at, &program.pictures[id.0 as usize])),
            _ => None,
        };
        let head = Head {
            opened: seen.opened,
            picture: seen.picture.and_then(picture),
            cells: seen.cells.clone(),
            required: seen.required.clone(),
            given: seen.given.clone(),
            unclear: met.len() > MOST,
        };
        if head.unclear {
            return vec![head];
        }
        if seen.opened.is_some() && seen.chosen {
            found.push(head);
            continue;
        }
        let mut next = seen.clone();
        next.at = Pc(seen.at.0 + 1);
        let elsewhere = |to: &Pc| Seen {
            at: *to,
            ..seen.clone()
        };
        match &program.code[seen.at.0 as usize] {
            Op::Open(id) => {
                next.opened = next.opened.or(Some(*id));
                open.push(next);
            }
            Op::Require(test, _) => {
                let chosen = |v: VarId| next.cells.iter().any(|cell| cell.var == v);
                let given = |v: VarId| next.given.contains(&v) && !chosen(v);
                let known = seen.required.contains(&test);
                if !seen.chosen && !known && !reads(program, test, given) {
                    next.required.push(test);
                }
                open.push(next);
            }
            Op::Line(id) => {
                let picture = &program.pictures[id.0 as usize];
                let fits = |cell| begins_within(picture) == Some(cell);
                if !seen.chosen && seen.begun.is_none_or(fits) {
                    next.picture = Some(seen.at.0 as usize);
                }
                next.gives(&binds(picture));
                next.chosen = true;
                open.push(next);
            }
            Op::ActionDone | Op::EndTurn | Op::Succeed => found.push(head),
            Op::Choose(var, domain) => {
                if let Domain::Cells(set) = domain
                    && !seen.chosen
                {
                    next.cells.push(Chosen {
                        at: seen.at.0 as usize,
                        var: *var,
                        set,
                        beside: seen.begun.and_then(|first| beside(set, first)),
                        steps: seen.begun.and_then(|first| steps_from(set, first)),
                    });
                }
                let first = !seen.chosen && seen.begun.is_none();
                match domain {
                    Domain::Cells(_) if first => next.begun = Some(*var),
                    _ => next.chosen = true,
                }
                match domain {
                    Domain::Parts(_) => next.known.part(*var),
                    _ => next.known.forget(*var),
                }
                next.gives(&[*var]);
                open.push(next);
            }
            Op::Let(var, value) => {
                next.gives(&[*var]);
                next.chosen |= seen.begun == Some(*var);
                next.known.given(*var, value);
                open.push(next);
            }
            Op::Jump(to) => open.push(elsewhere(to)),
            Op::JumpUnless(test, to) => {
                let holds = seen.known.holds(test);
                if holds != Some(false) {
                    open.push(next);
                }
                if holds != Some(true) {
                    open.push(elsewhere(to));
                }
            }
            Op::Each {
                exit, var, rest, ..
            } => {
                next.known.forget(*var);
                next.gives(&[*var, *rest]);
                open.push(next);
                open.push(elsewhere(exit));
            }
            Op::Branch(ways) => open.extend(ways.iter().map(elsewhere)),
            Op::Clear(var) | Op::LetOfPlayer(var, ..) | Op::LetOfCell(var, ..) => {
                next.gives(&[*var]);
                next.known.forget(*var);
                open.push(next);
            }
            Op::Best { into, .. } => {
                next.gives(&[*into]);
                next.known.forget(*into);
                open.push(next);
            }
            Op::Effect(_) => {
                // Effects change what is kept, but nothing that was just given in this walk stays known behind them.
                next.known = Known::default();
                // Nor can a picture of the changed position be held against one of the position before.
                next.chosen = true;
                open.push(next);
            }
            _ => open.push(next),
        }
    }
    found
}

/// Whether a test may read some of what was given, itself or by what it looks for.
pub fn reads(program: &Program, test: &Truth, given: impl Fn(VarId) -> bool) -> bool {
    let access = truth_vars(test);
    let unknown = |sub: &SubId| {
        looked_for(program, *sub).is_none_or(|picture| {
            let reads = picture_vars(picture);
            !reads.subs.is_empty() || !reads.reads.is_empty()
        })
    };
    access.reads.iter().any(|v| given(*v)) || access.subs.iter().any(unknown)
}

/// The picture that a subprogram looks for, when it does nothing else.
pub fn looked_for(program: &Program, sub: SubId) -> Option<&Picture> {
    let at = program.subs.get(sub.0 as usize)?.0 as usize;
    match program.code.get(at..at + 2)? {
        [Op::Line(id), Op::Succeed] => program.pictures.get(id.0 as usize),
        _ => None,
    }
}

/// How all cells of a set are beside a cell, when they are.
fn beside(set: &Cells, cell: VarId) -> Option<Beside> {
    let begins = |of: &Cells| matches!(of, Cells::Single(c) if **c == CellExpr::Var(cell));
    match set {
        Cells::Without(of, _) | Cells::Where(of, ..) => beside(of, cell),
        Cells::And(a, b) => beside(a, cell).or_else(|| beside(b, cell)),
        Cells::Adjacent(of) => begins(of).then_some(Beside::Neighbour),
        Cells::AdjacentAlong(of, _) => begins(of).then_some(Beside::Step),
        _ => None,
    }
}

/// Where steps come to, when a set is what they reach from a cell.
fn steps_from(set: &Cells, first: VarId) -> Option<&Cells> {
    let begins = |seed: &Cells| matches!(seed, Cells::Single(c) if **c == CellExpr::Var(first));
    match set {
        Cells::Without(of, _) | Cells::And(of, _) => steps_from(of, first),
        Cells::Closure { seed, more, .. } => begins(seed).then_some(more),
        _ => None,
    }
}

/// Which cells of a picture's squares, or which of two ends, a text tells, when both of two ways go on with what their heads begin with: by the
/// values of what they open, and of what was open before.
pub fn told(program: &Program, head: &Head<'_>, before: &[TemplateId]) -> Vec<Told> {
    let mut found = Vec::new();
    let bound =
        |square: &Square, var| matches!(square, Square::Cells { bind: Some(v), .. } if *v == var);
    // The square that a variable is given by, and where that is.
    let square_of = |var| match head.picture {
        Some((line, picture)) => {
            let square = picture.squares.iter().position(|s| bound(s, var));
            let begun = (begins_within(picture) == Some(var)).then_some(0);
            Some((square.or(begun)?, line))
        }
        None => {
            let square = head.cells.iter().position(|cell| cell.var == var)?;
            Some((square, head.cells[square].at))
        }
    };
    let Some(line) = (head.picture.map(|(line, _)| line)).or(head.cells.last().map(|c| c.at))
    else {
        return found;
    };
    for (place, id, value) in holes_of(program, head, before) {
        let Some((var, last)) = end_named(value) else {
            continue;
        };
        let told = |square, last| Told {
            place,
            square,
            last,
        };
        if let Some((square, given)) = square_of(var) {
            found.extend(stays(program, given, var, id).then_some(told(square, last)));
        } else if let Some((at, (of, last))) = named_behind(program, line, var)
            && let Some((square, _)) = square_of(of)
            && stays(program, at, var, id)
        {
            found.push(told(square, last));
        }
    }
    found
}

/// Whether the texts of two ways tell the directions of the pictures that they begin with at the same place.
pub fn ways_told_alike(
    program: &Program,
    (a, b): (&Head<'_>, &Head<'_>),
    before: &[TemplateId],
) -> bool {
    let places = |head: &Head<'_>| {
        let Some((line, way)) = head.picture.and_then(|(line, p)| Some((line, p.way?))) else {
            return Vec::new();
        };
        let named = |value: &Value| *value == Value::Dir(DirExpr::Var(way));
        let holes = holes_of(program, head, before).into_iter();
        let holes = holes.filter(|(_, id, value)| named(value) && stays(program, line, way, *id));
        holes.map(|(place, ..)| place).collect::<Vec<_>>()
    };
    let of_b = places(b);
    places(a).iter().any(|place| of_b.contains(place))
}

/// The values that texts tell: of what a way opens, and of what was open before. Where, in which notation, and what.
fn holes_of<'p>(
    program: &'p Program,
    head: &Head<'_>,
    before: &[TemplateId],
) -> Vec<(Place, TemplateId, &'p Value)> {
    let notations = before.iter().map(|id| (Some(*id), *id));
    let mut found = Vec::new();
    for (of, id) in notations.chain(head.opened.map(|id| (None, id))) {
        let parts = program.templates[id.0 as usize].parts.iter();
        let holes = parts.filter_map(|p| match p {
            Part::Hole(value) => Some(value),
            Part::Text(_) | Part::Capture(..) => None,
        });
        found.extend(holes.enumerate().map(|(nth, value)| ((of, nth), id, value)));
    }
    found
}

/// The cell or run that a value names, and whether it is the last cell of that.
fn end_named(value: &Value) -> Option<(VarId, bool)> {
    match value {
        Value::Cell(CellExpr::Var(v) | CellExpr::RunFirst(v)) => Some((*v, false)),
        Value::Cell(CellExpr::RunLast(v)) => Some((*v, true)),
        _ => None,
    }
}

/// What a name stands for that is given soon behind a picture, and where it is given.
fn named_behind(program: &Program, line: usize, name: VarId) -> Option<(usize, (VarId, bool))> {
    let mut given = Vec::new();
    let mut at = line + 1;
    for _ in 0..NEAR {
        match program.code.get(at)? {
            Op::Let(var, value) if *var == name => {
                let end = end_named(value)?;
                return (!given.contains(&end.0)).then_some((at, end));
            }
            Op::Let(var, _) => given.push(*var),
            Op::Open(_) | Op::Require(..) => {}
            Op::Jump(to) => {
                at = to.0 as usize;
                continue;
            }
            _ => return None,
        }
        at += 1;
    }
    None
}

/// The cell on which a picture begins, where that was chosen before.
pub fn begins_on(picture: &Picture) -> Option<VarId> {
    match picture.squares.first()? {
        Square::Cells {
            class: Cells::Single(cell),
            count: Count::One,
            ..
        } => match **cell {
            CellExpr::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// The cell on which a picture begins, where that was chosen before and may have to be one of some.
fn begins_within(picture: &Picture) -> Option<VarId> {
    fn within(class: &Cells) -> Option<VarId> {
        match class {
            Cells::Single(cell) => match **cell {
                CellExpr::Var(var) => Some(var),
                _ => None,
            },
            Cells::And(a, b) => within(a).or_else(|| within(b)),
            Cells::Without(a, _) => within(a),
            _ => None,
        }
    }
    match picture.squares.first()? {
        Square::Cells {
            class,
            count: Count::One,
            ..
        } => within(class),
        Square::Cells { .. } | Square::Edge => None,
    }
}

/// The notations that are open in front of an instruction: they are filled behind it before they are opened again.
pub fn open_before(program: &Program, from: Pc) -> Vec<TemplateId> {
    let all = (0..).zip(&program.templates).map(|(id, _)| TemplateId(id));
    all.filter(|id| {
        let stop = |op: &Op| *op == Op::Open(*id);
        reaches(program, from, stop, |op| *op == Op::Close(*id))
    })
    .collect()
}

/// Whether a variable that a picture has bound stays as it is until a notation is filled.
fn stays(program: &Program, line: usize, var: VarId, until: TemplateId) -> bool {
    let writes = |op: &Op| {
        let access = op_vars(op, &program.pictures, &program.templates);
        access.writes.contains(&var)
    };
    let next = Pc(u32::try_from(line + 1).unwrap_or(u32::MAX));
    !reaches(program, next, |op| *op == Op::Close(until), writes)
}

/// Whether an instruction can be come to within the action, without going through some that stop the search.
fn reaches(
    program: &Program,
    from: Pc,
    stop: impl Fn(&Op) -> bool,
    wanted: impl Fn(&Op) -> bool,
) -> bool {
    let mut seen = vec![false; program.code.len()];
    let mut open = vec![from.0 as usize];
    while let Some(at) = open.pop() {
        if at >= seen.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let op = &program.code[at];
        if wanted(op) {
            return true;
        }
        if !stop(op) && *op != Op::ActionDone {
            open.extend(successors(op, at));
        }
    }
    false
}
