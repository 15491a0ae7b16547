//! The setup is carried out here: statements without choices.

use crate::engine::machine::Machine;
use crate::engine::run::MAX_STEPS;
use crate::program::{Op, Pc};

impl<'p, const N: usize> Machine<'p, N> {
    /// Carries out the setup, which makes no choices.
    ///
    /// # Errors
    /// What could not be done.
    pub fn run_setup(&mut self, mut pc: Pc) -> Result<(), (Pc, String)> {
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
                        return Err((pc, program.reasons[reason.0 as usize].text.clone()));
                    }
                    next
                }
                Op::Effect(effect) => {
                    if !self.effect(effect) {
                        return Err((
                            pc,
                            "a piece is put where one stands already, or taken from where none is"
                                .to_owned(),
                        ));
                    }
                    next
                }
                Op::Succeed => {
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
                | Op::EndTurn => return Err((pc, "a setup makes no choices".to_owned())),
            };
        }
        Err((pc, "it does not come to an end".to_owned()))
    }
}
