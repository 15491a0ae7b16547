//! What statements do to memory beyond storing a word: the log, the list of actions. Each gives back why it could not.

use crate::board::CellSet;
use crate::program::kernel::{Fault, Room, heading};

/// Why a function did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It gave up.
    Gave(Fault),
    /// It wanted something that is not there: a word outside of memory, an entry outside of a table.
    Lost,
}

/// A word of memory.
#[inline(always)]
pub fn load(mem: &[u64], at: usize) -> Result<u64, Stop> {
    mem.get(at).copied().ok_or(Stop::Lost)
}

/// Stores a word.
#[inline(always)]
pub fn store(mem: &mut [u64], at: usize, value: u64) -> Result<(), Stop> {
    *mem.get_mut(at).ok_or(Stop::Lost)? = value;
    Ok(())
}

/// A set of so many words.
#[inline(always)]
pub fn load_set<const N: usize>(mem: &[u64], at: usize, words: usize) -> Result<[u64; N], Stop> {
    let from = mem.get(at..).ok_or(Stop::Lost)?;
    if let Some(all) = from.first_chunk::<N>().filter(|_| words == N) {
        return Ok(*all);
    }
    let from = from.get(..words).ok_or(Stop::Lost)?;
    Ok(*CellSet::from_words(from).words())
}

/// Stores a set of so many words.
#[inline(always)]
pub fn store_set<const N: usize>(
    mem: &mut [u64],
    at: usize,
    set: &[u64; N],
    words: usize,
) -> Result<(), Stop> {
    let to = mem.get_mut(at..).ok_or(Stop::Lost)?;
    if words == N {
        *to.first_chunk_mut::<N>().ok_or(Stop::Lost)? = *set;
        return Ok(());
    }
    let to = to.get_mut(..words.min(N)).ok_or(Stop::Lost)?;
    to.copy_from_slice(&set[..words.min(N)]);
    Ok(())
}

/// Adds to a word.
#[inline(always)]
pub fn grow(mem: &mut [u64], at: u32, by: u64) -> Result<(), Stop> {
    let word = mem.get_mut(at as usize).ok_or(Stop::Lost)?;
    *word = word.wrapping_add(by);
    Ok(())
}

/// A number that counts words, as a place.
fn place(n: u64) -> Result<usize, Stop> {
    usize::try_from(n).map_err(|_| Stop::Lost)
}

/// Stores a word; when it differs, what was there is logged.
pub fn store_logged(mem: &mut [u64], room: &Room, at: usize, value: u64) -> Result<(), Stop> {
    let old = load(mem, at)?;
    if old == value {
        return Ok(());
    }
    let used = place(load(mem, room.log_used as usize)?)?;
    let end = (room.log as usize).checked_add(used).ok_or(Stop::Lost)?;
    if end.saturating_add(2) > room.moves as usize {
        return Err(Stop::Gave(Fault::Room));
    }
    store(mem, end, at as u64)?;
    store(mem, end + 1, old)?;
    grow(mem, room.log_used, 2)?;
    store(mem, at, value)
}

/// Takes back what was logged, down to a length.
pub fn undo(mem: &mut [u64], room: &Room, down: u64) -> Result<(), Stop> {
    let mut used = load(mem, room.log_used as usize)?;
    while used > down && used > 1 {
        used -= 2;
        let entry = (room.log as usize).saturating_add(place(used)?);
        let at = place(load(mem, entry)?)?;
        let old = load(mem, entry.saturating_add(1))?;
        store(mem, at, old)?;
    }
    store(mem, room.log_used as usize, used)
}

/// Takes down the path's first words under a heading, and behind them perhaps a set: so many actions.
#[inline(always)]
fn note(
    mem: &mut [u64],
    room: &Room,
    (length, heading): (u64, u64),
    set: &[u64],
    actions: u64,
) -> Result<(), Stop> {
    let words = place(length)?;
    let used = place(load(mem, room.moves_used as usize)?)?;
    let need = words.saturating_add(1 + set.len());
    let at = (room.moves as usize).saturating_add(used);
    if at.saturating_add(need) > room.memory as usize {
        return Err(Stop::Gave(Fault::Room));
    }
    let path = room.path as usize;
    if path.saturating_add(words) > mem.len() || at + need > mem.len() {
        return Err(Stop::Lost);
    }
    mem[at] = heading;
    mem.copy_within(path..path + words, at + 1);
    mem[at + 1 + words..at + need].copy_from_slice(set);
    grow(mem, room.moves_used, need as u64)?;
    grow(mem, room.moves_count, actions)
}

/// Takes down an action: the path's first words.
pub fn leaf(mem: &mut [u64], room: &Room, length: u64) -> Result<(), Stop> {
    note(mem, room, (length, heading(length, None)), &[], 1)
}

/// Takes down an action for each cell of a set, told as a family says.
pub fn leaves<const N: usize>(
    mem: &mut [u64],
    room: &Room,
    length: u64,
    (set, family): (&[u64; N], u32),
) -> Result<(), Stop> {
    match CellSet::<N>::from_words(set).len() {
        0 => Ok(()),
        cells => {
            let words = &set[..N.min(room.words as usize)];
            let heading = heading(length, Some(family));
            note(mem, room, (length, heading), words, cells as u64)
        }
    }
}
