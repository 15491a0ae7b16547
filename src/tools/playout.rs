//! Random games: an engine, a position and a seed in, the game out. The same seed gives the same game, here, in transcripts
//! and in the smoke test.

use crate::engine::{Action, Engine, Outcome, PlayError, Position};
use crate::tools::perft::turn_is_over;
use crate::tools::rng::Rng;

/// A random game.
#[derive(Clone, PartialEq, Debug)]
pub struct Playout {
    /// The actions played.
    pub actions: Vec<String>,
    /// How many they are.
    pub plies: usize,
    /// How many whole turns they make; a turn that the game's end cuts short counts.
    pub turns: usize,
    /// How it ended; nothing if it was broken off or came to a position without actions.
    pub outcome: Option<Outcome>,
    /// The last position.
    pub last: Position,
}

/// A position of a random game.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// How many actions were played before.
    pub ply: usize,
    /// The position.
    pub position: &'a Position,
    /// The legal actions, sorted.
    pub actions: &'a [Action],
    /// The one that will be played; nothing in the last position.
    pub chosen: Option<&'a Action>,
}

/// Plays at random from a position, at most `max_plies` actions.
///
/// # Errors
///
/// What the engine says.
pub fn playout(
    engine: &Engine,
    position: Position,
    seed: u64,
    max_plies: usize,
) -> Result<Playout, PlayError> {
    let (mut actions, mut turns) = (Vec::new(), 0);
    let last = walk(engine, position, seed, max_plies, |visit| {
        if visit.ply > 0 && turn_is_over(engine, visit.position)? {
            turns += 1;
        }
        actions.extend(visit.chosen.map(|action| action.text.clone()));
        Ok::<(), PlayError>(())
    })?;
    let outcome = engine.outcome(&last)?;
    Ok(Playout {
        plies: actions.len(),
        actions,
        turns,
        outcome,
        last,
    })
}

/// Plays at random and shows every position; gives the last one back.
///
/// # Errors
///
/// What the engine or the visitor says.
pub fn walk<E: From<PlayError>>(
    engine: &Engine,
    mut position: Position,
    seed: u64,
    max_plies: usize,
    mut visit: impl FnMut(Visit<'_>) -> Result<(), E>,
) -> Result<Position, E> {
    let mut rng = Rng::new(seed);
    for ply in 0.. {
        let actions = engine.legal_actions(&position)?;
        let chosen = if ply < max_plies {
            rng.pick(&actions)
        } else {
            None
        };
        visit(Visit {
            ply,
            position: &position,
            actions: &actions,
            chosen,
        })?;
        match chosen {
            Some(action) => position = engine.play(&position, action),
            None => break,
        }
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::playout::playout;
    use crate::tools::testing::{three_in_a_row, two_a_turn};

    #[test]
    fn the_same_seed_gives_the_same_game() -> Result<(), PlayError> {
        let engine = three_in_a_row();
        let game = |seed| playout(&engine, engine.initial(), seed, 100);
        assert_eq!(game(1)?, game(1)?);
        assert!((2..20).any(|seed| game(seed).map(|g| g.actions) != game(1).map(|g| g.actions)));
        assert!(game(1)?.outcome.is_some());
        Ok(())
    }

    #[test]
    fn plies_and_turns_are_counted() -> Result<(), PlayError> {
        let engine = two_a_turn();
        let three = playout(&engine, engine.initial(), 1, 3)?;
        assert_eq!((three.plies, three.turns, three.outcome), (3, 1, None));
        let whole = playout(&engine, engine.initial(), 1, 100)?;
        assert_eq!(whole.turns, whole.plies.div_ceil(2));
        Ok(())
    }
}
