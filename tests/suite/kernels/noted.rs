//! What is noted late, or is known to be back, on drawn kernels that note all that they change of the state and take most of it back:
//! results and memory stay what they were.

use super::{bare, draw, expected, hold_to};
use crate::common::slow;
use gambol::compile::kernel::{deferred, outgrown};
use gambol::program::kernel::{Bin, Body, FuncId, Function, Kernel, Place, Stmt, W, Word, dump};

/// Lets statements note what they change, and many bodies take back what they have noted.
fn note(body: &mut Body, kept: u32, words: &mut u32, dice: &mut draw::Dice) {
    body.retain(|stmt| !matches!(stmt, Stmt::StoreSet(place, _) if place.base < kept));
    for stmt in body.iter_mut() {
        if let Stmt::Store(place, w) = *stmt
            && place.base < kept
        {
            *stmt = Stmt::StoreLogged(place, w);
        }
        for inner in stmt.bodies_mut() {
            note(inner, kept, words, dice);
        }
    }
    let ends = matches!(
        body.last(),
        Some(Stmt::Return(_) | Stmt::Leave(_) | Stmt::Fault(_))
    );
    if !body.is_empty() && !ends && dice.chance(60) {
        let mark = W(*words);
        *words += 1;
        let from = dice.below(body.len());
        body.insert(from, Stmt::Mark(mark));
        body.push(Stmt::Undo(mark));
    }
}

#[test]
fn what_is_noted_late_does_the_same() {
    let (mut same, mut otherwise) = (0, 0);
    let drawn: usize = if slow() { 20_000 } else { 1_000 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame, calls) = draw::kernel(seed);
        let mut dice = draw::Dice(!seed);
        // Some words are piles of cells, and the one behind them is up.
        let piles = dice.below(8) as u32;
        let tall = piles + kernel.cells as u32 + 1;
        if tall <= kernel.room.kept {
            (kernel.room.piles, kernel.room.tall) = (piles, tall);
        }
        let kept = kernel.room.kept;
        for function in &mut kernel.functions {
            note(&mut function.body, kept, &mut function.words, &mut dice);
        }
        let Some(account) = expected(&kernel, &frame, &calls) else {
            continue;
        };
        let fault = kernel.room.fault as usize;
        if account.iter().any(|(_, mem)| mem[fault] != 0) {
            continue;
        }
        let mut out: Kernel = kernel.clone();
        let all: Vec<FuncId> = (0..kernel.functions.len() as u32).map(FuncId).collect();
        deferred::defer(&mut out, &all);
        // What was taken back has left its traces in the log.
        let log = kernel.room.log as usize..kernel.room.moves as usize;
        hold_to(account, (&kernel, &out), (&frame, &calls), log);
        same += 1;
        otherwise += usize::from(dump(&out) != dump(&kernel));
    }
    assert!(
        same * 4 > drawn && otherwise * 4 > drawn,
        "{same} kernels, {otherwise} were changed"
    );
}

/// Draws statements that note, look, ask, and take back: of a few words of the state, so that they often meet.
struct Noting<'d> {
    dice: &'d mut draw::Dice,
    words: u32,
    /// What is asked of the number of turns, which nobody changes.
    asked: (Bin, W),
}

/// Words that are numbers from 0 on, given at the beginning.
const NUMBERS: u32 = 4;

/// Where the number of turns stands.
const TURNS: Place = Place {
    base: 9,
    index: None,
};

impl Noting<'_> {
    fn fresh(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn number(&mut self) -> W {
        W(self.dice.below(NUMBERS as usize) as u32)
    }

    fn place(&mut self) -> Place {
        let index = self.dice.chance(20).then(|| (self.number(), 1));
        Place {
            base: self.dice.below(5) as u32,
            index,
        }
    }

    fn body(&mut self, depth: usize) -> Body {
        let mut body = Body::new();
        for _ in 0..1 + self.dice.below(5) {
            let kind = self.dice.below(if depth > 0 { 13 } else { 6 });
            match kind {
                0..3 => body.push(Stmt::StoreLogged(self.place(), self.number())),
                3..5 => {
                    let seen = self.fresh();
                    body.push(Stmt::Let(seen, Word::Load(self.place())));
                    body.push(Stmt::Tally(seen));
                }
                5 => body.push(Stmt::Tally(self.number())),
                6 | 7 => {
                    let asked = self.fresh();
                    body.push(Stmt::Let(asked, Word::Load(self.place())));
                    let asked = if self.dice.chance(40) {
                        self.number()
                    } else {
                        asked
                    };
                    let yes = self.body(depth - 1);
                    let no = if self.dice.chance(50) {
                        self.body(depth - 1)
                    } else {
                        Body::new()
                    };
                    body.push(Stmt::If(asked, yes, no));
                }
                8 => {
                    let (bit, of) = (self.fresh(), self.number());
                    let inner = self.body(depth - 1);
                    body.push(Stmt::ForBits(bit, of, inner));
                }
                9 => {
                    let asked = self.early(&mut body);
                    let (yes, no) = (self.body(depth - 1), self.body(depth - 1));
                    body.push(Stmt::If(asked, yes, no));
                }
                10 => self.by_turns(&mut body),
                11 => {
                    // What is asked, and then its opposite.
                    let asked = self.early(&mut body);
                    let (other, yes, no) =
                        (self.fresh(), self.body(depth - 1), self.body(depth - 1));
                    body.push(Stmt::If(asked, yes, Body::new()));
                    body.push(Stmt::Let(other, Word::Bin(Bin::Equal, asked, W(0))));
                    body.push(Stmt::If(other, no, Body::new()));
                }
                _ => {
                    let inner = self.body(depth - 1);
                    self.taken_back(inner, &mut body);
                }
            }
        }
        if self.dice.chance(30) {
            let inner = std::mem::take(&mut body);
            self.taken_back(inner, &mut body);
        }
        body
    }

    /// Asks for the number of turns.
    fn early(&mut self, body: &mut Body) -> W {
        let (number, asked) = (self.fresh(), self.fresh());
        body.push(Stmt::Let(number, Word::Load(TURNS)));
        let (bin, with) = self.asked;
        body.push(Stmt::Let(asked, Word::Bin(bin, number, with)));
        asked
    }

    /// A word that is given twice or three times, as it is asked, and directions that follow from it.
    fn by_turns(&mut self, body: &mut Body) {
        let asked = self.early(body);
        let (given, bit) = (self.fresh(), self.fresh());
        let (a, b) = (self.number(), self.number());
        if self.dice.chance(50) {
            body.push(Stmt::Let(given, Word::Copy(self.number())));
            if self.dice.chance(40) {
                body.push(Stmt::Tally(given));
            }
        }
        let one = |w: W| vec![Stmt::Let(given, Word::Copy(w))];
        body.push(Stmt::If(asked, one(a), one(b)));
        body.push(Stmt::Tally(given));
        let mut inner = self.body(0);
        inner.push(Stmt::Tally(bit));
        body.push(Stmt::ForBits(bit, given, inner));
    }

    fn taken_back(&mut self, inner: Body, body: &mut Body) {
        let mark = self.fresh();
        body.push(Stmt::Mark(mark));
        body.extend(inner);
        body.push(Stmt::Undo(mark));
    }
}

#[test]
fn what_is_noted_where_somebody_looks_does_the_same() {
    let (mut otherwise, mut split) = (0, 0);
    let drawn: usize = if slow() { 100_000 } else { 5_000 };
    for seed in 0..drawn as u64 {
        let (mut kernel, frame) = bare(seed);
        (kernel.room.piles, kernel.room.tall) = (0, kernel.cells as u32 + 1);
        let mut dice = draw::Dice(!seed);
        let bins = [Bin::Less, Bin::AtMost, Bin::Equal, Bin::Differ];
        let asked = (
            bins[dice.below(bins.len())],
            W(dice.below(NUMBERS as usize) as u32),
        );
        assert!(TURNS.base < kernel.room.kept);
        let mut noting = Noting {
            dice: &mut dice,
            words: NUMBERS,
            asked,
        };
        let inner = noting.body(3);
        let numbers = (0..NUMBERS).map(|k| Stmt::Let(W(k), Word::Const(u64::from(k))));
        let mut body: Body = numbers.collect();
        noting.taken_back(inner, &mut body);
        kernel.functions = vec![Function {
            name: "noting".to_owned(),
            params: Vec::new(),
            words: noting.words,
            sets: 0,
            body,
        }];
        let calls = [FuncId(0)];
        let account = expected(&kernel, &frame, &calls).unwrap();
        if account[0].1[kernel.room.fault as usize] != 0 {
            continue;
        }
        let mut out = kernel.clone();
        deferred::defer(&mut out, &calls);
        let log = kernel.room.log as usize..kernel.room.moves as usize;
        otherwise += usize::from(dump(&out) != dump(&kernel));
        let deferred = dump(&out);
        outgrown::ask_first(&mut out.functions[0], TURNS.base, &kernel.room);
        split += usize::from(dump(&out) != deferred);
        hold_to(account, (&kernel, &out), (&frame, &calls), log);
    }
    assert!(otherwise * 2 > drawn, "only {otherwise} were changed");
    assert!(split * 4 > drawn, "only {split} ask for turns first");
}
