//! What generated code leaves to Rust: actions taken down, changes taken back, and what is done with sets cell by cell. Safe
//! code; an index that is out of range is noted and changes nothing.

use crate::board::{Cell, Cells};
use crate::engine::executor::Keys;
use crate::engine::native::tables::Shared;
use crate::program::kernel::{Fault, heading};

/// So many parts of a shift are always quicker than going cell by cell; beyond that, a part is worth as many cells.
const FEW: usize = 4;

/// Work with as many words as a set has, or a few more, known when it is compiled.
macro_rules! as_wide {
    ($words:expr, $n:ident => $work:expr) => {
        as_wide!(@ $words, $n => $work, 1 2 3 4 6 8)
    };
    (@ $words:expr, $n:ident => $work:expr, $($most:literal)*) => {
        match $words {
            $(..=$most => {
                const $n: usize = $most;
                $work
            })*
            _ => {
                const $n: usize = $crate::board::MAX_WORDS;
                $work
            }
        }
    };
}
pub(super) use as_wide;

/// What a run lets these functions see.
pub(super) struct View<'a> {
    /// The memory.
    pub(super) mem: &'a mut [u64],
    /// The kernel and its tables.
    pub(super) shared: &'a Shared,
    /// The keys of earlier positions.
    pub(super) past: &'a mut Keys,
    /// What is kept of joined parts, see `emit::parts`.
    pub(super) kept: &'a mut [u64],
    /// What was out of range: 0, or [`BROKEN`] and above it the index.
    pub(super) broken: &'a mut u64,
}

/// Notes that a place was out of range.
pub(super) const BROKEN: u64 = 1;

impl View<'_> {
    fn broken(&mut self, at: usize) -> u64 {
        *self.broken = BROKEN | (at as u64) << 8;
        self.give_up(Fault::Room)
    }

    fn give_up(&mut self, fault: Fault) -> u64 {
        let at = self.shared.kernel.room.fault as usize;
        if let Some(word) = self.mem.get_mut(at) {
            *word = fault as u64;
        }
        1
    }

    fn word(&self, at: u32) -> usize {
        let word = self.mem.get(at as usize).copied().unwrap_or(u64::MAX);
        usize::try_from(word).unwrap_or(usize::MAX)
    }

    fn add(&mut self, at: u32, more: usize) {
        if let Some(word) = self.mem.get_mut(at as usize) {
            *word = word.wrapping_add(more as u64);
        }
    }
}

/// Takes down an action, or one for each cell of a set; 1 when there is no room.
pub(super) fn leaf(view: &mut View<'_>, length: u64, set: Option<(&[u64], u32)>) -> u64 {
    let (set, family) = (set.map(|(set, _)| set), set.map(|(_, family)| family));
    let room = view.shared.kernel.room;
    let cells: usize = set.map_or(1, |s| s.iter().map(|w| w.count_ones() as usize).sum());
    if cells == 0 {
        return 0;
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let path = room.path as usize;
    if length > (room.log as usize).saturating_sub(path) {
        return view.broken(length);
    }
    let words = 1 + length + set.map_or(0, <[u64]>::len);
    let used = view.word(room.moves_used);
    let at = used.saturating_add(room.moves as usize);
    if at.saturating_add(words) > view.mem.len() {
        return view.give_up(Fault::Room);
    }
    let (before, moves) = view.mem.split_at_mut(at);
    moves[0] = heading(length as u64, family);
    for (to, from) in moves[1..=length].iter_mut().zip(&before[path..]) {
        *to = *from;
    }
    if let Some(set) = set {
        moves[1 + length..words].copy_from_slice(set);
    }
    view.add(room.moves_used, words);
    view.add(room.moves_count, cells);
    0
}

/// Takes back what the log has behind a mark.
pub(super) fn undo(view: &mut View<'_>, mark: u64) -> u64 {
    let room = view.shared.kernel.room;
    let log = room.log as usize;
    let mark = usize::try_from(mark).unwrap_or(usize::MAX);
    let mut used = view.word(room.log_used);
    if used > (room.moves - room.log) as usize {
        return view.broken(used);
    }
    while used > mark && used >= 2 {
        used -= 2;
        let (at, old) = (view.mem[log + used], view.mem[log + used + 1]);
        match view.mem.get_mut(at as usize) {
            Some(word) => *word = old,
            None => return view.broken(at as usize),
        }
    }
    view.mem[room.log_used as usize] = used as u64;
    0
}

/// The hash of a pile on a cell.
pub(super) fn pile_key(view: &mut View<'_>, cell: u64, pile: u64) -> u64 {
    match view.shared.kernel.pile_key(cell, pile) {
        Some(key) => key,
        None => {
            view.broken(pile as usize);
            0
        }
    }
}

/// How often a repetition key is in the past.
pub(super) fn repeated(view: &View<'_>, key: u64) -> u64 {
    view.past.repeated(key)
}

/// 1 when an arrangement's key is in the past.
pub(super) fn seen(view: &View<'_>, key: u64) -> u64 {
    u64::from(view.past.seen(key))
}

/// Adds keys to the past.
pub(super) fn note(view: &mut View<'_>, all: u64, pieces: u64) -> u64 {
    view.past.push((all, pieces));
    0
}

/// How many cells.
pub(super) fn count(set: &[u64]) -> u64 {
    set.iter().map(|w| u64::from(w.count_ones())).sum()
}

/// The lowest cell; `u64::MAX` when there is none.
pub(super) fn first(set: &[u64]) -> u64 {
    let found = set.iter().enumerate().find(|(_, w)| **w != 0);
    found.map_or(u64::MAX, |(i, w)| {
        i as u64 * 64 + u64::from(w.trailing_zeros())
    })
}

/// The highest cell; `u64::MAX` when there is none.
pub(super) fn last(set: &[u64]) -> u64 {
    let found = set.iter().enumerate().rfind(|(_, w)| **w != 0);
    found.map_or(u64::MAX, |(i, w)| {
        i as u64 * 64 + 63 - u64::from(w.leading_zeros())
    })
}

/// The cell with so many below it; `u64::MAX` when there is none.
pub(super) fn nth(set: &[u64], n: u64) -> u64 {
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    cells(set).nth(n).map_or(u64::MAX, |cell| cell as u64)
}

/// The cells of a set in ascending order.
fn cells(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(i * 64 + bit)
        })
    })
}

/// Each cell replaced by a table's entry.
pub(super) fn mapped(view: &mut View<'_>, table: u64, set: &[u64]) -> Cells {
    let shared = view.shared;
    let mut out = Cells::EMPTY;
    let Some(table) = shared.kernel.tables.get(table as usize) else {
        view.broken(table as usize);
        return out;
    };
    for cell in cells(set) {
        match table.get(cell) {
            Some(&to) => out.insert(Cell(u16::try_from(to).unwrap_or(u16::MAX))),
            None => {
                view.broken(cell);
            }
        }
    }
    out
}

/// Where the cells of a set come to by a shift, into words that are all 0: by its parts, or cell by cell when they are few.
pub(super) fn shifted(view: &mut View<'_>, shift: u64, set: &[u64], to: &mut [u64]) {
    let shared = view.shared;
    let Some(shift) = shared.kernel.shifts.get(shift as usize) else {
        view.broken(shift as usize);
        return;
    };
    if shift.parts.len() <= FEW || count(set) as usize > shift.parts.len() * FEW {
        for (mask, distance) in &shift.parts {
            spread(&mut to[..set.len()], set, mask.words(), *distance);
        }
        return;
    }
    for cell in cells(set) {
        let next = shift.steps.get(cell).copied().unwrap_or(u16::MAX);
        if let Some(word) = to[..set.len()].get_mut(usize::from(next) / 64) {
            *word |= 1 << (next % 64);
        }
    }
}

/// Adds the masked cells to `to`, so many numbers further on. All have the same length; what goes beyond it is lost.
#[inline]
fn spread(to: &mut [u64], from: &[u64], mask: &[u64], distance: i32) {
    let (words, bits) = (distance.div_euclid(64), distance.rem_euclid(64));
    spread_words(to, from, mask, words, |word| word << bits);
    if bits != 0 {
        spread_words(to, from, mask, words + 1, |word| word >> (64 - bits));
    }
}

#[inline]
fn spread_words(to: &mut [u64], from: &[u64], mask: &[u64], words: i32, part: impl Fn(u64) -> u64) {
    let skipped = words.unsigned_abs() as usize;
    let (read, write) = if words < 0 {
        (skipped, 0)
    } else {
        (0, skipped)
    };
    let taken = from.iter().zip(mask).skip(read);
    for (to, (word, mask)) in to.iter_mut().skip(write).zip(taken) {
        *to |= part(word & mask);
    }
}

/// The cells next to any of a set.
#[inline]
pub(super) fn around<const N: usize>(view: &View<'_>, set: &[u64]) -> [u64; N] {
    let few = count(set) as usize;
    let from = taken::<N>(set);
    match &view.shared.distances {
        // Going cell by cell is quicker while there are fewer cells than distances.
        Some(distances) if few > distances.len() => spread_all::<N>(distances, &from),
        _ => match view.shared.all_next_to::<N>() {
            Some(rows) => next_to_any(&from, |cell| rows.get(cell).copied().unwrap_or([0; N])),
            None => next_to_any(&from, |cell| view.shared.next_to::<N>(cell)),
        },
    }
}

/// Adds the masked cells for every mask and distance, with all words of a set at hand.
fn spread_all<const N: usize>(distances: &[(i32, Cells)], from: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    for (distance, mask) in distances {
        let taken: [u64; N] = std::array::from_fn(|i| from[i] & mask.words()[i]);
        let (words, bits) = (distance.div_euclid(64), distance.rem_euclid(64));
        match (words, bits) {
            (0, 1..) => {
                for i in 0..N {
                    let below = if i == 0 { 0 } else { taken[i - 1] };
                    out[i] |= taken[i] << bits | below >> (64 - bits);
                }
            }
            (-1, 1..) => {
                for i in 0..N {
                    let above = if i + 1 == N { 0 } else { taken[i + 1] };
                    out[i] |= above << bits | taken[i] >> (64 - bits);
                }
            }
            _ => out = spread_far(out, from, &mask.words()[..N], *distance),
        }
    }
    out
}

/// Apart, so that all others are held in registers.
#[cold]
#[inline(never)]
fn spread_far<const N: usize>(
    mut out: [u64; N],
    from: &[u64; N],
    mask: &[u64],
    distance: i32,
) -> [u64; N] {
    spread(&mut out, from, mask, distance);
    out
}

#[inline]
fn next_to_any<const N: usize>(from: &[u64; N], next_to: impl Fn(usize) -> [u64; N]) -> [u64; N] {
    let mut out = [0; N];
    for (i, &word) in from.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            let row = next_to(i * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
            for j in 0..N {
                out[j] |= row[j];
            }
        }
    }
    out
}

/// The joined part of a set that holds a cell: the one that was found there before, when it still is one.
#[inline]
pub(super) fn part<const N: usize>(view: &mut View<'_>, set: &[u64], cell: u64) -> [u64; N] {
    let all = taken::<N>(set);
    // What is kept is as wide as sets: it is looked at only where those have just `N` words.
    let kept = if view.shared.width == N {
        view.kept.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0
    } else {
        &mut []
    };
    let entry = kept.get_mut(cell as usize);
    let here = std::array::from_fn(|i| {
        let here = cell / 64 == i as u64;
        all[i] & (u64::from(here) << (cell % 64))
    });
    let mut begin = [[0; N], here, [0; N]];
    if let Some([part, beside]) = &entry
        && *part != [0; N]
        && (0..N).all(|i| part[i] & !all[i] == 0)
    {
        let new = std::array::from_fn(|i| beside[i] & all[i]);
        if new == [0; N] {
            return *part;
        }
        // It has only grown: what it had needs no look.
        begin = [*part, new, *beside];
    }
    let found = match view.shared.all_next_to::<N>() {
        Some(rows) => joined(&all, begin, |c| rows.get(c).copied().unwrap_or([0; N])),
        None => joined(&all, begin, |c| view.shared.next_to::<N>(c)),
    };
    if let Some(entry) = entry {
        *entry = found;
    }
    found[0]
}

/// Takes in what is next to some cells, one cell after the other, until none is left to look at: the cells taken in, and those next to
/// them that are not. Given those that were looked at, those that are to be, and what is next to the former.
#[inline]
fn joined<const N: usize>(
    all: &[u64; N],
    [part, mut open, mut beside]: [[u64; N]; 3],
    next_to: impl Fn(usize) -> [u64; N],
) -> [[u64; N]; 2] {
    let mut left = *all;
    for i in 0..N {
        left[i] &= !(part[i] | open[i]);
    }
    // Word after word, so that all words can be held in registers.
    while open.iter().any(|word| *word != 0) {
        for i in 0..N {
            while open[i] != 0 {
                let row = next_to(i * 64 + open[i].trailing_zeros() as usize);
                open[i] &= open[i] - 1;
                for j in 0..N {
                    let new = row[j] & left[j];
                    left[j] ^= new;
                    open[j] |= new;
                    beside[j] |= row[j];
                }
            }
        }
    }
    let part = std::array::from_fn(|i| all[i] ^ left[i]);
    [part, std::array::from_fn(|i| beside[i] & !part[i])]
}

/// The first `N` words of a set; what it does not have is 0.
#[inline]
fn taken<const N: usize>(set: &[u64]) -> [u64; N] {
    match set.first_chunk() {
        Some(words) => *words,
        None => std::array::from_fn(|i| set.get(i).copied().unwrap_or(0)),
    }
}

/// Words into a place that may have fewer; quick for the number of words that is said.
#[inline]
pub(super) fn hand_on<const N: usize>(to: &mut [u64], from: &[u64; N]) {
    match to.first_chunk_mut::<N>() {
        Some(to) => *to = *from,
        None => hand_on_few(to, from),
    }
}

/// Apart: drawn together with what is quick, both would copy words by a call.
#[cold]
#[inline(never)]
fn hand_on_few(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
