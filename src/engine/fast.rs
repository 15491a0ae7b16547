//! Positions in and out of a kernel's memory, and the questions that a kernel answers. When it gives up it says so, and the
//! plain engine is asked instead.

use crate::engine::executor::{Executor, Frame};
use crate::engine::hash::word_key;
use crate::engine::history::Past;
use crate::engine::machine::{Class, classes, compared_words};
use crate::engine::notation;
use crate::engine::rehash::Known;
use crate::engine::run::{Found, MOST_ACTIONS};
use crate::engine::state::{Position, State, pack};
use crate::engine::walk::Walk;
use crate::program::kernel::{
    Deep, Entry, FUEL, FuncId, Kernel, LANE_ENTRY, LANE_HEAD, LEVELS, front_of_word,
    parts_of_heading,
};
use crate::program::{Life, Program, WORD_HASH, WORD_LAST, WORD_MOVER, WORD_POINT};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The kernel gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GaveUp;

/// The end that holds, if any, and whom it calls `me`, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held(u64);

impl Held {
    /// No end holds.
    pub const NONE: Held = Held(0);

    /// An end counted from 1, or 0, and a player.
    #[inline]
    pub fn new(end: u64, me: u8) -> Held {
        match end {
            0 => Held::NONE,
            end => Held(end << 8 | u64::from(me)),
        }
    }

    /// The end, counted from 0, and the player.
    #[inline]
    pub fn get(self) -> Option<(usize, u8)> {
        (self != Held::NONE).then(|| ((self.0 >> 8) as usize - 1, self.0 as u8))
    }
}

/// A kernel with what runs it.
pub struct Fast {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    executor: Box<dyn Executor>,
    spare: Mutex<Vec<Frame>>,
    /// How often it gave up.
    gave_up: AtomicU64,
    /// How often texts of all that was listed were compared.
    pub(super) told_apart: AtomicU64,
    /// What the words of a state count for.
    classes: Vec<Class>,
    /// The words that repetition compares.
    compared: Vec<usize>,
    /// Those and the words of memory that tell the pieces.
    pub(super) told: Vec<usize>,
    /// The words of a turn's values, and what they are at its beginning.
    of_turn: Vec<(usize, u64)>,
    /// Highest pile that fits a word.
    highest: usize,
}

impl Fast {
    /// A kernel to be run.
    pub fn new(program: &Program, kernel: Arc<Kernel>, executor: Box<dyn Executor>) -> Fast {
        Fast {
            highest: (63 / kernel.piece_bits.max(1)) as usize,
            classes: classes(program),
            compared: compared_words(program),
            told: told_words(program, &kernel),
            of_turn: turn_words(program),
            kernel,
            executor,
            spare: Mutex::new(Vec::new()),
            gave_up: AtomicU64::new(0),
            told_apart: AtomicU64::new(0),
        }
    }

    /// Memory to work in; handed on by `give_back`.
    pub fn frame(&self) -> Frame {
        let spare = self.spare.lock().ok().and_then(|mut s| s.pop());
        spare.unwrap_or_else(|| Frame::new(&self.kernel))
    }

    /// Hands memory on.
    pub fn give_back(&self, frame: Frame) {
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(frame);
        }
    }

    /// The function for whole random games, where it is the best way.
    pub fn whole_game(&self) -> Option<FuncId> {
        self.kernel.game.filter(|_| self.executor.plays_whole())
    }

    /// The function for sequences of two actions, where it is the best way.
    pub fn pairs(&self) -> Option<FuncId> {
        self.kernel.pairs.filter(|_| self.executor.plays_whole())
    }

    /// What counts sequences of so many actions by itself, where it is the best way.
    pub fn deep(&self, many: usize) -> Option<Deep> {
        let may = (2..LEVELS).contains(&many) && self.executor.plays_whole();
        self.kernel.deep.filter(|_| may)
    }

    /// Makes functions ready.
    pub fn prepare(&self, functions: &[FuncId]) {
        self.executor.prepare(functions);
    }

    /// Waits until nothing is being made better any more.
    pub fn settle(&self) {
        self.executor.settle();
    }

    /// Takes over a position. False when a pile is too high.
    pub fn load(&self, program: &Program, position: &Position, frame: &mut Frame) -> bool {
        let room = &self.kernel.room;
        let words = program.layout.state;
        frame.mem[..words].copy_from_slice(&position.state.words[..words]);
        position.past.write(&mut frame.past);
        // Kernels take it that the values of a turn are at their beginning when one begins.
        let odd = |(at, first): &(usize, u64)| frame.mem[*at] != *first;
        if frame.mem[WORD_POINT] == 0 && self.of_turn.iter().any(odd) {
            return false;
        }
        if self.is_odd(frame) || !self.rests(frame) || !self.stands(program, frame) {
            return false;
        }
        if !program.stacking {
            return true;
        }
        let (heights, pieces) = position.state.stacks(program);
        let mut pieces = pieces.into_iter();
        for (cell, height) in heights.into_iter().enumerate() {
            let height = usize::from(height);
            if height > self.highest {
                return false;
            }
            let (mut pile, mut at) = (0u64, 0);
            for _ in 0..height {
                let piece = pieces.next().unwrap_or(0);
                let code = self.kernel.pieces.iter().position(|p| *p == piece);
                let Some(code) = code else { return false };
                pile |= (code as u64) << at;
                at += self.kernel.piece_bits;
            }
            frame.mem[room.piles as usize + cell] = pile | 1 << at;
        }
        self.load_tall(frame)
    }

    /// Finds out where high piles are. False when something is up where the kernel takes it that nothing is.
    fn load_tall(&self, frame: &mut Frame) -> bool {
        let (kernel, room) = (&self.kernel, &self.kernel.room);
        let words = room.words as usize;
        let (state, rest) = frame.mem.split_at_mut(room.tall as usize);
        let piles = &state[room.piles as usize..];
        for (height, set) in kernel.tall.iter().zip(rest.chunks_mut(words)) {
            set.fill(0);
            let high = |pile: &u64| {
                let bits = u64::from(kernel.piece_bits) * height;
                u32::try_from(bits).is_ok_and(|bits| pile.checked_shr(bits).is_some_and(|p| p > 0))
            };
            for (cell, _) in (0..kernel.cells).zip(piles).filter(|(_, pile)| high(pile)) {
                set[cell / 64] |= 1 << (cell % 64);
            }
        }
        let point = state[WORD_POINT] as usize;
        let clear = kernel.clear_points.get(point) == Some(&true);
        !clear || piles[kernel.cells] == 1
    }

    /// Whether a state is none that a game comes to, in what the kernel relies on.
    fn is_odd(&self, frame: &Frame) -> bool {
        let set = |at: u32| &frame.mem[at as usize..][..self.kernel.room.words as usize];
        let outside = |(a, b): &(u32, u32)| set(*a).iter().zip(set(*b)).any(|(a, b)| a & !b != 0);
        let negative = |at: u32| frame.mem[at as usize].cast_signed() < 0;
        self.kernel.within.iter().any(outside) || self.kernel.counted.is_some_and(negative)
    }

    /// Whether a turn may be where it is, and what the kernel takes for known there is so.
    fn rests(&self, frame: &Frame) -> bool {
        let known = self.kernel.rests.get(frame.mem[WORD_POINT] as usize);
        let holds = |(at, word): &(u32, u64)| frame.mem[*at as usize] == *word;
        matches!(known, Some(Some(words)) if words.iter().all(holds))
    }

    /// Whether on the cells of a turn's sets stands what the kernel takes to stand there.
    fn stands(&self, program: &Program, frame: &Frame) -> bool {
        let (mover, point) = (
            frame.mem[WORD_MOVER] as usize,
            frame.mem[WORD_POINT] as usize,
        );
        let known = self.kernel.stands.get(mover).and_then(|of| of.get(point));
        let Some(known) = known else { return true };
        let words = program.layout.words;
        let set = |at: u32| &frame.mem[at as usize..][..words];
        let owner = |p: usize| set((program.layout.owned + p * words) as u32);
        let theirs = |(at, players): &(u32, u32)| {
            let all = (0..program.players.len()).filter(|p| players >> p & 1 == 1);
            let all: Vec<&[u64]> = all.map(owner).collect();
            let mut words = set(*at).iter().enumerate();
            words.all(|(w, set)| set & !all.iter().fold(0, |any, of| any | of[w]) == 0)
        };
        let apart = |(a, b): &(u32, u32)| set(*a).iter().zip(set(*b)).all(|(a, b)| a & b == 0);
        known.owned.iter().all(theirs) && known.apart.iter().all(apart)
    }

    /// The state in memory; its hashes but that of the pieces are those of before.
    pub fn store(&self, program: &Program, frame: &Frame) -> State {
        let layout = &program.layout;
        let n = layout.words;
        let mut words = frame.mem[..layout.state].to_vec();
        let neutral = |k: usize| program.kinds[k].neutral;
        let sole = (0..program.kinds.len()).find(|k| !neutral(*k) && self.kernel.sole_kind);
        for w in 0..n {
            let owned =
                (0..program.players.len()).fold(0, |set, p| set | words[layout.owned + p * n + w]);
            if let Some(k) = sole {
                words[layout.kinds + k * n + w] = owned;
            }
            let kinds = (0..program.kinds.len()).filter(|k| neutral(*k));
            words[layout.occupied + w] =
                kinds.fold(owned, |set, k| set | words[layout.kinds + k * n + w]);
        }
        if program.stacking {
            let bits = self.kernel.piece_bits;
            let cells = program.board.len() + 1;
            let piles = &frame.mem[self.kernel.room.piles as usize..][..cells];
            let height = |pile: &u64| (63 - pile.leading_zeros().min(63)) / bits;
            pack(piles.iter().map(|p| height(p) as u16), &mut words);
            let codes = piles.iter().flat_map(|pile| {
                (0..height(pile)).map(move |i| (pile >> (i * bits)) & ((1 << bits) - 1))
            });
            let piece = |code: u64| self.kernel.pieces.get(code as usize).copied().unwrap_or(0);
            pack(codes.map(piece), &mut words);
        }
        State {
            words: words.into_boxed_slice(),
        }
    }

    /// What comes before the positions that follow the one in memory.
    pub fn past(frame: &Frame) -> Past {
        frame
            .past
            .iter()
            .fold(Past::default(), |past, (key, pieces)| {
                past.with(key, pieces)
            })
    }

    /// The key of all that repetition compares, and that of the pieces.
    pub fn keys(&self, frame: &Frame) -> (u64, u64) {
        let pieces = frame.mem[WORD_HASH];
        let all = self
            .compared
            .iter()
            .fold(pieces, |key, at| key ^ word_key(*at, frame.mem[*at]));
        (all, pieces)
    }

    /// Runs a function.
    #[inline]
    pub fn call(&self, function: FuncId, frame: &mut Frame) -> Result<u64, GaveUp> {
        let room = &self.kernel.room;
        let kept = room.kept as usize;
        // The tally, fuel, depth, fault, log, list and doubt.
        frame.mem[kept..kept + 8].fill(0);
        frame.mem[room.fuel as usize] = FUEL;
        let result = self.executor.call(function, frame);
        if frame.mem[room.fault as usize] == 0 {
            return Ok(result);
        }
        self.fault(frame)
    }

    #[cold]
    fn fault(&self, frame: &mut Frame) -> Result<u64, GaveUp> {
        self.take_back(frame);
        self.gave_up.fetch_add(1, Ordering::Relaxed);
        Err(GaveUp)
    }

    /// How many calls gave up.
    pub fn gave_up(&self) -> u64 {
        self.gave_up.load(Ordering::Relaxed)
    }

    /// Takes back what was logged.
    pub fn take_back(&self, frame: &mut Frame) {
        let room = &self.kernel.room;
        let log = room.log as usize;
        let mut used = frame.mem[room.log_used as usize] as usize;
        while used >= 2 {
            used -= 2;
            let (at, old) = (frame.mem[log + used] as usize, frame.mem[log + used + 1]);
            if let Some(word) = frame.mem.get_mut(at) {
                *word = old;
            }
        }
        frame.mem[room.log_used as usize] = 0;
    }

    /// The functions for the position in memory.
    pub fn entry(&self, program: &Program, frame: &mut Frame) -> Result<Entry, GaveUp> {
        let me = frame.mem[WORD_MOVER] as usize;
        let point = frame.mem[WORD_POINT] as usize;
        let turns = program.turns.len();
        let at = match point {
            0 if turns == 1 && program.turns[0].test.is_none() => 0,
            0 => self.call(self.kernel.turn[me], frame)? as usize,
            p => turns + p - 1,
        };
        Ok(self.kernel.entries[me][at])
    }

    /// The end that holds in the position in memory and whom it calls `me`; with `moving` only if a turn can be completed.
    pub fn end(
        &self,
        program: &Program,
        frame: &mut Frame,
        start: &[u64],
        moving: bool,
    ) -> Result<Held, GaveUp> {
        let mover = frame.mem[WORD_MOVER] as u8;
        let kernel = &self.kernel;
        let of_mover = &kernel.ends[usize::from(mover)];
        if frame.mem[WORD_POINT] != 0 {
            return self.ask(of_mover[2], mover, frame);
        }
        let of_start = if moving {
            kernel.moving[usize::from(mover)]
        } else {
            of_mover[0]
        };
        let players = program.players.len() as u8;
        let last = match (frame.mem[WORD_LAST] as u8, mover) {
            (0, 0) => players - 1,
            (0, mover) => mover - 1,
            (p, _) => p - 1,
        };
        let of_last = &kernel.ends[usize::from(last)];
        if (of_last[1].is_some() || of_last[2].is_some()) && !self.is_start(frame, start) {
            for f in [of_last[2], of_last[1]] {
                let held = self.ask(f, last, frame)?;
                if held != Held::NONE {
                    return Ok(held);
                }
            }
        }
        let held = self.ask(of_start, mover, frame)?;
        match (held.get(), kernel.first_in_doubt) {
            // Another may hold, when no turn can be completed.
            (Some((at, _)), Some(first)) if moving && first <= at => {
                self.ask(of_mover[0], mover, frame)
            }
            _ => Ok(held),
        }
    }

    #[inline]
    fn ask(&self, f: Option<FuncId>, me: u8, frame: &mut Frame) -> Result<Held, GaveUp> {
        let Some(f) = f else { return Ok(Held::NONE) };
        let end = self.call(f, frame)?;
        if frame.mem[self.kernel.room.log_used as usize] != 0 {
            self.take_back(frame);
        }
        Ok(Held::new(end, me))
    }

    /// Whether the state is the one at the start of a game, and nothing is known to come before it: the words but the hashes.
    pub fn is_start(&self, frame: &Frame, start: &[u64]) -> bool {
        if !frame.past.is_empty() {
            return false;
        }
        // Other pieces, as a rule.
        if start
            .get(WORD_HASH)
            .is_some_and(|h| *h != frame.mem[WORD_HASH])
        {
            return false;
        }
        frame.mem[..start.len()]
            .iter()
            .zip(start)
            .enumerate()
            .all(|(i, (a, b))| a == b || !Kernel::tells(&self.kernel.follow, i))
    }

    /// The scores of an end.
    pub fn scores(
        &self,
        program: &Program,
        end: usize,
        me: u8,
        frame: &mut Frame,
    ) -> Result<Vec<i64>, GaveUp> {
        let Some(f) = self.kernel.scores[usize::from(me)][end] else {
            return Ok(Vec::new());
        };
        self.call(f, frame)?;
        self.take_back(frame);
        let at = self.kernel.scores_at as usize;
        let scores = &frame.mem[at..at + program.players.len()];
        Ok(scores.iter().map(|s| s.cast_signed()).collect())
    }

    /// Lists actions into memory; how many.
    pub fn list(&self, list: FuncId, frame: &mut Frame) -> Result<usize, GaveUp> {
        self.call(list, frame)?;
        if frame.mem[self.kernel.room.log_used as usize] != 0 {
            self.take_back(frame);
        }
        Ok(frame.mem[self.kernel.room.moves_count as usize] as usize)
    }

    /// The list of actions in memory.
    pub fn listed<'f>(&self, frame: &'f Frame) -> &'f [u64] {
        let room = &self.kernel.room;
        let used = frame.mem[room.moves_used as usize] as usize;
        &frame.mem[room.moves as usize..][..used]
    }

    /// Writes the way to an action of a list, by its number, to where it is played from. False when there is none after all, which
    /// only lists for random games can have.
    pub fn choose(&self, frame: &mut Frame, mut nth: usize) -> Result<bool, GaveUp> {
        let room = self.kernel.room;
        let (n, path) = (room.words as usize, room.path as usize);
        let mut at = room.moves as usize;
        loop {
            let (length, sets) = parts_of_heading(frame.mem[at]);
            let from = at + 1;
            at = from + length;
            if sets.is_none() {
                if nth == 0 {
                    frame.mem.copy_within(from..from + length, path);
                    return Ok(true);
                }
                nth -= 1;
                continue;
            }
            if let Some(front) = sets.and_then(|family| self.kernel.front(family)) {
                let (many, words) = (frame.mem[at] as usize, frame.mem[at + 1] as usize);
                if nth < many {
                    return self.look_behind(front, (from, length), nth, frame);
                }
                nth -= many;
                at += LANE_HEAD as usize + words;
                continue;
            }
            for w in 0..n {
                let mut word = frame.mem[at + w];
                let count = word.count_ones() as usize;
                if nth < count {
                    for _ in 0..nth {
                        word &= word - 1;
                    }
                    frame.mem.copy_within(from..from + length, path);
                    frame.mem[path + length] =
                        (w * 64) as u64 + u64::from(word.trailing_zeros()) + 1;
                    return Ok(true);
                }
                nth -= count;
            }
            at += n;
        }
    }

    /// Looks behind a front of a lane, whose words of the path stand somewhere, for one of its actions; false when there is none.
    fn look_behind(
        &self,
        front: FuncId,
        (from, length): (usize, usize),
        mut nth: usize,
        frame: &mut Frame,
    ) -> Result<bool, GaveUp> {
        let room = self.kernel.room;
        let (kept, path, n) = (room.kept as usize, room.path as usize, room.words as usize);
        let mut at = from + length + LANE_HEAD as usize;
        while nth >= frame.mem[at] as usize {
            nth -= frame.mem[at] as usize;
            at += LANE_ENTRY as usize + n;
        }
        let set = &frame.mem[at + LANE_ENTRY as usize..][..n];
        let has = |c: &usize| set[c / 64] >> (c % 64) & 1 == 1;
        let mut cells = (0..self.kernel.cells).filter(has);
        let many = cells.clone().count().max(1);
        let cell = cells.nth(nth % many).unwrap_or(0) as u64;
        let (way, cells, at) = front_of_word(frame.mem[at + 1], cell);
        let told = [way, cells, at + 1, (nth / many) as u64];
        frame.mem.copy_within(from..from + length, path);
        frame.mem[path + length..][..4].copy_from_slice(&told);
        // Calls begin with an empty list; this one belongs to the list that there is.
        let mut control = [0; 8];
        control.copy_from_slice(&frame.mem[kept..kept + 8]);
        let found = self.call(front, frame)?;
        frame.mem[kept..kept + 8].copy_from_slice(&control);
        Ok(found != 0)
    }

    /// Plays the action whose way was written, of a list of the same state, see `Entry::play`. False when it is not legal; then nothing
    /// is changed.
    pub fn play(&self, how: FuncId, frame: &mut Frame) -> Result<bool, GaveUp> {
        let presumed = self.kernel.presumed;
        if let Some(presumed) = presumed {
            frame.mem[presumed.at as usize] = 0;
        }
        let played = self.call(how, frame)? != 0;
        if let Some(presumed) = presumed.filter(|of| frame.mem[of.at as usize] != 0) {
            self.call(presumed.settle, frame)?;
        }
        if !played && frame.mem[self.kernel.room.log_used as usize] != 0 {
            self.take_back(frame);
        }
        Ok(played)
    }

    /// Whether the actions just listed or counted may have the same text.
    pub fn doubtful(&self, frame: &Frame) -> bool {
        let doubt = frame.mem[self.kernel.room.doubt as usize];
        doubt >> 63 != 0 || doubt.count_ones() > 1
    }

    /// All actions of a position, with their texts and the states they lead to, or only keys of both.
    pub fn actions(
        &self,
        program: &Program,
        position: &Position,
        counting: bool,
    ) -> Result<Vec<Found>, GaveUp> {
        let mut frame = self.frame();
        let result = self.actions_in(program, position, counting, &mut frame);
        self.give_back(frame);
        result
    }

    fn actions_in(
        &self,
        program: &Program,
        position: &Position,
        counting: bool,
        frame: &mut Frame,
    ) -> Result<Vec<Found>, GaveUp> {
        if !self.load(program, position, frame) {
            return Err(GaveUp);
        }
        let entry = self.entry(program, frame)?;
        let tell = entry.counting.ok_or(GaveUp)?.tell;
        let count = self.list(entry.list, frame)?;
        // The plain engine tells of it.
        if count > MOST_ACTIONS {
            return Err(GaveUp);
        }
        let list = self.listed(frame).to_vec();
        let room = self.kernel.room;
        let kept = room.kept as usize;
        let before = frame.mem[..kept].to_vec();
        let known = Known::new(program, &self.classes, &position.state);
        let mut found = Vec::with_capacity(count);
        let mut walk = Walk::new(room.words as usize);
        while walk.next(&list, frame, room.path as usize) {
            if !self.play(tell, frame)? {
                return Err(GaveUp);
            }
            let at = room.text as usize;
            let text = &frame.mem[at + 1..][..frame.mem[at] as usize];
            let text: Vec<u32> = text.iter().map(|w| *w as u32).collect();
            let mut state = self.store(program, frame);
            let fresh = known.of(&state);
            state.words[WORD_HASH..WORD_HASH + 3].copy_from_slice(&fresh);
            let key = notation::key(program, text.iter().copied());
            found.push(Found {
                key,
                result: fresh.into_iter().fold(0, |a, b| a ^ b),
                text: if counting { Vec::new() } else { text },
                next: (!counting).then_some(state),
            });
            frame.mem[..kept].copy_from_slice(&before);
        }
        Ok(found)
    }
}

/// The words of memory that tell all that repetition compares: piles, or the sets of owners and kinds that a kernel keeps.
fn told_words(program: &Program, kernel: &Kernel) -> Vec<usize> {
    let mut told = compared_words(program);
    let layout = &program.layout;
    if program.stacking {
        let piles = kernel.room.piles as usize;
        told.extend(piles..=piles + program.board.len());
        return told;
    }
    let owned = (0..program.players.len()).map(|p| layout.owned + p * layout.words);
    let told_by_owners = |kind: &usize| kernel.sole_kind && !program.kinds[*kind].neutral;
    let kinds = (0..program.kinds.len()).filter(|kind| !told_by_owners(kind));
    let kinds = kinds.map(|kind| layout.kinds + kind * layout.words);
    told.extend(owned.chain(kinds).flat_map(|at| at..at + layout.words));
    told
}

/// The words of a turn's values, and what they are at its beginning.
fn turn_words(program: &Program) -> Vec<(usize, u64)> {
    let of_turn = program.vars.iter().filter(|v| v.life == Life::Turn);
    of_turn
        .flat_map(|v| (v.offset..).zip(v.initial.iter().copied()))
        .collect()
}
