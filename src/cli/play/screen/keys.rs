//! What keys and the mouse mean: an event in, changes of the screen's state and a wish out.

use crate::cli::play::command::Command;
use crate::cli::play::desk::NOT_YOURS;
use crate::cli::play::screen::board;
use crate::cli::play::screen::state::{Focus, State};
use crate::cli::play::screen::view::page_room;
use crate::tools::session::{Due, Picked, Session};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Size;

/// What is to be done besides.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Nothing.
    Nothing,
    /// A command.
    Obey(Command),
    /// Whoever thinks is to play now.
    Stop,
    /// The help page.
    Help,
}

/// What an event means.
pub fn heard(event: &Event, state: &mut State, session: &Session, thinking: bool) -> Wish {
    match event {
        Event::Resize(width, height) => {
            state.size = Size::new(*width, *height);
            Wish::Nothing
        }
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            if state.page.is_some() {
                return turn_page(key, state);
            }
            pressed(key, state, session, thinking)
        }
        Event::Mouse(mouse) => clicked(*mouse, state, session),
        Event::Paste(text) => {
            state.narrow.text += text.trim();
            state.row = 0;
            Wish::Nothing
        }
        Event::Key(_) | Event::FocusGained | Event::FocusLost => Wish::Nothing,
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "most keys mean nothing")]
fn turn_page(key: &KeyEvent, state: &mut State) -> Wish {
    let (_, rows) = page_room(state);
    let Some(page) = &mut state.page else {
        return Wish::Nothing;
    };
    let most = page.lines.len().saturating_sub(rows);
    match key.code {
        KeyCode::Char('c' | 'q') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            return Wish::Obey(Command::Quit);
        }
        KeyCode::Up => page.top = page.top.saturating_sub(1),
        KeyCode::Down => page.top = (page.top + 1).min(most),
        KeyCode::PageUp => page.top = page.top.saturating_sub(rows),
        KeyCode::PageDown | KeyCode::Char(' ') => page.top = (page.top + rows).min(most),
        KeyCode::Home => page.top = 0,
        KeyCode::End => page.top = most,
        _ => state.page = None,
    }
    Wish::Nothing
}

#[allow(clippy::wildcard_enum_match_arm, reason = "most keys mean nothing")]
fn pressed(key: &KeyEvent, state: &mut State, session: &Session, thinking: bool) -> Wish {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'q') if control => Wish::Obey(Command::Quit),
        KeyCode::Char('z') if control => Wish::Obey(Command::Undo),
        KeyCode::Char('y') if control => Wish::Obey(Command::Redo),
        KeyCode::Char('u') if control => {
            state.begin_anew();
            Wish::Nothing
        }
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => Wish::Nothing,
        KeyCode::Char('?') if state.narrow.text.is_empty() => Wish::Help,
        KeyCode::Char(' ') if state.narrow.text.is_empty() => pick(state, session),
        KeyCode::Char(c) => {
            state.narrow.text.push(c);
            state.row = 0;
            Wish::Nothing
        }
        KeyCode::F(number) => function(number, state),
        KeyCode::Enter => enter(state, session),
        KeyCode::Tab | KeyCode::BackTab => {
            state.focus = match state.focus {
                Focus::Board => Focus::List,
                Focus::List => Focus::Board,
            };
            Wish::Nothing
        }
        KeyCode::Backspace => {
            state.narrow.take_back();
            state.row = 0;
            Wish::Nothing
        }
        KeyCode::Esc if thinking => Wish::Stop,
        KeyCode::Esc => {
            state.begin_anew();
            Wish::Nothing
        }
        code => {
            moved(code, state, session);
            Wish::Nothing
        }
    }
}

fn function(number: u8, state: &State) -> Wish {
    let typed = Some(state.narrow.text.clone()).filter(|t| !t.is_empty());
    match number {
        1 => Wish::Help,
        2 => Wish::Obey(Command::Undo),
        3 => Wish::Obey(Command::Redo),
        4 => Wish::Obey(Command::Back),
        5 => Wish::Obey(Command::Hint(None)),
        6 => match typed.or_else(|| state.last_refused.clone()) {
            Some(action) => Wish::Obey(Command::Why(action)),
            None => Wish::Obey(Command::Wrong("type an action first, then F6".to_owned())),
        },
        7 => Wish::Obey(Command::Sides),
        8 => Wish::Obey(Command::Forward),
        9 => Wish::Obey(Command::Record),
        10 => Wish::Obey(Command::Quit),
        12 => Wish::Obey(Command::Go),
        _ => Wish::Nothing,
    }
}

/// Arrows and their like move the cursor, or the line of the list.
#[allow(clippy::wildcard_enum_match_arm, reason = "most keys mean nothing")]
fn moved(code: KeyCode, state: &mut State, session: &Session) {
    let areas = state.areas(session);
    let rows = usize::from(areas.list.height.saturating_sub(1)).max(1);
    let (across, count) = (areas.across, state.left(session).len());
    let last = count.saturating_sub(1);
    match (code, state.focus) {
        (KeyCode::Left, Focus::Board) => state.go_beside(&areas.plan, false),
        (KeyCode::Right, Focus::Board) => state.go_beside(&areas.plan, true),
        (KeyCode::Up, Focus::Board) => state.go_above(&areas.plan, true),
        (KeyCode::Down, Focus::Board) => state.go_above(&areas.plan, false),
        (KeyCode::Left, Focus::List) => state.row = state.row.saturating_sub(1),
        (KeyCode::Right, Focus::List) => state.row += 1,
        (KeyCode::Up, Focus::List) => state.row = state.row.saturating_sub(across),
        (KeyCode::Down, Focus::List) => state.row += across,
        (KeyCode::PageUp, _) => state.row = state.row.saturating_sub(across * rows),
        (KeyCode::PageDown, _) => state.row += across * rows,
        (KeyCode::Home, _) => state.row = 0,
        (KeyCode::End, _) => state.row = last,
        _ => {}
    }
    state.row = state.row.min(last);
}

fn play(action: String) -> Wish {
    Wish::Obey(Command::Play(action))
}

fn enter(state: &mut State, session: &Session) -> Wish {
    if !state.narrow.text.is_empty() {
        let typed = state.narrow.text.clone();
        let command = Command::read(&typed, &|text| session.is_legal(text));
        let meant = state.narrow.meant(session.choices());
        return Wish::Obey(match (command, meant) {
            (Command::Play(_), Some(choice)) => Command::Play(choice.text.clone()),
            (command, _) => command,
        });
    }
    if state.focus == Focus::List {
        let left = state.left(session);
        return left
            .get(state.row)
            .map_or(Wish::Nothing, |c| play(c.text.clone()));
    }
    let meant = state.narrow.meant(session.choices());
    if state.narrow.picks.last() == Some(&state.cursor)
        && let Some(choice) = meant
    {
        return play(choice.text.clone());
    }
    pick(state, session)
}

/// Picks the cell under the cursor.
fn pick(state: &mut State, session: &Session) -> Wish {
    if let Due::Sitter(_) = session.due() {
        state.refuse(NOT_YOURS);
        return Wish::Nothing;
    }
    let choices = session.choices();
    let name = session.engine().program().board.name(state.cursor);
    match state.narrow.pick(state.cursor, choices) {
        Picked::Found(action) => return play(action),
        Picked::Left(1) => {
            let meant = state.narrow.meant(choices).map(|c| c.text.clone());
            state.say(format!("{}: Enter plays it", meant.unwrap_or_default()));
        }
        Picked::Left(count) => {
            let whole = state.narrow.meant(choices).map(|c| c.text.clone());
            let enter = whole.map_or_else(String::new, |text| format!("; Enter plays {text}"));
            state.say(format!("{count} actions left: pick the next cell{enter}"));
        }
        Picked::TakenBack => state.say(format!("{name} is not picked any more")),
        Picked::Nothing => match choices {
            // Nothing else can be meant.
            [one] => return play(one.text.clone()),
            [] => {}
            _ => {
                let free: Vec<&str> = choices
                    .iter()
                    .filter(|c| c.cells.is_empty())
                    .map(|c| c.text.as_str())
                    .collect();
                let other = match free.as_slice() {
                    [] => String::new(),
                    free => format!("; type {}, or Tab for the list", free.join(", ")),
                };
                state.refuse(format!("no legal action names {name}{other}"));
            }
        },
    }
    state.row = 0;
    Wish::Nothing
}

fn clicked(mouse: MouseEvent, state: &mut State, session: &Session) -> Wish {
    let areas = state.areas(session);
    let (x, y) = (mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {}
        MouseEventKind::ScrollUp => {
            moved(KeyCode::PageUp, state, session);
            return Wish::Nothing;
        }
        MouseEventKind::ScrollDown => {
            moved(KeyCode::PageDown, state, session);
            return Wish::Nothing;
        }
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return Wish::Nothing,
    }
    if state.page.take().is_some() {
        return Wish::Nothing;
    }
    if let Some(cell) = board::cell_at(&areas.plan, areas.board, state.cursor, x, y) {
        state.cursor = cell;
        state.goal = None;
        state.focus = Focus::Board;
        return pick(state, session);
    }
    if areas.list.contains((x, y).into()) && y > areas.list.y {
        let rows = usize::from(areas.list.height.saturating_sub(1)).max(1);
        let left = state.left(session);
        let lines = left.len().div_ceil(areas.across);
        let row = state.row.min(left.len().saturating_sub(1)) / areas.across;
        let top = row.saturating_sub(rows / 2).min(lines.saturating_sub(rows));
        let pitch = usize::from(areas.list.width) / areas.across;
        let column = usize::from(x - areas.list.x) / pitch.max(1);
        let at = (top + usize::from(y - areas.list.y - 1)) * areas.across + column;
        if let Some(choice) = left.get(at).filter(|_| column < areas.across) {
            if state.focus == Focus::List && state.row == at {
                return play(choice.text.clone());
            }
            state.focus = Focus::List;
            state.row = at;
        }
    }
    Wish::Nothing
}
