//! A function as a row of steps: its blocks, and the instructions in them that do something. After: for each value how long it is
//! needed, and how often. What is used once, right behind where it is made, can be made there. Conditions: a block that is gone on to
//! stands behind one from which that is done, and so what is given a value stands in front of what uses it.

use crate::engine::native::ir::{self, Block, Func, I8, I64, Inst, Two, Value, Way};
use cranelift_codegen::entity::{EntityRef, EntitySet, SecondaryMap};
use std::cmp::Reverse;

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Block(Block),
    /// The instruction with a number.
    Inst(ir::At),
}

/// The number of a step.
pub(super) type At = u32;

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
    func: &'f Func,
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
    pub(super) fn new(func: &Func) -> Result<Steps, String> {
        let values = func.many_values();
        let mut finder = Finder {
            func,
            steps: Steps {
                steps: Vec::with_capacity(func.many_insts()),
                made: Vec::with_capacity(values),
                lives: map_of(values),
                joined: EntitySet::with_capacity(values),
                calls: Vec::new(),
            },
            uses: map_of(values),
            loops: Vec::new(),
            blocks: map_of(func.many_blocks()),
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

/// The values that a way to another block hands over, and what they are called there.
pub(super) fn handed(func: &Func, way: Way) -> impl Iterator<Item = (Value, Value)> {
    let way = func.way(way);
    let params = &func.block(way.to).params;
    params.iter().copied().zip(way.args.iter().copied())
}

impl Finder<'_> {
    fn find(&mut self) -> Result<(), String> {
        let func = self.func;
        for &block in func.order.iter().rev() {
            // The step that uses what is made where it is used.
            let mut anchor = 0;
            for at in func.block(block).insts.clone().rev() {
                self.inst(at, &mut anchor)?;
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
            for &param in func.block(block).params.iter().rev() {
                self.make(param, now);
            }
            self.depth -= loops;
        }
        if let Some(&entry) = func.order.first() {
            self.blocks[entry].reached = true;
            for (i, &param) in func.block(entry).params.iter().enumerate() {
                self.steps.lives[param].wish = Wish::Argument(i.min(255) as u8);
            }
        }
        let all = func.order.iter().all(|&block| self.blocks[block].reached);
        all.then_some(())
            .ok_or_else(|| "a block that stands in front of all that lead to it".to_owned())
    }

    fn inst(&mut self, at: ir::At, anchor: &mut At) -> Result<(), String> {
        let func = self.func;
        let inst = func.inst(at);
        let results = func.results(at);
        if inst.only_gives() && results.clone().all(|result| self.uses[result] == 0) {
            return Ok(());
        }
        let known = |value| matches!(func.kind(value), I8 | I64);
        if !results.clone().all(known) {
            return Err("values of several words".to_owned());
        }
        let now = self.steps.steps.len() as At;
        let joined = match (results.clone().next(), self.steps.steps.last()) {
            (Some(value), Some(&Step::Inst(next))) => {
                self.uses[value] == 1 && self.joins(inst, value, func.inst(next))
            }
            _ => false,
        };
        if joined {
            self.steps.joined.extend(results);
        } else {
            *anchor = now;
            self.go_on(inst, now);
            for result in results.rev() {
                self.make(result, now);
            }
        }
        self.steps.steps.push(Step::Inst(at));
        let (often, end) = (self.often(), *anchor);
        let (lives, uses) = (&mut self.steps.lives, &mut self.uses);
        func.each_used(inst, |value| {
            let life = &mut lives[value];
            life.weight += often;
            let uses = &mut uses[value];
            if *uses == 0 {
                life.end = end;
            }
            *uses += 1;
        });
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
    fn joins(&self, inst: Inst, value: Value, next: Inst) -> bool {
        match (inst, next) {
            (Inst::Compare(..), Inst::Branch(truth, _) | Inst::Select([truth, ..])) => {
                truth == value
            }
            (
                Inst::Two(Two::Add, _),
                Inst::Load(_, at, _) | Inst::Byte(_, at, _) | Inst::Store(_, [_, at], _),
            ) => at == value,
            (Inst::Two(Two::Left, [_, by]), Inst::Two(Two::Add, both)) => {
                matches!(self.func.number(by), Some(1..=3)) && both.contains(&value)
            }
            _ => false,
        }
    }

    /// Notes what an instruction calls, or goes on to.
    fn go_on(&mut self, inst: Inst, now: At) {
        if let Inst::Call(_, args) = inst {
            self.steps.calls.push(now);
            for (i, &arg) in self.func.list(args).iter().enumerate() {
                self.steps.lives[arg].wish = Wish::Argument(i.min(255) as u8);
            }
        }
        for way in self.func.goes(inst) {
            let block = self.func.way(way).to;
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
        if self.loops.is_empty() {
            return;
        }
        self.loops
            .sort_unstable_by_key(|&(begin, end)| (begin, Reverse(end)));
        let around = Around::new(&self.loops, self.steps.steps.len());
        for &(value, made) in &self.steps.made {
            let life = &mut self.steps.lives[value];
            while let Some(end) = around.end_of(made, life.end) {
                life.end = end;
            }
        }
    }
}

/// The loops around steps.
struct Around<'l> {
    /// From where to where they go, those that begin first first, and of these the longest.
    loops: &'l [(At, At)],
    /// For each the one around it.
    outer: Vec<Option<u32>>,
    /// For each step the innermost.
    inner: Vec<Option<u32>>,
}

impl Around<'_> {
    fn new(loops: &[(At, At)], steps: usize) -> Around<'_> {
        let mut outer = Vec::with_capacity(loops.len());
        let mut inside = None;
        let inner = (0..steps as At).map(|step| {
            while let Some((begin, _)) = loops.get(outer.len())
                && *begin == step
            {
                let number = outer.len() as u32;
                outer.push(inside.replace(number));
            }
            while let Some(number) = inside
                && loops[number as usize].1 <= step
            {
                inside = outer[number as usize];
            }
            inside
        });
        let inner = inner.collect();
        Around {
            loops,
            outer,
            inner,
        }
    }

    /// How far what is made in one step and needed in another is needed, if that is further.
    fn end_of(&self, made: At, needed: At) -> Option<At> {
        let (mut inside, mut last) = (self.inner[needed as usize], needed);
        while let Some(number) = inside
            && self.loops[number as usize].0 > made
        {
            last = last.max(self.loops[number as usize].1);
            inside = self.outer[number as usize];
        }
        (last > needed).then_some(last)
    }
}
