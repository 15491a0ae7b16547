//! Made-up positions for rare rules against `tests/positions/*.positions`: what is legal, what is not, what an action leads to,
//! how the game has ended.

use crate::common::{engine, game_named, root};
use gambol::engine::{Engine, OutcomeResult, Position};

fn outcome(engine: &Engine, position: &Position) -> String {
    match engine.outcome(position).unwrap() {
        None => "none".to_owned(),
        Some(o) => {
            let who = match o.result {
                OutcomeResult::Win(p) => engine.program().players[usize::from(p.0)].name.clone(),
                OutcomeResult::Scores {
                    winner: Some(p), ..
                } => engine.program().players[usize::from(p.0)].name.clone(),
                OutcomeResult::Lose(p) => {
                    format!("not {}", engine.program().players[usize::from(p.0)].name)
                }
                OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. } => {
                    "draw".to_owned()
                }
            };
            format!("{who} {}", o.by)
        }
    }
}

fn check(engine: &Engine, block: &str) {
    let mut position = engine.initial();
    for line in block.lines().filter(|l| !l.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let actions = engine.legal_actions(&position).unwrap();
        let texts: Vec<&str> = actions.iter().map(|a| a.text.as_str()).collect();
        let at = engine.print(&position);
        match word {
            "game" => {}
            "position" => {
                position = engine
                    .parse(rest)
                    .unwrap_or_else(|e| panic!("{block}\n{e}"));
                assert_eq!(engine.print(&position), rest, "{block}");
            }
            "legal" => rest.split_whitespace().for_each(|a| {
                assert!(
                    texts.contains(&a),
                    "{a} should be legal in {at}\n{block}\n{texts:?}"
                )
            }),
            "illegal" => rest.split_whitespace().for_each(|a| {
                assert!(
                    !texts.contains(&a),
                    "{a} should be illegal in {at}\n{block}"
                )
            }),
            "only" => {
                let mut want: Vec<&str> = rest.split_whitespace().collect();
                want.sort_unstable();
                assert_eq!(texts, want, "{at}\n{block}");
            }
            "play" => {
                for action in rest.split_whitespace() {
                    position = engine
                        .play_text(&position, action)
                        .unwrap_or_else(|e| panic!("{block}\n{e}"));
                }
            }
            "then" => assert_eq!(at, rest, "{block}"),
            "outcome" => assert_eq!(outcome(engine, &position), rest, "{block}"),
            _ => panic!("`{word}` is no word of a position file\n{block}"),
        }
    }
}

#[test]
fn rare_rules_hold() {
    let (mut checked, mut failed) = (0, 0);
    for file in std::fs::read_dir(root().join("tests/positions")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for block in text
            .split("\n\n")
            .filter(|b| b.lines().any(|l| l.starts_with("game ")))
        {
            let game = block.lines().find_map(|l| l.strip_prefix("game ")).unwrap();
            let (name, options) = game.split_once(' ').unwrap_or((game, ""));
            let engine = engine(&game_named(name), options);
            failed += u32::from(
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&engine, block)))
                    .is_err(),
            );
            checked += 1;
        }
    }
    assert_eq!(failed, 0, "positions that are otherwise");
    assert!(checked > 30, "only {checked} positions were checked");
}
