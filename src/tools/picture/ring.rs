//! Graphs of free names in the plane: cells on a ring in their order, names outside. A board in, centres and names out.

use crate::board::{Board, Cell};
use crate::tools::picture::plan::{Label, PITCH, Point};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// How far apart neighbours on the ring are at least.
const APART: f64 = 1.25 * PITCH;

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The cell in the middle: joined to most of the others, and to more than any of them is.
fn hub(board: &Board) -> Option<Cell> {
    let joined = |cell: &Cell| board.neighbours(*cell).len();
    let only = board.cells().iter().max_by_key(joined)?;
    let rivals = board
        .cells()
        .iter()
        .filter(|c| joined(c) == joined(&only))
        .count();
    if rivals > 1 || joined(&only) < 3 || joined(&only) * 3 < (board.len() - 1) * 2 {
        return None;
    }
    // Lines from one side of the ring to the other would run through it.
    let ring: Vec<Cell> = board.cells().iter().filter(|c| *c != only).collect();
    let half = ring.len() / 2;
    let crossed = ring.len().is_multiple_of(2)
        && (0..half).any(|n| board.neighbours(ring[n]).contains(ring[n + half]));
    (!crossed).then_some(only)
}

/// The centres: the first cell at the top, the others clockwise; one that is joined to nearly all in the middle.
pub fn places(board: &Board) -> Vec<Point> {
    if board.len() == 1 {
        return vec![(0.0, 0.0)];
    }
    let hub = hub(board);
    let count = number(board.len() - usize::from(hub.is_some()));
    let radius = (APART / 2.0 / (PI / count.max(3.0)).sin()).max(2.0 * PITCH);
    let mut around = 0;
    let mut place = |cell: Cell| {
        if hub == Some(cell) {
            return (0.0, 0.0);
        }
        let angle = TAU * number(around) / count - FRAC_PI_2;
        around += 1;
        (radius * angle.cos(), radius * angle.sin())
    };
    board.cells().iter().map(&mut place).collect()
}

/// The names, away from the centre; turned along the radius when there are many.
pub fn labels(board: &Board, cells: &[Point], out: f64, font: f64) -> Vec<Label> {
    let many = cells.len() > 10;
    let label = |(cell, at): (Cell, &Point)| {
        let length = at.0.hypot(at.1);
        let text = board.name(cell).to_owned();
        if length < 1.0 {
            return Label {
                at: (at.0, at.1 + out + 0.3 * font),
                text,
                turned: 0.0,
                anchor: "middle",
            };
        }
        let way = (at.0 / length, at.1 / length);
        let anchor = if way.0 > 0.2 || (many && way.0 >= 0.0) {
            "start"
        } else if way.0 < -0.2 || many {
            "end"
        } else {
            "middle"
        };
        let angle = way.1.atan2(way.0).to_degrees();
        let upright = if way.0 < 0.0 { angle + 180.0 } else { angle };
        Label {
            at: (at.0 + way.0 * out, at.1 + way.1 * out),
            text,
            turned: if many { upright } else { 0.0 },
            anchor,
        }
    };
    board.cells().iter().zip(cells).map(label).collect()
}
