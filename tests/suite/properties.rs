//! What holds for every game: along random games, and for random seeds and options.

use crate::common::{engine, game_named, games, slow};
use gambol::engine::Engine;
use gambol::tools::playout::playout;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

/// Small and odd sizes under which every property must hold as well.
const SIZES: &[(&str, &str)] = &[
    ("epaminondas", "columns=6 rows=6 filled=1"),
    ("epaminondas", "columns=3 rows=5 filled=1"),
    ("epaminondas", "columns=26 rows=26"),
    ("network", "size=5 stones=3 need=3"),
    (
        "network",
        "size=6 stones=6 need=4 steps=anywhere both=opponent_wins pie=3",
    ),
    ("emergo", "size=5 men=3"),
    ("emergo", "size=7 men=7 entry=first shadow=on"),
    ("intermedium", "rows=8 columns=3"),
    ("intermedium", "rows=12 columns=11 height=6 opening=free"),
    ("guerilla", "width=3 side=3 massacre=differs"),
    ("guerilla", "width=2 side=5 max_group=3"),
    ("go", "size=5"),
    ("go", "size=19"),
];

fn engines() -> Vec<Engine> {
    let all = games().into_iter().map(|p| engine(&p, ""));
    all.chain(
        SIZES
            .iter()
            .map(|(name, options)| engine(&game_named(name), options)),
    )
    .collect()
}

/// Plays one random game and checks every position of it.
fn walk(engine: &Engine, seed: u64, plies: usize) {
    let mut position = engine.initial();
    let mut rng = gambol::tools::rng::Rng::new(seed);
    for _ in 0..plies {
        let line = engine.print(&position);
        let again = engine
            .parse(&line)
            .unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(again, position, "{line}");
        assert_eq!(engine.print(&again), line);
        assert_eq!(engine.hash(&again), engine.hash(&position), "{line}");
        assert!(engine.hash_is_true(&position), "{line}");
        let actions = engine.legal_actions(&position).unwrap();
        assert_eq!(
            actions.len() as u64,
            engine.count_actions(&position).unwrap(),
            "{line}"
        );
        assert!(actions.windows(2).all(|w| w[0].text < w[1].text), "{line}");
        if engine.outcome(&position).unwrap().is_some() {
            assert!(actions.is_empty(), "{line}");
            return;
        }
        assert!(!actions.is_empty(), "no action and no outcome in {line}");
        let chosen = &actions[usize::try_from(rng.below(actions.len() as u64)).unwrap()];
        assert_eq!(
            engine.play_text(&position, &chosen.text).unwrap(),
            engine.play(&position, chosen),
            "{line}"
        );
        position = engine.play(&position, chosen);
    }
}

#[test]
fn positions_read_back_and_hashes_are_true() {
    let games = if slow() { 20 } else { 2 };
    for engine in engines() {
        for seed in 0..games {
            walk(&engine, seed, if slow() { 400 } else { 80 });
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for engine in engines() {
        let (a, b) = (
            playout(&engine, engine.initial(), 7, 60).unwrap(),
            playout(&engine, engine.initial(), 7, 60).unwrap(),
        );
        assert_eq!(a.actions, b.actions);
    }
}

#[test]
fn random_games_end() {
    for (name, options) in SIZES
        .iter()
        .filter(|(_, o)| !o.contains("26") && !o.contains("19"))
    {
        let engine = engine(&game_named(name), options);
        let ended = (0..4)
            .filter(|seed| {
                playout(&engine, engine.initial(), *seed, 4000)
                    .unwrap()
                    .outcome
                    .is_some()
            })
            .count();
        assert_eq!(ended, 4, "{name} {options}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_seed_gives_sound_positions(seed in any::<u64>(), which in 0..SIZES.len()) {
        let (name, options) = SIZES[which];
        walk(&engine(&game_named(name), options), seed, 25);
    }

    #[test]
    fn no_position_line_panics(seed in any::<u64>(), cut in 0usize..200, junk in "[ -~]{0,6}") {
        let engine = engine(&game_named("intermedium"), "rows=8 columns=3");
        let line = engine.print(&{
            let mut p = engine.initial();
            for _ in 0..seed % 9 {
                let actions = engine.legal_actions(&p).unwrap();
                let Some(a) = actions.get(usize::try_from(seed % 7).unwrap() % actions.len().max(1)) else { break };
                p = engine.play(&p, a);
            }
            p
        });
        let at = cut.min(line.len());
        let broken = format!("{}{junk}{}", &line[..at], &line[(at + 1).min(line.len())..]);
        match engine.parse(&broken) {
            Ok(position) => prop_assert_eq!(engine.parse(&engine.print(&position)).unwrap(), position),
            Err(e) => prop_assert!(e.column >= 1 && e.column <= broken.chars().count() + 1),
        }
    }
}

/// The instructions behind an action's end change nothing that could refuse it.
fn settles(program: &gambol::program::Program) -> bool {
    use gambol::program::Op;
    let ends = (0..program.code.len()).filter(|at| program.code[*at] == Op::ActionDone);
    ends.into_iter().all(|at| {
        let mut at = at + 1;
        while let Op::Jump(to) = &program.code[at] {
            at = to.0 as usize;
        }
        program.code[at] == Op::EndTurn
    })
}

#[test]
fn traces_count_the_actions_that_are_listed() {
    use gambol::tools::sections::Sections;
    use gambol::tools::trace::trace;
    let (mut exact, mut positions) = (0, 0);
    for path in games() {
        let source = gambol::cli::read_source(path.to_str().unwrap()).unwrap();
        let compiled = gambol::compile(&source, &[]);
        let engine = Engine::new(compiled.program.unwrap()).unwrap();
        let sections = Sections::of(&compiled.file);
        let strict = settles(engine.program());
        let mut position = engine.initial();
        let mut rng = gambol::tools::rng::Rng::new(3);
        for _ in 0..40 {
            let line = engine.print(&position);
            let trace = trace(&engine, &sections, &position).unwrap();
            let actions = engine.legal_actions(&position).unwrap();
            let ways: u64 = trace.parts.iter().filter_map(|p| p.ways).sum();
            assert_eq!(trace.actions, actions.len(), "{line}");
            assert!(ways >= actions.len() as u64, "{line}");
            for part in &trace.parts {
                for (clause, counts) in &part.clauses {
                    let tells = counts.tried > 0 || counts.passed == 0;
                    assert!(tells, "{line}: {clause:?} passed without being tried");
                }
            }
            positions += 1;
            if strict && engine.merged_action(&position).unwrap().is_none() {
                assert_eq!(ways, actions.len() as u64, "{line}");
                exact += 1;
            }
            let Some(action) = rng.pick(&actions) else {
                break;
            };
            position = engine.play(&position, action);
        }
    }
    assert!(exact * 3 > positions, "{exact} of {positions}");
}
