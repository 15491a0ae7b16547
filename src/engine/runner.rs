//! Long runs from one position after the other, without a list of positions between: counts, random games. Uses the fast
//! engine where it can and the plain one where that gives up; nothing is allocated for an action once warm.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::plain::{Engine, Outcome};
use crate::engine::state::Position;
use crate::engine::walk::Walk;
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

/// What one level of counting remembers.
#[derive(Default)]
struct Level {
    list: Vec<u64>,
    state: Vec<u64>,
}

/// A kernel and what it needs to run: memory, and the words of a state at the start of a game there.
struct Desk<'e> {
    fast: &'e Fast,
    frame: Box<Frame>,
    start: Vec<u64>,
}

/// Runs an engine.
pub struct Runner<'e> {
    engine: &'e Engine,
    /// For each work one, made when it is first needed.
    desks: [Option<Desk<'e>>; Work::ALL.len()],
    /// For which work none can be made.
    without: [bool; Work::ALL.len()],
    levels: Vec<Level>,
    tried: Vec<usize>,
    /// A state that may be brought back.
    kept: Vec<u64>,
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        for desk in self.desks.iter_mut().filter_map(Option::take) {
            desk.fast.give_back(*desk.frame);
        }
    }
}

impl<'e> Runner<'e> {
    /// One for an engine.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Runner<'e> {
        Runner {
            engine,
            desks: [const { None }; Work::ALL.len()],
            without: [false; Work::ALL.len()],
            levels: Vec::new(),
            tried: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// The kernel for some work and its desk, which is to be put back; nothing when there is none.
    fn open(&mut self, work: Work) -> Option<(&'e Fast, Desk<'e>)> {
        let at = work as usize;
        let desk = match self.desks[at].take() {
            Some(desk) => desk,
            None if self.without[at] => return None,
            None => {
                let desk = self.engine.fast(work).and_then(|fast| self.desk(fast));
                self.without[at] = desk.is_none();
                desk?
            }
        };
        Some((desk.fast, desk))
    }

    fn desk(&self, fast: &'e Fast) -> Option<Desk<'e>> {
        let mut frame = Box::new(fast.frame());
        if !fast.load(self.engine.program(), &self.engine.initial(), &mut frame) {
            fast.give_back(*frame);
            return None;
        }
        let start = frame.mem[..fast.kernel.room.kept as usize].to_vec();
        fast.know_start(&mut frame, &start);
        Some(Desk { fast, frame, start })
    }

    fn put_back(&mut self, work: Work, desk: Desk<'e>) {
        self.desks[work as usize] = Some(desk);
    }

    /// The engine that is run.
    #[must_use]
    pub fn engine(&self) -> &'e Engine {
        self.engine
    }

    /// Does something with a position in a kernel's memory; nothing when there is no kernel or it gave up.
    pub(super) fn in_frame<T>(
        &mut self,
        work: Work,
        position: &Position,
        ask: impl FnOnce(&Engine, &Fast, &mut Frame) -> Result<T, GaveUp>,
    ) -> Option<T> {
        let (fast, mut desk) = self.open(work)?;
        let loaded = fast.load(self.engine.program(), position, &mut desk.frame);
        let done = if loaded {
            ask(self.engine, fast, &mut desk.frame).ok()
        } else {
            None
        };
        self.put_back(work, desk);
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
        if let Some((fast, mut desk)) = self.open(Work::Counting) {
            let mut tried = counts.to_vec();
            let load = |frame: &mut Frame| fast.load(self.engine.program(), position, frame);
            let deep = fast.deep(counts.len());
            let done = deep.is_some_and(|deep| {
                load(&mut desk.frame) && fast.count_deep(deep, &mut desk.frame, &mut tried)
            });
            let done = done
                || load(&mut desk.frame) && self.count_in(fast, &mut desk, &mut tried, 0).is_ok();
            self.put_back(Work::Counting, desk);
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
        desk: &mut Desk<'e>,
        counts: &mut [u64],
        depth: usize,
    ) -> Result<(), GaveUp> {
        let program = self.engine.program();
        let frame = &mut *desk.frame;
        if fast.end(program, frame, &desk.start, true)? != Held::NONE {
            return Ok(());
        }
        let entry = fast.entry(program, frame)?;
        let Some((here, deeper)) = counts.split_first_mut() else {
            return Ok(());
        };
        if deeper.is_empty() {
            fast.call(entry.counting.ok_or(GaveUp)?.count, frame)?;
            let mut many = frame.mem[fast.kernel.room.tally as usize];
            if many > 1 && fast.doubtful(frame) {
                fast.take_back(frame);
                let total = fast.list(entry.list, frame)?;
                let numbers = fast.distinct(program, entry, frame)?;
                many = numbers.map_or(total, |n| n.len()) as u64;
            }
            *here = here.saturating_add(many);
            if frame.mem[fast.kernel.room.log_used as usize] != 0 {
                fast.take_back(frame);
            }
            return Ok(());
        }
        let any = entry.counting.ok_or(GaveUp)?.any;
        let mut total = fast.list(any, frame)?;
        let mut numbers: Option<Vec<usize>> = None;
        if total > 1 && fast.doubtful(frame) {
            numbers = fast.distinct(program, entry, frame)?;
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
        let pairs = fast.pairs().filter(|_| numbers.is_none());
        if let (Some(pairs), [behind]) = (pairs, &mut *deeper) {
            let many = fast.behind_each(pairs, &mut desk.frame, &level.list);
            desk.frame.mem[..kept].copy_from_slice(&level.state);
            if let Some(many) = many {
                *behind = behind.saturating_add(many);
                if notes {
                    desk.frame.past.truncate(desk.frame.past.len() - 1);
                }
                self.levels[depth] = level;
                return Ok(());
            }
        }
        let mut result = Ok(());
        let mut walk = Walk::new(fast.kernel.room.words as usize);
        let mut nth = 0;
        while walk.next(&level.list, &mut desk.frame, fast.kernel.room.path as usize) {
            nth += 1;
            if numbers
                .as_ref()
                .is_some_and(|n| n.binary_search(&(nth - 1)).is_err())
            {
                continue;
            }
            result = fast.play(entry.play, &mut desk.frame).and_then(|played| {
                if !played {
                    return Err(GaveUp);
                }
                self.count_in(fast, desk, deeper, depth + 1)
            });
            if result.is_err() {
                break;
            }
            desk.frame.mem[..kept].copy_from_slice(&level.state);
        }
        if notes {
            let frame = &mut desk.frame;
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
        if let Some((fast, mut desk)) = self.open(Work::Games) {
            while fast.load(
                self.engine.program(),
                last.as_ref().unwrap_or(position),
                &mut desk.frame,
            ) {
                let from = last.as_ref().unwrap_or(position);
                let end = self.game_in(fast, &mut desk, (from, max_plies), &mut below, &mut game);
                if tell || end.is_err() {
                    last = Some(self.engine.position_in(
                        fast,
                        &desk.frame,
                        Fast::past(&desk.frame),
                    ));
                }
                if end.is_ok() {
                    self.put_back(Work::Games, desk);
                    return Ok((game, last));
                }
                let at = last.get_or_insert_with(|| position.clone());
                if !self.step_plainly(at, max_plies, &mut below, &mut game)? {
                    self.put_back(Work::Games, desk);
                    return Ok((game, last));
                }
            }
            self.put_back(Work::Games, desk);
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

    /// Plays on in memory, where a position is, until the game has come to its end, or to where nothing can be done. Where the kernel
    /// gives up memory is left as it was before.
    fn game_in(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (from, max_plies): (&Position, usize),
        below: &mut impl FnMut(u64) -> u64,
        game: &mut Game,
    ) -> Result<(), GaveUp> {
        let seed = below(1 << 63);
        let before = (game.plies, game.refused);
        let mut held = None;
        if let Some(whole) = fast.whole_game() {
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
        let mut held = match held {
            Some(held) => held,
            None => self.step_by_step(fast, desk, (seed, max_plies), below, game)?,
        };
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
        game.outcome = outcome?;
        Ok(())
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
    fn keep(&mut self, fast: &Fast, frame: &Frame) -> (Vec<u64>, usize) {
        let mut words = std::mem::take(&mut self.kept);
        words.clear();
        words.extend_from_slice(&frame.mem[..fast.kernel.room.kept as usize]);
        (words, frame.past.len())
    }

    fn bring_back(&mut self, (words, past): (Vec<u64>, usize), frame: &mut Frame) {
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
        let frame = &mut *desk.frame;
        let held = fast.end(program, frame, &desk.start, true)?;
        if held != Held::NONE || game.plies >= max_plies {
            return Ok((held, false));
        }
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
        Ok((Held::NONE, played))
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
