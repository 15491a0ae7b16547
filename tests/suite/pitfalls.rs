//! Small games that once were counted wrongly by a fast engine, each by a condition that a pass did not look at: values that are not
//! known yet, proofs that outlived what they were about, runs on rings, ways that are told apart by their numbers, runs whose pieces
//! were changed, stacks that were put down twice, reads that hide in subprograms. Every engine lists, counts and plays as the plain
//! one does, soon and after its better code has come.

use crate::agree::rivals;
use crate::common::{root, source};
use crate::engines::hold;
use gambol::engine::{Engine, Runner};
use std::path::PathBuf;

/// No more sequences are counted, about.
const MOST: u64 = 60_000;

fn texts(engine: &Engine) -> Vec<String> {
    let listed = engine.legal_actions(&engine.initial()).unwrap();
    listed.into_iter().map(|a| a.text).collect()
}

#[test]
fn engines_agree_where_they_once_did_not() {
    let folder = std::fs::read_dir(root().join("tests/suite/pitfalls")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|f| f.unwrap().path()).collect();
    files.sort();
    let mut games = 0;
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "game"))
    {
        let name = file.display();
        match hold(&name.to_string(), &source(file), "", 40) {
            Ok(line) if line.contains("gave up 0 times") => {}
            Ok(what) | Err(what) => panic!("{what}"),
        }
        let compiled = gambol::compile(&source(file), &[]);
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
