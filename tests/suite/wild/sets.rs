//! Makes expressions of cells, sets of cells and directions.

use crate::wild::writer::{Type, Writer};

impl Writer {
    /// A cell.
    pub fn cell(&mut self, depth: usize) -> String {
        if self.it == Some(Type::Cell) && self.chance(50) {
            return "it".to_owned();
        }
        if self.chance(70)
            && let Some(name) = self.seen(&[Type::Cell])
        {
            return name;
        }
        if self.chance(25)
            && let Some(name) = self.kept_value(Type::Cell)
        {
            return name;
        }
        if depth == 0 {
            return match self.below(3) {
                0 if !self.ground.cells.is_empty() => {
                    let cells = self.ground.cells.clone();
                    self.dice.pick(&cells)
                }
                1 if self.in_play() => format!("first of {}", self.pick(&["own", "enemy"])),
                _ => format!("{} of {}", self.pick(&["first", "last"]), self.word()),
            };
        }
        let d = depth - 1;
        match self.below(6) {
            0 => {
                let way = self.direction(d);
                format!("neighbour({}, {way})", self.cell(d))
            }
            1 if self.ground.shape == "square" || self.ground.shape == "rhombus" => format!(
                "cell({}, {})",
                1 + self.below(self.ground.columns),
                1 + self.below(self.ground.rows)
            ),
            2 if self.chance(10) => "nowhere".to_owned(),
            3 => {
                let (a, b) = (self.cell(d), self.cell(d));
                format!("(if {} then {a} else {b})", self.truth(d))
            }
            4 => match self.seen(&[Type::Run]) {
                Some(run) => format!("{} of {run}", self.pick(&["first", "last"])),
                None => self.cell(0),
            },
            _ => format!("{} of ({})", self.pick(&["first", "last"]), self.cells(d)),
        }
    }

    /// A word for cells that stands alone.
    pub fn word(&mut self) -> String {
        let mut words = vec!["any", "empty", "occupied", "any"];
        if self.ground.shape != "graph" {
            words.extend(["corners", "middle"]);
        }
        if self.ground.shape == "square" {
            words.extend(["dark", "light"]);
        }
        if self.in_play() {
            words.extend(["own", "enemy", "own", "enemy", "empty"]);
        }
        if self.in_turn() {
            words.extend(["touched", "captured"]);
        }
        if self.chance(4) {
            words.push("none");
        }
        self.pick(&words)
    }

    /// The cells of a kind.
    fn of_kind(&mut self) -> String {
        if self.neutral && self.chance(20) {
            return "token".to_owned();
        }
        let kinds = self.kinds.clone();
        let kind = self.dice.pick(&kinds);
        match self.below(4) {
            0 => format!("{kind} of {}", self.player(0)),
            1 => kind.to_owned(),
            _ if self.in_play() => format!("{} {kind}", self.pick(&["own", "enemy"])),
            _ => kind.to_owned(),
        }
    }

    /// Cells of rows, columns and edges.
    fn region(&mut self) -> String {
        if self.ground.shape == "graph" {
            return self.word();
        }
        let (columns, rows) = (self.ground.columns, self.ground.rows);
        let (row, column) = (1 + self.below(rows), 1 + self.below(columns));
        let region = match self.below(6) {
            0 | 1 => format!("row({row})"),
            2 => format!("column({column})"),
            3 => format!("rows({row}..{})", row + self.below(rows + 1 - row)),
            4 => format!(
                "columns({column}..{})",
                column + self.below(columns + 1 - column)
            ),
            _ => "outer(1)".to_owned(),
        };
        if self.mirrors() && self.chance(40) {
            let who = self.player(0);
            return format!("({region} seen by {who})");
        }
        region
    }

    /// A set of cells.
    pub fn cells(&mut self, depth: usize) -> String {
        if self.chance(12)
            && let Some(name) = self.kept_value(Type::Cells)
        {
            return name;
        }
        if !self.marks.is_empty() && self.in_play() && self.chance(6) {
            let marks = self.marks.clone();
            return self.dice.pick(&marks);
        }
        if self.chance(15)
            && let Some(name) = self.seen(&[Type::Cells, Type::Run, Type::Family, Type::Cell])
        {
            return name;
        }
        if self.chance(8)
            && let Some(text) = self.definition(Type::Cells, depth)
        {
            return text;
        }
        if depth == 0 {
            return match self.below(5) {
                0 | 1 => self.word(),
                2 | 3 => self.of_kind(),
                _ => self.region(),
            };
        }
        self.cells_made(depth - 1)
    }

    fn cells_made(&mut self, d: usize) -> String {
        match self.below(19) {
            0 => format!("({} and {})", self.cells(d), self.cells(d)),
            1 => format!("({} or {})", self.cells(d), self.cells(d)),
            2 => format!("({} except {})", self.cells(d), self.cells(d)),
            3 => format!("(not {})", self.cells(d)),
            4 | 5 => format!("adjacent of ({})", self.cells(d)),
            6 => {
                let ways = self.directions(d);
                format!("adjacent({}, {ways})", self.cells(d))
            }
            7 => {
                let ways = self.directions(d);
                format!("axis({}, {ways})", self.cell(d))
            }
            8 => format!("group of {}", self.simple_cell()),
            9 if self.in_play() => format!("cells of groups of {}", self.player(0)),
            10 | 11 => {
                let set = self.cells(d);
                let test = self.about(Type::Cell, |w| w.truth(d));
                format!("({set} where {test})")
            }
            12 => {
                let set = self.cells(d);
                let most = self.about(Type::Cell, |w| w.number(d));
                format!("({set} with {} {most})", self.pick(&["most", "least"]))
            }
            13 => {
                let groups = self.groups(d);
                let most = self.about(Type::Family, |w| w.number(d));
                format!(
                    "cells of ({groups} with {} {most})",
                    self.pick(&["most", "least"])
                )
            }
            14 => {
                let (a, b) = (self.cells(d), self.cells(d));
                format!("(if {} then {a} else {b})", self.truth(d))
            }
            15 | 16 if self.in_play() => {
                let (picture, names) = self.picture(d, false);
                match names
                    .into_iter()
                    .find(|(_, k)| matches!(k, Type::Cell | Type::Run))
                {
                    Some((name, _)) => format!("({name} from {picture})"),
                    None => self.word(),
                }
            }
            17 => self.of_kind(),
            _ => self.region(),
        }
    }

    /// A cell without a word before it.
    pub fn simple_cell(&mut self) -> String {
        match self.seen(&[Type::Cell]) {
            Some(name) => name,
            None if self.it == Some(Type::Cell) => "it".to_owned(),
            None => format!("({})", self.cell(0)),
        }
    }

    /// Groups.
    pub fn groups(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let all = if self.in_play() && self.chance(60) {
            format!("groups of {}", self.player(0))
        } else {
            format!("parts of ({})", self.cells(d))
        };
        if depth > 0 && self.chance(30) {
            let test = self.about(Type::Family, |w| w.truth(d));
            return format!("({all} where {test})");
        }
        all
    }

    /// What is said of a member, which is called `it`.
    pub fn about<T>(&mut self, kind: Type, inner: impl FnOnce(&mut Writer) -> T) -> T {
        let before = self.it.replace(kind);
        let said = inner(self);
        self.it = before;
        said
    }

    /// One direction.
    pub fn direction(&mut self, depth: usize) -> String {
        if self.chance(60)
            && let Some(name) = self.seen(&[Type::Direction])
        {
            return name;
        }
        if self.chance(30)
            && let Some(name) = self.kept_value(Type::Direction)
        {
            return name;
        }
        if depth > 0 && self.chance(30) {
            return format!("opposite of {}", self.direction(0));
        }
        let ways = self.ground.ways.clone();
        self.pick(&ways)
    }

    /// Some directions, which may depend on what has been chosen or is kept.
    pub fn ways(&mut self, depth: usize) -> String {
        if self.chance(50) {
            return self.directions(depth);
        }
        let test = self.truth(depth.min(1));
        format!(
            "(if {test} then {} else {})",
            self.directions(0),
            self.directions(0)
        )
    }

    /// Some directions.
    pub fn directions(&mut self, depth: usize) -> String {
        if self.chance(40)
            && let Some(name) = self.seen(&[Type::Ways])
        {
            return name;
        }
        if self.ground.shape == "graph" {
            return match self.below(3) {
                0 => self.direction(depth),
                _ => "directions".to_owned(),
            };
        }
        if self.facing && self.in_play() && self.chance(25) {
            let word = self.pick(&["forward", "backward"]);
            return match self.below(4) {
                0 => word,
                1 => format!("({word} {})", self.pick(&["orthogonal", "diagonal"])),
                2 => format!("({word} or sideways)"),
                _ => format!("{word} of {}", self.player(0)),
            };
        }
        match self.below(9) {
            0 | 1 => "orthogonal".to_owned(),
            2 => "diagonal".to_owned(),
            3 | 4 => "directions".to_owned(),
            5 => "sideways".to_owned(),
            6 if depth > 0 => {
                let most = self.pick(&["orthogonal", "diagonal", "directions"]);
                format!("({most} except {})", self.direction(depth - 1))
            }
            7 if self.ground.shape == "square" => format!(
                "leaps({}, {})",
                self.pick(&["1", "2", "0"]),
                self.pick(&["2", "1"])
            ),
            _ => self.direction(depth),
        }
    }
}
