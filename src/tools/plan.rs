//! Where the cells of a board lie on a grid of characters: a board and the width of a cell in, places, labels and lines between
//! points out. What stands in the cells is told elsewhere.

use crate::board::{Board, BoardKind, Cell, Directions};
use crate::tools::draw::{is_plotted, split_name};

/// A board on a grid of characters; lines and columns are counted from 0 at the top left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The places of the cells, in board order.
    pub spots: Vec<Spot>,
    /// Names of rows, or of cells, in the columns before the board.
    pub labels: Vec<Label>,
    /// Names of columns, in the last line.
    pub foot: Vec<Label>,
    /// What joins neighbouring points.
    pub strokes: Vec<Label>,
    /// How many columns it takes.
    pub width: usize,
    /// How many lines it takes.
    pub height: usize,
    /// How many columns the content of a cell may take.
    pub room: usize,
    /// How many columns the labels before the board take.
    pub gutter: usize,
    /// Whether the names of columns lead aslant through the board, so that they belong to its lowest line only.
    pub slanted: bool,
}

/// Where the content of a cell begins; the columns before and behind it are free for marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The cell.
    pub cell: Cell,
    /// Its line.
    pub line: usize,
    /// The first column of its content.
    pub column: usize,
}

/// A text at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its line.
    pub line: usize,
    /// Its first column.
    pub column: usize,
    /// The text.
    pub text: String,
}

impl Plan {
    /// Lays a board out for contents of so many characters.
    #[must_use]
    pub fn new(board: &Board, room: usize) -> Plan {
        let room = room.max(1);
        let mut plan = Plan {
            spots: Vec::new(),
            labels: Vec::new(),
            foot: Vec::new(),
            strokes: Vec::new(),
            width: 0,
            height: 0,
            room,
            gutter: 0,
            slanted: board.kind() == BoardKind::Rhombus,
        };
        if is_plotted(board) {
            plan.plot(board);
        } else {
            plan.list(board);
        }
        let spots = plan.spots.iter().map(|s| (s.line, s.column + room + 1));
        let ends = |l: &Label| (l.line, l.column + l.text.chars().count());
        let all: Vec<(usize, usize)> = spots.chain(plan.foot.iter().map(ends)).collect();
        plan.height = all.iter().map(|(line, _)| line + 1).max().unwrap_or(0);
        plan.width = all.iter().map(|(_, end)| *end).max().unwrap_or(0);
        plan
    }

    /// The place of a cell.
    #[must_use]
    pub fn spot(&self, cell: Cell) -> Option<Spot> {
        self.spots.get(cell.index()).copied()
    }

    /// The cell at a place, with the columns for its marks.
    #[must_use]
    pub fn cell_at(&self, line: usize, column: usize) -> Option<Cell> {
        let holds =
            |s: &&Spot| s.line == line && s.column <= column + 1 && column <= s.column + self.room;
        // Where marks of two cells share a column, the nearer one is meant.
        let near = self.spots.iter().filter(holds);
        near.min_by_key(|s| (s.column + self.room / 2).abs_diff(column))
            .map(|s| s.cell)
    }

    /// The next cell to the left or right in its line; else in the nearest line.
    #[must_use]
    pub fn beside(&self, from: Cell, right: bool) -> Option<Cell> {
        let here = self.spot(from)?;
        let ahead = |s: &&Spot| {
            if right {
                s.column > here.column
            } else {
                s.column < here.column
            }
        };
        let near = |s: &&Spot| {
            (
                s.line.abs_diff(here.line),
                s.column.abs_diff(here.column),
                s.line,
            )
        };
        self.spots
            .iter()
            .filter(ahead)
            .min_by_key(near)
            .map(|s| s.cell)
    }

    /// The cell of the next line up or down that lies nearest to a column.
    #[must_use]
    pub fn above(&self, from: Cell, up: bool, column: usize) -> Option<Cell> {
        let here = self.spot(from)?;
        let ahead = |s: &&Spot| {
            if up {
                s.line < here.line
            } else {
                s.line > here.line
            }
        };
        let near = |s: &&Spot| (s.line.abs_diff(here.line), s.column.abs_diff(column));
        self.spots
            .iter()
            .filter(ahead)
            .min_by_key(near)
            .map(|s| s.cell)
    }

    /// One cell a line, behind its name.
    fn list(&mut self, board: &Board) {
        let width = |cell| board.name(cell).chars().count();
        let head = board.cells().iter().map(width).max().unwrap_or(0);
        self.gutter = head + 1;
        for (line, cell) in board.cells().iter().enumerate() {
            self.labels.push(Label {
                line,
                column: head - width(cell),
                text: format!("{}:", board.name(cell)),
            });
            let column = self.gutter + 1;
            self.spots.push(Spot { cell, line, column });
        }
    }

    fn plot(&mut self, board: &Board) {
        let rows = board.rows_top_down();
        let by_letter = matches!(board.kind(), BoardKind::Triangles | BoardKind::Hexagons);
        let points = board.kind() == BoardKind::Graph;
        let xs = || board.cells().iter().map(|cell| board.place(cell).0);
        let left = xs().min().unwrap_or(0);
        let odd = xs().any(|x| (x - left) % 2 != 0);
        // A column for marks on each side; points have room for lines between them.
        let pitch = self.room + if points { 4 } else { 2 };
        let pitch = if odd {
            pitch.next_multiple_of(2)
        } else {
            pitch
        };
        let name = |cell: Cell| split_name(board.name(cell)).unwrap_or_default();
        let row_label = |cell| {
            if by_letter {
                name(cell).0
            } else {
                name(cell).1
            }
        };
        let firsts = rows.iter().filter_map(|row| row.first().copied());
        let head = firsts.map(|c| row_label(c).len()).max().unwrap_or(0);
        self.gutter = head + 1;
        let column = |x: i32| head + 2 + usize::try_from(x - left).unwrap_or(0) * pitch / 2;
        let top = rows.first().and_then(|row| row.first());
        let top = top.map_or(0, |cell| board.place(*cell).1);
        let deep = if points { 2 } else { 1 };
        let mut spots = Vec::new();
        let mut foot: Vec<(usize, &str)> = Vec::new();
        let mut last = 0;
        for cells in &rows {
            for (at, cell) in cells.iter().enumerate() {
                let (x, y) = board.place(*cell);
                let line = usize::try_from(top - y).unwrap_or(0) * deep;
                last = last.max(line);
                spots.push(Spot {
                    cell: *cell,
                    line,
                    column: column(x),
                });
                if at == 0 {
                    let text = row_label(*cell).to_owned();
                    self.labels.push(Label {
                        line,
                        column: head - text.len(),
                        text,
                    });
                }
                if !by_letter {
                    let indent = if self.slanted { y - 1 } else { 0 };
                    foot.push((column(x - indent), name(*cell).0));
                }
            }
        }
        spots.sort_by_key(|s| s.cell);
        self.spots = spots;
        foot.sort_unstable();
        foot.dedup();
        let label = |(column, text): &(usize, &str)| Label {
            line: last + 1,
            column: *column,
            text: (*text).to_owned(),
        };
        self.foot = foot.iter().map(label).collect();
        if points {
            self.join(board);
        }
    }

    /// Lines between points of one row or column, and those that lie one step aslant.
    fn join(&mut self, board: &Board) {
        let mut strokes = Vec::new();
        for from in &self.spots {
            for direction in Directions::range(board.directions()) {
                let next = board.step(from.cell, direction).and_then(|c| self.spot(c));
                let Some(to) = next else { continue };
                strokes.extend(self.stroke(*from, to));
            }
        }
        strokes.sort_by_key(|s| (s.line, s.column));
        strokes.dedup();
        self.strokes = strokes;
    }

    fn stroke(&self, from: Spot, to: Spot) -> Vec<Label> {
        let at = |line, column, text: &str| Label {
            line,
            column,
            text: text.to_owned(),
        };
        let taken = |line: usize, column: usize| {
            let over =
                |s: &Spot| s.line == line && (s.column..s.column + self.room).contains(&column);
            self.spots.iter().any(over)
        };
        if from.line == to.line && from.column < to.column {
            let columns = from.column + self.room + 1..to.column.saturating_sub(1);
            let free = columns.filter(|column| !taken(from.line, *column));
            return free.map(|column| at(from.line, column, "─")).collect();
        }
        if from.column == to.column && from.line < to.line {
            let lines = (from.line + 1..to.line).filter(|line| !taken(*line, from.column));
            return lines.map(|line| at(line, from.column, "│")).collect();
        }
        if from.line + 2 == to.line && from.column != to.column {
            let middle = (from.column + to.column) / 2;
            let near = from.column.abs_diff(to.column) <= self.room + 4;
            let text = if from.column < to.column {
                "╲"
            } else {
                "╱"
            };
            return if near {
                vec![at(from.line + 1, middle, text)]
            } else {
                Vec::new()
            };
        }
        Vec::new()
    }
}
