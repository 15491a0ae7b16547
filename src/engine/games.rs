//! Random games of a runner: positions and numbers that are drawn in, how games went out. A game is one function of the kernel, or is
//! played question by question where there is none; both draw the same actions.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::observed::Observer;
use crate::engine::plain::Outcome;
use crate::engine::runner::{Desk, Runner};
use crate::engine::state::Position;
use crate::program::WORD_POINT;
use crate::program::kernel::{FuncId, Halt, Work};

/// How a random game went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Actions played.
    pub plies: usize,
    /// How it ended; nothing when it was broken off or came to a position without actions.
    pub outcome: Option<Outcome>,
    /// How many actions were drawn and refused.
    pub refused: u64,
}

impl<'e> Runner<'e> {
    /// Plays at random from a position, every legal action equally likely, at most `max_plies` of them. `below` draws a number
    /// below another.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn game(
        &mut self,
        position: &Position,
        max_plies: usize,
        below: impl FnMut(u64) -> u64,
    ) -> Result<Game, PlayError> {
        Ok(self.play_on(position, max_plies, below, false, None)?.0)
    }

    /// As [`Runner::game`], and leaves the position that the game came to.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn game_on(
        &mut self,
        position: &mut Position,
        max_plies: usize,
        below: impl FnMut(u64) -> u64,
    ) -> Result<Game, PlayError> {
        let (game, last) = self.play_on(position, max_plies, below, true, None)?;
        if let Some(last) = last {
            *position = last;
        }
        Ok(game)
    }

    /// A game, and the position that it came to when that is asked for or was come to by the plain engine.
    pub(super) fn play_on(
        &mut self,
        position: &Position,
        max_plies: usize,
        mut below: impl FnMut(u64) -> u64,
        tell: bool,
        mut observer: Option<&mut Observer<'_>>,
    ) -> Result<(Game, Option<Position>), PlayError> {
        let mut game = Game {
            plies: 0,
            outcome: None,
            refused: 0,
        };
        let mut last: Option<Position> = None;
        let mut open = self.open(Work::Games);
        loop {
            let from = last.as_ref().unwrap_or(position);
            if let Some((fast, desk)) = &mut open
                && fast.load(self.engine.program(), from, &mut desk.frame)
            {
                let drawing = (&mut below, observer.as_deref_mut());
                let end = self.game_in(fast, desk, (from, max_plies), drawing, &mut game);
                if tell || end.is_err() {
                    let past = Fast::past(&desk.frame);
                    last = Some(self.engine.position_in(fast, &desk.frame, past));
                }
                if end.is_ok() {
                    break;
                }
            }
            let at = last.get_or_insert_with(|| position.clone());
            let drawing = (&mut below, observer.as_deref_mut());
            if !self.step_plainly(at, max_plies, drawing, &mut game)? {
                break;
            }
        }
        if let Some((_, desk)) = open {
            self.put_back(Work::Games, desk);
        }
        Ok((game, last))
    }

    /// One action by the plain engine; false when the game is over.
    fn step_plainly(
        &mut self,
        position: &mut Position,
        max_plies: usize,
        (below, observer): (&mut impl FnMut(u64) -> u64, Option<&mut Observer<'_>>),
        game: &mut Game,
    ) -> Result<bool, PlayError> {
        game.outcome = self.engine.outcome_plainly(position)?;
        let over = game.outcome.is_some();
        if observer.is_none() && (over || game.plies >= max_plies) {
            return Ok(false);
        }
        let actions = if over {
            Vec::new()
        } else {
            self.engine.list_plainly(position)?
        };
        let goes_on =
            observer.is_none_or(|o| o.look_plainly(self.engine(), position, actions.len()));
        if actions.is_empty() || game.plies >= max_plies || !goes_on {
            return Ok(false);
        }
        let nth = below(actions.len() as u64) as usize;
        *position = self.engine.play(position, &actions[nth]);
        game.plies += 1;
        Ok(true)
    }

    /// Plays on in memory, where a position is, until the game has come to its end, or to where nothing can be done. Where the kernel
    /// gives up memory is left as it was before.
    fn game_in(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (from, max_plies): (&Position, usize),
        (below, observer): (&mut impl FnMut(u64) -> u64, Option<&mut Observer<'_>>),
        game: &mut Game,
    ) -> Result<(), GaveUp> {
        let seed = below(1 << 63);
        let before = (game.plies, game.refused);
        let mut held = None;
        if let Some(whole) = fast.whole_game().filter(|_| observer.is_none()) {
            held = self
                .whole_game(fast, desk, (whole, seed, max_plies), below, game)
                .ok();
            if held.is_none() {
                // It may have given up in the middle of a question: the same again, step by step, as far as that goes.
                (game.plies, game.refused) = before;
                if !fast.load(self.engine.program(), from, &mut desk.frame) {
                    return Err(GaveUp);
                }
            }
        }
        let held = match (held, observer) {
            (Some(held), _) => held,
            (None, None) => self.step_by_step(fast, desk, (seed, max_plies), below, game)?,
            (None, Some(observer)) => {
                self.look_on(fast, desk, (seed, max_plies), (below, observer), game)?
            }
        };
        game.outcome = self.outcome_of(fast, desk, held)?;
        Ok(())
    }

    /// How the game ended in memory, where an end holds, or perhaps one that asks whether anything can be done. Where the kernel gives
    /// up memory is left as it was before.
    fn outcome_of(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        mut held: Held,
    ) -> Result<Option<Outcome>, GaveUp> {
        let asks = |(end, me): (usize, u8)| fast.kernel.scores[usize::from(me)][end].is_some();
        let kept = held
            .get()
            .is_none_or(asks)
            .then(|| self.keep(fast, &desk.frame));
        let mut tell = || {
            if held == Held::NONE {
                // Now with the ends that ask whether anything can be done.
                held = fast.end(self.engine.program(), &mut desk.frame, &desk.start, false)?;
            }
            let outcome = held
                .get()
                .map(|(end, me)| self.engine.outcome_in(fast, &mut desk.frame, end, me));
            outcome.transpose()
        };
        let outcome = tell();
        match kept {
            Some(kept) if outcome.is_err() => self.bring_back(kept, &mut desk.frame),
            Some((words, _)) => self.kept = words,
            None => {}
        }
        outcome
    }

    /// A game as one function of the kernel: the end that holds.
    fn whole_game(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (whole, seed, max_plies): (FuncId, u64, usize),
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<Held, GaveUp> {
        let mut held = Held::NONE;
        let mut goes_on = true;
        fast.begin_game(&mut desk.frame, &desk.start, seed);
        while goes_on && held == Held::NONE {
            match fast.play_at_random(whole, &mut desk.frame, max_plies, game)? {
                Halt::Limit | Halt::Nothing => goes_on = false,
                Halt::Ended => held = fast.held(&desk.frame),
                Halt::Rare => {
                    (held, goes_on) = self.step_in(fast, desk, max_plies, (below, None), game)?;
                }
            }
        }
        Ok(held)
    }

    /// A game question by question: the end that holds.
    fn step_by_step(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (mut seed, max_plies): (u64, usize),
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<Held, GaveUp> {
        loop {
            let kept = self.keep(fast, &desk.frame);
            let drawing = (&mut *below, Some(&mut seed));
            match self.step_in(fast, desk, max_plies, drawing, game) {
                Ok((Held::NONE, true)) => self.kept = kept.0,
                Ok((held, _)) => return Ok(held),
                Err(why) => {
                    self.bring_back(kept, &mut desk.frame);
                    return Err(why);
                }
            }
        }
    }

    /// The state in memory, and how many positions came before it.
    pub(super) fn keep(&mut self, fast: &Fast, frame: &Frame) -> (Vec<u64>, usize) {
        let mut words = std::mem::take(&mut self.kept);
        words.clear();
        words.extend_from_slice(&frame.mem[..fast.kernel.room.kept as usize]);
        (words, frame.past.len())
    }

    pub(super) fn bring_back(&mut self, (words, past): (Vec<u64>, usize), frame: &mut Frame) {
        frame.mem[..words.len()].copy_from_slice(&words);
        frame.past.truncate(past);
        self.kept = words;
    }

    /// One action, question by question: the end that holds instead, and whether one was played. With a seed it is the one that
    /// a random game of the kernel draws with that seed.
    fn step_in(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        max_plies: usize,
        (below, seed): (&mut impl FnMut(u64) -> u64, Option<&mut u64>),
        game: &mut Game,
    ) -> Result<(Held, bool), GaveUp> {
        let program = self.engine.program();
        let held = fast.end(program, &mut desk.frame, &desk.start, true)?;
        if held != Held::NONE || game.plies >= max_plies {
            return Ok((held, false));
        }
        Ok((held, self.go_on(fast, desk, (below, seed), game)?))
    }

    /// One action from the position in memory, where no end holds; false when there is none. With a seed it is the one that a random
    /// game of the kernel draws with that seed.
    pub(super) fn go_on(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (below, seed): (&mut impl FnMut(u64) -> u64, Option<&mut u64>),
        game: &mut Game,
    ) -> Result<bool, GaveUp> {
        let program = self.engine.program();
        let frame = &mut *desk.frame;
        let entry = fast.entry(program, frame)?;
        let total = fast.list(entry.list, frame)?;
        let keys = (program.looks_back && frame.mem[WORD_POINT] == 0).then(|| fast.keys(frame));
        let play = entry.play;
        let doubtful = total > 1 && fast.doubtful(frame);
        let numbers = match doubtful {
            true => self.told_apart(fast, frame)?,
            false => None,
        };
        let played = if let Some(numbers) = numbers {
            self.draw(
                fast,
                frame,
                (play, numbers.len(), Some(&numbers)),
                below,
                game,
            )?
        } else {
            // A kernel may be in doubt where another is not: what differs after all is drawn alike.
            let mut held = seed.is_none().then(|| fast.seed(frame));
            let seed = match &mut held {
                Some(held) if doubtful => Some(held),
                _ => seed,
            };
            let drawn = fast.draw_seeded(play, frame, (total as u64, seed), &mut game.refused)?;
            if let Some(held) = held {
                fast.set_seed(frame, held);
            }
            drawn || self.draw(fast, frame, (play, total, None), below, game)?
        };
        if played {
            desk.frame.past.extend(keys);
            game.plies += 1;
        }
        Ok(played)
    }

    /// Of the actions that were just listed the numbers of those that differ in text, which the kernel for counting knows; nothing
    /// when all do.
    fn told_apart(&mut self, fast: &Fast, frame: &mut Frame) -> Result<Option<Vec<usize>>, GaveUp> {
        let (telling, mut desk) = self.open(Work::Counting).ok_or(GaveUp)?;
        std::mem::swap(&mut desk.frame.past, &mut frame.past);
        let numbers = telling.distinct_of(self.engine.program(), fast, frame, &mut desk.frame);
        std::mem::swap(&mut desk.frame.past, &mut frame.past);
        self.put_back(Work::Counting, desk);
        numbers
    }

    /// Plays one of so many candidates; false when none is legal.
    fn draw(
        &mut self,
        fast: &Fast,
        frame: &mut Frame,
        (play, total, numbers): (FuncId, usize, Option<&[usize]>),
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<bool, GaveUp> {
        self.tried.clear();
        let room = &fast.kernel.room;
        let (used, count) = (room.moves_used as usize, room.moves_count as usize);
        while self.tried.len() < total {
            let mut nth = below((total - self.tried.len()) as u64) as usize;
            // Those that were refused are passed over; they are kept in order.
            for t in &self.tried {
                if *t <= nth {
                    nth += 1;
                } else {
                    break;
                }
            }
            let kept = (frame.mem[used], frame.mem[count]);
            let nth_of_list = numbers.map_or(nth, |n| n[nth]);
            if fast.choose(frame, nth_of_list)? && fast.play(play, frame)? {
                return Ok(true);
            }
            (frame.mem[used], frame.mem[count]) = kept;
            game.refused += 1;
            let at = self.tried.partition_point(|t| *t < nth);
            self.tried.insert(at, nth);
        }
        Ok(false)
    }
}
