//! Pictures of games: an engine, a position and what is to be drawn over it in, SVG as text out. Any board that the language
//! can say, any pieces on it. The same position gives the same bytes. Nothing is read or written here.

mod beside;
mod ground;
mod motion;
mod named;
mod overlay;
mod page;
mod pieces;
mod plan;
#[cfg(feature = "png")]
mod png;
mod ring;
mod stage;
mod style;
mod write;

pub use motion::animation;
pub use page::page;
#[cfg(feature = "png")]
pub use png::png;
pub use style::Theme;

use crate::engine::{Engine, PlayError, Position};
use crate::tools::picture::stage::Stage;

/// How a picture looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Its colours.
    pub theme: Theme,
    /// Its width in pixels.
    pub width: u32,
}

/// The width of a picture when none is asked for, in pixels.
pub const WIDTH: u32 = 480;

impl Default for Look {
    fn default() -> Look {
        Look {
            theme: Theme::Light,
            width: WIDTH,
        }
    }
}

/// An action that has led to a position.
#[derive(Clone, Debug)]
pub struct Last {
    /// Its text.
    pub text: String,
    /// The position before.
    pub before: Position,
}

/// What is drawn over a position.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The legal actions.
    pub legal: bool,
    /// The last action: its text, and the cells that it has changed.
    pub last: Option<Last>,
}

/// A position of a game that is shown step by step.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The position.
    pub position: Position,
    /// The action that has led to it; nothing for the first.
    pub played: Option<String>,
}

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The SVG.
    pub text: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Draws a position.
///
/// # Errors
///
/// When the rules fail in this position.
pub fn svg(
    engine: &Engine,
    position: &Position,
    overlay: &Overlay,
    look: Look,
) -> Result<Drawn, PlayError> {
    let stage = Stage::new(engine, look);
    let played = overlay.last.as_ref().map(|last| last.text.as_str());
    let lines = beside::lines(engine, position, played)?;
    let cells = stage.cells(position);
    let mut body = stage.under();
    body.push_str(&cells);
    body.push_str(&stage.over());
    if let Some(last) = &overlay.last {
        let changed = overlay::changed(engine, &last.before, position);
        body.push_str("<g id=\"last\">");
        body.push_str(&overlay::marks(&stage.plan, &changed));
        body.push_str("</g>");
    }
    if overlay.legal {
        body.push_str(&overlay::legal(engine, position, &stage.plan)?);
    }
    body.push_str(&stage.beside(&beside::draw(&stage.plan, &lines)));
    let told = format!("{}. {}", lines[0].text, engine.print(position));
    Ok(stage.whole(&body, beside::height(&stage.plan, &lines), &told))
}
