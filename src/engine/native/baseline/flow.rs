//! How a function begins and ends, what it calls, and how it goes from one block to another.

use crate::engine::native::baseline::assembler::{
    Address, Cond, Label, Op, Operand, RAX, RCX, RDX, RSP, Reg,
};
use crate::engine::native::baseline::moves::{self, From};
use crate::engine::native::baseline::places::ARGUMENTS;
use crate::engine::native::baseline::steps::{Step, Steps, handed};
use crate::engine::native::baseline::{ALIGNMENT, Rest, Writer};
use crate::engine::native::ir::{self, Args, Block, Callee, Func, Inst, Value, Way};
use crate::engine::native::translate::Translated;
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{ModuleReloc, ModuleRelocTarget};

/// The registers in which a function hands back what it gives.
const RESULTS: [Reg; 2] = [RAX, RDX];

/// How many bytes of the stack called functions need for what they are given. Says so when more is handed back than is known here.
pub(super) fn handed_by_stack(func: &Func, steps: &Steps) -> Result<u32, String> {
    let (mut params, mut returns) = (0, func.returns);
    for &at in &steps.calls {
        if let Step::Inst(at) = steps.steps[at as usize]
            && let Inst::Call(callee, _) = func.inst(at)
        {
            let called = func.called(callee);
            params = params.max(called.params);
            returns = returns.max(called.returns);
        }
    }
    if returns as usize > RESULTS.len() {
        return Err("more results than there are registers for".to_owned());
    }
    Ok(params.saturating_sub(ARGUMENTS.len() as u32) * 8)
}

impl Writer<'_> {
    /// The beginning: keeps registers, and puts what the function is given where it is to be.
    pub(super) fn begin(&mut self) {
        for &reg in &self.kept {
            self.assembler.push(reg);
        }
        if self.frame > 0 {
            self.assembler
                .op_number(Op::Sub, Operand::Reg(RSP), self.frame);
        }
        let Some(&entry) = self.func.order.first() else {
            return;
        };
        let params = self.func.block(entry).params.iter();
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

    pub(super) fn give_back(&mut self, args: Args) {
        match *self.func.list(args) {
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

    /// Calls a function.
    pub(super) fn call(&mut self, at: ir::At, callee: Callee, args: Args) {
        let args = self.func.list(args);
        let (args, beyond) = args.split_at(args.len().min(ARGUMENTS.len()));
        for (at, &value) in beyond.iter().enumerate() {
            let to = Operand::Mem(Address::of(RSP, at as i32 * 8));
            let from = self.from(value);
            moves::one(&mut self.assembler, to, from);
        }
        self.hand_over(ARGUMENTS.into_iter().zip(args.iter().copied()));
        self.call_function(callee);
        for (result, from) in self.func.results(at).zip(RESULTS) {
            self.put(result, from);
        }
    }

    fn call_function(&mut self, callee: Callee) {
        let called = self.func.called(callee);
        let (kind, offset, addend) = if called.near {
            (Reloc::X86CallPCRel4, self.assembler.call_near(), -4)
        } else {
            (Reloc::Abs8, self.assembler.far_address(RAX), 0)
        };
        if !called.near {
            self.assembler.call(Operand::Reg(RAX));
        }
        self.relocs.push(ModuleReloc {
            offset: offset as u32,
            kind,
            name: ModuleRelocTarget::from(called.declared),
            addend,
        });
    }

    /// What is copied on the way to a block.
    pub(super) fn copies(&self, way: Way) -> Vec<(Operand, From)> {
        let copies = handed(self.func, way).filter_map(|(param, value)| {
            let to = self.place(self.places.of[param])?;
            Some((to, self.from(value)))
        });
        copies
            .filter(|&(to, from)| from != From::Operand(to))
            .collect()
    }

    /// Copies, and goes to a block, unless that stands next.
    pub(super) fn way(&mut self, way: Way, mut copies: Vec<(Operand, From)>, next: Option<Block>) {
        moves::copy(&mut self.assembler, &mut copies);
        let block = self.func.way(way).to;
        if Some(block) != next {
            let label = self.label_of(block);
            self.assembler.jump(label);
        }
    }

    pub(super) fn branch(
        &mut self,
        truth: Value,
        ways: [Way; 2],
        next: Option<Block>,
    ) -> Result<(), String> {
        let mut cond = self.condition(truth)?;
        let [mut yes, mut no] = ways;
        let (mut for_yes, mut for_no) = (self.copies(yes), self.copies(no));
        // The way without copies is jumped, and best that which does not stand next.
        let is_next = Some(self.func.way(yes).to) == next;
        if for_no.is_empty() && (!for_yes.is_empty() || is_next) {
            std::mem::swap(&mut yes, &mut no);
            std::mem::swap(&mut for_yes, &mut for_no);
            cond = cond.turned();
        }
        let target = self.func.way(yes).to;
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
    pub(super) fn table(&mut self, number: Value, ways: Args) {
        let ways = self.func.ways(ways).map(|way| {
            let label = self.label_of(self.func.way(way).to);
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
