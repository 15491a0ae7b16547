//! Functions as they are written, before they are machine code: blocks of instructions on values, each of which has one name. `emit`
//! writes them by a builder; `baseline` makes machine code of them, and `clif` brings them into cranelift's language. Small on
//! purpose: what kernels need and no more, so that it is soon written and soon read. Numbers, and where places on the stack begin, are values
//! that no instruction makes: they are made where they are used.

mod builder;
pub(super) mod clif;
mod instructions;
mod variables;

pub(super) use crate::engine::native::ir::builder::Builder;
pub(super) use crate::engine::native::ir::variables::Variable;
pub(super) use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
pub(super) use cranelift_codegen::ir::types::{I8, I64, I64X2};
pub(super) use cranelift_codegen::ir::{Block, StackSlot, Type, Value};

use cranelift_codegen::entity::{EntityRef, PrimaryMap};
use cranelift_module::FuncId as Declared;
use smallvec::SmallVec;
use std::ops::Range;

/// The number of an instruction.
pub(super) type At = u32;

/// What an instruction does with one value. All are of whole words but where it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum One {
    /// How many bits are set.
    Count,
    /// How many bits above the highest one are not.
    Leading,
    /// How many bits below the lowest one are not.
    Trailing,
    /// A truth as a word.
    Widened,
    Negated,
    /// Without its sign.
    Size,
    /// All bits where a truth, or a word, is not 0, else none.
    Mask,
    /// A word twice.
    Twice,
    /// One of two words.
    Lane(u8),
}

/// What an instruction does with two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Two {
    Add,
    Sub,
    Mul,
    And,
    /// The bits of the first that the second does not have.
    AndNot,
    Or,
    Xor,
    Left,
    Right,
    /// Right, with copies of the highest bit.
    SignedRight,
    Smaller,
    Larger,
    /// The higher half of a product, with signs and without.
    SignedHigh,
    High,
    Quotient,
    Rest,
}

/// Which memory is read or written: what is written to the first is not seen in the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// A kernel's words, what is kept of it, and sets that are handed over by their addresses.
    Words,
    /// Tables, which never change.
    Tables,
    /// The stack and what else there is; it may be any.
    Other,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inst {
    One(One, Value),
    Two(Two, [Value; 2]),
    /// A truth, of two values that are equally wide.
    Compare(IntCC, [Value; 2]),
    /// The second where the first is not 0, else the third.
    Select([Value; 3]),
    Load(Memory, Value, i32),
    /// A byte, as a word.
    Byte(Memory, Value, i32),
    /// A value, to where the second points, so many bytes further.
    Store(Memory, [Value; 2], i32),
    StackPointer,
    Call(Callee, Args),
    Jump(Way),
    /// The first way where the value is not 0.
    Branch(Value, [Way; 2]),
    /// The way with a number behind the first; the first where there is none. The number is below a billion.
    Switch(Value, Args),
    Return(Args),
}

impl Inst {
    /// Whether all that it does is to give a value.
    pub(super) fn only_gives(self) -> bool {
        match self {
            Inst::One(..)
            | Inst::Two(..)
            | Inst::Compare(..)
            | Inst::Select(_)
            | Inst::Load(..)
            | Inst::Byte(..)
            | Inst::StackPointer => true,
            Inst::Store(..)
            | Inst::Call(..)
            | Inst::Jump(_)
            | Inst::Branch(..)
            | Inst::Switch(..)
            | Inst::Return(_) => false,
        }
    }
}

/// A function that is called, by its number among those of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Callee(u32);

/// A way from one block to another, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way(u32);

/// Some of the values that are handed over, or some of the ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Args {
    first: u32,
    many: u32,
}

impl Args {
    fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.many) as usize
    }
}

/// A function that is called: which of the module, how, and how many words it is given and hands back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    pub(super) declared: Declared,
    /// Whether it is made here, so that it stands near.
    pub(super) near: bool,
    pub(super) params: u32,
    pub(super) returns: u32,
}

impl Called {
    /// A function that is made here.
    pub(super) fn near(declared: Declared, params: u32, returns: u32) -> Called {
        Called {
            declared,
            near: true,
            params,
            returns,
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Def {
    Number(i64),
    /// Where a place on the stack begins.
    Start(StackSlot),
    Inst(At),
    Param(Block),
    /// It is another value.
    Alias(Value),
}

/// A way to a block, and what that is given.
#[derive(Debug)]
pub(super) struct WayData {
    pub(super) to: Block,
    pub(super) args: SmallVec<[Value; 4]>,
}

/// A block.
#[derive(Default, Debug)]
pub(super) struct BlockData {
    pub(super) params: SmallVec<[Value; 4]>,
    /// Its first instruction, and what comes behind its last.
    pub(super) insts: Range<At>,
    /// Whether it is seldom gone to.
    pub(super) cold: bool,
}

/// An instruction, and the first of the values that it gives.
#[derive(Clone, Copy, Debug)]
struct InstData {
    inst: Inst,
    result: Value,
}

/// A function. All that it is given and hands back are words.
#[derive(Default, Debug)]
pub(super) struct Func {
    values: PrimaryMap<Value, (Def, Type)>,
    blocks: PrimaryMap<Block, BlockData>,
    /// The blocks that have instructions, in their order; the function begins with the first.
    pub(super) order: Vec<Block>,
    insts: Vec<InstData>,
    /// What calls and returns hand over.
    lists: Vec<Value>,
    ways: Vec<WayData>,
    called: Vec<Called>,
    /// How many bytes each place on the stack has; each begins at a multiple of 16.
    pub(super) slots: PrimaryMap<StackSlot, u32>,
    pub(super) params: u32,
    pub(super) returns: u32,
}

impl Func {
    /// Nothing is left of it but its memory.
    fn clear(&mut self) {
        self.values.clear();
        self.blocks.clear();
        self.order.clear();
        self.insts.clear();
        self.lists.clear();
        self.ways.clear();
        self.called.clear();
        self.slots.clear();
    }

    pub(super) fn inst(&self, at: At) -> Inst {
        self.insts[at as usize].inst
    }

    /// The values that an instruction gives, one behind the other.
    pub(super) fn results(&self, at: At) -> impl DoubleEndedIterator<Item = Value> + Clone + use<> {
        let InstData { inst, result } = self.insts[at as usize];
        let many = if let Inst::Call(callee, _) = inst {
            self.called(callee).returns
        } else {
            u32::from(inst.only_gives())
        };
        let first = result.as_u32();
        (0..many).map(move |further| Value::from_u32(first + further))
    }

    pub(super) fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block]
    }

    pub(super) fn way(&self, way: Way) -> &WayData {
        &self.ways[way.0 as usize]
    }

    /// The ways of a switch: for no number, and then in the order of the numbers.
    pub(super) fn ways(&self, ways: Args) -> impl Iterator<Item = Way> + use<> {
        (ways.first..ways.first + ways.many).map(Way)
    }

    /// What is handed over.
    pub(super) fn list(&self, args: Args) -> &[Value] {
        &self.lists[args.range()]
    }

    pub(super) fn called(&self, callee: Callee) -> &Called {
        &self.called[callee.0 as usize]
    }

    pub(super) fn def(&self, value: Value) -> Def {
        self.values[value].0
    }

    pub(super) fn kind(&self, value: Value) -> Type {
        self.values[value].1
    }

    /// The instruction that makes a value.
    pub(super) fn made_by(&self, value: Value) -> Option<Inst> {
        match self.def(value) {
            Def::Inst(at) => Some(self.inst(at)),
            Def::Number(_) | Def::Start(_) | Def::Param(_) | Def::Alias(_) => None,
        }
    }

    /// The number that a value is.
    pub(super) fn number(&self, value: Value) -> Option<i64> {
        match self.def(value) {
            Def::Number(number) => Some(number),
            Def::Start(_) | Def::Inst(_) | Def::Param(_) | Def::Alias(_) => None,
        }
    }

    /// How many values there are.
    pub(super) fn many_values(&self) -> usize {
        self.values.len()
    }

    pub(super) fn many_blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn many_insts(&self) -> usize {
        self.insts.len()
    }

    /// The ways on which an instruction goes on.
    pub(super) fn goes(&self, inst: Inst) -> impl Iterator<Item = Way> + use<> {
        let (first, many) = match inst {
            Inst::Jump(Way(way)) => (way, 1),
            // They stand behind each other.
            Inst::Branch(_, [Way(yes), _]) => (yes, 2),
            Inst::Switch(_, Args { first, many }) => (first, many),
            Inst::One(..)
            | Inst::Two(..)
            | Inst::Compare(..)
            | Inst::Select(_)
            | Inst::Load(..)
            | Inst::Byte(..)
            | Inst::Store(..)
            | Inst::StackPointer
            | Inst::Call(..)
            | Inst::Return(_) => (0, 0),
        };
        self.ways(Args { first, many })
    }

    /// Shows all values that an instruction uses, what it hands over included.
    pub(super) fn each_used(&self, inst: Inst, mut show: impl FnMut(Value)) {
        let hand_over = |way: Way, show: &mut dyn FnMut(Value)| {
            self.way(way).args.iter().for_each(|&value| show(value));
        };
        match inst {
            Inst::One(_, a) | Inst::Load(_, a, _) | Inst::Byte(_, a, _) => show(a),
            Inst::Two(_, both) | Inst::Compare(_, both) | Inst::Store(_, both, _) => {
                both.into_iter().for_each(show);
            }
            Inst::Select(all) => all.into_iter().for_each(show),
            Inst::StackPointer => {}
            Inst::Call(_, args) | Inst::Return(args) => {
                self.list(args).iter().for_each(|&value| show(value));
            }
            Inst::Jump(way) => hand_over(way, &mut show),
            Inst::Branch(truth, ways) => {
                show(truth);
                ways.into_iter().for_each(|way| hand_over(way, &mut show));
            }
            Inst::Switch(number, ways) => {
                show(number);
                self.ways(ways).for_each(|way| hand_over(way, &mut show));
            }
        }
    }

    /// The value that an alias stands for.
    fn resolved(&self, mut value: Value) -> Value {
        while let Def::Alias(of) = self.def(value) {
            value = of;
        }
        value
    }

    /// Puts what they stand for in place of all aliases.
    fn resolve_aliases(&mut self) {
        let stands: Vec<Value> = self.values.keys().map(|v| self.resolved(v)).collect();
        let resolve = |value: &mut Value| *value = stands[value.index()];
        for InstData { inst, .. } in &mut self.insts {
            match inst {
                Inst::One(_, a) | Inst::Load(_, a, _) | Inst::Byte(_, a, _) => resolve(a),
                Inst::Two(_, both) | Inst::Compare(_, both) | Inst::Store(_, both, _) => {
                    both.iter_mut().for_each(resolve);
                }
                Inst::Select(all) => all.iter_mut().for_each(resolve),
                Inst::Branch(a, _) | Inst::Switch(a, _) => resolve(a),
                Inst::StackPointer | Inst::Call(..) | Inst::Jump(_) | Inst::Return(_) => {}
            }
        }
        self.lists.iter_mut().for_each(resolve);
        let ways = self.ways.iter_mut();
        ways.flat_map(|way| &mut way.args).for_each(resolve);
    }
}
