//! Makes boards: of squares and of other shapes, with joined edges, joined one way, by hand, and now and then large.

use crate::wild::writer::{Ground, Writer};

const SIX: [&str; 4] = ["east", "west", "northeast", "southwest"];

/// Boards joined by hand, with names of their directions.
const GRAPHS: [(&str, &[&str]); 6] = [
    (
        "line (clock, wise) a b c d e f a\n  line a hub d\n  line hub pond\n  cell tower",
        &["clock", "wise"],
    ),
    (
        "line (clock, wise) a b c d e a\n  line (inward) a hub\n  line (inward) c hub",
        &["clock", "wise", "inward"],
    ),
    (
        "line (up, down) a d g\n  line (up, down) b e h\n  line (left, right) a b\n  line (left, right) d e\n  line (left, right) g h",
        &["up", "down", "left", "right"],
    ),
    (
        "line (up, down) a b c d\n  line (left, right) a e b f",
        &["up", "down", "left", "right"],
    ),
    (
        "line (on) a b c d e a\n  line (across, back) b d",
        &["on", "across", "back"],
    ),
    ("line (on) a b c d\n  line (out) b e d", &["on", "out"]),
];

impl Writer {
    /// A board.
    pub fn ground(&mut self) -> Ground {
        let mut g = match self.below(12) {
            0..=6 => self.squares(),
            7 | 8 => {
                let (width, side) = (2 + self.below(2), 2 + self.below(2));
                self.with_six(width, side)
            }
            9 => {
                let (columns, rows) = (2 + self.below(3), 2 + self.below(3));
                rhombus(columns, rows)
            }
            _ if self.chance(40) => self.drawn_graph(),
            _ => {
                let (text, ways) = self.dice.pick(&GRAPHS);
                graph(text, ways.to_vec(), ["a", "b", "d", "e"])
            }
        };
        if self.chance(25) {
            g.stacking = true;
            g.text.push_str(" stacking");
        }
        g
    }

    fn squares(&mut self) -> Ground {
        let (columns, rows) = match self.below(14) {
            0 => (9, 8),
            1 if self.chance(40) => (12, 12),
            _ => (2 + self.below(4), 2 + self.below(4)),
        };
        let mut g = self.squares_of(columns, rows);
        let cut = self.pick(&[
            "",
            "",
            "",
            "",
            "",
            " without corners",
            " only dark",
            " without middle",
            " only dark",
        ]);
        if !cut.is_empty() {
            g.text.push_str(&cut);
            g.cells.clear();
            g.symmetric = cut != " only dark";
        }
        let joined = self.joined();
        g.text.push_str(&joined);
        let round = self.pick(&["", "", "", "", " wrapping columns", " wrapping rows"]);
        g.text.push_str(&round);
        g
    }

    /// Squares, and the names of some of them.
    pub fn squares_of(&mut self, columns: usize, rows: usize) -> Ground {
        let named = columns.min(26);
        Ground {
            text: format!("square({columns}, {rows})"),
            shape: "square",
            columns,
            rows,
            symmetric: true,
            ways: vec!["north", "south", "east", "west", "ne", "nw", "se", "sw"],
            cells: (0..6)
                .map(|_| {
                    let column = b'a' + self.below(named) as u8;
                    format!("{}{}", char::from(column), 1 + self.below(rows))
                })
                .collect(),
            ..Ground::default()
        }
    }

    /// Along which directions squares are adjacent: some of those that lead back, or one way.
    fn joined(&mut self) -> String {
        let one_way = [" joined east", " joined (north or east)", " joined ne"];
        match self.below(12) {
            0..=6 => String::new(),
            7 | 8 => " joined orthogonal".to_owned(),
            9 | 10 => " joined diagonal".to_owned(),
            _ => self.pick(&one_way),
        }
    }

    /// Points or hexagons in a hexagon.
    fn with_six(&mut self, width: usize, side: usize) -> Ground {
        let shape = match self.chance(50) {
            true => "triangles",
            false => "hexagons",
        };
        Ground {
            text: format!("{shape}({width}, {side})"),
            shape,
            columns: width,
            rows: side,
            symmetric: true,
            ways: SIX.to_vec(),
            cells: ["a1", "b3", "b1", "c2", "a2", "b2"]
                .map(str::to_owned)
                .to_vec(),
            ..Ground::default()
        }
    }

    /// Lines of points, some of one way, some closed to rings.
    fn drawn_graph(&mut self) -> Ground {
        const NAMES: [[&str; 2]; 3] = [["up", "down"], ["left", "right"], ["clock", "wise"]];
        const POINTS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
        let mut ways = Vec::new();
        let mut lines = Vec::new();
        for names in &NAMES[..1 + self.below(3)] {
            let mut left = POINTS.to_vec();
            let many = 2 + self.below(4);
            let mut points: Vec<&str> = (0..many)
                .map(|_| left.remove(self.below(left.len())))
                .collect();
            // The first line holds all that are named elsewhere.
            if lines.is_empty() {
                points = POINTS[..5].to_vec();
            }
            if points.len() > 2 && self.chance(45) {
                points.push(points[0]);
            }
            let one_way = self.chance(35);
            let named = match one_way {
                true => names[0].to_owned(),
                false => names.join(", "),
            };
            ways.extend(&names[..2 - usize::from(one_way)]);
            lines.push(format!("line ({named}) {}", points.join(" ")));
        }
        graph(&lines.join("\n  "), ways, ["a", "b", "d", "e"])
    }

    /// A board with joined edges, so small that lines come round.
    pub fn ring(&mut self) -> Ground {
        let (columns, rows) = (2 + self.below(4), 1 + self.below(4));
        let mut g = self.squares_of(columns.max(3 - rows.min(2)), rows);
        let joined = self.joined();
        g.text.push_str(&joined);
        let round = self.pick(&[" wrapping columns", " wrapping columns", " wrapping rows"]);
        g.text.push_str(&round);
        g
    }

    /// A board of more than 128 cells, or of more than 1024.
    pub fn large(&mut self) -> Ground {
        let sizes = [(12, 11), (13, 10), (16, 16), (23, 23), (33, 32), (35, 36)];
        let (columns, rows) = self.dice.pick(&sizes);
        let mut g = match self.below(8) {
            0 => rhombus(columns, rows),
            1 => {
                let side = 8 + self.below(5);
                self.with_six(side, side)
            }
            _ => self.squares_of(columns, rows),
        };
        if g.shape == "square" && self.chance(30) {
            let more = self.pick(&[
                " joined orthogonal",
                " wrapping columns",
                " joined diagonal",
            ]);
            g.text.push_str(&more);
        }
        g.large = true;
        g
    }
}

/// Hexagons in a rhombus.
fn rhombus(columns: usize, rows: usize) -> Ground {
    Ground {
        text: format!("rhombus({columns}, {rows})"),
        shape: "rhombus",
        columns,
        rows,
        ways: SIX.to_vec(),
        cells: ["a1", "b2", "a2", "b1"].map(str::to_owned).to_vec(),
        ..Ground::default()
    }
}

fn graph(lines: &str, ways: Vec<&'static str>, cells: [&str; 4]) -> Ground {
    Ground {
        text: format!("graph {{\n  {lines}\n}}"),
        shape: "graph",
        ways,
        cells: cells.map(str::to_owned).to_vec(),
        ..Ground::default()
    }
}
