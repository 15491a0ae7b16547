//! Functions into cranelift's language. Numbers and beginnings of places on the stack are made in every block that uses them: where
//! cranelift is given one for several blocks it keeps it in a register, or on the stack. Conditions: a block stands behind one from which
//! it is gone to, and so what makes a value in front of what uses it.

use crate::engine::native::ir::{Args, Def, Func, I64, I64X2, Inst, Memory, One, Two, Value, Way};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{
    self, AliasRegion, AliasRegionData, BlockArg, BlockCall, FuncRef, InstBuilder, JumpTableData,
    MemFlagsData, StackSlotData, StackSlotKind, Type, types::I32,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::Module;

/// Writes a function whose signature is set in cranelift's language. Blocks, and places on the stack, have the same numbers there.
pub fn write(
    func: &Func,
    into: &mut ir::Function,
    memory: &mut FunctionBuilderContext,
    module: &mut JITModule,
    target: TargetFrontendConfig,
) {
    let mut region = |user_id, description: &'static str| {
        into.dfg.alias_regions.insert(AliasRegionData {
            user_id,
            description: description.into(),
        })
    };
    let regions = [region(0, "memory"), region(1, "tables")];
    let callees = func.called.iter();
    let callees = callees.map(|called| module.declare_func_in_func(called.declared, into));
    let callees: Vec<FuncRef> = callees.collect();
    let mut b = FunctionBuilder::new(into, memory);
    for &bytes in func.slots.values() {
        let kind = StackSlotKind::ExplicitSlot;
        b.create_sized_stack_slot(StackSlotData::new(kind, bytes, 4));
    }
    let mut values = vec![None; func.many_values()];
    for (block, data) in func.blocks.iter() {
        let new = b.create_block();
        if data.cold {
            b.set_cold_block(new);
        }
        for &param in &data.params {
            let value = b.append_block_param(new, func.kind(param));
            values[param.index()] = Some((block, value));
        }
    }
    let mut writer = Writer {
        func,
        b,
        values,
        callees,
        regions,
        block: func.order[0],
    };
    for &block in &func.order {
        writer.block = block;
        writer.b.switch_to_block(block);
        for at in func.block(block).insts.clone() {
            writer.inst(at, func.inst(at));
        }
    }
    writer.b.seal_all_blocks();
    writer.b.finalize(target);
}

struct Writer<'a> {
    func: &'a Func,
    b: FunctionBuilder<'a>,
    /// What each value is, and in which block it was made.
    values: Vec<Option<(ir::Block, ir::Value)>>,
    callees: Vec<FuncRef>,
    /// The memory of a kernel, and tables.
    regions: [AliasRegion; 2],
    block: ir::Block,
}

impl Writer<'_> {
    /// A value here.
    fn value(&mut self, value: Value) -> ir::Value {
        let (def, kind) = (self.func.def(value), self.func.kind(value));
        let known = self.values[value.index()];
        let fixed = matches!(def, Def::Number(_) | Def::Start(_));
        if let Some((_, known)) = known.filter(|(block, _)| !fixed || *block == self.block) {
            return known;
        }
        let made = match def {
            Def::Start(slot) => self.b.ins().stack_addr(I64, slot, 0),
            Def::Number(number) => self.b.ins().iconst(kind, number),
            Def::Inst(_) | Def::Param(_) | Def::Alias(_) => {
                debug_assert!(false, "a value is used in front of what makes it");
                self.b.ins().iconst(kind, 0)
            }
        };
        self.values[value.index()] = Some((self.block, made));
        made
    }

    fn all(&mut self, values: &[Value]) -> Vec<ir::Value> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    fn list(&mut self, args: Args) -> Vec<ir::Value> {
        self.all(self.func.list(args))
    }

    /// Where a way leads, and what is handed over.
    fn way(&mut self, way: Way) -> (ir::Block, Vec<BlockArg>) {
        let way = self.func.way(way);
        let args = self.all(&way.args).into_iter().map(BlockArg::Value);
        (way.to, args.collect())
    }

    fn inst(&mut self, at: u32, inst: Inst) {
        match inst {
            Inst::Store(memory, [value, to], offset) => {
                let [value, to] = [value, to].map(|value| self.value(value));
                let kind = self.b.func.dfg.value_type(value);
                let flags = self.flags(memory, kind);
                self.b.ins().store(flags, value, to, offset);
            }
            Inst::Call(callee, args) => {
                let args = self.list(args);
                let call = (self.b.ins()).call(self.callees[callee.0 as usize], &args);
                let made = self.b.inst_results(call).to_vec();
                for (result, made) in self.func.results(at).zip(made) {
                    self.values[result.index()] = Some((self.block, made));
                }
            }
            Inst::Jump(way) => {
                let (to, args) = self.way(way);
                self.b.ins().jump(to, args.iter());
            }
            Inst::Branch(truth, [yes, no]) => {
                let truth = self.value(truth);
                let ((yes, for_yes), (no, for_no)) = (self.way(yes), self.way(no));
                (self.b.ins()).brif(truth, yes, for_yes.iter(), no, for_no.iter());
            }
            Inst::Switch(number, ways) => self.switch(number, ways),
            Inst::Return(args) => {
                let values = self.list(args);
                self.b.ins().return_(&values);
            }
            Inst::One(..)
            | Inst::Two(..)
            | Inst::Compare(..)
            | Inst::Select(_)
            | Inst::Load(..)
            | Inst::Byte(..)
            | Inst::StackPointer => {
                if let Some(result) = self.func.results(at).next() {
                    let made = self.made(inst, self.func.kind(result));
                    self.values[result.index()] = Some((self.block, made));
                }
            }
        }
    }

    /// What an instruction with one result gives.
    fn made(&mut self, inst: Inst, kind: Type) -> ir::Value {
        match inst {
            Inst::One(one, a) => {
                let a = self.value(a);
                self.one(one, a, kind)
            }
            Inst::Two(two, both) => {
                let [a, b] = both.map(|value| self.value(value));
                self.two(two, a, b)
            }
            Inst::Compare(cond, both) => {
                let [a, b] = both.map(|value| self.value(value));
                self.b.ins().icmp(cond, a, b)
            }
            Inst::Select(all) => {
                let [truth, yes, no] = all.map(|value| self.value(value));
                self.b.ins().select(truth, yes, no)
            }
            Inst::Load(memory, at, offset) => {
                let (at, flags) = (self.value(at), self.flags(memory, kind));
                self.b.ins().load(kind, flags, at, offset)
            }
            Inst::Byte(memory, at, offset) => {
                let (at, flags) = (self.value(at), self.flags(memory, I64));
                self.b.ins().uload8(kind, flags, at, offset)
            }
            Inst::StackPointer => self.b.ins().get_stack_pointer(kind),
            // They give none, or several.
            Inst::Store(..)
            | Inst::Call(..)
            | Inst::Jump(_)
            | Inst::Branch(..)
            | Inst::Switch(..)
            | Inst::Return(_) => {
                debug_assert!(false, "an instruction with one result");
                self.b.ins().iconst(kind, 0)
            }
        }
    }

    fn one(&mut self, one: One, a: ir::Value, kind: Type) -> ir::Value {
        let new = self.b.ins();
        match one {
            One::Count => new.popcnt(a),
            One::Leading => new.clz(a),
            One::Trailing => new.ctz(a),
            One::Widened => new.uextend(kind, a),
            One::Negated => new.ineg(a),
            One::Size => new.iabs(a),
            One::Mask => new.bmask(kind, a),
            One::Twice => new.splat(kind, a),
            One::Lane(lane) => new.extractlane(a, lane),
        }
    }

    fn two(&mut self, two: Two, a: ir::Value, b: ir::Value) -> ir::Value {
        let new = self.b.ins();
        match two {
            Two::Add => new.iadd(a, b),
            Two::Sub => new.isub(a, b),
            Two::Mul => new.imul(a, b),
            Two::And => new.band(a, b),
            Two::AndNot => new.band_not(a, b),
            Two::Or => new.bor(a, b),
            Two::Xor => new.bxor(a, b),
            Two::Left => new.ishl(a, b),
            Two::Right => new.ushr(a, b),
            Two::SignedRight => new.sshr(a, b),
            Two::Smaller => new.smin(a, b),
            Two::Larger => new.smax(a, b),
            Two::SignedHigh => new.smulhi(a, b),
            Two::High => new.umulhi(a, b),
            Two::Quotient => new.sdiv(a, b),
            Two::Rest => new.srem(a, b),
        }
    }

    fn switch(&mut self, number: Value, ways: Args) {
        let number = self.value(number);
        let number = self.b.ins().ireduce(I32, number);
        let calls = self.func.ways(ways).map(|way| {
            let (to, args) = self.way(way);
            let pool = &mut self.b.func.dfg.value_lists;
            BlockCall::new(to, args, pool)
        });
        let calls: Vec<BlockCall> = calls.collect();
        let Some((other, calls)) = calls.split_first() else {
            return;
        };
        let table = JumpTableData::new(*other, calls);
        let table = self.b.create_jump_table(table);
        self.b.ins().br_table(number, table);
    }

    /// How memory is read and written. Nothing is looked up in a table before it is known to be wanted: an index is in range only
    /// there. Two words at once need not stand where both begin evenly, but on the stack they do.
    fn flags(&self, memory: Memory, kind: Type) -> MemFlagsData {
        let flags = match (memory, kind) {
            (Memory::Other, _) => return MemFlagsData::trusted(),
            (_, I64X2) => MemFlagsData::new().with_notrap(),
            (Memory::Words, _) => MemFlagsData::trusted(),
            (Memory::Tables, _) => MemFlagsData::trusted().with_readonly(),
        };
        let region = self.regions[usize::from(memory == Memory::Tables)];
        flags.with_alias_region(Some(region))
    }
}
