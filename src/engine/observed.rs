//! Random games of which every position is looked at on the way: how many actions are legal in it, and what tells whether it was there
//! before. They are the games that a runner plays without.

use crate::engine::errors::PlayError;
use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::games::Game;
use crate::engine::plain::Engine;
use crate::engine::runner::{Desk, Runner};
use crate::engine::state::Position;
use crate::program::WORD_POINT;
use crate::program::kernel::Work;
use crate::program::word_key;

/// A position that a random game has come to.
pub struct Moment<'m> {
    /// Between two turns a key: two positions of one game have the same where repetition takes them for the same.
    pub begins: Option<u64>,
    /// How many actions are legal; none where the game is over.
    pub legal: u64,
    position: &'m dyn Fn() -> Position,
}

impl Moment<'_> {
    /// The position itself.
    #[must_use]
    pub fn position(&self) -> Position {
        (self.position)()
    }
}

/// Who looks, and says whether to go on.
pub(super) struct Observer<'o> {
    see: &'o mut dyn FnMut(&Moment<'_>) -> bool,
    /// Whether the position was looked at already.
    seen: bool,
    /// Its key where it was in a kernel's memory, also if that gave up then: the same position always has the same kind of key.
    key: Option<u64>,
    /// Whether the game is broken off.
    stopped: bool,
}

impl Observer<'_> {
    fn look(&mut self, moment: &Moment<'_>) -> bool {
        if !self.seen {
            self.seen = true;
            self.stopped = !(self.see)(moment);
        }
        !self.stopped
    }

    /// Looks at a position that has so many actions before one of them is played by the plain engine; false to break off.
    pub(super) fn look_plainly(
        &mut self,
        engine: &Engine,
        position: &Position,
        legal: usize,
    ) -> bool {
        let key = self.key.take();
        let key = || key.unwrap_or_else(|| engine.repetition_key(position));
        let goes_on = self.look(&Moment {
            begins: engine.starts_turn(position).then(key),
            legal: legal as u64,
            position: &|| position.clone(),
        });
        self.seen = false;
        goes_on
    }
}

impl Fast {
    /// A key of the pieces in memory and of what else repetition compares.
    fn observed_key(&self, frame: &Frame) -> u64 {
        let told = self.told.iter();
        told.fold(0, |key, at| key ^ word_key(*at, frame.mem[*at]))
    }
}

impl<'e> Runner<'e> {
    /// Plays as [`Runner::game_on`] does, the same game, and shows every position on the way, the last one too; nothing when `see` said
    /// to break off.
    ///
    /// # Errors
    /// When the rules fail.
    pub fn observed_game(
        &mut self,
        position: &mut Position,
        max_plies: usize,
        below: impl FnMut(u64) -> u64,
        mut see: impl FnMut(&Moment<'_>) -> bool,
    ) -> Result<Option<Game>, PlayError> {
        let mut observer = Observer {
            see: &mut see,
            seen: false,
            key: None,
            stopped: false,
        };
        let (game, last) = self.play_on(position, max_plies, below, true, Some(&mut observer))?;
        let stopped = observer.stopped;
        if let Some(last) = last {
            *position = last;
        }
        Ok((!stopped).then_some(game))
    }

    /// A game question by question, with everything looked at: the end that holds. Where the kernel gives up memory is left as it was
    /// before.
    pub(super) fn look_on(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        (mut seed, max_plies): (u64, usize),
        (below, observer): (&mut impl FnMut(u64) -> u64, &mut Observer<'_>),
        game: &mut Game,
    ) -> Result<Held, GaveUp> {
        loop {
            let kept = self.keep(fast, &desk.frame);
            let step = self
                .look_in(fast, desk, observer)
                .and_then(|(held, goes_on)| {
                    let goes_on = goes_on && game.plies < max_plies;
                    let drawing = (&mut *below, Some(&mut seed));
                    Ok((held, goes_on && self.go_on(fast, desk, drawing, game)?))
                });
            match step {
                Ok((_, true)) => {
                    (observer.seen, observer.key) = (false, None);
                    self.kept = kept.0;
                }
                Ok((held, false)) => return Ok(held),
                Err(why) => {
                    self.bring_back(kept, &mut desk.frame);
                    return Err(why);
                }
            }
        }
    }

    /// Looks at the position in memory: the end that holds, and whether to go on.
    fn look_in(
        &mut self,
        fast: &Fast,
        desk: &mut Desk<'e>,
        observer: &mut Observer<'_>,
    ) -> Result<(Held, bool), GaveUp> {
        let engine = self.engine;
        let begins = desk.frame.mem[WORD_POINT] == 0;
        observer.key = begins.then(|| fast.observed_key(&desk.frame));
        let held = fast.end(engine.program(), &mut desk.frame, &desk.start, true)?;
        let legal = match held {
            Held::NONE => self.legal_in(&mut desk.frame)?,
            _ => 0,
        };
        let frame = &desk.frame;
        let goes_on = observer.look(&Moment {
            begins: observer.key,
            legal,
            position: &|| engine.position_in(fast, frame, Fast::past(frame)),
        });
        Ok((held, goes_on && legal > 0))
    }

    /// How many actions the position in memory has, which the kernel for counting knows.
    fn legal_in(&mut self, frame: &mut Frame) -> Result<u64, GaveUp> {
        let (counting, mut desk) = self.open(Work::Counting).ok_or(GaveUp)?;
        std::mem::swap(&mut desk.frame.past, &mut frame.past);
        let legal = counting.legal_of(self.engine.program(), frame, &mut desk.frame);
        std::mem::swap(&mut desk.frame.past, &mut frame.past);
        self.put_back(Work::Counting, desk);
        legal
    }
}
