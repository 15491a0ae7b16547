//! Sets moved as a whole: shifts and neighbours. Few distances stand where they are used, more in a function of
//! their own; sets of many words are left to Rust.

use crate::board::Cells;
use crate::engine::native::call::Aid;
use crate::engine::native::emit::{Emit, Extra, SHORT, Words, by_address};
use crate::engine::native::ir::{Callee, Func, I64, Memory, Value};
use crate::engine::native::tables::Packed;
use crate::program::kernel::{S, ShiftId};

/// The most parts of a shift that stand where it is used.
const INLINE: usize = 3;

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

impl Emit<'_> {
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
        if !self.wide() && parts.len() <= INLINE {
            let words = self.set_words(from);
            let moved = self.moved(&words, parts);
            return self.put_set(to, &moved);
        }
        if self.width <= SHORT && parts.len() * self.width <= MOVES {
            let words = self.set_words(from);
            return self.extra(to, Extra::Shift(id), &words);
        }
        // Where code is wanted soon, functions of so many moves are not waited for.
        let moves = by_address(self.width) && !self.wide() && parts.len() <= FEW_DISTANCES;
        if moves && !self.soon {
            return self.extra_by_address(to, Extra::Shift(id), from);
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
            let members = self.b.ushr_imm_u(word, eight as i64 * 8);
            let members = self.b.band_imm_s(members, 255);
            let distance = self.b.ishl_imm_u(members, 3);
            let at = self.b.iadd(start, distance);
            let moved = self.b.load(I64, Memory::Tables, at, 0);
            all = Some(all.map_or(moved, |all| self.b.bor(all, moved)));
        }
        all.unwrap_or(word)
    }

    /// Whether neighbours are moved to all at once, by a function that is handed addresses; where code is wanted soon only if it is
    /// short.
    pub(super) fn moves_by_address(&self) -> bool {
        let short = |d: &Vec<(i32, Cells)>| !self.soon || d.len() <= FEW_DISTANCES;
        by_address(self.width) && !self.wide() && self.shared.distances.as_ref().is_some_and(short)
    }

    pub(super) fn around(&mut self, to: S, from: S) {
        if self.width <= SHORT && self.shared.distances.is_some() {
            let words = self.set_words(from);
            return self.extra(to, Extra::Around, &words);
        }
        if self.moves_by_address() {
            return self.extra_by_address(to, Extra::Around, from);
        }
        self.aid_into(to, Aid::Around, None, from);
    }

    fn extra_ref(&mut self, extra: Extra) -> Callee {
        let known = self.extras.iter().find(|(e, _)| *e == extra);
        known.map(|(_, f)| *f).unwrap_or_else(|| {
            let called = self.linker.extra(extra);
            let function = self.b.callee(called);
            self.extras.push((extra, function));
            function
        })
    }

    /// Calls a function beside those of the kernel that reads a set where it stands and writes one.
    fn extra_by_address(&mut self, to: S, extra: Extra, from: S) {
        let function = self.extra_ref(extra);
        self.by_addresses(to, from, |emit, addresses| {
            emit.b.call(function, &addresses);
        });
    }

    /// Calls a function beside those of the kernel.
    pub(super) fn extra(&mut self, to: S, extra: Extra, given: &[Value]) {
        let words = self.call_extra(extra, given);
        self.put_set(to, &words);
    }

    /// Calls a function beside those of the kernel for what it returns.
    pub(super) fn call_extra(&mut self, extra: Extra, given: &[Value]) -> Words {
        let function = self.extra_ref(extra);
        Words::from_slice(&self.b.call(function, given))
    }

    /// A whole function beside those of the kernel; it is given a set's words, or where they are and where others go to, and
    /// what else it asks for.
    pub(in crate::engine::native) fn extra_function(
        mut self,
        extra: Extra,
    ) -> Result<Func, String> {
        let shared = self.shared;
        let entry = self.b.current_block();
        let given = entry.map_or(Words::new(), |e| Words::from_slice(self.b.block_params(e)));
        let (words, into) = if by_address(self.width) {
            let from = given.first().copied().unwrap_or(self.ctx);
            let words: Words = (0..self.width as i32)
                .map(|i| self.b.load(I64, Memory::Words, from, i * 8))
                .collect();
            (words, given.get(1).copied())
        } else {
            (given.iter().take(self.width).copied().collect(), None)
        };
        let moved = |distances: &[(i32, Cells)]| -> Vec<(Cells, i32)> {
            distances.iter().map(|(d, c)| (*c, *d)).collect()
        };
        let distances = moved(shared.distances.as_deref().unwrap_or(&[]));
        match extra {
            Extra::Shift(id) => {
                let shift = shared.kernel.shifts.get(id.0 as usize);
                let moved = shift.map_or(words.clone(), |s| self.moved(&words, &s.parts));
                self.hand_back(&moved, into);
            }
            Extra::Around => {
                let moved = self.moved(&words, &distances);
                self.hand_back(&moved, into);
            }
            Extra::Part => self.part_function(&given, &words),
            Extra::Found => self.found_function(&given, &words, &distances),
        }
        self.end()
    }

    /// Ends a function beside those of the kernel with a set.
    pub(super) fn hand_back(&mut self, words: &[Value], into: Option<Value>) {
        let Some(into) = into else {
            self.b.return_(words);
            return;
        };
        for (i, word) in words.iter().enumerate() {
            self.b.store(Memory::Words, *word, into, i as i32 * 8);
        }
        self.b.return_(&[]);
    }

    /// The words of a set moved part by part.
    fn moved(&mut self, words: &[Value], parts: &[(Cells, i32)]) -> Words {
        self.moved_below(words, parts, words.len() * 64)
    }

    /// The words of a set moved part by part; what comes to a number that is not below `end` may be anything.
    pub(super) fn moved_below(
        &mut self,
        words: &[Value],
        parts: &[(Cells, i32)],
        end: usize,
    ) -> Words {
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
                        self.b.band(word, mask)
                    }
                };
                if let Some(at) = low_at.filter(|&at| at < out.len() && mask << bits != 0) {
                    let low = match bits {
                        0 => taken,
                        _ => self.b.ishl_imm_u(taken, bits_64),
                    };
                    self.gather(&mut out[at], low);
                }
                if let Some(at) =
                    high_at.filter(|&at| bits != 0 && at < words.len() && mask >> (64 - bits) != 0)
                {
                    let high = self.b.ushr_imm_u(taken, 64 - bits_64);
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
            Some(all) => self.b.bor(all, more),
        });
    }
}
