//! The setup is carried out here: statements without choices.

use crate::board::Cell;
use crate::engine::machine::Machine;
use crate::engine::run::MAX_STEPS;
use crate::program::{Effect, MOST, Op, Pc};

/// What to do where pieces meet.
const REGIONS: &str = "look at the sizes of the regions that the setup fills";

impl<'p, const N: usize> Machine<'p, N> {
    /// Carries out the setup, which makes no choices.
    ///
    /// # Errors
    /// What could not be done, where, and what to do about it.
    pub fn run_setup(&mut self, mut pc: Pc) -> Result<(), (Pc, String, &'static str)> {
        let program = self.program;
        let mut lifted = None;
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
                Op::Each {
                    var,
                    rest,
                    members,
                    exit,
                } => {
                    if self.each(*var, *rest, *members) {
                        next
                    } else {
                        *exit
                    }
                }
                Op::Require(test, reason) => {
                    if !self.truth(test) {
                        let reason = program.reasons[reason.0 as usize].text.clone();
                        return Err((pc, reason, "change what it requires, or the options"));
                    }
                    next
                }
                Op::Effect(effect) => {
                    if matches!(effect, Effect::Lift(_)) {
                        lifted = Some(pc);
                    }
                    let taken = self.taken(effect);
                    if !self.effect(effect) {
                        let (message, help) = self.why_not(effect, taken);
                        return Err((pc, message, help));
                    }
                    next
                }
                Op::Succeed => {
                    if let Some(pc) = lifted.filter(|_| self.height(self.up()) > 0) {
                        let message = "what is lifted is still up at the end".to_owned();
                        return Err((
                            pc,
                            message,
                            "place pieces where they are to stand at the start",
                        ));
                    }
                    self.reset_turn();
                    return Ok(());
                }
                Op::Choose(..)
                | Op::Line(_)
                | Op::Branch(_)
                | Op::Best { .. }
                | Op::Open(_)
                | Op::Close(_)
                | Op::ActionDone
                | Op::Point(_)
                | Op::EndTurn => return Err((pc, "a setup makes no choices".to_owned(), REGIONS)),
            };
        }
        let message = "it does not come to an end".to_owned();
        Err((pc, message, "bound what is repeated"))
    }

    /// Why an effect could not be done, and what to do about it; given the cell that was taken.
    fn why_not(&mut self, effect: &'p Effect, taken: Option<Cell>) -> (String, &'static str) {
        if let Some(cell) = taken {
            let name = self.program.board.name(cell);
            let message = format!("a piece is put on {name}, where one stands already");
            return (message, REGIONS);
        }
        if self.is_too_high(effect) {
            let message = format!("a stack has at most {MOST} pieces");
            return (message, "place fewer");
        }
        let message = "it puts a piece where none can be, or takes one from where none is";
        (message.to_owned(), REGIONS)
    }

    /// Whether an effect places more pieces than a stack may have.
    fn is_too_high(&mut self, effect: &'p Effect) -> bool {
        let Effect::Place { at, times, .. } = effect else {
            return false;
        };
        let (set, times) = (self.cells(at), self.num(times));
        let highest = set.iter().map(|c| self.height(usize::from(c.0))).max();
        self.program.stacking
            && highest.is_some_and(|high| times.saturating_add(high as i64) > MOST as i64)
    }

    /// The first cell that something stands on and an effect puts pieces on, where there are no stacks.
    fn taken(&mut self, effect: &'p Effect) -> Option<Cell> {
        let Effect::Place { at, .. } = effect else {
            return None;
        };
        let set = self.cells(at);
        let mut cells = set.iter().filter(|_| !self.program.stacking);
        cells.find(|c| self.height(usize::from(c.0)) > 0)
    }
}
