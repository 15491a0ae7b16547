//! Joined parts of sets. What was found for a cell is kept, with the cells next to it: it is still a part of any set that has all of
//! it and nothing beside it, however the set came about, so that groups are followed anew only where they have changed.

use crate::engine::native::call::{Aid, KEPT_AT};
use crate::engine::native::emit::{Emit, Extra, SHORT, Words};
use crate::engine::native::ir::{Block, I64, IntCC, Memory, Value};
use crate::engine::native::tables::kept_cells;
use crate::program::kernel::{S, Set, Stmt, W};

/// The joined part that was found last: what is next to it is kept, and need not be looked for.
pub(super) struct Found {
    /// The part.
    part: S,
    /// Where it is kept.
    entry: Value,
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

impl Emit<'_> {
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
        let of_it = self.found.as_ref().filter(|f| f.part == from);
        let Some(entry) = of_it.map(|f| f.entry) else {
            return false;
        };
        let beside = self.kept_beside(entry);
        let part = self.set_words(from);
        // Joined cells have neighbours among them, but one alone has none.
        let counts: Words = part.iter().map(|w| self.b.popcnt(*w)).collect();
        let many = (counts[1..].iter()).fold(counts[0], |sum, more| self.b.iadd(sum, *more));
        let several = self.b.icmp_imm_s(IntCC::UnsignedGreaterThan, many, 1);
        let none = self.number(0);
        let words = beside.iter().zip(&part).map(|(&beside, &part)| {
            let own = self.b.select(several, part, none);
            self.b.bor(beside, own)
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
        let Some(entry) = self.found.as_ref().filter(of_these).map(|f| f.entry) else {
            return false;
        };
        let beside = self.kept_beside(entry);
        self.put_set(to, &beside);
        true
    }

    /// What is next to a part that was just found, from where it is kept.
    fn kept_beside(&mut self, entry: Value) -> Words {
        let words = self.kept(entry, 1);
        let cells = self.shared.kernel.cells;
        let words = words.iter().enumerate().map(|(i, &word)| {
            // It is of cells only, whatever stands beyond them.
            match cells.saturating_sub(i * 64) {
                below @ 0..64 => {
                    let cells = ((1u64 << below) - 1).cast_signed();
                    self.b.band_imm_s(word, cells)
                }
                _ => word,
            }
        });
        words.collect()
    }

    /// One of the two sets that are kept: the part, or what is next to it.
    pub(super) fn kept(&mut self, entry: Value, which: usize) -> Words {
        let at = |i: usize| ((which * self.width + i) * 8) as i32;
        (0..self.width)
            .map(|i| self.b.load(I64, Memory::Words, entry, at(i)))
            .collect()
    }

    /// The joined part of a set that holds a cell.
    pub(super) fn part(&mut self, to: S, from: S, cell: W) {
        let cell = self.cell(cell);
        let by_value = self.width <= SHORT && self.shared.distances.is_some();
        if self.shared.kept == 0 || !by_value && !self.moves_by_address() {
            return self.aid_into(to, Aid::Part, Some(cell), from);
        }
        if by_value && !self.soon {
            return self.part_here(to, from, cell);
        }
        let mut given = if by_value {
            self.set_words(from)
        } else {
            Words::from_slice(&[self.address(from)])
        };
        given.extend([cell, self.ctx]);
        let entry = self.call_extra(Extra::Part, &given)[0];
        self.load_set(to, entry, 0, Memory::Words);
        // What is next to it is read in words, of which wide sets are not made.
        self.found = (!self.wide()).then_some(Found {
            part: to,
            entry,
            around: None,
        });
    }

    /// The same where sets are short: whether what was found for the cell still is one is looked at here.
    fn part_here(&mut self, to: S, from: S, cell: Value) {
        let mut given = self.set_words(from);
        let [find, known] = [(); 2].map(|()| self.b.create_block());
        let found: Words = (given.iter())
            .map(|_| self.b.append_block_param(known, I64))
            .collect();
        let (entry, part) = self.look_for_kept(&given, [cell, self.ctx], find);
        self.b.jump(known, &part);
        self.enter(find);
        given.extend([cell, entry]);
        self.call_extra(Extra::Found, &given);
        let part = self.kept(entry, 0);
        self.b.jump(known, &part);
        self.enter(known);
        self.put_set(to, &found);
        self.found = Some(Found {
            part: to,
            entry,
            around: None,
        });
    }

    /// A function that sees to it that a joined part is kept, and says where: looks whether what was found for the cell still is one.
    pub(super) fn part_function(&mut self, given: &[Value], words: &[Value]) {
        let [set @ .., cell, ctx] = given else {
            return self.wrong("a joined part of no cell");
        };
        let find = self.b.create_block();
        let (entry, _) = self.look_for_kept(words, [*cell, *ctx], find);
        self.b.return_(&[entry]);
        // By a function of its own, so that this one needs few registers and nothing is put by for them.
        self.enter(find);
        let given: Words = set.iter().chain([cell, &entry]).copied().collect();
        let entry = self.call_extra(Extra::Found, &given)[0];
        self.b.return_(&[entry]);
    }

    /// Looks whether what is kept for a cell still is its joined part of a set, and goes to a block where not; where it is kept, and the part.
    fn look_for_kept(&mut self, words: &[Value], of: [Value; 2], find: Block) -> (Value, Words) {
        let [cell, ctx] = of;
        // For each cell a part and what is next to it. What is no cell has no part, but must not lead out of what is kept.
        let kept = self.b.load(I64, Memory::Words, ctx, KEPT_AT);
        let slot = self.b.band_imm_s(cell, kept_cells(self.width) as i64 - 1);
        let distance = self.scaled(slot, 16 * self.width as u64);
        let entry = self.b.iadd(kept, distance);
        let (part, beside) = (self.kept(entry, 0), self.kept(entry, 1));
        let differing = (part.iter().zip(&beside).zip(words)).map(|((&part, &beside), &all)| {
            let outside = self.b.band_not(part, all);
            let more = self.b.band(beside, all);
            self.b.bor(outside, more)
        });
        let differing: Words = differing.collect();
        let (other, any) = (self.any_of(&differing), self.any_of(&part));
        let [look, known] = [(); 2].map(|()| self.b.create_block());
        self.b.brif(other, find, &[], look, &[]);
        self.enter(look);
        self.b.brif(any, known, &[], find, &[]);
        self.enter(known);
        (entry, part)
    }

    /// What is not 0 if any of some words is.
    pub(super) fn any_of(&mut self, words: &[Value]) -> Value {
        let joined = words.iter().copied();
        let joined = joined.reduce(|any, more| self.b.bor(any, more));
        joined.unwrap_or_else(|| self.number(0))
    }
}
