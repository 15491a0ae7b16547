//! What a set follows from, and what it is for all values of that: how a set is found out in, a table out. Before: words and sets
//! that are given once. After: for each of the values the cells and their number, packed in a word. Conditions: as in `packed`.

use crate::board::{Cell, Cells};
use crate::compile::kernel::fun::fold;
use crate::compile::kernel::packed::{Given, Packed};
use crate::program::kernel::{Bin, Kernel, S, Set, Stmt, Value, W, Word, byte_of};
use crate::program::mix;

/// More values of the words than this are not gone through.
const MOST: u64 = 1 << 12;

/// So many cells of eight bits fit into a word beside their number.
const CELLS: usize = 7;

/// A set follows from no more words and sets between it and memory.
const STEPS: usize = 64;

/// What is found out for a set, each from what stands before it or from a word that it follows from.
pub struct Steps<'g> {
    given: &'g Given,
    set: S,
    /// In order.
    all: Vec<Value>,
    /// The words that it follows from, and below which number each is.
    words: Vec<(W, u64)>,
}

impl<'g> Steps<'g> {
    /// What leads to a set, when it is little.
    pub fn to(set: S, given: &'g Given, kernel: &Kernel) -> Option<Steps<'g>> {
        let mut steps = Steps {
            given,
            set,
            all: Vec::new(),
            words: Vec::new(),
        };
        steps.follow(Value::Set(set))?;
        let bounds: Option<Vec<(W, u64)>> = (steps.words.iter())
            .map(|(w, _)| Some((*w, steps.bound(*w, kernel)?)))
            .collect();
        steps.words = bounds?;
        let many =
            (steps.words.iter()).try_fold(1u64, |many, (_, below)| many.checked_mul(*below))?;
        (!steps.words.is_empty() && many <= MOST).then_some(steps)
    }

    /// Notes how something is found out.
    fn follow(&mut self, what: Value) -> Option<()> {
        if self.all.contains(&what) || self.words.iter().any(|(w, _)| what == Value::Word(*w)) {
            return Some(());
        }
        if self.all.len() + self.words.len() > STEPS {
            return None;
        }
        let mut reads = Vec::new();
        let follows = match what {
            Value::Word(w) => match &self.given.words[w.0 as usize] {
                Some(word) if word.is_of_words() && !word.is_truth() => {
                    Stmt::Let(w, word.clone()).each_read(&mut |read| reads.push(read));
                    true
                }
                _ => false,
            },
            Value::Set(s) => {
                let set = self.given.sets[s.0 as usize]
                    .as_ref()
                    .filter(|set| set_follows(set))?;
                Stmt::LetSet(s, set.clone()).each_read(&mut |read| reads.push(read));
                true
            }
        };
        match what {
            Value::Word(w) if !follows => self.words.push((w, 0)),
            _ => {
                for read in reads {
                    self.follow(read)?;
                }
                self.all.push(what);
            }
        }
        Some(())
    }

    fn word(&self, w: W) -> Option<&'g Word> {
        self.given.words[w.0 as usize].as_ref()
    }

    /// The number that a word is below: it is a truth, or an index.
    fn bound(&self, of: W, kernel: &Kernel) -> Option<u64> {
        if self.word(of).is_some_and(Word::is_truth) {
            return Some(2);
        }
        let mut least: Option<u64> = None;
        let mut index = |w: W, length: usize| {
            if let Some(bound) = self.bound_of_index(of, w, length as u64) {
                least = Some(least.map_or(bound, |least| least.min(bound)));
            }
        };
        for what in &self.all {
            match what {
                Value::Word(w) => match self.word(*w) {
                    Some(Word::Table(table, w)) => index(*w, kernel.tables[table.0 as usize].len()),
                    Some(Word::Byte(table, w)) => {
                        index(*w, kernel.tables[table.0 as usize].len() * 8)
                    }
                    _ => {}
                },
                Value::Set(s) => match &self.given.sets[s.0 as usize] {
                    Some(Set::Row(rows, w)) => index(*w, kernel.rows[rows.0 as usize].len()),
                    Some(Set::Single(w) | Set::Less(_, w) | Set::With(_, w)) => {
                        index(*w, kernel.cells)
                    }
                    _ => {}
                },
            }
        }
        least
    }

    /// The number that a word is below, since another, which comes of it, is below a length.
    fn bound_of_index(&self, of: W, index: W, length: u64) -> Option<u64> {
        if index == of {
            return Some(length);
        }
        let known = |w: W| match self.word(w) {
            Some(Word::Const(k)) => Some(*k),
            _ => None,
        };
        match *self.word(index)? {
            Word::Bin(Bin::Sub, from, less) if from == of => length.checked_add(known(less)?),
            Word::Select(test, some, none) if test == of && known(none).is_some() => self
                .bound_of_index(of, some, length)
                .map(|bound| bound.max(1)),
            _ => None,
        }
    }

    /// The entries for all values of the words.
    pub fn packed(&self, kernel: &Kernel) -> Option<Packed<Vec<u64>>> {
        let many: u64 = self.words.iter().map(|(_, below)| below).product();
        let mut entries = Vec::new();
        let mut found = Found {
            kernel,
            words: vec![0; self.given.words.len()],
            sets: vec![Cells::default(); self.given.sets.len()],
        };
        for number in 0..many {
            let mut rest = number;
            for (w, below) in &self.words {
                found.words[w.0 as usize] = rest % below;
                rest /= below;
            }
            // Where an index is out of range, the words are never so.
            let all = self
                .all
                .iter()
                .try_for_each(|what| self.find(*what, &mut found));
            entries.push(match all {
                Some(()) => pack(&found.sets[self.set.0 as usize])?,
                None => 0,
            });
        }
        let mut stride = 1;
        let strides = self.words.iter().map(|(w, below)| {
            let own = stride;
            stride *= below;
            (*w, own)
        });
        Some(Packed {
            table: entries,
            words: strides.collect(),
        })
    }

    /// Finds a step out, unless an index is out of range.
    fn find(&self, what: Value, found: &mut Found<'_>) -> Option<()> {
        match what {
            Value::Word(w) => {
                let value = found.word(self.word(w)?)?;
                found.words[w.0 as usize] = value;
            }
            Value::Set(s) => {
                let value = found.set(self.given.sets[s.0 as usize].as_ref()?)?;
                found.sets[s.0 as usize] = value;
            }
        }
        Some(())
    }
}

/// What was found out for some values of the words.
struct Found<'k> {
    kernel: &'k Kernel,
    words: Vec<u64>,
    sets: Vec<Cells>,
}

impl Found<'_> {
    fn get(&self, w: W) -> u64 {
        self.words[w.0 as usize]
    }

    fn get_set(&self, s: S) -> Cells {
        self.sets[s.0 as usize]
    }

    fn cell(&self, w: W) -> Option<Cells> {
        let at = self.get(w);
        (at < self.kernel.cells as u64).then(|| Cells::single(Cell(at as u16)))
    }

    fn word(&self, of: &Word) -> Option<u64> {
        Some(match *of {
            Word::Const(k) => k,
            Word::Copy(w) => self.get(w),
            Word::Bin(bin, a, b) => fold(bin, self.get(a), self.get(b)),
            Word::Select(test, a, b) => self.get(if self.get(test) == 0 { b } else { a }),
            Word::Table(table, w) => {
                let at = usize::try_from(self.get(w)).ok()?;
                *self.kernel.tables[table.0 as usize].get(at)?
            }
            Word::Leading(w) => u64::from(self.get(w).leading_zeros()),
            Word::Mix(w) => mix(self.get(w)),
            Word::Byte(table, w) => byte_of(&self.kernel.tables[table.0 as usize], self.get(w))?,
            _ => return None,
        })
    }

    fn set(&self, of: &Set) -> Option<Cells> {
        Some(match *of {
            Set::Const(id) => self.kernel.sets[id.0 as usize],
            Set::Copy(s) => self.get_set(s),
            Set::And(a, b) => self.get_set(a) & self.get_set(b),
            Set::Or(a, b) => self.get_set(a) | self.get_set(b),
            Set::Without(a, b) => self.get_set(a).without(self.get_set(b)),
            Set::Xor(a, b) => self.get_set(a) ^ self.get_set(b),
            Set::Single(w) => self.cell(w)?,
            Set::With(s, w) => self.get_set(s) | self.cell(w)?,
            Set::Less(s, w) => self.get_set(s).without(self.cell(w)?),
            Set::Row(rows, w) => {
                let at = usize::try_from(self.get(w)).ok()?;
                *self.kernel.rows[rows.0 as usize].get(at)?
            }
            Set::Select(test, a, b) => self.get_set(if self.get(test) == 0 { b } else { a }),
            _ => return None,
        })
    }
}

/// How many cells there are in the highest byte, and the cells from the lowest on.
fn pack(cells: &Cells) -> Option<u64> {
    let numbers: Vec<u64> = cells.iter().map(|c| u64::from(c.0)).collect();
    let fits = numbers.len() <= CELLS && numbers.iter().all(|c| *c < 256);
    let places = numbers.iter().zip(0..);
    let all = places.fold((numbers.len() as u64) << 56, |all, (c, at)| {
        all | c << (8 * at)
    });
    fits.then_some(all)
}

fn set_follows(set: &Set) -> bool {
    matches!(
        set,
        Set::Const(_)
            | Set::Copy(_)
            | Set::And(..)
            | Set::Or(..)
            | Set::Without(..)
            | Set::Xor(..)
            | Set::Single(_)
            | Set::With(..)
            | Set::Less(..)
            | Set::Row(..)
            | Set::Select(..)
    )
}
