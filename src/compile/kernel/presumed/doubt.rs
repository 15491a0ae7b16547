//! What a random game does where a turn is presumed to go on: whether it does is told by the list, or where that may have more than is
//! legal, by the first action that is played; the question is asked when several were refused, or when what was drawn says that the turn
//! is to go on otherwise. Before: a game that plays what is listed. After: the same game, with the same numbers drawn.

use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::presumed::Presumption;
use crate::compile::kernel::random::Parts;
use crate::program::kernel::{Bin, Game, Stmt, W};

/// After so many refused actions it is asked whether the turn goes on where it is presumed to.
const REFUSED: u64 = 3;

/// Words that are kept while it is in doubt whether a turn goes on.
#[derive(Clone, Copy)]
pub struct Doubt {
    /// How many more actions may be refused before it is asked; 0 when it is not in doubt.
    left: W,
    /// What was to be drawn from next, and how many actions had been refused.
    seed: W,
    refused: W,
}

impl Lowerer<'_> {
    /// Begins what a random game leaves where it goes on without an action, when there is such.
    pub fn open_round(&mut self) {
        if self.presuming.settle.is_some() {
            self.presuming.round = Some(self.f.label());
            self.f.open();
        }
    }

    pub fn close_round(&mut self) {
        if let Some(round) = self.presuming.round.take() {
            let body = self.f.close();
            self.f.push(Stmt::Block(round, body));
        }
    }

    /// Has a turn that is presumed to go on rest before a random game stops there.
    pub fn settle_first(&mut self) {
        let (Some(settle), Some(round)) = (self.presuming.settle, self.presuming.round) else {
            return;
        };
        let flag = self.presumed_word();
        let call = Stmt::Call(settle, Vec::new(), None);
        self.f.when(flag, vec![call, Stmt::Leave(round)]);
    }

    /// Where a turn is presumed to go on, that is told by how many actions were listed, by the entry that is given by its number; where
    /// some of those may not be legal it is left in doubt until one is played.
    pub fn told_by_list(&mut self, parts: &Parts<'_>, which: V, total: V) {
        let Some(round) = self.presuming.round else {
            return;
        };
        let inexact = parts.presumed.iter().flatten().any(|one| !one.list.exact);
        let doubt = inexact.then(|| Doubt {
            left: self.f.word(),
            seed: self.f.word(),
            refused: self.f.word(),
        });
        self.presuming.doubt = doubt;
        if let Some(doubt) = doubt {
            for word in [doubt.left, doubt.seed, doubt.refused] {
                self.let_word(word, NO);
            }
        }
        let flag = self.presumed_word();
        self.f.open();
        self.set_presumed(NO);
        self.by_entry(parts, which, |l, one| {
            let none = l.f.bin(Bin::Equal, total, V::K(one.list.besides));
            let on = Stmt::Call(one.otherwise, Vec::new(), None);
            l.f.when(none, vec![on, Stmt::Leave(round)]);
            if let Some(doubt) = doubt.filter(|_| !one.list.exact) {
                l.let_word(doubt.left, V::K(REFUSED));
                let (seed, refused) = (l.game_word(Game::Seed), l.game_word(Game::Refused));
                l.let_word(doubt.seed, seed);
                l.let_word(doubt.refused, refused);
            }
        });
        let body = self.f.close();
        self.f.when(flag, body);
    }

    /// Does something for the place where a turn is presumed to go on, by the entry that is given by its number.
    fn by_entry(&mut self, parts: &Parts<'_>, which: V, write: impl Fn(&mut Self, &Presumption)) {
        let turns = self.program.turns.len();
        let mut bodies = Vec::new();
        for (entries, presumed) in parts.entries.iter().zip(parts.presumed) {
            for at in 0..entries.len() {
                self.f.open();
                if let Some(one) = presumed.iter().find(|one| turns + one.point == at + 1) {
                    write(self, one);
                }
                bodies.push(self.f.close());
            }
        }
        match which {
            V::K(which) => {
                let body = bodies.swap_remove(which as usize);
                self.f.when(YES, body);
            }
            V::R(which) => self.f.push(Stmt::Switch(which, bodies)),
        }
    }

    /// Before an action is played that was drawn while it is in doubt whether the turn goes on: where it is not of what was asked for, it is
    /// asked now. Nothing was drawn where it does not.
    pub fn doubt_drawn(&mut self, parts: &Parts<'_>, which: V) {
        let Some(doubt) = self.presuming.doubt else {
            return;
        };
        self.f.open();
        let first = self.f.load(self.room.path, NO);
        let other = self.f.word();
        self.let_word(other, NO);
        self.by_entry(parts, which, |l, one| {
            if one.list.besides > 0 && !one.list.exact {
                let differs = l.f.bin(Bin::Differ, first, V::K(one.list.way));
                l.let_word(other, differs);
            }
        });
        self.f.open();
        self.settle_doubt();
        let body = self.f.close();
        self.f.when(V::R(other), body);
        let body = self.f.close();
        self.f.when(V::R(doubt.left), body);
    }

    /// The same where so many actions were refused, or the first of them.
    pub fn doubt_refused(&mut self, first: bool) {
        let Some(doubt) = self.presuming.doubt else {
            return;
        };
        if first {
            return self.settle_if_in_doubt();
        }
        self.f.open();
        let left = self.f.bin(Bin::Sub, V::R(doubt.left), YES);
        self.let_word(doubt.left, left);
        let enough = self.f.not(left);
        self.f.open();
        self.settle_doubt();
        let body = self.f.close();
        self.f.when(enough, body);
        let body = self.f.close();
        self.f.when(V::R(doubt.left), body);
    }

    /// Where it is in doubt, asks whether the turn goes on.
    pub fn settle_if_in_doubt(&mut self) {
        if let Some(doubt) = self.presuming.doubt {
            self.f.open();
            self.settle_doubt();
            let body = self.f.close();
            self.f.when(V::R(doubt.left), body);
        }
    }

    /// Asks whether the turn goes on; where it does not, nothing was drawn.
    fn settle_doubt(&mut self) {
        let presuming = &self.presuming;
        let (Some(settle), Some(round), Some(doubt)) =
            (presuming.settle, presuming.round, presuming.doubt)
        else {
            return;
        };
        self.let_word(doubt.left, NO);
        self.set_presumed(YES);
        let so = self.f.call(settle, Vec::new());
        let other = self.f.not(so);
        self.f.open();
        self.set_game_word(Game::Seed, V::R(doubt.seed));
        self.set_game_word(Game::Refused, V::R(doubt.refused));
        self.f.push(Stmt::Leave(round));
        let body = self.f.close();
        self.f.when(other, body);
    }
}
