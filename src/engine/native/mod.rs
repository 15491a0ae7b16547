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
//! - every call is paid for in `fuel` and `depth`, and in stack when what is called calls others; after each call that gave up the
//!   caller ends too, so that every run is bounded where the kernel's loops are;
//! - it never traps and never unwinds: what it calls in Rust (`aid`) notes what is wrong instead of panicking.
//!
//! Words are variables. A set of up to four words is as many variables; a wider one stands on the stack and is worked on two
//! words at a time, and what looks at its cells is left to Rust. Nothing is translated twice: all goes through one lock, and
//! where a function stands is published when it can be run.

mod aid;
mod call;
mod emit;
mod links;
mod module;
mod tables;
#[cfg(test)]
mod tests;
mod translate;

use crate::engine::executor::{Executor, Frame};
use crate::engine::native::call::Ready;
use crate::engine::native::module::{Code, Options};
use crate::engine::native::tables::Shared;
use crate::program::kernel::{Fault, FuncId, Kernel};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// An executor that translates a kernel to machine code. Says why when it cannot, for this machine or this kernel.
///
/// # Errors
/// When the machine is of a kind for which no code can be made, or when the kernel's areas do not lie in its memory.
pub fn native(kernel: Arc<Kernel>) -> Result<Box<dyn Executor>, String> {
    let asked = std::env::var_os("GAMBOL_CHECKED").is_some_and(|v| v == "1");
    let checked = asked || cfg!(any(test, debug_assertions));
    let options = Options::suited(&kernel, checked);
    Ok(Box::new(Native::new(kernel, options)?))
}

/// As [`native`], with every index checked: what is out of range ends in a panic.
///
/// # Errors
/// As [`native`].
pub fn checked(kernel: Arc<Kernel>) -> Result<Box<dyn Executor>, String> {
    let options = Options::suited(&kernel, true);
    Ok(Box::new(Native::new(kernel, options)?))
}

/// Machine code of a kernel, and where its functions stand.
struct Native {
    shared: Box<Shared>,
    trampoline: usize,
    /// For each function without parameters its address; 0 while it is not ready, and for those with parameters.
    ready: Vec<AtomicUsize>,
    code: Mutex<Code>,
    checked: bool,
}

impl Native {
    fn new(kernel: Arc<Kernel>, options: Options) -> Result<Native, String> {
        let shared = Box::new(Shared::new(kernel)?);
        let code = Code::new(&shared, options)?;
        Ok(Native {
            trampoline: code.trampoline,
            ready: (shared.kernel.functions.iter())
                .map(|_| AtomicUsize::new(0))
                .collect(),
            code: Mutex::new(code),
            shared,
            checked: options.checked,
        })
    }

    #[inline]
    fn address(&self, function: FuncId) -> usize {
        let known = self.ready.get(function.0 as usize);
        known.map_or(0, |address| address.load(Ordering::Acquire))
    }

    /// The address of a function that was not ready, or 0; the memory has its size then.
    #[cold]
    fn readied(&self, function: FuncId, frame: &mut Frame) -> usize {
        frame.mem.resize(self.shared.kernel.room.memory as usize, 0);
        self.prepare(&[function]);
        self.address(function)
    }
}

impl Executor for Native {
    fn prepare(&self, functions: &[FuncId]) {
        if functions.iter().all(|&f| self.address(f) != 0) {
            return;
        }
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, address) in code.compile(&self.shared, functions) {
            let params = (self.shared.kernel.functions.get(id.0 as usize)).map(|f| f.params.len());
            if let (Some(0), Some(known)) = (params, self.ready.get(id.0 as usize)) {
                known.store(address, Ordering::Release);
            }
        }
        let failed = code.failures.first().filter(|_| self.checked);
        if let Some(why) = failed {
            let why = why.clone();
            drop(code);
            panic!("a kernel that cannot be translated: {why}");
        }
    }

    fn plays_whole(&self) -> bool {
        true
    }

    fn call(&self, function: FuncId, frame: &mut Frame) -> u64 {
        let mut address = self.address(function);
        if address == 0 || frame.mem.len() != self.shared.kernel.room.memory as usize {
            address = self.readied(function, frame);
            if address == 0 {
                frame.mem[self.shared.kernel.room.fault as usize] = Fault::Room as u64;
                return 1;
            }
        }
        let ready = Ready {
            trampoline: self.trampoline,
            function: address,
            shared: &self.shared,
        };
        let (result, broken) = call::run(ready, frame);
        if self.checked && broken != 0 {
            let name = &self.shared.kernel.functions[function.0 as usize].name;
            panic!("an index out of range in `{name}`: {}", broken >> 8);
        }
        result
    }
}
