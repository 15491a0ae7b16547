//! A state: flat words, the same words for the same state. First the fixed words, sets, hands, kept and carried values; on
//! boards that hold stacks the heights and pieces of all cells follow. Copying is copying the words.

use crate::board::Cell;
use crate::engine::history::Past;
use crate::program::{KindId, PlayerId, Program, WORD_HASH, WORD_MOVER, WORD_POINT};

/// A piece as it stands on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceAt {
    /// Whose it is; nobody's when neutral.
    pub owner: Option<PlayerId>,
    /// What it is.
    pub kind: KindId,
}

impl PieceAt {
    /// As a number: the kind, and above it 0 for nobody or the player counted from 1.
    #[must_use]
    pub fn code(self) -> u16 {
        u16::from(self.kind.0) | self.owner.map_or(0, |p| (u16::from(p.0) + 1) << 8)
    }

    /// The piece of that number.
    #[must_use]
    pub fn from_code(code: u16) -> PieceAt {
        let owner = (code >> 8)
            .checked_sub(1)
            .map(|p| PlayerId(p.to_le_bytes()[0]));
        PieceAt {
            owner,
            kind: KindId(code.to_le_bytes()[0]),
        }
    }
}

/// A state of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The words; their meaning is in the program's layout.
    pub(super) words: Box<[u64]>,
}

/// A state, and what came before as far as the rules look at it.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) state: State,
    pub(super) past: Past,
}

impl PartialEq for Position {
    /// Two positions are equal when their states are.
    fn eq(&self, other: &Position) -> bool {
        self.state == other.state
    }
}

impl Eq for Position {}

impl Position {
    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How large the state is, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.state.words)
    }
}

/// Packs small numbers four to a word.
pub fn pack(numbers: impl Iterator<Item = u16>, words: &mut Vec<u64>) {
    let mut word = 0u64;
    let mut filled = 0;
    for n in numbers {
        word |= u64::from(n) << (16 * filled);
        filled += 1;
        if filled == 4 {
            words.push(word);
            (word, filled) = (0, 0);
        }
    }
    if filled > 0 {
        words.push(word);
    }
}

impl State {
    /// The player to move.
    pub(super) fn mover(&self) -> PlayerId {
        PlayerId(self.words[WORD_MOVER].to_le_bytes()[0])
    }

    /// The decision point, 0 at the start of a turn.
    pub(super) fn point(&self) -> usize {
        usize::try_from(self.words[WORD_POINT]).unwrap_or(0)
    }

    /// The hash of everything.
    pub(super) fn hash(&self) -> u64 {
        self.words[WORD_HASH] ^ self.words[WORD_HASH + 1] ^ self.words[WORD_HASH + 2]
    }

    /// The hash of what repetition compares.
    pub(super) fn repetition_key(&self) -> u64 {
        self.words[WORD_HASH] ^ self.words[WORD_HASH + 1]
    }

    /// The hash of the pieces.
    pub(super) fn pieces_key(&self) -> u64 {
        self.words[WORD_HASH]
    }

    fn small(&self, from: usize, at: usize) -> u16 {
        let word = self.words.get(from + at / 4).copied().unwrap_or(0);
        u16::try_from(word >> (16 * (at % 4)) & 0xFFFF).unwrap_or(0)
    }

    /// The pieces of every cell from the bottom, and of what is up, in one list with the number of each.
    pub(super) fn stacks(&self, program: &Program) -> (Vec<u16>, Vec<u16>) {
        let cells = program.board.len() + 1;
        let heights: Vec<u16> = (0..cells)
            .map(|c| self.small(program.layout.state, c))
            .collect();
        let total: usize = heights.iter().map(|h| usize::from(*h)).sum();
        let from = program.layout.state + cells.div_ceil(4);
        (heights, (0..total).map(|i| self.small(from, i)).collect())
    }

    /// Whether a set of the state holds a cell.
    pub(super) fn set_has(&self, offset: usize, cell: usize) -> bool {
        self.words
            .get(offset + cell / 64)
            .is_some_and(|w| w >> (cell % 64) & 1 == 1)
    }

    /// The pieces on a cell from the bottom; the cell behind the last is what is up.
    pub(super) fn pieces(&self, program: &Program, cell: usize) -> Vec<PieceAt> {
        if program.stacking {
            let (heights, pieces) = self.stacks(program);
            let before: usize = heights[..cell].iter().map(|h| usize::from(*h)).sum();
            let here = usize::from(heights[cell]);
            return pieces[before..before + here]
                .iter()
                .map(|p| PieceAt::from_code(*p))
                .collect();
        }
        let (layout, words) = (&program.layout, program.layout.words);
        let kind = (0..program.kinds.len()).find(|k| self.set_has(layout.kinds + k * words, cell));
        let owner =
            (0..program.players.len()).find(|p| self.set_has(layout.owned + p * words, cell));
        let id = |n: usize| u8::try_from(n).unwrap_or(0);
        kind.filter(|_| cell < program.board.len())
            .map(|k| PieceAt {
                owner: owner.map(|p| PlayerId(id(p))),
                kind: KindId(id(k)),
            })
            .into_iter()
            .collect()
    }

    /// Shows every piece on the board: its cell, how many lie below it, and whether it is on top.
    pub(super) fn each_piece(
        &self,
        program: &Program,
        see: &mut dyn FnMut(Cell, PieceAt, usize, bool),
    ) {
        let cell = |c: usize| Cell(u16::try_from(c).unwrap_or(u16::MAX));
        if program.stacking {
            let (heights, pieces) = self.stacks(program);
            let mut pieces = pieces.into_iter();
            for (c, height) in heights.iter().take(program.board.len()).enumerate() {
                for below in 0..usize::from(*height) {
                    let piece = PieceAt::from_code(pieces.next().unwrap_or(0));
                    see(cell(c), piece, below, below + 1 == usize::from(*height));
                }
            }
            return;
        }
        let (layout, words) = (&program.layout, program.layout.words);
        let word = |from: usize, w: usize| self.words.get(from + w).copied().unwrap_or(0);
        let id = |n: usize| u8::try_from(n).unwrap_or(0);
        for k in 0..program.kinds.len() {
            for w in 0..words {
                let mut bits = word(layout.kinds + k * words, w);
                while bits != 0 {
                    let bit = bits & bits.wrapping_neg();
                    bits ^= bit;
                    let owner = (0..program.players.len())
                        .find(|p| word(layout.owned + p * words, w) & bit != 0)
                        .map(|p| PlayerId(id(p)));
                    let piece = PieceAt {
                        owner,
                        kind: KindId(id(k)),
                    };
                    see(cell(w * 64 + bit.trailing_zeros() as usize), piece, 0, true);
                }
            }
        }
    }

    /// The pieces on a cell of the board, from the bottom.
    pub(super) fn pieces_on(&self, program: &Program, cell: Cell) -> Vec<PieceAt> {
        if (cell.0 as usize) < program.board.len() {
            self.pieces(program, cell.0 as usize)
        } else {
            Vec::new()
        }
    }
}
