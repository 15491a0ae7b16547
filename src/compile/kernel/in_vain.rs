//! What mostly saves work is tried, unless it was tried in vain one time after the other; then not for a while.

use crate::compile::kernel::fun::{Fun, NO, V, YES};
use crate::program::kernel::{Bin, Stmt};

/// After so many times in vain it is not tried for so many others.
const VAIN: u64 = 8;
const PAUSE: u64 = 1 << 10;

/// Writes what is tried, whose result is 1 when that was in vain. The word at `count` is for how often it was.
pub fn unless_in_vain(f: &mut Fun, count: u32, tried: impl FnOnce(&mut Fun) -> V) {
    let before = f.load(count, NO);
    let more = f.bin(Bin::Add, before, YES);
    let hopeful = f.bin(Bin::Less, before, V::K(VAIN));
    f.open();
    let nothing = tried(f);
    let now = f.select(nothing, more, NO);
    f.store(count, NO, now);
    let tried = f.close();
    f.open();
    let still = f.bin(Bin::Less, before, V::K(PAUSE));
    let now = f.select(still, more, NO);
    f.store(count, NO, now);
    let paused = f.close();
    match hopeful {
        V::R(hopeful) => f.push(Stmt::If(hopeful, tried, paused)),
        V::K(_) => tried.into_iter().for_each(|stmt| f.push(stmt)),
    }
}
