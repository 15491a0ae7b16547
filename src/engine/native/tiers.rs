//! Machine code that comes twice: soon, and then better. What is asked for is first made quickly; a thread behind makes the same
//! with more care, and where a function stands is said anew when that is done. Both do the same.

use crate::engine::native::module::{Code, Options};
use crate::engine::native::tables::Shared;
use crate::program::kernel::FuncId;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Stack of the thread behind, in bytes.
const STACK: usize = 16 << 20;

/// Machine code of a kernel, and where its functions stand.
pub(super) struct Made {
    pub(super) shared: Shared,
    /// For each function without parameters its address; 0 while it is not ready, and for those with parameters.
    ready: Vec<AtomicUsize>,
    first: Mutex<Code>,
    /// What is made with more care, when that is another thing.
    better: Option<Mutex<Code>>,
    waiting: Mutex<Waiting>,
    done: Condvar,
}

/// What the thread behind is still to make.
#[derive(Default)]
struct Waiting {
    functions: Vec<FuncId>,
    /// Whether there is such a thread.
    working: bool,
}

impl Made {
    /// Nothing is made yet. With `better` all that is made is made again so.
    pub(super) fn new(
        shared: Shared,
        first: Options,
        better: Option<Options>,
    ) -> Result<(Made, usize), String> {
        let code = Code::new(&shared, first)?;
        let trampoline = code.trampoline;
        let better = better.map(|options| Code::new(&shared, options));
        let made = Made {
            ready: (shared.kernel.functions.iter())
                .map(|_| AtomicUsize::new(0))
                .collect(),
            shared,
            first: Mutex::new(code),
            better: better.transpose()?.map(Mutex::new),
            waiting: Mutex::default(),
            done: Condvar::new(),
        };
        Ok((made, trampoline))
    }

    /// Where a function stands; 0 when it is not ready.
    #[inline]
    pub(super) fn address(&self, function: FuncId) -> usize {
        let known = self.ready.get(function.0 as usize);
        known.map_or(0, |address| address.load(Ordering::Acquire))
    }

    /// Makes functions ready; what could not be translated, and why.
    pub(super) fn prepare(self: &Arc<Self>, functions: &[FuncId]) -> Option<String> {
        if functions.iter().all(|&f| self.address(f) != 0) {
            return None;
        }
        let mut code = lock(&self.first);
        for (id, address) in code.compile(&self.shared, functions) {
            self.publish(id, address, false);
        }
        let failed = code.failures.first().cloned();
        drop(code);
        if self.better.is_some() {
            self.improve(functions);
        }
        failed
    }

    fn publish(&self, id: FuncId, address: usize, better: bool) {
        let params = (self.shared.kernel.functions.get(id.0 as usize)).map(|f| f.params.len());
        if let (Some(0), Some(known)) = (params, self.ready.get(id.0 as usize))
            && (better || known.load(Ordering::Acquire) == 0)
        {
            known.store(address, Ordering::Release);
        }
    }

    /// Has functions made better by the thread behind.
    fn improve(self: &Arc<Self>, functions: &[FuncId]) {
        let mut waiting = lock(&self.waiting);
        waiting.functions.extend(functions);
        if waiting.working {
            return;
        }
        let made = Arc::clone(self);
        let thread = thread::Builder::new().stack_size(STACK);
        // Without a thread it stays as it is.
        waiting.working = thread.spawn(move || made.work()).is_ok();
    }

    fn work(&self) {
        loop {
            let functions = {
                let mut waiting = lock(&self.waiting);
                let functions = std::mem::take(&mut waiting.functions);
                if functions.is_empty() {
                    waiting.working = false;
                    self.done.notify_all();
                    return;
                }
                functions
            };
            if let Some(better) = &self.better {
                for (id, address) in lock(better).compile(&self.shared, &functions) {
                    self.publish(id, address, true);
                }
            }
        }
    }

    /// Waits until nothing is being made better.
    pub(super) fn settle(&self) {
        let mut waiting = lock(&self.waiting);
        while waiting.working {
            waiting = (self.done.wait(waiting)).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
