//! Syntax tree into meaning: names resolved, options applied, types checked, the board built, definitions and rules put in
//! the places where they are used. In: a syntax tree and option settings. Out: a game, or what is wrong with it. How a game
//! is run is not known here.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::result_large_err,
    reason = "a form asks for the few shapes it can use; every other shape gets one and the same complaint"
)]

mod attempts;
mod boards;
mod conditions;
mod convert;
mod declare;
mod definitions;
mod dump;
mod effects;
mod ends;
mod expressions;
mod filters;
mod kinds_apart;
mod lints;
mod loops;
mod names;
mod no_verb;
mod notations;
mod operators;
mod options;
mod pictures;
mod reach;
mod regions;
mod resolver;
mod rules;
mod setup;
mod sought;
mod statements;
mod taken;
mod together;
mod trails;
mod unplayed;
pub mod words;
mod written;

pub use dump::dump;
pub use written::source_of;

use crate::base::Diagnostics;
use crate::base::Span;
use crate::board::{Board, Cell};
use crate::program::{
    About, CellExpr, Domain, Effect, End, KindInfo, Members, Num, OptionValue, Picture, PlayerExpr,
    PlayerInfo, Reason, ReasonId, Region, SubId, System, Template, TemplateId, Truth, Value, Var,
    VarId,
};
use crate::syntax::ast::File;

/// A game with every name resolved.
#[derive(Clone, Debug)]
pub struct Game {
    /// Title and the like.
    pub about: About,
    /// The options with the values in force.
    pub options: Vec<OptionValue>,
    /// The board.
    pub board: Board,
    /// Whether a cell may hold a stack.
    pub stacking: bool,
    /// The players in order of play.
    pub players: Vec<PlayerInfo>,
    /// The piece kinds.
    pub kinds: Vec<KindInfo>,
    /// Whether players have hands.
    pub hands: bool,
    /// All variables; their places in memory are not known yet.
    pub vars: Vec<Var>,
    /// Those that the engine keeps.
    pub system: System,
    /// All blocks; the number of a subprogram is that of its block.
    pub blocks: Vec<Block>,
    /// The setup.
    pub setup: SubId,
    /// The turns.
    pub turns: Vec<Turn>,
    /// The ends.
    pub ends: Vec<End>,
    /// The notations.
    pub templates: Vec<Template>,
    /// The texts of requirements.
    pub reasons: Vec<Reason>,
    /// Mirror images used by the rules.
    pub mirrors: Vec<Vec<Cell>>,
    /// For each player the view of the board; empty for one who sees it as written.
    pub views: Vec<Vec<Cell>>,
    /// Whether the rules look at earlier positions.
    pub looks_back: bool,
    /// The regions that are played by, for drawing.
    pub regions: Vec<Region>,
    /// The names of the rules, for printing.
    pub rules: Vec<String>,
}

/// A turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Its name.
    pub name: String,
    /// When it is played; always when there is none.
    pub test: Option<Truth>,
    /// Its program.
    pub body: SubId,
}

/// Steps with the places they come from.
pub type Block = Vec<(Span, Step)>;

/// A step of a rule or turn. Everything that the language offers is said with these.
#[derive(Clone, Debug)]
pub enum Step {
    /// Gives a variable a value.
    Let(VarId, Value),
    /// Gives one of a variable's values, for a player, a value.
    LetOfPlayer(VarId, PlayerExpr, Value),
    /// Gives one of a variable's values, for a cell, a value.
    LetOfCell(VarId, CellExpr, Value),
    /// Gives a variable the value nothing.
    Clear(VarId),
    /// Branches over members.
    Choose(VarId, Domain),
    /// Branches over the matches of a picture.
    Line(Box<Picture>),
    /// Ends the branch unless the test holds.
    Require(Truth, ReasonId),
    /// Changes the position.
    Effect(Effect),
    /// The first case that holds.
    If(Vec<(Truth, SubId)>, SubId),
    /// Branches over blocks.
    Either(Vec<SubId>),
    /// The first block that can be run; the branch ends when none can.
    Otherwise(Vec<SubId>),
    /// The block, if it can be run.
    IfPossible(SubId),
    /// Of all ways to run the block, those with the most (or least) of a number at their end.
    Preferring {
        /// The block.
        body: SubId,
        /// The number.
        key: Num,
        /// Most or least.
        most: bool,
        /// Holds the best number.
        into: VarId,
    },
    /// A block for every member.
    ForEach {
        /// The member.
        var: VarId,
        /// Those still to come.
        rest: VarId,
        /// What they are.
        members: Members,
        /// All of them.
        set: Value,
        /// The block.
        body: SubId,
    },
    /// A block for members in an order the player likes, as long as it can be run.
    AnyOrder {
        /// The member.
        var: VarId,
        /// Those still to come.
        rest: VarId,
        /// What they are.
        members: Members,
        /// All of them.
        set: Value,
        /// Chooses a member and runs the block: can it be done?
        round: SubId,
        /// The action that ends it.
        until: Option<TemplateId>,
    },
    /// A block again and again.
    Repeat(Box<Repeat>),
    /// A block with a text of its own.
    Written(TemplateId, SubId),
    /// A rule without a notation: it has this text only where the turn itself plays it.
    Unwritten(TemplateId, SubId),
    /// A block without a text, run here.
    Run(SubId),
}

/// A repetition.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// Goes on only while this holds.
    pub test: Option<Truth>,
    /// Rounds left, and how many at first.
    pub left: Option<(VarId, Num)>,
    /// Rounds that must still be made, and how many at first.
    pub due: Option<(VarId, Num)>,
    /// Whether it goes on, after the rounds that must be made, only as long as the block can be run.
    pub while_possible: bool,
    /// Whether it may be ended, after the rounds that must be made, without writing anything.
    pub may_stop: bool,
    /// The action that ends it.
    pub until: Option<TemplateId>,
    /// The block.
    pub body: SubId,
}

/// Resolves a file under some option settings, given as names and texts.
#[must_use]
pub fn resolve(file: &File, settings: &[(String, String)]) -> (Option<Game>, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let game = resolver::resolve(file, settings, &mut diagnostics);
    (game, diagnostics)
}
