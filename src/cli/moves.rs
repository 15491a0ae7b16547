//! `gambol moves`: the legal actions of a position, perhaps after some were played, each with the position it leads to.

use crate::base::{Source, Span};
use crate::cli::args::{MovesArgs, Standing};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::render::Finding;
use crate::cli::show;
use crate::cli::{json, load};
use crate::engine::{Engine, Position, Refusal};
use crate::program::Program;
use crate::tools::phrase;
use serde_json::{Value, json};

/// Lists the legal actions.
///
/// # Errors
///
/// If file, position or actions are wrong, or the result cannot be written.
pub fn moves(args: &MovesArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let engine = load::engine(&args.file, &args.common, terminal)?;
    let position = standing(&engine, &args.at)?;
    let actions = engine.legal_actions(&position)?;
    let leads_to = actions.iter().map(|action| {
        (
            action.text.as_str(),
            engine.print(&engine.play(&position, action)),
        )
    });
    if args.common.json {
        let list: Vec<Value> = leads_to
            .map(|(text, line)| json!({"action": text, "position": line}))
            .collect();
        let mut state = json::state(&engine, &position)?;
        state.insert("actions".to_owned(), Value::Array(list));
        terminal.line(&Value::Object(state).to_string())?;
        return Ok(0);
    }
    terminal.line(&engine.print(&position))?;
    terminal.line(&format!(
        "{}, {}",
        show::standing(&engine, &position)?,
        phrase::number(actions.len(), "action")
    ))?;
    let widest = actions
        .iter()
        .map(|action| action.text.chars().count())
        .max()
        .unwrap_or(0);
    for (text, line) in leads_to {
        terminal.line(&format!("  {text:<widest$}  {line}"))?;
    }
    Ok(0)
}

/// The position that arguments ask for.
///
/// # Errors
///
/// If the position is none of the game, or an action cannot be played.
pub fn standing(engine: &Engine, at: &Standing) -> Result<Position, Failure> {
    let mut last = load::position(engine, at.position.as_deref())?;
    let list = at.play.as_deref().unwrap_or("");
    play(engine, last.clone(), list, &mut |_, position| {
        last = position.clone();
    })?;
    Ok(last)
}

/// Plays a list of actions and shows each with the position that it leads to.
///
/// # Errors
///
/// If an action cannot be played.
pub fn play(
    engine: &Engine,
    start: Position,
    list: &str,
    seen: &mut dyn FnMut(&str, &Position),
) -> Result<(), Failure> {
    let mut position = start;
    let mut at = 0;
    for (played, word) in list.split_whitespace().enumerate() {
        let from = at + list.get(at..).and_then(|rest| rest.find(word)).unwrap_or(0);
        at = from + word.len();
        position = engine.play_text(&position, word).map_err(|refusal| {
            let source = Source::new("--play", list);
            refused(
                engine.program(),
                source,
                Span::new(from, at),
                played,
                refusal,
            )
        })?;
        seen(word, &position);
    }
    Ok(())
}

/// What is to be said of an action that cannot be played, `played` actions after the beginning.
#[must_use]
pub fn refused(
    program: &Program,
    source: Source,
    span: Span,
    played: usize,
    refusal: Refusal,
) -> Failure {
    let text = source.at(span).to_owned();
    let (message, here, help) = match refusal {
        Refusal::Failed(error) => return Failure::Play(error),
        Refusal::Over(outcome) => {
            let ended = format!("the game is over: {}", phrase::outcome(program, &outcome));
            (
                format!("`{text}` cannot be played, {ended}"),
                "after the end".to_owned(),
                None,
            )
        }
        Refusal::Illegal { nearest, .. } => {
            let help = (!nearest.is_empty())
                .then(|| format!("legal actions like it: {}", nearest.join(", ")));
            (
                format!("`{text}` is not legal here"),
                "not legal".to_owned(),
                help,
            )
        }
    };
    let note = match played {
        0 => "it is the first action".to_owned(),
        n => format!("{} before it could be played", phrase::number(n, "action")),
    };
    Finding {
        source,
        span,
        message,
        here,
        note: Some(note),
        help,
    }
    .into()
}
