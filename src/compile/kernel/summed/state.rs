//! Where a way through statements stands: what words and sets are, what would have been stored, what comes next, and for which cells.

use crate::compile::kernel::fun::SV;
use crate::compile::kernel::summed::memory::Memory;
use crate::compile::kernel::summed::values::{Many, Num, Read};
use crate::program::kernel::{Function, Label, S, Stmt, Value, W};
use std::rc::Rc;

/// The words and sets of a function.
#[derive(Clone)]
pub struct Env {
    words: Vec<Num>,
    sets: Vec<Many>,
}

impl Env {
    /// Where nothing was given yet.
    pub fn new(function: &Function) -> Env {
        Env {
            words: vec![Num::Unknown; function.words as usize],
            sets: vec![Many::Unknown; function.sets as usize],
        }
    }

    /// A word or a set gets what another has elsewhere.
    pub fn take(&mut self, to: Value, from: Value, there: &Env) {
        match (to, from) {
            (Value::Word(to), Value::Word(from)) => self.give(to, there.num(from)),
            (Value::Set(to), Value::Set(from)) => self.give_set(to, there.many(from)),
            (Value::Word(_), Value::Set(_)) | (Value::Set(_), Value::Word(_)) => {}
        }
    }

    /// A word gets a value.
    pub fn give(&mut self, to: W, num: Num) {
        if let Some(word) = self.words.get_mut(to.0 as usize) {
            *word = num;
        }
    }

    /// A set gets a value.
    pub fn give_set(&mut self, to: S, many: Many) {
        if let Some(set) = self.sets.get_mut(to.0 as usize) {
            *set = many;
        }
    }
}

impl Read for Env {
    fn num(&self, w: W) -> Num {
        self.words
            .get(w.0 as usize)
            .cloned()
            .unwrap_or(Num::Unknown)
    }

    fn many(&self, s: S) -> Many {
        self.sets
            .get(s.0 as usize)
            .copied()
            .unwrap_or(Many::Unknown)
    }
}

/// What stands around the statements that come next.
pub enum Around<'k> {
    /// A branch.
    Branch,
    /// A block.
    Block(Label),
    /// A loop, which was gone through so often.
    Loop(Label, &'k [Stmt], u32),
    /// A call: the caller's words and sets and number, and the word that the result is for.
    Call(Rc<Env>, usize, Option<W>),
}

/// Something around, what follows it, and what is around that.
pub struct Frame<'k> {
    /// What it is.
    pub around: Around<'k>,
    /// Where ways from it meet.
    pub meeting: Option<usize>,
    /// What follows.
    pub code: &'k [Stmt],
    /// What is around.
    pub then: Option<Rc<Frame<'k>>>,
}

/// Where a way stands.
#[derive(Clone)]
pub struct State<'k> {
    /// What comes next.
    pub code: &'k [Stmt],
    /// What is around it.
    pub then: Option<Rc<Frame<'k>>>,
    /// Of which function that is.
    pub function: usize,
    /// How many calls are open.
    pub calls: u32,
    /// Its words and sets.
    pub env: Rc<Env>,
    /// What would have been stored.
    pub memory: Memory,
    /// What was added to the tally.
    pub tally: Num,
    /// For which cells.
    pub cells: SV,
}

impl<'k> State<'k> {
    /// Goes into statements; behind them it goes on here.
    pub fn enter(&mut self, code: &'k [Stmt], around: Around<'k>, meeting: Option<usize>) {
        self.then = Some(Rc::new(Frame {
            around,
            meeting,
            code: self.code,
            then: self.then.take(),
        }));
        self.code = code;
    }

    /// Leaves what is around, and tells what that was.
    pub fn leave(&mut self) -> Option<Rc<Frame<'k>>> {
        let frame = self.then.take()?;
        self.code = frame.code;
        self.then.clone_from(&frame.then);
        if let Around::Call(env, function, _) = &frame.around {
            self.env = Rc::clone(env);
            self.function = *function;
            self.calls -= 1;
        }
        Some(frame)
    }

    /// A word gets a value.
    pub fn give(&mut self, to: W, num: Num) {
        Rc::make_mut(&mut self.env).give(to, num);
    }

    /// A set gets a value.
    pub fn give_set(&mut self, to: S, many: Many) {
        Rc::make_mut(&mut self.env).give_set(to, many);
    }
}
