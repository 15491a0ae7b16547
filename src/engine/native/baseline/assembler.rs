//! Instructions of x86-64 one behind the other, written by cranelift's assembler, and jumps to labels that are placed later.

use cranelift_assembler_x64::{
    Amode, AmodeOffset, AmodeOffsetPlusKnownOffset, CodeSink, DeferredTarget, GprMem, KnownOffset,
    NonRspGpr, Registers, Scale, TrapCode, gpr, inst,
};
use std::num::NonZeroU8;

/// A register by its number in instructions.
pub(super) type Reg = u8;

pub(super) const RAX: Reg = gpr::enc::RAX;
pub(super) const RCX: Reg = gpr::enc::RCX;
pub(super) const RDX: Reg = gpr::enc::RDX;
pub(super) const RBX: Reg = gpr::enc::RBX;
pub(super) const RSP: Reg = gpr::enc::RSP;
pub(super) const RBP: Reg = gpr::enc::RBP;
pub(super) const RSI: Reg = gpr::enc::RSI;
pub(super) const RDI: Reg = gpr::enc::RDI;
pub(super) const R8: Reg = gpr::enc::R8;
pub(super) const R9: Reg = gpr::enc::R9;
pub(super) const R10: Reg = gpr::enc::R10;
pub(super) const R11: Reg = gpr::enc::R11;
pub(super) const R12: Reg = gpr::enc::R12;
pub(super) const R13: Reg = gpr::enc::R13;
pub(super) const R14: Reg = gpr::enc::R14;
pub(super) const R15: Reg = gpr::enc::R15;

/// Registers by their numbers.
struct ByNumber;

impl Registers for ByNumber {
    type ReadGpr = Reg;
    type ReadWriteGpr = Reg;
    type WriteGpr = Reg;
    type ReadXmm = Reg;
    type ReadWriteXmm = Reg;
    type WriteXmm = Reg;
}

/// An address in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) base: Reg,
    /// A register, and by how many bits it is shifted before it is added.
    pub(super) index: Option<(Reg, u8)>,
    pub(super) offset: i32,
}

impl Address {
    /// So many bytes behind where a register points to.
    pub(super) fn of(base: Reg, offset: i32) -> Address {
        Address {
            base,
            index: None,
            offset,
        }
    }
}

/// What an instruction reads or writes: a register, or memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Reg(Reg),
    Mem(Address),
}

impl From<Address> for Amode<Reg> {
    fn from(address: Address) -> Amode<Reg> {
        let simm32 = AmodeOffset::new(address.offset);
        match address.index {
            None => Amode::ImmReg {
                base: address.base,
                simm32: AmodeOffsetPlusKnownOffset {
                    simm32,
                    offset: None,
                },
                trap: None,
            },
            Some((index, shift)) => Amode::ImmRegRegShift {
                base: address.base,
                index: NonRspGpr::new(index),
                scale: Scale::new(shift & 3),
                simm32,
                trap: None,
            },
        }
    }
}

impl From<Operand> for GprMem<Reg, Reg> {
    fn from(operand: Operand) -> GprMem<Reg, Reg> {
        match operand {
            Operand::Reg(reg) => GprMem::Gpr(reg),
            Operand::Mem(address) => GprMem::Mem(address.into()),
        }
    }
}

/// What is done with two operands, into the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Mul,
    /// Only compares.
    Cmp,
}

/// What is done with one operand, into a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum One {
    Popcnt,
    Lzcnt,
    Tzcnt,
    /// A byte, with zeros above it.
    Byte,
}

/// Which way bits are shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shift {
    Left,
    Right,
    /// Right, and the sign stays.
    Signed,
}

/// What a comparison may have found, by its number in instructions; another lowest bit turns it round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cond {
    Below = 2,
    AtLeast = 3,
    Equal = 4,
    Differs = 5,
    AtMost = 6,
    Above = 7,
    Negative = 8,
    Positive = 9,
    Less = 12,
    NotLess = 13,
    NotGreater = 14,
    Greater = 15,
}

impl Cond {
    /// When it is not so.
    pub(super) fn turned(self) -> Cond {
        match self {
            Cond::Below => Cond::AtLeast,
            Cond::AtLeast => Cond::Below,
            Cond::Equal => Cond::Differs,
            Cond::Differs => Cond::Equal,
            Cond::AtMost => Cond::Above,
            Cond::Above => Cond::AtMost,
            Cond::Negative => Cond::Positive,
            Cond::Positive => Cond::Negative,
            Cond::Less => Cond::NotLess,
            Cond::NotLess => Cond::Less,
            Cond::NotGreater => Cond::Greater,
            Cond::Greater => Cond::NotGreater,
        }
    }
}

/// A place in the code that can be jumped to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u32);

/// A label that has no place yet.
const NOWHERE: u32 = u32::MAX;

/// Bytes of code. Quicker than a vector as it is, whose bytes come one by one through calls.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl CodeSink for Bytes {
    #[inline]
    fn put1(&mut self, byte: u8) {
        self.0.push(byte);
    }

    #[inline]
    fn put2(&mut self, bytes: u16) {
        self.0.extend(bytes.to_le_bytes());
    }

    #[inline]
    fn put4(&mut self, bytes: u32) {
        self.0.extend(bytes.to_le_bytes());
    }

    #[inline]
    fn put8(&mut self, bytes: u64) {
        self.0.extend(bytes.to_le_bytes());
    }

    // Nothing is written here that traps, or stands at a distance which the assembler is to know.

    fn add_trap(&mut self, _: TrapCode) {}

    fn use_target(&mut self, _: DeferredTarget) {}

    fn known_offset(&self, _: KnownOffset) -> i32 {
        0
    }
}

/// Code on the way.
#[derive(Default)]
pub(super) struct Assembler {
    code: Bytes,
    labels: Vec<u32>,
    /// Where four bytes tell how far it is to a label, and from where that is counted.
    distances: Vec<(usize, usize, Label)>,
}

/// Writes an instruction by its name in the assembler.
macro_rules! put {
    ($self:ident, $name:ident $(, $operand:expr)*) => {
        inst::$name::<ByNumber>::new($($operand),*).encode(&mut $self.code)
    };
}

impl Assembler {
    /// A label without a place.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(NOWHERE);
        Label(self.labels.len() as u32 - 1)
    }

    /// Gives a label its place: here.
    pub(super) fn place(&mut self, label: Label) {
        if let Some(place) = self.labels.get_mut(label.0 as usize) {
            *place = self.code.0.len() as u32;
        }
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.code.0.push(0xE9);
        self.distance(to);
    }

    pub(super) fn jump_if(&mut self, cond: Cond, to: Label) {
        self.code.0.extend([0x0F, 0x80 | cond as u8]);
        self.distance(to);
    }

    /// The address of a label, into a register.
    pub(super) fn address_of(&mut self, to: Reg, label: Label) {
        let (wide, low) = (0x48 | (to >> 3) << 2, to & 7);
        self.code.0.extend([wide, 0x8D, low << 3 | 5]);
        self.distance(label);
    }

    /// Four bytes: how far it is from behind them to a label.
    fn distance(&mut self, to: Label) {
        let at = self.code.0.len();
        self.distances.push((at, at + 4, to));
        self.code.0.extend([0; 4]);
    }

    /// A table of how far it is from its beginning to labels.
    pub(super) fn table(&mut self, begin: Label, labels: &[Label]) {
        let fill = self.code.0.len().next_multiple_of(4);
        self.code.0.resize(fill, 0xCC);
        self.place(begin);
        for &label in labels {
            self.distances.push((self.code.0.len(), fill, label));
            self.code.0.extend([0; 4]);
        }
    }

    /// Writes all distances. Says so when a label has no place.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, String> {
        for (at, from, label) in self.distances {
            let place = self.labels.get(label.0 as usize).copied();
            let place = place.filter(|&place| place != NOWHERE);
            let place = place.ok_or("a jump to nowhere")?;
            let distance = (place as i32).wrapping_sub(from as i32);
            if let Some(bytes) = self.code.0.get_mut(at..at + 4) {
                bytes.copy_from_slice(&distance.to_le_bytes());
            }
        }
        Ok(self.code.0)
    }

    /// Copies; flags stay as they are.
    pub(super) fn load(&mut self, to: Reg, from: Operand) {
        if from != Operand::Reg(to) {
            put!(self, movq_rm, to, from);
        }
    }

    pub(super) fn store(&mut self, to: Address, from: Reg) {
        put!(self, movq_mr, Amode::from(to), from);
    }

    pub(super) fn store_number(&mut self, to: Address, number: i32) {
        put!(self, movq_mi_sxl, Amode::from(to), number);
    }

    /// A number into a register; flags stay as they are.
    pub(super) fn number(&mut self, to: Reg, number: i64) {
        if let Ok(short) = u32::try_from(number) {
            put!(self, movl_oi, to, short);
        } else if let Ok(short) = i32::try_from(number) {
            put!(self, movq_mi_sxl, to, short);
        } else {
            put!(self, movabsq_oi, to, number.cast_unsigned());
        }
    }

    pub(super) fn lea(&mut self, to: Reg, address: Address) {
        put!(self, leaq_rm, to, Amode::from(address));
    }

    pub(super) fn op(&mut self, op: Op, to: Reg, from: Operand) {
        match op {
            Op::Add => put!(self, addq_rm, to, from),
            Op::Sub => put!(self, subq_rm, to, from),
            Op::And => put!(self, andq_rm, to, from),
            Op::Or => put!(self, orq_rm, to, from),
            Op::Xor => put!(self, xorq_rm, to, from),
            Op::Mul => put!(self, imulq_rm, to, from),
            Op::Cmp => put!(self, cmpq_rm, to, from),
        }
    }

    /// The same with a number behind it.
    pub(super) fn op_number(&mut self, op: Op, to: Operand, number: i32) {
        if let Ok(short) = i8::try_from(number) {
            match (op, to) {
                (Op::Add, _) => put!(self, addq_mi_sxb, to, short),
                (Op::Sub, _) => put!(self, subq_mi_sxb, to, short),
                (Op::And, _) => put!(self, andq_mi_sxb, to, short),
                (Op::Or, _) => put!(self, orq_mi_sxb, to, short),
                (Op::Xor, _) => put!(self, xorq_mi_sxb, to, short),
                (Op::Cmp, _) => put!(self, cmpq_mi_sxb, to, short),
                (Op::Mul, Operand::Reg(reg)) => put!(self, imulq_rmi_sxb, reg, to, short),
                (Op::Mul, Operand::Mem(_)) => {}
            }
            return;
        }
        match (op, to) {
            (Op::Add, _) => put!(self, addq_mi_sxl, to, number),
            (Op::Sub, _) => put!(self, subq_mi_sxl, to, number),
            (Op::And, _) => put!(self, andq_mi_sxl, to, number),
            (Op::Or, _) => put!(self, orq_mi_sxl, to, number),
            (Op::Xor, _) => put!(self, xorq_mi_sxl, to, number),
            (Op::Cmp, _) => put!(self, cmpq_mi, to, number),
            (Op::Mul, Operand::Reg(reg)) => put!(self, imulq_rmi_sxl, reg, to, number),
            (Op::Mul, Operand::Mem(_)) => {}
        }
    }

    /// Compares a register with 0.
    pub(super) fn test(&mut self, reg: Reg) {
        put!(self, testq_mr, reg, reg);
    }

    pub(super) fn one(&mut self, one: One, to: Reg, from: Operand) {
        match one {
            One::Popcnt => put!(self, popcntq_rm, to, from),
            One::Lzcnt => put!(self, lzcntq_rm, to, from),
            One::Tzcnt => put!(self, tzcntq_a, to, from),
            One::Byte => put!(self, movzbq_rm, to, from),
        }
    }

    /// What is in `from` and not in `without`.
    pub(super) fn and_not(&mut self, to: Reg, without: Reg, from: Operand) {
        put!(self, andnq_rvm, to, without, from);
    }

    pub(super) fn shift(&mut self, shift: Shift, to: Reg, from: Operand, by: Reg) {
        match shift {
            Shift::Left => put!(self, shlxq_rmv, to, from, by),
            Shift::Right => put!(self, shrxq_rmv, to, from, by),
            Shift::Signed => put!(self, sarxq_rmv, to, from, by),
        }
    }

    pub(super) fn shift_by(&mut self, shift: Shift, to: Reg, by: u8) {
        match shift {
            Shift::Left => put!(self, shlq_mi, to, by),
            Shift::Right => put!(self, shrq_mi, to, by),
            Shift::Signed => put!(self, sarq_mi, to, by),
        }
    }

    pub(super) fn neg(&mut self, reg: Reg) {
        put!(self, negq_m, reg);
    }

    /// All bits when the last instruction carried, or none.
    pub(super) fn all_if_carried(&mut self, to: Reg) {
        put!(self, sbbq_rm, to, to);
    }

    /// The product with RAX: its upper half into RDX, its lower half into RAX.
    pub(super) fn product(&mut self, by: Operand, signed: bool) {
        if signed {
            put!(self, imulq_m, RAX, RDX, by);
        } else {
            put!(self, mulq_m, RAX, RDX, by);
        }
    }

    /// RAX by another: the quotient into RAX, and what is left into RDX.
    pub(super) fn quotient(&mut self, by: Operand) {
        put!(self, cqto_zo, RDX, RAX);
        put!(self, idivq_m, RAX, RDX, by, TrapCode(NonZeroU8::MIN));
    }

    /// 1 when it is so, or 0.
    pub(super) fn set(&mut self, cond: Cond, to: Reg) {
        match cond {
            Cond::Below => put!(self, setb_m, to),
            Cond::AtLeast => put!(self, setae_m, to),
            Cond::Equal => put!(self, sete_m, to),
            Cond::Differs => put!(self, setne_m, to),
            Cond::AtMost => put!(self, setbe_m, to),
            Cond::Above => put!(self, seta_m, to),
            Cond::Negative => put!(self, sets_m, to),
            Cond::Positive => put!(self, setns_m, to),
            Cond::Less => put!(self, setl_m, to),
            Cond::NotLess => put!(self, setge_m, to),
            Cond::NotGreater => put!(self, setle_m, to),
            Cond::Greater => put!(self, setg_m, to),
        }
        self.one(One::Byte, to, Operand::Reg(to));
    }

    /// Copies when it is so.
    pub(super) fn load_if(&mut self, cond: Cond, to: Reg, from: Operand) {
        match cond {
            Cond::Below => put!(self, cmovbq_rm, to, from),
            Cond::AtLeast => put!(self, cmovaeq_rm, to, from),
            Cond::Equal => put!(self, cmoveq_rm, to, from),
            Cond::Differs => put!(self, cmovneq_rm, to, from),
            Cond::AtMost => put!(self, cmovbeq_rm, to, from),
            Cond::Above => put!(self, cmovaq_rm, to, from),
            Cond::Negative => put!(self, cmovsq_rm, to, from),
            Cond::Positive => put!(self, cmovnsq_rm, to, from),
            Cond::Less => put!(self, cmovlq_rm, to, from),
            Cond::NotLess => put!(self, cmovgeq_rm, to, from),
            Cond::NotGreater => put!(self, cmovleq_rm, to, from),
            Cond::Greater => put!(self, cmovgq_rm, to, from),
        }
    }

    /// The entry of a table of distances, with the table's address.
    pub(super) fn entry(&mut self, to: Reg, table: Reg, number: Reg) {
        let entry = Address {
            base: table,
            index: Some((number, 2)),
            offset: 0,
        };
        put!(self, movslq_rm, to, Amode::from(entry));
        self.op(Op::Add, to, Operand::Reg(table));
    }

    pub(super) fn jump_to(&mut self, reg: Reg) {
        put!(self, jmpq_m, reg);
    }

    pub(super) fn call(&mut self, to: Operand) {
        put!(self, callq_m, to);
    }

    /// A call whose distance is filled in later; where that stands.
    pub(super) fn call_near(&mut self) -> usize {
        self.code.0.push(0xE8);
        self.code.0.extend([0; 4]);
        self.code.0.len() - 4
    }

    /// An address that is filled in later, into a register; where it stands.
    pub(super) fn far_address(&mut self, to: Reg) -> usize {
        put!(self, movabsq_oi, to, 0);
        self.code.0.len() - 8
    }

    pub(super) fn push(&mut self, reg: Reg) {
        put!(self, pushq_o, reg);
    }

    pub(super) fn pop(&mut self, reg: Reg) {
        put!(self, popq_o, reg);
    }

    pub(super) fn ret(&mut self) {
        self.code.0.push(0xC3);
    }
}
