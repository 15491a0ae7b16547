//! Variables of a compiled game: kept values, values the engine keeps, and names bound in rules. Types and places only.

/// A variable's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u16);

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarType {
    /// A whole number.
    Number,
    /// Yes or no.
    Truth,
    /// A cell, or nowhere.
    Cell,
    /// A set of cells.
    Cells,
    /// Groups: a set of cells, seen as its joined parts.
    Groups,
    /// Cells in a row: a start, a direction and a length.
    Run,
    /// A direction, or none.
    Direction,
    /// A set of directions.
    Directions,
    /// A player.
    Player,
    /// A piece kind.
    Kind,
}

impl VarType {
    /// The word a designer knows it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            VarType::Number => "number",
            VarType::Truth => "truth",
            VarType::Cell => "cell",
            VarType::Cells => "cells",
            VarType::Groups => "groups",
            VarType::Run => "run of cells",
            VarType::Direction => "direction",
            VarType::Directions => "directions",
            VarType::Player => "player",
            VarType::Kind => "piece kind",
        }
    }

    /// Words of memory, when a cell set has `words`.
    #[must_use]
    pub fn words(self, words: usize) -> usize {
        match self {
            VarType::Cells | VarType::Groups => words,
            VarType::Number
            | VarType::Truth
            | VarType::Cell
            | VarType::Run
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind => 1,
        }
    }
}

/// What there is one value for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// The game.
    Game,
    /// Each player.
    Player,
    /// Each cell.
    Cell,
}

/// How long a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// The whole game.
    Game,
    /// Back to its beginning with every turn.
    Turn,
    /// Bound in a rule.
    Local,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in position lines and dumps; unique.
    pub name: String,
    /// What it holds.
    pub ty: VarType,
    /// How long it lives.
    pub life: Life,
    /// One for the game, or for each player or cell.
    pub per: Per,
    /// Whether the repetition of positions looks at it.
    pub compared: bool,
    /// Whether its cells travel with the pieces on them.
    pub travels: bool,
    /// A local that lives from one action of a turn to the next.
    pub carried: bool,
    /// The first value, as words of memory.
    pub initial: Vec<u64>,
    /// First word in memory.
    pub offset: usize,
    /// Words of one value.
    pub stride: usize,
    /// How many values.
    pub count: usize,
}

impl Var {
    /// Whether it is part of the state.
    #[must_use]
    pub fn in_state(&self) -> bool {
        self.life != Life::Local || self.carried
    }
}
