//! Which version of memory stands at a place, while statements are gone through: what was loaded or stored of one is there until it is
//! another, with all of its region. Where it is wanted exactly, a place that is always the same changes only by what is stored at it, or
//! where it is not known where; and if all that changes the state is noted, it is again what it was when that is taken back.

use crate::compile::kernel::tidy::ranges::Range;
use crate::compile::kernel::tidy::{any, taken_back};
use crate::program::kernel::{Place, Room, Set, Stmt, W, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many regions memory has.
const REGIONS: usize = 9;

/// Regions, each a bit.
pub type Regions = u16;

/// That of the state.
const STATE: usize = 0;

/// All of them.
const EVERYWHERE: Regions = (1 << REGIONS) - 1;

/// How exactly it is followed what stands where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exact {
    /// By regions.
    No,
    /// Known places are told from the others of their region.
    Places,
    /// The same, and the state is what it was when what was noted is taken back: what is called notes all that it changes of it.
    Noted,
}

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
    /// The last change of the piles of cells at a place that is not known.
    piled: u32,
    /// The last changes of the state at a place that is not known, from a known one on.
    beyond: Vec<(u32, u32)>,
    /// The marks behind which all that changes the state is noted until it is taken back.
    clean: FxHashSet<W>,
    /// Those of them that were come to, how memory stood there, and whether the state was changed before.
    open: Vec<(W, Before, Regions)>,
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
    piled: u32,
    beyond: Vec<(u32, u32)>,
    plain: usize,
}

impl Memory {
    /// Memory that is laid out so, for a function with these statements.
    pub fn new(room: &Room, exact: Exact, body: &[Stmt]) -> Memory {
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
        let mut clean = FxHashSet::default();
        if exact == Exact::Noted {
            brackets(body, room, &mut clean);
        }
        Memory {
            room: *room,
            exact: exact != Exact::No,
            bounds,
            any: [0; REGIONS],
            wild: [0; REGIONS],
            piled: 0,
            beyond: Vec::new(),
            clean,
            open: Vec::new(),
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
        let words = place.base..place.base + words;
        let own = words.clone().filter_map(|at| self.plain.get(&at));
        let mut last = own.fold(self.wild[region], |last, own| last.max(*own));
        let met = |(from, _): &&(u32, u32)| region == STATE && *from < words.end;
        for (_, version) in self.beyond.iter().filter(met) {
            last = last.max(*version);
        }
        let cells = self.cells();
        let in_piles = words.start < cells.1 && cells.0 < words.end;
        if in_piles { last.max(self.piled) } else { last }
    }

    /// How many cells there are, where that can be told.
    pub fn most_cells(&self) -> Option<i64> {
        let (from, to) = self.cells();
        (self.exact && to > from).then_some(i64::from(to - from))
    }

    /// Where the piles of cells stand, without the one that is up.
    fn cells(&self) -> (u32, u32) {
        (self.room.piles, self.room.tall.max(self.room.piles + 1) - 1)
    }

    /// Whether a statement changes only the pile of some cell, as its index lies in a range.
    fn piles(&self, stmt: &Stmt, range: impl Fn(W) -> Range) -> bool {
        let (from, to) = self.cells();
        match stmt {
            Stmt::StoreLogged(place, _) if self.exact && place.base == from => {
                place.index.is_some_and(|(w, each)| {
                    let (low, high) = range(w);
                    each == 1 && low >= 0 && high < i64::from(to - from)
                })
            }
            _ => false,
        }
    }

    /// Whether a statement changes the state only from a known place on.
    fn somewhere(&self, stmt: &Stmt) -> Option<u32> {
        match stmt {
            Stmt::Store(place, _) | Stmt::StoreLogged(place, _) if self.exact => place
                .index
                .is_some_and(|_| self.region(place.base) == STATE)
                .then_some(place.base),
            _ => None,
        }
    }

    fn change_beyond(&mut self, from: u32, stmt: &Stmt) {
        if matches!(stmt, Stmt::StoreLogged(..)) {
            self.change_all(self.bits(&[self.room.log_used, self.room.log]));
        }
        self.next += 1;
        self.any[STATE] = self.next;
        self.changed |= 1 << STATE;
        match self.beyond.iter_mut().find(|(base, _)| *base == from) {
            Some((_, version)) => *version = self.next,
            None => self.beyond.push((from, self.next)),
        }
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

    /// A statement changes memory, itself; indices lie in these ranges.
    pub fn change(&mut self, stmt: &Stmt, range: impl Fn(W) -> Range) {
        match stmt {
            Stmt::Mark(w) if self.clean.contains(w) => {
                self.open.push((*w, self.stands(), self.changed));
            }
            Stmt::Undo(w) if self.open.last().is_some_and(|(mark, ..)| mark == w) => {
                return self.take_back();
            }
            _ => {}
        }
        if self.piles(stmt, range) {
            self.change_all(self.bits(&[self.room.log_used, self.room.log]));
            self.next += 1;
            self.piled = self.next;
            self.any[STATE] = self.next;
            self.changed |= 1 << STATE;
            return;
        }
        if let Some(from) = self.somewhere(stmt) {
            return self.change_beyond(from, stmt);
        }
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

    /// The state is again what it was at the last mark.
    fn take_back(&mut self) {
        let Some((_, before, changed)) = self.open.pop() else {
            return;
        };
        self.change_all(EVERYWHERE & !(1 << STATE));
        self.any[STATE] = before.any[STATE];
        self.wild[STATE] = before.wild[STATE];
        self.piled = before.piled;
        self.beyond = before.beyond;
        let kept = self.room.kept;
        let since = self.before.split_off(before.plain);
        for (at, old) in since.iter().rev().filter(|(at, _)| *at < kept) {
            self.put_back(*at, *old);
        }
        let others = since.into_iter().filter(|(at, _)| *at >= kept);
        self.before.extend(others);
        self.changed = self.changed & !(1 << STATE) | changed & 1 << STATE;
    }

    fn put_back(&mut self, at: u32, old: Option<u32>) {
        match old {
            Some(old) => self.plain.insert(at, old),
            None => self.plain.remove(&at),
        };
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
        let mut at = 0;
        while let Some(stmt) = body.get(at) {
            let inside = match stmt {
                Stmt::Mark(w) if self.clean.contains(w) => taken_back(&body[at + 1..], *w),
                _ => None,
            };
            if let Some(length) = inside {
                let inside = &body[at + 1..at + 1 + length];
                all |= self.changed_by(inside) & !(1 << STATE);
                all |= EVERYWHERE & !(1 << STATE);
                at += 2 + length;
                continue;
            }
            all |= self.regions(stmt);
            for inner in stmt.bodies() {
                all |= self.changed_by(inner);
            }
            at += 1;
        }
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
            piled: self.piled,
            beyond: self.beyond.clone(),
            plain: self.before.len(),
        }
    }

    /// Memory as it stood.
    pub fn go_back(&mut self, before: &Before) {
        (self.any, self.wild) = (before.any, before.wild);
        self.piled = before.piled;
        self.beyond.clone_from(&before.beyond);
        for (at, old) in self.before.split_off(before.plain).into_iter().rev() {
            self.put_back(at, old);
        }
    }
}

/// Finds the marks behind which the state is only changed with a note, and nothing is left before that is taken back.
fn brackets(body: &[Stmt], room: &Room, clean: &mut FxHashSet<W>) {
    for (at, stmt) in body.iter().enumerate() {
        for inner in stmt.bodies() {
            brackets(inner, room, clean);
        }
        let Stmt::Mark(mark) = stmt else { continue };
        let rest = &body[at + 1..];
        let Some(length) = taken_back(rest, *mark) else {
            continue;
        };
        let spoils = |stmt: &Stmt| match stmt {
            Stmt::Store(place, _) | Stmt::StoreSet(place, _) => place.base < room.kept,
            _ => false,
        };
        if !any(&rest[..length], &spoils) {
            clean.insert(*mark);
        }
    }
}
