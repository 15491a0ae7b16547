//! What is drawn over a position: the cells that the last action changed, and the legal actions. Cells in, SVG out.

use crate::board::Cell;
use crate::engine::{Engine, PlayError, Position};
use crate::tools::picture::named;
use crate::tools::picture::plan::{Plan, Point};
use crate::tools::picture::write::{num, pair, path};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// With more arrows than this, only their ends are drawn.
const MOST: usize = 90;

/// With more arrows than this, they are thin.
const MANY: usize = 16;

/// The look of thick arrows.
const THICK: &str = " stroke-width=\"2.6\"";

/// The look of thin arrows.
const THIN: &str = " stroke-width=\"1.6\" opacity=\".85\"";

/// The cells on which two positions differ.
#[must_use]
pub fn changed(engine: &Engine, before: &Position, after: &Position) -> Vec<Cell> {
    let cells = engine.program().board.cells();
    let differs = |c: &Cell| engine.stack(before, *c) != engine.stack(after, *c);
    cells.iter().filter(differs).collect()
}

/// Frames around cells.
#[must_use]
pub fn marks(plan: &Plan, cells: &[Cell]) -> String {
    let mut out = String::new();
    for cell in cells {
        let at = plan.centre(*cell);
        out.push_str(&frame(plan, at, "m", 0.93));
    }
    out
}

fn frame(plan: &Plan, at: Point, class: &str, size: f64) -> String {
    if plan.outline.is_empty() {
        return format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            num(at.0),
            num(at.1),
            num(plan.radius + 3.2)
        );
    }
    let corners: Vec<Point> = plan
        .outline
        .iter()
        .map(|c| (at.0 + c.0 * size, at.1 + c.1 * size))
        .collect();
    format!("<path class=\"{class}\" d=\"{}\"/>", path(&corners, true))
}

/// The legal actions: dots on single cells, arrows from the first to the last cell of the others.
///
/// # Errors
///
/// When the rules fail in this position.
pub fn legal(engine: &Engine, position: &Position, plan: &Plan) -> Result<String, PlayError> {
    let program = engine.program();
    let (mut dots, mut arrows) = (BTreeSet::new(), BTreeSet::new());
    for action in engine.legal_actions(position)? {
        let mut cells = named::cells(program, &action.text);
        if cells.is_empty() {
            cells = changed(engine, position, &engine.play(position, &action));
        }
        match (cells.first(), cells.last()) {
            (Some(first), Some(last)) if first != last => {
                arrows.insert((*first, *last));
            }
            (Some(only), _) => {
                dots.insert(*only);
            }
            (None, _) => {}
        }
    }
    let mut rings = BTreeSet::new();
    if arrows.len() > MOST {
        for (from, to) in std::mem::take(&mut arrows) {
            rings.insert(from);
            dots.insert(to);
        }
    }
    let width = if arrows.len() > MANY { THIN } else { THICK };
    let mut out = format!("<g id=\"legal\"{width}>");
    for cell in &rings {
        out.push_str(&frame(plan, plan.centre(*cell), "y", 0.8));
    }
    // Short arrows lie upon long ones.
    let mut arrows: Vec<(Point, Point)> = arrows
        .iter()
        .map(|(a, b)| (plan.centre(*a), plan.centre(*b)))
        .collect();
    arrows.sort_by(|a, b| span(b).total_cmp(&span(a)));
    for (from, to) in &arrows {
        out.push_str(&arrow(plan, *from, *to));
    }
    for cell in &dots {
        let (x, y) = plan.centre(*cell);
        let _ = write!(
            out,
            "<circle class=\"w\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            num(x),
            num(y),
            num(plan.radius * 0.34)
        );
    }
    out.push_str("</g>");
    Ok(out)
}

fn span(arrow: &(Point, Point)) -> f64 {
    (arrow.1.0 - arrow.0.0).hypot(arrow.1.1 - arrow.0.1)
}

/// A line with a tip, from the rim of one cell's piece to near the centre of another cell.
fn arrow(plan: &Plan, from: Point, to: Point) -> String {
    let length = span(&(from, to));
    let way = ((to.0 - from.0) / length, (to.1 - from.1) / length);
    let along = |by: f64, aside: f64| {
        (
            from.0 + way.0 * by - way.1 * aside,
            from.1 + way.1 * by + way.0 * aside,
        )
    };
    let begin = plan.radius * 0.95;
    let tip = length - plan.radius * 0.12;
    let base = tip - 8.5;
    let head = [along(tip, 0.0), along(base, 4.6), along(base, -4.6)];
    format!(
        "<path class=\"v\" d=\"M{}L{}\"/><path class=\"w\" d=\"{}\"/>",
        pair(along(begin, 0.0)),
        pair(along(base, 0.0)),
        path(&head, true)
    )
}
