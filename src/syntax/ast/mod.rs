//! The syntax tree: what was written and where, every name still a text. Nothing is resolved or checked here.
#![allow(
    missing_docs,
    reason = "the fields of a variant are shown by the source text above it"
)]

mod desk;

pub use desk::{
    Example, ExampleKind, ExampleLine, ExampleOutcome, ExampleResult, Place, Target, TargetKind,
};

use crate::base::Span;
use serde::Serialize;

/// The name that stands in the tree for an expression that could not be read; no file can write it.
pub const UNREADABLE: &str = "??";

/// A text with its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Name {
    /// As written, without quotes.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Default)]
pub struct File {
    /// The items in the order of the text.
    pub items: Vec<Item>,
    /// What a variant has taken out of its base, by name, with the places where it says so.
    #[serde(skip)]
    pub removed: Vec<Name>,
}

/// One item with its place and the `///` text above it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// The place, without the text above.
    pub span: Span,
    /// The first byte of the comments above.
    #[serde(skip)]
    pub lead: u32,
    /// The `///` lines, joined by line ends.
    pub doc: String,
    /// Whether `replace` stands before it.
    pub replaces: bool,
    /// What it is.
    pub kind: ItemKind,
}

/// The items of the language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ItemKind {
    /// `game "Name", by "…", 1986, from "…"`
    Game {
        title: Name,
        author: Option<Name>,
        year: Option<u32>,
        source: Option<Name>,
    },
    /// `option size = 9 in 3..25 by 2 "…"`
    Option(OptionItem),
    /// `require columns mod 4 = 3 "…"`
    Require { test: Expr, reason: Name },
    /// `players White facing north, Black facing south`
    Players(Vec<Player>),
    /// `board square(8, 8) without corners`
    Board(Board),
    /// `piece king, knight "n", token "#" neutral`
    Pieces(Vec<Kind>),
    /// `keep quiet = 0 each turn`
    Keep(Keep),
    /// `mark band, slain each turn`
    Mark {
        names: Vec<Name>,
        each_turn: bool,
        aside: bool,
    },
    /// `define home of p = …`
    Define {
        name: Name,
        params: Params,
        body: Expr,
    },
    /// `setup { … }`
    Setup(Block),
    /// `setup draw { … }`
    Drawing(Vec<Name>),
    /// `rule March "{first of phalanx}-{last of path}" { … }`
    Rule(Rule),
    /// `turn stepping while … { … }`
    Turn {
        name: Option<Name>,
        test: Option<Expr>,
        body: Block,
    },
    /// `end at start of turn { … }`
    End {
        moment: Moment,
        clauses: Vec<EndClause>,
    },
    /// `variant of "…"`
    Variant(Name),
    /// `remove rule Step`
    Remove(Target),
    /// `replace end "…" { … }`
    EndChange { name: Name, clauses: Vec<EndClause> },
    /// `example "…" with … { … }`
    Example(Example),
}

/// `option n = v in …`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionItem {
    /// What it is called.
    pub name: Name,
    /// The default, a number or a word, as written.
    pub value: Name,
    /// What it may be; nothing in a variant that gives another default.
    pub domain: Vec<Domain>,
    /// The step of its ranges.
    pub by: u32,
    /// `when shadow = on`: else it cannot be set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Expr>,
    /// A text for people.
    pub text: Option<Name>,
}

/// A part of what an option may be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Domain {
    /// `4..26`
    Range(i64, i64),
    /// `banned`
    Word(String),
}

/// One player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Player {
    /// `White`
    pub name: Name,
    /// `facing north`
    pub facing: Option<Name>,
}

/// `board …`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Board {
    /// The shape.
    pub shape: Shape,
    /// The clauses behind it.
    pub clauses: Vec<BoardClause>,
}

/// A board's shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Shape {
    /// `square(14, 12)`
    Named { name: Name, args: Vec<Argument> },
    /// `graph { line a b c … }`
    Graph {
        lines: Vec<GraphLine>,
        cells: Vec<Name>,
    },
}

/// `line (east, west) a b c`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphLine {
    /// The names of its directions: none, one (one way) or two.
    pub ways: Vec<Name>,
    /// Its cells.
    pub cells: Vec<Name>,
}

/// What a board's line says besides the shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum BoardClause {
    /// `only dark`
    Only(Expr),
    /// `without corners`
    Without(Expr),
    /// `joined diagonal`
    Joined(Expr),
    /// `wrapping columns`
    Wrapping(Name),
    /// `stacking`
    Stacking(Span),
}

/// A piece kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kind {
    /// `knight`
    pub name: Name,
    /// `"n"`
    pub letter: Option<Name>,
    /// `neutral`
    pub neutral: bool,
}

/// `keep v of each player = e each turn aside`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Keep {
    /// What it is called.
    pub name: Name,
    /// One value, or one for each player or cell.
    pub per: Per,
    /// Where it begins.
    pub initial: Expr,
    /// Back to the beginning with every turn.
    pub each_turn: bool,
    /// `compared` or `aside`, when said.
    pub compared: Option<bool>,
}

/// What there is one value for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Per {
    /// The game.
    Game,
    /// `of each player`
    Player,
    /// `of each cell`
    Cell,
}

/// What stands behind a definition's name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Params {
    /// Nothing.
    None,
    /// `of p`, `(a, b)`
    Names(Vec<Name>),
    /// `of White`: this definition is for that player.
    Case(Name),
}

/// `rule N(a, b) "…" { … }`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// `March`
    pub name: Name,
    /// Its values.
    pub params: Vec<Name>,
    /// What is written when it is played.
    pub notation: Option<Notation>,
    /// The program.
    pub body: Block,
}

/// A notation: texts and holes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Notation {
    /// The quoted text.
    pub span: Span,
    /// Its parts in order.
    pub parts: Vec<NotationPart>,
}

/// A part of a notation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum NotationPart {
    /// Plain text.
    Text(String),
    /// `{spot}`
    Hole(Expr),
    /// `{-x}`: the second sign if the action captures, else the first.
    Capture(String, String),
}

/// When an end is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Moment {
    /// Before the player to move acts; `me` is that player.
    StartOfTurn,
    /// When a turn is complete; `me` is the player who made it.
    AfterTurn,
    /// After every action; `me` is the player who made it.
    AfterAction,
}

/// `win "joined" when …`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndClause {
    /// Place of the whole clause.
    pub span: Span,
    /// What it gives.
    pub result: EndResult,
    /// Its name in records.
    pub name: Option<Name>,
    /// When.
    pub test: Expr,
}

/// What an end gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum EndResult {
    /// `me` wins.
    Win,
    /// `me` loses.
    Lose,
    /// Nobody wins.
    Draw,
    /// The player with the highest value of that definition wins.
    Score(Name),
}

/// Statements between braces.
#[derive(Clone, Debug, PartialEq, Serialize, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StatementKind,
}

/// The statements of the language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StatementKind {
    /// `choose x in S where e`
    Choose {
        name: Name,
        from: Choices,
        filter: Option<Expr>,
    },
    /// `let x = e`
    Let { name: Name, value: Expr },
    /// `require e "why not"`
    Require { test: Expr, reason: Option<Name> },
    /// `set v = e`
    Set { target: Expr, value: Expr },
    /// `if e { … } else if … else { … }`
    If {
        cases: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    /// `for each x in S where e { … }`
    ForEach {
        name: Name,
        from: Expr,
        filter: Option<Expr>,
        body: Block,
    },
    /// `for each x in S where e, in any order or until "done" { … }`
    AnyOrder {
        name: Name,
        from: Expr,
        filter: Option<Expr>,
        until: Option<Name>,
        body: Block,
    },
    /// `repeat 1 to n times P or until "stop"`
    Repeat {
        rounds: Rounds,
        body: Block,
        until: Option<Name>,
    },
    /// `A or B preferring most e otherwise C`
    Play(Vec<Attempt>),
    /// `place stone at home times 2`
    Effect {
        verb: Name,
        object: Option<Expr>,
        phrases: Vec<(Name, Expr)>,
    },
}

/// What is chosen from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Choices {
    /// `in own`
    Set(Expr),
    /// `in 1..6`
    Range(Expr, Expr),
    /// `in queen, rook`
    List(Vec<Name>),
}

/// How often something is repeated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Rounds {
    /// As long as possible.
    Possible,
    /// `while e`
    While(Expr),
    /// `3 times`, `1 to n times`, `at most n times`
    Times { least: Option<Expr>, most: Expr },
}

/// One of the tries of a play: alternatives with what goes for all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Where.
    pub span: Span,
    /// Joined by `or`.
    pub alternatives: Vec<Alternative>,
    /// `if possible`
    pub if_possible: bool,
    /// `preferring most e`, `preferring least e`
    pub preferring: Option<(Extreme, Expr)>,
}

/// The most or the least of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Extreme {
    /// The greatest.
    Most,
    /// The smallest.
    Least,
}

/// What can stand between two `or`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Alternative {
    /// `{ … }`
    Block(Block),
    /// `line […]`
    Line(Line),
    /// `trail { … }`
    Trail(Box<Trail>),
    /// `pass`
    Pass(Span),
    /// `Settle(spot)`
    Rule { name: Name, args: Vec<Argument> },
}

/// `line D as d [ … ]`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Where.
    pub span: Span,
    /// The directions, all of the board when none are said.
    pub ways: Option<Expr>,
    /// The name of the direction taken.
    pub way: Option<Name>,
    /// The squares of the picture.
    pub squares: Vec<Square>,
}

impl Line {
    /// The names that it binds.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.way
            .iter()
            .chain(self.squares.iter().filter_map(|s| s.name.as_ref()))
    }
}

/// One square of a picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Square {
    /// Where.
    pub span: Span,
    /// `edge`: no cell follows.
    pub edge: bool,
    /// `whole`: the run could not be longer.
    pub whole: bool,
    /// How many cells; one when none is said.
    pub count: Option<Count>,
    /// Which cells; nothing for `edge`.
    pub class: Option<Expr>,
    /// What they are called.
    pub name: Option<Name>,
}

/// A count of a picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Count {
    /// `n`, `3`, `n-1`, `(e)`
    Exactly(Expr),
    /// `1..n`, `0..`
    Range(Expr, Option<Expr>),
}

/// `trail { … }`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trail {
    /// Where.
    pub span: Span,
    /// `start S as a`
    pub start: Option<(Expr, Option<Name>)>,
    /// `step …`
    pub steps: Vec<TrailStep>,
    /// `between S`
    pub between: Option<Expr>,
    /// `finish S as z`
    pub finish: Option<(Expr, Option<Name>)>,
    /// `never back, straight, twice`
    pub never: Vec<Name>,
    /// `length …`
    pub length: Option<TrailLength>,
}

/// One kind of step of a trail.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrailStep {
    /// Its directions, name of the direction, and picture from `here` to `next`.
    pub line: Line,
    /// What is written at each step.
    pub notation: Option<Notation>,
    /// What happens at each step.
    pub body: Option<Block>,
}

/// How long a trail is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TrailLength {
    /// As long as a step can be made.
    Full,
    /// `n steps`, `1..3 steps`, `need.. cells`; the flag tells cells from steps.
    Range {
        least: Expr,
        most: Bound,
        cells: bool,
    },
}

/// The upper end of a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Bound {
    /// The same as the lower end.
    Same,
    /// None.
    Open,
    /// That.
    At(Expr),
}

/// A value given to a word or rule: an expression, or a range `1..3`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Argument {
    /// The value, or the start of the range.
    pub value: Expr,
    /// The end of the range.
    pub to: Option<Expr>,
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expr {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: ExprKind,
}

/// The expressions of the language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ExprKind {
    /// `12`
    Number(i64),
    /// `"text"`
    Text(String),
    /// `own`, `White`
    Name(String),
    /// `f of x`, `f(x, y)`
    Call { name: Name, args: Vec<Argument> },
    /// `own king`: all of these at once.
    Together(Vec<Expr>),
    /// `a or b`
    Infix {
        op: Infix,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `not a`
    Prefix { op: Prefix, value: Box<Expr> },
    /// `S where e`
    Where { set: Box<Expr>, test: Box<Expr> },
    /// `S with most e`
    With {
        set: Box<Expr>,
        extreme: Extreme,
        key: Box<Expr>,
    },
    /// `if a then b else c`
    If {
        test: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    /// `S seen by p`
    Seen { set: Box<Expr>, player: Box<Expr> },
    /// `some line […]`, as the operand of a quantifier
    Line(Box<Line>),
    /// `some trail {…}`, as the operand of a quantifier
    Trail(Box<Trail>),
    /// `x from line […]`
    From { name: Name, line: Box<Line> },
    /// `p can R`
    Can {
        player: Option<Box<Expr>>,
        rule: Name,
    },
}

/// Words and signs between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub enum Infix {
    Or,
    And,
    Except,
    In,
    NotIn,
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Infix {
    /// As it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Infix::Or => "or",
            Infix::And => "and",
            Infix::Except => "except",
            Infix::In => "in",
            Infix::NotIn => "not in",
            Infix::Equal => "=",
            Infix::NotEqual => "!=",
            Infix::Less => "<",
            Infix::AtMost => "<=",
            Infix::More => ">",
            Infix::AtLeast => ">=",
            Infix::Add => "+",
            Infix::Subtract => "-",
            Infix::Multiply => "*",
            Infix::Divide => "/",
            Infix::Remainder => "mod",
        }
    }
}

/// Words and signs before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub enum Prefix {
    Not,
    Some,
    No,
    All,
    Minus,
}

impl Prefix {
    /// As it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Prefix::Not => "not",
            Prefix::Some => "some",
            Prefix::No => "no",
            Prefix::All => "all",
            Prefix::Minus => "-",
        }
    }
}
