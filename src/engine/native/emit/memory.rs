//! Memory: places and tables with their checks, and what is logged.

use crate::engine::native::aid;
use crate::engine::native::call::BROKEN_AT;
use crate::engine::native::emit::{Emit, Exit};
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::engine::native::tables::Packed;
use crate::program::kernel::{Fault, Function, Place, Value as Given, W};

/// What a table is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Words.
    Word,
    /// Bytes of words.
    Byte,
    /// Sets.
    Set,
}

/// Bytes from the beginning of memory to a word; rooms are small enough for it.
pub(super) fn bytes(word: u32) -> i32 {
    (word as i32).wrapping_mul(8)
}

impl Emit<'_> {
    /// Reads a word of the room.
    pub(super) fn room(&mut self, at: u32) -> Value {
        self.b.load(I64, Memory::Words, self.mem, bytes(at))
    }

    /// Writes a word of the room.
    pub(super) fn set_room(&mut self, at: u32, value: Value) {
        self.b.store(Memory::Words, value, self.mem, bytes(at));
    }

    /// An address and what is to be added to it, for so many words from a place on.
    pub(super) fn place(&mut self, place: Place, words: usize) -> (Value, i32) {
        let memory = self.shared.kernel.room.memory as usize;
        let room_from_base = memory.checked_sub(place.base as usize + words);
        let Some(left) = room_from_base else {
            self.wrong("a place outside the memory");
            return (self.mem, 0);
        };
        let Some((index, stride)) = place.index else {
            return (self.mem, bytes(place.base));
        };
        let index = self.get(index);
        if self.checked && stride > 0 {
            let most = left as i64 / i64::from(stride);
            self.check(index, most + 1);
        }
        let distance = self.scaled(index, u64::from(stride) * 8);
        (self.b.iadd(self.mem, distance), bytes(place.base))
    }

    pub(super) fn scaled(&mut self, index: Value, by: u64) -> Value {
        if by.is_power_of_two() {
            return self.b.ishl_imm_u(index, i64::from(by.ilog2()));
        }
        self.b.imul_imm_s(index, by.cast_signed())
    }

    /// Ends the function when an index is not below a number.
    pub(super) fn check(&mut self, index: Value, below: i64) {
        let cond = IntCC::UnsignedGreaterThanOrEqual;
        let out = self.b.icmp_imm_s(cond, index, below);
        self.exit_if(out, Exit::Broken, &[index]);
    }

    /// A word that is a cell of the board.
    pub(super) fn cell(&mut self, cell: W) -> Value {
        let mut cell = self.get(cell);
        if self.checked {
            cell = self.guarded_index(cell);
            self.check(cell, self.width as i64 * 64);
        }
        cell
    }

    /// The address of an entry of a table.
    pub(super) fn entry(&mut self, table: Packed, index: Value, entry: Entry) -> Value {
        if self.checked {
            let bytes = if entry == Entry::Byte { 8 } else { 1 };
            self.check(index, table.entries as i64 * bytes);
        }
        let stride = match entry {
            Entry::Byte => 1,
            Entry::Word => 8,
            Entry::Set => self.width as u64 * 8,
        };
        let start = self.shared.address(table.at);
        let start = self.number(start);
        let distance = self.scaled(index, stride);
        self.b.iadd(start, distance)
    }

    /// The number of a place's word.
    fn place_number(&mut self, place: Place) -> Value {
        match place.index {
            None => self.number(i64::from(place.base)),
            Some((index, stride)) => {
                let index = self.get(index);
                let further = self.scaled(index, u64::from(stride.max(1)));
                self.b.iadd_imm_s(further, i64::from(place.base))
            }
        }
    }

    pub(super) fn store_logged(&mut self, place: Place, value: W) {
        let room = self.shared.kernel.room;
        let value = self.get(value);
        let (at, offset) = self.place(place, 1);
        let old = self.b.load(I64, Memory::Words, at, offset);
        let same = self.b.icmp(IntCC::Equal, old, value);
        let (log, on) = (self.b.create_block(), self.b.create_block());
        self.b.brif(same, on, &[], log, &[]);
        self.enter(log);
        let used = self.room(room.log_used);
        let most = i64::from(room.moves - room.log) - 2;
        let full = self.b.icmp_imm_s(IntCC::SignedGreaterThan, used, most);
        self.exit_if(full, Exit::Room, &[]);
        let distance = self.scaled(used, 8);
        let end = self.b.iadd(self.mem, distance);
        let number = self.place_number(place);
        let (memory, log) = (Memory::Words, bytes(room.log));
        self.b.store(memory, number, end, log);
        self.b.store(memory, old, end, log + 8);
        let used = self.b.iadd_imm_s(used, 2);
        self.set_room(room.log_used, used);
        self.b.store(memory, value, at, offset);
        self.jump(on);
        self.enter(on);
    }

    /// What a function is given, into its variables.
    pub(super) fn parameters(&mut self, function: &Function) {
        let Some(entry) = self.b.current_block() else {
            return;
        };
        let given: Vec<Value> = self.b.block_params(entry).to_vec();
        let mut given = given.into_iter().skip(2);
        for param in &function.params {
            match *param {
                Given::Word(word) => {
                    if let Some(value) = given.next() {
                        self.put(word, value);
                    }
                }
                Given::Set(set) if self.wide() => {
                    let Some(from) = given.next() else { continue };
                    for i in 0..self.pieces() {
                        let (kind, at) = self.piece(i);
                        let piece = self.b.load(kind, Memory::Other, from, at);
                        self.put_piece(set, i, piece);
                    }
                }
                Given::Set(set) => {
                    for i in 0..self.width {
                        if let Some(word) = given.next() {
                            self.put_piece(set, i, word);
                        }
                    }
                }
            }
        }
    }

    /// The blocks that end a function early.
    pub(super) fn leave_early(&mut self) {
        let order = [Exit::Broken, Exit::Calls, Exit::Room, Exit::One];
        for exit in order {
            let Some(&(_, block)) = self.exits.iter().find(|(e, _)| *e == exit) else {
                continue;
            };
            self.enter(block);
            if exit == Exit::Broken {
                let index = self.b.block_params(block)[0];
                let note = self.b.ishl_imm_u(index, 8);
                let note = self.b.bor_imm_s(note, aid::BROKEN.cast_signed());
                self.b.store(Memory::Other, note, self.ctx, BROKEN_AT);
            }
            let why = match exit {
                Exit::Broken | Exit::Room => Some(Fault::Room),
                Exit::Calls => Some(Fault::Calls),
                Exit::One => None,
            };
            if let Some(why) = why {
                let why = self.number(why as i64);
                self.set_room(self.shared.kernel.room.fault, why);
            }
            let one = self.number(1);
            self.b.return_(&[one]);
        }
    }
}
