//! Program into kernel. In: a compiled game, and for what work. Out: functions that list, count, find and play actions and tell
//! ends, for each player and each place where a turn begins or goes on; or why there can be none. How they are run is not known
//! here.
//!
//! What makes them fast, and where it is done:
//! - what can be said in several ways is said in one (`phrased`)
//! - values are words and sets of a function, never taken back (`env`); where ways meet again, functions (`lower`, `flow`)
//! - effects wait until somebody looks (`effects`, `advance`, `flat`, `piles`): counting does not play
//! - choices whose requirements can be asked of all cells at once are not looped over (`choose`, `tail`, `masks`); behind a
//!   piece that is put down too, where they are about its group (`clusters`) or about what must not become possible (`arising`,
//!   `hindered`)
//! - cells with high piles are kept as a set where choices ask for them (`tall`)
//! - pictures are found on whole boards by shifts (`wholes`), or cut down by them (`pictures`); runs end by one look (`rays`)
//!   direction by direction where what is required behind them asks for that, as where directions are chosen (`starts`, `along`)
//! - what is kept for players and cells that are known only in play is given to one of all (`kept_for`)
//! - what is seen along lines from a cell (`sight`), stands beside it (`beside`), or is where pictures end (`gathered`), is one set
//! - a loop that goes on while its body is possible goes through it once (`loops`); a trail that goes on while it can is there
//!   when its first step is (`trails`); all lengths of a last run are taken down at once (`spans`), or all matches of the same
//!   lengths (`lanes`, `lane_ends`), of several pictures at once (`abreast`), and counted at once (`surely`)
//! - functions are made for a player, for fixed values, and for what is known of cells; where few statements are wanted they only
//!   hand that on to one that is given all (`orders`)
//! - from where a turn, or what is asked whether it can be done, can surely be completed that is not tried (`sure`, `within`), nor
//!   where only the board could hinder a trail of a given number of steps (`paces`, `assumed`)
//! - what is kept of a turn and can be one thing only where it goes on is that, and of its sets it is known whose pieces stand on their
//!   cells (`certain`)
//! - effects that nobody looks at any more are passed over where actions are only looked for (`passed_over`), and passed by
//!   where nothing of them can fail (`done_under`)
//! - actions are proven to differ in text (`unique`, `telling`, `held`; of rules `unlike`, `heads`, `far`, `lengths`, `unreached`, `contrary`,
//!   `in_step`), and their texts compared only where they may not
//! - functions that do the same are one (`alike`); what was answered with no is kept until it may be otherwise (`answers`, `monotone`)
//! - small functions are put in place of their calls (`inline`), and what is left of others where words that they are given are fixed
//!   (`settled`); what is the same each time is taken out of loops (`hoist`); loops over few directions are written out (`unroll`);
//!   what is computed twice, known, or not read is not computed, and cells that count the same are counted at once (`tidy`)
//! - what is taken back again is noted only where somebody looks, if it is looked up how turns go on (`deferred`)
//! - loops that count one thing or another, by a question, count for how many cells each (`weighed`)
//! - what is asked whether it can be done and then listed is listed at once (`at_once`)
//! - functions of two players that differ only in whose places they use are one (`sides`)
//! - what lists find out before anything is chosen is not asked again by who plays what was drawn (`opening`), and what they have
//!   asked of all that they list is not (`unasked`)
//! - behind the last action but one only what was changed is brought back (`pairs`, `changes`), and behind every action where it is
//!   looked up how turns go on, whose sequences are counted by one function (`deep`); how often a position was there is
//!   asked where its pieces stood so before (`back`)
//! - of pictures that begin with a run random games list only where that ends, and draw how far they go on (`fronts`)
//! - what can be done behind actions that differ in one cell only is counted for all of these cells at once (`summed`)
//! - what can be done behind any action of a list is counted once where it does not depend on which that was (`regardless`)
//! - the best of what can be done is found while it is listed (`surpassed`)
//! - steps to a cell beside are listed direction by direction (`crossed`), and what is chosen beside a chosen part for all parts at once
//!   (`bordering`, `mingled`)
//! - what loops count is told once behind them (`tallied`)
//! - where ways or texts may be longer than their rooms, functions give up before they write further (`rooms`)
//! - what an opening asks of the number of turns is not asked any more behind it, or asked once, before all else
//!   (`outgrown`)
//! - a random game is one function that nobody outside is asked by (`random`); where lists are one set it draws from that (`sole`),
//!   and where a set tells actions they are not listed one by one (`families`); where some are a set and others a few sets, each place
//!   draws for itself (`apart`), small sets that follow from a few words are looked up (`packed`), and nothing is noted or asked for
//!   somebody else (`played`); what comes next in a turn is not asked for where it is listed (`presumed`)

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no better way here goes the general way"
)]

mod abreast;
mod advance;
pub mod alike;
mod along;
pub mod answers;
mod apart;
mod arising;
mod asked;
mod assumed;
pub mod at_once;
mod back;
mod beside;
mod bordering;
mod certain;
mod changes;
mod choose;
mod clusters;
mod contrary;
mod crossed;
mod deep;
pub mod deferred;
mod done_under;
mod drawing;
mod effects;
mod entries;
mod env;
mod facts;
mod families;
mod far;
mod few;
mod finish;
mod flat;
mod flow;
mod fresh;
mod fronts;
mod fun;
mod gathered;
mod given;
mod hands;
mod heads;
mod held;
mod hindered;
mod hoist;
mod in_step;
mod in_vain;
pub mod inline;
mod inside;
mod kept_for;
mod known;
mod lane_ends;
mod laned;
mod lanes;
mod lengths;
mod loops;
mod lower;
mod masks;
mod mingled;
pub mod monotone;
mod names;
mod opening;
mod orders;
pub mod outgrown;
mod paces;
mod packed;
mod pairs;
mod parts;
mod passed_over;
mod phrased;
mod pictures;
mod piles;
pub mod played;
mod presumed;
mod random;
pub mod rarely;
mod rays;
mod reads;
mod regardless;
mod rooms;
mod sets;
mod settled;
pub mod sides;
mod sight;
mod sizes;
mod sole;
mod spans;
mod starts;
mod steps;
mod subs;
mod summed;
mod sure;
mod surely;
mod surpassed;
mod tail;
mod tall;
pub mod tallied;
mod telling;
pub mod tidy;
mod told_by_end;
mod tops;
mod trails;
mod truths;
mod unasked;
mod unique;
mod unlike;
mod unreached;
pub mod unroll;
mod values;
mod ways;
pub mod weighed;
mod wholes;
mod within;

use crate::board::{Board, Cell, Cells};
use crate::compile::kernel::asked::Asked;
use crate::compile::kernel::inline::How;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::pairs::Pairs;
use crate::compile::kernel::random::Parts;
use crate::compile::kernel::regardless::Later;
use crate::program::kernel::{FuncId, Function, Game, Kernel, Room, Work, each_statement};
use crate::program::{Program, Truth, VarId, truth_vars};
use std::ops::Range;

/// Words for what functions leave for others.
const SCRATCH: u32 = 1 << 10;
/// Words for the way to an action.
const PATH: u32 = 1 << 12;
/// Words for the notation of an action.
const TEXT: u32 = 1 << 13;
/// Words for the log.
const LOG: u32 = 1 << 16;
/// Words for the list of actions.
const MOVES: u32 = 1 << 18;
/// What is known of a cell has a bit for each kind.
const MOST_KINDS: usize = 31;

/// A kernel whose functions do what they are to do, and are not yet made good.
pub struct Draft {
    /// All but its functions.
    kernel: Kernel,
    /// Its functions, which are copied only where they are kept.
    functions: Vec<Function>,
    /// What plays or counts whole: functions that others are put into where they are called.
    open: Vec<FuncId>,
    /// What counts sequences of two actions.
    pairs: Option<Pairs>,
    /// Where functions keep what they answered: whoever does not find it there finds the answer again.
    answers: Range<u32>,
    /// Where it is kept how often nothing was counted together.
    in_vain: u32,
    /// From where on scratch is free for what the actions of a list may change, if there is room for that.
    in_doubt: Option<u32>,
    /// Where the number of turns stands.
    turns: Option<u32>,
    /// Whether random games draw apart from lists that are a few sets.
    apart: bool,
    /// Whether it is looked up if an action that is counted can be gone on with.
    looks_ahead: bool,
    /// Functions that only hand on what they are given, in place of longer ones.
    handing_on: Vec<(FuncId, Function)>,
    /// Functions that are made when those are good that they are made of.
    later: Option<Later>,
}

impl Draft {
    /// How many statements there are.
    #[must_use]
    pub fn statements(&self) -> usize {
        let mut many = 0;
        for function in &self.functions {
            each_statement(&function.body, &mut |_| many += 1);
        }
        many
    }

    /// The kernel with as few statements as can be: it is made ready soon, and runs slower. What is asked for from outside has the
    /// same numbers as in the better one.
    #[must_use]
    pub fn soon(&self) -> Kernel {
        let mut kernel = self.kernel.clone();
        let mut functions: Vec<&Function> = self.functions.iter().collect();
        for (id, short) in &self.handing_on {
            functions[id.0 as usize] = short;
        }
        kernel.functions = functions.into_iter().cloned().collect();
        inline::inline(&mut kernel.functions, &self.open, None, How::Few);
        sides::share(&mut kernel, &[], sides::For::Soon);
        tidy::tidy(&mut kernel);
        at_once::list(&mut kernel.functions, &kernel.room);
        rooms::guard(&mut kernel);
        kernel
    }

    /// The kernel that runs fastest.
    #[must_use]
    pub fn better(self) -> Kernel {
        let Draft {
            mut kernel,
            functions,
            open,
            pairs,
            answers,
            in_vain,
            in_doubt,
            turns,
            apart,
            looks_ahead,
            later,
            ..
        } = self;
        kernel.functions = functions;
        if looks_ahead {
            count_ahead(&mut kernel, turns);
        }
        let behind = pairs.as_ref().map(|pairs| pairs.behind);
        let how = match kernel.work {
            Work::Counting => How::Counted,
            Work::Games if apart => How::Apart,
            Work::Games => How::Played,
        };
        inline::inline(&mut kernel.functions, &open, behind, how);
        hoist::hoist(&mut kernel.functions);
        unroll::unroll(&mut kernel.functions);
        entries::look_up(&mut kernel);
        tidy::tidy(&mut kernel);
        if let (Some(game), true) = (kernel.game, apart) {
            packed::look_up(&mut kernel, game);
            played::finish(&mut kernel, game);
        }
        if let (Some(game), Some(turns)) = (kernel.game, turns) {
            outgrown::outgrow(&mut kernel.functions[game.0 as usize], turns, &kernel.room);
        }
        if let (Some(game), true) = (kernel.game, apart) {
            played::settle(&mut kernel, game);
        }
        let mut alike = Vec::new();
        if let Some(pairs) = pairs {
            let summed = summed::sum(&mut kernel, &answers, in_vain);
            inline::put(&mut kernel.functions, pairs.behind, pairs.all);
            tidy::one(&mut kernel.functions[pairs.all.0 as usize], &kernel.room);
            if let Some(in_doubt) = in_doubt.filter(|_| !summed) {
                alike = regardless::count(&mut kernel, pairs, in_doubt);
            }
        }
        if let Some(later) = later {
            later.make(&mut kernel);
        }
        at_once::list(&mut kernel.functions, &kernel.room);
        weighed::count_apart(&mut kernel.functions, &kernel.room);
        tallied::tally_behind(&mut kernel.functions, &kernel.room);
        sides::share(&mut kernel, &alike, sides::For::Good);
        rooms::guard(&mut kernel);
        kernel
    }
}

/// Makes good what counts and lists where it is looked up whether an action can be gone on with, told where the number of turns stands.
fn count_ahead(kernel: &mut Kernel, turns: Option<u32>) {
    let room = kernel.room;
    let entries = kernel.entries.iter().flatten();
    let counting = entries.filter_map(|entry| Some((entry.counting?, entry.list)));
    let asked = counting.flat_map(|(c, list)| [c.count, list].into_iter().chain(c.ahead));
    let asked: Vec<FuncId> = asked.collect();
    let ids = deferred::defer(kernel, &asked);
    for &id in &ids {
        let turns =
            turns.filter(|turns| !changes::may_change(&kernel.functions, id, *turns, &room));
        if let Some(turns) = turns {
            outgrown::ask_first(&mut kernel.functions[id.0 as usize], turns, &room);
        }
    }
    rarely::part(&mut kernel.functions, &ids, &room);
}

/// The kernel of a program for some work; with `whole` random games, and sequences of two actions, are one function. Without,
/// they are asked for step by step.
///
/// # Errors
///
/// What in the rules no kernel can do; the plain engine can.
pub fn kernel(program: &Program, work: Work, whole: bool) -> Result<Kernel, String> {
    draft(program, work, whole).map(Draft::better)
}

/// As [`kernel`], before it is made good, which can be done in two ways.
///
/// # Errors
///
/// As of [`kernel`].
pub fn draft(program: &Program, work: Work, whole: bool) -> Result<Draft, String> {
    let phrased = phrased::phrased(program);
    let program = phrased.as_ref().unwrap_or(program);
    let fronts = drafted(program, work, whole, true)?;
    match fronts {
        Some(draft) => Ok(draft),
        None => drafted(program, work, whole, false)
            .map(|draft| draft.ok_or_else(|| "fronts are listed".to_owned()))?,
    }
}

/// As [`draft`]; with `fronts` pictures may be listed by those, and there is none where two actions may have one text.
fn drafted(
    program: &Program,
    work: Work,
    whole: bool,
    fronts: bool,
) -> Result<Option<Draft>, String> {
    let mut l = Lowerer::new(program, room(program));
    l.random = work == Work::Games;
    l.lists_fronts = fronts && l.random;
    if program.kinds.len() > MOST_KINDS {
        return Err(format!("there are more than {MOST_KINDS} kinds of pieces"));
    }
    l.scratch_next = l.room.scratch + program.players.len() as u32;
    let mut asked = Asked::default();
    (0..program.players.len() as u8).for_each(|me| asked.add(&mut l, me, work));
    l.work();
    asked.plays(&mut l, work, whole);
    l.work();
    if let Some(why) = l.refused {
        return Err(why);
    }
    if l.doubts && !l.fronts.is_empty() {
        return Ok(None);
    }
    l.strike_surpassed(work);
    Ok(Some(put_together(l, asked, work, whole)))
}

/// The kernel of what was written.
fn put_together(mut l: Lowerer<'_>, mut asked: Asked, work: Work, whole: bool) -> Draft {
    let program = l.program;
    let mut fronts = l.behind_fronts();
    let handing_on = l.hand_on();
    l.answer_hindered();
    let place = alike::merge(&mut l.functions);
    asked.each(|id| *id = place[id.0 as usize]);
    fronts.iter_mut().for_each(|id| *id = place[id.0 as usize]);
    let handing_on = alike::moved(handing_on, &place);
    let free = l.scratch_next;
    l.keep_answers();
    let answers = free..l.scratch_next;
    let in_vain = l.scratch(1);
    let Asked {
        turn,
        entries,
        ends,
        moving,
        scores,
        presumed,
    } = asked;
    let first_in_doubt = first_in_doubt(program);
    let parts = Parts {
        turn: &turn,
        entries: &entries,
        fronts: &fronts,
        makers: &[],
        ends: &ends,
        moving: &moving,
        first_in_doubt,
        doubts: l.doubts,
        presumed: &presumed,
    };
    if work == Work::Games {
        l.cross(&entries, &handing_on);
    }
    let settling = l.settling(&presumed);
    let game = (whole && work == Work::Games).then(|| l.random_game(&parts));
    let game = game.filter(|_| l.refused.is_none());
    let counts = whole && work == Work::Counting;
    let deep = (counts && l.looks_ahead).then(|| l.deep(&parts)).flatten();
    let pairs = (counts && deep.is_none()).then(|| l.pairs(&parts));
    // All that is left of scratch.
    let free = l.scratch_next;
    let in_doubt = (free + regardless::scratch(&l.room) <= l.room.path).then_some(free);
    let open = pairs.iter().map(|pairs| pairs.all);
    let later = l.later.take();
    let ids = later.iter().flat_map(Later::ids);
    let open = game.into_iter().chain(open).chain(ids).collect();
    let place = |v: &VarId| program.var(*v).offset as u32;
    let actions = program.system.actions.filter(|_| l.sure.counted);
    let turns = program.system.turns.as_ref().map(place);
    let kernel = Kernel {
        work,
        within: l.sure.places_within(program),
        rests: l.certain.words_at_points(program),
        stands: l.stands.iter().map(|of| of.rests.clone()).collect(),
        counted: actions.as_ref().map(place),
        tall: tall::heights(program),
        clear_points: tall::clear_points(program).unwrap_or_default(),
        cells: program.board.len(),
        neighbours: neighbours(&program.board),
        sole_kind: l.slots.kinds.contains(&None),
        follow: l.slots.following(program),
        piece_bits: l.piece_bits() as u32,
        pieces: l.codes,
        low_piles: l.low_piles,
        room: l.room,
        functions: Vec::new(),
        sets: l.fixed.sets,
        tables: l.tables,
        rows: l.rows,
        shifts: l.shifts,
        turn,
        entries,
        ends,
        moving,
        game,
        presumed: settling,
        lists: l.lists,
        fronts,
        pairs: pairs.as_ref().map(|pairs| pairs.all),
        deep,
        first_in_doubt,
        scores,
        scores_at: l.room.scratch,
        unique: !l.doubts,
    };
    Draft {
        kernel,
        functions: l.functions,
        open,
        pairs,
        answers,
        in_vain,
        in_doubt,
        turns,
        apart: l.draws_apart,
        looks_ahead: l.looks_ahead,
        handing_on,
        later,
    }
}

/// For each cell those next to it.
fn neighbours(board: &Board) -> Vec<Cells> {
    let cells = (0..board.len()).map(|c| Cell(c as u16));
    cells.map(|c| *board.neighbours(c)).collect()
}

/// The first end of which it is not known whether it holds as long as it is taken for granted that a turn can be completed: one that asks
/// for that, or the one behind it when that cannot hold where a turn can be completed.
fn first_in_doubt(program: &Program) -> Option<usize> {
    let first = program
        .ends
        .iter()
        .position(|e| truth_vars(&e.test).stuck)?;
    Some(first + usize::from(!may_hold_moving(&program.ends[first].test)))
}

/// Whether a test may hold where a turn can be completed.
fn may_hold_moving(test: &Truth) -> bool {
    match test {
        Truth::Stuck => false,
        Truth::And(a, b) => may_hold_moving(a) && may_hold_moving(b),
        Truth::Or(a, b) => may_hold_moving(a) || may_hold_moving(b),
        _ => true,
    }
}

fn room(program: &Program) -> Room {
    let words = program.layout.words as u32;
    let state = program.layout.state as u32;
    let piles = state;
    let tall = piles
        + if program.stacking {
            program.board.len() as u32 + 1
        } else {
            0
        };
    let kept = tall + words * tall::heights(program).len() as u32;
    let game = kept + 8;
    let start = game + Game::WORDS;
    let before = start + kept;
    let scratch = before + kept;
    let path = scratch + SCRATCH;
    let text = path + PATH;
    let log = text + TEXT;
    let moves = log + LOG;
    Room {
        words,
        piles,
        tall,
        kept,
        tally: kept,
        fuel: kept + 1,
        depth: kept + 2,
        fault: kept + 3,
        log_used: kept + 4,
        moves_used: kept + 5,
        moves_count: kept + 6,
        doubt: kept + 7,
        game,
        start,
        before,
        scratch,
        path,
        text,
        log,
        moves,
        memory: moves + MOVES,
    }
}
