//! What the rule writer's commands must agree on: variants and their bases, reasons and legal actions.

use crate::common::{engine, games, root, source};
use gambol::base::Source;
use gambol::engine::{Engine, PlayError};
use gambol::tools::playout::walk;
use gambol::tools::why::{Why, why};
use std::collections::BTreeSet;

#[test]
fn a_variant_without_changes_equals_its_base() {
    for path in games() {
        let base = source(&path);
        let name = path.file_name().unwrap().to_str().unwrap();
        let variant = Source::new("v", format!("variant of \"{name}\"\n")).with_base(&base);
        let (one, other) = (gambol::compile(&variant, &[]), gambol::compile(&base, &[]));
        assert_eq!(one.diagnostics.len(), other.diagnostics.len(), "{name}");
        let dump = |c: &gambol::Compiled| gambol::program::dump(c.program.as_ref().unwrap());
        assert_eq!(dump(&one), dump(&other), "{name}");
    }
}

#[test]
fn the_merged_text_of_a_variant_is_the_same_game() {
    for path in games() {
        let merged = gambol::syntax::merged(&source(&path)).unwrap();
        let alone = gambol::compile(&Source::new("merged", merged), &[]);
        let program = alone
            .program
            .unwrap_or_else(|| panic!("{:#?}", alone.diagnostics));
        let whole = Engine::new(program).unwrap();
        assert_eq!(
            gambol::program::dump(whole.program()),
            gambol::program::dump(engine(&path, "").program()),
            "{}",
            path.display()
        );
        assert_eq!(whole.rules_hash(), engine(&path, "").rules_hash());
    }
}

/// Positions of random games, at most so many, every so many plies.
fn positions(
    engine: &Engine,
    seed: u64,
    most: usize,
    every: usize,
) -> Vec<gambol::engine::Position> {
    let mut found = Vec::new();
    walk(engine, engine.initial(), seed, most * every, |visit| {
        if visit.ply % every == 0 {
            found.push(visit.position.clone());
        }
        Ok::<(), PlayError>(())
    })
    .unwrap();
    found
}

#[test]
fn reasons_agree_with_the_legal_actions() {
    let mut unexplained = Vec::new();
    for path in games() {
        let engine = engine(&path, "");
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let mut texts: BTreeSet<String> = BTreeSet::new();
        for position in positions(&engine, 3, 4, 7) {
            let actions = engine.legal_actions(&position).unwrap();
            for action in actions.iter().step_by(actions.len() / 12 + 1) {
                match why(&engine, &position, &action.text).unwrap() {
                    Why::Legal { next, .. } => assert_eq!(
                        engine.print(&next),
                        engine.print(&engine.play(&position, action)),
                        "{name}: {} in {}",
                        action.text,
                        engine.print(&position)
                    ),
                    other => panic!("{name}: {} is legal: {other:?}", action.text),
                }
            }
            // What was legal before and is not now.
            let gone: Vec<String> = texts
                .iter()
                .filter(|t| actions.iter().all(|a| a.text != **t))
                .cloned()
                .collect();
            for text in gone.iter().step_by(gone.len() / 3 + 1) {
                match why(&engine, &position, text).unwrap() {
                    Why::Legal { .. } => panic!("{name}: {text} is not legal"),
                    Why::NoAction { .. } => {
                        unexplained.push(format!("{name}: {text} in {}", engine.print(&position)));
                    }
                    Why::Refused { clauses, .. } => assert!(!clauses.is_empty()),
                    Why::Over { .. } => {}
                }
            }
            texts.extend(actions.into_iter().map(|a| a.text));
        }
    }
    assert!(unexplained.len() <= 5, "{unexplained:#?}");
}
