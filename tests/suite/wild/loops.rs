//! Makes conditions, loops, alternatives and rules that are played.

use crate::wild::writer::{Place, Type, Writer};

impl Writer {
    /// Statements under a condition.
    pub fn condition(&mut self, d: usize) {
        let test = self.truth(d.min(2));
        let names = self.names.len();
        self.line(&format!("if {test} {{"));
        self.indent += 1;
        self.some_statements(2, d);
        self.names.truncate(names);
        self.indent -= 1;
        if self.chance(25) {
            let test = self.truth(1);
            self.line(&format!("}} else if {test} {{"));
            self.indent += 1;
            self.some_statements(1, d);
            self.names.truncate(names);
            self.indent -= 1;
        }
        if self.chance(45) {
            self.line("} else {");
            self.indent += 1;
            self.some_statements(2, d);
            self.names.truncate(names);
            self.indent -= 1;
        }
        self.line("}");
    }

    /// Statements for each member of a set.
    pub fn each(&mut self, d: usize) {
        if self.chance(25) {
            let p = self.fresh("p");
            return self.block(&format!("for each {p} in players {{"), |w| {
                w.names.push((p.clone(), Type::Player));
                w.some_statements(1, d);
            });
        }
        let (from, kind) = match self.chance(20) {
            true => (self.groups(0), Type::Family),
            false => (self.cells(d.min(1)), Type::Cell),
        };
        let filter = match self.chance(35) {
            true => format!(" where {}", self.about(kind, |w| w.truth(1))),
            false => String::new(),
        };
        let c = self.fresh("each");
        self.block(&format!("for each {c} in {from}{filter} {{"), |w| {
            w.names.push((c.clone(), kind));
            w.some_statements(2, d);
        });
    }

    /// Statements for members of a set in an order that the player chooses.
    pub fn any_order(&mut self, d: usize) {
        self.choices += 2;
        let from = self.cells(0);
        let filter = match self.chance(50) {
            true => format!(" where {}", self.about(Type::Cell, |w| w.truth(1))),
            false => String::new(),
        };
        let until = match self.chance(40) {
            true => format!(" or until \"{}\"", self.fresh("done")),
            false => String::new(),
        };
        let c = self.fresh("each");
        let playing = self.place == Place::Turn;
        self.block(
            &format!("for each {c} in {from}{filter}, in any order{until} {{"),
            |w| {
                w.names.push((c.clone(), Type::Cell));
                let takers: Vec<String> = w
                    .rules
                    .iter()
                    .filter(|r| r.takes == 1)
                    .map(|r| r.name.clone())
                    .collect();
                if !takers.is_empty() && (playing || w.chance(50)) {
                    let rule = w.dice.pick(&takers);
                    w.line(&format!("{rule}({c})"));
                } else {
                    w.some_statements(1, d);
                }
            },
        );
    }

    /// A rule that is played.
    pub fn call(&mut self) -> String {
        let rules = self.rules.clone();
        let rule = self.dice.pick(&rules);
        match rule.takes {
            0 => rule.name,
            _ => format!("{}({})", rule.name, self.cell(0)),
        }
    }

    /// Statements or a rule, again and again.
    pub fn repeat(&mut self, d: usize) {
        let head = match self.below(6) {
            0 => "repeat".to_owned(),
            1 => format!("repeat while {}", self.truth(1)),
            2 => "repeat 2 times".to_owned(),
            3 => "repeat 1 to 2 times".to_owned(),
            _ => "repeat at most 2 times".to_owned(),
        };
        let until = match self.chance(if self.choices < 3 { 35 } else { 0 }) {
            true => format!(" or until \"{}\"", self.fresh("stop")),
            false => String::new(),
        };
        self.choices += 1;
        if !self.rules.is_empty() && self.chance(if self.place == Place::Turn { 85 } else { 25 }) {
            let call = self.call();
            return self.line(&format!("{head} {call}{until}"));
        }
        let names = self.names.len();
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.some_statements(2, d);
        self.indent -= 1;
        self.names.truncate(names);
        self.line(&format!("}}{until}"));
    }

    /// One alternative, from where the line stands.
    fn alternative(&mut self, before: &str, d: usize) {
        let plays = if self.place == Place::Turn { 80 } else { 30 };
        if !self.rules.is_empty() && self.chance(plays) {
            let call = self.call();
            return self.line(&format!("{before}{call}"));
        }
        if self.place == Place::Turn && self.chance(40) {
            return self.line(&format!("{before}pass"));
        }
        self.block(&format!("{before}{{"), |w| w.some_statements(2, d));
    }

    /// Some alternatives, and what is said behind them.
    pub fn alternatives(&mut self, d: usize) {
        self.choices += 1;
        self.alternative("", d);
        for _ in 0..self.below(3) {
            self.alternative("or ", d);
        }
        let possible = self.chance(20);
        if possible {
            self.line("if possible");
        }
        if self.chance(30) {
            let least = self.pick(&["most", "least"]);
            let value = self.number(1);
            self.line(&format!("preferring {least} {value}"));
        }
        if !possible && self.chance(30) {
            self.alternative("otherwise ", d);
        }
    }
}
