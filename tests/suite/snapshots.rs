//! Every shipped game against its snapshots, with the code of the command; and the form against that of insta's own reader.

use crate::common::{games, root};
use gambol::base::Source;
use gambol::cli::verdict::{Found, Obstacle, Settings, check_file, folder};
use gambol::engine::Engine;
use gambol::tools::snapshot::{Plan, Snapshot, Subject, compare, file_text, make};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use std::path::Path;

/// The engine of a text under settings, without words for what is wrong.
fn engine(text: &str, settings: &Settings) -> Result<Engine, Obstacle> {
    engine_of(&Source::new("x.game", text), settings)
}

fn engine_of(source: &Source, settings: &Settings) -> Result<Engine, Obstacle> {
    let compiled = gambol::compile(source, settings);
    let told = format!("{:?}", compiled.diagnostics);
    let program = compiled.program.ok_or(Obstacle::Invalid(told))?;
    Engine::new(program).map_err(|error| Obstacle::Invalid(error.to_string()))
}

fn of_file(game: &Path) -> impl Fn(&Settings) -> Result<Engine, Obstacle> + Sync {
    let source = crate::common::source(game);
    move |settings| engine_of(&source, settings)
}

#[test]
fn shipped_games_come_to_what_they_came_to() {
    let mut wrong = Vec::new();
    for game in games() {
        for verdict in check_file(&of_file(&game), &game) {
            if !matches!(verdict.found, Found::Same) {
                wrong.push(format!(
                    "{}: {:#?}",
                    verdict.snapshot.display(),
                    verdict.found
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_changed_rule_is_noticed_by_every_snapshot_it_touches() {
    let game = crate::common::game_named("breakthrough");
    let text = std::fs::read_to_string(&game).unwrap();
    let changed = text.replacen("rows(1..filled)", "row(1)", 1);
    assert_ne!(changed, text);
    let verdicts = check_file(&|settings: &Settings| engine(&changed, settings), &game);
    let [verdict] = verdicts.as_slice() else {
        panic!("{verdicts:?}");
    };
    assert!(
        matches!(verdict.found, Found::Different { .. }),
        "{verdict:?}"
    );
}

#[test]
fn the_tools_of_insta_read_a_snapshot() {
    let game = crate::common::game_named("tic-tac-toe");
    let maker = of_file(&game);
    let snapshot = make(&maker(&Settings::new()).unwrap(), &Plan::default()).unwrap();
    let body = snapshot.to_string();
    insta::with_settings!({snapshot_path => folder(&game), prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("tic-tac-toe", body);
    });
    assert!(
        root()
            .join("games/classics/snapshots/tic-tac-toe.snap")
            .is_file()
    );
}

const RULES: &str = "game \"Small\"\noption size = 4 in 3..7\noption take = on in off, on\nplayers White facing north, Black facing south\n\
    board square(size, 4)\npiece man\nsetup { for each p in players { place man of p at row(1) seen by p } }\n\
    rule Step { line forward orthogonal [ own as mover | empty as target ]\n move mover to target }\n\
    rule Take { line forward diagonal [ own as mover | enemy as target ]\n move mover to target }\n\
    turn { if take { Step or Take } else { Step } }\n\
    end after turn { win \"crossed\" when some own in row(4) seen by me }\nend at start of turn { draw \"blocked\" when stuck }\n";

fn set(size: i64, take: bool) -> Settings {
    let take = if take { "on" } else { "off" };
    vec![
        ("size".to_owned(), size.to_string()),
        ("take".to_owned(), take.to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_and_changed_options_are_told(
        (size, take) in (3i64..=7, any::<bool>()), (wider, other) in (3i64..=7, any::<bool>()),
        (depth, budget, played) in (1usize..5, 0u64..3000, 0u64..6), (plies, seed) in (0usize..50, any::<u64>()),
    ) {
        let plan = Plan { depth, budget, games: played, plies, seed };
        let (old_engine, new_engine) = (engine(RULES, &set(size, take)).unwrap(), engine(RULES, &set(wider, other)).unwrap());
        let (old, new) = (make(&old_engine, &plan).unwrap(), make(&new_engine, &plan).unwrap());
        prop_assert_eq!(&Snapshot::parse(&old.to_string()).unwrap(), &old);
        prop_assert_eq!(&Snapshot::parse(&file_text(&old, "../x.game")).unwrap(), &old);
        prop_assert_eq!(&make(&old_engine, &plan).unwrap(), &old);
        let told = compare(&old, &new, &new_engine);
        prop_assert_eq!(told.is_empty(), old == new);
        let options = told.iter().find(|d| d.subject == Subject::Options);
        prop_assert_eq!(options.is_some(), (size, take) != (wider, other));
        if size != wider {
            let words = format!("size={size} → {wider}");
            prop_assert!(options.is_some_and(|d| d.text.contains(&words)));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(at in 0usize..4000, junk in "[ -~\\n]{0,9}", cut in 0usize..60) {
        let snapshot = make(&engine(RULES, &set(4, true)).unwrap(), &Plan { games: 2, depth: 2, ..Plan::default() }).unwrap();
        let text = file_text(&snapshot, "../x.game");
        let at = at.min(text.len());
        let start = (0..=at).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let end = (start + cut).min(text.len());
        let broken = format!("{}{junk}{}", &text[..start], text.get(end..).unwrap_or(""));
        match Snapshot::parse(&broken) {
            Ok(read) => prop_assert_eq!(Snapshot::parse(&read.to_string()).unwrap(), read),
            Err(error) => prop_assert!(error.span.range().end <= broken.len() && !error.here.is_empty()),
        }
    }
}
