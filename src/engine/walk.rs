//! A way through a kernel's list of actions, one after the other.

use crate::engine::executor::Frame;
use crate::program::kernel::parts_of_heading;

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
        loop {
            if let Some((word, bits)) = self.sets {
                let base = self.at + self.length;
                if bits != 0 {
                    frame.mem[path..path + self.length].copy_from_slice(&list[self.at..base]);
                    let cell = (word * 64) as u64 + u64::from(bits.trailing_zeros());
                    frame.mem[path + self.length] = cell + 1;
                    self.sets = Some((word, bits & (bits - 1)));
                    return true;
                }
                if word + 1 < self.words {
                    self.sets = Some((word + 1, list[base + word + 1]));
                    continue;
                }
                self.at = base + self.words;
                self.sets = None;
            }
            let Some(header) = list.get(self.at) else {
                return false;
            };
            let (length, sets) = parts_of_heading(*header);
            self.length = length;
            self.at += 1;
            if sets.is_some() {
                self.sets = Some((0, list[self.at + self.length]));
                continue;
            }
            let to = self.at + self.length;
            frame.mem[path..path + self.length].copy_from_slice(&list[self.at..to]);
            self.at = to;
            return true;
        }
    }
}
