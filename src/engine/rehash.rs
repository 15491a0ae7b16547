//! The hashes of states that follow one whose hashes are known: only what differs is looked at.

use crate::engine::hash::{piece_key, word_key};
use crate::engine::machine::Class;
use crate::engine::state::State;
use crate::program::{Program, WORD_HASH};

/// A state whose hashes are known.
pub struct Known<'s> {
    program: &'s Program,
    classes: &'s [Class],
    state: &'s State,
    /// On boards that hold stacks the heights of all cells and their pieces.
    piles: (Vec<u16>, Vec<u16>),
}

impl<'s> Known<'s> {
    /// One of a program, whose words count for these.
    pub fn new(program: &'s Program, classes: &'s [Class], state: &'s State) -> Known<'s> {
        let piles = if program.stacking {
            state.stacks(program)
        } else {
            (Vec::new(), Vec::new())
        };
        Known {
            program,
            classes,
            state,
            piles,
        }
    }

    /// The hashes of another state: of its pieces, of what else is compared, and of the rest.
    pub fn of(&self, next: &State) -> [u64; 3] {
        let mut hashes = [0; 3];
        hashes.copy_from_slice(&self.state.words[WORD_HASH..WORD_HASH + 3]);
        let words = self.state.words.iter().zip(&next.words);
        for ((at, class), (old, new)) in self.classes.iter().enumerate().zip(words) {
            let part = match class {
                Class::Derived => continue,
                Class::Compared => 1,
                Class::Aside => 2,
            };
            if old != new {
                hashes[part] ^= word_key(at, *old) ^ word_key(at, *new);
            }
        }
        hashes[0] ^= if self.program.stacking {
            self.piled(next)
        } else {
            self.flat(next)
        };
        hashes
    }

    /// What the pieces that differ come to where each cell has one at most.
    fn flat(&self, next: &State) -> u64 {
        let (program, n) = (self.program, self.program.layout.words);
        let layout = &program.layout;
        let kinds = (0..program.kinds.len()).map(|k| layout.kinds + k * n);
        let owners = (0..program.players.len()).map(|p| layout.owned + p * n);
        let sets: Vec<usize> = kinds.chain(owners).collect();
        let mut keys = 0;
        for w in 0..n {
            let differs = |at: &usize| self.state.words[at + w] ^ next.words[at + w];
            let mut cells = sets.iter().map(differs).fold(0, |all, set| all | set);
            while cells != 0 {
                let cell = w * 64 + cells.trailing_zeros() as usize;
                cells &= cells - 1;
                for state in [self.state, next] {
                    for piece in state.pieces(program, cell) {
                        keys ^= piece_key(cell, 0, piece.code());
                    }
                }
            }
        }
        keys
    }

    /// The same where cells hold stacks.
    fn piled(&self, next: &State) -> u64 {
        let (heights, pieces) = next.stacks(self.program);
        let (mut was, mut is) = (&self.piles.1[..], &pieces[..]);
        let mut keys = 0;
        for (cell, (old, new)) in self.piles.0.iter().zip(&heights).enumerate() {
            let (before, after);
            (before, was) = was.split_at(usize::from(*old));
            (after, is) = is.split_at(usize::from(*new));
            if before != after {
                for (level, piece) in before.iter().enumerate().chain(after.iter().enumerate()) {
                    keys ^= piece_key(cell, level, *piece);
                }
            }
        }
        keys
    }
}
