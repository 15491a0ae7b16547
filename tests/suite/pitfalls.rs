//! Small games that a fast engine once counted wrongly, or nearly did, each by a condition that a pass did not look at: values that are not
//! known yet, proofs that outlived what they were about, runs on rings, ways that are told apart by their numbers, runs whose pieces
//! were changed, stacks that were put down twice, reads that hide in subprograms. Every engine lists, counts and plays as the plain
//! one does, soon and after its better code has come.

use crate::agree::rivals;
use crate::common::{root, source};
use crate::engines::hold;
use gambol::EngineKind;
use gambol::engine::{Engine, Runner};
use gambol::tools::rng::Rng;
use std::path::PathBuf;

/// No more sequences are counted, about.
const MOST: u64 = 60_000;

fn texts(engine: &Engine) -> Vec<String> {
    let listed = engine.legal_actions(&engine.initial()).unwrap();
    listed.into_iter().map(|a| a.text).collect()
}

#[test]
fn engines_agree_where_they_once_did_not() {
    let mut games = 0;
    for file in games_in("tests/suite/pitfalls") {
        let name = file.display();
        match hold(&name.to_string(), &source(&file), "", 40) {
            Ok(line) if line.contains("gave up 0 times") => {}
            Ok(what) | Err(what) => panic!("{what}"),
        }
        let compiled = gambol::compile(&source(&file), &[]);
        let program = (compiled.program).unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
        let plain = Engine::new(program.clone()).unwrap();
        let (start, listed) = (plain.initial(), texts(&plain));
        let mut counts: Vec<u64> = Vec::new();
        while counts.len() < 6
            && counts
                .last()
                .is_none_or(|last| last * counts[0] <= MOST && *last > 0)
        {
            match Runner::new(&plain).count(&start, counts.len() + 1) {
                Ok(count) => counts.push(count),
                // Further on two actions are written alike.
                Err(_) if !counts.is_empty() => break,
                Err(error) => panic!("{name}: {error}"),
            }
        }
        for rival in rivals(&program, false).unwrap() {
            let engine = &rival.engine;
            for when in ["soon", "later"] {
                assert_eq!(texts(engine), listed, "{name}, {}, {when}", rival.name);
                for (at, count) in counts.iter().enumerate() {
                    let counted = Runner::new(engine).count(&start, at + 1).unwrap();
                    let (deep, of) = (at + 1, rival.name);
                    assert_eq!(counted, *count, "{name}, {of}, {when}, {deep} deep");
                }
                engine.settle();
            }
        }
        games += 1;
    }
    assert!(games > 90, "only {games} games");
}

/// Games that no kernel can play to their end: what is given up is done by the plain engine, from where it was.
#[test]
fn what_is_given_up_is_done_plainly() {
    let mut games = 0;
    for file in games_in("tests/suite/pitfalls/giving_up") {
        let name = file.display();
        let compiled = gambol::compile(&source(&file), &[]);
        let program = (compiled.program).unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
        let plain = Engine::new(program.clone()).unwrap();
        let told = told(&plain);
        for kind in [EngineKind::Portable, EngineKind::Native, EngineKind::Auto] {
            let Ok((engine, _)) = gambol::engine(program.clone(), kind) else {
                continue;
            };
            for when in ["soon", "later"] {
                assert_eq!(self::told(&engine), told, "{name}, {}, {when}", kind.name());
                engine.settle();
            }
        }
        games += 1;
    }
    assert!(games > 6, "only {games} games");
}

/// What is listed and counted at the start, and how random games end that end in one way only.
fn told(engine: &Engine) -> (Vec<String>, Vec<u64>, Option<String>) {
    let start = engine.initial();
    let mut runner = Runner::new(engine);
    let counts = (1..4).map(|depth| runner.count(&start, depth).unwrap());
    let counts = counts.collect();
    let mut ends: Vec<String> = (0..6_u64)
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let game = runner.game(&start, 60, |n| rng.below(n)).unwrap();
            format!("{} {:?}", game.plies, game.outcome)
        })
        .collect();
    ends.dedup();
    let only = (ends.len() == 1).then(|| ends.remove(0));
    (texts(engine), counts, only)
}

fn games_in(folder: &str) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join(folder)).unwrap();
    let files = folder.map(|f| f.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|f| f.extension().is_some_and(|e| e == "game"))
        .collect();
    files.sort();
    files
}
