//! Where a game stands: a line and actions in, a position out. The actions that were played before are not played again.

use crate::engine::{Engine, Position, Refusal};
use crate::tools::protocol::Notation;

/// A position, and how it was told.
#[derive(Clone, Debug)]
pub struct Standing {
    line: Option<String>,
    moves: Vec<String>,
    /// The position.
    pub position: Position,
}

impl Standing {
    /// The start of a game.
    #[must_use]
    pub fn start(engine: &Engine) -> Standing {
        Standing {
            line: None,
            moves: Vec::new(),
            position: engine.initial(),
        }
    }

    /// The position of a line, or of the start, after some actions.
    ///
    /// # Errors
    /// What is wrong with the line or an action, and what to write instead.
    pub fn reach(
        &self,
        engine: &Engine,
        notation: &Notation,
        line: Option<String>,
        moves: Vec<String>,
    ) -> Result<Standing, String> {
        let (mut position, played) = if self.line == line && moves.starts_with(&self.moves) {
            (self.position.clone(), self.moves.len())
        } else {
            let position = match &line {
                None => engine.initial(),
                Some(line) => notation.position(engine, line)?,
            };
            (position, 0)
        };
        for (ply, text) in moves.iter().enumerate().skip(played) {
            position = play(engine, notation, &position, text)
                .map_err(|why| format!("{}: {why}; the position stays as it was", nth(ply + 1)))?;
        }
        Ok(Standing {
            line,
            moves,
            position,
        })
    }
}

fn nth(n: usize) -> String {
    format!("action {n}")
}

fn play(
    engine: &Engine,
    notation: &Notation,
    position: &Position,
    text: &str,
) -> Result<Position, String> {
    let known = notation.actions(engine, position)?;
    if let Some((_, action)) = known.iter().find(|(name, _)| name == text) {
        return Ok(engine.play(position, action));
    }
    match engine.outcome(position) {
        Ok(Some(outcome)) => {
            // Where the players must claim a draw, others may play on.
            let Some(open) = notation.reopened(engine, position) else {
                return Err(format!(
                    "`{text}` cannot be played: the game is over, by \"{}\"",
                    outcome.by
                ));
            };
            play(engine, notation, &open, text)
        }
        Ok(None) => {
            let names = known.iter().map(|(name, _)| name.as_str());
            Err(Refusal::illegal(text, names).to_string())
        }
        Err(error) => Err(error.to_string()),
    }
}
