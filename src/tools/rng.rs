//! Random numbers that never change: a seed in, xoshiro256++ with our own bounded draw and shuffle out. Golden tests below.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The seed that is used when none is given.
pub const DEFAULT_SEED: u64 = 1;

/// A generator: the same seed gives the same numbers in every version of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`, each equally likely; 0 if `n` is 0.
    ///
    /// Multiply and shift, drawing again where that would favour some numbers (Lemire 2019).
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let unfair = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            let (high, low) = ((wide >> 64) as u64, wide as u64);
            if low >= unfair {
                return high;
            }
        }
    }

    /// The index of one of `n` things; nothing if there are none.
    pub fn index(&mut self, n: usize) -> Option<usize> {
        let bound = u64::try_from(n).ok().filter(|n| *n > 0)?;
        usize::try_from(self.below(bound)).ok()
    }

    /// One of the things, each equally likely.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let index = self.index(things.len())?;
        things.get(index)
    }

    /// Puts the things in a random order (Fisher and Yates, from the last to the first).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            if let Some(other) = self.index(last + 1) {
                things.swap(last, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::rng::Rng;

    #[test]
    fn golden_bits() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(
            drawn,
            [
                14971601782005023387,
                13781649495232077965,
                1847458086238483744,
                13765271635752736470
            ]
        );
    }

    #[test]
    fn golden_draws() {
        let mut rng = Rng::new(7);
        let drawn: Vec<u64> = (0..16).map(|_| rng.below(10)).collect();
        assert_eq!(drawn, [0, 1, 7, 4, 9, 4, 7, 3, 9, 0, 1, 1, 7, 1, 4, 0]);
    }

    #[test]
    fn golden_shuffle() {
        let mut things: Vec<u8> = (0..10).collect();
        Rng::new(3).shuffle(&mut things);
        assert_eq!(things, [7, 2, 1, 4, 9, 3, 8, 6, 5, 0]);
    }

    #[test]
    fn draws_are_in_range_and_even() {
        let mut rng = Rng::new(5);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[usize::try_from(rng.below(6)).unwrap()] += 1;
        }
        assert!(
            counts.iter().all(|n| (9_600..10_400).contains(n)),
            "{counts:?}"
        );
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
        assert!((0..100).all(|_| rng.below(u64::MAX) < u64::MAX));
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
