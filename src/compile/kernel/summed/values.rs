//! Values in many positions at once, which differ in one cell only: each of a set's in turn. In: words and sets as kernels compute
//! them. Out: the same for all of the positions, as statements. What is not known so is said, nothing is guessed.

use crate::compile::kernel::fun::{ALL, NO, NONE, SV, V, YES};
use crate::compile::kernel::summed::writer::{Pointwise, Writer};
use crate::program::kernel::{Bin, S, Set, W, Word};
use std::rc::Rc;

/// A number that has more cases than this is not followed.
const MOST_CASES: usize = 6;

/// A truth that has more is told by the set of those for which it holds.
const FEW_CASES: usize = 2;

/// What is added to the number of a cell is less.
const SMALL: u64 = 1 << 32;

/// A word in all positions.
#[derive(Clone, PartialEq, Debug)]
pub enum Num {
    /// The same in all.
    Same(V),
    /// The number of the cell, and so much more.
    Cell(u64),
    /// What stands beside the first set that has the cell, else the last.
    Cases(Rc<[(SV, V)]>, V),
    /// So long a log.
    Mark(usize),
    /// Not known.
    Unknown,
}

/// A set in all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Many {
    /// The same in all.
    Same(SV),
    /// As the first but for the cell, which it has when the second has it.
    But(SV, SV),
    /// Not known.
    Unknown,
}

/// What is computed, unless some cells must be taken out first.
pub type Found<T> = Result<T, SV>;

/// Whether a word is not 0.
pub enum Test {
    /// In all positions, or in none.
    Known(bool),
    /// That is found out when it is run, for all.
    Same(W),
    /// For the cells of a set.
    Cells(SV),
    /// Not known.
    Unknown,
}

/// What words and sets stand for where they are read.
pub trait Read {
    /// A word.
    fn num(&self, w: W) -> Num;

    /// A set.
    fn many(&self, s: S) -> Many;
}

impl Num {
    /// Its cases and what it is else, when it has such.
    fn cases(&self) -> Option<(&[(SV, V)], V)> {
        match self {
            Num::Same(v) => Some((&[], *v)),
            Num::Cases(cases, other) => Some((cases, *other)),
            Num::Cell(_) | Num::Mark(_) | Num::Unknown => None,
        }
    }
}

impl Many {
    /// Without the cell, and whether it has the cell.
    pub fn both(self) -> Option<(SV, SV)> {
        match self {
            Many::Same(s) => Some((s, s)),
            Many::But(others, own) => Some((others, own)),
            Many::Unknown => None,
        }
    }
}

impl Writer<'_> {
    /// A word; what stands in memory is not asked here.
    pub fn word(&mut self, word: &Word, env: &impl Read) -> Found<Num> {
        let num = |w: &W| env.num(*w);
        let many = |s: &S| env.many(*s);
        Ok(match word {
            Word::Const(k) => Num::Same(V::K(*k)),
            Word::Copy(a) => num(a),
            Word::Bin(op, a, b) => self.bin(*op, &num(a), &num(b)),
            Word::Select(test, a, b) => self.select(&num(test), &num(a), &num(b)),
            Word::Table(id, at) => match num(at) {
                Num::Same(at) => self.table(*id, at).map_or(Num::Unknown, Num::Same),
                _ => Num::Unknown,
            },
            Word::Count(s) => self.count(many(s)),
            Word::Some(s) => self.some(many(s)),
            Word::Has(s, w) => self.has(many(s), &num(w)),
            Word::Within(a, b) => {
                let left = self.two(many(a), many(b), Pointwise::Without);
                let some = self.some(left);
                self.bin(Bin::Equal, &some, &Num::Same(NO))
            }
            Word::Meet(a, b) => {
                let both = self.two(many(a), many(b), Pointwise::And);
                self.some(both)
            }
            Word::Same(a, b) => {
                let other = self.two(many(a), many(b), Pointwise::Xor);
                let some = self.some(other);
                self.bin(Bin::Equal, &some, &Num::Same(NO))
            }
            Word::First(s) => match self.at_rest(many(s))? {
                Some(s) => Num::Same(self.make(Word::First(s))),
                None => Num::Unknown,
            },
            Word::Last(s) => match self.at_rest(many(s))? {
                Some(s) => Num::Same(self.make(Word::Last(s))),
                None => Num::Unknown,
            },
            Word::Load(_)
            | Word::Byte(..)
            | Word::Nth(..)
            | Word::Leading(_)
            | Word::Mix(_)
            | Word::PileKey(..)
            | Word::Repeated(_)
            | Word::Seen(_) => Num::Unknown,
        })
    }

    /// A set; what stands in memory is not asked here.
    pub fn set(&mut self, set: &Set, env: &impl Read) -> Found<Many> {
        let num = |w: &W| env.num(*w);
        let many = |s: &S| env.many(*s);
        Ok(match set {
            Set::Const(id) => Many::Same(SV::K(*id)),
            Set::Copy(s) => many(s),
            Set::And(a, b) => self.two(many(a), many(b), Pointwise::And),
            Set::Or(a, b) => self.two(many(a), many(b), Pointwise::Or),
            Set::Without(a, b) => self.two(many(a), many(b), Pointwise::Without),
            Set::Xor(a, b) => self.two(many(a), many(b), Pointwise::Xor),
            Set::Single(w) => match num(w) {
                Num::Same(cell) => self.single(cell).map_or(Many::Unknown, Many::Same),
                Num::Cell(0) => self.but(NONE, ALL),
                _ => Many::Unknown,
            },
            Set::With(s, w) => {
                let (set, cell) = (many(s), num(w));
                // As a rule there is nothing where something is put.
                if let (Num::Cell(0), Some((others, _))) = (&cell, set.both()) {
                    self.has_none(others)?;
                }
                self.one_more(set, &cell, Pointwise::Or)
            }
            Set::Less(s, w) => self.one_more(many(s), &num(w), Pointwise::Without),
            Set::Row(id, w) => match num(w) {
                Num::Same(V::R(at)) => Many::Same(self.make_set(Set::Row(*id, at))),
                Num::Same(V::K(at)) if self.has_row(*id, at) => {
                    let at = self.f.reg(V::K(at));
                    Many::Same(self.make_set(Set::Row(*id, at)))
                }
                _ => Many::Unknown,
            },
            Set::Select(w, a, b) => {
                let test = num(w);
                self.select_sets(&test, many(a), many(b))
            }
            Set::Part(s, w) => match num(w) {
                Num::Same(cell) => self.part(many(s), cell)?,
                _ => Many::Unknown,
            },
            Set::Shift(s, id) => self.moved(many(s), |s| Set::Shift(s, *id)),
            Set::Around(s) => self.moved(many(s), Set::Around),
            Set::Mapped(s, table) => self.moved(many(s), |s| Set::Mapped(s, *table)),
            Set::UpTo(a, b) => self.cut(many(a), many(b), Set::UpTo),
            Set::DownTo(a, b) => self.cut(many(a), many(b), Set::DownTo),
            Set::Load(_) => Many::Unknown,
        })
    }

    /// Whether a word is not 0.
    pub fn test(&mut self, num: &Num) -> Test {
        match num {
            Num::Same(v) => match (self.truth(*v), self.get(*v)) {
                (Some(known), _) => Test::Known(known),
                (None, V::R(w)) => Test::Same(w),
                (None, V::K(k)) => Test::Known(k != 0),
            },
            Num::Cell(more) => match more {
                1..SMALL => Test::Known(true),
                _ => Test::Unknown,
            },
            Num::Cases(cases, other) => {
                let mut holds = self.where_holds(*other, ALL);
                for (set, v) in cases.iter().rev() {
                    let own = self.where_holds(*v, *set);
                    let rest = self.point(holds, *set, Pointwise::Without);
                    holds = self.point(own, rest, Pointwise::Or);
                }
                match self.side(holds) {
                    Some(known) => Test::Known(known),
                    None => Test::Cells(holds),
                }
            }
            Num::Mark(_) | Num::Unknown => Test::Unknown,
        }
    }

    /// The set when a word is not 0.
    fn where_holds(&mut self, v: V, set: SV) -> SV {
        match self.truth(v) {
            Some(true) => set,
            Some(false) => NONE,
            None => self.select_set(v, set, NONE),
        }
    }

    /// The cells of each case of a number and the number there, the cells left to the last.
    pub fn regions(&mut self, num: &Num) -> Option<Vec<(SV, V)>> {
        let (cases, other) = num.cases()?;
        let mut left = self.cells;
        let mut regions = Vec::new();
        for (set, v) in cases {
            regions.push((self.point(left, *set, Pointwise::And), *v));
            left = self.point(left, *set, Pointwise::Without);
        }
        regions.push((left, other));
        Some(regions)
    }

    /// A number in cases: those that no cell has are left out.
    pub fn in_cases(&mut self, cases: impl IntoIterator<Item = (SV, V)>, mut other: V) -> Num {
        let mut kept: Vec<(SV, V)> = Vec::new();
        for (set, v) in cases {
            match self.side(set) {
                Some(false) => continue,
                Some(true) => {
                    other = v;
                    break;
                }
                None => {}
            }
            match kept.pop() {
                Some((before, same)) if same == v => {
                    kept.push((self.point(before, set, Pointwise::Or), v));
                }
                last => {
                    kept.extend(last);
                    kept.push((set, v));
                }
            }
        }
        while kept.last().is_some_and(|(_, v)| *v == other) {
            kept.pop();
        }
        let truths = kept.iter().map(|(_, v)| *v).chain([other]);
        if kept.len() > FEW_CASES && truths.into_iter().all(|v| self.is_truth(v)) {
            return match self.test(&Num::Cases(kept.into(), other)) {
                Test::Known(holds) => Num::Same(V::K(u64::from(holds))),
                Test::Cells(holds) => Num::Cases([(holds, YES)].into(), NO),
                Test::Same(_) | Test::Unknown => Num::Unknown,
            };
        }
        match kept.len() {
            0 => Num::Same(other),
            1..=MOST_CASES => Num::Cases(kept.into(), other),
            _ => Num::Unknown,
        }
    }

    /// Of two numbers.
    pub fn bin(&mut self, op: Bin, a: &Num, b: &Num) -> Num {
        match (op, a, b) {
            (_, Num::Same(a), Num::Same(b)) => return Num::Same(self.of_two(op, *a, *b)),
            (Bin::Add, Num::Cell(more), Num::Same(V::K(k)))
            | (Bin::Add, Num::Same(V::K(k)), Num::Cell(more)) => {
                return Num::Cell(more.wrapping_add(*k));
            }
            (Bin::Sub, Num::Cell(more), Num::Same(V::K(k))) => {
                return Num::Cell(more.wrapping_sub(*k));
            }
            (Bin::Equal | Bin::Differ, Num::Cell(more), Num::Same(V::K(k)))
            | (Bin::Equal | Bin::Differ, Num::Same(V::K(k)), Num::Cell(more)) => {
                let is = u64::from(op == Bin::Equal);
                let other = V::K(1 - is);
                return match self.single(V::K(k.wrapping_sub(*more))) {
                    Some(cell) => self.in_cases([(cell, V::K(is))], other),
                    None => Num::Same(other),
                };
            }
            _ => {}
        }
        let (Some((of_a, a)), Some((of_b, b))) = (a.cases(), b.cases()) else {
            return Num::Unknown;
        };
        if of_a.len() + of_b.len() > MOST_CASES {
            return Num::Unknown;
        }
        let mut cases = Vec::new();
        let (all_a, all_b) = (of_a.iter().copied(), of_b.iter().copied());
        for (x, v) in all_a.chain([(ALL, a)]) {
            for (y, w) in all_b.clone().chain([(ALL, b)]) {
                let both = self.point(x, y, Pointwise::And);
                if self.side(both) != Some(false) {
                    cases.push((both, self.of_two(op, v, w)));
                }
            }
        }
        self.in_cases(cases, NO)
    }

    fn select(&mut self, test: &Num, a: &Num, b: &Num) -> Num {
        match (self.test(test), a, b) {
            (Test::Known(true), a, _) => a.clone(),
            (Test::Known(false), _, b) => b.clone(),
            (_, a, b) if a == b => a.clone(),
            (Test::Same(w), Num::Same(a), Num::Same(b)) => {
                Num::Same(self.select_word(V::R(w), *a, *b))
            }
            (test @ (Test::Same(_) | Test::Cells(_)), a, b) => {
                let (Some((of_a, a)), Some((of_b, b))) = (a.cases(), b.cases()) else {
                    return Num::Unknown;
                };
                let holds = match test {
                    Test::Cells(holds) => holds,
                    Test::Same(w) => self.select_set(V::R(w), ALL, NONE),
                    Test::Known(_) | Test::Unknown => return Num::Unknown,
                };
                let mut cases = Vec::new();
                for (set, v) in of_a {
                    cases.push((self.point(holds, *set, Pointwise::And), *v));
                }
                cases.push((holds, a));
                cases.extend(of_b);
                self.in_cases(cases, b)
            }
            (Test::Unknown, _, _) => Num::Unknown,
        }
    }
}
