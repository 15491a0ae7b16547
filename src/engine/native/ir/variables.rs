//! Words that change, as values: what each is at the end of every block, and where ways with different ones come together a
//! value that the block is given (after Braun and others, "Simple and Efficient Construction of Static Single Assignment Form", 2013).
//! A block whose ways are not all known is given whatever is asked of it. Without recursion: functions may have very many blocks.

use crate::engine::native::ir::{Block, Builder, Def, I64, Value, Way};
use cranelift_codegen::entity::PrimaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a word that changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variable(u32);

/// The ways into a block.
#[derive(Default)]
struct Into {
    /// From which block, and by which way.
    ways: SmallVec<[(Block, Way); 2]>,
    /// Whether these are all.
    sealed: bool,
    /// The variables that it is given before these are known.
    asked: SmallVec<[(Variable, Value); 2]>,
}

/// What is known of all variables.
#[derive(Default)]
pub(super) struct Variables {
    many: u32,
    /// What each is at the end of a block.
    known: FxHashMap<(Variable, Block), Value>,
    into: PrimaryMap<Block, Into>,
}

impl Variables {
    pub(super) fn declare(&mut self) -> Variable {
        self.many += 1;
        Variable(self.many - 1)
    }

    pub(super) fn add_block(&mut self) {
        self.into.push(Into::default());
    }

    pub(super) fn add_way(&mut self, to: Block, from: Block, way: Way) {
        let into = &mut self.into[to];
        debug_assert!(!into.sealed, "a way into a block of which all are known");
        into.ways.push((from, way));
    }

    pub(super) fn set(&mut self, variable: Variable, block: Block, value: Value) {
        self.known.insert((variable, block), value);
    }
}

/// What is still to be done to know a variable.
enum Task {
    /// Find what it is at the end of a block.
    Find(Block),
    /// Join what it is on all ways into a block, which are found, in a value of the block.
    Join(Block, Value),
}

impl Builder {
    /// What a variable is at the end of a block.
    pub(super) fn read(&mut self, variable: Variable, block: Block) -> Value {
        match self.variables.known.get(&(variable, block)) {
            Some(&value) => self.func.resolved(value),
            None => self.work(variable, vec![Task::Find(block)]),
        }
    }

    /// Gives a block, all ways into which are known, what was asked of it.
    pub(super) fn seal(&mut self, block: Block) {
        let into = &mut self.variables.into[block];
        into.sealed = true;
        for (variable, value) in std::mem::take(&mut into.asked) {
            let mut tasks = vec![Task::Join(block, value)];
            self.find_all(block, &mut tasks);
            self.work(variable, tasks);
        }
    }

    fn find_all(&self, block: Block, tasks: &mut Vec<Task>) {
        let ways = self.variables.into[block].ways.iter().rev();
        tasks.extend(ways.map(|&(from, _)| Task::Find(from)));
    }

    /// Does all tasks, the last one first: what the first found.
    fn work(&mut self, variable: Variable, mut tasks: Vec<Task>) -> Value {
        let mut found: SmallVec<[Value; 8]> = SmallVec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Find(block) => found.extend(self.find(variable, block, &mut tasks)),
                Task::Join(block, value) => {
                    let ways = self.variables.into[block].ways.len();
                    let given: SmallVec<[Value; 8]> = found.drain(found.len() - ways..).collect();
                    found.push(self.join(block, value, &given));
                }
            }
        }
        match found.pop() {
            Some(value) => self.func.resolved(value),
            None => self.iconst(I64, 0),
        }
    }

    /// What a variable is at the end of a block, or tasks to find it.
    fn find(&mut self, variable: Variable, block: Block, tasks: &mut Vec<Task>) -> Option<Value> {
        // Blocks with one way into them, through which it comes as it is.
        let mut through: SmallVec<[Block; 8]> = SmallVec::new();
        let mut at = block;
        let mut join = false;
        let value = loop {
            if let Some(&known) = self.variables.known.get(&(variable, at)) {
                break self.func.resolved(known);
            }
            through.push(at);
            let into = &self.variables.into[at];
            match (into.sealed, into.ways.as_slice()) {
                (true, &[(from, _)]) if through.len() <= self.func.blocks.len() => at = from,
                // Nothing leads here, or only blocks in a ring to which nothing leads: it does not matter.
                (true, [] | [_]) => break self.iconst(I64, 0),
                (sealed, _) => {
                    let value = self.value(Def::Param(at), I64);
                    join = sealed;
                    if !sealed {
                        self.variables.into[at].asked.push((variable, value));
                    }
                    break value;
                }
            }
        };
        for block in through {
            self.variables.set(variable, block, value);
        }
        if join {
            tasks.push(Task::Join(at, value));
            self.find_all(at, tasks);
            return None;
        }
        Some(value)
    }

    /// What a variable is where ways come together: what it is on all of them, or a value that the block is given.
    fn join(&mut self, block: Block, value: Value, given: &[Value]) -> Value {
        let resolved = given.iter().map(|&given| self.func.resolved(given));
        let given: SmallVec<[Value; 8]> = resolved.collect();
        let mut others = given.iter().copied().filter(|&given| given != value);
        if let Some(first) = others.next()
            && others.all(|other| other == first)
        {
            self.func.values[value].0 = Def::Alias(first);
            self.aliases = true;
            return first;
        }
        self.func.blocks[block].params.push(value);
        for (&(_, way), &given) in self.variables.into[block].ways.iter().zip(&given) {
            self.func.ways[way.0 as usize].args.push(given);
        }
        value
    }
}
