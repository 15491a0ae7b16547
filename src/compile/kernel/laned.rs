//! Which pictures can be matched along lanes, all matches of the same lengths at once, see `lanes`.

use crate::board::{Board, Directions};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::program::{Count, Num, Square, num_vars};

impl<'p> Lowerer<'p> {
    /// Whether a picture can be matched so: nothing is asked of single matches, and no run could end sooner than it must.
    pub fn is_laned(&self, m: &Match<'p>, cx: Cx) -> bool {
        let free = |n: &Num| {
            !num_vars(n).may_read(|v| {
                (0..m.picture.squares.len()).any(|at| Self::bound_at(m.picture, at) == Some(v))
            })
        };
        let fits = |(index, square): (usize, &Square)| {
            let Square::Cells { count, whole, .. } = square else {
                return false;
            };
            // A run is longer where a step back leads to one more of its cells.
            let all = Directions::range(self.program.board.directions());
            if *whole && !self.leads_back(all) {
                return false;
            }
            let bounds = match count {
                Count::Between(low, high) => free(low) && high.as_ref().is_none_or(free),
                Count::One | Count::New(_) => true,
            };
            let last = index + 1 == m.picture.squares.len();
            bounds && (last || *count == Count::One || Self::is_greedy(m, index))
        };
        let follows = match cx.mode {
            Mode::Candidates => self.is_free(m.then, cx),
            Mode::Count | Mode::Any | Mode::Ahead => self.requirements(m.then, cx).is_some(),
            _ => false,
        };
        follows
            && !cx.acted
            && !self.program.stacking
            && self.tells_end(m.picture)
            && m.classes.iter().all(Option::is_some)
            && m.picture.squares.iter().enumerate().all(fits)
    }

    /// As the function of that name, on the program's board.
    pub fn leads_back(&self, ways: Directions) -> bool {
        leads_back(&self.program.board, ways)
    }
}

/// Whether along some directions every step is taken back by one in the opposite direction.
pub fn leads_back(board: &Board, ways: Directions) -> bool {
    let steps = |d| board.cells().iter().map(move |c| (c, board.step(c, d)));
    let back = |d| {
        let opposite = board.opposite(d);
        opposite.is_some_and(|o| {
            let leads = |(c, to): (_, Option<_>)| to.is_none_or(|to| board.step(to, o) == Some(c));
            steps(d).all(leads)
        })
    };
    ways.iter().all(back)
}
