//! Whether something may happen wherever a trail comes to: sets and truths of which it is not known what the trail puts where. In: what
//! may happen, and the cells that the trail may come to. Out: code that finds out whether some of it may.
//!
//! Conditions: none; what is not followed may be anything.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{ALL, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::paces::behind::Behind;
use crate::compile::kernel::reads::{Asker, Reads};
use crate::program::kernel::{Bin, RowsId, Set, Stmt, Word};
use crate::program::{CellExpr, Cells, Compare, Num, Truth, VarId};
use std::collections::BTreeSet;

/// What is known where something may happen.
#[derive(Clone)]
pub struct Look<'a> {
    /// Who moves.
    pub cx: Cx,
    /// The variables that have the cell where the trail ended.
    pub last: &'a BTreeSet<VarId>,
    /// That cell.
    pub at: V,
    /// The cells that the trail may come to.
    pub reach: SV,
    /// The cells that it may begin at.
    pub starts: SV,
    /// How many pieces fall.
    pub falls: V,
    /// How many at most on one cell.
    pub falls_on_one: V,
    /// For each cell those from which a trail can come to it while they fall.
    pub back: RowsId,
    /// The same, and those that it can come to from there.
    pub along: RowsId,
    /// The mover's cells before the turn.
    pub now: SV,
    /// His cells behind the trail.
    pub own: Ends,
    /// What is known, with the cells that are gone through.
    pub env: Env,
    /// The variables that stand for those.
    pub its: Vec<VarId>,
}

/// A set of which not everything is known: the cells that are in it for certain, and all that may be.
#[derive(Clone, Copy)]
pub struct Ends {
    /// For certain.
    pub low: SV,
    /// All.
    pub high: SV,
}

impl Ends {
    fn one(set: SV) -> Ends {
        Ends {
            low: set,
            high: set,
        }
    }
}

impl<'p> Lowerer<'p> {
    /// Whether something may happen behind a trail: for each cell where it may have ended.
    pub fn may_happen(&mut self, behind: &Behind<'p>, look: &Look<'_>) -> V {
        let may = self.f.word();
        self.f.push(Stmt::Let(may, Word::Const(0)));
        for chance in &behind.chances {
            let mut ends = look.reach;
            for (truth, _) in chance.when.iter().filter(|(_, says)| *says) {
                ends = self.last_when(truth, ends, look);
            }
            let c = self.f.word();
            self.f.open();
            let look = Look {
                at: V::R(c),
                ..look.clone()
            };
            let mut here = YES;
            for (truth, says) in &chance.when {
                let so = self.may_be(truth, *says, &look);
                here = self.f.both(here, so);
            }
            if let Some(cells) = chance.taken {
                let taken = self.ends_of(cells, &look).high;
                let some = self.f.some(&self.fixed, taken);
                here = self.f.both(here, some);
            }
            let here = self.f.either(V::R(may), here);
            let here = self.f.reg(here);
            self.f.push(Stmt::Let(may, Word::Copy(here)));
            let body = self.f.close();
            let ends = self.f.sreg(ends);
            self.f.push(Stmt::ForCells(c, ends, body));
        }
        V::R(may)
    }

    /// Where of some cells the trail may have ended when a truth holds.
    fn last_when(&mut self, truth: &'p Truth, of: SV, look: &Look<'_>) -> SV {
        match truth {
            Truth::And(a, b) => {
                let of = self.last_when(a, of, look);
                self.last_when(b, of, look)
            }
            Truth::Compare(Compare::Equal, a, b) => match (a.as_ref(), b.as_ref()) {
                (Num::Height(cell), Num::Const(height))
                | (Num::Const(height), Num::Height(cell)) => match cell.as_ref() {
                    CellExpr::Var(v) if look.last.contains(v) => {
                        self.last_as_high(*height, of, look)
                    }
                    _ => of,
                },
                _ => of,
            },
            _ => of,
        }
    }

    /// Where the trail may have ended when there are so many pieces now: one fell there, and no more than may fall on one cell. Where it
    /// began there were none meanwhile.
    fn last_as_high(&mut self, height: i64, of: SV, look: &Look<'_>) -> SV {
        let Ok(height) = u64::try_from(height) else {
            return NONE;
        };
        let (found, c) = (self.f.set(), self.f.word());
        let starts = self.f.and(&mut self.fixed, look.starts, of);
        let some = self.f.bin(Bin::AtMost, YES, V::K(height));
        let few = self.f.bin(Bin::AtMost, V::K(height), look.falls_on_one);
        let all_fell = self.f.both(some, few);
        let starts = self.f.select_set(all_fell, starts, NONE);
        let starts = self.f.sreg(starts);
        self.f.push(Stmt::LetSet(found, Set::Copy(starts)));
        self.f.open();
        let pile = self.pile(V::R(c));
        let before = self.height_of(pile);
        let most = self.f.bin(Bin::Add, before, look.falls_on_one);
        let fell = self.f.bin(Bin::Less, before, V::K(height));
        let few = self.f.bin(Bin::AtMost, V::K(height), most);
        let may = self.f.both(fell, few);
        self.take_when(found, V::R(c), may);
        let body = self.f.close();
        let all = self.f.sreg(of);
        self.f.push(Stmt::ForCells(c, all, body));
        SV::R(found)
    }

    /// Whether a truth may say so.
    fn may_be(&mut self, truth: &'p Truth, says: bool, look: &Look<'_>) -> V {
        match truth {
            Truth::Const(is) => V::K(u64::from(*is == says)),
            Truth::Not(a) => self.may_be(a, !says, look),
            Truth::And(a, b) | Truth::Or(a, b) => {
                let two = [a, b].map(|of| self.may_be(of, says, look));
                match (truth, says) {
                    (Truth::And(..), true) | (Truth::Or(..), false) => self.f.both(two[0], two[1]),
                    _ => self.f.either(two[0], two[1]),
                }
            }
            Truth::Some(set) => {
                let set = self.ends_of(set, look);
                let some = |l: &mut Self, set| l.f.some(&l.fixed, set);
                match says {
                    true => some(self, set.high),
                    false => {
                        let some = some(self, set.low);
                        self.f.not(some)
                    }
                }
            }
            Truth::Subset(a, b) if says && self.is_own(b, look) => {
                let a = self.ends_of(a, look).low;
                self.may_fall_on(a, look)
            }
            Truth::Subset(a, b) => {
                let (a, b) = (self.ends_of(a, look), self.ends_of(b, look));
                self.may_lie_within(a, b, says)
            }
            Truth::Contains(cell, set) => {
                let Some(cell) = self.ends_of_cell(cell, look) else {
                    return YES;
                };
                let set = self.ends_of(set, look);
                let so = match says {
                    true => self.f.and(&mut self.fixed, cell.high, set.high),
                    false => self.f.without(&mut self.fixed, cell.high, set.low),
                };
                self.f.some(&self.fixed, so)
            }
            _ => YES,
        }
    }

    fn is_own(&self, cells: &Cells, look: &Look<'_>) -> bool {
        let asker = Asker {
            program: self.program,
            me: look.cx.me,
        };
        matches!(cells, Cells::Owned(p) if asker.player(p) == Some(look.cx.me))
    }

    /// Whether the mover may have all cells of a set then: on those that he does not have yet pieces fall, on the way to the last one.
    fn may_fall_on(&mut self, cells: SV, look: &Look<'_>) -> V {
        let last = self.f.single(&mut self.fixed, look.at);
        let cells = self.f.without(&mut self.fixed, cells, last);
        let missing = self.f.without(&mut self.fixed, cells, look.now);
        let many = self.f.count(&self.fixed, missing);
        let few = self.f.bin(Bin::Less, many, look.falls);
        let before = self.f.row(look.back, look.at);
        let before = self.f.and(&mut self.fixed, before, look.reach);
        let within = self.f.within(missing, before);
        let (may, c) = (self.f.word(), self.f.word());
        let can = self.f.both(few, within);
        let can = self.f.reg(can);
        self.f.push(Stmt::Let(may, Word::Copy(can)));
        // Of any two one comes before the other.
        self.f.open();
        let along = self.f.row(look.along, V::R(c));
        let others = self.f.less(missing, V::R(c));
        let together = self.f.within(others, along);
        let can = self.f.both(V::R(may), together);
        let can = self.f.reg(can);
        self.f.push(Stmt::Let(may, Word::Copy(can)));
        let body = self.f.close();
        let all = self.f.sreg(missing);
        self.f.push(Stmt::ForCells(c, all, body));
        V::R(may)
    }

    fn may_lie_within(&mut self, a: Ends, b: Ends, says: bool) -> V {
        let (inner, outer) = match says {
            true => (a.low, b.high),
            false => (a.high, b.low),
        };
        let outside = self.f.without(&mut self.fixed, inner, outer);
        let some = self.f.some(&self.fixed, outside);
        match says {
            true => self.f.not(some),
            false => some,
        }
    }

    /// The cells that a cell may be, when those are known.
    fn ends_of_cell(&mut self, cell: &'p CellExpr, look: &Look<'_>) -> Option<Ends> {
        match cell {
            CellExpr::Var(v) if look.last.contains(v) => {
                return Some(Ends::one(self.f.single(&mut self.fixed, look.at)));
            }
            CellExpr::Const(_) => {}
            CellExpr::Var(v) if look.its.contains(v) => {}
            _ => return None,
        }
        let cell = self.cell(cell, &mut look.env.clone(), look.cx);
        Some(Ends::one(self.single(cell)))
    }

    /// A set of cells.
    fn ends_of(&mut self, cells: &'p Cells, look: &Look<'_>) -> Ends {
        let asker = Asker {
            program: self.program,
            me: look.cx.me,
        };
        if is_certain(&asker.cells(cells), look) {
            return Ends::one(self.cells(cells, &mut look.env.clone(), look.cx));
        }
        match cells {
            Cells::Owned(p) if asker.player(p) == Some(look.cx.me) => look.own,
            Cells::Single(cell) => self.ends_of_cell(cell, look).unwrap_or(ANY),
            Cells::Or(a, b) => self.ends_of_two((a, b), look, |l, a, b| {
                let low = l.f.or(&mut l.fixed, a.low, b.low);
                let high = l.f.or(&mut l.fixed, a.high, b.high);
                Ends { low, high }
            }),
            Cells::And(a, b) => self.ends_of_two((a, b), look, |l, a, b| {
                let low = l.f.and(&mut l.fixed, a.low, b.low);
                let high = l.f.and(&mut l.fixed, a.high, b.high);
                Ends { low, high }
            }),
            Cells::Without(a, b) => self.ends_of_two((a, b), look, |l, a, b| {
                let low = l.f.without(&mut l.fixed, a.low, b.high);
                let high = l.f.without(&mut l.fixed, a.high, b.low);
                Ends { low, high }
            }),
            Cells::Adjacent(set) => {
                let set = self.ends_of(set, look);
                Ends {
                    low: NONE,
                    high: self.around(set.high),
                }
            }
            Cells::AdjacentAlong(set, dirs) => {
                let set = self.ends_of(set, look);
                let high = match self.dirs(dirs, &mut look.env.clone(), look.cx) {
                    V::K(ways) => self.stepped(set.high, Directions(ways), false),
                    V::R(_) => None,
                };
                Ends {
                    low: NONE,
                    high: high.unwrap_or(ALL),
                }
            }
            Cells::Where(set, it, test) => self.ends_where((set, *it, test), look),
            _ => ANY,
        }
    }

    fn ends_of_two(
        &mut self,
        (a, b): (&'p Cells, &'p Cells),
        look: &Look<'_>,
        of: impl Fn(&mut Self, Ends, Ends) -> Ends,
    ) -> Ends {
        let (a, b) = (self.ends_of(a, look), self.ends_of(b, look));
        of(self, a, b)
    }

    /// The cells of a set of which something may be true.
    fn ends_where(
        &mut self,
        (set, it, test): (&'p Cells, VarId, &'p Truth),
        look: &Look<'_>,
    ) -> Ends {
        let set = self.ends_of(set, look);
        let Some(slot) = self.slot_of(it, 0) else {
            return ANY;
        };
        let (found, c) = (self.f.set(), self.f.word());
        let none = self.f.sreg(NONE);
        self.f.push(Stmt::LetSet(found, Set::Copy(none)));
        let mut inner = look.clone();
        inner.its.push(it);
        self.put(slot, Bind::Cell(V::R(c)), &mut inner.env);
        self.f.open();
        let may = self.may_be(test, true, &inner);
        self.take_when(found, V::R(c), may);
        let body = self.f.close();
        let all = self.f.sreg(set.high);
        self.f.push(Stmt::ForCells(c, all, body));
        Ends {
            low: NONE,
            high: SV::R(found),
        }
    }
}

/// A set that may be any.
const ANY: Ends = Ends {
    low: NONE,
    high: ALL,
};

/// Whether what is read is the same behind the trail as before it: other players' pieces, and the cells that are gone through.
fn is_certain(reads: &Reads, look: &Look<'_>) -> bool {
    let pieces = reads.others || reads.deep || reads.unseen || reads.owned >> look.cx.me & 1 == 1;
    !pieces && reads.vars.iter().all(|var| look.its.contains(var))
}
