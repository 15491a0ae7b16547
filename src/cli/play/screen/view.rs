//! The whole screen, drawn from what is known: nothing is decided and nothing changed here.

use crate::cli::play::desk::Thinking;
use crate::cli::play::screen::areas::Areas;
use crate::cli::play::screen::board;
use crate::cli::play::screen::state::{Focus, Page, State};
use crate::cli::play::telling::{progress, standing};
use crate::tools::phrase;
use crate::tools::session::{Due, Session};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};

/// What is drawn.
pub struct Scene<'s> {
    /// The game.
    pub session: &'s Session,
    /// What the screen knows besides.
    pub state: &'s State,
    /// Who thinks.
    pub thinking: Option<&'s Thinking>,
}

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>) {
    let state = scene.state;
    let areas = state.areas(scene.session);
    let buffer = frame.buffer_mut();
    board::draw(state, scene.session, &areas.plan, areas.board, buffer);
    if let Some(page) = &state.page {
        draw_page(frame, page, state);
        return;
    }
    title(frame, scene, &areas);
    list(frame, scene, &areas);
    history(frame, scene, &areas);
    for (line, y) in board::aside(scene.session).iter().zip(areas.aside.rows()) {
        frame.render_widget(Paragraph::new(line.as_str()), y);
    }
    let inspector = board::inspect(state, scene.session);
    if !areas.inspector.is_empty() {
        frame.render_widget(Paragraph::new(inspector.as_str()), areas.inspector);
    }
    message(frame, scene, &areas);
    input(frame, scene, &areas);
    let keys = "Enter: pick  Tab: list  F1: help  F2: undo  F3: redo  F5: hint  F10: quit";
    let dim = Style::new().add_modifier(Modifier::DIM);
    if !areas.keys.is_empty() {
        frame.render_widget(Paragraph::new(keys).style(dim), areas.keys);
    }
}

fn title(frame: &mut Frame<'_>, scene: &Scene<'_>, areas: &Areas) {
    let session = scene.session;
    let engine = session.engine();
    let told = standing(session);
    let width = usize::from(areas.title.width);
    let title = &engine.program().about.title;
    let mover = engine.to_move(session.position());
    let who = match session.due() {
        Due::Person | Due::Sitter(_) => {
            let waits = if session.paused { ", waits" } else { "" };
            format!(" ({}{waits})", session.who(mover))
        }
        Due::Over | Due::Stuck => String::new(),
    };
    let whole = format!("{title}, turn {}: {told}{who}", session.turn());
    let tellings = [whole, format!("{title}: {told}"), told];
    let fitting = tellings.iter().find(|t| t.chars().count() <= width);
    let text = fitting.unwrap_or(&tellings[2]).clone();
    let style = Style::new().add_modifier(Modifier::REVERSED);
    if !areas.title.is_empty() {
        let text = format!("{text:<width$}");
        frame.render_widget(Paragraph::new(text).style(style), areas.title);
    }
}

fn list(frame: &mut Frame<'_>, scene: &Scene<'_>, areas: &Areas) {
    let (state, area) = (scene.state, areas.list);
    if area.is_empty() {
        return;
    }
    let (left, all) = (state.left(scene.session), scene.session.choices().len());
    let head = if left.len() == all {
        phrase::number(all, "action")
    } else {
        format!("{} of {}", left.len(), phrase::number(all, "action"))
    };
    let head = format!("── {head} ──");
    let dim = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Paragraph::new(head).style(dim), Rect { height: 1, ..area });
    let rows = usize::from(area.height.saturating_sub(1));
    let row = state.row.min(left.len().saturating_sub(1)) / areas.across;
    let lines = left.len().div_ceil(areas.across);
    let top = row.saturating_sub(rows / 2).min(lines.saturating_sub(rows));
    let pitch = usize::from(area.width) / areas.across;
    let chosen = state.row.min(left.len().saturating_sub(1));
    for line in 0..rows {
        for column in 0..areas.across {
            let at = (top + line) * areas.across + column;
            let Some(choice) = left.get(at) else { return };
            let x = area.x + u16::try_from(column * pitch).unwrap_or(0);
            let y = area.y + 1 + u16::try_from(line).unwrap_or(0);
            let selected = state.focus == Focus::List && at == chosen;
            let mark = if selected { ">" } else { " " };
            let style = if selected {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            let more = line + 1 == rows && column + 1 == areas.across && at + 1 < left.len();
            let text = if more {
                " …".to_owned()
            } else {
                format!("{mark}{}", choice.text)
            };
            let width = u16::try_from(pitch)
                .unwrap_or(area.width)
                .min(area.right() - x);
            frame.render_widget(Paragraph::new(text).style(style), Rect::new(x, y, width, 1));
        }
    }
}

fn history(frame: &mut Frame<'_>, scene: &Scene<'_>, areas: &Areas) {
    let area = areas.history;
    if area.height < 2 || scene.session.played().is_empty() {
        return;
    }
    let program = scene.session.engine().program();
    let mut lines: Vec<String> = Vec::new();
    let mut turn = 0;
    for played in scene.session.played() {
        match lines.last_mut() {
            Some(line) if !played.starts_turn => *line += &format!(" {}", played.action),
            _ => {
                turn += 1;
                let name = phrase::player(program, played.player);
                lines.push(format!("{turn}. {name} {}", played.action));
            }
        }
    }
    let rows = usize::from(area.height - 1);
    let shown = lines.iter().skip(lines.len().saturating_sub(rows));
    let dim = Style::new().add_modifier(Modifier::DIM);
    let head = Line::styled("── played ──", dim);
    let text: Vec<Line<'_>> = std::iter::once(head)
        .chain(shown.map(|line| Line::raw(line.as_str())))
        .collect();
    frame.render_widget(Paragraph::new(text), area);
}

fn message(frame: &mut Frame<'_>, scene: &Scene<'_>, areas: &Areas) {
    let state = scene.state;
    let told = match scene.thinking {
        None => state.message.clone(),
        Some(thinking) => {
            let engine = scene.session.engine();
            let mover = engine.to_move(scene.session.position());
            let who = if thinking.hint {
                "looking for a good action".to_owned()
            } else {
                format!("{} thinks", phrase::player(engine.program(), mover))
            };
            let found = thinking
                .report
                .as_ref()
                .map_or_else(String::new, |r| format!(": {}", progress(r)));
            format!("{who}{found} (Esc: play now)")
        }
    };
    let mut style = Style::new();
    if state.refused && scene.thinking.is_none() {
        style = style.add_modifier(Modifier::BOLD);
        if state.color {
            style = style.fg(Color::Red);
        }
    }
    let told = if state.refused && scene.thinking.is_none() {
        format!("! {told}")
    } else {
        told
    };
    if !areas.message.is_empty() {
        let text = Paragraph::new(told).style(style).wrap(Wrap { trim: true });
        frame.render_widget(text, areas.message);
    }
}

fn input(frame: &mut Frame<'_>, scene: &Scene<'_>, areas: &Areas) {
    let (state, area) = (scene.state, areas.input);
    if area.is_empty() {
        return;
    }
    let session = scene.session;
    let board = &session.engine().program().board;
    let picks: Vec<&str> = state.narrow.picks.iter().map(|c| board.name(*c)).collect();
    let mut line = vec![Span::raw("> ")];
    if !picks.is_empty() {
        line.push(Span::styled(
            format!("{} ", picks.join(" ")),
            Style::new().add_modifier(Modifier::BOLD),
        ));
    }
    let room = usize::from(area.width).saturating_sub(4);
    let typed: Vec<char> = state.narrow.text.chars().collect();
    let shown: String = typed
        .iter()
        .skip(typed.len().saturating_sub(room))
        .collect();
    line.push(Span::raw(shown));
    line.push(Span::styled(
        "_",
        Style::new().add_modifier(Modifier::SLOW_BLINK),
    ));
    if !state.narrow.is_empty() {
        let dim = Style::new().add_modifier(Modifier::DIM);
        let left = state.left(session);
        let hint = match (state.narrow.meant(session.choices()), left.len()) {
            (Some(choice), _) => format!("  Enter plays {}", choice.text),
            (None, 0) => "  Enter: a command or a question".to_owned(),
            (None, n) => {
                let some: Vec<&str> = left.iter().take(12).map(|c| c.text.as_str()).collect();
                format!("  {}: {}", phrase::number(n, "action"), some.join(" "))
            }
        };
        line.push(Span::styled(hint, dim));
    }
    frame.render_widget(Paragraph::new(Line::from(line)), area);
}

/// The part of the screen for a page, and how many of its lines have room.
#[must_use]
pub fn page_room(state: &State) -> (Rect, usize) {
    let all = Rect::new(0, 0, state.size.width, state.size.height);
    let rows = usize::from(all.height.saturating_sub(2));
    (all, rows)
}

fn draw_page(frame: &mut Frame<'_>, page: &Page, state: &State) {
    let (area, rows) = page_room(state);
    let area = area.intersection(frame.area());
    frame.render_widget(Clear, area);
    let width = usize::from(area.width);
    let reversed = Style::new().add_modifier(Modifier::REVERSED);
    let shown = page.lines.iter().skip(page.top).take(rows);
    let below = page.lines.len().saturating_sub(page.top + rows);
    let mut lines = vec![Line::styled(format!("{:<width$}", page.title), reversed)];
    lines.extend(shown.map(|line| Line::raw(line.as_str())));
    let end = match below {
        0 => "Esc: back".to_owned(),
        n => format!("{} below; Down, PgDn, Esc: back", phrase::number(n, "line")),
    };
    while lines.len() < rows + 1 {
        lines.push(Line::raw(""));
    }
    lines.push(Line::styled(end, Style::new().add_modifier(Modifier::DIM)));
    frame.render_widget(Paragraph::new(lines), area);
}
