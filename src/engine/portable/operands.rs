//! Expressions into instructions: words, sets, what a jump asks for, and two sets at once.

use crate::engine::portable::code::{Op, Rare};
use crate::engine::portable::make::Maker;
use crate::program::kernel::{Bin, Place, S, Set, SetId, ShiftId, W, Word};

impl Maker<'_> {
    /// A word gets a value.
    pub fn word(&mut self, to: W, value: &Word) {
        let always = self.scan.words[to.0 as usize].always().is_some();
        let to = self.w(to);
        match *value {
            // What is always the same has its place already.
            Word::Const(_) if always => {}
            Word::Const(n) => self.put(Op::Copy(to, self.constant(n)), 0),
            Word::Copy(w) => self.put(Op::Copy(to, self.w(w)), 0),
            Word::Bin(bin, a, b) => self.bin(bin, to, a, b),
            Word::Select(w, a, b) => {
                self.put(Op::Choose(to, self.w(w), self.w(a), self.w(b)), 0);
            }
            Word::Load(Place { base, index }) => match index {
                None => self.put(Op::Load(to), base),
                Some((i, 1)) => self.put(Op::LoadAt(to, self.w(i)), base),
                Some((i, times)) => self.put(Op::LoadBy(to, self.w(i), times), base),
            },
            Word::Table(table, w) => self.put(Op::Table(to, self.w(w)), table.0),
            Word::Byte(table, w) => self.put(Op::Byte(to, self.w(w)), table.0),
            Word::Count(s) => self.put(Op::Count(to, self.s(s)), 0),
            Word::First(s) => self.put(Op::First(to, self.s(s)), 0),
            Word::Last(s) => self.put(Op::Last(to, self.s(s)), 0),
            Word::Nth(s, n) => {
                self.put(Op::Rare(Rare::Nth(to, self.s(s), self.w(n))), 0);
            }
            Word::Some(s) => self.put(Op::Some(to, self.s(s)), 0),
            Word::Has(s, w) => self.put(Op::Has(to, self.s(s), self.w(w)), 0),
            Word::Within(a, b) => self.put(Op::Within(to, self.s(a), self.s(b)), 0),
            Word::Meet(a, b) => self.put(Op::Meet(to, self.s(a), self.s(b)), 0),
            Word::Same(a, b) => self.put(Op::Same(to, self.s(a), self.s(b)), 0),
            Word::Leading(w) => self.put(Op::Leading(to, self.w(w)), 0),
            Word::Mix(w) => self.put(Op::Rare(Rare::Mix(to, self.w(w))), 0),
            Word::PileKey(cell, pile) => {
                self.put(Op::Rare(Rare::PileKey(to, self.w(cell), self.w(pile))), 0);
            }
            Word::Repeated(w) => self.put(Op::Rare(Rare::Repeated(to, self.w(w))), 0),
            Word::Seen(w) => self.put(Op::Rare(Rare::Seen(to, self.w(w))), 0),
        }
    }

    fn bin(&mut self, bin: Bin, to: u16, a: W, b: W) {
        let (a, b) = (self.w(a), self.w(b));
        let op = match bin {
            Bin::Add => Op::Add(to, a, b),
            Bin::Sub => Op::Sub(to, a, b),
            Bin::Mul => Op::Mul(to, a, b),
            Bin::And => Op::And(to, a, b),
            Bin::Or => Op::Or(to, a, b),
            Bin::Xor => Op::Xor(to, a, b),
            Bin::Shl => Op::Shl(to, a, b),
            Bin::Shr => Op::Shr(to, a, b),
            Bin::Equal => Op::Equal(to, a, b),
            Bin::Differ => Op::Differ(to, a, b),
            Bin::Less => Op::Less(to, a, b),
            Bin::AtMost => Op::AtMost(to, a, b),
            Bin::SumWithin => Op::Rare(Rare::SumWithin(to, a, b)),
            Bin::DifferenceWithin => Op::Rare(Rare::DifferenceWithin(to, a, b)),
            Bin::ProductWithin => Op::Rare(Rare::ProductWithin(to, a, b)),
            Bin::Quotient => Op::Rare(Rare::Quotient(to, a, b)),
            Bin::Remainder => Op::Rare(Rare::Remainder(to, a, b)),
            Bin::Smaller => Op::Smaller(to, a, b),
            Bin::Larger => Op::Larger(to, a, b),
            Bin::High => Op::Rare(Rare::High(to, a, b)),
        };
        self.put(op, 0);
    }

    /// The jumps for when a condition holds and for when not, where there are such.
    pub fn test(&self, value: &Word) -> Option<(Op, Op)> {
        let found = match *value {
            Word::Bin(bin, a, b) => {
                let (a, b) = (self.w(a), self.w(b));
                match bin {
                    Bin::Equal => (Op::IfEqual(a, b), Op::IfDiffer(a, b)),
                    Bin::Differ => (Op::IfDiffer(a, b), Op::IfEqual(a, b)),
                    Bin::Less => (Op::IfLess(a, b), Op::IfAtMost(b, a)),
                    Bin::AtMost => (Op::IfAtMost(a, b), Op::IfLess(b, a)),
                    Bin::Add
                    | Bin::Sub
                    | Bin::Mul
                    | Bin::And
                    | Bin::Or
                    | Bin::Xor
                    | Bin::Shl
                    | Bin::Shr
                    | Bin::SumWithin
                    | Bin::DifferenceWithin
                    | Bin::ProductWithin
                    | Bin::Quotient
                    | Bin::Remainder
                    | Bin::Smaller
                    | Bin::Larger
                    | Bin::High => return None,
                }
            }
            Word::Some(s) => (Op::IfSome(self.s(s)), Op::IfNone(self.s(s))),
            Word::Has(s, w) => {
                let (s, w) = (self.s(s), self.w(w));
                (Op::IfHas(s, w), Op::IfLacks(s, w))
            }
            Word::Within(a, b) => {
                let (a, b) = (self.s(a), self.s(b));
                (Op::IfWithin(a, b), Op::IfBeyond(a, b))
            }
            Word::Meet(a, b) => {
                let (a, b) = (self.s(a), self.s(b));
                (Op::IfMeet(a, b), Op::IfApart(a, b))
            }
            Word::Same(a, b) => {
                let (a, b) = (self.s(a), self.s(b));
                (Op::IfSame(a, b), Op::IfUnlike(a, b))
            }
            Word::Const(_)
            | Word::Copy(_)
            | Word::Select(..)
            | Word::Load(_)
            | Word::Table(..)
            | Word::Byte(..)
            | Word::Count(_)
            | Word::First(_)
            | Word::Last(_)
            | Word::Nth(..)
            | Word::Leading(_)
            | Word::Mix(_)
            | Word::PileKey(..)
            | Word::Repeated(_)
            | Word::Seen(_) => return None,
        };
        Some(found)
    }

    /// A set gets a value.
    pub fn set(&mut self, to: S, value: &Set) {
        let always = self.scan.sets[to.0 as usize].always().is_some();
        let to = self.s(to);
        match *value {
            Set::Const(_) if always && self.hoist => {}
            Set::Const(id) => self.fixed(to, id),
            Set::Copy(s) => self.put(Op::SetCopy(to, self.s(s)), 0),
            Set::Load(Place { base, index }) => match index {
                None => self.put(Op::SetLoad(to), base),
                Some((i, times)) => self.put(Op::SetLoadBy(to, self.w(i), times), base),
            },
            Set::And(a, b) => self.put(Op::SetAnd(to, self.s(a), self.s(b)), 0),
            Set::Or(a, b) => self.put(Op::SetOr(to, self.s(a), self.s(b)), 0),
            Set::Without(a, b) => self.put(Op::SetWithout(to, self.s(a), self.s(b)), 0),
            Set::Xor(a, b) => self.put(Op::SetXor(to, self.s(a), self.s(b)), 0),
            Set::UpTo(a, b) => self.put(Op::UpTo(to, self.s(a), self.s(b)), 0),
            Set::DownTo(a, b) => self.put(Op::DownTo(to, self.s(a), self.s(b)), 0),
            Set::Single(w) => self.put(Op::Single(to, self.w(w)), 0),
            Set::With(s, w) => self.put(Op::With(to, self.s(s), self.w(w)), 0),
            Set::Less(s, w) => self.put(Op::Drop(to, self.s(s), self.w(w)), 0),
            Set::Row(rows, w) => self.put(Op::Row(to, self.w(w)), rows.0),
            Set::Shift(s, shift) => self.put(Op::Shift(to, self.s(s)), shift.0),
            Set::Around(s) => self.put(Op::Around(to, self.s(s)), 0),
            Set::Part(s, w) => self.put(Op::Part(to, self.s(s), self.w(w)), 0),
            Set::Mapped(s, table) => self.put(Op::Mapped(to, self.s(s)), table.0),
            Set::Select(w, a, b) => {
                self.put(Op::SetChoose(to, self.w(w), self.s(a), self.s(b)), 0);
            }
        }
    }

    fn fixed(&mut self, to: u16, id: SetId) {
        match self.scan.fixed_number(id).filter(|_| self.hoist) {
            Some(number) => {
                let from = (self.code.fixed.0 + number) as u16;
                self.put(Op::SetCopy(to, from), 0);
            }
            None => self.put(Op::SetConst(to), id.0),
        }
    }

    /// A set that is only for the next one, together with that; whether that went.
    pub fn two_sets(&mut self, first: S, value: &Set, to: S, next: &Set) -> bool {
        let Set::Shift(from, ShiftId(shift)) = *value else {
            return false;
        };
        let from = self.s(from);
        let to = self.s(to);
        if let Set::And(a, b) = *next
            && (a == first) != (b == first)
        {
            let with = self.s(if a == first { b } else { a });
            self.put(Op::ShiftAnd(to, from, with), shift);
            return true;
        }
        if let Set::Without(a, b) = *next
            && a == first
            && b != first
        {
            self.put(Op::ShiftWithout(to, from, self.s(b)), shift);
            return true;
        }
        false
    }
}
