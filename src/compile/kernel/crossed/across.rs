//! Loops over cells and what is beside them, written as loops over directions: what is asked of all cells first, and for each
//! direction the cells that the next one is taken down for.

use crate::board::{Cell, Cells, Direction, NO_STEP};
use crate::compile::kernel::crossed::step::Step;
use crate::compile::kernel::lower::Lowerer;
use crate::program::kernel::{
    Bin, Body, Fault, Place, Renumber, RowsId, S, Set, SetId, Stmt, Value, W, Word,
};
use rustc_hash::FxHashMap;

/// More directions would be more work than the cells.
const MOST: usize = 4;

/// A function whose loops are written otherwise.
pub struct Crosser<'c, 'p> {
    pub l: &'c mut Lowerer<'p>,
    /// How often each value is given.
    pub given: FxHashMap<Value, u32>,
    /// The words that always are one number.
    pub numbers: Vec<Option<u64>>,
    /// How many words it has.
    pub words: u32,
    /// How many sets it has.
    pub sets: u32,
    /// Whether nothing changes piles.
    pub piles_stand: bool,
    /// Whether a loop was one of those.
    pub crossed: bool,
}

/// A loop over cells.
struct Over<'s> {
    cell: W,
    all: S,
    step: &'s Step,
}

impl Crosser<'_, '_> {
    /// Statements with loops written otherwise.
    pub fn body(&mut self, body: Body) -> Body {
        let mut out = Body::with_capacity(body.len());
        for mut stmt in body {
            if let Stmt::ForCells(cell, all, inner) = &stmt
                && let Some(written) = self.across(*cell, *all, inner)
            {
                self.crossed = true;
                out.extend(written);
                continue;
            }
            for inner in stmt.bodies_mut() {
                *inner = self.body(std::mem::take(inner));
            }
            out.push(stmt);
        }
        out
    }

    /// A loop direction by direction.
    fn across(&mut self, cell: W, all: S, inner: &Body) -> Option<Body> {
        let step = Step::of(cell, inner, &self.given, (&self.l.room, &self.numbers))?;
        let of = Over {
            cell,
            all,
            step: &step,
        };
        let directions = match step.taken {
            Some(taken) => Some((taken, self.directions(&of, taken)?)),
            None if step.asked.is_some() => None,
            None => return None,
        };
        let mut out = step.ahead.clone();
        let cells = self.fitting(&of, &mut out)?;
        let Some((taken, directions)) = directions else {
            self.take_down(&of, cells, None, &mut out)?;
            return Some(out);
        };
        for way in directions {
            let beside = self.before(&of, taken, way, &mut out)?;
            let from = self.set();
            out.push(Stmt::LetSet(from, Set::And(cells, beside)));
            self.take_down(&of, from, Some(way), &mut out)?;
        }
        Some(out)
    }

    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn set(&mut self) -> S {
        self.sets += 1;
        S(self.sets - 1)
    }

    fn number(&mut self, number: u64, out: &mut Body) -> W {
        let word = self.word();
        out.push(Stmt::Let(word, Word::Const(number)));
        word
    }

    fn fixed(&mut self, cells: Cells, out: &mut Body) -> S {
        let id: SetId = self.l.fixed.put(cells);
        let set = self.set();
        out.push(Stmt::LetSet(set, Set::Const(id)));
        set
    }

    /// A copy of statements of a loop, for another cell.
    fn copied(&mut self, body: Body, (cell, other): (W, W), out: &mut Body) -> Copied {
        let mut names = Copied::default();
        names.words.insert(cell, other);
        for mut stmt in body {
            stmt.renumber_reads(&mut names);
            match &mut stmt {
                Stmt::Let(to, _) => {
                    let new = self.word();
                    names.words.insert(std::mem::replace(to, new), new);
                }
                Stmt::LetSet(to, _) => {
                    let new = self.set();
                    names.sets.insert(std::mem::replace(to, new), new);
                }
                _ => {}
            }
            out.push(stmt);
        }
        names
    }

    /// The cells of the loop of which what is asked is so.
    fn fitting(&mut self, of: &Over<'_>, out: &mut Body) -> Option<S> {
        if of.step.asked.is_none() && of.step.faults.is_empty() {
            return Some(of.all);
        }
        let asked = of.step.asked?;
        if of.step.faults.is_empty()
            && let Some(among) = self.among(of, asked).or_else(|| self.tall(of, asked, out))
        {
            let cells = self.set();
            out.push(Stmt::LetSet(cells, Set::And(of.all, among)));
            return Some(cells);
        }
        self.gathered(of, asked, &of.step.faults, out)
    }

    /// The set that a cell is asked to be in, when that is what is asked and it is the same for all cells.
    fn among(&self, of: &Over<'_>, asked: W) -> Option<S> {
        match of.step.made(Value::Word(asked)) {
            Some((Stmt::Let(_, Word::Has(set, cell)), _))
                if *cell == of.cell && self.same_for_all(of, *set) =>
            {
                Some(*set)
            }
            _ => None,
        }
    }

    /// The set of high piles, when it is asked whether the pile of a cell is one.
    fn tall(&mut self, of: &Over<'_>, asked: W, out: &mut Body) -> Option<S> {
        let number = |w: &W| self.numbers.get(w.0 as usize).copied().flatten();
        let made = |w: &W| match of.step.made(Value::Word(*w)) {
            Some((Stmt::Let(_, word), _)) => Some(word),
            _ => None,
        };
        let Word::Bin(Bin::Less, below, end) = made(&asked)? else {
            return None;
        };
        let Word::Bin(Bin::Sub, most, zeros) = made(end)? else {
            return None;
        };
        let Word::Leading(pile) = made(zeros)? else {
            return None;
        };
        let Word::Load(place) = made(pile)? else {
            return None;
        };
        let its = place.base == self.l.room.piles && place.index == Some((of.cell, 1));
        if !its || number(most) != Some(63) || !self.piles_stand {
            return None;
        }
        let base = self.l.tall_above(number(below)?)?;
        let set = self.set();
        out.push(Stmt::LetSet(set, Set::Load(Place { base, index: None })));
        Some(set)
    }

    fn same_for_all(&self, of: &Over<'_>, set: S) -> bool {
        of.step.made(Value::Set(set)).is_none()
    }

    /// The cells of which a word is not 0, found without going one way or another; gives up when it has to for one of them.
    fn gathered(
        &mut self,
        of: &Over<'_>,
        asked: W,
        faults: &[(W, Fault, bool)],
        out: &mut Body,
    ) -> Option<S> {
        let mut words = vec![asked];
        words.extend(faults.iter().map(|(w, _, _)| *w));
        let (lets, always) = of.step.follow(&words);
        if !always {
            return None;
        }
        let none = self.fixed(Cells::EMPTY, out);
        let zero = self.number(0, out);
        let cells = self.set();
        out.push(Stmt::LetSet(cells, Set::Copy(none)));
        let broken: Vec<W> = faults.iter().map(|_| self.number(0, out)).collect();
        let (cell, mut body) = (self.word(), Body::new());
        let names = self.copied(lets, (of.cell, cell), &mut body);
        let named = |w: W| names.words.get(&w).copied().unwrap_or(w);
        let (with, more) = (self.set(), self.set());
        body.extend([
            Stmt::LetSet(with, Set::With(cells, cell)),
            Stmt::LetSet(more, Set::Select(named(asked), with, cells)),
            Stmt::LetSet(cells, Set::Copy(more)),
        ]);
        for ((w, _, behind), broken) in faults.iter().zip(&broken) {
            let mut fails = named(*w);
            if *behind {
                let both = self.word();
                body.push(Stmt::Let(both, Word::Select(named(asked), fails, zero)));
                fails = both;
            }
            let all = self.word();
            body.push(Stmt::Let(all, Word::Bin(Bin::Or, *broken, fails)));
            body.push(Stmt::Let(*broken, Word::Copy(all)));
        }
        out.push(Stmt::ForCells(cell, of.all, body));
        for ((_, fault, _), broken) in faults.iter().zip(broken) {
            let fault = vec![Stmt::Fault(*fault)];
            out.push(Stmt::If(broken, fault, Body::new()));
        }
        Some(cells)
    }

    /// Takes down an action for each cell of a set; with a direction, for the next cell.
    fn take_down(&mut self, of: &Over<'_>, from: S, way: Option<u8>, out: &mut Body) -> Option<()> {
        let steps = self.l.steps();
        let cells = self.l.program.board.len() as u64;
        let stored: Vec<W> = of.step.stores.iter().map(|(_, w)| *w).collect();
        let lets = of.step.follow(&stored).0;
        let first = way.map(|way| self.number(u64::from(way) * cells, out));
        let length = of.step.length + u64::from(way.is_some());
        let length = self.number(length, out);
        let (cell, mut body) = (self.word(), Body::new());
        let names = self.copied(lets, (of.cell, cell), &mut body);
        let place = |at: u32| Place {
            base: at,
            index: None,
        };
        let path = self.l.room.path;
        for (at, w) in &of.step.stores {
            let w = names.words.get(w).copied().unwrap_or(*w);
            body.push(Stmt::Store(place(path + at), w));
        }
        if let Some(first) = first {
            let (index, next) = (self.word(), self.word());
            let behind = u32::try_from(of.step.length).ok()?;
            body.extend([
                Stmt::Let(index, Word::Bin(Bin::Add, first, cell)),
                Stmt::Let(next, Word::Table(steps, index)),
                Stmt::Store(place(path + behind), next),
            ]);
        }
        body.push(Stmt::Leaf(length));
        out.push(Stmt::ForCells(cell, from, body));
        Some(())
    }

    /// The directions in which the cells of a cell's set are; nothing when that is not known, or they are many.
    fn directions(&self, of: &Over<'_>, taken: S) -> Option<Vec<u8>> {
        let board = &self.l.program.board;
        let mut ways: Vec<u8> = Vec::new();
        let rows = self.rows(of, taken)?;
        // A table of rows for several things begins with those for the first.
        let cells = u16::try_from(board.len()).ok()?;
        let next = |cell: u16, way: u8| board.steps(Direction(way))[usize::from(cell)];
        for rows in &rows {
            for (cell, row) in (0..cells).zip(&self.l.rows[rows.0 as usize]) {
                if row.len() > MOST {
                    return None;
                }
                for to in *row {
                    if ways.iter().any(|way| next(cell, *way) == to.0) {
                        continue;
                    }
                    let all = 0..board.directions() as u8;
                    ways.push({ all }.find(|way| next(cell, *way) == to.0)?);
                    if ways.len() > MOST {
                        return None;
                    }
                }
            }
        }
        ways.sort_unstable();
        // Two directions may lead to the same cell.
        let apart = |cell: u16| {
            let there: Vec<u16> = ways.iter().map(|way| next(cell, *way)).collect();
            let other = |(at, to): (usize, &u16)| *to == NO_STEP || !there[..at].contains(to);
            there.iter().enumerate().all(other)
        };
        (0..board.len() as u16).all(apart).then_some(ways)
    }

    /// Tables of sets of which a cell's set is part, each for some cells.
    fn rows(&self, of: &Over<'_>, set: S) -> Option<Vec<RowsId>> {
        let (stmt, _) = of.step.made(Value::Set(set))?;
        let Stmt::LetSet(_, set) = stmt else {
            return None;
        };
        match set {
            Set::Row(rows, cell) if *cell == of.cell => Some(vec![*rows]),
            Set::Copy(a) | Set::Without(a, _) => self.rows(of, *a),
            Set::And(a, b) => self.rows(of, *a).or_else(|| self.rows(of, *b)),
            Set::Or(a, b) | Set::Select(_, a, b) => {
                let mut rows = self.rows(of, *a)?;
                rows.extend(self.rows(of, *b)?);
                Some(rows)
            }
            _ => None,
        }
    }

    /// The cells of which the next in a direction is in their set.
    fn before(&mut self, of: &Over<'_>, set: S, way: u8, out: &mut Body) -> Option<S> {
        let Some((stmt, _)) = of.step.made(Value::Set(set)) else {
            let shift = self.l.shift_id(way, true)?;
            let to = self.set();
            out.push(Stmt::LetSet(to, Set::Shift(set, shift)));
            return Some(to);
        };
        let Stmt::LetSet(_, how) = stmt else {
            return None;
        };
        let made = match how {
            Set::Row(rows, cell) if *cell == of.cell => {
                let steps = self.l.program.board.steps(Direction(way));
                let table = &self.l.rows[rows.0 as usize];
                let mut from = Cells::EMPTY;
                for ((cell, to), row) in (0_u16..).zip(steps).zip(table) {
                    if *to != NO_STEP && row.contains(Cell(*to)) {
                        from.insert(Cell(cell));
                    }
                }
                return Some(self.fixed(from, out));
            }
            Set::Copy(a) => return self.before(of, *a, way, out),
            Set::And(a, b) => Set::And(
                self.before(of, *a, way, out)?,
                self.before(of, *b, way, out)?,
            ),
            Set::Or(a, b) => Set::Or(
                self.before(of, *a, way, out)?,
                self.before(of, *b, way, out)?,
            ),
            Set::Without(a, b) => Set::Without(
                self.before(of, *a, way, out)?,
                self.before(of, *b, way, out)?,
            ),
            Set::Select(word, a, b) => {
                let a = self.before(of, *a, way, out)?;
                let b = self.before(of, *b, way, out)?;
                if of.step.made(Value::Word(*word)).is_none() {
                    Set::Select(*word, a, b)
                } else {
                    let those = match self.among(of, *word) {
                        Some(those) => those,
                        None => self.gathered(of, *word, &[], out)?,
                    };
                    let [yes, no] = [self.set(), self.set()];
                    out.push(Stmt::LetSet(yes, Set::And(a, those)));
                    out.push(Stmt::LetSet(no, Set::Without(b, those)));
                    Set::Or(yes, no)
                }
            }
            _ => return None,
        };
        let to = self.set();
        out.push(Stmt::LetSet(to, made));
        Some(to)
    }
}

/// The names of what was copied.
#[derive(Default)]
struct Copied {
    words: FxHashMap<W, W>,
    sets: FxHashMap<S, S>,
}

impl Renumber for Copied {
    fn word(&mut self, w: W) -> W {
        *self.words.get(&w).unwrap_or(&w)
    }

    fn set(&mut self, s: S) -> S {
        *self.sets.get(&s).unwrap_or(&s)
    }
}
