//! A game as one page of HTML that is stepped through: positions in, a document with everything in it out; it fetches nothing.

use crate::engine::{Engine, PlayError};
use crate::tools::phrase;
use crate::tools::picture::stage::Stage;
use crate::tools::picture::write::escape;
use crate::tools::picture::{Frame, Look, Theme, beside, overlay};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page of a game; without scripts the first position is seen.
///
/// # Errors
///
/// When the rules fail in one of the positions.
pub fn page(engine: &Engine, frames: &[Frame], look: Look) -> Result<String, PlayError> {
    let stage = Stage::new(engine, look);
    let program = engine.program();
    let mut contents = Contents::default();
    let mut steps = Vec::new();
    let (mut height, mut first) = (0.0f64, String::new());
    for (n, frame) in frames.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| &frames[n].position);
        let cells = before.map_or_else(
            || program.board.cells().iter().collect(),
            |before| overlay::changed(engine, before, &frame.position),
        );
        let held: Vec<(u16, usize)> = cells
            .iter()
            .map(|cell| {
                let pieces = engine.stack(&frame.position, *cell);
                let content = (stage.kit.content(&pieces), stage.kit.told(&pieces));
                (cell.0, contents.number(content))
            })
            .collect();
        let lines = beside::lines(engine, &frame.position, None)?;
        height = height.max(beside::height(&stage.plan, &lines));
        let drawn = beside::draw(&stage.plan, &lines);
        if n == 0 {
            first.clone_from(&drawn);
        }
        let marks = before.map_or_else(String::new, |_| overlay::marks(&stage.plan, &cells));
        steps.push(json!({
            "cells": held,
            "marks": marks,
            "lines": drawn,
            "told": lines[0].text,
            "position": engine.print(&frame.position),
        }));
    }
    let mut body = stage.under();
    body.push_str(&stage.every(|cell| {
        let pieces = frames
            .first()
            .map(|f| engine.stack(&f.position, cell))
            .unwrap_or_default();
        let drawn = format!("<g class=\"held\">{}</g>", stage.kit.content(&pieces));
        (stage.kit.told(&pieces), drawn)
    }));
    body.push_str(&stage.over());
    body.push_str("<g id=\"last\"></g>");
    body.push_str(&stage.beside(&first));
    let board = stage.whole(&body, height, &program.about.title).text;
    let data = json!({"contents": contents.list, "steps": steps});
    Ok(document(engine, frames, look, &board, &data))
}

/// Drawings and words of cells, each once.
#[derive(Default)]
struct Contents {
    list: Vec<(String, String)>,
    numbers: BTreeMap<(String, String), usize>,
}

impl Contents {
    fn number(&mut self, content: (String, String)) -> usize {
        if let Some(number) = self.numbers.get(&content) {
            return *number;
        }
        self.list.push(content.clone());
        self.numbers.insert(content, self.list.len() - 1);
        self.list.len() - 1
    }
}

fn document(engine: &Engine, frames: &[Frame], look: Look, board: &str, data: &Value) -> String {
    let program = engine.program();
    let title = escape(&program.about.title);
    let theme = match look.theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Print => "print",
    };
    let mut list = String::from("<li><button type=\"button\" data-step=\"0\">start</button></li>");
    for (n, pair) in frames.windows(2).enumerate() {
        let mover = phrase::player(program, engine.to_move(&pair[0].position));
        let played = pair[1].played.as_deref().unwrap_or("");
        let _ = write!(
            list,
            "\n<li><button type=\"button\" data-step=\"{0}\" title=\"{1}\">{0}. {2}</button></li>",
            n + 1,
            escape(mover),
            escape(played)
        );
    }
    let options = phrase::changed_options(program);
    let options = if options.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>\n", escape(&options))
    };
    let last = frames.len().saturating_sub(1);
    // Nothing in the data can end the script that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" class=\"{theme}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}main > figure {{ max-width: {width}px }}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n{options}<main>\n\
         <figure>\n{board}</figure>\n<section>\n\
         <div class=\"steps\">\n\
         <button type=\"button\" id=\"first\" title=\"first (Home)\" aria-label=\"first\">|◀</button>\n\
         <button type=\"button\" id=\"back\" title=\"back (Left)\" aria-label=\"back\">◀</button>\n\
         <button type=\"button\" id=\"run\" title=\"play (Space)\" aria-label=\"play\">▶ play</button>\n\
         <button type=\"button\" id=\"next\" title=\"next (Right)\" aria-label=\"next\">▶</button>\n\
         <button type=\"button\" id=\"end\" title=\"last (End)\" aria-label=\"last\">▶|</button>\n</div>\n\
         <input type=\"range\" id=\"slider\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"position\">\n\
         <p id=\"told\" aria-live=\"polite\"></p>\n<ol id=\"actions\">\n{list}\n</ol>\n\
         <p><code id=\"position\"></code></p>\n</section>\n</main>\n\
         <script>\nconst game = {data};\n{SCRIPT}</script>\n</body>\n</html>\n",
        width = look.width,
    )
}
