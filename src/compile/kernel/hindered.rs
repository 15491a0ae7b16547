//! Requirements that something be impossible, asked behind an own piece that was put down: where one piece more can only stand in
//! the way of it, and it was not possible before, they hold wherever the piece is put. Whether that is so is known when all
//! functions are written; until then a function stands for the answer.

use crate::compile::kernel::env::{Env, Slot};
use crate::compile::kernel::fun::{Fun, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::monotone::monotone;
use crate::program::kernel::{FuncId, Function, Stmt};
use crate::program::{Pc, Truth, Value, VarId};

/// Something that must not be possible.
pub struct Hindered {
    /// The function that stands for the answer: 1 where it cannot come to be possible by an own piece more.
    answer: FuncId,
    /// The functions of which one must find nothing.
    asked: Vec<FuncId>,
    /// The player whose piece is put down.
    me: u8,
}

impl<'p> Lowerer<'p> {
    /// The function that tells, before an own piece is put down, that a truth will not hold wherever that is done; nothing when
    /// none could.
    pub fn never_possible(
        &mut self,
        what: &'p Truth,
        (var, means): (VarId, &[(VarId, Option<&'p Value>)]),
        env: &Env,
        cx: Cx,
    ) -> Option<FuncId> {
        if self.logs() {
            return None;
        }
        let mut all = Vec::new();
        conjuncts(what, &mut all);
        let asked: Vec<FuncId> = (all.into_iter())
            .filter_map(|truth| {
                let Truth::Possible(None, sub) = truth else {
                    return None;
                };
                let begin = self.sub(*sub);
                let plain = !self.reads_chosen(begin, var, means);
                plain.then(|| self.asked_plainly(begin, env, cx))?
            })
            .collect();
        if asked.is_empty() {
            return None;
        }
        let me = cx.me;
        if let Some(known) = (self.hindered.iter()).find(|h| h.asked == asked && h.me == me) {
            return Some(known.answer);
        }
        let answer = FuncId(self.functions.len() as u32);
        self.functions.push(Function {
            name: format!("{} never", self.functions[asked[0].0 as usize].name),
            ..Function::default()
        });
        self.hindered.push(Hindered { answer, asked, me });
        Some(answer)
    }

    /// The function that asks whether something is possible, when that is all that is done.
    fn asked_plainly(&mut self, begin: Pc, env: &Env, cx: Cx) -> Option<FuncId> {
        self.f.open();
        let found = self.exists(begin, &mut env.clone(), cx);
        let body = self.f.close();
        match body.as_slice() {
            [Stmt::Call(id, given, Some(w))] if given.is_empty() && found == V::R(*w) => Some(*id),
            _ => None,
        }
    }

    /// Writes the answers, now that all functions are written that are asked.
    pub fn answer_hindered(&mut self) {
        for one in std::mem::take(&mut self.hindered) {
            self.f = Fun::new();
            for asked in one.asked {
                if self.is_only_hindered(asked, one.me) {
                    let found = self.f.call(asked, Vec::new());
                    let none = self.f.not(found);
                    self.f.open();
                    self.f.ret(YES);
                    let body = self.f.close();
                    self.f.when(none, body);
                }
            }
            let (words, sets, body) = std::mem::take(&mut self.f).finish();
            let function = &mut self.functions[one.answer.0 as usize];
            (function.words, function.sets, function.body) = (words, sets, body);
        }
    }

    /// Whether what a function looks for can only be hindered by more pieces of a player: it reads nothing but whose pieces stand
    /// where.
    fn is_only_hindered(&self, asked: FuncId, me: u8) -> bool {
        let Some((reads, ways)) = monotone(&self.functions, asked) else {
            return false;
        };
        let place = |slot: &Slot| self.slots.infos[usize::from(slot.0)].place;
        let own = place(&self.slots.owned[usize::from(me)]);
        reads.iter().enumerate().all(|(at, read)| {
            let (helps, _) = ways.of(at);
            let of_player = self
                .slots
                .owned
                .iter()
                .any(|s| place(s) == Some(read.place));
            read.set && of_player && !(helps && own == Some(read.place))
        })
    }
}

/// All that must hold for a truth to hold.
fn conjuncts<'t>(truth: &'t Truth, all: &mut Vec<&'t Truth>) {
    if let Truth::And(a, b) = truth {
        conjuncts(a, all);
        conjuncts(b, all);
    } else {
        all.push(truth);
    }
}
