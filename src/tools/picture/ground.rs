//! The board without what changes: cells or points, lines, joined edges, regions and names. A plan and a program in, SVG out.

use crate::board::{BoardKind, Cell, Cells};
use crate::program::{Program, Region};
use crate::tools::picture::plan::{PITCH, Plan, Point};
use crate::tools::picture::write::{escape, num, pair, path};
use std::fmt::Write as _;

/// Room beside the board for marked edges.
const BAND: f64 = 9.0;

/// How far inside of its cells the border of a region lies.
const INSET: f64 = 2.6;

/// How regions are shown: those along an edge outside of it, the others around their cells.
pub struct Regions<'p> {
    edges: Vec<(&'p Region, Vec<Vec<Point>>)>,
    inner: Vec<&'p Region>,
}

impl<'p> Regions<'p> {
    /// Sorts the regions of a game by how they can be shown.
    #[must_use]
    pub fn of(program: &'p Program) -> Regions<'p> {
        let plan = Plan::of(&program.board, 0.0);
        let mut sorted = Regions {
            edges: Vec::new(),
            inner: Vec::new(),
        };
        for region in &program.regions {
            match edge(&plan, region.cells) {
                Some(lines) if region.player.is_some() => sorted.edges.push((region, lines)),
                Some(_) | None => sorted.inner.push(region),
            }
        }
        sorted
    }

    /// The room that they need beside the board.
    #[must_use]
    pub fn band(&self) -> f64 {
        if self.edges.is_empty() { 0.0 } else { BAND }
    }

    fn class(region: &Region) -> String {
        region.player.map_or("n".to_owned(), |p| p.0.to_string())
    }

    /// What lies outside of the cells.
    fn outside(&self) -> String {
        let mut out = String::new();
        for (region, lines) in &self.edges {
            let class = Regions::class(region);
            let drawn: String = lines.iter().map(|line| path(line, false)).collect();
            let _ = write!(
                out,
                "<g><title>{}</title><path class=\"a a{class}\" d=\"{drawn}\"/><path class=\"b b{class}\" d=\"{drawn}\"/></g>",
                escape(&region.name)
            );
        }
        out
    }

    /// What is drawn on the cells.
    fn inside(&self, plan: &Plan) -> String {
        let mut out = String::new();
        for region in &self.inner {
            let class = Regions::class(region);
            let _ = write!(out, "<g><title>{}</title>", escape(&region.name));
            if plan.outline.is_empty() {
                let radius = num(plan.radius + 3.4);
                for cell in region.cells.iter() {
                    let (x, y) = plan.centre(cell);
                    let (x, y) = (num(x), num(y));
                    let _ = write!(
                        out,
                        "<circle class=\"a z a{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/><circle class=\"b z b{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
                    );
                }
            } else {
                let border = border(plan, region.cells);
                let _ = write!(
                    out,
                    "<path class=\"a z a{class}\" d=\"{border}\"/><path class=\"b z b{class}\" d=\"{border}\"/>"
                );
            }
            out.push_str("</g>");
        }
        out
    }
}

/// The border of some cells, a little inside of it.
fn border(plan: &Plan, cells: Cells) -> String {
    let mut out = String::new();
    let sides: Vec<(Point, Point, Point)> = plan.sides().collect();
    let count = sides.len().max(1);
    for cell in cells.iter() {
        let at = plan.centre(cell);
        let is_border = |way: Point| beyond(plan, at, way).is_none_or(|next| !cells.contains(next));
        for (n, (a, b, way)) in sides.iter().enumerate() {
            if !is_border(*way) {
                continue;
            }
            // At a corner that two sides share the line is shorter, so that both meet.
            let end = |corner: &Point, other: Point| {
                let inward = if is_border(other) { other } else { (0.0, 0.0) };
                let turn = way.0 * other.0 + way.1 * other.1;
                let by = INSET / (1.0 + turn);
                let lone = if is_border(other) { by } else { INSET };
                (
                    at.0 + corner.0 - way.0 * lone - inward.0 * by,
                    at.1 + corner.1 - way.1 * lone - inward.1 * by,
                )
            };
            let before = sides[(n + count - 1) % count].2;
            let after = sides[(n + 1) % count].2;
            out.push_str(&path(&[end(a, before), end(b, after)], false));
        }
    }
    out
}

/// The cell on the other side of a side.
fn beyond(plan: &Plan, at: Point, way: Point) -> Option<Cell> {
    plan.cell_at((at.0 + way.0 * PITCH, at.1 + way.1 * PITCH))
}

/// The outer sides of cells that lie in one line along an edge of the board, moved outward; nothing for other cells.
fn edge(plan: &Plan, cells: Cells) -> Option<Vec<Vec<Point>>> {
    let (first, last) = (cells.first()?, cells.last()?);
    let (a, b) = (plan.centre(first), plan.centre(last));
    let along = (b.0 - a.0, b.1 - a.1);
    let length = along.0.hypot(along.1);
    if length < PITCH * 0.5 || plan.outline.is_empty() {
        return None;
    }
    let along = (along.0 / length, along.1 / length);
    let across = |p: Point| (p.0 - a.0) * -along.1 + (p.1 - a.1) * along.0;
    if cells.iter().any(|c| across(plan.centre(c)).abs() > 1.0) {
        return None;
    }
    // Out is where no other cells are.
    let sum: f64 = plan.cells.iter().map(|p| across(*p)).sum();
    let sign = if sum > 0.0 { -1.0 } else { 1.0 };
    let out = (-along.1 * sign, along.0 * sign);
    if plan.cells.iter().any(|p| across(*p) * sign > 1.0) {
        return None;
    }
    let mut lines = Vec::new();
    for cell in cells.iter() {
        let at = plan.centre(cell);
        for (from, to, way) in plan.sides() {
            let outward = way.0 * out.0 + way.1 * out.1;
            if outward > 0.5 && beyond(plan, at, way).is_none() {
                let gap = BAND / 2.0 + 0.6;
                let moved =
                    |corner: Point| (at.0 + corner.0 + out.0 * gap, at.1 + corner.1 + out.1 * gap);
                lines.push(vec![moved(from), moved(to)]);
            }
        }
    }
    Some(joined(lines))
}

/// Lines that end where others begin become one.
fn joined(mut lines: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    let near = |a: Option<&Point>, b: Option<&Point>| match (a, b) {
        (Some(a), Some(b)) => (a.0 - b.0).abs() < 0.1 && (a.1 - b.1).abs() < 0.1,
        _ => false,
    };
    let mut done: Vec<Vec<Point>> = Vec::new();
    while let Some(mut line) = lines.pop() {
        loop {
            let next = lines.iter().position(|l| near(l.first(), line.last()));
            let before = lines.iter().position(|l| near(l.last(), line.first()));
            if let Some(at) = next {
                line.extend(lines.swap_remove(at).into_iter().skip(1));
            } else if let Some(at) = before {
                let mut longer = lines.swap_remove(at);
                longer.extend(line.into_iter().skip(1));
                line = longer;
            } else {
                break;
            }
        }
        done.push(straight(line));
    }
    done
}

/// Leaves out points in the middle of straight lines.
fn straight(line: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in line {
        if let [.., a, b] = kept.as_slice() {
            let turn = (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0);
            if turn.abs() < 0.5 {
                kept.pop();
            }
        }
        kept.push(point);
    }
    kept
}

/// The outline of a cell, or its point, to be referred to.
#[must_use]
pub fn shapes(plan: &Plan) -> String {
    if plan.outline.is_empty() {
        let reach = num(PITCH * 0.45);
        return format!(
            "<g id=\"o\"><circle class=\"h\" r=\"{reach}\"/><circle class=\"i\" r=\"3.4\"/></g>"
        );
    }
    format!("<path id=\"o\" d=\"{}\"/>", path(&plan.outline, true))
}

/// How a cell's outline looks.
#[must_use]
pub fn class(program: &Program, cell: Cell) -> &'static str {
    let board = &program.board;
    let coloured = board.kind() == BoardKind::Square && board.joined() != board.orthogonal();
    if coloured && board.dark().contains(cell) {
        "d"
    } else {
        "c"
    }
}

/// What lies under the cells.
#[must_use]
pub fn under(program: &Program, plan: &Plan, regions: &Regions<'_>) -> String {
    let mut out = regions.outside();
    if !plan.lines.is_empty() {
        let drawn: String = plan.lines.iter().map(|line| path(line, false)).collect();
        let _ = write!(out, "<path class=\"l\" d=\"{drawn}\"/>");
    }
    out.push_str(&one_ways(program, plan));
    out.push_str(&joined_edges(program, plan));
    out
}

/// Arrows on the lines between points that lead one way only.
fn one_ways(program: &Program, plan: &Plan) -> String {
    let board = &program.board;
    let mut drawn = String::new();
    if !plan.outline.is_empty() {
        return drawn;
    }
    for way in board.all().iter().filter(|d| board.opposite(*d).is_none()) {
        for from in board.cells() {
            let Some(to) = board.step(from, way) else {
                continue;
            };
            if board.neighbours(to).contains(from) {
                continue;
            }
            let (a, b) = (plan.centre(from), plan.centre(to));
            let length = (b.0 - a.0).hypot(b.1 - a.1).max(1.0);
            let along = ((b.0 - a.0) / length, (b.1 - a.1) / length);
            let at = |by: f64, aside: f64| {
                (
                    a.0 + along.0 * by - along.1 * aside,
                    a.1 + along.1 * by + along.0 * aside,
                )
            };
            let tip = length / 2.0 + 3.0;
            let points = [at(tip - 6.0, 4.0), at(tip, 0.0), at(tip - 6.0, -4.0)];
            drawn.push_str(&path(&points, false));
        }
    }
    if drawn.is_empty() {
        return drawn;
    }
    format!("<path class=\"l\" d=\"{drawn}\"><title>this line leads one way</title></path>")
}

/// Arrows across the edges that are joined.
fn joined_edges(program: &Program, plan: &Plan) -> String {
    let wrap = program.board.wrap();
    let mut drawn = String::new();
    let half = PITCH / 2.0;
    for cell in program.board.cells() {
        let at = plan.centre(cell);
        for (_, _, way) in plan.sides() {
            let joined = if way.0.abs() > 0.5 {
                wrap.columns()
            } else {
                wrap.rows()
            };
            if joined && beyond(plan, at, way).is_none() {
                let tip = (at.0 + way.0 * (half + 8.0), at.1 + way.1 * (half + 8.0));
                let back = (at.0 + way.0 * (half + 3.5), at.1 + way.1 * (half + 3.5));
                let side = (way.1 * 4.5, way.0 * 4.5);
                let points = [
                    (back.0 + side.0, back.1 + side.1),
                    tip,
                    (back.0 - side.0, back.1 - side.1),
                ];
                drawn.push_str(&path(&points, false));
            }
        }
    }
    if drawn.is_empty() {
        return drawn;
    }
    format!(
        "<path class=\"l\" d=\"{drawn}\"><title>this edge is joined to the one across</title></path>"
    )
}

/// What lies upon the cells.
#[must_use]
pub fn over(plan: &Plan, regions: &Regions<'_>) -> String {
    regions.inside(plan)
}

/// The names beside the board.
#[must_use]
pub fn labels(plan: &Plan) -> String {
    let mut out = format!("<g class=\"t\" font-size=\"{}\">", num(plan.font));
    for label in &plan.labels {
        let turn = if label.turned == 0.0 {
            String::new()
        } else {
            format!(
                " transform=\"rotate({} {})\"",
                num(label.turned),
                pair(label.at)
            )
        };
        let anchor = if label.anchor == "middle" {
            String::new()
        } else {
            format!(" text-anchor=\"{}\"", label.anchor)
        };
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\"{anchor}{turn}>{}</text>",
            num(label.at.0),
            num(label.at.1 + 0.35 * plan.font),
            escape(&label.text)
        );
    }
    out.push_str("</g>");
    out
}
