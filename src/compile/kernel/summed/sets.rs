//! Sets in many positions at once: what is made of them, and what is asked of them.

use crate::compile::kernel::fun::{ALL, NO, NONE, SV, V, YES};
use crate::compile::kernel::summed::values::{Found, Many, Num, Test};
use crate::compile::kernel::summed::writer::{Pointwise, Writer};
use crate::program::kernel::{Bin, S, Set};

impl Writer<'_> {
    /// A set as it is without the cell, and with it when the second has it.
    pub fn but(&self, others: SV, own: SV) -> Many {
        match (self.side(others), self.side(own)) {
            _ if others == own => Many::Same(own),
            (Some(a), Some(b)) if a == b => Many::Same(others),
            (_, Some(true)) => Many::But(others, ALL),
            (_, Some(false)) => Many::But(others, NONE),
            _ => Many::But(others, own),
        }
    }

    pub fn two(&mut self, a: Many, b: Many, how: Pointwise) -> Many {
        let (Some((a, of_a)), Some((b, of_b))) = (a.both(), b.both()) else {
            return Many::Unknown;
        };
        let others = self.point(a, b, how);
        if a == of_a && b == of_b {
            return Many::Same(others);
        }
        let own = self.point(of_a, of_b, how);
        self.but(others, own)
    }

    /// A set with a cell or without it.
    pub fn one_more(&mut self, set: Many, cell: &Num, how: Pointwise) -> Many {
        let Some((others, own)) = set.both() else {
            return Many::Unknown;
        };
        match cell {
            Num::Same(cell) => match self.single(*cell) {
                Some(one) => self.two(set, Many::Same(one), how),
                None => Many::Unknown,
            },
            Num::Cell(0) => {
                let own = self.point(own, ALL, how);
                self.but(others, own)
            }
            _ => Many::Unknown,
        }
    }

    pub fn select_sets(&mut self, test: &Num, a: Many, b: Many) -> Many {
        match self.test(test) {
            Test::Known(true) => return a,
            Test::Known(false) => return b,
            Test::Unknown => return Many::Unknown,
            Test::Same(_) | Test::Cells(_) if a == b => return a,
            Test::Same(w) => {
                if let (Some((a, of_a)), Some((b, of_b))) = (a.both(), b.both()) {
                    let others = self.select_set(V::R(w), a, b);
                    if a == of_a && b == of_b {
                        return Many::Same(others);
                    }
                    let own = self.select_set(V::R(w), of_a, of_b);
                    return self.but(others, own);
                }
            }
            Test::Cells(holds) => {
                if let (Some((a, of_a)), Some((b, of_b))) = (a.both(), b.both())
                    && a == b
                {
                    let yes = self.point(of_a, holds, Pointwise::And);
                    let no = self.point(of_b, holds, Pointwise::Without);
                    let own = self.point(yes, no, Pointwise::Or);
                    return self.but(a, own);
                }
            }
        }
        Many::Unknown
    }

    /// What is made of a set that is the same in all.
    pub fn moved(&mut self, set: Many, how: impl Fn(S) -> Set) -> Many {
        let Many::Same(set) = set else {
            return Many::Unknown;
        };
        let s = self.f.sreg(set);
        Many::Same(self.make_set(how(s)))
    }

    pub fn cut(&mut self, a: Many, b: Many, how: impl Fn(S, S) -> Set) -> Many {
        let (Many::Same(a), Many::Same(b)) = (a, b) else {
            return Many::Unknown;
        };
        let (a, b) = (self.f.sreg(a), self.f.sreg(b));
        Many::Same(self.make_set(how(a, b)))
    }

    /// A set for which the cell makes no difference; the cells for which it would are to be taken out.
    pub fn at_rest(&mut self, set: Many) -> Found<Option<S>> {
        let Some((others, own)) = set.both() else {
            return Ok(None);
        };
        if others != own {
            [own, others]
                .into_iter()
                .try_for_each(|set| self.has_none(set))?;
        }
        Ok(Some(self.f.sreg(others)))
    }

    /// A set has no cell.
    pub fn has_none(&self, set: SV) -> Found<()> {
        match self.side(set) {
            Some(false) => Ok(()),
            _ => Err(set),
        }
    }

    /// The part that holds a cell, where the played one is not beside it.
    pub fn part(&mut self, set: Many, cell: V) -> Found<Many> {
        let (Some((others, own)), Some(one)) = (set.both(), self.single(cell)) else {
            return Ok(Many::Unknown);
        };
        let (s, w) = (self.f.sreg(others), self.f.reg(cell));
        if others == own {
            return Ok(Many::Same(self.make_set(Set::Part(s, w))));
        }
        self.has_none(others)?;
        let part = self.make_set(Set::Part(s, w));
        if self.side(own) != Some(false) {
            let s = self.f.sreg(part);
            let near = self.make_set(Set::Around(s));
            let near = self.point(near, one, Pointwise::Or);
            self.has_none(near)?;
        }
        Ok(Many::Same(part))
    }

    /// How many cells a set has.
    pub fn count(&mut self, set: Many) -> Num {
        let Some((others, own)) = set.both() else {
            return Num::Unknown;
        };
        let many = self.count_same(others);
        if others == own {
            return Num::Same(many);
        }
        let less = self.of_two(Bin::Sub, many, YES);
        let more = self.of_two(Bin::Add, many, YES);
        let both = self.point(others, own, Pointwise::And);
        self.in_cases([(both, many), (others, less), (own, more)], many)
    }

    /// Whether a set has cells.
    pub fn some(&mut self, set: Many) -> Num {
        let Some((others, own)) = set.both() else {
            return Num::Unknown;
        };
        let any = self.some_same(others);
        if others == own {
            return Num::Same(any);
        }
        if self.side(others) == Some(false) {
            return self.in_cases([(own, YES)], any);
        }
        let many = self.count_same(others);
        let several = self.of_two(Bin::Less, YES, many);
        self.in_cases([(own, YES), (others, several)], any)
    }

    pub fn has(&mut self, set: Many, cell: &Num) -> Num {
        let Some((others, own)) = set.both() else {
            return Num::Unknown;
        };
        match cell {
            Num::Cell(0) => self.in_cases([(own, YES)], NO),
            Num::Same(cell) => {
                let Some(one) = self.single(*cell) else {
                    return Num::Unknown;
                };
                let has = self.has_same(others, *cell);
                if others == own {
                    return Num::Same(has);
                }
                let of_own = self.has_same(own, *cell);
                self.in_cases([(one, of_own)], has)
            }
            _ => Num::Unknown,
        }
    }
}
