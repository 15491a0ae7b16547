//! Counting behind any way to end a turn: functions that count what the next player can do as it is, in; the same where it is not known
//! what stands on some cells, out. Before: the functions for which that is to be are called, and say that it is not known. After:
//! they count, or say so where it matters what stands there. Conditions: what else may differ from turn to turn is not read.

use crate::compile::kernel::regardless::bounds::{Bounds, Doubts};
use crate::compile::kernel::regardless::variables::Variables;
use crate::compile::kernel::tidy;
use crate::program::kernel::{Body, FuncId, Function, Kernel, S, Stmt, W, Word, each_statement};

/// Functions that are still to be made.
pub struct Later {
    /// Where the set of the cells in doubt stands.
    doubt: u32,
    all: Vec<One>,
}

/// One of them.
struct One {
    /// What is called.
    id: FuncId,
    /// What counts as it is.
    model: Function,
    /// The places that may have changed: sets on the cells in doubt, words in any way.
    changed: Variables,
}

impl Later {
    /// None yet; told where the cells in doubt stand.
    pub fn new(doubt: u32) -> Later {
        Later {
            doubt,
            all: Vec::new(),
        }
    }

    /// Adds a function, which counts what another does; told the first words of the sets that are in doubt on those cells, and which
    /// words may be anything.
    pub fn add(&mut self, id: FuncId, model: Function, (sets, words): (Vec<u32>, Vec<u32>)) {
        // Nothing stands for them.
        let changed = Variables {
            words: words.into_iter().map(|at| (at, W(0))).collect(),
            sets: sets.into_iter().map(|at| (at, S(0))).collect(),
        };
        self.all.push(One { id, model, changed });
    }

    /// What is called and not made yet.
    pub fn ids(&self) -> impl Iterator<Item = FuncId> {
        self.all.iter().map(|one| one.id)
    }

    /// Makes them.
    pub fn make(self, kernel: &mut Kernel) {
        let room = kernel.room;
        for One { id, model, changed } in self.all {
            let doubts = Doubts::Cells(self.doubt);
            let mut bounds = Bounds::new(&kernel.functions, &room, &changed, doubts);
            let name = kernel.functions[id.0 as usize].name.clone();
            let Some(mut function) = bounds.function(&model, &name) else {
                continue;
            };
            tidy::one(&mut function, &room);
            if !reads_any(&function.body, &changed) {
                kernel.functions[id.0 as usize] = function;
            }
        }
    }
}

/// Whether one of some words is read.
fn reads_any(body: &Body, of: &Variables) -> bool {
    let mut reads = false;
    each_statement(body, &mut |stmt| {
        if let Stmt::Let(_, Word::Load(place)) = stmt {
            reads |= of.words.contains_key(&place.base);
        }
    });
    reads
}
