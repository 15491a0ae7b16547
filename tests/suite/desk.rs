//! What the rule writer's commands must agree on: variants and their bases, reasons and legal actions.

use crate::common::{engine, games, root, source};
use gambol::base::Source;
use gambol::engine::{Engine, PlayError};
use gambol::tools::compare::{Plan, compare, unexplained};
use gambol::tools::examples;
use gambol::tools::mutate::{Fate, mutants, mutate, some_of};
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

/// Of these games no two are the same one, though most have the same instructions.
#[test]
fn no_two_games_have_one_hash() {
    let text = |board: &str, piece: &str, keep: &str, setup: &str| {
        format!(
            "game \"K\"\n\nplayers White, Black\nboard   square({board}\npiece   {piece}\n\n{keep}\n\nsetup {{\n  place stone of White at {setup}\n}}\n\n\
             rule Step \"{{a}}-{{b}}\" {{\n  line [ stone as a | empty as b ]\n  move a to b\n  set n = n + 1\n}}\n\nturn Step or pass\n\n\
             end after turn {{\n  draw \"three\" when n = 3\n  draw \"again\" when occurrences = 3\n}}\n"
        )
    };
    let stone = "stone";
    let kept = "keep n = 0\nmark old";
    let games = [
        text("3, 4)", stone, kept, "a1"),
        text("4, 3)", stone, kept, "a1"),
        text("3, 4) wrapping columns", stone, kept, "a1"),
        text("3, 4) joined orthogonal", stone, kept, "a1"),
        text("3, 4)", "stone \"Q\"", kept, "a1"),
        text("3, 4)", stone, kept, "b2"),
        text("3, 4)", stone, "keep n = 1\nmark old", "a1"),
        text("3, 4)", stone, "keep n = 0 compared\nmark old", "a1"),
        text("3, 4)", stone, "keep n = 0\nmark old aside", "a1"),
        text("3, 4)", stone, "keep n = 0\nmark old each turn", "a1"),
        text("3, 4)", stone, "keep n = 0\nkeep old = none", "a1"),
        text("3, 4)", stone, "keep n = 0\nkeep old = a1", "a1"),
        text("3, 4)", stone, "keep n = 0\nkeep old = corners", "a1"),
    ];
    let mut hashes = std::collections::BTreeMap::new();
    for game in games {
        let compiled = gambol::compile(&Source::new("text", game.clone()), &[]);
        let program = compiled
            .program
            .unwrap_or_else(|| panic!("{game}\n{:#?}", compiled.diagnostics));
        let hash = Engine::new(program).unwrap().rules_hash();
        if let Some(other) = hashes.insert(hash, game.clone()) {
            panic!("one hash for\n{other}\nand\n{game}");
        }
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

#[test]
fn a_change_that_tells_is_noticed_or_listed() {
    for (name, most) in [("tic-tac-toe", 20), ("hex", 14), ("breakthrough", 14)] {
        let path = crate::common::game_named(name);
        let text = source(&path).text().to_owned();
        let build = |text: &str| {
            let program = gambol::compile(&Source::new("x.game", text), &[]).program?;
            Engine::new(program).ok()
        };
        let original = build(&text).unwrap();
        let (file, _) = gambol::syntax::parse(&Source::new("x.game", &*text));
        let changes = some_of(mutants(&text, &file), most);
        let holds = |text: &str, _: &Engine| {
            let (file, _) = gambol::syntax::parse(&Source::new("x.game", text));
            let make = |settings: &[(String, String)]| {
                let compiled = gambol::compile(&Source::new("x.game", text), settings);
                let program = compiled.program.ok_or(compiled.diagnostics)?;
                Engine::new(program).map_err(|_| Vec::new())
            };
            let reports = examples::run(&file, &[], &make);
            reports.iter().any(|r| !r.failures.is_empty())
        };
        let plan = Plan {
            positions: 300,
            games: 3,
            plies: 60,
            ..Plan::default()
        };
        let verdicts = mutate(
            &text,
            changes,
            &original,
            &build,
            &[("examples", &holds)],
            &plan,
        );
        let mut told = 0;
        for verdict in &verdicts {
            let Some(changed) = build(&verdict.mutant.apply(&text)) else {
                assert_eq!(verdict.fate, Fate::Refused);
                continue;
            };
            let differs = compare(&original, &changed, &plan, &unexplained).difference;
            if differs.is_some() {
                told += 1;
                let fate = &verdict.fate;
                let counted = matches!(fate, Fate::Noticed(0) | Fate::Unnoticed(_));
                assert!(counted, "{name}: {:?}: {fate:?}", verdict.mutant);
            }
        }
        assert!(told > 3, "{name}: {told}");
    }
}
