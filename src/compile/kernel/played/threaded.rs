//! Where it is known which way is gone behind a block, it is gone at once: a function in, the same function out. Before: a block leaves
//! with an answer, and behind it the answer is asked for. After: from where the answer is fixed, that way is gone with nothing asked.
//! What only hands on an answer behind a block stands where the block is left; what leads straight to a block stands in it. Conditions:
//! none but that some answer is fixed.

use crate::compile::kernel::fresh::{Fresh, given, times_given};
use crate::compile::kernel::sizes::Size;
use crate::compile::kernel::tidy::any;
use crate::program::kernel::{
    Body, Function, Label, Room, Stmt, Value, W, Word, each_statement, falls, fixed_words,
};
use rustc_hash::FxHashMap;

/// More statements than this behind a block are not written where it is left.
const SHORT: usize = 3;

/// So many statements that come next are written wherever it is known that they do.
const FEW: usize = 16;

/// Goes at once wherever it is known where to.
pub fn thread(function: &mut Function, room: &Room) {
    let (mut labels, mut reads) = (0, FxHashMap::default());
    each_statement(&function.body, &mut |stmt| {
        stmt.each_read(&mut |what| *reads.entry(what).or_default() += 1);
        if let Stmt::Loop(label, _) | Stmt::Block(label, _) = stmt {
            labels = labels.max(label.0 + 1);
        }
    });
    let mut threads = Threads {
        fixed: fixed_words(function),
        given: times_given(function),
        reads,
        log_used: room.log_used,
        labels,
        words: function.words,
        sets: function.sets,
    };
    threads.body(&mut function.body);
    (function.words, function.sets) = (threads.words, threads.sets);
}

struct Threads {
    /// The words that are always the same.
    fixed: Vec<Option<u64>>,
    /// How often words and sets are given, and read.
    given: FxHashMap<Value, u32>,
    reads: FxHashMap<Value, u32>,
    /// Where it stands how much is noted.
    log_used: u32,
    /// How many labels there are, and words and sets.
    labels: u32,
    words: u32,
    sets: u32,
}

impl Threads {
    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    fn body(&mut self, body: &mut Body) {
        let mut at = 0;
        while at < body.len() {
            for inner in body[at].bodies_mut() {
                self.body(inner);
            }
            if hands_on(&body[at..]) {
                let tail = body.split_off(at + 1);
                if let Some(Stmt::Block(label, mut inner)) = body.pop() {
                    at_exits(&mut inner, label, &mut |_| tail.clone());
                    body.append(&mut inner);
                    body.extend(tail);
                }
                // What stood within stands here now, and was gone through.
                return;
            }
            self.decide(body, at);
            at += 1;
        }
    }

    /// Goes on behind a block of a body by what it was left with, if that is what is asked there.
    fn decide(&mut self, body: &mut Body, at: usize) {
        let (copied, asked) = match &body[at..] {
            [Stmt::Block(..), Stmt::If(asked, ..), ..] => (None, *asked),
            [
                Stmt::Block(..),
                Stmt::Let(to, Word::Copy(from)),
                Stmt::If(asked, ..),
                ..,
            ] if to == asked => (Some(*from), *asked),
            _ => return,
        };
        let Stmt::Block(label, inner) = &mut body[at] else {
            return;
        };
        let left_with = copied.unwrap_or(asked);
        let mut known = false;
        at_exits(inner, *label, &mut |before| {
            known |= self.known(before, left_with).is_some();
            vec![Stmt::Leave(*label)]
        });
        if !known {
            return;
        }
        let (label, mut inner) = (*label, std::mem::take(inner));
        let rest = body.split_off(at);
        let mut rest = rest.into_iter().skip(1 + usize::from(copied.is_some()));
        let Some(Stmt::If(_, in_yes, in_no)) = rest.next() else {
            return;
        };
        let [yes, no, done] = [self.label(), self.label(), self.label()];
        let copy = copied.map(|from| Stmt::Let(asked, Word::Copy(from)));
        let few = Size::of(&in_yes).statements <= FEW && !blocks(&in_yes);
        let go = |threads: &mut Threads, answer: Option<u64>| {
            let mut all: Body = copy.iter().cloned().collect();
            match answer {
                Some(0) => all.push(Stmt::Leave(no)),
                Some(_) if few => {
                    all.append(&mut threads.copy(&in_yes));
                    all.push(Stmt::Leave(done));
                }
                Some(_) => all.push(Stmt::Leave(yes)),
                None => all.push(Stmt::If(
                    asked,
                    vec![Stmt::Leave(yes)],
                    vec![Stmt::Leave(no)],
                )),
            }
            all
        };
        at_exits(&mut inner, label, &mut |before| {
            let answer = self.known(before, left_with);
            go(self, answer)
        });
        if falls(&inner) {
            let answer = self.known(&inner, left_with);
            inner.append(&mut go(self, answer));
        }
        let straight = body
            .iter()
            .rev()
            .take_while(|stmt| self.leads_on(stmt))
            .count();
        let mut all = body.split_off(at - straight);
        all.append(&mut inner);
        let mut before_yes = vec![Stmt::Block(no, all)];
        before_yes.extend(in_no);
        before_yes.push(Stmt::Leave(done));
        let mut all = vec![Stmt::Block(yes, before_yes)];
        all.extend(in_yes);
        body.push(Stmt::Block(done, all));
        body.extend(rest);
    }

    /// Statements once more, with numbers of their own for what is given and read nowhere else; no block stands in them.
    fn copy(&mut self, body: &Body) -> Body {
        let mut fresh = Fresh::default();
        let mut reads: FxHashMap<Value, u32> = FxHashMap::default();
        each_statement(body, &mut |stmt| {
            stmt.each_read(&mut |what| *reads.entry(what).or_default() += 1);
        });
        for what in given(body) {
            if self.given.get(&what) == Some(&1) && self.reads.get(&what) == reads.get(&what) {
                fresh.own(what, (&mut self.words, &mut self.sets));
            }
        }
        fresh.body(body)
    }

    /// Whether a statement only computes and stores, and does not forget what was noted.
    fn leads_on(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Store(place, _) => place.base != self.log_used,
            Stmt::Let(..) | Stmt::LetSet(..) | Stmt::StoreSet(..) | Stmt::StoreLogged(..) => true,
            _ => false,
        }
    }

    /// The value of a word behind statements, as far as the last of them tell.
    fn known(&self, before: &[Stmt], word: W) -> Option<u64> {
        let mut word = word;
        for stmt in before.iter().rev() {
            match stmt {
                Stmt::Let(to, what) if *to == word => match what {
                    Word::Const(value) => return Some(*value),
                    Word::Copy(from) => word = *from,
                    _ => return None,
                },
                Stmt::Let(..) | Stmt::LetSet(..) | Stmt::Store(..) | Stmt::StoreSet(..) => {}
                _ => break,
            }
        }
        self.fixed.get(word.0 as usize).copied().flatten()
    }
}

/// Whether statements are a block behind which something short only hands on and leaves.
fn hands_on(body: &[Stmt]) -> bool {
    let [Stmt::Block(..), copies @ .., Stmt::Leave(_)] = body else {
        return false;
    };
    let hands_on = |stmt: &Stmt| matches!(stmt, Stmt::Let(_, Word::Copy(_) | Word::Const(_)));
    copies.len() < SHORT && copies.iter().all(hands_on)
}

/// Whether blocks or loops stand in statements.
fn blocks(body: &[Stmt]) -> bool {
    any(body, &|stmt| {
        matches!(stmt, Stmt::Block(..) | Stmt::Loop(..))
    })
}

/// Puts something in place of where a block is left, by what stands before it.
fn at_exits(body: &mut Body, label: Label, put: &mut dyn FnMut(&[Stmt]) -> Body) {
    for stmt in body.iter_mut() {
        for inner in stmt.bodies_mut() {
            at_exits(inner, label, put);
        }
    }
    let left = body.iter().position(|stmt| *stmt == Stmt::Leave(label));
    if let Some(at) = left {
        body.truncate(at);
        let instead = put(body);
        body.extend(instead);
    }
}
