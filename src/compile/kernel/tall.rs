//! Cells on which at least so many pieces stand, kept as a set where a choice asks for them: it need not look at pile after pile. And
//! where a pile is lifted nothing else is up. Before: choices among cells of some height go through them. After: they take the set, which
//! every change of a pile keeps true. Conditions: the height is a fixed number above one; no more than `MOST` of them are kept.

use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::points::successors;
use crate::program::kernel::Bin;
use crate::program::{
    CellExpr, Cells, Compare, Domain, Effect, Num, Op, Pc, Program, Truth, VarId, op_vars,
};

/// So many heights at most: each is one more set to keep true.
const MOST: usize = 2;

/// No pile is higher, however few bits a piece has.
const HIGHEST: u64 = 63;

/// How many pieces must stand on a variable's cell for a truth to hold, or when told to be false, not to hold.
fn least(test: &Truth, var: VarId) -> Option<(u64, bool)> {
    let Truth::Compare(how, a, b) = test else {
        return None;
    };
    let is_height =
        |n: &Num| matches!(n, Num::Height(c) if matches!(**c, CellExpr::Var(v) if v == var));
    let (n, how) = match (a.as_ref(), b.as_ref()) {
        (a, Num::Const(n)) if is_height(a) => (*n, *how),
        (Num::Const(n), b) if is_height(b) => {
            let turned = match how {
                Compare::Less => Compare::More,
                Compare::AtMost => Compare::AtLeast,
                Compare::More => Compare::Less,
                Compare::AtLeast => Compare::AtMost,
                same => *same,
            };
            (*n, turned)
        }
        _ => return None,
    };
    let n = u64::try_from(n).ok()?;
    match how {
        Compare::AtLeast => Some((n, true)),
        Compare::More => Some((n + 1, true)),
        Compare::Less => Some((n, false)),
        Compare::AtMost => Some((n + 1, false)),
        Compare::Equal | Compare::NotEqual => None,
    }
}

/// The heights above one that choices ask for, in order.
pub fn heights(program: &Program) -> Vec<u64> {
    let mut found = Vec::new();
    if !program.stacking {
        return found;
    }
    let mut ask = |test: &Truth, var: VarId| in_truth(test, var, &mut found);
    for (at, op) in program.code.iter().enumerate() {
        let Op::Choose(var, Domain::Cells(set)) = op else {
            continue;
        };
        in_set(set, &mut ask);
        for op in &program.code[at + 1..] {
            match op {
                Op::Require(test, _) => ask(test, *var),
                Op::Let(..) | Op::Clear(_) | Op::Open(_) => {}
                _ => break,
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found
}

fn in_truth(test: &Truth, var: VarId, found: &mut Vec<u64>) {
    match test {
        Truth::Not(a) => in_truth(a, var, found),
        Truth::And(a, b) | Truth::Or(a, b) => {
            in_truth(a, var, found);
            in_truth(b, var, found);
        }
        other => {
            let height = least(other, var).map(|(n, _)| n);
            found.extend(height.filter(|n| (2..=HIGHEST).contains(n)));
        }
    }
}

fn in_set(set: &Cells, ask: &mut impl FnMut(&Truth, VarId)) {
    match set {
        Cells::Where(of, it, test) => {
            ask(test, *it);
            in_set(of, ask);
        }
        Cells::And(a, b) | Cells::Or(a, b) | Cells::Without(a, b) => {
            in_set(a, ask);
            in_set(b, ask);
        }
        _ => {}
    }
}

/// For each point of a turn, the first for its beginning: whether nothing can be up there that a lift behind it could find, as the kernel
/// takes it. Nothing when a turn may lift twice; then the kernel takes nothing for known.
pub fn clear_points(program: &Program) -> Option<Vec<bool>> {
    let lifts = |at: &usize| matches!(program.code[*at], Op::Effect(Effect::Lift(_)));
    let any = (0..program.code.len()).filter(lifts).collect::<Vec<_>>();
    if any.is_empty() || any.iter().any(|at| behind(program, *at).iter().any(lifts)) {
        return None;
    }
    let clear = |pc: Pc| {
        let at = pc.0 as usize;
        lifts(&at) || behind(program, at).iter().any(lifts)
    };
    let points = program.points.iter().skip(1).map(|p| clear(p.pc));
    Some(std::iter::once(true).chain(points).collect())
}

/// The instructions that may come after one, with those of subprograms.
fn behind(program: &Program, at: usize) -> Vec<usize> {
    let next = |at: usize| {
        let op = &program.code[at];
        let subs = op_vars(op, &program.pictures, &program.templates).subs;
        let begins = subs.into_iter().map(|s| program.subs[s.0 as usize].0);
        let begins = begins.map(|at| at as usize);
        successors(op, at)
            .into_iter()
            .chain(begins)
            .filter(|at| *at < program.code.len())
            .collect::<Vec<usize>>()
    };
    let mut seen = vec![false; program.code.len()];
    let mut open = next(at);
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(next(at));
        }
    }
    (0..seen.len()).filter(|at| seen[*at]).collect()
}

impl<'p> Lowerer<'p> {
    /// Whether an instruction asks how high the pile of a chosen cell is.
    pub fn asks_height(&self, pc: Pc) -> bool {
        let Op::Require(Truth::Compare(_, a, b), _) = self.op(pc) else {
            return false;
        };
        [a, b].iter().any(|n| matches!(n.as_ref(), Num::Height(_)))
    }

    /// The place of the set of cells whose piles end above a bit, when it is kept.
    pub fn tall_above(&self, bit: u64) -> Option<u32> {
        let bits = self.piece_bits();
        let ends = |(height, _): &&(u64, Slot)| height * bits > bit && (height - 1) * bits <= bit;
        let slot = self.slots.tall.iter().find(ends)?.1;
        self.slots.infos[slot.0 as usize].place
    }

    /// The cells for which a truth about the height of a chosen cell holds, when they are kept.
    pub fn tall(&mut self, test: &'p Truth, var: VarId, env: &mut Env, cx: Cx) -> Option<SV> {
        let (height, high) = least(test, var)?;
        let kept = self.slots.tall.iter().find(|(least, _)| *least == height);
        let slot = kept?.1;
        self.flush(env, cx);
        let set = self.set(slot, env);
        Some(match high {
            true => set,
            false => {
                let all = crate::compile::kernel::fun::ALL;
                self.f.without(&mut self.fixed, all, set)
            }
        })
    }

    /// Keeps the sets of high piles true where a pile becomes another; one that `grows` loses nothing.
    pub fn keep_tall(&mut self, c: V, new: V, grows: bool, env: &mut Env) {
        if c == self.up() {
            return;
        }
        for (height, slot) in self.slots.tall.clone() {
            let is = match self.piece_bits() * height {
                64.. => NO,
                _ if new == YES => NO,
                bits => {
                    let high = self.f.bin(Bin::Shr, new, V::K(bits));
                    self.f.bin(Bin::Differ, high, NO)
                }
            };
            let single = self.f.single(&mut self.fixed, c);
            if !grows {
                self.turn_bit(slot, c, single, is, env);
                continue;
            }
            let (old, more) = (self.set(slot, env), self.f.select_set(is, single, NONE));
            let set = self.f.or(&mut self.fixed, old, more);
            self.put(slot, Bind::Set(set), env);
        }
    }

    /// The slots of the sets of high piles.
    pub fn tall_slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.slots.tall.iter().map(|(_, slot)| *slot)
    }
}
