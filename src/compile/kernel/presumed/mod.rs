//! Turns that are presumed to go on. Before: who plays asks whether what comes next in a turn can be done, and where it can the turn
//! rests there, and is listed. After: in random games the turn rests there unasked, and a word says so; where the list has nothing, the turn
//! goes on as it does where that cannot be done. What plays for somebody outside is settled behind it, see `Kernel::presumed`.
//! Conditions: the only way to where the turn rests is the question, which is whether what is listed there can be done; the list asks all
//! of it, and nothing of what comes behind its first action, where the question surely finds a way on; a turn can be completed on both
//! ways; what the other way reads is kept where the turn rests; no end is asked for within a turn.

mod doubt;
mod sites;

use crate::compile::kernel::changes::loggers;
use crate::compile::kernel::fun::{Fun, NO, V, YES};
use crate::compile::kernel::lower::{Begin, Cx, Lowerer, Mode, Tell};
use crate::compile::kernel::presumed::doubt::Doubt;
use crate::compile::kernel::presumed::sites::{Listed, Site};
use crate::compile::kernel::tidy::reached;
use crate::compile::kernel::unasked::Unasked;
use crate::program::kernel::{Entry, FuncId, Label, Presumed, Stmt};
use crate::program::{Moment, Pc, PointId, WORD_MOVER, WORD_POINT};

/// What a player is asked for a site.
#[derive(Clone, Copy, Debug)]
pub struct Presumption {
    /// Which of the points it is, and what is listed there.
    point: usize,
    list: Listed,
    /// Whether what is presumed is so.
    holds: FuncId,
    /// Goes on where it is not.
    otherwise: FuncId,
}

impl Presumption {
    /// Its functions.
    pub fn functions(&mut self) -> [&mut FuncId; 2] {
        [&mut self.holds, &mut self.otherwise]
    }
}

/// What random games presume.
#[derive(Default)]
pub struct Presuming {
    sites: Vec<Site>,
    /// The word that says so, when there are some.
    at: Option<u32>,
    /// Brings a turn that is presumed to go on to where it rests.
    settle: Option<FuncId>,
    /// What a random game leaves where it goes on without an action.
    round: Option<Label>,
    /// While it is in doubt whether a turn goes on.
    doubt: Option<Doubt>,
}

impl Lowerer<'_> {
    /// Finds out where turns are presumed to go on, now that all lists are written.
    pub fn presume(&mut self, entries: &[Vec<Entry>]) {
        let ends = &self.program.ends;
        let within_turns = ends.iter().any(|end| end.moment == Moment::AfterAction);
        if within_turns || !self.fronts.is_empty() {
            return;
        }
        let turns = self.program.turns.len();
        for at in 1..self.program.points.len() {
            let Some(mut site) = self.site(PointId(at as u32)) else {
                continue;
            };
            let lists = entries.iter().map(|of| of[turns + at - 1].list).collect();
            let reached = reached(&self.functions, lists);
            let reached = || (0..).map(FuncId).zip(&reached).filter(|(_, is)| **is);
            let leave = |how: fn(&Unasked, FuncId, Pc) -> bool| {
                let left = |pc: &Pc| reached().any(|(id, _)| how(&self.unasked, id, *pc));
                site.first.iter().any(left)
            };
            // What was hardly asked anything would be refused too often.
            if leave(Unasked::left_by) {
                continue;
            }
            site.list.exact = !leave(Unasked::left_in_part_by);
            self.presuming.sites.push(site);
        }
        if !self.presuming.sites.is_empty() {
            self.presuming.at = Some(self.scratch(1));
        }
    }

    /// What is presumed for a player: asks for the functions.
    pub fn ask_presumed(&mut self, me: u8, checked: bool) -> Vec<Presumption> {
        let sites = self.presuming.sites.clone();
        let ask = |site: &Site| {
            let point = site.point.0 as usize;
            let play = Mode::Apply {
                checked,
                tell: Tell::Nothing,
                listed: false,
            };
            let rests = Some(point);
            Presumption {
                point,
                list: site.list,
                holds: self.ask_for(me, Begin::Code(site.asked), Mode::Exists, rests),
                otherwise: self.ask_behind(me, site.otherwise, play, point),
            }
        };
        sites.iter().map(ask).collect()
    }

    /// The point at which a turn rests unasked, where an instruction asks whether it does.
    pub fn presumed(&self, pc: Pc, cx: Cx) -> Option<PointId> {
        let plays = cx.acted && matches!(cx.mode, Mode::Apply { .. });
        let site = || self.presuming.sites.iter().find(|site| site.asks == pc);
        plays.then(site).flatten().map(|site| site.point)
    }

    fn presumed_word(&mut self) -> V {
        let at = self.presuming.at;
        at.map_or(NO, |at| self.f.load(at, NO))
    }

    fn set_presumed(&mut self, value: V) {
        if let Some(at) = self.presuming.at {
            self.f.store(at, NO, value);
        }
    }

    /// Says that where the turn rests is only presumed.
    pub fn note_presumed(&mut self) {
        self.set_presumed(YES);
    }

    /// The function that brings a turn that is presumed to go on to where it rests, when there are such; its result is 1 where it was so,
    /// and nothing is changed.
    pub fn settling(&mut self, presumed: &[Vec<Presumption>]) -> Option<Presumed> {
        if presumed.iter().all(Vec::is_empty) {
            return None;
        }
        self.loggers = loggers(&self.functions);
        self.f = Fun::new();
        let settled = self.f.label();
        let so = self.f.word();
        self.let_word(so, YES);
        self.f.open();
        let flag = self.presumed_word();
        let rests = self.f.not(flag);
        self.f.when(rests, vec![Stmt::Leave(settled)]);
        self.set_presumed(NO);
        self.f.store(self.room.log_used, NO, NO);
        let mut of_players = Vec::new();
        for of_player in presumed {
            let mut bodies = vec![Vec::new(); self.program.points.len()];
            for one in of_player {
                self.f.open();
                let holds = self.f.call(one.holds, Vec::new());
                self.undo_after([one.holds]);
                self.f.when(holds, vec![Stmt::Leave(settled)]);
                self.let_word(so, NO);
                self.f.push(Stmt::Call(one.otherwise, Vec::new(), None));
                bodies[one.point] = self.f.close();
            }
            self.f.open();
            let point = self.f.load(WORD_POINT as u32, NO);
            let point = self.f.reg(point);
            self.f.push(Stmt::Switch(point, bodies));
            of_players.push(self.f.close());
        }
        let mover = self.f.load(WORD_MOVER as u32, NO);
        let mover = self.f.reg(mover);
        self.f.push(Stmt::Switch(mover, of_players));
        let body = self.f.close();
        self.f.push(Stmt::Loop(settled, body));
        self.f.ret(V::R(so));
        let settle = self.function("settle", Vec::new());
        self.presuming.settle = Some(settle);
        let at = self.presuming.at?;
        Some(Presumed { at, settle })
    }
}
