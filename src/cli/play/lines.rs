//! The game line by line: commands in, boards and notes out. In a pipe every line is carried out before the next is looked at.

use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::play::command::Command;
use crate::cli::play::desk::{Desk, Told};
use crate::cli::play::events::Happening;
use crate::cli::render;
use crate::tools::phrase;
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;

/// Plays until there are no more lines.
///
/// # Errors
/// When the rules fail, or the result cannot be written.
pub fn run(
    desk: &mut Desk,
    inbox: &Receiver<Happening>,
    terminal: &mut Terminal,
    asks: bool,
) -> Result<(), Failure> {
    let mut lines = Lines {
        waiting: VecDeque::new(),
        ended: false,
        shown: None,
        asks,
    };
    terminal.line(&desk.session.engine().program().about.title)?;
    terminal.line(&desk.sitting())?;
    if asks {
        terminal.line("write an action, or `help`")?;
    }
    loop {
        let thought = desk.thinking.is_some();
        if desk.begin() {
            if asks && !thought && desk.stoppable() {
                terminal.line(&format!("{}: thinking (`stop` plays now)", desk.standing()))?;
            }
            if !lines.think(desk, inbox, terminal)? {
                return Ok(());
            }
            continue;
        }
        lines.show(desk, terminal)?;
        let Some(line) = lines.next(inbox, terminal)? else {
            return Ok(());
        };
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let command = Command::read(trimmed, &|text| desk.session.is_legal(text));
        let told = desk.obey(command)?;
        if !lines.tell(desk, &told, terminal)? {
            return Ok(());
        }
    }
}

struct Lines {
    /// Lines that were typed while somebody was thinking.
    waiting: VecDeque<String>,
    /// Whether there will be no more.
    ended: bool,
    /// The position line that was drawn last, with whose turn it was.
    shown: Option<String>,
    /// Whether a person sits there and is to be asked.
    asks: bool,
}

impl Lines {
    /// Waits while somebody thinks; false when the game is left.
    fn think(
        &mut self,
        desk: &mut Desk,
        inbox: &Receiver<Happening>,
        terminal: &mut Terminal,
    ) -> Result<bool, Failure> {
        terminal.flush()?;
        match inbox.recv() {
            Ok(Happening::News(number, news)) => {
                let told = desk.hear(number, news)?;
                self.tell(desk, &told, terminal)
            }
            Ok(Happening::Line(line)) => {
                match line.trim() {
                    "stop" | ":stop" if self.asks => desk.stop(),
                    "quit" | ":quit" if self.asks => return Ok(false),
                    _ => self.waiting.push_back(line),
                }
                Ok(true)
            }
            Ok(Happening::End) => {
                self.ended = true;
                Ok(!self.asks)
            }
            Ok(Happening::Input(_)) => Ok(true),
            Ok(Happening::Leave) | Err(_) => Ok(false),
        }
    }

    /// Draws the board, when it has changed.
    fn show(&mut self, desk: &Desk, terminal: &mut Terminal) -> Result<(), Failure> {
        let session = &desk.session;
        let now = format!(
            "{} {}",
            session.engine().print(session.position()),
            desk.standing()
        );
        if self.shown.as_ref() == Some(&now) {
            return Ok(());
        }
        self.shown = Some(now);
        terminal.print(&format!("\n{}", desk.board()))?;
        let count = phrase::number(session.choices().len(), "action");
        let more = if session.choices().is_empty() {
            String::new()
        } else {
            format!(", {count}")
        };
        terminal.line(&format!("{}{more}", desk.standing()))
    }

    /// The next line; nothing at their end.
    fn next(
        &mut self,
        inbox: &Receiver<Happening>,
        terminal: &mut Terminal,
    ) -> Result<Option<String>, Failure> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        if self.ended {
            return Ok(None);
        }
        if self.asks {
            terminal.print("> ")?;
        }
        terminal.flush()?;
        loop {
            match inbox.recv() {
                Ok(Happening::Line(line)) => return Ok(Some(line)),
                Ok(Happening::News(..) | Happening::Input(_)) => {}
                Ok(Happening::End | Happening::Leave) | Err(_) => {
                    if self.asks {
                        terminal.line("")?;
                    }
                    return Ok(None);
                }
            }
        }
    }

    /// Tells what came of a command; false when the game is left.
    fn tell(
        &mut self,
        desk: &Desk,
        told: &[Told],
        terminal: &mut Terminal,
    ) -> Result<bool, Failure> {
        for one in told {
            match one {
                Told::Note(text) => terminal.line(text)?,
                Told::Refused(text) => {
                    let message = render::message(None, text, None, terminal.color_err);
                    terminal.complain(&message);
                }
                Told::Page(_, lines) => {
                    for line in lines {
                        terminal.line(line)?;
                    }
                }
                Told::Board => {
                    self.shown = None;
                    self.show(desk, terminal)?;
                }
                Told::Quit => return Ok(false),
            }
        }
        Ok(true)
    }
}
