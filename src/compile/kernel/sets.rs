//! Sets of cells: an expression and what is known in, an operand out; whole boards at once where that can be.

use crate::board::{Cell, Cells as BoardCells, Direction};
use crate::compile::kernel::env::{Bind, Env, RunBind};
use crate::compile::kernel::fun::{ALL, NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::parts::is_size;
use crate::compile::kernel::values::{CellV, PlayerV};
use crate::program::kernel::{Bin, S, Set, Stmt, Word};
use crate::program::{CellExpr, Cells, Dirs, Truth, VarId};

/// More parts than this, and a shift goes cell by cell.
const FEW_PARTS: usize = 4;
/// The same on boards whose sets are one word.
const MANY_PARTS: usize = 12;

impl<'p> Lowerer<'p> {
    /// A set of cells.
    #[allow(clippy::too_many_lines, reason = "one arm a form")]
    pub fn cells(&mut self, cells: &'p Cells, env: &mut Env, cx: Cx) -> SV {
        match cells {
            Cells::Const(set) => self.fix(set),
            Cells::Var(v) => self.var_set(*v, 0, env),
            Cells::OfPlayer(v, p) => match self.player(p, env, cx) {
                PlayerV::Is(p) => self.var_set(*v, usize::from(p), env),
                PlayerV::Word(w) => self.by_player(w, NONE, |l, p| l.var_set(*v, p, env)),
            },
            Cells::Run(v) => match self.run_of(*v, env) {
                Ok(run) => self.run_cells(&run),
                Err(V::K(0)) => NONE,
                Err(_) => {
                    self.refuse("the cells of a run that is kept");
                    NONE
                }
            },
            Cells::Single(c) => {
                let cell = self.cell(c, env, cx);
                self.single(cell)
            }
            Cells::Owned(p) => match self.player(p, env, cx) {
                PlayerV::Is(p) => self.owned(p, env, cx),
                PlayerV::Word(w) => self.by_player(w, NONE, |l, p| l.owned(p as u8, env, cx)),
            },
            Cells::Kind(k) => match self.kind(k, env) {
                Ok(k) => self.of_kind(k.0, env, cx),
                Err(w) => {
                    let mut set = NONE;
                    for k in 0..self.program.kinds.len() {
                        let is = self.f.bin(Bin::Equal, w, V::K(k as u64 + 1));
                        let its = self.of_kind(k as u8, env, cx);
                        set = self.f.select_set(is, its, set);
                    }
                    set
                }
            },
            Cells::Occupied => self.occupied(env, cx),
            Cells::Empty => self.empty(env, cx),
            Cells::Or(a, b) => {
                let a = self.cells(a, env, cx);
                let b = self.cells(b, env, cx);
                self.f.or(&mut self.fixed, a, b)
            }
            Cells::And(a, b) => {
                let a = self.cells(a, env, cx);
                let b = self.cells(b, env, cx);
                self.f.and(&mut self.fixed, a, b)
            }
            Cells::Without(a, b) => {
                let a = self.cells(a, env, cx);
                let b = self.cells(b, env, cx);
                self.f.without(&mut self.fixed, a, b)
            }
            Cells::Adjacent(set) => {
                if let Cells::Single(c) = set.as_ref() {
                    let cell = self.cell(c, env, cx);
                    return self.neighbours_of(cell);
                }
                let set = self.cells(set, env, cx);
                let around = self.around(set);
                self.f.without(&mut self.fixed, around, set)
            }
            Cells::AdjacentAlong(set, dirs) => self.adjacent_along(set, dirs, env, cx),
            Cells::Axis(c, dirs) => self.axis(c, dirs, env, cx),
            Cells::GroupOf(c) => {
                let cell = self.cell(c, env, cx);
                self.group_of(cell, env, cx)
            }
            Cells::PartAt(set, c) => {
                let set = self.cells(set, env, cx);
                match self.cell(c, env, cx) {
                    CellV::Known(c) => self.f.part(set, c),
                    CellV::Maybe(w) => {
                        let (safe, there) = self.safe(w);
                        let part = self.f.part(set, safe);
                        self.f.select_set(there, part, NONE)
                    }
                }
            }
            Cells::ByPlayer(sets, p) => match self.player(p, env, cx) {
                PlayerV::Is(p) => self.fix(&sets[usize::from(p)]),
                PlayerV::Word(w) => self.by_player(w, NONE, |l, p| l.fix(&sets[p])),
            },
            Cells::Seen(set, p) => {
                let set = self.cells(set, env, cx);
                match self.player(p, env, cx) {
                    PlayerV::Is(p) => self.seen(set, usize::from(p)),
                    PlayerV::Word(w) => self.by_player(w, set, |l, p| l.seen(set, p)),
                }
            }
            Cells::Where(set, it, test) => self.filtered(set, *it, test, env, cx),
            Cells::With { set, it, most, key } => {
                let set = self.cells(set, env, cx);
                self.extreme(set, *it, *most, key, false, env, cx)
            }
            Cells::PartsWhere(set, it, test) => {
                let set = self.cells(set, env, cx);
                self.parts_where(set, *it, test, env, cx)
            }
            Cells::PartsWith { set, it, most, key } => {
                let set = self.cells(set, env, cx);
                if *most && is_size(key, *it) {
                    return self.largest_parts(set);
                }
                self.extreme(set, *it, *most, key, true, env, cx)
            }
            Cells::Gather(var, sub) => {
                let begin = self.sub(*sub);
                self.gather(*var, begin, env, cx)
            }
            Cells::Closure { seed, set, more } => self.closure(seed, *set, more, env, cx),
            Cells::If(t, a, b) => {
                let v = self.truth(t, env, cx);
                match v {
                    V::K(0) => self.cells(b, env, cx),
                    V::K(_) => self.cells(a, env, cx),
                    V::R(w) => {
                        self.settle_piles(env, cx);
                        let result = self.f.set();
                        self.f.open();
                        let a = self.cells(a, &mut env.clone(), cx);
                        let a = self.f.sreg(a);
                        self.f.push(Stmt::LetSet(result, Set::Copy(a)));
                        let a = self.f.close();
                        self.f.open();
                        let b = self.cells(b, &mut env.clone(), cx);
                        let b = self.f.sreg(b);
                        self.f.push(Stmt::LetSet(result, Set::Copy(b)));
                        let b = self.f.close();
                        self.f.push(Stmt::If(w, a, b));
                        SV::R(result)
                    }
                }
            }
        }
    }

    /// The smallest set that has a seed and all that it leads to: one round after the other, until one adds nothing.
    fn closure(
        &mut self,
        seed: &'p Cells,
        var: VarId,
        more: &'p Cells,
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        let Some(slot) = self.slot_of(var, 0) else {
            self.refuse("a set that grows is kept for each cell");
            return NONE;
        };
        let seed = self.cells(seed, env, cx);
        self.settle_piles(env, cx);
        let (all, from, label) = (self.f.set(), self.f.sreg(seed), self.f.label());
        self.f.push(Stmt::LetSet(all, Set::Copy(from)));
        self.f.open();
        self.scope(|l| {
            let mut inner = env.clone();
            let now = l.f.make_set(Set::Copy(all));
            l.put(slot, Bind::Set(now), &mut inner);
            let more = l.cells(more, &mut inner, cx);
            let fresh = l.f.without(&mut l.fixed, more, now);
            let some = l.f.some(&l.fixed, fresh);
            l.leave_unless(some, label);
            let grown = l.f.or(&mut l.fixed, now, fresh);
            let grown = l.f.sreg(grown);
            l.f.push(Stmt::LetSet(all, Set::Copy(grown)));
        });
        let body = self.f.close();
        self.f.push(Stmt::Loop(label, body));
        SV::R(all)
    }

    /// The set of a variable.
    pub fn var_set(&mut self, var: VarId, index: usize, env: &mut Env) -> SV {
        match self.slot_of(var, index) {
            Some(slot) => self.set(slot, env),
            None => {
                self.refuse("a set is kept for each cell");
                NONE
            }
        }
    }

    pub fn by_player(&mut self, w: V, none: SV, mut of: impl FnMut(&mut Self, usize) -> SV) -> SV {
        let mut set = none;
        for p in 0..self.program.players.len() {
            let is = self.f.bin(Bin::Equal, w, V::K(p as u64 + 1));
            let its = of(self, p);
            set = self.f.select_set(is, its, set);
        }
        set
    }

    /// A cell counted from 1 as a number that is a cell, and whether it is one.
    pub fn safe(&mut self, w: V) -> (V, V) {
        let below = self.f.bin(Bin::Sub, w, V::K(1));
        (self.f.select(w, below, NO), w)
    }

    /// The set of a cell.
    pub fn single(&mut self, cell: CellV) -> SV {
        match cell {
            CellV::Known(c) => self.f.single(&mut self.fixed, c),
            CellV::Maybe(V::K(0)) => NONE,
            CellV::Maybe(w) => {
                let (safe, there) = self.safe(w);
                let set = self.f.single(&mut self.fixed, safe);
                self.f.select_set(there, set, NONE)
            }
        }
    }

    /// The cells of a player's pieces.
    pub fn owned(&mut self, p: u8, env: &mut Env, cx: Cx) -> SV {
        if self.waits(env, 1 << p, false) {
            self.flush(env, cx);
        }
        self.set(self.slots.owned[usize::from(p)], env)
    }

    /// The cells of a kind.
    pub fn of_kind(&mut self, k: u8, env: &mut Env, cx: Cx) -> SV {
        match self.slots.kinds[usize::from(k)] {
            Some(slot) => {
                if self.waits(env, 0, true) {
                    self.flush(env, cx);
                }
                self.set(slot, env)
            }
            None => {
                let mut set = NONE;
                for p in 0..self.program.players.len() {
                    let its = self.owned(p as u8, env, cx);
                    set = self.f.or(&mut self.fixed, set, its);
                }
                set
            }
        }
    }

    /// Occupied cells.
    pub fn occupied(&mut self, env: &mut Env, cx: Cx) -> SV {
        self.flush(env, cx);
        let slot = self.slots.occupied;
        if let Some(Some((Bind::Set(s), _))) = env.binds.get(slot.0 as usize) {
            return *s;
        }
        let mut set = NONE;
        for p in 0..self.program.players.len() {
            let its = self.set(self.slots.owned[p], env);
            set = self.f.or(&mut self.fixed, set, its);
        }
        for k in 0..self.program.kinds.len() {
            if self.program.kinds[k].neutral
                && let Some(kind) = self.slots.kinds[k]
            {
                let its = self.set(kind, env);
                set = self.f.or(&mut self.fixed, set, its);
            }
        }
        self.cache(slot, Bind::Set(set), env);
        set
    }

    /// Empty cells.
    pub fn empty(&mut self, env: &mut Env, cx: Cx) -> SV {
        let occupied = self.occupied(env, cx);
        let slot = self.slots.empty;
        if let Some(Some((Bind::Set(s), _))) = env.binds.get(slot.0 as usize) {
            return *s;
        }
        let set = self.f.without(&mut self.fixed, ALL, occupied);
        self.cache(slot, Bind::Set(set), env);
        set
    }

    pub fn axis(&mut self, c: &'p CellExpr, dirs: &'p Dirs, env: &mut Env, cx: Cx) -> SV {
        let cell = self.cell(c, env, cx);
        let ways = self.dirs(dirs, env, cx);
        // A row for each direction and cell.
        let rows = self.rows("axis", |p| {
            let mut rows = Vec::new();
            for d in 0..p.board.directions() {
                let d = Direction(d as u8);
                for c in 0..p.board.len() {
                    let mut found = BoardCells::single(Cell(c as u16));
                    for way in [Some(d), p.board.opposite(d)].into_iter().flatten() {
                        let mut line = BoardCells::single(Cell(c as u16));
                        let mut next = p.board.step(Cell(c as u16), way);
                        while let Some(n) = next.filter(|n| !line.contains(*n)) {
                            line.insert(n);
                            next = p.board.step(n, way);
                        }
                        found |= line;
                    }
                    rows.push(found);
                }
            }
            rows
        });
        let (at, there) = match cell {
            CellV::Known(c) => (c, YES),
            CellV::Maybe(w) => self.safe(w),
        };
        let found = self.f.set();
        let first = self.f.single(&mut self.fixed, at);
        let first = self.f.sreg(first);
        self.f.push(Stmt::LetSet(found, Set::Copy(first)));
        let d = self.f.word();
        self.f.open();
        let base = self
            .f
            .bin(Bin::Mul, V::R(d), V::K(self.program.board.len() as u64));
        let index = self.f.bin(Bin::Add, base, at);
        let row = self.f.row(rows, index);
        let all = self.f.or(&mut self.fixed, SV::R(found), row);
        let all = self.f.sreg(all);
        self.f.push(Stmt::LetSet(found, Set::Copy(all)));
        let body = self.f.close();
        let w = self.f.reg(ways);
        self.f.push(Stmt::ForBits(d, w, body));
        let some = self.f.bin(Bin::Differ, there, NO);
        self.f.select_set(some, SV::R(found), NONE)
    }

    pub fn group_of(&mut self, cell: CellV, env: &mut Env, cx: Cx) -> SV {
        let (at, there) = match cell {
            CellV::Known(c) => (c, YES),
            CellV::Maybe(w) => self.safe(w),
        };
        let known = match cell {
            CellV::Known(c) => env.fact(c),
            CellV::Maybe(_) => crate::compile::kernel::facts::Fact::ANY,
        };
        let owner = known.owner(self.program.players.len());
        let mut set = NONE;
        if let Some(Some(p)) = owner {
            set = self.owned(p, env, cx);
        } else {
            for p in 0..self.program.players.len() {
                let its = self.owned(p as u8, env, cx);
                let has = self.f.has(&self.fixed, its, at);
                set = self.f.select_set(has, its, set);
            }
        }
        let part = self.f.part(set, at);
        let some = self.f.bin(Bin::Differ, there, NO);
        self.f.select_set(some, part, NONE)
    }

    pub fn seen(&mut self, set: SV, p: usize) -> SV {
        if self.program.views[p].is_empty() {
            return set;
        }
        if let SV::K(id) = set {
            let view = &self.program.views[p];
            let cells = self.fixed.sets[id.0 as usize].iter();
            let found: BoardCells = cells.map(|c| view[c.index()]).collect();
            return self.fix(&found);
        }
        let table = self.table(&format!("view {p}"), |program| {
            program.views[p].iter().map(|c| u64::from(c.0)).collect()
        });
        let s = self.f.sreg(set);
        self.f.make_set(Set::Mapped(s, table))
    }

    /// The cells of a run.
    pub fn run_cells(&mut self, run: &RunBind) -> SV {
        let found = self.f.set();
        self.f.push(Stmt::LetSet(
            found,
            Set::Const(crate::program::kernel::SetId(0)),
        ));
        let (at, i) = (self.f.word(), self.f.word());
        let start = self.f.reg(run.start);
        self.f.push(Stmt::Let(at, Word::Copy(start)));
        self.f.open();
        let more = self.f.with(SV::R(found), V::R(at));
        let more = self.f.sreg(more);
        self.f.push(Stmt::LetSet(found, Set::Copy(more)));
        let next = self.step(V::R(at), run.way);
        let (safe, _) = self.safe(next);
        let safe = self.f.reg(safe);
        self.f.push(Stmt::Let(at, Word::Copy(safe)));
        let body = self.f.close();
        let (one, length) = (self.f.reg(YES), self.f.reg(run.length));
        self.f.push(Stmt::ForNumbers(i, one, length, body));
        SV::R(found)
    }

    /// The last cell of a run.
    pub fn last_of_run(&mut self, run: &RunBind) -> CellV {
        let last = self.along(run.start, run.way, run.length);
        let some = self.f.bin(Bin::Less, NO, run.length);
        CellV::Maybe(self.f.select(some, last, NO))
    }

    /// The cell so many less one steps on, counted from 1.
    pub fn along(&mut self, start: V, way: V, length: V) -> V {
        let (at, i) = (self.f.word(), self.f.word());
        let first = self.f.bin(Bin::Add, start, YES);
        let first = self.f.reg(first);
        self.f.push(Stmt::Let(at, Word::Copy(first)));
        self.f.open();
        let (safe, _) = self.safe(V::R(at));
        let next = self.step(safe, way);
        let next = self.f.reg(next);
        self.f.push(Stmt::Let(at, Word::Copy(next)));
        let body = self.f.close();
        let (two, length) = (self.f.reg(V::K(2)), self.f.reg(length));
        self.f.push(Stmt::ForNumbers(i, two, length, body));
        V::R(at)
    }

    pub fn filtered(
        &mut self,
        set: &'p Cells,
        it: VarId,
        test: &'p Truth,
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        let fact = self.fact_of(set, cx);
        let set = self.cells(set, env, cx);
        if let Some(good) = self.as_set(test, it, &[], env, cx) {
            return self.f.and(&mut self.fixed, set, good);
        }
        self.settle_piles(env, cx);
        let Some(slot) = self.slot_of(it, 0) else {
            return NONE;
        };
        let found = self.f.set();
        self.f.push(Stmt::LetSet(
            found,
            Set::Const(crate::program::kernel::SetId(0)),
        ));
        let c = self.f.word();
        self.f.open();
        let mut inner = env.clone();
        inner.know(V::R(c), fact);
        self.put(slot, Bind::Cell(V::R(c)), &mut inner);
        let v = self.truth(test, &mut inner, cx);
        self.take_when(found, V::R(c), v);
        let body = self.f.close();
        let s = self.f.sreg(set);
        self.f.push(Stmt::ForCells(c, s, body));
        SV::R(found)
    }

    /// Puts a cell into a set when something holds.
    pub fn take_when(&mut self, set: S, cell: V, v: V) {
        self.f.open();
        let more = self.f.with(SV::R(set), cell);
        let more = self.f.sreg(more);
        self.f.push(Stmt::LetSet(set, Set::Copy(more)));
        let yes = self.f.close();
        self.f.when(v, yes);
    }

    /// Whether the arrangement is its own image.
    pub fn mirrored(&mut self, image: usize, env: &mut Env, cx: Cx) -> V {
        self.flush(env, cx);
        let table = self.table(&format!("mirror {image}"), |p| {
            p.mirrors[image].iter().map(|c| u64::from(c.0)).collect()
        });
        if self.program.stacking {
            return self.piles_mirrored(table);
        }
        let slots: Vec<_> = self
            .slots
            .owned
            .iter()
            .copied()
            .chain(self.slots.kinds.iter().copied().flatten())
            .collect();
        let mut result = YES;
        for slot in slots {
            let set = self.set(slot, env);
            let s = self.f.sreg(set);
            result = self.either_value(
                result,
                env,
                cx,
                |l, _| {
                    let image = l.f.make_set(Set::Mapped(s, table));
                    l.f.within(image, SV::R(s))
                },
                |_, _| NO,
            );
        }
        result
    }

    /// Whether a shift is better done cell by cell.
    pub fn is_ragged(&mut self, way: u8, back: bool) -> bool {
        let few = match self.program.layout.words {
            1 => MANY_PARTS,
            _ => FEW_PARTS,
        };
        match self.shift_id(way, back) {
            Some(id) => self.shifts[id.0 as usize].parts.len() > few,
            None => true,
        }
    }
}
