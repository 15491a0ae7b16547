//! Speeds of the generators written by hand: for each game sequences counted and random games played in a second, the median of
//! five rounds.
#![allow(clippy::print_stdout)]

#[path = "native/mod.rs"]
mod native;

use native::{Played, emergo, guerilla, network};
use std::time::{Duration, Instant};

/// A game: its name, its two functions, and the length of the sequences that are counted.
type Row = (
    &'static str,
    fn(u32) -> u64,
    fn(u64, u64, u32) -> Played,
    u32,
);

const GAMES: [Row; 3] = [
    ("emergo", emergo::perft, emergo::playouts, 5),
    ("guerilla", guerilla::perft, guerilla::playouts, 4),
    ("network", network::perft, network::playouts, 5),
];
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(300);
const MAX_PLIES: u32 = 100_000;

fn main() {
    // Only the names that are asked for, or all.
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    println!(
        "game            sequences/s   playouts/s   actions/s  actions/game  wins, draws, cut of 100"
    );
    for (name, perft, playouts, depth) in GAMES {
        if !asked.is_empty() && !asked.iter().any(|a| a == name) {
            continue;
        }
        let counted = median(|| (perft(depth), 0)).0;
        let mut seed = 0;
        let mut all = Played::default();
        let mut number = 0;
        let (games, actions) = median(|| {
            seed += 1;
            let batch = 20;
            let played = playouts(seed, batch, MAX_PLIES);
            all.plies += played.plies;
            all.wins[0] += played.wins[0];
            all.wins[1] += played.wins[1];
            all.draws += played.draws;
            all.cut += played.cut;
            number += batch;
            (batch, played.plies)
        });
        let share = |n: u64| 100.0 * n as f64 / number as f64;
        println!(
            "{name:14} {counted:12.0} {games:12.0} {actions:11.0} {:13.1}  {:.1} {:.1}, {:.1}, {:.1}",
            all.plies as f64 / number as f64,
            share(all.wins[0]),
            share(all.wins[1]),
            share(all.draws),
            share(all.cut),
        );
    }
}

/// Does the work again and again, and gives the medians of both numbers a second.
fn median(mut work: impl FnMut() -> (u64, u64)) -> (f64, f64) {
    let mut rates = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut done = (0, 0);
        while start.elapsed() < ROUND {
            let (first, second) = work();
            done = (done.0 + first, done.1 + second);
        }
        let seconds = start.elapsed().as_secs_f64();
        rates[0].push(done.0 as f64 / seconds);
        rates[1].push(done.1 as f64 / seconds);
    }
    for rate in &mut rates {
        rate.sort_by(f64::total_cmp);
    }
    (rates[0][ROUNDS / 2], rates[1][ROUNDS / 2])
}
