//! Random games of the classics against published means: length, and the score of the player who begins, within three
//! standard errors. The figures are from other programs, see the column of their sources in `docs/games.md`.

use crate::common::{engine, game_named, slow};
use gambol::engine::{Engine, OutcomeResult};
use gambol::tools::playout::playout;

/// Game, options, games to play in the ordinary run, mean length, mean score in per cent of the player who begins.
const PUBLISHED: &[(&str, &str, u32, f64, Option<f64>)] = &[
    ("tic-tac-toe", "", 4000, 7.63, Some(64.84)),
    ("connect-four", "", 1500, 21.31, Some(55.72)),
    ("gomoku", "", 60, 112.6, Some(50.97)),
    ("gomoku", "overline=wins", 60, 109.0, None),
    ("breakthrough", "", 300, 64.10, Some(50.92)),
    ("reversi", "", 200, 60.41, Some(47.51)),
    ("amazons", "", 20, 71.46, Some(50.02)),
    ("hex", "", 60, 107.52, Some(52.27)),
];

/// Length and score of one random game.
fn game(engine: &Engine, seed: u64) -> (f64, f64) {
    let game = playout(engine, engine.initial(), seed, 3000).unwrap();
    let plies = f64::from(u32::try_from(game.plies).unwrap());
    let score = match game.outcome.map(|o| o.result) {
        Some(
            OutcomeResult::Win(p)
            | OutcomeResult::Scores {
                winner: Some(p), ..
            },
        ) => f64::from(u8::from(p.0 == 0)) * 100.0,
        Some(OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. }) | None => 50.0,
        Some(OutcomeResult::Lose(_)) => 0.0,
    };
    (plies, score)
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = f64::from(u32::try_from(values.len()).unwrap());
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn random_games_are_like_published_ones() {
    let mut wrong = Vec::new();
    for (name, options, games, length, score) in PUBLISHED {
        let engine = engine(&game_named(name), options);
        let games = if slow() { games * 20 } else { *games };
        let played: Vec<(f64, f64)> = (0..games)
            .map(|seed| game(&engine, u64::from(seed)))
            .collect();
        let (lengths, scores): (Vec<f64>, Vec<f64>) = played.into_iter().unzip();
        for (what, values, want) in [
            ("length", lengths, Some(length)),
            ("score", scores, score.as_ref()),
        ] {
            let Some(want) = want else { continue };
            let (mean, error) = mean_and_error(&values);
            // The published means are rounded, and have errors of their own.
            if (mean - want).abs() > 3.0 * error + 0.05 {
                wrong.push(format!(
                    "{name} {options}: {what} {mean:.2} ± {error:.2}, published {want}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
