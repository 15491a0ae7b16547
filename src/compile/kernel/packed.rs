//! Small sets that follow from a few words are looked up: a function in, the same function out, where such a set is an entry of a table, its
//! cells and how many they are packed in a word. Before: sets of which is asked how many cells they have, or which cell is at a place.
//! After: they are not found out any more. Conditions: a set is given once, follows from words that are each below a bound, that
//! together have few values, and has few cells with low numbers.

use crate::board::{Cell, Cells};
use crate::compile::kernel::fun::fold;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, S, Set, Stmt, TableId, Value, W, Word, byte_of,
    each_statement,
};
use rustc_hash::FxHashMap;

/// More values of the words than this are not gone through.
const MOST: u64 = 1 << 12;

/// So many cells of eight bits fit into a word beside their number.
const CELLS: usize = 7;

/// A set follows from no more words and sets between it and memory.
const STEPS: usize = 64;

/// Looks up what can be of a function.
pub fn look_up(kernel: &mut Kernel, id: FuncId) {
    let mut function = std::mem::take(&mut kernel.functions[id.0 as usize]);
    let given = Given::of(&function);
    let mut tables = FxHashMap::default();
    for set in given.asked(&function) {
        let found = Steps::to(set, &given, kernel).and_then(|steps| steps.packed(kernel));
        if let Some(Packed { table, words }) = found {
            let known = kernel.tables.iter().position(|other| *other == table);
            let place = known.unwrap_or_else(|| {
                kernel.tables.push(table);
                kernel.tables.len() - 1
            });
            let table = TableId(place as u32);
            tables.insert(set, Packed { table, words });
        }
    }
    if !tables.is_empty() {
        let mut writer = Writer {
            words: function.words,
            packed: FxHashMap::default(),
            tables,
        };
        function.body = writer.body(std::mem::take(&mut function.body));
        function.words = writer.words;
        tidy::drop_unread(&mut function);
    }
    kernel.functions[id.0 as usize] = function;
}

/// A table for a set, and by how much its index grows with each of the words that the set follows from.
struct Packed<T> {
    table: T,
    words: Vec<(W, u64)>,
}

/// How words and sets are given that are given once.
struct Given {
    words: Vec<Option<Word>>,
    sets: Vec<Option<Set>>,
}

impl Given {
    fn of(function: &Function) -> Given {
        let (mut words, mut sets) = (
            vec![None; function.words as usize],
            vec![None; function.sets as usize],
        );
        let mut times = FxHashMap::default();
        let params = function.params.iter().copied();
        params.for_each(|param| *times.entry(param).or_insert(0) += 1);
        each_statement(&function.body, &mut |stmt| {
            if let Some(what) = stmt.gives() {
                *times.entry(what).or_insert(0) += 1;
            }
            match stmt {
                Stmt::Let(w, word) => words[w.0 as usize] = Some(word.clone()),
                Stmt::LetSet(s, set) => sets[s.0 as usize] = Some(set.clone()),
                _ => {}
            }
        });
        for what in times
            .iter()
            .filter(|(_, times)| **times > 1)
            .map(|(what, _)| what)
        {
            match what {
                Value::Word(w) => words[w.0 as usize] = None,
                Value::Set(s) => sets[s.0 as usize] = None,
            }
        }
        Given { words, sets }
    }

    /// The sets of which nothing is asked but how many cells they have, and which cell is at a place, and that at least once.
    fn asked(&self, function: &Function) -> Vec<S> {
        let mut asked = vec![(false, false); function.sets as usize];
        each_statement(&function.body, &mut |stmt| match stmt {
            Stmt::Let(_, Word::Count(_)) => {}
            Stmt::Let(_, Word::Nth(s, _)) => asked[s.0 as usize].0 = true,
            other => other.each_read(&mut |read| {
                if let Value::Set(s) = read {
                    asked[s.0 as usize].1 = true;
                }
            }),
        });
        let only =
            |s: &S| asked[s.0 as usize] == (true, false) && self.sets[s.0 as usize].is_some();
        (0..function.sets).map(S).filter(only).collect()
    }
}

/// What is found out for a set, each from what stands before it or from a word that it follows from.
struct Steps<'g> {
    given: &'g Given,
    set: S,
    /// In order.
    all: Vec<Value>,
    /// The words that it follows from, and below which number each is.
    words: Vec<(W, u64)>,
}

impl<'g> Steps<'g> {
    fn to(set: S, given: &'g Given, kernel: &Kernel) -> Option<Steps<'g>> {
        let mut steps = Steps {
            given,
            set,
            all: Vec::new(),
            words: Vec::new(),
        };
        steps.follow(Value::Set(set))?;
        let bounds: Option<Vec<(W, u64)>> = (steps.words.iter())
            .map(|(w, _)| Some((*w, steps.bound(*w, kernel)?)))
            .collect();
        steps.words = bounds?;
        let many =
            (steps.words.iter()).try_fold(1u64, |many, (_, below)| many.checked_mul(*below))?;
        (!steps.words.is_empty() && many <= MOST).then_some(steps)
    }

    /// Notes how something is found out.
    fn follow(&mut self, what: Value) -> Option<()> {
        if self.all.contains(&what) || self.words.iter().any(|(w, _)| what == Value::Word(*w)) {
            return Some(());
        }
        if self.all.len() + self.words.len() > STEPS {
            return None;
        }
        let mut reads = Vec::new();
        let follows = match what {
            Value::Word(w) => match &self.given.words[w.0 as usize] {
                Some(word) if word_follows(word) => {
                    Stmt::Let(w, word.clone()).each_read(&mut |read| reads.push(read));
                    true
                }
                _ => false,
            },
            Value::Set(s) => {
                let set = self.given.sets[s.0 as usize]
                    .as_ref()
                    .filter(|set| set_follows(set))?;
                Stmt::LetSet(s, set.clone()).each_read(&mut |read| reads.push(read));
                true
            }
        };
        match what {
            Value::Word(w) if !follows => self.words.push((w, 0)),
            _ => {
                for read in reads {
                    self.follow(read)?;
                }
                self.all.push(what);
            }
        }
        Some(())
    }

    fn word(&self, w: W) -> Option<&'g Word> {
        self.given.words[w.0 as usize].as_ref()
    }

    /// The number that a word is below: it is a truth, or an index.
    fn bound(&self, of: W, kernel: &Kernel) -> Option<u64> {
        if self.word(of).is_some_and(is_truth) {
            return Some(2);
        }
        let mut least: Option<u64> = None;
        let mut index = |w: W, length: usize| {
            if let Some(bound) = self.bound_of_index(of, w, length as u64) {
                least = Some(least.map_or(bound, |least| least.min(bound)));
            }
        };
        for what in &self.all {
            match what {
                Value::Word(w) => match self.word(*w) {
                    Some(Word::Table(table, w)) => index(*w, kernel.tables[table.0 as usize].len()),
                    Some(Word::Byte(table, w)) => {
                        index(*w, kernel.tables[table.0 as usize].len() * 8)
                    }
                    _ => {}
                },
                Value::Set(s) => match &self.given.sets[s.0 as usize] {
                    Some(Set::Row(rows, w)) => index(*w, kernel.rows[rows.0 as usize].len()),
                    Some(Set::Single(w) | Set::Less(_, w) | Set::With(_, w)) => {
                        index(*w, kernel.cells)
                    }
                    _ => {}
                },
            }
        }
        least
    }

    /// The number that a word is below, since another, which comes of it, is below a length.
    fn bound_of_index(&self, of: W, index: W, length: u64) -> Option<u64> {
        if index == of {
            return Some(length);
        }
        let known = |w: W| match self.word(w) {
            Some(Word::Const(k)) => Some(*k),
            _ => None,
        };
        match *self.word(index)? {
            Word::Bin(Bin::Sub, from, less) if from == of => length.checked_add(known(less)?),
            Word::Select(test, some, none) if test == of && known(none).is_some() => self
                .bound_of_index(of, some, length)
                .map(|bound| bound.max(1)),
            _ => None,
        }
    }

    /// The entries for all values of the words.
    fn packed(&self, kernel: &Kernel) -> Option<Packed<Vec<u64>>> {
        let many: u64 = self.words.iter().map(|(_, below)| below).product();
        let mut entries = Vec::new();
        for number in 0..many {
            let (mut words, mut sets) = (FxHashMap::default(), FxHashMap::default());
            let mut rest = number;
            for (w, below) in &self.words {
                words.insert(*w, rest % below);
                rest /= below;
            }
            // Where an index is out of range, the words are never so.
            let found = self.all.iter().try_for_each(|what| {
                match what {
                    Value::Word(w) => _ = words.insert(*w, word(self.word(*w)?, &words, kernel)?),
                    Value::Set(s) => {
                        let of = self.given.sets[s.0 as usize].as_ref()?;
                        sets.insert(*s, set(of, (&words, &sets), kernel)?);
                    }
                }
                Some(())
            });
            entries.push(match found {
                Some(()) => pack(sets.get(&self.set)?)?,
                None => 0,
            });
        }
        let mut stride = 1;
        let strides = self.words.iter().map(|(w, below)| {
            let own = stride;
            stride *= below;
            (*w, own)
        });
        Some(Packed {
            table: entries,
            words: strides.collect(),
        })
    }
}

/// How many cells there are in the highest byte, and the cells from the lowest on.
fn pack(cells: &Cells) -> Option<u64> {
    let numbers: Vec<u64> = cells.iter().map(|c| u64::from(c.0)).collect();
    let fits = numbers.len() <= CELLS && numbers.iter().all(|c| *c < 256);
    let places = numbers.iter().zip(0..);
    let all = places.fold((numbers.len() as u64) << 56, |all, (c, at)| {
        all | c << (8 * at)
    });
    fits.then_some(all)
}

fn word_follows(word: &Word) -> bool {
    matches!(
        word,
        Word::Const(_)
            | Word::Copy(_)
            | Word::Bin(..)
            | Word::Select(..)
            | Word::Table(..)
            | Word::Byte(..)
    ) && !is_truth(word)
}

fn is_truth(word: &Word) -> bool {
    matches!(
        word,
        Word::Bin(Bin::Equal | Bin::Differ | Bin::Less | Bin::AtMost, ..)
            | Word::Some(_)
            | Word::Has(..)
            | Word::Within(..)
            | Word::Meet(..)
            | Word::Same(..)
    )
}

fn set_follows(set: &Set) -> bool {
    matches!(
        set,
        Set::Const(_)
            | Set::Copy(_)
            | Set::And(..)
            | Set::Or(..)
            | Set::Without(..)
            | Set::Xor(..)
            | Set::Single(_)
            | Set::With(..)
            | Set::Less(..)
            | Set::Row(..)
            | Set::Select(..)
    )
}

fn word(of: &Word, words: &FxHashMap<W, u64>, kernel: &Kernel) -> Option<u64> {
    let get = |w: &W| words.get(w).copied();
    Some(match of {
        Word::Const(k) => *k,
        Word::Copy(w) => get(w)?,
        Word::Bin(bin, a, b) => fold(*bin, get(a)?, get(b)?),
        Word::Select(test, a, b) => get(if get(test)? == 0 { b } else { a })?,
        Word::Table(table, w) => {
            let at = usize::try_from(get(w)?).ok()?;
            *kernel.tables[table.0 as usize].get(at)?
        }
        Word::Byte(table, w) => byte_of(&kernel.tables[table.0 as usize], get(w)?)?,
        _ => return None,
    })
}

fn set(
    of: &Set,
    (words, sets): (&FxHashMap<W, u64>, &FxHashMap<S, Cells>),
    kernel: &Kernel,
) -> Option<Cells> {
    let get = |s: &S| sets.get(s).copied();
    let cell = |w: &W| {
        let at = words
            .get(w)
            .copied()
            .filter(|at| *at < kernel.cells as u64)?;
        Some(Cells::single(Cell(at as u16)))
    };
    Some(match of {
        Set::Const(id) => kernel.sets[id.0 as usize],
        Set::Copy(s) => get(s)?,
        Set::And(a, b) => get(a)? & get(b)?,
        Set::Or(a, b) => get(a)? | get(b)?,
        Set::Without(a, b) => get(a)?.without(get(b)?),
        Set::Xor(a, b) => get(a)? ^ get(b)?,
        Set::Single(w) => cell(w)?,
        Set::With(s, w) => get(s)? | cell(w)?,
        Set::Less(s, w) => get(s)?.without(cell(w)?),
        Set::Row(rows, w) => {
            let at = usize::try_from(*words.get(w)?).ok()?;
            *kernel.rows[rows.0 as usize].get(at)?
        }
        Set::Select(test, a, b) => get(if *words.get(test)? == 0 { b } else { a })?,
        _ => return None,
    })
}

/// Writes the function with what is looked up.
struct Writer {
    words: u32,
    /// The word that a set is packed in.
    packed: FxHashMap<S, W>,
    tables: FxHashMap<S, Packed<TableId>>,
}

impl Writer {
    fn make(&mut self, word: Word, out: &mut Body) -> W {
        let w = W(self.words);
        self.words += 1;
        out.push(Stmt::Let(w, word));
        w
    }

    fn body(&mut self, body: Body) -> Body {
        let mut out = Body::with_capacity(body.len());
        for mut stmt in body {
            match stmt {
                Stmt::LetSet(s, _) if self.tables.contains_key(&s) => self.entry(s, &mut out),
                Stmt::Let(to, Word::Count(s))
                    if let Some(packed) = self.packed.get(&s).copied() =>
                {
                    let high = self.make(Word::Const(56), &mut out);
                    out.push(Stmt::Let(to, Word::Bin(Bin::Shr, packed, high)));
                    continue;
                }
                Stmt::Let(to, Word::Nth(s, nth))
                    if let Some(packed) = self.packed.get(&s).copied() =>
                {
                    let (size, byte) = (
                        self.make(Word::Const(3), &mut out),
                        self.make(Word::Const(255), &mut out),
                    );
                    let at = self.make(Word::Bin(Bin::Shl, nth, size), &mut out);
                    let rest = self.make(Word::Bin(Bin::Shr, packed, at), &mut out);
                    out.push(Stmt::Let(to, Word::Bin(Bin::And, rest, byte)));
                    continue;
                }
                _ => {}
            }
            for inner in stmt.bodies_mut() {
                *inner = self.body(std::mem::take(inner));
            }
            out.push(stmt);
        }
        out
    }

    /// Looks a set up.
    fn entry(&mut self, s: S, out: &mut Body) {
        let Some(Packed { table, words }) = self.tables.get(&s) else {
            return;
        };
        let (table, words) = (*table, words.clone());
        let mut index = None;
        for (w, stride) in words {
            let own = match stride {
                1 => w,
                _ => {
                    let stride = self.make(Word::Const(stride), out);
                    self.make(Word::Bin(Bin::Mul, w, stride), out)
                }
            };
            index = Some(match index {
                None => own,
                Some(sum) => self.make(Word::Bin(Bin::Add, sum, own), out),
            });
        }
        if let Some(index) = index {
            let packed = self.make(Word::Table(table, index), out);
            self.packed.insert(s, packed);
        }
    }
}
