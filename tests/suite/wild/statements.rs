//! Makes statements: choices, effects, conditions, loops, alternatives.

use crate::wild::writer::{Place, Type, Writer};

impl Writer {
    /// A statement that gives a name by a choice of the player.
    pub fn binder(&mut self, depth: usize) {
        self.choices += 1;
        match self.below(14) {
            0..=2 => {
                let from = self.cells(depth);
                let name = self.fresh("x");
                let filter = if self.chance(40) {
                    let test = self.about(Type::Cell, |w| w.truth(depth));
                    format!(" where {test}")
                } else {
                    String::new()
                };
                self.line(&format!("choose {name} in {from}{filter}"));
                self.names.push((name, Type::Cell));
            }
            3 => {
                let from = self.directions(depth);
                let name = self.name("dir", Type::Direction);
                self.line(&format!("choose {name} in {from}"));
            }
            4 => {
                let least = self.below(2);
                let most = match self.below(3) {
                    0 => format!("count({})", self.cells(0)),
                    _ => (least + 1 + self.below(2)).to_string(),
                };
                let name = self.name("many", Type::Number);
                self.line(&format!("choose {name} in {least}..{most}"));
            }
            5 if self.kinds.len() > 1 => {
                let kinds = self.kinds.join(", ");
                let name = self.name("rank", Type::Kind);
                self.line(&format!("choose {name} in {kinds}"));
            }
            6 => {
                let from = self.groups(0);
                let name = self.fresh("band");
                let filter = if self.chance(30) {
                    let test = self.about(Type::Family, |w| w.truth(0));
                    format!(" where {test}")
                } else {
                    String::new()
                };
                self.line(&format!("choose {name} in {from}{filter}"));
                self.names.push((name, Type::Family));
            }
            7 if self.place == Place::Rule => self.trail(false),
            8 => {
                let (picture, names) = self.picture(1, true);
                let other = match picture.split_once('[') {
                    Some((_, squares)) => format!("line {} [{squares}", self.directions(0)),
                    None => picture.clone(),
                };
                let ways: Vec<&String> = names
                    .iter()
                    .filter(|n| n.1 == Type::Direction)
                    .map(|n| &n.0)
                    .collect();
                if ways.is_empty() {
                    self.line(&format!("{picture} or {other}"));
                    self.names.extend(names);
                } else {
                    self.line(&picture);
                    self.names.extend(names);
                }
            }
            _ => {
                let (picture, names) = self.picture(1, true);
                self.line(&picture);
                self.names.extend(names);
            }
        }
    }

    /// What most rules of most games do: a piece steps, goes far, takes, or is put down.
    pub fn common(&mut self) {
        self.choices += 1;
        let ways = match self.chance(60) {
            true => format!("{} ", self.directions(1)),
            false => String::new(),
        };
        let own = match self.chance(70) {
            true => "own".to_owned(),
            false => format!("own {}", self.kind()),
        };
        let target = self.pick(&["empty", "empty", "enemy", "empty or enemy", "not own"]);
        match self.below(8) {
            0..=2 => {
                let (a, b) = (self.name("mover", Type::Cell), self.name("to", Type::Cell));
                let between = self.pick(&["", "", " 0.. empty |", " any |", " 1..2 empty |"]);
                self.line(&format!(
                    "line {ways}[ {own} as {a} |{between} {target} as {b} ]"
                ));
                self.line(&format!("move {a} to {b}"));
            }
            3 => {
                let (a, over) = (
                    self.name("mover", Type::Cell),
                    self.name("over", Type::Cell),
                );
                let b = self.name("to", Type::Cell);
                self.line(&format!(
                    "line {ways}[ {own} as {a} | enemy as {over} | empty as {b} ]"
                ));
                self.line(&format!("move {a} to {b}"));
                self.line(&format!("capture {over}"));
            }
            4 | 5 => {
                let spot = self.name("spot", Type::Cell);
                self.line(&format!("choose {spot} in empty"));
                if self.hands && self.chance(60) {
                    let kinds = self.kinds.clone();
                    let kind = self.dice.pick(&kinds);
                    self.line(&format!("enter {kind} at {spot}"));
                } else {
                    let kinds = self.kinds.clone();
                    let kind = self.dice.pick(&kinds);
                    self.line(&format!("place {kind} at {spot}"));
                }
            }
            6 => {
                let (a, b) = (self.name("mover", Type::Cell), self.name("to", Type::Cell));
                self.line(&format!("choose {a} in {own}"));
                self.line(&format!("choose {b} in {target} in adjacent of {a}"));
                self.line(&format!("move {a} to {b}"));
                self.choices += 1;
            }
            _ => {
                let (run, path) = (self.name("run", Type::Run), self.name("path", Type::Run));
                self.line(&format!(
                    "line {ways}[ n own as {run} | 1..n empty as {path} ]"
                ));
                self.line(&format!("advance {run} by count of {path}"));
            }
        }
    }

    /// A statement that changes the position, without a choice.
    pub fn change(&mut self, depth: usize) {
        let kinds = self.kinds.clone();
        match self.below(26) {
            0..=2 => {
                let (from, to) = (self.cell(depth), self.cell(depth));
                self.line(&format!("move {from} to {to}"));
            }
            3..=6 => {
                let at = match self.below(2) {
                    0 => self.cell(depth),
                    _ => self.cells(depth),
                };
                self.line(&format!("capture {at}"));
            }
            7 => {
                let at = self.cells(depth);
                self.line(&format!("remove {at}"));
            }
            8 if self.players.len() == 2 => {
                let at = self.cells(depth);
                self.line(&format!("flip {at}"));
            }
            9 if kinds.len() > 1 => {
                let kind = self.kind();
                let at = self.cell(depth);
                self.line(&format!("promote {at} to {kind}"));
            }
            10..=13 => self.place(depth),
            14 if self.hands => {
                let kind = self.kind();
                let at = self.cell(depth);
                let times = self.times();
                self.line(&format!("enter {kind} at {at}{times}"));
            }
            15 if self.hands && self.chance(50) => {
                let (kind, who, times) = (self.kind(), self.player(0), self.times());
                self.line(&format!("deal {kind} to {who}{times}"));
            }
            16 => match self.seen(&[Type::Run]) {
                Some(run) => {
                    let by = self.number(0);
                    self.line(&format!("advance {run} by {by}"));
                }
                None => self.store(depth),
            },
            17 | 18 if self.marks.is_empty() => self.store(depth),
            17 | 18 => {
                let marks = self.marks.clone();
                let mark = self.dice.pick(&marks);
                let set = self.cells(depth);
                let word = self.pick(&["mark", "mark", "unmark"]);
                self.line(&format!("{word} {set} as {mark}"));
            }
            19 if self.chance(25) => self.line("again"),
            20 if self.chance(15) => self.line("exchange seats"),
            21 if self.ground.stacking => {
                let from = self.cell(0);
                let under = match self.chance(50) {
                    true => format!(" under {}", self.cell(0)),
                    false => String::new(),
                };
                self.line(&format!("capture top of {from}{under}"));
            }
            22 if self.ground.stacking => self.sow(),
            _ => self.store(depth),
        }
    }

    fn times(&mut self) -> String {
        match self.chance(15) {
            true => format!(" times {}", 1 + self.below(2)),
            false => String::new(),
        }
    }

    fn place(&mut self, depth: usize) {
        let at = match self.below(3) {
            0 => self.cells(depth.min(1)),
            _ => self.cell(depth),
        };
        let times = if self.ground.stacking {
            self.times()
        } else {
            String::new()
        };
        if self.neutral && self.chance(20) {
            return self.line(&format!("place token at {at}{times}"));
        }
        let kind = self.kind();
        let of = match self.chance(25) {
            true => format!(" of {}", self.player(0)),
            false => String::new(),
        };
        self.line(&format!("place {kind}{of} at {at}{times}"));
    }

    /// What stands on a cell is dropped along the board.
    fn sow(&mut self) {
        let from = self.cell(0);
        self.line(&format!("lift {from}"));
        match self.seen(&[Type::Run]) {
            Some(run) if self.chance(60) => {
                let c = self.fresh("c");
                self.line(&format!("for each {c} in {run} {{ drop at {c} }}"));
            }
            _ => {
                let at = self.cell(0);
                self.line(&format!("repeat {{ drop at {at} }}"));
            }
        }
    }

    /// Changes a kept value, or names one.
    pub fn store(&mut self, depth: usize) {
        if self.kept.is_empty() || self.chance(20) {
            let kind = self.dice.pick(&[
                Type::Cell,
                Type::Cells,
                Type::Number,
                Type::Direction,
                Type::Ways,
                Type::Truth,
            ]);
            let value = self.value(kind, depth);
            let name = self.name("v", kind);
            return self.line(&format!("let {name} = {value}"));
        }
        let all = self.kept.clone();
        let kept = self.dice.pick(&all);
        let target = match kept.of {
            None => kept.name.clone(),
            Some(Type::Player) => format!("{} of {}", kept.name, self.player(0)),
            Some(_) => format!("{} of {}", kept.name, self.simple_cell()),
        };
        let value = match kept.kind {
            Type::Number if self.chance(50) => format!("{target} + 1"),
            Type::Truth if self.chance(50) => self.pick(&["yes", "no"]),
            kind => self.value(kind, depth),
        };
        if kept.kind == Type::Cells && kept.of.is_none() && self.chance(40) {
            let word = self.pick(&["mark", "unmark"]);
            let set = self.cells(depth);
            return self.line(&format!("{word} {set} as {}", kept.name));
        }
        self.line(&format!("set {target} = {value}"));
    }

    /// What must hold.
    pub fn require(&mut self, depth: usize) {
        let test = self.truth(depth);
        let why = match self.chance(30) {
            true => " \"not so\"",
            false => "",
        };
        self.line(&format!("require {test}{why}"));
    }

    /// Statements in a row.
    pub fn some_statements(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.below(most) {
            self.statement(depth);
        }
    }

    /// Any statement.
    pub fn statement(&mut self, depth: usize) {
        if depth == 0 {
            return self.change(1);
        }
        let d = depth - 1;
        match self.below(20) {
            0 | 1 if self.choices < 3 => self.binder(1),
            2 | 3 => self.require(d.min(2)),
            4 | 5 => self.condition(d),
            6 | 7 => self.each(d),
            8 => self.repeat(d),
            9 | 10 if self.choices < 3 => self.alternatives(d),
            11 if !self.rules.is_empty() && self.place == Place::Rule => {
                let call = self.call();
                self.line(&call);
            }
            12 if self.choices < 3 => self.any_order(d),
            _ => self.change(d.min(2)),
        }
    }
}
