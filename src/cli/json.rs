//! The shapes of JSON: engine things and diagnostics in, values for machines out. `docs/conventions` fixes them.

use crate::base::{Diagnostic, Source, Span};
use crate::cli::render::has_place;
use crate::engine::{Engine, Outcome, OutcomeResult, Position};
use crate::program::{PlayerId, Program};
use crate::tools::{draw, phrase};
use serde_json::{Map, Value, json};

/// The version of the shapes.
pub const SCHEMA: u32 = 1;

/// A list of names and values, as an object in that order.
pub fn object(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.into_iter().collect::<Map<String, Value>>())
}

/// What `moves` and `show` begin with: schema, game, options, position, to_move, outcome.
///
/// # Errors
///
/// What the engine says.
pub fn state(
    engine: &Engine,
    position: &Position,
) -> Result<Map<String, Value>, crate::engine::PlayError> {
    let program = engine.program();
    let over = engine.outcome(position)?;
    let entries = [
        ("schema", json!(SCHEMA)),
        ("game", json!(program.about.title)),
        ("options", options(program)),
        ("position", json!(engine.print(position))),
        (
            "to_move",
            json!(phrase::player(program, engine.to_move(position))),
        ),
        ("outcome", outcome(program, over.as_ref())),
    ];
    Ok(entries
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect())
}

/// All options in force, numbers as numbers.
#[must_use]
pub fn options(program: &Program) -> Value {
    let options = program.options.iter();
    object(options.map(|o| (o.name.clone(), setting(&o.value))))
}

/// What an option is set to: a number as a number.
#[must_use]
pub fn setting(text: &str) -> Value {
    text.parse::<i64>()
        .map_or_else(|_| json!(text), |n| json!(n))
}

/// The outcome; `null` while there is none.
#[must_use]
pub fn outcome(program: &Program, outcome: Option<&Outcome>) -> Value {
    let Some(outcome) = outcome else {
        return Value::Null;
    };
    let name = |id: PlayerId| json!(phrase::player(program, id));
    let winner = |winner: Option<PlayerId>| match winner {
        Some(id) => ("winner".to_owned(), name(id)),
        None => ("draw".to_owned(), json!(true)),
    };
    let mut entries = match &outcome.result {
        OutcomeResult::Win(id) => vec![winner(Some(*id))],
        OutcomeResult::Lose(id) => vec![("loser".to_owned(), name(*id))],
        OutcomeResult::Draw => vec![winner(None)],
        OutcomeResult::Scores { scores, winner: id } => {
            let points = program
                .players
                .iter()
                .zip(scores)
                .map(|(p, score)| (p.name.clone(), json!(score)));
            vec![winner(*id), ("scores".to_owned(), object(points))]
        }
    };
    entries.push(("by".to_owned(), json!(&*outcome.by)));
    object(entries)
}

/// The occupied cells in board order, each with its pieces from the bottom to the top.
#[must_use]
pub fn cells(engine: &Engine, position: &Position) -> Value {
    let program = engine.program();
    let cells = program
        .board
        .cells()
        .iter()
        .map(|cell| (cell, engine.stack(position, cell)));
    let occupied = cells
        .filter(|(_, pieces)| !pieces.is_empty())
        .map(|(cell, pieces)| {
            let pieces: Vec<String> = pieces
                .into_iter()
                .map(|piece| phrase::piece(program, piece))
                .collect();
            (program.board.name(cell).to_owned(), json!(pieces))
        });
    object(occupied)
}

/// For each player what is in hand: kinds with numbers.
#[must_use]
pub fn hands(engine: &Engine, position: &Position) -> Value {
    if !engine.program().hands {
        return object([]);
    }
    let kinds =
        |kinds: Vec<(String, u64)>| object(kinds.into_iter().map(|(kind, n)| (kind, json!(n))));
    object(
        draw::hands(engine, position)
            .into_iter()
            .map(|(player, held)| (player, kinds(held))),
    )
}

/// A diagnostic; lines and columns count from 1, and are `null` when it has no place.
#[must_use]
pub fn diagnostic(source: &Source, diagnostic: &Diagnostic) -> Value {
    let [line, column, end_line, end_column] = place(source, diagnostic.label.span);
    json!({
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": file_of(source, diagnostic.label.span),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "label": diagnostic.label.text,
        "others": diagnostic.others.iter().map(|label| other(source, label.span, &label.text)).collect::<Vec<_>>(),
        "help": diagnostic.help,
        "repair": diagnostic.repair,
    })
}

fn other(source: &Source, span: Span, text: &str) -> Value {
    let [line, column, end_line, end_column] = place(source, span);
    json!({"file": file_of(source, span), "line": line, "column": column, "end_line": end_line, "end_column": end_column, "label": text})
}

/// A place with what is to be said of it.
#[must_use]
pub fn located(source: &Source, span: Span, more: &[(&str, Value)]) -> Value {
    let [line, column, end_line, end_column] = place(source, span);
    let place = json!({
        "file": file_of(source, span), "line": line, "column": column, "end_line": end_line, "end_column": end_column,
    });
    let Value::Object(mut map) = place else {
        return Value::Null;
    };
    for (name, value) in more {
        map.insert((*name).to_owned(), value.clone());
    }
    Value::Object(map)
}

/// The file that a place is in: of a variant it may be one that it builds on.
fn file_of(source: &Source, span: Span) -> &str {
    source.part(source.part_of(span.start)).0
}

fn place(source: &Source, span: Span) -> [Option<usize>; 4] {
    if !has_place(span) {
        return [None; 4];
    }
    let (start, end) = (source.line_column(span.start), source.line_column(span.end));
    [start.0, start.1, end.0, end.1].map(Some)
}
