//! What stands below the board: who is to move or how it ended, the last action, hands and kept values. A position in, lines
//! of SVG and their height out.

use crate::engine::{Engine, OutcomeResult, PlayError, Position};
use crate::program::PlayerId;
use crate::tools::picture::plan::{LETTER, Plan};
use crate::tools::picture::write::{escape, num};
use crate::tools::{draw, phrase};
use std::fmt::Write as _;

/// Lines of one value at most.
const LONGEST: usize = 3;

/// From how many letters on a value has a line of its own.
const LONG: usize = 24;

/// The height of a line, in heights of letters.
const LINE: f64 = 1.5;

/// A line below the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The player whose colour stands before it.
    pub player: Option<PlayerId>,
    /// The text.
    pub text: String,
}

/// Who is to move, or how the game ended.
///
/// # Errors
///
/// When the rules fail in this position.
pub fn standing(engine: &Engine, position: &Position) -> Result<Line, PlayError> {
    let program = engine.program();
    Ok(match engine.outcome(position)? {
        Some(outcome) => Line {
            player: match &outcome.result {
                OutcomeResult::Win(player) => Some(*player),
                OutcomeResult::Scores { winner, .. } => *winner,
                OutcomeResult::Lose(_) | OutcomeResult::Draw => None,
            },
            text: phrase::outcome(program, &outcome),
        },
        None => {
            let mover = engine.to_move(position);
            Line {
                player: Some(mover),
                text: format!("{} to move", phrase::player(program, mover)),
            }
        }
    })
}

/// All lines of a position; the last action, when one is told, behind who is to move.
///
/// # Errors
///
/// When the rules fail in this position.
pub fn lines(
    engine: &Engine,
    position: &Position,
    played: Option<&str>,
) -> Result<Vec<Line>, PlayError> {
    let mut first = standing(engine, position)?;
    if let Some(played) = played {
        let _ = write!(first.text, "; played: {played}");
    }
    let mut lines = vec![first];
    if engine.program().hands {
        for (player, (name, kinds)) in (0u8..).map(PlayerId).zip(draw::hands(engine, position)) {
            let told: Vec<String> = kinds.iter().map(|(k, n)| format!("{k} {n}")).collect();
            let told = if told.is_empty() {
                "nothing".to_owned()
            } else {
                told.join(", ")
            };
            lines.push(Line {
                player: Some(player),
                text: format!("{name} in hand: {told}"),
            });
        }
    }
    // A name and its value stay on one line.
    let told = |(name, value): (String, String)| format!("{name}\u{a0}=\u{a0}{value}");
    let values = engine.values(position).into_iter().map(told);
    // Long lists have lines of their own, short values share one.
    let (long, short): (Vec<String>, Vec<String>) = values.partition(|told| told.len() > LONG);
    let texts = (!short.is_empty()).then(|| short.join("; "));
    lines.extend(
        texts
            .into_iter()
            .chain(long)
            .map(|text| Line { player: None, text }),
    );
    Ok(lines)
}

/// How many letters a line holds.
fn room(plan: &Plan, swatch: bool) -> usize {
    let free = plan.width() / plan.font - 1.4 - if swatch { 1.5 } else { 0.0 };
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a picture is some dozens of letters wide, and casts saturate"
    )]
    let letters = (free / LETTER) as usize;
    letters.max(8)
}

/// A text in lines; a word that is too long is broken.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    // Lists of cells may be broken behind their commas.
    for word in text.split_inclusive([' ', ',']) {
        let long = word.trim_end().chars().count();
        if length > 0 && length + long > room {
            lines.push(String::new());
            length = 0;
        }
        for c in word.chars() {
            if length >= room && c != ' ' {
                lines.push(String::new());
                length = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
            length += 1;
        }
    }
    if lines.len() > LONGEST {
        lines.truncate(LONGEST);
        if let Some(last) = lines.last_mut() {
            while last.chars().count() + 2 > room {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

/// The height that lines take.
#[must_use]
pub fn height(plan: &Plan, lines: &[Line]) -> f64 {
    let count: usize = lines
        .iter()
        .map(|l| wrapped(&l.text, room(plan, l.player.is_some())).len())
        .sum();
    (f64::from(u32::try_from(count).unwrap_or(u32::MAX)) * LINE + 0.5) * plan.font
}

/// Draws lines below the board.
#[must_use]
pub fn draw(plan: &Plan, lines: &[Line]) -> String {
    let font = plan.font;
    let left = plan.from.0 + 0.7 * font;
    let mut y = plan.to.1 + 0.35 * font;
    let mut out = String::new();
    for line in lines {
        let mut x = left;
        if let Some(player) = line.player {
            let _ = write!(
                out,
                "<circle class=\"p{}\" cx=\"{}\" cy=\"{}\" r=\"{}\" stroke-width=\"{}\"/>",
                player.0,
                num(x + 0.5 * font),
                num(y + 0.35 * font),
                num(0.48 * font),
                num(0.09 * font)
            );
            x += 1.5 * font;
        }
        for text in wrapped(&line.text, room(plan, line.player.is_some())) {
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                num(x),
                num(y + 0.7 * font),
                escape(text.trim_end())
            );
            y += LINE * font;
        }
    }
    out
}
