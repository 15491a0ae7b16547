//! What may be taken back is stored back where it is known what that is: a random game in, the same game out. Before: what an action
//! changes is noted before it is known that it can be played, and taken back when it cannot. After: it is stored, and what stood there
//! is stored again on the ways on which it cannot. Conditions: on each of those ways it is known what was noted, and in which order;
//! what is noted in rounds of a loop, or only on some of several ways that meet again, still is.

use crate::compile::kernel::tidy::any;
use crate::program::kernel::{Body, Function, Label, Place, Room, Stmt, W, Word, fixed_words};
use rustc_hash::{FxHashMap, FxHashSet};

/// Stores back what a game would note, where a block is left to where all that was noted is taken back.
pub fn restore(game: &mut Function, room: &Room) {
    let fixed = fixed_words(game);
    let mut restored = Restored {
        room: *room,
        all: fixed.iter().map(|known| *known == Some(0)).collect(),
        words: game.words,
    };
    restored.body(&mut game.body, false);
    game.words = restored.words;
}

struct Restored {
    room: Room,
    /// For each word whether taking back to it takes back all.
    all: Vec<bool>,
    /// How many words there are.
    words: u32,
}

impl Restored {
    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    /// Goes through statements; `empty` says whether surely nothing is noted before them.
    fn body(&mut self, body: &mut Body, mut empty: bool) {
        for at in 0..body.len() {
            let back = match body.get(at + 1) {
                Some(Stmt::Undo(w)) if self.all.get(w.0 as usize) == Some(&true) => Some(*w),
                _ => None,
            };
            let before = match &body[at] {
                Stmt::Loop(_, inner) => empty && self.empties(inner),
                Stmt::ForCells(..) | Stmt::ForBits(..) | Stmt::ForNumbers(..) => {
                    empty && !notes(&body[at..=at])
                }
                _ => empty,
            };
            for inner in body[at].bodies_mut() {
                self.body(inner, before);
            }
            if let (Some(all), Stmt::Block(label, inner)) = (back, &mut body[at]) {
                self.block(*label, inner, empty.then_some(all));
            }
            empty = self.is_emptied(&body[at]) || empty && !notes(&body[at..=at]);
        }
    }

    /// Whether nothing is noted behind a statement, whatever was before.
    fn is_emptied(&self, stmt: &Stmt) -> bool {
        let all = |w: &W| self.all.get(w.0 as usize) == Some(&true);
        match stmt {
            Stmt::Undo(w) => all(w),
            Stmt::Store(place, w) => *place == Place::plain(self.room.log_used) && all(w),
            _ => false,
        }
    }

    /// Whether nothing is noted behind statements that lead on, if nothing was before.
    fn empties(&self, body: &[Stmt]) -> bool {
        let last = body.iter().rposition(|stmt| self.is_emptied(stmt));
        !notes(&body[last.unwrap_or(0)..])
    }

    /// Stores back what a block would note that is left to where all is taken back; told by which word when nothing is noted before.
    fn block(&mut self, failed: Label, body: &mut Body, empty: Option<W>) {
        let (mut asking, mut old) = (body.clone(), FxHashMap::default());
        if !self.keep_old(&mut asking, &mut old) {
            return;
        }
        let mut ways = Ways {
            notes: old,
            failed,
            left: FxHashMap::default(),
            lost: FxHashSet::default(),
            taking_back: None,
        };
        loop {
            ways.left.clear();
            ways.body(&mut asking, Some(Noted::default()));
            if ways.lost.is_empty() {
                break;
            }
            let lost = std::mem::take(&mut ways.lost);
            ways.notes.retain(|old, _| !lost.contains(old));
        }
        if ways.notes.is_empty() {
            return;
        }
        ways.plainly(&mut asking);
        let more = notes(&asking);
        let mark = empty.unwrap_or_else(|| self.word());
        let undo = more.then_some(Stmt::Undo(mark));
        ways.taking_back = Some(undo.into_iter().collect());
        ways.left.clear();
        let end = ways.body(&mut asking, Some(Noted::default()));
        asking.extend(ways.taken_back(end.as_ref()));
        if more && empty.is_none() {
            asking.insert(0, Stmt::Mark(mark));
        }
        *body = asking;
    }

    /// Asks what stood where something is noted that might be stored back: a word for each. False where it is not clear what is taken
    /// back, or forgotten, within.
    fn keep_old(&mut self, body: &mut Body, notes: &mut FxHashMap<W, Place>) -> bool {
        let mut at = 0;
        while at < body.len() {
            let clear = match &mut body[at] {
                Stmt::Mark(mark) => {
                    let undo = Stmt::Undo(*mark);
                    let length = body[at..].iter().position(|stmt| *stmt == undo);
                    at += length.unwrap_or(0);
                    length.is_some()
                }
                Stmt::Undo(_) => false,
                Stmt::Store(place, _) if place.base == self.room.log_used => false,
                Stmt::StoreLogged(place, _) if place.base < self.room.kept => {
                    let (place, old) = (*place, self.word());
                    notes.insert(old, place);
                    body.insert(at, Stmt::Let(old, Word::Load(place)));
                    at += 1;
                    true
                }
                Stmt::If(_, yes, no) => self.keep_old(yes, notes) && self.keep_old(no, notes),
                Stmt::Switch(_, bodies) => {
                    let mut each = bodies.iter_mut();
                    each.all(|body| self.keep_old(body, notes))
                }
                Stmt::Block(_, body) => self.keep_old(body, notes),
                other => {
                    let within = std::slice::from_ref(other);
                    let marks = |to: W| any(within, &|stmt| *stmt == Stmt::Mark(to));
                    let unclear = |stmt: &Stmt| match stmt {
                        Stmt::Undo(to) => !marks(*to),
                        Stmt::Store(place, _) => place.base == self.room.log_used,
                        _ => false,
                    };
                    !any(within, &unclear)
                }
            };
            if !clear {
                return false;
            }
            at += 1;
        }
        true
    }
}

/// Whether statements note something, or what they call may.
fn notes(body: &[Stmt]) -> bool {
    any(body, &|stmt| {
        matches!(stmt, Stmt::StoreLogged(..) | Stmt::Call(..))
    })
}

/// What was noted on the way to somewhere.
#[derive(Clone, Default)]
struct Noted {
    /// What is stored back, by the words that tell what stood there before.
    old: Vec<W>,
    /// Whether something else may have been noted.
    more: bool,
}

/// The ways through a block.
struct Ways {
    /// What is stored back: where, by the word that tells what stood there before.
    notes: FxHashMap<W, Place>,
    /// Left with this label the block has failed.
    failed: Label,
    /// What was noted where others are left.
    left: FxHashMap<Label, Noted>,
    /// What was noted on some of several ways that meet.
    lost: FxHashSet<W>,
    /// What takes back all else where the block has failed; without it nothing is written.
    taking_back: Option<Body>,
}

impl Ways {
    /// What was noted behind statements, by what was noted before; nothing where no way leads.
    fn body(&mut self, body: &mut Body, mut noted: Option<Noted>) -> Option<Noted> {
        let mut marks = Vec::new();
        let mut at = 0;
        while at < body.len() {
            match &mut body[at] {
                Stmt::Let(old, _) if self.notes.contains_key(old) => {
                    let old = *old;
                    if let Some(noted) = &mut noted {
                        if noted.more {
                            self.lost.insert(old);
                        }
                        noted.old.push(old);
                    }
                    // What is noted stands behind it.
                    at += 1;
                }
                Stmt::StoreLogged(..) | Stmt::Call(..) => {
                    noted.iter_mut().for_each(|noted| noted.more = true);
                }
                Stmt::Mark(mark) => marks.push((*mark, noted.as_ref().is_some_and(|n| n.more))),
                Stmt::Undo(to) => {
                    let before = marks.iter().rfind(|(mark, _)| mark == to);
                    if let (Some((_, more)), Some(noted)) = (before, &mut noted) {
                        noted.more = *more;
                    }
                }
                Stmt::If(_, yes, no) => {
                    let in_yes = self.body(yes, noted.clone());
                    let in_no = self.body(no, noted);
                    noted = self.meet(in_yes, in_no);
                }
                Stmt::Switch(_, bodies) => {
                    let before = noted.clone();
                    for body in bodies {
                        let within = self.body(body, before.clone());
                        noted = self.meet(noted, within);
                    }
                }
                Stmt::Block(label, body) => {
                    let label = *label;
                    let end = self.body(body, noted);
                    let left = self.left.remove(&label);
                    noted = self.meet(end, left);
                }
                Stmt::Loop(label, body) => {
                    let label = *label;
                    self.body(body, noted);
                    noted = self.left.remove(&label);
                }
                Stmt::Leave(label) if *label == self.failed => {
                    let back = self.taken_back(noted.as_ref());
                    let many = back.len();
                    body.splice(at..at, back);
                    at += many;
                    noted = None;
                }
                Stmt::Leave(label) => {
                    let label = *label;
                    let before = self.left.remove(&label);
                    let met = self.meet(before, noted.take());
                    met.map(|met| self.left.insert(label, met));
                }
                Stmt::Return(_) | Stmt::Fault(_) => noted = None,
                other => {
                    for inner in other.bodies_mut() {
                        let end = self.body(inner, noted.clone());
                        noted = self.meet(noted, end);
                    }
                }
            }
            at += 1;
        }
        noted
    }

    /// What was noted where two ways meet; what is not on both is lost.
    fn meet(&mut self, a: Option<Noted>, b: Option<Noted>) -> Option<Noted> {
        let (mut a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.or(b),
        };
        let on_both = |old: &W| a.old.contains(old) && b.old.contains(old);
        let lost = a.old.iter().chain(&b.old).filter(|old| !on_both(old));
        self.lost.extend(lost);
        a.old.retain(|old| b.old.contains(old));
        a.more |= b.more;
        Some(a)
    }

    /// Stores plainly what is stored back.
    fn plainly(&self, body: &mut Body) {
        for at in 0..body.len() {
            for inner in body[at].bodies_mut() {
                self.plainly(inner);
            }
            let stored_back =
                |before: &Stmt| matches!(before, Stmt::Let(old, _) if self.notes.contains_key(old));
            if let Stmt::StoreLogged(place, w) = body[at]
                && at
                    .checked_sub(1)
                    .is_some_and(|before| stored_back(&body[before]))
            {
                body[at] = Stmt::Store(place, w);
            }
        }
    }

    /// What takes back what was noted: all else first, for it was noted later.
    fn taken_back(&self, noted: Option<&Noted>) -> Body {
        let (Some(all), Some(noted)) = (&self.taking_back, noted) else {
            return Body::new();
        };
        let back = noted.old.iter().rev();
        let back = back.map(|old| Stmt::Store(self.notes[old], *old));
        all.iter().cloned().chain(back).collect()
    }
}
