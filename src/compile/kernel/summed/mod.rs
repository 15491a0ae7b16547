//! What can be done behind actions that differ in one cell only, counted for all of these cells at once. Before: a kernel for
//! counting whose `pairs` goes through the cells of a set, plays each, asks the ends, counts and takes it back. After: it does so
//! only for cells that cannot be told together; what all others come to was added before, by statements in which each word and
//! each set stands for one in every position (`values`), of which nothing is stored (`memory`, `places`) and nothing
//! called (`walk`), and in which ways part where cells differ (`branches`) and meet again where they do not any more (`meeting`). Conditions: none.

mod branches;
mod made;
mod meeting;
mod memory;
mod places;
mod sets;
mod state;
mod values;
mod walk;
mod writer;

use crate::compile::kernel::fun::{Fixed, Fun, NO, NONE, SV, V};
use crate::compile::kernel::in_vain::unless_in_vain;
use crate::compile::kernel::summed::memory::Memory;
use crate::compile::kernel::summed::state::{Env, State};
use crate::compile::kernel::summed::values::Num;
use crate::compile::kernel::summed::walk::Walk;
use crate::compile::kernel::summed::writer::Writer;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Game, Kernel, S, Set, Stmt, Value, W, Word, called,
    each_statement, fixed_words,
};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Counts together what can be counted together, and tells whether there is anything. What stands in `answers` saves work and nothing
/// else.
///
/// The word at `in_vain` is for how often nothing was counted together one time after the other: then it is not tried for a while.
pub fn sum(kernel: &mut Kernel, answers: &Range<u32>, in_vain: u32) -> bool {
    let Some(pairs) = kernel.pairs.map(|id| id.0 as usize) else {
        return false;
    };
    let Some(round) = round(&kernel.functions[pairs].body, kernel.room.path) else {
        return false;
    };
    let mut listed = Listed::default();
    let lists = kernel.entries.iter().flatten().map(|entry| entry.list);
    let lists = lists.map(|list| listed.lengths(&kernel.functions, list));
    let lists: Vec<Vec<u32>> = lists.collect();
    if lists.iter().all(Vec::is_empty) {
        return false;
    }
    let mut fixed = Fixed::of(std::mem::take(&mut kernel.sets));
    let written = write(
        kernel,
        &mut fixed,
        (pairs, &round),
        &lists,
        (answers, in_vain),
    );
    kernel.sets = fixed.sets;
    let Some(Written {
        rest,
        before,
        first,
        words,
        sets,
    }) = written
    else {
        return false;
    };
    let function = &mut kernel.functions[pairs];
    (function.words, function.sets) = (words, sets);
    let mut before = Some(before);
    let body = std::mem::take(&mut function.body);
    function.body = first;
    function.body.extend(put(body, &round, rest, &mut before));
    tidy::one(function, &kernel.room);
    true
}

/// The loop over the cells of a set.
struct Round {
    /// The cell.
    cell: W,
    /// The set.
    set: S,
    /// Who plays and counts.
    behind: FuncId,
    /// The number of the entry.
    which: W,
    /// How many words the path has in front of the cell.
    length: W,
}

/// The loop in which a function is called for the cells of a set.
fn round(body: &Body, path: u32) -> Option<Round> {
    let of = |stmt: &Stmt| match stmt {
        Stmt::ForCells(cell, set, inner) => {
            let (mut call, mut length) = (None, None);
            for stmt in inner {
                match stmt {
                    Stmt::Call(id, arguments, _) => call = Some((*id, arguments.as_slice())),
                    Stmt::Store(place, _) if place.base == path => length = place.index,
                    _ => {}
                }
            }
            match (call?, length?) {
                ((behind, [Value::Word(which)]), (length, 1)) => Some(Round {
                    cell: *cell,
                    set: *set,
                    behind,
                    which: *which,
                    length,
                }),
                _ => None,
            }
        }
        other => other.bodies().find_map(|inner| round(inner, path)),
    };
    body.iter().find_map(of)
}

/// What was written.
struct Written {
    /// The cells that are left over.
    rest: S,
    /// What stands before the loop.
    before: Body,
    /// What stands before everything.
    first: Body,
    words: u32,
    sets: u32,
}

/// The statements with others before the loop, which goes through the cells that they leave over.
fn put(body: Body, round: &Round, rest: S, before: &mut Option<Body>) -> Body {
    let mut out = Body::new();
    for mut stmt in body {
        match &mut stmt {
            Stmt::ForCells(cell, set, _) if *cell == round.cell && *set == round.set => {
                out.extend(before.take().into_iter().flatten());
                *set = rest;
            }
            other => {
                for inner in other.bodies_mut() {
                    *inner = put(std::mem::take(inner), round, rest, before);
                }
            }
        }
        out.push(stmt);
    }
    out
}

/// What functions list: for each how long the path is in front of the cells of its sets, and whom it calls.
#[derive(Default)]
struct Listed {
    functions: FxHashMap<FuncId, (Vec<u32>, Vec<FuncId>)>,
}

impl Listed {
    /// How long the path of an action is in front of the cell, for the sets that a function lists; where that is not fixed they are
    /// not told.
    fn lengths(&mut self, functions: &[Function], list: FuncId) -> Vec<u32> {
        let (mut lengths, mut all, mut at) = (Vec::new(), vec![list], 0);
        while let Some(id) = all.get(at) {
            let function = &functions[id.0 as usize];
            let of = self.functions.entry(*id);
            let (own, calls) =
                of.or_insert_with(|| (own_lengths(function), called(&function.body)));
            lengths.extend(own.iter().copied());
            let new: Vec<FuncId> = calls
                .iter()
                .filter(|id| !all.contains(id))
                .copied()
                .collect();
            all.extend(new);
            at += 1;
        }
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }
}

/// The lengths that are fixed in a function.
fn own_lengths(function: &Function) -> Vec<u32> {
    let mut words = Vec::new();
    each_statement(&function.body, &mut |stmt| {
        if let Stmt::Leaves(length, _, 0) = stmt {
            words.push(*length);
        }
    });
    if words.is_empty() {
        return Vec::new();
    }
    let fixed = fixed_words(function);
    let known = words.iter().filter_map(|w| fixed[w.0 as usize]);
    known
        .filter_map(|length| u32::try_from(length).ok())
        .collect()
}

/// Writes what counts together; nothing when nothing can be.
fn write(
    kernel: &Kernel,
    fixed: &mut Fixed,
    (pairs, round): (usize, &Round),
    lists: &[Vec<u32>],
    (answers, in_vain): (&Range<u32>, u32),
) -> Option<Written> {
    let functions = &kernel.functions;
    let (words, sets) = (functions[pairs].words, functions[pairs].sets);
    let mut f = Fun::more(words, sets);
    let rest = f.set();
    f.push(Stmt::LetSet(rest, Set::Copy(round.set)));
    let tables = (kernel.tables.as_slice(), kernel.rows.as_slice());
    let mut walk = Walk {
        writer: Writer::new(f, fixed, tables, kernel.cells),
        functions,
        room: &kernel.room,
        board: kernel.cells as u32,
        answers: answers.clone(),
        rest,
        meetings: Vec::new(),
        reads: FxHashMap::default(),
        read_behind: FxHashMap::default(),
        useful: false,
        steps: 0,
        written: 0,
    };
    let code = counting(&functions[round.behind.0 as usize]);
    let mut any = false;
    let mut entries = Vec::new();
    for (which, lengths) in lists.iter().enumerate() {
        walk.writer.open();
        for length in lengths {
            let state = begin(kernel, (round, code), which as u64, *length);
            if let Some(body) = walk.all(state) {
                any = true;
                let same =
                    walk.writer
                        .of_two(Bin::Equal, V::R(round.length), V::K(u64::from(*length)));
                walk.writer.f.when(same, body);
            }
        }
        entries.push(walk.writer.close());
    }
    if !any {
        return None;
    }
    // What stands before everything is what has one value only.
    let mut f = walk.writer.f;
    unless_in_vain(&mut f, in_vain, |f| {
        f.push(Stmt::Switch(round.which, entries));
        f.make(Word::Same(rest, round.set))
    });
    let first = std::mem::take(&mut f.prelude);
    let (words, sets, before) = f.finish();
    Some(Written {
        rest,
        before,
        first,
        words,
        sets,
    })
}

/// Where the ways begin for a set of an entry's list.
fn begin<'k>(
    kernel: &'k Kernel,
    (round, code): (&Round, &'k [Stmt]),
    which: u64,
    length: u32,
) -> State<'k> {
    let behind = &kernel.functions[round.behind.0 as usize];
    let mut env = Env::new(behind);
    for param in &behind.params {
        if let Value::Word(w) = param {
            env.give(*w, Num::Same(V::K(which)));
        }
    }
    let room = &kernel.room;
    let mut memory = Memory::new(room.words);
    memory.store(room.path + length, Num::Cell(1));
    memory.store(room.game + Game::Fresh as u32, Num::Same(NO));
    State {
        code,
        then: None,
        function: round.behind.0 as usize,
        calls: 0,
        env: Rc::new(env),
        memory,
        tally: Num::Same(NO),
        cells: SV::R(round.set),
    }
}

/// The statements of a function without those at its end that count nothing any more, when its result is 0: they bring back what
/// was changed.
fn counting(function: &Function) -> &[Stmt] {
    let Some((Stmt::Return(w), mut body)) = function.body.split_last() else {
        return &function.body;
    };
    if fixed_words(function)[w.0 as usize] != Some(0) {
        return &function.body;
    }
    while let Some((last, before)) = body.split_last() {
        if !brings_back(last) {
            break;
        }
        body = before;
    }
    body
}

/// Whether a statement does nothing but store and take back.
fn brings_back(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let(..)
        | Stmt::LetSet(..)
        | Stmt::Store(..)
        | Stmt::StoreSet(..)
        | Stmt::Mark(_)
        | Stmt::Undo(_) => true,
        Stmt::ForNumbers(_, _, _, body) => body.iter().all(brings_back),
        _ => false,
    }
}

impl<'k> Walk<'k> {
    /// What counts all cells that can be counted from a state on, and leaves over the others; nothing when there are
    /// none.
    fn all(&mut self, state: State<'k>) -> Option<Body> {
        self.useful = false;
        (self.steps, self.written) = (0, self.writer.f.written());
        self.writer.open();
        let none = self.writer.f.sreg(NONE);
        self.writer.push(Stmt::LetSet(self.rest, Set::Copy(none)));
        let cells = state.cells;
        self.with(state, cells, |_| {});
        self.meetings.clear();
        let body = self.writer.close();
        self.useful.then_some(body)
    }
}
