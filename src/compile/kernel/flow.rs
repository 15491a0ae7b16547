//! From instruction to instruction: what branches becomes loops and inner blocks, what meets again becomes a function, and at
//! the end of each way stands what the function is for.

use crate::compile::kernel::env::{Bind, Env, Slot, follows_effects};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::reads::Asker;
use crate::compile::kernel::values::CellV;
use crate::compile::liveness::live;
use crate::compile::points::successors;
use crate::program::kernel::{Bin, FuncId, Place, Set, Stmt, Value as Arg, Word};
use crate::program::{
    Effect, Members, Num, Op, Pc, Per, Program, SubId, Truth, Value, VarId, op_vars,
};

/// What the program's shape tells.
pub struct Study {
    /// Instructions that are come to in several ways.
    pub joins: Vec<bool>,
    /// Instructions to which something leads back.
    pub heads: Vec<bool>,
    /// Whether pieces are looked at from an instruction on.
    pub looks: Vec<bool>,
    /// For each instruction the variables read from there on, as bits.
    pub live: Vec<Vec<u64>>,
    /// Whether rules ask for arrangements that have been before.
    pub asks_back: bool,
}

/// Reads the shape of a program.
pub fn study(program: &Program) -> Study {
    let code = &program.code;
    let mut ways = vec![0u32; code.len() + 1];
    let mut heads = vec![false; code.len() + 1];
    for (at, op) in code.iter().enumerate() {
        for next in successors(op, at) {
            ways[next.min(code.len())] += 1;
            heads[next.min(code.len())] |= next <= at;
        }
    }
    let asker = Asker { program, me: 0 };
    let mut looks: Vec<bool> = vec![false; code.len() + 1];
    let mut asks_back = false;
    for (at, op) in code.iter().enumerate() {
        let truth = |t: &Truth| (asker.truth(t).pieces(), asker.truth(t).unseen);
        let (own, back) = match op {
            Op::Require(t, _) | Op::JumpUnless(t, _) => truth(t),
            Op::Let(_, Value::Truth(t)) => truth(t),
            Op::Let(_, Value::Num(n)) => (asker.num(n).pieces(), asker.num(n).unseen),
            Op::Clear(_) | Op::Jump(_) | Op::Branch(_) | Op::ActionDone | Op::Point(_) => {
                (false, false)
            }
            Op::Succeed | Op::EndTurn | Op::Open(_) | Op::Close(_) => (false, false),
            _ => (true, false),
        };
        let reads = op_vars(op, &program.pictures, &program.templates).reads;
        looks[at] = own || reads.iter().any(|v| follows_effects(program, *v));
        asks_back |= back;
    }
    loop {
        let mut changed = false;
        for at in (0..code.len()).rev() {
            let later = successors(&code[at], at)
                .iter()
                .any(|n| looks[(*n).min(code.len())]);
            if later && !looks[at] {
                looks[at] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Study {
        joins: ways.iter().map(|n| *n > 1).collect(),
        heads,
        looks,
        live: live(program),
        asks_back,
    }
}

/// What is asked before something can be done: the inner blocks that were begun.
#[derive(Default)]
pub struct Asked {
    /// The conditions.
    pub list: Vec<V>,
    /// Whether everything is known to be possible.
    pub trust: bool,
}

/// A tail of so few instructions is written wherever it is come to.
const SHORT: usize = 7;
/// A subprogram of so few is written where it is asked for.
const SMALL: usize = 16;

impl<'p> Lowerer<'p> {
    /// Writes what follows from an instruction on.
    pub fn go(&mut self, begin: Pc, mut fresh: bool, mut env: Env, mut cx: Cx) {
        let mut asked = Asked {
            list: Vec::new(),
            trust: matches!(cx.mode, Mode::Apply { checked: false, .. }),
        };
        let mut pc = begin;
        loop {
            if !fresh && self.joins[pc.0 as usize] && !self.is_short(pc) {
                self.call_on(pc, &mut env, cx);
                break;
            }
            fresh = false;
            let next = Pc(pc.0 + 1);
            match self.op(pc) {
                Op::Require(test, _) => {
                    if !self.require(pc, test, &mut env, cx, &mut asked) {
                        break;
                    }
                    pc = next;
                }
                Op::Jump(to) => pc = *to,
                Op::ActionDone => {
                    self.count_up(self.program.system.actions, YES, &mut env);
                    cx.acted = true;
                    pc = next;
                }
                Op::Effect(effect) => {
                    if !self.effect(effect, &mut env, cx, &mut asked) {
                        break;
                    }
                    pc = next;
                }
                Op::Choose(var, domain) => {
                    if matches!(cx.mode, Mode::Apply { .. }) {
                        self.chosen(*var, domain, &mut env, cx);
                        pc = next;
                    } else {
                        self.choose(*var, domain, pc, env, cx);
                        break;
                    }
                }
                Op::Line(picture) => {
                    if matches!(cx.mode, Mode::Apply { .. }) {
                        self.line_chosen(*picture, &mut env, cx);
                        pc = next;
                    } else {
                        self.line(*picture, pc, env, cx);
                        break;
                    }
                }
                Op::Branch(ways) => {
                    self.branch(ways, env, cx);
                    break;
                }
                Op::JumpUnless(test, to) => {
                    match self.unless(pc, test, *to, &mut env, cx) {
                        Some(then) => pc = then,
                        None => break,
                    }
                    // There is one way to there from here, unless it leads back.
                    fresh = !self.heads[pc.0 as usize];
                }
                Op::Each {
                    var,
                    rest,
                    members,
                    exit,
                } => match self.each(*var, *rest, *members, next, *exit, &mut env, cx) {
                    Some(then) => pc = then,
                    None => break,
                },
                Op::Best { sub, key, most, into } => {
                    let v = self.best(pc, *sub, key, *most, &mut env, cx);
                    let (any, value) = v;
                    if !self.only_if(any, &mut asked) {
                        break;
                    }
                    if let Some(slot) = self.slot_of(*into, 0) {
                        self.put(slot, Bind::Word(value), &mut env);
                    }
                    pc = next;
                }
                Op::Point(id) => {
                    let enumerates = matches!(
                        cx.mode,
                        Mode::List | Mode::Count | Mode::Candidates | Mode::Apply { .. }
                    );
                    if cx.acted && enumerates {
                        self.boundary(*id, next, env, cx);
                        break;
                    }
                    pc = next;
                }
                Op::Succeed => {
                    self.succeed(&mut env, cx);
                    break;
                }
                Op::EndTurn => {
                    self.end_turn(env, cx);
                    break;
                }
                other => {
                    self.simple(other, &mut env, cx);
                    pc = next;
                }
            }
        }
        for v in asked.list.into_iter().rev() {
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    /// An instruction that only gives values or writes notation.
    fn simple(&mut self, op: &'p Op, env: &mut Env, cx: Cx) {
        match op {
            Op::Let(var, value) => {
                let bind = self.value(value, env, cx);
                if let Some(slot) = self.slot_of(*var, 0) {
                    self.put(slot, bind, env);
                }
            }
            Op::Clear(var) => self.clear(*var, env),
            Op::LetOfPlayer(var, p, value) => {
                let bind = self.value(value, env, cx);
                match self.player(p, env, cx) {
                    crate::compile::kernel::values::PlayerV::Is(p) => {
                        if let Some(slot) = self.slot_of(*var, usize::from(p)) {
                            self.put(slot, bind, env);
                        }
                    }
                    crate::compile::kernel::values::PlayerV::Word(_) => {
                        self.refuse("a value is kept for a player who is chosen");
                    }
                }
            }
            Op::LetOfCell(var, c, value) => {
                let bind = self.value(value, env, cx);
                let word = self.encode(&bind);
                let offset = self.program.var(*var).offset as u32;
                if self.program.var(*var).stride > 1 {
                    return self.refuse("a set is kept for each cell");
                }
                match self.cell(c, env, cx) {
                    CellV::Known(c) => self.f.store_logged(offset, c, word),
                    CellV::Maybe(_) => self.refuse("a value is kept for a cell that may be none"),
                }
            }
            Op::Open(id) => self.open_text(*id, env, cx),
            Op::Close(id) => {
                self.tell_apart(*id, env, cx);
                self.close_text(*id, env, cx);
            }
            _ => self.refuse("an instruction out of place"),
        }
    }

    fn clear(&mut self, var: VarId, env: &mut Env) {
        let v = self.program.var(var);
        if v.per == Per::Cell {
            for at in v.offset..v.offset + v.stride * v.count {
                self.f.store_logged(at as u32, NO, NO);
            }
            return;
        }
        for i in 0..v.count {
            if let Some(slot) = self.slot_of(var, i) {
                let bind = if self.slots.infos[slot.0 as usize].set {
                    Bind::Set(NONE)
                } else {
                    Bind::Word(NO)
                };
                self.put(slot, bind, env);
            }
        }
    }

    /// A value of any type.
    fn value(&mut self, value: &'p Value, env: &mut Env, cx: Cx) -> Bind {
        match value {
            Value::Num(n) => Bind::Word(self.num(n, env, cx)),
            Value::Truth(t) => Bind::Word(self.truth(t, env, cx)),
            Value::Cell(c) => match self.cell(c, env, cx) {
                CellV::Known(c) => Bind::Cell(c),
                CellV::Maybe(w) => Bind::Word(w),
            },
            Value::Cells(c) | Value::Groups(c) => Bind::Set(self.cells(c, env, cx)),
            Value::Run(v) => match self.run_of(*v, env) {
                Ok(run) => Bind::Run(run),
                Err(w) => Bind::Word(w),
            },
            Value::Dir(d) => Bind::Word(self.dir(d, env)),
            Value::Dirs(d) => Bind::Word(self.dirs(d, env, cx)),
            Value::Player(p) => Bind::Word(self.player_word(p, env, cx)),
            Value::Kind(k) => Bind::Word(self.kind_word(k, env)),
        }
    }

    /// What follows happens only when the truth holds. False when it never does.
    pub fn only_if(&mut self, v: V, asked: &mut Asked) -> bool {
        match v {
            V::K(0) => asked.trust,
            V::K(_) => true,
            V::R(_) => {
                if !asked.trust {
                    self.f.open();
                    asked.list.push(v);
                }
                true
            }
        }
    }

    fn require(&mut self, pc: Pc, test: &'p Truth, env: &mut Env, cx: Cx, asked: &mut Asked) -> bool {
        if asked.trust || env.proven.contains(&pc.0) {
            return true;
        }
        if cx.mode == Mode::Candidates && self.is_heavy(test, cx) {
            self.deferred = true;
            return true;
        }
        let v = self.truth(test, env, cx);
        self.only_if(v, asked)
    }

    /// Whether a requirement is better asked of the one action that is to be played.
    pub fn is_heavy(&self, test: &Truth, cx: Cx) -> bool {
        self.asker(cx).truth(test).cost >= 20
    }

    /// Whether what comes is so short that it need not be a function.
    fn is_short(&self, pc: Pc) -> bool {
        let mut at = pc;
        for _ in 0..SHORT {
            match self.op(at) {
                Op::Succeed | Op::EndTurn => return true,
                Op::Jump(to) => {
                    if to.0 <= at.0 {
                        return false;
                    }
                    at = *to;
                }
                Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Close(_) | Op::ActionDone => {
                    at = Pc(at.0 + 1);
                }
                Op::Effect(Effect::Move(..) | Effect::Pass | Effect::Again) => {
                    at = Pc(at.0 + 1);
                }
                _ => return false,
            }
        }
        false
    }

    /// Goes on in a function.
    fn call_on(&mut self, pc: Pc, env: &mut Env, cx: Cx) {
        let (id, args) = self.demand(Begin::Code(pc), env, Cx { exit: Exit::Return, ..cx });
        match cx.mode {
            Mode::Apply { .. } => {
                let v = self.f.call(id, args);
                self.f.ret(v);
            }
            Mode::Exists | Mode::Probe => {
                let v = self.f.call(id, args);
                self.f.open();
                self.found(cx);
                let body = self.f.close();
                self.f.when(v, body);
            }
            Mode::List | Mode::Count | Mode::Candidates | Mode::Best(..) | Mode::Gather(..) => {
                self.f.logged += 1;
                self.f.push(Stmt::Call(id, args, None));
            }
        }
    }

    /// What was looked for is there.
    pub fn found(&mut self, cx: Cx) {
        match cx.exit {
            Exit::Leave(label, w) => {
                self.f.push(Stmt::Let(w, Word::Const(1)));
                self.f.push(Stmt::Leave(label));
            }
            Exit::Return | Exit::Gather(_) | Exit::Best(..) => self.f.ret(YES),
        }
    }

    fn succeed(&mut self, env: &mut Env, cx: Cx) {
        match cx.mode {
            Mode::Gather(var, at) => {
                let more = self.gathered(var, env);
                if let Exit::Gather(set) = cx.exit {
                    let all = self.f.or(&mut self.fixed, SV::R(set), more);
                    let all = self.f.sreg(all);
                    self.f.push(Stmt::LetSet(set, Set::Copy(all)));
                    return;
                }
                let place = Place {
                    base: at,
                    index: None,
                };
                let old = self.f.make_set(Set::Load(place));
                let all = self.f.or(&mut self.fixed, old, more);
                let all = self.f.sreg(all);
                self.f.push(Stmt::StoreSet(place, all));
            }
            Mode::Best(pc, at) => {
                let Op::Best { key, most, .. } = self.op(Pc(pc)) else {
                    return;
                };
                let value = self.num(key, env, cx);
                let (any, best) = match cx.exit {
                    Exit::Best(any, best) => (V::R(any), V::R(best)),
                    _ => (self.f.load(at, NO), self.f.load(at + 1, NO)),
                };
                let how = if *most { Bin::Larger } else { Bin::Smaller };
                let better = self.f.bin(how, best, value);
                let new = self.f.select(any, better, value);
                if let Exit::Best(any, best) = cx.exit {
                    let new = self.f.reg(new);
                    self.f.push(Stmt::Let(best, Word::Copy(new)));
                    self.f.push(Stmt::Let(any, Word::Const(1)));
                } else {
                    self.f.store(at + 1, NO, new);
                    self.f.store(at, NO, YES);
                }
            }
            _ => self.found(cx),
        }
    }

    /// What a variable adds to the gathered cells.
    fn gathered(&mut self, var: VarId, env: &mut Env) -> SV {
        let Some(slot) = self.slot_of(var, 0) else {
            return NONE;
        };
        match self.get(slot, env) {
            Bind::Set(s) => s,
            Bind::Cell(c) => self.single(CellV::Known(c)),
            Bind::Word(w) => self.single(CellV::Maybe(w)),
            Bind::Run(run) => self.run_cells(&run),
        }
    }

    /// Whether a subprogram is small and straight enough to be written where it is asked for.
    fn is_small(&self, begin: Pc) -> bool {
        let mut seen = vec![begin.0 as usize];
        let mut at = 0;
        while at < seen.len() {
            for next in successors(&self.program.code[seen[at]], seen[at]) {
                if self.joins[next] && !self.is_short(Pc(next as u32)) {
                    return false;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
            if seen.len() > SMALL {
                return false;
            }
        }
        true
    }

    /// Whether anything is stored with a log.
    pub fn logs(&self) -> bool {
        self.program.stacking || self.program.vars.iter().any(|v| v.per == Per::Cell)
    }

    /// Writes something whose changes are taken back.
    pub fn aside<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        if !self.logs() {
            return write(self);
        }
        let mark = self.f.word();
        self.f.push(Stmt::Mark(mark));
        let result = write(self);
        self.f.push(Stmt::Undo(mark));
        result
    }

    /// A call whose changes are taken back.
    pub fn called_aside(&mut self, id: FuncId, args: Vec<Arg>) -> V {
        self.aside(|l| l.f.call(id, args))
    }

    /// Whether a subprogram can be run to its end.
    pub fn exists(&mut self, begin: Pc, env: &mut Env, cx: Cx) -> V {
        if let Some(v) = self.picture_exists(begin, env, cx) {
            return v;
        }
        let sub = Cx {
            mode: Mode::Exists,
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        if !self.is_small(begin) {
            let (id, args) = self.demand(Begin::Code(begin), env, sub);
            return self.called_aside(id, args);
        }
        self.settle_piles(env, cx);
        let (label, w) = (self.f.label(), self.f.word());
        self.f.push(Stmt::Let(w, Word::Const(0)));
        let inner = env.clone();
        self.aside(|l| {
            l.f.open();
            let exit = Exit::Leave(label, w);
            l.go(begin, true, inner, Cx { exit, ..sub });
            let body = l.f.close();
            l.f.push(Stmt::Block(label, body));
        });
        V::R(w)
    }

    /// The cells of a variable over all runs of a subprogram.
    pub fn gather(&mut self, var: VarId, begin: Pc, env: &mut Env, cx: Cx) -> SV {
        let sub = Cx {
            mode: Mode::Gather(var, 0),
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        self.settle_piles(env, cx);
        if self.is_small(begin) {
            let set = self.f.set();
            let none = self.f.sreg(NONE);
            self.f.push(Stmt::LetSet(set, Set::Copy(none)));
            let exit = Exit::Gather(set);
            let inner = env.clone();
            self.aside(|l| l.go(begin, true, inner, Cx { exit, ..sub }));
            return SV::R(set);
        }
        let at = self.scratch(self.room.words);
        let place = Place {
            base: at,
            index: None,
        };
        let none = self.f.sreg(NONE);
        self.f.push(Stmt::StoreSet(place, none));
        let mode = Mode::Gather(var, at);
        let (id, args) = self.demand(Begin::Code(begin), env, Cx { mode, ..sub });
        self.called_aside(id, args);
        self.f.make_set(Set::Load(place))
    }

    /// The most or least of a number over all runs of a subprogram: whether there is one, and it.
    fn best(&mut self, pc: Pc, sub: SubId, key: &'p Num, most: bool, env: &mut Env, cx: Cx) -> (V, V) {
        let _ = (key, most);
        let begin = self.sub(sub);
        if self.is_small(begin) {
            self.settle_piles(env, cx);
            let (any, best) = (self.f.word(), self.f.word());
            self.f.push(Stmt::Let(any, Word::Const(0)));
            self.f.push(Stmt::Let(best, Word::Const(0)));
            let sub = Cx {
                mode: Mode::Best(pc.0, 0),
                acted: false,
                me: cx.me,
                exit: Exit::Best(any, best),
            };
            let inner = env.clone();
            self.aside(|l| l.go(begin, true, inner, sub));
            return (V::R(any), V::R(best));
        }
        let at = self.scratch(2);
        self.f.store(at, NO, NO);
        let cx = Cx {
            mode: Mode::Best(pc.0, at),
            acted: false,
            me: cx.me,
            exit: Exit::Return,
        };
        let (id, args) = self.demand(Begin::Code(begin), env, cx);
        self.called_aside(id, args);
        (self.f.load(at, NO), self.f.load(at + 1, NO))
    }

    /// Two ways: where to go on when they meet again at once, nothing when both are written.
    fn unless(&mut self, pc: Pc, test: &'p Truth, to: Pc, env: &mut Env, cx: Cx) -> Option<Pc> {
        let next = Pc(pc.0 + 1);
        let v = self.truth(test, env, cx);
        let w = match v {
            V::K(0) => return Some(to),
            V::K(_) => return Some(next),
            V::R(w) => w,
        };
        if let Some(meet) = self.diamond(next, to) {
            self.flush(env, cx);
            if self.program.looks_back {
                self.pay(env);
            }
            let (mut a, mut b) = (env.clone(), env.clone());
            self.f.open();
            self.arm(next, meet, &mut a, cx);
            let yes = self.f.close();
            self.f.open();
            self.arm(to, meet, &mut b, cx);
            let no = self.f.close();
            self.merge(w, (yes, a), (no, b), env);
            return Some(meet);
        }
        self.f.open();
        self.go(next, false, env.clone(), cx);
        let yes = self.f.close();
        self.f.open();
        self.go(to, false, env.clone(), cx);
        let no = self.f.close();
        self.f.push(Stmt::If(w, yes, no));
        None
    }

    /// Where two ways meet that only give values and have effects that cannot fail.
    pub fn diamond(&self, a: Pc, b: Pc) -> Option<Pc> {
        let end = |mut at: Pc| {
            let mut seen = Vec::new();
            loop {
                seen.push(at);
                match self.op(at) {
                    Op::Jump(to) if to.0 > at.0 => at = *to,
                    Op::Let(..) | Op::Clear(_) => at = Pc(at.0 + 1),
                    Op::Effect(
                        Effect::Mark(..)
                        | Effect::Unmark(..)
                        | Effect::Again
                        | Effect::Pass
                        | Effect::ExchangeSeats,
                    ) => at = Pc(at.0 + 1),
                    _ => return seen,
                }
                if seen.len() > 12 {
                    return seen;
                }
            }
        };
        let (x, y) = (end(a), end(b));
        x.into_iter().find(|pc| y.contains(pc))
    }

    fn arm(&mut self, from: Pc, to: Pc, env: &mut Env, cx: Cx) {
        let mut at = from;
        while at != to {
            match self.op(at) {
                Op::Jump(next) => at = *next,
                Op::Effect(effect) => {
                    let mut asked = Asked::default();
                    self.effect(effect, env, cx, &mut asked);
                    at = Pc(at.0 + 1);
                }
                op => {
                    self.simple(op, env, cx);
                    at = Pc(at.0 + 1);
                }
            }
        }
        self.flush(env, cx);
    }

    /// One environment of two: what differs gets a register that both arms fill.
    fn merge(
        &mut self,
        w: crate::program::kernel::W,
        yes: (crate::program::kernel::Body, Env),
        no: (crate::program::kernel::Body, Env),
        env: &mut Env,
    ) {
        let ((yes, mut a), (no, mut b)) = (yes, no);
        let many = a.binds.len().max(b.binds.len());
        let (mut fill_a, mut fill_b) = (Vec::new(), Vec::new());
        for at in 0..many {
            let (x, y) = (
                a.binds.get(at).cloned().flatten(),
                b.binds.get(at).cloned().flatten(),
            );
            if x == y {
                continue;
            }
            let slot = Slot(at as u16);
            let changed = x.as_ref().is_some_and(|x| x.1) || y.as_ref().is_some_and(|y| y.1);
            if !changed {
                // Remembered in one arm only.
                if let Some(entry) = env.binds.get_mut(at)
                    && entry.as_ref().is_none_or(|e| !e.1)
                {
                    *entry = None;
                }
                continue;
            }
            let (x, y) = (self.get(slot, &mut a), self.get(slot, &mut b));
            if self.slots.infos[at].set {
                let to = self.f.set();
                for (bind, list) in [(x, &mut fill_a), (y, &mut fill_b)] {
                    let Bind::Set(s) = bind else { continue };
                    let s = self.f.sreg(s);
                    list.push(Stmt::LetSet(to, Set::Copy(s)));
                }
                self.put(slot, Bind::Set(SV::R(to)), env);
            } else {
                let to = self.f.word();
                for (bind, list) in [(x, &mut fill_a), (y, &mut fill_b)] {
                    self.f.open();
                    let v = self.encode(&bind);
                    let from = self.f.reg(v);
                    list.extend(self.f.close());
                    list.push(Stmt::Let(to, Word::Copy(from)));
                }
                self.put(slot, Bind::Word(V::R(to)), env);
            }
        }
        env.facts.retain(|f| a.facts.contains(f) && b.facts.contains(f));
        env.captured.clear();
        let (mut yes, mut no) = (yes, no);
        yes.extend(fill_a);
        no.extend(fill_b);
        self.f.push(Stmt::If(w, yes, no));
    }

    /// A loop's next member: where to go on, when only one way is left.
    #[allow(clippy::too_many_arguments, reason = "the fields of one instruction")]
    fn each(
        &mut self,
        var: VarId,
        rest: VarId,
        members: Members,
        next: Pc,
        exit: Pc,
        env: &mut Env,
        cx: Cx,
    ) -> Option<Pc> {
        let (Some(var), Some(rest)) = (self.slot_of(var, 0), self.slot_of(rest, 0)) else {
            self.refuse("a loop over what is kept for each cell");
            return None;
        };
        if members == Members::Players {
            let n = self.word(rest, env);
            let more = self.f.bin(Bin::Less, n, V::K(self.program.players.len() as u64));
            let after = self.f.bin(Bin::Add, n, YES);
            let go_on = |l: &mut Self, env: &mut Env| {
                l.put(rest, Bind::Word(after), env);
                l.put(var, Bind::Word(after), env);
            };
            return match more {
                V::K(0) => Some(exit),
                V::K(_) => {
                    go_on(self, env);
                    Some(next)
                }
                V::R(w) => {
                    self.two_ways(w, env, next, exit, cx, go_on);
                    None
                }
            };
        }
        let left = self.set(rest, env);
        let some = self.f.some(&self.fixed, left);
        let s = self.f.sreg(left);
        let go_on = |l: &mut Self, env: &mut Env| {
            let first = l.f.make(Word::First(s));
            if members == Members::Parts {
                let part = l.f.part(left, first);
                let rest_now = l.f.without(&mut l.fixed, left, part);
                l.put(rest, Bind::Set(rest_now), env);
                l.put(var, Bind::Set(part), env);
            } else {
                let rest_now = l.f.less(left, first);
                l.put(rest, Bind::Set(rest_now), env);
                l.put(var, Bind::Cell(first), env);
            }
        };
        match some {
            V::K(0) => Some(exit),
            V::K(_) => {
                go_on(self, env);
                Some(next)
            }
            V::R(w) => {
                self.two_ways(w, env, next, exit, cx, go_on);
                None
            }
        }
    }

    fn two_ways(
        &mut self,
        w: crate::program::kernel::W,
        env: &mut Env,
        next: Pc,
        exit: Pc,
        cx: Cx,
        go_on: impl FnOnce(&mut Self, &mut Env),
    ) {
        self.flush(env, cx);
        self.f.open();
        let mut inner = env.clone();
        go_on(self, &mut inner);
        self.go(next, false, inner, cx);
        let yes = self.f.close();
        self.f.open();
        self.go(exit, false, env.clone(), cx);
        let no = self.f.close();
        self.f.push(Stmt::If(w, yes, no));
    }
}
