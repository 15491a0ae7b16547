//! Programs are run here. A choice runs the rest of the program once for each way and takes the changes back; what happens
//! at the end of a run depends on what it was made for.

use crate::engine::machine::{Fault, Machine};
use crate::engine::state::State;
use crate::engine::watch::MissKind;
use crate::program::{Num, Op, Part, Pc, SubId, TemplateId, Value, VarId};

/// A position that needs more steps than this for its actions has a turn that does not end.
pub const MAX_STEPS: u64 = 60_000_000;
/// More open choices than this, likewise.
pub const MAX_DEPTH: u32 = 1_000;
/// So many actions can be listed in a position.
pub const MOST_ACTIONS: usize = 1 << 20;
/// So many changes can be noted at a time.
const MOST_NOTED: usize = 1 << 24;

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
        if self.depth >= MAX_DEPTH || self.log.len() > MOST_NOTED {
            self.give_up(Fault::Runaway(pc));
            return Flow::Stop;
        }
        self.depth += 1;
        let text = self.text.len();
        let flow = if self.watch.is_some() {
            let path = self.path_mark();
            self.note_passed(Pc(pc.0.wrapping_sub(1)));
            let flow = self.run(pc);
            self.path_back(path);
            flow
        } else {
            self.run(pc)
        };
        self.text.truncate(text);
        self.depth -= 1;
        flow
    }

    /// Runs from an instruction behind an action.
    pub fn onward(&mut self, pc: Pc) -> Flow {
        if self.acts >= MAX_DEPTH || self.log.len() > MOST_NOTED {
            self.give_up(Fault::Runaway(pc));
            return Flow::Stop;
        }
        self.acts += 1;
        let flow = self.run(pc);
        self.acts -= 1;
        flow
    }

    /// Runs from an instruction to the end of the run, along every way.
    pub fn run(&mut self, mut pc: Pc) -> Flow {
        let program = self.program;
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.fault.is_some() {
                self.give_up(Fault::Runaway(pc));
                return Flow::Stop;
            }
            let next = Pc(pc.0 + 1);
            self.reach(pc);
            match &program.code[pc.0 as usize] {
                Op::Require(test, _) => {
                    if !self.truth(test) && !self.is_unmeasured(test) {
                        return self.refused(pc, MissKind::Requirement, next);
                    }
                    self.let_through(pc);
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
                    let Some(p) = self.player(player) else {
                        return Flow::Go;
                    };
                    self.assign(*var, usize::from(p.0), value);
                    pc = next;
                }
                Op::LetOfCell(var, cell, value) => {
                    let Some(c) = self.cell(cell) else {
                        return Flow::Go;
                    };
                    self.assign(*var, usize::from(c.0), value);
                    pc = next;
                }
                Op::Choose(var, domain) => return self.choose(*var, domain, next),
                Op::Line(picture) => return self.line(*picture, next),
                Op::Branch(ways) => return self.branch(ways),
                Op::Jump(to) => pc = *to,
                Op::JumpUnless(test, to) => {
                    let holds = self.truth(test);
                    if self.watch.is_some() && self.other_way(pc, *to, holds) == Flow::Stop {
                        return Flow::Stop;
                    }
                    pc = if holds { next } else { *to };
                }
                Op::Each {
                    var,
                    rest,
                    members,
                    exit,
                } => {
                    pc = if self.each(*var, *rest, *members) {
                        next
                    } else {
                        *exit
                    };
                }
                Op::Effect(effect) => {
                    if !self.effect(effect) {
                        return self.refused(pc, MissKind::Effect, next);
                    }
                    self.let_through(pc);
                    pc = next;
                }
                Op::Best {
                    sub,
                    key,
                    most,
                    into,
                } => {
                    let Some(best) = self.find_best(*sub, key, *most) else {
                        return self.unmeasured(*into, next);
                    };
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
                Op::Point(id) => match self.point(u64::from(id.0), pc, next) {
                    Some(flow) => return flow,
                    None => pc = next,
                },
                Op::Succeed => return self.succeed(),
                Op::EndTurn => return self.end_turn(pc),
            }
        }
    }

    /// A place where the player chooses: what comes of it when the run does not simply go on.
    fn point(&mut self, id: u64, pc: Pc, next: Pc) -> Option<Flow> {
        match self.mode {
            Mode::Settle => Some(self.boundary(id, pc, next)),
            // The player chooses again, and does something.
            Mode::Probe if self.acted => {
                self.acted = false;
                let flow = self.run(next);
                self.acted = true;
                Some(flow)
            }
            Mode::Probe | Mode::List | Mode::Exists | Mode::Best(..) | Mode::Gather(_) => None,
        }
    }

    #[inline]
    fn reach(&mut self, pc: Pc) {
        if self.watch.is_some() {
            self.note(pc);
        }
    }

    #[inline]
    fn let_through(&mut self, pc: Pc) {
        if self.watch.is_some() {
            self.note_passed(pc);
        }
    }

    /// Gives one of a variable's values a value.
    pub fn assign(&mut self, var: VarId, index: usize, value: &'p Value) {
        let words = self.words(value);
        let stride = self.program.vars[var.0 as usize].stride;
        let place = self.place(var) + index * stride;
        for (i, word) in words.iter().take(stride).enumerate() {
            self.poke(place + i, *word);
        }
    }

    pub fn clear_var(&mut self, var: VarId) {
        let v = &self.program.vars[var.0 as usize];
        (v.offset..v.offset + v.stride * v.count).for_each(|at| self.poke(at, 0));
    }

    pub fn reset_var(&mut self, var: usize) {
        let v = &self.program.vars[var];
        for (i, word) in v.initial.iter().enumerate() {
            self.poke(v.offset + i, *word);
        }
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

    /// Leaves room in the text for the values of a notation.
    fn open(&mut self, id: TemplateId) {
        let template = &self.program.templates[id.0 as usize];
        self.poke(self.place(template.mark), self.text.len() as u64);
        let holes = template
            .parts
            .iter()
            .filter(|p| !matches!(p, Part::Text(_)))
            .count();
        self.text.push(self.tables.alike[id.0 as usize].0);
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
}
