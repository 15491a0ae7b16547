//! A set in memory of which few cells change is changed there: a function in, the same function out. Before: a set is loaded, cells are
//! taken out of it and put into it, and all of it is stored. After: the words of it that have these cells are loaded, changed and
//! stored, and what of the set is not looked at elsewhere need not be known. Conditions: sets have several words, and nothing else
//! changes the set from where it is loaded to where it is stored.

use crate::board::Cells;
use crate::compile::kernel::changes::changed;
use crate::compile::kernel::fresh::times_given;
use crate::compile::kernel::tidy::any;
use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Room, S, Set, Stmt, Value, W, Word, each_statement, falls,
};
use rustc_hash::FxHashMap;

/// Where more cells change all of the set is stored.
const FEW: usize = 3;

/// Changes sets where they stand; told the fixed sets.
pub fn patch(function: &mut Function, room: &Room, fixed: &[Cells]) {
    if room.words < 2 {
        return;
    }
    let times = times_given(function);
    let once = |what: Value| times.get(&what) == Some(&1);
    let (mut sets, mut words) = (FxHashMap::default(), FxHashMap::default());
    each_statement(&function.body, &mut |stmt| match stmt {
        Stmt::LetSet(s, set) if once(Value::Set(*s)) => {
            sets.insert(*s, set.clone());
        }
        Stmt::Let(w, word) if once(Value::Word(*w)) => {
            words.insert(*w, word.clone());
        }
        _ => {}
    });
    let mut patched = Patched {
        room: *room,
        fixed,
        sets,
        words,
        next: function.words,
    };
    patched.body(&mut function.body, Standing::default());
    function.words = patched.next;
}

/// The sets that are what stands in memory at a place.
type Standing = FxHashMap<S, u32>;

/// One change of a cell.
#[derive(Clone, Copy)]
struct Change {
    cell: W,
    /// Whether it is taken out before.
    out: bool,
    /// When it is put in: always, or if a word is not 0.
    put: Option<Option<W>>,
}

struct Patched<'k> {
    room: Room,
    fixed: &'k [Cells],
    /// How sets and words are made that are given once.
    sets: FxHashMap<S, Set>,
    words: FxHashMap<W, Word>,
    next: u32,
}

impl Patched<'_> {
    fn body(&mut self, body: &mut Body, mut standing: Standing) {
        let mut at = 0;
        while at < body.len() {
            if let Some(length) = self.noted(&body[at..]) {
                // Behind it all is as it was.
                let mut inside: Body = body.drain(at + 1..at + length).collect();
                self.body(&mut inside, standing.clone());
                let many = inside.len();
                body.splice(at + 1..at + 1, inside);
                at += many + 2;
                continue;
            }
            match &mut body[at] {
                Stmt::LetSet(s, Set::Load(place))
                    if place.index.is_none() && self.sets.contains_key(s) =>
                {
                    standing.insert(*s, place.base);
                }
                Stmt::StoreSet(place, s) => {
                    let (place, s) = (*place, *s);
                    let changes = self.changes(place, s, &standing);
                    self.change(&mut standing, &body[at]);
                    if place.index.is_none() && self.sets.contains_key(&s) {
                        standing.insert(s, place.base);
                    }
                    if let Some(changes) = changes {
                        let instead = self.instead(place.base, &changes);
                        let many = instead.len();
                        body.splice(at..=at, instead);
                        at += many;
                        continue;
                    }
                }
                stmt => {
                    let repeats =
                        !matches!(stmt, Stmt::If(..) | Stmt::Switch(..) | Stmt::Block(..));
                    let mut before = standing.clone();
                    if repeats {
                        self.change(&mut before, stmt);
                    }
                    for inner in stmt.bodies_mut() {
                        self.body(inner, before.clone());
                    }
                    self.change(&mut standing, &body[at]);
                }
            }
            at += 1;
        }
    }

    /// How far it is from a mark to where all that was changed since is taken back.
    fn noted(&self, body: &[Stmt]) -> Option<usize> {
        let Stmt::Mark(mark) = body.first()? else {
            return None;
        };
        let length = body.iter().position(|stmt| *stmt == Stmt::Undo(*mark))?;
        let inside = &body[1..length];
        let own = |to: &Label| {
            any(
                inside,
                &|stmt| matches!(stmt, Stmt::Block(label, _) | Stmt::Loop(label, _) if label == to),
            )
        };
        let spoils = |stmt: &Stmt| match stmt {
            Stmt::Store(place, _) | Stmt::StoreSet(place, _) => place.base < self.room.kept,
            Stmt::Leave(label) => !own(label),
            _ => false,
        };
        (!any(inside, &spoils)).then_some(length)
    }

    /// Forgets what no longer stands behind a statement.
    fn change(&self, standing: &mut Standing, stmt: &Stmt) {
        if let Some((from, to)) = changed(stmt, &self.room) {
            let words = self.room.words;
            standing.retain(|_, base| *base + words <= from || to <= *base);
        }
        match stmt {
            Stmt::If(_, yes, no) => {
                // From where another block is left no way leads here.
                for body in [yes, no].into_iter().filter(|body| falls(body)) {
                    self.change_all(standing, body);
                }
            }
            Stmt::Switch(_, bodies) => {
                bodies
                    .iter()
                    .for_each(|body| self.change_all(standing, body));
            }
            other => {
                for body in other.bodies() {
                    each_statement(body, &mut |stmt| {
                        if stmt.bodies().is_empty() {
                            self.change(standing, stmt);
                        }
                    });
                }
            }
        }
    }

    /// The same behind several that are gone through once, if one comes behind the last of them.
    fn change_all(&self, standing: &mut Standing, body: &[Stmt]) {
        let mut at = 0;
        while at < body.len() {
            match self.noted(&body[at..]) {
                Some(length) => at += length,
                None => self.change(standing, &body[at]),
            }
            at += 1;
        }
    }

    /// How the set at a place becomes another, if that is a few cells.
    fn changes(&self, place: Place, to: S, standing: &Standing) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        let mut s = to;
        while standing.get(&s) != Some(&place.base) || place.index.is_some() {
            let (from, change) = match self.sets.get(&s)? {
                Set::Copy(from) => (*from, None),
                Set::Less(from, cell) => (
                    *from,
                    Some(Change {
                        cell: *cell,
                        out: true,
                        put: None,
                    }),
                ),
                Set::With(from, cell) => (*from, Some(self.put(*cell, None))),
                Set::Or(a, b) => match (self.one(*a), self.one(*b)) {
                    (_, Some(change)) => (*a, Some(change)),
                    (Some(change), None) => (*b, Some(change)),
                    (None, None) => return None,
                },
                _ => return None,
            };
            s = from;
            if let Some(change) = change {
                self.words.get(&change.cell)?;
                changes.push(change);
            }
        }
        changes.reverse();
        let mut joined: Vec<Change> = Vec::new();
        for change in changes {
            match joined.last_mut() {
                Some(last) if last.cell == change.cell && last.put.is_none() => {
                    last.put = change.put
                }
                _ => joined.push(change),
            }
        }
        (joined.len() <= FEW).then_some(joined)
    }

    fn put(&self, cell: W, when: Option<W>) -> Change {
        Change {
            cell,
            out: false,
            put: Some(when),
        }
    }

    /// A set that is one cell, or one cell or none.
    fn one(&self, s: S) -> Option<Change> {
        match self.sets.get(&s)? {
            Set::Single(cell) => Some(self.put(*cell, None)),
            Set::Select(when, one, none) if self.is_empty(*none) => match self.sets.get(one)? {
                Set::Single(cell) if self.words.contains_key(when) => {
                    Some(self.put(*cell, Some(*when)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn is_empty(&self, s: S) -> bool {
        match self.sets.get(&s) {
            Some(Set::Const(id)) => self.fixed[id.0 as usize].is_empty(),
            _ => false,
        }
    }

    /// The changes of a set at a place, word by word.
    fn instead(&mut self, base: u32, changes: &[Change]) -> Body {
        let mut out = Body::new();
        for change in changes {
            let cell = change.cell;
            let [six, low, one, all] =
                [6, 63, 1, u64::MAX].map(|k| self.give(Word::Const(k), &mut out));
            let word = self.give(Word::Bin(Bin::Shr, cell, six), &mut out);
            let bit = self.give(Word::Bin(Bin::And, cell, low), &mut out);
            let mask = self.give(Word::Bin(Bin::Shl, one, bit), &mut out);
            let place = Place {
                base,
                index: Some((word, 1)),
            };
            let mut now = self.give(Word::Load(place), &mut out);
            if change.out {
                let others = self.give(Word::Bin(Bin::Xor, mask, all), &mut out);
                now = self.give(Word::Bin(Bin::And, now, others), &mut out);
            }
            if let Some(when) = change.put {
                let put = match when {
                    None => mask,
                    Some(when) => {
                        let when = self.truth(when, one, &mut out);
                        self.give(Word::Bin(Bin::Shl, when, bit), &mut out)
                    }
                };
                now = self.give(Word::Bin(Bin::Or, now, put), &mut out);
            }
            out.push(Stmt::Store(place, now));
        }
        out
    }

    /// 1 when a word is not 0, else 0.
    fn truth(&mut self, w: W, one: W, out: &mut Body) -> W {
        let fixed = |w: W| match self.words.get(&w) {
            Some(Word::Const(k)) => Some(*k),
            _ => None,
        };
        // The lowest bit of a word.
        let low = |w: W| match self.words.get(&w) {
            Some(Word::Bin(Bin::And, a, b)) => fixed(*a) == Some(1) || fixed(*b) == Some(1),
            _ => false,
        };
        let denied = match self.words.get(&w) {
            Some(Word::Bin(Bin::Equal, a, b)) if fixed(*a) == Some(0) && low(*b) => Some(*b),
            Some(Word::Bin(Bin::Equal, a, b)) if fixed(*b) == Some(0) && low(*a) => Some(*a),
            _ => None,
        };
        if let Some(of) = denied {
            return self.give(Word::Bin(Bin::Xor, of, one), out);
        }
        if low(w) || self.words.get(&w).is_some_and(Word::is_truth) {
            return w;
        }
        let none = self.give(Word::Const(0), out);
        self.give(Word::Bin(Bin::Differ, w, none), out)
    }

    fn give(&mut self, word: Word, out: &mut Body) -> W {
        let w = W(self.next);
        self.next += 1;
        out.push(Stmt::Let(w, word));
        w
    }
}
