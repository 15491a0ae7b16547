//! Makes whole games: the board, the pieces, what is kept and defined, the setup, rules, turns and ends.

use crate::wild::dice::Dice;
use crate::wild::writer::{Defined, Kept, Place, Played, Type, Writer};

/// The text of a game, which may have mistakes.
pub fn game(dice: Dice) -> String {
    let mut w = Writer::new(dice);
    w.line("game \"Wild\"");
    if w.chance(45) {
        w.usual_game();
        return w.text;
    }
    w.players_and_board(false);
    w.pieces();
    w.memory();
    w.definitions();
    w.setup();
    for nth in 0..1 + w.below(3) {
        w.rule(nth);
    }
    w.turns();
    w.ends();
    w.text
}

const PLAYERS: [&str; 3] = ["White", "Black", "Red"];

impl Writer {
    /// The players, options and the board.
    pub fn players_and_board(&mut self, usual: bool) {
        let count = self.dice.pick(&[2, 2, 2, 2, 2, 2, 2, 3]);
        self.players = PLAYERS[..count].to_vec();
        if self.chance(30) {
            self.line("option size = 2 in 1..4");
            self.options.push("size");
        }
        if self.chance(15) {
            self.line("option wide = on in off, on");
            self.options.push("wide");
            if self.options.len() == 1 {
                self.options.clear();
            }
        }
        self.ground = match usual {
            true => self.usual_ground(),
            false => self.ground(),
        };
        let equal = self.ground.shape == "square" && self.ground.columns == self.ground.rows;
        self.facing = self.ground.shape != "graph" && self.chance(75);
        let facing = self.facing;
        let sides = match count {
            3 if equal => [" facing north", " facing south", " facing east"],
            _ => [" facing north", " facing south", " facing north"],
        };
        let each = PLAYERS.iter().zip(sides).take(count);
        let each: Vec<String> = each
            .map(|(p, side)| format!("{p}{}", if facing { side } else { "" }))
            .collect();
        self.line(&format!("players {}", each.join(", ")));
        let board = self.ground.text.clone();
        self.line(&format!("board {board}"));
    }

    /// The kinds of pieces.
    pub fn pieces(&mut self) {
        let count = 1 + self.below(3);
        self.kinds = ["man", "king", "rook"][..count].to_vec();
        self.neutral = self.chance(25);
        let mut kinds = self.kinds.join(", ");
        if self.neutral {
            kinds.push_str(", token \"#\" neutral");
        }
        self.line(&format!("piece {kinds}"));
        self.hands = self.chance(35);
    }

    /// What is kept and marked.
    pub fn memory(&mut self) {
        for _ in 0..self.below(4) {
            let kind = self.dice.pick(&[
                Type::Number,
                Type::Number,
                Type::Truth,
                Type::Cell,
                Type::Cells,
                Type::Direction,
                Type::Player,
                Type::Kind,
            ]);
            if kind == Type::Direction && self.ground.shape == "graph" {
                continue;
            }
            let of = match self.below(5) {
                0 | 1 if matches!(kind, Type::Number | Type::Truth | Type::Cells) => {
                    Some(Type::Player)
                }
                2 if kind == Type::Number => Some(Type::Cell),
                _ => None,
            };
            let start = match kind {
                Type::Number => self.below(3).to_string(),
                Type::Truth => self.pick(&["yes", "no"]),
                Type::Cell => self.pick(&["nowhere", "nowhere"]),
                Type::Cells => self.pick(&["none", "corners", "row(1)", "none"]),
                Type::Direction => {
                    let ways = self.ground.ways.clone();
                    self.pick(&ways)
                }
                Type::Player => self.dice.pick(&self.players.clone()).to_owned(),
                _ => self.dice.pick(&self.kinds.clone()).to_owned(),
            };
            let start = if self.ground.shape == "graph" && kind == Type::Cells {
                "none".to_owned()
            } else {
                start
            };
            let life = self.pick(&["", "", " each turn", " aside", " compared"]);
            let life = if life == " compared" && kind != Type::Number {
                String::new()
            } else {
                life
            };
            let name = self.fresh("k");
            let each = match of {
                Some(Type::Player) => " of each player",
                Some(_) => " of each cell",
                None => "",
            };
            self.line(&format!("keep {name}{each} = {start}\n    {life}"));
            self.kept.push(Kept {
                name,
                kind,
                of,
                lasting: life != " each turn",
            });
        }
        if self.chance(30) {
            let name = self.fresh("m");
            let life = self.pick(&["", "", " each turn", " aside"]);
            self.line(&format!("mark {name}{life}"));
            if life == " each turn" {
                self.kept.push(Kept {
                    name,
                    kind: Type::Cells,
                    of: None,
                    lasting: false,
                });
            } else {
                self.marks.push(name);
            }
        }
    }

    fn definitions(&mut self) {
        self.place = Place::Define;
        for _ in 0..self.below(3) {
            let kind = self.dice.pick(&[Type::Cells, Type::Truth, Type::Number]);
            let takes = match self.below(4) {
                0 => vec![Type::Cell],
                1 => vec![Type::Player],
                2 if self.chance(30) => vec![Type::Cell, Type::Direction],
                _ => Vec::new(),
            };
            let name = self.fresh("d");
            let given: Vec<String> = takes.iter().map(|t| self.name("a", *t)).collect();
            let value = self.value(kind, 2);
            self.names.clear();
            let given = match given.len() {
                0 => String::new(),
                _ => format!("({})", given.join(", ")),
            };
            self.line(&format!("define {name}{given} = {value}"));
            self.defined.push(Defined { name, kind, takes });
        }
    }

    fn setup(&mut self) {
        self.place = Place::Setup;
        self.line("setup {");
        self.indent += 1;
        if self.chance(80) {
            let players = self.players.clone();
            for (nth, p) in players.into_iter().enumerate() {
                let kinds = self.kinds.clone();
                for kind in kinds {
                    if self.chance(30) {
                        continue;
                    }
                    let at = match self.below(5) {
                        0 | 1 if self.ground.shape != "graph" => {
                            let rows = self.ground.rows;
                            let row = [1, rows, 1 + rows / 2][nth % 3];
                            format!("row({row})")
                        }
                        2 | 3 => self.cells(1),
                        _ => self.cell(0),
                    };
                    let times = match self.ground.stacking && self.chance(40) {
                        true => " times 2",
                        false => "",
                    };
                    self.line(&format!("place {kind} of {p} at ({at}) and empty{times}"));
                }
            }
        }
        if self.neutral && self.chance(60) {
            let at = self.cells(0);
            self.line(&format!("place token at ({at}) and empty"));
        }
        if self.hands {
            let kinds = self.kinds.clone();
            let kind = self.dice.pick(&kinds);
            let many = 1 + self.below(4);
            self.line(&format!(
                "for each p in players {{ deal {kind} to p times {many} }}"
            ));
        }
        self.indent -= 1;
        self.line("}");
    }

    fn rule(&mut self, nth: usize) {
        self.place = Place::Rule;
        self.choices = 0;
        let name = ["Ra", "Rb", "Rc"][nth].to_owned();
        let takes = usize::from(self.chance(15));
        let before = std::mem::take(&mut self.text);
        let indent = std::mem::replace(&mut self.indent, 1);
        let given = match takes {
            1 => format!("({})", self.name("given", Type::Cell)),
            _ => String::new(),
        };
        if self.chance(45) {
            self.common();
        } else {
            self.binder(1);
        }
        if self.choices < 2 && self.chance(40) {
            self.binder(1);
        }
        if self.chance(20) {
            self.require(2);
        }
        for _ in 0..1 + self.below(3) {
            self.statement(2);
        }
        if self.chance(25) {
            self.require(2);
        }
        let body = std::mem::replace(&mut self.text, before);
        self.indent = indent;
        let notation = self.notation(nth, body.contains("trail {"));
        self.names.clear();
        self.line(&format!("rule {name}{given}{notation} {{"));
        self.text.push_str(&body);
        self.line("}");
        self.rules.push(Played { name, takes });
    }

    /// The text of a rule: all that was chosen, most of the time; now and then one that begins as others do.
    fn notation(&mut self, nth: usize, told: bool) -> String {
        if !told && self.chance(12) {
            return String::new();
        }
        let letter = ["A", "B", "C"][nth];
        let mut text = letter.to_owned();
        let names = self.names.clone();
        for (name, kind) in names {
            if self.chance(12) {
                continue;
            }
            match kind {
                Type::Run if self.chance(50) => {
                    text.push_str(&format!("{{first of {name}}}{{count({name})}}"));
                }
                Type::Truth | Type::Ways => continue,
                _ => text.push_str(&format!("{{{name}}}")),
            }
            let sign = self.pick(&["", "-", "{-x}", "."]);
            text.push_str(&sign);
        }
        if self.chance(8) {
            text.push_str(&format!("{{{}}}", self.number(1)));
        }
        // Of what was drawn already, so that all else of a game stays as it is.
        match text.len() * 7 % 13 {
            1 => text.replace_range(..1, "A"),
            5 if text.len() > 1 => text.replace_range(..1, ""),
            _ => {}
        }
        format!(" \"{text}\"")
    }

    fn turns(&mut self) {
        self.place = Place::Turn;
        self.names.clear();
        if self.chance(15) {
            self.place = Place::StartOfTurn;
            let test = self.truth(1);
            self.place = Place::Turn;
            if !test.contains("stuck") && !test.contains("occurrences") {
                self.block(&format!("turn first_turn while {test} {{"), |w| {
                    let call = w.call();
                    w.line(&call);
                    w.line("or pass");
                });
            }
        }
        self.turn("turn ");
    }

    fn turn(&mut self, head: &str) {
        self.choices = 0;
        let free: Vec<_> = self
            .rules
            .iter()
            .filter(|r| r.takes == 0)
            .cloned()
            .collect();
        if !free.is_empty() && self.chance(45) {
            let all: Vec<String> = free.iter().map(|r| r.name.clone()).collect();
            let joined = match self.below(4) {
                0 => all.join(" otherwise "),
                _ => all.join(" or "),
            };
            let after = self.pick(&["", " or pass", " otherwise pass", ""]);
            return self.line(&format!("{head}{joined}{after}"));
        }
        self.block(&format!("{head}{{"), |w| {
            if w.chance(25) {
                w.statement(2);
            }
            if w.chance(8) {
                w.trail(true);
            }
            match w.below(3) {
                0 => w.alternatives(1),
                1 => {
                    let call = w.call();
                    w.line(&call);
                }
                _ => {
                    let call = w.call();
                    w.line(&format!("{call} otherwise pass"));
                }
            }
            if w.chance(35) {
                w.statement(2);
            }
        });
    }

    fn ends(&mut self) {
        self.names.clear();
        for (place, moment) in [
            (Place::EndOfAction, "after action"),
            (Place::EndOfTurn, "after turn"),
            (Place::StartOfTurn, "at start of turn"),
        ] {
            self.place = place;
            let always = place == Place::StartOfTurn;
            let many = match self.chance(if always { 50 } else { 35 }) {
                true => 1 + self.below(2),
                false => 0,
            };
            if many == 0 && !always {
                continue;
            }
            self.block(&format!("end {moment} {{"), |w| {
                for _ in 0..many {
                    let numbers: Vec<String> = w
                        .kept
                        .iter()
                        .filter(|k| {
                            k.kind == Type::Number && k.of == Some(Type::Player) && k.lasting
                        })
                        .map(|k| k.name.clone())
                        .collect();
                    let result = if !numbers.is_empty() && w.chance(50) {
                        format!("score {}", w.dice.pick(&numbers))
                    } else {
                        w.pick(&["win", "lose", "draw"])
                    };
                    let test = w.truth(2);
                    let text = w.fresh("end");
                    w.line(&format!("{result} \"{text}\" when {test} and turns > 1"));
                }
                if always {
                    w.line("draw \"long\" when turns > 12");
                    w.line("lose \"stuck\" when stuck");
                }
            });
        }
    }
}
