//! How a function begins and ends, what it calls, and how it goes from one block to another.

use crate::engine::native::baseline::assembler::{
    Address, Cond, Label, Op, Operand, R10, RAX, RCX, RDX, RSP, Reg,
};
use crate::engine::native::baseline::moves::{self, From};
use crate::engine::native::baseline::places::ARGUMENTS;
use crate::engine::native::baseline::steps::{Step, Steps, handed};
use crate::engine::native::baseline::{Rest, Writer};
use crate::engine::native::translate::Translated;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    Block, BlockCall, ExternalName, FuncRef, Function, Inst, InstructionData, JumpTable, Opcode,
    Signature, Value,
};
use cranelift_module::{ModuleReloc, ModuleRelocTarget};

/// The registers in which a function hands back what it gives.
const RESULTS: [Reg; 2] = [RAX, RDX];

/// Code begins at multiples of this.
const ALIGNMENT: u64 = 16;

/// How many bytes of the stack called functions need for what they are given. Says so when one is called in a way not known here.
pub(super) fn handed_by_stack(func: &Function, steps: &Steps) -> Result<u32, String> {
    known(&func.signature)?;
    let mut most = 0;
    for &at in &steps.calls {
        if let Step::Inst(inst) = steps.steps[at as usize]
            && let Some(signature) = func.dfg.call_signature(inst)
        {
            let signature = &func.dfg.signatures[signature];
            known(signature)?;
            most = most.max(signature.params.len().saturating_sub(ARGUMENTS.len()));
        }
    }
    Ok(most as u32 * 8)
}

fn known(signature: &Signature) -> Result<(), String> {
    let whole = |param: &cranelift_codegen::ir::AbiParam| param.value_type == I64;
    let all = signature.params.iter().chain(&signature.returns).all(whole);
    (all && signature.returns.len() <= RESULTS.len())
        .then_some(())
        .ok_or_else(|| "a signature that is not known here".to_owned())
}

impl Writer<'_> {
    /// An instruction that calls, or with which a block ends; nothing for others.
    pub(super) fn flow(
        &mut self,
        inst: Inst,
        data: &InstructionData,
        next: Option<Block>,
    ) -> Option<Result<(), String>> {
        match *data {
            InstructionData::Jump { destination, .. } => {
                let copies = self.copies(&destination);
                self.way(destination, copies, next);
            }
            InstructionData::Brif { arg, blocks, .. } => {
                return Some(self.branch(arg, blocks, next));
            }
            InstructionData::BranchTable { arg, table, .. } => self.table(arg, table),
            InstructionData::Call { func_ref, .. } => self.call(inst, Some(func_ref)),
            InstructionData::CallIndirect { .. } => self.call(inst, None),
            InstructionData::MultiAry {
                opcode: Opcode::Return,
                ..
            } => self.give_back(inst),
            _ => return None,
        }
        Some(Ok(()))
    }

    /// The beginning: keeps registers, and puts what the function is given where it is to be.
    pub(super) fn begin(&mut self) {
        for &reg in &self.kept {
            self.assembler.push(reg);
        }
        if self.frame > 0 {
            self.assembler
                .op_number(Op::Sub, Operand::Reg(RSP), self.frame);
        }
        let Some(entry) = self.func.layout.entry_block() else {
            return;
        };
        let params = self.func.dfg.block_params(entry).iter();
        let places = params.map(|&param| self.place(self.places.of[param]));
        let places: Vec<Option<Operand>> = places.collect();
        // Behind the frame stand the registers that are kept, and the address to return to.
        let above = self.frame + 8 * (self.kept.len() as i32 + 1);
        let (mut from_registers, mut from_stack) = (Vec::new(), Vec::new());
        for (at, to) in places.into_iter().enumerate() {
            let Some(to) = to else { continue };
            match ARGUMENTS.get(at) {
                Some(&reg) => from_registers.push((to, From::Operand(Operand::Reg(reg)))),
                None => {
                    let offset = above + 8 * (at - ARGUMENTS.len()) as i32;
                    let from = Operand::Mem(Address::of(RSP, offset));
                    from_stack.push((to, From::Operand(from)));
                }
            }
        }
        moves::copy(&mut self.assembler, &mut from_registers);
        moves::copy(&mut self.assembler, &mut from_stack);
    }

    /// Puts values into registers, all at once.
    fn hand_over(&mut self, all: impl Iterator<Item = (Reg, Value)>) {
        let copies = all.map(|(to, value)| (Operand::Reg(to), self.from(value)));
        let mut copies = copies.collect();
        moves::copy(&mut self.assembler, &mut copies);
    }

    fn give_back(&mut self, inst: Inst) {
        let dfg = &self.func.dfg;
        match *dfg.inst_args(inst) {
            [value] => self.load(RAX, value),
            ref values => self.hand_over(RESULTS.into_iter().zip(values.iter().copied())),
        }
        if self.frame > 0 {
            self.assembler
                .op_number(Op::Add, Operand::Reg(RSP), self.frame);
        }
        for &reg in self.kept.iter().rev() {
            self.assembler.pop(reg);
        }
        self.assembler.ret();
    }

    /// Calls a function, or what the first argument points to.
    fn call(&mut self, inst: Inst, function: Option<FuncRef>) {
        let dfg = &self.func.dfg;
        let args = dfg.inst_args(inst);
        let (callee, args) = match (function, args.split_first()) {
            (None, Some((callee, args))) => (Some(callee), args),
            _ => (None, args),
        };
        let (args, beyond) = args.split_at(args.len().min(ARGUMENTS.len()));
        for (at, &value) in beyond.iter().enumerate() {
            let to = Operand::Mem(Address::of(RSP, at as i32 * 8));
            let from = self.from(value);
            moves::one(&mut self.assembler, to, from);
        }
        // No argument is given where the address of what is called is put.
        let to = ARGUMENTS
            .iter()
            .zip(args)
            .chain(callee.map(|callee| (&R10, callee)));
        let to = to.map(|(&to, &value)| (to, value));
        self.hand_over(to);
        match function {
            Some(function) => self.call_function(function),
            None => self.assembler.call(Operand::Reg(R10)),
        }
        for (&result, from) in self.func.dfg.inst_results(inst).iter().zip(RESULTS) {
            self.put(result, from);
        }
    }

    fn call_function(&mut self, function: FuncRef) {
        let data = &self.func.dfg.ext_funcs[function];
        let name = match data.name {
            ExternalName::User(name) => {
                let name = &self.func.params.user_named_funcs()[name];
                ModuleRelocTarget::user(name.namespace, name.index)
            }
            ExternalName::LibCall(call) => ModuleRelocTarget::LibCall(call),
            ExternalName::KnownSymbol(symbol) => ModuleRelocTarget::KnownSymbol(symbol),
            ExternalName::TestCase(_) => return,
        };
        let (kind, offset, addend) = if data.colocated {
            (Reloc::X86CallPCRel4, self.assembler.call_near(), -4)
        } else {
            (Reloc::Abs8, self.assembler.far_address(RAX), 0)
        };
        if !data.colocated {
            self.assembler.call(Operand::Reg(RAX));
        }
        self.relocs.push(ModuleReloc {
            offset: offset as u32,
            kind,
            name,
            addend,
        });
    }

    /// What is copied on the way to a block.
    fn copies(&self, way: &BlockCall) -> Vec<(Operand, From)> {
        let copies = handed(self.func, way).filter_map(|(param, value)| {
            let to = self.place(self.places.of[param])?;
            Some((to, self.from(value)))
        });
        copies
            .filter(|&(to, from)| from != From::Operand(to))
            .collect()
    }

    /// Copies, and goes to a block, unless that stands next.
    fn way(&mut self, to: BlockCall, mut copies: Vec<(Operand, From)>, next: Option<Block>) {
        moves::copy(&mut self.assembler, &mut copies);
        let block = to.block(&self.func.dfg.value_lists);
        if Some(block) != next {
            let label = self.label_of(block);
            self.assembler.jump(label);
        }
    }

    fn branch(
        &mut self,
        truth: Value,
        ways: [BlockCall; 2],
        next: Option<Block>,
    ) -> Result<(), String> {
        let cond = self.condition(truth)?;
        let [mut yes, mut no] = ways;
        let (mut for_yes, mut for_no) = (self.copies(&yes), self.copies(&no));
        let mut cond = cond;
        // The way without copies is jumped, and best that which does not stand next.
        let block = |way: &BlockCall| way.block(&self.func.dfg.value_lists);
        let is_next = Some(block(&yes)) == next;
        if for_no.is_empty() && (!for_yes.is_empty() || is_next) {
            std::mem::swap(&mut yes, &mut no);
            std::mem::swap(&mut for_yes, &mut for_no);
            cond = cond.turned();
        }
        let target = block(&yes);
        if for_yes.is_empty() {
            let label = self.label_of(target);
            self.assembler.jump_if(cond, label);
        } else {
            let (begin, label) = (self.assembler.label(), self.label_of(target));
            self.assembler.jump_if(cond, begin);
            self.rest.push(Rest::Way(begin, for_yes, label));
        }
        self.way(no, for_no, next);
        Ok(())
    }

    /// Goes to the block with a number.
    fn table(&mut self, number: Value, table: JumpTable) {
        let func = self.func;
        let table = &func.dfg.jump_tables[table];
        let ways = table.all_branches().iter().map(|way| {
            let label = self.label_of(way.block(&func.dfg.value_lists));
            let copies = self.copies(way);
            if copies.is_empty() {
                return label;
            }
            let begin = self.assembler.label();
            self.rest.push(Rest::Way(begin, copies, label));
            begin
        });
        let ways: Vec<Label> = ways.collect();
        let Some((&other, ways)) = ways.split_first() else {
            return;
        };
        self.load(RAX, number);
        self.assembler
            .op_number(Op::Cmp, Operand::Reg(RAX), ways.len() as i32);
        self.assembler.jump_if(Cond::AtLeast, other);
        let begin = self.assembler.label();
        self.assembler.address_of(RCX, begin);
        self.assembler.entry(RAX, RCX, RAX);
        self.assembler.jump_to(RAX);
        self.rest.push(Rest::Table(begin, ways.to_vec()));
    }

    /// Writes what is left: the code is complete then.
    pub(super) fn end(mut self) -> Result<Translated, String> {
        for rest in std::mem::take(&mut self.rest) {
            match rest {
                Rest::Way(begin, mut copies, label) => {
                    self.assembler.place(begin);
                    moves::copy(&mut self.assembler, &mut copies);
                    self.assembler.jump(label);
                }
                Rest::Table(begin, ways) => self.assembler.table(begin, &ways),
            }
        }
        Ok(Translated {
            alignment: ALIGNMENT,
            code: self.assembler.finish()?,
            relocs: self.relocs,
        })
    }
}
