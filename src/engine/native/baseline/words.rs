//! Words: arithmetic, comparisons, and what is read from memory and written to it.

use crate::engine::native::baseline::assembler::{
    Address, Cond, One, Op, Operand, RAX, RCX, RDX, RSP, Reg, Shift,
};
use crate::engine::native::baseline::moves::From;
use crate::engine::native::baseline::steps::Fixed;
use crate::engine::native::baseline::{Writer, unknown};
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Inst, InstructionData, Opcode, Value, ValueDef};

impl Writer<'_> {
    /// An instruction with one result.
    pub(super) fn word(
        &mut self,
        inst: Inst,
        data: &InstructionData,
        result: Value,
    ) -> Result<(), String> {
        let opcode = data.opcode();
        if let Some(op) = two(opcode) {
            if !matches!(op, Op::And | Op::Or | Op::Xor) {
                self.is_whole(result)?;
            }
            self.two(op, inst, result);
        } else if let Some(one) = one(opcode) {
            self.is_whole(self.arg(inst, 0))?;
            let kind = if one == One::Half { I32 } else { I64 };
            if self.func.dfg.value_type(result) != kind {
                return Err(unknown(opcode));
            }
            self.one(one, inst, result);
        } else if let Some(shift) = shift(opcode) {
            self.is_whole(result)?;
            self.shift(shift, inst, result);
        } else {
            match *data {
                InstructionData::Load { arg, offset, .. } => {
                    return self.read(opcode, arg, offset.into(), result);
                }
                InstructionData::IntCompare { args, cond, .. } => {
                    let cond = self.compare(args, cond)?;
                    let to = self.target(result, RAX);
                    self.assembler.set(cond, to);
                    self.put(result, to);
                }
                InstructionData::Ternary {
                    opcode: Opcode::Select,
                    args: [truth, yes, no],
                } => {
                    let cond = self.condition(truth)?;
                    self.pick(cond, yes, no, result);
                }
                _ => return self.rare(inst, opcode, result),
            }
        }
        Ok(())
    }

    /// What is done in registers that hold nothing else, or by other instructions.
    fn rare(&mut self, inst: Inst, opcode: Opcode, result: Value) -> Result<(), String> {
        match opcode {
            Opcode::GetStackPointer => self.put(result, RSP),
            Opcode::Smin | Opcode::Smax => {
                let [a, b] = [0, 1].map(|at| self.arg(inst, at));
                let first = match opcode {
                    Opcode::Smin => IntCC::SignedLessThan,
                    _ => IntCC::SignedGreaterThan,
                };
                let cond = self.compare([a, b], first)?;
                self.pick(cond, a, b, result);
            }
            Opcode::Uextend | Opcode::Ineg | Opcode::Bnot => {
                self.is_whole(result)?;
                let a = self.arg(inst, 0);
                let to = self.target(result, RAX);
                self.load(to, a);
                match opcode {
                    Opcode::Ineg => self.assembler.neg(to),
                    Opcode::Bnot => self.assembler.not(to),
                    // What is narrower has zeros above it everywhere.
                    _ => {}
                }
                self.put(result, to);
            }
            Opcode::Bmask => {
                let a = self.arg(inst, 0);
                self.load(RAX, a);
                self.assembler.neg(RAX);
                let to = self.target(result, RAX);
                self.assembler.all_if_carried(to);
                self.put(result, to);
            }
            Opcode::Iabs => {
                self.is_whole(result)?;
                let a = self.arg(inst, 0);
                let size = self.operand(a, RCX);
                self.assembler.load(RAX, size);
                self.assembler.neg(RAX);
                self.assembler.load_if(Cond::Negative, RAX, size);
                self.put(result, RAX);
            }
            Opcode::Smulhi | Opcode::Umulhi | Opcode::Sdiv | Opcode::Srem => {
                self.is_whole(result)?;
                let [a, b] = [0, 1].map(|at| self.arg(inst, at));
                let by = self.operand(b, RCX);
                self.load(RAX, a);
                match opcode {
                    Opcode::Sdiv | Opcode::Srem => self.assembler.quotient(by),
                    _ => self.assembler.product(by, opcode == Opcode::Smulhi),
                }
                let found = if opcode == Opcode::Sdiv { RAX } else { RDX };
                self.put(result, found);
            }
            _ => return Err(unknown(opcode)),
        }
        Ok(())
    }

    /// Says so when a value does not have 64 bits: narrower ones have to keep zeros above them.
    fn is_whole(&self, value: Value) -> Result<(), String> {
        let whole = self.func.dfg.value_type(value) == I64;
        whole
            .then_some(())
            .ok_or_else(|| "narrow words that wrap".to_owned())
    }

    fn two(&mut self, op: Op, inst: Inst, result: Value) {
        let (mut a, mut b) = (self.arg(inst, 0), self.arg(inst, 1));
        if op == Op::And {
            for (without, all) in [(a, b), (b, a)] {
                if self.steps.joined.contains(without) {
                    return self.and_not(without, all, result);
                }
            }
        }
        if op == Op::Add {
            for (index, base) in [(a, b), (b, a)] {
                if self.steps.joined.contains(index) {
                    let address = self.sum(base, index, 0);
                    let to = self.target(result, RAX);
                    self.assembler.lea(to, address);
                    return self.put(result, to);
                }
            }
        }
        let to = self.target(result, RAX);
        let turns = op != Op::Sub;
        let is_here =
            |writer: &Self, value| writer.place(writer.places.of[value]) == Some(Operand::Reg(to));
        if turns && (self.number(a).is_some() || is_here(self, b)) {
            (a, b) = (b, a);
        }
        let apart = !is_here(self, a);
        if op == Op::Add && apart && self.steps.fixed[a].is_none() {
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
        let inst = self.made_by(without);
        let without = inst.map_or(without, |inst| self.arg(inst, 0));
        let without = self.reg(without, RAX);
        let all = self.operand(all, RCX);
        let to = self.target(result, RAX);
        self.assembler.and_not(to, without, all);
        self.put(result, to);
    }

    fn one(&mut self, one: One, inst: Inst, result: Value) {
        let a = self.arg(inst, 0);
        let from = self.operand(a, RCX);
        let to = self.target(result, RAX);
        self.assembler.one(one, to, from);
        self.put(result, to);
    }

    fn shift(&mut self, shift: Shift, inst: Inst, result: Value) {
        let [a, by] = [0, 1].map(|at| self.arg(inst, at));
        let to = self.target(result, RAX);
        if let Some(by) = self.number(by) {
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
        if self.func.dfg.value_type(a) != I64 && cond.unsigned() != cond {
            return Err("narrow words with signs".to_owned());
        }
        if self.number(a).is_some() {
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
            && let Some(inst) = self.made_by(truth)
            && let InstructionData::IntCompare { args, cond, .. } = self.func.dfg.insts[inst]
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

    /// The instruction that makes a value.
    fn made_by(&self, value: Value) -> Option<Inst> {
        match self.func.dfg.value_def(value) {
            ValueDef::Result(inst, _) => Some(inst),
            ValueDef::Param(..) | ValueDef::Union(..) => None,
        }
    }

    /// Where a value points to, so many bytes further.
    fn address(&mut self, value: Value, offset: i32) -> Address {
        if self.steps.joined.contains(value)
            && let Some(inst) = self.made_by(value)
        {
            let [a, b] = [0, 1].map(|at| self.arg(inst, at));
            let (base, index) = if self.steps.joined.contains(a) {
                (b, a)
            } else {
                (a, b)
            };
            return self.sum(base, index, offset);
        }
        if let Some(Fixed::Start(slot, more)) = self.steps.fixed[value] {
            return Address::of(RSP, self.starts[slot] + more + offset);
        }
        Address::of(self.reg(value, RAX), offset)
    }

    /// The address that is the sum of two values, of which the second may be shifted.
    fn sum(&mut self, base: Value, index: Value, offset: i32) -> Address {
        let (mut base, mut index) = (base, index);
        if self.steps.fixed[index].is_some() && !self.steps.joined.contains(base) {
            (base, index) = (index, base);
        }
        let (by, index) = match self.made_by(index) {
            Some(inst) if self.steps.joined.contains(index) => {
                let by = self.number(self.arg(inst, 1));
                (by.unwrap_or(0) as u8, self.arg(inst, 0))
            }
            Some(_) | None => (0, index),
        };
        let index = self.reg(index, RCX);
        let further = self.short(base).and_then(|more| more.checked_add(offset));
        if let (Some(offset), 0) = (further, by) {
            return Address::of(index, offset);
        }
        let index = Some((index, by));
        let start = match self.steps.fixed[base] {
            Some(Fixed::Start(slot, more)) => Some((RSP, self.starts[slot] + more)),
            Some(Fixed::Number(_)) | None => None,
        };
        let (base, more) = start.unwrap_or_else(|| (self.reg(base, RAX), 0));
        Address {
            base,
            index,
            offset: offset + more,
        }
    }

    fn read(
        &mut self,
        opcode: Opcode,
        at: Value,
        offset: i32,
        result: Value,
    ) -> Result<(), String> {
        let address = Operand::Mem(self.address(at, offset));
        let to = self.target(result, RAX);
        if opcode == Opcode::Load && self.func.dfg.value_type(result) == I64 {
            self.assembler.load(to, address);
        } else if opcode == Opcode::Uload8 {
            self.assembler.one(One::Byte, to, address);
        } else {
            return Err(unknown(opcode));
        }
        self.put(result, to);
        Ok(())
    }

    pub(super) fn store(&mut self, value: Value, to: Value, offset: i32) -> Result<(), String> {
        self.is_whole(value)?;
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

fn two(opcode: Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::Iadd => Op::Add,
        Opcode::Isub => Op::Sub,
        Opcode::Band => Op::And,
        Opcode::Bor => Op::Or,
        Opcode::Bxor => Op::Xor,
        Opcode::Imul => Op::Mul,
        _ => return None,
    })
}

fn one(opcode: Opcode) -> Option<One> {
    Some(match opcode {
        Opcode::Popcnt => One::Popcnt,
        Opcode::Clz => One::Lzcnt,
        Opcode::Ctz => One::Tzcnt,
        Opcode::Ireduce => One::Half,
        _ => return None,
    })
}

fn shift(opcode: Opcode) -> Option<Shift> {
    Some(match opcode {
        Opcode::Ishl => Shift::Left,
        Opcode::Ushr => Shift::Right,
        Opcode::Sshr => Shift::Signed,
        _ => return None,
    })
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
