//! `gambol show`: one position, drawn for people or told to machines.

use crate::cli::args::ShowArgs;
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::{json, load};
use crate::engine::{Engine, PlayError, Position};
use crate::tools::{draw, phrase};
use serde_json::{Value, json};

/// Shows the beginning or a given position.
///
/// # Errors
///
/// If file or position are wrong, or the result cannot be written.
pub fn show(args: &ShowArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let engine = load::engine(&args.file, &args.common, terminal)?;
    let position = load::position(&engine, args.position.as_deref())?;
    if args.common.json {
        terminal.line(&to_json(&engine, &position)?.to_string())?;
        return Ok(0);
    }
    let program = engine.program();
    terminal.line(&program.about.title)?;
    if !program.options.is_empty() {
        let options: Vec<String> = program.options.iter().map(phrase::setting).collect();
        terminal.line(&options.join(" "))?;
    }
    terminal.line("")?;
    terminal.print(&draw::draw(&engine, &position))?;
    terminal.line(&format!("\n{}", engine.print(&position)))?;
    terminal.line(&standing(&engine, &position)?)?;
    Ok(0)
}

/// Who is to move, or how the game ended.
///
/// # Errors
///
/// What the engine says.
pub fn standing(engine: &Engine, position: &Position) -> Result<String, PlayError> {
    let program = engine.program();
    let mover = phrase::player(program, engine.to_move(position));
    let ended = engine.outcome(position)?;
    Ok(ended.map_or_else(
        || format!("{mover} to move"),
        |outcome| phrase::outcome(program, &outcome),
    ))
}

fn to_json(engine: &Engine, position: &Position) -> Result<Value, PlayError> {
    let mut state = json::state(engine, position)?;
    state.insert("cells".to_owned(), json::cells(engine, position));
    state.insert("hands".to_owned(), json::hands(engine, position));
    let values = engine
        .values(position)
        .into_iter()
        .map(|(name, value)| (name, json!(value)));
    state.insert("values".to_owned(), json::object(values));
    Ok(Value::Object(state))
}
