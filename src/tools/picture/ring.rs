//! Graphs of free names in the plane: cells on a ring in their order, names outside. A board in, centres and names out.

use crate::board::Board;
use crate::tools::picture::plan::{Label, PITCH, Point};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// How far apart neighbours on the ring are at least.
const APART: f64 = 1.25 * PITCH;

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The centres: the first cell at the top, the others clockwise.
pub fn places(board: &Board) -> Vec<Point> {
    let count = number(board.len());
    let radius = (APART / 2.0 / (PI / count.max(3.0)).sin()).max(1.2 * PITCH);
    let place = |n: usize| {
        let angle = TAU * number(n) / count - FRAC_PI_2;
        (radius * angle.cos(), radius * angle.sin())
    };
    match board.len() {
        1 => vec![(0.0, 0.0)],
        n => (0..n).map(place).collect(),
    }
}

/// The names, away from the centre; turned along the radius when there are many.
pub fn labels(board: &Board, cells: &[Point], out: f64) -> Vec<Label> {
    let many = cells.len() > 10;
    let label = |(cell, at): (crate::board::Cell, &Point)| {
        let length = at.0.hypot(at.1).max(1.0);
        let way = if length > 1.0 {
            (at.0 / length, at.1 / length)
        } else {
            (0.0, -1.0)
        };
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
            text: board.name(cell).to_owned(),
            turned: if many { upright } else { 0.0 },
            anchor,
        }
    };
    board.cells().iter().zip(cells).map(label).collect()
}
