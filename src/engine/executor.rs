//! What runs kernels: the border between the front and the fast engines. A frame is the memory of one run.

use crate::program::kernel::{FuncId, Kernel};

/// The memory that a kernel works in, and what came before its state.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// All words, as the kernel's `room` says.
    pub mem: Vec<u64>,
    /// The keys of the positions at the starts of earlier turns, the oldest first: of what repetition compares, and of the
    /// pieces alone.
    pub past: Vec<(u64, u64)>,
    /// A list of actions that is gone through, while its own memory is used otherwise.
    pub list: Vec<u64>,
    /// The texts of a list of actions, each with the number of its action.
    pub texts: Vec<(u64, usize)>,
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
        self.past.iter().filter(|(k, _)| *k == key).count() as u64
    }

    /// Whether an arrangement's key is in the past.
    #[must_use]
    pub fn seen(&self, key: u64) -> bool {
        self.past.iter().any(|(_, k)| *k == key)
    }
}

/// Runs kernels.
pub trait Executor: Send + Sync {
    /// Makes functions ready, and all that they call. Calling one that is not ready makes it so.
    fn prepare(&self, functions: &[FuncId]);

    /// Whether a random game is played best by one function, rather than question by question.
    fn plays_whole(&self) -> bool;

    /// Runs a function that has no parameters and gives back its result. When `room.fault` is not 0 afterwards the kernel gave
    /// up, and neither the result nor the memory means anything.
    fn call(&self, function: FuncId, frame: &mut Frame) -> u64;
}
