//! The speed of the generators written by hand: for every game sequences counted and random games played a second, the
//! median of five rounds. Run with `cargo bench --bench native`; words on the command line choose games.
#![allow(clippy::print_stdout)]

#[path = "native/mod.rs"]
mod native;

use native::{Played, breakthrough, emergo, epaminondas, guerilla, intermedium, network, reversi};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A game: its name, its two functions, and the depth of its count.
type Row = (
    &'static str,
    fn(u32) -> u64,
    fn(u64, u64, u32) -> Played,
    u32,
);

const GAMES: &[Row] = &[
    (
        "breakthrough",
        breakthrough::perft,
        breakthrough::playouts,
        5,
    ),
    ("emergo", emergo::perft, emergo::playouts, 5),
    ("epaminondas", epaminondas::perft, epaminondas::playouts, 3),
    ("guerilla", guerilla::perft, guerilla::playouts, 4),
    ("intermedium", intermedium::perft, intermedium::playouts, 9),
    ("network", network::perft, network::playouts, 5),
    ("reversi", reversi::perft, reversi::playouts, 8),
];
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(300);
const MAX_PLIES: u32 = 20_000;

/// What `work` does a second, by the median round; `work` is given the number of its call.
fn speed(mut work: impl FnMut(u64) -> u64) -> f64 {
    black_box(work(0));
    let mut calls = 0;
    let mut speeds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let (start, mut done) = (Instant::now(), 0);
            while start.elapsed() < ROUND {
                calls += 1;
                done += black_box(work(calls));
            }
            done as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    speeds[ROUNDS / 2]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = words.iter().filter(|w| !w.starts_with('-')).collect();
    println!(
        "{:14} {:>6} {:>14} {:>12} {:>10}",
        "game", "depth", "sequences/s", "games/s", "actions"
    );
    for (name, perft, playouts, depth) in GAMES {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let sequences = speed(|_| perft(black_box(*depth)));
        let games = speed(|seed| {
            black_box(playouts(seed, 100, MAX_PLIES));
            100
        });
        let sample = playouts(1, 1000, MAX_PLIES);
        println!(
            "{name:14} {depth:>6} {:>12.1} M {games:>12.0} {:>10.1}",
            sequences / 1e6,
            sample.plies as f64 / 1e3
        );
    }
}
