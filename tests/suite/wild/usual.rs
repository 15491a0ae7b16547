//! Makes games as people write them: a few rules, each with something that most games let a player do, and seldom more than one
//! thing that is unusual. Faster ways to list and count are found in such games rather than in others.

use crate::wild::writer::{Defined, Ground, Place, Played, Type, Writer};

/// The rules of a usual game, and with which letter their texts begin.
const RULES: [(&str, &str); 4] = [("Ra", "A"), ("Rb", "B"), ("Rc", "C"), ("Rd", "D")];

/// What a rule is made of, for another one like it.
struct Body {
    text: String,
    names: Vec<(String, Type)>,
}

impl Writer {
    /// All of a game behind its name.
    pub fn usual_game(&mut self) {
        self.players_and_board(true);
        self.pieces();
        if self.chance(55) {
            self.memory();
        }
        self.usual_definitions();
        let bare = self.chance(30);
        self.usual_setup(bare);
        if self.chance(12) {
            self.settling();
        }
        let mut last = None;
        for (name, letter) in &RULES[..1 + self.below(3) + usize::from(self.chance(10))] {
            let puts = bare && last.is_none();
            last = Some(self.usual_rule(name, letter, last, puts));
        }
        self.usual_turn();
        self.usual_ends();
    }

    /// A board, more often one whose edges are joined, and now and then a large one.
    pub fn usual_ground(&mut self) -> Ground {
        match self.below(20) {
            0 => self.large(),
            1..=4 => self.ring(),
            5..=10 => {
                let size = self.dice.pick(&[2, 3, 3, 3, 4, 4, 5]);
                self.squares_of(size, size)
            }
            _ => self.ground(),
        }
    }

    /// Directions that depend on a cell, cells that depend on the hour, and points.
    fn usual_definitions(&mut self) {
        if self.chance(30) {
            let (zone, name) = (self.zone(), self.fresh("d"));
            let (one, other) = (self.directions(0), self.directions(0));
            self.line(&format!(
                "define {name}(c) = if c in {zone} then {one} else {other}"
            ));
            self.defined.push(Defined {
                name,
                kind: Type::Ways,
                takes: vec![Type::Cell],
            });
        }
        if self.chance(20) {
            let name = self.fresh("d");
            let test = self.pick(&[
                "turns > 1",
                "turns mod 2 = 0",
                "some enemy",
                "count(own) > 2",
            ]);
            let (one, other) = (self.class(), self.zone());
            self.line(&format!(
                "define {name} = if {test} then {one} else ({other})"
            ));
            self.defined.push(Defined {
                name,
                kind: Type::Cells,
                takes: Vec::new(),
            });
        }
        let kind = self.dice.pick(&self.kinds.clone());
        self.line(&format!("define points of p = count({kind} of p)"));
    }

    /// Pieces of every player, or none, and what is in the hands.
    fn usual_setup(&mut self, bare: bool) {
        self.place = Place::Setup;
        self.block("setup {", |w| {
            let mut cells = w.ground.cells.clone();
            if !bare {
                w.first_pieces(&mut cells);
            }
            if w.neutral && w.chance(60) {
                let at = w.cell_at(&mut cells);
                w.line(&format!("place token at {at} and empty"));
            }
            if w.hands {
                let (kind, many) = (w.kinds[0], 1 + w.below(4));
                w.line(&format!(
                    "for each p in players {{ deal {kind} to p times {many} }}"
                ));
            }
        });
    }

    /// Pieces of every player: on rows, or on some of the given cells.
    fn first_pieces(&mut self, cells: &mut Vec<String>) {
        let (kinds, rows) = (self.kinds.clone(), self.ground.rows);
        if self.mirrors() && !self.ground.large && self.chance(50) {
            let (kind, far) = (self.dice.pick(&kinds), self.pick(&["row(1)", "rows(1..2)"]));
            let far = if rows > 3 { far } else { "row(1)".to_owned() };
            return self.line(&format!(
                "for each p in players {{ place {kind} of p at ({far} seen by p) and empty }}"
            ));
        }
        let squares = self.ground.shape != "graph";
        let by_rows = squares && rows > 1 && !self.ground.large && self.chance(50);
        for (nth, p) in self.players.clone().into_iter().enumerate() {
            let kind = self.dice.pick(&kinds);
            let at = match by_rows {
                true => format!("row({})", [1, rows, 1 + rows / 2][nth % 3]),
                false => format!("({} or {})", self.cell_at(cells), self.cell_at(cells)),
            };
            self.line(&format!("place {kind} of {p} at {at} and empty"));
        }
    }

    /// One of some cells, which is no longer among them.
    fn cell_at(&mut self, cells: &mut Vec<String>) -> String {
        match cells.is_empty() {
            true => "last of empty".to_owned(),
            false => cells.remove(self.dice.below(cells.len())),
        }
    }

    /// A rule for the ends of others, which asks something of a cell that it is given, or changes what stands there.
    fn settling(&mut self) {
        self.place = Place::Rule;
        let given = self.name("given", Type::Cell);
        let claim = self.claim();
        let told = self.chance(60);
        let effect = match self.below(5) {
            0 if told => format!("; flip {given}"),
            1 if told => format!("; remove {given}"),
            _ => String::new(),
        };
        let text = match told {
            true => format!(" \"s{{{given}}}\""),
            false => String::new(),
        };
        self.line(&format!(
            "rule Settle({given}){text} {{ require {claim}{effect} }}"
        ));
        self.names.clear();
        self.rules.push(Played {
            name: "Settle".to_owned(),
            takes: 1,
        });
    }

    /// A rule; now and then almost the same as the one before it.
    fn usual_rule(&mut self, name: &str, letter: &str, last: Option<Body>, puts: bool) -> Body {
        self.place = Place::Rule;
        self.choices = 0;
        let before = std::mem::take(&mut self.text);
        let indent = std::mem::replace(&mut self.indent, 1);
        match last {
            Some(last) if self.chance(12) => {
                self.names = last.names;
                self.text = last.text;
                if self.chance(70) {
                    self.beside(60);
                }
            }
            None if !puts => self.first_act(),
            _ => self.act(puts),
        }
        let text = std::mem::replace(&mut self.text, before);
        self.indent = indent;
        let notation = self.usual_notation(
            letter,
            !text.contains("trail {")
                && !text.contains("repeat")
                && (text.contains(" as ") || text.contains("choose")),
        );
        let names = std::mem::take(&mut self.names);
        self.line(&format!("rule {name}{notation} {{"));
        self.text.push_str(&text);
        self.line("}");
        self.rules.push(Played {
            name: name.to_owned(),
            takes: 0,
        });
        Body { text, names }
    }

    /// A rule's text: none if it can be derived, or what was chosen, with or without a letter, seldom with a part left out.
    fn usual_notation(&mut self, letter: &str, derived: bool) -> String {
        if derived && self.chance(25) {
            return String::new();
        }
        let letter = match self.below(8) {
            0 => "",
            1 => "A",
            _ => letter,
        };
        let mut parts = Vec::new();
        for (name, kind) in self.names.clone() {
            let value = name.starts_with("v_") || name.starts_with("was_");
            if value && !self.chance(10) || self.chance(6) {
                continue;
            }
            match kind {
                Type::Truth | Type::Ways | Type::Family => {}
                Type::Run => parts.push(format!("{{first of {name}}}{{count of {name}}}")),
                Type::Cell
                | Type::Cells
                | Type::Direction
                | Type::Number
                | Type::Player
                | Type::Kind => parts.push(format!("{{{name}}}")),
            }
        }
        let sign = self.pick(&["", "-", "{-x}"]);
        let text = format!("{letter}{}", parts.join(&sign));
        match text.is_empty() {
            true => " \"nod\"".to_owned(),
            false => format!(" \"{text}\""),
        }
    }
}
