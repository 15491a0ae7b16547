//! A function of a kernel into blocks and instructions (`ir`). Words are values or variables, narrow sets are so word by word, wide
//! ones have places on the stack.

mod calls;
mod each_word;
mod few;
mod flood;
mod flow;
mod gather;
mod guarded;
mod here;
mod list;
mod memory;
mod nth;
mod once;
mod parts;
mod sets;
mod shifts;
mod stack;
mod words;

use crate::engine::native::call::Aid;
use crate::engine::native::emit::here::Here;
use crate::engine::native::emit::stack::{Home, Homes};
use crate::engine::native::ir::{
    Block, Builder, Called, Callee, Func, I64, IntCC, Memory, StackSlot, Value,
};
use crate::engine::native::tables::Shared;
use crate::program::kernel::{FuncId, Function, Label, NARROW, S, ShiftId, W, Work, fixed_words};
use smallvec::SmallVec;

/// The most words of a set that functions beside those of the kernel are given and hand back one by one.
const SHORT: usize = 2;

/// Whether functions beside those of the kernel are handed addresses of sets: from where, to where.
pub(super) fn by_address(width: usize) -> bool {
    width > SHORT
}

/// A function beside those of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Extra {
    /// A shift with many parts: a set's words to a set's words.
    Shift(ShiftId),
    /// The cells next to any of a set.
    Around,
    /// The joined part of a set: the set, a cell and the context to where it is kept.
    Part,
    /// The same where nothing that still is one is kept: the set, a cell and where to keep it to that place.
    Found,
}

/// What a function asks of the module that it will stand in.
pub(super) trait Linker {
    /// A function of the kernel.
    fn function(&mut self, id: FuncId) -> Called;
    /// A function beside those of the kernel.
    fn extra(&mut self, extra: Extra) -> Called;
    /// A function of Rust.
    fn aid(&mut self, aid: Aid) -> Called;
}

/// Why a function ends before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    /// With 1; why is in memory already.
    One,
    /// Calls.
    Calls,
    /// No room.
    Room,
    /// An index out of range, which is noted.
    Broken,
}

/// Values of a set, word by word or by twos.
type Words = SmallVec<[Value; NARROW]>;

/// A block that can be left.
struct Open {
    label: Label,
    behind: Block,
    used: bool,
}

/// A function on the way.
pub(super) struct Emit<'a> {
    b: Builder,
    shared: &'a Shared,
    linker: &'a mut dyn Linker,
    checked: bool,
    /// Whether it is wanted soon.
    soon: bool,
    width: usize,
    mem: Value,
    ctx: Value,
    words: Vec<Home>,
    /// The words that are fixed.
    known: Vec<Option<u64>>,
    /// The sets that have few cells, where that is asked.
    few: Vec<bool>,
    /// The conditions under which what is done in any case counts.
    guard: Option<Value>,
    /// How many loops over cells and numbers are around.
    rounds: usize,
    /// The joined part that was found last.
    found: Option<parts::Found>,
    homes: Homes,
    open: Vec<Open>,
    exits: Vec<(Exit, Block)>,
    aids: Vec<(Aid, Callee)>,
    calls: Vec<(FuncId, Callee)>,
    extras: Vec<(Extra, Callee)>,
    passing: [Option<StackSlot>; 2],
    walks: Vec<StackSlot>,
    walking: usize,
    /// The cells of loops that are written out for each word, and the numbers of those.
    word_of_cell: Vec<(W, usize)>,
    stack: usize,
    dead: bool,
    here: Here,
    /// How many calls were open when the function began, when it has said that there is one more.
    depth: Option<Value>,
    wrong: Option<String>,
}

impl<'a> Emit<'a> {
    /// Begins a function, which is given memory, context, and what else it asks for.
    pub(super) fn new(
        mut b: Builder,
        shared: &'a Shared,
        linker: &'a mut dyn Linker,
        (checked, soon): (bool, bool),
    ) -> Emit<'a> {
        let mem = b.given(0).unwrap_or_else(|| b.iconst(I64, 0));
        let ctx = b.given(1).unwrap_or(mem);
        Emit {
            shared,
            linker,
            checked,
            soon,
            width: shared.width,
            mem,
            ctx,
            words: Vec::new(),
            known: Vec::new(),
            few: Vec::new(),
            guard: None,
            rounds: 0,
            found: None,
            homes: Homes::default(),
            open: Vec::new(),
            exits: Vec::new(),
            aids: Vec::new(),
            calls: Vec::new(),
            extras: Vec::new(),
            passing: [None; 2],
            walks: Vec::new(),
            walking: 0,
            word_of_cell: Vec::new(),
            stack: 0,
            dead: false,
            here: Here::default(),
            depth: None,
            wrong: None,
            b,
        }
    }

    /// A whole function of the kernel. Says what cannot be done.
    pub(super) fn function(mut self, id: FuncId, function: &Function) -> Result<Func, String> {
        self.known = fixed_words(function);
        // Where sequences are counted the words are rather left in memory, as measured.
        let games = self.shared.kernel.work == Work::Games;
        if games && !self.soon && self.width > 1 {
            self.few = few::few_cells(function, &self.shared.kernel);
        }
        self.homes = Homes::new(function, self.width);
        self.declare(function);
        self.begin(id, function);
        self.body(&function.body);
        if !self.dead {
            let zero = self.number(0);
            self.give_back(zero);
        }
        self.end()
    }

    /// Closes what is still open.
    fn end(mut self) -> Result<Func, String> {
        self.leave_early();
        if self.stack > stack::MOST {
            self.wrong("sets that need too much of the stack");
        }
        match self.wrong {
            None => Ok(self.b.finish()),
            Some(why) => Err(why),
        }
    }

    /// Notes why the function cannot be done.
    fn wrong(&mut self, why: &str) {
        self.wrong.get_or_insert_with(|| why.to_owned());
    }

    fn number(&mut self, number: i64) -> Value {
        self.b.iconst(I64, number)
    }

    fn is_zero(&mut self, word: Value) -> Value {
        self.b.icmp_imm_s(IntCC::Equal, word, 0)
    }

    /// Goes on in a block into which all ways are known.
    fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
        self.dead = false;
    }

    fn jump(&mut self, block: Block) {
        self.b.jump(block, &[]);
        self.dead = true;
    }

    /// Ends the function when a word is not 0.
    fn exit_if(&mut self, truth: Value, exit: Exit, notes: &[Value]) {
        let out = self.exit(exit);
        let on = self.b.create_block();
        self.b.brif(truth, out, notes, on, &[]);
        self.enter(on);
    }

    /// The block that ends the function for a reason.
    fn exit(&mut self, exit: Exit) -> Block {
        if let Some((_, block)) = self.exits.iter().find(|(e, _)| *e == exit) {
            return *block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        if exit == Exit::Broken {
            self.b.append_block_param(block, I64);
        }
        self.exits.push((exit, block));
        block
    }

    /// A function of Rust, called with the context.
    fn aid(&mut self, aid: Aid, arguments: &[Value]) -> Value {
        let known = self.aids.iter().find(|(a, _)| *a == aid).map(|(_, f)| *f);
        let function = known.unwrap_or_else(|| {
            let called = self.linker.aid(aid);
            let function = self.b.callee(called);
            self.aids.push((aid, function));
            function
        });
        let mut all: SmallVec<[Value; 4]> = SmallVec::from_slice(&[self.ctx]);
        all.extend_from_slice(arguments);
        self.b.call(function, &all)[0]
    }

    /// A place on the stack, of so many bytes.
    fn slot(&mut self, bytes: usize) -> StackSlot {
        self.stack += bytes;
        let size = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.b.slot(size)
    }

    /// The address where a place on the stack begins.
    fn start(&mut self, slot: StackSlot) -> Value {
        self.b.stack_addr(slot)
    }

    /// One of two places on the stack that sets are handed over in.
    fn passing(&mut self, which: usize) -> StackSlot {
        if let Some(slot) = self.passing[which] {
            return slot;
        }
        let slot = self.slot(self.width * 8);
        self.passing[which] = Some(slot);
        slot
    }

    /// Whether a set is kept on the stack.
    fn wide(&self) -> bool {
        self.width > NARROW
    }

    /// The address of a set's words on the stack.
    fn address(&mut self, set: S) -> Value {
        let slot = if self.wide() {
            self.home(set)
        } else {
            let slot = self.passing(0);
            let start = self.start(slot);
            for i in 0..self.width {
                let word = self.set_word(set, i);
                self.b.store(Memory::Other, word, start, i as i32 * 8);
            }
            slot
        };
        self.start(slot)
    }

    /// Calls a function of Rust that hands a set back, into a set.
    fn aid_into(&mut self, to: S, aid: Aid, first: Option<Value>, from: S) {
        self.by_addresses(to, from, |emit, [from, into]| {
            let given: SmallVec<[Value; 3]> = first.into_iter().chain([from, into]).collect();
            emit.aid(aid, &given);
        });
    }

    /// Has a set read where it stands and one written, into a set.
    fn by_addresses(&mut self, to: S, from: S, call: impl FnOnce(&mut Self, [Value; 2])) {
        let from = self.address(from);
        let slot = if self.wide() {
            self.home(to)
        } else {
            self.passing(1)
        };
        let into = self.start(slot);
        call(self, [from, into]);
        if !self.wide() {
            let words: Words = (0..self.width)
                .map(|i| self.b.load(I64, Memory::Other, into, i as i32 * 8))
                .collect();
            self.put_set(to, &words);
        }
    }
}
