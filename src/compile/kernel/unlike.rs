//! Which ways of a branch may write what another of them writes: they are in doubt with one another. What they open tells them apart,
//! or the first cells of the pictures that they match, where a text tells these.

use crate::board::{Cells as BoardCells, Directions};
use crate::compile::kernel::contrary::{never_both_begin, never_the_same};
use crate::compile::kernel::far::never_meet;
use crate::compile::kernel::heads::{Head, Told, heads, open_before, told};
use crate::compile::kernel::lengths::{distance, distances, has_cells};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::{
    Cells, Count, DirExpr, KindExpr, Num, Op, Part, Pc, Picture, Square, TemplateId, Value, op_vars,
};

impl<'p> Lowerer<'p> {
    /// The ways of a branch that may write what another writes.
    pub fn alike(&self, ways: &[Pc], cx: Cx) -> Vec<bool> {
        let heads: Vec<Vec<Head<'p>>> = ways.iter().map(|w| heads(self.program, *w)).collect();
        let mut before = None;
        let mut differ = |i: usize, j: usize| {
            let mut pairs = heads[i]
                .iter()
                .flat_map(|a| heads[j].iter().map(move |b| (a, b)));
            pairs.all(|(a, b)| {
                let never = !a.unclear && !b.unclear && never_both_begin(self.program, a, b);
                never
                    || self.texts_differ(a, b).unwrap_or_else(|| {
                        let open = |way: &Pc| open_before(self.program, *way);
                        let before =
                            before.get_or_insert_with(|| ways.first().map_or_else(Vec::new, open));
                        self.pictures_differ(a, b, before, cx)
                    })
            })
        };
        let mut alike = vec![false; ways.len()];
        for i in 0..ways.len() {
            for j in 0..i {
                let known = alike[i] && alike[j];
                if !known && !differ(i, j) {
                    (alike[i], alike[j]) = (true, true);
                }
            }
        }
        alike
    }

    /// Whether two heads lead to different texts by what they open; nothing where their values decide, which then stand at the
    /// same places.
    fn texts_differ(&self, a: &Head<'p>, b: &Head<'p>) -> Option<bool> {
        if a.unclear || b.unclear {
            return Some(false);
        }
        let first = |h: &Head<'p>| h.opened.map(|id| self.alike[id.0 as usize]);
        let (x, y) = (first(a), first(b));
        if x == y {
            let differ = a
                .opened
                .zip(b.opened)
                .is_some_and(|(a, b)| self.values_differ(a, b));
            return differ.then_some(true);
        }
        match self.program.collisions.between(x, y) {
            None => Some(true),
            Some(collision) => (!collision.in_step).then_some(false),
        }
    }

    /// Whether two notations that are written alike always have different values somewhere, as for a rule that is played with one number
    /// and with another.
    fn values_differ(&self, a: TemplateId, b: TemplateId) -> bool {
        let parts = |id: TemplateId| self.program.templates[id.0 as usize].parts.iter();
        let differ = |(a, b): (&Part, &Part)| match (a, b) {
            (Part::Hole(a), Part::Hole(b)) => {
                let both = self.always(a).zip(self.always(b));
                both.is_some_and(|(a, b)| a != b)
            }
            _ => false,
        };
        // Where texts run together other values may make up for it.
        !self.program.collisions.within && parts(a).zip(parts(b)).any(differ)
    }

    /// What a value of a text is whenever it is written, where that is always the same number, kind or direction.
    fn always(&self, value: &'p Value) -> Option<&'p Value> {
        let var = match value {
            Value::Num(Num::Const(_))
            | Value::Kind(KindExpr::Const(_))
            | Value::Dir(DirExpr::Const(_)) => return Some(value),
            Value::Num(Num::Var(var))
            | Value::Kind(KindExpr::Var(var))
            | Value::Dir(DirExpr::Var(var)) => *var,
            _ => return None,
        };
        let program = self.program;
        if program.var(var).in_state() {
            return None;
        }
        let mut given = None;
        for op in &program.code {
            let access = op_vars(op, &program.pictures, &program.templates);
            if !access.writes.contains(&var) && !access.given.contains(&var) {
                continue;
            }
            match op {
                Op::Let(to, value) if *to == var && given.is_none_or(|given| given == value) => {
                    given = Some(value);
                }
                _ => return None,
            }
        }
        given.filter(|given| {
            matches!(
                given,
                Value::Num(Num::Const(_))
                    | Value::Kind(KindExpr::Const(_))
                    | Value::Dir(DirExpr::Const(_))
            )
        })
    }

    /// Whether no place is the beginning of one square and of another: a cell that excludes it, or the edge.
    fn never_both(&self, a: &Square, b: &Square, cx: Cx) -> bool {
        match (a, b) {
            (Square::Edge, other) | (other, Square::Edge) => has_cells(other),
            (Square::Cells { class: x, .. }, Square::Cells { class: y, .. }) => {
                has_cells(a) && has_cells(b) && self.excludes(x, y, cx)
            }
        }
    }

    /// Whether no cell is in two sets: what stands there would have to be of two sorts, or it lies elsewhere.
    pub fn excludes(&self, x: &Cells, y: &Cells, cx: Cx) -> bool {
        let apart = || (self.places(x, cx) & self.places(y, cx)).is_empty();
        // There are no other kinds.
        let fact = |set| self.fact_of(set, cx).and(self.any_kind());
        fact(x).excludes(fact(y)) || apart()
    }

    /// Where the cells of a set can lie.
    fn places(&self, set: &Cells, cx: Cx) -> BoardCells {
        let all = || self.program.board.cells();
        match set {
            Cells::And(a, b) => self.places(a, cx) & self.places(b, cx),
            Cells::Or(a, b) => self.places(a, cx) | self.places(b, cx),
            Cells::Without(a, b) => {
                let taken = self.place(b, cx).unwrap_or(BoardCells::EMPTY);
                self.places(a, cx).without(taken)
            }
            Cells::Where(a, ..) => self.places(a, cx),
            Cells::If(_, a, b) => self.places(a, cx) | self.places(b, cx),
            set => self.place(set, cx).unwrap_or_else(all),
        }
    }

    /// The cells of a set that is the same in every position.
    fn place(&self, set: &Cells, cx: Cx) -> Option<BoardCells> {
        match set {
            Cells::Const(cells) => Some(**cells),
            Cells::ByPlayer(of, who) => {
                let who = self.asker(cx).player(who)?;
                of.get(usize::from(who)).copied()
            }
            _ => None,
        }
    }

    /// Whether the picture of one head never leads from its first cell to where steps come to from the first cell of the other.
    fn comes_elsewhere(&self, a: &Head<'p>, b: &Head<'p>, both: &[(&Told, &Told)]) -> bool {
        let (Some((_, picture)), None, Some(steps)) = (a.picture, b.picture, b.steps()) else {
            return false;
        };
        let begins = |(p, q): &(&Told, &Told)| p.square == 0 && !p.last && q.square == 0;
        let some = |at: usize| picture.squares.get(at).is_some_and(has_cells);
        both.iter().any(begins)
            && both.iter().any(|(p, q)| {
                q.square == 1
                    && some(p.square)
                    && self.is_unreached(steps, picture, (p.square, p.last))
            })
    }

    /// Whether one head leads from its first cell to where no step comes to, and the other is a step.
    fn goes_further(&self, a: &Head<'p>, b: &Head<'p>, both: &[(&Told, &Told)]) -> bool {
        let (None, Some(step)) = (b.picture, b.step()) else {
            return false;
        };
        let begins = |(p, q): &(&Told, &Told)| p.square == 0 && !p.last && q.square == 0;
        let far = |(p, q): &(&Told, &Told)| {
            q.square == 1
                && match (a.picture, a.steps()) {
                    (Some((_, picture)), _) => {
                        picture.squares.first().is_some_and(has_cells)
                            && picture.squares.get(p.square).is_some_and(has_cells)
                            && self.is_no_step(step, picture, (p.square, p.last))
                    }
                    (None, Some(steps)) => p.square == 1 && self.are_no_steps(step, steps),
                    (None, None) => false,
                }
        };
        both.iter().any(begins) && both.iter().any(far)
    }

    /// Whether no match of one head's picture has the text of a match of the other's: a cell of both is told at the same place, and is
    /// never the same; or the first cell of both is, and another one as well, and they go other ways, or as far as the other never
    /// does, or what lies behind it is never the same.
    fn pictures_differ(&self, a: &Head<'p>, b: &Head<'p>, before: &[TemplateId], cx: Cx) -> bool {
        let (of_a, of_b) = (told(self.program, a, before), told(self.program, b, before));
        let both = of_a.iter().flat_map(|p| of_b.iter().map(move |q| (p, q)));
        let both: Vec<(&Told, &Told)> = both.filter(|(p, q)| p.place == q.place).collect();
        // No cell is of two classes that exclude one another.
        let other = |(p, q): &(&Told, &Told)| {
            let classes = (a.class(p), b.class(q));
            let some = |h: &Head<'p>, t: &Told| {
                h.picture
                    .is_none_or(|(_, picture)| picture.squares.get(t.square).is_some_and(has_cells))
            };
            some(a, p)
                && some(b, q)
                && (matches!(&classes, (Some(x), Some(y)) if self.excludes(x, y, cx))
                    || never_the_same((a, p), (b, q)))
        };
        if both.iter().any(other) {
            return true;
        }
        let (Some((_, x)), Some((_, y))) = (a.picture, b.picture) else {
            let turned: Vec<(&Told, &Told)> = both.iter().map(|(p, q)| (*q, *p)).collect();
            let differ = |a, b, both: &[(&Told, &Told)]| {
                self.comes_elsewhere(a, b, both) || self.goes_further(a, b, both)
            };
            return differ(a, b, &both) || differ(b, a, &turned);
        };
        if self.never_abreast((a, x), (b, y), (&both, before), cx) {
            return true;
        }
        let some = |p: &Picture, at: usize| p.squares.get(at).is_some_and(has_cells);
        let is_first = |t: &Told| t.square == 0 && !t.last;
        if !some(x, 0) || !some(y, 0) || !both.iter().any(|(p, q)| is_first(p) && is_first(q)) {
            return false;
        }
        let ways = (self.fixed_ways(x, cx), self.fixed_ways(y, cx));
        let apart = matches!(ways, (Some(a), Some(b)) if a & b == 0);
        let board = &self.program.board;
        let either = Directions(self.all_ways(x).0 | self.all_ways(y).0);
        let further = |(p, q): &(&Told, &Told)| {
            let behind = p.square > 0 && q.square > 0 && some(x, p.square) && some(y, q.square);
            let far = |p: &Picture, t: &Told| distance(p, t.square).filter(|_| !t.last);
            let lengths = (far(x, p), far(y, q));
            let reach = |p: &Picture, t: &Told| distances(p, t.square, t.last);
            let differ = matches!(lengths, (Some(a), Some(b)) if a != b)
                || !self.returns
                    && matches!((reach(x, p), reach(y, q)), (Some(a), Some(b)) if never_as_far(a, b));
            let next = (behind_told(x, p), behind_told(y, q));
            let otherwise =
                !self.returns && matches!(next, (Some(a), Some(b)) if self.never_both(a, b, cx));
            if behind && (apart || differ || otherwise) && self.part_along(either) {
                return true;
            }
            match (ways, lengths) {
                ((Some(a), Some(b)), (Some(i), Some(j))) => {
                    behind && never_meet(board, (a, i), (b, j), false)
                }
                _ => false,
            }
        };
        both.iter().any(further)
    }
}

/// The square that lies behind a cell that is told.
fn behind_told<'p>(picture: &'p Picture, told: &Told) -> Option<&'p Square> {
    let is_last = told.last
        || matches!(
            picture.squares.get(told.square),
            Some(Square::Cells {
                count: Count::One,
                ..
            })
        );
    is_last
        .then(|| picture.squares.get(told.square + 1))
        .flatten()
}

/// Whether two distances, at least and at most so great, are never the same.
fn never_as_far(a: (usize, Option<usize>), b: (usize, Option<usize>)) -> bool {
    let below = |most: Option<usize>, least| most.is_some_and(|most| most < least);
    below(a.1, b.0) || below(b.1, a.0)
}
