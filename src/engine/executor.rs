//! What runs kernels: the border between the front and the fast engines. A frame is the memory of one run.

use crate::program::kernel::{FuncId, Kernel};

/// So many buckets tell most keys that are new; a power of two.
pub const BUCKETS: usize = 4096;

/// Keys of one kind, the oldest first, and how many there are in each bucket, so that a new key is seen to be new at once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeyList {
    keys: Vec<u64>,
    /// By the lowest bits of keys; a bucket that is full stays full until all are forgotten.
    buckets: Box<[u8; BUCKETS]>,
}

impl Default for KeyList {
    fn default() -> KeyList {
        KeyList {
            keys: Vec::new(),
            buckets: Box::new([0; BUCKETS]),
        }
    }
}

impl KeyList {
    #[inline]
    fn push(&mut self, key: u64) {
        let bucket = &mut self.buckets[key as usize % BUCKETS];
        *bucket = bucket.saturating_add(1);
        self.keys.push(key);
    }

    fn truncate(&mut self, len: usize) {
        if len == 0 {
            if !self.keys.is_empty() {
                self.keys.clear();
                self.buckets.fill(0);
            }
            return;
        }
        for key in self.keys.drain(len.min(self.keys.len())..) {
            let bucket = &mut self.buckets[key as usize % BUCKETS];
            if *bucket < u8::MAX {
                *bucket -= 1;
            }
        }
    }

    #[inline]
    fn may_hold(&self, key: u64) -> bool {
        self.buckets[key as usize % BUCKETS] != 0
    }
}

/// The keys of positions at the starts of earlier turns, the oldest first, each kind by itself so that they are looked through fast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Of what repetition compares.
    all: KeyList,
    /// Of the pieces alone.
    pieces: KeyList,
}

impl Keys {
    /// Adds the keys of one more position: of what repetition compares, and of the pieces alone.
    #[inline]
    pub fn push(&mut self, (all, pieces): (u64, u64)) {
        self.all.push(all);
        self.pieces.push(pieces);
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.keys.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.keys.is_empty()
    }

    /// Only so many positions are left, the oldest ones.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
        self.pieces.truncate(len);
    }

    /// The other way round.
    pub fn reverse(&mut self) {
        self.all.keys.reverse();
        self.pieces.keys.reverse();
    }

    /// The keys of each position.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let pieces = self.pieces.keys.iter().copied();
        self.all.keys.iter().copied().zip(pieces)
    }

    /// How many keys there may be in each bucket, by the lowest bits of keys: of what repetition compares, and of the pieces alone.
    /// No key is in an empty one.
    #[must_use]
    pub fn buckets(&self) -> [&[u8; BUCKETS]; 2] {
        [&self.all.buckets, &self.pieces.buckets]
    }

    /// How often a key of what repetition compares is among them.
    #[must_use]
    #[inline]
    pub fn repeated(&self, key: u64) -> u64 {
        if !self.all.may_hold(key) {
            return 0;
        }
        self.all.keys.iter().map(|k| u64::from(*k == key)).sum()
    }

    /// Whether a key of pieces is among them.
    #[must_use]
    #[inline]
    pub fn seen(&self, key: u64) -> bool {
        self.pieces.may_hold(key) && self.pieces.keys.contains(&key)
    }
}

impl Extend<(u64, u64)> for Keys {
    fn extend<T: IntoIterator<Item = (u64, u64)>>(&mut self, keys: T) {
        for key in keys {
            self.push(key);
        }
    }
}

impl FromIterator<(u64, u64)> for Keys {
    fn from_iter<T: IntoIterator<Item = (u64, u64)>>(keys: T) -> Keys {
        let mut all = Keys::default();
        all.extend(keys);
        all
    }
}

/// The memory that a kernel works in, and what came before its state.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// All words, as the kernel's `room` says.
    pub mem: Vec<u64>,
    /// The keys of the positions at the starts of earlier turns.
    pub past: Keys,
    /// A list of actions that is gone through, while its own memory is used otherwise.
    pub list: Vec<u64>,
    /// The texts of a list of actions, each with the number of its action.
    pub texts: Vec<(u64, usize)>,
    /// The keys among them that were met, wherever their bits say; nought where there is none.
    pub met: Vec<u64>,
    /// What an executor keeps between runs to be quicker; what it answers does not depend on it.
    pub kept: Kept,
}

/// What one executor keeps.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The executor's number; that of no other.
    pub owner: u64,
    /// As it likes.
    pub words: Vec<u64>,
}

impl Frame {
    /// Empty memory for a kernel.
    #[must_use]
    pub fn new(kernel: &Kernel) -> Frame {
        Frame {
            mem: vec![0; kernel.room.memory as usize],
            ..Frame::default()
        }
    }

    /// How often a repetition key is in the past.
    #[must_use]
    pub fn repeated(&self, key: u64) -> u64 {
        self.past.repeated(key)
    }

    /// Whether an arrangement's key is in the past.
    #[must_use]
    pub fn seen(&self, key: u64) -> bool {
        self.past.seen(key)
    }
}

/// Runs kernels.
pub trait Executor: Send + Sync {
    /// Makes functions ready, and all that they call. Calling one that is not ready makes it so.
    fn prepare(&self, functions: &[FuncId]);

    /// Waits until nothing is being made better any more, where that is done meanwhile.
    fn settle(&self) {}

    /// Whether a random game is played best by one function, and two actions are counted so, rather than question by question.
    fn plays_whole(&self) -> bool;

    /// Runs a function that has no parameters and gives back its result. When `room.fault` is not 0 afterwards the kernel gave
    /// up, and neither the result nor the memory means anything.
    fn call(&self, function: FuncId, frame: &mut Frame) -> u64;
}
