//! Where actions end: they are taken down, counted or found; or they were played, and the new state is stored.

use crate::board::Cells as BoardCells;
use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode, Tell};
use crate::program::kernel::{Bin, Fault, Place, Stmt, Word};
use crate::program::{
    EndResult, Life, Moment, Part, Pc, Per, PointId, TemplateId, Value, VarId, WORD_AGAIN,
    WORD_LAST, WORD_MOVER, WORD_POINT,
};

/// Holes of a set: how the list is announced.
const LIST: u64 = u32::MAX as u64;

impl<'p> Lowerer<'p> {
    /// Leaves room in the text for the values of a notation.
    pub fn open_text(&mut self, id: TemplateId, env: &mut Env, cx: Cx) {
        if !cx.tells() {
            return;
        }
        let template = &self.program.templates[id.0 as usize];
        let at = self.word(self.slots.text, env);
        let first = self.alike[id.0 as usize];
        self.f
            .store(self.room.text + 1, at, V::K(u64::from(first.0)));
        let holes = template
            .parts
            .iter()
            .filter(|p| !matches!(p, Part::Text(_)))
            .count() as u64;
        let next = self.f.bin(Bin::Add, at, V::K(1 + holes));
        self.put(self.slots.text, Bind::Word(next), env);
        if let Some(slot) = self.slot_of(template.mark, 0) {
            self.put(slot, Bind::Word(at), env);
        }
    }

    /// Fills that room.
    pub fn close_text(&mut self, id: TemplateId, env: &mut Env, cx: Cx) {
        if !cx.tells() {
            return;
        }
        let template = &self.program.templates[id.0 as usize];
        let mark = self.var_word(template.mark, env);
        let base = self.room.text + 2;
        let mut hole = 0;
        for part in &template.parts {
            let word = match part {
                Part::Text(_) => continue,
                Part::Capture(..) => {
                    self.flush(env, cx);
                    let taken = self.word(self.slots.taken, env);
                    self.f.bin(Bin::Less, NO, taken)
                }
                Part::Hole(value) => self.hole(value, env, cx),
            };
            let at = self.f.bin(Bin::Add, mark, V::K(hole));
            self.f.store(base, at, word);
            hole += 1;
        }
    }

    pub fn hole(&mut self, value: &'p Value, env: &mut Env, cx: Cx) -> V {
        match value {
            Value::Cells(set) | Value::Groups(set) => {
                let set = self.cells(set, env, cx);
                let list = self.word(self.slots.text, env);
                let base = self.room.text + 1;
                self.f.store(base, list, V::K(LIST));
                let count = self.f.count(&self.fixed, set);
                let second = self.f.bin(Bin::Add, list, YES);
                self.f.store(base, second, count);
                let third = self.f.bin(Bin::Add, list, V::K(2));
                let (next, c) = (self.f.word(), self.f.word());
                let from = self.f.reg(third);
                self.f.push(Stmt::Let(next, Word::Copy(from)));
                self.f.open();
                self.f.store(base, V::R(next), V::R(c));
                let more = self.f.bin(Bin::Add, V::R(next), YES);
                let more = self.f.reg(more);
                self.f.push(Stmt::Let(next, Word::Copy(more)));
                let body = self.f.close();
                let s = self.f.sreg(set);
                self.f.push(Stmt::ForCells(c, s, body));
                self.put(self.slots.text, Bind::Word(V::R(next)), env);
                list
            }
            Value::Num(n) => self.num(n, env, cx),
            Value::Truth(t) => self.truth(t, env, cx),
            Value::Cell(c) => self.cell_word(c, env, cx),
            Value::Run(v) => self.var_word(*v, env),
            Value::Dir(d) => self.dir(d, env),
            Value::Dirs(d) => self.dirs(d, env, cx),
            Value::Player(p) => self.player_word(p, env, cx),
            Value::Kind(k) => self.kind_word(k, env),
        }
    }

    /// An action is complete and the player is to choose again.
    pub fn boundary(&mut self, id: PointId, then: Pc, mut env: Env, cx: Cx) {
        self.leave_hook(&env);
        let point = Pc(then.0 - 1);
        let mut asked = crate::compile::kernel::flow::Asked::default();
        if self.sure.completes_at_point(then) {
            // Nothing is to be asked.
        } else if cx.mode == Mode::Candidates {
            self.leave_unasked(point);
        } else if !self.is_asked_before(point, cx) {
            let probe = Cx {
                mode: Mode::Probe,
                acted: false,
                me: cx.me,
                exit: Exit::Return,
            };
            let can = self.can_complete(then, &mut env, probe);
            if !self.only_if(can, &mut asked) {
                return;
            }
        }
        match cx.mode {
            Mode::Apply {
                tell: Tell::Alone, ..
            } => self.told(env),
            Mode::Apply { .. } => {
                self.flush(&mut env, cx);
                self.forget(id.0 as usize, &mut env);
                self.f.store(WORD_POINT as u32, NO, V::K(u64::from(id.0)));
                self.store_all(&mut env, cx);
                self.f.ret(YES);
            }
            _ => self.leaf(&mut env, cx),
        }
        for v in asked.list.into_iter().rev() {
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    /// Whether the turn can be completed from an instruction on, by trying where it is not known.
    fn can_complete(&mut self, then: Pc, env: &mut Env, probe: Cx) -> V {
        let Some(known) = self.paced(then, env, probe) else {
            let (f, args) = self.demand(Begin::Code(then), env, probe);
            return self.called_aside(f, args);
        };
        let can = self.f.word();
        self.f.push(Stmt::Let(can, Word::Const(1)));
        let not_known = self.f.not(known);
        self.f.open();
        let tried = self.aside(|l| {
            let (f, args) = l.demand(Begin::Code(then), &mut env.clone(), probe);
            l.f.call(f, args)
        });
        let tried = self.f.reg(tried);
        self.f.push(Stmt::Let(can, Word::Copy(tried)));
        let body = self.f.close();
        self.f.when(not_known, body);
        V::R(can)
    }

    /// The notation is complete, and nothing else was wanted.
    fn told(&mut self, mut env: Env) {
        let text = self.word(self.slots.text, &mut env);
        self.f.store(self.room.text, NO, text);
        self.f.ret(YES);
    }

    /// Takes an action down, or counts it.
    pub fn leaf(&mut self, env: &mut Env, cx: Cx) {
        self.leave_hook(env);
        if cx.mode.is_for_all() {
            self.note_doubt(env);
        }
        match cx.mode {
            Mode::List | Mode::Any | Mode::Ahead | Mode::Candidates => {
                let at = self.word(self.slots.path, env);
                let w = self.f.reg(at);
                let stmt = match (env.span.take(), env.ends.take()) {
                    (_, Some((ends, depth))) => {
                        self.span_asked |= self.f.depth() != depth;
                        Stmt::Leaves(w, self.f.sreg(ends), 0)
                    }
                    (Some((low, most, depth)), None) => {
                        // What is asked may be true of some lengths only.
                        self.span_asked |= self.f.depth() != depth;
                        let numbers = self.span_cells(low, most);
                        Stmt::Leaves(w, self.f.sreg(numbers), 0)
                    }
                    (None, None) => Stmt::Leaf(w),
                };
                self.f.push(stmt);
            }
            Mode::Count => {
                let many = match env.ends.take() {
                    Some((ends, depth)) => {
                        self.span_asked |= self.f.depth() != depth;
                        self.f.count(&self.fixed, ends)
                    }
                    None => YES,
                };
                let w = self.f.reg(many);
                self.f.push(Stmt::Tally(w));
            }
            _ => self.found(cx),
        }
    }

    /// The turn is complete.
    pub fn end_turn(&mut self, mut env: Env, cx: Cx) {
        self.leave_hook(&env);
        if !cx.acted {
            return;
        }
        let mut asked = crate::compile::kernel::flow::Asked::default();
        if self.program.lifts() && !matches!(cx.mode, Mode::Apply { checked: false, .. }) {
            self.flush(&mut env, cx);
            let up = self.height_up();
            let none = self.f.not(up);
            if !self.only_if(none, &mut asked) {
                return;
            }
        }
        match cx.mode {
            Mode::List | Mode::Any | Mode::Ahead | Mode::Candidates | Mode::Count | Mode::Probe => {
                self.leaf(&mut env, cx);
            }
            Mode::Apply {
                tell: Tell::Alone, ..
            } => self.told(env),
            Mode::Apply { .. } => self.finish_turn(env, cx),
            Mode::Exists | Mode::Best(..) | Mode::Gather(..) => {}
        }
        for v in asked.list.into_iter().rev() {
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    /// Locals that are not carried at a point are forgotten.
    pub fn forget(&mut self, point: usize, env: &mut Env) {
        let kept = &self.program.points[point].carried;
        for at in 0..self.program.vars.len() {
            let id = VarId(at as u16);
            if self.program.vars[at].carried && !kept.contains(&id) {
                self.reset(id, &[], env);
            }
        }
    }

    /// A variable is back at its beginning; without one, at nothing.
    pub fn reset(&mut self, id: VarId, initial: &[u64], env: &mut Env) {
        let var = self.program.var(id);
        if var.per == Per::Cell {
            for i in 0..var.stride * var.count {
                let value = initial.get(i).copied().unwrap_or(0);
                self.f
                    .store_logged((var.offset + i) as u32, NO, V::K(value));
            }
            return;
        }
        for i in 0..var.count {
            let Some(slot) = self.slot_of(id, i) else {
                continue;
            };
            let words = initial.get(i * var.stride..(i + 1) * var.stride);
            let bind = if self.slots.infos[slot.0 as usize].set {
                let set = words.map_or(NONE, |w| {
                    let set = BoardCells::from_words(w);
                    self.fix(&set)
                });
                Bind::Set(set)
            } else {
                Bind::Word(V::K(words.map_or(0, |w| w[0])))
            };
            self.put(slot, bind, env);
        }
    }

    /// At the start of a turn its values are at their beginning.
    pub fn fresh_turn(&mut self, env: &mut Env) {
        for (at, var) in self.program.vars.iter().enumerate() {
            if var.life != Life::Turn || var.per == Per::Cell {
                continue;
            }
            self.reset(VarId(at as u16), &var.initial, env);
        }
    }

    pub fn finish_turn(&mut self, mut env: Env, cx: Cx) {
        let env = &mut env;
        self.flush(env, cx);
        let system = self.program.system;
        self.count_up(system.turns, YES, env);
        if let (Some(passes), Some(passed)) = (system.passes, system.passed)
            && let Some(slot) = self.slot_of(passes, 0)
        {
            let flag = self.var_word(passed, env);
            let count = self.word(slot, env);
            let more = self.f.bin(Bin::Add, count, YES);
            let next = self.f.select(flag, more, NO);
            self.put(slot, Bind::Word(next), env);
        }
        for at in 0..self.program.vars.len() {
            if self.program.vars[at].life == Life::Turn {
                let initial = self.program.vars[at].initial.clone();
                self.reset(VarId(at as u16), &initial, env);
            }
        }
        self.forget(0, env);
        let players = self.program.players.len() as u64;
        let me = u64::from(cx.me);
        let again = if self.uses_again() {
            self.word(self.slots.again, env)
        } else {
            NO
        };
        self.put(self.slots.again, Bind::Word(NO), env);
        let last = self.f.select(again, V::K(me + 1), NO);
        let mover = self.f.select(again, V::K(me), V::K((me + 1) % players));
        self.store_all(env, cx);
        self.f.store(WORD_LAST as u32, NO, last);
        self.f.store(WORD_AGAIN as u32, NO, NO);
        self.f.store(WORD_POINT as u32, NO, NO);
        self.f.store(WORD_MOVER as u32, NO, mover);
        self.f.ret(YES);
    }

    pub fn uses_again(&self) -> bool {
        use crate::program::{Effect, Op};
        let again = |op: &Op| matches!(op, Op::Effect(Effect::Again));
        self.program.code.iter().any(again)
    }

    /// Stores what has changed.
    pub fn store_all(&mut self, env: &mut Env, cx: Cx) {
        if self.program.looks_back {
            self.pay(env);
        }
        for at in 0..env.binds.len() {
            let Some((bind, true)) = env.binds[at].clone() else {
                continue;
            };
            let Some(place) = self.slots.infos[at].place else {
                continue;
            };
            match bind {
                Bind::Set(SV::R(_) | SV::K(_)) => {
                    let Bind::Set(s) = bind else { continue };
                    let s = self.f.sreg(s);
                    let place = Place {
                        base: place,
                        index: None,
                    };
                    self.f.push(Stmt::StoreSet(place, s));
                }
                other => {
                    let v = self.encode(&other);
                    self.f.store(place, NO, v);
                }
            }
        }
        if cx.tells() {
            let text = self.word(self.slots.text, env);
            self.f.store(self.room.text, NO, text);
        }
    }

    /// Which turn begins.
    pub fn turn_number(&mut self, mut env: Env, cx: Cx) {
        for (i, turn) in self.program.turns.iter().enumerate() {
            let v = match &turn.test {
                Some(test) => self.truth(test, &mut env, cx),
                None => YES,
            };
            self.f.open();
            self.f.ret(V::K(i as u64));
            let body = self.f.close();
            self.f.when(v, body);
            if v == YES {
                return;
            }
        }
        self.f.fault(Fault::NoTurn);
    }

    /// The turn that begins, whichever it is.
    pub fn turn(&mut self, mut env: Env, cx: Cx) {
        for turn in &self.program.turns {
            let v = match &turn.test {
                Some(test) => self.truth(test, &mut env, cx),
                None => YES,
            };
            self.f.open();
            self.go(turn.pc, false, env.clone(), cx);
            self.f.ret(NO);
            let body = self.f.close();
            self.f.when(v, body);
            if v == YES {
                return;
            }
        }
        self.f.fault(Fault::NoTurn);
    }

    /// Which end of a moment holds.
    pub fn ends(&mut self, moment: u8, mut env: Env, cx: Cx) {
        let of = |m: Moment| match m {
            Moment::StartOfTurn => 0,
            Moment::AfterTurn => 1,
            Moment::AfterAction => 2,
        };
        for (i, end) in self.program.ends.iter().enumerate() {
            if of(end.moment) != moment {
                continue;
            }
            let v = self.truth(&end.test, &mut env, cx);
            self.f.open();
            self.f.ret(V::K(i as u64 + 1));
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    /// The scores of an end.
    pub fn scores(&mut self, end: u16, mut env: Env, cx: Cx) {
        let EndResult::Score(nums) = &self.program.ends[usize::from(end)].result else {
            return;
        };
        for (i, num) in nums.iter().enumerate() {
            let v = self.num(num, &mut env, cx);
            self.f.store(self.room.scratch + i as u32, NO, v);
        }
    }
}
