//! Lines of play against `tests/lines/*.lines`: what is legal at their end, or how the game ended, as an independent program
//! written from the rulings alone says.

use crate::common::{engine, game_named, root};
use gambol::engine::{Engine, OutcomeResult, Position};

fn play(engine: &Engine, actions: &str) -> Position {
    let mut position = engine.initial();
    for action in actions.split_whitespace() {
        position = engine
            .play_text(&position, action)
            .unwrap_or_else(|e| panic!("{action} in {}: {e}", engine.print(&position)));
    }
    position
}

fn ended(engine: &Engine, position: &Position) -> String {
    let name =
        |p: gambol::program::PlayerId| engine.program().players[usize::from(p.0)].name.clone();
    match engine.outcome(position).unwrap().map(|o| o.result) {
        None => "not".to_owned(),
        Some(OutcomeResult::Win(p)) => name(p),
        Some(OutcomeResult::Lose(p)) => format!("not {}", name(p)),
        Some(OutcomeResult::Draw) => "draw".to_owned(),
        Some(OutcomeResult::Scores { scores, winner }) => {
            let scores: Vec<String> = scores.iter().map(i64::to_string).collect();
            format!(
                "{} {}",
                winner.map_or("draw".to_owned(), name),
                scores.join("-")
            )
        }
    }
}

#[test]
fn positions_are_as_the_second_program_says() {
    let mut checked = 0;
    for file in std::fs::read_dir(root().join("tests/lines")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for block in text.split("\n\n").filter(|b| b.starts_with("game ")) {
            let part = |key: &str| {
                block
                    .lines()
                    .find_map(|l| l.strip_prefix(key))
                    .map(str::trim)
            };
            let (name, options) = part("game")
                .unwrap()
                .split_once(' ')
                .unwrap_or((part("game").unwrap(), ""));
            let engine = engine(&game_named(name), options);
            let position = play(&engine, part("play").unwrap_or(""));
            if let Some(legal) = part("legal") {
                let mut want: Vec<&str> = legal.split_whitespace().collect();
                want.sort_unstable();
                let actions = engine.legal_actions(&position).unwrap();
                let got: Vec<&str> = actions.iter().map(|a| a.text.as_str()).collect();
                assert_eq!(got, want, "{block}\n{}", engine.print(&position));
            } else {
                assert_eq!(
                    ended(&engine, &position),
                    part("over").unwrap(),
                    "{block}\n{}",
                    engine.print(&position)
                );
                assert!(engine.legal_actions(&position).unwrap().is_empty());
            }
            checked += 1;
        }
    }
    assert!(checked > 250, "only {checked} blocks were checked");
}
