//! Choices: the rest of the program is run once for each way, and the changes are taken back.

use crate::board::CellSet;
use crate::engine::machine::Machine;
use crate::engine::run::Flow;
use crate::program::{Cells, Domain, Members, Pc, VarId};

impl<'p, const N: usize> Machine<'p, N> {
    /// Goes on with every member of a domain.
    pub fn choose(&mut self, var: VarId, domain: &'p Domain, then: Pc) -> Flow {
        let flow = self.choose_among(var, domain, then);
        if flow == Flow::Stop || self.watch.is_none() {
            return flow;
        }
        self.choose_beyond(var, domain, then)
    }

    fn choose_among(&mut self, var: VarId, domain: &'p Domain, then: Pc) -> Flow {
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

    /// Goes on with every joined part of a set.
    pub fn choose_part(&mut self, var: VarId, set: &'p Cells, then: Pc) -> Flow {
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

    /// Goes on with a variable set to a word.
    pub fn with_word(&mut self, place: usize, word: u64, then: Pc) -> Flow {
        let mark = self.log.len();
        self.poke(place, word);
        let flow = self.deeper(then);
        self.undo(mark);
        flow
    }

    /// Goes on at every one of several instructions.
    pub fn branch(&mut self, ways: &[Pc]) -> Flow {
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
    pub fn each(&mut self, var: VarId, rest: VarId, members: Members) -> bool {
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
        let Some(first) = left.first() else {
            return false;
        };
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
}
