//! Makes what the rules of most games ask of a cell that was chosen, and of what is near it.

use crate::wild::writer::{Type, Writer};

impl Writer {
    /// Cells that are the same all through the game.
    pub fn zone(&mut self) -> String {
        if self.ground.shape == "graph" {
            let cells = self.ground.cells.clone();
            return match self.chance(50) {
                true => self.dice.pick(&cells),
                false => format!("({} or {})", self.dice.pick(&cells), self.dice.pick(&cells)),
            };
        }
        let (columns, rows) = (self.ground.columns, self.ground.rows);
        match self.below(6) {
            0 if self.ground.shape == "square" => self.pick(&["dark", "light"]),
            1 | 2 => self.pick(&["corners", "outer(1)"]),
            3 if self.mirrors() => format!("(row({}) seen by me)", 1 + self.below(rows)),
            3 | 4 => format!("row({})", 1 + self.below(rows)),
            _ => {
                let first = 1 + self.below(columns);
                format!(
                    "columns({first}..{})",
                    first + self.below(columns + 1 - first)
                )
            }
        }
    }

    /// Directions, which may be named, kept, or depend on a cell.
    pub fn ways_by(&mut self, cell: &str) -> String {
        match self.below(9) {
            0 | 1 => match self.seen(&[Type::Ways, Type::Direction]) {
                Some(name) => name,
                None => self.directions(0),
            },
            2 => self.direction(0),
            3 => {
                let (zone, one, other) = (self.zone(), self.directions(0), self.directions(0));
                format!("(if {cell} in {zone} then {one} else {other})")
            }
            4 => match self.defined.iter().find(|d| d.kind == Type::Ways) {
                Some(defined) => format!("{}({cell})", defined.name),
                None => self.directions(0),
            },
            _ => self.directions(0),
        }
    }

    /// What may stand on a cell.
    pub fn class(&mut self) -> String {
        match self.below(8) {
            0..=2 => "own".to_owned(),
            3 | 4 => "enemy".to_owned(),
            5 => "occupied".to_owned(),
            6 => self.pick(&["empty", "(own or empty)", "(not own)", "any"]),
            _ => format!("own {}", self.dice.pick(&self.kinds.clone())),
        }
    }

    /// The cells near a cell.
    pub fn near(&mut self, cell: &str) -> String {
        match self.below(9) {
            0..=3 => format!("adjacent of {cell}"),
            4 | 5 => format!("adjacent({cell}, {})", self.ways_by(cell)),
            6 => format!("axis({cell}, {})", self.ways_by(cell)),
            7 if !self.ground.large => format!("group of {cell}"),
            _ => match self.seen(&[Type::Cells]) {
                Some(name) => name,
                None => format!("adjacent of {cell}"),
            },
        }
    }

    /// Squares of a picture: a run of some length, and what comes behind it.
    fn counted(&mut self) -> String {
        let count = self.pick(&[
            "",
            "",
            "2 ",
            "3 ",
            "4 ",
            "2..3 ",
            "1..2 ",
            "2.. ",
            "3.. ",
            "4.. ",
            "whole 2.. ",
        ]);
        let class = self.class();
        let behind = self.pick(&[
            "", "", "", " | edge", " | own", " | empty", " | enemy", " | any",
        ]);
        format!("{count}{class}{behind}")
    }

    /// A line through a cell, or anywhere.
    fn line_claim(&mut self, cell: &str) -> String {
        let ways = self.ways_by(cell);
        let squares = self.counted();
        match self.below(4) {
            0 => format!("line {ways} [ {cell} | {squares} ]"),
            1 => {
                let near = self.near(cell);
                let class = self.class();
                format!("line {ways} [ {cell} | {class} except {near} ]")
            }
            _ => format!("line {ways} [ {squares} ]"),
        }
    }

    /// A trail whose beginning, steps or length may depend on a cell.
    fn trail_claim(&mut self, cell: &str) -> String {
        let (class, near) = (self.class(), self.near(cell));
        let start = match self.below(4) {
            0 => cell.to_owned(),
            1 => format!("{class} and {}", self.zone()),
            _ => format!("{class} and {near}"),
        };
        let ways = self.ways_by(cell);
        let step = match self.below(5) {
            0 => format!("[ here | enemy | {class} as next ]"),
            1 => format!("[ here | ({class} and {near}) as next ]"),
            _ => format!("[ here | {class} as next ]"),
        };
        let rest = match self.below(4) {
            0 => format!("\nfinish {}", self.zone()),
            1 => format!("\nbetween {class}"),
            _ => String::new(),
        };
        let never = self.pick(&["twice", "twice, straight", "twice, back"]);
        // What stands anywhere goes on for long.
        let wide = ["empty", "any", "(own or empty)", "(not own)"].contains(&class.as_str());
        let length = match self.below(6) {
            _ if wide => self.pick(&["1..2 steps", "2 steps"]),
            0 => format!("count({near}).. cells"),
            1 if self.ground.shape != "graph" => format!("row of {cell}.. cells"),
            2 => self.pick(&["1..2 steps", "2 steps", "full"]),
            _ => self.pick(&["2.. cells", "3.. cells"]),
        };
        format!(
            "trail {{ start {start}\nstep {ways} {step}{rest}\nnever {never}\nlength {length} }}"
        )
    }

    /// What must hold of the groups of somebody.
    fn group_claim(&mut self, cell: &str) -> String {
        let who = self.player(0);
        let small = 1 + self.below(4);
        match self.below(4) {
            0 => format!("count(group of {cell}) < {small}"),
            1 => format!("count(groups of {who}) <= {small}"),
            2 => {
                let zone = self.zone();
                format!("count(cells of (groups of {who} where some (it and {zone}))) < {small}")
            }
            _ => {
                let (zone, class) = (self.zone(), self.class());
                format!("no (parts of {class} where all it in {zone})")
            }
        }
    }

    /// Something that is asked of a cell and what is near it.
    pub fn claim(&mut self) -> String {
        let cell = self.simple_cell();
        let some = self.pick(&["no", "no", "some"]);
        let sign = self.pick(&["<", "<=", ">", ">=", "!=", "="]);
        let most = if self.ground.large { 9 } else { 18 };
        match self.below(most) {
            0..=2 => format!("{some} ({} and {})", self.class(), self.near(&cell)),
            3 | 4 => format!("{some} {}", self.line_claim(&cell)),
            5 | 6 => {
                let (class, near) = (self.class(), self.near(&cell));
                format!("count({class} and {near}) {sign} {}", self.below(4))
            }
            7 => format!("{cell} {} {}", self.pick(&["in", "not in"]), self.zone()),
            8 => format!("{} {sign} {}", self.number(0), self.number(0)),
            9 | 10 => self.group_claim(&cell),
            11 | 12 => format!("{some} {}", self.trail_claim(&cell)),
            13 => self.can(),
            14 => match self.seen(&[Type::Truth]) {
                Some(name) => name,
                None => format!("{some} {}", self.line_claim(&cell)),
            },
            15 => {
                let (ways, near) = (self.ways_by(&cell), self.near(&cell));
                let name = self.fresh("seen");
                format!(
                    "{some} ({name} from line {ways} [ {cell} | 0.. empty | enemy as {name} ] and {near})"
                )
            }
            16 => {
                let word = self.pick(&["and", "or"]);
                format!("({} {word} {})", self.claim(), self.claim())
            }
            _ => self.truth(1),
        }
    }
}
