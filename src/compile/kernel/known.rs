//! What is known of variables on a way through a program, whatever the position is: between which numbers they are, and which are
//! chosen parts of a set, which have a cell. In: the instructions of the way. Out: how tests come out that ask only for that.

use crate::program::{Cells, Compare, Num, Truth, Value, VarId};

/// What is known at a place of the way.
#[derive(Clone, Default, PartialEq)]
pub struct Known {
    /// Numbers: from, to.
    numbers: Vec<(VarId, i64, i64)>,
    /// Parts that were chosen.
    pub parts: Vec<VarId>,
}

impl Known {
    /// A variable gets some value.
    pub fn forget(&mut self, var: VarId) {
        self.numbers.retain(|(v, ..)| *v != var);
        self.parts.retain(|v| *v != var);
    }

    /// What is known stays known of some variables only.
    pub fn keep(&mut self, of: impl Fn(VarId) -> bool) {
        self.numbers.retain(|(v, ..)| of(*v));
        self.parts.retain(|v| of(*v));
    }

    /// A variable gets the part that is chosen.
    pub fn part(&mut self, var: VarId) {
        self.forget(var);
        self.parts.push(var);
    }

    /// A variable gets a value.
    pub fn given(&mut self, var: VarId, value: &Value) {
        let number = match value {
            Value::Num(num) => self.number(num),
            _ => None,
        };
        let part = matches!(value, Value::Cells(set) if self.is_part(set));
        self.forget(var);
        self.numbers.extend(number.map(|(a, b)| (var, a, b)));
        self.parts.extend(part.then_some(var));
    }

    fn is_part(&self, set: &Cells) -> bool {
        matches!(set, Cells::Var(v) if self.parts.contains(v))
    }

    /// Between which numbers one is, when that is known.
    fn number(&self, num: &Num) -> Option<(i64, i64)> {
        match num {
            Num::Const(n) => Some((*n, *n)),
            Num::Count(set) if self.is_part(set) => Some((1, i64::MAX)),
            Num::Var(v) => {
                let (_, low, high) = self.numbers.iter().find(|(known, ..)| known == v)?;
                Some((*low, *high))
            }
            Num::Sub(a, b) => {
                let ((low, high), (least, most)) = (self.number(a)?, self.number(b)?);
                Some((low.saturating_sub(most), high.saturating_sub(least)))
            }
            Num::If(test, a, b) => match self.holds(test)? {
                true => self.number(a),
                false => self.number(b),
            },
            _ => None,
        }
    }

    /// Whether a test holds, when that is known.
    pub fn holds(&self, test: &Truth) -> Option<bool> {
        let Truth::Compare(how, a, b) = test else {
            return None;
        };
        let (Num::Var(v), Num::Const(n)) = (a.as_ref(), b.as_ref()) else {
            return None;
        };
        let (_, low, high) = self.numbers.iter().find(|(known, ..)| known == v)?;
        let (surely, never) = match how {
            Compare::AtMost => (high <= n, low > n),
            Compare::Less => (high < n, low >= n),
            Compare::More => (low > n, high <= n),
            Compare::AtLeast => (low >= n, high < n),
            Compare::Equal => (low == n && high == n, low > n || high < n),
            Compare::NotEqual => (low > n || high < n, low == n && high == n),
        };
        (surely || never).then_some(surely)
    }
}
