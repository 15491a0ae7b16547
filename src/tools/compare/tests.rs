//! Small games that differ in one known way.

use crate::base::{Source, Span};
use crate::compile;
use crate::engine::Engine;
use crate::tools::compare::breadth::Reach;
use crate::tools::compare::pair::Pair;
use crate::tools::compare::{
    Clause, Comparison, Kind, Plan, Side, compare, games, shorten, unexplained,
};

const RACE: &str = "game \"Small\"

option size = 3 in 2..9
option limit = 30 in 1..1000

players White facing north, Black facing south
board square(size, size)
piece man

setup {
  for each p in players { place man of p at row(1) seen by p }
}

rule Step {
  line forward orthogonal [ own as mover | empty as target ]
  move mover to target
}

rule Take {
  line forward diagonal [ own as mover | enemy as target ]
  move mover to target
}

turn Take or Step

end after turn {
  win \"crossed\" when some own in row(size) seen by me
}
end at start of turn {
  lose \"blocked\" when stuck
}
";

fn engine(text: &str, settings: &[(&str, &str)]) -> Engine {
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let compiled = compile(&Source::new("small.game", text), &settings);
    Engine::new(compiled.program.ok_or(compiled.diagnostics).unwrap()).unwrap()
}

/// Compares the race with itself after a change of its text, on a board of four by four.
fn changed(old: &str, new: &str) -> Comparison {
    assert!(RACE.contains(old), "{old}");
    let sizes = [("size", "4")];
    let (a, b) = (
        engine(RACE, &sizes),
        engine(&RACE.replace(old, new), &sizes),
    );
    compare(&a, &b, &Plan::default(), &unexplained)
}

fn path(comparison: &Comparison) -> String {
    comparison.difference.as_ref().unwrap().path.join(" ")
}

#[test]
fn a_game_does_not_differ_from_itself() {
    let (a, b) = (engine(RACE, &[]), engine(RACE, &[]));
    let same = compare(&a, &b, &Plan::default(), &unexplained);
    assert_eq!(same.difference, None);
    assert!(same.complete && same.games == 0 && same.positions > 10);
    let few = Plan {
        positions: 5,
        games: 3,
        ..Plan::default()
    };
    let some = compare(&a, &b, &few, &unexplained);
    assert_eq!(
        (some.difference, some.complete, some.games),
        (None, false, 3)
    );
    assert_eq!(some.positions, 5 + some.in_games);
}

#[test]
fn the_budget_is_enough_exactly_when_it_holds_all_positions() {
    let (a, b) = (
        engine(RACE, &[("size", "2")]),
        engine(RACE, &[("size", "2")]),
    );
    let plan = |positions| Plan {
        positions,
        games: 0,
        ..Plan::default()
    };
    let all = compare(&a, &b, &plan(1000), &unexplained);
    assert!(all.complete);
    assert!(!compare(&a, &b, &plan(all.positions - 1), &unexplained).complete);
}

#[test]
fn an_action_more_is_found_at_once() {
    let found = changed("line forward orthogonal", "line forward");
    assert_eq!(path(&found), "");
    let Some(Kind::Actions {
        only_a,
        only_b,
        shared,
    }) = found.difference.map(|d| d.kind)
    else {
        panic!("other actions");
    };
    let names: Vec<&str> = only_b.told.iter().map(|e| e.action.as_str()).collect();
    assert_eq!((only_a.count(), shared), (0, 4));
    assert_eq!(
        names,
        ["a1-b2", "b1-a2", "b1-c2", "c1-b2", "c1-d2", "d1-c2"]
    );
}

#[test]
fn the_way_to_an_action_less_is_the_shortest() {
    // Men meet after one step each: the first chance to take is in the third action.
    let found = changed("turn Take or Step", "turn Step");
    assert_eq!(path(&found), "a1-a2 b4-b3");
    let also = changed("turn Take or Step", "turn Take otherwise Step");
    assert_eq!(path(&also), path(&found));
}

#[test]
fn an_end_that_comes_on_one_side_only() {
    let found = changed("win \"crossed\"", "lose \"crossed\"");
    let difference = found.difference.unwrap();
    assert_eq!(difference.path.len(), 5);
    assert!(matches!(
        difference.kind,
        Kind::Outcomes {
            outcomes: [Some(_), Some(_)]
        }
    ));
    let named = changed("\"crossed\"", "\"over\"").difference.unwrap();
    assert_eq!(named.path, difference.path);
}

#[test]
fn an_action_that_does_something_else() {
    let found = changed(
        "  move mover to target\n}\n\nturn",
        "  move mover to target\n  if column(target) = 2 { flip target }\n}\n\nturn",
    );
    let difference = found.difference.unwrap();
    assert_eq!(difference.path.join(" "), "a1-a2 b4-b3");
    let Kind::Successors { action, next } = difference.kind else {
        panic!("{:?}", difference.kind);
    };
    assert_eq!(action, "a2xb3");
    assert_ne!(next.a.state(), next.b.state());
}

#[test]
fn what_only_one_side_counts_is_no_difference_in_itself() {
    let limited = RACE.replace(
        "win \"crossed\"",
        "draw \"long\" when turns = limit\n  win \"crossed\"",
    );
    let (a, b) = (engine(RACE, &[]), engine(&limited, &[]));
    let same = compare(&a, &b, &Plan::default(), &unexplained);
    assert_eq!(same.difference, None);
    let short = engine(&limited, &[("limit", "3")]);
    let found = compare(&a, &short, &Plan::default(), &unexplained);
    assert_eq!(found.difference.unwrap().path.len(), 3);
}

#[test]
fn other_starts_and_boards() {
    let found = changed("at row(1) seen by p", "at row(2) seen by p");
    assert_eq!(found.difference.unwrap().kind, Kind::Start);
    let (a, b) = (engine(RACE, &[]), engine(RACE, &[("size", "4")]));
    let found = compare(&a, &b, &Plan::default(), &unexplained);
    let Some(Kind::Boards { facts }) = found.difference.map(|d| d.kind) else {
        panic!("other boards");
    };
    assert_eq!((facts[0].cells.len(), facts[1].cells.len()), (9, 16));
    assert_eq!(
        facts[1].pieces,
        [("White man".to_owned(), 4), ("Black man".to_owned(), 4)]
    );
    assert_eq!(facts[0].actions, Some(3));
}

/// Pieces wander for ever; something new happens late.
const WANDER: &str = "game \"Wander\"
option late = 40 in 1..1000
players White, Black
board square(6, 6)
piece man
keep steps = 0
setup {
  place man of White at a1
  place man of Black at f6
}
rule Step {
  line orthogonal [ own as mover | empty as target ]
  move mover to target
  set steps = steps + 1
}
rule Jump \"jump\" { require steps >= late }
turn Step or Jump
end at start of turn { lose when stuck }
end after turn { draw \"long\" when turns = 100 }
";

#[test]
fn a_difference_of_a_random_game_is_made_shorter() {
    let (a, b) = (
        engine(WANDER, &[("late", "9")]),
        engine(WANDER, &[("late", "1000")]),
    );
    let plan = Plan {
        positions: 50,
        ..Plan::default()
    };
    let found = compare(&a, &b, &plan, &unexplained);
    assert_eq!((found.games, found.difference.unwrap().path.len()), (20, 9));
    // White must go up two rows, with an action of Black behind each step; random games take longer.
    let hunt = WANDER.replace("require steps >= late", "require some own in row(3)");
    let never = WANDER.replace("require steps >= late", "require no own and no enemy");
    let (a, b) = (engine(&hunt, &[]), engine(&never, &[]));
    let walked = compare(&a, &b, &Plan::default(), &unexplained);
    assert_eq!((walked.games, path(&walked).split(' ').count()), (0, 4));
    for seed in 1..20 {
        let lone = Plan {
            positions: 20,
            games: 1,
            seed,
            ..plan
        };
        let pair = Pair::new(&a, &b);
        let reach = Reach {
            positions: 10_000,
            depth: usize::MAX,
            threads: 1,
        };
        let long = games::play(&pair, &lone).found.unwrap();
        let before = long.path.len();
        let short = shorten::shorten(&pair, long, reach);
        assert!(short.path.len() <= before.min(7), "{:?}", short.path);
        assert!(matches!(short.kind, Kind::Actions { .. }));
        let mut position = pair.a.initial();
        for action in &short.path {
            position = pair.a.play_text(&position, action).unwrap();
        }
        assert_eq!(position, short.position.a);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (old, new) in [
        ("turn Take or Step", "turn Step"),
        ("win \"crossed\"", "lose \"crossed\""),
        ("piece man", "piece man "),
    ] {
        let a = engine(RACE, &[("size", "4")]);
        let b = engine(&RACE.replace(old, new), &[("size", "4")]);
        let with = |threads, positions| {
            let plan = Plan {
                threads,
                positions,
                games: 4,
                ..Plan::default()
            };
            compare(&a, &b, &plan, &unexplained)
        };
        for positions in [3, 400, 10_000] {
            assert_eq!(with(1, positions), with(3, positions));
        }
    }
}

#[test]
fn the_side_that_lacks_an_action_explains_it() {
    let a = engine(RACE, &[]);
    let b = engine(&RACE.replace("turn Take or Step", "turn Step"), &[]);
    let clause = |side: Side, action: &str| Clause {
        place: Span::new(1, 2),
        text: format!("{side:?} {action}"),
    };
    let explain = |side, position: &_, action: &str| {
        let engine = if side == Side::A { &a } else { &b };
        let legal = engine.legal_actions(position).unwrap();
        assert!(legal.iter().all(|l| l.text != action));
        Some(clause(side, action))
    };
    let found = compare(&a, &b, &Plan::default(), &explain);
    let Some(Kind::Actions { only_a, .. }) = found.difference.map(|d| d.kind) else {
        panic!("other actions");
    };
    let extra = only_a.told.first().unwrap();
    assert_eq!(extra.clause, Some(clause(Side::B, &extra.action)));
}
