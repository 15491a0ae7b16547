//! Games that draw apart made good, on drawn functions of their kind: rounds in which something is noted, stored and looked at, left
//! with an answer by which all is taken back or not. What is looked at, results and memory stay what they were.

use super::{agree, draw, expected, hold_to};
use crate::common::slow;
use gambol::compile::kernel::played;
use gambol::engine::executor::Frame;
use gambol::program::kernel::{
    Bin, Body, FuncId, Function, Kernel, Label, Place, S, Set, SetId, Stmt, W, Word, dump,
};

/// Words that are numbers from 0 on, given at the beginning.
const NUMBERS: u32 = 4;

/// So many sets stand in memory.
const SETS: u32 = 3;

/// The answer that a round is left with, and the one that is asked.
const ANSWER: W = W(NUMBERS);
const ASKED: W = W(NUMBERS + 1);

/// Draws what a round does.
struct Acting<'d> {
    dice: &'d mut draw::Dice,
    kernel: Kernel,
    words: u32,
    sets: u32,
    labels: u32,
    /// Whether words of the way may be loaded.
    asks_way: bool,
}

impl Acting<'_> {
    fn fresh(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn fresh_set(&mut self) -> S {
        self.sets += 1;
        S(self.sets - 1)
    }

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    fn number(&mut self) -> W {
        W(self.dice.below(NUMBERS as usize) as u32)
    }

    fn let_word(&mut self, word: Word, body: &mut Body) -> W {
        let w = self.fresh();
        body.push(Stmt::Let(w, word));
        w
    }

    fn let_set(&mut self, set: Set, body: &mut Body) -> S {
        let s = self.fresh_set();
        body.push(Stmt::LetSet(s, set));
        s
    }

    /// A place of the state: a few words, so that they often meet, or a pile.
    fn place(&mut self) -> Place {
        let index = self.dice.chance(30).then(|| (self.number(), 1));
        let base = if self.dice.chance(70) {
            0
        } else {
            self.dice.below(4) as u32
        };
        Place { base, index }
    }

    fn set_place(&mut self) -> Place {
        let nth = self.dice.below(SETS as usize) as u32;
        Place::plain(self.kernel.room.tall + nth * self.kernel.room.words)
    }

    fn way(&mut self) -> Place {
        let index = self.dice.chance(15).then(|| (self.number(), 1));
        Place {
            base: self.kernel.room.path + self.dice.below(3) as u32,
            index,
        }
    }

    /// A cell of a board of seventy, by what stands in memory.
    fn cell(&mut self, body: &mut Body) -> W {
        let place = self.place();
        let known = self.let_word(Word::Load(place), body);
        let all = self.let_word(Word::Const(63), body);
        let low = self.let_word(Word::Bin(Bin::And, known, all), body);
        let six = self.let_word(Word::Const(6), body);
        self.let_word(Word::Bin(Bin::Add, low, six), body)
    }

    /// A set of memory, with a few cells changed.
    fn changed(&mut self, place: Place, body: &mut Body) -> S {
        let mut set = self.let_set(Set::Load(place), body);
        for _ in 0..self.dice.below(4) {
            let cell = self.cell(body);
            let next = match self.dice.below(5) {
                0 => Set::Less(set, cell),
                1 => Set::With(set, cell),
                2 => {
                    let one = self.let_set(Set::Single(cell), body);
                    Set::Or(one, set)
                }
                3 => {
                    let less = self.let_set(Set::Less(set, cell), body);
                    let when = self.truth(body);
                    let one = self.let_set(Set::Single(cell), body);
                    let none = self.let_set(Set::Const(SetId(0)), body);
                    let put = self.let_set(Set::Select(when, one, none), body);
                    Set::Or(less, put)
                }
                _ => {
                    let other = self.set_place();
                    let other = self.let_set(Set::Load(other), body);
                    Set::Xor(set, other)
                }
            };
            set = self.let_set(next, body);
        }
        set
    }

    /// A word that is 0 or 1, or any number.
    fn truth(&mut self, body: &mut Body) -> W {
        let place = self.place();
        let word = self.let_word(Word::Load(place), body);
        let one = self.let_word(Word::Const(1), body);
        let low = self.let_word(Word::Bin(Bin::And, word, one), body);
        let number = self.number();
        match self.dice.below(4) {
            0 => word,
            1 => low,
            2 => self.let_word(Word::Bin(Bin::Equal, low, number), body),
            _ => self.let_word(Word::Bin(Bin::Less, number, word), body),
        }
    }

    fn tell(&mut self, word: Word, body: &mut Body) {
        let w = self.let_word(word, body);
        body.push(Stmt::Tally(w));
    }

    /// Statements, of which some leave a block around them: with an answer that of the round.
    fn body(&mut self, depth: usize, leaves: &[Label]) -> Body {
        let mut body = Body::new();
        for _ in 0..1 + self.dice.below(4) {
            match self.dice.below(if depth > 0 { 15 } else { 9 }) {
                0..3 => {
                    let place = self.place();
                    body.push(Stmt::StoreLogged(place, self.number()));
                }
                3 => {
                    let place = self.place();
                    self.tell(Word::Load(place), &mut body);
                }
                4 | 5 => {
                    let place = self.set_place();
                    let set = self.changed(place, &mut body);
                    if self.dice.chance(70) {
                        let at = if self.dice.chance(85) {
                            place
                        } else {
                            self.set_place()
                        };
                        body.push(Stmt::StoreSet(at, set));
                    }
                    if self.dice.chance(40) {
                        self.tell(Word::Count(set), &mut body);
                    }
                }
                6 => {
                    let way = self.way();
                    body.push(Stmt::Store(way, self.number()));
                }
                7 if self.asks_way => {
                    let way = self.way();
                    self.tell(Word::Load(way), &mut body);
                }
                7 | 8 => {
                    let number = self.number();
                    body.push(Stmt::Tally(number));
                }
                9..12 => {
                    let asked = self.truth(&mut body);
                    let seen = self.place();
                    let seen = self.let_word(Word::Load(seen), &mut body);
                    let mut yes = self.body(depth - 1, leaves);
                    if self.dice.chance(50) {
                        yes.insert(0, Stmt::Tally(seen));
                    }
                    let no = if self.dice.chance(50) {
                        self.body(depth - 1, leaves)
                    } else {
                        Body::new()
                    };
                    body.push(Stmt::If(asked, yes, no));
                }
                12 => {
                    let label = self.label();
                    let around: Vec<Label> = leaves.iter().copied().chain([label]).collect();
                    let inner = self.body(depth - 1, &around);
                    body.push(Stmt::Block(label, inner));
                }
                13 => {
                    let (bit, of) = (self.fresh(), self.number());
                    let inner = self.body(depth - 1, &leaves[..1]);
                    body.push(Stmt::ForBits(bit, of, inner));
                }
                _ => {
                    let mark = self.fresh();
                    body.push(Stmt::Mark(mark));
                    body.extend(self.body(depth - 1, leaves));
                    body.push(Stmt::Undo(mark));
                }
            }
        }
        if self.dice.chance(35) {
            self.leave(leaves, &mut body);
        }
        body
    }

    /// Leaves one of some blocks; of these the first is the round.
    fn leave(&mut self, leaves: &[Label], body: &mut Body) {
        let label = self.dice.of(leaves);
        if label == leaves[0] {
            self.answer(body);
        }
        body.push(Stmt::Leave(label));
    }

    fn answer(&mut self, body: &mut Body) {
        let word = match self.dice.below(4) {
            0 => Word::Const(0),
            1 => Word::Const(1),
            2 => Word::Copy(self.number()),
            _ => {
                let place = self.place();
                Word::Load(place)
            }
        };
        body.push(Stmt::Let(ANSWER, word));
    }

    /// A round: what is noted is taken back, or forgotten.
    fn round(&mut self) -> Body {
        let mut body = Body::new();
        if self.dice.chance(50) {
            let log = Place::plain(self.kernel.room.log_used);
            body.push(Stmt::Store(log, W(0)));
        }
        for _ in 0..self.dice.below(3) {
            let place = self.place();
            body.push(Stmt::StoreLogged(place, self.number()));
        }
        let label = self.label();
        let mut inner = self.body(3, &[label]);
        self.answer(&mut inner);
        body.push(Stmt::Block(label, inner));
        let asked = if self.dice.chance(60) {
            body.push(Stmt::Let(ASKED, Word::Copy(ANSWER)));
            ASKED
        } else {
            ANSWER
        };
        let leaves = [self.label()];
        let kept = self.asks_way;
        let mut yes = self.body(0, &leaves);
        let mut no = vec![Stmt::Undo(W(0))];
        no.extend(self.body(1, &leaves));
        self.asks_way = kept;
        yes.push(Stmt::Tally(W(2)));
        body.push(Stmt::If(asked, yes, no));
        let log = Place::plain(self.kernel.room.log_used);
        body.push(Stmt::Store(log, W(0)));
        vec![Stmt::Block(leaves[0], body), Stmt::Store(log, W(0))]
    }
}

/// A kernel of a function like a game of some rounds, and its memory.
fn drawn(seed: u64) -> (Kernel, Frame) {
    let mut dice = draw::Dice(!seed);
    let (mut kernel, mut frame) = super::bare(seed);
    let words = 2 + u32::from(dice.chance(30));
    let room = kernel.room;
    kernel = draw::bare(70, words, room.moves - room.log, room.memory - room.moves);
    kernel.room.piles = 0;
    kernel.room.tall = 8;
    kernel.room.text = kernel.room.path + 8;
    kernel.sets = vec![gambol::board::Cells::EMPTY];
    frame.mem = vec![0; kernel.room.memory as usize];
    for word in &mut frame.mem[..kernel.room.tall as usize] {
        *word = dice.below(70) as u64;
    }
    for nth in 0..SETS {
        let at = kernel.room.tall + nth * words;
        frame.mem[at as usize] = dice.word();
        frame.mem[at as usize + 1] = dice.word() & 63;
    }
    frame.mem[kernel.room.fuel as usize] = 10_000;
    let asks_way = dice.chance(50);
    let mut acting = Acting {
        dice: &mut dice,
        kernel,
        words: NUMBERS + 2,
        sets: 0,
        labels: 0,
        asks_way,
    };
    let numbers = (0..NUMBERS).map(|k| Stmt::Let(W(k), Word::Const(u64::from(k))));
    let mut body: Body = numbers.collect();
    body.push(Stmt::Let(ANSWER, Word::Const(0)));
    body.push(Stmt::Let(ASKED, Word::Const(0)));
    for _ in 0..1 + acting.dice.below(2) {
        let round = acting.round();
        if acting.dice.chance(50) {
            let nth = acting.fresh();
            body.push(Stmt::ForNumbers(nth, W(1), W(3), round));
        } else {
            body.extend(round);
        }
    }
    let (words, sets) = (acting.words, acting.sets);
    let mut kernel = acting.kernel;
    kernel.functions = vec![Function {
        name: "acting".to_owned(),
        params: Vec::new(),
        words,
        sets,
        body,
    }];
    (kernel, frame)
}

#[test]
fn what_is_not_noted_for_somebody_else_does_the_same() {
    let (mut same, mut changed) = (0, 0);
    let drawn_in_all: usize = if slow() { 100_000 } else { 4_000 };
    for seed in 0..drawn_in_all as u64 {
        let (kernel, frame) = drawn(seed);
        let calls = [FuncId(0)];
        let account = expected(&kernel, &frame, &calls).unwrap();
        if account[0].1[kernel.room.fault as usize] != 0 {
            continue;
        }
        same += 1;
        let mut out = kernel.clone();
        played::finish(&mut out, FuncId(0));
        played::settle(&mut out, FuncId(0));
        let noted = |kernel: &Kernel| dump(kernel).matches(" log mem").count();
        changed += usize::from(noted(&out) < noted(&kernel));
        // The way and the log are for nobody.
        let aside = kernel.room.path as usize..kernel.room.moves as usize;
        hold_to(account, (&kernel, &out), (&frame, &calls), aside);
        if seed % 100 == 0 {
            agree(out, &frame, &calls).unwrap();
        }
    }
    assert!(
        same * 4 > drawn_in_all * 3 && changed * 4 > drawn_in_all,
        "{same} kernels, {changed} note less"
    );
}
