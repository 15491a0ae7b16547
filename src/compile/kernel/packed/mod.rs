//! Small sets that follow from a few words are looked up: a function in, the same function out, where such a set is an entry of a table, its
//! cells and how many they are packed in a word. Before: sets of which is asked how many cells they have, or which cell is at a place.
//! After: they are not found out any more. Conditions: a set is given once, follows from words that are each below a bound, that
//! together have few values, and has few cells with low numbers.

mod steps;

use crate::compile::kernel::fresh::times_given;
use crate::compile::kernel::packed::steps::Steps;
use crate::compile::kernel::tidy;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, S, Set, Stmt, TableId, Value, W, Word, each_statement,
};
use rustc_hash::FxHashMap;

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
        each_statement(&function.body, &mut |stmt| match stmt {
            Stmt::Let(w, word) => words[w.0 as usize] = Some(word.clone()),
            Stmt::LetSet(s, set) => sets[s.0 as usize] = Some(set.clone()),
            _ => {}
        });
        let times = times_given(function);
        for (what, _) in times.iter().filter(|(_, times)| **times > 1) {
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
