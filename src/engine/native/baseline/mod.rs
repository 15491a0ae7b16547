//! Functions into machine code in few passes, for code that is wanted soon: in a fifth of the time that cranelift takes with one, and
//! as fast or faster. After: code that does the same as cranelift's; functions of both call each other. Conditions: x86-64 with the
//! instructions that count bits, and calls as on Unix; words of 64 bits, and truths, above which there are zeros, as the builder sees
//! to. What else a function holds is an error, and left to cranelift.

mod assembler;
mod flow;
mod moves;
mod places;
mod steps;
mod words;

use crate::engine::native::baseline::assembler::{
    Address, Assembler, Label, Operand, RDX, RSP, Reg,
};
use crate::engine::native::baseline::moves::From;
use crate::engine::native::baseline::places::{KEPT, Place, Places};
use crate::engine::native::baseline::steps::{Step, Steps, map_of};
use crate::engine::native::ir::{self, Block, Def, Func, Inst, StackSlot, Value};
use crate::engine::native::translate::Translated;
use cranelift_codegen::entity::SecondaryMap;
use cranelift_module::ModuleReloc;

/// Code begins at multiples of this.
const ALIGNMENT: u64 = 16;

/// Whether this machine runs what is made here.
pub(super) fn suits() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// A function that is given memory, context and an address, and calls what is there with the first two: it goes on there, since they
/// stand where they are asked for. Made by cranelift it would be the only thing that is, in code that is wanted soon, and take
/// longer than all else that a module begins with.
pub(super) fn trampoline() -> Option<Translated> {
    let mut assembler = Assembler::default();
    assembler.jump_to(RDX);
    Some(Translated {
        alignment: ALIGNMENT,
        code: assembler.finish().ok()?,
        relocs: Vec::new(),
    })
}

/// The machine code of a function. Says why when it holds what is not known here.
pub(super) fn translate(func: &Func) -> Result<Translated, String> {
    let steps = Steps::new(func)?;
    let places = Places::new(&steps, func.many_values());
    let mut writer = Writer::new(func, &steps, &places)?;
    writer.begin();
    for (at, &step) in steps.steps.iter().enumerate() {
        match step {
            Step::Block(block) => {
                let label = writer.label_of(block);
                writer.assembler.place(label);
            }
            Step::Inst(inst) => {
                let next = match steps.steps.get(at + 1) {
                    Some(&Step::Block(block)) => Some(block),
                    Some(Step::Inst(_)) | None => None,
                };
                writer.inst(inst, next)?;
            }
        }
    }
    writer.end()
}

/// What is left for the end of the code.
enum Rest {
    /// Copies on the way to a block.
    Way(Label, Vec<(Operand, From)>, Label),
    /// A table of labels.
    Table(Label, Vec<Label>),
}

/// A function on the way.
///
/// On the stack, from where it points to upwards: what called functions are given beyond registers, the function's own places, those of
/// values, registers that are kept, the address to return to, and what the function is given beyond registers.
struct Writer<'a> {
    func: &'a Func,
    steps: &'a Steps,
    places: &'a Places,
    assembler: Assembler,
    labels: SecondaryMap<Block, Option<Label>>,
    relocs: Vec<ModuleReloc>,
    rest: Vec<Rest>,
    /// Where the function's own places begin.
    starts: SecondaryMap<StackSlot, i32>,
    /// Where the places of values begin.
    slots: i32,
    /// How far the stack grows, beside the registers that are kept.
    frame: i32,
    /// The registers that are kept.
    kept: Vec<Reg>,
}

impl<'a> Writer<'a> {
    fn new(func: &'a Func, steps: &'a Steps, places: &'a Places) -> Result<Self, String> {
        let most = flow::handed_by_stack(func, steps)?;
        let mut starts = map_of(func.slots.len());
        let mut frame = most;
        for (slot, bytes) in func.slots.iter() {
            frame = frame.next_multiple_of(16);
            starts[slot] = frame as i32;
            frame += bytes;
        }
        let slots = frame.next_multiple_of(8);
        let kept: Vec<Reg> = (KEPT.into_iter())
            .filter(|&reg| places.used[reg as usize])
            .collect();
        // At a call the stack points to a multiple of 16; the address to return to is in front of it.
        let beside = 8 + 8 * kept.len() as u32;
        let frame = (slots + places.slots * 8 + beside).next_multiple_of(16) - beside;
        if frame > 1 << 24 {
            return Err("values that need too much of the stack".to_owned());
        }
        Ok(Writer {
            func,
            steps,
            places,
            assembler: Assembler::default(),
            labels: map_of(func.many_blocks()),
            relocs: Vec::new(),
            rest: Vec::new(),
            starts,
            slots: slots as i32,
            frame: frame as i32,
            kept,
        })
    }

    fn label_of(&mut self, block: Block) -> Label {
        let assembler = &mut self.assembler;
        *self.labels[block].get_or_insert_with(|| assembler.label())
    }

    /// The number that a value is, when it fits into an instruction.
    fn short(&self, value: Value) -> Option<i32> {
        self.func
            .number(value)
            .and_then(|number| i32::try_from(number).ok())
    }

    /// Where a value's place is.
    fn place(&self, place: Place) -> Option<Operand> {
        match place {
            Place::None => None,
            Place::Reg(reg) => Some(Operand::Reg(reg)),
            Place::Slot(slot) => {
                let offset = self.slots + slot as i32 * 8;
                Some(Operand::Mem(Address::of(RSP, offset)))
            }
        }
    }

    /// What is copied where a value is.
    fn from(&self, value: Value) -> From {
        match self.func.def(value) {
            Def::Number(number) => From::Number(number),
            Def::Start(slot) => From::Address(Address::of(RSP, self.starts[slot])),
            // What is nowhere is not needed.
            Def::Inst(_) | Def::Param(_) | Def::Alias(_) => {
                (self.place(self.places.of[value])).map_or(From::Number(0), From::Operand)
            }
        }
    }

    /// A value as an operand; what is made anew comes into a register for it.
    fn operand(&mut self, value: Value, through: Reg) -> Operand {
        match self.from(value) {
            From::Operand(operand) => operand,
            from @ (From::Number(_) | From::Address(_)) => {
                moves::load(&mut self.assembler, through, from);
                Operand::Reg(through)
            }
        }
    }

    /// A value in a register: its own, or one for it.
    fn reg(&mut self, value: Value, through: Reg) -> Reg {
        match self.operand(value, through) {
            Operand::Reg(reg) => reg,
            memory @ Operand::Mem(_) => {
                self.assembler.load(through, memory);
                through
            }
        }
    }

    /// Copies a value into a register. Flags stay as they are.
    fn load(&mut self, to: Reg, value: Value) {
        let from = self.from(value);
        moves::load(&mut self.assembler, to, from);
    }

    /// The register in which a result is best made: its own, or one for it.
    fn target(&self, result: Value, through: Reg) -> Reg {
        match self.places.of[result] {
            Place::Reg(reg) => reg,
            Place::Slot(_) | Place::None => through,
        }
    }

    /// Brings a result from a register to its place.
    fn put(&mut self, result: Value, from: Reg) {
        if let Some(to) = self.place(self.places.of[result]) {
            let from = From::Operand(Operand::Reg(from));
            if from != From::Operand(to) {
                moves::one(&mut self.assembler, to, from);
            }
        }
    }

    /// An instruction, with the block that stands behind it.
    fn inst(&mut self, at: ir::At, next: Option<Block>) -> Result<(), String> {
        let inst = self.func.inst(at);
        let result = self.func.results(at).next();
        if result.is_some_and(|result| self.steps.joined.contains(result)) {
            return Ok(());
        }
        match inst {
            Inst::Store(_, [value, to], offset) => self.store(value, to, offset),
            Inst::Jump(way) => {
                let copies = self.copies(way);
                self.way(way, copies, next);
                Ok(())
            }
            Inst::Branch(truth, ways) => self.branch(truth, ways, next),
            Inst::Switch(number, ways) => {
                self.table(number, ways);
                Ok(())
            }
            Inst::Call(callee, args) => {
                self.call(at, callee, args);
                Ok(())
            }
            Inst::Return(args) => {
                self.give_back(args);
                Ok(())
            }
            Inst::One(..)
            | Inst::Two(..)
            | Inst::Compare(..)
            | Inst::Select(_)
            | Inst::Load(..)
            | Inst::Byte(..)
            | Inst::StackPointer => match result {
                Some(result) => self.word(inst, result),
                None => Err("an instruction that gives nothing".to_owned()),
            },
        }
    }
}
