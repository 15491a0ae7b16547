//! Programs are run here. A choice runs the rest of the program once for each way and takes the changes back; what happens
//! at the end of a run depends on what it was made for.

use crate::board::CellSet;
use crate::engine::hash::mix;
use crate::engine::machine::{Fault, Machine};
use crate::engine::state::State;
use crate::program::{
    Cells, Domain, Life, Members, Num, Op, Part, Pc, SubId, TemplateId, Value, VarId, WORD_AGAIN, WORD_LAST, WORD_MOVER, WORD_POINT,
};

/// A position that needs more steps than this for its actions has a turn that does not end.
const MAX_STEPS: u64 = 60_000_000;
/// More open choices than this, likewise.
const MAX_DEPTH: u32 = 1_500;

/// Whether to go on looking for other ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Go,
    /// What was looked for is found, or the run is given up.
    Stop,
}

/// What a run is for.
#[derive(Clone, Copy, Debug)]
pub enum Mode<'p> {
    /// Every action: up to the end of the first one.
    List,
    /// Behind an action: up to the next decision, or the end of the turn.
    Settle,
    /// Whether the turn can be completed.
    Probe,
    /// Whether a subprogram can be run to its end.
    Exists,
    /// The most or least of a number over all runs of a subprogram.
    Best(&'p Num, bool),
    /// The cells of a variable over all runs of a subprogram.
    Gather(VarId),
}

/// An action that was found: its text as numbers, a hash of that and of the state it leads to.
#[derive(Clone, Debug)]
pub struct Found {
    /// Hash of the text.
    pub key: u64,
    /// Hash of the next state.
    pub result: u64,
    /// The text; empty when only counted.
    pub text: Vec<u32>,
    /// The next state; nothing when only counted.
    pub next: Option<State>,
}

impl<'p, const N: usize> Machine<'p, N> {
    /// Runs from an instruction with one more choice open.
    pub fn deeper(&mut self, pc: Pc) -> Flow {
        if self.depth >= MAX_DEPTH {
            self.give_up(Fault::Runaway);
            return Flow::Stop;
        }
        self.depth += 1;
        let text = self.text.len();
        let flow = self.run(pc);
        self.text.truncate(text);
        self.depth -= 1;
        flow
    }

    /// Runs from an instruction to the end of the run, along every way.
    pub fn run(&mut self, mut pc: Pc) -> Flow {
        let program = self.program;
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.fault.is_some() {
                self.give_up(Fault::Runaway);
                return Flow::Stop;
            }
            let next = Pc(pc.0 + 1);
            match &program.code[pc.0 as usize] {
                Op::Require(test, _) => {
                    if !self.truth(test) {
                        return Flow::Go;
                    }
                    pc = next;
                }
                Op::Let(var, value) => {
                    self.assign(*var, 0, value);
                    pc = next;
                }
                Op::Clear(var) => {
                    self.clear_var(*var);
                    pc = next;
                }
                Op::LetOfPlayer(var, player, value) => {
                    let Some(p) = self.player(player) else { return Flow::Go };
                    self.assign(*var, usize::from(p.0), value);
                    pc = next;
                }
                Op::LetOfCell(var, cell, value) => {
                    let Some(c) = self.cell(cell) else { return Flow::Go };
                    self.assign(*var, usize::from(c.0), value);
                    pc = next;
                }
                Op::Choose(var, domain) => return self.choose(*var, domain, next),
                Op::Line(picture) => return self.line(*picture, next),
                Op::Branch(ways) => return self.branch(ways),
                Op::Jump(to) => pc = *to,
                Op::JumpUnless(test, to) => pc = if self.truth(test) { next } else { *to },
                Op::Each { var, rest, members, exit } => {
                    pc = if self.each(*var, *rest, *members) { next } else { *exit };
                }
                Op::Effect(effect) => {
                    if !self.effect(effect) {
                        return Flow::Go;
                    }
                    pc = next;
                }
                Op::Best { sub, key, most, into } => {
                    let Some(best) = self.find_best(*sub, key, *most) else { return Flow::Go };
                    self.poke(self.place(*into), best.cast_unsigned());
                    pc = next;
                }
                Op::Open(template) => {
                    self.open(*template);
                    pc = next;
                }
                Op::Close(template) => {
                    self.close(*template);
                    pc = next;
                }
                Op::ActionDone => return self.action_done(next),
                Op::Point(id) => {
                    if let Mode::Settle = self.mode {
                        return self.boundary(u64::from(id.0), next);
                    }
                    pc = next;
                }
                Op::Succeed => return self.succeed(),
                Op::EndTurn => return self.end_turn(),
            }
        }
    }

    fn assign(&mut self, var: VarId, index: usize, value: &'p Value) {
        let words = self.words(value);
        let stride = self.program.vars[var.0 as usize].stride;
        let place = self.place(var) + index * stride;
        for (i, word) in words.iter().take(stride).enumerate() {
            self.poke(place + i, *word);
        }
    }

    fn clear_var(&mut self, var: VarId) {
        let v = &self.program.vars[var.0 as usize];
        (v.offset..v.offset + v.stride * v.count).for_each(|at| self.poke(at, 0));
    }

    fn reset_var(&mut self, var: usize) {
        let v = &self.program.vars[var];
        for (i, word) in v.initial.iter().enumerate() {
            self.poke(v.offset + i, *word);
        }
    }

    fn choose(&mut self, var: VarId, domain: &'p Domain, then: Pc) -> Flow {
        match domain {
            Domain::Cells(set) => {
                let set = self.cells(set);
                let place = self.place(var);
                for c in set.iter() {
                    if self.with_word(place, u64::from(c.0) + 1, then) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::Go
            }
            Domain::Parts(set) => self.choose_part(var, set, then),
            Domain::Numbers(low, high) => {
                let (low, high) = (self.num(low), self.num(high));
                let place = self.place(var);
                for n in low..=high {
                    if self.with_word(place, n.cast_unsigned(), then) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::Go
            }
            Domain::Kinds(kinds) => {
                let place = self.place(var);
                for k in kinds {
                    if self.with_word(place, u64::from(k.0) + 1, then) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::Go
            }
            Domain::Dirs(dirs) => {
                let dirs = self.dirs(dirs);
                let place = self.place(var);
                for d in dirs.iter() {
                    if self.with_word(place, u64::from(d.0) + 1, then) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::Go
            }
        }
    }

    fn choose_part(&mut self, var: VarId, set: &'p Cells, then: Pc) -> Flow {
        let mut rest = self.cells(set);
        let place = self.place(var);
        while let Some(first) = rest.first() {
            let part = self.part_at(rest, first);
            rest = rest.without(part);
            let mark = self.log.len();
            self.poke_set(place, part);
            let flow = self.deeper(then);
            self.undo(mark);
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    }

    fn with_word(&mut self, place: usize, word: u64, then: Pc) -> Flow {
        let mark = self.log.len();
        self.poke(place, word);
        let flow = self.deeper(then);
        self.undo(mark);
        flow
    }

    fn branch(&mut self, ways: &[Pc]) -> Flow {
        for way in ways {
            let mark = self.log.len();
            let flow = self.deeper(*way);
            self.undo(mark);
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    }

    /// Takes the next member of a loop; false when there is none.
    fn each(&mut self, var: VarId, rest: VarId, members: Members) -> bool {
        let (var_at, rest_at) = (self.place(var), self.place(rest));
        if members == Members::Players {
            let n = self.mem[rest_at];
            if n as usize >= self.program.players.len() {
                return false;
            }
            self.poke(rest_at, n + 1);
            self.poke(var_at, n + 1);
            return true;
        }
        let left: CellSet<N> = self.set_at(rest_at);
        let Some(first) = left.first() else { return false };
        if members == Members::Parts {
            let part = self.part_at(left, first);
            self.poke_set(rest_at, left.without(part));
            self.poke_set(var_at, part);
        } else {
            self.poke_set(rest_at, left.without(CellSet::single(first)));
            self.poke(var_at, u64::from(first.0) + 1);
        }
        true
    }

    /// Runs a subprogram for another purpose and takes all changes back.
    pub fn aside(&mut self, sub: SubId, mode: Mode<'p>) -> Flow {
        let outer = std::mem::replace(&mut self.mode, mode);
        let mark = self.log.len();
        let flow = self.deeper(self.program.subs[sub.0 as usize]);
        self.undo(mark);
        self.mode = outer;
        flow
    }

    /// Whether a subprogram can be run to its end.
    pub fn possible(&mut self, sub: SubId) -> bool {
        self.aside(sub, Mode::Exists) == Flow::Stop && self.fault.is_none()
    }

    fn find_best(&mut self, sub: SubId, key: &'p Num, most: bool) -> Option<i64> {
        let outer = self.best.take();
        self.aside(sub, Mode::Best(key, most));
        std::mem::replace(&mut self.best, outer)
    }

    fn succeed(&mut self) -> Flow {
        match self.mode {
            Mode::Exists => Flow::Stop,
            Mode::Best(key, most) => {
                self.measure(key, most);
                Flow::Go
            }
            Mode::Gather(var) => {
                self.gather_one(var);
                Flow::Go
            }
            Mode::List | Mode::Settle | Mode::Probe => Flow::Stop,
        }
    }

    /// Whether the player to move can complete a turn from its start.
    pub fn can_turn(&mut self) -> bool {
        let Some(pc) = self.turn_start() else { return false };
        self.probe(pc)
    }

    /// Whether the turn can be completed from an instruction on.
    fn probe(&mut self, pc: Pc) -> bool {
        let outer = std::mem::replace(&mut self.mode, Mode::Probe);
        let acted = std::mem::replace(&mut self.acted, false);
        let mark = self.log.len();
        let flow = self.deeper(pc);
        self.undo(mark);
        self.mode = outer;
        self.acted = acted;
        flow == Flow::Stop && self.fault.is_none()
    }

    /// Where the turn of the player to move begins.
    pub fn turn_start(&mut self) -> Option<Pc> {
        let program = self.program;
        for turn in &program.turns {
            if turn.test.as_ref().is_none_or(|t| self.truth(t)) {
                return Some(turn.pc);
            }
        }
        self.give_up(Fault::NoTurn);
        None
    }

    /// Leaves room in the text for the values of a notation.
    fn open(&mut self, id: TemplateId) {
        let template = &self.program.templates[id.0 as usize];
        self.poke(self.place(template.mark), self.text.len() as u64);
        let holes = template.parts.iter().filter(|p| !matches!(p, Part::Text(_))).count();
        self.text.push(id.0);
        self.text.resize(self.text.len() + holes, 0);
    }

    fn close(&mut self, id: TemplateId) {
        let template = &self.program.templates[id.0 as usize];
        let mut at = self.mem[self.place(template.mark)] as usize + 1;
        for part in &template.parts {
            let word = match part {
                Part::Text(_) => continue,
                Part::Capture(..) => u32::from(self.mem[self.taken] > 0),
                Part::Hole(Value::Cells(set) | Value::Groups(set)) => {
                    // A set is written as its own list at the end of the text, and found by its place.
                    let set = self.cells(set);
                    let list = self.text.len() as u32;
                    self.text.push(u32::MAX);
                    self.text.push(set.len() as u32);
                    self.text.extend(set.iter().map(|c| u32::from(c.0)));
                    list
                }
                Part::Hole(value) => self.words(value)[0] as u32,
            };
            self.text[at] = word;
            at += 1;
        }
    }

    fn action_done(&mut self, then: Pc) -> Flow {
        if let Some(actions) = self.program.system.actions {
            let place = self.place(actions);
            self.poke(place, self.mem[place] + 1);
        }
        match self.mode {
            Mode::List => {
                self.mode = Mode::Settle;
                let flow = self.run(then);
                self.mode = Mode::List;
                flow
            }
            Mode::Probe => {
                let before = std::mem::replace(&mut self.acted, true);
                let flow = self.run(then);
                self.acted = before;
                flow
            }
            Mode::Settle | Mode::Exists | Mode::Best(..) | Mode::Gather(_) => self.run(then),
        }
    }

    /// An action is complete and the player is to choose again.
    fn boundary(&mut self, point: u64, then: Pc) -> Flow {
        if !self.probe(then) {
            return if self.fault.is_some() { Flow::Stop } else { Flow::Go };
        }
        let mark = self.log.len();
        self.poke(WORD_POINT, point);
        self.forget(usize::try_from(point).unwrap_or(0));
        self.record();
        self.undo(mark);
        Flow::Go
    }

    /// Locals that are not carried at a point are forgotten.
    fn forget(&mut self, point: usize) {
        let kept = &self.program.points[point].carried;
        for at in 0..self.program.vars.len() {
            let id = VarId(at as u16);
            if self.program.vars[at].carried && !kept.contains(&id) {
                self.clear_var(id);
            }
        }
    }

    fn end_turn(&mut self) -> Flow {
        if self.program.stacking && self.height(self.up()) > 0 {
            return Flow::Go;
        }
        match self.mode {
            Mode::Probe if self.acted => Flow::Stop,
            Mode::Settle => {
                let mark = self.log.len();
                self.finish_turn();
                self.record();
                self.undo(mark);
                Flow::Go
            }
            Mode::Probe | Mode::List | Mode::Exists | Mode::Best(..) | Mode::Gather(_) => Flow::Go,
        }
    }

    /// What happens between two turns.
    fn finish_turn(&mut self) {
        let system = self.program.system;
        if let Some(turns) = system.turns {
            let place = self.place(turns);
            self.poke(place, self.mem[place] + 1);
        }
        if let (Some(passes), Some(passed)) = (system.passes, system.passed) {
            let (count, flag) = (self.place(passes), self.place(passed));
            let next = if self.mem[flag] != 0 { self.mem[count] + 1 } else { 0 };
            self.poke(count, next);
        }
        for at in 0..self.program.vars.len() {
            if self.program.vars[at].life == Life::Turn {
                self.reset_var(at);
            }
        }
        self.forget(0);
        let again = self.mem[WORD_AGAIN] != 0;
        self.poke(WORD_LAST, if again { u64::from(self.mover().0) + 1 } else { 0 });
        self.poke(WORD_AGAIN, 0);
        self.poke(WORD_POINT, 0);
        if !again {
            let next = self.next_player(self.mover());
            self.poke(WORD_MOVER, u64::from(next.0));
        }
    }

    fn record(&mut self) {
        let key = self.text.iter().fold(self.text.len() as u64, |h, w| mix(h ^ u64::from(*w)));
        let hash = (0..3).fold(0, |h, i| h ^ self.mem[crate::program::WORD_HASH + i]);
        let (text, next) = if self.counting { (Vec::new(), None) } else { (self.text.clone(), Some(self.store())) };
        self.found.push(Found { key, result: hash, text, next });
    }
}

impl<'p, const N: usize> Machine<'p, N> {
    /// Carries out the setup, which makes no choices.
    ///
    /// # Errors
    /// What could not be done.
    pub fn run_setup(&mut self, mut pc: Pc) -> Result<(), String> {
        let program = self.program;
        for _ in 0..MAX_STEPS {
            let next = Pc(pc.0 + 1);
            pc = match &program.code[pc.0 as usize] {
                Op::Let(var, value) => {
                    self.assign(*var, 0, value);
                    next
                }
                Op::Clear(var) => {
                    self.clear_var(*var);
                    next
                }
                Op::LetOfPlayer(var, player, value) => {
                    if let Some(p) = self.player(player) {
                        self.assign(*var, usize::from(p.0), value);
                    }
                    next
                }
                Op::LetOfCell(var, cell, value) => {
                    if let Some(c) = self.cell(cell) {
                        self.assign(*var, usize::from(c.0), value);
                    }
                    next
                }
                Op::Jump(to) => *to,
                Op::JumpUnless(test, to) => {
                    if self.truth(test) {
                        next
                    } else {
                        *to
                    }
                }
                Op::Each { var, rest, members, exit } => {
                    if self.each(*var, *rest, *members) {
                        next
                    } else {
                        *exit
                    }
                }
                Op::Require(test, reason) => {
                    if !self.truth(test) {
                        return Err(program.reasons[reason.0 as usize].text.clone());
                    }
                    next
                }
                Op::Effect(effect) => {
                    if !self.effect(effect) {
                        return Err("a piece is put where one stands already, or taken from where none is".to_owned());
                    }
                    next
                }
                Op::Succeed => return Ok(()),
                Op::Choose(..)
                | Op::Line(_)
                | Op::Branch(_)
                | Op::Best { .. }
                | Op::Open(_)
                | Op::Close(_)
                | Op::ActionDone
                | Op::Point(_)
                | Op::EndTurn => return Err("a setup makes no choices".to_owned()),
            };
        }
        Err("it does not come to an end".to_owned())
    }
}
