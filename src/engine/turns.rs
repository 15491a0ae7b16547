//! Where actions and turns begin and end: what is listed, what is probed, what happens between two turns.

use crate::engine::machine::{Fault, Machine};
use crate::engine::notation;
use crate::engine::run::{Flow, Found, MOST_ACTIONS, Mode};
use crate::program::{Life, Pc, VarId, WORD_AGAIN, WORD_LAST, WORD_MOVER, WORD_POINT};

impl<'p, const N: usize> Machine<'p, N> {
    /// Whether the player to move can complete a turn from its start.
    pub fn can_turn(&mut self) -> bool {
        let Some(pc) = self.turn_start() else {
            return false;
        };
        self.probe(pc)
    }

    /// Whether the turn can be completed from an instruction on.
    pub fn probe(&mut self, pc: Pc) -> bool {
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

    /// An action is complete: what follows is done for it, up to the next choice.
    pub fn action_done(&mut self, then: Pc) -> Flow {
        if let Some(actions) = self.program.system.actions {
            let place = self.place(actions);
            self.poke(place, self.mem[place] + 1);
        }
        match self.mode {
            Mode::List => {
                self.mode = Mode::Settle;
                let flow = self.onward(then);
                self.mode = Mode::List;
                flow
            }
            Mode::Probe => {
                let before = std::mem::replace(&mut self.acted, true);
                let flow = self.onward(then);
                self.acted = before;
                flow
            }
            Mode::Settle | Mode::Exists | Mode::Best(..) | Mode::Gather(_) => self.onward(then),
        }
    }

    /// An action is complete and the player is to choose again.
    pub fn boundary(&mut self, point: u64, pc: Pc, then: Pc) -> Flow {
        self.forget_refusal();
        let unfinished = !self.probe(then);
        if self.fault.is_some() {
            return Flow::Stop;
        }
        if unfinished && !self.may_excuse() {
            return Flow::Go;
        }
        let mark = self.log.len();
        self.poke(WORD_POINT, point);
        self.forget(usize::try_from(point).unwrap_or(0));
        if unfinished {
            self.unfinished(pc);
        } else {
            self.record();
        }
        self.undo(mark);
        Flow::Go
    }

    /// Locals that are not carried at a point are forgotten.
    pub fn forget(&mut self, point: usize) {
        let kept = &self.program.points[point].carried;
        for at in 0..self.program.vars.len() {
            let id = VarId(at as u16);
            if self.program.vars[at].carried && !kept.contains(&id) {
                self.clear_var(id);
            }
        }
    }

    /// The turn is complete; nothing may be up.
    pub fn end_turn(&mut self, pc: Pc) -> Flow {
        if self.program.stacking && self.height(self.up()) > 0 {
            if self.still_lifted(pc) {
                let flow = self.complete_turn();
                self.lifted_no_more();
                return flow;
            }
            return Flow::Go;
        }
        self.complete_turn()
    }

    fn complete_turn(&mut self) -> Flow {
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

    /// The values of the turn are back at their beginning.
    pub fn reset_turn(&mut self) {
        for at in 0..self.program.vars.len() {
            if self.program.vars[at].life == Life::Turn {
                self.reset_var(at);
            }
        }
    }

    /// What happens between two turns.
    pub fn finish_turn(&mut self) {
        let system = self.program.system;
        if let Some(turns) = system.turns {
            let place = self.place(turns);
            self.poke(place, self.mem[place] + 1);
        }
        if let (Some(passes), Some(passed)) = (system.passes, system.passed) {
            let (count, flag) = (self.place(passes), self.place(passed));
            let next = if self.mem[flag] != 0 {
                self.mem[count] + 1
            } else {
                0
            };
            self.poke(count, next);
        }
        self.reset_turn();
        self.forget(0);
        let again = self.mem[WORD_AGAIN] != 0;
        self.poke(
            WORD_LAST,
            if again {
                u64::from(self.mover().0) + 1
            } else {
                0
            },
        );
        self.poke(WORD_AGAIN, 0);
        self.poke(WORD_POINT, 0);
        if !again {
            let next = self.next_player(self.mover());
            self.poke(WORD_MOVER, u64::from(next.0));
        }
    }

    /// Takes down the action that has just been run, and the state that it leads to.
    pub fn record(&mut self) {
        if self.compare_with_wanted() {
            return;
        }
        if self.found.len() >= MOST_ACTIONS {
            return self.give_up(Fault::TooMany);
        }
        let key = notation::key(self.program, self.text.iter().copied());
        let hash = (0..3).fold(0, |h, i| h ^ self.mem[crate::program::WORD_HASH + i]);
        let (text, next) = if self.counting {
            (Vec::new(), None)
        } else {
            (self.text.clone(), Some(self.store()))
        };
        self.found.push(Found {
            key,
            result: hash,
            text,
            next,
        });
    }
}
