//! Numbers, truths, cells, directions, players and kinds: an expression and what is known in, an operand out.

use crate::compile::kernel::env::{Bind, Env, KindOf, RunBind};
use crate::compile::kernel::fun::{NO, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Exit, Lowerer, Mode};
use crate::program::kernel::{Bin, Place, Stmt, TableId, Word};
use crate::program::{CellExpr, DirExpr, Dirs, KindExpr, Num, PlayerExpr, VarId};
use std::rc::Rc;

/// A cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CellV {
    /// One of the board, by its number.
    Known(V),
    /// Perhaps nowhere: counted from 1, 0 for nowhere.
    Maybe(V),
}

/// A player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlayerV {
    /// Certainly that one.
    Is(u8),
    /// Counted from 1; 0 for nobody.
    Word(V),
}

impl<'p> Lowerer<'p> {
    /// A number.
    pub fn num(&mut self, num: &'p Num, env: &mut Env, cx: Cx) -> V {
        match num {
            Num::Const(n) => V::K(n.cast_unsigned()),
            Num::Var(v) => self.var_word(*v, env),
            Num::OfPlayer(v, p) => self.of_player(*v, p, env, cx),
            Num::OfCell(v, c) => self.of_cell(*v, c, env, cx),
            Num::Add(a, b) => self.calculate(Bin::SumWithin, a, b, env, cx),
            Num::Sub(a, b) => self.calculate(Bin::DifferenceWithin, a, b, env, cx),
            Num::Mul(a, b) => self.calculate(Bin::ProductWithin, a, b, env, cx),
            Num::Div(a, b) => self.calculate(Bin::Quotient, a, b, env, cx),
            Num::Mod(a, b) => self.calculate(Bin::Remainder, a, b, env, cx),
            Num::Count(c) => {
                let set = self.cells(c, env, cx);
                self.f.count(&self.fixed, set)
            }
            Num::CountParts(c) => {
                let set = self.cells(c, env, cx);
                self.count_parts(set)
            }
            Num::RunLength(v) => self
                .run_of(*v, env)
                .map_or_else(|w| self.run_length(w), |r| r.length),
            Num::Height(c) => {
                let cell = self.cell(c, env, cx);
                self.flush(env, cx);
                self.at_cell(cell, NO, |l, c| l.height(c, env))
            }
            Num::Hand(p, kind) => self.hand(p, kind.map(|k| k.0), env, cx),
            Num::RowOf(c) => {
                let cell = self.cell(c, env, cx);
                let t = self.table("row", |p| {
                    let cells = (0..p.board.len()).map(|c| crate::board::Cell(c as u16));
                    cells.map(|c| u64::from(p.board.row_of(c))).collect()
                });
                self.at_cell(cell, NO, |l, c| l.f.table(&l.tables, t, c))
            }
            Num::ColumnOf(c) => {
                let cell = self.cell(c, env, cx);
                let t = self.table("column", |p| {
                    let cells = (0..p.board.len()).map(|c| crate::board::Cell(c as u16));
                    cells.map(|c| u64::from(p.board.column_of(c))).collect()
                });
                self.at_cell(cell, NO, |l, c| l.f.table(&l.tables, t, c))
            }
            Num::Occurrences => self.occurrences(env, cx),
            Num::If(t, a, b) => {
                let v = self.truth(t, env, cx);
                self.either_value(v, env, cx, |l, e| l.num(a, e, cx), |l, e| l.num(b, e, cx))
            }
        }
    }

    pub fn calculate(&mut self, op: Bin, a: &'p Num, b: &'p Num, env: &mut Env, cx: Cx) -> V {
        let a = self.num(a, env, cx);
        let b = self.num(b, env, cx);
        self.f.bin(op, a, b)
    }

    /// A value for a cell that may be nowhere.
    pub fn at_cell(&mut self, cell: CellV, none: V, then: impl FnOnce(&mut Self, V) -> V) -> V {
        match cell {
            CellV::Known(c) => then(self, c),
            CellV::Maybe(V::K(0)) => none,
            CellV::Maybe(enc) => {
                let below = self.f.bin(Bin::Sub, enc, V::K(1));
                let safe = self.f.select(enc, below, NO);
                let value = then(self, safe);
                self.f.select(enc, value, none)
            }
        }
    }

    /// A variable's word.
    pub fn var_word(&mut self, var: VarId, env: &mut Env) -> V {
        match self.slot_of(var, 0) {
            Some(slot) => self.word(slot, env),
            None => NO,
        }
    }

    /// One of a variable's values for the cells.
    pub fn of_cell(&mut self, var: VarId, c: &'p CellExpr, env: &mut Env, cx: Cx) -> V {
        let cell = self.cell(c, env, cx);
        let offset = self.program.var(var).offset as u32;
        self.at_cell(cell, NO, |l, c| l.f.load(offset, c))
    }

    pub fn hand(&mut self, p: &'p PlayerExpr, kind: Option<u8>, env: &mut Env, cx: Cx) -> V {
        let who = self.player(p, env, cx);
        let of = |l: &mut Self, p: usize, env: &mut Env| {
            let kinds = 0..l.program.kinds.len();
            let mut sum = NO;
            for k in kinds.filter(|k| kind.is_none_or(|x| usize::from(x) == *k)) {
                if let Some(slot) = l.hand_slot(p, k) {
                    let held = l.word(slot, env);
                    sum = l.f.bin(Bin::Add, sum, held);
                }
            }
            sum
        };
        match who {
            PlayerV::Is(p) => of(self, usize::from(p), env),
            PlayerV::Word(v) => {
                let mut value = NO;
                for p in 0..self.program.players.len() {
                    let held = of(self, p, env);
                    let is = self.f.bin(Bin::Equal, v, V::K(p as u64 + 1));
                    value = self.f.select(is, held, value);
                }
                value
            }
        }
    }

    /// The slot of what a player holds of a kind.
    pub fn hand_slot(
        &self,
        player: usize,
        kind: usize,
    ) -> Option<crate::compile::kernel::env::Slot> {
        let first = self.slots.hands?;
        let at = player * self.program.kinds.len() + kind;
        Some(crate::compile::kernel::env::Slot(first.0 + at as u16))
    }

    /// The run that a variable holds, or the word that tells.
    pub fn run_of(&mut self, var: VarId, env: &mut Env) -> Result<Rc<RunBind>, V> {
        let Some(slot) = self.slot_of(var, 0) else {
            return Err(NO);
        };
        match self.get(slot, env) {
            Bind::Run(run) => Ok(run),
            other => Err(self.encode(&other)),
        }
    }

    pub fn run_length(&mut self, word: V) -> V {
        let length = self.f.bin(Bin::Shr, word, V::K(32));
        self.f.bin(Bin::And, length, V::K(0xFFFF))
    }

    /// One of two values; only the one that is needed is computed when that is much work.
    pub fn either_value(
        &mut self,
        v: V,
        env: &mut Env,
        cx: Cx,
        yes: impl FnOnce(&mut Self, &mut Env) -> V,
        no: impl FnOnce(&mut Self, &mut Env) -> V,
    ) -> V {
        match v {
            V::K(0) => no(self, env),
            V::K(_) => yes(self, env),
            V::R(w) => {
                self.settle_piles(env, cx);
                let result = self.f.word();
                self.f.open();
                let a = yes(self, &mut env.clone());
                let a = self.f.reg(a);
                self.f.push(Stmt::Let(result, Word::Copy(a)));
                let a = self.f.close();
                self.f.open();
                let b = no(self, &mut env.clone());
                let b = self.f.reg(b);
                self.f.push(Stmt::Let(result, Word::Copy(b)));
                let b = self.f.close();
                self.f.push(Stmt::If(w, a, b));
                V::R(result)
            }
        }
    }

    /// Where effects are stored with a log, none may wait when ways part that meet again.
    pub fn settle_piles(&mut self, env: &mut Env, cx: Cx) {
        if self.program.stacking {
            self.flush(env, cx);
        }
    }

    /// A cell.
    pub fn cell(&mut self, cell: &'p CellExpr, env: &mut Env, cx: Cx) -> CellV {
        match cell {
            CellExpr::Const(c) => CellV::Known(V::K(u64::from(c.0))),
            CellExpr::Nowhere => CellV::Maybe(NO),
            CellExpr::Var(v) => {
                let Some(slot) = self.slot_of(*v, 0) else {
                    return CellV::Maybe(NO);
                };
                match self.get(slot, env) {
                    Bind::Cell(c) => CellV::Known(c),
                    Bind::Word(V::K(k)) if k > 0 => CellV::Known(V::K(k - 1)),
                    other => CellV::Maybe(self.encode(&other)),
                }
            }
            CellExpr::First(c) | CellExpr::Last(c) => {
                let set = self.cells(c, env, cx);
                let first = matches!(cell, CellExpr::First(_));
                self.end_of(set, first)
            }
            CellExpr::RunFirst(v) => match self.run_of(*v, env) {
                Ok(run) if run.some => CellV::Known(run.start),
                Ok(run) => {
                    let first = self.f.bin(Bin::Add, run.start, YES);
                    let some = self.f.bin(Bin::Differ, run.length, NO);
                    CellV::Maybe(self.f.select(some, first, NO))
                }
                Err(word) => {
                    let start = self.f.bin(Bin::And, word, V::K(0xFFFF));
                    let there = self.f.bin(Bin::Shr, word, V::K(63));
                    let start = self.f.bin(Bin::Add, start, V::K(1));
                    CellV::Maybe(self.f.select(there, start, NO))
                }
            },
            CellExpr::RunLast(v) => match self.run_of(*v, env) {
                Ok(run) => self.last_of_run(&run),
                Err(_) => {
                    self.refuse("the last cell of a run that is kept");
                    CellV::Maybe(NO)
                }
            },
            CellExpr::Step(c, d) => {
                let cell = self.cell(c, env, cx);
                let d = self.dir(d, env);
                let next = self.at_cell(cell, NO, |l, c| l.step_dir(c, d));
                CellV::Maybe(next)
            }
            CellExpr::If(t, a, b) => {
                let v = self.truth(t, env, cx);
                CellV::Maybe(self.either_value(
                    v,
                    env,
                    cx,
                    |l, e| l.cell_word(a, e, cx),
                    |l, e| l.cell_word(b, e, cx),
                ))
            }
        }
    }

    /// A cell counted from 1; 0 for nowhere.
    pub fn cell_word(&mut self, cell: &'p CellExpr, env: &mut Env, cx: Cx) -> V {
        match self.cell(cell, env, cx) {
            CellV::Known(c) => self.f.bin(Bin::Add, c, V::K(1)),
            CellV::Maybe(v) => v,
        }
    }

    /// The first or last cell of a set.
    pub fn end_of(&mut self, set: SV, first: bool) -> CellV {
        let some = self.f.some(&self.fixed, set);
        if some == NO {
            return CellV::Maybe(NO);
        }
        let s = self.f.sreg(set);
        if some == YES {
            let c = self
                .f
                .make(if first { Word::First(s) } else { Word::Last(s) });
            return CellV::Known(c);
        }
        let value = self.either_value(
            some,
            &mut Env::default(),
            Cx {
                mode: Mode::Exists,
                acted: false,
                me: 0,
                exit: Exit::Return,
            },
            |l, _| {
                let c = l.f.make(if first { Word::First(s) } else { Word::Last(s) });
                l.f.bin(Bin::Add, c, V::K(1))
            },
            |_, _| NO,
        );
        CellV::Maybe(value)
    }

    /// The next cell of a cell in a direction by its number: counted from 1, 0 for none.
    pub fn step(&mut self, cell: V, way: V) -> V {
        let cells = self.program.board.len() as u64;
        let table = self.steps();
        let base = self.f.bin(Bin::Mul, way, V::K(cells));
        let at = self.f.bin(Bin::Add, base, cell);
        self.f.table(&self.tables, table, at)
    }

    /// The same for a direction counted from 1, or none.
    pub fn step_dir(&mut self, cell: V, dir: V) -> V {
        if dir == NO {
            return NO;
        }
        let way = self.f.bin(Bin::Sub, dir, V::K(1));
        let way = self.f.select(dir, way, NO);
        let next = self.step(cell, way);
        self.f.select(dir, next, NO)
    }

    /// The opposite of a direction counted from 1; 0 for none.
    pub fn opposites(&mut self) -> TableId {
        self.table("opposite", |p| {
            let ways = (0..p.board.directions()).map(|d| crate::board::Direction(d as u8));
            let back = ways.map(|d| p.board.opposite(d).map_or(0, |o| u64::from(o.0) + 1));
            std::iter::once(0).chain(back).collect()
        })
    }

    /// A direction counted from 1; 0 for none.
    pub fn dir(&mut self, dir: &'p DirExpr, env: &mut Env) -> V {
        match dir {
            DirExpr::Const(d) => V::K(u64::from(d.0) + 1),
            DirExpr::Var(v) => self.var_word(*v, env),
            DirExpr::Opposite(d) => {
                let d = self.dir(d, env);
                let table = self.opposites();
                self.f.table(&self.tables, table, d)
            }
        }
    }

    pub fn contains_dir(&mut self, d: V, dirs: V) -> V {
        if d == NO {
            return NO;
        }
        let below = self.f.bin(Bin::Sub, d, V::K(1));
        let safe = self.f.select(d, below, NO);
        let bit = self.f.bin(Bin::Shr, dirs, safe);
        let bit = self.f.bin(Bin::And, bit, V::K(1));
        self.f.select(d, bit, NO)
    }

    /// A set of directions, as bits.
    pub fn dirs(&mut self, dirs: &'p Dirs, env: &mut Env, cx: Cx) -> V {
        match dirs {
            Dirs::Const(d) => V::K(d.0),
            Dirs::Var(v) => self.var_word(*v, env),
            Dirs::Single(d) => {
                let d = self.dir(d, env);
                if d == NO {
                    return NO;
                }
                let below = self.f.bin(Bin::Sub, d, V::K(1));
                let safe = self.f.select(d, below, NO);
                let bit = self.f.bin(Bin::Shl, V::K(1), safe);
                self.f.select(d, bit, NO)
            }
            Dirs::ByPlayer(sets, p) => match self.player(p, env, cx) {
                PlayerV::Is(p) => V::K(sets[usize::from(p)].0),
                PlayerV::Word(v) => {
                    let mut value = NO;
                    for (p, set) in sets.iter().enumerate() {
                        let is = self.f.bin(Bin::Equal, v, V::K(p as u64 + 1));
                        value = self.f.select(is, V::K(set.0), value);
                    }
                    value
                }
            },
            Dirs::Or(a, b) => {
                let a = self.dirs(a, env, cx);
                let b = self.dirs(b, env, cx);
                self.f.bin(Bin::Or, a, b)
            }
            Dirs::And(a, b) => {
                let a = self.dirs(a, env, cx);
                let b = self.dirs(b, env, cx);
                self.f.bin(Bin::And, a, b)
            }
            Dirs::Without(a, b) => {
                let a = self.dirs(a, env, cx);
                let b = self.dirs(b, env, cx);
                let rest = self.f.bin(Bin::Xor, b, V::K(u64::MAX));
                self.f.bin(Bin::And, a, rest)
            }
            Dirs::If(t, a, b) => {
                let v = self.truth(t, env, cx);
                self.either_value(v, env, cx, |l, e| l.dirs(a, e, cx), |l, e| l.dirs(b, e, cx))
            }
        }
    }

    /// A player.
    pub fn player(&mut self, p: &'p PlayerExpr, env: &mut Env, cx: Cx) -> PlayerV {
        if let Some(p) = self.asker(cx).player(p) {
            return PlayerV::Is(p);
        }
        let count = self.program.players.len() as u64;
        match p {
            PlayerExpr::Me | PlayerExpr::Const(_) => PlayerV::Is(cx.me),
            PlayerExpr::Var(v) => match self.var_word(*v, env) {
                V::K(k) if k > 0 => PlayerV::Is((k - 1) as u8),
                other => PlayerV::Word(other),
            },
            PlayerExpr::Next(p) => match self.player(p, env, cx) {
                PlayerV::Is(p) => PlayerV::Is((p + 1) % count as u8),
                PlayerV::Word(v) => {
                    let last = self.f.bin(Bin::Equal, v, V::K(count));
                    let more = self.f.bin(Bin::Add, v, V::K(1));
                    let next = self.f.select(last, V::K(1), more);
                    PlayerV::Word(self.f.select(v, next, NO))
                }
            },
            PlayerExpr::Owner(c) => {
                let cell = self.cell(c, env, cx);
                if let CellV::Known(c) = cell
                    && let Some(Some(p)) = env.fact(c).owner(self.program.players.len())
                    && env.pending.is_empty()
                {
                    return PlayerV::Is(p);
                }
                let mut value = NO;
                for p in 0..self.program.players.len() {
                    let set = self.owned(p as u8, env, cx);
                    let has = self.at_cell(cell, NO, |l, c| l.f.has(&l.fixed, set, c));
                    value = self.f.select(has, V::K(p as u64 + 1), value);
                }
                PlayerV::Word(value)
            }
        }
    }

    /// A player counted from 1; 0 for nobody.
    pub fn player_word(&mut self, p: &'p PlayerExpr, env: &mut Env, cx: Cx) -> V {
        match self.player(p, env, cx) {
            PlayerV::Is(p) => V::K(u64::from(p) + 1),
            PlayerV::Word(v) => v,
        }
    }

    /// A kind.
    pub fn kind(&mut self, kind: &KindExpr, env: &mut Env) -> KindOf {
        match kind {
            KindExpr::Const(k) => Ok(*k),
            KindExpr::Var(v) => match self.var_word(*v, env) {
                V::K(k) if k > 0 => Ok(crate::program::KindId((k - 1) as u8)),
                other => Err(other),
            },
        }
    }

    /// Whether a kind is the one of that number.
    pub fn is_kind(&mut self, kind: &KindOf, number: usize) -> V {
        match kind {
            Ok(kind) => V::K(u64::from(usize::from(kind.0) == number)),
            Err(word) => self.f.bin(Bin::Equal, *word, V::K(number as u64 + 1)),
        }
    }

    /// A kind counted from 1.
    pub fn kind_word(&mut self, kind: &KindExpr, env: &mut Env) -> V {
        match self.kind(kind, env) {
            Ok(k) => V::K(u64::from(k.0) + 1),
            Err(v) => v,
        }
    }

    pub fn mix(&mut self, v: V) -> V {
        let w = self.f.reg(v);
        self.f.make(Word::Mix(w))
    }

    /// The words of a set.
    pub fn words_of(&mut self, set: SV) -> Vec<V> {
        let n = self.room.words;
        let at = self.scratch(n);
        let s = self.f.sreg(set);
        let place = Place {
            base: at,
            index: None,
        };
        self.f.push(Stmt::StoreSet(place, s));
        (0..n).map(|i| self.f.load(at + i, NO)).collect()
    }
}
