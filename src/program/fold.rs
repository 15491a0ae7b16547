//! Expressions are folded while they are built: what is known before play begins becomes a constant. Meaning never changes.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what is not known before play begins is left as it is"
)]

use crate::board::{Cells as BoardCells, Directions};
use crate::program::{Cells, Compare, Dirs, Num, PlayerExpr, Truth, Value};

impl Truth {
    /// `a and b`
    #[must_use]
    pub fn and(a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Const(true), x) | (x, Truth::Const(true)) => x,
            (Truth::Const(false), _) => Truth::Const(false),
            (a, b) => Truth::And(Box::new(a), Box::new(b)),
        }
    }

    /// `a or b`
    #[must_use]
    pub fn or(a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Const(false), x) | (x, Truth::Const(false)) => x,
            (Truth::Const(true), _) => Truth::Const(true),
            (a, b) => Truth::Or(Box::new(a), Box::new(b)),
        }
    }

    /// `not a`
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "a constructor beside `and` and `or`"
    )]
    pub fn not(a: Truth) -> Truth {
        match a {
            Truth::Const(b) => Truth::Const(!b),
            Truth::Not(inner) => *inner,
            a => Truth::Not(Box::new(a)),
        }
    }

    /// `a < b` and its like
    #[must_use]
    pub fn compare(how: Compare, a: Num, b: Num) -> Truth {
        match (&a, &b) {
            (Num::Const(x), Num::Const(y)) => Truth::Const(how.holds(*x, *y)),
            (Num::Count(_) | Num::CountParts(_), Num::Const(n)) => match asks_for_some(how, *n) {
                Some(some) => Truth::has_some(a, some),
                None => Truth::Compare(how, Box::new(a), Box::new(b)),
            },
            (Num::Const(n), Num::Count(_) | Num::CountParts(_)) => {
                match asks_for_some(how.turned(), *n) {
                    Some(some) => Truth::has_some(b, some),
                    None => Truth::Compare(how, Box::new(a), Box::new(b)),
                }
            }
            _ => Truth::Compare(how, Box::new(a), Box::new(b)),
        }
    }

    /// Whether a set whose cells or parts are counted has any, or none.
    fn has_some(counted: Num, some: bool) -> Truth {
        match counted {
            Num::Count(set) | Num::CountParts(set) if some => Truth::some(*set),
            Num::Count(set) | Num::CountParts(set) => Truth::not(Truth::some(*set)),
            number => {
                let how = if some { Compare::More } else { Compare::Equal };
                Truth::Compare(how, Box::new(number), Box::new(Num::Const(0)))
            }
        }
    }

    /// `some S`
    #[must_use]
    pub fn some(set: Cells) -> Truth {
        match set {
            Cells::Const(c) => Truth::Const(!c.is_empty()),
            set => Truth::Some(Box::new(set)),
        }
    }
}

/// Whether a comparison of how many there are with a number asks no more than whether there are any, or none.
const fn asks_for_some(how: Compare, n: i64) -> Option<bool> {
    match (how, n) {
        (Compare::More | Compare::NotEqual, 0) | (Compare::AtLeast, 1) => Some(true),
        (Compare::AtMost | Compare::Equal, 0) | (Compare::Less, 1) => Some(false),
        _ => None,
    }
}

impl Compare {
    /// How the second of two numbers compares with the first.
    #[must_use]
    pub const fn turned(self) -> Compare {
        match self {
            Compare::Less => Compare::More,
            Compare::AtMost => Compare::AtLeast,
            Compare::More => Compare::Less,
            Compare::AtLeast => Compare::AtMost,
            Compare::Equal => Compare::Equal,
            Compare::NotEqual => Compare::NotEqual,
        }
    }

    /// Whether two numbers compare so.
    #[must_use]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::AtMost => a <= b,
            Compare::More => a > b,
            Compare::AtLeast => a >= b,
        }
    }

    /// As it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Equal => "=",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::More => ">",
            Compare::AtLeast => ">=",
        }
    }
}

impl Num {
    /// `a + b`, and with `-`, `*`, `/`, `mod` for the other signs.
    #[must_use]
    pub fn arithmetic(sign: char, a: Num, b: Num) -> Num {
        if let (Num::Const(x), Num::Const(y)) = (&a, &b) {
            return Num::Const(Num::calculate(sign, *x, *y));
        }
        let (a, b) = (Box::new(a), Box::new(b));
        match sign {
            '+' => Num::Add(a, b),
            '-' => Num::Sub(a, b),
            '*' => Num::Mul(a, b),
            '/' => Num::Div(a, b),
            _ => Num::Mod(a, b),
        }
    }

    /// The value of `a + b` and the like; nothing overflows and nothing divides by zero.
    #[must_use]
    pub fn calculate(sign: char, a: i64, b: i64) -> i64 {
        match sign {
            '+' => a.saturating_add(b),
            '-' => a.saturating_sub(b),
            '*' => a.saturating_mul(b),
            '/' => a.checked_div(b).unwrap_or(0),
            _ => a.checked_rem_euclid(b).unwrap_or(0),
        }
    }
}

impl Cells {
    /// A fixed set.
    #[must_use]
    pub fn fixed(set: BoardCells) -> Cells {
        Cells::Const(Box::new(set))
    }

    /// The set, when it is fixed.
    #[must_use]
    pub fn as_fixed(&self) -> Option<&BoardCells> {
        if let Cells::Const(set) = self {
            Some(set)
        } else {
            None
        }
    }

    /// `a or b`
    #[must_use]
    pub fn or(a: Cells, b: Cells) -> Cells {
        Cells::combine(a, b, |x, y| x | y, Cells::Or)
    }

    /// `a and b`
    #[must_use]
    pub fn and(a: Cells, b: Cells) -> Cells {
        Cells::combine(a, b, |x, y| x & y, Cells::And)
    }

    /// `a except b`
    #[must_use]
    pub fn without(a: Cells, b: Cells) -> Cells {
        Cells::combine(a, b, BoardCells::without, Cells::Without)
    }

    fn combine(
        a: Cells,
        b: Cells,
        now: impl Fn(BoardCells, BoardCells) -> BoardCells,
        later: impl Fn(Box<Cells>, Box<Cells>) -> Cells,
    ) -> Cells {
        match (a, b) {
            (Cells::Const(x), Cells::Const(y)) => Cells::fixed(now(*x, *y)),
            (Cells::ByPlayer(x, p), Cells::ByPlayer(y, q)) if p == q => {
                Cells::ByPlayer(x.into_iter().zip(y).map(|(x, y)| now(x, y)).collect(), p)
            }
            (Cells::ByPlayer(x, p), Cells::Const(y)) => {
                Cells::ByPlayer(x.into_iter().map(|x| now(x, *y)).collect(), p)
            }
            (Cells::Const(x), Cells::ByPlayer(y, p)) => {
                Cells::ByPlayer(y.into_iter().map(|y| now(*x, y)).collect(), p)
            }
            (a, b) => later(Box::new(a), Box::new(b)),
        }
    }

    /// A fixed set for each player.
    #[must_use]
    pub fn by_player(sets: Vec<BoardCells>, player: PlayerExpr) -> Cells {
        if let PlayerExpr::Const(p) = player {
            return Cells::fixed(sets.get(p.0 as usize).copied().unwrap_or_default());
        }
        Cells::ByPlayer(sets, Box::new(player))
    }
}

impl Dirs {
    /// `a or b`
    #[must_use]
    pub fn or(a: Dirs, b: Dirs) -> Dirs {
        Dirs::combine(a, b, |x, y| x | y, Dirs::Or)
    }

    /// `a and b`
    #[must_use]
    pub fn and(a: Dirs, b: Dirs) -> Dirs {
        Dirs::combine(a, b, |x, y| x & y, Dirs::And)
    }

    /// `a except b`
    #[must_use]
    pub fn without(a: Dirs, b: Dirs) -> Dirs {
        Dirs::combine(a, b, Directions::without, Dirs::Without)
    }

    fn combine(
        a: Dirs,
        b: Dirs,
        now: impl Fn(Directions, Directions) -> Directions,
        later: impl Fn(Box<Dirs>, Box<Dirs>) -> Dirs,
    ) -> Dirs {
        match (a, b) {
            (Dirs::Const(x), Dirs::Const(y)) => Dirs::Const(now(x, y)),
            (Dirs::ByPlayer(x, p), Dirs::Const(y)) => {
                Dirs::ByPlayer(x.into_iter().map(|x| now(x, y)).collect(), p)
            }
            (Dirs::Const(x), Dirs::ByPlayer(y, p)) => {
                Dirs::ByPlayer(y.into_iter().map(|y| now(x, y)).collect(), p)
            }
            (a, b) => later(Box::new(a), Box::new(b)),
        }
    }
}

impl Value {
    /// The number, when it is fixed.
    #[must_use]
    pub fn as_fixed_number(&self) -> Option<i64> {
        if let Value::Num(Num::Const(n)) = self {
            Some(*n)
        } else {
            None
        }
    }
}
