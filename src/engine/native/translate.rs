//! Functions from cranelift's language into machine code, on as many threads as there are cores: they do not depend on each other,
//! and some are translated while the next are still being written. Long ones come first.

use crate::engine::native::nearby::bring_numbers;
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use cranelift_module::{FuncId as Declared, ModuleReloc};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The most threads.
const MOST: usize = 8;

/// With fewer instructions waiting another thread takes longer to come than it saves.
const WORTH: usize = 500;

/// Stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// A function that has been written.
pub(super) struct Written {
    pub(super) declared: Declared,
    pub(super) context: Box<Context>,
}

impl Written {
    fn instructions(&self) -> usize {
        self.context.func.dfg.num_insts()
    }
}

/// The machine code of a function, and what is to be put into it.
pub(super) struct Translated {
    pub(super) alignment: u64,
    pub(super) code: Vec<u8>,
    pub(super) relocs: Vec<ModuleReloc>,
}

/// The machine that code is for.
#[derive(Clone, Copy)]
pub(super) struct Machine<'i> {
    /// As it makes functions better, if it is to.
    pub(super) improving: Option<&'i dyn TargetIsa>,
    /// As it translates them.
    pub(super) translating: &'i dyn TargetIsa,
}

/// A number, and what became of the function with that number.
type Outcome = (usize, Result<Translated, String>);

/// What is to be done, and what was.
#[derive(Default)]
struct Work {
    waiting: Vec<(usize, Written)>,
    /// How many instructions the waiting functions have.
    instructions: usize,
    /// Whether nothing more is written.
    complete: bool,
    done: Vec<Outcome>,
    /// What functions stood in that are translated.
    used: Vec<Box<Context>>,
}

impl Work {
    /// The function with the most instructions, so that nobody is left alone with it at the end.
    fn longest(&mut self) -> Option<(usize, Written)> {
        let all = self.waiting.iter().enumerate();
        let (at, _) = all.max_by_key(|(_, (_, written))| written.instructions())?;
        Some(self.waiting.swap_remove(at))
    }

    /// The function with the fewest.
    fn shortest(&mut self) -> Option<(usize, Written)> {
        let all = self.waiting.iter().enumerate();
        let (at, _) = all.min_by_key(|(_, (_, written))| written.instructions())?;
        Some(self.waiting.swap_remove(at))
    }
}

struct Desk<'i> {
    machine: Machine<'i>,
    work: Mutex<Work>,
    more: Condvar,
}

/// Translates functions as they are written; what became of each, in their order. Threads of its own are used: a caller may stand
/// in a pool of threads and hold a lock that others of the pool wait for. With `alone` only the caller's. `next` writes a function, where
/// it is given one into the context of one that has been translated, which is clear.
///
/// # Errors
/// What `next` says.
pub(super) fn translate(
    machine: Machine<'_>,
    alone: bool,
    mut next: impl FnMut(Option<Box<Context>>) -> Result<Option<Written>, String>,
) -> Result<Vec<Result<Translated, String>>, String> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if alone || cores == 1 {
        return one_by_one(machine, next);
    }
    let most = cores.min(MOST);
    let desk = Desk {
        machine,
        work: Mutex::default(),
        more: Condvar::new(),
    };
    let written = thread::scope(|scope| {
        let writing = Writing(&desk);
        let (mut count, mut threads) = (0, 1);
        let result = loop {
            let used = desk.lock().used.pop();
            let written = match next(used) {
                Ok(Some(written)) => written,
                Ok(None) => break Ok(()),
                Err(why) => break Err(why),
            };
            let (waiting, instructions) = {
                let mut work = desk.lock();
                work.instructions += written.instructions();
                work.waiting.push((count, written));
                (work.waiting.len(), work.instructions)
            };
            count += 1;
            desk.more.notify_one();
            // A thread that cannot be had leaves its work to the others.
            if threads < most && waiting > threads && instructions >= WORTH {
                let thread = thread::Builder::new().stack_size(STACK);
                if thread.spawn_scoped(scope, || desk.wait()).is_ok() {
                    threads += 1;
                }
            }
            // With more waiting, one is translated before the next is written: each holds memory that those behind it can use again, and
            // memory that is new has to be cleared first. The longest is left to the others, who are still coming.
            desk.translate(most + 1, Work::shortest);
        };
        drop(writing);
        if result.is_ok() {
            desk.translate(0, Work::longest);
        }
        result
    });
    written?;
    let mut done = std::mem::take(&mut desk.lock().done);
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// The same without threads: each function in the memory of the one before.
fn one_by_one(
    machine: Machine<'_>,
    mut next: impl FnMut(Option<Box<Context>>) -> Result<Option<Written>, String>,
) -> Result<Vec<Result<Translated, String>>, String> {
    let mut plane = ControlPlane::default();
    let (mut used, mut done) = (None, Vec::new());
    while let Some(mut written) = next(used.take())? {
        done.push(one(machine, &mut written, &mut plane));
        written.context.clear();
        used = Some(written.context);
    }
    Ok(done)
}

/// As long as there is one, more may be written.
struct Writing<'d, 'i>(&'d Desk<'i>);

impl Drop for Writing<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().complete = true;
        self.0.more.notify_all();
    }
}

impl Desk<'_> {
    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Translates one after the other of what is waiting, until no more is than so many.
    fn translate(&self, most: usize, one: fn(&mut Work) -> Option<(usize, Written)>) {
        let mut plane = ControlPlane::default();
        let mut work = self.lock();
        while work.waiting.len() > most {
            work = self.take(one, work, &mut plane);
        }
    }

    /// Translates what is waiting until nothing more comes.
    fn wait(&self) {
        let mut plane = ControlPlane::default();
        let mut work = self.lock();
        loop {
            if !work.waiting.is_empty() {
                work = self.take(Work::longest, work, &mut plane);
            } else if work.complete {
                return;
            } else {
                work = (self.more.wait(work)).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Translates one function that is waiting.
    fn take<'d>(
        &'d self,
        which: fn(&mut Work) -> Option<(usize, Written)>,
        mut work: MutexGuard<'d, Work>,
        plane: &mut ControlPlane,
    ) -> MutexGuard<'d, Work> {
        let Some((at, mut written)) = which(&mut work) else {
            return work;
        };
        work.instructions -= written.instructions();
        drop(work);
        let outcome = one(self.machine, &mut written, plane);
        written.context.clear();
        let mut work = self.lock();
        work.done.push((at, outcome));
        work.used.push(written.context);
        work
    }
}

fn one(
    machine: Machine<'_>,
    written: &mut Written,
    plane: &mut ControlPlane,
) -> Result<Translated, String> {
    let Written { declared, context } = written;
    if let Some(improving) = machine.improving {
        let improved = context.optimize(improving, plane);
        improved.map_err(|error| error.to_string())?;
        bring_numbers(&mut context.func);
    }
    if let Err(error) = context.compile(machine.translating, plane) {
        return Err(error.inner.to_string());
    }
    let code = context.compiled_code().ok_or("a function without code")?;
    let relocs = code.buffer.relocs().iter();
    Ok(Translated {
        alignment: u64::from(code.buffer.alignment),
        code: code.code_buffer().to_vec(),
        relocs: relocs
            .map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, *declared))
            .collect(),
    })
}
