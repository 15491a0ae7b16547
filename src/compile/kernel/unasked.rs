//! What lists leave unasked. In random games a drawn action is refused where it turns out not to be legal; only what its list has
//! not asked is asked then. Before: who plays asks every requirement. After: only those at instructions where a list left them out.
//! Conditions: a kernel for random games, where an action is played from a list that was made in the same position; every list
//! of every player has been written.

use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::points::successors;
use crate::program::kernel::FuncId;
use crate::program::{Op, Pc, Program};
use rustc_hash::FxHashMap;

/// Which instructions some list did not ask.
#[derive(Default)]
pub struct Unasked {
    at: Vec<bool>,
    any: bool,
    /// Which function left out what, and what of that it asked in part.
    by: FxHashMap<(FuncId, Pc), bool>,
}

impl Unasked {
    /// Nothing is left out yet.
    pub fn new(program: &Program) -> Unasked {
        Unasked {
            at: vec![false; program.code.len() + 1],
            any: false,
            by: FxHashMap::default(),
        }
    }

    /// Whether anything was left out.
    pub fn any(&self) -> bool {
        self.any
    }

    /// Whether no list left out what an instruction asks.
    pub fn asks(&self, pc: Pc) -> bool {
        self.at.get(pc.0 as usize) == Some(&false)
    }

    /// Whether a function left out all that an instruction asks.
    pub fn left_by(&self, function: FuncId, pc: Pc) -> bool {
        self.by.get(&(function, pc)) == Some(&false)
    }

    /// Whether a function asked a part of what an instruction asks.
    pub fn left_in_part_by(&self, function: FuncId, pc: Pc) -> bool {
        self.by.get(&(function, pc)) == Some(&true)
    }

    /// Actions are played that no list has.
    pub fn all(&mut self) {
        self.at.fill(true);
    }
}

impl Lowerer<'_> {
    /// A list does not ask what an instruction asks.
    pub fn leave_unasked(&mut self, pc: Pc) {
        self.leave(pc, false);
    }

    /// A list asks a part of what an instruction asks.
    pub fn leave_in_part(&mut self, pc: Pc) {
        self.leave(pc, true);
    }

    fn leave(&mut self, pc: Pc, in_part: bool) {
        self.unasked.any = true;
        let by = self.unasked.by.entry((self.writing, pc));
        *by.or_insert(in_part) &= in_part;
        if let Some(at) = self.unasked.at.get_mut(pc.0 as usize) {
            *at = true;
        }
    }

    /// A list asks nothing from an instruction on to where its action is complete.
    pub fn leave_rest_unasked(&mut self, pc: Pc) {
        let mut next = vec![pc.0 as usize];
        let mut seen = vec![false; self.program.code.len() + 1];
        while let Some(at) = next.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            self.leave_unasked(Pc(at as u32));
            match self.program.code.get(at) {
                None | Some(Op::Point(_)) => {}
                Some(op) => next.extend(successors(op, at)),
            }
        }
    }

    /// Whether what an instruction asks is known to hold of an action that is played.
    pub fn is_asked_before(&self, pc: Pc, cx: Cx) -> bool {
        match cx.mode {
            Mode::Apply { checked: false, .. } => true,
            Mode::Apply { checked: true, .. } => self.unasked.asks(pc),
            _ => false,
        }
    }
}
