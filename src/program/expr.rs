//! Typed expressions: one enum a type, so that no engine ever meets a value of the wrong one.
//! Each variant is documented by the source text that makes it.

#![allow(
    missing_docs,
    reason = "the fields of a variant are shown by the source text above it"
)]

use crate::board::{Cell, Cells as BoardCells, Direction, Directions};
use crate::program::{KindId, PlayerId, SubId, VarId};

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// A whole number.
#[derive(Clone, PartialEq, Debug)]
pub enum Num {
    /// `12`
    Const(i64),
    /// `quiet`, `n`
    Var(VarId),
    /// `score of me`
    OfPlayer(VarId, Box<PlayerExpr>),
    /// `age of c`
    OfCell(VarId, Box<CellExpr>),
    /// `a + b`
    Add(Box<Num>, Box<Num>),
    /// `a - b`
    Sub(Box<Num>, Box<Num>),
    /// `a * b`
    Mul(Box<Num>, Box<Num>),
    /// `a / b`, rounded towards zero; 0 when b is 0
    Div(Box<Num>, Box<Num>),
    /// `a mod b`, never negative; 0 when b is 0
    Mod(Box<Num>, Box<Num>),
    /// `count of own`
    Count(Box<Cells>),
    /// `count of groups of me`
    CountParts(Box<Cells>),
    /// `count of path`
    RunLength(VarId),
    /// `height of c`
    Height(Box<CellExpr>),
    /// `hand of p`
    Hand(Box<PlayerExpr>, Option<KindId>),
    /// `row of c`
    RowOf(Box<CellExpr>),
    /// `column of c`
    ColumnOf(Box<CellExpr>),
    /// `occurrences`
    Occurrences,
    /// `if e then a else b`
    If(Box<Truth>, Box<Num>, Box<Num>),
}

/// Yes or no.
#[derive(Clone, PartialEq, Debug)]
pub enum Truth {
    /// `yes`
    Const(bool),
    /// `landed`
    Var(VarId),
    /// `castled of me`
    OfPlayer(VarId, Box<PlayerExpr>),
    /// `not a`
    Not(Box<Truth>),
    /// `a and b`
    And(Box<Truth>, Box<Truth>),
    /// `a or b`
    Or(Box<Truth>, Box<Truth>),
    /// `a < b`
    Compare(Compare, Box<Num>, Box<Num>),
    /// `c = d`, both cells
    SameCell(Box<CellExpr>, Box<CellExpr>),
    /// `p = White`
    SamePlayer(Box<PlayerExpr>, Box<PlayerExpr>),
    /// `k = queen`
    SameKind(Box<KindExpr>, Box<KindExpr>),
    /// `d = e`, both directions
    SameDir(Box<DirExpr>, Box<DirExpr>),
    /// `A = B`, both sets
    SameCells(Box<Cells>, Box<Cells>),
    /// `c in S`
    Contains(Box<CellExpr>, Box<Cells>),
    /// `d in D`
    ContainsDir(Box<DirExpr>, Box<Dirs>),
    /// `some S`
    Some(Box<Cells>),
    /// `all A in B`
    Subset(Box<Cells>, Box<Cells>),
    /// `p can R`, `some line […]`, `stuck`: the subprogram can be run to its end, by that player when one is said
    Possible(Option<Box<PlayerExpr>>, SubId),
    /// `stuck`: no turn can be completed from here
    Stuck,
    /// `mirrored(sideways)`: the arrangement is its own image; the number of a mirror
    Mirrored(usize),
    /// `unseen`
    Unseen,
    /// `if e then a else b`
    If(Box<Truth>, Box<Truth>, Box<Truth>),
}

/// A cell, or nowhere.
#[derive(Clone, PartialEq, Debug)]
pub enum CellExpr {
    /// `a1`
    Const(Cell),
    /// `nowhere`
    Nowhere,
    /// `spot`
    Var(VarId),
    /// `first of S`
    First(Box<Cells>),
    /// `last of S`
    Last(Box<Cells>),
    /// `first of path`
    RunFirst(VarId),
    /// `last of path`
    RunLast(VarId),
    /// `step(c, d)`
    Step(Box<CellExpr>, Box<DirExpr>),
    /// `if e then c else d`
    If(Box<Truth>, Box<CellExpr>, Box<CellExpr>),
}

/// A set of cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Cells {
    /// `corners`
    Const(Box<BoardCells>),
    /// `band`
    Var(VarId),
    /// `lands of me`: a set kept for each player
    OfPlayer(VarId, Box<PlayerExpr>),
    /// the cells of a run, `path`
    Run(VarId),
    /// the set of one cell, or none
    Single(Box<CellExpr>),
    /// `own`
    Owned(Box<PlayerExpr>),
    /// `king`
    Kind(KindExpr),
    /// `occupied`
    Occupied,
    /// `empty`
    Empty,
    /// `a or b`
    Or(Box<Cells>, Box<Cells>),
    /// `a and b`, `a in b`, `a b`
    And(Box<Cells>, Box<Cells>),
    /// `a except b`
    Without(Box<Cells>, Box<Cells>),
    /// `adjacent of S`
    Adjacent(Box<Cells>),
    /// `adjacent(S, D)`
    AdjacentAlong(Box<Cells>, Box<Dirs>),
    /// `axis(c, D)`
    Axis(Box<CellExpr>, Box<Dirs>),
    /// `group of c`
    GroupOf(Box<CellExpr>),
    /// the joined part of a set that holds a cell
    PartAt(Box<Cells>, Box<CellExpr>),
    /// `home of p`: a fixed set for each player
    ByPlayer(Vec<BoardCells>, Box<PlayerExpr>),
    /// `S seen by p`
    Seen(Box<Cells>, Box<PlayerExpr>),
    /// `S where e`: the variable is `it`
    Where(Box<Cells>, VarId, Box<Truth>),
    /// `S with most e`
    With {
        set: Box<Cells>,
        it: VarId,
        most: bool,
        key: Box<Num>,
    },
    /// `groups of me where e`
    PartsWhere(Box<Cells>, VarId, Box<Truth>),
    /// `groups of me with most e`
    PartsWith {
        set: Box<Cells>,
        it: VarId,
        most: bool,
        key: Box<Num>,
    },
    /// `x from line […]`: the union of x over all matches of the subprogram
    Gather(VarId, SubId),
    /// The smallest set that has all of `seed` and, when the variable is that set, all of `more`, which only grows with it.
    Closure {
        seed: Box<Cells>,
        set: VarId,
        more: Box<Cells>,
    },
    /// `if e then a else b`
    If(Box<Truth>, Box<Cells>, Box<Cells>),
}

/// A direction, or none.
#[derive(Clone, PartialEq, Debug)]
pub enum DirExpr {
    /// `north`
    Const(Direction),
    /// `way`
    Var(VarId),
    /// `opposite of way`
    Opposite(Box<DirExpr>),
}

/// A set of directions.
#[derive(Clone, PartialEq, Debug)]
pub enum Dirs {
    /// `diagonal`
    Const(Directions),
    /// a kept set
    Var(VarId),
    /// the set of one direction, or none
    Single(DirExpr),
    /// `forward`
    ByPlayer(Vec<Directions>, Box<PlayerExpr>),
    /// `a or b`
    Or(Box<Dirs>, Box<Dirs>),
    /// `a and b`
    And(Box<Dirs>, Box<Dirs>),
    /// `a except b`
    Without(Box<Dirs>, Box<Dirs>),
    /// `if e then a else b`
    If(Box<Truth>, Box<Dirs>, Box<Dirs>),
}

/// A player.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerExpr {
    /// `me`
    Me,
    /// `White`
    Const(PlayerId),
    /// `p`
    Var(VarId),
    /// `them`, `next of p`: the one after that player
    Next(Box<PlayerExpr>),
    /// `owner of c`: nobody when the cell is empty or neutral
    Owner(Box<CellExpr>),
}

/// A piece kind.
#[derive(Clone, PartialEq, Debug)]
pub enum KindExpr {
    /// `queen`
    Const(KindId),
    /// `officer`
    Var(VarId),
}

/// A value of any type.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A number.
    Num(Num),
    /// Yes or no.
    Truth(Truth),
    /// A cell.
    Cell(CellExpr),
    /// A set of cells.
    Cells(Cells),
    /// A set of cells, seen as its joined parts.
    Groups(Cells),
    /// The run a variable holds.
    Run(VarId),
    /// A direction.
    Dir(DirExpr),
    /// A set of directions.
    Dirs(Dirs),
    /// A player.
    Player(PlayerExpr),
    /// A piece kind.
    Kind(KindExpr),
}
