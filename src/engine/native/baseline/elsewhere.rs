//! In place of the baseline where there is none, for other machines than x86-64 and other calls than those of Unix: says that it does
//! not suit them.

use crate::engine::native::translate::Translated;
use cranelift_codegen::ir::Function;

/// Whether this machine runs what is made here.
pub(super) fn suits() -> bool {
    false
}

/// Never makes anything.
pub(super) fn translate(_: &mut Function) -> Result<Translated, String> {
    Err("another machine than the baseline is for".to_owned())
}
