//! Makes expressions of numbers, truths, players and kinds, and uses what is kept and defined.

use crate::wild::writer::{Place, Type, Writer};

impl Writer {
    /// A kept value of a type, if there is one that can be asked here.
    pub fn kept_value(&mut self, kind: Type) -> Option<String> {
        if !self.in_play() {
            return None;
        }
        let (turn, define) = (self.in_turn(), self.place == Place::Define);
        let fit: Vec<_> = self
            .kept
            .iter()
            .filter(|k| k.kind == kind && (turn || k.lasting && !define))
            .cloned()
            .collect();
        if fit.is_empty() {
            return None;
        }
        let kept = self.dice.pick(&fit);
        Some(match kept.of {
            None => kept.name,
            Some(Type::Player) => {
                let who = self.player(0);
                format!("{} of {who}", kept.name)
            }
            Some(_) => format!("{} of {}", kept.name, self.simple_cell()),
        })
    }

    /// A definition of a type, if there is one.
    pub fn definition(&mut self, kind: Type, depth: usize) -> Option<String> {
        if !self.in_play() || self.place == Place::Define {
            return None;
        }
        let fit: Vec<_> = self
            .defined
            .iter()
            .filter(|d| d.kind == kind)
            .cloned()
            .collect();
        if fit.is_empty() {
            return None;
        }
        let found = self.dice.pick(&fit);
        let given: Vec<String> = found
            .takes
            .iter()
            .map(|t| self.value(*t, depth.saturating_sub(1)))
            .collect();
        Some(match given.len() {
            0 => found.name,
            _ => format!("{}({})", found.name, given.join(", ")),
        })
    }

    /// An expression of a type.
    pub fn value(&mut self, kind: Type, depth: usize) -> String {
        match kind {
            Type::Cell => self.cell(depth),
            Type::Cells | Type::Run | Type::Family => self.cells(depth),
            Type::Direction => self.direction(depth),
            Type::Ways => self.ways(depth),
            Type::Number => self.number(depth),
            Type::Truth => self.truth(depth),
            Type::Player => self.player(depth),
            Type::Kind => self.kind(),
        }
    }

    /// A kind that has owners.
    pub fn kind(&mut self) -> String {
        if self.chance(30)
            && let Some(name) = self.seen(&[Type::Kind])
        {
            return name;
        }
        if self.chance(10)
            && let Some(name) = self.kept_value(Type::Kind)
        {
            return name;
        }
        let kinds = self.kinds.clone();
        self.dice.pick(&kinds).to_owned()
    }

    /// A player.
    pub fn player(&mut self, depth: usize) -> String {
        if let Some(name) = self.seen(&[Type::Player])
            && (!self.in_play() || self.chance(50))
        {
            return name;
        }
        let players = self.players.clone();
        if !self.in_play() {
            return self.dice.pick(&players).to_owned();
        }
        if self.chance(20)
            && let Some(name) = self.kept_value(Type::Player)
        {
            return format!("({name})");
        }
        let two = self.players.len() == 2;
        match self.below(8) {
            0..=3 => "me".to_owned(),
            4 if two => "them".to_owned(),
            5 if depth > 0 => format!("(owner of {})", self.simple_cell()),
            6 if depth > 0 => format!("(follower of {})", self.player(0)),
            7 if depth > 0 && two => format!("(opponent of {})", self.player(0)),
            _ => self.dice.pick(&players).to_owned(),
        }
    }

    /// A number.
    pub fn number(&mut self, depth: usize) -> String {
        if self.chance(20)
            && let Some(name) = self.seen(&[Type::Number])
        {
            return name;
        }
        if self.chance(20)
            && let Some(name) = self.kept_value(Type::Number)
        {
            return name;
        }
        if self.chance(6)
            && let Some(text) = self.definition(Type::Number, depth)
        {
            return text;
        }
        if depth == 0 || !self.in_play() {
            return match self.below(6) {
                0 if !self.options.is_empty() => "size".to_owned(),
                1 if self.in_play() => self.pick(&["turns", "count(own)", "count(enemy)"]),
                2 if self.in_turn() => self.pick(&["captures", "actions"]),
                _ => self.below(4).to_string(),
            };
        }
        let d = depth - 1;
        let of_cells = self.ground.shape != "graph";
        match self.below(14) {
            0 => format!("({} + {})", self.number(d), self.number(d)),
            1 => format!("({} - {})", self.number(d), self.number(d)),
            2 => {
                let sign = self.pick(&["*", "/", "mod"]);
                format!("({} {sign} {})", self.number(d), self.number(d))
            }
            3..=5 => format!("count({})", self.cells(d)),
            6 => format!("count({})", self.groups(d)),
            7 if self.ground.stacking => format!("height of {}", self.simple_cell()),
            8 if self.hands => format!("hand of {}", self.player(1)),
            9 if of_cells => {
                let word = self.pick(&["row", "column"]);
                format!("{word} of {}", self.simple_cell())
            }
            10 => {
                let (a, b) = (self.number(d), self.number(d));
                format!("(if {} then {a} else {b})", self.truth(d))
            }
            11 => format!("(-{})", self.number(0)),
            12 => self.pick(&["turns", "passes"]),
            _ => self.number(0),
        }
    }

    /// A truth.
    pub fn truth(&mut self, depth: usize) -> String {
        if self.chance(15)
            && let Some(name) = self.kept_value(Type::Truth)
        {
            return name;
        }
        if self.chance(20)
            && let Some(name) = self.seen(&[Type::Truth])
        {
            return name;
        }
        if self.chance(8)
            && let Some(text) = self.definition(Type::Truth, depth)
        {
            return text;
        }
        if self.place == Place::StartOfTurn && self.chance(6) {
            return "stuck".to_owned();
        }
        if !self.in_turn() && self.in_play() && self.place != Place::Define && self.chance(5) {
            return format!("occurrences = {}", 2 + self.below(2));
        }
        if depth == 0 {
            return match self.below(6) {
                0 | 1 => format!("{} in {}", self.cell(0), self.cells(0)),
                2 => {
                    let sign = self.pick(&["=", "!=", "<", "<=", ">", ">="]);
                    format!("{} {sign} {}", self.number(0), self.number(0))
                }
                3 if self.in_play() => format!("me = {}", self.player(0)),
                4 if self.options.len() > 1 => "wide".to_owned(),
                _ => format!("{} {}", self.pick(&["some", "no"]), self.grouped(0)),
            };
        }
        self.truth_made(depth - 1)
    }

    /// A set between brackets.
    fn grouped(&mut self, depth: usize) -> String {
        format!("({})", self.cells(depth))
    }

    fn truth_made(&mut self, d: usize) -> String {
        match self.below(20) {
            0 => format!("({} and {})", self.truth(d), self.truth(d)),
            1 => format!("({} or {})", self.truth(d), self.truth(d)),
            2 => format!("(not ({}))", self.truth(d)),
            3..=5 => {
                let word = self.pick(&["in", "not in"]);
                format!("{} {word} {}", self.cell(d), self.grouped(d))
            }
            6 | 7 => format!("{} {}", self.pick(&["some", "no"]), self.grouped(d)),
            8 => format!("all {} in {}", self.grouped(d), self.grouped(d)),
            9 | 10 => {
                let sign = self.pick(&["=", "!=", "<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.number(d), self.number(d))
            }
            11 if self.in_play() => {
                let (picture, _) = self.picture(d, false);
                format!("({} {picture})", self.pick(&["some", "no"]))
            }
            12 if self.in_play() => {
                let trail = self.trail_test();
                format!("({} {trail})", self.pick(&["some", "no"]))
            }
            13 => self.can(),
            14 if self.in_play() && self.mirrors() => "mirrored(sideways)".to_owned(),
            15 => format!("{} = {}", self.cell(d), self.cell(d)),
            16 => {
                let word = self.pick(&["=", "!="]);
                format!("{} {word} {}", self.player(1), self.player(1))
            }
            17 => format!("some ({})", self.groups(d)),
            18 if self.in_turn() => "unseen".to_owned(),
            19 => {
                let ways = self.directions(d);
                format!("{} in {ways}", self.direction(d))
            }
            _ => self.truth(0),
        }
    }

    /// Whether a rule can be run.
    pub fn can(&mut self) -> String {
        let fit: Vec<_> = self
            .rules
            .iter()
            .filter(|r| r.takes == 0)
            .cloned()
            .collect();
        if fit.is_empty() || !self.in_play() || self.place == Place::Define {
            return self.truth(0);
        }
        let rule = self.dice.pick(&fit).name;
        match self.below(3) {
            0 if self.players.len() == 2 => format!("them can {rule}"),
            1 => format!("{} can {rule}", self.dice.pick(&self.players.clone())),
            _ => format!("can {rule}"),
        }
    }
}
