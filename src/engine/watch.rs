//! Watching a run: which instructions were reached, what they let through, and which of them refuse an action that was
//! asked for. To find those, refusals are excused, as few as needed, until the action is found. Nothing here changes what
//! is legal: a watched run without excuses finds the same actions.

use crate::board::{Board, Cell, CellSet};
use crate::engine::machine::Machine;
use crate::engine::notation;
use crate::engine::run::{Flow, Mode};
use crate::engine::state::State;
use crate::program::{Compare, Num, Pc, Truth, VarId, VarType, op_vars};

/// What is noted while a program runs.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// For each instruction how often it was reached.
    pub reached: Vec<u64>,
    /// For each instruction how often it let a run through: a requirement that held, a way of a choice, an effect done.
    pub passed: Vec<u64>,
    /// Whether runs that only ask whether something is possible are left out.
    pub listing_only: bool,
    /// Where the run begins, when that is not where the turn stands.
    pub entry: Option<Pc>,
    /// The instructions from the start of the action to here.
    path: Vec<Pc>,
    /// What holds the most of ways of which there is none.
    unmeasured: Vec<VarId>,
    search: Option<Search>,
}

/// An action that is looked for, and how many refusals may be excused on the way.
#[derive(Clone, Debug)]
struct Search {
    wanted: String,
    /// The cells that the text names: what is chosen beyond the rules must be among them.
    named: Vec<Cell>,
    left: usize,
    misses: Vec<Miss>,
    found: Option<Account>,
    /// The last requirement that refused to complete a turn.
    refused: Option<Pc>,
}

/// A refusal that was excused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Miss {
    /// The instruction that refused.
    pub pc: Pc,
    /// How.
    pub kind: MissKind,
    /// The cells that it is about.
    pub cells: Vec<Cell>,
}

/// How an instruction refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MissKind {
    /// A requirement does not hold.
    Requirement,
    /// Something else can be played, and must be.
    Forced,
    /// The turn could not be completed, because of a later requirement when one is known.
    Unfinished(Option<Pc>),
    /// What was lifted has not been dropped when the turn ends.
    Lifted,
    /// An effect cannot be done.
    Effect,
    /// What was chosen is not among what may be chosen.
    Choice,
    /// A picture's square of that number does not fit, or its number of cells.
    Square(usize),
    /// A picture is not looked for in that direction.
    Direction,
}

/// How an action came about.
#[derive(Clone, Debug)]
pub struct Account {
    /// The instructions, from the beginning of the turn's part to the end of the action.
    pub path: Vec<Pc>,
    /// The refusals that had to be excused; none for a legal action.
    pub misses: Vec<Miss>,
    /// The state that it leads to.
    pub next: State,
}

impl Watch {
    /// Counts what is reached and what passes.
    #[must_use]
    pub fn counting(listing_only: bool) -> Watch {
        Watch {
            listing_only,
            ..Watch::default()
        }
    }

    /// Looks for an action, excusing at most so many refusals. What is excused as chosen wrongly is one of the cells that
    /// the action names.
    #[must_use]
    pub fn search(board: &Board, wanted: &str, excuses: usize) -> Watch {
        let cells = board.cells();
        let named = cells.iter().filter(|c| names(wanted, board.name(*c)));
        Watch {
            listing_only: true,
            search: Some(Search {
                wanted: wanted.to_owned(),
                named: named.collect(),
                left: excuses,
                misses: Vec::new(),
                found: None,
                refused: None,
            }),
            ..Watch::default()
        }
    }

    /// The action that was looked for, when it was found.
    #[must_use]
    pub fn into_found(self) -> Option<Account> {
        self.search.and_then(|s| s.found)
    }

    /// Whether it looks for an action.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.search.is_some()
    }

    /// Adds another watch's counts.
    pub fn add(&mut self, other: &Watch) {
        for (mine, theirs) in [
            (&mut self.reached, &other.reached),
            (&mut self.passed, &other.passed),
        ] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            for (sum, n) in mine.iter_mut().zip(theirs) {
                *sum += n;
            }
        }
    }

    /// Makes room for a program's instructions.
    pub fn fit(&mut self, code: usize) {
        self.reached.resize(code, 0);
        self.passed.resize(code, 0);
    }
}

/// Whether a text names a cell: the name stands in it, and no digit behind that.
fn names(text: &str, cell: &str) -> bool {
    text.match_indices(cell)
        .any(|(at, _)| !text[at + cell.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether two texts differ at most in the signs for quiet moves and captures.
fn alike(text: &str, wanted: &str) -> bool {
    let bare = |t: &str| t.replace('x', "-");
    text.len() == wanted.len() && bare(text) == bare(wanted)
}

/// How far a refusal is from being a rule's own word: of several explanations the one with the least is told.
fn weight(kind: MissKind) -> u32 {
    match kind {
        MissKind::Requirement => 0,
        MissKind::Forced | MissKind::Unfinished(_) | MissKind::Lifted => 1,
        MissKind::Choice | MissKind::Square(_) => 2,
        MissKind::Effect | MissKind::Direction => 3,
    }
}

fn weights(misses: &[Miss]) -> u32 {
    misses.iter().map(|m| 4 + weight(m.kind)).sum()
}

impl<'p, const N: usize> Machine<'p, N> {
    fn lists(&self) -> bool {
        matches!(self.mode, Mode::List | Mode::Settle)
    }

    /// Notes that an instruction is reached.
    pub fn note(&mut self, pc: Pc) {
        let lists = self.lists();
        if let Some(watch) = &mut self.watch
            && (lists || !watch.listing_only)
        {
            watch.reached[pc.0 as usize] += 1;
            if lists {
                watch.path.push(pc);
            }
        }
    }

    /// Notes that an instruction let a run through.
    pub fn note_passed(&mut self, pc: Pc) {
        let lists = self.lists();
        if let Some(watch) = &mut self.watch
            && (lists || !watch.listing_only)
            && let Some(passed) = watch.passed.get_mut(pc.0 as usize)
        {
            *passed += 1;
        }
    }

    /// How long the path is.
    pub fn path_mark(&self) -> usize {
        self.watch.as_ref().map_or(0, |w| w.path.len())
    }

    /// Goes back on the path.
    pub fn path_back(&mut self, mark: usize) {
        if let Some(watch) = &mut self.watch {
            watch.path.truncate(mark);
        }
    }

    /// Whether a refusal may be excused here.
    pub fn may_excuse(&self) -> bool {
        self.lists()
            && self
                .watch
                .as_ref()
                .and_then(|w| w.search.as_ref())
                .is_some_and(|s| s.left > 0)
    }

    /// Whether the action that is looked for names a cell.
    pub fn is_named(&self, cell: Cell) -> bool {
        self.watch
            .as_ref()
            .and_then(|w| w.search.as_ref())
            .is_none_or(|s| s.named.is_empty() || s.named.contains(&cell))
    }

    /// Excuses a refusal until `unexcuse`.
    pub fn excuse(&mut self, pc: Pc, kind: MissKind, cells: Vec<Cell>) {
        if let Some(search) = self.watch.as_mut().and_then(|w| w.search.as_mut()) {
            search.left = search.left.saturating_sub(1);
            search.misses.push(Miss { pc, kind, cells });
        }
    }

    /// The last excuse is over.
    pub fn unexcuse(&mut self) {
        if let Some(search) = self.watch.as_mut().and_then(|w| w.search.as_mut()) {
            search.left += 1;
            search.misses.pop();
        }
    }

    /// An instruction refuses: the branch ends here, unless that is excused.
    pub fn refused(&mut self, pc: Pc, kind: MissKind, then: Pc) -> Flow {
        if self.watch.is_none() {
            return Flow::Go;
        }
        if matches!(self.mode, Mode::Probe)
            && let Some(search) = self.watch.as_mut().and_then(|w| w.search.as_mut())
        {
            search.refused = Some(pc);
        }
        if !self.may_excuse() {
            return Flow::Go;
        }
        let cells = self.cells_in_question(pc);
        self.excuse(pc, kind, cells);
        let flow = self.deeper(then);
        self.unexcuse();
        flow
    }

    /// A jump's other way than the one that is taken, where that is looked at.
    pub fn other_way(&mut self, pc: Pc, to: Pc, holds: bool) -> Flow {
        if holds {
            self.goes_on(pc, to)
        } else {
            self.in_vain(pc)
        }
    }

    /// A jump does not jump: what it jumps to is played all the same, if that is excused.
    fn goes_on(&mut self, pc: Pc, to: Pc) -> Flow {
        self.note_passed(pc);
        if !self.may_excuse() || !self.program.forced.contains(&pc) {
            return Flow::Go;
        }
        let mark = self.log.len();
        let flow = self.refused(pc, MissKind::Forced, to);
        self.undo(mark);
        flow
    }

    /// Whether what leads to no action is looked at all the same, as it is to be told why.
    fn looks_in_vain(&self) -> bool {
        matches!(self.mode, Mode::List) && self.watch.as_ref().is_some_and(|w| w.listing_only)
    }

    /// A jump passes by what cannot be played: that is looked at all the same, to see what refuses it. Nothing that is legal
    /// comes of it.
    fn in_vain(&mut self, pc: Pc) -> Flow {
        if !self.looks_in_vain() || !self.program.forced.contains(&pc) {
            return Flow::Go;
        }
        let mark = self.log.len();
        let flow = self.deeper(Pc(pc.0 + 1));
        self.undo(mark);
        flow
    }

    /// No way has the most of something, as there is none: the ways are looked at all the same, without being measured.
    pub fn unmeasured(&mut self, most: VarId, next: Pc) -> Flow {
        if !self.looks_in_vain() {
            return Flow::Go;
        }
        if let Some(watch) = &mut self.watch {
            watch.unmeasured.push(most);
        }
        let flow = self.deeper(next);
        if let Some(watch) = &mut self.watch {
            watch.unmeasured.pop();
        }
        flow
    }

    /// Whether a requirement asks for the most of ways of which there is none.
    pub fn is_unmeasured(&self, test: &Truth) -> bool {
        let Some(watch) = &self.watch else {
            return false;
        };
        let Truth::Compare(Compare::Equal, _, most) = test else {
            return false;
        };
        matches!(&**most, Num::Var(v) if watch.unmeasured.contains(v))
    }

    /// A turn cannot be completed behind an action: the action is taken down if that is excused.
    pub fn unfinished(&mut self, pc: Pc) {
        if self.may_excuse() {
            let refused = self
                .watch
                .as_ref()
                .and_then(|w| w.search.as_ref())
                .and_then(|s| s.refused);
            self.excuse(pc, MissKind::Unfinished(refused), Vec::new());
            self.record();
            self.unexcuse();
        }
    }

    /// Forgets what refused to complete a turn before.
    pub fn forget_refusal(&mut self) {
        if let Some(search) = self.watch.as_mut().and_then(|w| w.search.as_mut()) {
            search.refused = None;
        }
    }

    /// Something is up at the end of a turn.
    pub fn still_lifted(&mut self, pc: Pc) -> bool {
        let excused = self.may_excuse();
        if excused {
            self.excuse(pc, MissKind::Lifted, Vec::new());
        }
        excused
    }

    /// Ends what `still_lifted` began.
    pub fn lifted_no_more(&mut self) {
        self.unexcuse();
    }

    /// Compares an action that is complete with the one that is looked for. Whether one is looked for at all.
    pub fn compare_with_wanted(&mut self) -> bool {
        let Some(search) = self.watch.as_ref().and_then(|w| w.search.as_ref()) else {
            return false;
        };
        let better = search
            .found
            .as_ref()
            .is_none_or(|f| weights(&f.misses) > weights(&search.misses));
        if !better {
            return true;
        }
        let text = notation::text(self.program, &self.text);
        let excused = !search.misses.is_empty();
        if text == search.wanted || (excused && alike(&text, &search.wanted)) {
            let next = self.store();
            if let Some(watch) = &mut self.watch
                && let Some(search) = &mut watch.search
            {
                search.found = Some(Account {
                    path: watch.path.clone(),
                    misses: search.misses.clone(),
                    next,
                });
            }
        }
        true
    }

    /// The cells that an instruction speaks of, as they are now.
    fn cells_in_question(&mut self, pc: Pc) -> Vec<Cell> {
        let program = self.program;
        let op = &program.code[pc.0 as usize];
        let mut reads = op_vars(op, &program.pictures, &program.templates).reads;
        reads.sort_unstable();
        reads.dedup();
        let mut set = CellSet::<N>::EMPTY;
        for var in reads {
            match program.var(var).ty {
                VarType::Cell => {
                    if let Some(c) = self.word(var).checked_sub(1) {
                        set.insert(Cell(u16::try_from(c).unwrap_or(0)));
                    }
                }
                VarType::Run => set |= self.run_cells(var),
                VarType::Cells
                | VarType::Groups
                | VarType::Number
                | VarType::Truth
                | VarType::Direction
                | VarType::Directions
                | VarType::Player
                | VarType::Kind => {}
            }
        }
        set.iter().collect()
    }
}
