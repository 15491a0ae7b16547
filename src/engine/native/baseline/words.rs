//! Words: arithmetic, comparisons, and what is read from memory and written to it.

use crate::engine::native::baseline::Writer;
use crate::engine::native::baseline::assembler::{
    Address, Cond, One, Op, Operand, RAX, RCX, RDX, RSP, Reg, Shift,
};
use crate::engine::native::baseline::moves::From;
use crate::engine::native::ir::{self, CondCode, Def, I64, Inst, IntCC, Two, Value};

impl Writer<'_> {
    /// An instruction with one result.
    pub(super) fn word(&mut self, inst: Inst, result: Value) -> Result<(), String> {
        match inst {
            Inst::Two(two, [a, b]) => self.of_two(two, a, b, result),
            Inst::One(one, a) => self.of_one(one, a, result),
            Inst::Load(_, at, offset) => {
                let from = Operand::Mem(self.address(at, offset));
                let to = self.target(result, RAX);
                self.assembler.load(to, from);
                self.put(result, to);
                Ok(())
            }
            Inst::Byte(_, at, offset) => {
                let from = Operand::Mem(self.address(at, offset));
                let to = self.target(result, RAX);
                self.assembler.one(One::Byte, to, from);
                self.put(result, to);
                Ok(())
            }
            Inst::Compare(cond, args) => {
                let cond = self.compare(args, cond)?;
                let to = self.target(result, RAX);
                self.assembler.set(cond, to);
                self.put(result, to);
                Ok(())
            }
            Inst::Select([truth, yes, no]) => {
                let cond = self.condition(truth)?;
                self.pick(cond, yes, no, result);
                Ok(())
            }
            Inst::StackPointer => {
                self.put(result, RSP);
                Ok(())
            }
            Inst::Store(..)
            | Inst::Call(..)
            | Inst::Jump(_)
            | Inst::Branch(..)
            | Inst::Switch(..)
            | Inst::Return(_) => Err("an instruction that gives nothing".to_owned()),
        }
    }

    /// What is made of one value.
    fn of_one(&mut self, one: ir::One, a: Value, result: Value) -> Result<(), String> {
        match one {
            ir::One::Count => self.one(One::Popcnt, a, result),
            ir::One::Leading => self.one(One::Lzcnt, a, result),
            ir::One::Trailing => self.one(One::Tzcnt, a, result),
            // What is narrower has zeros above it everywhere.
            ir::One::Widened => {
                let to = self.target(result, RAX);
                self.load(to, a);
                self.put(result, to);
            }
            ir::One::Negated => {
                let to = self.target(result, RAX);
                self.load(to, a);
                self.assembler.neg(to);
                self.put(result, to);
            }
            ir::One::Size => {
                let size = self.operand(a, RCX);
                self.assembler.load(RAX, size);
                self.assembler.neg(RAX);
                self.assembler.load_if(Cond::Negative, RAX, size);
                self.put(result, RAX);
            }
            ir::One::Mask => {
                self.load(RAX, a);
                self.assembler.neg(RAX);
                let to = self.target(result, RAX);
                self.assembler.all_if_carried(to);
                self.put(result, to);
            }
            ir::One::Twice | ir::One::Lane(_) => {
                return Err("values of several words".to_owned());
            }
        }
        Ok(())
    }

    /// What is made of two values.
    fn of_two(&mut self, two: Two, a: Value, b: Value, result: Value) -> Result<(), String> {
        match two {
            Two::And => self.two(Op::And, a, b, result),
            Two::Or => self.two(Op::Or, a, b, result),
            Two::Xor => self.two(Op::Xor, a, b, result),
            Two::AndNot => self.and_not(b, a, result),
            Two::Add => self.sum_of(a, b, result),
            Two::Sub => self.two(Op::Sub, a, b, result),
            Two::Mul => self.two(Op::Mul, a, b, result),
            Two::Left => self.shift(Shift::Left, a, b, result),
            Two::Right => self.shift(Shift::Right, a, b, result),
            Two::SignedRight => self.shift(Shift::Signed, a, b, result),
            Two::Smaller | Two::Larger => {
                let first = if two == Two::Smaller {
                    IntCC::SignedLessThan
                } else {
                    IntCC::SignedGreaterThan
                };
                let cond = self.compare([a, b], first)?;
                self.pick(cond, a, b, result);
            }
            Two::SignedHigh | Two::High => {
                let by = self.operand(b, RCX);
                self.load(RAX, a);
                self.assembler.product(by, two == Two::SignedHigh);
                self.put(result, RDX);
            }
            Two::Quotient | Two::Rest => {
                let by = self.operand(b, RCX);
                self.load(RAX, a);
                self.assembler.quotient(by);
                let found = if two == Two::Quotient { RAX } else { RDX };
                self.put(result, found);
            }
        }
        Ok(())
    }

    /// A sum, of which one part may be shifted.
    fn sum_of(&mut self, a: Value, b: Value, result: Value) {
        for (index, base) in [(a, b), (b, a)] {
            if self.steps.joined.contains(index) {
                let address = self.sum(base, index, 0);
                let to = self.target(result, RAX);
                self.assembler.lea(to, address);
                return self.put(result, to);
            }
        }
        self.two(Op::Add, a, b, result);
    }

    fn two(&mut self, op: Op, a: Value, b: Value, result: Value) {
        let (mut a, mut b) = (a, b);
        let to = self.target(result, RAX);
        let turns = op != Op::Sub;
        let is_here =
            |writer: &Self, value| writer.place(writer.places.of[value]) == Some(Operand::Reg(to));
        if turns && (self.func.number(a).is_some() || is_here(self, b)) {
            (a, b) = (b, a);
        }
        let apart = !is_here(self, a);
        if op == Op::Add && apart && !self.is_fixed(a) {
            let (here, more) = (self.operand(a, RAX), self.short(b));
            let index = match self.from(b) {
                From::Operand(Operand::Reg(index)) => Some((index, 0)),
                From::Operand(Operand::Mem(_)) | From::Number(_) | From::Address(_) => None,
            };
            if let Operand::Reg(base) = here
                && (more.is_some() || index.is_some())
            {
                let offset = more.unwrap_or(0);
                let sum = Address {
                    base,
                    index,
                    offset,
                };
                self.assembler.lea(to, sum);
                return self.put(result, to);
            }
        }
        if let Some(number) = self.short(b) {
            self.load(to, a);
            self.assembler.op_number(op, Operand::Reg(to), number);
            return self.put(result, to);
        }
        let by = self.operand(b, RCX);
        // What is taken away stands where the rest is to be.
        let to = if by == Operand::Reg(to) && apart {
            RAX
        } else {
            to
        };
        self.load(to, a);
        self.assembler.op(op, to, by);
        self.put(result, to);
    }

    fn and_not(&mut self, without: Value, all: Value, result: Value) {
        let without = self.reg(without, RAX);
        let all = self.operand(all, RCX);
        let to = self.target(result, RAX);
        self.assembler.and_not(to, without, all);
        self.put(result, to);
    }

    fn one(&mut self, one: One, a: Value, result: Value) {
        let from = self.operand(a, RCX);
        let to = self.target(result, RAX);
        self.assembler.one(one, to, from);
        self.put(result, to);
    }

    fn shift(&mut self, shift: Shift, a: Value, by: Value, result: Value) {
        let to = self.target(result, RAX);
        if let Some(by) = self.func.number(by) {
            self.load(to, a);
            self.assembler.shift_by(shift, to, (by & 63) as u8);
        } else {
            let by = self.reg(by, RCX);
            let from = self.operand(a, RDX);
            self.assembler.shift(shift, to, from, by);
        }
        self.put(result, to);
    }

    /// Compares; when it is so.
    fn compare(&mut self, args: [Value; 2], cond: IntCC) -> Result<Cond, String> {
        let ([mut a, mut b], mut cond) = (args, cond);
        if self.func.kind(a) != I64 && cond.unsigned() != cond {
            return Err("narrow words with signs".to_owned());
        }
        if self.func.number(a).is_some() {
            cond = cond.swap_args();
            (a, b) = (b, a);
        }
        match (self.short(b), self.operand(a, RAX)) {
            (Some(0), Operand::Reg(reg)) => self.assembler.test(reg),
            (Some(number), a) => self.assembler.op_number(Op::Cmp, a, number),
            (None, _) => {
                let a = self.reg(a, RAX);
                let b = self.operand(b, RCX);
                self.assembler.op(Op::Cmp, a, b);
            }
        }
        Ok(cond_of(cond))
    }

    /// Looks at a truth, or at the comparison that makes it: when it is so.
    pub(super) fn condition(&mut self, truth: Value) -> Result<Cond, String> {
        if self.steps.joined.contains(truth)
            && let Some(Inst::Compare(cond, args)) = self.func.made_by(truth)
        {
            return self.compare(args, cond);
        }
        match self.operand(truth, RAX) {
            Operand::Reg(reg) => self.assembler.test(reg),
            memory @ Operand::Mem(_) => self.assembler.op_number(Op::Cmp, memory, 0),
        }
        Ok(Cond::Differs)
    }

    /// One of two values.
    fn pick(&mut self, cond: Cond, yes: Value, no: Value, result: Value) {
        let to = self.target(result, RAX);
        let here = self.place(self.places.of[yes]) == Some(Operand::Reg(to));
        let (cond, first, other) = if here {
            (cond.turned(), yes, no)
        } else {
            (cond, no, yes)
        };
        self.load(to, first);
        let other = self.operand(other, RCX);
        self.assembler.load_if(cond, to, other);
        self.put(result, to);
    }

    /// Whether a value is made anew where it is used.
    fn is_fixed(&self, value: Value) -> bool {
        matches!(self.func.def(value), Def::Number(_) | Def::Start(_))
    }

    /// Where a value points to, so many bytes further.
    fn address(&mut self, value: Value, offset: i32) -> Address {
        if self.steps.joined.contains(value)
            && let Some(Inst::Two(_, [a, b])) = self.func.made_by(value)
        {
            let (base, index) = if self.steps.joined.contains(a) {
                (b, a)
            } else {
                (a, b)
            };
            return self.sum(base, index, offset);
        }
        if let Def::Start(slot) = self.func.def(value) {
            return Address::of(RSP, self.starts[slot] + offset);
        }
        Address::of(self.reg(value, RAX), offset)
    }

    /// The address that is the sum of two values, of which the second may be shifted.
    fn sum(&mut self, base: Value, index: Value, offset: i32) -> Address {
        let (mut base, mut index) = (base, index);
        if self.is_fixed(index) && !self.steps.joined.contains(base) {
            (base, index) = (index, base);
        }
        let (by, index) = match self.func.made_by(index) {
            Some(Inst::Two(_, [shifted, by])) if self.steps.joined.contains(index) => {
                let by = self.func.number(by);
                (by.unwrap_or(0) as u8, shifted)
            }
            Some(_) | None => (0, index),
        };
        let index = self.reg(index, RCX);
        let further = self.short(base).and_then(|more| more.checked_add(offset));
        if let (Some(offset), 0) = (further, by) {
            return Address::of(index, offset);
        }
        let index = Some((index, by));
        let start = match self.func.def(base) {
            Def::Start(slot) => Some((RSP, self.starts[slot])),
            Def::Number(_) | Def::Inst(_) | Def::Param(_) | Def::Alias(_) => None,
        };
        let (base, more) = start.unwrap_or_else(|| (self.reg(base, RAX), 0));
        Address {
            base,
            index,
            offset: offset + more,
        }
    }

    pub(super) fn store(&mut self, value: Value, to: Value, offset: i32) -> Result<(), String> {
        if self.func.kind(value) != I64 {
            return Err("narrow words in memory".to_owned());
        }
        let address = self.address(to, offset);
        if let Some(number) = self.short(value) {
            self.assembler.store_number(address, number);
        } else {
            let value: Reg = self.reg(value, RDX);
            self.assembler.store(address, value);
        }
        Ok(())
    }
}

fn cond_of(cond: IntCC) -> Cond {
    match cond {
        IntCC::Equal => Cond::Equal,
        IntCC::NotEqual => Cond::Differs,
        IntCC::SignedLessThan => Cond::Less,
        IntCC::SignedGreaterThanOrEqual => Cond::NotLess,
        IntCC::SignedGreaterThan => Cond::Greater,
        IntCC::SignedLessThanOrEqual => Cond::NotGreater,
        IntCC::UnsignedLessThan => Cond::Below,
        IntCC::UnsignedGreaterThanOrEqual => Cond::AtLeast,
        IntCC::UnsignedGreaterThan => Cond::Above,
        IntCC::UnsignedLessThanOrEqual => Cond::AtMost,
    }
}
