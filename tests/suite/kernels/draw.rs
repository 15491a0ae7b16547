//! Draws small random kernels from a seed. They end, they stay within memory, and they read nothing that was not written.

use gambol::board::{Cell, Cells};
use gambol::engine::executor::Frame;
use gambol::program::kernel::{
    Bin, Body, Fault, FuncId, Function, Kernel, Label, MAX_DEPTH, Place, Room, RowsId, S, Set,
    SetId, Shift, ShiftId, Stmt, TableId, Value, W, Word,
};

/// The words that a kernel's functions store in, from 0 on; then sets; then what they leave at their ends.
const WORDS: u32 = 40;
const SETS: u32 = 9;
const PATH: u32 = 12;
const LEFT: u32 = 24;

/// Random numbers (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A set of cells, empty, sparse or dense.
    pub fn cells(&mut self, cells: usize) -> Cells {
        let percent = self.of(&[0, 3, 20, 60, 100]);
        let all = (0..cells as u16).filter(|_| self.chance(percent));
        all.map(Cell).collect()
    }
}

/// An empty kernel of so many cells on sets of so many words, with all areas in place.
pub fn bare(cells: usize, words: u32, log: u32, moves: u32) -> Kernel {
    let sets = WORDS + SETS * words;
    let path = sets + 7;
    let scratch = path + PATH;
    let log_at = scratch + LEFT * (1 + words);
    let room = Room {
        words,
        piles: WORDS,
        tall: WORDS,
        kept: sets,
        tally: sets,
        fuel: sets + 1,
        depth: sets + 2,
        fault: sets + 3,
        log_used: sets + 4,
        moves_used: sets + 5,
        moves_count: sets + 6,
        doubt: sets,
        game: scratch,
        start: scratch,
        before: scratch,
        scratch,
        path,
        text: path,
        log: log_at,
        moves: log_at + log,
        memory: log_at + log + moves,
    };
    Kernel {
        room,
        cells,
        neighbours: vec![Cells::EMPTY; cells],
        pieces: vec![0, 1, 2, 0x101, 0x102, 0x201, 5, 6],
        piece_bits: 3,
        ..Kernel::default()
    }
}

/// A shift from where each cell goes.
pub fn shift(steps: Vec<u16>) -> Shift {
    let mut parts: Vec<(Cells, i32)> = Vec::new();
    for (cell, next) in (0_u16..).zip(&steps) {
        if *next != u16::MAX {
            let by = i32::from(*next) - i32::from(cell);
            if !parts.iter().any(|(_, b)| *b == by) {
                parts.push((Cells::EMPTY, by));
            }
            let part = parts.iter_mut().find(|(_, b)| *b == by);
            part.unwrap().0.insert(Cell(cell));
        }
    }
    Shift { parts, steps }
}

/// Where the cells of a grid go.
pub fn grid(cells: usize, columns: usize, dx: i32, dy: i32) -> Vec<u16> {
    (0..cells as i32)
        .map(|c| {
            let (x, y) = (c % columns as i32 + dx, c / columns as i32 + dy);
            let to = y * columns as i32 + x;
            let on = (0..columns as i32).contains(&x) && y >= 0 && to < cells as i32;
            if on { to as u16 } else { u16::MAX }
        })
        .collect()
}

/// A kernel, the memory before its first run, and the functions to call one after the other.
pub fn kernel(seed: u64) -> (Kernel, Frame, Vec<FuncId>) {
    let mut dice = Dice(seed);
    let words = dice.of(&[1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9, 12, 13, 20]);
    let cells = words as usize * 64 - dice.below(60);
    let (log, moves) = (dice.of(&[6, 300, 300]), dice.of(&[60, 4000, 4000]));
    let mut kernel = bare(cells, words, log, moves);
    tables(&mut kernel, &mut dice);
    let count = 1 + dice.below(4);
    let params: Vec<Vec<Kind>> = (0..count)
        .map(|f| {
            let many = if f == 0 { 0 } else { dice.below(4) };
            (0..many)
                .map(|_| dice.of(&[Kind::Any, Kind::Cell, Kind::Set]))
                .collect()
        })
        .collect();
    for f in 0..count {
        let function = Drawer::new(&mut dice, &kernel, &params).function(f);
        kernel.functions.push(function);
    }
    let mut frame = Frame::new(&kernel);
    for word in &mut frame.mem[..WORDS as usize] {
        *word = dice.of(&[0, 1, 2, 3, 5, 0x77, u64::MAX, 1 << 63]);
    }
    for set in 0..SETS {
        let at = (WORDS + set * words) as usize;
        let from = dice.cells(cells);
        frame.mem[at..at + words as usize].copy_from_slice(&from.words()[..words as usize]);
    }
    frame.mem[kernel.room.fuel as usize] = dice.of(&[2, 60, 500]);
    frame.mem[kernel.room.depth as usize] = dice.of(&[0, 0, 0, MAX_DEPTH - 2]);
    frame.past = [(1, 2), (2, 3), (2, 5), (0, 0), (1, 1)]
        .into_iter()
        .collect();
    let open = (0..count).filter(|f| params[*f].is_empty());
    let calls: Vec<FuncId> = open.map(|f| FuncId(f as u32)).collect();
    (kernel, frame, calls.repeat(2))
}

fn tables(kernel: &mut Kernel, dice: &mut Dice) {
    let cells = kernel.cells;
    let most = dice.of(&[12, 12, 200]).min(cells - 2);
    let columns = 2 + dice.below(most);
    // The first two are those of every kernel: no cells, and all.
    kernel.sets = vec![Cells::EMPTY, (0..cells as u16).map(Cell).collect()];
    kernel.sets.extend((0..4).map(|_| dice.cells(cells)));
    kernel.tables = vec![
        (0..cells).map(|_| dice.below(cells) as u64).collect(),
        (0..8).map(|_| dice.below(8) as u64).collect(),
    ];
    kernel.rows = (0..2)
        .map(|_| (0..cells).map(|_| dice.cells(cells)).collect())
        .collect();
    for (dx, dy) in [(1, 0), (0, 1), (-1, -1), (1, -2)] {
        let mut steps = grid(cells, columns, dx, dy);
        // Boards with corners cut and bridges: some cells go elsewhere or nowhere.
        for _ in 0..dice.of(&[0, 0, 2, 9]) {
            let cell = dice.below(cells);
            steps[cell] = dice.of(&[u16::MAX, dice_cell(cell, cells)]);
        }
        kernel.shifts.push(shift(steps));
    }
    let crossed = dice.chance(50);
    for cell in 0..cells {
        for shift in &kernel.shifts[..2 + usize::from(crossed)] {
            if shift.steps[cell] != u16::MAX {
                kernel.neighbours[cell].insert(Cell(shift.steps[cell]));
                kernel.neighbours[usize::from(shift.steps[cell])].insert(Cell(cell as u16));
            }
        }
    }
    if dice.chance(20) {
        kernel.neighbours = (0..cells).map(|_| dice.cells(cells)).collect();
    }
}

fn dice_cell(cell: usize, cells: usize) -> u16 {
    ((cell * 7 + 3) % cells) as u16
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Any,
    Cell,
    Set,
}

/// What can be read at a place, by what it is sure to be.
#[derive(Clone, Default)]
struct Known {
    any: Vec<W>,
    cells: Vec<W>,
    small: Vec<W>,
    marks: Vec<W>,
    sets: Vec<S>,
    labels: Vec<Label>,
}

struct Drawer<'d> {
    dice: &'d mut Dice,
    kernel: &'d Kernel,
    params: &'d [Vec<Kind>],
    known: Known,
    seven: W,
    pile: W,
    words: u32,
    sets: u32,
    labels: u32,
    budget: usize,
}

const BINS: &[Bin] = &[
    Bin::Add,
    Bin::Sub,
    Bin::Mul,
    Bin::And,
    Bin::Or,
    Bin::Xor,
    Bin::Equal,
    Bin::Differ,
    Bin::Less,
    Bin::AtMost,
    Bin::SumWithin,
    Bin::DifferenceWithin,
    Bin::ProductWithin,
    Bin::Quotient,
    Bin::Remainder,
    Bin::Smaller,
    Bin::Larger,
    Bin::High,
];

impl<'d> Drawer<'d> {
    fn new(dice: &'d mut Dice, kernel: &'d Kernel, params: &'d [Vec<Kind>]) -> Drawer<'d> {
        Drawer {
            dice,
            kernel,
            params,
            known: Known::default(),
            seven: W(0),
            pile: W(0),
            words: 0,
            sets: 0,
            labels: 0,
            budget: 60,
        }
    }

    fn fresh(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn fresh_set(&mut self) -> S {
        self.sets += 1;
        S(self.sets - 1)
    }

    fn function(mut self, number: usize) -> Function {
        let mut params = Vec::new();
        for kind in &self.params[number].clone() {
            params.push(match kind {
                Kind::Any | Kind::Cell => Value::Word(self.fresh()),
                Kind::Set => Value::Set(self.fresh_set()),
            });
            match (kind, params[params.len() - 1]) {
                (Kind::Any, Value::Word(w)) => self.known.any.push(w),
                (Kind::Cell, Value::Word(w)) => self.known.cells.push(w),
                (_, Value::Set(s)) => self.known.sets.push(s),
                _ => {}
            }
        }
        let mut body = self.first();
        let many = 4 + self.dice.below(14);
        for _ in 0..many {
            self.stmt(&mut body, 0);
        }
        self.leave_all(&mut body);
        if self.dice.chance(50) {
            let w = self.read();
            body.push(Stmt::Return(w));
        }
        Function {
            name: format!("drawn {number}"),
            params,
            words: self.words,
            sets: self.sets,
            body,
        }
    }

    /// What every function begins with, so that there is something of each kind.
    fn first(&mut self) -> Body {
        let mut body = Vec::new();
        self.seven = self.fresh();
        self.pile = self.fresh();
        body.push(Stmt::Let(self.seven, Word::Const(7)));
        let height = self.dice.of(&[0, 1, 2, 5, 21]);
        let pile = self.dice.word() & ((1 << (3 * height)) - 1) | 1 << (3 * height);
        body.push(Stmt::Let(self.pile, Word::Const(pile)));
        let (cell, small, any, set) = (self.fresh(), self.fresh(), self.fresh(), self.fresh_set());
        let number = self.dice.below(self.kernel.cells) as u64;
        body.push(Stmt::Let(cell, Word::Const(number)));
        body.push(Stmt::Let(small, Word::Const(self.dice.below(8) as u64)));
        body.push(Stmt::Let(any, Word::Const(self.dice.word())));
        body.push(Stmt::LetSet(
            set,
            Set::Const(SetId(self.dice.below(6) as u32)),
        ));
        self.known.cells.push(cell);
        self.known.small.push(small);
        self.known.any.push(any);
        self.known.sets.push(set);
        body
    }

    /// Leaves some of the words and sets where a comparison finds them.
    fn leave_all(&mut self, body: &mut Body) {
        let room = self.kernel.room;
        let known = self.known.clone();
        let words = known.any.iter().chain(&known.cells).chain(&known.small);
        for (i, w) in (0..LEFT).zip(words) {
            if self.dice.chance(60) {
                let place = Place {
                    base: room.scratch + i,
                    index: None,
                };
                body.push(Stmt::Store(place, *w));
            }
        }
        for (i, s) in (0..LEFT).zip(&known.sets) {
            if self.dice.chance(60) {
                let base = room.scratch + LEFT + i * room.words;
                body.push(Stmt::StoreSet(Place { base, index: None }, *s));
            }
        }
    }

    /// Any word that can be read.
    fn read(&mut self) -> W {
        let all = [&self.known.any, &self.known.cells, &self.known.small];
        let all: Vec<W> = all.into_iter().flatten().copied().collect();
        self.dice.of(&all)
    }

    fn cell(&mut self) -> W {
        self.dice.of(&self.known.cells.clone())
    }

    fn small(&mut self) -> W {
        self.dice.of(&self.known.small.clone())
    }

    fn set(&mut self) -> S {
        self.dice.of(&self.known.sets.clone())
    }

    fn place(&mut self) -> Place {
        let room = self.kernel.room;
        match self.dice.below(4) {
            0 => Place {
                base: self.dice.below(WORDS as usize) as u32,
                index: None,
            },
            1 => Place {
                base: self.dice.below(8) as u32,
                index: Some((self.small(), 1)),
            },
            2 => Place {
                base: self.dice.below(8) as u32,
                index: Some((self.small(), 3)),
            },
            _ => Place {
                base: room.path,
                index: Some((self.small(), 1)),
            },
        }
    }

    fn set_place(&mut self) -> Place {
        let (words, set) = (
            self.kernel.room.words,
            self.dice.below(SETS as usize) as u32,
        );
        match self.dice.chance(50) {
            true => Place {
                base: WORDS + set * words,
                index: None,
            },
            false => Place {
                base: WORDS,
                index: Some((self.small(), words)),
            },
        }
    }

    /// A word of any value.
    fn word(&mut self) -> Word {
        let (w, s) = (self.read(), self.set());
        match self.dice.below(24) {
            0 => Word::Const(
                self.dice
                    .of(&[0, 1, 2, 64, u64::MAX, 1 << 63, i64::MAX as u64]),
            ),
            1 => Word::Copy(w),
            2..=6 => Word::Bin(self.dice.of(BINS), w, self.read()),
            7 => Word::Bin(self.dice.of(&[Bin::Shl, Bin::Shr]), w, self.small()),
            8 => Word::Select(w, self.read(), self.read()),
            9 | 10 => Word::Load(self.place()),
            11 => Word::Table(TableId(1), self.small()),
            18 => Word::Byte(TableId(1), self.small()),
            12 => Word::Count(s),
            13 => Word::Leading(w),
            14 => Word::Mix(w),
            15 => Word::PileKey(self.cell(), self.pile),
            16 => Word::Repeated(w),
            17 => Word::Seen(w),
            _ => self.truth(),
        }
    }

    fn truth(&mut self) -> Word {
        let (a, b) = (self.set(), self.set());
        match self.dice.below(6) {
            0 => Word::Some(a),
            1 => Word::Has(a, self.cell()),
            2 => Word::Within(a, b),
            3 => Word::Meet(a, b),
            4 => Word::Same(a, b),
            _ => {
                let bins = [Bin::Equal, Bin::Differ, Bin::Less, Bin::AtMost];
                Word::Bin(self.dice.of(&bins), self.read(), self.read())
            }
        }
    }

    /// A word that is a cell.
    fn cell_word(&mut self, body: &mut Body) -> Word {
        match self.dice.below(6) {
            0 => Word::Const(self.dice.below(self.kernel.cells) as u64),
            1 => Word::Table(TableId(0), self.cell()),
            2 => Word::Select(self.read(), self.cell(), self.cell()),
            3 => Word::Bin(Bin::Larger, self.cell(), self.cell()),
            _ => {
                let s = self.fresh_set();
                body.push(Stmt::LetSet(s, Set::With(self.set(), self.cell())));
                match self.dice.below(3) {
                    0 => Word::First(s),
                    1 => Word::Last(s),
                    _ => {
                        let (count, nth) = (self.fresh(), self.fresh());
                        body.push(Stmt::Let(count, Word::Count(s)));
                        let word = Word::Bin(Bin::Remainder, self.read(), count);
                        body.push(Stmt::Let(nth, word));
                        Word::Nth(s, nth)
                    }
                }
            }
        }
    }

    fn small_word(&mut self) -> Word {
        match self.dice.below(4) {
            0 => Word::Const(self.dice.below(8) as u64),
            1 => Word::Table(TableId(1), self.small()),
            2 => Word::Select(self.read(), self.small(), self.small()),
            _ => Word::Bin(Bin::And, self.read(), self.seven),
        }
    }

    fn some_set(&mut self) -> Set {
        let (a, b) = (self.set(), self.set());
        match self.dice.below(20) {
            0 => Set::Const(SetId(self.dice.below(6) as u32)),
            1 => Set::Copy(a),
            2 | 3 => Set::Load(self.set_place()),
            4 | 5 => Set::And(a, b),
            6 => Set::Or(a, b),
            7 | 8 => Set::Without(a, b),
            9 => Set::Xor(a, b),
            10 => Set::Single(self.cell()),
            11 => Set::With(a, self.cell()),
            12 => Set::Less(a, self.cell()),
            13 => Set::Row(RowsId(self.dice.below(2) as u32), self.cell()),
            14 | 15 => Set::Shift(a, ShiftId(self.dice.below(4) as u32)),
            16 => Set::Around(a),
            17 => Set::Part(a, self.cell()),
            18 => Set::Mapped(a, TableId(0)),
            _ => Set::Select(self.read(), a, b),
        }
    }

    /// Statements inside of one: what they know ends with them.
    fn inner(&mut self, depth: usize, more: impl FnOnce(&mut Known)) -> Body {
        let known = self.known.clone();
        more(&mut self.known);
        let mut body = Vec::new();
        for _ in 0..1 + self.dice.below(5) {
            self.stmt(&mut body, depth + 1);
        }
        if self.dice.chance(15) {
            let labels = self.known.labels.clone();
            body.push(match labels.is_empty() {
                false if self.dice.chance(80) => Stmt::Leave(self.dice.of(&labels)),
                _ => Stmt::Return(self.read()),
            });
        }
        self.known = known;
        body
    }

    fn stmt(&mut self, body: &mut Body, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        match self.dice.below(if depth < 4 { 34 } else { 22 }) {
            0..=3 => {
                let (w, value) = (self.fresh(), self.word());
                body.push(Stmt::Let(w, value));
                self.known.any.push(w);
            }
            4 => {
                let value = self.cell_word(body);
                let w = self.fresh();
                body.push(Stmt::Let(w, value));
                self.known.cells.push(w);
            }
            5 => {
                let (w, value) = (self.fresh(), self.small_word());
                body.push(Stmt::Let(w, value));
                self.known.small.push(w);
            }
            6 | 7 => self.again(body),
            8..=12 => {
                let (s, value) = (self.fresh_set(), self.some_set());
                body.push(Stmt::LetSet(s, value));
                self.known.sets.push(s);
            }
            13 => self.moved(body),
            14 => body.push(Stmt::Store(self.place(), self.read())),
            15 => body.push(Stmt::StoreSet(self.set_place(), self.set())),
            16 => self.log(body),
            17 => body.push(Stmt::Leaf(self.small())),
            18 => {
                let family = self.dice.below(3) as u32;
                body.push(Stmt::Leaves(self.small(), self.set(), family));
            }
            19 if self.dice.chance(50) => body.push(Stmt::Note(self.read(), self.read())),
            19 => body.push(Stmt::Tally(self.read())),
            20 | 21 => self.call(body),
            22..=26 => self.choice(body, depth),
            27 => {
                let bodies = (0..self.dice.below(4))
                    .map(|_| self.inner(depth, |_| {}))
                    .collect();
                body.push(Stmt::Switch(self.small(), bodies));
            }
            28 | 29 => {
                let (w, s) = (self.fresh(), self.set());
                let inner = self.inner(depth, |known| known.cells.push(w));
                body.push(Stmt::ForCells(w, s, inner));
            }
            30 => {
                let (w, of) = (self.fresh(), self.read());
                let inner = self.inner(depth, |known| known.any.push(w));
                body.push(Stmt::ForBits(w, of, inner));
            }
            31 => self.numbers(body, depth),
            32 => self.rounds(body, depth),
            _ => {
                let label = self.label();
                let inner = self.inner(depth, |known| known.labels.push(label));
                body.push(Stmt::Block(label, inner));
            }
        }
    }

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// A word or set gets another value.
    fn again(&mut self, body: &mut Body) {
        match self.dice.below(4) {
            0 => {
                let value = self.word();
                let w = self.dice.of(&self.known.any.clone());
                body.push(Stmt::Let(w, value));
            }
            1 => {
                let value = self.cell_word(body);
                body.push(Stmt::Let(self.cell(), value));
            }
            2 => {
                let value = self.small_word();
                body.push(Stmt::Let(self.small(), value));
            }
            _ => {
                let value = self.some_set();
                body.push(Stmt::LetSet(self.set(), value));
            }
        }
    }

    /// A set only for the next statement.
    fn moved(&mut self, body: &mut Body) {
        let (a, b, other) = (self.fresh_set(), self.fresh_set(), self.set());
        let by = ShiftId(self.dice.below(4) as u32);
        let first = match self.dice.chance(60) {
            true => Set::Shift(self.set(), by),
            false => self.some_set(),
        };
        body.push(Stmt::LetSet(a, first));
        let second = match self.dice.below(5) {
            0 => Set::And(a, other),
            1 => Set::And(other, a),
            2 => Set::Without(a, other),
            3 => Set::Without(other, a),
            _ => Set::Or(a, other),
        };
        body.push(Stmt::LetSet(b, second));
        self.known.sets.push(b);
    }

    fn log(&mut self, body: &mut Body) {
        let marks = self.known.marks.clone();
        match self.dice.below(4) {
            0 => {
                let w = self.fresh();
                body.push(Stmt::Mark(w));
                self.known.marks.push(w);
            }
            1 if !marks.is_empty() => body.push(Stmt::Undo(self.dice.of(&marks))),
            _ => body.push(Stmt::StoreLogged(self.place(), self.read())),
        }
    }

    fn call(&mut self, body: &mut Body) {
        let f = self.dice.below(self.params.len());
        let arguments = self.params[f].clone().into_iter().map(|kind| match kind {
            Kind::Any => Value::Word(self.read()),
            Kind::Cell => Value::Word(self.cell()),
            Kind::Set => Value::Set(self.set()),
        });
        let arguments = arguments.collect();
        let result = self.dice.chance(60).then(|| self.fresh());
        body.push(Stmt::Call(FuncId(f as u32), arguments, result));
        self.known.any.extend(result);
    }

    fn choice(&mut self, body: &mut Body, depth: usize) {
        let w = match self.dice.below(4) {
            0 => self.read(),
            _ => {
                let (w, value) = (self.fresh(), self.truth());
                body.push(Stmt::Let(w, value));
                if self.dice.chance(20) {
                    self.known.any.push(w);
                }
                w
            }
        };
        let labels = self.known.labels.clone();
        let then = match self.dice.below(8) {
            0 => vec![],
            1..=3 if !labels.is_empty() => vec![Stmt::Leave(self.dice.of(&labels))],
            4 if self.dice.chance(20) => vec![Stmt::Fault(Fault::Pile)],
            _ => self.inner(depth, |_| {}),
        };
        let other = match self.dice.below(6) {
            0..=3 => vec![],
            4 if !labels.is_empty() => vec![Stmt::Leave(self.dice.of(&labels))],
            _ => self.inner(depth, |_| {}),
        };
        body.push(Stmt::If(w, then, other));
    }

    fn numbers(&mut self, body: &mut Body, depth: usize) {
        let (mut from, mut to) = (self.small(), self.small());
        if self.dice.chance(30) {
            (from, to) = (self.fresh(), self.fresh());
            let (first, many) = (self.dice.word() as i64, self.dice.below(9) as i64);
            let first = self.dice.of(&[first, -3, i64::MAX - 4, i64::MIN]);
            body.push(Stmt::Let(from, Word::Const(first as u64)));
            let last = first.saturating_add(many - 2);
            body.push(Stmt::Let(to, Word::Const(last as u64)));
        }
        let w = self.fresh();
        let inner = self.inner(depth, |known| known.any.push(w));
        body.push(Stmt::ForNumbers(w, from, to, inner));
    }

    /// A loop that is left after some rounds, if not before.
    fn rounds(&mut self, body: &mut Body, depth: usize) {
        let (round, one, most, over) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let label = self.label();
        body.push(Stmt::Let(round, Word::Const(0)));
        body.push(Stmt::Let(one, Word::Const(1)));
        body.push(Stmt::Let(most, Word::Const(self.dice.below(6) as u64)));
        let mut inner = vec![
            Stmt::Let(round, Word::Bin(Bin::Add, round, one)),
            Stmt::Let(over, Word::Bin(Bin::Less, most, round)),
            Stmt::If(over, vec![Stmt::Leave(label)], vec![]),
        ];
        inner.extend(self.inner(depth, |known| known.labels.push(label)));
        body.push(Stmt::Loop(label, inner));
    }
}
