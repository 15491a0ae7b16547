//! Two games side by side: nothing differs from itself, and what is said to differ does, at the end of the shortest way.

use crate::common::{engine, game_named, games};
use gambol::engine::{Engine, Position};
use gambol::tools::compare::{Comparison, Difference, Kind, Plan, compare, unexplained};

const FEW: Plan = Plan {
    positions: 150,
    games: 2,
    plies: 40,
    seed: 1,
    threads: 2,
};

#[test]
fn no_game_differs_from_itself() {
    for path in games() {
        let (a, b) = (engine(&path, ""), engine(&path, ""));
        let same = compare(&a, &b, &FEW, &unexplained);
        assert_eq!(same.difference, None, "{}", path.display());
        assert!(same.positions > 100, "{}", path.display());
    }
}

/// Small games, and all values of some of their options.
const SMALL: &[(&str, &str, &str, &[&str])] = &[
    ("emergo", "size=5 men=3", "entry", &["free", "first"]),
    ("emergo", "size=5 men=3", "shadow", &["off", "on"]),
    ("emergo", "size=5 men=2", "repetition", &["draw", "ignored"]),
    ("emergo", "size=5", "men", &["1", "2", "3", "4"]),
    (
        "epaminondas",
        "columns=3 rows=4 filled=1",
        "symmetry",
        &["banned", "free"],
    ),
    ("epaminondas", "columns=3 rows=5", "filled", &["1", "2"]),
    ("epaminondas", "filled=1", "rows", &["4", "5", "6"]),
    (
        "guerilla",
        "width=3 side=3",
        "massacre",
        &["larger", "differs"],
    ),
    (
        "guerilla",
        "width=3 side=2",
        "max_group",
        &["1", "2", "3", "5"],
    ),
    (
        "guerilla",
        "width=2 side=2",
        "turn_limit",
        &["1", "2", "3", "400"],
    ),
];

#[test]
fn every_pair_of_values_of_small_games() {
    let mut differ = 0;
    for (name, base, option, values) in SMALL {
        let engines: Vec<Engine> = values
            .iter()
            .map(|value| engine(&game_named(name), &format!("{base} {option}={value}")))
            .collect();
        let plan = Plan {
            positions: 600,
            plies: 60,
            ..FEW
        };
        for (i, a) in engines.iter().enumerate() {
            for (j, b) in engines.iter().enumerate() {
                let there = compare(a, b, &plan, &unexplained);
                let back = compare(b, a, &plan, &unexplained);
                let told = format!("{name} {base} {option}: {} and {}", values[i], values[j]);
                assert_eq!(way(&there), way(&back), "{told}");
                assert!(i != j || there.difference.is_none(), "{told}");
                if let Some(difference) = &there.difference {
                    differ += 1;
                    holds(a, b, difference, &told);
                    if there.games == 0 {
                        nothing_before(a, b, difference, &told);
                    }
                }
            }
        }
    }
    assert!(differ >= 30, "{differ}");
}

fn way(comparison: &Comparison) -> Option<&[String]> {
    comparison.difference.as_ref().map(|d| d.path.as_slice())
}

fn legal(engine: &Engine, position: &Position) -> Vec<String> {
    let actions = engine.legal_actions(position).unwrap();
    actions.into_iter().map(|a| a.text).collect()
}

/// Plays the way on both sides by its texts, and looks for the difference with no help of the comparison.
fn holds(a: &Engine, b: &Engine, difference: &Difference, told: &str) {
    let (mut x, mut y) = (a.initial(), b.initial());
    for action in &difference.path {
        assert_eq!(legal(a, &x), legal(b, &y), "{told}");
        x = a.play_text(&x, action).unwrap();
        y = b.play_text(&y, action).unwrap();
    }
    match &difference.kind {
        Kind::Boards { facts } => assert_ne!(facts[0].cells, facts[1].cells, "{told}"),
        Kind::Start => assert_ne!(a.print(&x), b.print(&y), "{told}"),
        Kind::Actions { .. } => assert_ne!(legal(a, &x), legal(b, &y), "{told}"),
        Kind::Outcomes { .. } => {
            assert_ne!(a.outcome(&x).unwrap(), b.outcome(&y).unwrap(), "{told}");
        }
        Kind::Successors { action, .. } => assert_ne!(
            a.print(&a.play_text(&x, action).unwrap()),
            b.print(&b.play_text(&y, action).unwrap()),
            "{told}"
        ),
        Kind::Failures { .. } => panic!("{told}: the rules fail"),
    }
}

/// Plays all shorter sequences on both sides: at no position may actions or outcomes differ.
fn nothing_before(a: &Engine, b: &Engine, difference: &Difference, told: &str) {
    let mut level = vec![(a.initial(), b.initial())];
    for _ in 0..difference.path.len().min(3) {
        let mut next = Vec::new();
        for (x, y) in level {
            assert_eq!(legal(a, &x), legal(b, &y), "{told}");
            assert_eq!(a.outcome(&x).unwrap(), b.outcome(&y).unwrap(), "{told}");
            for action in legal(a, &x) {
                next.push((
                    a.play_text(&x, &action).unwrap(),
                    b.play_text(&y, &action).unwrap(),
                ));
            }
        }
        level = next;
    }
}
