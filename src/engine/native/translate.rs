//! Functions from cranelift's language into machine code, on as many threads as there are cores: they do not depend on each other.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

/// So many functions are worth a thread.
const WORTH: usize = 4;

/// The most threads.
const MOST: usize = 8;

/// Stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// Translates functions; what went wrong with each, in their order. Threads of its own are used: a caller may stand in a pool of
/// threads and hold a lock that others of the pool wait for.
pub(super) fn translate(isa: &dyn TargetIsa, contexts: &mut [Context]) -> Vec<Result<(), String>> {
    let mut results: Vec<Result<(), String>> = vec![Ok(()); contexts.len()];
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = cores.min(MOST).min(contexts.len() / WORTH).max(1);
    let work = Mutex::new(contexts.iter_mut().zip(&mut results));
    let translating = || {
        let mut plane = ControlPlane::default();
        loop {
            let next = work.lock().ok().and_then(|mut work| work.next());
            let Some((context, result)) = next else { break };
            if let Err(error) = context.compile(isa, &mut plane) {
                *result = Err(error.inner.to_string());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be had leaves its work to the others.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, translating);
        }
        translating();
    });
    results
}
