//! Where ways meet again behind a branch, a block or a call. In: ways that come there, with what they have found out and changed.
//! Out: one way for all that differ in nothing that anybody reads, for the cells of each.

use crate::compile::kernel::fun::{SV, V};
use crate::compile::kernel::summed::memory::Memory;
use crate::compile::kernel::summed::state::State;
use crate::compile::kernel::summed::values::{Many, Num, Read};
use crate::compile::kernel::summed::walk::Walk;
use crate::program::kernel::{S, Set, SetId, Stmt, Value, each_statement};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where ways meet.
pub struct Meeting<'k> {
    /// What is read behind it and may be given before.
    read: Rc<[Value]>,
    /// How it was before.
    before: State<'k>,
    /// So many statements stood before it in its body, of which so many were around.
    at: usize,
    depth: usize,
    /// Words and sets that are no higher were there before.
    words: u32,
    sets: u32,
    ways: Vec<Way<'k>>,
}

/// What comes to a meeting.
struct Way<'k> {
    values: Vec<(Num, Many)>,
    memory: Memory,
    tally: Num,
    /// For which cells, that is collected.
    cells: S,
    /// The whole of it, when it is the only one.
    whole: Option<State<'k>>,
}

impl Way<'_> {
    /// Whether nobody can tell it from another.
    fn is_same(&self, other: &Way<'_>) -> bool {
        let memory = self.memory.is(&other.memory) || self.memory == other.memory;
        memory && self.values == other.values && self.tally == other.tally
    }
}

impl Meeting<'_> {
    /// Whether all that a way has found out and changed was there before, so that it can be said behind it.
    fn knows(&self, way: &Way<'_>) -> bool {
        let v = |v: V| !matches!(v, V::R(w) if w.0 >= self.words);
        let sv = |s: SV| !matches!(s, SV::R(s) if s.0 >= self.sets);
        let num = |num: &Num| match num {
            Num::Same(a) => v(*a),
            Num::Cases(cases, other) => v(*other) && cases.iter().all(|(s, a)| sv(*s) && v(*a)),
            Num::Cell(_) | Num::Mark(_) | Num::Unknown => true,
        };
        let many = |many: Many| match many {
            Many::Same(s) => sv(s),
            Many::But(a, b) => sv(a) && sv(b),
            Many::Unknown => true,
        };
        num(&way.tally)
            && way.values.iter().all(|(a, b)| num(a) && many(*b))
            && (way.memory.is(&self.before.memory) || way.memory.all(num, many))
    }
}

impl<'k> Walk<'k> {
    /// Opens a meeting behind a statement; `before` stands behind it.
    pub fn open_meeting(&mut self, read: Rc<[Value]>, before: State<'k>) -> usize {
        let (words, sets) = self.writer.f.given();
        self.meetings.push(Meeting {
            read,
            before,
            at: self.writer.f.written_here(),
            depth: self.writer.f.depth(),
            words,
            sets,
            ways: Vec::new(),
        });
        self.meetings.len() - 1
    }

    /// A way comes to a meeting. Gives it back when it must go on alone.
    pub fn meet(&mut self, state: State<'k>, at: Option<usize>) -> Option<State<'k>> {
        let Some(meeting) = at.and_then(|at| self.meetings.get(at)) else {
            return Some(state);
        };
        let values = meeting.read.iter().map(|value| match value {
            Value::Word(w) => (state.env.num(*w), Many::Unknown),
            Value::Set(s) => (Num::Unknown, state.env.many(*s)),
        });
        let mut way = Way {
            values: values.collect(),
            memory: state.memory.clone(),
            tally: state.tally.clone(),
            cells: S(0),
            whole: None,
        };
        let cells = state.cells;
        let same = meeting.ways.iter().find(|met| met.is_same(&way));
        if let Some(met) = same {
            self.collect(met.cells, cells);
            return None;
        }
        if meeting.ways.is_empty() && meeting.depth == self.writer.f.depth() {
            way.whole = Some(state);
        } else if meeting.knows(&way) {
            way.cells = self.writer.f.set();
            self.collect(way.cells, cells);
        } else {
            return Some(state);
        }
        let meeting = at.and_then(|at| self.meetings.get_mut(at))?;
        meeting.ways.push(way);
        None
    }

    /// Goes on behind a meeting, when all have come that do.
    pub fn close_meeting(&mut self) {
        let Some(meeting) = self.meetings.pop() else {
            return;
        };
        for way in meeting.ways.iter().filter(|way| way.whole.is_none()) {
            let none = Stmt::LetSet(way.cells, Set::Const(SetId(0)));
            self.writer.f.insert(meeting.at, none);
        }
        for way in meeting.ways {
            if let Some(state) = way.whole {
                self.walk(state);
                continue;
            }
            let mut state = meeting.before.clone();
            for (value, (num, many)) in meeting.read.iter().zip(way.values) {
                match value {
                    Value::Word(w) => state.give(*w, num),
                    Value::Set(s) => state.give_set(*s, many),
                }
            }
            (state.memory, state.tally) = (way.memory, way.tally);
            self.with(state, SV::R(way.cells), |_| {});
        }
    }

    /// What a statement gives, or what is inside it, that is read elsewhere in its function.
    pub fn read_behind(&mut self, stmt: &'k Stmt, function: usize) -> Rc<[Value]> {
        let key = std::ptr::from_ref(stmt);
        if let Some(read) = self.read_behind.get(&key) {
            return Rc::clone(read);
        }
        let functions = self.functions;
        let all = self.reads.entry(function);
        let all = all.or_insert_with(|| Reads::of(&functions[function].body));
        let within = Reads::of(std::slice::from_ref(stmt));
        let mut seen = FxHashSet::default();
        let elsewhere = within.given.iter().filter(|value| {
            let (all_reads, own) = (all.many(value), within.many(value));
            // What is given in a loop may be read when that is gone through again.
            let behind = all_reads > own || all.loops && all_reads > 0;
            behind && seen.insert(**value)
        });
        let read: Rc<[Value]> = elsewhere.copied().collect();
        self.read_behind.insert(key, Rc::clone(&read));
        read
    }
}

/// What statements read and give.
#[derive(Default)]
pub struct Reads {
    /// How often each value is read.
    read: FxHashMap<Value, u32>,
    /// What is given, perhaps more than once.
    given: Vec<Value>,
    /// Whether there are loops.
    loops: bool,
}

impl Reads {
    fn of(body: &[Stmt]) -> Reads {
        let mut reads = Reads::default();
        each_statement(body, &mut |stmt| {
            stmt.each_read(&mut |value| *reads.read.entry(value).or_default() += 1);
            reads.given.extend(stmt.gives());
            reads.loops |= matches!(stmt, Stmt::Loop(..));
        });
        reads
    }

    fn many(&self, value: &Value) -> u32 {
        self.read.get(value).copied().unwrap_or(0)
    }
}
