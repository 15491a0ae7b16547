//! The flat code of one function: instructions whose operands are places in the function's windows and whose jumps are
//! positions. Made by `make`, run by `run`; data only.

use crate::program::kernel::Fault;

/// A place in a window of words or of sets.
pub type R = u16;

/// How many places a window has. Every operand is one of them, so that no access has to be checked.
pub const SPAN: usize = 1 << 16;

/// A function's words.
pub type Words = [u64; SPAN];

/// A function's sets.
pub type Sets<const N: usize> = [[u64; N]; SPAN];

/// A place as an index.
#[inline(always)]
#[must_use]
pub const fn ix(r: R) -> usize {
    r as usize
}

/// An instruction: what is done, and a number that it needs, a jump's target or a place in memory.
#[derive(Clone, Copy, Debug)]
pub struct Ins {
    /// What is done.
    pub op: Op,
    /// The target, the place in memory, or the number of a table.
    pub x: u32,
}

/// What an instruction does. What is written stands first. A name with `If` jumps when the condition holds.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A word from another.
    Copy(R, R),
    /// Of two words, as the kernel's operation of that name; and so for the following.
    Add(R, R, R),
    /// Difference.
    Sub(R, R, R),
    /// Product.
    Mul(R, R, R),
    /// Bits in both.
    And(R, R, R),
    /// Bits in either.
    Or(R, R, R),
    /// Bits in one.
    Xor(R, R, R),
    /// To the left.
    Shl(R, R, R),
    /// To the right.
    Shr(R, R, R),
    /// 1 when equal.
    Equal(R, R, R),
    /// 1 when they differ.
    Differ(R, R, R),
    /// 1 when less.
    Less(R, R, R),
    /// 1 when at most.
    AtMost(R, R, R),
    /// The smaller.
    Smaller(R, R, R),
    /// The larger.
    Larger(R, R, R),
    /// So many times.
    Scale(R, R, u32),
    /// Second or third by the first.
    Choose(R, R, R, R),
    /// From a fixed place.
    Load(R),
    /// From a place and so many words further.
    LoadAt(R, R),
    /// From a place and so many times that many words further.
    LoadBy(R, R, u32),
    /// An entry of a table.
    Table(R, R),
    /// A byte of a table.
    Byte(R, R),
    /// How many cells.
    Count(R, R),
    /// The lowest cell.
    First(R, R),
    /// The highest cell.
    Last(R, R),
    /// 1 when there are cells.
    Some(R, R),
    /// 1 when a set has a cell.
    Has(R, R, R),
    /// 1 when the first set is within the second.
    Within(R, R, R),
    /// 1 when they have a cell in common.
    Meet(R, R, R),
    /// 1 when they are the same.
    Same(R, R, R),
    /// Zeros above the highest bit.
    Leading(R, R),
    /// What is done seldom.
    Rare(Rare),

    /// A set from another.
    SetCopy(R, R),
    /// A fixed set.
    SetConst(R),
    /// From a fixed place.
    SetLoad(R),
    /// From a place and so many times that many words further.
    SetLoadBy(R, R, u32),
    /// Cells in both.
    SetAnd(R, R, R),
    /// Cells in either.
    SetOr(R, R, R),
    /// Cells in the first only.
    SetWithout(R, R, R),
    /// Cells in one only.
    SetXor(R, R, R),
    /// Of the first the cells up to the lowest of the second.
    UpTo(R, R, R),
    /// Of the first the cells down to the highest of the second.
    DownTo(R, R, R),
    /// One cell.
    Single(R, R),
    /// With a cell.
    With(R, R, R),
    /// Without a cell.
    Drop(R, R, R),
    /// An entry of a table of sets.
    Row(R, R),
    /// Moved by a shift.
    Shift(R, R),
    /// Moved by a shift, and what is in the last set then.
    ShiftAnd(R, R, R),
    /// Moved by a shift, and what is not in the last set then.
    ShiftWithout(R, R, R),
    /// Next to any.
    Around(R, R),
    /// The joined part of a set around a cell.
    Part(R, R, R),
    /// Each cell replaced.
    Mapped(R, R),
    /// Second or third by the first.
    SetChoose(R, R, R, R),

    /// To a fixed place.
    Store(R),
    /// To a place and so many times that many words further: index, what.
    StoreBy(R, R, u32),
    /// A set to a fixed place.
    SetStore(R),
    /// A set to a place and so many times that many words further: index, what.
    SetStoreBy(R, R, u32),
    /// A word more for the tally.
    Tally(R),

    /// Goes on elsewhere.
    Jump,
    /// When a word is not 0.
    IfTrue(R),
    /// When a word is 0.
    IfFalse(R),
    /// When equal.
    IfEqual(R, R),
    /// When they differ.
    IfDiffer(R, R),
    /// When less.
    IfLess(R, R),
    /// When at most.
    IfAtMost(R, R),
    /// When there are cells.
    IfSome(R),
    /// When there are none.
    IfNone(R),
    /// When a set has a cell.
    IfHas(R, R),
    /// When it has not.
    IfLacks(R, R),
    /// When the first set is within the second.
    IfWithin(R, R),
    /// When it is not.
    IfBeyond(R, R),
    /// When the sets have a cell in common.
    IfMeet(R, R),
    /// When they have none.
    IfApart(R, R),
    /// When the sets are the same.
    IfSame(R, R),
    /// When they are not.
    IfUnlike(R, R),
    /// To the target of that number among so many, from `x` on; none beyond.
    Switch(R, u32),
    /// Begins a loop over cells: what is left, the cell, the set. Jumps when there is none.
    Cells(R, R, R),
    /// Jumps back with the next cell: what is left, the cell.
    NextCell(R, R),
    /// Begins a loop over bits: what is left, the number, the word. Jumps when there is none.
    Bits(R, R, R),
    /// Jumps back with the next bit: what is left, the number.
    NextBit(R, R),
    /// Begins a loop over numbers: the counter, the last, the number, from, to. Jumps when there is none.
    Numbers(R, R, R, R, R),
    /// Jumps back with the next number: the counter, the last, the number.
    NextNumber(R, R, R),
    /// Runs a function: the call of that number.
    Call,
    /// Ends the function with a word.
    Return(R),
}

/// What is done seldom.
#[derive(Clone, Copy, Debug)]
pub enum Rare {
    /// Sum of signed numbers, no further than they reach.
    SumWithin(R, R, R),
    /// Difference of signed numbers, no further than they reach.
    DifferenceWithin(R, R, R),
    /// Product of signed numbers, no further than they reach.
    ProductWithin(R, R, R),
    /// Quotient, or 0.
    Quotient(R, R, R),
    /// Remainder, or 0.
    Remainder(R, R, R),
    /// The upper half of a product.
    High(R, R, R),
    /// The cell with so many below it.
    Nth(R, R, R),
    /// The mixing function.
    Mix(R, R),
    /// The hash of a pile on a cell.
    PileKey(R, R, R),
    /// How often a key is in the past.
    Repeated(R, R),
    /// 1 when a key is in the past.
    Seen(R, R),
    /// Adds keys to the past.
    Note(R, R),
    /// A word stored with a log.
    StoreLogged(R),
    /// The same, so many words further: index, what.
    StoreLoggedAt(R, R),
    /// The length of the log.
    Mark(R),
    /// Takes back what was logged since.
    Undo(R),
    /// Takes down an action.
    Leaf(R),
    /// Takes down an action for each cell of a set.
    Leaves(R, R),
    /// Gives up.
    Fault(Fault),
}

/// A call: who, what goes where in the windows behind, and where the result goes.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub function: usize,
    /// Words: from here, to there.
    pub words: Vec<(R, R)>,
    /// Sets: from here, to there.
    pub sets: Vec<(R, R)>,
    /// Where the result goes.
    pub result: Option<R>,
}

/// The code of one function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Instructions; the last one never goes on behind it.
    pub ins: Vec<Ins>,
    /// Targets of switches.
    pub targets: Vec<u32>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Fixed words, and where they begin in the window.
    pub constants: (usize, Vec<u64>),
    /// Fixed sets by number, and where they begin in the window.
    pub fixed: (usize, Vec<u32>),
    /// Places in the window of words.
    pub words: usize,
    /// Places in the window of sets.
    pub sets: usize,
}

impl Code {
    /// Where a switch goes on: to the target of that number among so many, or where it would go by itself.
    #[inline(always)]
    #[must_use]
    pub fn target(&self, number: u64, first: usize, many: u32, else_to: usize) -> usize {
        if number >= u64::from(many) {
            return else_to;
        }
        match self.targets.get(first + number as usize) {
            Some(to) => *to as usize,
            None => else_to,
        }
    }
}
