//! A way through a kernel's list of actions, one after the other.

use crate::engine::executor::Frame;
use crate::program::kernel::parts_of_heading;

/// Where an action stands in a list, so that it is found again at once.
#[derive(Clone, Copy)]
pub struct Place {
    /// Where its words begin, and how many there are.
    words: (usize, usize),
    /// Its last word, where that is one cell of a set.
    last: Option<u64>,
}

impl Place {
    /// Writes the way to the action.
    pub fn write(self, list: &[u64], frame: &mut Frame, path: usize) {
        let (from, length) = self.words;
        frame.mem[path..path + length].copy_from_slice(&list[from..from + length]);
        if let Some(last) = self.last {
            frame.mem[path + length] = last;
        }
    }
}

/// A way through a list of actions, one after the other.
pub struct Walk {
    words: usize,
    at: usize,
    /// Of the last choices, those still to come: which word, its bits.
    sets: Option<(usize, u64)>,
    length: usize,
}

impl Walk {
    /// A way through a list whose sets have so many words.
    pub fn new(words: usize) -> Walk {
        Walk {
            words,
            at: 0,
            sets: None,
            length: 0,
        }
    }

    /// Writes the way to the next action; false behind the last.
    pub fn next(&mut self, list: &[u64], frame: &mut Frame, path: usize) -> bool {
        let place = self.place(list);
        if let Some(place) = place {
            place.write(list, frame, path);
        }
        place.is_some()
    }

    /// Where the next action stands; nothing behind the last.
    #[inline]
    pub fn place(&mut self, list: &[u64]) -> Option<Place> {
        loop {
            if let Some((word, bits)) = self.sets {
                let base = self.at + self.length;
                if bits != 0 {
                    let cell = (word * 64) as u64 + u64::from(bits.trailing_zeros());
                    self.sets = Some((word, bits & (bits - 1)));
                    return Some(Place {
                        words: (self.at, self.length),
                        last: Some(cell + 1),
                    });
                }
                if word + 1 < self.words {
                    self.sets = Some((word + 1, list[base + word + 1]));
                    continue;
                }
                self.at = base + self.words;
                self.sets = None;
            }
            let (length, sets) = parts_of_heading(*list.get(self.at)?);
            self.length = length;
            self.at += 1;
            if sets.is_some() {
                self.sets = Some((0, list[self.at + self.length]));
                continue;
            }
            let from = self.at;
            self.at += length;
            return Some(Place {
                words: (from, length),
                last: None,
            });
        }
    }
}
