//! A fixed piece of work, for a program that counts the instructions of this one: `.ci/instructions` runs it under valgrind.
//! The words are a game, who works (`portable`, `native`, `hand`), and what is done more than once: `nothing`, `count` or
//! `play`. Prints the depth, the sequences, how often they are counted, the games and their actions; for `list` instead of a
//! game the names of all games and of those who can work.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "cases/mod.rs"]
mod cases;
#[path = "native/mod.rs"]
mod native;

use cases::{Case, Way, Worker};

/// How many sequences are counted, at most; and so often that there are about as many.
const SEQUENCES: u64 = 15_000;
/// So many actions of random games are enough; by hand, where they cost little and are others, more.
const ACTIONS: u64 = 1000;
const ACTIONS_BY_HAND: u64 = 50_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let cases = Case::all();
    match words.as_slice() {
        ["list", ..] => {
            for case in &cases {
                println!("{} {}", case.game, word(case.way));
            }
        }
        [game, way, more] => {
            let chosen = |case: &&Case| case.game == *game && word(case.way) == *way;
            let case = cases.iter().find(chosen).unwrap();
            case.with(|worker| work(worker, more));
        }
        // Run with every other bench.
        _ => {}
    }
}

fn word(way: Way) -> &'static str {
    if way == Way::ByHand {
        "hand"
    } else {
        way.name()
    }
}

fn work(worker: &mut Worker<'_>, more: &str) {
    let (depth, sequences) = worker.depth(SEQUENCES);
    let often = (SEQUENCES / sequences).max(1);
    let (mut games, mut actions) = (0, 0);
    let enough = match worker {
        Worker::Engine(..) => ACTIONS,
        Worker::ByHand(_) => ACTIONS_BY_HAND,
    };
    while actions < enough {
        games += 1;
        actions += worker.play(games, 1);
    }
    match more {
        "count" => assert!((0..often).all(|_| worker.count(depth) == sequences)),
        "play" => {
            let again: u64 = (1..=games).map(|seed| worker.play(seed, 1)).sum();
            assert_eq!(again, actions);
        }
        _ => {}
    }
    println!("{depth} {sequences} {often} {games} {actions}");
}
