//! Where everything of a board is drawn: a board in, centres, outlines, lines and names in the plane out. The next cell in a
//! row is 40 units away; up is negative, as in SVG. Nothing is drawn here.

use crate::board::{Board, BoardKind, Cell};
use crate::tools::picture::ring;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_PI_3;

/// A point of the plane.
pub type Point = (f64, f64);

/// From a cell to the next one in its row.
pub const PITCH: f64 = 40.0;

/// The height of letters, as a share of the width of the picture: 10 pixels of 400.
pub const FONT: f64 = 0.0255;

/// The width of a letter, as a share of its height.
pub const LETTER: f64 = 0.61;

/// How many times higher than wide a board may be.
const TALLEST: f64 = 2.0;

/// Half the height of a hexagon, in units of its inner radius.
const POINTED: f64 = 1.154_700_538_379_251_5;

/// A name beside the board.
pub struct Label {
    /// The middle of the text.
    pub at: Point,
    /// The text.
    pub text: String,
    /// How far it is turned, in degrees.
    pub turned: f64,
    /// Where the text begins: `start`, `middle` or `end` at the point.
    pub anchor: &'static str,
}

/// A board in the plane.
pub struct Plan {
    /// Centres by cell.
    pub cells: Vec<Point>,
    /// The corners of a cell around its centre, in order; none where pieces stand on points.
    pub outline: Vec<Point>,
    /// Lines between points.
    pub lines: Vec<Vec<Point>>,
    /// Names beside the board.
    pub labels: Vec<Label>,
    /// The height of letters.
    pub font: f64,
    /// How large a piece may be: half its width.
    pub radius: f64,
    /// Left and upper corner of everything.
    pub from: Point,
    /// Right and lower corner of everything.
    pub to: Point,
    /// Cells by place, in tenths of a unit.
    at: BTreeMap<(i64, i64), Cell>,
}

/// A place that does not depend on the last bits of numbers.
fn key(point: Point) -> (i64, i64) {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "places are far smaller, and casts saturate"
    )]
    let whole = |x: f64| (x * 10.0).round() as i64;
    (whole(point.0), whole(point.1))
}

impl Plan {
    /// The plan of a board; `band` is room that is kept free around it, for marked edges.
    #[must_use]
    pub fn of(board: &Board, band: f64) -> Plan {
        let kind = board.kind();
        let free = !board.is_plotted();
        let cells = if free {
            ring::places(board)
        } else {
            let row = match kind {
                BoardKind::Square | BoardKind::Graph => PITCH,
                BoardKind::Triangles | BoardKind::Hexagons | BoardKind::Rhombus => {
                    PITCH * FRAC_PI_3.sin()
                }
            };
            let place = |cell| {
                let (x, y) = board.place(cell);
                (f64::from(x) * PITCH / 2.0, -f64::from(y) * row)
            };
            board.cells().iter().map(place).collect()
        };
        let half = PITCH / 2.0;
        let outline = match kind {
            BoardKind::Square => vec![(-half, -half), (half, -half), (half, half), (-half, half)],
            BoardKind::Hexagons | BoardKind::Rhombus => {
                let tall = half * POINTED;
                let low = tall / 2.0;
                vec![
                    (0.0, -tall),
                    (half, -low),
                    (half, low),
                    (0.0, tall),
                    (-half, low),
                    (-half, -low),
                ]
            }
            BoardKind::Triangles | BoardKind::Graph => Vec::new(),
        };
        let lines = if outline.is_empty() {
            lines(board, &cells)
        } else {
            Vec::new()
        };
        let radius = match kind {
            BoardKind::Square | BoardKind::Triangles => 0.37 * PITCH,
            BoardKind::Hexagons | BoardKind::Rhombus => 0.34 * PITCH,
            BoardKind::Graph => 0.32 * PITCH,
        };
        let at = board
            .cells()
            .iter()
            .map(|c| (key(cells[c.index()]), c))
            .collect();
        let mut plan = Plan {
            cells,
            outline,
            lines,
            labels: Vec::new(),
            font: 0.0,
            radius,
            from: (0.0, 0.0),
            to: (0.0, 0.0),
            at,
        };
        plan.frame(board, band);
        plan
    }

    /// The centre of a cell.
    #[must_use]
    pub fn centre(&self, cell: Cell) -> Point {
        self.cells.get(cell.index()).copied().unwrap_or_default()
    }

    /// The cell whose centre is there.
    #[must_use]
    pub fn cell_at(&self, point: Point) -> Option<Cell> {
        let (x, y) = key(point);
        let near = (x - 2, i64::MIN)..=(x + 2, i64::MAX);
        let found = self.at.range(near).find(|(k, _)| (k.1 - y).abs() <= 2);
        found.map(|(_, cell)| *cell)
    }

    /// The sides of a cell's outline: both corners, and the way out of it, one unit long.
    pub fn sides(&self) -> impl Iterator<Item = (Point, Point, Point)> + '_ {
        let next = self.outline.iter().cycle().skip(1);
        self.outline.iter().zip(next).map(|(a, b)| {
            let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            let length = middle.0.hypot(middle.1);
            (*a, *b, (middle.0 / length, middle.1 / length))
        })
    }

    /// The width of everything.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.to.0 - self.from.0
    }

    /// Finds the height of letters and the room that names take, and puts the names there.
    fn frame(&mut self, board: &Board, band: f64) {
        let reach = |pick: fn(&Point) -> f64| {
            let (mut least, mut most) = (f64::MAX, f64::MIN);
            for at in self.cells.iter().map(pick) {
                (least, most) = (least.min(at), most.max(at));
            }
            (least, most)
        };
        let (left, right) = reach(|p| p.0);
        let (top, bottom) = reach(|p| p.1);
        let half = PITCH / 2.0;
        let tall = self.outline.iter().map(|p| p.1).fold(half, f64::max);
        let (edge_x, edge_y) = (half + band, tall + band);
        let free = !board.is_plotted();
        let longest = self.longest_label(board);
        // Letters share the width with the board, and names stand at its left and sometimes right.
        let (at_left, at_right) = match board.kind() {
            _ if free => (longest + 0.8, longest + 0.8),
            BoardKind::Square | BoardKind::Graph => (longest + 0.9, 0.9),
            BoardKind::Rhombus => (longest + 0.9, 0.9),
            BoardKind::Triangles | BoardKind::Hexagons => (longest + 0.9, longest + 0.9),
        };
        // A board of few columns has room at its sides, so that the picture is not a strip.
        let inner = right - left + 2.0 * edge_x;
        let least = (3.0 * PITCH).max((bottom - top) / TALLEST);
        let aside = ((least - inner) / 2.0).max(0.0);
        let inner = inner + 2.0 * aside;
        let share = (FONT * (at_left + at_right)).min(0.6);
        self.font = FONT * inner / (1.0 - share);
        let font = self.font;
        self.from = (
            left - edge_x - aside - at_left * font,
            top - edge_y - 0.9 * font,
        );
        self.to = (
            right + edge_x + aside + at_right * font,
            bottom + edge_y + 1.5 * font,
        );
        match board.kind() {
            _ if free => {
                self.from.1 = top - edge_x - at_left * font;
                self.to.1 = bottom + edge_x + at_left * font;
                self.labels = ring::labels(board, &self.cells, edge_x + 0.3 * font, font);
            }
            BoardKind::Triangles | BoardKind::Hexagons => {
                self.from.1 = top - edge_y - 1.5 * font;
                self.labels_of_hexagon(board, band);
            }
            BoardKind::Square | BoardKind::Graph | BoardKind::Rhombus => {
                self.labels_of_rows(board, (left, bottom), (edge_x, edge_y));
            }
        }
    }

    /// The longest name beside the board, in heights of letters.
    fn longest_label(&self, board: &Board) -> f64 {
        let free = !board.is_plotted();
        let names = board.cells().iter().map(|c| {
            let name = board.name(c);
            let letters = name.trim_end_matches(|d: char| d.is_ascii_digit());
            if free {
                name.chars().count()
            } else {
                letters.len().max(name.len() - letters.len())
            }
        });
        let longest = u32::try_from(names.max().unwrap_or(1)).unwrap_or(1);
        f64::from(longest) * LETTER
    }

    /// Of names so wide, how many cells apart they stand.
    fn apart(&self, room: f64, text: usize) -> u32 {
        let wide = (f64::from(u32::try_from(text).unwrap_or(1)) * LETTER + 0.3) * self.font;
        let steps = [1, 2, 5, 10, 20, 50, 100, 200];
        let fits = |step: &u32| f64::from(*step) * room >= wide;
        steps.into_iter().find(fits).unwrap_or(500)
    }

    /// Letters of columns below, numbers of rows at the left.
    fn labels_of_rows(&mut self, board: &Board, low: Point, edge: Point) {
        let font = self.font;
        let slant = board.kind() == BoardKind::Rhombus;
        let (mut columns, mut rows) = (BTreeMap::new(), BTreeMap::new());
        for cell in board.cells() {
            let name = board.name(cell);
            let letters = name.trim_end_matches(|d: char| d.is_ascii_digit());
            let number = name.get(letters.len()..).unwrap_or_default();
            let at = self.centre(cell);
            let row = rows
                .entry(board.row_of(cell))
                .or_insert((number.to_owned(), at));
            if at.0 < row.1.0 {
                row.1 = at;
            }
            let below = if slant {
                // Columns lean to the right; below the board they go on to the left.
                let up = low.1 - at.1;
                (at.0 - up / FRAC_PI_3.tan(), low.1)
            } else {
                (at.0, low.1)
            };
            columns
                .entry(board.column_of(cell))
                .or_insert((letters.to_owned(), below));
        }
        let longest = columns.values().map(|c| c.0.len()).max().unwrap_or(1);
        let step = self.apart(PITCH, longest);
        for (n, (text, at)) in columns {
            if (n - 1) % step == 0 {
                let down = edge.1 + 0.75 * font;
                let aside = if slant { 0.35 * PITCH } else { 0.0 };
                self.label((at.0 - aside, at.1 + down), text);
            }
        }
        // Lines of text need no more room than their height.
        let step = self.apart(PITCH, 1);
        for (n, (text, at)) in rows {
            if (n - 1) % step == 0 {
                let wide = f64::from(u32::try_from(text.len()).unwrap_or(1)) * LETTER * font;
                let left = if slant { at.0 } else { low.0 };
                self.label((left - edge.0 - 0.3 * font - wide / 2.0, at.1), text);
            }
        }
    }

    /// Letters of rows at the left. A number counts along a row; the cells of one number lie on a line that leans left up to the
    /// longest row and right above it, so it stands at the lower and the upper end of that line.
    fn labels_of_hexagon(&mut self, board: &Board, band: f64) {
        let font = self.font;
        let out = PITCH / 2.0 + band + 0.25 * font;
        let middle = board.rows().div_ceil(2);
        let most = board.columns().to_string().len();
        let step = self.apart(PITCH, most);
        let mut seen = 0;
        for cell in board.cells() {
            let name = board.name(cell);
            let letters = name.trim_end_matches(|d: char| d.is_ascii_digit());
            let (row, number) = (board.row_of(cell), board.column_of(cell));
            let at = self.centre(cell);
            if row != seen {
                seen = row;
                let wide = f64::from(u32::try_from(letters.len()).unwrap_or(1)) * LETTER * font;
                self.label((at.0 - out - wide / 2.0, at.1), letters.to_owned());
            }
            // Two stands too near to one where not all are told.
            let told = number % step == 0 && (step == 1 || number > 2);
            if !told && number != 1 {
                continue;
            }
            let down = if row < middle {
                1.0
            } else if row > middle {
                -1.0
            } else {
                0.0
            };
            let rise = PITCH * FRAC_PI_3.sin() * down;
            let aside = if down == 0.0 { PITCH } else { PITCH / 2.0 };
            let beyond = (at.0 + aside, at.1 + rise);
            if self.cell_at(beyond).is_none() {
                let length = aside.hypot(rise);
                let far = out + 0.5 * font;
                let way = (aside / length * far, rise / length * far);
                self.label((at.0 + way.0, at.1 + way.1), number.to_string());
            }
        }
    }

    fn label(&mut self, at: Point, text: String) {
        self.labels.push(Label {
            at,
            text,
            turned: 0.0,
            anchor: "middle",
        });
    }
}

/// The lines that join points, each as long as it goes; rings are closed.
fn lines(board: &Board, cells: &[Point]) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    let mut drawn: BTreeSet<(Cell, Cell)> = BTreeSet::new();
    let place = |c: Cell| cells.get(c.index()).copied().unwrap_or_default();
    for way in board.all().iter() {
        let back = board.opposite(way);
        let begins = |c: &Cell| back.is_none_or(|back| board.step(*c, back).is_none());
        // Lines with an end first, then what is left of rings.
        let starts = board.cells().iter().filter(begins);
        for start in starts.chain(board.cells().iter()) {
            let mut line = vec![place(start)];
            let mut at = start;
            while let Some(next) = board.step(at, way) {
                if !drawn.insert((at.min(next), at.max(next))) {
                    break;
                }
                line.push(place(next));
                at = next;
            }
            if line.len() > 1 {
                lines.push(line);
            }
        }
    }
    lines
}
