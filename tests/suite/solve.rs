//! The solver against what is known of small games, and its two ways against each other.

use crate::common::{fast, slow};
use gambol::engine::Engine;
use gambol::tools::playout::playout;
use gambol::tools::solve::{Means, Method, Solution, Value, solve};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is known, and how many positions can come up: common knowledge, or by a count that was written apart from this program.
struct Fact {
    game: &'static str,
    options: &'static str,
    value: Value,
    positions: Option<usize>,
    /// Only in slow proofs.
    slow: bool,
    source: &'static str,
}

const fn fact(
    game: &'static str,
    options: &'static str,
    value: Value,
    positions: Option<usize>,
    slow: bool,
    source: &'static str,
) -> Fact {
    Fact {
        game,
        options,
        value,
        positions,
        slow,
        source,
    }
}

const TROMP: &str = "Tromp's table of connect four on small boards";
const HEX: &str = "Nash: the first player wins hex on every board without a swap";

const FACTS: &[Fact] = &[
    fact(
        "tic-tac-toe",
        "",
        Value::Draw,
        Some(5478),
        false,
        "common knowledge",
    ),
    fact(
        "connect-four",
        "columns=4 rows=4",
        Value::Draw,
        Some(161_029),
        false,
        TROMP,
    ),
    fact(
        "connect-four",
        "columns=5 rows=4",
        Value::Draw,
        Some(3_945_711),
        true,
        TROMP,
    ),
    fact(
        "connect-four",
        "columns=4 rows=5",
        Value::Draw,
        Some(1_706_255),
        true,
        TROMP,
    ),
    fact(
        "connect-four",
        "columns=6 rows=4",
        Value::Loss,
        None,
        true,
        TROMP,
    ),
    fact(
        "connect-four",
        "columns=4 rows=6",
        Value::Draw,
        None,
        true,
        TROMP,
    ),
    fact(
        "connect-four",
        "columns=5 rows=5",
        Value::Draw,
        None,
        true,
        TROMP,
    ),
    fact("hex", "size=2", Value::Win, None, false, HEX),
    fact("hex", "size=3", Value::Win, None, false, HEX),
    fact("hex", "size=4", Value::Win, None, true, HEX),
];

fn solved(engine: &Engine, method: Method, seconds: u64) -> Solution {
    let means = Means {
        method,
        memory: 2 << 30,
        time: Duration::from_secs(seconds),
    };
    let stop = AtomicBool::new(false);
    solve(engine, &engine.initial(), means, &stop, &mut |_| ()).unwrap()
}

#[test]
fn known_values_are_found() {
    for fact in FACTS.iter().filter(|f| slow() || !f.slow) {
        let Fact {
            game,
            options,
            source,
            ..
        } = fact;
        let engine = fast(game, options);
        let found = solved(&engine, Method::Auto, 1800);
        assert_eq!(
            found.bounds.known(),
            Some(fact.value),
            "{game} {options}: {source}"
        );
        if let Some(positions) = fact.positions {
            assert_eq!(
                found.positions,
                Some(positions),
                "{game} {options}: {source}"
            );
        }
        // The line of best play is legal and ends as it should.
        let mut position = engine.initial();
        for action in &found.line {
            position = engine.play_text(&position, action).unwrap();
        }
        assert!(
            engine.outcome(&position).unwrap().is_some(),
            "{game} {options}"
        );
    }
}

#[test]
fn both_ways_of_solving_agree() {
    let small = [
        ("tic-tac-toe", ""),
        ("connect-four", "columns=4 rows=4 need=3"),
        ("connect-four", "columns=4 rows=5 need=3"),
        ("hex", "size=3"),
        ("breakthrough", "columns=3 rows=5 filled=1"),
        ("reversi", "size=4"),
        ("network", "size=4 stones=3 need=3"),
    ];
    for (name, options) in small {
        let engine = fast(name, options);
        let all = solved(&engine, Method::Complete, 120);
        let search = solved(&engine, Method::Search, 120);
        assert!(all.bounds.known().is_some(), "{name} {options}: {all:?}");
        if search.bounds.known().is_some() {
            assert_eq!(all.bounds, search.bounds, "{name} {options}");
        }
    }
}

#[test]
fn what_a_search_is_sure_of_is_so() {
    // Small games on the way, from positions of random play: the two ways say nothing against each other.
    for (name, options) in [
        ("emergo", "size=3 men=1"),
        ("epaminondas", "columns=3 rows=4 filled=1"),
        ("breakthrough", "columns=3 rows=5 filled=1"),
    ] {
        let engine = fast(name, options);
        for seed in 0..8 {
            let start = playout(&engine, engine.initial(), seed, 4).unwrap().last;
            let start = engine.parse(&engine.print(&start)).unwrap();
            let stop = AtomicBool::new(false);
            let look = |method| {
                let means = Means {
                    method,
                    memory: 256 << 20,
                    time: Duration::from_millis(if method == Method::Search {
                        300
                    } else {
                        60_000
                    }),
                };
                solve(&engine, &start, means, &stop, &mut |_| ())
                    .unwrap()
                    .bounds
            };
            let (all, search) = (look(Method::Complete), look(Method::Search));
            if all.known().is_some() {
                assert_eq!(all.and(search), all, "{name} {options} {seed}");
            }
        }
    }
}
