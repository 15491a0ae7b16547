//! In place of the baseline where there is none, for other machines than x86-64 and other calls than those of Unix: says that it does
//! not suit them.

use crate::engine::native::ir::Func;
use crate::engine::native::translate::Translated;

/// Whether this machine runs what is made here.
pub(super) fn suits() -> bool {
    false
}

/// There is none here.
pub(super) fn trampoline() -> Option<Translated> {
    None
}

/// Never makes anything.
pub(super) fn translate(_: &Func) -> Result<Translated, String> {
    Err("another machine than the baseline is for".to_owned())
}
