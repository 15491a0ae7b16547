//! Opens and closes functions: makes their code when it is first wanted, hands arguments and results over, counts calls.

use crate::engine::executor::{Executor, Frame};
use crate::engine::portable::code::{Call, Code, R, SPAN, ix};
use crate::engine::portable::effects::Stop;
use crate::engine::portable::geometry::Geometry;
use crate::engine::portable::make::make;
use crate::engine::portable::run::{Exit, Given};
use crate::program::kernel::{Fault, FuncId, Kernel, MAX_DEPTH, counted};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// Up to this width a function's fixed sets are filled in when it begins.
const HOIST: usize = 4;

/// A function that waits for one that it called.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    function: usize,
    pc: usize,
    words: usize,
    sets: usize,
    result: Option<R>,
    /// Whether what it calls is counted while it is open.
    counts: bool,
}

/// The stacks of a thread: words, words of sets, functions that wait.
#[derive(Default, Debug)]
struct Stacks {
    words: Vec<u64>,
    sets: Vec<u64>,
    waiting: Vec<Waiting>,
}

thread_local! {
    static SPARE: Cell<Option<Box<Stacks>>> = const { Cell::new(None) };
}

/// An executor at one width of sets.
#[derive(Debug)]
pub struct Portable<const N: usize> {
    given: Given<N>,
    codes: Vec<OnceLock<Code>>,
    /// For each function whether it is counted while it is open.
    counted: Vec<bool>,
    memory: usize,
}

/// Makes a stack reach so far. Fresh memory comes empty from the system, so what is not touched costs nothing.
fn reach(stack: &mut Vec<u64>, length: usize) {
    if stack.is_empty() {
        *stack = vec![0; length + length / 4];
    } else if stack.len() < length {
        stack.resize(length + length / 4, 0);
    }
}

impl<const N: usize> Portable<N> {
    /// For a kernel. Code is made when a function is first wanted.
    #[must_use]
    pub fn new(kernel: Arc<Kernel>) -> Portable<N> {
        let room = &kernel.room;
        let single = [room.tally, room.fuel, room.depth, room.fault, room.log_used];
        let moves = [room.moves_used, room.moves_count];
        let highest = single.into_iter().chain(moves).max().unwrap_or(0);
        Portable {
            memory: (room.memory as usize).max(highest as usize + 1),
            codes: kernel.functions.iter().map(|_| OnceLock::new()).collect(),
            counted: counted(&kernel.functions),
            given: Given {
                board: Geometry::new(&kernel),
                kernel,
            },
        }
    }

    fn code(&self, function: usize) -> Result<&Code, Stop> {
        let code = self.codes.get(function).ok_or(Stop::Lost)?;
        Ok(code.get_or_init(|| {
            let kernel = &self.given.kernel;
            make(kernel, &kernel.functions[function], N <= HOIST)
        }))
    }

    /// Fills in what is fixed in the windows of a function that begins.
    fn begin(
        &self,
        code: &Code,
        stacks: &mut Stacks,
        words: usize,
        sets: usize,
    ) -> Result<(), Stop> {
        reach(&mut stacks.words, words + SPAN);
        reach(&mut stacks.sets, (sets + SPAN) * N);
        let (first, constants) = &code.constants;
        let to = words + first;
        stacks.words[to..to + constants.len()].copy_from_slice(constants);
        let (first, fixed) = &code.fixed;
        let room = stacks.sets.as_chunks_mut::<N>().0;
        for (to, id) in room[sets + first..].iter_mut().zip(fixed) {
            *to = *self
                .given
                .board
                .sets
                .get(*id as usize)
                .ok_or(Stop::Lost)?
                .words();
        }
        Ok(())
    }

    /// Runs a function to its end.
    fn drive(&self, function: usize, frame: &mut Frame, stacks: &mut Stacks) -> Result<u64, Stop> {
        let room = &self.given.kernel.room;
        let mut now = Waiting {
            function,
            pc: 0,
            words: 0,
            sets: 0,
            result: None,
            counts: false,
        };
        let mut code = self.code(function)?;
        self.begin(code, stacks, 0, 0)?;
        loop {
            let words = stacks.words[now.words..].first_chunk_mut();
            let sets = stacks.sets.as_chunks_mut::<N>().0[now.sets..].first_chunk_mut();
            let (words, sets) = words.zip(sets).ok_or(Stop::Lost)?;
            let (exit, pc) = self.given.run(code, now.pc, words, sets, &mut frame.mem)?;
            now.pc = pc;
            match exit {
                Exit::Repeated(to, key) => words[ix(to)] = frame.repeated(key),
                Exit::Seen(to, key) => words[ix(to)] = u64::from(frame.seen(key)),
                Exit::Note(all, pieces) => frame.past.push((all, pieces)),
                Exit::Return(value) => {
                    let Some(caller) = stacks.waiting.pop() else {
                        return Ok(value);
                    };
                    let depth = &mut frame.mem[room.depth as usize];
                    *depth = depth.saturating_sub(u64::from(caller.counts));
                    if frame.mem[room.fault as usize] != 0 {
                        return Ok(1);
                    }
                    now = caller;
                    code = self.code(now.function)?;
                    if let Some(to) = now.result {
                        stacks.words[now.words + ix(to)] = value;
                    }
                }
                Exit::Call(number) => {
                    let call = code.calls.get(number).ok_or(Stop::Lost)?;
                    let fuel = &mut frame.mem[room.fuel as usize];
                    *fuel = fuel.checked_sub(1).ok_or(Stop::Gave(Fault::Calls))?;
                    let depth = &mut frame.mem[room.depth as usize];
                    now.counts = *self.counted.get(call.function).ok_or(Stop::Lost)?;
                    if now.counts && *depth >= MAX_DEPTH {
                        return Err(Stop::Gave(Fault::Calls));
                    }
                    *depth += u64::from(now.counts);
                    now.result = call.result;
                    stacks.waiting.push(now);
                    let (words, sets) = (now.words + code.words, now.sets + code.sets);
                    let next = self.code(call.function)?;
                    self.begin(next, stacks, words, sets)?;
                    hand_over::<N>(call, stacks, (now.words, words), (now.sets, sets));
                    code = next;
                    now = Waiting {
                        function: call.function,
                        pc: 0,
                        words,
                        sets,
                        result: None,
                        counts: false,
                    };
                }
            }
        }
    }
}

/// Copies arguments from one window into the next.
fn hand_over<const N: usize>(
    call: &Call,
    stacks: &mut Stacks,
    words: (usize, usize),
    sets: (usize, usize),
) {
    for (from, to) in &call.words {
        stacks.words[words.1 + ix(*to)] = stacks.words[words.0 + ix(*from)];
    }
    let room = stacks.sets.as_chunks_mut::<N>().0;
    for (from, to) in &call.sets {
        room[sets.1 + ix(*to)] = room[sets.0 + ix(*from)];
    }
}

impl<const N: usize> Executor for Portable<N> {
    fn prepare(&self, functions: &[FuncId]) {
        let mut todo: Vec<usize> = functions.iter().map(|f| f.0 as usize).collect();
        let mut done = vec![false; self.codes.len()];
        while let Some(function) = todo.pop() {
            if done.get(function).is_none_or(|d| *d) {
                continue;
            }
            done[function] = true;
            if let Ok(code) = self.code(function) {
                todo.extend(code.calls.iter().map(|c| c.function));
            }
        }
    }

    fn plays_whole(&self) -> bool {
        false
    }

    fn call(&self, function: FuncId, frame: &mut Frame) -> u64 {
        let room = &self.given.kernel.room;
        if frame.mem.len() < self.memory {
            frame.mem.resize(self.memory, 0);
        }
        let mut stacks = SPARE.take().unwrap_or_default();
        let result = self.drive(function.0 as usize, frame, &mut stacks);
        let open = stacks.waiting.iter().filter(|caller| caller.counts).count() as u64;
        stacks.waiting.clear();
        SPARE.set(Some(stacks));
        // Every function that was open has ended.
        let depth = &mut frame.mem[room.depth as usize];
        *depth = depth.saturating_sub(open);
        let fault = match result {
            Ok(value) => return value,
            Err(Stop::Gave(fault)) => fault,
            Err(Stop::Lost) if cfg!(any(test, debug_assertions)) => {
                panic!("a kernel wanted what is not there")
            }
            Err(Stop::Lost) => Fault::Room,
        };
        frame.mem[room.fault as usize] = fault as u64;
        1
    }
}
