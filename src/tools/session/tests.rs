//! Sessions with small games: taking back, exchanging sides, narrowing.

use crate::base::Source;
use crate::board::Cell;
use crate::engine::{Engine, Refusal};
use crate::program::PlayerId;
use crate::tools::record_text::parse;
use crate::tools::session::{Choice, Due, Narrowing, Picked, Seats, Session, Who};
use crate::tools::testing::{three_in_a_row, two_a_turn};
use std::sync::Arc;

fn session(engine: Engine, seats: &str) -> Session {
    let start = engine.initial();
    let seats = Seats::read(seats, 2).unwrap();
    Session::new(Arc::new(engine), start, seats).unwrap()
}

fn play(session: &mut Session, actions: &str) {
    for action in actions.split(' ') {
        session.play(action).unwrap();
    }
}

fn texts(session: &Session) -> Vec<&str> {
    session.played().iter().map(|p| p.action.as_str()).collect()
}

#[test]
fn turns_are_taken_back_whole_and_actions_one_by_one() {
    let mut game = session(two_a_turn(), "person");
    play(&mut game, "a1 a2 b1");
    assert_eq!((game.turn(), game.due()), (2, Due::Person));
    assert_eq!(game.undo().unwrap(), 1);
    assert_eq!((texts(&game), game.turn()), (vec!["a1", "a2"], 2));
    assert_eq!(game.undo().unwrap(), 2);
    assert_eq!(
        (game.played().len(), game.undone(), game.undo().unwrap()),
        (0, 3, 0)
    );
    assert_eq!(game.redo().unwrap(), 2);
    assert!(game.back().unwrap());
    assert_eq!(texts(&game), ["a1"]);
    assert!(game.forward().unwrap() && game.forward().unwrap());
    assert_eq!(texts(&game), ["a1", "a2", "b1"]);
    assert!(!game.forward().unwrap());
}

#[test]
fn another_action_forgets_what_was_taken_back_and_the_same_does_not() {
    let mut game = session(three_in_a_row(), "person");
    play(&mut game, "a1 b1 c1");
    game.undo().unwrap();
    game.undo().unwrap();
    play(&mut game, "b1");
    assert_eq!(game.undone(), 1);
    play(&mut game, "c3");
    assert_eq!(game.undone(), 0);
    assert!(matches!(game.play("a1"), Err(Refusal::Illegal { .. })));
    assert_eq!(texts(&game), ["a1", "b1", "c3"]);
}

#[test]
fn taking_back_ends_where_a_person_is_to_move() {
    let mut game = session(three_in_a_row(), "person,random");
    play(&mut game, "a1");
    assert_eq!(game.due(), Due::Sitter(1));
    play(&mut game, "b1 a2");
    assert_eq!(game.undo().unwrap(), 1);
    assert_eq!((texts(&game), game.due()), (vec!["a1", "b1"], Due::Person));
    assert_eq!(game.undo().unwrap(), 2);
    assert_eq!((game.undo().unwrap(), game.redo().unwrap()), (0, 2));
    assert!(game.back().unwrap());
    assert_eq!(game.due(), Due::Person, "the other one waits");
    game.paused = false;
    assert_eq!(game.due(), Due::Sitter(1));
    game.seats.exchange();
    assert_eq!(
        (game.due(), game.who(PlayerId(0))),
        (Due::Person, game.seats.sitters()[1])
    );
}

#[test]
fn the_end_and_the_record() {
    let mut game = session(three_in_a_row(), "person");
    play(&mut game, "a1 b1 a2 b2 a3");
    assert_eq!(game.due(), Due::Over);
    assert!(matches!(game.play("c3"), Err(Refusal::Over(_))));
    let text = game.record().to_string();
    assert!(
        text.contains("[Result \"1-0\"]") && text.ends_with("\na1 b1 a2 b2 a3\n"),
        "{text}"
    );
    let more = text.replace("[Result", "[Event \"club\"]\n[Result");
    let record = parse(&more).unwrap();
    let (engine, seats) = (Arc::clone(game.engine()), Seats::usual(2));
    let start = engine.initial();
    let again = Session::resume(engine, start, seats, &record).unwrap();
    assert!(again.record().to_string().contains("[Event \"club\"]"));
    assert_eq!(texts(&again), texts(&game));
}

#[test]
fn seats_follow_persons_through_an_exchange_of_colours() {
    let text = "game \"Swap\"\nplayers White, Black\nboard square(2, 2)\npiece stone\n\
        rule Drop \"{spot}\" { choose spot in empty; place stone at spot }\n\
        rule Swap \"swap\" { require turns = 1; exchange seats }\n\
        turn Drop or Swap\nend at start of turn { lose when stuck }\n";
    let compiled = crate::compile(&Source::new("swap.game", text), &[]);
    let engine = Engine::new(compiled.program.ok_or(compiled.diagnostics).unwrap()).unwrap();
    let mut game = session(engine, "person,random");
    play(&mut game, "a1");
    assert_eq!(game.due(), Due::Sitter(1));
    play(&mut game, "swap");
    let (to_move, person) = (game.engine().to_move(game.position()), game.due());
    assert_eq!(game.who(to_move) == Who::Person, person == Due::Person);
    assert_ne!(game.who(PlayerId(0)), Who::Person);
}

#[test]
fn entries_are_read_for_each_or_for_all() {
    let read = |text| Seats::read(text, 2).map(|s| s.sitters().to_vec());
    assert_eq!(read("person").unwrap(), [Who::Person, Who::Person]);
    let both = read("search:playouts=7,time=2s,random").unwrap();
    let texts: Vec<String> = both.iter().map(Who::to_string).collect();
    assert_eq!(texts, ["search:playouts=7,time=2s", "random"]);
    for (wrong, part) in [
        ("person,person,person", "names 3 players, the game has 2"),
        ("me,random", "write `person`, `random`"),
        ("person,search:playouts=0", "no playouts"),
        ("", "nobody is called ``"),
    ] {
        let told = read(wrong).unwrap_err().to_string();
        assert!(told.contains(part), "{wrong}: {told}");
    }
}

fn choices(texts: &[(&str, &[u16])]) -> Vec<Choice> {
    let choice = |(text, cells): &(&str, &[u16])| Choice {
        text: (*text).to_owned(),
        cells: cells.iter().map(|c| Cell(*c)).collect(),
    };
    texts.iter().map(choice).collect()
}

#[test]
fn picking_cells_narrows() {
    let all = choices(&[
        ("a-b", &[0, 1]),
        ("a-c", &[0, 2]),
        ("b", &[1]),
        ("b-c-d", &[1, 2, 3]),
        ("c-d", &[2, 3]),
        ("pass", &[]),
    ]);
    let mut narrow = Narrowing::default();
    assert_eq!(narrow.targets(&all), [Cell(0), Cell(1), Cell(2)]);
    assert_eq!(narrow.pick(Cell(0), &all), Picked::Left(2));
    assert_eq!(narrow.targets(&all), [Cell(1), Cell(2)]);
    assert_eq!(narrow.pick(Cell(0), &all), Picked::TakenBack);
    assert_eq!(narrow.pick(Cell(0), &all), Picked::Left(2));
    assert_eq!(narrow.pick(Cell(2), &all), Picked::Found("a-c".to_owned()));
    narrow.clear();
    // Only one begins with `c`, but a single pick does not play an action of two cells.
    assert_eq!(narrow.pick(Cell(2), &all), Picked::Left(1));
    assert_eq!(narrow.meant(&all).map(|c| c.text.as_str()), Some("c-d"));
    // `b` is whole, and begins another.
    assert_eq!(
        narrow.pick(Cell(1), &all),
        Picked::Found("b-c-d".to_owned()),
        "in any order"
    );
    narrow.clear();
    assert_eq!(narrow.pick(Cell(1), &all), Picked::Left(2));
    assert_eq!(narrow.meant(&all).map(|c| c.text.as_str()), Some("b"));
    assert_eq!(
        narrow.pick(Cell(3), &all),
        Picked::Found("b-c-d".to_owned()),
        "cells left out"
    );
    narrow.clear();
    // Nothing begins with `d`: those that name it at all are left.
    assert_eq!(narrow.pick(Cell(3), &all), Picked::Left(2));
    assert_eq!(narrow.targets(&all), [Cell(1), Cell(2)]);
    assert_eq!(narrow.pick(Cell(0), &all), Picked::Left(2), "begins anew");
    assert_eq!(narrow.picks, [Cell(0)]);
    assert_eq!(narrow.pick(Cell(9), &all), Picked::Nothing);
}

#[test]
fn typing_narrows() {
    let all = choices(&[
        ("a1-a2", &[0, 1]),
        ("pass", &[]),
        ("xa1", &[0]),
        ("xa1x", &[0]),
    ]);
    let left = |text: &str| {
        let narrow = Narrowing {
            text: text.to_owned(),
            ..Narrowing::default()
        };
        let left: Vec<String> = narrow.left(&all).iter().map(|c| c.text.clone()).collect();
        (left.join(" "), narrow.meant(&all).map(|c| c.text.clone()))
    };
    assert_eq!(left("a"), ("a1-a2".into(), Some("a1-a2".into())));
    assert_eq!(left("a2"), ("a1-a2".into(), Some("a1-a2".into())));
    assert_eq!(left("x"), ("xa1 xa1x".into(), None));
    assert_eq!(left("xa1"), ("xa1 xa1x".into(), Some("xa1".into())));
    assert_eq!(left("q"), (String::new(), None));
}

#[test]
fn the_cells_of_actions_are_those_of_their_texts() {
    let engine = three_in_a_row();
    let actions = engine.legal_actions(&engine.initial()).unwrap();
    for action in &actions {
        let named = engine.program().board.cell_named(&action.text);
        assert_eq!(engine.cells_of(action), [named.unwrap()]);
    }
}
