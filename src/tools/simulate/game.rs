//! One game after the other: rules, players and a number in, what the game came to out. The number and the seed of the run decide
//! the game, wherever and whenever it is played.

use crate::engine::{Action, Engine, Moment, OutcomeResult, PlayError, Position, Runner};
use crate::program::{PlayerId, mix};
use crate::tools::rng::Rng;
use crate::tools::search::{Seat, Settings, Sitting};
use crate::tools::simulate::leads;
use crate::tools::simulate::plan::{Configuration, Plan};
use crate::tools::simulate::tally::{Played, Tally};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the games of a configuration are played.
#[derive(Debug)]
pub struct Arena<'p> {
    /// The rules.
    pub engine: &'p Engine,
    /// Where games begin.
    pub start: Position,
    /// Who plays: one for all, or one a player in the order of play.
    pub seats: &'p [Seat],
    /// The whole plan,
    pub plan: &'p Plan,
    /// and what of it is played here.
    pub configuration: &'p Configuration,
}

/// Numbers that keep what is drawn for different ends apart.
const FOR_SEATS: u64 = 1;
const FOR_LEADS: u64 = 2;

/// What is known of a game on its way.
#[derive(Default)]
struct Course {
    played: Played,
    /// The turns that were begun behind the first.
    turns: u64,
    /// Whether the position it has come to is between two turns.
    begins: bool,
    /// The keys of positions between two turns.
    seen: FxHashSet<u64>,
    /// Who led, when that is looked at.
    lead: Option<leads::Course>,
}

impl Course {
    /// A position, which has a key where it is between two turns.
    fn come_to(&mut self, begins: Option<u64>, position: impl FnOnce() -> Position) {
        self.begins = begins.is_some();
        let Some(key) = begins else { return };
        self.turns += u64::from(self.played.plies > 0);
        self.played.starts += 1;
        self.played.repeats += u64::from(!self.seen.insert(key));
        if let Some(lead) = &mut self.lead {
            lead.pass(position());
        }
    }

    /// One of so many actions is played.
    fn decide(&mut self, legal: u64) {
        self.played.branching.note(legal);
        self.played.plies += 1;
    }
}

/// What was found out of a decision.
struct Decision {
    action: Action,
    /// What the player of that number can expect, when that was estimated.
    expects: Option<(PlayerId, f64)>,
}

impl Arena<'_> {
    /// Plays the game of a number and counts it; false when it was stopped, and not counted.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn play(
        &self,
        runner: &mut Runner<'_>,
        number: u64,
        stop: &AtomicBool,
        tally: &mut Tally,
    ) -> Result<bool, PlayError> {
        let seed = self.seed_of(number);
        let look = number < self.plan.leads;
        let played = if self.plan.quick {
            Some(self.quickly(runner, seed)?)
        } else if self.seats.iter().all(|seat| *seat == Seat::Random) {
            self.observed(runner, seed, look, stop)?
        } else {
            self.whole(runner, seed, look, stop)?
        };
        let Some((played, last)) = played else {
            return Ok(false);
        };
        let person = |player| self.engine.person(&last, player);
        tally.note(self.configuration, &played, person);
        Ok(true)
    }

    /// The seed of a game. The same rules have the same games in every run of the same seed.
    fn seed_of(&self, number: u64) -> u64 {
        let rules = self.engine.rules_hash();
        mix(mix(mix(self.plan.seed) ^ rules).wrapping_add(number))
    }

    /// The most actions of a game.
    fn most(&self) -> usize {
        usize::try_from(self.plan.max_plies).unwrap_or(usize::MAX)
    }

    fn exchanged(&self, last: &Position) -> bool {
        self.engine.person(last, PlayerId(0)) != PlayerId(0)
    }

    /// A game of which only the outcome and the number of actions is known.
    fn quickly(&self, runner: &mut Runner<'_>, seed: u64) -> Result<(Played, Position), PlayError> {
        let mut rng = Rng::new(mix(seed ^ FOR_SEATS));
        let mut last = self.start.clone();
        let game = runner.game_on(&mut last, self.most(), |n| rng.below(n))?;
        let played = Played {
            broken: game.outcome.is_none() && game.plies >= self.most(),
            exchanged: self.exchanged(&last),
            outcome: game.outcome,
            plies: u64::try_from(game.plies).unwrap_or(u64::MAX),
            ..Played::default()
        };
        Ok((played, last))
    }

    /// A game of random players of which every position is looked at, the same as without; nothing when it was stopped.
    fn observed(
        &self,
        runner: &mut Runner<'_>,
        seed: u64,
        look: bool,
        stop: &AtomicBool,
    ) -> Result<Option<(Played, Position)>, PlayError> {
        let mut rng = Rng::new(mix(seed ^ FOR_SEATS));
        let mut last = self.start.clone();
        let mut course = self.course(look);
        let mut goes_on = false;
        let see = |moment: &Moment<'_>| {
            course.come_to(moment.begins, || moment.position());
            goes_on = moment.legal > 0;
            if goes_on && course.played.plies < self.plan.max_plies {
                course.decide(moment.legal);
            }
            !stop.load(Ordering::Relaxed)
        };
        let game = runner.observed_game(&mut last, self.most(), |n| rng.below(n), see)?;
        let Some(game) = game else { return Ok(None) };
        course.played.broken = game.outcome.is_none() && goes_on;
        course.played.outcome = game.outcome;
        self.conclude(course, last, (runner, seed), stop)
    }

    /// The course of a game that begins.
    fn course(&self, look: bool) -> Course {
        let lead = || leads::Course::of(self.configuration.players.len(), self.seats);
        Course {
            lead: look.then(lead),
            ..Course::default()
        }
    }

    /// What is told of a game that came to a position; nothing when it was stopped.
    fn conclude(
        &self,
        course: Course,
        last: Position,
        (runner, seed): (&mut Runner<'_>, u64),
        stop: &AtomicBool,
    ) -> Result<Option<(Played, Position)>, PlayError> {
        let Course {
            mut played,
            mut turns,
            begins,
            lead,
            ..
        } = course;
        // The end of the game cuts a turn short.
        turns += u64::from(played.plies > 0 && !begins && played.outcome.is_some());
        played.turns = Some(turns);
        played.exchanged = self.exchanged(&last);
        if let Some(lead) = lead {
            let mut rng = Rng::new(mix(seed ^ FOR_LEADS));
            let points = |position: &Position| self.points(runner, position, &mut rng, stop);
            played.leads = Some(lead.changes(points)?);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        Ok(Some((played, last)))
    }

    /// A game of players who think, of which every position is looked at; nothing when it was stopped.
    fn whole(
        &self,
        runner: &mut Runner<'_>,
        seed: u64,
        look: bool,
        stop: &AtomicBool,
    ) -> Result<Option<(Played, Position)>, PlayError> {
        let mut sitting = self.sit(mix(seed ^ FOR_SEATS));
        let mut position = self.start.clone();
        let mut course = self.course(look);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let actions = self.engine.legal_actions(&position)?;
            // Positions without legal actions are ends, or ought to be.
            if actions.is_empty() || course.played.plies >= self.plan.max_plies {
                course.played.outcome = self.engine.outcome(&position)?;
            }
            let begins = self.engine.starts_turn(&position);
            let key = begins.then(|| self.engine.repetition_key(&position));
            course.come_to(key, || position.clone());
            if course.played.outcome.is_some() || actions.is_empty() {
                break;
            }
            if course.played.plies >= self.plan.max_plies {
                course.played.broken = true;
                break;
            }
            course.decide(actions.len() as u64);
            let Some(decision) = self.decide(&mut sitting, &position, actions, stop)? else {
                return Ok(None);
            };
            if let (Some(lead), Some((person, value))) = (&mut course.lead, decision.expects) {
                lead.hear(person, value);
            }
            position = self.engine.play(&position, &decision.action);
        }
        self.conclude(course, position, (runner, seed), stop)
    }

    /// Everybody who plays: one for each person.
    fn sit(&self, seed: u64) -> Vec<Sitting<'_>> {
        let persons = 0..self.configuration.players.len();
        let sit = |person: usize| {
            let seat = self.seats.get(person).or(self.seats.first());
            let settings = Settings {
                seed: mix(seed.wrapping_add(person as u64)),
                threads: 1,
                ..Settings::default()
            };
            seat.copied()
                .unwrap_or(Seat::Random)
                .sit(self.engine, settings)
        };
        persons.map(sit).collect()
    }

    /// What the person to move does; nothing when that was stopped.
    fn decide(
        &self,
        sitting: &mut [Sitting<'_>],
        position: &Position,
        mut actions: Vec<Action>,
        stop: &AtomicBool,
    ) -> Result<Option<Decision>, PlayError> {
        let person = self.engine.person(position, self.engine.to_move(position));
        let (number, expects) = match sitting.get_mut(usize::from(person.0)) {
            Some(Sitting::Random { rng, .. }) => (rng.index(actions.len()), None),
            Some(Sitting::Search(search)) => {
                let report = search.think(position, stop, &mut |_| ())?;
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let best = report.best();
                let number = best.and_then(|b| actions.iter().position(|a| a.text == b.action));
                (number, best.map(|best| (person, best.value)))
            }
            None => (None, None),
        };
        let action = actions.swap_remove(number.unwrap_or(0));
        Ok(Some(Decision { action, expects }))
    }

    /// How many of some random games from a position each person gains.
    fn points(
        &self,
        runner: &mut Runner<'_>,
        position: &Position,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Result<Vec<u64>, PlayError> {
        let players = self.configuration.players.len();
        let mut points = vec![0; players];
        for _ in 0..leads::PLAYOUTS {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut last = position.clone();
            let game = runner.game_on(&mut last, self.most(), |n| rng.below(n))?;
            let result = game.outcome.map(|outcome| outcome.result);
            let mut gains = |player: PlayerId| {
                let person = self.engine.person(&last, player);
                if let Some(points) = points.get_mut(usize::from(person.0)) {
                    *points += 1;
                }
            };
            match result {
                Some(
                    OutcomeResult::Win(winner)
                    | OutcomeResult::Scores {
                        winner: Some(winner),
                        ..
                    },
                ) => gains(winner),
                Some(OutcomeResult::Lose(loser)) => (0..players)
                    .filter_map(|p| u8::try_from(p).ok().map(PlayerId))
                    .filter(|p| *p != loser)
                    .for_each(gains),
                Some(OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. }) | None => {}
            }
        }
        Ok(points)
    }
}
