//! Speaking with programs that run games between engines: a line in, answers and requests out. The Universal Game Interface
//! is spoken for every game of two players, and UCI where a game fits the notation called FEN. Nothing here reads, writes,
//! waits or starts a thread; `cli/ugi.rs` does.

mod command;
mod dialogue;
mod fen;
mod fen_check;
mod fen_rights;
mod limits;
mod notation;
mod options;
mod standing;
mod task;

pub use command::{Command, Question, Tongue};
pub use dialogue::{Dialogue, Make, Reply};
pub use fen::Fen;
pub use limits::{Go, Limits};
pub use notation::Notation;
pub use task::{Count, Task, Thought};

/// An action as one word: spaces in it are written `_`, and an action without a text is `_`.
#[must_use]
pub fn word(action: &str) -> String {
    if action.is_empty() {
        return "_".to_owned();
    }
    action.replace(char::is_whitespace, "_")
}

/// A line that a person may read and a program skips.
fn remark(text: &str) -> String {
    let plain = text.replace(|sign: char| sign.is_control() && !sign.is_whitespace(), "?");
    let words: Vec<&str> = plain.split_whitespace().collect();
    format!("info string {}", words.join(" "))
}
