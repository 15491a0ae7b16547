//! A loop over cells that takes down something for each, taken apart: what is computed, asked and stored, and what of it is the same for all
//! cells.

use crate::program::kernel::{
    Body, Fault, FuncId, Function, Place, Room, S, Set, Stmt, Value, W, Word, called,
    each_statement,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a loop does for a cell.
#[derive(Default)]
pub struct Step {
    /// Values that are the same for all cells, and can be computed before the loop.
    pub ahead: Body,
    /// Values of a cell, and whether they are computed behind the question.
    pub lets: Vec<(Stmt, bool)>,
    /// What must be so for the cell to count.
    pub asked: Option<W>,
    /// What makes the function give up: the word, for what reason, and whether only behind the question.
    pub faults: Vec<(W, Fault, bool)>,
    /// The words of the path that it stores: where, and what.
    pub stores: Vec<(u32, W)>,
    /// How many words the path has then.
    pub length: u64,
    /// The set that is taken down; nothing for one action.
    pub taken: Option<S>,
}

/// Whether something in a function may be such a loop.
pub fn may_cross(functions: &[Function], id: FuncId) -> bool {
    let mut may = false;
    each_statement(&functions[id.0 as usize].body, &mut |stmt| {
        if let Stmt::ForCells(_, _, inner) = stmt {
            let (mut takes, mut asks, mut more) = (false, false, false);
            each_statement(inner, &mut |s| match s {
                Stmt::Leaf(_) => {}
                Stmt::Leaves(..) => takes = true,
                Stmt::If(..) => asks = true,
                // What comes back to itself cannot stand in place of its call.
                Stmt::Call(id, _, None) => {
                    takes = true;
                    more |= comes_back(functions, *id);
                }
                Stmt::Return(_) | Stmt::Tally(_) | Stmt::Note(..) => more = true,
                other => more |= !other.bodies().is_empty(),
            });
            may |= (takes || asks) && !more;
        }
    });
    may
}

/// Whether a function may come to call itself.
fn comes_back(functions: &[Function], id: FuncId) -> bool {
    let (mut seen, mut open) = (FxHashSet::default(), vec![id]);
    while let Some(at) = open.pop() {
        for next in called(&functions[at.0 as usize].body) {
            if next == id {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// How often each value is given.
pub fn given(params: &[Value], body: &Body) -> FxHashMap<Value, u32> {
    let mut given: FxHashMap<Value, u32> = FxHashMap::default();
    for param in params {
        *given.entry(*param).or_default() += 1;
    }
    each_statement(body, &mut |stmt| {
        if let Some(value) = stmt.gives() {
            *given.entry(value).or_default() += 1;
        }
    });
    given
}

impl Step {
    /// What a loop does, when it does no more than such loops do.
    pub fn of(
        cell: W,
        inner: &Body,
        given: &FxHashMap<Value, u32>,
        (room, numbers): (&Room, &[Option<u64>]),
    ) -> Option<Step> {
        let mut step = Step::default();
        let mut varies = FxHashSet::default();
        varies.insert(Value::Word(cell));
        let once = |value: &Value| given.get(value) == Some(&1);
        if !once(&Value::Word(cell)) {
            return None;
        }
        let (mut body, mut behind) = (inner, false);
        loop {
            let (last, rest) = body.split_last()?;
            for stmt in rest {
                step.add(stmt, behind, &mut varies, room)?;
                if !stmt.gives().is_none_or(|value| once(&value)) {
                    return None;
                }
            }
            let (length, taken) = match last {
                Stmt::Leaf(length) => (length, None),
                Stmt::Leaves(length, set, 0) => (length, Some(*set)),
                Stmt::If(word, yes, no) if !behind && no.is_empty() => {
                    step.asked = Some(*word);
                    (body, behind) = (yes, true);
                    continue;
                }
                _ => return None,
            };
            step.length = numbers.get(length.0 as usize).copied().flatten()?;
            step.taken = taken;
            return Some(step);
        }
    }

    /// A statement that is not the last; nothing when such loops do not do it.
    fn add(
        &mut self,
        stmt: &Stmt,
        behind: bool,
        varies: &mut FxHashSet<Value>,
        room: &Room,
    ) -> Option<()> {
        match stmt {
            Stmt::Let(..) | Stmt::LetSet(..) => {
                let mut own = false;
                stmt.each_read(&mut |value| own |= varies.contains(&value));
                if looks_behind(stmt, room) {
                    return None;
                }
                if !own && everywhere(stmt) {
                    self.ahead.push(stmt.clone());
                } else {
                    varies.extend(stmt.gives());
                    self.lets.push((stmt.clone(), behind));
                }
            }
            Stmt::Store(Place { base, index: None }, w)
                if (room.path..room.text).contains(base) =>
            {
                self.stores.push((base - room.path, *w));
            }
            Stmt::If(word, yes, no) if no.is_empty() => match yes.as_slice() {
                [Stmt::Fault(fault)] => self.faults.push((*word, *fault, behind)),
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    /// What gives a value of a cell.
    pub fn made(&self, value: Value) -> Option<&(Stmt, bool)> {
        self.lets
            .iter()
            .find(|(stmt, _)| stmt.gives() == Some(value))
    }

    /// The statements that words of a cell follow from, in order; whether all of them can be computed for every cell.
    pub fn follow(&self, words: &[W]) -> (Body, bool) {
        let mut wanted: FxHashSet<Value> = words.iter().map(|w| Value::Word(*w)).collect();
        let (mut body, mut always) = (Body::new(), true);
        for (stmt, behind) in self.lets.iter().rev() {
            if stmt.gives().is_some_and(|value| wanted.contains(&value)) {
                stmt.each_read(&mut |value| {
                    wanted.insert(value);
                });
                always &= !behind || everywhere(stmt);
                body.push(stmt.clone());
            }
        }
        body.reverse();
        (body, always)
    }
}

/// Whether something is read that the loop itself writes, or that is kept aside.
fn looks_behind(stmt: &Stmt, room: &Room) -> bool {
    match stmt {
        Stmt::Let(_, Word::Load(place)) | Stmt::LetSet(_, Set::Load(place)) => {
            place.base >= room.path
        }
        Stmt::Let(_, Word::Repeated(_) | Word::Seen(_)) | Stmt::LetSet(_, Set::Part(..)) => true,
        _ => false,
    }
}

/// Whether a value can be computed also where it would not have been: whatever it is computed from, it is one.
fn everywhere(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let(_, word) => match word {
            Word::Load(place) => place.index.is_none(),
            Word::Bin(..)
            | Word::Const(_)
            | Word::Copy(_)
            | Word::Select(..)
            | Word::Count(_)
            | Word::Some(_)
            | Word::Within(..)
            | Word::Meet(..)
            | Word::Same(..)
            | Word::Leading(_)
            | Word::Mix(_) => true,
            _ => false,
        },
        Stmt::LetSet(_, set) => match set {
            Set::Load(place) => place.index.is_none(),
            Set::Const(_)
            | Set::Copy(_)
            | Set::And(..)
            | Set::Or(..)
            | Set::Without(..)
            | Set::Xor(..)
            | Set::Select(..)
            | Set::Shift(..)
            | Set::Around(_) => true,
            _ => false,
        },
        _ => false,
    }
}
