//! Long runs from one position after the other, without a list of positions between: counts, random games. Uses the fast
//! engine where it can and the plain one where that gives up; nothing is allocated for an action once warm.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::plain::{Engine, Outcome};
use crate::engine::state::Position;
use crate::engine::walk::Walk;
use crate::program::WORD_POINT;
use crate::program::kernel::{FuncId, Halt};

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

/// What one level of counting remembers.
#[derive(Default)]
struct Level {
    list: Vec<u64>,
    state: Vec<u64>,
}

/// Runs an engine.
pub struct Runner<'e> {
    engine: &'e Engine,
    frame: Option<Box<Frame>>,
    start: Vec<u64>,
    levels: Vec<Level>,
    tried: Vec<usize>,
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        if let (Some(frame), Some(fast)) = (self.frame.take(), self.engine.fast()) {
            fast.give_back(*frame);
        }
    }
}

impl<'e> Runner<'e> {
    /// One for an engine.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Runner<'e> {
        let words = engine.program().layout.state;
        let mut runner = Runner {
            engine,
            frame: engine.fast().map(|fast| Box::new(fast.frame())),
            start: Vec::new(),
            levels: Vec::new(),
            tried: Vec::new(),
        };
        if let (Some(fast), Some(frame)) = (engine.fast(), &mut runner.frame) {
            let first = engine.initial();
            if fast.load(engine.program(), &first, frame) {
                runner.start = frame.mem[..words].to_vec();
                runner
                    .start
                    .extend_from_slice(&frame.mem[words..fast.kernel.room.kept as usize]);
                fast.know_start(frame, &runner.start);
            } else {
                fast.give_back(runner.frame.take().map_or_else(Frame::default, |f| *f));
            }
        }
        runner
    }

    /// The engine that is run.
    #[must_use]
    pub fn engine(&self) -> &'e Engine {
        self.engine
    }

    /// Does something with a position in a kernel's memory; nothing when there is no kernel or it gave up.
    pub(super) fn in_frame<T>(
        &mut self,
        position: &Position,
        work: impl FnOnce(&Engine, &Fast, &mut Frame) -> Result<T, GaveUp>,
    ) -> Option<T> {
        let fast = self.engine.fast()?;
        let mut frame = self.frame.take()?;
        let loaded = fast.load(self.engine.program(), position, &mut frame);
        let done = if loaded {
            work(self.engine, fast, &mut frame).ok()
        } else {
            None
        };
        self.frame = Some(frame);
        done
    }

    /// The number of sequences of exactly so many actions.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn count(&mut self, position: &Position, depth: usize) -> Result<u64, PlayError> {
        let mut counts = vec![0; depth];
        self.counts(position, &mut counts)?;
        Ok(counts.last().copied().unwrap_or(1))
    }

    /// Adds to the numbers of sequences of 1, 2 … actions.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn counts(&mut self, position: &Position, counts: &mut [u64]) -> Result<(), PlayError> {
        if counts.is_empty() {
            return Ok(());
        }
        if let (Some(fast), Some(mut frame)) = (self.engine.fast(), self.frame.take()) {
            let mut tried = counts.to_vec();
            let done = fast.load(self.engine.program(), position, &mut frame)
                && self.count_in(fast, &mut frame, &mut tried, 0).is_ok();
            self.frame = Some(frame);
            if done {
                counts.copy_from_slice(&tried);
                return Ok(());
            }
        }
        self.count_plainly(position, counts)
    }

    /// One level by positions, the next ones as fast as can be.
    fn count_plainly(&mut self, position: &Position, counts: &mut [u64]) -> Result<(), PlayError> {
        let Some((here, deeper)) = counts.split_first_mut() else {
            return Ok(());
        };
        if deeper.is_empty() {
            *here = here.saturating_add(self.engine.count_plainly(position)?);
            return Ok(());
        }
        for action in self.engine.list_plainly(position)? {
            *here = here.saturating_add(1);
            self.counts(&self.engine.play(position, &action), deeper)?;
        }
        Ok(())
    }

    fn count_in(
        &mut self,
        fast: &Fast,
        frame: &mut Frame,
        counts: &mut [u64],
        depth: usize,
    ) -> Result<(), GaveUp> {
        let program = self.engine.program();
        if fast.end(program, frame, &self.start, true)? != Held::NONE {
            return Ok(());
        }
        let entry = fast.entry(program, frame)?;
        let Some((here, deeper)) = counts.split_first_mut() else {
            return Ok(());
        };
        if deeper.is_empty() {
            fast.call(entry.count, frame)?;
            let mut many = frame.mem[fast.kernel.room.tally as usize];
            if many > 1 && fast.doubtful(frame) {
                fast.take_back(frame);
                let total = fast.list(entry.list, frame)?;
                let numbers = fast.distinct(entry, frame)?;
                many = numbers.map_or(total, |n| n.len()) as u64;
            }
            *here = here.saturating_add(many);
            if frame.mem[fast.kernel.room.log_used as usize] != 0 {
                fast.take_back(frame);
            }
            return Ok(());
        }
        let mut total = fast.list(entry.list, frame)?;
        let mut numbers: Option<Vec<usize>> = None;
        if total > 1 && fast.doubtful(frame) {
            numbers = fast.distinct(entry, frame)?;
            total = numbers.as_ref().map_or(total, Vec::len);
        }
        *here = here.saturating_add(total as u64);
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Level::default);
        }
        let mut level = std::mem::take(&mut self.levels[depth]);
        let kept = fast.kernel.room.kept as usize;
        level.state.clear();
        level.state.extend_from_slice(&frame.mem[..kept]);
        level.list.clear();
        level.list.extend_from_slice(fast.listed(frame));
        let notes = program.looks_back && frame.mem[WORD_POINT] == 0;
        if notes {
            let keys = fast.keys(frame);
            frame.past.push(keys);
        }
        let mut result = Ok(());
        let mut walk = Walk::new(fast.kernel.room.words as usize);
        let mut nth = 0;
        while walk.next(&level.list, frame, fast.kernel.room.path as usize) {
            nth += 1;
            if numbers
                .as_ref()
                .is_some_and(|n| n.binary_search(&(nth - 1)).is_err())
            {
                continue;
            }
            result = fast.play(entry.play, frame).and_then(|played| {
                if !played {
                    return Err(GaveUp);
                }
                self.count_in(fast, frame, deeper, depth + 1)
            });
            if result.is_err() {
                break;
            }
            frame.mem[..kept].copy_from_slice(&level.state);
        }
        if notes {
            frame.past.truncate(frame.past.len() - 1);
        }
        self.levels[depth] = level;
        result
    }

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
        Ok(self.play_on(position, max_plies, below, false)?.0)
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
        let (game, last) = self.play_on(position, max_plies, below, true)?;
        if let Some(last) = last {
            *position = last;
        }
        Ok(game)
    }

    /// A game, and the position that it came to when that is asked for or was come to by the plain engine.
    fn play_on(
        &mut self,
        position: &Position,
        max_plies: usize,
        mut below: impl FnMut(u64) -> u64,
        tell: bool,
    ) -> Result<(Game, Option<Position>), PlayError> {
        let mut game = Game {
            plies: 0,
            outcome: None,
            refused: 0,
        };
        let mut last: Option<Position> = None;
        if let (Some(fast), Some(mut frame)) = (self.engine.fast(), self.frame.take()) {
            while fast.load(
                self.engine.program(),
                last.as_ref().unwrap_or(position),
                &mut frame,
            ) {
                let end = self.game_in(fast, &mut frame, max_plies, &mut below, &mut game);
                if tell || end.is_err() {
                    last = Some(self.engine.position_in(fast, &frame));
                }
                if end.is_ok() {
                    self.frame = Some(frame);
                    return Ok((game, last));
                }
                let at = last.get_or_insert_with(|| position.clone());
                if !self.step_plainly(at, max_plies, &mut below, &mut game)? {
                    self.frame = Some(frame);
                    return Ok((game, last));
                }
            }
            self.frame = Some(frame);
        }
        let at = last.get_or_insert_with(|| position.clone());
        while self.step_plainly(at, max_plies, &mut below, &mut game)? {}
        Ok((game, last))
    }

    /// One action by the plain engine; false when the game is over.
    fn step_plainly(
        &mut self,
        position: &mut Position,
        max_plies: usize,
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<bool, PlayError> {
        game.outcome = self.engine.outcome_plainly(position)?;
        if game.outcome.is_some() || game.plies >= max_plies {
            return Ok(false);
        }
        let actions = self.engine.list_plainly(position)?;
        if actions.is_empty() {
            return Ok(false);
        }
        let nth = below(actions.len() as u64) as usize;
        *position = self.engine.play(position, &actions[nth]);
        game.plies += 1;
        Ok(true)
    }

    /// Plays on in memory until the game has come to its end, or to where nothing can be done.
    fn game_in(
        &mut self,
        fast: &Fast,
        frame: &mut Frame,
        max_plies: usize,
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<(), GaveUp> {
        let mut held = Held::NONE;
        let mut goes_on = true;
        let mut seed = below(1 << 63);
        if let Some(whole) = fast.whole_game() {
            fast.begin_game(frame, &self.start, seed);
            while goes_on && held == Held::NONE {
                let halt = fast.play_at_random(whole, frame, max_plies, game)?;
                match halt {
                    Halt::Limit | Halt::Nothing => goes_on = false,
                    Halt::Ended => held = fast.held(frame),
                    Halt::Rare => {
                        (held, goes_on) =
                            self.step_in(fast, frame, max_plies, (below, None), game)?;
                    }
                }
            }
        }
        while goes_on && held == Held::NONE {
            let drawing = (&mut *below, Some(&mut seed));
            (held, goes_on) = self.step_in(fast, frame, max_plies, drawing, game)?;
        }
        if held == Held::NONE {
            // Now with the ends that ask whether anything can be done.
            held = fast.end(self.engine.program(), frame, &self.start, false)?;
        }
        game.outcome = held
            .get()
            .map(|(end, me)| self.engine.outcome_in(fast, frame, end, me));
        Ok(())
    }

    /// One action, question by question: the end that holds instead, and whether one was played. With a seed it is the one that
    /// a random game of the kernel draws with that seed.
    fn step_in(
        &mut self,
        fast: &Fast,
        frame: &mut Frame,
        max_plies: usize,
        (below, seed): (&mut impl FnMut(u64) -> u64, Option<&mut u64>),
        game: &mut Game,
    ) -> Result<(Held, bool), GaveUp> {
        let program = self.engine.program();
        let held = fast.end(program, frame, &self.start, true)?;
        if held != Held::NONE || game.plies >= max_plies {
            return Ok((held, false));
        }
        let entry = fast.entry(program, frame)?;
        let mut total = fast.list(entry.candidates, frame)?;
        let mut numbers: Option<Vec<usize>> = None;
        let doubtful = total > 1 && fast.doubtful(frame);
        if doubtful {
            numbers = fast.distinct(entry, frame)?;
            total = numbers.as_ref().map_or(total, Vec::len);
        }
        let keys = (program.looks_back && frame.mem[WORD_POINT] == 0).then(|| fast.keys(frame));
        let drawn = match seed {
            Some(seed) if !doubtful => {
                fast.draw_seeded(entry.apply, frame, (total as u64, seed), &mut game.refused)?
            }
            _ => false,
        };
        let played = drawn
            || self.draw(
                fast,
                frame,
                entry.apply,
                (total, numbers.as_deref()),
                below,
                game,
            )?;
        if played {
            frame.past.extend(keys);
            game.plies += 1;
        }
        Ok((Held::NONE, played))
    }

    /// Plays one of so many candidates; false when none is legal.
    fn draw(
        &mut self,
        fast: &Fast,
        frame: &mut Frame,
        apply: FuncId,
        (total, numbers): (usize, Option<&[usize]>),
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
            fast.choose(frame, numbers.map_or(nth, |n| n[nth]));
            if fast.play(apply, frame)? {
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
