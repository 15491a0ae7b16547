//! What instructions do seldom, and what they look up in the kernel's tables.

use crate::board::CellSet;
use crate::engine::hash::mix;
use crate::engine::portable::code::{R, Rare, Sets, Words, ix};
use crate::engine::portable::effects::{Stop, leaf, leaves, load, store_logged, undo};
use crate::engine::portable::operations::{add, at};
use crate::engine::portable::run::{Exit, Given};
use crate::program::kernel::byte_of;

/// Of two signed numbers.
#[inline]
fn numbers(w: &mut Words, to: R, a: R, b: R, of: impl Fn(i64, i64) -> i64) {
    w[ix(to)] = of(w[ix(a)].cast_signed(), w[ix(b)].cast_signed()).cast_unsigned();
}

impl<const N: usize> Given<N> {
    /// Does what is done seldom.
    ///
    /// # Errors
    /// When it gives up.
    #[inline(never)]
    pub fn rare(
        &self,
        rare: Rare,
        x: usize,
        w: &mut Words,
        s: &Sets<N>,
        m: &mut [u64],
    ) -> Result<Option<Exit>, Stop> {
        let room = &self.kernel.room;
        match rare {
            Rare::SumWithin(t, a, b) => numbers(w, t, a, b, i64::saturating_add),
            Rare::DifferenceWithin(t, a, b) => numbers(w, t, a, b, i64::saturating_sub),
            Rare::ProductWithin(t, a, b) => numbers(w, t, a, b, i64::saturating_mul),
            Rare::Quotient(t, a, b) => {
                numbers(w, t, a, b, |a, b| a.checked_div(b).unwrap_or(0));
            }
            Rare::Remainder(t, a, b) => {
                numbers(w, t, a, b, |a, b| a.checked_rem_euclid(b).unwrap_or(0));
            }
            Rare::High(t, a, b) => {
                let wide = u128::from(w[ix(a)]) * u128::from(w[ix(b)]);
                w[ix(t)] = (wide >> 64) as u64;
            }
            Rare::Nth(t, set, n) => {
                let mut cells = CellSet::<N>::from_words(&s[ix(set)]).into_iter();
                let cell = usize::try_from(w[ix(n)]).ok().and_then(|n| cells.nth(n));
                w[ix(t)] = cell.ok_or(Stop::Lost)?.index() as u64;
            }
            Rare::Note(all, pieces) => {
                return Ok(Some(Exit::Note(w[ix(all)], w[ix(pieces)])));
            }
            Rare::Mix(t, a) => w[ix(t)] = mix(w[ix(a)]),
            Rare::PileKey(t, cell, pile) => {
                let key = self.kernel.pile_key(w[ix(cell)], w[ix(pile)]);
                w[ix(t)] = key.ok_or(Stop::Lost)?;
            }
            Rare::Repeated(t, a) => return Ok(Some(Exit::Repeated(t, w[ix(a)]))),
            Rare::Seen(t, a) => return Ok(Some(Exit::Seen(t, w[ix(a)]))),
            Rare::StoreLogged(a) => store_logged(m, room, x, w[ix(a)])?,
            Rare::StoreLoggedAt(i, a) => store_logged(m, room, at(x, w[ix(i)], 1), w[ix(a)])?,
            Rare::Mark(t) => w[ix(t)] = load(m, room.log_used as usize)?,
            Rare::Undo(a) => undo(m, room, w[ix(a)])?,
            Rare::Leaf(a) => leaf(m, room, w[ix(a)])?,
            Rare::Leaves(a, set) => leaves(m, room, w[ix(a)], (&s[ix(set)], x as u32))?,
            Rare::Fault(fault) => return Err(Stop::Gave(fault)),
        }
        Ok(None)
    }

    /// An entry of a table.
    ///
    /// # Errors
    /// When there is none.
    #[inline(always)]
    pub fn entry(&self, table: usize, index: u64) -> Result<u64, Stop> {
        let table = self.kernel.tables.get(table).ok_or(Stop::Lost)?;
        load(table, index as usize)
    }

    /// A byte of a table of words.
    ///
    /// # Errors
    /// When there is none.
    #[inline(always)]
    pub fn byte(&self, table: usize, index: u64) -> Result<u64, Stop> {
        let table = self.kernel.tables.get(table).ok_or(Stop::Lost)?;
        byte_of(table, index).ok_or(Stop::Lost)
    }

    /// An entry of a table of sets.
    ///
    /// # Errors
    /// When there is none.
    #[inline(always)]
    pub fn row(&self, rows: usize, index: u64) -> Result<[u64; N], Stop> {
        let rows = self.board.rows.get(rows).ok_or(Stop::Lost)?;
        Ok(*rows.get(index as usize).ok_or(Stop::Lost)?.words())
    }

    /// A set with each cell replaced by a table's entry.
    ///
    /// # Errors
    /// When there is no entry for one.
    #[inline(never)]
    pub fn mapped(&self, set: [u64; N], table: usize) -> Result<[u64; N], Stop> {
        let table = self.kernel.tables.get(table).ok_or(Stop::Lost)?;
        let mut to = [0; N];
        for cell in CellSet::<N>::from_words(&set) {
            add(&mut to, load(table, cell.index())?);
        }
        Ok(to)
    }
}
