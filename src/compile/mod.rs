//! Model into program. In: a resolved game. Out: a flat program, and notes on what it keeps between actions. One pass a
//! file: lowering, decision points, liveness, layout, texts. How a program is run is not known here.

pub mod kernel;
mod layout;
mod liveness;
mod lower;
mod points;
mod texts;

use crate::base::{Code, Diagnostic, Diagnostics, Span};
use crate::model::Game;
use crate::program::Program;

/// Compiles a game.
#[must_use]
pub fn compile(game: Game) -> (Program, Diagnostics) {
    let (mut program, mut diagnostics) = lower::lower(game);
    points::settle(&mut program);
    points::silent_ways(&program, &mut diagnostics);
    liveness::carry(&mut program);
    layout::place(&mut program);
    texts::compare(&mut program);
    for point in program.points.iter().filter(|p| !p.carried.is_empty()) {
        let names: Vec<&str> = point
            .carried
            .iter()
            .map(|v| program.var(*v).name.as_str())
            .collect();
        let span = program
            .places
            .get(point.pc.0 as usize)
            .copied()
            .unwrap_or(Span::default());
        diagnostics.push(
            Diagnostic::new(
                Code::CarriedValue,
                span,
                format!(
                    "before `{}`, the position line also holds {}",
                    point.name,
                    names.join(", ")
                ),
            )
            .here("a player chooses here, in the middle of a turn"),
        );
    }
    (program, diagnostics)
}
