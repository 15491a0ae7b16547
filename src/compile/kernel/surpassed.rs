//! The best of a subprogram is found while its runs are listed. Before: it is found first, and then the same runs are gone through once
//! more, and those that come to it are listed. After: they are gone through once; what is better than all before strikes off what was
//! listed so far. Conditions: a list, or a count, goes through all runs of the subprogram and asks all that it asks; behind the comparison
//! with the best nothing hinders the action any more; the best is read for nothing but that comparison, and by who plays what is listed.

use crate::compile::kernel::lower::Lowerer;
use crate::compile::points::successors;
use crate::program::kernel::{
    Bin, Body, FuncId, Place, Stmt, Value, W, Word, Work, each_statement,
};
use crate::program::{Compare, Num, Op, Pc, Truth, op_vars};
use rustc_hash::FxHashSet;

/// Words of scratch for a best: whether there is one, it, and how long the list was, or how much was counted, before the first.
pub const WORDS: u32 = 4;

/// A best that is to be found while its runs are listed.
#[derive(Clone, Copy)]
struct Best {
    /// Where it is kept, see [`WORDS`].
    at: u32,
    /// Most, or least.
    most: bool,
}

/// A word of a function that is the best.
type Known = (FuncId, W);

/// Where a best is found, in a list of statements: from the first to the last statement of that, the words that say whether there is one and
/// which it is, and what stands behind the statements that are for its runs.
struct Found {
    from: usize,
    to: usize,
    any: W,
    best: W,
    /// The statement that goes on when there is one.
    then: usize,
    /// Where both are left aside.
    aside: Vec<(Place, W)>,
}

impl Lowerer<'_> {
    /// Changes all functions that list or count so.
    pub fn strike_surpassed(&mut self, work: Work) {
        if self.doubts {
            return;
        }
        for (pc, op) in self.program.code.iter().enumerate() {
            let Op::Best { most, .. } = op else { continue };
            let pc = Pc(pc as u32);
            let Some(at) = self.best_at(pc) else { continue };
            let Some(asked) = self.up_to_comparison(pc) else {
                continue;
            };
            if work == Work::Games && !asked.iter().all(|pc| self.unasked.asks(*pc)) {
                continue;
            }
            let best = Best { at, most: *most };
            for id in 0..self.functions.len() as u32 {
                self.strike_in(FuncId(id), best);
            }
        }
    }

    /// The instructions from one that finds a best to the comparison with it, if every run of its subprogram comes there, nothing else reads
    /// the best, and behind that the turn only ends: it can then be completed when there is a run.
    pub fn up_to_comparison(&self, pc: Pc) -> Option<Vec<Pc>> {
        let Op::Best { key, into, .. } = self.op(pc) else {
            return None;
        };
        if self.program.lifts() {
            return None;
        }
        let compares = |op: &Op| match op {
            Op::Require(Truth::Compare(Compare::Equal, a, b), _) => {
                **a == *key && **b == Num::Var(*into)
            }
            _ => false,
        };
        let mut seen = vec![false; self.program.code.len() + 1];
        let (mut open, mut all) = (vec![pc.0 as usize + 1], Vec::new());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let op = self.program.code.get(at)?;
            all.push(Pc(at as u32));
            let access = op_vars(op, &self.program.pictures, &self.program.templates);
            match op {
                op if compares(op) => {
                    if !self.only_ends(Pc(at as u32 + 1)) {
                        return None;
                    }
                }
                Op::Point(_) | Op::Best { .. } | Op::EndTurn | Op::Succeed => return None,
                _ if access.reads.contains(into) => return None,
                op => open.extend(successors(op, at)),
            }
        }
        Some(all)
    }

    /// Whether from an instruction on the turn only ends.
    fn only_ends(&self, mut at: Pc) -> bool {
        for _ in 0..self.program.code.len() {
            match self.op(at) {
                Op::EndTurn => return true,
                Op::Jump(to) => at = *to,
                Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Close(_) | Op::ActionDone => {
                    at = Pc(at.0 + 1);
                }
                _ => return false,
            }
        }
        false
    }

    /// Changes a function that finds a best and lists its runs, and those that it calls for that.
    fn strike_in(&mut self, id: FuncId, best: Best) {
        let mut body = std::mem::take(&mut self.functions[id.0 as usize].body);
        let within = within(&mut body, best);
        let found = within.and_then(|body| Found::in_body(body, best));
        let known = found.as_ref().map(|found| (id, found.best));
        self.functions[id.0 as usize].body = body;
        let (Some(found), Some(known)) = (found, known) else {
            return;
        };
        let Some((all, lists)) = self.followed(known, &found) else {
            return;
        };
        let kept = self.kept(lists);
        for (of, word) in all {
            let function = &mut self.functions[of.0 as usize];
            let mut body = std::mem::take(&mut function.body);
            let mut striking = Striking {
                best,
                word,
                kept: kept.clone(),
                words: function.words,
            };
            striking.body(&mut body);
            if of == id
                && let Some(body) = self::within(&mut body, best)
            {
                striking.begin(body, &found);
            }
            function.words = striking.words;
            function.body = body;
        }
    }

    /// Where a list, or a count, stands that is struck off.
    fn kept(&self, lists: bool) -> Vec<u32> {
        if lists {
            vec![self.room.moves_used, self.room.moves_count]
        } else {
            vec![self.room.tally]
        }
    }

    /// All words that are the best, and whether actions are listed that come to it, not counted; if it is only compared with and handed
    /// on to functions that nobody else calls.
    fn followed(&self, first: Known, found: &Found) -> Option<(Vec<Known>, bool)> {
        let (mut all, mut kind) = (vec![first], None);
        let mut at = 0;
        while let Some((id, word)) = all.get(at).copied() {
            let function = &self.functions[id.0 as usize];
            let mut uses = Uses {
                word,
                aside: if at == 0 { found.aside.len() } else { 0 },
                kind: &mut kind,
                calls: Vec::new(),
            };
            let given = (at == 0) != function.params.contains(&Value::Word(word));
            if !given || gives(&function.body, word) != usize::from(at == 0) {
                return None;
            }
            if !uses.body(&function.body) {
                return None;
            }
            for (callee, nth) in uses.calls {
                let Value::Word(param) = *self.functions[callee.0 as usize].params.get(nth)? else {
                    return None;
                };
                if !all.contains(&(callee, param)) {
                    all.push((callee, param));
                }
            }
            at += 1;
        }
        let alone = (0..).zip(&self.functions).all(|(id, function)| {
            let mut alone = true;
            each_statement(&function.body, &mut |stmt| {
                let Stmt::Call(callee, args, _) = stmt else {
                    return;
                };
                for (_, param) in all.iter().filter(|(of, _)| of == callee) {
                    let params = &self.functions[callee.0 as usize].params;
                    let mut handed = params.iter().zip(args);
                    alone &= handed.all(|(p, arg)| match arg {
                        Value::Word(w) if *p == Value::Word(*param) => {
                            all.contains(&(FuncId(id), *w))
                        }
                        Value::Set(_) if *p == Value::Word(*param) => false,
                        _ => true,
                    });
                }
            });
            alone
        });
        let distinct: FxHashSet<FuncId> = all.iter().map(|(id, _)| *id).collect();
        let once = distinct.len() == all.len();
        (alone && once).then_some(all).zip(kind)
    }
}

/// The list of statements in which a best is found.
fn within(body: &mut Body, best: Best) -> Option<&mut Body> {
    let stores = |stmt: &Stmt| matches!(stmt, Stmt::Store(place, _) if *place == plain(best.at));
    if body.iter().any(stores) {
        return Some(body);
    }
    let inner = body.iter_mut().flat_map(Stmt::bodies_mut);
    inner.into_iter().find_map(|body| within(body, best))
}

fn plain(base: u32) -> Place {
    Place { base, index: None }
}

/// How often a word is given in a body.
fn gives(body: &Body, word: W) -> usize {
    let mut many = 0;
    each_statement(body, &mut |stmt| {
        many += usize::from(stmt.gives() == Some(Value::Word(word)));
    });
    many
}

impl Found {
    fn in_body(body: &Body, best: Best) -> Option<Found> {
        let is_at = |stmt: &Stmt| matches!(stmt, Stmt::Store(place, _) if *place == plain(best.at));
        let from = body.iter().position(is_at)?;
        let (mut any, mut of_best, mut to) = (None, None, from);
        for (i, stmt) in body.iter().enumerate().skip(from + 1) {
            match stmt {
                Stmt::Mark(_) | Stmt::Undo(_) | Stmt::Call(_, _, Some(_)) => {}
                Stmt::Let(w, Word::Load(place)) if *place == plain(best.at) => any = Some(*w),
                Stmt::Let(w, Word::Load(place)) if *place == plain(best.at + 1) => {
                    (of_best, to) = (Some(*w), i);
                    break;
                }
                Stmt::Let(..) => {}
                _ => return None,
            }
        }
        let (any, of_best) = (any?, of_best?);
        let mut aside = Vec::new();
        for (i, stmt) in body.iter().enumerate().skip(to + 1) {
            match stmt {
                Stmt::Store(place, w) if [any, of_best].contains(w) && place.index.is_none() => {
                    aside.push((*place, *w));
                }
                Stmt::If(asked, ..) if *asked == any => {
                    let stored = aside.iter().filter(|(_, w)| *w == any).count();
                    return (reads(body, any) == stored + 1).then_some(Found {
                        from,
                        to,
                        any,
                        best: of_best,
                        then: i,
                        aside,
                    });
                }
                Stmt::Let(..) => {}
                _ => return None,
            }
        }
        None
    }
}

/// How often a word is read.
fn reads(body: &Body, word: W) -> usize {
    let mut many = 0;
    each_statement(body, &mut |stmt| {
        stmt.each_read(&mut |value| many += usize::from(value == Value::Word(word)));
    });
    many
}

/// For what the best is read.
struct Uses<'k> {
    word: W,
    /// How often it, or whether there is one, may be stored.
    aside: usize,
    /// Whether actions are listed behind comparisons, not counted.
    kind: &'k mut Option<bool>,
    calls: Vec<(FuncId, usize)>,
}

impl Uses<'_> {
    /// Whether it is only compared with and handed on.
    fn body(&mut self, body: &Body) -> bool {
        for (i, stmt) in body.iter().enumerate() {
            let mut read = false;
            stmt.each_read(&mut |value| read |= value == Value::Word(self.word));
            let fits = match stmt {
                _ if !read => true,
                Stmt::Call(id, args, None) => {
                    let own = |arg: &Value| *arg == Value::Word(self.word);
                    let nth = (0..args.len()).filter(|nth| own(&args[*nth]));
                    self.calls.extend(nth.map(|nth| (*id, nth)));
                    true
                }
                Stmt::Store(place, _) if place.index.is_none() && self.aside > 0 => {
                    self.aside -= 1;
                    true
                }
                Stmt::Let(answer, Word::Bin(Bin::Equal, ..)) => {
                    self.compares(*answer, &body[i + 1..])
                }
                _ => false,
            };
            if !fits || !stmt.bodies().all(|inner| self.body(inner)) {
                return false;
            }
        }
        true
    }

    /// Whether behind a comparison with the best actions are listed, or counted, when it holds, and nothing else depends on it.
    fn compares(&mut self, answer: W, rest: &[Stmt]) -> bool {
        let mut asked = 0;
        let mut read = 0;
        each_statement(rest, &mut |stmt| {
            stmt.each_read(&mut |value| read += usize::from(value == Value::Word(answer)));
        });
        for stmt in rest {
            let Stmt::If(w, yes, no) = stmt else { continue };
            if *w != answer || !no.is_empty() {
                continue;
            }
            asked += 1;
            let Some(lists) = kind_of(yes) else {
                return false;
            };
            if self.kind.replace(lists).is_some_and(|kind| kind != lists) {
                return false;
            }
        }
        asked == 1 && read == 1
    }
}

/// Whether a body lists actions, or counts them; nothing when it does something else besides.
fn kind_of(body: &Body) -> Option<bool> {
    let (mut lists, mut counts, mut plain) = (false, false, true);
    each_statement(body, &mut |stmt| match stmt {
        Stmt::Leaf(_) | Stmt::Leaves(..) => lists = true,
        Stmt::Tally(_) => counts = true,
        Stmt::Call(..) | Stmt::Return(_) | Stmt::Leave(_) => plain = false,
        _ => {}
    });
    (plain && lists != counts).then_some(lists)
}

/// Writes into a function how what is surpassed is struck off.
struct Striking {
    best: Best,
    /// The word that was the best.
    word: W,
    /// Where the list, or the count, stands.
    kept: Vec<u32>,
    words: u32,
}

impl Striking {
    fn word(&mut self) -> W {
        self.words += 1;
        W(self.words - 1)
    }

    fn make(&mut self, out: &mut Body, word: Word) -> W {
        let w = self.word();
        out.push(Stmt::Let(w, word));
        w
    }

    fn load(&mut self, out: &mut Body, at: u32) -> W {
        self.make(out, Word::Load(plain(at)))
    }

    /// Compares with the best so far instead.
    fn body(&mut self, body: &mut Body) {
        for mut stmt in std::mem::take(body) {
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            match stmt {
                Stmt::Let(answer, Word::Bin(Bin::Equal, a, b))
                    if a == self.word || b == self.word =>
                {
                    let value = if a == self.word { b } else { a };
                    self.compare(answer, value, body);
                }
                other => body.push(other),
            }
        }
    }

    fn compare(&mut self, answer: W, value: W, out: &mut Body) {
        let at = self.best.at;
        let (any, best) = (self.load(out, at), self.load(out, at + 1));
        let zero = self.make(out, Word::Const(0));
        let first = self.make(out, Word::Bin(Bin::Equal, any, zero));
        let (low, high) = if self.best.most {
            (best, value)
        } else {
            (value, best)
        };
        let better = self.make(out, Word::Bin(Bin::Less, low, high));
        let better = self.make(out, Word::Bin(Bin::Or, first, better));
        let mut strike = Body::new();
        let one = self.make(&mut strike, Word::Const(1));
        strike.push(Stmt::Store(plain(at), one));
        strike.push(Stmt::Store(plain(at + 1), value));
        for (behind, kept) in (at + 2..).zip(self.kept.clone()) {
            let before = self.load(&mut strike, behind);
            strike.push(Stmt::Store(plain(kept), before));
        }
        out.push(Stmt::If(better, strike, Body::new()));
        let now = self.load(out, at + 1);
        out.push(Stmt::Let(answer, Word::Bin(Bin::Equal, value, now)));
    }

    /// Instead of finding the best first, keeps where the list stands; leaves the best aside when all is listed.
    fn begin(&mut self, body: &mut Body, found: &Found) {
        let at = self.best.at;
        let mut out = Body::new();
        for (i, stmt) in std::mem::take(body).into_iter().enumerate() {
            let finds = (found.from + 1..=found.to).contains(&i);
            match stmt {
                Stmt::Mark(_) | Stmt::Undo(_) | Stmt::Call(..) if finds => {}
                Stmt::Let(w, _) if w == found.any => out.push(Stmt::Let(w, Word::Const(1))),
                Stmt::Let(w, _) if w == found.best => out.push(Stmt::Let(w, Word::Const(0))),
                Stmt::Store(place, w) if i > found.to && found.aside.contains(&(place, w)) => {}
                other => out.push(other),
            }
            if i == found.from {
                for (behind, kept) in (at + 2..).zip(self.kept.clone()) {
                    let now = self.load(&mut out, kept);
                    out.push(Stmt::Store(plain(behind), now));
                }
            }
            if i == found.then {
                for (place, w) in &found.aside {
                    let from = if *w == found.any { at } else { at + 1 };
                    let value = self.load(&mut out, from);
                    out.push(Stmt::Store(*place, value));
                }
            }
        }
        *body = out;
    }
}
