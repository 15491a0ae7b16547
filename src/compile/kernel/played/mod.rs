//! A random game that draws apart made good, when all that an action does stands in it: a game in, the same game out. Before: an action
//! is played as if somebody else took it back where it is refused, asked the way to it, and looked at all that it has found out. After:
//!
//! - where it is known whether it was played, that is not asked (`threaded`)
//! - what is taken back is stored again, and need not be noted (`restored`)
//! - of the way to it only that is stored which somebody reads (`unread`)
//! - sets of several words are changed in memory where few of their cells change (`patched`)
//! - what only one way looks at is found out there (`sunk`)
//!
//! Conditions: each says its own.

mod patched;
mod restored;
mod sunk;
mod threaded;
mod unread;

use crate::compile::kernel::tidy::{self, Exact};
use crate::program::kernel::{FuncId, Kernel};

/// Makes a game good, but for what can be done better when nothing more will be known of it.
pub fn finish(kernel: &mut Kernel, game: FuncId) {
    let room = kernel.room;
    let whole = &mut kernel.functions[game.0 as usize];
    tidy::with(whole, &room, Exact::Places);
    threaded::thread(whole, &room);
    restored::restore(whole, &room);
    tidy::with(whole, &room, Exact::Places);
    unread::forget(kernel, game);
    let whole = &mut kernel.functions[game.0 as usize];
    patched::patch(whole, &room, &kernel.sets);
    tidy::with(whole, &room, Exact::Places);
}

/// What is left to do when nothing more will be known: what only one way looks at is found out there.
pub fn settle(kernel: &mut Kernel, game: FuncId) {
    sunk::sink(&mut kernel.functions[game.0 as usize], &kernel.room);
}
