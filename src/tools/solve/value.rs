//! What a position is worth for sure: nothing, half or the whole point of the first person, as a span of values that narrows.

/// What a game is worth to the first person.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// The others win.
    Loss,
    /// Nobody wins.
    Draw,
    /// The first person wins.
    Win,
}

impl Value {
    /// The value of a share of the point.
    #[must_use]
    pub fn of_share(share: f32) -> Value {
        if share > 0.75 {
            Value::Win
        } else if share < 0.25 {
            Value::Loss
        } else {
            Value::Draw
        }
    }

    /// The share of the point.
    #[must_use]
    pub fn share(self) -> f32 {
        match self {
            Value::Loss => 0.0,
            Value::Draw => 0.5,
            Value::Win => 1.0,
        }
    }

    fn number(self) -> u8 {
        match self {
            Value::Loss => 0,
            Value::Draw => 1,
            Value::Win => 2,
        }
    }

    fn of_number(number: u8) -> Value {
        match number {
            0 => Value::Loss,
            1 => Value::Draw,
            _ => Value::Win,
        }
    }
}

/// The values that a position can still have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The least.
    pub least: Value,
    /// The most.
    pub most: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds {
        least: Value::Loss,
        most: Value::Win,
    };

    /// It is this.
    #[must_use]
    pub const fn exactly(value: Value) -> Bounds {
        Bounds {
            least: value,
            most: value,
        }
    }

    /// The value, when there is only one left.
    #[must_use]
    pub fn known(self) -> Option<Value> {
        (self.least == self.most).then_some(self.least)
    }

    /// What both say. Both are true, so they meet.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
    }

    /// As one number below 16.
    #[must_use]
    pub fn pack(self) -> u8 {
        self.least.number() << 2 | self.most.number()
    }

    /// The bounds of such a number.
    #[must_use]
    pub fn unpack(packed: u8) -> Bounds {
        Bounds {
            least: Value::of_number(packed >> 2 & 3),
            most: Value::of_number(packed & 3),
        }
    }
}

/// What is asked: whether a value is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the first person has at least a draw.
    AtLeastDraw,
    /// Whether the first person wins.
    Win,
}

impl Question {
    /// Both.
    pub const BOTH: [Question; 2] = [Question::Win, Question::AtLeastDraw];

    /// The answer, when bounds tell it.
    #[must_use]
    pub fn answer(self, bounds: Bounds) -> Option<bool> {
        let goal = match self {
            Question::AtLeastDraw => Value::Draw,
            Question::Win => Value::Win,
        };
        if bounds.least >= goal {
            Some(true)
        } else if bounds.most < goal {
            Some(false)
        } else {
            None
        }
    }

    /// The bounds that an answer means.
    #[must_use]
    pub fn bounds(self, answer: Option<bool>) -> Bounds {
        let (least, most) = match (self, answer) {
            (_, None) => return Bounds::UNKNOWN,
            (Question::Win, Some(true)) => (Value::Win, Value::Win),
            (Question::Win, Some(false)) => (Value::Loss, Value::Draw),
            (Question::AtLeastDraw, Some(true)) => (Value::Draw, Value::Win),
            (Question::AtLeastDraw, Some(false)) => (Value::Loss, Value::Loss),
        };
        Bounds { least, most }
    }

    /// Its number.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Question::AtLeastDraw => 0,
            Question::Win => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::solve::value::{Bounds, Question, Value};

    #[test]
    fn bounds_fit_a_number() {
        let values = [Value::Loss, Value::Draw, Value::Win];
        for least in values {
            for most in values {
                let bounds = Bounds { least, most };
                assert_eq!(Bounds::unpack(bounds.pack()), bounds);
            }
            assert_eq!(Value::of_share(least.share()), least);
        }
    }

    #[test]
    fn answers_are_bounds() {
        for question in Question::BOTH {
            for answer in [None, Some(true), Some(false)] {
                assert_eq!(question.answer(question.bounds(answer)), answer);
            }
        }
        let both = Question::Win
            .bounds(Some(false))
            .and(Question::AtLeastDraw.bounds(Some(true)));
        assert_eq!(both.known(), Some(Value::Draw));
    }
}
