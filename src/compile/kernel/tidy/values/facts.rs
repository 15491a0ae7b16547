//! What is known of words where they are read: between which numbers they lie, also by the tests that were made before.

use crate::compile::kernel::tidy::ranges::{Range, compared, near};
use crate::compile::kernel::tidy::values::{Forget, Numbering};
use crate::program::kernel::{Bin, W, Word};

impl Numbering {
    pub(super) fn constant(&self, w: W) -> Option<i64> {
        let (from, to) = self.range_of(w);
        (from == to).then_some(from)
    }

    pub(super) fn range_of(&self, w: W) -> Range {
        self.ranges[w.0 as usize]
    }

    pub(super) fn is_truth(&self, w: W) -> bool {
        let (from, to) = self.range_of(w);
        from >= 0 && to <= 1
    }

    pub(super) fn narrow(&mut self, w: W, to: Range) {
        let old = self.range_of(w);
        let new = (old.0.max(to.0), old.1.min(to.1));
        if self.once(w) && new != old && new.0 <= new.1 {
            self.forget.push(Forget::Range(w, old));
            self.ranges[w.0 as usize] = new;
            if let Some(Word::Bin(Bin::Sub, from, less)) = self.made[w.0 as usize]
                && self.noted
                && let Some(from) = self.constant(from)
                && near((from, from))
                && near(new)
                && near(self.range_of(less))
            {
                self.narrow(less, (from - new.1, from - new.0));
            }
        }
    }

    /// A word is known to be 0, or not to be.
    pub(super) fn know(&mut self, w: W, holds: bool) {
        if !holds {
            self.narrow(w, (0, 0));
        } else if self.range_of(w).0 >= 0 {
            self.narrow(w, (1, i64::MAX));
        }
        let Some(Word::Bin(bin, a, b)) = self.made[w.0 as usize].clone() else {
            return;
        };
        match bin {
            Bin::And if holds && self.is_truth(a) && self.is_truth(b) => {
                self.know(a, true);
                self.know(b, true);
            }
            Bin::Or if !holds => {
                self.know(a, false);
                self.know(b, false);
            }
            Bin::Less | Bin::AtMost | Bin::Equal | Bin::Differ => {
                let sides = compared(bin, holds, self.range_of(a), self.range_of(b));
                self.narrow(a, sides.0);
                self.narrow(b, sides.1);
                let zero = self.constant(b) == Some(0) && self.is_truth(a);
                match bin {
                    Bin::Equal if zero && self.once(a) => self.know(a, !holds),
                    Bin::Differ if zero && self.once(a) => self.know(a, holds),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
