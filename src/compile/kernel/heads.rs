//! What the ways of a branch can begin with: the notation that is opened first and the picture that is matched first. In: a
//! program and an instruction. Out: all that may come first.

use crate::program::{
    Cells, Compare, Domain, Num, Op, Part, Pc, Picture, Program, TemplateId, Truth, Value, VarId,
};

/// So many instructions are looked at.
const MOST: usize = 400;

/// What a way begins with.
pub struct Head<'p> {
    /// The notation that is opened, or none before the action ends or branches.
    pub shape: Option<Vec<String>>,
    /// The picture that is matched first.
    pub picture: Option<&'p Picture>,
    /// Whether it could not be found out.
    pub unclear: bool,
}

/// What was seen on the way to an instruction.
#[derive(Clone, PartialEq)]
struct Seen {
    at: Pc,
    opened: Option<TemplateId>,
    /// Numbers that are known: from, to.
    numbers: Vec<(VarId, i64, i64)>,
    /// Parts that were chosen, which have a cell.
    parts: Vec<VarId>,
}

impl Seen {
    fn forget(&mut self, var: VarId) {
        self.numbers.retain(|(v, ..)| *v != var);
        self.parts.retain(|v| *v != var);
    }

    fn given(&mut self, var: VarId, value: &Value) {
        let known = match value {
            Value::Num(Num::Const(n)) => Some((*n, *n)),
            Value::Num(Num::Count(set)) => match set.as_ref() {
                Cells::Var(v) if self.parts.contains(v) => Some((1, i64::MAX)),
                _ => None,
            },
            _ => None,
        };
        self.forget(var);
        self.numbers.extend(known.map(|(a, b)| (var, a, b)));
    }

    /// Whether a test holds, when that is known.
    fn holds(&self, test: &Truth) -> Option<bool> {
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

fn shape(program: &Program, id: TemplateId) -> Vec<String> {
    let parts = program.templates[id.0 as usize].parts.iter();
    parts
        .map(|p| match p {
            Part::Text(t) => t.clone(),
            Part::Hole(value) => format!("{{{:?}}}", std::mem::discriminant(value)),
            Part::Capture(a, b) => format!("{{{a}/{b}}}"),
        })
        .collect()
}

/// All that a way may begin with.
pub fn heads(program: &Program, from: Pc) -> Vec<Head<'_>> {
    let mut found = Vec::new();
    let mut met: Vec<Seen> = Vec::new();
    let mut open = vec![Seen {
        at: from,
        opened: None,
        numbers: Vec::new(),
        parts: Vec::new(),
    }];
    while let Some(seen) = open.pop() {
        if met.contains(&seen) {
            continue;
        }
        met.push(seen.clone());
        let mut head = Head {
            shape: seen.opened.map(|id| shape(program, id)),
            picture: None,
            unclear: met.len() > MOST,
        };
        if head.unclear {
            return vec![head];
        }
        let mut next = seen.clone();
        next.at = Pc(seen.at.0 + 1);
        let elsewhere = |to: &Pc| Seen {
            at: *to,
            ..seen.clone()
        };
        match &program.code[seen.at.0 as usize] {
            Op::Open(id) => {
                next.opened = next.opened.or(Some(*id));
                open.push(next);
            }
            Op::Line(id) => {
                head.picture = Some(&program.pictures[id.0 as usize]);
                found.push(head);
            }
            Op::Choose(..) if seen.opened.is_some() => found.push(head),
            Op::ActionDone | Op::EndTurn | Op::Succeed => found.push(head),
            Op::Choose(var, domain) => {
                next.forget(*var);
                if let Domain::Parts(_) = domain {
                    next.parts.push(*var);
                }
                open.push(next);
            }
            Op::Let(var, value) => {
                next.given(*var, value);
                open.push(next);
            }
            Op::Jump(to) => open.push(elsewhere(to)),
            Op::JumpUnless(test, to) => {
                let holds = seen.holds(test);
                if holds != Some(false) {
                    open.push(next);
                }
                if holds != Some(true) {
                    open.push(elsewhere(to));
                }
            }
            Op::Each { exit, var, .. } => {
                next.forget(*var);
                open.push(next);
                open.push(elsewhere(exit));
            }
            Op::Branch(ways) => open.extend(ways.iter().map(elsewhere)),
            Op::Clear(var) | Op::LetOfPlayer(var, ..) | Op::LetOfCell(var, ..) => {
                next.forget(*var);
                open.push(next);
            }
            Op::Best { into, .. } => {
                next.forget(*into);
                open.push(next);
            }
            Op::Effect(_) => {
                // Effects change what is kept, but nothing that was just given in this walk stays known behind them.
                (next.numbers, next.parts) = (Vec::new(), Vec::new());
                open.push(next);
            }
            _ => open.push(next),
        }
    }
    found
}
