//! What the maker of games knows while it writes: the board, the names that can be seen, and where it is writing.

use crate::wild::dice::Dice;

/// The type of a name or expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Cell,
    Cells,
    Run,
    Family,
    Direction,
    /// Some directions.
    Ways,
    Number,
    Truth,
    Player,
    Kind,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Setup,
    Define,
    Rule,
    Turn,
    EndOfAction,
    EndOfTurn,
    StartOfTurn,
}

/// Where the pieces stand.
#[derive(Clone, Default)]
pub struct Ground {
    /// The text behind `board`.
    pub text: String,
    /// `square`, `graph` and so on.
    pub shape: &'static str,
    /// Columns and rows that there surely are.
    pub columns: usize,
    pub rows: usize,
    /// Whether stacks are held.
    pub stacking: bool,
    /// Whether it is its own mirror image in all ways that are asked for.
    pub symmetric: bool,
    /// Whether there are so many cells that few of them may be chosen from.
    pub large: bool,
    /// Names of single directions.
    pub ways: Vec<&'static str>,
    /// Names of cells that there surely are.
    pub cells: Vec<String>,
}

/// What is kept.
#[derive(Clone)]
pub struct Kept {
    pub name: String,
    pub kind: Type,
    /// Of each player, of each cell.
    pub of: Option<Type>,
    /// It can be asked at an end.
    pub lasting: bool,
}

/// A definition.
#[derive(Clone)]
pub struct Defined {
    pub name: String,
    pub kind: Type,
    pub takes: Vec<Type>,
}

/// A rule that can be played or asked about.
#[derive(Clone)]
pub struct Played {
    pub name: String,
    pub takes: usize,
}

/// Writes a game.
pub struct Writer {
    pub dice: Dice,
    pub ground: Ground,
    pub players: Vec<&'static str>,
    pub facing: bool,
    /// Kinds that have owners, and one that has none.
    pub kinds: Vec<&'static str>,
    pub neutral: bool,
    pub hands: bool,
    pub kept: Vec<Kept>,
    pub marks: Vec<String>,
    pub defined: Vec<Defined>,
    pub rules: Vec<Played>,
    /// Options that are numbers, and one that is on or off.
    pub options: Vec<&'static str>,
    pub names: Vec<(String, Type)>,
    pub place: Place,
    /// What `it` is, where there is one.
    pub it: Option<Type>,
    pub text: String,
    pub indent: usize,
    /// Whether effects may stand here, and whether choices may.
    pub choices: usize,
    fresh: usize,
}

impl Writer {
    pub fn new(dice: Dice) -> Writer {
        Writer {
            dice,
            ground: Ground::default(),
            players: Vec::new(),
            facing: false,
            kinds: Vec::new(),
            neutral: false,
            hands: false,
            kept: Vec::new(),
            marks: Vec::new(),
            defined: Vec::new(),
            rules: Vec::new(),
            options: Vec::new(),
            names: Vec::new(),
            place: Place::Setup,
            it: None,
            text: String::new(),
            indent: 0,
            choices: 0,
            fresh: 0,
        }
    }

    /// A number below another.
    pub fn below(&mut self, n: usize) -> usize {
        self.dice.below(n)
    }

    /// True so many times out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.dice.chance(percent)
    }

    /// One of some texts.
    pub fn pick(&mut self, of: &[&str]) -> String {
        self.dice.pick(of).to_owned()
    }

    /// A name that nothing has.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}_{}", self.fresh)
    }

    /// One line.
    pub fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Lines between braces, whose names end with them.
    pub fn block(&mut self, head: &str, inner: impl FnOnce(&mut Writer)) {
        let names = self.names.len();
        self.line(head);
        self.indent += 1;
        inner(self);
        self.indent -= 1;
        self.names.truncate(names);
        self.line("}");
    }

    /// Gives a name.
    pub fn name(&mut self, stem: &str, kind: Type) -> String {
        let name = self.fresh(stem);
        self.names.push((name.clone(), kind));
        name
    }

    /// A name of a type that can be seen, a late one rather than an early one.
    pub fn seen(&mut self, kinds: &[Type]) -> Option<String> {
        let fit: Vec<String> = self
            .names
            .iter()
            .filter(|(_, k)| kinds.contains(k))
            .map(|(n, _)| n.clone())
            .collect();
        if fit.is_empty() {
            return None;
        }
        let a = self.below(fit.len());
        let b = self.below(fit.len());
        Some(fit[fit.len() - 1 - a.min(b)].clone())
    }

    /// Whether a turn is being played, so that its counters can be asked.
    pub fn in_turn(&self) -> bool {
        matches!(self.place, Place::Rule | Place::Turn)
    }

    /// Whether somebody is to move.
    pub fn in_play(&self) -> bool {
        self.place != Place::Setup
    }

    /// The word `seen by` can be used.
    pub fn mirrors(&self) -> bool {
        self.facing && self.ground.symmetric
    }
}
