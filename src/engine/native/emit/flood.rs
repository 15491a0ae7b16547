//! How a joined part is found: from one cell on, or from what was found there before where that has only grown.

use crate::board::Cells;
use crate::engine::native::emit::{Emit, Words};
use crate::engine::native::ir::{Block, I64, IntCC, Memory, Value};

/// With more distances between neighbours than this, as where rows are of different lengths, it takes longer to move a whole set than to
/// look up what is next to each of a few cells.
const MANY: usize = 12;

impl Emit<'_> {
    /// A function that finds a joined part and keeps it where it is told, which it hands back.
    pub(super) fn found_function(
        &mut self,
        given: &[Value],
        words: &[Value],
        distances: &[(Cells, i32)],
    ) {
        let [.., cell, entry] = *given else {
            return self.wrong("a joined part of no cell");
        };
        let begin = self.begin_with(words, cell, entry);
        let found = if distances.len() > MANY {
            self.flood_by_cells(words, begin)
        } else {
            self.flood_at_once(words, begin, distances)
        };
        for (at, word) in (0..).zip(found.iter().flatten()) {
            self.b.store(Memory::Words, *word, entry, at * 8);
        }
        self.b.return_(&[entry]);
    }

    /// What a search for a part begins with: cells that it surely has, those of them whose neighbours are not known, and cells that
    /// are next to the others. What was found there before is all in it, if it is inside the set still and has only grown.
    fn begin_with(&mut self, all: &[Value], cell: Value, entry: Value) -> [Words; 3] {
        let [look, grown, afresh, begin] = [(); 4].map(|()| self.b.create_block());
        let [reached, open, near] = [(); 3].map(|()| self.words_given(begin));
        let part = self.kept(entry, 0);
        let outside = (part.iter().zip(all)).map(|(&part, &all)| self.b.band_not(part, all));
        let outside: Words = outside.collect();
        let outside = self.any_of(&outside);
        self.b.brif(outside, afresh, &[], look, &[]);
        self.enter(look);
        let any = self.any_of(&part);
        self.b.brif(any, grown, &[], afresh, &[]);
        self.enter(grown);
        let beside = self.kept(entry, 1);
        let new = (beside.iter().zip(all)).map(|(&beside, &all)| self.b.band(beside, all));
        let new: Words = new.collect();
        let joined = (part.iter().zip(&new)).map(|(&part, &new)| self.b.bor(part, new));
        let joined: Words = joined.collect();
        self.jump_with(begin, &[&joined, &new, &beside]);
        self.enter(afresh);
        let here = self.cell_words(cell);
        let here = (here.iter().zip(all)).map(|(&here, &all)| self.b.band(here, all));
        let here: Words = here.collect();
        let none = Words::from_elem(self.number(0), self.width);
        self.jump_with(begin, &[&here, &here, &none]);
        self.enter(begin);
        [reached, open, near]
    }

    /// The words of a set that a block is given.
    fn words_given(&mut self, block: Block) -> Words {
        let words = 0..self.width;
        words
            .map(|_| self.b.append_block_param(block, I64))
            .collect()
    }

    /// Goes on in a block that is given sets.
    fn jump_with(&mut self, block: Block, sets: &[&Words]) {
        let words = sets.iter().copied().flatten();
        let words: Vec<Value> = words.copied().collect();
        self.b.jump(block, &words);
    }

    /// Takes one cell that was reached after the other, and what is next to it, until none is left.
    fn flood_by_cells(&mut self, all: &[Value], begin: [Words; 3]) -> [Words; 2] {
        let [again, done] = [(); 2].map(|()| self.b.create_block());
        let [reached, open, near] = begin;
        let left = (all.iter().zip(&reached)).map(|(&all, &part)| self.b.band_not(all, part));
        let left: Words = left.collect();
        // What was not reached, cells of which the neighbours are still to be looked at, and all that are next to some.
        let [at_first, given] = [
            [left, open, near],
            [(); 3].map(|()| self.words_given(again)),
        ];
        self.jump_with(again, &at_first.each_ref());
        self.b.switch_to_block(again);
        let [left, open, near] = &given;
        let take = self.b.create_block();
        let any = self.any_of(open);
        self.b.brif(any, take, &[], done, &[]);
        self.enter(take);
        let (cell, rest) = self.lowest(open);
        // It is one of a set: nothing is to be checked, nor could this function say so.
        let start = self.number(self.shared.address(self.shared.neighbours.at));
        let distance = self.scaled(cell, 8 * self.width as u64);
        let row = self.b.iadd(start, distance);
        let mut then = [left.clone(), rest, near.clone()];
        for i in 0..self.width {
            let beside = self.b.load(I64, Memory::Tables, row, i as i32 * 8);
            let new = self.b.band(beside, left[i]);
            then[0][i] = self.b.bxor(left[i], new);
            then[1][i] = self.b.bor(then[1][i], new);
            then[2][i] = self.b.bor(near[i], beside);
        }
        self.jump_with(again, &then.each_ref());
        self.b.seal_block(again);
        self.enter(done);
        let part = (all.iter().zip(left)).map(|(&all, &left)| self.b.band_not(all, left));
        let part: Words = part.collect();
        let beside = (near.iter().zip(&part))
            .map(|(&near, &part)| self.b.band_not(near, part))
            .collect();
        [part, beside]
    }

    /// Grows from some cells inside a set until nothing is added.
    fn flood_at_once(
        &mut self,
        all: &[Value],
        [begin, ..]: [Words; 3],
        distances: &[(Cells, i32)],
    ) -> [Words; 2] {
        let (again, done) = (self.b.create_block(), self.b.create_block());
        let reached = self.words_given(again);
        self.jump_with(again, &[&begin]);
        self.b.switch_to_block(again);
        // What is not on the board is in no set.
        let moved = self.moved_below(&reached, distances, self.shared.kernel.cells);
        let grown = (moved.iter().zip(&reached).zip(all)).map(|((&next, &before), &all)| {
            let inside = self.b.band(next, all);
            self.b.bor(before, inside)
        });
        let grown: Words = grown.collect();
        let new = (grown.iter().zip(&reached)).map(|(&now, &before)| self.b.bxor(now, before));
        let new: Words = new.collect();
        let change = self.any_of(&new);
        let more = self.b.icmp_imm_s(IntCC::NotEqual, change, 0);
        self.b.brif(more, again, &grown, done, &[]);
        self.b.seal_block(again);
        self.enter(done);
        let beside = (moved.iter().zip(&grown))
            .map(|(&next, &part)| self.b.band_not(next, part))
            .collect();
        [grown, beside]
    }
}
