//! Runs flat code within one function: windows and memory in, the reason why it left out. Calls are not made here.

use crate::engine::portable::code::{Code, Op, R, Sets, Words, ix};
use crate::engine::portable::effects::{Stop, grow, load, load_set, store, store_set};
use crate::engine::portable::geometry::Geometry;
use crate::engine::portable::operations::{
    any, at, begin, choose, count, down_to, first, first_bit, first_cell, go, has, last, less,
    meet, next_bit, next_cell, next_number, one, pair, two, up_to, within,
};
use crate::program::kernel::Kernel;
use std::sync::Arc;

/// Why the code left, for now or for good.
#[derive(Clone, Copy, Debug)]
pub enum Exit {
    /// For the call of that number.
    Call(usize),
    /// With a result.
    Return(u64),
    /// To be told how often a key is in the past: into a word, the key.
    Repeated(R, u64),
    /// To be told whether a key is in the past: into a word, the key.
    Seen(R, u64),
    /// To have keys added to the past.
    Note(u64, u64),
}

/// What runs read.
#[derive(Debug)]
pub struct Given<const N: usize> {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    /// Its board.
    pub board: Geometry<N>,
}

impl<const N: usize> Given<N> {
    /// Runs code from a position on until it leaves; gives back the position, too.
    ///
    /// # Errors
    /// When it gave up.
    pub fn run(
        &self,
        code: &Code,
        from: usize,
        w: &mut Words,
        s: &mut Sets<N>,
        m: &mut [u64],
    ) -> Result<(Exit, usize), Stop> {
        let (board, n) = (&self.board, self.kernel.room.words as usize);
        let mut pc = from;
        loop {
            let ins = code.ins.get(pc).ok_or(Stop::Lost)?;
            let x = ins.x as usize;
            pc += 1;
            match ins.op {
                Op::Copy(t, a) => w[ix(t)] = w[ix(a)],
                Op::Add(t, a, b) => two(w, t, a, b, u64::wrapping_add),
                Op::Sub(t, a, b) => two(w, t, a, b, u64::wrapping_sub),
                Op::Mul(t, a, b) => two(w, t, a, b, u64::wrapping_mul),
                Op::And(t, a, b) => two(w, t, a, b, |a, b| a & b),
                Op::Or(t, a, b) => two(w, t, a, b, |a, b| a | b),
                Op::Xor(t, a, b) => two(w, t, a, b, |a, b| a ^ b),
                Op::Shl(t, a, b) => two(w, t, a, b, |a, b| a << (b & 63)),
                Op::Shr(t, a, b) => two(w, t, a, b, |a, b| a >> (b & 63)),
                Op::Equal(t, a, b) => two(w, t, a, b, |a, b| u64::from(a == b)),
                Op::Differ(t, a, b) => two(w, t, a, b, |a, b| u64::from(a != b)),
                Op::Less(t, a, b) => two(w, t, a, b, |a, b| u64::from(less(a, b))),
                Op::AtMost(t, a, b) => two(w, t, a, b, |a, b| u64::from(!less(b, a))),
                Op::Smaller(t, a, b) => two(w, t, a, b, |a, b| if less(a, b) { a } else { b }),
                Op::Larger(t, a, b) => two(w, t, a, b, |a, b| if less(a, b) { b } else { a }),
                Op::Scale(t, a, by) => w[ix(t)] = w[ix(a)].wrapping_mul(u64::from(by)),
                Op::Choose(t, c, a, b) => w[ix(t)] = w[ix(choose(w, c, a, b))],
                Op::Load(t) => w[ix(t)] = load(m, x)?,
                Op::LoadAt(t, i) => w[ix(t)] = load(m, at(x, w[ix(i)], 1))?,
                Op::LoadBy(t, i, by) => w[ix(t)] = load(m, at(x, w[ix(i)], by))?,
                Op::Table(t, a) => w[ix(t)] = self.entry(x, w[ix(a)])?,
                Op::Byte(t, a) => w[ix(t)] = self.byte(x, w[ix(a)])?,
                Op::Count(t, a) => w[ix(t)] = count(&s[ix(a)]),
                Op::First(t, a) => w[ix(t)] = first(&s[ix(a)]),
                Op::Last(t, a) => w[ix(t)] = last(&s[ix(a)]),
                Op::Some(t, a) => w[ix(t)] = u64::from(any(&s[ix(a)])),
                Op::Has(t, a, b) => w[ix(t)] = u64::from(has(&s[ix(a)], w[ix(b)])),
                Op::Within(t, a, b) => w[ix(t)] = u64::from(within(&s[ix(a)], &s[ix(b)])),
                Op::Meet(t, a, b) => w[ix(t)] = u64::from(meet(&s[ix(a)], &s[ix(b)])),
                Op::Same(t, a, b) => w[ix(t)] = u64::from(s[ix(a)] == s[ix(b)]),
                Op::Leading(t, a) => w[ix(t)] = u64::from(w[ix(a)].leading_zeros()),
                Op::Rare(rare) => {
                    if let Some(exit) = self.rare(rare, x, w, s, m)? {
                        return Ok((exit, pc));
                    }
                }
                Op::SetCopy(t, a) => s[ix(t)] = s[ix(a)],
                Op::SetConst(t) => s[ix(t)] = *board.sets.get(x).ok_or(Stop::Lost)?.words(),
                Op::SetLoad(t) => s[ix(t)] = load_set(m, x, n)?,
                Op::SetLoadBy(t, i, by) => s[ix(t)] = load_set(m, at(x, w[ix(i)], by), n)?,
                Op::SetAnd(t, a, b) => pair(s, t, a, b, |a, b| a & b),
                Op::SetOr(t, a, b) => pair(s, t, a, b, |a, b| a | b),
                Op::SetWithout(t, a, b) => pair(s, t, a, b, |a, b| a & !b),
                Op::SetXor(t, a, b) => pair(s, t, a, b, |a, b| a ^ b),
                Op::UpTo(t, a, b) => s[ix(t)] = up_to(&s[ix(a)], &s[ix(b)]),
                Op::DownTo(t, a, b) => s[ix(t)] = down_to(&s[ix(a)], &s[ix(b)]),
                Op::Single(t, a) => s[ix(t)] = one([0; N], w[ix(a)], |all, bit| all | bit),
                Op::With(t, a, b) => s[ix(t)] = one(s[ix(a)], w[ix(b)], |all, bit| all | bit),
                Op::Drop(t, a, b) => s[ix(t)] = one(s[ix(a)], w[ix(b)], |all, bit| all & !bit),
                Op::Row(t, a) => s[ix(t)] = self.row(x, w[ix(a)])?,
                Op::Shift(t, a) => s[ix(t)] = board.shift(s[ix(a)], x),
                Op::ShiftAnd(t, a, b) => board.moved(s, x, (t, a, b), |a, b| a & b),
                Op::ShiftWithout(t, a, b) => board.moved(s, x, (t, a, b), |a, b| a & !b),
                Op::Around(t, a) => s[ix(t)] = board.around(s[ix(a)]),
                Op::Part(t, a, b) => s[ix(t)] = board.part(s[ix(a)], w[ix(b)]),
                Op::Mapped(t, a) => s[ix(t)] = self.mapped(s[ix(a)], x)?,
                Op::SetChoose(t, c, a, b) => s[ix(t)] = s[ix(choose(w, c, a, b))],
                Op::Store(a) => store(m, x, w[ix(a)])?,
                Op::StoreBy(i, a, by) => store(m, at(x, w[ix(i)], by), w[ix(a)])?,
                Op::SetStore(a) => store_set(m, x, &s[ix(a)], n)?,
                Op::SetStoreBy(i, a, by) => store_set(m, at(x, w[ix(i)], by), &s[ix(a)], n)?,
                Op::Tally(a) => grow(m, self.kernel.room.tally, w[ix(a)])?,
                Op::Jump => pc = x,
                Op::IfTrue(a) => pc = go(w[ix(a)] != 0, x, pc),
                Op::IfFalse(a) => pc = go(w[ix(a)] == 0, x, pc),
                Op::IfEqual(a, b) => pc = go(w[ix(a)] == w[ix(b)], x, pc),
                Op::IfDiffer(a, b) => pc = go(w[ix(a)] != w[ix(b)], x, pc),
                Op::IfLess(a, b) => pc = go(less(w[ix(a)], w[ix(b)]), x, pc),
                Op::IfAtMost(a, b) => pc = go(!less(w[ix(b)], w[ix(a)]), x, pc),
                Op::IfSome(a) => pc = go(any(&s[ix(a)]), x, pc),
                Op::IfNone(a) => pc = go(!any(&s[ix(a)]), x, pc),
                Op::IfHas(a, b) => pc = go(has(&s[ix(a)], w[ix(b)]), x, pc),
                Op::IfLacks(a, b) => pc = go(!has(&s[ix(a)], w[ix(b)]), x, pc),
                Op::IfWithin(a, b) => pc = go(within(&s[ix(a)], &s[ix(b)]), x, pc),
                Op::IfBeyond(a, b) => pc = go(!within(&s[ix(a)], &s[ix(b)]), x, pc),
                Op::IfMeet(a, b) => pc = go(meet(&s[ix(a)], &s[ix(b)]), x, pc),
                Op::IfApart(a, b) => pc = go(!meet(&s[ix(a)], &s[ix(b)]), x, pc),
                Op::IfSame(a, b) => pc = go(s[ix(a)] == s[ix(b)], x, pc),
                Op::IfUnlike(a, b) => pc = go(s[ix(a)] != s[ix(b)], x, pc),
                Op::Switch(a, many) => pc = code.target(w[ix(a)], x, many, pc),
                Op::Cells(left, t, a) => pc = go(!first_cell(w, s, left, t, a), x, pc),
                Op::NextCell(left, t) => pc = go(next_cell(w, s, left, t), x, pc),
                Op::Bits(left, t, a) => pc = go(!first_bit(w, left, t, a), x, pc),
                Op::NextBit(left, t) => pc = go(next_bit(w, left, t), x, pc),
                Op::Numbers(at, last, t, a, b) => pc = go(!begin(w, at, last, t, a, b), x, pc),
                Op::NextNumber(at, last, t) => pc = go(next_number(w, at, last, t), x, pc),
                Op::Call => return Ok((Exit::Call(x), pc)),
                Op::Return(a) => return Ok((Exit::Return(w[ix(a)]), pc)),
            }
        }
    }
}
