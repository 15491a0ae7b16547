//! Uses of an engine: counting, random games, transcripts, drawings, records and the smoke test; and the manual of
//! diagnostics. In: an engine and positions. Out: numbers, texts and diagnostics as data. Nothing here reads, writes or
//! knows a terminal.

pub mod bench;
pub mod clauses;
pub mod compare;
pub mod coverage;
pub mod draw;
pub mod examples;
pub mod manual;
pub mod mutate;
pub mod perft;
pub mod phrase;
pub mod picture;
pub mod plan;
pub mod playout;
pub mod protocol;
pub mod record;
pub mod record_text;
pub mod replay;
pub mod rng;
pub mod search;
pub mod sections;
pub mod session;
pub mod simulate;
pub mod smoke;
pub mod snapshot;
pub mod solve;
#[cfg(test)]
mod testing;
pub mod trace;
pub mod transcript;
pub mod why;
pub mod worth;
