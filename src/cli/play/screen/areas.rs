//! Where everything is on a screen of a size: the board as large as it is when there is room, else a part of it.

use crate::cli::play::screen::board;
use crate::cli::play::screen::state::{Focus, State};
use crate::tools::plan::Plan;
use crate::tools::session::Session;
use ratatui::layout::Rect;

/// The narrowest list.
const LIST: u16 = 22;
/// The widest list.
const WIDE: u16 = 72;

/// Where everything is. What has no room has no area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Areas {
    /// Game, turn, whose it is.
    pub title: Rect,
    /// The board.
    pub board: Rect,
    /// The list of actions.
    pub list: Rect,
    /// What is beside the board: hands, values.
    pub aside: Rect,
    /// What was played.
    pub history: Rect,
    /// The cell under the cursor.
    pub inspector: Rect,
    /// What was told.
    pub message: Rect,
    /// What is typed.
    pub input: Rect,
    /// The keys.
    pub keys: Rect,
    /// How the board is laid out.
    pub plan: Plan,
    /// Columns of the list.
    pub across: usize,
}

/// The least that a board can be looked at in.
const LEAST: (u16, u16) = (16, 6);

impl Areas {
    /// Divides the screen.
    #[must_use]
    pub fn new(state: &State, session: &Session) -> Areas {
        let (width, height) = (state.size.width, state.size.height);
        let mut from = 0;
        let mut to = height;
        let top = |from: &mut u16| {
            let area = Rect::new(0, *from, width, 1);
            *from += 1;
            area
        };
        let bottom = |to: &mut u16, lines: u16, needed: u16| {
            if height < needed {
                return Rect::default();
            }
            *to = to.saturating_sub(lines);
            Rect::new(0, *to, width, lines)
        };
        let keys = bottom(&mut to, 1, 16);
        let input = bottom(&mut to, 1, 1);
        let message = bottom(&mut to, if height >= 20 { 2 } else { 1 }, 2);
        let inspector = bottom(&mut to, 1, 8);
        let title = if height >= 3 {
            top(&mut from)
        } else {
            Rect::default()
        };
        let aside_lines = board::aside(session);
        let mut middle = Rect::new(0, from, width, to.saturating_sub(from));
        let small = width < LEAST.0 || height < LEAST.1;
        if small {
            middle = Rect::default();
        }
        let full = board::plan(session, true);
        let short = board::plan(session, false);
        let fits = |plan: &Plan, width: u16| plan.width <= usize::from(width);
        let plan = if fits(&full, middle.width) {
            full
        } else {
            short
        };
        let mut areas = Areas {
            title,
            board: middle,
            list: Rect::default(),
            aside: Rect::default(),
            history: Rect::default(),
            inspector,
            message,
            input,
            keys,
            plan,
            across: 1,
        };
        areas.divide(middle, &aside_lines);
        if areas.list.is_empty() && state.focus == Focus::List && !small {
            areas.list = areas.board;
            areas.board = Rect::default();
        }
        let texts = session.choices().iter().map(|c| c.text.chars().count());
        let widest = texts.max().unwrap_or(0) + 3;
        areas.across = (usize::from(areas.list.width) / widest).max(1);
        areas
    }

    /// Divides the middle: the list at the right, or below, or nowhere.
    fn divide(&mut self, middle: Rect, aside: &[String]) {
        let need_x = u16::try_from(self.plan.width + 1).unwrap_or(u16::MAX);
        let need_y = u16::try_from(self.plan.height).unwrap_or(u16::MAX);
        let about = u16::try_from(aside.len()).unwrap_or(u16::MAX);
        let right = middle.width.saturating_sub(need_x);
        let below = middle.height.saturating_sub(need_y);
        let side = if right >= LIST {
            right.min(WIDE)
        } else if below < 3 && middle.width >= 3 * LIST {
            LIST
        } else {
            0
        };
        if side > 0 {
            self.board.width = middle.width - side;
            let x = middle.x + self.board.width;
            let about = about.min(middle.height / 3);
            self.aside = Rect::new(x, middle.y, side, about);
            let rest = middle.height - about;
            let history = if rest >= 14 { rest / 3 } else { 0 };
            self.list = Rect::new(x, middle.y + about, side, rest - history);
            self.history = Rect::new(x, middle.y + middle.height - history, side, history);
            return;
        }
        let about = about.min(middle.height / 4).min(below);
        if below >= 2 {
            let list = (below - about).min(middle.height / 2);
            self.board.height = middle.height - list - about;
            let y = middle.y + self.board.height;
            self.aside = Rect::new(0, y, middle.width, about);
            self.list = Rect::new(0, y + about, middle.width, list);
            if self.list.height < 2 {
                self.board.height += self.list.height;
                self.list = Rect::default();
            }
        }
    }
}
