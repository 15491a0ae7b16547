//! Makes what stands before and behind the usual effects of a rule and is less usual: values that are read before they are set
//! or later, pieces that are taken or changed before they move, lists, conditions.

use crate::wild::writer::{Type, Writer};

/// Somebody of every game.
const PLAYER: &str = "White";

impl Writer {
    /// Nothing, or something unusual; now and then twice.
    pub fn beside(&mut self, percent: usize) {
        for _ in 0..2 {
            if self.chance(percent) {
                self.twist();
            }
        }
    }

    fn twist(&mut self) {
        match self.below(16) {
            0..=2 => {
                let claim = self.claim();
                let why = self.pick(&["", " \"no\""]);
                self.line(&format!("require {claim}{why}"));
            }
            3 | 4 => self.named(),
            5..=7 => self.read_and_set(),
            8 | 9 => self.disturb(),
            10 => {
                let claim = self.claim();
                self.block(&format!("if {claim} {{"), |w| match w.chance(40) {
                    true => w.twist(),
                    false => w.disturb(),
                });
            }
            11 | 12 => self.listed(),
            13 => {
                let (from, near) = (self.simple_cell(), self.simple_cell());
                let near = self.near(&near);
                self.line(&format!("move {from} to first of (empty and {near})"));
            }
            14 if self.rules.iter().any(|r| r.takes == 1) => {
                let settle = self.rules.iter().find(|r| r.takes == 1);
                let settle = settle.map_or_else(String::new, |r| r.name.clone());
                let cell = self.simple_cell();
                self.line(&format!("{settle}({cell})"));
            }
            _ => self.change(1),
        }
    }

    /// Names something that depends on a cell.
    fn named(&mut self) {
        let cell = self.simple_cell();
        let (kind, value) = match self.below(8) {
            0..=2 => {
                let (zone, one, other) = (self.zone(), self.directions(0), self.directions(0));
                (
                    Type::Ways,
                    format!("if {cell} in {zone} then {one} else {other}"),
                )
            }
            3 | 4 => {
                let (class, near) = (self.class(), self.near(&cell));
                let value = self.pick(&[&near, &near, &format!("{class} and {near}")]);
                (Type::Cells, value)
            }
            5 => (Type::Truth, self.claim()),
            6 => {
                let (class, near) = (self.class(), self.near(&cell));
                (Type::Number, format!("count({class} and {near})"))
            }
            _ => {
                let way = self.direction(0);
                (Type::Cell, format!("neighbour({cell}, {way})"))
            }
        };
        let name = self.name("v", kind);
        self.line(&format!("let {name} = {value}"));
    }

    /// A kept value is named and then set, or set and then named, and what was named is asked at once or later.
    fn read_and_set(&mut self) {
        let all: Vec<_> = self
            .kept
            .iter()
            .filter(|k| k.of != Some(Type::Cell))
            .cloned()
            .collect();
        if all.is_empty() {
            return self.named();
        }
        let kept = self.dice.pick(&all);
        let target = match kept.of {
            None => kept.name,
            Some(_) => format!("{} of {}", kept.name, self.pick(&["me", "me", PLAYER])),
        };
        let cell = self.simple_cell();
        let value = match kept.kind {
            Type::Truth => match self.chance(70) {
                true => format!("{cell} in {}", self.zone()),
                false => self.claim(),
            },
            Type::Number => {
                let near = self.near(&cell);
                self.pick(&[&format!("{target} + 1"), &format!("count({near})"), "1"])
            }
            Type::Cell => cell,
            Type::Cells => self.near(&cell),
            kind => self.value(kind, 0),
        };
        let set = format!("set {target} = {value}");
        let name = self.fresh("was");
        let named = format!("let {name} = {target}");
        match self.below(4) {
            0 => return self.line(&set),
            1 => {
                self.line(&set);
                self.line(&named);
            }
            _ => {
                self.line(&named);
                self.line(&set);
            }
        }
        self.names.push((name.clone(), kept.kind));
        if kept.kind == Type::Truth && self.chance(60) {
            match self.chance(50) {
                true => self.line(&format!("require {name}")),
                false => {
                    let claim = self.claim();
                    self.line(&format!("if {name} {{ require {claim} }}"));
                }
            }
        }
    }

    /// Takes or changes a piece on or beside a cell that was chosen.
    fn disturb(&mut self) {
        let cell = self.simple_cell();
        let (class, near) = (self.class(), self.near(&cell));
        let some = match self.below(4) {
            0 => cell.clone(),
            1 => format!("first of ({class} and {near})"),
            _ => format!("({class} and {near})"),
        };
        let kinds = self.kinds.clone();
        let kind = self.dice.pick(&kinds);
        match self.below(10) {
            0..=3 => self.line(&format!("capture {some}")),
            4 => self.line(&format!("remove {some}")),
            5 if self.players.len() == 2 => self.line(&format!("flip {some}")),
            6 | 7 if kinds.len() > 1 => self.line(&format!("promote {cell} to {kind}")),
            8 => {
                let of = match self.chance(50) {
                    true => format!(" of {}", self.player(0)),
                    false => String::new(),
                };
                self.line(&format!("place {kind}{of} at first of (empty and {near})"));
            }
            9 if self.hands => self.line(&format!("enter {kind} at first of (empty and {near})")),
            _ => self.line(&format!("capture {some}")),
        }
    }

    /// For each cell near one something is done; or it is done some times.
    fn listed(&mut self) {
        let cell = self.simple_cell();
        let (class, near) = (self.class(), self.near(&cell));
        let head = match self.below(5) {
            0 => "repeat 2 times {".to_owned(),
            1 => format!("repeat while count(own) > {} {{", 2 + self.below(3)),
            2 => "repeat at most 2 times {".to_owned(),
            _ => String::new(),
        };
        if head.is_empty() {
            let each = self.fresh("each");
            let filter = match self.chance(35) {
                true => format!(
                    " where count({} and adjacent of {each}) > {}",
                    self.class(),
                    self.below(2)
                ),
                false => String::new(),
            };
            let head = format!("for each {each} in ({class} and {near}){filter} {{");
            self.block(&head, |w| {
                w.names.push((each.clone(), Type::Cell));
                match w.chance(40) {
                    true => w.disturb(),
                    false => w.read_and_set(),
                }
            });
        } else if head.contains("while") {
            self.block(&head, |w| w.line("remove last of own"));
        } else {
            self.block(&head, |w| w.disturb());
        }
        if self.chance(50) {
            let claim = self.claim();
            self.line(&format!("require {claim}"));
        }
    }
}
