//! Functions drawn at random: what cranelift makes of them with care, and what the baseline makes of them, does what the portable
//! engine does. They have more words at the same time than a machine has registers, loops in loops, and calls with many words.

use super::expressions::BINS;
use super::{FREE, OUT, cells, empty, function, place, random, store};
use crate::engine::executor::{Executor, Frame};
use crate::engine::native::Native;
use crate::engine::native::module::Options;
use crate::engine::portable::portable;
use crate::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, Label, S, Set, SetId, Stmt, Value, W, Word,
};
use std::sync::Arc;

/// Words and sets of a function that statements read and write.
const WORDS: u32 = 22;
const SETS: u32 = 6;

/// What is drawn from.
struct Draw {
    seed: u64,
    width: usize,
    /// The next label and the next word that nothing else writes.
    labels: u32,
    words: u32,
    /// Whether functions are called.
    calls: bool,
}

impl Draw {
    fn below(&mut self, many: u32) -> u32 {
        self.seed = random(self.seed);
        (self.seed % u64::from(many)) as u32
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }

    fn w(&mut self) -> W {
        W(self.below(WORDS))
    }

    fn s(&mut self) -> S {
        S(self.below(SETS))
    }

    /// A word that nothing else writes.
    fn own(&mut self) -> W {
        self.words += 1;
        W(WORDS + self.words - 1)
    }

    fn number(&mut self) -> u64 {
        let any = random(self.seed);
        self.of(&[0, 1, 2, 5, 63, 64, u64::MAX, 1 << 63, 1 << 31, 1 << 40, any])
    }

    fn word(&mut self) -> Word {
        let (a, b, c) = (self.w(), self.w(), self.w());
        let (s, t) = (self.s(), self.s());
        match self.below(12) {
            0 => Word::Const(self.number()),
            1 => Word::Select(a, b, c),
            2 => Word::Load(place(FREE + self.below(8))),
            3 => Word::Count(s),
            4 => self.of(&[Word::Some(s), Word::Leading(a), Word::Mix(a)]),
            5 => self.of(&[Word::Within(s, t), Word::Meet(s, t), Word::Same(s, t)]),
            _ => Word::Bin(self.of(&BINS[2..]), a, b),
        }
    }

    fn set(&mut self) -> Set {
        let (s, t, w) = (self.s(), self.s(), self.w());
        let const_set = Set::Const(SetId(self.below(3)));
        let all = [
            Set::And(s, t),
            Set::Or(s, t),
            Set::Xor(s, t),
            Set::Without(s, t),
            Set::UpTo(s, t),
            Set::DownTo(s, t),
            Set::Select(w, s, t),
            const_set,
        ];
        self.of(&all)
    }

    /// A cell or a distance, behind the statements that make it from any word.
    fn small(&mut self, body: &mut Body, below: u64) -> W {
        let (most, small) = (self.own(), self.own());
        body.push(Stmt::Let(most, Word::Const(below)));
        body.push(Stmt::Let(small, Word::Bin(Bin::Remainder, self.w(), most)));
        small
    }

    fn body(&mut self, depth: u32) -> Body {
        let mut body = Body::new();
        for _ in 0..1 + self.below(8) {
            self.stmt(depth, &mut body);
        }
        body
    }

    fn stmt(&mut self, depth: u32, body: &mut Body) {
        let kinds = if depth == 0 { 6 } else { 13 };
        let (to, set) = (self.w(), self.s());
        let stmt = match self.below(kinds) {
            0 => Stmt::LetSet(set, self.set()),
            1 => Stmt::Store(place(OUT + self.below(20)), to),
            2 => {
                let by = self.small(body, 64);
                let bin = self.of(&BINS[..2]);
                Stmt::Let(to, Word::Bin(bin, self.w(), by))
            }
            3 => {
                let cell = self.small(body, cells(self.width) as u64);
                let from = self.s();
                match self.below(4) {
                    0 => Stmt::LetSet(set, Set::Single(cell)),
                    1 => Stmt::LetSet(set, Set::With(from, cell)),
                    2 => Stmt::LetSet(set, Set::Less(from, cell)),
                    _ => Stmt::Let(to, Word::Has(from, cell)),
                }
            }
            4 | 5 => Stmt::Let(to, self.word()),
            6 => Stmt::If(to, self.body(depth - 1), self.body(depth - 1)),
            7 => {
                let way = self.small(body, 6);
                let ways = (0..self.below(6)).map(|_| self.body(depth - 1));
                let ways = ways.collect();
                Stmt::Switch(way, ways)
            }
            8 => Stmt::ForCells(self.own(), set, self.body(depth - 1)),
            9 => Stmt::ForBits(self.own(), to, self.body(depth - 1)),
            10 => {
                let (from, until) = (self.small(body, 4), self.small(body, 6));
                Stmt::ForNumbers(self.own(), from, until, self.body(depth - 1))
            }
            11 => {
                self.labels += 1;
                let label = Label(self.labels);
                let mut inside = self.body(depth - 1);
                inside.push(Stmt::If(self.w(), vec![Stmt::Leave(label)], vec![]));
                inside.extend(self.body(depth - 1));
                Stmt::Block(label, inside)
            }
            _ if self.calls => {
                let mut given = vec![Value::Set(self.s())];
                given.extend((0..8).map(|_| Value::Word(self.w())));
                Stmt::Call(FuncId(1), given, Some(to))
            }
            _ => Stmt::If(to, vec![Stmt::Return(self.w())], vec![]),
        };
        body.push(stmt);
    }

    /// A function that is given words and sets beside those in memory, and stores what becomes of all.
    fn function(&mut self, params: Vec<Value>, depth: u32) -> Function {
        self.words = 0;
        let given = params.len().saturating_sub(1) as u32;
        let mut body = Body::new();
        for w in 0..WORDS {
            if w >= given {
                body.push(Stmt::Let(W(w), Word::Load(place(FREE + w % 9))));
            }
        }
        for s in 0..SETS {
            if s > 0 || given == 0 {
                body.push(Stmt::LetSet(S(s), Set::Const(SetId(s % 3))));
            }
        }
        body.extend(self.body(depth));
        body.extend((0..WORDS).map(|w| store(w + self.below(3), w)));
        for s in 0..SETS {
            let at = OUT + 40 + s * self.width as u32;
            body.push(Stmt::StoreSet(place(at), S(s)));
        }
        body.push(Stmt::Return(self.w()));
        function(params, WORDS + self.words, SETS, body)
    }
}

fn drawn(seed: u64, width: usize) -> Kernel {
    let mut draw = Draw {
        seed,
        width,
        labels: 0,
        words: 0,
        calls: true,
    };
    let mut kernel = empty(width);
    let first = draw.function(Vec::new(), 3);
    draw.calls = false;
    let words = (0..8).map(|w| Value::Word(W(w)));
    let params = std::iter::once(Value::Set(S(0))).chain(words).collect();
    kernel.functions = vec![first, draw.function(params, 2)];
    kernel
}

/// Runs the first function: its result and the memory.
fn outcome(executor: &dyn Executor, kernel: &Kernel, seed: u64) -> (u64, Vec<u64>) {
    let mut frame = Frame::new(kernel);
    frame.mem[1] = 100_000;
    for at in 0..9 {
        let any = random(seed ^ at);
        frame.mem[FREE as usize + at as usize] = any >> (any % 64);
    }
    (executor.call(FuncId(0), &mut frame), frame.mem)
}

/// So many are drawn; more with `GAMBOL_DRAWN`.
fn many() -> u64 {
    let asked = std::env::var("GAMBOL_DRAWN").ok();
    asked.and_then(|many| many.parse().ok()).unwrap_or(120)
}

#[test]
fn all_that_make_code_agree() {
    for seed in 0..many() {
        let width = [1, 2, 3, 7][seed as usize % 4];
        let kernel = Arc::new(drawn(random(seed), width));
        let plain = portable(Arc::clone(&kernel));
        let expected = outcome(&*plain, &kernel, seed);
        for one_pass in [false, true] {
            for soon in [false, true] {
                let options = Options {
                    one_pass,
                    soon,
                    improved: !one_pass,
                    ..Options::suited(&kernel, seed % 3 == 0)
                };
                let native = Native::new(Arc::clone(&kernel), options, None).unwrap();
                let found = outcome(&native, &kernel, seed);
                assert_eq!(found, expected, "{seed}: {options:?}");
            }
        }
    }
}
