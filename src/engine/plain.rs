//! The engine's front: legal actions, playing them, outcomes. Checked calls and unchecked ones; every result is a value.

use crate::base::Span;
use crate::board::Cell;
use crate::engine::errors::{PlayError, PositionError, Refusal};
use crate::engine::executor::{Executor, Frame};
use crate::engine::fast::{Fast, GaveUp};
use crate::engine::fingerprint::rules_hash;
use crate::engine::history::Past;
use crate::engine::interpreter::{Interpreter, Plain, Verdict};
use crate::engine::machine::Fault;
use crate::engine::run::Found;
use crate::engine::state::{PieceAt, Position, State};
use crate::engine::watch::Watch;
use crate::engine::{notation, parse, print};
use crate::program::kernel::{Kernel, Work};
use crate::program::{
    EndResult, KindId, PlayerId, PointId, Program, TemplateId, WORD_HASH, WORD_LAST, WORD_SEATS,
};
use std::sync::{Arc, OnceLock};

/// Makes the kernel of a program for some work, and what runs it; nothing when there is none.
pub type Maker =
    Box<dyn Fn(&Program, Work) -> Option<(Arc<Kernel>, Box<dyn Executor>)> + Send + Sync>;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// For whom.
    pub result: OutcomeResult,
    /// The name of the end clause.
    pub by: Arc<str>,
}

/// For whom a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutcomeResult {
    /// One player won.
    Win(PlayerId),
    /// One player lost, and several others did not; only with three players or more.
    Lose(PlayerId),
    /// Nobody won.
    Draw,
    /// The highest score won.
    Scores {
        /// One for each player.
        scores: Vec<i64>,
        /// The player with the highest, when there is only one.
        winner: Option<PlayerId>,
    },
}

/// A legal action, with the position that it leads to.
#[derive(Clone, Debug)]
pub struct Action {
    /// How it is written; unique in its position.
    pub text: String,
    template: u32,
    /// What its text was made from.
    words: Vec<u32>,
    next: Position,
}

impl PartialEq for Action {
    fn eq(&self, other: &Action) -> bool {
        self.text == other.text && self.template == other.template && self.next == other.next
    }
}

impl Eq for Action {}

/// Plays a compiled game. It can be shared between threads.
///
/// ```
/// let source = gambol::base::Source::new("tiny", "
///     game \"Tiny\"
///     players White, Black
///     board square(2, 2)
///     piece stone
///     rule Drop \"{spot}\" { choose spot in empty; place stone at spot }
///     turn Drop
///     end at start of turn { lose when stuck }
/// ".replace("\n    ", "\n"));
/// let program = gambol::compile(&source, &[]).program.expect("a game");
/// let engine = gambol::engine::Engine::new(program)?;
/// let start = engine.initial();
/// let actions = engine.legal_actions(&start)?;
/// assert_eq!(actions.iter().map(|a| a.text.as_str()).collect::<Vec<_>>(), ["a1", "a2", "b1", "b2"]);
/// let next = engine.play(&start, &actions[0]);
/// assert_eq!(engine.print(&next), "2/S1 b");
/// # Ok::<(), gambol::engine::PlayError>(())
/// ```
pub struct Engine {
    program: Program,
    interpreter: Box<dyn Interpreter>,
    /// For each work what runs its kernel, made when that is first asked for.
    fast: [OnceLock<Option<Fast>>; Work::ALL.len()],
    maker: Option<Maker>,
    initial: State,
    rules_hash: OnceLock<u64>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.program.about.title)
    }
}

impl Engine {
    /// An engine for a program; carries out the setup.
    ///
    /// # Errors
    /// When the setup cannot be carried out.
    pub fn new(program: Program) -> Result<Engine, PlayError> {
        let interpreter = match program.layout.words {
            1 => Plain::<1>::boxed(&program),
            2 => Plain::<2>::boxed(&program),
            3 => Plain::<3>::boxed(&program),
            4 => Plain::<4>::boxed(&program),
            6 => Plain::<6>::boxed(&program),
            8 => Plain::<8>::boxed(&program),
            11 => Plain::<11>::boxed(&program),
            _ => Plain::<20>::boxed(&program),
        };
        let initial = interpreter.setup(&program)?;
        Ok(Engine {
            program,
            interpreter,
            fast: [const { OnceLock::new() }; Work::ALL.len()],
            maker: None,
            initial,
            rules_hash: OnceLock::new(),
        })
    }

    /// The engine with kernels of its program, which then answer; where one gives up, the plain engine does. They are made when
    /// their work is first asked for; where none is made, the plain engine does that work.
    #[must_use]
    pub fn with_kernels(mut self, maker: Maker) -> Engine {
        self.maker = Some(maker);
        self
    }

    /// The kernel for some work and what runs it, when there is one.
    pub(super) fn fast(&self, work: Work) -> Option<&Fast> {
        let maker = self.maker.as_ref()?;
        let made = self.fast[work as usize].get_or_init(|| {
            let (kernel, executor) = maker(&self.program, work)?;
            Some(Fast::new(&self.program, kernel, executor))
        });
        made.as_ref()
    }

    /// The kernel that answers for some work, when there is one.
    #[must_use]
    pub fn kernel(&self, work: Work) -> Option<&Kernel> {
        self.fast(work).map(|f| f.kernel.as_ref())
    }

    /// Makes a kernel and its functions ready that some work asks for, which are else made ready when they are first called, as
    /// those that tell actions' texts are.
    pub fn prepare(&self, work: Work) {
        let Some(fast) = self.fast(work) else { return };
        fast.prepare(&fast.kernel.asked());
    }

    /// The kernels that were made.
    fn kernels(&self) -> impl Iterator<Item = &Fast> {
        self.fast.iter().filter_map(OnceLock::get).flatten()
    }

    /// Waits until the machine code that was asked for is as good as it will be: it is made soon first, and better meanwhile.
    pub fn settle(&self) {
        self.kernels().for_each(Fast::settle);
    }

    /// How often a kernel gave up, so that the plain engine answered.
    #[must_use]
    pub fn gave_up(&self) -> u64 {
        self.kernels().map(Fast::gave_up).sum()
    }

    /// How often a kernel had to compare the texts of all actions that it had listed, as two ways to one might have the same.
    #[must_use]
    pub fn told_apart(&self) -> u64 {
        self.kernels().map(Fast::often_told_apart).sum()
    }

    /// What can be done, found by the kernel when there is one.
    fn found(&self, position: &Position, counting: bool) -> Result<Vec<Found>, PlayError> {
        if let Some(fast) = self.fast(Work::Counting)
            && let Ok(found) = fast.actions(&self.program, position, counting)
        {
            return Ok(found);
        }
        self.interpreter
            .actions(&self.program, position, counting)
            .map_err(|f| self.failed(f, position))
    }

    /// The end that holds: by the kernel when there is one.
    fn verdict(&self, position: &Position) -> Result<Option<Verdict>, PlayError> {
        let made = self.kernels().next();
        if let Some(fast) = made.or_else(|| self.fast(Work::Counting)) {
            let mut frame = fast.frame();
            let mut verdict = Err(GaveUp);
            if fast.load(&self.program, position, &mut frame) {
                // Compared with the start of a game by whole states, so nothing need be left out here.
                let start = [u64::MAX];
                let start: &[u64] = if position.state == self.initial {
                    &[]
                } else {
                    &start
                };
                let end = fast.end(&self.program, &mut frame, start, false);
                verdict = end.and_then(|end| {
                    let held = end.get();
                    held.map(|(end, me)| self.verdict_in(fast, &mut frame, end, me))
                        .transpose()
                });
            }
            fast.give_back(frame);
            if let Ok(verdict) = verdict {
                return Ok(verdict);
            }
        }
        self.plain_verdict(position)
    }

    fn plain_verdict(&self, position: &Position) -> Result<Option<Verdict>, PlayError> {
        self.interpreter
            .verdict(&self.program, position, self.last(position))
            .map_err(|f| self.failed(f, position))
    }

    /// The number of legal actions, by the plain engine.
    pub(super) fn count_plainly(&self, position: &Position) -> Result<u64, PlayError> {
        if self.plain_verdict(position)?.is_some() {
            return Ok(0);
        }
        let found = self.plainly(position, true)?;
        self.count_found(position, found)
    }

    /// The legal actions, by the plain engine.
    pub(super) fn list_plainly(&self, position: &Position) -> Result<Vec<Action>, PlayError> {
        if self.plain_verdict(position)?.is_some() {
            return Ok(Vec::new());
        }
        let found = self.plainly(position, false)?;
        self.list_found(position, found)
    }

    /// How the game ended, by the plain engine.
    pub(super) fn outcome_plainly(
        &self,
        position: &Position,
    ) -> Result<Option<Outcome>, PlayError> {
        let verdict = self.plain_verdict(position)?;
        Ok(verdict.map(|v| self.outcome_of(v)))
    }

    fn plainly(&self, position: &Position, counting: bool) -> Result<Vec<Found>, PlayError> {
        self.interpreter
            .actions(&self.program, position, counting)
            .map_err(|f| self.failed(f, position))
    }

    /// The position in a kernel's memory, and what came before it.
    pub(super) fn position_in(&self, fast: &Fast, frame: &Frame, past: Past) -> Position {
        let mut state = fast.store(&self.program, frame);
        let hashes = self.interpreter.hashes(&self.program, &state);
        state.words[WORD_HASH..WORD_HASH + 3].copy_from_slice(&hashes);
        Position { state, past }
    }

    /// How the game ended in a kernel's memory, by an end and whom it calls `me`.
    pub(super) fn outcome_in(
        &self,
        fast: &Fast,
        frame: &mut Frame,
        end: usize,
        me: u8,
    ) -> Result<Outcome, GaveUp> {
        Ok(self.outcome_of(self.verdict_in(fast, frame, end, me)?))
    }

    fn verdict_in(
        &self,
        fast: &Fast,
        frame: &mut Frame,
        end: usize,
        me: u8,
    ) -> Result<Verdict, GaveUp> {
        Ok(Verdict {
            end,
            me: PlayerId(me),
            scores: fast.scores(&self.program, end, me, frame)?,
        })
    }

    /// How many instructions the plain engine has carried out to find actions since it was made, and how many squares of pictures it has
    /// looked at: what it did, however long that took.
    #[must_use]
    pub fn worked(&self) -> u64 {
        self.interpreter.worked()
    }

    /// The program that it runs.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The position at the start of a game.
    #[must_use]
    pub fn initial(&self) -> Position {
        Position {
            state: self.initial.clone(),
            past: Past::default(),
        }
    }

    /// The legal actions, sorted by their text; none when the game is over.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn legal_actions(&self, position: &Position) -> Result<Vec<Action>, PlayError> {
        if self.verdict(position)?.is_some() {
            return Ok(Vec::new());
        }
        let found = self.found(position, false)?;
        self.list_found(position, found)
    }

    fn list_found(&self, position: &Position, found: Vec<Found>) -> Result<Vec<Action>, PlayError> {
        let past = self.past_after(position);
        let mut actions: Vec<Action> = Vec::with_capacity(found.len());
        for one in found {
            let Some(state) = one.next else { continue };
            let text = notation::text(&self.program, &one.text);
            let template = one.text.first().copied().unwrap_or(0);
            actions.push(Action {
                text,
                template,
                words: one.text,
                next: Position {
                    state,
                    past: past.clone(),
                },
            });
        }
        actions.sort_by(|a, b| (&a.text, a.template).cmp(&(&b.text, b.template)));
        // Ways to the same position under the same text are one action.
        actions.dedup_by(|a, b| a.text == b.text && a.next == b.next);
        match actions.windows(2).find(|w| w[0].text == w[1].text) {
            Some(twins) => {
                let span = self
                    .program
                    .templates
                    .get(twins[1].template as usize)
                    .map_or_else(Default::default, |t| t.span);
                Err(PlayError::Ambiguous {
                    text: twins[0].text.clone(),
                    position: self.print(position),
                    span,
                })
            }
            None => Ok(actions),
        }
    }

    /// An action that can be played in two ways with the same result, and the places of all notations that are written like it.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn merged_action(
        &self,
        position: &Position,
    ) -> Result<Option<(String, Vec<Span>)>, PlayError> {
        let mut found = self
            .interpreter
            .actions(&self.program, position, false)
            .map_err(|f| self.failed(f, position))?;
        found.sort_by_key(|f| (f.key, f.result));
        let twins = found
            .windows(2)
            .find(|w| w[0].key == w[1].key && w[0].next == w[1].next);
        Ok(twins.map(|w| {
            let first = w[0].text.first().copied().unwrap_or(0);
            let places = self.program.places_alike(TemplateId(first));
            (notation::text(&self.program, &w[0].text), places)
        }))
    }

    /// The number of legal actions.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn count_actions(&self, position: &Position) -> Result<u64, PlayError> {
        if self.verdict(position)?.is_some() {
            return Ok(0);
        }
        let found = self.found(position, true)?;
        self.count_found(position, found)
    }

    fn count_found(&self, position: &Position, found: Vec<Found>) -> Result<u64, PlayError> {
        let mut found: Vec<(u64, u64)> = found.into_iter().map(|f| (f.key, f.result)).collect();
        found.sort_unstable();
        found.dedup();
        if found.windows(2).any(|w| w[0].0 == w[1].0) {
            // Some text is ambiguous; listing the actions tells which.
            return self.legal_actions(position).map(|a| a.len() as u64);
        }
        Ok(found.len() as u64)
    }

    /// Plays an action that `legal_actions` gave for this position. Nothing is checked.
    #[must_use]
    pub fn play(&self, position: &Position, action: &Action) -> Position {
        let _ = position;
        action.next.clone()
    }

    /// The cells that an action's text names, in the order in which it names them.
    #[must_use]
    pub fn cells_of(&self, action: &Action) -> Vec<Cell> {
        notation::cells(&self.program, &action.words)
    }

    /// Plays the action of that text.
    ///
    /// # Errors
    /// When it is not legal, the game is over, or the rules fail in this position.
    pub fn play_text(&self, position: &Position, text: &str) -> Result<Position, Refusal> {
        if let Some(outcome) = self.outcome(position).map_err(Refusal::Failed)? {
            return Err(Refusal::Over(outcome));
        }
        let actions = self.legal_actions(position).map_err(Refusal::Failed)?;
        match actions.iter().find(|a| a.text == text) {
            Some(action) => Ok(self.play(position, action)),
            None => Err(Refusal::illegal(
                text,
                actions.iter().map(|a| a.text.as_str()),
            )),
        }
    }

    /// Runs the rules of a position once and notes what a watch wants to know.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn watch(&self, position: &Position, watch: Watch) -> Result<Watch, PlayError> {
        self.interpreter
            .watch(&self.program, position, watch)
            .map_err(|f| self.failed(f, position))
    }

    /// The number of the end clause by which the game has ended, when it has.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn ended_by(&self, position: &Position) -> Result<Option<usize>, PlayError> {
        Ok(self.verdict(position)?.map(|v| v.end))
    }

    /// The position of a state that a watched run has led to.
    #[must_use]
    pub fn position_of(&self, before: &Position, state: State) -> Position {
        Position {
            state,
            past: self.past_after(before),
        }
    }

    /// How the game ended, when it has.
    ///
    /// # Errors
    /// When the rules fail in this position.
    pub fn outcome(&self, position: &Position) -> Result<Option<Outcome>, PlayError> {
        Ok(self.verdict(position)?.map(|v| self.outcome_of(v)))
    }

    fn outcome_of(&self, verdict: Verdict) -> Outcome {
        let Verdict { end, me, scores } = verdict;
        let clause = &self.program.ends[end];
        let result = match &clause.result {
            EndResult::Win => OutcomeResult::Win(me),
            EndResult::Lose if self.program.players.len() == 2 => {
                OutcomeResult::Win(PlayerId(me.0 ^ 1))
            }
            EndResult::Lose => OutcomeResult::Lose(me),
            EndResult::Draw => OutcomeResult::Draw,
            EndResult::Score(_) => {
                let best = scores.iter().max().copied();
                let leaders: Vec<usize> = (0..scores.len())
                    .filter(|p| Some(scores[*p]) == best)
                    .collect();
                let winner = if let [one] = leaders.as_slice() {
                    Some(PlayerId(u8::try_from(*one).unwrap_or(0)))
                } else {
                    None
                };
                OutcomeResult::Scores { scores, winner }
            }
        };
        Outcome {
            result,
            by: clause.name.clone(),
        }
    }

    /// The player who made the last turn; nobody at the start of a game, which a game whose rules look back is known to have come back
    /// to by its past.
    fn last(&self, position: &Position) -> Option<PlayerId> {
        if position.state == self.initial && position.past.is_empty() {
            return None;
        }
        let said = position.state.words[WORD_LAST];
        let count = u8::try_from(self.program.players.len()).unwrap_or(1);
        Some(
            match u8::try_from(said).ok().and_then(|s| s.checked_sub(1)) {
                Some(p) => PlayerId(p),
                None => PlayerId((position.state.mover().0 + count - 1) % count),
            },
        )
    }

    /// The past of the positions that follow a position.
    fn past_after(&self, position: &Position) -> Past {
        if !self.program.looks_back || position.state.point() != 0 {
            return position.past.clone();
        }
        position
            .past
            .with(position.state.repetition_key(), position.state.pieces_key())
    }

    fn failed(&self, fault: Fault, position: &Position) -> PlayError {
        let position = self.print(position);
        match fault {
            Fault::Runaway(pc) => PlayError::Runaway {
                position,
                span: self.program.span_by(pc),
            },
            Fault::TooMany => PlayError::TooMany { position },
            Fault::NoTurn => PlayError::NoTurn { position },
        }
    }

    /// The player to move.
    #[must_use]
    pub fn to_move(&self, position: &Position) -> PlayerId {
        position.state.mover()
    }

    /// Whose side a player is on: the player that the same person was at the start of the game, before seats were exchanged.
    #[must_use]
    pub fn person(&self, position: &Position, player: PlayerId) -> PlayerId {
        match (position.state.words[WORD_SEATS], player) {
            (0, player) => player,
            (_, PlayerId(0)) => PlayerId(1),
            (_, PlayerId(1)) => PlayerId(0),
            (_, player) => player,
        }
    }

    /// A key under which two positions have the same future: their states, and where rules look back what came before.
    #[must_use]
    pub fn key(&self, position: &Position) -> u64 {
        let state = position.state.hash();
        if self.program.looks_back {
            state ^ position.past.key()
        } else {
            state
        }
    }

    /// A key under which two positions are the same for rules of repetition: pieces, hands, who is to move and what else those
    /// compare, but not what merely counts turns.
    #[must_use]
    pub fn repetition_key(&self, position: &Position) -> u64 {
        position.state.repetition_key()
    }

    /// The decision point that the position stands at; the first is the start of a turn.
    #[must_use]
    pub fn point(&self, position: &Position) -> PointId {
        PointId(u32::try_from(position.state.point()).unwrap_or(0))
    }

    /// Whether the position stands between two turns.
    #[must_use]
    pub fn starts_turn(&self, position: &Position) -> bool {
        position.state.point() == 0
    }

    /// The position as one line.
    #[must_use]
    pub fn print(&self, position: &Position) -> String {
        print::line(&self.program, &position.state)
    }

    /// The position of a line. What came before it is not known.
    ///
    /// # Errors
    /// What is wrong with the line, and in which column.
    pub fn parse(&self, line: &str) -> Result<Position, PositionError> {
        let mut state = parse::line(&self.program, line)?;
        let hashes = self.interpreter.hashes(&self.program, &state);
        state.words[WORD_HASH..WORD_HASH + 3].copy_from_slice(&hashes);
        let position = Position {
            state,
            past: Past::default(),
        };
        if position.state.point() > 0 {
            self.can_go_on(&position, line)?;
        }
        Ok(position)
    }

    /// In the middle of a turn some action must be possible, else the values do not belong together.
    fn can_go_on(&self, position: &Position, line: &str) -> Result<(), PositionError> {
        let found = self
            .interpreter
            .actions(&self.program, position, true)
            .unwrap_or_default();
        if !found.is_empty() {
            return Ok(());
        }
        let before = line.find("at=").map_or("", |at| &line[..at]);
        Err(PositionError {
            column: before.chars().count() + 1,
            message: "the turn cannot go on from here".to_owned(),
            help: Some("the values behind the player to move do not belong together".to_owned()),
        })
    }

    /// The Zobrist hash of the position.
    #[must_use]
    pub fn hash(&self, position: &Position) -> u64 {
        position.state.hash()
    }

    /// Whether the hash that was kept up to date is the one computed from nothing.
    #[must_use]
    pub fn hash_is_true(&self, position: &Position) -> bool {
        self.interpreter.hashes(&self.program, &position.state)
            == position.state.words[WORD_HASH..WORD_HASH + 3]
    }

    /// A hash of the rules under their options.
    #[must_use]
    pub fn rules_hash(&self) -> u64 {
        *(self.rules_hash).get_or_init(|| rules_hash(&self.program, &self.initial))
    }

    /// The pieces on a cell, from the bottom.
    #[must_use]
    pub fn stack(&self, position: &Position, cell: Cell) -> Vec<PieceAt> {
        position.state.pieces_on(&self.program, cell)
    }

    /// Shows every piece on the board, cell by cell or kind by kind: its cell, how many lie below it, and whether it is on top.
    pub fn each_piece(&self, position: &Position, see: &mut dyn FnMut(Cell, PieceAt, usize, bool)) {
        position.state.each_piece(&self.program, see);
    }

    /// The pieces that are up in the middle of a turn, from the bottom.
    #[must_use]
    pub fn lifted(&self, position: &Position) -> Vec<PieceAt> {
        position
            .state
            .pieces(&self.program, self.program.board.len())
    }

    /// How many pieces of a kind a player holds.
    #[must_use]
    pub fn hand(&self, position: &Position, player: PlayerId, kind: KindId) -> u64 {
        if !self.program.hands {
            return 0;
        }
        let at = self.program.layout.hands
            + usize::from(player.0) * self.program.kinds.len()
            + usize::from(kind.0);
        position.state.words.get(at).copied().unwrap_or(0)
    }

    /// The kept values that are not at their beginning, as in the position line.
    #[must_use]
    pub fn values(&self, position: &Position) -> Vec<(String, String)> {
        print::values(&self.program, &position.state)
    }
}
