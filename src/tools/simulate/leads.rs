//! How often the lead changes in a game: positions, or what searching players expected, in; a number out.
//!
//! A person leads where the chances are clearly better for this person than for anybody else. Where two persons play and both
//! search, the chances are what the one to move expected of the action that was played: above 55 % for one person, or below 45 %
//! and so for the other, at every decision. Everywhere else [`PLAYOUTS`] random games are played from each of at most
//! [`POSITIONS`] positions at the start of a turn, at even distances through the game: the person who gains most of them leads, if
//! that is more than two standard errors ahead of the next, which is when the square of the difference of the two is above four times
//! their sum. A position that nobody leads in is passed over: the lead changes where somebody leads who is not the one who led last.

use crate::engine::{PlayError, Position};
use crate::program::PlayerId;
use crate::tools::search::Seat;

/// How many random games are played from a position.
pub const PLAYOUTS: u64 = 64;
/// How many positions of a game are looked at.
pub const POSITIONS: usize = 16;
/// What a person must expect to lead.
const CLEARLY: f64 = 0.55;

/// A game, as far as is needed to tell who led when.
#[derive(Clone, Debug)]
pub enum Course {
    /// By what was expected: who led, decision by decision.
    Expected(Vec<PlayerId>),
    /// By random games from some of these positions.
    Passed(Vec<Position>),
}

impl Course {
    /// One for a game that begins.
    #[must_use]
    pub fn of(players: usize, seats: &[Seat]) -> Course {
        let search = |seat: &Seat| match seat {
            Seat::Search(_) => true,
            Seat::Random => false,
        };
        if players == 2 && seats.iter().all(search) {
            Course::Expected(Vec::new())
        } else {
            Course::Passed(Vec::new())
        }
    }

    /// A position at the start of a turn.
    pub fn pass(&mut self, position: Position) {
        match self {
            Course::Passed(positions) => positions.push(position),
            Course::Expected(_) => {}
        }
    }

    /// What the person to move expects.
    pub fn hear(&mut self, person: PlayerId, value: f64) {
        match self {
            Course::Expected(leaders) if value > CLEARLY => leaders.push(person),
            Course::Expected(leaders) if value < 1.0 - CLEARLY => {
                leaders.push(PlayerId(u8::from(person.0 == 0)));
            }
            Course::Expected(_) | Course::Passed(_) => {}
        }
    }

    /// How often the lead changed; `points` tells how many of some random games from a position each person gains.
    ///
    /// # Errors
    /// What `points` says.
    pub fn changes(
        self,
        mut points: impl FnMut(&Position) -> Result<Vec<u64>, PlayError>,
    ) -> Result<u64, PlayError> {
        match self {
            Course::Expected(leaders) => Ok(changes(&leaders)),
            Course::Passed(positions) => {
                let mut leaders = Vec::new();
                // Nothing is open any more in the last one.
                for at in spread(positions.len().saturating_sub(1), POSITIONS) {
                    leaders.extend(leader(&points(&positions[at])?));
                }
                Ok(changes(&leaders))
            }
        }
    }
}

/// At most `most` of the numbers below `all`, at even distances, the first among them.
fn spread(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = all.min(most);
    (0..taken).map(move |i| i * all / taken)
}

/// Who has clearly more than anybody else.
fn leader(points: &[u64]) -> Option<PlayerId> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|p| std::cmp::Reverse(points[*p]));
    let (first, second) = (*order.first()?, *order.get(1)?);
    let ahead = points[first] - points[second];
    let clearly = ahead * ahead > 4 * (points[first] + points[second]);
    clearly.then(|| PlayerId(u8::try_from(first).unwrap_or(0)))
}

fn changes(leaders: &[PlayerId]) -> u64 {
    leaders.windows(2).filter(|w| w[0] != w[1]).count() as u64
}

#[cfg(test)]
mod tests {
    use crate::program::PlayerId;
    use crate::tools::search::Seat;
    use crate::tools::simulate::leads::{Course, leader, spread};

    #[test]
    fn who_leads_is_clear_or_nobody() {
        assert_eq!(leader(&[41, 23]), Some(PlayerId(0)));
        assert_eq!(leader(&[40, 24]), None);
        assert_eq!(leader(&[0, 5]), Some(PlayerId(1)));
        assert_eq!(leader(&[0, 0]), None);
        assert_eq!(leader(&[10, 2, 40]), Some(PlayerId(2)));
        assert_eq!(leader(&[10]), None);
    }

    #[test]
    fn positions_are_spread() {
        assert_eq!(spread(0, 4).count(), 0);
        assert_eq!(spread(3, 4).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(9, 4).collect::<Vec<_>>(), [0, 2, 4, 6]);
    }

    #[test]
    fn what_is_expected_changes_the_lead() {
        let search: Seat = "search:playouts=1".parse().unwrap();
        let mut course = Course::of(2, &[search]);
        for (person, value) in [(0, 0.5), (1, 0.3), (0, 0.52), (1, 0.6), (0, 0.4), (1, 0.44)] {
            course.hear(PlayerId(person), value);
        }
        assert_eq!(course.changes(|_| Ok(Vec::new())), Ok(2));
        assert!(matches!(Course::of(3, &[search]), Course::Passed(_)));
        assert!(matches!(
            Course::of(2, &[search, Seat::Random]),
            Course::Passed(_)
        ));
    }
}
