//! Machine code that comes twice: soon, and then better. What is asked for is first made quickly, of a kernel with few statements; a
//! thread behind makes the same of a better kernel with more care, and where a function stands is said anew when that is done.
//! Both do the same.

use crate::engine::native::Better;
use crate::engine::native::call::Ready;
use crate::engine::native::module::{Code, Options};
use crate::engine::native::tables::Shared;
use crate::program::kernel::{FuncId, Kernel};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// Stack of the thread behind, in bytes.
const STACK: usize = 16 << 20;

/// Set in the address of a function that is of the better kernel; no address has it.
const OF_BETTER: usize = 1 << (usize::BITS - 1);

/// Machine code of a kernel.
struct Tier {
    shared: Shared,
    code: Mutex<Code>,
    trampoline: OnceLock<usize>,
}

impl Tier {
    fn new(kernel: Arc<Kernel>, options: Options) -> Result<Tier, String> {
        let shared = Shared::new(kernel)?;
        let code = Code::new(&shared, options)?;
        Ok(Tier {
            trampoline: OnceLock::new(),
            code: Mutex::new(code),
            shared,
        })
    }

    /// Compiles functions: where those stand that are new.
    fn compile(&self, code: &mut Code, functions: &[FuncId]) -> Vec<(FuncId, usize)> {
        let compiled = code.compile(&self.shared, functions);
        let (trampoline, places) = compiled.unwrap_or_default();
        if !places.is_empty() {
            self.trampoline.get_or_init(|| trampoline);
        }
        places
    }
}

/// Machine code of a kernel, and perhaps of a better one, and where their functions stand.
pub(super) struct Made {
    /// For each function without parameters its address; 0 while it is not ready, and for those with parameters.
    ready: Vec<AtomicUsize>,
    first: Tier,
    /// What makes the better kernel, until it is made.
    maker: Mutex<Option<Better>>,
    /// Its code, when it could be made.
    better: OnceLock<Tier>,
    waiting: Mutex<Waiting>,
    done: Condvar,
}

/// What the thread behind is still to make.
#[derive(Default)]
struct Waiting {
    functions: Vec<FuncId>,
    /// Whether there is such a thread.
    working: bool,
    /// Whether anything will be made better.
    wanted: bool,
}

impl Made {
    /// Nothing is made yet. With `better` all that is made is made again of another kernel.
    pub(super) fn new(
        kernel: Arc<Kernel>,
        options: Options,
        better: Option<Better>,
    ) -> Result<Made, String> {
        let unready = |_| AtomicUsize::new(0);
        Ok(Made {
            ready: kernel.functions.iter().map(unready).collect(),
            first: Tier::new(kernel, options)?,
            waiting: Mutex::new(Waiting {
                wanted: better.is_some(),
                ..Waiting::default()
            }),
            maker: Mutex::new(better),
            better: OnceLock::new(),
            done: Condvar::new(),
        })
    }

    /// The kernel that code is made of first.
    pub(super) fn kernel(&self) -> &Kernel {
        &self.first.shared.kernel
    }

    /// Where a function stands, once it is ready.
    #[inline]
    pub(super) fn ready(&self, function: FuncId) -> Option<Ready<'_>> {
        let address = self.ready.get(function.0 as usize)?;
        let address = address.load(Ordering::Acquire);
        let tier = match address {
            0 => return None,
            _ if address & OF_BETTER != 0 => self.better.get()?,
            _ => &self.first,
        };
        Some(Ready {
            trampoline: *tier.trampoline.get()?,
            function: address & !OF_BETTER,
            shared: &tier.shared,
        })
    }

    /// Makes functions ready; what could not be translated, and why.
    pub(super) fn prepare(self: &Arc<Self>, functions: &[FuncId]) -> Option<String> {
        if functions.iter().all(|&f| self.ready(f).is_some()) {
            return None;
        }
        let mut code = lock(&self.first.code);
        for (id, address) in self.first.compile(&mut code, functions) {
            self.publish(&self.first, id, address, 0);
        }
        let failed = code.failures.first().cloned();
        drop(code);
        self.improve(functions);
        failed
    }

    /// Says where a function stands: in the better code with its mark, or else while it stands nowhere.
    fn publish(&self, tier: &Tier, id: FuncId, address: usize, mark: usize) {
        let params = (tier.shared.kernel.functions.get(id.0 as usize)).map(|f| f.params.len());
        if let (Some(0), Some(known)) = (params, self.ready.get(id.0 as usize))
            && (mark != 0 || known.load(Ordering::Acquire) == 0)
        {
            known.store(address | mark, Ordering::Release);
        }
    }

    /// Has functions made better by the thread behind.
    fn improve(self: &Arc<Self>, functions: &[FuncId]) {
        let mut waiting = lock(&self.waiting);
        if !waiting.wanted {
            return;
        }
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
        if let Some(maker) = lock(&self.maker).take() {
            let kernel = Arc::new(maker());
            let options = Options::careful(&kernel, true);
            if let Ok(tier) = Tier::new(kernel, options) {
                // There is one thread at a time, and the maker is taken once.
                let _ = self.better.set(tier);
            }
        }
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
            if let Some(better) = self.better.get() {
                for (id, address) in better.compile(&mut lock(&better.code), &functions) {
                    self.publish(better, id, address, OF_BETTER);
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
