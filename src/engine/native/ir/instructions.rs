//! The instructions that a builder puts, by the names that cranelift has for them. Numbers have signs in `_imm_s`, and none in `_imm_u`.

use crate::engine::native::ir::{
    Args, Block, Builder, Called, Callee, Def, I8, I64, Inst, IntCC, Memory, One, StackSlot, Two,
    Type, Value,
};
use smallvec::SmallVec;

impl Builder {
    pub fn iconst(&mut self, kind: Type, number: i64) -> Value {
        let number = if kind == I8 { number & 0xFF } else { number };
        self.value(Def::Number(number), kind)
    }

    pub fn iadd(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Add, a, b)
    }

    pub fn iadd_imm_s(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Add, a, number)
    }

    pub fn isub(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Sub, a, b)
    }

    pub fn imul(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Mul, a, b)
    }

    pub fn imul_imm_s(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Mul, a, number)
    }

    pub fn smulhi(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::SignedHigh, a, b)
    }

    pub fn umulhi(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::High, a, b)
    }

    pub fn sdiv(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Quotient, a, b)
    }

    pub fn srem(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Rest, a, b)
    }

    pub fn smin(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Smaller, a, b)
    }

    pub fn smax(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Larger, a, b)
    }

    pub fn band(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::And, a, b)
    }

    pub fn band_imm_s(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::And, a, number)
    }

    pub fn band_not(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::AndNot, a, b)
    }

    pub fn bor(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Or, a, b)
    }

    pub fn bor_imm_s(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Or, a, number)
    }

    pub fn bxor(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Xor, a, b)
    }

    pub fn bxor_imm_s(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Xor, a, number)
    }

    pub fn ishl(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Left, a, b)
    }

    pub fn ishl_imm_u(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Left, a, number)
    }

    pub fn ushr(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Right, a, b)
    }

    pub fn ushr_imm_u(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::Right, a, number)
    }

    pub fn sshr_imm_u(&mut self, a: Value, number: i64) -> Value {
        self.with_number(Two::SignedRight, a, number)
    }

    pub fn popcnt(&mut self, a: Value) -> Value {
        self.one(One::Count, a, I64)
    }

    pub fn clz(&mut self, a: Value) -> Value {
        self.one(One::Leading, a, I64)
    }

    pub fn ctz(&mut self, a: Value) -> Value {
        self.one(One::Trailing, a, I64)
    }

    pub fn ineg(&mut self, a: Value) -> Value {
        self.one(One::Negated, a, I64)
    }

    pub fn iabs(&mut self, a: Value) -> Value {
        self.one(One::Size, a, I64)
    }

    pub fn uextend(&mut self, kind: Type, a: Value) -> Value {
        self.one(One::Widened, a, kind)
    }

    pub fn bmask(&mut self, kind: Type, a: Value) -> Value {
        self.one(One::Mask, a, kind)
    }

    pub fn splat(&mut self, kind: Type, a: Value) -> Value {
        self.one(One::Twice, a, kind)
    }

    pub fn extractlane(&mut self, a: Value, lane: u8) -> Value {
        self.one(One::Lane(lane), a, I64)
    }

    pub fn icmp(&mut self, cond: IntCC, a: Value, b: Value) -> Value {
        self.made(Inst::Compare(cond, [a, b]), I8)
    }

    pub fn icmp_imm_s(&mut self, cond: IntCC, a: Value, number: i64) -> Value {
        let number = self.iconst(self.func.kind(a), number);
        self.icmp(cond, a, number)
    }

    pub fn select(&mut self, truth: Value, a: Value, b: Value) -> Value {
        let kind = self.func.kind(a);
        self.made(Inst::Select([truth, a, b]), kind)
    }

    pub fn load(&mut self, kind: Type, memory: Memory, at: Value, offset: i32) -> Value {
        self.made(Inst::Load(memory, at, offset), kind)
    }

    pub fn uload8(&mut self, memory: Memory, at: Value, offset: i32) -> Value {
        self.made(Inst::Byte(memory, at, offset), I64)
    }

    pub fn store(&mut self, memory: Memory, value: Value, at: Value, offset: i32) {
        self.put(Inst::Store(memory, [value, at], offset));
    }

    /// A place on the stack, of so many bytes.
    pub fn slot(&mut self, bytes: u32) -> StackSlot {
        self.func.slots.push(bytes)
    }

    /// Where a place on the stack begins.
    pub fn stack_addr(&mut self, slot: StackSlot) -> Value {
        self.value(Def::Start(slot), I64)
    }

    pub fn get_stack_pointer(&mut self) -> Value {
        self.made(Inst::StackPointer, I64)
    }

    /// A function that can be called.
    pub fn callee(&mut self, called: Called) -> Callee {
        self.func.called.push(called);
        Callee(self.func.called.len() as u32 - 1)
    }

    /// Calls a function: what it hands back.
    pub fn call(&mut self, callee: Callee, args: &[Value]) -> SmallVec<[Value; 2]> {
        let args = self.args(args);
        let at = self.put(Inst::Call(callee, args));
        let returns = self.func.called(callee).returns;
        let results: SmallVec<[Value; 2]> = (0..returns)
            .map(|_| self.value(Def::Inst(at), I64))
            .collect();
        if let Some(&first) = results.first() {
            self.func.insts[at as usize].result = first;
        }
        results
    }

    pub fn jump(&mut self, to: Block, args: &[Value]) {
        let way = self.way(to, args);
        self.put(Inst::Jump(way));
    }

    /// Goes to the first block where a value is not 0, else to the second.
    pub fn brif(
        &mut self,
        truth: Value,
        yes: Block,
        for_yes: &[Value],
        no: Block,
        for_no: &[Value],
    ) {
        let ways = [self.way(yes, for_yes), self.way(no, for_no)];
        self.put(Inst::Branch(truth, ways));
    }

    /// Goes to the block with a number, or to another where there is none.
    pub fn br_table(&mut self, number: Value, other: Block, blocks: &[Block]) {
        let first = self.way(other, &[]).0;
        for &block in blocks {
            self.way(block, &[]);
        }
        let many = blocks.len() as u32 + 1;
        self.put(Inst::Switch(number, Args { first, many }));
    }

    pub fn return_(&mut self, values: &[Value]) {
        let args = self.args(values);
        self.put(Inst::Return(args));
    }
}
