//! Which variables an instruction reads and writes. Used to find what is alive at a decision point.

use crate::program::{
    CellExpr, Cells, Count, DirExpr, Dirs, Domain, Effect, KindExpr, Num, Op, Part, Picture,
    PlayerExpr, Square, SubId, Template, Truth, Value, VarId,
};

/// What an instruction does with variables.
#[derive(Default, Debug, Clone)]
pub struct Access {
    /// Read before anything is written.
    pub reads: Vec<VarId>,
    /// Certainly given a new value.
    pub writes: Vec<VarId>,
    /// Subprograms it runs.
    pub subs: Vec<SubId>,
    /// Those of them that it runs for a player that it names, who need not be the one who moves.
    pub for_others: Vec<SubId>,
    /// What it gives new values itself, over and over, before it runs subprograms that read them.
    pub given: Vec<VarId>,
    /// Runs that it looks at from one of their ends, or moves along.
    pub along: Vec<VarId>,
    /// Whether it asks if a turn can be completed.
    pub stuck: bool,
}

impl Access {
    /// Whether it may read one of some variables; what subprograms read is not looked at.
    #[must_use]
    pub fn may_read(&self, of: impl Fn(VarId) -> bool) -> bool {
        !self.subs.is_empty() || self.reads.iter().any(|v| of(*v))
    }
}

/// The accesses of one instruction.
#[must_use]
pub fn op_vars(op: &Op, pictures: &[Picture], templates: &[Template]) -> Access {
    let mut a = Access::default();
    match op {
        Op::Require(test, _) | Op::JumpUnless(test, _) => a.truth(test),
        Op::Let(var, value) => {
            a.value(value);
            a.writes.push(*var);
        }
        Op::LetOfPlayer(var, player, value) => {
            a.player(player);
            a.value(value);
            a.reads.push(*var);
        }
        Op::LetOfCell(var, cell, value) => {
            a.cell(cell);
            a.value(value);
            a.reads.push(*var);
        }
        Op::Choose(var, domain) => {
            match domain {
                Domain::Cells(c) | Domain::Parts(c) => a.cells(c),
                Domain::Numbers(x, y) => {
                    a.num(x);
                    a.num(y);
                }
                Domain::Dirs(d) => a.dirs(d),
                Domain::Kinds(_) => {}
            }
            a.writes.push(*var);
        }
        Op::Line(id) => a.picture(&pictures[id.0 as usize]),
        Op::Each { var, rest, .. } => {
            a.reads.push(*rest);
            a.writes.push(*var);
        }
        Op::Effect(effect) => a.effect(effect),
        Op::Best { sub, key, into, .. } => {
            a.subs.push(*sub);
            a.num(key);
            a.writes.push(*into);
        }
        Op::Close(id) => {
            let template = &templates[id.0 as usize];
            a.reads.push(template.mark);
            for part in &template.parts {
                if let Part::Hole(v) = part {
                    a.value(v);
                }
            }
        }
        Op::Clear(v) => a.writes.push(*v),
        Op::Open(id) => a.writes.push(templates[id.0 as usize].mark),
        Op::Branch(_) | Op::Jump(_) | Op::ActionDone | Op::Point(_) | Op::Succeed | Op::EndTurn => {
        }
    }
    a
}

impl Access {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Num(n) => self.num(n),
            Value::Truth(t) => self.truth(t),
            Value::Cell(c) => self.cell(c),
            Value::Cells(c) | Value::Groups(c) => self.cells(c),
            Value::Run(v) => self.run(*v),
            Value::Dir(d) => self.dir(d),
            Value::Dirs(d) => self.dirs(d),
            Value::Player(p) => self.player(p),
            Value::Kind(k) => self.kind(k),
        }
    }

    fn num(&mut self, num: &Num) {
        match num {
            Num::Const(_) | Num::Occurrences => {}
            Num::Var(v) | Num::RunLength(v) => self.reads.push(*v),
            Num::OfPlayer(v, p) => {
                self.reads.push(*v);
                self.player(p);
            }
            Num::OfCell(v, c) => {
                self.reads.push(*v);
                self.cell(c);
            }
            Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Div(a, b) | Num::Mod(a, b) => {
                self.num(a);
                self.num(b);
            }
            Num::Count(c) | Num::CountParts(c) => self.cells(c),
            Num::Height(c) | Num::RowOf(c) | Num::ColumnOf(c) => self.cell(c),
            Num::Hand(p, _) => self.player(p),
            Num::If(t, a, b) => {
                self.truth(t);
                self.num(a);
                self.num(b);
            }
        }
    }

    fn truth(&mut self, truth: &Truth) {
        match truth {
            Truth::Stuck => self.stuck = true,
            Truth::Const(_) | Truth::Mirrored(_) | Truth::Unseen => {}
            Truth::Var(v) => self.reads.push(*v),
            Truth::OfPlayer(v, p) => {
                self.reads.push(*v);
                self.player(p);
            }
            Truth::Not(a) => self.truth(a),
            Truth::And(a, b) | Truth::Or(a, b) => {
                self.truth(a);
                self.truth(b);
            }
            Truth::Compare(_, a, b) => {
                self.num(a);
                self.num(b);
            }
            Truth::SameCell(a, b) => {
                self.cell(a);
                self.cell(b);
            }
            Truth::SamePlayer(a, b) => {
                self.player(a);
                self.player(b);
            }
            Truth::SameKind(a, b) => {
                self.kind(a);
                self.kind(b);
            }
            Truth::SameDir(a, b) => {
                self.dir(a);
                self.dir(b);
            }
            Truth::SameCells(a, b) | Truth::Subset(a, b) => {
                self.cells(a);
                self.cells(b);
            }
            Truth::Contains(a, b) => {
                self.cell(a);
                self.cells(b);
            }
            Truth::ContainsDir(a, b) => {
                self.dir(a);
                self.dirs(b);
            }
            Truth::Some(a) => self.cells(a),
            Truth::Possible(p, sub) => {
                if let Some(p) = p {
                    self.player(p);
                    self.for_others.push(*sub);
                }
                self.subs.push(*sub);
            }
            Truth::If(t, a, b) => {
                self.truth(t);
                self.truth(a);
                self.truth(b);
            }
        }
    }

    fn run(&mut self, run: VarId) {
        self.reads.push(run);
        self.along.push(run);
    }

    fn cell(&mut self, cell: &CellExpr) {
        match cell {
            CellExpr::Const(_) | CellExpr::Nowhere => {}
            CellExpr::Var(v) => self.reads.push(*v),
            CellExpr::RunFirst(v) | CellExpr::RunLast(v) => self.run(*v),
            CellExpr::First(c) | CellExpr::Last(c) => self.cells(c),
            CellExpr::Step(c, d) => {
                self.cell(c);
                self.dir(d);
            }
            CellExpr::If(t, a, b) => {
                self.truth(t);
                self.cell(a);
                self.cell(b);
            }
        }
    }

    fn cells(&mut self, cells: &Cells) {
        match cells {
            Cells::Const(_) | Cells::Occupied | Cells::Empty => {}
            Cells::Var(v) | Cells::Run(v) => self.reads.push(*v),
            Cells::OfPlayer(v, p) => {
                self.reads.push(*v);
                self.player(p);
            }
            Cells::Single(c) | Cells::GroupOf(c) => self.cell(c),
            Cells::Owned(p) | Cells::ByPlayer(_, p) => self.player(p),
            Cells::Kind(k) => self.kind(k),
            Cells::Or(a, b) | Cells::And(a, b) | Cells::Without(a, b) => {
                self.cells(a);
                self.cells(b);
            }
            Cells::Adjacent(a) => self.cells(a),
            Cells::AdjacentAlong(a, d) => {
                self.cells(a);
                self.dirs(d);
            }
            Cells::Axis(c, d) => {
                self.cell(c);
                self.dirs(d);
            }
            Cells::PartAt(a, c) => {
                self.cells(a);
                self.cell(c);
            }
            Cells::Seen(a, p) => {
                self.cells(a);
                self.player(p);
            }
            Cells::Where(a, it, t) | Cells::PartsWhere(a, it, t) => {
                self.cells(a);
                self.under(*it, |s| s.truth(t));
            }
            Cells::With { set, it, key, .. } | Cells::PartsWith { set, it, key, .. } => {
                self.cells(set);
                self.under(*it, |s| s.num(key));
            }
            Cells::Gather(_, sub) => self.subs.push(*sub),
            Cells::Closure { seed, set, more } => {
                self.cells(seed);
                self.under(*set, |s| s.cells(more));
            }
            Cells::If(t, a, b) => {
                self.truth(t);
                self.cells(a);
                self.cells(b);
            }
        }
    }

    /// Reads inside of a loop over `it` do not read `it` from outside.
    fn under(&mut self, it: VarId, walk: impl Fn(&mut Access)) {
        let mut inner = Access::default();
        walk(&mut inner);
        self.reads
            .extend(inner.reads.into_iter().filter(|v| *v != it));
        self.subs.extend(inner.subs);
        self.for_others.extend(inner.for_others);
        self.given.extend(inner.given);
        self.given.push(it);
    }

    fn dir(&mut self, dir: &DirExpr) {
        match dir {
            DirExpr::Const(_) => {}
            DirExpr::Var(v) => self.reads.push(*v),
            DirExpr::Opposite(d) => self.dir(d),
        }
    }

    fn dirs(&mut self, dirs: &Dirs) {
        match dirs {
            Dirs::Const(_) => {}
            Dirs::Var(v) => self.reads.push(*v),
            Dirs::Single(d) => self.dir(d),
            Dirs::ByPlayer(_, p) => self.player(p),
            Dirs::Or(a, b) | Dirs::And(a, b) | Dirs::Without(a, b) => {
                self.dirs(a);
                self.dirs(b);
            }
            Dirs::If(t, a, b) => {
                self.truth(t);
                self.dirs(a);
                self.dirs(b);
            }
        }
    }

    fn player(&mut self, player: &PlayerExpr) {
        match player {
            PlayerExpr::Me | PlayerExpr::Const(_) => {}
            PlayerExpr::Var(v) => self.reads.push(*v),
            PlayerExpr::Next(p) => self.player(p),
            PlayerExpr::Owner(c) => self.cell(c),
        }
    }

    fn kind(&mut self, kind: &KindExpr) {
        if let KindExpr::Var(v) = kind {
            self.reads.push(*v);
        }
    }

    fn picture(&mut self, picture: &Picture) {
        let mut inner = Access::default();
        inner.dirs(&picture.ways);
        let mut bound: Vec<VarId> = picture.way.into_iter().collect();
        for square in &picture.squares {
            let Square::Cells {
                class, count, bind, ..
            } = square
            else {
                continue;
            };
            let mut here = Access::default();
            here.cells(class);
            match count {
                Count::Between(a, b) => {
                    here.num(a);
                    if let Some(b) = b {
                        here.num(b);
                    }
                }
                Count::New(v) => bound.push(*v),
                Count::One => {}
            }
            inner
                .reads
                .extend(here.reads.into_iter().filter(|v| !bound.contains(v)));
            inner.subs.extend(here.subs);
            inner.for_others.extend(here.for_others);
            inner.given.extend(here.given);
            bound.extend(bind);
        }
        self.reads.extend(inner.reads);
        self.subs.extend(inner.subs);
        self.for_others.extend(inner.for_others);
        self.given.extend(inner.given);
        self.writes.extend(bound);
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Place {
                kind,
                owner,
                at,
                times,
            } => {
                self.kind(kind);
                if let Some(p) = owner {
                    self.player(p);
                }
                self.cells(at);
                self.num(times);
            }
            Effect::Enter { kind, at, times } => {
                self.kind(kind);
                self.cells(at);
                self.num(times);
            }
            Effect::Deal { kind, to, times } => {
                self.kind(kind);
                self.player(to);
                self.num(times);
            }
            Effect::Move(a, b) => {
                self.cell(a);
                self.cell(b);
            }
            Effect::Advance(run, by) => {
                self.run(*run);
                self.num(by);
            }
            Effect::Capture(c) | Effect::Remove(c) | Effect::Flip(c) => self.cells(c),
            Effect::CaptureTop(a, b) => {
                self.cell(a);
                if let Some(b) = b {
                    self.cell(b);
                }
            }
            Effect::Promote(c, k) => {
                self.cell(c);
                self.kind(k);
            }
            Effect::Lift(c) | Effect::Drop(c) => self.cell(c),
            Effect::Mark(v, c) | Effect::Unmark(v, c) => {
                self.reads.push(*v);
                self.cells(c);
            }
            Effect::Again | Effect::ExchangeSeats | Effect::Pass => {}
        }
    }
}

/// What a picture reads that it does not name itself.
#[must_use]
pub fn picture_vars(picture: &Picture) -> Access {
    let mut access = Access::default();
    access.picture(picture);
    access
}

/// The accesses of a truth.
#[must_use]
pub fn truth_vars(truth: &Truth) -> Access {
    let mut access = Access::default();
    access.truth(truth);
    access
}

/// The accesses of a number.
#[must_use]
pub fn num_vars(num: &Num) -> Access {
    let mut access = Access::default();
    access.num(num);
    access
}

/// What a set of cells reads.
#[must_use]
pub fn cells_vars(set: &Cells) -> Access {
    let mut access = Access::default();
    access.cells(set);
    access
}

/// What a set of directions reads.
#[must_use]
pub fn dirs_vars(set: &Dirs) -> Access {
    let mut access = Access::default();
    access.dirs(set);
    access
}
