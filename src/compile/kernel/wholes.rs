//! Pictures on whole boards: where they match, found for all cells at once by shifts, from their last square to their first.

use crate::board::{Cells as BoardCells, Direction, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{ALL, NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Set, ShiftId, Stmt, Word};
use crate::program::{
    CellExpr, Cells, Count, Dirs, Effect, Num, Op, Pc, Picture, Square, SubId, Value, VarId,
    cells_vars, op_vars,
};

/// Stands among what is known of variables when something was done to pieces.
const CHANGED: VarId = VarId(u16::MAX);

/// Something is taken off cells of which this is true: what may be one of them is not known any more.
fn weaken(facts: &mut Vec<(VarId, Fact)>, these: Fact) {
    for (_, fact) in facts.iter_mut().filter(|(_, f)| !f.excludes(these)) {
        *fact = Fact::ANY;
    }
    facts.push((CHANGED, Fact::ANY));
}

/// Where the rest of a picture matches: on these cells, and perhaps behind the edge.
#[derive(Clone, Copy)]
pub struct Rest {
    pub cells: SV,
    off: bool,
}

/// More steps than this, and a loop stops when nothing is gained.
pub const FEW_STEPS: usize = 7;

impl<'p> Lowerer<'p> {
    /// The picture of a subprogram that only asks whether it matches.
    pub fn plain_picture(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> Option<&'p Picture> {
        let mut at = begin;
        let mut picture: Option<&'p Picture> = None;
        let mut facts: Vec<(VarId, Fact)> = Vec::new();
        let mut given: Vec<VarId> = Vec::new();
        loop {
            match self.op(at) {
                Op::Open(_) | Op::Close(_) => {}
                Op::Jump(to) if to.0 > at.0 => {
                    at = *to;
                    continue;
                }
                Op::Line(id) if picture.is_none() => {
                    let p = &self.program.pictures[id.0 as usize];
                    for s in &p.squares {
                        if let Square::Cells {
                            class,
                            bind: Some(v),
                            ..
                        } = s
                        {
                            facts.push((*v, self.known_of(class, env, cx)));
                        }
                    }
                    picture = Some(p);
                }
                Op::Let(v, _) | Op::Clear(v) if picture.is_some() => given.push(*v),
                Op::Effect(effect) if picture.is_some() => {
                    let program = self.program;
                    let asked = op_vars(self.op(at), &program.pictures, &program.templates);
                    if asked.may_read(|v| given.contains(&v)) {
                        return None;
                    }
                    if !self.cannot_fail(effect, &mut facts, env, cx) {
                        return None;
                    }
                }
                Op::Succeed => return picture,
                _ => return None,
            }
            at = Pc(at.0 + 1);
        }
    }

    /// What is true of the cells that something is taken off.
    pub fn known_off(
        &mut self,
        set: &'p Cells,
        facts: &[(VarId, Fact)],
        env: &mut Env,
        cx: Cx,
    ) -> Fact {
        let known = |of: &VarId| facts.iter().rev().find(|(v, _)| v == of);
        if let Cells::Var(v) = set
            && let Some((_, fact)) = known(v)
        {
            return *fact;
        }
        if let Cells::Single(c) = set
            && let CellExpr::Var(v) = c.as_ref()
        {
            if let Some((_, fact)) = known(v) {
                return *fact;
            }
            if let CellV::Known(c) = self.cell(c, env, cx) {
                return env.fact(c);
            }
        }
        self.known_of(set, env, cx)
    }

    pub fn cannot_fail(
        &mut self,
        effect: &'p Effect,
        facts: &mut Vec<(VarId, Fact)>,
        env: &mut Env,
        cx: Cx,
    ) -> bool {
        let mut known = |l: &mut Self, c: &'p CellExpr, facts: &[(VarId, Fact)]| {
            let CellExpr::Var(v) = c else { return None };
            // What else was known before may be otherwise; on a ring two squares may be one cell.
            let changed = facts.iter().any(|(w, _)| *w == CHANGED);
            if changed && l.returns {
                return None;
            }
            if let Some((_, f)) = facts.iter().rev().find(|(w, _)| w == v) {
                return Some(*f);
            }
            if changed {
                return None;
            }
            match l.cell(c, env, cx) {
                CellV::Known(c) => Some(env.fact(c)),
                CellV::Maybe(_) => None,
            }
        };
        if let Effect::Capture(set) | Effect::Remove(set) | Effect::Flip(set) = effect {
            let these = self.known_off(set, facts, env, cx);
            weaken(facts, these);
            return true;
        }
        match effect {
            Effect::Move(a, b) => {
                let (Some(x), Some(y)) = (known(self, a, facts), known(self, b, facts)) else {
                    return false;
                };
                if let (CellExpr::Var(from), CellExpr::Var(to)) = (a, b) {
                    facts.extend([(CHANGED, Fact::ANY), (*from, y), (*to, x)]);
                }
                x.taken() && x.excludes(y)
            }
            Effect::CaptureTop(a, under) if self.program.stacking => {
                let Some(x) = known(self, a, facts) else {
                    return false;
                };
                if (under.as_ref()).is_some_and(|c| known(self, c, facts).is_none()) {
                    return false;
                }
                weaken(facts, x);
                x.taken()
            }
            Effect::Mark(..) | Effect::Unmark(..) | Effect::Pass | Effect::Again => true,
            _ => false,
        }
    }

    /// Whether a subprogram that is a picture can be run: found on the whole board, when it can be.
    pub fn picture_exists(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> Option<V> {
        let picture = self.plain_picture(begin, env, cx)?;
        if !self.is_shiftable(picture, None) || goes_far_from_one(picture) {
            return None;
        }
        let ways = self.dirs(&picture.ways, env, cx);
        let all = match ways {
            V::K(d) => Directions(d),
            V::R(_) => Directions::range(self.program.board.directions()),
        };
        let all = if let V::K(_) = ways {
            self.one_of_each(picture, all)
        } else {
            all
        };
        if all.iter().any(|d| self.is_ragged(d.0, true)) {
            return None;
        }
        let classes = self.classes(picture, 0, env, cx);
        let mut found = NONE;
        for d in all.iter() {
            let rest = self.match_along(picture, 0, &classes, d)?;
            let its = match ways {
                V::K(_) => rest.cells,
                V::R(_) => {
                    let bit = self.f.bin(Bin::Shr, ways, V::K(u64::from(d.0)));
                    let bit = self.f.bin(Bin::And, bit, V::K(1));
                    self.f.select_set(bit, rest.cells, NONE)
                }
            };
            found = self.f.or(&mut self.fixed, found, its);
        }
        Some(self.f.some(&self.fixed, found))
    }

    /// The cells from which a picture that begins on the chosen cell matches.
    pub fn picture_starts(
        &mut self,
        sub: SubId,
        gathered: Option<VarId>,
        (var, means): (VarId, &[(VarId, Option<&'p Value>)]),
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let begin = self.sub(sub);
        if self.reads_given(begin, means) {
            return None;
        }
        let picture = self.plain_picture(begin, env, cx)?;
        let Some(Square::Cells {
            class,
            count: Count::One,
            ..
        }) = picture.squares.first()
        else {
            return None;
        };
        if !Self::is_cell_of(class, var) || !self.is_shiftable(picture, Some(var)) {
            return None;
        }
        if let Some(what) = gathered
            && !Self::gathers(picture, what)
        {
            return None;
        }
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        let ways = Directions(ways);
        if ways.iter().any(|d| self.is_ragged(d.0, true)) {
            return None;
        }
        let mut classes = vec![ALL];
        classes.extend(self.classes(picture, 1, env, cx));
        let mut found = NONE;
        for d in ways.iter() {
            let rest = self.match_along(picture, 1, &classes, d)?;
            let before = self.before(rest, d)?;
            found = self.f.or(&mut self.fixed, found, before);
        }
        Some(found)
    }

    /// Whether a variable surely holds cells when the picture matches.
    pub fn gathers(picture: &Picture, what: VarId) -> bool {
        picture.squares.iter().any(|s| match s {
            Square::Cells { count, bind, .. } if *bind == Some(what) => match count {
                Count::One | Count::New(_) => true,
                Count::Between(low, _) => matches!(low, Num::Const(n) if *n > 0),
            },
            Square::Cells { .. } | Square::Edge => false,
        })
    }

    /// Whether no square depends on those before it; nor on the chosen cell but for the first.
    pub fn is_shiftable(&self, picture: &Picture, chosen: Option<VarId>) -> bool {
        let free_ways = match &picture.ways {
            Dirs::Const(_) | Dirs::ByPlayer(..) => true,
            _ => chosen.is_none(),
        };
        let single = |s: &Square| match s {
            Square::Edge => true,
            Square::Cells { count, .. } => *count == Count::One,
        };
        // A run ends where it comes round to its beginning; a shift does not.
        let ends = !self.returns || picture.squares.iter().all(single);
        free_ways
            && ends
            && picture.squares.iter().enumerate().all(|(i, s)| match s {
                Square::Edge => true,
                Square::Cells {
                    class,
                    fixed,
                    count,
                    whole,
                    ..
                } => {
                    let free =
                        chosen.is_none_or(|v| i == 0 || !cells_vars(class).may_read(|w| w == v));
                    let sound = match count {
                        Count::One => true,
                        Count::New(_) => false,
                        Count::Between(low, high) => {
                            let (Num::Const(low), None | Some(Num::Const(_))) = (low, high) else {
                                return false;
                            };
                            let reach = match high {
                                Some(Num::Const(h)) => h - low,
                                _ => 0,
                            };
                            (!whole || *low > 0) && (0..=24).contains(low) && reach <= 24
                        }
                    };
                    *fixed && free && sound
                }
            })
    }

    pub fn classes(&mut self, picture: &'p Picture, from: usize, env: &mut Env, cx: Cx) -> Vec<SV> {
        let mut classes = Vec::new();
        for square in picture.squares.iter().skip(from) {
            classes.push(match square {
                Square::Cells { class, .. } => self.cells(class, env, cx),
                Square::Edge => NONE,
            });
        }
        classes
    }

    /// Of opposite directions one, when the picture reads the same both ways.
    pub fn one_of_each(&self, picture: &Picture, ways: Directions) -> Directions {
        let board = &self.program.board;
        let bare = |s: &Square| match s {
            Square::Cells {
                class,
                count,
                whole,
                ..
            } => Some((class.clone(), count.clone(), *whole)),
            Square::Edge => None,
        };
        let squares: Vec<_> = picture.squares.iter().map(bare).collect();
        let same = squares.iter().eq(squares.iter().rev());
        let paired = ways
            .iter()
            .all(|d| board.opposite(d).is_some_and(|o| ways.contains(o)));
        if !same || !paired || self.returns || !self.leads_back(ways) {
            return ways;
        }
        let mut half = Directions::EMPTY;
        for d in ways.iter() {
            if board.opposite(d).is_some_and(|o| !half.contains(o)) {
                half.insert(d);
            }
        }
        half
    }

    /// The cells in front of those where the rest matches.
    pub fn before(&mut self, rest: Rest, way: Direction) -> Option<SV> {
        let id = self.shift_id(way.0, true)?;
        let mut cells = self.f.shift(rest.cells, id);
        if rest.cells == ALL {
            let board = &self.program.board;
            let inner = board
                .cells()
                .iter()
                .filter(|c| board.step(*c, way).is_some());
            let inner: BoardCells = inner.collect();
            cells = self.fix(&inner);
        }
        if rest.off {
            let board = &self.program.board;
            let last = board
                .cells()
                .iter()
                .filter(|c| board.step(*c, way).is_none());
            let last: BoardCells = last.collect();
            let last = self.fix(&last);
            cells = self.f.or(&mut self.fixed, cells, last);
        }
        Some(cells)
    }

    /// Where the squares from one on match.
    pub fn match_along(
        &mut self,
        picture: &'p Picture,
        from: usize,
        classes: &[SV],
        way: Direction,
    ) -> Option<Rest> {
        let mut rest = Rest {
            cells: ALL,
            off: true,
        };
        for index in (from..picture.squares.len()).rev() {
            rest = match &picture.squares[index] {
                Square::Edge => Rest {
                    cells: NONE,
                    off: rest.off,
                },
                Square::Cells { count, whole, .. } => {
                    let class = classes[index];
                    if *whole {
                        rest.cells = self.f.without(&mut self.fixed, rest.cells, class);
                    }
                    let found = match count {
                        Count::Between(Num::Const(low), high) => {
                            let more = match high {
                                Some(Num::Const(h)) if h < low => {
                                    return Some(Rest {
                                        cells: NONE,
                                        off: false,
                                    });
                                }
                                Some(Num::Const(h)) => Some((h - low) as usize),
                                _ => None,
                            };
                            self.several(class, rest, *low as usize, more, way)?
                        }
                        _ => self.several(class, rest, 1, Some(0), way)?,
                    };
                    if *whole {
                        self.begun(found, class, way)?
                    } else {
                        found
                    }
                }
            };
        }
        Some(rest)
    }

    pub fn several(
        &mut self,
        class: SV,
        rest: Rest,
        low: usize,
        more: Option<usize>,
        way: Direction,
    ) -> Option<Rest> {
        let mut now = rest;
        for _ in 0..low {
            let before = self.before(now, way)?;
            now = Rest {
                cells: self.f.and(&mut self.fixed, class, before),
                off: false,
            };
        }
        let longest = self.longest_ray(way);
        let mut steps = more.unwrap_or(longest).min(longest);
        if self.f.is_of_state(rest.cells) {
            // Many cells, of which some surely have a long way: each step is taken, as it could not be guessed when to stop. What
            // is on the board needs no step, and what was gone already none any more.
            let gone = low + usize::from(!rest.off);
            steps = steps.min(longest.saturating_sub(gone));
        }
        if steps == 0 {
            return Some(now);
        }
        // The first step may come from behind the edge, the others cannot.
        let before = self.before(now, way)?;
        let first = self.f.and(&mut self.fixed, class, before);
        let mut all = self.f.or(&mut self.fixed, now.cells, first);
        if more.is_some() || steps <= FEW_STEPS {
            let mut last = first;
            for _ in 1..steps {
                let id = self.shift_id(way.0, true)?;
                let moved = self.f.shift(last, id);
                last = self.f.and(&mut self.fixed, class, moved);
                all = self.f.or(&mut self.fixed, all, last);
            }
        } else {
            let id = self.shift_id(way.0, true)?;
            all = self.until_stable(class, all, id);
        }
        Some(Rest {
            cells: all,
            off: now.off,
        })
    }

    /// The cells of a class that shifts come to from some cells, and these.
    pub fn until_stable(&mut self, class: SV, all: SV, id: ShiftId) -> SV {
        let set = self.f.set();
        let from = self.f.sreg(all);
        self.f.push(Stmt::LetSet(set, Set::Copy(from)));
        let label = self.f.label();
        self.f.open();
        let moved = self.f.shift(SV::R(set), id);
        let gained = self.f.and(&mut self.fixed, class, moved);
        let more = self.f.or(&mut self.fixed, SV::R(set), gained);
        let more = self.f.sreg(more);
        let same = self.f.make(Word::Same(more, set));
        self.f.push(Stmt::LetSet(set, Set::Copy(more)));
        self.f.open();
        self.f.push(Stmt::Leave(label));
        let leave = self.f.close();
        self.f.when(same, leave);
        let body = self.f.close();
        self.f.push(Stmt::Loop(label, body));
        SV::R(set)
    }

    pub fn longest_ray(&self, way: Direction) -> usize {
        let board = &self.program.board;
        let mut longest = 0;
        for c in board.cells().iter() {
            let (mut length, mut at) = (1, c);
            while let Some(next) = board.step(at, way) {
                at = next;
                length += 1;
                if length > board.len() {
                    break;
                }
            }
            longest = longest.max(length);
        }
        longest
    }

    /// Cells that have none of the class before them.
    pub fn begun(&mut self, rest: Rest, class: SV, way: Direction) -> Option<Rest> {
        let Some(back) = self.program.board.opposite(way) else {
            return Some(rest);
        };
        let id = self.shift_id(back.0, true)?;
        let longer = self.f.shift(class, id);
        Some(Rest {
            cells: self.f.without(&mut self.fixed, rest.cells, longer),
            off: rest.off,
        })
    }
}

/// Whether a picture begins on one cell and has runs of any length: it is sooner followed from there than found on the whole board.
fn goes_far_from_one(picture: &Picture) -> bool {
    let one = matches!(
        picture.squares.first(),
        Some(Square::Cells {
            class: Cells::Single(_),
            count: Count::One,
            ..
        })
    );
    let far = |square: &Square| {
        matches!(
            square,
            Square::Cells {
                count: Count::Between(_, None),
                ..
            }
        )
    };
    one && picture.squares.iter().any(far)
}
