//! Bytes draw a game, by the maker of games of the test suite; all engines play it, and must not differ.
//! Run with `GAMBOL_CHECKED=1`, so that generated code compares every index.
#![no_main]

#[path = "../../tests/suite/agree.rs"]
mod agree;
#[path = "../../tests/suite/wild/mod.rs"]
mod wild;

use libfuzzer_sys::fuzz_target;
use wild::Fate;

/// So many random actions are played.
const PLIES: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let text = wild::text_of_bytes(bytes);
    // The actions are drawn by a seed, which is no part of the bytes: a shorter text shall play alike.
    if let Fate::Differs(what) = wild::fate(&text, 1, PLIES) {
        let (short, now) = wild::shortest(&text, 1, PLIES);
        panic!("{text}\n{what}\n\nas short as can be:\n{short}\n{now}");
    }
});
