//! Who sits where: a text such as `person,search:time=1s` in, somebody for every player out. Persons and searches keep their
//! places by person, so that they follow when players exchange colours.

use crate::program::PlayerId;
use crate::tools::search::{BadSeat, Budget, Seat};
use std::fmt;
use std::str::FromStr;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// Somebody at the terminal.
    Person,
    /// Somebody who chooses without being asked.
    Seat(Seat),
}

impl FromStr for Who {
    type Err = BadSeat;

    fn from_str(text: &str) -> Result<Who, BadSeat> {
        if text == "person" {
            return Ok(Who::Person);
        }
        text.parse().map(Who::Seat).map_err(|error: BadSeat| {
            let told = error
                .0
                .replace("write `random`", "write `person`, `random`");
            BadSeat(told)
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Person => f.write_str("person"),
            Who::Seat(seat) => seat.fmt(f),
        }
    }
}

/// Everybody who plays. A sitter is called by its number; `exchange` moves all of them on by one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats {
    sitters: Vec<Who>,
    moved: usize,
}

impl Seats {
    /// A person for the first player, a search for all others.
    #[must_use]
    pub fn usual(players: usize) -> Seats {
        let who = |player| match player {
            0 => Who::Person,
            _ => Who::Seat(Seat::Search(Budget::default())),
        };
        Seats {
            sitters: (0..players.max(1)).map(who).collect(),
            moved: 0,
        }
    }

    /// Reads an entry for each player, with commas between, or one for all.
    ///
    /// # Errors
    /// When an entry is nobody, or there are too few or too many.
    pub fn read(text: &str, players: usize) -> Result<Seats, BadSeat> {
        let mut entries: Vec<String> = Vec::new();
        for part in text.split(',').map(str::trim) {
            // A budget of two parts has a comma of its own.
            let goes_on = part.starts_with("playouts=") || part.starts_with("time=");
            match entries.last_mut() {
                Some(before) if goes_on && before.starts_with("search:") => {
                    *before = format!("{before},{part}");
                }
                _ => entries.push(part.to_owned()),
            }
        }
        let sitters: Vec<Who> = entries
            .iter()
            .map(|e| e.parse())
            .collect::<Result<_, _>>()?;
        let sitters = match sitters.as_slice() {
            [one] => vec![*one; players],
            _ if sitters.len() == players => sitters,
            _ => {
                return Err(BadSeat(format!(
                    "`{text}` names {} players, the game has {players}: write one entry for each, or one for all",
                    sitters.len()
                )));
            }
        };
        Ok(Seats { sitters, moved: 0 })
    }

    /// All sitters, by number.
    #[must_use]
    pub fn sitters(&self) -> &[Who] {
        &self.sitters
    }

    /// The number of the sitter who plays for somebody.
    #[must_use]
    pub fn sitter(&self, person: PlayerId) -> usize {
        (usize::from(person.0) + self.moved) % self.sitters.len().max(1)
    }

    /// Who plays for somebody.
    #[must_use]
    pub fn who(&self, person: PlayerId) -> Who {
        let sitter = self.sitters.get(self.sitter(person));
        sitter.copied().unwrap_or(Who::Person)
    }

    /// Whether anybody is a person.
    #[must_use]
    pub fn has_person(&self) -> bool {
        self.sitters.contains(&Who::Person)
    }

    /// Everybody moves on by one player: two players exchange sides.
    pub fn exchange(&mut self) {
        self.moved = (self.moved + 1) % self.sitters.len().max(1);
    }

    /// Gives all searches another budget; how many there are.
    pub fn set_budget(&mut self, budget: Budget) -> usize {
        let mut changed = 0;
        for who in &mut self.sitters {
            if let Who::Seat(Seat::Search(old)) = who {
                *old = budget;
                changed += 1;
            }
        }
        changed
    }

    /// The budget of the first search, when there is one.
    #[must_use]
    pub fn budget(&self) -> Option<Budget> {
        self.sitters.iter().find_map(|who| match who {
            Who::Seat(Seat::Search(budget)) => Some(*budget),
            Who::Seat(Seat::Random) | Who::Person => None,
        })
    }
}
