//! Matches that are told by their last cells, when they are counted: of those whose requirements surely hold, since the last cell
//! or the direction says so, only the number is asked; the others are looked at one by one.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::pictures::Match;
use crate::program::{CellExpr, DirExpr, Op, Pc, Square, Truth, VarId, cells_vars, dirs_vars};

/// What the matches of a lane have in common, and what tells them apart.
struct Told {
    /// The direction's variable.
    way: Option<VarId>,
    /// The variable of the last square, and whether it is a run.
    last: Option<(VarId, bool)>,
}

impl<'p> Lowerer<'p> {
    /// The requirements from an instruction to the end of the action, when nothing is chosen there.
    pub fn requirements(&self, mut at: Pc, cx: Cx) -> Option<Vec<(Pc, &'p Truth)>> {
        let (mut acted, mut all) = (cx.acted, Vec::new());
        for _ in 0..40 {
            if self.joins[at.0 as usize] && !self.is_short(at) {
                return None;
            }
            match self.op(at) {
                Op::Require(test, _) => all.push((at, test)),
                Op::Let(..) | Op::Clear(_) | Op::Effect(_) | Op::Open(_) | Op::Close(_) => {}
                Op::ActionDone => acted = true,
                Op::EndTurn | Op::Point(_) => return acted.then_some(all),
                Op::Jump(to) => {
                    at = *to;
                    continue;
                }
                _ => return None,
            }
            at = Pc(at.0 + 1);
        }
        None
    }

    /// The cells for which requirements surely hold of the match that ends there, along a direction.
    pub fn surely(
        &mut self,
        m: &Match<'p>,
        way: u8,
        tests: &[(Pc, &'p Truth)],
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        let last = m.picture.squares.len() - 1;
        let is_run = |square: &Square| {
            !matches!(
                square,
                Square::Cells {
                    count: crate::program::Count::One,
                    ..
                }
            )
        };
        let told = Told {
            way: m.picture.way,
            last: Self::bound_at(m.picture, last).map(|v| (v, is_run(&m.picture.squares[last]))),
        };
        let mut all = ALL;
        for (_, test) in tests {
            let one = self.surely_is(test, true, (&told, way), env, cx);
            all = self.f.and(&mut self.fixed, all, one);
        }
        all
    }

    /// The cells for which a test surely holds, or surely does not.
    fn surely_is(
        &mut self,
        test: &'p Truth,
        holds: bool,
        (told, way): (&Told, u8),
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        let mut of = |l: &mut Self, test, holds| l.surely_is(test, holds, (told, way), env, cx);
        match test {
            Truth::Const(k) => {
                if *k == holds {
                    ALL
                } else {
                    NONE
                }
            }
            Truth::Not(a) => of(self, a, !holds),
            Truth::And(a, b) | Truth::Or(a, b) => {
                let (x, y) = (of(self, a, holds), of(self, b, holds));
                if matches!(test, Truth::And(..)) == holds {
                    self.f.and(&mut self.fixed, x, y)
                } else {
                    self.f.or(&mut self.fixed, x, y)
                }
            }
            Truth::Contains(cell, set)
                if told.is_last(cell) && !cells_vars(set).may_read(|_| true) =>
            {
                if self.asker(cx).cells(set).pieces() {
                    return NONE;
                }
                match self.cells(set, env, cx) {
                    cells @ SV::K(_) if holds => cells,
                    cells @ SV::K(_) => self.f.without(&mut self.fixed, ALL, cells),
                    SV::R(_) => NONE,
                }
            }
            Truth::ContainsDir(dir, dirs)
                if told.is_way(dir) && !dirs_vars(dirs).may_read(|_| true) =>
            {
                match self.dirs(dirs, env, cx) {
                    V::K(ways) if (ways >> way & 1 == 1) == holds => ALL,
                    _ => NONE,
                }
            }
            _ => NONE,
        }
    }
}

impl Told {
    fn is_last(&self, cell: &CellExpr) -> bool {
        match (cell, self.last) {
            (CellExpr::RunLast(v), Some((last, true)))
            | (CellExpr::Var(v), Some((last, false))) => *v == last,
            _ => false,
        }
    }

    fn is_way(&self, dir: &DirExpr) -> bool {
        matches!((dir, self.way), (DirExpr::Var(v), Some(way)) if *v == way)
    }
}
