//! The full screen: events in, drawings out. What is drawn is in `view` and `board`, what keys mean in `keys`.

pub mod areas;
pub mod board;
pub mod keys;
pub mod state;
pub mod view;

use crate::cli::failure::Failure;
use crate::cli::play::command::{self, Command};
use crate::cli::play::desk::{Desk, Told};
use crate::cli::play::events::{self, Happening, Leaver};
use crate::cli::play::guard::Screen;
use crate::cli::play::screen::keys::Wish;
use crate::cli::play::screen::state::{Page, State};
use crate::cli::play::screen::view::Scene;
use crate::engine::PlayError;
use crate::tools::session::Due;
use ratatui::crossterm::style::force_color_output;
use std::sync::mpsc::{Receiver, Sender};

/// The keys, for the page of help.
const KEYS: &[(&str, &str)] = &[
    ("arrows", "move the cursor, or the line of the list"),
    (
        "Enter, Space",
        "pick the cell; Enter also plays what is meant",
    ),
    ("letters", "an action or a command; Enter carries it out"),
    ("Tab", "from the board to the list and back"),
    ("PgUp, PgDn", "through the list"),
    ("Backspace", "takes the last letter or pick back"),
    ("Esc", "takes all picks back; lets the search play now"),
    ("mouse", "picks cells and actions"),
    ("F2, Ctrl-Z", "takes a turn back"),
    ("F3, Ctrl-Y", "plays it again"),
    ("F4, F8", "one action back, and forth"),
    ("F5", "hint"),
    ("F6", "why is what was typed, or refused, not legal?"),
    ("F7", "exchange sides"),
    ("F9", "the record"),
    ("F12", "lets the others go on after F4"),
    ("F10, Ctrl-C", "quit"),
];

/// Plays on the full screen until it is left.
///
/// # Errors
/// When the rules fail, or the screen cannot be drawn.
pub fn run(
    desk: &mut Desk,
    inbox: &Receiver<Happening>,
    sender: &Sender<Happening>,
    leaver: &Leaver,
    color: bool,
) -> Result<(), Failure> {
    let unwritable = |error: std::io::Error| Failure::Unwritable(error.to_string());
    // Whether colours are used is decided already; the library shall not decide once more.
    force_color_output(color);
    let mut screen = Screen::take().map_err(unwritable)?;
    let size = screen.terminal.size().map_err(unwritable)?;
    let mut state = State::new(&desk.session, size, color);
    state.say(format!("{}; F1: help", desk.sitting()));
    events::read_keys(sender.clone(), leaver.clone());
    loop {
        desk.begin();
        screen
            .terminal
            .draw(|frame| {
                let area = frame.area();
                state.size = area.as_size();
                let scene = Scene {
                    session: &desk.session,
                    state: &state,
                    thinking: desk.thinking.as_ref(),
                };
                view::draw(frame, &scene);
            })
            .map_err(unwritable)?;
        let Ok(first) = inbox.recv() else {
            return Ok(());
        };
        // All that has happened meanwhile is drawn once.
        for happening in std::iter::once(first).chain(inbox.try_iter()) {
            if !happened(desk, &mut state, happening)? {
                return Ok(());
            }
            desk.begin();
        }
    }
}

/// Changes the game and the screen by what happened; false when the game is left.
fn happened(desk: &mut Desk, state: &mut State, happening: Happening) -> Result<bool, PlayError> {
    let before = desk.session.played().len();
    let told = match happening {
        Happening::Leave | Happening::End => return Ok(false),
        Happening::Line(_) => Vec::new(),
        Happening::News(number, news) => desk.hear(number, news)?,
        Happening::Input(event) => {
            let wish = keys::heard(&event, state, &desk.session, desk.thinking.is_some());
            match wish {
                Wish::Nothing => Vec::new(),
                Wish::Help => vec![Told::Page("help", help())],
                Wish::Stop if desk.stoppable() => {
                    desk.stop();
                    Vec::new()
                }
                Wish::Stop => Vec::new(),
                Wish::Obey(command) => {
                    let tried = state.narrow.text.clone();
                    let told = desk.obey(command.clone())?;
                    let refused = told.iter().any(|t| matches!(t, Told::Refused(_)));
                    let played =
                        matches!(command, Command::Play(_)) && refused && !tried.is_empty();
                    state.last_refused = played.then_some(tried);
                    state.begin_anew();
                    told
                }
            }
        }
    };
    if desk.session.played().len() != before {
        // What was picked, was picked for what was there before.
        state.narrow.picks.clear();
        state.row = 0;
    }
    Ok(tell(desk, state, told))
}

/// Tells on the screen what came of something; false when the game is left.
fn tell(desk: &Desk, state: &mut State, told: Vec<Told>) -> bool {
    let over = matches!(desk.session.due(), Due::Over | Due::Stuck);
    let asks_why = state.last_refused.is_some() && desk.session.due() == Due::Person;
    for (at, one) in told.into_iter().enumerate() {
        match one {
            // What was played, and what was then to be told of the record.
            Told::Note(text) if at > 0 => {
                let before = state.message.clone();
                state.say(format!("{before}; {text}"));
            }
            Told::Note(text) if over => state.say(format!("{text}: {}", desk.standing())),
            Told::Note(text) => state.say(text),
            Told::Refused(text) if asks_why => state.refuse(format!("{text} (F6: why)")),
            Told::Refused(text) => state.refuse(text),
            Told::Page(title, lines) => {
                state.page = Some(Page {
                    title: title.to_owned(),
                    lines,
                    top: 0,
                });
            }
            Told::Board => {}
            Told::Quit => return false,
        }
    }
    true
}

/// The page of help.
fn help() -> Vec<String> {
    let width = KEYS.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let mut lines = vec!["keys".to_owned()];
    lines.extend(
        KEYS.iter()
            .map(|(key, text)| format!("  {key:<width$}  {text}")),
    );
    lines.push(String::new());
    lines.push("marks: [ ] cursor, { } picked, > and + can be picked, ' played last".to_owned());
    lines.push("stacks: (ssS) from the bottom; S5 is a stack of 5 with S on top".to_owned());
    lines.push(String::new());
    lines.push("what can be typed".to_owned());
    lines.extend(command::help());
    lines
}
