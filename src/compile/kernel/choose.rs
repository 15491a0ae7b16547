//! Choices: a loop over the members, or the set itself where nothing behind the choice needs to be looked at member by member.

use crate::board::Directions;
use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::masks::Near;
use crate::compile::kernel::tail::Tail;
use crate::compile::kernel::unique::{Choice, SURE_DOUBT, Told};
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Stmt, W};
use crate::program::{Cells, Domain, KindExpr, Op, Part, Pc, Value, VarId};

impl<'p> Lowerer<'p> {
    /// Whether ways to actions are noted.
    pub fn notes_path(cx: Cx) -> bool {
        cx.mode.lists()
    }

    /// Notes a word of the way to an action.
    pub fn note_path(&mut self, v: V, env: &mut Env, cx: Cx) {
        if !Self::notes_path(cx) {
            return;
        }
        let at = self.word(self.slots.path, env);
        self.f.store(self.room.path, at, v);
        let more = self.f.bin(Bin::Add, at, YES);
        self.put(self.slots.path, Bind::Word(more), env);
    }

    /// The next word of the way that is gone.
    pub fn read_path(&mut self, env: &mut Env) -> V {
        let at = self.word(self.slots.path, env);
        let v = self.f.load(self.room.path, at);
        let more = self.f.bin(Bin::Add, at, YES);
        self.put(self.slots.path, Bind::Word(more), env);
        v
    }

    /// One way after the other, each with its changes taken back.
    pub fn scope(&mut self, write: impl FnOnce(&mut Self)) {
        if self.logs() {
            self.aside(write);
        } else {
            write(self);
        }
    }

    /// The cells beside which there is something for the next choice, when that is of pieces beside the cell that is chosen first. Beside most
    /// cells there are some that are empty.
    fn with_some_beside(&mut self, var: VarId, next: Pc, env: &mut Env, cx: Cx) -> Option<SV> {
        let Op::Choose(_, Domain::Cells(beside)) = self.op(next) else {
            return None;
        };
        if !self.known_here(beside, env, cx).taken() {
            return None;
        }
        match self.near(beside, var, &[], env, cx)? {
            (all, Near::Beside) => self.reached(all, Near::Beside),
            _ => None,
        }
    }

    /// Every member of a domain.
    pub fn choose(&mut self, var: VarId, domain: &'p Domain, pc: Pc, mut env: Env, cx: Cx) {
        let Some(slot) = self.slot_of(var, 0) else {
            return self.refuse("a choice is kept for each cell");
        };
        let next = Pc(pc.0 + 1);
        match domain {
            Domain::Cells(set) => {
                let fact = self.known_here(set, &env, cx);
                let mut set = self.cells(set, &mut env, cx);
                if let Some(c) = self.f.only_cell(set) {
                    env.know(c, fact);
                    self.put(slot, Bind::Cell(c), &mut env);
                    if Self::notes_path(cx) {
                        let word = self.f.bin(Bin::Add, c, YES);
                        self.note_path(word, &mut env, cx);
                    }
                    return self.go(next, false, env, cx);
                }
                if let Some(near) = self.with_some_beside(var, next, &mut env, cx) {
                    set = self.f.and(&mut self.fixed, set, near);
                }
                let mut from = match domain {
                    Domain::Cells(set) => self.drawn_from(set, &mut env),
                    _ => Vec::new(),
                };
                if from.is_empty() {
                    from.push(set);
                }
                let c = self.f.word();
                let choice = Choice::Word(vec![V::R(c)], from);
                self.choose_cell((var, None, slot), c, (set, fact), choice, next, env, cx);
            }
            Domain::Parts(set) => {
                if self.mingled((var, slot), set, pc, &env, cx)
                    || self.bordering((var, slot), set, pc, &env, cx)
                {
                    return;
                }
                let set = self.cells(set, &mut env, cx);
                let s = self.f.sreg(set);
                self.each_part(SV::R(s), None, |l, part, _| {
                    l.scope(|l| {
                        let mut inner = env.clone();
                        l.put(slot, Bind::Set(part), &mut inner);
                        l.remember(Choice::Part(part), &mut inner, cx);
                        if Self::notes_path(cx) {
                            let first = l.end_of(part, true);
                            let word = match first {
                                CellV::Known(c) => l.f.bin(Bin::Add, c, YES),
                                CellV::Maybe(w) => w,
                            };
                            l.note_path(word, &mut inner, cx);
                        }
                        l.go(next, false, inner, cx);
                    });
                });
            }
            Domain::Numbers(low, high) => {
                let low = self.num(low, &mut env, cx);
                let high = self.num(high, &mut env, cx);
                let n = self.f.word();
                self.f.open();
                self.scope(|l| l.with_word(slot, V::R(n), next, &env, cx, false));
                let body = self.f.close();
                let (low, high) = (self.f.reg(low), self.f.reg(high));
                self.f.push(Stmt::ForNumbers(n, low, high, body));
            }
            Domain::Kinds(kinds) => {
                // A fixed kind is not seen to be told: the notation behind the choice must have a hole for it.
                let kinds_told = self.tells_kind(var, next);
                for k in kinds {
                    let word = V::K(u64::from(k.0) + 1);
                    self.scope(|l| l.with_word(slot, word, next, &env, cx, kinds_told));
                }
            }
            Domain::Dirs(dirs) => {
                let dirs = self.dirs(dirs, &mut env, cx);
                if let V::K(fixed) = dirs
                    && self.steps_along_chosen(var, next)
                {
                    for d in Directions(fixed).iter() {
                        let word = V::K(u64::from(d.0) + 1);
                        self.scope(|l| l.with_word(slot, word, next, &env, cx, false));
                    }
                    return;
                }
                let d = self.f.word();
                self.f.open();
                self.scope(|l| {
                    let word = l.f.bin(Bin::Add, V::R(d), YES);
                    l.with_word(slot, word, next, &env, cx, false);
                });
                let body = self.f.close();
                let w = self.f.reg(dirs);
                self.f.push(Stmt::ForBits(d, w, body));
            }
        }
    }

    /// Every cell of a set, in a word; `choice` is what a text has to tell of it. What is told with the cell and not yet known must
    /// not be asked for one cell after the other.
    #[allow(clippy::too_many_arguments, reason = "a choice and where it is")]
    pub fn choose_cell(
        &mut self,
        (var, unknown, slot): (VarId, Option<VarId>, Slot),
        c: W,
        (set, fact): (SV, Fact),
        choice: Choice,
        next: Pc,
        mut env: Env,
        cx: Cx,
    ) {
        let tail = self.tail((var, unknown), set, fact, next, &mut env, cx);
        if tail.is_complete() {
            return self.all_chosen((slot, c), choice, &tail, next, env, cx);
        }
        if !tail.complete {
            return self.each_chosen((slot, c), fact, choice, &tail, next, env, cx);
        }
        self.f.open();
        self.all_chosen((slot, c), choice.clone(), &tail, next, env.clone(), cx);
        let at_once = self.f.close();
        self.f.open();
        self.each_chosen((slot, c), fact, choice, &tail, next, env, cx);
        let each = self.f.close();
        let when = self.f.reg(tail.when);
        self.f.push(Stmt::If(when, at_once, each));
    }

    /// A loop over the members of a set.
    #[allow(clippy::too_many_arguments, reason = "a choice and where it is")]
    fn each_chosen(
        &mut self,
        (slot, c): (Slot, W),
        fact: Fact,
        choice: Choice,
        tail: &Tail,
        next: Pc,
        mut env: Env,
        cx: Cx,
    ) {
        let cell = V::R(c);
        // What is asked of a height is asked again of each: more follows from it than that the cell is one of the set.
        let proven = tail.proven.iter().filter(|at| !self.asks_height(Pc(**at)));
        env.proven.extend(proven.copied());
        self.f.open();
        self.scope(|l| {
            env.know(cell, fact);
            l.put(slot, Bind::Cell(cell), &mut env);
            l.remember(choice, &mut env, cx);
            if Self::notes_path(cx) {
                let word = l.f.bin(Bin::Add, cell, YES);
                l.note_path(word, &mut env, cx);
            }
            l.go(next, false, env, cx);
        });
        let body = self.f.close();
        let s = self.f.sreg(tail.filter);
        self.f.push(Stmt::ForCells(c, s, body));
    }

    /// All members of a set, where nothing is left to ask; the chosen cell is what the notations behind it tell.
    fn all_chosen(
        &mut self,
        (slot, c): (Slot, W),
        choice: Choice,
        tail: &Tail,
        next: Pc,
        mut env: Env,
        cx: Cx,
    ) {
        let cell = V::R(c);
        self.put(slot, Bind::Cell(cell), &mut env);
        self.remember(choice, &mut env, cx);
        for (id, given) in &tail.closed {
            self.tell_apart(*id, given, &mut env, cx);
        }
        if !self.overlap_doubts(cell, tail.filter, next, &mut env, cx) {
            self.close_choices(&mut env, cx);
        }
        self.whole(tail.filter, &mut env, cx);
    }

    /// Whether the next notation that is written has a hole for a kind.
    pub fn tells_kind(&self, var: VarId, mut at: Pc) -> bool {
        for _ in 0..8 {
            match self.op(at) {
                Op::Close(id) => {
                    let hole = Part::Hole(Value::Kind(KindExpr::Var(var)));
                    return self.program.templates[id.0 as usize].parts.contains(&hole);
                }
                Op::Jump(to) => at = *to,
                Op::Let(..) | Op::Effect(_) | Op::Require(..) | Op::Open(_) => at = Pc(at.0 + 1),
                _ => return false,
            }
        }
        false
    }

    pub fn with_word(&mut self, slot: Slot, word: V, next: Pc, env: &Env, cx: Cx, counted: bool) {
        let mut inner = env.clone();
        self.put(slot, Bind::Word(word), &mut inner);
        match word {
            _ if counted => {}
            V::R(_) => self.remember(Choice::Word(vec![word], Vec::new()), &mut inner, cx),
            V::K(k) => {
                // What was told of an earlier one is not told of this.
                inner
                    .told
                    .retain(|t| !matches!(t, Told::Fixed(of, _) if *of == slot));
                self.remember(Choice::Fixed(slot, k), &mut inner, cx);
            }
        }
        self.note_path(word, &mut inner, cx);
        self.go(next, false, inner, cx);
    }

    /// What is true of the members of a set, when nothing waits that could change it, also where it is asked further on.
    pub fn known_of(&self, set: &Cells, env: &Env, cx: Cx) -> Fact {
        match self.may_change(set, env, cx) {
            true => Fact::ANY,
            false => self.fact_of(set, cx),
        }
    }

    /// The same where it is asked now, so that what stands on the cells of variables is known: what comes before a place further on
    /// may give these other cells.
    pub fn known_here(&self, set: &Cells, env: &Env, cx: Cx) -> Fact {
        match self.may_change(set, env, cx) {
            true => Fact::ANY,
            false => self.fact_here(set, env, cx),
        }
    }

    /// Whether something waits that could change a set.
    fn may_change(&self, set: &Cells, env: &Env, cx: Cx) -> bool {
        let reads = self.asker(cx).cells(set);
        self.waits(env, reads.owned, reads.others || reads.deep)
    }

    /// Remembers what is true of the cells of a set that gets a name.
    pub fn note_set(&mut self, var: VarId, value: &Value, env: &mut Env, cx: Cx) {
        env.sets.retain(|(of, _)| *of != var);
        if let Value::Cells(set) | Value::Groups(set) = value {
            let fact = self.known_here(set, env, cx);
            if fact != Fact::ANY {
                env.sets.push((var, fact));
            }
        }
    }

    /// The member that the way says.
    pub fn chosen(&mut self, var: VarId, domain: &'p Domain, pc: Pc, env: &mut Env, cx: Cx) {
        let Some(slot) = self.slot_of(var, 0) else {
            return self.refuse("a choice is kept for each cell");
        };
        let bind = match domain {
            Domain::Cells(set) => {
                let fact = self.known_here(set, env, cx);
                let w = self.read_path(env);
                let c = self.f.bin(Bin::Sub, w, YES);
                env.know(c, fact);
                Bind::Cell(c)
            }
            Domain::Parts(set) => {
                if !self.is_mutual() {
                    // A part may be what others left of one that is larger.
                    return self.refuse("a part is chosen where cells are not beside each other");
                }
                let set = self.cells(set, env, cx);
                let w = self.read_path(env);
                let c = self.cell_of_part((var, pc), set, w, env);
                Bind::Set(self.f.part(set, c))
            }
            Domain::Numbers(..) | Domain::Kinds(_) | Domain::Dirs(_) => {
                Bind::Word(self.read_path(env))
            }
        };
        self.put(slot, bind, env);
    }

    /// Each of several ways.
    pub fn branch(&mut self, ways: &[Pc], mut env: Env, cx: Cx) {
        if matches!(cx.mode, Mode::Apply { .. }) {
            let at = self.read_path(&mut env);
            let mut bodies = Vec::new();
            for way in ways {
                self.f.open();
                self.go(*way, false, env.clone(), cx);
                bodies.push(self.f.close());
            }
            let w = self.f.reg(at);
            return self.f.push(Stmt::Switch(w, bodies));
        }
        let alike = if Self::tells_apart(cx) {
            self.alike(ways, cx)
        } else {
            vec![false; ways.len()]
        };
        let bit = |i: usize| (ways[i].0 + 7 * i as u32) % 63;
        let doubted = |i: usize| {
            let mut inner = env.clone();
            if alike[i] {
                let same = (0..ways.len()).any(|j| j != i && alike[j] && bit(j) == bit(i));
                inner.doubt |= if same { SURE_DOUBT } else { 1 << bit(i) };
            }
            inner
        };
        let envs: Vec<Env> = (0..ways.len()).map(doubted).collect();
        if self.abreast(ways, &envs, cx) {
            return;
        }
        for (i, (way, mut inner)) in ways.iter().zip(envs).enumerate() {
            self.scope(|l| {
                l.note_path(V::K(i as u64), &mut inner, cx);
                l.go(*way, false, inner, cx);
            });
        }
    }

    /// All members of a set end something.
    pub fn whole(&mut self, set: SV, env: &mut Env, cx: Cx) {
        if set == NONE {
            return;
        }
        self.leave_hook(env);
        if cx.mode.is_for_all() {
            self.note_doubt(env);
        }
        match cx.mode {
            Mode::List | Mode::Any | Mode::Ahead | Mode::Candidates => {
                let at = self.word(self.slots.path, env);
                let (w, s) = (self.f.reg(at), self.f.sreg(set));
                self.f.push(Stmt::Leaves(w, s, 0));
            }
            Mode::Count => {
                let n = self.f.count(&self.fixed, set);
                let w = self.f.reg(n);
                self.f.push(Stmt::Tally(w));
            }
            _ => {
                let some = self.f.some(&self.fixed, set);
                self.f.open();
                self.found(cx);
                let body = self.f.close();
                self.f.when(some, body);
            }
        }
    }
}
