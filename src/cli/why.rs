//! `gambol why`: the clauses that an action passed, or the one that refuses it, underlined in the rules.

use crate::base::{Source, Span};
use crate::cli::args::{Common, Standing};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::out::Terminal;
use crate::cli::{clause as clauses, json, load, moves, render};
use crate::engine::{Engine, Position};
use crate::tools::why::{Clause, ClauseKind, Why, why as explain};
use crate::tools::{draw, phrase};
use clap::Args;
use serde_json::{Value, json};

/// The arguments of `why`.
#[derive(Args, Clone, Debug)]
pub struct WhyArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// The action, as it is written.
    #[arg(allow_hyphen_values = true)]
    pub action: String,
    /// Where the game stands.
    #[command(flatten)]
    pub at: Standing,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// Tells why an action is legal or is not; the exit code says which.
///
/// # Errors
///
/// If file, position or actions are wrong, or the result cannot be written.
pub fn why(args: &WhyArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let game = load::game(&args.file, &args.common.set, terminal)?;
    let engine = &game.engine;
    let position = moves::standing(engine, &args.at)?;
    let answer = explain(engine, &position, &args.action)?;
    if args.common.json {
        let value = to_json(&game.source, engine, &position, &args.action, &answer);
        terminal.line(&value.to_string())?;
    } else {
        let told = lines(
            &game.source,
            engine,
            &position,
            &args.action,
            &answer,
            terminal.color_out,
        );
        for line in told {
            terminal.line(&line)?;
        }
    }
    Ok(match answer {
        Why::Legal { .. } => 0,
        Why::Refused { .. } | Why::NoAction { .. } | Why::Over { .. } => FINDINGS,
    })
}

/// The answer for people, in lines.
#[must_use]
pub fn lines(
    source: &Source,
    engine: &Engine,
    position: &Position,
    action: &str,
    answer: &Why,
    color: bool,
) -> Vec<String> {
    let mut told = Vec::new();
    match answer {
        Why::Legal { rule, passed, next } => {
            told.push(format!("`{action}` is legal: {rule}"));
            told.extend(passed.iter().map(|clause| passed_line(source, clause)));
            told.push(String::new());
            told.extend(beside(engine, position, next));
            told.push(format!("\n{}", engine.print(next)));
        }
        Why::Refused { rule, clauses } => {
            told.push(format!(
                "`{action}` is not legal; the rule that comes nearest is {rule}\n"
            ));
            let remarks = clauses
                .iter()
                .map(|clause| render::remark(source, clause.place, &clause.text, color));
            told.extend(remarks);
            let cells: Vec<_> = clauses
                .iter()
                .flat_map(|c| c.cells.iter().copied())
                .collect();
            told.extend(draw::marked_lines(engine, position, &cells));
            told.push(format!("\n{}", engine.print(position)));
        }
        Why::NoAction { nearest } => {
            told.push(format!("`{action}` is no action of this position"));
            if !nearest.is_empty() {
                told.push(format!("legal actions like it: {}", nearest.join(", ")));
            }
        }
        Why::Over { outcome, place } => {
            let ended = phrase::outcome(engine.program(), outcome);
            told.push(format!("`{action}` cannot be played: the game is over\n"));
            told.push(render::remark(source, *place, &ended, color));
        }
    }
    told
}

/// One clause that was passed, on one line.
fn passed_line(source: &Source, clause: &Clause) -> String {
    let place = clauses::place(source, clause.place);
    let text = first_line(source.at(clause.place));
    let mark = match clause.kind {
        ClauseKind::Effect => "does",
        ClauseKind::Choice | ClauseKind::Picture => "finds",
        ClauseKind::Requirement | ClauseKind::Order | ClauseKind::Turn => "holds",
    };
    format!("  {place:>4} {mark:<6} {text}")
}

/// The first line of a text, with a sign where more follows.
pub fn first_line(text: &str) -> String {
    match text.trim().split_once('\n') {
        Some((first, _)) => format!("{} …", first.trim_end()),
        None => text.trim().to_owned(),
    }
}

/// The board before and after, side by side.
fn beside(engine: &Engine, before: &Position, after: &Position) -> Vec<String> {
    side_by_side(
        ("before", &draw::board_lines(engine, before)),
        ("after", &draw::board_lines(engine, after)),
    )
}

/// Two drawings under their names, side by side.
pub fn side_by_side(left: (&str, &[String]), right: (&str, &[String])) -> Vec<String> {
    let width = |lines: &[String]| lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let column = width(left.1).max(left.0.chars().count()) + 4;
    let mut lines = vec![format!("{:<column$}{}", left.0, right.0)];
    for at in 0..left.1.len().max(right.1.len()) {
        let one = left.1.get(at).map_or("", String::as_str);
        let other = right.1.get(at).map_or("", String::as_str);
        lines.push(format!("{one:<column$}{other}").trim_end().to_owned());
    }
    lines
}

fn to_json(
    source: &Source,
    engine: &Engine,
    position: &Position,
    action: &str,
    answer: &Why,
) -> Value {
    let clauses = |list: &[Clause]| -> Vec<Value> {
        list.iter().map(|c| clause(source, engine, c)).collect()
    };
    let line = engine.print(position);
    match answer {
        Why::Legal { rule, passed, next } => json!({
            "schema": json::SCHEMA, "position": line, "action": action, "legal": true, "rule": rule,
            "passed": clauses(passed), "next": engine.print(next),
        }),
        Why::Refused {
            rule,
            clauses: list,
        } => json!({
            "schema": json::SCHEMA, "position": line, "action": action, "legal": false, "rule": rule,
            "refused_by": clauses(list),
        }),
        Why::NoAction { nearest } => json!({
            "schema": json::SCHEMA, "position": line, "action": action, "legal": false, "rule": null,
            "refused_by": [], "nearest": nearest,
        }),
        Why::Over { outcome, place } => json!({
            "schema": json::SCHEMA, "position": line, "action": action, "legal": false, "rule": null,
            "outcome": json::outcome(engine.program(), Some(outcome)),
            "refused_by": [json::located(source, *place, &[("kind", json!("end")), ("text", json!(&*outcome.by))])],
        }),
    }
}

fn clause(source: &Source, engine: &Engine, clause: &Clause) -> Value {
    let board = &engine.program().board;
    let cells: Vec<&str> = clause.cells.iter().map(|c| board.name(*c)).collect();
    let more = [
        ("kind", json!(clause.kind.name())),
        ("text", json!(clause.text)),
        ("source", json!(source.at(clause.place))),
        ("cells", json!(cells)),
    ];
    json::located(source, clause.place, &more)
}

/// A place of the rules in a word: the file and the line.
pub fn line_of(source: &Source, place: Span) -> String {
    let (name, ..) = source.part(source.part_of(place.start));
    format!("{name}:{}", source.line_column(place.start).0)
}
