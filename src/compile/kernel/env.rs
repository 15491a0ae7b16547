//! What is known at a place of a function that is being written: where each value stands, what is true of chosen cells (`facts`),
//! and which effects have not been carried out yet. Copied for every inner block, so nothing has to be taken back.

use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{SV, V};
use crate::compile::kernel::tall::heights;
use crate::compile::kernel::unique::{Choice, Told};
use crate::program::kernel::Room;
use crate::program::{
    Effect, KindId, Op, Per, Program, VarId, VarType, WORD_AGAIN, WORD_HASH, WORD_SEATS,
};
use smallvec::SmallVec;
use std::rc::Rc;

/// Something that has a value: a part of the state, or a local.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u16);

/// What a slot is.
#[derive(Clone, Copy, Debug)]
pub struct SlotInfo {
    /// Its place in memory, when it is part of the state.
    pub place: Option<u32>,
    /// Whether it is a set.
    pub set: bool,
    /// The variable, when it is one.
    pub var: Option<VarId>,
}

/// A run of cells.
#[derive(Clone, PartialEq, Debug)]
pub struct RunBind {
    /// The first cell.
    pub start: V,
    /// The direction's number.
    pub way: V,
    /// How many cells.
    pub length: V,
    /// Whether it surely has cells.
    pub some: bool,
    /// What is true of its cells.
    pub fact: Fact,
    /// The variables of the two squares that follow it in its picture.
    pub next: [Option<VarId>; 2],
}

/// Where a value stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Bind {
    /// A word as it would stand in memory.
    Word(V),
    /// A cell of the board, by its number.
    Cell(V),
    /// A set.
    Set(SV),
    /// A run that is one.
    Run(Rc<RunBind>),
}

impl Bind {
    /// Whether it is a fixed word or a fixed set.
    pub fn is_fixed(&self) -> bool {
        matches!(self, Bind::Word(V::K(_)) | Bind::Set(SV::K(_)))
    }
}

/// Which cells an effect is about.
#[derive(Clone, PartialEq, Debug)]
pub enum At {
    /// One cell.
    Cell(V),
    /// A set.
    Set(SV),
    /// A run.
    Run(Rc<RunBind>),
}

/// A piece's kind: fixed, or the word that holds it counted from 1.
pub type KindOf = Result<KindId, V>;

/// An effect whose operands are known and that has not been carried out.
#[derive(Clone, PartialEq, Debug)]
pub enum Pending {
    /// Pieces onto cells: kind, owner (0 nobody, else the player from 1), how many, what stood there.
    Put(At, KindOf, V, V, Fact),
    /// Everything on a cell to another: with what was there on both.
    Carry(V, V, Fact, Fact),
    /// The pieces of a run along it, so many cells; whether that is surely one at least.
    Advance(Rc<RunBind>, V, bool),
    /// Everything off the cells; counted as captured or not; what was there.
    Clear(At, bool, Fact),
    /// The top piece off a cell, under those of another cell when one is said, and whether there certainly are some.
    Top(V, Option<(V, bool)>),
    /// Other owners.
    Flip(At),
    /// Another kind.
    Promote(V, KindOf),
    /// Up from a cell.
    Lift(V),
    /// The lowest of what is up, to a cell.
    Drop(V),
}

/// A change that the hash of the pieces has not seen.
#[derive(Clone, PartialEq, Debug)]
pub enum Debt {
    /// The piece that stood on the first cell, if one did, as the sets tell (owner's, kind's, code): in or out on other cells.
    Piece(V, Rc<Vec<(SV, SV, u32)>>, Vec<V>),
    /// A piece of that code on every cell of the set.
    Set(SV, u32),
    /// A pile of a cell, before and after.
    Pile(V, V, V),
}

/// What is known at a place.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// For each slot where it stands, when it is not as in memory; and whether it was changed.
    pub binds: Vec<Option<(Bind, bool)>>,
    /// What is true of cells.
    pub facts: SmallVec<[(V, Fact); 6]>,
    /// What was true of the cells of sets that variables hold, while no piece has come to another cell or has changed since.
    pub sets: Vec<(VarId, Fact)>,
    /// What surely stands on the cells of sets that variables hold, whatever led here, see `certain::stands`.
    pub stands: SmallVec<[(VarId, Fact); 4]>,
    /// What has not been carried out, in order.
    pub pending: SmallVec<[Pending; 3]>,
    /// Variables whose cells were captured in this action.
    pub captured: SmallVec<[VarId; 2]>,
    /// Cells of the ray that a picture is matched along.
    pub ray: SmallVec<[V; 4]>,
    /// Where runs begin on that ray.
    pub ray_runs: SmallVec<[V; 2]>,
    /// Cells that are not among those of the run that begins on another.
    pub beside_runs: SmallVec<[(V, V); 4]>,
    /// The cells and runs of the match: see `unique::Ray`.
    pub match_cells: Vec<(V, Option<V>, bool)>,
    /// Cells that are not the same.
    pub apart: SmallVec<[(V, V); 4]>,
    /// Changes that the hash of the pieces has not seen.
    pub debts: Vec<Debt>,
    /// Choices that no notation has told yet.
    pub choices: Vec<Choice>,
    /// What notations have told.
    pub told: Vec<Told>,
    /// Words that are the last cells of runs, with where these begin and how many cells they have.
    pub run_ends: Vec<(V, V, V)>,
    /// Whether a choice was made that no notation can tell.
    pub doubt: u64,
    /// Whether nothing is chosen or changed yet, see `opening`.
    pub opening: bool,
    /// Whether what is required is asked of the one action that is to be played.
    pub unasked: bool,
    /// Requirements that are known to hold.
    pub proven: SmallVec<[u32; 4]>,
    /// Which of the noted places of the function were come to, as bits.
    pub passed: u64,
    /// The last number of the way, when it stands for all from one to another; and how many blocks were open then.
    pub span: Option<(V, V, usize)>,
    /// The last cells of all matches of a picture that have the same lengths, when they are taken down at once; and how many
    /// blocks were open then.
    pub ends: Option<(SV, usize)>,
}

/// The slots of a program.
pub struct Slots {
    /// All.
    pub infos: Vec<SlotInfo>,
    /// First slot of each variable; none for what is kept for each cell.
    pub vars: Vec<Option<Slot>>,
    /// For each slot whether effects change it besides the pieces.
    pub follow: Vec<bool>,
    /// The players' sets.
    pub owned: Vec<Slot>,
    /// The kinds' sets; `None` for the only kind that is not neutral.
    pub kinds: Vec<Option<Slot>>,
    /// What follows from the others: occupied cells.
    pub occupied: Slot,
    /// Empty cells.
    pub empty: Slot,
    /// First slot of the hands.
    pub hands: Option<Slot>,
    /// Whether the same player goes on.
    pub again: Slot,
    /// Whether seats are exchanged.
    pub seats: Slot,
    /// The hash of the pieces.
    pub hash: Slot,
    /// How many words the path has.
    pub path: Slot,
    /// How many numbers the text has.
    pub text: Slot,
    /// How many pieces the action has captured.
    pub taken: Slot,
    /// Whether no turn can be completed, once it is known.
    pub stuck: Slot,
    /// The sets of cells on which at least so many pieces stand, see `tall`.
    pub tall: Vec<(u64, Slot)>,
}

impl Slots {
    /// The slots of a program.
    pub fn new(program: &Program, room: &Room) -> Slots {
        let layout = &program.layout;
        let mut infos: Vec<SlotInfo> = Vec::new();
        let mut add = |place: Option<usize>, set: bool, var: Option<VarId>| {
            infos.push(SlotInfo {
                place: place.map(|p| p as u32),
                set,
                var,
            });
            Slot(infos.len() as u16 - 1)
        };
        let n = layout.words;
        let mut vars = Vec::new();
        for (i, var) in program.vars.iter().enumerate() {
            let set = matches!(var.ty, VarType::Cells | VarType::Groups);
            let id = Some(VarId(i as u16));
            let place = |k: usize| var.in_state().then_some(var.offset + k * var.stride);
            vars.push(match var.per {
                Per::Cell => None,
                Per::Game => Some(add(place(0), set, id)),
                Per::Player => {
                    let first = add(place(0), set, id);
                    (1..program.players.len()).for_each(|p| {
                        add(place(p), set, id);
                    });
                    Some(first)
                }
            });
        }
        let players = program.players.len();
        let owned = (0..players)
            .map(|p| add(Some(layout.owned + p * n), true, None))
            .collect();
        let promotes = |op: &Op| matches!(op, Op::Effect(Effect::Promote(..)));
        let sole = program.kinds.iter().filter(|k| !k.neutral).count() == 1
            && !program.code.iter().any(promotes);
        let kinds = (0..program.kinds.len())
            .map(|k| {
                (!sole || program.kinds[k].neutral)
                    .then(|| add(Some(layout.kinds + k * n), true, None))
            })
            .collect();
        let occupied = add(None, true, None);
        let empty = add(None, true, None);
        let mut hands = None;
        if program.hands {
            for i in 0..players * program.kinds.len() {
                let slot = add(Some(layout.hands + i), false, None);
                hands.get_or_insert(slot);
            }
        }
        let tall = (0..).zip(heights(program));
        let tall = tall.map(|(i, height)| {
            let at = room.tall as usize + i * n;
            (height, add(Some(at), true, None))
        });
        let mut slots = Slots {
            tall: tall.collect(),
            again: add(Some(WORD_AGAIN), false, None),
            seats: add(Some(WORD_SEATS), false, None),
            hash: add(Some(WORD_HASH), false, None),
            path: add(None, false, None),
            text: add(None, false, None),
            taken: add(None, false, None),
            stuck: add(None, false, None),
            follow: Vec::new(),
            infos,
            vars,
            owned,
            kinds,
            occupied,
            empty,
            hands,
        };
        slots.follow = slots
            .infos
            .iter()
            .map(|i| i.var.is_some_and(|v| follows_effects(program, v)))
            .collect();
        slots.follow[slots.taken.0 as usize] = true;
        for (_, slot) in &slots.tall {
            slots.follow[slot.0 as usize] = true;
        }
        slots
    }

    /// Words of the state that follow from others and are not kept: from, to.
    pub fn following(&self, program: &Program) -> Vec<(usize, usize)> {
        let (layout, words) = (&program.layout, program.layout.words);
        let own = (0..).zip(&self.kinds).filter(|(_, slot)| slot.is_none());
        let own = own.map(|(k, _): (usize, _)| layout.kinds + k * words);
        let all = own.chain([layout.occupied]);
        all.map(|at| (at, at + words)).collect()
    }

    /// Whether it is a part of the arrangement of pieces.
    pub fn is_pieces(&self, slot: Slot) -> bool {
        self.owned.contains(&slot) || self.kinds.contains(&Some(slot))
    }
}

/// Whether effects on pieces change a variable.
pub fn follows_effects(program: &Program, var: VarId) -> bool {
    let system = program.system;
    program.var(var).travels
        || [system.touched, system.captured, system.captures].contains(&Some(var))
}
