//! Instructions: a flat list, run from a program counter. Choices branch; a failed requirement ends the branch;
//! everything else goes on with the next instruction.

use crate::base::Span;
use crate::program::{
    CellExpr, Cells, Dirs, KindExpr, KindId, Num, PlayerExpr, Truth, Value, VarId,
};
use std::sync::Arc;

/// An instruction's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pc(pub u32);

/// No instruction.
pub const NO_PC: Pc = Pc(u32::MAX);

/// A subprogram's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SubId(pub u32);

/// A picture's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PictureId(pub u32);

/// A notation's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TemplateId(pub u32);

/// A requirement's text's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReasonId(pub u32);

/// A decision point's number; 0 is the start of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointId(pub u32);

/// What a choice is made from.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// The cells of a set.
    Cells(Cells),
    /// The joined parts of a set.
    Parts(Cells),
    /// The numbers from one to another.
    Numbers(Num, Num),
    /// Some piece kinds.
    Kinds(Vec<KindId>),
    /// The directions of a set.
    Dirs(Dirs),
}

/// What a loop goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Members {
    /// The cells of a set.
    Cells,
    /// The joined parts of a set.
    Parts,
    /// The players, by number.
    Players,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// The branch ends unless the test holds.
    Require(Truth, ReasonId),
    /// Gives a variable a value.
    Let(VarId, Value),
    /// Gives a variable the value nothing.
    Clear(VarId),
    /// Gives one of a variable's values, for a player, a value.
    LetOfPlayer(VarId, PlayerExpr, Value),
    /// Gives one of a variable's values, for a cell, a value.
    LetOfCell(VarId, CellExpr, Value),
    /// Branches over the members.
    Choose(VarId, Domain),
    /// Branches over the matches of a picture.
    Line(PictureId),
    /// Branches over instructions.
    Branch(Vec<Pc>),
    /// Goes on elsewhere.
    Jump(Pc),
    /// Goes on elsewhere unless the test holds.
    JumpUnless(Truth, Pc),
    /// Takes the next member out of `rest` into `var`; goes on at `exit` when there is none.
    Each {
        /// The member.
        var: VarId,
        /// Those still to come.
        rest: VarId,
        /// What they are.
        members: Members,
        /// Where to go on behind the loop.
        exit: Pc,
    },
    /// Changes the position.
    Effect(Effect),
    /// Finds the most (or least) of a number over all runs of a subprogram; the branch ends when it cannot be run.
    Best {
        /// The subprogram.
        sub: SubId,
        /// The number, at the end of each run.
        key: Num,
        /// Most or least.
        most: bool,
        /// Where it is kept.
        into: VarId,
    },
    /// Leaves room in the action's text.
    Open(TemplateId),
    /// Fills that room.
    Close(TemplateId),
    /// Something written by the turn is complete: an action ends.
    ActionDone,
    /// A place where the player chooses how to go on.
    Point(PointId),
    /// The subprogram has been run to its end.
    Succeed,
    /// The turn is complete.
    EndTurn,
}

/// A change of the position. One that cannot be done ends the branch.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// `place stone of p at S times n`
    Place {
        /// What.
        kind: KindExpr,
        /// Whose; nobody's for neutral kinds.
        owner: Option<PlayerExpr>,
        /// Where, on each cell.
        at: Cells,
        /// How many on each.
        times: Num,
    },
    /// `enter man at c times n`: from the mover's hand
    Enter {
        /// What.
        kind: KindExpr,
        /// Where.
        at: Cells,
        /// How many.
        times: Num,
    },
    /// `deal man to p times n`
    Deal {
        /// What.
        kind: KindExpr,
        /// To whom.
        to: PlayerExpr,
        /// How many.
        times: Num,
    },
    /// `move c to d`
    Move(CellExpr, CellExpr),
    /// `advance phalanx by n`
    Advance(VarId, Num),
    /// `capture S`
    Capture(Cells),
    /// `capture top of c`, `capture top of c under d`
    CaptureTop(CellExpr, Option<CellExpr>),
    /// `remove S`
    Remove(Cells),
    /// `flip S`
    Flip(Cells),
    /// `promote c to k`
    Promote(CellExpr, KindExpr),
    /// `lift c`
    Lift(CellExpr),
    /// `drop at c`
    Drop(CellExpr),
    /// `mark S as v`
    Mark(VarId, Cells),
    /// `unmark S as v`
    Unmark(VarId, Cells),
    /// `again`
    Again,
    /// `exchange seats`
    ExchangeSeats,
    /// `pass`
    Pass,
}

/// How many cells a square of a picture stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Count {
    /// One.
    One,
    /// A new letter: one or more, bound to the variable.
    New(VarId),
    /// From one number to another, or without end.
    Between(Num, Option<Num>),
}

/// A square of a picture.
#[derive(Clone, PartialEq, Debug)]
pub enum Square {
    /// No cell follows.
    Edge,
    /// Cells of a class.
    Cells {
        /// Which cells.
        class: Cells,
        /// Whether the class stays the same while the picture is matched.
        fixed: bool,
        /// How many.
        count: Count,
        /// Whether the run could not be longer at either end.
        whole: bool,
        /// Cell or run that it is bound to.
        bind: Option<VarId>,
    },
}

/// A picture along a line.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The directions it is looked for along.
    pub ways: Dirs,
    /// The direction taken.
    pub way: Option<VarId>,
    /// Its squares in order.
    pub squares: Vec<Square>,
}

/// A part of a notation.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// Plain text.
    Text(String),
    /// A value.
    Hole(Value),
    /// The first text when the action captures nothing, else the second.
    Capture(String, String),
}

/// A notation.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// The name of the rule or step.
    pub name: String,
    /// Its parts.
    pub parts: Vec<Part>,
    /// The variable that remembers where in the action's text it belongs.
    pub mark: VarId,
    /// Its place in the source text.
    pub span: Span,
}

/// A requirement's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The text; empty when none is given.
    pub text: String,
    /// The requirement's place.
    pub span: Span,
}

/// A decision point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Its name in position lines.
    pub name: String,
    /// Where to go on.
    pub pc: Pc,
    /// The locals that are carried here.
    pub carried: Vec<VarId>,
}

/// A turn with its condition.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnEntry {
    /// Its name.
    pub name: String,
    /// When it is played; always when there is none.
    pub test: Option<Truth>,
    /// Where it begins.
    pub pc: Pc,
}

/// When an end is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// Before the player to move acts; `me` is that player.
    StartOfTurn,
    /// When a turn is complete; `me` is the player who made it.
    AfterTurn,
    /// After every action; `me` is the player who made it.
    AfterAction,
}

/// What an end gives.
#[derive(Clone, PartialEq, Debug)]
pub enum EndResult {
    /// `me` wins.
    Win,
    /// `me` loses.
    Lose,
    /// Nobody wins.
    Draw,
    /// The highest number wins: one for each player.
    Score(Vec<Num>),
}

/// An end clause.
#[derive(Clone, PartialEq, Debug)]
pub struct End {
    /// When it is looked at.
    pub moment: Moment,
    /// Its name.
    pub name: Arc<str>,
    /// What it gives.
    pub result: EndResult,
    /// When.
    pub test: Truth,
    /// Its place in the source text.
    pub span: Span,
}
