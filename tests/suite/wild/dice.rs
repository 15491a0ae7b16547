//! Choices for the maker of games: from a seed, or from bytes, which give the first of everything when they have run out.

use gambol::tools::rng::Rng;

/// Makes choices.
pub enum Dice {
    /// From a seed.
    Seed(Rng),
    /// From bytes: what is left of them.
    Bytes(Vec<u8>),
}

impl Dice {
    /// Those of a seed.
    pub fn seeded(seed: u64) -> Dice {
        Dice::Seed(Rng::new(seed))
    }

    /// Those of some bytes.
    #[allow(dead_code)]
    pub fn of_bytes(bytes: &[u8]) -> Dice {
        Dice::Bytes(bytes.iter().rev().copied().collect())
    }

    /// A number below another.
    pub fn below(&mut self, n: usize) -> usize {
        match self {
            Dice::Seed(rng) => rng.index(n).unwrap_or(0),
            Dice::Bytes(bytes) => usize::from(bytes.pop().unwrap_or(0)) % n.max(1),
        }
    }

    /// True so many times out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of some things.
    pub fn pick<T: Clone>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())].clone()
    }
}
