//! Records played again: an engine and a record in, every state and what went wrong out.

use crate::base::Span;
use crate::engine::{Engine, Outcome, PlayError, Position, PositionError, Refusal};
use crate::program::PlayerId;
use crate::tools::phrase;
use crate::tools::record::{Record, Tag, Written, hash_text};

/// A state of a replayed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// How many actions were played before.
    pub ply: usize,
    /// Whose turn it is.
    pub to_move: PlayerId,
    /// The position line.
    pub position: String,
    /// The legal actions, sorted.
    pub actions: Vec<String>,
    /// The action that was played; nothing in the last state.
    pub played: Option<String>,
    /// The outcome, when the game is over.
    pub outcome: Option<Outcome>,
}

/// What a record came to.
#[derive(Debug, Default)]
pub struct Replay {
    /// The states, as far as it could be played.
    pub steps: Vec<Step>,
    /// Why it could not be played to its end, or does not agree with its tags.
    pub failure: Option<ReplayError>,
}

/// Why a record is not a record of this game.
#[derive(Debug)]
pub enum ReplayError {
    /// `GameHash` is that of other rules.
    OtherRules {
        /// The tag's value.
        said: String,
        /// The hash of these rules.
        found: String,
        /// The tag's place.
        span: Span,
    },
    /// There is no `GameHash`, and `Game` names another game.
    OtherGame {
        /// The tag's value.
        said: String,
        /// The name of this game.
        found: String,
        /// The tag's place.
        span: Span,
    },
    /// `Position` cannot be read.
    Position {
        /// The tag's value.
        line: String,
        /// What is wrong with it.
        error: PositionError,
    },
    /// An action is not legal.
    Refused {
        /// How many actions were played before.
        ply: usize,
        /// The action's place.
        span: Span,
        /// Why.
        refusal: Refusal,
    },
    /// `Result` is not how the game ended.
    Result {
        /// The tag's value.
        said: String,
        /// What it should be.
        found: String,
        /// The tag's place.
        span: Span,
    },
    /// The engine failed.
    Failed(PlayError),
}

/// Plays a record and checks its tags; the states are told as far as it can be played.
#[must_use]
pub fn replay(engine: &Engine, record: &Record) -> Replay {
    let mut replay = Replay::default();
    replay.failure = run(engine, record, &mut replay.steps).err();
    replay
}

fn run(engine: &Engine, record: &Record, steps: &mut Vec<Step>) -> Result<(), ReplayError> {
    check_game(engine, record)?;
    let mut position = match record.tag("Position") {
        Some(tag) => read_position(engine, tag)?,
        None => engine.initial(),
    };
    for written in &record.actions {
        let (step, next) = play_one(engine, &position, steps.len(), written);
        steps.extend(step);
        position = next?;
    }
    let last = state(engine, &position, steps.len()).map_err(ReplayError::Failed)?;
    let found = phrase::result(engine.program(), last.outcome.as_ref());
    steps.push(last);
    check_result(record, &found)
}

fn check_game(engine: &Engine, record: &Record) -> Result<(), ReplayError> {
    let title = &engine.program().about.title;
    if let Some(tag) = record.tag("GameHash") {
        let found = hash_text(engine);
        if !tag.value.eq_ignore_ascii_case(&found) {
            return Err(ReplayError::OtherRules {
                said: tag.value.clone(),
                found,
                span: tag.span,
            });
        }
    } else if let Some(tag) = record.tag("Game")
        && tag.value != *title
    {
        return Err(ReplayError::OtherGame {
            said: tag.value.clone(),
            found: title.clone(),
            span: tag.span,
        });
    }
    Ok(())
}

fn check_result(record: &Record, found: &str) -> Result<(), ReplayError> {
    match record.tag("Result") {
        Some(tag) if !matches!(tag.value.as_str(), "" | "?" | "*") && tag.value != found => {
            Err(ReplayError::Result {
                said: tag.value.clone(),
                found: found.to_owned(),
                span: tag.span,
            })
        }
        _ => Ok(()),
    }
}

fn read_position(engine: &Engine, tag: &Tag) -> Result<Position, ReplayError> {
    engine
        .parse(&tag.value)
        .map_err(|error| ReplayError::Position {
            line: tag.value.clone(),
            error,
        })
}

/// The state before an action, and the position after it.
fn play_one(
    engine: &Engine,
    position: &Position,
    ply: usize,
    written: &Written,
) -> (Option<Step>, Result<Position, ReplayError>) {
    match state(engine, position, ply) {
        Err(error) => (None, Err(ReplayError::Failed(error))),
        Ok(mut step) => match engine.play_text(position, &written.text) {
            Ok(next) => {
                step.played = Some(written.text.clone());
                (Some(step), Ok(next))
            }
            Err(refusal) => (
                Some(step),
                Err(ReplayError::Refused {
                    ply,
                    span: written.span,
                    refusal,
                }),
            ),
        },
    }
}

fn state(engine: &Engine, position: &Position, ply: usize) -> Result<Step, PlayError> {
    Ok(Step {
        ply,
        to_move: engine.to_move(position),
        position: engine.print(position),
        actions: engine
            .legal_actions(position)?
            .into_iter()
            .map(|a| a.text)
            .collect(),
        played: None,
        outcome: engine.outcome(position)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::tools::playout::playout;
    use crate::tools::record::Record;
    use crate::tools::record_text::parse;
    use crate::tools::replay::{ReplayError, replay};
    use crate::tools::testing::three_in_a_row;

    fn recorded() -> (String, Vec<String>) {
        let engine = three_in_a_row();
        let game = playout(&engine, engine.initial(), 2, 100).unwrap();
        let record = Record::of_game(
            &engine,
            &engine.initial(),
            &game.actions,
            game.outcome.as_ref(),
        );
        (record.to_string(), game.actions)
    }

    fn failure(text: &str) -> Option<ReplayError> {
        replay(&three_in_a_row(), &parse(text).unwrap()).failure
    }

    #[test]
    fn what_was_recorded_is_replayed() {
        let (text, actions) = recorded();
        let replay = replay(&three_in_a_row(), &parse(&text).unwrap());
        assert!(replay.failure.is_none(), "{text}");
        let played: Vec<String> = replay
            .steps
            .iter()
            .filter_map(|step| step.played.clone())
            .collect();
        assert_eq!(
            (played, replay.steps.len()),
            (actions.clone(), actions.len() + 1)
        );
        assert!(replay.steps.last().unwrap().outcome.is_some());
    }

    #[test]
    fn disagreements_are_found() {
        let (text, _) = recorded();
        let hash = text
            .lines()
            .find(|line| line.starts_with("[GameHash"))
            .unwrap();
        let other = text.replace(hash, "[GameHash \"0000000000000000\"]");
        assert!(matches!(
            failure(&other),
            Some(ReplayError::OtherRules { .. })
        ));
        assert!(matches!(
            failure("[Game \"Large\"]"),
            Some(ReplayError::OtherGame { .. })
        ));
        assert!(matches!(
            failure("[Position \"3/3\"]"),
            Some(ReplayError::Position { .. })
        ));
        assert!(matches!(
            failure("a1 a1"),
            Some(ReplayError::Refused { ply: 1, .. })
        ));
        assert!(matches!(
            failure("[Result \"1-0\"] a1"),
            Some(ReplayError::Result { .. })
        ));
        assert!(failure("[Result \"*\"] a1").is_none());
    }
}
