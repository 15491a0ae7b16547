//! Kernels: a program once more, as functions over words and sets of cells that loop where the program branches. Data only;
//! made by `compile::kernel`, run by the fast engines. What a kernel cannot do it says, and the plain engine answers.

mod code;
mod dump;
mod fixed;
mod list;
mod open;
mod operands;
mod pile_keys;

pub use code::{
    Bin, Body, Fault, FuncId, Function, Label, Place, RowsId, S, Set, SetId, ShiftId, Stmt,
    TableId, Value, W, Word, byte_of, falls,
};
pub use dump::{dump, dump_function};
pub use fixed::fixed_words;
pub use list::{LANE_ENTRY, LANE_HEAD, front_of_word, front_words, heading, parts_of_heading};
pub use open::counted;
pub use operands::{Renumber, called, each_statement};
pub use pile_keys::{LowPiles, low_piles, pile_key};

use crate::board::Cells;
use crate::program::WORD_HASH;

/// A shift of a whole set by one step of a direction: for each part the cells that it takes and how far their numbers grow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shift {
    /// Cells and distance.
    pub parts: Vec<(Cells, i32)>,
    /// The same cell by cell; `u16::MAX` for none.
    pub steps: Vec<u16>,
}

/// Where a kernel keeps things in memory, in words. It is the same for all kernels of a program.
///
/// From 0 on there are the words of the state, as in the program's layout. On boards that hold stacks a pile for each cell
/// and for what is up follows. A pile is a word: the codes of its pieces, the lowest at the lowest bits, and a 1 above the
/// highest. Everything behind `kept` is scratch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Words of a set.
    pub words: u32,
    /// First pile.
    pub piles: u32,
    /// First set of cells with high piles.
    pub tall: u32,
    /// Words that make a state.
    pub kept: u32,
    /// The counter of actions.
    pub tally: u32,
    /// How many more calls may be made.
    pub fuel: u32,
    /// How many calls are open of functions that are [`counted`].
    pub depth: u32,
    /// Why the kernel gave up; 0 when it did not.
    pub fault: u32,
    /// How many words the log has.
    pub log_used: u32,
    /// How many words the list of actions has.
    pub moves_used: u32,
    /// How many actions the list has.
    pub moves_count: u32,
    /// Whether an action was found that may have the text of another.
    pub doubt: u32,
    /// First word of what a random game is given and leaves, see [`Game`].
    pub game: u32,
    /// The words of a state at the start of a game, for random games.
    pub start: u32,
    /// The words of the state whose actions are counted behind.
    pub before: u32,
    /// First word of what functions leave for others, one area a use.
    pub scratch: u32,
    /// The choices that lead to an action.
    pub path: u32,
    /// The numbers of a notation: how many, then they.
    pub text: u32,
    /// The log: place and old value by turns.
    pub log: u32,
    /// The list of actions. One after the other: the length of the path and 0 or 1, the path, and after a 1 the set of its last
    /// choices. What stands behind those that are counted means nothing; who lists may give up for want of room where one more of
    /// any length would not fit.
    pub moves: u32,
    /// All words.
    pub memory: u32,
}

/// The most calls that may be open, of functions that are [`counted`].
pub const MAX_DEPTH: u64 = 400;

/// The widest sets that generated code holds in registers and moves word by word, in words: those of boards of 26 by 26 cells.
pub const NARROW: usize = 11;

/// Sequences of fewer actions than this can be counted by one function.
pub const LEVELS: usize = 64;

/// What counts sequences of any number of actions.
#[derive(Clone, Copy, Debug)]
pub struct Deep {
    /// Counts those of as many actions as [`Game::Left`] says, fewer than [`LEVELS`]: into the tally, and behind `levels` those of fewer
    /// actions. The result is 1 when that is to be done in another way; then the position is no longer there.
    pub all: FuncId,
    /// What it calls with so many actions left, as that calls itself.
    pub deeper: FuncId,
    /// Behind this word stands, by how many actions are left when one is listed, how many were; they are added to what is there.
    pub levels: u32,
}

/// How many calls one question may take.
pub const FUEL: u64 = 4_000_000;

/// After so many refused actions in a row a random game draws in another way.
pub const PATIENCE: u64 = 64;

/// Added to the seed of a random game for each draw (Steele, Lea and Flood 2014); what is drawn is the seed mixed.
pub const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The words of a random game, counted from `Room::game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    /// Given, and changed: what is drawn follows from it.
    Seed,
    /// Given, and counted down: the most actions.
    Left,
    /// Given, and changed: 1 when the position is the one at the start of a game.
    Fresh,
    /// Counted up: how many actions were drawn and refused.
    Refused,
    /// Left: the end that holds, counted from 1.
    End,
    /// Left: whom it calls `me`.
    Me,
}

impl Game {
    /// How many words there are.
    pub const WORDS: u32 = 6;
}

/// What functions are asked for. Each work has a kernel of its own, so that nothing is made that it does not need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Work {
    /// Random games: some action is drawn from those that may be legal.
    #[default]
    Games,
    /// Counting sequences of actions, and all that lists actions or tells their texts.
    Counting,
}

impl Work {
    /// Every work; `work as usize` is its place.
    pub const ALL: [Work; 2] = [Work::Games, Work::Counting];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Work::Games => "random games",
            Work::Counting => "counting",
        }
    }
}

/// Why a random game stopped: the result of its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// As many actions were played as were asked for.
    Limit = 0,
    /// An end holds.
    Ended = 1,
    /// There is no action.
    Nothing = 2,
    /// The next action must be drawn in another way.
    Rare = 3,
}

impl Halt {
    /// What a result of the function of random games says.
    #[must_use]
    pub fn of(result: u64) -> Halt {
        [Halt::Limit, Halt::Ended, Halt::Nothing]
            .into_iter()
            .find(|halt| *halt as u64 == result)
            .unwrap_or(Halt::Rare)
    }
}

/// The functions that one place where a turn begins or goes on has, for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Lists the actions: into the list. For random games perhaps more, which `play` refuses.
    pub list: FuncId,
    /// Plays the action of the path, which was listed; 1 when it was legal, and nothing is changed when it was not. For random games
    /// the list must have been the last one in this memory, made in the same state: what it found out is relied on.
    pub play: FuncId,
    /// For counting only.
    pub counting: Option<Counting>,
}

/// What counting and telling actions need besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Counts the actions: into the tally.
    pub count: FuncId,
    /// Lists the actions as `list` does, in any order: for sequences to be counted.
    pub any: FuncId,
    /// Lists the actions as `any` does, but counts some into the tally, with what follows them, where that can be looked up: for what
    /// counts sequences of any number of actions.
    pub ahead: Option<FuncId>,
    /// As `play`, where nothing was listed since the list.
    pub behind: FuncId,
    /// As `play`, and leaves the notation.
    pub tell: FuncId,
    /// Where two ways to an action may have the same text.
    pub alike: Option<Alike>,
}

/// How actions with the same text are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// Leaves the notation of the action of the path and changes nothing else; the action need not be legal.
    pub text: FuncId,
    /// Plays the action of the path; 1 when it was legal, and nothing is changed when it was not.
    pub apply: FuncId,
}

impl Entry {
    /// All of its functions.
    pub fn functions(&mut self) -> impl Iterator<Item = &mut FuncId> {
        let counting = self.counting.iter_mut().flat_map(|c| {
            let alike = c.alike.iter_mut();
            let alike = alike.flat_map(|a| [&mut a.text, &mut a.apply]);
            [&mut c.count, &mut c.behind, &mut c.tell]
                .into_iter()
                .chain(alike)
                .chain([&mut c.any])
                .chain(c.ahead.iter_mut())
        });
        [&mut self.list, &mut self.play].into_iter().chain(counting)
    }
}

/// What is taken for known of the sets of a turn where it goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Sets on whose cells only pieces of some players stand: their places in the state, and the players as bits.
    pub owned: Vec<(u32, u32)>,
    /// Sets that have no cell in common: the places of both.
    pub apart: Vec<(u32, u32)>,
}

/// What plays an action for random games does not ask everywhere whether the turn goes on.
#[derive(Clone, Copy, Debug)]
pub struct Presumed {
    /// Kept between actions, and 0 when a position is loaded: 1 where it is only presumed that the turn rests where it does.
    pub at: u32,
    /// Has a turn rest there, or goes on with it to where it rests; the result is 1 when nothing is changed.
    pub settle: FuncId,
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// What it is for.
    pub work: Work,
    /// Where things are.
    pub room: Room,
    /// How many cells the board has.
    pub cells: usize,
    /// All functions.
    pub functions: Vec<Function>,
    /// Fixed sets.
    pub sets: Vec<Cells>,
    /// Tables of words.
    pub tables: Vec<Vec<u64>>,
    /// Tables of sets.
    pub rows: Vec<Vec<Cells>>,
    /// Shifts.
    pub shifts: Vec<Shift>,
    /// For each cell those next to it.
    pub neighbours: Vec<Cells>,
    /// For each player: the function that tells which turn begins, counted from 0.
    pub turn: Vec<FuncId>,
    /// For each player, then for each turn and behind them for each point but the first: how it is played.
    pub entries: Vec<Vec<Entry>>,
    /// For each player as `me` and each moment (start of a turn, after a turn, after an action): the function that tells which
    /// end holds, counted from 1; 0 for none.
    pub ends: Vec<[Option<FuncId>; 3]>,
    /// For each player as `me`: the ends at the start of a turn, given that a turn can be completed.
    pub moving: Vec<Option<FuncId>>,
    /// Plays a random game on, in a kernel for those; the result is a [`Halt`].
    pub game: Option<FuncId>,
    /// Where it may be presumed that a turn goes on.
    pub presumed: Option<Presumed>,
    /// For each player, by what a random game lists where that is not what lists otherwise.
    pub lists: Vec<Vec<FuncId>>,
    /// The families that are lanes of fronts, counted from 1: the function that looks behind a front. Behind the words of the path that
    /// the lane has it is given the direction counted from 1, the length of the first run, the cell counted from 1 and which of the
    /// actions there is wanted. It writes the way to that action; the result is 0 when there is none.
    pub fronts: Vec<FuncId>,
    /// Counts what can be done behind each action of the list, whose words are as many as [`Game::Left`] says, in a kernel for
    /// counting where `deep` counts nothing: into the tally. The result is 1 when that is to be done in another way.
    pub pairs: Option<FuncId>,
    /// Counts sequences of any number of actions, in a kernel for counting in which it is looked up how turns go on.
    pub deep: Option<Deep>,
    /// The first end that may hold only because it is taken for granted that a turn can be completed.
    pub first_in_doubt: Option<usize>,
    /// For each player as `me` and each end that counts scores, its function: they are left from `scores_at` on.
    pub scores: Vec<Vec<Option<FuncId>>>,
    /// First word of the scores.
    pub scores_at: u32,
    /// Whether the set of the only kind that has owners is not kept, since it follows from theirs.
    pub sole_kind: bool,
    /// Words of the state that follow from others and are not kept: from, to.
    pub follow: Vec<(usize, usize)>,
    /// Whether two ways to an action never have the same text.
    pub unique: bool,
    /// For each code of a piece, what it is: the kind, and above it 0 or the player counted from 1.
    pub pieces: Vec<u16>,
    /// Bits of a piece in a pile.
    pub piece_bits: u32,
    /// Where the hashes of low piles stand, when piles are hashed.
    pub low_piles: Option<LowPiles>,
    /// For each point of a turn, the first for its beginning: words of the state that are taken to be what they are when a turn goes
    /// on from there, with their places; nothing where no turn ever rests.
    pub rests: Vec<Option<Vec<(u32, u64)>>>,
    /// For each player and point what stands on the cells of sets as it is taken to stand there: the places of the sets, and of which
    /// players the pieces are, as bits; and the places of two sets that have no cell in common.
    pub stands: Vec<Vec<Standing>>,
    /// Sets of the state that are taken to lie within others: the places of both.
    pub within: Vec<(u32, u32)>,
    /// A number of the state that is taken not to be negative.
    pub counted: Option<u32>,
    /// The heights from which on piles are high, for each a set of the cells where they are.
    pub tall: Vec<u64>,
    /// For each point of a turn, the first for its beginning: whether nothing is taken to be up there.
    pub clear_points: Vec<bool>,
}

impl Kernel {
    /// The functions that its work asks for from outside; what tells actions' texts is among them only where those may be the
    /// same.
    #[must_use]
    pub fn asked(&self) -> Vec<FuncId> {
        let step_by_step = self.game.is_none().then_some(());
        let of_entries = self.entries.iter().flatten().flat_map(move |e| {
            let steps = step_by_step.iter().flat_map(|()| [e.list, e.play]);
            let counts = e.counting.iter().flat_map(|c| [c.count, c.any]);
            let alike = e.counting.and_then(|c| c.alike);
            let texts = alike.map(|a| a.text);
            steps.chain(counts).chain(texts).collect::<Vec<_>>()
        });
        let of_ends = self.ends.iter().flatten().chain(&self.moving);
        let of_scores = self.scores.iter().flatten();
        let mut all: Vec<FuncId> = of_entries
            .chain(self.turn.iter().copied())
            .chain(
                step_by_step
                    .iter()
                    .flat_map(|()| self.fronts.iter().copied()),
            )
            .chain(self.game)
            .chain(self.pairs)
            .chain(self.deep.map(|deep| deep.all))
            .chain(of_ends.chain(of_scores).flatten().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The function that looks behind the fronts of a family, when that is one of fronts.
    #[inline]
    #[must_use]
    pub fn front(&self, family: u32) -> Option<FuncId> {
        self.fronts.get((family as usize).checked_sub(1)?).copied()
    }

    /// Whether a word must be the same for two positions to be: neither a hash nor what follows from others.
    #[inline]
    #[must_use]
    pub fn tells(follow: &[(usize, usize)], word: usize) -> bool {
        let follows = |(from, to): &(usize, usize)| (*from..*to).contains(&word);
        !(WORD_HASH..WORD_HASH + 3).contains(&word) && !follow.iter().any(follows)
    }
}
