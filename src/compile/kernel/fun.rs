//! Writing a function: operands in, statements out, folded where operands are fixed. What a program means is not known here.

use crate::board::{Cell, Cells};
use crate::program::kernel::{
    Bin, Body, Fault, FuncId, Label, Place, RowsId, S, Set, SetId, ShiftId, Stmt, TableId, Value,
    W, Word, byte_of,
};
use rustc_hash::FxHashMap;

/// A word: fixed, or computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum V {
    /// Fixed.
    K(u64),
    /// Computed.
    R(W),
}

/// A set: fixed, or computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SV {
    /// Fixed.
    K(SetId),
    /// Computed.
    R(S),
}

/// More statements than this no function has.
const LONGEST: usize = 60_000;

/// No.
pub const NO: V = V::K(0);
/// Yes.
pub const YES: V = V::K(1);
/// The fixed set of no cells.
pub const EMPTY: SetId = SetId(0);
/// No cells.
pub const NONE: SV = SV::K(EMPTY);
/// The fixed set of all cells of the board.
pub const BOARD: SetId = SetId(1);
/// All cells of the board.
pub const ALL: SV = SV::K(BOARD);

/// Fixed sets, each once; the first two are the empty one and that of all cells.
pub struct Fixed {
    /// The sets.
    pub sets: Vec<Cells>,
    places: FxHashMap<Cells, SetId>,
}

impl Fixed {
    /// With the first two.
    pub fn new(cells: usize) -> Fixed {
        let mut fixed = Fixed {
            sets: Vec::new(),
            places: FxHashMap::default(),
        };
        fixed.put(Cells::EMPTY);
        fixed.put(Cells::range(cells));
        fixed
    }

    /// Of sets of which each is there once.
    pub fn of(sets: Vec<Cells>) -> Fixed {
        let numbers = (0..).map(SetId);
        let places = sets.iter().copied().zip(numbers).collect();
        Fixed { sets, places }
    }

    /// A set's number.
    pub fn put(&mut self, set: Cells) -> SetId {
        let next = SetId(self.sets.len() as u32);
        let id = *self.places.entry(set).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        id
    }
}

/// How a set was made of two.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    Both,
    Either,
}

/// What a set that is given once was made of, where that are two.
type Made = Option<(Joined, S, S)>;

/// A function that is being written.
#[derive(Default)]
pub struct Fun {
    words: u32,
    sets: u32,
    labels: u32,
    /// What is done before everything else.
    pub prelude: Body,
    blocks: Vec<Body>,
    /// For each open block the sets whose largest parts were found in it, and where those are.
    largest: Vec<FxHashMap<S, S>>,
    constants: FxHashMap<u64, W>,
    fixed: FxHashMap<SetId, S>,
    loads: FxHashMap<(u32, bool), Value>,
    singles: FxHashMap<S, V>,
    /// For each set whether it is given once, and then of which two it was made.
    once: Vec<Option<Made>>,
    written: usize,
    /// How often something was stored with a log, or a function called.
    pub logged: u32,
}

/// Blocks mostly have so many statements or fewer.
const SOME: usize = 8;

impl Fun {
    /// An empty function.
    pub fn new() -> Fun {
        Fun {
            blocks: vec![Vec::new()],
            largest: vec![FxHashMap::default()],
            ..Fun::default()
        }
    }

    /// More of a function that has so many words and sets.
    pub fn more(words: u32, sets: u32) -> Fun {
        Fun {
            words,
            sets,
            ..Fun::new()
        }
    }

    /// How many words and sets were given so far.
    pub fn given(&self) -> (u32, u32) {
        (self.words, self.sets)
    }

    /// The numbers of the next word and the next set, to be counted on.
    pub fn numbers(&mut self) -> (&mut u32, &mut u32) {
        (&mut self.words, &mut self.sets)
    }

    /// How many statements were written so far.
    pub fn written(&self) -> usize {
        self.written
    }

    /// How many statements the innermost open block has.
    pub fn written_here(&self) -> usize {
        self.blocks.last().map_or(0, Vec::len)
    }

    /// A statement before others of the innermost open block, of which so many stay in front.
    pub fn insert(&mut self, at: usize, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(at, stmt);
        }
    }

    /// Its words and sets and statements.
    pub fn finish(mut self) -> (u32, u32, Body) {
        let main = self.blocks.pop().unwrap_or_default();
        self.prelude.extend(main);
        (self.words, self.sets, self.prelude)
    }

    /// A new word.
    pub fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    /// A new set.
    pub fn set(&mut self) -> S {
        self.sets += 1;
        S(self.sets - 1)
    }

    /// A new set that is a parameter, and not given again.
    pub fn set_taken(&mut self) -> S {
        let s = self.set();
        self.give_once(s, None);
        s
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Whether more was written than a function can sensibly have.
    pub fn is_too_long(&self) -> bool {
        self.written > LONGEST
    }

    /// A statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.written += 1;
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Begins an inner block.
    pub fn open(&mut self) {
        self.blocks.push(Vec::with_capacity(SOME));
        self.largest.push(FxHashMap::default());
    }

    /// Ends an inner block.
    pub fn close(&mut self) -> Body {
        self.largest.pop();
        self.blocks.pop().unwrap_or_default()
    }

    /// The largest parts of a set, where they were found on every way here.
    pub fn largest_of(&self, set: S) -> Option<S> {
        let found = self.largest.iter().find_map(|known| known.get(&set));
        found.copied()
    }

    /// The largest parts of a set are known from here to the end of the block, unless the set may be given again.
    pub fn know_largest(&mut self, of: S, largest: S) {
        let once = self.made_of(of).is_some();
        if let Some(known) = self.largest.last_mut().filter(|_| once) {
            known.insert(of, largest);
        }
    }

    /// A computed word.
    pub fn make(&mut self, word: Word) -> V {
        let w = self.word();
        self.push(Stmt::Let(w, word));
        V::R(w)
    }

    /// A computed set.
    pub fn make_set(&mut self, set: Set) -> SV {
        let s = self.set();
        let is_once = |s: &S| self.made_of(*s).is_some();
        let of = match &set {
            Set::And(a, b) if is_once(a) && is_once(b) => Some((Joined::Both, *a, *b)),
            Set::Or(a, b) if is_once(a) && is_once(b) => Some((Joined::Either, *a, *b)),
            _ => None,
        };
        self.give_once(s, of);
        self.push(Stmt::LetSet(s, set));
        SV::R(s)
    }

    fn give_once(&mut self, s: S, of: Made) {
        let at = s.0 as usize;
        self.once.resize(self.once.len().max(at + 1), None);
        self.once[at] = Some(of);
    }

    fn made_of(&self, s: S) -> Option<Made> {
        self.once.get(s.0 as usize).copied().flatten()
    }

    /// Whether a set was made so of another and one more.
    fn is_of(&self, made: SV, how: Joined, part: SV) -> bool {
        let (SV::R(made), SV::R(part)) = (made, part) else {
            return false;
        };
        let of = self.made_of(made).flatten();
        of.is_some_and(|(joined, a, b)| joined == how && (a == part || b == part))
    }

    /// The word that holds a value.
    pub fn reg(&mut self, v: V) -> W {
        match v {
            V::R(w) => w,
            V::K(k) => {
                if let Some(w) = self.constants.get(&k) {
                    return *w;
                }
                let w = self.word();
                self.prelude.push(Stmt::Let(w, Word::Const(k)));
                self.constants.insert(k, w);
                w
            }
        }
    }

    /// The set that holds a value.
    pub fn sreg(&mut self, s: SV) -> S {
        match s {
            SV::R(s) => s,
            SV::K(id) => {
                if let Some(s) = self.fixed.get(&id) {
                    return *s;
                }
                let s = self.set();
                self.prelude.push(Stmt::LetSet(s, Set::Const(id)));
                self.fixed.insert(id, s);
                s
            }
        }
    }

    /// A word of the state as it was at the beginning of the function.
    pub fn load_first(&mut self, base: u32) -> V {
        if let Some(Value::Word(w)) = self.loads.get(&(base, false)) {
            return V::R(*w);
        }
        let w = self.word();
        self.prelude
            .push(Stmt::Let(w, Word::Load(Place { base, index: None })));
        self.loads.insert((base, false), Value::Word(w));
        V::R(w)
    }

    /// A set of the state as it was at the beginning of the function.
    pub fn load_first_set(&mut self, base: u32) -> SV {
        if let Some(Value::Set(s)) = self.loads.get(&(base, true)) {
            return SV::R(*s);
        }
        let s = self.set();
        self.prelude
            .push(Stmt::LetSet(s, Set::Load(Place { base, index: None })));
        self.give_once(s, None);
        self.loads.insert((base, true), Value::Set(s));
        SV::R(s)
    }

    /// A word from memory, now.
    pub fn load(&mut self, base: u32, index: V) -> V {
        let place = self.place(base, index, 1);
        self.make(Word::Load(place))
    }

    /// A place in memory.
    pub fn place(&mut self, base: u32, index: V, stride: u32) -> Place {
        match index {
            V::K(k) => Place {
                base: base + k as u32 * stride,
                index: None,
            },
            V::R(w) => Place {
                base,
                index: Some((w, stride)),
            },
        }
    }

    /// Stores a word.
    pub fn store(&mut self, base: u32, index: V, value: V) {
        let (place, w) = (self.place(base, index, 1), self.reg(value));
        self.push(Stmt::Store(place, w));
    }

    /// Stores a word with a log.
    pub fn store_logged(&mut self, base: u32, index: V, value: V) {
        let (place, w) = (self.place(base, index, 1), self.reg(value));
        self.logged += 1;
        self.push(Stmt::StoreLogged(place, w));
    }

    /// Of two words.
    pub fn bin(&mut self, op: Bin, a: V, b: V) -> V {
        if let (V::K(x), V::K(y)) = (a, b) {
            return V::K(fold(op, x, y));
        }
        match (op, a, b) {
            (Bin::Add | Bin::Or | Bin::Xor | Bin::SumWithin, V::K(0), v)
            | (
                Bin::Add
                | Bin::Sub
                | Bin::Or
                | Bin::Xor
                | Bin::Shl
                | Bin::Shr
                | Bin::SumWithin
                | Bin::DifferenceWithin,
                v,
                V::K(0),
            )
            | (Bin::Mul | Bin::Quotient | Bin::ProductWithin, v, V::K(1)) => return v,
            (Bin::And | Bin::Mul, V::K(0), _) | (Bin::And | Bin::Mul, _, V::K(0)) => return NO,
            _ => {}
        }
        if a == b {
            match op {
                Bin::Equal | Bin::AtMost => return YES,
                Bin::Differ | Bin::Less | Bin::Xor | Bin::Sub => return NO,
                _ => {}
            }
        }
        let (a, b) = (self.reg(a), self.reg(b));
        self.make(Word::Bin(op, a, b))
    }

    /// Not, of a truth.
    pub fn not(&mut self, v: V) -> V {
        self.bin(Bin::Equal, v, NO)
    }

    /// Both, of two truths.
    pub fn both(&mut self, a: V, b: V) -> V {
        match (a, b) {
            (V::K(0), _) | (_, V::K(0)) => NO,
            (V::K(_), v) | (v, V::K(_)) => v,
            (V::R(_), V::R(_)) => self.bin(Bin::And, a, b),
        }
    }

    /// Either, of two truths.
    pub fn either(&mut self, a: V, b: V) -> V {
        match (a, b) {
            (V::K(0), v) | (v, V::K(0)) => v,
            (V::K(_), _) | (_, V::K(_)) => YES,
            (V::R(_), V::R(_)) => self.bin(Bin::Or, a, b),
        }
    }

    /// The second or the third.
    pub fn select(&mut self, c: V, a: V, b: V) -> V {
        match c {
            V::K(0) => b,
            V::K(_) => a,
            V::R(_) if a == b => a,
            V::R(c) => {
                let (a, b) = (self.reg(a), self.reg(b));
                self.make(Word::Select(c, a, b))
            }
        }
    }

    /// The second set or the third.
    pub fn select_set(&mut self, c: V, a: SV, b: SV) -> SV {
        match c {
            V::K(0) => b,
            V::K(_) => a,
            V::R(_) if a == b => a,
            V::R(c) => {
                let (a, b) = (self.sreg(a), self.sreg(b));
                self.make_set(Set::Select(c, a, b))
            }
        }
    }

    /// An entry of a table.
    pub fn table(&mut self, tables: &[Vec<u64>], id: TableId, at: V) -> V {
        match at {
            V::K(k) => V::K(tables[id.0 as usize][k as usize]),
            V::R(w) => self.make(Word::Table(id, w)),
        }
    }

    /// A byte of a table of words.
    pub fn byte(&mut self, tables: &[Vec<u64>], id: TableId, at: V) -> V {
        match at {
            V::K(k) => V::K(byte_of(&tables[id.0 as usize], k).unwrap_or_default()),
            V::R(w) => self.make(Word::Byte(id, w)),
        }
    }

    /// An entry of a table of sets.
    pub fn row(&mut self, id: RowsId, at: V) -> SV {
        let w = self.reg(at);
        self.make_set(Set::Row(id, w))
    }

    /// Cells in both.
    pub fn and(&mut self, fixed: &mut Fixed, a: SV, b: SV) -> SV {
        match (a, b) {
            (SV::K(x), SV::K(y)) => {
                SV::K(fixed.put(fixed.sets[x.0 as usize] & fixed.sets[y.0 as usize]))
            }
            (NONE, _) | (_, NONE) => NONE,
            (ALL, v) | (v, ALL) => v,
            _ if a == b => a,
            _ if self.is_of(a, Joined::Either, b) || self.is_of(b, Joined::Both, a) => b,
            _ if self.is_of(b, Joined::Either, a) || self.is_of(a, Joined::Both, b) => a,
            _ => {
                let (a, b) = (self.sreg(a), self.sreg(b));
                self.make_set(Set::And(a, b))
            }
        }
    }

    /// Cells in either.
    pub fn or(&mut self, fixed: &mut Fixed, a: SV, b: SV) -> SV {
        match (a, b) {
            (SV::K(x), SV::K(y)) => {
                SV::K(fixed.put(fixed.sets[x.0 as usize] | fixed.sets[y.0 as usize]))
            }
            (NONE, v) | (v, NONE) => v,
            (ALL, _) | (_, ALL) => ALL,
            _ if a == b => a,
            _ if self.is_of(a, Joined::Both, b) || self.is_of(b, Joined::Either, a) => b,
            _ if self.is_of(b, Joined::Both, a) || self.is_of(a, Joined::Either, b) => a,
            _ => {
                let (a, b) = (self.sreg(a), self.sreg(b));
                self.make_set(Set::Or(a, b))
            }
        }
    }

    /// Cells in the first only.
    pub fn without(&mut self, fixed: &mut Fixed, a: SV, b: SV) -> SV {
        match (a, b) {
            (SV::K(x), SV::K(y)) => {
                SV::K(fixed.put(fixed.sets[x.0 as usize].without(fixed.sets[y.0 as usize])))
            }
            (NONE, _) | (_, ALL) => NONE,
            (v, NONE) => v,
            _ if a == b => NONE,
            _ if self.is_of(b, Joined::Either, a) || self.is_of(a, Joined::Both, b) => NONE,
            _ => {
                let (a, b) = (self.sreg(a), self.sreg(b));
                self.make_set(Set::Without(a, b))
            }
        }
    }

    /// One cell.
    pub fn single(&mut self, fixed: &mut Fixed, cell: V) -> SV {
        match cell {
            V::K(k) => SV::K(fixed.put(Cells::single(Cell(k as u16)))),
            V::R(w) => {
                let set = self.make_set(Set::Single(w));
                if let SV::R(s) = set {
                    self.singles.insert(s, cell);
                }
                set
            }
        }
    }

    /// The cell of a set that is known to have just this one.
    pub fn only_cell(&self, set: SV) -> Option<V> {
        match set {
            SV::R(s) => self.singles.get(&s).copied(),
            SV::K(_) => None,
        }
    }

    /// Whether a set is one of the state, as a player's pieces are, or joined of such.
    pub fn is_of_state(&self, set: SV) -> bool {
        let SV::R(s) = set else { return false };
        match self.made_of(s) {
            Some(Some((_, a, b))) => self.is_of_state(SV::R(a)) && self.is_of_state(SV::R(b)),
            _ => self.loads.values().any(|loaded| *loaded == Value::Set(s)),
        }
    }

    /// With a cell.
    pub fn with(&mut self, set: SV, cell: V) -> SV {
        let (s, w) = (self.sreg(set), self.reg(cell));
        self.make_set(Set::With(s, w))
    }

    /// Without a cell.
    pub fn less(&mut self, set: SV, cell: V) -> SV {
        if set == NONE {
            return NONE;
        }
        let (s, w) = (self.sreg(set), self.reg(cell));
        self.make_set(Set::Less(s, w))
    }

    /// Cells moved.
    pub fn shift(&mut self, set: SV, shift: ShiftId) -> SV {
        if set == NONE {
            return NONE;
        }
        let s = self.sreg(set);
        self.make_set(Set::Shift(s, shift))
    }

    /// Whether there are cells.
    pub fn some(&mut self, fixed: &Fixed, set: SV) -> V {
        match set {
            SV::K(id) => V::K(u64::from(!fixed.sets[id.0 as usize].is_empty())),
            SV::R(s) => self.make(Word::Some(s)),
        }
    }

    /// How many cells.
    pub fn count(&mut self, fixed: &Fixed, set: SV) -> V {
        match set {
            SV::K(id) => V::K(fixed.sets[id.0 as usize].len() as u64),
            SV::R(s) => self.make(Word::Count(s)),
        }
    }

    /// Whether a cell is in a set.
    pub fn has(&mut self, fixed: &Fixed, set: SV, cell: V) -> V {
        match (set, cell) {
            (SV::K(id), V::K(k)) => V::K(u64::from(
                fixed.sets[id.0 as usize].contains(Cell(k as u16)),
            )),
            (NONE, _) => NO,
            (ALL, _) => YES,
            _ => {
                let (s, w) = (self.sreg(set), self.reg(cell));
                self.make(Word::Has(s, w))
            }
        }
    }

    /// Whether every cell of one is in another.
    pub fn within(&mut self, a: SV, b: SV) -> V {
        if a == NONE || b == ALL || a == b {
            return YES;
        }
        let (a, b) = (self.sreg(a), self.sreg(b));
        self.make(Word::Within(a, b))
    }

    /// The cells of a part.
    pub fn part(&mut self, set: SV, cell: V) -> SV {
        let (s, w) = (self.sreg(set), self.reg(cell));
        self.make_set(Set::Part(s, w))
    }

    /// The statements of a branch, when the truth holds.
    pub fn when(&mut self, v: V, body: Body) {
        match v {
            V::K(0) => {}
            V::K(_) => {
                if let Some(block) = self.blocks.last_mut() {
                    block.extend(body);
                }
            }
            V::R(w) => {
                if !body.is_empty() {
                    self.push(Stmt::If(w, body, Vec::new()));
                }
            }
        }
    }

    /// Gives up.
    pub fn fault(&mut self, fault: Fault) {
        self.push(Stmt::Fault(fault));
    }

    /// Ends the function.
    pub fn ret(&mut self, v: V) {
        let w = self.reg(v);
        self.push(Stmt::Return(w));
    }

    /// Runs a function for its result.
    pub fn call(&mut self, id: FuncId, args: Vec<Value>) -> V {
        let w = self.word();
        self.logged += 1;
        self.push(Stmt::Call(id, args, Some(w)));
        V::R(w)
    }
}

/// What an engine would compute.
pub fn fold(op: Bin, a: u64, b: u64) -> u64 {
    let (x, y) = (a.cast_signed(), b.cast_signed());
    match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a << (b & 63),
        Bin::Shr => a >> (b & 63),
        Bin::Equal => u64::from(a == b),
        Bin::Differ => u64::from(a != b),
        Bin::Less => u64::from(x < y),
        Bin::AtMost => u64::from(x <= y),
        Bin::SumWithin => x.saturating_add(y).cast_unsigned(),
        Bin::DifferenceWithin => x.saturating_sub(y).cast_unsigned(),
        Bin::ProductWithin => x.saturating_mul(y).cast_unsigned(),
        Bin::Quotient => x.checked_div(y).unwrap_or(0).cast_unsigned(),
        Bin::Remainder => x.checked_rem_euclid(y).unwrap_or(0).cast_unsigned(),
        Bin::Smaller => x.min(y).cast_unsigned(),
        Bin::Larger => x.max(y).cast_unsigned(),
        Bin::High => ((u128::from(a) * u128::from(b)) >> 64) as u64,
    }
}
