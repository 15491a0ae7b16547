//! Expressions are evaluated here: one function a type, one arm a form.

use crate::board::{Cell, CellSet, Direction, Directions};
use crate::engine::machine::{Machine, cell};
use crate::engine::run::Mode;
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, KindExpr, KindId, Num, PlayerExpr, PlayerId, SubId, Truth,
    Value, VarId, VarType, WORD_HASH,
};

/// A run of cells: its first cell, its direction, how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first cell.
    pub start: Cell,
    /// The direction.
    pub way: Direction,
    /// How many cells.
    pub length: u16,
}

impl Run {
    /// As a word of memory.
    pub fn word(self) -> u64 {
        1 << 63
            | u64::from(self.start.0)
            | u64::from(self.way.0) << 16
            | u64::from(self.length) << 32
    }

    /// The run in a word of memory, when there is one.
    pub fn from_word(word: u64) -> Option<Run> {
        let part = |shift: u32| (word >> shift & 0xFFFF) as u16;
        (word >> 63 == 1).then(|| Run {
            start: Cell(part(0)),
            way: Direction(part(16).to_le_bytes()[0]),
            length: part(32),
        })
    }
}

impl<'p, const N: usize> Machine<'p, N> {
    /// A word of a variable.
    #[inline]
    pub fn word(&self, var: VarId) -> u64 {
        self.mem[self.place(var)]
    }

    /// A value as words of memory.
    pub fn words(&mut self, value: &'p Value) -> [u64; N] {
        let mut words = [0; N];
        words[0] = match value {
            Value::Num(n) => self.num(n).cast_unsigned(),
            Value::Truth(t) => u64::from(self.truth(t)),
            Value::Cell(c) => self.cell(c).map_or(0, |c| u64::from(c.0) + 1),
            Value::Cells(c) | Value::Groups(c) => return *self.cells(c).words(),
            Value::Run(v) => self.word(*v),
            Value::Dir(d) => self.dir(d).map_or(0, |d| u64::from(d.0) + 1),
            Value::Dirs(d) => self.dirs(d).0,
            Value::Player(p) => self.player(p).map_or(0, |p| u64::from(p.0) + 1),
            Value::Kind(k) => self.kind(k).map_or(0, |k| u64::from(k.0) + 1),
        };
        words
    }

    /// A number.
    pub fn num(&mut self, num: &'p Num) -> i64 {
        match num {
            Num::Const(n) => *n,
            Num::Var(v) => self.word(*v).cast_signed(),
            Num::OfPlayer(v, p) => match self.player(p) {
                Some(p) => self.mem[self.place(*v) + usize::from(p.0)].cast_signed(),
                None => 0,
            },
            Num::OfCell(v, c) => match self.cell(c) {
                Some(c) => self.mem[self.place(*v) + usize::from(c.0)].cast_signed(),
                None => 0,
            },
            Num::Add(a, b) => Num::calculate('+', self.num(a), self.num(b)),
            Num::Sub(a, b) => Num::calculate('-', self.num(a), self.num(b)),
            Num::Mul(a, b) => Num::calculate('*', self.num(a), self.num(b)),
            Num::Div(a, b) => Num::calculate('/', self.num(a), self.num(b)),
            Num::Mod(a, b) => Num::calculate('%', self.num(a), self.num(b)),
            Num::Count(c) => self.cells(c).len() as i64,
            Num::CountParts(c) => {
                let mut rest = self.cells(c);
                let mut count = 0;
                while let Some(first) = rest.first() {
                    rest = rest.without(self.part_at(rest, first));
                    count += 1;
                }
                count
            }
            Num::RunLength(v) => Run::from_word(self.word(*v)).map_or(0, |r| i64::from(r.length)),
            Num::Height(c) => self
                .cell(c)
                .map_or(0, |c| self.height(usize::from(c.0)) as i64),
            Num::Hand(p, kind) => match self.player(p) {
                Some(p) => self.hand(p, *kind),
                None => 0,
            },
            Num::RowOf(c) => self
                .cell(c)
                .map_or(0, |c| i64::from(self.program.board.row_of(c))),
            Num::ColumnOf(c) => self
                .cell(c)
                .map_or(0, |c| i64::from(self.program.board.column_of(c))),
            Num::Occurrences => {
                let key = self.mem[WORD_HASH] ^ self.mem[WORD_HASH + 1];
                self.past.count(key) as i64 + 1
            }
            Num::If(t, a, b) => {
                if self.truth(t) {
                    self.num(a)
                } else {
                    self.num(b)
                }
            }
        }
    }

    /// How many pieces a player holds.
    pub fn hand(&self, p: PlayerId, kind: Option<KindId>) -> i64 {
        let kinds = self.program.kinds.len();
        let from = self.program.layout.hands + usize::from(p.0) * kinds;
        let words = match kind {
            Some(k) => &self.mem[from + usize::from(k.0)..=from + usize::from(k.0)],
            None => &self.mem[from..from + kinds],
        };
        words.iter().map(|w| w.cast_signed()).sum()
    }

    /// Yes or no.
    pub fn truth(&mut self, truth: &'p Truth) -> bool {
        match truth {
            Truth::Const(b) => *b,
            Truth::Var(v) => self.word(*v) != 0,
            Truth::OfPlayer(v, p) => match self.player(p) {
                Some(p) => self.mem[self.place(*v) + usize::from(p.0)] != 0,
                None => false,
            },
            Truth::Not(a) => !self.truth(a),
            Truth::And(a, b) => self.truth(a) && self.truth(b),
            Truth::Or(a, b) => self.truth(a) || self.truth(b),
            Truth::Compare(how, a, b) => {
                let a = self.num(a);
                how.holds(a, self.num(b))
            }
            Truth::SameCell(a, b) => {
                let a = self.cell(a);
                a == self.cell(b)
            }
            Truth::SamePlayer(a, b) => {
                let a = self.player(a);
                a == self.player(b)
            }
            Truth::SameKind(a, b) => {
                let a = self.kind(a);
                a == self.kind(b)
            }
            Truth::SameDir(a, b) => {
                let a = self.dir(a);
                a == self.dir(b)
            }
            Truth::SameCells(a, b) => {
                let a = self.cells(a);
                a == self.cells(b)
            }
            Truth::Contains(c, set) => match self.cell(c) {
                Some(c) => self.cells(set).contains(c),
                None => false,
            },
            Truth::ContainsDir(d, set) => match self.dir(d) {
                Some(d) => self.dirs(set).contains(d),
                None => false,
            },
            Truth::Some(set) => !self.cells(set).is_empty(),
            Truth::Subset(a, b) => {
                let a = self.cells(a);
                a.is_subset(self.cells(b))
            }
            Truth::Possible(None, sub) => self.possible(*sub),
            Truth::Possible(Some(p), sub) => match self.player(p) {
                Some(p) => {
                    let me = std::mem::replace(&mut self.me, p);
                    let result = self.possible(*sub);
                    self.me = me;
                    result
                }
                None => false,
            },
            Truth::Stuck => !self.can_turn(),
            Truth::Mirrored(image) => self.mirrored(*image),
            Truth::Unseen => {
                let pieces = self.mem[WORD_HASH];
                pieces != self.start_pieces && !self.past.has_pieces(pieces)
            }
            Truth::If(t, a, b) => {
                if self.truth(t) {
                    self.truth(a)
                } else {
                    self.truth(b)
                }
            }
        }
    }

    /// Whether all pieces together are their own image.
    fn mirrored(&self, image: usize) -> bool {
        let image = &self.program.mirrors[image];
        if self.program.stacking {
            return image
                .iter()
                .enumerate()
                .all(|(c, to)| self.pile(c) == self.pile(usize::from(to.0)));
        }
        let layout = &self.program.layout;
        let sets = layout.owned..layout.occupied;
        sets.step_by(N).all(|at| {
            let set = self.set_at(at);
            set.iter().all(|c| set.contains(image[usize::from(c.0)]))
        })
    }

    /// A cell, or nowhere.
    pub fn cell(&mut self, expr: &'p CellExpr) -> Option<Cell> {
        match expr {
            CellExpr::Const(c) => Some(*c),
            CellExpr::Nowhere => None,
            CellExpr::Var(v) => (self.word(*v) as usize).checked_sub(1).map(cell),
            CellExpr::First(set) => self.cells(set).first(),
            CellExpr::Last(set) => self.cells(set).last(),
            CellExpr::RunFirst(v) => Run::from_word(self.word(*v))
                .filter(|r| r.length > 0)
                .map(|r| r.start),
            CellExpr::RunLast(v) => {
                let run = Run::from_word(self.word(*v)).filter(|r| r.length > 0)?;
                self.along(run.start, run.way, i64::from(run.length) - 1)
            }
            CellExpr::Step(c, d) => {
                let c = self.cell(c)?;
                let d = self.dir(d)?;
                self.program.board.step(c, d)
            }
            CellExpr::If(t, a, b) => {
                if self.truth(t) {
                    self.cell(a)
                } else {
                    self.cell(b)
                }
            }
        }
    }

    /// The cell so many steps away.
    pub fn along(&self, from: Cell, way: Direction, steps: i64) -> Option<Cell> {
        let board = &self.program.board;
        let walk = |steps: i64| (0..steps).try_fold(from, |c, _| board.step(c, way));
        let cells = board.len() as i64;
        if steps <= cells {
            return walk(steps);
        }
        // So many steps are gone on a ring only, and that comes back.
        walk(cells)?;
        let round = (1..=cells).find(|round| walk(*round) == Some(from))?;
        walk(steps % round)
    }

    /// The cells of a run.
    pub fn run_cells(&self, var: VarId) -> CellSet<N> {
        let mut set = CellSet::EMPTY;
        let Some(run) = Run::from_word(self.word(var)) else {
            return set;
        };
        let mut at = Some(run.start);
        for _ in 0..run.length {
            let Some(c) = at else { break };
            set.insert(c);
            at = self.program.board.step(c, run.way);
        }
        set
    }

    /// A set of cells.
    #[allow(clippy::too_many_lines, reason = "one arm a form")]
    pub fn cells(&mut self, expr: &'p Cells) -> CellSet<N> {
        match expr {
            Cells::Const(set) => set.resize(),
            Cells::Var(v) => self.set_at(self.place(*v)),
            Cells::OfPlayer(v, p) => match self.player(p) {
                Some(p) => self.set_at(self.place(*v) + usize::from(p.0) * N),
                None => CellSet::EMPTY,
            },
            Cells::Run(v) => self.run_cells(*v),
            Cells::Single(c) => self.cell(c).map_or(CellSet::EMPTY, CellSet::single),
            Cells::Owned(p) => match self.player(p) {
                Some(p) => self.set_at(self.program.layout.owned + usize::from(p.0) * N),
                None => CellSet::EMPTY,
            },
            Cells::Kind(k) => match self.kind(k) {
                Some(k) => self.set_at(self.program.layout.kinds + usize::from(k.0) * N),
                None => CellSet::EMPTY,
            },
            Cells::Occupied => self.set_at(self.program.layout.occupied),
            Cells::Empty => self
                .tables
                .all
                .without(self.set_at(self.program.layout.occupied)),
            Cells::Or(a, b) => {
                let a = self.cells(a);
                a | self.cells(b)
            }
            Cells::And(a, b) => {
                let a = self.cells(a);
                a & self.cells(b)
            }
            Cells::Without(a, b) => {
                let a = self.cells(a);
                a.without(self.cells(b))
            }
            Cells::Adjacent(set) => {
                let set = self.cells(set);
                self.around(set).without(set)
            }
            Cells::AdjacentAlong(set, dirs) => {
                let set = self.cells(set);
                let dirs = self.dirs(dirs);
                let board = &self.program.board;
                let mut found = CellSet::EMPTY;
                for d in dirs.iter() {
                    set.iter()
                        .filter_map(|c| board.step(c, d))
                        .for_each(|c| found.insert(c));
                }
                found.without(set)
            }
            Cells::Axis(c, dirs) => {
                let Some(c) = self.cell(c) else {
                    return CellSet::EMPTY;
                };
                let dirs = self.dirs(dirs);
                self.axis(c, dirs)
            }
            Cells::GroupOf(c) => match self.cell(c) {
                Some(c) => self.group_of(c),
                None => CellSet::EMPTY,
            },
            Cells::PartAt(set, c) => {
                let set = self.cells(set);
                match self.cell(c) {
                    Some(c) => self.part_at(set, c),
                    None => CellSet::EMPTY,
                }
            }
            Cells::ByPlayer(sets, p) => match self.player(p) {
                Some(p) => sets[usize::from(p.0)].resize(),
                None => CellSet::EMPTY,
            },
            Cells::Seen(set, p) => {
                let set = self.cells(set);
                match self.player(p) {
                    Some(p) if !self.program.views[usize::from(p.0)].is_empty() => {
                        let view = &self.program.views[usize::from(p.0)];
                        set.iter().map(|c| view[usize::from(c.0)]).collect()
                    }
                    Some(_) | None => set,
                }
            }
            Cells::Where(set, it, test) => {
                let set = self.cells(set);
                let place = self.place(*it);
                let mut found = CellSet::EMPTY;
                for c in set.iter() {
                    self.poke(place, u64::from(c.0) + 1);
                    if self.truth(test) {
                        found.insert(c);
                    }
                }
                found
            }
            Cells::With { set, it, most, key } => self.with(set, *it, *most, key, false),
            Cells::PartsWhere(set, it, test) => {
                let mut rest = self.cells(set);
                let place = self.place(*it);
                let mut found = CellSet::EMPTY;
                while let Some(first) = rest.first() {
                    let part = self.part_at(rest, first);
                    rest = rest.without(part);
                    self.poke_set(place, part);
                    if self.truth(test) {
                        found |= part;
                    }
                }
                found
            }
            Cells::PartsWith { set, it, most, key } => self.with(set, *it, *most, key, true),
            Cells::Gather(var, sub) => self.gather(*var, *sub),
            Cells::Closure { seed, set, more } => {
                let mut all = self.cells(seed);
                let place = self.place(*set);
                loop {
                    self.poke_set(place, all);
                    let grown = all | self.cells(more);
                    if grown == all {
                        return all;
                    }
                    all = grown;
                }
            }
            Cells::If(t, a, b) => {
                if self.truth(t) {
                    self.cells(a)
                } else {
                    self.cells(b)
                }
            }
        }
    }

    /// The members with the most, or least, of a number.
    fn with(
        &mut self,
        set: &'p Cells,
        it: VarId,
        most: bool,
        key: &'p Num,
        parts: bool,
    ) -> CellSet<N> {
        let mut rest = self.cells(set);
        let place = self.place(it);
        let mut best: Option<i64> = None;
        let mut found = CellSet::EMPTY;
        while let Some(first) = rest.first() {
            let member = if parts {
                self.part_at(rest, first)
            } else {
                CellSet::single(first)
            };
            rest = rest.without(member);
            if parts {
                self.poke_set(place, member);
            } else {
                self.poke(place, u64::from(first.0) + 1);
            }
            let value = self.num(key);
            let better = best.is_none_or(|b| if most { value > b } else { value < b });
            if better {
                (best, found) = (Some(value), member);
            } else if best == Some(value) {
                found |= member;
            }
        }
        found
    }

    /// All cells next to some cells; these may be among them.
    pub fn around(&self, set: CellSet<N>) -> CellSet<N> {
        set.iter().fold(CellSet::EMPTY, |found, c| {
            found | self.tables.neighbours[usize::from(c.0)]
        })
    }

    /// The joined part of a set that holds a cell.
    pub fn part_at(&self, set: CellSet<N>, at: Cell) -> CellSet<N> {
        let mut part = CellSet::single(at) & set;
        let mut edge = part;
        while !edge.is_empty() {
            edge = (self.around(edge) & set).without(part);
            part |= edge;
        }
        part
    }

    /// The pieces of one owner joined to that on a cell.
    fn group_of(&self, at: Cell) -> CellSet<N> {
        let owned = self.program.layout.owned;
        let sets = (0..self.program.players.len()).map(|p| self.set_at(owned + p * N));
        match sets.into_iter().find(|s| s.contains(at)) {
            Some(set) => self.part_at(set, at),
            None => CellSet::EMPTY,
        }
    }

    /// The lines through a cell, both ways. On boards that are joined at their edges they come back, and cross each other.
    fn axis(&self, at: Cell, dirs: Directions) -> CellSet<N> {
        let board = &self.program.board;
        let mut found = CellSet::single(at);
        for d in dirs.iter() {
            for way in [Some(d), board.opposite(d)].into_iter().flatten() {
                let mut line = CellSet::single(at);
                let mut next = board.step(at, way);
                while let Some(c) = next.filter(|c| !line.contains(*c)) {
                    line.insert(c);
                    next = board.step(c, way);
                }
                found |= line;
            }
        }
        found
    }

    /// The union of a variable over all runs of a subprogram.
    fn gather(&mut self, var: VarId, sub: SubId) -> CellSet<N> {
        let outer = std::mem::replace(&mut self.gathered, CellSet::EMPTY);
        self.aside(sub, Mode::Gather(var));
        std::mem::replace(&mut self.gathered, outer)
    }

    /// What a variable adds to the gathered cells.
    pub fn gather_one(&mut self, var: VarId) {
        let set = match self.program.vars[var.0 as usize].ty {
            VarType::Run => self.run_cells(var),
            VarType::Cells | VarType::Groups => self.set_at(self.place(var)),
            VarType::Number
            | VarType::Truth
            | VarType::Cell
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind => (self.word(var) as usize)
                .checked_sub(1)
                .map_or(CellSet::EMPTY, |c| CellSet::single(cell(c))),
        };
        self.gathered |= set;
    }

    /// A direction, or none.
    pub fn dir(&mut self, expr: &'p DirExpr) -> Option<Direction> {
        match expr {
            DirExpr::Const(d) => Some(*d),
            DirExpr::Var(v) => (self.word(*v) as u8).checked_sub(1).map(Direction),
            DirExpr::Opposite(d) => {
                let d = self.dir(d)?;
                self.program.board.opposite(d)
            }
        }
    }

    /// A set of directions.
    pub fn dirs(&mut self, expr: &'p Dirs) -> Directions {
        match expr {
            Dirs::Const(d) => *d,
            Dirs::Var(v) => Directions(self.word(*v)),
            Dirs::Single(d) => self.dir(d).map_or(Directions::EMPTY, Directions::single),
            Dirs::ByPlayer(sets, p) => match self.player(p) {
                Some(p) => sets[usize::from(p.0)],
                None => Directions::EMPTY,
            },
            Dirs::Or(a, b) => {
                let a = self.dirs(a);
                a | self.dirs(b)
            }
            Dirs::And(a, b) => {
                let a = self.dirs(a);
                a & self.dirs(b)
            }
            Dirs::Without(a, b) => {
                let a = self.dirs(a);
                a.without(self.dirs(b))
            }
            Dirs::If(t, a, b) => {
                if self.truth(t) {
                    self.dirs(a)
                } else {
                    self.dirs(b)
                }
            }
        }
    }

    /// A player, or nobody.
    pub fn player(&mut self, expr: &'p PlayerExpr) -> Option<PlayerId> {
        match expr {
            PlayerExpr::Me => Some(self.me),
            PlayerExpr::Const(p) => Some(*p),
            PlayerExpr::Var(v) => (self.word(*v) as u8).checked_sub(1).map(PlayerId),
            PlayerExpr::Next(p) => {
                let p = self.player(p)?;
                Some(self.next_player(p))
            }
            PlayerExpr::Owner(c) => {
                let c = self.cell(c)?;
                let piece = self.top(usize::from(c.0))?;
                ((piece >> 8) as u8).checked_sub(1).map(PlayerId)
            }
        }
    }

    /// A piece kind.
    pub fn kind(&mut self, expr: &'p KindExpr) -> Option<KindId> {
        match expr {
            KindExpr::Const(k) => Some(*k),
            KindExpr::Var(v) => (self.word(*v) as u8).checked_sub(1).map(KindId),
        }
    }
}
