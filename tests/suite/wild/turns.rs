//! Makes the turns and ends of usual games.

use crate::wild::writer::{Place, Type, Writer};

impl Writer {
    /// How usual rules are put together to a turn.
    pub fn usual_turn(&mut self) {
        self.place = Place::Turn;
        self.names.clear();
        self.choices = 0;
        let free = self.rules.iter().filter(|r| r.takes == 0);
        let free: Vec<String> = free.map(|r| r.name.clone()).collect();
        let one = match self.chance(50) {
            true => free[0].clone(),
            false => self.dice.pick(&free),
        };
        let other = self.dice.pick(&free);
        match self.below(16) {
            0..=4 => {
                let after = self.pick(&["", "", " or pass", " otherwise pass"]);
                self.line(&format!("turn {}{after}", free.join(" or ")));
            }
            5 => self.line(&format!("turn {} otherwise pass", free.join(" otherwise "))),
            6 => {
                let times = 2 + self.below(3);
                let after = self.pick(&["", "", " or until \"stop\""]);
                let head = self.pick(&[
                    &format!("repeat {times} times"),
                    &format!("repeat 1 to {times} times"),
                    &format!("repeat at most {times} times"),
                ]);
                self.block("turn {", |w| w.line(&format!("{head} {one}{after}")));
            }
            7..=9 => self.block("turn {", |w| w.sequence(&free)),
            10 | 11 => {
                let best = self.pick(&["most", "least"]);
                let value = match self.below(3) {
                    0 => "captures".to_owned(),
                    1 => format!("count({})", self.class()),
                    _ => self.number(1),
                };
                let all = free.join(" or ");
                let after = self.pick(&["", " or pass"]);
                self.block("turn {", |w| {
                    w.line(&format!("{all}{after} preferring {best} {value}"));
                });
            }
            12 => {
                let claim = self.claim();
                self.block("turn {", |w| {
                    w.line(&format!(
                        "if {claim} {{ {one} }} else {{ {other} or pass }}"
                    ));
                });
            }
            13 => {
                self.place = Place::StartOfTurn;
                let test = format!("turns < {}", 1 + self.below(5));
                let after = self.pick(&["", " or pass"]);
                self.line(&format!("turn opening while {test} {{ {one} or pass }}"));
                self.line(&format!("turn later {{ {other}{after} }}"));
            }
            14 if self.text.contains("rule Settle(given_") && self.text.contains("\"s{") => {
                let (class, zone) = (self.class(), self.zone());
                let until = self.pick(&["", " or until \"done\""]);
                self.block("turn {", |w| {
                    w.line(&format!(
                        "for each c in ({class} and {zone}), in any order{until} {{ Settle(c) }}"
                    ));
                    w.line(&format!("{one} otherwise pass"));
                });
            }
            _ => self.line(&format!("turn {one} or {other} or pass")),
        }
    }

    /// Rules one after the other, with conditions between them.
    fn sequence(&mut self, free: &[String]) {
        for nth in 0..2 + self.below(3) {
            let rule = self.dice.pick(free);
            match self.below(if nth == 0 { 3 } else { 12 }) {
                0 => self.line(&rule),
                1..=3 => self.line(&format!("{rule} or pass")),
                4 | 8 => self.line(&format!("{rule} if possible")),
                5 | 9 => self.line(&format!("{rule} otherwise pass")),
                6 => {
                    let claim = self.claim();
                    self.line(&format!("require {claim}"));
                }
                7 => {
                    let claim = self.claim();
                    self.line(&format!("if {claim} {{ {rule} }}"));
                }
                _ => match self.kept_value(Type::Truth) {
                    Some(kept) => self.line(&format!("require {kept}")),
                    None => self.line(&rule),
                },
            }
        }
    }

    /// When a usual game ends.
    pub fn usual_ends(&mut self) {
        self.names.clear();
        let last = 4 + self.below(12);
        let counted = self.points();
        self.place = Place::EndOfTurn;
        self.block("end after turn {", |w| {
            match w.below(6) {
                0 | 1 => {
                    let won = w.won();
                    let result = w.pick(&["win", "win", "lose"]);
                    w.line(&format!("{result} \"won\" when {won} and turns > 1"));
                }
                2 => {
                    let test = w.truth(1);
                    w.line(&format!("draw \"odd\" when {test} and turns > 2"));
                }
                _ => {}
            }
            match counted {
                Some(points) => w.line(&format!("score {points} \"long\" when turns > {last}")),
                None => w.line(&format!("draw \"long\" when turns > {last}")),
            }
        });
        if self.chance(8) {
            self.place = Place::EndOfAction;
            let won = self.won();
            self.line(&format!(
                "end after action {{ win \"soon\" when {won} and turns > 1 }}"
            ));
        }
        if self.chance(88) {
            let result = self.pick(&["lose", "lose", "lose", "draw", "win"]);
            self.line(&format!(
                "end at start of turn {{ {result} \"stuck\" when stuck }}"
            ));
        }
    }

    /// What is counted at the end, if anything is.
    fn points(&mut self) -> Option<String> {
        let kept = self
            .kept
            .iter()
            .filter(|k| k.kind == Type::Number && k.of == Some(Type::Player) && k.lasting);
        let kept: Vec<String> = kept.map(|k| k.name.clone()).collect();
        match self.below(4) {
            0 => Some("points".to_owned()),
            1 if !kept.is_empty() => Some(self.dice.pick(&kept)),
            _ => None,
        }
    }

    /// What most games are won by.
    fn won(&mut self) -> String {
        let edge = self.pick(&["", "", " | edge", " | empty"]);
        match self.below(6) {
            0..=2 => {
                let (ways, many) = (self.directions(0), 2 + self.below(3));
                let many = self.pick(&[&many.to_string(), &format!("{many}..")]);
                format!("some line {ways} [ {many} own{edge} ]")
            }
            3 => format!("count(enemy) < {}", 1 + self.below(3)),
            4 => format!("some (own and {})", self.zone()),
            _ => format!("count(groups of me) = {}", 1 + self.below(2)),
        }
    }
}
