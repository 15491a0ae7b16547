//! Actions taken down and changes taken back, where they stand; what is long or unknown is left to Rust.

use crate::engine::native::call::Aid;
use crate::engine::native::emit::memory::bytes;
use crate::engine::native::emit::{Emit, Exit};
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::program::kernel::{S, W, heading};

/// The longest way to an action that is copied word by word.
const COPIED: u64 = 12;

impl Emit<'_> {
    /// Takes down an action, or one for each cell of a set: here, or in Rust where code is wanted soon.
    pub(super) fn leaf(&mut self, length: W, set: Option<(S, u32)>) {
        let known = self.known.get(length.0 as usize).copied().flatten();
        let wide = set.is_some() && self.wide();
        let short = known.filter(|known| *known <= COPIED && !wide && !self.soon);
        if let Some(known) = short {
            return self.leaf_here(known, set);
        }
        let length = self.get(length);
        let full = match set {
            None if !self.checked && !self.soon => return self.leaf_of(length),
            None => self.aid(Aid::Leaf, &[length]),
            Some((set, family)) => {
                let at = self.address(set);
                let family = self.number(i64::from(family));
                self.aid(Aid::Leaves, &[length, family, at])
            }
        };
        self.exit_if(full, Exit::One, &[]);
    }

    /// Takes down an action whose way is as long as a word says.
    fn leaf_of(&mut self, length: Value) {
        let room = self.shared.kernel.room;
        let used = self.room(room.moves_used);
        let most = self.number(i64::from(room.memory - room.moves));
        let behind = self.b.iadd(used, length);
        let cond = IntCC::UnsignedGreaterThanOrEqual;
        let full = self.b.icmp(cond, behind, most);
        self.exit_if(full, Exit::Room, &[]);
        let distance = self.b.ishl_imm_u(used, 3);
        let at = self.b.iadd(self.mem, distance);
        let memory = Memory::Words;
        self.b.store(memory, length, at, bytes(room.moves));
        let (copy, on) = (self.b.create_block(), self.b.create_block());
        let i = self.b.append_block_param(copy, I64);
        let zero = self.number(0);
        self.b.brif(length, copy, &[zero], on, &[]);
        self.b.switch_to_block(copy);
        let distance = self.b.ishl_imm_u(i, 3);
        let from = self.b.iadd(self.mem, distance);
        let to = self.b.iadd(at, distance);
        let word = self.b.load(I64, memory, from, bytes(room.path));
        self.b.store(memory, word, to, bytes(room.moves + 1));
        let next = self.b.iadd_imm_s(i, 1);
        let more = self.b.icmp(IntCC::UnsignedLessThan, next, length);
        self.b.brif(more, copy, &[next], on, &[]);
        self.b.seal_block(copy);
        self.enter(on);
        let used = self.b.iadd_imm_s(behind, 1);
        self.set_room(room.moves_used, used);
        let count = self.room(room.moves_count);
        let count = self.b.iadd_imm_s(count, 1);
        self.set_room(room.moves_count, count);
    }

    /// Takes down an action of a known length, or one for each cell of a set. Where it can hardly be guessed whether it counts, for a
    /// condition or since the set may be empty, it is written in any case, and asks for room; blocks that meet behind it would have all
    /// that is counted read from memory again.
    fn leaf_here(&mut self, length: u64, set: Option<(S, u32)>) {
        let room = self.shared.kernel.room;
        let words = set.map(|(set, _)| self.set_words(set));
        let cells = words.as_ref().map(|words| self.count_of_words(words));
        let guessed = set.is_some_and(|(set, _)| self.rounds > 0 && !self.has_few(set));
        let behind = cells.filter(|_| guessed).map(|cells| {
            let [on, behind] = [(); 2].map(|()| self.b.create_block());
            self.b.brif(cells, on, &[], behind, &[]);
            self.enter(on);
            behind
        });
        let size = 1 + length as usize + words.as_ref().map_or(0, |w| w.len());
        let used = self.room(room.moves_used);
        let most = i64::from(room.memory - room.moves) - size as i64;
        let cond = IntCC::SignedGreaterThan;
        let full = self.b.icmp_imm_s(cond, used, most);
        self.exit_if(full, Exit::Room, &[]);
        let distance = self.b.ishl_imm_u(used, 3);
        let at = self.b.iadd(self.mem, distance);
        let memory = Memory::Words;
        let heading = heading(length, set.map(|(_, family)| family));
        let heading = self.number(heading.cast_signed());
        self.b.store(memory, heading, at, bytes(room.moves));
        for i in 0..length as u32 {
            let word = self.room(room.path + i);
            let to = bytes(room.moves + 1 + i);
            self.b.store(memory, word, at, to);
        }
        for (i, word) in (0..).zip(words.iter().flatten()) {
            let to = bytes(room.moves + 1 + length as u32 + i);
            self.b.store(memory, *word, at, to);
        }
        let many = cells.or(self.guard);
        let mut more = self.b.iadd_imm_s(used, size as i64);
        if let Some(many) = many.filter(|_| !guessed) {
            more = self.b.select(many, more, used);
        }
        self.set_room(room.moves_used, more);
        let count = self.room(room.moves_count);
        let count = match many {
            Some(many) => self.b.iadd(count, many),
            None => self.b.iadd_imm_s(count, 1),
        };
        self.set_room(room.moves_count, count);
        if let Some(behind) = behind {
            self.jump(behind);
            self.enter(behind);
        }
    }

    /// Whether an action with so long a way is taken down where it stands.
    pub(super) fn is_short(&self, length: W) -> bool {
        let known = self.known.get(length.0 as usize).copied().flatten();
        known.is_some_and(|known| known <= COPIED)
    }

    /// Takes back what the log has behind a mark.
    pub(super) fn undo(&mut self, mark: Value) {
        let room = self.shared.kernel.room;
        if self.checked || self.soon {
            let broken = self.aid(Aid::Undo, &[mark]);
            return self.exit_if(broken, Exit::One, &[]);
        }
        let (back, behind) = (self.b.create_block(), self.b.create_block());
        let left = self.b.append_block_param(back, I64);
        let used = self.room(room.log_used);
        let any = self.b.icmp(IntCC::UnsignedGreaterThan, used, mark);
        self.b.brif(any, back, &[used], behind, &[]);
        self.b.switch_to_block(back);
        let distance = self.b.ishl_imm_u(left, 3);
        let end = self.b.iadd(self.mem, distance);
        let (memory, log) = (Memory::Words, bytes(room.log));
        let place = self.b.load(I64, memory, end, log - 16);
        let old = self.b.load(I64, memory, end, log - 8);
        let place = self.b.ishl_imm_u(place, 3);
        let place = self.b.iadd(self.mem, place);
        self.b.store(memory, old, place, 0);
        let rest = self.b.iadd_imm_s(left, -2);
        self.set_room(room.log_used, rest);
        let more = self.b.icmp(IntCC::UnsignedGreaterThan, rest, mark);
        self.b.brif(more, back, &[rest], behind, &[]);
        self.b.seal_block(back);
        self.enter(behind);
    }
}
