//! Statements: blocks for what branches and loops, one instruction after the other for the rest. What can never be reached is
//! left out.

use crate::engine::native::call::Aid;
use crate::engine::native::emit::gather::gathering;
use crate::engine::native::emit::parts::lets_be;
use crate::engine::native::emit::{Emit, Exit, Open};
use crate::engine::native::ir::{Block, I64, IntCC, Memory, Value};
use crate::program::kernel::{Body, Label, S, Stmt, W};

/// So many ways are told apart one after the other, which is guessed better than an address from a table.
const FEW_WAYS: usize = 3;

impl Emit<'_> {
    /// Statements in order, up to one that never goes on.
    pub(super) fn body(&mut self, body: &Body) {
        for stmt in body {
            if self.dead {
                return;
            }
            let stays = lets_be(stmt);
            if !stays {
                self.found = None;
            }
            self.stmt(stmt);
            if !stays {
                self.found = None;
            }
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        let room = self.shared.kernel.room;
        match stmt {
            Stmt::Let(to, word) => {
                let value = self.word(word);
                self.put(*to, value);
            }
            Stmt::LetSet(to, set) => self.let_set(*to, set),
            Stmt::Store(place, word) => {
                let (at, offset) = self.place(*place, 1);
                let value = self.get(*word);
                self.b.store(Memory::Words, value, at, offset);
            }
            Stmt::StoreSet(place, set) => {
                let (at, offset) = self.place(*place, self.width);
                self.store_set(*set, at, offset);
            }
            Stmt::StoreLogged(place, word) => self.store_logged(*place, *word),
            Stmt::Mark(to) => {
                let used = self.room(room.log_used);
                self.put(*to, used);
            }
            Stmt::Undo(mark) => {
                let mark = self.get(*mark);
                self.undo(mark);
            }
            Stmt::If(word, yes, no) => {
                if !(no.is_empty() && self.leaf_when(*word, yes)) {
                    self.branch(*word, yes, no);
                }
            }
            Stmt::Switch(word, bodies) => self.switch(*word, bodies),
            Stmt::ForCells(cell, set, body) => {
                self.rounds += 1;
                self.for_cells(*cell, *set, body);
                self.rounds -= 1;
            }
            Stmt::ForBits(bit, word, body) => {
                let word = self.get(*word);
                self.rounds += 1;
                self.for_bits(*bit, word, None, body);
                self.rounds -= 1;
            }
            Stmt::ForNumbers(number, from, to, body) => {
                self.rounds += 1;
                self.for_numbers(*number, *from, *to, body);
                self.rounds -= 1;
            }
            Stmt::Loop(label, body) => self.again(*label, body),
            Stmt::Block(label, body) => {
                let behind = self.b.create_block();
                self.inside(*label, behind, body);
            }
            Stmt::Leave(label) => self.leave(*label),
            Stmt::Call(id, arguments, result) => self.call(*id, arguments, *result),
            Stmt::Return(word) => {
                let value = self.get(*word);
                self.give_back(value);
            }
            Stmt::Leaf(length) => self.leaf(*length, None),
            Stmt::Leaves(length, set, family) => self.leaf(*length, Some((*set, *family))),
            Stmt::Tally(word) => {
                let (sum, more) = (self.room(room.tally), self.get(*word));
                let sum = self.b.iadd(sum, more);
                self.set_room(room.tally, sum);
            }
            Stmt::Note(all, pieces) => {
                let keys = [self.get(*all), self.get(*pieces)];
                self.aid(Aid::Note, &keys);
            }
            Stmt::Fault(fault) => {
                let why = self.number(*fault as i64);
                self.set_room(room.fault, why);
                let out = self.exit(Exit::One);
                self.jump(out);
            }
        }
    }

    fn branch(&mut self, word: W, yes: &Body, no: &Body) {
        let word = self.read(word);
        let behind = self.b.create_block();
        let block_of = |e: &mut Self, body: &Body| {
            if body.is_empty() {
                behind
            } else {
                e.b.create_block()
            }
        };
        let (then, other) = (block_of(self, yes), block_of(self, no));
        if then == other {
            return;
        }
        self.b.brif(word, then, &[], other, &[]);
        let mut reached = then == behind || other == behind;
        for (block, body) in [(then, yes), (other, no)] {
            if block == behind {
                continue;
            }
            self.enter(block);
            self.body(body);
            if !self.dead {
                self.jump(behind);
                reached = true;
            }
        }
        if reached {
            self.enter(behind);
        }
    }

    fn switch(&mut self, word: W, bodies: &[Body]) {
        let word = self.get(word);
        let behind = self.b.create_block();
        let blocks: Vec<Block> = bodies.iter().map(|_| self.b.create_block()).collect();
        if bodies.len() <= FEW_WAYS {
            self.one_of(word, &blocks, behind);
        } else {
            self.by_table(word, &blocks, behind);
        }
        for (block, body) in blocks.into_iter().zip(bodies) {
            self.enter(block);
            self.body(body);
            if !self.dead {
                self.jump(behind);
            }
        }
        self.enter(behind);
    }

    /// Goes to the block with a word's number, one after the other being asked for.
    fn one_of(&mut self, word: Value, blocks: &[Block], behind: Block) {
        for (number, &block) in (0..).zip(blocks) {
            let here = self.b.icmp_imm_s(IntCC::Equal, word, number);
            if number as usize + 1 == blocks.len() {
                self.b.brif(here, block, &[], behind, &[]);
            } else {
                let other = self.b.create_block();
                self.b.brif(here, block, &[], other, &[]);
                self.enter(other);
            }
        }
        if blocks.is_empty() {
            self.jump(behind);
        }
    }

    /// Goes to the block with a word's number by a table.
    fn by_table(&mut self, word: Value, blocks: &[Block], behind: Block) {
        let cond = IntCC::UnsignedGreaterThanOrEqual;
        let count = self.number(blocks.len() as i64);
        let beyond = self.b.icmp(cond, word, count);
        let within = self.b.select(beyond, count, word);
        self.b.br_table(within, behind, blocks);
    }

    /// Once for every bit of a word, with the bit's number and what is added to it.
    pub(super) fn for_bits(&mut self, to: W, word: Value, add: Option<Value>, body: &Body) {
        let (round, behind) = (self.b.create_block(), self.b.create_block());
        let left = self.b.append_block_param(round, I64);
        self.b.brif(word, round, &[word], behind, &[]);
        self.b.switch_to_block(round);
        let mut bit = self.b.ctz(left);
        let less = self.b.iadd_imm_s(left, -1);
        let rest = self.b.band(left, less);
        if let Some(add) = add {
            bit = self.b.iadd(bit, add);
        }
        self.put(to, bit);
        self.body(body);
        if !self.dead {
            self.b.brif(rest, round, &[rest], behind, &[]);
        }
        self.b.seal_block(round);
        self.enter(behind);
    }

    fn for_cells(&mut self, cell: W, set: S, body: &Body) {
        if !self.wide()
            && let Some(gathering) = gathering(cell, body)
        {
            return self.for_gathered(cell, set, &gathering);
        }
        if self.width == 1 {
            let word = self.set_word(set, 0);
            return self.for_bits(cell, word, None, body);
        }
        if self.has_few(set) {
            return self.for_few_cells(cell, set, body);
        }
        if self.is_written_out(body) {
            return self.for_cells_of_each(cell, set, body);
        }
        if self.walks.len() == self.walking {
            let slot = self.slot(self.width * 8);
            self.walks.push(slot);
        }
        let slot = self.walks[self.walking];
        let (any, behind) = (self.b.create_block(), self.b.create_block());
        let some = self.some(set);
        self.b.brif(some, any, &[], behind, &[]);
        self.enter(any);
        for i in 0..self.pieces() {
            let (piece, at) = (self.set_piece(set, i), self.piece(i).1);
            let start = self.start(slot);
            self.b.store(Memory::Other, piece, start, at);
        }
        let round = self.b.create_block();
        let at = self.b.append_block_param(round, I64);
        let zero = self.number(0);
        self.b.jump(round, &[zero]);
        self.b.switch_to_block(round);
        let start = self.start(slot);
        let distance = self.b.ishl_imm_u(at, 3);
        let from = self.b.iadd(start, distance);
        let word = self.b.load(I64, Memory::Other, from, 0);
        let cells = self.b.ishl_imm_u(at, 6);
        self.walking += 1;
        self.for_bits(cell, word, Some(cells), body);
        self.walking -= 1;
        let next = self.b.iadd_imm_s(at, 1);
        let cond = IntCC::UnsignedLessThan;
        let more = self.b.icmp_imm_s(cond, next, self.width as i64);
        self.b.brif(more, round, &[next], behind, &[]);
        self.b.seal_block(round);
        self.enter(behind);
    }

    fn for_numbers(&mut self, number: W, from: W, to: W, body: &Body) {
        let (from, to) = (self.get(from), self.get(to));
        let (round, behind) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(round, I64);
        let any = self.b.icmp(IntCC::SignedLessThanOrEqual, from, to);
        self.b.brif(any, round, &[from], behind, &[]);
        self.b.switch_to_block(round);
        self.put(number, at);
        self.body(body);
        if !self.dead {
            let more = self.b.icmp(IntCC::SignedLessThan, at, to);
            let next = self.b.iadd_imm_s(at, 1);
            self.b.brif(more, round, &[next], behind, &[]);
        }
        self.b.seal_block(round);
        self.enter(behind);
    }

    fn again(&mut self, label: Label, body: &Body) {
        let (round, behind) = (self.b.create_block(), self.b.create_block());
        self.b.jump(round, &[]);
        self.b.switch_to_block(round);
        self.open.push(Open {
            label,
            behind,
            used: false,
        });
        self.body(body);
        if !self.dead {
            self.jump(round);
        }
        self.b.seal_block(round);
        if self.open.pop().is_some_and(|open| open.used) {
            self.enter(behind);
        }
    }

    /// Statements that can be left.
    fn inside(&mut self, label: Label, behind: Block, body: &Body) {
        self.open.push(Open {
            label,
            behind,
            used: false,
        });
        self.body(body);
        let left = self.open.pop().is_some_and(|open| open.used);
        if !self.dead {
            self.jump(behind);
            self.enter(behind);
        } else if left {
            self.enter(behind);
        }
    }

    fn leave(&mut self, label: Label) {
        let found = self.open.iter_mut().rfind(|open| open.label == label);
        let Some(open) = found else {
            return self.wrong("a block that is left from outside");
        };
        open.used = true;
        let behind = open.behind;
        self.jump(behind);
    }
}
