//! A game as one picture that moves: positions in, SVG with declared animation out. The board is drawn once; what stands on a
//! cell is drawn once for as long as it stands there. Without animation the last position is seen.

use crate::engine::{Engine, PlayError};
use crate::tools::picture::stage::Stage;
use crate::tools::picture::write::num;
use crate::tools::picture::{Drawn, Frame, Look, beside, overlay};
use std::fmt::Write as _;

/// How long a position is seen, in seconds.
const PAUSE: f64 = 0.9;

/// How long a whole game lasts at most, in seconds, unless positions would be seen too shortly.
const LONGEST: f64 = 90.0;

/// How long a position is seen at least, in seconds.
const SHORTEST: f64 = 0.3;

/// How many pauses the last position is seen.
const HELD: usize = 4;

/// Draws a game that plays itself again and again.
///
/// # Errors
///
/// When the rules fail in one of the positions.
pub fn animation(engine: &Engine, frames: &[Frame], look: Look) -> Result<Drawn, PlayError> {
    let stage = Stage::new(engine, look);
    let clock = Clock::of(frames.len());
    let mut body = stage.under();
    body.push_str(&stage.every(|cell| {
        let told = match frames {
            [only] => stage.kit.told(&engine.stack(&only.position, cell)),
            _ => "what stands here changes".to_owned(),
        };
        let contents = frames
            .iter()
            .map(|f| stage.kit.content(&engine.stack(&f.position, cell)));
        (told, clock.turns(contents))
    }));
    body.push_str(&stage.over());
    let marks = (0..frames.len()).map(|n| match n.checked_sub(1) {
        Some(before) => {
            let cells = overlay::changed(engine, &frames[before].position, &frames[n].position);
            overlay::marks(&stage.plan, &cells)
        }
        None => String::new(),
    });
    body.push_str("<g id=\"last\">");
    body.push_str(&clock.turns(marks));
    body.push_str("</g>\n");
    let (mut height, mut texts) = (0.0f64, Vec::new());
    let mut told = String::new();
    for (n, frame) in frames.iter().enumerate() {
        let mut lines = beside::lines(engine, &frame.position, None)?;
        if let Some(played) = &frame.played {
            lines[0].text = format!("{n}. {played}; {}", lines[0].text);
        }
        height = height.max(beside::height(&stage.plan, &lines));
        texts.push(beside::draw(&stage.plan, &lines));
        told = format!(
            "{} actions, one after the other; at the end: {}",
            frames.len().saturating_sub(1),
            beside::standing(engine, &frame.position)?.text
        );
    }
    body.push_str(&stage.beside(&clock.turns(texts.into_iter())));
    Ok(stage.whole(&body, height, &told))
}

/// When the positions are seen.
struct Clock {
    frames: usize,
    /// In seconds.
    whole: f64,
}

impl Clock {
    fn of(frames: usize) -> Clock {
        let steps = count(frames + HELD);
        let pause = (LONGEST / steps).clamp(SHORTEST, PAUSE);
        Clock {
            frames,
            whole: steps * pause,
        }
    }

    /// Drawings that follow one another, each for as long as the next one is the same.
    fn turns(&self, drawings: impl Iterator<Item = String>) -> String {
        let mut runs: Vec<(String, usize, usize)> = Vec::new();
        for (n, drawing) in drawings.enumerate() {
            match runs.last_mut() {
                Some((last, _, end)) if *last == drawing => *end = n + 1,
                Some(_) | None => runs.push((drawing, n, n + 1)),
            }
        }
        let mut out = String::new();
        for (drawing, from, to) in runs.iter().filter(|run| !run.0.is_empty()) {
            match (*from, *to == self.frames) {
                (0, true) => out.push_str(drawing),
                (from, last) => {
                    let hidden = if last { "" } else { " visibility=\"hidden\"" };
                    let _ = write!(out, "<g{hidden}>{drawing}{}</g>", self.seen(from, *to));
                }
            }
        }
        out
    }

    fn seen(&self, from: usize, to: usize) -> String {
        let at = |n: usize| {
            let share = count(n) / count(self.frames + HELD);
            let text = format!("{share:.5}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let (values, times) = match (from, to == self.frames) {
            (0, _) => ("visible;hidden", format!("0;{}", at(to))),
            (_, true) => ("hidden;visible", format!("0;{}", at(from))),
            (_, false) => (
                "hidden;visible;hidden",
                format!("0;{};{}", at(from), at(to)),
            ),
        };
        format!(
            "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"{values}\" keyTimes=\"{times}\"/>",
            num(self.whole)
        )
    }
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}
