//! What came before a position: the keys of the positions at the starts of earlier turns. Shared between positions, never
//! part of a state.

use crate::engine::executor::Keys;
use crate::engine::hash::mix;
use std::sync::Arc;

/// The key of one earlier position.
#[derive(Debug)]
struct Link {
    /// Of all that repetition compares.
    key: u64,
    /// Of the pieces alone.
    pieces: u64,
    before: Past,
}

/// The positions before this one, the latest first.
#[derive(Clone, Debug, Default)]
pub struct Past {
    last: Option<Arc<Link>>,
}

impl Past {
    /// These and one more.
    #[must_use]
    pub fn with(&self, key: u64, pieces: u64) -> Past {
        Past {
            last: Some(Arc::new(Link {
                key,
                pieces,
                before: self.clone(),
            })),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// How often a key is among them.
    #[must_use]
    pub fn count(&self, key: u64) -> u64 {
        self.links().filter(|l| l.key == key).count() as u64
    }

    /// Whether an arrangement of pieces is among them.
    #[must_use]
    pub fn has_pieces(&self, pieces: u64) -> bool {
        self.links().any(|l| l.pieces == pieces)
    }

    /// Writes the keys down, the oldest first.
    pub fn write(&self, keys: &mut Keys) {
        keys.truncate(0);
        keys.extend(self.links().map(|l| (l.key, l.pieces)));
        keys.reverse();
    }

    /// One word for all of them, whatever their order.
    #[must_use]
    pub fn key(&self) -> u64 {
        let one = |l: &Link| mix(l.key) ^ mix(l.pieces).rotate_left(17);
        self.links().fold(0, |sum, l| sum.wrapping_add(one(l)))
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |l| l.before.last.as_deref())
    }
}

impl Drop for Past {
    /// One link after the other: a long game must not exhaust the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(link) = next {
            match Arc::into_inner(link) {
                Some(mut link) => next = link.before.last.take(),
                None => break,
            }
        }
    }
}
