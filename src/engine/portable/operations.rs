//! The small operations that instructions are made of, on words, on sets as words, and on windows.

use crate::board::CellSet;
use crate::engine::portable::code::{R, Sets, Words, ix};

/// Whether a word is less than another as a signed number.
#[inline(always)]
#[must_use]
pub const fn less(a: u64, b: u64) -> bool {
    a.cast_signed() < b.cast_signed()
}

/// A place so many times that many words behind another.
#[inline(always)]
#[must_use]
pub const fn at(base: usize, index: u64, times: u32) -> usize {
    base.wrapping_add(index.wrapping_mul(times as u64) as usize)
}

/// The position to go on at: the target when the condition holds.
#[inline(always)]
#[must_use]
pub const fn go(when: bool, target: usize, next: usize) -> usize {
    if when { target } else { next }
}

/// The second place when the word at the first is not 0, else the third.
#[inline(always)]
#[must_use]
pub fn choose(w: &Words, on: R, a: R, b: R) -> R {
    if w[ix(on)] != 0 { a } else { b }
}

/// A word from two.
#[inline(always)]
pub fn two(w: &mut Words, to: R, a: R, b: R, of: impl Fn(u64, u64) -> u64) {
    w[ix(to)] = of(w[ix(a)], w[ix(b)]);
}

/// A set from two, word by word.
#[inline(always)]
#[must_use]
pub fn each<const N: usize>(a: &[u64; N], b: &[u64; N], of: impl Fn(u64, u64) -> u64) -> [u64; N] {
    std::array::from_fn(|i| of(a[i], b[i]))
}

/// A set of a window from two.
#[inline(always)]
pub fn pair<const N: usize>(s: &mut Sets<N>, to: R, a: R, b: R, of: impl Fn(u64, u64) -> u64) {
    s[ix(to)] = each(&s[ix(a)], &s[ix(b)], of);
}

/// A set with the word of a cell changed by its bit; nothing is changed for a cell beyond the width.
#[inline(always)]
#[must_use]
pub fn one<const N: usize>(
    mut set: [u64; N],
    cell: u64,
    change: impl Fn(u64, u64) -> u64,
) -> [u64; N] {
    if let Some(word) = set.get_mut((cell >> 6) as usize) {
        *word = change(*word, 1 << (cell & 63));
    }
    set
}

/// Adds a cell; none beyond the width.
#[inline(always)]
pub fn add<const N: usize>(set: &mut [u64; N], cell: u64) {
    if let Some(word) = set.get_mut((cell >> 6) as usize) {
        *word |= 1 << (cell & 63);
    }
}

/// Takes a cell out.
#[inline(always)]
pub fn cut<const N: usize>(set: &mut [u64; N], cell: u64) {
    if let Some(word) = set.get_mut((cell >> 6) as usize) {
        *word &= !(1 << (cell & 63));
    }
}

/// Whether there is that cell.
#[inline(always)]
#[must_use]
pub fn has<const N: usize>(set: &[u64; N], cell: u64) -> bool {
    match set.get((cell >> 6) as usize) {
        Some(word) => word >> (cell & 63) & 1 != 0,
        None => false,
    }
}

/// How many cells there are.
#[inline(always)]
#[must_use]
pub fn count<const N: usize>(set: &[u64; N]) -> u64 {
    CellSet::<N>::from_words(set).len() as u64
}

/// The lowest cell; 0 when there is none.
#[inline(always)]
#[must_use]
pub fn first<const N: usize>(set: &[u64; N]) -> u64 {
    CellSet::<N>::from_words(set)
        .first()
        .map_or(0, |c| u64::from(c.0))
}

/// The highest cell; 0 when there is none.
#[inline(always)]
#[must_use]
pub fn last<const N: usize>(set: &[u64; N]) -> u64 {
    CellSet::<N>::from_words(set)
        .last()
        .map_or(0, |c| u64::from(c.0))
}

/// Whether there are cells.
#[inline(always)]
#[must_use]
pub fn any<const N: usize>(set: &[u64; N]) -> bool {
    set.iter().fold(0, |all, word| all | word) != 0
}

/// Whether every cell of the first is in the second.
#[inline(always)]
#[must_use]
pub fn within<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    !any(&each(a, b, |a, b| a & !b))
}

/// Whether they have a cell in common.
#[inline(always)]
#[must_use]
pub fn meet<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    any(&each(a, b, |a, b| a & b))
}

/// Takes the lowest cell out of what is left of a set; whether there was one.
#[inline(always)]
pub fn next_cell<const N: usize>(w: &mut Words, s: &mut Sets<N>, left: R, to: R) -> bool {
    for (i, word) in s[ix(left)].iter_mut().enumerate() {
        if *word != 0 {
            w[ix(to)] = (i * 64) as u64 + u64::from(word.trailing_zeros());
            *word &= *word - 1;
            return true;
        }
    }
    false
}

/// Takes the lowest bit out of what is left of a word; whether there was one.
#[inline(always)]
pub fn next_bit(w: &mut Words, left: R, to: R) -> bool {
    let bits = w[ix(left)];
    if bits == 0 {
        return false;
    }
    w[ix(to)] = u64::from(bits.trailing_zeros());
    w[ix(left)] = bits & (bits - 1);
    true
}

/// Goes on to the next number; whether there is one.
#[inline(always)]
pub fn next_number(w: &mut Words, step: R, last: R, to: R) -> bool {
    let now = w[ix(step)];
    if !less(now, w[ix(last)]) {
        return false;
    }
    w[ix(step)] = now.wrapping_add(1);
    w[ix(to)] = now.wrapping_add(1);
    true
}
