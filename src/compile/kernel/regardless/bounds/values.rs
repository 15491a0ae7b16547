//! Words and sets of which it is not known of some cells whether they are in them: what is computed of them where both ends give the
//! same, and two sets where they do not.

use crate::compile::kernel::fun::V;
use crate::compile::kernel::regardless::bounds::{Bounds, Doubts, Followed, Two};
use crate::program::kernel::{Bin, Game, Place, S, Set, Stmt, Word};

impl Bounds<'_> {
    /// Whether a place that is read may have changed, `known` being whether such a place is among the changed; nothing where it is
    /// none of a state, or lies across those. How games begin does not change, and whether that is how the pieces stand was settled before.
    fn may_have_changed(&mut self, place: &Place, many: u32, known: bool) -> Option<bool> {
        let room = self.room;
        let of_piles = (room.tall..room.kept).contains(&place.base);
        let tall = of_piles && matches!(self.doubts, Doubts::Cells(_));
        let in_state = place.base + many <= room.piles || tall;
        if place.index.is_some() || !in_state {
            let fixed = (room.start..room.start + room.kept).contains(&place.base)
                || place.base == room.game + Game::Fresh as u32;
            return fixed.then_some(false);
        }
        if !self.changed.touches(place.base, many, room) {
            return Some(false);
        }
        self.read.insert(place.base);
        known.then_some(true)
    }

    /// The pile of a cell, or nothing where it may have changed always; gives up where that cell is in doubt.
    fn pile(&mut self, place: &Place, at: &Followed) -> Option<Word> {
        let (Doubts::Cells(doubt), Some((cell, 1))) = (self.doubts, place.index) else {
            return None;
        };
        if place.base != self.room.piles {
            return None;
        }
        let doubt = self.make(Set::Load(Place::plain(doubt)));
        let changed = self.f.make(Word::Has(doubt, at.word(cell)));
        self.give_up_if(changed);
        Some(Word::Load(at.place(place)))
    }

    /// The cells of a set of the state that may have changed.
    fn doubt(&mut self, base: u32) -> S {
        let at = match self.doubts {
            Doubts::Places(first) => first + base,
            Doubts::Cells(at) => at,
        };
        self.make(Set::Load(Place::plain(at)))
    }

    /// A word of what is known; nothing where that cannot be found. What is written before gives up where it is not known.
    pub(super) fn word(&mut self, word: &Word, at: &Followed) -> Option<Word> {
        Some(match *word {
            Word::Load(ref place) => {
                if let Some(pile) = self.pile(place, at) {
                    return Some(pile);
                }
                let known = self.changed.words.contains_key(&place.base);
                self.may_have_changed(place, 1, known)?;
                Word::Load(at.place(place))
            }
            Word::Const(k) => Word::Const(k),
            Word::Copy(a) => Word::Copy(at.word(a)),
            Word::Bin(op, a, b) => Word::Bin(op, at.word(a), at.word(b)),
            Word::Select(c, a, b) => Word::Select(at.word(c), at.word(a), at.word(b)),
            Word::Table(id, a) => Word::Table(id, at.word(a)),
            Word::Byte(id, a) => Word::Byte(id, at.word(a)),
            Word::Leading(a) => Word::Leading(at.word(a)),
            Word::Mix(a) => Word::Mix(at.word(a)),
            Word::Count(s) => Word::Count(self.known(at.set(s))),
            Word::First(s) => Word::First(self.known(at.set(s))),
            Word::Last(s) => Word::Last(self.known(at.set(s))),
            Word::Nth(s, n) => Word::Nth(self.known(at.set(s)), at.word(n)),
            Word::Some(s) => {
                let some = self.some(at.set(s));
                Word::Copy(self.f.reg(some))
            }
            Word::Has(s, c) => {
                let c = at.word(c);
                let (low, high) = (at.set(s).low(), at.set(s).high());
                let has = self.f.make(Word::Has(low, c));
                if low != high {
                    let may = self.f.make(Word::Has(high, c));
                    let differ = self.f.bin(Bin::Xor, has, may);
                    self.give_up_if(differ);
                }
                Word::Copy(self.f.reg(has))
            }
            Word::Within(a, b) => self.none(&Set::Without(a, b), at)?,
            Word::Same(a, b) => self.none(&Set::Xor(a, b), at)?,
            Word::Meet(a, b) => {
                let two = self.set(&Set::And(a, b), at)?;
                let some = self.some(two);
                Word::Copy(self.f.reg(some))
            }
            Word::PileKey(..) | Word::Repeated(_) | Word::Seen(_) => return None,
        })
    }

    /// Whether a set has no cells.
    fn none(&mut self, set: &Set, at: &Followed) -> Option<Word> {
        let two = self.set(set, at)?;
        let some = self.some(two);
        let none = self.f.not(some);
        Some(Word::Copy(self.f.reg(none)))
    }

    /// Whether there are cells.
    fn some(&mut self, two: Two) -> V {
        let some = self.f.make(Word::Some(two.low()));
        if let Two::Both(_, high) = two {
            let may = self.f.make(Word::Some(high));
            let differ = self.f.bin(Bin::Xor, some, may);
            self.give_up_if(differ);
        }
        some
    }

    pub(super) fn let_set(&mut self, to: S, set: &Set, at: &Followed) -> bool {
        let Some(from) = self.set(set, at) else {
            self.give_up();
            return false;
        };
        match (at.set(to), from) {
            (Two::One(to), from) => {
                let from = self.known(from);
                self.f.push(Stmt::LetSet(to, Set::Copy(from)));
            }
            (Two::Both(low, high), from) => {
                self.f.push(Stmt::LetSet(low, Set::Copy(from.low())));
                self.f.push(Stmt::LetSet(high, Set::Copy(from.high())));
            }
        }
        true
    }

    fn make(&mut self, set: Set) -> S {
        let made = self.f.make_set(set);
        self.f.sreg(made)
    }

    /// Of one set, where more cells never give fewer.
    fn rising(&mut self, a: Two, of: impl Fn(S) -> Set) -> Two {
        let low = self.make(of(a.low()));
        match a {
            Two::One(_) => Two::One(low),
            Two::Both(_, high) => Two::Both(low, self.make(of(high))),
        }
    }

    /// Of two sets.
    fn of_two(&mut self, low: Set, high: Set) -> Two {
        let one = low == high;
        let low = self.make(low);
        if one {
            Two::One(low)
        } else {
            Two::Both(low, self.make(high))
        }
    }

    /// A set; nothing where it cannot be found.
    fn set(&mut self, set: &Set, at: &Followed) -> Option<Two> {
        Some(match *set {
            Set::Const(id) => Two::One(self.make(Set::Const(id))),
            Set::Copy(a) => at.set(a),
            Set::Load(ref place) => {
                let known = self.changed.sets.contains_key(&place.base);
                let changed = self.may_have_changed(place, self.room.words, known)?;
                let now = self.make(Set::Load(at.place(place)));
                if !changed {
                    return Some(Two::One(now));
                }
                let doubt = self.doubt(place.base);
                let low = self.make(Set::Without(now, doubt));
                Two::Both(low, self.make(Set::Or(now, doubt)))
            }
            Set::And(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                self.of_two(Set::And(a.low(), b.low()), Set::And(a.high(), b.high()))
            }
            Set::Or(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                self.of_two(Set::Or(a.low(), b.low()), Set::Or(a.high(), b.high()))
            }
            Set::Without(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                let low = Set::Without(a.low(), b.high());
                self.of_two(low, Set::Without(a.high(), b.low()))
            }
            Set::Xor(a, b) => {
                let (a, b) = (at.set(a), at.set(b));
                if let (Two::One(a), Two::One(b)) = (a, b) {
                    return Some(Two::One(self.make(Set::Xor(a, b))));
                }
                let first = self.make(Set::Without(a.low(), b.high()));
                let second = self.make(Set::Without(b.low(), a.high()));
                let either = self.make(Set::Or(a.high(), b.high()));
                let both = self.make(Set::And(a.low(), b.low()));
                self.of_two(Set::Or(first, second), Set::Without(either, both))
            }
            Set::Select(c, a, b) => {
                let (c, a, b) = (at.word(c), at.set(a), at.set(b));
                let low = Set::Select(c, a.low(), b.low());
                self.of_two(low, Set::Select(c, a.high(), b.high()))
            }
            Set::With(a, w) => self.rising(at.set(a), |s| Set::With(s, at.word(w))),
            Set::Less(a, w) => self.rising(at.set(a), |s| Set::Less(s, at.word(w))),
            Set::Shift(a, id) => self.rising(at.set(a), |s| Set::Shift(s, id)),
            Set::Around(a) => self.rising(at.set(a), Set::Around),
            Set::Part(a, w) => self.rising(at.set(a), |s| Set::Part(s, at.word(w))),
            Set::Mapped(a, id) => self.rising(at.set(a), |s| Set::Mapped(s, id)),
            Set::Single(w) => Two::One(self.make(Set::Single(at.word(w)))),
            Set::Row(id, w) => Two::One(self.make(Set::Row(id, at.word(w)))),
            Set::UpTo(a, b) | Set::DownTo(a, b) => match (at.set(a), at.set(b)) {
                (Two::One(a), Two::One(b)) => Two::One(self.make(match set {
                    Set::UpTo(..) => Set::UpTo(a, b),
                    _ => Set::DownTo(a, b),
                })),
                _ => {
                    self.sees_far = true;
                    return None;
                }
            },
        })
    }
}
