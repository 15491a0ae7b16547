//! Kernel code: structured statements over words and sets of cells, one function a question. No choice is left in it: where
//! the program branches, a kernel loops. Nothing is taken back, but for what is stored with a log.

use std::slice::from_ref;

/// A word of a function: 64 bits. Given a value before it is read, on every way; it may be given another later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct W(pub u32);

/// A set of cells of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct S(pub u32);

/// A function's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncId(pub u32);

/// A fixed set's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetId(pub u32);

/// The number of a table of words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(pub u32);

/// The number of a table of sets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RowsId(pub u32);

/// The number of a shift.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShiftId(pub u32);

/// A block that can be left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(pub u32);

/// Statements in order.
pub type Body = Vec<Stmt>;

/// A place in memory: a word, or the first word of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The first word.
    pub base: u32,
    /// So many times that many words further.
    pub index: Option<(W, u32)>,
}

impl Place {
    /// A place that is always the same.
    #[must_use]
    pub fn plain(base: u32) -> Place {
        Place { base, index: None }
    }
}

/// What is done with two words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bin {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Sub,
    /// Product, wrapping.
    Mul,
    /// Bits in both.
    And,
    /// Bits in either.
    Or,
    /// Bits in one only.
    Xor,
    /// To the left; the distance is below 64.
    Shl,
    /// To the right, filled with 0; the distance is below 64.
    Shr,
    /// 1 when equal, else 0.
    Equal,
    /// 1 when they differ, else 0.
    Differ,
    /// 1 when the first is less as a signed number, else 0.
    Less,
    /// 1 when the first is at most the second as signed numbers, else 0.
    AtMost,
    /// Sum of signed numbers, no further than they reach.
    SumWithin,
    /// Difference of signed numbers, no further than they reach.
    DifferenceWithin,
    /// Product of signed numbers, no further than they reach.
    ProductWithin,
    /// Quotient of signed numbers, towards zero; 0 where there is none.
    Quotient,
    /// Remainder of signed numbers, never negative; 0 where there is none.
    Remainder,
    /// The smaller signed number.
    Smaller,
    /// The larger signed number.
    Larger,
    /// The upper half of the product of numbers without signs.
    High,
}

impl Bin {
    /// Whether both orders of the words give the same.
    #[must_use]
    pub fn commutes(self) -> bool {
        match self {
            Bin::Add
            | Bin::Mul
            | Bin::And
            | Bin::Or
            | Bin::Xor
            | Bin::Equal
            | Bin::Differ
            | Bin::SumWithin
            | Bin::ProductWithin
            | Bin::Smaller
            | Bin::Larger
            | Bin::High => true,
            Bin::Sub
            | Bin::Shl
            | Bin::Shr
            | Bin::Less
            | Bin::AtMost
            | Bin::DifferenceWithin
            | Bin::Quotient
            | Bin::Remainder => false,
        }
    }
}

/// A word computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Word {
    /// A fixed word.
    Const(u64),
    /// Another.
    Copy(W),
    /// Of two.
    Bin(Bin, W, W),
    /// The second when the first is not 0, else the third.
    Select(W, W, W),
    /// From memory.
    Load(Place),
    /// An entry of a table; the index is in range.
    Table(TableId, W),
    /// A byte of a table, eight in each entry, the lowest first; the index is in range.
    Byte(TableId, W),
    /// How many cells.
    Count(S),
    /// The lowest cell; the set has one.
    First(S),
    /// The highest cell; the set has one.
    Last(S),
    /// The cell that has so many below it in the set; the set has more than that.
    Nth(S, W),
    /// 1 when there are cells, else 0.
    Some(S),
    /// 1 when the cell is in the set, else 0; the cell is one of the board.
    Has(S, W),
    /// 1 when every cell of the first is in the second, else 0.
    Within(S, S),
    /// 1 when they have a cell in common, else 0.
    Meet(S, S),
    /// 1 when they are the same, else 0.
    Same(S, S),
    /// Zeros above the highest bit that is set; 64 for 0.
    Leading(W),
    /// The mixing function of the hashes.
    Mix(W),
    /// The hash of a pile on a cell: cell, pile.
    PileKey(W, W),
    /// How often a repetition key is in the past.
    Repeated(W),
    /// 1 when an arrangement's key is in the past, else 0.
    Seen(W),
}

/// A set computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Set {
    /// A fixed set.
    Const(SetId),
    /// Another.
    Copy(S),
    /// From memory.
    Load(Place),
    /// Cells in both.
    And(S, S),
    /// Cells in either.
    Or(S, S),
    /// Cells in the first only.
    Without(S, S),
    /// Cells in one only.
    Xor(S, S),
    /// Of the first the cells up to the lowest of the second, with it; all when the second has none.
    UpTo(S, S),
    /// Of the first the cells down to the highest of the second, with it; all when the second has none.
    DownTo(S, S),
    /// One cell of the board.
    Single(W),
    /// With a cell of the board.
    With(S, W),
    /// Without a cell of the board.
    Less(S, W),
    /// An entry of a table of sets; the index is in range.
    Row(RowsId, W),
    /// Where the cells come to by a shift; cells that leave the board are lost.
    Shift(S, ShiftId),
    /// The cells next to any of these; these may be among them.
    Around(S),
    /// The joined part of the set that holds a cell; nothing when the cell is not in it.
    Part(S, W),
    /// Each cell replaced by the table's entry.
    Mapped(S, TableId),
    /// The first when the word is not 0, else the second.
    Select(W, S, S),
}

/// A parameter or an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A word.
    Word(W),
    /// A set.
    Set(S),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// A word gets a value.
    Let(W, Word),
    /// A set gets a value.
    LetSet(S, Set),
    /// A word is stored.
    Store(Place, W),
    /// A set is stored.
    StoreSet(Place, S),
    /// A word is stored, and what was there is logged.
    StoreLogged(Place, W),
    /// The length of the log.
    Mark(W),
    /// Takes back what was logged since.
    Undo(W),
    /// The first statements when the word is not 0, else the others.
    If(W, Body, Body),
    /// The statements of that number; none when there is no such number.
    Switch(W, Vec<Body>),
    /// Once for every cell of the set as it is at the beginning, ascending.
    ForCells(W, S, Body),
    /// Once for every bit of the word as it is at the beginning, ascending: the bit's number.
    ForBits(W, W, Body),
    /// Once for every number from the second word to the third, signed.
    ForNumbers(W, W, W, Body),
    /// Again and again, until the block is left.
    Loop(Label, Body),
    /// Once; the block can be left.
    Block(Label, Body),
    /// Goes on behind a block around this.
    Leave(Label),
    /// Runs a function; its result in a word. Gives up when too many were run, or too many are open of those that are counted.
    Call(FuncId, Vec<Value>, Option<W>),
    /// Ends the function; behind its last statement it ends with 0.
    Return(W),
    /// Takes down an action: the first words of the path, so many.
    Leaf(W),
    /// Takes down an action for each cell of the set: the path, so many words, and the cell. What of a cell stands behind the path is
    /// told by the family: counted from 1 in family 0, and in others what [`Kernel::game`](super::Kernel::game) makes of it.
    Leaves(W, S, u32),
    /// Adds to the tally.
    Tally(W),
    /// Adds keys to the past: of what repetition compares, and of the pieces.
    Note(W, W),
    /// Gives up, for a reason; ends the function with 1.
    Fault(Fault),
}

/// The bodies that stand inside a statement, one after the other.
#[derive(Clone, Debug)]
pub struct Bodies<'s> {
    first: Option<&'s Body>,
    rest: std::slice::Iter<'s, Body>,
}

impl Bodies<'_> {
    /// Whether there are none to come.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first.is_none() && self.rest.as_slice().is_empty()
    }
}

impl<'s> Iterator for Bodies<'s> {
    type Item = &'s Body;

    #[inline]
    fn next(&mut self) -> Option<&'s Body> {
        self.first.take().or_else(|| self.rest.next())
    }
}

impl Stmt {
    /// The statements that stand inside it.
    #[must_use]
    #[inline]
    pub fn bodies(&self) -> Bodies<'_> {
        let (first, rest) = match self {
            Stmt::If(_, yes, no) => (Some(yes), from_ref(no)),
            Stmt::Switch(_, bodies) => (None, bodies.as_slice()),
            Stmt::ForCells(_, _, body)
            | Stmt::ForBits(_, _, body)
            | Stmt::ForNumbers(_, _, _, body)
            | Stmt::Loop(_, body)
            | Stmt::Block(_, body) => (None, from_ref(body)),
            Stmt::Let(..)
            | Stmt::LetSet(..)
            | Stmt::Store(..)
            | Stmt::StoreSet(..)
            | Stmt::StoreLogged(..)
            | Stmt::Mark(_)
            | Stmt::Undo(_)
            | Stmt::Leave(_)
            | Stmt::Call(..)
            | Stmt::Return(_)
            | Stmt::Leaf(_)
            | Stmt::Leaves(..)
            | Stmt::Tally(_)
            | Stmt::Note(..)
            | Stmt::Fault(_) => (None, &[][..]),
        };
        Bodies {
            first,
            rest: rest.iter(),
        }
    }
}

/// Whether what follows statements may be come to.
#[must_use]
pub fn falls(body: &[Stmt]) -> bool {
    match body.last() {
        Some(Stmt::Return(_) | Stmt::Leave(_) | Stmt::Fault(_)) => false,
        Some(Stmt::If(_, yes, no)) => falls(yes) || falls(no),
        _ => true,
    }
}

/// Why a kernel gave up. The plain engine then answers instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// Too many calls, or too many open ones.
    Calls = 1,
    /// A pile is too high for a word.
    Pile = 2,
    /// There is no turn for the position.
    NoTurn = 3,
    /// More actions, or a longer log, than there is room for.
    Room = 4,
}

/// A function.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name in dumps.
    pub name: String,
    /// What it is given.
    pub params: Vec<Value>,
    /// How many words it has.
    pub words: u32,
    /// How many sets it has.
    pub sets: u32,
    /// What it does.
    pub body: Body,
}

/// A byte of a table, when it has so many.
#[must_use]
pub fn byte_of(table: &[u64], index: u64) -> Option<u64> {
    let word = table.get(usize::try_from(index / 8).ok()?)?;
    Some(word >> (index % 8 * 8) & 0xFF)
}
