//! Screens of several games and sizes, held as they look, and what keys and the mouse do to them.

use gambol::base::Source;
use gambol::cli::play::command::Command;
use gambol::cli::play::screen::board;
use gambol::cli::play::screen::keys::{self, Wish};
use gambol::cli::play::screen::state::{Focus, Page, State};
use gambol::cli::play::screen::view::{self, Scene};
use gambol::engine::Engine;
use gambol::tools::session::{Seats, Session};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Size;
use std::path::Path;
use std::sync::Arc;

fn session(file: &str, position: Option<&str>, actions: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let compiled = gambol::compile(&Source::new(file, text), &[]);
    let engine = Engine::new(compiled.program.ok_or(compiled.diagnostics).unwrap()).unwrap();
    let start = match position {
        Some(line) => engine.parse(line).unwrap(),
        None => engine.initial(),
    };
    let players = engine.program().players.len();
    let seats = Seats::read("person", players).unwrap();
    let mut session = Session::new(Arc::new(engine), start, seats).unwrap();
    for action in actions.split_whitespace() {
        session.play(action).unwrap();
    }
    session
}

fn state(session: &Session, width: u16, height: u16) -> State {
    State::new(session, Size::new(width, height), false)
}

fn drawn(session: &Session, state: &State) -> String {
    let backend = TestBackend::new(state.size.width, state.size.height);
    let mut terminal = Terminal::new(backend).unwrap();
    let scene = Scene {
        session,
        state,
        thinking: None,
    };
    terminal.draw(|frame| view::draw(frame, &scene)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let line = |y: u16| {
        let cells = (0..buffer.area.width).filter_map(|x| buffer.cell((x, y)));
        let text: String = cells.map(|c| c.symbol()).collect();
        text.trim_end().to_owned() + "\n"
    };
    (0..buffer.area.height).map(line).collect()
}

fn press(code: KeyCode, state: &mut State, session: &Session) -> Wish {
    let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    keys::heard(&event, state, session, false)
}

fn point(state: &mut State, session: &Session, name: &str) {
    state.cursor = session.engine().program().board.cell_named(name).unwrap();
}

/// Picks a cell of a name.
fn pick(state: &mut State, session: &Session, name: &str) -> Wish {
    point(state, session, name);
    press(KeyCode::Enter, state, session)
}

const TIC: &str = "games/classics/tic-tac-toe.game";
const SIZES: [(u16, u16); 3] = [(80, 24), (20, 10), (200, 60)];

fn hold(name: &str, file: &str, position: Option<&str>, actions: &str, picked: &[&str]) {
    let session = session(file, position, actions);
    let mut text = String::new();
    for (width, height) in SIZES {
        let mut state = state(&session, width, height);
        for cell in picked {
            pick(&mut state, &session, cell);
        }
        text += &format!("{width}x{height}\n{}", drawn(&session, &state));
    }
    insta::assert_snapshot!(name, text);
}

#[test]
fn squares() {
    hold(
        "squares",
        "games/classics/breakthrough.game",
        None,
        "a2-a3",
        &["b7"],
    );
}

#[test]
fn hexagons() {
    hold("hexagons", "games/classics/hex.game", None, "f6", &[]);
}

#[test]
fn triangles() {
    hold("triangles", "games/guerilla.game", None, "", &[]);
}

#[test]
fn points_joined_by_hand() {
    hold(
        "points",
        "games/classics/nine-mens-morris.game",
        None,
        "a7 d7",
        &[],
    );
}

#[test]
fn stacks() {
    let position = "5/5/5/5/(SSs)3(s2) b turns=3";
    hold(
        "stacks",
        "docs/examples/stacks.game",
        Some(position),
        "",
        &[],
    );
}

#[test]
fn hands() {
    hold("hands", "docs/examples/hands.game", None, "", &[]);
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let files = [
        TIC,
        "games/guerilla.game",
        "games/emergo.game",
        "games/classics/nine-mens-morris.game",
    ];
    for file in files {
        let session = session(file, None, "");
        for width in [1, 2, 5, 16, 21, 33, 300] {
            for height in 1..40 {
                let mut state = state(&session, width, height);
                drawn(&session, &state);
                state.focus = Focus::List;
                state.row = 9;
                drawn(&session, &state);
                state.page = Some(Page {
                    title: "help".to_owned(),
                    lines: vec!["a".repeat(99); 99],
                    top: 9,
                });
                drawn(&session, &state);
            }
        }
    }
}

#[test]
fn every_board_scrolls_so_that_the_cursor_is_seen() {
    for file in [
        TIC,
        "games/guerilla.game",
        "games/emergo.game",
        "games/classics/hex.game",
    ] {
        let session = session(file, None, "");
        for cell in session.engine().program().board.cells() {
            let mut state = state(&session, 20, 10);
            state.cursor = cell;
            let text = drawn(&session, &state);
            assert!(text.contains('['), "{file}: {cell:?}\n{text}");
        }
    }
}

#[test]
fn cells_are_picked_one_after_the_other() {
    let session = session("games/classics/breakthrough.game", None, "");
    let mut state = state(&session, 80, 24);
    assert_eq!(pick(&mut state, &session, "b2"), Wish::Nothing);
    assert_eq!(state.left(&session).len(), 3);
    let wish = pick(&mut state, &session, "c3");
    assert_eq!(wish, Wish::Obey(Command::Play("b2-c3".into())));
    state.begin_anew();
    assert_eq!(pick(&mut state, &session, "e8"), Wish::Nothing);
    assert!(state.refused && state.message.contains("no legal action names e8"));
}

#[test]
fn letters_narrow_and_enter_plays_what_is_meant() {
    let session = session(TIC, None, "");
    let mut state = state(&session, 80, 24);
    press(KeyCode::Char('b'), &mut state, &session);
    assert_eq!(state.left(&session).len(), 3);
    assert_eq!(
        press(KeyCode::Enter, &mut state, &session),
        Wish::Obey(Command::Play("b".into()))
    );
    press(KeyCode::Char('3'), &mut state, &session);
    assert_eq!(
        press(KeyCode::Enter, &mut state, &session),
        Wish::Obey(Command::Play("b3".into()))
    );
    press(KeyCode::Backspace, &mut state, &session);
    press(KeyCode::Tab, &mut state, &session);
    state.narrow.clear();
    press(KeyCode::Down, &mut state, &session);
    let Wish::Obey(Command::Play(_)) = press(KeyCode::Enter, &mut state, &session) else {
        panic!("the list plays");
    };
    state.narrow.text = "undo".to_owned();
    assert_eq!(
        press(KeyCode::Enter, &mut state, &session),
        Wish::Obey(Command::Undo)
    );
}

#[test]
fn the_cursor_keeps_to_its_column() {
    let session = session("games/guerilla.game", None, "");
    let mut state = state(&session, 200, 60);
    let before = state.cursor;
    for _ in 0..4 {
        press(KeyCode::Up, &mut state, &session);
    }
    assert_ne!(state.cursor, before);
    for _ in 0..4 {
        press(KeyCode::Down, &mut state, &session);
    }
    assert_eq!(state.cursor, before);
    press(KeyCode::Left, &mut state, &session);
    press(KeyCode::Right, &mut state, &session);
    assert_eq!(state.cursor, before);
}

#[test]
fn the_mouse_finds_the_cells_that_are_drawn() {
    for (file, size) in [
        (TIC, (80, 24)),
        ("games/guerilla.game", (40, 12)),
        ("games/classics/hex.game", (30, 10)),
    ] {
        let session = session(file, None, "");
        let mut state = state(&session, size.0, size.1);
        let start = state.cursor;
        let mut found = 0;
        for y in 0..size.1 {
            for x in 0..size.0 {
                state.cursor = start;
                state.begin_anew();
                let areas = state.areas(&session);
                let Some(cell) = board::cell_at(&areas.plan, areas.board, start, x, y) else {
                    continue;
                };
                let down = MouseEventKind::Down(MouseButton::Left);
                let click = MouseEvent {
                    kind: down,
                    column: x,
                    row: y,
                    modifiers: KeyModifiers::NONE,
                };
                keys::heard(&Event::Mouse(click), &mut state, &session, false);
                assert_eq!(state.cursor, cell);
                found += 1;
            }
        }
        assert!(found > 20, "{file}: {found}");
    }
}

#[test]
fn pages_are_turned() {
    let session = session(TIC, None, "");
    let mut state = state(&session, 40, 10);
    assert_eq!(press(KeyCode::F(1), &mut state, &session), Wish::Help);
    state.page = Some(Page {
        title: "help".to_owned(),
        lines: (0..30).map(|n| n.to_string()).collect(),
        top: 0,
    });
    press(KeyCode::PageDown, &mut state, &session);
    assert!(drawn(&session, &state).contains("\n8\n"));
    press(KeyCode::End, &mut state, &session);
    assert!(drawn(&session, &state).contains("\n29\n"));
    press(KeyCode::Esc, &mut state, &session);
    assert_eq!(state.page, None);
}
