//! The kept and carried values of a position line, read one by one.

use crate::board::{Cell, Cells as BoardCells, Direction, Directions};
use crate::engine::eval::Run;
use crate::engine::parse::{Fallible, Reader, Word, players, wrong};
use crate::program::{
    Effect, Op, Per, Var, VarType, WORD_AGAIN, WORD_LAST, WORD_POINT, WORD_SEATS,
};

/// The parts of a value, each with its column; the first stands at that one.
fn listed(value: &str, between: char, at: usize) -> impl Iterator<Item = (&str, usize)> {
    value.split(between).scan(at, |next, part| {
        let here = *next;
        *next += part.chars().count() + 1;
        Some((part, here))
    })
}

impl Reader<'_> {
    /// Everything behind the player to move and the hands.
    pub fn values(&mut self, list: &[Word<'_>]) -> Fallible<()> {
        let mut seen: Vec<&str> = Vec::new();
        let mut point = 0;
        for word in list {
            let Some((name, value)) = word.text.split_once('=') else {
                return wrong(
                    word.column,
                    format!("`{}` is no value", word.text),
                    format!("values are written `name=value`; {}", self.keeps()),
                );
            };
            if seen.contains(&name) {
                return wrong(word.column, format!("`{name}` stands twice"), "");
            }
            seen.push(name);
            let at = word.column + name.chars().count() + 1;
            match name {
                "at" => point = self.point(value, at)?,
                "up" if self.program.stacking => {
                    let signs = value
                        .strip_prefix('(')
                        .and_then(|v| v.strip_suffix(')'))
                        .unwrap_or(value);
                    let up = self.program.board.len();
                    self.piles[up] = self.pieces(signs, at)?;
                    if self.piles[up].is_empty() {
                        return wrong(at, "nothing is up", "leave `up=` out");
                    }
                }
                "seats" if value == "exchanged" => {
                    if !self.has(|e| matches!(e, Effect::ExchangeSeats)) {
                        let message = "seats are never exchanged in this game";
                        return wrong(word.column, message, "leave `seats=exchanged` out");
                    }
                    self.words[WORD_SEATS] = 1;
                }
                "again" if value == "yes" => {
                    if !self.has(|e| matches!(e, Effect::Again)) {
                        let message = "nobody ever moves again in this game";
                        return wrong(word.column, message, "leave `again=yes` out");
                    }
                    self.words[WORD_AGAIN] = 1;
                }
                "last" => match self.player(value) {
                    Some(p) => self.words[WORD_LAST] = u64::from(p.0) + 1,
                    None => {
                        return wrong(at, format!("`{value}` is no player"), players(self.program));
                    }
                },
                _ => self.variable(name, value, word.column, at)?,
            }
        }
        self.carried(list, point)
    }

    /// Whether some instruction of the rules has such an effect.
    fn has(&self, such: impl Fn(&Effect) -> bool) -> bool {
        let has = |op: &Op| matches!(op, Op::Effect(effect) if such(effect));
        self.program.code.iter().any(has)
    }

    /// In the middle of a turn, and only there, stand the values that are carried.
    pub fn carried(&self, list: &[Word<'_>], point: usize) -> Fallible<()> {
        let here = &self.program.points[point].carried;
        for word in list {
            let name = word.text.split('=').next().unwrap_or("");
            let var = self
                .program
                .vars
                .iter()
                .position(|v| v.name == name && v.carried);
            if let Some(var) = var
                && !here.iter().any(|v| usize::from(v.0) == var)
            {
                let place = if point == 0 {
                    "at the start of a turn".to_owned()
                } else {
                    format!("before `{}`", self.program.points[point].name)
                };
                return wrong(
                    word.column,
                    format!("`{name}` is not kept {place}"),
                    "take it out, or say with `at=…` where the turn stands",
                );
            }
        }
        if point == 0 && !self.piles[self.program.board.len()].is_empty() {
            let column = list
                .iter()
                .find(|w| w.text.starts_with("up="))
                .map_or(1, |w| w.column);
            return wrong(
                column,
                "nothing is up at the start of a turn",
                "take it out, or say with `at=…` where the turn stands",
            );
        }
        Ok(())
    }

    /// Where the turn stands.
    pub fn point(&mut self, value: &str, column: usize) -> Fallible<usize> {
        let found = self
            .program
            .points
            .iter()
            .skip(1)
            .position(|p| p.name == value);
        match found {
            Some(at) => {
                self.words[WORD_POINT] = at as u64 + 1;
                Ok(at + 1)
            }
            None => {
                let names: Vec<&str> = self
                    .program
                    .points
                    .iter()
                    .skip(1)
                    .map(|p| p.name.as_str())
                    .collect();
                let help = if names.is_empty() {
                    "in this game a turn is one action".to_owned()
                } else {
                    format!("a turn may stand at {}", names.join(", "))
                };
                wrong(column, format!("no turn stands at `{value}`"), help)
            }
        }
    }

    /// What values there are, for help.
    fn keeps(&self) -> String {
        let vars = self.program.vars.iter().filter(|v| v.in_state());
        let known: Vec<&str> = vars.map(|v| v.name.as_str()).collect();
        match known.as_slice() {
            [] => "the game keeps nothing else".to_owned(),
            known => format!("the game keeps {}", known.join(", ")),
        }
    }

    /// `name=value`
    pub fn variable(&mut self, name: &str, value: &str, column: usize, at: usize) -> Fallible<()> {
        let Some(var) = self
            .program
            .vars
            .iter()
            .find(|v| v.in_state() && v.name == name)
        else {
            let fixed = [("seats", "exchanged"), ("again", "yes")];
            if let Some((name, only)) = fixed.iter().find(|(fixed, _)| *fixed == name) {
                let message = format!("`{value}` is nothing that `{name}` can be");
                let help = format!("write `{name}={only}`, or leave it out");
                return wrong(at, message, help);
            }
            return wrong(
                column,
                format!("nothing is kept under the name `{name}`"),
                self.keeps(),
            );
        };
        self.counts_from_nought(var, value, at)?;
        let words = match var.per {
            Per::Game => self.one(var.ty, value, at)?,
            Per::Player => {
                let parts: Vec<(&str, usize)> = listed(value, '/', at).collect();
                if parts.len() != var.count {
                    return wrong(
                        at,
                        format!(
                            "expected {} values, one for each player, joined by `/`",
                            var.count
                        ),
                        "",
                    );
                }
                let mut all = Vec::new();
                for (part, at) in parts {
                    all.extend(self.one(var.ty, part, at)?);
                }
                all
            }
            Per::Cell => self.per_cell(var, value, at)?,
        };
        let offset = var.offset;
        self.words[offset..offset + words.len()].copy_from_slice(&words);
        Ok(())
    }

    /// `a1:3,b2:4`
    pub fn per_cell(&self, var: &Var, value: &str, at: usize) -> Fallible<Vec<u64>> {
        let mut words = var.initial.clone();
        let mut seen = BoardCells::EMPTY;
        for (part, at) in listed(value, ',', at) {
            let Some((cell, n)) = part.split_once(':') else {
                return wrong(at, "values of cells are written `cell:value`", "");
            };
            let behind = at + cell.chars().count() + 1;
            let cell = self.new_cell(&mut seen, cell, at)?;
            let value = self.one(var.ty, n, behind)?;
            words[usize::from(cell.0)] = value.first().copied().unwrap_or(0);
        }
        Ok(words)
    }

    /// A cell that was not told before.
    fn new_cell(&self, seen: &mut BoardCells, text: &str, at: usize) -> Fallible<Cell> {
        let cell = self.cell(text, at)?;
        if seen.contains(cell) {
            return wrong(at, format!("`{text}` stands twice"), "");
        }
        seen.insert(cell);
        Ok(cell)
    }

    /// What the game itself counts is never below 0, nor without measure.
    fn counts_from_nought(&self, var: &Var, value: &str, at: usize) -> Fallible<()> {
        let system = &self.program.system;
        let counters = [system.turns, system.passes, system.captures];
        let mut counters = counters
            .iter()
            .flatten()
            .map(|v| &self.program.vars[usize::from(v.0)]);
        let wrong_count = |n: i64| !(0..=i64::from(u32::MAX)).contains(&n);
        if counters.any(|v| v.name == var.name) && value.parse().is_ok_and(wrong_count) {
            let help = format!("it counts from 0 to {}", u32::MAX);
            return wrong(at, format!("`{}` cannot be {value}", var.name), help);
        }
        Ok(())
    }

    /// A cell by its name.
    pub fn cell(&self, text: &str, at: usize) -> Fallible<Cell> {
        match self.program.board.cell_named(text) {
            Some(c) => Ok(c),
            None => wrong(at, format!("the board has no cell `{text}`"), ""),
        }
    }

    /// A direction by its name.
    pub fn way(&self, text: &str, at: usize) -> Fallible<Direction> {
        match self.program.board.direction_named(text) {
            Some(d) => Ok(d),
            None => wrong(at, format!("the board has no direction `{text}`"), ""),
        }
    }

    /// The words of one value.
    pub fn one(&self, ty: VarType, value: &str, at: usize) -> Fallible<Vec<u64>> {
        let stride = ty.words(self.program.layout.words);
        let word = match ty {
            VarType::Number => match value.parse::<i64>() {
                Ok(n) => n.cast_unsigned(),
                Err(_) => return wrong(at, format!("`{value}` is no number"), ""),
            },
            VarType::Truth => match value {
                "yes" => 1,
                "no" => 0,
                _ => return wrong(at, format!("`{value}` is neither yes nor no"), ""),
            },
            VarType::Cell if value == "nowhere" => 0,
            VarType::Cell => u64::from(self.cell(value, at)?.0) + 1,
            VarType::Cells | VarType::Groups => {
                let mut set = BoardCells::EMPTY;
                for (name, at) in listed(value, ',', at).filter(|_| value != "none") {
                    self.new_cell(&mut set, name, at)?;
                }
                return Ok(set.words()[..stride].to_vec());
            }
            VarType::Run
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind
                if value == "none" =>
            {
                0
            }
            VarType::Run => {
                let parts: Vec<&str> = value.split(':').collect();
                let [start, way, length] = parts.as_slice() else {
                    return wrong(at, "a run is written `cell:direction:length`", "");
                };
                let Ok(length) = length.parse::<u16>() else {
                    return wrong(at, format!("`{length}` is no length"), "");
                };
                Run {
                    start: self.cell(start, at)?,
                    way: self.way(way, at)?,
                    length,
                }
                .word()
            }
            VarType::Direction => u64::from(self.way(value, at)?.0) + 1,
            VarType::Directions => {
                let mut set = Directions::EMPTY;
                for (name, at) in listed(value, ',', at) {
                    set.insert(self.way(name, at)?);
                }
                set.0
            }
            VarType::Player => match self.player(value) {
                Some(p) => u64::from(p.0) + 1,
                None => return wrong(at, format!("`{value}` is no player"), players(self.program)),
            },
            VarType::Kind => match self.program.kinds.iter().position(|k| k.name == value) {
                Some(k) => k as u64 + 1,
                None => return wrong(at, format!("`{value}` is no piece kind"), ""),
            },
        };
        Ok(vec![word])
    }
}
