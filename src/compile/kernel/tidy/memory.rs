//! Which version of memory stands at a place, while statements are gone through: what was loaded or stored of one is there until it is
//! another, with all of its region. Where it is wanted exactly, a place that is always the same changes only by what is stored at it, or
//! where it is not known where.

use crate::program::kernel::{Place, Room, Set, Stmt, Word};
use rustc_hash::FxHashMap;

/// How many regions memory has.
const REGIONS: usize = 9;

/// Regions, each a bit.
pub type Regions = u16;

/// All of them.
const EVERYWHERE: Regions = (1 << REGIONS) - 1;

pub struct Memory {
    room: Room,
    /// Whether known places are told from the others of their region.
    exact: bool,
    /// Where the regions end.
    bounds: [u32; REGIONS],
    /// The last change of each region.
    any: [u32; REGIONS],
    /// The last change of each region that may be at any place of it.
    wild: [u32; REGIONS],
    /// The last change of words that are changed at a known place.
    plain: FxHashMap<u32, u32>,
    /// What stood in `plain` before.
    before: Vec<(u32, Option<u32>)>,
    next: u32,
    /// The regions that were changed since this was last looked at.
    pub changed: Regions,
}

/// How memory stood somewhere.
pub struct Before {
    any: [u32; REGIONS],
    wild: [u32; REGIONS],
    plain: usize,
}

impl Memory {
    pub fn new(room: &Room, exact: bool) -> Memory {
        let mut bounds = [
            room.kept,
            room.game,
            room.start,
            room.scratch,
            room.path,
            room.text,
            room.log,
            room.moves,
            u32::MAX,
        ];
        bounds.sort_unstable();
        Memory {
            room: *room,
            exact,
            bounds,
            any: [0; REGIONS],
            wild: [0; REGIONS],
            plain: FxHashMap::default(),
            before: Vec::new(),
            next: 0,
            changed: 0,
        }
    }

    /// Whether what is stored need not be loaded.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The version of a loaded word.
    pub fn of_word(&self, word: &Word) -> u32 {
        match word {
            Word::Load(place) => self.version(place, 1),
            _ => 0,
        }
    }

    /// The version of a loaded set.
    pub fn of_set(&self, set: &Set) -> u32 {
        match set {
            Set::Load(place) => self.version(place, self.room.words),
            _ => 0,
        }
    }

    fn version(&self, place: &Place, words: u32) -> u32 {
        let region = self.region(place.base);
        if place.index.is_some() {
            return self.any[region];
        }
        let own = (place.base..place.base + words).filter_map(|at| self.plain.get(&at));
        own.fold(self.wild[region], |last, own| last.max(*own))
    }

    /// Whether a statement changes only so many words at a known place, from one on.
    fn plainly(&self, stmt: &Stmt) -> Option<(u32, u32)> {
        match stmt {
            _ if !self.exact => None,
            Stmt::Store(Place { base, index: None }, _)
            | Stmt::StoreLogged(Place { base, index: None }, _) => Some((*base, 1)),
            Stmt::StoreSet(Place { base, index: None }, _) => Some((*base, self.room.words)),
            _ => None,
        }
    }

    /// A statement changes memory, itself.
    pub fn change(&mut self, stmt: &Stmt) {
        let Some((from, many)) = self.plainly(stmt) else {
            return self.change_all(self.regions(stmt));
        };
        if matches!(stmt, Stmt::StoreLogged(..)) {
            self.change_all(self.bits(&[self.room.log_used, self.room.log]));
        }
        self.next += 1;
        let region = self.region(from);
        self.any[region] = self.next;
        self.changed |= 1 << region;
        for at in from..from + many {
            let old = self.plain.insert(at, self.next);
            self.before.push((at, old));
        }
    }

    /// Regions change, it is not known where.
    pub fn change_all(&mut self, regions: Regions) {
        self.changed |= regions;
        for at in (0..REGIONS).filter(|at| regions >> at & 1 == 1) {
            self.next += 1;
            self.any[at] = self.next;
            self.wild[at] = self.next;
        }
    }

    /// The regions that a statement itself changes.
    fn regions(&self, stmt: &Stmt) -> Regions {
        let room = &self.room;
        match stmt {
            Stmt::Store(place, _) | Stmt::StoreSet(place, _) => self.bits(&[place.base]),
            Stmt::StoreLogged(place, _) => self.bits(&[place.base, room.log_used, room.log]),
            Stmt::Call(..) | Stmt::Undo(_) => EVERYWHERE,
            Stmt::Leaf(_) | Stmt::Leaves(..) => {
                self.bits(&[room.moves_used, room.moves_count, room.moves])
            }
            Stmt::Tally(_) => self.bits(&[room.tally]),
            _ => 0,
        }
    }

    /// The regions that statements change, and those inside them.
    pub fn changed_by(&self, body: &[Stmt]) -> Regions {
        let mut all = 0;
        crate::program::kernel::each_statement(body, &mut |stmt| all |= self.regions(stmt));
        all
    }

    fn bits(&self, places: &[u32]) -> Regions {
        let of = places.iter().map(|at| 1 << self.region(*at));
        of.fold(0, |all, one| all | one)
    }

    fn region(&self, base: u32) -> usize {
        let at = self.bounds.partition_point(|bound| *bound <= base);
        at.min(REGIONS - 1)
    }

    /// How memory stands.
    pub fn stands(&self) -> Before {
        Before {
            any: self.any,
            wild: self.wild,
            plain: self.before.len(),
        }
    }

    /// Memory as it stood.
    pub fn go_back(&mut self, before: &Before) {
        (self.any, self.wild) = (before.any, before.wild);
        for (at, old) in self.before.drain(before.plain..).rev() {
            match old {
                Some(old) => self.plain.insert(at, old),
                None => self.plain.remove(&at),
            };
        }
    }
}
