//! How positions and actions are written in a conversation: an engine and texts in, positions and actions out, and back.

use crate::engine::{Action, Engine, Position};
use crate::tools::protocol::{Fen, Tongue, word};
use std::sync::Arc;

/// How positions and actions are written.
#[derive(Clone, Debug)]
pub enum Notation {
    /// As everywhere else here, an action as one word.
    Own,
    /// As UCI does.
    Fen(Arc<Fen>),
}

impl Notation {
    /// Which protocol writes so.
    #[must_use]
    pub fn tongue(&self) -> Tongue {
        match self {
            Notation::Own => Tongue::Ugi,
            Notation::Fen(_) => Tongue::Uci,
        }
    }

    /// The position of a line.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn position(&self, engine: &Engine, line: &str) -> Result<Position, String> {
        match self {
            Notation::Own => engine.parse(line).map_err(|error| match &error.help {
                Some(help) => format!("{error}; {help}"),
                None => error.to_string(),
            }),
            Notation::Fen(fen) => fen.position(engine, line),
        }
    }

    /// The legal actions with their names here; sorted as the engine does.
    ///
    /// # Errors
    /// When the rules fail, or two actions have one name.
    pub fn actions(
        &self,
        engine: &Engine,
        position: &Position,
    ) -> Result<Vec<(String, Action)>, String> {
        let actions = engine
            .legal_actions(position)
            .map_err(|error| error.to_string())?;
        let named: Result<Vec<(String, Action)>, String> = actions
            .into_iter()
            .map(|action| Ok((self.name(engine, &action.text)?, action)))
            .collect();
        let named = named?;
        let mut names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|w| w[0] == w[1]) {
            Some(twins) => Err(format!(
                "two actions are both told as `{}`: the notations of the rules must be told apart without spaces",
                twins[0]
            )),
            None => Ok(named),
        }
    }

    /// The name of an action.
    ///
    /// # Errors
    /// When it cannot be told so.
    pub fn name(&self, engine: &Engine, action: &str) -> Result<String, String> {
        match self {
            Notation::Own => Ok(word(action)),
            Notation::Fen(fen) => fen.name(engine, action),
        }
    }

    /// A position that is over, as one from which others would play on; nothing where nobody does.
    #[must_use]
    pub fn reopened(&self, engine: &Engine, position: &Position) -> Option<Position> {
        match self {
            Notation::Own => None,
            Notation::Fen(fen) => fen.reopened(engine, position),
        }
    }
}
