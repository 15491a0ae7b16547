//! Joined parts of sets. What was found for a cell is kept, with the cells next to it: it is still a part of any set that has all of
//! it and nothing beside it, however the set came about, so that groups are followed anew only where they have changed.

use crate::board::Cells;
use crate::engine::native::call::{Aid, KEPT_AT};
use crate::engine::native::emit::{Emit, Extra, SHORT, Words};
use crate::engine::native::tables::kept_cells;
use crate::program::kernel::{S, Set, Stmt, W};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

/// With more distances between neighbours than this, as where rows are of different lengths, it takes longer to move a whole set than to
/// look up what is next to each of a few cells.
const MANY: usize = 12;

/// The joined part that was found last: what is next to it is kept, and need not be looked for.
pub(super) struct Found {
    /// The part.
    part: S,
    /// A cell of it, by which it is kept.
    cell: Value,
    /// The set of all that is next to any of its cells.
    around: Option<S>,
}

/// Whether what was found last is still so behind a statement.
pub(super) fn lets_be(stmt: &Stmt) -> bool {
    if let Stmt::If(_, yes, no) = stmt {
        let part = |s: &Stmt| matches!(s, Stmt::LetSet(_, Set::Part(..)));
        let mut inside = yes.iter().chain(no);
        return inside.all(|s| lets_be(s) && !part(s));
    }
    matches!(
        stmt,
        Stmt::Let(..) | Stmt::LetSet(..) | Stmt::Store(..) | Stmt::StoreSet(..) | Stmt::Tally(_)
    )
}

impl Emit<'_, '_> {
    /// A set is to get another value.
    pub(super) fn forget_found(&mut self, set: S) {
        self.found = self.found.take().filter(|f| f.part != set);
        if let Some(found) = &mut self.found {
            found.around = found.around.filter(|s| *s != set);
        }
    }

    /// What is next to the cells of a set, if that is the part that was found last; else false, and nothing is written. Those of its
    /// own cells that have a neighbour in it are next to it as well.
    pub(super) fn around_found(&mut self, to: S, from: S) -> bool {
        let Some(cell) = self
            .found
            .as_ref()
            .filter(|f| f.part == from)
            .map(|f| f.cell)
        else {
            return false;
        };
        let beside = self.kept_beside(cell);
        let part = self.set_words(from);
        // Joined cells have neighbours among them, but one alone has none.
        let counts: Words = part.iter().map(|w| self.b.ins().popcnt(*w)).collect();
        let many = (counts[1..].iter()).fold(counts[0], |sum, more| self.b.ins().iadd(sum, *more));
        let several = (self.b.ins()).icmp_imm_u(IntCC::UnsignedGreaterThan, many, 1);
        let none = self.number(0);
        let words = beside.iter().zip(&part).map(|(&beside, &part)| {
            let own = self.b.ins().select(several, part, none);
            self.b.ins().bor(beside, own)
        });
        let words: Words = words.collect();
        self.put_set(to, &words);
        if let Some(found) = &mut self.found {
            found.around = Some(to);
        }
        true
    }

    /// What is next to the part that was found last without its own cells, if that is what is left of the first set without the
    /// second; else false, and nothing is written.
    pub(super) fn beside_found(&mut self, to: S, around: S, part: S) -> bool {
        let of_these = |f: &&Found| f.around == Some(around) && f.part == part;
        let Some(cell) = self.found.as_ref().filter(of_these).map(|f| f.cell) else {
            return false;
        };
        let beside = self.kept_beside(cell);
        self.put_set(to, &beside);
        true
    }

    /// What is kept of the part that was just found for a cell: what is next to it.
    fn kept_beside(&mut self, cell: Value) -> Words {
        let entry = self.kept_entry(cell, self.ctx);
        let wide = self.width as i32 * 8;
        let cells = self.shared.kernel.cells;
        let words = (0..self.width).map(|i| {
            let word = (self.b.ins()).load(I64, self.memory, entry, wide + i as i32 * 8);
            // It is of cells only, whatever stands beyond them.
            match cells.saturating_sub(i * 64) {
                below @ 0..64 => self
                    .b
                    .ins()
                    .band_imm_u(word, ((1u64 << below) - 1).cast_signed()),
                _ => word,
            }
        });
        words.collect()
    }

    /// Where the part of a cell is kept, and what is next to it.
    fn kept_entry(&mut self, cell: Value, ctx: Value) -> Value {
        let kept = self.b.ins().load(I64, self.memory, ctx, KEPT_AT);
        // What is no cell has no part, but must not lead out of what is kept.
        let slot = (self.b.ins()).band_imm_s(cell, kept_cells(self.width) as i64 - 1);
        let distance = self.scaled(slot, 16 * self.width as u64);
        self.b.ins().iadd(kept, distance)
    }

    /// The joined part of a set that holds a cell.
    pub(super) fn part(&mut self, to: S, from: S, cell: W) {
        let cell = self.cell(cell);
        if self.width <= SHORT && self.shared.distances.is_some() {
            let mut given = self.set_words(from);
            given.extend([cell, self.ctx]);
            self.extra(to, Extra::Part, &given);
        } else if self.moves_by_address() {
            self.extra_by_address(to, Extra::Part, &[cell, self.ctx], from);
        } else {
            return self.aid_into(to, Aid::Part, Some(cell), from);
        }
        // What is next to it is read in words, of which wide sets are not made.
        let read = self.shared.kept > 0 && !self.wide();
        self.found = read.then_some(Found {
            part: to,
            cell,
            around: None,
        });
    }

    /// A function that finds a joined part, and keeps it.
    pub(super) fn part_function(
        &mut self,
        words: &[Value],
        (cell, ctx): (Value, Value),
        distances: &[(Cells, i32)],
        into: Option<Value>,
    ) {
        if self.shared.kept == 0 {
            let [part, _] = self.flood(words, cell, distances);
            return self.hand_back(&part, into);
        }
        // For each cell a part and what is next to it.
        let wide = self.width as i32 * 8;
        let entry = self.kept_entry(cell, ctx);
        let mut load = |at| self.b.ins().load(I64, self.memory, entry, at);
        let part: Words = (0..self.width as i32).map(|i| load(i * 8)).collect();
        let beside: Words = (0..self.width as i32).map(|i| load(wide + i * 8)).collect();
        let (mut other, mut any) = (self.number(0), self.number(0));
        for ((&part, &beside), &all) in part.iter().zip(&beside).zip(words) {
            let outside = self.b.ins().band_not(part, all);
            let more = self.b.ins().band(beside, all);
            let differs = self.b.ins().bor(outside, more);
            other = self.b.ins().bor(other, differs);
            any = self.b.ins().bor(any, part);
        }
        let [look, known, find] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().brif(other, find, &[], look, &[]);
        self.enter(look);
        self.b.ins().brif(any, known, &[], find, &[]);
        self.enter(known);
        self.hand_back(&part, into);
        self.enter(find);
        let found = self.flood(words, cell, distances);
        for (at, word) in (0..).zip(found.iter().flatten()) {
            self.b.ins().store(self.memory, *word, entry, at * 8);
        }
        self.hand_back(&found[0], into);
    }

    /// What is reached from a cell inside a set, and what is next to that.
    fn flood(&mut self, all: &[Value], cell: Value, distances: &[(Cells, i32)]) -> [Words; 2] {
        if distances.len() > MANY {
            return self.flood_by_cells(all, cell);
        }
        self.flood_at_once(all, cell, distances)
    }

    /// Takes one cell that was reached after the other, and what is next to it, until none is left.
    fn flood_by_cells(&mut self, all: &[Value], cell: Value) -> [Words; 2] {
        let begin = self.cell_words(cell);
        let begin: Words = (begin.iter().zip(all))
            .map(|(&a, &b)| self.b.ins().band(a, b))
            .collect();
        let none = self.number(0);
        let [again, next, done] = [(); 3].map(|()| self.b.create_block());
        let mut params = |block| -> Words {
            let all = (0..self.width).map(|_| self.b.append_block_param(block, I64));
            all.collect()
        };
        // Cells of which the neighbours are still to be looked at, all that were reached, and all that are next to some.
        let [open, reached, near] = [(); 3].map(|()| params(again));
        let at_first = begin.iter().chain(&begin).copied();
        let at_first = at_first.chain(begin.iter().map(|_| none));
        let at_first: Vec<BlockArg> = at_first.map(BlockArg::Value).collect();
        self.b.ins().jump(again, at_first.iter());
        self.b.switch_to_block(again);
        let any = (open[1..].iter()).fold(open[0], |any, more| self.b.ins().bor(any, *more));
        self.b.ins().brif(any, next, &[], done, &[]);
        self.enter(next);
        let (cell, left) = self.lowest(&open);
        // It is one of a set: nothing is to be checked, nor could this function say so.
        let start = self.number(self.shared.address(self.shared.neighbours.at));
        let distance = self.scaled(cell, 8 * self.width as u64);
        let row = self.b.ins().iadd(start, distance);
        let (mut then_open, mut then_reached, mut then_near) =
            (Words::new(), Words::new(), Words::new());
        for (i, &all) in all.iter().enumerate() {
            let beside = self.b.ins().load(I64, self.fixed, row, i as i32 * 8);
            let inside = self.b.ins().band(beside, all);
            let new = self.b.ins().band_not(inside, reached[i]);
            then_open.push(self.b.ins().bor(left[i], new));
            then_reached.push(self.b.ins().bor(reached[i], inside));
            then_near.push(self.b.ins().bor(near[i], beside));
        }
        let then = then_open.iter().chain(&then_reached).chain(&then_near);
        let then: Vec<BlockArg> = then.map(|&v| BlockArg::Value(v)).collect();
        self.b.ins().jump(again, then.iter());
        self.b.seal_block(again);
        self.enter(done);
        let beside = (near.iter().zip(&reached))
            .map(|(&near, &part)| self.b.ins().band_not(near, part))
            .collect();
        [reached, beside]
    }

    /// Grows from a cell inside a set until nothing is added.
    fn flood_at_once(
        &mut self,
        all: &[Value],
        cell: Value,
        distances: &[(Cells, i32)],
    ) -> [Words; 2] {
        let begin = self.cell_words(cell);
        let begin: Words = (begin.iter().zip(all))
            .map(|(&a, &b)| self.b.ins().band(a, b))
            .collect();
        let (again, done) = (self.b.create_block(), self.b.create_block());
        let reached: Words = (0..self.width)
            .map(|_| (self.b).append_block_param(again, I64))
            .collect();
        let begin: Vec<BlockArg> = begin.into_iter().map(BlockArg::Value).collect();
        self.b.ins().jump(again, begin.iter());
        self.b.switch_to_block(again);
        // What is not on the board is in no set.
        let moved = self.moved_below(&reached, distances, self.shared.kernel.cells);
        let mut grown = Words::new();
        let mut change = None;
        for ((&next, &before), &all) in moved.iter().zip(&reached).zip(all) {
            let inside = self.b.ins().band(next, all);
            let word = self.b.ins().bor(before, inside);
            let new = self.b.ins().bxor(word, before);
            change = Some(match change {
                None => new,
                Some(change) => self.b.ins().bor(change, new),
            });
            grown.push(word);
        }
        let change = change.unwrap_or(cell);
        let next: Vec<BlockArg> = grown.iter().map(|&v| BlockArg::Value(v)).collect();
        let more = self.b.ins().icmp_imm_s(IntCC::NotEqual, change, 0);
        self.b.ins().brif(more, again, next.iter(), done, &[]);
        self.b.seal_block(again);
        self.enter(done);
        let beside = (moved.iter().zip(&grown))
            .map(|(&next, &part)| self.b.ins().band_not(next, part))
            .collect();
        [grown, beside]
    }
}
