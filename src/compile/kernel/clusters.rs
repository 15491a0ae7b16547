//! How large the group of a piece would be that is put down, asked of all cells at once: for small numbers the cells where it
//! stays small are found by shifts of the own pieces.

use crate::board::{Cells as BoardCells, Direction, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, NONE, SV};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::{CellExpr, Cells, Compare, Num, Truth, VarId};

impl<'p> Lowerer<'p> {
    /// The cells for which a truth holds after an own piece was put on the chosen one and nothing else was changed, when it says
    /// that the group of that piece has no more than one piece, or no more than two.
    pub fn clustered(&mut self, test: &'p Truth, var: VarId, env: &mut Env, cx: Cx) -> Option<SV> {
        let most = most_of_group(test, var)?;
        if self.program.stacking || !self.is_mutual() {
            return None;
        }
        let own = self.owned(cx.me, env, cx);
        let large = match most {
            1 => self.around(own),
            2 => {
                let (once, twice) = self.beside_several(own)?;
                let joined = self.f.and(&mut self.fixed, own, once);
                let behind = self.around(joined);
                self.f.or(&mut self.fixed, twice, behind)
            }
            _ => return None,
        };
        Some(self.f.without(&mut self.fixed, ALL, large))
    }

    /// The cells beside some of a set, and those beside two or more. Nothing where a cell may be beside another in two directions,
    /// or directions cannot be shifted along.
    fn beside_several(&mut self, set: SV) -> Option<(SV, SV)> {
        let ways = self.ways_to_neighbours()?;
        let (mut once, mut twice) = (NONE, NONE);
        for way in ways.iter() {
            let shift = self.shift_id(way.0, false)?;
            let moved = self.f.shift(set, shift);
            let again = self.f.and(&mut self.fixed, once, moved);
            twice = self.f.or(&mut self.fixed, twice, again);
            once = self.f.or(&mut self.fixed, once, moved);
        }
        Some((once, twice))
    }

    /// The directions that lead from every cell to its neighbours, each in one of them.
    fn ways_to_neighbours(&self) -> Option<Directions> {
        let board = &self.program.board;
        let leads = |way: Direction| {
            let steps = board
                .cells()
                .iter()
                .filter_map(move |c| Some((c, board.step(c, way)?)));
            steps
                .map(|(c, to)| board.neighbours(c).contains(to))
                .collect::<Vec<bool>>()
        };
        let mut ways = Directions::default();
        for way in Directions::range(board.directions()).iter() {
            let led = leads(way);
            match (led.contains(&true), led.contains(&false)) {
                (true, true) => return None,
                (true, false) => ways.insert(way),
                (false, _) => {}
            }
        }
        // In one direction no two cells may have the same next one.
        for way in ways.iter() {
            let mut led: Vec<_> = (board.cells().iter())
                .filter_map(|c| board.step(c, way))
                .collect();
            let many = led.len();
            led.sort_unstable();
            led.dedup();
            if led.len() < many {
                return None;
            }
        }
        let once = board.cells().iter().all(|c| {
            let next: Vec<_> = ways.iter().filter_map(|d| board.step(c, d)).collect();
            let all: BoardCells = next.iter().copied().collect();
            all.len() == next.len() && all == *board.neighbours(c)
        });
        once.then_some(ways)
    }
}

/// The most pieces that a truth lets the group of a chosen cell have.
fn most_of_group(test: &Truth, var: VarId) -> Option<i64> {
    let sized = |n: &Num| {
        matches!(n, Num::Count(set) if matches!(set.as_ref(),
            Cells::GroupOf(c) if **c == CellExpr::Var(var)))
    };
    match test {
        Truth::Compare(how, a, b) => match (how, a.as_ref(), b.as_ref()) {
            (Compare::AtMost, a, Num::Const(n)) if sized(a) => Some(*n),
            (Compare::Less, a, Num::Const(n)) if sized(a) => Some(*n - 1),
            (Compare::AtLeast, Num::Const(n), b) if sized(b) => Some(*n),
            (Compare::More, Num::Const(n), b) if sized(b) => Some(*n - 1),
            // A piece alone is a group.
            (Compare::Equal, a, Num::Const(1)) if sized(a) => Some(1),
            _ => None,
        },
        Truth::Not(test) => match test.as_ref() {
            Truth::Compare(how, a, b) => match (how, a.as_ref(), b.as_ref()) {
                (Compare::More, a, Num::Const(n)) if sized(a) => Some(*n),
                (Compare::AtLeast, a, Num::Const(n)) if sized(a) => Some(*n - 1),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
