//! Pictures that begin in a part of a set, which is chosen before: listed in random games for all parts at once. In: an instruction
//! that chooses a part. Out: for each direction the first cells of all matches, found by shifts, with one word of the way for the
//! part, which is any cell of it. Before: one part after the other, and the matches of each. After: the same actions in another order, and
//! some that a requirement which asks for the part refuses when they are drawn; what of it is so for any part is asked before. Conditions:
//! between choice and picture there are only values; the picture's squares are single cells, the first ones of the part, and the others
//! do not look at it; behind it nothing is chosen until the action is complete, and each requirement asks for the part; one step
//! comes to a neighbour, and no line through a cell comes back to another.

use crate::board::{Direction, Directions};
use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{SV, V, YES};
use crate::compile::kernel::known::Known;
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::unique::Choice;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Stmt};
use crate::program::{
    Cells, Count, Dirs, Op, Pc, Picture, PictureId, Square, Truth, VarId, cells_vars, truth_vars,
};

/// So many instructions are looked at on the way to a picture, and from there to the end of the action.
const MOST: usize = 40;

/// The way from a chosen part to a picture, and to the end of the action.
struct Found<'p> {
    /// The instructions that give values or write notations on the way to the picture.
    before: Vec<Pc>,
    /// The picture.
    at: Pc,
    id: PictureId,
    ways: Directions,
    /// The variables that have the part there.
    parts: Vec<VarId>,
    /// Those that were given something else on the way, which may go with the part.
    others: Vec<VarId>,
    /// What is required as soon as the picture is matched.
    required: Vec<&'p Truth>,
}

impl<'p> Lowerer<'p> {
    /// Lists what can be done with all parts of a set, when that can be listed at once. False when not; then nothing is written.
    pub fn mingled(
        &mut self,
        (var, slot): (VarId, Slot),
        set: &'p Cells,
        pc: Pc,
        env: &Env,
        cx: Cx,
    ) -> bool {
        let apart = self.rays_part && !self.returns && self.is_mutual();
        if cx.mode != Mode::Candidates || cx.acted || !apart || !self.open_hooks(env).is_empty() {
            return false;
        }
        let found = self.picture_behind(var, pc);
        let Some(found) = found.filter(|found| self.comes_beside(found.ways)) else {
            return false;
        };
        let mut env = env.clone();
        let all = self.cells(set, &mut env, cx);
        let all = SV::R(self.f.sreg(all));
        let classes = self.classes_of_all(&found, all, &env, cx);
        for way in found.ways.iter() {
            let starts = self.shifted_starts(&classes, way.0);
            let cell = self.f.word();
            self.f.open();
            let env = env.clone();
            self.scope(|l| l.match_of_part(&found, (slot, all), (V::R(cell), way), env, cx));
            let body = self.f.close();
            let starts = self.f.sreg(starts);
            self.f.push(Stmt::ForCells(cell, starts, body));
        }
        true
    }

    /// The match that begins on a cell, in the part that has the cell.
    fn match_of_part(
        &mut self,
        found: &Found<'p>,
        (slot, all): (Slot, SV),
        (cell, way): (V, Direction),
        mut env: Env,
        cx: Cx,
    ) {
        let part = self.f.part(all, cell);
        self.put(slot, Bind::Set(part), &mut env);
        self.remember(Choice::Part(part), &mut env, cx);
        // Any cell of the part tells it.
        let word = self.f.bin(Bin::Add, cell, YES);
        self.note_path(word, &mut env, cx);
        for at in &found.before {
            self.simple(*at, &mut env, cx);
        }
        env.proven.clear();
        env.opening = false;
        env.unasked = true;
        let (mut m, _) = self.matching(found.id, found.at, &mut env, cx);
        m.way = V::K(u64::from(way.0));
        m.proven = m.picture.squares.len();
        self.give_way(&m, &mut env, cx);
        env.begin_ray();
        env.match_cells.clear();
        self.squares(&m, 0, CellV::Known(cell), env, cx);
    }

    /// What each square's cell must be whatever part is chosen.
    fn classes_of_all(&mut self, found: &Found<'p>, all: SV, env: &Env, cx: Cx) -> Vec<SV> {
        let mut env = env.clone();
        for part in &found.parts {
            if let Some(slot) = self.slot_of(*part, 0) {
                self.put(slot, Bind::Set(all), &mut env);
            }
        }
        let picture = self.picture(found.id);
        let bound: Vec<VarId> = picture.squares.iter().filter_map(bound).collect();
        let mut classes = Vec::new();
        for square in &picture.squares {
            let Square::Cells { class, bind, .. } = square else {
                continue;
            };
            let mut set = self.cells(class, &mut env, cx);
            for test in &found.required {
                // All parts together are more than one of them.
                let reads = truth_vars(test).reads;
                let unknown = |v: &VarId| bound.contains(v) || found.others.contains(v);
                let one = |var: &VarId| reads.iter().all(|v| v == var || !unknown(v));
                if let Some(var) = bind.filter(|var| reads.contains(var) && one(var))
                    && truth_goes(test, &found.parts, true)
                    && let Some(fits) = self.as_set(test, var, &[], &mut env, cx)
                {
                    set = self.f.and(&mut self.fixed, set, fits);
                }
            }
            classes.push(set);
        }
        classes
    }

    /// The picture that is matched behind a chosen part, when only values come before and nothing is chosen behind.
    fn picture_behind(&self, var: VarId, pc: Pc) -> Option<Found<'p>> {
        let (mut known, mut given, mut before) = (Known::default(), vec![var], Vec::new());
        known.part(var);
        let mut at = Pc(pc.0 + 1);
        for _ in 0..MOST {
            let next = Pc(at.0 + 1);
            at = match self.op(at) {
                Op::Let(to, value) => {
                    known.given(*to, value);
                    given.push(*to);
                    before.push(at);
                    next
                }
                Op::Open(_) => {
                    before.push(at);
                    next
                }
                // Nothing was done before the choice.
                Op::Point(_) => next,
                Op::Jump(to) => *to,
                Op::JumpUnless(test, to) => match known.holds(test)? {
                    true => next,
                    false => *to,
                },
                Op::Line(id) => {
                    let picture = self.picture(*id);
                    let ways = ways_of_part(picture, &known.parts, &given)?;
                    given.retain(|v| !known.parts.contains(v));
                    return Some(Found {
                        others: given,
                        before,
                        at,
                        id: *id,
                        ways,
                        required: self.required(next, &known.parts)?,
                        parts: known.parts,
                    });
                }
                _ => return None,
            };
        }
        None
    }

    /// What is required at once, when each requirement to the end of the action asks for one of some variables, and nothing is chosen.
    fn required(&self, mut at: Pc, parts: &[VarId]) -> Option<Vec<&'p Truth>> {
        let (mut required, mut at_once) = (Vec::new(), true);
        for _ in 0..MOST {
            at = match self.op(at) {
                Op::Require(test, _) => {
                    if !truth_vars(test).may_read(|v| parts.contains(&v)) {
                        return None;
                    }
                    required.extend(at_once.then_some(test));
                    Pc(at.0 + 1)
                }
                Op::Let(..) | Op::Effect(_) | Op::Open(_) | Op::Close(_) => {
                    at_once = false;
                    Pc(at.0 + 1)
                }
                Op::Jump(to) => *to,
                Op::ActionDone => return self.is_chosen(Pc(at.0 + 1)).then_some(required),
                _ => return None,
            };
        }
        None
    }

    /// Whether a step along any of some directions comes to a neighbour.
    fn comes_beside(&self, ways: Directions) -> bool {
        let board = &self.program.board;
        board.cells().iter().all(|cell| {
            let near = board.neighbours(cell);
            ways.iter()
                .all(|way| board.step(cell, way).is_none_or(|next| near.contains(next)))
        })
    }
}

/// The directions of a picture, when its first squares are cells of a part and no other looks at what was given with that.
fn ways_of_part(picture: &Picture, parts: &[VarId], given: &[VarId]) -> Option<Directions> {
    let Dirs::Const(ways) = picture.ways else {
        return None;
    };
    let is_part = |class: &Cells| matches!(class, Cells::Var(v) if parts.contains(v));
    let mut within = 0;
    for (nth, square) in picture.squares.iter().enumerate() {
        let Square::Cells {
            class,
            fixed: true,
            count: Count::One,
            ..
        } = square
        else {
            return None;
        };
        if is_part(class) && nth == within {
            within += 1;
        } else if cells_vars(class).may_read(|v| given.contains(&v)) {
            return None;
        }
    }
    (within > 0).then_some(ways)
}

/// The name of a square's cell.
fn bound(square: &Square) -> Option<VarId> {
    match square {
        Square::Cells { bind, .. } => *bind,
        Square::Edge => None,
    }
}

/// Whether a truth can only come to hold when some sets grow, or shrink.
fn truth_goes(test: &Truth, sets: &[VarId], grow: bool) -> bool {
    match test {
        Truth::Not(a) => truth_goes(a, sets, !grow),
        Truth::And(a, b) | Truth::Or(a, b) => {
            truth_goes(a, sets, grow) && truth_goes(b, sets, grow)
        }
        Truth::Some(set) => cells_go(set, sets, grow),
        Truth::Subset(a, b) => cells_go(a, sets, !grow) && cells_go(b, sets, grow),
        other => !truth_vars(other).may_read(|v| sets.contains(&v)),
    }
}

/// Whether a set can only grow when some sets grow, or shrink.
fn cells_go(set: &Cells, sets: &[VarId], grow: bool) -> bool {
    match set {
        Cells::Var(v) => grow || !sets.contains(v),
        Cells::And(a, b) | Cells::Or(a, b) => cells_go(a, sets, grow) && cells_go(b, sets, grow),
        Cells::Without(a, b) => cells_go(a, sets, grow) && cells_go(b, sets, !grow),
        Cells::Adjacent(a) => cells_go(a, sets, grow),
        other => !cells_vars(other).may_read(|v| sets.contains(&v)),
    }
}
