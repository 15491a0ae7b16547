//! Watching a run: which instructions were reached, what they let through, and which of them refuse an action that was
//! asked for. To find those, refusals are excused, as few as needed, until the action is found. Nothing here changes what
//! is legal: a watched run without excuses finds the same actions.

use crate::board::{Board, Cell, CellSet, Direction};
use crate::engine::eval::Run;
use crate::engine::machine::Machine;
use crate::engine::notation;
use crate::engine::pictures::Match;
use crate::engine::run::{Flow, Mode};
use crate::engine::state::State;
use crate::program::{Count, Domain, Pc, Picture, Square, VarId, VarType, op_vars};

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
    fn is_named(&self, cell: Cell) -> bool {
        self.watch
            .as_ref()
            .and_then(|w| w.search.as_ref())
            .is_none_or(|s| s.named.is_empty() || s.named.contains(&cell))
    }

    fn excuse(&mut self, pc: Pc, kind: MissKind, cells: Vec<Cell>) {
        if let Some(search) = self.watch.as_mut().and_then(|w| w.search.as_mut()) {
            search.left = search.left.saturating_sub(1);
            search.misses.push(Miss { pc, kind, cells });
        }
    }

    fn unexcuse(&mut self) {
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

    /// Goes on with what may not be chosen.
    pub fn choose_beyond(&mut self, var: VarId, domain: &'p Domain, then: Pc) -> Flow {
        if !self.may_excuse() {
            return Flow::Go;
        }
        let pc = Pc(then.0 - 1);
        let place = self.place(var);
        let mut words: Vec<(u64, Vec<Cell>)> = Vec::new();
        match domain {
            Domain::Cells(set) => {
                let allowed = self.cells(set);
                let others = self.tables.all.without(allowed);
                let others: Vec<Cell> = others.iter().filter(|c| self.is_named(*c)).collect();
                words.extend(others.into_iter().map(|c| (u64::from(c.0) + 1, vec![c])));
            }
            Domain::Parts(set) => {
                let allowed = self.cells(set);
                return self.parts_beyond(place, allowed, then);
            }
            Domain::Numbers(low, high) => {
                let (low, high) = (self.num(low), self.num(high));
                let beyond = (low - BEYOND..low).chain(high + 1..=high + BEYOND);
                words.extend(beyond.map(|n| (n.cast_unsigned(), Vec::new())));
            }
            Domain::Kinds(kinds) => {
                let all = (0..self.program.kinds.len()).map(|k| k as u64);
                let others = all.filter(|k| !kinds.iter().any(|have| u64::from(have.0) == *k));
                words.extend(others.map(|k| (k + 1, Vec::new())));
            }
            Domain::Dirs(dirs) => {
                let dirs = self.dirs(dirs);
                let others =
                    all_ways(&self.program.board).filter(|d| !dirs.iter().any(|x| x == *d));
                words.extend(others.map(|d| (u64::from(d.0) + 1, Vec::new())));
            }
        }
        for (word, cells) in words {
            self.excuse(pc, MissKind::Choice, cells);
            let flow = self.with_word(place, word, then);
            self.unexcuse();
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    }

    /// Goes on with groups of the players that may not be chosen.
    fn parts_beyond(&mut self, place: usize, allowed: CellSet<N>, then: Pc) -> Flow {
        let pc = Pc(then.0 - 1);
        for player in 0..self.program.players.len() {
            let owned = self.set_at(self.program.layout.owned + player * N);
            let mut rest: CellSet<N> = owned;
            while let Some(first) = rest.first() {
                let part = self.part_at(rest, first);
                rest = rest.without(part);
                if !part.without(allowed).is_empty() {
                    self.excuse(pc, MissKind::Choice, part.iter().collect());
                    let mark = self.log.len();
                    self.poke_set(place, part);
                    let flow = self.deeper(then);
                    self.undo(mark);
                    self.unexcuse();
                    if flow == Flow::Stop {
                        return Flow::Stop;
                    }
                }
            }
        }
        Flow::Go
    }

    /// Goes on with every match of a picture, and with what nearly matches.
    pub fn line_nearly(&mut self, picture: &'p Picture, then: Pc, classes: &[CellSet<N>]) -> Flow {
        let pc = Pc(then.0 - 1);
        let ways = self.dirs(&picture.ways);
        let mut m = Match {
            picture,
            classes: classes.iter().copied().collect(),
            way: Direction(0),
            then,
        };
        for way in all_ways(&self.program.board) {
            m.way = way;
            let strange = !ways.iter().any(|w| w == way);
            if strange && !self.may_excuse() {
                continue;
            }
            if let Some(var) = picture.way {
                self.poke(self.place(var), u64::from(way.0) + 1);
            }
            for start in self.tables.all.iter() {
                let first = m.picture.squares.first();
                let stands = match first {
                    Some(Square::Cells { fixed: true, .. }) => m.classes[0].contains(start),
                    _ => true,
                };
                if !(self.is_named(start) || stands && !strange) {
                    continue;
                }
                if strange {
                    self.excuse(pc, MissKind::Direction, vec![start]);
                }
                let flow = self.squares_nearly(&m, 0, Some(start));
                if strange {
                    self.unexcuse();
                }
                if flow == Flow::Stop {
                    return Flow::Stop;
                }
            }
        }
        Flow::Go
    }

    fn squares_nearly(&mut self, m: &Match<'p, N>, index: usize, at: Option<Cell>) -> Flow {
        let pc = Pc(m.then.0 - 1);
        let miss = MissKind::Square(index);
        let Some(square) = m.picture.squares.get(index) else {
            let mark = self.log.len();
            let flow = self.deeper(m.then);
            self.undo(mark);
            return flow;
        };
        let Square::Cells {
            class,
            fixed,
            count,
            whole,
            bind,
        } = square
        else {
            return match at {
                None => self.squares_nearly(m, index + 1, None),
                Some(c) => {
                    self.excused_square(pc, miss, vec![c], |s| s.squares_nearly(m, index + 1, None))
                }
            };
        };
        let set = if *fixed {
            m.classes[index]
        } else {
            self.cells(class)
        };
        let (low, high, letter) = match count {
            Count::One => {
                let Some(here) = at else { return Flow::Go };
                if let Some(var) = bind {
                    self.poke(self.place(*var), u64::from(here.0) + 1);
                }
                let next = self.program.board.step(here, m.way);
                return if set.contains(here) {
                    self.squares_nearly(m, index + 1, next)
                } else {
                    self.excused_square(pc, miss, vec![here], |s| {
                        s.squares_nearly(m, index + 1, next)
                    })
                };
            }
            Count::New(var) => (1, i64::MAX, Some(*var)),
            Count::Between(low, high) => {
                let low = self.num(low).max(0);
                let high = high.as_ref().map_or(i64::MAX, |h| self.num(h));
                (low, high, None)
            }
        };
        let back = *whole && self.runs_back(m, set, at);
        let run = NearRun {
            set,
            low,
            high,
            letter,
            bind: *bind,
            whole: *whole,
            back,
        };
        self.run_nearly(m, index, at, &run)
    }

    /// A run of a picture: every length, strange cells and lengths excused.
    fn run_nearly(
        &mut self,
        m: &Match<'p, N>,
        index: usize,
        at: Option<Cell>,
        run: &NearRun<N>,
    ) -> Flow {
        let pc = Pc(m.then.0 - 1);
        let (mut length, mut next, mut excused) = (0i64, at, 0);
        let mut flow = Flow::Go;
        let mut cells = Vec::new();
        while flow == Flow::Go {
            let goes_on = next.is_some_and(|c| run.set.contains(c));
            let word = Run {
                start: at.unwrap_or(Cell(0)),
                way: m.way,
                length: u16::try_from(length).unwrap_or(u16::MAX),
            };
            if let Some(var) = run.bind {
                self.poke(self.place(var), word.word());
            }
            if let Some(var) = run.letter {
                self.poke(self.place(var), length.cast_unsigned());
            }
            let fits =
                length >= run.low && length <= run.high && !(run.whole && goes_on) && !run.back;
            flow = if fits {
                self.squares_nearly(m, index + 1, next)
            } else {
                let about = if cells.is_empty() {
                    next.into_iter().collect()
                } else {
                    cells.clone()
                };
                self.excused_square(pc, MissKind::Square(index), about, |s| {
                    s.squares_nearly(m, index + 1, next)
                })
            };
            let Some(c) = next else { break };
            if !goes_on {
                if !self.may_excuse() {
                    break;
                }
                self.excuse(pc, MissKind::Square(index), vec![c]);
                excused += 1;
            }
            if length >= run.high && !self.may_excuse() {
                break;
            }
            cells.push(c);
            length += 1;
            next = self.program.board.step(c, m.way).filter(|n| Some(*n) != at);
        }
        (0..excused).for_each(|_| self.unexcuse());
        flow
    }

    fn excused_square(
        &mut self,
        pc: Pc,
        kind: MissKind,
        cells: Vec<Cell>,
        go_on: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if !self.may_excuse() {
            return Flow::Go;
        }
        self.excuse(pc, kind, cells);
        let flow = go_on(self);
        self.unexcuse();
        flow
    }
}

/// So far beyond its bounds a chosen number is looked for.
const BEYOND: i64 = 20;

/// A square of a picture that holds a run.
struct NearRun<const N: usize> {
    set: CellSet<N>,
    low: i64,
    high: i64,
    letter: Option<VarId>,
    bind: Option<VarId>,
    whole: bool,
    /// Whether the run could be longer at its near end, though it must be whole.
    back: bool,
}

fn all_ways(board: &Board) -> impl Iterator<Item = Direction> + use<> {
    (0..board.directions()).map(|d| Direction(u8::try_from(d).unwrap_or(0)))
}
