//! Finding one action among many: cells picked one after the other, or a part of its text, in; the actions that are left out.

use crate::board::Cell;

/// An action to choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// How it is written.
    pub text: String,
    /// The cells that its text names, in that order.
    pub cells: Vec<Cell>,
}

/// What has been told so far of an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Narrowing {
    /// The cells that were picked, in that order.
    pub picks: Vec<Cell>,
    /// A part of its text.
    pub text: String,
}

/// What became of a pick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picked {
    /// It says which action is meant.
    Found(String),
    /// So many actions are left.
    Left(usize),
    /// The last pick was taken back.
    TakenBack,
    /// No action names the cell.
    Nothing,
}

impl Narrowing {
    /// The actions that are left.
    #[must_use]
    pub fn left<'c>(&self, choices: &'c [Choice]) -> Vec<&'c Choice> {
        let mut left = by_cells(choices, &self.picks);
        if !self.text.is_empty() {
            let begins = |c: &&Choice| c.text.starts_with(&self.text);
            if left.iter().any(begins) {
                left.retain(begins);
            } else {
                left.retain(|c| c.text.contains(&self.text));
            }
        }
        left
    }

    /// The cells that can be picked next.
    #[must_use]
    pub fn targets(&self, choices: &[Choice]) -> Vec<Cell> {
        let picks = self.picks.len();
        let mut targets = Vec::new();
        for choice in self.left(choices) {
            if choice.cells.starts_with(&self.picks) {
                targets.extend(choice.cells.get(picks));
            } else {
                let more = choice.cells.iter().filter(|c| !self.picks.contains(c));
                targets.extend(more);
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Picks a cell: the actions are left that name it next, or if there is none, that name it at all. A cell that belongs to
    /// another action begins anew.
    pub fn pick(&mut self, cell: Cell, choices: &[Choice]) -> Picked {
        let again = self.picks.last() == Some(&cell);
        let mut longer = self.picks.clone();
        longer.push(cell);
        for picks in [longer, vec![cell]] {
            let left = by_cells(choices, &picks);
            if left.is_empty() {
                if again {
                    self.picks.pop();
                    return Picked::TakenBack;
                }
                continue;
            }
            self.text.clear();
            self.picks = picks;
            return match left.as_slice() {
                // One pick alone shall not surprise with an action of several cells.
                [one] if self.picks.len() > 1 || one.cells.len() == 1 => {
                    Picked::Found(one.text.clone())
                }
                _ => Picked::Left(left.len()),
            };
        }
        Picked::Nothing
    }

    /// The action that is meant when no more is told: the only one that is left, or the only one with exactly these cells.
    #[must_use]
    pub fn meant<'c>(&self, choices: &'c [Choice]) -> Option<&'c Choice> {
        let left = self.left(choices);
        if let [one] = left.as_slice() {
            return Some(one);
        }
        if let Some(written) = left.iter().find(|c| c.text == self.text) {
            return Some(written);
        }
        let mut whole = left
            .iter()
            .filter(|c| !self.picks.is_empty() && c.cells == self.picks);
        match (whole.next(), whole.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }

    /// Whether nothing has been told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.picks.is_empty() && self.text.is_empty()
    }

    /// Takes back the last letter or, where there is none, the last pick.
    pub fn take_back(&mut self) {
        if self.text.pop().is_none() {
            self.picks.pop();
        }
    }

    /// Takes back everything.
    pub fn clear(&mut self) {
        *self = Narrowing::default();
    }
}

/// The actions whose cells begin with the picks; else those with the picks in that order; else those with all of them.
fn by_cells<'c>(choices: &'c [Choice], picks: &[Cell]) -> Vec<&'c Choice> {
    let begins = |c: &&Choice| c.cells.starts_with(picks);
    let in_order = |c: &&Choice| {
        let mut cells = c.cells.iter();
        picks.iter().all(|pick| cells.any(|cell| cell == pick))
    };
    let times = |cells: &[Cell], cell: &Cell| cells.iter().filter(|c| *c == cell).count();
    let named = |c: &&Choice, cell| times(&c.cells, cell) >= times(picks, cell);
    let at_all = |c: &&Choice| picks.iter().all(|pick| named(c, pick));
    let tests: [&dyn Fn(&&Choice) -> bool; 3] = [&begins, &in_order, &at_all];
    let found = tests
        .iter()
        .map(|test| choices.iter().filter(|c| test(c)).collect());
    found
        .into_iter()
        .find(|left: &Vec<_>| !left.is_empty())
        .unwrap_or_default()
}
