//! Pictures, match by match: a loop over directions and starts, cut down by shifts of whole boards first, then along the ray.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env, RunBind};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lanes::Thread;
use crate::compile::kernel::lengths::{long_runs, whole_runs};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::rays::Ray;
use crate::compile::kernel::unique::{self, Choice, Told};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Stmt, Word};
use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Num, Pc, Picture, PictureId, Square, VarId,
};
use std::rc::Rc;

/// A picture while it is matched.
#[derive(Clone)]
pub struct Match<'p> {
    /// The picture.
    pub picture: &'p Picture,
    /// The classes that stay the same.
    pub classes: Vec<Option<SV>>,
    /// What is true of the cells of each square.
    pub facts: Vec<Fact>,
    /// The direction.
    pub way: V,
    /// Whether there are others, which are written one by one.
    pub of_several: bool,
    /// The word that the direction was taken from.
    pub word: Option<V>,
    /// Squares that are known to match from the start.
    pub proven: usize,
    /// The first and the second cell, when the second is chosen like the first.
    pub two: Option<(V, V)>,
    /// Whether the first cell is known before.
    pub anchored: bool,
    /// The sets that the first cell is from.
    pub from: Vec<SV>,
    /// Where to go on.
    pub then: Pc,
}

/// Whether a number does not become smaller when the letters in it become larger.
fn grows(n: &Num) -> bool {
    match n {
        Num::Const(_) | Num::Var(_) => true,
        Num::Add(a, b) => grows(a) && grows(b),
        Num::Sub(a, b) => grows(a) && matches!(**b, Num::Const(_)),
        _ => false,
    }
}

impl<'p> Lowerer<'p> {
    pub fn picture(&self, id: PictureId) -> &'p Picture {
        &self.program.pictures[id.0 as usize]
    }

    /// Whether the direction of a match is noted on the way.
    pub fn notes_way(picture: &Picture) -> bool {
        let runs = picture.squares.iter().any(|s| match s {
            Square::Cells { count, bind, .. } => bind.is_some() && *count != Count::One,
            Square::Edge => false,
        });
        runs || picture.way.is_some()
    }

    /// What is true of the cells of each square.
    pub fn square_facts(&self, picture: &Picture, env: &Env, cx: Cx) -> Vec<Fact> {
        let of = |s: &Square| match s {
            Square::Cells { class, .. } => self.known_here(class, env, cx),
            Square::Edge => Fact::ANY,
        };
        picture.squares.iter().map(of).collect()
    }

    /// A picture that is to be matched behind an instruction, and its directions.
    pub fn matching(&mut self, id: PictureId, pc: Pc, env: &mut Env, cx: Cx) -> (Match<'p>, V) {
        let picture = self.picture(id);
        let facts = self.square_facts(picture, env, cx);
        let ways = self.dirs(&picture.ways, env, cx);
        let mut classes = Vec::new();
        for square in &picture.squares {
            classes.push(match square {
                Square::Cells {
                    class, fixed: true, ..
                } => Some(self.cells(class, env, cx)),
                Square::Cells { .. } | Square::Edge => None,
            });
        }
        let m = Match {
            picture,
            classes,
            facts,
            way: NO,
            of_several: false,
            word: None,
            proven: 0,
            two: None,
            anchored: false,
            from: match picture.squares.first() {
                Some(Square::Cells { class, .. }) => self.drawn_from(class, env),
                Some(Square::Edge) | None => Vec::new(),
            },
            then: Pc(pc.0 + 1),
        };
        (m, ways)
    }

    /// Every match of a picture.
    pub fn line(&mut self, id: PictureId, pc: Pc, mut env: Env, cx: Cx) {
        let (mut m, ways) = self.matching(id, pc, &mut env, cx);
        let picture = m.picture;
        if let (Dirs::Single(way), V::R(_)) = (&picture.ways, ways) {
            // One direction, or none; who knows it knows the one that it is the opposite of.
            let word = self.dir(way, &mut env);
            m.word = var_of(way).map(|v| self.var_word(v, &mut env));
            m.way = self.f.bin(Bin::Sub, word, YES);
            let there = self.f.bin(Bin::Differ, word, NO);
            self.f.open();
            let all = Directions::range(self.program.board.directions());
            self.along_way(&mut m, all, env, cx);
            let body = self.f.close();
            return self.f.when(there, body);
        }
        if let Some(sight) = self.sight(&m, ways, cx) {
            return self.look(&mut m, &sight, ways, env, cx);
        }
        let laned = self.is_laned(&m, cx) && {
            let thread = Thread::new(m.clone(), env.clone(), Vec::new());
            self.lanes(&[thread], ways, cx)
        };
        if laned || self.beside(&mut m, &env, cx) {
            return;
        }
        match ways {
            V::K(0) => {}
            V::K(d) if d.is_power_of_two() => {
                m.way = V::K(u64::from(d.trailing_zeros()));
                self.along_way(&mut m, Directions(d), env, cx);
            }
            _ => {
                let all = match ways {
                    V::K(d) => Directions(d),
                    V::R(_) => Directions::range(self.program.board.directions()),
                };
                let fixed = matches!(ways, V::K(_));
                if (fixed && self.way_by_way(&m, all, &env, cx))
                    || self.cells_first(&mut m, (ways, all), &env, cx)
                {
                    return;
                }
                let way = self.f.word();
                m.way = V::R(way);
                self.f.open();
                self.along_way(&mut m, all, env, cx);
                let body = self.f.close();
                let w = self.f.reg(ways);
                self.f.push(Stmt::ForBits(way, w, body));
            }
        }
    }

    /// Gives and notes the direction of a match.
    pub fn give_way(&mut self, m: &Match<'p>, env: &mut Env, cx: Cx) {
        if Self::notes_way(m.picture) && !self.tells_beside(m.picture) {
            let word = self.f.bin(Bin::Add, m.way, YES);
            self.note_path(word, env, cx);
        }
        if let Some(slot) = m.picture.way.and_then(|v| self.slot_of(v, 0)) {
            let word = self.f.bin(Bin::Add, m.way, YES);
            self.put(slot, Bind::Word(word), env);
        }
    }

    /// Every match along a direction.
    pub fn along_way(&mut self, m: &mut Match<'p>, ways: Directions, mut env: Env, cx: Cx) {
        self.give_way(m, &mut env, cx);
        // A text may tell the direction by the name that the picture gives it.
        if let Some(slot) = m.picture.way.and_then(|v| self.slot_of(v, 0)) {
            m.word = Some(self.word(slot, &mut env));
            // What was told of an earlier one is not told of this.
            let earlier = |t: &Told| matches!(t, Told::Fixed(of, _) if *of == slot);
            env.told.retain(|t| !earlier(t));
        }
        if let Some(Square::Cells {
            class: Cells::Single(c),
            fixed: true,
            count: Count::One,
            ..
        }) = m.picture.squares.first()
        {
            let cell = self.cell(c, &mut env, cx);
            env.begin_ray();
            env.match_cells.clear();
            m.anchored = true;
            return self.scope(|l| {
                // The cell is itself: nothing to be asked.
                if let CellV::Known(_) = cell {
                    m.proven = 1;
                }
                l.squares(m, 0, cell, env, cx);
            });
        }
        let one = matches!(
            m.picture.squares.first(),
            Some(Square::Cells {
                count: Count::One,
                ..
            })
        );
        if let Some(Some(c)) = m
            .classes
            .first()
            .map(|s| s.and_then(|s| self.f.only_cell(s)))
            && one
        {
            env.begin_ray();
            env.match_cells.clear();
            m.anchored = true;
            m.proven = 1;
            return self.scope(|l| l.squares(m, 0, CellV::Known(c), env, cx));
        }
        let starts = self.starts(m, ways);
        env.begin_ray();
        env.match_cells.clear();
        let c = self.f.word();
        self.f.open();
        self.scope(|l| l.squares(m, 0, CellV::Known(V::R(c)), env, cx));
        let body = self.f.close();
        let s = self.f.sreg(starts);
        self.f.push(Stmt::ForCells(c, s, body));
    }

    /// The squares from one on; `at` is the next cell of the ray, when there is one.
    pub fn squares(&mut self, m: &Match<'p>, index: usize, at: CellV, mut env: Env, cx: Cx) {
        let Some(square) = m.picture.squares.get(index) else {
            if env.ends.is_none() && self.tells_end(m.picture) {
                self.note_end(m.way, &mut env, cx);
            }
            if Self::tells_apart(cx) {
                let named = m.picture.way.and_then(|v| self.slot_of(v, 0));
                let ray = unique::Ray {
                    way: m.way,
                    word: m.word,
                    named: match m.word {
                        Some(V::K(k)) => named.map(|slot| (slot, k)),
                        _ => None,
                    },
                    way_told: m.picture.way.is_some_and(|way| self.names_way(way)),
                    cells: std::mem::take(&mut env.match_cells),
                    one_way: matches!(m.way, V::K(_)) && !m.of_several,
                    goes_back: self.goes_back(),
                    parts: self.parts(m.picture, cx),
                    long: long_runs(m.picture),
                    whole: whole_runs(m.picture),
                    to_edge: m.picture.squares.last() == Some(&Square::Edge),
                    ends_tell: self.ends_tell(m.picture, cx),
                    from: m.from.clone(),
                    anchored: m.anchored,
                    along: matches!(m.picture.ways, Dirs::Single(_)),
                };
                env.choices.push(Choice::Match(ray));
            }
            return self.go(m.then, false, env, cx);
        };
        match square {
            Square::Edge => match at {
                CellV::Known(_) => {}
                CellV::Maybe(w) => {
                    let none = self.f.not(w);
                    self.f.open();
                    self.squares(m, index + 1, CellV::Maybe(NO), env, cx);
                    let body = self.f.close();
                    self.f.when(none, body);
                }
            },
            Square::Cells {
                class,
                count: Count::One,
                bind,
                ..
            } => {
                let set = match m.classes[index] {
                    Some(set) => set,
                    None => self.cells(class, &mut env, cx),
                };
                self.one(m, index, at, set, *bind, env, cx);
            }
            Square::Cells {
                class,
                count,
                whole,
                bind,
                ..
            } => {
                let set = match m.classes[index] {
                    Some(set) => set,
                    None => self.cells(class, &mut env, cx),
                };
                self.run(m, index, at, set, (count, *whole, *bind), env, cx);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a square and where it is")]
    pub fn one(
        &mut self,
        m: &Match<'p>,
        index: usize,
        at: CellV,
        set: SV,
        bind: Option<VarId>,
        mut env: Env,
        cx: Cx,
    ) {
        let (c, there) = match at {
            CellV::Known(c) => (c, YES),
            CellV::Maybe(NO) => return,
            CellV::Maybe(w) => (self.f.bin(Bin::Sub, w, YES), self.f.bin(Bin::Differ, w, NO)),
        };
        let sure = index < m.proven;
        if !sure {
            self.f.open();
            self.f.open();
        }
        let has = if sure {
            YES
        } else {
            self.f.has(&self.fixed, set, c)
        };
        if !sure {
            self.f.open();
        }
        if !self.returns {
            env.on_ray(c);
        }
        // A cell that is named is told by its name.
        let named = self.f.only_cell(set).filter(|_| index > 0);
        env.match_cells.push((named.unwrap_or(c), None, false));
        if let Some(slot) = bind.and_then(|v| self.slot_of(v, 0)) {
            env.know(c, m.facts[index]);
            self.put(slot, Bind::Cell(c), &mut env);
            if !self.tells_end(m.picture) {
                let word = self.f.bin(Bin::Add, c, YES);
                self.note_path(word, &mut env, cx);
            }
        }
        let next = if let (0, Some((_, second))) = (index, m.two) {
            CellV::Known(second)
        } else if index + 1 < m.picture.squares.len() {
            let next = match m.two {
                Some((first, _)) if index == 1 && matches!(m.way, V::R(_)) => {
                    self.step_behind(first, c, m.way)
                }
                _ => self.step(c, m.way),
            };
            if index + 1 < m.proven {
                CellV::Known(self.f.bin(Bin::Sub, next, YES))
            } else {
                CellV::Maybe(next)
            }
        } else {
            CellV::Maybe(NO)
        };
        self.squares(m, index + 1, next, env, cx);
        if !sure {
            let body = self.f.close();
            self.f.when(has, body);
            let body = self.f.close();
            self.f.when(there, body);
            let body = self.f.close();
            self.f.when(YES, body);
        }
    }

    /// Whether a square is at least one cell.
    pub fn has_one(count: &Count) -> bool {
        match count {
            Count::One | Count::New(_) => true,
            Count::Between(low, _) => matches!(low, Num::Const(n) if *n > 0),
        }
    }

    /// Whether a run must go on as far as it can, since what comes behind it is something else, whichever square it is.
    pub fn is_greedy(m: &Match<'p>, index: usize) -> bool {
        for (at, square) in m.picture.squares.iter().enumerate().skip(index + 1) {
            let Square::Cells { count, .. } = square else {
                return true;
            };
            if !m.facts[index].excludes(m.facts[at]) {
                return false;
            }
            if Self::has_one(count) {
                return true;
            }
        }
        false
    }

    /// How many cells a run must have, and may have at most.
    pub fn bounds(&mut self, count: &'p Count, env: &mut Env, cx: Cx) -> (V, Option<V>) {
        let Count::Between(low, high) = count else {
            return (YES, None);
        };
        let low = self.num(low, env, cx);
        let low = self.f.bin(Bin::Larger, low, NO);
        (low, high.as_ref().map(|h| self.num(h, env, cx)))
    }

    /// Whether a run can have one length only, when the first cell of the match is known, the last one, and the lengths of all other
    /// runs of which this is not said. Behind a run of many lengths one that goes on as far as it can may begin in many places.
    pub fn has_one_length(m: &Match<'p>, index: usize) -> bool {
        let mut placed = true;
        for (at, square) in m.picture.squares.iter().enumerate().take(index + 1) {
            let Square::Cells { count, whole, .. } = square else {
                continue;
            };
            let exact = match count {
                Count::One => true,
                Count::Between(low, Some(high)) => low == high && (placed || grows(low)),
                Count::Between(_, None) | Count::New(_) => false,
            };
            let one = exact || *whole || (placed && Self::is_greedy(m, at));
            if at == index {
                return one;
            }
            placed &= one;
        }
        true
    }

    #[allow(clippy::too_many_arguments, reason = "a square and where it is")]
    pub fn run(
        &mut self,
        m: &Match<'p>,
        index: usize,
        at: CellV,
        set: SV,
        (count, whole, bind): (&'p Count, bool, Option<VarId>),
        mut env: Env,
        cx: Cx,
    ) {
        let (low, high) = self.bounds(count, &mut env, cx);
        let first = match at {
            CellV::Known(c) => self.f.bin(Bin::Add, c, YES),
            CellV::Maybe(w) => w,
        };
        if first == NO && low != NO && matches!(low, V::K(_)) {
            return;
        }
        let mut conditions = Vec::new();
        if let Some(high) = high {
            conditions.push(self.f.bin(Bin::AtMost, low, high));
        }
        if whole && !self.surely_begins(m, index) {
            conditions.push(self.begins(first, set, m.way));
        }
        conditions.iter().for_each(|_| self.f.open());
        let ray = Ray {
            length: self.f.word(),
            current: self.f.word(),
            label: self.f.label(),
        };
        self.f.push(Stmt::Let(ray.length, Word::Const(0)));
        let from = self.f.reg(first);
        self.f.push(Stmt::Let(ray.current, Word::Copy(from)));
        if Self::is_greedy(m, index) || (whole && index + 1 == m.picture.squares.len()) {
            if self.sees_rays() {
                let (length, next) = self.run_end(first, set, m.way);
                let (length, next) = (self.f.reg(length), self.f.reg(next));
                self.f.push(Stmt::Let(ray.length, Word::Copy(length)));
                self.f.push(Stmt::Let(ray.current, Word::Copy(next)));
            } else {
                self.f.open();
                let goes = self.goes_on(&ray, set);
                self.leave_unless(goes, ray.label);
                self.advance_ray(&ray, first, m.way);
                let body = self.f.close();
                self.f.push(Stmt::Loop(ray.label, body));
            }
            let mut fits = self.f.bin(Bin::AtMost, low, V::R(ray.length));
            if let Some(high) = high {
                let under = self.f.bin(Bin::AtMost, V::R(ray.length), high);
                fits = self.f.both(fits, under);
            }
            self.f.open();
            self.matched(m, index, first, &ray, (count, bind), env, cx);
            let body = self.f.close();
            self.f.when(fits, body);
        } else if bind.is_none()
            || whole
            || !self.is_last_choice(m, index, low, cx)
            || !self.span(m, index, (first, set), (low, high), bind, env.clone(), cx)
        {
            self.f.open();
            let goes = self.goes_on(&ray, set);
            let mut fits = self.f.bin(Bin::AtMost, low, V::R(ray.length));
            if whole {
                let over = self.f.not(goes);
                fits = self.f.both(fits, over);
            }
            self.f.open();
            self.scope(|l| l.matched(m, index, first, &ray, (count, bind), env, cx));
            let body = self.f.close();
            self.f.when(fits, body);
            let more = match high {
                Some(high) => {
                    let under = self.f.bin(Bin::Less, V::R(ray.length), high);
                    self.f.both(goes, under)
                }
                None => goes,
            };
            self.leave_unless(more, ray.label);
            self.advance_ray(&ray, first, m.way);
            let body = self.f.close();
            self.f.push(Stmt::Loop(ray.label, body));
        }
        for v in conditions.into_iter().rev() {
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a square and where it is")]
    pub fn matched(
        &mut self,
        m: &Match<'p>,
        index: usize,
        first: V,
        ray: &Ray,
        (count, bind): (&'p Count, Option<VarId>),
        mut env: Env,
        cx: Cx,
    ) {
        // Registers of their own: the loop changes its own ones.
        let length = self.f.make(Word::Copy(ray.length));
        let next = self.f.make(Word::Copy(ray.current));
        let (start, _) = self.safe(first);
        env.match_cells
            .push((start, Some(length), !Self::has_one_length(m, index)));
        let told_later = self.tells_end(m.picture);
        if let Some(slot) = bind.and_then(|v| self.slot_of(v, 0)) {
            let run = RunBind {
                some: Self::has_one(count),
                start,
                way: m.way,
                length,
                fact: m.facts[index],
                next: [index + 1, index + 2].map(|at| Self::bound_at(m.picture, at)),
            };
            if !self.returns {
                env.run_on_ray(start);
            }
            self.put(slot, Bind::Run(Rc::new(run)), &mut env);
            if !told_later {
                self.note_path(start, &mut env, cx);
                self.note_path(length, &mut env, cx);
            }
        }
        if let Count::New(letter) = count {
            if let Some(slot) = self.slot_of(*letter, 0) {
                self.put(slot, Bind::Word(length), &mut env);
            }
            if bind.is_none() && !told_later {
                self.note_path(length, &mut env, cx);
            }
            let room = self.later_bounds(m, index, &mut env, cx);
            self.f.open();
            self.squares(m, index + 1, CellV::Maybe(next), env, cx);
            let body = self.f.close();
            return self.f.when(room, body);
        }
        self.squares(m, index + 1, CellV::Maybe(next), env, cx);
    }

    /// The match that the way says.
    pub fn line_chosen(&mut self, id: PictureId, env: &mut Env, cx: Cx) {
        let picture = self.picture(id);
        let facts = self.square_facts(picture, env, cx);
        let mut way = NO;
        env.begin_ray();
        let mut anchor = None;
        if let Some(Square::Cells {
            class: Cells::Single(c),
            count: Count::One,
            ..
        }) = picture.squares.first()
            && let CellV::Known(c) = self.cell(c, env, cx)
        {
            env.on_ray(c);
            anchor = Some(c);
        }
        if Self::notes_way(picture) && !self.tells_beside(picture) {
            let word = self.read_path(env);
            way = self.f.bin(Bin::Sub, word, YES);
            if let Some(slot) = picture.way.and_then(|v| self.slot_of(v, 0)) {
                self.put(slot, Bind::Word(word), env);
            }
        }
        if self.tells_end(picture) {
            return self.match_of_end(picture, &facts, way, env);
        }
        for (index, square) in picture.squares.iter().enumerate() {
            let Square::Cells { count, bind, .. } = square else {
                continue;
            };
            if let (Count::One, Some(slot)) = (count, bind.and_then(|v| self.slot_of(v, 0))) {
                let word = self.read_path(env);
                let c = match anchor.filter(|_| index == 0) {
                    // A name more for the cell that it begins on.
                    Some(c) => c,
                    None => {
                        let c = self.f.bin(Bin::Sub, word, YES);
                        if !self.returns {
                            env.on_ray(c);
                        }
                        c
                    }
                };
                env.know(c, facts[index]);
                self.put(slot, Bind::Cell(c), env);
                continue;
            }
            let mut length = None;
            if *count != Count::One
                && let Some(slot) = bind.and_then(|v| self.slot_of(v, 0))
            {
                let start = self.read_path(env);
                let many = self.read_path(env);
                let run = RunBind {
                    some: Self::has_one(count),
                    start,
                    way,
                    length: many,
                    fact: facts[index],
                    next: [index + 1, index + 2].map(|at| Self::bound_at(picture, at)),
                };
                if !self.returns {
                    env.run_on_ray(start);
                }
                self.put(slot, Bind::Run(Rc::new(run)), env);
                length = Some(many);
            }
            if let Count::New(letter) = count {
                let length = match length {
                    Some(length) => length,
                    None => self.read_path(env),
                };
                if let Some(slot) = self.slot_of(*letter, 0) {
                    self.put(slot, Bind::Word(length), env);
                }
            }
        }
        if self.tells_beside(picture) {
            self.way_of_beside(picture, env, cx);
        }
    }

    /// Whether it is that variable's cell.
    pub fn is_cell_of(class: &Cells, var: VarId) -> bool {
        matches!(class, Cells::Single(c) if **c == CellExpr::Var(var))
    }
}

/// The variable that a direction is, or is the opposite of.
fn var_of(way: &DirExpr) -> Option<VarId> {
    match way {
        DirExpr::Const(_) => None,
        DirExpr::Var(v) => Some(*v),
        DirExpr::Opposite(way) => var_of(way),
    }
}
