//! The work of making a kernel: what is known while functions are written. Where each part of the meaning is written stands in the
//! other files of this folder.

use crate::board::{Cell, Cells, Direction, Directions, NO_STEP};
use crate::compile::kernel::certain::Certain;
use crate::compile::kernel::certain::stands::Stands;
use crate::compile::kernel::env::{Bind, Env, Pending, Slot, Slots};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fronts::Fronts;
use crate::compile::kernel::fun::{Fixed, Fun, NONE, SV, V};
use crate::compile::kernel::hindered::Hindered;
use crate::compile::kernel::loops::Hook;
use crate::compile::kernel::opening::met_again;
use crate::compile::kernel::orders::Orders;
use crate::compile::kernel::paces::{Ahead, Pace};
use crate::compile::kernel::presumed::Presuming;
use crate::compile::kernel::reads::Asker;
use crate::compile::kernel::regardless::Later;
use crate::compile::kernel::sure::Sure;
use crate::compile::kernel::tall::clear_points;
use crate::compile::kernel::unasked::Unasked;
use crate::program::kernel::{
    Fault, FuncId, Function, Label, LowPiles, Room, RowsId, Shift, ShiftId, TableId, W,
};
use crate::program::{NO_PC, Op, Pc, Program, TemplateId, VarId};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Whether the notation of an action is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tell {
    /// No.
    Nothing,
    /// Beside what the action leads to.
    Too,
    /// Without what the action leads to.
    Alone,
}

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Every action, with the way to it.
    List,
    /// The same in any order, for sequences to be counted.
    Any,
    /// The same, but that actions are counted, and with them what follows, where the board alone decides that, see `paces`.
    Ahead,
    /// How many actions.
    Count,
    /// Actions, some of which may be refused when they are played.
    Candidates,
    /// An action is played along its path.
    Apply {
        /// Whether it may turn out not to be legal.
        checked: bool,
        /// Whether its notation is wanted.
        tell: Tell,
        /// Whether its list was made just before, so that what that has left aside is still there, see `opening`.
        listed: bool,
    },
    /// Whether the turn can be completed.
    Probe,
    /// Whether a subprogram can be run to its end.
    Exists,
    /// The most or least of a number: the instruction that asks, and where the answer is kept.
    Best(u32, u32),
    /// The cells of a variable, and where they are kept.
    Gather(VarId, u32),
}

impl Mode {
    /// Whether only what is legal is wanted.
    pub fn is_exact(self) -> bool {
        matches!(self, Mode::List | Mode::Any | Mode::Ahead | Mode::Count)
    }

    /// Whether actions are taken down.
    pub fn lists(self) -> bool {
        matches!(
            self,
            Mode::List | Mode::Any | Mode::Ahead | Mode::Candidates
        )
    }

    /// Whether all actions are looked for: taken down or counted.
    pub fn is_for_all(self) -> bool {
        self.lists() || self == Mode::Count
    }

    /// The same, further on: nothing is left aside for functions inside.
    pub fn inside(self) -> Mode {
        match self {
            Mode::Apply { checked, tell, .. } => Mode::Apply {
                checked,
                tell,
                listed: false,
            },
            other => other,
        }
    }

    /// The name of a function for it.
    pub fn name_from(self, begin: Begin) -> String {
        match self {
            Mode::Apply { checked, tell, .. } => {
                format!("{begin:?} Apply {{ checked: {checked}, tell: {tell:?} }}")
            }
            other => format!("{begin:?} {other:?}"),
        }
    }
}

/// What happens when what was looked for is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The function ends with 1.
    Return,
    /// A word becomes 1, and a block is left.
    Leave(Label, crate::program::kernel::W),
    /// A set grows.
    Gather(crate::program::kernel::S),
    /// Two words: whether there is an answer, and the answer.
    Best(crate::program::kernel::W, crate::program::kernel::W),
}

/// What is asked at a place.
#[derive(Clone, Copy, Debug)]
pub struct Cx {
    /// What for.
    pub mode: Mode,
    /// Whether an action has been completed.
    pub acted: bool,
    /// The player.
    pub me: u8,
    /// What then.
    pub exit: Exit,
}

/// Where a function begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Begin {
    /// At an instruction.
    Code(Pc),
    /// At the choice of the turn: its number.
    TurnNumber,
    /// At the start of the turn, whichever it is.
    Turn,
    /// The ends of a moment.
    Ends(u8),
    /// The ends at the start of a turn in which something can be done.
    EndsMoving,
    /// The scores of an end.
    Scores(u16),
}

/// A kernel in the making.
pub struct Lowerer<'p> {
    /// The program.
    pub program: &'p Program,
    /// What has a value.
    pub slots: Slots,
    /// Fixed sets.
    pub fixed: Fixed,
    /// Tables of words.
    pub tables: Vec<Vec<u64>>,
    /// Tables of sets.
    pub rows: Vec<Vec<Cells>>,
    /// Shifts.
    pub shifts: Vec<Shift>,
    /// The function that is being written.
    pub f: Fun,
    /// All functions.
    pub functions: Vec<Function>,
    /// Where things are.
    pub room: Room,
    /// Why there can be no kernel.
    pub refused: Option<String>,
    /// What is left when an end holds, where that does not stop a game.
    pub on_end: Option<Label>,
    /// What candidates were let through without asking.
    pub unasked: Unasked,
    /// The function that is written.
    pub writing: FuncId,
    /// Where turns are presumed to go on.
    pub presuming: Presuming,
    /// Whether pictures may be listed by their fronts, see `fronts`.
    pub lists_fronts: bool,
    /// Whether pictures were counted along lanes.
    pub counts_lanes: bool,
    /// The fronts that lists have, in the order of their families, and where the lists leave their classes.
    pub fronts: Vec<(Fronts<'p>, u32)>,
    /// What lists leave aside for who plays, by player and instruction: where, see `opening`.
    pub openings: BTreeMap<(u8, Pc), u32>,
    /// Places of the code whose coming to is noted, in the function that is written.
    pub hooks: Vec<Hook>,
    /// Whether something was asked of all lengths of a run, or of all matches of the same lengths, at once.
    pub span_asked: bool,
    /// Whether functions are asked for from outside, where nothing can be handed over.
    pub at_entry: bool,
    /// Whether `stuck` is taken for false.
    pub moving: bool,
    /// Codes of pieces for piles: by kind, and above it 0 or the player counted from 1.
    pub codes: Vec<u16>,
    /// For each player the functions by which a random game lists, when they are others.
    pub lists: Vec<Vec<FuncId>>,
    /// Where the hashes of low piles stand, once they are asked for.
    pub low_piles: Option<LowPiles>,
    /// Whether some ray comes back to where it began.
    pub returns: bool,
    /// Whether along every ray the numbers of cells only grow, or only fall.
    pub rays_ordered: bool,
    /// For each direction the distance of a step, when it is the same all over the board.
    pub strides: Option<Vec<u64>>,
    /// For each notation the first one that writes the same.
    pub alike: Vec<TemplateId>,
    /// Whether of two neighbours each is next to the other, once it is asked.
    pub mutual: OnceCell<bool>,
    /// Whether along each direction every cell is next to one cell at most, once that was asked.
    pub steps_back: OnceCell<bool>,
    /// Whether two directions never come to the same cell.
    pub rays_part: bool,
    /// Whether the kernel is for random games.
    pub random: bool,
    /// Whether some action may have the text of another.
    pub doubts: bool,
    /// Whether the function that is written begins with no choice that is still to be told.
    pub untold_at_start: bool,
    /// For each function whether what it changes is noted, once all are written; nothing else is to be taken back.
    pub loggers: Vec<bool>,
    /// The length of the log to which what is asked is taken back, when it is not none.
    pub log_from: Option<W>,
    /// Whether rules ask for arrangements that have been before.
    pub asks_back: bool,
    /// Whether random games draw apart from lists that are a few sets.
    pub draws_apart: bool,
    /// Whether it is looked up if an action that is counted can be gone on with.
    pub looks_ahead: bool,
    /// The instructions at which ways meet.
    pub joins: Vec<bool>,
    /// The instructions to which something leads back.
    pub heads: Vec<bool>,
    /// Instructions that may be come to more than once with nothing chosen or changed, see `opening`.
    pub met_again: Vec<bool>,
    /// Whether pieces are looked at from an instruction on.
    pub looks: Vec<bool>,
    /// The same, and what notations that are written from there on tell of pieces, or of captures.
    pub tells: Vec<bool>,
    /// From where a turn can be completed whatever the position is.
    pub sure: Sure,
    /// What variables of a turn surely hold.
    pub certain: Certain,
    /// What surely stands on the cells of a turn's sets, by player.
    pub stands: Vec<Stands>,
    /// The trails of a given number of steps that only the board can hinder.
    pub paces: Vec<Pace<'p>>,
    /// How sequences of actions are counted along those at once, if they can be.
    pub ahead: Option<Ahead>,
    /// What counts the next player's actions behind those, once all else is made.
    pub later: Option<Later>,
    /// Whether nothing is up where a pile is lifted.
    pub lifts_once: bool,
    /// The next word of scratch.
    pub scratch_next: u32,
    live: Vec<Vec<u64>>,
    named: FxHashMap<String, u32>,
    /// What has been asked for.
    pub orders: Orders,
    /// What one piece more may only hinder.
    pub hindered: Vec<Hindered>,
}

impl Cx {
    /// Whether an action is played along its path and its results are kept.
    pub fn applies(&self) -> bool {
        matches!(
            self.mode,
            Mode::Apply {
                tell: Tell::Nothing | Tell::Too,
                ..
            }
        )
    }

    /// Whether notations are written.
    pub fn tells(&self) -> bool {
        matches!(
            self.mode,
            Mode::Apply {
                tell: Tell::Too | Tell::Alone,
                ..
            }
        )
    }

    /// Where it makes no difference who asks for what.
    pub const ANY: Cx = Cx {
        mode: Mode::Exists,
        acted: false,
        me: 0,
        exit: Exit::Return,
    };
}

impl<'p> Lowerer<'p> {
    /// An empty kernel.
    pub fn new(program: &'p Program, room: Room) -> Lowerer<'p> {
        let flow = crate::compile::kernel::flow::study(program);
        let paces = crate::compile::kernel::paces::paces(program);
        let mut codes = Vec::new();
        for (k, kind) in program.kinds.iter().enumerate() {
            let owners = if kind.neutral {
                0..=0
            } else {
                1..=program.players.len()
            };
            owners.for_each(|o| codes.push(k as u16 | (o as u16) << 8));
        }
        Lowerer {
            program,
            slots: Slots::new(program, &room),
            lifts_once: clear_points(program).is_some(),
            fixed: Fixed::new(program.board.len()),
            tables: Vec::new(),
            rows: Vec::new(),
            shifts: Vec::new(),
            f: Fun::new(),
            functions: Vec::new(),
            room,
            refused: None,
            unasked: Unasked::new(program),
            writing: FuncId(0),
            presuming: Presuming::default(),
            on_end: None,
            lists_fronts: true,
            counts_lanes: false,
            fronts: Vec::new(),
            openings: BTreeMap::new(),
            hooks: Vec::new(),
            span_asked: false,
            untold_at_start: false,
            loggers: Vec::new(),
            log_from: None,
            draws_apart: false,
            looks_ahead: false,
            at_entry: true,
            moving: false,
            codes,
            lists: Vec::new(),
            low_piles: None,
            alike: program.notations_alike(),
            mutual: OnceCell::new(),
            steps_back: OnceCell::new(),
            rays_part: crate::compile::kernel::unique::rays_part(
                &program.board,
                Directions::range(program.board.directions()),
            ),
            random: false,
            doubts: false,
            returns: crate::compile::kernel::rays::rays_return(&program.board),
            strides: crate::compile::kernel::told_by_end::strides(&program.board),
            rays_ordered: crate::compile::kernel::rays::rays_ordered(&program.board),
            asks_back: flow.asks_back,
            joins: flow.joins,
            heads: flow.heads,
            met_again: met_again(program),
            looks: flow.looks,
            tells: flow.tells,
            sure: crate::compile::kernel::sure::sure(program),
            stands: crate::compile::kernel::certain::stands::stands(program),
            certain: crate::compile::kernel::certain::certain(program, &flow.live),
            ahead: crate::compile::kernel::paces::ahead(program, &paces),
            paces,
            later: None,
            live: flow.live,
            scratch_next: 0,
            named: FxHashMap::default(),
            orders: Orders::default(),
            hindered: Vec::new(),
        }
    }

    /// There can be no kernel, for a reason.
    pub fn refuse(&mut self, why: &str) {
        self.refused.get_or_insert_with(|| why.to_owned());
        self.f.fault(Fault::Calls);
    }

    /// Who asks what an expression reads.
    pub fn asker(&self, cx: Cx) -> Asker<'p> {
        Asker {
            program: self.program,
            me: cx.me,
        }
    }

    /// A set of another width.
    pub fn fix(&mut self, set: &Cells) -> SV {
        SV::K(self.fixed.put(*set))
    }

    /// The number of a thing that is made once.
    pub fn once(&mut self, name: String, make: impl FnOnce(&mut Self) -> u32) -> u32 {
        if let Some(id) = self.named.get(&name) {
            return *id;
        }
        let id = make(self);
        self.named.insert(name, id);
        id
    }

    /// A table of words.
    pub fn table(&mut self, name: &str, make: impl FnOnce(&Program) -> Vec<u64>) -> TableId {
        TableId(self.once(format!("table {name}"), |l| {
            let table = make(l.program);
            l.tables.push(table);
            l.tables.len() as u32 - 1
        }))
    }

    /// A table of sets.
    pub fn rows(&mut self, name: &str, make: impl FnOnce(&Program) -> Vec<Cells>) -> RowsId {
        RowsId(self.once(format!("rows {name}"), |l| {
            let rows = make(l.program);
            l.rows.push(rows);
            l.rows.len() as u32 - 1
        }))
    }

    /// The next cell, counted from 1, by direction and cell.
    pub fn steps(&mut self) -> TableId {
        self.table("steps", |p| {
            let ways = 0..p.board.directions();
            let steps = ways.flat_map(|d| p.board.steps(Direction(d as u8)).to_vec());
            steps
                .map(|s| if s == NO_STEP { 0 } else { u64::from(s) + 1 })
                .collect()
        })
    }

    /// The shift of every cell to its next cell; `back`, of every cell to those whose next cell it is.
    pub fn shift_id(&mut self, way: u8, back: bool) -> Option<ShiftId> {
        let id = self.once(format!("shift {way} {back}"), |l| {
            let steps = l.program.board.steps(Direction(way)).to_vec();
            let pairs: Vec<(u16, u16)> = (0..steps.len() as u16)
                .filter_map(|c| Some((c, steps[usize::from(c)])).filter(|(_, t)| *t != NO_STEP))
                .map(|(c, t)| if back { (t, c) } else { (c, t) })
                .collect();
            let mut shift = Shift {
                parts: Vec::new(),
                steps: vec![u16::MAX; steps.len()],
            };
            for (from, to) in pairs {
                if shift.steps[usize::from(from)] != u16::MAX {
                    return u32::MAX;
                }
                shift.steps[usize::from(from)] = to;
                let by = i32::from(to) - i32::from(from);
                let at = shift.parts.iter().position(|(_, d)| *d == by);
                let at = at.unwrap_or_else(|| {
                    shift.parts.push((Cells::EMPTY, by));
                    shift.parts.len() - 1
                });
                shift.parts[at].0.insert(Cell(from));
            }
            l.shifts.push(shift);
            l.shifts.len() as u32 - 1
        });
        (id != u32::MAX).then_some(ShiftId(id))
    }

    /// Takes words of scratch.
    pub fn scratch(&mut self, words: u32) -> u32 {
        let at = self.scratch_next;
        self.scratch_next += words;
        if self.scratch_next > self.room.path {
            self.refuse("too much is kept aside");
        }
        at
    }

    /// Words of scratch for what a subprogram leaves: the same wherever it is asked, since rules have no recursion and each answer
    /// is taken before the next is asked for.
    pub fn scratch_of(&mut self, name: String, words: u32) -> u32 {
        self.once(format!("scratch {name}"), |l| l.scratch(words))
    }

    /// Where such words are, if they were asked for.
    pub fn scratch_named(&self, name: &str) -> Option<u32> {
        self.named.get(&format!("scratch {name}")).copied()
    }

    /// Where a slot's value stands now.
    pub fn get(&mut self, slot: Slot, env: &mut Env) -> Bind {
        if !env.pending.is_empty() && self.slots.follow[slot.0 as usize] {
            self.flush(env, Cx::ANY);
        }
        if let Some(Some((bind, _))) = env.binds.get(slot.0 as usize) {
            return bind.clone();
        }
        let info = self.slots.infos[slot.0 as usize];
        let bind = match (info.place, info.set) {
            (Some(place), true) => Bind::Set(self.f.load_first_set(place)),
            (Some(place), false) => Bind::Word(self.f.load_first(place)),
            (None, true) => Bind::Set(NONE),
            (None, false) => Bind::Word(V::K(0)),
        };
        if info.place.is_some() {
            self.bind(slot, bind.clone(), false, env);
        }
        bind
    }

    pub fn bind(&mut self, slot: Slot, bind: Bind, changed: bool, env: &mut Env) {
        let at = slot.0 as usize;
        if env.binds.len() <= at {
            env.binds.resize(self.slots.infos.len(), None);
        }
        env.binds[at] = Some((bind, changed));
    }

    /// A slot gets a value.
    pub fn put(&mut self, slot: Slot, bind: Bind, env: &mut Env) {
        if bind.is_fixed()
            && let Some(Some((old, _))) = env.binds.get(slot.0 as usize)
            && *old == bind
        {
            return;
        }
        if !env.stands.is_empty() {
            let var = self.slots.infos[slot.0 as usize].var;
            env.stands.retain(|(of, _)| Some(*of) != var);
        }
        self.bind(slot, bind, true, env);
        if self.slots.is_pieces(slot) {
            for follows in [self.slots.occupied, self.slots.empty, self.slots.stuck] {
                if let Some(entry) = env.binds.get_mut(follows.0 as usize) {
                    *entry = None;
                }
            }
        }
    }

    /// Remembers what follows from other values.
    pub fn cache(&mut self, slot: Slot, bind: Bind, env: &mut Env) {
        self.bind(slot, bind, false, env);
    }

    /// A slot's word as it would stand in memory.
    pub fn word(&mut self, slot: Slot, env: &mut Env) -> V {
        let bind = self.get(slot, env);
        self.encode(&bind)
    }

    /// A slot's set.
    pub fn set(&mut self, slot: Slot, env: &mut Env) -> SV {
        match self.get(slot, env) {
            Bind::Set(s) => s,
            Bind::Word(_) | Bind::Cell(_) | Bind::Run(_) => NONE,
        }
    }

    /// A value as a word of memory.
    pub fn encode(&mut self, bind: &Bind) -> V {
        use crate::program::kernel::Bin;
        match bind {
            Bind::Word(v) => *v,
            Bind::Cell(c) => self.f.bin(Bin::Add, *c, V::K(1)),
            Bind::Set(_) => V::K(0),
            Bind::Run(run) => {
                let way = self.f.bin(Bin::Shl, run.way, V::K(16));
                let length = self.f.bin(Bin::Shl, run.length, V::K(32));
                let word = self.f.bin(Bin::Or, run.start, V::K(1 << 63));
                let word = self.f.bin(Bin::Or, word, way);
                self.f.bin(Bin::Or, word, length)
            }
        }
    }

    /// The slot of a variable that is not kept for each cell.
    pub fn slot_of(&self, var: VarId, index: usize) -> Option<Slot> {
        self.slots.vars[var.0 as usize].map(|s| Slot(s.0 + index as u16))
    }

    /// Whether a variable is read from an instruction on.
    pub fn is_live(&self, var: VarId, pc: Pc) -> bool {
        let at = var.0 as usize;
        self.live
            .get(pc.0 as usize)
            .is_some_and(|bits| bits[at / 64] >> (at % 64) & 1 == 1)
    }

    /// Whether an effect that waits changes what is read.
    pub fn waits(&self, env: &Env, owned: u32, others: bool) -> bool {
        env.pending
            .iter()
            .any(|p| others || self.touched(p) & owned != 0)
    }

    /// The players whose sets an effect changes.
    pub fn touched(&self, p: &Pending) -> u32 {
        let bits = |fact: Fact| fact.owners;
        match p {
            Pending::Put(_, _, V::K(0), _, was) if was.vacant() || !self.program.stacking => 0,
            Pending::Put(_, _, V::K(p), _, was) if was.vacant() => 1 << (p - 1),
            Pending::Carry(_, _, from, to) if !self.program.stacking => bits(*from) | bits(*to),
            Pending::Clear(_, _, fact) => bits(*fact),
            Pending::Promote(..) => 0,
            Pending::Advance(run, ..) => bits(run.fact),
            _ => u32::MAX,
        }
    }

    /// The program's instruction.
    pub fn op(&self, pc: Pc) -> &'p Op {
        &self.program.code[pc.0 as usize]
    }

    /// Where a subprogram begins.
    pub fn sub(&mut self, sub: crate::program::SubId) -> Pc {
        let pc = self.program.subs[sub.0 as usize];
        if pc == NO_PC {
            self.refuse("a subprogram is missing");
            return Pc(0);
        }
        pc
    }
}
