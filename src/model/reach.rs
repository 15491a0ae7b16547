//! Trails of which only the ends matter: whether there is one is told by the cells that can be reached, round by round, instead
//! of by trying all ways that there are.

use crate::base::Span;
use crate::board::{Board, Cells as BoardCells, Directions};
use crate::model::Step;
use crate::model::resolver::Resolver;
use crate::model::sought::Told;
use crate::program::{
    CellExpr, Cells, Count, Dirs, Life, Num, Picture, PlayerExpr, Square, Truth, VarId, VarType,
    cells_vars, dirs_vars, num_vars,
};
use crate::syntax::ast::{Bound, Trail, TrailLength, TrailStep};

/// How a trail goes.
pub struct Walk {
    /// The cell that it has come to.
    pub here: VarId,
    /// The name of the cell where it began.
    pub begun: Option<VarId>,
    /// The pictures of its steps, and what each calls the next cell.
    pub steps: Vec<(Picture, VarId)>,
    /// Where all cells between its ends lie.
    pub within: Option<Cells>,
}

/// The player of a set that is fixed for each.
fn player_of(set: &Cells) -> Option<&PlayerExpr> {
    match set {
        Cells::ByPlayer(_, p) => Some(p),
        Cells::Or(a, b) | Cells::And(a, b) => player_of(a).or_else(|| player_of(b)),
        Cells::Without(a, _) => player_of(a),
        _ => None,
    }
}

/// Fixed cells that a set lies in, when a player is the one of that number.
fn bound(set: &Cells, all: BoardCells, who: Option<(&PlayerExpr, usize)>) -> BoardCells {
    let of = |set| bound(set, all, who);
    match set {
        Cells::Const(cells) => **cells,
        Cells::Or(a, b) => of(a) | of(b),
        Cells::And(a, b) => of(a) & of(b),
        Cells::Without(a, b) => match b.as_ref() {
            Cells::Const(b) => of(a).without(**b),
            _ => of(a),
        },
        Cells::ByPlayer(sets, p) => match who {
            Some((player, at)) if player == p.as_ref() => sets.get(at).copied().unwrap_or(all),
            _ => sets.iter().fold(BoardCells::EMPTY, |a, b| a | *b),
        },
        _ => all,
    }
}

/// Where a step may lead from some cells, whatever stands on the board.
fn leads_to(board: &Board, (picture, next): &(Picture, VarId), from: BoardCells) -> BoardCells {
    let ways = match &picture.ways {
        Dirs::Const(ways) => *ways,
        _ => Directions::range(board.directions()),
    };
    let mut found = BoardCells::EMPTY;
    for way in ways.iter() {
        let onward = |cells: BoardCells| -> BoardCells {
            cells.iter().filter_map(|c| board.step(c, way)).collect()
        };
        let mut at = from;
        for square in &picture.squares {
            let Square::Cells { count, bind, .. } = square else {
                break;
            };
            if *bind == Some(*next) {
                found |= at;
            }
            match count {
                Count::One => at = onward(at),
                Count::Between(..) | Count::New(_) => loop {
                    let further = at | onward(at);
                    if further == at {
                        break;
                    }
                    at = further;
                },
            }
        }
    }
    found
}

/// The least steps from some cells to others, whatever stands on the board; none where they cannot be reached.
fn least_steps(
    board: &Board,
    steps: &[(Picture, VarId)],
    from: BoardCells,
    to: BoardCells,
) -> Option<i64> {
    let (mut reached, mut many) = (from, 0);
    while (reached & to).is_empty() {
        let all = steps
            .iter()
            .fold(reached, |all, step| all | leads_to(board, step, reached));
        if all == reached {
            return None;
        }
        (reached, many) = (all, many + 1);
    }
    Some(many)
}

impl Resolver<'_> {
    /// Whether there is a trail, told by what can be reached, when it comes to no cell twice, asks for nothing that depends on the way
    /// it came, and is as long as it has to be wherever it goes.
    pub fn reached(&mut self, trail: &Trail, told: &Told) -> Option<Truth> {
        let Told {
            start,
            finish: Some(finish),
            walk,
            ..
        } = told
        else {
            return None;
        };
        let only_twice = matches!(trail.never.as_slice(), [only] if only.text == "twice");
        let plain = |s: &TrailStep| s.body.is_none() && s.notation.is_none();
        let Some(TrailLength::Range {
            least,
            most: Bound::Open,
            cells,
        }) = &trail.length
        else {
            return None;
        };
        let Num::Const(least) = self.number(least)? else {
            return None;
        };
        let least = least - i64::from(*cells);
        if !only_twice || !trail.steps.iter().all(plain) || least < 0 || !walk.is_free(finish) {
            return None;
        }
        // A trail does not come back to where it began, so that its ends must differ; and it may not be too short.
        let all = self.board.cells();
        let by = player_of(start).or_else(|| player_of(finish));
        let long = (0..self.players.len()).all(|player| {
            let who = by.map(|p| (p, player));
            let (from, to) = (bound(start, all, who), bound(finish, all, who));
            least_steps(&self.board, &walk.steps, from, to).is_none_or(|n| n >= least.max(1))
        });
        if !long && least > 0 {
            return None;
        }
        let found = self.reachable(start, walk, trail.span)?;
        let there = Truth::Some(Box::new(Cells::and(found, finish.clone())));
        let led_to = told.ends.iter().flatten().cloned().reduce(Cells::or);
        let there = match led_to.filter(|_| told.ends.iter().all(Option::is_some)) {
            Some(led_to) => {
                let ends = Cells::and(led_to, finish.clone());
                Truth::and(Truth::Some(Box::new(ends)), there)
            }
            None => there,
        };
        if least > 0 {
            return Some(there);
        }
        let at_once = Cells::and(start.clone(), finish.clone());
        Some(Truth::or(Truth::Some(Box::new(at_once)), there))
    }

    /// The cells that one step or more can come to.
    fn reachable(&mut self, start: &Cells, walk: &Walk, span: Span) -> Option<Cells> {
        let seed = self.one_step(start, walk, span)?;
        let set = self.new_var("reached", VarType::Cells, Life::Local);
        let inner = match &walk.within {
            Some(within) => Cells::and(Cells::Var(set), within.clone()),
            None => Cells::Var(set),
        };
        let more = self.one_step(&inner, walk, span)?;
        Some(Cells::Closure {
            seed: Box::new(seed),
            set,
            more: Box::new(more),
        })
    }

    /// The cells that one step can come to from some cells.
    fn one_step(&mut self, from: &Cells, walk: &Walk, span: Span) -> Option<Cells> {
        let steps = walk.steps.iter().map(|(picture, next)| {
            let mut picture = picture.clone();
            if let Some(Square::Cells { class, fixed, .. }) = picture.squares.first_mut() {
                (*class, *fixed) = (from.clone(), true);
            }
            let body = self.new_block(vec![(span, Step::Line(Box::new(picture)))]);
            Cells::Gather(*next, body)
        });
        steps.reduce(Cells::or)
    }
}

impl Walk {
    /// Whether every step begins with one cell and asks for nothing but what stands on the board.
    fn is_free(&self, finish: &Cells) -> bool {
        let own = |v: VarId| {
            v == self.here || self.begun == Some(v) || self.steps.iter().any(|(_, n)| *n == v)
        };
        let free = |set: &Cells| !cells_vars(set).may_read(own);
        let number = |n: &Num| !num_vars(n).may_read(own);
        let square = |s: &Square| match s {
            Square::Edge => true,
            Square::Cells { class, count, .. } => {
                let counted = match count {
                    Count::One => true,
                    Count::Between(low, high) => number(low) && high.iter().all(number),
                    Count::New(_) => false,
                };
                counted && free(class)
            }
        };
        let begins = |picture: &Picture| {
            let first = picture.squares.split_first();
            first.is_some_and(|(first, rest)| {
                let here = matches!(first, Square::Cells { class: Cells::Single(c), count: Count::One, bind: None, .. }
                    if **c == CellExpr::Var(self.here));
                here && rest.iter().all(square) && !dirs_vars(&picture.ways).may_read(own)
            })
        };
        self.steps.iter().all(|(picture, _)| begins(picture))
            && self.within.iter().all(free)
            && free(finish)
    }
}
