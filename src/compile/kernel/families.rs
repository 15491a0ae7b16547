//! What random games list, written shorter. In: functions that list. Out: for the game copies of them, where a loop that takes down
//! an action for each cell of a set is the set: what the cell alone tells of the way to an action, a function of the family finds out
//! once one is drawn. Before: each action of such a loop stands in the list. After: the same actions in the same order, and nothing
//! else in the state or the list is changed. Conditions: the loop does nothing but store words of the path that follow from the
//! cell, from fixed numbers and from a few words that are the same for all of its cells, which stand behind the path in the list. Families
//! that differ in a few numbers only, as in the direction of a step, are one, and the numbers stand in the list too.

use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::names::Names;
use crate::compile::kernel::tidy::{drop_unread, reached};
use crate::program::kernel::{
    Body, Entry, FuncId, Function, Place, Renumber, Room, S, Stmt, Value, W, Word, called,
};
use std::collections::BTreeMap;

/// Words that are the same for all cells of a family, at most.
const SAME: usize = 4;

/// How actions of a random game are listed.
pub struct Listed {
    /// For each player the entries, with functions that list with families.
    pub entries: Vec<Vec<Entry>>,
    /// The functions of the families, counted from 1: given a cell they write its way behind what the list has of it.
    pub makers: Vec<FuncId>,
}

impl Lowerer<'_> {
    /// Copies of the functions that list, with families, whose numbers begin behind those of so many others.
    pub fn families(&mut self, entries: &[Vec<Entry>], others: usize) -> Listed {
        let mut makers = Vec::new();
        let lists = entries.iter().flatten().map(|e| e.list).collect();
        let reached = (0..).map(FuncId).zip(reached(&self.functions, lists));
        let reached: Vec<FuncId> = reached.filter_map(|(id, is)| is.then_some(id)).collect();
        let mut copies: BTreeMap<FuncId, Function> = BTreeMap::new();
        let mut shapes = Shapes::default();
        let may_have_some = |id: &&FuncId| takes_cells_down(&self.functions[id.0 as usize].body);
        for id in reached.iter().filter(may_have_some) {
            let mut copy = self.functions[id.0 as usize].clone();
            if shorten(&mut copy, (&self.room, others), &mut shapes, None) {
                copies.insert(*id, copy);
            }
        }
        for copy in copies.values_mut() {
            shorten(copy, (&self.room, others), &mut shapes, Some(&mut makers));
        }
        // Who calls a function that has a copy has one too.
        loop {
            let calls_copy = |id: &&FuncId| {
                let calls = called(&self.functions[id.0 as usize].body);
                !copies.contains_key(id) && calls.iter().any(|c| copies.contains_key(c))
            };
            let Some(id) = reached.iter().find(calls_copy) else {
                break;
            };
            copies.insert(*id, self.functions[id.0 as usize].clone());
        }
        let first = self.functions.len() as u32;
        let place: BTreeMap<FuncId, FuncId> =
            copies.keys().copied().zip((first..).map(FuncId)).collect();
        let listed = |e: &Entry| Entry {
            list: *place.get(&e.list).unwrap_or(&e.list),
            ..*e
        };
        let entries = entries.iter().map(|of| of.iter().map(listed).collect());
        let entries = entries.collect();
        for mut copy in copies.into_values() {
            copy.name.push_str(" by families");
            call_copies(&mut copy.body, &place);
            self.functions.push(copy);
        }
        let first = self.functions.len() as u32;
        let numbers = (first..).map(FuncId).take(makers.len());
        let makers = (1..).zip(makers).map(|(number, maker)| Function {
            name: format!("family {number}"),
            ..maker
        });
        self.functions.extend(makers);
        Listed {
            entries,
            makers: numbers.collect(),
        }
    }
}

/// Whether statements have a loop over cells in which an action is taken down.
fn takes_cells_down(body: &Body) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::ForCells(_, _, inner) if inner.iter().any(|s| matches!(s, Stmt::Leaf(_))) => true,
        other => other.bodies().any(takes_cells_down),
    })
}

fn call_copies(body: &mut Body, place: &BTreeMap<FuncId, FuncId>) {
    for stmt in body {
        if let Stmt::Call(id, ..) = stmt
            && let Some(copy) = place.get(id)
        {
            *id = *copy;
        }
        for inner in stmt.bodies_mut() {
            call_copies(inner, place);
        }
    }
}

/// Puts sets in place of loops, and the functions of their families behind others; without these only finds out which families there
/// are, and changes nothing. False when there is no such loop.
fn shorten(
    function: &mut Function,
    (room, others): (&Room, usize),
    shapes: &mut Shapes,
    makers: Option<&mut Vec<Function>>,
) -> bool {
    drop_unread(function);
    let mut uses = Uses(vec![Use::default(); function.words as usize]);
    for param in &function.params {
        match param {
            Value::Word(w) => uses.word_mut(*w).given += 1,
            Value::Set(_) => {}
        }
    }
    uses.add(&mut function.body);
    let mut shortener = Shortener {
        room,
        others,
        uses,
        words: function.words,
        shapes,
        makers,
        found: false,
    };
    shortener.body(&mut function.body);
    function.words = shortener.words;
    shortener.found
}

/// The families that there are without their numbers, and which of the numbers are not the same for all of a shape.
#[derive(Default)]
struct Shapes(Vec<(Function, Vec<u64>, Vec<bool>)>);

impl Shapes {
    fn add(&mut self, shape: Function, numbers: Vec<u64>) {
        match self.0.iter_mut().find(|(other, ..)| *other == shape) {
            Some((_, first, differ)) => {
                for ((a, b), differ) in first.iter().zip(numbers).zip(differ) {
                    *differ |= *a != b;
                }
            }
            None => {
                let differ = vec![false; numbers.len()];
                self.0.push((shape, numbers, differ));
            }
        }
    }

    fn differ(&self, shape: &Function) -> &[bool] {
        let found = self.0.iter().find(|(other, ..)| other == shape);
        found.map_or(&[], |(_, _, differ)| differ)
    }
}

/// How a word of a function is used.
#[derive(Clone, Copy, Default)]
struct Use {
    given: u32,
    read: u32,
    /// The fixed number that it was given last.
    number: Option<u64>,
}

/// How the words of a function are used.
#[derive(Default)]
struct Uses(Vec<Use>);

impl Renumber for Uses {
    fn word(&mut self, w: W) -> W {
        self.word_mut(w).read += 1;
        w
    }

    fn set(&mut self, s: S) -> S {
        s
    }
}

impl Uses {
    fn word_mut(&mut self, w: W) -> &mut Use {
        let at = w.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, Use::default());
        }
        &mut self.0[at]
    }

    fn of(&self, w: W) -> Use {
        self.0.get(w.0 as usize).copied().unwrap_or_default()
    }

    /// The number that a word always is, when it is fixed.
    fn number(&self, w: W) -> Option<u64> {
        let of = self.of(w);
        of.number.filter(|_| of.given == 1)
    }

    fn add(&mut self, body: &mut Body) {
        for stmt in body {
            if let Some(Value::Word(w)) = stmt.gives() {
                let word = self.word_mut(w);
                word.given += 1;
                word.number = match stmt {
                    Stmt::Let(_, Word::Const(number)) => Some(*number),
                    _ => None,
                };
            }
            stmt.renumber_reads(self);
            for inner in stmt.bodies_mut() {
                self.add(inner);
            }
        }
    }
}

struct Shortener<'s> {
    room: &'s Room,
    /// How many families there are besides, with lower numbers.
    others: usize,
    uses: Uses,
    words: u32,
    shapes: &'s mut Shapes,
    makers: Option<&'s mut Vec<Function>>,
    found: bool,
}

/// A loop that can be a set.
struct Family {
    /// Its number, counted from 1.
    number: u32,
    /// How many words of the path come before what its cells tell.
    first: u32,
    /// The words that are the same for all of its cells.
    same: Vec<W>,
}

impl Shortener<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stmt in std::mem::take(body) {
            if let Stmt::ForCells(cell, set, inner) = &stmt
                && let Some(family) = self.family(*cell, inner)
            {
                self.take_down(&family, *set, body);
                continue;
            }
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            body.push(stmt);
        }
    }

    /// Takes down a set for a family.
    fn take_down(&mut self, family: &Family, set: S, out: &mut Body) {
        let behind = self.room.path + family.first;
        for (at, w) in (behind..).zip(&family.same) {
            out.push(Stmt::Store(Place::plain(at), *w));
        }
        let length = W(self.words);
        self.words += 1;
        let words = u64::from(family.first) + family.same.len() as u64;
        out.push(Stmt::Let(length, Word::Const(words)));
        out.push(Stmt::Leaves(length, set, family.number));
    }

    /// The family that a loop's actions are, when it is one.
    fn family(&mut self, cell: W, inner: &Body) -> Option<Family> {
        if !inner.iter().any(|stmt| matches!(stmt, Stmt::Leaf(_))) {
            return None;
        }
        let mut inside = Uses::default();
        inside.word_mut(cell).given += 1;
        let mut body = inner.clone();
        inside.add(&mut body);
        let own = |w: &W| inside.of(*w).given > 0;
        let apart = |(inside, everywhere): (&Use, &Use)| {
            inside.given == 0 || everywhere.given == 1 && everywhere.read == inside.read
        };
        // What is used inside is used somewhere.
        if !inside.0.iter().zip(&self.uses.0).all(apart) {
            return None;
        }
        let mut known = Known {
            given: vec![cell],
            asked: Vec::new(),
        };
        let (mut places, mut length, mut kept) = (Vec::new(), None, Body::new());
        for mut stmt in body {
            match &stmt {
                // Nothing is logged in between.
                Stmt::Mark(_) => continue,
                Stmt::Undo(mark) if own(mark) => continue,
                _ if length.is_some() => return None,
                Stmt::Let(_, word) if word.is_of_words() => {}
                Stmt::Store(Place { base, index: None }, _) => {
                    places.push(base.checked_sub(self.room.path)?);
                }
                Stmt::Leaf(w) => {
                    length = Some(inside.number(*w).or_else(|| self.uses.number(*w))?);
                    continue;
                }
                _ => return None,
            }
            stmt.renumber_reads(&mut known);
            if let Some(Value::Word(w)) = stmt.gives() {
                known.given.push(w);
            }
            kept.push(stmt);
        }
        places.sort_unstable();
        let first = *places.first()?;
        let all = (first..u32::try_from(length?).ok()?).eq(places.iter().copied());
        let (fixed, mut same): (Vec<W>, Vec<W>) =
            (known.asked.iter()).partition(|w| self.uses.number(**w).is_some());
        // A word that is read before it is given is left from the cell before.
        if !all || same.len() > SAME || known.asked.iter().any(own) {
            return None;
        }
        self.found = true;
        let number = |w: &W| (*w, self.uses.number(*w).unwrap_or_default());
        let mut fixed: Vec<(W, u64)> = fixed.iter().map(number).collect();
        let blank: Vec<(W, u64)> = fixed.iter().map(|(w, _)| (*w, 0)).collect();
        let shape = maker_of(self.room, cell, &blank, (&same, first), kept.clone());
        let Some(makers) = &mut self.makers else {
            let numbers = fixed.into_iter().map(|(_, number)| number);
            self.shapes.add(shape, numbers.collect());
            return None;
        };
        let differ = self.shapes.differ(&shape);
        let many = differ.iter().filter(|differ| **differ).count();
        if same.len() + many <= SAME {
            let mut differ = differ.iter();
            fixed.retain(|(w, _)| {
                let differs = differ.next() == Some(&true);
                if differs {
                    same.push(*w);
                }
                !differs
            });
        }
        let maker = maker_of(self.room, cell, &fixed, (&same, first), kept);
        let number = makers.iter().position(|m| *m == maker);
        let number = number.unwrap_or_else(|| {
            makers.push(maker);
            makers.len() - 1
        });
        Some(Family {
            number: (self.others + number) as u32 + 1,
            first,
            same,
        })
    }
}

/// The function of a family: of a cell, and of what the path has of it, the path.
fn maker_of(
    room: &Room,
    cell: W,
    fixed: &[(W, u64)],
    (same, first): (&[W], u32),
    kept: Body,
) -> Function {
    let mut names = Names::default();
    let params = vec![Value::Word(names.word(cell))];
    let mut body = Body::new();
    for (at, w) in (room.path + first..).zip(same) {
        body.push(Stmt::Let(names.word(*w), Word::Load(Place::plain(at))));
    }
    for (w, number) in fixed {
        body.push(Stmt::Let(names.word(*w), Word::Const(*number)));
    }
    for mut stmt in kept {
        stmt.renumber_reads(&mut names);
        if let Stmt::Let(w, _) = &mut stmt {
            *w = names.word(*w);
        }
        body.push(stmt);
    }
    Function {
        name: String::new(),
        params,
        words: names.met().0,
        sets: 0,
        body,
    }
}

/// What is read before it is given.
struct Known {
    given: Vec<W>,
    asked: Vec<W>,
}

impl Renumber for Known {
    fn word(&mut self, w: W) -> W {
        if !self.given.contains(&w) && !self.asked.contains(&w) {
            self.asked.push(w);
        }
        w
    }

    fn set(&mut self, s: S) -> S {
        s
    }
}
