//! One function of two that differ only in the player: places and constants are computed from whose it is, and what a statement
//! reads is chosen by it.

use crate::compile::kernel::alike::same_heads;
use crate::compile::kernel::sides::Side;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, Place, Renumber, RowsId, S, Set, SetId, Stmt, TableId,
    Value, W, Word, each_statement,
};

use std::mem::discriminant;

/// Of so many statements one may be there twice.
const SHARE: usize = 6;

/// Makes one function of two.
pub struct Joiner<'k> {
    kernel: &'k mut Kernel,
    pairs: &'k [Option<Side>],
    /// 1 for the second player, else 0; and the other way round.
    sides: [W; 2],
    words: u32,
    sets: u32,
    /// What is computed at the beginning: a number for one player and 0 for the other.
    given: Vec<((u64, bool), W)>,
    /// Whether bodies need not have the same number of statements.
    aligns: bool,
    /// How many statements there are, and how many of them twice.
    all: usize,
    twice: usize,
}

impl<'k> Joiner<'k> {
    pub fn new(
        kernel: &'k mut Kernel,
        pairs: &'k [Option<Side>],
        first: &Function,
        second: &Function,
    ) -> Joiner<'k> {
        let words = first.words.max(second.words);
        Joiner {
            kernel,
            pairs,
            sides: [W(words), W(words + 1)],
            words: words + 2,
            sets: first.sets.max(second.sets),
            given: Vec::new(),
            aligns: false,
            all: 0,
            twice: 0,
        }
    }

    /// One function for both; nothing when they differ in too much, or have fewer statements than that.
    pub fn function(
        mut self,
        first: &Function,
        second: &Function,
        least: usize,
    ) -> Option<Function> {
        let mut size = 0;
        each_statement(&first.body, &mut |_| size += 1);
        if size < least || first.params != second.params {
            return None;
        }
        let body = self.whole(&first.body, &second.body)?;
        let mut params = first.params.clone();
        params.push(Value::Word(self.sides[0]));
        Some(Function {
            name: first.name.clone(),
            params,
            words: self.words,
            sets: self.sets,
            body,
        })
    }

    /// Puts one in place of the two bodies of a switch by the player in a function, which have the same numbers where they do the same.
    /// Nothing when they differ in too much.
    pub fn switch(
        mut self,
        function: &mut Function,
        by: W,
        [first, second]: [&Body; 2],
    ) -> Option<Body> {
        self.aligns = true;
        let body = self.whole(first, second)?;
        function.words = self.words;
        function.sets = self.sets;
        let mut all = vec![Stmt::Let(self.sides[0], Word::Copy(by))];
        all.extend(body);
        Some(all)
    }

    /// One body for both, told in a word whose it is.
    fn whole(&mut self, first: &[Stmt], second: &[Stmt]) -> Option<Body> {
        let body = self.body(first, second);
        if self.twice * SHARE > self.all {
            return None;
        }
        let [side, other] = self.sides;
        let one = self.word();
        let mut all = vec![
            Stmt::Let(one, Word::Const(1)),
            Stmt::Let(other, Word::Bin(Bin::Sub, one, side)),
        ];
        for ((number, second), w) in std::mem::take(&mut self.given) {
            let fixed = self.word();
            let side = if second { side } else { other };
            all.push(Stmt::Let(fixed, Word::Const(number)));
            all.push(Stmt::Let(w, Word::Bin(Bin::Mul, side, fixed)));
        }
        all.extend(body);
        Some(all)
    }

    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    /// A word that is so much for one player, and 0 for the other.
    fn given(&mut self, number: u64, second: bool) -> W {
        let key = (number, second);
        if let Some((_, w)) = self.given.iter().find(|(known, _)| *known == key) {
            return *w;
        }
        let w = self.word();
        self.given.push((key, w));
        w
    }

    fn body(&mut self, first: &[Stmt], second: &[Stmt]) -> Body {
        let mut out = Vec::with_capacity(first.len());
        let (before, behind) = match self.aligns {
            true => aligned(first, second),
            false if first.len() == second.len() => (first.len(), 0),
            false => (0, 0),
        };
        let (starts, first) = first.split_at(before);
        let (others, second) = second.split_at(before);
        let (first, ends) = first.split_at(first.len() - behind);
        let (second, of_second) = second.split_at(second.len() - behind);
        for (a, b) in starts.iter().zip(others) {
            self.statement(a, b, &mut out);
        }
        if !first.is_empty() || !second.is_empty() {
            self.both(first, second, &mut out);
        }
        for (a, b) in ends.iter().zip(of_second) {
            self.statement(a, b, &mut out);
        }
        out
    }

    /// Each player's own.
    fn both(&mut self, first: &[Stmt], second: &[Stmt], out: &mut Body) {
        let mut many = 0;
        for body in [first, second] {
            each_statement(body, &mut |_| many += 1);
        }
        self.all += many;
        self.twice += many;
        out.push(Stmt::If(self.sides[0], second.to_vec(), first.to_vec()));
    }

    fn statement(&mut self, a: &Stmt, b: &Stmt, out: &mut Body) {
        self.all += 1;
        let before = out.len();
        if self.joined(a, b, out).is_some() {
            return;
        }
        out.truncate(before);
        if self.chosen(a, b, out).is_none() {
            out.truncate(before);
            self.both(std::slice::from_ref(a), std::slice::from_ref(b), out);
        }
    }

    /// A statement without others inside that reads what is one player's or the other's.
    fn chosen(&mut self, a: &Stmt, b: &Stmt, out: &mut Body) -> Option<()> {
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        a.each_read(&mut |what| mine.push(what));
        b.each_read(&mut |what| others.push(what));
        let same = mine.len() == others.len() && a.bodies().is_empty() && b.bodies().is_empty();
        same.then_some(())?;
        let all: Option<Vec<Value>> = (mine.iter().zip(&others))
            .map(|(first, second)| self.choice(*first, *second, out))
            .collect();
        let all = all?;
        let with = |stmt: &Stmt| {
            let mut stmt = stmt.clone();
            stmt.renumber_reads(&mut Chosen(all.iter()));
            stmt
        };
        let (first, second) = (with(a), with(b));
        self.joined(&first, &second, out)
    }

    /// What is one value for the first player and another for the second.
    fn choice(&mut self, first: Value, second: Value, out: &mut Body) -> Option<Value> {
        let side = self.sides[0];
        match (first, second) {
            _ if first == second => Some(first),
            (Value::Word(a), Value::Word(b)) => {
                let w = self.word();
                out.push(Stmt::Let(w, Word::Select(side, b, a)));
                Some(Value::Word(w))
            }
            (Value::Set(a), Value::Set(b)) => {
                let s = S(self.sets);
                self.sets += 1;
                out.push(Stmt::LetSet(s, Set::Select(side, b, a)));
                Some(Value::Set(s))
            }
            _ => None,
        }
    }

    fn joined(&mut self, a: &Stmt, b: &Stmt, out: &mut Body) -> Option<()> {
        match (a, b) {
            (Stmt::Call(f, x, r), Stmt::Call(g, y, s)) => {
                let same = (x, r) == (y, s) && (f == g || self.are_pair(*f, *g));
                same.then_some(())?;
                out.push(if f == g {
                    a.clone()
                } else {
                    self.call_of(*f, x, *r)
                });
                return Some(());
            }
            (Stmt::Let(v, x), Stmt::Let(w, y)) if v == w => {
                let word = self.of_word(x, y, out)?;
                out.push(Stmt::Let(*v, word));
                return Some(());
            }
            (Stmt::LetSet(s, x), Stmt::LetSet(t, y)) if s == t => {
                let set = self.of_set(x, y, out)?;
                out.push(Stmt::LetSet(*s, set));
                return Some(());
            }
            _ => {}
        }
        let (inner, of_second) = (a.bodies(), b.bodies());
        if inner.is_empty() {
            let (mut joined, mut second) = (a.clone(), b.clone());
            let mine = places(|to| joined.renumber_reads(to));
            let others = places(|to| second.renumber_reads(to));
            second.renumber_reads(&mut Exchange(mine.clone().into_iter()));
            let same = *a == second;
            let places = self.places(&mine, &others, out).filter(|_| same)?;
            joined.renumber_reads(&mut Exchange(places.into_iter()));
            out.push(joined);
            return Some(());
        }
        (same_heads(a, b) && inner.clone().count() == of_second.clone().count()).then_some(())?;
        let bodies: Vec<Body> = (inner.into_iter().zip(of_second))
            .map(|(x, y)| self.body(x, y))
            .collect();
        let mut stmt = a.head();
        for (to, body) in stmt.bodies_mut().zip(bodies) {
            *to = body;
        }
        out.push(stmt);
        Some(())
    }

    fn are_pair(&self, f: FuncId, g: FuncId) -> bool {
        self.pairs[f.0 as usize].is_some_and(|side| side.other == g)
    }
}

impl Joiner<'_> {
    /// Calls what both players have, told whose it is; of those that are not joined the right one is called in the end.
    fn call_of(&self, f: FuncId, args: &[Value], result: Option<W>) -> Stmt {
        let second = self.pairs[f.0 as usize].is_some_and(|side| side.second);
        let first = match self.pairs[f.0 as usize] {
            Some(side) if second => side.other,
            _ => f,
        };
        let mut args = args.to_vec();
        args.push(Value::Word(self.sides[usize::from(second)]));
        Stmt::Call(first, args, result)
    }

    fn of_word(&mut self, a: &Word, b: &Word, out: &mut Body) -> Option<Word> {
        match (a, b) {
            (Word::Bin(op, x, y), Word::Bin(other, z, w))
                if op == other && op.commutes() && (x, y) == (w, z) =>
            {
                Some(a.clone())
            }
            (Word::Meet(x, y), Word::Meet(z, w)) | (Word::Same(x, y), Word::Same(z, w))
                if (x, y) == (w, z) =>
            {
                Some(a.clone())
            }
            (Word::Const(k), Word::Const(l)) if k != l => {
                let (more, second) = (l.wrapping_sub(*k), true);
                let more = self.given(more, second);
                if *k == 0 {
                    return Some(Word::Copy(more));
                }
                let fixed = self.word();
                out.push(Stmt::Let(fixed, Word::Const(*k)));
                Some(Word::Bin(Bin::Add, fixed, more))
            }
            (Word::Table(t, i), Word::Table(u, j)) if t != u && i == j => {
                let tables = &mut self.kernel.tables;
                let (first, second) = (&tables[t.0 as usize], &tables[u.0 as usize]);
                let table = [first.as_slice(), second.as_slice()].concat();
                let length = first.len() as u64;
                let id = TableId(known(tables, table));
                let further = self.given(length, true);
                let at = self.word();
                out.push(Stmt::Let(at, Word::Bin(Bin::Add, *i, further)));
                Some(Word::Table(id, at))
            }
            _ => self.of_places(a, b, out),
        }
    }

    fn of_set(&mut self, a: &Set, b: &Set, out: &mut Body) -> Option<Set> {
        match (a, b) {
            (Set::Or(x, y), Set::Or(z, w))
            | (Set::And(x, y), Set::And(z, w))
            | (Set::Xor(x, y), Set::Xor(z, w))
                if (x, y) == (w, z) =>
            {
                Some(a.clone())
            }
            (Set::Const(k), Set::Const(l)) if k != l => {
                let of = |id: &SetId| self.kernel.sets[id.0 as usize];
                let row = vec![of(k), of(l)];
                let id = RowsId(known(&mut self.kernel.rows, row));
                Some(Set::Row(id, self.sides[0]))
            }
            (Set::Row(t, i), Set::Row(u, j)) if t != u && i == j => {
                let rows = &mut self.kernel.rows;
                let (first, second) = (&rows[t.0 as usize], &rows[u.0 as usize]);
                let row = [first.as_slice(), second.as_slice()].concat();
                let length = first.len() as u64;
                let id = RowsId(known(rows, row));
                let further = self.given(length, true);
                let at = self.word();
                out.push(Stmt::Let(at, Word::Bin(Bin::Add, *i, further)));
                Some(Set::Row(id, at))
            }
            _ => self.of_places(a, b, out),
        }
    }

    /// What differs in places at most.
    fn of_places<T: Reads>(&mut self, a: &T, b: &T, out: &mut Body) -> Option<T> {
        let mine = places(|to| drop(a.with(to)));
        let others = places(|to| drop(b.with(to)));
        let same = b.with(&mut Exchange(mine.clone().into_iter())) == *a;
        let joined = self.places(&mine, &others, out).filter(|_| same)?;
        Some(a.with(&mut Exchange(joined.into_iter())))
    }

    /// The places that are one player's or the other's.
    fn places(&mut self, first: &[Place], second: &[Place], out: &mut Body) -> Option<Vec<Place>> {
        let pairs = first.iter().zip(second);
        let all = pairs.map(|(a, b)| (a.index == b.index).then(|| self.place(*a, *b, out)));
        (first.len() == second.len()).then_some(())?;
        all.collect()
    }

    fn place(&mut self, first: Place, second: Place, out: &mut Body) -> Place {
        if first.base == second.base {
            return first;
        }
        let base = first.base.min(second.base);
        let distance = u64::from(first.base.abs_diff(second.base));
        let further = self.given(distance, second.base > first.base);
        let index = match first.index {
            None => further,
            Some((index, stride)) => {
                let (times, at, all) = (self.word(), self.word(), self.word());
                out.push(Stmt::Let(times, Word::Const(u64::from(stride))));
                out.push(Stmt::Let(at, Word::Bin(Bin::Mul, index, times)));
                out.push(Stmt::Let(all, Word::Bin(Bin::Add, at, further)));
                all
            }
        };
        Place {
            base,
            index: Some((index, 1)),
        }
    }
}

/// How many statements at the beginning and how many at the end of two bodies may do the same.
pub fn aligned(first: &[Stmt], second: &[Stmt]) -> (usize, usize) {
    let alike = |(a, b): &(&Stmt, &Stmt)| discriminant(*a) == discriminant(*b);
    let before = first.iter().zip(second).take_while(alike).count();
    let ends = first[before..]
        .iter()
        .rev()
        .zip(second[before..].iter().rev());
    (before, ends.take_while(alike).count())
}

/// The number of a table, which is put behind the others when it is new.
fn known<T: PartialEq>(tables: &mut Vec<T>, table: T) -> u32 {
    let at = tables.iter().position(|t| *t == table);
    let at = at.unwrap_or_else(|| {
        tables.push(table);
        tables.len() - 1
    });
    at as u32
}

/// What reads words, sets and places.
trait Reads: PartialEq + Sized {
    /// The same of others.
    fn with(&self, to: &mut impl Renumber) -> Self;
}

impl Reads for Word {
    fn with(&self, to: &mut impl Renumber) -> Word {
        self.renumbered(to)
    }
}

impl Reads for Set {
    fn with(&self, to: &mut impl Renumber) -> Set {
        self.renumbered(to)
    }
}

/// Looks at places.
struct Look(Vec<Place>);

impl Renumber for Look {
    fn word(&mut self, w: W) -> W {
        w
    }

    fn set(&mut self, s: S) -> S {
        s
    }

    fn place(&mut self, place: Place) -> Place {
        self.0.push(place);
        place
    }
}

/// The places that something reads.
fn places(read: impl FnOnce(&mut Look)) -> Vec<Place> {
    let mut look = Look(Vec::new());
    read(&mut look);
    look.0
}

/// Exchanges what is read for other words and sets, one after the other.
struct Chosen<'c>(std::slice::Iter<'c, Value>);

impl Renumber for Chosen<'_> {
    fn word(&mut self, w: W) -> W {
        match self.0.next() {
            Some(Value::Word(chosen)) => *chosen,
            _ => w,
        }
    }

    fn set(&mut self, s: S) -> S {
        match self.0.next() {
            Some(Value::Set(chosen)) => *chosen,
            _ => s,
        }
    }
}

/// Exchanges places for others.
struct Exchange(std::vec::IntoIter<Place>);

impl Renumber for Exchange {
    fn word(&mut self, w: W) -> W {
        w
    }

    fn set(&mut self, s: S) -> S {
        s
    }

    fn place(&mut self, place: Place) -> Place {
        self.0.next().unwrap_or(place)
    }
}
