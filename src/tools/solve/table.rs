//! A table of positions that were looked at: keys in, bounds and depths out. Its size never changes; when it is full, what was
//! looked at less deeply gives way. Keys are 64 bits; two positions with the same key are taken for one.

use crate::tools::solve::value::{Bounds, Question};

/// How many entries are looked through for a key.
const WAYS: usize = 4;

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    bounds: u8,
    /// How deep each question was followed.
    depths: [u8; 2],
    /// How much work it was, as a logarithm; 0 in an empty entry.
    work: u8,
    /// A key of the action that was best.
    best: u32,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
    used: usize,
}

/// What the table says of a position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// What it can be worth.
    pub bounds: Bounds,
    /// How deep each question was followed.
    pub depths: [u8; 2],
    /// A key of the action that was best.
    pub best: u32,
}

impl Table {
    /// A table of so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<Entry>()).max(WAYS * 64);
        Table {
            entries: vec![Entry::default(); count / WAYS * WAYS],
            used: 0,
        }
    }

    /// How many positions it holds.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / WAYS) as u128;
        let at = (u128::from(key) * buckets) >> 64;
        at as usize * WAYS
    }

    /// What is known of a position.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Known> {
        let at = self.bucket(key);
        let found = self.entries[at..at + WAYS]
            .iter()
            .find(|e| e.work > 0 && e.key == key)?;
        Some(Known {
            bounds: Bounds::unpack(found.bounds),
            depths: found.depths,
            best: found.best,
        })
    }

    /// Notes what was found about a question of a position; what was known stays known.
    pub fn note(
        &mut self,
        key: u64,
        bounds: Bounds,
        (question, depth): (Question, u8),
        work: u64,
        best: u32,
    ) {
        let at = self.bucket(key);
        let bucket = &mut self.entries[at..at + WAYS];
        let work = (64 - work.leading_zeros()).to_le_bytes()[0].max(1);
        let there = bucket.iter().position(|e| e.work > 0 && e.key == key);
        let place = there.or_else(|| bucket.iter().position(|e| e.work == 0));
        let place = place.unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|n| bucket[*n].work);
            least.unwrap_or(0)
        });
        let entry = &mut bucket[place];
        if there.is_none() {
            self.used += usize::from(entry.work == 0);
            *entry = Entry {
                key,
                bounds: Bounds::UNKNOWN.pack(),
                ..Entry::default()
            };
        }
        entry.bounds = Bounds::unpack(entry.bounds).and(bounds).pack();
        let known = &mut entry.depths[question.index()];
        *known = (*known).max(depth);
        entry.work = entry.work.max(work);
        if best != 0 {
            entry.best = best;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::solve::table::Table;
    use crate::tools::solve::value::{Bounds, Question, Value};

    #[test]
    fn what_was_known_stays_known() {
        let mut table = Table::new(0);
        assert!(table.find(7).is_none());
        let win = Question::Win;
        table.note(7, win.bounds(Some(false)), (win, 3), 10, 1);
        let draw = Question::AtLeastDraw;
        table.note(7, draw.bounds(Some(true)), (draw, 5), 1, 0);
        let known = table.find(7).unwrap();
        assert_eq!(known.bounds.known(), Some(Value::Draw));
        assert_eq!((known.depths, known.best, table.used()), ([5, 3], 1, 1));
    }

    #[test]
    fn more_work_stays_longer() {
        let mut table = Table::new(0);
        let win = Question::Win;
        table.note(1, Bounds::UNKNOWN, (win, 1), 1 << 20, 0);
        for key in 2..5000u64 {
            table.note(
                key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58,
                Bounds::UNKNOWN,
                (win, 1),
                1,
                0,
            );
            table.note(key, Bounds::UNKNOWN, (win, 1), 1, 0);
        }
        assert!(table.find(1).is_some());
        assert!(table.used() <= table.entries.len());
    }
}
