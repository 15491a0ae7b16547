//! Values that are kept for each player or cell, given where that is known only in play and may be none; those of players asked for.

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::flow::Asked;
use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::values::{CellV, PlayerV};
use crate::program::kernel::Bin;
use crate::program::{CellExpr, PlayerExpr, Value, VarId};

impl<'p> Lowerer<'p> {
    /// One of a variable's values for the players.
    pub fn of_player(&mut self, var: VarId, p: &'p PlayerExpr, env: &mut Env, cx: Cx) -> V {
        match self.player(p, env, cx) {
            PlayerV::Is(p) => match self.slot_of(var, usize::from(p)) {
                Some(slot) => self.word(slot, env),
                None => NO,
            },
            PlayerV::Word(v) => {
                let mut value = NO;
                for p in 0..self.program.players.len() {
                    let Some(slot) = self.slot_of(var, p) else {
                        continue;
                    };
                    let its = self.word(slot, env);
                    let is = self.f.bin(Bin::Equal, v, V::K(p as u64 + 1));
                    value = self.f.select(is, its, value);
                }
                value
            }
        }
    }

    /// Gives one of a variable's values for the players. False when the branch ends, as it does where nobody is given it.
    pub fn let_of_player(
        &mut self,
        (var, p, value): (VarId, &'p PlayerExpr, &'p Value),
        env: &mut Env,
        cx: Cx,
        asked: Option<&mut Asked>,
    ) -> bool {
        let bind = self.value(value, env, cx);
        let chosen = match self.player(p, env, cx) {
            PlayerV::Is(p) => {
                if let Some(slot) = self.slot_of(var, usize::from(p)) {
                    self.put(slot, bind, env);
                }
                return true;
            }
            PlayerV::Word(chosen) => chosen,
        };
        let Some(asked) = asked else {
            self.refuse("a value is kept for a player who may be nobody, under a condition");
            return false;
        };
        if !self.only_if(chosen, asked) {
            return false;
        }
        for p in 0..self.program.players.len() {
            let Some(slot) = self.slot_of(var, p) else {
                continue;
            };
            let is = self.f.bin(Bin::Equal, chosen, V::K(p as u64 + 1));
            let its = if let Bind::Set(new) = bind {
                let old = self.set(slot, env);
                Bind::Set(self.f.select_set(is, new, old))
            } else {
                let (new, old) = (self.encode(&bind), self.word(slot, env));
                Bind::Word(self.f.select(is, new, old))
            };
            self.put(slot, its, env);
        }
        true
    }

    /// Gives one of a variable's values for the cells. False when the branch ends, as it does where there is no cell.
    pub fn let_of_cell(
        &mut self,
        (var, c, value): (VarId, &'p CellExpr, &'p Value),
        env: &mut Env,
        cx: Cx,
        asked: Option<&mut Asked>,
    ) -> bool {
        let bind = self.value(value, env, cx);
        let word = self.encode(&bind);
        let offset = self.program.var(var).offset as u32;
        if self.program.var(var).stride > 1 {
            self.refuse("a set is kept for each cell");
            return false;
        }
        let cell = match (self.cell(c, env, cx), asked) {
            (CellV::Known(c), _) => c,
            (CellV::Maybe(c), Some(asked)) => {
                if c == NO || !self.only_if(c, asked) {
                    return false;
                }
                self.f.bin(Bin::Sub, c, YES)
            }
            (CellV::Maybe(_), None) => {
                self.refuse("a value is kept for a cell that may be none, under a condition");
                return false;
            }
        };
        self.f.store_logged(offset, cell, word);
        true
    }
}
