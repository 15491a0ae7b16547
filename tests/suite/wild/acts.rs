//! Makes what the rules of most games let a player do, with the names that it gives.

use crate::wild::writer::{Type, Writer};

impl Writer {
    /// What is done by the first rule, most of the time something that can be done at once.
    pub fn first_act(&mut self) {
        match self.below(8) {
            0 | 1 => self.put(),
            2 | 3 => self.step(),
            4 => self.step_by_choices(),
            5 => self.step_by_way(),
            _ => self.act(false),
        }
    }

    /// What is chosen and done by a usual rule, which may have to put a piece on the board.
    pub fn act(&mut self, puts: bool) {
        self.choices += 1;
        match self.below(20) {
            _ if puts => self.put(),
            0..=5 => self.put(),
            6..=8 => self.step(),
            9 => self.step_by_choices(),
            10 => self.step_by_way(),
            11 | 12 => self.jump(),
            13 | 14 => self.jumps(),
            15 | 16 => self.charge(),
            17 | 18 => self.change_one(),
            _ => self.note(),
        }
    }

    /// Where a piece may be put; few of them on a large board.
    fn free(&mut self) -> String {
        if self.ground.large {
            let rows = self.ground.rows;
            let part = match self.below(4) {
                0 => "corners".to_owned(),
                1 => format!("row({})", 1 + self.below(rows)),
                2 => "middle".to_owned(),
                _ => "adjacent of (own or corners)".to_owned(),
            };
            return format!("(empty and {part})");
        }
        match self.below(8) {
            0 if self.ground.stacking => "any".to_owned(),
            0 => format!("(empty except {})", self.zone()),
            1 => "empty in adjacent of occupied".to_owned(),
            _ => "empty".to_owned(),
        }
    }

    /// A cell is chosen from a set, sometimes from a part of it.
    fn chosen(&mut self, stem: &str, from: &str) -> String {
        let name = self.fresh(stem);
        let filter = match self.chance(15) {
            true => format!(" where {}", self.about(Type::Cell, |w| w.claim())),
            false => String::new(),
        };
        self.line(&format!("choose {name} in {from}{filter}"));
        self.names.push((name.clone(), Type::Cell));
        name
    }

    /// Pieces of a player that may act.
    fn movers(&mut self) -> String {
        match self.chance(85) {
            true => "own".to_owned(),
            false => format!("own {}", self.dice.pick(&self.kinds.clone())),
        }
    }

    fn put(&mut self) {
        let from = self.free();
        let spot = self.chosen("spot", &from);
        let kinds = self.kinds.clone();
        self.beside(18);
        // What is dealt by usual games.
        let (verb, kind) = match self.hands && self.chance(60) {
            true => ("enter", kinds[0]),
            false => ("place", self.dice.pick(&kinds)),
        };
        let of = match verb == "place" && self.chance(12) {
            true => format!(" of {}", self.player(0)),
            false => String::new(),
        };
        self.line(&format!("{verb} {kind}{of} at {spot}"));
        if self.ground.stacking && self.chance(20) {
            self.line(&format!("{verb} {kind}{of} at {spot}"));
        }
        self.beside(35);
    }

    fn step(&mut self) {
        let movers = self.movers();
        let target = self.pick(&["empty", "empty", "empty or enemy", "enemy", "not own"]);
        let (a, b) = (self.fresh("mover"), self.fresh("to"));
        let way = self.fresh("way");
        let chosen = self.chance(25);
        let (from, first) = match chosen {
            true => {
                self.names.push((a.clone(), Type::Cell));
                self.line(&format!("choose {a} in {movers}"));
                (self.ways_by(&a), a.clone())
            }
            false => (self.directions(1), format!("{movers} as {a}")),
        };
        let named = self.chance(20);
        let head = match named {
            true => format!("line {from} as {way}"),
            false => format!("line {from}"),
        };
        match self.below(8) {
            0 if !chosen => {
                self.names.push((b.clone(), Type::Cell));
                self.line(&format!("{head} [ 1.. own as {a} | {target} as {b} ]"));
                self.beside(15);
                let end = self.pick(&["first", "last"]);
                self.line(&format!("move {end} of {a} to {b}"));
                self.names.push((a.clone(), Type::Run));
            }
            1 => {
                let more = self.fresh("more");
                self.line(&format!(
                    "{head} [ {first} | empty as {b} | {target} as {more} ]"
                ));
                self.names.push((more.clone(), Type::Cell));
                if !chosen {
                    self.names.push((a.clone(), Type::Cell));
                }
                self.names.push((b.clone(), Type::Cell));
                self.line(&format!("move {a} to {b}"));
                self.beside(20);
                let again = self.pick(&[&a, &b]);
                self.line(&format!("move {again} to {more}"));
            }
            _ => {
                let between =
                    self.pick(&["", "", "", " 0.. empty |", " 1..2 empty |", " 0..1 any |"]);
                self.line(&format!("{head} [ {first} |{between} {target} as {b} ]"));
                if !chosen {
                    self.names.push((a.clone(), Type::Cell));
                }
                self.names.push((b.clone(), Type::Cell));
                if named {
                    self.names.push((way, Type::Direction));
                }
                self.beside(20);
                self.line(&format!("move {a} to {b}"));
            }
        }
        self.beside(30);
    }

    fn step_by_choices(&mut self) {
        let movers = self.movers();
        let a = self.chosen("mover", &movers);
        self.beside(15);
        let from = match self.below(3) {
            0 if !self.ground.large => "empty".to_owned(),
            1 => format!("empty in adjacent({a}, {})", self.ways_by(&a)),
            _ => format!("empty in adjacent of {a}"),
        };
        let b = self.chosen("to", &from);
        self.beside(20);
        self.line(&format!("move {a} to {b}"));
        self.beside(30);
    }

    /// A piece, a direction, and perhaps how far.
    fn step_by_way(&mut self) {
        let movers = self.movers();
        let a = self.chosen("mover", &movers);
        let ways = self.ways_by(&a);
        let way = self.name("way", Type::Direction);
        self.line(&format!("choose {way} in {ways}"));
        let b = self.name("to", Type::Cell);
        match self.below(3) {
            0 => {
                let far = self.name("far", Type::Number);
                let path = self.name("path", Type::Run);
                self.line(&format!("choose {far} in 1..2"));
                self.line(&format!("line {way} [ {a} | ({far}) empty as {path} ]"));
                self.line(&format!("let {b} = last of {path}"));
            }
            1 => {
                self.line(&format!("let {b} = neighbour({a}, {way})"));
                self.line(&format!("require {b} in empty or {b} in enemy"));
            }
            _ => self.line(&format!("line {way} [ {a} | not own as {b} ]")),
        }
        self.beside(20);
        self.line(&format!("move {a} to {b}"));
        self.beside(25);
    }

    fn jump(&mut self) {
        let ways = self.directions(1);
        let (movers, over) = (self.movers(), self.pick(&["enemy", "enemy", "any", "own"]));
        let (a, c) = (
            self.name("mover", Type::Cell),
            self.name("over", Type::Cell),
        );
        let b = self.name("to", Type::Cell);
        self.line(&format!(
            "line {ways} [ {movers} as {a} | {over} as {c} | empty as {b} ]"
        ));
        let verb = self.pick(&["capture", "capture", "remove"]);
        let effects = [format!("move {a} to {b}"), format!("{verb} {c}")];
        let late = usize::from(self.chance(35));
        self.beside(10);
        self.line(&effects[late]);
        self.beside(15);
        self.line(&effects[1 - late]);
        self.beside(30);
    }

    /// A trail of steps or jumps, each with something beside it.
    fn jumps(&mut self) {
        let movers = self.movers();
        let who = self.name("who", Type::Cell);
        let jumps = self.chance(65);
        let ways = self.ways_by(&who);
        self.line("trail {");
        self.indent += 1;
        self.line(&format!("start {movers} as {who}"));
        let names = self.names.len();
        let over = self.fresh("over");
        let step = match jumps {
            true => format!("[ here | enemy as {over} | empty as next ]"),
            false => "[ here | empty as next ]".to_owned(),
        };
        let told = self.pick(&[" \"x{next}\"", " \"{next}\"", ""]);
        self.block(&format!("step {ways} {step}{told} {{"), |w| {
            w.names.push(("here".to_owned(), Type::Cell));
            if jumps {
                w.names.push((over.clone(), Type::Cell));
            }
            w.names.push(("next".to_owned(), Type::Cell));
            if w.chance(92) {
                w.line("move here to next");
            }
            if jumps && w.chance(80) {
                w.line(&format!("capture {over}"));
            }
            w.beside(20);
        });
        self.names.truncate(names);
        let mut never = Vec::new();
        for (word, percent) in [("back", 25), ("straight", 10), ("twice", 30)] {
            if self.chance(percent) {
                never.push(word);
            }
        }
        let by_row = match self.ground.shape {
            "graph" => "1 steps".to_owned(),
            _ => format!("row of {who}..3 cells"),
        };
        let length = match jumps {
            true => self.pick(&["full", "full", "full", "1..2 steps", "2 steps"]),
            false => self.pick(&["1..2 steps", "2 steps", "1..2 steps", &by_row]),
        };
        if !never.is_empty() {
            self.line(&format!("never {}", never.join(", ")));
        }
        self.line(&format!("length {length}"));
        let goal = self.name("goal", Type::Cell);
        let finish = match self.chance(70) {
            true => "any".to_owned(),
            false => self.zone(),
        };
        self.line(&format!("finish {finish} as {goal}"));
        self.indent -= 1;
        self.line("}");
        self.beside(30);
    }

    /// A row of pieces goes ahead, and takes or pushes what stands there.
    fn charge(&mut self) {
        let ways = self.directions(1);
        let (run, path) = (self.name("run", Type::Run), self.name("path", Type::Run));
        let way = self.name("way", Type::Direction);
        let head = format!("line {ways} as {way}");
        match self.below(5) {
            0 | 1 => {
                let long = self.pick(&["1..n", "1..2", "n", "0..n-1", "1.."]);
                self.line(&format!(
                    "{head} [ n own as {run} | {long} empty as {path} ]"
                ));
                self.beside(20);
                self.line(&format!("advance {run} by count of {path}"));
            }
            2 | 3 => {
                let foe = self.name("foe", Type::Run);
                let long = self.pick(&["0..n-1", "1..n-1", "whole 1..n-1", "0..n"]);
                let end = self.pick(&["", " | empty", " | edge"]);
                self.line(&format!(
                    "{head} [ n own as {run} | 0..n empty as {path} | {long} enemy as {foe}{end} ]"
                ));
                match self.chance(50) {
                    true => self.line(&format!("capture {foe}")),
                    false => self.line(&format!("advance {foe} by 1")),
                }
                self.beside(15);
                let by = self.pick(&[&format!("count of {path} + 1"), "1"]);
                self.line(&format!("advance {run} by {by}"));
            }
            _ => {
                self.line(&format!(
                    "{head} [ 2..3 own as {run} | 1.. empty as {path} ]"
                ));
                let to = self.pick(&["first", "last"]);
                self.line(&format!("move {to} of {run} to {to} of {path}"));
            }
        }
        self.beside(20);
    }

    /// One piece changes, comes or goes where it stands.
    fn change_one(&mut self) {
        let kinds = self.kinds.clone();
        let from = self.class();
        let from = match self.chance(40) {
            true => format!("({from} and {})", self.zone()),
            false => from,
        };
        let spot = self.chosen("spot", &from);
        self.beside(20);
        match self.below(5) {
            0 | 1 if kinds.len() > 1 => {
                let rank = self.name("rank", Type::Kind);
                self.line(&format!("choose {rank} in {}", kinds.join(", ")));
                self.line(&format!("promote {spot} to {rank}"));
            }
            2 if self.players.len() == 2 => self.line(&format!("flip {spot}")),
            3 => {
                let kind = self.dice.pick(&kinds);
                self.line(&format!("remove {spot}"));
                self.line(&format!("place {kind} at {spot}"));
            }
            _ => self.line(&format!("remove {spot}")),
        }
        self.beside(30);
    }

    /// Nothing is done on the board; perhaps something is kept.
    fn note(&mut self) {
        if self.chance(70) {
            let from = self.class();
            self.chosen("spot", &from);
        }
        self.beside(60);
    }
}
