//! Pictures that end on a cell that is known, looked for from there; those whose direction has a name that nobody asks for; and those of one
//! run, of which only the cells matter.

use crate::board::Directions;
use crate::compile::kernel::laned::leads_back;
use crate::compile::kernel::phrased::bounds::square_mentions;
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::compile::kernel::rays::rays_return;
use crate::program::{Cells, Count, Dirs, Op, Pc, Picture, Square};

impl Phrasing<'_> {
    /// A picture of which it is only asked whether, or where, it is found, and of which the last cell is known but not the first: said from
    /// its other end.
    pub fn look_from_the_end(&mut self, at: usize) {
        let (Op::Line(id), Some(Op::Succeed)) = (&self.code[at], self.code.get(at + 1)) else {
            return;
        };
        let asked = self.subs.contains(&Pc(at as u32));
        let picture = &self.pictures[id.0 as usize];
        if let Some(turned) = self.turned(picture).filter(|_| asked) {
            self.code[at] = Op::Line(self.picture(turned));
        }
    }

    /// A direction that a picture gives a name, and nobody asks for.
    pub fn forget_way(&mut self, at: usize) {
        let Op::Line(id) = &self.code[at] else {
            return;
        };
        let picture = &self.pictures[id.0 as usize];
        let Some(way) = picture.way.filter(|way| self.is_only_named(*way)) else {
            return;
        };
        let asks = |at: usize| {
            let access = self.vars_of(at);
            access.reads.contains(&way) || access.given.contains(&way)
        };
        if (0..self.code.len()).any(asks) {
            return;
        }
        let nameless = Picture {
            way: None,
            ..picture.clone()
        };
        self.code[at] = Op::Line(self.picture(nameless));
    }

    /// A run that is looked for both ways along a line, though only its cells matter: looked for one way.
    pub fn look_one_way(&mut self, at: usize) {
        let Op::Line(id) = &self.code[at] else {
            return;
        };
        let picture = &self.pictures[id.0 as usize];
        let (
            Dirs::Const(ways),
            None,
            [
                Square::Cells {
                    fixed: true,
                    count: Count::Between(..) | Count::New(_),
                    whole: false,
                    bind: Some(run),
                    ..
                },
            ],
        ) = (&picture.ways, picture.way, &picture.squares[..])
        else {
            return;
        };
        let board = &self.program.board;
        let along = |at: usize| self.vars_of(at).along.contains(run);
        if !leads_back(board, *ways) || rays_return(board) || (0..self.code.len()).any(along) {
            return;
        }
        let back = |d| {
            board
                .opposite(d)
                .is_some_and(|back| back < d && ways.contains(back))
        };
        let one_way = ways.iter().filter(|d| !back(*d));
        let one_way = Directions(one_way.fold(0, |all, d| all | 1 << d.0));
        if one_way != *ways {
            let picture = Picture {
                ways: Dirs::Const(one_way),
                ..picture.clone()
            };
            self.code[at] = Op::Line(self.picture(picture));
        }
    }

    fn turned(&self, picture: &Picture) -> Option<Picture> {
        let Dirs::Const(ways) = picture.ways else {
            return None;
        };
        let known = |square: Option<&Square>| {
            let one = |set: &Cells| matches!(set, Cells::Single(_));
            matches!(square, Some(Square::Cells { class, count: Count::One, .. }) if one(class))
        };
        let turned = known(picture.squares.last()) && !known(picture.squares.first());
        let bound = binds(picture);
        let depends = |square: &Square| bound.iter().any(|v| square_mentions(square, *v));
        let fixed = |square: &Square| matches!(square, Square::Cells { fixed: true, .. });
        if !turned
            || picture.way.is_some()
            || picture.squares.iter().any(depends)
            || !picture.squares.iter().all(fixed)
            || !self.is_two_way(ways)
        {
            return None;
        }
        Some(Picture {
            ways: picture.ways.clone(),
            way: None,
            squares: picture.squares.iter().rev().cloned().collect(),
        })
    }

    /// Whether every step along some directions is taken back by one along another of them, and no line comes back to where it began.
    fn is_two_way(&self, ways: Directions) -> bool {
        let board = &self.program.board;
        let both = |d| board.opposite(d).is_some_and(|o| ways.contains(o));
        ways.iter().all(both) && leads_back(board, ways) && !rays_return(board)
    }
}
