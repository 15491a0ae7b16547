//! How many trails on an empty board go on. In: where steps go. Out: for so many steps that are left, each kind of heading and each cell,
//! how many ways there are to go on by one step, by two and so on, in one word.

use crate::compile::kernel::paces::goes::{Goes, Kinds};

/// So many words a table has at most.
const WORDS: usize = 1 << 16;

/// Several numbers in a word, each in as many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// How many.
    pub numbers: u32,
    /// Bits of each.
    pub bits: u32,
}

impl Packed {
    /// As many numbers as can be, of which the one behind so many steps is at most `starts` times the number of ways to go them, if
    /// at most so many ways lead on from anywhere. Nothing where that are fewer than two.
    pub fn of(starts: u64, widest: u64) -> Option<Packed> {
        (2..=4).rev().find_map(|numbers| {
            let ways = widest.max(1).checked_pow(numbers - 1);
            let most = ways.and_then(|ways| ways.checked_mul(starts));
            let bits = 64 / numbers;
            let fits = most.is_some_and(|most| most < 1 << bits);
            fits.then_some(Packed { numbers, bits })
        })
    }

    /// The bits of all numbers, from the lowest.
    pub fn all(self) -> u64 {
        u64::MAX >> (64 - self.numbers * self.bits)
    }

    /// The bits of the first.
    pub fn first(self) -> u64 {
        (1 << self.bits) - 1
    }
}

/// How many ways there are to go on.
pub struct Numbers {
    /// The kinds of headings.
    pub kinds: Kinds,
    /// With more steps left the numbers are the same.
    pub most: usize,
    /// For so many steps left, each kind, and no cell and each cell: first 1 if all of them can be gone, then how many ways there are to
    /// go one step of them, two, and so on, such that the rest can be gone as well.
    pub table: Vec<u64>,
}

impl Goes {
    /// The numbers; nothing where there are too many.
    pub fn numbers(&self, packed: Packed) -> Option<Numbers> {
        let kinds = self.kinds();
        let block = kinds.first.len() * self.row();
        let mut table = self.more(&kinds, packed, None);
        let mut most = 0;
        loop {
            let more = self.more(&kinds, packed, Some(&table[most * block..]));
            if more == table[most * block..] {
                break;
            }
            table.extend(more);
            most += 1;
            if table.len() > WORDS {
                return None;
            }
        }
        Some(Numbers { kinds, most, table })
    }

    /// The numbers for one step more than others, or for none.
    fn more(&self, kinds: &Kinds, packed: Packed, fewer: Option<&[u64]>) -> Vec<u64> {
        let of = |heading: usize, cell: usize| {
            let Some(fewer) = fewer else { return 1 };
            let place = |(h, to)| (kinds.of[h] as usize - 1) * self.row() + cell_entry(to);
            let steps = self.from(heading, cell).map(place);
            let ways: u64 = steps.map(|at| fewer[at]).sum();
            (ways << packed.bits | u64::from(ways != 0)) & packed.all()
        };
        let row = |heading: &usize| {
            let heading = *heading;
            std::iter::once(0).chain((0..self.row() - 1).map(move |cell| of(heading, cell)))
        };
        kinds.first.iter().flat_map(row).collect()
    }
}

fn cell_entry(cell: crate::board::Cell) -> usize {
    cell.index() + 1
}

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn numbers_have_room() {
        let of = |starts, widest| Packed::of(starts, widest).map(|p| (p.numbers, p.bits));
        assert_eq!(of(70, 3), Some((4, 16)));
        assert_eq!(of(2427, 3), Some((4, 16)));
        assert_eq!(of(2428, 3), Some((3, 21)));
        assert_eq!(of(1 << 20, 8), Some((2, 32)));
        assert_eq!(of(1 << 40, 8), None);
    }
}
