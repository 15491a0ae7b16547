//! What the end of a game is worth to each person: an outcome in, a share of one point for everybody out.

use crate::engine::{Engine, Outcome, OutcomeResult, Position};
use crate::program::PlayerId;
use smallvec::SmallVec;

/// For each person, by the player that they were at the start: from 0, all lost, to 1, all won.
pub type Shares = SmallVec<[f32; 2]>;

/// The point shared evenly: a draw, or a game that was broken off.
#[must_use]
pub fn even(engine: &Engine) -> Shares {
    let people = engine.program().players.len();
    SmallVec::from_elem(draw_share(people), people)
}

/// What a draw is worth; alone at the board it is half a win.
fn draw_share(people: usize) -> f32 {
    1.0 / people.max(2) as f32
}

/// What an outcome is worth to each person. The seats are those of the last position.
#[must_use]
pub fn shares(engine: &Engine, last: &Position, outcome: Option<&Outcome>) -> Shares {
    let by_player = by_player(engine, outcome);
    let mut by_person = by_player.clone();
    for (player, share) in (0u8..).zip(by_player) {
        let person = engine.person(last, PlayerId(player));
        by_person[usize::from(person.0)] = share;
    }
    by_person
}

fn by_player(engine: &Engine, outcome: Option<&Outcome>) -> Shares {
    let people = engine.program().players.len();
    let mut shares: Shares = SmallVec::from_elem(0.0, people);
    match outcome.map(|o| &o.result) {
        None | Some(OutcomeResult::Draw) => return even(engine),
        Some(OutcomeResult::Win(player)) => shares[usize::from(player.0)] = 1.0,
        Some(OutcomeResult::Lose(player)) => {
            let others = people.saturating_sub(1).max(1) as f32;
            shares.fill(1.0 / others);
            shares[usize::from(player.0)] = 0.0;
        }
        Some(OutcomeResult::Scores { scores, winner }) => match winner {
            Some(player) => shares[usize::from(player.0)] = 1.0,
            None => {
                let best = scores.iter().max();
                let leads = |p: usize| scores.get(p) == best;
                let leaders = (0..people).filter(|p| leads(*p)).count().max(2) as f32;
                for (p, share) in shares.iter_mut().enumerate() {
                    *share = if leads(p) { 1.0 / leaders } else { 0.0 };
                }
            }
        },
    }
    shares
}

/// What a share for the first player is worth to each of two persons.
#[must_use]
pub fn of_first_player(engine: &Engine, position: &Position, share: f32) -> Shares {
    let first = engine.person(position, PlayerId(0));
    let mut shares: Shares = SmallVec::from_elem(1.0 - share, 2);
    shares[usize::from(first.0).min(1)] = share;
    shares
}

/// The person whose turn it is.
#[must_use]
pub fn mover(engine: &Engine, position: &Position) -> usize {
    let player = engine.to_move(position);
    usize::from(engine.person(position, player).0)
}

#[cfg(test)]
mod tests {
    use crate::engine::{Outcome, OutcomeResult};
    use crate::program::PlayerId;
    use crate::tools::testing::three_in_a_row;
    use crate::tools::worth::{even, shares};

    #[test]
    fn a_point_is_shared() {
        let engine = three_in_a_row();
        let worth = |result| {
            let by = "".into();
            shares(&engine, &engine.initial(), Some(&Outcome { result, by })).to_vec()
        };
        assert_eq!(even(&engine).to_vec(), [0.5, 0.5]);
        assert_eq!(
            shares(&engine, &engine.initial(), None).to_vec(),
            [0.5, 0.5]
        );
        assert_eq!(worth(OutcomeResult::Win(PlayerId(1))), [0.0, 1.0]);
        assert_eq!(worth(OutcomeResult::Lose(PlayerId(1))), [1.0, 0.0]);
        assert_eq!(worth(OutcomeResult::Draw), [0.5, 0.5]);
        let scores = |scores, winner| OutcomeResult::Scores { scores, winner };
        assert_eq!(worth(scores(vec![3, 3], None)), [0.5, 0.5]);
        assert_eq!(worth(scores(vec![2, 4], Some(PlayerId(1)))), [0.0, 1.0]);
    }
}
