//! The joined parts of a set, one after the other: counted, tested, compared; and members with the most of something.

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::{Bin, Set, SetId, Stmt, Word};
use crate::program::{Cells, Compare, Num, Truth, VarId};

impl<'p> Lowerer<'p> {
    /// Once for every part of a set, in the order of their lowest cells.
    pub fn each_part(
        &mut self,
        set: SV,
        seeds: Option<SV>,
        body: impl FnOnce(&mut Self, SV, crate::program::kernel::Label),
    ) {
        let rest = self.f.set();
        let s = self.f.sreg(seeds.unwrap_or(set));
        self.f.push(Stmt::LetSet(rest, Set::Copy(s)));
        let label = self.f.label();
        self.f.open();
        let some = self.f.some(&self.fixed, SV::R(rest));
        let none = self.f.not(some);
        self.f.open();
        self.f.push(Stmt::Leave(label));
        let leave = self.f.close();
        self.f.when(none, leave);
        let first = self.f.make(Word::First(rest));
        let whole = if seeds.is_some() { set } else { SV::R(rest) };
        let part = self.f.part(whole, first);
        let left = self.f.without(&mut self.fixed, SV::R(rest), part);
        let left = self.f.sreg(left);
        self.f.push(Stmt::LetSet(rest, Set::Copy(left)));
        body(self, part, label);
        let all = self.f.close();
        self.f.push(Stmt::Loop(label, all));
    }

    /// How many parts a set has.
    pub fn count_parts(&mut self, set: SV) -> V {
        let count = self.f.word();
        self.f.push(Stmt::Let(count, Word::Const(0)));
        self.each_part(set, None, |l, _, _| {
            let more = l.f.bin(Bin::Add, V::R(count), YES);
            let more = l.f.reg(more);
            l.f.push(Stmt::Let(count, Word::Copy(more)));
        });
        V::R(count)
    }

    /// Comparisons of numbers of parts with 1 that need one part only.
    pub fn compare_count(
        &mut self,
        how: Compare,
        a: &'p Num,
        b: &'p Num,
        env: &mut Env,
        cx: Cx,
    ) -> Option<V> {
        let (Num::CountParts(set), Num::Const(1)) = (a, b) else {
            return None;
        };
        if !matches!(how, Compare::Equal | Compare::More | Compare::AtMost) {
            return None;
        }
        let set = self.cells(set, env, cx);
        let some = self.f.some(&self.fixed, set);
        let none = self.f.not(some);
        let s = self.f.sreg(set);
        let joined = self.either_value(
            some,
            env,
            cx,
            |l, _| {
                let first = l.f.make(Word::First(s));
                let part = l.f.part(SV::R(s), first);
                let part = l.f.sreg(part);
                l.f.make(Word::Same(part, s))
            },
            |_, _| NO,
        );
        Some(match how {
            Compare::Equal => joined,
            Compare::AtMost => self.f.either(joined, none),
            _ => {
                let at_most = self.f.either(joined, none);
                self.f.not(at_most)
            }
        })
    }

    pub fn parts_where(
        &mut self,
        set: SV,
        it: VarId,
        test: &'p Truth,
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        self.settle_piles(env, cx);
        let Some(slot) = self.slot_of(it, 0) else {
            return NONE;
        };
        let found = self.f.set();
        self.f.push(Stmt::LetSet(found, Set::Const(SetId(0))));
        let seeds = self.seeds(set, it, test, env, cx);
        self.each_part(set, seeds, |l, part, _| {
            let mut inner = env.clone();
            l.put(slot, Bind::Set(part), &mut inner);
            let v = l.truth(test, &mut inner, cx);
            l.f.open();
            let more = l.f.or(&mut l.fixed, SV::R(found), part);
            let more = l.f.sreg(more);
            l.f.push(Stmt::LetSet(found, Set::Copy(more)));
            let yes = l.f.close();
            l.f.when(v, yes);
        });
        SV::R(found)
    }

    /// Where the parts must have a cell that can pass a test: `some (it and X)` and whatever besides.
    pub fn seeds(
        &mut self,
        set: SV,
        it: VarId,
        test: &'p Truth,
        env: &mut Env,
        cx: Cx,
    ) -> Option<SV> {
        match test {
            Truth::And(a, b) => self
                .seeds(set, it, a, env, cx)
                .or_else(|| self.seeds(set, it, b, env, cx)),
            Truth::Some(cells) => {
                let Cells::And(a, b) = cells.as_ref() else {
                    return None;
                };
                let is_it = |c: &Cells| *c == Cells::Var(it);
                let other = match (is_it(a), is_it(b)) {
                    (true, false) => b,
                    (false, true) => a,
                    _ => return None,
                };
                // Followed from another cell a part is the same only where neighbours are mutual.
                if !self.is_mutual() || self.asker(cx).cells(other).vars.contains(&it) {
                    return None;
                }
                let other = self.cells(other, env, cx);
                Some(self.f.and(&mut self.fixed, set, other))
            }
            _ => None,
        }
    }

    /// Whether a set has cells; parts that pass a test are looked for one by one.
    pub fn some_cells(&mut self, set: &'p Cells, env: &mut Env, cx: Cx) -> V {
        match set {
            Cells::Or(a, b) => {
                let a = self.some_cells(a, env, cx);
                let b = self.some_cells(b, env, cx);
                self.f.either(a, b)
            }
            Cells::PartsWhere(all, it, test) => {
                let all = self.cells(all, env, cx);
                self.settle_piles(env, cx);
                let Some(slot) = self.slot_of(*it, 0) else {
                    return NO;
                };
                let result = self.f.word();
                self.f.push(Stmt::Let(result, Word::Const(0)));
                let seeds = self.seeds(all, *it, test, env, cx);
                self.each_part(all, seeds, |l, part, label| {
                    let mut inner = env.clone();
                    l.put(slot, Bind::Set(part), &mut inner);
                    let v = l.truth(test, &mut inner, cx);
                    l.f.open();
                    l.f.push(Stmt::Let(result, Word::Const(1)));
                    l.f.push(Stmt::Leave(label));
                    let yes = l.f.close();
                    l.f.when(v, yes);
                });
                V::R(result)
            }
            _ => {
                let set = self.cells(set, env, cx);
                self.f.some(&self.fixed, set)
            }
        }
    }

    /// The parts with the most cells, found once for each set.
    pub fn largest_parts(&mut self, set: SV) -> SV {
        let of = self.f.sreg(set);
        if let Some(known) = self.f.largest_of(of) {
            return SV::R(known);
        }
        let (found, best) = (self.f.set(), self.f.word());
        self.f.push(Stmt::LetSet(found, Set::Const(SetId(0))));
        self.f.push(Stmt::Let(best, Word::Const(0)));
        self.each_part(SV::R(of), None, |l, part, _| {
            let size = l.f.count(&l.fixed, part);
            let better = l.f.bin(Bin::Less, V::R(best), size);
            let others = l.f.select_set(better, NONE, SV::R(found));
            let enough = l.f.bin(Bin::AtMost, V::R(best), size);
            let more = l.f.select_set(enough, part, NONE);
            let all = l.f.or(&mut l.fixed, others, more);
            let size = l.f.bin(Bin::Larger, V::R(best), size);
            let (all, size) = (l.f.sreg(all), l.f.reg(size));
            l.f.push(Stmt::LetSet(found, Set::Copy(all)));
            l.f.push(Stmt::Let(best, Word::Copy(size)));
        });
        self.f.know_largest(of, found);
        SV::R(found)
    }

    /// The members with the most, or least, of a number.
    #[allow(clippy::too_many_arguments, reason = "one place asks")]
    pub fn extreme(
        &mut self,
        set: SV,
        it: VarId,
        most: bool,
        key: &'p Num,
        parts: bool,
        env: &mut Env,
        cx: Cx,
    ) -> SV {
        self.settle_piles(env, cx);
        let Some(slot) = self.slot_of(it, 0) else {
            return NONE;
        };
        let (found, best, any) = (self.f.set(), self.f.word(), self.f.word());
        self.f.push(Stmt::LetSet(found, Set::Const(SetId(0))));
        self.f.push(Stmt::Let(best, Word::Const(0)));
        self.f.push(Stmt::Let(any, Word::Const(0)));
        let judge = |l: &mut Self, bind: Bind, member: SV| {
            let mut inner = env.clone();
            l.put(slot, bind, &mut inner);
            let value = l.num(key, &mut inner, cx);
            let better = if most {
                l.f.bin(Bin::Less, V::R(best), value)
            } else {
                l.f.bin(Bin::Less, value, V::R(best))
            };
            let first = l.f.not(V::R(any));
            let better = l.f.either(first, better);
            let same = l.f.bin(Bin::Equal, value, V::R(best));
            let old = l.f.select_set(better, NONE, SV::R(found));
            let keep = l.f.either(better, same);
            let new = l.f.select_set(keep, member, NONE);
            let all = l.f.or(&mut l.fixed, old, new);
            let value = l.f.select(better, value, V::R(best));
            let (all, value) = (l.f.sreg(all), l.f.reg(value));
            l.f.push(Stmt::LetSet(found, Set::Copy(all)));
            l.f.push(Stmt::Let(best, Word::Copy(value)));
            l.f.push(Stmt::Let(any, Word::Const(1)));
        };
        if parts {
            self.each_part(set, None, |l, part, _| judge(l, Bind::Set(part), part));
        } else {
            let c = self.f.word();
            self.f.open();
            let member = self.f.single(&mut self.fixed, V::R(c));
            judge(self, Bind::Cell(V::R(c)), member);
            let body = self.f.close();
            let s = self.f.sreg(set);
            self.f.push(Stmt::ForCells(c, s, body));
        }
        SV::R(found)
    }
}

/// Whether a number is how many cells a set has.
pub fn is_size(number: &Num, set: VarId) -> bool {
    matches!(number, Num::Count(cells) if **cells == Cells::Var(set))
}
