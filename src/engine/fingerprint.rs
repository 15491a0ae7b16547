//! The hash of the rules under their options: everything of a compiled game that decides what can be played, and what it is called, so that
//! two games with one hash are the same game. Where things stand in the file, and what no turn comes to, is no part of it.

use crate::board::Directions;
use crate::engine::hash::{mix, text_hash};
use crate::engine::state::State;
use crate::program::{Program, dump};

/// The hash of a program whose setup comes to a state.
pub fn rules_hash(program: &Program, initial: &State) -> u64 {
    let mut hash = Hash(text_hash(&dump(program)));
    hash.board(program);
    hash.pieces(program);
    hash.kept(program);
    hash.all(initial.words.iter().copied());
    hash.0
}

struct Hash(u64);

impl Hash {
    fn add(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }

    /// Numbers, and how many there are.
    fn all(&mut self, numbers: impl IntoIterator<Item = u64>) {
        let mut many = 0;
        for number in numbers {
            self.add(number);
            many += 1;
        }
        self.add(many);
    }

    /// What cells and directions are called, and where each step leads: boards of as many cells differ in nothing else.
    fn board(&mut self, program: &Program) {
        let board = &program.board;
        self.all(board.cells().iter().map(|cell| text_hash(board.name(cell))));
        for direction in Directions::range(board.directions()).iter() {
            self.add(text_hash(board.direction_name(direction)));
            self.all(board.steps(direction).iter().map(|to| u64::from(*to)));
        }
        for cell in &board.cells() {
            self.all(board.neighbours(cell).iter().map(|to| u64::from(to.0)));
        }
        for places in program.mirrors.iter().chain(&program.views) {
            self.all(places.iter().map(|cell| u64::from(cell.0)));
        }
    }

    /// Players and kinds, as positions and texts write them.
    fn pieces(&mut self, program: &Program) {
        let players = program.players.iter();
        self.all(players.map(|player| text_hash(&player.name)));
        for kind in &program.kinds {
            let told = [
                text_hash(&kind.name),
                u64::from(kind.letter),
                u64::from(kind.neutral),
            ];
            self.all(told);
        }
    }

    /// What is kept, where it begins, and what becomes of it.
    fn kept(&mut self, program: &Program) {
        for var in program.vars.iter().filter(|var| var.in_state()) {
            self.add(text_hash(&var.name));
            self.all([u64::from(var.compared), u64::from(var.travels)]);
            self.all([var.stride as u64, var.count as u64]);
            self.all(var.initial.iter().copied());
        }
    }
}
