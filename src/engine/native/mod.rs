//! Kernels as machine code: functions are translated when they are first asked for, with all that they call, and run as they
//! are. Does not look into what it runs; what cannot be translated gives up, and the plain engine answers.
//!
//! What generated code is promised:
//!
//! - the memory has `room.memory` words, and stays where it is during a run; nothing else reads or writes it meanwhile;
//! - the kernel's tables stay where they are for as long as the code does (`tables::Shared`);
//! - what its functions are called with fits their parameters; from outside only functions without any are called;
//! - the stack has room for `call::STACK` bytes beyond the first call.
//!
//! What generated code promises:
//!
//! - it reads and writes nothing but the memory, the tables, its own part of the stack and the context of the run. Fixed places
//!   are looked at when a function is translated; an index is in range because the kernel says so. With `checked`, which is on
//!   in tests and debug builds and when `GAMBOL_CHECKED=1` is set, every index is compared before it is used: one that is out of
//!   range is noted, the run gives up, and `call` panics with its number;
//! - every call is paid for in `fuel`, and those that are counted while they are open in `depth` and in stack; after each call
//!   that gave up the caller ends too, so that every run is bounded where the kernel's loops are;
//! - it never traps and never unwinds: what it calls in Rust (`aid`) notes what is wrong instead of panicking.
//!
//! Words are variables. A set of up to eleven words is as many variables; a wider one stands on the stack and is worked on two
//! words at a time, and what looks at its cells is left to Rust. What is asked for goes through one lock, and where a function
//! stands is published when it can be run; code of longer kernels is made twice, soon (`baseline`) and then better (`tiers`).

mod aid;
#[cfg(all(target_arch = "x86_64", unix))]
mod baseline;
#[cfg(not(all(target_arch = "x86_64", unix)))]
#[path = "baseline/elsewhere.rs"]
mod baseline;
mod call;
mod emit;
#[cfg_attr(
    not(all(target_arch = "x86_64", unix)),
    allow(dead_code, reason = "the baseline asks for it")
)]
mod ir;
mod links;
mod module;
mod nearby;
mod tables;
#[cfg(test)]
mod tests;
mod tiers;
mod translate;

use crate::engine::executor::{Executor, Frame};
use crate::engine::native::call::Ready;
use crate::engine::native::module::Options;
use crate::engine::native::tiers::Made;
use crate::program::kernel::{Fault, FuncId, Kernel};
use std::sync::Arc;

/// With fewer statements a kernel is short: its code comes soon in any case.
const SHORT: usize = 400;

/// Makes the kernel for better code.
pub type Better = Box<dyn FnOnce() -> Kernel + Send>;

/// Whether code for a kernel of so many statements is best made twice, on this machine.
#[must_use]
pub fn comes_twice(statements: usize) -> bool {
    // Where instructions are counted, code that comes while other code runs would be in the way.
    statements >= SHORT && !asked("once") && cranelift_native::builder().is_ok()
}

/// Whether code is asked for in a way: made `once`, with care, or `soon` and never again.
fn asked(way: &str) -> bool {
    std::env::var_os("GAMBOL_CODE").is_some_and(|v| v == way)
}

/// An executor that translates a kernel to machine code. Says why when it cannot, for this machine or this kernel. When another
/// kernel is given as well, which does the same faster and asks for the same memory, its code is made meanwhile.
///
/// # Errors
/// When the machine is of a kind for which no code can be made, or when the kernel's areas do not lie in its memory.
pub fn native(kernel: Arc<Kernel>, better: Option<Better>) -> Result<Box<dyn Executor>, String> {
    let checks = std::env::var_os("GAMBOL_CHECKED").is_some_and(|v| v == "1");
    let checks = checks || cfg!(any(test, debug_assertions));
    if checks {
        return checked(kernel);
    }
    let options = match better {
        Some(_) => Options::soon(&kernel),
        None => Options::careful(&kernel, false),
    };
    let better = better.filter(|_| !asked("soon"));
    Ok(Box::new(Native::new(kernel, options, better)?))
}

/// As [`native`], with every index checked: what is out of range ends in a panic.
///
/// # Errors
/// As [`native`].
pub fn checked(kernel: Arc<Kernel>) -> Result<Box<dyn Executor>, String> {
    let options = Options::suited(&kernel, true);
    Ok(Box::new(Native::new(kernel, options, None)?))
}

/// Machine code of a kernel.
struct Native {
    made: Arc<Made>,
    /// How many words of memory are asked for.
    memory: usize,
    checked: bool,
}

impl Native {
    fn new(
        kernel: Arc<Kernel>,
        options: Options,
        better: Option<Better>,
    ) -> Result<Native, String> {
        Ok(Native {
            memory: kernel.room.memory as usize,
            made: Arc::new(Made::new(kernel, options, better)?),
            checked: options.checked,
        })
    }

    /// A function that was not ready; the memory has its size then.
    #[cold]
    fn readied(&self, function: FuncId, frame: &mut Frame) -> Option<Ready<'_>> {
        frame.mem.resize(self.memory, 0);
        self.prepare(&[function]);
        self.made.ready(function)
    }
}

impl Executor for Native {
    fn prepare(&self, functions: &[FuncId]) {
        let failed = self.made.prepare(functions);
        if let Some(why) = failed.filter(|_| self.checked) {
            panic!("a kernel that cannot be translated: {why}");
        }
    }

    fn settle(&self) {
        self.made.settle();
    }

    fn plays_whole(&self) -> bool {
        true
    }

    fn call(&self, function: FuncId, frame: &mut Frame) -> u64 {
        let known = self.made.ready(function);
        let known = known.filter(|_| frame.mem.len() == self.memory);
        let Some(ready) = known.or_else(|| self.readied(function, frame)) else {
            frame.mem[self.made.kernel().room.fault as usize] = Fault::Room as u64;
            return 1;
        };
        let (result, broken) = call::run(ready, frame);
        if self.checked && broken != 0 {
            let name = &ready.shared.kernel.functions[function.0 as usize].name;
            panic!("an index out of range in `{name}`: {}", broken >> 8);
        }
        result
    }
}
