//! The small operations that instructions are made of, on words, on sets as words, and on windows.

use crate::board::CellSet;
use crate::engine::portable::code::{R, Sets, Words, ix};

/// Up to this width all words of a set are taken at once.
const WHOLE: usize = 8;

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
    let mut to = *a;
    for (to, b) in to.iter_mut().zip(b) {
        *to = of(*to, *b);
    }
    to
}

/// A set of a window from two.
#[inline(always)]
pub fn pair<const N: usize>(s: &mut Sets<N>, to: R, a: R, b: R, of: impl Fn(u64, u64) -> u64) {
    if N <= WHOLE {
        s[ix(to)] = each(&s[ix(a)], &s[ix(b)], of);
        return;
    }
    // Four words at once and at their place, as all words together would go through memory once more.
    let fours = N / 4 * 4;
    for at in (0..fours).step_by(4) {
        let four: [u64; 4] = std::array::from_fn(|i| of(s[ix(a)][at + i], s[ix(b)][at + i]));
        s[ix(to)][at..at + 4].copy_from_slice(&four);
    }
    (fours..N).for_each(|at| s[ix(to)][at] = of(s[ix(a)][at], s[ix(b)][at]));
}

/// A set with the word of a cell changed by its bit; nothing is changed for a cell beyond the width.
#[inline(always)]
#[must_use]
pub fn one<const N: usize>(
    mut set: [u64; N],
    cell: u64,
    change: impl Fn(u64, u64) -> u64,
) -> [u64; N] {
    if N <= WHOLE {
        // All words at once: who reads them next reads them together.
        let bit = |i| if i == cell >> 6 { 1 << (cell & 63) } else { 0 };
        return std::array::from_fn(|i| change(set[i], bit(i as u64)));
    }
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

/// The cells of a set up to the lowest of another, with it; all when there is none.
#[inline(always)]
#[must_use]
pub fn up_to<const N: usize>(set: &[u64; N], stops: &[u64; N]) -> [u64; N] {
    let mut met = 0;
    std::array::from_fn(|i| {
        let near = stops[i] ^ stops[i].wrapping_sub(1);
        let word = if met == 0 { set[i] & near } else { 0 };
        met |= stops[i];
        word
    })
}

/// The cells of a set down to the highest of another, with it; all when there is none.
#[inline(always)]
#[must_use]
pub fn down_to<const N: usize>(set: &[u64; N], stops: &[u64; N]) -> [u64; N] {
    let mut met = 0;
    let mut all = [0; N];
    for i in (0..N).rev() {
        let near = u64::MAX << (63 - (stops[i] | 1).leading_zeros());
        all[i] = if met == 0 { set[i] & near } else { 0 };
        met |= stops[i];
    }
    all
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

/// Begins a loop over cells; whether there is one.
#[inline(always)]
pub fn first_cell<const N: usize>(w: &mut Words, s: &mut Sets<N>, left: R, to: R, from: R) -> bool {
    s[ix(left)] = s[ix(from)];
    next_cell(w, s, left, to)
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

/// Begins a loop over bits; whether there is one.
#[inline(always)]
pub fn first_bit(w: &mut Words, left: R, to: R, from: R) -> bool {
    w[ix(left)] = w[ix(from)];
    next_bit(w, left, to)
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

/// Begins a loop over numbers; whether there is one.
#[inline(always)]
pub fn begin(w: &mut Words, step: R, last: R, to: R, from: R, until: R) -> bool {
    let (first, end) = (w[ix(from)], w[ix(until)]);
    w[ix(step)] = first;
    w[ix(last)] = end;
    w[ix(to)] = first;
    !less(end, first)
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
