//! What expressions come to where variables may have a few values each. In: an expression, and those values. Out: the values that it may
//! have; or, of a test, which of the variables' values are left when it comes out so. Meaning is the engine's own.

use crate::board::Cells as BoardCells;
use crate::program::{CellExpr, Cells, Num, Truth, Value, VarId};

/// So many values of a variable are told from each other.
const FEW: usize = 3;

/// What a variable may have: so many values, by their numbers; or any when there are more than can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    many: u8,
    values: [u16; FEW],
}

impl Held {
    /// Any value.
    pub const ANY: Held = Held {
        many: u8::MAX,
        values: [0; FEW],
    };

    const NONE: Held = Held {
        many: 0,
        values: [0; FEW],
    };

    /// That value.
    pub fn one(value: u16) -> Held {
        Held::NONE.with(value)
    }

    /// Its values; nothing when it may have any.
    pub fn values(&self) -> Option<&[u16]> {
        self.values.get(..usize::from(self.many))
    }

    fn with(mut self, value: u16) -> Held {
        match self.values() {
            Some(values) if values.contains(&value) => self,
            Some(values) if values.len() < FEW => {
                self.values[usize::from(self.many)] = value;
                self.many += 1;
                self.values[..usize::from(self.many)].sort_unstable();
                self
            }
            _ => Held::ANY,
        }
    }

    /// What one of them may be.
    pub fn or(self, other: &Held) -> Held {
        let Some(more) = other.values() else {
            return Held::ANY;
        };
        more.iter().fold(self, |held, value| held.with(*value))
    }
}

/// So many variables are gone through value by value.
const MOST: usize = 2;

/// The values that there are, by number.
pub struct Values {
    all: Vec<Vec<u64>>,
    /// Words of a set.
    words: usize,
}

/// What variables have: their values' numbers, or nothing when it is not known.
type Given<'a> = &'a dyn Fn(VarId) -> Option<u16>;

/// What is done in one case: told what variables have, and which values were chosen of those that may have several, by their places.
type Case<'a> = dyn FnMut(Given<'_>, &[(usize, u16)]) + 'a;

impl Values {
    /// None yet; a set has so many words.
    pub fn new(words: usize) -> Values {
        Values {
            all: Vec::new(),
            words,
        }
    }

    /// The number of a value.
    pub fn number_of(&mut self, words: &[u64]) -> u16 {
        let known = self.all.iter().position(|known| known == words);
        let at = known.unwrap_or_else(|| {
            self.all.push(words.to_vec());
            self.all.len() - 1
        });
        at as u16
    }

    /// The words of a value.
    pub fn words(&self, value: u16) -> &[u64] {
        &self.all[usize::from(value)]
    }

    /// What an expression may be, by the variables that it reads and where those stand.
    pub fn worth(&mut self, value: &Value, reads: &[(VarId, usize)], state: &[Held]) -> Held {
        let mut found: Vec<Option<Vec<u64>>> = Vec::new();
        each_case(reads, state, &mut |given, _| {
            found.push(
                Eval {
                    values: self,
                    given,
                }
                .value(value),
            );
        });
        found.iter().fold(Held::NONE, |held, words| match words {
            Some(words) => held.with(self.number_of(words)),
            None => Held::ANY,
        })
    }

    /// Whether a test may come out so; what it reads is then only what it can be.
    pub fn refine(
        &self,
        test: &Truth,
        wanted: bool,
        reads: &[(VarId, usize)],
        state: &mut [Held],
    ) -> bool {
        match (test, wanted) {
            (Truth::Not(test), wanted) => return self.refine(test, !wanted, reads, state),
            (Truth::And(a, b), true) | (Truth::Or(a, b), false) => {
                return self.refine(a, wanted, reads, state)
                    && self.refine(b, wanted, reads, state);
            }
            _ => {}
        }
        let mut left = vec![Held::NONE; state.len()];
        let mut may = false;
        each_case(reads, state, &mut |given, chosen| {
            let holds = Eval {
                values: self,
                given,
            }
            .truth(test);
            if holds.is_none_or(|holds| holds == wanted) {
                may = true;
                for (at, value) in chosen {
                    left[*at] = left[*at].with(*value);
                }
            }
        });
        for (held, left) in state.iter_mut().zip(left) {
            if may && left != Held::NONE {
                *held = left;
            }
        }
        may
    }
}

/// Goes through what the first variables that may have several values have.
fn each_case(reads: &[(VarId, usize)], state: &[Held], case: &mut Case<'_>) {
    let several = |(_, at): &&(VarId, usize)| state[*at].values().is_some_and(|v| v.len() > 1);
    let several: Vec<usize> = reads.iter().filter(several).map(|(_, at)| *at).collect();
    let several = &several[..several.len().min(MOST)];
    let mut chosen: Vec<(usize, u16)> = Vec::new();
    go_through(several, reads, state, &mut chosen, case);
}

fn go_through(
    several: &[usize],
    reads: &[(VarId, usize)],
    state: &[Held],
    chosen: &mut Vec<(usize, u16)>,
    case: &mut Case<'_>,
) {
    if let [first, rest @ ..] = several {
        for value in state[*first].values().unwrap_or(&[]) {
            chosen.push((*first, *value));
            go_through(rest, reads, state, chosen, case);
            chosen.pop();
        }
        return;
    }
    let chosen: &[(usize, u16)] = chosen;
    let given = |var: VarId| {
        let (_, at) = reads.iter().find(|(v, _)| *v == var)?;
        let one = chosen.iter().find(|(of, _)| of == at);
        one.map(|(_, value)| *value)
            .or_else(|| match state[*at].values()? {
                [value] => Some(*value),
                _ => None,
            })
    };
    case(&given, chosen);
}

/// One case.
struct Eval<'a> {
    values: &'a Values,
    given: Given<'a>,
}

impl Eval<'_> {
    fn word(&self, var: VarId) -> Option<u64> {
        self.values.words((self.given)(var)?).first().copied()
    }

    fn value(&self, value: &Value) -> Option<Vec<u64>> {
        match value {
            Value::Num(num) => Some(vec![self.num(num)?.cast_unsigned()]),
            Value::Truth(test) => Some(vec![u64::from(self.truth(test)?)]),
            Value::Cell(cell) => Some(vec![self.cell(cell)?]),
            Value::Cells(set) | Value::Groups(set) => {
                let set = self.cells(set)?;
                Some(set.words()[..self.values.words].to_vec())
            }
            Value::Run(_) | Value::Dir(_) | Value::Dirs(_) | Value::Player(_) | Value::Kind(_) => {
                None
            }
        }
    }

    fn num(&self, num: &Num) -> Option<i64> {
        let both = |how, a: &Num, b: &Num| Some(Num::calculate(how, self.num(a)?, self.num(b)?));
        match num {
            Num::Const(n) => Some(*n),
            Num::Var(v) => Some(self.word(*v)?.cast_signed()),
            Num::Add(a, b) => both('+', a, b),
            Num::Sub(a, b) => both('-', a, b),
            Num::Mul(a, b) => both('*', a, b),
            Num::Div(a, b) => both('/', a, b),
            Num::Mod(a, b) => both('%', a, b),
            Num::Count(set) => Some(self.cells(set)?.len() as i64),
            Num::If(test, a, b) => match self.truth(test)? {
                true => self.num(a),
                false => self.num(b),
            },
            _ => None,
        }
    }

    fn truth(&self, test: &Truth) -> Option<bool> {
        match test {
            Truth::Const(holds) => Some(*holds),
            Truth::Var(v) => Some(self.word(*v)? != 0),
            Truth::Not(test) => Some(!self.truth(test)?),
            Truth::And(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            Truth::Or(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => Some(a? || b?),
            },
            Truth::Compare(how, a, b) => Some(how.holds(self.num(a)?, self.num(b)?)),
            Truth::SameCell(a, b) => Some(self.cell(a)? == self.cell(b)?),
            Truth::SameCells(a, b) => Some(self.cells(a)? == self.cells(b)?),
            Truth::Some(set) => Some(!self.cells(set)?.is_empty()),
            Truth::If(test, a, b) => match self.truth(test)? {
                true => self.truth(a),
                false => self.truth(b),
            },
            _ => None,
        }
    }

    /// A cell's number counted from 1, 0 for nowhere.
    fn cell(&self, cell: &CellExpr) -> Option<u64> {
        match cell {
            CellExpr::Const(c) => Some(u64::from(c.0) + 1),
            CellExpr::Nowhere => Some(0),
            CellExpr::Var(v) => self.word(*v),
            _ => None,
        }
    }

    fn cells(&self, set: &Cells) -> Option<BoardCells> {
        match set {
            Cells::Const(set) => Some(**set),
            Cells::Var(v) => Some(BoardCells::from_words(self.values.words((self.given)(*v)?))),
            Cells::Or(a, b) => Some(self.cells(a)? | self.cells(b)?),
            Cells::And(a, b) => match (self.cells(a), self.cells(b)) {
                (Some(none), _) | (_, Some(none)) if none.is_empty() => Some(none),
                (a, b) => Some(a? & b?),
            },
            Cells::Without(a, b) => match self.cells(a)? {
                none if none.is_empty() => Some(none),
                a => Some(a.without(self.cells(b)?)),
            },
            Cells::If(test, a, b) => match self.truth(test)? {
                true => self.cells(a),
                false => self.cells(b),
            },
            _ => None,
        }
    }
}
