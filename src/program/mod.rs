//! The compiled game: data only, complete for the engine, with a readable text dump. It does not know the text it came from,
//! except for places kept so that tools can point at them.

mod code;
mod dump;
mod expr;
mod fold;
pub mod kernel;
mod keys;
mod letters;
mod still;
mod texts;
mod vars;
mod walk;

pub use code::{
    Count, Domain, Effect, End, EndResult, Members, Moment, NO_PC, Op, Part, Pc, Picture,
    PictureId, Point, PointId, Reason, ReasonId, Square, SubId, Template, TemplateId, TurnEntry,
};
pub use dump::dump;
pub use expr::{CellExpr, Cells, Compare, DirExpr, Dirs, KindExpr, Num, PlayerExpr, Truth, Value};
pub use keys::{mix, piece_key, word_key};
pub use letters::{
    Counted, MOST, MOST_IN_HAND, SignError, piece_sign, read_counted, read_pieces, stack_signs,
};
pub use still::{still_cells, still_truths, still_where};
pub use texts::{Collision, Collisions};
pub use vars::{Life, Per, Var, VarId, VarType};
pub use walk::{Access, cells_vars, dirs_vars, num_vars, op_vars, picture_vars, truth_vars};

use crate::base::Span;
use crate::board::{Board, Facing};

/// A player's number in the order of play, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerId(pub u8);

/// A piece kind's number in the order of declaration, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(pub u8);

/// A player.
#[derive(Clone, Debug)]
pub struct PlayerInfo {
    /// The name.
    pub name: String,
    /// Where the player looks.
    pub facing: Option<Facing>,
}

/// A piece kind.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// The name.
    pub name: String,
    /// Its sign in position lines: a letter in upper case, or the sign itself when neutral.
    pub letter: char,
    /// Belongs to nobody.
    pub neutral: bool,
}

/// Cells with a name, the same in every position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// What the rules call it.
    pub name: String,
    /// Whose it is, when it is another one for each player.
    pub player: Option<PlayerId>,
    /// The cells.
    pub cells: crate::board::Cells,
}

/// Metadata of the game.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The game's name.
    pub title: String,
    /// Who invented it.
    pub author: Option<String>,
    /// When.
    pub year: Option<u32>,
    /// Where the rules come from.
    pub source: Option<String>,
    /// The text above the `game` line.
    pub text: String,
}

/// An option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue {
    /// The name.
    pub name: String,
    /// The value in force, as text.
    pub value: String,
    /// The default, as text.
    pub default: String,
    /// What it may be, as text: `4..26`, `free, first`.
    pub domain: String,
    /// The condition under which it counts, as text.
    pub when: Option<String>,
    /// Whether that condition does not hold.
    pub idle: bool,
    /// The text for people.
    pub text: String,
}

/// Values that the engine itself keeps up to date, when the rules ask for them.
#[derive(Clone, Copy, Debug, Default)]
pub struct System {
    /// Turns completed.
    pub turns: Option<VarId>,
    /// Turns in a row in which `pass` was played.
    pub passes: Option<VarId>,
    /// Whether `pass` was played this turn.
    pub passed: Option<VarId>,
    /// Actions of this turn.
    pub actions: Option<VarId>,
    /// Pieces captured this turn.
    pub captures: Option<VarId>,
    /// Cells where something was captured this turn.
    pub captured: Option<VarId>,
    /// Cells that changed this turn.
    pub touched: Option<VarId>,
}

/// Where things stand in the memory of the engine, in 64-bit words.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Words of one cell set.
    pub words: usize,
    /// First word of the players' sets (cells whose top piece is theirs).
    pub owned: usize,
    /// First word of the kinds' sets (cells whose top piece is of that kind).
    pub kinds: usize,
    /// First word of the set of occupied cells.
    pub occupied: usize,
    /// First word of the hands: for each player, for each kind, how many.
    pub hands: usize,
    /// First word of the kept values and carried locals.
    pub vars: usize,
    /// Words of the state (without stacks); what follows is scratch.
    pub state: usize,
    /// Words of state and scratch.
    pub memory: usize,
}

/// Word of the player to move.
pub const WORD_MOVER: usize = 0;
/// Word of the decision point, 0 at the start of a turn.
pub const WORD_POINT: usize = 1;
/// Word that tells whether the people have exchanged seats.
pub const WORD_SEATS: usize = 2;
/// Word that tells whether the same player has the next turn as well.
pub const WORD_AGAIN: usize = 3;
/// Word of the player who made the last turn, counted from 1, where that is not the one before the player to move.
pub const WORD_LAST: usize = 4;
/// First of three words of hashes: of the pieces, of what repetition compares besides, of the rest.
pub const WORD_HASH: usize = 5;
/// First word behind the fixed ones.
pub const WORD_FREE: usize = 8;

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Program {
    /// Title and the like.
    pub about: About,
    /// The options in order of declaration.
    pub options: Vec<OptionValue>,
    /// The board.
    pub board: Board,
    /// Whether a cell may hold a stack.
    pub stacking: bool,
    /// Whether players have hands.
    pub hands: bool,
    /// The players in order of play.
    pub players: Vec<PlayerInfo>,
    /// The piece kinds.
    pub kinds: Vec<KindInfo>,
    /// All variables.
    pub vars: Vec<Var>,
    /// Those that the engine keeps.
    pub system: System,
    /// Memory.
    pub layout: Layout,
    /// The instructions.
    pub code: Vec<Op>,
    /// Where subprograms begin.
    pub subs: Vec<Pc>,
    /// The pictures.
    pub pictures: Vec<Picture>,
    /// The notations.
    pub templates: Vec<Template>,
    /// The texts of requirements.
    pub reasons: Vec<Reason>,
    /// The decision points; the first is the start of a turn.
    pub points: Vec<Point>,
    /// The turns with their conditions, in order.
    pub turns: Vec<TurnEntry>,
    /// Where the setup begins.
    pub setup: Pc,
    /// The ends, in order.
    pub ends: Vec<End>,
    /// The place of each instruction in the source text.
    pub places: Vec<Span>,
    /// The jumps that make something compulsory: what they jump to may be played only when what follows them cannot be.
    pub forced: Vec<Pc>,
    /// Mirror images used by the rules: where each cell goes.
    pub mirrors: Vec<Vec<crate::board::Cell>>,
    /// For each player the view of the board: where each cell goes; empty for a player who sees it as written.
    pub views: Vec<Vec<crate::board::Cell>>,
    /// Whether the rules look at earlier positions.
    pub looks_back: bool,
    /// The regions that are played by, for drawing.
    pub regions: Vec<Region>,
    /// How actions may have the same text though its pieces differ.
    pub collisions: Collisions,
}

impl Program {
    /// Where it is begun, but by other instructions: the setup, the turns, the points at which they go on, and subprograms.
    pub fn entries(&self) -> impl Iterator<Item = Pc> {
        let points = self.points.iter().map(|point| point.pc);
        let turns = self.turns.iter().map(|turn| turn.pc);
        let subs = self.subs.iter().copied().filter(|pc| *pc != NO_PC);
        points.chain(turns).chain(subs).chain([self.setup])
    }

    /// The statement that an instruction comes from.
    #[must_use]
    pub fn span_of(&self, pc: Pc) -> Span {
        self.places.get(pc.0 as usize).copied().unwrap_or_default()
    }

    /// The statement that an instruction comes from, or, where it only leads on, the one that stands before it.
    #[must_use]
    pub fn span_by(&self, pc: Pc) -> Span {
        let up_to = &self.places[..self.places.len().min(pc.0 as usize + 1)];
        let placed = |span: &&Span| **span != Span::default();
        up_to.iter().rev().find(placed).copied().unwrap_or_default()
    }

    /// A variable.
    ///
    /// # Panics
    /// Never for ids of this program.
    #[must_use]
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// Whether pieces are ever up: some instruction lifts a stack.
    #[must_use]
    pub fn lifts(&self) -> bool {
        let lifts = |op: &Op| matches!(op, Op::Effect(Effect::Lift(_)));
        self.code.iter().any(lifts)
    }
}
