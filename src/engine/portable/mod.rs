//! The portable executor: a kernel's functions as flat code, run in a loop. It works on every machine, and the generated
//! code must agree with it bit for bit.
//!
//! `scan` reads a function, `make` and `operands` turn it into the instructions of `code`, `run` runs them with
//! `operations`, `effects`, `rare` and the board's `geometry`, `calls` opens and closes functions. A function's words and
//! sets are windows into two stacks that a thread keeps, so that a call does not allocate.

mod calls;
mod code;
mod effects;
mod geometry;
mod make;
mod operands;
mod operations;
mod rare;
mod run;
mod scan;

use crate::engine::executor::Executor;
use crate::engine::portable::calls::Portable;
use crate::program::kernel::Kernel;
use std::sync::Arc;

/// An executor for a kernel that works on every machine.
#[must_use]
pub fn portable(kernel: Arc<Kernel>) -> Box<dyn Executor> {
    match kernel.room.words {
        0 | 1 => Box::new(Portable::<1>::new(kernel)),
        2 => Box::new(Portable::<2>::new(kernel)),
        3 => Box::new(Portable::<3>::new(kernel)),
        4 => Box::new(Portable::<4>::new(kernel)),
        5 | 6 => Box::new(Portable::<6>::new(kernel)),
        7 | 8 => Box::new(Portable::<8>::new(kernel)),
        9..=11 => Box::new(Portable::<11>::new(kernel)),
        _ => Box::new(Portable::<20>::new(kernel)),
    }
}
