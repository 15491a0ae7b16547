//! Executors: each does what the reference does, on kernels made by hand and on drawn ones.

mod cases;
mod draw;
mod walk;

use crate::kernels::walk::Walk;
use gambol::engine::executor::{Executor, Frame};
#[cfg(feature = "native")]
use gambol::engine::native;
use gambol::engine::portable::portable;
use gambol::program::kernel::{FuncId, Kernel, dump};
use std::sync::Arc;

/// All executors, by name.
fn executors(kernel: &Arc<Kernel>) -> Vec<(&'static str, Box<dyn Executor>)> {
    vec![
        ("portable", portable(Arc::clone(kernel))),
        #[cfg(feature = "native")]
        ("native", native::native(Arc::clone(kernel)).unwrap()),
        #[cfg(feature = "native")]
        ("checked", native::checked(Arc::clone(kernel)).unwrap()),
    ]
}

/// What functions called one after the other come to: each result, and the memory behind it.
type Account = Vec<(u64, Vec<u64>)>;

/// What the reference does; nothing when it takes too long.
fn expected(kernel: &Kernel, frame: &Frame, calls: &[FuncId]) -> Option<Account> {
    let mut walk = Walk::new(kernel, frame.clone());
    let mut account = Vec::new();
    for function in calls {
        let result = walk.call(*function);
        if walk.tired() {
            return None;
        }
        account.push((result, walk.frame.mem.clone()));
        if walk.frame.mem[kernel.room.fault as usize] != 0 {
            break;
        }
    }
    Some(account)
}

/// Whether every executor does what the reference does.
fn agree(kernel: Kernel, frame: &Frame, calls: &[FuncId]) -> Option<Account> {
    let account = expected(&kernel, frame, calls)?;
    let kernel = Arc::new(kernel);
    let fault = kernel.room.fault as usize;
    // Machine code comes soon and then better: both are asked.
    let executors = executors(&kernel);
    for (name, executor) in executors.iter().chain(&executors) {
        executor.settle();
        let mut frame = frame.clone();
        for (function, (result, mem)) in calls.iter().zip(&account) {
            let found = executor.call(*function, &mut frame);
            let same = match mem[fault] {
                0 => frame.mem == *mem,
                fault_code => frame.mem[fault] == fault_code,
            };
            assert!(
                found == *result && same,
                "{name} gives {found} for {result}, function {}, at {:?}\n{}",
                function.0,
                (0..mem.len()).find(|i| mem[*i] != frame.mem[*i]),
                dump(&kernel)
            );
        }
    }
    Some(account)
}

#[test]
fn executors_agree_on_drawn_kernels() {
    let (mut run, mut gave_up, mut listed) = (0, 0, 0);
    for seed in 0..1500 {
        let (kernel, frame, calls) = draw::kernel(seed);
        let room = kernel.room;
        if let Some(account) = agree(kernel, &frame, &calls) {
            run += 1;
            let last = &account[account.len() - 1].1;
            gave_up += usize::from(last[room.fault as usize] != 0);
            listed += usize::from(last[room.moves_count as usize] != 0);
        }
    }
    assert!(run > 1200, "only {run} kernels came to their ends");
    assert!(run - gave_up > 300, "{gave_up} of {run} kernels gave up");
    assert!(listed > 100, "only {listed} kernels listed actions");
}
