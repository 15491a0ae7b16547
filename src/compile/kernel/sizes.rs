//! What functions come to: how many statements, whether they loop, whom they call. Reads functions, changes nothing.

use crate::program::kernel::{Body, FuncId, Stmt, each_statement};

/// What a function comes to.
pub struct Size {
    /// How many statements.
    pub statements: usize,
    /// Whether some loop may take long.
    pub loops: bool,
    /// Whom it calls, as often as it does.
    pub calls: Vec<FuncId>,
}

impl Size {
    /// Of the statements of a function.
    pub fn of(body: &Body) -> Size {
        let mut size = Size {
            statements: 0,
            loops: false,
            calls: Vec::new(),
        };
        each_statement(body, &mut |stmt| {
            size.statements += 1;
            size.loops |= matches!(stmt, Stmt::ForCells(..) | Stmt::Loop(..));
            if let Stmt::Call(id, ..) = stmt {
                size.calls.push(*id);
            }
        });
        size
    }
}

/// How often each of some functions is called.
pub fn callers(sizes: &[Size]) -> Vec<usize> {
    let mut callers = vec![0; sizes.len()];
    for id in sizes.iter().flat_map(|size| &size.calls) {
        callers[id.0 as usize] += 1;
    }
    callers
}
