//! Where functions find a best and compare with it. In: statements as they are lowered. Out: what stands where, if nothing else is done
//! with the best.

use crate::compile::kernel::at_once::reads;
use crate::compile::kernel::surpassed::Best;
use crate::program::kernel::{Bin, Body, FuncId, Place, Stmt, Value, W, Word, each_statement};

/// Where a best is found, in a list of statements: from the first to the last statement of that, the words that say whether there is one and
/// which it is, and what stands behind the statements that are for its runs.
pub(super) struct Found {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) any: W,
    pub(super) best: W,
    /// The statement that goes on when there is one.
    pub(super) then: usize,
    /// Where both are left aside.
    pub(super) aside: Vec<(Place, W)>,
}

/// The list of statements in which a best is found.
pub(super) fn within(body: &Body, best: Best) -> Option<&Body> {
    if body.iter().any(|stmt| begins(stmt, best)) {
        return Some(body);
    }
    let mut inner = body.iter().flat_map(Stmt::bodies);
    inner.find_map(|body| within(body, best))
}

/// Whether with a statement the best begins to be found.
pub(super) fn begins(stmt: &Stmt, best: Best) -> bool {
    matches!(stmt, Stmt::Store(place, _) if *place == Place::plain(best.at))
}

impl Found {
    /// Finds it in a list of statements, when nothing else stands between.
    pub(super) fn in_body(body: &Body, best: Best) -> Option<Found> {
        let from = body.iter().position(|stmt| begins(stmt, best))?;
        let (mut any, mut of_best, mut to) = (None, None, from);
        for (i, stmt) in body.iter().enumerate().skip(from + 1) {
            match stmt {
                Stmt::Mark(_) | Stmt::Undo(_) | Stmt::Call(_, _, Some(_)) => {}
                Stmt::Let(w, Word::Load(place)) if *place == Place::plain(best.at) => {
                    any = Some(*w)
                }
                Stmt::Let(w, Word::Load(place)) if *place == Place::plain(best.at + 1) => {
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
                    let read = reads(body).get(&Value::Word(any)).copied();
                    return (read == Some(stored + 1)).then_some(Found {
                        from,
                        to,
                        any,
                        best: of_best,
                        then: i,
                        aside,
                    });
                }
                Stmt::Let(..) if !stmt.reads(Value::Word(of_best)) => {}
                _ => return None,
            }
        }
        None
    }
}

/// For what the best is read.
pub(super) struct Uses<'k> {
    pub(super) word: W,
    /// How often it, or whether there is one, may be stored.
    pub(super) aside: usize,
    /// What is done behind comparisons.
    pub(super) done: &'k mut Option<Done>,
    /// To whom it is handed on, and as which of the values.
    pub(super) calls: Vec<(FuncId, usize)>,
}

impl Uses<'_> {
    /// Whether it is only compared with and handed on.
    pub(super) fn body(&mut self, body: &Body) -> bool {
        for (i, stmt) in body.iter().enumerate() {
            let fits = match stmt {
                _ if !stmt.reads(Value::Word(self.word)) => true,
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
        let asks =
            |stmt: &&Stmt| matches!(stmt, Stmt::If(w, _, no) if *w == answer && no.is_empty());
        let mut read = 0;
        each_statement(rest, &mut |stmt| {
            stmt.each_read(&mut |value| read += usize::from(value == Value::Word(answer)));
        });
        let Some(Stmt::If(_, yes, _)) = rest.iter().find(asks).filter(|_| read == 1) else {
            return false;
        };
        let Some(done) = done(yes) else {
            return false;
        };
        self.done.replace(done).is_none_or(|before| before == done)
    }
}

/// What is done with an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Listed,
    Counted,
}

/// What a body does with actions; nothing when it does something else besides.
fn done(body: &Body) -> Option<Done> {
    let (mut lists, mut counts, mut plain) = (false, false, true);
    each_statement(body, &mut |stmt| match stmt {
        Stmt::Leaf(_) | Stmt::Leaves(..) => lists = true,
        Stmt::Tally(_) => counts = true,
        Stmt::Call(..) | Stmt::Return(_) | Stmt::Leave(_) => plain = false,
        _ => {}
    });
    match (lists, counts) {
        (true, false) if plain => Some(Done::Listed),
        (false, true) if plain => Some(Done::Counted),
        _ => None,
    }
}
