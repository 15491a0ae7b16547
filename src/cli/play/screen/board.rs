//! The board on the screen: contents of cells, marks before and behind them, the part of it that has room.

use crate::board::Cell;
use crate::cli::play::screen::state::State;
use crate::engine::PieceAt;
use crate::program::{PlayerId, piece_sign};
use crate::tools::plan::Plan;
use crate::tools::session::Session;
use crate::tools::{draw, phrase};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// Stacks of more characters are told by their height and their top piece.
const LONGEST: usize = 7;

/// A cell with nothing on it.
const EMPTY: &str = ".";
/// A cell with nothing on it that can be picked.
const FREE: &str = "+";

/// Pieces of a text, each with who it belongs to.
type Signs = Vec<(String, Option<PlayerId>)>;

/// The plan of a board: with whole stacks, or with their tops and heights only.
#[must_use]
pub fn plan(session: &Session, whole: bool) -> Plan {
    let engine = session.engine();
    let board = &engine.program().board;
    let width = |cell| length(&content(session, cell, whole));
    let widest = board.cells().iter().map(width).max().unwrap_or(1);
    // Columns shall not move with every stack that grows.
    let least = match (engine.program().stacking, whole) {
        (true, true) => 5,
        (true, false) => 2,
        (false, _) => 1,
    };
    Plan::new(board, widest.max(least))
}

fn length(signs: &Signs) -> usize {
    signs.iter().map(|(text, _)| text.chars().count()).sum()
}

/// What stands in a cell: `.`, a sign, `(ssS)`, or `S5` for a high stack: its top piece and its height.
fn content(session: &Session, cell: Cell, whole: bool) -> Signs {
    let engine = session.engine();
    let kinds = &engine.program().kinds;
    let pieces = engine.stack(session.position(), cell);
    let sign = |piece: &PieceAt| {
        let kind = kinds.get(usize::from(piece.kind.0));
        kind.map_or_else(|| "?".to_owned(), |kind| piece_sign(kind, piece.owner))
    };
    match pieces.as_slice() {
        [] => vec![(EMPTY.to_owned(), None)],
        [one] => vec![(sign(one), one.owner)],
        [.., top] => {
            let mut signs: Signs = vec![("(".to_owned(), None)];
            for (piece, same) in runs(&pieces) {
                let text = match same {
                    1 | 2 => sign(&piece).repeat(same),
                    _ => format!("{}{same}", sign(&piece)),
                };
                signs.push((text, piece.owner));
            }
            signs.push((")".to_owned(), None));
            if whole && length(&signs) <= LONGEST {
                return signs;
            }
            let height = pieces.len().to_string();
            vec![(sign(top), top.owner), (height, None)]
        }
    }
}

/// Equal pieces that follow one another, and how many.
fn runs(pieces: &[PieceAt]) -> Vec<(PieceAt, usize)> {
    let mut runs: Vec<(PieceAt, usize)> = Vec::new();
    for piece in pieces {
        match runs.last_mut() {
            Some((last, count)) if last == piece => *count += 1,
            _ => runs.push((*piece, 1)),
        }
    }
    runs
}

/// What is not on the board: hands and values.
#[must_use]
pub fn aside(session: &Session) -> Vec<String> {
    draw::beside(session.engine(), session.position())
}

/// Everything about the cell under the cursor, in a line.
#[must_use]
pub fn inspect(state: &State, session: &Session) -> String {
    let engine = session.engine();
    let program = engine.program();
    let pieces = engine.stack(session.position(), state.cursor);
    let told: Vec<String> = runs(&pieces)
        .into_iter()
        .map(|(piece, count)| match count {
            1 => phrase::piece(program, piece),
            _ => format!("{} x{count}", phrase::piece(program, piece)),
        })
        .collect();
    let pieces = match pieces.len() {
        0 => "empty".to_owned(),
        1 => told.join(""),
        height => format!("{height} high, from the bottom {}", told.join(", ")),
    };
    let mut more = String::new();
    if state.narrow.picks.contains(&state.cursor) {
        more += ", picked";
    }
    if state.targets(session).contains(&state.cursor) {
        more += ", can be picked";
    }
    if last_cells(session).contains(&state.cursor) {
        more += ", played last";
    }
    format!("{}: {pieces}{more}", program.board.name(state.cursor))
}

/// The cells of what was played last.
fn last_cells(session: &Session) -> &[Cell] {
    session.played().last().map_or(&[], |p| &p.cells)
}

/// A player's colour.
#[must_use]
pub fn color_of(player: Option<PlayerId>) -> Style {
    let colors = [Color::Cyan, Color::LightRed, Color::Yellow, Color::Magenta];
    match player {
        None => Style::new(),
        Some(id) => Style::new()
            .fg(colors[usize::from(id.0) % colors.len()])
            .add_modifier(Modifier::BOLD),
    }
}

/// The first line and column that are shown, so that the cursor is among them.
#[must_use]
pub fn corner(plan: &Plan, area: Rect, cursor: Cell) -> (usize, usize) {
    let spot = plan.spot(cursor);
    let room_x = usize::from(area.width).saturating_sub(plan.gutter);
    let scroll = |at: usize, length: usize, room: usize| {
        if length <= room {
            return 0;
        }
        at.saturating_sub(room / 2).min(length - room)
    };
    let foot = usize::from(!plan.foot.is_empty());
    let lines = plan.height - foot.min(plan.height);
    let room_y = usize::from(area.height).saturating_sub(foot);
    let line = scroll(spot.map_or(0, |s| s.line), lines, room_y);
    let from = spot.map_or(0, |s| s.column.saturating_sub(plan.gutter));
    let column = scroll(from, plan.width - plan.gutter.min(plan.width), room_x);
    (line, column)
}

/// The cell that is drawn at a place of the screen.
#[must_use]
pub fn cell_at(plan: &Plan, area: Rect, cursor: Cell, x: u16, y: u16) -> Option<Cell> {
    let inside = area.contains((x, y).into());
    let x = usize::from(x.checked_sub(area.x)?);
    let y = usize::from(y.checked_sub(area.y)?);
    let (line, column) = corner(plan, area, cursor);
    (inside && x >= plan.gutter).then(|| plan.cell_at(y + line, x + column))?
}

/// Draws the board.
pub fn draw(state: &State, session: &Session, plan: &Plan, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let corner = corner(plan, area, state.cursor);
    let foot = !plan.foot.is_empty();
    let body = Rect {
        height: area.height - u16::from(foot).min(area.height),
        ..area
    };
    let mut window = Window {
        plan,
        body,
        corner,
        buffer,
    };
    let dim = Style::new().add_modifier(Modifier::DIM);
    for label in &plan.strokes {
        window.put(label.line, label.column, &label.text, dim);
    }
    let whole = plan.room > 2 || !session.engine().program().stacking;
    let (targets, last) = (state.targets(session), last_cells(session));
    for spot in &plan.spots {
        let cell = spot.cell;
        let signs = content(session, cell, whole);
        let signs = if length(&signs) > plan.room {
            content(session, cell, false)
        } else {
            signs
        };
        let cursor = cell == state.cursor;
        let target = targets.contains(&cell);
        let picked = state.narrow.picks.contains(&cell);
        let was = last.contains(&cell);
        let mut base = Style::new();
        if target && state.color {
            base = base.bg(Color::DarkGray);
        }
        if was {
            base = base.add_modifier(Modifier::UNDERLINED);
        }
        if cursor {
            base = base.add_modifier(Modifier::REVERSED);
        }
        // What is in the middle of a wide cell is found more easily.
        let indent = (plan.room - length(&signs).min(plan.room)) / 2;
        let mut column = spot.column + indent;
        let empty = matches!(signs.as_slice(), [(text, None)] if text == EMPTY);
        let before = match (cursor, picked, target && !empty) {
            (true, ..) => "[",
            (_, true, _) => "{",
            (_, _, true) => ">",
            _ => " ",
        };
        let behind = match (cursor, picked, was) {
            (true, ..) => "]",
            (_, true, _) => "}",
            (_, _, true) => "'",
            _ => " ",
        };
        let mark = Style::new().add_modifier(Modifier::BOLD);
        if before != " " {
            window.put(spot.line, column.saturating_sub(1), before, mark);
        }
        for (text, owner) in &signs {
            let text = if empty && target { FREE } else { text.as_str() };
            let style = if state.color {
                color_of(*owner)
            } else {
                Style::new()
            };
            window.put(spot.line, column, text, style.patch(base));
            column += text.chars().count();
        }
        if behind != " " {
            window.put(spot.line, column, behind, mark);
        }
    }
    window.frame(foot);
}

/// The part of a plan that is shown.
struct Window<'w> {
    plan: &'w Plan,
    body: Rect,
    corner: (usize, usize),
    buffer: &'w mut Buffer,
}

impl Window<'_> {
    /// Writes at a line and column of the plan, where that is shown.
    fn put(&mut self, line: usize, column: usize, text: &str, style: Style) {
        let Some(y) = line
            .checked_sub(self.corner.0)
            .and_then(|y| u16::try_from(y).ok())
        else {
            return;
        };
        for (at, c) in text.chars().enumerate() {
            let Some(x) = (column + at).checked_sub(self.corner.1) else {
                continue;
            };
            if x < self.plan.gutter {
                continue;
            }
            let Ok(x) = u16::try_from(x) else { continue };
            if x < self.body.width && y < self.body.height {
                set(self.buffer, self.body.x + x, self.body.y + y, c, style);
            }
        }
    }

    /// Labels at the edges, and where there is more.
    fn frame(&mut self, foot: bool) {
        let dim = Style::new().add_modifier(Modifier::DIM);
        for label in &self.plan.labels {
            let Some(y) = label.line.checked_sub(self.corner.0) else {
                continue;
            };
            let Ok(y) = u16::try_from(y) else { continue };
            for (at, c) in label.text.chars().enumerate() {
                let x = u16::try_from(label.column + at).unwrap_or(u16::MAX);
                if y < self.body.height && x < self.body.width {
                    set(self.buffer, self.body.x + x, self.body.y + y, c, dim);
                }
            }
        }
        let lines = self.plan.height - usize::from(foot).min(self.plan.height);
        let room = usize::from(self.body.height);
        let last = self.body.y + self.body.height;
        if foot && !(self.plan.slanted && lines > room) {
            let y = last.min(
                self.body.y
                    + u16::try_from(lines)
                        .unwrap_or(u16::MAX)
                        .min(self.body.height),
            );
            for label in &self.plan.foot {
                for (at, c) in label.text.chars().enumerate() {
                    let Some(x) = (label.column + at).checked_sub(self.corner.1) else {
                        continue;
                    };
                    let x = u16::try_from(x).unwrap_or(u16::MAX);
                    if usize::from(x) >= self.plan.gutter && x < self.body.width {
                        set(self.buffer, self.body.x + x, y, c, dim);
                    }
                }
            }
        }
        let mark = Style::new().add_modifier(Modifier::BOLD);
        let right = self.body.x + self.body.width.saturating_sub(1);
        let gap = u16::try_from(self.plan.gutter.saturating_sub(1)).unwrap_or(0);
        let left = self.body.x + gap.min(self.body.width);
        if self.corner.0 > 0 {
            set(self.buffer, left, self.body.y, '↑', mark);
        }
        if lines > self.corner.0 + room && self.body.height > 0 {
            set(self.buffer, left, last - 1, '↓', mark);
        }
        if self.corner.1 > 0 {
            set(
                self.buffer,
                left,
                self.body.y + self.body.height / 2,
                '←',
                mark,
            );
        }
        if self.plan.width > self.corner.1 + usize::from(self.body.width) {
            set(
                self.buffer,
                right,
                self.body.y + self.body.height / 2,
                '→',
                mark,
            );
        }
    }
}

/// Sets a character of the screen, when it is there.
fn set(buffer: &mut Buffer, x: u16, y: u16, c: char, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_char(c).set_style(style);
    }
}
