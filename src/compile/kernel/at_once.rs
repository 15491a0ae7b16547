//! What is asked whether it can be done, and listed when it can, is listed at once: whether there was something is seen on the way.
//! Before: tidy functions. After: where a block only asks what the statements behind it go through once more, they ask as well.
//! Conditions: statement for statement those behind do what the block did; what they do besides comes to nothing where the answer
//! is no: actions of a set that is empty then, words of the path, doubts, of which the block reads none.

use crate::program::kernel::{
    Bin, Body, Function, Label, Place, Renumber, Room, S, Set, Stmt, Value, W, Word, each_statement,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many statements of a question are added to a list at most.
const MOST_ADDED: usize = 4;

/// Lists at once what is asked first, in every function.
pub fn list(functions: &mut [Function], room: &Room) {
    for function in functions {
        if asks_first(&function.body) {
            let mut fresh = Fresh(function.words, function.sets);
            let read = reads(&function.body);
            function.body = body(std::mem::take(&mut function.body), room, &mut fresh, &read);
            (function.words, function.sets) = (fresh.0, fresh.1);
        }
    }
}

/// Whether somewhere a block asks what an if behind it looks at.
fn asks_first(body: &Body) -> bool {
    let asks = |some: &[Stmt]| match some {
        [
            Stmt::Let(flag, Word::Const(0)),
            Stmt::Block(..),
            Stmt::If(w, ..),
            ..,
        ]
        | [
            Stmt::Let(flag, Word::Const(0)),
            Stmt::Block(..),
            Stmt::Store(..),
            Stmt::If(w, ..),
            ..,
        ] => w == flag,
        _ => false,
    };
    (0..body.len()).any(|at| asks(&body[at..]))
        || body.iter().flat_map(Stmt::bodies).any(asks_first)
}

/// The numbers of words and sets that are not used yet.
#[derive(Clone, Copy)]
struct Fresh(u32, u32);

/// How often each value is read.
pub fn reads(body: &Body) -> FxHashMap<Value, usize> {
    let mut all = FxHashMap::default();
    each_statement(body, &mut |stmt| {
        stmt.each_read(&mut |value| *all.entry(value).or_insert(0) += 1);
    });
    all
}

/// Whether what a list gives is read by the list only: it may be given now where the answer is no.
fn keeps_to_itself(listed: &Body, read: &FxHashMap<Value, usize>) -> bool {
    let inside = reads(listed);
    let count = |of: &FxHashMap<Value, usize>, value: Value| of.get(&value).copied().unwrap_or(0);
    let mut alone = true;
    each_statement(listed, &mut |stmt| {
        let given = stmt.gives();
        alone &= given.is_none_or(|value| count(read, value) <= count(&inside, value));
    });
    alone
}

/// Where the answer to what is asked is stored before it is looked at, that statement, which is taken away.
fn answer_left_aside(out: &mut Body, stmt: &Stmt) -> Option<Stmt> {
    match (out.as_slice(), stmt) {
        (
            [
                ..,
                Stmt::Let(flag, Word::Const(0)),
                Stmt::Block(..),
                Stmt::Store(_, stored),
            ],
            Stmt::If(w, ..),
        ) if w == flag && stored == flag => out.pop(),
        _ => None,
    }
}

fn body(all: Body, room: &Room, fresh: &mut Fresh, read: &FxHashMap<Value, usize>) -> Body {
    let mut out: Body = Vec::with_capacity(all.len());
    for mut stmt in all {
        let aside = answer_left_aside(&mut out, &stmt);
        // Asked before what stands inside is changed.
        let apart = match (out.as_slice(), &stmt) {
            ([.., Stmt::Let(flag, Word::Const(0)), Stmt::Block(..)], Stmt::If(w, listed, _)) => {
                w == flag && keeps_to_itself(listed, read)
            }
            _ => false,
        };
        for inner in stmt.bodies_mut() {
            *inner = body(std::mem::take(inner), room, fresh, read);
        }
        let found = match (out.as_slice(), &stmt) {
            (
                [
                    ..,
                    Stmt::Let(flag, Word::Const(0)),
                    Stmt::Block(label, asked),
                ],
                Stmt::If(w, listed, _),
            ) if apart && w == flag => {
                Follower::new(*flag, *label, room, *fresh).all(asked, listed)
            }
            _ => None,
        };
        match (found, stmt) {
            (Some((mut listed, used)), Stmt::If(flag, _, otherwise)) => {
                *fresh = used;
                out.pop();
                out.append(&mut listed);
                out.extend(aside);
                if !otherwise.is_empty() {
                    out.push(Stmt::If(flag, Body::new(), otherwise));
                }
            }
            (_, stmt) => {
                out.extend(aside);
                out.push(stmt);
            }
        }
    }
    out
}

/// Follows what is asked in what is listed.
#[derive(Clone)]
struct Follower<'r> {
    /// The word that is 1 when the answer is yes, and the block that is left then.
    flag: W,
    label: Label,
    room: &'r Room,
    fresh: Fresh,
    /// What stands for what in the list.
    words: FxHashMap<W, W>,
    sets: FxHashMap<S, S>,
    labels: FxHashMap<Label, Label>,
    /// The words by which the answer is yes, in the list.
    yes: Vec<W>,
    /// Words of the list that are 0 or 1.
    truths: FxHashSet<W>,
    /// Sets of the list by the words that tell whether they have cells, or how many.
    asked_of: FxHashMap<W, S>,
    /// What has to be the same wherever it is read: given in one place of the list only.
    once: Vec<Value>,
    /// Sets that are listed wherever the answer may be no.
    listed: Vec<S>,
    /// What is given in the list besides.
    besides: FxHashSet<Value>,
    /// So many statements were added.
    added: usize,
}

impl Renumber for Follower<'_> {
    fn word(&mut self, w: W) -> W {
        self.words.get(&w).copied().unwrap_or(w)
    }

    fn set(&mut self, s: S) -> S {
        self.sets.get(&s).copied().unwrap_or(s)
    }
}

impl<'r> Follower<'r> {
    fn new(flag: W, label: Label, room: &'r Room, fresh: Fresh) -> Follower<'r> {
        Follower {
            flag,
            label,
            room,
            fresh,
            words: FxHashMap::default(),
            sets: FxHashMap::default(),
            labels: FxHashMap::default(),
            yes: Vec::new(),
            truths: FxHashSet::default(),
            asked_of: FxHashMap::default(),
            once: Vec::new(),
            listed: Vec::new(),
            besides: FxHashSet::default(),
            added: 0,
        }
    }

    /// The list that asks as well; nothing when it does not do what was asked.
    fn all(mut self, asked: &Body, listed: &Body) -> Option<(Body, Fresh)> {
        let flag = Value::Word(self.flag);
        let mut touched = false;
        each_statement(listed, &mut |s| {
            touched |= s.reads(flag) || s.gives() == Some(flag)
        });
        each_statement(asked, &mut |s| {
            // Who is called may read anything.
            touched |= match s {
                Stmt::Let(_, Word::Load(place)) | Stmt::LetSet(_, Set::Load(place)) => {
                    self.is_besides(*place)
                }
                other => matches!(other, Stmt::Call(..)),
            };
        });
        if touched {
            return None;
        }
        let both = self.body(asked, listed)?;
        let words = self.words.values().map(|w| Value::Word(*w));
        let images: FxHashSet<Value> = words
            .chain(self.sets.values().map(|s| Value::Set(*s)))
            .collect();
        let mut sound = images.len() == self.words.len() + self.sets.len();
        sound &= images.is_disjoint(&self.besides);
        // What the question reads from outside is not given anything by the list.
        each_statement(asked, &mut |stmt| {
            stmt.each_read(&mut |read| {
                let own = match read {
                    Value::Word(w) => self.words.contains_key(&w),
                    Value::Set(s) => self.sets.contains_key(&s),
                };
                sound &= own || !(images.contains(&read) || self.besides.contains(&read));
            });
        });
        let empty = |s: &S| self.yes.iter().any(|w| self.asked_of.get(w) == Some(s));
        sound &= self.listed.iter().all(empty) && !self.yes.is_empty();
        let sets = self.listed.iter().map(|s| Value::Set(*s));
        let yes = self.yes.iter().map(|w| Value::Word(*w));
        for value in self.once.iter().copied().chain(sets).chain(yes) {
            let mut given = 0;
            each_statement(&both, &mut |s| {
                given += usize::from(s.gives() == Some(value))
            });
            sound &= given <= 1;
        }
        sound.then_some((both, self.fresh))
    }

    /// Whether these end the block with yes.
    fn says_yes(&self, body: &[Stmt]) -> bool {
        matches!(body, [Stmt::Let(w, Word::Const(1)), Stmt::Leave(l)] if *w == self.flag && *l == self.label)
    }

    fn body(&mut self, asked: &[Stmt], listed: &[Stmt]) -> Option<Body> {
        let mut out = Vec::with_capacity(listed.len() + 1);
        let mut rest = listed;
        let mut left = asked;
        while let [first, others @ ..] = left {
            if self.says_yes(left) {
                out.push(Stmt::Let(self.flag, Word::Const(1)));
                // What stands here is done only where the answer is yes.
                let besides = &mut self.besides;
                each_statement(rest, &mut |s| besides.extend(s.gives()));
                out.extend_from_slice(rest);
                return Some(out);
            }
            left = others;
            if let Stmt::If(w, yes, no) = first
                && no.is_empty()
                && self.says_yes(yes)
            {
                let w = self.word(*w);
                self.yes.push(w);
                let yes = Stmt::Let(self.flag, Word::Const(1));
                out.push(if self.truths.contains(&w) {
                    Stmt::Let(self.flag, Word::Bin(Bin::Or, self.flag, w))
                } else {
                    Stmt::If(w, vec![yes], Body::new())
                });
                continue;
            }
            match self.find(first, rest) {
                Some((at, same)) => {
                    for stmt in &rest[..at] {
                        self.skip(stmt)?;
                        out.push(stmt.clone());
                    }
                    out.push(same);
                    rest = &rest[at + 1..];
                }
                // What is not there is asked besides, when it is little.
                None => out.push(self.add(first)?),
            }
        }
        for stmt in rest {
            self.skip(stmt)?;
            out.push(stmt.clone());
        }
        Some(out)
    }

    /// The first listed statement that does what is asked, and its place.
    fn find(&mut self, asked: &Stmt, listed: &[Stmt]) -> Option<(usize, Stmt)> {
        (0..)
            .zip(listed)
            .find_map(|(at, stmt)| Some((at, self.same(asked, stmt)?)))
    }

    /// What is asked, of what stands for it in the list.
    fn add(&mut self, asked: &Stmt) -> Option<Stmt> {
        let little = match asked {
            Stmt::Let(_, word) => matches!(
                word,
                Word::Const(_)
                    | Word::Bin(..)
                    | Word::Some(_)
                    | Word::Has(..)
                    | Word::Meet(..)
                    | Word::Within(..)
            ),
            Stmt::LetSet(_, set) => matches!(set, Set::And(..) | Set::Or(..) | Set::Without(..)),
            _ => false,
        };
        let mut added = asked.clone();
        added.renumber_reads(self);
        let known = match asked.gives()? {
            Value::Word(w) => self.words.insert(w, W(self.fresh.0)).is_some(),
            Value::Set(s) => self.sets.insert(s, S(self.fresh.1)).is_some(),
        };
        self.added += 1;
        if !little || known || self.added > MOST_ADDED {
            return None;
        }
        match &mut added {
            Stmt::Let(w, _) => {
                *w = W(self.fresh.0);
                self.fresh.0 += 1;
            }
            Stmt::LetSet(s, _) => {
                *s = S(self.fresh.1);
                self.fresh.1 += 1;
            }
            _ => return None,
        }
        self.note(&added);
        Some(added)
    }

    /// What words of the list tell of.
    fn note(&mut self, stmt: &Stmt) {
        let Stmt::Let(w, word) = stmt else {
            return;
        };
        if let Word::Some(s) | Word::Count(s) = word {
            self.asked_of.insert(*w, *s);
        }
        if let Word::Some(_) | Word::Has(..) | Word::Within(..) | Word::Meet(..) | Word::Same(..) =
            word
        {
            self.truths.insert(*w);
        }
    }

    /// Whether a list may write there, whatever the answer is: words of the path, and doubts.
    fn is_besides(&self, place: Place) -> bool {
        (self.room.path..self.room.text).contains(&place.base) || place.base == self.room.doubt
    }

    /// The listed statement, when it does what the asked one does; else all is left as it was.
    fn same(&mut self, asked: &Stmt, listed: &Stmt) -> Option<Stmt> {
        if std::mem::discriminant(asked) != std::mem::discriminant(listed) {
            return None;
        }
        if asked.bodies().is_empty() {
            return self.same_within(asked, listed);
        }
        let before = self.clone();
        let same = self.same_within(asked, listed);
        if same.is_none() {
            *self = before;
        }
        same
    }

    fn same_within(&mut self, asked: &Stmt, listed: &Stmt) -> Option<Stmt> {
        match (asked, listed) {
            (Stmt::Leave(a), Stmt::Leave(b)) => {
                return (self.labels.get(a) == Some(b)).then(|| listed.clone());
            }
            (Stmt::Loop(a, _), Stmt::Loop(b, _)) | (Stmt::Block(a, _), Stmt::Block(b, _)) => {
                self.labels.insert(*a, *b);
            }
            _ => {
                let (mut mine, mut other) = (asked.head(), listed.head());
                mine.renumber_reads(self);
                mine.renumber_gives(&mut Blank);
                other.renumber_gives(&mut Blank);
                if mine != other {
                    return None;
                }
            }
        }
        match (asked.gives(), listed.gives()) {
            (Some(Value::Word(a)), Some(Value::Word(b)))
                if *self.words.entry(a).or_insert(b) == b => {}
            (Some(Value::Set(a)), Some(Value::Set(b))) if *self.sets.entry(a).or_insert(b) == b => {
            }
            (None, None) => {}
            _ => return None,
        }
        self.note(listed);
        let mut both = listed.head();
        let bodies = asked.bodies().zip(listed.bodies());
        for (inner, (a, b)) in both.bodies_mut().zip(bodies) {
            *inner = self.body(a, b)?;
        }
        Some(both)
    }

    /// Goes past a statement that was not asked, when it comes to nothing where the answer is no.
    fn skip(&mut self, stmt: &Stmt) -> Option<()> {
        self.note(stmt);
        self.besides.extend(stmt.gives());
        match stmt {
            Stmt::Let(..) | Stmt::LetSet(..) => Some(()),
            Stmt::Tally(w) => {
                self.listed.push(*self.asked_of.get(w)?);
                self.once.push(Value::Word(*w));
                Some(())
            }
            Stmt::Leaves(_, s, _) => {
                self.listed.push(*s);
                Some(())
            }
            Stmt::Store(place, _) => self.is_besides(*place).then_some(()),
            Stmt::If(w, yes, no) => {
                if self.yes.contains(w) {
                    let besides = &mut self.besides;
                    each_statement(yes, &mut |s| besides.extend(s.gives()));
                } else {
                    yes.iter().try_for_each(|s| self.skip(s))?;
                }
                no.iter().try_for_each(|s| self.skip(s))
            }
            _ => None,
        }
    }
}

/// Forgets what is given.
struct Blank;

impl Renumber for Blank {
    fn word(&mut self, _: W) -> W {
        W(0)
    }

    fn set(&mut self, _: S) -> S {
        S(0)
    }
}
