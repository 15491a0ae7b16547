//! The part of the tree that is not about one game's rules: what a variant takes out of its base, and examples.
#![allow(
    missing_docs,
    reason = "the fields of a variant are shown by the source text above it"
)]

use crate::base::Span;
use crate::syntax::ast::Name;
use serde::Serialize;

/// What `remove` takes out of the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Target {
    /// The place of the whole.
    pub span: Span,
    /// What it is.
    pub kind: TargetKind,
}

/// The kinds of things that can be removed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TargetKind {
    /// `option size`
    Option(Name),
    /// `require "the text"`
    Require(Name),
    /// `piece token`
    Piece(Name),
    /// `keep quiet`
    Keep(Name),
    /// `mark band`
    Mark(Name),
    /// `define home`, `define home of White`
    Define { name: Name, of: Option<Name> },
    /// `setup`
    Setup,
    /// `rule Step`
    Rule(Name),
    /// `turn stepping`, `turn`
    Turn(Option<Name>),
    /// `end "blocked"`
    End(Name),
}

/// A test inside the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// What it shows.
    pub title: Name,
    /// `with size = 5, men = 3`
    pub settings: Vec<(Name, Name)>,
    /// Its lines, in order.
    pub lines: Vec<ExampleLine>,
}

/// A line of an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExampleLine {
    /// The place.
    pub span: Span,
    /// What it says.
    pub kind: ExampleKind,
}

/// What the lines of examples say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ExampleKind {
    /// `position "…"`: the game stands there
    Position(Place),
    /// `play a1-a2 b3-b4`
    Play(Vec<Name>),
    /// `legal a1-a2 b1`, `legal only a1-a2 b1`, `legal none`
    Legal { only: bool, actions: Vec<Name> },
    /// `illegal c3 d4 because "…"`
    Illegal {
        actions: Vec<Name>,
        because: Option<Name>,
    },
    /// `becomes "…"`: the game has come there
    Becomes(Place),
    /// `outcome White wins "crossed"`
    Outcome(ExampleOutcome),
}

/// A position, as a line or drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Place {
    /// `"3/3/3 w"`
    Line(Name),
    /// `{ . . s }` in rows from the top, perhaps with the rest of the line behind
    Drawn { rows: Name, rest: Option<Name> },
}

/// How the game should stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExampleOutcome {
    /// For whom.
    pub result: ExampleResult,
    /// By which end.
    pub by: Option<Name>,
    /// The scores, when they are said.
    pub scores: Vec<i64>,
}

/// For whom a game should have ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ExampleResult {
    /// `none`: it goes on
    None,
    /// `draw`
    Draw,
    /// `White wins`
    Wins(Name),
    /// `White loses`
    Loses(Name),
}
