//! From instruction to instruction: what branches becomes loops and inner blocks, what meets again becomes a function, and at
//! the end of each way stands what the function is for.

use crate::compile::kernel::env::{Bind, Env, follows_effects};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Begin, Cx, Exit, Lowerer, Mode};
use crate::compile::kernel::reads::Asker;
use crate::compile::kernel::values::CellV;
use crate::compile::liveness::live;
use crate::compile::points::successors;
use crate::program::kernel::{Bin, FuncId, Place, Set, Stmt, Value as Arg, Word};
use crate::program::{Effect, Num, Op, Pc, Per, Program, Truth, Value, VarId, op_vars};

/// What the program's shape tells.
pub struct Study {
    /// Instructions that are come to in several ways.
    pub joins: Vec<bool>,
    /// Instructions to which something leads back.
    pub heads: Vec<bool>,
    /// Whether pieces are looked at from an instruction on.
    pub looks: Vec<bool>,
    /// The same, and what notations that are written from there on tell of pieces, or of captures.
    pub tells: Vec<bool>,
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
    let come_to = come_to(program);
    let ran = code.iter().enumerate().filter(|(at, _)| come_to[*at]);
    for (at, op) in ran {
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
    let mut tells = looks.clone();
    for (at, op) in code.iter().enumerate() {
        tells[at] |= matches!(op, Op::Close(id) if asker.tells(*id));
    }
    reach_back(code, &mut looks);
    reach_back(code, &mut tells);
    Study {
        joins: ways
            .iter()
            .zip(&heads)
            .map(|(n, head)| *n > 1 || *head)
            .collect(),
        heads,
        looks,
        tells,
        live: live(program),
        asks_back,
    }
}

/// The instructions that are run at all; others may be left where rules were said otherwise.
fn come_to(program: &Program) -> Vec<bool> {
    let code = &program.code;
    let mut open: Vec<usize> = program.entries().map(|pc| pc.0 as usize).collect();
    let mut come_to = vec![false; code.len()];
    while let Some(at) = open.pop() {
        if come_to.get(at) == Some(&false) {
            come_to[at] = true;
            open.extend(successors(&code[at], at));
        }
    }
    come_to
}

/// What holds of an instruction holds of all from which it is come to.
fn reach_back(code: &[Op], holds: &mut [bool]) {
    loop {
        let mut changed = false;
        for at in (0..code.len()).rev() {
            let later = successors(&code[at], at)
                .iter()
                .any(|n| holds[(*n).min(code.len())]);
            if later && !holds[at] {
                holds[at] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
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

/// What costs so much to find out is heavy: it is not asked of every action that is listed, and found out once.
pub const HEAVY: u32 = 20;

/// A tail of so few instructions is written wherever it is come to.
const SHORT: usize = 7;

/// What is taken under a condition is part of such a tail when it has so many instructions.
const FEW: usize = 4;

/// Over so many tests of fixed numbers it is followed how a turn goes on.
const FIXED: u32 = 4;

impl<'p> Lowerer<'p> {
    /// Writes what follows from an instruction on.
    #[allow(clippy::too_many_lines, reason = "one arm a form")]
    pub fn go(&mut self, begin: Pc, mut fresh: bool, mut env: Env, mut cx: Cx) {
        let mut asked = Asked {
            list: Vec::new(),
            trust: false,
        };
        let mut pc = begin;
        loop {
            if self.f.is_too_long() {
                self.refuse("the rules branch too much");
                break;
            }
            self.pass_hook(pc, &mut env);
            env.stands.clear();
            let stands = self.stands.get(usize::from(cx.me));
            env.stands.extend(stands.into_iter().flat_map(|s| s.at(pc)));
            if self.is_known_to_complete(pc, Some(&env), cx) {
                self.leaf(&mut env, cx);
                break;
            }
            if let Some(point) = self.presumed(pc, cx) {
                self.note_presumed();
                // Behind the question, and where it is yes.
                self.boundary(point, Pc(pc.0 + 2), env, cx);
                break;
            }
            if !fresh && self.joins[pc.0 as usize] && !self.is_short(pc) {
                if cx.mode == Mode::Candidates && cx.acted && self.is_chosen(pc) {
                    // What is left is asked of the one action that is played.
                    self.leave_rest_unasked(pc);
                    self.leaf(&mut env, cx);
                } else {
                    self.call_on_unless_known(pc, &mut env, cx);
                }
                break;
            }
            if let Some(to) = self.passed(pc, &env, cx) {
                pc = to;
                fresh = true;
                continue;
            }
            fresh = false;
            env.opening &= self.opens(pc);
            asked.trust = self.is_asked_before(pc, cx);
            if env.unasked {
                self.leave_in_part(pc);
                asked.trust = true;
            }
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
                    self.close_choices(&mut env, cx);
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
                    // What was proven is of what was chosen before.
                    env.proven.clear();
                    if matches!(cx.mode, Mode::Apply { .. }) {
                        self.chosen(*var, domain, pc, &mut env, cx);
                        pc = next;
                    } else {
                        self.choose(*var, domain, pc, env, cx);
                        break;
                    }
                }
                Op::Line(picture) => {
                    env.proven.clear();
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
                    if let Truth::Possible(None, sub) = test
                        && self.while_possible(pc, *sub, *to, &env, cx)
                    {
                        break;
                    }
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
                Op::Best { .. } if self.needs_no_best(pc, cx) => pc = next,
                Op::Best { sub, .. } if self.needs_any_run(pc, cx) => {
                    let begin = self.sub(*sub);
                    let any = self.exists(begin, &mut env, cx);
                    if self.only_if(any, &mut asked) {
                        self.leaf(&mut env, cx);
                    }
                    break;
                }
                Op::Best { sub, into, .. } => {
                    let (any, value) = self.best(pc, *sub, &mut env, cx);
                    if !self.only_if(any, &mut asked) {
                        break;
                    }
                    if let Some(slot) = self.slot_of(*into, 0) {
                        self.put(slot, Bind::Word(value), &mut env);
                    }
                    pc = next;
                }
                Op::Point(id) => {
                    let enumerates = cx.mode.is_for_all() || matches!(cx.mode, Mode::Apply { .. });
                    if cx.acted && enumerates {
                        self.boundary(*id, next, env, cx);
                        break;
                    }
                    // The player chooses again, and does something.
                    cx.acted &= cx.mode != Mode::Probe;
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
                Op::LetOfPlayer(var, p, value) => {
                    let given = (*var, p, value);
                    if !self.let_of_player(given, &mut env, cx, Some(&mut asked)) {
                        break;
                    }
                    pc = next;
                }
                Op::LetOfCell(var, c, value) => {
                    let given = (*var, c, value);
                    if !self.let_of_cell(given, &mut env, cx, Some(&mut asked)) {
                        break;
                    }
                    pc = next;
                }
                _ => {
                    self.simple(pc, &mut env, cx);
                    pc = next;
                }
            }
        }
        for v in asked.list.into_iter().rev() {
            let body = self.f.close();
            self.f.when(v, body);
        }
    }

    /// Where to go on when nothing that follows need be gone through.
    fn passed(&self, pc: Pc, env: &Env, cx: Cx) -> Option<Pc> {
        if !matches!(self.op(pc), Op::JumpUnless(..) | Op::Each { .. }) {
            return None;
        }
        let passed = self.passed_over(pc, cx)?;
        let hooks = self.open_hooks(env);
        let waited = |at: &Pc| hooks.contains(at);
        (!passed.over.iter().any(waited)).then_some(passed.to)
    }

    /// Goes on in a function, unless that an action is there is known here.
    fn call_on_unless_known(&mut self, pc: Pc, env: &mut Env, cx: Cx) {
        if cx.mode == Mode::Ahead && cx.acted && self.is_chosen(pc) {
            return self.count_on_or_list(pc, env, cx);
        }
        let wants = match cx.mode {
            Mode::Probe => true,
            mode if mode.is_exact() => cx.acted && self.is_chosen(pc),
            _ => false,
        };
        let known = if wants { self.paced(pc, env, cx) } else { None };
        let Some(known) = known else {
            return self.call_on(pc, env, cx);
        };
        self.looks_ahead |= cx.mode == Mode::Count;
        self.f.open();
        self.leaf(&mut env.clone(), cx);
        let body = self.f.close();
        self.f.when(known, body);
        self.f.open();
        self.call_on(pc, &mut env.clone(), cx);
        let body = self.f.close();
        let not_known = self.f.not(known);
        self.f.when(not_known, body);
    }

    /// Counts an action with what follows it where the board alone decides that, and lists it elsewhere.
    fn count_on_or_list(&mut self, pc: Pc, env: &mut Env, cx: Cx) {
        let listed = Cx {
            mode: Mode::List,
            ..cx
        };
        let Some(counted) = self.counted_ahead(pc, env, cx) else {
            return self.call_on_unless_known(pc, env, listed);
        };
        self.leave_hook(env);
        self.f.open();
        self.call_on_unless_known(pc, &mut env.clone(), listed);
        let body = self.f.close();
        let left = self.f.not(counted);
        self.f.when(left, body);
    }

    /// Whether an action is there, since nothing is chosen any more before it is complete and its turn can be; or whether a turn
    /// or subprogram can be completed, where that is asked. Nothing is said of numbers without an `env`.
    pub fn is_known_to_complete(&self, pc: Pc, env: Option<&Env>, cx: Cx) -> bool {
        match cx.mode {
            Mode::Probe | Mode::Exists => self.surely_completes(pc, env, cx.acted, FIXED),
            mode if mode.is_for_all() => {
                cx.acted && self.sure.completes(pc, true) && self.is_chosen(pc)
            }
            _ => false,
        }
    }

    /// Whether a turn or subprogram can be completed from an instruction on whatever the position is, also where only fixed numbers
    /// say how it goes on there.
    fn surely_completes(&self, pc: Pc, env: Option<&Env>, acted: bool, fuel: u32) -> bool {
        if fuel == 0 || self.sure.completes(pc, acted) {
            return fuel > 0;
        }
        let from = |pc| self.surely_completes(pc, env, acted, fuel - 1);
        let next = Pc(pc.0 + 1);
        match self.op(pc) {
            Op::Jump(to) => from(*to),
            Op::JumpUnless(test, to) => match env.and_then(|env| self.fixed_answer(test, env)) {
                Some(true) => from(next),
                Some(false) => from(*to),
                None => from(next) && from(*to),
            },
            _ => false,
        }
    }

    /// How a number that is fixed here compares with another.
    fn fixed_answer(&self, test: &Truth, env: &Env) -> Option<bool> {
        let Truth::Compare(how, a, b) = test else {
            return None;
        };
        let (Num::Var(v), Num::Const(n)) = (a.as_ref(), b.as_ref()) else {
            return None;
        };
        let slot = self.slot_of(*v, 0)?;
        match env.binds.get(slot.0 as usize) {
            Some(Some((Bind::Word(V::K(k)), _))) => Some(how.holds(k.cast_signed(), *n)),
            _ => None,
        }
    }

    /// An instruction that only gives values or writes notation.
    pub fn simple(&mut self, pc: Pc, env: &mut Env, cx: Cx) {
        match self.op(pc) {
            Op::Let(var, value) => {
                let bind = self.value_once(pc, value, env, cx);
                self.note_run_end(value, &bind, env);
                self.note_set(*var, value, env, cx);
                self.flush_before(*var, env, cx);
                if let Some(slot) = self.slot_of(*var, 0) {
                    self.put(slot, bind, env);
                }
            }
            Op::Clear(var) => {
                self.flush_before(*var, env, cx);
                self.clear(*var, env);
            }
            Op::LetOfPlayer(var, p, value) => {
                self.let_of_player((*var, p, value), env, cx, None);
            }
            Op::LetOfCell(var, c, value) => {
                self.let_of_cell((*var, c, value), env, cx, None);
            }
            Op::Open(id) => self.open_text(*id, env, cx),
            Op::Close(id) => {
                self.tell_apart(*id, &[], env, cx);
                self.close_text(*id, env, cx);
            }
            _ => self.refuse("an instruction out of place"),
        }
    }

    /// What goes with pieces follows the effects that come before it is given a value, and none of those that wait.
    fn flush_before(&mut self, var: VarId, env: &mut Env, cx: Cx) {
        if follows_effects(self.program, var) {
            self.flush(env, cx);
        }
    }

    pub fn clear(&mut self, var: VarId, env: &mut Env) {
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
    pub fn value(&mut self, value: &'p Value, env: &mut Env, cx: Cx) -> Bind {
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

    pub fn require(
        &mut self,
        pc: Pc,
        test: &'p Truth,
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        if asked.trust || env.proven.contains(&pc.0) {
            return true;
        }
        if cx.mode == Mode::Candidates && self.is_heavy(test, cx) {
            self.leave_hook(env);
            self.leave_unasked(pc);
            return true;
        }
        let v = self.truth(test, env, cx);
        self.only_if(v, asked)
    }

    /// Whether a requirement is better asked of the one action that is to be played.
    pub fn is_heavy(&self, test: &Truth, cx: Cx) -> bool {
        self.asker(cx).truth(test).cost >= HEAVY
    }

    /// Whether what comes is so short that it need not be a function.
    pub fn is_short(&self, pc: Pc) -> bool {
        let (mut at, mut taken) = (pc, false);
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
                Op::JumpUnless(..) => match self.done_under(at) {
                    Some(under) if !taken && under.over.len() <= FEW && self.takes(&under) => {
                        (at, taken) = (under.to, true);
                    }
                    Some(_) | None => return false,
                },
                Op::Effect(Effect::Move(..) | Effect::Pass | Effect::Again) => {
                    at = Pc(at.0 + 1);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether nothing is chosen any more from an instruction to the end of the action.
    pub fn is_chosen(&self, pc: Pc) -> bool {
        let mut seen = vec![pc.0 as usize];
        let mut at = 0;
        while at < seen.len() {
            let op = &self.program.code[seen[at]];
            match op {
                Op::Choose(..) | Op::Line(_) | Op::Branch(_) => return false,
                Op::Point(_) => {}
                _ => {
                    for next in successors(op, seen[at]) {
                        if !seen.contains(&next) {
                            seen.push(next);
                        }
                    }
                }
            }
            at += 1;
        }
        true
    }

    /// Goes on in a function.
    pub fn call_on(&mut self, pc: Pc, env: &mut Env, cx: Cx) {
        self.leave_hook(env);
        let (id, args) = self.demand(
            Begin::Code(pc),
            env,
            Cx {
                exit: Exit::Return,
                ..cx
            },
        );
        self.go_on_in(id, args, cx);
    }

    /// Goes on in a function that is known.
    pub fn go_on_in(&mut self, id: FuncId, args: Vec<Arg>, cx: Cx) {
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
            Mode::List
            | Mode::Any
            | Mode::Ahead
            | Mode::Count
            | Mode::Candidates
            | Mode::Best(..)
            | Mode::Gather(..) => {
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

    pub fn succeed(&mut self, env: &mut Env, cx: Cx) {
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
    pub fn gathered(&mut self, var: VarId, env: &mut Env) -> SV {
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
}
