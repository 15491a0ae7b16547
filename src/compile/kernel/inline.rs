//! Small functions put in place where they are called: functions in, the same functions out with fewer calls. What a function
//! does is not changed. Before: any functions. After: functions that are short and call nothing are called in loops only that are
//! not known to end, where calls are counted, and so are calls that come to little by the fixed words that they give. Conditions: none.

use crate::compile::kernel::settled::{Fixed, fixed, may_settle, settled};
use crate::compile::kernel::sizes::{Size, callers};
use crate::program::kernel::{
    Body, FuncId, Function, Label, Renumber, S, Set, Stmt, Value, W, Word,
};

/// A function of at most so many statements is put in place everywhere.
const SHORT: usize = 24;

/// Where few statements are wanted, no more are put into what plays or counts whole.
const FEW: usize = 12;

/// One that calls others.
const BETWEEN: usize = 16;

/// Where few statements are wanted, one that calls one other and has at most so many is put in place everywhere: it is little more
/// than a call that hands on what it is given.
const HANDS_ON: usize = 8;

/// One that is called at one place only, or from a random game, may have so many; from several places, that by their number.
const MEDIUM: usize = 160;

/// One that is called at one place only, from what plays or counts whole or behind an action, or by anybody where random games are played,
/// may have so many and call others, unless that has more than so many itself.
const LONG: usize = 400;
const LONGEST: usize = 1000;

/// As these two, in what draws apart for each place: little is held from one of its parts to another.
const LONG_APART: usize = 600;
const LONGEST_APART: usize = 2400;

/// One that is given so many values may be called from outside as well: they do not all fit into registers.
const LADEN: usize = 6;

/// No function gets more words or sets than this by what is put in place.
const MOST: u32 = 1 << 12;

/// After so many rounds what was made to call nothing is left where it is.
const ROUNDS: usize = 3;

/// How functions are put in place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// So that there are few statements: only small ones.
    Few,
    /// As it is fastest where sequences are counted.
    Counted,
    /// As it is fastest where random games are played: what is called at one place only stands there, also in what others call.
    Played,
    /// The same, where random games draw apart for each place.
    Apart,
}

/// Puts small functions in place; in those of `open`, which are not put anywhere themselves, also medium ones.
///
/// The functions of `open` have no loops that go on for ever. One that counts behind an action gets longer ones that are called there
/// only.
pub fn inline(functions: &mut [Function], open: &[FuncId], behind: Option<FuncId>, how: How) {
    let few = how == How::Few;
    let (most_put, most_into) = match how {
        How::Few | How::Counted | How::Played => (LONG, LONGEST),
        How::Apart => (LONG_APART, LONGEST_APART),
    };
    let laden: Vec<bool> = functions.iter().map(|f| f.params.len() >= LADEN).collect();
    let mut sizes: Vec<Size> = functions.iter().map(|f| Size::of(&f.body)).collect();
    for _ in 0..ROUNDS {
        let callers = callers(&sizes);
        let mut changed = Vec::new();
        for at in 0..functions.len() {
            let wide = open.contains(&FuncId(at as u32));
            let long = wide || behind == Some(FuncId(at as u32));
            let fits = |id: FuncId| {
                let callee = id.0 as usize;
                let most = match callers[callee] {
                    many if few && (wide || many > 1) => FEW,
                    many if !wide && many > 1 => (MEDIUM / many).max(SHORT),
                    _ => MEDIUM,
                };
                let Size {
                    statements, calls, ..
                } = &sizes[callee];
                let between = !calls.is_empty() && *statements <= BETWEEN && callers[callee] <= 2;
                let hands_on = few && calls.len() == 1 && *statements <= HANDS_ON;
                let places = match how {
                    How::Apart if wide && laden[callee] => 4,
                    _ if wide && laden[callee] => 2,
                    _ => 1,
                };
                let only = how == How::Played && callers[callee] == 1;
                let alone =
                    (only || long && !few && callers[callee] <= places) && !calls.contains(&id);
                let alone = alone && *statements <= most_put && sizes[at].statements <= most_into;
                let short = calls.is_empty() && *statements <= most;
                let stays = callee == at || open.contains(&id);
                !stays && (short || alone || between || hands_on)
            };
            let settles = |id: FuncId| {
                !few && id.0 as usize != at
                    && !open.contains(&id)
                    && may_settle(&sizes[id.0 as usize])
            };
            let settles_some = sizes[at].calls.iter().any(|id| settles(*id));
            if !settles_some && !sizes[at].calls.iter().any(|id| fits(*id)) {
                continue;
            }
            let mut function = std::mem::take(&mut functions[at]);
            let mut caller = Caller {
                fixed: if settles_some {
                    fixed(&function, std::iter::empty())
                } else {
                    Fixed::default()
                },
                settles: &settles,
                labels: labels(&function.body),
                words: function.words,
                sets: function.sets,
                functions,
                wide,
                changed: false,
            };
            function.body = caller.body(std::mem::take(&mut function.body), &fits);
            (function.words, function.sets) = (caller.words, caller.sets);
            if caller.changed {
                changed.push(at);
            }
            functions[at] = function;
        }
        if changed.is_empty() {
            return;
        }
        for at in changed {
            sizes[at] = Size::of(&functions[at].body);
        }
    }
}

/// Puts a function in place wherever another calls it, unless it has too many statements.
pub fn put(functions: &mut [Function], callee: FuncId, into: FuncId) {
    let Size {
        statements, calls, ..
    } = Size::of(&functions[callee.0 as usize].body);
    if statements > LONGEST || calls.contains(&callee) || callee == into {
        return;
    }
    let mut function = std::mem::take(&mut functions[into.0 as usize]);
    place_all(&mut function, functions, true, &|id| id == callee);
    functions[into.0 as usize] = function;
}

/// A copy of a function, with those in place of their calls that are not long, and what these call.
pub fn with_callees(functions: &[Function], id: FuncId) -> Function {
    let mut function = functions[id.0 as usize].clone();
    let fits = |callee: FuncId| {
        let statements = Size::of(&functions[callee.0 as usize].body).statements;
        callee != id && statements <= MEDIUM
    };
    for _ in 0..ROUNDS {
        if !place_all(&mut function, functions, false, &fits) {
            break;
        }
    }
    function
}

/// Puts those that fit in place of their calls in a function; false when there were none. `wide` is whether its loops are known to end.
fn place_all(
    function: &mut Function,
    functions: &[Function],
    wide: bool,
    fits: &dyn Fn(FuncId) -> bool,
) -> bool {
    let mut caller = Caller {
        fixed: Fixed::default(),
        settles: &|_| false,
        labels: labels(&function.body),
        words: function.words,
        sets: function.sets,
        functions,
        wide,
        changed: false,
    };
    function.body = caller.body(std::mem::take(&mut function.body), fits);
    (function.words, function.sets) = (caller.words, caller.sets);
    caller.changed
}

/// One more than the highest label.
fn labels(body: &Body) -> u32 {
    let of = |stmt: &Stmt| {
        let own = match stmt {
            Stmt::Loop(label, _) | Stmt::Block(label, _) => label.0 + 1,
            _ => 0,
        };
        let inner = stmt.bodies().map(labels).max();
        own.max(inner.unwrap_or(0))
    };
    body.iter().map(of).max().unwrap_or(0)
}

/// Whether a function is left in the middle.
fn returns_within(body: &Body) -> bool {
    let last = body.len().saturating_sub(1);
    let within = |(at, stmt): (usize, &Stmt)| match stmt {
        Stmt::Return(_) => at != last,
        other => other.bodies().any(has_return),
    };
    body.iter().enumerate().any(within)
}

fn has_return(body: &Body) -> bool {
    let of = |stmt: &Stmt| matches!(stmt, Stmt::Return(_)) || stmt.bodies().any(has_return);
    body.iter().any(of)
}

/// A function into which others are put.
struct Caller<'f> {
    labels: u32,
    words: u32,
    sets: u32,
    functions: &'f [Function],
    /// Its words that are fixed.
    fixed: Fixed,
    /// Whether a call of it may come to little where words are fixed.
    settles: &'f dyn Fn(FuncId) -> bool,
    /// Whether its loops are known to end.
    wide: bool,
    changed: bool,
}

impl<'f> Caller<'f> {
    fn body(&mut self, body: Body, fits: &dyn Fn(FuncId) -> bool) -> Body {
        let mut out = Vec::with_capacity(body.len());
        for stmt in body {
            match stmt {
                Stmt::Call(id, arguments, result) if fits(id) && self.has_room(id) => {
                    let callee = &self.functions[id.0 as usize];
                    self.place(callee, &callee.body, (&arguments, result), &mut out);
                }
                Stmt::Call(id, arguments, result) if (self.settles)(id) && self.has_room(id) => {
                    let callee = &self.functions[id.0 as usize];
                    match settled(callee, &arguments, &self.fixed, SHORT) {
                        Some(left) => self.place(callee, &left, (&arguments, result), &mut out),
                        None => out.push(Stmt::Call(id, arguments, result)),
                    }
                }
                other => out.push(self.within(other, fits)),
            }
        }
        out
    }

    /// The same statement, with what is inside it looked through.
    fn within(&mut self, stmt: Stmt, fits: &dyn Fn(FuncId) -> bool) -> Stmt {
        match stmt {
            Stmt::If(w, yes, no) => {
                let yes = self.body(yes, fits);
                Stmt::If(w, yes, self.body(no, fits))
            }
            Stmt::Switch(w, bodies) => {
                let bodies = bodies.into_iter().map(|b| self.body(b, fits));
                Stmt::Switch(w, bodies.collect())
            }
            Stmt::ForCells(w, s, body) => Stmt::ForCells(w, s, self.body(body, fits)),
            Stmt::ForBits(w, of, body) => Stmt::ForBits(w, of, self.body(body, fits)),
            Stmt::ForNumbers(w, a, b, body) => Stmt::ForNumbers(w, a, b, self.body(body, fits)),
            // Calls are counted, so that a loop that goes on for ever is noticed.
            Stmt::Loop(label, body) if self.wide => Stmt::Loop(label, self.body(body, fits)),
            Stmt::Block(label, body) => Stmt::Block(label, self.body(body, fits)),
            other => other,
        }
    }

    fn has_room(&self, id: FuncId) -> bool {
        let callee = &self.functions[id.0 as usize];
        self.words + callee.words < MOST && self.sets + callee.sets <= MOST
    }

    /// A function in place of its call, or what is left of it.
    fn place(
        &mut self,
        callee: &'f Function,
        left: &Body,
        (arguments, result): (&[Value], Option<W>),
        out: &mut Body,
    ) {
        self.changed = true;
        let mut moved = Moved {
            words: self.words,
            sets: self.sets,
            labels: self.labels + 1,
            end: Label(self.labels),
            result,
            blocked: returns_within(left),
        };
        self.words += callee.words;
        self.sets += callee.sets;
        self.labels += 1 + labels(left);
        for (param, argument) in callee.params.iter().zip(arguments) {
            match (*param, *argument) {
                (Value::Word(to), Value::Word(from)) => {
                    out.push(Stmt::Let(moved.word(to), Word::Copy(from)));
                }
                (Value::Set(to), Value::Set(from)) => {
                    out.push(Stmt::LetSet(moved.set(to), Set::Copy(from)));
                }
                (Value::Word(_), Value::Set(_)) | (Value::Set(_), Value::Word(_)) => {}
            }
        }
        let mut body = moved.body(left);
        let goes_on = !matches!(left.last(), Some(Stmt::Return(_) | Stmt::Fault(_)));
        if goes_on && let Some(result) = result {
            body.push(Stmt::Let(result, Word::Const(0)));
        }
        if moved.blocked {
            out.push(Stmt::Block(moved.end, body));
        } else {
            out.append(&mut body);
        }
    }
}

/// Statements with other numbers.
struct Moved {
    words: u32,
    sets: u32,
    labels: u32,
    /// The block that a return leaves.
    end: Label,
    result: Option<W>,
    blocked: bool,
}

impl Renumber for Moved {
    fn word(&mut self, w: W) -> W {
        W(w.0 + self.words)
    }

    fn set(&mut self, s: S) -> S {
        S(s.0 + self.sets)
    }
}

impl Moved {
    fn label(&self, label: Label) -> Label {
        Label(label.0 + self.labels)
    }

    fn body(&mut self, body: &Body) -> Body {
        let mut out = Vec::with_capacity(body.len());
        for stmt in body {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, of: &Stmt, out: &mut Body) {
        if let Stmt::Return(w) = of {
            if let Some(result) = self.result {
                out.push(Stmt::Let(result, Word::Copy(self.word(*w))));
            }
            if self.blocked {
                out.push(Stmt::Leave(self.end));
            }
            return;
        }
        let mut stmt = of.head();
        stmt.renumber_reads(self);
        stmt.renumber_gives(self);
        if let Stmt::Loop(label, _) | Stmt::Block(label, _) | Stmt::Leave(label) = &mut stmt {
            *label = self.label(*label);
        }
        for (inner, body) in stmt.bodies_mut().zip(of.bodies()) {
            *inner = self.body(body);
        }
        out.push(stmt);
    }
}
