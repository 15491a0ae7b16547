//! Protocols as programs speak them that run games: scripts in Python talk to the program over pipes and play whole games.
#![allow(
    clippy::print_stdout,
    reason = "what was played, and what was left out, is to be seen"
)]

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

const GAMBOL: &str = env!("CARGO_BIN_EXE_gambol");

/// Whole games that are short enough under these options.
const GAMES: &[(&str, &[&str])] = &[
    ("games/emergo.game", &["size=5", "men=4"]),
    ("games/epaminondas.game", &["columns=5", "rows=6"]),
    (
        "games/guerilla.game",
        &["width=3", "side=3", "turn_limit=60"],
    ),
    ("games/intermedium.game", &["quiet_limit=10"]),
    ("games/network.game", &[]),
    ("games/network.game", &["size=6", "pie=1"]),
    ("games/classics/amazons.game", &["size=5", "split=on"]),
    ("games/classics/breakthrough.game", &[]),
    ("games/classics/chess.game", &["quiet_limit=20"]),
    ("games/classics/connect-four.game", &[]),
    ("games/classics/english-draughts.game", &["quiet_limit=20"]),
    ("games/classics/go.game", &["size=4"]),
    ("games/classics/gomoku.game", &["size=7"]),
    ("games/classics/hex.game", &["size=5"]),
    ("games/classics/lines-of-action.game", &["size=5"]),
    ("games/classics/nine-mens-morris.game", &["quiet_limit=10"]),
    ("games/classics/reversi.game", &["size=6"]),
    ("games/classics/tic-tac-toe.game", &[]),
    ("games/variants/crossings.game", &[]),
    (
        "games/variants/emergo-mindsports.game",
        &["size=5", "men=4"],
    ),
    ("games/variants/emergo-strides.game", &["size=5", "men=4"]),
    ("games/variants/epaminondas-8x8.game", &[]),
    (
        "games/variants/epaminondas-push.game",
        &["columns=5", "rows=6"],
    ),
    (
        "games/variants/guerilla-differs.game",
        &["width=3", "side=3"],
    ),
    ("games/variants/guerilla-hexagon.game", &["turn_limit=30"]),
    ("games/variants/intermedium-free.game", &["quiet_limit=10"]),
    ("games/variants/network-10.game", &[]),
    ("games/variants/network-anywhere.game", &[]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn run(python: &Path, script: &str, args: &[&str]) -> (bool, String) {
    let output = Command::new(python)
        .current_dir(root())
        .arg(root().join("tests/protocol").join(script))
        .arg(GAMBOL)
        .args(args)
        .output()
        .expect("Python starts");
    let told = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&told).into_owned(),
    )
}

/// A Python that can be run and has what a test needs, or says why the test is left out; in CI that is a fault.
fn python(needs: &str) -> Option<PathBuf> {
    let own = root().join("target/python/bin/python");
    let found = [own, PathBuf::from("python3")].into_iter().find(|python| {
        let tried = Command::new(python)
            .args(["-c", &format!("import {needs}")])
            .output();
        tried.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let why = format!("LEFT OUT: there is no Python with `{needs}`; `.ci/run` installs it");
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
            "{why}"
        );
        println!("{why}");
    }
    found
}

/// Whether more is asked than of the ordinary run.
fn slow() -> bool {
    std::env::var("GAMBOL_SLOW").is_ok_and(|v| v == "1")
}

#[test]
fn every_shipped_game_is_played_to_its_end() {
    let Some(python) = python("json") else { return };
    let mut shipped: Vec<String> = Vec::new();
    for folder in ["games", "games/classics", "games/variants"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".game") {
                shipped.push(format!("{folder}/{name}"));
            }
        }
    }
    for file in shipped {
        assert!(
            GAMES.iter().any(|(name, _)| *name == file),
            "{file} is not played"
        );
    }
    let slow = slow();
    let seeds: &[&str] = if slow { &["1", "2"] } else { &["1"] };
    let asked = (GAMES.iter()).flat_map(|game| seeds.iter().map(move |seed| (game, seed)));
    let asked: Vec<_> = asked.collect();
    let played = asked.par_iter().map(|((file, settings), seed)| {
        let mut args = vec![*file];
        args.extend(*settings);
        args.extend(["--seed", seed, "--nodes", if slow { "5" } else { "2" }]);
        let (fine, told) = run(&python, "ugi_games.py", &args);
        assert!(fine, "{file} {settings:?}: {told}");
        told
    });
    for told in played.collect::<Vec<String>>() {
        println!("{told}");
    }
}

#[test]
fn a_chess_library_finds_nothing_illegal() {
    let Some(python) = python("chess") else {
        return;
    };
    let mut args = vec!["games/classics/chess.game"];
    if !slow() {
        args.extend(["--games", "15", "--positions", "100"]);
    }
    let (fine, told) = run(&python, "uci_games.py", &args);
    assert!(fine, "{told}");
    println!("{told}");
}
