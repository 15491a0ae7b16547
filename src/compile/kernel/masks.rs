//! Truths about a chosen cell, asked of all cells at once: the set of those for which they hold.

use crate::board::{Board, Cell, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, Truth, Value, VarId, dirs_vars, still_where, truth_vars,
};

/// The cells of a set that depend on the chosen cell only by where it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Near {
    /// Not at all.
    Anywhere,
    /// The cell itself.
    Here,
    /// Next to it.
    Beside,
    /// One step along directions.
    Along(u64),
}

impl<'p> Lowerer<'p> {
    /// The cells for which a truth holds, unless effects on the way change what it reads.
    #[allow(clippy::too_many_arguments, reason = "what is known on the way")]
    pub fn test_set(
        &mut self,
        test: &'p Truth,
        var: VarId,
        means: &[(VarId, Option<&'p Value>)],
        owned: u32,
        others: bool,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let reads = self.asker(cx).truth(test);
        if reads.owned & owned != 0 || (others && (reads.others || reads.deep)) {
            return None;
        }
        // Values that were computed after an effect are not looked into.
        if others && reads.vars.iter().any(|v| means.iter().any(|(m, _)| m == v)) {
            return None;
        }
        self.as_set(test, var, means, env, cx)
    }

    /// The cells for which a truth holds, as a set; nothing when it cannot be said so.
    pub fn as_set(
        &mut self,
        test: &'p Truth,
        var: VarId,
        means: &[(VarId, Option<&'p Value>)],
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let vars = self.asker(cx).truth(test).vars;
        let depends = |v: &VarId| *v == var || means.iter().any(|(m, _)| m == v);
        let deep = self.hides(test);
        if !deep && !vars.iter().any(depends) {
            let v = self.truth(test, env, cx);
            return Some(self.f.select_set(v, ALL, NONE));
        }
        match test {
            Truth::Not(a) => {
                let set = self.as_set(a, var, means, env, cx)?;
                Some(self.f.without(&mut self.fixed, ALL, set))
            }
            Truth::And(a, b) => {
                let a = self.as_set(a, var, means, env, cx)?;
                let b = self.as_set(b, var, means, env, cx)?;
                Some(self.f.and(&mut self.fixed, a, b))
            }
            Truth::Or(a, b) => {
                let a = self.as_set(a, var, means, env, cx)?;
                let b = self.as_set(b, var, means, env, cx)?;
                Some(self.f.or(&mut self.fixed, a, b))
            }
            Truth::Compare(..) | Truth::SameCell(..)
                if let Some(cells) = still_where(&self.program.board, var, test) =>
            {
                Some(self.fix(&cells))
            }
            Truth::Compare(..) => self.tall(test, var, env, cx),
            Truth::Contains(c, set) if **c == CellExpr::Var(var) => {
                self.free_set(set, var, means, env, cx)
            }
            Truth::Contains(c, set) if self.beside_along(c, var).is_some() => {
                let way = self.beside_along(c, var)?;
                let set = self.free_set(set, var, means, env, cx)?;
                self.stepped(set, way, true)
            }
            Truth::SameCell(a, b) => {
                let other = match (a.as_ref(), b.as_ref()) {
                    (CellExpr::Var(v), other) | (other, CellExpr::Var(v)) if *v == var => other,
                    _ => return None,
                };
                match other {
                    CellExpr::Const(_) => {}
                    CellExpr::Var(v) if !depends(v) => {}
                    _ => return None,
                }
                let cell = self.cell(other, env, cx);
                Some(self.single(cell))
            }
            Truth::Var(v) => {
                let at = means.iter().rposition(|(m, _)| m == v)?;
                let (_, Some(Value::Truth(t))) = means[at] else {
                    return None;
                };
                // What it was made of may have been given another value since.
                let (reads, since) = (self.asker(cx).truth(t).vars, &means[at + 1..]);
                let mut changed = since.iter().any(|(m, _)| reads.contains(m));
                for sub in truth_vars(t).subs {
                    let begin = self.sub(sub);
                    changed |= self.reads_given(begin, since);
                }
                if changed {
                    return None;
                }
                // What it was given itself before stands for it in what it was made of.
                self.as_set(t, var, &means[..at], env, cx)
            }
            Truth::Some(set) => {
                if let Cells::Var(v) = set.as_ref()
                    && let Some((_, Some(Value::Cells(Cells::Gather(what, sub))))) =
                        means.iter().rev().find(|(m, _)| m == v)
                {
                    return self.picture_starts(*sub, Some(*what), (var, means), env, cx);
                }
                let (x, near) = self.near(set, var, means, env, cx)?;
                self.reached(x, near)
            }
            Truth::Subset(a, b) => {
                let b = self.free_set(b, var, means, env, cx)?;
                let (x, near) = self.near(a, var, means, env, cx)?;
                let bad = self.f.without(&mut self.fixed, x, b);
                let bad = self.reached(bad, near)?;
                Some(self.f.without(&mut self.fixed, ALL, bad))
            }
            Truth::Possible(None, sub) => self.picture_starts(*sub, None, (var, means), env, cx),
            _ => None,
        }
    }

    /// The direction in which a cell lies next to a chosen one, which is never that itself.
    fn beside_along(&self, cell: &CellExpr, var: VarId) -> Option<Directions> {
        let CellExpr::Step(from, along) = cell else {
            return None;
        };
        let (CellExpr::Var(chosen), DirExpr::Const(way)) = (from.as_ref(), along.as_ref()) else {
            return None;
        };
        let board = &self.program.board;
        let mut cells = (0..board.len()).map(|c| Cell(c as u16));
        let apart = cells.all(|c| board.step(c, *way) != Some(c));
        (*chosen == var && apart).then(|| Directions::single(*way))
    }

    /// Whether a truth asks subprograms, whose variables it does not show.
    pub fn hides(&self, test: &Truth) -> bool {
        match test {
            Truth::Possible(..) => true,
            Truth::Not(a) => self.hides(a),
            Truth::And(a, b) | Truth::Or(a, b) => self.hides(a) || self.hides(b),
            Truth::Const(_) | Truth::Var(_) | Truth::OfPlayer(..) => false,
            Truth::Contains(..) | Truth::Some(_) | Truth::Subset(..) | Truth::Compare(..) => {
                self.asker_cost(test) >= 100
            }
            _ => self.asker_cost(test) >= 100,
        }
    }

    pub fn asker_cost(&self, test: &Truth) -> u32 {
        let asker = crate::compile::kernel::reads::Asker {
            program: self.program,
            me: 0,
        };
        asker.truth(test).cost
    }

    /// A set that does not depend on the chosen cell.
    pub fn free_set(
        &mut self,
        set: &'p Cells,
        var: VarId,
        means: &[(VarId, Option<&'p Value>)],
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        let reads = self.asker(cx).cells(set);
        let depends = |v: &VarId| *v == var || means.iter().any(|(m, _)| m == v);
        if reads.vars.iter().any(depends) || reads.cost >= 100 {
            return None;
        }
        Some(self.cells(set, env, cx))
    }

    /// A set as a fixed one, cut to where the chosen cell is.
    pub fn near(
        &mut self,
        set: &'p Cells,
        var: VarId,
        means: &[(VarId, Option<&'p Value>)],
        env: &mut Env,
        cx: Cx,
    ) -> Option<(SV, Near)> {
        if let Some(free) = self.free_set(set, var, means, env, cx) {
            return Some((free, Near::Anywhere));
        }
        let is_here = |c: &Cells| matches!(c, Cells::Single(c) if **c == CellExpr::Var(var));
        let depends = |v: &VarId| *v == var || means.iter().any(|(m, _)| m == v);
        match set {
            c if is_here(c) => Some((ALL, Near::Here)),
            Cells::Adjacent(c) if is_here(c) => Some((ALL, Near::Beside)),
            Cells::AdjacentAlong(c, dirs) if is_here(c) => match dirs.as_ref() {
                Dirs::Const(d) => Some((ALL, Near::Along(d.0))),
                dirs if dirs_vars(dirs).may_read(|v| depends(&v)) => None,
                dirs => match self.dirs(dirs, env, cx) {
                    V::K(d) => Some((ALL, Near::Along(d))),
                    V::R(_) => None,
                },
            },
            Cells::And(a, b) => {
                let (x, m) = self.near(a, var, means, env, cx)?;
                let (y, n) = self.near(b, var, means, env, cx)?;
                let both = self.f.and(&mut self.fixed, x, y);
                match (m, n) {
                    (Near::Anywhere, n) => Some((both, n)),
                    (m, Near::Anywhere) => Some((both, m)),
                    (m, n) if m == n => Some((both, m)),
                    _ => None,
                }
            }
            Cells::Or(a, b) => {
                let (x, m) = self.near(a, var, means, env, cx)?;
                let (y, n) = self.near(b, var, means, env, cx)?;
                (m == n).then(|| (self.f.or(&mut self.fixed, x, y), m))
            }
            Cells::Without(a, b) => {
                let (x, m) = self.near(a, var, means, env, cx)?;
                let b = self.free_set(b, var, means, env, cx)?;
                Some((self.f.without(&mut self.fixed, x, b), m))
            }
            _ => None,
        }
    }

    /// The cells for which a set that is cut to where they are has members.
    pub fn reached(&mut self, x: SV, near: Near) -> Option<SV> {
        match near {
            Near::Here => Some(x),
            Near::Beside => self.is_mutual().then(|| self.around(x)),
            Near::Along(d) => self.stepped(x, Directions(d), true),
            Near::Anywhere => {
                let some = self.f.some(&self.fixed, x);
                Some(self.f.select_set(some, ALL, NONE))
            }
        }
    }

    /// Whether of two neighbours each is next to the other, and no cell to itself.
    pub fn is_mutual(&self) -> bool {
        *self.mutual.get_or_init(|| mutual(&self.program.board))
    }
}

/// Whether of two neighbours each is next to the other, and no cell to itself.
fn mutual(board: &Board) -> bool {
    board.cells().iter().all(|c| {
        let near = board.neighbours(c);
        !near.contains(c) && near.iter().all(|n| board.neighbours(n).contains(c))
    })
}
