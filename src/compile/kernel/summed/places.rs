//! Memory where a way stands: loads from it, and what would have been stored in it.

use crate::compile::kernel::fun::V;
use crate::compile::kernel::summed::state::State;
use crate::compile::kernel::summed::values::{Many, Num, Read};
use crate::compile::kernel::summed::walk::Walk;
use crate::program::kernel::{Place, Set, Stmt, Word};

impl<'k> Walk<'k> {
    /// Where a place begins in memory, when that is the same in all positions.
    fn at(&self, state: &State<'k>, place: &Place) -> Option<u32> {
        let Some((w, stride)) = place.index else {
            return Some(place.base);
        };
        let Num::Same(v) = state.env.num(w) else {
            return None;
        };
        match self.writer.get(v) {
            V::K(k) => {
                let by = u32::try_from(k).ok()?.checked_mul(stride)?;
                place.base.checked_add(by)
            }
            V::R(_) => None,
        }
    }

    /// A place of memory as it is, where nothing would have been stored.
    fn untouched(&self, state: &State<'k>, place: &Place) -> Option<Place> {
        let (w, stride) = place.index?;
        let Num::Same(V::R(w)) = state.env.num(w) else {
            return None;
        };
        let end = self.region_end(place.base);
        let untouched = state.memory.is_untouched(place.base, end);
        untouched.then_some(Place {
            base: place.base,
            index: Some((w, stride)),
        })
    }

    /// Where the region ends that holds a place: what is computed from a place stays within it.
    fn region_end(&self, at: u32) -> u32 {
        let room = self.room;
        let bounds = [
            room.kept,
            room.game,
            room.start,
            room.before,
            room.scratch,
            room.path,
            room.text,
            room.log,
            room.moves,
        ];
        let above = bounds.into_iter().filter(|bound| *bound > at);
        above.min().unwrap_or(u32::MAX)
    }

    /// A word of memory.
    pub fn load(&mut self, state: &State<'k>, place: &Place) -> Num {
        let room = self.room;
        match self.at(state, place) {
            Some(at) if (room.tally..=room.log_used).contains(&at) => Num::Unknown,
            Some(at) => match state.memory.word(at) {
                Some(num) => num,
                None => Num::Same(self.writer.make(Word::Load(fixed(at)))),
            },
            None => match self.untouched(state, place) {
                Some(place) => Num::Same(self.writer.make(Word::Load(place))),
                None => Num::Unknown,
            },
        }
    }

    /// A set of memory.
    pub fn load_set(&mut self, state: &State<'k>, place: &Place) -> Many {
        match self.at(state, place) {
            Some(at) => match state.memory.set(at) {
                Some(many) => many,
                None => Many::Same(self.writer.make_set(Set::Load(fixed(at)))),
            },
            None => match self.untouched(state, place) {
                Some(place) => Many::Same(self.writer.make_set(Set::Load(place))),
                None => Many::Unknown,
            },
        }
    }

    /// Stores what a statement does; nothing when it cannot be told where, or what it is for.
    pub fn store(&mut self, state: &mut State<'k>, stmt: &Stmt) -> Option<()> {
        let (Stmt::Store(place, _) | Stmt::StoreSet(place, _) | Stmt::StoreLogged(place, _)) = stmt
        else {
            return None;
        };
        let room = self.room;
        let Some(at) = self.at(state, place) else {
            let (w, stride) = place.index?;
            let (Num::Cell(more), false) =
                (state.env.num(w), matches!(stmt, Stmt::StoreLogged(..)))
            else {
                return None;
            };
            let many = if matches!(stmt, Stmt::StoreSet(..)) {
                room.words
            } else {
                1
            };
            let more = i64::from(stride).checked_mul(more.cast_signed())?;
            let from = u32::try_from(i64::from(place.base).checked_add(more)?).ok()?;
            let to = from + (self.board - 1) * stride + many;
            (to <= self.region_end(from)).then_some(())?;
            state.memory.lose(from, to);
            return Some(());
        };
        match stmt {
            _ if self.answers.contains(&at) => {}
            Stmt::Store(_, w) => {
                let num = state.env.num(*w);
                if at == room.log_used {
                    let Num::Same(v) = num else { return None };
                    (self.writer.truth(v) == Some(false)).then_some(())?;
                    state.memory.forget_log();
                } else if at == room.tally || at == room.fault || at == room.depth {
                    return None;
                } else {
                    state.memory.store(at, num);
                }
            }
            Stmt::StoreSet(_, s) => {
                let many = state.env.many(*s);
                state.memory.store_set(at, many);
            }
            Stmt::StoreLogged(_, w) => {
                let num = state.env.num(*w);
                state.memory.store_logged(at, num).then_some(())?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// A place that is not computed.
fn fixed(base: u32) -> Place {
    Place { base, index: None }
}
