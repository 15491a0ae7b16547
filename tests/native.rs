//! The generators written by hand against counts that are known, and against the interpreter.
#![allow(clippy::unwrap_used)]

#[path = "../benches/native/mod.rs"]
mod native;

use gambol::base::Source;
use gambol::engine::{Engine, Outcome, OutcomeResult};
use gambol::tools::playout::playout;
use native::Played;
use std::path::PathBuf;

const MAX_PLIES: u32 = 5000;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The counts of a game under some options, longest line of them.
fn counts(game: &str, options: &str) -> Vec<u64> {
    let path = root().join("tests/perft").join(format!("{game}.perft"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.filter_map(|line| line.split_once(':'));
    let numbers = |row: &str| -> Vec<u64> {
        let words = row.split_whitespace();
        words.map(|word| word.parse().unwrap()).collect()
    };
    rows.filter(|(set, _)| set.trim() == options)
        .map(|(_, row)| numbers(row))
        .max_by_key(Vec::len)
        .unwrap_or_else(|| panic!("no counts of {game} with {options:?}"))
}

/// Holds the counts up to a size against those of a generator.
fn same_counts(game: &str, options: &str, most: u64, perft: impl Fn(u32) -> u64) {
    let mut want = counts(game, options);
    want.retain(|count| *count <= most);
    let got: Vec<u64> = (1..).take(want.len()).map(perft).collect();
    assert_eq!(got, want, "{game} {options}");
    assert!(want.len() >= 3, "{game}: too few counts");
}

/// The mean and the spread of the mean.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Holds random games against the interpreter's: length, both players' shares, and the first one's of games of odd length
/// (where actions alternate, this tells who is called the winner), within four times the chance error.
fn same_games(file: &str, games: u64, playouts: fn(u64, u64, u32) -> Played) {
    let path = root().join("games").join(file);
    let source = Source::new(file, std::fs::read_to_string(path).unwrap());
    let engine = Engine::new(gambol::compile(&source, &[]).program.unwrap()).unwrap();
    let (mut plies, mut wins) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut odd = Vec::new();
    for seed in 0..games {
        let game = playout(&engine, engine.initial(), seed, MAX_PLIES as usize).unwrap();
        plies.push(game.plies as f64);
        let winners = game.outcome.map_or(0, |outcome| winners(&outcome));
        odd.push((game.plies % 2 * usize::from(winners & 1)) as f64);
        for (side, wins) in wins.iter_mut().enumerate() {
            wins.push(f64::from(winners >> side & 1));
        }
    }
    let native: Vec<Played> = (0..20 * games)
        .map(|seed| playouts(seed, 1, MAX_PLIES))
        .collect();
    let close = |what: &str, ours: &[f64], theirs: Vec<f64>| {
        let ((a, da), (b, db)) = (mean(ours), mean(&theirs));
        // A share that is nearly 0 or 1 has no spread that says anything.
        let noise = 4.0 * da.hypot(db)
            + if what == "length" {
                0.0
            } else {
                2.0 / games as f64
            };
        assert!(
            (a - b).abs() <= noise,
            "{file}, {what}: {a} and {b}, noise {noise}"
        );
    };
    close(
        "length",
        &plies,
        native.iter().map(|p| p.plies as f64).collect(),
    );
    for (side, wins) in wins.iter().enumerate() {
        close(
            "wins",
            wins,
            native.iter().map(|p| p.wins[side] as f64).collect(),
        );
    }
    let odd_wins = |p: &Played| (p.plies % 2 * p.wins[0]) as f64;
    close("odd wins", &odd, native.iter().map(odd_wins).collect());
    for one in native {
        assert_eq!(one.wins[0] + one.wins[1] + one.draws + one.cut, 1);
    }
}

/// The winners, one bit for each player.
fn winners(outcome: &Outcome) -> u8 {
    match &outcome.result {
        OutcomeResult::Win(player) => 1 << player.0,
        OutcomeResult::Lose(player) => 3 ^ (1 << player.0),
        OutcomeResult::Draw => 0,
        OutcomeResult::Scores { winner, .. } => winner.map_or(0, |player| 1 << player.0),
    }
}

#[test]
fn breakthrough() {
    same_counts("breakthrough", "", 200_000_000, native::breakthrough::perft);
    let file = "classics/breakthrough.game";
    same_games(file, 400, native::breakthrough::playouts);
}

#[test]
fn reversi() {
    same_counts("reversi", "", 10_000_000, native::reversi::perft);
    same_games("classics/reversi.game", 3000, native::reversi::playouts);
}

#[test]
fn epaminondas() {
    same_counts("epaminondas", "", 10_000_000, native::epaminondas::perft);
    // Small boards, where the ban on mirror images counts.
    for (columns, rows, filled) in [(8, 8, 2), (6, 6, 1), (4, 4, 1), (5, 4, 1), (3, 5, 1)] {
        let options = match filled {
            2 => format!("columns={columns} rows={rows}"),
            _ => format!("columns={columns} rows={rows} filled={filled}"),
        };
        same_counts("epaminondas", &options, 10_000_000, |depth| {
            native::epaminondas::perft_on((columns, rows, filled), depth)
        });
    }
    same_games("epaminondas.game", 60, native::epaminondas::playouts);
}

#[test]
fn intermedium() {
    same_counts("intermedium", "", 10_000_000, native::intermedium::perft);
    same_games("intermedium.game", 200, native::intermedium::playouts);
}

#[test]
fn emergo() {
    same_counts("emergo", "", 10_000_000, native::emergo::perft);
    same_games("emergo.game", 300, native::emergo::playouts);
}

#[test]
fn guerilla() {
    same_counts("guerilla", "", 10_000_000, native::guerilla::perft);
    same_games("guerilla.game", 40, native::guerilla::playouts);
}

#[test]
fn network() {
    same_counts("network", "", 10_000_000, native::network::perft);
    same_games("network.game", 400, native::network::playouts);
}
