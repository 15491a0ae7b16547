//! A game that is being played by persons and others: an engine and what is done in, positions, choices, whose turn it is and
//! the record out. Nothing here waits, thinks or writes.

mod narrow;
mod seats;
#[cfg(test)]
mod tests;

pub use narrow::{Choice, Narrowing, Picked};
pub use seats::{Seats, Who};

use crate::board::Cell;
use crate::engine::{Action, Engine, Outcome, PlayError, Position, Refusal};
use crate::program::PlayerId;
use crate::tools::record::{Record, Tag};
use std::sync::Arc;

/// An action that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its text.
    pub action: String,
    /// The cells that its text names.
    pub cells: Vec<Cell>,
    /// Who played it.
    pub player: PlayerId,
    /// Whether a turn began with it.
    pub starts_turn: bool,
    /// The position it was played in.
    before: Position,
}

/// Who is to do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// A person, who chooses an action.
    Person,
    /// The sitter of that number.
    Sitter(usize),
    /// Nobody: the game is over.
    Over,
    /// Nobody: there is no action, and the rules do not say that the game is over.
    Stuck,
}

/// A game, with what was played and what was taken back.
#[derive(Clone, Debug)]
pub struct Session {
    engine: Arc<Engine>,
    start: Position,
    position: Position,
    played: Vec<Played>,
    /// What was taken back, the next one last.
    undone: Vec<Played>,
    legal: Vec<Action>,
    choices: Vec<Choice>,
    outcome: Option<Outcome>,
    /// Who sits where.
    pub seats: Seats,
    /// Whether those who are no persons wait: steps were taken back to where it is their turn.
    pub paused: bool,
    /// Tags of a record that was gone on with, beyond those that every record has.
    tags: Vec<Tag>,
}

impl Session {
    /// A game that begins in a position.
    ///
    /// # Errors
    /// When the rules fail there.
    pub fn new(engine: Arc<Engine>, start: Position, seats: Seats) -> Result<Session, PlayError> {
        let mut session = Session {
            position: start.clone(),
            engine,
            start,
            played: Vec::new(),
            undone: Vec::new(),
            legal: Vec::new(),
            choices: Vec::new(),
            outcome: None,
            seats,
            paused: false,
            tags: Vec::new(),
        };
        session.stand(session.position.clone())?;
        Ok(session)
    }

    /// A game that goes on from the end of a record of this game.
    ///
    /// # Errors
    /// When an action of it is not legal, or the rules fail.
    pub fn resume(
        engine: Arc<Engine>,
        start: Position,
        seats: Seats,
        record: &Record,
    ) -> Result<Session, Refusal> {
        let mut session = Session::new(engine, start, seats).map_err(Refusal::Failed)?;
        for written in &record.actions {
            session.play(&written.text)?;
        }
        let own = ["Game", "GameHash", "Options", "Position", "Result"];
        let others = record
            .tags
            .iter()
            .filter(|t| !own.contains(&t.name.as_str()));
        session.tags = others.cloned().collect();
        Ok(session)
    }

    /// Goes to a position; where the rules fail there, nothing is changed.
    fn stand(&mut self, position: Position) -> Result<(), PlayError> {
        let outcome = self.engine.outcome(&position)?;
        let legal = self.engine.legal_actions(&position)?;
        let choice = |action: &Action| Choice {
            text: action.text.clone(),
            cells: self.engine.cells_of(action),
        };
        self.choices = legal.iter().map(choice).collect();
        self.legal = legal;
        self.outcome = outcome;
        self.position = position;
        Ok(())
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Where the game stands.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The legal actions, sorted by their text.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// How the game ended, when it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// What was played, in order.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// How many actions were taken back and can be played again.
    #[must_use]
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// The number of the turn that is played, from 1.
    #[must_use]
    pub fn turn(&self) -> usize {
        let begun = self.played.iter().filter(|p| p.starts_turn).count();
        begun + usize::from(self.engine.starts_turn(&self.position) || begun == 0)
    }

    /// Who plays for a player now: seats follow the person when colours are exchanged.
    #[must_use]
    pub fn who(&self, player: PlayerId) -> Who {
        self.seats.who(self.engine.person(&self.position, player))
    }

    /// Who is to do something.
    #[must_use]
    pub fn due(&self) -> Due {
        if self.outcome.is_some() {
            return Due::Over;
        }
        if self.legal.is_empty() {
            return Due::Stuck;
        }
        let person = self
            .engine
            .person(&self.position, self.engine.to_move(&self.position));
        match self.seats.who(person) {
            Who::Seat(_) if !self.paused => Due::Sitter(self.seats.sitter(person)),
            Who::Seat(_) | Who::Person => Due::Person,
        }
    }

    /// Whether an action is legal.
    #[must_use]
    pub fn is_legal(&self, text: &str) -> bool {
        self.legal.iter().any(|a| a.text == text)
    }

    /// Plays an action. What was taken back can be played again as long as the same is played.
    ///
    /// # Errors
    /// When it is not legal, the game is over, or the rules fail behind it; then nothing is changed.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let at = self.legal.iter().position(|a| a.text == text);
        let Some(at) = at else {
            return Err(match &self.outcome {
                Some(outcome) => Refusal::Over(outcome.clone()),
                None => Refusal::illegal(text, self.legal.iter().map(|a| a.text.as_str())),
            });
        };
        let before = self.position.clone();
        let played = Played {
            action: text.to_owned(),
            cells: self
                .choices
                .get(at)
                .map_or_else(Vec::new, |c| c.cells.clone()),
            player: self.engine.to_move(&before),
            starts_turn: self.engine.starts_turn(&before),
            before,
        };
        let next = self.engine.play(&self.position, &self.legal[at]);
        self.stand(next).map_err(Refusal::Failed)?;
        self.played.push(played);
        match self.undone.pop() {
            Some(next) if next.action == text => {}
            _ => self.undone.clear(),
        }
        self.paused = false;
        Ok(())
    }

    /// Takes the last action back; false when there is none.
    ///
    /// # Errors
    /// When the rules fail, which they did not before.
    pub fn back(&mut self) -> Result<bool, PlayError> {
        let Some(last) = self.played.last() else {
            return Ok(false);
        };
        self.stand(last.before.clone())?;
        self.undone.extend(self.played.pop());
        self.paused = true;
        Ok(true)
    }

    /// Plays the next action that was taken back; false when there is none.
    ///
    /// # Errors
    /// When the rules fail, which they did not before.
    pub fn forward(&mut self) -> Result<bool, PlayError> {
        let Some(next) = self.undone.last() else {
            return Ok(false);
        };
        let text = next.action.clone();
        match self.play(&text) {
            Ok(()) => {
                self.paused = !self.undone.is_empty();
                Ok(true)
            }
            Err(Refusal::Failed(error)) => Err(error),
            Err(Refusal::Illegal { .. } | Refusal::Over(_)) => Ok(false),
        }
    }

    /// Takes back to the beginning of the last turn of a person, or of the last turn when nobody is a person; how many actions.
    ///
    /// # Errors
    /// As of [`Session::back`].
    pub fn undo(&mut self) -> Result<usize, PlayError> {
        let mine = |p: &Played| p.starts_turn && self.is_persons(&p.before);
        let Some(at) = self.played.iter().rposition(mine) else {
            return Ok(0);
        };
        let count = self.played.len() - at;
        for _ in 0..count {
            self.back()?;
        }
        self.paused = !self.seats.has_person();
        Ok(count)
    }

    /// Plays again what was taken back, up to the next turn of a person; how many actions.
    ///
    /// # Errors
    /// As of [`Session::forward`].
    pub fn redo(&mut self) -> Result<usize, PlayError> {
        let mut count = 0;
        while self.forward()? {
            count += 1;
            if self.engine.starts_turn(&self.position) && self.is_persons(&self.position) {
                break;
            }
        }
        self.paused = !self.undone.is_empty() && !self.seats.has_person();
        Ok(count)
    }

    /// Whether a person is to move in a position, or nobody is a person at all.
    fn is_persons(&self, position: &Position) -> bool {
        let person = self.engine.person(position, self.engine.to_move(position));
        self.seats.who(person) == Who::Person || !self.seats.has_person()
    }

    /// The record of what was played.
    #[must_use]
    pub fn record(&self) -> Record {
        let actions: Vec<String> = self.played.iter().map(|p| p.action.clone()).collect();
        let mut record = Record::of_game(&self.engine, &self.start, &actions, self.outcome());
        record.tags.extend(self.tags.iter().cloned());
        record
    }
}
