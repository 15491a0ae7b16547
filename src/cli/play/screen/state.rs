//! What a screen knows besides the game: cursor, picks, list, message, page. Keys change it, drawing only reads it.

use crate::board::Cell;
use crate::cli::play::screen::areas::Areas;
use crate::tools::plan::Plan;
use crate::tools::session::{Choice, Due, Narrowing, Session};
use ratatui::layout::Size;

/// What the arrow keys move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// The cursor on the board.
    Board,
    /// The line in the list of actions.
    List,
}

/// Some lines to be read, before everything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// What they are.
    pub title: String,
    /// The lines.
    pub lines: Vec<String>,
    /// The first that is shown.
    pub top: usize,
}

/// What the screen knows besides the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The size of the window.
    pub size: Size,
    /// The cell under the cursor.
    pub cursor: Cell,
    /// The column that the cursor keeps to on its way up or down.
    pub goal: Option<usize>,
    /// What the arrow keys move.
    pub focus: Focus,
    /// The chosen line of the list.
    pub row: usize,
    /// What was told of the next action; its text is what is typed.
    pub narrow: Narrowing,
    /// What was last told.
    pub message: String,
    /// Whether that was a refusal.
    pub refused: bool,
    /// The action that was last refused.
    pub last_refused: Option<String>,
    /// Lines to be read.
    pub page: Option<Page>,
    /// Whether colours may be used.
    pub color: bool,
}

impl State {
    /// The screen at the beginning.
    #[must_use]
    pub fn new(session: &Session, size: Size, color: bool) -> State {
        let board = &session.engine().program().board;
        let targets = Narrowing::default().targets(session.choices());
        let middle = board.middle().iter().find(|c| targets.contains(c));
        let first = targets.get(targets.len() / 2).copied();
        State {
            size,
            cursor: middle.or(first).unwrap_or(Cell(0)),
            goal: None,
            focus: Focus::Board,
            row: 0,
            narrow: Narrowing::default(),
            message: String::new(),
            refused: false,
            last_refused: None,
            page: None,
            color,
        }
    }

    /// Tells something on the screen.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = text.into();
        self.refused = false;
    }

    /// Tells on the screen that something was refused.
    pub fn refuse(&mut self, text: impl Into<String>) {
        self.message = text.into();
        self.refused = true;
    }

    /// Another action is looked for.
    pub fn begin_anew(&mut self) {
        self.narrow.clear();
        self.row = 0;
    }

    /// The actions that are left, as the list shows them: all of them where a command is typed.
    #[must_use]
    pub fn left<'s>(&self, session: &'s Session) -> Vec<&'s Choice> {
        self.narrow.left(session.choices())
    }

    /// The cells that can be picked next; none while somebody else is to move.
    #[must_use]
    pub fn targets(&self, session: &Session) -> Vec<Cell> {
        match session.due() {
            Due::Person => self.narrow.targets(session.choices()),
            Due::Sitter(_) | Due::Over | Due::Stuck => Vec::new(),
        }
    }

    /// Where everything is.
    #[must_use]
    pub fn areas(&self, session: &Session) -> Areas {
        Areas::new(self, session)
    }

    /// Moves the cursor to the left or right.
    pub fn go_beside(&mut self, plan: &Plan, right: bool) {
        if let Some(cell) = plan.beside(self.cursor, right) {
            self.cursor = cell;
        }
        self.goal = None;
    }

    /// Moves the cursor up or down.
    pub fn go_above(&mut self, plan: &Plan, up: bool) {
        let here = plan.spot(self.cursor).map_or(0, |s| s.column);
        let goal = self.goal.unwrap_or(here);
        if let Some(cell) = plan.above(self.cursor, up, goal) {
            self.cursor = cell;
        }
        self.goal = Some(goal);
    }
}
