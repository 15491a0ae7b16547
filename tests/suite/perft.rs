//! Counts of action sequences against `tests/perft/*.perft`. Every number there has a source; none is ever made by this program.

use crate::common::{engine, game_named, root, slow};
use gambol::tools::perft;

/// Counts above this are checked only by slow proofs.
const ORDINARY: u64 = 600_000;
/// Counts above this are not checked at all: hours of work for the plain engine.
const SLOW: u64 = 30_000_000;

#[test]
fn counts_are_those_of_the_rulings() {
    let limit = if slow() { SLOW } else { ORDINARY };
    let mut checked = 0;
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(root().join("tests/perft")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for line in std::fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|l| !l.starts_with('#') && l.contains(':'))
        {
            let (options, counts) = line.split_once(':').unwrap();
            let turns = options.trim() == "turns";
            let want: Vec<u64> = counts
                .split_whitespace()
                .map(|c| c.parse().unwrap())
                .collect();
            let want: Vec<u64> = want.iter().copied().take_while(|c| *c <= limit).collect();
            let engine = engine(&game_named(&name), if turns { "" } else { options });
            let got = perft::counts(&engine, &engine.initial(), want.len(), turns).unwrap();
            if got != want {
                wrong.push(format!(
                    "{name} {options}: expected {want:?}, found {got:?}"
                ));
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 60, "only {checked} lines were checked");
}
