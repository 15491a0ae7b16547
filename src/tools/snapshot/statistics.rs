//! Seeded games in, how long they were and how they ended out. The numbers follow from the games and are never stored alone.

use crate::tools::snapshot::{Ending, Game};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// The numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// How many games.
    pub games: usize,
    /// Their mean length in actions, in tenths, rounded.
    pub mean_tenths: usize,
    /// The length of the shortest.
    pub shortest: usize,
    /// The length of the longest.
    pub longest: usize,
    /// How often each result came, by its words: wins of each player, draws, and what else there was.
    pub results: Vec<(String, usize)>,
    /// How often each end came, by its name.
    pub ends: Vec<(String, usize)>,
}

/// The numbers of some games; every player has a line, whether he won or not.
#[must_use]
pub fn statistics(players: &[String], games: &[Game]) -> Statistics {
    let count = games.len();
    let lengths = || games.iter().map(|game| game.plies);
    let sum: usize = lengths().sum();
    let of = |wanted: &dyn Fn(&Ending) -> bool| games.iter().filter(|g| wanted(&g.ending)).count();
    let mut results = Vec::new();
    for name in players {
        let wins = of(&|e| matches!(e, Ending::Wins(winner, _) if winner == name));
        results.push((format!("{name} wins"), wins));
    }
    for name in players {
        let lost = of(&|e| matches!(e, Ending::Loses(loser, _) if loser == name));
        results.extend((lost > 0).then(|| (format!("{name} loses"), lost)));
    }
    results.push(("draws".to_owned(), of(&|e| matches!(e, Ending::Draw(_)))));
    results.push(("unfinished".to_owned(), of(&|e| *e == Ending::Unfinished)));
    let stuck = of(&|e| *e == Ending::Stuck);
    results.extend((stuck > 0).then(|| ("stuck".to_owned(), stuck)));
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for game in games {
        if let Ending::Wins(_, by) | Ending::Loses(_, by) | Ending::Draw(by) = &game.ending
            && !by.is_empty()
        {
            *ends.entry(by.clone()).or_default() += 1;
        }
    }
    Statistics {
        games: count,
        mean_tenths: (sum * 10 + count / 2).checked_div(count).unwrap_or(0),
        shortest: lengths().min().unwrap_or(0),
        longest: lengths().max().unwrap_or(0),
        results,
        ends: ends.into_iter().collect(),
    }
}

impl Statistics {
    /// The mean length: `425.3`.
    #[must_use]
    pub fn mean(&self) -> String {
        format!("{}.{}", self.mean_tenths / 10, self.mean_tenths % 10)
    }
}

impl Display for Statistics {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "  games: {}", self.games)?;
        writeln!(
            f,
            "  length: {}, from {} to {}",
            self.mean(),
            self.shortest,
            self.longest
        )?;
        for (words, n) in &self.results {
            writeln!(f, "  {words}: {n}")?;
        }
        for (name, n) in &self.ends {
            writeln!(f, "  end \"{name}\": {n}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::snapshot::{Ending, Game, statistics};

    #[test]
    fn games_are_counted_by_result_and_end() {
        let game = |plies, ending| Game {
            seed: 1,
            plies,
            ending,
            hash: 0,
        };
        let games = [
            game(10, Ending::Wins("Black".into(), "home".into())),
            game(4, Ending::Draw("home".into())),
            game(7, Ending::Unfinished),
            game(7, Ending::Stuck),
        ];
        let told = statistics(&["White".into(), "Black".into()], &games).to_string();
        let expected = "  games: 4\n  length: 7.0, from 4 to 10\n  White wins: 0\n  Black wins: 1\n  draws: 1\n  \
                        unfinished: 1\n  stuck: 1\n  end \"home\": 2\n";
        assert_eq!(told, expected);
        assert_eq!(statistics(&[], &[]).mean(), "0.0");
        assert_eq!(statistics(&[], &games[..2]).mean(), "7.0");
        assert_eq!(
            statistics(
                &[],
                &[
                    games[0].clone(),
                    games[1].clone(),
                    games[2].clone(),
                    game(6, Ending::Stuck)
                ]
            )
            .mean(),
            "6.8",
            "27 actions in 4 games are 6.75"
        );
    }
}
