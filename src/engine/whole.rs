//! Random games that a kernel plays by itself: what it is given and what it leaves, see `program::kernel::Game`.

use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp, Held};
use crate::engine::games::Game;
use crate::engine::hash::mix;
use crate::program::kernel::{Deep, FuncId, Game as At, Halt, LEVELS, PATIENCE, STEP};

impl Fast {
    /// Makes memory ready for random games: with the words of a state at the start of a game.
    pub fn know_start(&self, frame: &mut Frame, start: &[u64]) {
        frame.mem[self.kernel.room.start as usize..][..start.len()].copy_from_slice(start);
    }

    /// Makes ready for a random game from the position in memory, which knows the start of games.
    pub fn begin_game(&self, frame: &mut Frame, start: &[u64], seed: u64) {
        let fresh = self.is_start(frame, start);
        let room = &self.kernel.room;
        let at = room.game as usize;
        frame.mem[at + At::Seed as usize] = seed;
        frame.mem[at + At::Fresh as usize] = u64::from(fresh);
    }

    /// Plays on at random until something stops it, but no more than so many actions of the game.
    pub fn play_at_random(
        &self,
        whole: FuncId,
        frame: &mut Frame,
        max_plies: usize,
        game: &mut Game,
    ) -> Result<Halt, GaveUp> {
        let at = self.kernel.room.game as usize;
        let (left, refused) = (at + At::Left as usize, at + At::Refused as usize);
        let most = max_plies.saturating_sub(game.plies) as u64;
        (frame.mem[left], frame.mem[refused]) = (most, 0);
        if let Some(presumed) = self.kernel.presumed {
            frame.mem[presumed.at as usize] = 0;
        }
        let halt = self.call(whole, frame);
        game.plies += (most - frame.mem[left]) as usize;
        game.refused += frame.mem[refused];
        halt.map(Halt::of)
    }

    /// What a random game of the kernel draws from next.
    pub fn seed(&self, frame: &Frame) -> u64 {
        frame.mem[self.kernel.room.game as usize + At::Seed as usize]
    }

    /// Lets it go on from there.
    pub fn set_seed(&self, frame: &mut Frame, seed: u64) {
        frame.mem[self.kernel.room.game as usize + At::Seed as usize] = seed;
    }

    /// Plays one of so many listed actions, as a random game of the kernel would draw it. False when too many were refused, and without a
    /// seed.
    pub fn draw_seeded(
        &self,
        play: FuncId,
        frame: &mut Frame,
        (total, seed): (u64, Option<&mut u64>),
        refused: &mut u64,
    ) -> Result<bool, GaveUp> {
        let Some(seed) = seed else { return Ok(false) };
        let room = &self.kernel.room;
        let (used, count) = (room.moves_used as usize, room.moves_count as usize);
        let kept = (frame.mem[used], frame.mem[count]);
        for _ in 0..PATIENCE {
            if total == 0 {
                break;
            }
            *seed = seed.wrapping_add(STEP);
            let drawn = u128::from(mix(*seed)) * u128::from(total);
            if self.choose(frame, (drawn >> 64) as usize)? && self.play(play, frame)? {
                return Ok(true);
            }
            (frame.mem[used], frame.mem[count]) = kept;
            *refused += 1;
        }
        Ok(false)
    }

    /// How many actions there are behind those of the list in memory; nothing when that is to be found out in another way. Then the
    /// position and the list are no longer there.
    pub fn behind_each(&self, pairs: FuncId, frame: &mut Frame, list: &[u64]) -> Option<u64> {
        frame.mem[self.kernel.room.game as usize + At::Left as usize] = list.len() as u64;
        let rare = self.call(pairs, frame).ok()?;
        (rare == 0).then(|| frame.mem[self.kernel.room.tally as usize])
    }

    /// Adds to the numbers of sequences of 1, 2 … actions from the position in memory; false when they are to be found out in another way.
    /// Then the position is no longer there.
    pub fn count_deep(&self, deep: Deep, frame: &mut Frame, counts: &mut [u64]) -> bool {
        let many = counts.len();
        let levels = deep.levels as usize;
        frame.mem[levels..levels + LEVELS].fill(0);
        frame.mem[self.kernel.room.game as usize + At::Left as usize] = many as u64;
        if self.call(deep.all, frame) != Ok(0) {
            return false;
        }
        let listed = (2..=many).rev().map(|left| frame.mem[levels + left]);
        let counted = frame.mem[self.kernel.room.tally as usize];
        let all = listed.chain([counted + frame.mem[levels + 1]]);
        for (count, more) in counts.iter_mut().zip(all) {
            *count = count.saturating_add(more);
        }
        true
    }

    /// The end that stopped a random game.
    pub fn held(&self, frame: &Frame) -> Held {
        let at = self.kernel.room.game as usize;
        let me = frame.mem[at + At::Me as usize] as u8;
        Held::new(frame.mem[at + At::End as usize], me)
    }
}
