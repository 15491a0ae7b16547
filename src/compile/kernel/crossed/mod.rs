//! Steps to a cell beside, listed direction by direction. In: functions that list for random games. Out: functions that list the same
//! actions, in another order. Before: a loop over cells that takes down for each a set of cells beside it. After: for each direction
//! a loop over those cells of which the next is in that set, found for all at once by a shift, so that `families` can take them down as
//! one set; what is asked of each cell alone is asked of all before, without going one way or another. Conditions: the loop stores
//! words of the path and nothing else; all that a cell's set can have is next to it in a few directions, each in one of them; the
//! set is made of rows of tables and of sets that are the same for all cells.

mod across;
mod step;

use crate::compile::kernel::crossed::across::Crosser;
use crate::compile::kernel::crossed::step::{given, may_cross};
use crate::compile::kernel::inline::with_callees;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Body, Entry, FuncId, Function, Room, Stmt, each_statement, fixed_words,
};

impl Lowerer<'_> {
    /// Writes lists direction by direction, but for those functions that are written otherwise where code is wanted soon: what is
    /// drawn must not depend on when the better code comes.
    pub fn cross(&mut self, entries: &[Vec<Entry>], otherwise: &[(FuncId, Function)]) {
        let mut lists: Vec<FuncId> = entries.iter().flatten().map(|e| e.list).collect();
        lists.sort_unstable();
        lists.dedup();
        lists.retain(|id| otherwise.iter().all(|(other, _)| other != id));
        for id in lists {
            if !may_cross(&self.functions, id) {
                continue;
            }
            let mut list = with_callees(&self.functions, id);
            tidy::one(&mut list, &self.room);
            let numbers = fixed_words(&list);
            let body = std::mem::take(&mut list.body);
            let mut crosser = Crosser {
                given: given(&list.params, &body),
                numbers,
                words: list.words,
                sets: list.sets,
                piles_stand: piles_stand(&body, &self.room),
                l: self,
                crossed: false,
            };
            list.body = crosser.body(body);
            if crosser.crossed {
                (list.words, list.sets) = (crosser.words, crosser.sets);
                self.functions[id.0 as usize] = list;
            }
        }
    }
}

/// Whether all in memory about piles is as it was when the function was called, wherever it is looked at.
fn piles_stand(body: &Body, room: &Room) -> bool {
    let mut stand = true;
    each_statement(body, &mut |stmt| {
        stand &= match stmt {
            Stmt::Store(place, _) | Stmt::StoreLogged(place, _) | Stmt::StoreSet(place, _) => {
                place.base >= room.kept
            }
            Stmt::Call(..) => false,
            _ => true,
        };
    });
    stand
}
