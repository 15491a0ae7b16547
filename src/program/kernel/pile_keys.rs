//! Hashes of piles: what the pieces of a pile on a cell add to the hash of a position. Those of low piles stand in a table.

use crate::program::kernel::{Kernel, TableId};
use crate::program::piece_key;

/// Most entries of a table of low piles.
const ENTRIES: usize = 1 << 12;

/// Most entries of one cell.
const OF_CELL: usize = 64;

/// Where the hashes of low piles stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowPiles {
    /// By cell, and then by pile.
    pub table: TableId,
    /// Piles whose word is below this, a power of two, are in it.
    pub below: u64,
}

/// How many piles of a cell a table of low piles has, a power of two, when there are so many cells.
#[must_use]
pub fn low_piles(cells: usize) -> u64 {
    let each = (ENTRIES / cells.max(1)).clamp(1, OF_CELL);
    1 << each.ilog2()
}

/// The hash of a pile on a cell: its pieces one above the other from the lowest bits on, so many bits each, and a 1 above them.
/// None when it holds a code that is no piece.
#[must_use]
pub fn pile_key(pieces: &[u16], bits: u32, cell: u64, mut pile: u64) -> Option<u64> {
    let bits = bits.clamp(1, 63);
    let (mut key, mut level) = (0, 0);
    while pile > 1 {
        let code = pile & ((1 << bits) - 1);
        key ^= piece_key(cell as usize, level, *pieces.get(code as usize)?);
        pile >>= bits;
        level += 1;
    }
    Some(key)
}

impl Kernel {
    /// The hash of a pile of pieces on a cell, see [`pile_key`].
    #[must_use]
    pub fn pile_key(&self, cell: u64, pile: u64) -> Option<u64> {
        let low = self.low_piles.filter(|low| pile < low.below);
        let known = low.and_then(|low| {
            let table = self.tables.get(low.table.0 as usize)?;
            table.get((cell * low.below + pile) as usize).copied()
        });
        known.or_else(|| pile_key(&self.pieces, self.piece_bits, cell, pile))
    }
}

#[cfg(test)]
mod tests {
    use super::{LowPiles, low_piles, pile_key};
    use crate::program::kernel::{Kernel, TableId};
    use crate::program::piece_key;

    #[test]
    fn low_piles_are_hashed_as_high_ones() {
        let pieces = vec![3, 8, 21];
        let sum = piece_key(5, 0, 8) ^ piece_key(5, 1, 21);
        assert_eq!(pile_key(&pieces, 2, 5, 1 | 2 << 2 | 1 << 4), Some(sum));
        assert_eq!(pile_key(&pieces, 2, 5, 1), Some(0), "nothing stands there");
        assert_eq!(pile_key(&pieces, 2, 5, 3 | 1 << 2), None, "no such piece");
        let below = low_piles(6);
        let of = |cell, pile| pile_key(&pieces, 2, cell, pile).unwrap_or_default();
        let keys = (0..6).flat_map(|cell| (0..below).map(move |pile| of(cell, pile)));
        let kernel = Kernel {
            tables: vec![Vec::new(), keys.collect()],
            low_piles: Some(LowPiles {
                table: TableId(1),
                below,
            }),
            pieces: pieces.clone(),
            piece_bits: 2,
            ..Kernel::default()
        };
        for (cell, pile) in [
            (0, 1),
            (5, 2 | 1 << 2 | 1 << 4),
            (5, below + 1),
            (3, 4 * below + 2),
        ] {
            assert_eq!(
                kernel.pile_key(cell, pile),
                pile_key(&pieces, 2, cell, pile)
            );
        }
        assert_eq!([low_piles(1), low_piles(41), low_piles(625)], [64, 64, 4]);
    }
}
