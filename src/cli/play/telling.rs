//! Sentences about a game that is played: whose turn it is, what the search has found; texts of some length as lines.

use crate::tools::phrase;
use crate::tools::search::{Proof, Report};
use crate::tools::session::{Due, Session};

/// Whose turn it is, or how the game ended.
#[must_use]
pub fn standing(session: &Session) -> String {
    let engine = session.engine();
    let program = engine.program();
    match session.due() {
        Due::Over => session
            .outcome()
            .map_or_else(String::new, |o| phrase::outcome(program, o)),
        Due::Stuck => "no actions, and no end: the rules do not say how it goes on".to_owned(),
        Due::Person | Due::Sitter(_) => {
            let mover = phrase::player(program, engine.to_move(session.position()));
            let more = match engine.starts_turn(session.position()) {
                true => "",
                false => ", the turn goes on",
            };
            format!("{mover} to move{more}")
        }
    }
}

/// What the search would play.
#[must_use]
pub fn advice(report: &Report) -> String {
    let Some(best) = report.best() else {
        return "there is nothing to choose".to_owned();
    };
    let worth = match best.proven {
        Some(Proof::Win) => "wins for certain".to_owned(),
        Some(Proof::Draw) => "draws for certain".to_owned(),
        Some(Proof::Loss) => "loses, as all others do".to_owned(),
        None => format!("value {:.2}", best.value),
    };
    let playouts = usize::try_from(report.playouts).unwrap_or(usize::MAX);
    let line = match report.best_line.as_slice() {
        [] | [_] => String::new(),
        line => format!(
            "; expects {}",
            line.iter().take(6).cloned().collect::<Vec<_>>().join(" ")
        ),
    };
    format!(
        "hint: {} ({worth}, {}{line})",
        best.action,
        phrase::number(playouts, "playout")
    )
}

/// What the search has found so far, in a few words.
#[must_use]
pub fn progress(report: &Report) -> String {
    let best = report.best().map_or_else(String::new, |best| {
        format!(", {} {:.2}", best.action, best.value)
    });
    let playouts = usize::try_from(report.playouts).unwrap_or(usize::MAX);
    format!("{}{best}", phrase::number(playouts, "playout"))
}

/// A text line by line.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Words side by side, as many as fit.
#[must_use]
pub fn columns(words: &[&str], width: usize) -> Vec<String> {
    let widest = words.iter().map(|w| w.chars().count()).max().unwrap_or(0) + 2;
    let across = (width / widest).max(1);
    let line = |row: &[&str]| {
        let padded = row
            .iter()
            .map(|word| format!("  {word:<w$}", w = widest - 2));
        padded.collect::<String>().trim_end().to_owned()
    };
    words.chunks(across).map(line).collect()
}
