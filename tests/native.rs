//! The generators written by hand against the counts of the rulings and against the interpreter.
#![allow(clippy::unwrap_used)]

#[path = "../benches/native/mod.rs"]
mod native;

use gambol::engine::{Engine, OutcomeResult};
use gambol::tools::playout::playout;
use native::{Played, emergo, guerilla, network};
use std::fs;

fn root() -> std::path::PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// The counts of the default options.
fn counts(game: &str) -> Vec<u64> {
    let file = root().join(format!("tests/perft/{game}.perft"));
    fs::read_to_string(file)
        .unwrap()
        .lines()
        .find_map(|line| line.strip_prefix(':'))
        .unwrap()
        .split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect()
}

fn engine(game: &str) -> Engine {
    let path = [
        format!("games/{game}.game"),
        format!("games/classics/{game}.game"),
    ]
    .into_iter()
    .find(|p| root().join(p).exists())
    .unwrap();
    let source = gambol::cli::read_source(root().join(path).to_str().unwrap()).unwrap();
    let compiled = gambol::compile(&source, &[]);
    Engine::new(compiled.program.unwrap()).unwrap()
}

/// The counts of the ruling up to a length.
fn same_counts(game: &str, perft: fn(u32) -> u64, depth: u32) {
    let want = counts(game);
    for (length, want) in (1..=depth).zip(&want) {
        assert_eq!(perft(length), *want, "{game}, length {length}");
    }
    assert!(want.len() >= 3, "{game}: too few counts");
}

/// Length and results of random games, here and there, within five times what chance makes of so few games.
fn same_games(game: &str, playouts: fn(u64, u64, u32) -> Played, games: u32, ours: u64) {
    const MAX_PLIES: u32 = 20_000;
    let engine = engine(game);
    let mut lengths = Vec::new();
    let mut shares = [0.0; 3];
    let one = 1.0 / f64::from(games);
    for seed in 0..u64::from(games) {
        let played = playout(&engine, engine.initial(), seed, MAX_PLIES as usize).unwrap();
        lengths.push(played.plies as f64);
        match played.outcome.unwrap().result {
            OutcomeResult::Win(player)
            | OutcomeResult::Scores {
                winner: Some(player),
                ..
            } => shares[usize::from(player.0)] += one,
            OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. } => shares[2] += one,
            OutcomeResult::Lose(player) => panic!("{game}: player {player:?} alone lost"),
        }
    }
    let mean = lengths.iter().sum::<f64>() * one;
    let variance = lengths.iter().map(|l| (l - mean).powi(2)).sum::<f64>() * one;
    let played = playouts(7, ours, MAX_PLIES);
    let all = ours as f64;
    let number = 1.0 / (one + 1.0 / all);
    let length = played.plies as f64 / all;
    assert_eq!(played.cut, 0, "{game}");
    assert!(
        (length - mean).abs() < 5.0 * (variance / number).sqrt(),
        "{game}: {length} plies instead of {mean}"
    );
    let found = [played.wins[0], played.wins[1], played.draws].map(|n| n as f64 / all);
    for (found, want) in found.iter().zip(shares) {
        let chance = (found * (1.0 - found) / number).sqrt();
        assert!(
            (found - want).abs() < 5.0 * chance + 1e-9,
            "{game}: shares {found} instead of {want}"
        );
    }
}

#[test]
fn emergo_counts_and_plays_as_the_rules_say() {
    same_counts("emergo", emergo::perft, 4);
    same_games("emergo", emergo::playouts, 300, 20_000);
}

#[test]
fn guerilla_counts_and_plays_as_the_rules_say() {
    same_counts("guerilla", guerilla::perft, 3);
    same_games("guerilla", guerilla::playouts, 40, 1_000);
}

#[test]
fn network_counts_and_plays_as_the_rules_say() {
    same_counts("network", network::perft, 4);
    same_games("network", network::playouts, 300, 20_000);
}
