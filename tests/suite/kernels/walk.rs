//! The reference for executors: walks the statements of a kernel as they stand, with sets as lists of truths. Every access is
//! checked, and a word or set that was never given a value cannot be read.

use gambol::engine::executor::Frame;
use gambol::program::kernel::{
    Bin, Fault, FuncId, Kernel, Label, MAX_DEPTH, Place, S, Set, Stmt, Value, W, Word, counted,
};

type Cells = Vec<bool>;

/// How the statements before ended.
enum Flow {
    On,
    Leave(Label),
    Return(u64),
}

/// A run of a kernel's functions over memory.
pub struct Walk<'k> {
    kernel: &'k Kernel,
    pub frame: Frame,
    /// For each function whether it is counted while it is open.
    counted: Vec<bool>,
    steps: u64,
}

/// The most work of a run.
const LIMIT: u64 = 60_000;

/// A function that is open.
#[derive(Default)]
struct Open {
    words: Vec<Option<u64>>,
    sets: Vec<Option<Cells>>,
}

impl Open {
    fn w(&self, w: W) -> u64 {
        self.words[w.0 as usize].expect("a word is given a value before it is read")
    }

    fn s(&self, s: S) -> &Cells {
        self.sets[s.0 as usize]
            .as_ref()
            .expect("a set is given a value before it is read")
    }

    fn place(&self, place: &Place) -> usize {
        let further = place.index.map_or(0, |(w, n)| self.w(w) * u64::from(n));
        place.base as usize + further as usize
    }
}

fn members(cells: &Cells) -> Vec<usize> {
    (0..cells.len()).filter(|c| cells[*c]).collect()
}

pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl<'k> Walk<'k> {
    pub fn new(kernel: &'k Kernel, frame: Frame) -> Walk<'k> {
        Walk {
            counted: counted(&kernel.functions),
            kernel,
            frame,
            steps: 0,
        }
    }

    /// Runs a function that has no parameters.
    pub fn call(&mut self, function: FuncId) -> u64 {
        self.function(function, &[], &Open::default())
    }

    /// Whether there was too much work: then nothing that was done counts.
    pub fn tired(&self) -> bool {
        self.steps > LIMIT
    }

    fn width(&self) -> usize {
        self.kernel.room.words as usize
    }

    fn empty(&self) -> Cells {
        vec![false; self.width() * 64]
    }

    fn of(&self, cells: &[usize]) -> Cells {
        let mut set = self.empty();
        for cell in cells {
            set[*cell] = true;
        }
        set
    }

    fn fixed(&self, cells: &gambol::board::Cells) -> Cells {
        self.of(&cells.iter().map(|c| c.index()).collect::<Vec<_>>())
    }

    fn words(&self, set: &Cells) -> Vec<u64> {
        let mut words = vec![0; self.width()];
        for cell in members(set) {
            words[cell / 64] |= 1 << (cell % 64);
        }
        words
    }

    fn at(&mut self, place: u32) -> &mut u64 {
        &mut self.frame.mem[place as usize]
    }

    fn fault(&mut self, fault: Fault) -> Flow {
        *self.at(self.kernel.room.fault) = fault as u64;
        Flow::Return(1)
    }

    fn function(&mut self, function: FuncId, arguments: &[Value], caller: &Open) -> u64 {
        let function = &self.kernel.functions[function.0 as usize];
        let mut open = Open {
            words: vec![None; function.words as usize],
            sets: vec![None; function.sets as usize],
        };
        assert_eq!(arguments.len(), function.params.len());
        for (argument, param) in arguments.iter().zip(&function.params) {
            match (argument, param) {
                (Value::Word(a), Value::Word(p)) => {
                    open.words[p.0 as usize] = Some(caller.w(*a));
                }
                (Value::Set(a), Value::Set(p)) => {
                    open.sets[p.0 as usize] = Some(caller.s(*a).clone());
                }
                _ => panic!("arguments are of the parameters' kinds"),
            }
        }
        match self.body(&function.body, &mut open) {
            Flow::On => 0,
            Flow::Return(value) => value,
            Flow::Leave(_) => panic!("a block that is not open is left"),
        }
    }

    fn body(&mut self, body: &[Stmt], open: &mut Open) -> Flow {
        for stmt in body {
            match self.stmt(stmt, open) {
                Flow::On => {}
                out => return out,
            }
        }
        Flow::On
    }

    fn stmt(&mut self, stmt: &Stmt, open: &mut Open) -> Flow {
        self.steps += match stmt {
            Stmt::LetSet(_, Set::Around(_) | Set::Part(..)) => 50 * self.width() as u64,
            Stmt::LetSet(..) => self.width() as u64,
            _ => 1,
        };
        if self.tired() {
            return Flow::Return(1);
        }
        let room = self.kernel.room;
        match stmt {
            Stmt::Let(w, value) => open.words[w.0 as usize] = Some(self.word(value, open)),
            Stmt::LetSet(s, value) => open.sets[s.0 as usize] = Some(self.set(value, open)),
            Stmt::Store(place, w) => self.frame.mem[open.place(place)] = open.w(*w),
            Stmt::StoreSet(place, s) => {
                let at = open.place(place);
                let words = self.words(open.s(*s));
                self.frame.mem[at..at + words.len()].copy_from_slice(&words);
            }
            Stmt::StoreLogged(place, w) => {
                let (at, new) = (open.place(place), open.w(*w));
                let old = self.frame.mem[at];
                if old != new {
                    let end = room.log as u64 + *self.at(room.log_used);
                    if end + 2 > u64::from(room.moves) {
                        return self.fault(Fault::Room);
                    }
                    self.frame.mem[end as usize] = at as u64;
                    self.frame.mem[end as usize + 1] = old;
                    *self.at(room.log_used) += 2;
                    self.frame.mem[at] = new;
                }
            }
            Stmt::Mark(w) => open.words[w.0 as usize] = Some(*self.at(room.log_used)),
            Stmt::Undo(w) => {
                while *self.at(room.log_used) > open.w(*w) {
                    *self.at(room.log_used) -= 2;
                    let entry = room.log as usize + *self.at(room.log_used) as usize;
                    let at = self.frame.mem[entry] as usize;
                    self.frame.mem[at] = self.frame.mem[entry + 1];
                }
            }
            Stmt::Call(f, arguments, result) => {
                if *self.at(room.fuel) == 0 {
                    return self.fault(Fault::Calls);
                }
                *self.at(room.fuel) -= 1;
                let counts = u64::from(self.counted[f.0 as usize]);
                if counts > 0 && *self.at(room.depth) >= MAX_DEPTH {
                    return self.fault(Fault::Calls);
                }
                *self.at(room.depth) += counts;
                let value = self.function(*f, arguments, open);
                *self.at(room.depth) -= counts;
                if *self.at(room.fault) != 0 {
                    return Flow::Return(1);
                }
                if let Some(w) = result {
                    open.words[w.0 as usize] = Some(value);
                }
            }
            Stmt::Leave(label) => return Flow::Leave(*label),
            Stmt::Return(w) => return Flow::Return(open.w(*w)),
            Stmt::Leaf(w) => return self.leaf(open.w(*w), None),
            Stmt::Leaves(w, s, family) => {
                return self.leaf(open.w(*w), Some((open.s(*s), *family)));
            }
            Stmt::Tally(w) => {
                let more = open.w(*w);
                let tally = self.at(room.tally);
                *tally = tally.wrapping_add(more);
            }
            Stmt::Note(all, pieces) => {
                let keys = (open.w(*all), open.w(*pieces));
                self.frame.past.push(keys);
            }
            Stmt::Fault(fault) => return self.fault(*fault),
            _ => return self.block(stmt, open),
        }
        Flow::On
    }

    fn block(&mut self, stmt: &Stmt, open: &mut Open) -> Flow {
        match stmt {
            Stmt::If(w, then, other) => {
                let body = if open.w(*w) != 0 { then } else { other };
                self.body(body, open)
            }
            Stmt::Switch(w, bodies) => match bodies.get(open.w(*w) as usize) {
                Some(body) => self.body(body, open),
                None => Flow::On,
            },
            Stmt::ForCells(w, s, body) => {
                let cells = members(open.s(*s));
                self.rounds(cells.into_iter().map(|c| c as u64), *w, body, open)
            }
            Stmt::ForBits(w, of, body) => {
                let of = open.w(*of);
                self.rounds((0..64).filter(|i| of >> i & 1 != 0), *w, body, open)
            }
            Stmt::ForNumbers(w, from, to, body) => {
                let (from, to) = (open.w(*from) as i64, open.w(*to) as i64);
                self.rounds((from..=to).map(|n| n as u64), *w, body, open)
            }
            Stmt::Loop(label, body) => loop {
                match self.body(body, open) {
                    Flow::On => {}
                    Flow::Leave(l) if l == *label => return Flow::On,
                    out => return out,
                }
            },
            Stmt::Block(label, body) => match self.body(body, open) {
                Flow::Leave(l) if l == *label => Flow::On,
                out => out,
            },
            _ => panic!("all others are done"),
        }
    }

    fn rounds(
        &mut self,
        values: impl Iterator<Item = u64>,
        w: W,
        body: &[Stmt],
        open: &mut Open,
    ) -> Flow {
        for value in values {
            open.words[w.0 as usize] = Some(value);
            match self.body(body, open) {
                Flow::On => {}
                out => return out,
            }
        }
        Flow::On
    }

    fn leaf(&mut self, length: u64, set: Option<(&Cells, u32)>) -> Flow {
        let room = self.kernel.room;
        let cells = set.map_or(1, |(s, _)| members(s).len());
        if cells == 0 {
            return Flow::On;
        }
        let path = room.path as usize;
        let kind = set.map_or(0, |(_, family)| u64::from(family) + 1);
        let mut words = vec![length | kind << 32];
        words.extend_from_slice(&self.frame.mem[path..path + length as usize]);
        words.extend(set.map(|(s, _)| self.words(s)).into_iter().flatten());
        let at = room.moves as usize + *self.at(room.moves_used) as usize;
        if at + words.len() > room.memory as usize {
            return self.fault(Fault::Room);
        }
        self.frame.mem[at..at + words.len()].copy_from_slice(&words);
        *self.at(room.moves_used) += words.len() as u64;
        *self.at(room.moves_count) += cells as u64;
        Flow::On
    }

    fn word(&self, value: &Word, open: &Open) -> u64 {
        let count = |s: &Cells| members(s).len() as u64;
        let within = |a: S, b: S| open.s(a).iter().zip(open.s(b)).all(|(a, b)| !a || *b);
        let meet = |a: S, b: S| open.s(a).iter().zip(open.s(b)).any(|(a, b)| *a && *b);
        match value {
            Word::Const(n) => *n,
            Word::Copy(w) => open.w(*w),
            Word::Bin(bin, a, b) => binary(*bin, open.w(*a), open.w(*b)),
            Word::Select(w, a, b) => open.w(if open.w(*w) != 0 { *a } else { *b }),
            Word::Load(place) => self.frame.mem[open.place(place)],
            Word::Table(t, w) => self.kernel.tables[t.0 as usize][open.w(*w) as usize],
            Word::Byte(t, w) => {
                let table = &self.kernel.tables[t.0 as usize];
                let at = open.w(*w) as usize;
                u64::from(table[at / 8].to_le_bytes()[at % 8])
            }
            Word::Count(s) => count(open.s(*s)),
            Word::First(s) => members(open.s(*s))[0] as u64,
            Word::Nth(s, n) => members(open.s(*s))[open.w(*n) as usize] as u64,
            Word::Last(s) => *members(open.s(*s)).last().expect("the set has a cell") as u64,
            Word::Some(s) => u64::from(count(open.s(*s)) > 0),
            Word::Has(s, w) => u64::from(open.s(*s)[open.w(*w) as usize]),
            Word::Within(a, b) => u64::from(within(*a, *b)),
            Word::Meet(a, b) => u64::from(meet(*a, *b)),
            Word::Same(a, b) => u64::from(open.s(*a) == open.s(*b)),
            Word::Leading(w) => u64::from(open.w(*w).leading_zeros()),
            Word::Mix(w) => mix(open.w(*w)),
            Word::PileKey(cell, pile) => self.pile_key(open.w(*cell), open.w(*pile)),
            Word::Repeated(w) => {
                let past = self.frame.past.iter();
                past.filter(|(key, _)| *key == open.w(*w)).count() as u64
            }
            Word::Seen(w) => {
                let mut past = self.frame.past.iter();
                u64::from(past.any(|(_, key)| key == open.w(*w)))
            }
        }
    }

    fn pile_key(&self, cell: u64, pile: u64) -> u64 {
        let bits = self.kernel.piece_bits;
        let height = (63 - pile.leading_zeros()) / bits;
        (0..height)
            .map(|level| {
                let code = pile >> (level * bits) & ((1 << bits) - 1);
                let piece = u64::from(self.kernel.pieces[code as usize]);
                mix(cell << 40 ^ u64::from(level) << 16 ^ piece)
            })
            .fold(0, |all, key| all ^ key)
    }

    fn join(&self, a: &Cells, b: &Cells, of: fn(bool, bool) -> bool) -> Cells {
        a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()
    }

    fn set(&self, value: &Set, open: &Open) -> Cells {
        let kernel = self.kernel;
        match value {
            Set::Const(id) => self.fixed(&kernel.sets[id.0 as usize]),
            Set::Copy(s) => open.s(*s).clone(),
            Set::Load(place) => {
                let at = open.place(place);
                let words = &self.frame.mem[at..at + self.width()];
                (0..self.width() * 64)
                    .map(|c| words[c / 64] >> (c % 64) & 1 != 0)
                    .collect()
            }
            Set::And(a, b) => self.join(open.s(*a), open.s(*b), |a, b| a && b),
            Set::Or(a, b) => self.join(open.s(*a), open.s(*b), |a, b| a || b),
            Set::Without(a, b) => self.join(open.s(*a), open.s(*b), |a, b| a && !b),
            Set::Xor(a, b) => self.join(open.s(*a), open.s(*b), |a, b| a != b),
            Set::UpTo(a, b) => {
                let stop = open.s(*b).iter().position(|there| *there);
                let near = |c: usize| stop.is_none_or(|stop| c <= stop);
                let cells = open.s(*a).iter().enumerate();
                cells.map(|(c, there)| *there && near(c)).collect()
            }
            Set::DownTo(a, b) => {
                let stop = open.s(*b).iter().rposition(|there| *there);
                let near = |c: usize| stop.is_none_or(|stop| c >= stop);
                let cells = open.s(*a).iter().enumerate();
                cells.map(|(c, there)| *there && near(c)).collect()
            }
            Set::Single(w) => self.of(&[open.w(*w) as usize]),
            Set::With(s, w) => {
                let mut set = open.s(*s).clone();
                set[open.w(*w) as usize] = true;
                set
            }
            Set::Less(s, w) => {
                let mut set = open.s(*s).clone();
                set[open.w(*w) as usize] = false;
                set
            }
            Set::Row(rows, w) => self.fixed(&kernel.rows[rows.0 as usize][open.w(*w) as usize]),
            Set::Shift(s, shift) => {
                let steps = &kernel.shifts[shift.0 as usize].steps;
                let to = members(open.s(*s)).into_iter().map(|c| steps[c]);
                let to = to.filter(|c| *c != u16::MAX).map(usize::from);
                self.of(&to.collect::<Vec<_>>())
            }
            Set::Around(s) => members(open.s(*s))
                .into_iter()
                .fold(self.empty(), |all, c| {
                    self.join(&all, &self.fixed(&kernel.neighbours[c]), |a, b| a || b)
                }),
            Set::Part(s, w) => self.part(open.s(*s), open.w(*w) as usize),
            Set::Mapped(s, table) => {
                let table = &kernel.tables[table.0 as usize];
                let to = members(open.s(*s)).into_iter().map(|c| table[c] as usize);
                self.of(&to.collect::<Vec<_>>())
            }
            Set::Select(w, a, b) => open.s(if open.w(*w) != 0 { *a } else { *b }).clone(),
        }
    }

    fn part(&self, set: &Cells, cell: usize) -> Cells {
        let mut part = self.empty();
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            if set[cell] && !part[cell] {
                part[cell] = true;
                todo.extend(self.kernel.neighbours[cell].iter().map(|c| c.index()));
            }
        }
        part
    }
}

fn binary(bin: Bin, a: u64, b: u64) -> u64 {
    let (x, y) = (a as i64, b as i64);
    let wide = |n: i128| n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as u64;
    let (i, j) = (i128::from(x), i128::from(y));
    match bin {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a.checked_shl(b as u32).expect("the distance is below 64"),
        Bin::Shr => a.checked_shr(b as u32).expect("the distance is below 64"),
        Bin::Equal => u64::from(a == b),
        Bin::Differ => u64::from(a != b),
        Bin::Less => u64::from(x < y),
        Bin::AtMost => u64::from(x <= y),
        Bin::SumWithin => wide(i + j),
        Bin::DifferenceWithin => wide(i - j),
        Bin::ProductWithin => wide(i * j),
        Bin::Quotient if y == 0 || (x == i64::MIN && y == -1) => 0,
        Bin::Quotient => (x / y) as u64,
        Bin::Remainder if y == 0 => 0,
        Bin::Remainder => i.rem_euclid(j) as u64,
        Bin::Smaller => x.min(y) as u64,
        Bin::Larger => x.max(y) as u64,
        Bin::High => ((u128::from(a) * u128::from(b)) >> 64) as u64,
    }
}
