//! What happens while a game is played, in one line of waiting: lines or keys, news of the search, and the wish to end.

use crate::cli::play::guard;
use crate::cli::play::worker::News;
use ratatui::crossterm::event::{self, Event};
use std::io::BufRead as _;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Something that happened.
pub enum Happening {
    /// A line was typed.
    Line(String),
    /// There are no more lines.
    End,
    /// A key was pressed, the mouse moved, the window resized.
    Input(Event),
    /// The thread that thinks has something to tell.
    News(u64, News),
    /// The program is to end.
    Leave,
}

/// After so long a program that does not end when it is told to is ended.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Ends the program when that is wished for, with a whole record and a whole screen even if nobody listens.
#[derive(Clone)]
pub struct Leaver {
    sender: Sender<Happening>,
    writing: Arc<Mutex<()>>,
}

impl Leaver {
    /// Listens for the signals that end programs: of the keyboard, of a terminal that is closed, of the system.
    #[must_use]
    pub fn listen(sender: Sender<Happening>, writing: Arc<Mutex<()>>) -> Leaver {
        let leaver = Leaver { sender, writing };
        let handler = leaver.clone();
        // Where no handler can be set, signals end the program as they do others: the record is whole all the same.
        let _ = ctrlc::set_handler(move || handler.leave());
        leaver
    }

    /// Asks the game to end, and ends the program when it does not.
    pub fn leave(&self) {
        // When nobody listens any more, the program is ending.
        let _ = self.sender.send(Happening::Leave);
        thread::sleep(PATIENCE);
        let writing = self.writing.lock();
        guard::restore();
        drop(writing);
        std::process::exit(0);
    }
}

/// Starts to read lines from the standard input.
pub fn read_lines(sender: Sender<Happening>) {
    thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(Happening::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(Happening::End);
    });
}

/// Starts to read keys from the terminal.
pub fn read_keys(sender: Sender<Happening>, leaver: Leaver) {
    thread::spawn(move || {
        loop {
            let Ok(event) = event::read() else {
                let _ = sender.send(Happening::End);
                return;
            };
            let leave = is_interrupt(&event);
            if sender.send(Happening::Input(event)).is_err() {
                return;
            }
            if leave {
                let leaver = leaver.clone();
                thread::spawn(move || leaver.leave());
            }
        }
    });
}

/// Whether a key is the one that ends programs.
fn is_interrupt(event: &Event) -> bool {
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};
    let Event::Key(key) = event else {
        return false;
    };
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
