//! Writes a function, block after block: instructions stand behind each other in the order in which they are asked for. Conditions: a
//! block is begun once, when the one before has ended.

use crate::engine::native::ir::variables::{Variable, Variables};
use crate::engine::native::ir::{
    Args, Block, BlockData, Def, Func, I64, Inst, InstData, One, Two, Type, Value, Way, WayData,
};
use cranelift_codegen::packed_option::ReservedValue;
use smallvec::SmallVec;

/// A function on the way.
#[derive(Default)]
pub struct Builder {
    pub(super) func: Func,
    pub(super) variables: Variables,
    block: Option<Block>,
    /// Whether values stand for others.
    pub(super) aliases: bool,
}

impl Builder {
    /// Begins a function that is given, and hands back, so many words, in the memory of another.
    pub fn new((params, returns): (u32, u32), spare: Func) -> Builder {
        let mut builder = Builder {
            func: spare,
            ..Builder::default()
        };
        builder.func.clear();
        builder.func.params = params;
        builder.func.returns = returns;
        let entry = builder.create_block();
        for _ in 0..params {
            builder.append_block_param(entry, I64);
        }
        builder.switch_to_block(entry);
        builder.seal_block(entry);
        builder
    }

    /// The function, which is complete.
    pub fn finish(mut self) -> Func {
        if self.aliases {
            self.func.resolve_aliases();
        }
        self.func
    }

    pub fn func(&self) -> &Func {
        &self.func
    }

    pub fn create_block(&mut self) -> Block {
        self.variables.add_block();
        self.func.blocks.push(BlockData::default())
    }

    /// One more value that a block is given.
    pub fn append_block_param(&mut self, block: Block, kind: Type) -> Value {
        let value = self.value(Def::Param(block), kind);
        self.func.blocks[block].params.push(value);
        value
    }

    /// Begins a block.
    pub fn switch_to_block(&mut self, block: Block) {
        self.block = Some(block);
        let here = self.func.insts.len() as u32;
        self.func.blocks[block].insts = here..here;
        self.func.order.push(block);
    }

    /// All ways into a block are known.
    pub fn seal_block(&mut self, block: Block) {
        self.seal(block);
    }

    /// A block is seldom gone to.
    pub fn set_cold_block(&mut self, block: Block) {
        self.func.blocks[block].cold = true;
    }

    pub fn current_block(&self) -> Option<Block> {
        self.block
    }

    /// A word that the function is given.
    pub fn given(&self, at: usize) -> Option<Value> {
        let entry = self.func.order.first()?;
        self.func.blocks[*entry].params.get(at).copied()
    }

    /// What a block is given so far.
    pub fn block_params(&self, block: Block) -> &[Value] {
        &self.func.blocks[block].params
    }

    /// A word that changes.
    pub fn declare_var(&mut self) -> Variable {
        self.variables.declare()
    }

    pub fn def_var(&mut self, variable: Variable, value: Value) {
        if let Some(block) = self.block {
            self.variables.set(variable, block, value);
        }
    }

    /// What a variable is here; 0 where it was never given.
    pub fn use_var(&mut self, variable: Variable) -> Value {
        match self.block {
            Some(block) => self.read(variable, block),
            None => self.iconst(I64, 0),
        }
    }

    pub(super) fn value(&mut self, def: Def, kind: Type) -> Value {
        self.func.values.push((def, kind))
    }

    /// Puts an instruction, whose results are made behind it, at the end of the block.
    pub(super) fn put(&mut self, inst: Inst) -> u32 {
        let at = self.func.insts.len() as u32;
        let result = Value::reserved_value();
        self.func.insts.push(InstData { inst, result });
        if let Some(block) = self.block {
            self.func.blocks[block].insts.end = at + 1;
        }
        at
    }

    /// Puts an instruction with one result.
    pub(super) fn made(&mut self, inst: Inst, kind: Type) -> Value {
        let at = self.put(inst);
        let result = self.value(Def::Inst(at), kind);
        self.func.insts[at as usize].result = result;
        result
    }

    pub(super) fn one(&mut self, one: One, a: Value, kind: Type) -> Value {
        self.made(Inst::One(one, a), kind)
    }

    pub(super) fn two(&mut self, two: Two, a: Value, b: Value) -> Value {
        let kind = self.func.kind(a);
        debug_assert_eq!(kind, self.func.kind(b), "two values of one kind");
        let bits = matches!(two, Two::And | Two::AndNot | Two::Or | Two::Xor);
        // Above truths there are zeros, which others would not leave.
        debug_assert!(bits || kind == I64, "{two:?} of words");
        self.made(Inst::Two(two, [a, b]), kind)
    }

    pub(super) fn with_number(&mut self, two: Two, a: Value, number: i64) -> Value {
        let number = self.iconst(self.func.kind(a), number);
        self.two(two, a, number)
    }

    pub(super) fn args(&mut self, values: &[Value]) -> Args {
        let first = self.func.lists.len() as u32;
        self.func.lists.extend_from_slice(values);
        let many = values.len() as u32;
        Args { first, many }
    }

    pub(super) fn way(&mut self, to: Block, args: &[Value]) -> Way {
        let way = Way(self.func.ways.len() as u32);
        let args = SmallVec::from_slice(args);
        self.func.ways.push(WayData { to, args });
        if let Some(from) = self.block {
            self.variables.add_way(to, from, way);
        }
        way
    }
}
