//! One test binary: a module for each thing that is held true, checking code once, cases in files.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

mod agree;
mod agreement;
mod apart;
mod architecture;
mod axes;
mod behind_turns;
mod bordering;
mod certain;
mod common;
mod deep;
mod desk;
mod diff;
mod ends;
mod engines;
mod examples;
mod families;
mod few;
mod fronts;
mod games_page;
mod kernels;
mod layout;
mod lines;
mod manual;
mod mingled;
mod named;
mod neighbours;
mod observed;
mod opening;
mod outgrown;
mod overlap;
mod paces;
mod perft;
mod phrasings;
mod pictures;
mod pitfalls;
mod presumed;
mod properties;
mod putting;
mod regardless;
mod runs;
mod same_texts;
mod screens;
mod search;
mod snapshots;
mod solve;
mod stages;
mod statistics;
mod summed;
mod surely;
mod surpassed;
mod tall;
mod two_ways;
mod wild;
mod worded;

/// Kernels and their code are made and thrown away all the time, on all threads: with it nobody waits for memory.
#[cfg(feature = "native")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
