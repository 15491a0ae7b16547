//! Loops that gather the cells of a set of which something is so. They are gone through word by word, each in code of its own, so that
//! a cell is one bit of one word and need not be put among several.

use crate::engine::native::emit::Emit;
use crate::engine::native::ir::I64;
use crate::program::kernel::{Body, S, Set, Stmt, Value, W};

/// A longer loop is not written once for each word.
const SHORT: usize = 32;

/// A loop that gathers.
pub(super) struct Gathering<'b> {
    /// What is computed for a cell.
    lets: Vec<&'b Stmt>,
    /// The word that is not 0 for those that are gathered.
    asked: W,
    /// Where they are.
    into: S,
}

/// A loop over the cells of a set, when it does nothing but gather some of them and compute words.
pub(super) fn gathering(cell: W, body: &Body) -> Option<Gathering<'_>> {
    if body.len() > SHORT {
        return None;
    }
    let at = body
        .iter()
        .position(|stmt| matches!(stmt, Stmt::LetSet(_, Set::With(_, added)) if *added == cell))?;
    let [
        Stmt::LetSet(with, Set::With(before, _)),
        Stmt::LetSet(chosen, Set::Select(asked, yes, no)),
        Stmt::LetSet(into, Set::Copy(from)),
    ] = body.get(at..at + 3)?
    else {
        return None;
    };
    let gathers = yes == with && no == before && from == chosen && into == before;
    let lets: Vec<&Stmt> = body[..at].iter().chain(&body[at + 3..]).collect();
    let apart = |stmt: &&Stmt| {
        let mentions =
            |set: &S| stmt.reads(Value::Set(*set)) || stmt.gives() == Some(Value::Set(*set));
        matches!(stmt, Stmt::Let(..) | Stmt::LetSet(..))
            && ![with, chosen, into].into_iter().any(mentions)
            && stmt.gives() != Some(Value::Word(cell))
    };
    let whole = gathers && lets.iter().all(apart);
    // What is asked is known when a cell is added, and not changed behind.
    let known = body[at + 3..]
        .iter()
        .all(|stmt| stmt.gives() != Some(Value::Word(*asked)));
    (whole && known).then_some(Gathering {
        lets,
        asked: *asked,
        into: *into,
    })
}

impl Emit<'_> {
    /// Goes through the cells of a narrow set and gathers some.
    pub(super) fn for_gathered(&mut self, cell: W, from: S, of: &Gathering<'_>) {
        let words = self.set_words(from);
        for (i, word) in words.into_iter().enumerate() {
            let (round, behind) = (self.b.create_block(), self.b.create_block());
            let left = self.b.append_block_param(round, I64);
            self.b.brif(word, round, &[word], behind, &[]);
            self.b.switch_to_block(round);
            let less = self.b.iadd_imm_s(left, -1);
            let rest = self.b.band(left, less);
            let lowest = self.b.ineg(left);
            let lowest = self.b.band(left, lowest);
            let mut at = self.b.ctz(left);
            if i > 0 {
                at = self.b.iadd_imm_s(at, i as i64 * 64);
            }
            self.put(cell, at);
            for stmt in &of.lets {
                self.stmt(stmt);
            }
            let asked = self.read(of.asked);
            let none = self.number(0);
            let more = self.b.select(asked, lowest, none);
            let gathered = self.set_word(of.into, i);
            let gathered = self.b.bor(gathered, more);
            self.put_narrow(of.into, i, gathered);
            self.b.brif(rest, round, &[rest], behind, &[]);
            self.b.seal_block(round);
            self.enter(behind);
        }
    }
}
