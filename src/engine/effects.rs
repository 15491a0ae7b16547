//! Effects are done here. One that cannot be done says so, and the branch ends.

use crate::board::{Cell, CellSet};
use crate::engine::eval::Run;
use crate::engine::machine::Machine;
use crate::program::{
    CellExpr, Effect, KindExpr, KindId, Num, PlayerExpr, VarId, WORD_AGAIN, WORD_SEATS,
};
use smallvec::SmallVec;

impl<'p, const N: usize> Machine<'p, N> {
    /// Does an effect; false when it cannot be done.
    #[allow(clippy::too_many_lines, reason = "one arm an effect")]
    pub fn effect(&mut self, effect: &'p Effect) -> bool {
        match effect {
            Effect::Place {
                kind,
                owner,
                at,
                times,
            } => self.place_pieces(kind, owner.as_ref(), at, times),
            Effect::Enter { kind, at, times } => {
                let (Some(kind_id), times) = (self.kind(kind), self.num(times)) else {
                    return false;
                };
                let slot = self.program.layout.hands
                    + usize::from(self.me.0) * self.program.kinds.len()
                    + usize::from(kind_id.0);
                let held = self.mem[slot].cast_signed();
                if times < 0 || held < times {
                    return false;
                }
                self.poke(slot, (held - times).cast_unsigned());
                let piece = self.piece(kind_id, u16::from(self.me.0) + 1);
                let set = self.cells(at);
                !set.is_empty() && set.iter().all(|c| self.push_times(c, piece, times))
            }
            Effect::Deal { kind, to, times } => {
                let (Some(kind), Some(to)) = (self.kind(kind), self.player(to)) else {
                    return false;
                };
                // What is nobody's is in no hand.
                if self.program.kinds[usize::from(kind.0)].neutral {
                    return false;
                }
                let slot = self.program.layout.hands
                    + usize::from(to.0) * self.program.kinds.len()
                    + usize::from(kind.0);
                let more = self.num(times).max(0);
                self.poke(slot, (self.mem[slot].cast_signed() + more).cast_unsigned());
                true
            }
            Effect::Move(from, to) => self.move_pieces(from, to),
            Effect::Advance(run, by) => self.advance(*run, by),
            Effect::Capture(set) => {
                let set = self.cells(set);
                set.iter().for_each(|c| self.capture_all(c));
                true
            }
            Effect::CaptureTop(of, under) => self.capture_top(of, under.as_ref()),
            Effect::Remove(set) => {
                let set = self.cells(set);
                set.iter().for_each(|c| {
                    self.clear(usize::from(c.0));
                });
                true
            }
            Effect::Flip(set) => {
                let set = self.cells(set);
                set.iter().all(|c| self.flip(c))
            }
            Effect::Promote(at, kind) => {
                let (Some(at), Some(kind)) = (self.cell(at), self.kind(kind)) else {
                    return false;
                };
                match self.top(usize::from(at.0)) {
                    // What is nobody's stays what it is, and nothing becomes such.
                    Some(old)
                        if old >> 8 == 0 || self.program.kinds[usize::from(kind.0)].neutral =>
                    {
                        false
                    }
                    Some(old) => {
                        self.replace_top(usize::from(at.0), old & 0xFF00 | u16::from(kind.0))
                    }
                    None => false,
                }
            }
            Effect::Lift(at) => match self.cell(at) {
                Some(c) if self.height(usize::from(c.0)) > 0 => {
                    self.unmark(usize::from(c.0));
                    self.carry(usize::from(c.0), self.up())
                }
                Some(_) | None => false,
            },
            Effect::Drop(at) => {
                let (Some(c), up) = (self.cell(at), self.up()) else {
                    return false;
                };
                match self.pop_under(up) {
                    Some(piece) => self.push(usize::from(c.0), piece),
                    None => false,
                }
            }
            Effect::Mark(var, set) => {
                let set = self.cells(set);
                let place = self.place(*var);
                self.poke_set(place, self.set_at(place) | set);
                true
            }
            Effect::Unmark(var, set) => {
                let set = self.cells(set);
                let place = self.place(*var);
                self.poke_set(place, self.set_at(place).without(set));
                true
            }
            Effect::Again => {
                self.poke(WORD_AGAIN, 1);
                true
            }
            Effect::ExchangeSeats => {
                self.poke(WORD_SEATS, 1 - self.mem[WORD_SEATS].min(1));
                true
            }
            Effect::Pass => {
                if let Some(passed) = self.program.system.passed {
                    self.poke(self.place(passed), 1);
                }
                true
            }
        }
    }

    fn push_times(&mut self, at: Cell, piece: u16, times: i64) -> bool {
        times <= 0xFFFF && (0..times).all(|_| self.push(usize::from(at.0), piece))
    }

    fn place_pieces(
        &mut self,
        kind: &'p KindExpr,
        owner: Option<&'p PlayerExpr>,
        at: &'p crate::program::Cells,
        times: &'p Num,
    ) -> bool {
        let Some(kind) = self.kind(kind) else {
            return false;
        };
        let owner = match owner {
            Some(p) => match self.player(p) {
                Some(p) => u16::from(p.0) + 1,
                None => return false,
            },
            None => 0,
        };
        let set = self.cells(at);
        let times = self.num(times);
        let piece = self.piece(kind, owner);
        set.iter().all(|c| self.push_times(c, piece, times))
    }

    /// A piece of a kind and an owner, counted from 1; what is neutral is nobody's, also where the kind was chosen.
    fn piece(&self, kind: KindId, owner: u16) -> u16 {
        let neutral = self.program.kinds[usize::from(kind.0)].neutral;
        u16::from(kind.0) | if neutral { 0 } else { owner << 8 }
    }

    /// Counts captured pieces, and remembers where.
    fn count_captured(&mut self, at: Cell, pieces: usize) {
        if pieces == 0 {
            return;
        }
        self.poke(self.taken, self.mem[self.taken] + pieces as u64);
        if let Some(captures) = self.program.system.captures {
            let place = self.place(captures);
            self.poke(place, self.mem[place] + pieces as u64);
        }
        if let Some(captured) = self.program.system.captured {
            let place = self.place(captured);
            self.poke_set(place, self.set_at(place) | CellSet::single(at));
        }
    }

    fn capture_all(&mut self, at: Cell) {
        let pieces = self.clear(usize::from(at.0));
        self.count_captured(at, pieces);
    }

    fn capture_top(&mut self, of: &'p CellExpr, under: Option<&'p CellExpr>) -> bool {
        let Some(of) = self.cell(of) else {
            return false;
        };
        let target = match under {
            Some(c) => match self.cell(c) {
                Some(c) => Some(c),
                None => return false,
            },
            None => None,
        };
        let Some(piece) = self.pop(usize::from(of.0)) else {
            return false;
        };
        self.count_captured(of, 1);
        target.is_none_or(|c| self.push_under(usize::from(c.0), piece))
    }

    fn move_pieces(&mut self, from: &'p CellExpr, to: &'p CellExpr) -> bool {
        let (Some(from), Some(to)) = (self.cell(from), self.cell(to)) else {
            return false;
        };
        if self.height(usize::from(from.0)) == 0 {
            return false;
        }
        if from == to {
            return true;
        }
        if !self.program.stacking {
            self.capture_all(to);
        }
        let marks = self.marks_of(usize::from(from.0));
        self.unmark(usize::from(from.0));
        let done = self.carry(usize::from(from.0), usize::from(to.0));
        self.mark_as(usize::from(to.0), marks);
        done
    }

    fn advance(&mut self, run: VarId, by: &'p Num) -> bool {
        let by = self.num(by);
        let Some(run) = Run::from_word(self.mem[self.place(run)]) else {
            return false;
        };
        if by == 0 {
            return true;
        }
        // From the front, each piece to its new cell.
        let mut cells: SmallVec<[Cell; 32]> = SmallVec::new();
        let mut at = Some(run.start);
        for _ in 0..run.length {
            let Some(c) = at else { return false };
            cells.push(c);
            at = self.program.board.step(c, run.way);
        }
        if by < 0 {
            return false;
        }
        let mut moves: SmallVec<[(usize, usize); 32]> = SmallVec::new();
        for c in cells.into_iter().rev() {
            let from = usize::from(c.0);
            if self.height(from) == 0 {
                continue;
            }
            let Some(to) = self.along(c, run.way, by) else {
                return false;
            };
            moves.push((from, usize::from(to.0)));
        }
        let leads_back = moves
            .iter()
            .any(|(_, to)| moves.iter().any(|(from, _)| from == to));
        if leads_back && !self.program.stacking {
            return self.advance_at_once(&moves);
        }
        moves.into_iter().all(|(from, to)| {
            let marks = self.marks_of(from);
            self.unmark(from);
            let free = self.program.stacking || self.height(to) == 0;
            let done = free && self.carry(from, to);
            self.mark_as(to, marks);
            done
        })
    }

    /// Moves pieces, of which some come to where others were: all are taken up first.
    fn advance_at_once(&mut self, moves: &[(usize, usize)]) -> bool {
        let taken_up: SmallVec<[_; 32]> = moves
            .iter()
            .map(|(from, to)| {
                let marks = self.marks_of(*from);
                self.unmark(*from);
                (self.pop(*from), *to, marks)
            })
            .collect();
        taken_up.into_iter().all(|(piece, to, marks)| {
            let done = piece.is_some_and(|piece| self.push(to, piece));
            self.mark_as(to, marks);
            done
        })
    }

    fn flip(&mut self, at: Cell) -> bool {
        let Some(old) = self.top(usize::from(at.0)) else {
            return true;
        };
        let owner = match old >> 8 {
            0 => return true,
            1 => 2,
            _ => 1,
        };
        self.replace_top(usize::from(at.0), owner << 8 | old & 0xFF)
    }
}
