//! Sets moved as a whole: shifts, neighbours and joined parts. Few distances stand where they are used, more in a function of
//! their own; sets of many words are left to Rust.

use crate::board::Cells;
use crate::engine::native::call::Aid;
use crate::engine::native::emit::{Emit, Extra, NARROW, SHORT, Words, by_address};
use crate::engine::native::tables::Packed;
use crate::program::kernel::{S, ShiftId, W};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, FuncRef, InstBuilder, Value};
use smallvec::SmallVec;

/// The most parts of a shift that stand where it is used.
const INLINE: usize = 3;

/// The most words of a set that is moved by functions beside those of the kernel; where they are handed addresses.
const LONG: usize = 8;

/// The most distances for that.
const FEW_DISTANCES: usize = 8;

/// The most moves of single words for all parts of a shift, before it is left to Rust.
const MOVES: usize = 48;

/// Of the cells of a word those that a mask leaves out and that would come to a number from 0 to below `end` otherwise.
fn dropped(mask: u64, word: usize, distance: i32, cells: usize, end: usize) -> u64 {
    let comes = |bit: usize| {
        let cell = word * 64 + bit;
        let to = usize::try_from(cell as i64 + i64::from(distance));
        cell < cells && to.is_ok_and(|to| to < end)
    };
    let all = (0..64).filter(|bit| comes(*bit));
    all.fold(0, |all, bit| all | 1 << bit) & !mask
}

impl Emit<'_, '_> {
    pub(super) fn shift(&mut self, to: S, from: S, id: ShiftId) {
        let shared = self.shared;
        let Some(shift) = shared.kernel.shifts.get(id.0 as usize) else {
            return self.wrong("a shift that the kernel does not have");
        };
        if let Some(Some(table)) = shared.eights.get(id.0 as usize) {
            let word = self.set_word(from, 0);
            let moved = self.moved_by_eights(word, *table);
            return self.put_piece(to, 0, moved);
        }
        let parts = &shift.parts;
        if self.width <= NARROW && parts.len() <= INLINE {
            let words = self.set_words(from);
            let moved = self.moved(&words, parts);
            return self.put_set(to, &moved);
        }
        if self.width <= SHORT && parts.len() * self.width <= MOVES {
            let words = self.set_words(from);
            return self.extra(to, Extra::Shift(id), &words);
        }
        if by_address(self.width) && self.width <= LONG && parts.len() <= FEW_DISTANCES {
            return self.extra_by_address(to, Extra::Shift(id), None, from);
        }
        let number = self.number(i64::from(id.0));
        self.aid_into(to, Aid::Shifted, Some(number), from);
    }

    /// A set of one word moved: for each eight of its cells an entry of a table, all joined.
    fn moved_by_eights(&mut self, word: Value, table: Packed) -> Value {
        let mut all = None;
        for eight in 0..table.entries / 256 {
            let start = self.shared.address(table.at + eight * 256);
            let start = self.number(start);
            let members = self.b.ins().ushr_imm_u(word, eight as i64 * 8);
            let members = self.b.ins().band_imm_s(members, 255);
            let distance = self.b.ins().ishl_imm_u(members, 3);
            let at = self.b.ins().iadd(start, distance);
            let moved = self.b.ins().load(I64, self.fixed, at, 0);
            all = Some(all.map_or(moved, |all| self.b.ins().bor(all, moved)));
        }
        all.unwrap_or(word)
    }

    /// Whether neighbours are moved to all at once, by a function that is handed addresses.
    fn moves_by_address(&self) -> bool {
        let few = |d: &Vec<(i32, Cells)>| d.len() <= FEW_DISTANCES;
        by_address(self.width)
            && self.width <= LONG
            && self.shared.distances.as_ref().is_some_and(few)
    }

    pub(super) fn around(&mut self, to: S, from: S) {
        if self.width <= SHORT && self.shared.distances.is_some() {
            let words = self.set_words(from);
            return self.extra(to, Extra::Around, &words);
        }
        if self.moves_by_address() {
            return self.extra_by_address(to, Extra::Around, None, from);
        }
        self.aid_into(to, Aid::Around, None, from);
    }

    pub(super) fn part(&mut self, to: S, from: S, cell: W) {
        let cell = self.cell(cell);
        if self.width <= SHORT && self.shared.distances.is_some() {
            let mut words = self.set_words(from);
            words.push(cell);
            return self.extra(to, Extra::Part, &words);
        }
        if self.moves_by_address() {
            return self.extra_by_address(to, Extra::Part, Some(cell), from);
        }
        self.aid_into(to, Aid::Part, Some(cell), from);
    }

    fn extra_ref(&mut self, extra: Extra) -> FuncRef {
        let known = self.extras.iter().find(|(e, _)| *e == extra);
        known.map(|(_, f)| *f).unwrap_or_else(|| {
            let function = self.linker.extra(self.b.func, extra);
            self.extras.push((extra, function));
            function
        })
    }

    /// Calls a function beside those of the kernel that reads a set where it stands and writes one.
    fn extra_by_address(&mut self, to: S, extra: Extra, cell: Option<Value>, from: S) {
        let function = self.extra_ref(extra);
        self.by_addresses(to, from, |emit, addresses| {
            let given: SmallVec<[Value; 3]> = addresses.into_iter().chain(cell).collect();
            emit.b.ins().call(function, &given);
        });
    }

    /// Calls a function beside those of the kernel.
    fn extra(&mut self, to: S, extra: Extra, given: &[Value]) {
        let function = self.extra_ref(extra);
        let call = self.b.ins().call(function, given);
        let words = Words::from_slice(self.b.inst_results(call));
        self.put_set(to, &words);
    }

    /// A whole function beside those of the kernel; it is given a set's words, and a cell.
    pub(in crate::engine::native) fn extra_function(mut self, extra: Extra) -> Result<(), String> {
        let shared = self.shared;
        let entry = self.b.current_block();
        let given = entry.map_or(Words::new(), |e| Words::from_slice(self.b.block_params(e)));
        let none = Vec::new();
        let distances = shared.distances.as_ref().unwrap_or(&none);
        let (words, rest) = if by_address(self.width) {
            let from = given.first().copied().unwrap_or(self.ctx);
            let words = (0..self.width).map(|i| {
                let at = i as i32 * 8;
                self.b.ins().load(I64, self.memory, from, at)
            });
            (words.collect(), given.get(1..).unwrap_or(&[]))
        } else {
            let (words, rest) = given.split_at(self.width.min(given.len()));
            (Words::from_slice(words), rest)
        };
        let (into, cell) = if by_address(self.width) {
            (rest.first().copied(), rest.get(1))
        } else {
            (None, rest.first())
        };
        let cell = cell.copied().unwrap_or(self.ctx);
        let words = words.as_slice();
        let result = match extra {
            Extra::Shift(id) => match shared.kernel.shifts.get(id.0 as usize) {
                Some(shift) => self.moved(words, &shift.parts),
                None => Words::from_slice(words),
            },
            Extra::Around => {
                let distances: Vec<(Cells, i32)> =
                    distances.iter().map(|(d, c)| (*c, *d)).collect();
                self.moved(words, &distances)
            }
            Extra::Part => {
                let distances: Vec<(Cells, i32)> =
                    distances.iter().map(|(d, c)| (*c, *d)).collect();
                self.flood(words, cell, &distances)
            }
        };
        match into {
            Some(into) => {
                for (i, word) in result.iter().enumerate() {
                    (self.b.ins()).store(self.memory, *word, into, i as i32 * 8);
                }
                self.b.ins().return_(&[]);
            }
            None => {
                self.b.ins().return_(&result);
            }
        }
        self.end()
    }

    /// Grows from a cell inside a set until nothing is added.
    fn flood(&mut self, all: &[Value], cell: Value, distances: &[(Cells, i32)]) -> Words {
        let begin = self.cell_words(cell);
        let begin: Words = (begin.iter().zip(all))
            .map(|(&a, &b)| self.b.ins().band(a, b))
            .collect();
        let (again, done) = (self.b.create_block(), self.b.create_block());
        let reached: Words = (0..self.width)
            .map(|_| (self.b).append_block_param(again, cranelift_codegen::ir::types::I64))
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
        grown
    }

    /// The words of a set moved part by part.
    fn moved(&mut self, words: &[Value], parts: &[(Cells, i32)]) -> Words {
        self.moved_below(words, parts, words.len() * 64)
    }

    /// The words of a set moved part by part; what comes to a number that is not below `end` may be anything.
    fn moved_below(&mut self, words: &[Value], parts: &[(Cells, i32)], end: usize) -> Words {
        let cells = self.shared.kernel.cells;
        let mut out: Vec<Option<Value>> = vec![None; words.len()];
        for (mask, distance) in parts {
            let (further, bits) = (distance.div_euclid(64), distance.rem_euclid(64));
            for (i, &word) in words.iter().enumerate() {
                let mask = mask.words()[i];
                if mask == 0 {
                    continue;
                }
                let low_at = usize::try_from(i as i32 + further).ok();
                let high_at = usize::try_from(i as i32 + further + 1).ok();
                let bits_64 = i64::from(bits);
                let taken = match dropped(mask, i, *distance, cells, end) {
                    0 => word,
                    _ => {
                        let mask = self.number(mask.cast_signed());
                        self.b.ins().band(word, mask)
                    }
                };
                if let Some(at) = low_at.filter(|&at| at < out.len() && mask << bits != 0) {
                    let low = match bits {
                        0 => taken,
                        _ => self.b.ins().ishl_imm_u(taken, bits_64),
                    };
                    self.gather(&mut out[at], low);
                }
                if let Some(at) =
                    high_at.filter(|&at| bits != 0 && at < words.len() && mask >> (64 - bits) != 0)
                {
                    let high = self.b.ins().ushr_imm_u(taken, 64 - bits_64);
                    self.gather(&mut out[at], high);
                }
            }
        }
        out.into_iter()
            .map(|word| word.unwrap_or_else(|| self.number(0)))
            .collect()
    }

    fn gather(&mut self, all: &mut Option<Value>, more: Value) {
        *all = Some(match *all {
            None => more,
            Some(all) => self.b.ins().bor(all, more),
        });
    }
}
