//! Makes pictures and trails.

use crate::wild::writer::{Type, Writer};

impl Writer {
    /// A picture, with the names that its squares give. These are not seen from outside unless they are taken over.
    pub fn picture(&mut self, depth: usize, binding: bool) -> (String, Vec<(String, Type)>) {
        let before = self.names.len();
        let mut head = "line ".to_owned();
        if self.chance(70) {
            head.push_str(&self.directions(depth));
            head.push(' ');
        }
        if self.chance(if binding { 30 } else { 5 }) {
            let way = self.name("way", Type::Direction);
            head.push_str(&format!("as {way} "));
        }
        let squares = 1 + self.below(3) + usize::from(self.chance(60));
        let mut texts = Vec::new();
        let mut letters: Vec<&str> = Vec::new();
        for nth in 0..squares.min(4) {
            if nth > 0 && nth + 1 == squares && self.chance(12) {
                texts.push("edge".to_owned());
                break;
            }
            texts.push(self.square(nth, &mut letters));
        }
        let names = self.names.split_off(before);
        (format!("{head}[ {} ]", texts.join(" | ")), names)
    }

    fn square(&mut self, nth: usize, letters: &mut Vec<&'static str>) -> String {
        let class = match self.below(10) {
            0 if nth == 0 => self.simple_cell(),
            0..=2 if nth == 0 => "own".to_owned(),
            1 | 2 => "empty".to_owned(),
            3 => self.pick(&["enemy", "any", "occupied"]),
            4 => self.pick(&["empty or enemy", "own or empty", "not own"]),
            5 => self.cells(1),
            _ => self.cells(0),
        };
        let n = letters.first().copied();
        let first = nth == 0 && self.chance(80);
        let count = match self.below(17) {
            1 | 4 | 7 if first => String::new(),
            0 => "2 ".to_owned(),
            1 => "0.. ".to_owned(),
            2 => "1.. ".to_owned(),
            3 => "1..2 ".to_owned(),
            4 => "0..1 ".to_owned(),
            14 => self.pick(&["3 ", "2..3 ", "3.. "]),
            5 | 6 => match n {
                Some(n) => self.dice.pick(&[
                    format!("{n} "),
                    format!("1..{n} "),
                    format!("0..{n}-1 "),
                    format!("{n}.. "),
                    format!("({n} + 1) "),
                ]),
                None => {
                    letters.push("n");
                    "n ".to_owned()
                }
            },
            7 => format!("({}) ", self.number(0)),
            _ => String::new(),
        };
        let class = match count.trim_end().ends_with("..") && class.starts_with('(') {
            true => self.word(),
            false => class,
        };
        let whole = if count.contains("..") && self.chance(30) {
            "whole "
        } else {
            ""
        };
        let kind = if count.is_empty() {
            Type::Cell
        } else {
            Type::Run
        };
        if self.chance(65) {
            let name = self.name(if count.is_empty() { "c" } else { "run" }, kind);
            return format!("{whole}{count}{class} as {name}");
        }
        format!("{whole}{count}{class}")
    }

    /// A trail that is only asked about.
    pub fn trail_test(&mut self) -> String {
        let (from, class) = (self.cells(0), self.cells(0));
        let mut text = format!("trail {{ start {from}\nstep ");
        if self.chance(60) {
            text.push_str(&self.directions(0));
            text.push(' ');
        }
        match self.below(3) {
            0 => text.push_str(&format!("[ here | any | {class} as next ]\n")),
            _ => text.push_str(&format!("[ here | {class} as next ]\n")),
        }
        self.rest_of_trail(&mut text);
        text.push_str(" }");
        text
    }

    fn rest_of_trail(&mut self, text: &mut String) {
        if self.chance(25) {
            text.push_str(&format!("between {}\n", self.cells(0)));
        }
        let finish = self.chance(35);
        if finish {
            text.push_str(&format!("finish {}\n", self.cells(0)));
        }
        let mut never = Vec::new();
        for word in ["back", "straight", "twice"] {
            if self.chance(35) {
                never.push(word);
            }
        }
        let length = self.pick(&[
            "1..2 steps",
            "2 steps",
            "1..3 steps",
            "3.. cells",
            "full",
            "2..4 cells",
        ]);
        if (length == "full" || length == "3.. cells") && !never.contains(&"twice") {
            never.push("twice");
        }
        if !never.is_empty() {
            text.push_str(&format!("never {}\n", never.join(", ")));
        }
        text.push_str(&format!("length {length}"));
    }

    /// A trail that is gone; each step a text of its own where it is played by the turn.
    pub fn trail(&mut self, steps_told: bool) {
        self.choices += 1;
        let who = self.name("who", Type::Cell);
        let own = self.pick(&["own", "own", "any", "occupied", "own or empty"]);
        self.line("trail {");
        self.indent += 1;
        self.line(&format!("start {own} as {who}"));
        let inner = self.names.len();
        for _ in 0..1 + self.below(2) {
            self.names.truncate(inner);
            let mut step = "step ".to_owned();
            if self.chance(60) {
                step.push_str(&self.directions(0));
                step.push(' ');
            }
            let mut across = None;
            if self.chance(30) {
                let way = self.name("way", Type::Direction);
                step.push_str(&format!("as {way} "));
            }
            step.push_str("[ here | ");
            if self.chance(40) {
                let over = self.pick(&["enemy", "any", "occupied", "own", "0.. empty"]);
                if over.contains("..") {
                    step.push_str(&format!("{over} | "));
                } else {
                    let name = self.name("over", Type::Cell);
                    step.push_str(&format!("{over} as {name} | "));
                    across = Some(name);
                }
            }
            let class = match self.below(3) {
                0 => self.cells(0),
                1 => "empty or enemy".to_owned(),
                _ => "empty".to_owned(),
            };
            step.push_str(&format!("{class} as next ]"));
            if steps_told || self.chance(60) {
                step.push_str(&format!(" \"{}{{next}}\"", self.pick(&["x", "-", "~"])));
            }
            self.block(&format!("{step} {{"), |w| {
                if w.chance(75) {
                    w.line("move here to next");
                }
                if let Some(over) = across
                    && w.chance(60)
                {
                    let effect = w.pick(&["capture", "remove", "capture"]);
                    w.line(&format!("{effect} {over}"));
                }
                w.names.push(("next".to_owned(), Type::Cell));
                w.names.push(("here".to_owned(), Type::Cell));
                if w.chance(25) {
                    w.change(1);
                }
                if w.chance(12) {
                    let test = w.truth(1);
                    w.line(&format!("require {test}"));
                }
            });
        }
        self.names.truncate(inner);
        let mut rest = String::new();
        self.rest_of_trail(&mut rest);
        for line in rest.lines() {
            let goal = line.starts_with("finish ") && self.chance(70);
            if goal {
                let name = self.name("goal", Type::Cell);
                self.line(&format!("{line} as {name}"));
            } else {
                self.line(line);
            }
        }
        self.indent -= 1;
        self.line("}");
    }
}
