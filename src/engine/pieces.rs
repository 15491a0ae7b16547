//! Pieces on cells: one a cell, or piles. Keeps the sets of owners, kinds and occupied cells, the hash of the pieces, marks
//! that travel, and the set of touched cells true.

use crate::engine::hash::piece_key;
use crate::engine::machine::{Machine, cell};
use crate::program::WORD_HASH;

impl<const N: usize> Machine<'_, N> {
    /// The cell behind the last: what is up.
    pub fn up(&self) -> usize {
        self.program.board.len()
    }

    /// How many pieces stand on a cell.
    pub fn height(&self, at: usize) -> usize {
        if self.program.stacking {
            return (self.mem[self.piles + at] & 0xFFFF) as usize;
        }
        usize::from(at < self.up() && self.set_at(self.program.layout.occupied).contains(cell(at)))
    }

    /// The top piece of a cell.
    pub fn top(&self, at: usize) -> Option<u16> {
        if self.program.stacking {
            let top = self.mem[self.piles + at] >> 16;
            return (top != 0).then(|| (self.mem[top as usize] & 0xFFFF) as u16);
        }
        let layout = &self.program.layout;
        if self.height(at) == 0 {
            return None;
        }
        let has = |offset: usize| self.mem[offset + at / 64] >> (at % 64) & 1 == 1;
        let kind = (0..self.program.kinds.len()).find(|k| has(layout.kinds + k * N))?;
        let owner = (0..self.program.players.len()).find(|p| has(layout.owned + p * N));
        Some(kind as u16 | owner.map_or(0, |p| (p as u16 + 1) << 8))
    }

    /// The pieces of a cell from the bottom.
    pub fn pile(&self, at: usize) -> Vec<u16> {
        if !self.program.stacking {
            return self.top(at).into_iter().collect();
        }
        let mut pieces = Vec::new();
        let mut next = self.mem[self.piles + at] >> 16;
        while next != 0 {
            pieces.push((self.mem[next as usize] & 0xFFFF) as u16);
            next = self.mem[next as usize] >> 16;
        }
        pieces.reverse();
        pieces
    }

    /// Makes the sets say that a cell is topped by a piece, or empty.
    fn show(&mut self, at: usize, old: Option<u16>, new: Option<u16>) {
        if at >= self.up() {
            return;
        }
        let layout = &self.program.layout;
        let (owned, kinds, occupied) = (layout.owned, layout.kinds, layout.occupied);
        let (word, bit) = (at / 64, 1u64 << (at % 64));
        for (piece, on) in [(old, false), (new, true)] {
            let Some(piece) = piece else { continue };
            let mut places = [
                Some(occupied),
                Some(kinds + usize::from(piece & 0xFF) * N),
                None,
            ];
            places[2] = usize::from(piece >> 8)
                .checked_sub(1)
                .map(|p| owned + p * N);
            for place in places.into_iter().flatten() {
                let value = self.mem[place + word];
                self.poke(place + word, if on { value | bit } else { value & !bit });
            }
        }
        if let Some(touched) = self.program.system.touched {
            let place = self.place(touched) + word;
            self.poke(place, self.mem[place] | bit);
        }
    }

    fn change(&mut self, at: usize, level: usize, piece: u16) {
        self.change_hash(WORD_HASH, piece_key(at, level, piece));
    }

    /// Puts a piece on top. False when the cell is taken and holds only one.
    pub fn push(&mut self, at: usize, piece: u16) -> bool {
        let old = self.top(at);
        if !self.program.stacking {
            if old.is_some() || at >= self.up() {
                return false;
            }
            self.change(at, 0, piece);
            self.show(at, None, Some(piece));
            return true;
        }
        let word = self.mem[self.piles + at];
        let height = word & 0xFFFF;
        if height == 0xFFFF {
            return false;
        }
        let node = self.new_node((word >> 16) << 16 | u64::from(piece));
        self.poke(self.piles + at, node << 16 | (height + 1));
        self.change(at, height as usize, piece);
        self.show(at, old, Some(piece));
        true
    }

    fn new_node(&mut self, value: u64) -> u64 {
        let at = self.mem[self.next_piece] as usize;
        if at >= self.mem.len() {
            self.mem.resize(at + 1, 0);
        }
        self.poke(self.next_piece, at as u64 + 1);
        self.poke(at, value);
        at as u64
    }

    /// Takes the top piece.
    pub fn pop(&mut self, at: usize) -> Option<u16> {
        let piece = self.top(at)?;
        if !self.program.stacking {
            self.change(at, 0, piece);
            self.show(at, Some(piece), None);
        } else {
            let word = self.mem[self.piles + at];
            let height = word & 0xFFFF;
            let below = self.mem[(word >> 16) as usize] >> 16;
            self.poke(self.piles + at, below << 16 | (height - 1));
            self.change(at, (height - 1) as usize, piece);
            let new = self.top(at);
            self.show(at, Some(piece), new);
        }
        if self.height(at) == 0 {
            self.unmark(at);
        }
        Some(piece)
    }

    /// Puts a piece at the bottom of a pile.
    pub fn push_under(&mut self, at: usize, piece: u16) -> bool {
        if self.height(at) == 0 {
            return self.push(at, piece);
        }
        if !self.program.stacking || self.height(at) >= 0xFFFF {
            return false;
        }
        self.rehash(at);
        let mut node = (self.mem[self.piles + at] >> 16) as usize;
        while self.mem[node] >> 16 != 0 {
            node = (self.mem[node] >> 16) as usize;
        }
        let new = self.new_node(u64::from(piece));
        self.poke(node, new << 16 | self.mem[node] & 0xFFFF);
        self.poke(self.piles + at, self.mem[self.piles + at] + 1);
        self.rehash(at);
        true
    }

    /// Takes the lowest piece of a pile.
    pub fn pop_under(&mut self, at: usize) -> Option<u16> {
        if self.height(at) < 2 {
            return self.pop(at);
        }
        self.rehash(at);
        let mut above = (self.mem[self.piles + at] >> 16) as usize;
        let mut node = (self.mem[above] >> 16) as usize;
        while self.mem[node] >> 16 != 0 {
            above = node;
            node = (self.mem[node] >> 16) as usize;
        }
        let piece = (self.mem[node] & 0xFFFF) as u16;
        self.poke(above, self.mem[above] & 0xFFFF);
        self.poke(self.piles + at, self.mem[self.piles + at] - 1);
        self.rehash(at);
        Some(piece)
    }

    /// Takes a pile's keys into the hash, or out of it.
    fn rehash(&mut self, at: usize) {
        let mut node = self.mem[self.piles + at] >> 16;
        let mut level = self.height(at);
        while node != 0 {
            level -= 1;
            let word = self.mem[node as usize];
            self.change(at, level, (word & 0xFFFF) as u16);
            node = word >> 16;
        }
    }

    /// Takes everything off a cell; how many pieces that were.
    pub fn clear(&mut self, at: usize) -> usize {
        let mut count = 0;
        while self.pop(at).is_some() {
            count += 1;
        }
        count
    }

    /// Moves everything from one cell onto another, from the bottom up. False when that cannot hold it.
    pub fn carry(&mut self, from: usize, to: usize) -> bool {
        if !self.program.stacking {
            return match self.pop(from) {
                Some(piece) => self.push(to, piece),
                None => false,
            };
        }
        let below = self.height(to);
        if below + self.height(from) > 0xFFFF {
            return false;
        }
        // The pile keeps its order: its lowest piece is hung on the other pile's top.
        self.rehash(from);
        self.rehash(to);
        let (old_from, old_to) = (self.top(from), self.top(to));
        let (pile, target) = (self.mem[self.piles + from], self.mem[self.piles + to]);
        let mut node = (pile >> 16) as usize;
        if node == 0 {
            return false;
        }
        while self.mem[node] >> 16 != 0 {
            node = (self.mem[node] >> 16) as usize;
        }
        self.poke(node, (target >> 16) << 16 | self.mem[node] & 0xFFFF);
        self.poke(self.piles + to, pile + (target & 0xFFFF));
        self.poke(self.piles + from, 0);
        self.rehash(to);
        self.show(from, old_from, None);
        self.show(to, old_to, old_from);
        true
    }

    /// Gives the top piece another owner or kind.
    pub fn replace_top(&mut self, at: usize, piece: u16) -> bool {
        let Some(old) = self.top(at) else {
            return false;
        };
        if self.program.stacking {
            let node = (self.mem[self.piles + at] >> 16) as usize;
            self.poke(node, self.mem[node] >> 16 << 16 | u64::from(piece));
        }
        let level = self.height(at) - 1;
        self.change(at, level, old);
        self.change(at, level, piece);
        self.show(at, Some(old), Some(piece));
        true
    }

    /// Takes a cell out of all travelling marks.
    pub fn unmark(&mut self, at: usize) {
        if at >= self.up() {
            return;
        }
        for i in 0..self.tables.marks.len() {
            let place = self.place(self.tables.marks[i]) + at / 64;
            self.poke(place, self.mem[place] & !(1 << (at % 64)));
        }
    }

    /// The marks of a cell, as bits in the order of the marks.
    pub fn marks_of(&self, at: usize) -> u64 {
        let has = |v| self.mem[self.place(v) + at / 64] >> (at % 64) & 1;
        self.tables
            .marks
            .iter()
            .enumerate()
            .fold(0, |bits, (i, v)| bits | has(*v) << i.min(63))
    }

    /// Gives a cell marks.
    pub fn mark_as(&mut self, at: usize, bits: u64) {
        for i in 0..self.tables.marks.len() {
            if bits >> i.min(63) & 1 == 1 {
                let place = self.place(self.tables.marks[i]) + at / 64;
                self.poke(place, self.mem[place] | 1 << (at % 64));
            }
        }
    }
}
