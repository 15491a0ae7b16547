//! What can be done in a position, by number: how many distinct actions there are, and where each leads, without their texts.
//! For searches, which look at few of many actions.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp};
use crate::engine::history::Past;
use crate::engine::plain::Engine;
use crate::engine::runner::Runner;
use crate::engine::state::Position;
use crate::program::kernel::{FuncId, Work};
use crate::program::{Program, WORD_POINT};

impl Runner<'_> {
    /// How many distinct actions there are; none when the game is over, which is not asked here.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn options(&mut self, position: &Position) -> Result<usize, PlayError> {
        let listed = self.in_frame(Work::Counting, position, |engine, fast, frame| {
            list(engine.program(), fast, frame).map(|(_, numbers)| numbers.len())
        });
        match listed {
            Some(count) => Ok(count),
            None => self.engine().list_plainly(position).map(|a| a.len()),
        }
    }

    /// The position behind an action, by its number below [`Runner::options`]; the same number is always the same action.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn option(&mut self, position: &Position, nth: usize) -> Result<Position, PlayError> {
        let played = self.in_frame(Work::Counting, position, |engine, fast, frame| {
            let (play, numbers) = list(engine.program(), fast, frame)?;
            let past = past_behind(engine, fast, (position, frame));
            if !fast.choose(frame, numbers.get(nth))? || !fast.play(play, frame)? {
                return Err(GaveUp);
            }
            Ok(engine.position_in(fast, frame, past))
        });
        match played {
            Some(next) => Ok(next),
            None => {
                let actions = self.engine().list_plainly(position)?;
                let action = &actions[nth.min(actions.len().saturating_sub(1))];
                Ok(self.engine().play(position, action))
            }
        }
    }

    /// The positions behind all actions, in the order of their numbers.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn next_positions(&mut self, position: &Position) -> Result<Vec<Position>, PlayError> {
        let played = self.in_frame(Work::Counting, position, |engine, fast, frame| {
            let (play, numbers) = list(engine.program(), fast, frame)?;
            let numbers = (0..numbers.len()).map(|nth| numbers.get(nth));
            let next = played_each(engine, fast, (position, frame), play, numbers)?;
            next.into_iter().collect::<Option<Vec<_>>>().ok_or(GaveUp)
        });
        match played {
            Some(all) => Ok(all),
            None => {
                let actions = self.engine().list_plainly(position)?;
                let next = actions.iter().map(|a| self.engine().play(position, a));
                Ok(next.collect())
            }
        }
    }

    /// The positions behind the actions that a random game draws from, one for each that is not refused. None where the plain
    /// engine draws, or where actions are first told apart by their texts.
    pub fn drawn_positions(&mut self, position: &Position) -> Option<Vec<Position>> {
        self.in_frame(Work::Games, position, |engine, fast, frame| {
            let entry = fast.entry(engine.program(), frame)?;
            let total = fast.list(entry.list, frame)?;
            if total > 1 && fast.doubtful(frame) {
                return Err(GaveUp);
            }
            let next = played_each(engine, fast, (position, frame), entry.play, 0..total)?;
            Ok(next.into_iter().flatten().collect())
        })
    }
}

/// The positions behind actions of the list that stands in memory for a position, by their numbers; none behind one that is refused.
/// They share what came before them.
fn played_each(
    engine: &Engine,
    fast: &Fast,
    (position, frame): (&Position, &mut Frame),
    play: FuncId,
    numbers: impl Iterator<Item = usize>,
) -> Result<Vec<Option<Position>>, GaveUp> {
    let room = fast.kernel.room;
    let before = frame.mem[..room.kept as usize].to_vec();
    let list = [room.moves_used, room.moves_count].map(|at| (at as usize, frame.mem[at as usize]));
    let past = past_behind(engine, fast, (position, frame));
    let mut all = Vec::with_capacity(numbers.size_hint().0);
    for nth in numbers {
        all.push(if fast.choose(frame, nth)? && fast.play(play, frame)? {
            Some(engine.position_in(fast, frame, past.clone()))
        } else {
            None
        });
        frame.mem[..room.kept as usize].copy_from_slice(&before);
        for (at, value) in list {
            frame.mem[at] = value;
        }
    }
    Ok(all)
}

/// Which numbers of a list are distinct actions.
enum Numbers {
    All(usize),
    Some(Vec<usize>),
}

impl Numbers {
    fn len(&self) -> usize {
        match self {
            Numbers::All(n) => *n,
            Numbers::Some(numbers) => numbers.len(),
        }
    }

    fn get(&self, nth: usize) -> usize {
        match self {
            Numbers::All(_) => nth,
            Numbers::Some(numbers) => numbers.get(nth).copied().unwrap_or(0),
        }
    }
}

/// Lists the actions of the position in memory; the function that plays them, and which are distinct.
fn list(program: &Program, fast: &Fast, frame: &mut Frame) -> Result<(FuncId, Numbers), GaveUp> {
    let entry = fast.entry(program, frame)?;
    let total = fast.list(entry.list, frame)?;
    let numbers = if total > 1 && fast.doubtful(frame) {
        fast.distinct(program, entry, frame)?
    } else {
        None
    };
    let numbers = numbers.map_or(Numbers::All(total), Numbers::Some);
    Ok((entry.play, numbers))
}

/// What comes before the positions that follow one that stands in memory.
fn past_behind(engine: &Engine, fast: &Fast, (position, frame): (&Position, &Frame)) -> Past {
    if !engine.program().looks_back || frame.mem[WORD_POINT] != 0 {
        return position.past.clone();
    }
    let (all, pieces) = fast.keys(frame);
    position.past.with(all, pieces)
}
