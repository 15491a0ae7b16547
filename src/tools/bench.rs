//! How fast an engine is: an engine and an effort in, games played, sequences counted and the time they took out. What is
//! played does not depend on the number of threads; how much fits the time does.

use crate::engine::{Engine, OutcomeResult, PlayError, Position, Runner};
use crate::tools::perft::{Question, shared_out, tally};
use crate::tools::rng::Rng;
use cpu_time::ProcessTime;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A count that takes less is made again, with code that is ready.
const BRIEF: Duration = Duration::from_millis(20);

/// Games are played for so long or longer between two looks at the clock.
const GLANCE: Duration = Duration::from_micros(100);

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// How long games are played, and how long sequences are counted at most.
    pub time: Duration,
    /// So many games instead, however long they take.
    pub games: Option<u64>,
    /// The most actions of one game.
    pub plies: usize,
    /// How many threads work.
    pub threads: usize,
}

/// Random games from the start, with the seeds 1, 2, …
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// How many.
    pub games: u64,
    /// All their actions.
    pub actions: u64,
    /// For each player the games won.
    pub wins: Vec<u64>,
    /// For each player the games lost alone, with three players or more.
    pub losses: Vec<u64>,
    /// The games that nobody won.
    pub draws: u64,
    /// The games without an outcome: broken off, or come to where nothing can be done.
    pub open: u64,
    /// Actions that were drawn and turned out not to be legal.
    pub refused: u64,
}

/// Games, and the time that they took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The games.
    pub games: Games,
    /// By the clock on the wall.
    pub wall: Duration,
    /// By the clock of the process, all threads together.
    pub cpu: Duration,
}

/// Sequences, and the time that counting them took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The number of actions.
    pub depth: usize,
    /// The number of sequences.
    pub count: u64,
    /// By the clock on the wall.
    pub wall: Duration,
}

impl Games {
    fn of(players: usize) -> Games {
        Games {
            wins: vec![0; players],
            losses: vec![0; players],
            ..Games::default()
        }
    }

    fn add(&mut self, more: &Games) {
        self.games += more.games;
        self.actions += more.actions;
        self.draws += more.draws;
        self.open += more.open;
        self.refused += more.refused;
        for (sum, n) in [
            (&mut self.wins, &more.wins),
            (&mut self.losses, &more.losses),
        ] {
            sum.iter_mut().zip(n).for_each(|(sum, n)| *sum += n);
        }
    }

    /// Plays the game of a seed.
    fn play(
        &mut self,
        runner: &mut Runner<'_>,
        start: &Position,
        seed: u64,
        plies: usize,
    ) -> Result<(), PlayError> {
        let mut rng = Rng::new(seed);
        let game = runner.game(start, plies, |n| rng.below(n))?;
        self.games += 1;
        self.actions += u64::try_from(game.plies).unwrap_or(u64::MAX);
        self.refused += game.refused;
        let count = |numbers: &mut Vec<u64>, player: u8| {
            if let Some(n) = numbers.get_mut(usize::from(player)) {
                *n += 1;
            }
        };
        match game.outcome.map(|outcome| outcome.result) {
            None => self.open += 1,
            Some(OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. }) => {
                self.draws += 1;
            }
            Some(
                OutcomeResult::Win(player)
                | OutcomeResult::Scores {
                    winner: Some(player),
                    ..
                },
            ) => count(&mut self.wins, player.0),
            Some(OutcomeResult::Lose(player)) => count(&mut self.losses, player.0),
        }
        Ok(())
    }
}

/// Plays random games, after one that is not counted; always the games 1, 2, … without a gap.
///
/// # Errors
///
/// When the rules fail.
pub fn play(engine: &Engine, effort: Effort) -> Result<Played, PlayError> {
    let players = engine.program().players.len();
    let start = engine.initial();
    Games::of(players).play(&mut Runner::new(engine), &start, 1, effort.plies)?;
    let next = AtomicU64::new(1);
    let workers: Vec<()> = vec![(); effort.threads.max(1)];
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let parts = shared_out(workers.len(), &workers, |()| {
        let (mut runner, mut mine) = (Runner::new(engine), Games::of(players));
        let mut batch = 1;
        loop {
            if effort.games.is_none() && wall.elapsed() >= effort.time {
                return Ok(mine);
            }
            // The clock is looked at seldom when games are short.
            let (first, begun) = (next.fetch_add(batch, Ordering::Relaxed), Instant::now());
            for seed in first..first.saturating_add(batch) {
                if effort.games.is_some_and(|games| seed > games) {
                    return Ok(mine);
                }
                mine.play(&mut runner, &start, seed, effort.plies)?;
            }
            if begun.elapsed() < GLANCE {
                batch *= 2;
            }
        }
    });
    let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
    let mut games = Games::of(players);
    for part in parts {
        games.add(&part?);
    }
    Ok(Played { games, wall, cpu })
}

/// Counts sequences, one action longer each time, as long as the next count is likely to fit the time.
///
/// # Errors
///
/// When the rules fail.
pub fn count(engine: &Engine, effort: Effort) -> Result<Counted, PlayError> {
    let start = engine.initial();
    let begun = Instant::now();
    let mut done = Counted {
        depth: 0,
        count: 1,
        wall: Duration::ZERO,
    };
    loop {
        let question = Question {
            depth: done.depth + 1,
            by_turns: false,
            divided: false,
        };
        let timed = || {
            let one = Instant::now();
            let tally = tally(engine, &start, question, effort.threads)?;
            Ok::<_, PlayError>(Counted {
                depth: question.depth,
                count: tally.counts.last().copied().unwrap_or(0),
                wall: one.elapsed(),
            })
        };
        let mut next = timed()?;
        // What is over so soon was mostly waiting for code.
        if next.wall < BRIEF {
            engine.settle();
            next = timed()?;
        }
        if next.count == 0 {
            return Ok(done);
        }
        let grown = next.count as f64 / done.count as f64;
        done = next;
        // Games branch out as they go on.
        let expected = done.wall.as_secs_f64() * grown.max(1.0) * 1.2;
        if begun.elapsed().as_secs_f64() + expected > effort.time.as_secs_f64() {
            return Ok(done);
        }
        if done.count == u64::MAX || done.depth >= effort.plies {
            return Ok(done);
        }
    }
}

/// So many things a second; 0 when no time was measured.
#[must_use]
pub fn rate(things: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 {
        things as f64 / seconds
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::PlayError;
    use crate::tools::bench::{Effort, count, play, rate};
    use crate::tools::perft::counts;
    use crate::tools::testing::{for_ever, no_end, three_in_a_row};
    use std::time::Duration;

    const SOME: Effort = Effort {
        time: Duration::from_millis(50),
        games: Some(200),
        plies: 100,
        threads: 1,
    };

    #[test]
    fn games_do_not_depend_on_the_threads() -> Result<(), PlayError> {
        let engine = three_in_a_row();
        let alone = play(&engine, SOME)?.games;
        assert_eq!(alone.games, 200);
        assert!(alone.wins[0] > alone.wins[1] && alone.wins[1] > 0 && alone.draws > 0);
        assert_eq!(alone.wins[0] + alone.wins[1] + alone.draws, 200);
        assert_eq!((alone.open, alone.losses.iter().sum::<u64>()), (0, 0));
        assert!((200 * 5..=200 * 9).contains(&alone.actions));
        for threads in [2, 3, 500] {
            assert_eq!(play(&engine, Effort { threads, ..SOME })?.games, alone);
        }
        Ok(())
    }

    #[test]
    fn time_ends_what_is_played_and_counted() -> Result<(), PlayError> {
        let timed = Effort {
            games: None,
            ..SOME
        };
        let played = play(&three_in_a_row(), timed)?;
        assert!(played.games.games > 0 && played.wall >= SOME.time);
        let again = Effort {
            games: Some(played.games.games),
            ..SOME
        };
        assert_eq!(play(&three_in_a_row(), again)?.games, played.games);
        // The same one action for ever: only the number of actions ends it.
        let engine = for_ever();
        let counted = count(&engine, timed)?;
        let all = counts(&engine, &engine.initial(), counted.depth, false)?;
        assert_eq!(all.last(), Some(&counted.count));
        Ok(())
    }

    #[test]
    fn games_without_an_outcome_are_open() -> Result<(), PlayError> {
        assert_eq!(play(&no_end(), SOME)?.games.open, 200);
        let short = Effort { plies: 3, ..SOME };
        let games = play(&three_in_a_row(), short)?.games;
        assert_eq!((games.open, games.actions), (200, 600));
        Ok(())
    }

    #[test]
    fn counting_ends_with_the_game() -> Result<(), PlayError> {
        let engine = three_in_a_row();
        let long = Effort {
            time: Duration::from_secs(3600),
            ..SOME
        };
        let counted = count(&engine, long)?;
        assert_eq!((counted.depth, counted.count), (9, 127_872));
        Ok(())
    }

    #[test]
    fn no_time_is_no_speed() {
        assert_eq!(rate(5, Duration::from_millis(500)), 10.0);
        assert_eq!(rate(5, Duration::ZERO), 0.0);
    }
}
