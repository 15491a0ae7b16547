//! A function of cranelift's language as a row of steps: its blocks, and the instructions in them that do something. Before: any
//! function whose values have one name each. After: for each value how long it is needed, and how often. What a number or the beginning of a place on the stack is,
//! is made anew where it is used; what is used once, right behind where it is made, can be made there. Conditions: a block that is
//! gone on to stands behind one from which that is done, and so what is given a value stands in front of what uses it.

use cranelift_codegen::entity::{EntityRef, EntitySet, SecondaryMap};
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{
    Block, BlockCall, Function, Inst, InstructionData, Opcode, StackSlot, Value,
};

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Block(Block),
    Inst(Inst),
}

/// The number of a step.
pub(super) type At = u32;

/// A value that is made anew where it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fixed {
    Number(i64),
    /// An address on the stack: a place, and so many bytes behind its beginning.
    Start(StackSlot, i32),
}

/// What is to be known of a value to give it a register.
#[derive(Clone, Copy, Default)]
pub(super) struct Life {
    /// The last step that needs it.
    pub(super) end: At,
    /// How often it is used, where what stands in a loop counts eight times.
    pub(super) weight: f32,
    pub(super) wish: Wish,
}

/// Where a value is best put.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    #[default]
    Anywhere,
    /// Where a function is given its argument with this number.
    Argument(u8),
    /// Where another value is.
    Like(Value),
}

/// A function as steps.
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// The values that need a place, in the order in which they are made, and in which step that is.
    pub(super) made: Vec<(Value, At)>,
    pub(super) lives: SecondaryMap<Value, Life>,
    pub(super) fixed: SecondaryMap<Value, Option<Fixed>>,
    /// The values that are made where they are used.
    pub(super) joined: EntitySet<Value>,
    /// The steps that call.
    pub(super) calls: Vec<At>,
}

/// Set in the number of a block with which a loop begins whose beginning has not been met.
const OPEN: At = 1 << 31;

/// What finds the steps, from the last to the first: a value is met where it is used before it is met where it is made. Steps have
/// numbers from behind until all are found.
struct Finder<'f> {
    func: &'f Function,
    steps: Steps,
    uses: SecondaryMap<Value, u32>,
    /// From where to where loops go, in the order of their ends, last first.
    loops: Vec<(At, At)>,
    /// For a block that has not been met how many loops begin with it, and for one that has been, where.
    blocks: SecondaryMap<Block, Met>,
    /// How many loops are open.
    depth: usize,
}

/// What is known of a block.
#[derive(Clone, Copy, Default)]
struct Met {
    loops: usize,
    at: Option<At>,
    /// Whether a block in front of it goes on to it.
    reached: bool,
}

impl Steps {
    /// The steps of a function. Says so when it uses what is not known here.
    pub(super) fn new(func: &Function) -> Result<Steps, String> {
        let values = func.dfg.num_values();
        let mut finder = Finder {
            func,
            steps: Steps {
                steps: Vec::with_capacity(func.dfg.num_insts()),
                made: Vec::with_capacity(values),
                lives: map_of(values),
                fixed: map_of(values),
                joined: EntitySet::with_capacity(values),
                calls: Vec::new(),
            },
            uses: map_of(values),
            loops: Vec::new(),
            blocks: map_of(func.dfg.num_blocks()),
            depth: 0,
        };
        finder.find()?;
        finder.turn();
        finder.lengthen();
        Ok(finder.steps)
    }

    /// Whether a value that is made in a step is still needed behind a call that comes later.
    pub(super) fn crosses_call(&self, made: At, end: At) -> bool {
        let next = self.calls.partition_point(|&call| call <= made);
        self.calls.get(next).is_some_and(|&call| call < end)
    }
}

/// A map of so many keys, all of which have an entry.
pub(super) fn map_of<K: EntityRef, V: Clone + Default>(many: usize) -> SecondaryMap<K, V> {
    let mut map = SecondaryMap::new();
    map.resize(many);
    map
}

/// Whether an instruction does something beside giving its results.
fn does(opcode: Opcode) -> bool {
    opcode.is_call() || opcode.is_terminator() || opcode.can_store()
}

/// The values that a step to another block hands over, and what they are called there.
pub(super) fn handed<'f>(
    func: &'f Function,
    call: &BlockCall,
) -> impl Iterator<Item = (Value, Value)> + 'f {
    let dfg = &func.dfg;
    let params = dfg.block_params(call.block(&dfg.value_lists)).iter();
    let given = call.args(&dfg.value_lists);
    (params.zip(given)).filter_map(|(&param, arg)| Some((param, arg.as_value()?)))
}

impl Finder<'_> {
    fn find(&mut self) -> Result<(), String> {
        let func = self.func;
        let blocks: Vec<Block> = func.layout.blocks().collect();
        for &block in blocks.iter().rev() {
            // The step that uses what is made where it is used.
            let mut anchor = 0;
            for inst in func.layout.block_insts(block).rev() {
                self.inst(inst, &mut anchor)?;
            }
            let now = self.steps.steps.len() as At;
            self.steps.steps.push(Step::Block(block));
            let met = &mut self.blocks[block];
            met.at = Some(now);
            let loops = std::mem::take(&mut met.loops);
            for (begin, _) in (self.loops.iter_mut().rev())
                .filter(|(begin, _)| *begin == OPEN | block.as_u32())
                .take(loops)
            {
                *begin = now;
            }
            let params = func.dfg.block_params(block);
            for &param in params.iter().rev() {
                self.make(param, now);
            }
            self.depth -= loops;
        }
        if let Some(entry) = func.layout.entry_block() {
            self.blocks[entry].reached = true;
            for (i, &param) in func.dfg.block_params(entry).iter().enumerate() {
                self.steps.lives[param].wish = Wish::Argument(i.min(255) as u8);
            }
        }
        let all = blocks.iter().all(|&block| self.blocks[block].reached);
        all.then_some(())
            .ok_or_else(|| "a block that stands in front of all that lead to it".to_owned())
    }

    fn inst(&mut self, inst: Inst, anchor: &mut At) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let opcode = dfg.insts[inst].opcode();
        let results = dfg.inst_results(inst);
        if !does(opcode) && results.iter().all(|&result| self.uses[result] == 0) {
            return Ok(());
        }
        let known = |&value: &Value| matches!(dfg.value_type(value), I8 | I32 | I64);
        if !results.iter().all(known) {
            return Err("values of several words".to_owned());
        }
        if let Some(fixed) = fixed(self.func, inst) {
            self.steps.fixed[results[0]] = Some(fixed);
            return Ok(());
        }
        let now = self.steps.steps.len() as At;
        let joined = match (results, self.steps.steps.last()) {
            (&[value], Some(&Step::Inst(next))) => {
                self.uses[value] == 1 && self.joins(opcode, inst, value, next)
            }
            _ => false,
        };
        if joined {
            self.steps.joined.insert(results[0]);
        } else {
            *anchor = now;
            self.go_on(inst, opcode, now);
            for &result in results.iter().rev() {
                self.make(result, now);
            }
        }
        self.steps.steps.push(Step::Inst(inst));
        let often = self.often();
        for value in dfg.inst_values(inst) {
            let life = &mut self.steps.lives[value];
            life.weight += often;
            let uses = &mut self.uses[value];
            if *uses == 0 {
                life.end = *anchor;
            }
            *uses += 1;
        }
        Ok(())
    }

    /// How much what is used here counts.
    fn often(&self) -> f32 {
        [1.0, 8.0, 64.0, 512.0][self.depth.min(3)]
    }

    /// A value is made, when it is used.
    fn make(&mut self, value: Value, now: At) {
        if self.uses[value] > 0 {
            self.steps.lives[value].weight += self.often();
            self.steps.made.push((value, now));
        }
    }

    /// Whether a value can be made by the instruction that uses it.
    fn joins(&self, opcode: Opcode, inst: Inst, value: Value, next: Inst) -> bool {
        let dfg = &self.func.dfg;
        let is = |at: usize| dfg.inst_args(next).get(at) == Some(&value);
        match (opcode, dfg.insts[next].opcode()) {
            (Opcode::Icmp, Opcode::Brif | Opcode::Select) => is(0),
            (Opcode::Iadd, Opcode::Load | Opcode::Uload8) => is(0),
            (Opcode::Iadd, Opcode::Store) => is(1),
            (Opcode::Bnot, Opcode::Band) => is(0) || is(1),
            (Opcode::Ishl, Opcode::Iadd) => {
                let by = dfg.value_def(dfg.inst_args(inst)[1]).inst();
                let by = by.and_then(|inst| fixed(self.func, inst));
                matches!(by, Some(Fixed::Number(1..=3))) && (is(0) || is(1))
            }
            _ => false,
        }
    }

    /// Notes what an instruction calls, or goes on to.
    fn go_on(&mut self, inst: Inst, opcode: Opcode, now: At) {
        let dfg = &self.func.dfg;
        if opcode.is_call() {
            self.steps.calls.push(now);
            for (i, &arg) in dfg.inst_args(inst).iter().enumerate() {
                self.steps.lives[arg].wish = Wish::Argument(i.min(255) as u8);
            }
        }
        if !opcode.is_branch() {
            return;
        }
        let ways = dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
        for way in ways {
            let block = way.block(&dfg.value_lists);
            let met = &mut self.blocks[block];
            let back = met.at.is_none();
            if back {
                met.loops += 1;
                self.depth += 1;
                self.loops.push((OPEN | block.as_u32(), now));
            } else {
                met.reached = true;
            }
            for (param, arg) in handed(self.func, way) {
                let (from, to) = if back { (arg, param) } else { (param, arg) };
                self.steps.lives[from].wish = Wish::Like(to);
            }
        }
    }

    /// Gives all steps their numbers from in front.
    fn turn(&mut self) {
        let steps = &mut self.steps;
        let last = steps.steps.len() as At - 1;
        steps.steps.reverse();
        steps.made.reverse();
        for (value, made) in &mut steps.made {
            *made = last - *made;
            let end = &mut steps.lives[*value].end;
            *end = last - *end;
        }
        steps.calls.reverse();
        steps.calls.iter_mut().for_each(|call| *call = last - *call);
        self.loops.reverse();
        for (begin, end) in &mut self.loops {
            (*begin, *end) = (last - *begin, last - *end);
        }
    }

    /// What is made in front of a loop and needed in it is needed up to its end.
    fn lengthen(&mut self) {
        // How many loops go on behind each step.
        let mut around = vec![0u32; self.steps.steps.len()];
        for &(begin, end) in &self.loops {
            for step in &mut around[begin as usize..end as usize] {
                *step += 1;
            }
        }
        for &(value, made) in &self.steps.made {
            let life = &mut self.steps.lives[value];
            let mut left = around[life.end as usize];
            if left == 0 {
                continue;
            }
            let later = self.loops.partition_point(|&(_, end)| end <= life.end);
            for &(begin, end) in &self.loops[later..] {
                if begin > life.end {
                    continue;
                }
                left -= 1;
                if made < begin {
                    life.end = end;
                    left = around[end as usize];
                }
                if left == 0 {
                    break;
                }
            }
        }
    }
}

/// What an instruction makes that can be made anew everywhere.
fn fixed(func: &Function, inst: Inst) -> Option<Fixed> {
    match Some(func.dfg.insts[inst]) {
        Some(InstructionData::UnaryImm {
            opcode: Opcode::Iconst,
            imm,
        }) => {
            let kind = func.dfg.value_type(func.dfg.first_result(inst));
            let number = match kind.bits() {
                64 => imm.bits(),
                bits => imm.bits() & ((1 << bits) - 1),
            };
            Some(Fixed::Number(number))
        }
        Some(InstructionData::StackAddr {
            stack_slot, offset, ..
        }) => Some(Fixed::Start(stack_slot, offset.into())),
        _ => None,
    }
}
